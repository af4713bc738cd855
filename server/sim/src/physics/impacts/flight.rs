//! Balls in the air: when they come down, what they bounce from, and what they fly over and under. (SL10)
//!
//! Nothing but gravity acts on a ball that flies, so its height is a parabola, and each moment at which its lowest point comes to a height is
//! the root of a quadratic equation. To others a ball is an upright cylinder, as wide and as high as it is: what it meets in the plane
//! it meets if their heights overlap at that moment, and what it comes down on, or rises against, it meets with its lower or upper face.
//!
//! At a bounce the ball keeps a part of its vertical speed, and grips the floor as far as Coulomb's friction can: R. Cross,
//! "Grip-slip behavior of a bouncing ball", Am. J. Phys. 70 (2002). That is the law by which it slides on the floor, as an impact. A ball that
//! would rise more slowly than [`REST_M_S`] stays. The top of a robot or a fixture is a floor that stands.

use super::super::shape::{Solid, Vec2, add, norm, scale, sub};
use super::{Body, Impacts, TOUCH_M};
use crate::ball::Ball;
use crate::scenario::BallSpec;
use touchline_plugin_api::flight::Vertical;

/// A ball that would leave the floor more slowly than this stays there, m/s: half a millimetre high.
const REST_M_S: f64 = 0.1;
/// Heights that differ by less are the same, metres.
const LEVEL_M: f64 = 1e-9;

/// Restitution and friction of a ball that hits the floor.
#[derive(Clone, Copy, Debug)]
pub struct Bounce {
    /// What it keeps of its vertical speed.
    restitution: f64,
    /// The floor's friction, and the ball's moment of inertia over mass and square of the radius; `None` always rolls.
    grip: Option<(f64, f64)>,
}

impl Bounce {
    /// The floor's friction is what slows the ball where it slides.
    pub fn new(ball: &BallSpec, gravity_m_s2: f64) -> Self {
        let grip = |sliding: crate::scenario::Sliding| {
            (sliding.deceleration_m_s2 / gravity_m_s2, sliding.inertia_factor)
        };
        Self { restitution: ball.bounce, grip: ball.sliding.map(grip) }
    }

    /// Lets the floor act on a ball whose vertical speed it has changed by so much, m/s.
    fn grip(&self, ball: &mut Ball, change_m_s: f64) {
        let Some((friction, inertia_factor)) = self.grip else { return };
        let slip = sub(ball.velocity, ball.rolling_m_s);
        let slip_m_s = norm(slip);
        if slip_m_s == 0.0 {
            return;
        }
        // As much as brings the lowest point to rest, or as friction can.
        let gripping_m_s = slip_m_s * inertia_factor / (1.0 + inertia_factor);
        let loss = scale(slip, gripping_m_s.min(friction * change_m_s) / slip_m_s);
        ball.velocity = sub(ball.velocity, loss);
        ball.rolling_m_s = add(ball.rolling_m_s, scale(loss, 1.0 / inertia_factor));
    }
}

/// Whether two intervals of height overlap.
pub fn are_level(a: [f64; 2], b: [f64; 2]) -> bool {
    a[0] < b[1] - LEVEL_M && b[0] < a[1] - LEVEL_M
}

/// The height a while later.
fn risen(vertical: Vertical, gravity_m_s2: f64, secs: f64) -> Vertical {
    let Vertical { z_m, speed_m_s } = vertical;
    Vertical {
        z_m: z_m + (speed_m_s - gravity_m_s2 * secs / 2.0) * secs,
        speed_m_s: speed_m_s - gravity_m_s2 * secs,
    }
}

/// After how long the lowest point comes down to a height that it is not below, seconds.
fn comes_down_after(vertical: Vertical, height_m: f64, gravity_m_s2: f64) -> Option<f64> {
    let (above_m, speed_m_s) = (vertical.z_m - height_m, vertical.speed_m_s);
    if above_m < -LEVEL_M {
        return None;
    }
    let above_m = above_m.max(0.0);
    let root = (speed_m_s * speed_m_s + 2.0 * gravity_m_s2 * above_m).sqrt();
    // Two forms of the same, of which one cancels.
    let secs = if speed_m_s > 0.0 {
        (speed_m_s + root) / gravity_m_s2
    } else if root > speed_m_s {
        2.0 * above_m / (root - speed_m_s)
    } else {
        0.0
    };
    Some(secs)
}

