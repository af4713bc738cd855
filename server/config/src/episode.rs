//! The table `[episode]` of a world file: who decides from outside, how often, from which start.

use crate::document::{At, Document};
use crate::files::{self, MAX_HEADING_RAD, WorldFile};
use crate::schema::{in_degrees, nearest};
use crate::source::{BESIDE, FileSource};
use touchline_sim::scenario::{
    EpisodeSpec, MAX_COORDINATE_M, MAX_SPEED_M_S, Near, Placement, PlacementRange, StartOf,
};

/// The columns of a list of starts are a thing's name and one of these, such as `keeper.x_m` or `ball-0.speed_m_s`.
const PARTS: [&str; 4] = ["x_m", "y_m", "theta_rad", "speed_m_s"];

/// A start as the file has it: each thing with where it is put.
type Start = Vec<(StartOf, Placement)>;

/// Reports what is wrong with the table, and reads the starts that it names.
pub(crate) fn check(document: &mut Document, source: &dyn FileSource) -> Vec<Start> {
    let Some(episode) = document.read::<files::Episode>("/episode") else { return Vec::new() };
    let robots = names(document, "/robot");
    let balls = document.items("/ball").len();
    for (index, agent) in episode.agents.iter().enumerate() {
        let pointer = format!("/episode/agents/{index}");
        if !robots.contains(agent) {
            let what = format!("there is no robot \"{agent}\"");
            let problem = document.report(&pointer, At::Value, "config/unknown-value", what);
            problem.allowed = Some(match robots.as_slice() {
                [] => "this world has no robots: add [[robot]]".into(),
                robots => format!("this world's robots: {}", robots.join(", ")),
            });
            problem.hint = nearest(agent, robots.iter().map(String::as_str))
                .map(|nearest| format!("did you mean \"{nearest}\"?"));
        } else if episode.agents[..index].contains(agent) {
            let what = format!("robot \"{agent}\" is named twice");
            document.report(&pointer, At::Value, "config/duplicate-name", what);
        } else if document.items("/robot").iter().any(|robot| {
            document.read::<String>(&format!("{robot}/name")).as_ref() == Some(agent)
                && document.value.pointer(&format!("{robot}/player")).is_some_and(|player| !player.is_null())
        }) {
            let what = format!("robot \"{agent}\" has a player, and an agent is driven from outside");
            document.report(&pointer, At::Value, "config/bad-value", what).hint =
                Some("leave out the robot's player, or leave out the agent".into());
        }
    }
    let dt_secs: f64 = document.read("/dt_s").unwrap_or_else(files::default_dt);
    let steps = episode.decision_s / dt_secs;
    if steps < 0.5 || (steps - steps.round()).abs() > 1e-6 * steps {
        let what = "the time between two decisions is no whole number of steps";
        document.report("/episode/decision_s", At::Value, "config/bad-value", what).allowed =
            Some(format!("a multiple of dt_s = {dt_secs} (seconds)"));
    }
    for (index, start) in episode.start.iter().enumerate() {
        let pointer = format!("/episode/start/{index}");
        check_start(document, &pointer, start, &robots, balls);
        check_near(document, &pointer, start, &episode.start[..index], &robots);
    }
    match &episode.starts_file {
        Some(name) => read_starts(document, source, name, &robots, balls),
        None => Vec::new(),
    }
}

fn names(document: &Document, list: &str) -> Vec<String> {
    let items = document.items(list).into_iter();
    items.map(|item| document.read(&format!("{item}/name")).unwrap_or_default()).collect()
}

