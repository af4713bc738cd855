//! Plays a policy that was learned: a neural network from an ONNX file decides. (Y1)
//!
//! The file says what it observes and decides, in the words of a world file's table `[episode]`; [`policy`] reads it. The words
//! are looked up by the same code as in the batch engine where it was learned.
//!
//! # Invariants
//! - Called at every step, it decides at the same steps, from the same numbers, and orders the same as an agent of the batch engine
//!   that follows the same model.
//! - What its words do not name it does not see.

#![forbid(unsafe_code)]

mod network;
mod policy;

use bytemuck::{Pod, Zeroable};
use policy::Policy;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use touchline_episode::{Actor, AgentAction, Observer, Scene, Senses, WordError};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{ManipulatorStatus, Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, SetupError};
use touchline_plugin_api::view::NONE;

/// Parameters of a learned policy.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnnxParams {
    /// The ONNX file, relative to the file that sets this.
    #[schemars(extend("format" = "path"))]
    pub model: String,
    /// The words that it may observe; a model that observes others is refused. Without it a model may observe whatever there is.
    #[serde(default)]
    pub observe: Option<Vec<String>>,
    /// Robots that the world does not have, and that the model may know by name: it sees that they are not there.
    #[serde(default)]
    pub absent: Vec<String>,
}

pub struct Onnx {
    policy: Policy,
    observer: Observer,
    actor: Actor,
    /// The steps from one decision to the next.
    decision_steps: u64,
    /// The steps of a whole episode; 0 if there are none.
    episode_steps: u64,
}

/// Where in its episode it is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Progress {
    /// The step at which it was called first in this episode.
    began_step: u64,
    /// It decides again at this step.
    next_step: u64,
    /// Which episode it is in, as the game counts them.
    episode: u32,
    /// 1 if it has been called at all.
    has_begun: u32,
}

impl Player for Onnx {
    const NAME: &'static str = "onnx";
    const SUMMARY: &'static str = "Plays a policy that was learned, from an ONNX file.";
    type Params = OnnxParams;
    type State = Progress;

    fn new(params: Self::Params, setup: &PlayerSetup) -> Result<Self, SetupError> {
        let wrong = |message: String| SetupError::param("model", format!("{}: {message}", params.model));
        if params.model.is_empty() {
            return Err(SetupError::param("model", "an ONNX file is needed; see the plugin's README"));
        }
        let file = policy::File::read(Path::new(&params.model)).map_err(wrong)?;
        let PlayerSetup { robot, period_secs, .. } = setup;
        let mut world = setup.world.clone();
        world.robots.extend(params.absent.iter().cloned());
        let unknown = |verb: &str, WordError { word, reason }| {
            wrong(format!("it {verb} \"{word}\", which this robot cannot: {reason}"))
        };
        let observer = Observer::new(&file.observe, robot, &world).map_err(|e| unknown("observes", e))?;
        if let Some(words) = &params.observe {
            let allowed = Observer::new(words, robot, &world)
                .map_err(|error| SetupError::param("observe", error.to_string()))?;
            if allowed.names() != observer.names() {
                return Err(wrong(format!(
                    "it observes {}; here it may observe {}",
                    file.observe.join(", "),
                    words.join(", ")
                )));
            }
        }
        let actor = Actor::new(&file.act, robot).map_err(|e| unknown("decides", e))?;
        if *period_secs > file.decision_secs * (1.0 + 1e-6) {
            return Err(wrong(format!(
                "it decides every {} s, and is asked every {period_secs} s only: a rate_hz of {} is needed, or better that of the \
                 world's steps",
                file.decision_secs,
                1.0 / file.decision_secs
            )));
        }
        let decision_steps = match world.dt_secs {
            dt_secs if dt_secs > 0.0 => (file.decision_secs / dt_secs).round().max(1.0) as u64,
            _ => 1,
        };
        let policy = file.policy(observer.names(), actor.names()).map_err(wrong)?;
        Ok(Self { policy, observer, actor, decision_steps, episode_steps: world.episode_steps })
    }

    fn wants(&self) -> Vec<FeatureHandle> {
        self.observer.sensors().map(|sensor| FeatureHandle { sensor, feature: 0 }).collect()
    }

    fn initial_state(&self) -> Self::State {
        Progress::default()
    }

    fn sense_and_act(
        &self,
        progress: &mut Progress,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        let (step, episode) = (input.view.step, input.game.episode);
        // A world that goes back in time begins anew as well.
        if progress.has_begun == 0 || progress.episode != episode || step < progress.began_step {
            *progress = Progress { began_step: step, next_step: step, episode, has_begun: 1 };
        }
        if step < progress.next_step {
            return Ok(());
        }
        progress.next_step += self.decision_steps;
        if progress.next_step <= step {
            progress.next_step = step + self.decision_steps;
        }
        let left = match self.episode_steps {
            0 => 1.0,
            steps => 1.0 - (step - progress.began_step) as f64 / steps as f64,
        };
        let mut observed = vec![0.0; self.observer.names().len()];
        let mut headings = Vec::new();
        let scene = Scene::new(input.view, &mut headings);
        self.observer.observe(&scene, input.robot, &mut Own(input), left, &mut observed);
        let actions = self.policy.decide(observed).map_err(Fault::new)?;
        self.actor.act(&actions, |action| match action {
            AgentAction::Drive(command) => orders.drive(command),
            AgentAction::Switch(manipulator, state, strength) => {
                orders.manipulate(manipulator, state, strength)
            }
        });
        Ok(())
    }
}

/// What the player is told of its own robot.
struct Own<'a>(&'a PlayerInput<'a>);

impl Senses for Own<'_> {
    fn sensor(&mut self, sensor: usize) -> Option<&[u32]> {
        let span = self.0.readings.spans.get(sensor).filter(|span| span.start != NONE)?;
        self.0.readings.quantised.get(span.start as usize..)?.get(..span.len as usize)
    }

    fn manipulators(&self) -> impl Iterator<Item = ManipulatorStatus> {
        self.0.manipulators.iter().copied()
    }
}

touchline_plugin_api::export_player!(Onnx);

#[cfg(test)]
mod tests;

#[cfg(test)]
mod fuzzed;
#[cfg(test)]
#[path = "../../../tests/fuzz/replay.rs"]
mod replay;
