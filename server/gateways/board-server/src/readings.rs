//! Sensors of a robot at the newest step: the hot path. [C4, C5]
//!
//! A sensor is generated and formatted by the first who asks for it after a step; all others copy its bytes.

use crate::session::Session;
use crate::shown::Shown;
use touchline_board::{Selected, StateReply};

/// A sensor of so many integers takes long enough to be felt by others: an image, not a scan.
const LARGE: usize = 16_384;

/// What was selected of the robot at this place, all of it at this one step.
pub(crate) fn read(session: &Session, shown: &Shown, place: usize, selected: &[Selected]) -> StateReply {
    let gather = || gather(session, shown, place, selected);
    if integers(shown, place, selected) >= LARGE { aside(gather) } else { gather() }
}

/// How many integers that makes the server generate and write; of a feature its whole sensor counts.
pub(crate) fn integers(shown: &Shown, place: usize, selected: &[Selected]) -> usize {
    let slots = &shown.frame.robots[place].identity.sensors;
    let len = |one: &Selected| slots.get(one.sensor).map_or(0, |slot| slot.len);
    selected.iter().map(len).fold(0, usize::saturating_add)
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

fn gather(session: &Session, shown: &Shown, place: usize, selected: &[Selected]) -> StateReply {
    let sensors = &shown.frame.robots[place].identity.description.sensors.sensors;
    let robot = shown.frame.robots[place].identity.number;
    let mut state = session.state(robot, shown.frame.step, shown.sim_us(), shown.stamp_us);
    for one in selected {
        let Some(sensor) = sensors.get(one.sensor) else { continue };
        match (shown.sensor(place, one.sensor), one.feature) {
            (Ok(None), _) => state.nothing(&sensor.id),
            (Ok(Some((text, age_us))), None) => state.sensor(&sensor.id, text, age_us),
            (Ok(Some((text, age_us))), Some(feature)) => {
                let name = sensor.layout.features.get(feature).map_or("", |feature| &feature.name);
                state.feature(&sensor.id, name, text, feature, age_us);
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
