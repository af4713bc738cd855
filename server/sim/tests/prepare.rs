//! Players made ahead of time are those that the world would make.

use crate::common::*;
use std::sync::{Arc, Mutex};
use touchline_plugin_api::instance::PlayerInstance;
use touchline_plugin_api::player::PlayerSetup;
use touchline_sim::scenario::{PlayerChoice, PluginChoice, Scenario};
use touchline_sim::{Action, Command, MakeError, PluginFactory, World, describe_robot, prepare_player};

/// Notes what players are told when they are made.
#[derive(Default)]
struct Noting(Mutex<Vec<(PluginChoice, PlayerSetup)>>);

impl PluginFactory for Noting {
    fn below(&self) -> Option<&dyn PluginFactory> {
        Some(&TestFactory)
    }

    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        self.0.lock().unwrap().push((choice.clone(), setup.clone()));
        TestFactory.player(choice, setup)
    }
}

/// For a robot that is there, one that gets another player, and one that is still to be made, the world asks for the very same
/// player, so that it need load nothing.
#[test]
fn what_is_prepared_is_what_the_world_makes() {
    let factory = Arc::new(Noting::default());
    let scenario = Scenario { referee: Some(choice("counting")), ..empty_scenario() };
    let mut world = World::new(scenario, factory.clone()).unwrap();
    let player = PlayerChoice { choice: choice("restless"), period_secs: 0.033 };
    let spec = Arc::new(equipped_robot());
    let mut act = |action| {
        world.apply(&[Command { client: 7, sequence: 0, action }]).remove(0).result.unwrap();
        world.frame()
    };
    let frame = act(Action::AddRobot {
        name: "a".into(),
        team: Some(1),
        spec: Arc::clone(&spec),
        pose: None,
        player: None,
    });
    let (scenario, game) = (empty_scenario(), frame.game.description().clone());
    let noted = || std::mem::take(&mut *factory.0.lock().unwrap());
    let robot = &frame.robots[0].identity;
    let prepare = |robot: &_| drop(prepare_player(&scenario, &game, &*factory, robot, &player).unwrap());
    for action in [
        Action::StartPlayer(robot.number, player.clone()),
        Action::ExchangePlayer(robot.number, player.clone()),
    ] {
        prepare(&robot.description);
        act(action);
        let noted = noted();
        assert_eq!(noted.len(), 2);
        assert_eq!(noted[0], noted[1]);
    }
    let described = describe_robot(&scenario, &game, &*factory, ("b", Some(0)), &spec).unwrap();
    prepare(&described);
    act(Action::AddRobot { name: "b".into(), team: Some(0), spec, pose: None, player: Some(player.clone()) });
    let noted = noted();
    assert_eq!(noted.len(), 2);
    assert_eq!(noted[0], noted[1]);
}
