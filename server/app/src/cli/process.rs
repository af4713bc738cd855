//! A program that plays for somebody: started, watched, and ended with all that it has started. (B1)
//!
//! Between us and it is a keeper ([`super::keeper`]), which waits for the end of a line from us and then ends all of them: when we close the line, and when this program ends, in
//! whatever way.
//!
//! # Invariants
//! - Whoever drops a [`Process`] leaves nothing behind that it has started, and neither does the end of this program.

use super::keeper;
use super::kept::Kept;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use touchline_config::shown_lines;

/// So much of what it says last is kept.
const TAIL_BYTES: usize = 2000;
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(5);
/// When it has ended, what it said may take so long to come through.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// A keeper has so long to tell how the start went; the program may have stopped it before it could.
const START: Duration = Duration::from_secs(30);
/// It is told so often to go on, should the program have stopped it.
const GO_ON: Duration = Duration::from_secs(1);
/// How a program ended whose keeper has told nothing: killed.
const KILLED: i32 = 9;

/// A running program.
pub struct Process {
    keeper: Kept,
    /// When it was told to go on.
    went_on: Instant,
    /// How it ended by itself, once the keeper has told.
    status: Arc<Mutex<Option<ExitStatus>>>,
    said: Arc<Mutex<VecDeque<u8>>>,
    /// Ends when nothing more can be said.
    silent: Receiver<()>,
}

impl Process {
    /// Starts a program; the first word is one that [`find`] finds.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(words: &[String], folder: &Path, variables: &[(&str, String)]) -> Result<Self, String> {
        let [program, arguments @ ..] = words else { return Err("the command is empty".into()) };
        let path = find(program, folder)?;
        let mut command = Command::new(this_program());
        command.arg(keeper::WORD).arg(&path).args(arguments).current_dir(folder);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command.stderr(Stdio::piped());
        // A Ctrl-C in a terminal is ours alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let no_keeper =
            |error: std::io::Error| format!("the keeper of {} cannot be started: {error}", path.display());
        let (mut keeper, told) = Kept::start(command).map_err(no_keeper)?;
        let (status, said) = (Arc::default(), Arc::new(Mutex::new(VecDeque::new())));
        let (sender, first) = sync_channel(1);
        follow("end of a program", follow_end(BufReader::new(told), sender, Arc::clone(&status)));
        match first_told(&first, &keeper) {
            Some(line) if line.starts_with(keeper::STARTED) => {}
            Some(line) if line.starts_with(keeper::CANNOT) => {
                keeper.end();
                let error = number(&line, keeper::CANNOT).unwrap_or_default();
                return Err(cannot_start(&path, &Error::from_raw_os_error(error)));
            }
            // Killed or stopped by the program, before it could tell that it has started it: the program has failed, and nobody else.
            _ => {
                keeper.end();
                *status.lock() = Some(status_of(KILLED));
            }
        }
        let (sender, silent) = sync_channel::<()>(1);
        if let Some(stderr) = keeper.said() {
            let keep = keep_tail(stderr, Arc::clone(&said));
            follow("last words", move || {
                keep();
                drop(sender);
            });
        }
        Ok(Self { keeper, went_on: Instant::now(), status, said, silent })
    }

    /// How it has ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let status = *self.status.lock();
        // A keeper that its program has stopped would never tell.
        if status.is_none() && self.went_on.elapsed() > GO_ON {
            self.keeper.go_on();
            self.went_on = Instant::now();
        }
        status
    }

    /// Gives it so long to end, and then ends it and what it has started. How it ended by itself, if it did.
    pub fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + grace;
        while self.ended().is_none() && Instant::now() < until {
            std::thread::sleep(LOOK);
        }
        let by_itself = self.ended();
        self.kill();
        by_itself
    }

    /// The last lines that it wrote to stdout and stderr, after it was ended.
    pub fn last_words(&self) -> String {
        // What has left the group may hold the pipe open for ever.
        let _ = self.silent.recv_timeout(LAST_WORDS);
        self.said_last()
    }

    /// The last lines that it has written to stdout and stderr so far.
    pub fn said_last(&self) -> String {
        let said = self.said.lock();
        let bytes: Vec<u8> = said.iter().copied().collect();
        shown_lines(String::from_utf8_lossy(&bytes).trim())
    }

    fn kill(&mut self) {
        let ended = self.keeper.end();
        if ended.is_some_and(|status| status.code() == Some(i32::from(keeper::LEFT))) {
            tracing::error!("a program has started others faster than they could be ended; some are left");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// This program, even if its file has been replaced.
fn this_program() -> PathBuf {
    let own = if cfg!(target_os = "linux") { Some("/proc/self/exe".into()) } else { env::current_exe().ok() };
    own.unwrap_or_else(|| "touchline".into())
}

/// What a keeper tells first: how the start went. `None` if it tells nothing.
fn first_told(first: &Receiver<String>, keeper: &Kept) -> Option<String> {
    let since = Instant::now();
    loop {
        match first.recv_timeout(GO_ON) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Timeout) if since.elapsed() < START => keeper.go_on(),
            Err(_) => return None,
        }
    }
}

