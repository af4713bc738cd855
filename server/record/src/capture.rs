//! What happens in a world, step by step, turned into what is recorded.

use crate::input::{Input, Tick, TimedInput, carried_out};
use crate::log::{Item, PosesItem};
use crate::poses::{ObjectId, Units, digest, id, moving, units};
use crate::state::{Observer, StateItem};
use std::sync::Arc;
use touchline_plugin_api::view::Object;
use touchline_sim::{Command, Outcome, World};

/// How often everything is told that is not needed at each step, simulated seconds.
const STATE_PERIOD_SECS: f64 = 0.1;
/// The same of a world that waits for its recorder: nobody watches, and each state costs as much as the poses of thirty steps.
const STATE_PERIOD_UNWATCHED_SECS: f64 = 0.4;
/// Ticks in one item, if they are gathered, unless there are many objects.
const GATHERED: usize = 50;
const GATHERED_OBJECTS: usize = 1024;

/// One entry of the recorder's queue.
pub enum Entry {
    /// An item to be written.
    Item(Item),
    /// A keyframe, to be kept for winding back; boxed, for it is large.
    Key(Tick, Box<World>),
}

/// What a [`Capture`] is to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CaptureOptions {
    /// Simulated seconds between two keyframes; none without.
    pub key_period_secs: Option<f64>,
    /// Whether sensors are to be read, for which a Frame is needed.
    pub with_frames: bool,
    /// Whether all that is told arrives: then the poses of several steps are told at once, and each event once. Else events
    /// are told again, as long as they are among the last.
    pub is_lossless: bool,
}

/// How many steps of this length lie between two states that those who watch are told.
pub fn steps_between_states(dt_secs: f64) -> u64 {
    steps(STATE_PERIOD_SECS, dt_secs)
}

fn steps(secs: f64, dt_secs: f64) -> u64 {
    (secs / dt_secs).round().max(1.0) as u64
}

/// Counts the ticks of one world and tells what to record.
///
/// It is called by whoever steps the world, so it does no more than to copy what the recorder needs.
pub struct Capture {
    tick: Tick,
    state_every: u64,
    key_every: Option<u64>,
    with_frames: bool,
    is_lossless: bool,
    gathered: Option<PosesItem>,
    /// Objects of the last step, in the order of their poses.
    objects: Arc<[ObjectId]>,
    spare_poses: Option<(Vec<u64>, Vec<Units>)>,
    spare_state: Option<Box<StateItem>>,
    observer: Observer,
}

impl Capture {
    /// For a world before its first step.
    pub fn new(world: &World, options: CaptureOptions) -> Self {
        let CaptureOptions { key_period_secs, with_frames, is_lossless } = options;
        let dt_secs = world.scenario().dt_secs;
        let is_watched = with_frames || !is_lossless;
        Self {
            tick: 0,
            state_every: steps(
                if is_watched { STATE_PERIOD_SECS } else { STATE_PERIOD_UNWATCHED_SECS },
                dt_secs,
            ),
            key_every: key_period_secs.map(|secs| steps(secs, dt_secs)),
            with_frames,
            is_lossless,
            gathered: None,
            objects: Arc::new([]),
            spare_poses: None,
            spare_state: None,
            observer: Observer::new(world, is_lossless),
        }
    }

    /// How many steps were made.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// The world before its first step.
    pub fn begin(&mut self, world: &World, put: &mut impl FnMut(Entry)) {
        self.state(world, put);
        self.poses(world, put);
    }

    /// Records a step, and the commands that were carried out in it.
    pub fn stepped(
        &mut self,
        commands: &[Command],
        outcomes: &[Outcome],
        world: &World,
        put: &mut impl FnMut(Entry),
    ) {
        if !commands.is_empty() {
            self.came_in(Input::Step(carried_out(commands, outcomes)), put);
        }
        self.tick += 1;
        self.poses(world, put);
        if self.tick.is_multiple_of(self.state_every) {
            self.state(world, put);
        }
        if self.key_every.is_some_and(|steps| self.tick.is_multiple_of(steps)) {
            self.key(world, put);
        }
    }

