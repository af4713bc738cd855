//! Randomness that is given, not fetched: it does not depend on who else draws, or how often anybody reads.
//!
//! A [`NoiseKey`] names one stream: it is made from the run's seed, the owner's full name and the step. Asking
//! a sensor twice for the same step draws the same numbers twice, and adding a robot changes nobody else's.
//!
//! # Reference
//! PCG XSL 128/64 (MCG): M. E. O'Neill, *PCG: A Family of Simple Fast Space-Efficient Statistically Good
//! Algorithms for Random Number Generation*, 2014. Keys are mixed by SplitMix64 (G. Steele et al., 2014).
//! Normal numbers are the inverse of their distribution function, by P. J. Acklam's rational approximation (2003):
//! one draw each and no table, with libm's logarithm in the tails, so they are the same on every platform.

use bytemuck::{Pod, Zeroable};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// The name of one stream of random numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable, abi_stable::StableAbi)]
pub struct NoiseKey {
    /// Which owner: a hash of the seed and the owner's full name.
    pub owner: u64,
    /// Which step of the simulation.
    pub step: u64,
}

/// Who draws, in whatever run: the hash of a full name such as `"blue-1/sensor/laser"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoiseOwner(u64);

impl NoiseOwner {
    /// The owner of this name.
    pub fn new(name: &str) -> Self {
        // FNV-1a: short, fixed for ever, and not a secret.
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

/// A run's seed, ready to be mixed with its owners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoiseSeed(u64);

impl NoiseSeed {
    /// The seed of a run.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// The owner's stream in this run and step.
    #[inline]
    pub fn key(self, owner: NoiseOwner, step: u64) -> NoiseKey {
        NoiseKey { owner: mix(self.0.wrapping_add(owner.0)), step }
    }
}

impl NoiseKey {
    /// Names the stream of `owner` (such as `"blue-1/sensor/laser"`) in the run with this seed.
    pub fn for_owner(seed: u64, owner: &str) -> Self {
        NoiseSeed::new(seed).key(NoiseOwner::new(owner), 0)
    }

    /// The same owner's stream in another step.
    #[inline]
    pub fn at_step(self, step: u64) -> Self {
        Self { step, ..self }
    }

    /// A further, independent stream of the same owner and step.
    #[inline]
    pub fn split(self, index: u64) -> Self {
        Self { owner: mix(self.owner ^ mix(index.wrapping_add(1))), ..self }
    }

    /// Opens the stream at its beginning.
    #[inline]
    pub fn stream(self) -> Noise {
        let high = mix(self.owner ^ mix(self.step));
        let low = mix(high ^ self.owner.rotate_left(32));
        Noise(Pcg64Mcg::new((u128::from(high) << 64) | u128::from(low)))
    }
}

/// One open stream of random numbers.
#[derive(Clone, Debug)]
pub struct Noise(Pcg64Mcg);

impl Noise {
    /// Draws from the normal distribution with mean 0 and this standard deviation; exactly 0 for `sigma = 0`.
    #[inline]
    pub fn gaussian(&mut self, sigma: f64) -> f64 {
        if sigma == 0.0 {
            return 0.0;
        }
        // The middles of 2^51 equal parts of (-1/2, 1/2), by way of the numbers from 1 to 2: there is no rounding.
        let bits = self.0.next_u64() >> 12 | 1 | 1.0f64.to_bits();
        sigma * standard_normal(f64::from_bits(bits) - 1.5)
    }

    /// Two independent draws of [`Noise::gaussian`] for less than the price of both; none if both deviations are 0.
    ///
    /// They share one number of the generator, 32 bits each, so neither lies beyond 6.3 deviations.
    #[inline]
    pub fn gaussian_pair(&mut self, sigmas: [f64; 2]) -> [f64; 2] {
        let mut errors = [0.0; 2];
        if sigmas != [0.0; 2] {
            let bits = self.0.next_u64();
            // The middles of 2^31 equal parts of (-1/2, 1/2).
            let middle = |half: u64| f64::from_bits(half << 20 | 1 << 19 | 1.0f64.to_bits()) - 1.5;
            scaled_normals([middle(bits >> 32), middle(bits & 0xffff_ffff)], sigmas, &mut errors);
        }
        errors
    }

    /// Fills a row with draws from the normal distribution with mean 0 and standard deviation 1, in single precision: for
    /// sets of samples, where thousands are drawn at a time.
    ///
    /// 23 bits each, so none lies beyond 5.3 deviations.
    pub fn fill_normal(&mut self, row: &mut [f32]) {
        for pair in row.chunks_mut(2) {
            let bits = self.0.next_u64();
            // The middles of 2^23 equal parts of (-1, 1), by way of the numbers from 1 to 2.
            let middle =
                |half: u32| 2.0 * (f32::from_bits(half >> 9 | 1.0f32.to_bits()) - 1.5) + 1.0 / 8_388_608.0;
            pair[0] = middle(bits as u32);
            if let Some(second) = pair.get_mut(1) {
                *second = middle((bits >> 32) as u32);
            }
        }
        for value in row {
            *value = row_normal(*value);
        }
    }

    /// Draws uniformly from `[low, high)`.
    #[inline]
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        // 53 random bits: every multiple of 2^-53 in [0, 1) is equally likely.
        let unit = (self.0.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0);
        low + (high - low) * unit
    }

    /// Says yes with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform(0.0, 1.0) < probability
    }
}

