//! The robots of a connection, and how its commands name them.

use super::{Session, Ticket};
use crate::params::BadLine;
use touchline_board::{Reply, RobotRef, notice};
use touchline_gate::{Reach, Verb};

/// A robot of this connection.
#[derive(Debug)]
pub(super) struct OwnRobot {
    pub(super) name: String,
    /// `None` until it is made.
    pub(super) number: Option<u32>,
    pub(super) ticket: Ticket,
}

impl Session {
    /// The robots that this connection made, by number.
    pub fn own_robots(&self) -> impl Iterator<Item = u32> + '_ {
        self.own.iter().filter_map(|own| own.number)
    }

    /// The robot that is meant by this word in this command: a player at a desk names its own alone; whose is whose of a key, the gate knows.
    pub(crate) fn robot_ref(&self, word: &str, verb: Verb) -> Result<RobotRef, BadLine> {
        let no_robot = |message: &str| Err(BadLine(Reply::error("board/no-robot", message)));
        if word.eq_ignore_ascii_case("me") || word == "-" {
            return match self.own.as_slice() {
                [own] => Ok(own.reference()),
                [] => no_robot("you have made no robot yet: ROBOT <name> file=<file>"),
                _ => no_robot("you have several robots: say which, by name or number"),
            };
        }
        let named = RobotRef::from_word(word);
        let own = self.own.iter().find(|own| match &named {
            RobotRef::Number(number) => own.number == Some(*number),
            RobotRef::Name(name) => own.name == *name,
        });
        match own {
            Some(own) => Ok(own.reference()),
            None if self.drives_what_it_made(verb) => {
                let message = format!(
                    "robot {word:?} is not one that you made; an operator may drive all: HELLO 1 <name> role=operator, \
                     then TAKE {word}"
                );
                Err(BadLine(Reply::error("board/not-yours", message).with("robot", word)))
            }
            None => Ok(named),
        }
    }

    /// Whether what it may do so is limited to the robots of this connection.
    fn drives_what_it_made(&self, verb: Verb) -> bool {
        self.pass.as_ref().is_some_and(|pass| pass.name.is_none() && pass.reach(verb) == Reach::Own)
    }

    /// The command of this ticket makes a robot of this connection's own.
    pub fn expect_robot(&mut self, ticket: Ticket, name: &str) {
        self.own.push(OwnRobot { name: name.into(), number: None, ticket });
    }

    /// Answers a command that made a robot with its number; from now on it is this connection's own.
    pub fn answer_robot(&mut self, ticket: Ticket, number: u32) {
        let Some(own) = self.own.iter_mut().find(|own| own.ticket == ticket) else { return };
        own.number = Some(number);
        let reply = Reply::ok().with("robot", number).with("name", &own.name);
        self.answer(ticket, &reply);
    }

    /// Tells that a robot has gone: needed for robots of this connection and pushed ones, harmless for others.
    pub fn robot_gone(&mut self, robot: u32, reason: &str) {
        let own = self.own.iter().position(|own| own.number == Some(robot));
        let pushed = self.pushes.iter().any(|push| push.robot == robot);
        self.end_push(robot);
        if let Some(at) = own {
            self.own.remove(at);
        }
        if (own.is_some() || pushed) && !self.closing {
            notice("GONE", &mut self.output, |line| line.field("robot", robot).quoted(reason));
        }
    }
}

impl OwnRobot {
    fn reference(&self) -> RobotRef {
        self.number.map_or_else(|| RobotRef::Name(self.name.clone()), RobotRef::Number)
    }
}
