//! The answers that are more than `OK`: one function for each command.

use crate::command::Speed;
use crate::reply::{Reply, Value};

/// What `STATUS` says.
#[derive(Clone, Debug, PartialEq)]
pub struct Status<'a> {
    /// The world's name.
    pub world: &'a str,
    /// Steps since the beginning or the last reset.
    pub step: u64,
    /// How many times the world was reset.
    pub run: u64,
    /// Simulated time, microseconds.
    pub sim_us: u64,
    /// The length of a step, microseconds.
    pub dt_us: u64,
    /// Simulated seconds in one second, as measured.
    pub real_time_factor: f64,
    /// Whether simulated time stands.
    pub paused: bool,
    /// As it was set.
    pub speed: Speed,
    /// How many steps were made in real time.
    pub timed_steps: u64,
    /// How many of them began more than 2 ms late.
    pub late_steps: u64,
    /// One number for the whole state: equal numbers are equal states.
    pub state_hash: u64,
    /// Steps since the server began, whatever was reset; or the place in a recording.
    pub moment: u64,
    /// Whether this is a recording.
    pub replay: bool,
    /// The first moment from which on it shows what was recorded, not what came out when it was run again.
    pub departs: Option<u64>,
    /// The file that is being written.
    pub recording: Option<&'a str>,
    /// Why the last recording ended before its time.
    pub recording_failure: Option<&'a str>,
    /// How many connections the board has.
    pub clients: usize,
    /// How many robots there are.
    pub robots: usize,
}

/// Answers `STATUS`.
pub fn status(status: &Status<'_>) -> Reply {
    Reply::ok()
        .with("world", status.world)
        .with("step", status.step)
        .with("run", status.run)
        .with("sim_us", status.sim_us)
        .with("dt_us", status.dt_us)
        .with("real_time_factor", (status.real_time_factor * 1000.0).round() / 1000.0)
        .with("paused", status.paused)
        .with("speed", &status.speed.to_string())
        .with("timed_steps", status.timed_steps)
        .with("late_steps", status.late_steps)
        .with("state_hash", &format!("{:016x}", status.state_hash))
        .with("moment", status.moment)
        .with("replay", status.replay)
        .with_some("departs", status.departs)
        .with_some("recording", status.recording)
        .with_some("recording_failure", status.recording_failure)
        .with("clients", status.clients)
        .with("robots", status.robots)
}

/// A robot, as `LIST` says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RobotRow<'a> {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: &'a str,
    /// Its team's name.
    pub team: Option<&'a str>,
    /// Its robot file's model.
    pub model: &'a str,
    /// The player plugin that drives it.
    pub player: Option<&'a str>,
    /// The client that made it.
    pub client: Option<&'a str>,
    /// The client that has taken it over from its player.
    pub taken_by: Option<&'a str>,
    /// Why it was stopped.
    pub fault: Option<&'a str>,
}

/// Answers `LIST`.
pub fn list<'a>(robots: impl IntoIterator<Item = RobotRow<'a>>) -> Reply {
    let mut reply = Reply::block();
    for robot in robots {
        reply.push("ROBOT", |line| {
            line.word(robot.number)
                .word(robot.name)
                .some("team", robot.team)
                .field("model", robot.model)
                .some("player", robot.player)
                .some("client", robot.client)
                .some("taken_by", robot.taken_by)
                .some("fault", robot.fault)
        });
    }
    reply
}

/// A ball, as `WORLD` says it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BallRow {
    /// Its number.
    pub number: u32,
    /// x and y, metres, world frame.
    pub position: [f64; 2],
    /// m/s, world frame.
    pub velocity: [f64; 2],
}

/// A robot, as `WORLD` says it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseRow<'a> {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: &'a str,
    /// x, y, theta: metres, metres, radians; world frame.
    pub pose: [f64; 3],
    /// Forward, left, turn: m/s, m/s, rad/s; body frame.
    pub twist: [f64; 3],
}

