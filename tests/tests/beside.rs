//! An attacker beside an honest client who steps a match: nothing else is read than without him.

use crate::program::{outcome, root, touchline};
use std::process::{Command, Stdio};

/// Nine kinds of attackers, each on a server of its own: the bytes of all answers, and the state hash, are those without.
#[test]
fn an_attacker_changes_no_byte_for_others() {
    let mut command = Command::new("python3");
    command.arg("tests/attacks/beside.py").arg(touchline()).args(["lockstep", "10"]);
    let ended = outcome(command.current_dir(root()).stdin(Stdio::null()));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.stdout.matches(" bytes, the same; ").count(), 10, "{ended:?}");
}
