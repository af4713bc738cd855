//! The Soccer Server's world from inside: what the sensors tell against what a client is told over the network, and whole games of our team by plugins alone. [P3, Y1]

use crate::build::plugin_dir;
use crate::client::{Client, field};
use crate::program::{Server, root};
use std::collections::BTreeMap;
use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;
use touchline_config::load_world;
use touchline_host::Host;
use touchline_plugin_api::layout::decode;
use touchline_plugin_api::noise::NoiseKey;
use touchline_sim::{Action, Command, EventKind, World};
use touchline_soccer_law::face::{self, BodyCommand, Datum, Side, Value, state};
use touchline_soccer_law::pitch::landmarks;
use touchline_soccer_team::keepaway::{Choice, hand_coded, state as keepaway_state};

/// Steps wait for the players.
const WORLD: &str = r#"
include = ["WORLDS/soccer.toml"]

[referee.params.server]
synch_mode = true
auto_mode = true
connect_wait = 5
kick_off_wait = 5
"#;

/// Changes and numbers are told for certain up to here, metres; beyond, each reader has its own chance.
const CERTAIN_M: f64 = 20.0;

/// A client of version 18 that looks narrowly, in every cycle.
struct Player {
    socket: UdpSocket,
    server: SocketAddr,
}

impl Player {
    fn join(port: SocketAddr, team: &str) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        // No test waits for ever.
        socket.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        socket.send_to(format!("(init {team} (version 18))\0").as_bytes(), port).unwrap();
        let mut buffer = [0; 9000];
        let (_, server) = socket.recv_from(&mut buffer).unwrap();
        Self { socket, server }
    }

    /// What it is told up to the next `(think)`.
    fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        let mut buffer = [0; 9000];
        while told.last().is_none_or(|last| last != "(think)") {
            let length = self.socket.recv(&mut buffer).unwrap();
            told.push(String::from_utf8(buffer[..length - 1].to_vec()).unwrap());
        }
        told
    }

    fn say(&self, commands: &str) {
        self.socket.send_to(format!("{commands}\0").as_bytes(), self.server).unwrap();
    }
}

/// Fields of a robot's sensors, in their units, by name.
fn readings(board: &mut Client, robot: &str) -> BTreeMap<String, Vec<f64>> {
    let meaning = board.ok(format!("DESCRIBE {robot}").as_str());
    let state = board.ok(format!("GET {robot} eyes body ears").as_str());
    let (mut fields, mut counts) = (BTreeMap::new(), Vec::new().into_iter());
    for line in &meaning.lines {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (Some("SENSOR"), Some(id)) => {
                let data = state.line(&format!("DATA {id} ")).split(' ').skip(4);
                counts = data.map(|word| word.parse::<u32>().unwrap()).collect::<Vec<_>>().into_iter();
            }
            (Some("FIELD"), Some(name)) => {
                let sides = field(line, "shape").split(|letter: char| !letter.is_ascii_digit());
                let len = sides.filter_map(|side| side.parse::<usize>().ok()).product();
                let (scale, signed) = (field(line, "scale").parse().unwrap(), field(line, "signed") == "1");
                let values = counts.by_ref().take(len).map(|count| decode(count, scale, signed)).collect();
                fields.insert(name.to_owned(), values);
            }
            _ => {}
        }
    }
    fields
}

/// A thing of a `see` message: its name, and its numbers.
fn things(see: &str) -> Vec<(String, Vec<f64>)> {
    let things = see.split(" ((").skip(1).map(|thing| {
        let (name, numbers) = thing.split_once(')').unwrap();
        let numbers = numbers.trim_end_matches(')').split_whitespace();
        (name.to_owned(), numbers.filter_map(|number| number.parse().ok()).collect())
    });
    things.collect()
}

/// The numbers of a group such as `(speed 0.41 12)`.
fn group(text: &str, name: &str) -> Vec<f64> {
    let start = text.find(&format!("({name} ")).unwrap() + name.len() + 2;
    let end = start + text[start..].find(')').unwrap();
    text[start..end].split(' ').map(|number| number.parse().unwrap()).collect()
}

fn near(got: f64, wanted: f64, by: f64, what: &str) {
    assert!((got - wanted).abs() <= by, "{what}: the sensor has {got}, the network {wanted}");
}

