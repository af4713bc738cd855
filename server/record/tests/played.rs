//! A match in which everything happens that can come in: played, recorded, written, read.

use crate::common::*;
use std::io::Cursor;
use std::sync::Arc;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_record::{
    Capture, CaptureOptions, Entry, Header, Input, Item, Log, LogWriter, SensorChoice, TimedInput, Timeline,
};
use touchline_sim::{Action, Command, World};

pub fn new_world() -> World {
    World::new(busy_scenario(), Arc::new(TestFactory)).unwrap()
}

pub fn header() -> Header {
    Header::new(busy_scenario(), &[], String::new())
}

pub fn command(sequence: u64, action: Action) -> Command {
    Command { client: 1, sequence, action }
}

/// A match in which everything happens that can come in; each step's state hash, and all that was recorded.
pub struct Played {
    pub items: Vec<Item>,
    pub keys: Vec<(u64, World)>,
    /// For each tick, the hash after all that happened at it.
    pub hashes: Vec<u64>,
}

/// What comes in at a tick.
pub enum Event {
    Step(Vec<Action>),
    Apply(Vec<Action>),
    SeekBack(u64),
}

pub fn play(steps: u64, event: impl Fn(u64) -> Vec<Event>) -> Played {
    play_on(steps, false, event)
}

pub fn play_on(steps: u64, is_lossless: bool, event: impl Fn(u64) -> Vec<Event>) -> Played {
    play_in(new_world(), steps, is_lossless, event)
}

pub fn play_in(mut world: World, steps: u64, is_lossless: bool, event: impl Fn(u64) -> Vec<Event>) -> Played {
    let mut capture =
        Capture::new(&world, CaptureOptions { key_period_secs: Some(0.5), with_frames: true, is_lossless });
    let (mut items, mut keys) = (Vec::new(), vec![(0, world.fork())]);
    let mut hashes = vec![world.state_hash()];
    let mut timeline = Timeline::new(world.fork(), 1000);
    let mut put = |entry: Entry| match entry {
        Entry::Item(item) => items.push(item),
        Entry::Key(tick, world) => keys.push((tick, *world)),
    };
    capture.begin(&world, &mut put);
    let mut sequence = 0;
    for tick in 0..steps {
        let mut commands = Vec::new();
        let mut numbered = |actions: Vec<Action>| -> Vec<Command> {
            actions
                .into_iter()
                .map(|action| {
                    sequence += 1;
                    command(sequence, action)
                })
                .collect()
        };
        for event in event(tick) {
            match event {
                Event::Step(actions) => commands = numbered(actions),
                Event::Apply(actions) => {
                    let applied = numbered(actions);
                    let outcomes = world.apply(&applied);
                    capture.applied(&applied, &outcomes, &world, &mut put);
                    timeline.push(TimedInput { tick, input: Input::Apply(applied) });
                }
                Event::SeekBack(to) => {
                    let then = timeline.world_at(to).unwrap();
                    world.rewind(&then.snapshot());
                    capture.sought(to, &world, &mut put);
                    timeline.push(TimedInput { tick, input: Input::Seek(to) });
                    timeline.key(tick, world.fork());
                }
            }
        }
        *hashes.last_mut().unwrap() = world.state_hash();
        let outcomes = world.step(&commands);
        capture.stepped(&commands, &outcomes, &world, &mut put);
        timeline.push(TimedInput { tick, input: Input::Step(commands) });
        timeline.reached(tick + 1);
        hashes.push(world.state_hash());
    }
    capture.hand_over(&mut put);
    Played { items, keys, hashes }
}

/// Robots come and go, are driven and placed; the world is reset; refused commands are among them; twice it seeks back.
pub fn lively(tick: u64) -> Vec<Event> {
    let spec = Arc::new(equipped_robot());
    let guest = || Action::AddRobot {
        name: "guest".into(),
        team: None,
        spec: Arc::clone(&spec),
        pose: None,
        player: None,
    };
    let place = |x_m: f64| Action::PlaceBall {
        ball: 0,
        position: [x_m, 0.5],
        velocity: [1.0, 0.3],
        vertical: Vertical::FLOOR,
    };
    let thrown = || Action::PlaceBall {
        ball: 0,
        position: [0.0, 0.5],
        velocity: [0.4, 0.0],
        vertical: Vertical { z_m: 0.3, speed_m_s: 2.0 },
    };
    match tick {
        20 => vec![Event::Step(vec![guest(), guest(), Action::RemoveRobot(99)])],
        40 => vec![Event::Step(vec![Action::Say(0, "hi \"there\"".into()), place(0.25)])],
        60 => vec![
            Event::Apply(vec![place(-0.5)]),
            Event::Apply(vec![Action::PlaceRobot(0, Pose2::new(0.1, f64::NAN, 0.0)), place(0.75)]),
        ],
        90 => vec![Event::Step(vec![Action::Annotate { robot: 0, key: "k".into(), value: "[1,2]".into() }])],
        110 => vec![Event::Step(vec![thrown()])],
        120 => vec![Event::Step(vec![Action::Reset])],
        150 => vec![Event::SeekBack(70)],
        165 => vec![Event::Apply(vec![thrown()])],
        180 => vec![Event::Apply(vec![place(0.0)]), Event::SeekBack(130), Event::Apply(vec![place(0.3)])],
        _ => vec![],
    }
}

pub fn write(items: &[Item], chosen: Vec<SensorChoice>) -> Vec<u8> {
    let mut writer = LogWriter::new(Cursor::new(Vec::new()), header(), chosen).unwrap();
    for item in items {
        writer.write(item).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub fn read(bytes: &[u8]) -> Log {
    Log::read(bytes).unwrap()
}
