//! The default judge, `langur`: everything known of a page, weighed into one verdict.
//!
//! The letters say which scripts a page is in and how much of it; the model says, for each script,
//! which of its languages; what the page declares, its charset and its domain tip the scales where
//! there is too little text to tell. A page's languages are shares, since pages are mixed.

use langur_crawl::Language;

use crate::han::WRITERS;
use crate::hints::{Hint, Hints};
use crate::letters::{HAN, HANGUL, LATIN, Letters, MYANMAR, ScriptNumber, composed, script_name};
use crate::memory::Memory;
use crate::mixture::{Mixture, Part};
use crate::model::Model;
use crate::packed::BadModel;
use crate::tally::{Source, Tally};
use crate::url::shares_of_the_web;
use crate::windows::Windows;
use crate::{neighbours, url_tags, zawgyi};

/// Below this probability the judge abstains.
pub const SURE_ENOUGH: f32 = 0.5;
/// Languages beside the page's own are not named with a smaller share, or with less probability.
const LEAST_SHARE: f32 = 0.05;
const SURE_SHARE: f32 = 0.9;
/// With this share, another language than English is the page's own: less is asked of one in letters of its own, in which
/// nobody writes code.
const OWN_SHARE: f32 = 0.2;
const OWN_LATIN_SHARE: f32 = 0.3;
/// And with this probability.
const OWN_PROBABILITY: f32 = 0.95;

/// How probable it is that a link is in the language of which it says the name, as that language has it: "Deutsch" is what
/// links to German pages say, and hardly any others.
const OWN_NAME: f32 = 0.95;

/// Judges texts, pages, anchors and URLs.
pub struct Judge {
    pub(crate) model: Model,
    pub(crate) letters: Letters,
    /// How much of the web is in each of the model's languages.
    pub(crate) web: Vec<f32>,
    /// Whether no other languages are to be expected, however poorly these fit.
    is_narrowed: bool,
}

/// What a page has to say for itself, besides its URL.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'p> {
    /// The visible text.
    pub text: &'p str,
    /// Languages it declares: `<html lang>`, `Content-Language` and the like, as written.
    pub declared: &'p [&'p str],
    /// The charset it is written in.
    pub charset: Option<&'p str>,
    /// The last label of its host.
    pub top_level_domain: Option<&'p str>,
}

/// What the judge makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The page's own language, if it is sure enough: that with the largest share, mostly.
    pub language: Option<Language>,
    /// How probable that is, or would be, had it not abstained.
    pub probability: f32,
    /// The languages with their shares of the text, the largest first.
    pub languages: Vec<Share>,
    /// The script of that language, or of most of the letters, by ISO 15924.
    pub script: Option<&'static str>,
    /// The number of letters.
    pub letters: u32,
    /// What besides the text was heard.
    pub hints: Vec<Hint>,
}

/// A language's part of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The language.
    pub language: Language,
    /// Of the letters, from 0 to 1.
    pub share: f32,
    /// How probable it is that this part is in this language.
    pub probability: f32,
}

/// What a page's own word is worth between the two forms of Chinese, in nats, where its characters are of both.
const OWN_FORM: f32 = 4.0;

impl Judge {
    /// A judge with the model that comes with Langur.
    pub fn new() -> Judge {
        Judge::with_model(crate::MODEL).expect("the model that comes with Langur is whole")
    }

    /// A judge with another model, as `langur-train` writes it.
    pub fn with_model(packed: &[u8]) -> Result<Judge, BadModel> {
        let damaged = |_| BadModel("it cannot be decompressed");
        // Mostly it becomes less than twice as long, and so is not copied as it grows.
        let mut bytes = Vec::with_capacity(2 * packed.len());
        zstd::stream::copy_decode(packed, &mut bytes).map_err(damaged)?;
        let model = Model::read(&bytes)?;
        let web = shares_of_the_web(&model.languages);
        Ok(Judge { model, letters: Letters::new(), web, is_narrowed: false })
    }

    /// The languages the judge knows.
    pub fn languages(&self) -> impl Iterator<Item = Language> {
        let known = self.model.languages.iter().map(|known| known.tag);
        let zawgyi = known.clone().find(|tag| tag.as_str() == "my").map(|_| zawgyi::tag());
        known.chain(self.model.alone.iter().map(|(_, language)| *language)).chain(zawgyi)
    }

    /// A judge that chooses among these languages only, for when no others are to be expected.
    #[must_use]
    pub fn among(mut self, languages: &[Language]) -> Judge {
        let wanted =
            |tag: Language| languages.iter().any(|&of| tag.is_within(of) || of.is_within(tag));
        self.model.keep(wanted);
        self.is_narrowed = true;
        self
    }

