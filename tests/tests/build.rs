//! Builds what a test loads or runs, once, and takes the paths from cargo's own answer.
//!
//! `cargo test` does not leave dynamic libraries where they could be found, and a guessed path may hold an old one. The
//! whole workspace is built, with the choices of `cargo verify`: if it was built before, that takes no time.

use cargo_metadata::Message;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Profile with which cargo builds a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// `cargo build`
    Debug,
    /// `cargo build --release`
    Release,
}

impl Profile {
    /// Profile that the test itself was built with.
    pub const OWN: Self = if cfg!(debug_assertions) { Self::Debug } else { Self::Release };

    /// Profile of the program and the plugins under test: the users' build if `TOUCHLINE_TESTED=release`, or else that of the test.
    pub fn tested() -> Self {
        match std::env::var_os("TOUCHLINE_TESTED") {
            None => Self::OWN,
            Some(word) if word == "release" => Self::Release,
            Some(word) if word == "debug" => Self::Debug,
            Some(word) => panic!("TOUCHLINE_TESTED is {word:?}; it may be debug or release"),
        }
    }
}

/// The program, in a folder with all plugins of the workspace and nothing else, all freshly built.
///
/// If the workspace was built before, this takes no longer than cargo needs to see it.
///
/// # Panics
/// If it does not build, or the folder cannot be written.
pub fn program(profile: Profile) -> &'static Path {
    static DEBUG: OnceLock<PathBuf> = OnceLock::new();
    static RELEASE: OnceLock<PathBuf> = OnceLock::new();
    let program = match profile {
        Profile::Debug => &DEBUG,
        Profile::Release => &RELEASE,
    };
    program.get_or_init(|| gather(built(profile)))
}

/// An example of the workspace, freshly built in the profile of the test.
///
/// # Panics
/// If it does not build, or there is none of that name.
pub fn example(name: &str) -> &'static Path {
    let file = Path::new("examples").join(format!("{name}{EXE_SUFFIX}"));
    let found = built(Profile::OWN).iter().find(|path| path.ends_with(&file));
    found.unwrap_or_else(|| panic!("cargo made no example {name}"))
}

/// The folder with the program and all plugins of the workspace, and no older library.
pub fn plugin_dir() -> &'static Path {
    program(Profile::tested()).parent().expect("the program lies in a folder")
}

/// The file of one plugin's package, such as `touchline-motion-differential`.
pub fn plugin_file(package: &str) -> PathBuf {
    plugin_dir().join(format!("{DLL_PREFIX}{}{DLL_SUFFIX}", package.replace('-', "_")))
}

/// Everything that cargo says it has made or found made; it is asked once.
fn built(profile: Profile) -> &'static [PathBuf] {
    static DEBUG: OnceLock<Vec<PathBuf>> = OnceLock::new();
    static RELEASE: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let files = match profile {
        Profile::Debug => &DEBUG,
        Profile::Release => &RELEASE,
    };
    files.get_or_init(|| build(profile))
}

fn build(profile: Profile) -> Vec<PathBuf> {
    let mut cargo = cargo(profile);
    // The same choices as in `cargo verify`: examples ask for the features of tests, which the debug build has anyway, and a test in
    // release mode as well; the release build of the users has others.
    let chosen: &[&str] = match profile {
        // The Python extension is no part of what is tested here, and maturin may be building it at this moment with variables of its own.
        Profile::Release if Profile::OWN == Profile::Debug => &["--release", "--exclude", "touchline-python"],
        Profile::Release => &["--release", "--lib", "--bins", "--examples"],
        Profile::Debug => &["--lib", "--bins", "--examples"],
    };
    cargo.args(["build", "--workspace", "--message-format=json-render-diagnostics"]).args(chosen);
    let mut building = cargo.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("cargo build");
    let output = BufReader::new(building.stdout.take().expect("a pipe"));
    let files = Message::parse_stream(output)
        .filter_map(|message| match message.expect("cargo's messages") {
            // Libraries, but no plugins: the C client's, and the Python package's.
            Message::CompilerArtifact(artifact)
                if ["touchline_client_c", "_engine"].contains(&artifact.target.name.as_str()) =>
            {
                None
            }
            Message::CompilerArtifact(artifact) => Some(artifact.filenames),
            _ => None,
        })
        .flatten()
        .map(PathBuf::from)
        .collect();
    assert!(building.wait().expect("cargo build").success(), "the workspace does not build");
    files
}

/// Copies the program and the plugins into a folder of their own, where no older library can be found.
fn gather(files: &[PathBuf]) -> PathBuf {
    let program = OsString::from(format!("touchline{EXE_SUFFIX}"));
    let wanted = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default();
        // Procedural macros are dynamic libraries too; they stay among the dependencies.
        let dependency = path.parent().and_then(Path::file_name) == Some(OsStr::new("deps"));
        name == program || (!dependency && name.to_string_lossy().ends_with(DLL_SUFFIX))
    };
    let files: Vec<&PathBuf> = files.iter().filter(wanted).collect();
    let built = files.iter().find(|path| path.ends_with(&program)).expect("cargo made the program");
    let folder = built.with_file_name("under-test");
    fs::create_dir_all(&folder).expect("a folder for the program");
    for file in &files {
        let name = file.file_name().expect("a file");
        let place = folder.join(name);
        if is_newer(&place, file) {
            continue;
        }
        // Several test programs may do this at once: each file appears whole, and all of them mean the same files.
        let new = folder.join(format!("{}.{}", name.to_string_lossy(), std::process::id()));
        fs::copy(file, &new).expect("a copy");
        fs::rename(&new, &place).expect("the copy in its place");
    }
    for entry in fs::read_dir(&folder).expect("the folder").flatten() {
        let is_current = files.iter().any(|file| file.file_name() == Some(&entry.file_name()));
        if !is_current && entry.file_name().to_string_lossy().ends_with(DLL_SUFFIX) {
            let _ = fs::remove_file(entry.path());
        }
    }
    folder.join(program)
}

fn is_newer(copy: &Path, original: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    modified(copy).zip(modified(original)).is_some_and(|(copy, original)| copy > original)
}

/// What a call of cargo has compiled: the names of all targets that were not there already.
///
/// # Panics
/// If it fails.
pub fn compiled_by(profile: Profile, arguments: &[&str]) -> Vec<String> {
    let mut cargo = cargo(profile);
    cargo.args(arguments).args(["--locked", "--message-format=json-render-diagnostics"]);
    let output = cargo.stdin(Stdio::null()).stderr(Stdio::inherit()).output().expect("cargo");
    assert!(output.status.success(), "cargo {arguments:?}");
    let messages =
        Message::parse_stream(output.stdout.as_slice()).map(|message| message.expect("cargo's messages"));
    let made = messages.filter_map(|message| match message {
        Message::CompilerArtifact(artifact) if !artifact.fresh => Some(artifact.target.name),
        _ => None,
    });
    made.collect()
}

/// Cargo in the repository. Debug builds have the compiler that `cargo verify` chose for them; it is not that of the users' builds.
fn cargo(profile: Profile) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if profile == Profile::Release {
        cargo.env_remove("RUSTC_WORKSPACE_WRAPPER");
    }
    cargo
}
