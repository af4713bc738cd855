//! Answers to the questions that concern the whole world.

use super::Board;
use super::errors::request_error;
use super::readings::sim_us;
use crate::recorder::{Mark, Recorder};
use crate::world_loop::Published;
use std::sync::Arc;
use touchline_board::{
    BallRow, EventRow, HeardRow, MarkRow, Moments, MotionState, NamedRow, ParameterRow, PoseRow, Reply,
    RobotRow, Score, Status, TeamRow, View,
};
use touchline_plugin_api::plugin::PluginKind;
use touchline_plugin_api::view::ObjectKind;
use touchline_record::Moment;
use touchline_sim::{CommandError, EventKind, MakeError, RobotFrame, RobotIdentity, RobotNumber};

impl Board {
    pub(super) fn status(&self) -> Reply {
        let published = self.runtime.newest();
        let (frame, status) = (&published.frame, &published.status);
        let recording = self.runtime.recorder().map(Recorder::status).unwrap_or_default();
        let recording = Recorded {
            file: recording.file.map(|path| path.display().to_string()),
            failure: recording.failure,
        };
        touchline_board::status(&Status {
            world: &self.runtime.scenario().name,
            step: frame.step,
            run: frame.run,
            sim_us: sim_us(&published),
            dt_us: (self.runtime.scenario().dt_secs * 1e6).round() as u64,
            real_time_factor: status.real_time_factor,
            paused: status.paused,
            speed: status.speed,
            timed_steps: status.timed_steps,
            late_steps: status.late_steps,
            state_hash: status.state_hash,
            moment: status.moment,
            replay: self.runtime.is_replay(),
            departs: self.runtime.departure().map(|difference| difference.moment),
            recording: recording.file.as_deref(),
            recording_failure: recording.failure.as_deref(),
            clients: self.connections(),
            robots: frame.robots.len(),
        })
    }

    /// A team's name.
    pub(super) fn team_name(&self, team: Option<u32>) -> Option<&str> {
        let teams = &self.runtime.scenario().teams;
        team.and_then(|team| teams.get(team as usize)).map(|team| team.name.as_str())
    }

    /// A team's number.
    pub(super) fn team_number(&self, name: &str) -> Result<u32, Reply> {
        let teams = &self.runtime.scenario().teams;
        teams.iter().position(|team| team.name == name).map(|number| number as u32).ok_or_else(|| {
            let names: Vec<&str> = teams.iter().map(|team| team.name.as_str()).collect();
            let known = if names.is_empty() { "this world has none".into() } else { names.join(", ") };
            Reply::error("sim/no-such-team", format!("no team \"{name}\"; {known}")).with("team", name)
        })
    }

    pub(super) fn list(&self) -> Reply {
        let published = self.runtime.newest();
        let (makers, takers) = (self.makers(), self.takers());
        touchline_board::list(published.frame.robots.iter().map(|robot| RobotRow {
            number: robot.identity.number,
            name: &robot.identity.name,
            team: self.team_name(robot.identity.description.team),
            model: &robot.identity.spec.model,
            player: robot.player.as_deref(),
            client: makers.get(&robot.identity.number).map(|name| &**name),
            taken_by: robot.taken_by.map(|client| takers.get(&client).map_or("?", |name| &**name)),
            fault: robot.fault.as_deref(),
        }))
    }

    /// `stamp_us` gives a stamp in the client's clock.
    pub(super) fn world(&self, stamp_us: impl Fn(u64) -> i64) -> Reply {
        let published = self.runtime.newest();
        let frame = &published.frame;
        let balls = frame.objects.iter().filter(|object| object.kind() == ObjectKind::Ball).enumerate().map(
            |(number, ball)| BallRow {
                number: number as u32,
                position: [ball.pose.x_m, ball.pose.y_m],
                velocity: [ball.twist.x_m_s, ball.twist.y_m_s],
            },
        );
        let robots = frame.robots.iter().map(|robot| PoseRow {
            number: robot.identity.number,
            name: &robot.identity.name,
            pose: [robot.pose.x_m, robot.pose.y_m, robot.pose.theta_rad],
            twist: [robot.twist.x_m_s, robot.twist.y_m_s, robot.twist.turn_rad_s],
        });
        touchline_board::world(frame.step, sim_us(&published), stamp_us(published.stamp_us), balls, robots)
    }

