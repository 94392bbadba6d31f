//! A topic of any kind.

use crate::format::File;
use crate::{
    Idf, Keywords, Linear, LinearOptions, Tokens, TopicError, Vector, VectorOptions, Words,
};

/// What a page may be about, by any of the three ways to tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Topic {
    /// What reports call it.
    pub name: String,
    /// How it is told.
    pub kind: Kind,
}

/// How a topic is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// By a TF-IDF topic vector.
    Vector(Vector),
    /// By weighted keywords.
    Keywords(Keywords),
    /// By a trained classifier.
    Linear(Linear),
}

/// How much a page is about a topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicScore {
    /// From 0 to 1, as the kind of topic scores; 0 if the page is too short.
    pub score: f64,
    /// Whether the score is above the topic's threshold.
    pub relevant: bool,
    /// The true cosine, from a topic vector.
    pub cosine: Option<f64>,
    /// Whether the page has too few words to be judged.
    pub too_short: bool,
    /// The page's words without stop words.
    pub words: usize,
}

/// A word that speaks for a topic, or against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The word, or the words.
    pub word: String,
    /// How often it stands on the page.
    pub count: u32,
    /// What it adds to the score; to the log-odds, from a classifier, where it may be negative.
    pub share: f64,
}

impl Topic {
    /// Reads a topic file. A file that does not say its kind is a published topic vector: three
    /// columns, the published tokeniser, threshold 0.4.
    pub fn parse(name: &str, text: &str) -> Result<Self, TopicError> {
        let file = File::new(name, text);
        let kind = match file.note("kind")? {
            None | Some((_, "vector")) => Kind::Vector(Vector::parse(&file)?),
            Some((_, "keywords")) => Kind::Keywords(Keywords::parse(&file)?),
            Some((_, "linear")) => Kind::Linear(Linear::parse(&file)?),
            Some((at, other)) => {
                let what = format!("no kind of topic is called \"{other}\"");
                return Err(file.wrong(at, what, "write vector, keywords or linear"));
            }
        };
        Ok(Self { name: name.to_owned(), kind })
    }

    /// Writes what [`Topic::parse`] reads.
    pub fn to_text(&self) -> String {
        match &self.kind {
            Kind::Vector(vector) => vector.to_text(),
            Kind::Keywords(keywords) => keywords.to_text(),
            Kind::Linear(linear) => linear.to_text(),
        }
    }

    /// Learns a topic vector. Without an idf it is counted over the counter-examples; without
    /// counter-examples all words count as equally rare.
    pub fn learn_vector(
        name: &str,
        positive: &[&str],
        negative: &[&str],
        idf: Option<&Idf>,
        options: VectorOptions,
    ) -> Result<Self, TopicError> {
        let counted;
        let idf = match (idf, negative) {
            (Some(idf), _) => idf,
            (None, []) => {
                counted = Idf::flat(Tokens::Unicode);
                &counted
            }
            (None, _) => {
                counted = Idf::count(Tokens::Unicode, negative.iter().copied());
                &counted
            }
        };
        let kind = Kind::Vector(Vector::learn(positive, idf, options)?);
        Ok(Self { name: name.to_owned(), kind })
    }

    /// Trains a classifier.
    pub fn learn_linear(
        name: &str,
        positive: &[&str],
        negative: &[&str],
        options: LinearOptions,
    ) -> Result<Self, TopicError> {
        let kind = Kind::Linear(Linear::learn(positive, negative, options)?);
        Ok(Self { name: name.to_owned(), kind })
    }

    /// Judges the visible text of a page.
    pub fn judge(&self, text: &str) -> TopicScore {
        self.judge_words(&Words::of(text))
    }

    /// Judges a page whose words other topics want too.
    pub fn judge_words(&self, words: &Words) -> TopicScore {
        let page = words.by(self.tokens());
        let (score, cosine) = match &self.kind {
            Kind::Vector(vector) => (vector.score(page), vector.cosine(page)),
            Kind::Keywords(keywords) => ((page.total() > 0).then(|| keywords.score(page)), None),
            Kind::Linear(linear) => (linear.score(page), None),
        };
        TopicScore {
            score: score.unwrap_or(0.0),
            relevant: score.is_some_and(|score| score > self.threshold()),
            cosine,
            too_short: score.is_none(),
            words: page.total(),
        }
    }

