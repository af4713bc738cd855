//! A model's weights may lie in a file of their own: results are of the same player only as long as that is the same too. (B1, Y1)

use crate::program::{Outcome, root, run};
use std::fs;
use std::path::Path;

/// One field of a message of Protocol Buffers.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    [&[tag << 3 | 2, u8::try_from(bytes.len()).unwrap()], bytes].concat()
}

fn number(tag: u8, value: u8) -> Vec<u8> {
    vec![tag << 3, value]
}

fn entry(tag: u8, key: &str, value: &str) -> Vec<u8> {
    field(tag, &[field(1, key.as_bytes()), field(2, value.as_bytes())].concat())
}

/// A policy that drives as fast as its one weight says, which is the number in the file `policy.data`.
pub fn write_model(folder: &Path, forward: f32) {
    let value = |name: &str| {
        let shape = [field(1, &number(1, 1)), field(1, &number(1, 1))].concat();
        let kind = field(1, &[number(1, 1), field(2, &shape)].concat());
        [field(1, name.as_bytes()), field(2, &kind)].concat()
    };
    let node =
        [field(1, b"observation"), field(1, b"w"), field(2, b"action"), field(3, b"n"), field(4, b"MatMul")];
    let weight = [
        [number(1, 1), number(1, 1), number(2, 1), field(8, b"w")].concat(),
        entry(13, "location", "policy.data"),
        number(14, 1),
    ];
    let graph = [
        field(1, &node.concat()),
        field(2, b"g"),
        field(5, &weight.concat()),
        field(11, &value("observation")),
        field(12, &value("action")),
    ];
    let graph = graph.concat();
    // The graph is longer than one byte can say.
    let length = [graph.len() as u8 & 0x7f | 0x80, (graph.len() >> 7) as u8];
    let model = [
        number(1, 8),
        [&[7 << 3 | 2][..], &length, &graph].concat(),
        field(8, &[field(1, b""), number(2, 17)].concat()),
        entry(14, "touchline.observe", "[\"clock\"]"),
        entry(14, "touchline.act", "[\"drive.forward\"]"),
        entry(14, "touchline.decision_s", "0.1"),
    ];
    fs::write(folder.join("policy.onnx"), model.concat()).unwrap();
    fs::write(folder.join("policy.data"), forward.to_le_bytes()).unwrap();
}

#[test]
fn a_tournament_notices_other_weights() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    let world = root().join("worlds/f2000.toml");
    let text = format!(
        "name = \"cup\"\nworld = {:?}\nmatch_s = 1\npairs = 1\n[[entrant]]\nname = \"net\"\nplayers.all = {{ plugin = \"onnx\", rate_hz = \
         50, params = {{ model = \"policy.onnx\" }} }}\n[[entrant]]\nname = \"own\"\n",
        world.to_str().unwrap()
    );
    fs::write(&file, text).unwrap();
    let play = || -> Outcome { run(["tournament", file.to_str().unwrap()]) };
    write_model(folder.path(), 1.0);
    assert_eq!(play().code, Some(0), "{:?}", play());
    // What lies there and is not the model's changes nothing.
    fs::write(folder.path().join("notes.txt"), "train more").unwrap();
    assert_eq!(play().code, Some(0), "the same player");
    write_model(folder.path(), -1.0);
    let other = play();
    assert_eq!(other.code, Some(4), "{other:?}");
    assert!(other.stderr.contains("--restart"), "{other:?}");
    write_model(folder.path(), 1.0);
    assert_eq!(play().code, Some(0), "as it was");
}
