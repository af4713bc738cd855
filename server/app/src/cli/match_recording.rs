//! Recordings of what is played here without a server: attempts of challenges, matches of tournaments.
//!
//! # Invariants
//! - A recording that was closed is written over only if it is of something that was never finished: [`Played::begin`] refuses any other. What the
//!   clock has decided counts as such: no other result gets its recordings.

use super::serve;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use touchline_runtime::recorder::{self, Producer, Recording};
use touchline_sim::{PluginFactory, World};

/// A recording begins and, once it was closed, ends with this.
const MAGIC: [u8; 8] = *b"\x89MCAP0\r\n";
/// What stands beside recordings of what is played again though it was finished.
const DECIDED_BY_THE_CLOCK: &str =
    "The clock has decided it: it is played again, and its recordings are made anew.\n";
/// What a name takes of a file's name at most, bytes.
const LONGEST_WORD: usize = 100;

/// What is played as a whole and kept as a whole, with its recordings: a run of attempts, a match.
///
/// While it is played a file beside them says so. If that is there before, then it was not finished: its recordings are of no result, and are made anew.
pub struct Played {
    mark: PathBuf,
    files: Vec<PathBuf>,
}

impl Played {
    /// Such as `kick-team-run0`, with the files of its recordings.
    pub fn new(folder: &Path, words: &[&str], files: Vec<PathBuf>) -> Self {
        Self { mark: folder.join(format!("{}.unfinished", name(words))), files }
    }

    /// Looks whether it may be recorded.
    ///
    /// # Errors
    /// Which recording would be lost, and what would do.
    pub fn check(&self) -> Result<(), String> {
        if self.mark.exists() {
            return Ok(());
        }
        for file in &self.files {
            if !may_be_replaced(file)? {
                return Err(format!(
                    "{}: there is such a recording already\n  hint     name another folder with --recordings DIR, or move it away",
                    file.display()
                ));
            }
        }
        Ok(())
    }

    /// Says that it is played from now on.
    ///
    /// # Errors
    /// As [`Self::check`], or when nothing can be written.
    pub fn begin(&self) -> Result<(), String> {
        self.check()?;
        let begun = fs::write(&self.mark, "Its recordings are made anew when it is played again.\n");
        begun.map_err(|error| format!("{}: {error}", self.mark.display()))
    }

    /// Its result is kept since an earlier time, which may have been ended before it said so.
    pub fn was_kept(&self) {
        match fs::read_to_string(&self.mark) {
            // The recordings are of a time before that.
            Ok(mark) if mark == DECIDED_BY_THE_CLOCK => self.discard(),
            Ok(_) => self.is_over(),
            Err(_) => {}
        }
    }

    /// It has a result. One that the clock has decided can be looked at until it is played again.
    pub fn ends(&self, is_late: bool) {
        if !is_late {
            self.is_over();
        } else if let Err(error) = fs::write(&self.mark, DECIDED_BY_THE_CLOCK) {
            tracing::warn!(%error, "{}: cannot be written", self.mark.display());
        }
    }

    /// Nothing of it stays that might be taken for the recording of another result.
    fn discard(&self) {
        for file in self.files.iter().filter(|file| file.exists()) {
            if let Err(error) = fs::remove_file(file) {
                tracing::warn!(%error, "{}: cannot be removed", file.display());
            }
        }
        self.is_over();
    }

    /// Its result is kept, and so are its recordings; or nothing of it is left.
    pub fn is_over(&self) {
        if let Err(error) = fs::remove_file(&self.mark) {
            tracing::warn!(%error, "{}: cannot be removed", self.mark.display());
        }
    }
}

/// Whether there is nothing, or a recording that nobody has closed.
fn may_be_replaced(path: &Path) -> Result<bool, String> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let length = file.metadata().map_err(|error| format!("{}: {error}", path.display()))?.len();
    let mut magic_at = |place| {
        let mut bytes = [0; MAGIC.len()];
        let read = file.seek(place).and_then(|_| file.read_exact(&mut bytes));
        read.is_ok() && bytes == MAGIC
    };
    let is_recording = length == 0 || magic_at(SeekFrom::Start(0));
    // What is no longer than the word at its beginning was not closed.
    let is_closed = length > MAGIC.len() as u64 && magic_at(SeekFrom::End(-(MAGIC.len() as i64)));
    Ok(is_recording && !is_closed)
}

