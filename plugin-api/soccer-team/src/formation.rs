//! Where each player stands when it does not go for the ball: a 4-3-3 that moves with it.

use touchline_soccer_law::pitch::{CLEAR_DISTANCE_M, HALF_LENGTH_M, HALF_WIDTH_M};

/// A player's place: for a ball in the middle, how far it follows the ball, and how far forward and back it goes, metres.
struct Post {
    place: [f64; 2],
    follows: [f64; 2],
    x_m: [f64; 2],
}

const fn post(place: [f64; 2], follows: [f64; 2], x_m: [f64; 2]) -> Post {
    Post { place, follows, x_m }
}

/// By uniform number: goalkeeper, four backs, three in midfield, three forwards.
const POSTS: [Post; 11] = [
    post([-50.0, 0.0], [0.02, 0.1], [-51.5, -46.0]),
    post([-19.0, 5.5], [0.50, 0.30], [-44.0, 8.0]),
    post([-19.0, -5.5], [0.50, 0.30], [-44.0, 8.0]),
    post([-17.0, 17.0], [0.55, 0.25], [-43.0, 16.0]),
    post([-17.0, -17.0], [0.55, 0.25], [-43.0, 16.0]),
    post([-8.0, 0.0], [0.62, 0.40], [-38.0, 28.0]),
    post([-2.0, 12.0], [0.66, 0.35], [-34.0, 38.0]),
    post([-2.0, -12.0], [0.66, 0.35], [-34.0, 38.0]),
    post([11.0, 0.0], [0.70, 0.25], [-14.0, 46.0]),
    post([9.0, 19.0], [0.70, 0.20], [-16.0, 46.0]),
    post([9.0, -19.0], [0.70, 0.20], [-16.0, 46.0]),
];

/// Place of a uniform number for a ball, team's frame; no farther forward than `offside_x_m`.
pub fn home(unum: u32, ball: [f64; 2], offside_x_m: f64) -> [f64; 2] {
    let post = &POSTS[(unum.clamp(1, 11) - 1) as usize];
    let place: [f64; 2] = std::array::from_fn(|axis| post.place[axis] + post.follows[axis] * ball[axis]);
    let x = place[0].clamp(post.x_m[0], post.x_m[1]).min(offside_x_m.max(post.x_m[0]));
    [x, place[1].clamp(1.0 - HALF_WIDTH_M, HALF_WIDTH_M - 1.0)]
}

/// Place of a uniform number before a kick-off: in the own half, outside of the circle but for who takes it.
pub fn kick_off_place(unum: u32, is_ours: bool) -> [f64; 2] {
    if is_ours && unum == 9 {
        return [-0.5, 0.0];
    }
    if unum == 1 {
        return POSTS[0].place;
    }
    let [x, y] = home(unum, [-12.0, 0.0], -1.0);
    let x = x.max(1.0 - HALF_LENGTH_M);
    let outside = CLEAR_DISTANCE_M + 0.8;
    if libm::hypot(x, y) < outside { [-libm::sqrt((outside * outside - y * y).max(0.25)), y] } else { [x, y] }
}
