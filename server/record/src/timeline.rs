//! Any moment of a world's past, exactly: key moments that were kept, and what came in between. [W7, mechanism 3]
//!
//! A world is a pure function of its state and its commands. So a moment is reached by going on from the last key moment
//! before it, with the same inputs; what comes out is the same bit by bit.

use crate::input::{Input, Moment, TimedInput};
use std::collections::VecDeque;
use touchline_sim::World;

/// Key moments and inputs of one world.
pub struct Timeline {
    keys: VecDeque<Key>,
    inputs: Vec<TimedInput>,
    /// What they take.
    input_bytes: usize,
    /// Inputs that were dropped from the front.
    dropped: usize,
    newest: Moment,
    most_keys: usize,
}

struct Key {
    moment: Moment,
    /// How many inputs, counted from the very first, had been carried out.
    inputs_done: usize,
    world: World,
}

/// A moment that cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("moment {moment} is not kept; {oldest} to {newest} are")]
pub struct NotKept {
    /// What was asked for.
    pub moment: Moment,
    /// The first that can be reached.
    pub oldest: Moment,
    /// The last.
    pub newest: Moment,
}

/// The way to a moment: work that can be done on any thread.
pub struct Way {
    world: World,
    inputs: Vec<TimedInput>,
    from: Moment,
    to: Moment,
}

impl Timeline {
    /// Begins with a world at moment 0, and keeps so many key moments at most, at least 2.
    pub fn new(world: World, most_keys: usize) -> Self {
        let keys = VecDeque::from([Key { moment: 0, inputs_done: 0, world }]);
        Self { keys, inputs: Vec::new(), input_bytes: 0, dropped: 0, newest: 0, most_keys: most_keys.max(2) }
    }

    /// The first moment that can be reached.
    pub fn oldest(&self) -> Moment {
        self.keys.front().map_or(self.newest, |key| key.moment)
    }

    /// The last moment that is known.
    pub fn newest(&self) -> Moment {
        self.newest
    }

    /// What came in since the beginning; `None` if some of it was dropped.
    pub fn all_inputs(&self) -> Option<&[TimedInput]> {
        (self.dropped == 0).then_some(&self.inputs)
    }

    /// The world has reached a moment.
    pub fn reached(&mut self, moment: Moment) {
        self.newest = self.newest.max(moment);
    }

    /// Something came in; in the order in which it came.
    pub fn push(&mut self, input: TimedInput) {
        self.newest = self.newest.max(input.moment);
        self.input_bytes += input.memory_bytes();
        self.inputs.push(input);
    }

    /// A key moment: the world as it was after all inputs that were pushed so far.
    ///
    /// One has to follow each [`Input::Jump`].
    pub fn key(&mut self, moment: Moment, world: World) {
        self.reached(moment);
        let inputs_done = self.dropped + self.inputs.len();
        self.keys.push_back(Key { moment, inputs_done, world });
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

    /// The way to a moment.
    ///
    /// # Errors
    /// When it lies before the first key, or has not come yet.
    pub fn way_to(&self, moment: Moment) -> Result<Way, NotKept> {
        Ok(self.way_from(self.key_before(moment)?, moment))
    }

    fn key_before(&self, moment: Moment) -> Result<&Key, NotKept> {
        let after = self.keys.partition_point(|key| key.moment <= moment);
        let key = after.checked_sub(1).and_then(|index| self.keys.get(index));
        let key = key.filter(|_| moment <= self.newest);
        key.ok_or(NotKept { moment, oldest: self.oldest(), newest: self.newest })
    }

    fn way_from(&self, key: &Key, moment: Moment) -> Way {
        let inputs = &self.inputs[key.inputs_done - self.dropped..];
        let end = inputs.partition_point(|input| input.moment <= moment);
        Way { world: key.world.fork(), inputs: inputs[..end].to_vec(), from: key.moment, to: moment }
    }

    /// Brings a world that is at one moment to another: by going on from where it is, if that is shorter.
    ///
    /// # Errors
    /// As [`Timeline::way_to`]; the world stays as it is.
    pub fn advance(&self, world: &mut World, from: Moment, to: Moment) -> Result<(), NotKept> {
        let key = self.key_before(to)?;
        // What was carried out at `from` while time stood, it has behind it.
        let between = |input: &&TimedInput| match input.input {
            Input::Step(_) => (from..to).contains(&input.moment),
            Input::Apply(_) | Input::Jump(_) => input.moment > from && input.moment <= to,
        };
        let first = self.inputs.partition_point(|input| input.moment < from);
        let inputs = || self.inputs[first..].iter().take_while(|input| input.moment <= to).filter(between);
        let jumps = inputs().any(|input| matches!(input.input, Input::Jump(_)));
        // One step is quicker than a copy of the key that it leads to.
        if from > to || jumps || (key.moment > from && to - from > 1) {
            *world = self.way_from(key, to).walk();
        } else if from < to {
            walk(world, inputs(), from, to, |_, _| {});
        }
        Ok(())
    }

    /// The world as it was at a moment.
    ///
    /// # Errors
    /// As [`Timeline::way_to`].
    pub fn world_at(&self, moment: Moment) -> Result<World, NotKept> {
        Ok(self.way_to(moment)?.walk())
    }
}

impl Way {
    /// Goes it, and shows the world at each moment on it, the first and the last included.
    pub fn walk_with(mut self, see: impl FnMut(Moment, &World)) -> World {
        walk(&mut self.world, self.inputs.iter(), self.from, self.to, see);
        self.world
    }

    /// Goes it.
    pub fn walk(self) -> World {
        self.walk_with(|_, _| {})
    }

    /// How many steps it takes.
    pub fn steps(&self) -> u64 {
        self.to - self.from
    }
}

/// Brings a world from one moment to a later one, and shows it at each, the first and the last included.
fn walk<'a>(
    world: &mut World,
    inputs: impl Iterator<Item = &'a TimedInput>,
    from: Moment,
    to: Moment,
    mut see: impl FnMut(Moment, &World),
) {
    let mut inputs = inputs.peekable();
    let mut moment = from;
    loop {
        let mut step: &[_] = &[];
        while let Some(timed) = inputs.next_if(|input| input.moment <= moment) {
            match &timed.input {
                Input::Apply(commands) => drop(world.apply(commands)),
                Input::Step(commands) => step = commands,
                // A key follows each jump, so no way leads over one.
                Input::Jump(_) => {}
            }
        }
        see(moment, world);
        if moment == to {
            return;
        }
        world.step(step);
        moment += 1;
    }
}
