//! What the server's own senders put into its messages, read from their source: forms that no captured traffic shows.

use crate::rig::Rig;
use touchline_soccer::PlayMode;
use touchline_soccer::sessions::Port;
use touchline_soccer::state::Who;
use touchline_soccer_law::face::{Side, state};
use touchline_soccer_law::params::SoccerParams;

const LEFT_1: Who = Who { side: Side::Left, unum: 1 };

/// Spec 7: a team that is told the whole world hears of a caught ball as a mode of its own, and where its own arm points to, unrounded.
#[test]
fn fullstate_tells_of_a_caught_ball_and_the_own_arm() {
    let mut params = SoccerParams::today();
    params.server.fullstate_l = true;
    let mut rig = Rig::new(params);
    rig.send(1, "(init Reds (version 15) (goalie))");
    (rig.state.mode, rig.state.catcher) = (PlayMode::from_word("free_kick_l").unwrap(), Some(LEFT_1));
    rig.state.players[0].motion.pos = [0.25, 0.0];
    rig.step(Vec::new());
    rig.send(1, "(pointto 10.123 0)");
    rig.told_to(1);
    rig.step(Vec::new());
    let told = rig.told_to(1);
    let full = told.iter().find(|text| text.starts_with("(fullstate")).unwrap();
    assert!(full.contains("(pmode goalie_catch_ball_l)"), "{full}");
    assert!(full.contains("(target 10.123 0) (count 1))"), "{full}");
    let body = told.iter().find(|text| text.starts_with("(sense_body")).unwrap();
    assert!(body.contains("(target 10.1 0) (count 1))"), "{body}");
    rig.state.catcher = None;
    rig.step(Vec::new());
    assert!(rig.told_to(1).iter().any(|text| text.contains("(pmode free_kick_l)")));
}

/// Spec 13: a coach is not told that somebody was fouled who points, and nobody without a name of its own is a coach.
#[test]
fn coaches_see_fouled_players_that_do_not_point() {
    let mut rig = Rig::new(SoccerParams::today());
    rig.send(1, "(init Reds (version 15))");
    rig.step(Vec::new());
    rig.send_to(Port::Coach, 2, "(init Reds)");
    assert_eq!(rig.told_to(2), ["(error illegal_command_form)"]);
    rig.send_to(Port::Coach, 2, "(init Reds X (version 15))");
    rig.send_to(Port::Coach, 2, "(eye on)");
    rig.state.players[0].foul_cycles = 3;
    let mut seen = || {
        rig.step(Vec::new());
        let told = rig.told_to(2);
        rig.send(1, "(pointto 10 0)");
        told.into_iter().find(|text| text.starts_with("(see_global")).unwrap()
    };
    assert!(seen().ends_with(" 0 f))"));
    assert!(seen().ends_with(" 0 0))"));
}

/// Spec 7: version 6 knows the short names, and a goalkeeper by its.
#[test]
fn version_6_sees_who_is_a_goalkeeper() {
    for (version, is_told) in [(5, false), (6, true), (7, true)] {
        let mut rig = Rig::new(SoccerParams::today());
        rig.send(1, &format!("(init Reds (version {version}))"));
        rig.send(2, "(init Blues (version 15) (goalie))");
        rig.state.players[0].motion.pos = [0.0, 0.0];
        rig.state.players[11].motion.pos = [5.0, 0.0];
        rig.state.players[11].bits = state::STAND | state::GOALIE;
        (0..4).for_each(|_| rig.cycle());
        let seen = rig.told_to(1).into_iter().rfind(|text| text.starts_with("(see")).unwrap();
        assert_eq!(seen.contains("goalie"), is_told, "{version} {seen}");
    }
}

/// The goals reach from the line over their depth, half a post wider than the opening.
#[test]
fn a_trainer_asks_where_the_ball_is() {
    let mut params = SoccerParams::today();
    params.server.coach = true;
    let mut rig = Rig::new(params);
    rig.send_to(Port::Trainer, 1, "(init (version 15))");
    rig.told_to(1);
    for (ball, place) in [
        ([0.0, 0.0], "in_field"),
        ([52.5, 0.0], "in_field"),
        ([52.6, 7.03], "goal_r"),
        ([-52.6, -7.03], "goal_l"),
        ([52.6, 7.05], "out_of_field"),
        ([-55.0, 0.0], "goal_l"),
        ([-55.1, 0.0], "out_of_field"),
        ([0.0, 34.1], "out_of_field"),
    ] {
        rig.state.ball.pos = ball;
        rig.step(Vec::new());
        rig.send_to(Port::Trainer, 1, "(check_ball)");
        assert_eq!(rig.told_to(1), [format!("(ok check_ball 0 {place})")], "{ball:?}");
    }
}
