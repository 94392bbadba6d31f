//! Which languages a text is in that was read in windows, and how much of it is in each.
//!
//! That all of it is in one language is the simplest thing to believe. Another language is one thing more, and so is every
//! window that it is in: it is believed if it explains these so much better that it is worth its price (Rissanen's minimum
//! description length). A window by itself may be a menu or a list of towns, with words that both have; together they tell
//! Hindi from Marathi on the same page.

use crate::model::Model;
use crate::neighbours;
use crate::tally::Tally;

/// What it costs to believe that a text is in another language besides, and that a window is, in nats. (One of 183 languages
/// takes 5.2 to name.) Chosen by looking at home pages in one language and at joined texts in two; docs/language.md.
const ANOTHER_LANGUAGE: f32 = 6.0;
const ANOTHER_WINDOW: f32 = 2.0;
/// How much counts of what is expected of the web: a language that there is hardly any of costs three nats more.
const EXPECTATION: f32 = 0.3;

/// A language's part of a text.
#[derive(Debug)]
pub(crate) struct Part {
    /// The number of the language.
    pub number: usize,
    /// Of the letters, from 0 to 1.
    pub share: f32,
    /// How probable it is that these are in it.
    pub probability: f32,
}

/// Windows of a text in one script, and what is known of their languages.
pub(crate) struct Mixture<'t> {
    pub model: &'t Model,
    pub bonuses: &'t [f32],
    pub windows: Vec<&'t Tally>,
}

impl Mixture<'_> {
    /// The languages of a text that is in this one as a whole, with this probability.
    pub fn parts(&self, main: usize, probability: f32) -> Vec<Part> {
        let believed = self.believed(main);
        if believed.len() == 1 {
            return vec![Part { number: main, share: 1.0, probability }];
        }
        let start = |number: &usize| Part { number: *number, share: 0.0, probability: 0.0 };
        let mut parts: Vec<Part> = believed.iter().map(start).collect();
        // As a whole a mixed text is in neither of its languages for sure.
        parts[0].probability = probability;
        let letters: u32 = self.windows.iter().map(|window| window.letters).sum();
        for window in &self.windows {
            let score = |number: usize| window.score(self.model, self.bonuses, number);
            let of_main = score(main) + ANOTHER_WINDOW;
            let of_others = parts.iter().skip(1).map(|part| score(part.number));
            let best = of_others.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let at = best.filter(|(_, score)| *score > of_main).map_or(0, |(other, _)| other + 1);
            let part = &mut parts[at];
            part.share += window.letters as f32 / letters as f32;
            let sure = window.probability(self.model, self.bonuses, part.number);
            part.probability = part.probability.max(sure);
        }
        parts.retain(|part| part.share > 0.0);
        parts
    }

    /// The languages that are worth their price, that of the whole first.
    fn believed(&self, main: usize) -> Vec<usize> {
        let mut believed = vec![main];
        let mut others = self.others(main);
        if others.is_empty() {
            return believed;
        }
        let mut scores = self.scores(main);
        loop {
            let gains = others.iter().map(|other| self.gain(other, &scores)).enumerate();
            let Some((at, gain)) = gains.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            if gain <= 0.0 {
                break;
            }
            let (number, of_other) = others.remove(at);
            scores.iter_mut().zip(of_other).for_each(|(score, of)| *score = score.max(of));
            believed.push(number);
        }
        believed
    }

    /// Languages that some window is nearest to, each with its scores. Neighbours of the text's own are left out: they are told apart by
    /// words of which a window has hardly any.
    fn others(&self, main: usize) -> Vec<(usize, Vec<f32>)> {
        let tag = |number: usize| self.model.languages[number].tag;
        let nearest = self.windows.iter().filter_map(|of| of.best(self.model, self.bonuses));
        let mut others: Vec<usize> = nearest
            .filter(|&other| other != main && !neighbours::are(tag(other), tag(main)))
            .collect();
        others.sort_unstable();
        others.dedup();
        others.into_iter().map(|other| (other, self.scores(other))).collect()
    }

    fn scores(&self, number: usize) -> Vec<f32> {
        self.windows.iter().map(|of| of.score(self.model, self.bonuses, number)).collect()
    }

    /// What is gained by believing in another language, where these are the scores of what is believed already. Names that
    /// are near to it are none of it.
    fn gain(&self, (other, of_other): &(usize, Vec<f32>), scores: &[f32]) -> f32 {
        let windows = self.windows.iter().zip(of_other).zip(scores);
        let gains = windows.map(|((window, of_other), score)| {
            let name = window.score_of_a_name(self.model, *other, 1.0).unwrap_or(f32::MIN);
            (of_other - score.max(name) - ANOTHER_WINDOW).max(0.0)
        });
        let rarity = -self.model.expected[*other].min(0.0);
        gains.sum::<f32>() - ANOTHER_LANGUAGE - EXPECTATION * rarity
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judge;
    use crate::memory::Memory;
    use crate::tally::tally;

    /// The languages of windows that these texts are, and the share of each in percent; the first is the text's own.
    fn check(main: &str, texts: &[&str], expected: &str) {
        let judge = Judge::new();
        let mut windows = Vec::new();
        for text in texts {
            let from = windows.len();
            tally(&mut judge.source(&mut Memory::none()), text, 3, &mut windows, from);
        }
        let tag = |number: usize| judge.model.languages[number].tag;
        let main = (0..judge.model.languages.len()).find(|number| tag(*number).as_str() == main);
        let mixture =
            Mixture { model: &judge.model, bonuses: &[], windows: windows.iter().collect() };
        let parts = mixture.parts(main.expect("the language is known"), 0.9);
        let said = parts.iter().map(|p| format!("{} {:.0}", tag(p.number), 100.0 * p.share));
        assert_eq!(said.collect::<Vec<_>>().join(", "), expected);
    }

    #[test]
    fn another_language_must_be_worth_its_price() {
        let spanish = "los vecinos se quejan de que nadie les haya preguntado nada";
        let portuguese = "os vizinhos queixam-se de que ninguém lhes perguntou nada";
        check("es", &[spanish, spanish, spanish], "es 100");
        check("es", &[spanish, portuguese, spanish, portuguese], "es 51, pt 49");
        // Towns are in no language, or in all.
        check("es", &[spanish, spanish, "Lisboa Santarem Setubal Coimbra Aveiro Viseu"], "es 100");
    }

    #[test]
    fn neighbours_are_not_told_apart_by_windows() {
        let serbian = "predsednik je u sredu posetio sve gradove na severu zemlje";
        let croatian = "predsjednik je u srijedu posjetio sve gradove na sjeveru zemlje";
        check("hr", &[croatian, serbian, croatian, serbian], "hr 100");
    }
}
