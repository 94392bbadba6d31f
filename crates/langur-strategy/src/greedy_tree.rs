//! The shortest ways to all relevant pages, in the best order: an oracle.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use langur_crawl::{Foresight, Joined, Lead, Link, PageId, Priority, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Visits every relevant page that can be reached, by few irrelevant ones, richest parts first.
///
/// The best that any crawl can do is a directed Steiner tree, which nobody can compute. Two greedy
/// steps come near it. First a tree is grown from the seeds: the relevant page that needs the fewest
/// irrelevant ones on the way is taken with its way, which is free for all that follow. Then the tree
/// is put into the order with the greatest area under coverage that is possible for this tree
/// (Horn 1972: one machine, precedence by a tree, greatest ratio of weight to time first).
///
/// It sees what it has not fetched, so it is an oracle.
pub struct GreedyTree {
    /// When to visit each page; [`NEVER`] for pages not in the tree.
    ranks: Vec<u32>,
}

const NEVER: u32 = u32::MAX;
const NOBODY: u32 = u32::MAX;

impl GreedyTree {
    /// Looks at the whole web before the crawl.
    pub fn new(web: &dyn Foresight) -> GreedyTree {
        let tree = Tree::grow(web);
        let mut ranks = vec![NEVER; web.pages()];
        for (rank, page) in best_order(web, &tree).into_iter().enumerate() {
            ranks[page as usize] = rank as u32;
        }
        GreedyTree { ranks }
    }
}

impl Strategy for GreedyTree {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        None
    }

    #[inline]
    fn consider(&mut self, _: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        // A page outside the web space is never worth a visit.
        let rank = self.ranks.get(link.page().0 as usize).copied().unwrap_or(NEVER);
        (rank != NEVER).then_some(Lead { priority: Priority(rank), trail: () })
    }
}

/// Pages worth visiting and the page each is reached from.
struct Tree {
    /// In the order in which they joined: the seeds, then parents before children.
    pages: Vec<u32>,
    seeds: usize,
    parents: Vec<u32>,
}

/// A tree being grown.
struct Growth<'w> {
    web: &'w dyn Foresight,
    tree: Tree,
    joined: Vec<bool>,
    /// Irrelevant pages still to be visited before each page could be had, itself included.
    costs: Vec<u32>,
    /// Pages by cost. An entry counts while it agrees with the page's cost.
    open: Vec<VecDeque<u32>>,
    links: Vec<PageId>,
}

impl Tree {
    fn grow(web: &dyn Foresight) -> Tree {
        let mut growth = Growth {
            web,
            tree: Tree { pages: Vec::new(), seeds: 0, parents: vec![NOBODY; web.pages()] },
            joined: vec![false; web.pages()],
            costs: vec![u32::MAX; web.pages()],
            open: Vec::new(),
            links: Vec::new(),
        };
        for &PageId(seed) in web.seeds() {
            if !growth.joined[seed as usize] {
                growth.join(seed);
            }
        }
        growth.tree.seeds = growth.tree.pages.len();
        for seed in 0..growth.tree.seeds {
            growth.open_links(growth.tree.pages[seed], 0);
        }
        growth.take_all();
        growth.tree
    }
}

