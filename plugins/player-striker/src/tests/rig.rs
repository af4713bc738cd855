//! A robot, a ball and two goals on a floor without friction laws: enough to see whether a player plays.
//!
//! The field is 10 x 5 m, team 0 attacks towards +x. A ball that the robot runs into is pushed out of it, straight
//! ahead by its front, and stays where it is otherwise; a kicked ball rolls.

use crate::{Memory, Striker, StrikerParams};
use touchline_kit::data::{
    BallSighting, DataObject, GoalSighting, GoalSightings, Odometry, RobotSighting, RobotSightings, Sighting,
};
use touchline_plugin_api::container::{Mount, SensorCatalogue, SensorDescription};
use touchline_plugin_api::game::{GameDescription, GameState};
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{CommandDimension, CommandPart, MotionDescription};
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::{
    ManipulatorDescription, ManipulatorStatus, Player, PlayerInput, PlayerSetup, ReadingSpan, Readings,
    RobotDescription,
};
use touchline_plugin_api::radio::Inbox;
use touchline_plugin_api::view::WorldView;

pub const PERIOD_SECS: f64 = 0.03;
const ROBOT_M: f64 = 0.25;
const BALL_M: f64 = 0.11;
const GOALS: [[f64; 2]; 2] = [[-5.0, 0.0], [5.0, 0.0]];

/// One robot with its player.
pub struct Rig {
    pub player: Striker,
    pub memory: Memory,
    pub game: GameState,
    pub pose: Pose2,
    /// Where it was put: the origin of its odometry.
    pub start: Pose2,
    pub twist: Twist2,
    pub ball: [f64; 2],
    pub ball_velocity: [f64; 2],
    pub others: Vec<([f64; 2], u32)>,
    /// Half the camera's field of view, radians.
    pub half_view_rad: f64,
    /// Whether the robot moves at all.
    pub held: bool,
    pub kicks: usize,
    pub said: Vec<String>,
    /// What it has published, JSON.
    pub published: Vec<String>,
    pub catalogue: SensorCatalogue,
    pub steps: u64,
}

fn sensor(id: &str, layout: Layout, mount: Mount) -> SensorDescription {
    SensorDescription {
        id: id.into(),
        model: "any".into(),
        sensor_type: id.into(),
        plugin: id.into(),
        mount,
        layout,
        ..SensorDescription::default()
    }
}

pub fn setup(sideways: bool) -> PlayerSetup {
    let mut dimensions = vec![
        CommandDimension::symmetric("forward", "", 1.5, CommandPart::Forward),
        CommandDimension::symmetric("turn", "", 3.0, CommandPart::Turn),
    ];
    if sideways {
        dimensions.push(CommandDimension::symmetric("left", "", 1.5, CommandPart::Left));
    }
    let motion = MotionDescription { dimensions, ..MotionDescription::default() };
    let camera = Layout {
        features: vec![BallSighting::feature(), GoalSightings::feature(2), RobotSightings::feature(8)],
    };
    let odometry = Layout { features: vec![Odometry::feature(&motion)] };
    let sensors = vec![
        sensor("camera", camera, Mount { x_m: 0.1, z_m: 0.4, ..Mount::default() }),
        sensor("odometry", odometry, Mount::default()),
    ];
    let kicker = ManipulatorDescription { name: "kicker".into(), states: vec!["rest".into(), "kick".into()] };
    PlayerSetup {
        robot: RobotDescription {
            name: "blue-1".into(),
            team: Some(0),
            radius_m: ROBOT_M,
            motion,
            sensors: SensorCatalogue { sensors },
            manipulators: vec![kicker],
        },
        teams: vec!["blue".into(), "yellow".into()],
        period_secs: PERIOD_SECS,
        ..PlayerSetup::default()
    }
}

impl Rig {
    pub fn new(sideways: bool, pose: Pose2, ball: [f64; 2]) -> Self {
        Self::with(StrikerParams::default(), sideways, pose, ball)
    }

    pub fn with(params: StrikerParams, sideways: bool, pose: Pose2, ball: [f64; 2]) -> Self {
        let setup = setup(sideways);
        let player = Striker::new(params, &setup).unwrap();
        Self {
            memory: player.initial_state(),
            player,
            game: GameState::new(2, &GameDescription::default()),
            pose,
            start: pose,
            twist: Twist2::ZERO,
            ball,
            ball_velocity: [0.0; 2],
            others: Vec::new(),
            half_view_rad: 0.8,
            held: false,
            kicks: 0,
            said: Vec::new(),
            published: Vec::new(),
            catalogue: setup.robot.sensors,
            steps: 0,
        }
    }

