//! The coach: chooses who is of which type before the game.

use crate::told::{Refused, Told, player_type};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;

/// Players of the field in the order in which they choose: those who run most for the ball first.
const FIRST_TO_LAST: [u32; 10] = [9, 10, 11, 7, 6, 8, 2, 5, 3, 4];

/// The coach of our team.
#[derive(Debug)]
pub struct Coach {
    team: String,
    server: ServerParams,
    count: usize,
    types: Vec<(u32, PlayerType)>,
    is_taken: bool,
    has_chosen: bool,
}

impl Coach {
    /// Before it has said hello.
    pub fn new(team: &str) -> Self {
        Self {
            team: team.to_owned(),
            server: ServerParams::today(),
            count: usize::MAX,
            types: Vec::new(),
            is_taken: false,
            has_chosen: false,
        }
    }

    /// The first datagram, to the server's port of coaches.
    pub fn hello(&self) -> String {
        format!("(init {} (version 18))", self.team)
    }

    /// Takes a datagram; gives the datagrams that answer it.
    ///
    /// # Errors
    /// When the server refuses the coach.
    pub fn told(&mut self, text: &str) -> Result<Vec<String>, Refused> {
        match Told::read(text, &[]) {
            Told::Coach => self.is_taken = true,
            Told::Server(server) => self.server = *server,
            Told::Types(count) => self.count = count,
            Told::Type(id, values) => self.types.push((id, player_type(&self.server, &values))),
            Told::Think => return Ok(vec!["(done)".to_owned()]),
            Told::Refused(refused) if !self.is_taken => return Err(refused),
            _ => {}
        }
        if self.has_chosen || self.types.len() < self.count {
            return Ok(Vec::new());
        }
        self.has_chosen = true;
        Ok(self.choose())
    }

    /// Whether it has no more to say.
    pub fn is_done(&self) -> bool {
        self.has_chosen
    }

    /// The fastest types for those who run most; type 0, which all have, where nothing is better.
    fn choose(&self) -> Vec<String> {
        let speed = |kind: &PlayerType| kind.real_speed_max(&self.server);
        let plain = PlayerType::default_of(&self.server);
        let mut others: Vec<_> =
            self.types.iter().filter(|(id, kind)| *id != 0 && speed(kind) >= speed(&plain)).collect();
        // Of two that are as fast, who reaches farther.
        others.sort_by(|(_, a), (_, b)| {
            speed(b).total_cmp(&speed(a)).then(b.kickable_margin.total_cmp(&a.kickable_margin))
        });
        let pairs = FIRST_TO_LAST.iter().zip(others);
        pairs.map(|(unum, (id, _))| format!("(change_player_type {unum} {id})")).collect()
    }
}
