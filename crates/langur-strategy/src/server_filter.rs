//! Only to servers that have shown relevant pages.

use langur_crawl::{Asks, HostId, Lead, Link, Page, Priority, Standing, Strategy, Visited};

use crate::regard::{COUNT, Regard, THETA, lead};
use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError, tlds};

/// The server-based filters of Tamura, Somboonviwat and Kitsuregawa (2006), as retold by Chan and
/// Yamana (2010): links to servers known not to be relevant are dropped; new servers are accepted
/// always (aggressive) or only from a relevant page of a relevant server (conservative); links of
/// relevant pages go first.
pub struct ServerFilter {
    regard: Regard<HostId>,
    /// If set, links are dropped by top-level domain instead of by server.
    tlds: Option<Vec<String>>,
}

impl Strategy for ServerFilter {
    type Trail = ();
    const ASKS: Asks = Asks::Host;

    fn tiers(&self) -> Option<u8> {
        Some(2)
    }

    fn standing(&mut self, visited: &Visited<()>, _: &impl Page) -> Option<Standing> {
        self.regard.visited(visited.host, visited);
        None
    }

    #[inline]
    fn outlook(&self, from: &Visited<()>) -> Option<Priority> {
        Some(lead(from).priority)
    }

    #[inline]
    fn consider(&mut self, from: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        let accepted = match &self.tlds {
            Some(tlds) => tlds::contain(tlds, link.tld()),
            None => self.regard.accepts(from.host, from, link.host()),
        };
        accepted.then(|| lead(from))
    }
}

impl Named for ServerFilter {
    const NAME: &'static str = "server-filter";
    const ABOUT: &'static str =
        "drops links to servers that have shown no relevant page (Tamura et al. 2006)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "new",
            kind: Kind::Choice(&["aggressive", "conservative"]),
            default: "conservative",
            about: "new servers are accepted always, or only from a relevant page of a relevant server",
        },
        THETA,
        COUNT,
        Parameter {
            name: "filter",
            kind: Kind::Choice(&["server", "tld"]),
            default: "server",
            about: "what is dropped: links to servers that are not relevant or, as Chan and Yamana retell it, out of the language's TLDs",
        },
    ];
    const VARIANTS: &'static [&'static str] = &["aggressive", "conservative"];

    fn build(arguments: &Arguments, setting: &Setting) -> Result<Self, SpecError> {
        let tlds = match arguments.word("filter") {
            "tld" => Some(tlds::of_languages(setting.languages)?),
            _ => None,
        };
        Ok(ServerFilter {
            regard: Regard::new(arguments, arguments.word("new") == "conservative"),
            tlds,
        })
    }
}
