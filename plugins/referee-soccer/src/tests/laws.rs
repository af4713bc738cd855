//! Bodies and ball by the closed forms of their laws, without noise. [spec 4, 6]

use super::field::{Field, exact};
use std::f64::consts::{FRAC_PI_2, PI};
use touchline_soccer_law::face::{BodyCommand, Datum, Leg, Side, Value, state};

fn dash(power: f64) -> BodyCommand {
    let leg = Leg { power, direction_rad: 0.0 };
    BodyCommand::Dash { left: leg, right: leg }
}

fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() < 1e-9, "{got} for {wanted}");
}

/// In play, with the ball far away from all.
fn in_play() -> Field {
    let mut field = Field::new(exact());
    field.tell("mode play_on").tell("ball 40 30").step();
    field
}

/// v' = 0.4 (v + 0.6) from rest: after n cycles at power 100 it is at the sum, and stamina falls by 100 - 45.
#[test]
fn a_player_that_dashes_follows_its_closed_form() {
    let mut field = in_play();
    let heading = 0.7f64;
    let runner = field.add(Side::Left, 7, [-30.0, -20.0], heading);
    let (mut way, mut speed) = (0.0, 0.0);
    for n in 1..=40 {
        field.order(runner, dash(100.0)).step();
        speed += 0.6;
        way += speed;
        speed *= 0.4;
        let [x, y] = field.place(runner);
        close(x, -30.0 + way * libm::cos(heading));
        close(y, -20.0 + way * libm::sin(heading));
        let [vx, vy] = field.velocity(runner);
        close(libm::hypot(vx, vy), speed);
        close(field.datum(runner, Datum::Stamina), 8000.0 - 55.0 * f64::from(n));
    }
    // 0.6 a cycle and 0.4 of it left: 1 m a cycle at the end.
    close(speed, 0.4);
    field.steps(30);
    let [x, y] = field.place(runner);
    close(libm::hypot(x + 30.0, y + 20.0), way + 0.4 / 0.6);
}

/// The moment is divided by 1 + 5 v; the neck turns exactly, with any other command.
#[test]
fn a_player_turns_by_its_inertia() {
    let mut field = in_play();
    let player = field.add(Side::Right, 3, [0.0, 0.0], 0.0);
    field.order_with_neck(player, BodyCommand::Turn { moment_rad: FRAC_PI_2 }, -0.5).step();
    close(field.heading(player), FRAC_PI_2);
    close(field.datum(player, Datum::Neck), -0.5);
    field.order(player, dash(100.0)).step();
    let [_, vy] = field.velocity(player);
    close(vy, 0.24);
    field.order_with_neck(player, BodyCommand::Turn { moment_rad: -1.0 }, -9.0).step();
    close(field.heading(player), FRAC_PI_2 - 1.0 / (1.0 + 5.0 * 0.24));
    close(field.datum(player, Datum::Neck), -FRAC_PI_2);
    // It goes straight on while it turns.
    close(field.place(player)[0], 0.0);
    close(field.place(player)[1], 0.6 + 0.24);
}

/// A kick that reaches: the ball goes by 0.027 a percent and decays; one that does not is a fault.
#[test]
fn a_kick_reaches_as_far_as_it_may() {
    for (gap, reaches) in [(0.6999, true), (0.7001, false)] {
        let mut field = in_play();
        let kicker = field.add(Side::Left, 9, [-0.385 - gap, 0.0], 0.0);
        field.tell("ball 0 0").step();
        field.order(kicker, BodyCommand::Kick { power: 50.0, direction_rad: FRAC_PI_2 }).step();
        assert!(field.has_state(kicker, state::KICK));
        assert_eq!(field.has_state(kicker, state::KICK_FAULT), !reaches);
        let speed = if reaches { 1.35 * (1.0 - 0.25 * gap / 0.7) } else { 0.0 };
        close(field.ball()[1], speed);
        close(field.ball_velocity()[1], 0.94 * speed);
        field.step();
        assert!(!field.has_state(kicker, state::KICK));
    }
}

