//! What the simulation refuses, as answers with a stable code (docs/errors.md).

use touchline_board::Reply;
use touchline_gate::{RecordError, RequestError};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::{CommandError, MakeError};

pub(crate) fn request_error(error: &RequestError) -> Reply {
    match error {
        RequestError::Refused(error) => command_error(error),
        RequestError::Busy => Reply::error("sim/busy", error.to_string()),
        RequestError::OutOfRange(message) => Reply::error("board/bad-number", message.as_str()),
        RequestError::Record(error) => record_error(error),
        RequestError::Replay => Reply::error("record/replay", error.to_string()),
        RequestError::Evaluated | RequestError::Truth | RequestError::OthersSensors => {
            Reply::error("board/benchmark", error.to_string())
        }
        RequestError::Role(_) => Reply::error("board/role", error.to_string()),
        RequestError::NotYours(robot) => {
            Reply::error("board/not-yours", error.to_string()).with("robot", *robot)
        }
        RequestError::NotYourName(_)
        | RequestError::NotYourTeam(_)
        | RequestError::NotYourFile(_)
        | RequestError::NotYourPlace => Reply::error("board/not-yours", error.to_string()),
        RequestError::TooManyRobots(limit) | RequestError::TooManyOfTeam(limit) => {
            Reply::error("board/too-many-robots", error.to_string()).with("limit", *limit)
        }
        RequestError::Stopping => Reply::error("sim/stopping", error.to_string()),
    }
}

fn record_error(error: &RecordError) -> Reply {
    let reply = |code| Reply::error(code, error.to_string());
    match error {
        RecordError::NotKept { oldest, newest, .. } => {
            reply("record/not-kept").with("oldest", *oldest).with("newest", *newest)
        }
        RecordError::File { .. } => reply("record/file"),
        RecordError::BadName(_) => reply("record/bad-name"),
        RecordError::Recording(_) => reply("record/recording"),
        RecordError::NotRecording => reply("record/not-recording"),
        RecordError::Busy => reply("sim/busy"),
    }
}

fn command_error(error: &CommandError) -> Reply {
    let reply = |code| Reply::error(code, error.to_string());
    match error {
        CommandError::NoSuchRobot(robot) => reply("sim/no-such-robot").with("robot", *robot),
        CommandError::NoSuchBall(ball) => reply("sim/no-such-ball").with("ball", *ball),
        CommandError::NoSuchTeam(team) => reply("sim/no-such-team").with("team", *team),
        CommandError::NameTaken(name) => reply("sim/name-taken").with("name", name),
        CommandError::NoRoom { .. } | CommandError::NoStart(_) => reply("sim/no-room"),
        CommandError::WorldIsFull(_) => {
            Reply::error("sim/no-room", format!("{error}; say where with x and y, or remove a robot"))
        }
        CommandError::WrongDimensions { got, expected, .. } => {
            reply("sim/wrong-dimensions").with("got", *got).with("expected", *expected)
        }
        CommandError::Stopped { name, .. } => {
            reply("sim/stopped").with("hint", "EVENTS kind=fault says why").with("robot", name)
        }
        CommandError::NoSuchPart { part, .. } => reply("sim/no-such-velocity").with("part", *part),
        CommandError::NoSuchState { .. } => reply("sim/no-such-state"),
        CommandError::NoSuchSensorDatum { .. } => reply("sim/no-such-setting"),
        CommandError::SensorDatumOutOfRange { datum, value, .. } => {
            reply("sim/bad-number").with("parameter", datum).with("got", *value)
        }
        CommandError::NoTeam(_) => reply("sim/no-team").with("hint", "channel=all reaches all others"),
        CommandError::BadNumber { name, value, .. } => {
            reply("sim/bad-number").with("parameter", *name).with("got", *value)
        }
        CommandError::MessageTooLong { got, limit } => {
            reply("sim/message-too-long").with("got", *got).with("limit", *limit)
        }
        CommandError::TooManyWords(limit) => reply("sim/too-many-words").with("limit", *limit),
        CommandError::TooManyMessages(limit) => reply("sim/too-many-messages").with("limit", *limit),
        CommandError::BadKey(_) => reply("board/bad-key"),
        CommandError::NotJson(_) => reply("board/bad-json"),
        CommandError::TooManyAnnotations => {
            reply("board/too-many-annotations").with("limit", touchline_sim::MAX_ANNOTATIONS)
        }
        CommandError::TooLongAnnotations(limit) => reply("board/too-long-annotations").with("limit", *limit),
        CommandError::Player(_) => reply("sim/player"),
        CommandError::Taken(_) => reply("sim/taken"),
        CommandError::NoReferee => reply("sim/no-referee"),
        CommandError::Plugin(MakeError::NoSuchPlugin { .. }) => reply("plugin/not-found"),
        CommandError::Plugin(MakeError::Setup { kind, name, error }) => {
            // Of motion models and sensors a robot file says where they are wrong.
            let hint = (*kind == PluginKind::Player).then(|| {
                if error.problems.iter().all(|problem| problem.pointer.is_empty()) {
                    "give the robot what the player needs, or take another player".to_owned()
                } else {
                    format!("PLAYERS {name} explains its parameters")
                }
            });
            reply("plugin/bad-parameter").with_some("hint", hint.as_deref())
        }
        CommandError::Plugin(MakeError::Failed { .. }) => reply("plugin/failed"),
        CommandError::TooManyIntegers { got, limit, .. } => {
            let hint = "take smaller images, or fewer sensors";
            reply("sim/too-many-integers").with("got", *got).with("limit", *limit).with("hint", hint)
        }
        CommandError::BadRobot { .. } => reply("sim/bad-robot"),
    }
}
