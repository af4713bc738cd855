//! What a game comes to in numbers: possession, passes, shots; of a game that is played, and of its log.
//!
//! # Definitions
//! A touch is a kick or a catch that the cycle's states show; whoever touched the ball last, alone, has it until another does or play stops. A pass is
//! complete when the next who has the ball is a mate, and lost when it is an opponent; who kicks on for itself does neither. A shot is a kick after
//! which the ball, left alone, would roll into the opponents' goal; a kick on by the same player, whose ball was going there already, is the same shot.
//!
//! # Not here
//! Tackles that move the ball: states show who tackles, not whether the ball was hit.

use crate::PlayMode;
use crate::log::{GameLog, Parameters, Record};
use serde::Serialize;
use std::fmt;
use touchline_soccer_law::SidedMode;
use touchline_soccer_law::face::{Side, state};
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::pitch::HALF_LENGTH_M;

/// The numbers of one game; of two sides the left one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Share of the cycles in which somebody had the ball; nothing if nobody ever had it.
    pub possession: Option<[f64; 2]>,
    /// Passes that came to a mate.
    pub passes: [u32; 2],
    /// Balls that came to an opponent.
    pub losses: [u32; 2],
    /// Kicks that would have gone in.
    pub shots: [u32; 2],
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some([left, right]) = self.possession {
            write!(f, "possession {:.0} % : {:.0} %   ", 100.0 * left, 100.0 * right)?;
        }
        let Self { passes, losses, shots, .. } = self;
        write!(f, "passes {} : {}   ", passes[0], passes[1])?;
        write!(f, "balls lost {} : {}   shots {} : {}", losses[0], losses[1], shots[0], shots[1])
    }
}

/// Counts cycle by cycle.
#[derive(Clone, Debug)]
pub struct Counter {
    goal_half_width_m: f64,
    ball_decay: f64,
    /// Whether the last cycle was one of play.
    was_on: bool,
    /// Who touched the ball last.
    holder: Option<(Side, u32)>,
    /// Whether the last kick was a shot.
    is_shot: bool,
    cycles: [u32; 2],
    counted: Statistics,
}

impl Counter {
    /// Of a game with these parameters that has not begun.
    pub fn new(server: &ServerParams) -> Self {
        Self {
            goal_half_width_m: server.goal_width / 2.0,
            ball_decay: server.ball_decay,
            was_on: false,
            holder: None,
            is_shot: false,
            cycles: [0; 2],
            counted: Statistics::default(),
        }
    }

    /// Counts a cycle: its mode, the ball's place and velocity (metres, metres a cycle, before the next step), and the states of all players.
    pub fn cycle(
        &mut self,
        mode: PlayMode,
        ball: [f64; 4],
        players: impl IntoIterator<Item = (Side, u32, u32)>,
    ) {
        // A kick whose ball is in the goal at once is of the cycle that has the goal's mode.
        let scorer = match mode.sided() {
            Some((SidedMode::Goal, side)) if self.was_on => Some(side),
            _ => None,
        };
        self.was_on = mode == PlayMode::PLAY_ON;
        if !self.was_on && scorer.is_none() {
            (self.holder, self.is_shot) = (None, false);
            return;
        }
        let touches = |bits: u32| {
            bits & state::KICK != 0 || (bits & state::CATCH != 0 && bits & state::CATCH_FAULT == 0)
        };
        let mut touched = players.into_iter().filter(|(.., bits)| touches(*bits));
        match (touched.next(), touched.next()) {
            (None, _) => {}
            (Some((side, number, bits)), None) => {
                let is_kick = bits & state::KICK != 0;
                let is_shot = is_kick && (scorer == Some(side) || self.goes_in(side, ball));
                self.touch((side, number), is_shot);
            }
            // Several at once: nobody has it.
            (Some(_), Some(_)) => (self.holder, self.is_shot) = (None, false),
        }
        if let Some((side, _)) = self.holder {
            self.cycles[side as usize] += 1;
        }
    }

