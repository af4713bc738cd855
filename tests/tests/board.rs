//! The message board of the built server, spoken to over a plain socket, as by hand. [C1-C6, R3, R6]
//!
//! Nothing here waits for time to pass: what has to happen is waited for on the board itself.

use crate::client::{Answer, Client, field, number};
use crate::program::Server;

const EMPTY: &str = "worlds/empty.toml";

pub fn server(speed: &str) -> Server {
    Server::start(EMPTY, &["--studio", "off", "--speed", speed])
}

/// C1, C2, C4, C6: all that is needed to make, drive and read a robot is a line each.
#[test]
fn a_robot_is_made_driven_and_read_by_hand() {
    let server = server("lockstep");
    let mut hand = Client::connect(&server);
    assert!(hand.ok("help").lines.iter().any(|line| line.starts_with("FORWARD ")));
    hand.ok("HELLO 1 hand role=operator");
    assert!(hand.ok("FILES").line("FILE pioneer").contains("Pioneer"));
    let made = hand.ok("ROBOT chaser team=blue x=-2 y=-1 file=pioneer");
    assert_eq!(made.field("name"), "chaser");
    let row = hand.ok("LIST").line("ROBOT ").to_owned();
    assert!(row.contains(" chaser team=blue model=pioneer client=hand"), "{row}");
    let meaning = hand.ok("DESCRIBE me");
    let laser = meaning.line("SENSOR laser");
    assert_eq!(field(laser, "model"), "LMS200");

    hand.ok("FORWARD me 0.5");
    hand.ok("STEP 100");
    let world = hand.ok("WORLD");
    let robot = world.line("ROBOT ");
    let x_m = number(robot, "x");
    assert!((-1.9..-1.4).contains(&x_m), "it drove forward: {robot}");
    assert!(number(robot, "y").abs() > 0.99 && number(robot, "theta").abs() < 0.01, "and straight: {robot}");

    let state = hand.ok("GET me *");
    let sensors = meaning.lines.iter().filter(|line| line.starts_with("SENSOR "));
    for sensor in sensors {
        let id = sensor.split(' ').nth(1).expect("an id");
        let mut words = state.line(&format!("DATA {id} ")).split(' ').skip(2);
        assert_eq!(words.next(), Some(state.field("stamp_us")));
        assert_eq!(words.next(), Some(field(sensor, "integers")));
        assert_eq!(words.count().to_string(), field(sensor, "integers"), "{id}");
    }
    hand.ok("REMOVE me");
    assert!(hand.notice().head.starts_with("GONE robot="));
    assert!(hand.robots().is_empty());
    hand.ok("BYE");
    assert!(hand.message().is_none(), "the end");
}

/// Two sensors that must say the same if they speak of the same step.
const TWINS: &str = r##"model = "twins"
mass_kg = 10.0
colour = "#ffffff"
[motion]
plugin = "differential"
[[body]]
shape = "ellipse"
length_m = 0.4
width_m = 0.4
[[sensor]]
id = "left"
model = "truth"
plugin = "truth"
[[sensor]]
id = "right"
model = "truth"
plugin = "truth"
"##;

