//! Links between pages, as the analyses walk them.

use langur_crawl::Language;
use langur_sim::Space;
use rayon::prelude::*;

/// Who links to whom.
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    /// Where each page's links begin, and where the last ones end.
    offsets: &'a [u64],
    targets: &'a [u32],
}

impl<'a> Graph<'a> {
    /// The links of a web space. Those that leave it are passed over.
    pub fn of(space: &'a Space) -> Graph<'a> {
        Graph::new(space.link_offsets.as_slice(), space.link_targets.as_slice())
    }

    /// Links by page: those of page `i` are `targets[offsets[i]..offsets[i + 1]]`.
    pub fn new(offsets: &'a [u64], targets: &'a [u32]) -> Graph<'a> {
        Graph { offsets, targets }
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The pages a page links to.
    #[inline]
    pub fn links(&self, page: u32) -> impl Iterator<Item = u32> + use<'a> {
        let pages = self.pages() as u32;
        let range = self.offsets[page as usize] as usize..self.offsets[page as usize + 1] as usize;
        self.targets[range].iter().copied().filter(move |&target| target < pages)
    }
}

/// Which pages are OK HTML.
pub(crate) fn ok_html(space: &Space) -> Vec<bool> {
    let is_html = space.html_mimes();
    let status = space.status.as_slice();
    let pages = (0..space.pages()).into_par_iter();
    pages.map(|page| status[page] == 200 && is_html[usize::from(space.mime.get(page))]).collect()
}

/// Which OK HTML pages are in one of the languages.
pub(crate) fn relevant(
    space: &Space,
    languages: &[Language],
    label: usize,
    ok_html: &[bool],
) -> Vec<bool> {
    let is_wanted = |code: u16| {
        let language = space.language_of(code);
        language.is_some_and(|found| languages.iter().any(|&want| found.is_within(want)))
    };
    let codes = 0..=space.manifest().languages.len() as u16;
    let wanted: Vec<bool> = codes.map(is_wanted).collect();
    let language = &space.language[label];
    let pages = ok_html.par_iter().enumerate();
    pages.map(|(page, &ok_html)| ok_html && wanted[usize::from(language.get(page))]).collect()
}
