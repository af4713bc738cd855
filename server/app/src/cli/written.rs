//! Files that a command writes: whole, or as they were before. What is written is written beside, and takes the file's place at the end.

use super::Failure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file that is being written; without [`finish`](Self::finish) everything stays as it was.
#[derive(Debug)]
pub struct Written {
    path: PathBuf,
    file: File,
    /// What takes the file's place; `None` if it is written where it is.
    beside: Option<Beside>,
    /// What a file in a folder of another's is to hold: it is emptied only when that is whole.
    held: Option<Vec<u8>>,
}

/// A file that is removed unless it gets its place.
#[derive(Debug)]
struct Beside {
    part: PathBuf,
    target: PathBuf,
    is_in_place: bool,
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.is_in_place {
            // It cannot be told any more.
            let _ = fs::remove_file(&self.part);
        }
    }
}

impl Written {
    /// Begins a file, which takes the place of what is there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(path: &Path) -> Result<Self, Failure> {
        begin(path, None).map_err(|error| failed(path, &error))
    }

    /// The same of a file that its owner alone may read.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin_private(path: &Path) -> Result<Self, Failure> {
        begin(path, Some(0o600)).map_err(|error| failed(path, &error))
    }

    /// Begins a file where there is none.
    ///
    /// # Errors
    /// When there is one, or it cannot be written.
    pub fn begin_new(path: &Path) -> Result<Self, Failure> {
        refuse_existing(path)?;
        Self::begin(path)
    }

    /// Brings what was written to the disk, so that only its name is missing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn sync(&mut self) -> Result<(), Failure> {
        let synced = match (&self.beside, &self.held) {
            // A pipe or a device has no disk.
            (None, None) => Ok(()),
            _ => self.file.sync_all(),
        };
        synced.map_err(|error| failed(&self.path, &error))
    }

    /// Writes all of the file, and puts it in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn fill(mut self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.write_all(bytes.as_ref()).map_err(|error| failed(&self.path, &error))?;
        self.finish()
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), Failure> {
        if let Some(held) = &self.held {
            let replaced = self.file.set_len(0).and_then(|()| self.file.write_all(held));
            replaced.map_err(|error| failed(&self.path, &error))?;
        }
        self.sync()?;
        let Some(beside) = &mut self.beside else { return Ok(()) };
        fs::rename(&beside.part, &beside.target).map_err(|error| failed(&self.path, &error))?;
        beside.is_in_place = true;
        Ok(())
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.held {
            Some(held) => held.write(bytes),
            None => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file that is written later: so far it is known that it can be, and nothing of it is there.
#[derive(Debug)]
pub struct Planned {
    path: PathBuf,
    /// Who reads a pipe takes its closing for the end, so what is no file stays open.
    open: Option<Written>,
}

impl Planned {
    /// Plans a file, which will take the place of what is there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        let begun = Written::begin(path)?;
        Ok(Self { path: path.to_owned(), open: Some(begun).filter(|begun| begun.beside.is_none()) })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all of the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn fill(self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.open.map_or_else(|| Written::begin(&self.path), Ok)?.fill(bytes)
    }
}

/// Writes a file, which takes the place of what is there.
///
/// # Errors
/// When it cannot be written; then what is there stays.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    Written::begin(path)?.fill(bytes)
}

/// Writes a file where there is none.
///
/// # Errors
/// When there is one, or it cannot be written; then there is none afterwards.
pub fn write_new(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    Written::begin_new(path)?.fill(bytes)
}

/// Refuses to write where something is.
pub fn refuse_existing(path: &Path) -> Result<(), Failure> {
    match fs::symlink_metadata(path) {
        Ok(_) => {
            let what = "there is a file of this name already\n  hint     remove it, or take another name";
            Err(Failure::Resource(format!("{}: {what}", path.display())))
        }
        Err(_) => Ok(()),
    }
}

/// Where a new file is made until it is whole: beside it, under a name of this process. Who is ended before leaves that.
///
/// # Errors
/// When there is a file of this name, or what an earlier process of this number left cannot be removed.
pub fn part_of(path: &Path) -> Result<PathBuf, Failure> {
    refuse_existing(path)?;
    let name = path.file_name().ok_or_else(|| failed(path, &ErrorKind::InvalidInput.into()))?;
    let part = part_name(path, name);
    match fs::remove_file(&part) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(path, &error)),
        _ => Ok(part),
    }
}

/// `.NAME.PROCESS.part` beside it.
fn part_name(path: &Path, name: &std::ffi::OsStr) -> PathBuf {
    path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()))
}

