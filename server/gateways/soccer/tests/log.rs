//! Game logs of every version: read, written byte by byte, and refused where they make no sense.
//!
//! The rows are of our own making, in the form of the server's; `real_logs` reads the server's own, where they are.

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
    log.write(Version::Text(version), &mut out).unwrap();
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

/// The field's usual converter of logs writes side and number of the listened-to player without a space after `f`.
#[test]
fn what_the_usual_converter_writes_is_read() {
    let converted = V6.replace("(f r 11)", "(fr 11)");
    assert_eq!(
        GameLog::read(converted.as_bytes()).unwrap().records,
        GameLog::read(V6.as_bytes()).unwrap().records
    );
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
    binary.extend(*b"A\"\\\x01eds\0\0\0\0\0\0\0\0\0");
    binary.extend([0; 20]);
    binary.extend([0, 1]);
    binary.extend([7; 1428]);
    let json = br#"[{"team":{"time":1,"l":{"name":null,"score":0},"r":{"name":"B","score":1}}}]"#.to_vec();
    for whole in [V6.as_bytes().to_vec(), binary, json] {
        assert!(GameLog::read(&whole).is_ok());
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            let _ = GameLog::read(&whole[..at]);
            let Ok(log) = GameLog::read(&flipped) else { continue };
            // Whatever names and texts it has: what is written of it in forms that can hold them is read again.
            for number in [1, 2, 3, 6, -1] {
                let mut bytes = Vec::new();
                log.write(Version::from_number(number).unwrap(), &mut bytes).unwrap();
                let again = GameLog::read(&bytes);
                assert!(number == 6 || bytes.is_empty() || again.is_ok(), "{number}, byte {at}: {again:?}");
            }
        }
    }
}

/// The server's own logs of one game without players, in every version, tell the same.
#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn real_logs_of_all_versions_tell_the_same() {
    let folder = crate::samples::folder();
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

