//! For whom a player under test is asked: for a robot, or for a team.

use super::robot::{FakeReadings, FakeRobot};
use super::world::FakeWorld;
use touchline_plugin_api::container::SensorCatalogue;
use touchline_plugin_api::motion::MotionDatum;
use touchline_plugin_api::orders::Order;
use touchline_plugin_api::player::{DataRecord, ManipulatorStatus, PlayerSetup, RobotDescription};
use touchline_plugin_api::view::{NONE, Object};
use touchline_plugin_api::world::WorldDescription;

/// Place of a player: in a robot or beside a team.
pub(super) enum Seat<'a> {
    /// In a robot.
    Robot(&'a FakeRobot),
    /// Beside the field, as coach and trainer of a team of two robots; sees the truth.
    Team(Box<Team>),
}

/// A team's robots, with a motion datum that a referee may set.
pub(super) struct Team {
    setup: PlayerSetup,
    no_sensors: SensorCatalogue,
}

impl Team {
    pub fn boxed() -> Box<Self> {
        let mut robot = FakeRobot::new().description;
        robot.motion.data.push(MotionDatum::settable("stamina", "1", 1.0));
        let named = |name: &str| RobotDescription { name: name.into(), ..robot.clone() };
        let setup = PlayerSetup {
            robot: RobotDescription {
                name: "blue-coach".into(),
                team: Some(0),
                ..RobotDescription::default()
            },
            team_robots: vec![named("blue-1"), named("blue-2")],
            world: WorldDescription {
                robots: ["blue-1", "blue-2", "yellow-1"].map(String::from).into(),
                robot_teams: vec![Some(0), Some(0), Some(1)],
                balls: 1,
                fixtures: FakeWorld::f2000().fixture_names(),
                ..WorldDescription::default()
            },
            ..FakeRobot::new().player_setup()
        };
        Box::new(Self { setup, no_sensors: SensorCatalogue::default() })
    }
}

impl Seat<'_> {
    /// What a player is told when it is made.
    pub fn setup(&self) -> PlayerSetup {
        match self {
            Self::Robot(robot) => robot.player_setup(),
            Self::Team(team) => team.setup.clone(),
        }
    }

    /// The number of its robot.
    pub fn robot(&self) -> u32 {
        match self {
            Self::Robot(_) => 0,
            Self::Team(_) => NONE,
        }
    }

    pub fn catalogue(&self) -> &SensorCatalogue {
        match self {
            Self::Robot(robot) => &robot.description.sensors,
            Self::Team(team) => &team.no_sensors,
        }
    }

    pub fn read(&self, world: &FakeWorld) -> FakeReadings {
        match self {
            Self::Robot(robot) => robot.read(world, 0),
            Self::Team(_) => FakeReadings { stamp_secs: world.time_secs, ..FakeReadings::default() },
        }
    }

    pub fn manipulators(&self) -> Vec<ManipulatorStatus> {
        match self {
            Self::Robot(robot) => robot.manipulators(),
            Self::Team(_) => Vec::new(),
        }
    }

    /// What the robots' motion models publish: now one is tired, now the other.
    pub fn motion_data(&self, world: &FakeWorld, call: u64) -> Vec<DataRecord> {
        let record = |robot: &Object| {
            let mut record = DataRecord { robot: robot.number, len: 3, ..DataRecord::default() };
            record.values[2] = ((call + 20 * u64::from(robot.number)) % 40) as f64 / 39.0;
            record
        };
        match self {
            Self::Robot(_) => Vec::new(),
            Self::Team(_) => world.view().robots().map(record).collect(),
        }
    }

    /// Why an order may not be given from here, if it may not.
    pub fn refuses(&self, order: &Order<'_>, world: &FakeWorld) -> Option<&'static str> {
        match (self, order) {
            (Self::Robot(_), Order::ExchangePlayer { .. }) => {
                Some("this order is for players of a team, and referees")
            }
            (Self::Robot(_), _) => None,
            (Self::Team(_), Order::ExchangePlayer { robot, params, period_secs, .. }) => {
                let is_there = world.view().robot(*robot).is_some_and(|robot| robot.team == 0);
                let is_object = serde_json::from_str::<serde_json::Map<_, _>>(params).is_ok();
                let sound = is_there && is_object && period_secs.is_finite() && *period_secs >= 0.0;
                (!sound)
                    .then_some("no such robot of the team, parameters that are no object, or a bad period")
            }
            (
                Self::Team(_),
                Order::Say { .. } | Order::End | Order::PlaceRobot { .. } | Order::PlaceBall { .. },
            ) => None,
            (Self::Team(_), _) => Some("this order is for players that drive a robot, or for referees"),
        }
    }
}
