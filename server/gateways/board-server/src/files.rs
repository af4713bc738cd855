//! Robot files: those of the server by name, and those that clients send; and the files that players open. [C2, R1]
//!
//! Reading and parsing is done beside the connections' threads, by a few at a time.

use crate::errors::request_error;
use crate::models::Models;
use crate::pace::Share;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until};
use touchline_board::{Problem, Reply};
use touchline_config::{FileSource, Report, ShippedParts, SourceFile, parse_robot, read_text};
use touchline_gate::RequestError;
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, SensorInstance};
use touchline_plugin_api::motion::MotionSetup;
use touchline_plugin_api::plugin::{PluginDescription, PluginKind};
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::scenario::{PlayerChoice, PluginChoice, RobotSpec};
use touchline_sim::{
    CommandError, MakeError, Match, PluginFactory, RobotIdentity, Scenario, describe_robot, prepare_player,
};

/// So many problems of a robot file are told: a file may be wrong in each of its lines, and what is said of it is longer than it is.
const MOST_PROBLEMS: usize = 100;
/// So many robot files are read at a time.
const WORKERS: usize = 2;

/// Where a new robot's file comes from.
pub(crate) enum Source {
    /// One of the server's files, by name.
    File(String),
    /// Contents of a robot file.
    Text(String),
}

/// Makes robots of files. Its functions may take long, and are called where that holds up nobody.
pub(crate) trait Read: Send + Sync {
    /// The robot of this name that a file describes.
    fn robot(&self, name: &str, source: Source) -> Result<Arc<RobotSpec>, Reply>;
    /// The server's robot files by name, with the first line of their opening comments.
    fn list(&self) -> Vec<(String, String)>;
    /// A player as the world shall have it.
    fn player(&self, wanted: Wanted) -> Result<Ready, Reply>;
}

/// A player that is wanted, and all that it is told of its world.
pub(crate) struct Wanted {
    pub player: PlayerChoice,
    pub robot: Driven,
    pub scenario: Arc<Scenario>,
    pub game: Match,
}

/// The robot that it shall drive.
pub(crate) enum Driven {
    There(Arc<RobotIdentity>),
    New {
        name: String,
        team: Option<u32>,
        spec: Arc<RobotSpec>,
    },
    /// The world says that it is not there.
    Gone,
}

/// A player with the files themselves in place of their names.
pub(crate) struct Ready {
    pub player: PlayerChoice,
    /// What was loaded already: the world makes its player of it, if it does so while this is kept.
    pub made: Option<Arc<dyn PlayerInstance>>,
}

/// One connection's share of the time that reading files takes.
pub(crate) struct FilesShare {
    share: Mutex<Share>,
    epoch: Instant,
}

impl FilesShare {
    pub fn new(ms_per_s: u32) -> Self {
        Self { share: Mutex::new(Share::new(ms_per_s)), epoch: Instant::now() }
    }

    /// Reading a file took so long; gives when the next may be read, if that is later.
    fn take(&self, took: Duration) -> Option<Instant> {
        let now_us = self.epoch.elapsed().as_micros() as u64;
        let mut share = self.share.lock();
        share.take(now_us, took.as_micros() as u64);
        share.next_us(now_us).map(|next_us| self.epoch + Duration::from_micros(next_us))
    }
}

/// Robot files, for all connections or for one.
#[derive(Clone)]
pub(crate) struct Files {
    read: Arc<dyn Read>,
    /// Permits for reading files, so that not all clients read at once.
    work: Arc<Semaphore>,
    /// Of the one connection that asks, where its time is counted.
    share: Option<Arc<FilesShare>>,
}

impl Files {
    pub fn new(read: Arc<dyn Read>) -> Self {
        Self { read, work: Arc::new(Semaphore::new(WORKERS)), share: None }
    }

    /// The same for one connection, whose time is counted.
    pub fn of_one(&self, share: &Arc<FilesShare>) -> Self {
        Self { share: Some(Arc::clone(share)), ..self.clone() }
    }

    /// The robot that a file describes.
    pub async fn robot(&self, name: String, source: Source) -> Result<Arc<RobotSpec>, Reply> {
        self.beside(move |read| read.robot(&name, source)).await
    }

    /// The server's robot files by name, with what is said of them.
    pub async fn list(&self) -> Result<Vec<(String, String)>, Reply> {
        self.beside(|read| Ok(read.list())).await
    }

    /// A player as the world shall have it: whatever it loads is loaded here, and neither by the world's thread nor a connection's.
    pub async fn player(&self, wanted: Wanted) -> Result<Ready, Reply> {
        self.beside(move |read| read.player(wanted)).await
    }

