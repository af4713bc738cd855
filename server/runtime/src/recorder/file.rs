//! One log file that is being written.

use super::file_error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use touchline_gate::RecordError;
use touchline_record::{Header, Item, LogWriter, Ring, SensorChoice, Tick};

/// What was written longer ago than this is in the file, whatever happens.
const FLUSH_PERIOD: Duration = Duration::from_millis(100);
/// What was written longer ago than this is on the disk, if that is wanted.
const SYNC_PERIOD: Duration = Duration::from_secs(1);

/// A log that is being written.
pub struct LogFile {
    pub path: PathBuf,
    writer: LogWriter<BufWriter<File>>,
    flushed: Instant,
    is_dirty: bool,
    disk: Option<Disk>,
}

/// Brings to the disk what the system has taken.
struct Disk {
    file: File,
    synced: Instant,
}

impl LogFile {
    /// Begins a new file.
    ///
    /// # Errors
    /// When it is there already or cannot be written.
    pub fn create(
        path: &Path,
        header: Header,
        sensors: Vec<SensorChoice>,
        syncs: bool,
    ) -> Result<Self, RecordError> {
        let file = File::create_new(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                file_error(path, "there is such a file already; remove it, or take another name")
            }
            _ => file_error(path, error),
        })?;
        let disk =
            syncs.then(|| Disk::of(path, &file)).transpose().map_err(|error| file_error(path, error))?;
        let writer = LogWriter::new(BufWriter::new(file), header, sensors).map_err(|error| {
            // It holds nothing yet.
            let _ = std::fs::remove_file(path);
            file_error(path, error)
        })?;
        Ok(Self { path: path.into(), writer, flushed: Instant::now(), is_dirty: false, disk })
    }

    pub fn write(&mut self, item: &Item) -> Result<(), RecordError> {
        self.is_dirty = true;
        self.writer.write(item).map_err(|error| file_error(&self.path, error))
    }

    /// Begins with what was kept so far.
    pub fn copy(&mut self, ring: &Ring) -> Result<(), RecordError> {
        let copied = ring.copy_to(&mut self.writer);
        copied.map_err(|error| file_error(&self.path, error))?;
        self.flush()
    }

    /// Brings it into the file if it is time.
    pub fn flush_if_due(&mut self) -> Result<(), RecordError> {
        if !self.is_dirty || self.flushed.elapsed() < FLUSH_PERIOD {
            return Ok(());
        }
        self.flush()
    }

    /// Brings it into the file.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        (self.flushed, self.is_dirty) = (Instant::now(), false);
        self.writer.flush().map_err(|error| file_error(&self.path, error))?;
        let sync = self.disk.as_mut().map_or(Ok(()), Disk::sync_if_due);
        sync.map_err(|error| file_error(&self.path, error))
    }

    /// Writes the end of the file and closes it; gives its path.
    pub fn finish(self) -> Result<PathBuf, RecordError> {
        let Self { path, writer, disk, .. } = self;
        let written = writer.finish().map_err(|error| file_error(&path, error))?;
        written.into_inner().map_err(|error| file_error(&path, error.error()))?;
        disk.map_or(Ok(()), |disk| disk.file.sync_all()).map_err(|error| file_error(&path, error))?;
        Ok(path)
    }
}

impl Disk {
    /// Of a file that was just made: its name in the folder is brought to the disk as well.
    fn of(path: &Path, file: &File) -> std::io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Where folders cannot be opened, as on Windows, their entries need no such care.
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            folder.sync_all()?;
        }
        Ok(Self { file: file.try_clone()?, synced: Instant::now() })
    }

    fn sync_if_due(&mut self) -> std::io::Result<()> {
        if self.synced.elapsed() < SYNC_PERIOD {
            return Ok(());
        }
        self.synced = Instant::now();
        self.file.sync_data()
    }
}

/// The path of a file that somebody asked for by name; without one it is named after the world and the tick.
pub fn path_in(folder: &Path, name: Option<&str>, world: &str, tick: Tick) -> Result<PathBuf, RecordError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let Some(name) = name else {
        // The first that is free.
        let named = |n: u32| match n {
            0 => format!("{world}-{tick}.mcap"),
            n => format!("{world}-{tick}-{n}.mcap"),
        };
        let free = (0..1000).map(|n| folder.join(named(n))).find(|path| !path.exists());
        return free.ok_or_else(|| RecordError::BadName(named(0)));
    };
    if name.is_empty() || name.starts_with('.') || name.len() > 100 || !name.chars().all(allowed) {
        return Err(RecordError::BadName(name.into()));
    }
    let name = if name.ends_with(".mcap") { name.to_owned() } else { format!("{name}.mcap") };
    let path = folder.join(name);
    if path.exists() {
        return Err(file_error(&path, "there is such a file already; take another name"));
    }
    Ok(path)
}
