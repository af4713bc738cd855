//! Two series of numbers laid side by side by their stamps: no files here, and nothing of how they are shown.
//!
//! Each message of A is paired with the nearest of B, if one is near enough. What differs is said of each field by itself.

use serde::Serialize;
use std::collections::HashMap;
use touchline_plugin_api::geometry::wrap_angle;

/// Stamps that differ by less than this are the same: what arithmetic leaves over, and no more, seconds.
const STAMP_ERROR_SECS: f64 = 1e-9;
/// One log that is so many times as long as the other, with messages so many times as far apart, is in milliseconds, or in something still smaller.
const OTHER_UNIT: f64 = 100.0;

/// Stamped numbers, in the order of their stamps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    stamps_secs: Vec<f64>,
    fields: Vec<Field>,
    places: HashMap<String, usize>,
}

/// One number of each message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its path, such as `pose.position.x`.
    pub name: String,
    /// A value for each stamp; not a number where a message has none.
    pub values: Vec<f64>,
}

/// Two series cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CompareError {
    /// Stamps do not go on.
    #[error(
        "message {message} is stamped {} s, and the one before it {} s: time runs backwards",
        micros(*.stamp_secs), micros(*.before_secs)
    )]
    Backwards {
        /// Its number, from 1.
        message: usize,
        /// Stamp of the message, seconds.
        stamp_secs: f64,
        /// Stamp of the message before it, seconds.
        before_secs: f64,
    },
    /// A stamp is no number.
    #[error("message {message} has no stamp that is a finite number")]
    NoStamp {
        /// Its number, from 1.
        message: usize,
    },
    /// A series has no messages.
    #[error("{0} has no messages")]
    Empty(Side),
    /// A series has no numbers.
    #[error("{0} has no field that is a number")]
    NoNumbers(Side),
    /// A field that was asked for is not there.
    #[error("{side} has no field {name}; there are: {known}")]
    NoField {
        /// The recording that lacks it.
        side: Side,
        /// Name of the field that was asked for.
        name: String,
        /// All fields, with commas between them.
        known: String,
    },
    /// No field is in both.
    #[error("no field is in both; A has {a}; B has {b}")]
    NothingInCommon {
        /// The fields of A, with commas between them.
        a: String,
        /// The fields of B, with commas between them.
        b: String,
    },
    /// One goes on so much more slowly than the other that they are hardly in one unit.
    #[error(
        "half the median period of the slower one is {} s, and {side} is {} s long: their stamps are not in one unit, or there is too little to compare",
        micros(*.threshold_secs), micros(*.length_secs)
    )]
    OtherUnit {
        /// The shorter one.
        side: Side,
        /// What would be the threshold.
        threshold_secs: f64,
        /// From its first stamp to its last.
        length_secs: f64,
    },
    /// One is so many times as long as the other, with messages so many times as far apart, that they are hardly in one unit.
    #[error(
        "A has a message every {} s for {} s, B one every {} s for {} s: both differ more than {OTHER_UNIT} times, as if their stamps were not in one unit",
        micros(.periods_secs[0]), micros(.lengths_secs[0]), micros(.periods_secs[1]), micros(.lengths_secs[1])
    )]
    OtherScale {
        /// Median period of A and of B.
        periods_secs: [f64; 2],
        /// From the first stamp to the last of A and of B.
        lengths_secs: [f64; 2],
    },
    /// No two messages are near enough to each other.
    #[error(
        "no message of A has one of B within {} s; A is from {} s to {} s, B from {} s to {} s",
        micros(*.threshold_secs), micros(.a_secs.0), micros(.a_secs.1), micros(.b_secs.0), micros(.b_secs.1)
    )]
    NoOverlap {
        /// How near they would have to be.
        threshold_secs: f64,
        /// First and last stamp of A.
        a_secs: (f64, f64),
        /// First and last stamp of B.
        b_secs: (f64, f64),
    },
}

/// Without the digits that arithmetic left over.
fn micros(secs: f64) -> f64 {
    (secs * 1e6).round() / 1e6
}

/// One of the two recordings that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first recording.
    A,
    /// The second recording.
    B,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

impl Series {
    /// Appends a message.
    ///
    /// # Errors
    /// When its stamp is no number, or lies before the last one.
    pub fn push(
        &mut self,
        stamp_secs: f64,
        values: impl IntoIterator<Item = (String, f64)>,
    ) -> Result<(), CompareError> {
        let before = self.stamps_secs.len();
        let message = before + 1;
        if !stamp_secs.is_finite() {
            return Err(CompareError::NoStamp { message });
        }
        if let Some(&before_secs) = self.stamps_secs.last()
            && stamp_secs < before_secs
        {
            return Err(CompareError::Backwards { message, stamp_secs, before_secs });
        }
        self.stamps_secs.push(stamp_secs);
        for (name, value) in values {
            let place = match self.places.get(&name) {
                Some(&place) => place,
                None => {
                    self.places.insert(name.clone(), self.fields.len());
                    self.fields.push(Field { name, values: vec![f64::NAN; before] });
                    self.fields.len() - 1
                }
            };
            if self.fields[place].values.len() == before {
                self.fields[place].values.push(value);
            }
        }
        for field in &mut self.fields {
            field.values.resize(message, f64::NAN);
        }
        Ok(())
    }