/// R3: a robot takes a translational velocity, a rotational one, or the whole vector, whose numbers its motion plugin explains.
#[test]
fn a_robot_takes_velocities_or_the_whole_vector() {
    let server = server("lockstep");
    for (file, explained, vector) in [
        ("pioneer", ["forward (m/s)", "turn (rad/s)"].as_slice(), "0.25 -0.5"),
        ("omni3", &["forward (m/s)", "left (m/s)", "turn (rad/s)"], "0.25 0.125 -0.5"),
    ] {
        let mut client = Client::connect(&server);
        client.ok(&format!("ROBOT {file} file={file}"));
        let meaning = client.ok("DESCRIBE me");
        let dims: Vec<&String> = meaning.lines.iter().filter(|line| line.starts_with("DIM ")).collect();
        let named = |line: &&String| {
            let name = line.split(' ').nth(1).expect("a name");
            assert!(number(line, "min") < 0.0 && number(line, "max") > 0.0, "{line}");
            assert_eq!(field(line, "part"), name, "{line}");
            format!("{name} ({})", field(line, "unit"))
        };
        assert_eq!(dims.iter().map(named).collect::<Vec<_>>(), explained);
        let wanted = |client: &mut Client, line: &str| {
            client.ok(line);
            let motion = client.ok("MOTION me");
            let values = motion.lines.iter().filter(|line| line.starts_with("DIM "));
            values.map(|line| field(line, "value").to_owned()).collect::<Vec<_>>().join(" ")
        };
        let rest = "0 ".repeat(dims.len() - 2);
        assert_eq!(wanted(&mut client, "FORWARD me 0.5"), format!("0.5 {rest}0"));
        assert_eq!(wanted(&mut client, "TURN me -1"), format!("0.5 {rest}-1"));
        assert_eq!(wanted(&mut client, "FORWARD me 0"), format!("0 {rest}-1"));
        assert_eq!(wanted(&mut client, &format!("DRIVE me {vector}")), vector);
        let explained = explained.join(", ");
        let short = client.refused("DRIVE me 0.25", "sim/wrong-dimensions").head;
        assert!(short.ends_with(&format!("this robot takes {}: {}\"", dims.len(), explained)), "{short}");
    }
}

/// C4, C5, S: a robot whose sensors and commands take their time: the last sample that has arrived, with its own stamp.
#[test]
fn a_robot_sees_and_obeys_in_its_own_time() {
    let server = server("lockstep");
    let mut hand = Client::connect(&server);
    hand.ok("HELLO 1 hand role=operator");
    hand.ok("RESET");
    hand.ok("ROBOT slow x=-2 y=-1 file=pioneer-timed");
    let laser = hand.ok("DESCRIBE me").line("SENSOR laser").to_owned();
    assert_eq!((number(&laser, "rate_hz"), number(&laser, "delay_s")), (5.0, 0.2));
    let first = hand.ok("GET me laser camera odometry");
    assert_eq!(first.line("NONE "), "NONE laser");
    assert!(first.lines.contains(&"NONE camera".to_owned()) && first.lines.len() == 3, "{first:?}");

    hand.ok("FORWARD me 0.5");
    let age_ms = |state: &Answer, sensor: &str| {
        let line = state.line(&format!("DATA {sensor} "));
        let stamp_us: i64 = line.split(' ').nth(2).unwrap().parse().unwrap();
        (state.field("stamp_us").parse::<i64>().unwrap() - stamp_us) / 1000
    };
    for steps in [100, 7, 13] {
        hand.ok(&format!("STEP {steps}"));
        let state = hand.ok("GET me laser camera odometry");
        let now_ms = state.field("sim_us").parse::<i64>().unwrap() / 1000;
        // 5 Hz and 0.2 s; 30 Hz and 0.083 s, in steps of 10 ms.
        assert_eq!(age_ms(&state, "laser"), 200 + now_ms % 200);
        assert!((90..130).contains(&age_ms(&state, "camera")), "{state:?}");
        assert_eq!(age_ms(&state, "odometry"), 0);
    }
    // The command stands for two seconds, then the watchdog ends it.
    let driven = |hand: &mut Client| field(hand.ok("MOTION me").line("DIM forward"), "value").to_owned();
    assert_eq!(driven(&mut hand), "0.5");
    hand.ok("STEP 100");
    assert_eq!(driven(&mut hand), "0");
    hand.ok("FORWARD me 0.25");
    assert_eq!(driven(&mut hand), "0");
    hand.ok("STEP 11");
    assert_eq!(driven(&mut hand), "0.25");
}

/// C5: however fast the world goes, all of one reply is of one step.
#[test]
fn one_reply_is_one_step() {
    let server = server("max");
    let mut client = Client::connect(&server);
    let made = client.upload("ROBOT twins", TWINS);
    assert!(made.head.starts_with("OK ROBOT "), "{made:?}");
    client.ok("TWIST me 0.3 0 1");
    let mut last = 0;
    let mut contents = std::collections::BTreeSet::new();
    while contents.len() < 100 {
        let state = client.ok("GET me left right.truth");
        let step = state.number("step");
        assert_eq!(state.number("sim_us"), step * 10_000);
        assert!(step >= last);
        last = step;
        let row = |name: &str| state.line(name).strip_prefix(name).expect("its name").to_owned();
        let (left, right) = (row("DATA left "), row("DATA right.truth "));
        assert_eq!(left, right, "of two steps");
        assert!(left.starts_with(state.field("stamp_us")));
        contents.insert(left.split_once(' ').expect("a stamp").1.to_owned());
    }
}

