//! `touchline serve`: a world in real time, with message board and studio.

use super::places::{self, Places};
use super::players::PlayerOptions;
use super::plugins::for_users;
use super::replay::{self, Shown};
use super::restart::{self, Handover, Next, Past};
use super::serve_options::LiveOptions;
use super::service::Beside;
use super::shelf::{OwnShelf, is_recording};
use super::watch::{self, Noting, Watch};
use super::{Failure, PluginOptions, service, shipped, soccer, soccer_params};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use touchline_board_server::BoardConfig;
use touchline_gate::{Gate, Speed};
use touchline_host::Host;
use touchline_record::{Header, Stream};
use touchline_runtime::recorder::{self, Options};
use touchline_runtime::world_loop::{self, Live};
use touchline_sim::{PluginFactory, Scenario};

/// The world that `touchline demo` plays: four against four on the field of 2003.
const DEMO: &str = "f2000";

/// Serves the world of the demonstration.
pub fn demo(options: &LiveOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    serve(Path::new(DEMO), options, plugins)
}

/// Serves a world until the program is stopped; with `--watch` the program takes its own place when a file has changed.
pub fn serve(named: &Path, options: &LiveOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    if options.handover.is_some() {
        restart::reap();
    }
    let handover = options.handover.as_deref().map(Handover::read).transpose()?;
    let next = match options.opened.as_deref() {
        Some(file) if is_recording(file) => replay_once(file, options, handover.as_ref(), plugins)?,
        opened => serve_once(opened.unwrap_or(named), options, handover.as_ref(), plugins)?,
    };
    // All that belongs to the old world has gone when the new one comes.
    next.map_or(Ok(()), |next| Err(restart::exec(&next)))
}

/// Serves a recording that was opened in place of a world.
fn replay_once(
    file: &Path,
    options: &LiveOptions,
    handover: Option<&Handover>,
    plugins: &PluginOptions,
) -> Result<Option<Next>, Failure> {
    let host = shipped::load_plugins(plugins)?;
    let options = &handover.map_or_else(|| options.clone(), |handover| handover.adapt(options));
    clear(options);
    let shelf = shelf(options, Places::find(plugins)?, &host);
    let shown = Shown { log: file, players: &PlayerOptions::default(), speed: Speed::Factor(1.0) };
    let restart = replay::replay_with(&shown, &options.service, host, shelf)?;
    restart.map(|restart| Handover::write(&restart, None)).transpose()
}

/// What can be opened in place of what is served. The Soccer Server's ports are those of one world.
fn shelf(options: &LiveOptions, places: Places, host: &Arc<Host>) -> Option<Arc<OwnShelf>> {
    let can_open = options.soccer.is_none() && cfg!(unix);
    can_open.then(|| {
        Arc::new(OwnShelf {
            places: Some(places),
            recordings: options.recordings.clone(),
            seed: options.seed,
            keys: options.service.keys.clone(),
            host: Arc::clone(host),
            opened: tokio::sync::watch::Sender::new(None),
        })
    })
}

/// Removes what the process before has left, which was read.
fn clear(options: &LiveOptions) {
    if let Some(handover) = &options.handover {
        restart::clear(handover);
    }
}

