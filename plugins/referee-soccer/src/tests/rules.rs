//! The rules, scene by scene. [spec 10]

use super::field::{Field, exact};
use touchline_soccer_law::face::{BodyCommand, Datum, Leg, Side, state};
use touchline_soccer_law::params::SoccerParams;

fn kick(power: f64, direction_rad: f64) -> BodyCommand {
    BodyCommand::Kick { power, direction_rad }
}

fn dash(power: f64) -> BodyCommand {
    let leg = Leg { power, direction_rad: 0.0 };
    BodyCommand::Dash { left: leg, right: leg }
}

fn close(got: [f64; 2], wanted: [f64; 2]) {
    let off = libm::hypot(got[0] - wanted[0], got[1] - wanted[1]);
    assert!(off < 1e-6, "{got:?} for {wanted:?}");
}

/// A striker of the left team in play, with the ball before it.
fn scene(params: SoccerParams, striker: [f64; 2], heading_rad: f64) -> (Field, u32) {
    let mut field = in_play(params);
    let striker_robot = field.add(Side::Left, 9, striker, heading_rad);
    let ball = [striker[0] + 0.5 * libm::cos(heading_rad), striker[1] + 0.5 * libm::sin(heading_rad)];
    field.tell(&format!("ball {} {}", ball[0], ball[1])).steps(2);
    (field, striker_robot)
}

/// In play; before the kick-off all are kept in their halves.
fn in_play(params: SoccerParams) -> Field {
    let mut field = Field::new(params);
    field.tell("mode play_on").step();
    field
}

/// A whole goal: the word, the score, 50 stopped cycles, and the kick-off of the other side.
#[test]
fn a_goal_counts_and_the_other_side_kicks_off() {
    let (mut field, striker) = scene(exact(), [50.5, 2.0], 0.0);
    let before = field.cycle();
    field.order(striker, kick(100.0, 0.0)).step();
    assert_eq!(field.mode(), "goal_l");
    assert!(field.has_said("goal_l_1") && !field.has_said("goal_l"), "{:?}", field.said);
    assert_eq!(field.game.score(0), 1);
    field.steps(50);
    assert_eq!((field.mode(), field.stoppage(), field.cycle()), ("goal_l", 50.0, before + 1));
    field.step();
    assert_eq!((field.mode(), field.stoppage(), field.cycle()), ("kick_off_r", 0.0, before + 2));
    assert_eq!(field.ball(), [0.0, 0.0]);
    // Back in its own half.
    assert!(field.place(striker)[0] <= 0.0);
}

/// The clock at which a word was said is told where it is not the one after the step: by a command before it goes on, and at the end of a stopped mode.
#[test]
fn what_the_clock_showed_is_told_of_words_before_it_went_on() {
    let (mut field, striker) = scene(exact(), [50.5, 2.0], 0.0);
    let cycle = field.cycle();
    field.tell("mode kick_in_l").step();
    field.said.clear();
    field.order(striker, kick(100.0, 0.0)).step();
    assert_eq!(field.cycle(), cycle + 2);
    assert_eq!(field.said[..2], ["play_on".to_owned(), format!("said at {} 0", cycle + 1)]);
    assert_eq!(field.said[2..], ["goal_l_1", "goal 0 1"], "said after the clock went on");
    field.steps(50);
    field.said.clear();
    field.tell("mode play_on").step();
    assert_eq!(field.said, ["kick_off_r".to_owned(), format!("said at {} 51", cycle + 2), "play_on".into()]);
    assert_eq!((field.cycle(), field.stoppage()), (cycle + 3, 0.0));
}

