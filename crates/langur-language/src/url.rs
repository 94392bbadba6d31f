//! The language of a URL, before the page is fetched: the task of Baykan, Henzinger and Weber
//! (*Web Page Language Identification Based on URLs*, VLDB 2008).
//!
//! Its tokens are words for the model; its domain, and parts of it that are language codes, are hints.

use langur_crawl::Language;

use crate::hints::Hint;
use crate::judge::{Judge, SURE_ENOUGH, Share, Verdict};
use crate::letters::LATIN;
use crate::memory::Memory;
use crate::model::Known;
use crate::tally::{Tally, tally};
use crate::territories;
use crate::url_tags::said;

/// Tokens that say nothing of the language.
const EMPTY: &[&str] = &[
    "http", "https", "www", "com", "net", "org", "info", "biz", "edu", "gov", "html", "htm", "php",
    "asp", "aspx", "jsp", "cgi", "index", "home", "main", "default", "page", "pages", "news",
    "blog", "forum", "wiki", "shop", "web", "site", "user", "users", "node", "article", "articles",
    "post", "posts", "category", "tag", "tags", "view", "show", "list", "search", "item",
    "product", "id", "www2", "m", "amp", "utm", "lang", "language", "locale", "hl", "img", "image",
    "images", "static",
];
/// What a label of a host that is a language code is worth, in nats: `th.example.com`.
const LABEL: f32 = 6.0;
/// And a part of a path: `/th/`, `index_th.html`. Paths are made by who made the pages; hosts have names of two letters,
/// too.
const SEGMENT: f32 = 9.0;
/// And what a query says without a word of languages: `?to=de`. Two letters are short for much.
const VALUE: f32 = 4.5;
/// And one that is nothing but the name of a language: `/zh-hant/`, `/deutsch/`, `lang=pt_BR`.
const IN_FULL: f32 = 12.0;
/// What a query asks for a language by: `?lang=th`, which is nothing else.
const ASKS: &[&str] = &["hl", "lang", "language", "lng", "locale"];
/// Names and abbreviations are poor words: the letters of a host count for less than those of a text, and those of a path,
/// which are words more often, for a little less.
const HOST: f32 = 0.4;
const PATH: f32 = 0.7;

/// Roughly how many of the web's sites are in a language, in percent, after the surveys of W3Techs as we
/// remember them. Of what is not listed a country's language has a tenth of one, and any other next to nothing.
const WEB: &[(&str, f32)] = &[
    ("en", 50.0),
    ("es", 6.0),
    ("de", 5.6),
    ("ja", 5.0),
    ("fr", 4.4),
    ("ru", 4.0),
    ("pt", 3.8),
    ("it", 2.7),
    ("nl", 2.1),
    ("pl", 1.8),
    ("tr", 1.7),
    ("zh-Hans", 1.5),
    ("fa", 1.3),
    ("vi", 1.1),
    ("cs", 1.0),
    ("id", 1.0),
    ("ko", 0.8),
    ("uk", 0.6),
    ("hu", 0.6),
    ("ar", 0.6),
    ("sv", 0.5),
    ("ro", 0.5),
    ("el", 0.5),
    ("da", 0.5),
    ("fi", 0.4),
    ("he", 0.4),
    ("sk", 0.4),
    ("th", 0.4),
    ("zh-Hant", 0.4),
    ("bg", 0.3),
    ("hr", 0.3),
    ("sr", 0.2),
    ("nb", 0.2),
    ("lt", 0.2),
    ("sl", 0.2),
    ("ca", 0.1),
];
/// Country domains that are sold as words, and say nothing of a country, unless what is under them is the country's own.
const VANITY: &[&str] = &[
    "tv", "me", "io", "co", "cc", "to", "ly", "fm", "ws", "ai", "gg", "sh", "la", "am", "im", "is",
];
const NATIONAL_LABELS: &[&str] = &["ac", "com", "edu", "gov", "mil", "net", "org", "sch"];
/// Under a country's domain: so much of it is in the country's languages, so much in English, and the rest
/// as everywhere.
const NATIONAL: f32 = 0.8;
const ENGLISH: f32 = 0.1;
/// Where English is an official language beside those that people speak, or what business is done in, most sites are in
/// it, whatever CLDR says of how many speak it.
const IN_ENGLISH: &[&str] = &[
    "ae", "bw", "fj", "gh", "gm", "in", "ke", "lk", "lr", "ls", "mt", "mw", "my", "na", "ng", "pg",
    "ph", "pk", "rw", "sg", "sl", "sz", "tz", "ug", "za", "zm", "zw",
];
const NATIONAL_BESIDE_ENGLISH: f32 = 0.25;
const ENGLISH_FIRST: f32 = 0.65;

