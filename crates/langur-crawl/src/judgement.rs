//! What a classifier says of a page.

use crate::{Language, Page};

/// How much a page is what the user wants: a score, and whether it passes the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relevance {
    /// From 0 (not at all) to 1.
    pub score: f32,
    /// Whether the score passed the classifier's threshold.
    pub relevant: bool,
}

impl Relevance {
    /// Not relevant at all.
    pub const NONE: Relevance = Relevance { score: 0.0, relevant: false };
    /// Fully relevant.
    pub const FULL: Relevance = Relevance { score: 1.0, relevant: true };
}

/// A classifier's judgement of one page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Whether the page is wanted.
    pub relevance: Relevance,
    /// The page's language, if known.
    pub language: Option<Language>,
}

/// Judges fetched pages. Pages that are not OK HTML are never shown to it.
pub trait Classifier {
    /// Judges one page.
    fn judge(&mut self, page: &impl Page) -> Judgement;
}
