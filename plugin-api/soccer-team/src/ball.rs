//! Where a rolling ball comes to: its speed is a geometric series.

use crate::scene::Mover;
use crate::series;
use crate::vector::{Vector, add, scale};
use touchline_soccer_law::params::ServerParams;

/// The ball's place after some cycles if nobody touches it: p + v (1 - d^n) / (1 - d), with d its decay.
///
/// ```
/// use touchline_soccer_law::params::ServerParams;
/// use touchline_soccer_team::{Mover, places_after};
/// let server = ServerParams::today();
/// let ball = Mover { velocity: [1.0, 0.0], ..Mover::default() };
/// assert!((places_after(&server, &ball, 2.0)[0] - 1.94).abs() < 1e-12);
/// ```
pub fn places_after(server: &ServerParams, ball: &Mover, cycles: f64) -> Vector {
    let decay = server.ball_decay;
    add(ball.place, scale(ball.velocity, series::sum(decay, cycles)))
}

/// Cycles until a ball of this speed, metres a cycle, has gone a distance; `None` if it never does.
///
/// ```
/// use touchline_soccer_law::params::ServerParams;
/// use touchline_soccer_team::arrival;
/// let server = ServerParams::today();
/// assert!((arrival(&server, 1.0, 1.94).unwrap() - 2.0).abs() < 1e-9);
/// assert_eq!(arrival(&server, 1.0, 17.0), None);
/// ```
pub fn arrival(server: &ServerParams, speed: f64, distance_m: f64) -> Option<f64> {
    if !series::loses(server.ball_decay) {
        return (speed > 0.0).then(|| distance_m / speed);
    }
    let left = 1.0 - distance_m * (1.0 - server.ball_decay) / speed;
    (left > 0.0).then(|| libm::log(left) / libm::log(server.ball_decay))
}

/// The speed, metres a cycle, with which a ball begins that still has another one after a distance: what it loses is the same on each metre.
pub fn start_speed(server: &ServerParams, distance_m: f64, end_speed: f64) -> f64 {
    end_speed + distance_m * (1.0 - server.ball_decay)
}
