//! By language.

use langur_crawl::{Classifier, Judgement, Language, Page, Relevance};

/// Finds the pages relevant that are in one of these languages or a variety of it.
#[derive(Clone, Debug)]
pub struct InLanguage {
    languages: Vec<Language>,
    /// The last answer: neighbouring visits are mostly in the same language.
    last: Option<(Language, bool)>,
}

impl InLanguage {
    /// A classifier for the target `lang:…`.
    pub fn new(languages: Vec<Language>) -> InLanguage {
        InLanguage { languages, last: None }
    }

    fn is_wanted(&mut self, language: Language) -> bool {
        if let Some((last, wanted)) = self.last
            && last == language
        {
            return wanted;
        }
        let wanted = self.languages.iter().any(|&range| language.is_within(range));
        self.last = Some((language, wanted));
        wanted
    }
}

impl Classifier for InLanguage {
    #[inline]
    fn judge(&mut self, page: &impl Page) -> Judgement {
        let language = page.language();
        let wanted = language.is_some_and(|language| self.is_wanted(language));
        Judgement { relevance: if wanted { Relevance::FULL } else { Relevance::NONE }, language }
    }
}
