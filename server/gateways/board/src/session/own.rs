//! The robots of a connection, and how its commands name them.

use super::Ticket;
use crate::parse::{Robots, robot_ref};
use crate::reply::Reply;
use crate::request::RobotRef;

#[derive(Debug)]
pub(super) struct OwnRobot {
    pub(super) name: String,
    /// `None` until it is made.
    pub(super) number: Option<u32>,
    pub(super) ticket: Ticket,
}

/// The robots as one command sees them.
pub(super) struct Lookup<'a> {
    pub(super) own: &'a [OwnRobot],
    /// Whether no other may be named.
    pub(super) own_only: bool,
}

impl Robots for Lookup<'_> {
    fn robot(&self, word: &str) -> Result<RobotRef, Reply> {
        if word.eq_ignore_ascii_case("me") || word == "-" {
            return match self.own {
                [own] => Ok(own.reference()),
                [] => Err(Reply::error(
                    "board/no-robot",
                    "you have made no robot yet: ROBOT <name> file=<file>",
                )),
                _ => Err(Reply::error(
                    "board/no-robot",
                    "you have several robots: say which, by name or number",
                )),
            };
        }
        let named = robot_ref(word);
        let own = self.own.iter().find(|own| match &named {
            RobotRef::Number(number) => own.number == Some(*number),
            RobotRef::Name(name) => own.name == *name,
        });
        match own {
            Some(own) => Ok(own.reference()),
            None if self.own_only => {
                let message = format!(
                    "robot {word:?} is not one that you made; an operator may drive all: HELLO 1 <name> role=operator, \
                     then TAKE {word}"
                );
                Err(Reply::error("board/not-yours", message).with("robot", word))
            }
            None => Ok(named),
        }
    }
}

impl OwnRobot {
    fn reference(&self) -> RobotRef {
        self.number.map_or_else(|| RobotRef::Name(self.name.clone()), RobotRef::Number)
    }
}
