//! A player against what a server tells: its own law of sight, and datagrams of the protocol.

use crate::{Coach, Located, Mark, Player, Team, locate, play};
use std::f64::consts::{PI, TAU};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_plugin_api::noise::NoiseKey;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::landmarks;
use touchline_soccer_law::player_type::PlayerType;
use touchline_soccer_law::sight::Viewer;

/// What the server's eyes make of the landmarks, in the narrow view; its frame is y down and clockwise.
fn seen(true_pose: Located, step: u64) -> Vec<Mark> {
    let server = ServerParams::today();
    let kind = PlayerType::default_of(&server);
    let [x, y] = true_pose.place;
    let viewer = Viewer {
        pos: [x, -y],
        vel: [0.0; 2],
        face_rad: -true_pose.face_rad,
        view_angle_rad: PI / 3.0,
        is_high: true,
        is_gaussian: false,
        focus: [x, -y],
        has_lengths: true,
        kind: &kind,
        noise: NoiseKey::for_owner(1, "eyes").at_step(step),
    };
    let marks = landmarks(server.goal_width).into_iter().enumerate().filter_map(|(number, landmark)| {
        let [x, y] = landmark.place;
        let sighting = viewer.landmark([x, -y], number as u64, &server)?;
        // As it is printed: whole degrees.
        let direction_deg = sighting.dir_rad.to_degrees().round();
        Some(Mark {
            place: landmark.place,
            distance_m: sighting.dist?,
            direction_rad: -direction_deg.to_radians(),
        })
    });
    marks.collect()
}

/// From everywhere on the pitch, looking anywhere: rounded distances and directions tell the place within a metre nearly always.
#[test]
fn landmarks_tell_the_place() {
    let mut draw = NoiseKey::for_owner(7, "places").stream();
    let (mut far, mut worst, mut count) = (0, 0.0f64, 0);
    for step in 0..4000 {
        let place = [draw.uniform(-52.0, 52.0), draw.uniform(-33.0, 33.0)];
        let truth = Located { place, face_rad: draw.uniform(-PI, PI) };
        let Some(found) = locate(&seen(truth, step)) else { continue };
        let [x, y] = [0, 1].map(|axis| found.place[axis] - truth.place[axis]);
        let (off_m, off_rad) = (libm::hypot(x, y), wrap_angle(found.face_rad - truth.face_rad).abs());
        far += u32::from(off_m > 1.0);
        worst = worst.max(off_m);
        count += 1;
        assert!(off_m < 5.0 && off_rad < 0.15, "{off_m} m, {off_rad} rad off at {truth:?}");
    }
    assert!(count > 3800 && far < count / 50, "{far} of {count} are farther than a metre off; {worst} m");
}

/// With exact numbers the place is exact.
#[test]
fn exact_marks_tell_it_exactly() {
    let truth = Located { place: [10.0, -20.0], face_rad: 2.5 };
    let mark = |place: [f64; 2]| {
        let [x, y] = [0, 1].map(|axis| place[axis] - truth.place[axis]);
        let direction_rad = wrap_angle(libm::atan2(y, x) - truth.face_rad);
        Mark { place, distance_m: libm::hypot(x, y), direction_rad }
    };
    let found = locate(&[mark([0.0, 34.0]), mark([-52.5, 0.0]), mark([0.0, 0.0])]).unwrap();
    assert!((found.place[0] - 10.0).abs() < 1e-9 && (found.place[1] + 20.0).abs() < 1e-9, "{found:?}");
    assert!((found.face_rad - 2.5).abs() < 1e-9);
    assert_eq!(locate(&[mark([0.0, 0.0])]), None);
    assert_eq!(locate(&[mark([0.0, 0.0]), mark([0.0, 0.0])]), None);
}

fn seated(side: &str, unum: u32) -> Player {
    let mut player = Player::new("Reds", unum == 1);
    player.told(&format!("(init {side} {unum} before_kick_off)")).unwrap();
    player
}

/// Both teams see the same flags; each places itself in its own half, where a server takes coordinates in the team's frame.
#[test]
fn before_the_kick_off_it_goes_to_its_place() {
    for side in ["l", "r"] {
        let mut player = seated(side, 9);
        player.told("(sense_body 0 (view_mode high narrow) (stamina 8000 1 130600) (speed 0 0) (head_angle 0) (tackle (expires 0) (count 0)))").unwrap();
        let answer =
            player.told("(see 0 ((f c) 20 0) ((f c t) 39.4 -60) ((f c b) 39.4 60))").unwrap().unwrap();
        let place = answer.strip_prefix("(move ").unwrap_or_else(|| panic!("{answer}"));
        assert!(place.starts_with('-'), "{side}: in the own half: {answer}");
    }
}