/// C4: sensors come by themselves, each step at most once, until they are told off.
#[test]
fn push_sends_by_itself() {
    let server = server("max");
    let mut client = Client::connect(&server);
    client.ok("ROBOT chaser file=pioneer");
    assert_eq!(client.ok("PUSH me 1 odometry laser").field("period_us"), "1000");
    let mut last = None;
    for _ in 0..50 {
        let state = client.notice();
        assert!(state.head.starts_with("STATE robot="), "{state:?}");
        assert_eq!(state.lines.len(), 2);
        assert!(state.lines.iter().all(|line| line.split(' ').nth(2) == Some(state.field("stamp_us"))));
        let step = state.number("step");
        assert!(last.is_none_or(|last| step > last), "{last:?}, {step}");
        last = Some(step);
    }
    client.ok("PUSH me off");
    client.notices.clear();
    client.ok("STATUS");
    assert!(client.notices.is_empty(), "{:?}", client.notices);
}

/// C3: the four stamps, and the offset on every stamp.
#[test]
fn clocks_are_synchronised() {
    let server = server("lockstep");
    let mut client = Client::connect(&server);
    let mut last = 0;
    for t0 in [-5_000_000i64, 0, 77] {
        let stamps = client.ok(&format!("SYNC {t0}"));
        assert_eq!(stamps.field("t0"), t0.to_string());
        let (t1, t2) = (stamps.number("t1"), stamps.number("t2"));
        assert!(last <= t1 && t1 <= t2, "{stamps:?}");
        last = t2;
    }
    client.ok("ROBOT chaser file=pioneer");
    let stamp = |answer: &Answer| answer.field("stamp_us").parse::<i64>().expect("a stamp");
    // Time stands: the newest step keeps its stamp.
    let before = stamp(&client.ok("GET me odometry"));
    client.ok("OFFSET -1000000000000");
    let state = client.ok("GET me odometry");
    assert_eq!(stamp(&state), before - 1_000_000_000_000);
    assert_eq!(state.lines[0].split(' ').nth(2), Some(state.field("stamp_us")));
    assert_eq!(stamp(&client.ok("WORLD")), before - 1_000_000_000_000);
}

/// W6, C1: in lockstep a step is made when told, and what is sent in one go takes effect in its order.
#[test]
fn lockstep_and_pipelining_keep_the_order() {
    let server = server("lockstep");
    let mut client = Client::operator(&server);
    let start = client.ok("STATUS").number("step");
    client.send(
        "#a ROBOT chaser x=-2 y=-1 file=pioneer\n#b FORWARD me 0.5\n#c STEP 5\n#d GET me odometry\n#e STEP\n\
         #f WORLD\n#g STATUS\n#h REMOVE me\n#i LIST\n",
    );
    let answers: Vec<Answer> = (0..9).map(|_| client.answer()).collect();
    let tags: Vec<&str> = answers.iter().map(|answer| &answer.head[..6]).collect();
    assert_eq!(
        tags,
        ["#a OK ", "#b OK ", "#c OK ", "#d OK ", "#e OK ", "#f OK ", "#g OK ", "#h OK ", "#i OK "]
    );
    let step = |index: usize| answers[index].number("step") - start;
    assert_eq!([step(2), step(3), step(4), step(5), step(6)], [5, 5, 6, 6, 6]);
    assert!(number(answers[5].line("ROBOT "), "x") > -2.0, "it drove");
    assert!(answers[8].lines.is_empty());
    assert!(client.notice().head.starts_with("GONE "));
}

