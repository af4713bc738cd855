//! P3, P6: a plugin that breaks a rule is told which, and one that keeps them all is told nothing.

use super::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::geometry::Twist2;
use touchline_plugin_api::instance::{
    InProcess, MotionInstance, PlayerInstance, RefereeInstance, SensorInstance,
};
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, MAX_MOTION_DATA, Motion, MotionDescription, MotionInput, MotionOutput,
    MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginDescription, PluginKind, SetupError};
use touchline_plugin_api::referee::{PrepareInput, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::sensor::{AdvanceInput, Sensor, SensorInput, SensorSetup};
use touchline_plugin_api::state::{State, StateError, Stateless};

/// What is wrong with a plugin of these tests.
#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
enum Flaw {
    None,
    Panics,
    Faults,
    CountsReadings,
    ForgetsState,
    BadLayout,
    TellsApartInstances,
    GivesNan,
    TooMuchData,
    NoCommand,
    BadManipulator,
    ForeignOrder,
    ForeignTeam,
    ForeignKick,
    ForgetsPrepared,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Flawed {
    /// What is wrong.
    flaw: Flaw,
}

fn params(flaw: &str) -> String {
    format!("{{\"flaw\": \"{flaw}\"}}")
}

/// How often something was called: one number saved, one forgotten.
#[derive(Clone, Copy, Default)]
struct Calls {
    saved: u32,
    forgotten: u32,
}

impl State for Calls {
    fn save(&self, out: &mut Vec<u8>) -> Result<(), StateError> {
        self.saved.save(out)
    }
    fn load(bytes: &[u8]) -> Result<Self, StateError> {
        Ok(Self { saved: u32::load(bytes)?, forgotten: 0 })
    }
}

impl Calls {
    fn count(&mut self, flaw: Flaw) {
        self.forgotten += 1;
        self.saved += if flaw == Flaw::ForgetsState { self.forgotten } else { 1 };
    }
}

/// All four kinds at once.
struct Plugin {
    flaw: Flaw,
    calls: AtomicU32,
}

static INSTANCES: AtomicU32 = AtomicU32::new(0);

impl Plugin {
    fn make(params: Flawed) -> Self {
        Self { flaw: params.flaw, calls: AtomicU32::new(INSTANCES.fetch_add(1, Ordering::Relaxed)) }
    }

    fn act(&self, state: &mut Calls) -> Result<(), Fault> {
        state.count(self.flaw);
        match self.flaw {
            Flaw::Panics => panic!("a bug"),
            Flaw::Faults => Err(Fault::new("no more")),
            _ => Ok(()),
        }
    }
}

impl Sensor for Plugin {
    const NAME: &'static str = "flawed";
    const SUMMARY: &'static str = "Breaks a rule.";
    const TYPE: &'static str = "test";
    type Params = Flawed;
    type State = Calls;

    fn new(params: Flawed, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self::make(params))
    }
    fn layout(&self) -> Layout {
        let scale = if self.flaw == Flaw::BadLayout { 0.0 } else { 1.0 };
        Layout { features: vec![Feature::new("calls", vec![Field::unsigned("count", "1", scale, &[])])] }
    }
    fn initial_state(&self) -> Calls {
        Calls::default()
    }
    fn advance(&self, state: &mut Calls, _: &AdvanceInput<'_>) -> Result<(), Fault> {
        self.act(state)
    }
    fn generate(&self, state: &Calls, _: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        quantised[0] = match self.flaw {
            Flaw::CountsReadings => self.calls.fetch_add(1, Ordering::Relaxed),
            Flaw::TellsApartInstances => self.calls.load(Ordering::Relaxed),
            _ => state.saved,
        };
        Ok(())
    }
}

impl Motion for Plugin {
    const NAME: &'static str = "flawed";
    const SUMMARY: &'static str = "Breaks a rule.";
    type Params = Flawed;
    type State = Calls;

    fn new(params: Flawed, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self::make(params))
    }
    fn description(&self) -> MotionDescription {
        let dimension = CommandDimension::symmetric("forward", "m/s", 1.0, CommandPart::Forward);
        let dimensions = if self.flaw == Flaw::NoCommand { vec![] } else { vec![dimension] };
        MotionDescription { dimensions, ..MotionDescription::default() }
    }
    fn initial_state(&self) -> Calls {
        Calls::default()
    }
    fn advance(&self, state: &mut Calls, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        self.act(state)?;
        let speed = input.command.first().map_or(0.0, |speed| speed.clamp(-1.0, 1.0));
        let speed = if self.flaw == Flaw::GivesNan { f64::NAN } else { speed };
        let mut data = [0.0; MAX_MOTION_DATA];
        data[0] = if self.flaw == Flaw::TooMuchData { 1.0 } else { 0.0 };
        Ok(MotionOutput { data, ..MotionOutput::steady(Twist2::new(speed, 0.0, 0.0)) })
    }
}

