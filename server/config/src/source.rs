//! Where the text of included files and of robot files comes from.
//!
//! The one who asks for a file to be parsed decides what that file may name: [`Disk`] for the user's own files,
//! [`ShippedParts`] for a robot file that a client sent.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// No configuration file is longer, bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// A file that another one named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// What to call it in messages, and to resolve the names in it against.
    pub path: PathBuf,
    /// Contents of the file.
    pub text: String,
}

/// Where a name is looked for: the hint of all that cannot be read.
pub(crate) const BESIDE: &str = "a relative name is looked for in the folder of the file that names it";

/// Gives the files that a file names.
pub trait FileSource {
    /// Reads the file that the file `from` calls `name`.
    ///
    /// # Errors
    /// Why it may not or cannot be read, in lower case.
    fn read(&self, from: &Path, name: &str) -> Result<SourceFile, String>;

    /// The file that the file `from` calls `name`, for a plugin that opens it itself.
    ///
    /// # Errors
    /// Why it may not be opened, in lower case.
    fn opened(&self, from: &Path, name: &str) -> Result<PathBuf, String> {
        Ok(resolved(from, name))
    }
}

/// `base` and `name` joined, with `.` and `..` worked out in the text.
fn joined(base: &Path, name: &Path) -> PathBuf {
    let mut path = PathBuf::new();
    for component in base.join(name).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(path.components().next_back(), Some(Component::Normal(_))) => {
                path.pop();
            }
            other => path.push(other),
        }
    }
    path
}

/// The file that `from` calls `name`.
pub(crate) fn resolved(from: &Path, name: &str) -> PathBuf {
    joined(from.parent().unwrap_or(Path::new("")), Path::new(name))
}

/// Reads a whole regular file as text.
///
/// # Errors
/// Why not, in lower case.
pub fn read_text(path: &Path) -> Result<String, String> {
    read_text_up_to(path, MAX_FILE_BYTES)
}

/// Reads a whole regular file as text, of at most so many bytes.
///
/// # Errors
/// Why not, in lower case.
pub fn read_text_up_to(path: &Path, max_bytes: u64) -> Result<String, String> {
    let metadata = std::fs::metadata(path).map_err(|error| io_reason(&error))?;
    if !metadata.is_file() {
        return Err("not a regular file".into());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(|error| io_reason(&error))?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!("longer than {max_bytes} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "not UTF-8 text".into())
}

fn io_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// The machine's files, named relative to the file that names them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl FileSource for Disk {
    fn read(&self, from: &Path, name: &str) -> Result<SourceFile, String> {
        let path = resolved(from, name);
        Ok(SourceFile { text: read_text(&path)?, path })
    }
}

/// The machine's files as [`Disk`] reads them, and the robots that came with the program: what is not there is looked for among those.
///
/// `file = "pioneer"` and `include = ["parts/lms200.toml"]` so work in a file anywhere.
#[derive(Clone, Debug, Default)]
pub struct DiskAndShipped {
    /// The folder of the robots.
    pub robots: Option<PathBuf>,
}

impl FileSource for DiskAndShipped {
    fn read(&self, from: &Path, name: &str) -> Result<SourceFile, String> {
        let beside = resolved(from, name);
        let shipped = self.robots.as_ref().filter(|_| !beside.exists()).and_then(|robots| {
            let file = joined(robots, Path::new(name));
            [file.clone(), file.with_extension("toml")]
                .into_iter()
                .find(|file| file.is_file() && file.starts_with(robots))
        });
        let path = shipped.unwrap_or(beside);
        Ok(SourceFile { text: read_text(&path)?, path })
    }
}

/// The files below one folder, and nothing else: for robot files from outside.
///
/// Names are relative to the folder (or to the part that names them); absolute names, and names and links that
/// lead out of the folder, are refused.
#[derive(Clone, Debug)]
pub struct ShippedParts {
    folder: PathBuf,
}

impl ShippedParts {
    /// The files below `folder`, such as `robots`.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }
}

impl ShippedParts {
    /// The name within the folder.
    fn inside(&self, from: &Path, name: &str) -> PathBuf {
        // A file from outside has a made-up name: what it names is relative to the folder.
        let base = from.strip_prefix(&self.folder).ok().and_then(Path::parent).unwrap_or(Path::new(""));
        joined(base, Path::new(name))
    }
}

impl FileSource for ShippedParts {
    fn opened(&self, from: &Path, name: &str) -> Result<PathBuf, String> {
        let inside = self.inside(from, name);
        let is_inside = inside.components().all(|component| matches!(component, Component::Normal(_)));
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        let file = real(&self.folder).filter(|_| is_inside).and_then(|root| {
            let file = real(&root.join(inside))?;
            (file.starts_with(root) && file.is_file()).then_some(file)
        });
        // The same for one that is not there and one that may not be had.
        file.ok_or_else(|| "no such file in the folder of the server's robot files".into())
    }

    fn read(&self, from: &Path, name: &str) -> Result<SourceFile, String> {
        let inside = self.inside(from, name);
        let is_inside = inside.components().all(|component| matches!(component, Component::Normal(_)));
        if !is_inside || name.contains('\\') || inside.extension().is_none_or(|extension| extension != "toml")
        {
            return Err("only the server's own .toml parts can be named here".into());
        }
        let path = self.folder.join(inside);
        let real = std::fs::canonicalize(&path).map_err(|error| io_reason(&error))?;
        let root = std::fs::canonicalize(&self.folder).map_err(|error| io_reason(&error))?;
        if !real.starts_with(root) {
            return Err("only the server's own .toml parts can be named here".into());
        }
        Ok(SourceFile { text: read_text(&real)?, path })
    }
}

/// Files that are held in memory, by path: for tests, and for programs that carry their files.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The text of each file.
    pub files: BTreeMap<PathBuf, String>,
}

impl FileSource for Memory {
    fn read(&self, from: &Path, name: &str) -> Result<SourceFile, String> {
        let path = resolved(from, name);
        let text = self.files.get(&path).cloned().ok_or("no such file")?;
        Ok(SourceFile { path, text })
    }
}
