//! What a feature's integers say of the place, by its layout alone: points, ranges, directions, a pose. (L1, C7)

use crate::localisation::Seen;
use crate::localisation::table::{Part, SeenFeature, Slots};
use touchline_kit::data::{BallSighting, DataError, RobotSightings};
use touchline_plugin_api::geometry::{Pose2, sin_cos};
use touchline_plugin_api::layout::{Feature, Field, decode};

/// Of many ranges no more than these are kept: neighbours say the same.
const MOST_RANGES: usize = 12;

/// Usual features of things that move: they say nothing of the place, and no layout can tell.
const MOVING: [&str; 2] = [BallSighting::FEATURE, RobotSightings::FEATURE];

/// One field, where it stands among a feature's integers.
#[derive(Clone, Copy, Debug)]
struct Column {
    start: usize,
    len: usize,
    scale: f64,
    signed: bool,
}

impl Column {
    fn get(&self, quantised: &[u32], index: usize) -> f64 {
        let count = quantised.get(self.start + index).copied();
        count.map_or(f64::INFINITY, |count| decode(count, self.scale, self.signed))
    }
}

#[derive(Clone, Copy, Debug)]
enum Content {
    /// Distances and bearings, or, with `is_cartesian`, x and y. With a count: in any order, and no more than it says.
    Points { first: Column, second: Column, is_cartesian: bool, count: Option<Column> },
    /// Lengths; of a matrix the first of each row.
    Ranges { lengths: Column, columns: usize, stride: usize, slots: usize },
    /// Angles; a heading is the robot's own, all others are those of things.
    Directions { angles: Column, is_heading: bool },
    /// The robot in the world.
    Pose { x: Column, y: Column, theta: Column },
}

/// How a feature that can be learned is read.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    content: Content,
    len: usize,
}

impl Reader {
    /// What the layout says, which is tried in this order; `None` if it is of nothing that a place can be told by.
    ///
    /// - any quantity per second, or a colour, and the usual features of things that move: nothing;
    /// - an unsigned field in `m` and next to it a signed one in `rad` of the same shape: points by distance and bearing;
    /// - an unsigned field in `m`: ranges;
    /// - two signed scalars in `m` and one in `rad`: the robot's pose;
    /// - two signed fields in `m` of the same shape: points by x and y;
    /// - signed fields in `rad` and nothing else: directions, in the first of them; `heading` is the robot's own.
    ///
    /// Points with a scalar `count` are alike and in any order; without, the n-th is always the same thing.
    pub(super) fn of(feature: &Feature) -> Option<Self> {
        let moves = |field: &Field| field.unit.ends_with("/s") || field.unit == "rgb";
        if MOVING.contains(&feature.name.as_str()) || feature.fields.iter().any(moves) {
            return None;
        }
        let mut start = 0;
        let fields: Vec<(Column, &Field)> = feature
            .fields
            .iter()
            .map(|field| {
                let column = Column { start, len: field.len(), scale: field.scale, signed: field.signed };
                start += field.len();
                (column, field)
            })
            .collect();
        Some(Self { content: content(&fields)?, len: start })
    }

    /// Kind and number of the feature's slots, under this name.
    pub(super) fn seen_feature(&self, name: &str) -> SeenFeature {
        let (slots, kind) = match self.content {
            Content::Points { first, count: None, .. } => (first.len, Slots::Labelled),
            Content::Points { first, count: Some(_), .. } => (first.len, Slots::Alike),
            Content::Ranges { slots, .. } => (slots, Slots::Ranges),
            Content::Directions { angles, .. } => (angles.len, Slots::Directions),
            Content::Pose { .. } => {
                let part = |kind| Part { slots: 1, kind };
                return SeenFeature {
                    name: name.into(),
                    parts: vec![part(Slots::Labelled), part(Slots::Directions)],
                };
            }
        };
        SeenFeature::new(name, slots, kind)
    }

