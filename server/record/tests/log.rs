//! A log can be read, run again, compared. [W7, mechanism 7]

use crate::common::*;
use crate::played::*;
use mcap::MessageStream;
use proptest::prelude::*;
use serde_json::json;
use std::io::Cursor;
use std::sync::Arc;
use touchline_plugin_api::flight::{Aim, Vertical};
use touchline_plugin_api::geometry::Pose2;
use touchline_record::poses::pose;
use touchline_record::{
    Ending, Gap, Header, Input, Item, Log, LogWriter, Puppets, ReadError, Rerun, SensorChoice, TimedInput,
    overlay, overlay_game, recover,
};
use touchline_sim::scenario::{PlayerChoice, PluginChoice, RobotSpec, Scenario};
use touchline_sim::{Action, PluginFactory, World};

/// W7: whatever came in, a log that was read is the world that was recorded, bit by bit, and at its end as well.
#[test]
fn a_log_is_run_again_bit_by_bit() {
    let played = play(250, lively);
    let log = read(&write(&played.items, vec![]));
    assert_eq!((log.newest, &log.ending), (250, &Ending::Whole));
    let mut rerun = Rerun::new(World::new(log.header.scenario.clone(), Arc::new(TestFactory)).unwrap(), 25);
    let mut compared = 0;
    assert_eq!(rerun.compare(&log, |_| compared += 1), None);
    assert!(compared > 250, "{compared}");
    assert_eq!(rerun.world().state_hash(), *played.hashes.last().unwrap());
    let timeline = rerun.into_timeline();
    for (tick, &hash) in played.hashes.iter().enumerate() {
        assert_eq!(timeline.world_at(tick as u64).unwrap().state_hash(), hash, "tick {tick}");
    }
}

/// W7: the same of a world whose sensors and commands take their time; a sample is written once, stamped when it was taken.
#[test]
fn samples_and_late_commands_are_run_again_bit_by_bit() {
    let scenario = slow(busy_scenario());
    let world = || World::new(scenario.clone(), Arc::new(TestFactory)).unwrap();
    let played = play_in(world(), 250, false, lively);
    let header = Header::new(scenario.clone(), &[], String::new());
    let chosen = vec!["robot-1/probe".parse().unwrap(), "robot-3/probe".parse().unwrap()];
    let mut writer = LogWriter::new(Cursor::new(Vec::new()), header, chosen).unwrap();
    for item in &played.items {
        writer.write(item).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    let log = read(&bytes);
    assert_eq!(log.header.scenario, scenario);
    let mut rerun = Rerun::new(World::new(log.header.scenario.clone(), Arc::new(TestFactory)).unwrap(), 25);
    assert_eq!(rerun.compare(&log, |_| {}), None);
    let timeline = rerun.into_timeline();
    for (tick, &hash) in played.hashes.iter().enumerate() {
        assert_eq!(timeline.world_at(tick as u64).unwrap().state_hash(), hash, "tick {tick}");
    }

    let of = |robot: &str| -> Vec<(u64, u64)> {
        let topic = format!("/sensors/{robot}/probe/probe");
        let messages = mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap);
        let ours = messages.filter(|message| message.channel.topic == topic);
        ours.map(|message| {
            let json: serde_json::Value = serde_json::from_slice(&message.data).unwrap();
            let part = |key: &str| json["timestamp"][key].as_u64().unwrap();
            (part("sec") * 1_000_000_000 + part("nsec"), message.log_time)
        })
        .collect()
    };
    // Frames come ten times a second; until the reset, the step is the tick.
    let before_reset = |robot: &str| -> Vec<(u64, u64)> {
        let taken_ms = of(robot).into_iter().map(|(taken, logged)| (taken / 1_000_000, logged / 1_000_000));
        taken_ms.filter(|(_, logged)| *logged <= 1200).collect()
    };
    let camera = before_reset("robot-1");
    let is_sound = |&(taken, logged): &(u64, u64)| taken % 40 == 20 && (80..120).contains(&(logged - taken));
    assert!(camera.len() > 10 && camera.iter().all(is_sound), "{camera:?}");
    assert!(camera.is_sorted_by(|(a, _), (b, _)| a < b), "{camera:?}");
    let live = before_reset("robot-3");
    assert!(live.len() > 10 && live.iter().all(|(taken, logged)| taken == logged), "{live:?}");
}

