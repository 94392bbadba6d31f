//! From the bytes of a page to what they say: charset, links, text, language, topics.
//!
//! [`Reader::read`] is a pure function of the bytes, what HTTP said of them and the page's URL. The
//! archived and the live web read every page through it, and so does `langur classify`.

mod profiles;
mod rule;

use std::borrow::Cow;

use langur_crawl::Language;
use langur_language::{Evidence, Judge, Memory, Verdict};
use langur_page::html::Document;
use langur_page::{Address, Decoding, decide, is_binary, top_level_domain};
use langur_topic::{Topic, TopicScore, Words};

pub use profiles::{BadProfiles, profiles, profiles_of};
pub use rule::{Rule, textcat};

/// A page with less text than this is judged by its title and description too.
const LITTLE_TEXT: usize = 400;

/// What HTTP said of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said<'a> {
    /// The value of `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The value of `Content-Language`.
    pub content_language: Option<&'a str>,
}

impl Said<'_> {
    /// Whether it is text without markup, whatever looks like markup in it.
    fn is_plain(&self) -> bool {
        let media_type = self.content_type.and_then(|value| value.split(';').next());
        media_type.is_some_and(|it| it.trim().eq_ignore_ascii_case("text/plain"))
    }
}

/// Reads pages.
pub struct Reader {
    judge: Judge,
    rule: Rule,
    topics: Vec<Topic>,
}

/// What a page says.
pub struct Reading {
    /// Whether it is text at all. What is not says nothing.
    pub is_text: bool,
    /// How its bytes are to be read, and how that was decided.
    pub decoding: Decoding,
    /// Its links and text.
    pub document: Document,
    /// What the default judge says of its language.
    pub verdict: Verdict,
    /// Its language by the rule asked for.
    pub language: Option<Language>,
    /// How it scores on each topic.
    pub topics: Vec<TopicScore>,
}

impl Reader {
    /// A reader that goes by a rule for the language, and scores pages on topics.
    pub fn new(rule: Rule, topics: Vec<Topic>) -> Reader {
        Reader { judge: Judge::new(), rule, topics }
    }

    /// A reader whose judge chooses among these languages only.
    #[must_use]
    pub fn among(mut self, languages: &[Language]) -> Reader {
        self.judge = self.judge.among(languages);
        self
    }

    /// The rule for the language.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The default judge.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// The topics that pages are scored on.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// Reads a page: its bytes, what HTTP said of them, and its URL.
    pub fn read(&self, bytes: &[u8], said: Said, url: Option<&Address>) -> Reading {
        self.read_with(bytes, said, url, &mut Memory::none())
    }

    /// The same, one page of many: what words said before need not be looked up again.
    pub fn read_with(
        &self,
        bytes: &[u8],
        said: Said,
        url: Option<&Address>,
        memory: &mut Memory,
    ) -> Reading {
        let decoding = decide(bytes, said.content_type);
        let is_text = !is_binary(bytes, decoding.charset);
        let text = if is_text { decoding.decode(bytes) } else { Cow::default() };
        let document = match said.is_plain() {
            true => Document::of(&text.replace('&', "&amp;").replace('<', "&lt;")),
            false => Document::of(&text),
        };
        // What is no text is in no charset, and in no language.
        let charset = is_text.then(|| decoding.charset.name());
        let verdict = self.judge_document(charset, &document, said, url, memory);
        let language = match &self.rule {
            Rule::Langur => verdict.language,
            rule => rule.language(&document, decoding.charset),
        };
        let topics = self.score(document.text());
        Reading { is_text, decoding, document, verdict, language, topics }
    }

    /// Scores a text on every topic.
    pub fn score(&self, text: &str) -> Vec<TopicScore> {
        let words = Words::of(text);
        self.topics.iter().map(|topic| topic.judge_words(&words)).collect()
    }

    fn judge_document(
        &self,
        charset: Option<&str>,
        document: &Document,
        said: Said,
        url: Option<&Address>,
        memory: &mut Memory,
    ) -> Verdict {
        let mut declared: Vec<&str> = Vec::new();
        declared.extend(document.html_lang());
        declared.extend(said.content_language);
        declared.extend(document.content_language());
        declared.extend(document.locale());
        let mut text = document.prose();
        if text.len() < LITTLE_TEXT {
            let description = document.description().unwrap_or_default();
            text = format!("{}\n{description}\n{text}", document.title()).into();
        }
        let evidence = Evidence {
            text: &text,
            declared: &declared,
            charset,
            top_level_domain: url.and_then(|url| top_level_domain(&url.host)),
        };
        self.judge.page_with(evidence, memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_links() {
        let reader = Reader::new(Rule::Langur, Vec::new());
        let page = b"Write <a href=x>here</a> &amp; there.";
        let links = |content_type| {
            let said = Said { content_type: Some(content_type), ..Said::default() };
            let document = reader.read(page, said, None).document;
            (document.links().len(), document.text().contains("<a href=x>"))
        };
        assert_eq!(links("text/html"), (1, false));
        assert_eq!(links("Text/Plain; charset=utf-8"), (0, true));
    }

    #[test]
    fn http_may_declare_the_language() {
        let reader = Reader::new(Rule::Langur, Vec::new());
        let read = |content_language| {
            let said = Said { content_language, ..Said::default() };
            let reading = reader.read(b"<p>Restaurant, hotel, museum", said, None);
            reading.verdict.language.map(|language| language.to_string())
        };
        assert_eq!(read(Some("nl")).as_deref(), Some("nl"));
        assert_ne!(read(None).as_deref(), Some("nl"));
    }
}
