//! A tournament, ready to be played.

use crate::play::Programs;
use crate::schedule::{self, Match};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use touchline_config::{EntrantSpec, FileSource, ProgramSpec, Report, TournamentSpec};
use touchline_host::{Host, Roster};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::PluginFactory;
use touchline_sim::scenario::{PlayerChoice, PluginChoice, Scenario};
use touchline_skills::localisation::table::digest;

/// A tournament: what its file says, with its plugins.
pub struct Tournament {
    /// What the file says; the entrants are sorted by name.
    pub(crate) spec: TournamentSpec,
    pub(crate) factory: Arc<dyn PluginFactory>,
    /// The plugins that take part, as `kind/name`, with their versions.
    plugins: BTreeMap<String, String>,
    /// A number for everything that all matches depend on.
    conditions: u64,
    /// A number for each entrant's players.
    players: Vec<u64>,
    /// Who plays when programs take part.
    pub(crate) programs: Option<Arc<dyn Programs>>,
}

impl Tournament {
    /// Reads a tournament file from disk, and the files that it names from `read`.
    ///
    /// # Errors
    /// Everything that is wrong with any of them.
    pub fn load(path: &Path, read: &dyn FileSource, host: Arc<Host>) -> Result<Self, Report> {
        let roster = Arc::new(Roster::new(host, touchline_config::tournament_libraries(path)));
        let factory: Arc<dyn PluginFactory> = Arc::clone(&roster) as _;
        let spec = touchline_config::load_tournament(path, read, &factory)?;
        Ok(Self::new(spec, factory, |kind, choice| roster.identity(kind, choice)))
    }

    /// Takes what a file says and the plugins; `identity` gives a plugin's version, and a text for all that it decides by.
    pub fn new(
        mut spec: TournamentSpec,
        factory: Arc<dyn PluginFactory>,
        identity: impl Fn(PluginKind, &PluginChoice) -> Option<(String, String)>,
    ) -> Self {
        spec.entrants.sort_by(|a, b| a.name.cmp(&b.name));
        let mut plugins = BTreeMap::new();
        let mut text_of = |kind: PluginKind, choice: &PluginChoice| {
            let (version, text) = identity(kind, choice).unwrap_or_default();
            plugins.insert(format!("{kind}/{}", choice.plugin), version);
            text
        };
        let mut world = format!("touchline {}\n{} s\n", env!("CARGO_PKG_VERSION"), spec.match_secs);
        // The seed and the name of the world have no effect on a match, nor has where the files of its players lie.
        let mut plain = Scenario { seed: 0, name: String::new(), ..spec.scenario.clone() };
        for robot in &mut plain.robots {
            world += &text_of(PluginKind::Motion, &robot.spec.motion);
            for sensor in &robot.spec.sensors {
                world += &text_of(PluginKind::Sensor, &sensor.choice);
            }
            if let Some(player) = &mut robot.player {
                let plugin = text_of(PluginKind::Player, &player.choice);
                player.choice = PluginChoice::new(plugin, serde_json::Value::Null);
            }
        }
        if let Some(referee) = &plain.referee {
            world += &text_of(PluginKind::Referee, referee);
        }
        world += &serde_json::to_string(&plain).unwrap_or_default();
        let players = spec.entrants.iter().map(|entrant| {
            let mut text = String::new();
            for (robot, PlayerChoice { choice, period_secs }) in &entrant.players {
                text += &format!("{robot} {period_secs} {}", text_of(PluginKind::Player, choice));
            }
            if let Some(program) = &entrant.program {
                text += &program_text(program);
            }
            digest(text.as_bytes())
        });
        let players = players.collect();
        Self { conditions: digest(world.as_bytes()), players, plugins, spec, factory, programs: None }
    }

    /// Matches in which programs take part are handed to these; without them there is none.
    pub fn set_programs(&mut self, programs: Arc<dyn Programs>) {
        self.programs = Some(programs);
    }

    /// The entrants that are programs, by name.
    pub fn programs(&self) -> impl Iterator<Item = (&str, &ProgramSpec)> {
        self.spec
            .entrants
            .iter()
            .filter_map(|entrant| Some((entrant.name.as_str(), entrant.program.as_ref()?)))
    }