/// Beside the post it is a goal kick; off a defender a corner; over the touch line a kick-in for the others.
#[test]
fn a_ball_that_leaves_comes_back_by_the_rules() {
    let (mut field, striker) = scene(exact(), [50.5, 12.0], 0.0);
    field.order(striker, kick(100.0, 0.0)).step();
    assert_eq!(field.mode(), "goal_kick_r");
    close(field.ball(), [47.0, 9.16]);

    let (mut field, striker) = scene(exact(), [-50.5, -12.0], std::f64::consts::PI);
    field.order(striker, kick(100.0, 0.0)).step();
    assert_eq!(field.mode(), "corner_kick_r");
    close(field.ball(), [-51.5, -33.0]);

    let (mut field, striker) = scene(exact(), [10.0, 32.5], std::f64::consts::FRAC_PI_2);
    field.order(striker, kick(100.0, 0.0)).step();
    assert_eq!(field.mode(), "kick_in_r");
    close([field.ball()[0], field.ball()[1]], [10.0, 34.0]);
    // Its side is kept 9.15 m away.
    let [x, y] = field.place(striker);
    let away = libm::hypot(x - 10.0, y - 34.0);
    assert!(away >= 9.45 - 1e-9, "{away}");
}

/// A set play that nobody takes is dropped after drop_ball_time cycles.
#[test]
fn an_idle_set_play_is_dropped() {
    let mut field = Field::new(exact());
    field.add(Side::Left, 9, [-20.0, 0.0], 0.0);
    field.tell("foul left 10 5").step();
    assert_eq!(field.mode(), "free_kick_l");
    assert!(field.has_said("foul_r") && field.has_said("free_kick_l"));
    close(field.ball(), [10.0, 5.0]);
    field.steps(99);
    assert_eq!(field.mode(), "free_kick_l");
    field.step();
    assert_eq!(field.mode(), "play_on");
    assert!(field.has_said("drop_ball"));
}

/// A mate beyond the second last opponent may not play the ball; level with it may.
#[test]
fn offside_is_called_when_it_is_played() {
    for (mate_m, is_offside) in [(31.0, true), (29.0, false)] {
        let (mut field, passer) = scene(exact(), [10.0, 0.0], 0.0);
        let mate = field.add(Side::Left, 11, [mate_m, 2.0], 0.0);
        for (unum, x_m) in [(1, 50.0), (4, 30.0)] {
            field.add(Side::Right, unum, [x_m, -10.0], 0.0);
        }
        field.order(passer, kick(60.0, 0.0)).step();
        assert_eq!(field.mode(), "play_on");
        field.tell(&format!("ball {} 2", mate_m + 0.5)).step();
        field.order(mate, kick(10.0, 0.0)).step();
        if !is_offside {
            assert_eq!(field.mode(), "play_on");
            continue;
        }
        assert_eq!(field.mode(), "offside_l");
        // On the line, where the mate was.
        close(field.ball(), [30.0, 2.0]);
        field.steps(29);
        assert_eq!(field.mode(), "offside_l");
        field.step();
        assert_eq!(field.mode(), "free_kick_r");
        assert!(field.place(mate)[0] < 30.0 - 2.5);
    }
}

/// From a kick-in there is no offside.
#[test]
fn a_kick_in_knows_no_offside() {
    let mut field = in_play(exact());
    let thrower = field.add(Side::Left, 2, [10.0, 34.5], -std::f64::consts::FRAC_PI_2);
    let mate = field.add(Side::Left, 11, [31.0, 2.0], 0.0);
    field.add(Side::Right, 4, [20.0, -10.0], 0.0);
    field.tell("ball 10 34").tell("mode kick_in_l").steps(2);
    field.order(thrower, kick(60.0, 0.0)).step();
    assert_eq!(field.mode(), "play_on");
    field.tell("ball 31.5 2").step();
    field.order(mate, kick(10.0, 0.0)).step();
    assert_eq!(field.mode(), "play_on");
}

/// The taker of a free kick that has dashed may not kick again before somebody else; without a dash it may.
#[test]
fn the_taker_kicks_once() {
    for dashes in [false, true] {
        let mut field = in_play(exact());
        let taker = field.add(Side::Left, 9, [9.5, 5.0], 0.0);
        field.tell("foul left 10 5").steps(2);
        field.order(taker, kick(5.0, 0.0)).step();
        assert_eq!(field.mode(), "play_on");
        field.order(taker, if dashes { dash(30.0) } else { BodyCommand::None }).step();
        field.order(taker, kick(5.0, 0.0)).step();
        assert_eq!(field.mode(), if dashes { "free_kick_fault_l" } else { "play_on" });
        assert_eq!(field.has_state(taker, state::FREE_KICK_FAULT), dashes);
        if dashes {
            field.steps(31);
            assert_eq!(field.mode(), "free_kick_r");
        }
    }
}

