use super::*;
use touchline_plugin_api::game::{GameDescription, GameState};
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::referee::ContactRecord;
use touchline_plugin_api::view::{NONE, Object, Role, Shape, WorldView};

const DT_SECS: f64 = 0.02;
const ATTACKER: usize = 2;
const KEEPER: usize = 3;

/// Half a field of 5 x 5 m: the goal of team 1 is 2 m wide and 0.5 m deep, behind x = 5.
struct Pitch {
    referee: Goalkeeper,
    state: Attack,
    game: GameState,
    objects: Vec<Object>,
    shapes: Vec<Shape>,
    contacts: Vec<ContactRecord>,
    outcome: Option<String>,
    told: Vec<String>,
    goals: Vec<u32>,
    /// What attacker and keeper were paid in all.
    paid: [f64; 2],
}

fn object(kind_code: u32, number: u32, x: f64, y: f64, radius_m: f64) -> Object {
    let zero: Object = bytemuck::Zeroable::zeroed();
    Object { kind_code, number, radius_m, pose: Pose2::new(x, y, 0.0), team: NONE, ..zero }
}

fn setup(teams: &[&str]) -> RefereeSetup {
    RefereeSetup {
        teams: teams.iter().map(ToString::to_string).collect(),
        dt_secs: DT_SECS,
        ..RefereeSetup::default()
    }
}

impl Pitch {
    fn new(params: GoalkeeperRules) -> Self {
        let referee = Goalkeeper::new(params, &setup(&["blue", "yellow"])).unwrap();
        let state = referee.initial_state();
        let zero: Shape = bytemuck::Zeroable::zeroed();
        let goal = Shape {
            x_m: 5.25,
            cos: 1.0,
            half_x_m: 0.25,
            half_y_m: 1.0,
            role_code: Role::Goal.code(),
            team: 1,
            ..zero
        };
        let fixtures = Object { shape_count: 1, ..object(0, NONE, 0.0, 0.0, f64::INFINITY) };
        let attacker = Object { team: 0, ..object(2, 7, 1.0, 0.0, 0.3) };
        let keeper = Object { team: 1, ..object(2, 9, 4.5, 0.0, 0.3) };
        Self {
            referee,
            state,
            game: GameState::new(2, &GameDescription::default()),
            objects: vec![fixtures, object(1, 0, 2.0, 0.0, 0.1), attacker, keeper],
            shapes: vec![goal],
            contacts: Vec::new(),
            outcome: None,
            told: Vec::new(),
            goals: Vec::new(),
            paid: [0.0; 2],
        }
    }

    fn at(&mut self, index: usize, x: f64, y: f64) {
        self.objects[index].pose = Pose2::new(x, y, 0.0);
    }

    fn ball(&mut self, x: f64, y: f64) {
        self.at(1, x, y);
    }

    fn touch(&mut self, a: usize, b: usize, began: u32) {
        self.contacts.push(ContactRecord { object_a: a as u32, object_b: b as u32, began, fixture: NONE });
    }

