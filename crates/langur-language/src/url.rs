//! The language of a URL, before the page is fetched: the task of Baykan, Henzinger and Weber
//! (*Web Page Language Identification Based on URLs*, VLDB 2008).
//!
//! Its tokens are words for the model; its domain, and parts of it that are language codes, are hints.

use langur_crawl::Language;

use crate::hints::declared;
use crate::judge::{Judge, SURE_ENOUGH};
use crate::tally::{Tally, tally};
use crate::territories;

/// Tokens that say nothing of the language.
const EMPTY: &[&str] = &[
    "http", "https", "www", "com", "net", "org", "info", "biz", "edu", "gov", "html", "htm", "php",
    "asp", "aspx", "jsp", "cgi", "index", "home", "main", "default", "page", "pages", "news",
    "blog", "forum", "wiki", "shop", "web", "site", "user", "users", "node", "article", "articles",
    "post", "posts", "category", "tag", "tags", "view", "show", "list", "search", "item",
    "product", "id", "www2", "m", "amp", "utm", "lang", "language", "locale", "hl", "img", "image",
    "images", "static",
];
/// What a part of a URL that is a language code is worth, in nats: `/th/`, `th.example.com`, `hl=th`.
const CODE: f32 = 4.0;
/// What a country's domain is worth, at most: most of its pages are in its first language.
const DOMAIN: f32 = 3.5;
/// English is what URLs are in when nothing else is said.
const ENGLISH: f32 = 1.5;
/// Names and abbreviations are poor words: their letters count for less than those of a text.
const LESS: f32 = 0.6;

impl Judge {
    /// The language that the page behind a URL is probably in; `None` if there is nothing to tell.
    pub fn url(&self, url: &str) -> Option<(Language, f32)> {
        let readable = percent_decoded(url);
        let parts = Parts::of(&readable);
        let mut tallies: Vec<Tally> = Vec::new();
        tally(&self.model, &self.letters, &parts.words, 1, &mut tallies, 0);
        let mut scores: Vec<(Language, f32)> =
            self.model.languages.iter().map(|known| (known.tag, known.prior)).collect();
        for tally in &tallies {
            tally.add_to(&mut scores, LESS);
        }
        for (language, score) in &mut scores {
            *score += parts.bonus(*language);
        }
        let best = scores.iter().map(|score| score.1).fold(f32::MIN, f32::max);
        let sum: f32 = scores.iter().map(|score| (score.1 - best).exp()).sum();
        let (language, score) = scores.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let probability = (score - best).exp() / sum;
        (probability >= SURE_ENOUGH).then_some((language, probability))
    }
}

/// What a URL is made of.
struct Parts {
    words: String,
    codes: Vec<Language>,
    domain: Vec<(Language, f32)>,
}

impl Parts {
    fn of(url: &str) -> Parts {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let host = host.rsplit('@').next().unwrap_or(host);
        let host = host.split(':').next().unwrap_or(host);
        let labels: Vec<&str> = host.split('.').collect();
        let domain = labels.last().map_or(Vec::new(), |tld| territories::languages(tld).collect());
        let names = labels.split_last().map_or(&[][..], |(_, names)| names);
        let tokens =
            || names.iter().copied().chain(path.split(['/', '?', '&', '=', '#', '.', ';', ',']));
        let codes = tokens().filter_map(code).collect();
        let mut words = String::new();
        for word in
            tokens().flat_map(|token| token.split(|c: char| !c.is_alphabetic() && !is_mark(c)))
        {
            if word.chars().count() > 1 && !EMPTY.contains(&word.to_ascii_lowercase().as_str()) {
                words.push_str(word);
                words.push(' ');
            }
        }
        Parts { words, codes, domain }
    }

    fn bonus(&self, language: Language) -> f32 {
        let code = if self.codes.iter().any(|&code| language.is_within(code)) { CODE } else { 0.0 };
        let domain = self.domain.iter().filter(|(of, _)| language.is_within(*of));
        let domain = domain.map(|(_, share)| DOMAIN * share).fold(0.0, f32::max);
        let english = if language == Language::ENGLISH { ENGLISH } else { 0.0 };
        code + domain + english
    }
}

/// A token that is a language code, and not a common short word in URLs.
fn code(token: &str) -> Option<Language> {
    let shape = match token.as_bytes() {
        [a, b] => a.is_ascii_alphabetic() && b.is_ascii_alphabetic(),
        [_, _, b'-' | b'_', _, _] => true,
        _ => false,
    };
    let not_codes =
        ["id", "my", "to", "no", "is", "be", "do", "so", "us", "tv", "co", "ac", "go", "or", "in"];
    let plain = token.len() == 2 && not_codes.contains(&token.to_ascii_lowercase().as_str());
    declared(token).filter(|_| shape && !plain)
}

fn is_mark(letter: char) -> bool {
    // Vowel signs and tones of South and South-East Asia are no letters by themselves.
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// `%E0%B9%84` and the like as the letters they stand for, where they are UTF-8.
fn percent_decoded(url: &str) -> String {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = (first == b'%').then(|| behind.get(..2)).flatten();
        let hex =
            escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(hex.unwrap_or(first));
        rest = if hex.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
