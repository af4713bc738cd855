//! A session holds its bounds and its order, whatever the client and the program do. [C1, C2, C4]

use crate::common::{NOW_US, config};
use touchline_board::{FormattedSensor, Reply};
use touchline_board_server::testing::FakeServer;
use touchline_board_server::{Door, Incoming, Limits, Session, SessionConfig, Ticket};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_sim::Action;
use touchline_sim::scenario::Limits as Table;

fn session_of(limits: Limits) -> Session {
    let mut session = Session::new(SessionConfig { limits, ..config(Door::Open) });
    take(&mut session);
    session
}

fn server(limits: Limits) -> FakeServer {
    let mut server = FakeServer::new(SessionConfig { limits, ..config(Door::Open) }, NOW_US);
    take(server.session());
    server
}

fn words(incoming: &[Incoming]) -> Vec<&str> {
    incoming.iter().map(|incoming| incoming.command.word).collect()
}

fn take(session: &mut Session) -> String {
    let text = String::from_utf8(session.output().to_vec()).unwrap();
    session.consume_output(text.len());
    text
}

fn requests(session: &mut Session) -> Vec<Incoming> {
    std::iter::from_fn(|| session.next_request(NOW_US)).collect()
}

#[test]
fn answers_go_out_in_the_order_of_the_commands_whoever_is_ready_first() {
    let mut session = session_of(Limits::default());
    session.receive(b"#a STATUS\n#b LIST\nHELP BYE\n#c SCORE\n", NOW_US);
    let [a, b, c] = requests(&mut session).try_into().unwrap();
    session.answer(c.ticket, &Reply::error("x/c", "third"));
    session.answer_ok(b.ticket);
    session.answer_ok(b.ticket);
    assert_eq!(take(&mut session), "", "the first is not ready");
    session.answer_ok(a.ticket);
    let text = take(&mut session);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[..3], ["#a OK STATUS", "#b OK LIST", "OK HELP lines=2"]);
    assert_eq!(lines.last(), Some(&"#c ERR x/c \"third\""));
}

#[test]
fn a_client_that_asks_faster_than_it_is_answered_waits() {
    let mut session = session_of(Limits { pending: 3, ..Limits::default() });
    session.receive(b"STATUS\nSTATUS\nSTATUS\nSTATUS\nLIST\n", NOW_US);
    let first = requests(&mut session);
    assert_eq!((first.len(), session.wants_input()), (3, false));
    session.answer_ok(first[0].ticket);
    assert_eq!(requests(&mut session).len(), 1);
    for ticket in [1, 2, 3].map(Ticket) {
        session.answer_ok(ticket);
    }
    assert_eq!(words(&requests(&mut session)), ["LIST"]);
    assert!(session.wants_input());
}

#[test]
fn a_client_that_does_not_read_gets_no_pushes_and_is_dropped_in_the_end() {
    let mut server = server(Limits { output_bytes: 200, push_bytes: 200, ..Limits::default() });
    server.session().receive(b"PUSH blue-1 10 *\nGET blue-1 *\nGET blue-1 *\n", NOW_US);
    server.serve(NOW_US);
    let session = server.session();
    assert!(session.output().len() > 200 && !session.wants_input());
    assert_eq!(session.due_push(NOW_US + 1_000_000), None, "unread output: newest wins later");
    assert_eq!(session.next_push_us(), None, "nothing to wait for but that it reads");
    // What it did not read is not kept without end.
    for _ in 0..200 {
        let state = session.state(1, 1, 0, 0);
        session.push(state, 1);
        session.robot_gone(1, "x");
        session.receive(b"STATUS\n", NOW_US);
    }
    assert!(session.output().len() < 16 * 200 + 4096, "{}", session.output().len());
    let mut flood = session_of(Limits { output_bytes: 10, pending: 1000, ..Limits::default() });
    flood.receive(&b"STATUS\n".repeat(100), NOW_US);
    let all = requests(&mut flood);
    for incoming in all {
        flood.answer(incoming.ticket, &Reply::ok().with("text", "0123456789"));
    }
    assert!(flood.is_closing());
    assert!(take(&mut flood).ends_with("CLOSE board/too-slow \"you do not read what is sent to you\"\n"));
}

