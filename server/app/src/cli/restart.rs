//! What a served world or recording hands to the process that takes its place (`serve --watch`, `OPEN`): where it listens, how it goes, and its past.

use super::option_values::speed;
use super::serve_options::{LiveOptions, ServiceOptions};
use super::service::Restart;
use super::{Failure, watch};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use touchline_record::{Log, Tick, TimedInput};
use touchline_runtime::recorder::{Recording, Status};
use touchline_sim::Scenario;

/// The file's name in a folder of its own.
const FILE: &str = "handover.json";
const PAST: &str = "past.mcap";

/// What goes from one process to the next.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// The files that have changed.
    pub changed: Vec<PathBuf>,
    /// Whether time stood.
    pub paused: bool,
    board: String,
    studio: String,
    foxglove: Option<String>,
    /// As it was set, unless another world is opened.
    speed: Option<String>,
    /// The new recording, if there was one.
    record: Option<PathBuf>,
    /// A log with all that came in since the first step; none where another world is opened.
    past: Option<PathBuf>,
}

/// What the next process is told.
pub struct Next {
    /// The file of the handover.
    handover: PathBuf,
    /// What it shows in place of what this one has shown.
    opened: Option<PathBuf>,
}

/// What came into the world before.
pub struct Past {
    /// Since the first step.
    pub inputs: Vec<TimedInput>,
    /// How far it had come.
    pub tick: Tick,
}

/// A match's whole past lies in it: nobody else on this machine may look.
fn folder_of_ours() -> std::io::Result<PathBuf> {
    let mut folder = tempfile::Builder::new();
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    Ok(folder.prefix("touchline-").tempdir()?.keep())
}

impl Handover {
    /// Writes down a world whose loop has ended; a replay has no recorder.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn write(restart: &Restart, recorder: Option<(&Status, &Recording)>) -> Result<Next, Failure> {
        let folder = folder_of_ours()?;
        let goes_on = restart.opened.is_none();
        let past = recorder.filter(|_| goes_on).map(|(_, recording)| recording.save_to(folder.join(PAST)));
        let past = past.transpose()?;
        let handover = Self {
            changed: restart.changed.clone(),
            paused: goes_on && restart.status.paused,
            board: restart.board.to_string(),
            studio: restart.studio.map_or_else(|| "off".into(), |address| address.to_string()),
            foxglove: restart.foxglove.map(|address| address.to_string()),
            speed: goes_on.then(|| restart.status.speed.to_string()),
            record: recorder.and_then(|(status, _)| status.file.as_deref().map(next_file)),
            past,
        };
        let file = folder.join(FILE);
        serde_json::to_writer(File::create(&file)?, &handover).map_err(std::io::Error::from)?;
        Ok(Next { handover: file, opened: restart.opened.clone() })
    }

    /// Reads what the process before has written.
    ///
    /// # Errors
    /// When it is not there.
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let unreadable = |error: std::io::Error| Failure::Resource(format!("{}: {error}", file.display()));
        let text = fs::read(file).map_err(unreadable)?;
        serde_json::from_slice(&text).map_err(|error| unreadable(error.into()))
    }

    /// The options of the process before, as they have come to be.
    pub fn adapt(&self, options: &LiveOptions) -> LiveOptions {
        let mut options = options.clone();
        options.service = self.at_the_same_addresses(&options.service);
        options.record.clone_from(&self.record);
        options.speed = self.speed.as_deref().and_then(|word| speed(word).ok()).unwrap_or(options.speed);
        options
    }

    /// Where the process before has listened.
    pub fn at_the_same_addresses(&self, service: &ServiceOptions) -> ServiceOptions {
        ServiceOptions {
            board: self.board.clone(),
            studio: self.studio.clone(),
            foxglove: self.foxglove.clone(),
            ..service.clone()
        }
    }

    /// Whether it is the same world that starts anew.
    pub fn goes_on(&self) -> bool {
        self.past.is_some()
    }

    /// What came into the world before; an error says why this world has to begin at its first step.
    pub fn take_past(&self, scenario: &Scenario) -> Result<Past, String> {
        let past = self.past.as_ref().ok_or("another one was opened")?;
        let log = File::open(past).map_err(|error| error.to_string());
        let log = log.and_then(|file| Log::read(file).map_err(|error| error.to_string()));
        let log = log?;
        same_objects(&log.header.scenario, scenario)?;
        if log.gaps.iter().any(|gap| gap.inputs_lost) {
            return Err("inputs were lost (lost_inputs= of STATUS counts them)".into());
        }
        Ok(Past { inputs: log.inputs, tick: log.newest })
    }
}

