//! Every frontier against the naive model.

use langur_crawl::{
    DirectoryId, Frontier, HostId, Language, Lead, Link, PageId, Priority, Standing,
};
use langur_frontier::{Bands, Extent, Heap, Order, Policy};
use langur_testkit::frontier::{TIERS, keeps_its_promises};

#[test]
fn bands_keep_their_promises() {
    keeps_its_promises(|extent, policy| Bands::new(TIERS, extent, policy, 0));
}

#[test]
fn the_heap_keeps_its_promises() {
    keeps_its_promises(|extent, policy| Heap::new(Order::Fifo, extent, policy, 0));
}

struct To(u32);

impl Link for To {
    fn page(&self) -> PageId {
        PageId(self.0)
    }
    fn host(&self) -> HostId {
        HostId(0)
    }
    fn directory(&self) -> Option<DirectoryId> {
        None
    }
    fn tld(&self) -> Option<&str> {
        None
    }
    fn anchor_language(&self) -> Option<Language> {
        None
    }
}

fn lead(priority: Priority) -> Lead<()> {
    Lead { priority, trail: () }
}

/// A discarded page may come back to the very tier it left, many times over, without its old entries
/// being mistaken for the new one.
#[test]
fn old_entries_of_a_discarded_page_never_count() {
    let extent = Extent { pages: 2, ranked_hosts: 1 };
    let mut bands = Bands::new(2, extent, Policy::default(), ());
    for _ in 0..10 {
        bands.offer(&To(0), lead(Priority::tier(1)));
        bands.offer(&To(1), lead(Priority::tier(1)));
        bands.rank(HostId(0), Standing::Abandoned);
        assert!(bands.is_empty());
    }
    bands.offer(&To(1), lead(Priority::tier(1)));
    bands.offer(&To(0), lead(Priority::tier(1)));
    let order: Vec<u32> = std::iter::from_fn(|| bands.next()).map(|found| found.page.0).collect();
    assert_eq!(order, [1, 0]);
}

fn drawn(seed: u64) -> Vec<u32> {
    let extent = Extent { pages: 100, ranked_hosts: 0 };
    let mut heap = Heap::new(Order::Random(seed), extent, Policy::default(), ());
    (0..100)
        .for_each(|page| assert!(heap.offer(&To(page), lead(Priority::tier((page / 50) as u8)))));
    std::iter::from_fn(|| heap.next()).map(|found| found.page.0).collect()
}

#[test]
fn random_order_respects_priorities_and_its_seed() {
    let order = drawn(1);
    assert!(order[..50].iter().all(|&page| page < 50));
    assert_ne!(order[..50], (0..50).collect::<Vec<_>>());
    assert_eq!(order, drawn(1));
    assert_ne!(order, drawn(2));
}

/// A web that finds out its pages as it is crawled begins with none.
#[test]
fn frontiers_that_grow_keep_their_promises() {
    let none = Extent { pages: 0, ranked_hosts: 1 };
    keeps_its_promises(|_, policy| Bands::new(TIERS, none, policy, 0));
    keeps_its_promises(|_, policy| Heap::new(Order::Fifo, none, policy, 0));
}
