//! A small experiment, from its file to its summary.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use langur_experiment::{Cells, Plan, Summary, Verdict, cells, crawl, page, summarise};
use langur_lab::Catalogue;

const FILE: &str = r#"
name = "Small"
about = "A test."
strategies = ["breadth-first", "hard-focused", "soft-focused", "greedy-tree", "upper-bound"]

[compare]
against = ["breadth-first"]
budgets = [0.1]

[[web]]
name = "thai"
preset = "thai-2004"
pages = 4000
random_seeds = [1, 3]
targets = ["lang:th"]
labels = ["meta-charset"]

[[sweep]]
factor = "missed"
switch = "identifier"
settings = [[0.0, "exact"], [1.0, "noisy(miss=1)"]]

[[outcome]]
id = "A"
says = "soft-focused finds everything"
published = "100%"
source = "S1"
[[outcome.measure]]
what = "coverage"
web = "thai"
labels = "meta-charset"
strategy = "soft-focused"
value = "coverage"
expected = [1.0, inf]
[[outcome.measure]]
what = "coverage, less that of itself"
web = "thai"
labels = "meta-charset"
strategy = "soft-focused"
value = "coverage"
minus = { strategy = "soft-focused" }
expected = [0.1, 0.2]

[[outcome]]
id = "B"
says = "nobody tried"
published = ""
source = ""

[sensitivity]
random_seeds = [1, 2]
webs = ["thai"]
[[sensitivity.factor]]
free = "gateway_share"
settings = [0.0, 0.9]
[[sensitivity.factor]]
switch = "order"
settings = ["random"]
"#;

fn plan(folder: &Path) -> Plan {
    let file = folder.join("small.toml");
    fs::write(&file, FILE).expect("writable");
    Plan::read(&file).expect("a sound plan")
}

/// Crawls in `folder`, and says how many cells were new.
fn run(plan: &Plan, folder: &Path) -> (Cells, u64) {
    let catalogue = Catalogue::founding();
    let cells = cells(plan, &catalogue).expect("cells");
    let first = AtomicU64::new(u64::MAX);
    let crawled = crawl(&cells, &catalogue, folder, |done| {
        first.fetch_min(done, Ordering::Relaxed);
    });
    (crawled.expect("a sound experiment"), cells.len() as u64 - first.into_inner())
}

fn summary(plan: &Plan, cells: &Cells) -> Summary {
    summarise(plan, &Catalogue::founding(), cells).expect("a summary")
}

#[test]
fn an_experiment_goes_on_where_it_was_and_gives_the_same() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let plan = plan(scratch.path());
    let (all, new) = run(&plan, scratch.path());
    assert_eq!(new, all.len() as u64);
    let (again, new) = run(&plan, scratch.path());
    assert_eq!(new, 0, "everything was there");
    assert!(again == all, "what was kept is what came out, to the last bit");

    // As if it had been killed: some cells are missing, and one is cut off.
    let mut kept: Vec<_> = fs::read_dir(scratch.path().join("cells"))
        .expect("the cache")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    kept.sort();
    fs::remove_file(&kept[0]).expect("removable");
    fs::write(&kept[1], b"{\"pages\":4000,").expect("writable");
    let (again, new) = run(&plan, scratch.path());
    assert_eq!(new, 2);
    assert!(again == all);
    let left: Vec<_> = fs::read_dir(scratch.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().contains(".space"))
        .collect();
    assert!(left.is_empty(), "webs are removed when they are done: {left:?}");
}

#[test]
fn a_summary_says_what_came_out() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let plan = plan(scratch.path());
    let (cells, _) = run(&plan, scratch.path());
    let summary = summary(&plan, &cells);

    let group = &summary.groups[0];
    assert_eq!((group.label.as_str(), group.cells), ("thai · lang:th · meta-charset", 3));
    let metric = |row: usize, name: &str| group.results[row].metrics[name].mean;
    assert_eq!(metric(2, "coverage"), 1.0, "soft-focused finds everything");
    assert_eq!(metric(3, "area_share"), 1.0, "greedy-tree is the best oracle");
    assert!(metric(4, "area") >= metric(3, "area"), "and is within the bound");
    for comparison in &group.comparisons {
        assert_eq!((comparison.budget, comparison.n), (400.0, 3));
    }
    assert!(!group.comparisons.iter().any(|c| c.strategy == "upper-bound"), "a bound is no rival");

    let hard = &summary.sweeps[0].strategies[1];
    assert_eq!(hard.strategy, "hard-focused");
    let coverage = serde_json::to_value(&hard.coverage).expect("plain data");
    assert!(coverage["mean"][0].as_f64() > Some(0.5), "{coverage}");
    assert!(coverage["mean"][1].as_f64() < Some(0.3), "who misses all but seeds gets no further");

    let verdicts: Vec<Verdict> = summary.outcomes.iter().map(|outcome| outcome.verdict).collect();
    assert_eq!(verdicts, [Verdict::Mixed, Verdict::NotRun]);
    assert_eq!(summary.outcomes[0].measures[1].estimate.mean, 0.0);
    assert!(
        summary.tornado.iter().all(|tornado| tornado.bars.is_empty()),
        "soft finds all, always"
    );

    let page = page(&summary, "The end.", |number| format!("{number}.svg"));
    assert!(
        page.contains("0 of 2 came out as published, 1 in part, 0 did not, 1 was not run"),
        "{page}"
    );
    assert!(page.contains("| hard-focused |") && page.contains("The end."), "{page}");
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("wrong.toml");
    let check = |from: &str, to: &str, says: &str| {
        fs::write(&file, FILE.replace(from, to)).expect("writable");
        let catalogue = Catalogue::founding();
        let error = Plan::read(&file).and_then(|plan| cells(&plan, &catalogue)).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    };
    check("pages = 4000", "", "needs pages");
    check("pages = 4000", "pages = 4", "pages is from 100");
    check("random_seeds = [1, 3]", "random_seeds = [1, 3000000]", "random_seeds are at most 10000");
    check("name = \"Small\"", "name = \"Small\"\ncolour = 1", "unknown field `colour`");
    check("\"hard-focused\"", "\"very-focused\"", "there is no strategy \"very-focused\"");
    check("web = \"thai\"\nlabels", "web = \"lao\"\nlabels", "web \"lao\", which is not there");
    check("switch = \"order\"", "switch = \"colour\"", "there is no switch \"colour\"");
    check("free = \"gateway_share\"", "free = \"colour\"", "there is no free parameter \"colour\"");
}
