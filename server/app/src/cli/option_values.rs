//! Values of options, read from their text.

use serde_json::Value;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use touchline_gate::{Control, Speed};
use touchline_plugin_api::plugin::PluginKind;
use touchline_soccer::log::Version;

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("a time in seconds from 0 to 1e9".into()),
    }
}

/// A picture's size; films have an even number of pixels each way.
pub(super) fn picture_size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| {
        text.parse().ok().filter(|side: &u32| (64..=8192).contains(side) && side.is_multiple_of(2))
    };
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.ok_or("a width and a height, even numbers from 64 to 8192, such as 1920x1080".into())
}

/// A whole number; the parser of clap would say of `-5` that there is an invalid digit in it.
pub(super) fn whole<T: Copy + Display + FromStr + PartialOrd>(
    allowed: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| allowed.contains(number));
        number.ok_or_else(|| format!("a whole number from {} to {}", allowed.start(), allowed.end()))
    }
}

pub(super) fn steps(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a whole number of steps, 0 or more".into())
}

pub(super) fn game_log_version(text: &str) -> Result<Version, String> {
    let number = if text == "json" { Some(-1) } else { text.parse().ok().filter(|number: &i32| *number > 0) };
    number.and_then(Version::from_number).ok_or("a version from 1 to 6, or json".into())
}

pub(super) fn speed(text: &str) -> Result<Speed, String> {
    match text {
        "max" => Ok(Speed::Max),
        "lockstep" => Ok(Speed::Lockstep),
        _ => match text.parse::<f64>() {
            Ok(factor) if Control::SPEED_FACTORS.contains(&factor) => Ok(Speed::Factor(factor)),
            _ => Err("a factor from 0.001 to 1000, max, or lockstep".into()),
        },
    }
}

pub(super) fn replay_speed(text: &str) -> Result<Speed, String> {
    match text.strip_prefix('-') {
        Some(factor) => match speed(factor) {
            Ok(Speed::Factor(factor)) => Ok(Speed::Factor(-factor)),
            _ => Err("a factor from 0.001 to 1000, with a minus to run backwards, or max".into()),
        },
        None => speed(text).and_then(|speed| match speed {
            Speed::Lockstep => Err("a recording is gone through step by step by pausing it".into()),
            speed => Ok(speed),
        }),
    }
}

pub(super) fn plugin_kind(text: &str) -> Result<PluginKind, String> {
    let kinds = PluginKind::ALL.map(PluginKind::as_str).join(", ");
    PluginKind::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(format!("one of {kinds}"))
}

/// The seed of all randomness.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a whole number from 0 to {}", u64::MAX))
}

/// The parameters of a plugin.
pub(super) fn table(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => Ok(value),
        _ => Err("a table of parameters in JSON, such as '{\"skill\": 1}'".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_whole_numbers() {
        assert_eq!((seed("0"), seed("18446744073709551615")), (Ok(0), Ok(u64::MAX)));
        for wrong in ["-1", "1.5", "18446744073709551616", ""] {
            assert!(seed(wrong).unwrap_err().contains("from 0"), "{wrong}");
        }
    }

    #[test]
    fn speeds_are_read() {
        assert_eq!(speed("2.5"), Ok(Speed::Factor(2.5)));
        assert_eq!(speed("max"), Ok(Speed::Max));
        for wrong in ["0", "-1", "nan", "inf", "fast", "1e9"] {
            assert!(speed(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn whole_numbers_are_read() {
        assert_eq!((whole(1..=9u64)("9"), whole(0..=9usize)("0")), (Ok(9), Ok(0)));
        for wrong in ["-5", "0", "10", "1.5", "x"] {
            assert_eq!(whole(1..=9u64)(wrong).unwrap_err(), "a whole number from 1 to 9", "{wrong}");
        }
    }

    #[test]
    fn times_are_read() {
        assert_eq!((seconds("0"), seconds("1e3")), (Ok(0.0), Ok(1000.0)));
        for wrong in ["nan", "inf", "-1", "1e10", "1 s", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
