//! A new player beside a recorded one: the first decision that differs, and nothing behind the end of what is known. [Y1, W7]

use crate::common::*;
use std::io::Cursor;
use std::sync::Arc;
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::Fault;
use touchline_record::{Capture, CaptureOptions, Entry, Header, Item, Log, LogWriter, Rerun, Shadow};
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{Action, Command, MakeError, PluginFactory, ShadowPlayer, World};

/// The tests' plugins, but players do something more from a step on.
struct Changed {
    from: u64,
    what: fn(&mut Orders),
}

struct ChangedPlayer {
    instance: Arc<dyn PlayerInstance>,
    from: u64,
    what: fn(&mut Orders),
}

impl PlayerInstance for ChangedPlayer {
    fn wanted_sensors(&self) -> &[usize] {
        self.instance.wanted_sensors()
    }
    fn initial_state(&self) -> Result<Vec<u8>, Fault> {
        self.instance.initial_state()
    }
    fn sense_and_act(
        &self,
        state: &mut Vec<u8>,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        self.instance.sense_and_act(state, input, orders)?;
        if input.view.step >= self.from {
            (self.what)(orders);
        }
        Ok(())
    }
}

impl PluginFactory for Changed {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let instance = TestFactory.player(choice, setup)?;
        Ok(Arc::new(ChangedPlayer { instance, from: self.from, what: self.what }))
    }
}

/// A match with a reset at step 250 and a seek back from tick 400 to 100.
fn recorded() -> Log {
    recorded_by(TestFactory)
}

fn recorded_by(factory: impl PluginFactory + 'static) -> Log {
    let mut world = World::new(busy_scenario(), Arc::new(factory)).unwrap();
    let mut capture = Capture::new(&world, CaptureOptions::default());
    let mut items: Vec<Item> = Vec::new();
    let mut put = |entry: Entry| {
        if let Entry::Item(item) = entry {
            items.push(item);
        }
    };
    capture.begin(&world, &mut put);
    let mut then = None;
    for tick in 0..600 {
        match tick {
            100 => then = Some(world.snapshot()),
            400 => {
                world.rewind(then.as_ref().unwrap());
                capture.sought(100, &world, &mut put);
            }
            _ => {}
        }
        let reset = Command { client: 1, sequence: tick, action: Action::Reset };
        let commands = if tick == 250 { vec![reset] } else { vec![] };
        let outcomes = world.step(&commands);
        capture.stepped(&commands, &outcomes, &world, &mut put);
    }
    let header = Header::new(busy_scenario(), &[], String::new());
    let mut writer = LogWriter::new(Cursor::new(Vec::new()), header, vec![]).unwrap();
    items.iter().for_each(|item| writer.write(item).unwrap());
    Log::read(writer.finish().unwrap().into_inner().as_slice()).unwrap()
}

/// The log run again by one factory, with a player beside that of robot-2; the tick of the first difference of the worlds.
fn shadowed(
    log: &Log,
    by: impl PluginFactory + 'static,
    factory: impl PluginFactory + 'static,
) -> (Option<u64>, Shadow) {
    let shadow = ShadowPlayer {
        robot: "robot-2".into(),
        plugin: "restless".into(),
        factory: Arc::new(factory),
        params: None,
    };
    let world = World::with_shadows(log.header.scenario.clone(), Arc::new(by), vec![shadow]).unwrap();
    let mut rerun = Rerun::new(world, 50);
    let difference = rerun.compare(log, |_| {});
    // Whoever wants to see the rest of it goes on; that is not compared.
    rerun.go_to(log.newest, &log.inputs);
    (difference.map(|difference| difference.tick), rerun.shadows()[0].clone())
}