/// What was seen over the network is in the sensor's reading: distances as they are printed, directions the other way round, changes by the second.
fn compare_sight(see: &str, sensor: &BTreeMap<String, Vec<f64>>) -> usize {
    let names: Vec<_> = landmarks(14.02).iter().map(|landmark| landmark.name).collect();
    let check = |kind: &str, row: usize, numbers: &[f64], what: &str| {
        let what = format!("{what} of {see}");
        let what = what.as_str();
        let value = |name: &str| sensor[&format!("{kind}_{name}")][row];
        near(value("distance"), numbers[0], 1e-3, what);
        near(value("direction").to_degrees(), -numbers[1], 1e-6, what);
        if let [distance_m, _, by_m, by_deg, ..] = numbers[..]
            && distance_m < CERTAIN_M
        {
            near(value("distance_change"), 10.0 * by_m, 2e-3, what);
            near(value("direction_change").to_degrees(), -10.0 * by_deg, 1e-3, what);
        }
    };
    let mut players = 0;
    let mut counted = 0;
    for (name, numbers) in things(see) {
        if let Some(row) = names.iter().position(|known| *known == name) {
            check("landmark", row, &numbers, &name);
        } else if name == "b" {
            check("ball", 0, &numbers, &name);
        } else if let Some(row) = ["l l", "l r", "l t", "l b"].iter().position(|line| *line == name) {
            check("line", row, &numbers, &name);
        } else if let Some(player) = name.strip_prefix("p \"")
            && numbers[0] < CERTAIN_M
        {
            let (team, unum) = player.split_once("\" ").unwrap();
            let rows = 0..sensor["player_known"].len();
            let unum: f64 = unum.trim_end_matches(" goalie").parse().unwrap();
            let team = f64::from(team == "Blues");
            let row = rows
                .into_iter()
                .find(|&row| sensor["player_team"][row] == team && sensor["player_unum"][row] == unum);
            let row = row.unwrap_or_else(|| panic!("the sensor does not see {name}: {see}"));
            check("player", row, &numbers, &name);
            if let [_, _, _, _, body_deg, ..] = numbers[..] {
                near(sensor["player_body_direction"][row].to_degrees(), -body_deg, 1e-6, &name);
            }
            players += 1;
        } else {
            continue;
        }
        counted += 1;
    }
    let rows = sensor["player_known"].iter().zip(&sensor["player_distance"]);
    let known = rows.filter(|(known, distance_m)| **known == 4.0 && **distance_m < CERTAIN_M).count();
    assert_eq!(known, players, "no player that the network does not tell of: {see}");
    counted
}

fn compare_body(body: &str, sensor: &BTreeMap<String, Vec<f64>>) {
    let value = |name: &str| sensor[name][0];
    let stamina = group(body, "stamina");
    near(value("stamina"), stamina[0], 0.05, "stamina");
    near(value("effort"), stamina[1], 1e-5, "effort");
    near(value("capacity"), stamina[2], 1.0, "capacity");
    let speed = group(body, "speed");
    near(value("speed"), 10.0 * speed[0], 1e-6, "speed");
    near(value("speed_direction").to_degrees(), -speed[1], 1e-6, "direction of the speed");
    near(value("head_angle").to_degrees(), -group(body, "head_angle")[0], 1e-6, "head angle");
}

/// What was heard over the network is in the sensor's reading: first what was said, then that others have spoken.
fn compare_hearing(told: &[String], sensor: &BTreeMap<String, Vec<f64>>) -> usize {
    let bytes = sensor["text"].len() / sensor["heard"].len();
    let reading = (0..sensor["heard"].len()).filter(|&row| sensor["heard"][row] > 0.0).map(|row| {
        let text = sensor["text"][row * bytes..][..bytes].iter().map(|&byte| byte as u8 as char);
        let text: String = text.take_while(|&letter| letter != '\0').collect();
        let of =
            if sensor["sender"][row] == 1.0 { format!("our {}", sensor["unum"][row]) } else { "opp".into() };
        match sensor["heard"][row] {
            2.0 => format!("{} {of} \"{text}\"", -sensor["direction"][row].to_degrees().round()),
            _ => of,
        }
    });
    let mut reading: Vec<String> = reading.collect();
    let heard =
        told.iter().filter_map(|text| text.strip_prefix("(hear ")?.strip_suffix(')')?.split_once(' '));
    let mut heard: Vec<String> = heard
        .filter(|(_, rest)| !rest.starts_with("self") && !rest.starts_with("referee"))
        .map(|(_, rest)| rest.to_owned())
        .collect();
    heard.sort();
    reading.sort();
    assert_eq!(reading, heard);
    heard.len()
}

