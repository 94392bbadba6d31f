//! What the sums over a text say of its languages: which is the most probable, and how probable.

use std::sync::LazyLock;

use langur_crawl::Language;
use multiversion::multiversion;

use crate::han::WRITERS;
use crate::letters::{HAN, LATIN};
use crate::model::{ByNumber, MOST_LANGUAGES, Model, STEP};
use crate::tally::{Steps, Tally};

/// What is expected of the web counts in full for so many letters, and less for more: then the text speaks for itself.
const FEW_LETTERS: f32 = 6.0;
/// What a Chinese character speaks against each of [`WRITERS`] that does without it, in nats: how much rarer it is there
/// than with the others. The charset of Japanese is the first level of a larger one.
const STRANGE: [f32; WRITERS.len()] = [4.0, 4.0, 2.5];

/// Latin letters that are no text (checksums, genes, lists of names) are nearest to some language, too. So many steps a letter
/// the language of a text has at least, of a short one, whose shortest n-grams are counted, and of a long one; sentences
/// of 75 languages have 15.6 and more, home pages 10 (docs/language.md). Of fewer letters there is no telling.
const POOR_FIT: u32 = 14;
const POOR_FIT_LONG: u32 = 10;
const ENOUGH_LETTERS: u32 = 80;

/// Fewer may be a name, and names are in no language, and yet nearer to one than to others: Lego is nearest to Tswana. So
/// many steps a name has in the language that it is nearest to, and so many more for each of its letters. The words of
/// any language but English have mostly twice as many in it; what is nearest to English may be called so.
const NAME: f32 = 80.0;
const NAME_LETTER: f32 = 12.0;
/// Where a page hints at a language by more than this, in nats, it is no name that is taken for it. What it declares is worth
/// more, and so is the domain of a country where most speak it.
const HINTED: f32 = 1.0;

/// Words that the model has not seen say less than those it was refined with, and the fewer there are the more depends on
/// each: where a probability is made of the sums, their divisor is greater by so much for next to no letters, and by a third
/// of that for so many.
const DOUBT: f32 = 0.6;
const DOUBTFUL_LETTERS: f32 = 20.0;

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
    /// What the model is refined with.
    pub const DEFAULT: Calibration = Calibration { scale: 2.0, growth: 0.3 };

    /// What sums over so many letters are divided by.
    pub fn divisor(self, letters: u32) -> f32 {
        self.scale * (letters.max(1) as f32).powf(self.growth)
    }
}

impl Tally {
    /// Adds the sums to scores of all languages in order, weighed.
    pub fn add_to(&self, scores: &mut [(Language, f32)], weight: f32) {
        let per_step = self.per_step();
        for ((_, score), &steps) in scores.iter_mut().zip(&*self.steps) {
            *score += weight * steps as f32 * per_step;
        }
    }

    /// The number of the most probable of the languages written in this script. `bonuses` are by language, in nats;
    /// none at all if empty.
    pub fn best(&self, model: &Model, bonuses: &[f32]) -> Option<usize> {
        match model.written_in(self.script) {
            &[only] => Some(usize::from(only)),
            _ => self.nearest(model, &self.all_scores(model, bonuses, 1.0)),
        }
    }

    /// The first with the best of these scores.
    pub(crate) fn nearest(&self, model: &Model, scores: &ByNumber) -> Option<usize> {
        if model.written_in(self.script).is_empty() {
            return None;
        }
        let best = highest(scores);
        scores.iter().position(|score| *score == best)
    }

    /// Whether a language, though it may fit best, fits the text worse than any text in it.
    pub fn fits_poorly(&self, language: usize) -> bool {
        let least = if self.shortest > 1 { POOR_FIT_LONG } else { POOR_FIT };
        self.script == LATIN
            && self.counted >= ENOUGH_LETTERS
            && self.steps[language] < least * self.counted
    }

    /// The probability of the best of them.
    pub fn probability(&self, model: &Model, bonuses: &[f32], best: usize) -> f32 {
        // Where there is no other language, and no name, the sums need not be looked at.
        if matches!(model.written_in(self.script), [_]) && self.script != LATIN {
            return 1.0;
        }
        let doubt = 1.0 + DOUBT * (-(self.counted as f32) / DOUBTFUL_LETTERS).exp();
        let scores = self.all_scores(model, bonuses, doubt);
        let score = scores[best];
        let is_hinted = bonuses.get(best).is_some_and(|bonus| *bonus > HINTED);
        let name = if is_hinted { None } else { self.score_of_a_name(model, best, doubt) };
        let known = &scores[..model.languages.len()];
        1.0 / (odds(known, score) + name.map_or(0.0, |name| weight(name - score)))
    }

    /// The score that a name of so many letters would have, if this may be one.
    pub(crate) fn score_of_a_name(&self, model: &Model, best: usize, doubt: f32) -> Option<f32> {
        let is_possible = model.expects_names
            && self.script == LATIN
            && self.counted < ENOUGH_LETTERS
            && model.languages[best].tag != Language::ENGLISH;
        let steps = NAME + NAME_LETTER * self.counted as f32;
        is_possible.then(|| steps * self.per_step() / doubt)
    }

