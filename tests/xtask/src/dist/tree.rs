//! The files that are installed, below a prefix, which may be moved: nothing in them knows where it lies.
//!
//! | below the prefix | is |
//! |---|---|
//! | `bin/touchline` | the program |
//! | `lib/touchline` | the plugins |
//! | `share/touchline/{robots,worlds}` | what needs no path |
//! | `share/doc/touchline` | documents, licences, the list of what is in it |
//! | `share/man`, completions | what the program says of itself |
//! | `include/touchline`, `lib/{pkgconfig,cmake}` | for plugins in C and C++; and for clients, with the library |

use super::{Build, VERSION, must, write};
use crate::shop::Shop;
use crate::stages::libraries;
use crate::tools::{self, CC, CMAKE, CXX, MAKE};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PKG_CONFIG: &str = include_str!("../../../../plugin-api/cmake/touchline_plugin.pc.in");
const CMAKE_CONFIG: &str = include_str!("../../../../plugin-api/cmake/touchline_pluginConfig.cmake");
const CMAKE_VERSION: &str =
    include_str!("../../../../plugin-api/cmake/touchline_pluginConfigVersion.cmake.in");
const UNIT: &str = include_str!("texts/touchline.service");

/// Parts of the project that are installed.
#[derive(Clone, Copy)]
pub enum Parts<'a> {
    /// What needs no other tool than cargo: all but the library for clients in C, and the texts of the libraries' licences.
    Program,
    /// Everything; other programs' output goes to this log.
    All {
        /// The log's name.
        log: &'a str,
    },
}

/// Copies everything below the prefix.
pub fn plant(shop: &Shop, build: Build, prefix: &Path, parts: Parts<'_>) -> Result<(), String> {
    let built = shop.target.join(build.folder());
    let program = prefix.join("bin").join(format!("touchline{EXE_SUFFIX}"));
    copy(&built.join(format!("touchline{EXE_SUFFIX}")), &program)?;
    for plugin in shop.folders("plugins").iter().filter(|name| !name.starts_with("test-")) {
        let library = format!("{DLL_PREFIX}touchline_{}{DLL_SUFFIX}", plugin.replace('-', "_"));
        copy(&built.join(&library), &prefix.join("lib/touchline").join(&library))?;
    }
    for folder in ["robots", "worlds"] {
        copy_all(&shop.root.join(folder), &prefix.join("share/touchline").join(folder))?;
    }
    headers(shop, prefix)?;
    said_by_the_program(&program, prefix)?;
    documents(shop, prefix)?;
    write(&prefix.join("lib/systemd/system/touchline.service"), UNIT)?;
    if let Parts::All { log } = parts {
        client_library(shop, log, build, prefix)?;
        let doc = prefix.join("share/doc/touchline");
        write(&doc.join("sbom.cdx.json"), libraries::sbom_text(shop)?)?;
        write(&doc.join("THIRD-PARTY.txt"), libraries::licences_text(shop)?)?;
    }
    Ok(())
}

/// The interface of plugins for C and C++: headers alone.
fn headers(shop: &Shop, prefix: &Path) -> Result<(), String> {
    copy_all(&shop.root.join("plugin-api/include/touchline"), &prefix.join("include/touchline"))?;
    let filled = |text: &str| text.replace("@VERSION@", VERSION);
    write(&prefix.join("lib/pkgconfig/touchline_plugin.pc"), filled(PKG_CONFIG))?;
    let package = prefix.join("lib/cmake/touchline_plugin");
    write(&package.join("touchline_pluginConfig.cmake"), CMAKE_CONFIG)?;
    write(&package.join("touchline_pluginConfigVersion.cmake"), filled(CMAKE_VERSION))
}

/// The client library, its headers and packages, as its own CMake project installs them.
fn client_library(shop: &Shop, log: &str, build: Build, prefix: &Path) -> Result<(), String> {
    tools::ensure(shop, log, &[&CC, &CXX, &CMAKE, &MAKE])?;
    let kind = if build == Build::Debug { "-DCMAKE_BUILD_TYPE=Debug" } else { "-DCMAKE_BUILD_TYPE=Release" };
    let build = shop.target.join("dist/client").display().to_string();
    let cargo = format!("-DCARGO={}", std::env::var("CARGO").unwrap_or("cargo".into()));
    let target = format!("-DTOUCHLINE_CARGO_TARGET={}", shop.target.display());
    let prefix = prefix.display().to_string();
    let configure = [
        "-S",
        "clients/c",
        "-B",
        &build,
        "-DCMAKE_INSTALL_LIBDIR=lib",
        "-DTOUCHLINE_EXAMPLES=OFF",
        kind,
        &cargo,
        &target,
    ];
    must(shop, log, shop.program("cmake", ".", &configure))?;
    must(shop, log, shop.program("cmake", ".", &["--build", &build]))?;
    must(shop, log, shop.program("cmake", ".", &["--install", &build, "--prefix", &prefix]))?;
    fs::remove_dir_all(&build).map_err(|error| format!("{build}: {error}"))
}

/// The man page and the shells' completions.
fn said_by_the_program(program: &Path, prefix: &Path) -> Result<(), String> {
    let share = prefix.join("share");
    for (words, file) in [
        (&["man"][..], "man/man1/touchline.1"),
        (&["completions", "bash"], "bash-completion/completions/touchline"),
        (&["completions", "zsh"], "zsh/vendor-completions/_touchline"),
        (&["completions", "fish"], "fish/vendor_completions.d/touchline.fish"),
    ] {
        let output =
            Command::new(program).args(words).output().map_err(|error| format!("{words:?}: {error}"))?;
        if !output.status.success() {
            return Err(format!("touchline {words:?}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        write(&share.join(file), output.stdout)?;
    }
    Ok(())
}

fn documents(shop: &Shop, prefix: &Path) -> Result<(), String> {
    let doc = prefix.join("share/doc/touchline");
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "SECURITY.md"] {
        copy(&shop.root.join(file), &doc.join(file))?;
    }
    for file in shop.files("docs") {
        copy(&shop.root.join("docs").join(&file), &doc.join("docs").join(&file))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{} to {}: {error}", from.display(), to.display());
    to.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong)?;
    // A program that runs may be replaced, and not written over.
    match fs::remove_file(to) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(wrong(error)),
        _ => {}
    }
    fs::copy(from, to).map(drop).map_err(wrong)
}

fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", from.display());
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(from).map_err(wrong)? {
        entries.push(entry.map_err(wrong)?.path());
    }
    for entry in entries {
        let there = to.join(entry.file_name().unwrap_or_default());
        if entry.is_dir() { copy_all(&entry, &there)? } else { copy(&entry, &there)? }
    }
    Ok(())
}
