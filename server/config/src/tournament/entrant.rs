//! An entrant of a tournament: whose player drives which robot.

use super::EntrantSpec;
use super::program::program;
use crate::document::{At, Document, child};
use crate::files::Player;
use crate::plugins::Plugins;
use crate::robot;
use crate::schema::nearest;
use crate::source::FileSource;
use serde_json::Value;
use std::collections::BTreeMap;
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::scenario::{PlayerChoice, Scenario};

/// The pointers of the tables in an entrant's `players`.
pub(super) fn player_tables(document: &Document, entrant: &str) -> Vec<String> {
    let players = format!("{entrant}/players");
    let keys = document.value.pointer(&players).and_then(Value::as_object);
    keys.into_iter().flat_map(|keys| keys.keys()).map(|key| child(&players, key)).collect()
}

/// An entrant with the places of what it brings.
pub(super) struct Placed {
    pub spec: EntrantSpec,
    /// Which table each robot's player comes from.
    pub tables: BTreeMap<usize, String>,
}

/// Reads an entrant, and reports what is wrong with it.
pub(super) fn entrant(
    document: &mut Document,
    read: &dyn FileSource,
    plugins: &Plugins<'_>,
    pointer: &str,
    scenario: &Scenario,
) -> Placed {
    let mut chosen: BTreeMap<usize, (Rank, String)> = BTreeMap::new();
    let sound = check_choices(document, read, plugins, pointer);
    for table in player_tables(document, pointer) {
        let key = crate::document::unescape(crate::document::split(&table).1);
        let selected = select(scenario, &key);
        if selected.is_empty() {
            unknown_robot(document, &table, At::Key, &key, scenario);
        }
        for (robot, rank) in selected {
            if chosen.get(&robot).is_none_or(|(known, _)| *known < rank) {
                chosen.insert(robot, (rank, table.clone()));
            }
        }
    }
    let program = program(document, pointer, scenario, &mut chosen);
    let drives = |index| program.as_ref().is_some_and(|program| program.robots.contains(&index));
    let tables: BTreeMap<usize, String> =
        chosen.into_iter().map(|(robot, (_, table))| (robot, table)).collect();
    let players =
        tables.iter().filter_map(|(&robot, table)| Some((robot, sound.get(table)?.clone()))).collect();
    // Of a world that is no field for two, that was said already.
    let teams = if document.is_bad("/world") { &[][..] } else { scenario.teams.as_slice() };
    for (team, name) in teams.iter().enumerate() {
        let mut robots =
            scenario.robots.iter().enumerate().filter(|(_, robot)| robot.team == Some(team as u32));
        if !robots
            .any(|(index, robot)| robot.player.is_some() || tables.contains_key(&index) || drives(index))
        {
            let what = format!("nobody plays for it in team \"{}\"", name.name);
            document.report(pointer, At::Value, "config/missing-key", what).hint =
                Some("add players.all = { plugin = \"…\" }".into());
        }
    }
    let name = document.read(&format!("{pointer}/name")).unwrap_or_default();
    Placed { spec: EntrantSpec { name, players, program }, tables }
}

/// Reports what is wrong with an entrant's plugins; gives those with which nothing is, by their tables.
pub(super) fn check_choices(
    document: &mut Document,
    read: &dyn FileSource,
    plugins: &Plugins<'_>,
    entrant: &str,
) -> BTreeMap<String, PlayerChoice> {
    let mut sound = BTreeMap::new();
    for table in player_tables(document, entrant) {
        plugins.resolve_paths(document, PluginKind::Player, &table, read);
        let choice = plugins.choice(document, PluginKind::Player, &table);
        if let (Some(_), Some(player)) = (choice, document.read::<Player>(&table)) {
            let choice = robot::choice(&player.plugin, &player.params, player.isolate);
            sound.insert(table, PlayerChoice { choice, period_secs: 1.0 / player.rate_hz });
        }
    }
    sound
}

/// How closely a key says which robot it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    All,
    Role,
    Number,
    Name,
}

/// The robots of both teams that a key means.
pub(super) fn select(scenario: &Scenario, key: &str) -> Vec<(usize, Rank)> {
    let mut in_team = [0usize; 2];
    let mut selected = Vec::new();
    for (index, robot) in scenario.robots.iter().enumerate() {
        let Some(number) = robot.team.and_then(|team| in_team.get_mut(team as usize)) else { continue };
        *number += 1;
        let rank = if robot.name == key {
            Rank::Name
        } else if number.to_string() == key {
            Rank::Number
        } else if robot.player.as_ref().is_some_and(|player| player.choice.plugin == key) {
            Rank::Role
        } else if key == "all" {
            Rank::All
        } else {
            continue;
        };
        selected.push((index, rank));
    }
    selected
}

/// Reports a key that means no robot.
pub(super) fn unknown_robot(document: &mut Document, pointer: &str, at: At, key: &str, scenario: &Scenario) {
    let of = |team: u32| scenario.robots.iter().filter(move |robot| robot.team == Some(team));
    let most = of(0).count().max(of(1).count());
    let mut words = vec!["all".to_owned()];
    for robot in of(0).chain(of(1)) {
        words.extend(robot.player.iter().map(|player| player.choice.plugin.clone()));
    }
    words.sort_unstable();
    words.dedup();
    let names: Vec<&str> = of(0).chain(of(1)).map(|robot| robot.name.as_str()).collect();
    let hint = nearest(key, words.iter().map(String::as_str).chain(names.iter().copied()));
    let hint = hint.map(|nearest| format!("did you mean \"{nearest}\"?"));
    let what = format!("\"{key}\" means no robot of world \"{}\"", scenario.name);
    let problem = document.report(pointer, at, "config/unknown-value", what);
    problem.allowed = Some(format!("{}, 1 to {most}, {}", words.join(", "), names.join(", ")));
    problem.hint = hint;
}
