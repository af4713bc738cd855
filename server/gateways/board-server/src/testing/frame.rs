//! The one state of the world, made by hand.

use super::plugins::Readings;
use std::sync::Arc;
use touchline_kit::data::{BallSighting, LaserScan};
use touchline_plugin_api::container::{Mount, SensorCatalogue, SensorDescription};
use touchline_plugin_api::game::{GameDescription, GameState, GameValue, Restart};
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, MAX_MOTION_DATA, MotionDatum, MotionDescription,
};
use touchline_plugin_api::noise::NoiseOwner;
use touchline_plugin_api::player::{ManipulatorDescription, ManipulatorStatus, RobotDescription};
use touchline_plugin_api::radio::{Channel, Sender};
use touchline_plugin_api::view::{NONE, Object, ObjectKind};
use touchline_sim::scenario::{
    Kick, ManipulatorSpec, ManipulatorState, PluginChoice, Radio, RobotSpec, SensorSpec, Surface, Team, Zone,
};
use touchline_sim::{
    Dropped, Event, EventKind, Frame, Match, Message, RobotFrame, RobotIdentity, RobotNumber, Scenario,
};

pub(super) const STEP: u64 = 120;

pub(super) fn scenario() -> Scenario {
    let team = |name: &str, colour| Team { name: name.into(), colour, players: Vec::new() };
    let referee = PluginChoice::new("f2000", serde_json::Value::Null);
    Scenario {
        gravity_m_s2: touchline_sim::scenario::GRAVITY_M_S2,
        name: "empty".into(),
        seed: 0,
        dt_secs: 0.01,
        surface: Surface::new(0.5, 0.5),
        physics: Default::default(),
        teams: vec![team("blue", 0x3060ff), team("yellow", 0xffd000)],
        fixtures: Vec::new(),
        balls: Vec::new(),
        robots: Vec::new(),
        referee: Some(referee),
        radio: Radio::default(),
        episode: None,
        limits: touchline_sim::scenario::Limits::default(),
    }
}

pub(super) fn frame() -> Frame {
    let ball = Object {
        pose: Pose2::new(1.5, -0.25, 0.0),
        twist: Twist2::new(0.8, 0.0, 0.0),
        kind_code: ObjectKind::Ball as u32,
        number: 0,
        team: NONE,
        ..bytemuck::Zeroable::zeroed()
    };
    let goal = Event {
        number: 7,
        step: 95,
        kind: EventKind::Game { kind: "goal".into(), team: Some(0), text: String::new() },
    };
    let message = Message {
        number: 2,
        step: 118,
        from: 1,
        from_name: "blue-1".into(),
        sender: Sender::Robot,
        from_team: None,
        from_shirt: None,
        channel: Channel::All,
        heard_by: (1..1000).collect(),
        bearings_rad: Vec::new(),
        text: "free in the middle".into(),
    };
    Frame {
        revision: 0,
        step: STEP,
        run: 0,
        noise_seed: Default::default(),
        time_secs: 1.2,
        objects: vec![ball],
        shapes: Vec::new(),
        robots: vec![RobotFrame {
            player: Some("striker".into()),
            player_is_isolated: true,
            ..robot(1, "blue-1", Some(0))
        }],
        game: game(),
        events: [Arc::new(goal)].into(),
        next_event: 8,
        messages: [Arc::new(message)].into(),
        next_message: 3,
        messages_dropped: Dropped::default(),
        team_players: Vec::new(),
        annotations: Arc::default(),
        around: Default::default(),
    }
}

/// A kick-off of the first team.
fn game() -> Match {
    let words = GameDescription {
        restarts: vec!["kick-off".into()],
        values: vec![GameValue { name: "half".into(), unit: String::new(), initial: 1.0 }],
        ..GameDescription::of_phases(&["play", "kick-off"])
    };
    let game = Match::new(2, words);
    let restart = Restart { kind: 0, team: 0, ..Restart::NOTHING };
    game.with_state(GameState { clock_secs: 1.2, phase: 1, restart, ..(*game).clone() })
}

