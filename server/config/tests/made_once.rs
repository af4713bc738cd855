//! What the check of a world file has made is not made again for the world.

use crate::support::Fakes;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use touchline_config::{CheckedWorld, check_world, load_world};
use touchline_plugin_api::instance::{MotionInstance, PlayerInstance, RefereeInstance, SensorInstance};
use touchline_plugin_api::motion::MotionSetup;
use touchline_plugin_api::player::PlayerSetup;
use touchline_plugin_api::referee::RefereeSetup;
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::scenario::PluginChoice;
use touchline_sim::{MakeError, PluginFactory, World};

const FAKES: Fakes = Fakes { strict_laser: false };

/// Counts by kind and owner what it makes.
#[derive(Default)]
struct Counting(Mutex<BTreeMap<String, usize>>);

impl Counting {
    fn count(&self, what: String) {
        *self.0.lock().unwrap().entry(what).or_default() += 1;
    }

    fn made(&self) -> BTreeMap<String, usize> {
        self.0.lock().unwrap().clone()
    }
}

impl PluginFactory for Counting {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&FAKES)
    }

    fn motion(&self, c: &PluginChoice, setup: &MotionSetup) -> Result<Arc<dyn MotionInstance>, MakeError> {
        self.count(format!("motion of {}", setup.robot));
        FAKES.motion(c, setup)
    }

    fn sensor(&self, c: &PluginChoice, setup: &SensorSetup) -> Result<Arc<dyn SensorInstance>, MakeError> {
        self.count(format!("sensor {} of {}", setup.id, setup.robot));
        FAKES.sensor(c, setup)
    }

    fn player(&self, c: &PluginChoice, setup: &PlayerSetup) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.count(format!("player of {}", setup.robot.name));
        FAKES.player(c, setup)
    }

    fn referee(&self, c: &PluginChoice, setup: &RefereeSetup) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        self.count("referee".into());
        FAKES.referee(c, setup)
    }
}

/// Of every shipped world: the check and the world together make what the world alone makes, each once.
#[test]
fn a_checked_world_makes_each_plugin_once() {
    let worlds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    for entry in std::fs::read_dir(worlds).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let alone = Arc::new(Counting::default());
        let scenario = load_world(&path, &FAKES).unwrap_or_else(|report| panic!("{report}"));
        let expected = World::new(scenario, Arc::clone(&alone) as _).unwrap();
        let counting = Arc::new(Counting::default());
        let CheckedWorld { scenario, made } = check_world(&path, &*counting).unwrap();
        let world = World::of_checked(scenario, made, Arc::clone(&counting) as _).unwrap();
        assert_eq!(counting.made(), alone.made(), "{}", path.display());
        assert!(counting.made().values().all(|&times| times == 1), "{}", path.display());
        assert_eq!(world.state_hash(), expected.state_hash());
    }
}

/// What the world did not take is gone: who comes later gets an instance of his own.
#[test]
fn an_instance_is_handed_over_once() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/3v3.toml");
    let counting = Arc::new(Counting::default());
    let CheckedWorld { mut scenario, made } = check_world(&path, &*counting).unwrap();
    let first = scenario.robots.remove(0);
    let mut world = World::of_checked(scenario, made, Arc::clone(&counting) as _).unwrap();
    let add = touchline_sim::Action::AddRobot {
        name: first.name.clone(),
        team: first.team,
        spec: Arc::clone(&first.spec),
        pose: None,
        player: None,
    };
    let outcomes = world.apply(&[touchline_sim::Command { client: 1, sequence: 0, action: add }]);
    assert!(outcomes[0].result.is_ok(), "{outcomes:?}");
    assert_eq!(counting.made()[&format!("motion of {}", first.name)], 2);
}
