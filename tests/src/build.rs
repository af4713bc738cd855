//! Builds what a test loads or runs, once, and takes the paths from cargo's own answer.
//!
//! `cargo test` does not leave dynamic libraries where they could be found, and a guessed path may hold an old one.

use cargo_metadata::{CrateType, Message, MetadataCommand};
use std::env::consts::DLL_SUFFIX;
use std::ffi::OsStr;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The folder with all plugins of the workspace, freshly built in the profile of the test, and nothing else.
///
/// # Panics
/// If a plugin does not build, or the folder cannot be written.
pub fn plugin_dir() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(build_plugins)
}

/// The file of one plugin's package, such as `touchline-motion-differential`.
pub fn plugin_file(package: &str) -> PathBuf {
    let name = format!("{}{}{DLL_SUFFIX}", std::env::consts::DLL_PREFIX, package.replace('-', "_"));
    plugin_dir().join(name)
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").as_deref().unwrap_or(OsStr::new("cargo")))
}

fn build_plugins() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let metadata = MetadataCommand::new().current_dir(&root).no_deps().exec().expect("cargo metadata");
    let plugins = metadata.workspace_root.join("plugins");
    let is_plugin = |package: &&cargo_metadata::Package| {
        let is_library = |target: &cargo_metadata::Target| target.crate_types.contains(&CrateType::CDyLib);
        package.manifest_path.starts_with(&plugins) && package.targets.iter().any(is_library)
    };
    let packages = metadata.packages.iter().filter(is_plugin);

    let mut build = cargo();
    build.current_dir(&root).args(["build", "--message-format=json-render-diagnostics"]);
    build.args(packages.flat_map(|package| ["--package", package.name.as_str()]));
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    if profile == "release" {
        build.arg("--release");
    }
    let mut building = build.stdout(Stdio::piped()).spawn().expect("cargo build");
    let output = BufReader::new(building.stdout.take().expect("a pipe"));
    let artifacts: Vec<PathBuf> = Message::parse_stream(output)
        .filter_map(|message| match message.expect("cargo's messages") {
            Message::CompilerArtifact(artifact) => Some(artifact.filenames),
            _ => None,
        })
        .flatten()
        .map(PathBuf::from)
        .filter(|path| {
            path.extension().is_some_and(|end| Some(end) == DLL_SUFFIX.strip_prefix('.').map(OsStr::new))
        })
        // Procedural macros are dynamic libraries too; they stay among the dependencies.
        .filter(|path| path.parent().and_then(Path::file_name) != Some(OsStr::new("deps")))
        .collect();
    assert!(building.wait().expect("cargo build").success(), "the plugins do not build");

    let folder = metadata.target_directory.join(profile).join("plugins-for-tests").into_std_path_buf();
    fs::create_dir_all(&folder).expect("a folder for the plugins");
    // Several test programs may do this at once: each file appears whole, and all of them mean the same files.
    for artifact in &artifacts {
        let name = artifact.file_name().expect("a file");
        let new = folder.join(format!("{}.{}", name.to_string_lossy(), std::process::id()));
        fs::copy(artifact, &new).expect("a copy of the plugin");
        fs::rename(&new, folder.join(name)).expect("the plugin in its place");
    }
    for entry in fs::read_dir(&folder).expect("the folder").flatten() {
        let is_current = artifacts.iter().any(|artifact| artifact.file_name() == Some(&entry.file_name()));
        if !is_current && entry.file_name().to_string_lossy().ends_with(DLL_SUFFIX) {
            let _ = fs::remove_file(entry.path());
        }
    }
    folder
}
