//! The particles: moved, weighed, and resampled.

use super::lanes::{exp_of_negative, sin_cos, wrap};
use super::models::Model;
use super::samples::Samples;
use serde::{Deserialize, Serialize};
use touchline_plugin_api::geometry::{Pose2, wrap_angle};
use touchline_plugin_api::noise::Noise;

/// Where the robot may be: a rectangle in the world frame, metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// The corner with the smaller coordinates.
    pub low: [f64; 2],
    /// The corner with the greater coordinates.
    pub high: [f64; 2],
}

impl Area {
    /// A pose anywhere in it.
    fn anywhere(&self, noise: &mut Noise) -> Pose2 {
        Pose2::new(
            noise.uniform(self.low[0], self.high[0]),
            noise.uniform(self.low[1], self.high[1]),
            noise.uniform(-std::f64::consts::PI, std::f64::consts::PI),
        )
    }
}

/// Parameters of a belief: number of samples, motion noise and recovery.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BeliefParams {
    /// Number of samples.
    pub samples: usize,
    /// Error of a displacement for each metre driven, metres.
    pub drift_m_per_m: f64,
    /// Error of the heading for each radian turned, radians.
    pub drift_rad_per_rad: f64,
    /// Error of the heading for each metre driven, radians.
    pub drift_rad_per_m: f64,
    /// Error of the place for each update, whatever is driven, metres.
    pub jitter_m: f64,
    /// Error of the heading for each update, radians.
    pub jitter_rad: f64,
    /// How fast the long-term average of the likelihood follows, for each update.
    pub slow: f64,
    /// How fast the short-term average follows: when it falls below the long-term one, the robot may have been carried.
    pub fast: f64,
    /// The greatest part of all samples that is drawn anywhere in one update.
    pub most_random: f64,
}

impl Default for BeliefParams {
    fn default() -> Self {
        Self {
            samples: 1000,
            drift_m_per_m: 0.10,
            drift_rad_per_rad: 0.10,
            drift_rad_per_m: 0.05,
            jitter_m: 0.01,
            jitter_rad: 0.01,
            slow: 0.02,
            fast: 0.2,
            most_random: 0.25,
        }
    }
}

/// What a belief comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of the samples around the best one, world frame.
    pub pose: Pose2,
    /// The spread of these samples' places, metres: the root of the mean square distance from the mean.
    pub spread_m: f64,
    /// The part of all samples that is there: near 1 when the robot is sure.
    pub share: f64,
}

/// A set of weighed samples: a particle filter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    params: BeliefParams,
    area: Area,
    samples: Samples,
    /// The logarithms of the likelihoods of the last correction.
    scores: Vec<f32>,
    best: usize,
    slow: f64,
    fast: f64,
}

/// With a score below this for each piece of evidence, a sample is more than two deviations off everywhere.
const LOST: f64 = -3.0;
/// How far around the best sample others count for the estimate: metres, radians.
const CLUSTER: (f64, f64) = (0.6, 0.7);

impl Belief {
    /// Knows nothing: the robot may be anywhere in the area.
    pub fn everywhere(area: Area, params: BeliefParams, noise: &mut Noise) -> Self {
        let poses: Vec<Pose2> = (0..params.samples.max(1)).map(|_| area.anywhere(noise)).collect();
        Self {
            scores: vec![0.0; poses.len()],
            samples: poses.into_iter().collect(),
            params,
            area,
            best: 0,
            slow: 0.0,
            fast: 0.0,
        }
    }

    /// Knows where the robot starts, about: standard deviations in metres and radians.
    pub fn around(
        pose: Pose2,
        sigma_m: f64,
        sigma_rad: f64,
        area: Area,
        params: BeliefParams,
        noise: &mut Noise,
    ) -> Self {
        let mut belief = Self::everywhere(area, params, noise);
        for index in 0..belief.samples.len() {
            let [x, y] = noise.gaussian_pair([sigma_m, sigma_m]);
            let theta_rad = wrap_angle(pose.theta_rad + noise.gaussian(sigma_rad));
            belief.samples.set(index, Pose2 { x_m: pose.x_m + x, y_m: pose.y_m + y, theta_rad });
        }
        belief
    }

    /// Where the robot may be.
    pub fn area(&self) -> Area {
        self.area
    }

    /// The parameters that it was made with.
    pub fn params(&self) -> BeliefParams {
        self.params
    }

