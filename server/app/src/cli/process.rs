//! A program that plays for somebody: started, watched, and ended with all that it has started. (B1)
//!
//! On Unix it is in a process group of its own, so that Ctrl-C in a terminal is ours alone. A guard, a shell that waits for the end of a
//! pipe from us, ends the group: when we close the pipe, and when this program ends, in whatever way.
//!
//! # Invariants
//! - Whoever drops a [`Process`] leaves none of its group behind, and neither does the end of this program.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::env;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// So much of what it says last is kept.
const TAIL_BYTES: usize = 2000;
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(5);
/// When it has ended, what it said may take so long to come through.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A running program.
pub struct Process {
    child: Child,
    guard: Option<Child>,
    status: Option<ExitStatus>,
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
        let mut command = Command::new(&path);
        command.args(arguments).current_dir(folder).envs(variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| cannot_start(&path, &error))?;
        let guard = guard(child.id()).map_err(|error| {
            let _ = child.kill();
            let _ = child.wait();
            format!("the shell that ends it cannot be started: {error}")
        })?;
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, silent) = sync_channel::<()>(1);
        let pipes = [child.stdout.take().map(keep_tail), child.stderr.take().map(keep_tail)];
        for keep in pipes.into_iter().flatten() {
            let (said, sender) = (Arc::clone(&said), sender.clone());
            // Without a thread nothing is read; the program plays all the same, if it says little.
            let _ = std::thread::Builder::new().name("last words".into()).spawn(move || {
                keep(&said);
                drop(sender);
            });
        }
        Ok(Self { child, guard, status: None, said, silent })
    }

    /// How it has ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
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
        super::plain(String::from_utf8_lossy(&bytes).trim())
    }

    fn kill(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            drop(guard.stdin.take());
            let _ = guard.wait();
        }
        let _ = self.child.kill();
        if self.status.is_none() {
            self.status = self.child.wait().ok();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a thread does to keep the last words of a pipe.
type Keep = Box<dyn FnOnce(&Mutex<VecDeque<u8>>) + Send>;

/// Reads a pipe to its end, and keeps the last that came.
fn keep_tail(mut pipe: impl Read + Send + 'static) -> Keep {
    Box::new(move |said| {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = pipe.read(&mut buffer) {
            let mut said = said.lock();
            said.extend(&buffer[..read]);
            let excess = said.len().saturating_sub(TAIL_BYTES);
            said.drain(..excess);
        }
    })
}

/// Ends the group of this leader when its stdin ends. The shell, because the standard library knows no groups; in a group of its own,
/// because Ctrl-C in a terminal would end it.
#[cfg(unix)]
fn guard(leader: u32) -> std::io::Result<Option<Child>> {
    let mut guard = Command::new("/bin/sh");
    guard.args(["-c", "read line; kill -s KILL -- \"-$1\"", "sh", &leader.to_string()]);
    std::os::unix::process::CommandExt::process_group(&mut guard, 0);
    // A group that has ended by itself is an error there, and none here.
    guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(Some)
}

#[cfg(not(unix))]
fn guard(_: u32) -> std::io::Result<Option<Child>> {
    Ok(None)
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

    /// B1: nothing that a program has started is left behind, and its last words are kept.
    #[cfg(unix)]
    #[test]
    fn a_group_ends_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let script = "seq 5000 >&2; sleep 600 & echo $! > child; echo ready >&2; wait";
        let words = ["sh", "-c", script].map(String::from);
        let mut process = Process::start(&words, folder.path(), &[]).unwrap();
        let child = folder.path().join("child");
        let is_written = || std::fs::read_to_string(&child).is_ok_and(|text| text.ends_with('\n'));
        while !is_written() && process.ended().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(process.end(Duration::ZERO), None);
        let words = process.last_words();
        assert!(words.len() <= TAIL_BYTES && words.contains("5000"), "{words}");
        let id = std::fs::read_to_string(&child).unwrap();
        // It has been killed; until the system has done so it may still be seen, and one that init has not collected as well.
        let is_there = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
            !state.is_empty() && !state.contains(") Z ")
        };
        let since = Instant::now();
        while is_there() {
            assert!(since.elapsed() < Duration::from_secs(60), "it is still there");
            std::thread::yield_now();
        }
    }
}