impl Player for Plugin {
    const NAME: &'static str = "flawed";
    const SUMMARY: &'static str = "Breaks a rule.";
    type Params = Flawed;
    type State = Calls;

    fn new(params: Flawed, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self::make(params))
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        let sensor = if self.flaw == Flaw::BadLayout { 99 } else { 0 };
        vec![FeatureHandle { sensor, feature: 0 }]
    }
    fn initial_state(&self) -> Calls {
        Calls::default()
    }
    fn sense_and_act(
        &self,
        state: &mut Calls,
        _: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        self.act(state)?;
        orders.drive(&[0.5, if self.flaw == Flaw::GivesNan { f64::NAN } else { 0.0 }]);
        if self.flaw == Flaw::ForeignOrder {
            orders.announce("I am the referee");
        }
        if self.flaw == Flaw::BadManipulator {
            orders.manipulate(7, 0, 1.0);
        }
        Ok(())
    }
}

impl Referee for Plugin {
    const NAME: &'static str = "flawed";
    const SUMMARY: &'static str = "Breaks a rule.";
    type Params = Flawed;
    type State = Calls;

    fn new(params: Flawed, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self::make(params))
    }
    fn description(&self) -> GameDescription {
        GameDescription { prepares: true, ..GameDescription::default() }
    }
    fn initial_state(&self) -> Calls {
        Calls::default()
    }
    fn prepare(&self, state: &mut Calls, input: &PrepareInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        state.forgotten += u32::from(self.flaw == Flaw::ForgetsPrepared);
        match self.flaw {
            Flaw::ForeignKick => orders.refuse_kick(input.kicks.len()),
            Flaw::ForgetsPrepared if state.forgotten > 1 => orders.announce("not the first"),
            _ => (0..input.kicks.len()).for_each(|kick| orders.refuse_kick(kick)),
        }
        Ok(())
    }
    fn judge(&self, state: &mut Calls, _: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.act(state)?;
        match self.flaw {
            Flaw::ForeignOrder => orders.drive(&[1.0]),
            Flaw::ForeignTeam => orders.event("goal", Some(2), ""),
            _ => orders.announce("play"),
        }
        Ok(())
    }
}

const PANIC: &str = "no legal input makes it panic";
const FAULT: &str = "legal input gives no error";
const ORDER: &str = "orders make sense";

/// Each flaw breaks just this rule.
#[track_caller]
fn assert_broken(flaw: &str, violations: &[Violation], rule: &str) {
    let rules: Vec<_> = violations.iter().map(|violation| &*violation.rule).collect();
    assert_eq!(rules, [rule], "{flaw}: {violations:?}");
}

/// A sensor that reads how long its robot's name is, and may say that this is nothing to it.
struct OfItsRobot<const SERVES_ALL: bool>(u32);

impl<const SERVES_ALL: bool> Sensor for OfItsRobot<SERVES_ALL> {
    const NAME: &'static str = "of-its-robot";
    const SUMMARY: &'static str = "Looks at its robot's name.";
    const TYPE: &'static str = "test";
    const SERVES_ALL: bool = SERVES_ALL;
    type Params = Flawed;
    type State = Stateless;