    fn touch(&mut self, by: (Side, u32), is_shot: bool) {
        let (side, is_mine) = (by.0, self.holder == Some(by));
        match self.holder {
            Some((before, _)) if before != side => self.counted.losses[before as usize] += 1,
            Some(_) if !is_mine => self.counted.passes[side as usize] += 1,
            Some(_) | None => {}
        }
        if is_shot && !(is_mine && self.is_shot) {
            self.counted.shots[side as usize] += 1;
        }
        (self.holder, self.is_shot) = (Some(by), is_shot);
    }

    /// Whether a ball that is left alone crosses the opponents' line between the posts: its way is v + v d + v d^2 ... = v / (1 - d).
    fn goes_in(&self, side: Side, [x, y, vx, vy]: [f64; 4]) -> bool {
        let line_m = side.sign() * HALF_LENGTH_M;
        let part = (line_m - x) / vx;
        part >= 0.0 && part * (1.0 - self.ball_decay) < 1.0 && (y + part * vy).abs() < self.goal_half_width_m
    }

    /// What was counted so far.
    pub fn statistics(&self) -> Statistics {
        let all: u32 = self.cycles.iter().sum();
        let possession = (all > 0).then(|| self.cycles.map(|cycles| f64::from(cycles) / f64::from(all)));
        Statistics { possession, ..self.counted }
    }
}

impl GameLog {
    /// What the game comes to. Where a log tells no velocities (versions 1 and 2) there are no shots.
    pub fn statistics(&self) -> Statistics {
        let mut server = ServerParams::today();
        let of_game = self.parameters.iter().filter(|parameters| parameters.kind == "server_param");
        for (name, value) in of_game.flat_map(|Parameters { values, .. }| values) {
            // What today's parameters do not know changes nothing here.
            let _ = server.set(name, value);
        }
        let mut counter = Counter::new(&server);
        let mut mode = PlayMode::BEFORE_KICK_OFF;
        for record in &self.records {
            match record {
                Record::Mode { mode: next, .. } => mode = *next,
                Record::Show(show) => {
                    let players = show.players.iter();
                    let players = players.map(|player| (player.side, player.number, player.state));
                    counter.cycle(mode, show.ball, players);
                }
                Record::Teams { .. } | Record::Message { .. } => {}
            }
        }
        counter.statistics()
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, Statistics};
    use crate::PlayMode;
    use touchline_soccer_law::face::{Side, state};
    use touchline_soccer_law::params::ServerParams;

    const STILL: [f64; 4] = [0.0; 4];

    fn counter() -> Counter {
        Counter::new(&ServerParams::today())
    }

    fn kick(counter: &mut Counter, who: (Side, u32), ball: [f64; 4]) {
        counter.cycle(PlayMode::PLAY_ON, ball, [(who.0, who.1, state::STAND | state::KICK)]);
    }

    fn wait(counter: &mut Counter, cycles: u32) {
        (0..cycles).for_each(|_| counter.cycle(PlayMode::PLAY_ON, STILL, [(Side::Left, 1, state::STAND)]));
    }

    /// Issue of the league, number 7: a pass comes to a mate, a loss to an opponent, a kick on is neither; the ball is had until another has it.
    #[test]
    fn passes_and_losses_are_between_two_who_have_the_ball() {
        use Side::{Left, Right};
        let mut counter = counter();
        assert_eq!(counter.statistics(), Statistics::default());
        wait(&mut counter, 5);
        kick(&mut counter, (Left, 7), STILL);
        wait(&mut counter, 3);
        kick(&mut counter, (Left, 7), STILL);
        kick(&mut counter, (Left, 9), STILL);
        kick(&mut counter, (Right, 2), STILL);
        kick(&mut counter, (Right, 3), STILL);
        kick(&mut counter, (Right, 2), STILL);
        let counted = counter.statistics();
        assert_eq!((counted.passes, counted.losses), ([1, 2], [1, 0]));
        // Six cycles of the left team, three of the right one; five before were nobody's.
        assert_eq!(counted.possession, Some([6.0 / 9.0, 3.0 / 9.0]));
    }

