//! The program under test: run to its end, or as a server that is stopped when the test ends.

use crate::build::{Profile, program};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The repository's top, from which the program is started.
pub fn root() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in the repository");
    above.to_owned()
}

/// The program, freshly built, with all plugins of the workspace beside it.
pub fn touchline() -> &'static Path {
    program(Profile::tested())
}

/// A call of the program from the repository's top.
pub fn command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(arguments: I) -> Command {
    // Whoever runs the tests may have told the system to ignore a hang-up, as `nohup` does, which the program would keep to.
    let mut command = if cfg!(target_os = "linux") { Command::new("env") } else { Command::new(touchline()) };
    if cfg!(target_os = "linux") {
        command.arg("--default-signal=HUP").arg(touchline());
    }
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Exit code and output of a program.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Everything that the program wrote to standard output.
    pub stdout: String,
    /// Everything that the program wrote to standard error.
    pub stderr: String,
}

impl Outcome {
    /// The JSON that stdout is.
    ///
    /// # Panics
    /// If it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Runs the program to its end.
pub fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(arguments: I) -> Outcome {
    outcome(&mut command(arguments))
}

/// Runs a command to its end.
///
/// # Panics
/// If it cannot be started.
pub fn outcome(command: &mut Command) -> Outcome {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Outcome { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// A running `touchline serve` or `replay` on free ports.
pub struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: File,
    /// The one line of `--ready-json`.
    pub ready: Value,
    /// Where the message board listens.
    pub board: SocketAddr,
}

impl Server {
    /// Starts the server with a world and more options, and waits until it listens.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn start(world: impl AsRef<OsStr>, options: &[&str]) -> Self {
        Self::launch(command([OsStr::new("serve"), world.as_ref()]), options)
    }

    /// Starts the server with a recording and more options.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn replay(log: impl AsRef<OsStr>, options: &[&str]) -> Self {
        Self::launch(command([OsStr::new("replay"), log.as_ref()]), options)
    }

    /// Starts a server by a command that has all but its addresses.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn launch(mut command: Command, options: &[&str]) -> Self {
        command.args(["--board", "127.0.0.1:0", "--ready-json"]).args(options);
        if !options.contains(&"--studio") {
            command.args(["--studio", "127.0.0.1:0"]);
        }
        // A file takes any amount without a thread that reads it.
        let stderr = tempfile::tempfile().expect("a file for stderr");
        command.stdout(Stdio::piped()).stderr(stderr.try_clone().expect("a second handle"));
        let mut child = command.spawn().expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        let _ = stdout.read_line(&mut line);
        let ready: Option<Value> = serde_json::from_str(&line).ok();
        let board = ready.as_ref().and_then(|ready| ready["board"].as_str()?.parse().ok());
        let (Some(ready), Some(board)) = (ready, board) else {
            let _ = child.kill();
            panic!("the server is not ready: {line:?}, {:?}, {}", child.wait(), whole(stderr));
        };
        Self { child, stdout, stderr, ready, board }
    }

    /// The studio's address, as `host:port`.
    pub fn studio(&self) -> Option<&str> {
        self.ready["studio"].as_str()?.strip_prefix("http://")
    }

    /// Waits until it has started anew, and takes its new ready line.
    ///
    /// # Panics
    /// If it ends instead.
    #[cfg(unix)]
    pub fn wait_for_restart(&mut self) {
        let mut line = String::new();
        let _ = self.stdout.read_line(&mut line);
        self.ready =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("no restart: {line:?}, {}", self.said()));
    }

    /// All that it has written to standard error. It goes on writing meanwhile, so its place in the file is left alone.
    #[cfg(unix)]
    pub fn said(&self) -> String {
        use std::os::unix::fs::FileExt;
        let mut text = vec![0; self.stderr.metadata().expect("its length").len() as usize];
        let read = self.stderr.read_at(&mut text, 0).expect("its text");
        String::from_utf8_lossy(&text[..read]).into_owned()
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a loss of power would.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends a signal, such as `TERM`, and waits for the end; gives what came after the ready line.
    ///
    /// # Panics
    /// If there is no command `kill`.
    pub fn end_by(mut self, signal: &str) -> Outcome {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status().expect("kill");
        assert!(sent.success(), "no process {id}");
        let mut stdout = String::new();
        let _ = self.stdout.read_to_string(&mut stdout);
        let code = self.child.wait().expect("the server's end").code();
        Outcome { code, stdout, stderr: whole(self.stderr.try_clone().expect("a second handle")) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn whole(mut file: File) -> String {
    let mut text = String::new();
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut text));
    text
}
