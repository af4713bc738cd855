//! Episodes: who decides, how long one lasts, and where everything starts.

use serde::{Deserialize, Serialize};

/// A world that is played in episodes, for learning and benchmarks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeSpec {
    /// The robots that decide from outside: indices into the scenario's robots, rising.
    pub agents: Vec<usize>,
    /// The steps from one of their decisions to the next, at least 1.
    pub decision_steps: u32,
    /// An episode is cut off after so many steps.
    pub max_steps: u64,
    /// What an agent observes, such as `truth.ball` or `camera/ball`, in this order.
    pub observe: Vec<String>,
    /// What an agent decides, such as `drive` or `kicker.kick`, in this order.
    pub act: Vec<String>,
    /// Places that are drawn anew for each episode.
    pub ranges: Vec<PlacementRange>,
    /// Fixed starts, of which each episode has one; they come after the ranges.
    pub starts: Vec<Vec<(StartOf, Placement)>>,
}

/// What is placed at a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StartOf {
    /// Index into the scenario's robots.
    Robot(usize),
    /// Index into the scenario's balls.
    Ball(usize),
}

/// Where something starts, world frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// x in the world frame, metres.
    pub x_m: f64,
    /// y in the world frame, metres.
    pub y_m: f64,
    /// A robot's heading; a ball's direction of motion, radians.
    pub theta_rad: f64,
    /// How fast a ball starts, m/s; robots start at rest.
    pub speed_m_s: f64,
}

/// Where something starts, drawn evenly from ranges: lowest and highest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementRange {
    /// The robot or ball that is placed.
    pub of: StartOf,
    /// See [`Placement`].
    pub x_m: [f64; 2],
    /// See [`Placement`].
    pub y_m: [f64; 2],
    /// See [`Placement`].
    pub theta_rad: [f64; 2],
    /// See [`Placement`].
    pub speed_m_s: [f64; 2],
    /// What x and y are counted from, if from something: a thing whose range comes before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<Near>,
}

/// Where something starts that starts near another thing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Near {
    /// The other thing.
    pub of: StartOf,
    /// The place is held within this range of x, world frame, metres.
    pub within_x_m: [f64; 2],
    /// The same of y.
    pub within_y_m: [f64; 2],
}
