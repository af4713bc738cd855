//! Numbers as JSON, by hand: most of what a recording's text is.

/// Numbers have four places behind the point: these are to be looked at, and each digit costs space.
const UNITS: f64 = 1e4;
/// Beyond this a number of units is no longer exact.
const EXACT: f64 = 9e15;

pub fn comma(out: &mut Vec<u8>, index: usize) {
    if index > 0 {
        out.push(b',');
    }
}

/// A list of numbers to four places; see [`decimal`].
pub fn decimals(out: &mut Vec<u8>, numbers: &[f64]) {
    out.push(b'[');
    for (index, &number) in numbers.iter().enumerate() {
        comma(out, index);
        decimal(out, number);
    }
    out.push(b']');
}

/// A number to four places, without the zeros at its end; `null` if it is not finite.
pub fn decimal(out: &mut Vec<u8>, number: f64) {
    let units = number * UNITS;
    if units.is_nan() || units.abs() >= EXACT {
        out.extend_from_slice(serde_json::json!(number).to_string().as_bytes());
        return;
    }
    decimal_of(out, (units + 0.5_f64.copysign(units)) as i64);
}

/// A number of ten thousandths.
pub fn decimal_of(out: &mut Vec<u8>, units: i64) {
    if units < 0 {
        out.push(b'-');
    }
    let (whole, rest) = (units.unsigned_abs() / UNITS as u64, units.unsigned_abs() % UNITS as u64);
    integer(out, whole);
    places(out, rest);
}

/// What stands behind the point, of so many ten thousandths; nothing if there are none.
fn places(out: &mut Vec<u8>, rest: u64) {
    if rest == 0 {
        return;
    }
    let (high, low) = (rest / 100, rest % 100);
    let length = match (low, high) {
        (0, high) if high.is_multiple_of(10) => 1,
        (0, _) => 2,
        (low, _) if low.is_multiple_of(10) => 3,
        _ => 4,
    };
    let digit = |number: u64| b'0' + number as u8;
    // All of them, and those that say nothing taken away: to copy a fixed number of bytes is no call.
    out.extend_from_slice(&[b'.', digit(high / 10), digit(high % 10), digit(low / 10), digit(low % 10)]);
    out.truncate(out.len() - (4 - length));
}

/// The ranges of a scan, exact to `scale`, metres a unit; most are whole millimetres. JSON has no infinity, and a range is a number: too close
/// is 0, and nothing there -1, which tools do not draw.
pub fn ranges(out: &mut Vec<u8>, ranges_m: &[f64], scale: f64) {
    let in_millimetres = (scale * 1e3).round();
    let is_whole = in_millimetres >= 1.0 && (scale * 1e3 - in_millimetres).abs() < 1e-9;
    out.push(b'[');
    for (index, &range_m) in ranges_m.iter().enumerate() {
        comma(out, index);
        let millimetres = range_m * 1e3;
        if is_whole && (0.0..9_999.5).contains(&millimetres) {
            short(out, (millimetres + 0.5) as usize);
        } else if is_whole && millimetres.abs() < EXACT / 10.0 {
            decimal_of(out, (millimetres + 0.5_f64.copysign(millimetres)) as i64 * 10);
        } else if range_m == f64::NEG_INFINITY {
            out.push(b'0');
        } else if range_m.is_finite() {
            out.extend_from_slice(serde_json::json!((range_m * 1e9).round() / 1e9).to_string().as_bytes());
        } else {
            out.extend_from_slice(b"-1");
        }
    }
    out.push(b']');
}

/// So many thousandths, fewer than ten thousand: most ranges are such, and there are hundreds in a scan.
#[inline]
fn short(out: &mut Vec<u8>, thousandths: usize) {
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    let [a, b, c, surplus] = THOUSANDTHS[rest];
    out.extend_from_slice(&[b'0' + whole as u8, b'.', a, b, c]);
    out.truncate(out.len() - usize::from(surplus));
}

/// The digits of each number of thousandths, and how many characters behind the whole number say nothing.
static THOUSANDTHS: [[u8; 4]; 1000] = {
    let mut all = [[0; 4]; 1000];
    let mut rest = 0;
    while rest < 1000 {
        let digits = [(rest / 100) as u8, (rest / 10 % 10) as u8, (rest % 10) as u8];
        let surplus = match digits {
            [0, 0, 0] => 4,
            [_, 0, 0] => 2,
            [_, _, 0] => 1,
            _ => 0,
        };
        all[rest] = [b'0' + digits[0], b'0' + digits[1], b'0' + digits[2], surplus];
        rest += 1;
    }
    all
};

pub fn integer(out: &mut Vec<u8>, number: u64) {
    if number < 10 {
        out.push(b'0' + number as u8);
        return;
    }
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(number: f64) -> String {
        let mut out = Vec::new();
        decimal(&mut out, number);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.00004, "0"),
            (0.00005, "0.0001"),
            (-1.5, "-1.5"),
            (12.0, "12"),
            (0.9999, "0.9999"),
            (0.99996, "1"),
            (-10.0203, "-10.0203"),
            (f64::NAN, "null"),
            (f64::NEG_INFINITY, "null"),
        ] {
            assert_eq!(written(number), text, "{number}");
        }
    }

    proptest! {
        /// Each digit behind the point, and no more of them than are needed.
        #[test]
        fn ten_thousandths_are_as_numbers_are_written(units in -200_000_000..200_000_000_i64, range in 0..100_000_000_u32, near in 0..10_010_u32) {
            let mut out = Vec::new();
            decimal_of(&mut out, units);
            prop_assert_eq!(String::from_utf8(out).unwrap(), (units as f64 / UNITS).to_string());
            let mut out = Vec::new();
            ranges(&mut out, &[range, near].map(|range| f64::from(range) * 0.001), 0.001);
            let [range_m, near_m] = [range, near].map(|range| f64::from(range) / 1e3);
            prop_assert_eq!(String::from_utf8(out).unwrap(), format!("[{range_m},{near_m}]"));
            // Finer units than millimetres, and some that are no whole number of them.
            for scale in [1e-5, 2.5e-3] {
                let mut out = Vec::new();
                ranges(&mut out, &[f64::from(range) * scale], scale);
                let read: Vec<f64> = serde_json::from_slice(&out).unwrap();
                prop_assert_eq!((read[0] / scale).round() as u32, range);
            }
        }

        /// Any JSON reader finds the number, rounded.
        #[test]
        fn numbers_come_back(number in prop::num::f64::NORMAL | prop::num::f64::ZERO, small in -1e4..1e4_f64, whole in any::<u64>()) {
            for number in [number, small] {
                let read: f64 = serde_json::from_str(&written(number)).unwrap();
                let allowed = 0.51 / UNITS + number.abs() * f64::EPSILON;
                prop_assert!((read - number).abs() <= allowed, "{} {}", number, read);
            }
            let mut out = Vec::new();
            integer(&mut out, whole);
            prop_assert_eq!(String::from_utf8(out).unwrap(), whole.to_string());
        }
    }
}
