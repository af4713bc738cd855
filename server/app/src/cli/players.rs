//! `--player`: new versions of players that run beside the recorded ones, and what came of it in words.

use super::Failure;
use clap::Args;
use std::collections::BTreeMap;
use std::env::consts::DLL_SUFFIX;
use std::io::{Result, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use touchline_config::shown;
use touchline_host::Host;
use touchline_plugin_api::plugin::PluginKind;
use touchline_record::{First, Input, Log, Shadow};
use touchline_sim::scenario::PlayerChoice;
use touchline_sim::{Action, Differing, MakeError, PluginFactory, ShadowPlayer, World};

/// Fields of the first difference that are told.
const MOST_FIELDS: usize = 4;
/// A longer value is cut off.
const MOST_CHARS: usize = 60;

/// Which players run beside the recorded ones.
#[derive(Debug, Default, Args)]
pub struct PlayerOptions {
    /// Run this player on the recorded world beside the robot's own: nobody hears it, its decisions are compared. PLUGIN is a
    /// library file or a plugin's name; may be given several times
    #[arg(long, value_name = "ROBOT=PLUGIN")]
    pub player: Vec<NewPlayer>,
    /// Parameters for a robot's --player, in place of the recorded player's
    #[arg(long, value_name = "ROBOT=JSON")]
    pub player_parameters: Vec<NewParameters>,
}

/// `ROBOT=PLUGIN`
#[derive(Clone, Debug)]
pub struct NewPlayer {
    robot: String,
    plugin: String,
}

impl FromStr for NewPlayer {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text.split_once('=') {
            Some((robot, plugin)) if !robot.is_empty() && !plugin.is_empty() => {
                Ok(Self { robot: robot.into(), plugin: plugin.into() })
            }
            _ => Err("ROBOT=PLUGIN, such as blue-2=target/release/libmy_player.so".into()),
        }
    }
}

/// `ROBOT=JSON`
#[derive(Clone, Debug)]
pub struct NewParameters {
    robot: String,
    params: serde_json::Value,
}

impl FromStr for NewParameters {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let wrong = || "ROBOT=JSON, such as blue-2={\"aim\": 0.5}".to_owned();
        let (robot, json) = text.split_once('=').ok_or_else(wrong)?;
        let params: serde_json::Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        if robot.is_empty() || !params.is_object() {
            return Err(wrong());
        }
        Ok(Self { robot: robot.into(), params })
    }
}

/// Finds the players that shall run beside those of a recording.
pub fn shadows(
    options: &PlayerOptions,
    log: &Log,
    host: &Arc<Host>,
) -> std::result::Result<Vec<ShadowPlayer>, Failure> {
    let robots = robots(log);
    let mut shadows: Vec<ShadowPlayer> = Vec::new();
    for new in &options.player {
        let wrong =
            |why: String| Failure::Configuration(format!("--player {}={}: {why}", new.robot, new.plugin));
        let Some(recorded) = robots.get(&new.robot) else {
            return Err(wrong(format!(
                "no robot \"{}\" in this recording\n  hint     {}",
                new.robot,
                known(&robots)
            )));
        };
        if shadows.iter().any(|shadow| shadow.robot == new.robot) {
            return Err(wrong("this robot was named before".into()));
        }
        if let Some(recorded) = recorded {
            is_here(recorded, host)
                .map_err(|why| Failure::Plugin(format!("--player {}: {why}", new.robot)))?;
        }
        let (factory, plugin) = find(&new.plugin, host)
            .map_err(|why| Failure::Plugin(format!("--player {}={}: {why}", new.robot, new.plugin)))?;
        let params = options.player_parameters.iter().find(|given| given.robot == new.robot);
        let params = params.map(|given| given.params.clone());
        shadows.push(ShadowPlayer { robot: new.robot.clone(), plugin, factory, params });
    }
    let is_used = |given: &&NewParameters| !shadows.iter().any(|shadow| shadow.robot == given.robot);
    if let Some(given) = options.player_parameters.iter().find(is_used) {
        let text = format!("--player-parameters {}: this robot has no --player", given.robot);
        return Err(Failure::Configuration(text));
    }
    Ok(shadows)
}

