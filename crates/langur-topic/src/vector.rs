//! The topic vector of Gogar, Hubáček and Šedivý (2015).
//!
//! The words of some 40 example pages, weighted by TF-IDF and brought to length 1. A page's score is
//! not the cosine it looks like: the page's own vector has the topic's words alone, and is brought
//! to length 1 over those. So a page on which one topic word stands once among thousands of others
//! scores that word's weight: *museum* 0.838, twice the threshold. [`Vector::cosine`] is the true
//! cosine, over all words of the page.

use std::collections::HashMap;
use std::fmt::Write;

use crate::format::File;
use crate::{Bag, Evidence, Idf, PUBLISHED_DOCUMENTS, Tokens, TopicError};

/// Pages of fewer words are not judged.
pub(crate) const SHORTEST_PAGE: usize = 5;

/// A topic learned from example pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    tokens: Tokens,
    threshold: f64,
    documents: u64,
    terms: Vec<Term>,
    common: Vec<(Box<str>, f64)>,
    idf: HashMap<Box<str>, f64>,
}

/// A word of a topic vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The word.
    pub word: Box<str>,
    /// Its share of the vector: the squares of all weights sum to 1.
    pub weight: f64,
    /// How rare it is.
    pub idf: f64,
}

/// How a topic vector is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorOptions {
    /// A word must be in so many samples. None: in a quarter of them, at least 2 and at most 10,
    /// which is the authors' 10 of about 40, scaled.
    pub min_documents: Option<usize>,
    /// The heaviest words that are kept. The published vectors have 43 to 460 words; with few
    /// samples, far more would pass.
    pub max_words: usize,
    /// How many of the corpus's commonest words to keep the idf of, for the true cosine. Words that
    /// are neither the topic's nor common count as unseen.
    pub common_words: usize,
    /// Pages that score more are relevant. 0.4 is the authors'.
    pub threshold: f64,
}

impl Default for VectorOptions {
    fn default() -> Self {
        Self { min_documents: None, max_words: 500, common_words: 2_000, threshold: 0.4 }
    }
}

impl Vector {
    /// Learns a topic from the visible texts of example pages: TF summed over the pages, times idf,
    /// brought to length 1.
    pub fn learn(samples: &[&str], idf: &Idf, options: VectorOptions) -> Result<Self, TopicError> {
        let bags: Vec<_> = samples.iter().map(|text| idf.tokens().bag(text)).collect();
        let pages = bags.iter().filter(|bag| bag.total() > 0).count();
        if pages == 0 {
            return Err(TopicError::samples(
                "no sample page has a word that counts",
                "give pages with text",
            ));
        }
        let least = options.min_documents.unwrap_or_else(|| min_documents(pages));
        let mut sums: HashMap<&str, (u64, usize)> = HashMap::new();
        for (word, count) in bags.iter().flat_map(Bag::distinct) {
            let (tf, documents) = sums.entry(word).or_default();
            *tf += u64::from(count);
            *documents += 1;
        }
        sums.retain(|_, (_, documents)| *documents >= least);
        let mut terms: Vec<Term> = sums
            .into_iter()
            .map(|(word, (tf, _))| (word, tf as f64, idf.of(word)))
            .map(|(word, tf, idf)| Term { word: word.into(), weight: tf * idf, idf })
            .filter(|term| term.weight > 0.0)
            .collect();
        terms.sort_unstable_by(|a, b| b.weight.total_cmp(&a.weight).then(a.word.cmp(&b.word)));
        terms.truncate(options.max_words);
        if terms.is_empty() {
            return Err(TopicError::samples(
                format!("no word stands on {least} of the {pages} sample pages that have words"),
                "give more samples, or samples that are more alike",
            ));
        }
        normalise(&mut terms);
        let common = idf.commonest(options.common_words);
        let common = common.into_iter().map(|(word, idf)| (word.into(), idf)).collect();
        Ok(Self::new(idf.tokens(), options.threshold, idf.documents(), terms, common))
    }

