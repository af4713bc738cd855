//! The process of an isolated plugin: started, watched, ended.

use super::child::WORD;
use super::jail::Jail;
use super::memory::{Memory, succeeded};
use parking_lot::Mutex;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

/// The number under which the process finds the shared memory.
pub const MEMORY_FILE: i32 = 3;

/// So many of them run at a time: more would leave the system no numbers and no memory for others.
const MOST: usize = 1024;

/// Number of processes that are running.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// One process. It ends with this value, and with the server, whatever ends that.
pub struct Process {
    child: Child,
    is_counted: bool,
}

impl Process {
    /// Starts a process that shares `memory` and may read `readable`.
    pub fn start(jail: &Jail, memory: &Memory, readable: &[PathBuf]) -> io::Result<Self> {
        let mut command = Command::new(&jail.program);
        command.arg(WORD).arg(jail.limits.memory_bytes.to_string()).args(readable);
        // No key, no path and no setting of the server's goes there.
        command.env_clear();
        command.envs(std::env::var_os("LD_LIBRARY_PATH").map(|path| ("LD_LIBRARY_PATH", path)));
        command.current_dir("/");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (file, server) = (memory.file().as_raw_fd(), std::process::id());
        // SAFETY: between fork and exec nothing is called but the system.
        unsafe { command.pre_exec(move || prepare(file, server)) };
        if RUNNING.fetch_add(1, Ordering::Relaxed) >= MOST {
            RUNNING.fetch_sub(1, Ordering::Relaxed);
            return Err(io::Error::other(format!("{MOST} plugins have processes of their own already")));
        }
        let started = start_on_the_lasting_thread(command).map(|child| Self { child, is_counted: true });
        if started.is_err() {
            RUNNING.fetch_sub(1, Ordering::Relaxed);
        }
        started
    }

    /// How it ended, if it did.
    pub fn has_ended(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(described(status)),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Kills the process and waits for its end.
    pub fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::mem::take(&mut self.is_counted) {
            RUNNING.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn prepare(file: i32, server: u32) -> io::Result<()> {
    // SAFETY: the system's own calls, with numbers alone.
    unsafe {
        succeeded(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        // It may have ended before.
        if libc::getppid() as u32 != server {
            return Err(io::ErrorKind::NotFound.into());
        }
        if file == MEMORY_FILE {
            succeeded(libc::fcntl(file, libc::F_SETFD, 0))
        } else {
            succeeded(libc::dup2(file, MEMORY_FILE))
        }
    }
}

/// A process that is to end with its parent ends with the very thread that started it: one that lasts as long as the server.
fn start_on_the_lasting_thread(command: Command) -> io::Result<Child> {
    type Job = (Command, SyncSender<io::Result<Child>>);
    static JOBS: OnceLock<Mutex<SyncSender<Job>>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (jobs, is_asked) = sync_channel::<Job>(0);
        let start = move || {
            for (mut command, done) in is_asked {
                let _ = done.send(command.spawn());
            }
        };
        // Without the thread the channel is closed, which is told below.
        let _ = std::thread::Builder::new().name("processes".into()).spawn(start);
        Mutex::new(jobs)
    });
    let (done, is_done) = sync_channel(1);
    jobs.lock().send((command, done)).map_err(io::Error::other)?;
    is_done.recv().map_err(io::Error::other)?
}

fn described(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => crate::crash::signal_name(signal).to_owned(),
        (None, Some(code)) => format!("it left with exit code {code}; a plugin must return"),
        (None, None) => status.to_string(),
    }
}