    /// One step; carries out the referee's orders as the world would.
    fn step(&mut self) {
        let game = self.game.clone();
        let input = RefereeInput {
            dt_secs: DT_SECS,
            view: WorldView::new(0, 0.0, &self.objects, &self.shapes),
            contacts: &self.contacts,
            waypoints: &[],
            motion_data: &[],
            game: game.view(),
            commands: "",
            noise: NoiseKey::default(),
        };
        let mut orders = Orders::default();
        self.referee.judge(&mut self.state, &input, &mut orders).unwrap();
        self.contacts.clear();
        for order in orders.iter() {
            match order.unwrap() {
                Order::Game(game) => game.write_to(&mut self.game),
                Order::Event { kind: "goal", team, .. } => self.goals.push(team),
                Order::Announce(text) => self.told.push(text.into()),
                Order::Reward { robot: 7, value } => self.paid[0] += value,
                Order::Reward { robot: 9, value } => self.paid[1] += value,
                Order::EndEpisode(outcome) => {
                    assert_eq!(self.outcome.replace(outcome.into()), None, "it ended twice");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    fn steps(&mut self, secs: f64) {
        (0..(secs / DT_SECS).round() as usize).for_each(|_| self.step());
    }

    fn outcome(&self) -> Option<&str> {
        self.outcome.as_deref()
    }
}

/// SL10: over the crossbar it is out.
#[test]
fn a_ball_over_the_crossbar_is_out() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    pitch.shapes[0].z_top_m = 1.0;
    pitch.ball(5.2, 0.5);
    pitch.objects[1].vertical.z_m = 1.1;
    pitch.steps(0.1);
    assert_eq!(pitch.outcome(), Some("out"));
}

/// B1: a goal is the ball's centre in the goal's area; it counts once, and pays the attacker what the keeper loses.
#[test]
fn a_goal_ends_the_attack_once() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    pitch.ball(4.99, 0.5);
    pitch.steps(0.1);
    assert_eq!((pitch.outcome(), pitch.paid), (None, [0.0; 2]));
    pitch.ball(5.01, 0.99);
    pitch.steps(0.2);
    assert_eq!((pitch.outcome(), pitch.paid), (Some("goal"), [1.0, -1.0]));
    assert_eq!((pitch.goals.as_slice(), pitch.game.score(0), pitch.game.score(1)), (&[0][..], 1, 0));
    assert_eq!(pitch.told, ["goal"]);
}

/// B1: out is behind any line of the half field: goal line beside the posts, side lines, halfway line.
#[test]
fn a_ball_behind_a_line_is_out() {
    for (x, y, is_out) in [
        (5.01, 1.01, true),
        (4.99, 1.01, false),
        (3.0, 2.51, true),
        (3.0, -2.51, true),
        (3.0, 2.49, false),
        (-0.01, 0.0, true),
        (0.01, 0.0, false),
    ] {
        let mut pitch = Pitch::new(GoalkeeperRules::default());
        pitch.ball(x, y);
        pitch.step();
        assert_eq!(pitch.outcome(), is_out.then_some("out"), "{x}, {y}");
        assert_eq!(pitch.paid[0], if is_out { -0.2 } else { 0.0 });
    }
}

/// B1: a ball that the keeper has touched and keeps within reach for a second is saved; one that only lies there is not.
#[test]
fn a_held_ball_is_saved() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    // The gap of the circles: 0.44 - 0.3 - 0.1 = 0.04 m.
    pitch.ball(4.06, 0.0);
    pitch.steps(2.0);
    assert_eq!(pitch.outcome(), None, "nobody has touched it");
    pitch.ball(3.9, 0.0);
    pitch.step();
    pitch.ball(4.06, 0.0);
    pitch.touch(1, KEEPER, 1);
    pitch.steps(0.98);
    assert_eq!(pitch.outcome(), None);
    pitch.step();
    assert_eq!((pitch.outcome(), pitch.paid), (Some("saved"), [-0.2, 0.2]));
}

/// B1: the time of holding begins anew when the ball gets free.
#[test]
fn a_ball_that_gets_free_is_not_held() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    for _ in 0..4 {
        pitch.ball(4.06, 0.0);
        pitch.touch(KEEPER, 1, 1);
        pitch.steps(0.6);
        pitch.ball(3.9, 0.0);
        pitch.steps(0.1);
    }
    assert_eq!(pitch.outcome(), None);
}

/// B1: a ball that the keeper touched last and that is a metre away is saved; if an attacker gets it before, it is not.
#[test]
fn a_cleared_ball_is_saved() {
    for (attacker_touches, outcome) in [(false, Some("saved")), (true, None)] {
        let mut pitch = Pitch::new(GoalkeeperRules::default());
        pitch.ball(4.1, 0.0);
        pitch.touch(1, KEEPER, 1);
        pitch.step();
        // The gap is 0.99 m.
        pitch.ball(4.5 - 1.39, 0.0);
        if attacker_touches {
            pitch.touch(1, ATTACKER, 1);
        }
        pitch.steps(0.5);
        assert_eq!(pitch.outcome(), None);
        pitch.ball(4.5 - 1.41, 0.0);
        pitch.step();
        assert_eq!(pitch.outcome(), outcome);
    }
}

/// B1: an attacker that touches the keeper and drives into it for 0.3 s fouls; one that stands or leaves does not.
#[test]
fn pushing_the_keeper_is_a_foul() {
    for (speed_m_s, outcome) in [(0.5, Some("foul")), (0.05, None), (-0.5, None)] {
        let mut pitch = Pitch::new(GoalkeeperRules::default());
        pitch.at(ATTACKER, 3.9, 0.0);
        pitch.objects[ATTACKER].twist.x_m_s = speed_m_s;
        pitch.steps(0.5);
        assert_eq!(pitch.outcome(), None, "it does not touch");
        pitch.touch(ATTACKER, KEEPER, 1);
        pitch.steps(0.28);
        assert_eq!(pitch.outcome(), None);
        pitch.step();
        assert_eq!(pitch.outcome(), outcome, "{speed_m_s} m/s");
    }
}

