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
        match Short::of(value) {
            Some(short) => short.fmt(f),
            None => exactly(value, f),
        }
    }
}

/// The digits by way of the number's exact decimal form.
fn exactly(value: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// The six digits as one integer and the number of them behind the point: nearly all numbers of a game, at a tenth of the price.
struct Short {
    is_negative: bool,
    digits: u32,
    decimals: usize,
}

impl Short {
    /// `None` where multiplication could round to another digit than the exact decimal form does, and where an exponent is shown.
    fn of(value: f64) -> Option<Self> {
        const POWERS: [f64; 6] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5];
        let (is_negative, size) = (value.is_sign_negative(), value.abs());
        if size == 0.0 {
            return Some(Self { is_negative, digits: 0, decimals: 0 });
        }
        if !(0.1..999_999.0).contains(&size) {
            return None;
        }
        // Digits before the point; none for what is below 1.
        let before = POWERS.iter().take_while(|&&power| size >= power).count();
        let decimals = DIGITS as usize - before;
        let scaled = size * if decimals == 6 { 1e6 } else { POWERS[decimals] };
        let (whole, rest) = (libm::floor(scaled), scaled - libm::floor(scaled));
        if (rest - 0.5).abs() < 1e-6 {
            return None;
        }
        let digits = whole as u32 + u32::from(rest > 0.5);
        // Rounded up to one digit more.
        (digits < 1_000_000).then_some(Self { is_negative, digits, decimals })
    }

    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut digits, mut decimals) = (self.digits, self.decimals);
        while decimals > 0 && digits.is_multiple_of(10) {
            (digits, decimals) = (digits / 10, decimals - 1);
        }
        let mut text = [0_u8; 16];
        let mut start = text.len();
        let mut written = 0;
        while written <= decimals || digits > 0 {
            if written == decimals && decimals > 0 {
                start -= 1;
                text[start] = b'.';
            }
            start -= 1;
            text[start] = b'0' + (digits % 10) as u8;
            (digits, written) = (digits / 10, written + 1);
        }
        if self.is_negative {
            start -= 1;
            text[start] = b'-';
        }
        f.write_str(std::str::from_utf8(&text[start..]).unwrap_or_default())
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

    /// Both ways print the same digits, at the edges of tens too.
    #[test]
    fn the_short_way_prints_what_the_exact_one_does() {
        struct Exact(f64);
        impl std::fmt::Display for Exact {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                super::exactly(self.0, f)
            }
        }
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for power in -3..7 {
            let scale = 10f64.powi(power);
            for _ in 0..20_000 {
                let any = (next() - 0.5) * 2.0 * scale;
                let tenths = (any * 10.0).round() * 0.1;
                let half = (any * 1e5).trunc() / 1e5 + 0.000_005;
                for value in [any, tenths, half, scale, -scale] {
                    assert_eq!(printed(value), Exact(value).to_string(), "{value:?}");
                }
            }
        }
    }
}
