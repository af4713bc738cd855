//! A world file: from its text to a [`Scenario`], with the robot files that it names.

mod scenario;

use crate::document::{At, Document};
use crate::episode;
use crate::files::{self, WorldFile};
use crate::physics;
use crate::plugins::Plugins;
use crate::report::{Problem, Report};
use crate::robot::{self, CheckedRobot, First, Surroundings};
use crate::schema::{Schema, nearest};
use crate::shapes;
use crate::source::{FileSource, SourceFile};
use crate::team_players;
use scenario::{fixture_of, fixture_primitive, scenario};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::player::{RobotDescription, is_robot_name};
use touchline_plugin_api::plugin::PluginKind;
use touchline_plugin_api::referee::RefereeSetup;
use touchline_plugin_api::world::WorldDescription;
use touchline_sim::scenario::{Fixture, MAX_SPEED_M_S, PlayerChoice, Scenario, fixture_names};
use touchline_sim::{CommandError, Standing, WorldError};

/// A world names at most this many different robot files.
const MAX_ROBOT_FILES: usize = 256;

pub(crate) fn schema() -> Option<&'static Schema> {
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::new(crate::world_rules()).ok()).as_ref()
}

/// The robot files of a world, each read once.
#[derive(Default)]
struct RobotFiles {
    by_path: BTreeMap<PathBuf, Option<CheckedRobot>>,
    problems: Vec<Problem>,
}

/// Reads a world file and its robot files.
///
/// # Errors
/// Everything that is wrong with any of them.
pub(crate) fn read(
    file: SourceFile,
    source: &dyn FileSource,
    plugins: &Plugins<'_>,
) -> Result<Scenario, Vec<Problem>> {
    let mut document = Document::parse(file, source);
    if let Some(schema) = schema() {
        schema.check(&mut document, "");
    }
    document.check_unique("/team", "name");
    document.check_unique("/robot", "name");
    check_robot_names(&mut document);
    let teams = team_names(&document);
    check_fixtures(&mut document, &teams);
    let dt_secs = document.read("/dt_s").unwrap_or(Surroundings::default().dt_secs);
    check_step(&mut document, dt_secs);
    physics::check(&mut document);
    let world = description(&document, dt_secs, &teams);
    let mut surroundings = Surroundings { dt_secs, teams, world };
    plugins.resolve_paths(&mut document, PluginKind::Referee, "/referee", source);
    if let Some(game) = check_referee(&mut document, plugins, &surroundings) {
        surroundings.world.game = game;
    }
    for pointer in document.items("/ball") {
        if let Some(ball) = document.read::<files::Ball>(&pointer) {
            shapes::check_surface(&mut document, &pointer, ball.surface());
            if ball.velocity_m_s.iter().any(|speed| speed.abs() > MAX_SPEED_M_S) {
                let what = "\"velocity_m_s\" is outside what is allowed";
                let pointer = format!("{pointer}/velocity_m_s");
                document.report(&pointer, At::Value, "config/out-of-range", what).allowed =
                    Some(format!("-{MAX_SPEED_M_S} <= each <= {MAX_SPEED_M_S} (m/s)"));
            }
        }
    }
    let mut robots = RobotFiles::default();
    let paths = check_robots(&mut document, source, plugins, &surroundings, &mut robots);
    team_players::check(&mut document, source, plugins, &surroundings, |robot| {
        let path = paths.get(robot)?.as_ref()?;
        Some(&robots.by_path.get(path)?.as_ref()?.description)
    });
    check_overlaps(&mut document, &paths, &robots);
    let starts = episode::check(&mut document, source);
    let file = document.finish::<WorldFile>();
    let mut problems = document.problems;
    problems.append(&mut robots.problems);
    match file {
        Some(file) if problems.is_empty() => Ok(Scenario {
            episode: episode::spec(&file, starts),
            ..scenario(&file, &surroundings.teams, &paths, &robots)
        }),
        _ => Err(problems),
    }
}