/// Gives a whole part its name.
///
/// # Errors
/// When there is a file of this name by now, or it cannot have it.
pub fn name_part(part: &Path, path: &Path) -> Result<(), Failure> {
    refuse_existing(path)?;
    fs::rename(part, path).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::Resource(format!("{}: cannot be written: {error}", path.display()))
}

fn begin(path: &Path, mode: Option<u32>) -> io::Result<Written> {
    let found = fs::metadata(path).ok();
    // A pipe, a terminal, a device: there is nothing whose place could be taken.
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        return begin_there(path, None);
    }
    // A link stays one.
    let target = if found.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let name = target.file_name().ok_or(ErrorKind::InvalidInput)?;
    let part = part_name(&target, name);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(mode) = mode {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    }
    let created = options.open(&part).or_else(|error| match error.kind() {
        // A process of the same number was ended before it was done.
        ErrorKind::AlreadyExists => fs::remove_file(&part).and_then(|()| options.open(&part)),
        _ => Err(error),
    });
    let file = match (created, &found) {
        (Ok(file), _) => file,
        // The folder is another's, and the file is not.
        (Err(error), Some(_)) if error.kind() == ErrorKind::PermissionDenied && mode.is_none() => {
            return begin_there(path, Some(Vec::new()));
        }
        (Err(error), _) => return Err(error),
    };
    let beside = Some(Beside { part, target, is_in_place: false });
    let written = Written { path: path.to_owned(), file, beside, held: None };
    if let Some(found) = found.filter(|_| mode.is_none()) {
        written.file.set_permissions(found.permissions())?;
    }
    Ok(written)
}

/// Opens what is there, and leaves in it what it holds.
fn begin_there(path: &Path, held: Option<Vec<u8>>) -> io::Result<Written> {
    let file = OpenOptions::new().write(true).open(path)?;
    Ok(Written { path: path.to_owned(), file, beside: None, held })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.json");
        write(&path, "old").unwrap();
        let mut halfway = Written::begin(&path).unwrap();
        halfway.write_all(b"ne").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(halfway);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("old", 1));
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(write_new(&path, "newer").is_err());
        write_new(&folder.path().join("other"), "x").unwrap();
        assert_eq!(names(folder.path()), ["other", "results.json"]);
        assert!(write(&folder.path().join("none/x"), "x").is_err());
        assert!(write(folder.path(), "x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_modes_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a", &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        write(Path::new("/dev/null"), "x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let mut private = Written::begin_private(&folder.path().join("p")).unwrap();
        private.write_all(b"x").unwrap();
        private.finish().unwrap();
        assert_eq!(fs::metadata(folder.path().join("p")).unwrap().permissions().mode() & 0o777, 0o600);
    }

    /// In a folder where nothing can be made the file itself is written, and not before all of it is there.
    #[cfg(unix)]
    #[test]
    fn a_file_in_a_closed_folder_keeps_its_text_until_there_is_another() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.toml");
        fs::write(&path, "an old model").unwrap();
        let allow = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
        let text = || fs::read_to_string(&path).unwrap();
        allow(0o555);
        // Whoever may do all makes a file there even so: hence both.
        let there = || begin_there(&path, Some(Vec::new())).unwrap();
        for begin in [&there as &dyn Fn() -> Written, &|| Written::begin(&path).unwrap()] {
            let mut begun = begin();
            assert_eq!(text(), "an old model");
            begun.write_all(b"half of").unwrap();
            drop(begun);
            assert_eq!(text(), "an old model");
            begin().fill("new").unwrap();
            assert_eq!(text(), "new");
            begin().fill("an old model").unwrap();
        }
        drop(Planned::new(&path).unwrap());
        assert_eq!(text(), "an old model");
        Planned::new(&path).unwrap().fill("planned").unwrap();
        assert_eq!((text().as_str(), names(folder.path()).len()), ("planned", 1));
        allow(0o755);
    }

    /// A file that is planned leaves nothing behind, whatever ends the program.
    #[test]
    fn of_a_planned_file_nothing_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let planned = Planned::new(&folder.path().join("model.toml")).unwrap();
        assert!(names(folder.path()).is_empty());
        planned.fill("new").unwrap();
        assert_eq!(names(folder.path()), ["model.toml"]);
        assert!(Planned::new(&folder.path().join("none/x")).is_err());
    }

    /// A full disk, as the system has one for trying.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        assert!(write(Path::new("/dev/full"), "x").is_err());
    }
}
