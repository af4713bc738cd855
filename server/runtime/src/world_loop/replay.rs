//! A recording, served as if it were live: its world runs again, and can be had at any tick.

use super::stage::Stage;
use crate::past::{Past, Turn};
use crate::recorder::not_kept;
use std::path::PathBuf;
use std::sync::Arc;
use touchline_gate::{Bookmark, Divergence, Later, Mode, RecordOrder, Recording, RequestError, Wish, ready};
use touchline_record::{
    Difference, Ending, Log, NotKept, Rerun, Shadow, Stream, Tick, Timeline, overlay, overlay_game,
    steps_between_states,
};
use touchline_sim::{Command, Frame, Outcome, Scenario, World, is_for_programs};

/// Keyframes of a recording, at most, and the least steps between two.
const KEYS: u64 = 600;
const LEAST_KEY_STEPS: u64 = 50;

/// A log whose world was run again; from the first difference on, what was recorded is shown in place of what came out.
pub struct Replay {
    log: Log,
    timeline: Timeline,
    scenario: Scenario,
    bookmarks: Vec<Bookmark>,
    /// The last Frame that was run again, if there is a difference: what is shown is moved from there.
    last_true: Option<Frame>,
    oldest: Tick,
    newest: Tick,
    difference: Option<Difference>,
    shadows: Vec<Shadow>,
}

impl Replay {
    /// Runs a log's world again, from its first step to its last. `see` hears of each tick.
    pub fn new(log: Log, world: World, see: impl FnMut(Tick)) -> Self {
        let key_every = (log.newest / KEYS).max(LEAST_KEY_STEPS);
        let mut rerun = Rerun::new(world, key_every);
        let difference = rerun.compare(&log, see);
        if difference.is_some() {
            rerun.go_to(log.newest, &log.inputs);
        }
        let event = |event: &touchline_record::LoggedEvent| Bookmark {
            tick: event.tick,
            kind: event.kind.clone(),
            text: event.message.clone(),
        };
        let message = |message: &touchline_record::LoggedMessage| Bookmark {
            tick: message.tick,
            kind: "message".into(),
            text: format!("{}: {}", message.from, message.text),
        };
        let mut bookmarks: Vec<Bookmark> = log
            .events
            .iter()
            .filter(|event| !is_for_programs(&event.kind))
            .map(event)
            .chain(log.radio.iter().map(message))
            .collect();
        let shadows = rerun.shadows().to_vec();
        bookmarks.sort_by_key(|bookmark| bookmark.tick);
        let timeline = rerun.into_timeline();
        let last_true = difference.and_then(|difference| {
            let before = difference.tick.saturating_sub(1);
            timeline.world_at(before).ok().map(|world| world.frame())
        });
        let (scenario, oldest, newest) = (log.header.scenario.clone(), log.oldest(), log.newest);
        Self { log, timeline, scenario, bookmarks, last_true, oldest, newest, difference, shadows }
    }

    /// Bookmarks what differs from what was recorded: where the world that is run again departs, and `why` if anybody knows; what players
    /// that run beside the recorded ones would do otherwise, which `first` says of each with its tick.
    pub fn with_differences(mut self, why: &str, first: impl Fn(&Shadow) -> Option<(Tick, String)>) -> Self {
        let differences = self.shadows.iter().filter_map(first);
        let oldest = self.oldest;
        self.bookmarks.extend(differences.map(|(tick, text)| Bookmark {
            // Of a part the steps before it were compared as well.
            tick: tick.max(oldest),
            kind: "difference".into(),
            text,
        }));
        self.bookmarks.extend(self.difference.map(|difference| {
            let because = if why.is_empty() { String::new() } else { format!(": {why}") };
            let text = format!("from step {} on the recorded poses are shown{because}", difference.step);
            Bookmark { tick: difference.tick, kind: "divergence".into(), text }
        }));
        self.bookmarks.sort_by_key(|bookmark| bookmark.tick);
        self
    }

    /// The recording that is replayed.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The world before its first step.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// What happened, oldest first.
    pub fn bookmarks(&self) -> &[Bookmark] {
        &self.bookmarks
    }

    /// First tick of the recording: a part of another begins where it was cut out, though its world is run from the first step.
    pub fn oldest(&self) -> Tick {
        self.oldest
    }

    /// Last tick of the recording.
    pub fn newest(&self) -> Tick {
        self.newest
    }

    /// The first tick at which the world that was run again is not the one that was recorded.
    pub fn difference(&self) -> Option<Difference> {
        self.difference
    }

    /// How the players did that run beside recorded ones.
    pub fn shadows(&self) -> &[Shadow] {
        &self.shadows
    }

    /// What was true at a tick.
    ///
    /// # Errors
    /// When the tick is not of the recording.
    pub fn frame_at(&self, tick: Tick) -> Result<Frame, NotKept> {
        self.has(tick)?;
        let world = self.timeline.world_at(tick)?;
        Ok(self.recorded(tick).unwrap_or_else(|| world.frame()))
    }

    /// Shows what was true at each of these ticks, which go forwards.
    ///
    /// # Errors
    /// What `see` fails with.
    pub fn each_frame<E>(
        &self,
        ticks: &[Tick],
        mut see: impl FnMut(&Frame) -> Result<(), E>,
    ) -> Result<(), E> {
        // The first tick is kept always.
        let mut world = self.timeline.world_at(0).unwrap_or_else(|error| unreachable!("{error}"));
        let mut at = 0;
        for &tick in ticks {
            if self.timeline.advance(&mut world, at, tick).is_ok() {
                at = tick;
            }
            see(&self.recorded(tick).unwrap_or_else(|| world.frame()))?;
        }
        Ok(())
    }

