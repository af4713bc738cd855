//! A keeper ([`super::keeper`]) as whoever has started it sees it: told of the end, and ended. (B1, CH10)
//!
//! The program that it keeps has the same rights as we have, and may stop it, or hold open what it has open.
//!
//! # Invariants
//! - [`Kept::end`] returns, whatever the program has done to its keeper.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// A keeper that does nothing for so long may have been stopped, and is told to go on.
const PATIENCE: Duration = Duration::from_secs(2);
/// One that does not end by then either is stopped again and again: what it keeps is ended for it.
const LONG_PATIENCE: Duration = Duration::from_secs(4);
/// Then it is killed. A keeper itself tries for 30 s.
const LAST: Duration = Duration::from_secs(40);
/// It is looked so often whether it has ended: often at first, as most end at once.
const LOOKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];

/// A keeper that runs.
pub struct Kept {
    child: Child,
    line: Line,
}

impl Kept {
    /// Starts it; gives also what it tells.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: Command) -> io::Result<(Self, impl Read + Send + 'static)> {
        let (mut child, connected) = Line::spawn(command)?;
        match connected {
            Ok((line, told)) => Ok((Self { child, line }, told)),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// What it passes on of what its program says.
    pub fn said(&mut self) -> Option<impl Read + Send + 'static> {
        self.child.stderr.take()
    }

    /// Tells it to go on, if its program has stopped it.
    pub fn go_on(&self) {
        #[cfg(unix)]
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::CONT,
        );
    }

    /// Ends it, and so all that it keeps. How it ended, if that is known.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.line.hang_up();
        let since = Instant::now();
        let [mut pause, longest] = LOOKS;
        loop {
            if let Some(status) = self.child.try_wait().transpose() {
                return status.ok();
            }
            let waited = since.elapsed();
            if waited > LAST {
                let _ = self.child.kill();
                return self.child.wait().ok();
            }
            if waited > LONG_PATIENCE {
                #[cfg(target_os = "linux")]
                super::descendants::end_once(rustix::process::Pid::from_child(&self.child));
            }
            if waited > PATIENCE {
                self.go_on();
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(longest);
        }
    }
}

#[cfg(unix)]
use of_sockets::Line;

#[cfg(unix)]
mod of_sockets {
    use std::io;
    use std::net::Shutdown;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};

    /// A socket, and no pipe: a pipe of its keeper the program could open anew in `/proc`, and so hold open.
    pub struct Line(UnixStream);

    impl Line {
        /// With the command goes our copy of the keeper's end.
        pub fn spawn(mut command: Command) -> io::Result<(Child, io::Result<(Self, UnixStream)>)> {
            let (ours, its) = UnixStream::pair()?;
            command.stdin(Stdio::from(OwnedFd::from(its.try_clone()?)));
            command.stdout(Stdio::from(OwnedFd::from(its)));
            let child = command.spawn()?;
            let told = ours.try_clone();
            Ok((child, told.map(|told| (Self(ours), told))))
        }

        pub fn hang_up(&mut self) {
            let _ = self.0.shutdown(Shutdown::Write);
        }
    }
}

#[cfg(not(unix))]
use of_pipes::Line;

#[cfg(not(unix))]
mod of_pipes {
    use std::io;
    use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

    pub struct Line(Option<ChildStdin>);

    impl Line {
        pub fn spawn(mut command: Command) -> io::Result<(Child, io::Result<(Self, ChildStdout)>)> {
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            let (line, told) = (Self(child.stdin.take()), child.stdout.take());
            let told = told.ok_or_else(|| io::Error::other("no pipe"));
            Ok((child, told.map(|told| (line, told))))
        }

        pub fn hang_up(&mut self) {
            self.0 = None;
        }
    }
}
