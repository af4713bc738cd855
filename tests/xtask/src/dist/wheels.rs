//! The wheels: `touchline` with the engine, its plugins and worlds, for all Pythons from 3.10 on; `touchline_client` in plain Python.

use super::{Build, must};
use crate::shop::Shop;
use crate::stages::python::PACKAGE;
use crate::tools;
use std::fs;
use std::path::{Path, PathBuf};

/// Builds wheels of pure Python packages.
const SETUPTOOLS: &str = "setuptools==80.9.0";

/// Makes both, and gives their paths.
pub fn make(shop: &Shop, log: &str, build: Build, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let there = folder.display().to_string();
    let wheel = |python: &str, project: &str| {
        let options = ["--no-deps", "--no-build-isolation", "--no-cache-dir", "--wheel-dir", &there, project];
        must(shop, log, shop.program(python, ".", &[&["-m", "pip", "wheel"], &options[..]].concat()))
    };
    if build == Build::Release {
        wheel(&tools::python_for(shop, log, "package", PACKAGE)?, "./clients/python")?;
    }
    wheel(&tools::python_for(shop, log, "wheels", &[SETUPTOOLS, "wheel"])?, "./clients/python/plain")?;
    let entries = fs::read_dir(folder).map_err(|error| format!("{there}: {error}"))?;
    let mut wheels: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    wheels.retain(|path| path.extension().is_some_and(|ending| ending == "whl"));
    wheels.sort();
    let wanted = if build == Build::Release { 2 } else { 1 };
    match wheels.len() == wanted {
        true => Ok(wheels),
        false => Err(format!("there should be {wanted} wheels, and there are: {wheels:?}")),
    }
}
