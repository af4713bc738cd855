//! The messages of parameters, against those of the real server: values are read out of the captured text, and printed again.

use crate::samples;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use touchline_soccer::wire::params::{ALL, player_param, player_type, server_param, type_values};
use touchline_soccer_law::params::{PlayerParams, ServerParams};
use touchline_soccer_law::player_type::PlayerType;

/// Conversations, and the version of the protocol that was agreed in each.
const CONVERSATIONS: [(&str, u32); 9] = [
    ("init_v9_krislet.txt", 9),
    ("init_v11_soccerpy.txt", 11),
    ("init_v12_keepaway_uva.txt", 12),
    ("init_v15_wrighteagle_synch.txt", 15),
    ("init_v16_ggb_synch.txt", 16),
    ("init_v18_helios_goalie_synch.txt", 18),
    ("init_v18_pyrus_synch.txt", 18),
    ("online_coach_v18_helios.txt", 18),
    ("trainer_v16_ggb.txt", 16),
];

/// `(NAME VALUE)` after `(NAME VALUE)` of a message.
fn pairs(message: &str) -> Vec<(&str, &str)> {
    let inner = message.split_once(' ').unwrap().1.strip_suffix(')').unwrap();
    let groups = inner.split_inclusive(')').map(|group| group.trim_start_matches('(').trim_end_matches(')'));
    groups.map(|group| group.split_once(' ').unwrap()).collect()
}

fn compare(message: &str, version: u32) -> bool {
    if message.starts_with("(server_param (") {
        let mut server = ServerParams::today();
        pairs(message).iter().for_each(|(name, value)| server.set(name, value).unwrap());
        assert_eq!(server_param(&server, version), message);
    } else if message.starts_with("(player_param (") {
        let mut player = PlayerParams::today();
        pairs(message).iter().for_each(|(name, value)| player.set(name, value).unwrap());
        assert_eq!(player_param(&player, version), message);
    } else if message.starts_with("(player_type (") {
        let pairs = pairs(message);
        let (id, values) = pairs.split_first().unwrap();
        let (id, read) = (id.1.parse().unwrap(), typed(values));
        assert_eq!(player_type(id, &read, version), message);
    } else {
        return false;
    }
    true
}

/// A type with these values under the wire's names.
fn typed(values: &[(&str, &str)]) -> PlayerType {
    let mut read = PlayerType::default_of(&ServerParams::today());
    for (name, value) in values {
        let value = value.parse().unwrap();
        let (sight, noise) = (&mut read.sight, &mut read.noise);
        *match *name {
            "player_speed_max" => &mut read.player_speed_max,
            "stamina_inc_max" => &mut read.stamina_inc_max,
            "player_decay" => &mut read.player_decay,
            "inertia_moment" => &mut read.inertia_moment,
            "dash_power_rate" => &mut read.dash_power_rate,
            "player_size" => &mut read.player_size,
            "kickable_margin" => &mut read.kickable_margin,
            "kick_rand" => &mut read.kick_rand,
            "extra_stamina" => &mut read.extra_stamina,
            "effort_max" => &mut read.effort_max,
            "effort_min" => &mut read.effort_min,
            "kick_power_rate" => &mut read.kick_power_rate,
            "foul_detect_probability" => &mut read.foul_detect_probability,
            "catchable_area_l_stretch" => &mut read.catchable_area_l_stretch,
            "unum_far_length" => &mut sight.unum_far_length,
            "unum_too_far_length" => &mut sight.unum_too_far_length,
            "team_far_length" => &mut sight.team_far_length,
            "team_too_far_length" => &mut sight.team_too_far_length,
            "player_max_observation_length" => &mut sight.player_max_observation_length,
            "ball_vel_far_length" => &mut sight.ball_vel_far_length,
            "ball_vel_too_far_length" => &mut sight.ball_vel_too_far_length,
            "ball_max_observation_length" => &mut sight.ball_max_observation_length,
            "flag_chg_far_length" => &mut sight.flag_chg_far_length,
            "flag_chg_too_far_length" => &mut sight.flag_chg_too_far_length,
            "flag_max_observation_length" => &mut sight.flag_max_observation_length,
            "dist_noise_rate" => &mut noise.dist_noise_rate,
            "focus_dist_noise_rate" => &mut noise.focus_dist_noise_rate,
            "land_dist_noise_rate" => &mut noise.land_dist_noise_rate,
            "land_focus_dist_noise_rate" => &mut noise.land_focus_dist_noise_rate,
            other => panic!("{other} is in no table"),
        } = value;
    }
    read
}