/// What the simulation refuses of a file that was read without a problem.
pub(crate) fn refused(file: SourceFile, source: &dyn FileSource, error: &WorldError) -> Report {
    let mut document = Document::parse(file, source);
    // Only robots have an index; the rest is the referee.
    let table = error.index.map_or_else(|| "/referee".to_owned(), |index| format!("/robot/{index}"));
    let (place, code) = match &error.error {
        CommandError::WorldIsFull(_) => ("name", "config/no-place"),
        CommandError::NoRoom { .. } => ("pose", "config/overlap"),
        CommandError::NoStart(_) => ("", "config/no-place"),
        CommandError::Plugin(_) => ("name", "plugin/failed"),
        _ => ("name", "config/refused"),
    };
    let pointer = match &error.error {
        CommandError::NoStart(_) => "/episode".to_owned(),
        _ if error.index.is_some() => format!("{table}/{place}"),
        _ => format!("{table}/plugin"),
    };
    let what = match &error.error {
        // The robot is named before it.
        CommandError::WorldIsFull(_) => "there is no free place for it in this world".to_owned(),
        CommandError::NoRoom { other, .. } => format!("overlaps {other} at the start"),
        CommandError::BadRobot { problem, .. } => problem.clone(),
        other => other.to_string(),
    };
    document.report(&pointer, At::Value, code, what).hint = match &error.error {
        CommandError::WorldIsFull(_) => {
            Some("say where it starts: pose = { x_m = 1.0, y_m = 0.5 }, or leave a robot out".into())
        }
        CommandError::NoStart(_) => {
            Some("widen the ranges of its [[episode.start]], or correct the row of the list".into())
        }
        _ => None,
    };
    // The file was sound when it was read; what is wrong with it now is not what was asked.
    Report::new(document.problems.split_off(document.problems.len() - 1))
}

/// Stamps count microseconds: a step of a fraction of one would make them drift from the time that passes.
fn check_step(document: &mut Document, dt_secs: f64) {
    let steps_us = dt_secs * 1e6;
    if (steps_us - steps_us.round()).abs() > 1e-6 {
        let what = "\"dt_s\" is no whole number of microseconds";
        let problem = document.report("/dt_s", At::Value, "config/bad-value", what);
        problem.allowed = Some("a multiple of 0.000001 (seconds)".into());
        problem.hint = Some(format!("{} is the nearest", steps_us.round() / 1e6));
    }
}

/// What players are told of the world; what is wrong in the file is left out.
fn description(document: &Document, dt_secs: f64, teams: &[String]) -> WorldDescription {
    let team =
        |thing: &str| document.read::<String>(&format!("{thing}/team")).and_then(|t| team_index(teams, &t));
    let name = |robot: &String| document.read(&format!("{robot}/name")).unwrap_or_default();
    let fixture = |fixture: String| Some(fixture_of(&document.read(&fixture)?, team(&fixture)));
    let fixtures: Vec<Fixture> = document.items("/fixture").into_iter().filter_map(fixture).collect();
    let robots = document.items("/robot");
    let max_s: Option<f64> = document.read::<files::Episode>("/episode").map(|episode| episode.max_s);
    WorldDescription {
        robots: robots.iter().map(name).collect(),
        robot_teams: robots.iter().map(|robot| team(robot)).collect(),
        balls: document.items("/ball").len() as u32,
        dt_secs,
        episode_steps: max_s.map_or(0, |max_s| episode::steps(max_s, dt_secs)),
        ..touchline_sim::scenario::of_fixtures(&fixtures)
    }
}

/// The teams' names, in their order; a team whose name is wrong is nameless.
fn team_names(document: &Document) -> Vec<String> {
    let names = document.items("/team").into_iter().map(|team| document.read(&format!("{team}/name")));
    names.map(Option::unwrap_or_default).collect()
}

fn check_team(document: &mut Document, pointer: &str, teams: &[String]) {
    let Some(team) = document.read::<String>(pointer) else { return };
    if !teams.contains(&team) {
        let nearest = nearest(&team, teams.iter().map(String::as_str));
        let what = format!("there is no team \"{team}\"");
        let problem = document.report(pointer, At::Value, "config/unknown-team", what);
        problem.allowed = Some(match teams {
            [] => "this world has no teams: add [[team]]".into(),
            teams => format!("this world's teams: {}", teams.join(", ")),
        });
        problem.hint = nearest.map(|nearest| format!("did you mean \"{nearest}\"?"));
    }
}

fn check_fixtures(document: &mut Document, teams: &[String]) {
    for pointer in document.items("/fixture") {
        check_team(document, &format!("{pointer}/team"), teams);
        if let Some(fixture) = document.read::<files::Fixture>(&pointer) {
            shapes::check(document, &pointer, &fixture.outline());
        }
    }
    check_fixture_names(document);
}

