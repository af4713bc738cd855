//! Agents' tasks: half field offense, goals that are paid, and bodies that agents decide for. (G1)

use super::field::{Field, exact};
use touchline_soccer_law::face::{AgentCommand, BodyCommand, Datum, HighLevel, Leg, Side};
use touchline_soccer_law::params::{SoccerParams, Task};

fn half_field() -> SoccerParams {
    let mut params = exact();
    params.server.half_time = -1;
    params.task.pays = Task::HalfField;
    params
}

fn ends(field: &Field) -> Vec<&str> {
    field.said.iter().filter_map(|said| said.strip_prefix("end ")).collect()
}

/// Steps until an episode has ended; how many steps that took.
fn until_end(field: &mut Field, most: u32) -> u32 {
    (1..=most).find(|_| !ends(field.step()).is_empty()).unwrap_or_else(|| panic!("{:?}", field.said))
}

/// A ball of 2.7 m a cycle is behind the line in its first cycle: the left team is paid, the right one pays.
#[test]
fn a_goal_ends_and_pays() {
    let mut field = Field::new(half_field());
    let attacker = field.add(Side::Left, 9, [40.0, 0.0], 0.0);
    let keeper = field.add(Side::Right, 1, [45.0, 20.0], 0.0);
    field.step().tell("ball 51 1 27 0").step();
    assert_eq!(field.mode(), "play_on");
    assert_eq!(until_end(&mut field, 3), 1, "it crosses in the next step");
    assert_eq!(ends(&field), ["goal"]);
    for (robot, value) in [(attacker, 1), (keeper, -1)] {
        assert!(field.has_said(&format!("reward {robot} {value}")), "{:?}", field.said);
    }
    assert_eq!(field.game.teams[0].score, 1);
}

/// A ball beside the goal, over the touch line or back in the other half is out, and nobody gets it: as in the benchmark the cycle after.
#[test]
fn a_ball_that_leaves_the_half_is_out() {
    for order in ["ball 51 12 27 0", "ball 20 33.5 0 20", "ball 0.5 0 -10 0"] {
        let mut field = Field::new(half_field());
        field.add(Side::Left, 9, [40.0, 0.0], 0.0);
        field.step().tell(order).step();
        assert_eq!((until_end(&mut field, 4), ends(&field)), (2, vec!["out"]), "{order}");
        assert_eq!(field.mode(), "play_on");
        assert!(!field.said.iter().any(|said| said.starts_with("reward")), "{:?}", field.said);
    }
}

/// The defence captures the ball by being at it for four cycles in all since an attacker was there alone; a goalkeeper at once.
#[test]
fn the_defence_captures_the_ball() {
    let mut field = Field::new(half_field());
    field.add(Side::Right, 2, [30.0, 0.0], 0.0);
    field.step().tell("ball 30.5 0").step();
    // Four cycles at it, and it is said in the fifth.
    assert_eq!((until_end(&mut field, 9), ends(&field)), (5, vec!["captured"]));
    let mut field = Field::new(half_field());
    let keeper = field.add(Side::Right, 1, [30.0, 0.0], 0.0);
    field.tell("goalie right 1").step().tell("ball 30.5 0").step();
    assert_eq!((until_end(&mut field, 9), ends(&field)), (1, vec!["captured"]), "keeper {keeper}");
}

/// Nobody at the ball for more than 100 cycles.
#[test]
fn nothing_happens_for_so_long() {
    let mut field = Field::new(half_field());
    field.add(Side::Left, 9, [40.0, 0.0], 0.0);
    field.tell("ball 20 0").step();
    // 101 cycles are more than 100, and the next one sees it.
    assert_eq!((until_end(&mut field, 200), ends(&field)), (101, vec!["untouched"]));
}

/// Goals of the whole game are paid to all, and the game goes on with the other team's kick-off.
#[test]
fn goals_of_the_whole_game_pay() {
    let mut params = exact();
    params.task.pays = Task::Goals;
    let mut field = Field::new(params);
    let left = field.add(Side::Left, 9, [-10.0, 0.0], 0.0);
    let right = field.add(Side::Right, 9, [10.0, 0.0], 0.0);
    field.tell("mode play_on").step().tell("ball -51 1 -27 0").steps(2);
    assert_eq!(field.mode(), "goal_r");
    assert!(field.has_said(&format!("reward {left} -1")) && field.has_said(&format!("reward {right} 1")));
    field.until("kick_off_l", 60);
    assert!(ends(&field).is_empty());
}

