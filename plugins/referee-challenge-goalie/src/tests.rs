use super::*;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::view::WorldView;

const DT_SECS: f64 = 0.02;

/// A ball without friction and a keeper that does not move, with the referee that watches them.
struct Pitch {
    referee: Goalie,
    state: Shot,
    ball: Object,
    keeper: Object,
    steps: u64,
    score: Option<f64>,
    outcome: Option<String>,
}

impl Pitch {
    fn new() -> Self {
        let mut setup = RefereeSetup { dt_secs: DT_SECS, ..RefereeSetup::default() };
        (setup.world.balls, setup.world.robot_teams) = (1, vec![Some(0)]);
        let referee = Goalie::new(GoalieRules::default(), &setup).unwrap();
        let zero: Object = bytemuck::Zeroable::zeroed();
        let ball = Object { kind_code: 1, radius_m: 0.05, ..zero };
        let state = referee.initial_state();
        let keeper = Object { kind_code: 2, ..zero };
        Self { referee, state, ball, keeper, steps: 0, score: None, outcome: None }
    }

    fn step(&mut self, seed: u64) {
        self.ball.pose.x_m += self.ball.twist.x_m_s * DT_SECS;
        self.ball.pose.y_m += self.ball.twist.y_m_s * DT_SECS;
        let objects = [self.ball, self.keeper];
        let view = WorldView { step: self.steps, time_secs: 0.0, objects: &objects, shapes: &[] };
        let game = GameState::new(1, &self.referee.description());
        let noise = NoiseSeed::new(seed).key(NoiseOwner::new("referee"), self.steps);
        let input = RefereeInput {
            dt_secs: DT_SECS,
            view,
            contacts: &[],
            motion_data: &[],
            game: game.view(),
            commands: "",
            noise,
        };
        let mut orders = Orders::default();
        self.referee.judge(&mut self.state, &input, &mut orders).unwrap();
        self.steps += 1;
        for order in orders.iter() {
            match order.unwrap() {
                Order::PlaceBall { position: [x, y], velocity: [vx, vy], .. } => {
                    (self.ball.pose, self.ball.twist) = (Pose2::new(x, y, 0.0), Twist2::new(vx, vy, 0.0));
                }
                Order::PlaceRobot { pose, .. } => self.keeper.pose = pose,
                Order::Measure { name: "score", value, .. } => self.score = Some(value),
                Order::EndEpisode(outcome) => self.outcome = Some(outcome.into()),
                _ => {}
            }
        }
    }
}

/// CH25: with nobody in the way every shot is a goal, from wherever it is drawn.
#[test]
fn every_shot_is_on_target() {
    for seed in 0..200 {
        let mut pitch = Pitch::new();
        while pitch.outcome.is_none() {
            pitch.step(seed);
        }
        assert_eq!((pitch.outcome.as_deref(), pitch.score), (Some("goal"), Some(0.0)), "seed {seed}");
    }
}

/// CH25: a ball that is turned back is saved; a keeper that leaves its area has let it in.
#[test]
fn a_save_counts_and_leaving_the_area_does_not() {
    let mut pitch = Pitch::new();
    while pitch.ball.twist == Twist2::ZERO {
        pitch.step(1);
    }
    let mut left = Pitch { keeper: pitch.keeper, referee: Goalie { rules: pitch.referee.rules }, ..pitch };
    left.keeper.pose.x_m = 13.0;
    left.step(1);
    assert_eq!((left.outcome.as_deref(), left.score), (Some("left"), Some(0.0)));

    let mut saved = Pitch::new();
    while saved.ball.twist == Twist2::ZERO {
        saved.step(1);
    }
    saved.ball.twist.x_m_s = -1.0;
    saved.step(1);
    assert_eq!((saved.outcome.as_deref(), saved.score), (Some("saved"), Some(1.0)));
}