/// Reports names that two fixtures have, be it that one of them has it for want of another.
fn check_fixture_names(document: &mut Document) {
    document.check_unique("/fixture", "name");
    let pointers = document.items("/fixture");
    let fixture = |pointer: &String| Some(fixture_of(&document.read(pointer)?, None));
    let Some(fixtures) = pointers.iter().map(fixture).collect::<Option<Vec<Fixture>>>() else { return };
    let names = fixture_names(&fixtures);
    let unnamed = || names.iter().zip(&fixtures).filter(|(_, fixture)| fixture.name.is_none());
    let taken: BTreeSet<&str> = unnamed().map(|(name, _)| name.as_str()).collect();
    for (pointer, fixture) in pointers.iter().zip(&fixtures) {
        if let Some(name) = fixture.name.as_deref().filter(|name| taken.contains(name)) {
            let what = format!("a fixture without a name is called \"{name}\", for its role and its number");
            let problem =
                document.report(&format!("{pointer}/name"), At::Value, "config/duplicate-name", what);
            problem.allowed = Some("each name once".into());
            problem.hint = Some("choose another name, or give the other one a name too".into());
        }
    }
}

/// Checks the robots' entries and reads their files; gives the path of each robot's file, where there is one.
fn check_robots(
    document: &mut Document,
    source: &dyn FileSource,
    plugins: &Plugins<'_>,
    surroundings: &Surroundings,
    robots: &mut RobotFiles,
) -> Vec<Option<PathBuf>> {
    let (mut paths, law) = (Vec::new(), physics::law(document));
    for pointer in document.items("/robot") {
        check_team(document, &format!("{pointer}/team"), &surroundings.teams);
        let pose = format!("{pointer}/pose");
        if let Some(Pose2 { x_m, y_m, .. }) = document.read::<Pose2>(&pose)
            && (x_m.abs() > touchline_sim::scenario::MAX_COORDINATE_M
                || y_m.abs() > touchline_sim::scenario::MAX_COORDINATE_M)
        {
            document
                .report(&pose, At::Value, "config/out-of-range", "the start is out of the world")
                .allowed = Some("x_m and y_m between -1000 and 1000 (metres)".into());
        }
        let file = format!("{pointer}/file");
        let path = robot_file(document, &pointer, source, plugins, surroundings, robots);
        let checked = path.as_ref().and_then(|path| robots.by_path.get(path)?.as_ref());
        if let Some(checked) = checked {
            physics::check_robot(document, &file, law, &checked.spec);
        }
        let description = checked.map(|robot| &robot.description);
        check_player(document, source, plugins, &pointer, surroundings, description);
        paths.push(path);
    }
    paths
}

fn robot_file(
    document: &mut Document,
    robot: &str,
    source: &dyn FileSource,
    plugins: &Plugins<'_>,
    surroundings: &Surroundings,
    robots: &mut RobotFiles,
) -> Option<PathBuf> {
    let pointer = &format!("{robot}/file");
    let name: String = document.read(pointer)?;
    let file = if robots.by_path.len() < MAX_ROBOT_FILES {
        source.read(document.path_of(pointer), &name)
    } else {
        Err(format!("a world has at most {MAX_ROBOT_FILES} robot files"))
    };
    match file {
        Err(reason) => {
            let what = format!("cannot read the robot file \"{name}\": {reason}");
            document.report(pointer, At::Value, "config/file-not-read", what);
            None
        }
        Ok(file) => {
            let path = file.path.clone();
            if !robots.by_path.contains_key(&path) {
                // The first robot of a file takes over the instances that are made to check it.
                let team: Option<String> = document.read(&format!("{robot}/team"));
                let first = First {
                    name: document.read(&format!("{robot}/name")),
                    team: team.and_then(|team| team_index(&surroundings.teams, &team)),
                };
                let (part, checked) = robot::read(file, source, plugins, surroundings, first);
                robots.problems.extend(part.problems);
                robots.by_path.insert(path.clone(), checked);
            }
            Some(path)
        }
    }
}

