//! Sensors of a robot at the newest step: the hot path. [C4, C5]
//!
//! A sensor is generated and formatted by the first who asks for it after a step; all others copy its bytes.

use crate::world_loop::Published;
use touchline_board::{Selected, Session, StateReply};
use touchline_sim::RobotNumber;

/// A sensor of so many integers takes long enough to be felt by others: an image, not a scan.
const LARGE: usize = 16_384;

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
    let slots = &published.frame.robots[place].identity.sensors;
    let len = |one: &Selected| slots.get(one.sensor).map_or(0, |slot| slot.len);
    let gather = || gather(session, published, robot, place, selected);
    Some(if selected.iter().map(len).sum::<usize>() >= LARGE { aside(gather) } else { gather() })
}

/// Does long work so that meanwhile the tasks of other connections go on.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::current().runtime_flavor() {
        // There is nobody who could take the others.
        RuntimeFlavor::CurrentThread => work(),
        _ => tokio::task::block_in_place(work),
    }
}

fn gather(
    session: &Session,
    published: &Published,
    robot: RobotNumber,
    place: usize,
    selected: &[Selected],
) -> StateReply {
    let sensors = &published.frame.robots[place].identity.description.sensors.sensors;
    let mut state = session.state(robot, published.frame.step, sim_us(published), published.stamp_us);
    for one in selected {
        let Some(sensor) = sensors.get(one.sensor) else { continue };
        match (published.sensor(place, one.sensor), one.feature) {
            (Ok(None), _) => state.nothing(&sensor.id),
            (Ok(Some(read)), None) => state.sensor(&sensor.id, &read.formatted, read.age_us),
            (Ok(Some(read)), Some(feature)) => {
                let name = sensor.layout.features.get(feature).map_or("", |feature| &feature.name);
                state.feature(&sensor.id, name, &read.formatted, feature, read.age_us);
            }
            (Err(fault), _) => state.fault(&sensor.id, fault),
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::aside;
    use std::sync::mpsc;
    use std::time::Duration;

    /// S6: while an image is made, others are served, even if there is one thread for all of them.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn long_work_keeps_nobody_waiting() {
        let (begins, begun) = mpsc::sync_channel(1);
        let (serves, served) = mpsc::sync_channel(1);
        let image = tokio::spawn(async move {
            aside(|| {
                begins.send(()).unwrap();
                // Far longer than it takes: a failure, not a test that hangs.
                served.recv_timeout(Duration::from_secs(60))
            })
        });
        begun.recv().unwrap();
        tokio::spawn(async move { serves.send(()).unwrap() });
        assert_eq!(image.await.unwrap(), Ok(()));
    }
}
