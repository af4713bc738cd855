//! Which crate may know which.

use crate::all_is_well;
use crate::tree::{Text, has_word, names, root, text, texts};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use std::sync::LazyLock;

const API: &str = "touchline-plugin-api";
const KIT: &str = "touchline-kit";
const SKILLS: &str = "touchline-skills";
const EPISODE: &str = "touchline-episode";
const SOCCER_LAW: &str = "touchline-soccer-law";
const SOCCER_TEAM: &str = "touchline-soccer-team";
const TESTING: &str = "touchline-plugin-testing";
/// What a plugin may know, and its tests.
const OF_AUTHORS: &[&str] = &[API, KIT, SKILLS, EPISODE, SOCCER_LAW, SOCCER_TEAM, TESTING];
/// Chooses the libraries' features, and has no code: every crate may know it.
const FEATURES: &str = "touchline-features";

/// The crates outside `plugins/`, and whom of us each may know. Tests may know everybody.
const ARROWS: &[(&str, &[&str])] = &[
    (FEATURES, &[]),
    (API, &[]),
    (KIT, &[API]),
    (SKILLS, &[KIT, API]),
    (EPISODE, &[API]),
    (SOCCER_LAW, &[API]),
    (SOCCER_TEAM, &[SOCCER_LAW, API]),
    (TESTING, &[KIT, API]),
    ("touchline-sim", &[KIT, API]),
    ("touchline-config", &["touchline-sim", API]),
    ("touchline-host", &["touchline-sim", SKILLS, API]),
    ("touchline-record", &["touchline-sim", KIT, API]),
    ("touchline-batch", &["touchline-sim", EPISODE, API]),
    (
        "touchline-benchmark",
        &["touchline-batch", "touchline-config", "touchline-host", "touchline-sim", SKILLS, API],
    ),
    ("touchline-tournament", &["touchline-config", "touchline-host", "touchline-sim", SKILLS, API]),
    (
        "touchline-challenge",
        &["touchline-tournament", "touchline-config", "touchline-host", "touchline-sim", SKILLS, API],
    ),
    ("touchline-board", &[API]),
    ("touchline-arrivals", &[]),
    ("touchline-train", &[SKILLS, KIT, API]),
    ("touchline-gate", &["touchline-sim", API]),
    (
        "touchline-board-server",
        &[
            "touchline-board",
            "touchline-arrivals",
            "touchline-gate",
            "touchline-config",
            "touchline-sim",
            KIT,
            API,
        ],
    ),
    ("touchline-studio", &["touchline-arrivals", "touchline-gate", "touchline-host", "touchline-sim", API]),
    ("touchline-foxglove", &["touchline-arrivals", "touchline-record", "touchline-studio"]),
    ("touchline-soccer", &["touchline-gate", "touchline-sim", SOCCER_LAW, API]),
    ("touchline-soccer-client", &[SOCCER_TEAM, SOCCER_LAW, API]),
    ("touchline-runtime", &["touchline-gate", "touchline-record", "touchline-sim"]),
    (
        "touchline",
        &[
            "touchline-runtime",
            "touchline-gate",
            "touchline-board",
            "touchline-board-server",
            "touchline-foxglove",
            "touchline-batch",
            "touchline-benchmark",
            "touchline-tournament",
            "touchline-challenge",
            "touchline-record",
            "touchline-train",
            "touchline-soccer",
            "touchline-soccer-client",
            SOCCER_LAW,
            "touchline-studio",
            "touchline-config",
            "touchline-host",
            "touchline-sim",
            // Its `check --contract` runs built libraries through the rules that authors' tests run types through.
            TESTING,
            SKILLS,
            API,
        ],
    ),
    ("touchline-client", &["touchline-board", SKILLS, KIT, API]),
    ("touchline-client-c", &["touchline-client"]),
    (
        "touchline-python",
        &[
            "touchline-batch",
            "touchline-benchmark",
            "touchline-tournament",
            "touchline-studio",
            "touchline-config",
            "touchline-host",
            "touchline-sim",
            API,
        ],
    ),
    ("xtask", &[]),
];

