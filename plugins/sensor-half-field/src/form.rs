//! The reading's form: a feature for the agent, one for each player that there may be, and one for what comes last.

use crate::Features;
use touchline_plugin_api::layout::{Feature, Field, Layout};
use touchline_soccer_law::face::TEAM_SIZE;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_team::half_field::{
    HIGH_LEVEL, INVALID, LOW_LEVEL, OF_PLAYER, Observed, Other, high_level, low_level,
};

/// Features lie between -2 and 1; numbers of players are whole.
const SCALE: f64 = 1e-6;
const MATES: usize = TEAM_SIZE - 1;

/// The layout, and how it is filled.
pub struct Form {
    pub features: Features,
    pub layout: Layout,
}

/// Of the features that are told.
pub fn form(features: Features) -> Form {
    let all = match features {
        Features::LowLevel => low_level_features(),
        Features::HighLevel => high_level_features(),
    };
    Form { features, layout: Layout { features: all } }
}

/// A feature of numbers without a unit.
fn feature(name: &str, fields: &[&str]) -> Feature {
    Feature::new(name, fields.iter().map(|field| Field::signed(field, "1", SCALE, &[])).collect())
}

/// The same for each of some players, nearest first: `mate-1`, `mate-2`, ...
fn each(count: usize, name: &str, fields: &[&str]) -> impl Iterator<Item = Feature> {
    (1..=count).map(move |number| feature(&format!("{name}-{number}"), fields))
}

fn low_level_features() -> Vec<Feature> {
    let mut features = vec![feature("self", &LOW_LEVEL)];
    features.extend(each(MATES, "mate", &OF_PLAYER));
    features.extend(each(TEAM_SIZE, "opponent", &OF_PLAYER));
    features.extend(each(MATES, "mate-unum", &["unum"]));
    features.extend(each(TEAM_SIZE, "opponent-unum", &["unum"]));
    features.push(feature("last", &["action_success_possible"]));
    features
}

fn high_level_features() -> Vec<Feature> {
    let place = ["x", "y", "unum"];
    let mut features = vec![feature("self", &HIGH_LEVEL)];
    features.extend(each(MATES, "mate-goal", &["goal_opening_angle"]));
    features.extend(each(MATES, "mate-opponent", &["proximity_to_opponent"]));
    features.extend(each(MATES, "mate-pass", &["pass_opening_angle"]));
    features.extend(each(MATES, "mate", &place));
    features.extend(each(TEAM_SIZE, "opponent", &place));
    features.push(feature("last", &["action_success_possible", "stamina"]));
    features
}

impl Form {
    /// All fields, one number each.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.layout.features.iter().flat_map(|feature| &feature.fields)
    }

    /// The numbers of all fields.
    pub fn numbers(&self, server: &ServerParams, observed: &Observed) -> Vec<f64> {
        match self.features {
            Features::LowLevel => low_level_numbers(server, observed),
            Features::HighLevel => high_level_numbers(server, observed),
        }
    }
}

/// As many rows as there may be: those that there are, then those of nobody.
fn padded<const N: usize>(rows: impl Iterator<Item = [f64; N]>, count: usize, nobody: f64) -> Vec<f64> {
    rows.chain(std::iter::repeat([nobody; N])).take(count).flatten().collect()
}

fn low_level_numbers(server: &ServerParams, observed: &Observed) -> Vec<f64> {
    let (first, mates, opponents) = low_level(server, observed);
    let unum = |other: &Other| [other.unum / 100.0];
    let last = if observed.own.had_success { 1.0 } else { -1.0 };
    [
        first.to_vec(),
        padded(mates.into_iter(), MATES, 0.0),
        padded(opponents.into_iter(), TEAM_SIZE, 0.0),
        padded(observed.mates.iter().map(unum), MATES, -1.0),
        padded(observed.opponents.iter().map(unum), TEAM_SIZE, -1.0),
        vec![last],
    ]
    .concat()
}

fn high_level_numbers(server: &ServerParams, observed: &Observed) -> Vec<f64> {
    let features = high_level(server, observed);
    let angle = |index: usize| features.mates.iter().map(move |(angles, _)| [angles[index]]);
    [
        features.first.to_vec(),
        padded(angle(0), MATES, INVALID),
        padded(angle(1), MATES, INVALID),
        padded(angle(2), MATES, INVALID),
        padded(features.mates.iter().map(|(_, place)| *place), MATES, INVALID),
        padded(features.opponents.iter().copied(), TEAM_SIZE, INVALID),
        features.last.to_vec(),
    ]
    .concat()
}
