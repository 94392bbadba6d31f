//! Which languages a text is in that was read in windows, and how much of it is in each.
//!
//! That all of it is in one language is the simplest thing to believe. Another language is one thing more, and so is every
//! window that it is in: it is believed if it explains these so much better that it is worth its price (Rissanen's minimum
//! description length). A window by itself may be a menu or a list of towns, with words that both have; together they tell
//! Hindi from Marathi on the same page.

use crate::model::{ByNumber, Model};
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

/// Windows of a text in one script, and what the page says of its languages besides.
pub(crate) struct Mixture<'t> {
    model: &'t Model,
    bonuses: &'t [f32],
    windows: Vec<Window<'t>>,
}

/// A window with its scores, by the number of the language. What a page says of itself is not among them: it is said
/// of all windows together, and would count for each.
struct Window<'t> {
    tally: &'t Tally,
    scores: ByNumber,
}

impl<'t> Mixture<'t> {
    /// Of these windows. `bonuses` are what the page says, in nats, by language; none at all if empty.
    pub fn of(
        model: &'t Model,
        bonuses: &'t [f32],
        windows: impl Iterator<Item = &'t Tally>,
    ) -> Mixture<'t> {
        let window = |tally: &'t Tally| Window { tally, scores: tally.all_scores(model, &[], 1.0) };
        Mixture { model, bonuses, windows: windows.map(window).collect() }
    }

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
        let letters: u32 = self.windows.iter().map(|window| window.tally.letters).sum();
        for Window { tally, scores } in &self.windows {
            let of_main = scores[main] + ANOTHER_WINDOW;
            let of_others = parts.iter().skip(1).map(|part| scores[part.number]);
            let best = of_others.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let at = best.filter(|(_, score)| *score > of_main).map_or(0, |(other, _)| other + 1);
            let part = &mut parts[at];
            part.share += tally.letters as f32 / letters as f32;
            let sure = tally.probability(self.model, self.bonuses, part.number);
            part.probability = part.probability.max(sure);
        }
        parts.retain(|part| part.share > 0.0);
        parts
    }

    /// The languages that are worth their price, that of the whole first.
    fn believed(&self, main: usize) -> Vec<usize> {
        let mut believed = vec![main];
        let mut others = self.others(main);
        let mut scores: Vec<f32> = self.windows.iter().map(|window| window.scores[main]).collect();
        loop {
            let gain = |other: &usize| self.gain(*other, &scores) - self.price(main, *other);
            let gains = others.iter().map(gain).enumerate();
            let Some((at, gain)) = gains.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            if gain <= 0.0 {
                break;
            }
            let other = others.remove(at);
            for (score, window) in scores.iter_mut().zip(&self.windows) {
                *score = score.max(window.scores[other]);
            }
            believed.push(other);
            others.retain(|another| !self.are_neighbours(*another, other));
        }
        believed
    }

    /// Languages that some window is nearest to. Neighbours of the text's own are left out.
    fn others(&self, main: usize) -> Vec<usize> {
        let nearest = self.windows.iter().filter_map(|of| of.tally.nearest(self.model, &of.scores));
        let mut others: Vec<usize> =
            nearest.filter(|&other| other != main && !self.are_neighbours(other, main)).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// Whether two languages are told apart by words alone, of which a window has hardly any.
    fn are_neighbours(&self, one: usize, other: usize) -> bool {
        let tag = |number: usize| self.model.languages[number].tag;
        neighbours::are(tag(one), tag(other))
    }

    /// What is gained by believing in another language, where these are the scores of what is believed already. Names that
    /// are near to it are none of it.
    fn gain(&self, other: usize, scores: &[f32]) -> f32 {
        let gains = self.windows.iter().zip(scores).map(|(window, score)| {
            let name = window.tally.score_of_a_name(self.model, other, 1.0).unwrap_or(f32::MIN);
            (window.scores[other] - score.max(name) - ANOTHER_WINDOW).max(0.0)
        });
        gains.sum()
    }

    /// What it costs to believe in another language besides the text's own.
    fn price(&self, main: usize, other: usize) -> f32 {
        let bonus = |number: usize| self.bonuses.get(number).copied().unwrap_or(0.0);
        let rarity = -self.model.expected[other].min(0.0);
        ANOTHER_LANGUAGE + EXPECTATION * rarity + bonus(main) - bonus(other)
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
        let mixture = Mixture::of(&judge.model, &[], windows.iter());
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
        let english =
            "the president visited all the towns in the north of the country on Wednesday";
        check("en", &[english, croatian, english, serbian, english, croatian], "en 55, bs 45");
    }
}
