//! Sensors that serve all robots which have them alike: made once, as long as somebody has them.

use crate::adapters::Sensor;
use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use touchline_plugin_api::sensor::SensorSetup;
use touchline_sim::scenario::PluginChoice;

/// So many are remembered: robots that are made one after the other are of few kinds.
const MOST: usize = 64;

/// The sensors that were made last, the newest first.
#[derive(Default)]
pub struct SharedSensors(VecDeque<Shared>);

struct Shared {
    choice: PluginChoice,
    setup: SensorSetup,
    sensor: Weak<Sensor>,
}

impl SharedSensors {
    /// The sensor that serves this robot too, if there is one.
    pub fn find(&self, choice: &PluginChoice, setup: &SensorSetup) -> Option<Arc<Sensor>> {
        let is_alike = |one: &&Shared| one.choice == *choice && are_alike(&one.setup, setup);
        self.0.iter().find(is_alike)?.sensor.upgrade()
    }

    /// Remembers a sensor in place of the one that was made longest ago.
    pub fn keep(&mut self, choice: &PluginChoice, setup: &SensorSetup, sensor: &Arc<Sensor>) {
        self.0.retain(|one| one.sensor.strong_count() > 0);
        self.0.truncate(MOST - 1);
        let (choice, setup) = (choice.clone(), setup.clone());
        self.0.push_front(Shared { choice, setup, sensor: Arc::downgrade(sensor) });
    }
}

/// Whether two setups differ in the robot's name alone.
fn are_alike(one: &SensorSetup, other: &SensorSetup) -> bool {
    let SensorSetup { robot: _, id, model, mount, dt_secs, motion, teams, team, fixtures } = one;
    (id, model, mount, dt_secs) == (&other.id, &other.model, &other.mount, &other.dt_secs)
        && (motion, teams, team) == (&other.motion, &other.teams, &other.team)
        && *fixtures == other.fixtures
}

#[cfg(test)]
mod tests {
    use crate::registry::Host;
    use std::path::Path;
    use std::sync::Arc;
    use touchline_plugin_api::abi::{PluginCrate, SensorDoor, Table};
    use touchline_plugin_api::instance::SensorInstance;
    use touchline_plugin_api::layout::{Feature, Field, Layout};
    use touchline_plugin_api::plugin::{Fault, SetupError};
    use touchline_plugin_api::sensor::{Sensor, SensorInput, SensorSetup};
    use touchline_plugin_api::state::Stateless;
    use touchline_sim::PluginFactory;
    use touchline_sim::scenario::PluginChoice;

    struct ThisCrate;

    impl PluginCrate for ThisCrate {
        const VERSION: &'static str = "0.1.0";
        const UNWINDS: bool = true;
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct NoParams {}

    /// One that serves all, or one that is its robot's own.
    struct Ones<const ALL: bool>;

    impl<const ALL: bool> Sensor for Ones<ALL> {
        const NAME: &'static str = "ones";
        const SUMMARY: &'static str = "A one.";
        const TYPE: &'static str = "test";
        const SERVES_ALL: bool = ALL;
        type Params = NoParams;
        type State = Stateless;

        fn new(_: NoParams, _: &SensorSetup) -> Result<Self, SetupError> {
            Ok(Self)
        }
        fn layout(&self) -> Layout {
            Layout { features: vec![Feature::new("f", vec![Field::unsigned("v", "1", 1.0, &[1])])] }
        }
        fn initial_state(&self) -> Stateless {
            Stateless
        }
        fn generate(&self, _: &Stateless, _: &SensorInput<'_>, quantised: &mut [u32]) -> Result<(), Fault> {
            quantised.fill(1);
            Ok(())
        }
    }

    fn host(table: Table) -> Host {
        let mut host = Host::default();
        // SAFETY: the table is that of a plugin in Rust.
        unsafe { host.add_linked(Path::new("made by hand"), Box::leak(Box::new(table))) };
        host
    }

    fn setup(robot: &str) -> SensorSetup {
        SensorSetup {
            robot: robot.into(),
            id: "s".into(),
            model: String::new(),
            mount: Default::default(),
            dt_secs: 0.01,
            motion: Default::default(),
            teams: vec!["blue".into(), "yellow".into()],
            team: Some(0),
            fixtures: Vec::new(),
        }
    }

    fn sensor(host: &Host, setup: &SensorSetup) -> Arc<dyn SensorInstance> {
        host.sensor(&PluginChoice::new("ones", serde_json::json!({})), setup).unwrap()
    }

    /// P1: robots that have a sensor alike have one instance of it, and whoever has another mount, team or name of it has another.
    #[test]
    fn robots_share_what_they_have_alike() {
        let host = host(SensorDoor::<Ones<true>, ThisCrate>::TABLE);
        let first = sensor(&host, &setup("a"));
        assert!(Arc::ptr_eq(&first, &sensor(&host, &setup("b"))));
        let mut others = [setup("c"), setup("d"), setup("e")];
        others[0].mount.x_m = 0.1;
        others[1].team = Some(1);
        others[2].id = "t".into();
        for other in &others {
            assert!(!Arc::ptr_eq(&first, &sensor(&host, other)), "{other:?}");
        }
    }

    /// P1: one that does not say that it serves all is its robot's own.
    #[test]
    fn what_looks_at_its_robot_is_its_own() {
        let host = host(SensorDoor::<Ones<false>, ThisCrate>::TABLE);
        let first = sensor(&host, &setup("a"));
        assert!(!Arc::ptr_eq(&first, &sensor(&host, &setup("b"))));
    }

    /// Nobody is kept in memory for those to come, and of the many kinds that there may be the last are remembered.
    #[test]
    fn what_nobody_has_is_gone() {
        let host = host(SensorDoor::<Ones<true>, ThisCrate>::TABLE);
        let kept: Vec<_> = (0..3 * super::MOST)
            .map(|number| sensor(&host, &SensorSetup { dt_secs: 1.0 + number as f64, ..setup("a") }))
            .collect();
        assert_eq!(host.shared.lock().0.len(), super::MOST);
        drop(kept);
        let _last = sensor(&host, &setup("a"));
        assert_eq!(host.shared.lock().0.len(), 1);
    }
}
