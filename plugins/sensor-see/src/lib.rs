//! What a player of the RoboCup Soccer Server sees: landmarks, lines, the ball, other players. \[P3\]
//!
//! The numbers are those of `see` on the wire, by the same functions ([`touchline_soccer_law::sight`]); axes and units are ours. Chance is keyed by
//! robot and step: who looks, or how often, changes nothing.

#![forbid(unsafe_code)]

mod layout;
mod params;

pub use params::SeeParams;

use layout::{Place, Rows, feature};
use std::f64::consts::{PI, TAU};
use touchline_plugin_api::layout::Layout;
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::sensor::{Sensor, SensorDatum, SensorInput, SensorSetup};
use touchline_plugin_api::state::Stateless;
use touchline_plugin_api::view::Object;
use touchline_soccer_law::face::{CYCLE_SECS, Datum, Side, TEAM_SIZE};
use touchline_soccer_law::pitch::landmarks;
use touchline_soccer_law::player_type::{PlayerType, player_types, types_seed};
use touchline_soccer_law::sight::{Known, Sighting, Target, Viewer};

/// The eyes' focus is this far away at most, metres.
const MAX_FOCUS_M: f64 = 40.0;
/// The things' numbers, for their chance: landmarks from 0, then the ball, then players.
const BALL: u64 = 1000;
const FIRST_PLAYER: u64 = 1001;

/// The sensor.
pub struct See {
    params: SeeParams,
    types: Vec<PlayerType>,
    /// Places in the server's frame.
    landmarks: Vec<[f64; 2]>,
    layout: Layout,
    rows: Rows,
    /// Which motion datum is the player type.
    type_datum: Option<usize>,
}

/// Another player, as it is seen.
#[derive(Clone, Copy)]
struct Other {
    side: Side,
    unum: u32,
    sighting: Sighting,
}

impl Sensor for See {
    const NAME: &'static str = "see";
    const SUMMARY: &'static str = "What a player of the RoboCup Soccer Server sees.";
    const TYPE: &'static str = "soccer-sight";
    const SERVES_ALL: bool = true;
    type Params = SeeParams;
    type State = Stateless;

    fn new(params: SeeParams, setup: &SensorSetup) -> Result<Self, SetupError> {
        params.check()?;
        let types = player_types(&params.server, &params.player, types_seed(&params.player, 0) as u64);
        let landmarks: Vec<_> =
            landmarks(params.server.goal_width).iter().map(|landmark| server_frame(landmark.place)).collect();
        let feature = feature(landmarks.len() as u32);
        let rows = Rows::of(&feature)?;
        let type_datum = setup.motion.data.iter().position(|datum| datum.name == Datum::PlayerType.name());
        Ok(Self { params, types, landmarks, layout: Layout { features: vec![feature] }, rows, type_datum })
    }

    fn layout(&self) -> Layout {
        self.layout.clone()
    }

    fn data(&self) -> Vec<SensorDatum> {
        let datum = |name: &str, unit: &str, initial, [min, max]: [f64; 2]| SensorDatum {
            name: name.into(),
            unit: unit.into(),
            initial,
            min,
            max,
        };
        vec![
            datum("view-angle", "rad", self.params.view_angle_rad, [0.0, TAU]),
            datum("focus-distance", "m", 0.0, [0.0, MAX_FOCUS_M]),
            datum("focus-direction", "rad", 0.0, [-PI, PI]),
        ]
    }

    fn initial_state(&self) -> Stateless {
        Stateless
    }