    /// Commands were carried out while time stood.
    pub fn applied(
        &mut self,
        commands: &[Command],
        outcomes: &[Outcome],
        world: &World,
        put: &mut impl FnMut(Entry),
    ) {
        if !commands.is_empty() {
            self.came_in(Input::Apply(carried_out(commands, outcomes)), put);
            self.changed(world, put);
        }
    }

    /// The world was brought back to how it was at a tick.
    pub fn sought(&mut self, to: Tick, world: &World, put: &mut impl FnMut(Entry)) {
        self.came_in(Input::Seek(to), put);
        if self.key_every.is_some() {
            self.key(world, put);
        }
        self.changed(world, put);
    }

    /// Tells of the poses that were gathered so far.
    pub fn hand_over(&mut self, put: &mut impl FnMut(Entry)) {
        if let Some(poses) = self.gathered.take() {
            put(Entry::Item(Item::Poses(poses)));
        }
    }

    /// Whether [`Capture::reuse`] helps.
    pub fn lacks_space(&self) -> bool {
        self.is_lossless
            && (self.spare_state.is_none() || (self.spare_poses.is_none() && self.gathered.is_none()))
    }

    /// Takes the space of an item that was written: to ask the system for new space costs more than the rest.
    pub fn reuse(&mut self, item: Item) {
        match item {
            Item::Poses(PosesItem { mut digests, mut places, .. }) => {
                digests.clear();
                places.clear();
                self.spare_poses = Some((digests, places));
            }
            Item::State(state) => self.spare_state = Some(state),
            _ => {}
        }
    }

    fn changed(&mut self, world: &World, put: &mut impl FnMut(Entry)) {
        self.poses(world, put);
        self.state(world, put);
    }

    fn came_in(&mut self, input: Input, put: &mut impl FnMut(Entry)) {
        let nothing = matches!(&input, Input::Step(commands) | Input::Apply(commands) if commands.is_empty());
        if !nothing {
            self.hand_over(put);
            put(Entry::Item(Item::Input(TimedInput { tick: self.tick, input })));
        }
    }

    fn poses(&mut self, world: &World, put: &mut impl FnMut(Entry)) {
        let view = world.view();
        let (tick, step, run) = (self.tick, view.step, world.run());
        let is_same = are(&self.objects, view.objects);
        if !is_same {
            self.objects = moving(view.objects).map(id).collect();
        }
        if !is_same || !self.gathered.as_ref().is_some_and(|poses| poses.ends_before(tick, step, run)) {
            self.hand_over(put);
        }
        let most =
            if self.is_lossless { GATHERED.min(GATHERED_OBJECTS / self.objects.len().max(1)) } else { 1 };
        let poses = self.gathered.get_or_insert_with(|| {
            let (mut digests, mut places) = self.spare_poses.take().unwrap_or_default();
            digests.reserve(most.max(1));
            places.reserve(most.max(1) * self.objects.len());
            PosesItem { tick, step, run, objects: Arc::clone(&self.objects), digests, places }
        });
        poses.digests.push(digest(view.objects));
        let known = poses.places.len();
        poses.places.resize(known + self.objects.len(), [0; 4]);
        for (place, object) in poses.places[known..].iter_mut().zip(moving(view.objects)) {
            *place = units(object);
        }
        if poses.digests.len() >= most {
            self.hand_over(put);
        }
    }

    fn state(&mut self, world: &World, put: &mut impl FnMut(Entry)) {
        self.hand_over(put);
        let state = self.observer.look(self.tick, world, self.spare_state.take());
        put(Entry::Item(Item::State(state)));
        if self.with_frames {
            // For the sensors: events and messages are told by the states.
            put(Entry::Item(Item::Frame(self.tick, Arc::new(world.frame_of_robots()))));
        }
    }

    fn key(&mut self, world: &World, put: &mut impl FnMut(Entry)) {
        self.hand_over(put);
        put(Entry::Key(self.tick, Box::new(world.fork())));
    }
}

/// Whether these are the balls and robots among some objects. It is asked at every step.
fn are(known: &[ObjectId], objects: &[Object]) -> bool {
    let mut known = known.iter();
    for object in moving(objects) {
        if known.next() != Some(&id(object)) {
            return false;
        }
    }
    known.next().is_none()
}
