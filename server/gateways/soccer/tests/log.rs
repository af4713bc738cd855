//! Game logs of every version: read, written byte by byte, and refused where they make no sense.
//!
//! The rows are of our own making, in the form of the server's; `real_logs` reads the server's own, where they are.

use std::path::Path;
use touchline_soccer::PlayMode;
use touchline_soccer::log::{GameLog, Record, Side, TextVersion, Version};

const V6: &str = "ULG6
(server_param (ball_decay 0.94)(game_log_dir \"./\")(half_time 300))
(player_param (player_types 18))
(player_type (id 0)(player_speed_max 1.05))
(playmode 1 kick_off_l)
(team 1 Reds Blues 0 2 1 0 3 4)
(show 1 ((b) 0 -12.5 0.25 -0) ((l 1) 7 0x9 -49.2762 1.5 0.1 0 -171.682 90 3.5 -2 (v h 180) (fp 1.5 -20) \
(s 7978.87 0.943149 1 130558) (f r 11) (c 1 2 3 4 5 6 7 8 9 10 11 12)) ((r 11) 0 0 33 -37 0 0 0 0 (v l 90) (fp 0 0) \
(s 8000 1 1 130600) (c 0 0 0 0 0 0 0 0 0 0 0 0)))
(msg 1 1 \"(result 200001010000 Reds_0-vs-Blues_2)\")
";

fn written(log: &GameLog, version: TextVersion) -> String {
    let mut out = Vec::new();
    log.write_text(version, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_log_of_text_is_written_as_it_was_read() {
    let log = GameLog::read(V6.as_bytes()).unwrap();
    assert_eq!(log.version, Version::Text(TextVersion::V6));
    let Record::Show(show) = &log.records[2] else { panic!("{:?}", log.records[2]) };
    let player = &show.players[0];
    assert_eq!((player.side, player.number, player.place()), (Side::Left, 1, 0));
    assert_eq!(player.motion, [-49.2762, 1.5, 0.1, 0.0]);
    assert_eq!(player.points_to, Some([3.5, -2.0]));
    assert_eq!(player.listens_to, Some((Side::Right, 11)));
    assert!(player.is_there() && !show.players[1].is_there());
    assert_eq!(show.players[1].place(), 21);
    assert!(matches!(&log.records[1], Record::Teams { teams, .. } if teams[1].penalties == Some([3, 4])));
    assert_eq!(written(&log, TextVersion::V6), V6);
}

/// Versions 5 and 4 have no focus, and one number less; version 4 has no capacity.
#[test]
fn older_versions_leave_out_what_they_do_not_know() {
    let log = GameLog::read(V6.as_bytes()).unwrap();
    let v5 = V6
        .replace("ULG6", "ULG5")
        .replace(" (fp 1.5 -20)", "")
        .replace(" (fp 0 0)", "")
        .replace(" 12))", "))")
        .replace("0 0 0 0 0 0 0 0 0 0 0 0)))", "0 0 0 0 0 0 0 0 0 0 0)))");
    assert_eq!(written(&log, TextVersion::V5), v5);
    let v4 = v5.replace("ULG5", "ULG4").replace(" 130558)", ")").replace(" 130600)", ")");
    assert_eq!(written(&log, TextVersion::V4), v4);
    assert_eq!(written(&GameLog::read(v4.as_bytes()).unwrap(), TextVersion::V4), v4);
}

#[test]
fn what_makes_no_sense_is_named_with_its_place() {
    let cases = [
        ("ULG6\n(show x)", "line 2, column 7: a whole number expected, found `x)`"),
        ("ULG6\n\n(playmode 3 kickoff)", "line 3, column 13: a play mode expected, found `kickoff)`"),
        ("ULG6\n(team 0 a b 0)", "line 2, column 14: a whole number expected, found `)`"),
        ("ULG6\n(show 1 ((b) 0 0 0 nan))", "line 2, column 20: a number expected, found `nan))`"),
        ("ULG6\n(show 1 ((b) 0 0 0 0) ((l 12) 0", "a number from 1 to 11 expected, found `12) 0`"),
        ("ULG6\n(msg 1 1 \"x\"", "line 2, column 13: ) expected, found the end of the line"),
        ("ULG6\n(playmode 1 play_on) (", "the end of the line expected, found `(`"),
        ("ULG6\n(smile)", "(show, (playmode, (team, (msg or parameters expected, found `(smile)`"),
        ("ULG7\n", "a game log of version 7; versions 1 to 6 and JSON are read"),
        ("hello", "it begins as no game log does"),
        ("[world]\nname = 1", "it begins as no game log does"),
        ("[{\"show\":{}}]", "missing field `time`"),
        ("[{\"playmode\":{\"time\":1,\"mode\":\"x\"}}]", "no play mode \"x\""),
        (
            "[{\"show\":{\"time\":1,\"ball\":{\"x\":0,\"y\":0,\"vx\":0,\"vy\":0},\"players\":[{\"side\":\"l\",\"unum\":12}]}}]",
            "a player 12; 1 to 11",
        ),
        ("ULG\u{3}\0\u{5}", "byte 6: the record is cut off"),
        ("ULG\u{2}\0\u{9}", "byte 4: no record has the mode 9"),
        ("ULG\u{9}", "a game log of version byte 9"),
    ];
    for (text, expected) in cases {
        let error = GameLog::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

/// Bytes of a log of each version with one bit flipped or the end cut off: an error or a log, and no panic.
#[test]
fn no_bytes_end_in_a_panic() {
    let mut binary = b"ULG\x03".to_vec();
    binary.extend([0, 5, 4, 0, 6]);
    binary.extend([0; 36]);
    binary.extend([0, 1]);
    binary.extend([7; 1428]);
    let json = br#"[{"team":{"time":1,"l":{"name":null,"score":0},"r":{"name":"B","score":1}}}]"#.to_vec();
    for whole in [V6.as_bytes().to_vec(), binary, json] {
        assert!(GameLog::read(&whole).is_ok());
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            let _ = GameLog::read(&flipped);
            let _ = GameLog::read(&whole[..at]);
        }
    }
}

/// The server's own logs of one game without players, in every version, tell the same.
#[test]
fn real_logs_of_all_versions_tell_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/rcss_samples");
    if !folder.is_dir() {
        eprintln!("skipped: no logs of the real server are at {}", folder.display());
        return;
    }
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let read = |name: &str| GameLog::read(&bytes(name)).unwrap();
    let v5 = read("null_40cycles_v5.rcg");
    assert_eq!(written(&v5, TextVersion::V5).as_bytes(), bytes("null_40cycles_v5.rcg"));
    let v6 = read("short_helios_3v3_40cycles_v6.rcg");
    assert_eq!(written(&v6, TextVersion::V6).as_bytes(), bytes("short_helios_3v3_40cycles_v6.rcg"));
    let v4 = bytes("null_40cycles_v4.rcg");
    let shows =
        |text: &str| text.lines().filter(|line| line.starts_with("(show")).map(str::to_owned).collect();
    let (ours, theirs): (Vec<String>, Vec<String>) =
        (shows(&written(&v5, TextVersion::V4)), shows(&String::from_utf8(v4).unwrap()));
    assert_eq!(ours, theirs);

    let poses = |log: &GameLog| -> Vec<(u32, [f64; 4], Vec<[f64; 4]>)> {
        let of_players =
            |show: &touchline_soccer::log::Show| show.players.iter().map(|player| player.motion).collect();
        log.shows().map(|show| (show.cycle, show.ball, of_players(show))).collect()
    };
    let modes = |log: &GameLog| -> Vec<(u32, PlayMode)> {
        let mode = |record: &Record| match record {
            Record::Mode { cycle, mode } => Some((*cycle, *mode)),
            _ => None,
        };
        log.records.iter().filter_map(mode).collect()
    };
    assert_eq!(v5.shows().count(), 39);
    for name in ["v1.rcg.gz", "v2.rcg.gz", "v3.rcg.gz", "v4.rcg", "v-1.rcg.gz"] {
        let log = read(&format!("null_40cycles_{name}"));
        let cycles = poses(&log);
        let same = cycles.iter().filter(|cycle| poses(&v5).contains(cycle)).count();
        assert_eq!(same, 39, "{name}: {:?}", log.version);
        assert!(
            modes(&log).ends_with(&modes(&v5)) || modes(&v5).ends_with(&modes(&log)),
            "{name}: {:?}",
            modes(&log)
        );
    }
    assert_eq!(
        read("null_40cycles_v-1.rcg.gz").shows().next(),
        v5.shows()
            .next()
            .map(|show| {
                let mut show = show.clone();
                for player in &mut show.players {
                    player.counts.push(0);
                }
                show
            })
            .as_ref()
    );
}
