//! A yes/no classifier: logistic regression over words and pairs of words.
//!
//! A feature is a word, or two words in a row; its value on a page is the square root of its share of
//! the page's words. (The words' values then have length 1 on every page, long or short, whether
//! the classifier knows the words or not; so a page is not judged by the one word that is known.)
//! In training, features weigh by their idf over the samples, which the file's weights contain.
//!
//! The score is a probability, calibrated on samples that were not learned from, for pages of which
//! one in two is about the topic: how rare the topic is where the crawl will go, samples cannot tell.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use crate::format::File;
use crate::regression::{Fit, Row, calibrate, fit, sigmoid};
use crate::vector::SHORTEST_PAGE;
use crate::{Bag, Evidence, Tokens, TopicError};

/// A topic learned from examples and counter-examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    tokens: Tokens,
    threshold: f64,
    bias: f64,
    weights: Vec<(Box<str>, f64)>,
    /// The words of all features, numbered, and the weights by those numbers.
    words: HashMap<Box<str>, u32>,
    singles: HashMap<u32, f64>,
    pairs: HashMap<(u32, u32), f64>,
}

/// How a classifier is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearOptions {
    /// Who finds the words.
    pub tokens: Tokens,
    /// A feature must be on so many samples, or it is that page's own.
    pub min_documents: usize,
    /// The strongest features that are kept.
    pub max_features: usize,
    /// What a sample's loss weighs against the penalty on the weights. From 10 to 100 makes no
    /// difference on the pages of `tests/ebola.rs`; below, the classifier is timid.
    pub cost: f64,
    /// Pages that are more probable are relevant.
    pub threshold: f64,
}

impl Default for LinearOptions {
    fn default() -> Self {
        Self {
            tokens: Tokens::Unicode,
            min_documents: 2,
            max_features: 5_000,
            cost: 10.0,
            threshold: 0.5,
        }
    }
}

/// Samples are held out in this many parts to calibrate.
const PARTS: usize = 5;

impl Linear {
    /// Trains a classifier from the visible texts of examples and counter-examples.
    ///
    /// To calibrate, samples are held out in runs of neighbours. Give them in the order of their
    /// URLs: pages of one site are much alike, and should not be told by each other.
    pub fn learn(
        positive: &[&str],
        negative: &[&str],
        options: LinearOptions,
    ) -> Result<Self, TopicError> {
        if positive.is_empty() || negative.is_empty() {
            return Err(TopicError::samples(
                format!("{} examples and {} counter-examples", positive.len(), negative.len()),
                "a classifier needs both; a topic vector is learned from examples alone",
            ));
        }
        let texts = positive.iter().map(|text| (text, true));
        let texts = texts.chain(negative.iter().map(|text| (text, false)));
        let samples: Vec<_> =
            texts.map(|(text, positive)| (features(&options.tokens.bag(text)), positive)).collect();
        let mut df: BTreeMap<&str, usize> = BTreeMap::new();
        for (feature, _) in samples.iter().flat_map(|(features, _)| features) {
            *df.entry(feature).or_default() += 1;
        }
        let rarity = |df: usize| (1.0 + samples.len() as f64 / df as f64).ln();
        let mut vocabulary: Vec<(&str, f64)> = df
            .into_iter()
            .filter(|(_, df)| *df >= options.min_documents)
            .map(|(feature, df)| (feature, rarity(df)))
            .collect();
        if vocabulary.is_empty() {
            return Err(TopicError::samples(
                format!("no word stands on {} samples", options.min_documents),
                "give more samples",
            ));
        }
        let mut rows = rows(&samples, &vocabulary);
        let mut whole = fit_all(&rows, vocabulary.len(), options.cost);
        if vocabulary.len() > options.max_features {
            vocabulary = strongest(&vocabulary, &whole, options.max_features);
            rows = self::rows(&samples, &vocabulary);
            whole = fit_all(&rows, vocabulary.len(), options.cost);
        }
        let margins = held_out_margins(&rows, positive.len(), vocabulary.len(), options.cost);
        let (slope, shift) = calibrate(&margins).unwrap_or((1.0, 0.0));
        let mut weights: Vec<(Box<str>, f64)> = vocabulary
            .iter()
            .zip(&whole.weights)
            .map(|(&(feature, rarity), weight)| (feature.into(), slope * weight * rarity))
            .filter(|(_, weight)| *weight != 0.0)
            .collect();
        weights.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        let bias = slope * whole.bias + shift;
        Ok(Self::new(options.tokens, options.threshold, bias, weights))
    }

    fn new(tokens: Tokens, threshold: f64, bias: f64, weights: Vec<(Box<str>, f64)>) -> Self {
        let (mut words, mut singles, mut pairs) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut number = |word: &str| {
            let next = words.len() as u32;
            *words.entry(word.into()).or_insert(next)
        };
        for (feature, weight) in &weights {
            match feature.split_once(' ') {
                Some((a, b)) => _ = pairs.insert((number(a), number(b)), *weight),
                None => _ = singles.insert(number(feature), *weight),
            }
        }
        Self { tokens, threshold, bias, weights, words, singles, pairs }
    }

