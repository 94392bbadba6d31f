//! What is chosen for all strategies alike.

use std::collections::BTreeMap;

use langur_frontier::Keep;
pub use langur_frontier::Order;
use langur_sim::Missing;
use serde_json::{Value, json};

use crate::{Clock, Identifier};

/// What the papers leave open about every strategy alike. The defaults are those of design.md 3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Switches {
    /// Which lead wins when a waiting page is found again.
    pub lead: Keep,
    /// In which order pages of one priority leave.
    pub order: Order,
    /// Whether visited pages met on a better lead are opened again.
    pub reopen: bool,
    /// What becomes of links out of the web space.
    pub missing: Missing,
    /// The most pages to fetch.
    pub max_pages: Option<u64>,
    /// How time passes.
    pub clock: Clock,
    /// How well pages are told apart.
    pub identifier: Identifier,
}

impl Switches {
    /// By name, for manifests and reports.
    pub fn described(&self) -> BTreeMap<String, Value> {
        let lead = match self.lead {
            Keep::Better => json!("better"),
            Keep::First => json!("first"),
        };
        let (order, random_seed) = match self.order {
            Order::Fifo => (json!("fifo"), None),
            Order::Random(seed) => (json!("random"), Some(json!(seed))),
        };
        let missing = match self.missing {
            Missing::Skip => json!("skip"),
            Missing::NotFound => json!("404"),
        };
        let max_pages = self.max_pages.map_or(json!("all"), |pages| json!(pages));
        let fixed = [
            ("lead", lead),
            ("order", order),
            ("reopen", json!(self.reopen)),
            ("missing", missing),
            ("max_pages", max_pages),
            ("clock", json!(self.clock.to_string())),
            ("identifier", json!(self.identifier.to_string())),
        ];
        let random_seed = random_seed.map(|seed| ("random_seed", seed));
        fixed.into_iter().chain(random_seed).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Reads what [`Switches::described`] wrote; `None` if it makes no sense.
    pub fn read(described: &BTreeMap<String, Value>) -> Option<Switches> {
        let word = |name: &str| described.get(name)?.as_str();
        // Runs written before there were other clocks and identifiers do not name theirs.
        let word_or =
            |name: &str, default| described.get(name).map_or(Some(default), Value::as_str);
        Some(Switches {
            lead: match word("lead")? {
                "better" => Keep::Better,
                "first" => Keep::First,
                _ => return None,
            },
            order: match word("order")? {
                "fifo" => Order::Fifo,
                "random" => Order::Random(described.get("random_seed")?.as_u64()?),
                _ => return None,
            },
            reopen: described.get("reopen")?.as_bool()?,
            missing: match word("missing")? {
                "skip" => Missing::Skip,
                "404" => Missing::NotFound,
                _ => return None,
            },
            max_pages: match described.get("max_pages")? {
                Value::String(_) => None,
                pages => Some(pages.as_u64()?),
            },
            clock: word_or("clock", "step")?.parse().ok()?,
            identifier: word_or("identifier", "exact")?.parse().ok()?,
        })
    }
}
