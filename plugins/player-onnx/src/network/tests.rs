//! Every operator gives what another implementation gives; no file makes it panic, and what is wrong is said with its place.

#![allow(clippy::disallowed_methods, reason = "a model is a file")]

use super::call::Budget;
use super::message::{Attribute, Entry, Graph, Model, Node, Opset, Tensor as Stored, Value};
use super::operators::names;
use super::shape::{MAX_ELEMENTS, Shape};
use super::tensor::{Data, Tensor};
use super::{Network, weights::kind};
use base64::prelude::{BASE64_STANDARD, Engine};
use prost::Message;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// Weights in other files have no more bytes.
const MAX_BYTES: u64 = 1 << 20;

/// `tests/reference/cases.json`; `make.py` beside it says what is in it.
#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    model: String,
    inputs: Vec<Written>,
    outputs: Vec<String>,
    expected: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    shape: Vec<usize>,
    #[serde(flatten)]
    values: Values,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "values", rename_all = "lowercase")]
enum Values {
    Float32(Vec<f32>),
    Int64(Vec<i64>),
    Bool(Vec<bool>),
}

impl Written {
    fn tensor(&self) -> Tensor {
        let shape = Shape::new(&self.shape).unwrap();
        let tensor = match &self.values {
            Values::Float32(values) => Tensor::of(shape, values.clone()),
            Values::Int64(values) => Tensor::of(shape, values.clone()),
            Values::Bool(values) => Tensor::of(shape, values.clone()),
        };
        tensor.unwrap()
    }
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        BASE64_STANDARD.decode(&self.model).unwrap()
    }

    fn outputs(&self, bytes: &[u8]) -> Result<Vec<Tensor>, String> {
        let model = Model::decode(bytes).map_err(|error| error.to_string())?;
        let outputs: Vec<&str> = self.outputs.iter().map(String::as_str).collect();
        let network = Network::new(&model, &outputs, None, MAX_BYTES)?;
        network.run(self.inputs.iter().map(Written::tensor).collect())
    }
}

fn reference() -> Vec<Case> {
    let text = include_str!("../../tests/reference/cases.json");
    serde_json::from_str::<Reference>(text).unwrap().cases
}

/// Numbers agree to 1e-5 of themselves, or of 1 if they are smaller; whole numbers agree.
fn agree(got: &Tensor, expected: &Tensor) -> bool {
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
    got.shape() == expected.shape()
        && match (got.data(), expected.data()) {
            (Data::Floats(got), Data::Floats(expected)) => got.iter().zip(expected).all(near),
            (got, expected) => got == expected,
        }
}

