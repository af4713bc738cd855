//! A robot made by hand, for the tests of players.

use super::world::FakeWorld;
use std::f64::consts::TAU;
use touchline_kit::data::{
    BallSighting, DataObject, GoalSighting, GoalSightings, LaserScan, Odometry, PostSightings, RobotSighting,
    RobotSightings, Sighting, TrueBall, TruePose,
};
use touchline_kit::rays::{FanTable, cast_fan};
use touchline_kit::visibility::{Eye, GoalMouth};
use touchline_plugin_api::container::{Mount, SensorCatalogue, SensorDescription};
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::layout::{Feature, Layout};
use touchline_plugin_api::motion::{CommandDimension, CommandPart, MotionDatum, MotionDescription};
use touchline_plugin_api::player::{
    ManipulatorDescription, ManipulatorStatus, PlayerSetup, ReadingSpan, Readings, RobotDescription,
};
use touchline_plugin_api::sensor::SensorInput;
use touchline_plugin_api::view::{NONE, Object, Role};
use touchline_plugin_api::world::WorldDescription;

/// A robot with ideal sensors, as a player sees it.
///
/// A new one has a differential drive, a camera that sees all round to 20 m (`ball`, `goals`, `posts`, `robots`),
/// a laser (`180DegreeScan`, 181 beams, 8 m), `odometry`, `truth`, and a `kicker` with the states `ready` and `kick`.
#[derive(Clone, Debug)]
pub struct FakeRobot {
    /// What a player is told of it. May be changed: any feature that has a data object in [`touchline_kit::data`] is read.
    pub description: RobotDescription,
}

const VIEW_RANGE_M: f64 = 20.0;
const LASER_RANGE_M: f64 = 8.0;

impl Default for FakeRobot {
    fn default() -> Self {
        let wheel = |name: &str| MotionDatum::new(name, "rad/s");
        let motion = MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "m/s", 1.5, CommandPart::Forward),
                CommandDimension::symmetric("turn", "rad/s", 3.0, CommandPart::Turn),
            ],
            data: vec![wheel("wheel-left"), wheel("wheel-right")],
            ..MotionDescription::default()
        };
        let sensor = |id: &str, features: Vec<Feature>| SensorDescription {
            id: id.into(),
            model: "ideal".into(),
            sensor_type: id.into(),
            plugin: id.into(),
            mount: Mount { z_m: 0.2, ..Mount::default() },
            layout: Layout { features },
            ..SensorDescription::default()
        };
        let camera = vec![
            BallSighting::feature(),
            GoalSightings::feature(2),
            PostSightings::feature(8),
            RobotSightings::feature(8),
        ];
        let sensors = vec![
            sensor("odometry", vec![Odometry::feature(&motion)]),
            sensor("laser", vec![LaserScan::feature("180DegreeScan", 181)]),
            sensor("camera", camera),
            sensor("truth", vec![TruePose::feature()]),
        ];
        let kicker =
            ManipulatorDescription { name: "kicker".into(), states: vec!["ready".into(), "kick".into()] };
        let description = RobotDescription {
            name: "blue-1".into(),
            team: Some(0),
            radius_m: 0.37,
            motion,
            sensors: SensorCatalogue { sensors },
            manipulators: vec![kicker],
        };
        Self { description }
    }
}

impl FakeRobot {
    /// As [`FakeRobot`] says.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a player is told when it is made for this robot: teams `blue` and `yellow`, a call each 30 ms.
    pub fn player_setup(&self) -> PlayerSetup {
        PlayerSetup {
            robot: self.description.clone(),
            teams: vec!["blue".into(), "yellow".into()],
            period_secs: 0.03,
            world: WorldDescription {
                fixtures: FakeWorld::f2000().fixture_names(),
                ..WorldDescription::default()
            },
            ..PlayerSetup::default()
        }
    }

    /// The manipulators, all in their first state; without a ball.
    pub fn manipulators(&self) -> Vec<ManipulatorStatus> {
        vec![ManipulatorStatus::default(); self.description.manipulators.len()]
    }

    /// What its sensors read of a world in which it is this robot. Ideal: no noise, nothing hidden. A feature that
    /// is none of [`touchline_kit::data`] has zeros only.
    ///
    /// # Panics
    /// If there is no such robot in the world.
    pub fn read(&self, world: &FakeWorld, robot: u32) -> FakeReadings {
        let mut readings = FakeReadings { stamp_secs: world.time_secs, ..FakeReadings::default() };
        for sensor in &self.description.sensors.sensors {
            let input = world.sensor_input(robot, sensor.mount);
            let start = readings.quantised.len();
            for feature in &sensor.layout.features {
                let begin = readings.quantised.len();
                readings.quantised.resize(begin + feature.len(), 0);
                fill(feature, &input, &mut readings.quantised[begin..]);
            }
            let len = (readings.quantised.len() - start) as u32;
            readings.spans.push(ReadingSpan { start: start as u32, len, stamp_secs: world.time_secs });
        }
        readings
    }
}

/// The readings of one call.
#[derive(Clone, Debug, Default)]
pub struct FakeReadings {
    /// One entry for each sensor.
    pub spans: Vec<ReadingSpan>,
    /// Integers of all readings, one after the other.
    pub quantised: Vec<u32>,
    /// When they were true, seconds.
    pub stamp_secs: f64,
}

impl FakeReadings {
    /// As a player gets them.
    pub fn readings<'a>(&'a self, catalogue: &'a SensorCatalogue) -> Readings<'a> {
        Readings { catalogue, spans: &self.spans, quantised: &self.quantised, stamp_secs: self.stamp_secs }
    }

    /// The same, if all sensors had failed.
    pub fn all_failed(&self) -> Self {
        Self { spans: vec![ReadingSpan::NOTHING; self.spans.len()], ..self.clone() }
    }
}