impl Growth<'_> {
    fn take_all(&mut self) {
        let mut cost = 0;
        while cost < self.open.len() {
            let Some(page) = self.open[cost].pop_front() else {
                cost += 1;
                continue;
            };
            if self.joined[page as usize] || self.costs[page as usize] as usize != cost {
                continue;
            }
            if self.web.is_relevant(PageId(page)) {
                self.take(page);
                cost = 0;
            } else {
                self.open_links(page, cost as u32);
            }
        }
    }

    /// A relevant page joins the tree with the way to it, which costs the others nothing from now on.
    fn take(&mut self, page: u32) {
        let mut way = Vec::new();
        let mut at = page;
        while !self.joined[at as usize] {
            way.push(at);
            at = self.tree.parents[at as usize];
        }
        for &page in way.iter().rev() {
            self.join(page);
        }
        for page in way {
            self.open_links(page, 0);
        }
    }

    fn join(&mut self, page: u32) {
        self.joined[page as usize] = true;
        self.costs[page as usize] = 0;
        self.tree.pages.push(page);
    }

    fn open_links(&mut self, page: u32, cost: u32) {
        let mut links = std::mem::take(&mut self.links);
        self.web.links(PageId(page), &mut links);
        for link in links.drain(..) {
            let cost = cost + u32::from(!self.web.is_relevant(link));
            if !self.joined[link.0 as usize] && cost < self.costs[link.0 as usize] {
                self.costs[link.0 as usize] = cost;
                self.tree.parents[link.0 as usize] = page;
                if self.open.len() <= cost as usize {
                    self.open.resize_with(cost as usize + 1, VecDeque::new);
                }
                self.open[cost as usize].push_back(link.0);
            }
        }
        self.links = links;
    }
}

/// Pages that follow each other without a break, beginning with one that has not been placed yet.
#[derive(Clone, Copy)]
struct Block {
    relevant: u32,
    pages: u32,
    last: u32,
}

/// A block on offer; the one with the greatest share of relevant pages is the greatest, and of equal
/// ones that which joined the tree first.
#[derive(PartialEq, Eq)]
struct Offer {
    relevant: u32,
    pages: u32,
    place: u32,
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mine, others) = (
            u64::from(self.relevant) * u64::from(other.pages),
            u64::from(other.relevant) * u64::from(self.pages),
        );
        mine.cmp(&others).then_with(|| other.place.cmp(&self.place))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of a tree's pages with the greatest area under coverage, the seeds being first.
fn best_order(web: &dyn Foresight, tree: &Tree) -> Vec<u32> {
    let mut places = vec![NOBODY; web.pages()];
    for (place, &page) in tree.pages.iter().enumerate() {
        places[page as usize] = place as u32;
    }
    let parent = |place: usize| places[tree.parents[tree.pages[place] as usize] as usize];
    let mut blocks: Vec<Block> = (0..tree.pages.len())
        .map(|place| Block {
            relevant: u32::from(web.is_relevant(PageId(tree.pages[place]))),
            pages: 1,
            last: place as u32,
        })
        .collect();
    // A block is known by the place of its first page.
    let mut part_of = Joined::new(tree.pages.len());
    let mut following = vec![NOBODY; tree.pages.len()];
    let mut offers: BinaryHeap<Offer> =
        (tree.seeds..tree.pages.len()).map(|place| offer(&blocks, place as u32)).collect();
    let mut order: Vec<u32> = tree.pages[..tree.seeds].to_vec();
    while let Some(best) = offers.pop() {
        let place = best.place;
        if part_of.head(place) != place || blocks[place as usize].pages != best.pages {
            continue;
        }
        let above = part_of.head(parent(place as usize));
        part_of.join_to(place, above);
        if (above as usize) < tree.seeds {
            // What it hangs on has been placed, so it is next.
            let mut at = place;
            while at != NOBODY {
                order.push(tree.pages[at as usize]);
                at = following[at as usize];
            }
        } else {
            let block = blocks[place as usize];
            let into = &mut blocks[above as usize];
            following[into.last as usize] = place;
            *into = Block {
                relevant: into.relevant + block.relevant,
                pages: into.pages + block.pages,
                last: block.last,
            };
            offers.push(offer(&blocks, above));
        }
    }
    order
}

fn offer(blocks: &[Block], place: u32) -> Offer {
    let block = blocks[place as usize];
    Offer { relevant: block.relevant, pages: block.pages, place }
}

impl Named for GreedyTree {
    const NAME: &'static str = "greedy-tree";
    const ABOUT: &'static str = "visits all relevant pages by few irrelevant ones, richest parts first, which comes near the best possible; an oracle";
    const ORACLE: bool = true;

    fn build(_: &Arguments, setting: &Setting) -> Result<Self, SpecError> {
        setting.foresight_for(Self::NAME).map(GreedyTree::new)
    }
}
