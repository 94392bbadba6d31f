//! What must hold between strategies by construction, on a synthetic web.

use langur_lab::{Catalogue, Measured, Simulation, Switches};
use langur_observe::{Point, StrategyResult};
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis, synthesise};

fn with_simulation(switches: Switches, check: impl FnOnce(&Simulation)) {
    // By META charset alone hard-focused misses pages, so that there is something to tell apart.
    with_web("meta-charset", 11, switches, check);
}

fn with_web(labels: &str, seed: u64, switches: Switches, check: impl FnOnce(&Simulation)) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let place = scratch.path().join("thai");
    let preset = Preset::load("thai-2004").expect("a built-in preset");
    synthesise(&Synthesis { preset, pages: 20_000, seed, threads: 2 }, &place, false, |_| ())
        .expect("a web space");
    let space = Space::open(&place).expect("the web space");
    let target = "lang:th".parse().expect("a target");
    check(&Simulation::new(&space, target, Some(labels), switches, None).expect("a simulation"));
}

fn run(simulation: &Simulation, strategy: &str) -> Measured {
    let contender = Catalogue::founding().parse(strategy).expect("a strategy");
    simulation.run(&contender, None, &|_| ()).expect("a crawl")
}

#[test]
fn hard_focused_is_limited_distance_zero() {
    with_simulation(Switches::default(), |simulation| {
        let hard = run(simulation, "hard-focused");
        for same in [
            "limited-distance(n=0)",
            "limited-distance(n=0,prioritized)",
            "limited-distance(n=1,strict)",
        ] {
            assert_eq!(run(simulation, same).points, hard.points, "{same}");
        }
    });
}

#[test]
fn hard_and_soft_are_equal_until_the_best_tier_runs_empty() {
    with_simulation(Switches::default(), |simulation| {
        let (hard, soft) = (run(simulation, "hard-focused"), run(simulation, "soft-focused"));
        let found = |point: &Point| (point.fetched, point.ok_html, point.relevant);
        let until: Vec<_> = hard.points.iter().take(hard.points.len() - 1).map(found).collect();
        assert_eq!(soft.points.iter().take(until.len()).map(found).collect::<Vec<_>>(), until);
        assert!(soft.result.fetched > hard.result.fetched);
        assert_eq!(run(simulation, "best-first").points, soft.points);
    });
}

#[test]
fn lswc_within_distance_one_finds_no_more_than_hard_focused() {
    with_simulation(Switches::default(), |simulation| {
        let (hard, lswc) =
            (run(simulation, "hard-focused").result, run(simulation, "lswc(s=1,t=1)").result);
        assert!(lswc.fetched <= hard.fetched && lswc.relevant <= hard.relevant);
    });
}

#[test]
fn wider_limits_fetch_more_and_end_with_breadth_first() {
    with_simulation(Switches::default(), |simulation| {
        let fetched: Vec<u64> = [0, 1, 2, 4, 100]
            .map(|n| {
                run(simulation, &format!("limited-distance(n={n},prioritized)")).result.fetched
            })
            .to_vec();
        assert!(fetched.is_sorted(), "{fetched:?}");
        let (widest, first) =
            (run(simulation, "limited-distance(n=100)"), run(simulation, "breadth-first"));
        assert_eq!(widest.points, first.points);
        assert_eq!(first.result.coverage, 1.0);
    });
}

#[test]
fn every_strategy_gives_the_same_twice_and_keeps_to_its_budget() {
    let switches = Switches { max_pages: Some(3_000), ..Switches::default() };
    with_simulation(switches, |simulation| {
        for strategy in Catalogue::founding().all().iter().map(ToString::to_string) {
            let (once, twice) = (run(simulation, &strategy), run(simulation, &strategy));
            assert_eq!(once.points, twice.points, "{strategy}");
            assert_eq!(once.result, twice.result, "{strategy}");
            assert!(once.result.fetched <= 3_000, "{strategy}");
            assert_eq!(
                once.points.last().map(|point| point.fetched),
                Some(once.result.fetched),
                "{strategy}"
            );
            let peak = once.points.iter().map(|point| point.queue_max).max();
            assert_eq!(peak, Some(once.result.max_queue), "{strategy}");
        }
    });
}