    /// All samples: poses in the world frame.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Moves all samples by a displacement in the robot's frame, each with errors of its own.
    ///
    /// A displacement that is no number moves nothing.
    pub fn predict(&mut self, displacement: Pose2, noise: &mut Noise) {
        if !displacement.is_finite() {
            return;
        }
        let params = &self.params;
        let way_m = libm::hypot(displacement.x_m, displacement.y_m);
        let turn_rad = displacement.theta_rad.abs();
        let sigma_m = (params.jitter_m + params.drift_m_per_m * way_m) as f32;
        let sigma_rad =
            params.jitter_rad + params.drift_rad_per_rad * turn_rad + params.drift_rad_per_m * way_m;
        let sigma_rad = sigma_rad as f32;
        let count = self.samples.len();
        let mut errors = vec![0.0; 3 * count];
        noise.fill_normal(&mut errors);
        let (x_errors, rest) = errors.split_at(count);
        let (y_errors, turn_errors) = rest.split_at(count);
        let (ahead_m, left_m) = (displacement.x_m as f32, displacement.y_m as f32);
        let turn_rad = wrap_angle(displacement.theta_rad) as f32;
        let Samples { x_m, y_m, theta_rad } = &mut self.samples;
        let places = x_m.iter_mut().zip(y_m).zip(x_errors.iter().zip(y_errors));
        for (((x_m, y_m), (x_error, y_error)), (theta_rad, turn_error)) in
            places.zip(theta_rad.iter_mut().zip(turn_errors))
        {
            let (sin, cos) = sin_cos(*theta_rad);
            let (x, y) = (ahead_m + sigma_m * x_error, left_m + sigma_m * y_error);
            *x_m += cos * x - sin * y;
            *y_m += sin * x + cos * y;
            *theta_rad = wrap(*theta_rad + turn_rad + sigma_rad * turn_error);
        }
    }

    /// Weighs all samples by all models together, and draws the next generation from them.
    ///
    /// With no model, or none that has anything to say, nothing changes.
    pub fn correct(&mut self, models: &[&dyn Model], noise: &mut Noise) {
        let evidence: f64 = models.iter().map(|model| model.evidence()).sum();
        if evidence <= 0.0 {
            return;
        }
        self.score(models);
        let weights = self.weights();
        // For a single piece of evidence, so that a rich view and a poor one can be compared.
        let mean = f64::from(weights.iter().sum::<f32>()) / weights.len() as f64;
        let mean = libm::exp((libm::log(mean) + f64::from(self.scores[self.best])) / evidence);
        let mut random_share = self.random_share(mean);
        // Not even the best sample explains the view: it is none of them.
        if f64::from(self.scores[self.best]) < LOST * evidence {
            random_share = self.params.most_random;
        }
        self.resample(&weights, random_share, models, noise);
    }

    fn score(&mut self, models: &[&dyn Model]) {
        self.scores.clear();
        self.scores.resize(self.samples.len(), 0.0);
        for model in models {
            model.add_scores(&self.samples, &mut self.scores);
        }
        let mut best = 0;
        for (index, score) in self.scores.iter().enumerate() {
            if *score > self.scores[best] {
                best = index;
            }
        }
        self.best = best;
    }

    /// What part shall be drawn anywhere: much while all samples explain the view worse than they used to.
    fn random_share(&mut self, mean: f64) -> f64 {
        if self.slow == 0.0 {
            (self.slow, self.fast) = (mean, mean);
        }
        self.slow += self.params.slow * (mean - self.slow);
        self.fast += self.params.fast * (mean - self.fast);
        (1.0 - self.fast / self.slow).clamp(0.0, self.params.most_random)
    }

    fn weights(&self) -> Vec<f32> {
        let top = self.scores[self.best];
        self.scores.iter().map(|score| exp_of_negative(score - top)).collect()
    }

    /// Low-variance resampling: one random number, and steps of equal length along the weights.
    fn resample(&mut self, weights: &[f32], random_share: f64, models: &[&dyn Model], noise: &mut Noise) {
        let count = self.samples.len();
        let random = ((random_share * count as f64) as usize).min(count - 1);
        let kept = count - random;
        let parents = parents(weights, kept, noise.uniform(0.0, 1.0));
        let best = parents.iter().position(|&parent| parent as usize == self.best);
        let mut next = self.samples.chosen(&parents);
        if random > 0 {
            self.be_born_anywhere(random, models, &mut next, noise);
        }
        // Nobody is outside for long: who drifts out is put to the edge.
        let Area { low, high } = self.area;
        for (row, axis) in [(&mut next.x_m, 0), (&mut next.y_m, 1)] {
            let (low, high) = (low[axis] as f32, high[axis] as f32);
            row.iter_mut().for_each(|at| {
                *at = if *at < low {
                    low
                } else if *at > high {
                    high
                } else {
                    *at
                }
            });
        }
        (self.samples, self.best) = (next, best.unwrap_or(0));
    }