/// C4, S6: one reply may be as long as a large image is, pushed or asked for; what is unread when the next one comes, counts.
#[test]
fn a_long_reply_is_no_offence() {
    let image = vec![0xff_ff_ff; 1000];
    let feature = Feature::new("image", vec![Field::unsigned("pixels", "rgb", 1.0, &[10, 100])]);
    let formatted = FormattedSensor::new(&Layout { features: vec![feature] }, &image);
    let mut session = session_of(Limits { output_bytes: 20, ..Limits::default() });
    let _ = take(&mut session);
    let state = |session: &Session, step| {
        let mut state = session.state(1, step, 0, step);
        state.sensor("camera", &formatted, 0);
        state
    };
    session.receive(b"GET 1 *\nGET 1 *\n", NOW_US);
    for step in 1..3 {
        let asked = session.next_request(NOW_US).unwrap();
        let state = state(&session, step);
        session.answer(asked.ticket, &state.into_reply());
        assert!(!session.is_closing() && session.output().len() > 16 * 20);
        assert!(session.next_request(NOW_US).is_none(), "the next is taken when this has been sent");
        assert!(take(&mut session).ends_with(" 16777215\n"));
    }
    session.receive(b"PUSH 1 20 *\n", NOW_US);
    let asked = requests(&mut session);
    let reply = session.begin_push(1, Vec::new(), 20_000, NOW_US);
    session.answer(asked[0].ticket, &reply);
    for step in 3..6 {
        let _ = take(&mut session);
        session.push(state(&session, step), 1);
        assert!(!session.is_closing() && session.output().len() > 16 * 20);
    }
    // Who does not read is dropped all the same.
    session.push(state(&session, 6), 1);
    assert!(session.is_closing());
}

/// A reply that is longer than one may be is not kept, and the connection goes on; what one took is given back when it is sent.
#[test]
fn a_reply_has_a_longest_length() {
    let mut session =
        session_of(Limits { table: Table { reply_bytes: 200, ..Table::default() }, ..Limits::default() });
    session.receive(b"#a STATUS\n#b STATUS\n#c STATUS\n", NOW_US);
    let [a, b, c] = requests(&mut session).try_into().unwrap();
    let long = Reply::ok().with("text", "x".repeat(300).as_str());
    session.answer(b.ticket, &long);
    session.answer(a.ticket, &long);
    session.answer_ok(c.ticket);
    let text = take(&mut session);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("#a ERR board/too-much got=3") && lines[0].contains("limit=200"), "{text}");
    assert!(lines[1].starts_with("#b ERR board/too-much"), "{text}");
    assert_eq!(lines[2], "#c OK STATUS");
}

/// Sensors of more integers than a reply may have are refused before anything is generated, asked for or pushed.
#[test]
fn a_reply_has_so_many_integers() {
    let mut server =
        server(Limits { table: Table { reply_integers: 8, ..Table::default() }, ..Limits::default() });
    server.session().receive(b"GET blue-1 *\nPUSH blue-1 10 *\nGET blue-1 laser\n", NOW_US);
    server.serve(NOW_US);
    let text = take(server.session());
    let lines: Vec<_> = text.lines().collect();
    for line in &lines[..2] {
        assert!(line.starts_with("ERR board/too-much got=9 limit=8 "), "{text}");
    }
    assert!(lines[2].starts_with("OK GET robot="), "{text}");
    assert_eq!(server.session().next_push_us(), None);
}

