//! What happens in a world, step by step, turned into what is recorded.

use crate::input::{Input, Moment, TimedInput, carried_out};
use crate::log::{Item, PosesItem};
use std::sync::Arc;
use touchline_sim::{Command, Outcome, World};

/// How often everything is recorded that is not needed at each step, simulated seconds.
const FRAME_PERIOD_SECS: f64 = 0.1;

/// Something for the recorder.
pub enum Note {
    /// To be written.
    Item(Item),
    /// A key moment, to be kept for winding back; boxed, for it is large.
    Key(Moment, Box<World>),
}

/// Counts the moments of one world and tells what to record.
///
/// It is called by whoever steps the world, so it does no more than to copy what the recorder needs.
pub struct Tape {
    moment: Moment,
    frame_every: u64,
    key_every: Option<u64>,
}

impl Tape {
    /// For a world before its first step; with a key moment every so many simulated seconds, if any.
    pub fn new(world: &World, key_period_secs: Option<f64>) -> Self {
        let steps = |secs: f64| (secs / world.scenario().dt_secs).round().max(1.0) as u64;
        Self { moment: 0, frame_every: steps(FRAME_PERIOD_SECS), key_every: key_period_secs.map(steps) }
    }

    /// How many steps were made.
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The world before its first step.
    pub fn begin(&self, world: &World, put: &mut impl FnMut(Note)) {
        put(Note::Item(Item::Frame(self.moment, Arc::new(world.frame()))));
        put(self.poses(world));
    }

    /// A step was made.
    pub fn stepped(
        &mut self,
        commands: &[Command],
        outcomes: &[Outcome],
        world: &World,
        put: &mut impl FnMut(Note),
    ) {
        if !commands.is_empty() {
            self.came_in(Input::Step(carried_out(commands, outcomes)), put);
        }
        self.moment += 1;
        put(self.poses(world));
        if self.moment.is_multiple_of(self.frame_every) {
            put(Note::Item(Item::Frame(self.moment, Arc::new(world.frame()))));
        }
        if self.key_every.is_some_and(|steps| self.moment.is_multiple_of(steps)) {
            put(Note::Key(self.moment, Box::new(world.fork())));
        }
    }

    /// Commands were carried out while time stood.
    pub fn applied(
        &mut self,
        commands: &[Command],
        outcomes: &[Outcome],
        world: &World,
        put: &mut impl FnMut(Note),
    ) {
        if !commands.is_empty() {
            self.came_in(Input::Apply(carried_out(commands, outcomes)), put);
            self.changed(world, put);
        }
    }

    /// The world was brought back to how it was at a moment.
    pub fn jumped(&mut self, to: Moment, world: &World, put: &mut impl FnMut(Note)) {
        self.came_in(Input::Jump(to), put);
        if self.key_every.is_some() {
            put(Note::Key(self.moment, Box::new(world.fork())));
        }
        self.changed(world, put);
    }

    fn changed(&self, world: &World, put: &mut impl FnMut(Note)) {
        put(self.poses(world));
        put(Note::Item(Item::Frame(self.moment, Arc::new(world.frame()))));
    }

    fn came_in(&self, input: Input, put: &mut impl FnMut(Note)) {
        let nothing = matches!(&input, Input::Step(commands) | Input::Apply(commands) if commands.is_empty());
        if !nothing {
            put(Note::Item(Item::Input(TimedInput { moment: self.moment, input })));
        }
    }

    fn poses(&self, world: &World) -> Note {
        let view = world.view();
        let (moment, step, run) = (self.moment, view.step, world.run());
        Note::Item(Item::Poses(PosesItem { moment, step, run, objects: view.objects.to_vec() }))
    }
}
