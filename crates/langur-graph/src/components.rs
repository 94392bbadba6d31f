//! Strongly connected components.

use serde::Serialize;

use crate::{BowTie, Graph};

/// The strongly connected components of a web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Components {
    /// How many there are.
    pub count: u64,
    /// Pages of the largest.
    pub largest: u64,
    /// Where the other pages are, seen from it.
    pub bow_tie: BowTie,
}

impl Components {
    /// Finds them.
    pub fn of(graph: &Graph) -> Components {
        let found = Partition::of(graph);
        let mut sizes = vec![0_u64; found.count as usize];
        found.component.iter().for_each(|&component| sizes[component as usize] += 1);
        // Of equally large ones the first found, so that every run says the same.
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let core = sizes.iter().position(|&size| size == largest).unwrap_or(0) as u32;
        let bow_tie = BowTie::around(graph, &found, core);
        Components { count: u64::from(found.count), largest, bow_tie }
    }
}

/// Which component each page is in. A component has a smaller number than those that lead to it.
pub(crate) struct Partition {
    pub component: Vec<u32>,
    pub count: u32,
    /// All pages, by number of their component.
    pub order: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;
/// A page whose component is not known yet.
const OPEN: u32 = u32::MAX;

impl Partition {
    /// Tarjan's algorithm (1972), with a stack of its own instead of recursion.
    fn of(graph: &Graph) -> Partition {
        let pages = graph.pages();
        let mut walk = Walk {
            low: vec![UNSEEN; pages],
            stack: Vec::new(),
            found: Partition {
                component: vec![OPEN; pages],
                count: 0,
                order: Vec::with_capacity(pages),
            },
        };
        let mut seen = 0;
        let mut path = Vec::new();
        for start in 0..pages as u32 {
            if walk.low[start as usize] == UNSEEN {
                path.push((start, walk.enter(start, &mut seen), graph.links(start)));
            }
            while let Some((page, number, links)) = path.last_mut() {
                match links.next() {
                    Some(link) if walk.low[link as usize] == UNSEEN => {
                        let number = walk.enter(link, &mut seen);
                        path.push((link, number, graph.links(link)));
                    }
                    Some(link) => walk.lower(*page, link),
                    None => {
                        let (page, number) = (*page, *number);
                        path.pop();
                        if walk.low[page as usize] == number {
                            walk.close(page);
                        }
                        if let Some(&(above, ..)) = path.last() {
                            walk.lower(above, page);
                        }
                    }
                }
            }
        }
        walk.found
    }
}

struct Walk {
    /// The smallest number of a page that each page was found to lead back to.
    low: Vec<u32>,
    stack: Vec<u32>,
    found: Partition,
}

impl Walk {
    fn enter(&mut self, page: u32, seen: &mut u32) -> u32 {
        let number = *seen;
        *seen += 1;
        self.low[page as usize] = number;
        self.stack.push(page);
        number
    }

    #[inline]
    fn lower(&mut self, page: u32, link: u32) {
        if self.found.component[link as usize] == OPEN {
            self.low[page as usize] = self.low[page as usize].min(self.low[link as usize]);
        }
    }

    /// Everything on the stack down to this page is a component.
    fn close(&mut self, first: u32) {
        loop {
            let page = self.stack.pop().expect("a page stays on the stack until it is closed");
            self.found.component[page as usize] = self.found.count;
            self.found.order.push(page);
            if page == first {
                break;
            }
        }
        self.found.count += 1;
    }
}