    /// The program of an entrant.
    pub fn program_of(&self, entrant: usize) -> Option<&ProgramSpec> {
        self.spec.entrants.get(entrant)?.program.as_ref()
    }

    /// How long the world waits for a program.
    pub fn order_timeout(&self) -> Duration {
        Duration::from_secs_f64(self.spec.order_timeout_secs)
    }

    /// How long a program may take to start, until it has taken its robots.
    pub fn start_timeout(&self) -> Duration {
        Duration::from_secs_f64(self.spec.start_timeout_secs)
    }

    /// The factory that makes plugin instances.
    pub fn factory(&self) -> &Arc<dyn PluginFactory> {
        &self.factory
    }

    /// Name of the tournament.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The name of the world that is played.
    pub fn world(&self) -> &str {
        &self.spec.scenario.name
    }

    /// The names of the world's two teams.
    pub fn teams(&self) -> [&str; 2] {
        [0, 1].map(|team: usize| self.spec.scenario.teams.get(team).map_or("", |team| team.name.as_str()))
    }

    /// The names of all that take part, sorted.
    pub fn entrants(&self) -> Vec<&str> {
        self.spec.entrants.iter().map(|entrant| entrant.name.as_str()).collect()
    }

    /// How long a match takes, simulated seconds.
    pub fn match_secs(&self) -> f64 {
        self.spec.match_secs
    }

    /// How many pairs of matches each two entrants play.
    pub fn pairs(&self) -> u32 {
        self.spec.pairs
    }

    /// Plays another number of pairs than the file says.
    pub fn set_pairs(&mut self, pairs: u32) {
        self.spec.pairs = pairs;
    }

    /// What all seeds are made from.
    pub fn seed(&self) -> u64 {
        self.spec.seed
    }

    /// The plugins that take part, as `kind/name`, with their versions.
    pub fn plugins(&self) -> &BTreeMap<String, String> {
        &self.plugins
    }

    /// How many matches there are.
    pub fn matches(&self) -> u64 {
        2 * u64::from(self.spec.pairs) * schedule::couples(self.spec.entrants.len()).count() as u64
    }

    /// The match of this number, if there are so many.
    pub fn nth(&self, number: u64) -> Option<Match> {
        let known = (number < self.matches()).then_some(number)?;
        schedule::nth(known, &self.entrants(), self.spec.seed)
    }

    /// A number that stands for everything that a match depends on, but for its seed: the world and its robots, the players on both
    /// sides, the match's length, and what was in the plugins' files.
    pub fn digest_of(&self, one: &Match) -> String {
        let [first, second] = one.sides.map(|entrant| self.players.get(entrant).copied().unwrap_or_default());
        format!("{:016x}", digest(format!("{:016x} {first:016x} {second:016x}", self.conditions).as_bytes()))
    }

    /// A number that stands for all conditions of the tournament: two with the same are comparable line by line.
    pub fn digest(&self) -> String {
        let mut text = format!("{:016x} {} {}\n", self.conditions, self.spec.pairs, self.spec.seed);
        for (entrant, players) in self.spec.entrants.iter().zip(&self.players) {
            text += &format!("{} {players:016x}\n", entrant.name);
        }
        format!("{:016x}", digest(text.as_bytes()))
    }

    /// The world of a match.
    pub fn scenario(&self, one: &Match) -> Option<Scenario> {
        let entrant = |side: usize| -> Option<&EntrantSpec> { self.spec.entrants.get(one.sides[side]) };
        let scenario = self.spec.scenario_of([entrant(0)?, entrant(1)?]);
        Some(Scenario { seed: one.seed, ..scenario })
    }
}

/// What makes a program another one: the words of its command, what is in files that they name, and what it drives.
fn program_text(program: &ProgramSpec) -> String {
    let mut text = format!("program {:?}\n", program.robots);
    for word in &program.command {
        let file = program.folder.join(word);
        let bytes = if file.is_file() { std::fs::read(&file).ok() } else { None };
        let code = bytes.map(|bytes| digest(&bytes));
        text += &format!("{word:?} {code:x?}\n");
    }
    text
}
