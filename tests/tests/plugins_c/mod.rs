//! Plugins written in C and C++: the templates, the examples, and such that misbehave. (P6, P7, P8)

mod bad;
mod guide;
mod names;
mod sound;

use crate::program::{outcome, root};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Configures, builds and tests a CMake project, with all warnings as errors.
fn cmake(source: &Path, build: &Path) {
    let (source, build) = (source.to_str().unwrap(), build.to_str().unwrap());
    let strict = ["-DCMAKE_C_FLAGS=-Werror", "-DCMAKE_CXX_FLAGS=-Werror"];
    let calls: [(&str, Vec<&str>); 3] = [
        (
            "cmake",
            [["-S", source, "-B", build], [strict[0], strict[1], "-Wno-dev", "--log-level=ERROR"]].concat(),
        ),
        ("cmake", vec!["--build", build]),
        ("ctest", vec!["--test-dir", build, "--output-on-failure", "--no-tests=error"]),
    ];
    for (program, arguments) in calls {
        let done = outcome(Command::new(program).args(&arguments));
        assert_eq!(done.code, Some(0), "{program} {arguments:?}: {}{}", done.stdout, done.stderr);
    }
}

/// Compiles a source of this folder, or of another, to a plugin.
pub fn compile(folder: &TempDir, name: &str, source: &str, defines: &[&str]) -> String {
    let path = folder.path().join(library(name)).display().to_string();
    let is_c = source.ends_with(".c");
    let mut compiler = Command::new(if is_c { "cc" } else { "c++" });
    compiler.arg(if is_c { "-std=c11" } else { "-std=c++17" });
    compiler.args(["-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-w", "-o", &path]).args(defines);
    compiler.arg("-I").arg(root().join("plugin-api/include"));
    compiler.arg(root().join("tests/tests/plugins_c").join(source)).arg("-lm");
    let compiled = outcome(&mut compiler);
    assert_eq!(compiled.code, Some(0), "{compiled:?}");
    path
}

/// The name of a library's file.
fn library(name: &str) -> String {
    format!("{DLL_PREFIX}{name}{DLL_SUFFIX}")
}

fn write(folder: &TempDir, file: &str, text: &str) -> String {
    let path = folder.path().join(file);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

const BODY: &str = "model = \"r\"\nmass_kg = 5.0\n[[body]]\nshape = \"circle\"\nradius_m = 0.2\n";