/// A keeper may not catch what a mate has kicked, nor outside of its area.
#[test]
fn catches_are_judged() {
    let keeper_scene = |keeper_m: f64, mate_kicks: bool| {
        let mut field = in_play(exact());
        let keeper = field.add(Side::Left, 1, [keeper_m, 0.0], 0.0);
        let mate = field.add(Side::Left, 4, [keeper_m + 1.5, 0.0], std::f64::consts::PI);
        field.tell("goalie left 1").tell("mode play_on");
        field.tell(&format!("ball {} 0", keeper_m + 0.8)).steps(2);
        if mate_kicks {
            field.order(mate, kick(1.0, 0.0)).step();
        }
        field.order(keeper, BodyCommand::Catch { direction_rad: 0.0 }).step();
        field
    };
    let mut field = keeper_scene(-45.0, true);
    assert_eq!(field.mode(), "back_pass_l");
    field.steps(31);
    assert_eq!(field.mode(), "indirect_free_kick_r");
    let mut field = keeper_scene(-20.0, false);
    assert_eq!(field.mode(), "catch_fault_l");
    field.steps(31);
    assert_eq!(field.mode(), "free_kick_r");
    assert_eq!(keeper_scene(-45.0, false).mode(), "free_kick_l");
}

/// From an indirect free kick a goal needs a second player.
#[test]
fn an_indirect_free_kick_needs_a_second_player() {
    for touches in [false, true] {
        let mut field = in_play(exact());
        let taker = field.add(Side::Left, 9, [49.5, 0.0], 0.0);
        let mate = field.add(Side::Left, 10, [49.8, 0.6], 0.0);
        field.tell("ball 50 0").tell("mode indirect_free_kick_l").steps(2);
        field.order(taker, kick(1.0, 0.0)).step();
        assert_eq!(field.mode(), "play_on");
        let shooter = if touches { mate } else { taker };
        field.order(shooter, kick(100.0, 0.0));
        field.until(if touches { "goal_l" } else { "goal_kick_r" }, 3);
    }
}

/// Halves: the other side kicks off, all are in their halves; two level halves and two extra ones, then penalties.
#[test]
fn a_game_has_its_halves() {
    let mut params = exact();
    (params.server.half_time, params.server.extra_half_time) = (2, 1);
    params.server.penalty_shoot_outs = false;
    let mut field = Field::new(params);
    let left = field.add(Side::Left, 2, [-10.0, 0.0], 0.0);
    field.add(Side::Right, 2, [10.0, 0.0], 0.0);
    field.tell("start").step();
    assert_eq!((field.mode(), field.cycle()), ("kick_off_l", 0));
    field.order(left, dash(100.0)).step();
    assert!(field.datum(left, Datum::Stamina) < 8000.0);
    field.until("before_kick_off", 20);
    assert_eq!(field.cycle(), 20);
    assert!(field.has_said("half_time"));
    field.steps(3);
    assert_eq!((field.cycle(), field.stoppage()), (20, 3.0));
    field.tell("start").step();
    assert_eq!(field.mode(), "kick_off_r");
    assert_eq!(field.datum(left, Datum::Stamina), 8000.0);
    field.until("before_kick_off", 21);
    assert_eq!(field.cycle(), 40);
    assert!(field.has_said("time_extended"));
    field.tell("start").step();
    assert_eq!(field.mode(), "kick_off_l");
    field.until("before_kick_off", 11);
    assert_eq!(field.cycle(), 50);
    field.tell("start").step();
    field.until("time_over", 11);
    assert_eq!(field.cycle(), 60);
    assert!(field.has_said("time_up"));
}

