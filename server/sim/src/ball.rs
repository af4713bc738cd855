//! How a ball slows down on the floor: sliding, then rolling, in closed form. (W5)
//!
//! A kicked ball slides first: friction takes from its speed and gives to its spin, until it rolls; then only rolling
//! resistance and air slow it down. A ball that was turned by a wall or a robot slides again, since its spin is still the
//! old one. The form is that of the ball models of the Small Size league; its numbers are the world file's.

use crate::physics::Physics;
use crate::robot::Robot;
use crate::scenario::{BallPlacement, BallSpec, Sliding};
use touchline_plugin_api::flight::Vertical;
use touchline_plugin_api::geometry::{Pose2, Twist2, sin_cos, wrap_angle};

/// A ball of the world, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    /// x and y of the centre, world frame, metres.
    pub position: [f64; 2],
    /// m/s.
    pub velocity: [f64; 2],
    /// Orientation about the vertical, radians.
    pub angle_rad: f64,
    /// Angular velocity about the vertical, rad/s.
    pub spin_rad_s: f64,
    /// The velocity at which it would roll without sliding: its spin times its radius, m/s.
    pub rolling_m_s: [f64; 2],
    /// Its height, and how fast it rises.
    pub vertical: Vertical,
    /// Whether it is in the air; if not, it lies on the floor or on top of something.
    pub flies: bool,
    /// Its way since it last met something within the step.
    slide: Slide,
}

/// A way without an impact: friction acts half before it and half after it, so a ball goes as far as the closed form lets it, but for terms of the
/// third order in its time.
#[derive(Clone, Copy, Debug, Default)]
struct Slide {
    /// When it began, seconds from the step's beginning.
    from_secs: f64,
    /// What the ball had there, before friction.
    velocity: [f64; 2],
    rolling_m_s: [f64; 2],
    spin_rad_s: f64,
    /// For how long friction has acted already, seconds.
    slowed_secs: f64,
}

/// What slows a ball on the floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slowing {
    radius_m: f64,
    rolling_resistance_m_s2: f64,
    drag_per_m: f64,
    sliding: Option<Sliding>,
}

impl Slowing {
    pub fn of(spec: &BallSpec) -> Self {
        let BallSpec { radius_m, rolling_resistance_m_s2, drag_per_m, sliding, .. } = *spec;
        Self { radius_m, rolling_resistance_m_s2, drag_per_m, sliding }
    }
}

impl Ball {
    /// A ball that rolls as it moves.
    pub fn rolling(position: [f64; 2], velocity_m_s: [f64; 2]) -> Self {
        Self {
            position,
            velocity: velocity_m_s,
            angle_rad: 0.0,
            spin_rad_s: 0.0,
            rolling_m_s: velocity_m_s,
            vertical: Vertical::FLOOR,
            flies: false,
            slide: Slide::default(),
        }
    }

    /// Where the world file has it.
    pub fn placed(placement: &BallPlacement) -> Self {
        Self::rolling(placement.position, placement.velocity).lifted(placement.vertical)
    }

