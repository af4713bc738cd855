//! A referee with one ball and some robots that a test moves by hand: what it places is placed, what it measures is kept.

use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::motion::MAX_MOTION_DATA;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::DataRecord;
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::view::{Object, WorldView};

/// The length of a step, seconds.
pub const PITCH_DT_SECS: f64 = 0.02;

/// Objects without shapes and without physics: in each step they go on as fast as they are, and then the referee judges.
pub struct Pitch<R: Referee> {
    referee: R,
    state: R::State,
    seed: u64,
    /// The ball; its radius is 0.05 m.
    pub ball: Object,
    /// The robots, by their numbers, which begin at 0; each has a radius of 0.15 m.
    pub robots: Vec<Object>,
    /// What the robots' motion models publish of what the referee's description names; NaN at first.
    pub motion_data: Vec<DataRecord>,
    /// The game as the referee has said it last.
    pub game: GameState,
    /// How many steps were made.
    pub steps: u64,
    /// What was measured, in that order.
    pub measures: Vec<(String, f64)>,
    /// With which word it was ended.
    pub outcome: Option<String>,
    /// Whose drive is held.
    pub held: Vec<bool>,
}

impl<R: Referee> Pitch<R> {
    /// A world with a ball and one robot for each entry of `teams`, before the first step.
    ///
    /// # Panics
    /// When the referee refuses its parameters.
    pub fn new(rules: R::Params, teams: &[u32], seed: u64) -> Self {
        let mut setup = RefereeSetup { dt_secs: PITCH_DT_SECS, ..RefereeSetup::default() };
        setup.world.balls = 1;
        setup.world.robot_teams = teams.iter().map(|&team| Some(team)).collect();
        let referee = R::new(rules, &setup).expect("the rules are refused");
        let zero: Object = bytemuck::Zeroable::zeroed();
        let robot = |(number, &team): (u32, &u32)| {
            let shirt = teams[..=number as usize].iter().filter(|&&other| other == team).count() as u32;
            Object { kind_code: 2, number, team, shirt, radius_m: 0.15, ..zero }
        };
        let data = |number| DataRecord {
            robot: number,
            len: referee.description().motion_data.len() as u32,
            values: [f64::NAN; MAX_MOTION_DATA],
        };
        let count = teams.iter().copied().max().map_or(0, |team| team as usize + 1);
        Self {
            state: referee.initial_state(),
            seed,
            ball: Object { kind_code: 1, radius_m: 0.05, ..zero },
            robots: (0..).zip(teams).map(robot).collect(),
            motion_data: (0..teams.len() as u32).map(data).collect(),
            game: GameState::new(count, &referee.description()),
            steps: 0,
            measures: Vec::new(),
            outcome: None,
            held: vec![false; teams.len()],
            referee,
        }
    }

    /// Moves everything, and lets the referee judge.
    ///
    /// # Panics
    /// When it fails.
    pub fn step(&mut self) {
        for object in self.robots.iter_mut().chain([&mut self.ball]) {
            object.pose.x_m += object.twist.x_m_s * PITCH_DT_SECS;
            object.pose.y_m += object.twist.y_m_s * PITCH_DT_SECS;
        }
        let objects: Vec<Object> = std::iter::once(self.ball).chain(self.robots.iter().copied()).collect();
        let noise = NoiseSeed::new(self.seed).key(NoiseOwner::new("referee"), self.steps);
        let time_secs = self.steps as f64 * PITCH_DT_SECS;
        let input = RefereeInput {
            dt_secs: PITCH_DT_SECS,
            view: WorldView::new(self.steps, time_secs, &objects, &[]),
            contacts: &[],
            waypoints: &[],
            motion_data: &self.motion_data,
            game: self.game.view(),
            commands: "",
            noise,
        };
        let mut orders = Orders::default();
        self.referee.judge(&mut self.state, &input, &mut orders).expect("the referee fails");
        self.steps += 1;
        orders.iter().for_each(|order| self.obey(&order.expect("an order can be read")));
    }

    /// Steps until the referee ends it, or so many times.
    pub fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            if self.outcome.is_some() {
                return;
            }
            self.step();
        }
    }

    fn obey(&mut self, order: &Order<'_>) {
        match *order {
            Order::PlaceBall { position: [x, y], velocity: [vx, vy], vertical, .. } => {
                (self.ball.pose, self.ball.twist) = (Pose2::new(x, y, 0.0), Twist2::new(vx, vy, 0.0));
                self.ball.vertical = vertical;
            }
            Order::PlaceRobot { robot, pose, .. } => self.robots[robot as usize].pose = pose,
            Order::HoldRobot { robot, held } => self.held[robot as usize] = held,
            Order::Measure { name, value, .. } => self.measures.push((name.into(), value)),
            Order::EndEpisode(outcome) => self.outcome = Some(outcome.into()),
            Order::Game(ref said) => self.game = said.to_state(),
            _ => {}
        }
    }

    /// What was measured under this name; `None` if nothing was.
    pub fn measure(&self, name: &str) -> Option<f64> {
        self.measures.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}