/// The unchanged player decides the same through resets and seeks.
#[test]
fn the_unchanged_player_differs_in_nothing() {
    let (difference, same) = shadowed(&recorded(), TestFactory, TestFactory);
    assert_eq!(difference, None);
    assert!(same.same_bits && same.is_same() && same.fault.is_none(), "{same:?}");
    assert_eq!((same.compared, same.differing, same.differing_thoughts), (200, 0, 0));
}

/// The first decision that differs is told with its tick, its field, and both values; and how far they are apart at most.
#[test]
fn the_first_difference_is_told() {
    let drive = |orders: &mut Orders| orders.drive(&[10.0, 0.0, 0.0]);
    let log = recorded();
    let (difference, changed) = shadowed(&log, TestFactory, Changed { from: 131, what: drive });
    assert_eq!(difference, None, "the world is the recorded one");
    let first = changed.first.as_ref().unwrap();
    // A step that is made from step 131 on leads to step 132 at least; robot-2 is asked each third step.
    assert!((132..=134).contains(&first.step) && first.tick == first.step, "{first:?}");
    assert_eq!(first.fields[0].field, "forward");
    assert_eq!(first.fields[0].new, "10");
    let recorded: f64 = first.fields[0].recorded.parse().unwrap();
    assert_eq!(first.fields[0].by, Some(10.0 - recorded));
    let largest = changed.largest.iter().find(|largest| largest.field == "forward").unwrap();
    assert!(largest.by >= 10.0 - recorded && largest.by < 12.0, "{largest:?}");
    assert!(changed.differing < changed.compared && changed.differing > 30, "{changed:?}");
    assert_eq!(changed.differing_thoughts, 0);
}

/// What a robot says differs as what it does; what it publishes is no decision.
#[test]
fn words_count_and_thoughts_are_counted_apart() {
    let log = recorded();
    let changed = |what| shadowed(&log, TestFactory, Changed { from: 0, what }).1;
    let speaks = changed(|orders| orders.say("new"));
    let field = &speaks.first.as_ref().unwrap().fields[0];
    assert_eq!(
        (field.field.as_str(), field.recorded.as_str(), field.new.as_str()),
        ("messages", "none", "\"new\"")
    );
    let thinks = changed(|orders| orders.annotate("aim", &serde_json::json!([1, 2])));
    assert!(thinks.is_same() && !thinks.same_bits);
    assert_eq!(thinks.differing_thoughts, thinks.compared);
    let thought = &thinks.first_thought.as_ref().unwrap().fields[0];
    assert_eq!((thought.field.as_str(), thought.new.as_str()), ("annotation aim", "[1,2]"));
    let fails = changed(|orders| orders.drive(&[0.0; 5]));
    assert_eq!((fails.compared, fails.differing), (2, 2), "asked no more, but once after the reset");
    assert!(fails.fault.as_ref().unwrap().contains("5 numbers"));
}

/// The sign of a zero makes no other robot, but it is not the same bits.
#[test]
fn zeros_are_the_same_number() {
    let still = |zero: fn(&mut Orders)| Changed { from: 0, what: zero };
    let plus = |orders: &mut Orders| orders.drive(&[0.0; 3]);
    let minus = |orders: &mut Orders| orders.drive(&[0.0, 0.0, -0.0]);
    let log = recorded_by(still(plus));
    let (difference, changed) = shadowed(&log, still(plus), still(minus));
    assert_eq!((difference, changed.differing, changed.same_bits), (None, 0, false));
}

/// Where the recorded players are not what they were, nothing is compared that nobody knows.
#[test]
fn nothing_is_compared_in_another_world() {
    let drive = |orders: &mut Orders| orders.drive(&[10.0, 0.0, 0.0]);
    let log = recorded();
    let (difference, same) =
        shadowed(&log, Changed { from: 131, what: drive }, Changed { from: 131, what: drive });
    let departed = difference.unwrap();
    assert!((132..=134).contains(&departed), "{departed}");
    assert!(same.is_same());
    assert!(same.compared > 40 && same.compared <= departed / 3, "{same:?}");
}
