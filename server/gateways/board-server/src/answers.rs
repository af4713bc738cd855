//! Answers to the questions that concern the whole world.

use crate::Board;
use crate::errors::request_error;
use touchline_board::{
    BallRow, EventRow, HeardRow, MarkRow, Moments, MotionState, NamedRow, ParameterRow, PoseRow, Reply,
    RobotRow, Score, Status, TeamRow, View,
};
use touchline_gate::{Moment, Published, RequestError};
use touchline_plugin_api::game::Phase;
use touchline_plugin_api::plugin::PluginKind;
use touchline_plugin_api::view::{NONE, ObjectKind};
use touchline_sim::{CommandError, EventKind, MakeError, RobotFrame, RobotIdentity, RobotNumber};

impl Board {
    pub(crate) fn status(&self) -> Reply {
        let published = self.gate.newest();
        let (frame, status) = (&published.frame, &published.status);
        let recording = self.gate.recording().unwrap_or_default();
        let recording = Recorded {
            file: recording.file.map(|path| path.display().to_string()),
            failure: recording.failure,
        };
        touchline_board::status(&Status {
            world: &self.gate.scenario().name,
            step: frame.step,
            run: frame.run,
            sim_us: published.sim_us(),
            dt_us: self.gate.dt_us(),
            real_time_factor: status.real_time_factor,
            paused: status.paused,
            speed: match status.speed {
                touchline_gate::Speed::Factor(factor) => touchline_board::Speed::Factor(factor),
                touchline_gate::Speed::Max => touchline_board::Speed::Max,
                touchline_gate::Speed::Lockstep => touchline_board::Speed::Lockstep,
            },
            timed_steps: status.timed_steps,
            late_steps: status.late_steps,
            state_hash: status.state_hash,
            moment: status.moment,
            replay: self.gate.is_replay(),
            departs: self.gate.departure().map(|difference| difference.moment),
            recording: recording.file.as_deref(),
            recording_failure: recording.failure.as_deref(),
            clients: self.connections(),
            robots: frame.robots.len(),
        })
    }

    /// A team's name.
    pub(crate) fn team_name(&self, team: Option<u32>) -> Option<&str> {
        let teams = &self.gate.scenario().teams;
        team.and_then(|team| teams.get(team as usize)).map(|team| team.name.as_str())
    }

    /// A team's number.
    pub(crate) fn team_number(&self, name: &str) -> Result<u32, Reply> {
        let teams = &self.gate.scenario().teams;
        teams.iter().position(|team| team.name == name).map(|number| number as u32).ok_or_else(|| {
            let names: Vec<&str> = teams.iter().map(|team| team.name.as_str()).collect();
            let known = if names.is_empty() { "this world has none".into() } else { names.join(", ") };
            Reply::error("sim/no-such-team", format!("no team \"{name}\"; {known}")).with("team", name)
        })
    }

    pub(crate) fn list(&self) -> Reply {
        let published = self.gate.newest();
        let clients: Vec<_> = published
            .frame
            .robots
            .iter()
            .map(|robot| (self.gate.maker(robot.identity.number), self.gate.taker(robot)))
            .collect();
        touchline_board::list(published.frame.robots.iter().zip(&clients).map(|(robot, (maker, taker))| {
            RobotRow {
                number: robot.identity.number,
                name: &robot.identity.name,
                team: self.team_name(robot.identity.description.team),
                model: &robot.identity.spec.model,
                player: robot.player.as_deref(),
                client: maker.as_deref(),
                taken_by: robot.taken_by.map(|_| taker.as_deref().unwrap_or("?")),
                fault: robot.fault.as_deref(),
            }
        }))
    }

    /// `stamp_us` gives a stamp in the client's clock.
    pub(crate) fn world(&self, stamp_us: impl Fn(u64) -> i64) -> Reply {
        let published = self.gate.newest();
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
        touchline_board::world(frame.step, published.sim_us(), stamp_us(published.stamp_us), balls, robots)
    }

