//! Hand-made plugins and worlds for the tests of the simulation alone: no dynamic library is loaded.

#![allow(dead_code)] // Each test file uses its part.

mod laws;
pub mod teams;
mod timed;

pub use laws::*;
pub use timed::*;

use std::sync::Arc;
use touchline_kit::data::DataError;
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{
    InProcess, MotionInstance, PlayerInstance, RefereeInstance, SensorInstance,
};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginDescription, PluginKind, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::{Encoded, Stateless};
use touchline_sim::scenario::*;
use touchline_sim::{MakeError, PluginFactory};

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

/// Goes at once where it is told to; `ideal` takes forward, left, turn.
pub struct Ideal;

impl Motion for Ideal {
    const NAME: &'static str = "ideal";
    const SUMMARY: &'static str = "goes at once where it is told to";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        MotionDescription {
            dimensions: vec![
                CommandDimension::symmetric("forward", "1", 10.0, CommandPart::Forward),
                CommandDimension::symmetric("left", "1", 10.0, CommandPart::Left),
                CommandDimension::symmetric("turn", "1", 10.0, CommandPart::Turn),
            ],
            ..MotionDescription::default()
        }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let twist = Twist2::new(input.command[0], input.command[1], input.command[2]);
        Ok(MotionOutput::steady(twist))
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrokenParams {
    pub how: String,
    pub at: u64,
}

/// Behaves until its tenth call, then fails in the way that it is told to.
pub struct Broken(BrokenParams);

impl Motion for Broken {
    const NAME: &'static str = "broken";
    const SUMMARY: &'static str = "fails";
    type Params = BrokenParams;
    type State = u64;
    fn new(params: BrokenParams, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self(params))
    }
    fn description(&self) -> MotionDescription {
        MotionDescription::default()
    }
    fn initial_state(&self) -> u64 {
        0
    }
    fn advance(&self, calls: &mut u64, _: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        *calls += 1;
        let mut output = MotionOutput::steady(Twist2::new(0.1, 0.0, 0.0));
        if *calls > self.0.at {
            match self.0.how.as_str() {
                "nan" => output.twist.y_m_s = f64::NAN,
                "far" => output.twist.x_m_s = 1e30,
                "error" => return Err(Fault::new("the gearbox is gone")),
                other => return Err(Fault::new(format!("unknown way to fail: {other}"))),
            }
        }
        Ok(output)
    }
}

/// A noisy distance to the first ball, and the noisy way so far: stateless and stateful parts together.
pub struct Probe;

impl Sensor for Probe {
    const NAME: &'static str = "probe";
    const SUMMARY: &'static str = "distance to the ball and way so far";
    const TYPE: &'static str = "probe";
    type Params = NoParams;
    type State = f64;
    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        let fields = vec![Field::unsigned("distance", "m", 1e-4, &[]), Field::signed("way", "m", 1e-4, &[])];
        Layout { features: vec![Feature::new("probe", fields)] }
    }
    fn initial_state(&self) -> f64 {
        0.0
    }
    fn advance(&self, way: &mut f64, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        *way += input.displacement.x_m + input.noise.stream().gaussian(0.001);
        Ok(())
    }
    fn generate(&self, way: &f64, input: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        let own = input.view.objects.get(input.robot_object as usize);
        if own.is_none_or(|own| own.number != input.robot) {
            return Err(Fault::new("another robot stands where this one should"));
        }
        let ball = input.view.balls().next().map_or(f64::INFINITY, |b| b.pose.distance_m(input.sensor_pose));
        quantised[0] =
            touchline_plugin_api::layout::encode(ball + input.noise.stream().gaussian(0.01), 1e-4, false);
        quantised[1] = touchline_plugin_api::layout::encode(*way, 1e-4, true);
        Ok(())
    }
}

/// Cannot be advanced, only read.
pub struct Brittle;

