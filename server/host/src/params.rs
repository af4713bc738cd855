//! A plugin's parameters against the schema that it gives.

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use std::sync::OnceLock;
use touchline_plugin_api::plugin::{ParamProblem, PluginDescription, SetupError};
use touchline_sim::MakeError;
use touchline_sim::scenario::PluginChoice;

/// So many problems are told: parameters may be wrong in each of many entries.
const MOST_PROBLEMS: usize = 10;
/// A value whose problem would be longer is not repeated, bytes.
const LONGEST_MESSAGE: usize = 200;

/// Of the name of a parameter that there is none of so much is repeated, bytes.
const LONGEST_NAME: usize = 80;

/// A schema, made ready when parameters are first held against it.
#[derive(Default)]
pub struct Rules(OnceLock<Result<Validator, String>>);

impl Rules {
    /// Holds parameters against the schema of their plugin.
    pub fn check(&self, plugin: &PluginDescription, choice: &PluginChoice) -> Result<(), MakeError> {
        let compile = || jsonschema::validator_for(&plugin.params_schema).map_err(|error| error.to_string());
        let validator = self.0.get_or_init(compile).as_ref().map_err(|error| MakeError::Failed {
            kind: plugin.kind,
            name: choice.plugin.clone(),
            message: format!("it does not say properly which parameters it has: {error}"),
        })?;
        let problems = validator.iter_errors(&choice.params).flat_map(|error| problems(&error));
        let error = SetupError { problems: problems.take(MOST_PROBLEMS).collect() };
        error.into_result().map_err(MakeError::setup(plugin.kind, choice))
    }
}

fn problems(error: &ValidationError<'_>) -> Vec<ParamProblem> {
    let pointer = error.instance_path().as_str();
    if let Kind::AdditionalProperties { unexpected } = error.kind() {
        let unknown = |name: &String| ParamProblem {
            pointer: format!("{pointer}/{}", &name[..name.floor_char_boundary(LONGEST_NAME)]),
            message: "there is no such parameter".into(),
        };
        return unexpected.iter().map(unknown).collect();
    }
    let mut message = match words(error) {
        Some(words) => format!("{} is none of {words}", error.instance()),
        None => error.to_string(),
    };
    if message.len() > LONGEST_MESSAGE {
        message = error.masked().to_string();
    }
    vec![ParamProblem { pointer: pointer.into(), message }]
}

/// The words among which one was to be chosen, if it was so.
fn words(error: &ValidationError<'_>) -> Option<String> {
    let (Kind::OneOfNotValid { context } | Kind::AnyOf { context }) = error.kind() else { return None };
    let wanted = context.iter().flatten().filter_map(|error| match error.kind() {
        Kind::Constant { expected_value } => expected_value.as_str(),
        _ => None,
    });
    let wanted: Vec<&str> = wanted.collect();
    (!wanted.is_empty()).then(|| wanted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use touchline_plugin_api::plugin::PluginKind;

    fn refused(schema: Value, params: &Value) -> Result<(), MakeError> {
        let plugin = PluginDescription {
            name: "keeper".into(),
            kind: PluginKind::Player,
            version: "1".into(),
            summary: String::new(),
            params_schema: schema,
        };
        Rules::default().check(&plugin, &PluginChoice::new("ours", params.clone()))
    }

    /// P1: what a schema forbids is refused with the parameter's pointer, all of it at once; what may be left out may be.
    #[test]
    fn what_a_schema_forbids_is_refused_by_its_pointer() {
        let schema = json!({
            "type": "object",
            "properties": {
                "goal_width_m": { "type": "number", "minimum": 0.1, "maximum": 20 },
                "posts": { "type": "array", "items": { "type": "string" } },
            },
            "additionalProperties": false,
        });
        let check = |params: Value| refused(schema.clone(), &params);
        assert_eq!(check(json!({})), Ok(()));
        let choice =
            json!({ "properties": { "policy": { "oneOf": [{ "const": "still" }, { "const": "block" }] } } });
        let said = refused(choice, &json!({ "policy": "onnx" })).unwrap_err().to_string();
        assert!(said.ends_with("policy: \"onnx\" is none of still, block"), "{said}");
        assert_eq!(check(json!({ "goal_width_m": 20, "posts": ["a"] })), Ok(()));
        let wrong = json!({ "goal_width_m": 5000, "posts": ["a", 1], "x": 1 });
        let Err(MakeError::Setup { kind: PluginKind::Player, name, error }) = check(wrong) else {
            panic!("it is refused")
        };
        let mut said: Vec<String> = error.problems.iter().map(ToString::to_string).collect();
        said.sort_unstable();
        let expected = [
            "goal_width_m: 5000 is greater than the maximum of 20",
            "posts/1: 1 is not of type \"string\"",
            "x: there is no such parameter",
        ];
        assert_eq!((name.as_str(), said.as_slice()), ("ours", expected.map(String::from).as_slice()));
        let pointers: Vec<&str> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
        assert!(pointers.contains(&"/goal_width_m") && pointers.contains(&"/posts/1"), "{pointers:?}");
    }

    /// P6: what is said of bad parameters does not grow with them; a schema that is none is the plugin's mistake.
    #[test]
    fn a_refusal_is_short() {
        let schema = json!({ "additionalProperties": false, "properties": { "a": { "type": "number" } } });
        let mut wrong: serde_json::Map<String, Value> =
            (0..1000).map(|n| (format!("{n}{}", "é".repeat(1000)), n.into())).collect();
        wrong.insert("a".into(), "x".repeat(100_000).into());
        let said = refused(schema, &wrong.into()).unwrap_err().to_string();
        assert!(said.contains("a: value is not of type \"number\"") && said.len() < 2000, "{said}");
        let failed = refused(json!({ "type": "nonsense" }), &json!({})).unwrap_err();
        assert!(matches!(failed, MakeError::Failed { .. }), "{failed}");
    }
}