/// A striker before an empty goal kicks at it, left and right: angles go clockwise on the wire.
#[test]
fn it_shoots_at_the_goal() {
    for (side, goal, flags) in [
        ("l", "g r", "((f g r t) 12.1 -35) ((f g r b) 12.1 35)"),
        ("r", "g l", "((f g l b) 12.1 -35) ((f g l t) 12.1 35)"),
    ] {
        let mut player = seated(side, 9);
        player.told("(hear 10 referee play_on)").unwrap();
        player.told("(sense_body 10 (view_mode high narrow) (stamina 8000 1 130600) (speed 0 0) (head_angle 0) (tackle (expires 0) (count 0)))").unwrap();
        let answer =
            player.told(&format!("(see 10 (({goal}) 10 0) {flags} ((b) 0.7 0 0 0))")).unwrap().unwrap();
        let kick = answer.strip_prefix("(kick ").unwrap_or_else(|| panic!("{side}: {answer}"));
        let mut numbers =
            kick.split(')').next().unwrap().split(' ').map(|number| number.parse::<f64>().unwrap());
        assert!(numbers.next().unwrap() > 50.0 && numbers.next().unwrap().abs() < 45.0, "{side}: {answer}");
        let here = player.located().unwrap();
        let x = if side == "l" { 42.5 } else { -42.5 };
        assert!((here.place[0] - x).abs() < 0.3 && here.place[1].abs() < 0.3, "{here:?}");
    }
}

/// In a shoot-out each kick of its team has another taker: who has kicked goes back to the circle, and kicks of the others do not count.
#[test]
fn it_takes_one_kick_of_a_shoot_out() {
    for (side, other, goal, flags) in [
        ("l", "r", "g r", "((f g r t) 12.1 -35) ((f g r b) 12.1 35)"),
        ("r", "l", "g l", "((f g l b) 12.1 -35) ((f g l t) 12.1 35)"),
    ] {
        let mut player = seated(side, 9);
        let mut answer_in = |words: &[String]| {
            for word in words {
                player.told(&format!("(hear 10 referee {word})")).unwrap();
            }
            player.told("(sense_body 10 (view_mode high narrow) (stamina 8000 1 130600) (speed 0 0) (head_angle 0) (tackle (expires 0) (count 0)))").unwrap();
            player.told(&format!("(see 10 (({goal}) 10 0) {flags} ((b) 5 0 0 0))")).unwrap().unwrap()
        };
        let setup = format!("penalty_setup_{side}");
        for words in [&["penalty_miss_", "penalty_setup_", "penalty_score_"][..], &[]] {
            let mut words: Vec<String> = words.iter().map(|word| format!("{word}{other}")).collect();
            words.push(setup.clone());
            let answer = answer_in(&words);
            assert!(answer.starts_with("(dash "), "{side}: to the ball: {answer}");
        }
        let answer = answer_in(&[format!("penalty_taken_{side}"), format!("penalty_score_{side}"), setup]);
        assert!(answer.starts_with("(turn "), "{side}: back to the circle: {answer}");
    }
}

/// Without the ball it turns until it has seen all round; a server that waits gets its answer in any case.
#[test]
fn a_lost_ball_is_looked_for() {
    let mut player = seated("l", 6);
    player.told("(server_param (synch_mode 1))").unwrap();
    player.told("(hear 10 referee play_on)").unwrap();
    assert_eq!(player.told("(think)").unwrap().unwrap(), "(done)", "it knows nothing yet");
    player.told("(see 10 ((f c) 20 0) ((f c t) 39.4 -60))").unwrap();
    let answer = player.told("(think)").unwrap().unwrap();
    assert!(answer.starts_with("(turn ") && answer.ends_with("(done)"), "{answer}");
}

