//! How far relevant pages are from each other.

use serde::Serialize;

use crate::Graph;

/// For how many relevant pages the nearest other relevant page that leads to them is so many links
/// away (Somboonviwat et al. 2006, Fig. 1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Distances {
    /// Pages at distance 1 (linked from a relevant page), 2, 3, …
    pub pages: Vec<u64>,
    /// Pages to which no other relevant page leads.
    pub never: u64,
}

const NOBODY: u32 = u32::MAX;

/// Walks from all relevant pages at once, level by level. An irrelevant page is passed by the two
/// nearest relevant pages that lead to it: one of them is another page than the one it leads back to.
pub fn distances(graph: &Graph, relevant: &[bool]) -> Distances {
    let mut passed = vec![[NOBODY; 2]; graph.pages()];
    let mut reached = vec![false; graph.pages()];
    let sources = (0..graph.pages() as u32).filter(|&page| relevant[page as usize]);
    let mut level: Vec<(u32, u32)> = sources.map(|page| (page, page)).collect();
    let mut unreached = level.len() as u64;
    let mut pages = Vec::new();
    while !level.is_empty() {
        let (mut found, mut next) = (0, Vec::new());
        for (page, source) in level {
            for link in graph.links(page) {
                if relevant[link as usize] {
                    if link != source && !std::mem::replace(&mut reached[link as usize], true) {
                        found += 1;
                    }
                } else if pass(&mut passed[link as usize], source) {
                    next.push((link, source));
                }
            }
        }
        unreached -= found;
        pages.push(found);
        level = next;
    }
    while pages.last() == Some(&0) {
        pages.pop();
    }
    Distances { pages, never: unreached }
}

/// Whether a page is passed by this source for the first time, and by less than two before.
fn pass(passed: &mut [u32; 2], source: u32) -> bool {
    match passed {
        [NOBODY, _] => passed[0] = source,
        [first, NOBODY] if *first != source => passed[1] = source,
        _ => return false,
    }
    true
}