    /// Who finds the words.
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// Pages that are more probable are relevant.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The features, the strongest first, with what they add to the log-odds.
    pub fn weights(&self) -> &[(Box<str>, f64)] {
        &self.weights
    }

    /// How probable it is that the page is about the topic; 0 if none of its words says anything. None if it has fewer than 5
    /// words.
    pub fn score(&self, page: &Bag) -> Option<f64> {
        (page.length() >= SHORTEST_PAGE).then(|| self.score_phrase(page))
    }

    /// How probable it is that a few words are about the topic; 0 if none of them says anything.
    pub fn score_phrase(&self, phrase: &Bag) -> f64 {
        let (mut odds, mut any) = (self.bias, false);
        self.found(phrase, |_, _, value| (odds, any) = (odds + value, true));
        if any { sigmoid(odds) } else { 0.0 }
    }

    /// Calls `found` with what each known feature of the page adds to the log-odds, always in the
    /// same order, since sums of floating-point numbers depend on it.
    fn found(&self, page: &Bag, mut found: impl FnMut((u32, Option<u32>), u32, f64)) {
        let total = page.total().max(1) as f64;
        let value = |weight: f64, count: u32| weight * (f64::from(count) / total).sqrt();
        let distinct = page.distinct();
        let known: Vec<Option<u32>> =
            distinct.iter().map(|(word, _)| self.words.get(*word).copied()).collect();
        for (word, (_, count)) in known.iter().zip(&distinct) {
            if let Some(word) = word
                && let Some(weight) = self.singles.get(word)
            {
                found((*word, None), *count, value(*weight, *count));
            }
        }
        let pair = |words: &[u32]| Some((known[words[0] as usize]?, known[words[1] as usize]?));
        let mut pairs: Vec<_> = page.order().windows(2).filter_map(pair).collect();
        pairs.retain(|pair| self.pairs.contains_key(pair));
        pairs.sort_unstable();
        for same in pairs.chunk_by(|a, b| a == b) {
            let (a, b) = same[0];
            let count = same.len() as u32;
            found((a, Some(b)), count, value(self.pairs[&same[0]], count));
        }
    }

    pub(crate) fn evidence(&self, page: &Bag) -> Vec<Evidence> {
        let mut words = vec![""; self.words.len()];
        self.words.iter().for_each(|(word, &number)| words[number as usize] = word);
        let mut evidence = Vec::new();
        self.found(page, |(a, b), count, share| {
            let word = words[a as usize].to_owned();
            let word = b.map_or(word.clone(), |b| format!("{word} {}", words[b as usize]));
            evidence.push(Evidence { word, count, share });
        });
        evidence
    }

    pub(crate) fn parse(file: &File) -> Result<Self, TopicError> {
        let defaults = LinearOptions::default();
        let tokens = file.tokens(defaults.tokens)?;
        let threshold = file.threshold(defaults.threshold)?;
        let bias = file.number_note("bias")?.ok_or_else(|| {
            file.wrong_whole("the bias is missing", "write it in a line such as \"# bias: -1.5\"")
        })?;
        let mut known = HashMap::new();
        let mut weights = Vec::new();
        for (at, row) in file.rows() {
            let [feature, weight] = file.columns(at, row, "a word or two, and the weight")?;
            if let Some(before) = known.insert(feature, at) {
                return Err(file.wrong(
                    at,
                    format!("\"{feature}\" stands on line {before} already"),
                    "keep one of the lines",
                ));
            }
            if feature.is_empty() || feature.split(' ').count() > 2 {
                let what = format!("\"{feature}\" is neither a word nor two");
                return Err(file.wrong(at, what, "write one or two words with one space between"));
            }
            weights.push((feature.into(), file.number(at, "the weight", weight)?));
        }
        Ok(Self::new(tokens, threshold, bias, weights))
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "# kind: linear\n# tokens: {}\n# threshold: {}\n# bias: {}\n",
            self.tokens.name(),
            self.threshold,
            self.bias
        );
        for (feature, weight) in &self.weights {
            writeln!(text, "{feature}\t{weight}").expect("a string takes whatever is written");
        }
        text
    }
}

/// All features of a page with their values, by name.
fn features(page: &Bag) -> BTreeMap<String, f64> {
    let total = page.total().max(1) as f64;
    let distinct = page.distinct();
    let mut counts: BTreeMap<String, u32> =
        distinct.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect();
    for pair in page.order().windows(2) {
        let (a, b) = (distinct[pair[0] as usize].0, distinct[pair[1] as usize].0);
        *counts.entry(format!("{a} {b}")).or_default() += 1;
    }
    counts.into_iter().map(|(name, count)| (name, (f64::from(count) / total).sqrt())).collect()
}