/// Only one command of the body in a cycle, and none while it tackles: ten cycles after a tackle it obeys again.
#[test]
fn a_tackle_freezes_for_ten_cycles() {
    let mut field = in_play();
    let tackler = field.add(Side::Left, 9, [0.0, 0.0], 0.0);
    field.tell("ball 0.5 0").step();
    field.order(tackler, BodyCommand::Tackle { direction_rad: 0.0, foul: false }).step();
    assert!(field.has_state(tackler, state::TACKLE));
    close(field.ball()[0], 0.5 + 2.7);
    for left in (1..10).rev() {
        close(field.datum(tackler, Datum::TackleCycles), f64::from(left));
        field.order(tackler, dash(100.0)).step();
        close(field.place(tackler)[0], 0.0);
    }
    field.order(tackler, dash(100.0)).step();
    close(field.place(tackler)[0], 0.6);
}

/// The keeper goes to touch the ball and faces it, its side has a free kick, and it carries the ball; it may move twice with it.
#[test]
fn a_caught_ball_is_carried() {
    let mut field = in_play();
    let keeper = field.add(Side::Left, 1, [-45.0, 0.0], 0.0);
    field.tell("ball -44.2 0.3 0 0").tell("goalie left 1").step();
    assert!(field.has_said("goalie Some(0) 1") || field.has_said("goalie 0 1"), "{:?}", field.said);
    field.order(keeper, BodyCommand::Catch { direction_rad: 0.0 }).step();
    assert!(field.has_state(keeper, state::CATCH | state::GOALIE));
    assert!(!field.has_state(keeper, state::CATCH_FAULT));
    assert!(field.has_said("goalie_catch_ball_l"));
    assert_eq!(field.mode(), "free_kick_l");
    let direction = libm::atan2(0.3, 0.8);
    close(field.heading(keeper), direction);
    close(field.datum(keeper, Datum::CatchBan), 4.0);
    for place in [[-40.0, 5.0], [-41.0, 6.0], [-42.0, 7.0]] {
        field.order(keeper, BodyCommand::Move { place }).step();
    }
    let [x, y] = field.place(keeper);
    close(x, -41.0);
    close(y, 6.0);
    assert!(field.said.iter().any(|said| said.starts_with("too-many-moves")));
    close(field.ball()[0], -41.0 + 0.385 * libm::cos(direction));
    close(field.ball()[1], 6.0 + 0.385 * libm::sin(direction));
}

/// A goalkeeper that leaves lets go of the ball: it stays where it was, and whoever comes to its number does not hold it.
#[test]
fn who_leaves_lets_go_of_the_ball() {
    let mut field = in_play();
    let keeper = field.add(Side::Left, 1, [-45.0, 0.0], 0.0);
    field.tell("ball -44.2 0.3 0 0").tell("goalie left 1").step();
    field.order(keeper, BodyCommand::Catch { direction_rad: 0.0 }).step();
    let catcher = |field: &Field| field.game.values[Value::Catcher.index()];
    assert_eq!(catcher(&field), 1.0);
    field.remove(keeper).step();
    assert_eq!(catcher(&field), 0.0);
    let ball = field.ball();
    field.add(Side::Left, 1, [-40.0, 20.0], 0.0);
    field.steps(2);
    assert_eq!((catcher(&field), field.ball()), (0.0, ball));
}

/// The velocity that a trainer gives to the ball before the kick-off is shown, and the ball rolls with it when play begins.
#[test]
fn a_ball_waits_for_play_with_its_velocity() {
    let mut field = Field::new(exact());
    field.step().tell("ball 5 0 10 0").steps(4);
    assert_eq!(field.mode(), "before_kick_off");
    assert_eq!((field.ball(), field.ball_velocity()), ([5.0, 0.0], [1.0, 0.0]));
    field.tell("mode play_on").step();
    assert_eq!(field.ball(), [5.0, 0.0]);
    field.step();
    assert_eq!((field.ball(), field.ball_velocity()), ([6.0, 0.0], [0.94, 0.0]));
}

/// Who was put into a post comes out of it before it goes on, also at rest, and never goes into it again: the nearer it leads to the post, the farther back.
#[test]
fn who_is_in_a_post_comes_out_of_it() {
    let mut field = in_play();
    let player = field.add(Side::Left, 2, [0.0, 0.0], 0.0);
    // The post's middle is at (52.44, 7.07), it and a body touch at 0.36 m.
    for (velocity, wanted) in [("0 0", 52.08), ("2 0", 51.88), ("-2 0", 51.88)] {
        field.tell(&format!("move left 2 52.3 7.07 0 {velocity}")).steps(2);
        close(field.place(player)[0], wanted);
        close(field.place(player)[1], 7.07);
        assert!(field.has_state(player, state::POST_COLLIDE), "{velocity}");
    }
    field.step();
    assert!(!field.has_state(player, state::POST_COLLIDE));
    // The ball's is 0.145 m.
    field.tell("ball 52.44 7.2 0 -1").steps(2);
    close(field.ball()[1], 7.07 + 0.145 + 0.1);
    field.tell("ball 52.44 7.07 0 0").steps(2);
    close(libm::hypot(field.ball()[0] - 52.44, field.ball()[1] - 7.07), 0.145);
}