/// Whether poses come one by one or several at once, the log is the same, byte by byte but for where blocks begin.
#[test]
fn gathered_poses_make_the_same_log() {
    let [single, gathered] = [false, true].map(|is_lossless| play_on(250, is_lossless, lively).items);
    assert!(gathered.len() < single.len(), "{} {}", gathered.len(), single.len());
    let [single, gathered] = [single, gathered].map(|items| read(&write(&items, vec![])));
    assert_eq!(single.inputs, gathered.inputs);
    // A world that waits for its recorder has states less often.
    let often = |(topic, _): &&(String, u64)| !matches!(topic.as_str(), "/touchline/state" | "/tf");
    assert!(single.topics.iter().filter(often).eq(gathered.topics.iter().filter(often)));
    let samples = |log: &Log| -> Vec<_> {
        let blocks = log.blocks.iter();
        blocks
            .flat_map(|logged| {
                let block = &logged.block;
                let places = block.places();
                let places = places.chunks(block.objects.len()).map(<[_]>::to_vec);
                let ticks = block.digests.iter().zip(places).zip(block.tick..);
                ticks
                    .map(|(sample, tick)| (logged.inputs_before, tick, *sample.0, sample.1))
                    .collect::<Vec<_>>()
            })
            .collect()
    };
    assert_eq!(samples(&single), samples(&gathered));
    let mut rerun = Rerun::new(new_world(), 100);
    assert_eq!(rerun.compare(&gathered, |_| {}), None);
}

/// What is written by hand is JSON, whatever a robot is called, and says what the world says.
#[test]
fn states_and_transforms_are_json() {
    let name = "a \"b\"\n\u{1}";
    let with_guest = |name: &str| {
        let spec = Arc::new(equipped_robot());
        let guest = Action::AddRobot { name: name.into(), team: None, spec, pose: None, player: None };
        let played = play(40, |tick| match tick {
            5 => vec![Event::Step(vec![guest.clone()])],
            _ => vec![],
        });
        write(&played.items, vec![])
    };
    let bytes = with_guest(name);
    let table = |topic: &str| {
        let mut out = Vec::new();
        touchline_record::export::topic_csv(&bytes[..], topic, &mut out).unwrap();
        let mut rows = csv::Reader::from_reader(&out[..]);
        let head = rows.headers().unwrap().clone();
        let last = rows.records().last().unwrap().unwrap();
        move |column: &str| -> String {
            let place = head.iter().position(|name| name == column);
            last[place.unwrap_or_else(|| panic!("no {column} in {head:?}"))].to_owned()
        }
    };
    let states = MessageStream::new(&bytes).unwrap().map(Result::unwrap);
    let state = states.filter(|message| message.channel.topic == "/touchline/state").last().unwrap();
    let state: serde_json::Value = serde_json::from_slice(&state.data).unwrap();
    assert_eq!(state["robots"].as_array().unwrap().iter().filter(|robot| robot["name"] == name).count(), 1);
    // A log is not read with such a name.
    let log = read(&with_guest("guest"));
    let (state, transforms) = (table("/touchline/state"), table("/tf"));
    assert_eq!((state("tick").as_str(), state("phase").as_str()), ("40", "play"));
    assert_eq!(state("clock_secs").parse::<f64>().unwrap(), log.game_at(40).unwrap().clock_secs);
    let (block, index) = log.sample_at(40).unwrap();
    // Who came later has columns too, behind the others.
    let guest = log.names.iter().position(|(_, name)| name == "guest").unwrap();
    assert_eq!(state(&format!("robots.{guest}.name")), name);
    let places = block.places();
    for (place, &units) in places[index * block.objects.len()..].iter().enumerate() {
        let pose = pose(units);
        let number = |field: &str| transforms(&format!("transforms.{place}.{field}")).parse::<f64>().unwrap();
        assert!((number("translation.x") - pose.x_m).abs() < 1e-4);
        assert!((number("translation.y") - pose.y_m).abs() < 1e-4);
        let heading = 2.0 * number("rotation.z").atan2(number("rotation.w"));
        assert!((heading - pose.theta_rad).sin().abs() < 1e-3, "{heading} {}", pose.theta_rad);
        assert_eq!(transforms(&format!("transforms.{place}.timestamp.nsec")), "400000000");
    }
}

