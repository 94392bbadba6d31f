//! Weights that tell languages apart, from frequencies that describe each by itself.
//!
//! The frequencies of n-grams are a poor judge: n-grams overlap, and corpora differ in size and kind,
//! which favours some languages over their neighbours. So the weights are refined on samples, as in
//! logistic regression: after each, the entries of its features move towards the right language and
//! away from those taken for it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use langur_language::letters::Letters;
use langur_language::model::{Entry, Known, STEP};
use langur_language::odds::Calibration;

use crate::corpus::AsIs;
use crate::sample::{Random, Samples};

/// What is this sure already is left as it is.
const LEAST_GRADIENT: f32 = 0.01;

/// Entries below this, in nats, are left out of the model: they are many and say little.
const LEAST_WEIGHT: f32 = 0.35;

/// The weights while they are learned.
pub struct Weights {
    places: HashMap<u64, (u32, u32), BuildHasherDefault<AsIs>>,
    entries: Vec<(u8, f32)>,
    /// Sums of squared gradients: what has moved much moves less.
    moved: Vec<f32>,
    bias: Vec<f32>,
    bias_moved: Vec<f32>,
}

impl Weights {
    pub fn new(features: &[(u64, Vec<Entry>)], languages: usize) -> Weights {
        let mut places = HashMap::default();
        let mut entries = Vec::new();
        for (number, of) in features {
            places.insert(*number, (entries.len() as u32, of.len() as u32));
            entries.extend(of.iter().map(|e| (e.language, f32::from(e.steps) * STEP)));
        }
        let moved = vec![1.0; entries.len()];
        Weights {
            places,
            entries,
            moved,
            bias: vec![0.0; languages],
            bias_moved: vec![1.0; languages],
        }
    }

    /// Learns from so many samples of each language.
    pub fn learn(
        &mut self,
        letters: &Letters,
        samples: &[Samples],
        languages: &[Known],
        rounds: usize,
        rate: f32,
    ) {
        let mut random = Random(1);
        let rivals: Vec<Vec<usize>> = languages
            .iter()
            .map(|of| {
                let shares = |other: &Known| other.scripts.iter().any(|s| of.scripts.contains(s));
                (0..languages.len()).filter(|&other| shares(&languages[other])).collect()
            })
            .collect();
        let mut scores = vec![0.0f32; languages.len()];
        for round in 0..rounds * samples.len() {
            let truth = round % samples.len();
            let (numbers, count) = samples[truth].draw(letters, &mut random);
            if numbers.is_empty() || languages[truth].scripts.is_empty() {
                continue;
            }
            scores.copy_from_slice(&self.bias);
            let divisor = Calibration::DEFAULT.divisor(count);
            for number in &numbers {
                for &(language, weight) in self.of(*number) {
                    scores[language as usize] += weight / divisor;
                }
            }
            gradients(&mut scores, &rivals[truth], truth);
            if scores[truth] < LEAST_GRADIENT {
                continue;
            }
            for number in numbers {
                self.step(number, &scores, rate, divisor);
            }
            for (language, gradient) in scores.iter().enumerate() {
                self.bias_moved[language] += gradient * gradient;
                self.bias[language] += 0.3 * rate * gradient / self.bias_moved[language].sqrt();
            }
        }
    }

    fn of(&self, number: u64) -> &[(u8, f32)] {
        match self.places.get(&number) {
            Some(&(first, count)) => &self.entries[first as usize..][..count as usize],
            None => &[],
        }
    }

    fn step(&mut self, number: u64, gradients: &[f32], rate: f32, divisor: f32) {
        let Some(&(first, count)) = self.places.get(&number) else { return };
        for at in first as usize..(first + count) as usize {
            let (language, weight) = &mut self.entries[at];
            let gradient = gradients[*language as usize];
            if gradient.abs() < LEAST_GRADIENT {
                continue;
            }
            let gradient = gradient / divisor;
            self.moved[at] += gradient * gradient;
            *weight = (*weight + rate * gradient / self.moved[at].sqrt()).clamp(0.0, 250.0 * STEP);
        }
    }

    /// The features as the model keeps them, without those that say nothing.
    pub fn done(self, features: &mut Vec<(u64, Vec<Entry>)>, languages: &mut [Known]) {
        for (number, entries) in features.iter_mut() {
            let weights = self.of(*number);
            for (entry, &(_, weight)) in entries.iter_mut().zip(weights) {
                entry.steps = (weight / STEP).round() as u8;
            }
            entries.retain(|entry| f32::from(entry.steps) * STEP > LEAST_WEIGHT);
        }
        features.retain(|(_, entries)| !entries.is_empty());
        for (known, bias) in languages.iter_mut().zip(&self.bias) {
            known.prior += bias;
        }
    }
}

/// Turns scores into the gradient of the log probability of the truth among its rivals.
fn gradients(scores: &mut [f32], rivals: &[usize], truth: usize) {
    let best = rivals.iter().map(|&rival| scores[rival]).fold(f32::MIN, f32::max);
    let mut all = vec![0.0; scores.len()];
    let mut sum = 0.0;
    for &rival in rivals {
        all[rival] = (scores[rival] - best).exp();
        sum += all[rival];
    }
    for (language, score) in scores.iter_mut().enumerate() {
        *score = f32::from(language == truth) - all[language] / sum;
    }
}