fn check_player(
    document: &mut Document,
    source: &dyn FileSource,
    plugins: &Plugins<'_>,
    robot: &str,
    surroundings: &Surroundings,
    description: Option<&RobotDescription>,
) {
    let table = format!("{robot}/player");
    if document.value.pointer(&table).is_none() {
        return;
    }
    plugins.resolve_paths(document, PluginKind::Player, &table, source);
    let Some(choice) = plugins.choice(document, PluginKind::Player, &table) else { return };
    let (Some(player), Some(description)) = (document.read::<files::Player>(&table), description) else {
        return;
    };
    let team: Option<String> = document.read(&format!("{robot}/team"));
    let robot = RobotDescription {
        name: document.read(&format!("{robot}/name")).unwrap_or_default(),
        team: team.and_then(|team| team_index(&surroundings.teams, &team)),
        ..description.clone()
    };
    let choice = PlayerChoice { choice, period_secs: 1.0 / player.rate_hz };
    let (teams, world) = (surroundings.teams.clone(), surroundings.world.clone());
    let setup = touchline_sim::robot_player_setup(&choice, robot, teams, world);
    let result = plugins.factory.player(&choice.choice, &setup);
    plugins.made(document, PluginKind::Player, &table, result);
}

/// Gives what the words of the referee mean, for the players that are made after it.
fn check_referee(
    document: &mut Document,
    plugins: &Plugins<'_>,
    surroundings: &Surroundings,
) -> Option<GameDescription> {
    if document.value.pointer("/referee").is_none_or(Value::is_null) {
        return None;
    }
    let choice = plugins.choice(document, PluginKind::Referee, "/referee")?;
    let (teams, dt_secs) = (surroundings.teams.clone(), surroundings.dt_secs);
    let setup = RefereeSetup { teams, dt_secs, world: surroundings.world.clone() };
    let result = plugins.factory.referee(&choice, &setup);
    let referee = plugins.made(document, PluginKind::Referee, "/referee", result)?;
    Some(referee.description().clone())
}

/// Reports robots that commands of the message board would take for others. Names that the schema refuses are told already.
fn check_robot_names(document: &mut Document) {
    for robot in document.items("/robot") {
        let pointer = format!("{robot}/name");
        let name: Option<String> = document.read(&pointer);
        if name.is_some_and(|name| !is_robot_name(&name)) {
            let what = "commands would take the name for a number, or for who sends them";
            let problem = document.report(&pointer, At::Value, "config/bad-value", what);
            problem.allowed = Some("a name with a letter in it, other than \"me\"".into());
        }
    }
}

/// Reports solid bodies that would start inside each other.
fn check_overlaps(document: &mut Document, paths: &[Option<PathBuf>], robots: &RobotFiles) {
    let law = physics::law(document);
    let (mut names, mut standing): (Vec<(String, String)>, Vec<Standing>) = Default::default();
    for (index, pointer) in document.items("/fixture").into_iter().enumerate() {
        if let Some(fixture) = document.read::<files::Fixture>(&pointer)
            && fixture.solid
        {
            standing.push(Standing::fixture(&fixture_primitive(&fixture)));
            names.push((pointer, format!("fixture {}", index + 1)));
        }
    }
    for (index, pointer) in document.items("/ball").into_iter().enumerate() {
        if let Some(ball) = document.read::<files::Ball>(&pointer) {
            let z_m = [ball.z_m, ball.z_m + 2.0 * ball.radius_m];
            standing.push(Standing::ball([ball.x_m, ball.y_m], ball.radius_m, z_m));
            names.push((pointer, format!("ball {}", index + 1)));
        }
    }
    for (pointer, path) in document.items("/robot").into_iter().zip(paths) {
        let checked = path.as_ref().and_then(|path| robots.by_path.get(path)?.as_ref());
        let pose = document.read::<Pose2>(&format!("{pointer}/pose"));
        if let (Some(checked), Some(pose)) = (checked, pose) {
            let name: String = document.read(&format!("{pointer}/name")).unwrap_or_default();
            standing.push(Standing::robot(&checked.spec, pose, law));
            names.push((pointer, format!("robot \"{name}\"")));
        }
    }
    for [later, earlier] in touchline_sim::overlapping_pairs(&standing, shapes::TOUCH_M) {
        let ((pointer, _), (_, other)) = (&names[later], &names[earlier]);
        let pose = format!("{pointer}/pose");
        let place = if document.value.pointer(&pose).is_some() { pose } else { format!("{pointer}/x_m") };
        let what = format!("overlaps {other} at the start");
        let problem = document.report(&place, At::Value, "config/overlap", what);
        // Of many bodies in one place there are many more pairs.
        problem.kind = "overlap".into();
        problem.allowed = Some("solid bodies that do not overlap by more than 1 mm".into());
        problem.hint = Some("move one of them; a place is that of the body's middle".into());
    }
}

pub(crate) fn team_index(teams: &[String], team: &str) -> Option<u32> {
    teams.iter().position(|name| name == team).and_then(|index| u32::try_from(index).ok())
}
