//! Sensors of a robot at the newest step: the hot path. [C4, C5]
//!
//! A sensor is generated and formatted by the first who asks for it after a step; all others copy its bytes.

use crate::runtime::Published;
use touchline_board::{Selected, Session, StateReply};
use touchline_sim::RobotNumber;

/// The robot's place in the Frame, whose robots are in the order of their numbers.
pub(super) fn place(published: &Published, robot: RobotNumber) -> Option<usize> {
    published.frame.robots.binary_search_by_key(&robot, |robot| robot.identity.number).ok()
}

/// Simulated time in microseconds.
pub(super) fn sim_us(published: &Published) -> u64 {
    (published.frame.time_secs * 1e6).round() as u64
}

/// What was selected, all of it at this one step; `None` if the robot is not there.
pub(super) fn read(
    session: &Session,
    published: &Published,
    robot: RobotNumber,
    selected: &[Selected],
) -> Option<StateReply> {
    let place = place(published, robot)?;
    let sensors = &published.frame.robots[place].identity.description.sensors.sensors;
    let mut state = session.state(robot, published.frame.step, sim_us(published), published.stamp_us);
    for one in selected {
        let Some(sensor) = sensors.get(one.sensor) else { continue };
        match (published.sensor(place, one.sensor), one.feature) {
            (Ok(formatted), None) => state.sensor(&sensor.id, formatted),
            (Ok(formatted), Some(feature)) => {
                let name = sensor.layout.features.get(feature).map_or("", |feature| &feature.name);
                state.feature(&sensor.id, name, formatted, feature);
            }
            (Err(fault), _) => state.fault(&sensor.id, fault),
        }
    }
    Some(state)
}
