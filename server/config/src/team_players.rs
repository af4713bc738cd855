//! Players that belong to a team: their tables in a world file. (Y1)

use crate::document::{At, Document};
use crate::files::{self, TeamPlayerSees};
use crate::plugins::Plugins;
use crate::robot::{self, Surroundings};
use crate::source::FileSource;
use crate::world::team_index;
use touchline_plugin_api::player::{RobotDescription, is_robot_name};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::scenario::{PlayerChoice, Sees, TeamPlayer};

/// Makes each on trial; `description` is that of a robot of the world, by its place.
pub(crate) fn check<'a>(
    document: &mut Document,
    source: &dyn FileSource,
    plugins: &Plugins<'_>,
    surroundings: &Surroundings,
    description: impl Fn(usize) -> Option<&'a RobotDescription>,
) {
    let robots = document.items("/robot");
    let text = |document: &Document, pointer: String| document.read::<String>(&pointer);
    let mut names: Vec<String> =
        robots.iter().filter_map(|robot| text(document, format!("{robot}/name"))).collect();
    for (team, pointer) in (0u32..).zip(document.items("/team")) {
        for table in document.items(&format!("{pointer}/player")) {
            let name_pointer = format!("{table}/name");
            let name = text(document, name_pointer.clone()).unwrap_or_default();
            check_name(document, &name_pointer, &name, &names);
            names.push(name);
            plugins.resolve_paths(document, PluginKind::Player, &table, source);
            let Some(choice) = plugins.choice(document, PluginKind::Player, &table) else { continue };
            let Some(player) = document.read::<files::TeamPlayer>(&table) else { continue };
            let of_team = robots.iter().enumerate().filter_map(|(place, robot)| {
                let of = text(document, format!("{robot}/team"));
                let is_of_team = of.and_then(|of| team_index(&surroundings.teams, &of)) == Some(team);
                let name = text(document, format!("{robot}/name"))?;
                let known = description(place).filter(|_| is_of_team)?;
                Some(RobotDescription { name, team: Some(team), ..known.clone() })
            });
            let (teams, world) = (surroundings.teams.clone(), surroundings.world.clone());
            let setup =
                touchline_sim::team_player_setup(&spec(&player), team, teams, of_team.collect(), world);
            let result = plugins.factory.player(&choice, &setup);
            plugins.made(document, PluginKind::Player, &table, result);
        }
    }
}

fn check_name(document: &mut Document, pointer: &str, name: &str, taken: &[String]) {
    if name.is_empty() {
        return;
    }
    if taken.iter().any(|taken| taken == name) {
        let what = format!("there is another \"{name}\" among the robots and the teams' players");
        document.report(pointer, At::Value, "config/duplicate-name", what).hint =
            Some("give each a name of its own".into());
    } else if !is_robot_name(name) {
        let what = "commands would take the name for a number, or for who sends them";
        document.report(pointer, At::Value, "config/bad-value", what).allowed =
            Some("a name with a letter in it, other than \"me\"".into());
    }
}

/// Converts the table of the file into the scenario's form.
pub(crate) fn spec(player: &files::TeamPlayer) -> TeamPlayer {
    TeamPlayer {
        name: player.name.clone(),
        player: PlayerChoice {
            choice: robot::choice(&player.plugin, &player.params, player.isolate),
            period_secs: 1.0 / player.rate_hz,
        },
        sees: match player.sees {
            TeamPlayerSees::Nothing => Sees::Nothing,
            TeamPlayerSees::Truth => Sees::Truth,
        },
        is_trainer: player.trainer,
    }
}
