//! What is in the program and its plugins, as CycloneDX 1.5: `cargo xtask sbom`.
//!
//! The same tree gives the same bytes: there is no date and no number that is drawn in it.

#[path = "shipped/mod.rs"]
mod shipped;

use cargo_metadata::{MetadataCommand, Package, PackageId};
use serde_json::{Value, json};
use shipped::{shipped, uses};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).exec()?;
    let checksums = checksums(&std::fs::read_to_string(root.join("Cargo.lock"))?)?;
    let uses = uses(&metadata)?;
    let shipped = shipped(&metadata, &uses);
    let program = metadata.packages.iter().find(|package| package.name == "touchline").ok_or("no program")?;
    let packages = metadata.packages.iter().filter(|package| shipped.contains(&package.id));
    let mut packages: Vec<&Package> = packages.collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let libraries = packages.iter().filter(|package| package.id != program.id);
    let components: Vec<Value> = libraries.map(|package| component(package, &checksums)).collect();
    let purls: BTreeMap<&PackageId, String> =
        packages.iter().map(|package| (&package.id, purl(package))).collect();
    let dependencies: Vec<Value> = packages
        .iter()
        .map(|package| {
            let used: BTreeSet<&String> = uses[&package.id].iter().filter_map(|id| purls.get(id)).collect();
            json!({ "ref": purls[&package.id], "dependsOn": used })
        })
        .collect();
    let mut whole = component(program, &checksums);
    whole["type"] = "application".into();
    let bom = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": whole },
        "components": components,
        "dependencies": dependencies,
    });
    println!("{}", serde_json::to_string_pretty(&bom)?);
    Ok(())
}

fn purl(package: &Package) -> String {
    // What follows a plus in a version is written so in an address.
    format!("pkg:cargo/{}@{}", package.name, package.version.to_string().replace('+', "%2B"))
}

fn component(package: &Package, checksums: &BTreeMap<(String, String), String>) -> Value {
    let (name, version) = (package.name.to_string(), package.version.to_string());
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": name,
        "version": version,
        "purl": purl(package),
    });
    if let Some(licence) = &package.license {
        // The older way to write "or".
        component["licenses"] =
            json!([{ "expression": licence.replace(" / ", " OR ").replace('/', " OR ") }]);
    }
    if let Some(checksum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = &package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

/// By name and version; our own crates have none.
fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>, toml::de::Error> {
    let lock: toml::Table = toml::from_str(lock)?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let word = |package: &toml::Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
    Ok(packages
        .filter_map(|package| {
            Some(((word(package, "name")?, word(package, "version")?), word(package, "checksum")?))
        })
        .collect())
}