fn check_start(
    document: &mut Document,
    pointer: &str,
    start: &files::Start,
    robots: &[String],
    balls: usize,
) {
    let is_known = match (&start.robot, start.ball) {
        (Some(robot), None) => robots.contains(robot),
        (None, Some(ball)) => (ball as usize) < balls,
        _ => {
            let what = "a start is of one robot or of one ball";
            document.report(pointer, At::Value, "config/bad-value", what).hint =
                Some("set robot = \"…\" or ball = 0".into());
            return;
        }
    };
    if !is_known {
        let what = "there is no such robot or ball";
        document.report(pointer, At::Value, "config/unknown-value", what).allowed = Some(match balls {
            0 => format!("robots: {}; there is no ball", robots.join(", ")),
            _ => format!("robots: {}; balls: 0 to {}", robots.join(", "), balls - 1),
        });
    }
    if start.robot.is_some() && start.speed_m_s != [0.0; 2] {
        let what = "\"speed_m_s\" is of a ball: a robot starts at rest";
        document.report(&format!("{pointer}/speed_m_s"), At::Key, "config/bad-value", what).hint =
            Some("leave it out".into());
    }
    let ranges = [
        ("x_m", Some(start.x_m)),
        ("y_m", Some(start.y_m)),
        ("within_x_m", start.within_x_m),
        ("within_y_m", start.within_y_m),
        ("theta_rad", Some(start.theta_rad)),
        ("speed_m_s", Some(start.speed_m_s)),
    ];
    for (name, [low, high]) in ranges.into_iter().filter_map(|(name, range)| Some((name, range?))) {
        let most = match name {
            "speed_m_s" => MAX_SPEED_M_S,
            "theta_rad" => MAX_HEADING_RAD,
            _ => MAX_COORDINATE_M,
        };
        let farthest = if low.abs() > high.abs() { low } else { high };
        if low > high || farthest.abs() > most {
            let what = format!("\"{name}\" is no range");
            let problem =
                document.report(&format!("{pointer}/{name}"), At::Value, "config/out-of-range", what);
            problem.allowed = Some(format!("[lowest, highest], both within {most}"));
            let is_in_degrees = name == "theta_rad" && farthest.abs() > most;
            problem.hint = is_in_degrees.then(|| in_degrees(farthest));
        }
    }
}

/// Reports a start near something that is not placed before it.
fn check_near(
    document: &mut Document,
    pointer: &str,
    start: &files::Start,
    before: &[files::Start],
    robots: &[String],
) {
    let Some(near) = &start.near else {
        for (name, range) in [("within_x_m", start.within_x_m), ("within_y_m", start.within_y_m)] {
            if range.is_some() {
                let what = format!("\"{name}\" is of a start with \"near\"");
                document.report(&format!("{pointer}/{name}"), At::Key, "config/bad-value", what).hint =
                    Some("x_m and y_m alone say where it starts".into());
            }
        }
        return;
    };
    let names: Vec<String> = before.iter().filter_map(start_name).collect();
    if !names.contains(near) {
        let what = if robots.contains(near) || near.starts_with("ball-") {
            format!("\"{near}\" has no start before this one")
        } else {
            format!("there is no robot or ball \"{near}\"")
        };
        let problem = document.report(&format!("{pointer}/near"), At::Value, "config/unknown-value", what);
        problem.allowed = Some(match names.as_slice() {
            [] => "a thing whose [[episode.start]] comes before; there is none".into(),
            names => format!("a thing whose [[episode.start]] comes before: {}", names.join(", ")),
        });
    }
}

/// What other starts call the thing of a start.
fn start_name(start: &files::Start) -> Option<String> {
    start.robot.clone().or(start.ball.map(|ball| format!("ball-{ball}")))
}

/// Reads a list of starts: CSV with a head, a start in each row.
fn read_starts(
    document: &mut Document,
    source: &dyn FileSource,
    name: &str,
    robots: &[String],
    balls: usize,
) -> Vec<Start> {
    let pointer = "/episode/starts_file";
    let file = match source.read(document.path_of(pointer), name) {
        Ok(file) => file,
        Err(reason) => {
            let what = format!("cannot read the list of starts \"{name}\": {reason}");
            document.report(pointer, At::Value, "config/file-not-read", what).hint = Some(BESIDE.into());
            return Vec::new();
        }
    };
    parse_starts(&file.text, robots, balls).unwrap_or_else(|reason| {
        let what = format!("the list of starts \"{name}\" is wrong: {reason}");
        let problem = document.report(pointer, At::Value, "config/bad-value", what);
        problem.allowed = Some(format!(
            "CSV; the head names a robot or ball-N and one of {}, such as keeper.x_m",
            PARTS.join(", ")
        ));
        Vec::new()
    })
}

