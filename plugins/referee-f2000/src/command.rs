//! Commands from outside, one in a line.

use crate::phase::{Phase, description};
use crate::rules::Match;
use touchline_plugin_api::game::GameState;

/// The commands, as people write them.
pub const KNOWN: [&str; 6] = ["START", "STOP", "KICKOFF <team>", "HALF", "FINISH", "DROP"];

impl Match<'_, '_> {
    /// Carries out one line; one that makes no sense is answered with what is known.
    pub fn obey(&mut self, line: &str) {
        let (word, argument) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let argument = argument.trim();
        let phase = Phase::of(&self.game);
        match (word.to_ascii_uppercase().as_str(), argument) {
            ("START", "") => self.start(),
            ("STOP" | "HALF" | "FINISH" | "DROP", "") | ("KICKOFF", _) if phase == Phase::Finished => {
                self.announce(&format!("the match is over: {word} does nothing, START begins another"));
            }
            // A break ends by itself, or with a kick-off.
            ("STOP" | "HALF", "") if phase == Phase::HalfTime => {
                self.announce(&format!("it is half time: {word} does nothing, KICKOFF begins the next half"));
            }
            ("STOP", "") => self.enter(Phase::Stopped),
            ("KICKOFF", team) if !team.is_empty() => self.kick_off_by_name(team),
            ("HALF", "") => self.end_half(),
            ("FINISH", "") => self.finish(),
            ("DROP", "") => self.drop_ball(),
            _ => {
                self.announce(&format!("the referee does not know \"{line}\"; it knows {}", KNOWN.join(", ")))
            }
        }
    }

    fn start(&mut self) {
        match Phase::of(&self.game) {
            // Nothing was played yet: the match begins with its kick-off.
            Phase::Stopped if self.game.clock_secs == 0.0 => self.kick_off(self.referee.first_kick_off),
            Phase::Stopped => self.enter(Phase::Play),
            Phase::Finished => {
                let fresh = GameState::new(self.game.teams.len(), &description());
                self.game = GameState { episode: self.game.episode, ..fresh };
                self.state.half_began_secs = 0.0;
                self.kick_off(self.referee.first_kick_off);
            }
            Phase::Play | Phase::KickOff | Phase::HalfTime => {}
        }
    }

    fn kick_off_by_name(&mut self, name: &str) {
        match self.referee.teams.iter().position(|team| team == name) {
            Some(team) => {
                if Phase::of(&self.game) == Phase::HalfTime {
                    self.begin_next_half();
                }
                self.kick_off(team as u32);
            }
            None => {
                let [first, second] = &self.referee.teams;
                self.announce(&format!("no team \"{name}\"; the teams are {first} and {second}"));
            }
        }
    }
}
