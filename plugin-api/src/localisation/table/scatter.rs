//! How much single sightings scatter: the Gaussian sensor table. (L2)

use crate::localisation::SightingNoise;
use serde::{Deserialize, Serialize};

/// How single sightings scatter, by distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Scatter {
    /// For each metre: how many, and the sums of the squares along and across the line of sight (there as angles).
    bins: Vec<(f64, f64, f64)>,
}

impl Scatter {
    pub(super) fn add(&mut self, distance_m: f64, along_m: f64, across_rad: f64) {
        let bin = (distance_m as usize).min(63);
        if self.bins.len() <= bin {
            self.bins.resize(bin + 1, (0.0, 0.0, 0.0));
        }
        let (count, along, across) = &mut self.bins[bin];
        *count += 1.0;
        *along += along_m * along_m;
        *across += across_rad * across_rad;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        if self.bins.len() < other.bins.len() {
            self.bins.resize(other.bins.len(), (0.0, 0.0, 0.0));
        }
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin = (bin.0 + more.0, bin.1 + more.1, bin.2 + more.2);
        }
    }

    /// The deviations at a distance; where little was seen, those of the nearest bin that has something.
    pub(super) fn noise(&self, distance_m: f64) -> SightingNoise {
        let wanted = distance_m as usize;
        let known = self.bins.iter().enumerate().filter(|(_, bin)| bin.0 >= 10.0);
        let nearest = known.min_by_key(|(index, _)| index.abs_diff(wanted));
        let (along_m, across_rad) = nearest.map_or((0.1, 0.05), |(_, (count, along, across))| {
            ((along / count).sqrt(), (across / count).sqrt())
        });
        SightingNoise {
            // Perfect sensors still have cells and rounding between them and the truth.
            sigma_bearing_rad: across_rad.max(0.005),
            sigma_distance_relative: 0.0,
            sigma_distance_m: along_m.max(0.01),
        }
    }
}
