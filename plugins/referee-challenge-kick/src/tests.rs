use super::*;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::noise::{NoiseKey, NoiseOwner, NoiseSeed};
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::view::{Object, WorldView};

const DT_SECS: f64 = 0.02;

struct Pitch {
    referee: Kick,
    state: Attempt,
    seed: u64,
    ball: Object,
    robot: Object,
    steps: u64,
    measures: Vec<(String, f64)>,
    outcome: Option<String>,
}

fn setup() -> RefereeSetup {
    let mut setup = RefereeSetup { teams: vec!["team".into()], dt_secs: DT_SECS, ..RefereeSetup::default() };
    (setup.world.balls, setup.world.robot_teams) = (1, vec![Some(0)]);
    setup
}

impl Pitch {
    fn new(attempt: u32, seed: u64) -> Self {
        let referee =
            Kick::new(KickRules { attempt, attempts: 10, ..KickRules::default() }, &setup()).unwrap();
        let zero: Object = bytemuck::Zeroable::zeroed();
        let state = referee.initial_state();
        let (ball, robot) = (Object { kind_code: 1, ..zero }, Object { kind_code: 2, number: 4, ..zero });
        let mut pitch =
            Self { referee, state, seed, ball, robot, steps: 0, measures: Vec::new(), outcome: None };
        pitch.step();
        pitch
    }

    fn step(&mut self) {
        let key: NoiseKey = NoiseSeed::new(self.seed).key(NoiseOwner::new("referee"), self.steps);
        let objects = [self.ball, self.robot];
        let view = WorldView { step: self.steps, time_secs: 0.0, objects: &objects, shapes: &[] };
        let game = GameState::new(1, &self.referee.description());
        let input = RefereeInput {
            dt_secs: DT_SECS,
            view,
            contacts: &[],
            motion_data: &[],
            game: game.view(),
            commands: "",
            noise: key,
        };
        let mut orders = Orders::default();
        self.referee.judge(&mut self.state, &input, &mut orders).unwrap();
        self.steps += 1;
        for order in orders.iter() {
            match order.unwrap() {
                Order::PlaceBall { position: [x, y], .. } => self.ball.pose = Pose2::new(x, y, 0.0),
                Order::PlaceRobot { pose, .. } => self.robot.pose = pose,
                Order::Measure { name, value, .. } => self.measures.push((name.into(), value)),
                Order::EndEpisode(outcome) => self.outcome = Some(outcome.into()),
                _ => {}
            }
        }
    }

    fn measure(&self, name: &str) -> f64 {
        self.measures.iter().find(|(known, _)| known == name).unwrap().1
    }
}

/// CH22: the distances grow evenly from 3 to 12 m, in a cone of 45 degrees of the own half, with the robot 1 m behind.
#[test]
fn starts_are_in_the_cone_at_growing_distances() {
    for (seed, attempt) in (0..40).zip((0..10).cycle()) {
        let Pitch { ball, robot, .. } = Pitch::new(attempt, seed);
        let (ball, behind) = ([ball.pose.x_m, ball.pose.y_m], [robot.pose.x_m, robot.pose.y_m]);
        let far_m = distance_m(ball, [0.0; 2]);
        assert!((far_m - (3.0 + f64::from(attempt))).abs() < 1e-9);
        assert!(ball[0] < 0.0 && (ball[1] / ball[0]).abs() <= 2.0_f64.sqrt() - 1.0 + 1e-9);
        assert!((distance_m(ball, behind) - 1.0).abs() < 1e-9);
        assert!(robot.pose.bearing_rad(ball).abs() < 1e-9 && robot.pose.bearing_rad([0.0; 2]).abs() < 1e-9);
    }
    assert_eq!(Pitch::new(3, 7).ball.pose, Pitch::new(3, 7).ball.pose);
    assert_ne!(Pitch::new(3, 7).ball.pose, Pitch::new(3, 8).ball.pose);
}

/// CH22: a ball that rests outside of the circle is measured; while it rolls, nothing is over.
#[test]
fn a_resting_ball_is_measured() {
    let mut pitch = Pitch::new(0, 1);
    pitch.ball.pose = Pose2::new(0.3, -0.4, 0.0);
    pitch.ball.twist = Twist2::new(0.5, 0.0, 0.0);
    pitch.step();
    assert_eq!(pitch.outcome, None);
    pitch.ball.twist = Twist2::ZERO;
    pitch.step();
    assert_eq!(pitch.outcome.as_deref(), Some("rest"));
    assert!((pitch.measure("score") - 0.5).abs() < 1e-12 && pitch.measure("penalty") == 0.0);
    pitch.step();
    assert_eq!(pitch.measures.len(), 3, "an attempt is counted once");
}

/// CH22: the clock starts after 3 s, and the ball has 5 s from then.
#[test]
fn who_waits_has_not_kicked() {
    let mut pitch = Pitch::new(2, 1);
    while pitch.outcome.is_none() {
        pitch.step();
    }
    assert_eq!(pitch.outcome.as_deref(), Some("not-kicked"));
    assert!((pitch.steps as f64 * DT_SECS - 8.0).abs() < 3.0 * DT_SECS, "{} steps", pitch.steps);
    assert!((pitch.measure("score") - 5.0).abs() < 1e-9, "it lies where it lay");
}

/// CH22: a robot that leaves the circle ends its attempt and pays 5 m.
#[test]
fn who_leaves_pays() {
    let mut pitch = Pitch::new(0, 1);
    pitch.robot.pose = Pose2::new(1.0, 0.0, 0.0);
    pitch.step();
    assert_eq!(pitch.outcome.as_deref(), Some("left"));
    assert!((pitch.measure("score") - 8.0).abs() < 1e-9 && pitch.measure("penalty") == 1.0);
}