impl Sensor for Brittle {
    const NAME: &'static str = "brittle";
    const SUMMARY: &'static str = "fails when time passes";
    const TYPE: &'static str = "probe";
    type Params = NoParams;
    type State = f64;
    fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("probe", vec![Field::unsigned("distance", "m", 1e-4, &[])])] }
    }
    fn initial_state(&self) -> f64 {
        0.0
    }
    fn advance(&self, _: &mut f64, _: &AdvanceInput<'_>) -> Result<(), Fault> {
        Err(Fault::new("broken"))
    }
    fn generate(&self, _: &f64, _: &SensorInput<'_>, _: &mut [u32]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Ends itself at its first call.
pub struct Leaving;

impl Player for Leaving {
    const NAME: &'static str = "leaving";
    const SUMMARY: &'static str = "ends itself";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![]
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(
        &self,
        _: &mut Stateless,
        _: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        orders.end();
        Ok(())
    }
}

/// Drives by its probe and by chance; talks; kicks if it can.
pub struct Restless {
    probe: FeatureHandle,
    kicker: Option<(usize, usize)>,
}

impl Player for Restless {
    const NAME: &'static str = "restless";
    const SUMMARY: &'static str = "drives about";
    type Params = NoParams;
    type State = Encoded<Vec<f64>>;
    fn new(_: NoParams, setup: &PlayerSetup) -> Result<Self, SetupError> {
        let probe = setup
            .robot
            .sensors
            .find(&touchline_plugin_api::container::Query::feature("probe"))
            .map_err(|error| SetupError::new(error.to_string()))?;
        Ok(Self { probe, kicker: setup.robot.manipulator("kicker", "kick") })
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        vec![self.probe]
    }
    fn initial_state(&self) -> Self::State {
        Encoded(vec![])
    }
    fn sense_and_act(
        &self,
        seen: &mut Self::State,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let Some(reading) = input.readings.get(self.probe) else { return Ok(()) };
        let missing = |name: &str| {
            let error = DataError::MissingField { feature: "probe".into(), field: name.into() };
            Fault::new(error.to_string())
        };
        let distance = reading.value("distance").ok_or_else(|| missing("distance"))?;
        seen.push(distance);
        if seen.len() > 8 {
            seen.remove(0);
        }
        let mean = seen.iter().sum::<f64>() / seen.len() as f64;
        let mut noise = input.noise.stream();
        orders.drive_twist(Twist2::new((1.0 + mean).min(2.0), noise.uniform(-1.0, 1.0), noise.gaussian(2.0)));
        if noise.chance(0.05) {
            orders.say("hello");
        }
        if let Some((manipulator, state)) = self.kicker.filter(|_| input.manipulators[0].ready_in_secs == 0.0)
        {
            orders.manipulate(manipulator, state, 1.0);
        }
        Ok(())
    }
}

/// Counts touches of the ball into the clock, and resets the objects every thousandth step.
pub struct Counting;

impl Referee for Counting {
    const NAME: &'static str = "counting";
    const SUMMARY: &'static str = "counts";
    type Params = NoParams;
    type State = u64;
    fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn initial_state(&self) -> u64 {
        0
    }
    fn judge(&self, steps: &mut u64, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        *steps += 1;
        let mut game = input.game.to_state();
        game.clock_secs = input.view.time_secs;
        game.teams[0].score += input.contacts.iter().filter(|contact| contact.began == 1).count() as i64;
        orders.set_game(&game);
        for line in input.commands.lines() {
            orders.announce(line);
        }
        if (*steps).is_multiple_of(1000) {
            orders.reset_objects();
        }
        Ok(())
    }
}

/// Pays the first robot for touches, and ends an episode by chance, every fiftieth step or so.
pub struct Paying;

impl Referee for Paying {
    const NAME: &'static str = "paying";
    const SUMMARY: &'static str = "pays";
    type Params = NoParams;
    type State = Stateless;
    fn new(_: NoParams, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        orders.reward(0, 0.25 + input.contacts.len() as f64);
        if input.noise.stream().chance(0.02) {
            orders.end_episode("luck");
        }
        Ok(())
    }
}

pub struct TestFactory;

fn unknown(kind: PluginKind, choice: &PluginChoice) -> MakeError {
    MakeError::no_such_plugin(kind, &choice.plugin, std::iter::empty())
}

impl PluginFactory for TestFactory {
    fn descriptions(&self) -> Vec<PluginDescription> {
        vec![]
    }
    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Motion, choice);
        match choice.plugin.as_str() {
            "ideal" => Ok(Arc::new(InProcess::<Ideal, _>::motion(&choice.params, setup).map_err(wrong)?)),
            "coasting" => {
                Ok(Arc::new(InProcess::<Coasting, _>::motion(&choice.params, setup).map_err(wrong)?))
            }
            "broken" => Ok(Arc::new(InProcess::<Broken, _>::motion(&choice.params, setup).map_err(wrong)?)),
            _ => Err(unknown(PluginKind::Motion, choice)),
        }
    }
    fn sensor(
        &self,
        choice: &PluginChoice,
        setup: &SensorSetup,
    ) -> Result<Arc<dyn SensorInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Sensor, choice);
        match choice.plugin.as_str() {
            "probe" => Ok(Arc::new(InProcess::<Probe, _>::sensor(&choice.params, setup).map_err(wrong)?)),
            "witness" => Ok(Arc::new(InProcess::<Witness, _>::sensor(&choice.params, setup).map_err(wrong)?)),
            "brittle" => Ok(Arc::new(InProcess::<Brittle, _>::sensor(&choice.params, setup).map_err(wrong)?)),
            _ => Err(unknown(PluginKind::Sensor, choice)),
        }
    }
    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Player, choice);
        match choice.plugin.as_str() {
            "leaving" => Ok(Arc::new(InProcess::<Leaving, _>::player(&choice.params, setup).map_err(wrong)?)),
            "reporting" => {
                Ok(Arc::new(InProcess::<Reporting, _>::player(&choice.params, setup).map_err(wrong)?))
            }
            "restless" => {
                Ok(Arc::new(InProcess::<Restless, _>::player(&choice.params, setup).map_err(wrong)?))
            }
            _ => Err(unknown(PluginKind::Player, choice)),
        }
    }
    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        let wrong = MakeError::setup(PluginKind::Referee, choice);
        match choice.plugin.as_str() {
            "counting" => {
                Ok(Arc::new(InProcess::<Counting, _>::referee(&choice.params, setup).map_err(wrong)?))
            }
            "paying" => Ok(Arc::new(InProcess::<Paying, _>::referee(&choice.params, setup).map_err(wrong)?)),
            _ => Err(unknown(PluginKind::Referee, choice)),
        }
    }
}

pub fn choice(plugin: &str) -> PluginChoice {
    PluginChoice::new(plugin, serde_json::json!({}))
}

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
        },
        PlacementRange {
            of: StartOf::Robot(0),
            x_m: [-4.5, -4.0],
            y_m: [-2.0, -1.0],
            theta_rad: [-3.0, 3.0],
            speed_m_s: still,
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
