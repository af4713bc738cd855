//! `STATUS`: how the simulation is doing.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_gate::Verb;

pub(super) const COMMAND: Command = Command {
    word: "STATUS",
    parameters: "",
    verb: Verb::Ask,
    summary: "world, step, simulated time, speed",
    details: &[],
    run: Run::Ask(run),
};

fn run(call: &mut Call<'_>) -> Result<Begun, Refused> {
    call.no_params()?;
    let gate = call.gate();
    let published = gate.newest();
    let (frame, status) = (&published.frame, gate.status());
    let recording = gate.recording().unwrap_or_default();
    let lost = |count: u64| (count > 0).then_some(count);
    let file = recording.file.map(|path| path.display().to_string());
    let reply = Reply::ok()
        .with("world", &gate.scenario().name)
        .with("step", frame.step)
        .with("run", frame.run)
        .with("sim_us", published.sim_us())
        .with("dt_us", gate.dt_us())
        .with("real_time_factor", (status.real_time_factor * 1000.0).round() / 1000.0)
        .with_some("stalled", gate.stall().as_deref())
        .with("paused", status.paused)
        .with("speed", &status.speed.to_string())
        .with("timed_steps", status.timed_steps)
        .with("late_steps", status.late_steps)
        .with("state_hash", &format!("{:016x}", status.state_hash))
        .with("moment", status.moment)
        .with("replay", gate.is_replay())
        .with_some("departs", gate.departure().map(|departure| departure.moment))
        .with_some("recording", file.as_deref())
        .with_some("recording_failure", recording.failure.as_deref())
        .with_some("lost_poses", lost(recording.lost))
        .with_some("lost_inputs", lost(recording.lost_inputs))
        .with_some("lost_digests", lost(recording.lost_digests))
        .with("clients", call.connections())
        .with("robots", frame.robots.len());
    call.answer(reply)
}
