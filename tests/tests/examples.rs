//! The examples of the clients in Python and Rust, as a user starts them, on the built server. [C2, C8]

use crate::build::example;
use crate::client::Client;
use crate::program::{Server, outcome, root};
use std::process::{Command, Stdio};

/// Runs an example for two seconds in a running match: its robot comes, is driven, and goes with it.
fn chase(name: &str, program: &mut Command) {
    let server = Server::start("worlds/f2000.toml", &["--studio", "off"]);
    let mut watcher = Client::connect(&server);
    let before = watcher.robots();
    let arguments = ["--addr", &server.board.to_string(), "--for", "2", "--name", name];
    let ended = outcome(program.args(arguments).stdin(Stdio::null()));
    let said = &ended.stdout;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.is_empty(), "{ended:?}");
    assert!(said.contains(&format!("{name} is robot ")) && said.contains(" times; leaving"), "{said}");
    watcher.wait_for_event("robot-added", &format!("name={name}"));
    watcher.wait_for_event("robot-removed", &format!("name={name}"));
    assert_eq!(watcher.robots(), before);
}

#[test]
fn the_example_in_python_chases_the_ball() {
    let script = root().join("clients/python/examples/chase_ball.py");
    chase("chaser-python", Command::new("python3").arg(script));
}

#[test]
fn the_example_in_rust_chases_the_ball() {
    chase("chaser-rust", &mut Command::new(example("chase_ball")));
}