    fn has(&self, tick: Tick) -> Result<(), NotKept> {
        let Self { oldest, newest, .. } = *self;
        if (oldest..=newest).contains(&tick) { Ok(()) } else { Err(NotKept { tick, oldest, newest }) }
    }

    /// What was recorded of a tick, if it is not what came out when it was run again.
    fn recorded(&self, tick: Tick) -> Option<Frame> {
        let difference = self.difference.filter(|difference| tick >= difference.tick)?;
        let (block, index) = self.log.sample_at(tick)?;
        if block.tick + (index as Tick) < difference.tick {
            return None;
        }
        let mut frame = self.last_true.clone()?;
        overlay(&mut frame, block, index, self.scenario.dt_secs);
        if let Some(game) = self.log.game_at(tick) {
            overlay_game(&mut frame, game);
        }
        Some(frame)
    }
}

/// A recording that is being played.
pub(super) struct Playing {
    replay: Arc<Replay>,
    world: World,
    tick: Tick,
    stream: Option<Stream>,
    /// Steps between two ticks that those hear of who watch.
    told_every: u64,
}

impl Playing {
    pub fn new(replay: Arc<Replay>, stream: Option<Stream>) -> Self {
        // Every tick of the recording is kept.
        let tick = replay.oldest;
        let world = replay.timeline.world_at(tick).unwrap_or_else(|error| unreachable!("{error}"));
        let told_every = steps_between_states(replay.scenario.dt_secs);
        let playing = Self { replay, world, tick, stream, told_every };
        playing.tell();
        playing
    }

    fn go_to(&mut self, tick: Tick) -> Result<(), NotKept> {
        self.replay.has(tick)?;
        self.replay.timeline.advance(&mut self.world, self.tick, tick)?;
        self.tick = tick;
        Ok(())
    }

    fn tell(&self) {
        if let Some(stream) = &self.stream {
            stream.tell_frame(self.tick, self.frame());
        }
    }

    fn tell_if_due(&self) {
        if self.tick.is_multiple_of(self.told_every) {
            self.tell();
        }
    }
}

impl Stage for Playing {
    fn dt_secs(&self) -> f64 {
        self.replay.scenario.dt_secs
    }

    // Commands are refused before they come here.
    fn step(&mut self, _: &[Command]) -> Vec<Outcome> {
        if self.tick < self.replay.newest {
            // Every tick of the recording is kept.
            let _ = self.go_to(self.tick + 1);
            self.tell_if_due();
        }
        Vec::new()
    }

    fn step_back(&mut self, _: &[Command]) -> Vec<Outcome> {
        if self.tick > self.replay.oldest {
            let _ = self.go_to(self.tick - 1);
            self.tell_if_due();
        }
        Vec::new()
    }

    fn apply(&mut self, _: &[Command]) -> Vec<Outcome> {
        Vec::new()
    }

    fn seek(&mut self, to: Tick, _: Option<Box<World>>) -> Result<(), RequestError> {
        self.go_to(to).map_err(not_kept)?;
        self.tell();
        Ok(())
    }

    fn is_at_end(&self, backwards: bool) -> bool {
        if backwards { self.tick <= self.replay.oldest } else { self.tick >= self.replay.newest }
    }

    fn frame(&self) -> Frame {
        self.replay.recorded(self.tick).unwrap_or_else(|| self.world.frame())
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    fn tick(&self) -> Tick {
        self.tick
    }
}

/// At the gate: a recording can be looked at and moved through, and not be changed.
pub(super) struct Over {
    replay: Arc<Replay>,
    past: Arc<Past>,
}

impl Over {
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(replay: Arc<Replay>) -> std::io::Result<Self> {
        Ok(Self { replay, past: Arc::new(Past::start()?) })
    }
}

impl Mode for Over {
    fn permit(&self, _: usize, wish: Wish<'_>) -> Result<(), RequestError> {
        match wish {
            Wish::Change(_) | Wish::Record => Err(RequestError::Replay),
            Wish::Control(_) | Wish::Sense(_) | Wish::Truth | Wish::Look | Wish::Seek => Ok(()),
        }
    }

    fn ticks(&self, _: Tick) -> (Tick, Tick) {
        (self.replay.oldest(), self.replay.newest())
    }

    fn bookmarks(&self) -> Later<Vec<Bookmark>> {
        ready(Ok(self.replay.bookmarks().to_vec()))
    }

    fn frame_at(&self, tick: Tick) -> Later<Arc<Frame>> {
        let (replay, past) = (Arc::clone(&self.replay), Arc::clone(&self.past));
        Box::pin(async move {
            let looked = past.look(Turn::Last, move || replay.frame_at(tick)).await;
            Ok(Arc::new(looked.ok_or(RequestError::Busy)?.map_err(not_kept)?))
        })
    }

    fn state_at(&self, _: Tick) -> Later<Option<Box<World>>> {
        ready(Ok(None))
    }

    fn record(&self, _: RecordOrder, _: Option<String>) -> Later<PathBuf> {
        ready(Err(RequestError::Replay))
    }

    fn is_replay(&self) -> bool {
        true
    }

    /// A recording that was cut off is none that went well.
    fn recording(&self) -> Option<Recording> {
        let Ending::CutOff { at_byte, problem } = self.replay.log.ending else { return None };
        let failure = format!("the recording was cut off after {at_byte} bytes: {problem}");
        Some(Recording { failure: Some(failure), ..Recording::default() })
    }

    fn divergence(&self) -> Option<Divergence> {
        self.replay.difference().map(|Difference { tick, step }| Divergence { tick, step })
    }
}