    /// Random poses, of which those that explain the view best are kept: one in four.
    fn be_born_anywhere(&self, count: usize, models: &[&dyn Model], next: &mut Samples, noise: &mut Noise) {
        let drawn: Samples = (0..4 * count).map(|_| self.area.anywhere(noise)).collect();
        let mut scores = vec![0.0; drawn.len()];
        for model in models {
            model.add_scores(&drawn, &mut scores);
        }
        let mut order: Vec<usize> = (0..drawn.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        order.into_iter().take(count).for_each(|index| next.push(drawn.get(index)));
    }

    /// The pose that the belief comes to: the mean of the densest heap of samples, found from the best one.
    pub fn estimate(&self) -> Estimate {
        let mut centre = self.samples.get(self.best);
        let mut estimate = self.around_point(centre);
        // The best sample is only one: the heap around it has its own middle.
        for _ in 0..3 {
            centre = estimate.pose;
            estimate = self.around_point(centre);
        }
        estimate
    }

    fn around_point(&self, centre: Pose2) -> Estimate {
        let (mut count, mut x, mut y, mut turn, mut square) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for pose in self.samples.iter() {
            let (dx, dy) = (pose.x_m - centre.x_m, pose.y_m - centre.y_m);
            let off_rad = wrap_angle(pose.theta_rad - centre.theta_rad);
            let distance2 = dx * dx + dy * dy;
            if distance2 < CLUSTER.0 * CLUSTER.0 && off_rad.abs() < CLUSTER.1 {
                count += 1.0;
                x += dx;
                y += dy;
                turn += off_rad;
                square += distance2;
            }
        }
        if count == 0.0 {
            return Estimate { pose: centre, spread_m: f64::INFINITY, share: 0.0 };
        }
        let (x, y) = (x / count, y / count);
        let variance = (square / count - (x * x + y * y)).max(0.0);
        Estimate {
            pose: Pose2 {
                x_m: centre.x_m + x,
                y_m: centre.y_m + y,
                theta_rad: wrap_angle(centre.theta_rad + turn / count),
            },
            spread_m: variance.sqrt(),
            share: count / self.samples.len() as f64,
        }
    }
}

/// Of which sample each of `count` resampled ones is a copy, in order, for steps of equal length along the weights.
///
/// The first step is `start` of a step long. No branch depends on a weight, since none could be foretold.
fn parents(weights: &[f32], count: usize, start: f64) -> Vec<u32> {
    let steps_per_weight = count as f64 / weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
    // Where each one's copies begin; one without any is overwritten by the next.
    let mut parents = vec![0; count + 1];
    let (mut sum, mut begin) = (0.0, 0);
    for (parent, &weight) in (0..).zip(weights) {
        parents[begin] = parent;
        sum += f64::from(weight);
        // How many steps end within what was summed up; above zero, so that the cast rounds down.
        begin = ((sum * steps_per_weight - start + 1.0) as usize).min(count);
    }
    parents.truncate(count);
    let mut parent = 0;
    for own in &mut parents {
        parent = parent.max(*own);
        *own = parent;
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L3: everybody has as many copies as its weight says, rounded up or down, whatever the first step.
    #[test]
    fn copies_follow_weight() {
        let weights = [0.5, 0.0, 1.5, 1e-30, 0.25, 3.0, 0.0];
        for start in [0.0, 0.3, 0.999_999] {
            for count in [1, 7, 100] {
                let parents = parents(&weights, count, start);
                assert!(parents.len() == count && parents.is_sorted(), "{parents:?}");
                for (parent, weight) in (0..).zip(weights) {
                    let got = parents.iter().filter(|&&own| own == parent).count() as f64;
                    let expected = f64::from(weight) / 5.25 * count as f64;
                    assert!((got - expected).abs() <= 1.0, "{parent}: {got}, not {expected}");
                }
            }
        }
        assert_eq!(parents(&[1.0; 4], 4, 0.5), [0, 1, 2, 3]);
    }
}
