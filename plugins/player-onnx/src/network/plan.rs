//! Makes the steps of a network from the graph in a file.

use super::call::{Attribute, Budget};
use super::operators::{Kernel, ML_OPSETS, OPSETS, operator};
use super::tensor::Tensor;
use super::weights::{self, Beside};
use super::{Network, Step, message};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The families of operators: what files call them, what stands before the names of their operators in the table, and which of
/// their versions are known.
const FAMILIES: [(&str, &str, (i64, i64)); 3] =
    [("", "", OPSETS), ("ai.onnx", "", OPSETS), ("ai.onnx.ml", "ai.onnx.ml.", ML_OPSETS)];

/// A network that is being made.
struct Plan<'a> {
    /// Index of each tensor, by its name in the model.
    names: BTreeMap<&'a str, usize>,
    constants: Vec<Option<Tensor>>,
    steps: Vec<Step>,
    opsets: &'a [message::Opset],
    beside: Beside,
    budget: Budget,
}

/// The inputs of a graph that are not weights: older files list those as well.
pub fn inputs(graph: &message::Graph) -> Vec<&message::Value> {
    let weights: BTreeSet<&str> = graph.initializer.iter().map(|tensor| tensor.name.as_str()).collect();
    graph.input.iter().filter(|input| !weights.contains(input.name.as_str())).collect()
}

impl Network {
    /// The network that gives `outputs`, tensors of the graph, from the graph's [`inputs`]. Weights may lie in other files of
    /// `folder`, which have `max_bytes` together.
    ///
    /// # Errors
    /// What cannot be run, and where it stands.
    pub fn new(
        model: &message::Model,
        outputs: &[&str],
        folder: Option<&Path>,
        max_bytes: u64,
    ) -> Result<Self, String> {
        let graph = model.graph.as_ref().ok_or("there is no graph in it")?;
        let (nodes, needed) = needed(graph, outputs);
        let mut plan = Plan {
            names: BTreeMap::new(),
            constants: Vec::new(),
            steps: Vec::new(),
            opsets: &model.opset_import,
            beside: Beside::new(folder, max_bytes),
            budget: Budget::default(),
        };
        let inputs: Result<Vec<_>, _> = inputs(graph).iter().map(|input| plan.name(&input.name)).collect();
        for stored in graph.initializer.iter().filter(|stored| needed.contains(stored.name.as_str())) {
            plan.add_weights(stored).map_err(|error| format!("the tensor \"{}\": {error}", stored.name))?;
        }
        for node in nodes {
            plan.add_node(node)?;
        }
        let place = |&name: &&str| plan.names.get(name).copied().ok_or(format!("nothing makes \"{name}\""));
        let outputs = outputs.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { steps: plan.steps, constants: plan.constants, inputs: inputs?, outputs })
    }
}

impl<'a> Plan<'a> {
    /// The place of a new tensor.
    fn name(&mut self, name: &'a str) -> Result<usize, String> {
        let place = self.constants.len();
        self.constants.push(None);
        match self.names.insert(name, place) {
            None => Ok(place),
            Some(_) => Err(format!("there are two tensors \"{name}\"")),
        }
    }

    fn add_weights(&mut self, stored: &'a message::Tensor) -> Result<(), String> {
        let place = self.name(&stored.name)?;
        self.constants[place] = Some(weights::tensor(stored, &mut self.beside)?);
        Ok(())
    }

    /// Adds a node: as a step, or as constants if it depends on nothing else.
    fn add_node(&mut self, node: &'a message::Node) -> Result<(), String> {
        let name = format!("the node \"{}\" ({})", node.name, node.op_type);
        let mut step = self.step(node).map_err(|error| format!("{name}: {error}"))?;
        step.name = name;
        if step.inputs.iter().flatten().all(|&place| self.constants[place].is_some()) {
            step.run(&[], &mut self.constants, &self.budget)?;
        } else {
            self.lay_by_rows(&mut step)?;
            self.steps.push(step);
        }
        Ok(())
    }

    fn step(&mut self, node: &'a message::Node) -> Result<Step, String> {
        let kernel = self.kernel(node)?;
        let mut attributes = Vec::with_capacity(node.attribute.len());
        for stored in &node.attribute {
            let attribute = Attribute::read(stored, &node.op_type, &mut self.beside);
            let attribute = attribute.map_err(|error| format!("its attribute {}: {error}", stored.name))?;
            attributes.push((stored.name.clone(), attribute));
        }
        let input = |name: &String| match self.names.get(name.as_str()) {
            _ if name.is_empty() => Ok(None),
            Some(&place) => Ok(Some(place)),
            None => Err(format!("it needs \"{name}\", which nothing before it makes")),
        };
        let inputs = node.input.iter().map(input).collect::<Result<Vec<_>, _>>()?;
        // Further outputs of most operators are for learners: who needs one is told that nothing makes it.
        let made = match kernel {
            Kernel::One(_) => 1,
            Kernel::Many(_) => node.output.len(),
        };
        let mut outputs = Vec::with_capacity(made);
        for name in node.output.iter().take(made) {
            outputs.push(if name.is_empty() { None } else { Some(self.name(name)?) });
        }
        Ok(Step { name: String::new(), kernel, attributes, inputs, outputs })
    }

    fn kernel(&self, node: &message::Node) -> Result<Kernel, String> {
        let family = FAMILIES.iter().find(|(domain, ..)| *domain == node.domain);
        let Some(&(_, prefix, (first, last))) = family else {
            return Ok(operator(&format!("{}.{}", node.domain, node.op_type), 0)?.kernel);
        };
        let is_same = |domain: &str| FAMILIES.iter().any(|it| it.0 == domain && it.1 == prefix);
        let opset = self.opsets.iter().find(|opset| is_same(&opset.domain));
        let version = opset.ok_or("the file does not say its opset")?.version;
        if !(first..=last).contains(&version) {
            return Err(format!("opset {version} is not known; known are {first} to {last}"));
        }
        Ok(operator(&format!("{prefix}{}", node.op_type), version)?.kernel)
    }

    /// Transposes weights now if the step, a product of matrices, would have to at each decision.
    fn lay_by_rows(&mut self, step: &mut Step) -> Result<(), String> {
        let attribute = step.attributes.iter_mut().find(|(name, _)| name == "transB");
        let (Some((_, Attribute::Integer(transposed))), Some(Some(place))) =
            (attribute, step.inputs.get_mut(1))
        else {
            return Ok(());
        };
        if let Some(weights) = &self.constants[*place]
            && *transposed != 0
            && weights.shape().len() == 2
        {
            self.budget.make(weights.shape().elements())?;
            *place = self.constants.len();
            *transposed = 0;
            self.constants.push(Some(weights.transposed(&[1, 0])?));
        }
        Ok(())
    }
}

/// The nodes on which the outputs depend, in the order of the file, and the names of all that they need.
fn needed<'a>(graph: &'a message::Graph, outputs: &[&'a str]) -> (Vec<&'a message::Node>, BTreeSet<&'a str>) {
    let mut needed: BTreeSet<&str> = outputs.iter().copied().collect();
    let mut nodes = Vec::new();
    // The format asks for an order in which everything is made before it is needed.
    for node in graph.node.iter().rev() {
        if node.output.iter().any(|name| needed.contains(name.as_str())) {
            needed.extend(node.input.iter().map(String::as_str));
            nodes.push(node);
        }
    }
    nodes.reverse();
    (nodes, needed)
}