/// The workspace, without other people's crates.
pub fn metadata() -> &'static Metadata {
    static METADATA: LazyLock<Metadata> = LazyLock::new(|| {
        let mut command = MetadataCommand::new();
        command.manifest_path(root().join("Cargo.toml")).no_deps();
        command.exec().expect("cargo metadata")
    });
    &METADATA
}

fn folder(package: &Package) -> String {
    let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
    let relative = folder.strip_prefix(root().to_str().expect("a path in UTF-8"));
    relative.expect("a member of the workspace").as_str().replace('\\', "/")
}

/// ARCHITECTURE, "Arrows": they run one way. The simulation knows no file and no socket, a plugin knows what its author may use alone.
#[test]
fn arrows_between_crates_run_one_way() {
    let ours: Vec<&str> = metadata().packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in &metadata().packages {
        let (name, is_plugin) = (package.name.as_str(), folder(package).starts_with("plugins/"));
        if ["touchline-tests", "touchline-tidy"].contains(&name) {
            continue;
        }
        let row = ARROWS.iter().find(|(crate_name, _)| *crate_name == name);
        let allowed: &[&str] = match row {
            Some((_, allowed)) => allowed,
            None if is_plugin => OF_AUTHORS,
            None => {
                problems.push(format!("{name}: a new crate; say in tidy/arrows.rs whom it may know"));
                continue;
            }
        };
        for dependency in &package.dependencies {
            // What only a crate's own tests need does not reach the users; a plugin's author has no more.
            let counts = is_plugin || dependency.kind != DependencyKind::Development;
            if counts
                && dependency.name != FEATURES
                && ours.contains(&dependency.name.as_str())
                && !allowed.contains(&dependency.name.as_str())
            {
                problems.push(format!("{name} -> {}: allowed are {allowed:?}", dependency.name));
            }
        }
    }
    all_is_well("a crate knows one that it may not know", &problems);
}

/// A plugin's folder, crate and kind are one name: `plugins/sensor-laser` is `touchline-sensor-laser`.
#[test]
fn plugins_are_named_after_their_folders() {
    let mut problems = Vec::new();
    for package in &metadata().packages {
        let folder = folder(package);
        let Some(name) = folder.strip_prefix("plugins/") else { continue };
        if package.name.as_str() != format!("touchline-{name}") {
            problems.push(format!("{folder}: the crate is called {}", package.name));
        }
        let kind = name.split_once('-').map(|(kind, _)| kind);
        if !["motion", "sensor", "player", "referee", "test"].map(Some).contains(&kind) {
            problems.push(format!("{folder}: expected <kind>-<name>"));
        }
        // Two libraries that export a plugin cannot be linked into one program: nobody may link them.
        let library = package.targets.iter().find(|target| !target.is_custom_build());
        if library.is_some_and(|target| format!("{:?}", target.crate_types) != "[CDyLib]") {
            problems.push(format!("{folder}: crate-type must be [\"cdylib\"]"));
        }
    }
    all_is_well("a plugin is not where its name says", &problems);
}

/// Every crate says what it is, and takes edition, licence and lints from the workspace.
#[test]
fn every_crate_introduces_itself() {
    let mut problems = Vec::new();
    for package in &metadata().packages {
        if package.description.as_deref().is_none_or(|description| description.trim().is_empty()) {
            problems.push(format!("{}: no description", package.name));
        }
        let manifest = text(&format!("{}/Cargo.toml", folder(package)));
        for key in ["version", "edition", "rust-version", "license", "publish"] {
            if !manifest.contains(&format!("{key}.workspace = true")) {
                problems.push(format!("{}: {key} is not the workspace's", package.name));
            }
        }
        if !manifest.contains("[lints]\nworkspace = true") {
            problems.push(format!("{}: the lints are not the workspace's", package.name));
        }
    }
    all_is_well("a crate's manifest is incomplete", &problems);
}