/// How much of the web is in each language that a model knows.
pub(crate) fn shares_of_the_web(languages: &[Known]) -> Vec<f32> {
    let share = |known: &Known| {
        let listed = WEB.iter().find(|(tag, _)| *tag == known.tag.as_str());
        let unlisted = || if territories::is_national(known.tag) { 0.1 } else { 0.005 };
        listed.map_or_else(unlisted, |(_, percent)| *percent) / 100.0
    };
    languages.iter().map(share).collect()
}

impl Judge {
    /// The language that the page behind a URL is probably in, with the parts of the URL that name one.
    pub fn url(&self, url: &str) -> Verdict {
        let readable = percent_decoded(&without_others(url));
        let parts = Parts::of(&readable);
        let tallies =
            [(&parts.host_words, HOST), (&parts.path_words, PATH)].map(|(words, worth)| {
                let mut tallies: Vec<Tally> = Vec::new();
                tally(&mut self.source(&mut Memory::none()), words, 1, &mut tallies, 0);
                (tallies, worth)
            });
        let has_words = tallies.iter().any(|(tallies, _)| !tallies.is_empty());
        if !has_words && parts.says_nothing() {
            return self.text("");
        }
        let languages = self.model.languages.iter().zip(&self.web);
        let mut scores: Vec<(Language, f32)> =
            languages.map(|(known, web)| (known.tag, parts.prior(known.tag, *web))).collect();
        for (tallies, worth) in &tallies {
            for tally in tallies {
                self.add_words(tally, *worth, parts.english_words(), &mut scores);
            }
        }
        let mut hints = parts.hints;
        // Two letters are a code of some language nearly always, but seldom of one that is known.
        hints.retain(|hint| hint.languages.iter().any(|language| self.knows(*language)));
        Verdict { hints, ..decided(&scores) }
    }

    fn knows(&self, language: Language) -> bool {
        let mut known = self.model.languages.iter();
        known.any(|known| known.tag.is_within(language) || language.is_within(known.tag))
    }

    /// Adds what the words in one script say, below what they say for the language that fits best.
    fn add_words(&self, tally: &Tally, worth: f32, english: f32, scores: &mut [(Language, f32)]) {
        let languages = self.model.languages.iter();
        let mut words: Vec<(Language, f32)> =
            languages.map(|known| (known.tag, known.prior)).collect();
        tally.add_to(&mut words, worth);
        let written = self.model.written_in(tally.script);
        let best = written.iter().map(|&number| words[usize::from(number)].1).fold(0.0, f32::max);
        let of_english = words.iter().find(|word| word.0 == Language::ENGLISH);
        let above_english = of_english.map_or(0.0, |english| best - english.1);
        let transliterated = TRANSLITERATED - (above_english / 2.0).min(CLEARLY_OTHERS);
        for (number, (score, word)) in scores.iter_mut().zip(&words).enumerate() {
            score.1 += match written.contains(&(number as u8)) {
                true if word.0 == Language::ENGLISH => word.1 - best + english,
                true => word.1 - best,
                // Languages of other scripts are written in Latin letters too, in URLs, and the model does
                // not know how.
                false if tally.script == LATIN => transliterated,
                false => ANOTHER_SCRIPT,
            };
        }
    }
}

/// The language with the highest score, and how probable it is; others are never named beside it, since a URL has no parts in
/// several languages.
fn decided(scores: &[(Language, f32)]) -> Verdict {
    let best = scores.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    let share = best.map(|(language, score)| {
        let sum: f32 = scores.iter().map(|(_, other)| (other - score).exp()).sum();
        Share { language, share: 1.0, probability: 1.0 / sum }
    });
    let sure = share.filter(|share| share.probability >= SURE_ENOUGH);
    Verdict {
        language: sure.map(|share| share.language),
        probability: share.map_or(0.0, |share| share.probability),
        languages: share.into_iter().collect(),
        script: None,
        letters: 0,
        hints: Vec::new(),
    }
}

