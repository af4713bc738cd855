//! Numbers as the server prints them: six significant digits, as a C++ stream does by default.

use std::fmt;

const DIGITS: i32 = 6;

/// Prints a number as `printf("%g")` does: `0.1`, `-37`, `1e+06`, `-0`; what is not finite as `inf`, `-inf`, `nan`.
#[derive(Clone, Copy, Debug)]
pub struct General(pub f64);

impl fmt::Display for General {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if !value.is_finite() {
            return f.write_str(if value.is_nan() {
                "nan"
            } else if value > 0.0 {
                "inf"
            } else {
                "-inf"
            });
        }
        // The exponent after rounding to the digits that are shown.
        let scientific = format!("{value:.*e}", (DIGITS - 1) as usize);
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        if (-4..DIGITS).contains(&exponent) {
            let fixed = format!("{value:.*}", (DIGITS - 1 - exponent) as usize);
            return f.write_str(without_zeros(&fixed));
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(f, "{}e{sign}{:02}", without_zeros(mantissa), exponent.abs())
    }
}

/// Without the zeros at the end of a fraction, and without a point that nothing follows.
fn without_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::General;

    fn printed(value: f64) -> String {
        General(value).to_string()
    }

    /// What C's `printf("%g")` printed of the same values.
    #[test]
    fn numbers_are_printed_as_c_prints_them() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (8000.0, "8000"),
            (130600.0, "130600"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.943149, "0.943149"),
            (-171.682, "-171.682"),
            (0.0001, "0.0001"),
            (0.00001234567, "1.23457e-05"),
            (100000.5, "100000"),
            (0.1 + 0.2, "0.3"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
        ];
        for (value, expected) in cases {
            assert_eq!(printed(value), expected, "{value:?}");
        }
    }
}
