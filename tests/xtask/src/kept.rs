//! Commands that do not outlive us, however we end: also by SIGKILL, of which nobody is told.
//!
//! `PR_SET_PDEATHSIG` would need unsafe code or a library, and is not passed on to what a command starts. So a shell waits beside each command
//! for the end of a pipe of which we alone have the other end, and ends the command's process group.

use std::io::Result;
use std::process::{Child, Command};

/// A command that was started, and who ends it if we cannot.
pub struct Kept {
    /// The command.
    pub child: Child,
    #[cfg(unix)]
    keeper: Option<Child>,
}

#[cfg(unix)]
impl Kept {
    /// Starts a command in a process group of its own.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(command: &mut Command) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        use std::process::Stdio;
        let child = command.process_group(0).spawn()?;
        // Ctrl-C, which ends us, is none of its business.
        let keeper = Command::new("sh")
            .args(["-c", "read -r done || kill -s KILL -- \"-$0\"", &child.id().to_string()])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        // Without a shell it goes without.
        Ok(Self { child, keeper: keeper.ok() })
    }
}

#[cfg(not(unix))]
impl Kept {
    /// Starts a command.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(command: &mut Command) -> Result<Self> {
        Ok(Self { child: command.spawn()? })
    }
}

#[cfg(unix)]
impl Drop for Kept {
    /// Who has been waited for needs no keeper; who has not is ended by it.
    fn drop(&mut self) {
        use std::io::Write;
        let has_ended = self.child.try_wait().is_ok_and(|status| status.is_some());
        let Some(keeper) = &mut self.keeper else { return };
        if let Some(mut line) = keeper.stdin.take().filter(|_| has_ended) {
            let _ = line.write_all(b"done\n");
        }
        let _ = keeper.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::Kept;
    use std::io::Read;
    use std::process::{Command, Stdio};

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        command
    }

    #[test]
    fn nothing_outlives_who_started_it() {
        // Both keep the pipe open as long as they are there.
        let mut kept = Kept::spawn(&mut shell("sleep 1000 & echo started; wait")).unwrap();
        let mut said = kept.child.stdout.take().unwrap();
        let mut line = [0; 8];
        said.read_exact(&mut line).unwrap();
        assert_eq!(&line, b"started\n");
        // As the system does when we end.
        drop(kept.keeper.as_mut().unwrap().stdin.take());
        assert_eq!(said.read_to_end(&mut Vec::new()).unwrap(), 0, "until all have ended");
        assert!(!kept.child.wait().unwrap().success());
    }

    #[test]
    fn who_has_ended_is_left_alone() {
        let mut kept = Kept::spawn(&mut shell("echo done")).unwrap();
        assert!(kept.child.wait().unwrap().success());
        drop(kept);
    }
}
