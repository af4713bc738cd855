//! A challenge and its teams, ready to be played.

use crate::PlayError;
use crate::changes::as_json;
use crate::course::Course;
use crate::fence::{Fence, Fenced};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchline_config::{ChallengeSpec, EntrySpec, FileSource, Report, TeamSpec};
use touchline_host::{Host, Roster};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::scenario::{EpisodeSpec, PlayerChoice, PluginChoice, Scenario};
use touchline_sim::{PluginFactory, World};
use touchline_skills::localisation::table::digest;

/// A referee has so many steps to place what it places.
const PLACING_STEPS: u64 = 100;
/// The phase in which a referee has not placed anything yet.
const LAUNCHING: &str = "launching";
/// Up to here a floating-point number has no gaps among the whole ones.
const MAX_WHOLE: f64 = 9_007_199_254_740_991.0;

/// A challenge: what its file says, with its plugins.
pub struct Challenge {
    spec: ChallengeSpec,
    roster: Arc<Roster>,
    plugins: BTreeMap<String, String>,
    /// A number for everything that all attempts depend on, but for the teams and the numbers.
    conditions: u64,
}

/// One team of a competition.
#[derive(Clone, Debug, PartialEq)]
pub struct Team {
    /// Name of the team.
    pub name: String,
    /// Script or plugin that plays for the team.
    pub entry: Entry,
    /// Parameters of the referee for it.
    pub set: BTreeMap<String, f64>,
    /// A number for all of this, and for what is in its files.
    pub digest: u64,
}

/// With what a team plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// A script: it is started for each robot of each attempt.
    Script(PathBuf),
    /// A player plugin for each robot.
    Player(PlayerChoice),
}

/// An attempt by its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The run, from 0.
    pub run: u32,
    /// The attempt of the run, from 0.
    pub attempt: u32,
}

impl Challenge {
    /// Reads a challenge file from disk, and the files that it names from `read`; `libraries` are player plugins in files of their own, by the names that teams have for
    /// them.
    ///
    /// # Errors
    /// Everything that is wrong with any of them.
    pub fn load(
        path: &Path,
        read: &dyn FileSource,
        host: Arc<Host>,
        libraries: Vec<(String, PathBuf)>,
    ) -> Result<Self, Report> {
        let roster = Arc::new(Roster::new(host, libraries));
        let spec = touchline_config::load_challenge(path, read, roster.as_ref())?;
        let mut challenge = Self { spec, roster, plugins: BTreeMap::new(), conditions: 0 };
        challenge.set_conditions();
        Ok(challenge)
    }

    /// Makes the number of all conditions anew.
    pub(crate) fn set_conditions(&mut self) {
        let Self { spec, roster, .. } = &*self;
        let mut plugins = BTreeMap::new();
        let mut text =
            format!("touchline {}\n{:?}\n", env!("CARGO_PKG_VERSION"), (spec.max_secs, spec.truth));
        let mut add = |kind: PluginKind, choice: &PluginChoice| {
            let (version, identity) = roster.identity(kind, choice).unwrap_or_default();
            plugins.insert(format!("{kind}/{}", choice.plugin), version);
            text += &identity;
        };
        for robot in &spec.scenario.robots {
            add(PluginKind::Motion, &robot.spec.motion);
            robot.spec.sensors.iter().for_each(|sensor| add(PluginKind::Sensor, &sensor.choice));
            if let Some(player) = robot.player.as_ref().filter(|_| robot.team != Some(0)) {
                add(PluginKind::Player, &player.choice);
            }
        }
        if let Some(referee) = &spec.scenario.referee {
            add(PluginKind::Referee, referee);
        }
        let plain = Scenario { seed: 0, name: String::new(), ..spec.scenario.clone() };
        text += &serde_json::to_string(&plain).unwrap_or_default();
        // Seeds depend on the name, scripts on their arguments; what a team may set, others cannot have been spared.
        let ChallengeSpec { name, arguments, seed, attempts, score, team_params, .. } = spec;
        text += &format!("{:?}", (name, arguments, seed, attempts, score, team_params));
        (self.conditions, self.plugins) = (digest(text.as_bytes()), plugins);
    }

    pub(crate) fn spec_mut(&mut self) -> &mut ChallengeSpec {
        &mut self.spec
    }

    /// Contents of the challenge file, checked.
    pub fn spec(&self) -> &ChallengeSpec {
        &self.spec
    }

    /// Plays another number of runs than the file says.
    pub fn set_runs(&mut self, runs: u32) {
        self.spec.runs = runs;
    }

    /// The plugins of the world, as `kind/name`, with their versions.
    pub fn plugins(&self) -> &BTreeMap<String, String> {
        &self.plugins
    }

    /// The plugins as they are, without a fence.
    pub fn factory(&self) -> Arc<dyn PluginFactory> {
        Arc::clone(&self.roster) as _
    }

