//! A recorded world made to happen again, from its beginning on.

use crate::input::{Input, Tick, TimedInput};
use crate::reader::Log;
use crate::shadows::{Shadow, Tally};
use crate::timeline::Timeline;
use touchline_sim::{Command, World};

/// Goes through the inputs of a log, and keeps keyframes on the way.
pub struct Rerun {
    timeline: Timeline,
    world: World,
    tick: Tick,
    pending: Vec<Command>,
    key_every: u64,
    tally: Tally,
}

/// A log and its rerun are not the same world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first tick that differs.
    pub tick: Tick,
    /// The world's own count of steps at it.
    pub step: u64,
}

impl Rerun {
    /// Begins with the world of the log's header, before its first step; keeps a keyframe every so many steps.
    pub fn new(world: World, key_every: u64) -> Self {
        let timeline = Timeline::new(world.fork(), usize::MAX);
        let mut tally = Tally::default();
        tally.see(0, &world);
        Self { timeline, world, tick: 0, pending: Vec::new(), key_every: key_every.max(1), tally }
    }

    /// Goes on to a tick with the inputs that had come by then.
    ///
    /// `inputs` are those of the log from its beginning; those of an earlier call are not carried out again.
    pub fn go_to(&mut self, tick: Tick, inputs: &[TimedInput]) {
        let done = |timeline: &Timeline| timeline.all_inputs().map_or(0, <[_]>::len);
        loop {
            while let Some(timed) = inputs.get(done(&self.timeline)).filter(|timed| timed.tick <= self.tick) {
                self.timeline.push(timed.clone());
                match &timed.input {
                    Input::Step(commands) => self.pending.clone_from(commands),
                    Input::Apply(commands) => drop(self.world.apply(commands)),
                    Input::Seek(to) => {
                        // A log that seeks where it never was goes on from where it is: verifying finds that.
                        if let Ok(world) = self.timeline.world_at(*to) {
                            self.world.rewind(&world.snapshot());
                        }
                        self.timeline.key(self.tick, self.world.fork());
                    }
                }
            }
            if self.tick >= tick {
                return;
            }
            self.world.step(&std::mem::take(&mut self.pending));
            self.tick += 1;
            self.tally.see(self.tick, &self.world);
            self.timeline.reached(self.tick);
            if self.tick.is_multiple_of(self.key_every) {
                self.timeline.key(self.tick, self.world.fork());
            }
        }
    }

    /// Goes through a whole log, and compares it with what was recorded, bit by bit.
    ///
    /// Stops at the first difference. `see` hears of each tick that was compared.
    pub fn compare(&mut self, log: &Log, mut see: impl FnMut(Tick)) -> Option<Difference> {
        for logged in &log.blocks {
            let block = &logged.block;
            for (index, &digest) in block.digests.iter().enumerate() {
                let (tick, step) = (block.tick + index as u64, block.step + index as u64);
                // A tick behind a seek back has been passed by no step, but by the seek.
                self.go_to(tick, &log.inputs[..logged.inputs_before]);
                if crate::poses::digest(self.world.view().objects) != digest {
                    self.tally.close();
                    return Some(Difference { tick, step });
                }
                self.tally.confirm();
                see(tick);
            }
        }
        self.go_to(log.newest, &log.inputs);
        None
    }

    /// How the shadows of robots did, as far as [`Rerun::compare`] found the world to be the recorded one.
    pub fn shadows(&self) -> &[Shadow] {
        self.tally.robots()
    }

    /// The world at the tick that was reached.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The tick that was reached.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// Every tick that was passed, to be looked at again.
    pub fn into_timeline(self) -> Timeline {
        self.timeline
    }
}