/// W6, C6: while time stands, objects can be placed, and time goes on when told.
#[test]
fn objects_are_placed_while_time_stands() {
    let server = server("1");
    let mut client = Client::operator(&server);
    client.ok("ROBOT chaser x=-2 y=-1 file=pioneer");
    client.ok("PAUSE");
    let before = client.ok("WORLD").number("step");
    client.ok("PLACE me 1 0.5 0.25");
    client.ok("BALL 0 -1 0.5 0 0");
    let world = client.ok("WORLD");
    assert_eq!(world.number("step"), before);
    let (robot, ball) = (world.line("ROBOT "), world.line("BALL 0"));
    assert_eq!(["x", "y", "theta"].map(|key| number(robot, key)), [1.0, 0.5, 0.25]);
    assert_eq!(["x", "y"].map(|key| number(ball, key)), [-1.0, 0.5]);
    client.refused("PLACE me 3.05 0 0", "sim/no-room");
    client.refused("BALL 7 0 0", "sim/no-such-ball");
    assert_eq!(client.ok("STATUS").field("paused"), "1");
    client.ok("RESUME");
    while client.ok("STATUS").number("step") <= before {}
    let status = client.ok("STATUS");
    assert!(status.number("timed_steps") >= status.number("late_steps"));
}

/// C9: who looks on learns what a robot was told to do, what it does, and what it said.
#[test]
fn an_observer_learns_a_robots_command_and_what_becomes_of_it() {
    let server = server("lockstep");
    let mut hand = Client::operator(&server);
    hand.ok("ROBOT chaser x=-2 y=-1 theta=0 file=pioneer");
    hand.ok("ROBOT mate x=1 y=1 theta=0 file=pioneer");
    hand.ok("TWIST chaser 0.5 0 0");
    hand.ok("SAY chaser coming");
    hand.ok("SAY mate waiting");
    hand.ok("STEP 100");
    let mut observer = Client::connect(&server);
    observer.ok("HELLO 1 desk role=monitor");
    let motion = observer.ok("MOTION chaser");
    assert_eq!(motion.number("step"), 100);
    assert_eq!(number(motion.line("DIM forward"), "value"), 0.5);
    let world = observer.ok("WORLD");
    let robot = world.lines.iter().find(|line| line.contains(" chaser ")).expect("it is there");
    for key in ["forward", "left", "turn"] {
        assert_eq!(motion.field(key), field(robot, key));
    }
    assert!((motion.field("forward").parse::<f64>().expect("a number") - 0.5).abs() < 0.01, "{motion:?}");
    assert!(number(motion.line("DATUM wheel-left"), "value") > 1.0, "its wheels turn");
    assert_eq!(field(motion.line("MANIPULATOR kicker"), "state"), "rest");

    let (heard, said) = (observer.ok("HEAR chaser"), observer.ok("HEAR chaser said=1"));
    assert_eq!((heard.lines.len(), said.lines.len()), (1, 1));
    assert!(heard.lines[0].contains(" name=mate ") && heard.lines[0].ends_with("\"waiting\""), "{heard:?}");
    assert!(said.lines[0].contains(" name=chaser ") && said.lines[0].ends_with("\"coming\""), "{said:?}");
    observer.refused("HEAR chaser said=2", "board/bad-parameter");
    let meaning = observer.ok("DESCRIBE chaser");
    assert_eq!(number(meaning.line("SENSOR camera"), "field_of_view_rad"), 0.85);
}

/// C6: who may do what; what the simulation refuses has its code.
#[test]
fn commands_are_refused_with_a_reason() {
    let server = server("lockstep");
    let mut player = Client::connect(&server);
    player.refused("PAUSE", "board/role");
    player.refused("FORWARD me 1", "board/no-robot");
    player.refused("ROBOT a file=pioner", "board/no-such-file");
    player.refused("ROBOT a file=../robots/pioneer", "board/no-such-file");
    player.refused("ROBOT a team=green file=pioneer", "sim/no-such-team");
    player.ok("ROBOT a file=pioneer");
    player.refused("ROBOT a file=pioneer", "sim/name-taken");
    player.refused("TWIST me 0 0.5 0", "sim/no-such-velocity");
    player.ok("TWIST me 0.1 0 0.5");
    player.refused("DRIVE me 1 2 3 4 5", "sim/wrong-dimensions");
    player.refused("MANIPULATE me wing out", "sim/no-such-state");
    player.refused("ANNOTATE me key {\"open\":", "board/bad-json");
    player.ok("ANNOTATE me key {\"point\": [1, 2]}");
    player.refused("GET me radar", "board/no-such-sensor");
    let mut other = Client::operator(&server);
    other.refused("FORWARD nobody 1", "sim/no-such-robot");
    other.refused("REFEREE kick-off", "sim/no-referee");
    other.refused("REFEREE", "sim/no-referee");
    other.refused("SETSCORE green 1", "sim/no-such-team");
    other.refused("START a plugin=nothing", "plugin/not-found");
    assert!(other.ok("PLAYERS").lines.iter().any(|line| line.starts_with("PLAYER striker ")));
    other.ok("SETSCORE yellow 3");
    assert_eq!(field(other.ok("SCORE").line("TEAM 1"), "goals"), "3");
    other.ok("REMOVE a");
    assert!(player.notice().head.starts_with("GONE robot="), "its maker is told");
}