/// The list of libraries in the root manifest is what is used: no more, and nobody goes past it.
#[test]
fn libraries_are_chosen_in_one_place() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("TOML");
    let listed = manifest["workspace"]["dependencies"].as_table().expect("a table of libraries");
    let mut used = std::collections::BTreeSet::new();
    let mut problems = Vec::new();
    for package in metadata().packages.iter().filter(|package| package.name.as_str() != FEATURES) {
        let manifest: toml::Table = text(&format!("{}/Cargo.toml", folder(package))).parse().expect("TOML");
        // What one system alone needs counts as well.
        let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
        let tables: Vec<&toml::Table> =
            targets.filter_map(|(_, table)| table.as_table()).chain([&manifest]).collect();
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, value) in tables.iter().filter_map(|table| table.get(section)?.as_table()).flatten() {
                used.insert(name.clone());
                if value.get("workspace").and_then(toml::Value::as_bool) != Some(true) {
                    problems.push(format!("{}: {name} is not the workspace's", package.name));
                }
            }
        }
    }
    let unused = listed.keys().filter(|name| !name.starts_with("touchline") && !used.contains(*name));
    problems.extend(unused.map(|name| format!("{name}: nobody uses it")));
    // A line of its own says what each is for.
    let lines: Vec<&str> = text("Cargo.toml").lines().collect();
    for (above, line) in lines.iter().zip(&lines[1..]) {
        let library = line.split_once(" = ").map(|(name, _)| name);
        let library = library.filter(|name| !name.starts_with("touchline") && listed.contains_key(*name));
        if let Some(library) = library.filter(|_| !above.starts_with('#')) {
            problems.push(format!("{library}: no line above it says what it is for"));
        }
    }
    all_is_well("[workspace.dependencies] and what the crates use differ", &problems);
}

/// What a manifest asks for is named in the code: by the product if it is for the product, by tests otherwise.
#[test]
fn every_dependency_is_used() {
    let mut problems = Vec::new();
    for package in metadata().packages.iter().filter(|package| package.name.as_str() != FEATURES) {
        let folder = folder(package);
        let (product, tests) = sources(&folder);
        for dependency in package.dependencies.iter().filter(|dependency| dependency.name != FEATURES) {
            let code = match dependency.kind {
                DependencyKind::Development => product.iter().chain(&tests).collect::<Vec<_>>(),
                _ => product.iter().collect(),
            };
            let name = dependency.name.replace('-', "_");
            if !code.iter().any(|file| file.code_lines().any(|(_, line)| has_word(line, &name))) {
                problems.push(format!("{folder}/Cargo.toml: {} is named nowhere", dependency.name));
            }
        }
    }
    all_is_well("a dependency that nobody uses, or only tests", &problems);
}

/// The Rust files of a crate: those of the product, and those of tests, benchmarks and examples; with what they take in
/// from elsewhere by `#[path]`.
fn sources(folder: &str) -> (Vec<&'static Text>, Vec<&'static Text>) {
    let own = texts().iter().filter(|file| file.is(&["rs"]) && file.within(folder));
    let mut files: Vec<&'static Text> = own.collect();
    let guests: Vec<&'static str> = files
        .iter()
        .flat_map(|file| file.text.lines())
        .filter_map(|line| line.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]"))
        .collect();
    let is_guest =
        |file: &&Text| guests.iter().any(|guest| file.path.ends_with(guest.trim_start_matches("../")));
    files.extend(texts().iter().filter(|file| !file.within(folder)).filter(is_guest));
    let product = format!("{folder}/src/");
    files.into_iter().partition(|file| file.path.starts_with(&product) || file.path.ends_with("/build.rs"))
}

