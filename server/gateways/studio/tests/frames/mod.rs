//! A world made by hand, for the tests of those who show one.

use bytemuck::Zeroable;
use serde_json::Value;
use std::sync::Arc;
use touchline_plugin_api::game::{GameDescription, GameState};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::player::{ManipulatorStatus, RobotDescription};
use touchline_plugin_api::view::{NONE, Object, Role, Shape};
use touchline_sim::scenario::{PhysicsLaw, PluginChoice, Radio, RobotSpec, Surface, Team};
use touchline_sim::{Frame, Match, RobotFrame, RobotIdentity, Scenario};

pub fn scenario() -> Scenario {
    Scenario {
        gravity_m_s2: touchline_sim::scenario::GRAVITY_M_S2,
        name: "test-field".into(),
        seed: 7,
        dt_secs: 0.01,
        physics: PhysicsLaw::default(),
        surface: Surface::new(0.5, 0.5),
        teams: vec![
            Team { name: "blue".into(), colour: 0x0000ff, players: Vec::new() },
            Team { name: "yellow".into(), colour: 0xffff00, players: Vec::new() },
        ],
        fixtures: Vec::new(),
        balls: Vec::new(),
        robots: Vec::new(),
        referee: None,
        radio: Radio::default(),
        episode: None,
        limits: Default::default(),
    }
}

/// A wall, a ball, and a robot of two shapes, the second half a metre in front of its centre.
pub fn frame(step: u64) -> Frame {
    let robot_pose = Pose2::new(1.0, 2.0, std::f64::consts::FRAC_PI_2);
    let shape = |object, kind_code, pose: Pose2, half: [f64; 2], role: Role| Shape {
        x_m: pose.x_m,
        y_m: pose.y_m,
        cos: pose.theta_rad.cos(),
        sin: pose.theta_rad.sin(),
        half_x_m: half[0],
        half_y_m: half[1],
        kind_code,
        role_code: role.code(),
        object,
        team: NONE,
        colour: 0x123456,
        solid: 1,
        ..Shape::zeroed()
    };
    let object = |kind_code, number, pose, first_shape, shape_count, team| Object {
        pose,
        kind_code,
        number,
        team,
        first_shape,
        shape_count,
        ..Object::zeroed()
    };
    let spec = RobotSpec {
        model: "pioneer".into(),
        body: Vec::new(),
        mass_kg: 9.0,
        traction_m_s2: 3.0,
        colour: 0,
        motion: PluginChoice::new("differential", Value::Null),
        sensors: Vec::new(),
        manipulators: Vec::new(),
        commands: Default::default(),
    };
    Frame {
        revision: step,
        step,
        run: 0,
        noise_seed: Default::default(),
        time_secs: step as f64 * 0.01,
        objects: vec![
            object(0, NONE, Pose2::ORIGIN, 0, 1, NONE),
            object(1, 0, Pose2::new(-0.5, 0.25, 0.0), 1, 1, NONE),
            object(2, 4, robot_pose, 2, 2, 1),
        ],
        shapes: vec![
            shape(0, 0, Pose2::new(0.0, 3.0, 0.0), [4.0, 0.1], Role::Wall),
            shape(1, 1, Pose2::new(-0.5, 0.25, 0.0), [0.11, 0.11], Role::None),
            shape(2, 1, robot_pose, [0.22, 0.22], Role::None),
            shape(2, 0, robot_pose.compose(Pose2::new(0.5, 0.0, 0.0)), [0.05, 0.1], Role::None),
        ],
        robots: vec![RobotFrame {
            identity: Arc::new(RobotIdentity {
                number: 4,
                shirt: None,
                referee_data: Vec::new(),
                name: "yellow-1".into(),
                spec: Arc::new(spec),
                description: RobotDescription::default(),
                sensors: Vec::new(),
            }),
            object: 2,
            pose: robot_pose,
            heading: (0.0, 1.0),
            twist: Twist2::ZERO,
            command: Vec::new(),
            motion_data: Default::default(),
            manipulators: vec![ManipulatorStatus::default()],
            sensor_states: Vec::new(),
            sensor_data: Vec::new(),
            held: Vec::new(),
            player: Some("striker".into()),
            player_is_isolated: false,
            taken_by: None,
            annotations: Default::default(),
            reward: 0.0,
            fault: None,
            shadow: None,
        }],
        game: game([2, 1]),
        events: Default::default(),
        next_event: 0,
        messages: Default::default(),
        next_message: 0,
        messages_dropped: Default::default(),
        team_players: Vec::new(),
        annotations: Default::default(),
        around: Default::default(),
    }
}

/// The next tick of a world in which nothing moves; what does not change stays the same in memory.
pub fn after(frame: &Frame) -> Frame {
    Frame {
        revision: frame.revision + 1,
        step: frame.step + 1,
        time_secs: frame.time_secs + 0.01,
        ..frame.clone()
    }
}

/// A game after a minute, with these scores.
pub fn game(scores: [i64; 2]) -> Match {
    let game = Match::new(2, GameDescription::default());
    let mut state = GameState { clock_secs: 61.5, ..(*game).clone() };
    state.teams.iter_mut().zip(scores).for_each(|(team, score)| team.score = score);
    game.with_state(state)
}
