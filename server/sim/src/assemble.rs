//! A robot made from what its file says: its instances, what is told of them, and their first states. (R1)

use crate::command::{CommandError, RobotNumber};
use crate::driver::Driver;
use crate::factory::PluginFactory;
use crate::frame::{RobotIdentity, SensorSlot};
use crate::late::CommandLine;
use crate::prepare::{period_steps, player_setup};
use crate::reach::radius_m;
use crate::robot::{Manipulator, Motor, Robot, SensorState};
use crate::scenario::{
    MIN_MASS_KG, MIN_THICKNESS_M, ManipulatorSpec, Outline, PlayerChoice, RobotSpec, Scenario, SensorSpec,
    fixture_names_of_view,
};
use crate::shadow::ShadowPlayer;
use crate::timing::{Samples, check_timing};
use std::sync::Arc;
use touchline_plugin_api::container::{SensorCatalogue, SensorDescription};
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Pose2;
use touchline_plugin_api::motion::{MAX_DIMENSIONS, MAX_MOTION_DATA, MotionDescription, MotionSetup};
use touchline_plugin_api::noise::NoiseOwner;
use touchline_plugin_api::player::{ManipulatorDescription, RobotDescription};
use touchline_plugin_api::plugin::Fault;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_plugin_api::view::NONE;

/// What a robot is made from.
pub(crate) struct Parts<'a> {
    pub scenario: &'a Scenario,
    pub factory: &'a dyn PluginFactory,
    pub number: RobotNumber,
    pub name: &'a str,
    pub team: Option<u32>,
    pub spec: &'a Arc<RobotSpec>,
    pub shadows: &'a [ShadowPlayer],
    pub game: &'a GameDescription,
}

impl Parts<'_> {
    /// Makes the instances; the body is made by whoever knows the place.
    pub fn assemble(
        &self,
        pose: Pose2,
        made_by: Option<u64>,
        player: Option<&PlayerChoice>,
    ) -> Result<Robot, CommandError> {
        check_spec(self.name, self.spec)?;
        self.scenario.physics.check(self.spec).map_err(|no_disc| self.bad(no_disc.to_string()))?;
        let instance = self.factory.motion(
            &self.spec.motion,
            &MotionSetup { robot: self.name.into(), dt_secs: self.scenario.dt_secs },
        )?;
        let description = instance.description().clone();
        if description.dimensions.len() > MAX_DIMENSIONS || description.data.len() > MAX_MOTION_DATA {
            return Err(self.bad(format!(
                "motion plugin \"{}\" has {} dimensions and {} motion data; at most {MAX_DIMENSIONS} and {MAX_MOTION_DATA}",
                self.spec.motion.plugin,
                description.dimensions.len(),
                description.data.len()
            )));
        }
        let teams: Vec<String> = self.scenario.teams.iter().map(|team| team.name.clone()).collect();
        let fixtures = fixture_names_of_view(&self.scenario.fixtures);
        let (mut slots, mut descriptions, mut sensors) = (Vec::new(), Vec::new(), Vec::new());
        let mut sensor_data = Vec::new();
        for sensor in &self.spec.sensors {
            let setup = SensorSetup {
                robot: self.name.into(),
                id: sensor.id.clone(),
                model: sensor.model.clone(),
                mount: sensor.mount,
                dt_secs: self.scenario.dt_secs,
                motion: description.clone(),
                teams: teams.clone(),
                team: self.team,
                fixtures: fixtures.clone(),
            };
            let follows = match followed(sensor, &description) {
                Err(_) if self.factory.makes_stand_ins() => None,
                follows => follows.map_err(|problem| self.bad(problem))?,
            };
            let instance = self.factory.sensor(&sensor.choice, &setup)?;
            let state = instance.initial_state().map_err(|fault| self.failed(&sensor.id, &fault))?;
            descriptions.push(SensorDescription {
                id: sensor.id.clone(),
                model: sensor.model.clone(),
                sensor_type: instance.sensor_type().into(),
                plugin: sensor.choice.plugin.clone(),
                mount: sensor.mount,
                follows: sensor.follows.clone(),
                layout: instance.layout().clone(),
                data: instance.data().to_vec(),
            });
            let noise = self.noise(&format!("sensor/{}", sensor.id));
            let slot = SensorSlot::new(instance, noise).with_data_from(sensor_data.len()).following(follows);
            sensor_data.extend(slot.instance.data().iter().map(|datum| datum.initial));
            slots.push(slot.timed(&sensor.timing, self.scenario.dt_secs));
            sensors.push(SensorState { state, stopped: None, samples: Samples::default() });
        }
        let integrating: Arc<[usize]> =
            (0..slots.len()).filter(|&place| !slots[place].is_stateless).collect();
        let has_ears = integrating.iter().any(|&place| !slots[place].instance.is_deaf());
        let state = instance.initial_state().map_err(|fault| self.failed("motion", &fault))?;
        let referee_data = self.game.find_motion_data(&description.data);
        let identity = Arc::new(RobotIdentity {
            number: self.number,
            shirt: shirt(self.name),
            name: self.name.into(),
            spec: Arc::clone(self.spec),
            description: RobotDescription {
                name: self.name.into(),
                team: self.team,
                radius_m: radius_m(self.spec),
                motion: description,
                sensors: SensorCatalogue { sensors: descriptions },
                manipulators: self.spec.manipulators.iter().map(describe_manipulator).collect(),
            },
            sensors: slots,
            referee_data,
        });
        let shadow = self.shadow(&identity, player);
        let player = player.map(|choice| self.driver(&identity, choice)).transpose()?;
        Ok(Robot {
            motion: Motor::new(instance, self.noise("motion"), state, &identity.description.motion, pose),
            line: CommandLine::default(),
            sensors,
            integrating,
            has_ears,
            ears: Vec::new(),
            sensor_data,
            is_timed: identity.sensors.iter().any(|slot| slot.schedule.is_some()),
            manipulators: vec![Manipulator::START; self.spec.manipulators.len()],
            is_switching: false,
            can_hold: self.spec.manipulators.iter().any(ManipulatorSpec::can_hold),
            player,
            taken_by: None,
            annotations: Arc::default(),
            fault: None,
            shadow,
            reward: 0.0,
            start_pose: pose,
            made_by,
            identity,
        })
    }

    /// Makes a player for the robot.
    pub fn driver(&self, identity: &RobotIdentity, choice: &PlayerChoice) -> Result<Driver, CommandError> {
        let period_steps = period_steps(self.scenario.dt_secs, choice);
        let setup = player_setup(self.scenario, self.game, &identity.description, choice);
        let mut driver = Driver::new(self.factory, choice, &setup, self.noise("player"))?;
        let instance = &driver.instance;
        if let Some(&sensor) = instance.wanted_sensors().iter().find(|&&s| s >= identity.sensors.len()) {
            return Err(self.bad(format!("player \"{}\" wants sensor {sensor}", choice.choice.plugin)));
        }
        driver.period_steps = period_steps;
        Ok(driver)
    }

    fn noise(&self, part: &str) -> NoiseOwner {
        NoiseOwner::new(&format!("{}/{part}", self.name))
    }

    fn bad(&self, problem: String) -> CommandError {
        CommandError::BadRobot { name: self.name.into(), problem }
    }

    fn failed(&self, part: &str, fault: &Fault) -> CommandError {
        self.bad(format!("{part}: {fault}"))
    }
}