/// What was gone on from stands in the log among what happened, at its tick.
#[test]
fn forks_are_told() {
    let log = read(&write(&play(250, lively).items, vec![]));
    let forks = log.events.iter().filter(|event| event.kind == "fork");
    let forks: Vec<_> = forks.map(|event| (event.tick, event.message.as_str())).collect();
    assert_eq!(forks, [(150, "the world goes on from 0:00.70"), (180, "the world goes on from 0:01.30")]);
}

/// A command that was refused has changed nothing: without those, the log's world is the same.
#[test]
fn refused_commands_are_not_in_the_log() {
    let log = read(&write(&play(100, lively).items, vec![]));
    let commands = log.inputs.iter().map(|timed| match &timed.input {
        Input::Step(commands) | Input::Apply(commands) => commands.len(),
        Input::Seek(_) => 0,
    });
    assert_eq!(commands.collect::<Vec<_>>(), [1, 2, 1, 1, 1]);
}

/// What is not what it was is found, and its first tick named.
#[test]
fn another_world_is_told_from_the_log() {
    let played = play(200, |_| vec![]);
    let log = read(&write(&played.items, vec![]));
    let mut scenario = busy_scenario();
    scenario.seed += 1;
    let mut rerun = Rerun::new(World::new(scenario, Arc::new(TestFactory)).unwrap(), 100);
    let difference = rerun.compare(&log, |_| {}).unwrap();
    assert!((1..20).contains(&difference.tick), "{difference:?}");

    let mut late = log.clone();
    let place =
        Action::PlaceBall { ball: 0, position: [0.1, 0.1], velocity: [0.0, 0.0], vertical: Vertical::FLOOR };
    late.inputs.push(TimedInput { tick: 150, input: Input::Step(vec![command(1, place)]) });
    late.blocks.iter_mut().for_each(|block| block.inputs_before = 1);
    let mut rerun = Rerun::new(new_world(), 100);
    assert_eq!(rerun.compare(&late, |_| {}).unwrap().tick, 151);
}

/// Knows no plugin at all.
struct Nothing;

impl PluginFactory for Nothing {
    fn descriptions(&self) -> Vec<touchline_plugin_api::plugin::PluginDescription> {
        vec![]
    }
}

/// Without any of its plugins a recording is still seen: everything with its shape where it was, and the score.
#[test]
fn a_recording_is_seen_without_its_plugins() {
    let played = play(250, |_| vec![]);
    let log = read(&write(&played.items, vec![]));
    assert!(World::new(busy_scenario(), Arc::new(Nothing)).is_err());
    let mut puppets = World::new(busy_scenario(), Arc::new(Puppets(Arc::new(Nothing)))).unwrap();
    (0..10).for_each(|_| drop(puppets.step(&[])));
    let truth = Rerun::new(new_world(), 50);
    let timeline = {
        let mut rerun = truth;
        assert_eq!(rerun.compare(&log, |_| {}), None);
        rerun.into_timeline()
    };
    for tick in [1, 99, 250] {
        let expected = timeline.world_at(tick).unwrap().frame();
        let mut frame = puppets.frame();
        let (block, index) = log.sample_at(tick).unwrap();
        overlay(&mut frame, block, index, busy_scenario().dt_secs);
        overlay_game(&mut frame, log.game_at(tick).unwrap());
        assert_eq!((frame.step, frame.time_secs), (expected.step, expected.time_secs));
        assert_eq!(frame.objects.len(), expected.objects.len());
        for (seen, true_one) in frame.objects.iter().zip(&expected.objects) {
            assert!(seen.pose.distance_m(true_one.pose) < 1e-4, "{tick}: {seen:?} {true_one:?}");
        }
        for (seen, true_one) in frame.robots.iter().zip(&expected.robots) {
            assert!(seen.pose.distance_m(true_one.pose) < 1e-4);
            // The body's first shape lies on the robot, wherever a kicker is.
            let object = &frame.objects[seen.object as usize];
            let shape = &frame.shapes[object.first_shape as usize];
            assert!((shape.x_m - true_one.pose.x_m).hypot(shape.y_m - true_one.pose.y_m) < 0.21);
        }
        let score = log.game_at(tick).unwrap().score[0];
        assert_eq!(frame.game.score(0), score);
    }
}

