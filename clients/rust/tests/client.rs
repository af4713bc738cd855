//! The client against the protocol's own server side, over a real socket. [C2-C5, C8]

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use touchline_board_server::testing::FakeServer;
use touchline_board_server::{Door, Limits, SessionConfig};
use touchline_client::data::{BallSighting, LaserScan};
use touchline_client::{Client, Error, Query, Role, Selection, Term};
use touchline_plugin_api::geometry::Twist2;
use touchline_sim::Action;

/// How far the server's clock is ahead of its own thread's start.
const SERVER_AHEAD_US: u64 = 3_600_000_000;

/// How long the server takes for an order of steps.
const STEPPING: Duration = Duration::from_secs(4);

/// What was carried out: all that was sent back, and all that reached the world.
struct Done {
    sent: String,
    actions: Vec<Action>,
}

/// Serves one connection to its end, and says what was carried out.
fn server() -> (SocketAddr, JoinHandle<Done>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (address, std::thread::spawn(move || serve(listener.accept().unwrap().0)))
}

fn serve(mut stream: TcpStream) -> Done {
    let origin = Instant::now();
    let now_us = || SERVER_AHEAD_US + origin.elapsed().as_micros() as u64;
    let config = SessionConfig {
        server_version: "0.1.0".into(),
        door: Door::Open,
        peer: [127, 0, 0, 1].into(),
        limits: Limits::default(),
    };
    let mut fake = FakeServer::new(config, now_us());
    let mut all = String::new();
    // Pushes are looked after when nothing comes.
    stream.set_read_timeout(Some(Duration::from_millis(2))).unwrap();
    let mut buffer = [0; 4096];
    loop {
        fake.serve(now_us());
        let session = fake.session();
        let sent = session.output().len();
        all.push_str(&String::from_utf8_lossy(session.output()));
        if stream.write_all(session.output()).is_err() || session.is_closing() {
            return Done { sent: all, actions: fake.actions() };
        }
        session.consume_output(sent);
        match stream.read(&mut buffer) {
            Ok(0) => session.input_ended(),
            Ok(len) => {
                // Many steps take longer than the stand-in needs.
                if buffer[..len].starts_with(b"STEP") {
                    std::thread::sleep(STEPPING);
                }
                session.receive(&buffer[..len], now_us());
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return Done { sent: all, actions: fake.actions() },
        }
    }
}

fn connect(address: SocketAddr) -> Client {
    Client::builder()
        .name("chaser")
        .team("yellow")
        .robot_text("model = \"x\"\n[motion]\nplugin = \"differential\"\n")
        .cycle(Duration::from_millis(5))
        .connect(address)
        .unwrap()
}

#[test]
fn a_client_joins_reads_drives_and_leaves() {
    let (address, server) = server();
    let began = Instant::now();
    let client = connect(address);
    let connect_secs = began.elapsed().as_secs_f64();
    assert_eq!((client.robot_number(), client.team()), (2, Some("yellow")));
    assert_eq!(client.description().motion.dimensions.len(), 2);
    assert_eq!(client.description().team, Some(1));

    let sensors = client.next_sensors().unwrap();
    assert_eq!((sensors.step(), sensors.sim_secs()), (120, 1.2));
    let ball: BallSighting = sensors.read(&Query::feature("ball")).unwrap().decode().unwrap();
    let ball = ball.ball.unwrap();
    assert!((ball.distance_m - 2.0).abs() < 1e-9 && (ball.bearing_rad + 0.25).abs() < 1e-9);
    let query = Query::feature("180DegreeScan").of_type("laser").of_model("LMS200");
    let scan: LaserScan = sensors.read(&query).unwrap().decode().unwrap();
    assert_eq!(scan.ranges_m, [0.812, 1.1, f64::INFINITY, 1.1, 0.812]);
    assert!(matches!(sensors.read(&Query::feature("puck")), Err(Error::NotFound(_))));

    // C3: stamps are in the client's own clock, though the server's is an hour ahead.
    let error_secs = client.clock().delay_us as f64 * 1e-6 + 1e-4;
    let offset_secs = client.clock().offset_us as f64 * 1e-6;
    assert!((offset_secs + SERVER_AHEAD_US as f64 * 1e-6).abs() < 60.0, "{offset_secs}");
    let stamp_secs = sensors.read(&query).unwrap().stamp_secs;
    // The server may have made its reading before the client began to count, but not before it was asked for a connection.
    let earliest_secs = -connect_secs - error_secs;
    assert!(stamp_secs > earliest_secs && stamp_secs < client.now_secs() + error_secs, "{stamp_secs}");
    assert!(client.next_sensors().unwrap().updates() > sensors.updates());

    client.twist(0.4, 0.0, -0.5).unwrap();
    client.drive(&[0.1, 0.2]).unwrap();
    match client.drive(&[0.1]) {
        Err(Error::Refused { code, .. }) => assert_eq!(code, "sim/wrong-dimensions"),
        other => panic!("{other:?}"),
    }
    client.manipulate("kicker", "kick", 0.5).unwrap();
    client.say("it is \"mine\"").unwrap();
    client.annotate("target", "{\"point\": [1, 2]}").unwrap();
    assert!(matches!(client.annotate("target", "{\n}"), Err(Error::BadText(_))));
    let heard = client.heard().unwrap();
    assert_eq!((heard[0].from_name.as_str(), heard[0].text.as_str()), ("blue-1", "free in the middle"));
    drop(client);

    let done = server.join().unwrap();
    let has = |action: Action| assert!(done.actions.contains(&action), "{action:?} in {:#?}", done.actions);
    has(Action::SetTwist(2, Twist2::new(0.4, 0.0, -0.5)));
    has(Action::Drive(2, vec![0.1, 0.2]));
    has(Action::Say(2, "it is \"mine\"".into()));
    has(Action::Annotate { robot: 2, key: "target".into(), value: "{\"point\": [1, 2]}".into() });
    // The stand-in takes no file without a motion model: it came whole.
    assert!(matches!(&done.actions[0], Action::AddRobot { name, team: Some(1), .. } if name == "chaser"));
}

#[test]
fn a_client_can_have_its_sensors_pushed() {
    let (address, server) = server();
    let client = Client::builder()
        .robot_named("pioneer")
        .push(true)
        .cycle(Duration::from_millis(2))
        .selection(Selection { terms: vec![Term::Named("camera.ball".into())] })
        .connect(address)
        .unwrap();
    let sensors = client.next_sensors().unwrap();
    assert!(sensors.read(&Query::feature("ball")).is_ok());
    assert!(matches!(sensors.read(&Query::feature("180DegreeScan")), Err(Error::NoReading(_))));
    drop(client);
    let done = server.join().unwrap();
    assert!(done.sent.contains("OK PUSH") && !done.sent.contains("OK GET"), "{}", done.sent);
}

/// C4, W6: without a cycle nothing is read but what is asked for, and that shows the commands before it.
#[test]
fn a_client_can_read_its_sensors_when_it_wants() {
    let (address, server) = server();
    let client = Client::builder().robot_named("pioneer").cycle(Duration::ZERO).connect(address).unwrap();
    assert_eq!(client.sensors().updates(), 0);
    assert!(matches!(client.next_sensors_within(Duration::from_millis(1)), Err(Error::Timeout(_))));
    let sensors = client.read_sensors().unwrap();
    assert_eq!((sensors.updates(), sensors.step()), (1, 120));
    let handle = client.description().sensors.find(&Query::feature("ball")).unwrap();
    assert!(sensors.reading(handle).is_ok());
    // What was given once is not given again.
    assert!(matches!(client.next_sensors_within(Duration::from_millis(1)), Err(Error::Timeout(_))));
    drop(client);
    server.join().unwrap();
}

/// C2, C4: the server also tells of other robots that this connection has made or pushed: they are not this client's.
#[test]
fn what_is_told_of_other_robots_is_passed_over() {
    let (address, server) = server();
    let client = Client::builder()
        .robot_named("pioneer")
        .role(Role::Operator)
        .cycle(Duration::ZERO)
        .connect(address)
        .unwrap();
    client.ask_line("PUSH 1 50 *").unwrap();
    client.ask_line("ROBOT second file=pioneer").unwrap();
    client.ask_line("REMOVE second").unwrap();
    // What came unasked stood before this answer, or is behind the one after it.
    client.ask_line("REMOVE blue-1").unwrap();
    client.ask_line("STATUS").unwrap();
    assert_eq!(client.ask_line("STATUS").unwrap().words, ["STATUS"]);
    assert_eq!(client.sensors().updates(), 0);
    client.ask_line(&format!("REMOVE {}", client.robot_number())).unwrap();
    let end = client.next_sensors_within(Duration::from_secs(60)).unwrap_err();
    assert!(matches!(&end, Error::Closed(reason) if reason == "the robot is gone: removed"), "{end}");
    drop(client);
    let sent = server.join().unwrap().sent;
    for told in ["STATE robot=1 ", "GONE robot=1 ", "GONE robot=3 ", "GONE robot=2 "] {
        assert!(sent.contains(told), "{told}: {sent}");
    }
}

/// C5: an order of many steps may take longer than any other answer.
#[test]
fn many_steps_have_more_time() {
    let (address, server) = server();
    let client = Client::builder()
        .robot_named("pioneer")
        .role(Role::Operator)
        .cycle(Duration::ZERO)
        .timeout(Duration::from_secs(3))
        .connect(address)
        .unwrap();
    assert_eq!(client.step(6000).unwrap(), 6120);
    assert!(matches!(client.step(1), Err(Error::Timeout(_))));
    drop(client);
    server.join().unwrap();
}

/// C1: any line can be asked; a line that gets no answer, or waits for more, is refused before it is sent.
#[test]
fn a_client_can_ask_any_line() {
    let (address, server) = server();
    let client = connect(address);
    assert_eq!(client.ask_line("#7 help turn").unwrap().lines.len(), 3);
    for line in ["", " ", "#7", "A\nB", "robot x lines=1 file=y"] {
        assert!(matches!(client.ask_line(line), Err(Error::BadText(_))), "{line:?}");
    }
    match client.ask_line("fly") {
        Err(Error::Refused { command, code, .. }) => {
            assert_eq!((command.as_str(), code.as_str()), ("FLY", "board/unknown-command"));
        }
        other => panic!("{other:?}"),
    }
    // The answers still find their questions.
    assert_eq!(client.ask_line("STATUS").unwrap().words, ["STATUS"]);
    drop(client);
    server.join().unwrap();
}

#[test]
fn whoever_waits_is_woken_by_the_end() {
    let (address, server) = server();
    let client = Client::builder().robot_named("pioneer").cycle(Duration::ZERO).connect(address).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| client.next_sensors_within(Duration::from_secs(600)));
        client.disconnect();
        assert!(matches!(waiting.join().unwrap(), Err(Error::Closed(_))));
    });
    assert!(matches!(client.say("hello"), Err(Error::Closed(_) | Error::Connection(_))));
    drop(client);
    server.join().unwrap();
}

#[test]
fn a_wrong_robot_file_is_refused_with_all_its_problems() {
    let (address, server) = server();
    match Client::builder().name("bad").robot_text("colour = 3").connect(address).err() {
        Some(Error::Refused { code, problems, .. }) => {
            assert_eq!((code.as_str(), problems.len()), ("config/bad-file", 2));
        }
        other => panic!("{other:?}"),
    }
    server.join().unwrap();
}

#[test]
fn a_server_that_goes_is_an_error_and_not_a_hang() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"SSH-2.0-x\n").unwrap();
    });
    let error = Client::builder().robot_named("x").connect(address).err().unwrap();
    assert!(matches!(error, Error::NotOurServer(_)), "{error}");
    server.join().unwrap();
    assert!(matches!(Client::builder().connect(address), Err(Error::NoRobot)));
    let missing = Client::builder().robot_file("/no/such/robot.toml").connect(address).err().unwrap();
    assert!(matches!(missing, Error::RobotFile { .. }), "{missing}");
    assert!(matches!(Client::builder().robot_named("x").connect(address), Err(Error::Connect { .. })));
}
