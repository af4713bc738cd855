//! What happens where bodies touch: impulses by Newton's law of restitution and Coulomb's law of friction.

use super::shape::{Vec2, cross, left_of};

/// How two bodies answer to an impulse between them at the place where they touch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Response {
    /// Change of the velocity along the normal for a unit impulse along it, 1 / kg.
    pub normal: f64,
    /// The same along the tangent.
    pub tangent: f64,
    /// Of the one for the other.
    pub mixed: f64,
}

/// The part of [`Response`] that one body has, for an impulse at `arm` from its centre of mass.
pub fn response((per_mass, per_moment): (f64, f64), arm: Vec2, normal: Vec2) -> Response {
    let (along, across) = (cross(arm, normal), cross(arm, left_of(normal)));
    Response {
        normal: per_mass + along * along * per_moment,
        tangent: per_mass + across * across * per_moment,
        mixed: along * across * per_moment,
    }
}

impl std::ops::Add for Response {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            normal: self.normal + other.normal,
            tangent: self.tangent + other.tangent,
            mixed: self.mixed + other.mixed,
        }
    }
}

/// The impulse (along the normal, along the tangent) of an impact with this relative velocity, along the normal below 0.
///
/// The contact sticks if friction can hold it, and slides otherwise. Where the two laws together would make energy, which they
/// can for an impulse off the centre, the impact is without restitution.
pub fn impulse(response: Response, [normal, tangent]: Vec2, friction: f64, restitution: f64) -> Vec2 {
    let bounced = solve(response, [normal, tangent], friction, restitution);
    let gain = |[a, b]: Vec2| {
        let after_normal = normal + response.normal * a + response.mixed * b;
        let after_tangent = tangent + response.tangent * b + response.mixed * a;
        a * (normal + after_normal) + b * (tangent + after_tangent)
    };
    // An impact without loss gains nothing but what rounding makes of that.
    let rounding = 1e-12 * (bounced[0] * normal).abs();
    if gain(bounced) <= rounding { bounced } else { solve(response, [normal, tangent], friction, 0.0) }
}

/// The impulse that stops two that near, without regard to energy.
pub fn stop(response: Response, velocity: Vec2, friction: f64) -> Vec2 {
    solve(response, velocity, friction, 0.0)
}

fn solve(response: Response, [normal, tangent]: Vec2, friction: f64, restitution: f64) -> Vec2 {
    let Response { normal: n, tangent: t, mixed: m } = response;
    let wanted = -(1.0 + restitution) * normal;
    let determinant = n * t - m * m;
    let sticking = [(wanted * t + tangent * m) / determinant, (-tangent * n - wanted * m) / determinant];
    if sticking[0] >= 0.0 && sticking[1].abs() <= friction * sticking[0] {
        return sticking;
    }
    let slide = if sticking[1] > 0.0 { friction } else { -friction };
    let along = n + m * slide;
    let sliding = wanted / if along > 0.0 { along } else { n };
    [sliding, slide * sliding]
}

/// The impulses that leave no contact approaching: `couplings` (n x n, row by row) tells what an impulse at one contact does to the
/// speed at another, `speeds` are those before. None pulls.
///
/// The contacts that push are found by taking out who would pull and taking in who would approach.
pub fn press(couplings: &[f64], speeds: &[f64]) -> Vec<f64> {
    if let ([coupling], [speed]) = (couplings, speeds) {
        return vec![if *speed < 0.0 { alone(*coupling, *speed) } else { 0.0 }];
    }
    let count = speeds.len();
    let mut pushes: Vec<bool> = speeds.iter().map(|&speed| speed < 0.0).collect();
    let mut impulses = vec![0.0; count];
    for _ in 0..4 * count {
        impulses = solve_for(couplings, speeds, &pushes);
        let least = (0..count).filter(|&i| pushes[i]).min_by(|&i, &j| impulses[i].total_cmp(&impulses[j]));
        if let Some(i) = least.filter(|&i| impulses[i] < 0.0) {
            pushes[i] = false;
            continue;
        }
        let after =
            |i: usize| speeds[i] + (0..count).map(|j| couplings[i * count + j] * impulses[j]).sum::<f64>();
        let approaching = (0..count).filter(|&i| !pushes[i]).min_by(|&i, &j| after(i).total_cmp(&after(j)));
        match approaching.filter(|&i| after(i) < -1e-9) {
            Some(i) => pushes[i] = true,
            None => break,
        }
    }
    impulses.iter().map(|impulse| impulse.max(0.0)).collect()
}

/// So much greater is the diagonal, for contacts that say the same twice.
const SOFTER: f64 = 1.0 + 1e-9;

/// What most have to solve: one contact, the same bits as by elimination.
fn alone(coupling: f64, speed: f64) -> f64 {
    (-speed / (coupling * SOFTER)).max(0.0)
}

/// Gauss' elimination on the contacts that push.
fn solve_for(couplings: &[f64], speeds: &[f64], pushes: &[bool]) -> Vec<f64> {
    let count = speeds.len();
    let active: Vec<usize> = (0..count).filter(|&i| pushes[i]).collect();
    let mut rows: Vec<Vec<f64>> = active
        .iter()
        .map(|&i| {
            let mut row: Vec<f64> = active.iter().map(|&j| couplings[i * count + j]).collect();
            row.push(-speeds[i]);
            row
        })
        .collect();
    for (k, row) in rows.iter_mut().enumerate() {
        row[k] *= SOFTER;
    }
    for k in 0..rows.len() {
        let (done, rest) = rows.split_at_mut(k + 1);
        let pivot = &done[k];
        for row in rest {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(pivot).skip(k).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut impulses = vec![0.0; count];
    for k in (0..rows.len()).rev() {
        let known: f64 = (k + 1..rows.len()).map(|j| rows[k][j] * impulses[active[j]]).sum();
        impulses[active[k]] = (rows[k][rows.len()] - known) / rows[k][k];
    }
    impulses
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// W4: bodies that press: no contact still nears, none pulls, one that parts does not push, and what they do takes energy only.
        #[test]
        fn who_presses_is_complementary(
            levers in prop::collection::vec(prop::collection::vec(-1.0..1.0f64, 9), 1..9),
            speeds in prop::collection::vec(-2.0..1.0f64, 9),
        ) {
            let count = levers.len();
            let speeds = &speeds[..count];
            // What contacts do to each other comes of the velocities of a few bodies: each moves three ways.
            let of = |i: usize, j: usize| levers[i].iter().zip(&levers[j]).map(|(a, b)| a * b).sum::<f64>();
            let couplings: Vec<f64> = (0..count * count).map(|place| of(place / count, place % count)).collect();
            let impulses = press(&couplings, speeds);
            let mut work = 0.0;
            for i in 0..count {
                let by: f64 = (0..count).map(|j| couplings[i * count + j] * impulses[j]).sum();
                let after = speeds[i] + by;
                let scale = 1e-6 * (1.0 + by.abs());
                prop_assert!(impulses[i] >= 0.0, "it pulls: {impulses:?}");
                prop_assert!(after > -scale, "contact {i} still nears with {after}: {impulses:?}");
                prop_assert!(impulses[i] * after < scale * (1.0 + impulses[i]), "contact {i} parts with {after} and pushes: {impulses:?}");
                work += impulses[i] * (speeds[i] + after) / 2.0;
            }
            prop_assert!(work < 1e-6, "it makes {work} J");
        }
    }
}
