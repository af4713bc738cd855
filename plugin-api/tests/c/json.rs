//! What the headers read of JSON.

use super::{compile, folder};
use std::path::Path;
use std::process::Command;

/// P7: numbers are read whatever locale the process has, and a text that does not fit is closed.
#[test]
fn json_is_read_in_any_locale_and_within_its_buffer() {
    let program = folder("json").join("json").display().to_string();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/json.c").display().to_string();
    compile("cc", &["-std=c11", "-O1", &source, "-lm", "-o", &program]);
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
