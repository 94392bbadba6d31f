//! Crawling by topic from end to end.

mod command;

use std::fmt::Write;
use std::fs;

use command::{fail, json, langur, succeed};

/// A ring of 300 pages with chords, in which bikes and pets are each a stretch.
fn scratch_with_space() -> tempfile::TempDir {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    let mut pages = "id,url,topic_bikes,topic_pets,seed\n".to_owned();
    let mut links = "source,target,anchor_topic_bikes,context_topic_pets\n".to_owned();
    let is_about = |page: u32, from: u32| (from..from + 60).contains(&page);
    for page in 0..300 {
        let bikes = if is_about(page, 40) { "0.9" } else { "0.2" };
        let pets = if is_about(page, 180) { "0.7" } else { "0" };
        let (host, seed) = (page / 10, u8::from(page == 0));
        writeln!(pages, "{page},http://h{host}.com/{page},{bikes},{pets},{seed}").expect("text");
        for step in [1, 7, 41, 97] {
            let target = (page + step) % 300;
            let anchor = u8::from(is_about(target, 40));
            let context = u8::from(is_about(target, 180));
            writeln!(links, "{page},{target},{anchor},{context}").expect("text");
        }
    }
    fs::write(folder.join("pages.csv"), pages).expect("writable");
    fs::write(folder.join("links.csv"), links).expect("writable");
    let files = ["--pages", "pages.csv", "--links", "links.csv"];
    let more = ["--topic-threshold", "bikes=0.5", "-o", "topics.space"];
    succeed(folder, &[&["space", "import"][..], &files, &more].concat());
    scratch
}

const TASKS: &str = "[[task]]\nname = \"bikes\"\ntarget = \"topic:bikes\"\nseeds = \"bikes.txt\"\nmax_pages = 100\n\
    [[task]]\nname = \"pets\"\ntarget = \"topic:pets>0.5\"\nseeds = [\"http://h0.com/0\"]\nmax_pages = 100\n";

#[test]
fn a_topic_is_a_target() {
    let scratch = scratch_with_space();
    let folder = scratch.path();
    let info = json(&succeed(folder, &["space", "info", "topics.space", "--json"]));
    assert_eq!(
        info["topics"][0],
        serde_json::json!({ "name": "bikes", "threshold": 0.5, "pages": 60 })
    );
    let ask = ["simulate", "topics.space", "--strategy", "shark", "--strategy", "opic", "--target"];
    let more = ["topic:bikes", "--max-pages", "80"];
    let table = succeed(folder, &[&ask[..], &more, &["-o", "run"]].concat());
    assert!(table.contains("60 relevant to topic:bikes") && table.contains("relevancy"), "{table}");
    assert!(succeed(folder, &["simulate", "--again", "run"]).contains("identical"));
    let found = json(&succeed(folder, &[&ask[..], &more, &["--json"]].concat()));
    let relevancy =
        |i: usize| found["results"][i]["relevancy"]["overall"].as_f64().expect("a mean");
    assert!(relevancy(0) > relevancy(1), "shark {}, opic {}", relevancy(0), relevancy(1));
    fail(
        folder,
        2,
        &[&ask[..], &["topic:boats"]].concat(),
        "no topic \"boats\"; it has: bikes, pets",
    );
    fail(folder, 2, &[&ask[..], &["topic:bikes>much"]].concat(), "is not a score from 0 to 1");
    let analysis = ["space", "analyze", "topics.space", "--target", "topic:pets>0.5", "--json"];
    assert_eq!(json(&succeed(folder, &analysis))["relevant"], 60);
}

#[test]
fn strategies_that_need_a_language_are_left_out() {
    let scratch = scratch_with_space();
    let all = ["simulate", "topics.space", "--target", "topic:bikes", "--all"];
    let output = langur(scratch.path(), &all);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    assert!(error.contains("tld-anchor is left out: tld-anchor goes by the language"), "{error}");
    let table = String::from_utf8_lossy(&output.stdout);
    for name in ["fish", "shark", "opic(form=nutch)", "pvalue(follow=all)", "perfect *"] {
        assert!(table.contains(name), "{name} is not in {table}");
    }
}