    /// The scores of all languages, by number, where the sums are doubted so much. All are computed, whatever their
    /// scripts, since that is many at a time; those of other scripts are lower than any.
    pub(crate) fn all_scores(&self, model: &Model, bonuses: &[f32], doubt: f32) -> ByNumber {
        let expectation = (FEW_LETTERS / self.counted.max(1) as f32).min(1.0);
        let mut scores = [0.0; MOST_LANGUAGES];
        let (steps, priors) = (&self.steps, model.priors_in(self.script));
        weigh(&mut scores, steps, self.per_step() / doubt, priors);
        scores.iter_mut().zip(bonuses).for_each(|(score, bonus)| *score += bonus);
        add_expected(&mut scores, &model.expected, expectation);
        if self.script == HAN {
            for (writer, number) in model.writers.iter().enumerate() {
                // What Chinese characters speak against a language.
                number.iter().for_each(|&number| {
                    scores[number] -= STRANGE[writer] * self.strange[writer] as f32;
                });
            }
        }
        scores
    }

    /// What a step is worth, in nats.
    fn per_step(&self) -> f32 {
        let divisor = DIVISORS.get(self.counted as usize).copied();
        STEP / divisor.unwrap_or_else(|| Calibration::DEFAULT.divisor(self.counted))
    }
}

/// What sums over few letters are divided by: windows and anchors have no more, and there are many of them.
static DIVISORS: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|letters| Calibration::DEFAULT.divisor(letters as u32)));

/// Puts what steps are worth beside priors.
#[multiversion(targets("x86_64+avx2"))]
fn weigh(scores: &mut ByNumber, steps: &Steps, per_step: f32, priors: &ByNumber) {
    for (score, (steps, prior)) in scores.iter_mut().zip(steps.iter().zip(priors)) {
        // Processors turn numbers with a sign into fractions at once, others in several steps.
        *score = steps.cast_signed() as f32 * per_step + prior;
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn add_expected(scores: &mut ByNumber, expected: &ByNumber, weight: f32) {
    scores.iter_mut().zip(expected).for_each(|(score, expected)| *score += weight * expected);
}

/// How much more weight all scores together have than this one, which is among them; computed many at a time.
#[multiversion(targets("x86_64+avx2"))]
fn odds(scores: &[f32], score: f32) -> f32 {
    let (many, rest) = scores.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for some in many {
        for (sum, other) in sums.iter_mut().zip(some) {
            *sum += weight(other - score);
        }
    }
    let of_rest = rest.iter().map(|other| weight(other - score));
    sums.into_iter().chain(of_rest).sum()
}

/// What a score weighs that is so far before or behind; nothing if it is far behind. That is e to the power of this, by
/// Cephes' approximation and not by the system's, so that all machines say the same.
#[inline(always)]
fn weight(ahead: f32) -> f32 {
    const FAR: f32 = 16.0;
    const SHIFT: f32 = 12_582_912.0;
    let x = ahead.clamp(-FAR, 5.0 * FAR);
    // Adding so much rounds, and leaves the whole number in the lowest bits.
    let shifted = x * std::f32::consts::LOG2_E + SHIFT;
    let whole = shifted - SHIFT;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    let rest = x - whole * 0.693_359_4 + whole * 2.121_944_4e-4;
    let terms = [1.987_569_2e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5];
    let sum = terms.into_iter().fold(0.0, |sum, term| sum * rest + term);
    let weight = (sum * rest * rest + rest + 1.0) * power;
    if ahead > -FAR { weight } else { 0.0 }
}

/// The highest of all scores, found many at a time.
#[multiversion(targets("x86_64+avx2"))]
fn highest(scores: &ByNumber) -> f32 {
    let mut best = [f32::NEG_INFINITY; 16];
    for some in scores.as_chunks::<16>().0 {
        for (best, score) in best.iter_mut().zip(some) {
            *best = if *score > *best { *score } else { *best };
        }
    }
    best.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use crate::Judge;
    use crate::memory::Memory;
    use crate::odds::weight;
    use crate::tally::tally;

    /// The nearest language of a text, with its probability, and whether it may be a name.
    fn odds(judge: &Judge, text: &str) -> (String, f32, bool) {
        let mut tallies = Vec::new();
        tally(&mut judge.source(&mut Memory::none()), text, 1, &mut tallies, 0);
        let best = tallies[0].best(&judge.model, &[]).expect("a language in this script");
        let is_name = tallies[0].score_of_a_name(&judge.model, best, 1.0).is_some();
        let probability = tallies[0].probability(&judge.model, &[], best);
        (judge.model.languages[best].tag.to_string(), probability, is_name)
    }

    #[test]
    fn a_few_latin_letters_may_be_a_name() {
        let judge = Judge::new();
        let (_, lego, may_be) = odds(&judge, "Lego");
        assert!(may_be && lego < 0.5, "{lego}");
        let (language, probability, may_be) = odds(&judge, "näköjään");
        assert!(may_be && probability > 0.9, "{language} {probability}");
        assert!(!odds(&judge, "something").2, "what is nearest to English is not doubted");
        assert!(!odds(&judge, "Лего").2, "names are mostly in Latin letters");
    }

    #[test]
    fn weights_are_powers_of_e() {
        for step in -16_000_i32..80_000 {
            let ahead = step as f32 / 1000.0;
            let exact = f64::from(ahead).exp();
            let off = (f64::from(weight(ahead)) - exact).abs() / exact;
            assert!(off < 3e-7 || ahead <= -16.0, "{ahead}: {off}");
        }
        assert_eq!(weight(0.0), 1.0);
        for nothing in [-16.0, -1e9, f32::NEG_INFINITY, f32::NAN] {
            assert_eq!(weight(nothing), 0.0, "{nothing}");
        }
    }

    #[test]
    fn the_more_letters_the_less_doubt() {
        let judge = Judge::new();
        let said = ["Kontakt", "Kontakt mit uns", "Kontakt mit uns aufnehmen"];
        let probabilities = said.map(|text| odds(&judge, text).1);
        assert!(probabilities.is_sorted() && probabilities[2] > 0.95, "{probabilities:?}");
    }
}
