//! Any tick of a world's past, exactly: keyframes that were kept, and what came in between. [W7, mechanism 3]
//!
//! A world is a pure function of its state and its commands. So a tick is reached by going on from the last keyframe
//! before it, with the same inputs; what comes out is the same bit by bit.

use crate::input::{Input, Tick, TimedInput};
use std::collections::VecDeque;
use touchline_sim::World;

/// Keyframes and inputs of one world.
pub struct Timeline {
    keys: VecDeque<Key>,
    inputs: Vec<TimedInput>,
    /// Size of the inputs, bytes.
    input_bytes: usize,
    /// Inputs that were dropped from the front.
    dropped: usize,
    newest: Tick,
    most_keys: usize,
}

struct Key {
    tick: Tick,
    /// How many inputs, counted from the very first, had been carried out.
    inputs_done: usize,
    world: World,
}

/// A tick that cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tick {tick} is not kept; {oldest} to {newest} are")]
pub struct NotKept {
    /// Tick that was asked for.
    pub tick: Tick,
    /// The first that can be reached.
    pub oldest: Tick,
    /// The last tick that can be reached.
    pub newest: Tick,
}

/// The way to a tick: work that can be done on any thread.
pub struct Way {
    world: World,
    inputs: Vec<TimedInput>,
    from: Tick,
    to: Tick,
}

impl Timeline {
    /// Begins with a world at tick 0, and keeps so many keyframes at most, at least 2.
    pub fn new(world: World, most_keys: usize) -> Self {
        let keys = VecDeque::from([Key { tick: 0, inputs_done: 0, world }]);
        Self { keys, inputs: Vec::new(), input_bytes: 0, dropped: 0, newest: 0, most_keys: most_keys.max(2) }
    }

    /// The first tick that can be reached.
    pub fn oldest(&self) -> Tick {
        self.keys.front().map_or(self.newest, |key| key.tick)
    }

    /// The last tick that is known.
    pub fn newest(&self) -> Tick {
        self.newest
    }

    /// What came in since the beginning; `None` if some of it was dropped.
    pub fn all_inputs(&self) -> Option<&[TimedInput]> {
        (self.dropped == 0).then_some(&self.inputs)
    }

    /// The world has reached a tick.
    pub fn reached(&mut self, tick: Tick) {
        self.newest = self.newest.max(tick);
    }

    /// Something came in; in the order in which it came.
    pub fn push(&mut self, input: TimedInput) {
        self.newest = self.newest.max(input.tick);
        self.input_bytes += input.memory_bytes();
        self.inputs.push(input);
    }

    /// A keyframe: the world as it was after all inputs that were pushed so far.
    ///
    /// One has to follow each [`Input::Seek`].
    pub fn key(&mut self, tick: Tick, world: World) {
        self.reached(tick);
        let inputs_done = self.dropped + self.inputs.len();
        self.keys.push_back(Key { tick, inputs_done, world });
        while self.keys.len() > self.most_keys {
            self.keys.pop_front();
        }
    }

    /// Forgets inputs that no kept key needs; and the oldest keys, as long as inputs take more memory than this.
    pub fn forget_old_inputs(&mut self, most_bytes: usize) {
        loop {
            let needed = self.keys.front().map_or(0, |key| key.inputs_done);
            let forgotten = self.inputs.drain(..needed - self.dropped);
            self.input_bytes -= forgotten.map(|input| input.memory_bytes()).sum::<usize>();
            self.dropped = needed;
            if self.input_bytes <= most_bytes || self.keys.len() <= 2 {
                return;
            }
            self.keys.pop_front();
        }
    }

    /// The way to a tick.
    ///
    /// # Errors
    /// When it lies before the first key, or has not come yet.
    pub fn way_to(&self, tick: Tick) -> Result<Way, NotKept> {
        Ok(self.way_from(self.key_before(tick)?, tick))
    }

    fn key_before(&self, tick: Tick) -> Result<&Key, NotKept> {
        let after = self.keys.partition_point(|key| key.tick <= tick);
        let key = after.checked_sub(1).and_then(|index| self.keys.get(index));
        let key = key.filter(|_| tick <= self.newest);
        key.ok_or(NotKept { tick, oldest: self.oldest(), newest: self.newest })
    }

    fn way_from(&self, key: &Key, tick: Tick) -> Way {
        let inputs = &self.inputs[key.inputs_done - self.dropped..];
        let end = inputs.partition_point(|input| input.tick <= tick);
        Way { world: key.world.fork(), inputs: inputs[..end].to_vec(), from: key.tick, to: tick }
    }

    /// Brings a world that is at one tick to another: by going on from where it is, if that is shorter.
    ///
    /// # Errors
    /// As [`Timeline::way_to`]; the world stays as it is.
    pub fn advance(&self, world: &mut World, from: Tick, to: Tick) -> Result<(), NotKept> {
        let key = self.key_before(to)?;
        // What was carried out at `from` while time stood, it has behind it.
        let between = |input: &&TimedInput| match input.input {
            Input::Step(_) => (from..to).contains(&input.tick),
            Input::Apply(_) | Input::Seek(_) => input.tick > from && input.tick <= to,
        };
        let first = self.inputs.partition_point(|input| input.tick < from);
        let inputs = || self.inputs[first..].iter().take_while(|input| input.tick <= to).filter(between);
        let seeks = inputs().any(|input| matches!(input.input, Input::Seek(_)));
        // One step is quicker than a copy of the key that it leads to.
        if from > to || seeks || (key.tick > from && to - from > 1) {
            *world = self.way_from(key, to).resimulate();
        } else if from < to {
            resimulate(world, inputs(), from, to);
        }
        Ok(())
    }

    /// The world as it was at a tick.
    ///
    /// # Errors
    /// As [`Timeline::way_to`].
    pub fn world_at(&self, tick: Tick) -> Result<World, NotKept> {
        Ok(self.way_to(tick)?.resimulate())
    }
}

impl Way {
    /// Simulates again, from the keyframe up to the tick.
    pub fn resimulate(mut self) -> World {
        resimulate(&mut self.world, self.inputs.iter(), self.from, self.to);
        self.world
    }

    /// How many steps it takes.
    pub fn steps(&self) -> u64 {
        self.to - self.from
    }
}

/// Simulates a world again, from one tick to a later one.
fn resimulate<'a>(world: &mut World, inputs: impl Iterator<Item = &'a TimedInput>, from: Tick, to: Tick) {
    let mut inputs = inputs.peekable();
    let mut tick = from;
    loop {
        let mut step: &[_] = &[];
        while let Some(timed) = inputs.next_if(|input| input.tick <= tick) {
            match &timed.input {
                Input::Apply(commands) => drop(world.apply(commands)),
                Input::Step(commands) => step = commands,
                // A key follows each seek, so no way leads over one.
                Input::Seek(_) => {}
            }
        }
        if tick == to {
            return;
        }
        world.step(step);
        tick += 1;
    }
}