/// With half_time -1 there is no end.
#[test]
fn a_game_without_end_goes_on() {
    let mut params = exact();
    params.server.half_time = -1;
    let mut field = Field::new(params);
    field.add(Side::Left, 2, [-10.0, 0.0], 0.0);
    field.tell("start").step();
    assert_eq!(field.mode(), "kick_off_l");
    field.steps(300);
    assert_eq!((field.mode(), field.cycle()), ("play_on", 300));
}

/// Without one team it is over after the normal halves.
#[test]
fn a_game_of_one_team_ends() {
    let mut params = exact();
    params.server.half_time = 1;
    (params.server.auto_mode, params.server.connect_wait, params.server.kick_off_wait) = (true, 5, 5);
    let mut field = Field::new(params);
    field.add(Side::Left, 2, [-10.0, 0.0], 0.0);
    field.until("time_over", 60);
    assert!(field.has_said("time_up_without_a_team"), "{:?}", field.said);
    assert_eq!(field.cycle(), 20);
}

/// At the first kick-off players get types of their own, the keeper first, each once in a team.
#[test]
fn types_are_given_at_the_first_kick_off() {
    let mut field = Field::new(SoccerParams::today());
    let players: Vec<u32> =
        (1..=11).map(|unum| field.add(Side::Right, unum, [3.0 * f64::from(unum), 5.0], 0.0)).collect();
    field.tell("goalie right 5").tell("type right 3 2").step();
    field.tell("start").step();
    let type_of = |player: u32| field.datum(player, Datum::PlayerType);
    assert_eq!((type_of(players[4]), type_of(players[2]), type_of(players[0])), (0.0, 2.0, 1.0));
    let mut types: Vec<i64> = players.iter().map(|&player| type_of(player) as i64).collect();
    types.sort_unstable();
    assert_eq!(types, (0..=10).collect::<Vec<_>>());
    assert!(field.has_said("player-type 1 3 2") && field.has_said("player-type 1 1 1"), "{:?}", field.said);

    // Who has not come has none.
    let mut field = Field::new(SoccerParams::today());
    for unum in [2, 5] {
        field.add(Side::Left, unum, [-3.0 * f64::from(unum), 5.0], 0.0);
    }
    field.tell("type left 9 4").step();
    field.tell("start").step();
    let told: Vec<_> = field.said.iter().filter(|said| said.starts_with("player-type")).collect();
    assert_eq!(told, ["player-type 0 5 1"]);
}

/// A foul on purpose against one who has the ball freezes it, and is seen with a probability: here always, with a card for one in the way.
#[test]
fn a_foul_is_punished() {
    let mut params = exact();
    params.server.foul_detect_probability = 1.0;
    let mut field = in_play(params);
    let tackler = field.add(Side::Left, 5, [-1.2, 0.0], 0.0);
    let victim = field.add(Side::Right, 9, [-0.5, 0.0], 0.0);
    field.tell("mode play_on").tell("ball 0 0").steps(2);
    for (card, is_there) in [("yellow_card_l_5", true), ("red_card_l_5", false)] {
        field.order(victim, dash(1.0)).step();
        field.order(tackler, BodyCommand::Tackle { direction_rad: 0.0, foul: true }).step();
        assert_eq!(field.mode(), "foul_charge_l");
        assert!(field.has_said(card), "{:?}", field.said);
        assert!(field.has_state(victim, state::FOUL_CHARGED));
        assert_eq!(field.datum(victim, Datum::FoulCycles), 4.0);
        assert_eq!(field.is_there(tackler), is_there);
        if is_there {
            field.steps(31);
            assert_eq!(field.mode(), "free_kick_r");
            field.tell("mode play_on").tell("ball 0 0");
            field.tell("move left 5 -1.2 0 0").tell("move right 9 -0.5 0 0").steps(12);
        }
    }
}

/// The ball that lies for drop_ball_time cycles in play is dropped.
#[test]
fn a_stuck_ball_is_dropped() {
    let mut field = Field::new(exact());
    field.add(Side::Left, 9, [-20.0, 0.0], 0.0);
    field.tell("mode play_on").tell("ball 3 4").step();
    field.until("play_on", 1).steps(101);
    assert!(field.has_said("drop_ball"), "{:?}", field.said);
}