    pub(super) fn score(&self) -> Reply {
        let published = self.runtime.newest();
        let game = &published.frame.game;
        let score = Score {
            clock_secs: game.clock_secs,
            phase: game.phase_name(),
            restart: game.restart_name().map(|(kind, team)| (kind, self.team_name(team))),
            values: game.values().collect(),
            episode: game.episode,
        };
        let teams = self.runtime.scenario().teams.iter().zip(&game.teams);
        touchline_board::score(
            &score,
            teams.map(|(team, state)| TeamRow { name: &team.name, goals: state.score, colour: team.colour }),
        )
    }

    /// `kind` leaves out all others.
    pub(super) fn events(&self, since: u64, kind: Option<&str>) -> Reply {
        let published = self.runtime.newest();
        let events = &published.frame.events;
        let next = published.frame.next_event;
        let rows = events.iter().filter(|event| event.number >= since).map(|event| {
            let fields = match &event.kind {
                EventKind::Contact { a, b } => vec![("a", a.into()), ("b", b.into())],
                EventKind::Game { team, text, .. } => {
                    let team = self.team_name(*team).map(|team| ("team", team.into()));
                    let text = (!text.is_empty()).then(|| ("text", text.into()));
                    team.into_iter().chain(text).collect()
                }
                EventKind::Measure { name, value, unit } => {
                    vec![("name", name.into()), ("value", (*value).into()), ("unit", unit.into())]
                }
                EventKind::Fault { owner, plugin, message } => {
                    vec![("owner", owner.into()), ("plugin", plugin.into()), ("message", message.into())]
                }
                EventKind::RobotAdded { number, name } | EventKind::RobotRemoved { number, name } => {
                    vec![("robot", (*number).into()), ("name", name.into())]
                }
                EventKind::Announcement(text) => vec![("text", text.into())],
            };
            EventRow { number: event.number, step: event.step, kind: event.kind.word(), fields }
        });
        touchline_board::events(next, rows.filter(|row| kind.is_none_or(|kind| row.kind == kind)))
    }

    /// All player plugins, or the parameters of one.
    pub(super) fn players(&self, plugin: Option<&str>) -> Result<Reply, Reply> {
        let descriptions = self.runtime.factory().descriptions();
        let mut players = descriptions.iter().filter(|description| description.kind == PluginKind::Player);
        let Some(plugin) = plugin else {
            let rows = players.map(|player| NamedRow { name: &player.name, summary: &player.summary });
            return Ok(touchline_board::players(rows));
        };
        let Some(player) = players.find(|player| player.name == plugin) else {
            let known = descriptions.iter().map(|description| (description.kind, description.name.as_str()));
            let error = MakeError::no_such_plugin(PluginKind::Player, plugin, known);
            return Err(Reply::error("plugin/not-found", error.to_string()));
        };
        let parameters = touchline_config::parameters(&player.params_schema);
        Ok(touchline_board::parameters(parameters.iter().map(|parameter| ParameterRow {
            name: &parameter.name,
            kind: &parameter.kind,
            choices: &parameter.choices,
            min: parameter.min,
            max: parameter.max,
            needed: parameter.is_needed,
            default: parameter.default.as_ref().map(ToString::to_string),
            meaning: &parameter.meaning,
        })))
    }
}

/// What is said of a recording.
struct Recorded {
    file: Option<String>,
    failure: Option<String>,
}

/// What happened when, of this kind or of all.
pub(super) async fn timeline(board: &Board, kind: Option<&str>, since: Moment, every: Moment) -> Reply {
    let marks = match board.runtime.marks().await {
        Ok(marks) => marks,
        Err(error) => return request_error(&error),
    };
    let (oldest, newest) = board.runtime.moments();
    let now = board.runtime.newest().status.moment;
    let moments = Moments {
        now,
        oldest,
        newest: newest.max(now),
        lost: board.runtime.recorder().map_or(0, |recorder| recorder.status().lost),
        dt_us: (board.runtime.scenario().dt_secs * 1e6).round() as u64,
    };
    let wanted = wanted_marks(&marks, kind, since, every);
    let rows = wanted.map(|mark| MarkRow { moment: mark.moment, kind: &mark.kind, text: &mark.text });
    touchline_board::timeline(&moments, rows)
}

/// The marks of this kind, or of all, from a moment on; of contacts and messages, which are many, no more than one of each
/// kind in so many moments.
fn wanted_marks<'a>(
    marks: &'a [Mark],
    kind: Option<&str>,
    since: Moment,
    every: Moment,
) -> impl Iterator<Item = &'a Mark> {
    // When there was the last one that is told.
    let mut told: [(&str, Option<Moment>); 2] = [("contact", None), ("message", None)];
    marks.iter().filter(move |mark| {
        if mark.moment < since || kind.is_some_and(|kind| mark.kind != kind) {
            return false;
        }
        let Some((_, last)) = told.iter_mut().find(|(kind, _)| mark.kind == *kind) else { return true };
        let is_due = last.is_none_or(|last| mark.moment.abs_diff(last) >= every);
        if is_due {
            *last = Some(mark.moment);
        }
        is_due
    })
}

