//! The recording of an attempt, on a page of its own: `touchline replay`, one at a time. (CH8)

use super::Failure;
use super::challenge_keys::{self, KeyFile};
use super::keys::RoleName;
use super::process::Process;
use parking_lot::Mutex;
use serde::Deserialize;
use std::path::Path;
use std::time::{Duration, Instant};

/// It has so long to read the recording.
const START: Duration = Duration::from_secs(60);
/// How often it is looked whether it is ready.
const LOOK: Duration = Duration::from_millis(10);

/// Who shows recordings.
pub struct Replays {
    /// What is said on the command line about plugins.
    words: Vec<String>,
    /// The one that is shown, and the file by which it knows its key.
    shown: Mutex<Option<(Process, KeyFile)>>,
}

#[derive(Deserialize)]
struct Ready {
    studio: String,
}

impl Replays {
    /// With these words behind `touchline`.
    pub fn new(words: Vec<String>) -> Self {
        Self { words, shown: Mutex::new(None) }
    }

    /// Serves a recording in place of the one before; gives its page's address, with the key of who winds it.
    ///
    /// # Errors
    /// When it cannot be shown.
    pub fn serve(&self, file: &Path) -> Result<String, Failure> {
        let file = std::fs::canonicalize(file)?;
        let program = std::env::current_exe()?;
        let mut words = vec![program.display().to_string()];
        words.extend(self.words.iter().cloned());
        words.extend(["replay".into(), file.display().to_string()]);
        words.extend(["--board", "127.0.0.1:0", "--studio", "127.0.0.1:0", "--ready-json"].map(String::from));
        let keys = KeyFile::make(RoleName::Operator)?;
        words.extend(["--keys".into(), keys.path().display().to_string()]);
        let mut shown = self.shown.lock();
        // The one before goes first: there is one at a time.
        drop(shown.take());
        let here = std::env::current_dir()?;
        let mut process = Process::start(&words, &here, &[]).map_err(Failure::Resource)?;
        let until = Instant::now() + START;
        loop {
            let said = process.said_last();
            let ready = said.lines().find_map(|line| serde_json::from_str::<Ready>(line).ok());
            if let Some(Ready { studio }) = ready {
                let address = challenge_keys::address(&studio, &keys.key);
                *shown = Some((process, keys));
                return Ok(address);
            }
            if process.ended().is_some() || Instant::now() > until {
                let why = process.last_words();
                return Err(Failure::Resource(format!("{} cannot be shown: {why}", file.display())));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Shows nothing any more.
    pub fn end(&self) {
        drop(self.shown.lock().take());
    }
}