/// More lines than are taken at once wait for their time.
#[test]
fn a_flood_waits() {
    let mut session = session_of(Limits::default());
    session.receive(&b"\n".repeat(9_999), NOW_US);
    session.receive(b"STATUS\nLIST\n", NOW_US);
    assert!(requests(&mut session).is_empty() && !session.wants_input());
    let requests_at = |session: &mut Session, now_us| {
        words(&std::iter::from_fn(|| session.next_request(now_us)).collect::<Vec<_>>()).join(" ")
    };
    assert_eq!(requests_at(&mut session, NOW_US + 499_000), "");
    assert_eq!(requests_at(&mut session, NOW_US + 500_000), "STATUS");
    assert_eq!(requests_at(&mut session, NOW_US + 500_100), "LIST");
    assert!(session.wants_input());
}

/// C4: who reads slowly gets something of each robot in turn, and nothing is made up for.
#[test]
fn a_slow_client_is_pushed_each_robot_in_turn() {
    let mut server = server(Limits { push_bytes: 0, ..Limits::default() });
    server.session().receive(b"ROBOT two file=pioneer\n", NOW_US);
    server.answer(NOW_US);
    take(server.session());
    server.session().receive(b"PUSH blue-1 10 laser\nPUSH two 10 laser\n", NOW_US);
    server.answer(NOW_US);
    let session = server.session();
    let _ = take(session);
    let mut pushed = Vec::new();
    for late in 1..=4 {
        let due = session.due_push(NOW_US + late * 50_000).unwrap();
        let state = session.state(due.robot, late, 0, NOW_US + late);
        session.push(state, due.robot);
        assert_eq!(session.due_push(NOW_US + late * 50_000), None, "one is on its way");
        let _ = take(session);
        pushed.push(due.robot);
    }
    assert_eq!(pushed, [pushed[0], pushed[1], pushed[0], pushed[1]]);
    assert_ne!(pushed[0], pushed[1]);
}

#[test]
fn pushes_come_at_their_period() {
    let mut server = server(Limits::default());
    server.session().receive(b"PUSH blue-1 20 laser\n", NOW_US);
    server.answer(NOW_US);
    let session = server.session();
    assert_eq!(session.next_push_us(), Some(NOW_US));
    assert!(session.due_push(NOW_US).is_some());
    assert_eq!(session.due_push(NOW_US), None);
    assert_eq!(session.next_push_us(), Some(NOW_US + 20_000));
    // After a pause of the program there is one, not many, and the beat is kept.
    assert!(session.due_push(NOW_US + 70_000).is_some());
    assert_eq!(session.due_push(NOW_US + 70_000), None);
    assert_eq!(session.next_push_us(), Some(NOW_US + 80_000));
}

/// C4: time that goes back is time that passes; there the beat begins anew.
#[test]
fn pushes_come_while_time_goes_back() {
    let mut server = server(Limits::default());
    server.session().receive(b"PUSH blue-1 20 laser\n", NOW_US);
    server.answer(NOW_US);
    let session = server.session();
    let mut is_due = |now_us: u64| session.due_push(now_us).is_some();
    assert!(is_due(NOW_US) && !is_due(NOW_US + 15_000) && is_due(NOW_US + 20_000));
    assert!(!is_due(NOW_US + 10_000), "less than a period back");
    assert!(is_due(NOW_US) && !is_due(NOW_US - 10_000) && is_due(NOW_US - 20_000));
    // A reset, to a time that is on no beat.
    let start = NOW_US % 20_000 + 5_000;
    assert!(is_due(start) && !is_due(start) && !is_due(start + 10_000) && is_due(start + 20_000));
}

#[test]
fn bad_lines_end_the_connection_and_good_ones_between_them_do_not() {
    let mut session = session_of(Limits { bad_lines: 3, ..Limits::default() });
    session.receive(b"?\n?\nSYNC 1\n?\n?\n", NOW_US);
    requests(&mut session);
    assert!(!session.is_closing());
    session.receive(b"?\nSTATUS\n", NOW_US);
    assert!(requests(&mut session).is_empty());
    assert!(session.is_closing() && !session.wants_input());
    assert!(
        take(&mut session).ends_with("CLOSE board/too-many-errors \"3 bad lines one after the other\"\n")
    );
}

