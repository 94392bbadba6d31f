//! How rare a word is.
//!
//! The idf of a word is `ln(N / (df + 1))` over a corpus of `N` documents, `df` of which have it. The
//! corpus may be anything: the pages of a web space, the counter-examples of a topic, a folder.
//! Parts of a corpus are counted apart and merged.

use std::collections::HashMap;
use std::fmt::Write;

use crate::format::File;
use crate::{Bag, Tokens, TopicError};

/// The documents behind the idfs of the published topic vectors, recovered from their words: with it
/// the published idfs come from whole numbers of documents. (The paper says 370,000.)
pub const PUBLISHED_DOCUMENTS: u64 = 365_063;

const TOTAL: &str = "__total_document__count";

/// In how many documents of a corpus each word occurs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Idf {
    tokens: Tokens,
    documents: u64,
    df: HashMap<Box<str>, u64>,
}

impl Idf {
    /// Of no document yet.
    pub fn new(tokens: Tokens) -> Self {
        Self { tokens, documents: 0, df: HashMap::new() }
    }

    /// Of a corpus that nothing is known of: all words are equally rare, as rare as one that none of
    /// the published documents has. What is learned with it leans on the English stop list alone.
    pub fn flat(tokens: Tokens) -> Self {
        Self { documents: PUBLISHED_DOCUMENTS, ..Self::new(tokens) }
    }

    /// Of these documents.
    pub fn count<'t>(tokens: Tokens, documents: impl IntoIterator<Item = &'t str>) -> Self {
        let mut idf = Self::new(tokens);
        documents.into_iter().for_each(|text| idf.add(&tokens.bag(text)));
        idf
    }

    /// Counts one more document, taken apart by [`Idf::tokens`].
    pub fn add(&mut self, document: &Bag) {
        self.documents += 1;
        for (word, _) in document.distinct() {
            match self.df.get_mut(word) {
                Some(df) => *df += 1,
                None => _ = self.df.insert(word.into(), 1),
            }
        }
    }

    /// Adds the counts of another part of the corpus.
    pub fn merge(&mut self, other: &Self) -> Result<(), TopicError> {
        if self.tokens != other.tokens {
            return Err(TopicError::samples(
                format!(
                    "document frequencies of {} words cannot be added to those of {} words",
                    other.tokens.name(),
                    self.tokens.name()
                ),
                "count both parts with the same tokeniser",
            ));
        }
        self.documents = self.documents.saturating_add(other.documents);
        for (word, &df) in &other.df {
            let sum = self.df.entry(word.clone()).or_default();
            *sum = sum.saturating_add(df);
        }
        Ok(())
    }

    /// Forgets the words of fewer than `least` documents. Half of a corpus's words occur once; they
    /// then count as unseen, which makes them hardly rarer.
    pub fn prune(&mut self, least: u64) {
        self.df.retain(|_, df| *df >= least);
    }

    /// Who finds the words.
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// How many documents were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// In how many documents a word occurs.
    pub fn df(&self, word: &str) -> u64 {
        self.df.get(word).copied().unwrap_or(0)
    }

    /// `ln(N / (df + 1))`, but never negative: a word in every document says nothing.
    pub fn of(&self, word: &str) -> f64 {
        idf(self.documents, self.df(word))
    }

    /// The words of the most documents, with their idf, the commonest first.
    pub fn commonest(&self, most: usize) -> Vec<(&str, f64)> {
        let mut words: Vec<_> = self.df.iter().map(|(word, &df)| (&**word, df)).collect();
        words.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        words.truncate(most);
        words.into_iter().map(|(word, df)| (word, idf(self.documents, df))).collect()
    }

    /// Reads the authors' format: a line `__total_document__count` and the number of documents, then
    /// lines of a word and its number of documents, all with a tab between.
    pub fn parse(name: &str, text: &str) -> Result<Self, TopicError> {
        let file = File::new(name, text);
        let whole = |at, what: &str, text: &str| {
            text.trim().parse::<u64>().map_err(|_| {
                file.wrong(at, format!("{what} is \"{text}\""), "write a whole number of documents")
            })
        };
        let mut idf = Self::new(file.tokens(Tokens::Published)?);
        let mut rows = file.rows();
        let header = format!("start the file with {TOTAL}, a tab and the number of documents");
        let Some((at, row)) = rows.next() else {
            return Err(file.wrong_whole("there are no document frequencies", header));
        };
        match file.columns(at, row, "a word and its number of documents")? {
            [TOTAL, documents] => idf.documents = whole(at, "the number of documents", documents)?,
            _ => return Err(file.wrong(at, "the number of documents is missing", header)),
        }
        for (at, row) in rows {
            let [word, df] = file.columns(at, row, "a word and its number of documents")?;
            let df = whole(at, "the number of documents with the word", df)?;
            if df > idf.documents {
                return Err(file.wrong(
                    at,
                    format!("\"{word}\" is in {df} of {} documents", idf.documents),
                    "count the corpus again",
                ));
            }
            if idf.df.insert(word.into(), df).is_some() {
                return Err(file.wrong(
                    at,
                    format!("\"{word}\" stands twice"),
                    "keep one of the lines",
                ));
            }
        }
        Ok(idf)
    }

    /// Writes what [`Idf::parse`] reads, words in order.
    pub fn to_text(&self) -> String {
        let mut words: Vec<_> = self.df.iter().collect();
        words.sort_unstable();
        let mut text = format!("# tokens: {}\n{TOTAL}\t{}\n", self.tokens.name(), self.documents);
        for (word, df) in words {
            writeln!(text, "{word}\t{df}").expect("a string takes whatever is written");
        }
        text
    }
}