/// Serves a world; gives what the next process needs if it shall start anew.
fn serve_once(
    named: &Path,
    options: &LiveOptions,
    handover: Option<&Handover>,
    plugins: &PluginOptions,
) -> Result<Option<Next>, Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let file = places.world(named)?;
    let files = Noting::new(places.files());
    let mut world = shipped::load_world(&file, options.seed, &host, &files)?;
    if !options.soccer_conf.is_empty() {
        let mut scenario = world.scenario().clone();
        soccer_params::change(&mut scenario, |params| {
            soccer_params::read_conf(params, &options.soccer_conf)
        })?;
        world = shipped::new_world(&file, scenario, &host)?;
    }
    if options.rehearse {
        return Ok(None);
    }
    let options = &handover.map_or_else(|| options.clone(), |handover| handover.adapt(options));
    let past =
        handover.filter(|handover| handover.goes_on()).and_then(|handover| past(handover, world.scenario()));
    clear(options);
    options.models.iter().try_for_each(|folder| places::check_folder(folder, "--models"))?;
    places::check_folder(&options.recordings, "--recordings")?;
    let world_folder = file.parent().map(Path::to_owned);
    let shelf = shelf(options, places.clone(), &host);
    let beside = robots_beside(&file).filter(|_| !places.robots_are_chosen);
    let board = BoardConfig {
        robots_dir: beside.or_else(|| places.robots.clone()),
        models: options.models.iter().cloned().chain(world_folder).collect(),
        shelf: shelf.clone().map(|shelf| shelf as _),
        ..BoardConfig::default()
    };
    let scenario = world.scenario().clone();
    let header = header(&scenario, host.as_ref());
    let stream = options.service.foxglove.is_some().then(|| Stream::new(header.clone()));
    let mut soccer = options
        .soccer
        .as_deref()
        .map(|word| soccer::plan(&soccer_wish(word, options)?, &scenario, &host))
        .transpose()?;
    if let Some(plan) = &mut soccer {
        let places = options.soccer_logs.as_deref().map(|name| soccer::log_places(name, &scenario));
        plan.logs = places.transpose()?;
    }
    let steps_wait = soccer.as_ref().is_some_and(|plan| plan.is_synchronous);
    let speed = if steps_wait { Speed::Lockstep } else { options.speed };
    let watch = options.watch.then(|| {
        let libraries = watch::libraries(&scenario, &host);
        Watch::new(libraries.into_iter().chain(files.into_noted()).chain([file.clone()]))
    });
    let (mut recording, mut status) = (None, None);
    let start = || {
        let (producer, recorder, thread) = recorder::start(
            &world,
            header,
            Options {
                file: options.record.clone(),
                folder: options.recordings.clone(),
                sensors: options.record_sensors.clone(),
                keeps_past: true,
                waits: false,
                syncs: options.record_sync,
                stream: stream.clone(),
            },
        )?;
        recording = Some(thread);
        status = Some(recorder.clone());
        let mut live = Live::new(world, producer);
        if let Some(past) = &past {
            live.catch_up(&past.inputs, past.tick);
        }
        if handover.is_some_and(|handover| handover.paused) {
            live = live.paused();
        }
        Ok(world_loop::start(live, recorder, Arc::clone(&host) as _, speed)?)
    };
    let introduce = |gate: &Gate| {
        let scenario = gate.scenario();
        let mut lines = vec![
            format!("world    {} ({})", scenario.name, file.display()),
            format!("robots   {}", robots_line(scenario)),
            format!("plugins  {}", plugins_line(&host)),
        ];
        if let Some(file) = &options.record {
            lines.push(format!("record   {}", file.display()));
        }
        lines
    };
    let served = service::serve(
        &options.service,
        &scenario,
        board,
        Arc::clone(&host),
        Beside { watch, stream: stream.clone(), soccer, opened: shelf.map(|shelf| shelf.opened.subscribe()) },
        start,
        introduce,
    );
    // The loop has ended: what waits for the recorder is all there is.
    let (Some(recording), Some(recorder)) = (recording, status) else { return served.map(|_| None) };
    let next = match &served {
        Ok(Some(restart)) => Handover::write(restart, Some((&recorder.status(), &recording))).map(Some),
        _ => Ok(None),
    };
    let recorded = recording.finish().map_err(Failure::from);
    Failure::any([served.map(drop), recorded])?;
    next
}

/// What came into the world before its restart, if this one can take it.
fn past(handover: &Handover, scenario: &Scenario) -> Option<Past> {
    let past = handover.take_past(scenario);
    past.inspect_err(|why| tracing::warn!("the world starts anew at its first step: {why}")).ok()
}

/// The Soccer Server's ports beside a board with keys stand outside of them: only if that is asked for, and then its monitors watch.
fn soccer_wish<'a>(word: &'a str, options: &LiveOptions) -> Result<soccer::Wish<'a>, Failure> {
    let has_keys = options.service.keys.is_some();
    if has_keys && !options.soccer_without_keys {
        return Err(Failure::Configuration(
            "--soccer: its protocol knows no keys, so whoever reaches its ports could play past --keys\n  hint     add --soccer-without-keys if that is meant"
                .into(),
        ));
    }
    let default = if has_keys { soccer::Monitors::Watch } else { soccer::Monitors::Command };
    Ok(soccer::Wish {
        option: "--soccer",
        word,
        players: options.soccer_players,
        monitors: options.soccer_monitors.unwrap_or(default),
        patience: Duration::from_millis(options.soccer_patience_ms.into()),
    })
}

/// What a recording of this world begins with.
pub fn header(scenario: &Scenario, plugins: &dyn PluginFactory) -> Header {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
    Header::new(scenario.clone(), &plugins.descriptions(), now.to_string())
}

/// `robots` beside the folder in which the world file is.
fn robots_beside(world: &Path) -> Option<PathBuf> {
    let folder = std::fs::canonicalize(world).ok()?;
    Some(folder.parent()?.parent()?.join("robots")).filter(|robots| robots.is_dir())
}

fn robots_line(scenario: &Scenario) -> String {
    if scenario.robots.is_empty() {
        return "none yet".into();
    }
    let robot = |robot: &touchline_sim::scenario::RobotPlacement| {
        let player = robot.player.as_ref().map(|player| format!(", {}", player.choice.plugin));
        format!("{} ({}{})", robot.name, robot.spec.model, player.unwrap_or_default())
    };
    scenario.robots.iter().map(robot).collect::<Vec<_>>().join("\n         ")
}

fn plugins_line(host: &Host) -> String {
    let plugins = for_users(host);
    plugins.iter().map(|plugin| format!("{}-{}", plugin.kind, plugin.name)).collect::<Vec<_>>().join(" ")
}