/// Says what is wrong with those that could not be made for robots of the world's beginning.
pub fn check(world: &World) -> std::result::Result<(), Failure> {
    let refused = world.shadows().find_map(|(robot, shadow)| Some((&robot.name, shadow.fault.as_ref()?)));
    let Some((robot, fault)) = refused else { return Ok(()) };
    Err(Failure::Plugin(format!(
        "--player {robot}: {fault}\n  hint     it gets the recorded player's parameters; --player-parameters {robot}=JSON gives it others"
    )))
}

/// The robots of a recording with the players that they have, if any.
fn robots(log: &Log) -> BTreeMap<String, Option<PlayerChoice>> {
    let first = log.header.scenario.robots.iter().map(|robot| (robot.name.clone(), robot.player.clone()));
    let mut robots: BTreeMap<_, _> = first.collect();
    for timed in &log.inputs {
        let (Input::Step(commands) | Input::Apply(commands)) = &timed.input else { continue };
        for command in commands {
            if let Action::AddRobot { name, player, .. } = &command.action {
                robots.entry(name.clone()).or_insert_with(|| player.clone());
            }
        }
    }
    robots
}

fn known(robots: &BTreeMap<String, Option<PlayerChoice>>) -> String {
    let with = robots
        .iter()
        .filter_map(|(name, player)| Some(format!("{name} ({})", player.as_ref()?.choice.plugin)));
    let without = robots.iter().filter(|(_, player)| player.is_none()).map(|(name, _)| name.clone());
    let (with, without): (Vec<String>, Vec<String>) = (with.collect(), without.collect());
    let mut parts = Vec::new();
    if !with.is_empty() {
        parts.push(format!("robots with players: {}", with.join(", ")));
    }
    if !without.is_empty() {
        parts.push(format!("driven by clients: {}", without.join(", ")));
    }
    if parts.is_empty() { "it has no robots".into() } else { parts.join("; ") }
}

/// What was recorded has to be run again, or there is no world to try the new player on.
fn is_here(recorded: &PlayerChoice, host: &Host) -> std::result::Result<(), String> {
    let plugin = &recorded.choice.plugin;
    if host.path_of(PluginKind::Player, plugin).is_some() {
        return Ok(());
    }
    Err(format!(
        "the recorded player \"{plugin}\" is not here, and the world cannot be run again without it\n  hint     keep the \
         library of then in a folder of its own and name that with --plugins DIR; without it, `touchline log verify` with the new \
         library in --plugins names the first step that differs"
    ))
}

/// A plugin by the name of its file, or by its own.
fn find(plugin: &str, host: &Arc<Host>) -> std::result::Result<(Arc<dyn PluginFactory>, String), String> {
    let path = Path::new(plugin);
    if path.components().count() < 2 && !plugin.ends_with(DLL_SUFFIX) {
        return match host.path_of(PluginKind::Player, plugin) {
            Some(_) => Ok((Arc::clone(host) as _, plugin.into())),
            None => {
                let descriptions = host.descriptions();
                let known = descriptions.iter().map(|known| (known.kind, known.name.as_str()));
                let error = MakeError::no_such_plugin(PluginKind::Player, plugin, known);
                Err(format!(
                    "{error}\n  hint     a library is named with its folder, such as ./{plugin}{DLL_SUFFIX}"
                ))
            }
        };
    }
    let host = host.of_file(path).map_err(|attempt| attempt.to_string())?;
    match host.descriptions().pop() {
        Some(found) if found.kind == PluginKind::Player => Ok((Arc::new(host), found.name)),
        Some(found) => Err(format!("{} is a {} plugin, not a player", found.name, found.kind)),
        None => Err("it holds no plugin".into()),
    }
}

