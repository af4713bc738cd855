//! `STATUS`: how the simulation is doing.

use super::{Command, Run};
use crate::call::{Begun, Call, Refused};
use touchline_board::Reply;
use touchline_gate::{Reach, Verb};

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
    // Where the server keeps its files is for those who make them; at a desk for all.
    let sees_paths = call
        .session()
        .pass()
        .is_none_or(|pass| pass.name.is_none() || pass.reach(Verb::Record) != Reach::Nothing);
    // Who knows the world file and his own orders can step a world beside this one: the hash would tell him when it is the same.
    let sees_hash =
        call.truth().is_ok() && call.session().pass().is_none_or(|pass| pass.reach(Verb::See) == Reach::All);
    let gate = call.gate();
    let published = gate.newest();
    let frame = &published.frame;
    let (status, stall) = gate.status();
    let recording = gate.recording().unwrap_or_default();
    let lost = |count: u64| (count > 0).then_some(count);
    let file = recording.file.map(|path| match path.file_name() {
        Some(name) if !sees_paths => name.to_string_lossy().into_owned(),
        _ => path.display().to_string(),
    });
    let failure = recording.failure.map(|why| if sees_paths { why } else { "it failed".into() });
    let reply = Reply::ok()
        .with("world", &gate.scenario().name)
        .with("step", frame.step)
        .with("run", frame.run)
        .with("sim_us", published.sim_us())
        .with("dt_us", gate.dt_us())
        .with("real_time_factor", (status.real_time_factor * 1000.0).round() / 1000.0)
        .with_some("stalled", stall.as_deref())
        .with("paused", status.paused)
        .with("speed", &status.speed.to_string())
        .with("priority", &gate.priority().unwrap_or_default().to_string())
        .with("timed_steps", status.timed_steps)
        .with("late_steps", status.late_steps)
        .with_some("state_hash", sees_hash.then(|| format!("{:016x}", status.state_hash)).as_deref())
        .with("tick", status.tick)
        .with("replay", gate.is_replay())
        .with_some("departs", gate.divergence().map(|divergence| divergence.tick))
        .with_some("recording", file.as_deref())
        .with_some("recording_failure", failure.as_deref())
        .with_some("lost_poses", lost(recording.lost))
        .with_some("lost_inputs", lost(recording.lost_inputs))
        .with_some("lost_digests", lost(recording.lost_digests))
        .with_some("reading_waits", lost(call.reading_waits()))
        .with("clients", call.connections())
        .with("robots", frame.robots.len());
    call.answer(reply)
}
