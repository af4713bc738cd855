//! A column of a block: what one coordinate of one object was, tick for tick.
//!
//! What moves evenly changes by about the same from tick to tick, so the change of that difference is a small number; of what
//! stands it is 0, which takes no bits. The layout is described in the module above.

use super::bytes::{BlockError, Bytes};

/// Changes that share a width: so many fill whole bytes.
const GROUP: usize = 16;

/// Appends a column, which is not empty.
pub fn put(out: &mut Vec<u8>, column: &[i64]) {
    let Some(&first) = column.first() else { return };
    put_signed(out, first);
    let Some(&second) = column.get(1) else { return };
    put_signed(out, second.wrapping_sub(first));
    let (mut last, mut difference) = (second, second.wrapping_sub(first));
    for group in column[2..].chunks(GROUP) {
        let (mut changes, mut all) = ([0; GROUP], 0);
        for (change, &number) in changes.iter_mut().zip(group) {
            let next = number.wrapping_sub(last);
            *change = zigzag(next.wrapping_sub(difference));
            all |= *change;
            (last, difference) = (number, next);
        }
        put_bits(out, &changes, group.len(), u64::BITS - all.leading_zeros());
    }
}

/// The first so many of some numbers; those behind them are 0.
fn put_bits(out: &mut Vec<u8>, numbers: &[u64; GROUP], count: usize, width: u32) {
    out.push(width as u8);
    let length = (width as usize * count).div_ceil(8);
    let mut bytes = [0; GROUP * 8];
    match width {
        // Eight of them fill as many bytes as one has bits.
        0..=8 => {
            for (half, numbers) in numbers.chunks_exact(8).enumerate() {
                let place = numbers.iter().rev().fold(0_u64, |bits, number| bits << width | number);
                let from = half * width as usize;
                bytes[from..from + 8].copy_from_slice(&place.to_le_bytes());
            }
        }
        _ => {
            let (mut bits, mut filled, mut place) = (0_u128, 0, bytes.iter_mut());
            for &number in numbers {
                bits |= u128::from(number) << filled;
                filled += width;
                while filled >= 8 {
                    if let Some(byte) = place.next() {
                        *byte = bits as u8;
                    }
                    bits >>= 8;
                    filled -= 8;
                }
            }
        }
    }
    out.extend_from_slice(&bytes[..length]);
}

/// Shows the numbers of a column of so many.
pub fn read(bytes: &mut Bytes<'_>, count: usize, mut see: impl FnMut(i64)) -> Result<(), BlockError> {
    let mut last = bytes.signed()?;
    see(last);
    if count < 2 {
        return Ok(());
    }
    let mut difference = bytes.signed()?;
    last = last.wrapping_add(difference);
    see(last);
    let mut left = count - 2;
    while left > 0 {
        let here = left.min(GROUP);
        let width = u32::from(bytes.byte()?);
        if width > u64::BITS {
            return Err(bytes.bad("a number of more than 64 bits"));
        }
        let total = width as usize * here;
        let packed = bytes.some(total.div_ceil(8))?;
        let number = |index: usize| bits(packed, index * width as usize, width);
        for index in 0..here {
            difference = difference.wrapping_add(signed(number(index)));
            last = last.wrapping_add(difference);
            see(last);
        }
        if !total.is_multiple_of(8) && packed.last().is_some_and(|byte| byte >> (total % 8) != 0) {
            return Err(bytes.bad("bits behind the last number"));
        }
        left -= here;
    }
    Ok(())
}

/// So many bits from a place on.
fn bits(packed: &[u8], at: usize, width: u32) -> u64 {
    let mut window = [0; 16];
    let from = packed.get(at / 8..).unwrap_or_default();
    let length = from.len().min(window.len());
    window[..length].copy_from_slice(&from[..length]);
    let mask = if width == u64::BITS { u64::MAX } else { (1 << width) - 1 };
    (u128::from_le_bytes(window) >> (at % 8)) as u64 & mask
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// What [`zigzag`] has made.
pub fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Appends a number as a variable-length integer.
pub fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put_number(bytes, zigzag(number));
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(column: &[i64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, column);
        bytes
    }

    fn read_again(bytes: &[u8], count: usize) -> Result<Vec<i64>, BlockError> {
        let (mut bytes, mut column) = (Bytes::new(bytes), Vec::new());
        read(&mut bytes, count, |number| column.push(number))?;
        assert!(bytes.is_at_end());
        Ok(column)
    }

    proptest! {
        /// Any numbers come back, the largest and the smallest among them.
        #[test]
        fn columns_come_back(
            small in prop::collection::vec(-3_i64..3, 1..70),
            large in prop::collection::vec(any::<i64>(), 1..70),
            shift in 0..63_u32,
        ) {
            let shifted: Vec<i64> = large.iter().map(|number| number >> shift).collect();
            for column in [small, large, shifted] {
                prop_assert_eq!(read_again(&written(&column), column.len()).unwrap(), column);
            }
        }
    }

    #[test]
    fn what_stands_or_moves_evenly_takes_no_bits() {
        assert_eq!(written(&[7; 50]), [14, 0, 0, 0, 0]);
        let even: Vec<i64> = (0..50).map(|tick| 5 * tick).collect();
        assert_eq!(written(&even), [0, 10, 0, 0, 0]);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let wrong = |bytes: &[u8]| read_again(bytes, 3).unwrap_err().to_string();
        assert!(wrong(&[0, 0, 65]).contains("more than 64 bits"));
        assert!(wrong(&[0, 0, 3, 0b1000]).contains("behind the last number"));
        assert!(wrong(&[0, 0, 9, 0]).contains("ends too early"));
    }
}