    /// Writes what is perceived into the slots: points in the robot's frame, of a sensor with this mounting pose; ranges;
    /// unit vectors. A slot of which nothing is seen is `None`.
    pub(super) fn read(
        &self,
        feature: &Feature,
        quantised: &[u32],
        mount: Pose2,
        seen: &mut [Option<Seen>],
    ) -> Result<(), DataError> {
        if quantised.len() != self.len {
            let feature = feature.name.clone();
            return Err(DataError::WrongLength { feature, got: quantised.len(), expected: self.len });
        }
        seen.fill(None);
        let finite = |[x, y]: [f64; 2]| (x.is_finite() && y.is_finite()).then_some([x, y]);
        match self.content {
            Content::Points { first, second, is_cartesian, count } => {
                // A count that is no number casts to none or to more than there is room for.
                let rows = count.map_or(first.len, |count| count.get(quantised, 0) as usize);
                for (row, seen) in seen.iter_mut().enumerate().take(rows.min(first.len)) {
                    let own = finite([first.get(quantised, row), second.get(quantised, row)]);
                    *seen = own.map(|[a, b]| {
                        let (sin, cos) = sin_cos(if is_cartesian { 0.0 } else { b });
                        let point = if is_cartesian { [a, b] } else { [a * cos, a * sin] };
                        Seen::at(mount.point_to_outer(point))
                    });
                }
            }
            Content::Ranges { lengths, columns, stride, .. } => {
                for (slot, seen) in seen.iter_mut().enumerate() {
                    let length_m = lengths.get(quantised, slot * stride * columns);
                    *seen = length_m.is_finite().then(|| Seen::range(length_m));
                }
            }
            Content::Directions { angles, is_heading } => {
                for (slot, seen) in seen.iter_mut().enumerate() {
                    let angle_rad = angles.get(quantised, slot);
                    let sign = if is_heading { -1.0 } else { 1.0 };
                    *seen =
                        angle_rad.is_finite().then(|| Seen::direction(mount.theta_rad + sign * angle_rad));
                }
            }
            Content::Pose { x, y, theta } => {
                let (place, theta_rad) =
                    ([x.get(quantised, 0), y.get(quantised, 0)], theta.get(quantised, 0));
                if let (Some([x_m, y_m]), true, [origin, x_axis]) =
                    (finite(place), theta_rad.is_finite(), seen)
                {
                    *origin = Some(Seen::at(Pose2 { x_m, y_m, theta_rad }.point_to_inner([0.0, 0.0])));
                    *x_axis = Some(Seen::direction(-theta_rad));
                }
            }
        }
        Ok(())
    }
}

fn content(fields: &[(Column, &Field)]) -> Option<Content> {
    let is = |at: usize, unit: &str, signed: bool| {
        fields
            .get(at)
            .is_some_and(|(_, field)| field.unit == unit && field.signed == signed && !field.is_empty())
    };
    let same_shape = |a: usize, b: usize| matches!((fields.get(a), fields.get(b)), (Some(a), Some(b)) if a.1.shape == b.1.shape);
    let count = fields.iter().find(|(_, field)| field.name == "count" && field.shape.is_empty());
    let count = count.map(|(column, _)| *column);
    let points = |at: usize, is_cartesian| Content::Points {
        first: fields[at].0,
        second: fields[at + 1].0,
        is_cartesian,
        count,
    };
    for at in 0..fields.len() {
        if is(at, "m", false) && is(at + 1, "rad", true) && same_shape(at, at + 1) {
            return Some(points(at, false));
        }
    }
    if let Some(at) = (0..fields.len()).find(|&at| is(at, "m", false)) {
        let (lengths, field) = fields[at];
        let rows = field.shape.first().map_or(1, |&rows| rows as usize);
        let stride = rows.div_ceil(MOST_RANGES).max(1);
        let slots = rows.div_ceil(stride);
        return Some(Content::Ranges { lengths, columns: lengths.len / rows.max(1), stride, slots });
    }
    let is_xy = |&at: &usize| is(at, "m", true) && is(at + 1, "m", true) && same_shape(at, at + 1);
    if let Some(at) = (0..fields.len()).find(is_xy) {
        let is_pose = is(at + 2, "rad", true) && same_shape(at, at + 2) && fields[at].1.shape.is_empty();
        return Some(match is_pose && count.is_none() {
            true => Content::Pose { x: fields[at].0, y: fields[at + 1].0, theta: fields[at + 2].0 },
            false => points(at, true),
        });
    }
    let (angles, first) = fields.first()?;
    let is_all_angles = (0..fields.len()).all(|at| is(at, "rad", true));
    is_all_angles.then_some(Content::Directions { angles: *angles, is_heading: first.name == "heading" })
}
