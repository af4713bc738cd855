//! The wheels: rim speeds of a body velocity, and what their limits make of a wish.
//!
//! # Units, frames
//! Body frame. A wheel at angle `a` and distance `d` from the centre drives along `(-sin a, cos a)`, so its rim
//! speed is `-sin(a) x + cos(a) y + d w`: all wheels forward turn the robot counter-clockwise.

use touchline_plugin_api::geometry::{Twist2, sin_cos};

/// Three or four wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct Wheels {
    /// One row for each wheel: its rim speed is the row times the twist.
    rows: Vec<[f64; 3]>,
    max_m_s: f64,
    /// One through the acceleration, s^2/m.
    per_acceleration: f64,
}

impl Wheels {
    /// Puts wheels at these angles; both limits are those of a rim.
    pub fn new(angles_rad: &[f64], centre_distance_m: f64, max_m_s: f64, acceleration_m_s2: f64) -> Self {
        let row = |&angle: &f64| {
            let (sin, cos) = sin_cos(angle);
            [-sin, cos, centre_distance_m]
        };
        Self {
            rows: angles_rad.iter().map(row).collect(),
            max_m_s,
            per_acceleration: 1.0 / acceleration_m_s2,
        }
    }

    /// Number of wheels.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rim speeds of a velocity, m/s.
    #[inline]
    pub fn rims_m_s(&self, twist: Twist2) -> impl Iterator<Item = f64> + '_ {
        self.rows.iter().map(move |[x, y, turn]| x * twist.x_m_s + y * twist.y_m_s + turn * twist.turn_rad_s)
    }

    /// Whether the wheels can drive the body in every way, and how well: the determinant of `J^T J`, free of units.
    pub fn determinant(&self) -> f64 {
        let mut gram = [[0.0; 3]; 3];
        for [x, y, turn] in &self.rows {
            let row = [*x, *y, turn.signum()];
            for (i, line) in gram.iter_mut().enumerate() {
                for (j, entry) in line.iter_mut().enumerate() {
                    *entry += row[i] * row[j];
                }
            }
        }
        let [a, b, c] = gram;
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    }

    /// The wish, scaled so that no wheel has to turn faster than it can.
    #[inline]
    pub fn desaturated(&self, wish: Twist2) -> Twist2 {
        let fastest = self.fastest_m_s(wish);
        if fastest > self.max_m_s { scaled(wish, self.max_m_s / fastest) } else { wish }
    }

    /// The velocity at the end of a cycle, and its mean over it: the straight way from `now` to `target`.
    #[inline]
    pub fn step(&self, now: Twist2, target: Twist2, dt_secs: f64) -> (Twist2, Twist2) {
        let change = Twist2 {
            x_m_s: target.x_m_s - now.x_m_s,
            y_m_s: target.y_m_s - now.y_m_s,
            turn_rad_s: target.turn_rad_s - now.turn_rad_s,
        };
        if change == Twist2::ZERO {
            return (target, target);
        }
        let needed_secs = self.fastest_m_s(change) * self.per_acceleration;
        if needed_secs > dt_secs {
            let part = dt_secs / needed_secs;
            (along(now, change, part), along(now, change, part / 2.0))
        } else {
            // The change is done after `needed_secs`; on average half of that time lacks all of it.
            (target, along(now, change, 1.0 - needed_secs / (2.0 * dt_secs)))
        }
    }

    #[inline]
    fn fastest_m_s(&self, twist: Twist2) -> f64 {
        // A comparison, not f64::max: there is no NaN here to be careful with.
        self.rims_m_s(twist).fold(0.0, |fastest, rim| if rim.abs() > fastest { rim.abs() } else { fastest })
    }
}

/// A twist times a factor.
pub fn scaled(twist: Twist2, factor: f64) -> Twist2 {
    Twist2::new(twist.x_m_s * factor, twist.y_m_s * factor, twist.turn_rad_s * factor)
}

fn along(from: Twist2, change: Twist2, part: f64) -> Twist2 {
    Twist2 {
        x_m_s: from.x_m_s + change.x_m_s * part,
        y_m_s: from.y_m_s + change.y_m_s * part,
        turn_rad_s: from.turn_rad_s + change.turn_rad_s * part,
    }
}
