//! Which client made which robot, and which clients have taken robots over.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use touchline_sim::{Action, Frame, RobotNumber};

/// What is known of the clients of one gate.
#[derive(Default)]
pub(crate) struct Owners(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The client that made a robot, and its name.
    makers: BTreeMap<RobotNumber, (u64, Arc<str>)>,
    /// The names of the clients that have taken robots over.
    takers: BTreeMap<u64, Arc<str>>,
}

impl Owners {
    pub fn made(&self, robot: RobotNumber, client: u64, name: Arc<str>) {
        self.0.lock().makers.insert(robot, (client, name));
    }

    pub fn removed(&self, robot: RobotNumber) {
        self.0.lock().makers.remove(&robot);
    }

    pub fn owns(&self, client: u64, robot: RobotNumber) -> bool {
        self.0.lock().makers.get(&robot).is_some_and(|(maker, _)| *maker == client)
    }

    pub fn robots_of(&self, client: u64) -> Vec<RobotNumber> {
        let known = self.0.lock();
        known.makers.iter().filter(|(_, (maker, _))| *maker == client).map(|(&robot, _)| robot).collect()
    }

    pub fn maker(&self, robot: RobotNumber) -> Option<Arc<str>> {
        self.0.lock().makers.get(&robot).map(|(_, name)| Arc::clone(name))
    }

    pub fn takes(&self, client: u64, name: Arc<str>) {
        self.0.lock().takers.insert(client, name);
    }

    pub fn taker(&self, client: u64) -> Option<Arc<str>> {
        self.0.lock().takers.get(&client).cloned()
    }

    pub fn left(&self, client: u64) {
        self.0.lock().takers.remove(&client);
    }

    /// What has to be done about robots that a seek has brought back without those who drive them.
    pub fn orphans(&self, before: &Frame, now: &Frame) -> Vec<Action> {
        let known = self.0.lock();
        let mut actions = Vec::new();
        for robot in &now.robots {
            let number = robot.identity.number;
            let has_client = known.makers.contains_key(&number) || before.robot(number).is_some();
            if robot.player.is_none() && !has_client {
                actions.push(Action::RemoveRobot(number));
            } else if robot.taken_by.is_some_and(|client| !known.takers.contains_key(&client)) {
                actions.push(Action::GiveRobot(number));
            }
        }
        actions
    }
}
