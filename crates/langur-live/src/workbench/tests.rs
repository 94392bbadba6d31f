//! The workbench's promises, on a clock of their own.

use super::*;

const MANNERS: Manners = Manners {
    delay_ms: 1000,
    address_delay_ms: 100,
    slow_factor: 5.0,
    longest_slow_ms: 30_000,
    longest_crawl_delay_ms: 60_000,
    robots_ms: 86_400_000,
    obey_robots: true,
};

const ROBOTS: KeptRobots = KeptRobots { until: 86_400_000, at: 0, length: 0 };

fn address(last: u8) -> Option<IpAddr> {
    Some(IpAddr::from([192, 0, 2, last]))
}

/// A workbench with a host that is ready for its first page.
fn ready_host(bench: &mut Workbench, host: u32, at_address: u8) {
    let host = HostId(host);
    bench.resolved(host, address(at_address), 0);
    bench.robots(host, ROBOTS, None, 0);
}

#[test]
fn a_host_is_looked_up_then_asked_for_robots_then_for_its_pages() {
    let mut bench = Workbench::new(MANNERS);
    let (host, page) = (HostId(3), PageId(7));
    bench.park(host, page, Priority::BEST, 0);
    assert_eq!(bench.take(0), Some(Job::Resolve { host }));
    assert_eq!(bench.take(0), None);
    bench.resolved(host, address(1), 5);
    assert_eq!(bench.take(5), Some(Job::Robots { host }));
    bench.asked(host, 5);
    bench.robots(host, ROBOTS, None, 10);
    bench.answered(host, 10, 5, true);
    assert_eq!(bench.take(1009), None);
    assert_eq!(bench.next_wake(), Some(1010));
    bench.wake(1010);
    assert_eq!(bench.take(1010), Some(Job::Page { host, page, attempts: 0 }));
}

#[test]
fn a_host_rests_between_requests_and_longer_if_it_is_slow_or_asks_for_it() {
    let mut bench = Workbench::new(MANNERS);
    let host = HostId(0);
    ready_host(&mut bench, 0, 1);
    for page in 0..4 {
        bench.park(host, PageId(page), Priority::BEST, 0);
    }
    let next = |bench: &mut Workbench, now, lasted_ms, page| {
        assert!(matches!(bench.take(now), Some(Job::Page { page: PageId(it), .. }) if it == page));
        bench.asked(host, now);
        bench.remove(host, PageId(page));
        bench.answered(host, now + u64::from(lasted_ms), lasted_ms, true);
        bench.next_wake()
    };
    assert_eq!(next(&mut bench, 0, 100, 0), Some(1100));
    bench.wake(1100);
    assert_eq!(next(&mut bench, 1100, 2000, 1), Some(3100 + 10_000));
    bench.robots(host, ROBOTS, Some(20_000), 3100);
    bench.wake(23_100);
    assert_eq!(next(&mut bench, 23_100, 100, 2), Some(43_200));
    bench.robots(host, ROBOTS, Some(3_600_000), 43_200);
    bench.wake(83_200);
    next(&mut bench, 83_200, 100, 3);
    bench.park(host, PageId(9), Priority::BEST, 83_300);
    assert_eq!(bench.next_wake(), Some(83_300 + 60_000));
}

#[test]
fn hosts_of_one_address_take_turns() {
    let mut bench = Workbench::new(MANNERS);
    for host in 0..3 {
        ready_host(&mut bench, host, 1);
        bench.park(HostId(host), PageId(host), Priority::BEST, 0);
    }
    let mut asked = Vec::new();
    for now in (0..400).step_by(10) {
        bench.wake(now);
        while let Some(job) = bench.take(now) {
            bench.asked(job.host(), now);
            asked.push((now, job.host().0));
        }
    }
    assert_eq!(asked, [(0, 0), (100, 1), (200, 2)]);
}

#[test]
fn the_best_page_goes_first_and_equals_in_the_order_they_came() {
    let mut bench = Workbench::new(MANNERS);
    for (host, tier) in [(0, 2), (1, 1), (2, 1), (3, 0)] {
        ready_host(&mut bench, host, host as u8);
        bench.park(HostId(host), PageId(host), Priority::tier(tier), 0);
    }
    let hosts: Vec<u32> = std::iter::from_fn(|| bench.take(0)).map(|job| job.host().0).collect();
    assert_eq!(hosts, [3, 1, 2, 0]);
}