/// [`standard_normal`] of both, times the deviations. Called, not inlined: so the compiler works on both side by side.
#[inline(never)]
fn scaled_normals([a, b]: [f64; 2], sigmas: [f64; 2], out: &mut [f64; 2]) {
    *out = if a.abs().max(b.abs()) > CENTRE {
        [sigmas[0] * standard_normal(a), sigmas[1] * standard_normal(b)]
    } else {
        [sigmas[0] * normal_centre(a), sigmas[1] * normal_centre(b)]
    };
}

/// Up to here, from the middle, the probability is that of [`normal_centre`].
const CENTRE: f64 = 0.475_75;

/// The value below which a standard normal number lies with the probability `1/2 + q`; the relative error is 1.2e-9.
#[inline]
fn standard_normal(q: f64) -> f64 {
    if q.abs() > CENTRE { normal_tail(q) } else { normal_centre(q) }
}

/// [`standard_normal`] for all but the outer twentieth.
#[inline]
fn normal_centre(q: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    let r = q * q;
    // Neighbouring terms in pairs, so that the processor can work on them side by side.
    let r2 = r * r;
    let above = ((A[0] * r + A[1]) * r2 + (A[2] * r + A[3])) * r2 + (A[4] * r + A[5]);
    let below = ((B[0] * r + B[1]) * r2 + (B[2] * r + B[3])) * r2 + (B[4] * r + 1.0);
    q * above / below
}

/// [`standard_normal`] for the outer twentieth.
#[cold]
fn normal_tail(q: f64) -> f64 {
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] =
        [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416];
    let r = (-2.0 * libm::log(0.5 - q.abs())).sqrt();
    let above = ((((C[0] * r + C[1]) * r + C[2]) * r + C[3]) * r + C[4]) * r + C[5];
    let below = (((D[0] * r + D[1]) * r + D[2]) * r + D[3]) * r + 1.0;
    (-above / below).copysign(q)
}

/// The value below which a standard normal number lies with the probability `(1 + u) / 2`, within 1e-5: M. Giles,
/// *Approximating the erfinv function*, 2010, single precision. Both of its branches and no table, so that a row of them
/// is worked on side by side.
#[inline(always)]
fn row_normal(u: f32) -> f32 {
    let series = |c: &[f32; 9], w: f32| c.iter().fold(0.0, |sum, &coefficient| sum * w + coefficient);
    const CENTRE: [f32; 9] = [
        2.810_226_4e-8,
        3.432_739_4e-7,
        -3.523_387_7e-6,
        -4.391_506_5e-6,
        2.185_808_7e-4,
        -1.253_725e-3,
        -4.177_681_7e-3,
        2.466_407_3e-1,
        1.501_409_4,
    ];
    const TAIL: [f32; 9] = [
        -2.002_142_6e-4,
        1.009_505_6e-4,
        1.349_343_2e-3,
        -3.673_428_5e-3,
        5.739_507_7e-3,
        -7.622_461_3e-3,
        9.438_870_5e-3,
        1.001_674,
        2.832_976_8,
    ];
    let w = -natural_log((1.0 - u) * (1.0 + u));
    let centre = series(&CENTRE, w - 2.5);
    let tail = series(&TAIL, w.sqrt() - 3.0);
    std::f32::consts::SQRT_2 * u * if w < 5.0 { centre } else { tail }
}

/// The natural logarithm of a number that is neither 0 nor below it, nor the smallest there are; within 2e-7, or a part
/// of that.
#[inline(always)]
fn natural_log(x: f32) -> f32 {
    // The root of 1/2: what is left after taking out a power of two lies between it and its double.
    const ROOT: u32 = 0x3f35_04f3;
    let shifted = x.to_bits().wrapping_sub(ROOT) as i32;
    let power = (shifted >> 23) as f32;
    let f = f32::from_bits((shifted as u32 & 0x007f_ffff) + ROOT) - 1.0;
    // ln((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + ...) with s = f / (2 + f).
    let s = f / (2.0 + f);
    let t = s * s;
    let series = t * (2.0 / 3.0 + t * (2.0 / 5.0 + t * (2.0 / 7.0 + t * (2.0 / 9.0))));
    power * std::f32::consts::LN_2 + s * (2.0 + series)
}