/// What an agent says with its own numbers is what a client says with a body's.
#[test]
fn an_agent_s_choice_is_a_body_s_command() {
    let leg = Leg { power: 70.0, direction_rad: 0.4 };
    let said = [
        ([0.0, 0.0, 1.5, 70.0, 0.4, 0.2], BodyCommand::Dash { left: leg, right: leg }),
        ([0.0, 0.0, 2.0, 70.0, 0.4, 0.2], BodyCommand::Turn { moment_rad: 0.4 }),
        ([0.0, 0.0, 3.9, 70.0, 0.4, 0.2], BodyCommand::Tackle { direction_rad: 0.4, foul: false }),
        ([5.5, 0.0, 5.0, 70.0, 0.4, 0.2], BodyCommand::Kick { power: 70.0, direction_rad: 0.4 }),
    ];
    for (numbers, command) in said {
        let played = [true, false].map(|by_agent| {
            let mut field = Field::new(exact());
            let body = field.add(Side::Left, 9, [-10.0, 0.0], 0.3);
            field.tell("mode play_on").tell("ball -9.4 0.1").step();
            if by_agent {
                field.decide(body, numbers);
            } else {
                field.order_with_neck(body, command, 0.2);
            }
            field.steps(2);
            (field.place(body), field.heading(body), field.ball())
        });
        assert_eq!(played[0], played[1], "{command:?}");
    }
}

/// An action that the body works out itself, decided anew in each cycle; `target` is from 1.
fn high(action: HighLevel, target: f64) -> [f64; AgentCommand::DIMENSIONS.len()] {
    let number = HighLevel::ALL.iter().position(|other| *other == action).unwrap();
    [number as f64 + 0.5, target - 0.5, 0.0, 0.0, 0.0, 0.0]
}

/// A field in play, to which players come: before a kick-off each is put into its half.
fn playing() -> Field {
    let mut field = Field::new(exact());
    field.tell("mode play_on").step();
    field
}

/// Shoot scores on an empty goal, from both sides of the field; Dribble brings the ball forward; Pass brings it to its target.
#[test]
fn high_level_actions_do_what_they_say() {
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let mut field = playing();
        let body = field.add(side, 9, [sign * 40.0, 3.0], 0.0);
        field.tell(&format!("ball {} 3", sign * 40.5)).step();
        for _ in 0..40 {
            field.decide(body, high(HighLevel::Shoot, 1.0)).step();
        }
        assert_eq!(field.game.teams[side.team() as usize].score, 1, "{side:?}: {:?}", field.said);

        let mut field = playing();
        let body = field.add(side, 9, [sign * 10.0, 3.0], if sign > 0.0 { 0.0 } else { 3.0 });
        field.tell(&format!("ball {} 3", sign * 10.5)).step();
        for _ in 0..60 {
            field.decide(body, high(HighLevel::Dribble, 1.0)).step();
            field.decide(body, high(HighLevel::GoToBall, 1.0)).step();
        }
        assert!(sign * field.ball()[0] > 18.0, "{side:?}: {:?}", field.ball());

        let mut field = playing();
        let body = field.add(side, 9, [sign * 10.0, 3.0], 0.0);
        let other = field.add(side, 10, [sign * 20.0, 15.0], 0.0);
        field.add(side, 11, [sign * 20.0, -15.0], 0.0);
        field.tell(&format!("ball {} 3", sign * 10.5)).step();
        let mut nearest = f64::INFINITY;
        for _ in 0..30 {
            field.decide(body, high(HighLevel::Pass, 10.0)).step();
            let ([x, y], [bx, by]) = (field.place(other), field.ball());
            nearest = nearest.min(libm::hypot(x - bx, y - by));
        }
        assert!(nearest < 1.5, "{side:?}: the pass comes no nearer than {nearest} m");
    }
}

/// What cannot be done does nothing: a shot without the ball, a catch by who is no goalkeeper, a mark of nobody; and a body that lies after a tackle goes nowhere.
#[test]
fn what_cannot_be_done_does_nothing() {
    let mut field = Field::new(exact());
    let body = field.add(Side::Left, 9, [-10.0, 0.0], 0.3);
    field.tell("mode play_on").tell("ball 20 0").step();
    let before = (field.place(body), field.heading(body));
    for action in [HighLevel::Shoot, HighLevel::Pass, HighLevel::Dribble, HighLevel::Catch, HighLevel::Mark] {
        field.decide(body, high(action, 5.0)).step();
        assert_eq!((field.place(body), field.heading(body)), before, "{action:?}");
    }
    field.order(body, BodyCommand::Tackle { direction_rad: 0.0, foul: false }).step();
    field.decide(body, high(HighLevel::GoToBall, 1.0)).steps(2);
    assert_eq!((field.place(body), field.heading(body)), before, "it lies");
    field.steps(10).decide(body, high(HighLevel::GoToBall, 1.0)).steps(2);
    assert_ne!((field.place(body), field.heading(body)), before);
}