/// ARCHITECTURE, "Deliberately not there": the gate has no text of a protocol and no sockets, so that every protocol is a neighbour on it.
#[test]
fn the_gate_has_no_sockets() {
    let banned = ["tokio::net", "tokio::io", "std::net", "std::io", "std::fs", "touchline_board"];
    let files = texts().iter().filter(|file| file.is(&["rs"]) && file.within("server/gate/src"));
    let lines = files.flat_map(|file| file.code_lines().map(move |(number, line)| (file, number, line)));
    let found = lines.filter(|(_, _, line)| banned.iter().any(|banned| line.contains(banned)));
    let problems: Vec<String> =
        found.map(|(file, number, line)| format!("{}:{number}: {}", file.path, line.trim())).collect();
    all_is_well("the gate speaks to the outside", &problems);
}

/// The physics can be replaced: one folder of the simulation names it, and one manifest.
#[test]
fn the_physics_is_named_in_one_folder() {
    let physics = concat!("rapier", "2d");
    let rust = texts().iter().filter(|file| {
        let product = ["server", "plugin-api", "plugins", "clients"].iter().any(|folder| file.within(folder));
        file.is(&["rs"]) && product && file.path.contains("/src/")
    });
    let sources: Vec<&str> = rust
        .filter(|file| file.code_lines().any(|(_, line)| line.contains(physics)))
        .map(|file| file.path.as_str())
        .collect();
    let manifests: Vec<&str> = texts()
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml") && file.text.contains(physics))
        .map(|file| file.path.as_str())
        .collect();
    let is_its_own = |path: &&str| path.starts_with("server/sim/src/physics/rigid/");
    assert!(
        !sources.is_empty() && sources.iter().all(is_its_own),
        "source files that name {physics}: {sources:?}"
    );
    assert_eq!(manifests, ["server/sim/Cargo.toml"]);
}

/// ARCHITECTURE's code map names every crate, and no crate that does not exist.
#[test]
fn the_code_map_is_complete() {
    let architecture = text("ARCHITECTURE.md");
    let map = architecture.split("\n## Code map\n").nth(1).expect("a section \"Code map\"");
    let map = map.split("\n## ").next().expect("the section has an end");
    let named = crate::documents::in_backticks(map);
    let exists = |name: &str| metadata().packages.iter().any(|package| package.name.as_str() == name);
    let mut problems = Vec::new();
    for package in &metadata().packages {
        if !named.iter().any(|name| package.name.as_str() == *name) {
            problems.push(format!("{} is not in the map", package.name));
        }
    }
    for name in named.iter().filter(|name| name.starts_with("touchline") || **name == "xtask") {
        if !exists(name) {
            problems.push(format!("`{name}` is in the map, but there is no such crate"));
        }
    }
    for path in named.iter().filter(|name| name.contains('/')) {
        if !path.contains(['<', '*']) && !root().join(path).exists() {
            problems.push(format!("`{path}` is in the map, but not in the tree"));
        }
    }
    all_is_well("the code map in ARCHITECTURE.md is out of date", &problems);
}

/// The first thing that a visitor sees is short.
#[test]
fn the_top_folder_holds_only_what_the_plan_says() {
    const TOP: [&str; 17] = [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "SECURITY.md",
        "clients",
        "docs",
        "plugin-api",
        "plugins",
        "robots",
        "server",
        "tests",
        "worlds",
    ];
    let names = names(".");
    let extra = names.iter().filter(|name| !name.starts_with('.') && *name != "target");
    let extra: Vec<String> = extra.filter(|name| !TOP.contains(&name.as_str())).cloned().collect();
    all_is_well("not in the plan of the top folder", &extra);
    let missing = TOP.iter().filter(|name| !names.iter().any(|there| there == *name));
    all_is_well("missing from the top folder", &missing.map(ToString::to_string).collect::<Vec<_>>());
}
