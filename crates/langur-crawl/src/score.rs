//! The scores of links, as every web keeps them.

/// A link's score, from 0 to 1, in 255ths. All webs round it so, so that a crawl takes the same way in each of
/// them.
pub fn score_byte(score: f64) -> u8 {
    (score.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The score that is kept in a byte.
pub fn score_of_byte(byte: u8) -> f32 {
    f32::from(byte) / 255.0
}