/// Removes what the process before has written.
pub fn clear(handover: &Path) {
    if let Some(folder) = handover.parent() {
        // It lies among temporary files: what stays there is no harm.
        let _ = fs::remove_dir_all(folder);
    }
}

/// Inputs name teams, robots and balls by their numbers: they mean the same ones only where those are the same.
fn same_objects(then: &Scenario, now: &Scenario) -> Result<(), String> {
    let robots = |scenario: &Scenario| -> Vec<String> {
        scenario.robots.iter().map(|robot| robot.name.clone()).collect()
    };
    let teams = |scenario: &Scenario| -> Vec<String> {
        scenario.teams.iter().map(|team| team.name.clone()).collect()
    };
    let is_other = [
        (robots(then) != robots(now), "other robots"),
        (teams(then) != teams(now), "other teams"),
        (then.balls.len() != now.balls.len(), "another number of balls"),
        (then.dt_secs != now.dt_secs, "another step"),
    ];
    match is_other.iter().find(|(is_other, _)| *is_other) {
        Some((_, what)) => Err(format!("the world has {what} now")),
        None => Ok(()),
    }
}

/// `match-2.mcap` after `match.mcap`: the first of its kind that is not there.
fn next_file(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (name, last) =
        match stem.rsplit_once('-').and_then(|(name, number)| Some((name, number.parse().ok()?))) {
            Some((name, number)) => (name.to_owned(), number),
            None => (stem, 1_u32),
        };
    // A name may have dots of its own.
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let numbered = |number: u32| file.with_file_name(format!("{name}-{number}{ending}"));
    (last.saturating_add(1)..).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| file.to_owned())
}

/// Takes leave of the processes that the program before had started: its isolated plugins have died with it, and would be listed as its
/// dead for ever. What has not quite died yet is left.
pub fn reap() {
    #[cfg(unix)]
    while let Ok(Some(_)) = rustix::process::wait(rustix::process::WaitOptions::NOHANG) {}
}

/// Becomes the program once more; it comes back only if that fails.
#[cfg(unix)]
pub fn exec(next: &Next) -> Failure {
    use std::os::unix::process::CommandExt;
    let mut argument = std::ffi::OsString::from("--handover=");
    argument.push(&next.handover);
    match next.opened.as_deref().map_or_else(watch::this_program, watch::this_program_with) {
        Ok(mut program) => program.arg(argument).exec().into(),
        Err(failure) => failure,
    }
}

/// Becomes the program once more.
#[cfg(not(unix))]
pub fn exec(_: &Next) -> Failure {
    Failure::Resource("--watch: a program can be started in the place of another on Unix alone".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I6: what a match has come to is nobody else's to read.
    #[cfg(unix)]
    #[test]
    fn others_of_this_machine_may_not_look_into_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder_of_ours().unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        fs::remove_dir(folder).unwrap();
    }

    #[test]
    fn the_next_recording_has_the_next_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        assert_eq!(next_file(&path("match.mcap")), path("match-2.mcap"));
        assert_eq!(next_file(&path("match-2.mcap")), path("match-3.mcap"));
        fs::write(path("match-3.mcap"), "").unwrap();
        assert_eq!(next_file(&path("match-2.mcap")), path("match-4.mcap"));
        assert_eq!(next_file(&path("f2000.v-x")), path("f2000-2.v-x"));
        fs::write(path("run.mcap"), "").unwrap();
        assert_eq!(next_file(&path("run.2026-11-28.mcap")), path("run.2026-11-29.mcap"));
        assert_eq!(next_file(&path("day.1.mcap")), path("day.1-2.mcap"));
        assert_eq!(next_file(&path("bare")), path("bare-2"));
    }
}
