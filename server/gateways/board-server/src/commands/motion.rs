//! `MOTION`: what a robot was told, and does.

use super::{Command, ROBOT, Run, tidy};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "MOTION",
    parameters: "<robot>",
    verb: Verb::Motion,
    summary: "what a robot was told to do, and what it does: the truth, not a sensor",
    details: &[ROBOT, "DESCRIBE says what the numbers mean."],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    let robot = call.only_robot()?;
    call.truth()?;
    let standing = call.standing();
    let (shown, place) = call.sensed(&robot)?;
    let robot = &shown.frame.robots[place];
    let description = &robot.identity.description;
    let mut reply = Reply::block()
        .with("robot", robot.identity.number)
        .with("step", shown.frame.step)
        .with("sim_us", shown.sim_us())
        .with("stamp_us", call.stamp_us(shown.stamp_us))
        .with("forward", tidy(robot.twist.x_m_s))
        .with("left", tidy(robot.twist.y_m_s))
        .with("turn", tidy(robot.twist.turn_rad_s));
    for (dimension, value) in description.motion.dimensions.iter().zip(standing.command_of(robot)) {
        reply.push("DIM", |line| line.word(&dimension.name).field("value", tidy(value)));
    }
    for (datum, value) in description.motion.data.iter().zip(robot.motion_data) {
        reply.push("DATUM", |line| line.word(&datum.name).field("value", tidy(value)));
    }
    for (sensor, slot) in description.sensors.sensors.iter().zip(&robot.identity.sensors) {
        let values = robot.sensor_data.get(slot.data.clone()).unwrap_or_default();
        for (datum, value) in sensor.data.iter().zip(values) {
            reply
                .push("SETTING", |line| line.word(&sensor.id).word(&datum.name).field("value", tidy(*value)));
        }
    }
    for (described, status) in description.manipulators.iter().zip(&robot.manipulators) {
        let state = described.states.get(status.state as usize).map_or("?", |state| state.as_str());
        reply.push("MANIPULATOR", |line| {
            line.word(&described.name).field("state", state).field("has_ball", status.has_ball != 0)
        });
    }
    call.answer(reply)
}