/// After how long the lowest point rises to a height that it is not above, seconds.
fn rises_after(vertical: Vertical, height_m: f64, gravity_m_s2: f64) -> Option<f64> {
    let (below_m, speed_m_s) = (height_m - vertical.z_m, vertical.speed_m_s);
    let square = speed_m_s * speed_m_s - 2.0 * gravity_m_s2 * below_m.max(0.0);
    if below_m < -LEVEL_M || speed_m_s <= 0.0 || square < 0.0 {
        return None;
    }
    Some(2.0 * below_m.max(0.0) / (speed_m_s + square.sqrt()))
}

/// A ball meets something with its lower or its upper face.
#[derive(Clone, Copy, Debug)]
pub struct Landing {
    ball: usize,
    /// After how long it happens, seconds.
    pub secs: f64,
    face: Face,
    /// Whose, if it is not the floor.
    on: Option<Body>,
}

#[derive(Clone, Copy, Debug)]
enum Face {
    /// It comes down on what ends at this height, metres.
    Lower(f64),
    /// It rises against something; its lowest point is then at this height, metres.
    Upper(f64),
}

impl Impacts<'_> {
    /// From where to where a ball reaches, so many seconds from now, metres.
    pub fn height_of_ball(&self, ball: usize, after_secs: f64) -> [f64; 2] {
        let Ball { vertical, flies, .. } = self.balls[ball];
        let z_m = if flies && after_secs != 0.0 {
            risen(vertical, self.bodies.gravity_m_s2, after_secs).z_m
        } else {
            vertical.z_m
        };
        [z_m, z_m + 2.0 * self.bodies.forms[ball].radius_m]
    }

    /// Whether a ball meets a shape, and does not fly over or under it, where they touch in the plane so many seconds from now.
    pub fn is_level(&self, ball: usize, solid: &Solid, after_secs: f64) -> bool {
        are_level(self.height_of_ball(ball, after_secs), solid.z_m)
    }

    /// The same for two balls.
    pub fn balls_are_level(&self, ball: usize, other: usize, after_secs: f64) -> bool {
        are_level(self.height_of_ball(ball, after_secs), self.height_of_ball(other, after_secs))
    }

    /// Takes a ball's height to a moment so many seconds from now.
    pub fn rise(&mut self, ball: usize, secs: f64) {
        let gravity_m_s2 = self.bodies.gravity_m_s2;
        let ball = &mut self.balls[ball];
        if ball.flies {
            ball.vertical = risen(ball.vertical, gravity_m_s2, secs);
        }
    }

    /// Lets fall what lay on top of something that is no longer below it.
    pub fn drop_unsupported(&mut self) {
        for ball in 0..self.balls.len() {
            let Ball { vertical, flies, .. } = self.balls[ball];
            if flies || vertical.z_m == 0.0 {
                continue;
            }
            let mut is_on_top = false;
            self.each_under(ball, 0.0, |solid, _| {
                is_on_top |= (solid.z_m[1] - vertical.z_m).abs() <= LEVEL_M;
            });
            self.balls[ball].flies = !is_on_top;
        }
    }

    /// Who comes down or bumps its head first, and when.
    pub fn next_landing(&mut self) -> Option<Landing> {
        let mut first: Option<Landing> = None;
        for ball in 0..self.balls.len() {
            if self.balls[ball].flies {
                let landing = self.landing_of_ball(ball);
                first =
                    [first, landing].into_iter().flatten().reduce(|a, b| if b.secs < a.secs { b } else { a });
            }
        }
        first
    }

    fn landing_of_ball(&mut self, ball: usize) -> Option<Landing> {
        let gravity_m_s2 = self.bodies.gravity_m_s2;
        let (now_secs, left_secs) = (self.now_secs, self.left_secs());
        let (vertical, radius_m) = (self.balls[ball].vertical, self.bodies.forms[ball].radius_m);
        let mut found: Vec<Landing> = Vec::new();
        let mut candidate = |secs: Option<f64>, face, on| {
            if let Some(secs) = secs.filter(|&secs| secs <= left_secs) {
                found.push(Landing { ball, secs: now_secs + secs, face, on });
            }
        };
        candidate(comes_down_after(vertical, 0.0, gravity_m_s2), Face::Lower(0.0), None);
        let mut faces = |[bottom_m, top_m]: [f64; 2], on| {
            candidate(comes_down_after(vertical, top_m, gravity_m_s2), Face::Lower(top_m), Some(on));
            let highest_m = bottom_m - 2.0 * radius_m;
            candidate(rises_after(vertical, highest_m, gravity_m_s2), Face::Upper(highest_m), Some(on));
        };
        for &fixture in &self.space.near_fixtures {
            faces(self.bodies.fixtures.solids[fixture].z_m, Body::Fixture(fixture));
        }
        for &robot in self.met_robots() {
            self.bodies.robots[robot].solids().for_each(|solid| faces(solid.z_m, Body::Robot(robot)));
        }
        found.sort_by(|a, b| a.secs.total_cmp(&b.secs));
        found.into_iter().find(|landing| landing.on.is_none() || self.is_over(ball, landing))
    }

    /// Robots are met by who meets any but fixtures.
    fn met_robots(&self) -> &[usize] {
        if self.bodies.meetings.are_mutual() { &self.space.near_robots } else { &[] }
    }

    /// Whether the ball is over, or under, the face in the plane at that moment.
    fn is_over(&self, ball: usize, landing: &Landing) -> bool {
        let radius_m = self.bodies.forms[ball].radius_m;
        let mut is_over = false;
        self.each_under(ball, landing.secs - self.now_secs, |solid, body| {
            is_over |= landing.on == Some(body)
                && match landing.face {
                    Face::Lower(z_m) => solid.z_m[1] == z_m,
                    Face::Upper(z_m) => solid.z_m[0] - 2.0 * radius_m == z_m,
                };
        });
        is_over
    }

    /// All shapes that a ball overlaps in the plane so many seconds from now, at whatever height.
    fn each_under(&self, ball: usize, after_secs: f64, mut tell: impl FnMut(&Solid, Body)) {
        let Ball { position, velocity, .. } = self.balls[ball];
        let position: Vec2 = add(position, scale(velocity, after_secs));
        let reach_m = self.bodies.forms[ball].radius_m - TOUCH_M;
        let overlaps =
            |solid: &Solid, at: Vec2| !solid.is_beyond(at, reach_m) && solid.gap(at).distance_m < reach_m;
        for &fixture in &self.space.near_fixtures {
            let solid = &self.bodies.fixtures.solids[fixture];
            if overlaps(solid, position) {
                tell(solid, Body::Fixture(fixture));
            }
        }
        for near in 0..self.met_robots().len() {
            let robot = self.space.near_robots[near];
            let secs = self.now_secs + after_secs;
            let inner = self.seen(robot).place_at(secs).to_inner(position);
            for solid in self.bodies.robots[robot].solids().filter(|solid| overlaps(solid, inner)) {
                tell(solid, Body::Robot(robot));
            }
        }
    }

    /// Lets a ball bounce, or stay; the last moments of a step that has too many are without bounces.
    pub fn land(&mut self, landing: Landing, bounces: bool) {
        let Landing { ball: number, face, on, .. } = landing;
        let bounce = self.bodies.forms[number].bounce;
        let restitution = if bounces { bounce.restitution } else { 0.0 };
        let now_secs = self.now_secs;
        let ball = &mut self.balls[number];
        let speed_m_s = -restitution * ball.vertical.speed_m_s;
        match face {
            Face::Upper(z_m) => ball.vertical = Vertical { z_m, speed_m_s },
            Face::Lower(z_m) => {
                ball.flies = speed_m_s >= REST_M_S;
                let leaves_m_s = if ball.flies { speed_m_s } else { 0.0 };
                bounce.grip(ball, leaves_m_s - ball.vertical.speed_m_s);
                ball.vertical = Vertical { z_m, speed_m_s: leaves_m_s };
                if !ball.flies {
                    ball.set_off(&self.bodies.forms[number].slowing, now_secs, self.dt_secs - now_secs);
                }
            }
        }
        if let Some(body) = on {
            self.tell_pair(Body::Ball(number), body);
        }
        self.look_round_again(Body::Ball(number), &[]);
    }

    /// After the last moment of a step that had too many: no ball is below the floor.
    pub fn stop_at_floor(&mut self) {
        for ball in self.balls.iter_mut().filter(|ball| ball.flies && ball.vertical.z_m < 0.0) {
            (ball.vertical, ball.flies) = (Vertical::FLOOR, false);
        }
    }
}
