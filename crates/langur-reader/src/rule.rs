//! The rules for the language of a page, by name.

use langur_crawl::Language;
use langur_page::html::Document;
use langur_textcat::Categories;
use langur_textcat::rules::{JAPANESE_2005, THAI_2005, THAI_2006};

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
    pub fn language(&self, document: &Document) -> Option<Language> {
        let declared = document.meta_charset();
        let tag = match self {
            Rule::Langur => None,
            Rule::MetaCharset => {
                THAI_2005.language(declared).or_else(|| JAPANESE_2005.language(declared))
            }
            // Table 1: where the charset says Thai, TextCat changes nothing.
            Rule::MetaTextcat(categories) => THAI_2006.language(declared).or_else(|| {
                THAI_2006.page_language(declared, &categories.classify(textcat_text(document)))
            }),
        };
        tag.and_then(|tag| Language::parse(tag).ok())
    }
}

/// What TextCat is given of a page: the beginning of its visible text. The paper does not say how much; libTextCat's
/// own program takes 1,024 bytes, and its header says that "a few hundred" will do. They are characters here, since
/// a character of Thai was one byte then and is three now.
pub fn textcat_text(document: &Document) -> &[u8] {
    let text = document.text();
    let most: usize = std::env::var("TEXTCAT_N").ok().and_then(|n| n.parse().ok()).unwrap_or(1024);
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    &text.as_bytes()[..end]
}