/// A ball out of reach is no catch, and the ban of five cycles counts all the same.
#[test]
fn a_missed_catch_is_banned_too() {
    let mut field = in_play();
    let keeper = field.add(Side::Left, 1, [-45.0, 0.0], PI);
    field.tell("ball -44.2 0").tell("goalie left 1").step();
    for ban in [4.0, 3.0, 2.0, 1.0, 0.0, 4.0] {
        field.order(keeper, BodyCommand::Catch { direction_rad: 0.0 }).step();
        assert!(field.has_state(keeper, state::CATCH_FAULT));
        close(field.datum(keeper, Datum::CatchBan), ban);
    }
}

/// In play who overlaps parts about the middle and goes back with a tenth; outside of play the ball stays.
#[test]
fn bodies_that_overlap_are_parted() {
    let mut field = in_play();
    let player = field.add(Side::Left, 5, [-0.285, 0.0], 0.0);
    field.tell("ball 0 0").step();
    // They overlap by 0.1 m where they were put; told in the same step, so it is the next one that parts them.
    field.step();
    close(field.place(player)[0], -0.285 - 0.05);
    close(field.ball()[0], 0.05);
    assert!(field.has_state(player, state::BALL_COLLIDE));

    let mut field = in_play();
    let player = field.add(Side::Left, 5, [-0.285, 0.0], 0.0);
    field.tell("ball 0 0").tell("mode free_kick_l").steps(2);
    close(field.place(player)[0], -0.385);
    close(field.ball()[0], 0.0);

    let mut field = in_play();
    let one = field.add(Side::Left, 5, [-1.1, 0.0], 0.0);
    let other = field.add(Side::Right, 5, [0.0, 0.0], 0.0);
    field.order(one, dash(100.0)).step();
    // -0.5 and 0: 0.1 m too near.
    close(field.place(one)[0], -0.55);
    close(field.place(other)[0], 0.05);
    close(field.velocity(one)[0], -0.1 * 0.24);
    assert!(field.has_state(other, state::PLAYER_COLLIDE));
}

/// Before the kick-off bodies only turn.
#[test]
fn before_the_kick_off_bodies_only_turn() {
    let mut field = Field::new(exact());
    let player = field.add(Side::Left, 2, [-10.0, 0.0], 0.0);
    field.order(player, dash(100.0)).step();
    assert_eq!(field.place(player), [-10.0, 0.0]);
    close(field.datum(player, Datum::Stamina), 7945.0);
    field.order(player, BodyCommand::Turn { moment_rad: 1.0 }).step();
    close(field.heading(player), 1.0);
    field.order(player, BodyCommand::Move { place: [-20.0, 4.0] }).step();
    assert_eq!(field.place(player), [-20.0, 4.0]);
    assert_eq!((field.mode(), field.cycle(), field.stoppage()), ("before_kick_off", 0, 3.0));
    assert!(!field.has_said("before_kick_off"), "that server says it at half-time alone");
}

/// Same seed, same game; another one, another game: with all noise.
#[test]
fn the_seed_decides() {
    let play = |seed: u64| {
        let mut field = Field::new(touchline_soccer_law::params::SoccerParams::today()).with_seed(seed);
        let players: Vec<u32> =
            (1..=11).map(|unum| field.add(Side::Left, unum, [-3.0 * f64::from(unum), 1.0], 0.3)).collect();
        field.tell("start").step();
        for cycle in 0..60 {
            for &player in &players {
                let kick = BodyCommand::Kick { power: 30.0, direction_rad: 0.1 };
                field.order(player, if cycle % 3 == 0 { kick } else { dash(90.0) });
            }
            field.step();
        }
        (
            players.iter().map(|&player| field.place(player)).collect::<Vec<_>>(),
            field.ball(),
            field.said.clone(),
        )
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3).0, play(4).0);
}
