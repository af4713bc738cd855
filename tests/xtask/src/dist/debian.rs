//! The Debian package, made by `dpkg-deb` of the tree that all packages have.

use super::{VERSION, must, write};
use crate::shop::Shop;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What Debian calls this kind of machine, such as `amd64`; none where there is no dpkg.
pub fn architecture() -> Option<String> {
    let output = Command::new("dpkg").arg("--print-architecture").output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}

/// The release of Debian that this machine has, such as `bookworm`: what is built here runs there, and on later ones.
pub fn release() -> String {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.unwrap_or("stable").trim_matches('"').to_owned()
}

/// Makes the package of a planted tree; none where there is no `dpkg-deb`.
pub fn package(shop: &Shop, log: &str, tree: &Path, folder: &Path) -> Result<Option<PathBuf>, String> {
    let Some(architecture) = architecture().filter(|_| is_there("dpkg-deb")) else { return Ok(None) };
    let root = folder.join("work/debian");
    let wrong = |error: std::io::Error| format!("{}: {error}", root.display());
    fs::create_dir_all(&root).map_err(wrong)?;
    let text = |path: &Path| path.display().to_string();
    let usr = root.join("usr");
    must(shop, log, shop.program("cp", ".", &["-a", &text(tree), &text(&usr)]))?;
    let doc = usr.join("share/doc/touchline");
    write(&doc.join("copyright"), copyright(&doc)?)?;
    must(shop, log, shop.program("gzip", ".", &["-9n", &text(&usr.join("share/man/man1/touchline.1"))]))?;
    let control = control(&architecture, &newest_glibc(&usr)?, kilobytes(&usr)?);
    write(&root.join("DEBIAN/control"), control)?;
    // The client library is one that the loader finds.
    write(&root.join("DEBIAN/triggers"), "activate-noawait ldconfig\n")?;
    let package = folder.join(format!("touchline_{VERSION}_{architecture}.deb"));
    must(shop, log, shop.program("chmod", ".", &["-R", "u=rwX,go=rX", &text(&root)]))?;
    let build = ["--root-owner-group", "-Zgzip", "--build", &text(&root), &text(&package)];
    must(shop, log, shop.program("dpkg-deb", ".", &build))?;
    Ok(Some(package))
}

fn control(architecture: &str, glibc: &str, kilobytes: u64) -> String {
    format!(
        "Package: touchline\n\
         Version: {VERSION}\n\
         Architecture: {architecture}\n\
         Maintainer: the Touchline project\n\
         Installed-Size: {kilobytes}\n\
         Depends: libc6 (>= {glibc}), libgcc-s1\n\
         Section: science\n\
         Priority: optional\n\
         Description: 2D simulator of teams of mobile robots\n \
         A server steps a world of robots, balls and walls; motion models, sensors,\n \
         players and rules are plugins. Robots are driven by programs in any language\n \
         over TCP, and a page in the browser shows what happens. This package holds\n \
         the program, its plugins, robots and worlds, and the headers and libraries\n \
         for plugins and clients in C and C++.\n"
    )
}

/// Our licences, and where those of all libraries are.
fn copyright(doc: &Path) -> Result<String, String> {
    let read = |file: &str| fs::read_to_string(doc.join(file)).map_err(|error| format!("{file}: {error}"));
    Ok(format!(
        "Touchline is under the MIT licence or the Apache licence, version 2.0, as you like.\n\
         What it is made of beside its own code, under which licences, and their texts:\n\
         /usr/share/doc/touchline/THIRD-PARTY.txt and sbom.cdx.json.\n\n{}\n\n{}",
        read("LICENSE-MIT")?,
        read("LICENSE-APACHE")?
    ))
}

/// The newest version of the C library that any file asks for, such as `2.34`.
fn newest_glibc(usr: &Path) -> Result<String, String> {
    let mut newest = (2, 17);
    for folder in ["bin", "lib/touchline", "lib"] {
        let folder = usr.join(folder);
        let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            if path.is_file() {
                let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                newest = versions(&bytes).fold(newest, Ord::max);
            }
        }
    }
    Ok(format!("{}.{}", newest.0, newest.1))
}

/// All `GLIBC_2.34` in a file's strings, as numbers.
fn versions(bytes: &[u8]) -> impl Iterator<Item = (u32, u32)> + '_ {
    const MARK: &[u8] = b"GLIBC_";
    let starts = bytes.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    starts.filter_map(|(at, _)| {
        let rest = &bytes[at + MARK.len()..];
        let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.')?;
        let mut numbers = std::str::from_utf8(&rest[..end]).ok()?.split('.').map(str::parse);
        // What comes third is a correction.
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    })
}

fn kilobytes(folder: &Path) -> Result<u64, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut sum = 0;
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let metadata = entry.metadata().map_err(wrong)?;
        sum += if metadata.is_dir() { kilobytes(&entry.path())? } else { metadata.len().div_ceil(1024) };
    }
    Ok(sum)
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_the_c_library_are_read() {
        let bytes = b"\0GLIBC_2.34\0xGLIBC_2.2.5\0GLIBC_PRIVATE\0GLIBC_2.4";
        let found: Vec<_> = versions(bytes).collect();
        assert_eq!(found, [(2, 34), (2, 2)], "what is cut off, and what is no number, is none");
    }
}
