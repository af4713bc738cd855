//! A program that plays for somebody: started, watched, and ended with all that it has started. (B6)
//!
//! On Unix it is in a process group of its own, so that Ctrl-C in a terminal is ours alone, and all of the group can be ended.
//!
//! # Invariants
//! - Whoever drops a [`Process`] leaves none of its group behind; [`end_all`] ends those that are there, and lets none begin.

use std::collections::{BTreeSet, VecDeque};
use std::env;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So much of what it says last is kept.
const TAIL_BYTES: usize = 2000;
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(5);
/// When it has ended, what it said may take so long to come through.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The groups that are there; `None` when no more may begin.
static GROUPS: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

/// A running program.
pub struct Process {
    child: Child,
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
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Held until the group is known: who ends all of them finds it.
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(groups) = groups.as_mut() else { return Err("this program is about to end".into()) };
        let mut child = command.spawn().map_err(|error| cannot_start(&path, &error))?;
        groups.insert(child.id());
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, silent) = sync_channel::<()>(1);
        if let Some(mut stderr) = child.stderr.take() {
            let said = Arc::clone(&said);
            let read = move || {
                let mut buffer = [0; 4096];
                while let Ok(read @ 1..) = stderr.read(&mut buffer) {
                    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                    said.extend(&buffer[..read]);
                    let excess = said.len().saturating_sub(TAIL_BYTES);
                    said.drain(..excess);
                }
                drop(sender);
            };
            // Without a thread nothing is read; the program plays all the same, if it says little.
            let _ = std::thread::Builder::new().name("stderr".into()).spawn(read);
        }
        Ok(Self { child, status: None, said, silent })
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

    /// The last lines that it wrote to stderr, after it was ended.
    pub fn last_words(&self) -> String {
        // What has left the group may hold the pipe open for ever.
        let _ = self.silent.recv_timeout(LAST_WORDS);
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = said.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    fn kill(&mut self) {
        // Held until it is done: who ends all of them, and then this program, waits for it.
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        if groups.as_mut().is_some_and(|groups| groups.remove(&self.child.id())) {
            kill_group(self.child.id());
        }
        drop(groups);
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

/// Ends all programs, because this one ends at once; no other is started any more.
pub fn end_all() {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner).take();
    groups.into_iter().flatten().for_each(kill_group);
}

/// By the shell: the standard library knows no groups.
#[cfg(unix)]
fn kill_group(leader: u32) {
    let mut kill = Command::new("/bin/sh");
    kill.args(["-c", "kill -s KILL -- \"-$1\"", "sh", &leader.to_string()]);
    // A group that has ended by itself is an error there, and none here.
    let _ = kill.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

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

    /// B6: what cannot be started is said, with what would do.
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

    /// B6: nothing that a program has started is left behind, and its last words are kept.
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
        // One that is dead and not yet collected by init is none that runs.
        let state = std::fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}