/// On every web the best oracle finds relevant pages at least as soon as any strategy that does not
/// see what it has not fetched, and no oracle exceeds the bound.
#[test]
fn oracles_are_ahead_of_every_honest_strategy() {
    for (labels, seed) in [("meta-charset", 11), ("meta+textcat", 11), ("meta+textcat", 12)] {
        with_web(labels, seed, Switches::default(), |simulation| {
            let all = Catalogue::founding().all();
            let results = all
                .iter()
                .map(|contender| simulation.run(contender, None, &|_| ()).expect("a crawl").result);
            let (oracles, honest): (Vec<_>, Vec<_>) = results.partition(|result| result.oracle);
            let best_of = |results: &[StrategyResult], bound: bool| {
                let areas = results.iter().filter(|result| result.bound == bound);
                areas.map(|result| result.area).fold(0.0, f64::max)
            };
            assert!(best_of(&oracles, false) >= best_of(&honest, false));
            assert!(best_of(&oracles, true) >= best_of(&oracles, false));
            let greedy = oracles.iter().find(|result| result.strategy == "greedy-tree");
            let perfect = oracles.iter().find(|result| result.strategy == "perfect");
            assert!(greedy.expect("run").area > perfect.expect("run").area);
        });
    }
}

#[test]
fn without_delays_the_polite_clock_is_the_step_clock() {
    let clock = "polite(connections=1,interval_ms=0,latency=fixed,kb_per_second=0,timeout_ms=0)";
    let no_delays = Switches { clock: clock.parse().expect("a clock"), ..Switches::default() };
    with_simulation(Switches::default(), |steps| {
        with_simulation(no_delays.clone(), |polite| {
            for strategy in Catalogue::founding().all().iter().map(ToString::to_string) {
                let (steps, polite) = (run(steps, &strategy), run(polite, &strategy));
                let counts = |points: Vec<Point>| {
                    points
                        .into_iter()
                        .map(|point| Point { load: None, ..point })
                        .collect::<Vec<_>>()
                };
                assert_eq!(counts(steps.points), counts(polite.points), "{strategy}");
            }
        });
    });
}

#[test]
fn politeness_starves_who_favours_few_hosts() {
    let polite = Switches { clock: "polite".parse().expect("a clock"), ..Switches::default() };
    with_simulation(polite, |simulation| {
        let idle = |strategy| run(simulation, strategy).result.time.expect("it took time").idle;
        let (hard, first) = (idle("hard-focused"), idle("breadth-first"));
        assert!(hard > first && (0.0..1.0).contains(&first), "{hard} {first}");
    });
}

/// A page that did not come is not found, and errors do not fall on the pages that fail.
#[test]
fn an_identifier_that_never_errs_is_exact_also_under_failures() {
    let under_failures = |identifier: &str| Switches {
        clock: "polite(failures=0.3)".parse().expect("a clock"),
        identifier: identifier.parse().expect("an identifier"),
        ..Switches::default()
    };
    let found = |identifier: &str| {
        let mut found = Vec::new();
        with_simulation(under_failures(identifier), |simulation| {
            for strategy in ["breadth-first", "hard-focused"] {
                let result = run(simulation, strategy).result;
                found.push((result.fetched, result.ok_html, result.relevant));
            }
        });
        found
    };
    assert_eq!(found("noisy(miss=0)"), found("exact"));
    let (missed, exact) = (found("noisy(miss=0.3)"), found("exact"));
    assert_ne!(missed[1], exact[1], "other pages are missed than those that fail");
}

#[test]
fn results_are_measured_by_the_truth_whatever_the_identifier_says() {
    let blind =
        Switches { identifier: "noisy(miss=1)".parse().expect("one"), ..Switches::default() };
    with_simulation(blind, |simulation| {
        let first = run(simulation, "breadth-first").result;
        assert_eq!((first.coverage, first.relevant), (1.0, simulation.relevant()));
        // Who takes no page but the seeds for relevant gets no further than their links.
        let hard = run(simulation, "hard-focused").result;
        assert!(hard.fetched > simulation.seeds().len() as u64);
        assert!(hard.fetched < first.fetched / 10, "{}", hard.fetched);
    });
}