/// What Latin letters say for a language that is not written in them.
const TRANSLITERATED: f32 = -1.0;
/// And how much less at most, where they are words of another language and not English, which is in the paths of all.
const CLEARLY_OTHERS: f32 = 3.0;
/// What English words say for English besides: see [`Parts::english_words`].
const ENGLISH_WORDS: f32 = -1.0;
const ENGLISH_WORDS_ELSEWHERE: f32 = -3.5;
/// Letters of a script are not written by languages of another.
const ANOTHER_SCRIPT: f32 = -20.0;

/// A language that a part of a URL names, and what that is worth.
#[derive(Clone, Copy)]
struct Heard<'u> {
    /// Of which part.
    source: &'static str,
    /// Its words.
    said: &'u str,
    language: Language,
    worth: f32,
}

/// What a URL is made of.
struct Parts {
    host_words: String,
    path_words: String,
    /// The languages that it names, with what that is worth.
    said: Vec<(Language, f32)>,
    hints: Vec<Hint>,
    domain: &'static [(Language, f32)],
    /// How much under the domain is in the country's languages, and how much in English.
    shares: (f32, f32),
}

impl Parts {
    fn of(url: &str) -> Parts {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let host = host.rsplit('@').next().unwrap_or(host);
        let host = host.split(':').next().unwrap_or(host);
        // Canonical names are in Punycode; it is their letters that tell.
        let (readable, _) = idna::domain_to_unicode(host);
        let labels: Vec<&str> = readable.split('.').collect();
        let mut last = host.rsplit('.');
        let (tld, second) = (last.next(), last.next());
        // Who buys a word has it right before the dot.
        let is_national = second.is_some_and(|label| NATIONAL_LABELS.contains(&label));
        let country =
            tld.filter(|tld| !VANITY.contains(tld) || is_national && last.next().is_some());
        let domain = country.map_or(&[][..], |tld| territories::languages(tld));
        // A last label of ASCII is a country's or an organisation's, any other one a word.
        let names = labels.split_last().filter(|(last, _)| last.is_ascii());
        let names = names.map_or(&labels[..], |(_, names)| names);
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        // What names a language is no word of it: the "de" of Germany is Spanish, too.
        let mut heard: Vec<Heard> = Vec::new();
        for (key, value) in query.split(['?', '&', ';']).filter_map(|part| part.split_once('=')) {
            let is_asked_for = ASKS.iter().any(|name| key.eq_ignore_ascii_case(name));
            let asked = said(value, country).filter(|_| is_asked_for);
            let heard_here =
                |language| Heard { source: "query", said: value, language, worth: IN_FULL };
            heard.extend(asked.map(|(said, _)| heard_here(said.language)));
        }
        let mut unheard = |token, source, worth| {
            let Some((said, before)) = said(token, country) else { return token };
            let worth = if said.in_full { IN_FULL } else { worth };
            if !heard.iter().any(|it| (it.language, it.worth) == (said.language, worth)) {
                heard.push(Heard { source, said: token, language: said.language, worth });
            }
            before
        };
        let host_words = words(names.iter().map(|name| unheard(name, "host", LABEL)));
        let mut of_path: Vec<&str> = tokens(path).map(|it| unheard(it, "path", SEGMENT)).collect();
        of_path.extend(tokens(query).map(|it| unheard(it, "query", VALUE)));
        let path_words = words(of_path.into_iter());
        let shares = match country.is_some_and(|tld| IN_ENGLISH.contains(&tld)) {
            true => (NATIONAL_BESIDE_ENGLISH, ENGLISH_FIRST),
            false => (NATIONAL, ENGLISH),
        };
        let heard = most_precise(&heard);
        let of_domain = country.filter(|_| !domain.is_empty()).map(|country| Hint {
            source: "domain",
            said: country.to_owned(),
            languages: domain.iter().map(|(language, _)| *language).collect(),
        });
        let mut hints: Vec<Hint> = Vec::new();
        for hint in heard.iter().map(Heard::hint).chain(of_domain) {
            if !hints.contains(&hint) {
                hints.push(hint);
            }
        }
        let said = heard.iter().map(|heard| (heard.language, heard.worth)).collect();
        Parts { host_words, path_words, said, hints, domain, shares }
    }

