//! The radio's channels, their capacity, and bearings: mechanism 5.

use crate::common::teams::{TeamFactory, coach, scripted};
use crate::common::*;
use serde_json::json;
use std::sync::Arc;
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::radio::{Channel, Sender};
use touchline_plugin_api::view::NONE;
use touchline_sim::scenario::*;
use touchline_sim::{Action, Command, World};

/// Two robots of each team and one of none, all with nobody to drive them.
fn scenario() -> Scenario {
    let teams = [Some(0), Some(1), Some(0), Some(1), None];
    let robot = |(index, team): (usize, &Option<u32>)| RobotPlacement {
        name: format!("robot-{index}"),
        team: *team,
        spec: Arc::new(disc_robot()),
        pose: Some(Pose2::new(index as f64 - 2.0, 0.7 * libm::sin(index as f64 * 2.1), index as f64)),
        player: None,
    };
    Scenario { robots: teams.iter().enumerate().map(robot).collect(), ..empty_scenario() }
}

fn world(scenario: Scenario) -> World {
    World::new(scenario, Arc::new(TeamFactory)).unwrap()
}

fn commands(actions: impl IntoIterator<Item = Action>) -> Vec<Command> {
    let numbered = (0..).zip(actions);
    numbered.map(|(sequence, action)| Command { client: 1, sequence, action }).collect()
}

/// Mechanism 5: nobody of another team, and nobody of none, hears a team's channel.
#[test]
fn a_teams_channel_is_heard_by_its_team_alone() {
    let mut world = world(scenario());
    let team = |robot| Action::SayToTeam(robot, format!("{robot}"));
    let outcomes = world.step(&commands([team(0), team(3), Action::Say(1, "1".into()), team(4)]));
    let refused = outcomes[3].result.as_ref().unwrap_err().to_string();
    assert!(refused.contains("\"robot-4\" belongs to no team"), "{refused}");
    world.step(&[]);
    let heard: Vec<_> =
        world.frame().messages.iter().map(|m| (m.from, m.channel, m.heard_by.clone())).collect();
    let all = (1, Channel::All, vec![0, 2, 3, 4]);
    assert_eq!(heard, [(0, Channel::Team, vec![2]), (3, Channel::Team, vec![1]), all]);
}

/// Mechanism 5: a team's player hears its team and all, and is heard by its team; the other's hears nothing of it.
#[test]
fn a_coach_shares_its_teams_channel() {
    let mut scenario = scenario();
    let talks = json!({ "says": ["team"], "tells": true });
    scenario.teams[0].players = vec![coach("blue-coach", Sees::Nothing, json!({ "says": ["team"] }))];
    scenario.robots[0].player = Some(scripted(talks.clone()));
    scenario.robots[1].player = Some(scripted(talks));
    scenario.robots[2].player = Some(scripted(json!({ "tells": true })));
    let mut world = world(scenario);
    world.step(&[]);
    world.step(&[]);
    let frame = world.frame();
    let heard = |robot: usize| frame.robots[robot].annotations["heard"].clone();
    let coach = format!("{NONE} TeamPlayer on team none");
    assert_eq!(heard(0), format!("[\"{coach}\"]"));
    assert_eq!(heard(2), format!("[\"0 Robot on team none\",\"{coach}\"]"));
    assert_eq!(heard(1), "[]");
    let said = frame.messages.iter().find(|message| message.sender == Sender::TeamPlayer).unwrap();
    assert_eq!((said.from_name.as_str(), &said.heard_by), ("blue-coach", &vec![0, 2]));
}

/// Mechanism 5: of the messages of a step, each channel carries the first up to its capacity; each of the others is counted.
#[test]
fn a_channel_carries_its_capacity_and_counts_the_rest() {
    for (all, team) in [(0, 1), (1, 0), (3, 2), (9, 9)] {
        let mut scenario = scenario();
        (scenario.radio.all_capacity, scenario.radio.team_capacity) = (Some(all), Some(team));
        let mut world = world(scenario);
        let steps = 5;
        for _ in 0..steps {
            let say = |n: usize| Action::Say(n as u32 % 5, format!("all {n}"));
            let to_team = |n: usize| Action::SayToTeam([0, 1, 2][n % 3], format!("team {n}"));
            // Six to all; four of the first team, two of the second.
            world.step(&commands((0..6).map(say).chain((0..6).map(to_team))));
            world.step(&[]);
        }
        let frame = world.frame();
        let carried = |channel, team: Option<u32>| {
            let of = |m: &&Arc<touchline_sim::Message>| {
                m.channel == channel && team.is_none_or(|team| m.from % 2 == team)
            };
            frame.messages.iter().filter(of).map(|m| m.text.clone()).collect::<Vec<_>>()
        };
        let first = |said: &[&str], capacity: u32| -> Vec<String> {
            let of_step = || said.iter().take(capacity as usize).map(|text| (*text).to_owned());
            (0..steps).flat_map(|_| of_step()).collect()
        };
        assert_eq!(
            carried(Channel::All, None),
            first(&["all 0", "all 1", "all 2", "all 3", "all 4", "all 5"], all)
        );
        assert_eq!(carried(Channel::Team, Some(0)), first(&["team 0", "team 2", "team 3", "team 5"], team));
        assert_eq!(carried(Channel::Team, Some(1)), first(&["team 1", "team 4"], team));
        let lost = |said: u32, capacity: u32| u64::from(steps as u32 * said.saturating_sub(capacity));
        let dropped = &frame.messages_dropped;
        assert_eq!(dropped.heard_by(None), lost(6, all));
        assert_eq!(dropped.heard_by(Some(0)), lost(6, all) + lost(4, team));
        assert_eq!(dropped.heard_by(Some(1)), lost(6, all) + lost(2, team));
    }
}

/// Mechanism 5: the bearing is the direction to the sender against the receiver's heading, where the world tells it.
#[test]
fn the_bearing_is_that_of_the_sender_from_the_receiver() {
    for bearing in [false, true] {
        let mut scenario = scenario();
        scenario.radio.bearing = bearing;
        scenario.robots[3].player = Some(scripted(json!({ "tells": true })));
        let mut world = world(scenario);
        world.step(&commands([Action::Say(0, "here".into())]));
        world.step(&[]);
        let frame = world.frame();
        let message = &frame.messages[0];
        let from = frame.robots[0].pose;
        for &robot in &message.heard_by {
            let at = frame.robots[robot as usize].pose;
            let expected = wrap_angle(libm::atan2(from.y_m - at.y_m, from.x_m - at.x_m) - at.theta_rad);
            match message.bearing_rad(robot) {
                Some(found) => assert!(bearing && wrap_angle(found - expected).abs() < 1e-12, "{robot}"),
                None => assert!(!bearing),
            }
        }
        let told = message.bearing_rad(3).map_or("none".into(), |bearing| format!("{bearing:.9}"));
        assert_eq!(frame.robots[3].annotations["heard"], format!("[\"0 Robot here {told}\"]"));
    }
}