/// What the world's referee says that it knows.
pub(super) fn referee_commands(board: &Board) -> Result<Reply, Reply> {
    let Some(referee) = &board.runtime.scenario().referee else {
        return Err(request_error(&CommandError::NoReferee.into()));
    };
    let descriptions = board.runtime.factory().descriptions();
    let known = descriptions
        .iter()
        .find(|description| description.kind == PluginKind::Referee && description.name == referee.plugin)
        .and_then(|description| description.params_schema.get("x-commands")?.as_array());
    Ok(touchline_board::referee_commands(known.into_iter().flatten().filter_map(|usage| usage.as_str())))
}

/// What a robot means by its numbers.
pub(super) fn describe(board: &Board, robot: &RobotFrame) -> Reply {
    let identity = &robot.identity;
    touchline_board::describe(
        identity.number,
        board.team_name(identity.description.team),
        &identity.description,
        |sensor| {
            let spec = identity.spec.sensors.get(sensor);
            let number = |key| spec.and_then(|spec| spec.choice.params.get(key)?.as_f64());
            let timing = spec.map(|spec| spec.timing).unwrap_or_default();
            View {
                field_of_view_rad: number("field_of_view_rad"),
                range_max_m: number("range_max_m"),
                rate_hz: timing.rate_hz,
                delay_s: (timing.delay_secs > 0.0).then_some(timing.delay_secs),
            }
        },
        |manipulator, state| {
            let spec = identity.spec.manipulators.get(manipulator).and_then(|spec| spec.states.get(state));
            spec.is_some_and(|state| state.kick.is_some())
        },
    )
}

/// What a robot was told to do, and what it does.
pub(super) fn motion(published: &Published, robot: &RobotFrame, stamp_us: i64) -> Reply {
    let RobotIdentity { number, description, .. } = &*robot.identity;
    let names = description.motion.dimensions.iter().map(|dimension| &*dimension.name);
    let data = description.motion.data.iter().map(|datum| &*datum.name);
    let manipulators = description.manipulators.iter().zip(&robot.manipulators).map(|(described, status)| {
        let state = described.states.get(status.state as usize).map_or("?", |state| &**state);
        (&*described.name, state, status.has_ball != 0)
    });
    let state = MotionState {
        number: *number,
        twist: [robot.twist.x_m_s, robot.twist.y_m_s, robot.twist.turn_rad_s],
        command: names.zip(robot.command.iter().copied()).collect(),
        data: data.zip(robot.motion_data).collect(),
        manipulators: manipulators.collect(),
    };
    touchline_board::motion(published.frame.step, sim_us(published), stamp_us, &state)
}

/// What a robot has heard, or said.
pub(super) fn heard(published: &Arc<Published>, robot: RobotNumber, since: u64, said: bool) -> Reply {
    let messages = &published.frame.messages;
    let next = published.frame.next_message;
    let heard = messages.iter().filter(|message| {
        let fits = if said { message.from == robot } else { message.heard_by.binary_search(&robot).is_ok() };
        message.number >= since && fits
    });
    touchline_board::heard(
        next,
        heard.map(|message| HeardRow {
            number: message.number,
            step: message.step,
            from: message.from,
            from_name: &message.from_name,
            text: &message.text,
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is many is thinned out, each kind for itself; goals are told all, however near.
    #[test]
    fn a_timeline_is_told_from_a_moment_on_and_thinned_out() {
        let mark = |moment, kind: &str| Mark { moment, kind: kind.into(), text: String::new() };
        let marks = [
            mark(1, "goal"),
            mark(10, "contact"),
            mark(12, "message"),
            mark(14, "contact"),
            mark(15, "goal"),
            mark(16, "goal"),
            mark(19, "message"),
            mark(20, "contact"),
        ];
        let told = |kind, since, every| -> Vec<Moment> {
            wanted_marks(&marks, kind, since, every).map(|mark| mark.moment).collect()
        };
        assert_eq!(told(None, 0, 1), [1, 10, 12, 14, 15, 16, 19, 20]);
        assert_eq!(told(None, 0, 10), [1, 10, 12, 15, 16, 20]);
        assert_eq!(told(Some("contact"), 11, 6), [14, 20]);
        assert_eq!(told(Some("none"), 0, 1), [0; 0]);
    }
}
