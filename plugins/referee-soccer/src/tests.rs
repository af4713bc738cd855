//! The referee alone, on a field of the tests' own.

mod field;
mod half_field;
mod laws;
mod rules;
mod shoot_out;

use super::*;

/// P6: the rules that every referee plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<Soccer>("{}");
    touchline_plugin_testing::check_referee::<Soccer>(
        r#"{"server": {"auto_mode": true, "connect_wait": 3, "half_time": 1}, "player": {"pt_max": 3}}"#,
    );
}

#[test]
fn it_says_what_it_needs() {
    let mut setup =
        RefereeSetup { teams: vec!["left".into(), "right".into()], dt_secs: 0.1, ..Default::default() };
    setup.world.balls = 1;
    assert!(Soccer::new(SoccerParams::today(), &setup).is_ok());
    let wrong = RefereeSetup { teams: vec!["left".into()], ..RefereeSetup::default() };
    let problem = Soccer::new(SoccerParams::today(), &wrong).err().unwrap().to_string();
    for part in ["two teams", "one ball"] {
        assert!(problem.contains(part), "{problem}");
    }
    let mut params = SoccerParams::today();
    params.server.ball_decay = 2.0;
    let problem = Soccer::new(params, &setup).err().unwrap().to_string();
    assert!(problem.contains("ball_decay"), "{problem}");
}