    /// Does what takes long, or waits for the disk, without holding up a connection.
    async fn beside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Read) -> Result<T, Reply> + Send + 'static,
    ) -> Result<T, Reply> {
        let stopping = |_| request_error(&RequestError::Stopping);
        let permit = self.work.acquire().await.map_err(stopping)?;
        let read = Arc::clone(&self.read);
        let timed = tokio::task::spawn_blocking(move || {
            let began = std::time::Instant::now();
            (work(&*read), began.elapsed())
        });
        let (came, took) = timed.await.unwrap_or_else(|error| {
            tracing::error!(%error, "board: reading a robot file failed");
            let message = "the server could not read the robot file; its log says why";
            (Err(Reply::error("plugin/failed", message)), Duration::ZERO)
        });
        drop(permit);
        if let Some(next) = self.share.as_ref().and_then(|share| share.take(took)) {
            sleep_until(next).await;
        }
        came
    }
}

/// A folder of robot files; none if the server has none.
pub(crate) struct Folder {
    pub folder: Option<PathBuf>,
    pub models: Models,
    pub factory: Arc<dyn PluginFactory>,
}

impl Read for Folder {
    fn robot(&self, name: &str, source: Source) -> Result<Arc<RobotSpec>, Reply> {
        read_robot(self.folder.as_deref(), name, source, &*self.factory)
    }

    fn list(&self) -> Vec<(String, String)> {
        list(self.folder.as_deref())
    }

    fn player(&self, wanted: Wanted) -> Result<Ready, Reply> {
        let Wanted { mut player, robot, scenario, game } = wanted;
        let known = self.factory.descriptions();
        let is_meant = |kind, name: &str| kind == PluginKind::Player && name == player.choice.plugin;
        // One that is not there the world refuses.
        if let Some(plugin) = known.iter().find(|plugin| is_meant(plugin.kind, &plugin.name)) {
            self.models.resolve(plugin, &mut player.choice.params)?;
        }
        let (factory, words) = (&*self.factory, game.description());
        let described = match &robot {
            Driven::There(robot) => Some(robot.description.clone()),
            // What is wrong with it the world says.
            Driven::New { name, team, spec } => {
                describe_robot(&scenario, words, factory, (name, *team), spec).ok()
            }
            Driven::Gone => None,
        };
        let made = described.map(|robot| prepare_player(&scenario, words, factory, &robot, &player));
        let refused = |error| request_error(&RequestError::Refused(CommandError::Plugin(error)));
        Ok(Ready { made: made.transpose().map_err(refused)?, player })
    }
}

/// What a server without robot files has to include, or to open.
struct Nothing;

impl FileSource for Nothing {
    fn read(&self, _: &Path, _: &str) -> Result<SourceFile, String> {
        Err("no such file".into())
    }

    fn opened(&self, _: &Path, _: &str) -> Result<PathBuf, String> {
        Err("no such file".into())
    }
}

/// What makes the plugins of a robot file that a client sends: none in a process of its own, of which one file could ask for 65.
struct Sent<'a>(&'a dyn PluginFactory);

impl Sent<'_> {
    fn check(kind: PluginKind, choice: &PluginChoice) -> Result<(), MakeError> {
        if !choice.isolate {
            return Ok(());
        }
        let message = "a robot file that is sent starts no processes: leave `isolate` out".into();
        Err(MakeError::Failed { kind, name: choice.plugin.clone(), message })
    }
}

impl PluginFactory for Sent<'_> {
    fn descriptions(&self) -> Vec<PluginDescription> {
        self.0.descriptions()
    }

    fn attempts(&self, kind: PluginKind, name: &str) -> Vec<String> {
        self.0.attempts(kind, name)
    }

    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        Self::check(PluginKind::Motion, choice)?;
        self.0.motion(choice, setup)
    }

    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        Self::check(PluginKind::Sensor, choice)?;
        self.0.sensor(choice, setup)
    }
}

fn read_robot(
    folder: Option<&Path>,
    name: &str,
    source: Source,
    factory: &dyn PluginFactory,
) -> Result<Arc<RobotSpec>, Reply> {
    let sent = Sent(factory);
    let (path, text, factory) = match source {
        Source::Text(text) => (PathBuf::from(format!("{name}.toml")), text, &sent as &dyn PluginFactory),
        Source::File(file) => shipped(folder, &file).map(|(path, text)| (path, text, factory))?,
    };
    // Without a folder there is nothing that a file could include.
    let parts = ShippedParts::new(folder.unwrap_or(Path::new("")));
    match folder {
        Some(_) => parse_robot(&text, &path, &parts, factory),
        None => parse_robot(&text, &path, &Nothing, factory),
    }
    .map(Arc::new)
    .map_err(|report| refused(&report, &path, folder))
}

