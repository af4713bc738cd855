//! The seats of trainer and online coaches: who leaves them frees them, and who is silent for a minute gives way.

use crate::rig::{Rig, address};
use touchline_soccer::sessions::{Port, Source};
use touchline_soccer_law::params::SoccerParams;

/// A game with a trainer, and a player of the team Reds.
fn game() -> Rig {
    let mut params = SoccerParams::today();
    params.server.coach = true;
    let mut rig = Rig::new(params);
    rig.send(1, "(init Reds (version 15))");
    rig
}

fn first(rig: &mut Rig, port: Port, client: u16, text: &str) -> String {
    rig.send_to(port, client, text);
    rig.told_to(client).into_iter().next().unwrap_or_default()
}

#[test]
fn a_trainer_that_leaves_makes_room() {
    let mut rig = game();
    for client in [2, 3] {
        assert_eq!(first(&mut rig, Port::Trainer, client, "(init (version 16))"), "(init ok)");
        rig.step(Vec::new());
        assert_eq!(first(&mut rig, Port::Trainer, client, "(bye)"), "", "it is not answered");
    }
    // An old one too, whose first word is a command already.
    assert_eq!(first(&mut rig, Port::Trainer, 4, "(ear on)"), "(ok ear on)");
    assert_eq!(first(&mut rig, Port::Trainer, 4, "(bye)"), "");
    assert_eq!(first(&mut rig, Port::Trainer, 5, "(init (version 16))"), "(init ok)");
}

#[test]
fn a_silent_trainer_gives_way() {
    let mut rig = game();
    assert_eq!(
        first(&mut rig, Port::Trainer, 2, "(hello)"),
        "(error unknown_command)",
        "an old trainer has come"
    );
    rig.at(59_000);
    let taken = "(error already_have_offline_coach)";
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(init (version 16))"), taken);
    rig.at(60_000);
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(init (version 99))"), "(error illegal_client_version)");
    assert_eq!(
        first(&mut rig, Port::Trainer, 2, "(check_ball)"),
        "(ok check_ball 0 in_field)",
        "nobody has replaced it"
    );
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(init (version 16))"), taken, "it was heard");
    rig.at(120_000);
    assert_eq!(
        first(&mut rig, Port::Trainer, 4, "(hello)"),
        taken,
        "a word that is no init drives nobody out"
    );
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(init (version 16))"), "(init ok)");
    assert_eq!(first(&mut rig, Port::Trainer, 2, "(check_ball)"), taken, "it is a stranger now");
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(check_ball)"), "(ok check_ball 0 in_field)");
}

/// While time stands, no more is looked at than in one cycle; who goes on sending is not silent for that, to whichever port it sends.
#[test]
fn who_says_too_much_is_not_silent() {
    let mut rig = game();
    assert_eq!(first(&mut rig, Port::Trainer, 2, "(init (version 16))"), "(init ok)");
    for _ in 0..100 {
        rig.send_to(Port::Trainer, 2, "(check_ball)");
    }
    rig.told_to(2);
    rig.at(60_000);
    assert_eq!(first(&mut rig, Port::Trainer, 2, "(check_ball)"), "", "it has said too much in this cycle");
    let taken = "(error already_have_offline_coach)";
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(init (version 16))"), taken);
    rig.at(120_000);
    rig.sessions.datagram(Source::Port(Port::Trainer, address(2)), b"(check_ball)\0");
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(init (version 16))"), taken);
    rig.at(180_000);
    assert_eq!(first(&mut rig, Port::Trainer, 3, "(init (version 16))"), "(init ok)");
}

#[test]
fn a_silent_online_coach_gives_way() {
    let mut rig = game();
    assert_eq!(first(&mut rig, Port::Coach, 2, "(init Reds A (version 18))"), "(init l ok)");
    let taken = "(error already_have_coach)";
    rig.at(59_000);
    assert_eq!(first(&mut rig, Port::Coach, 3, "(init Reds B (version 18))"), taken);
    rig.at(60_000);
    assert_eq!(
        first(&mut rig, Port::Coach, 3, "(init Reds B (version 99))"),
        "(error illegal_client_version)"
    );
    assert_eq!(first(&mut rig, Port::Coach, 3, "(init Reds B (version 18))"), "(init l ok)");
    assert_eq!(first(&mut rig, Port::Coach, 4, "(init Reds C (version 18))"), taken);
    rig.step(Vec::new());
    assert_eq!(first(&mut rig, Port::Coach, 3, "(eye on)"), "(ok eye on)");
}
