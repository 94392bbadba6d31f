//! The language of a text, from its letters alone.

use langur_crawl::Language;

use crate::features::words;
use crate::letters::{Letters, ScriptNumber};
use crate::model::{Model, STEP, kept};

/// The sums that a text's features give, for one script.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The script.
    pub script: ScriptNumber,
    /// Letters read.
    pub letters: u32,
    /// Features counted.
    pub features: u32,
    /// Steps above the floor, by language.
    pub steps: Vec<f32>,
}

/// How sure one may be of sums of features that are not independent of each other: the more there
/// are, the more of them say the same.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// Divides the sums.
    pub scale: f32,
    /// How the divisor grows with the number of letters.
    pub growth: f32,
}

impl Calibration {
    /// What the model was refined with.
    pub const DEFAULT: Calibration = Calibration { scale: 2.0, growth: 0.3 };

    /// What sums over so many letters are divided by.
    pub fn divisor(self, letters: u32) -> f32 {
        self.scale * (letters.max(1) as f32).powf(self.growth)
    }
}

/// Counts the features of a text, by script.
pub fn tally(model: &Model, letters: &Letters, text: &str, most_letters: u32) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = Vec::new();
    let mut numbers = Vec::with_capacity(256);
    words(letters, text, |word| {
        let known = tallies.iter().position(|tally| tally.script == word.script);
        let tally = known.unwrap_or_else(|| {
            let steps = vec![0.0; model.languages.len()];
            tallies.push(Tally { script: word.script, letters: 0, features: 0, steps });
            tallies.len() - 1
        });
        let tally = &mut tallies[tally];
        tally.letters += word.len() as u32;
        if tally.letters > most_letters {
            return true;
        }
        numbers.clear();
        word.features(|_, number| {
            model.expect(kept(number));
            numbers.push(kept(number));
        });
        tally.features += numbers.len() as u32;
        for &number in &numbers {
            for entry in model.entries(number) {
                tally.steps[entry.language as usize] += f32::from(entry.steps);
            }
        }
        true
    });
    tallies
}

impl Tally {
    /// The probabilities of the languages written in this script, most probable first.
    pub fn probabilities(&self, model: &Model, calibration: Calibration) -> Vec<(Language, f32)> {
        let divisor = calibration.divisor(self.letters);
        let written = |known: &crate::model::Known| known.scripts.contains(&self.script);
        let mut all: Vec<(Language, f32)> = model
            .languages
            .iter()
            .zip(&self.steps)
            .filter(|(known, _)| written(known))
            .map(|(known, &steps)| (known.tag, steps * STEP / divisor + known.prior))
            .collect();
        let best = all.iter().map(|(_, score)| *score).fold(f32::MIN, f32::max);
        let sum: f32 = all.iter().map(|(_, score)| (score - best).exp()).sum();
        for (_, score) in &mut all {
            *score = (*score - best).exp() / sum;
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all
    }
}