/// Who plays over the network is told the same numbers as the sensors of its robot give at the same step.
#[test]
fn the_sensors_tell_what_the_network_tells() {
    let folder = tempfile::tempdir().unwrap();
    let worlds = root().join("worlds").display().to_string();
    let file = folder.path().join("inside.toml");
    fs::write(&file, WORLD.replace("WORLDS", &worlds)).unwrap();
    let options = ["--soccer=127.0.0.1:0", "--soccer-players", "4", "--studio", "off"];
    // Time stands until all have answered, also on a busy machine.
    let server = Server::start(&file, &[&options[..], &["--soccer-patience-ms", "240000"]].concat());
    let port = server.ready["soccer"][0].as_str().unwrap().parse().unwrap();
    let players = ["Reds", "Reds", "Blues", "Blues"].map(|team| Player::join(port, team));
    let mut board = Client::connect(&server);
    let (mut seen, mut bodies, mut heard) = (0, 0, 0);
    for cycle in 0..60i32 {
        let told = players.each_ref().map(Player::told);
        // Time stands until all have answered.
        if cycle > 2 {
            let sensor = readings(&mut board, "left-2");
            let see = told[1].iter().find(|text| text.starts_with("(see ")).expect("a view in every cycle");
            seen += compare_sight(see, &sensor);
            compare_body(told[1].iter().find(|text| text.starts_with("(sense_body ")).unwrap(), &sensor);
            bodies += 1;
            heard += compare_hearing(&told[1], &sensor);
        }
        for (number, player) in (0..).zip(&players) {
            let commands = match (cycle, number) {
                (0, _) => "(synch_see)(change_view narrow)".to_owned(),
                // Near each other.
                (1, _) => format!("(move -{} {})", 4 + 3 * number, 4 * number),
                _ if cycle % 5 == number => {
                    format!("(turn {})(turn_neck {})", 7 * cycle % 60, cycle % 31 - 15)
                }
                _ => "(dash 70)(kick 30 10)".to_owned(),
            };
            // One of each team: who of several is heard is each reader's own chance. A mate and an opponent in every third cycle; the ears hear one of each.
            let words = match (cycle % 3, number) {
                (0, 0) => format!("(say r{cycle})"),
                (0, 3) | (1, 2) => format!("(say b{cycle}.{number})"),
                _ => String::new(),
            };
            // By itself: what is said goes on to the end of a datagram.
            if !words.is_empty() {
                player.say(&words);
            }
            player.say(&format!("{commands}(done)"));
        }
    }
    assert!(bodies == 57 && seen > 300, "{seen} things in {bodies} views");
    assert!(heard >= 50, "{heard} messages were heard");
}

fn no_fault(world: &World) {
    let faults: Vec<_> =
        world.events().filter(|event| matches!(event.kind, EventKind::Fault { .. })).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

/// A game of our team against itself in halves of `half_time` seconds: who kicked how often, and the score.
fn game(host: &Arc<Host>, seed: u64, half_time: u32) -> ([u32; 2], [i64; 2]) {
    let mut scenario = load_world(&root().join("worlds/soccer-teams.toml"), &**host).unwrap();
    scenario.seed = seed;
    scenario.referee.as_mut().unwrap().params["server"]["half_time"] = half_time.into();
    let mut world = World::new(scenario, Arc::clone(host) as _).unwrap();
    let mut kicks = [0; 2];
    let (mut stands, mut last) = (0, [f64::NAN; 2]);
    for _ in 0..2 * 10 * half_time + 400 {
        world.step(&[]);
        let frame = world.frame();
        let mode = face::mode_of_phase(frame.game.phase).unwrap();
        if mode.word() == "time_over" {
            no_fault(&world);
            assert_eq!(frame.robots.len(), 22, "nobody was sent off, nobody is missing");
            return (kicks, [0, 1].map(|team| frame.game.teams[team].score));
        }
        for robot in &frame.robots {
            let bits = robot.motion_data[Datum::State.index()] as u32;
            let side = if robot.identity.name.starts_with(Side::Left.word()) { 0 } else { 1 };
            kicks[side] += u32::from(bits & state::KICK != 0 && bits & state::KICK_FAULT == 0);
        }
        let ball = world.view().balls().next().unwrap().pose;
        let place = [ball.x_m, ball.y_m];
        stands = if place == last { stands + 1 } else { 0 };
        last = place;
        // drop_ball_time is 100 cycles: whoever has a set play takes it before.
        assert!(stands < 100, "seed {seed}: nobody plays the ball at {place:?} in {}", mode.word());
    }
    panic!("seed {seed}: the game does not end");
}

/// Whole games by plugins alone: they end, nobody stalls, both teams play the ball, and over some seeds both score.
#[test]
fn our_team_plays_whole_games() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let mut scores = [0; 2];
    for seed in 1..=12 {
        let (kicks, score) = game(&host, seed, 40);
        assert!(kicks.iter().all(|kicks| *kicks > 5), "seed {seed}: kicks {kicks:?}");
        scores = [scores[0] + score[0], scores[1] + score[1]];
        if seed >= 2 && scores.iter().all(|goals| *goals > 0) {
            return;
        }
    }
    panic!("{scores:?} goals in twelve short games");
}

