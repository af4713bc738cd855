//! Every command in each of its forms, and what is none.

use super::*;
use PlayerCommand as C;

fn commands(text: &str) -> Vec<Result<PlayerCommand<'_>, IllegalForm>> {
    PlayerCommands::new(text.as_bytes()).collect()
}

fn one(text: &str) -> PlayerCommand<'_> {
    let all = commands(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all[0].unwrap_or_else(|_| panic!("{text}"))
}

/// Spec 5: every command in each of its forms.
#[test]
fn every_command_is_read() {
    assert_eq!(one("(dash 100)"), C::Dash { power: 100.0, dir_deg: 0.0 });
    assert_eq!(one("( dash 50.5 -90 )"), C::Dash { power: 50.5, dir_deg: -90.0 });
    assert_eq!(one("(turn 60.00)"), C::Turn(60.0));
    assert_eq!(one("(turn_neck -.5)"), C::TurnNeck(-0.5));
    assert_eq!([one("(turn 1e400)"), one("(turn -1e400)")], [C::Turn(1e30), C::Turn(-1e30)]);
    assert_eq!(one("(change_focus 1 2)"), C::ChangeFocus { dist: 1.0, dir_deg: 2.0 });
    assert_eq!(one("(kick 100 1e1)"), C::Kick { power: 100.0, dir_deg: 10.0 });
    assert_eq!(one("(long_kick 100 0)"), C::LongKick);
    assert_eq!(one("(catch 3)"), C::Catch(3.0));
    assert_eq!(one("(say hello)"), C::Say("hello"));
    assert_eq!(one("(say \"hello (x)\")"), C::Say("hello (x)"));
    assert_eq!(one("( say hello)"), C::Say("hello"));
    assert_eq!(one("(sense_body)"), C::SenseBody);
    assert_eq!(one("(score)"), C::Score);
    assert_eq!(one("(move -10 5)"), C::Move([-10.0, 5.0]));
    let view = |width, is_high| C::ChangeView { width, is_high };
    assert_eq!(one("(change_view narrow)"), view(ViewWidth::Narrow, None));
    assert_eq!(one("(change_view wide low)"), view(ViewWidth::Wide, Some(false)));
    assert_eq!(one("(change_view normal high)"), view(ViewWidth::Normal, Some(true)));
    assert_eq!(one("(compression 6)"), C::Compression(6));
    assert_eq!(one("(bye)"), C::Bye);
    assert_eq!(one("(done)"), C::Done);
    assert_eq!(one("(pointto 10 20)"), C::PointTo(Some([10.0, 20.0])));
    assert_eq!(one("(pointto off)"), C::PointTo(None));
    assert_eq!(one("(attentionto our 4)"), C::AttentionTo(Some((TeamWord::Our, 4))));
    assert_eq!(one("(attentionto Reds-2 4)"), C::AttentionTo(Some((TeamWord::Named("Reds-2"), 4))));
    assert_eq!(one("(attentionto off)"), C::AttentionTo(None));
    let tackle = |power_or_angle, foul| C::Tackle { power_or_angle, foul };
    assert_eq!(one("(tackle 30)"), tackle(30.0, false));
    assert_eq!(one("(tackle 30 on)"), tackle(30.0, true));
    assert_eq!(one("(tackle 30 false)"), tackle(30.0, false));
    assert_eq!(one("(clang (ver 7 8))"), C::Clang([7, 8]));
    let ear = |on, team, part| C::Ear { on, team, part };
    assert_eq!(one("(ear (off opp))"), ear(false, Some(TeamWord::Opp), None));
    assert_eq!(
        one("(ear (off \"A\"))"),
        ear(false, Some(TeamWord::Named("\"A\"")), None),
        "the marks belong to it"
    );
    assert_eq!(one("(ear (on l p))"), ear(true, Some(TeamWord::Left), Some(EarPart::Partial)));
    assert_eq!(one("(ear (on complete))"), ear(true, None, Some(EarPart::Complete)));
    assert_eq!(
        one("(ear (off Blues c))"),
        ear(false, Some(TeamWord::Named("Blues")), Some(EarPart::Complete))
    );
    assert_eq!(one("(ear (on))"), ear(true, None, None));
    assert_eq!(one("(synch_see)"), C::SynchSee);
    assert_eq!(one("(gaussian_see)"), C::GaussianSee);
}

/// Spec 1, "several commands per datagram": what came before the first wrong one stays.
#[test]
fn several_are_done_up_to_the_first_wrong_one() {
    let all = commands("(turn 60.00)(change_view wide) (turn_neck 0.0)\n(done)");
    assert_eq!(all.len(), 4);
    assert!(all.iter().all(Result::is_ok));
    let all = commands("(turn 1)(jump 3)(turn 2)");
    assert_eq!(all, [Ok(C::Turn(1.0)), Err(IllegalForm)]);
    for wrong in [
        "",
        " \n",
        "turn 5",
        "(turn)",
        "(turn 5",
        "(turn 5.)",
        "(turn 5 6)",
        "(dash)",
        "(dash 1 2 3)",
        "()",
        "(turn nan)",
        "(say \"\")",
        "(say \"a;b\")",
        "(ear off)",
        "(change_view huge)",
        "(attentionto 4)",
        "(clang (ver 7))",
        "(turn 5)\r",
        "(move 1)",
        "(init A)",
        "((((((((",
    ] {
        assert_eq!(commands(wrong).last(), Some(&Err(IllegalForm)), "{wrong}");
    }
}

/// Each leg counts as soon as it is read, as in the real server.
#[test]
fn a_dash_by_legs_is_read_leg_by_leg() {
    let leg = |is_left, power, dir_deg| Ok(C::DashLeg { is_left, power, dir_deg });
    assert_eq!(commands("(dash (l 50 10)(r 60 -10))"), [leg(true, 50.0, 10.0), leg(false, 60.0, -10.0)]);
    assert_eq!(commands("(dash (right 60 0)) (done)"), [leg(false, 60.0, 0.0), Ok(C::Done)]);
    assert_eq!(commands("(dash (l 50 10)(l 60 0))"), [leg(true, 50.0, 10.0), Err(IllegalForm)]);
    assert_eq!(commands("(dash (l 50 10)"), [leg(true, 50.0, 10.0), Err(IllegalForm)]);
}
