//! `touchline new-plugin`: a crate that builds, passes its own tests and loads as it is. (P8)

use crate::cli::Failure;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use touchline_plugin_api::plugin::PluginKind;

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

/// Makes the folder `<dir>/<kind>-<name>`.
///
/// # Errors
/// When the folder exists or cannot be written.
pub fn create(kind: PluginKind, name: &str, dir: Option<&Path>) -> Result<(), Failure> {
    let parent = dir.unwrap_or(Path::new("."));
    let folder = parent.join(format!("{kind}-{name}"));
    let wrong = |path: &Path, error: std::io::Error| {
        let hint = match error.kind() {
            ErrorKind::AlreadyExists => {
                "\n  hint     nothing was changed; take another name or another folder"
            }
            _ => "",
        };
        Failure::Resource(format!("{}: {error}{hint}", path.display()))
    };
    fs::create_dir_all(parent).map_err(|error| wrong(parent, error))?;
    fs::create_dir(&folder).map_err(|error| wrong(&folder, error))?;
    fs::create_dir(folder.join("src")).map_err(|error| wrong(&folder, error))?;
    let files = [("Cargo.toml", MANIFEST), ("README.md", README), ("src/lib.rs", source(kind))];
    for (file, template) in files {
        let path = folder.join(file);
        fs::write(&path, filled(template, kind, name, &folder)).map_err(|error| wrong(&path, error))?;
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "made {}; next:", folder.display())?;
    writeln!(out, "  cd {}", folder.display())?;
    writeln!(out, "  cargo test")?;
    writeln!(out, "  cargo build --release")?;
    writeln!(out, "  touchline plugins --plugins target/release")?;
    writeln!(out, "The guide is docs/plugins.md.")?;
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

fn filled(template: &str, kind: PluginKind, name: &str, folder: &Path) -> String {
    let type_name: String = name.split('-').map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
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

/// Where the new crate finds the interface: the sources above it, or those that this program was built from, or the
/// published version.
fn interface(folder: &Path) -> String {
    let here = fs::canonicalize(folder).unwrap_or_default();
    let above = here.ancestors().map(|above| above.join("plugin-api"));
    let own = fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugin-api")).ok();
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
            assert!(filled(source(kind), kind, "wheel-slip", Path::new(".")).contains("WheelSlip"));
        }
    }
}
