//! Any bytes as an ONNX file: no panic, whatever stands in it. (I6)
//!
//! What the fuzz target `onnx` asks, and what is asked here of its corpus.

use crate::network::message::Model;
use crate::network::shape::Shape;
use crate::network::tensor::Tensor;
use crate::network::{Network, inputs};
use prost::Message;

/// Few enough that the work of one decision is not the fuzzer's.
const MOST_INPUTS: i64 = 64;

/// Makes the network of a file, and lets it decide twice: the same comes of the same.
pub fn model(bytes: &[u8]) {
    let Ok(model) = Model::decode(bytes) else { return };
    let Some(graph) = &model.graph else { return };
    let width = inputs(graph).first().and_then(|input| {
        let shape = input.kind.as_ref()?.tensor.as_ref()?.shape.as_ref()?;
        shape.dim.last()?.dim_value
    });
    let width = width.unwrap_or(3).clamp(0, MOST_INPUTS) as usize;
    let outputs: Vec<&str> = graph.output.iter().map(|output| output.name.as_str()).take(1).collect();
    let Ok(network) = Network::new(&model, &outputs, None, 1 << 20) else { return };
    let decide = || {
        let observed = Tensor::of(Shape::new(&[1, width])?, vec![0.5_f32; width])?;
        let actions = network.run(vec![observed])?;
        let numbers = actions.first().ok_or("no output")?.values::<f32>()?;
        Ok::<_, String>(numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>())
    };
    assert_eq!(decide(), decide());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;
    use base64::prelude::{BASE64_STANDARD, Engine};

    /// Every operator's models, and a policy.
    #[test]
    fn a_thousand_mutants_do_no_harm() {
        let cases: serde_json::Value =
            serde_json::from_str(include_str!("../tests/reference/cases.json")).unwrap();
        let models = cases["cases"].as_array().unwrap().iter().map(|case| {
            let model = case["model"].as_str().unwrap();
            BASE64_STANDARD.decode(model).unwrap()
        });
        replay("onnx", models.collect(), model);
    }
}
