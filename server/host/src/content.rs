//! A number for what is in a file that a parameter names, and in the files beside it that its bytes name: a model's weights may lie in one.
//! An isolated plugin may read the same files.
//!
//! No format is known here. Who reads a further file has its name from the first, so it stands in that one's bytes; a file whose name
//! stands there by chance counts as well, and no more comes of it than that something is played anew, or that one more file may be read
//! of a folder that holds the plugin's own.
//!
//! # Invariants
//! - Nothing is read but regular files: the one that is named, and others of its folder. No link leads out of that.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use touchline_skills::localisation::table::digest;

/// Of all files of one parameter no more is read, bytes; one that is too large counts by its length.
const MAX_BYTES: u64 = 1 << 30;

/// A number for what is in a file; one that cannot be read has the number of nothing.
pub fn of_file(path: &Path) -> String {
    number(&read(path, &mut { MAX_BYTES }))
}

/// The same for a file and for those beside it that its bytes name, which are named.
pub fn with_named(path: &Path) -> String {
    let mut left_bytes = MAX_BYTES;
    let bytes = read(path, &mut left_bytes);
    let mut text = number(&bytes);
    for beside in beside(path, &bytes) {
        let name = beside.file_name().unwrap_or_default();
        text += &format!(" {name:?} {}", number(&read(&beside, &mut left_bytes)));
    }
    text
}

/// The regular files beside a file that its bytes name.
pub fn named_beside(path: &Path) -> Vec<PathBuf> {
    let mut files = beside(path, &read(path, &mut { MAX_BYTES }));
    files.retain(|file| file.is_file());
    files
}

/// What of a file's folder its bytes name, and lies there also if it is a link.
fn beside(path: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let folder = folder_of(path);
    let names = named(bytes, others(&folder, path));
    names.iter().map(|name| folder.join(name)).filter(|file| lies_in(&folder, file)).collect()
}

fn number(bytes: &[u8]) -> String {
    format!("{:016x}", digest(bytes))
}

fn read(path: &Path, left_bytes: &mut u64) -> Vec<u8> {
    let Some(metadata) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { return Vec::new() };
    let length = metadata.len();
    let Some(left) = left_bytes.checked_sub(length) else { return length.to_string().into_bytes() };
    *left_bytes = left;
    let mut bytes = Vec::new();
    let file = File::open(path).map(|file| file.take(length));
    let _ = file.and_then(|mut file| file.read_to_end(&mut bytes));
    bytes
}

fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// The names in a folder, but for that of a file.
fn others(folder: &Path, file: &Path) -> Vec<OsString> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter(|name| Some(name.as_os_str()) != file.file_name()).collect()
}

/// Those names that stand in the bytes, wherever.
fn named(bytes: &[u8], names: Vec<OsString>) -> BTreeSet<OsString> {
    // Most places of a file begin no name: by two bytes they are found fast.
    let mut by_start: Vec<Vec<OsString>> = vec![Vec::new(); 1 << 16];
    let mut found = BTreeSet::new();
    for name in names {
        match *name.as_encoded_bytes() {
            [first, second, ..] => by_start[usize::from(u16::from_be_bytes([first, second]))].push(name),
            [only] if bytes.contains(&only) => drop(found.insert(name)),
            _ => {}
        }
    }
    for (place, start) in bytes.windows(2).enumerate() {
        let start = usize::from(u16::from_be_bytes([start[0], start[1]]));
        by_start[start].retain(|name| {
            let is_here = bytes[place..].starts_with(name.as_encoded_bytes());
            if is_here {
                found.insert(name.clone());
            }
            !is_here
        });
    }
    found
}

/// Whether a file is one of the folder also where it is a link.
fn lies_in(folder: &Path, file: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(file).zip(real(folder)).is_some_and(|(file, folder)| file.parent() == Some(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a file that names `weights.bin`, and what it comes to.
    fn model() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.net");
        fs::write(&path, b"\x0bweights.bin\x00 and others: x, ../up.bin, \xff").unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_counts_with_those_that_it_names() {
        let (folder, path) = model();
        let alone = with_named(&path);
        assert_eq!(alone, of_file(&path), "as it was before others counted");
        for (name, counts) in [
            ("weights.bin", true),
            ("x", true),
            ("other.bin", false),
            ("weights", true),
            ("weights.bin2", false),
        ] {
            let file = folder.path().join(name);
            fs::write(&file, "one").unwrap();
            let one = with_named(&path);
            fs::write(&file, "two").unwrap();
            assert_eq!(with_named(&path) != one, counts, "{name}");
            fs::remove_file(&file).unwrap();
        }
        assert_eq!(with_named(&path), alone);
        assert_eq!(with_named(&folder.path().join("nothing")), of_file(Path::new("nothing")));
    }

    /// P1: who may read a file may read what it names beside it, and neither a folder nor what else lies there.
    #[test]
    fn files_that_are_named_are_found() {
        let (folder, path) = model();
        assert!(named_beside(&path).is_empty());
        let weights = folder.path().join("weights.bin");
        fs::write(folder.path().join("x"), "").unwrap();
        fs::write(folder.path().join("secret"), "").unwrap();
        fs::create_dir(&weights).unwrap();
        assert_eq!(named_beside(&path), [folder.path().join("x")]);
        fs::remove_dir(&weights).unwrap();
        fs::write(&weights, "").unwrap();
        assert_eq!(named_beside(&path), [weights, folder.path().join("x")]);
        assert!(named_beside(folder.path()).is_empty());
    }

    /// What is no regular file of the folder is not opened: a pipe would keep us for ever.
    #[cfg(unix)]
    #[test]
    fn nothing_else_is_read() {
        use std::os::unix::fs::symlink;
        let (folder, path) = model();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let alone = with_named(&path);
        let weights = folder.path().join("weights.bin");
        let made = std::process::Command::new("mkfifo").arg(&weights).status().unwrap();
        assert!(made.success());
        assert_ne!(with_named(&path), alone, "it is there");
        fs::remove_file(&weights).unwrap();
        for target in ["/dev/zero", "inner/real.bin", "inner"] {
            fs::write(inner.join("real.bin"), "one").unwrap();
            symlink(target, &weights).unwrap();
            let one = with_named(&path);
            fs::write(inner.join("real.bin"), "two").unwrap();
            assert_eq!(with_named(&path), one, "{target}");
            fs::remove_file(&weights).unwrap();
        }
        // A link within the folder is what it leads to.
        fs::write(folder.path().join("real.bin"), "one").unwrap();
        symlink("real.bin", &weights).unwrap();
        let one = with_named(&path);
        fs::write(folder.path().join("real.bin"), "two").unwrap();
        assert_ne!(with_named(&path), one);
        assert_eq!(of_file(Path::new("/dev/zero")), of_file(Path::new("nothing")));
    }

    #[test]
    fn what_is_too_large_counts_by_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        let read = |length: u64, left: u64| {
            File::create(&path).unwrap().set_len(length).unwrap();
            read(&path, &mut { left })
        };
        assert_eq!(read(5, 5), [0; 5]);
        assert_eq!(read(6, 5), b"6");
    }
}
