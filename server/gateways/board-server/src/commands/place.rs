//! `PLACE`: a robot is put somewhere.

use super::{Command, ROBOT, Run};
use crate::call::{Begun, Call, Refused};
use crate::params::heading;
use touchline_gate::Verb;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::Action;

pub(super) const COMMAND: Command = Command {
    word: "PLACE",
    parameters: "<robot> <x m> <y m> <theta rad>",
    verb: Verb::Place,
    summary: "puts a robot somewhere, at rest",
    details: &[ROBOT],
    run: Run::Order(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let (robot, [x_m, y_m, theta_rad]) = call.robot_and_numbers(["x m", "y m", "theta rad"])?;
    let theta_rad = heading("theta rad", theta_rad)?;
    call.begin(Action::PlaceRobot(robot, Pose2::new(x_m, y_m, theta_rad)))
}
