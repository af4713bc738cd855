//! `serve --watch`: what a world was made of, and when that has changed.

use super::Failure;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};
use touchline_config::{DiskAndShipped, FileSource, SourceFile};
use touchline_host::Host;
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::Scenario;
use touchline_skills::localisation::table::digest;

/// The files are looked at this often. One that is being written looks different from look to look, and is waited for.
const PERIOD: Duration = Duration::from_millis(250);

/// A file that is still not there after so many looks has been removed.
const LOOKS_WITHOUT: u32 = 8;

/// Reads files, and notes which ones, and which ones plugins open themselves.
pub struct Noting {
    files: DiskAndShipped,
    noted: Mutex<Vec<PathBuf>>,
}

impl Noting {
    pub fn new(files: DiskAndShipped) -> Self {
        Self { files, noted: Mutex::default() }
    }

    /// The files that were read.
    pub fn into_noted(self) -> Vec<PathBuf> {
        self.noted.into_inner()
    }
}

impl FileSource for Noting {
    fn read(&self, from: &Path, name: &str) -> Result<SourceFile, String> {
        let file = self.files.read(from, name)?;
        self.noted.lock().push(file.path.clone());
        Ok(file)
    }

    fn opened(&self, from: &Path, name: &str) -> Result<PathBuf, String> {
        let path = self.files.opened(from, name)?;
        self.noted.lock().push(path.clone());
        Ok(path)
    }
}

/// The libraries of the plugins that a world names.
pub fn libraries(scenario: &Scenario, host: &Host) -> Vec<PathBuf> {
    let specs = scenario.robots.iter().map(|robot| &robot.spec);
    let of_robots = specs.flat_map(|spec| {
        let sensors = spec.sensors.iter().map(|sensor| (PluginKind::Sensor, &sensor.choice));
        sensors.chain(Some((PluginKind::Motion, &spec.motion)))
    });
    let of_teams = scenario.teams.iter().flat_map(|team| &team.players).map(|player| &player.player);
    let players = scenario.robots.iter().filter_map(|robot| robot.player.as_ref()).chain(of_teams);
    let players = players.map(|player| (PluginKind::Player, &player.choice));
    let referee = scenario.referee.as_ref().map(|referee| (PluginKind::Referee, referee));
    let chosen = of_robots.chain(players).chain(referee);
    let paths = chosen.filter_map(|(kind, choice)| host.path_of(kind, &choice.plugin));
    paths.map(Path::to_owned).collect()
}

/// By what a file is known that was written anew.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some(Stamp { bytes: metadata.len(), modified: metadata.modified().ok() })
}

/// A file as it was when the world was made of it.
struct Watched {
    stamp: Option<Stamp>,
    content: u64,
    /// As it was at the last look, if it was another one then, and at how many looks.
    seen: Option<(Option<Stamp>, u32)>,
}

/// Files that are looked at.
pub struct Watch(BTreeMap<PathBuf, Watched>);

impl Watch {
    /// Of files as they are now.
    pub fn new(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let watched = |path: PathBuf| {
            let watched = Watched { stamp: stamp(&path), content: content(&path), seen: None };
            (path, watched)
        };
        Self(files.into_iter().map(watched).collect())
    }

    /// Waits until some of them are others than before, and none is being written any more; gives those.
    pub async fn changed(&mut self) -> Vec<PathBuf> {
        let mut period = tokio::time::interval(PERIOD);
        period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            period.tick().await;
            if let Some(changed) = self.look() {
                return changed;
            }
        }
    }

    /// Looks once; gives what is new, when all of it has stayed as it is since the last look.
    fn look(&mut self) -> Option<Vec<PathBuf>> {
        let (mut is_quiet, mut new) = (true, Vec::new());
        for (path, watched) in &mut self.0 {
            let now = stamp(path);
            if now == watched.stamp {
                watched.seen = None;
                continue;
            }
            let looks = watched.seen.filter(|(seen, _)| *seen == now).map_or(0, |(_, looks)| looks);
            watched.seen = Some((now, looks + 1));
            // What is being replaced is away for a while.
            if looks >= if now.is_some() { 1 } else { LOOKS_WITHOUT } {
                new.push((path, watched, now));
            } else {
                is_quiet = false;
            }
        }
        if !is_quiet || new.is_empty() {
            return None;
        }
        let mut changed = Vec::new();
        for (path, watched, now) in new {
            let content = content(path);
            if content != watched.content {
                changed.push(path.clone());
            }
            *watched = Watched { stamp: now, content, seen: None };
        }
        Some(changed).filter(|changed| !changed.is_empty())
    }
}

