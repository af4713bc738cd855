//! `cargo play`: from a fresh checkout to a running match.

use crate::shop::Shop;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Processor time of a first build, seconds, measured on the machine of docs/benchmarks.md.
const FIRST_BUILD_CORE_SECS: f64 = 480.0;
/// The same with the plugins of all worlds.
const WHOLE_BUILD_CORE_SECS: f64 = 600.0;

/// The world of a match that nobody has chosen.
const MATCH: &str = "worlds/f2000.toml";
/// Parts of the names of plugins that it has no use for, nor any robot that somebody would add to it.
const LATER: [&str; 8] =
    ["challenge", "soccer", "onnx", "biped", "see", "sense-body", "keepaway", "half-field"];

/// Builds the server and its plugins in release mode, then becomes the server. What the match does not need is built beside it, the first time.
///
/// # Errors
/// When cargo or the server cannot be started.
pub fn play(arguments: &[String]) -> Result<ExitCode, String> {
    let shop = Shop::open()?;
    let name = format!("touchline{}", std::env::consts::EXE_SUFFIX);
    let program = shop.target.join("release").join(name);
    // A first word that is no option is a world of the user's own, seen from where he is.
    let own_world = arguments.first().is_some_and(|first| !first.starts_with('-'));
    let all = shop.plugins();
    let wanted = if own_world { None } else { needed_at_first(&shop, &all) };
    if !program.exists() {
        eprintln!("{}", expectation(wanted.is_some()));
    }
    let start = Instant::now();
    let mut cargo = shop.cargo(&words(&shop.release_build(wanted.as_ref().unwrap_or(&all))));
    // On a terminal cargo counts what is built, in a line of its own.
    cargo.env_remove("CARGO_TERM_COLOR");
    if !cargo.status().map_err(|error| format!("cargo: {error}"))?.success() {
        eprintln!(
            "xtask: the build failed, cargo says above why; what was built is kept, `cargo play` goes on from there"
        );
        return Ok(ExitCode::FAILURE);
    }
    if start.elapsed().as_secs() > 10 {
        eprintln!(
            "Built in {}. From now on only what has changed is built.",
            in_words(start.elapsed().as_secs_f64())
        );
    }
    if wanted.is_some() {
        build_beside(&shop, &all);
    }
    let mut server = Command::new(program);
    server.arg("serve");
    if !own_world {
        server.arg(shop.root.join(MATCH));
    }
    server.args(arguments);
    become_program(server)
}

fn words(owned: &[String]) -> Vec<&str> {
    owned.iter().map(String::as_str).collect()
}

/// All but the plugins of other leagues and of challenges, if these were never built.
fn needed_at_first(shop: &Shop, all: &[String]) -> Option<Vec<String>> {
    let is_built = |plugin: &String| {
        let name = plugin.replace('-', "_");
        shop.target.join("release").join(format!("{DLL_PREFIX}touchline_{name}{DLL_SUFFIX}")).exists()
    };
    let (later, wanted): (Vec<_>, Vec<_>) = all.iter().partition(|plugin| is_for_later(plugin));
    let is_first = cfg!(unix) && !later.into_iter().all(is_built);
    is_first.then(|| wanted.into_iter().cloned().collect())
}

/// Whether only other worlds than that of the match have use for a plugin: opening one of these starts the server anew.
fn is_for_later(plugin: &str) -> bool {
    LATER.iter().any(|part| plugin.contains(part))
}

/// Builds the other plugins behind the match, for nobody who waits: at the lowest priority, into a log.
fn build_beside(shop: &Shop, all: &[String]) {
    let log = shop.target.join("play.log");
    let line = "nice -n 19 \"$@\" >\"$0\" 2>&1 &";
    let cargo = shop.cargo(&words(&shop.release_build(all)));
    let mut shell = shop.program("sh", ".", &["-c", line]);
    shell.arg(&log).arg(cargo.get_program()).args(cargo.get_args()).env("CARGO_TERM_COLOR", "never");
    match shell.status() {
        Ok(status) if status.success() => {
            eprintln!("The plugins of other worlds are built meanwhile: {}", log.display());
        }
        _ => eprintln!("The plugins of other worlds are not built yet; the next `cargo play` builds them."),
    }
}

/// What somebody who builds for the first time may expect.
fn expectation(is_part: bool) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Up to some point crates wait for each other, however many cores there are.
    let core_secs = if is_part { FIRST_BUILD_CORE_SECS } else { WHOLE_BUILD_CORE_SECS };
    let secs = core_secs / cores.min(6) as f64;
    let noun = if cores == 1 { "core" } else { "cores" };
    format!(
        "First the server and its plugins are built, and the libraries that they use fetched: with {cores} {noun} that are free \
         about {}, once.\nThe match starts by itself then. Ctrl-C ends it; what is built by then is kept.",
        in_words(secs)
    )
}

fn in_words(secs: f64) -> String {
    if secs < 90.0 { format!("{secs:.0} seconds") } else { format!("{:.1} minutes", secs / 60.0) }
}

/// Takes the server's place, so that Ctrl-C and the exit code are the server's own.
#[cfg(unix)]
fn become_program(mut program: Command) -> Result<ExitCode, String> {
    let error = std::os::unix::process::CommandExt::exec(&mut program);
    Err(format!("cannot start {program:?}: {error}"))
}

#[cfg(not(unix))]
fn become_program(mut program: Command) -> Result<ExitCode, String> {
    let status = program.status().map_err(|error| format!("cannot start {program:?}: {error}"))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    /// The names of all plugins in a world file and in the files that it names.
    fn plugins_named(file: PathBuf) -> BTreeSet<String> {
        let (mut files, mut read, mut named) = (vec![file], BTreeSet::new(), BTreeSet::new());
        while let Some(file) = files.pop() {
            let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
            for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
                // What stands between quotation marks is every second part.
                for pair in line.split('"').collect::<Vec<_>>().chunks_exact(2) {
                    let other = file.parent().unwrap().join(pair[1]);
                    if pair[1].ends_with(".toml") && read.insert(other.clone()) {
                        files.push(other);
                    } else if pair[0].ends_with("plugin = ") {
                        named.insert(pair[1].to_owned());
                    }
                }
            }
        }
        named
    }

    /// What the match plays with is there when its page is.
    #[test]
    fn the_match_has_its_plugins() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let named = plugins_named(root.join(MATCH));
        assert!(
            ["omni", "differential", "laser", "striker"].iter().all(|plugin| named.contains(*plugin)),
            "{named:?}"
        );
        let shop = Shop { target: root.join("target"), root };
        let later: Vec<_> = shop.plugins().into_iter().filter(|plugin| is_for_later(plugin)).collect();
        assert!(later.len() > 10, "{later:?}");
        let is_played = |plugin: &String| named.contains(plugin.split_once('-').unwrap().1);
        assert!(!later.iter().any(is_played), "{later:?} of {named:?}");
    }
}
