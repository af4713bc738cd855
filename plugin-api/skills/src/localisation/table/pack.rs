//! What is expected of one thing at one place, in four bytes: 14 bits for each coordinate, 4 for how often it was seen.

/// The greatest coordinate, in units.
pub(super) const MOST: f32 = 8191.0;

/// The cast keeps to the numbers that there are.
pub(super) fn pack(point: [f32; 2], class: u8) -> u32 {
    let bits = |number: f32| (number.round().clamp(-MOST, MOST) as i32 as u32) & 0x3fff;
    bits(point[0]) | bits(point[1]) << 14 | u32::from(class) << 28
}

/// The coordinates, in units.
#[inline(always)]
pub(super) fn point(packed: u32) -> [f32; 2] {
    let signed = |high: u32| (high as i32 >> 18) as f32;
    [signed(packed << 18), signed(packed << 4)]
}

/// The upper four bits: the class of how often the thing was seen.
#[inline(always)]
pub(super) fn class(packed: u32) -> usize {
    (packed >> 28) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out() {
        for x in [-8191.0, -1.0, 0.0, 0.4, 17.0, 8191.0] {
            for class_in in 0..16 {
                let packed = pack([x, -x], class_in);
                assert_eq!((point(packed), class(packed)), ([x.round(), -x.round()], usize::from(class_in)));
            }
        }
        assert_eq!(point(pack([1e9, -1e9], 3)), [8191.0, -8191.0]);
    }
}
