//! The reading's form: fields of fixed length, and where each lies.

use std::f64::consts::PI;
use touchline_plugin_api::layout::{Feature, Field, encode};
use touchline_plugin_api::plugin::SetupError;
use touchline_soccer_law::face::{CYCLE_SECS, TEAM_SIZE};
use touchline_soccer_law::sight::Sighting;

/// Name of the feature.
pub const FEATURE: &str = "see";
/// All other players.
const PLAYERS: u32 = 2 * TEAM_SIZE as u32 - 1;
/// One count of a direction: that server tells whole degrees.
const DEGREE_RAD: f64 = PI / 180.0;
const DISTANCE_M: f64 = 1e-3;
const CHANGE_M_S: f64 = 1e-3;
/// What is not there: `+inf` of a signed and of an unsigned field.
const NOTHING: [u32; 2] = [u32::MAX, i32::MAX as u32];

/// Fields and units. Directions are counter-clockwise from the neck line; their counts are whole degrees, and those of their changes tenths of a degree a cycle.
pub fn feature(landmarks: u32) -> Feature {
    let mut fields = Vec::new();
    for (name, count) in [("landmark", landmarks), ("line", 4), ("ball", 1), ("player", PLAYERS)] {
        let shape: &[u32] = if count == 1 { &[] } else { &[count] };
        let (distance, direction) = (format!("{name}_distance"), format!("{name}_direction"));
        fields.push(Field::unsigned(&distance, "m", DISTANCE_M, shape));
        fields.push(Field::signed(&direction, "rad", DEGREE_RAD, shape));
        if name != "line" {
            fields.push(Field::signed(&format!("{distance}_change"), "m/s", CHANGE_M_S, shape));
            fields.push(Field::signed(&format!("{direction}_change"), "rad/s", DEGREE_RAD, shape));
        }
    }
    fields.push(Field::signed("player_body_direction", "rad", DEGREE_RAD, &[PLAYERS]));
    for name in ["player_known", "player_team", "player_unum"] {
        fields.push(Field::unsigned(name, "1", 1.0, &[PLAYERS]));
    }
    Feature::new(FEATURE, fields)
}

/// Where a field begins, and whether it is signed.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    start: usize,
    len: usize,
    signed: bool,
}

/// Fields of one kind of things.
#[derive(Clone, Copy, Debug)]
pub struct Things {
    distance: Place,
    direction: Place,
    changes: Option<[Place; 2]>,
}

/// All fields.
#[derive(Clone, Debug)]
pub struct Rows {
    all: Vec<Place>,
    pub landmark: Things,
    pub line: Things,
    pub ball: Things,
    pub player: Things,
    pub body: Place,
    pub known: Place,
    pub team: Place,
    pub unum: Place,
}

impl Rows {
    /// Looks up all fields.
    ///
    /// # Errors
    /// When one is missing.
    pub fn of(feature: &Feature) -> Result<Self, SetupError> {
        let place = |name: &str| {
            let (start, field) =
                feature.field(name).ok_or_else(|| SetupError::new(format!("no field {name}")))?;
            Ok::<_, SetupError>(Place { start, len: field.len(), signed: field.signed })
        };
        let things = |name: &str| {
            let (distance, direction) = (format!("{name}_distance"), format!("{name}_direction"));
            let changes = [place(&format!("{distance}_change")), place(&format!("{direction}_change"))];
            let changes = match changes {
                [Ok(distance), Ok(direction)] => Some([distance, direction]),
                _ => None,
            };
            Ok::<_, SetupError>(Things {
                distance: place(&distance)?,
                direction: place(&direction)?,
                changes,
            })
        };
        let all = feature.fields.iter().map(|field| place(&field.name)).collect::<Result<_, _>>()?;
        Ok(Self {
            all,
            landmark: things("landmark")?,
            line: things("line")?,
            ball: things("ball")?,
            player: things("player")?,
            body: place("player_body_direction")?,
            known: place("player_known")?,
            team: place("player_team")?,
            unum: place("player_unum")?,
        })
    }

    /// Nothing is seen.
    pub fn clear(&self, quantised: &mut [u32]) {
        for place in &self.all {
            quantised[place.start..place.start + place.len].fill(NOTHING[usize::from(place.signed)]);
        }
        quantised[self.known.start..self.known.start + self.known.len].fill(0);
    }

    /// Writes a whole number.
    pub fn put_count(&self, quantised: &mut [u32], place: Place, row: usize, count: u32) {
        if row < place.len {
            quantised[place.start + row] = count;
        }
    }

    /// Writes an angle, radians clockwise, as whole degrees counter-clockwise.
    pub fn put_degrees(&self, quantised: &mut [u32], place: Place, row: usize, clockwise_rad: f64) {
        self.put_count(quantised, place, row, whole(-libm::rint(clockwise_rad.to_degrees())));
    }
}

impl Things {
    /// Writes what is seen of a thing, which is in the server's units.
    pub fn write(&self, rows: &Rows, quantised: &mut [u32], row: usize, sighting: &Sighting) {
        let distance_m = sighting.dist.unwrap_or(f64::INFINITY);
        rows.put_count(quantised, self.distance, row, encode(distance_m, DISTANCE_M, false));
        rows.put_degrees(quantised, self.direction, row, sighting.dir_rad);
        if let (Some([distance, direction]), Some([by_m, by_deg])) = (self.changes, sighting.change) {
            let by_m_s = by_m / CYCLE_SECS;
            rows.put_count(quantised, distance, row, encode(by_m_s, CHANGE_M_S, true));
            rows.put_count(quantised, direction, row, whole(-libm::rint(by_deg / CYCLE_SECS)));
        }
    }
}

/// A small whole number as a signed count.
fn whole(number: f64) -> u32 {
    number as i32 as u32
}
