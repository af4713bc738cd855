//! Conversations of real clients with the real server, said again to our sessions: what we send has, line by line, a form that was seen.

use crate::rig::Rig;
use crate::samples;
use std::collections::BTreeSet;
use touchline_soccer::sessions::Port;
use touchline_soccer_law::params::SoccerParams;

/// A message's form: numbers, texts between marks and the words of teams, widths and modes are all one.
fn form(message: &str) -> String {
    let mut form = String::new();
    let mut is_quoted = false;
    for word in message.split_inclusive([' ', '(', ')', '"']) {
        let (text, end) = word.split_at(word.len() - usize::from(word.ends_with([' ', '(', ')', '"'])));
        if is_quoted {
            form.push('T');
        } else if text.parse::<f64>().is_ok() {
            form.push('N');
        } else {
            form.push_str(match text {
                "high" | "low" => "QUALITY",
                "narrow" | "normal" | "wide" => "WIDTH",
                "l" | "r" => "SIDE",
                _ => text,
            });
        }
        form.push_str(end);
        if end == "\"" {
            is_quoted = !is_quoted;
        }
    }
    form
}

/// The forms of the groups that a message has one level below its own: of `see`, what is said of each thing.
fn groups(message: &str) -> BTreeSet<String> {
    let (mut depth, mut start, mut groups) = (0, 0, BTreeSet::new());
    for (place, c) in message.char_indices() {
        match c {
            '(' => {
                depth += 1;
                if depth == 2 {
                    start = place;
                }
            }
            ')' => {
                if depth == 2 {
                    groups.insert(form(&message[start..=place]));
                }
                depth -= 1;
            }
            _ => {}
        }
    }
    groups
}

fn word(message: &str) -> &str {
    message.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default()
}

/// A form with the landmark's name gone: what is said of any.
fn anything(group: &str) -> String {
    let (name, rest) = group.split_once(") ").unwrap_or(("", group));
    match name {
        "((p \"T\" N" | "((p \"T\" N goalie" => format!("((p \"T\" N) {rest}"),
        _ if name.starts_with("((p") => format!("{name}) {rest}"),
        _ if name.starts_with("((l") => format!("((l X) {rest}"),
        _ => format!("((X) {rest}"),
    }
}

/// Says what a client said, a cycle for each pair of lines, and looks at each line that comes back.
fn replay(name: &str, port: Port) {
    let conversation = samples::conversation(name);
    let theirs: Vec<&str> = conversation
        .iter()
        .filter(|line| !line.is_client)
        .map(|line| line.text.trim_end_matches("\\n"))
        .collect();
    let forms: BTreeSet<String> = theirs
        .iter()
        .filter(|text| {
            !["see", "see_global", "hear", "server_param", "player_param", "player_type"]
                .contains(&word(text))
        })
        .map(|text| form(text))
        .collect();
    let seen: BTreeSet<String> = theirs
        .iter()
        .filter(|text| word(text) == "see")
        .flat_map(|text| groups(text))
        .map(|group| anything(&group))
        .collect();
    let mut params = SoccerParams::today();
    params.server.coach_w_referee = port == Port::Trainer;
    let mut rig = Rig::new(params);
    // Players of the teams that they ask for.
    if port != Port::Player {
        rig.send(
            2,
            if port == Port::Coach { "(init HeliosA (version 18))" } else { "(init ggb-lib-A (version 16))" },
        );
        rig.send(
            3,
            if port == Port::Coach { "(init HeliosB (version 18))" } else { "(init ggb-lib-B (version 16))" },
        );
    }
    for (index, line) in conversation.iter().filter(|line| line.is_client).enumerate() {
        let mut bytes = line.text.replace("\\n", "\n").into_bytes();
        bytes.resize(bytes.len() + line.nuls.min(1), 0);
        if index < 40 {
            rig.send_bytes(port, 1, &bytes);
            rig.cycle();
        }
    }
    let ours = rig.told_to(1);
    assert!(ours.len() > 10, "{name}: {ours:?}");
    for text in &ours {
        match word(text) {
            // Byte by byte in the tests of parameters.
            "server_param" | "player_param" | "player_type" | "hear" | "see_global"
            | "change_player_type" => {}
            "see" => {
                for group in groups(text) {
                    let group = anything(&group);
                    assert!(seen.contains(&group), "{name}: no `{group}` in their views: {text}\n{seen:#?}");
                }
            }
            // Refusals that depend on the game, and what a game in synchronous mode says.
            "error" | "warning" | "think" => {}
            _ => {
                assert!(
                    forms.contains(&form(text.trim_end())),
                    "{name}: no form `{}`:\n{text}\n{forms:#?}",
                    form(text)
                )
            }
        }
    }
}

#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn players_of_all_ages_are_answered_in_their_forms() {
    for name in [
        "init_v7_puck.txt",
        "init_v9_krislet.txt",
        "init_v11_soccerpy.txt",
        "init_v15_wrighteagle_synch.txt",
        "init_v18_helios_goalie_synch.txt",
        "init_v18_pyrus_synch.txt",
    ] {
        replay(name, Port::Player);
    }
}

#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn coach_and_trainer_are_answered_in_their_forms() {
    replay("online_coach_v18_helios.txt", Port::Coach);
    replay("trainer_v16_ggb.txt", Port::Trainer);
}

/// Every line of sense_body of each version has one of the forms that are ours, and every one of ours was seen.
#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn bodies_are_sensed_in_the_captured_forms() {
    for (file, versions) in [("sense_body_v7_v9.txt", vec![7, 9]), ("sense_body_v15_v18.txt", vec![15, 18])] {
        let lines = samples::lines(file);
        let theirs: BTreeSet<String> = lines.iter().map(|line| form(line)).collect();
        for version in versions {
            let mut rig = Rig::new(SoccerParams::today());
            rig.send(1, &format!("(init Reds (version {version}))"));
            rig.send(2, "(init Blues (version 15))");
            rig.cycle();
            if version >= 12 {
                rig.send(1, "(attentionto opp 1)");
            }
            rig.cycle();
            let sensed = rig.told_to(1).into_iter().rfind(|text| word(text) == "sense_body").unwrap();
            assert!(theirs.contains(&form(&sensed)), "{version}: {}\n{theirs:#?}", form(&sensed));
        }
    }
}
