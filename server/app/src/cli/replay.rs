//! `touchline replay`: a recording or a game log, served as if it were live.

use super::output::{note, text};
use super::places;
use super::players::{self, PlayerOptions};
use super::restart::{self, Handover, Next};
use super::serve_options::{ReplayOptions, ServiceOptions};
use super::service::{Beside, Restart};
use super::shelf::OwnShelf;
use super::soccer_log::read_recording_or_game;
use super::{Failure, PluginOptions, service, shipped, signals};
use crate::film;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use touchline_board_server::BoardConfig;
use touchline_gate::Speed;
use touchline_host::Host;
use touchline_record::{Ending, Header, Log, Puppets, Shadow, Stream};
use touchline_runtime::world_loop::{self, Replay};
use touchline_sim::{PluginFactory, World};

/// The bar is moved after so many ticks.
const TICKS_SHOWN: u64 = 256;

/// What is shown.
pub struct Shown<'a> {
    pub log: &'a Path,
    pub players: &'a PlayerOptions,
    pub speed: Speed,
}

/// Replays a recording until the program is stopped, or makes a film of it; the program takes its own place when a client opens another one.
pub fn replay(options: &ReplayOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let shown = Shown { log: &options.log, players: &options.players, speed: options.speed };
    if let Some(file) = &options.video.video {
        return write_film(&shown, options, file, &shipped::load_plugins(plugins)?);
    }
    if options.handover.is_some() {
        restart::reap();
    }
    let next = replay_once(shown, options, plugins)?;
    // All that belongs to the old recording has gone when the new one comes.
    next.map_or(Ok(()), |next| Err(restart::exec(&next)))
}

/// Serves the recording, or the one that was opened in its place.
fn replay_once(
    shown: Shown<'_>,
    options: &ReplayOptions,
    plugins: &PluginOptions,
) -> Result<Option<Next>, Failure> {
    let host = shipped::load_plugins(plugins)?;
    let mut service = options.service.clone();
    if let Some(file) = &options.handover {
        service = Handover::read(file)?.at_the_same_addresses(&service);
        restart::clear(file);
    }
    options.recordings.iter().try_for_each(|folder| places::check_folder(folder, "--recordings"))?;
    let beside = || match options.log.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => ".".into(),
    };
    let shelf = cfg!(unix).then(|| {
        Arc::new(OwnShelf {
            places: None,
            recordings: options.recordings.clone().unwrap_or_else(beside),
            seed: None,
            keys: service.keys.clone(),
            host: Arc::clone(&host),
            opened: tokio::sync::watch::Sender::new(None),
        })
    });
    // Players of the command line are for a robot of its recording.
    let nobody = PlayerOptions::default();
    let shown = match &options.opened {
        Some(log) => Shown { log, players: &nobody, ..shown },
        None => shown,
    };
    let restart = replay_with(&shown, &service, host, shelf)?;
    restart.map(|restart| Handover::write(&restart, None)).transpose()
}

/// `--video`: the recording as a film.
fn write_film(
    shown: &Shown<'_>,
    options: &ReplayOptions,
    file: &Path,
    host: &Arc<Host>,
) -> Result<(), Failure> {
    let Speed::Factor(speed) = shown.speed else { return Err(no_film_speed()) };
    if speed <= 0.0 {
        return Err(no_film_speed());
    }
    film::check(file)?;
    let replay = rerun(shown, read_recording_or_game(shown.log, host)?, host)?;
    introduction(shown, host, &replay).iter().for_each(|line| note(line));
    let progress = signals::progress(0, "pictures");
    progress.set_message("drawing");
    let film = film::film(&replay, file, &options.video, speed, |drawn, all| {
        progress.set_length(all);
        progress.set_position(drawn);
    })?;
    progress.finish_and_clear();
    let mut out = text();
    writeln!(out, "{}: {} pictures, {:.1} s", file.display(), film.pictures, film.secs)?;
    Ok(out.flush()?)
}

fn no_film_speed() -> Failure {
    Failure::Configuration(
        "--video: a film runs forwards\n  hint     --speed with a factor above 0, such as 2 for twice as fast".into(),
    )
}

