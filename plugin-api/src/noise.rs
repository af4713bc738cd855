//! Randomness that is given, not fetched: it does not depend on who else draws, or how often anybody reads.
//!
//! A [`NoiseKey`] names one stream: it is made from the run's seed, the owner's full name and the step. Asking
//! a sensor twice for the same step draws the same numbers twice, and adding a robot changes nobody else's.
//!
//! # Reference
//! PCG XSL 128/64 (MCG): M. E. O'Neill, *PCG: A Family of Simple Fast Space-Efficient Statistically Good
//! Algorithms for Random Number Generation*, 2014. Keys are mixed by SplitMix64 (G. Steele et al., 2014).

use bytemuck::{Pod, Zeroable};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
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

impl NoiseKey {
    /// Names the stream of `owner` (such as `"blue-1/sensor/laser"`) in the run with this seed.
    pub fn for_owner(seed: u64, owner: &str) -> Self {
        // FNV-1a over the name, then mixed with the seed: short, fixed for ever, and not a secret.
        let name = owner.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self { owner: mix(mix(seed).wrapping_add(name)), step: 0 }
    }

    /// The same owner's stream in another step.
    pub fn at_step(self, step: u64) -> Self {
        Self { step, ..self }
    }

    /// A further, independent stream of the same owner and step.
    pub fn split(self, index: u64) -> Self {
        Self { owner: mix(self.owner ^ mix(index.wrapping_add(1))), ..self }
    }

    /// Opens the stream at its beginning.
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
    pub fn gaussian(&mut self, sigma: f64) -> f64 {
        if sigma == 0.0 {
            return 0.0;
        }
        let sample: f64 = StandardNormal.sample(&mut self.0);
        sample * sigma
    }

    /// Draws uniformly from `[low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        // 53 random bits: every multiple of 2^-53 in [0, 1) is equally likely.
        let unit = (self.0.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0);
        low + (high - low) * unit
    }

    /// Says yes with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform(0.0, 1.0) < probability
    }

    /// The generator itself, for any distribution of `rand_distr`.
    pub fn rng(&mut self) -> &mut impl Rng {
        &mut self.0
    }
}

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