#[inline]
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W3, I2: the same name and step give the same numbers, and other names or steps give others.
    #[test]
    fn a_stream_is_named_not_drawn() {
        let key = NoiseKey::for_owner(7, "blue-1/sensor/laser");
        let draw = |key: NoiseKey| key.stream().uniform(0.0, 1.0);
        assert_eq!(draw(key.at_step(3)), draw(key.at_step(3)));
        assert_ne!(draw(key.at_step(3)), draw(key.at_step(4)));
        assert_ne!(draw(key), draw(NoiseKey::for_owner(7, "blue-2/sensor/laser")));
        assert_ne!(draw(key), draw(NoiseKey::for_owner(8, "blue-1/sensor/laser")));
        assert_ne!(draw(key.split(0)), draw(key.split(1)));
    }

    /// Both draws of a pair have the variance that they claim, and nothing in common.
    #[test]
    fn a_pair_is_two_independent_draws() {
        let mut noise = NoiseKey::for_owner(1, "pairs").stream();
        let n = 100_000.0;
        let pairs: Vec<[f64; 2]> = (0..100_000).map(|_| noise.gaussian_pair([2.0, 0.5])).collect();
        let mean_of = |value: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(value).sum::<f64>() / n;
        // Five standard errors each.
        let limit = 5.0 / n.sqrt();
        assert!((mean_of(&|p| p[0] * p[0]) / 4.0 - 1.0).abs() < limit * 2f64.sqrt());
        assert!((mean_of(&|p| p[1] * p[1]) / 0.25 - 1.0).abs() < limit * 2f64.sqrt());
        assert!(mean_of(&|p| p[0] / 2.0).abs() < limit && mean_of(&|p| p[1] / 0.5).abs() < limit);
        assert!(mean_of(&|p| p[0] * p[1]).abs() < limit);
        assert_eq!(noise.gaussian_pair([0.0, 1.0])[0], 0.0);
    }

    /// The quantiles of the normal distribution, from its tables; both tails, and the seams of the approximation.
    #[test]
    fn normal_numbers_are_quantiles() {
        let table = [
            (0.5, 0.0),
            (0.75, 0.674_489_750_196_081_7),
            (0.9, 1.281_551_565_544_600_4),
            (0.975_75, 1.972_961_051_311_885),
            (0.99, 2.326_347_874_040_841),
            (0.999, 3.090_232_306_167_813),
            (0.999_999, 4.753_424_308_822_899),
        ];
        for (probability, quantile) in table {
            let got = standard_normal(probability - 0.5);
            assert!((got - quantile).abs() < 1e-7, "{probability}: {got}");
            assert_eq!(standard_normal(0.5 - probability), -got);
        }
        let seam = standard_normal(0.475_750_000_001) - standard_normal(0.475_749_999_999);
        assert!(seam.abs() < 1e-7, "{seam}");
        assert!(standard_normal(0.5 - f64::EPSILON / 4.0).is_finite());
    }

    /// A row has the quantiles of the normal distribution, both ends too, and the moments that it claims.
    #[test]
    fn a_row_is_normal() {
        for k in -8_388_607..=8_388_607_i32 {
            if k % 997 == 0 || k.abs() > 8_388_500 {
                let u = f64::from(k) / 8_388_608.0;
                let (row, one) = (f64::from(row_normal(u as f32)), standard_normal(0.5 * u));
                assert!((row - one).abs() < 1e-5, "{u}: {row} {one}");
            }
        }
        let mut row = vec![0.0; 100_001];
        NoiseKey::for_owner(1, "rows").stream().fill_normal(&mut row);
        let n = row.len() as f64;
        let moment = |power: fn(f64) -> f64| row.iter().map(|&z| power(f64::from(z))).sum::<f64>() / n;
        // Five standard errors each.
        let limit = 5.0 / n.sqrt();
        assert!(moment(|z| z).abs() < limit);
        assert!((moment(|z| z * z) - 1.0).abs() < limit * 2f64.sqrt());
        assert!((moment(|z| z * z * z * z) - 3.0).abs() < limit * 96f64.sqrt());
        let next: f64 = row.windows(2).map(|pair| f64::from(pair[0] * pair[1])).sum::<f64>() / n;
        assert!(next.abs() < limit, "neighbours have nothing in common: {next}");
    }

    /// The first numbers of consecutive steps are normal: mean, variance and lag-one correlation.
    #[test]
    fn consecutive_steps_are_independent_and_have_the_variance_they_claim() {
        let key = NoiseKey::for_owner(1, "statistics");
        let samples: Vec<f64> = (0..100_000).map(|step| key.at_step(step).stream().gaussian(2.0)).collect();
        let n = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / n;
        let variance = samples.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n;
        let lag_one = samples.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n / variance;
        // Five standard errors each.
        assert!(mean.abs() < 5.0 * 2.0 / n.sqrt(), "mean {mean}");
        assert!((variance / 4.0 - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "variance {variance}");
        assert!(lag_one.abs() < 5.0 / n.sqrt(), "correlation {lag_one}");
    }
}