    fn new(_: Flawed, setup: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self(setup.robot.len() as u32))
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("name", vec![Field::unsigned("length", "1", 1.0, &[])])] }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn generate(&self, _: &Stateless, _: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        quantised[0] = self.0;
        Ok(())
    }
}

/// P1: a sensor that says that it serves all robots, and looks at their names, is found.
#[test]
fn who_serves_all_looks_at_nobodys_name() {
    check_sensor::<OfItsRobot<false>>(&params("None"));
    let violations = sensor_violations::<OfItsRobot<true>>(&params("None"));
    assert_broken("serves all", &violations, "two instances are the same");
}

/// A sensor that counts what its robot hears, and may say that this is nothing to it.
struct Listener<const IS_DEAF: bool>;

impl<const IS_DEAF: bool> Sensor for Listener<IS_DEAF> {
    const NAME: &'static str = "listener";
    const SUMMARY: &'static str = "Counts what its robot hears.";
    const TYPE: &'static str = "test";
    const IS_DEAF: bool = IS_DEAF;
    type Params = Flawed;
    type State = f64;

    fn new(_: Flawed, _: &SensorSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn layout(&self) -> Layout {
        Layout { features: vec![Feature::new("heard", vec![Field::unsigned("count", "1", 1.0, &[])])] }
    }
    fn initial_state(&self) -> f64 {
        0.0
    }
    fn advance(&self, heard: &mut f64, input: &AdvanceInput<'_>) -> Result<(), Fault> {
        *heard += input.inbox.messages().count() as f64;
        Ok(())
    }
    fn generate(&self, heard: &f64, _: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
        quantised[0] = *heard as u32;
        Ok(())
    }
}

/// P1: a sensor that says that it is deaf, and listens, is found.
#[test]
fn who_is_deaf_hears_nothing() {
    check_sensor::<Listener<false>>(&params("None"));
    let violations = sensor_violations::<Listener<true>>(&params("None"));
    assert!(violations.iter().all(|found| found.rule == "what is heard is nothing to a deaf sensor"));
    assert!(!violations.is_empty());
}

#[test]
fn a_plugin_that_keeps_the_rules_passes() {
    check_sensor::<Plugin>(&params("None"));
    check_motion::<Plugin>(&params("None"));
    check_player::<Plugin>(&params("None"));
    check_referee::<Plugin>(&params("None"));
}

#[test]
fn a_sensor_is_told_what_it_breaks() {
    for (flaw, rule) in [
        ("Panics", PANIC),
        ("Faults", FAULT),
        ("CountsReadings", "a reading is the same however often it is asked"),
        ("ForgetsState", "the state holds all that the next step depends on"),
        ("BadLayout", "fields have a unit, and a scale above zero"),
        ("TellsApartInstances", "two instances are the same"),
    ] {
        let violations = sensor_violations::<Plugin>(&params(flaw));
        // Who counts its readings also tells its instances apart.
        let first = if flaw == "CountsReadings" { &violations[..1] } else { &violations[..] };
        assert_broken(flaw, first, rule);
    }
}

#[test]
fn a_motion_model_is_told_what_it_breaks() {
    for (flaw, rule) in [
        ("Panics", PANIC),
        ("Faults", FAULT),
        ("ForgetsState", "the state holds all that the next step depends on"),
        ("GivesNan", "all output is finite"),
        ("TooMuchData", "there are no more motion data than described"),
        ("NoCommand", "a command has 1 to 8 numbers, motion data at most 16"),
    ] {
        assert_broken(flaw, &motion_violations::<Plugin>(&params(flaw)), rule);
    }
}

#[test]
fn a_player_is_told_what_it_breaks() {
    for (flaw, rule) in [
        ("Panics", PANIC),
        ("Faults", FAULT),
        ("ForgetsState", "the state holds all that the next call depends on"),
        ("BadLayout", "the wanted features are the robot's"),
        ("GivesNan", ORDER),
        ("ForeignOrder", ORDER),
        ("BadManipulator", ORDER),
    ] {
        assert_broken(flaw, &player_violations::<Plugin>(&params(flaw), &FakeRobot::new()), rule);
    }
}

#[test]
fn a_referee_is_told_what_it_breaks() {
    for (flaw, rule) in [
        ("Panics", PANIC),
        ("Faults", FAULT),
        ("ForgetsState", "the state holds all that the next step depends on"),
        ("ForeignOrder", ORDER),
        ("ForeignTeam", ORDER),
        ("ForeignKick", ORDER),
        ("ForgetsPrepared", "the state holds all that the next step depends on"),
    ] {
        assert_broken(flaw, &referee_violations::<Plugin>(&params(flaw)), rule);
    }
}

/// R1: parameters that swallow a misspelt key, or do not say what they mean.
#[test]
fn careless_parameters_are_found() {
    #[derive(Deserialize, JsonSchema)]
    struct Careless {
        #[allow(dead_code)]
        range_m: f64,
    }
    let mut report = contract::Report::default();
    report.params::<Careless>("Two Words", "one\ntwo", r#"{"range_m": 1}"#);
    let rules: Vec<_> = report.violations.iter().map(|violation| &*violation.rule).collect();
    let expected = [
        "the name is one word of a-z, 0-9 and -",
        "the summary is one line",
        "the schema refuses unknown parameters",
        "every parameter is described",
        "unknown parameters are refused",
    ];
    assert_eq!(rules, expected);
}

#[test]
#[should_panic(expected = "sensor plugin \"flawed\" breaks 1 rule(s):\n  legal input gives no error")]
fn the_one_line_check_names_plugin_and_rule() {
    check_sensor::<Plugin>(&params("Faults"));
}

/// Makes instances of the flawed plugin, whose type is then forgotten, as it is behind the plugin border.
struct Forgetful;

impl Maker for Forgetful {
    fn motion(&self, params: &Value, setup: &MotionSetup) -> Result<Arc<dyn MotionInstance>, NotMade> {
        InProcess::<Plugin, _>::motion(params, setup).map(|made| Arc::new(made) as _).map_err(NotMade::Setup)
    }
    fn sensor(&self, params: &Value, setup: &SensorSetup) -> Result<Arc<dyn SensorInstance>, NotMade> {
        InProcess::<Plugin, _>::sensor(params, setup).map(|made| Arc::new(made) as _).map_err(NotMade::Setup)
    }
    fn player(&self, params: &Value, setup: &PlayerSetup) -> Result<Arc<dyn PlayerInstance>, NotMade> {
        InProcess::<Plugin, _>::player(params, setup).map(|made| Arc::new(made) as _).map_err(NotMade::Setup)
    }
    fn referee(&self, params: &Value, setup: &RefereeSetup) -> Result<Arc<dyn RefereeInstance>, NotMade> {
        InProcess::<Plugin, _>::referee(params, setup).map(|made| Arc::new(made) as _).map_err(NotMade::Setup)
    }
}

/// P6: what is said of a type is said of an instance without its type.
#[test]
fn an_instance_without_its_type_is_told_what_it_breaks() {
    use PluginKind::{Motion, Player, Referee, Sensor};
    for (kind, flaw, rule) in [
        (Motion, "Panics", PANIC),
        (Motion, "Faults", FAULT),
        (Motion, "NoCommand", "a command has 1 to 8 numbers, motion data at most 16"),
        (Sensor, "CountsReadings", "a reading is the same however often it is asked"),
        (Sensor, "TellsApartInstances", "two instances are the same"),
        (Player, "ForeignOrder", ORDER),
        (Referee, "ForeignTeam", ORDER),
        (Referee, "ForeignKick", ORDER),
    ] {
        let plugin = PluginDescription::new::<Flawed>(kind, "flawed", "1.0.0", "Breaks a rule.");
        let sound = library_verdict(&plugin, &params("None"), &Forgetful);
        assert!(sound.violations.is_empty() && !sound.seen.is_empty(), "{kind}: {sound:?}");
        let broken = library_verdict(&plugin, &params(flaw), &Forgetful);
        assert_broken(flaw, &broken.violations[..1], rule);
        let none = library_verdict(&plugin, "{}", &Forgetful).violations;
        assert_broken("no parameters", &none, "the parameters are taken, and make a sound instance");
    }
}
