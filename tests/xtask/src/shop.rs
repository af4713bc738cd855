//! Where the work is done: the folders, cargo itself, and commands whose output goes to a log file.

use crate::kept::Kept;
use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A command that writes nothing for so long hangs: it is ended, so that the other stages have their turn.
const LONGEST_SILENCE: Duration = Duration::from_secs(30 * 60);

/// The repository and the folder that cargo builds into.
pub struct Shop {
    /// Root folder of the repository.
    pub root: PathBuf,
    /// The folder with one sub-folder for each build profile.
    pub target: PathBuf,
    /// Clippy's compiler; it compiles as rustc does, and lints.
    pub linter: PathBuf,
}

impl Shop {
    /// Finds both from what cargo told this program.
    ///
    /// # Errors
    /// When the program was not started by cargo.
    pub fn open() -> Result<Self, String> {
        let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("start me by `cargo xtask`")?;
        let root = Path::new(&manifest_dir).ancestors().nth(2).ok_or("no repository above me")?;
        // This program is <target>/<profile>/xtask, wherever the user's settings put <target>.
        let program = std::env::current_exe().map_err(|error| format!("where am I: {error}"))?;
        let target = program.ancestors().nth(2).ok_or("no target folder above me")?;
        // Beside the compiler itself: rustup's program of that name asks rustup in each call.
        let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
        let sysroot = sysroot.map_err(|error| format!("cannot run rustc: {error}"))?;
        let sysroot = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
        let linter = Path::new(&sysroot).join("bin").join(format!("clippy-driver{EXE_SUFFIX}"));
        Ok(Self { root: root.into(), target: target.into(), linter })
    }

    /// The cargo that started us, at the repository's top.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(arguments).current_dir(&self.root).env("CARGO_TERM_COLOR", "never");
        command
    }

    /// Cargo for debug builds, by the compiler that lints if it is installed. Whoever uses another one builds our crates a second time.
    pub fn debug_cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.cargo(arguments);
        if self.linter.is_file() {
            command.env("RUSTC_WORKSPACE_WRAPPER", &self.linter);
        }
        command
    }

    /// Any other program, started in a folder of the repository.
    pub fn program(&self, name: &str, folder: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(name);
        command.args(arguments).current_dir(self.root.join(folder));
        command
    }

    /// Runs a command to its end; its output goes to the stage's log file as it comes.
    pub fn run(&self, stage: &str, mut command: Command) -> Run {
        match self.try_run(stage, &mut command) {
            Ok(run) => run,
            Err(error) => Run { success: false, output: format!("cannot run {command:?}: {error}\n") },
        }
    }

    fn try_run(&self, stage: &str, command: &mut Command) -> std::io::Result<Run> {
        let path = self.log_file(stage);
        fs::create_dir_all(path.parent().unwrap_or(&self.target))?;
        let mut log = File::options().create(true).append(true).read(true).open(&path)?;
        let start = log.seek(std::io::SeekFrom::End(0))?;
        // Plugins panic on purpose in many tests: their backtraces would bury the one line that says what failed.
        let command = command
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log.try_clone()?);
        let status = wait(Kept::spawn(command)?, &log)?;
        let bytes = fs::read(&path)?;
        let output = bytes.get(start as usize..).unwrap_or_default();
        let mut output = String::from_utf8_lossy(output).into_owned();
        if status.is_none() {
            let minutes = LONGEST_SILENCE.as_secs() / 60;
            output += &format!(
                "\nended: it wrote nothing for {minutes} minutes; its last lines say where it hangs\n"
            );
        }
        Ok(Run { success: status.is_some_and(|status| status.success()), output })
    }

    /// Where a stage's output is kept.
    pub fn log_file(&self, stage: &str) -> PathBuf {
        self.target.join("verify").join(format!("{}.log", stage.replace(' ', "-")))
    }

    /// Whether a file that was made from another is there, and newer than that.
    pub fn is_newer(&self, made: &str, source: &str) -> bool {
        let changed = |path: &str| fs::metadata(self.root.join(path)).and_then(|file| file.modified()).ok();
        changed(made).zip(changed(source)).is_some_and(|(made, source)| made >= source)
    }

    /// Names of the sub-folders of a folder, sorted; none if there is no such folder.
    pub fn folders(&self, folder: &str) -> Vec<String> {
        self.entries(folder, Path::is_dir)
    }

    /// Names of the files in a folder, sorted; none if there is no such folder.
    pub fn files(&self, folder: &str) -> Vec<String> {
        self.entries(folder, Path::is_file)
    }

    fn entries(&self, folder: &str, is_wanted: fn(&Path) -> bool) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let wanted = entries.filter(|entry| is_wanted(&entry.path()));
        let mut names: Vec<_> = wanted.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// Arguments that build what `cargo play` starts: the server and every plugin that is meant to be played with.
    pub fn release_build(&self) -> Vec<String> {
        let plugins = self.folders("plugins").into_iter().filter(|name| !name.starts_with("test-"));
        let packages = plugins.map(|name| format!("touchline-{name}")).chain(["touchline".to_owned()]);
        let selected = packages.flat_map(|package| ["--package".to_owned(), package]);
        ["build", "--release"].map(str::to_owned).into_iter().chain(selected).collect()
    }
}

/// Waits for the end; `None` if the command was ended because its log did not grow.
fn wait(mut child: Kept, log: &File) -> std::io::Result<Option<ExitStatus>> {
    let (mut length, mut grown) = (0, Instant::now());
    loop {
        if let Some(status) = child.child.try_wait()? {
            return Ok(Some(status));
        }
        let now = log.metadata()?.len();
        if now != length {
            (length, grown) = (now, Instant::now());
        }
        if grown.elapsed() > LONGEST_SILENCE {
            end_with_descendants(&mut child.child);
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Ends a command and all that it has started, as far as the system says who that is.
fn end_with_descendants(child: &mut Child) {
    let mut family = vec![child.id()];
    let mut next = 0;
    while let Some(&parent) = family.get(next) {
        next += 1;
        let listed = Command::new("pgrep").args(["-P", &parent.to_string()]).output();
        let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        family.extend(listed.unwrap_or_default().lines().filter_map(|line| line.parse::<u32>().ok()));
    }
    for id in &family[1..] {
        let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Result of a command.
pub struct Run {
    /// Whether it says that all is well.
    pub success: bool,
    /// Standard output and standard error of the command.
    pub output: String,
}