    /// The robots that a team drives: their places in the scenario.
    pub fn robots(&self) -> impl Iterator<Item = usize> + '_ {
        let robots = self.spec.scenario.robots.iter().enumerate();
        robots.filter(|(_, robot)| robot.team == Some(0)).map(|(place, _)| place)
    }

    /// A team of a competition.
    ///
    /// # Errors
    /// When its player cannot be made for the robots of this challenge.
    pub fn team(&self, spec: &TeamSpec) -> Result<Team, PlayError> {
        let entry = match &spec.entry {
            EntrySpec::Script(path) => Entry::Script(path.clone()),
            EntrySpec::Plugin { plugin, params, rate_hz, .. } => Entry::Player(PlayerChoice {
                choice: PluginChoice::new(plugin.as_str(), params.clone()),
                period_secs: 1.0 / rate_hz,
            }),
        };
        let known = |name: &&String| self.spec.team_params.contains(name);
        let set = spec.set.iter().filter(|(name, _)| known(name)).map(|(name, value)| (name.clone(), *value));
        self.new_team(spec.name.clone(), entry, set.collect())
    }

    /// The players of ours.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn references(&self) -> Result<Vec<Team>, PlayError> {
        let team = |reference: &touchline_config::ReferenceSpec| {
            self.new_team(reference.name.clone(), Entry::Player(reference.player.clone()), BTreeMap::new())
        };
        self.spec.references.iter().map(team).collect()
    }

    /// A team, tried in the world of the first attempt.
    ///
    /// # Errors
    /// When its player cannot be made, or a parameter of the referee is to be a fraction and cannot.
    pub fn new_team(
        &self,
        name: String,
        entry: Entry,
        set: BTreeMap<String, f64>,
    ) -> Result<Team, PlayError> {
        let whole = if set.is_empty() { BTreeSet::new() } else { self.whole_parameters() };
        let is_fraction = |value: f64| value.fract() != 0.0 || value.abs() > MAX_WHOLE;
        if let Some((parameter, value)) =
            set.iter().find(|(parameter, value)| whole.contains(*parameter) && is_fraction(**value))
        {
            return Err(PlayError::NotWhole { team: name, parameter: parameter.clone(), value: *value });
        }
        let mut text = format!("{set:?}\n");
        match &entry {
            Entry::Script(path) => {
                text += &format!("{:x?}", std::fs::read(path).ok().map(|bytes| digest(&bytes)));
            }
            Entry::Player(PlayerChoice { choice, period_secs }) => {
                let identity = self.roster.identity(PluginKind::Player, choice);
                text += &format!("{period_secs} {}", identity.unwrap_or_default().1);
            }
        }
        let team = Team { name, entry, set, digest: digest(text.as_bytes()) };
        self.begin(&team, Attempt { run: 0, attempt: 0 })?;
        Ok(team)
    }

    /// What an attempt's world is made from: the same for all teams.
    pub fn seed_of(&self, attempt: Attempt) -> u64 {
        let Attempt { run, attempt } = attempt;
        let text = format!("challenge/{}/{}/{run}/{attempt}", self.spec.name, self.spec.seed);
        // 53 bits: what is written is read again by programs of all languages.
        digest(text.as_bytes()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11
    }

    /// A number for all conditions but the team; two tables with the same are comparable line by line.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.conditions)
    }

    /// A number for all that a run of this team depends on, but for its number.
    pub fn digest_of(&self, team: &Team) -> String {
        format!("{:016x}", digest(format!("{:016x} {:016x}", self.conditions, team.digest).as_bytes()))
    }

    /// How many steps an attempt has at most.
    fn max_steps(&self) -> u64 {
        (self.spec.max_secs / self.spec.scenario.dt_secs).round().max(1.0) as u64
    }

    /// The world of an attempt, before its first step.
    pub fn scenario(&self, team: &Team, attempt: Attempt) -> Scenario {
        let mut scenario = Scenario { seed: self.seed_of(attempt), ..self.spec.scenario.clone() };
        let max_steps = self.max_steps();
        scenario.episode = Some(match scenario.episode.take() {
            // Nobody decides from outside of what an episode has.
            Some(episode) => {
                EpisodeSpec { agents: Vec::new(), observe: Vec::new(), act: Vec::new(), max_steps, ..episode }
            }
            None => EpisodeSpec {
                agents: Vec::new(),
                decision_steps: 1,
                max_steps,
                observe: Vec::new(),
                act: Vec::new(),
                ranges: Vec::new(),
                starts: Vec::new(),
            },
        });
        for robot in scenario.robots.iter_mut().filter(|robot| robot.team == Some(0)) {
            robot.player = match &team.entry {
                Entry::Script(_) => None,
                Entry::Player(player) => Some(player.clone()),
            };
        }
        if let Some(referee) = &mut scenario.referee {
            if !referee.params.is_object() {
                referee.params = Value::Object(serde_json::Map::new());
            }
            if self.spec.attempts > 1 {
                referee.params["attempt"] = attempt.attempt.into();
                referee.params["attempts"] = self.spec.attempts.into();
            }
            let whole = if team.set.is_empty() { BTreeSet::new() } else { self.whole_parameters() };
            for (name, value) in &team.set {
                referee.params[name.as_str()] = as_json(*value, whole.contains(name));
            }
        }
        scenario
    }

    /// An attempt before its first step, and who follows it.
    ///
    /// # Errors
    /// When its world cannot be made.
    pub fn begin(&self, team: &Team, attempt: Attempt) -> Result<(World, Course), PlayError> {
        let fence = Arc::new(Fence::new(self.spec.truth));
        let factory = Fenced::new(self.factory(), Arc::clone(&fence));
        let world = World::new(self.scenario(team, attempt), Arc::new(factory))
            .map_err(|error| PlayError::World(team.name.clone(), Box::new(error)))?;
        let course = Course::new(&world, fence, self.spec.score.clone());
        Ok((world, course))
    }

    /// Whether the referee has placed what it places: scripts are started then, and told where.
    pub fn is_placed(world: &World) -> bool {
        world.game().phase_name() != LAUNCHING || world.step_count() >= PLACING_STEPS
    }
}
