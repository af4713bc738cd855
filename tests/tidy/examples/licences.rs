//! The licences of all that is in the program, its plugins and clients, and their texts: `THIRD-PARTY.txt` of every package.
//!
//! A text that several libraries have stands once. What a library names and does not bring is one of ours, or named at the end.

#[path = "shipped/mod.rs"]
mod shipped;

use cargo_metadata::{MetadataCommand, Package};
use shipped::{shipped, uses};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What files with a licence are called, before an ending.
const NAMES: [&str; 5] = ["licen", "copying", "notice", "copyright", "unlicense"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).exec()?;
    let shipped = shipped(&metadata, &uses(&metadata)?);
    let foreign = |package: &&Package| shipped.contains(&package.id) && package.source.is_some();
    let mut packages: Vec<&Package> = metadata.packages.iter().filter(foreign).collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    println!("The libraries in Touchline's program, plugins and clients, and their licences:\n");
    for package in &packages {
        let title = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("as its own text says");
        println!("{title}: {licence}");
        let own = texts_of(package)?;
        if own.is_empty() {
            without.push(format!("{title}: {licence}"));
        }
        own.into_iter().for_each(|text| texts.entry(text).or_default().push(title.clone()));
    }
    println!(
        "\nThese bring no text of their own. That of the MIT licence is in LICENSE-MIT, of the Apache licence in LICENSE-APACHE:\n"
    );
    without.iter().for_each(|line| println!("{line}"));
    for (text, titles) in &texts {
        println!("\n{}\n{}\n\n{text}", "=".repeat(80), titles.join(", "));
    }
    Ok(())
}

/// The texts in a library's folder, and in a folder of licences within it.
fn texts_of(package: &Package) -> std::io::Result<Vec<String>> {
    let folder =
        package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()).unwrap_or_default();
    let mut files = Vec::new();
    for folder in [folder.clone(), folder.join("LICENSES"), folder.join("licenses"), folder.join("LICENSE")] {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            files.push(entry?.path());
        }
    }
    files.sort();
    let is_licence = |path: &&std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let within =
            path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().to_lowercase();
        let is_code = [".rs", ".html", ".py"].iter().any(|ending| name.ends_with(ending));
        path.is_file()
            && !is_code
            && (NAMES.iter().any(|known| name.starts_with(known)) || within.starts_with("licens"))
    };
    let read = files.iter().filter(is_licence).filter_map(|path| fs::read_to_string(path).ok());
    Ok(read
        .map(|text| text.replace("\r\n", "\n").trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect())
}
