//! What the referees of challenges share: an attempt's phases with their clock, who takes part, and how an attempt is counted. (CH5)
//!
//! ```
//! use touchline_kit::challenge::{Clock, PLACED};
//!
//! let mut clock = Clock::default();
//! clock.enter(PLACED);
//! (0..3).for_each(|_| clock.tick(0.1));
//! assert!(clock.is_over(0.3, 0.1), "times are sums of steps, and a step's half is allowed for");
//! ```

use bytemuck::{Pod, Zeroable};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::plugin::SetupError;
use touchline_plugin_api::referee::{RefereeInput, RefereeSetup};
use touchline_plugin_api::view::{Object, WorldView};

/// The phases, in the order in which an attempt goes through them.
pub const PHASES: [&str; 4] = ["launching", "placed", "started", "over"];
/// Everything is where it begins: index into [`PHASES`].
pub const PLACED: u32 = 1;
/// The attempt's own time runs: index into [`PHASES`].
pub const STARTED: u32 = 2;
/// The attempt was counted: index into [`PHASES`].
pub const OVER: u32 = 3;

/// In which phase an attempt is, and since when.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Clock {
    /// How long this phase has taken, seconds.
    pub secs: f64,
    /// Index into [`PHASES`].
    pub phase: u32,
    /// Nothing; keeps the record's length a multiple of eight.
    reserved: u32,
}

impl Clock {
    /// A step has passed.
    pub fn tick(&mut self, dt_secs: f64) {
        self.secs += dt_secs;
    }

    /// Whether this phase has taken so long; half a step of slack, as times are sums of steps.
    pub fn is_over(&self, limit_secs: f64, dt_secs: f64) -> bool {
        self.secs + 0.5 * dt_secs >= limit_secs
    }

    /// The next phase begins.
    pub fn enter(&mut self, phase: u32) {
        (self.phase, self.secs) = (phase, 0.0);
    }

    /// Says the phase, its time and what else the referee's description names.
    pub fn publish(&self, values: &[f64], input: &RefereeInput<'_>, orders: &mut Orders) {
        let mut game = input.game.to_state();
        (game.phase, game.clock_secs) = (self.phase, self.secs);
        game.values.copy_from_slice(values);
        orders.set_game(&game);
    }
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome<'a> {
    /// In one word.
    pub word: &'a str,
    /// In a sentence.
    pub text: &'a str,
    /// What it counts, in `unit`.
    pub score: f64,
    /// Unit of the score; empty for a count.
    pub unit: &'a str,
    /// How many penalties it has cost.
    pub penalties: u32,
}

impl Outcome<'_> {
    /// Counts the attempt, and ends it.
    pub fn finish(&self, clock: &mut Clock, orders: &mut Orders) {
        orders.measure("penalty", f64::from(self.penalties), "");
        orders.measure("score", self.score, self.unit);
        orders.announce(self.text);
        orders.end_episode(self.word);
        clock.phase = OVER;
    }
}

/// The robots of the team that plays.
pub fn own_robots<'a>(view: &WorldView<'a>) -> impl Iterator<Item = &'a Object> + use<'a> {
    view.robots().filter(|robot| robot.team == 0)
}

/// The one robot of a challenge for one, and the ball; `None` if one of them has gone: the attempt then ends by its time.
pub fn robot_and_ball<'a>(view: &WorldView<'a>) -> Option<(&'a Object, &'a Object)> {
    Some((own_robots(view).next()?, view.balls().next()?))
}

/// Checks that a world has a ball and so many robots of each team.
///
/// # Errors
/// What the world lacks.
pub fn require_ball_and_robots(setup: &RefereeSetup, robots: &[usize]) -> Result<(), SetupError> {
    if setup.world.balls == 0 {
        return Err(SetupError::new("this world needs a ball"));
    }
    for (team, &wanted) in (0..).zip(robots) {
        let found = setup.world.robot_teams.iter().filter(|robot| **robot == Some(team)).count();
        if found < wanted {
            return Err(SetupError::new(format!(
                "this world needs {wanted} robots of team {team}, and has {found}"
            )));
        }
    }
    Ok(())
}

/// Where an object is, metres.
pub fn place_of(object: &Object) -> [f64; 2] {
    [object.pose.x_m, object.pose.y_m]
}

/// How fast an object moves along the floor, m/s.
pub fn speed_m_s(object: &Object) -> f64 {
    distance_m([object.twist.x_m_s, object.twist.y_m_s], [0.0; 2])
}

/// From one place to another, metres.
pub fn distance_m(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    (dx * dx + dy * dy).sqrt()
}
