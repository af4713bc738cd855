//! Robots that are taken over from their players and given back: Y2, W7, I2.

use crate::common::*;
use std::sync::Arc;
use touchline_plugin_api::flight::Aim;
use touchline_plugin_api::geometry::Twist2;
use touchline_sim::{Action, Command, CommandError, World};

const PERSON: u64 = 7;
const OTHER: u64 = 8;

/// Eight robots whose players drive about in every step.
fn busy() -> World {
    let mut world = World::new(busy_scenario(), Arc::new(TestFactory)).unwrap();
    steps(&mut world, 20);
    world
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step(&[]);
    }
}

fn ask(world: &mut World, client: u64, action: Action) -> Result<(), CommandError> {
    world.apply(&[Command { client, sequence: 0, action }]).remove(0).result.map(|_| ())
}

fn command_of(world: &World, robot: u32) -> Vec<f64> {
    world.frame().robot(robot).unwrap().command.clone()
}

/// Y2: who takes a robot over drives it, and its player is silent; given back, the player goes on with what it remembers.
#[test]
fn a_player_is_not_asked_while_its_robot_is_taken() {
    let mut world = busy();
    assert_ne!(command_of(&world, 0), [0.0; 3], "its player drives");
    ask(&mut world, PERSON, Action::TakeRobot(0)).unwrap();
    assert_eq!(command_of(&world, 0), [0.0; 3], "it stands at first");
    ask(&mut world, PERSON, Action::SetTwist(0, Twist2::new(0.5, 0.0, 0.25))).unwrap();
    let said = |world: &World| world.frame().messages.iter().filter(|message| message.from == 0).count();
    steps(&mut world, 2);
    let before = said(&world);
    steps(&mut world, 100);
    assert_eq!(command_of(&world, 0), [0.5, 0.0, 0.25], "as told, and by nobody else");
    assert!(said(&world) <= before, "it says nothing either");
    assert_eq!(world.frame().robot(0).unwrap().player.as_deref(), Some("restless"), "it lives");
    ask(&mut world, PERSON, Action::GiveRobot(0)).unwrap();
    assert_eq!(command_of(&world, 0), [0.0; 3]);
    steps(&mut world, 1);
    assert_ne!(command_of(&world, 0), [0.0; 3], "its player drives again");
    assert_eq!(world.frame().robot(0).unwrap().fault, None);
}

/// C6: two cannot drive one robot; the mistake is told, whoever made the robot.
#[test]
fn only_the_taker_moves_a_taken_robot() {
    let mut world = busy();
    ask(&mut world, PERSON, Action::TakeRobot(0)).unwrap();
    ask(&mut world, PERSON, Action::TakeRobot(0)).unwrap();
    let kick = |state: &str| Action::Manipulate {
        robot: 0,
        manipulator: "kicker".into(),
        state: state.into(),
        aim: Aim::strength(1.0),
    };
    let moves = [
        Action::TakeRobot(0),
        Action::Drive(0, vec![1.0, 0.0, 0.0]),
        Action::SetForward(0, 1.0),
        Action::SetTurn(0, 1.0),
        Action::SetTwist(0, Twist2::new(1.0, 0.0, 0.0)),
        kick("kick"),
    ];
    for action in moves {
        let refused = ask(&mut world, OTHER, action.clone()).unwrap_err();
        assert!(matches!(refused, CommandError::Taken(_)), "{action:?}: {refused}");
    }
    ask(&mut world, PERSON, kick("kick")).unwrap();
    assert_eq!(command_of(&world, 0), [0.0; 3]);
    ask(&mut world, OTHER, Action::Say(0, "still here".into())).unwrap();
    // Any operator may end it: who has taken a robot may have fallen asleep.
    ask(&mut world, OTHER, Action::GiveRobot(0)).unwrap();
    assert!(matches!(ask(&mut world, OTHER, Action::GiveRobot(0)), Err(CommandError::Taken(_))));
    ask(&mut world, OTHER, Action::SetForward(0, 1.0)).unwrap();
}

/// C2: a client that goes gives back all that it has taken, and nothing of anybody else's.
#[test]
fn all_of_one_client_are_given_back() {
    let mut world = busy();
    for (client, robot) in [(PERSON, 0), (PERSON, 3), (OTHER, 5)] {
        ask(&mut world, client, Action::TakeRobot(robot)).unwrap();
    }
    ask(&mut world, PERSON, Action::GiveAll).unwrap();
    let taken: Vec<_> = world.frame().robots.iter().map(|robot| robot.taken_by).collect();
    assert_eq!(taken.iter().flatten().collect::<Vec<_>>(), [&OTHER]);
    assert_eq!(taken[5], Some(OTHER));
}

/// W7, I2: who has taken what is part of the state: of snapshots, and of the hash.
#[test]
fn what_is_taken_is_state() {
    let mut world = busy();
    let free = world.state_hash();
    let mut other = world.fork();
    ask(&mut world, PERSON, Action::TakeRobot(0)).unwrap();
    ask(&mut other, OTHER, Action::TakeRobot(0)).unwrap();
    assert_ne!(world.state_hash(), free);
    assert_ne!(world.state_hash(), other.state_hash(), "it matters by whom");

    ask(&mut world, PERSON, Action::SetForward(0, 0.4)).unwrap();
    let snapshot = world.snapshot();
    steps(&mut world, 30);
    let (taken_by, hash) = (world.frame().robots[0].taken_by, world.state_hash());
    assert_eq!(taken_by, Some(PERSON));
    ask(&mut world, PERSON, Action::GiveRobot(0)).unwrap();
    steps(&mut world, 30);
    world.restore(&snapshot);
    steps(&mut world, 30);
    assert_eq!(world.state_hash(), hash, "bit by bit");
}

/// W7: to take a robot and to give it back at once leaves nothing behind but that it was stopped.
#[test]
fn the_hash_of_a_world_without_taken_robots_is_as_ever() {
    let mut world = busy();
    ask(&mut world, PERSON, Action::Drive(0, vec![0.0; 3])).unwrap();
    let stopped = world.state_hash();
    ask(&mut world, PERSON, Action::TakeRobot(0)).unwrap();
    ask(&mut world, PERSON, Action::GiveRobot(0)).unwrap();
    assert_eq!(world.state_hash(), stopped);
}

/// C6: after a reset the person who drove drives on.
#[test]
fn a_reset_takes_nothing_away() {
    let mut world = busy();
    ask(&mut world, PERSON, Action::TakeRobot(2)).unwrap();
    ask(&mut world, OTHER, Action::Reset).unwrap();
    let taken: Vec<_> = world.frame().robots.iter().map(|robot| robot.taken_by).collect();
    assert_eq!(taken, [None, None, Some(PERSON), None, None, None, None, None]);
}