/// All that can be told in every version, in the form of the oldest: whole sixteenths and degrees.
const COMMON: &str = "ULG6
(server_param (goal_width 14.02)(half_time 2)(wind_none 1))
(playmode 1 kick_off_l)
(team 1 Reds Blues 0 0)
(show 1 ((b) 0 -12.5 0.25 -0.5) ((l 1) 7 0x9 -49.25 1.5 0.5 0 -171 90 (v h 180) (fp 0 0) (s 7978.5 0.5 1 130600) (c 1 2 3 4 5 6 7 8 0 0 0 0)) \
((r 11) 0 0x1 33 -37 0 0 45 0 (v l 90) (fp 0 0) (s 8000 1 1 130600) (c 0 0 0 0 0 0 0 0 0 0 0 0)))
(playmode 1 goal_r)
(team 1 Reds Blues 0 1)
(show 1 ((b) 0 0 0 0) ((l 1) 7 0x9 -49.25 1.5 0 0 -171 90 (v h 180) (fp 0 0) (s 7978.5 0.5 1 130600) (c 1 2 3 4 5 6 7 8 0 0 0 0)))
(msg 1 1 \"(result 200001010000 Reds_0-vs-Blues_1)\")
";

/// Issue of the league, number 7: a log written in a version and read again tells all that the version knows.
#[test]
fn every_version_is_written_and_read_again() {
    let log = GameLog::read(COMMON.as_bytes()).unwrap();
    for number in [1, 2, 3, 4, 5, 6, -1] {
        let version = Version::from_number(number).unwrap();
        let mut bytes = Vec::new();
        log.write(version, &mut bytes).unwrap();
        let again = GameLog::read(&bytes).unwrap();
        assert_eq!((again.version, again.records.len()), (version, log.records.len()), "{number}");
        for (read, written) in again.records.iter().zip(&log.records) {
            let (Record::Show(read), Record::Show(written)) = (read, written) else {
                assert_eq!(read, written, "{number}");
                continue;
            };
            assert_eq!(read.cycle, written.cycle, "{number}");
            let has_velocities = number == -1 || number >= 3;
            let numbers = if has_velocities { 4 } else { 2 };
            assert_eq!(read.ball[..numbers], written.ball[..numbers], "{number}");
            for written in &written.players {
                let read = read.players.iter().find(|player| player.place() == written.place()).unwrap();
                assert_eq!(read.motion[..numbers], written.motion[..numbers], "{number}");
                assert_eq!(read.state, written.state, "{number}");
                let error = (read.body_deg - written.body_deg).abs();
                assert!(error < 1e-3, "{number}: {error}");
                if has_velocities {
                    assert_eq!((read.stamina, read.kind), (written.stamina, written.kind), "{number}");
                    assert_eq!(read.counts[..8], written.counts[..8], "{number}");
                }
            }
        }
        let has_parameters = number == -1 || number >= 4;
        assert_eq!(again.parameters.is_empty(), !has_parameters, "{number}");
    }
    let json = |name: &str| log_in_json(&log).contains(name);
    // Numbers as numbers, flags as flags; the second show of a cycle says that the clock stands.
    assert!(
        json("\"half_time\":2,") && json("\"wind_none\":true,") && json("\"show\":{\"time\":1,\"stime\":1,")
    );
}

/// A log of JSON, or a binary one, may hold any text: what is written in text is read again, record by record.
#[test]
fn whatever_a_log_holds_can_be_read_in_text() {
    let json = r#"[
{"version":"19.0.0"},
{"server_param":{"half time (s)":300,"landmark_file":"a\"b)\n(c","list":["\")"],"half_time":300}},
{"team":{"time":0,"l":{"name":"Team A","score":1},"r":{"name":"B(x)\t\u2003\n\u0001","score":0}}},
{"msg":{"time":0,"board":1,"message":"first\n(playmode 0 play_on)"}},
{"msg":{"time":0,"board":1,"message":"say \"hi\")\r\n"}},
{"show":{"time":1,"ball":{"x":0,"y":0,"vx":0,"vy":0},"players":[]}}
]"#;
    let log = GameLog::read(json.as_bytes()).unwrap();
    for version in [TextVersion::V4, TextVersion::V5, TextVersion::V6] {
        let text = written(&log, version);
        let again = GameLog::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.records.len(), log.records.len(), "{text}");
        let Record::Teams { teams, .. } = &again.records[0] else { panic!("{text}") };
        assert_eq!(teams.each_ref().map(|team| team.name.as_deref()), [Some("Team_A"), Some("B_x_____")]);
        let messages = again.records.iter().filter_map(|record| match record {
            Record::Message { text, .. } => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(messages.collect::<Vec<_>>(), ["first (playmode 0 play_on)", "say \"hi\")  "]);
        let values = &again.parameters[0].values;
        assert_eq!(values.len(), 4, "{text}");
        assert!(values[0].0 == "half_time__s_" && values[3] == ("half_time".into(), "300".into()), "{text}");
    }
    let binary = b"ULG\x03\0\x02\0\x01\0\x0esay \"hi\"\nthere";
    let text = written(&GameLog::read(binary).unwrap(), TextVersion::V6);
    assert_eq!(text, "ULG6\n(msg 0 1 \"say \"hi\" there\")\n");
}

/// What the server's players cannot be is refused where it is read: no version of text could tell it.
#[test]
fn a_log_of_json_tells_of_players_that_there_can_be() {
    let player = |more: &str| {
        format!(
            r#"[{{"show":{{"time":1,"ball":{{"x":0,"y":0,"vx":0,"vy":0}},"players":[{{"side":"l","unum":1,"type":0,"state":1,"x":0,"y":0,"vx":0,"vy":0,"body":0,"neck":0{more}}}]}}}}]"#
        )
    };
    let read = |more: &str| GameLog::read(player(more).as_bytes());
    let log = read(r#","vq":"l","vw":90,"fside":"r","fnum":11"#).unwrap();
    assert!(GameLog::read(written(&log, TextVersion::V6).as_bytes()).is_ok());
    for (more, why) in [
        (r#","vq":"x","vw":90"#, "a view of quality \"x\"; h or l"),
        (r#","fside":"r","fnum":12"#, "a player 12; 1 to 11"),
    ] {
        let error = read(more).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// Counts of penalties are as large as a file says.
#[test]
fn any_penalties_are_written() {
    let text = "ULG6\n(team 0 A B 1 0 4294967295 1 0 0)\n";
    let json = log_in_json(&GameLog::read(text.as_bytes()).unwrap());
    assert!(json.contains("\"pen_score\":4294967295,\"pen_miss\":1"), "{json}");
    assert_eq!(json.matches("pen_score").count(), 1, "{json}");
    assert_eq!(written(&GameLog::read(json.as_bytes()).unwrap(), TextVersion::V6), text);
}

fn log_in_json(log: &GameLog) -> String {
    let mut bytes = Vec::new();
    log.write(Version::Json, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The real server's logs of one game, each read and written in its own version and in the others: byte by byte, but for what lay in its memory.
#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn real_logs_are_written_as_the_server_writes_them() {
    let folder = crate::samples::folder();
    let unpacked = |number: &str| {
        let bytes = std::fs::read(folder.join(format!("null_40cycles_v{number}.rcg.gz"))).unwrap();
        let mut unpacked = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut unpacked).unwrap();
        unpacked
    };
    let written = |log: &GameLog, version: Version| {
        let mut bytes = Vec::new();
        log.write(version, &mut bytes).unwrap();
        bytes
    };
    // JSON: all but the first objects, which say who wrote it and when.
    let theirs = String::from_utf8(unpacked("-1")).unwrap();
    let ours = String::from_utf8(written(&GameLog::read(theirs.as_bytes()).unwrap(), Version::Json)).unwrap();
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("{\"timestamp")).map(str::to_owned).collect()
    };
    assert_eq!(lines(&ours), lines(&theirs));

    // Version 1: records of 2052 bytes; a show fills 318 of them, a message ends at its NUL. Pads, goals of nobody (no team plays), and what a ball
    // has not, are whatever lay there.
    let lay_there = |at: usize| matches!(at, 3 | 20..22 | 38..48);
    let theirs = unpacked("1");
    let ours = written(&GameLog::read(&theirs).unwrap(), Version::V1);
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.chunks(2052).zip(theirs.chunks(2052)) {
        let is_show = theirs[1] == 1;
        let told = if is_show { 318 } else { 4 + theirs[4..].iter().position(|&byte| byte == 0).unwrap() };
        let told = ours[..told].iter().zip(&theirs[..told]).enumerate();
        let differ: Vec<usize> =
            told.filter(|(_, (ours, theirs))| ours != theirs).map(|(at, _)| at).collect();
        assert!(differ.iter().all(|&at| is_show && lay_there(at)), "{differ:?}");
    }

    // Version 2 from version 1, whose shows are the same.
    let (first, theirs) = (GameLog::read(&unpacked("1")).unwrap(), unpacked("2"));
    let ours = written(&first, Version::V2);
    let shows = |bytes: &[u8]| GameLog::read(bytes).unwrap().shows().cloned().collect::<Vec<_>>();
    assert_eq!(shows(&ours), shows(&theirs));
    let own = written(&GameLog::read(&theirs).unwrap(), Version::V2);
    assert_eq!(own.len(), theirs.len());
    let differ = (0..own.len()).filter(|&at| own[at] != theirs[at]);
    // Shows begin behind a head of 4 bytes, each with 2 of its own.
    let at_show = |at: usize| (at - 4) % 318;
    let differ: Vec<usize> = differ.filter(|&at| !lay_there(at_show(at))).collect();
    assert_eq!(differ, Vec::<usize>::new());

    // Version 3 from version 5, which tells the same of a game without players; types, and the seed that they come of, are others in each game.
    let v5 = GameLog::read(&std::fs::read(folder.join("null_40cycles_v5.rcg")).unwrap()).unwrap();
    let (ours, theirs) = (written(&v5, Version::V3), unpacked("3"));
    assert_eq!(ours.len(), theirs.len());
    assert_eq!(shows(&ours), shows(&theirs));
    let (types, shows_from) = (4 + 398 + 134, 4 + 398 + 134 + 18 * 90);
    let seed = types - 60..types - 56;
    let differ: Vec<usize> = (0..ours.len())
        .filter(|&at| ours[at] != theirs[at] && !(types..shows_from).contains(&at) && at < ours.len() - 40)
        .filter(|at| !seed.contains(at))
        // Pads are zeros here.
        .filter(|&at| ours[at] != 0)
        .collect();
    assert_eq!(differ, Vec::<usize>::new());
}