/// Answers `WORLD`. `stamp_us` comes from [`crate::Session::stamp_us`].
pub fn world<'a>(
    step: u64,
    sim_us: u64,
    stamp_us: i64,
    balls: impl IntoIterator<Item = BallRow>,
    robots: impl IntoIterator<Item = PoseRow<'a>>,
) -> Reply {
    let mut reply = Reply::block().with("step", step).with("sim_us", sim_us).with("stamp_us", stamp_us);
    for ball in balls {
        reply.push("BALL", |line| {
            line.word(ball.number)
                .field("x", tidy(ball.position[0]))
                .field("y", tidy(ball.position[1]))
                .field("vx", tidy(ball.velocity[0]))
                .field("vy", tidy(ball.velocity[1]))
        });
    }
    for robot in robots {
        reply.push("ROBOT", |line| {
            line.word(robot.number)
                .word(robot.name)
                .field("x", tidy(robot.pose[0]))
                .field("y", tidy(robot.pose[1]))
                .field("theta", tidy(robot.pose[2]))
                .field("forward", tidy(robot.twist[0]))
                .field("left", tidy(robot.twist[1]))
                .field("turn", tidy(robot.twist[2]))
        });
    }
    reply
}

/// A team, as `SCORE` says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamRow<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its goals.
    pub goals: i64,
    /// `0xRRGGBB`.
    pub colour: u32,
}

/// What `SCORE` says.
#[derive(Clone, Debug, PartialEq)]
pub struct Score<'a> {
    /// The playing time, seconds.
    pub clock_secs: f64,
    /// Such as `kick-off`.
    pub phase: &'a str,
    /// How play is taken up again, such as `kick-off`, and whose that is.
    pub restart: Option<(&'a str, Option<&'a str>)>,
    /// What else the referee says, such as `half`.
    pub values: Vec<(&'a str, f64)>,
    /// How many times the objects were brought to their starting places.
    pub episode: u32,
}

/// Answers `SCORE`; the teams in the order by which all else numbers them.
pub fn score<'a>(score: &Score<'_>, teams: impl IntoIterator<Item = TeamRow<'a>>) -> Reply {
    let mut reply = Reply::block()
        .with("clock_s", tidy(score.clock_secs))
        .with("phase", score.phase)
        .with_some("restart", score.restart.map(|(kind, _)| kind))
        .with_some("restart_team", score.restart.and_then(|(_, team)| team))
        .with("episode", score.episode);
    for (name, value) in &score.values {
        reply = reply.with(name, *value);
    }
    for (number, team) in teams.into_iter().enumerate() {
        let colour = format!("{:06x}", team.colour);
        reply.push("TEAM", |line| {
            line.word(number).word(team.name).field("goals", team.goals).field("colour", &colour)
        });
    }
    reply
}

/// An event, as `EVENTS` says it.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow<'a> {
    /// Counts up over the whole run.
    pub number: u64,
    /// In which step.
    pub step: u64,
    /// Such as `goal`.
    pub kind: &'a str,
    /// What belongs to it.
    pub fields: Vec<(&'static str, Value<'a>)>,
}

/// Answers `EVENTS`. `next` is the number that the next event will have.
pub fn events<'a>(next: u64, events: impl IntoIterator<Item = EventRow<'a>>) -> Reply {
    let mut reply = Reply::block().with("next", next);
    for event in events {
        reply.push("EVENT", |line| {
            let line = line.word(event.number).word(event.kind).field("step", event.step);
            event.fields.into_iter().fold(line, |line, (key, value)| line.field(key, value))
        });
    }
    reply
}

/// What a robot was told to do, and what it does, as `MOTION` says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionState<'a> {
    /// Its number.
    pub number: u32,
    /// Forward, left, turn: m/s, m/s, rad/s; body frame; as it really moves.
    pub twist: [f64; 3],
    /// Each dimension's name, and the command as it stands.
    pub command: Vec<(&'a str, f64)>,
    /// Each number that the motion model publishes, by its name.
    pub data: Vec<(&'a str, f64)>,
    /// Each manipulator's name, the name of its state, and whether it touches a ball or has one in its zone.
    pub manipulators: Vec<(&'a str, &'a str, bool)>,
}

/// Answers `MOTION`. `stamp_us` comes from [`crate::Session::stamp_us`].
pub fn motion(step: u64, sim_us: u64, stamp_us: i64, state: &MotionState<'_>) -> Reply {
    let mut reply = Reply::block()
        .with("robot", state.number)
        .with("step", step)
        .with("sim_us", sim_us)
        .with("stamp_us", stamp_us)
        .with("forward", tidy(state.twist[0]))
        .with("left", tidy(state.twist[1]))
        .with("turn", tidy(state.twist[2]));
    for (word, numbers) in [("DIM", &state.command), ("DATUM", &state.data)] {
        for (name, value) in numbers {
            reply.push(word, |line| line.word(*name).field("value", tidy(*value)));
        }
    }
    for (name, state, has_ball) in &state.manipulators {
        reply
            .push("MANIPULATOR", |line| line.word(*name).field("state", *state).field("has_ball", *has_ball));
    }
    reply
}

/// A radio message, as `HEAR` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeardRow<'a> {
    /// Counts up over the whole run.
    pub number: u64,
    /// The step in which it was heard.
    pub step: u64,
    /// The sender's number.
    pub from: u32,
    /// The sender's name.
    pub from_name: &'a str,
    /// What was said.
    pub text: &'a str,
}