    fn new(
        tokens: Tokens,
        threshold: f64,
        documents: u64,
        terms: Vec<Term>,
        mut common: Vec<(Box<str>, f64)>,
    ) -> Self {
        let mut idf: HashMap<_, _> =
            terms.iter().map(|term| (term.word.clone(), term.idf)).collect();
        common.retain(|(word, _)| !idf.contains_key(word));
        idf.extend(common.iter().cloned());
        Self { tokens, threshold, documents, terms, common, idf }
    }

    /// Who finds the words.
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// Pages that score more are relevant.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The words, the heaviest first unless the file had another order.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The published score: the page's TF-IDF over the topic's words alone, brought to length 1
    /// over those, times the topic vector. None if the page has fewer than 5 words.
    pub fn score(&self, page: &Bag) -> Option<f64> {
        (page.length() >= SHORTEST_PAGE).then(|| self.score_phrase(page))
    }

    /// The published score of a few words, however few.
    pub fn score_phrase(&self, phrase: &Bag) -> f64 {
        let (mut dot, mut squares) = (0.0, 0.0);
        for (term, value) in self.on(phrase) {
            dot += value * term.weight;
            squares += value * value;
        }
        share(dot, squares)
    }

    /// The cosine of the topic vector with the whole page: words that are neither the topic's nor
    /// common count with the idf of an unseen word. None if the page has fewer than 5 words.
    pub fn cosine(&self, page: &Bag) -> Option<f64> {
        if page.length() < SHORTEST_PAGE {
            return None;
        }
        let unseen = (self.documents.max(1) as f64).ln();
        // A sum of nothing is -0.
        let dot = self.on(page).map(|(term, value)| value * term.weight).sum::<f64>() + 0.0;
        let value = |word, count| self.idf.get(word).unwrap_or(&unseen) * f64::from(count);
        let squares = page.distinct().into_iter().map(|(word, count)| value(word, count).powi(2));
        Some(share(dot, squares.sum()))
    }

    pub(crate) fn evidence(&self, page: &Bag) -> Vec<Evidence> {
        let squares: f64 = self.on(page).map(|(_, value)| value * value).sum();
        self.on(page)
            .map(|(term, value)| Evidence {
                word: term.word.to_string(),
                count: page.count(&term.word),
                share: share(value * term.weight, squares),
            })
            .collect()
    }

    /// The topic's words on a page, with their TF-IDF there.
    fn on(&self, page: &Bag) -> impl Iterator<Item = (&Term, f64)> {
        self.terms.iter().filter_map(|term| {
            let count = page.count(&term.word);
            (count > 0).then(|| (term, f64::from(count) * term.idf))
        })
    }

    pub(crate) fn parse(file: &File) -> Result<Self, TopicError> {
        let tokens = file.tokens(Tokens::Published)?;
        let threshold = file.threshold(VectorOptions::default().threshold)?;
        let documents = file.documents(PUBLISHED_DOCUMENTS)?;
        let mut known = HashMap::new();
        let mut once = |at, word: &str| match known.insert(word.to_owned(), at) {
            Some(before) => Err(file.wrong(
                at,
                format!("\"{word}\" stands on line {before} already"),
                "keep one of the lines",
            )),
            None => Ok(()),
        };
        let mut terms = Vec::new();
        for (at, row) in file.rows() {
            let [word, weight, idf] = file.columns(at, row, "a word, its weight and its idf")?;
            once(at, word)?;
            let weight = file.weight(at, "the weight", weight)?;
            let idf = file.weight(at, "the idf", idf)?;
            terms.push(Term { word: word.into(), weight, idf });
        }
        let mut common = Vec::new();
        for (at, note) in file.notes("idf") {
            let [word, idf] = file.columns(at, note, "\"# idf:\", a word and its idf")?;
            once(at, word)?;
            common.push((word.into(), file.weight(at, "the idf", idf)?));
        }
        // Weights as written are kept to the last digit; weights by hand may have any length.
        let squares: f64 = terms.iter().map(|term| term.weight * term.weight).sum();
        if squares < 1e-18 {
            let advice = "write lines of a word, its weight and its idf, with tabs between them";
            return Err(file.wrong_whole("no word has a weight", advice));
        }
        if (squares - 1.0).abs() > 1e-3 {
            normalise(&mut terms);
        }
        Ok(Self::new(tokens, threshold, documents, terms, common))
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "# kind: vector\n# tokens: {}\n# threshold: {}\n# documents: {}\n",
            self.tokens.name(),
            self.threshold,
            self.documents
        );
        for Term { word, weight, idf } in &self.terms {
            writeln!(text, "{word}\t{weight}\t{idf}").expect("a string takes whatever is written");
        }
        for (word, idf) in &self.common {
            writeln!(text, "# idf: {word}\t{idf}").expect("a string takes whatever is written");
        }
        text
    }
}