    /// The stamps, seconds.
    pub fn stamps_secs(&self) -> &[f64] {
        &self.stamps_secs
    }

    /// The fields, in the order in which they were first seen.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The field of a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(*self.places.get(name)?)
    }

    /// The first and the last stamp.
    pub fn range_secs(&self) -> Option<(f64, f64)> {
        Some((*self.stamps_secs.first()?, *self.stamps_secs.last()?))
    }

    /// The median of the times from one message to the next; `None` if there is but one.
    pub fn median_period_secs(&self) -> Option<f64> {
        let mut periods: Vec<f64> = self.stamps_secs.windows(2).map(|pair| pair[1] - pair[0]).collect();
        periods.sort_unstable_by(f64::total_cmp);
        quantile(&periods, 0.5)
    }

    /// Adds `by_secs` to all stamps.
    pub fn shift(&mut self, by_secs: f64) {
        self.stamps_secs.iter_mut().for_each(|stamp| *stamp += by_secs);
    }

    fn names(&self) -> String {
        self.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// A field of A and the one of B that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChoice {
    /// Name of the field in A.
    pub a: String,
    /// Name of the field in B.
    pub b: String,
}

impl std::str::FromStr for FieldChoice {
    type Err = String;

    /// `NAME`, or `NAME=NAME` if it is called something else in B.
    fn from_str(text: &str) -> Result<Self, String> {
        let (a, b) = text.split_once('=').unwrap_or((text, text));
        if a.is_empty() || b.is_empty() {
            return Err("a field's name, or its names in A and B: x_m=pose.position.x".into());
        }
        Ok(Self { a: a.into(), b: b.into() })
    }
}

/// What differs between two series.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How far apart the stamps of a pair may be.
    pub threshold_secs: f64,
    /// For each pair the index in A and in B.
    pub pairs: Vec<(usize, usize)>,
    /// Messages of A without a partner.
    pub unmatched_a: usize,
    /// Messages of B that are nobody's partner.
    pub unmatched_b: usize,
    /// What differs, field by field.
    pub fields: Vec<FieldDifference>,
}

/// What differs in one field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDifference {
    /// The field of both recordings.
    pub field: FieldChoice,
    /// Whether it is an angle: differences are then taken the short way round.
    pub is_angle: bool,
    /// For each pair B's value minus A's; not a number where one of them has none.
    pub differences: Vec<f64>,
    /// The numbers of it; `None` if there is no pair with both values.
    pub statistics: Option<Statistics>,
}

/// Numbers of |B − A|, in the field's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// How many pairs have both values.
    pub pairs: usize,
    /// Half of the differences are smaller.
    pub median: f64,
    /// 90 % of them are smaller.
    pub p90: f64,
    /// Root of the mean square.
    pub rms: f64,
    /// The largest difference, in the field's unit.
    pub max: f64,
    /// A's stamp of the first that is largest, seconds.
    pub max_at_secs: f64,
}

/// Lays two series side by side.
///
/// `threshold_secs` is by default half the median period of the slower one, if both may be in one unit. Without `fields` all that both have are compared.
///
/// # Errors
/// When there is nothing to compare.
pub fn compare(
    a: &Series,
    b: &Series,
    threshold_secs: Option<f64>,
    fields: &[FieldChoice],
) -> Result<Comparison, CompareError> {
    let a_secs = a.range_secs().ok_or(CompareError::Empty(Side::A))?;
    let b_secs = b.range_secs().ok_or(CompareError::Empty(Side::B))?;
    let fields = choose(a, b, fields)?;
    let threshold_secs = threshold_secs.map_or_else(|| threshold(a, b), Ok)?;
    let pairs = pair(&a.stamps_secs, &b.stamps_secs, threshold_secs);
    if pairs.is_empty() {
        return Err(CompareError::NoOverlap { threshold_secs, a_secs, b_secs });
    }
    let mut partners: Vec<usize> = pairs.iter().map(|&(_, b)| b).collect();
    // They only go up, so that those that are the same stand together.
    partners.dedup();
    let fields = fields.into_iter().map(|field| difference(a, b, &pairs, field)).collect();
    Ok(Comparison {
        threshold_secs,
        unmatched_a: a.stamps_secs.len() - pairs.len(),
        unmatched_b: b.stamps_secs.len() - partners.len(),
        pairs,
        fields,
    })
}

