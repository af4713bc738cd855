//! What source files may hold.

use crate::all_is_well;
use crate::tree::{has_word, text, texts};

const SOURCES: [&str; 11] = ["rs", "py", "js", "mjs", "ts", "css", "html", "c", "h", "cpp", "hpp"];

/// I5: the keyword stands in the plugin border and in the host, nowhere else; not even in tests.
#[test]
fn unsafe_code_lives_at_the_plugin_border() {
    let keyword = concat!("un", "safe");
    let mut problems = Vec::new();
    let outside = |path: &str| {
        let border = ["plugin-api/src/abi/", "server/host/", "clients/c/"];
        !border.iter().any(|allowed| path.starts_with(allowed))
    };
    for file in texts().iter().filter(|file| file.is(&["rs"]) && outside(&file.path)) {
        for (number, line) in file.code_lines().filter(|(_, line)| has_word(line, keyword)) {
            problems.push(format!("{}:{number}: {}", file.path, line.trim()));
        }
    }
    all_is_well("code that the compiler cannot check, outside the border", &problems);
}

/// Who writes to standard output elsewhere than in `output.rs` does not say what could not be written, and lets strangers' words command a terminal.
/// A keeper's is a pipe to the program, and the prompt of `connect` has a terminal of its own.
#[test]
fn standard_output_is_written_in_one_place() {
    let own = ["cli/output.rs", "cli/keeper.rs", "cli/connect/screen.rs"];
    let in_app = |path: &str| path.strip_prefix("server/app/src/").is_some_and(|path| !own.contains(&path));
    let mut problems = Vec::new();
    for file in texts().iter().filter(|file| file.is(&["rs"]) && in_app(&file.path)) {
        for (number, line) in file.code_lines() {
            let writes = line.contains("stdout()") && !line.contains("stdout().is_terminal()");
            if writes || ["println!(", "print!("].iter().any(|word| line.contains(word)) {
                problems.push(format!("{}:{number}: {}", file.path, line.trim()));
            }
        }
    }
    all_is_well("standard output is written elsewhere than in server/app/src/cli/output.rs", &problems);
}

/// A file has one subject, and can be read in one sitting.
#[test]
fn no_source_file_is_long() {
    const LONGEST: usize = 600;
    let long = texts().iter().filter(|file| file.is(&SOURCES)).filter_map(|file| {
        let lines = file.text.lines().count();
        (lines > LONGEST).then(|| format!("{}: {lines} lines; split it by subject", file.path))
    });
    all_is_well("a source file is over 600 lines", &long.collect::<Vec<_>>());
}

/// I1, I2: the clock, files, hash maps and the platform's functions are forbidden by lint in all code that a step or a
/// reading depends on. Clippy reads the nearest file only, so there are three, and they must be one.
#[test]
fn the_pure_crates_have_the_same_prohibitions() {
    let core = text("server/sim/clippy.toml");
    for other in ["plugins/clippy.toml", "plugin-api/clippy.toml"] {
        assert_eq!(text(other), core, "{other} differs from server/sim/clippy.toml");
    }
    for banned in ["std::time::Instant", "std::fs::File", "std::collections::HashMap", "f64::sin"] {
        assert!(core.contains(&format!("\"{banned}\"")), "{banned} is allowed in the core");
    }
}

/// What stands here holds on every machine: no path of somebody's disk, and packages from the public registry.
#[test]
fn no_path_of_one_machine() {
    // Put together from parts, so that this file is no finding itself.
    let homes = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];
    let mut problems = Vec::new();
    for file in texts() {
        for (index, line) in file.text.lines().enumerate() {
            for home in homes.iter().filter(|home| line.contains(*home)) {
                problems.push(format!("{}:{}: \"{home}\"", file.path, index + 1));
            }
        }
    }
    for file in texts().iter().filter(|file| file.path.ends_with("package-lock.json")) {
        for line in file.text.lines().filter(|line| line.contains("\"resolved\"")) {
            if !line.contains("\"https://registry.npmjs.org/") {
                problems.push(format!("{}: {}", file.path, line.trim()));
            }
        }
    }
    all_is_well("a path or a host of one machine", &problems);
}