/// B1: touches of several shapes of a robot are counted: the push ends with the last of them.
#[test]
fn a_push_ends_when_nothing_touches() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    pitch.at(ATTACKER, 3.9, 0.0);
    pitch.objects[ATTACKER].twist.x_m_s = 1.0;
    pitch.touch(ATTACKER, KEEPER, 1);
    pitch.touch(ATTACKER, KEEPER, 1);
    pitch.steps(0.1);
    pitch.touch(ATTACKER, KEEPER, 0);
    pitch.steps(0.1);
    pitch.touch(ATTACKER, KEEPER, 0);
    pitch.steps(5.0);
    assert_eq!(pitch.outcome(), None);
    pitch.touch(ATTACKER, KEEPER, 1);
    pitch.steps(0.1);
    assert_eq!(pitch.outcome(), Some("foul"), "pushes of one attack add up");
    assert_eq!(pitch.paid, [-0.5, 0.5]);
}

/// B1: an attacker may cross the goal area, and not stay in it.
#[test]
fn staying_in_the_goal_area_is_a_foul() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    for (x, y) in [(4.6, 1.2), (4.4, 1.2), (4.6, -1.2), (4.6, -1.3)] {
        pitch.at(ATTACKER, x, y);
        pitch.steps(4.9);
    }
    assert_eq!(pitch.outcome(), None);
    pitch.at(ATTACKER, 4.6, 1.0);
    pitch.steps(5.0);
    assert_eq!(pitch.outcome(), Some("foul"));
    assert!(pitch.told[0].contains("robot 7 stays in the goal area"));
}

/// B1: the way of the ball towards the goal's mouth is paid, back and forth; that of the attacker until it has the ball.
#[test]
fn shaping_pays_for_the_way() {
    let mut pitch = Pitch::new(GoalkeeperRules {
        reward_progress_per_m: 0.1,
        reward_approach_per_m: 0.01,
        reward_per_s: -0.5,
        ..GoalkeeperRules::default()
    });
    pitch.step();
    assert!((pitch.paid[0] + 0.01).abs() < 1e-12, "the first look pays its time alone");
    pitch.at(ATTACKER, 1.5, 0.0);
    pitch.step();
    assert!((pitch.paid[0] - (0.005 - 0.02)).abs() < 1e-12);
    pitch.touch(ATTACKER, 1, 1);
    pitch.step();
    // From 3 m before the middle of the mouth to 0.5 m beside its post.
    pitch.ball(5.0, 1.5);
    pitch.step();
    assert!((pitch.paid[0] - (0.005 + 0.25 - 0.04)).abs() < 1e-12, "{:?}", pitch.paid);
    assert_eq!(pitch.paid[1], -pitch.paid[0]);
}

/// B1: after the objects were reset a new attack begins, with nothing left of the last one.
#[test]
fn a_reset_begins_a_new_attack() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    pitch.touch(1, KEEPER, 1);
    pitch.ball(5.2, 0.0);
    pitch.steps(0.2);
    assert_eq!(pitch.outcome.take().as_deref(), Some("goal"));
    pitch.game.episode += 1;
    pitch.ball(2.0, 0.0);
    pitch.steps(1.0);
    assert_eq!(pitch.outcome(), None, "the keeper's touch belongs to the last attack");
    pitch.ball(5.2, 0.0);
    pitch.step();
    assert_eq!((pitch.outcome(), pitch.game.score(0)), (Some("goal"), 2));
}

/// B1: without a keeper there are goals and balls that are out.
#[test]
fn a_goal_without_a_keeper_counts() {
    let mut pitch = Pitch::new(GoalkeeperRules::default());
    pitch.objects.pop();
    pitch.touch(1, ATTACKER, 1);
    pitch.steps(3.0);
    pitch.ball(5.2, 0.0);
    pitch.step();
    assert_eq!(pitch.outcome(), Some("goal"));
}

/// G1: what is wrong is named, all at once.
#[test]
fn wrong_parameters_are_all_named() {
    let params = GoalkeeperRules {
        goal_line_x_m: -1.0,
        hold_secs: 0.0,
        push_secs: f64::NAN,
        reward_goal: f64::INFINITY,
        ..GoalkeeperRules::default()
    };
    assert_eq!(params.check().unwrap_err().problems.len(), 4);
    assert!(Goalkeeper::new(GoalkeeperRules::default(), &setup(&["blue"])).is_err());
    let green = GoalkeeperRules { keeper_team: Some("green".into()), ..GoalkeeperRules::default() };
    assert!(Goalkeeper::new(green, &setup(&["blue", "yellow"])).is_err());
}

/// P6: the rules that every referee plugin keeps.
#[test]
fn it_keeps_the_contract() {
    touchline_plugin_testing::check_referee::<Goalkeeper>("{}");
    touchline_plugin_testing::check_referee::<Goalkeeper>(
        r#"{"keeper_team": "blue", "reward_per_s": -0.1, "reward_progress_per_m": 1.0, "reward_approach_per_m": 1.0}"#,
    );
}