/// Writes what is true. A feature whose format is not the data object's stays as it is.
fn fill(feature: &Feature, input: &SensorInput<'_>, quantised: &mut [u32]) {
    let eye = Eye::new(input.sensor_pose, TAU, VIEW_RANGE_M);
    let sight =
        |point: [f64; 2]| eye.see(point).map(|s| Sighting { bearing_rad: wrap_angle(s.bearing_rad), ..s });
    let point = |object: &Object| [object.pose.x_m, object.pose.y_m];
    let room = |field: &str| feature.field(field).map_or(0, |(_, field)| field.len());
    let by_distance = |a: &Sighting, b: &Sighting| a.distance_m.total_cmp(&b.distance_m);
    let view = &input.view;
    let _ = match feature.name.as_str() {
        BallSighting::FEATURE => {
            let ball = view.balls().filter_map(|ball| sight(point(ball))).min_by(by_distance);
            BallSighting { ball }.encode(feature, quantised)
        }
        GoalSightings::FEATURE => {
            let mut goals = vec![GoalSighting::default(); room("distance")];
            for shape in view.landmarks(Role::Goal) {
                let mouth = GoalMouth::of(shape);
                let [left, right] = mouth.left_and_right_of([input.sensor_pose.x_m, input.sensor_pose.y_m]);
                if let Some(goal) = goals.get_mut(shape.team as usize) {
                    *goal = GoalSighting {
                        centre: sight(mouth.centre),
                        left_bearing_rad: sight(left).map(|s| s.bearing_rad),
                        right_bearing_rad: sight(right).map(|s| s.bearing_rad),
                    };
                }
            }
            GoalSightings { goals }.encode(feature, quantised)
        }
        PostSightings::FEATURE => {
            let poles = view.landmarks(Role::Pole);
            let mut posts: Vec<_> = poles.filter_map(|shape| sight([shape.x_m, shape.y_m])).collect();
            posts.sort_by(by_distance);
            posts.truncate(room("distance"));
            PostSightings { posts }.encode(feature, quantised)
        }
        RobotSightings::FEATURE => {
            let others = view.robots().filter(|robot| robot.number != input.robot);
            let seen = |robot: &Object| {
                let team = (robot.team != NONE).then_some(robot.team);
                Some(RobotSighting { sighting: sight(point(robot))?, team })
            };
            let mut robots: Vec<_> = others.filter_map(seen).collect();
            robots.sort_by(|a, b| by_distance(&a.sighting, &b.sighting));
            robots.truncate(room("distance"));
            RobotSightings { robots }.encode(feature, quantised)
        }
        Odometry::FEATURE => {
            let data = feature.fields.iter().filter(|field| field.name.starts_with("motion/")).count();
            let start = Pose2::ORIGIN;
            let pose = start.relative(input.robot_pose);
            Odometry { pose, twist: input.robot_twist, motion_data: vec![0.0; data] }
                .encode(feature, quantised)
        }
        TruePose::FEATURE => {
            let ball = view.balls().next().map(|ball| TrueBall {
                position: point(ball),
                velocity: [ball.twist.x_m_s, ball.twist.y_m_s],
            });
            TruePose { pose: input.robot_pose, twist: input.robot_twist, ball }.encode(feature, quantised)
        }
        _ if room("ranges") > 0 => scan(feature, input).encode(feature, quantised),
        _ => Ok(()),
    };
}

/// A scan over half a turn, whatever the feature is called.
fn scan(feature: &Feature, input: &SensorInput<'_>) -> LaserScan {
    let beams = feature.field("ranges").map_or(0, |(_, field)| field.len());
    let Some(table) = FanTable::centred(TAU / 2.0, beams) else { return LaserScan::default() };
    let mut ranges_m = vec![0.0; beams];
    let (pose, z_m) = (input.sensor_pose, input.sensor_z_m);
    cast_fan(&input.view, pose, &table, LASER_RANGE_M, z_m, input.robot_object, &mut ranges_m);
    let (angle_min_rad, angle_step_rad) = (table.angle_min_rad(), table.angle_step_rad());
    LaserScan { angle_min_rad, angle_step_rad, ranges_m }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::container::Query;

    /// P5: what a player finds by name is what is true.
    #[test]
    fn a_fake_robot_reads_what_is_true() {
        let robot = FakeRobot::new();
        let world = FakeWorld::f2000()
            .ball([3.0, 1.0], [0.0; 2])
            .robot(Pose2::new(2.0, 1.0, 0.0), 0)
            .robot(Pose2::new(2.0, 3.0, 0.0), 1);
        let (fake, catalogue) = (robot.read(&world, 0), &robot.description.sensors);
        let readings = fake.readings(catalogue);
        let get = |feature: &str| readings.get(catalogue.find(&Query::feature(feature)).unwrap()).unwrap();
        assert_eq!(get("ball").value("distance"), Some(1.0));
        let robots: RobotSightings = get("robots").decode().unwrap();
        assert_eq!(robots.robots.len(), 1);
        assert_eq!((robots.robots[0].sighting.distance_m, robots.robots[0].team), (2.0, Some(1)));
        let goals: GoalSightings = get("goals").decode().unwrap();
        assert_eq!(goals.goals[1].right_bearing_rad.map(|b| (b * 1e3).round()), Some(-588.0));
        assert_eq!(get("180DegreeScan").field("ranges").unwrap().len(), 181);
        let truth: TruePose = get("truth").decode().unwrap();
        assert_eq!(truth.pose, Pose2::new(2.0, 1.0, 0.0));
        let failed = fake.all_failed();
        assert!(failed.readings(catalogue).get(catalogue.find(&Query::feature("ball")).unwrap()).is_none());
    }
}
