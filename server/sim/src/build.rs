//! A world before its first step, from a scenario. [W3]

use crate::assemble::is_thick;
use crate::ball::Ball;
use crate::command::CommandError;
use crate::duties::Duties;
use crate::episode::Episode;
use crate::events::Dropped;
use crate::factory::PluginFactory;
use crate::game::Match;
use crate::log::Log;
use crate::made::{HandingOut, Made};
use crate::physics::Physics;
use crate::scenario::{BallPlacement, RobotPlacement, RobotSpec, STEP_SECS, Scenario};
use crate::shadow::ShadowPlayer;
use crate::start::NoStart;
use crate::state::{RefereeState, Setup, State};
use crate::touches::FixtureNames;
use crate::view::View;
use crate::world::World;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use touchline_plugin_api::game::GameDescription;
use touchline_plugin_api::noise::{NoiseOwner, NoiseSeed};
use touchline_plugin_api::referee::RefereeSetup;

/// A world cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", error.at(place))]
pub struct WorldError {
    /// Which part of the scenario, such as `robot "blue-1"`.
    pub place: String,
    /// The part's index in the scenario's list, for messages that point into a file.
    pub index: Option<usize>,
    /// What is wrong with it.
    pub error: CommandError,
}

impl World {
    /// Makes a world before its first step.
    ///
    /// # Errors
    /// Names the robot or referee that cannot be made.
    pub fn new(scenario: Scenario, factory: Arc<dyn PluginFactory>) -> Result<Self, WorldError> {
        Self::with_shadows(scenario, factory, Vec::new())
    }

    /// Makes a world with the instances that the check of its file has made; those that are missing are made by `factory`, as later ones.
    ///
    /// # Errors
    /// As [`World::new`].
    pub fn of_checked(
        scenario: Scenario,
        made: Made,
        factory: Arc<dyn PluginFactory>,
    ) -> Result<Self, WorldError> {
        let handing_out = Arc::new(HandingOut::new(factory, made));
        let world = Self::new(scenario, Arc::clone(&handing_out) as _);
        handing_out.end();
        world
    }

    /// Makes a world in which players are asked beside those that drive robots; it goes on as it would without them.
    ///
    /// A shadow that cannot be made says so in its robot's Frame.
    ///
    /// # Errors
    /// As [`World::new`].
    pub fn with_shadows(
        scenario: Scenario,
        factory: Arc<dyn PluginFactory>,
        shadows: Vec<ShadowPlayer>,
    ) -> Result<Self, WorldError> {
        check(&scenario)?;
        let physics = Physics::new(&scenario);
        let place = |placement: &BallPlacement| Ball::placed(placement);
        let balls = scenario.balls.iter().map(place).collect();
        let referee = make_referee(&scenario, factory.as_ref())?;
        let game = match &referee {
            Some(referee) => referee.instance.description().clone(),
            None => GameDescription::default(),
        };
        let state = State {
            step: 0,
            run: 0,
            noise_seed: NoiseSeed::new(scenario.seed),
            episode: Episode::default(),
            physics,
            balls,
            placements: Arc::new(scenario.balls.clone()),
            robots: Vec::new(),
            duties: Duties::ALL,
            is_switching: false,
            next_robot: 0,
            referee,
            referee_lines: String::new(),
            kicks: Vec::new(),
            game: Match::new(scenario.teams.len(), game),
            said: Vec::new(),
            handed_out: 0,
            view: View::of_fixtures(&scenario.fixtures),
            view_stale: true,
            view_misfits: true,
            events: Log::new(),
            event_step: 0,
            recent_touches: Vec::new(),
            messages: Log::new(),
            messages_dropped: Dropped::default(),
            team_players: Vec::new(),
            annotations: Arc::default(),
        };
        let fixtures = FixtureNames::new(&scenario.fixtures);
        let setup = Arc::new(Setup { scenario, factory, shadows, fixtures });
        let mut world = Self {
            setup: Arc::clone(&setup),
            initial: Arc::new(state.clone()),
            state,
            revision: 0,
            scratch: Box::default(),
        };
        world.add_robots(&setup.scenario)?;
        world.add_team_players(&setup.scenario)?;
        world.refresh_view();
        world.initial = Arc::new(world.state.clone());
        let no_start =
            |error: NoStart| WorldError { place: "episode".into(), index: None, error: error.into() };
        world.fork().check_starts().map_err(no_start)?;
        world.place_start(None).map_err(no_start)?;
        world.restart_timing();
        Ok(world)
    }

