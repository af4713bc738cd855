//! `touchline new-plugin`: a crate, or a CMake project, that builds, passes its own tests and loads as it is. (P7, P8)

mod c_project;
mod example;

use crate::cli::{Failure, text};
use crate::new_folder::NewFolder;
use std::fs;
use std::io::Write;
use std::path::Path;
use touchline_config::shell_word;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};

const MANIFEST: &str = include_str!("templates/Cargo.toml.txt");
const README: &str = include_str!("templates/README.md.txt");

/// A plugin's name, as the command line gives it.
///
/// # Errors
/// What a name may be.
pub fn name(text: &str) -> Result<String, String> {
    let sound = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.len() <= 40
        && !text.ends_with('-')
        && !text.contains("--")
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let rule = "a letter first, then lower-case letters, digits and single hyphens, at most 40";
    if sound { Ok(text.to_owned()) } else { Err(rule.into()) }
}

/// What the new plugin is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// A crate
    #[default]
    Rust,
    /// A CMake project in C11
    C,
    /// A CMake project in C++17
    Cpp,
}

/// Makes the folder `<dir>/<kind>-<name>`.
///
/// # Errors
/// When the folder exists or cannot be written, or when there is a plugin of this kind and name.
pub fn create(
    kind: PluginKind,
    name: &str,
    language: Language,
    dir: Option<&Path>,
    there: &[PluginDescription],
) -> Result<(), Failure> {
    if there.iter().any(|plugin| plugin.kind == kind && plugin.name == name) {
        return Err(Failure::Resource(format!(
            "there is a {kind} plugin \"{name}\" already: two of one kind and name cannot be loaded together\n  \
             hint     take another name; `touchline plugins` lists what there is"
        )));
    }
    let parent = dir.unwrap_or(Path::new("."));
    let folder = parent.join(format!("{kind}-{name}"));
    let made = NewFolder::make(&folder)?;
    let (files, next) = match language {
        Language::Rust => (crate_files(kind, name, &folder), RUST_NEXT),
        Language::C | Language::Cpp => (c_project::files(kind, name, language), c_project::NEXT),
    };
    for (file, text) in files.into_iter().chain(example::files(kind, name)) {
        made.write(&file, text)?;
    }
    made.keep();
    let mut out = text();
    writeln!(out, "made {}; next:", folder.display())?;
    writeln!(out, "  cd {}", shell_word(&folder))?;
    let built = if language == Language::Rust { "target/release" } else { "build" };
    let tried = format!("touchline serve try/world.toml --plugins {built} --watch");
    for line in next.iter().copied().chain([tried.as_str()]) {
        writeln!(out, "  {}", line.replace("{{library}}", &c_project::library(kind, name)))?;
    }
    writeln!(out, "The guide is docs/plugins.md.")?;
    Ok(())
}

const RUST_NEXT: &[&str] =
    // One profile for both: what it uses is compiled once.
    &[
        "cargo test --release",
        "cargo build --release",
        "touchline check --contract target/release/{{library}}",
    ];

fn crate_files(kind: PluginKind, name: &str, folder: &Path) -> Vec<(String, String)> {
    let templates = [("Cargo.toml", MANIFEST), ("README.md", README), ("src/lib.rs", source(kind))];
    let filled = |(file, template): (&str, &str)| (file.to_owned(), filled(template, kind, name, folder));
    templates.into_iter().map(filled).collect()
}

fn source(kind: PluginKind) -> &'static str {
    match kind {
        PluginKind::Motion => include_str!("templates/motion.rs.txt"),
        PluginKind::Sensor => include_str!("templates/sensor.rs.txt"),
        PluginKind::Player => include_str!("templates/player.rs.txt"),
        PluginKind::Referee => include_str!("templates/referee.rs.txt"),
    }
}

fn filled(template: &str, kind: PluginKind, name: &str, folder: &Path) -> String {
    // Inside this project's own plugins folder the crate belongs to its workspace.
    let workspace = if own_workspace(folder) { "" } else { "\n[workspace]\n" };
    template
        .replace("{{library}}", &c_project::library(kind, name))
        .replace("{{kind}}", kind.as_str())
        .replace("{{name}}", name)
        .replace("{{Type}}", &type_name(kind, name))
        .replace("{{workspace}}", workspace)
        .replace("{{api}}", &ours(folder, "plugin-api"))
        .replace("{{testing}}", &ours(folder, "plugin-api/testing"))
}

/// A sensor's name such as `wheel-slip` as that of a type: `WheelSlipSensor`, which is neither a keyword nor a type of ours.
fn type_name(kind: PluginKind, name: &str) -> String {
    let words = name.split('-').chain([kind.as_str()]);
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

fn own_workspace(folder: &Path) -> bool {
    let plugins = fs::canonicalize(folder).ok().and_then(|folder| folder.parent().map(Path::to_owned));
    plugins.is_some_and(|plugins| plugins.join("../plugin-api/Cargo.toml").is_file())
}

/// Where the new crate finds one of ours: in the sources above it, or in those that this program was built from, or the published version.
fn ours(folder: &Path, krate: &str) -> String {
    let here = fs::canonicalize(folder).unwrap_or_default();
    let above = here.ancestors().map(|above| above.join(krate));
    let own = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(krate)).ok();
    match above.chain(own).find(|sources| sources.join("Cargo.toml").is_file()) {
        Some(path) => format!("{{ path = {:?} }}", path.display().to_string()),
        None => format!("{:?}", env!("CARGO_PKG_VERSION")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for good in ["compass", "gps-2", "a"] {
            assert!(name(good).is_ok(), "{good}");
        }
        for bad in ["", "2d", "Compass", "a--b", "a-", "../x", "a b", "é"] {
            assert!(name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn templates_are_filled() {
        for kind in PluginKind::ALL {
            for template in [MANIFEST, README, source(kind)] {
                let text = filled(template, kind, "wheel-slip", Path::new("nowhere"));
                assert!(!text.contains("{{") || !text.contains("}}"), "{text}");
            }
            assert!(filled(source(kind), kind, "wheel-slip", Path::new(".")).contains("struct WheelSlip"));
        }
    }
}