/// Whatever comes: no panic, and in a game whose steps wait an answer to each think.
#[test]
fn it_survives_what_no_server_says() {
    let mut draw = NoiseKey::for_owner(3, "garbage").stream();
    let words = [
        "(",
        ")",
        "see",
        "sense_body",
        "b",
        "nan",
        "1e999",
        "-",
        "\"",
        "p",
        "((b) 1 2)",
        "player_type",
        "(id 4000000000)",
        "init",
        "l",
        " ",
    ];
    for _ in 0..3000 {
        let mut player = seated("r", 3);
        let mut coach = Coach::new("Reds");
        let count = draw.uniform(1.0, 40.0) as usize;
        let text: String =
            (0..count).flat_map(|_| [words[draw.uniform(0.0, words.len() as f64) as usize], " "]).collect();
        let _ = player.told(&format!("({text}"));
        let _ = coach.told(&format!("({text}"));
        player.told("(server_param (synch_mode 1)(ball_decay 7)(player_decay -3))").unwrap();
        assert!(player.told("(think)").unwrap().unwrap().ends_with("(done)"));
    }
    let deep = format!("(see 1 {}{})", "(".repeat(4000), ")".repeat(4000));
    assert_eq!(seated("l", 2).told(&deep).unwrap(), None);
}

/// After its own red card the game is over for a player, which its server closes; others' cards, and its number in the other team, are not its own.
#[test]
fn a_red_card_ends_the_players_game() {
    let mut player = seated("l", 2);
    for word in ["red_card_l_3", "red_card_r_2", "yellow_card_l_2", "red_card_l_22"] {
        player.told(&format!("(hear 10 referee {word})")).unwrap();
        assert!(!player.is_over(), "{word}");
    }
    player.told("(hear 10 referee red_card_l_2)").unwrap();
    assert!(player.is_over());
}

#[test]
fn a_refusal_is_said() {
    let mut player = Player::new("Reds", false);
    let refused = player.told("(error no_more_team_or_player_or_goalie)").unwrap_err();
    assert!(refused.to_string().contains("no_more_team"), "{refused}");
}

/// The fastest types go to those who run most, each once; nobody gets a slower one than all have.
#[test]
fn the_coach_gives_the_fastest_types_to_the_forwards() {
    let mut coach = Coach::new("Reds");
    assert!(coach.told("(init l ok)").unwrap().is_empty());
    coach.told("(player_param (player_types 4)(subs_max 3))").unwrap();
    let of = |id: u32, rate: f64| {
        format!(
            "(player_type (id {id})(player_speed_max 1.05)(player_decay 0.4)(dash_power_rate {rate})(effort_max 1))"
        )
    };
    for (id, rate) in [(0, 0.006), (1, 0.005), (2, 0.0061)] {
        assert!(coach.told(&of(id, rate)).unwrap().is_empty());
    }
    let said = coach.told(&of(3, 0.0062)).unwrap();
    assert_eq!(said, ["(change_player_type 9 3)", "(change_player_type 10 2)"]);
    assert!(coach.is_done() && coach.told("(think)").unwrap() == ["(done)"]);
}

/// All round in seven cycles.
#[test]
fn a_turn_of_the_search_is_as_wide_as_the_view() {
    let mut player = seated("l", 6);
    player.told("(hear 10 referee play_on)").unwrap();
    let mut turned = 0.0;
    for cycle in 0..20 {
        let answer = player.told(&format!("(see {cycle} ((f c) 20 0) ((f c t) 39.4 -60))")).unwrap().unwrap();
        let degrees: f64 = answer["(turn ".len()..answer.find(')').unwrap()].parse().unwrap();
        turned += degrees.to_radians();
    }
    assert!(turned.abs() > 2.0 * TAU, "{turned}");
}

/// A server that answers every hello with `answer`, and a port where nobody is.
fn refusing(answer: &'static str) -> (std::net::SocketAddr, std::net::SocketAddr, std::net::UdpSocket) {
    let server = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let (at, nobody) = (server.local_addr().unwrap(), silent.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut datagram = [0; 999];
        while let Ok((_, from)) = server.recv_from(&mut datagram) {
            let _ = server.send_to(answer.as_bytes(), from);
        }
    });
    (at, nobody, silent)
}

/// A third team is told so at once: it waits for no coach, and complains of none.
#[test]
fn who_is_refused_waits_for_nobody() {
    let (players_at, nobody, _silent) = refusing("(error no_more_team)\0");
    let team = Team { name: "Reds".into(), players_at, coach_at: Some(nobody), players: 3 };
    let mut said = None;
    let ended = play(&team, |error| said = Some(error.to_string()));
    assert!(ended.unwrap_err().to_string().contains("no_more_team"));
    assert_eq!(said, None);
}
