//! Only to directories that have shown relevant pages.

use langur_crawl::{Asks, DirectoryId, Lead, Link, Page, Priority, Standing, Strategy, Visited};

use crate::regard::{COUNT, Regard, THETA, lead};
use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// The directory-based conservative filter of Tamura, Somboonviwat and Kitsuregawa (2006): as the
/// server-based one, with a host and a path up to its last slash in the place of the server. Links
/// of a web that knows no directories are not followed. Visited pages are not opened again, since
/// the directory at hand is learnt from a visit.
pub struct DirectoryFilter {
    regard: Regard<DirectoryId>,
    /// The directory of the page visited last, whose links are being considered.
    here: Option<DirectoryId>,
}

impl Strategy for DirectoryFilter {
    type Trail = ();
    const ASKS: Asks = Asks::Directory;
    const REOPENS: bool = false;

    fn tiers(&self) -> Option<u8> {
        Some(2)
    }

    fn standing(&mut self, visited: &Visited<()>, page: &impl Page) -> Option<Standing> {
        self.here = page.directory();
        if let Some(directory) = self.here {
            self.regard.visited(directory, visited);
        }
        None
    }

    #[inline]
    fn outlook(&self, from: &Visited<()>) -> Option<Priority> {
        Some(lead(from).priority)
    }

    #[inline]
    fn consider(&mut self, from: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        let (here, there) = (self.here?, link.directory()?);
        self.regard.accepts(here, from, there).then(|| lead(from))
    }
}

impl Named for DirectoryFilter {
    const NAME: &'static str = "directory-filter";
    const ABOUT: &'static str =
        "drops links to directories that have shown no relevant page (Tamura et al. 2006)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "new",
            kind: Kind::Choice(&["conservative"]),
            default: "conservative",
            about: "new directories are accepted only from a relevant page of a relevant directory",
        },
        THETA,
        COUNT,
    ];

    fn build(arguments: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(DirectoryFilter { regard: Regard::new(arguments, true), here: None })
    }
}