/// Serves a recording; gives what comes in its place, if somebody opens something from the shelf.
pub fn replay_with(
    shown: &Shown<'_>,
    service: &ServiceOptions,
    host: Arc<Host>,
    shelf: Option<Arc<OwnShelf>>,
) -> Result<Option<Restart>, Failure> {
    let replay = Arc::new(rerun(shown, read_recording_or_game(shown.log, &host)?, &host)?);
    let scenario = replay.log().header.scenario.clone();
    let introduce = |_: &touchline_gate::Gate| introduction(shown, &host, &replay);
    let stream = service.foxglove.is_some().then(|| Stream::new(replay.log().header.clone()));
    let start = || {
        let (replay, host) = (Arc::clone(&replay), Arc::clone(&host) as _);
        Ok(world_loop::start_replay(replay, host, shown.speed, stream.clone())?)
    };
    service::serve(
        service,
        &scenario,
        BoardConfig { shelf: shelf.clone().map(|shelf| shelf as _), ..BoardConfig::default() },
        Arc::clone(&host),
        Beside {
            watch: None,
            stream: stream.clone(),
            soccer: None,
            opened: shelf.map(|shelf| shelf.opened.subscribe()),
        },
        start,
        introduce,
    )
}

/// Runs a log's world again; plugins that are not here are stood in for.
fn rerun(shown: &Shown<'_>, log: Log, host: &Arc<Host>) -> Result<Replay, Failure> {
    let puppets = Arc::new(Puppets(Arc::clone(host) as _));
    let shadows = players::shadows(shown.players, &log, host)?;
    let world = World::with_shadows(log.header.scenario.clone(), puppets, shadows)?;
    players::check(&world)?;
    let why = other_plugins(&log.header, host);
    let first = |shadow: &Shadow| {
        let first = shadow.first.as_ref()?;
        Some((first.tick, format!("{} would do something else: {}", shadow.robot, players::fields(first))))
    };
    let progress = signals::progress(log.newest, "ticks");
    progress.set_message("running again");
    let replay = Replay::new(log, world, |tick| {
        if tick.is_multiple_of(TICKS_SHOWN) {
            progress.set_position(tick);
        }
    });
    progress.finish_and_clear();
    Ok(replay.with_differences(&why.join(", "), first))
}

fn introduction(shown: &Shown<'_>, host: &Host, replay: &Replay) -> Vec<String> {
    let log = replay.log();
    let Header { scenario, recorded_at, server, .. } = &log.header;
    let secs = log.length_secs();
    let from = match log.oldest() as f64 * scenario.dt_secs {
        0.0 => String::new(),
        from_secs => format!(", from {from_secs:.1} s on"),
    };
    let mut lines = vec![
        format!("replay   {} ({})", scenario.name, shown.log.display()),
        format!("recorded {recorded_at} by touchline {server}: {secs:.1} s{from}"),
    ];
    if let Ending::CutOff { at_byte, problem } = &log.ending {
        lines.push(format!(
            "note     the file was cut off after {at_byte} bytes: {problem}; it is shown up to there"
        ));
    }
    if let Some(difference) = replay.difference() {
        let other: Vec<String> = other_plugins(&log.header, host);
        let why = if other.is_empty() { String::new() } else { format!("; {}", other.join(", ")) };
        lines.push(format!(
            "note     run again it differs from step {} on: from there the recorded poses are shown{why}",
            difference.step
        ));
    }
    let shadows = replay.shadows().iter().flat_map(|shadow| players::lines(shadow, scenario.dt_secs));
    lines.extend(shadows.map(|line| format!("player   {line}")));
    lines
}

/// The plugins of a recording that are here in another version, or not at all.
pub fn other_plugins(header: &Header, host: &Host) -> Vec<String> {
    let here = host.descriptions();
    let other = header.plugins.iter().filter_map(|then| {
        let now = here.iter().find(|now| now.kind == then.kind && now.name == then.name);
        match now {
            Some(now) if now.version == then.version => None,
            Some(now) => {
                Some(format!("{}-{} was {}, is {}", then.kind, then.name, then.version, now.version))
            }
            None => Some(format!("{}-{} {} is not here", then.kind, then.name, then.version)),
        }
    });
    other.collect()
}