#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn named_messages_are_those_of_the_server_byte_for_byte() {
    for (name, version) in CONVERSATIONS {
        let conversation = samples::conversation(name);
        let compared =
            conversation.iter().filter(|line| !line.is_client && compare(&line.text, version)).count();
        assert!(compared >= 20, "{name}: {compared}");
    }
    for name in ["monitor_v3_show.txt", "monitor_v5_show.txt", "monitor_v4_human_referee.txt"] {
        let lines = samples::lines(name);
        let texts =
            lines.iter().filter_map(|line| line.strip_prefix("< [")?.split_once("] ").map(|(_, text)| text));
        let compared = texts.filter(|text| compare(text, ALL)).count();
        assert!(compared >= 20, "{name}: {compared}");
    }
}

/// Version 7 has no names. The game was played with halves of 60 s; everything else was the default.
#[test]
#[ignore = "asks for the real server's traffic: TOUCHLINE_SOCCER_SAMPLES"]
fn positional_messages_are_those_of_the_server_byte_for_byte() {
    let conversation = samples::conversation("init_v7_puck.txt");
    let server = ServerParams { half_time: 60, ..ServerParams::today() };
    for line in conversation.iter().filter(|line| !line.is_client) {
        if line.text.starts_with("(server_param") {
            assert_eq!(server_param(&server, 7), line.text);
        } else if line.text.starts_with("(player_param") {
            assert_eq!(player_param(&PlayerParams::today(), 7), line.text);
        } else if let Some(values) = line.text.strip_prefix("(player_type ") {
            let mut values = values.trim_end_matches(')').split(' ');
            let id = values.next().unwrap().parse().unwrap();
            let names = type_values(&PlayerType::default_of(&server)).map(|(_, name, _)| name);
            let values: Vec<_> = names.into_iter().zip(values).collect();
            assert_eq!(player_type(id, &typed(&values), 7), line.text);
        }
    }
}

/// The names of all fields that are read in the source files of a folder, but where parameters are only told.
fn add_fields_read(folder: &Path, fields: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_left_out = |name: &str| path.file_name().is_some_and(|own| own == name);
        if path.is_dir() && !["wire", "tests"].into_iter().any(is_left_out) {
            add_fields_read(&path, fields);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_left_out("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            for line in text.lines().filter_map(|line| line.split("//").next()) {
                let behind_dots = line.split('.').skip(1);
                fields.extend(behind_dots.filter_map(|rest| {
                    let name =
                        rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
                    Some(name.to_owned())
                }));
            }
        }
    }
}

/// A parameter that nothing but messages of parameters reads is named in the documentation as one without effect.
#[test]
fn parameters_without_effect_are_named() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut fields = BTreeSet::new();
    let mut folders: Vec<PathBuf> =
        ["plugin-api/soccer-law/src", "server/gateways/soccer/src", "server/app/src/cli"]
            .map(|folder| root.join(folder))
            .to_vec();
    let plugins =
        fs::read_dir(root.join("plugins")).unwrap().map(|plugin| plugin.unwrap().path().join("src"));
    folders.extend(plugins.filter(|folder| folder.is_dir()));
    folders.iter().for_each(|folder| add_fields_read(folder, &mut fields));
    let docs = fs::read_to_string(root.join("docs/soccer-server.md")).unwrap();
    let rows = ServerParams::ROWS.iter().chain(PlayerParams::ROWS).map(|row| row.name);
    let unread: Vec<&str> = rows.filter(|name| !fields.contains(*name)).collect();
    assert!(unread.contains(&"record_messages") && unread.len() < 50, "{unread:?}");
    let is_named = |name: &str| {
        let rows = docs.lines().filter(|line| line.contains("without effect"));
        rows.into_iter().any(|line| line.contains(&format!("`{name}`")))
    };
    let forgotten: Vec<&str> = unread.into_iter().filter(|name| !is_named(name)).collect();
    assert_eq!(forgotten, [""; 0], "docs/soccer-server.md, \"What differs\"");
}
