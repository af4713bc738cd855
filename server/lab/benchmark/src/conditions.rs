//! What is played: the world of a set-up with its fixed starts, the keeper, and who drives the attacker.

use crate::keeper::Keeper;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use touchline_config::{Memory, Report};
use touchline_plugin_api::plugin::PluginKind;
use touchline_sim::scenario::{PlayerChoice, PluginChoice, Scenario};
use touchline_sim::{PluginFactory, World};
use touchline_skills::localisation::table;

/// The files of the benchmark, as they are in the repository. A robot's parts come with it.
const FILES: [(&str, &str); 13] = [
    ("worlds/goalkeeper.toml", include_str!("../../../../worlds/goalkeeper.toml")),
    ("worlds/goalkeeper-camera.toml", include_str!("../../../../worlds/goalkeeper-camera.toml")),
    ("worlds/goalkeeper-laser.toml", include_str!("../../../../worlds/goalkeeper-laser.toml")),
    ("worlds/parts/half-field.toml", include_str!("../../../../worlds/parts/half-field.toml")),
    ("worlds/parts/goalkeeper-starts.csv", include_str!("../../../../worlds/parts/goalkeeper-starts.csv")),
    ("robots/pioneer.toml", include_str!("../../../../robots/pioneer.toml")),
    ("robots/keeper.toml", include_str!("../../../../robots/keeper.toml")),
    ("robots/parts/lms200.toml", include_str!("../../../../robots/parts/lms200.toml")),
    ("robots/parts/camera.toml", include_str!("../../../../robots/parts/camera.toml")),
    ("robots/parts/omnicamera.toml", include_str!("../../../../robots/parts/omnicamera.toml")),
    ("robots/parts/odometry.toml", include_str!("../../../../robots/parts/odometry.toml")),
    ("robots/parts/sonar-pioneer.toml", include_str!("../../../../robots/parts/sonar-pioneer.toml")),
    ("robots/parts/kicker.toml", include_str!("../../../../robots/parts/kicker.toml")),
];

/// What the attacker observes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetUp {
    /// What is really so
    #[default]
    Truth,
    /// What its camera gives, with its noise, and its odometry
    Camera,
    /// What its laser range finder, camera and odometry give
    Laser,
}

impl SetUp {
    /// All set-ups.
    pub const ALL: [Self; 3] = [Self::Truth, Self::Camera, Self::Laser];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Truth => "truth",
            Self::Camera => "camera",
            Self::Laser => "laser",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::Truth => "goalkeeper.toml",
            Self::Camera => "goalkeeper-camera.toml",
            Self::Laser => "goalkeeper-laser.toml",
        }
    }
}

