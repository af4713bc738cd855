//! What all four kinds of plugin have in common: a name, typed parameters, and two kinds of failure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The four kinds of plugin. (P2)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PluginKind {
    /// How a robot moves.
    Motion = 0,
    /// What a robot perceives.
    Sensor = 1,
    /// What a robot does.
    Player = 2,
    /// What the rules say.
    Referee = 3,
}

impl PluginKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Motion, Self::Sensor, Self::Player, Self::Referee];

    /// The word that files and commands use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Sensor => "sensor",
            Self::Player => "player",
            Self::Referee => "referee",
        }
    }
}

impl std::fmt::Display for PluginKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Parameters: a struct with `#[derive(Deserialize, JsonSchema)]` and `#[serde(deny_unknown_fields)]`.
///
/// Give each field a unit in its name, a doc comment (it becomes the schema's description) and a range.
pub trait Params: DeserializeOwned + JsonSchema {}
impl<T: DeserializeOwned + JsonSchema> Params for T {}

/// What a plugin says of itself. (P1)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginDescription {
    /// The name by which files choose it, such as `differential`.
    pub name: String,
    /// Its kind.
    pub kind: PluginKind,
    /// The version of its crate.
    pub version: String,
    /// One line for people.
    pub summary: String,
    /// The JSON Schema of its parameters.
    pub params_schema: serde_json::Value,
}

impl PluginDescription {
    /// The parameters that name a file: those whose schema says `"format": "path"`.
    pub fn path_params(&self) -> impl Iterator<Item = &str> {
        self.params_of_format("path")
    }

    /// The parameters that choose a player to be ordered, as a table of `plugin` and `params`: those whose schema says
    /// `"format": "player"`.
    pub fn player_params(&self) -> impl Iterator<Item = &str> {
        self.params_of_format("player")
    }

    fn params_of_format(&self, format: &str) -> impl Iterator<Item = &str> {
        let rules = self.params_schema.get("properties").and_then(serde_json::Value::as_object);
        let is_meant = move |rule: &serde_json::Value| rule["format"].as_str() == Some(format);
        rules.into_iter().flatten().filter(move |(_, rule)| is_meant(rule)).map(|(name, _)| name.as_str())
    }

    /// Describes a plugin whose parameters are of type `P`.
    pub fn new<P: Params>(kind: PluginKind, name: &str, version: &str, summary: &str) -> Self {
        Self {
            name: name.into(),
            kind,
            version: version.into(),
            summary: summary.into(),
            params_schema: schemars::schema_for!(P).to_value(),
        }
    }
}

/// An instance cannot be made from these parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct SetupError {
    /// All that is wrong, not just the first.
    pub problems: Vec<ParamProblem>,
}

/// One thing that is wrong with the parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParamProblem {
    /// Which parameter, as a JSON pointer such as `/range_max_m`; empty for the whole.
    pub pointer: String,
    /// What is wrong, in lower case without a full stop.
    pub message: String,
}

impl std::fmt::Display for ParamProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.pointer.strip_prefix('/') {
            Some(name) => write!(f, "{name}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl SetupError {
    /// Something that concerns no single parameter.
    pub fn new(message: impl Into<String>) -> Self {
        Self { problems: vec![ParamProblem { pointer: String::new(), message: message.into() }] }
    }

    /// Reports one wrong parameter by its name.
    pub fn param(name: &str, message: impl Into<String>) -> Self {
        Self { problems: vec![ParamProblem { pointer: format!("/{name}"), message: message.into() }] }
    }

    /// Goes on collecting: `Ok` if nothing was wrong.
    ///
    /// # Errors
    /// Itself, if there is any problem.
    pub fn into_result(self) -> Result<(), Self> {
        if self.problems.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Adds a problem with a parameter unless `valid`.
    pub fn require(&mut self, valid: bool, name: &str, message: impl Into<String>) {
        if !valid {
            self.problems.extend(Self::param(name, message).problems);
        }
    }
}

/// A call into an instance that failed. The instance is then stopped, and named in an event; but a sensor that fails when a
/// client reads it fails for that reading alone. (P6)
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The plugin says that it cannot go on.
    #[error("{0}")]
    Reported(String),
    /// The plugin panicked; the panic was caught on its own side of the border.
    #[error("panicked: {0}")]
    Panicked(String),
    /// The plugin's output is not what its description promised, or not finite.
    #[error("bad output: {0}")]
    BadOutput(String),
}

impl Fault {
    /// What an author returns when he cannot go on.
    pub fn new(message: impl Into<String>) -> Self {
        Self::Reported(message.into())
    }
}

impl From<crate::state::StateError> for Fault {
    fn from(error: crate::state::StateError) -> Self {
        Self::Reported(error.to_string())
    }
}
