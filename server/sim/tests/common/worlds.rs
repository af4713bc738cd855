//! Worlds, robots and balls, made by hand.

use super::choice;
use std::sync::Arc;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::*;

pub fn primitive(outline: Outline, pose: Pose2) -> Primitive {
    Primitive { outline, pose, z_m: [0.0, 0.3], colour: None, surface: None }
}

pub fn wall(x_m: f64, y_m: f64, length_m: f64, width_m: f64) -> Fixture {
    let outline = Outline::Rectangle { length_m, width_m };
    Fixture {
        name: None,
        primitive: primitive(outline, Pose2::new(x_m, y_m, 0.0)),
        role: touchline_plugin_api::view::Role::Wall,
        solid: true,
        team: None,
    }
}

/// A room with walls 0.1 m thick round a free space of this size.
pub fn room(length_m: f64, width_m: f64) -> Vec<Fixture> {
    let (x, y) = (length_m / 2.0 + 0.05, width_m / 2.0 + 0.05);
    vec![
        wall(x, 0.0, 0.1, width_m + 0.2),
        wall(-x, 0.0, 0.1, width_m + 0.2),
        wall(0.0, y, length_m, 0.1),
        wall(0.0, -y, length_m, 0.1),
    ]
}

/// Slides without loss: the laws' free body.
pub const FREE_BALL: BallSpec = BallSpec {
    radius_m: 0.11,
    mass_kg: 0.43,
    rolling_resistance_m_s2: 0.0,
    drag_per_m: 0.0,
    sliding: None,
    bounce: 0.5,
    colour: 0xff_8000,
    surface: None,
};

pub fn ball(ball: BallSpec, position: [f64; 2], velocity: [f64; 2]) -> BallPlacement {
    BallPlacement { ball, position, velocity, vertical: Vertical::FLOOR }
}

pub fn disc_robot() -> RobotSpec {
    RobotSpec {
        model: "disc".into(),
        body: vec![primitive(Outline::circle(0.2), Pose2::ORIGIN)],
        mass_kg: 20.0,
        traction_m_s2: 6.0,
        colour: 0x30_3030,
        motion: choice("ideal"),
        sensors: vec![],
        manipulators: vec![],
        commands: Default::default(),
    }
}

/// A disc with a probe and a kicker whose plate comes out of its front.
pub fn equipped_robot() -> RobotSpec {
    let plate = primitive(Outline::Rectangle { length_m: 0.04, width_m: 0.2 }, Pose2::new(0.22, 0.0, 0.0));
    let kick = Kick {
        speed_m_s: 4.0,
        direction_rad: 0.0,
        direction_range_rad: None,
        elevation_rad: 0.0,
        elevation_range_rad: None,
        zone: Zone { pose: Pose2::new(0.33, 0.0, 0.0), size_m: [0.2, 0.3], height_m: 0.1 },
        recharge_secs: 1.0,
        delay_secs: 0.0,
        speed_scatter: 0.0,
        direction_scatter_rad: 0.0,
        scatter_growth_s_m: 0.0,
    };
    RobotSpec {
        sensors: vec![SensorSpec {
            id: "probe".into(),
            model: "test".into(),
            mount: Default::default(),
            follows: None,
            choice: choice("probe"),
            timing: Default::default(),
        }],
        manipulators: vec![ManipulatorSpec {
            name: "kicker".into(),
            states: vec![
                ManipulatorState {
                    name: "rest".into(),
                    shapes: vec![],
                    kick: None,
                    hold: None,
                    returns_after_secs: None,
                },
                ManipulatorState {
                    name: "kick".into(),
                    shapes: vec![plate],
                    kick: Some(kick),
                    hold: None,
                    returns_after_secs: Some(0.1),
                },
            ],
        }],
        ..disc_robot()
    }
}

pub fn empty_scenario() -> Scenario {
    Scenario {
        name: "test".into(),
        seed: 1,
        dt_secs: 0.01,
        physics: PhysicsLaw::default(),
        gravity_m_s2: GRAVITY_M_S2,
        surface: Surface::new(0.5, 0.5),
        teams: vec![
            Team { name: "blue".into(), colour: 0x00_00ff, players: Vec::new() },
            Team { name: "yellow".into(), colour: 0xff_ff00, players: Vec::new() },
        ],
        fixtures: vec![],
        balls: vec![],
        robots: vec![],
        referee: None,
        radio: Radio::default(),
        episode: None,
        limits: Limits::default(),
    }
}

/// Eight restless robots, one ball and a referee in a room: everything that has state.
pub fn busy_scenario() -> Scenario {
    let spec = Arc::new(equipped_robot());
    let robots = (0..8).map(|i| RobotPlacement {
        name: format!("robot-{i}"),
        team: Some(i % 2),
        spec: Arc::clone(&spec),
        pose: Some(Pose2::new(f64::from(i) - 3.5, f64::from(i % 3) - 1.0, 0.5 * f64::from(i))),
        player: Some(PlayerChoice { choice: choice("restless"), period_secs: 0.03 }),
    });
    let real = BallSpec { rolling_resistance_m_s2: 0.3, drag_per_m: 0.025, ..FREE_BALL };
    Scenario {
        fixtures: room(10.0, 5.0),
        balls: vec![ball(real, [0.0, 2.0], [1.0, -0.5])],
        robots: robots.collect(),
        referee: Some(choice("counting")),
        radio: Radio { range_m: 4.0, loss: 0.2, max_bytes: 64, ..Radio::default() },
        ..empty_scenario()
    }
}

/// The busy world in episodes of at most 200 steps: the first two robots decide from outside, start and ball are drawn.
pub fn episodic_scenario() -> Scenario {
    let mut scenario = busy_scenario();
    scenario.robots[0].player = None;
    scenario.robots[1].player = None;
    let still = [0.0; 2];
    let ranges = vec![
        PlacementRange {
            of: StartOf::Ball(0),
            x_m: [-4.0, 4.0],
            y_m: [1.5, 2.0],
            theta_rad: [-3.0, 0.0],
            speed_m_s: [0.0, 2.0],
            near: None,
        },
        PlacementRange {
            of: StartOf::Robot(0),
            x_m: [-4.5, -4.0],
            y_m: [-2.0, -1.0],
            theta_rad: [-3.0, 3.0],
            speed_m_s: still,
            near: None,
        },
    ];
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let observe = [
        "truth.pose",
        "truth.twist",
        "truth.ball-0",
        "truth.robot-5",
        "manipulators",
        "clock",
        "probe/probe",
    ];
    scenario.referee = Some(choice("paying"));
    scenario.episode = Some(EpisodeSpec {
        agents: vec![0, 1],
        decision_steps: 5,
        max_steps: 200,
        observe: words(&observe),
        act: words(&["drive", "kicker.kick"]),
        ranges,
        starts: vec![],
    });
    scenario
}
