//! The ONNX file: what it says of itself, and the network in it.

use crate::network::message::{Graph, Model, Value};
use crate::network::shape::Shape;
use crate::network::tensor::Tensor;
use crate::network::{Network, inputs};
use prost::Message;
use std::path::{Path, PathBuf};

/// No policy is larger, bytes. Small messages take up to a hundred times their place when they are read.
const MAX_FILE_BYTES: u64 = 32 << 20;
/// Nobody decides more seldom, seconds.
const MAX_DECISION_SECS: f64 = 3600.0;
/// The names of the network's input and output.
const INPUT: &str = "observation";
const OUTPUT: &str = "action";

/// A file that was read: what it observes, and a network whose size is not yet known to fit.
pub struct File {
    /// In the words of `[episode]`.
    pub observe: Vec<String>,
    /// In the words of `[episode]`.
    pub act: Vec<String>,
    /// The time from one decision to the next, seconds.
    pub decision_secs: f64,
    model: Model,
    /// Where its weights may lie.
    folder: Option<PathBuf>,
}

/// A network that is ready to decide.
pub struct Policy {
    network: Network,
    actions: usize,
}

impl File {
    /// Reads the file and what it says of itself.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn read(path: &Path) -> Result<Self, String> {
        let metadata = std::fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?;
        if !metadata.is_file() {
            return Err("is not a regular file".into());
        }
        if metadata.len() > MAX_FILE_BYTES {
            return Err(format!("{} bytes; at most {MAX_FILE_BYTES} are read", metadata.len()));
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "once, when the player is made: what it decides depends on what was read"
        )]
        let bytes = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
        let model = Model::decode(&bytes[..]).map_err(|error| format!("is no ONNX model: {error}"))?;
        let graph = model.graph.as_ref().ok_or("is no ONNX model: there is no graph in it")?;
        if let Some(operator) = random_operator(graph) {
            return Err(format!(
                "its network draws random numbers ({operator}), so a run could not be made again: export the policy's mean or most \
                 probable decision"
            ));
        }
        let text = |key: &str| {
            let key = format!("touchline.{key}");
            let found = model.metadata_props.iter().find(|entry| entry.key == key);
            found.map(|entry| entry.value.as_str()).ok_or_else(|| {
                format!("its metadata have no {key}: write it when the model is exported, see the README of player-onnx")
            })
        };
        let words = |key: &str| -> Result<Vec<String>, String> {
            serde_json::from_str(text(key)?)
                .map_err(|error| format!("its metadata touchline.{key} are no JSON list of words: {error}"))
        };
        let decision: f64 = text("decision_s")?.trim().parse().unwrap_or(f64::NAN);
        if !(decision > 0.0 && decision <= MAX_DECISION_SECS) {
            let got = text("decision_s")?;
            return Err(format!(
                "its metadata touchline.decision_s are \"{got}\": seconds above 0 are needed, at most {MAX_DECISION_SECS}"
            ));
        }
        Ok(Self {
            observe: words("observe")?,
            act: words("act")?,
            decision_secs: decision,
            folder: path.parent().map(Path::to_owned),
            model,
        })
    }

    /// Makes the network ready, if it takes and gives these numbers.
    ///
    /// # Errors
    /// What does not fit, for people.
    pub fn policy(&self, observed: &[String], actions: &[String]) -> Result<Policy, String> {
        let graph = self.model.graph.as_ref().ok_or("there is no graph in it")?;
        let inputs = inputs(graph);
        let &[input] = &inputs[..] else {
            let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
            return Err(format!("it must have one input, \"{INPUT}\"; it has {}", list(&names)));
        };
        if !graph.output.iter().any(|output| output.name == OUTPUT) {
            let names: Vec<&str> = graph.output.iter().map(|output| output.name.as_str()).collect();
            return Err(format!("it must have an output \"{OUTPUT}\"; it has {}", list(&names)));
        }
        if input.name != INPUT {
            return Err(format!("its input must be \"{INPUT}\", and is \"{}\"", input.name));
        }
        if let Some(width) = last_dimension(input)
            && width != observed.len() as i64
        {
            return Err(format!(
                "its input has {width} numbers, but what it says that it observes comes to {} here: {}",
                observed.len(),
                list(observed)
            ));
        }
        let cannot = |error| format!("its network cannot be run with {} numbers: {error}", observed.len());
        let network = Network::new(&self.model, &[OUTPUT], self.folder.as_deref(), MAX_FILE_BYTES);
        let policy = Policy { network: network.map_err(cannot)?, actions: actions.len() };
        // What does not fit shows in a first decision.
        let got = policy.run(vec![0.0; observed.len()]).map_err(cannot)?.len();
        if got != actions.len() {
            return Err(format!(
                "its output has {got} numbers, but what it says that it decides comes to {} here: {}",
                actions.len(),
                list(actions)
            ));
        }
        Ok(policy)
    }
}

impl Policy {
    /// Decides.
    ///
    /// # Errors
    /// When the network cannot say, or what it says is no number.
    pub fn decide(&self, observed: Vec<f32>) -> Result<Vec<f32>, String> {
        let actions = self.run(observed).map_err(|error| format!("the network failed: {error}"))?;
        if actions.len() != self.actions {
            return Err(format!("the network decided {} numbers, not {}", actions.len(), self.actions));
        }
        match actions.iter().position(|number| !number.is_finite()) {
            Some(place) => Err(format!("the network decided {} for number {place}", actions[place])),
            None => Ok(actions),
        }
    }

    fn run(&self, observed: Vec<f32>) -> Result<Vec<f32>, String> {
        let observed = Tensor::of(Shape::new(&[1, observed.len()])?, observed)?;
        let outputs = self.network.run(vec![observed])?;
        let actions = outputs.first().ok_or("it has no output")?;
        Ok(actions.values::<f32>().map_err(|error| format!("its output \"{OUTPUT}\": {error}"))?.to_vec())
    }
}

/// The first operator that draws random numbers, in the graph or in a branch or loop of it.
fn random_operator(graph: &Graph) -> Option<&str> {
    graph.node.iter().find_map(|node| {
        let operator = node.op_type.as_str();
        let is_random = operator.starts_with("Random") || ["Multinomial", "Bernoulli"].contains(&operator);
        let within =
            || node.attribute.iter().flat_map(|it| it.g.iter().chain(&it.graphs)).find_map(random_operator);
        if is_random { Some(operator) } else { within() }
    })
}

/// The size of the last dimension of a tensor, if the file says it.
fn last_dimension(value: &Value) -> Option<i64> {
    value.kind.as_ref()?.tensor.as_ref()?.shape.as_ref()?.dim.last()?.dim_value
}

fn list(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}