/// In a quarter of the samples, at least 2 (1 if there is but one) and at most 10.
fn min_documents(samples: usize) -> usize {
    samples.div_ceil(4).clamp(2, 10).min(samples.max(1))
}

fn normalise(terms: &mut [Term]) {
    let length = terms.iter().map(|term| term.weight * term.weight).sum::<f64>().sqrt();
    terms.iter_mut().for_each(|term| term.weight /= length);
}

/// A part of a vector of that length, at most 1 whatever the rounding.
fn share(part: f64, squares: f64) -> f64 {
    if squares > 0.0 { (part / squares.sqrt()).min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Linux vector as published (`linux_topic.txt`): word, TF over the samples, documents of
    /// the corpus that have it. Both were recovered from its weights and idfs, which whole numbers
    /// give to the last digit. The smallest TF is 10: a word is on at least 10 samples.
    const LINUX: &str = "administration 25 8023 applications 42 13626 based 32 39183 basic 29 14273 \
        best 32 91902 com 57 207412 command 300 4166 commands 111 1310 configuration 48 3401 contact \
        13 209613 copyright 10 125857 create 51 50026 current 55 36698 data 38 38845 desktop 49 11237 \
        development 25 26171 different 30 34168 directory 208 28689 environment 41 15703 file 282 \
        21528 files 160 15979 free 52 132968 good 23 60991 help 44 122362 home 94 224953 information \
        40 114088 install 125 8142 interface 34 6036 introduction 26 6902 kernel 48 569 learn 40 43402 \
        like 85 96408 line 80 39540 links 55 67429 linux 697 4849 list 61 68358 log 30 44055 make 58 \
        84851 need 52 73830 network 21 35776 new 58 170519 open 64 44526 operating 53 8265 output 52 \
        5062 page 39 107671 pages 41 35566 process 45 27444 program 50 34498 programming 38 6204 read \
        71 64467 run 65 23799 search 40 154485 security 21 33167 server 105 12155 servers 19 6042 set \
        57 45586 shell 265 4348 simple 16 25156 software 95 35415 source 63 25061 started 19 25794 \
        starting 15 13990 support 21 69951 systems 43 25857 text 52 29525 time 53 114847 tools 33 \
        45433 tutorial 73 3298 tutorials 49 5063 ubuntu 68 1013 unix 86 1674 use 212 129670 useful 23 \
        13653 user 99 38818 users 78 23652 version 32 29202 want 66 61425 way 34 60871 web 59 66305 \
        windows 72 20256 work 56 63633 write 24 27356";

    fn linux() -> Vector {
        let mut df = format!("__total_document__count\t{PUBLISHED_DOCUMENTS}\n");
        let mut pages = vec![String::new(); 10];
        let words: Vec<_> = LINUX.split_ascii_whitespace().collect();
        for word in words.chunks(3) {
            writeln!(df, "{}\t{}", word[0], word[2]).unwrap();
            for time in 0..word[1].parse().unwrap() {
                write!(pages[time % 10], " {}", word[0]).unwrap();
            }
        }
        pages[1..].iter_mut().for_each(|page| page.push_str(" ninefold"));
        let samples: Vec<_> = pages.iter().map(String::as_str).collect();
        let options = VectorOptions { min_documents: Some(10), ..VectorOptions::default() };
        Vector::learn(&samples, &Idf::parse("df", &df).unwrap(), options).unwrap()
    }

    fn weight(vector: &Vector, word: &str) -> f64 {
        vector.terms.iter().find(|term| &*term.word == word).map_or(0.0, |term| term.weight)
    }

    #[test]
    fn learns_the_published_linux_vector_to_the_last_digit() {
        let vector = linux();
        assert_eq!((vector.terms.len(), &*vector.terms[0].word), (82, "linux"));
        for (word, published) in [
            ("linux", 0.7596781553525931),
            ("command", 0.3384630808324377),
            ("shell", 0.29611825480535603),
            ("kernel", 0.07823918317638057),
            ("home", 0.011479758345221289),
            ("copyright", 0.002686078095374393),
            ("contact", 0.0018192188562718755),
            ("ninefold", 0.0),
        ] {
            assert!((weight(&vector, word) - published).abs() < 1e-15, "{word}");
        }
    }

    /// `museums_topic.txt` has *museum* at 0.838: its one occurrence passes the threshold.
    #[test]
    fn one_word_alone_scores_its_weight() {
        let file = "museum\t0.8377127688396163\t4.0036502016565905\n\
                    history\t0.24944533871565744\t2.2326950621016524\n\
                    rest\t0.4858\t1\n";
        let vector = Vector::parse(&File::new("museums", file)).unwrap();
        let page = |text: &str| Tokens::Published.bag(text);
        let one = "the museum is not open to you";
        assert_eq!(vector.score(&page(one)), Some(0.8377127688396163));
        assert_eq!(
            vector.score(&page("museum museum museum and much more")),
            Some(0.8377127688396163)
        );
        // museum + history: (0.83771 * 4.00365 + 0.24945 * 2.23270) / |(4.00365, 2.23270)|
        let both = vector.score(&page("a museum of history for all")).unwrap();
        assert!((both - 0.8531).abs() < 1e-4, "{both}");
        assert_eq!(vector.score(&page("nothing of the kind stands here")), Some(0.0));
        assert_eq!(vector.score(&page("museum museum museum museum")), None);
        // The true cosine sees the other word: 4.00365 * 0.83771 / |(4.00365, ln N)|.
        let cosine = vector.cosine(&page(one)).unwrap();
        assert!((cosine - 0.2499).abs() < 1e-4, "{cosine}");
        let digit = |digit: usize| char::from(b'a' + digit as u8);
        let other =
            |at: usize| format!("x{}{}{} ", digit(at / 100), digit(at / 10 % 10), digit(at % 10));
        let long = format!("museum {}", (0..1000).map(other).collect::<String>());
        let long = page(&long);
        assert_eq!((long.total(), vector.score(&long)), (1001, Some(0.8377127688396163)));
        assert!((vector.cosine(&long).unwrap() - 0.0083).abs() < 1e-4);
        assert_eq!(vector.cosine(&page("museum ".repeat(6).as_str())), Some(0.8377127688396163));
    }

    #[test]
    fn a_word_must_stand_on_a_quarter_of_few_samples() {
        assert_eq!(
            [0, 1, 2, 7, 8, 9, 20, 40, 1000].map(min_documents),
            [1, 1, 2, 2, 2, 3, 5, 10, 10]
        );
    }

    #[test]
    fn learns_words_of_languages_without_spaces() {
        let samples = ["พิพิธภัณฑ์แห่งชาติกรุงเทพ", "พิพิธภัณฑ์และประวัติศาสตร์", "เที่ยวพิพิธภัณฑ์"];
        let idf = Idf::count(Tokens::Unicode, ["ไปเที่ยวทะเลและภูเขา", "ข่าววันนี้และกีฬา", "และ", "และ"]);
        let vector = Vector::learn(&samples, &idf, VectorOptions::default()).unwrap();
        assert_eq!(&*vector.terms[0].word, "พิพิธภัณฑ์");
        let page = Tokens::Unicode.bag("วันนี้เราไปพิพิธภัณฑ์กันทั้งครอบครัว");
        assert!(vector.score(&page).unwrap() > 0.4);
    }

    #[test]
    fn says_what_is_wrong_with_samples() {
        let idf = Idf::flat(Tokens::Published);
        let wrong = Vector::learn(&["linux", "museum", ""], &idf, VectorOptions::default());
        assert_eq!(
            wrong.unwrap_err().to_string(),
            "no word stands on 2 of the 2 sample pages that have words\n  \
             give more samples, or samples that are more alike"
        );
    }
}
