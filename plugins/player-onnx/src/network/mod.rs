//! Runs the network of an ONNX file: feed-forward ones, from few numbers to few numbers.
//!
//! [`Network::new`] makes a list of steps of the graph: what the outputs do not need is left out, and what does not depend on the
//! inputs is calculated once. [`Network::run`] carries the steps out, one after the other, on one thread.
//!
//! # Invariants
//! - The same file and inputs give the same bits on every processor: sums have one order, functions are libm's, and products are
//!   rounded before they are added.
//! - No file makes it panic; what it may cost has bounds ([`Budget`], [`shape::MAX_ELEMENTS`]).

mod call;
mod create;
mod elementwise;
mod layout;
pub mod message;
mod normal;
mod operators;
mod pairs;
mod plan;
mod products;
mod reductions;
pub mod shape;
pub mod tensor;
mod weights;

use call::{Attribute, Budget, Call};
use operators::Kernel;
pub use plan::inputs;
use tensor::Tensor;

/// A network that is ready to run.
pub struct Network {
    steps: Vec<Step>,
    /// Weights, and what follows from them; None where an input or a step puts a tensor.
    constants: Vec<Option<Tensor>>,
    /// Their places among the tensors.
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

/// A node of the graph. Tensors are named by their places in [`Network::constants`].
struct Step {
    /// Name of the node, for messages.
    name: String,
    kernel: Kernel,
    attributes: Vec<(String, Attribute)>,
    inputs: Vec<Option<usize>>,
    outputs: Vec<Option<usize>>,
}

impl Network {
    /// The outputs for these inputs.
    ///
    /// # Errors
    /// What did not fit, and in which node.
    pub fn run(&self, inputs: Vec<Tensor>) -> Result<Vec<Tensor>, String> {
        if inputs.len() != self.inputs.len() {
            return Err(format!("it has {} inputs, not {}", self.inputs.len(), inputs.len()));
        }
        let mut made: Vec<Option<Tensor>> = vec![None; self.constants.len()];
        for (&place, tensor) in self.inputs.iter().zip(inputs) {
            made[place] = Some(tensor);
        }
        let budget = Budget::default();
        for step in &self.steps {
            step.run(&self.constants, &mut made, &budget)?;
        }
        let output = |&place: &usize| {
            let tensor = made[place].as_ref().or(self.constants[place].as_ref()).cloned();
            tensor.ok_or_else(|| "nothing makes its output".to_owned())
        };
        self.outputs.iter().map(output).collect()
    }
}

impl Step {
    /// Puts what it makes of `constants` and of what was made so far beside the latter.
    fn run(
        &self,
        constants: &[Option<Tensor>],
        made: &mut [Option<Tensor>],
        budget: &Budget,
    ) -> Result<(), String> {
        self.calculate(constants, made, budget).map_err(|error| format!("{}: {error}", self.name))
    }

    fn calculate(
        &self,
        constants: &[Option<Tensor>],
        made: &mut [Option<Tensor>],
        budget: &Budget,
    ) -> Result<(), String> {
        let Self { attributes, inputs, outputs, .. } = self;
        let call = Call { inputs, attributes, outputs: outputs.len(), constants, made, budget };
        for tensor in (0..inputs.len()).filter_map(|place| call.given(place)) {
            budget.work(tensor.shape().elements())?;
        }
        match self.kernel {
            Kernel::One(kernel) => {
                let tensor = kernel(&call)?;
                budget.make(tensor.shape().elements())?;
                if let Some(&Some(place)) = outputs.first() {
                    made[place] = Some(tensor);
                }
            }
            Kernel::Many(kernel) => {
                for (tensor, place) in kernel(&call)?.into_iter().zip(outputs) {
                    budget.make(tensor.shape().elements())?;
                    if let Some(place) = *place {
                        made[place] = Some(tensor);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