/// Half the median period of the slower one.
fn threshold(a: &Series, b: &Series) -> Result<f64, CompareError> {
    let periods_secs = [a, b].map(|series| series.median_period_secs().unwrap_or(0.0));
    let lengths_secs = [a, b].map(|series| series.range_secs().map_or(0.0, |(first, last)| last - first));
    let threshold_secs = periods_secs[0].max(periods_secs[1]) / 2.0;
    let side = if lengths_secs[0] <= lengths_secs[1] { Side::A } else { Side::B };
    let length_secs = lengths_secs[side as usize];
    // Of a single message, and of some of one moment, nothing is known.
    let are_known = |secs: [f64; 2]| secs.iter().all(|secs| *secs > 0.0);
    if !are_known(lengths_secs) {
        return Ok(threshold_secs);
    }
    if threshold_secs > length_secs {
        return Err(CompareError::OtherUnit { side, threshold_secs, length_secs });
    }
    let differ = |[a, b]: [f64; 2]| a.max(b) > OTHER_UNIT * a.min(b);
    if are_known(periods_secs) && differ(periods_secs) && differ(lengths_secs) {
        return Err(CompareError::OtherScale { periods_secs, lengths_secs });
    }
    Ok(threshold_secs)
}

fn choose(a: &Series, b: &Series, wanted: &[FieldChoice]) -> Result<Vec<FieldChoice>, CompareError> {
    for (side, series) in [(Side::A, a), (Side::B, b)] {
        if series.fields.is_empty() {
            return Err(CompareError::NoNumbers(side));
        }
        for choice in wanted {
            let name = if side == Side::A { &choice.a } else { &choice.b };
            if series.field(name).is_none() {
                return Err(CompareError::NoField { side, name: name.clone(), known: series.names() });
            }
        }
    }
    if !wanted.is_empty() {
        return Ok(wanted.to_vec());
    }
    let both = a.fields.iter().filter(|field| b.field(&field.name).is_some());
    let both: Vec<_> =
        both.map(|field| FieldChoice { a: field.name.clone(), b: field.name.clone() }).collect();
    if both.is_empty() {
        return Err(CompareError::NothingInCommon { a: a.names(), b: b.names() });
    }
    Ok(both)
}

/// The nearest of B for each of A; of two that are equally near the earlier.
fn pair(a: &[f64], b: &[f64], threshold_secs: f64) -> Vec<(usize, usize)> {
    let mut nearest = 0;
    let mut pairs = Vec::new();
    for (index, stamp) in a.iter().enumerate() {
        let distance = |place: usize| (b[place] - stamp).abs();
        // Among stamps that are the same the search must not stand still, so it looks for the first behind.
        let behind = nearest + b[nearest..].partition_point(|other| other < stamp);
        nearest = match behind {
            0 => 0,
            _ if behind == b.len() => behind - 1,
            _ if distance(behind) < distance(behind - 1) - STAMP_ERROR_SECS => behind,
            _ => behind - 1,
        };
        if distance(nearest) <= threshold_secs + STAMP_ERROR_SECS {
            pairs.push((index, nearest));
        }
    }
    pairs
}

fn difference(a: &Series, b: &Series, pairs: &[(usize, usize)], field: FieldChoice) -> FieldDifference {
    let is_angle = is_angle(&field.a) && is_angle(&field.b);
    let (of_a, of_b) = (a.field(&field.a), b.field(&field.b));
    let value = |field: Option<&Field>, index: usize| field.map_or(f64::NAN, |field| field.values[index]);
    let between = |&(at, other): &(usize, usize)| {
        let difference = value(of_b, other) - value(of_a, at);
        if is_angle && difference.is_finite() { wrap_angle(difference) } else { difference }
    };
    let differences: Vec<f64> = pairs.iter().map(between).collect();
    let statistics = statistics(&differences, |pair| a.stamps_secs[pairs[pair].0]);
    FieldDifference { field, is_angle, differences, statistics }
}

/// Whether a field is an angle, as its name says.
fn is_angle(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last.ends_with("_rad") || matches!(last, "theta" | "yaw" | "heading")
}

fn statistics(differences: &[f64], stamp_secs: impl Fn(usize) -> f64) -> Option<Statistics> {
    let known = || differences.iter().enumerate().filter(|(_, difference)| difference.is_finite());
    let mut sorted: Vec<f64> = known().map(|(_, difference)| difference.abs()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let max = *sorted.last()?;
    let (at, _) = known().find(|(_, difference)| difference.abs() == max)?;
    let squares: f64 = sorted.iter().map(|difference| difference * difference).sum();
    Some(Statistics {
        pairs: sorted.len(),
        median: quantile(&sorted, 0.5)?,
        p90: quantile(&sorted, 0.9)?,
        rms: (squares / sorted.len() as f64).sqrt(),
        max,
        max_at_secs: stamp_secs(at),
    })
}

/// A quantile of sorted numbers; between two of them by a straight line.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let place = part * sorted.len().checked_sub(1)? as f64;
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(sorted.len() - 1)]);
    Some(low + (high - low) * (place - below as f64))
}