/// A shoot-out by plugins alone: it decides a game without a goal, and some of its kicks are scored.
#[test]
fn our_team_takes_penalties() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let mut scenario = load_world(&root().join("worlds/soccer-teams.toml"), &*host).unwrap();
    let server = &mut scenario.referee.as_mut().unwrap().params["server"];
    (server["half_time"], server["penalty_shoot_outs"]) = (1.into(), true.into());
    let mut world = World::new(scenario, Arc::clone(&host) as _).unwrap();
    for _ in 0..4000 {
        world.step(&[]);
        let frame = world.frame();
        if face::mode_of_phase(frame.game.phase).unwrap().word() == "time_over" {
            no_fault(&world);
            let scored = [Value::PenaltyScoreLeft, Value::PenaltyScoreRight];
            let scored = scored.map(|value| frame.game.values[value.index()]);
            assert!(scored.iter().sum::<f64>() >= 1.0, "{scored:?}");
            return;
        }
    }
    panic!("the shoot-out does not end");
}

/// How a keeper chooses.
type Chooses = fn(&[f64; 13], u64) -> Choice;

/// Plays an episode of keepaway; how long the ball was kept, cycles, and how it ended.
fn keepaway(world: &mut World, seed: u64, chooses: Chooses) -> (u32, String) {
    world.begin_episode(seed, None);
    for cycle in 0..1200 {
        let view = world.view();
        let of = |team: u32| {
            let robots = view.robots().filter(move |robot| robot.team == team);
            robots.map(|robot| [robot.pose.x_m, robot.pose.y_m]).collect::<Vec<_>>()
        };
        let ball = view.balls().next().unwrap().pose;
        let ball = [ball.x_m, ball.y_m];
        let state = keepaway_state(&of(0), &of(1), ball).unwrap();
        let mut numbers = BodyCommand::None.to_numbers(0.0);
        numbers[BodyCommand::OPTION] = match chooses(&state, 1000 * seed + u64::from(cycle)) {
            Choice::Hold => -1.0,
            Choice::Pass(0) => 0.0,
            Choice::Pass(_) => 1.0,
        };
        world.step(&[Command { client: 1, sequence: 0, action: Action::Drive(0, numbers.to_vec()) }]);
        if let Some(end) = world.episode_end() {
            let ball = world.view().balls().next().unwrap().pose;
            let is_in = ball.x_m.abs() < 10.0 && ball.y_m.abs() < 10.0;
            assert_eq!(is_in, end.outcome() != "out", "the ball is at {} {}", ball.x_m, ball.y_m);
            return (cycle, end.outcome().to_owned());
        }
    }
    (1200, "time-up".into())
}

/// Stone, Sutton, Kuhlmann: who chooses with thought keeps the ball longer than who chooses by chance, by more than four standard errors; an episode ends where the benchmark's ends.
#[test]
fn keepaway_is_kept_longer_by_who_thinks() {
    let host = Arc::new(Host::scan(&[plugin_dir().to_owned()]));
    let scenario = load_world(&root().join("worlds/keepaway.toml"), &*host).unwrap();
    let mut world = World::new(scenario, Arc::clone(&host) as _).unwrap();
    let random: Chooses = |_, seed| {
        let mut draw = NoiseKey::for_owner(seed, "random").stream();
        Choice::of_option(draw.uniform(-1.0, 1.0))
    };
    let hold: Chooses = |_, _| Choice::Hold;
    let thinks: Chooses = |state, _| hand_coded(state);
    let mut told = BTreeMap::new();
    for (name, chooses) in [("random", random), ("hold", hold), ("hand-coded", thinks)] {
        let episodes: Vec<_> = (0..60).map(|seed| keepaway(&mut world, seed, chooses)).collect();
        let secs: Vec<f64> = episodes.iter().map(|(cycles, _)| f64::from(*cycles) * 0.1).collect();
        let mean = secs.iter().sum::<f64>() / secs.len() as f64;
        let variance = secs.iter().map(|secs| (secs - mean).powi(2)).sum::<f64>() / (secs.len() - 1) as f64;
        let error = (variance / secs.len() as f64).sqrt();
        let out = episodes.iter().filter(|(_, end)| end == "out").count();
        println!("{name}: {mean:.2} s, standard error {error:.2}; {out} of {} out", episodes.len());
        told.insert(name, (mean, error));
    }
    no_fault(&world);
    let [(random, random_error), (thinks, error)] = ["random", "hand-coded"].map(|name| told[name]);
    assert!(thinks - random > 4.0 * error.hypot(random_error), "{told:?}");
}
