//! The bow-tie.

use langur_crawl::Joined;
use serde::Serialize;

use crate::Graph;
use crate::components::Partition;

/// Where pages are, seen from the largest strongly connected component (Broder et al. 2000).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BowTie {
    /// In it.
    pub lscc: u64,
    /// Leading to it.
    #[serde(rename = "in")]
    pub into: u64,
    /// Led to from it.
    pub out: u64,
    /// On ways from IN to OUT that pass it by.
    pub tubes: u64,
    /// Hanging on to the rest in some other way.
    pub tendrils: u64,
    /// Not connected with it at all, whatever the direction of links.
    pub disconnected: u64,
}

impl BowTie {
    /// Components are numbered so that links lead to smaller numbers: one walk along the order carries
    /// a mark from where a page leads to, one against it from where it is led to.
    pub(crate) fn around(graph: &Graph, found: &Partition, core: u32) -> BowTie {
        let is_core: Vec<bool> = (0..found.count).map(|component| component == core).collect();
        let (connected, (to_core, from_core)) = rayon::join(
            || connected_with(graph, found, core),
            || (leading_to(graph, found, &is_core), led_to_from(graph, found, &is_core)),
        );
        let without_core = |marks: &[bool]| -> Vec<bool> {
            marks.iter().zip(&is_core).map(|(&mark, &core)| mark && !core).collect()
        };
        let (into, out) = (without_core(&to_core), without_core(&from_core));
        let (from_in, to_out) =
            rayon::join(|| led_to_from(graph, found, &into), || leading_to(graph, found, &out));
        let mut bow_tie = BowTie::default();
        for (page, &component) in found.component.iter().enumerate() {
            let component = component as usize;
            let part = if is_core[component] {
                &mut bow_tie.lscc
            } else if into[component] {
                &mut bow_tie.into
            } else if out[component] {
                &mut bow_tie.out
            } else if from_in[component] && to_out[component] {
                &mut bow_tie.tubes
            } else if connected[page] {
                &mut bow_tie.tendrils
            } else {
                &mut bow_tie.disconnected
            };
            *part += 1;
        }
        bow_tie
    }
}

/// Components that are marked or lead to one that is.
fn leading_to(graph: &Graph, found: &Partition, marked: &[bool]) -> Vec<bool> {
    let mut marks = marked.to_vec();
    for &page in &found.order {
        let component = found.component[page as usize] as usize;
        if !marks[component] {
            marks[component] =
                graph.links(page).any(|link| marks[found.component[link as usize] as usize]);
        }
    }
    marks
}

/// Components that are marked or led to from one that is.
fn led_to_from(graph: &Graph, found: &Partition, marked: &[bool]) -> Vec<bool> {
    let mut marks = marked.to_vec();
    for &page in found.order.iter().rev() {
        if marks[found.component[page as usize] as usize] {
            graph
                .links(page)
                .for_each(|link| marks[found.component[link as usize] as usize] = true);
        }
    }
    marks
}

/// Pages connected with the core, whatever the direction of links.
fn connected_with(graph: &Graph, found: &Partition, core: u32) -> Vec<bool> {
    let mut joined = Joined::new(graph.pages());
    for page in 0..graph.pages() as u32 {
        let mut head = page;
        graph.links(page).for_each(|link| head = joined.join(head, link));
    }
    let one = found.component.iter().position(|&component| component == core);
    let core = one.map(|page| joined.head(page as u32));
    (0..graph.pages() as u32).map(|page| Some(joined.head(page)) == core).collect()
}
