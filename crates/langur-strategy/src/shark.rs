//! The fish that smells: scores from the page that links, the anchor and the words around it.

use langur_crawl::{Language, Lead, Link, Page, Priority, Strategy, Trail, Visited};

use crate::depths::{DEPTH, Depths, EXHAUSTED};
use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// The shark-search of Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim and Ur (1998).
///
/// A link inherits `delta` times the score of its page or, if that is nothing, `delta` times what the page
/// itself inherited. Its neighbourhood counts `beta` times the score of the anchor and the rest times that
/// of the words around it, which are taken for relevant where the anchor is. The score is `gamma` times
/// what is inherited and the rest times the neighbourhood. Depths are those of fish-search;
/// where a branch ends, links have score 0.
///
/// For a target of languages, an anchor in one of them scores 1 and any other 0.
pub struct Shark {
    languages: Vec<Language>,
    delta: f32,
    beta: f32,
    gamma: f32,
    above_threshold: bool,
    depths: Depths,
}

/// What a page inherited from those before it; a seed nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inherited(f32);

impl Trail for Inherited {
    fn crossed(self) -> Option<u32> {
        None
    }
}

impl Strategy for Shark {
    type Trail = Inherited;

    fn tiers(&self) -> Option<u8> {
        None
    }

    fn survey(&mut self, from: &Visited<Inherited>, page: &impl Page) {
        if let Some(depth) = self.depths.of_links(from) {
            page.links().for_each(|link| self.depths.list(link.page(), depth));
        }
    }

    fn outlook(&self, from: &Visited<Inherited>) -> Option<Priority> {
        self.depths.of_links(from).map(|_| self.priority(from, 1.0, 1.0))
    }

    fn consider(&mut self, from: &Visited<Inherited>, link: &impl Link) -> Option<Lead<Inherited>> {
        self.depths.of_links(from)?;
        let anchor = self.anchor_score(link);
        let context = if anchor > 0.0 { 1.0 } else { link.context_score().unwrap_or(0.0) };
        let priority = self.priority(from, anchor, context);
        Some(Lead { priority, trail: Inherited(self.inherited(from)) })
    }

    fn redirected(
        &mut self,
        from: &Visited<Inherited>,
        link: &impl Link,
    ) -> Option<Lead<Inherited>> {
        self.depths.list(link.page(), self.depths.of(from.page));
        Some(from.lead)
    }
}

impl Shark {
    /// What the links of a page inherit.
    fn inherited(&self, from: &Visited<Inherited>) -> f32 {
        let relevance = from.judgement.relevance;
        let counts = if self.above_threshold { relevance.relevant } else { relevance.score > 0.0 };
        self.delta * if counts { relevance.score } else { from.lead.trail.0 }
    }

    fn anchor_score(&self, link: &impl Link) -> f32 {
        let in_language = || {
            let anchor = link.anchor_language();
            anchor.is_some_and(|anchor| self.languages.iter().any(|&want| anchor.is_within(want)))
        };
        link.anchor_score().unwrap_or_else(|| f32::from(in_language()))
    }

    fn priority(&self, from: &Visited<Inherited>, anchor: f32, context: f32) -> Priority {
        if self.depths.end_at(from) {
            return Priority::score(0.0);
        }
        let neighbourhood = self.beta * anchor + (1.0 - self.beta) * context;
        Priority::score(self.gamma * self.inherited(from) + (1.0 - self.gamma) * neighbourhood)
    }
}

impl Named for Shark {
    const NAME: &'static str = "shark";
    const ABOUT: &'static str = "follows the links with the best score, from the page that links, the anchor and the words around it (Hersovici et al. 1998)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "delta",
            kind: Kind::Fraction,
            default: "0.5",
            about: "what is left of a page's score for its links. Gogar (2015) states none of these numbers; they are those often used",
        },
        Parameter {
            name: "beta",
            kind: Kind::Fraction,
            default: "0.8",
            about: "weight of the anchor, against the words around it",
        },
        Parameter {
            name: "gamma",
            kind: Kind::Fraction,
            default: "0.5",
            about: "weight of what is inherited, against anchor and words around it; 0.5 to 0.8 are used",
        },
        Parameter {
            name: "inherit",
            kind: Kind::Choice(&["above-zero", "above-threshold"]),
            default: "above-zero",
            about: "from which pages scores are inherited: any with a score, or relevant ones only; else what those before them left",
        },
        DEPTH,
        EXHAUSTED,
    ];

    fn build(arguments: &Arguments, setting: &Setting) -> Result<Self, SpecError> {
        Ok(Shark {
            languages: setting.languages.to_vec(),
            delta: arguments.fraction("delta") as f32,
            beta: arguments.fraction("beta") as f32,
            gamma: arguments.fraction("gamma") as f32,
            above_threshold: arguments.word("inherit") == "above-threshold",
            depths: Depths::new(arguments),
        })
    }
}