    /// The same at a height, or thrown up; its spin is that of one that rolls.
    pub fn lifted(self, vertical: Vertical) -> Self {
        Self { vertical, flies: !vertical.is_on_floor(), ..self }
    }

    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position[0], self.position[1], wrap_angle(self.angle_rad))
    }

    pub fn twist(&self) -> Twist2 {
        Twist2::new(self.velocity[0], self.velocity[1], self.spin_rad_s)
    }

    /// Begins a way at a moment of the step, of which so much is left.
    pub fn set_off(&mut self, slowing: &Slowing, from_secs: f64, left_secs: f64) {
        self.begin_slide(from_secs);
        self.slide.slowed_secs = left_secs / 2.0;
        self.slow_down(slowing, left_secs / 2.0);
    }

    /// Begins a way of which friction acts at its end alone: on a ball that goes with what it touches.
    pub fn begin_slide(&mut self, from_secs: f64) {
        let Self { velocity, rolling_m_s, spin_rad_s, .. } = *self;
        self.slide = Slide { from_secs, velocity, rolling_m_s, spin_rad_s, slowed_secs: 0.0 };
    }

    /// Ends its way at this moment of the step, before what else would have been of it.
    pub fn end_slide(&mut self, slowing: &Slowing, secs: f64) {
        if !self.flies {
            let Slide { from_secs, velocity, rolling_m_s, spin_rad_s, slowed_secs } = self.slide;
            if secs == from_secs + 2.0 * slowed_secs {
                self.slow_down(slowing, slowed_secs);
            } else {
                (self.velocity, self.rolling_m_s, self.spin_rad_s) = (velocity, rolling_m_s, spin_rad_s);
                self.slow_down(slowing, secs - from_secs);
            }
        }
        self.begin_slide(secs);
    }

    /// Slows it down over `dt_secs`; what flies is not slowed.
    fn slow_down(&mut self, spec: &Slowing, dt_secs: f64) {
        if self.flies || dt_secs == 0.0 {
            return;
        }
        (self.velocity, self.rolling_m_s) = slowed(self.velocity, self.rolling_m_s, spec, dt_secs);
        if self.spin_rad_s != 0.0 {
            // Spin about the vertical loses the same at the rim; without rolling resistance it stays.
            let by_rad_s = spec.rolling_resistance_m_s2 / spec.radius_m * dt_secs;
            self.spin_rad_s = (self.spin_rad_s.abs() - by_rad_s).max(0.0).copysign(self.spin_rad_s);
        }
    }
}

/// Velocity and rolling velocity after `dt_secs`, m/s.
fn slowed(
    mut velocity: [f64; 2],
    mut rolling: [f64; 2],
    spec: &Slowing,
    dt_secs: f64,
) -> ([f64; 2], [f64; 2]) {
    let mut rolling_secs = dt_secs;
    if let Some(sliding) = spec.sliding {
        let slip = [velocity[0] - rolling[0], velocity[1] - rolling[1]];
        let slip_m_s = norm(slip);
        let spin_up = sliding.deceleration_m_s2 / sliding.inertia_factor;
        let closes_in_secs = slip_m_s / (sliding.deceleration_m_s2 + spin_up);
        let secs = closes_in_secs.min(dt_secs);
        if secs > 0.0 {
            for axis in 0..2 {
                let direction = slip[axis] / slip_m_s;
                velocity[axis] -= sliding.deceleration_m_s2 * secs * direction;
                rolling[axis] += spin_up * secs * direction;
            }
            velocity = scaled(velocity, |speed| rolled_speed(speed, 0.0, spec.drag_per_m, secs));
        }
        if closes_in_secs > dt_secs {
            return (velocity, rolling);
        }
        rolling_secs -= secs;
    }
    let (c, k) = (spec.rolling_resistance_m_s2, spec.drag_per_m);
    velocity = scaled(velocity, |speed| rolled_speed(speed, c, k, rolling_secs));
    (velocity, velocity)
}

fn scaled(velocity: [f64; 2], speed_of: impl Fn(f64) -> f64) -> [f64; 2] {
    let speed = norm(velocity);
    if speed == 0.0 {
        return velocity;
    }
    let slowed = speed_of(speed);
    // A ball that nothing slows keeps every bit.
    if slowed == speed { velocity } else { velocity.map(|part| part * slowed / speed) }
}