/// A robot that had gone is not shown.
#[test]
fn what_had_gone_is_taken_away() {
    let played = play(60, |tick| match tick {
        30 => vec![Event::Step(vec![Action::RemoveRobot(0)])],
        _ => vec![],
    });
    let log = read(&write(&played.items, vec![]));
    let mut frame = new_world().frame();
    let before = frame.robots.len();
    let (block, index) = log.sample_at(50).unwrap();
    overlay(&mut frame, block, index, 0.01);
    assert_eq!(frame.robots.len(), before - 1);
    assert!(
        frame.robots.iter().all(|robot| frame.objects[robot.object as usize].number == robot.identity.number)
    );
    assert!(frame.shapes.iter().all(|shape| (shape.object as usize) < frame.objects.len()));
}

/// A log that is cut off anywhere gives all that had been flushed, and says where it ends; never a panic.
#[test]
fn a_cut_log_is_read_up_to_its_end() {
    let played = play(120, lively);
    let mut out = Cursor::new(Vec::new());
    let mut flushed = Vec::new();
    let mut writer = LogWriter::new(&mut out, header(), vec![]).unwrap();
    for item in &played.items {
        writer.write(item).unwrap();
        if item.tick() % 10 == 0 && matches!(item, Item::State(..)) {
            writer.flush().unwrap();
            flushed.push(item.tick());
        }
    }
    drop(writer);
    let bytes = out.into_inner();
    let whole = read(&bytes).newest;
    assert!(whole >= *flushed.last().unwrap());
    let mut last = 0;
    for length in (0..bytes.len()).step_by(97) {
        match Log::read(&bytes[..length]) {
            Ok(log) => {
                // Of the last eight bytes nothing depends: they repeat the first.
                let is_complete = length + 8 >= bytes.len();
                assert!(is_complete || matches!(log.ending, Ending::CutOff { .. }), "{length}");
                assert!(log.newest >= last, "{length}");
                last = log.newest;
                assert_eq!(Rerun::new(new_world(), 1000).compare(&log, |_| {}), None, "{length}");
            }
            Err(ReadError::NoHead { .. } | ReadError::NotMcap | ReadError::Foreign { .. }) => {
                assert_eq!(last, 0)
            }
            Err(error) => panic!("{length}: {error}"),
        }
    }
    assert!(last > 90, "{last}");
}

/// A log of a later version, a file of another program, and no file of this kind are told apart, each with what to do.
#[test]
fn what_is_no_log_is_refused() {
    let mut later = header();
    later.format = 99;
    later.server = "9.1.0".into();
    let bytes =
        LogWriter::new(Cursor::new(Vec::new()), later, vec![]).unwrap().finish().unwrap().into_inner();
    let message = Log::read(&bytes[..]).unwrap_err().to_string();
    assert!(message.contains("format 99") && message.contains("9.1.0"), "{message}");

    let mut foreign = mcap::Writer::new(Cursor::new(Vec::new())).unwrap();
    let channel = foreign.add_channel(0, "/odom", "json", &Default::default()).unwrap();
    let head =
        mcap::records::MessageHeader { channel_id: channel, sequence: 0, log_time: 0, publish_time: 0 };
    foreign.write_to_known_channel(&head, b"{}").unwrap();
    foreign.finish().unwrap();
    let message = Log::read(&foreign.into_inner().into_inner()[..]).unwrap_err().to_string();
    assert!(message.contains("not written by touchline") && message.contains("/odom"), "{message}");

    assert!(matches!(Log::read(&b"PNG or so, but long enough to look at"[..]), Err(ReadError::NotMcap)));
    assert!(matches!(Log::read(&b""[..]), Err(ReadError::NotMcap)));
}

