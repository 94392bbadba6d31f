//! The weighted keywords of Mali and Meshram (2011).
//!
//! A topic is keywords with weights that sum to 1. A page's relevance is the sum, over the keywords,
//! of the weight times the keyword's share of the page's effective words, which are the words
//! without stop words. The paper says neither which words are stop words nor what relevance is
//! enough; here the stop list is the English one of [`Tokens`], and the threshold is the file's.
//!
//! A keyword may be several words, and must be able to: what a reader of Thai takes for one word may
//! be two to the segmenter.

use std::collections::HashSet;
use std::fmt::Write;

use crate::format::File;
use crate::{Bag, Evidence, Tokens, TopicError};

/// One word in forty is a keyword, if there are five of equal weight: what pages about a topic reach
/// and pages that mention it do not (measured in `docs/topics.md`).
pub(crate) const DEFAULT_THRESHOLD: f64 = 0.005;

/// A topic written by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Keywords {
    tokens: Tokens,
    threshold: f64,
    keywords: Vec<Keyword>,
}

#[derive(Clone, Debug, PartialEq)]
struct Keyword {
    phrase: Vec<Box<str>>,
    weight: f64,
}

impl Keywords {
    /// Who finds the words.
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// Pages that score more are relevant.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The keywords with their weights, which sum to 1.
    pub fn weights(&self) -> impl Iterator<Item = (String, f64)> {
        self.keywords.iter().map(|keyword| (keyword.phrase.join(" "), keyword.weight))
    }

    /// The relevance of a page, from 0 to 1; 0 if it has no words.
    pub fn score(&self, page: &Bag) -> f64 {
        let words = page.total().max(1) as f64;
        let shares = self
            .keywords
            .iter()
            .map(|k| f64::from(occurrences(page, &k.phrase)) / words * k.weight);
        shares.sum::<f64>().min(1.0)
    }

    pub(crate) fn evidence(&self, page: &Bag) -> Vec<Evidence> {
        let words = page.total().max(1) as f64;
        let evidence = |keyword: &Keyword| {
            let count = occurrences(page, &keyword.phrase);
            let share = f64::from(count) / words * keyword.weight;
            Evidence { word: keyword.phrase.join(" "), count, share }
        };
        self.keywords.iter().map(evidence).filter(|found| found.count > 0).collect()
    }

    pub(crate) fn parse(file: &File) -> Result<Self, TopicError> {
        let tokens = file.tokens(Tokens::Unicode)?;
        let threshold = file.threshold(DEFAULT_THRESHOLD)?;
        let mut known = HashSet::new();
        let mut keywords = Vec::new();
        for (at, row) in file.rows() {
            let [word, weight] = file.columns(at, row, "a keyword and its weight")?;
            let mut phrase: Vec<Box<str>> = Vec::new();
            tokens.each(word, |word| phrase.push(word.into()));
            if phrase.is_empty() {
                return Err(file.wrong(
                    at,
                    format!("\"{word}\" is no word that would be found on a page"),
                    "leave out stop words, numbers and words of less than three letters",
                ));
            }
            if !known.insert(phrase.clone()) {
                let what = format!("\"{word}\" is a keyword already");
                return Err(file.wrong(at, what, "keep one of the lines"));
            }
            let weight = file.weight(at, "the weight", weight)?;
            keywords.push(Keyword { phrase, weight });
        }
        let sum: f64 = keywords.iter().map(|keyword| keyword.weight).sum();
        if sum < 1e-9 {
            let advice = "write lines of a keyword and its weight, with a tab between them";
            return Err(file.wrong_whole("no keyword has a weight", advice));
        }
        // Weights that sum to 1 are kept to the last digit.
        if (sum - 1.0).abs() > 1e-9 {
            keywords.iter_mut().for_each(|keyword| keyword.weight /= sum);
        }
        Ok(Self { tokens, threshold, keywords })
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "# kind: keywords\n# tokens: {}\n# threshold: {}\n",
            self.tokens.name(),
            self.threshold
        );
        for (keyword, weight) in self.weights() {
            writeln!(text, "{keyword}\t{weight}").expect("a string takes whatever is written");
        }
        text
    }
}

fn occurrences(page: &Bag, phrase: &[Box<str>]) -> u32 {
    if let [word] = phrase {
        return page.count(word);
    }
    let Some(numbers) = phrase.iter().map(|word| page.number(word)).collect::<Option<Vec<_>>>()
    else {
        return 0;
    };
    page.order().windows(numbers.len()).filter(|words| *words == numbers).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keywords(rows: &str) -> Keywords {
        Keywords::parse(&File::new("bikes.topic", rows)).unwrap()
    }

    #[test]
    fn a_share_of_the_effective_words_times_the_weight() {
        let bikes = keywords("bike\t0.5\nrepair\t0.3\nshop\t0.2\n");
        // Effective: bike repair bike open today bike; 3/6 * 0.5 + 1/6 * 0.3.
        let page = Tokens::Unicode.bag("A bike repair, and the bike is open today: bike!");
        assert_eq!(page.total(), 6);
        assert!((bikes.score(&page) - 0.3).abs() < 1e-12);
        assert_eq!(bikes.score(&Tokens::Unicode.bag("")), 0.0);
    }

    #[test]
    fn a_page_of_nothing_but_the_only_keyword_is_all_relevant() {
        assert_eq!(keywords("bike\t7\n").score(&Tokens::Unicode.bag("bike bike")), 1.0);
    }

    #[test]
    fn weights_are_brought_to_sum_1() {
        let weights: Vec<_> = keywords("Bike\t3\nrepair\t1\n").weights().collect();
        assert_eq!(weights, [("bike".into(), 0.75), ("repair".into(), 0.25)]);
    }

    #[test]
    fn a_keyword_may_be_several_words() {
        let energy = keywords("solar energy\t1\n");
        assert_eq!(energy.score(&Tokens::Unicode.bag("solar energy, energy solar")), 0.25);
        let thai = keywords("ภาษาไทย\t1\n");
        assert_eq!(thai.score(&Tokens::Unicode.bag("ภาษาไทยง่ายมาก")), 0.25);
    }

    #[test]
    fn refuses_what_no_page_can_have() {
        let wrong = Keywords::parse(&File::new("x.topic", "bike\t1\n42\t1\n")).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "x.topic, line 2: \"42\" is no word that would be found on a page\n  \
             leave out stop words, numbers and words of less than three letters"
        );
    }
}