fn norm([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// The speed after `dt_secs` of `dv/dt = -(c + k v^2)`, m/s.
pub(crate) fn rolled_speed(speed_m_s: f64, c: f64, k: f64, dt_secs: f64) -> f64 {
    let slowed = if k == 0.0 {
        speed_m_s - c * dt_secs
    } else if c == 0.0 {
        speed_m_s / (1.0 + k * speed_m_s * dt_secs)
    } else {
        // sqrt(c/k) tan(atan(v sqrt(k/c)) - t sqrt(ck)) by the addition theorem: no inverse function, no cancellation.
        let root = (c * k).sqrt();
        let (sin, cos) = sin_cos((root * dt_secs).min(1.5));
        (speed_m_s * cos - root / k * sin) / (cos + speed_m_s * root / c * sin)
    };
    slowed.max(0.0)
}

/// Lets the manipulators pull at the balls in their reach. (R5)
pub(crate) fn hold_balls(physics: &mut Physics, robots: &[Robot], balls: &mut [Ball]) {
    for (index, robot) in robots.iter().enumerate().filter(|(_, robot)| robot.can_hold) {
        for hold in robot.holds() {
            let point = robot.motion.pose.point_to_outer([hold.zone.pose.x_m, hold.zone.pose.y_m]);
            for (number, ball) in balls.iter_mut().enumerate() {
                if robot.in_zone(&hold.zone, ball.position, ball.vertical.z_m) {
                    // The roller turns it along with the robot: a kick in this step does not add to its spin.
                    ball.rolling_m_s = physics.hold(number, ball, index, point, hold.force_n);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Sliding;

    fn spec(inertia_factor: f64) -> Slowing {
        Slowing {
            radius_m: 0.11,
            rolling_resistance_m_s2: 0.3,
            drag_per_m: 0.0,
            sliding: Some(Sliding { deceleration_m_s2: 3.0, inertia_factor }),
        }
    }

    /// W5: a kicked ball rolls from the speed at which friction has given it its spin: v / (1 + I / m r^2), whatever
    /// the friction and the length of a step; 5/7 for a solid sphere, 3/5 for a shell.
    #[test]
    fn a_kicked_ball_rolls_from_a_fixed_part_of_its_speed() {
        for (inertia_factor, part) in [(0.4, 5.0 / 7.0), (2.0 / 3.0, 0.6)] {
            for dt_secs in [0.001, 0.01, 0.03] {
                let spec = Slowing { rolling_resistance_m_s2: 0.0, ..spec(inertia_factor) };
                let (mut velocity, mut rolling) = ([3.0, 4.0], [0.0; 2]);
                for _ in 0..(2.0 / dt_secs) as u32 {
                    (velocity, rolling) = slowed(velocity, rolling, &spec, dt_secs);
                }
                assert_eq!(velocity, rolling);
                assert!(
                    (norm(velocity) - 5.0 * part).abs() < 1e-9,
                    "{inertia_factor}, {dt_secs}: {velocity:?}"
                );
                assert!((velocity[0] / velocity[1] - 0.75).abs() < 1e-9, "straight on");
            }
        }
    }

    /// W5: it slides for v (1 - part) / deceleration, losing the friction's deceleration, and then rolls.
    #[test]
    fn the_two_phases_have_their_decelerations() {
        let spec = spec(0.4);
        let (mut velocity, mut rolling) = ([7.0, 0.0], [0.0; 2]);
        let (dt_secs, slides_secs) = (0.01, 7.0 * (2.0 / 7.0) / 3.0);
        for step in 0..300 {
            let before = velocity[0];
            (velocity, rolling) = slowed(velocity, rolling, &spec, dt_secs);
            let (at_secs, rate) = (f64::from(step) * dt_secs, (before - velocity[0]) / dt_secs);
            if at_secs + dt_secs < slides_secs {
                assert!((rate - 3.0).abs() < 1e-9, "sliding at {at_secs}: {rate}");
            } else if at_secs > slides_secs {
                assert!((rate - 0.3).abs() < 1e-9, "rolling at {at_secs}: {rate}");
            }
        }
    }

    /// A ball that comes back from a wall keeps its old spin for a while, which brakes it.
    #[test]
    fn a_bounce_makes_it_slide_again() {
        let (velocity, rolling) = slowed([-2.0, 0.0], [2.0, 0.0], &spec(0.4), 0.1);
        assert!((velocity[0] + 1.7).abs() < 1e-9, "{velocity:?}");
        assert!(rolling[0] < 2.0);
    }
}
