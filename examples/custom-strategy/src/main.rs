//! A strategy of one's own, run by langur's commands. See docs/custom-strategies.md.

use std::collections::HashMap;
use std::process::ExitCode;

use langur_crawl::{HostId, Lead, Link, Page, Priority, Standing, Strategy, Visited};
use langur_strategy::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// Follows every link. First those of relevant pages, then those to hosts of which at least `share`
/// of the pages seen so far were relevant, then the rest.
struct GoodCompany {
    share: f64,
    /// Pages and relevant pages seen on each host.
    seen: HashMap<HostId, (u32, u32)>,
}

impl Strategy for GoodCompany {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        Some(3)
    }

    fn standing(&mut self, visited: &Visited<()>, _: &impl Page) -> Option<Standing> {
        let (pages, relevant) = self.seen.entry(visited.host).or_default();
        *pages += 1;
        *relevant += u32::from(visited.is_relevant());
        None // Pages that wait already stay where they are.
    }

    fn consider(&mut self, from: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        let is_good =
            |&(pages, relevant): &(u32, u32)| f64::from(relevant) >= self.share * f64::from(pages);
        let tier = match self.seen.get(&link.host()).is_some_and(is_good) {
            _ if from.is_relevant() => 0,
            true => 1,
            false => 2,
        };
        Some(Lead { priority: Priority::tier(tier), trail: () })
    }
}

impl Named for GoodCompany {
    const NAME: &'static str = "good-company";
    const ABOUT: &'static str = "soft-focused, but links to hosts that have been good go second";
    const PARAMETERS: &'static [Parameter] =
        &[Parameter { name: "share", kind: Kind::Fraction, default: "0.5", about: "what is good" }];

    fn build(arguments: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(GoodCompany { share: arguments.fraction("share"), seen: HashMap::new() })
    }
}

fn main() -> ExitCode {
    langur_cli::Langur::default().with::<GoodCompany>().main()
}