#[test]
fn too_many_bytes_at_once_end_the_connection() {
    let mut session = session_of(Limits { input_bytes: 1000, line_bytes: 100, ..Limits::default() });
    session.receive(&b"STATUS\n".repeat(100), NOW_US);
    assert!(!session.is_closing());
    session.receive(&b"STATUS\n".repeat(100), NOW_US);
    assert!(session.is_closing());
}

#[test]
fn a_robot_file_that_is_too_long_is_passed_over_and_refused() {
    let mut session = session_of(Limits { robot_bytes: 20, ..Limits::default() });
    session.receive(b"ROBOT a lines=3\nfirst = 1\nsecond = 2\nBYE\nSTATUS\n", NOW_US);
    let got = requests(&mut session);
    assert_eq!(words(&got), ["STATUS"]);
    assert!(take(&mut session).starts_with("ERR board/file-too-long limit=20 "));
}

#[test]
fn bye_and_the_end_of_input_wait_for_the_answers() {
    for bye in [true, false] {
        let mut session = session_of(Limits::default());
        session.receive(b"STATUS\n", NOW_US);
        if bye {
            session.receive(b"BYE\nLIST\n", NOW_US);
        } else {
            session.input_ended();
        }
        let [status] = requests(&mut session).try_into().unwrap();
        assert!(!session.is_closing() && !session.wants_input());
        session.answer_ok(status.ticket);
        assert!(session.is_closing());
        assert_eq!(take(&mut session), if bye { "OK STATUS\nOK BYE\n" } else { "OK STATUS\n" });
    }
}

/// C2: a robot is the connection's own from the tick it is made until it goes.
#[test]
fn own_robots_are_known_by_name_and_number() {
    let mut server = server(Limits::default());
    let mut say = |line: &str| {
        server.session().receive(format!("{line}\n").as_bytes(), NOW_US);
        server.answer(NOW_US);
        let own: Vec<u32> = server.session().own_robots().collect();
        (take(server.session()), own)
    };
    // The command after it waits until it is made.
    let made = say("ROBOT a file=pioneer\nTURN me 1");
    assert_eq!(made, ("OK ROBOT robot=2 name=a\nOK TURN\n".into(), vec![2]));
    // Names are as they are written, and others' robots are not driven.
    let (text, _) = say("TURN 2 1\nTURN A 1\nTURN 1 1");
    let first: Vec<&str> = text.lines().map(|line| line.split(' ').take(2).last().unwrap()).collect();
    assert_eq!(first, ["TURN", "board/not-yours", "board/not-yours"]);
    // A robot that was refused is not its own.
    let (text, own) = say("ROBOT b file=zeppelin\nTURN b 1");
    assert!(text.contains("ERR board/not-yours robot=b ") && own == [2], "{text}");
    server.session().robot_gone(6, "somebody else's");
    assert_eq!(take(server.session()), "");
    server.session().robot_gone(2, "its motion model failed");
    assert_eq!(take(server.session()), "GONE robot=2 \"its motion model failed\"\n");
    assert_eq!(server.session().own_robots().count(), 0);
}