/// Begins the recording of a world before its first step, in the place of what is there; the world waits for the disk when it must.
///
/// # Errors
/// When the file cannot be begun.
pub fn start(
    world: &World,
    plugins: &dyn PluginFactory,
    file: PathBuf,
) -> Result<(Producer, Recording), String> {
    let _ = fs::remove_file(&file);
    let options = recorder::Options {
        file: Some(file),
        folder: PathBuf::new(),
        sensors: Vec::new(),
        keeps_past: false,
        waits: true,
        syncs: false,
        stream: None,
    };
    let header = serve::header(world.scenario(), plugins);
    let (producer, _, thread) = recorder::start(world, header, options).map_err(|error| error.to_string())?;
    Ok((producer, thread))
}

/// A step of a world in which nobody but its players plays.
pub fn step(world: &mut World, producer: Option<&mut Producer>) {
    let outcomes = world.step(&[]);
    if let Some(producer) = producer {
        producer.stepped(&[], &outcomes, world);
    }
}

/// Such as `kick-team%20a-run0.mcap` in the folder.
pub fn file(folder: &Path, words: &[&str]) -> PathBuf {
    folder.join(format!("{}.mcap", name(words)))
}

fn name(words: &[&str]) -> String {
    words.iter().map(|word| of_word(word)).collect::<Vec<_>>().join("-")
}

/// A word as a part of a file's name, of no other word the same: what such a name cannot have is written as in an address, and one that is too long ends with a digest.
fn of_word(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let letters = word.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    let name: String = letters.collect();
    if name.len() <= LONGEST_WORD {
        return name;
    }
    let digest = touchline_gate::digest(word);
    let digest: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    // No byte is written as `%-`.
    format!("{}%-{digest}", &name[..LONGEST_WORD - digest.len() - 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_teams_have_the_same_file() {
        let long = "x".repeat(300);
        let names =
            ["a b", "a_b", "a%20b", "a/b", "a\\b", "a\u{0}b", "龙队", "虎队", "", &long, &format!("{long}y")];
        let files: BTreeSet<PathBuf> =
            names.iter().map(|name| file(Path::new("f"), &["kick", name, "run0"])).collect();
        assert_eq!(files.len(), names.len(), "{files:?}");
        assert!(files.iter().all(|file| file.parent() == Some(Path::new("f"))), "{files:?}");
        assert!(files.contains(Path::new("f/kick-a%20b-run0.mcap")), "{files:?}");
        assert!(files.iter().all(|file| file.as_os_str().len() < 150), "{files:?}");
    }

    #[test]
    fn what_was_closed_is_made_anew_only_if_it_is_of_something_unfinished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kick-team-run0-attempt0.mcap");
        let played = Played::new(folder.path(), &["kick", "team", "run0"], vec![path.clone()]);
        for unclosed in
            [None, Some(&b""[..]), Some(&MAGIC), Some(&[&MAGIC[..], b"the beginning of"].concat())]
        {
            if let Some(bytes) = unclosed {
                fs::write(&path, bytes).unwrap();
            }
            assert_eq!(played.check(), Ok(()), "{unclosed:?}");
        }
        for lost in [[&MAGIC[..], b"a match", &MAGIC].concat(), b"my diary".to_vec()] {
            fs::write(&path, lost).unwrap();
            let why = played.begin().unwrap_err();
            assert!(why.contains("attempt0.mcap") && why.contains("--recordings"), "{why}");
        }
        fs::remove_file(&path).unwrap();
        played.begin().unwrap();
        fs::write(&path, [&MAGIC[..], b"a match", &MAGIC].concat()).unwrap();
        assert_eq!(played.begin(), Ok(()), "it was not finished");
        played.is_over();
        played.check().unwrap_err();
        // What the clock has decided stays to be looked at, but is nobody else's.
        played.ends(true);
        assert_eq!((played.check(), path.exists()), (Ok(()), true));
        played.was_kept();
        assert_eq!((played.check(), path.exists()), (Ok(()), false));
    }
}
