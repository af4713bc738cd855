//! `touchline new-plugin`: a crate that builds, passes its own tests and loads as it is. [P8]

use crate::cli::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use touchline_plugin_api::plugin::PluginKind;

const MANIFEST: &str = include_str!("templates/Cargo.toml.txt");
const README: &str = include_str!("templates/README.md.txt");

/// Makes the folder `<dir>/<kind>-<name>`.
///
/// # Errors
/// When the name is no name, or the folder exists or cannot be written.
pub fn create(kind: PluginKind, name: &str, dir: Option<&Path>) -> Result<(), Failure> {
    if !is_name(name) {
        let message = format!(
            "no plugin can be called \"{name}\"\n  allowed  lower-case letters, digits and hyphens, a letter first"
        );
        return Err(Failure::Resource(message));
    }
    let parent = dir.unwrap_or(Path::new("."));
    let folder = parent.join(format!("{kind}-{name}"));
    let wrong = |path: &Path, error: std::io::Error| {
        Failure::Resource(format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(parent).map_err(|error| wrong(parent, error))?;
    fs::create_dir(&folder).map_err(|error| wrong(&folder, error))?;
    fs::create_dir(folder.join("src")).map_err(|error| wrong(&folder, error))?;
    let files = [("Cargo.toml", MANIFEST), ("README.md", README), ("src/lib.rs", source(kind))];
    for (file, template) in files {
        let path = folder.join(file);
        fs::write(&path, filled(template, kind, name, &folder)).map_err(|error| wrong(&path, error))?;
    }
    println!(
        "made {0}\n  cargo test  --manifest-path {0}/Cargo.toml\n  cargo build --manifest-path {0}/Cargo.toml --release\n  \
         touchline plugins --plugins {0}/target/release\n\
         docs/plugins.md is the guide.",
        folder.display()
    );
    Ok(())
}

fn source(kind: PluginKind) -> &'static str {
    match kind {
        PluginKind::Motion => include_str!("templates/motion.rs.txt"),
        PluginKind::Sensor => include_str!("templates/sensor.rs.txt"),
        PluginKind::Player => include_str!("templates/player.rs.txt"),
        PluginKind::Referee => include_str!("templates/referee.rs.txt"),
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 40
        && !name.ends_with('-')
        && !name.contains("--")
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn filled(template: &str, kind: PluginKind, name: &str, folder: &Path) -> String {
    let type_name: String = name
        .split('-')
        .map(|word| word[..1].to_ascii_uppercase() + &word[1..])
        .collect();
    // Inside this project's own plugins folder the crate belongs to its workspace.
    let workspace = if own_workspace(folder) { "" } else { "\n[workspace]\n" };
    template
        .replace("{{kind}}", kind.as_str())
        .replace("{{name}}", name)
        .replace("{{Type}}", &type_name)
        .replace("{{workspace}}", workspace)
        .replace("{{api}}", &interface(folder))
}

fn own_workspace(folder: &Path) -> bool {
    let plugins = fs::canonicalize(folder).ok().and_then(|folder| folder.parent().map(Path::to_owned));
    plugins.is_some_and(|plugins| plugins.join("../plugin-api/Cargo.toml").is_file())
}

/// Where the new crate finds the interface: the sources that are nearest to it or to this program, or the
/// published version.
fn interface(folder: &Path) -> String {
    let program = std::env::current_exe().ok();
    let from = [fs::canonicalize(folder).ok(), program];
    let sources: Option<PathBuf> = from.iter().flatten().flat_map(|path| path.ancestors()).find_map(|above| {
        let candidate = above.join("plugin-api");
        candidate.join("Cargo.toml").is_file().then_some(candidate)
    });
    match sources {
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
            assert!(is_name(good), "{good}");
        }
        for bad in ["", "2d", "Compass", "a--b", "a-", "../x", "a b", "é"] {
            assert!(!is_name(bad), "{bad}");
        }
    }

    #[test]
    fn templates_are_filled() {
        for kind in PluginKind::ALL {
            for template in [MANIFEST, README, source(kind)] {
                let text = filled(template, kind, "wheel-slip", Path::new("nowhere"));
                assert!(!text.contains("{{") || !text.contains("}}"), "{text}");
            }
            assert!(filled(source(kind), kind, "wheel-slip", Path::new(".")).contains("WheelSlip"));
        }
    }
}
