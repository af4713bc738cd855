//! Robots and game, ten times a simulated second: what changes seldom is handed over once, and shared.

use crate::input::Tick;
use crate::poses::{ObjectId, Units, moving, units};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_plugin_api::view::{Object, Shape};
use touchline_sim::{Annotations, Event, Frame, Match, Message, RobotFrame, RobotIdentity, RobotNow, World};

/// What is true at a tick, beside the poses of all ticks.
#[derive(Clone)]
pub struct StateItem {
    /// The step after which the world was so.
    pub tick: Tick,
    /// The world's own count of steps.
    pub step: u64,
    /// How many times the world had been reset.
    pub run: u64,
    /// Score, clock, phase.
    pub game: Match,
    /// Of the balls and robots among [`Roster::objects`].
    pub poses: Vec<Units>,
    /// In the order of [`Roster::robots`].
    pub drives: Vec<Drive>,
    /// Who and what there is.
    pub roster: Arc<Roster>,
    /// What happened and what was said last: all that is new, and perhaps what is not.
    pub recent: Arc<RecentEvents>,
}

impl StateItem {
    /// Of a tick that is known by its Frame alone, such as one of a recording.
    pub fn of_frame(tick: Tick, frame: &Frame) -> Self {
        let drives = frame.robots.iter().map(|robot| Drive::new(&robot.command, robot.twist));
        let member = |robot: &RobotFrame| Member {
            identity: Arc::clone(&robot.identity),
            player: robot.player.as_deref().map(Arc::from),
            fault: robot.fault.clone(),
            annotations: Arc::clone(&robot.annotations),
            manipulators: robot.manipulators.iter().map(|manipulator| manipulator.state).collect(),
        };
        Self {
            tick,
            step: frame.step,
            run: frame.run,
            game: frame.game.clone(),
            poses: moving(&frame.objects).map(units).collect(),
            drives: drives.collect(),
            roster: Arc::new(Roster {
                objects: frame.objects.as_slice().into(),
                shapes: frame.shapes.as_slice().into(),
                robots: frame.robots.iter().map(member).collect(),
                annotations: Arc::clone(&frame.annotations),
            }),
            recent: Arc::new(RecentEvents {
                events: frame.events.to_vec(),
                next_event: frame.next_event,
                messages: frame.messages.to_vec(),
                next_message: frame.next_message,
            }),
        }
    }
}

/// Motion command and velocity of a robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// The motion command; its motion model says how many of these count.
    pub command: [f64; MAX_DIMENSIONS],
    /// The velocity in the body frame.
    pub twist: Twist2,
}

/// Who and what there is, and what it looks like.
pub struct Roster {
    /// As the world's view had them when this looked so first: shapes lie round these poses. Two rosters that share them look the same.
    pub objects: Arc<[Object]>,
    /// Shapes of all objects, in the world frame.
    pub shapes: Arc<[Shape]>,
    /// In the order of their numbers.
    pub robots: Vec<Member>,
    /// What the referee publishes of the world, JSON by key.
    pub annotations: Arc<Annotations>,
}

/// One robot of a [`Roster`].
pub struct Member {
    /// Number, name and robot file, which never change.
    pub identity: Arc<RobotIdentity>,
    /// The player plugin that drives it, if any.
    pub player: Option<Arc<str>>,
    /// Why it was stopped, if it was.
    pub fault: Option<Arc<str>>,
    /// What it publishes about itself, JSON by key.
    pub annotations: Arc<BTreeMap<String, String>>,
    /// The state of each manipulator.
    pub manipulators: Arc<[u32]>,
}

/// The last events and radio messages, oldest first; each has a number, so who missed some knows what is new.
#[derive(Default)]
pub struct RecentEvents {
    /// The last events, oldest first.
    pub events: Vec<Arc<Event>>,
    /// The number that the next event will have.
    pub next_event: u64,
    /// The last radio messages, oldest first.
    pub messages: Vec<Arc<Message>>,
    /// The number that the next message will have.
    pub next_message: u64,
}

/// Looks at a world, and copies what has changed.
pub(crate) struct Observer {
    roster: Arc<Roster>,
    recent: Arc<RecentEvents>,
    /// Whether each event is told once only.
    once: bool,
}

impl Observer {
    pub fn new(world: &World, once: bool) -> Self {
        Self {
            roster: Arc::new(Roster::of(world, None)),
            recent: Arc::new(RecentEvents::since(0, 0, world)),
            once,
        }
    }

