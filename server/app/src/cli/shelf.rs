//! What `serve` and `replay` can show in place of what they show: the worlds that need no path, and the recordings in a folder. Names come from clients, paths never.

use super::places::Places;
use super::soccer_log::read_recording_or_game;
use super::{Failure, keys, shipped};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;
use touchline_board_server::{Shelf, Title, TitleKind};
use touchline_host::Host;

/// The endings of recordings, and of the Soccer Server's game logs, packed or not.
const RECORDINGS: [&str; 3] = [".mcap", ".rcg", ".rcg.gz"];

/// The shelf of one program.
pub struct OwnShelf {
    /// Where worlds are; none for a replay, which shows recordings alone.
    pub places: Option<Places>,
    /// The folder of recordings.
    pub recordings: PathBuf,
    pub seed: Option<u64>,
    /// Keys are of teams, which another world may not have.
    pub keys: Option<PathBuf>,
    pub host: Arc<Host>,
    /// What was opened.
    pub opened: watch::Sender<Option<PathBuf>>,
}

impl std::fmt::Debug for OwnShelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnShelf").field("recordings", &self.recordings).finish_non_exhaustive()
    }
}

impl OwnShelf {
    /// The file of a title that is in the list, if it would start.
    fn checked(&self, title: &Title) -> Result<PathBuf, Failure> {
        let (file, scenario) = match title.kind {
            TitleKind::World => {
                let no_worlds = || Failure::Configuration("no worlds are here".into());
                let places = self.places.as_ref().ok_or_else(no_worlds)?;
                let file = places.world(Path::new(&title.name))?;
                let world = shipped::load_world(&file, self.seed, &self.host, &places.files())?;
                let scenario = world.scenario().clone();
                (file, scenario)
            }
            TitleKind::Recording => {
                let file = self.recordings.join(&title.name);
                let log = read_recording_or_game(&file, &self.host)?;
                (file, log.header.scenario)
            }
        };
        if let Some(keys) = &self.keys {
            keys::lock(keys, &scenario)?;
        }
        // The next process may be elsewhere.
        Ok(fs::canonicalize(file)?)
    }
}

impl Shelf for OwnShelf {
    fn titles(&self) -> Vec<Title> {
        let worlds = self.places.iter().flat_map(Places::world_names).map(|name| (TitleKind::World, name));
        let recordings = recordings_in(&self.recordings).into_iter().map(|name| (TitleKind::Recording, name));
        worlds.chain(recordings).map(|(kind, name)| Title { kind, name }).collect()
    }

    fn open(&self, title: &Title) -> Result<(), String> {
        let file = self.checked(title).map_err(|failure| failure.to_string())?;
        self.opened.send_replace(Some(file));
        Ok(())
    }
}

/// The names of a folder's recordings, sorted.
fn recordings_in(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // What a link leads to elsewhere is not offered.
    let here = fs::canonicalize(folder).ok();
    let is_here = |path: &Path| {
        fs::canonicalize(path).is_ok_and(|file| here.as_deref().is_some_and(|here| file.starts_with(here)))
    };
    let recordings = files.filter(|path| is_recording(path) && path.is_file() && is_here(path));
    let mut names: Vec<String> =
        recordings.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}

/// Whether a file is one by its name.
pub fn is_recording(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    RECORDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C4: what can be replayed can be opened.
    #[test]
    fn recordings_and_game_logs_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.rcg", "a.mcap", "c.rcg.gz", "d.rcl", "e.gz", "rcg", "f.mcap.part"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("g.mcap")).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            let elsewhere = tempfile::tempdir().unwrap();
            fs::write(elsewhere.path().join("secret.mcap"), "").unwrap();
            symlink(elsewhere.path().join("secret.mcap"), folder.path().join("link.mcap")).unwrap();
            symlink("nowhere", folder.path().join("nowhere.mcap")).unwrap();
            symlink("a.mcap", folder.path().join("newest.mcap")).unwrap();
            assert_eq!(recordings_in(folder.path()), ["a.mcap", "b.rcg", "c.rcg.gz", "newest.mcap"]);
            fs::remove_file(folder.path().join("newest.mcap")).unwrap();
        }
        assert_eq!(recordings_in(folder.path()), ["a.mcap", "b.rcg", "c.rcg.gz"]);
    }
}