/// What came of a robot's new player: one sentence, and those that explain it.
pub fn lines(shadow: &Shadow, dt_secs: f64) -> Vec<String> {
    let Shadow { robot, plugin, compared, differing, .. } = shadow;
    let decisions = format!("{compared} decisions");
    let count = match (*compared, *differing) {
        (0, _) => "was never asked".into(),
        (_, 0) if shadow.same_bits => format!("{decisions}, all the same, bit by bit"),
        (_, 0) => format!("{decisions}, all the same"),
        _ => format!("{decisions}, {differing} of them differ"),
    };
    let mut lines = vec![format!("{robot}: {plugin}: {count}")];
    if shadow.driven_by_client && *compared > 0 {
        lines.push("  clients drove it: only the motion command is compared".into());
    }
    if let Some(first) = &shadow.first {
        lines.push(format!("  first in {}: {}", when(first.step, first.tick, dt_secs), fields(first)));
    }
    for largest in &shadow.largest {
        let when = when(largest.step, largest.tick, dt_secs);
        lines.push(format!("  {} differs most in {when}: by {}", largest.field, largest.by));
    }
    if let Some(first) = &shadow.first_thought {
        let when = when(first.step, first.tick, dt_secs);
        let times = shadow.differing_thoughts;
        lines
            .push(format!("  it publishes something else {times} times, first in {when}: {}", fields(first)));
    }
    if let Some(fault) = &shadow.fault {
        lines.push(format!("  it was stopped: {fault}"));
    }
    lines
}

fn when(step: u64, tick: u64, dt_secs: f64) -> String {
    format!("step {step} (tick {tick}, {:.2} s)", tick as f64 * dt_secs)
}

/// The fields of a first difference.
pub fn fields(first: &First) -> String {
    let text = |Differing { field, recorded, new, .. }: &Differing| {
        format!("{field} {}, new {}", clip(recorded), clip(new))
    };
    let mut told: Vec<String> = first.fields.iter().take(MOST_FIELDS).map(text).collect();
    if let Some(more) = first.fields.len().checked_sub(MOST_FIELDS + 1) {
        told.push(format!("and {} more", more + 1));
    }
    told.join("; ")
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", shown(&text[..end])),
        None => shown(text),
    }
}

/// Prints what came of all new players.
pub fn print(all: &[Shadow], dt_secs: f64, out: &mut impl Write) -> Result<()> {
    all.iter().flat_map(|shadow| lines(shadow, dt_secs)).try_for_each(|line| writeln!(out, "{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_and_their_parameters_are_read() {
        let new: NewPlayer = "blue-2=target/release/libx.so".parse().unwrap();
        assert_eq!((new.robot.as_str(), new.plugin.as_str()), ("blue-2", "target/release/libx.so"));
        for wrong in ["blue-2", "=x", "blue-2=", ""] {
            assert!(wrong.parse::<NewPlayer>().is_err(), "{wrong}");
        }
        assert!("blue-2={\"aim\": 1}".parse::<NewParameters>().is_ok());
        for wrong in ["blue-2", "={}", "blue-2=1", "blue-2={aim}"] {
            assert!(wrong.parse::<NewParameters>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_first_difference_is_told_in_short() {
        let field = |name: &str, new: &str| Differing {
            field: name.into(),
            recorded: "0".into(),
            new: new.into(),
            by: None,
            is_thought: false,
        };
        let long = "é".repeat(100);
        let mut fields_: Vec<Differing> = (0..6).map(|number| field(&format!("n{number}"), "1")).collect();
        fields_[1].new = long;
        let text = fields(&First { tick: 5, step: 5, fields: fields_ });
        assert!(
            text.starts_with("n0 0, new 1; n1 0, new éé")
                && text.ends_with("…; n2 0, new 1; n3 0, new 1; and 2 more"),
            "{text}"
        );
    }
}
