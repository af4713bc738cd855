//! `WORLD`: the truth about balls and robots.

use super::{Command, Run, tidy};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_gate::Verb;
use touchline_plugin_api::view::ObjectKind;

pub(super) const COMMAND: Command = Command {
    word: "WORLD",
    parameters: "",
    verb: Verb::See,
    summary: "where balls and robots really are",
    details: &[],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    call.truth()?;
    let published = call.gate().newest();
    let frame = &published.frame;
    let mut reply = Reply::block()
        .with("step", frame.step)
        .with("sim_us", published.sim_us())
        .with("stamp_us", call.stamp_us(published.stamp_us));
    let balls = frame.objects.iter().filter(|object| object.kind() == ObjectKind::Ball);
    for (number, ball) in balls.enumerate() {
        reply.push("BALL", |line| {
            line.word(number)
                .field("x", tidy(ball.pose.x_m))
                .field("y", tidy(ball.pose.y_m))
                .field("vx", tidy(ball.twist.x_m_s))
                .field("vy", tidy(ball.twist.y_m_s))
                .field("z", tidy(ball.vertical.z_m))
                .field("vz", tidy(ball.vertical.speed_m_s))
        });
    }
    for robot in &frame.robots {
        reply.push("ROBOT", |line| {
            line.word(robot.identity.number)
                .word(&robot.identity.name)
                .field("x", tidy(robot.pose.x_m))
                .field("y", tidy(robot.pose.y_m))
                .field("theta", tidy(robot.pose.theta_rad))
                .field("forward", tidy(robot.twist.x_m_s))
                .field("left", tidy(robot.twist.y_m_s))
                .field("turn", tidy(robot.twist.turn_rad_s))
        });
    }
    call.answer(reply)
}