/// Too many defenders for too long, if it is forbidden.
#[test]
fn illegal_defence_is_punished() {
    let mut params = exact();
    params.server.illegal_defense_number = 3;
    let (mut field, striker) = scene(params, [5.0, 0.0], 0.0);
    for unum in 2..5 {
        field.add(Side::Right, unum, [40.0, 3.0 * f64::from(unum)], 0.0);
    }
    field.order(striker, kick(20.0, 0.0)).step();
    field.until("illegal_defense_r", 21);
    close(field.ball(), [41.5, 0.0]);
    field.steps(31);
    assert_eq!(field.mode(), "free_kick_l");
}

/// A level game is decided by penalties: the winner is who scores, five kicks a side at most.
#[test]
fn a_shoot_out_decides() {
    let mut params = exact();
    (params.server.half_time, params.server.nr_extra_halfs) = (1, 0);
    params.server.nr_normal_halfs = 1;
    let mut field = Field::new(params);
    let mut taker = 0;
    for side in Side::BOTH {
        for unum in 1..=6 {
            let place = [-side.sign() * 3.0 * f64::from(unum), -8.0];
            field.add(side, unum, place, 0.0);
        }
    }
    field.tell("goalie left 1").tell("goalie right 1").tell("start").step();
    for _ in 0..3000 {
        let mode = field.mode();
        if mode == "time_over" {
            break;
        }
        // Left scores always, right never kicks.
        let [x, y] = field.ball();
        let side = x.signum();
        let heading = if x > 0.0 { 0.0 } else { std::f64::consts::PI };
        match mode {
            "penalty_setup_l" => {
                let unum = 2 + field.game.values[1] as u32;
                field.tell(&format!("move left {unum} {} {y} {heading}", x - 0.5 * side));
                taker = unum - 1;
            }
            "penalty_ready_l" => {
                field.order(taker, kick(100.0, 0.0));
            }
            // The whole way at once, beside the keeper.
            "penalty_taken_l" => {
                field.tell(&format!("ball {} 5 {} 0", 52.0 * side, 20.0 * side));
            }
            _ => {}
        }
        field.step();
    }
    assert_eq!(field.mode(), "time_over", "{:?}", field.said);
    assert!(field.has_said("penalty_winner_l"), "{:?}", field.said);
    let values = &field.game.values;
    assert!(values[1] >= 3.0 && values[3] == 0.0, "{values:?}");
}

/// Keepaway: an episode ends when the ball leaves the field, and begins anew.
#[test]
fn keepaway_begins_anew() {
    let mut params = exact();
    params.server.keepaway = true;
    let mut field = Field::new(params);
    for unum in 1..=3 {
        field.add(Side::Left, unum, [-f64::from(unum), 1.0], 0.0);
    }
    let taker = field.add(Side::Right, 1, [5.0, 5.0], 0.0);
    field.tell("start").step();
    assert_eq!(field.mode(), "play_on");
    close(field.ball(), [-6.0, 6.0]);
    let [x, y] = field.place(taker);
    assert!((-10.0..=-7.0).contains(&x) && (-10.0..=-7.0).contains(&y), "{x} {y}");
    field.tell("ball 9.9 0 20 0").steps(2);
    assert!(field.has_said("training Keepaway 1"));
    close(field.ball(), [-6.0, 6.0]);
}

/// Keepaway with halves ends as any game does, also where it starts by itself.
#[test]
fn keepaway_ends() {
    let mut params = exact();
    (params.server.keepaway, params.server.keepaway_start) = (true, 0);
    (params.server.half_time, params.server.nr_normal_halfs, params.server.nr_extra_halfs) = (1, 1, 0);
    params.server.penalty_shoot_outs = false;
    let mut field = Field::new(params);
    field.add(Side::Left, 1, [-1.0, 1.0], 0.0);
    field.add(Side::Right, 1, [5.0, 5.0], 0.0);
    field.until("play_on", 3).until("time_over", 12).steps(20);
    assert_eq!(field.mode(), "time_over", "{:?}", field.said);
}