    /// A stop of play, and two who kick at once, take the ball from everybody; a catch is a touch, a failed one is none.
    #[test]
    fn nobody_has_the_ball_after_a_stop() {
        use Side::{Left, Right};
        let mut counter = counter();
        kick(&mut counter, (Left, 7), STILL);
        let stopped = PlayMode::from_word("kick_in_r").unwrap();
        counter.cycle(stopped, STILL, [(Right, 4, state::STAND | state::KICK)]);
        kick(&mut counter, (Right, 4), STILL);
        let both = [(Left, 7, state::KICK), (Right, 4, state::KICK)];
        counter.cycle(PlayMode::PLAY_ON, STILL, both);
        kick(&mut counter, (Left, 8), STILL);
        assert_eq!((counter.statistics().passes, counter.statistics().losses), ([0; 2], [0; 2]));
        let failed = state::CATCH | state::CATCH_FAULT;
        counter.cycle(PlayMode::PLAY_ON, STILL, [(Right, 1, failed)]);
        assert_eq!(counter.statistics().losses, [0; 2]);
        counter.cycle(PlayMode::PLAY_ON, STILL, [(Right, 1, state::CATCH)]);
        assert_eq!(counter.statistics().losses, [1, 0]);
    }

    /// The ball rolls v / (1 - 0.94) = 16.67 v: from 10 m before the line 0.6 m a cycle are just too little, 0.61 enough; posts stand at 7.01 m.
    #[test]
    fn a_shot_is_a_kick_that_would_go_in() {
        use Side::{Left, Right};
        let shots = |side: Side, ball: [f64; 4]| {
            let mut counter = counter();
            kick(&mut counter, (side, 9), ball);
            counter.statistics().shots
        };
        assert_eq!(shots(Left, [42.5, 0.0, 0.599, 0.0]), [0, 0]);
        assert_eq!(shots(Left, [42.5, 0.0, 0.601, 0.0]), [1, 0]);
        assert_eq!(shots(Right, [-42.5, 0.0, -0.601, 0.0]), [0, 1]);
        // Towards the own goal, beside the post, just inside it, and not at all.
        assert_eq!(shots(Right, [42.5, 0.0, 2.0, 0.0]), [0, 0]);
        assert_eq!(shots(Left, [42.5, 0.0, 2.0, 1.41]), [0, 0]);
        assert_eq!(shots(Left, [42.5, 0.0, 2.0, 1.40]), [1, 0]);
        assert_eq!(shots(Left, [42.5, 0.0, 0.0, 0.0]), [0, 0]);
        assert_eq!(shots(Left, [52.5, 0.0, 0.0, 0.0]), [0, 0]);

        let mut counter = counter();
        let ball = [42.5, 0.0, 2.0, 0.0];
        kick(&mut counter, (Left, 9), ball);
        kick(&mut counter, (Left, 9), ball);
        assert_eq!(counter.statistics().shots, [1, 0], "a kick on is the same shot");
        kick(&mut counter, (Left, 9), STILL);
        kick(&mut counter, (Left, 9), ball);
        assert_eq!(counter.statistics().shots, [2, 0], "a ball that was stopped is shot anew");
        let goal = PlayMode::from_word("goal_l").unwrap();
        kick(&mut counter, (Left, 9), STILL);
        counter.cycle(goal, [53.0, 0.0, 2.0, 0.0], [(Left, 9, state::KICK)]);
        counter.cycle(goal, [53.0, 0.0, 2.0, 0.0], [(Left, 9, state::KICK)]);
        assert_eq!(
            counter.statistics().shots,
            [3, 0],
            "in at once; what is kicked after the goal is no shot"
        );
    }
}