/// A number for what is in a file.
fn content(path: &Path) -> u64 {
    digest(&fs::read(path).unwrap_or_default())
}

/// Files as they are called in messages.
pub fn names(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Whether the world would start with what lies on the disk now: tried in a process of its own, for this one has the old libraries.
///
/// # Errors
/// Why not.
pub fn rehearse() -> Result<(), Failure> {
    let mut program = this_program()?;
    program.arg("--rehearse").stdin(Stdio::null()).stdout(Stdio::null());
    let tried = program.output()?;
    if tried.status.success() {
        return Ok(());
    }
    Err(Failure::Resource(String::from_utf8_lossy(&tried.stderr).trim_end().to_owned()))
}

/// The program as it was called, without what one start hands to the next.
pub fn this_program() -> Result<Command, Failure> {
    let mut program = Command::new(std::env::current_exe()?);
    program.args(std::env::args_os().skip(1).filter(|argument| !starts_with(argument, "--handover=")));
    Ok(program)
}

/// The program with this file in place of its world.
pub fn this_program_with(opened: &Path) -> Result<Command, Failure> {
    let mut program = Command::new(std::env::current_exe()?);
    let is_own =
        |argument: &OsString| ["--handover=", "--opened="].iter().any(|own| starts_with(argument, own));
    let mut argument = OsString::from("--opened=");
    argument.push(opened);
    program.args(std::env::args_os().skip(1).filter(|argument| !is_own(argument))).arg(argument);
    Ok(program)
}

fn starts_with(argument: &OsString, option: &str) -> bool {
    argument.to_string_lossy().starts_with(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_modified(path: &Path, secs: u64) {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(secs)).unwrap();
    }

    /// A file counts as changed when it holds something else, and has stopped changing.
    #[test]
    fn what_is_being_written_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        for path in [&a, &b] {
            fs::write(path, "old").unwrap();
            set_modified(path, 1);
        }
        let mut watch = Watch::new([a.clone(), b.clone()]);
        assert_eq!(watch.look(), None);
        // The same once more, as by a build that had nothing to do.
        set_modified(&a, 2);
        assert_eq!((watch.look(), watch.look(), watch.look()), (None, None, None));

        fs::write(&a, "ne").unwrap();
        set_modified(&a, 3);
        assert_eq!(watch.look(), None, "just begun");
        fs::write(&a, "newer").unwrap();
        set_modified(&a, 4);
        assert_eq!(watch.look(), None, "going on");
        fs::remove_file(&b).unwrap();
        assert_eq!(watch.look(), None, "another one is being replaced");
        fs::write(&b, "new as well").unwrap();
        set_modified(&b, 5);
        assert_eq!(watch.look(), None);
        assert_eq!(watch.look(), Some(vec![a.clone(), b.clone()]));
        assert_eq!(watch.look(), None, "told once");

        // One that is gone for good is told too, once, and keeps nobody from hearing of the others.
        fs::remove_file(&b).unwrap();
        let told = (0..2 * LOOKS_WITHOUT).filter_map(|_| watch.look()).collect::<Vec<_>>();
        assert_eq!(told, [vec![b]]);
        fs::write(&a, "newest").unwrap();
        set_modified(&a, 6);
        assert_eq!((watch.look(), watch.look()), (None, Some(vec![a])));
    }
}