fn rows(samples: &[(BTreeMap<String, f64>, bool)], vocabulary: &[(&str, f64)]) -> Vec<Row> {
    let index: HashMap<&str, (u32, f64)> =
        vocabulary.iter().zip(0..).map(|(&(name, rarity), at)| (name, (at, rarity))).collect();
    let row = |(features, positive): &(BTreeMap<String, f64>, bool)| Row {
        features: features
            .iter()
            .filter_map(|(name, x)| index.get(&**name).map(|(at, rarity)| (*at, x * rarity)))
            .collect(),
        positive: *positive,
    };
    samples.iter().map(row).collect()
}

fn fit_all(rows: &[Row], features: usize, cost: f64) -> Fit {
    fit(&rows.iter().collect::<Vec<_>>(), features, cost)
}

fn strongest<'v>(vocabulary: &[(&'v str, f64)], fit: &Fit, most: usize) -> Vec<(&'v str, f64)> {
    let mut order: Vec<usize> = (0..vocabulary.len()).collect();
    let strength = |at: usize| (fit.weights[at] * vocabulary[at].1).abs();
    order.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)).then(a.cmp(&b)));
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|at| vocabulary[at]).collect()
}

/// The margins of all samples, each told by a classifier that learned from the other parts.
/// The examples stand first; a part is a run of neighbours of either class.
fn held_out_margins(
    rows: &[Row],
    positives: usize,
    features: usize,
    cost: f64,
) -> Vec<(f64, bool)> {
    let parts = PARTS.min(positives).min(rows.len() - positives);
    if parts < 2 {
        return Vec::new();
    }
    let part = |at: usize| match at.checked_sub(positives) {
        None => at * parts / positives,
        Some(at) => at * parts / (rows.len() - positives),
    };
    let mut margins = Vec::with_capacity(rows.len());
    for held in 0..parts {
        let (out, rest): (Vec<_>, Vec<_>) = (0..rows.len()).partition(|&at| part(at) == held);
        let rest: Vec<&Row> = rest.into_iter().map(|at| &rows[at]).collect();
        let fit = fit(&rest, features, cost);
        margins.extend(out.into_iter().map(|at| (fit.margin(&rows[at]), rows[at].positive)));
    }
    margins
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIKES: [&str; 4] = [
        "our bike shop sells new bikes and repairs yours",
        "bike repair and mountain bike rental in town",
        "we repair every bike, bring your bike to the shop",
        "mountain bikes, city bikes, bike parts and repair",
    ];
    const OTHER: [&str; 5] = [
        "the museum opens on monday with a new exhibition",
        "install the linux kernel on your city server",
        "cheap flights and hotels for every town",
        "the shop sells bread, cakes and coffee to you",
        "news of the day from parliament and town",
    ];

    fn bikes() -> Linear {
        Linear::learn(&BIKES, &OTHER, LinearOptions::default()).unwrap()
    }

    #[test]
    fn tells_examples_from_counter_examples() {
        let bikes = bikes();
        let score = |text: &str| bikes.score(&Tokens::Unicode.bag(text));
        let yes = score("a bike that needs repair is brought here").unwrap();
        let no = score("the exhibition on flights opens on monday").unwrap();
        assert!(yes > 0.5 && no < 0.5, "{yes} {no}");
        assert_eq!(score("bike repair"), None);
        assert_eq!(score("nichts davon hat jemand je gesehen"), Some(0.0));
    }

    #[test]
    fn tells_pages_of_languages_without_spaces() {
        let positive = ["พิพิธภัณฑ์แห่งชาติกรุงเทพ", "ประวัติศาสตร์ในพิพิธภัณฑ์", "ไปเที่ยวพิพิธภัณฑ์กัน"];
        let negative = ["ข่าวกีฬาวันนี้", "ผลฟุตบอลวันนี้และข่าว", "ข่าวฟุตบอลต่างประเทศ"];
        let topic = Linear::learn(&positive, &negative, LinearOptions::default()).unwrap();
        let score = |text: &str| topic.score(&Tokens::Unicode.bag(text)).unwrap();
        assert!(score("พิพิธภัณฑ์ที่เราไปเที่ยวเมื่อวาน") > score("ข่าวฟุตบอลเมื่อวานที่เราดู"));
    }

    #[test]
    fn learns_the_same_every_time() {
        assert_eq!(bikes().to_text(), bikes().to_text());
    }

    #[test]
    fn keeps_the_strongest_features() {
        let options = LinearOptions { max_features: 3, ..LinearOptions::default() };
        let few = Linear::learn(&BIKES, &OTHER, options).unwrap();
        assert_eq!(few.weights().len(), 3);
        assert_eq!(&*few.weights()[0].0, "bike");
    }

    #[test]
    fn evidence_adds_up_to_the_score() {
        let (bikes, page) = (bikes(), Tokens::Unicode.bag(BIKES[1]));
        let odds = bikes.bias + bikes.evidence(&page).iter().map(|e| e.share).sum::<f64>();
        assert!((sigmoid(odds) - bikes.score(&page).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn needs_both_kinds_of_samples() {
        let wrong = Linear::learn(&BIKES, &[], LinearOptions::default()).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "4 examples and 0 counter-examples\n  a classifier needs both; a topic vector is \
             learned from examples alone"
        );
    }
}