pub(super) fn robot(number: RobotNumber, name: &str, team: Option<u32>) -> RobotFrame {
    let description = description(name, team);
    let slot = |sensor: &SensorDescription| {
        let readings =
            Readings { layout: sensor.layout.clone(), is_laser: sensor.id == "laser", data: Vec::new() };
        touchline_sim::SensorSlot::new(Arc::new(readings), NoiseOwner::new(&sensor.id))
    };
    let identity = RobotIdentity {
        number,
        shirt: None,
        referee_data: Vec::new(),
        name: name.into(),
        spec: Arc::new(spec()),
        sensors: description.sensors.sensors.iter().map(slot).collect(),
        description,
    };
    let mut motion_data = [0.0; MAX_MOTION_DATA];
    motion_data[..2].fill(3.0);
    RobotFrame {
        identity: Arc::new(identity),
        object: 0,
        pose: Pose2::new(-1.0, 0.5, 1.57),
        heading: 1.57f64.sin_cos(),
        twist: Twist2::new(0.3, 0.0, 0.0),
        command: vec![0.4, 0.0],
        motion_data,
        manipulators: vec![ManipulatorStatus::default()],
        sensor_states: vec![Ok(Arc::from([])), Ok(Arc::from([]))],
        sensor_data: Vec::new(),
        held: Vec::new(),
        player: None,
        player_is_isolated: false,
        taken_by: None,
        annotations: Arc::default(),
        reward: 0.0,
        fault: None,
        shadow: None,
    }
}

/// A robot of two wheels with a laser of five beams and a camera.
pub fn description(name: &str, team: Option<u32>) -> RobotDescription {
    let datum = |name: &str| MotionDatum::new(name, "rad/s");
    let sensor = |id: &str, model: &str, x_m, z_m, features| SensorDescription {
        id: id.into(),
        model: model.into(),
        sensor_type: id.into(),
        plugin: id.into(),
        mount: Mount { x_m, z_m, ..Mount::default() },
        layout: Layout { features },
        ..SensorDescription::default()
    };
    RobotDescription {
        name: name.into(),
        team,
        radius_m: 0.25,
        motion: MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "m/s", 0.5, CommandPart::Forward),
                CommandDimension::symmetric("turn", "rad/s", 1.5, CommandPart::Turn),
            ],
            data: vec![datum("wheel-left"), datum("wheel-right")],
            ..MotionDescription::default()
        },
        sensors: SensorCatalogue {
            sensors: vec![
                sensor("laser", "LMS200", 0.017, 0.3, vec![LaserScan::feature("180DegreeScan", 5)]),
                sensor("camera", "EVI-D31", 0.1, 0.5, vec![BallSighting::feature()]),
            ],
        },
        manipulators: vec![ManipulatorDescription {
            name: "kicker".into(),
            states: vec!["rest".into(), "kick".into()],
        }],
    }
}

/// What the file says of the same robot; how wide and how far its sensors look.
pub(super) fn spec() -> RobotSpec {
    let sensor = |id: &str, field_of_view_rad: f64| SensorSpec {
        id: id.into(),
        model: String::new(),
        mount: Mount::default(),
        follows: None,
        choice: PluginChoice::new(
            id,
            serde_json::json!({ "field_of_view_rad": field_of_view_rad, "range_max_m": 8.0 }),
        ),
        timing: Default::default(),
    };
    let state = |name: &str, kick| ManipulatorState {
        name: name.into(),
        shapes: Vec::new(),
        kick,
        hold: None,
        returns_after_secs: None,
    };
    let kick = Kick {
        speed_m_s: 3.0,
        direction_rad: 0.0,
        direction_range_rad: None,
        elevation_rad: 0.0,
        elevation_range_rad: None,
        zone: Zone { pose: Pose2::ORIGIN, size_m: [0.1, 0.1], height_m: 0.1 },
        recharge_secs: 1.0,
        delay_secs: 0.0,
        speed_scatter: 0.0,
        direction_scatter_rad: 0.0,
        scatter_growth_s_m: 0.0,
    };
    RobotSpec {
        model: "pioneer".into(),
        body: Vec::new(),
        mass_kg: 9.0,
        traction_m_s2: 3.0,
        colour: 0,
        motion: PluginChoice::new("differential", serde_json::Value::Null),
        sensors: vec![sensor("laser", std::f64::consts::PI), sensor("camera", 0.85)],
        manipulators: vec![ManipulatorSpec {
            name: "kicker".into(),
            states: vec![state("rest", None), state("kick", Some(kick))],
        }],
        commands: Default::default(),
    }
}