fn parse_starts(text: &str, robots: &[String], balls: usize) -> Result<Vec<Start>, String> {
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| error.to_string())?.clone();
    let columns: Vec<(StartOf, usize)> =
        head.iter().map(|column| parse_column(column, robots, balls)).collect::<Result<_, _>>()?;
    if let Some((_, twice)) = columns
        .iter()
        .zip(&head)
        .enumerate()
        .find(|(place, (column, _))| columns[..*place].contains(column))
        .map(|(_, twice)| twice)
    {
        return Err(format!("there are two columns \"{twice}\""));
    }
    let mut starts = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let mut start: Vec<(StartOf, [f64; 4])> = Vec::new();
        for (&(of, part), text) in columns.iter().zip(&record) {
            let value: f64 = text.parse().map_err(|_| format!("line {line}: \"{text}\" is no number"))?;
            if value.is_nan() || value.abs() > MAX_COORDINATE_M {
                return Err(format!("line {line}: {text} is out of the world"));
            }
            if PARTS[part] == "speed_m_s" && value.abs() > MAX_SPEED_M_S {
                return Err(format!("line {line}: {text} m/s is more than {MAX_SPEED_M_S}"));
            }
            if PARTS[part] == "theta_rad" && value.abs() > MAX_HEADING_RAD {
                return Err(format!("line {line}: {text} is no heading; {}", in_degrees(value)));
            }
            match start.iter_mut().find(|(known, _)| *known == of) {
                Some((_, parts)) => parts[part] = value,
                None => {
                    let mut parts = [0.0; 4];
                    parts[part] = value;
                    start.push((of, parts));
                }
            }
        }
        starts.push(start.into_iter().map(|(of, parts)| (of, placement(parts))).collect());
    }
    if starts.is_empty() { Err("it has no rows".into()) } else { Ok(starts) }
}

fn parse_column(column: &str, robots: &[String], balls: usize) -> Result<(StartOf, usize), String> {
    let wrong = || format!("there is no robot or ball for the column \"{column}\"");
    let (thing, part) = column.rsplit_once('.').ok_or_else(wrong)?;
    let part = PARTS.iter().position(|&name| name == part).ok_or_else(wrong)?;
    let ball =
        thing.strip_prefix("ball-").and_then(|number| number.parse().ok()).filter(|&ball| ball < balls);
    let robot = robots.iter().position(|name| name == thing);
    let of = robot.map(StartOf::Robot).or(ball.map(StartOf::Ball)).ok_or_else(wrong)?;
    match of {
        StartOf::Robot(_) if PARTS[part] == "speed_m_s" => {
            Err(format!("the column \"{column}\" is of a robot, which starts at rest"))
        }
        of => Ok((of, part)),
    }
}

fn placement([x_m, y_m, theta_rad, speed_m_s]: [f64; 4]) -> Placement {
    Placement { x_m, y_m, theta_rad, speed_m_s }
}

/// How many steps an episode of this length has.
pub(crate) fn steps(max_s: f64, dt_s: f64) -> u64 {
    (max_s / dt_s).round().max(1.0) as u64
}

/// The checked table as the simulation takes it.
pub(crate) fn spec(file: &WorldFile, starts: Vec<Start>) -> Option<EpisodeSpec> {
    let episode = file.episode.as_ref()?;
    let robot = |name: &String| file.robot.iter().position(|robot| robot.name == *name);
    let mut agents: Vec<usize> = episode.agents.iter().filter_map(robot).collect();
    agents.sort_unstable();
    let decision_steps = (episode.decision_s / file.dt_s).round().max(1.0) as u32;
    let range = |start: &files::Start| {
        let of = match (&start.robot, start.ball) {
            (Some(name), _) => StartOf::Robot(robot(name)?),
            (None, ball) => StartOf::Ball(ball? as usize),
        };
        let near = start.near.as_ref().and_then(|name| {
            let of = robot(name).map(StartOf::Robot);
            let of = of.or_else(|| Some(StartOf::Ball(name.strip_prefix("ball-")?.parse().ok()?)))?;
            let everywhere = [-MAX_COORDINATE_M, MAX_COORDINATE_M];
            let within = [start.within_x_m, start.within_y_m].map(|range| range.unwrap_or(everywhere));
            Some(Near { of, within_x_m: within[0], within_y_m: within[1] })
        });
        let files::Start { x_m, y_m, theta_rad, speed_m_s, .. } = *start;
        Some(PlacementRange { of, x_m, y_m, theta_rad, speed_m_s, near })
    };
    Some(EpisodeSpec {
        agents,
        decision_steps,
        max_steps: steps(episode.max_s, file.dt_s),
        observe: episode.observe.clone(),
        act: episode.act.clone(),
        ranges: episode.start.iter().filter_map(range).collect(),
        starts,
    })
}
