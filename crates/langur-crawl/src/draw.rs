//! Chance that can be repeated.

/// A well-mixed number that depends on the seed and the number drawn for, and on nothing else: the
/// finaliser of splitmix64.
#[inline]
pub fn draw(seed: u64, number: u64) -> u64 {
    let mut z = seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The same as a fraction: at least 0 and less than 1.
#[inline]
pub fn draw_fraction(seed: u64, number: u64) -> f64 {
    (draw(seed, number) >> 11) as f64 / (1_u64 << 53) as f64
}
