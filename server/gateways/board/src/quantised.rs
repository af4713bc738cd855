//! Sensor integers as decimal text: the board's hot path.
//!
//! A sensor is formatted once for each step and the bytes are shared by all who ask ([`FormattedSensor`]). Four
//! digits are written at a time from a table; `benches/format.rs` compares.

use std::ops::Range;
use touchline_plugin_api::layout::Layout;

/// The four digits of each number below 10 000, the first digit in the lowest byte.
static DIGITS: [u32; 10_000] = {
    let mut table = [0; 10_000];
    let mut n = 0;
    while n < 10_000 {
        let digits = [n / 1000, n / 100 % 10, n / 10 % 10, n % 10];
        let mut i = 0;
        while i < 4 {
            table[n as usize] |= (digits[i] + b'0' as u32) << (8 * i);
            i += 1;
        }
        n += 1;
    }
    table
};

/// A blank, ten digits, and room for writing four bytes at a time.
const MOST_BYTES: usize = 12;

/// Appends each integer as a blank and decimal digits.
pub fn format_quantised(quantised: &[u32], out: &mut Vec<u8>) {
    let mut at = out.len();
    out.resize(at + quantised.len() * MOST_BYTES + 4, 0);
    for &count in quantised {
        out[at] = b' ';
        at += 1;
        let (high, low) = (count / 10_000, count % 10_000);
        if high == 0 {
            at = put_leading(out, at, low);
        } else {
            let (top, middle) = (high / 10_000, high % 10_000);
            if top == 0 {
                at = put_leading(out, at, middle);
            } else {
                at = put_leading(out, at, top);
                at = put_four(out, at, middle);
            }
            at = put_four(out, at, low);
        }
    }
    out.truncate(at);
}

fn put_four(out: &mut [u8], at: usize, n: u32) -> usize {
    out[at..at + 4].copy_from_slice(&DIGITS[n as usize].to_le_bytes());
    at + 4
}

/// Writes a number below 10 000 without leading zeros; gives the position behind it.
fn put_leading(out: &mut [u8], at: usize, n: u32) -> usize {
    let zeros = u32::from(n < 1000) + u32::from(n < 100) + u32::from(n < 10);
    out[at..at + 4].copy_from_slice(&(DIGITS[n as usize] >> (8 * zeros)).to_le_bytes());
    at + 4 - zeros as usize
}

/// A text is not a row of integers below 2^32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at} of the row of integers is no part of an integer below 2^32")]
pub struct ParseQuantisedError {
    /// The first byte that is none of an integer, from 0.
    pub at: usize,
}

/// Appends the integers of a text written by [`format_quantised`].
///
/// # Errors
/// When there is anything but blanks and integers below 2^32; then `quantised` holds those before.
pub fn parse_quantised(text: &[u8], quantised: &mut Vec<u32>) -> Result<(), ParseQuantisedError> {
    let mut at = 0;
    loop {
        while text.get(at) == Some(&b' ') {
            at += 1;
        }
        if at == text.len() {
            return Ok(());
        }
        let start = at;
        let mut n: u64 = 0;
        while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
            n = n * 10 + u64::from(digit);
            if n > u64::from(u32::MAX) {
                return Err(ParseQuantisedError { at });
            }
            at += 1;
        }
        if at == start || text.get(at).is_some_and(|&byte| byte != b' ') {
            return Err(ParseQuantisedError { at });
        }
        quantised.push(n as u32);
    }
}

/// One sensor at one step as text, to be sent to any number of clients.
#[derive(Clone, Debug, Default)]
pub struct FormattedSensor {
    bytes: Vec<u8>,
    /// For each feature: its bytes, and how many integers they are.
    features: Vec<(Range<usize>, usize)>,
    len: usize,
}

impl FormattedSensor {
    /// Formats a sensor's integers, which must be as many as the layout says; what is missing is left out.
    pub fn new(layout: &Layout, quantised: &[u32]) -> Self {
        let mut bytes = Vec::with_capacity(quantised.len() * MOST_BYTES + 4);
        let mut rest = quantised;
        let mut features = Vec::with_capacity(layout.features.len());
        for feature in &layout.features {
            let (these, after) = rest.split_at(feature.len().min(rest.len()));
            let start = bytes.len();
            format_quantised(these, &mut bytes);
            features.push((start..bytes.len(), these.len()));
            rest = after;
        }
        Self { bytes, features, len: quantised.len() - rest.len() }
    }

    /// All integers: how many, and their text.
    pub fn all(&self) -> (usize, &[u8]) {
        (self.len, &self.bytes)
    }

    /// One feature's integers: how many, and their text; `None` if there is no such feature.
    pub fn feature(&self, feature: usize) -> Option<(usize, &[u8])> {
        let (range, len) = self.features.get(feature)?;
        Some((*len, &self.bytes[range.clone()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use touchline_plugin_api::layout::{Feature, Field};

    fn by_std(quantised: &[u32]) -> String {
        quantised.iter().map(|count| format!(" {count}")).collect()
    }

    fn formatted(quantised: &[u32]) -> String {
        let mut out = Vec::new();
        format_quantised(quantised, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_number_of_digits() {
        let mut quantised = vec![0, u32::MAX, u32::MAX - 1];
        for power in 0..10 {
            let n = 10u32.pow(power);
            quantised.extend([n - 1, n, n + 1, n.saturating_mul(4)]);
        }
        assert_eq!(formatted(&quantised), by_std(&quantised));
    }

    #[test]
    fn foreign_text_is_refused() {
        for text in ["1 x", "4294967296", "-1", "1,2", "1\n", "99999999999999999999999"] {
            assert!(parse_quantised(text.as_bytes(), &mut Vec::new()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_sensor_is_formatted_once_for_all_its_features() {
        let layout = Layout {
            features: vec![
                Feature::new("a", vec![Field::unsigned("n", "1", 1.0, &[2])]),
                Feature::new("b", vec![Field::unsigned("n", "1", 1.0, &[])]),
            ],
        };
        let sensor = FormattedSensor::new(&layout, &[1, 20, 300]);
        assert_eq!(sensor.all(), (3, &b" 1 20 300"[..]));
        assert_eq!(sensor.feature(1), Some((1, &b" 300"[..])));
        assert_eq!(sensor.feature(2), None);
        assert_eq!(FormattedSensor::new(&layout, &[7]).all(), (1, &b" 7"[..]));
    }

    proptest! {
        #[test]
        fn counts_are_written_as_std_does_and_come_back(quantised in prop::collection::vec(any::<u32>(), 0..50)) {
            let text = formatted(&quantised);
            prop_assert_eq!(&text, &by_std(&quantised));
            let mut read = Vec::new();
            parse_quantised(text.as_bytes(), &mut read).unwrap();
            prop_assert_eq!(read, quantised);
        }
    }
}
