//! Speeds that fall by the same part in each cycle, and where that leads to; also where nothing is lost, as a server's file may say.

/// Who loses less of its speed in a cycle loses nothing.
const LEAST_LOSS: f64 = 1e-9;
/// Who goes on longer has gone out of sight, cycles.
const MOST_CYCLES: f64 = 80.0;

/// Whether a body loses speed of which so much is left after a cycle.
pub fn loses(decay: f64) -> bool {
    1.0 - decay > LEAST_LOSS
}

/// The way of some cycles as a multiple of the first cycle's: (1 - d^n) / (1 - d), with d what is left of the speed after each.
pub fn sum(decay: f64, cycles: f64) -> f64 {
    if loses(decay) { (1.0 - libm::pow(decay, cycles)) / (1.0 - decay) } else { cycles }
}

/// The same of all the way until it rests, as far as anybody looks ahead.
pub fn until_rest(decay: f64) -> f64 {
    if loses(decay) { (1.0 / (1.0 - decay)).min(MOST_CYCLES) } else { MOST_CYCLES }
}

/// The speed that comes of gaining so much in each cycle.
pub fn final_speed(gained: f64, decay: f64) -> f64 {
    if loses(decay) { gained / (1.0 - decay) } else { gained * MOST_CYCLES }
}