    /// Into an item that was written, if there is one: to ask the system for new space costs more than the rest.
    pub fn look(&mut self, tick: Tick, world: &World, spare: Option<Box<StateItem>>) -> Box<StateItem> {
        if !self.roster.fits(world) {
            self.roster = Arc::new(Roster::of(world, Some(&self.roster)));
        }
        let seen = (self.recent.next_event, self.recent.next_message);
        if seen != (world.next_event(), world.next_message()) {
            let (event, message) = if self.once { seen } else { (0, 0) };
            self.recent = Arc::new(RecentEvents::since(event, message, world));
        }
        let (view, game) = (world.view(), world.game().clone());
        let (step, run, roster, recent) =
            (view.step, world.run(), Arc::clone(&self.roster), Arc::clone(&self.recent));
        let mut state = match spare {
            Some(mut spare) => {
                spare.poses.clear();
                spare.drives.clear();
                (spare.tick, spare.step, spare.run, spare.game) = (tick, step, run, game);
                (spare.roster, spare.recent) = (roster, recent);
                spare
            }
            None => {
                let poses = Vec::with_capacity(view.objects.len());
                let drives = Vec::with_capacity(world.robots().len());
                Box::new(StateItem { tick, step, run, game, poses, drives, roster, recent })
            }
        };
        state.poses.extend(moving(view.objects).map(units));
        state.drives.extend(world.robots().map(Drive::of));
        state
    }
}

impl Drive {
    fn of(robot: RobotNow<'_>) -> Self {
        Self::new(robot.command(), robot.twist())
    }

    fn new(numbers: &[f64], twist: Twist2) -> Self {
        let mut command = [0.0; MAX_DIMENSIONS];
        for (place, number) in command.iter_mut().zip(numbers) {
            *place = *number;
        }
        Self { command, twist }
    }
}

impl Roster {
    /// Shares with the one before what looks as it did: robots publish something new much more often.
    fn of(world: &World, before: Option<&Self>) -> Self {
        let view = world.view();
        let before = before.filter(|before| before.looks_like(world));
        let member = |(index, robot): (usize, RobotNow<'_>)| Member {
            identity: Arc::clone(robot.identity()),
            player: robot.player().cloned(),
            fault: robot.fault().cloned(),
            annotations: Arc::clone(robot.annotations()),
            manipulators: match before.and_then(|before| before.robots.get(index)) {
                Some(known) => Arc::clone(&known.manipulators),
                None => robot.manipulator_states().collect(),
            },
        };
        Self {
            objects: before.map_or_else(|| view.objects.into(), |before| Arc::clone(&before.objects)),
            shapes: before.map_or_else(|| view.shapes.into(), |before| Arc::clone(&before.shapes)),
            robots: world.robots().enumerate().map(member).collect(),
            annotations: Arc::clone(world.annotations()),
        }
    }

    /// Whether the world is still as this says. What this holds is not freed, so the same address is the same thing.
    fn fits(&self, world: &World) -> bool {
        fn same<T: ?Sized>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
            a.map(Arc::as_ptr).map(<*const T>::cast::<u8>) == b.map(Arc::as_ptr).map(<*const T>::cast::<u8>)
        }
        Arc::ptr_eq(world.annotations(), &self.annotations)
            && world.robots().zip(&self.robots).all(|(robot, known)| {
                Arc::ptr_eq(robot.annotations(), &known.annotations)
                    && same(robot.player(), known.player.as_ref())
                    && same(robot.fault(), known.fault.as_ref())
            })
            && self.looks_like(world)
    }

    /// Whether there are the same robots and balls, and each looks as this says.
    fn looks_like(&self, world: &World) -> bool {
        let robots = world.robots();
        let looks = |object: &Object| (object.kind_code, object.number, object.colour, object.shape_count);
        robots.len() == self.robots.len()
            && robots.zip(&self.robots).all(|(robot, known)| {
                Arc::ptr_eq(robot.identity(), &known.identity)
                    && robot.manipulator_states().eq(known.manipulators.iter().copied())
            })
            && world.view().objects.iter().map(looks).eq(self.objects.iter().map(looks))
    }

    /// Whether everything is known to look as in another.
    pub(crate) fn looks_the_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.objects, &other.objects)
    }

    /// The robot of this number.
    pub fn robot(&self, number: u32) -> Option<&Member> {
        self.robots.iter().find(|robot| robot.identity.number == number)
    }

    /// The name of a moving object's frame: the robot's name, `ball-0`.
    pub fn name(&self, object: ObjectId) -> Cow<'_, str> {
        match (object.is_robot, self.robot(object.number)) {
            (false, _) => format!("ball-{}", object.number).into(),
            (true, Some(robot)) => robot.identity.name.as_str().into(),
            (true, None) => format!("robot-{}", object.number).into(),
        }
    }
}

impl RecentEvents {
    /// With the events and messages from these numbers on.
    fn since(event: u64, message: u64, world: &World) -> Self {
        let mut events: Vec<_> =
            world.events().rev().take_while(|known| known.number >= event).cloned().collect();
        let mut messages: Vec<_> =
            world.messages().rev().take_while(|known| known.number >= message).cloned().collect();
        events.reverse();
        messages.reverse();
        Self { events, next_event: world.next_event(), messages, next_message: world.next_message() }
    }
}
