//! The sums that a text's features give, by script.
//!
//! What the sums say of the languages is in [`crate::odds`].

use std::ops::Range;

use multiversion::multiversion;

use crate::features::{Word, words};
use crate::han::WRITERS;
use crate::letters::{HAN, Letters, ScriptNumber};
use crate::memory::{Memory, Place, Recalled, Sums};
use crate::model::{MOST_LANGUAGES, Model, kept};

/// The sums over the words of one script.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The script.
    pub script: ScriptNumber,
    /// Letters of this script in all of the text, about.
    pub letters: u32,
    /// Letters whose features were counted.
    pub counted: u32,
    /// Sums by language, in steps; there is one for every number that a language can have.
    pub steps: Box<Steps>,
    /// The fewest letters of an n-gram that was counted.
    pub(crate) shortest: u8,
    /// Chinese characters that are strange to each of [`WRITERS`].
    pub(crate) strange: [u32; WRITERS.len()],
}

/// Something in steps for every number that a language can have.
pub(crate) type Steps = [u32; MOST_LANGUAGES];

/// What texts are read with.
pub struct Source<'j> {
    /// What features say.
    pub model: &'j Model,
    /// The letters of all scripts.
    pub letters: &'j Letters,
    /// What words said before.
    pub memory: &'j mut Memory,
}

/// Counts the features of a text, by script, into the tallies from `from` on. n-grams shorter than
/// `shortest` are left out. Where a script has one language, the script says it all.
pub fn tally(source: &mut Source, text: &str, shortest: u8, into: &mut Vec<Tally>, from: usize) {
    let Source { model, letters, memory } = source;
    let mut features = Features { model, gathered: memory.lend(), of: from };
    words(letters, text, |word| {
        let known = into[from..].iter().position(|tally| tally.script == word.script);
        let at = known.map_or_else(
            || {
                into.push(Tally::new(word.script, shortest));
                into.len() - 1
            },
            |at| from + at,
        );
        let tally = &mut into[at];
        tally.letters += word.count() as u32;
        tally.counted += word.count() as u32;
        if word.script == HAN {
            tally.count_strange(letters, &word);
        }
        if model.written_in(word.script).len() > 1 {
            match memory.recall(model, &word, shortest) {
                Recalled::Sums(sums) => tally.add(sums),
                Recalled::Nothing(place) => {
                    if features.of != at {
                        features.add_up(into, memory);
                        features.of = at;
                    }
                    features.gather(&word, shortest, place);
                }
            }
        }
        true
    });
    features.add_up(into, memory);
    memory.take_back(features.gathered);
}

/// The features of some words of one script. They are gathered, looked up and added in three passes, so that memory is
/// asked for long before it is needed.
struct Features<'m> {
    model: &'m Model,
    gathered: Gathered,
    /// The tally that they are for.
    of: usize,
}

/// Features, and the words that they are of: where theirs lie, and where the word is to be remembered, if it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    numbers: Vec<u64>,
    words: Vec<(Range<usize>, Option<Place>)>,
}

impl Features<'_> {
    fn gather(&mut self, word: &Word, shortest: u8, place: Option<Place>) {
        let shortest = if word.script == HAN { 1 } else { shortest };
        let Gathered { numbers, words } = &mut self.gathered;
        let first = numbers.len();
        word.features(|kind, number| {
            if kind.length() >= shortest {
                let number = kept(number);
                self.model.expect(number);
                numbers.push(number);
            }
        });
        words.push((first..numbers.len(), place));
    }

    fn add_up(&mut self, tallies: &mut [Tally], memory: &mut Memory) {
        let Gathered { numbers, words } = &mut self.gathered;
        for number in &mut *numbers {
            *number = self.model.find(*number);
        }
        for (of, place) in words.drain(..) {
            let found = numbers[of].iter().filter(|found| **found != 0);
            let entries = found.flat_map(|found| self.model.found(*found));
            match place {
                None => {
                    let steps = &mut tallies[self.of].steps;
                    entries.for_each(|entry| {
                        steps[usize::from(entry.language)] += u32::from(entry.steps);
                    });
                }
                Some(place) => {
                    let sums = memory.remember(&place);
                    entries.for_each(|entry| {
                        sums[usize::from(entry.language)] += u16::from(entry.steps);
                    });
                    tallies[self.of].add(sums);
                }
            }
        }
        numbers.clear();
    }
}

impl Tally {
    fn new(script: ScriptNumber, shortest: u8) -> Tally {
        let (steps, strange) = (Box::new([0; MOST_LANGUAGES]), [0; WRITERS.len()]);
        Tally { script, letters: 0, counted: 0, steps, shortest, strange }
    }

    /// Adds the sums of a part of the same text.
    pub(crate) fn merge(&mut self, part: &Tally) {
        self.letters += part.letters;
        self.counted += part.counted;
        self.steps.iter_mut().zip(&*part.steps).for_each(|(sum, steps)| *sum += steps);
        self.strange.iter_mut().zip(part.strange).for_each(|(sum, strange)| *sum += strange);
    }

    /// Adds what a word says.
    fn add(&mut self, sums: &Sums) {
        add_sums(&mut self.steps, sums);
    }

    fn count_strange(&mut self, letters: &Letters, word: &Word) {
        for &letter in word.letters {
            let to = letters.strange(letter);
            for (writer, strange) in self.strange.iter_mut().enumerate() {
                *strange += u32::from(to >> writer & 1);
            }
        }
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn add_sums(steps: &mut Steps, sums: &Sums) {
    steps.iter_mut().zip(sums).for_each(|(steps, sum)| *steps += u32::from(*sum));
}