/// The index of the motion datum that turns a sensor's mount.
fn followed(sensor: &SensorSpec, motion: &MotionDescription) -> Result<Option<usize>, String> {
    let Some(name) = &sensor.follows else { return Ok(None) };
    let place = motion.data.iter().position(|datum| datum.name == *name);
    place.map(Some).ok_or_else(|| {
        let known: Vec<&str> = motion.data.iter().map(|datum| datum.name.as_str()).collect();
        let known = if known.is_empty() { "none".into() } else { known.join(", ") };
        format!("sensor \"{}\" follows \"{name}\"; the motion model publishes {known}", sensor.id)
    })
}

/// The number that a name ends with; one beyond all shirts is none.
fn shirt(name: &str) -> Option<u32> {
    let digits = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    name.get(digits..)?.parse().ok().filter(|&number| number != NONE)
}

fn describe_manipulator(spec: &ManipulatorSpec) -> ManipulatorDescription {
    ManipulatorDescription {
        name: spec.name.clone(),
        states: spec.states.iter().map(|state| state.name.clone()).collect(),
    }
}

/// Whether a shape is one to the library, which counts in single precision.
pub(crate) fn is_thick(outline: &Outline) -> bool {
    outline.thickness_m() >= MIN_THICKNESS_M
}

/// What the configuration checks with places and hints is checked here once more, for robots made by hand.
fn check_spec(name: &str, spec: &RobotSpec) -> Result<(), CommandError> {
    let bad = |problem: &str| CommandError::BadRobot { name: name.into(), problem: problem.into() };
    let positive = |value: f64| value.is_finite() && value > 0.0;
    if !(spec.mass_kg.is_finite() && spec.mass_kg >= MIN_MASS_KG) {
        return Err(bad("mass_kg must be 0.001 and more"));
    }
    if !positive(spec.traction_m_s2) {
        return Err(bad("traction_m_s2 must be above 0"));
    }
    let area: f64 = spec.body.iter().map(|primitive| primitive.outline.area_m2()).sum();
    if !positive(area) {
        return Err(bad("the body needs at least one shape with an area"));
    }
    let states = || spec.manipulators.iter().flat_map(|manipulator| &manipulator.states);
    let mut shapes = spec.body.iter().chain(states().flat_map(|state| &state.shapes));
    if !shapes.all(|primitive| is_thick(&primitive.outline)) {
        return Err(bad("each shape must be 0.0001 m thick and more"));
    }
    if spec.manipulators.iter().any(|manipulator| manipulator.states.is_empty()) {
        return Err(bad("a manipulator needs at least one state"));
    }
    check_timing(name, spec)
}
