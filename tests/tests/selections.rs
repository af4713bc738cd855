//! What the stages of `cargo verify` build in debug mode: each asks for a part of the whole, and no part is built twice.

use crate::build::{Profile, compiled_by};

/// Another selection of targets gave libraries other settings, and `system` built three hundred crates once more (decision 42).
#[test]
fn selections_share_their_libraries() {
    let build =
        |chosen: &[&'static str]| compiled_by(Profile::Debug, &[&["build", "--workspace"], chosen].concat());
    let test = |chosen: &[&'static str]| {
        compiled_by(Profile::Debug, &[&["test", "--no-run", "--workspace"], chosen].concat())
    };
    build(&["--all-targets"]);
    assert_eq!(build(&["--lib", "--bins", "--examples"]), [""; 0]);
    assert_eq!(test(&["--lib", "--bins"]), [""; 0]);
    assert_eq!(test(&["--test", "suite"]), [""; 0]);
}
