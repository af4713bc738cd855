//! How soon a player has the ball.

use crate::kick::kickable_distance;
use crate::scene::Mover;
use crate::series::{final_speed, loses, until_rest};
use crate::vector::{add, distance, length, scale, sub};
use touchline_plugin_api::geometry::wrap_angle;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;

/// Nobody looks farther ahead, cycles.
const MOST_CYCLES: u32 = 80;
/// No more cycles are passed over at once.
const MOST_SKIPPED: u32 = 10_000;
/// Who has to turn by more does so before it runs, radians.
const TURNS_RAD: f64 = 0.4;

/// The way of a player in so many cycles of full dashes from rest, metres.
///
/// The speed goes from a = power * rate to u = a / (1 - d) by the player's decay d: n u - (u - a) (1 - d^n) / (1 - d).
pub fn travelled(server: &ServerParams, kind: &PlayerType, cycles: u32) -> f64 {
    let accel = server.maxpower * kind.dash_power_rate * kind.effort_max;
    let decay = kind.player_decay;
    let top = final_speed(accel, decay).min(kind.player_speed_max);
    let first = accel.min(top);
    let gaining = cycles.min(12);
    let left = (0..gaining).fold(1.0, |left, _| left * decay);
    let missing = if loses(decay) {
        (top - first) * (1.0 - left) / (1.0 - decay)
    } else {
        (top - first) * f64::from(gaining)
    };
    (f64::from(cycles) * top - missing).max(0.0)
}

/// Cycles until a player can kick the ball, and where the ball is then; the last cycle looked at if it cannot.
///
/// Between two looks it goes on by as much as both could approach at best: no meeting is passed over.
pub fn cycles_to_ball(
    server: &ServerParams,
    kind: &PlayerType,
    player: &Mover,
    ball: &Mover,
) -> (u32, [f64; 2]) {
    let reach_m = kickable_distance(server, kind) - 0.15;
    let drift = add(player.place, scale(player.velocity, until_rest(kind.player_decay)));
    let decay = server.ball_decay;
    let (mut cycles, mut rolled, mut left) = (0u32, 0.0, 1.0);
    loop {
        let place = add(ball.place, scale(ball.velocity, rolled));
        let from = if cycles == 0 { player.place } else { drift };
        let way = sub(place, from);
        let turn_rad = wrap_angle(libm::atan2(way[1], way[0]) - player.heading_rad).abs();
        let turns = u32::from(turn_rad > TURNS_RAD && length(way) > reach_m);
        let gap_m = length(way) - reach_m - travelled(server, kind, cycles.saturating_sub(turns));
        if gap_m <= 0.0 || cycles >= MOST_CYCLES {
            return (cycles, place);
        }
        let speed = kind.player_speed_max + length(ball.velocity) * left;
        // Whoever is so far away that it is more is not on the pitch.
        for _ in 0..((gap_m / speed) as u32).clamp(1, MOST_SKIPPED) {
            rolled += left;
            left *= decay;
            cycles += 1;
        }
    }
}

/// Whether a ball that is kicked along a line with a speed gets past a player: the gap that is left at the nearest point of its way, metres; below 0 it is stopped.
///
/// `reach_m` is how far from its centre the player stops a ball.
pub fn clearance(
    server: &ServerParams,
    kind: &PlayerType,
    (from, to): ([f64; 2], [f64; 2]),
    speed: f64,
    player: &Mover,
    reach_m: f64,
) -> f64 {
    let way = sub(to, from);
    let size = length(way).max(1e-9);
    let ahead = scale(way, 1.0 / size);
    let offset = sub(player.place, from);
    let along = (offset[0] * ahead[0] + offset[1] * ahead[1]).clamp(0.0, size);
    let aside = distance(player.place, add(from, scale(ahead, along)));
    // The end of the way is where a player behind the receiver would be later, too.
    let cycles = [along, size].map(|along| crate::ball::arrival(server, speed, along).unwrap_or(40.0));
    let near = aside - reach_m - travelled(server, kind, (cycles[0] as u32).saturating_sub(1));
    let at_end =
        distance(player.place, to) - reach_m - travelled(server, kind, (cycles[1] as u32).saturating_sub(1));
    near.min(at_end)
}
