//! Sensors of a robot at the newest step: the hot path. [C4, C5]
//!
//! A sensor is generated and formatted by the first who asks for it after a step; all others copy its bytes.

use crate::Board;
use crate::generating::Length;
use crate::session::Session;
use crate::shown::Shown;
use touchline_board::{Reply, Selected, StateReply};

/// A sensor of so many integers takes long enough to be felt by others: an image, not a scan.
const LARGE: usize = 16_384;

/// How long a reading took, and until when.
pub(crate) struct Took {
    pub now_us: u64,
    pub us: u64,
}

/// What was selected of the robot at this place, all of it at this one step, and how long that took if plugins or long texts were in it.
pub(crate) fn read(
    board: &Board,
    session: &Session,
    shown: &Shown,
    place: usize,
    selected: &[Selected],
) -> Result<(StateReply, Option<Took>), Reply> {
    let gather = || gather(session, shown, place, selected);
    let is_long = integers(shown, place, selected) >= LARGE;
    if !is_long && selected.iter().all(|one| shown.is_there(place, one.sensor)) {
        return Ok((gather(), None));
    }
    let begun_us = board.now_us();
    let state = board.generating.run(if is_long { Length::Long } else { Length::Short }, gather)?;
    let now_us = board.now_us();
    Ok((state, Some(Took { now_us, us: now_us.saturating_sub(begun_us) })))
}

/// How many integers that makes the server generate and write; of a feature its whole sensor counts.
pub(crate) fn integers(shown: &Shown, place: usize, selected: &[Selected]) -> usize {
    let slots = &shown.frame.robots[place].identity.sensors;
    let len = |one: &Selected| slots.get(one.sensor).map_or(0, |slot| slot.len);
    selected.iter().map(len).fold(0, usize::saturating_add)
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
    use crate::door::Door;
    use crate::session::{Limits, SessionConfig};
    use crate::testing::FakeServer;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use touchline_gate::{Control, Pass, Role};

    /// A server on which each reading takes 600 ms, by a clock that nothing else moves.
    fn server() -> (FakeServer, Arc<AtomicU64>) {
        let from = [127, 0, 0, 1].into();
        let config = SessionConfig {
            limits: Limits::default(),
            door: Door::Open,
            peer: from,
            server_version: "1".into(),
        };
        let mut server = FakeServer::new(config, 0);
        let (readings, count) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let told = Arc::clone(&readings);
        let clock = move || {
            // It is read before and after.
            let now_us = count.fetch_add(1, Ordering::Relaxed).div_ceil(2) * 600_000;
            told.store(count.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
            now_us
        };
        assert!(server.talk().board.clock.set(Box::new(clock)).is_ok());
        (server, readings)
    }

    fn asked(server: &mut FakeServer, lines: &str, now_us: u64) -> String {
        let unread = server.session().output().len();
        server.session().consume_output(unread);
        server.session().receive(lines.as_bytes(), now_us);
        server.serve(now_us);
        String::from_utf8_lossy(server.session().output()).into_owned()
    }

    /// Who asks for what takes long is answered, and heard again later; it is counted; what was generated already is free.
    #[test]
    fn whose_readings_take_long_waits() {
        let (mut server, _) = server();
        let said = asked(&mut server, "HELLO 1 x role=operator\nGET blue-1 *\nSTATUS\n", 0);
        assert!(said.contains("OK GET") && !said.contains("OK STATUS"), "{said}");
        // 600 ms of 500 ms a second are 1200 ms; a second may be had before.
        assert_eq!(asked(&mut server, "", 799_999), "");
        let said = asked(&mut server, "GET blue-1 *\nGET blue-1 *\n", 800_000);
        assert!(said.contains("OK STATUS") && said.contains(" reading_waits=1 "), "{said}");
        assert_eq!(said.matches("OK GET").count(), 2, "{said}");
    }

    /// What is pushed to such a client is left out, and comes again.
    #[test]
    fn pushes_that_take_long_are_left_out() {
        let (mut server, readings) = server();
        let said = asked(&mut server, "HELLO 1 x role=operator\nPUSH blue-1 10 *\n", 0);
        assert_eq!(said.matches("STATE ").count(), 1, "{said}");
        let mut other = server.talk().board.gate.client(Pass::at_desk(Role::Operator), "other");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for (now_us, count) in [(700_000, 1), (810_000, 2), (820_000, 2)] {
            runtime.block_on(other.execute(Control::Step(1).into()).unwrap().reply.wait()).unwrap();
            asked(&mut server, "", now_us);
            assert_eq!(readings.load(Ordering::Relaxed), count, "at {now_us}");
        }
    }

    /// In lockstep the world waits for its clients, and they for nothing else.
    #[test]
    fn nobody_waits_in_lockstep() {
        let (mut server, _) = server();
        let said = asked(&mut server, "HELLO 1 x role=operator\nSPEED lockstep\n", 0);
        assert!(said.contains("OK SPEED"), "{said}");
        let said = asked(&mut server, &"STEP 1\nGET blue-1 *\n".repeat(20), 0);
        assert_eq!(said.matches("OK GET").count(), 20, "{said}");
    }
}