#[test]
fn tasks_are_run_summed_up_and_reported() {
    let scratch = scratch_with_space();
    let folder = scratch.path();
    fs::write(folder.join("tasks.toml"), TASKS).expect("writable");
    fs::write(folder.join("bikes.txt"), "# where bikes begin\nhttp://h2.com/20\n")
        .expect("writable");
    let ask = ["simulate", "topics.space", "--tasks", "tasks.toml", "--strategy", "shark"];
    let more = ["--strategy", "fish", "--strategy", "opic"];
    let told = succeed(folder, &[&ask[..], &more, &["-o", "run"]].concat());
    for part in ["at 10", "at 100", "rank", "in the order of their means", "langur report run"] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    let printed = json(&succeed(folder, &[&ask[..], &more, &["--json"]].concat()));
    let written = json(&fs::read_to_string(folder.join("run/tasks.json")).expect("a summary"));
    assert_eq!(printed["means"], written["means"]);
    assert_eq!(written["at"], serde_json::json!([10, 25, 50, 100]));
    let mean = &written["means"][0];
    let found = |task: usize| written["tasks"][task]["results"][0]["relevant_at"][3].as_f64();
    assert_eq!(
        mean["relevant_at"][3].as_f64(),
        Some((found(0).unwrap() + found(1).unwrap()) / 2.0)
    );
    assert!(
        mean["rank"].as_f64() <= Some(1.5) && mean["relevancy"]["overall"].as_f64() > Some(0.0)
    );
    // Each task is a run like any other.
    assert!(succeed(folder, &["simulate", "--again", "run/pets"]).contains("identical"));
    succeed(folder, &["report", "run", "-o", "report.html"]);
    let html = fs::read_to_string(folder.join("report.html")).expect("a report");
    assert!(html.contains("\"in_order\"") && html.contains("overall_relevancy"));
}

#[test]
fn tasks_that_make_no_sense_are_refused_before_any_is_run() {
    let scratch = scratch_with_space();
    let folder = scratch.path();
    let ask =
        ["simulate", "topics.space", "--tasks", "tasks.toml", "--strategy", "shark", "-o", "run"];
    let check = |tasks: &str, message: &str| {
        fs::write(folder.join("tasks.toml"), tasks).expect("writable");
        fail(folder, 2, &ask, message);
        assert!(!folder.join("run").exists());
    };
    check(&TASKS.replace("seeds = [", "start = ["), "unknown field `start`");
    check(
        &TASKS.replace("\"bikes.txt\"", "[\"http://not.there/\"]"),
        "task bikes: none of the seeds is in the web space: http://not.there/",
    );
    check(
        &TASKS.replace("\"bikes.txt\"", "[]").replace("topic:pets", "topic:boats"),
        "task bikes names no seeds",
    );
    let both = ["simulate", "topics.space", "--tasks", "tasks.toml", "--target", "topic:bikes"];
    fail(folder, 2, &both, "cannot be used with");
}

#[test]
fn what_is_exported_with_scores_can_be_imported_and_gives_the_same_crawl() {
    let scratch = scratch_with_space();
    let folder = scratch.path();
    let export = ["space", "export", "topics.space", "--format", "parquet", "-o", "out"];
    assert!(succeed(folder, &export).contains("--topic-threshold \"bikes=0.5\""));
    let files = ["--pages", "out/pages.parquet", "--links", "out/links.parquet"];
    let more = ["--topic-threshold", "bikes=0.5", "-o", "again.space"];
    succeed(folder, &[&["space", "import"][..], &files, &more].concat());
    let crawl = |space: &str| {
        let ask = ["simulate", space, "--target", "topic:bikes", "--strategy", "shark", "--json"];
        let mut result = json(&succeed(folder, &ask))["results"][0].clone();
        result.as_object_mut().expect("an object").remove("seconds");
        result
    };
    assert_eq!(crawl("topics.space"), crawl("again.space"));
}
