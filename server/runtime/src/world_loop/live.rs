//! A world that is being simulated, and recorded.

use super::stage::Stage;
use crate::recorder::{Feed, Recorder};
use std::path::PathBuf;
use std::sync::Arc;
use touchline_gate::{Bookmark, Later, Mode, RecordOrder, Recording, RequestError, Tick, Wish};
use touchline_sim::{Command, Frame, Outcome, World};

/// A world that is being simulated, and recorded.
pub struct Live {
    world: World,
    feed: Feed,
}

impl Live {
    /// Of a world before its first step, and its recorder.
    pub fn new(world: World, feed: Feed) -> Self {
        Self { world, feed }
    }

    /// World after the last step.
    pub fn world(&self) -> &World {
        &self.world
    }
}

impl Stage for Live {
    fn dt_secs(&self) -> f64 {
        self.world.scenario().dt_secs
    }

    fn step(&mut self, commands: &[Command]) -> Vec<Outcome> {
        let outcomes = self.world.step(commands);
        self.feed.stepped(commands, &outcomes, &self.world);
        outcomes
    }

    fn step_back(&mut self, commands: &[Command]) -> Vec<Outcome> {
        self.apply(commands)
    }

    fn apply(&mut self, commands: &[Command]) -> Vec<Outcome> {
        let outcomes = self.world.apply(commands);
        self.feed.applied(commands, &outcomes, &self.world);
        outcomes
    }

    fn jump(&mut self, to: Tick, world: Option<Box<World>>) -> Result<(), RequestError> {
        let there = world.ok_or(RequestError::Stopping)?;
        // Of the present tick the recorder may not know yet what was carried out since it was asked.
        let there = if to == self.feed.tick() { self.world.snapshot() } else { there.snapshot() };
        self.world.rewind(&there);
        self.feed.jumped(to, &self.world);
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
        self.feed.tick()
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