#[test]
fn every_operator_gives_what_the_reference_gives() {
    let mut wrong = Vec::new();
    for case in reference() {
        let expected: Vec<Tensor> = case.expected.iter().map(Written::tensor).collect();
        match case.outputs(&case.bytes()) {
            Ok(got) if got.len() == expected.len() && got.iter().zip(&expected).all(|(a, b)| agree(a, b)) => {
            }
            got => wrong.push(format!("{}:\n  got {got:?}\n  not {expected:?}", case.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_operator_is_in_the_reference() {
    let mut seen = BTreeSet::new();
    for case in reference() {
        for node in Model::decode(&case.bytes()[..]).unwrap().graph.unwrap().node {
            seen.insert(if node.domain.is_empty() {
                node.op_type
            } else {
                format!("{}.{}", node.domain, node.op_type)
            });
        }
    }
    let missing: Vec<&str> = names().into_iter().filter(|&name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

#[test]
fn the_readme_names_every_operator() {
    let readme = include_str!("../../README.md");
    let missing: Vec<&str> =
        names().into_iter().filter(|name| !readme.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "the README does not name {missing:?}");
}

/// Numbers that look drawn, the same in every run.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }

    /// A file with a few bits turned, bytes replaced by extreme ones, or its end cut off.
    fn mutant(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut mutant = bytes.to_vec();
        if self.below(8) == 0 {
            mutant.truncate(self.below(bytes.len()));
        }
        for _ in 0..[1, 1, 1, 4][self.below(4)] {
            let place = self.below(mutant.len());
            let Some(byte) = mutant.get_mut(place) else { continue };
            *byte = match self.below(4) {
                0 => [0, 1, 0x7f, 0x80, 0xff][self.below(5)],
                _ => *byte ^ 1 << self.below(8),
            };
        }
        mutant
    }
}

/// A file that was damaged, or made to do damage, runs or is refused.
#[test]
fn no_file_makes_it_panic() {
    let (mut drawn, mut ran, mut refused) = (Drawn(2004), 0, 0);
    for case in reference() {
        let bytes = case.bytes();
        for _ in 0..40 {
            match case.outputs(&drawn.mutant(&bytes)) {
                Ok(_) => ran += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(ran > 500 && refused > 5000, "{ran} ran, {refused} were refused");
}

#[test]
fn a_whole_policy_that_is_damaged_does_not_panic() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/parts/goalkeeper-learned.onnx");
    let (bytes, mut drawn) = (std::fs::read(path).unwrap(), Drawn(1));
    let decide = |bytes: &[u8]| {
        let model = Model::decode(bytes).map_err(|error| error.to_string())?;
        let network = Network::new(&model, &["action"], None, MAX_BYTES)?;
        network.run(vec![Tensor::of(Shape::new(&[1, 24])?, vec![0.5f32; 24])?])
    };
    assert_eq!(decide(&bytes).unwrap()[0].shape()[..], [1, 3]);
    for _ in 0..200 {
        let _ = decide(&drawn.mutant(&bytes));
    }
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Node {
    Node {
        op_type: operator.into(),
        name: format!("{operator} 1"),
        input: inputs.iter().map(|&name| name.into()).collect(),
        output: vec![output.into()],
        ..Node::default()
    }
}

fn weights(name: &str, dims: &[i64], values: &[f32]) -> Stored {
    Stored {
        name: name.into(),
        dims: dims.into(),
        data_type: kind::FLOAT32 as i32,
        float_data: values.into(),
        ..Stored::default()
    }
}

/// A network from `x` to `y`.
fn model(node: Vec<Node>, initializer: Vec<Stored>) -> Model {
    let value = |name: &str| Value { name: name.into(), kind: None };
    Model {
        graph: Some(Graph { node, initializer, input: vec![value("x")], output: vec![value("y")] }),
        opset_import: vec![Opset { domain: String::new(), version: 17 }],
        metadata_props: Vec::new(),
    }
}

/// What a model gives for three numbers, with weights in files of `folder`.
fn run(model: &Model, folder: Option<&Path>) -> Result<Tensor, String> {
    let network = Network::new(model, &["y"], folder, MAX_BYTES)?;
    let x = Tensor::of(Shape::new(&[1, 3])?, vec![1.0f32, 2.0, 3.0])?;
    Ok(network.run(vec![x])?.remove(0))
}

#[test]
fn what_cannot_be_run_is_named() {
    let with_opset = |version: i64, operator: &str| {
        let mut model = model(vec![node(operator, &["x"], "y")], Vec::new());
        model.opset_import[0].version = version;
        model
    };
    let attribute =
        |name: &str, i: i64| Attribute { name: name.into(), i: Some(i), kind: 2, ..Attribute::default() };
    let with_attribute = |mut node: Node, name: &str, i: i64| {
        node.attribute.push(attribute(name, i));
        model(vec![node], Vec::new())
    };
    let foreign = Node { domain: "com.example".into(), ..node("Gelu", &["x"], "y") };
    let huge = |dims: &[i64]| model(vec![node("Add", &["x", "w"], "y")], vec![weights("w", dims, &[])]);
    let of_type = |data_type: i32| {
        let stored = Stored { data_type, ..weights("w", &[1], &[1.0]) };
        model(vec![node("Add", &["x", "w"], "y")], vec![stored])
    };
    for (model, expected) in [
        (
            with_opset(17, "Loop"),
            "the node \"Loop 1\" (Loop): the operator Loop is not known; known are Abs, Acos, Add",
        ),
        (with_opset(17, "Gelu"), "the operator Gelu is not known in opset 17; it is since 20"),
        (with_opset(6, "Relu"), "opset 6 is not known; known are 7 to 28"),
        (with_opset(29, "Relu"), "opset 29 is not known"),
        (model(vec![foreign], Vec::new()), "the operator com.example.Gelu is not known"),
        (
            model(vec![node("Add", &["x", "w"], "y")], Vec::new()),
            "it needs \"w\", which nothing before it makes",
        ),
        (
            model(vec![node("Add", &["x", "y"], "y")], Vec::new()),
            "it needs \"y\", which nothing before it makes",
        ),
        (
            model(
                vec![node("Neg", &["b"], "a"), node("Neg", &["a"], "b"), node("Neg", &["b"], "y")],
                Vec::new(),
            ),
            "it needs \"b\", which nothing before it makes",
        ),
        (model(vec![node("Relu", &["x"], "z")], Vec::new()), "nothing makes \"y\""),
        (
            model(vec![node("Relu", &["x"], "y"), node("Abs", &["x"], "y")], Vec::new()),
            "there are two tensors \"y\"",
        ),
        (
            model(vec![node("MatMul", &["x", "w"], "y")], vec![weights("w", &[2, 1], &[1.0, 2.0])]),
            "the node \"MatMul 1\" (MatMul): matrices of [1, 3] and [2, 1] have no product",
        ),
        (
            model(vec![node("Add", &["x", "w"], "y")], vec![weights("w", &[2], &[1.0, 2.0])]),
            "shapes [1, 3] and [2] do not fit",
        ),
        (model(vec![node("Not", &["x"], "y")], Vec::new()), "input number 0: bool is needed, not float32"),
        (model(vec![node("Add", &["x"], "y")], Vec::new()), "it has no input number 1"),
        (with_attribute(node("Softmax", &["x"], "y"), "axis", 2), "there is no dimension 2 among 2"),
        (with_attribute(node("Cast", &["x"], "y"), "to", 8), "of a type that is not known (8 in the file)"),
        (with_attribute(node("Elu", &["x"], "y"), "alpha", 1), "its attribute alpha is no number"),
        (
            huge(&[1 << 62, 4]),
            "the tensor \"w\": the shape [4611686018427387904, 4] has more than 67108864 elements",
        ),
        (huge(&[i64::MAX, 0]), "has more than 67108864 elements"),
        (huge(&[-1]), "a dimension has a negative size"),
        (huge(&[1; 9]), "9 dimensions; at most 8 are possible"),
        (huge(&[2]), "0 elements are no tensor of the shape [2]"),
        (of_type(8), "the tensor \"w\": its numbers are of a type that is not known (8 in the file)"),
    ] {
        let message = run(&model, None).expect_err(expected);
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

/// A short file may ask for much work: it has a bound.
#[test]
fn what_a_decision_costs_has_a_bound() {
    let side = 1i64 << 11;
    let shape =
        Stored { data_type: kind::INT64 as i32, int64_data: vec![side, side], ..weights("shape", &[2], &[]) };
    let nodes = vec![node("ConstantOfShape", &["shape"], "w"), node("MatMul", &["w", "w"], "y")];
    let message = run(&model(nodes, vec![shape]), None).unwrap_err();
    assert!(message.contains("(MatMul): a decision takes more than 1073741824 calculations"), "{message}");
    let budget = Budget::default();
    assert_eq!(budget.make(MAX_ELEMENTS), Ok(()));
    assert!(budget.make(1).unwrap_err().contains("more than 67108864 numbers"));
}

/// Branches within branches take stack where they are read: they have a bound.
#[test]
fn a_file_that_nests_deeply_is_refused() {
    let mut inner = Graph::default();
    for _ in 0..100 {
        let attribute = Attribute { g: Some(inner), ..Attribute::default() };
        inner =
            Graph { node: vec![Node { attribute: vec![attribute], ..Node::default() }], ..Graph::default() };
    }
    let bytes = Model { graph: Some(inner), ..Model::default() }.encode_to_vec();
    assert!(Model::decode(&bytes[..]).unwrap_err().to_string().contains("recursion limit"));
}

/// What the outputs do not need may be anything.
#[test]
fn nodes_that_nobody_needs_are_left_out() {
    let nodes = vec![node("Loop", &["x"], "value"), node("Neg", &["x"], "y")];
    let odd = Stored { data_type: 8, ..weights("text", &[1], &[]) };
    assert_eq!(run(&model(nodes, vec![odd]), None).unwrap().values::<f32>().unwrap(), [-1.0, -2.0, -3.0]);
}

/// Exporters put large weights beside the model; nowhere else may they lie.
#[test]
fn weights_may_lie_beside_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = [9.0f32, 10.0, 20.0, 30.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(folder.path().join("policy.data"), bytes).unwrap();
    let run = |location: &str, offset: &str, length: &str| {
        let entry = |key: &str, value: &str| Entry { key: key.into(), value: value.into() };
        let external_data =
            vec![entry("location", location), entry("offset", offset), entry("length", length)];
        let stored = Stored { data_location: 1, external_data, ..weights("w", &[3], &[]) };
        run(&model(vec![node("Add", &["x", "w"], "y")], vec![stored]), Some(folder.path()))
    };
    assert_eq!(run("policy.data", "4", "12").unwrap().values::<f32>().unwrap(), [11.0, 22.0, 33.0]);
    for (location, offset, length, expected) in [
        ("policy.data", "4", "13", "beyond the end, which is at 16 bytes"),
        ("policy.data", "4", "18446744073709551615", "beyond the end"),
        ("policy.data", "4", "8", "2 elements are no tensor of the shape [3]"),
        ("policy.data", "0", "-1", "its length is no number: \"-1\""),
        ("other.data", "0", "12", "lies in \"other.data\", which cannot be read"),
        ("../policy.data", "0", "12", "\"../policy.data\", which is no file in the model's own folder"),
        ("/etc/passwd", "0", "12", "\"/etc/passwd\", which is no file in the model's own folder"),
        (".", "0", "12", "which is no file in the model's own folder"),
    ] {
        let message = run(location, offset, length).expect_err(expected);
        assert!(message.contains(expected) && message.contains("the tensor \"w\""), "{expected}: {message}");
    }
    // Who asks whether a model is the same reads nothing elsewhere, so nothing of it lies there.
    #[cfg(unix)]
    {
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::copy(folder.path().join("policy.data"), elsewhere.path().join("other.data")).unwrap();
        let link =
            |target: &Path, name: &str| std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
        link(&elsewhere.path().join("other.data"), "out.data");
        link(Path::new("policy.data"), "in.data");
        let message = run("out.data", "4", "12").unwrap_err();
        assert!(message.contains("\"out.data\", which is a link out of the model's own folder"), "{message}");
        assert!(run("in.data", "4", "12").is_ok());
    }
    let large = vec![0; MAX_BYTES as usize + 1];
    std::fs::write(folder.path().join("large.data"), large).unwrap();
    assert!(run("large.data", "0", "12").unwrap_err().contains("has 1048577 bytes, which is too much"));
}

/// A tensor of one byte a number, which lies in a file beside that other tensors share.
fn shared(name: &str, dims: &[i64]) -> Stored {
    let external_data = vec![Entry { key: "location".into(), value: "shared.data".into() }];
    Stored { data_type: kind::INT8 as i32, data_location: 1, external_data, ..weights(name, dims, &[]) }
}

#[test]
fn a_file_that_is_named_many_times_takes_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shared.data"), vec![0; MAX_BYTES as usize]).unwrap();
    let names: Vec<String> = (0..33).map(|i| format!("w{i}")).collect();
    let inputs: Vec<&str> = names.iter().map(String::as_str).collect();
    let initializer = names.iter().map(|name| shared(name, &[MAX_BYTES as i64])).collect();
    let message = run(&model(vec![node("Sum", &inputs, "y")], initializer), Some(folder.path())).unwrap_err();
    assert!(message.contains("the tensor \"w32\"") && message.contains("too much"), "{message}");
}

#[test]
fn a_tensor_that_no_operator_takes_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shared.data"), vec![0; MAX_BYTES as usize]).unwrap();
    let with = |operator: &str, name: &str, count: usize| {
        let tensor = || Some(shared("", &[MAX_BYTES as i64]));
        let attribute = || Attribute { name: name.into(), t: tensor(), kind: 4, ..Attribute::default() };
        let attribute = std::iter::repeat_with(attribute).take(count).collect();
        model(vec![Node { attribute, ..node(operator, &["x"], "y") }], Vec::new())
    };
    let relu = run(&with("Relu", "a", 1000), Some(folder.path()));
    assert_eq!(relu.unwrap().values::<f32>().unwrap(), [1.0, 2.0, 3.0]);
    let message = run(&with("Softmax", "axis", 1), Some(folder.path())).unwrap_err();
    assert!(message.contains("its attribute axis is no whole number"), "{message}");
}
