//! Simulated time against schedules worked out by hand.

use langur_crawl::Pace;
use langur_testkit::toy;
use proptest::prelude::*;

/// Two connections, a second between fetches from a host, and 100 ms to answer. Pages have 1000 bytes.
const PACE: Pace = Pace {
    connections: 2,
    interval_ms: 1000,
    latency_ms: None,
    usual_latency_ms: 100,
    bytes_per_second: None,
    timeout_ms: 5000,
    failures: 0.0,
    seed: 1,
    workbench: 100,
};

#[track_caller]
fn check(pace: Pace, strategy: &str, web: &str, schedule: &str) {
    assert_eq!(toy(web).crawl_politely(strategy, pace), schedule);
}

#[test]
fn a_host_is_asked_again_only_after_its_interval() {
    check(PACE, "breadth-first", "x.A -> x.b, x.c", "x.A@100 x.b@1200 x.c@2300");
}

#[test]
fn other_hosts_are_asked_meanwhile() {
    // x.b waits for its host; y.c does not, and z.d takes the second connection.
    check(PACE, "breadth-first", "x.A -> x.b, y.c, z.d", "x.A@100 y.c@200 z.d@200 x.b@1200");
}

#[test]
fn connections_are_limited() {
    let one = Pace { connections: 1, ..PACE };
    check(one, "breadth-first", "x.A -> y.b, z.c, w.d", "x.A@100 y.b@200 z.c@300 w.d@400");
}

#[test]
fn a_transfer_takes_its_time() {
    let slow = Pace { bytes_per_second: Some(500), ..PACE };
    check(slow, "breadth-first", "x.A -> y.b", "x.A@2100 y.b@4200");
}

#[test]
fn a_host_that_never_answers_holds_a_connection_until_the_timeout() {
    check(PACE, "breadth-first", "x.A -> y.b~, z.c, w.d", "x.A@100 z.c@200 w.d@300 y.b@5100");
}

#[test]
fn failed_fetches_have_no_links() {
    let all_fail = Pace { failures: 1.0, ..PACE };
    check(all_fail, "breadth-first", "x.A -> y.b", "x.A@5000");
}

#[test]
fn the_better_page_goes_first_when_both_hosts_may_be_asked() {
    // At 1100 both x and y may be asked again. y.E was found later, from a relevant page.
    let one = Pace { connections: 1, ..PACE };
    let web = "x.A -> y.b, x.f; y.b -> x.c; x.f -> x.g; x.A -> z.D -> y.E";
    check(one, "soft-focused", web, "x.A@100 y.b@200 z.D@300 x.f@1200 y.E@1300 x.c@2300 x.g@3400");
}

#[test]
fn a_full_workbench_leaves_connections_idle() {
    let small = Pace { workbench: 1, ..PACE };
    // x.b fills the workbench, and x.c after it; only when that is asked for at 2200 is y.d found.
    check(small, "breadth-first", "x.A -> x.b, x.c, y.d", "x.A@100 x.b@1200 x.c@2300 y.d@2300");
}

#[test]
fn pages_of_a_host_that_is_given_up_are_taken_from_the_workbench() {
    // y.b and y.c wait for y; y.a is the second miss, and y.D is found again from a relevant page.
    let web = "x.A -> y.a, y.b, y.c, z.E; y.a -> y.d";
    check(PACE, "lswc(s=1,t=5)", web, "x.A@100 y.a@200 z.E@200");
}

#[test]
fn pages_of_a_raised_host_go_first_from_the_workbench() {
    let one = Pace { connections: 1, interval_ms: 0, ..PACE };
    let web = "x.a -> y.b, y.C, z.d, y.e";
    assert_eq!(
        toy(web)
            .crawl_politely("lswc(s=9,t=9)", one)
            .replace(|c: char| c == '@' || c.is_ascii_digit(), ""),
        toy(web).crawl("lswc(s=9,t=9)"),
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// With no delays and one connection the polite clock is the step clock.
    #[test]
    fn without_delays_the_order_is_that_of_the_step_clock(
        links in prop::collection::vec((0..12_u8, 0..12_u8), 0..60),
        relevant in any::<u16>(),
    ) {
        let name = |page: u8| {
            let letter = (b'a' + page) as char;
            let letter = if relevant >> page & 1 == 1 { letter.to_ascii_uppercase() } else { letter };
            format!("{}.{letter}", ["x", "y", "th"][usize::from(page % 3)])
        };
        let mut web = name(0);
        for (from, to) in links.into_iter().filter(|(from, to)| from != to) {
            web += &format!("; {} -> {}", name(from), name(to));
        }
        let toy = toy(&web);
        let pace = Pace { connections: 1, interval_ms: 0, usual_latency_ms: 0, ..PACE };
        for strategy in langur_strategy::ALL.iter().flat_map(|entry| entry.written_variants()) {
            let polite = toy.crawl_politely(&strategy, pace);
            prop_assert_eq!(polite.replace("@0", ""), toy.crawl(&strategy), "{}", strategy);
        }
    }
}