/// Who sends a line without an end is told at once, costs no more than a line, and is sent away. (C1)
#[test]
fn a_line_that_does_not_end_is_told_at_once_and_ends_the_connection() {
    let limits = Limits::default();
    let mut session = session_of(limits.clone());
    session.receive(b"HELP\n", NOW_US);
    assert!(requests(&mut session).is_empty() && take(&mut session).starts_with("OK HELP "));
    session.receive(&vec![b'x'; limits.line_bytes + 2], NOW_US);
    assert!(requests(&mut session).is_empty());
    let told = take(&mut session);
    assert!(told.starts_with("ERR board/line-too-long limit=4096 ") && told.lines().count() == 1, "{told}");
    let mut sent = 0;
    while !session.is_closing() {
        assert!(session.wants_input() && sent <= limits.input_bytes, "{sent}");
        session.receive(&[b'x'; 8192], NOW_US);
        assert!(requests(&mut session).is_empty());
        sent += 8192;
    }
    assert_eq!(take(&mut session), "CLOSE board/line-too-long \"a line does not end\"\n");
}

/// What a browser can be made to send ends the connection before any of its body is carried out. (C4)
#[test]
fn nothing_of_a_browsers_request_is_carried_out() {
    let body = "HELLO 1 evil role=operator\r\nPAUSE\r\nRESET\r\n";
    let long = "x".repeat(10_000);
    let requests_of_pages = [
        (format!("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n{body}"), "board/http"),
        (format!("GET /STATUS HTTP/1.1\r\n\r\n{body}"), "board/http"),
        // Its version is in the part of the line that is dropped.
        (format!("POST /{long} HTTP/1.1\r\nHost: localhost\r\n\r\n{body}"), "board/line-too-long"),
        (format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{body}"), "board/http"),
        // Of HTTP/0.9, and of a request whose first line was lost on the way.
        (format!("GET /\r\n{body}"), "board/http"),
        (format!("Host: localhost\r\n\r\n{body}"), "board/http"),
        // A TLS greeting of 266 bytes: its first bytes are UTF-8, and its session number may be somebody's text.
        (format!("\x16\x03\x01\x01\n\n{body}"), "board/not-text"),
        (format!("\0\0{body}"), "board/not-text"),
    ];
    for (request, code) in requests_of_pages {
        // However it is cut into packets.
        for packet in [1, 7, 1000, request.len()] {
            let mut session = session_of(Limits::default());
            for part in request.as_bytes().chunks(packet) {
                session.receive(part, NOW_US);
                assert!(requests(&mut session).is_empty(), "{code}");
            }
            assert!(session.is_closing(), "{code}");
            assert!(take(&mut session).starts_with(&format!("CLOSE {code} ")), "{code}");
        }
    }
    let mut tls = session_of(Limits::default());
    tls.receive(b"\x16\x03\x01\x02\x00\x01\xfc\x03\x03\xff\nPAUSE\n", NOW_US);
    assert!(requests(&mut tls).is_empty() && tls.is_closing());
}

/// Who has shown that he speaks the protocol may mistype; a line of HTTP ends it all the same. (C4)
#[test]
fn a_client_may_mistype() {
    let mut session = session_of(Limits::default());
    session.receive(b"HELO 1 rosie\nHELLO 1 rosie\n\xff\xfe\n\x01\nSTATUS\n", NOW_US);
    assert_eq!(words(&requests(&mut session)), ["STATUS"]);
    session.receive(b"GET / HTTP/1.1\nPAUSE\n", NOW_US);
    assert!(requests(&mut session).is_empty() && session.is_closing());
}

/// P1: whose player has a process of its own, there the one that comes in its place is made in such a process, ahead of time as well.
#[test]
fn an_exchanged_player_stays_in_a_process_of_its_own() {
    let door = Door::Open;
    let mut server = FakeServer::new(config(door), NOW_US);
    server.session().receive(
        b"HELLO 1 desk role=operator\nEXCHANGE blue-1 plugin=striker\nSTART a plugin=striker file=pioneer\n",
        NOW_US,
    );
    server.serve(NOW_US);
    let isolated: Vec<bool> = server
        .actions()
        .iter()
        .map(|action| match action {
            Action::ExchangePlayer(1, player) | Action::AddRobot { player: Some(player), .. } => {
                player.choice.isolate
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(isolated, [true, false]);
}
