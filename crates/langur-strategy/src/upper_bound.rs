//! What no crawl can exceed.

use std::collections::VecDeque;

use langur_crawl::{Foresight, Joined, PageId};

/// A bound on the relevant pages that any crawl can have found after so many fetches.
///
/// A crawl that has fetched *j* irrelevant pages has found no relevant page that needs more than *j*
/// on the way. Nor more than were to be had without any, and what each of the *j* opened: relevant
/// pages hang together in clusters, and every cluster that is entered was entered from one of the
/// *j*. So the *j* pages with the largest clusters behind them bound the rest. After *k* fetches, of
/// which *j* were irrelevant, at most *k − j* are relevant; the bound is the best *j*.
pub struct UpperBound {
    /// The most relevant pages that can be found at the price of so many irrelevant ones.
    by_wasted: Vec<u64>,
}

const UNREACHED: u32 = u32::MAX;

impl UpperBound {
    /// Looks at the whole web.
    pub fn new(web: &dyn Foresight) -> UpperBound {
        let wasted = least_wasted(web);
        let mut by_distance: Vec<u64> = vec![0];
        for page in 0..web.pages() as u32 {
            let wasted = wasted[page as usize];
            if wasted != UNREACHED && web.is_relevant(PageId(page)) {
                if by_distance.len() <= wasted as usize {
                    by_distance.resize(wasted as usize + 1, 0);
                }
                by_distance[wasted as usize] += 1;
            }
        }
        for i in 1..by_distance.len() {
            by_distance[i] += by_distance[i - 1];
        }
        let most = *by_distance.last().expect("distance 0 is always there");
        let mut gains = cluster_gains(web, &wasted).into_iter();
        let (mut by_wasted, mut opened) = (vec![by_distance[0]], by_distance[0]);
        while *by_wasted.last().expect("it begins with one") < most {
            // Every cluster is entered from somewhere, so the gains add up to all that is missing.
            opened += gains.next().unwrap_or(0);
            let near = *by_distance.get(by_wasted.len()).unwrap_or(&most);
            by_wasted.push(opened.min(near));
        }
        UpperBound { by_wasted }
    }

    /// The bound after 1, 2, 3, … fetches, up to the first that allows for all there is to find.
    pub fn found(&self) -> impl Iterator<Item = u64> {
        let (mut fetched, mut wasted, mut done) = (0_u64, 0_usize, false);
        let most = *self.by_wasted.last().expect("it begins with one");
        std::iter::from_fn(move || {
            fetched += 1;
            // More waste than this only costs fetches.
            while wasted + 1 < self.by_wasted.len()
                && self.by_wasted[wasted] < fetched.saturating_sub(wasted as u64)
            {
                wasted += 1;
            }
            let with = self.by_wasted[wasted].min(fetched.saturating_sub(wasted as u64));
            let without = if wasted == 0 { 0 } else { self.by_wasted[wasted - 1] };
            let found = with.max(without);
            if std::mem::replace(&mut done, found >= most) { None } else { Some(found) }
        })
    }
}

/// For every page, the fewest irrelevant pages on a way to it from a seed, itself included.
fn least_wasted(web: &dyn Foresight) -> Vec<u32> {
    let mut least = vec![UNREACHED; web.pages()];
    let mut open = VecDeque::new();
    let price = |page: PageId| u32::from(!web.is_relevant(page));
    for &seed in web.seeds() {
        least[seed.0 as usize] = price(seed);
        if price(seed) == 0 { open.push_front((seed, 0)) } else { open.push_back((seed, 1)) }
    }
    let mut links = Vec::new();
    while let Some((page, wasted)) = open.pop_front() {
        if least[page.0 as usize] != wasted {
            continue;
        }
        web.links(page, &mut links);
        for link in links.drain(..) {
            let there = wasted + price(link);
            if there < least[link.0 as usize] {
                least[link.0 as usize] = there;
                if there == wasted {
                    open.push_front((link, there));
                } else {
                    open.push_back((link, there));
                }
            }
        }
    }
    least
}

/// For every irrelevant page that leads straight to clusters of relevant pages: how many pages those
/// have, the largest first. Clusters hold the relevant pages that cannot be had without waste, joined
/// where one links to another.
fn cluster_gains(web: &dyn Foresight, wasted: &[u32]) -> Vec<u64> {
    let is_clustered =
        |page: PageId| web.is_relevant(page) && (1..UNREACHED).contains(&wasted[page.0 as usize]);
    let mut clusters = Joined::new(web.pages());
    let mut links = Vec::new();
    for page in (0..web.pages() as u32).map(PageId).filter(|&page| is_clustered(page)) {
        web.links(page, &mut links);
        for link in links.drain(..).filter(|&link| is_clustered(link)) {
            clusters.join(page.0, link.0);
        }
    }
    let mut sizes = vec![0_u32; web.pages()];
    for page in (0..web.pages() as u32).map(PageId).filter(|&page| is_clustered(page)) {
        sizes[clusters.head(page.0) as usize] += 1;
    }
    let (mut gains, mut entered) = (Vec::new(), Vec::new());
    for page in 0..web.pages() as u32 {
        if wasted[page as usize] == UNREACHED || web.is_relevant(PageId(page)) {
            continue;
        }
        web.links(PageId(page), &mut links);
        let clustered = links.drain(..).filter(|&link| is_clustered(link));
        entered.extend(clustered.map(|link| clusters.head(link.0)));
        entered.sort_unstable();
        entered.dedup();
        let gain: u64 = entered.drain(..).map(|cluster| u64::from(sizes[cluster as usize])).sum();
        if gain > 0 {
            gains.push(gain);
        }
    }
    gains.sort_unstable_by(|a, b| b.cmp(a));
    gains
}
