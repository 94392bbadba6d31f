//! Random numbers that depend on nothing but the seed and what they are for.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// What a stream of random numbers is for. Streams for different purposes never meet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Domains = 1,
    Sizes,
    Cells,
    Names,
    Mixes,
    Homes,
    Charsets,
    Discovery,
    Classes,
    Links,
    Pages,
}

/// A stream of random numbers.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of one thing, such as a host.
    pub fn new(seed: u64, purpose: Purpose, index: usize) -> Random {
        let mixed = seed
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add((purpose as u64).wrapping_mul(0xd1b5_4a32_d192_ed03))
            .rotate_left(32)
            .wrapping_add((index as u64).wrapping_mul(0x8cb9_2ba7_2f3d_8dd7));
        Random(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// From 0 up to and without 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A whole number below `n`, which must not be 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// With mean 1.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// The place of a weight drawn in proportion.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        for (i, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return i;
            }
        }
        weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
    }
}

/// A function of a number from 0 to 1, tabulated: drawing from a distribution then costs no
/// logarithm, and gives the same bits on every machine.
pub(crate) struct Curve(Vec<f64>);

const STEPS: usize = 4096;

impl Curve {
    fn new(f: impl Fn(f64) -> f64) -> Curve {
        Curve((0..=STEPS).map(|i| f(i as f64 / STEPS as f64)).collect())
    }

    /// `u` to a power: the larger the power, the more small values.
    pub fn power(exponent: f64) -> Curve {
        Curve::new(|u| libm::pow(u, exponent))
    }

    /// The quantiles of a lognormal distribution.
    pub fn lognormal(median: f64, sigma: f64) -> Curve {
        // The ends are cut off where one in ten thousand would lie.
        Curve::new(|u| median * libm::exp(sigma * normal_quantile(u.clamp(1e-4, 1.0 - 1e-4))))
    }

    #[inline]
    pub fn at(&self, u: f64) -> f64 {
        let place = u * STEPS as f64;
        let step = (place as usize).min(STEPS - 1);
        let (low, high) = (self.0[step], self.0[step + 1]);
        low + (high - low) * (place - step as f64)
    }

    #[inline]
    pub fn draw(&self, random: &mut Random) -> f64 {
        self.at(random.unit())
    }

    /// The mean of what is drawn.
    pub fn mean(&self) -> f64 {
        self.0.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).sum::<f64>() / STEPS as f64
    }
}

/// By bisection: it is tabulated once.
fn normal_quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if 0.5 * libm::erfc(-middle / std::f64::consts::SQRT_2) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lognormal_curve_has_its_median_and_mean() {
        let curve = Curve::lognormal(10.0, 1.0);
        assert!((curve.at(0.5) - 10.0).abs() < 0.01);
        assert!((curve.mean() / (10.0 * libm::exp(0.5)) - 1.0).abs() < 0.02);
    }

    #[test]
    fn streams_differ_by_seed_purpose_and_index() {
        let first = |seed, purpose, index| Random::new(seed, purpose, index).below(1 << 40);
        let all = [
            first(1, Purpose::Links, 0),
            first(2, Purpose::Links, 0),
            first(1, Purpose::Pages, 0),
            first(1, Purpose::Links, 1),
        ];
        assert_eq!(first(1, Purpose::Links, 0), all[0]);
        assert!((1..4).all(|i| all[i] != all[0]));
    }
}
