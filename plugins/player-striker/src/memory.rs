//! What the player remembers from one call to the next.
//!
//! Places are kept in the odometry frame, so they stay right while the robot moves and nothing is in view; every
//! new sighting replaces them. After the referee has put everything elsewhere (a new episode) all is forgotten,
//! because odometry does not notice being carried.

use crate::plane::{Point, add, dot, left_of, length, scale, sub, unit};
use bytemuck::{Pod, Zeroable};
use touchline_plugin_api::geometry::Transform2;

/// How many teammates it keeps in mind.
pub const MATES: usize = 15;

/// Its memory: plain data.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Memory {
    /// Where the ball was, odometry frame.
    pub ball: Point,
    /// How old its idea of the ball is, seconds: see [`Memory::miss_ball`].
    pub ball_age_secs: f64,
    /// The middle of the opponent's goal line and of its own, odometry frame.
    pub goals: [Point; 2],
    /// How long it has been looking for the ball, seconds.
    pub search_secs: f64,
    /// Which way it turns while it looks for the ball: 1 left, -1 right.
    pub search_turn: f64,
    /// How long it has pushed without moving, seconds.
    pub blocked_secs: f64,
    /// How long it still backs off, seconds.
    pub backing_secs: f64,
    /// Which way it turns while it backs off: 1 left, -1 right.
    pub backing_turn: f64,
    /// The speeds that it last asked for: m/s, rad/s.
    pub asked: [f64; 2],
    /// The time until it speaks again, seconds.
    pub quiet_secs: f64,
    /// How far beside the goal's middle it aimed when it last saw the keeper, metres to the left.
    pub aside_m: f64,
    /// How long ago that was, seconds.
    pub aside_age_secs: f64,
    /// What it heard from its teammates.
    pub mates: [Mate; MATES],
    /// The referee's episode to which all this belongs.
    pub episode: u32,
    /// 1 for each goal that was seen.
    pub goal_known: [u32; 2],
    /// 1 if it is the one who goes for the ball.
    pub chasing: u32,
    /// 1 if it knows where the ball is, or was.
    pub ball_known: u32,
    /// 1 after the first call.
    pub awake: u32,
    /// 1 while it runs through the ball, 0 while it gets behind it (differential drive).
    pub running: u32,
    /// On which side of the keeper it wants to shoot: 1 left, 2 right, 0 not decided.
    pub side: u32,
}

/// What it last heard from one teammate.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Mate {
    /// How far it has to the ball, metres.
    pub cost_m: f64,
    /// How long ago it said so, seconds.
    pub age_secs: f64,
    /// The number of its robot.
    pub robot: u32,
    /// 1 if this entry is in use.
    pub used: u32,
}

/// Index of the opponent's goal in [`Memory::goals`].
pub const THEIRS: usize = 0;
/// Index of the own goal in [`Memory::goals`].
pub const OURS: usize = 1;

impl Memory {
    /// Advances all timers by `elapsed_secs`.
    pub fn age(&mut self, elapsed_secs: f64) {
        self.backing_secs = (self.backing_secs - elapsed_secs).max(0.0);
        self.quiet_secs = (self.quiet_secs - elapsed_secs).max(0.0);
        self.aside_age_secs += elapsed_secs;
        for mate in &mut self.mates {
            mate.age_secs += elapsed_secs;
        }
    }

    /// Forgets all if a new episode began; `robot` is the robot's number.
    pub fn start_episode(&mut self, episode: u32, robot: u32) {
        if self.awake == 0 || self.episode != episode {
            // Robots speak one after the other, not all in one step.
            let quiet_secs = 0.03 * f64::from(robot % 8);
            *self = Self { episode, quiet_secs, awake: 1, ..Self::default() };
        }
    }

    /// Remembers a ball seen in the body frame.
    pub fn see_ball(&mut self, pose: &Transform2, at: Point) {
        self.ball = pose.to_outer(at);
        self.ball_age_secs = 0.0;
        self.ball_known = 1;
    }

    /// The ball was not seen. Its idea of the ball ages; only slowly if it does not look there, as on its way around
    /// the ball.
    pub fn miss_ball(&mut self, pose: &Transform2, elapsed_secs: f64) {
        // The tangent of 20 degrees.
        const LOOKS_ASIDE: f64 = 0.36;
        let [ahead_m, aside_m] = pose.to_inner(self.ball);
        let looks = aside_m.abs() < LOOKS_ASIDE * ahead_m;
        self.ball_age_secs += if looks { elapsed_secs } else { 0.25 * elapsed_secs };
    }

    /// Remembers a goal seen in the body frame.
    pub fn see_goal(&mut self, pose: &Transform2, goal: usize, at: Point) {
        let seen = pose.to_outer(at);
        // A distant goal's distance is noisy; the mean over some sightings is steadier than any one of them.
        let weight = if self.goal_known[goal] == 1 { 0.1 } else { 1.0 };
        self.goals[goal] = add(self.goals[goal], scale(sub(seen, self.goals[goal]), weight));
        self.goal_known[goal] = 1;
    }

    /// Where beside the goal's middle to aim, after the keeper was seen or not: who looks at the gap soon does not see the
    /// keeper any more.
    pub fn keep_aside(&mut self, seen_m: Option<f64>) -> f64 {
        const KEEPS_SECS: f64 = 1.5;
        if let Some(aside_m) = seen_m {
            (self.aside_m, self.aside_age_secs) = (aside_m, 0.0);
        } else if self.aside_age_secs > KEEPS_SECS {
            (self.aside_m, self.side) = (0.0, 0);
        }
        self.aside_m
    }

    /// The opponent's goal, odometry frame. Before it was seen: opposite to its own goal, or, at the very
    /// beginning, straight ahead, since robots start facing it.
    pub fn opponent_goal(&self, robot: Point) -> Point {
        match self.goal_known {
            [1, _] => self.goals[THEIRS],
            [_, 1] => add(robot, scale(unit(sub(robot, self.goals[OURS])), 5.0)),
            _ => [5.0, 0.0],
        }
    }

    /// The field's frame, if both goals are known.
    pub fn field(&self) -> Option<FieldFrame> {
        let axis = sub(self.goals[THEIRS], self.goals[OURS]);
        let length_m = length(axis);
        (self.goal_known == [1, 1] && length_m > 1.0).then(|| FieldFrame {
            centre: scale(add(self.goals[THEIRS], self.goals[OURS]), 0.5),
            forward: scale(axis, 1.0 / length_m),
            half_length_m: length_m / 2.0,
        })
    }
}

/// The field in the odometry frame: a team's common frame, x towards the opponent's goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldFrame {
    centre: Point,
    forward: Point,
    /// From the centre to a goal line.
    pub half_length_m: f64,
}

impl FieldFrame {
    /// From the odometry frame to the field's.
    pub fn to_field(self, point: Point) -> Point {
        let from_centre = sub(point, self.centre);
        [dot(from_centre, self.forward), dot(from_centre, left_of(self.forward))]
    }

    /// From the field's frame to the odometry frame.
    pub fn to_odometry(self, [x, y]: Point) -> Point {
        add(self.centre, add(scale(self.forward, x), scale(left_of(self.forward), y)))
    }
}