    /// How much a few words, such as a link's text, are about the topic: the score without the rule that
    /// a page has five words.
    pub fn score_phrase(&self, words: &Words) -> f64 {
        let phrase = words.by(self.tokens());
        match &self.kind {
            Kind::Vector(vector) => vector.score_phrase(phrase),
            Kind::Keywords(keywords) => keywords.score(phrase),
            Kind::Linear(linear) => linear.score_phrase(phrase),
        }
    }

    /// The words that speak loudest, at most so many.
    pub fn evidence(&self, words: &Words, most: usize) -> Vec<Evidence> {
        let page = words.by(self.tokens());
        let mut evidence = match &self.kind {
            Kind::Vector(vector) => vector.evidence(page),
            Kind::Keywords(keywords) => keywords.evidence(page),
            Kind::Linear(linear) => linear.evidence(page),
        };
        evidence.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()).then(a.word.cmp(&b.word)));
        evidence.truncate(most);
        evidence
    }

    /// Pages that score more are relevant.
    pub fn threshold(&self) -> f64 {
        match &self.kind {
            Kind::Vector(vector) => vector.threshold(),
            Kind::Keywords(keywords) => keywords.threshold(),
            Kind::Linear(linear) => linear.threshold(),
        }
    }

    /// Who finds the words.
    pub fn tokens(&self) -> Tokens {
        match &self.kind {
            Kind::Vector(vector) => vector.tokens(),
            Kind::Keywords(keywords) => keywords.tokens(),
            Kind::Linear(linear) => linear.tokens(),
        }
    }

    /// As files and options call the kind.
    pub fn kind_name(&self) -> &'static str {
        match &self.kind {
            Kind::Vector(_) => "vector",
            Kind::Keywords(_) => "keywords",
            Kind::Linear(_) => "linear",
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [&str; 3] = [
        "museum\t0.8377127688396163\t4.0036502016565905\nrest\t0.5461\t1\n",
        "# kind: keywords\nmuseum\t0.75\nart history\t0.25\n",
        "# kind: linear\n# bias: -2\nmuseum\t12.5\nart history\t4\nkernel\t-9\n",
    ];

    #[test]
    fn a_file_without_comments_is_a_published_vector() {
        let topic = Topic::parse("museums", KINDS[0]).unwrap();
        assert_eq!(
            (topic.kind_name(), topic.tokens(), topic.threshold()),
            ("vector", Tokens::Published, 0.4)
        );
    }

    #[test]
    fn every_kind_judges_words_that_are_found_once() {
        let words = Words::of("The Museum of Art History is open to you today.");
        for kind in KINDS {
            let topic = Topic::parse("museums", kind).unwrap();
            let score = topic.judge_words(&words);
            assert!(score.relevant && !score.too_short, "{kind} {score:?}");
            assert_eq!(topic.evidence(&words, 1)[0].word, "museum");
            assert_eq!(topic.judge("The Museum of Art History is open to you today."), score);
            assert!(topic.judge("").too_short && !topic.judge("").relevant);
        }
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(Topic::parse("x.topic", text).unwrap_err().to_string(), message);
    }

    #[test]
    fn refuses_with_the_line_and_what_to_do() {
        refused(
            "# kind: neural\n",
            "x.topic, line 1: no kind of topic is called \"neural\"\n  write vector, keywords or linear",
        );
        refused(
            "museum\t0.8\n",
            "x.topic, line 1: 2 columns instead of 3\n  write a word, its weight and its idf, \
             with tabs between them",
        );
        refused(
            "museum\t0.8\tnan\n",
            "x.topic, line 1: the idf is \"nan\"\n  write a number such as 0.25, at most a \
             thousand million",
        );
        refused(
            "museum\t-1\t2\n",
            "x.topic, line 1: the weight is -1\n  write a number that is not negative",
        );
        refused(
            "museum\t1\t2\n\nmuseum\t1\t2\n",
            "x.topic, line 3: \"museum\" stands on line 1 already\n  keep one of the lines",
        );
        refused(
            "",
            "x.topic: no word has a weight\n  write lines of a word, its weight and its idf, \
             with tabs between them",
        );
        refused(
            "# kind: linear\nbike\t1\n",
            "x.topic: the bias is missing\n  write it in a line such as \"# bias: -1.5\"",
        );
        refused(
            "# kind: keywords\n# threshold: 7\nbike\t1\n",
            "x.topic, line 2: the threshold is 7\n  write one from 0 to 1",
        );
    }

    #[track_caller]
    fn round_trips(topic: &Topic) {
        let text = topic.to_text();
        let again = Topic::parse(&topic.name, &text).unwrap();
        assert_eq!(&again, topic);
        assert_eq!(again.to_text(), text);
    }

    fn samples() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("([a-f]{3}|ภาษา|ไทย|東京|天安门|[0-9]{2}|[.,]) ?{0,12}|.{0,30}", 1..6)
    }

    proptest! {
        #[test]
        fn learned_topics_round_trip_and_score_in_range(
            positive in samples(), negative in samples(), page in ".{0,60}|([a-f]{3} ){0,20}",
        ) {
            let positive: Vec<_> = positive.iter().map(String::as_str).collect();
            let negative: Vec<_> = negative.iter().map(String::as_str).collect();
            let vector = Topic::learn_vector("x", &positive, &negative, None, VectorOptions::default());
            let flat = Topic::learn_vector("x", &positive, &[], None, VectorOptions::default());
            let linear = Topic::learn_linear("x", &positive, &negative, LinearOptions::default());
            let topics: Vec<_> = [vector, flat, linear].into_iter().flatten().collect();
            for text in positive.iter().copied().chain([&*page]) {
                let words = Words::of(text);
                for topic in &topics {
                    let score = topic.judge_words(&words);
                    prop_assert!((0.0..=1.0).contains(&score.score), "{:?}", score);
                    prop_assert!(score.cosine.is_none_or(|cosine| (0.0..=1.0).contains(&cosine)));
                    // The page's other words can only lengthen its vector.
                    prop_assert!(score.cosine.is_none_or(|cosine| cosine <= score.score + 1e-12));
                }
            }
            topics.iter().for_each(round_trips);
        }

        #[test]
        fn files_that_are_read_round_trip(
            kind in prop::sample::select(vec!["vector", "keywords", "linear"]),
            rows in prop::collection::vec(("[a-zก-ฮ漢]{1,6}( [a-z]{3})?", 0.0..1e9f64, 0.0..20f64), 1..8),
            bias in -1e9..1e9f64,
        ) {
            let mut text = format!("# kind: {kind}\n# bias: {bias}\n# idf: common\t0.1\n");
            for (word, weight, idf) in rows {
                text += &match kind {
                    "vector" => format!("{word}\t{weight}\t{idf}\n"),
                    _ => format!("{word}\t{weight}\n"),
                };
            }
            if let Ok(topic) = Topic::parse("x", &text) {
                round_trips(&topic);
                let score = topic.judge(&text).score;
                prop_assert!((0.0..=1.0).contains(&score));
            }
        }

        #[test]
        fn any_file_is_read_or_refused_and_any_text_judged(
            file in any::<String>(), lines in "(# (kind: (vector|keywords|linear)|bias: 1|idf: a\t1|[a-z]*:)|[a-c]{1,3}\t[-0-9.e]{1,4}(\t[0-9]{1,2})?|\t|\n){0,20}",
            page in any::<String>(),
        ) {
            for text in [file, lines] {
                if let Ok(topic) = Topic::parse("x", &text) {
                    prop_assert!((0.0..=1.0).contains(&topic.judge(&page).score));
                    round_trips(&topic);
                }
            }
        }
    }
}