/// A hole is a hole, and said to be one; what can be run again is run again across it.
#[test]
fn a_gap_is_named_and_passed() {
    let played = play(120, lively);
    let mut items: Vec<Item> = Vec::new();
    for item in played.items {
        let is_lost = (50..70).contains(&item.tick()) && !matches!(item, Item::Input(_));
        if item.tick() == 70 && matches!(item, Item::Poses(_)) {
            items.push(Item::Gap(Gap { from: 50, to: 70, inputs_lost: false }));
        }
        if !is_lost {
            items.push(item);
        }
    }
    let log = read(&write(&items, vec![]));
    assert_eq!(log.gaps, [Gap { from: 50, to: 70, inputs_lost: false }]);
    assert_eq!(Rerun::new(new_world(), 100).compare(&log, |_| {}), None);
}

/// Sensors that were asked for are in it, each under its own topic.
#[test]
fn chosen_sensors_are_recorded() {
    let chosen: SensorChoice = "*/probe".parse().unwrap();
    let log = read(&write(&play(100, |_| vec![]).items, vec![chosen]));
    let topics: Vec<&str> = log.topics.iter().map(|(topic, _)| topic.as_str()).collect();
    let sensors = topics.iter().filter(|topic| topic.starts_with("/sensors/"));
    assert!(
        sensors.clone().count() > 0 && sensors.clone().all(|topic| topic.ends_with("/probe/probe")),
        "{topics:?}"
    );
    for wrong in ["laser", "/laser", "blue-1/", ""] {
        assert!(wrong.parse::<SensorChoice>().is_err(), "{wrong}");
    }
}

/// While time stands each command shows the world again; a reading that says the same is not said twice, one that says something else is.
#[test]
fn a_reading_is_not_repeated_while_time_stands() {
    let note =
        |value: &str| Event::Apply(vec![Action::Annotate { robot: 0, key: "k".into(), value: value.into() }]);
    let moved = || Event::Apply(vec![Action::PlaceRobot(0, Pose2::new(1.0, 0.5, 0.25))]);
    let played = play(100, |tick| match tick {
        50 => vec![note("1"), note("2"), note("3"), moved(), note("4")],
        _ => vec![],
    });
    let bytes = write(&played.items, vec!["robot-0/probe".parse().unwrap()]);
    let said: Vec<_> = MessageStream::new(&bytes)
        .unwrap()
        .map(Result::unwrap)
        .filter(|message| message.channel.topic == "/sensors/robot-0/probe/probe")
        .map(|message| (message.log_time, message.data.to_vec()))
        .collect();
    let at_fifty: Vec<_> = said.iter().filter(|(time, _)| *time == 500_000_000).collect();
    assert!(said.windows(2).all(|pair| pair[0] != pair[1]), "{at_fifty:?}");
    assert_eq!(at_fifty.len(), 2, "before the robot was put elsewhere, and then: {at_fifty:?}");
}

/// What is infinite, nested or quoted comes back from the head as it was.
#[test]
fn the_head_comes_back() {
    let mut header = header();
    header.scenario.radio.range_m = f64::INFINITY;
    let robot = Arc::make_mut(&mut header.scenario.robots[0].spec);
    robot.motion.params = serde_json::json!({ "text": "a \"word\"\n" });
    let scenario: Scenario = header.scenario.clone();
    let bytes =
        LogWriter::new(Cursor::new(Vec::new()), header, vec![]).unwrap().finish().unwrap().into_inner();
    assert_eq!(Log::read(&bytes[..]).unwrap().header.scenario, scenario);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any byte of a log may be wrong: it is read as far as it makes sense, or refused.
    #[test]
    fn a_damaged_log_is_an_error_at_worst(place in 0.0..1.0_f64, value in any::<u8>()) {
        static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
        let mut bytes = BYTES.get_or_init(|| write(&play(60, lively).items, vec![])).clone();
        let index = (place * bytes.len() as f64) as usize;
        bytes[index] = value;
        let _ = Log::read(&bytes[..]);
    }
}