    fn generate(&self, _: &Stateless, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let &[view_angle_rad, focus_distance_m, focus_direction_rad] = input.data else {
            return Err(Fault::new("expected the data of the description"));
        };
        let own = input.view.objects.get(input.robot_object as usize);
        let own = own.ok_or_else(|| Fault::new("the robot is not in the view"))?;
        let type_id = self.type_datum.and_then(|place| input.motion_data.get(place)).copied();
        let kind = self.types.get(type_id.unwrap_or(0.0).max(0.0) as usize).unwrap_or(&self.types[0]);
        let pos = server_frame([input.robot_pose.x_m, input.robot_pose.y_m]);
        let face_rad = -input.sensor_pose.theta_rad;
        let (sin, cos) = libm::sincos(face_rad - focus_direction_rad);
        let viewer = Viewer {
            pos,
            vel: velocity(own),
            face_rad,
            view_angle_rad,
            is_high: true,
            is_gaussian: self.params.gaussian,
            focus: [pos[0] + focus_distance_m * cos, pos[1] + focus_distance_m * sin],
            has_lengths: true,
            kind,
            noise: input.noise,
        };
        self.rows.clear(quantised);
        self.write_field(&viewer, quantised);
        let ball = input.view.balls().next();
        let ball = ball.and_then(|ball| viewer.ball(&target(ball), BALL, &self.params.server));
        if let Some(sighting) = ball {
            self.rows.ball.write(&self.rows, quantised, 0, &sighting);
        }
        for (row, other) in self.others(&viewer, input).iter().enumerate() {
            self.write_player(row, other, quantised);
        }
        Ok(())
    }
}

impl See {
    /// Landmarks and lines. One that is near and not in view is a flag or a goal, nobody knows which: it is left out.
    fn write_field(&self, viewer: &Viewer<'_>, quantised: &mut [u32]) {
        let server = &self.params.server;
        for (number, place) in self.landmarks.iter().enumerate() {
            let sighting = viewer.landmark(*place, number as u64, server);
            if let Some(sighting) = sighting.filter(|sighting| sighting.known == Known::Whole) {
                self.rows.landmark.write(&self.rows, quantised, number, &sighting);
            }
        }
        for (letter, sighting) in viewer.lines(server) {
            let row = match letter {
                'l' => 0,
                'r' => 1,
                't' => 2,
                _ => 3,
            };
            self.rows.line.write(&self.rows, quantised, row, &sighting);
        }
    }

    /// Other players from left to right: their order tells nothing of who they are.
    fn others(&self, viewer: &Viewer<'_>, input: &SensorInput<'_>) -> Vec<Other> {
        let mut others: Vec<Other> = Vec::with_capacity(2 * TEAM_SIZE);
        for robot in input.view.robots() {
            let Some(side) = Side::of_team(robot.team) else { continue };
            if robot.number == input.robot {
                continue;
            }
            let number = FIRST_PLAYER + u64::from(robot.number);
            let sighting = viewer.player(&target(robot), number, &self.params.server);
            others.extend(sighting.map(|sighting| Other { side, unum: robot.shirt, sighting }));
        }
        others.sort_by(|a, b| a.sighting.dir_rad.total_cmp(&b.sighting.dir_rad));
        others
    }

    fn write_player(&self, row: usize, other: &Other, quantised: &mut [u32]) {
        let (rows, sighting) = (&self.rows, &other.sighting);
        let known = match sighting.known {
            Known::Close => 1,
            Known::Somebody => 2,
            Known::Team => 3,
            Known::Whole => 4,
        };
        let put =
            |quantised: &mut [u32], place: Place, count: u32| rows.put_count(quantised, place, row, count);
        put(quantised, rows.known, known);
        if known >= 3 {
            put(quantised, rows.team, other.side.team());
        }
        if known == 4 {
            put(quantised, rows.unum, other.unum);
        }
        rows.player.write(rows, quantised, row, sighting);
        if let Some([body_rad, _]) = sighting.body_head_rad {
            rows.put_degrees(quantised, rows.body, row, body_rad);
        }
    }
}

/// The server's frame, whose y points down.
fn server_frame([x, y]: [f64; 2]) -> [f64; 2] {
    [x, if y == 0.0 { 0.0 } else { -y }]
}

/// Metres a cycle, in the server's frame.
fn velocity(object: &Object) -> [f64; 2] {
    server_frame([object.twist.x_m_s * CYCLE_SECS, object.twist.y_m_s * CYCLE_SECS])
}

fn target(object: &Object) -> Target {
    let body_rad = -object.pose.theta_rad;
    // Necks and arms of others are not in the view of the world.
    Target {
        pos: server_frame([object.pose.x_m, object.pose.y_m]),
        vel: velocity(object),
        body_rad,
        face_rad: body_rad,
        arm_rad: None,
    }
}

touchline_plugin_api::export_sensor!(See);

#[cfg(test)]
mod tests;
