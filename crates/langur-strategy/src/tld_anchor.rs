//! By top-level domain or anchor text.

use langur_crawl::{Asks, Language, Lead, Link, Strategy, Visited};

use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError, tlds};

/// The rule of Chan and Yamana (2010): a link is followed if its top-level domain is one of the
/// language's, or else if its anchor text is in the language. No priorities.
pub struct TldAnchor {
    languages: Vec<Language>,
    tlds: Vec<String>,
    follow_unknown: bool,
}

impl Strategy for TldAnchor {
    type Trail = ();
    const ASKS: Asks = Asks::Host;

    fn tiers(&self) -> Option<u8> {
        Some(1)
    }

    fn consider(&mut self, _: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        let follow = tlds::contain(&self.tlds, link.tld())
            || match link.anchor_language() {
                Some(anchor) => self.languages.iter().any(|&language| anchor.is_within(language)),
                None => self.follow_unknown,
            };
        follow.then(|| self.seed())
    }
}

impl Named for TldAnchor {
    const NAME: &'static str = "tld-anchor";
    const ABOUT: &'static str = "follows links into the language's top-level domains or with an anchor in the language (Chan and Yamana 2010)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "tlds",
            kind: Kind::Words,
            default: "own",
            about: "top-level domains that are followed; own: those of the target's languages. The paper takes one a language",
        },
        Parameter {
            name: "abstain",
            kind: Kind::Choice(&["drop", "follow"]),
            default: "drop",
            about: "what becomes of a link whose anchor is too short to tell; the paper drops it",
        },
    ];

    fn build(arguments: &Arguments, setting: &Setting) -> Result<Self, SpecError> {
        if setting.languages.is_empty() {
            return Err(SpecError(format!(
                "{} goes by the language of anchors, and the target is none",
                Self::NAME
            )));
        }
        let tlds = match arguments.word("tlds") {
            "own" => tlds::of_languages(setting.languages)?,
            list => list.split('+').map(str::to_ascii_lowercase).collect(),
        };
        let follow_unknown = arguments.word("abstain") == "follow";
        Ok(TldAnchor { languages: setting.languages.to_vec(), tlds, follow_unknown })
    }
}
