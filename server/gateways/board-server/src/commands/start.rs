//! `START`: a player plugin begins. [Y2]

use super::{Command, Run};
use crate::call::{Begun, Call, Done, Refused};
use crate::files::Source;
use crate::params::{bad, player_choice, robot_name};
use touchline_board::{Reply, RobotRef};
use touchline_gate::Verb;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "START",
    parameters: "<robot> plugin=<name> [params=<json>] [period_ms=<ms>] [file=<name> [team=<team>] [x=<m> y=<m> [theta=<rad>]]]",
    verb: Verb::Players,
    summary: "starts a player plugin",
    details: &[
        "It drives a robot that has no player yet; with file= a new robot of that name is made,",
        "at x and y, or in a free place.",
        "PLAYERS lists the plugins, FILES the robot files. A file that a plugin opens is one below the folder of the world file,",
        "that of the robot files, or one that the server was given with --models.",
    ],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let keys = ["plugin", "params", "period_ms", "file", "team", "x", "y", "theta"];
    let mut params = call.params(&keys)?;
    let word = params.text("robot")?;
    let plugin = params.field("plugin").ok_or_else(|| params.missing("plugin="))?;
    let player = player_choice(&mut params, plugin)?;
    let (file, team) = (params.field("file"), params.field("team"));
    let pose = params.pose()?;
    if let (None, Some(pose)) = (&file, pose) {
        return Err(bad("x", pose.x_m, "left out where no file= makes a robot").into());
    }
    let target = match file {
        Some(file) => Target::New { name: robot_name(word)?, file },
        None => Target::There(call.robot_ref(&word)?),
    };
    params.end()?;
    let team = team.map(|team| call.team(&team)).transpose()?;
    match target {
        Target::New { name, file } => call.make_robot(name, Source::File(file), team, pose, Some(player)),
        Target::There(robot) => {
            let robot = call.number_of(&robot)?;
            let action = move |player| Action::StartPlayer(robot, player);
            call.set_player(robot, player, action, move |_| Done::Answer(Reply::ok().with("robot", robot)))
        }
    }
}

/// What the player shall drive.
enum Target {
    There(RobotRef),
    New { name: String, file: String },
}
