//! The default judge and the libraries that one could use instead.

use langur_crawl::Language;
use langur_language::{Judge, declared};
use langur_reader::profiles;
use langur_textcat::{Categories, Verdict};

/// Tells the language of a text.
pub trait Identifier: Sync {
    /// What it is called.
    fn name(&self) -> &str;
    /// The languages it can give as an answer.
    fn languages(&self) -> Vec<Language>;
    /// The language of a text, or nothing if it cannot tell.
    fn identify(&self, text: &str) -> Option<Answer>;
}

/// A language, and how probable it is, from those who say.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The language.
    pub language: Language,
    /// The probability.
    pub probability: Option<f32>,
}

/// An answer of those who do not say how sure they are.
fn plain(language: Language) -> Answer {
    Answer { language, probability: None }
}

/// The default judge, among all its languages or some.
pub struct Ours(pub Judge);

impl Identifier for Ours {
    fn name(&self) -> &str {
        "langur"
    }
    fn languages(&self) -> Vec<Language> {
        self.0.languages().collect()
    }
    fn identify(&self, text: &str) -> Option<Answer> {
        if text.starts_with("http://") || text.starts_with("https://") {
            let verdict = self.0.url(text);
            let probability = Some(verdict.probability);
            return verdict.language.map(|language| Answer { language, probability });
        }
        // Compared with others that always answer, it says what it would say if it had to.
        let verdict = self.0.text(text);
        let language = verdict.language.or_else(|| Some(verdict.languages.first()?.language))?;
        Some(Answer { language, probability: Some(verdict.probability) })
    }
}

/// Everything to compare with.
pub fn peers() -> Vec<Box<dyn Identifier>> {
    let textcat = profiles().expect("the profiles that come with Langur are whole");
    vec![Box::new(Whatlang), Box::new(Whichlang), Box::new(TextCat(textcat))]
}

struct Whatlang;

impl Identifier for Whatlang {
    fn name(&self) -> &str {
        "whatlang"
    }
    fn languages(&self) -> Vec<Language> {
        whatlang::Lang::all().iter().filter_map(|lang| declared(lang.code())).collect()
    }
    fn identify(&self, text: &str) -> Option<Answer> {
        let found = whatlang::detect(text)?;
        let probability = Some(found.confidence() as f32);
        declared(found.lang().code()).map(|language| Answer { language, probability })
    }
}

struct Whichlang;

impl Identifier for Whichlang {
    fn name(&self) -> &str {
        "whichlang"
    }
    fn languages(&self) -> Vec<Language> {
        whichlang::LANGUAGES.iter().filter_map(|lang| declared(lang.three_letter_code())).collect()
    }
    fn identify(&self, text: &str) -> Option<Answer> {
        declared(whichlang::detect_language(text).three_letter_code()).map(plain)
    }
}

/// The baseline of the founding papers, with profiles of ours.
struct TextCat(Categories);

impl Identifier for TextCat {
    fn name(&self) -> &str {
        "textcat"
    }
    fn languages(&self) -> Vec<Language> {
        self.0.names().filter_map(|name| Language::parse(name).ok()).collect()
    }
    fn identify(&self, text: &str) -> Option<Answer> {
        match self.0.classify(text.as_bytes()) {
            Verdict::Candidates(names) => Language::parse(names.first()?).ok().map(plain),
            _ => None,
        }
    }
}