/// C2, R1: everything that is wrong with a robot file, with its place; and the connection goes on.
#[test]
fn a_wrong_robot_file_is_reported_with_line_and_column() {
    let server = server("lockstep");
    let mut client = Client::connect(&server);
    let wrong =
        TWINS.replace("mass_kg = 10.0", "mas_kg = 10.0").replace("\"differential\"", "\"diferential\"");
    let answer = client.upload("ROBOT twins", &wrong);
    assert!(answer.head.starts_with("ERR config/bad-file "), "{answer:?}");
    let problem = |code: &str| answer.lines.iter().find(|line| field(line, "code") == code).expect(code);
    let unknown = problem("config/unknown-key");
    assert_eq!((field(unknown, "line"), field(unknown, "column")), ("2", "1"), "{unknown}");
    assert!(unknown.contains("mass_kg"), "the nearest key is named: {unknown}");
    let missing = problem("plugin/not-found");
    assert_eq!((field(missing, "line"), field(missing, "column")), ("5", "10"), "{missing}");
    assert!(missing.contains("differential"), "{missing}");

    let text = client.upload("ROBOT twins", "this is no TOML\n");
    assert!(text.lines.iter().any(|line| line.contains("code=config/syntax")), "{text:?}");
    let outside = format!("include = [\"../../Cargo.toml\"]\n{TWINS}");
    let outside = client.upload("ROBOT twins", &outside);
    assert!(outside.lines.iter().any(|line| line.contains("code=config/file-not-read")), "{outside:?}");
    let long = "# long\n".repeat(20_000);
    let long = client.upload("ROBOT twins", &long);
    assert!(long.head.starts_with("ERR board/file-too-long "), "{long:?}");

    assert!(client.robots().is_empty());
    assert!(client.upload("ROBOT twins", TWINS).head.starts_with("OK ROBOT "));
}

/// Y2: players are started and stopped from the board; the robot comes and goes with its player.
#[test]
fn a_player_is_started_and_stopped() {
    let server = server("lockstep");
    let mut client = Client::operator(&server);
    client.ok("START hunter plugin=striker file=pioneer team=blue");
    let robots = client.robots();
    assert!(
        robots.len() == 1 && robots[0].contains(" hunter team=blue model=pioneer player=striker"),
        "{robots:?}"
    );
    client.refused("START hunter plugin=striker", "sim/player");
    // What the plugin's schema forbids in a file, it forbids here.
    let wide = "params=\"{\\\"goal_width_m\\\": 5000}\"";
    for line in [
        format!("START a plugin=striker file=pioneer {wide}"),
        format!("EXCHANGE hunter plugin=striker {wide}"),
    ] {
        let said = client.fails(&line);
        assert!(said.contains("ERR plugin/bad-parameter ") && said.contains("goal_width_m: 5000"), "{said}");
    }
    client.ok("STEP 20");
    client.ok("STOP hunter");
    assert!(client.robots().is_empty());
}

/// SIGTERM: every client is told why, and the program ends well.
#[cfg(unix)]
#[test]
fn a_stopping_server_says_so() {
    let server = server("1");
    let mut client = Client::connect(&server);
    client.ok("ROBOT chaser file=pioneer");
    let mut quiet = Client::connect(&server);
    let outcome = server.end_by("TERM");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for client in [&mut client, &mut quiet] {
        assert!(client.notice().head.starts_with("CLOSE board/stopping "));
        assert!(client.message().is_none(), "the end");
    }
}