/// Answers `HEAR`. `next` is the number that the next message will have.
pub fn heard<'a>(next: u64, messages: impl IntoIterator<Item = HeardRow<'a>>) -> Reply {
    let mut reply = Reply::block().with("next", next);
    for message in messages {
        reply.push("MESSAGE", |line| {
            line.word(message.number)
                .field("step", message.step)
                .field("from", message.from)
                .field("name", message.from_name)
                .quoted(message.text)
        });
    }
    reply
}

/// Something with a name and a line about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedRow<'a> {
    /// Its name.
    pub name: &'a str,
    /// One line for people.
    pub summary: &'a str,
}

/// A parameter of a player plugin, as `PLAYERS <plugin>` says it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterRow<'a> {
    /// Its name, with the unit in it.
    pub name: &'a str,
    /// What it takes, in words.
    pub kind: &'a str,
    /// The words to choose from, if it is a choice.
    pub choices: &'a [String],
    /// The lowest value.
    pub min: Option<f64>,
    /// The highest value.
    pub max: Option<f64>,
    /// Whether it has to be given.
    pub needed: bool,
    /// What it is when it is not given, as JSON.
    pub default: Option<String>,
    /// What it means.
    pub meaning: &'a str,
}

/// Answers `PLAYERS <plugin>`.
pub fn parameters<'a>(rows: impl IntoIterator<Item = ParameterRow<'a>>) -> Reply {
    let mut reply = Reply::block();
    for row in rows {
        let choices = row.choices.join(",");
        reply.push("PARAM", |line| {
            let line = line.word(row.name).field("kind", row.kind);
            let line = if choices.is_empty() { line } else { line.field("choices", &choices) };
            let line = row.min.into_iter().fold(line, |line, min| line.field("min", min));
            let line = row.max.into_iter().fold(line, |line, max| line.field("max", max));
            let line = if row.needed { line.field("needed", true) } else { line };
            let line = row.default.iter().fold(line, |line, default| line.field("default", default));
            line.quoted(row.meaning)
        });
    }
    reply
}

/// Answers `PLAYERS`.
pub fn players<'a>(rows: impl IntoIterator<Item = NamedRow<'a>>) -> Reply {
    named("PLAYER", rows)
}

/// Answers `FILES`.
pub fn files<'a>(rows: impl IntoIterator<Item = NamedRow<'a>>) -> Reply {
    named("FILE", rows)
}

/// What `TIMELINE` says of all moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// Where the world is.
    pub now: u64,
    /// The first that can be had.
    pub oldest: u64,
    /// The last.
    pub newest: u64,
    /// Moments whose poses the recorder has lost.
    pub lost: u64,
    /// The length of a step, microseconds.
    pub dt_us: u64,
}

/// Something that happened, as `TIMELINE` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkRow<'a> {
    /// When.
    pub moment: u64,
    /// Its kind.
    pub kind: &'a str,
    /// A sentence.
    pub text: &'a str,
}

/// Answers `TIMELINE`.
pub fn timeline<'a>(moments: &Moments, marks: impl IntoIterator<Item = MarkRow<'a>>) -> Reply {
    let mut reply = Reply::block()
        .with("now", moments.now)
        .with("oldest", moments.oldest)
        .with("newest", moments.newest)
        .with("lost", moments.lost)
        .with("dt_us", moments.dt_us);
    for mark in marks {
        reply.push("MARK", |line| line.word(mark.moment).word(mark.kind).quoted(mark.text));
    }
    reply
}

/// Answers `REFEREE` without a line.
pub fn referee_commands<'a>(usages: impl IntoIterator<Item = &'a str>) -> Reply {
    let mut reply = Reply::block();
    for usage in usages {
        reply.push("COMMAND", |line| line.quoted(usage));
    }
    reply
}

fn named<'a>(word: &str, rows: impl IntoIterator<Item = NamedRow<'a>>) -> Reply {
    let mut reply = Reply::block();
    for row in rows {
        reply.push(word, |line| line.word(row.name).quoted(row.summary));
    }
    reply
}

/// Rounded to a millionth, so that people can read it; and no `-0`.
fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}