/// The number after a word of a keeper.
fn number(line: &str, word: &str) -> Option<i32> {
    line.trim_end().strip_prefix(word)?.parse().ok()
}

/// Without a thread nothing is followed.
fn follow(name: &str, what: impl FnOnce() + Send + 'static) {
    let _ = std::thread::Builder::new().name(name.into()).spawn(what);
}

/// Passes on how the program started, and reads how it ended. A keeper that goes without a word was killed by it, or for it: then we end its group ourselves, which is all that
/// is known of it.
fn follow_end(
    mut told: impl BufRead,
    first: SyncSender<String>,
    status: Arc<Mutex<Option<ExitStatus>>>,
) -> impl FnOnce() {
    move || {
        let (mut line, mut last) = (String::new(), String::new());
        let _ = told.read_line(&mut line);
        let id = number(&line, keeper::STARTED);
        let _ = first.send(line);
        let _ = told.read_line(&mut last);
        let ended = number(&last, keeper::ENDED);
        if let (Some(id), None) = (id, ended) {
            end_group(id);
        }
        *status.lock() = Some(status_of(ended.unwrap_or(KILLED)));
    }
}

#[cfg(unix)]
fn end_group(id: i32) {
    if let Some(leader) = rustix::process::Pid::from_raw(id) {
        let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: i32) {}

#[cfg(unix)]
fn status_of(number: i32) -> ExitStatus {
    std::os::unix::process::ExitStatusExt::from_raw(number)
}

#[cfg(windows)]
fn status_of(number: i32) -> ExitStatus {
    std::os::windows::process::ExitStatusExt::from_raw(number as u32)
}

/// Reads a pipe to its end, and keeps the last that came.
fn keep_tail(mut pipe: impl Read + Send + 'static, said: Arc<Mutex<VecDeque<u8>>>) -> impl FnOnce() {
    move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = pipe.read(&mut buffer) {
            let mut said = said.lock();
            said.extend(&buffer[..read]);
            let excess = said.len().saturating_sub(TAIL_BYTES);
            said.drain(..excess);
        }
    }
}

/// Where a program is: beside the file that names it if there is a `/` in its name, else in one of the folders of `PATH`.
///
/// # Errors
/// What to write instead.
pub fn find(program: &str, folder: &Path) -> Result<PathBuf, String> {
    if program.contains(['/', '\\']) {
        let path = folder.join(program);
        return match path.metadata() {
            Ok(found) if found.is_dir() => Err(format!("{}: this is a folder", path.display())),
            Ok(_) => Ok(path),
            Err(error) => Err(format!(
                "cannot start \"{program}\": {}: {error}\n  hint     a program with a / in its name is relative to the tournament file",
                path.display()
            )),
        };
    }
    on_path(program).ok_or_else(|| {
        let other = format!("{program}3");
        let hint = if folder.join(program).is_file() {
            format!("the one beside the tournament file is \"./{program}\"")
        } else if on_path(&other).is_some() {
            format!("there is \"{other}\"")
        } else {
            "install it, or name its file, relative to the tournament file".into()
        };
        format!("cannot start \"{program}\": it is in none of the folders of PATH\n  hint     {hint}")
    })
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH");
    let folders = env::split_paths(path.as_deref().unwrap_or(OsStr::new("")));
    // A folder of PATH may be relative, and the program starts in another.
    let folders = folders.filter_map(|folder| std::path::absolute(folder).ok());
    let mut places = folders.map(|folder| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)));
    places.find(|place| place.is_file())
}

fn cannot_start(path: &Path, error: &std::io::Error) -> String {
    let hint = match error.kind() {
        ErrorKind::PermissionDenied => "is it a program? chmod +x, or name the interpreter first",
        _ => "a script needs a first line that names its interpreter, such as #!/usr/bin/env python3",
    };
    format!("cannot start {}: {error}\n  hint     {hint}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B1: what cannot be started is said, with what would do.
    #[test]
    fn a_program_that_is_not_there_has_a_hint() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("team"), "").unwrap();
        let hint = |program: &str| find(program, folder.path()).unwrap_err();
        assert!(hint("team").contains("\"./team\""), "{}", hint("team"));
        assert!(hint("./teem").contains("relative to the tournament file"), "{}", hint("./teem"));
        assert!(hint("no-such-program").contains("none of the folders of PATH"));
        assert_eq!(find("./team", folder.path()).unwrap(), folder.path().join("./team"));
        assert!(find("sh", folder.path()).unwrap().is_absolute());
    }
}