    /// Makes the scenario's robots, in a time that grows as their number does: nobody is compared with all others.
    fn add_robots(&mut self, scenario: &Scenario) -> Result<(), WorldError> {
        let mut names = BTreeSet::new();
        // How many places were found taken, by kind of robot: nobody leaves his place meanwhile.
        let mut searched: BTreeMap<*const RobotSpec, usize> = BTreeMap::new();
        self.state.physics.begin_crowd();
        for (index, robot) in scenario.robots.iter().enumerate() {
            let RobotPlacement { name, team, spec, pose, player } = robot;
            let searched = searched.entry(Arc::as_ptr(spec)).or_default();
            let free_place = || self.free_place_after(name, spec, searched);
            let added = if names.insert(name) {
                pose.map_or_else(free_place, Ok).and_then(|pose| {
                    self.add_named_robot(name, *team, spec, Some(pose), player.as_ref(), None)
                })
            } else {
                Err(CommandError::NameTaken(name.clone()))
            };
            let place = || format!("robot \"{name}\"");
            added.map_err(|error| WorldError { place: place(), index: Some(index), error })?;
        }
        self.state.physics.end_crowd();
        Ok(())
    }
}

/// What the configuration checks with places and hints is checked here once more: a scenario can come from a recording.
fn check(scenario: &Scenario) -> Result<(), WorldError> {
    let within = |place: &str, index, name, value, is_allowed: bool, allowed| match is_allowed {
        true => Ok(()),
        false => {
            let error = CommandError::BadNumber { name, value, allowed };
            Err(WorldError { place: place.into(), index, error })
        }
    };
    let dt_secs = scenario.dt_secs;
    within("world", None, "dt_s", dt_secs, STEP_SECS.contains(&dt_secs), "0.0005 to 0.1 s")?;
    for (index, fixture) in scenario.fixtures.iter().enumerate() {
        let outline = &fixture.primitive.outline;
        let allowed = "no shape is thinner than 0.0001 m";
        within("fixture", Some(index), "thickness_m", outline.thickness_m(), is_thick(outline), allowed)?;
    }
    for (index, BallPlacement { ball, .. }) in scenario.balls.iter().enumerate() {
        let (radius_m, mass_kg) = (ball.radius_m, ball.mass_kg);
        let ball =
            |name, value, is_allowed, allowed| within("ball", Some(index), name, value, is_allowed, allowed);
        ball("radius_m", radius_m, (0.001..=5.0).contains(&radius_m), "0.001 to 5 m")?;
        ball("mass_kg", mass_kg, (0.0001..=100.0).contains(&mass_kg), "0.0001 to 100 kg")?;
    }
    Ok(())
}

fn make_referee(
    scenario: &Scenario,
    factory: &dyn PluginFactory,
) -> Result<Option<RefereeState>, WorldError> {
    let Some(choice) = &scenario.referee else { return Ok(None) };
    let wrong = |error| WorldError { place: "referee".into(), index: None, error };
    let setup = RefereeSetup {
        teams: scenario.teams.iter().map(|team| team.name.clone()).collect(),
        dt_secs: scenario.dt_secs,
        world: scenario.description(),
    };
    let instance = factory.referee(choice, &setup).map_err(|error| wrong(error.into()))?;
    let state = instance.initial_state().map_err(|fault| {
        wrong(CommandError::BadRobot { name: "referee".into(), problem: fault.to_string() })
    })?;
    Ok(Some(RefereeState {
        plugin: choice.plugin.as_str().into(),
        prepares: instance.description().prepares,
        instance,
        noise: NoiseOwner::new("referee"),
        prepare_noise: NoiseOwner::new("referee/prepare"),
        state,
        failed: false,
    }))
}