fn idf(documents: u64, df: u64) -> f64 {
    (documents.max(1) as f64 / (df as f64 + 1.0)).ln().max(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Idfs of the published topic vectors (`linux_topic.txt`, `museums_topic.txt`), which whole
    /// numbers of documents give to the last bit.
    #[test]
    fn published_idfs() {
        for (df, published) in [
            (0, 12.807825220410216),
            (569, 6.4621888595816195),
            (775, 6.153672700226997),
            (4_849, 4.321091236478686),
            (6_661, 4.0036502016565905),
            (209_613, 0.5548021973186744),
            (224_953, 0.4841740045697171),
        ] {
            assert!((idf(PUBLISHED_DOCUMENTS, df) - published).abs() < 1e-15, "df {df}");
        }
        assert_eq!(Idf::flat(Tokens::Published).of("anything"), 12.807825220410216);
    }

    #[test]
    fn counts_a_word_once_a_document() {
        let idf = Idf::count(Tokens::Unicode, ["linux linux kernel", "linux shell", "museum"]);
        assert_eq!((idf.documents(), idf.df("linux"), idf.df("museum")), (3, 2, 1));
        assert_eq!((idf.of("linux"), idf.of("unseen")), (0.0, 3f64.ln()));
        assert_eq!(idf.commonest(2)[0], ("linux", 0.0));
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(Idf::parse("x.idf", text).unwrap_err().to_string(), message);
    }

    #[test]
    fn refuses_with_the_line_and_what_to_do() {
        refused(
            "linux\t5\n",
            "x.idf, line 1: the number of documents is missing\n  start the file with \
             __total_document__count, a tab and the number of documents",
        );
        refused(
            "__total_document__count\t7\nlinux\t9\n",
            "x.idf, line 2: \"linux\" is in 9 of 7 documents\n  count the corpus again",
        );
        refused(
            "__total_document__count\t7\nlinux 9\n",
            "x.idf, line 2: 1 columns instead of 2\n  write a word and its number of documents, \
             with tabs between them",
        );
    }

    proptest! {
        #[test]
        fn parts_merge_to_the_whole_and_files_round_trip(
            documents in prop::collection::vec("[a-d ]{0,30}|[ก-ฮ า]{0,20}", 0..8), cut in 0usize..8,
        ) {
            let cut = cut.min(documents.len());
            let texts: Vec<&str> = documents.iter().map(String::as_str).collect();
            let whole = Idf::count(Tokens::Unicode, texts.iter().copied());
            let mut part = Idf::count(Tokens::Unicode, texts[..cut].iter().copied());
            part.merge(&Idf::count(Tokens::Unicode, texts[cut..].iter().copied())).unwrap();
            prop_assert_eq!(&part, &whole);
            prop_assert_eq!(Idf::parse("x", &whole.to_text()).unwrap(), whole);
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            _ = Idf::parse("x", &text);
            _ = Idf::parse("x", &format!("{TOTAL}\t5\n{text}"));
        }
    }
}