impl FromStr for SetUp {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|set_up| set_up.name() == text);
        found.ok_or_else(|| format!("it is {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// Who decides for the attacker.
#[derive(Clone, Debug, PartialEq)]
pub enum Attacker {
    /// Every number of every decision is drawn evenly from -1 to 1.
    Random,
    /// A player plugin, which reads the robot's own sensors.
    Player(PluginChoice),
    /// A policy in an ONNX file, which observes what the set-up says.
    Learned(PathBuf),
    /// A program outside, which gives commands as an agent does.
    Remote,
}

/// The robots' names in the world files.
pub const ATTACKER: &str = "attacker";
const KEEPER: &str = "keeper";

/// The conditions of a run, without the keeper and the attacker's player.
pub struct Conditions {
    scenario: Scenario,
    /// The plugins that take part, as `kind/name`, with their versions.
    pub plugins: BTreeMap<String, String>,
    set_up: SetUp,
}

impl Conditions {
    /// Reads the world of a set-up, and its fixed starts.
    ///
    /// # Errors
    /// Which plugin is missing or refuses its parameters.
    pub fn new(set_up: SetUp, factory: &dyn PluginFactory) -> Result<Self, Report> {
        let files = FILES.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        let text = format!(
            "include = [\"{}\"]\n\n[episode]\nstarts_file = \"parts/goalkeeper-starts.csv\"\n",
            set_up.file()
        );
        let name = Path::new("worlds/goalkeeper-benchmark.toml");
        let scenario = touchline_config::parse_world(&text, name, &Memory { files }, factory)?;
        let plugins = versions(&scenario, factory);
        Ok(Self { scenario, plugins, set_up })
    }

    /// Sensors from which the attacker observes.
    pub fn set_up(&self) -> SetUp {
        self.set_up
    }

    /// How many fixed starts there are.
    pub fn starts(&self) -> usize {
        self.scenario.episode.as_ref().map_or(0, |episode| episode.starts.len())
    }

    /// The length of a step, seconds.
    pub fn dt_secs(&self) -> f64 {
        self.scenario.dt_secs
    }

    /// The world with this keeper and this attacker.
    pub fn scenario(&self, keeper: Keeper, attacker: &Attacker) -> Scenario {
        let mut scenario = self.scenario.clone();
        let Some(episode) = &mut scenario.episode else { return scenario };
        let period_secs = scenario.dt_secs * f64::from(episode.decision_steps);
        for robot in &mut scenario.robots {
            if robot.name == KEEPER {
                robot.player = robot.player.as_ref().and_then(|player| keeper.player(player));
            }
            robot.player = match (robot.name.as_str(), attacker) {
                (ATTACKER, Attacker::Player(choice)) => {
                    Some(PlayerChoice { choice: choice.clone(), period_secs })
                }
                // Asked at every step, it decides at those at which an agent would.
                (ATTACKER, Attacker::Learned(model)) => {
                    let choice = learned(model, &episode.observe, keeper);
                    Some(PlayerChoice { choice, period_secs: scenario.dt_secs })
                }
                _ => continue,
            };
        }
        if keeper == Keeper::None {
            // The attacker comes first in the file, so its number stays.
            scenario.robots.retain(|robot| robot.name != KEEPER);
        }
        // Nobody of them is an agent that observes.
        episode.observe.clear();
        if matches!(attacker, Attacker::Player(_) | Attacker::Learned(_)) {
            episode.agents.clear();
        }
        scenario
    }

    /// Makes the world with this attacker on trial, and says which set-up a learned one was made for if it is not this.
    ///
    /// # Errors
    /// Why it cannot attack.
    pub fn check(&self, attacker: &Attacker, factory: &Arc<dyn PluginFactory>) -> Result<(), String> {
        let made = |conditions: &Self| {
            World::new(conditions.scenario(Keeper::None, attacker), Arc::clone(factory)).map(drop)
        };
        let Err(error) = made(self) else { return Ok(()) };
        let fits = |set_up: &SetUp| Self::new(*set_up, &**factory).is_ok_and(|other| made(&other).is_ok());
        let Attacker::Learned(model) = attacker else { return Err(error.to_string()) };
        Err(match SetUp::ALL.into_iter().find(fits) {
            Some(right) => format!(
                "{}: it was made for another set-up, and observes what {} gives, not what {} gives\n  hint     --set-up {}",
                model.display(),
                right.name(),
                self.set_up.name(),
                right.name()
            ),
            None => error.to_string(),
        })
    }

    /// A number that stands for all conditions that a result depends on, but for the attacker: two runs with the same
    /// are comparable.
    pub fn digest(&self, episodes: u64, seed: u64) -> String {
        let mut text = format!("touchline {} {}", env!("CARGO_PKG_VERSION"), self.set_up.file());
        text += &format!(" {episodes} episodes, seed {seed}\n");
        for (plugin, version) in &self.plugins {
            text += &format!("{plugin} {version}\n");
        }
        for (path, content) in FILES {
            text += &format!("{path} {}\n{content}\n", content.len());
        }
        format!("{:016x}", table::digest(text.as_bytes()))
    }
}

/// The player for a policy in a file. In the control there is no keeper, which the policy may know.
pub(crate) fn learned(model: &Path, observe: &[String], keeper: Keeper) -> PluginChoice {
    let absent = if keeper == Keeper::None { vec![KEEPER] } else { Vec::new() };
    let params = json!({ "model": model, "observe": observe, "absent": absent });
    PluginChoice::new("onnx", params)
}

/// The plugins of the world's rules, robots and players.
fn versions(scenario: &Scenario, factory: &dyn PluginFactory) -> BTreeMap<String, String> {
    let mut used = BTreeSet::new();
    for robot in &scenario.robots {
        used.insert((PluginKind::Motion, &robot.spec.motion.plugin));
        used.extend(robot.spec.sensors.iter().map(|sensor| (PluginKind::Sensor, &sensor.choice.plugin)));
        used.extend(robot.player.iter().map(|player| (PluginKind::Player, &player.choice.plugin)));
    }
    used.extend(scenario.referee.iter().map(|referee| (PluginKind::Referee, &referee.plugin)));
    let all = factory.descriptions();
    let version = |(kind, name): (PluginKind, &String)| {
        let found = all.iter().find(|plugin| plugin.kind == kind && plugin.name == *name)?;
        Some((format!("{kind}/{name}"), found.version.clone()))
    };
    used.into_iter().filter_map(version).collect()
}
