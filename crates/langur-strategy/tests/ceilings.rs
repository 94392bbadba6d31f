//! Oracles and the upper bound against the best of all orders, found by trying every one.

use std::collections::HashMap;

use langur_crawl::{Foresight, PageId};
use langur_strategy::UpperBound;
use langur_testkit::{Toy, toy};
use proptest::prelude::*;

/// Links between pages 0 to 8, of which page 0 is the seed; a page of a tree has one link to it.
#[derive(Clone)]
struct Graph {
    relevant: Vec<bool>,
    links: Vec<(usize, usize)>,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |page: usize| {
            let letter = (b'a' + page as u8) as char;
            if self.relevant[page] { letter.to_ascii_uppercase() } else { letter }
        };
        write!(f, "{}", name(0))?;
        self.links.iter().try_for_each(|&(from, to)| write!(f, "; {} -> {}", name(from), name(to)))
    }
}

const PAGES: usize = 9;

fn trees() -> impl Strategy<Value = Graph> {
    let parents = prop::collection::vec(any::<prop::sample::Index>(), PAGES - 1);
    (prop::collection::vec(any::<bool>(), PAGES), parents).prop_map(|(relevant, parents)| {
        let link = |(page, parent): (usize, prop::sample::Index)| (parent.index(page), page);
        Graph { relevant, links: (1..).zip(parents).map(link).collect() }
    })
}

fn graphs() -> impl Strategy<Value = Graph> {
    let links = prop::collection::vec((0..PAGES, 0..PAGES), 0..20);
    (trees(), links).prop_map(|(mut graph, links)| {
        graph.links.extend(links.into_iter().filter(|(from, to)| from != to));
        graph.links.sort_unstable();
        graph.links.dedup();
        graph
    })
}

/// The least sum, over all relevant pages, of the fetches until each was there.
fn best_sum(web: &Toy) -> u64 {
    fn best(web: &Toy, fetched: u32, known: &mut HashMap<u32, u64>) -> u64 {
        if let Some(&sum) = known.get(&fetched) {
            return sum;
        }
        let pages = || (0..web.pages() as u32).map(PageId);
        let is_fetched = |page: PageId| fetched >> page.0 & 1 == 1;
        let mut links = Vec::new();
        pages().filter(|&page| is_fetched(page)).for_each(|page| web.links(page, &mut links));
        let missing = pages().filter(|&page| web.is_relevant(page) && !is_fetched(page)).count();
        links.retain(|&page| !is_fetched(page));
        // Every page that is still missing waits for this fetch too.
        let after = links.iter().map(|page| best(web, fetched | 1 << page.0, known)).min();
        let sum = if missing == 0 { 0 } else { missing as u64 + after.unwrap_or(0) };
        known.insert(fetched, sum);
        sum
    }
    best(web, 1, &mut HashMap::new()) + relevant(web)
}

fn relevant(web: &Toy) -> u64 {
    (0..web.pages() as u32).filter(|&page| web.is_relevant(PageId(page))).count() as u64
}

/// The same sum for a crawl, given as the names of its pages.
fn sum_of(trace: &str) -> u64 {
    let is_relevant = |name: &&(u64, &str)| name.1.starts_with(|c: char| c.is_ascii_uppercase());
    let numbered: Vec<(u64, &str)> = (1..).zip(trace.split(' ')).collect();
    numbered.iter().filter(is_relevant).map(|(fetches, _)| fetches).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_trees_the_greedy_tree_is_the_best_of_all_orders(graph in trees()) {
        let web = toy(&format!("{graph:?}"));
        prop_assert_eq!(sum_of(&web.crawl("greedy-tree")), best_sum(&web));
    }

    #[test]
    fn the_upper_bound_holds_for_the_best_of_all_orders(graph in graphs()) {
        let web = toy(&format!("{graph:?}"));
        let bound: Vec<u64> = UpperBound::new(&web).found().collect();
        let (mut before, mut sum) = (0, 0);
        for (fetches, &found) in (1..).zip(&bound) {
            sum += fetches * (found - before);
            before = found;
        }
        prop_assert_eq!(before, relevant(&web), "all pages of these webs can be reached");
        prop_assert!(sum <= best_sum(&web), "the bound promises {}, and {} is possible", sum, best_sum(&web));
        prop_assert!(sum_of(&web.crawl("greedy-tree")) >= best_sum(&web));
    }
}

#[test]
fn a_way_is_paid_for_once() {
    // b costs as much as c, and opens two pages instead of one.
    assert_eq!(toy("A -> c, b; c -> D; b -> E, F").crawl("greedy-tree"), "A b E F c D");
    // The way through b to E is free for F; the shorter looking way through d is not needed.
    assert_eq!(toy("A -> b, d; b -> c -> E; c -> F; d -> F").crawl("greedy-tree"), "A d F b c E");
}
