//! What happens in a crowd, drawn from a seed: nothing in it depends on what the server does.

use crate::replay::Drawn;
use std::collections::BTreeMap;
use touchline_gate::Role;

/// Deeds of one story.
const DEEDS: usize = 60;
/// Guests that may be there at a time.
const GUESTS: usize = 12;

#[derive(Clone, Debug)]
pub enum Act {
    /// Somebody comes.
    Enter { guest: usize, role: Role, team: Option<u32> },
    /// The operator gives a command.
    Desk(String),
    /// The operator lets the world go on from so many ticks ago.
    Seek(u64),
    /// A team gives a command.
    Order { guest: usize, command: String },
    /// A watcher asks for more than anybody reads.
    Flood(usize),
    /// A watcher reads a little.
    Sip(usize),
    /// Somebody goes without a word, or in the middle of one.
    Vanish { guest: usize, last_words: &'static str },
    /// Somebody looks at what was so many ticks ago.
    LookBack(u64),
}

pub struct Script {
    pub acts: Vec<Act>,
    /// The team of each guest that has one.
    teams: BTreeMap<usize, u32>,
}

impl Script {
    pub fn draw(seed: u64) -> Self {
        let mut drawn = Drawn(seed);
        let mut script = Self { acts: Vec::new(), teams: BTreeMap::new() };
        let (mut there, mut next) = (Vec::new(), 0);
        for _ in 0..DEEDS {
            let act = match drawn.below(16) {
                0..=2 if there.len() < GUESTS => {
                    let guest = next;
                    next += 1;
                    there.push(guest);
                    let (role, team) = match drawn.below(5) {
                        0 => (Role::Spectator, None),
                        1 => (Role::Monitor, None),
                        _ => (Role::Team, Some(drawn.below(2) as u32)),
                    };
                    script.teams.extend(team.map(|team| (guest, team)));
                    Act::Enter { guest, role, team }
                }
                3..=5 => Act::Desk(desk_command(&mut drawn)),
                6 if drawn.below(6) == 0 => Act::Seek(1 + drawn.below(30) as u64),
                7 => Act::LookBack(drawn.below(40) as u64),
                8 if !there.is_empty() => {
                    let guest = there.swap_remove(drawn.below(there.len()));
                    // The end of a watcher may be a command as well; a team's is none that would be carried out.
                    let last_words =
                        ["", "GET rob", "#tag", "PLACE robot-0 1 1 0", "\"", "ROBOT x lines=9\nmodel"];
                    Act::Vanish { guest, last_words: last_words[drawn.below(last_words.len())] }
                }
                _ if !there.is_empty() => {
                    let guest = there[drawn.below(there.len())];
                    match script.teams.get(&guest) {
                        Some(&team) => Act::Order { guest, command: team_command(&mut drawn, team) },
                        None if drawn.below(2) == 0 => Act::Flood(guest),
                        None => Act::Sip(guest),
                    }
                }
                _ => Act::Desk(format!("STEP {}", 1 + drawn.below(4))),
            };
            script.acts.push(act);
        }
        script
    }

    /// Whether the world is another one without it.
    pub fn matters(&self, act: &Act) -> bool {
        match act {
            Act::Desk(_) | Act::Seek(_) => true,
            Act::Enter { guest, .. } | Act::Order { guest, .. } | Act::Vanish { guest, .. } => {
                self.teams.contains_key(guest)
            }
            Act::Flood(_) | Act::Sip(_) | Act::LookBack(_) => false,
        }
    }
}

fn desk_command(drawn: &mut Drawn) -> String {
    let x = drawn.below(400) as f64 / 100.0 - 2.0;
    match drawn.below(12) {
        0 => format!("PLACE robot-{} {x} {} 0.3", drawn.below(8), -x / 2.0),
        1 => format!("BALL {x} 0.5 1 -0.5"),
        2 => "RESET".into(),
        3 => format!("SETSCORE blue {}", drawn.below(9)),
        // Refused commands are a part of it.
        4 => format!("PLACE robot-{} nan 0 0", drawn.below(12)),
        _ => format!("STEP {}", 1 + drawn.below(6)),
    }
}

fn team_command(drawn: &mut Drawn, team: u32) -> String {
    // Mostly one of its own.
    let robot = match drawn.below(8) {
        0 => drawn.below(10) as u32,
        number => 2 * (number as u32 % 4) + team,
    };
    let speed = drawn.below(200) as f64 / 100.0 - 1.0;
    match drawn.below(9) {
        0..=2 => format!("TAKE robot-{robot}"),
        3 => format!("GIVE robot-{robot}"),
        4 => format!("TURN robot-{robot} {speed}"),
        5 => format!("SAY robot-{robot} here I am"),
        6 => format!("ANNOTATE robot-{robot} k {speed}"),
        7 => format!("MANIPULATE robot-{robot} kicker kick"),
        _ => format!("FORWARD robot-{robot} {speed}"),
    }
}
