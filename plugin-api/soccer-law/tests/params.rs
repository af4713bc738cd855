//! Parameters by their names.

use touchline_soccer_law::params::{ParamError, ParamValue, PlayerParams, ServerParams, SoccerParams};

#[test]
fn a_parameter_is_set_by_its_name_and_checked() {
    let mut params = SoccerParams::today();
    params.set("server::synch_mode", "on").expect("a flag");
    params.set("player::pt_max", "3").expect("a count");
    params.set("half_time", "60").expect("without a module");
    params.set("server::fixed_teamname_l", "'Reds'").expect("a text");
    assert!(params.server.synch_mode);
    assert_eq!((params.player.pt_max, params.server.half_time), (3, 60));
    assert_eq!(params.server.get("fixed_teamname_l"), Some(ParamValue::Text("Reds")));

    let error = params.set("server::half_tme", "60").expect_err("no such name");
    assert_eq!(error.to_string(), "there is no parameter `half_tme`; did you mean `half_time`?");
    assert!(matches!(params.set("server::half_time", "1.5"), Err(ParamError::Form { .. })));
    assert!(matches!(params.set("server::simulator_step", "0"), Err(ParamError::Range { .. })));
    assert!(matches!(params.set("server::goal_width", "nan"), Err(ParamError::Form { .. })));
    assert!(matches!(params.set("server::team_l_start", "a\"b"), Err(ParamError::Form { .. })));
    assert!(matches!(params.set("csv::half_time", "1"), Err(ParamError::Unknown { .. })));
    params.check().expect("what was refused has changed nothing");
    params.server.ball_decay = f64::NAN;
    assert!(params.check().is_err());
}

/// Issue of the league, number 3: that server's own files are read; each line that cannot be used is named, with the nearest name.
#[test]
fn files_of_the_server_are_read() {
    let mut params = SoccerParams::today();
    let text = "# Configurations for soccer server\n\nserver::half_time = 60 # seconds\r\n  server::fixed_teamname_l='Re#ds'\n\
                player::pt_max = 3\nserver::synch_mode = on\nserver::half_time = 30\n";
    assert_eq!(params.read_conf(text), Ok(()));
    assert_eq!((params.server.half_time, params.player.pt_max, params.server.synch_mode), (30, 3, true));
    assert_eq!(params.server.fixed_teamname_l, "Re#ds");

    let text = "server::half_tme = 1\nserver::goal_width = 7.32\nhalf time\nserver::drop_ball_time = x\ncsv::save = true\n";
    let said: Vec<String> =
        params.read_conf(text).expect_err("four lines").iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "line 1: there is no parameter `half_tme`; did you mean `half_time`?",
            "line 3: expected `server::NAME = VALUE` or `player::NAME = VALUE`, got `half time`",
            "line 4: `drop_ball_time = x`: expected a whole number",
            "line 5: there is no parameter `csv::save`",
        ]
    );
    assert_eq!(params.server.goal_width, 7.32);
}

/// Every parameter, written as that server writes its files, is read again.
#[test]
fn every_parameter_is_read_from_a_file() {
    let played = SoccerParams::of_2002();
    let mut text = String::new();
    for (module, values) in
        [("server", played.server.alphabetical()), ("player", played.player.alphabetical())]
    {
        for (row, value) in values {
            let value = match value {
                ParamValue::Real(number) => number.to_string(),
                ParamValue::Integer(number) => number.to_string(),
                ParamValue::Flag(flag) => flag.to_string(),
                ParamValue::Text(text) => format!("'{text}'"),
            };
            text.push_str(&format!("# {}\n{module}::{} = {value}\n\n", row.name, row.name));
        }
    }
    let mut read = SoccerParams::today();
    read.read_conf(&text).expect("all of them");
    assert_eq!(read, played);
}

#[test]
fn a_world_file_sets_them_by_their_names_and_no_others() {
    let params: SoccerParams =
        toml::from_str("server.goal_width = 7.32\nplayer.player_types = 7").expect("two names");
    assert_eq!(params.server.goal_width, 7.32);
    assert_eq!(params.player.player_types, 7);
    assert!(toml::from_str::<SoccerParams>("server.goal_widht = 7.32").is_err());
}

#[test]
fn every_default_is_in_its_range_and_has_one_row() {
    SoccerParams::today().check().expect("today's");
    SoccerParams::of_2002().check().expect("those of 2002");
    for rows in [ServerParams::ROWS, PlayerParams::ROWS] {
        let mut names: Vec<_> = rows.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rows.len());
        assert!(rows.iter().all(|row| (7..=19).contains(&row.since) || row.since == 999));
    }
    assert!(ServerParams::ROWS.iter().all(|row| PlayerParams::row(row.name).is_none()));
}

/// 300 s in cycles of 100 ms; the positional message of version 7 tells 300 ms for the schedule of today's steps.
#[test]
fn derived_numbers_are_those_of_the_server() {
    let server = ServerParams::today();
    assert_eq!((server.half_time_cycles(), server.extra_half_time_cycles()), (3000, 1000));
    assert_eq!(server.schedule_ms(), 300);
    // Steps that have no divisor in common, each allowed.
    let server = ServerParams {
        simulator_step: 59_999,
        send_step: 59_981,
        recv_step: 59_971,
        sense_body_step: 59_957,
        send_vi_step: 59_951,
        ..server
    };
    server.check().expect("each is in its range");
    assert_eq!(server.schedule_ms(), i64::MAX);
    assert!((server.kickable_area_m() - 1.085).abs() < 1e-12);
}