    /// What the sensors say now.
    pub fn quantised(&self) -> (Vec<u32>, [ReadingSpan; 2]) {
        let camera = &self.catalogue.sensors[0];
        let eye = self.pose.compose(camera.mount.pose());
        let see = |at: [f64; 2]| {
            let bearing_rad = eye.bearing_rad(at);
            let distance_m = eye.distance_m(Pose2::new(at[0], at[1], 0.0));
            (bearing_rad.abs() < self.half_view_rad).then_some(Sighting { distance_m, bearing_rad })
        };
        let mut quantised = vec![0; camera.layout.len()];
        let features = &camera.layout.features;
        let (ball, rest) = quantised.split_at_mut(features[0].len());
        let (goals, robots) = rest.split_at_mut(features[1].len());
        BallSighting { ball: see(self.ball) }.encode(&features[0], ball).unwrap();
        let sighted = GOALS.map(|at| GoalSighting { centre: see(at), ..GoalSighting::default() });
        GoalSightings { goals: sighted.to_vec() }.encode(&features[1], goals).unwrap();
        let seen = self
            .others
            .iter()
            .filter_map(|&(at, team)| see(at).map(|sighting| RobotSighting { sighting, team: Some(team) }));
        RobotSightings { robots: seen.collect() }.encode(&features[2], robots).unwrap();

        let odometry = &self.catalogue.sensors[1].layout.features[0];
        let mut own = vec![0; odometry.len()];
        let reading =
            Odometry { pose: self.start.relative(self.pose), twist: self.twist, motion_data: vec![] };
        reading.encode(odometry, &mut own).unwrap();
        let split = quantised.len() as u32;
        let span = |start, len| ReadingSpan { start, len, stamp_secs: 0.0 };
        let spans = [span(0, split), span(split, own.len() as u32)];
        quantised.extend(own);
        (quantised, spans)
    }

    pub fn has_ball(&self) -> bool {
        let [x, y] = self.pose.point_to_inner(self.ball);
        x > 0.0 && x < ROBOT_M + BALL_M + 0.06 && y.abs() < 0.15
    }

    /// One call of the player; what it ordered.
    pub fn call(&mut self) -> Orders {
        let (quantised, spans) = self.quantised();
        let kicker =
            ManipulatorStatus { has_ball: u32::from(self.has_ball()), ..ManipulatorStatus::default() };
        let mut orders = Orders::default();
        let input = PlayerInput {
            robot: 1,
            elapsed_secs: if self.steps == 0 { 0.0 } else { PERIOD_SECS },
            readings: Readings {
                catalogue: &self.catalogue,
                spans: &spans,
                quantised: &quantised,
                stamp_secs: self.steps as f64 * PERIOD_SECS,
            },
            manipulators: &[kicker],
            inbox: Inbox::default(),
            motion_data: &[],
            game: self.game.view(),
            view: WorldView::new(self.steps, 0.0, &[], &[]),
            noise: NoiseKey::for_owner(1, "blue-1/player").at_step(self.steps),
        };
        self.player.sense_and_act(&mut self.memory, &input, &mut orders).unwrap();
        self.steps += 1;
        orders
    }

    /// One call, and the world moves on.
    pub fn step(&mut self) -> Twist2 {
        let orders = self.call();
        let mut wish = Twist2::ZERO;
        for order in orders.iter() {
            match order.unwrap() {
                Order::DriveTwist(twist) => wish = twist,
                Order::Say { text, .. } => self.said.push(text.into()),
                Order::Annotate { key: "plan", value } => self.published.push(value.into()),
                Order::Manipulate { manipulator: 0, state: 1, .. } => {
                    let (sin, cos) = sin_cos(self.pose.theta_rad);
                    self.ball_velocity = [4.0 * cos, 4.0 * sin];
                    self.kicks += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        let limited =
            |now: f64, wish: f64, rate: f64| now + (wish - now).clamp(-rate, rate) * PERIOD_SECS.min(1.0);
        if self.held {
            self.twist = Twist2::ZERO;
        } else {
            self.twist = Twist2 {
                x_m_s: limited(self.twist.x_m_s, wish.x_m_s, 3.0),
                y_m_s: limited(self.twist.y_m_s, wish.y_m_s, 3.0),
                turn_rad_s: limited(self.twist.turn_rad_s, wish.turn_rad_s, 12.0),
            };
            self.pose = self.pose.advanced(self.twist, PERIOD_SECS);
        }
        for (place, speed) in self.ball.iter_mut().zip(&mut self.ball_velocity) {
            *place += *speed * PERIOD_SECS;
            *speed *= 0.98;
        }
        // The front is flat and 0.3 m wide: a ball before it is pushed straight ahead.
        let [ahead_m, aside_m] = self.pose.point_to_inner(self.ball);
        if ahead_m > 0.0 && ahead_m < ROBOT_M + BALL_M && aside_m.abs() < 0.15 {
            self.ball = self.pose.point_to_outer([ROBOT_M + BALL_M, aside_m]);
        }
        let (dx, dy) = (self.ball[0] - self.pose.x_m, self.ball[1] - self.pose.y_m);
        let distance_m = libm::hypot(dx, dy);
        if distance_m < ROBOT_M + BALL_M {
            let factor = (ROBOT_M + BALL_M) / distance_m.max(1e-6);
            self.ball = [self.pose.x_m + dx * factor, self.pose.y_m + dy * factor];
        }
        wish
    }

    /// Whether the ball is in the opponent's goal.
    pub fn scored(&self) -> bool {
        self.ball[0] > 5.0 && self.ball[1].abs() < 1.0
    }
}