#[test]
fn within_a_host_the_best_page_goes_first_too() {
    let mut bench = Workbench::new(MANNERS);
    let host = HostId(0);
    ready_host(&mut bench, 0, 1);
    for (page, tier) in [(0, 2), (1, 1), (2, 1), (3, 0)] {
        bench.park(host, PageId(page), Priority::tier(tier), 0);
    }
    let mut order = Vec::new();
    while let Some(Job::Page { page, .. }) = bench.take(0) {
        order.push(page.0);
        bench.remove(host, page);
        bench.spared(host, 0);
    }
    assert_eq!(order, [3, 1, 2, 0]);
}

#[test]
fn a_host_given_up_hands_out_its_pages_at_once() {
    let mut bench = Workbench::new(MANNERS);
    let host = HostId(0);
    bench.park(host, PageId(1), Priority::BEST, 0);
    bench.park(host, PageId(2), Priority::BEST, 0);
    assert_eq!(bench.take(0), Some(Job::Resolve { host }));
    bench.give_up(host, "no such host", 7);
    for page in [PageId(1), PageId(2)] {
        assert_eq!(bench.take(7), Some(Job::Page { host, page, attempts: 0 }));
        bench.remove(host, page);
        bench.spared(host, 7);
    }
    assert_eq!((bench.take(7), bench.len()), (None, 0));
    assert_eq!(bench.given_up(host), Some("no such host"));
}

#[test]
fn a_failure_is_waited_out_and_counted() {
    let mut bench = Workbench::new(MANNERS);
    let host = HostId(0);
    ready_host(&mut bench, 0, 1);
    bench.park(host, PageId(1), Priority::BEST, 0);
    assert!(bench.take(0).is_some());
    bench.asked(host, 0);
    bench.postponed(host, Some(PageId(1)), 30_000, "connection refused", 10);
    assert_eq!((bench.failures(host), bench.take(29_999)), (1, None));
    bench.each_host(|_, state| {
        let why = state.why(&MANNERS, 20_000).expect("it waits");
        assert_eq!(why, "connection refused; again in 10 s");
    });
    bench.wake(30_000);
    let page = PageId(1);
    assert_eq!(bench.take(30_000), Some(Job::Page { host, page, attempts: 1 }));
}

#[test]
fn robots_expire_and_are_fetched_from_elsewhere() {
    let mut bench = Workbench::new(MANNERS);
    let (host, other) = (HostId(0), HostId(1));
    ready_host(&mut bench, 0, 1);
    bench.park(host, PageId(1), Priority::BEST, ROBOTS.until);
    assert_eq!(bench.take(ROBOTS.until), Some(Job::Robots { host }));
    let now = ROBOTS.until + 1;
    bench.answered(host, now, 1, true);
    bench.send(other, host, "http://other/robots.txt", ErrandKind::Robots(1), now);
    bench.wake(now + 5000);
    assert_eq!(bench.take(now + 5000), Some(Job::Resolve { host: other }));
    bench.resolved(other, address(2), now + 5000);
    let job = bench.take(now + 5000);
    assert!(matches!(job, Some(Job::Errand { host: it, .. }) if it == other), "{job:?}");
    assert_eq!(bench.take(now + 5000), None);
    bench.errand_done(other, ErrandKind::Robots(1));
    bench.answered(other, now + 5010, 10, true);
    bench.robots(host, KeptRobots { until: u64::MAX, ..ROBOTS }, None, now + 5010);
    assert!(matches!(bench.take(now + 5010), Some(Job::Page { .. })));
}

#[test]
fn raised_pages_go_first_and_abandoned_ones_are_given_back() {
    let mut bench = Workbench::new(MANNERS);
    for host in 0..2 {
        ready_host(&mut bench, host, host as u8);
        for page in 0..2 {
            bench.park(HostId(host), PageId(host * 2 + page), Priority::tier(3), 0);
        }
    }
    let mut raised = Vec::new();
    bench.raise(HostId(1), |page| raised.push(page.0));
    let mut back = Vec::new();
    bench.abandon(HostId(0), |page| back.push(page.0));
    assert_eq!((raised, back, bench.len()), (vec![2, 3], vec![0, 1], 2));
}

#[test]
fn hosts_of_one_address_keep_their_distance_though_one_is_late() {
    let mut bench = Workbench::new(MANNERS);
    for host in 0..4 {
        ready_host(&mut bench, host, 1);
        bench.park(HostId(host), PageId(host), Priority::BEST, 0);
    }
    let mut asked = Vec::new();
    for now in [0, 130, 200, 230, 300, 330] {
        bench.wake(now);
        while let Some(job) = bench.take(now) {
            bench.asked(job.host(), now);
            asked.push((now, job.host().0));
        }
    }
    assert_eq!(asked, [(0, 0), (130, 1), (230, 2), (330, 3)]);
}

