//! `touchline serve`: a world in real time, with message board and studio.

use super::options::LiveOptions;
use super::places::{self, Places};
use super::plugins::for_users;
use super::{Failure, PluginOptions, service, shipped};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_board_server::BoardConfig;
use touchline_gate::Gate;
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

pub fn serve(named: &Path, options: &LiveOptions, plugins: &PluginOptions) -> Result<(), Failure> {
    let host = shipped::load_plugins(plugins)?;
    let places = Places::find(plugins)?;
    let file = places.world(named)?;
    let world = shipped::load_world(&file, options.seed, &host, &places)?;
    options.models.iter().try_for_each(|folder| places::check_folder(folder, "--models"))?;
    let world_folder = file.parent().map(Path::to_owned);
    let beside = robots_beside(&file).filter(|_| !places.robots_are_chosen);
    let board = BoardConfig {
        robots_dir: beside.or_else(|| places.robots.clone()),
        models: options.models.iter().cloned().chain(world_folder).collect(),
        ..BoardConfig::default()
    };
    let scenario = world.scenario().clone();
    let header = header(&scenario, &host);
    let stream = options.service.foxglove.is_some().then(|| Stream::new(header.clone()));
    let mut recording = None;
    let start = || {
        let (feed, recorder, thread) = recorder::start(
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
        let live = Live::new(world, feed);
        Ok(world_loop::start(live, recorder, Arc::clone(&host) as _, options.speed)?)
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
        stream.clone(),
        start,
        introduce,
    );
    // The loop has ended: what waits for the recorder is all there is.
    let recorded = recording.map_or(Ok(()), |thread| thread.finish());
    served.and(recorded.map_err(Failure::from))
}

/// What a recording of this world begins with.
pub fn header(scenario: &Scenario, host: &Host) -> Header {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
    Header::new(scenario.clone(), &host.descriptions(), now.to_string())
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
