//! `ROBOT`: a client makes a robot of its own. [C2]

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use crate::errors::request_error;
use crate::files::Source;
use crate::params::{BadLine, Params, bad, integer, missing};
use crate::upload::{MAX_LINES, UploadEnd};
use touchline_gate::Verb;
use touchline_plugin_api::geometry::Pose2;

pub(super) const COMMAND: Command = Command {
    word: "ROBOT",
    parameters: "<name> [team=<team>] [x=<m> y=<m> [theta=<rad>]] (file=<name> | lines=<n> | lines=.)",
    verb: Verb::Make,
    summary: "makes a robot from a robot file",
    details: &[
        "With file= the server uses one of its own robot files: FILES lists them.",
        "With lines=<n> the robot file follows in n lines, with lines=. up to a line with a single dot.",
        "Without x and y it is put in a free place. It goes when this connection ends.",
    ],
    run: Run::Upload { run, end },
};

struct Robot {
    name: String,
    team: Option<String>,
    /// World frame; none finds a free place.
    pose: Option<Pose2>,
    /// One of the server's files; none if it follows in lines.
    file: Option<String>,
    end: Option<UploadEnd>,
}

fn read(line: &str) -> Result<Robot, BadLine> {
    let keys = ["team", "x", "y", "theta", "file", "lines"];
    let mut params = Params::read(&COMMAND, line, &keys)?;
    let name = params.robot_name("name")?;
    let pose = params.pose()?;
    let team = params.field("team");
    let (file, lines) = (params.field("file"), params.field("lines"));
    let is_there = file.is_some() || lines.is_some();
    let end = match (&file, lines) {
        (Some(_), Some(_)) => return Err(bad("lines", "given", "left out where file= is given")),
        (Some(_) | None, None) => None,
        (None, Some(lines)) if lines == "." => Some(UploadEnd::Dot),
        (None, Some(lines)) => match integer("lines", &lines)? {
            lines if lines > MAX_LINES => return Err(bad("lines", lines, "at most 65536")),
            lines => Some(UploadEnd::Lines(lines)),
        },
    };
    params.end()?;
    // Whoever forgets the file hears so at once, and not after one that never comes.
    if !is_there {
        return Err(missing(&COMMAND, "file= or lines="));
    }
    Ok(Robot { name, team, pose, file, end })
}

/// How the file that follows ends, if one does.
fn end(line: &str) -> Result<Option<UploadEnd>, BadLine> {
    read(line).map(|robot| robot.end)
}

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let Robot { name, team, pose, file, .. } = read(call.line())?;
    call.client().check_room().map_err(|error| request_error(&error))?;
    let team = team.map(|team| call.team(&team)).transpose()?;
    if let Some(pass) = call.session().pass() {
        pass.check_file(file.as_deref()).map_err(|error| request_error(&error))?;
        pass.check_put(pose.is_some()).map_err(|error| request_error(&error))?;
    }
    // A team's robots are for that team.
    let team = team.or_else(|| call.session().pass().and_then(|pass| pass.team));
    let source = match file {
        Some(file) => Source::File(file),
        None => Source::Text(call.upload()),
    };
    call.make_robot(name, source, team, pose, None)
}
