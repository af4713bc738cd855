//! The packages: made, and then installed and used where nothing else of us is, in a Debian made for that.

use crate::dist::{Build, architecture, make};
use crate::report::Report;
use crate::shop::Shop;
use crate::tools::{self, Tool};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes a Debian in a folder.
const DEBOOTSTRAP: Tool = Tool { programs: &["debootstrap"], package: "debootstrap" };
/// What a user of the packages has beside them.
const TOOLS: &str = "--include=gcc,g++,cmake,make,pkg-config,python3-venv";
/// What is done there, in its order.
const STEPS: [(&str, &str); 4] = [
    ("archive", include_str!("dist/archive.sh")),
    ("debian", include_str!("dist/debian.sh")),
    ("c", include_str!("dist/c.sh")),
    ("wheels", include_str!("dist/wheels.sh")),
];

pub fn dist(shop: &Shop, log: &str) -> Report {
    match make(shop, log, Build::Release) {
        Ok(made) => try_packages(shop, log, &made),
        Err(reason) => Report::failed(reason),
    }
}

/// Installs and uses packages in a clean Debian.
pub fn try_packages(shop: &Shop, log: &str, made: &[PathBuf]) -> Report {
    if architecture().is_none() {
        return Report::skipped("this is no Debian: the packages are installed and used in one");
    }
    if !Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n") {
        return Report::skipped("a clean root is made and entered by root alone (debootstrap, chroot)");
    }
    if let Err(reason) = tools::ensure(shop, log, &[&DEBOOTSTRAP]) {
        return Report::failed(reason);
    }
    let root = match clean_root(shop, log) {
        Ok(root) => root,
        Err(reason) => return Report::skipped(&reason),
    };
    let used = prepare(shop, log, &root, made).map(|()| {
        let steps = STEPS.iter().map(|(name, _)| Report::check(shop.run(log, enter(shop, &root, name))));
        steps.fold(Report::default(), Report::and)
    });
    let _ = fs::remove_dir_all(&root);
    used.unwrap_or_else(Report::failed)
}

/// A Debian of this machine's release; the base is kept, and each run uses a copy.
fn clean_root(shop: &Shop, log: &str) -> Result<PathBuf, String> {
    let (base, used) = (shop.target.join("verify/dist-base"), shop.target.join("verify/dist-root"));
    let text = |path: &Path| path.display().to_string();
    if !base.join("usr/bin/cmake").exists() {
        let _ = fs::remove_dir_all(&base);
        let release = crate::dist::release();
        let arguments = ["--variant=minbase", TOOLS, &release, &text(&base)];
        if !shop.run(log, shop.program("debootstrap", ".", &arguments)).success {
            return Err(format!("no clean Debian could be made here: {}", text(&shop.log_file(log))));
        }
    }
    let _ = fs::remove_dir_all(&used);
    let copied =
        shop.run(log, shop.program("cp", ".", &["-a", "--reflink=auto", &text(&base), &text(&used)]));
    if copied.success { Ok(used) } else { Err(format!("no room for {}", text(&used))) }
}

/// Puts the packages, the steps, and what the wheels need of others into the clean root.
fn prepare(shop: &Shop, log: &str, root: &Path, made: &[PathBuf]) -> Result<(), String> {
    let inside = root.join("packages");
    let wrong = |error: std::io::Error| format!("{}: {error}", inside.display());
    fs::create_dir_all(&inside).map_err(wrong)?;
    for package in made {
        fs::copy(package, inside.join(package.file_name().unwrap_or_default())).map_err(wrong)?;
    }
    for (name, text) in STEPS {
        fs::write(inside.join(format!("{name}.sh")), text).map_err(wrong)?;
    }
    for (name, text) in [
        ("consumer.c", include_str!("../../../../clients/c/tests/consumer/consumer.c")),
        ("consumer.cpp", include_str!("../../../../clients/c/tests/consumer/consumer.cpp")),
        ("CMakeLists.txt", include_str!("../../../../clients/c/tests/consumer/CMakeLists.txt")),
    ] {
        fs::write(inside.join(name), text).map_err(wrong)?;
    }
    // The Python in there is this release's own, and reaches nothing: numpy is fetched for it here.
    let version = python_of(root)?;
    let there = inside.display().to_string();
    let only = ["--only-binary=:all:", "--python-version", &version, "--dest", &there, "numpy"];
    let fetched =
        shop.run(log, shop.program("python3", ".", &[&["-m", "pip", "download"], &only[..]].concat()));
    if fetched.success { Ok(()) } else { Err(fetched.output) }
}

/// The version of a root's Python, such as `3.11`.
fn python_of(root: &Path) -> Result<String, String> {
    let entries = fs::read_dir(root.join("usr/bin")).map_err(|error| error.to_string())?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let versions = names.filter_map(|name| name.strip_prefix("python3.").map(|minor| format!("3.{minor}")));
    versions
        .into_iter()
        .find(|version| version[2..].parse::<u8>().is_ok())
        .ok_or_else(|| "no Python in there".into())
}

/// A step in the clean root: without a network but its own loopback, and without our variables.
fn enter(shop: &Shop, root: &Path, step: &str) -> Command {
    let (root, script) = (root.display().to_string(), format!("/packages/{step}.sh"));
    let path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
    let inner =
        ["chroot", &root, "/usr/bin/env", "-i", path, "HOME=/root", "LC_ALL=C.UTF-8", "sh", "-eux", &script];
    let space = ["--net", "--mount", "--pid", "--fork", "--kill-child"];
    shop.program("unshare", ".", &[&space[..], &inner].concat())
}