    /// The language of a text without a page around it.
    pub fn text(&self, text: &str) -> Verdict {
        self.page(Evidence { text, ..Evidence::default() })
    }

    /// The language of a link's text, where there is anything to tell it by.
    pub fn anchor(&self, anchor: &str) -> Option<(Language, f32)> {
        self.anchor_with(anchor, &mut Memory::none())
    }

    /// The same, one link of many: what words said before need not be looked up again.
    pub fn anchor_with(&self, anchor: &str, memory: &mut Memory) -> Option<(Language, f32)> {
        if let Some(language) = url_tags::named_by_itself(anchor) {
            return Some((language, OWN_NAME));
        }
        let evidence = Evidence { text: anchor, ..Evidence::default() };
        let verdict = self.page_with(evidence, memory);
        verdict.language.map(|language| (language, verdict.probability))
    }

    /// The language of a page.
    pub fn page(&self, page: Evidence) -> Verdict {
        self.page_with(page, &mut Memory::none())
    }

    /// The same, one page of many: what words said before need not be looked up again.
    pub fn page_with(&self, page: Evidence, memory: &mut Memory) -> Verdict {
        let text = composed(page.text);
        let says_nothing = are_places(&text) || url_tags::is_a_choice(&self.letters, &text);
        let text = if says_nothing { "" } else { &*text };
        let page = Evidence { text, ..page };
        let hints = Hints::of(&page);
        let mut bonuses = hints.bonuses(&self.model.languages);
        self.settle_form(&hints, page.text, &mut bonuses);
        let windows = Windows::read(&mut self.source(memory), page.text);
        let weigh = |tally: &Tally| tally.letters as f32 * weight(tally.script);
        let total: f32 = windows.scripts.iter().map(weigh).sum();
        let (mut languages, mut scripts) = (Vec::new(), Vec::new());
        for tally in &windows.scripts {
            let share = weigh(tally) / total;
            for (language, within, probability) in
                self.within(tally, &windows, (&hints, &bonuses), page.text)
            {
                add(&mut languages, Share { language, share: share * within, probability });
                scripts.push((language, tally.script));
            }
        }
        languages.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.language.cmp(&b.language)));
        let in_latin = |of: Language| scripts.contains(&(of, LATIN));
        let first = chosen(&languages, in_latin, hints.declare(Language::ENGLISH));
        let is_first = |share: &Share| first.is_some_and(|first| first.language == share.language);
        languages.retain(|share| is_first(share) || is_worth_naming(share));
        let main = windows.scripts.iter().max_by(|a, b| weigh(a).total_cmp(&weigh(b)));
        let of_first = first.and_then(|first| scripts.iter().find(|of| of.0 == first.language));
        let script = of_first.map(|of| of.1).or(main.map(|tally| tally.script));
        let probability = first.map_or(0.0, |share| share.probability);
        Verdict {
            language: first.filter(|_| probability >= SURE_ENOUGH).map(|share| share.language),
            probability,
            languages,
            script: script.map(|script| named_script(script, first)),
            letters: windows.scripts.iter().map(|tally| tally.letters).sum(),
            hints: hints.heard(),
        }
    }

    /// Between the two forms of Chinese a page's own word decides, if it has no character that is only of the other: most
    /// are of both, and in a few of them there is little else to go by.
    fn settle_form(&self, hints: &Hints, text: &str, bonuses: &mut [f32]) {
        let Some(form) = hints.form_of_chinese() else { return };
        let Some(writer) = WRITERS.iter().position(|writer| *writer == form.as_str()) else {
            return;
        };
        let is_strange = |letter: char| self.letters.strange(letter as u32) & 1 << writer != 0;
        if text.chars().any(is_strange) {
            return;
        }
        for (bonus, known) in bonuses.iter_mut().zip(&self.model.languages) {
            *bonus += if known.tag == form { OWN_FORM } else { 0.0 };
        }
    }

    /// Bonuses with what tells a language from its neighbours, if it has any and the text has such words.
    fn with_neighbours(&self, number: usize, bonuses: &[f32], text: &str) -> Option<Vec<f32>> {
        let told = neighbours::told_apart(self.model.languages[number].tag, text);
        if told.iter().all(|(_, nats)| *nats == 0.0) {
            return None;
        }
        let mut sums = bonuses.to_vec();
        sums.resize(self.model.languages.len(), 0.0);
        for (sum, known) in sums.iter_mut().zip(&self.model.languages) {
            let said = told.iter().find(|(language, _)| *language == known.tag);
            *sum += said.map_or(0.0, |(_, nats)| *nats);
        }
        Some(sums)
    }

    /// What texts are read with.
    pub(crate) fn source<'j>(&'j self, memory: &'j mut Memory) -> Source<'j> {
        Source { model: &self.model, letters: &self.letters, memory }
    }

    /// The languages of the text in one script: each with its share of it and its probability.
    fn within(
        &self,
        tally: &Tally,
        windows: &Windows,
        (hints, bonuses): (&Hints, &[f32]),
        text: &str,
    ) -> Vec<(Language, f32, f32)> {
        let Some(number) = tally.best(&self.model, bonuses) else {
            let alone = self.model.alone.iter().filter(|(script, _)| *script == tally.script);
            return alone.map(|(_, language)| (*language, 1.0, 1.0)).collect();
        };
        // Of all languages this one is the nearest, and yet the text is in none that is known, unless the page says so.
        let is_expected = self.is_narrowed || hints.declare(self.model.languages[number].tag);
        if !is_expected && tally.fits_poorly(number) {
            return Vec::new();
        }
        let told = self.with_neighbours(number, bonuses, text);
        let number = match &told {
            Some(told) => tally.best(&self.model, told).unwrap_or(number),
            None => number,
        };
        let probability =
            tally.probability(&self.model, told.as_deref().unwrap_or(bonuses), number);
        let mut best = self.model.languages[number].tag;
        if tally.script == MYANMAR && best.as_str() == "my" && zawgyi::is_likely(text) {
            best = zawgyi::tag();
        }
        if windows.settled == Some(tally.script) {
            return vec![(best, 1.0, probability)];
        }
        let of_script = windows.parts.iter().filter(|window| window.script == tally.script);
        let enough = of_script.filter(|window| windows.parts.len() > 2 && window.is_enough());
        let mixture = Mixture::of(&self.model, bonuses, enough);
        let named = |part: Part| {
            let is_best = part.number == number;
            let language = if is_best { best } else { self.model.languages[part.number].tag };
            (language, part.share, part.probability)
        };
        mixture.parts(number, probability).into_iter().map(named).collect()
    }
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new()
    }
}