fn keepaway() -> SoccerParams {
    let mut params = exact();
    (params.server.half_time, params.server.keepaway) = (-1, true);
    params.keepaway.chooser = 1;
    params
}

/// G1: an episode that ends by its time, of which the referee is not told, leaves nothing to the next: neither the cycles for which the defence had the ball, nor where the ball was,
/// nor tired, fallen or banned bodies.
#[test]
fn an_episode_that_the_time_ends_leaves_nothing_behind() {
    let leg = Leg { power: 100.0, direction_rad: 0.0 };
    for params in [half_field(), keepaway()] {
        let mut field = Field::new(params);
        let body = field.add(Side::Left, 1, [5.0, 5.0], 0.0);
        let taker = field.add(Side::Right, 2, [5.0, -5.0], 0.0);
        let goalie = field.add(Side::Right, 1, [8.0, 8.0], 0.0);
        let fallen = field.add(Side::Right, 3, [8.0, -8.0], 0.0);
        field.tell("goalie right 1").tell("ball 1 1").step();
        for _ in 0..20 {
            field.order(taker, BodyCommand::Dash { left: leg, right: leg }).step();
        }
        field.reset([1.0, 1.0], &[(body, [5.0, 5.0]), (taker, [5.0, -5.0]), (goalie, [8.0, 8.0])]).step();
        assert_eq!(field.datum(taker, Datum::Stamina), 8000.0, "it has rested");
        // Three cycles of the four, with a fallen body and a catch.
        field.said.clear();
        field.reset([5.5, -5.0], &[(taker, [5.0, -5.0])]);
        field.order(fallen, BodyCommand::Tackle { direction_rad: 0.0, foul: false });
        field.order(goalie, BodyCommand::Catch { direction_rad: 0.0 });
        field.steps(3);
        assert!(field.datum(fallen, Datum::TackleCycles) > 0.0);
        assert!(ends(&field).is_empty(), "{:?}", field.said);
        field.reset([5.5, -5.0], &[(taker, [5.0, -5.0])]).step();
        assert_eq!(field.datum(fallen, Datum::TackleCycles), 0.0, "it stands");
        assert_eq!(field.datum(goalie, Datum::CatchBan), 0.0, "it may catch");
        assert_eq!((until_end(&mut field, 9), ends(&field).len()), (4, 1), "{:?}", field.said);
    }
}

/// G1: a whole game that is an agent's task begins anew with each episode: score, clock, kick-off and bodies, also after its last half.
#[test]
fn a_whole_game_as_a_task_begins_anew() {
    let mut params = exact();
    params.task.pays = Task::Goals;
    let server = &mut params.server;
    (server.half_time, server.nr_normal_halfs, server.nr_extra_halfs, server.penalty_shoot_outs) =
        (1, 1, 0, false);
    let mut field = Field::new(params);
    let left = field.add(Side::Left, 9, [-10.0, 0.0], 0.0);
    field.add(Side::Right, 9, [10.0, 0.0], 0.0);
    field.tell("mode play_on").step().tell("ball -51 1 -27 0").steps(2);
    assert_eq!((field.mode(), field.game.teams[1].score), ("goal_r", 1));
    // Whose goal it was has the ball, and no reset of the world was asked for.
    field.until("kick_off_l", 60);
    field.tell("mode play_on").steps(5);
    let leg = Leg { power: 100.0, direction_rad: 0.0 };
    field.order(left, BodyCommand::Dash { left: leg, right: leg }).step();
    field.reset([0.0, 0.0], &[(left, [-10.0, 0.0])]).step();
    assert_eq!((field.mode(), field.game.teams[1].score), ("before_kick_off", 0));
    assert_eq!(field.datum(left, Datum::Stamina), 8000.0);
    // A game of a second is soon over; the next episode plays all the same.
    field.tell("mode play_on");
    field.until("time_over", 200);
    field.reset([0.0, 0.0], &[(left, [-10.0, 0.0])]).step();
    assert_eq!(field.mode(), "before_kick_off");
    field.tell("mode play_on").steps(3);
    assert_eq!(field.mode(), "play_on");
}

/// G1: a ball that has just gone out when the time is up is not out in the next episode.
#[test]
fn a_ball_of_the_last_episode_is_not_out() {
    let mut field = Field::new(half_field());
    let attacker = field.add(Side::Left, 9, [20.0, 0.0], 0.0);
    field.step().tell("ball 20 33.5 0 20").steps(2);
    assert_eq!((ends(&field).len(), field.ball()[1] > 34.0), (0, true), "that is seen a cycle later");
    field.reset([20.5, 0.0], &[(attacker, [20.0, 0.0])]).steps(5);
    assert!(ends(&field).is_empty(), "{:?}", field.said);
}