/// One of the server's robot files; its name is a plain word, with or without `.toml`.
fn shipped(folder: Option<&Path>, file: &str) -> Result<(PathBuf, String), Reply> {
    let stem = file.strip_suffix(".toml").unwrap_or(file);
    let is_word = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let path = folder
        .filter(|_| !stem.is_empty() && is_word(stem))
        .map(|folder| folder.join(format!("{stem}.toml")));
    let read = path.and_then(|path| Some((read_text(&path).ok()?, path)));
    read.map(|(text, path)| (path, text)).ok_or_else(|| {
        let names: Vec<String> = list(folder).into_iter().map(|(name, _)| name).collect();
        let known = match names.is_empty() {
            true => "this server has none; start it with --robots DIR".into(),
            false => {
                let meant = touchline_config::nearest(stem, names.iter().map(String::as_str));
                let meant = meant.map(|name| format!("did you mean {name}? there are: "));
                format!("{}{}", meant.unwrap_or_default(), names.join(", "))
            }
        };
        Reply::error("board/no-such-file", format!("no robot file \"{file}\"; {known}")).with("file", file)
    })
}

/// The server's robot files by name, with the first line of their opening comments.
fn list(folder: Option<&Path>) -> Vec<(String, String)> {
    let Some(entries) = folder.and_then(|folder| std::fs::read_dir(folder).ok()) else { return Vec::new() };
    let mut files: Vec<(String, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?.strip_suffix(".toml")?.to_owned();
            let text = read_text(&entry.path()).ok()?;
            let comment = text.lines().next().and_then(|line| line.strip_prefix('#')).unwrap_or_default();
            Some((name, comment.trim().to_owned()))
        })
        .collect();
    files.sort_unstable();
    files
}

/// All that is wrong with a file, a line each; where the server keeps its files is nobody's business.
fn refused(report: &Report, path: &Path, folder: Option<&Path>) -> Reply {
    let inside = |file: &Path| {
        let file = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
        file.display().to_string()
    };
    let count = report.problems.len();
    let problems: Vec<Problem> = report
        .problems
        .iter()
        .take(MOST_PROBLEMS)
        .map(|problem| Problem {
            file: (problem.file != path).then(|| inside(&problem.file)),
            line: Some(problem.line),
            column: Some(problem.column),
            code: problem.code.into(),
            message: problem.what.clone(),
            got: problem.got.clone(),
            allowed: problem.allowed.clone(),
            hint: problem.hint.clone(),
        })
        .collect();
    let plural = if count == 1 { "" } else { "s" };
    let first =
        if count > MOST_PROBLEMS { format!("; the first {MOST_PROBLEMS} are told") } else { String::new() };
    Reply::problems(
        "config/bad-file",
        format!("the robot file has {count} problem{plural}{first}"),
        &problems,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R1: who has mistyped a robot's name is told the one that he meant.
    #[test]
    fn a_name_that_is_nearly_right_is_told() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["pioneer", "omni3"] {
            std::fs::write(folder.path().join(format!("{name}.toml")), "# A robot.\n").unwrap();
        }
        let said = |file: &str| {
            let mut text = Vec::new();
            shipped(Some(folder.path()), file).unwrap_err().write(None, "ROBOT", &mut text);
            String::from_utf8(text).unwrap()
        };
        let nearly = said("pioner");
        assert!(nearly.contains("did you mean pioneer? there are: omni3, pioneer"), "{nearly}");
        assert!(!said("zebra").contains("did you mean"), "{}", said("zebra"));
    }

    /// A second's share at once, and then no more than the share: 10 ms of reading at 50 ms in each second every 200 ms.
    #[tokio::test(start_paused = true)]
    async fn files_are_read_at_the_pace_of_their_share() {
        let share = FilesShare::new(50);
        let took = Duration::from_millis(10);
        let mut read_at_ms = Vec::new();
        for _ in 0..10 {
            read_at_ms.push(share.epoch.elapsed().as_millis());
            if let Some(next) = share.take(took) {
                sleep_until(next).await;
            }
        }
        assert_eq!(read_at_ms[..6], [0; 6]);
        let pauses: Vec<u128> = read_at_ms[5..].windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(pauses.iter().all(|pause| (199..=202).contains(pause)), "{read_at_ms:?}");
    }
}
