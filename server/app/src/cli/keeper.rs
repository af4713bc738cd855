//! The parent of a program that plays for somebody: it ends with the program all that this has started, wherever that has gone. (B1, CH10)
//!
//! [`super::process::Process`] starts this very program anew as a keeper, and the keeper starts the other. On Linux a keeper is the parent of every orphan
//! among the program's descendants, whatever group or session these are in; elsewhere it knows the program's group alone. It says on its stdout how the start went, and how the
//! program ended; what the program says is on its stderr. Its stdin ends when whoever started it wants the end, or has ended in whatever way; should something else hold that
//! open, it sees that it has another parent.
//!
//! # Invariants
//! - When a keeper ends, nothing that its program has started is left, unless it has exited with [`LEFT`].

use super::output::note;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitCode, Stdio};

/// First argument of a keeper; the program and its arguments follow.
pub const WORD: &str = "keep-program";
/// The program could not be started: the system's number of the error follows.
pub const CANNOT: &str = "cannot ";
/// It was started: its id follows.
pub const STARTED: &str = "started ";
/// It has ended: the system's number of how follows.
pub const ENDED: &str = "ended ";
/// Exit code of a keeper that could not end all of them.
pub const LEFT: u8 = 3;

/// Keeps a program, if this one was started for that; `None` if it was not. Has to come first in `main`, before any thread.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == WORD).then(|| keep(arguments))
}

fn keep(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = words.next() else {
        note(&format!(
            "{WORD}: the program is not there; touchline starts this for programs that play, it is not for hands"
        ));
        return ExitCode::from(2);
    };
    outlive_hang_up();
    let parent = tree::adopt_orphans();
    match start(Command::new(program).args(words)) {
        Ok(child) => {
            tell(&format!("{STARTED}{}", child.id()));
            tree::end_with_stdin(child, parent)
        }
        Err(error) => {
            tell(&format!("{CANNOT}{}", error.raw_os_error().unwrap_or_default()));
            ExitCode::FAILURE
        }
    }
}

/// A system hangs up on those who are stopped when their parent ends, and then lets them go on: it must not be our end, which would leave the program.
/// With a handler, and not ignored: the program begins with what it would have without us.
fn outlive_hang_up() {
    #[cfg(unix)]
    if !touchline_host::hang_up_is_ignored()
        && let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build()
    {
        let _inside = runtime.enter();
        // It stays when what it tells is gone.
        drop(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()));
    }
}

/// The program's stdout goes where its stderr goes; our own is for what we tell.
fn start(command: &mut Command) -> std::io::Result<Child> {
    #[cfg(unix)]
    {
        let said = std::os::fd::AsFd::as_fd(&std::io::stderr()).try_clone_to_owned()?;
        // In a group of its own, so that Ctrl-C in a terminal is for others.
        std::os::unix::process::CommandExt::process_group(command.stdout(Stdio::from(said)), 0);
    }
    #[cfg(not(unix))]
    command.stdout(Stdio::null());
    command.stdin(Stdio::null()).spawn()
}

/// Whoever started us may have gone; then the end is near anyway.
fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn wait_for_stdin() {
    let mut nothing = [0; 64];
    while matches!(std::io::stdin().read(&mut nothing), Ok(1..)) {}
}

#[cfg(target_os = "linux")]
mod tree {
    //! All descendants of this process.

    use super::{ENDED, LEFT, tell, wait_for_stdin};
    use crate::cli::descendants::end_once;
    use rustix::io::Errno;
    use rustix::process::{
        Pid, Signal, WaitOptions, getpid, getppid, set_child_subreaper, set_parent_process_death_signal, wait,
    };
    use std::process::{Child, ExitCode};
    use std::sync::mpsc::{RecvTimeoutError, sync_channel};
    use std::time::{Duration, Instant};

    /// How often it is looked whether whoever started us is still there.
    const LOOK: Duration = Duration::from_millis(500);
    /// So long it is tried to end what starts others faster than it is found.
    const TRY: Duration = Duration::from_secs(30);

    /// Gives who started us.
    pub fn adopt_orphans() -> Option<Pid> {
        let parent = getppid();
        // Without it (no Linux before 3.4 has it) those that leave their parents are not found.
        let _ = set_child_subreaper(Some(getpid()));
        // The program may have stopped us when our parent ends. It is a thread's end that is told of, so it must be a signal that does no harm.
        let _ = set_parent_process_death_signal(Some(Signal::CONT));
        parent
    }

    /// Returns when stdin ends, or our parent has.
    fn wait_for_the_end(parent: Option<Pid>) {
        let (sender, end) = sync_channel(1);
        std::thread::spawn(move || {
            wait_for_stdin();
            let _ = sender.send(());
        });
        while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) && getppid() == parent {}
    }

    /// Ends all when stdin ends; until then, and while that lasts, the dead are counted out by a thread.
    pub fn end_with_stdin(child: Child, parent: Option<Pid>) -> ExitCode {
        let program = Pid::from_child(&child);
        let counter = std::thread::spawn(move || {
            // Who has no child has no descendant.
            loop {
                match wait(WaitOptions::empty()) {
                    Ok(Some((pid, status))) if pid == program => {
                        tell(&format!("{ENDED}{}", status.as_raw()));
                    }
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(_) => return,
                }
            }
        });
        wait_for_the_end(parent);
        let since = Instant::now();
        while end_once(getpid()) > 0 {
            if since.elapsed() > TRY {
                return ExitCode::from(LEFT);
            }
        }
        // It has told how the program ended: who hears nothing takes us for killed, and ends the program's group by a number that may be another's by then.
        let _ = counter.join();
        ExitCode::SUCCESS
    }
}

#[cfg(not(target_os = "linux"))]
mod tree {
    //! The program's group.

    use super::{ENDED, tell, wait_for_stdin};
    use std::process::{Child, ExitCode};
    use std::time::Duration;

    /// How often it is looked whether the program has ended.
    const LOOK: Duration = Duration::from_millis(20);

    /// Nothing more than its stdin tells a keeper of the end.
    pub struct Nobody;

    pub fn adopt_orphans() -> Nobody {
        Nobody
    }

    pub fn end_with_stdin(mut child: Child, _: Nobody) -> ExitCode {
        #[cfg(unix)]
        let group = rustix::process::Pid::from_child(&child);
        let is_wanted = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let told = std::sync::Arc::clone(&is_wanted);
        std::thread::spawn(move || {
            wait_for_stdin();
            told.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let mut is_told = false;
        while !is_wanted.load(std::sync::atomic::Ordering::Relaxed) {
            if let Some(status) = child.try_wait().ok().flatten().filter(|_| !is_told) {
                #[cfg(unix)]
                let number = std::os::unix::process::ExitStatusExt::into_raw(status);
                #[cfg(not(unix))]
                let number = status.code().unwrap_or(1);
                tell(&format!("{ENDED}{number}"));
                is_told = true;
            }
            std::thread::sleep(LOOK);
        }
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let _ = child.kill();
        let _ = child.wait();
        ExitCode::SUCCESS
    }
}