/// The page's own language: that with the largest share, unless that is English, is not declared, and stands beside another. English is what
/// names, code and templates are in, on pages of whatever language.
fn chosen(
    languages: &[Share],
    in_latin: impl Fn(Language) -> bool,
    says_english: bool,
) -> Option<Share> {
    // Brands and codes have letters, and often enough most of them, but no language.
    let sure = languages.iter().find(|share| share.probability >= SURE_ENOUGH);
    let first = sure.or(languages.first()).copied()?;
    let is_own = |share: &&Share| {
        let least = if in_latin(share.language) { OWN_LATIN_SHARE } else { OWN_SHARE };
        share.language != Language::ENGLISH
            && share.share >= least
            && share.probability > OWN_PROBABILITY
    };
    let in_doubt = first.language == Language::ENGLISH && !says_english;
    let own = languages.iter().find(is_own).filter(|_| in_doubt);
    Some(own.copied().unwrap_or(first))
}

/// Whether a text is nothing but places.
fn are_places(text: &str) -> bool {
    text.split_whitespace().all(is_place)
}

/// Whether a word is the place of something, as in `www.a.example` and `info@a.example`, and so in no language.
fn is_place(word: &str) -> bool {
    let begins = |with: &str| word.get(..with.len()).is_some_and(|w| w.eq_ignore_ascii_case(with));
    word.contains('@') || ["http://", "https://", "www."].into_iter().any(begins)
}

/// Names and brands beside a page's own language are in none: more is asked of another one.
fn is_worth_naming(share: &Share) -> bool {
    share.share >= LEAST_SHARE && share.probability >= SURE_SHARE
}

/// How much text a letter stands for: a Chinese character is half a word.
fn weight(script: ScriptNumber) -> f32 {
    match script {
        HAN => 2.5,
        HANGUL => 2.0,
        LATIN => 1.0,
        _ => 1.3,
    }
}

/// The script by name; Chinese characters are told apart by who writes them.
fn named_script(script: ScriptNumber, language: Option<Share>) -> &'static str {
    let language = language.map(|share| share.language);
    match (script, language.as_ref().map(Language::as_str)) {
        (HAN, Some("ja")) => "Jpan",
        (HAN, Some("zh-Hans")) => "Hans",
        (HAN, Some("zh-Hant")) => "Hant",
        _ => script_name(script),
    }
}

fn add(languages: &mut Vec<Share>, share: Share) {
    match languages.iter_mut().find(|known| known.language == share.language) {
        Some(known) => {
            known.probability = known.probability.max(share.probability);
            known.share += share.share;
        }
        None => languages.push(share),
    }
}