    /// Neither a country's domain nor a language code.
    fn says_nothing(&self) -> bool {
        self.said.is_empty() && self.domain.is_empty()
    }

    /// What to expect before a word is read, in nats, of a language that has this share of the web.
    fn prior(&self, language: Language, web: f32) -> f32 {
        let expected = if self.domain.is_empty() {
            web
        } else {
            let national = self.domain.iter().filter(|(of, _)| language.is_within(*of));
            let national = national.map(|(_, share)| *share).fold(0.0, f32::max);
            let (of_country, in_english) = self.shares;
            let english = if language == Language::ENGLISH { in_english } else { 0.0 };
            of_country * national + english + (1.0 - of_country - in_english) * web
        };
        let said = self.said.iter().filter(|(said, _)| language.is_within(*said));
        let worth = said.map(|(_, worth)| *worth).fold(0.0, f32::max);
        expected.ln() + worth
    }

    /// What English words say for English, less than those of other languages do: they are in the names of sites in all
    /// languages, and all the more where the rest of the URL speaks for another.
    fn english_words(&self) -> f32 {
        // The first of a country's languages is its largest; English is among those of most.
        let of_country = self.domain.first().map(|(language, _)| *language);
        let of_country = of_country.filter(|_| self.shares.1 < ENGLISH_FIRST);
        let said = self.said.iter().filter(|(_, worth)| *worth >= LABEL).map(|(said, _)| *said);
        let mut others = said.chain(of_country).peekable();
        let elsewhere = others.peek().is_some() && others.all(|other| other != Language::ENGLISH);
        if elsewhere { ENGLISH_WORDS_ELSEWHERE } else { ENGLISH_WORDS }
    }
}

impl Heard<'_> {
    fn hint(&self) -> Hint {
        Hint { source: self.source, said: self.said.to_owned(), languages: vec![self.language] }
    }
}

/// Without what is said more precisely, too: of `zh` and `zh-tw`, the second.
fn most_precise<'u>(all: &[Heard<'u>]) -> Vec<Heard<'u>> {
    let is_within = |one: Language, other| one != other && one.is_within(other);
    let is_precise = |said: &&Heard| !all.iter().any(|one| is_within(one.language, said.language));
    all.iter().filter(is_precise).copied().collect()
}

/// The parts of a path or a query.
fn tokens(of: &str) -> impl Iterator<Item = &str> {
    of.split(['/', '?', '&', '=', '#', '.', ';', ','])
}

/// The words of some tokens, but for those that say nothing.
fn words<'t>(tokens: impl Iterator<Item = &'t str>) -> String {
    let mut words = String::new();
    for word in tokens.flat_map(|token| token.split(|c: char| !c.is_alphabetic() && !is_mark(c))) {
        if word.chars().count() > 1 && !EMPTY.contains(&word.to_ascii_lowercase().as_str()) {
            words.push_str(word);
            words.push(' ');
        }
    }
    words
}

fn is_mark(letter: char) -> bool {
    // Vowel signs and tones of South and South-East Asia are no letters by themselves.
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// A URL without those of other pages that its query has: `?u=http%3A%2F%2Fexample.de%2F`.
fn without_others(url: &str) -> String {
    let Some((page, query)) = url.split_once('?') else { return url.to_owned() };
    let own: Vec<&str> = query.split(['&', ';']).filter(|part| !has_url(part)).collect();
    format!("{page}?{}", own.join("&"))
}

/// Whether a part of a query is the URL of a page, encoded once or twice.
fn has_url(part: &str) -> bool {
    let value = part.split_once('=').map_or(part, |(_, value)| value);
    let value = percent_decoded(value).to_ascii_lowercase();
    ["http:", "https:", "http%", "https%", "//", "www."].iter().any(|with| value.starts_with(with))
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
