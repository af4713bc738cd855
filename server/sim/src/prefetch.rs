//! A world's memory, fetched before it is stepped.
//!
//! A thousand worlds do not fit into the processor's near cache: each is read from afar, and a step waits for one piece of it after the other. To
//! read a number of each piece beforehand, none of which depends on another, waits for all of them together.
//!
//! # Invariants
//! - Nothing is changed, and no step depends on it.

use crate::state::State;
use crate::world::World;
use std::hint::black_box;

impl World {
    /// Reads a number of each piece of memory that the next step begins with. It pays while another world is stepped in between.
    pub fn prefetch(&self) {
        let State { step, physics, balls, robots, referee, game, view, .. } = &self.state;
        let mut all =
            *step ^ game.clock_secs.to_bits() ^ game.values.first().map_or(0, |value| value.to_bits());
        for (index, robot) in robots.iter().enumerate() {
            let motion = &robot.motion;
            all ^= u64::from(robot.number()) ^ robot.reward.to_bits();
            all ^= motion.command[0].to_bits() ^ motion.data[0].to_bits() ^ motion.data[8].to_bits();
            all ^=
                motion.pose.x_m.to_bits() ^ motion.moved.x_m.to_bits() ^ motion.world_twist.x_m_s.to_bits();
            all ^= each_line(&motion.state);
            all ^= robot.manipulators.first().map_or(0, |part| part.ready_at);
            all ^= robot.taken_by.unwrap_or(0) ^ u64::from(motion.failed) ^ robot.line.renewed_at();
            all ^= robot.sensor_data.first().map_or(0, |datum| datum.to_bits());
            for sensor in &robot.sensors {
                all ^= each_line(&sensor.state);
            }
            if let Some(player) = &robot.player {
                all ^= player.last_call.unwrap_or(0) ^ each_line(&player.state);
            }
            all ^= physics.glance(index);
        }
        for object in &view.objects {
            all ^= object.pose.x_m.to_bits() ^ u64::from(object.number);
        }
        for ball in balls {
            all ^= ball.pose().x_m.to_bits();
        }
        all ^= referee.as_ref().map_or(0, |referee| each_line(&referee.state));
        black_box(all);
    }
}

/// A byte of each piece of a plugin's state that is fetched at once, mixed; of the first few, which is all that most have.
fn each_line(state: &[u8]) -> u64 {
    const LINE_BYTES: usize = 64;
    state.iter().step_by(LINE_BYTES).take(8).fold(0, |all, &byte| all ^ u64::from(byte))
}