/// The same of what is named later: no command that a client could give, and no event, has such names.
#[test]
fn names_that_nobody_gives_are_refused_behind_the_head_too() {
    const EVIL: &str = "x\r\nOK PAUSE\u{1b}]0;title\u{7}";
    let world = header().scenario;
    let spec = |change: fn(&mut RobotSpec)| {
        let mut spec = (*world.robots[0].spec).clone();
        change(&mut spec);
        Arc::new(spec)
    };
    let add = |name: &str, spec, player| Action::AddRobot {
        name: name.into(),
        team: None,
        spec,
        pose: None,
        player,
    };
    let player = || PlayerChoice { choice: PluginChoice::new(EVIL, json!({})), period_secs: 0.1 };
    let is_right = |_: &mut RobotSpec| {};
    let actions: [(&str, Action); 9] = [
        ("the robot \"x", add(EVIL, spec(is_right), None)),
        ("the robot's model", add("new", spec(|spec| spec.model = EVIL.into()), None)),
        ("the sensor \"", add("new", spec(|spec| spec.sensors[0].id = EVIL.into()), None)),
        ("the motion plugin", add("new", spec(|spec| spec.motion.plugin = EVIL.into()), None)),
        ("the player's plugin", add("new", spec(is_right), Some(player()))),
        ("the player's plugin", Action::StartPlayer(0, player())),
        ("the player's plugin", Action::ExchangePlayer(0, player())),
        ("the key", Action::Annotate { robot: 0, key: EVIL.into(), value: "1".into() }),
        (
            "the manipulator",
            Action::Manipulate {
                robot: 0,
                manipulator: EVIL.into(),
                state: "x".into(),
                aim: Aim::strength(1.0),
            },
        ),
    ];
    for (what, action) in actions {
        for input in [Input::Step as fn(_) -> _, Input::Apply] {
            let input = Item::Input(TimedInput { tick: 7, input: input(vec![command(1, action.clone())]) });
            let error = Log::read(&write(&[input], vec![])[..]).unwrap_err().to_string();
            assert!(error.contains(what) && error.contains("tick 7"), "{what}: {error}");
            assert!(error.contains("\n  hint     ") && !error.contains(['\u{1b}', '\r']), "{error:?}");
            assert_eq!(error.lines().count(), 2, "{error:?}");
        }
    }
    // What is said may have lines: it is quoted wherever it comes.
    let said = Action::Say(0, "two\nlines".into());
    let input = Item::Input(TimedInput { tick: 7, input: Input::Step(vec![command(1, said)]) });
    assert_eq!(read(&write(&[input], vec![])).inputs.len(), 1);
}

/// A head that somebody wrote by hand, with names that would be lines and commands of their own wherever they are shown.
#[test]
fn a_head_with_names_that_no_file_could_have_is_refused() {
    type Change = fn(&mut Header);
    const EVIL: &str = "x\r\nOK PAUSE\u{1b}]0;title\u{7}";
    fn first(header: &mut Header) -> &mut touchline_sim::scenario::RobotSpec {
        Arc::make_mut(&mut header.scenario.robots[0].spec)
    }
    let changes: [(&str, Change); 9] = [
        ("the world", |header| header.scenario.name = EVIL.into()),
        ("the team", |header| header.scenario.teams[0].name = EVIL.into()),
        ("the fixture", |header| header.scenario.fixtures[0].name = Some(EVIL.into())),
        ("the robot", |header| header.scenario.robots[0].name = EVIL.into()),
        ("the robot's model", |header| first(header).model = EVIL.into()),
        ("the sensor", |header| first(header).sensors[0].id = EVIL.into()),
        ("the sensor's model", |header| first(header).sensors[0].model = EVIL.into()),
        ("the manipulator", |header| first(header).manipulators[0].name = EVIL.into()),
        ("\"x", |header| header.server = EVIL.into()),
    ];
    for (what, change) in changes {
        let mut header = header();
        change(&mut header);
        let writer = LogWriter::new(Cursor::new(Vec::new()), header, vec![]).unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        let error = Log::read(&bytes[..]).unwrap_err().to_string();
        assert!(error.contains(what), "{what}: {error}");
        assert!(!error.contains(char::is_control), "{error:?}");
        assert!(recover(Cursor::new(&bytes), Cursor::new(Vec::new())).is_err(), "{what}");
    }
}