    pub(crate) fn score(&self) -> Reply {
        let published = self.gate.newest();
        let game = &published.frame.game;
        let phase = match game.phase() {
            Phase::Play => "play",
            Phase::KickOff => "kick-off",
            Phase::Stopped => "stopped",
            Phase::HalfTime => "half-time",
            Phase::Finished => "finished",
        };
        let kick_off = (game.kick_off_team != NONE).then_some(game.kick_off_team);
        let score = Score {
            clock_secs: game.clock_secs,
            phase,
            half: game.half,
            kick_off: self.team_name(kick_off),
            episode: game.episode,
        };
        let teams = self.gate.scenario().teams.iter().zip(game.score);
        touchline_board::score(
            &score,
            teams.map(|(team, goals)| TeamRow { name: &team.name, goals, colour: team.colour }),
        )
    }

    /// `kind` leaves out all others.
    pub(crate) fn events(&self, since: u64, kind: Option<&str>) -> Reply {
        let published = self.gate.newest();
        let events = &published.frame.events;
        let next = published.frame.next_event;
        let rows = events.iter().filter(|event| event.number >= since).map(|event| {
            let (kind, fields) = match &event.kind {
                EventKind::Contact { a, b } => ("contact", vec![("a", a.into()), ("b", b.into())]),
                EventKind::Goal { team } => {
                    ("goal", vec![("team", self.team_name(Some(*team)).unwrap_or_default().into())])
                }
                EventKind::Fault { owner, plugin, message } => (
                    "fault",
                    vec![("owner", owner.into()), ("plugin", plugin.into()), ("message", message.into())],
                ),
                EventKind::RobotAdded { number, name } => {
                    ("robot-added", vec![("robot", (*number).into()), ("name", name.into())])
                }
                EventKind::RobotRemoved { number, name } => {
                    ("robot-removed", vec![("robot", (*number).into()), ("name", name.into())])
                }
                EventKind::Announcement(text) => ("announcement", vec![("text", text.into())]),
            };
            EventRow { number: event.number, step: event.step, kind, fields }
        });
        touchline_board::events(next, rows.filter(|row| kind.is_none_or(|kind| row.kind == kind)))
    }

    /// All player plugins, or the parameters of one.
    pub(crate) fn players(&self, plugin: Option<&str>) -> Result<Reply, Reply> {
        let descriptions = self.gate.factory().descriptions();
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
pub(crate) async fn timeline(board: &Board, kind: Option<&str>, since: Moment, every: Moment) -> Reply {
    let mut timeline = match board.gate.timeline().await {
        Ok(timeline) => timeline,
        Err(error) => return request_error(&error),
    };
    timeline.thin_out(kind, since, every);
    let moments = Moments {
        now: timeline.now,
        oldest: timeline.oldest,
        newest: timeline.newest,
        lost: timeline.lost,
        dt_us: board.gate.dt_us(),
    };
    let rows =
        timeline.marks.iter().map(|mark| MarkRow { moment: mark.moment, kind: &mark.kind, text: &mark.text });
    touchline_board::timeline(&moments, rows)
}

/// What the world's referee says that it knows.
pub(crate) fn referee_commands(board: &Board) -> Result<Reply, Reply> {
    let Some(referee) = &board.gate.scenario().referee else {
        return Err(request_error(&RequestError::from(CommandError::NoReferee)));
    };
    let descriptions = board.gate.factory().descriptions();
    let known = descriptions
        .iter()
        .find(|description| description.kind == PluginKind::Referee && description.name == referee.plugin)
        .and_then(|description| description.params_schema.get("x-commands")?.as_array());
    Ok(touchline_board::referee_commands(known.into_iter().flatten().filter_map(|usage| usage.as_str())))
}

/// What a robot means by its numbers.
pub(crate) fn describe(board: &Board, robot: &RobotFrame) -> Reply {
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
pub(crate) fn motion(published: &Published, robot: &RobotFrame, stamp_us: i64) -> Reply {
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
    touchline_board::motion(published.frame.step, published.sim_us(), stamp_us, &state)
}

/// What a robot has heard, or said.
pub(crate) fn heard(published: &Published, robot: RobotNumber, since: u64, said: bool) -> Reply {
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