#[test]
fn a_host_that_was_being_asked_rests_when_the_crawl_is_taken_up_again() {
    let mut bench = Workbench::new(MANNERS);
    let host = HostId(0);
    ready_host(&mut bench, 0, 1);
    bench.park(host, PageId(1), Priority::BEST, 0);
    bench.asked(host, 0);
    bench.taken_up(5000);
    bench.wake(5999);
    assert_eq!((bench.take(5999), bench.next_wake()), (None, Some(6000)));
}

#[test]
fn a_robots_txt_elsewhere_on_the_same_host_goes_before_its_sitemaps() {
    let mut bench = Workbench::new(MANNERS);
    let host = HostId(0);
    bench.send(host, host, "http://a/sitemap.xml", ErrandKind::Sitemap(0), 0);
    assert_eq!(bench.take(0), Some(Job::Resolve { host }));
    bench.resolved(host, address(1), 0);
    assert_eq!(bench.take(0), Some(Job::Robots { host }));
    bench.answered(host, 10, 10, true);
    bench.send(host, host, "https://a/robots.txt", ErrandKind::Robots(1), 10);
    bench.wake(2000);
    let kind_of = |job: Option<Job>| match job {
        Some(Job::Errand { kind, .. }) => Some(kind),
        _ => None,
    };
    assert_eq!(kind_of(bench.take(2000)), Some(ErrandKind::Robots(1)));
    bench.errand_done(host, ErrandKind::Robots(1));
    bench.answered(host, 2000, 10, true);
    bench.robots(host, ROBOTS, None, 2000);
    bench.wake(4000);
    assert_eq!(kind_of(bench.take(4000)), Some(ErrandKind::Sitemap(0)));
}

#[test]
fn a_host_that_is_asked_again_gets_its_pages_back() {
    let mut bench = Workbench::new(MANNERS);
    let host = HostId(0);
    ready_host(&mut bench, 0, 1);
    let pages = [(PageId(5), Priority(2)), (PageId(6), Priority::BEST), (PageId(7), Priority(2))];
    for (page, priority) in pages {
        bench.park(host, page, priority, 0);
    }
    bench.asked(host, 0);
    bench.give_up(host, "nobody answers", 50);
    while let Some(Job::Page { page, .. }) = bench.take(50) {
        bench.set_aside(host, page, 50);
    }
    assert!(bench.is_empty() && bench.all_given_up() == [host]);
    assert_eq!(bench.retry(host, 60), 3);
    assert_eq!((bench.len(), bench.failures(host)), (3, 0));
    assert!(bench.all_given_up().is_empty());
    // It is looked up anew, and still has its rest.
    bench.wake(1000);
    assert_eq!(bench.take(1000), Some(Job::Resolve { host }));
    bench.resolved(host, address(2), 1000);
    let mut order = Vec::new();
    while let Some(Job::Page { page, .. }) = bench.take(1000) {
        bench.remove(host, page);
        bench.spared(host, 1000);
        order.push(page.0);
    }
    assert_eq!(order, [6, 5, 7], "the best first, and then in the order they came");
}

#[test]
fn a_host_that_is_given_up_gets_no_errands() {
    let mut bench = Workbench::new(MANNERS);
    bench.give_up(HostId(0), "a private address", 0);
    let send = |bench: &mut Workbench, kind| {
        bench.send(HostId(0), HostId(1), "http://10.0.0.1/sitemap.xml", kind, 0);
    };
    send(&mut bench, ErrandKind::Sitemap(0));
    send(&mut bench, ErrandKind::Robots(0));
    assert!(!bench.has_errands());
    // But for robots.txt, which nobody waits for any more, they are kept for when it is asked again.
    bench.retry(HostId(0), 0);
    assert!(bench.has_errands() && bench.asked_for_robots_of(HostId(0)).is_empty());
    send(&mut bench, ErrandKind::Sitemap(0));
    bench.give_up(HostId(0), "a private address", 0);
    bench.errand_done(HostId(0), ErrandKind::Sitemap(0));
    assert!(!bench.has_errands());
    bench.retry(HostId(0), 0);
    bench.errand_done(HostId(0), ErrandKind::Sitemap(0));
    assert!(!bench.has_errands());
}
