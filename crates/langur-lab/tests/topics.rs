//! Crawling by topic, on a web with the locality that topic strategies live on.

use std::fmt::Write;
use std::path::Path;

use langur_crawl::draw_fraction;
use langur_lab::{Catalogue, LabError, Measured, Simulation, Switches, Target};
use langur_observe::StrategyResult;
use langur_sim::Space;
use langur_sim::exchange::{Sources, import};

const PAGES: u64 = 3000;
/// Pages below this number are about the topic.
const ABOUT: u64 = 600;

/// Pages about the topic link mostly to each other, and the anchors of such links mostly say so.
fn make_space(folder: &Path) -> Space {
    let mut pages = "id,url,topic_bikes,topic_pets,seed\n".to_owned();
    let mut links =
        "source,target,anchor_topic_bikes,context_topic_bikes,anchor_topic_pets\n".to_owned();
    for page in 0..PAGES {
        let chance = |what: u64| draw_fraction(what, page);
        let score = if page < ABOUT { 0.5 + chance(1) / 2.0 } else { chance(1) * 0.3 };
        let seed = u8::from(page % 1000 == 7);
        writeln!(pages, "{page},http://h{}.com/{page},{score:.4},0.1,{seed}", page % 97)
            .expect("text");
        for link in 0..8_u64 {
            let chance = |what: u64| draw_fraction(what + 100 * (link + 1), page);
            let stays = chance(2) < if page < ABOUT { 0.6 } else { 0.08 };
            let target = (chance(3) * if stays { ABOUT } else { PAGES } as f64) as u64;
            let tells = chance(4) < 0.7 && target < ABOUT;
            let (anchor, context) = if tells { (0.8, 0.9) } else { (0.0, chance(5) * 0.2) };
            writeln!(links, "{page},{target},{anchor},{context:.3},0.2").expect("text");
        }
    }
    let sources = Sources {
        pages: folder.join("pages.csv"),
        links: vec![folder.join("links.csv")],
        ..Sources::default()
    };
    std::fs::write(&sources.pages, pages).expect("writable");
    std::fs::write(&sources.links[0], links).expect("writable");
    import(&sources, &folder.join("space"), false).expect("an import");
    Space::open(&folder.join("space")).expect("the web space")
}

fn with_simulation(target: &str, switches: Switches, check: impl FnOnce(&Simulation)) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = make_space(scratch.path());
    let target: Target = target.parse().expect("a target");
    check(&Simulation::new(&space, target, None, switches, None).expect("a simulation"));
}

fn run(simulation: &Simulation, strategy: &str) -> Measured {
    let contender = Catalogue::founding().parse(strategy).expect("a strategy");
    simulation.run(&contender, None, &|_| ()).expect("a crawl")
}

fn budget(pages: u64) -> Switches {
    Switches { max_pages: Some(pages), ..Switches::default() }
}

#[test]
fn strategies_that_smell_more_find_more() {
    with_simulation("topic:bikes", budget(500), |simulation| {
        assert_eq!(simulation.relevant(), ABOUT);
        let found = |strategy| run(simulation, strategy).result.relevant;
        let [shark, fish, opic] = ["shark", "fish", "opic"].map(found);
        assert!(shark > fish && fish > opic, "shark {shark}, fish {fish}, opic {opic}");
        assert!(found("best-first") > found("breadth-first"));
    });
}

#[test]
fn relevancy_is_the_mean_score_of_what_was_fetched() {
    with_simulation("topic:bikes", Switches::default(), |simulation| {
        let all = run(simulation, "breadth-first");
        let scores = all.result.relevancy.expect("a topic has scores");
        assert!(all.result.fetched > PAGES - 10, "nearly every page can be reached");
        // A fifth of the pages score about 0.75 and the others about 0.15.
        assert!((scores.overall - (0.2 * 0.75 + 0.8 * 0.15)).abs() < 0.02, "{scores:?}");
        let shark = run(simulation, "shark");
        let early = shark.points.iter().find(|point| point.fetched >= 400).expect("it went on");
        let early = early.relevancy.expect("scores");
        let end = shark.result.relevancy.expect("scores");
        assert!(early.recent > 2.0 * end.recent, "what is left at the end is not about it");
        assert!((end.overall - scores.overall).abs() < 1e-9, "all pages in whatever order");
        assert!(shark.points.iter().all(|point| point.relevancy.is_some()));
    });
}

#[test]
fn the_threshold_can_be_another_and_decides_what_is_relevant() {
    let relevant = |target: &str| {
        let mut relevant = 0;
        with_simulation(target, Switches::default(), |simulation| relevant = simulation.relevant());
        relevant
    };
    assert_eq!(relevant("topic:pets"), 0);
    assert_eq!(relevant("topic:pets>0.05"), PAGES);
    let half = relevant("topic:bikes>0.75");
    assert!((250..350).contains(&half), "{half}");
}

#[test]
fn every_strategy_runs_by_topic_or_says_why_not() {
    with_simulation("topic:bikes", budget(300), |simulation| {
        for contender in Catalogue::founding().all() {
            match simulation.run(&contender, None, &|_| ()) {
                Ok(measured) => assert!(measured.result.fetched > 0, "{contender}"),
                Err(LabError::Strategy(error)) => {
                    assert!(error.to_string().contains("the target is none"), "{error}");
                    assert_eq!(contender.spec.name(), "tld-anchor");
                }
                Err(error) => panic!("{contender}: {error}"),
            }
        }
    });
}

#[test]
fn results_are_measured_by_the_true_scores() {
    let blind = Switches {
        identifier: "noisy(miss=1,false_alarm=1)".parse().expect("an identifier"),
        ..Switches::default()
    };
    let mut results: Vec<StrategyResult> = Vec::new();
    for switches in [blind, Switches::default()] {
        with_simulation("topic:bikes", switches, |simulation| {
            results.push(run(simulation, "breadth-first").result);
            results.push(run(simulation, "best-first").result);
        });
    }
    assert_eq!(
        (results[0].relevant, results[0].relevancy),
        (results[2].relevant, results[2].relevancy)
    );
    assert!(results[1].area < results[3].area, "who takes every page for its opposite goes wrong");
}

#[test]
fn a_topic_that_is_not_there_is_named_beside_those_that_are() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = make_space(scratch.path());
    let target = "topic:boats".parse().expect("a target");
    let error = Simulation::new(&space, target, None, Switches::default(), None).err();
    let error = error.expect("refused").to_string();
    assert!(error.contains("has no topic \"boats\"; it has: bikes, pets"), "{error}");
}
