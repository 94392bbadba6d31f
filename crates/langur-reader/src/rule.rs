//! The rules for the language of a page, by name.

use langur_crawl::Language;
use langur_page::Charset;
use langur_page::html::Document;
use langur_textcat::rules::{JAPANESE_2005, THAI_2005, THAI_2006};
use langur_textcat::{Categories, Symbols, Verdict};

/// How the language of a page is told.
pub enum Rule {
    /// The default judge.
    Langur,
    /// The charset that META declares, as in the paper of 2005: Thai or Japanese, or unknown.
    MetaCharset,
    /// That and TextCat, as in the paper of 2006, Table 1.
    MetaTextcat(Box<Categories>),
}

impl Rule {
    /// The names of the rules.
    pub const NAMES: [&'static str; 3] = ["langur", "meta-charset", "meta+textcat"];

    /// The rule of that name, if there is one; the last asks for profiles.
    pub fn named<E>(
        name: &str,
        categories: impl FnOnce() -> Result<Categories, E>,
    ) -> Option<Result<Rule, E>> {
        match name {
            "langur" => Some(Ok(Rule::Langur)),
            "meta-charset" => Some(Ok(Rule::MetaCharset)),
            "meta+textcat" => Some(categories().map(|all| Rule::MetaTextcat(Box::new(all)))),
            _ => None,
        }
    }

    /// The language by one of the papers' rules; the default judge's is not asked here.
    pub fn language(&self, document: &Document, charset: Charset) -> Option<Language> {
        let declared = document.meta_charset();
        let tag = match self {
            Rule::Langur => None,
            Rule::MetaCharset => {
                THAI_2005.language(declared).or_else(|| JAPANESE_2005.language(declared))
            }
            // Table 1: where the charset says Thai, TextCat changes nothing.
            Rule::MetaTextcat(categories) => THAI_2006.language(declared).or_else(|| {
                let verdict = textcat(categories, document, charset);
                THAI_2006.page_language(declared, &verdict)
            }),
        };
        tag.and_then(|tag| Language::parse(tag).ok())
    }
}

/// What TextCat says of a page's visible text: in UTF-8, or in the page's own charset, as the profiles are.
pub fn textcat<'c>(
    categories: &'c Categories,
    document: &Document,
    charset: Charset,
) -> Verdict<'c> {
    match categories.symbols() {
        Symbols::Utf8 => categories.classify(document.text().as_bytes()),
        Symbols::Bytes => categories.classify(&charset.encoding().encode(document.text()).0),
    }
}
