//! A world that is being simulated, and recorded.

use super::stage::Stage;
use crate::recorder::{Producer, Recorder};
use std::path::PathBuf;
use std::sync::Arc;
use touchline_gate::{Bookmark, Later, Mode, RecordOrder, Recording, RequestError, Tick, Wish};
use touchline_record::{Input, TimedInput, Timeline};
use touchline_sim::{Command, Frame, Outcome, World};

/// A world that is being simulated, and recorded.
pub struct Live {
    world: World,
    producer: Producer,
    begins_paused: bool,
}

impl Live {
    /// Of a world before its first step, and its recorder.
    pub fn new(world: World, producer: Producer) -> Self {
        Self { world, producer, begins_paused: false }
    }

    /// The same, and no time passes before somebody lets it.
    pub fn paused(self) -> Self {
        Self { begins_paused: true, ..self }
    }

    /// World after the last step.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Brings a world before its first step to a tick by what came into an earlier one, and tells the recorder of all of it. What comes out
    /// is what these plugins make of the inputs, whatever other ones made of them then.
    ///
    /// `inputs` are those since the beginning, in their order.
    pub fn catch_up(&mut self, inputs: &[TimedInput], to: Tick) {
        // For seeks alone: whoever never sought needs no past of its own.
        let mut past = inputs
            .iter()
            .any(|timed| matches!(timed.input, Input::Seek(_)))
            .then(|| Timeline::new(self.world.fork(), usize::MAX));
        let every_second = (1.0 / self.dt_secs()).round().max(1.0) as Tick;
        let was = self.producer.wait(true);
        let mut inputs = inputs.iter().peekable();
        loop {
            let tick = self.producer.tick();
            let mut commands: &[Command] = &[];
            while let Some(timed) = inputs.next_if(|timed| timed.tick <= tick) {
                if let Some(past) = &mut past {
                    past.push(timed.clone());
                }
                match &timed.input {
                    Input::Step(given) => commands = given,
                    Input::Apply(given) => drop(self.apply(given)),
                    Input::Seek(to) => self.seek_in(past.as_mut(), *to),
                }
            }
            if tick >= to {
                break;
            }
            self.step(commands);
            if let Some(past) = &mut past {
                past.reached(tick + 1);
                if (tick + 1).is_multiple_of(every_second) {
                    past.key(tick + 1, self.world.fork());
                }
            }
        }
        self.producer.wait(was);
    }

    /// As the timeline's rule has it, a keyframe follows; where the world never was it does not go.
    fn seek_in(&mut self, past: Option<&mut Timeline>, to: Tick) {
        let Some(past) = past else { return };
        if let Ok(there) = past.world_at(to) {
            let _ = self.seek(to, Some(Box::new(there)));
        }
        past.key(self.producer.tick(), self.world.fork());
    }
}

impl Stage for Live {
    fn dt_secs(&self) -> f64 {
        self.world.scenario().dt_secs
    }

    fn step(&mut self, commands: &[Command]) -> Vec<Outcome> {
        let outcomes = self.world.step(commands);
        self.producer.stepped(commands, &outcomes, &self.world);
        outcomes
    }

    fn step_back(&mut self, commands: &[Command]) -> Vec<Outcome> {
        self.apply(commands)
    }

    fn apply(&mut self, commands: &[Command]) -> Vec<Outcome> {
        let outcomes = self.world.apply(commands);
        self.producer.applied(commands, &outcomes, &self.world);
        outcomes
    }

    fn seek(&mut self, to: Tick, world: Option<Box<World>>) -> Result<(), RequestError> {
        let there = world.ok_or(RequestError::Stopping)?;
        // Of the present tick the recorder may not know yet what was carried out since it was asked.
        let there = if to == self.producer.tick() { self.world.snapshot() } else { there.snapshot() };
        self.world.rewind(&there);
        self.producer.sought(to, &self.world);
        Ok(())
    }

    fn is_at_end(&self, _: bool) -> bool {
        false
    }

    fn frame(&self) -> Frame {
        self.world.frame()
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    fn tick(&self) -> Tick {
        self.producer.tick()
    }

    fn begins_paused(&self) -> bool {
        self.begins_paused
    }
}

/// At the gate: everything may be asked for, and the recorder has the past.
pub(super) struct Kept(pub Recorder);

impl Mode for Kept {
    fn permit(&self, _: usize, _: Wish<'_>) -> Result<(), RequestError> {
        Ok(())
    }

    fn ticks(&self, _: Tick) -> (Tick, Tick) {
        let status = self.0.status();
        (status.oldest, status.newest)
    }

    fn bookmarks(&self) -> Later<Vec<Bookmark>> {
        let recorder = self.0.clone();
        Box::pin(async move { Ok(recorder.bookmarks().await?) })
    }

    fn frame_at(&self, tick: Tick) -> Later<Arc<Frame>> {
        let recorder = self.0.clone();
        Box::pin(async move { Ok(recorder.frame_at(tick).await?) })
    }

    fn state_at(&self, tick: Tick) -> Later<Option<Box<World>>> {
        let recorder = self.0.clone();
        Box::pin(async move { Ok(Some(recorder.world_at(tick).await?)) })
    }

    fn record(&self, order: RecordOrder, name: Option<String>) -> Later<PathBuf> {
        let recorder = self.0.clone();
        Box::pin(async move {
            Ok(match order {
                RecordOrder::Start => recorder.start_file(name).await?,
                RecordOrder::Stop => recorder.finish_file().await?,
                RecordOrder::Save => recorder.save(name).await?,
            })
        })
    }

    fn recording(&self) -> Option<Recording> {
        let status = self.0.status();
        Some(Recording {
            file: status.file,
            failure: status.failure,
            lost: status.lost,
            lost_inputs: status.lost_inputs,
            lost_digests: status.lost_digests,
        })
    }
}
