//! A race, made by hand: runners on two lanes, and a referee who gives a goal now and then to the team that is ahead.

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use touchline_config::{EntrantSpec, TournamentSpec};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{InProcess, MotionInstance, PlayerInstance, RefereeInstance};
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginKind, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::{
    Outline, PhysicsLaw, PlayerChoice, PluginChoice, Primitive, Radio, RobotPlacement, RobotSpec, Scenario,
    Surface, Team,
};
use touchline_sim::{MakeError, PluginFactory};
use touchline_tournament::{MatchResult, Tournament};

/// How fast it runs, and the step of the call in which it or the referee fails.
#[derive(Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Params {
    speed_m_s: f64,
    fails_at: Option<u64>,
}

struct Legs;

impl Motion for Legs {
    const NAME: &'static str = "legs";
    const SUMMARY: &'static str = "goes as told";
    type Params = Params;
    type State = Stateless;
    fn new(_: Params, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        let forward = CommandDimension::symmetric("forward", "m/s", 9.0, CommandPart::Forward);
        MotionDescription { dimensions: vec![forward], ..MotionDescription::default() }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let twist = Twist2::new(input.command[0], 0.0, 0.0);
        Ok(MotionOutput::steady(twist))
    }
}

struct Runner(Params);

impl Player for Runner {
    const NAME: &'static str = "runner";
    const SUMMARY: &'static str = "runs";
    type Params = Params;
    type State = Stateless;
    fn new(params: Params, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self(params))
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        Vec::new()
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(
        &self,
        _: &mut Stateless,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        if self.0.fails_at.is_some_and(|step| input.view.step >= step) {
            return Err(Fault::new("out of breath"));
        }
        orders.drive(&[self.0.speed_m_s]);
        Ok(())
    }
}

struct Judge(Params);

impl Referee for Judge {
    const NAME: &'static str = "judge";
    const SUMMARY: &'static str = "gives goals";
    type Params = Params;
    type State = Stateless;
    fn new(params: Params, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self(params))
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if self.0.fails_at.is_some_and(|step| input.view.step >= step) {
            return Err(Fault::new("lost the whistle"));
        }
        if input.view.step.is_multiple_of(20) {
            let way = |team| {
                input.view.robots().find(|robot| robot.team == team).map_or(0.0, |robot| robot.pose.x_m)
            };
            let ahead = way(0) - way(1) + input.noise.stream().gaussian(1.0);
            let mut game = input.game.to_state();
            game.teams[usize::from(ahead < 0.0)].score += 1;
            orders.set_game(&game);
        }
        Ok(())
    }
}

pub struct Factory;

impl PluginFactory for Factory {
    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        Ok(Arc::new(
            InProcess::<Legs, _>::motion(&choice.params, setup)
                .map_err(MakeError::setup(PluginKind::Motion, choice))?,
        ))
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        Ok(Arc::new(
            InProcess::<Runner, _>::player(&choice.params, setup)
                .map_err(MakeError::setup(PluginKind::Player, choice))?,
        ))
    }

    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(
            InProcess::<Judge, _>::referee(&choice.params, setup)
                .map_err(MakeError::setup(PluginKind::Referee, choice))?,
        ))
    }
}

pub fn choice(plugin: &str, params: Value) -> PluginChoice {
    PluginChoice::new(plugin, params)
}

pub fn scenario(referee: Value) -> Scenario {
    let surface = Surface::new(0.5, 0.3);
    let body = Primitive {
        outline: Outline::circle(0.2),
        pose: Pose2::ORIGIN,
        z_m: [0.0, 0.5],
        colour: None,
        surface: None,
    };
    let spec = Arc::new(RobotSpec {
        model: "runner".into(),
        body: vec![body],
        mass_kg: 10.0,
        traction_m_s2: 6.0,
        colour: 0,
        motion: choice("legs", json!({})),
        sensors: vec![],
        manipulators: vec![],
        commands: Default::default(),
    });
    let robot = |team: u32, name: &str| RobotPlacement {
        name: name.into(),
        team: Some(team),
        spec: Arc::clone(&spec),
        pose: Some(Pose2::new(0.0, f64::from(team) * 3.0, 0.0)),
        player: None,
    };
    Scenario {
        gravity_m_s2: touchline_sim::scenario::GRAVITY_M_S2,
        name: "lanes".into(),
        seed: 0,
        dt_secs: 0.02,
        physics: PhysicsLaw::default(),
        surface,
        teams: ["blue", "yellow"]
            .map(|name| Team { name: name.into(), colour: 0, players: Vec::new() })
            .into(),
        fixtures: vec![],
        balls: vec![],
        robots: vec![robot(0, "blue-1"), robot(1, "yellow-1")],
        referee: Some(choice("judge", referee)),
        radio: Radio::default(),
        episode: None,
        limits: Default::default(),
    }
}

pub fn entrant(name: &str, params: Value) -> EntrantSpec {
    let player = PlayerChoice { choice: choice("runner", params), period_secs: 0.1 };
    EntrantSpec {
        name: name.into(),
        players: BTreeMap::from([(0, player.clone()), (1, player)]),
        program: None,
    }
}

pub fn spec(entrants: &[(&str, f64)]) -> TournamentSpec {
    TournamentSpec {
        name: "race".into(),
        scenario: scenario(json!({})),
        match_secs: 4.0,
        pairs: 6,
        seed: 1,
        order_timeout_secs: 10.0,
        start_timeout_secs: 60.0,
        entrants: entrants.iter().map(|(name, speed)| entrant(name, json!({ "speed_m_s": speed }))).collect(),
    }
}

pub fn tournament(spec: TournamentSpec) -> Tournament {
    Tournament::new(spec, Arc::new(Factory), |_, choice| {
        Some(("1.0".into(), format!("{} {}\n", choice.plugin, choice.params)))
    })
}

pub fn three() -> Tournament {
    tournament(spec(&[("slow", 0.1), ("fast", 0.6), ("fair", 0.3)]))
}

pub fn all(tournament: &Tournament, threads: usize) -> BTreeMap<u64, MatchResult> {
    let numbers: Vec<u64> = (0..tournament.matches()).collect();
    let mut results = BTreeMap::new();
    let keep = |result: MatchResult| {
        assert!(results.insert(result.number, result).is_none());
        Ok(())
    };
    tournament.play_all(&numbers, threads, &AtomicBool::new(false), keep).unwrap();
    results
}
