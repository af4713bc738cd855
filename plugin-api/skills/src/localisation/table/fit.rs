//! How well a look fits a pose, and how well looks do on average: whether a table is honest. (L1)

use super::calibration::{errors, gate_m};
use super::{PerceptionTable, Slots, pack};
use crate::localisation::Seen;
use crate::localisation::models::WORST;
use touchline_plugin_api::geometry::Pose2;

/// What is seen against what is expected at a pose, as parts of -2 ln p, each with its mean over all looks from that pose.
///
/// Over many looks from their true poses the sums of both are the same, for a table that is honest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Of where things are seen: the squares of the errors in standard deviations.
    pub deviance: f64,
    /// Its mean: the degrees of freedom, 2 for a point, 1 for a range or a direction.
    pub degrees: f64,
    /// Of what is seen and what is not.
    pub presence: f64,
    /// Expected value of `presence`.
    pub presence_mean: f64,
}

impl Fit {
    /// The probability of it, in (0, 1], against the likeliest there could be.
    pub fn probability(&self) -> f64 {
        libm::exp(-0.5 * (self.deviance + self.presence)).max(f64::MIN_POSITIVE)
    }
}

impl std::ops::AddAssign for Fit {
    fn add_assign(&mut self, other: Self) {
        self.deviance += other.deviance;
        self.degrees += other.degrees;
        self.presence += other.presence;
        self.presence_mean += other.presence_mean;
    }
}

impl PerceptionTable {
    /// How what is seen fits a pose, for each feature: one entry for each slot of all features. `None` outside of the grid.
    pub fn fit(&self, pose: Pose2, seen: &[Option<Seen>]) -> Option<Vec<Fit>> {
        let head = &self.head;
        let cell = head.grid.cell_of(pose)?;
        let from_middle = head.grid.pose(cell).relative(pose);
        let turn = Pose2 { x_m: 0.0, y_m: 0.0, ..from_middle };
        let mut own = self.expected.get(cell * self.slots..)?.iter();
        let (mut seen, mut parts) = (seen.iter(), head.calibrations.iter().zip(&head.units_m));
        let mut fits = Vec::with_capacity(head.features.len());
        for feature in &head.features {
            let mut fit = Fit::default();
            for part in &feature.parts {
                let (calibration, unit_m) = parts.next()?;
                let expected = own.by_ref().take(part.slots).map(|&thing| {
                    let point = pack::point(thing).map(|number| f64::from(number * unit_m));
                    let point = match part.kind {
                        Slots::Ranges => point,
                        Slots::Directions => turn.point_to_inner(point),
                        Slots::Labelled | Slots::Alike => from_middle.point_to_inner(point),
                    };
                    (point, pack::class(thing))
                });
                let expected: Vec<_> = expected.collect();
                let sighted: Vec<Option<Seen>> = seen
                    .by_ref()
                    .take(part.slots)
                    .copied()
                    .chain(std::iter::repeat(None))
                    .take(part.slots)
                    .collect();
                let most = -2.0 * f64::from(part.kind.worst());
                let squared = |seen: &Seen, point: [f64; 2]| {
                    let (errors, sigmas) =
                        (errors(part.kind, *seen, point), calibration.sigmas(seen.distance_m));
                    (0..2).map(|axis| square(errors[axis] / sigmas[axis])).sum::<f64>()
                };
                let unexpected = -2.0 * f64::from(WORST);
                for (slot, (point, class)) in expected.iter().enumerate() {
                    let presence = calibration.presence[*class];
                    let is_alike = part.kind == Slots::Alike;
                    if is_alike && *class == 0 {
                        continue;
                    }
                    let is_seen = match is_alike {
                        true => sighted.iter().flatten().any(|seen| squared(seen, *point) < most),
                        false => sighted[slot].is_some(),
                    };
                    let likelier = presence.max(1.0 - presence);
                    let mut of_seen = -2.0 * libm::log(presence / likelier);
                    let of_unseen = -2.0 * libm::log((1.0 - presence) / likelier);
                    if *class == 0 {
                        of_seen += unexpected;
                    }
                    fit.presence += if is_seen { of_seen } else { of_unseen };
                    fit.presence_mean += presence * of_seen + (1.0 - presence) * of_unseen;
                    if let (Some(seen), false, true) = (sighted[slot], is_alike, *class > 0) {
                        fit.deviance += squared(&seen, *point).min(most);
                        fit.degrees += part.kind.degrees();
                    }
                }
                if part.kind != Slots::Alike {
                    continue;
                }
                fit.presence_mean += calibration.surprises * unexpected;
                let things = || expected.iter().filter(|(_, class)| *class > 0).map(|(point, _)| *point);
                for seen in sighted.iter().flatten() {
                    let off_m =
                        |point: [f64; 2]| libm::hypot(point[0] - seen.point[0], point[1] - seen.point[1]);
                    let best = things().map(|point| squared(seen, point)).fold(most, f64::min);
                    if things().any(|point| off_m(point) <= gate_m(seen.distance_m)) {
                        fit.deviance += best;
                        fit.degrees += part.kind.degrees();
                    } else {
                        fit.presence += best;
                    }
                }
            }
            fits.push(fit);
        }
        Some(fits)
    }
}

fn square(x: f64) -> f64 {
    x * x
}
