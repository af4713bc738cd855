//! What is in what we ship.

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};

/// Whom each package uses when it runs: not what its tests or its build use.
pub fn uses(metadata: &Metadata) -> Result<BTreeMap<PackageId, Vec<PackageId>>, &'static str> {
    let nodes = &metadata.resolve.as_ref().ok_or("cargo has resolved nothing")?.nodes;
    let is_normal =
        |kinds: &[cargo_metadata::DepKindInfo]| kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
    let used = nodes.iter().map(|node| {
        let normal = node.deps.iter().filter(|dependency| is_normal(&dependency.dep_kinds));
        (node.id.clone(), normal.map(|dependency| dependency.pkg.clone()).collect())
    });
    Ok(used.collect())
}

/// The program, the plugins, the clients, and all that is in them.
pub fn shipped(metadata: &Metadata, uses: &BTreeMap<PackageId, Vec<PackageId>>) -> BTreeSet<PackageId> {
    let root = metadata.workspace_root.clone();
    let is_root = |package: &&Package| {
        let folder = package.manifest_path.strip_prefix(&root).map(|path| path.as_str().replace('\\', "/"));
        let folder = folder.unwrap_or_default();
        package.name == "touchline"
            || folder.starts_with("clients/")
            || (folder.starts_with("plugins/") && !folder.starts_with("plugins/test-"))
    };
    let mut waiting: Vec<PackageId> =
        metadata.packages.iter().filter(is_root).map(|it| it.id.clone()).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        waiting.extend(uses[&id].iter().filter(|used| !found.contains(*used)).cloned());
        found.insert(id);
    }
    found
}