/// A line that makes no sense is announced and changes nothing.
#[test]
fn wrong_lines_are_announced() {
    let mut field = Field::new(exact());
    field.tell("smile").tell("goalie left 12").tell("card right 3 red").steps(2);
    assert_eq!(field.mode(), "before_kick_off");
    assert_eq!(field.said.iter().filter(|said| said.starts_with('"')).count(), 2, "{:?}", field.said);
}

/// As in a log of the server's own (two halves of 2 s, auto_mode, nobody there): kick_off_l at 1, kick_off_r at 21, time_over at 40.
#[test]
fn a_game_of_nobody_goes_as_the_server_s_log_says() {
    let mut params = exact();
    (params.server.half_time, params.server.nr_extra_halfs) = (2, 0);
    (params.server.auto_mode, params.server.connect_wait, params.server.kick_off_wait) = (true, 30, 2);
    params.server.penalty_shoot_outs = false;
    let mut field = Field::new(params);
    let mut shown = Vec::new();
    let mut last = (0, "");
    for _ in 0..100 {
        field.step();
        let now = (field.cycle(), field.mode());
        // A log has no records of before_kick_off.
        if now.0 != last.0
            && now.1 != "before_kick_off"
            && shown.last().is_none_or(|&(_, mode)| mode != now.1)
        {
            shown.push(now);
        }
        last = now;
    }
    assert_eq!(shown, [(1, "kick_off_l"), (21, "kick_off_r"), (40, "time_over")]);
}

/// As a log of the server's own: a ball that is dropped at cycle 146 and lies is dropped again at 247.
#[test]
fn a_dropped_ball_is_dropped_again_when_the_server_s_log_says() {
    let mut field = in_play(exact());
    field.add(Side::Left, 9, [-20.0, 0.0], 0.0);
    field.tell("drop 10 5").step();
    let dropped = field.cycle();
    let drops = |field: &Field| field.said.iter().filter(|said| *said == "drop_ball").count();
    while drops(&field) < 2 {
        field.step();
    }
    assert_eq!(field.cycle() - dropped, 247 - 146);
}

/// Who leaves and comes back is as tired, as banned and as booked as it was.
#[test]
fn a_player_comes_back_as_it_has_left() {
    let mut field = in_play(exact());
    let robot = field.add(Side::Left, 5, [-20.0, 0.0], 0.0);
    field.step();
    field.tell("card left 5 yellow");
    for _ in 0..60 {
        field.order(robot, dash(100.0)).step();
    }
    field.order(robot, BodyCommand::Tackle { direction_rad: 0.0, foul: false }).step();
    let data = [Datum::Stamina, Datum::Effort, Datum::Recovery, Datum::Capacity, Datum::TackleCycles];
    let before = data.map(|datum| field.datum(robot, datum));
    assert!(before[0] < 5000.0 && before[4] > 5.0, "{before:?}");
    field.remove(robot).steps(3);
    let again = field.add(Side::Left, 5, [-15.0, 37.0], 0.0);
    field.step();
    let after = data.map(|datum| field.datum(again, datum));
    // One step's recovery later, which its capacity has paid for.
    let recovered = after[0] - before[0];
    assert!(recovered < 100.0 && before[3] - after[3] == recovered, "{before:?} {after:?}");
    assert_eq!(after[1..3], before[1..3]);
    assert!(after[4] >= before[4] - 1.0, "{before:?} {after:?}");
    field.tell("card left 5 yellow").step();
    assert!(field.has_said("red_card_l_5"), "the second yellow card");
}

/// A red card is for the whole game, whatever robot comes with the number.
#[test]
fn nobody_comes_back_after_a_red_card() {
    let mut field = in_play(exact());
    let robot = field.add(Side::Left, 5, [-20.0, 0.0], 0.0);
    field.step();
    field.tell("card left 5 red").step();
    assert!(!field.is_there(robot));
    let again = field.add(Side::Left, 5, [-15.0, 37.0], 0.0);
    field.step();
    assert!(!field.is_there(again));
}
