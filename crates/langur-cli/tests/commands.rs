//! The built binary from end to end.

mod command;

use std::fs;

use serde_json::Value;

use command::{fail, json, langur, succeed};

fn scratch_with_space(pages: &str) -> tempfile::TempDir {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    succeed(
        scratch.path(),
        &["space", "synth", "--preset", "thai-2004", "--pages", pages, "-o", "thai.space"],
    );
    scratch
}

#[test]
fn a_run_can_be_made_reported_and_repeated_to_the_byte() {
    let scratch = scratch_with_space("5000");
    let folder = scratch.path();
    let table =
        succeed(folder, &["simulate", "thai.space", "--target", "lang:th", "--all", "-o", "run"]);
    for entry in langur_strategy::ALL {
        assert!(table.contains(entry.name), "{} is not in the table", entry.name);
    }
    assert!(table.contains("perfect *") && table.contains("an oracle"), "oracles are marked");
    assert!(succeed(folder, &["simulate", "--again", "run"]).contains("identical"));
    succeed(folder, &["simulate", "--again", "run", "--threads", "1", "-o", "run2"]);
    for file in [
        "results.json",
        "manifest.json",
        "soft-focused/visits.parquet",
        "lswc-s-3-t-5/curve.parquet",
    ] {
        assert_eq!(
            fs::read(folder.join("run").join(file)).expect("there"),
            fs::read(folder.join("run2").join(file)).expect("there"),
            "{file}"
        );
    }
    fs::write(folder.join("run2/results.json"), "[]\n").expect("writable");
    fail(folder, 1, &["simulate", "--again", "run2"], "other bytes in: results.json");
    succeed(folder, &["report", "run", "-o", "report.html"]);
    let html = fs::read_to_string(folder.join("report.html")).expect("a report");
    assert!(html.contains("limited-distance(n=2,prioritized)"));
    assert!(!html.contains("http://") || !html.contains("<script src"), "a report fetches nothing");
    let left: Vec<_> = fs::read_dir(folder)
        .expect("readable")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(
        left.iter().all(|name| !name.to_string_lossy().starts_with('.')),
        "left behind: {left:?}"
    );
}

#[test]
fn results_as_json_hold_what_the_contract_says() {
    let scratch = scratch_with_space("5000");
    let arguments = [
        "simulate",
        "thai.space",
        "--target",
        "lang:th",
        "--strategy",
        "hard-focused",
        "--strategy",
        "limited-distance(n=0)",
        "--strategy",
        "perfect",
        "--json",
    ];
    let printed = json(&succeed(scratch.path(), &arguments));
    assert_eq!(printed["target"], "lang:th");
    assert_eq!(printed["seeds"].as_array().expect("seeds").len(), 3);
    assert_eq!(printed["switches"]["lead"], "better");
    let results = printed["results"].as_array().expect("results");
    for key in [
        "strategy",
        "oracle",
        "fetched",
        "ok_html",
        "relevant",
        "harvest",
        "harvest_html",
        "coverage",
        "max_queue",
        "pages_at_coverage",
        "area",
        "seconds",
    ] {
        assert!(results[0].get(key).is_some(), "no {key}");
    }
    // Hard-focused is limited distance with n = 0.
    for key in ["fetched", "relevant", "max_queue", "area"] {
        assert_eq!(results[0][key], results[1][key], "{key}");
    }
    assert_eq!(
        (&results[0]["oracle"], &results[2]["oracle"]),
        (&Value::Bool(false), &Value::Bool(true))
    );
    let fetched = results[0]["fetched"].as_f64().expect("a number");
    assert!(
        (results[0]["harvest"].as_f64().expect("a number")
            - results[0]["relevant"].as_f64().expect("a number") / fetched)
            .abs()
            < 1e-12
    );
}

#[test]
fn switches_and_budgets_reach_the_crawl() {
    let scratch = scratch_with_space("5000");
    let run = |more: &[&str]| {
        let mut arguments = vec![
            "simulate",
            "thai.space",
            "--target",
            "lang:th",
            "--strategy",
            "soft-focused",
            "--json",
        ];
        arguments.extend(more);
        json(&succeed(scratch.path(), &arguments))["results"][0].clone()
    };
    let plain = run(&[]);
    assert_eq!(run(&["--max-pages", "1000"])["fetched"], 1000);
    assert_eq!(run(&["--max-pages", "1000"])["ended"], "budget");
    let missing = run(&["--missing", "404"]);
    assert!(
        missing["missing"].as_u64() > Some(0)
            && missing["fetched"] == plain["fetched"]
            && missing["relevant"] == plain["relevant"]
    );
    assert!(missing["max_queue"].as_u64() > plain["max_queue"].as_u64());
    assert_ne!(run(&["--lead", "first"])["area"], plain["area"]);
    assert_ne!(run(&["--order", "random"])["area"], plain["area"]);
    assert_ne!(
        run(&["--order", "random", "--random-seed", "2"])["area"],
        run(&["--order", "random"])["area"]
    );
    assert_ne!(run(&["--labels", "meta-charset"])["relevant"], plain["relevant"]);
}

#[test]
fn seeds_can_be_numbers_and_urls() {
    let scratch = scratch_with_space("5000");
    let folder = scratch.path();
    let info = json(&succeed(folder, &["space", "info", "thai.space", "--verify", "--json"]));
    assert_eq!(info["verified"], true);
    let url = info["seed_urls"][0].as_str().expect("a URL");
    fs::write(folder.join("seeds.txt"), format!("# where to start\n{url}\n\n7\n"))
        .expect("writable");
    let base = [
        "simulate",
        "thai.space",
        "--target",
        "lang:th",
        "--strategy",
        "breadth-first",
        "--json",
        "--seeds",
    ];
    let printed = json(&succeed(folder, &[&base[..], &["seeds.txt"]].concat()));
    assert_eq!(printed["seeds"], serde_json::json!([info["seeds"][0], 7]));
    fs::write(folder.join("bad.txt"), "http://not.there/\n").expect("writable");
    fail(
        folder,
        2,
        &[&base[..], &["bad.txt"]].concat(),
        "bad.txt: none of the seeds is in the web space: http://not.there/",
    );
    // A list that was made for another crawl has some that are not here.
    fs::write(folder.join("some.txt"), format!("http://not.there/\n{url}\n")).expect("writable");
    let output = langur(folder, &[&base[..], &["some.txt"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("seeds that the web space does not have: http://not.there/"), "{said}");
    let printed = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(printed["seeds"], serde_json::json!([info["seeds"][0]]));
}

#[test]
fn wrong_calls_are_told_what_is_right() {
    let scratch = scratch_with_space("2000");
    let folder = scratch.path();
    let simulate = |strategy: &'static str| {
        ["simulate", "thai.space", "--target", "lang:th", "--strategy", strategy]
    };
    fail(folder, 2, &simulate("nonsense"), "there are: breadth-first, ");
    fail(folder, 2, &simulate("lswc(q=1)"), "it has: s (1 to 65535), t (");
    fail(folder, 2, &["simulate", "thai.space", "--target", "thai", "--all"], "as in lang:th");
    fail(
        folder,
        2,
        &["simulate", "nowhere", "--target", "lang:th", "--all"],
        "there is no web space at \"nowhere\"",
    );
    fail(
        folder,
        2,
        &["simulate", "thai.space", "--target", "lang:th"],
        "give --strategy NAME, or --all",
    );
    fail(
        folder,
        2,
        &["simulate", "thai.space", "--target", "lang:th", "--all", "--labels", "x"],
        "it has: meta+textcat, meta-charset, true",
    );
    fail(
        folder,
        2,
        &["space", "synth", "--preset", "lao", "-o", "x"],
        "there are: thai-2004, japanese-2004",
    );
    fail(folder, 2, &["space", "synth", "-o", "thai.space"], "already there");
    fail(folder, 2, &["report", "thai.space"], "is not a run of langur");
    fail(folder, 2, &[], "Usage: langur");
}

#[test]
fn a_damaged_web_space_is_refused_before_it_is_crawled() {
    let scratch = scratch_with_space("2000");
    let targets = scratch.path().join("thai.space/links.targets");
    let mut bytes = fs::read(&targets).expect("there");
    bytes[100] ^= 1;
    fs::write(&targets, bytes).expect("writable");
    let arguments = ["simulate", "thai.space", "--target", "lang:th", "--all", "-o", "run"];
    fail(scratch.path(), 1, &arguments, "is damaged: links.targets is not as it was written");
    assert!(!scratch.path().join("run").exists());
}

#[test]
fn what_is_exported_can_be_imported_and_gives_the_same_crawl() {
    let scratch = scratch_with_space("3000");
    let folder = scratch.path();
    succeed(folder, &["space", "export", "thai.space", "--format", "csv", "-o", "csv"]);
    succeed(
        folder,
        &[
            "space",
            "import",
            "--pages",
            "csv/pages.csv",
            "--links",
            "csv/links.csv",
            "--links",
            "csv/missing_links.csv",
            "-o",
            "again.space",
        ],
    );
    let crawl = |space: &str| {
        let printed = json(&succeed(
            folder,
            &["simulate", space, "--target", "lang:th", "--strategy", "lswc(s=3,t=5)", "--json"],
        ));
        let mut result = printed["results"][0].clone();
        result.as_object_mut().expect("an object").remove("seconds");
        result
    };
    assert_eq!(crawl("thai.space"), crawl("again.space"));
}

#[test]
fn the_demo_tells_its_story() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let told = succeed(scratch.path(), &["demo", "--pages", "3000"]);
    assert!(
        told.contains("A synthetic Thai web of 3,000 pages") && told.contains("What to try next")
    );
    assert!(scratch.path().join("demo/report.html").is_file());
    succeed(scratch.path(), &["demo", "--pages", "3000"]);
}

#[test]
fn the_benchmark_prints_ratios() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let printed = json(&succeed(
        scratch.path(),
        &[
            "bench",
            "simulate",
            "--pages",
            "3000",
            "--rounds",
            "1",
            "--strategy",
            "soft-focused",
            "--json",
        ],
    ));
    assert_eq!(printed["pages"], 3000);
    assert!(
        printed["bare_seconds"].as_f64() > Some(0.0)
            && printed["synth"]["ratio"].as_f64() > Some(0.0)
    );
    assert!(printed["results"][0]["ratio"].as_f64() > Some(0.0));
}

#[test]
fn simulated_time_is_told_and_repeated_to_the_byte() {
    let scratch = scratch_with_space("4000");
    let folder = scratch.path();
    let asked = ["simulate", "thai.space", "--target", "lang:TH", "--strategy", "soft-focused"];
    let polite = ["--strategy", "upper-bound", "--clock", "polite(connections=20,failures=0.05)"];
    let table = succeed(folder, &[&asked[..], &polite, &["-o", "run"]].concat());
    assert!(table.contains("simulated") && table.contains("idle"), "{table}");
    assert!(succeed(folder, &["simulate", "--again", "run"]).contains("identical"));
    let found = json(&succeed(folder, &[&asked[..], &polite, &["--json"]].concat()));
    let time = &found["results"][0]["time"];
    assert!(time["seconds"].as_f64() > Some(1.0), "{time}");
    assert!(time["idle"].as_f64() < Some(1.0), "{time}");
    assert_eq!(found["switches"]["clock"], "polite(connections=20,failures=0.05)");
    assert_eq!(found["results"][1]["bound"], true);
    fail(folder, 2, &[&asked[..], &["--clock", "moon"]].concat(), "there is no clock");
    fail(
        folder,
        2,
        &[&asked[..], &["--identifier", "noisy(miss=2)"]].concat(),
        "miss of identifier noisy",
    );
}

#[test]
fn a_language_without_a_top_level_domain_leaves_one_strategy_out() {
    let scratch = scratch_with_space("2000");
    let output =
        langur(scratch.path(), &["simulate", "thai.space", "--target", "lang:la", "--all"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    assert!(error.contains("tld-anchor is left out"), "{error}");
    assert!(error.contains("no page of thai.space is relevant to lang:la"), "{error}");
}

#[test]
fn seeds_that_are_none_are_refused() {
    let scratch = scratch_with_space("1000");
    fs::write(scratch.path().join("seeds.txt"), "# none\n\n").expect("writable");
    let asked = ["simulate", "thai.space", "--target", "lang:th", "--all", "--seeds", "seeds.txt"];
    fail(scratch.path(), 2, &asked, "seeds.txt names no seeds");
}

#[test]
fn a_web_space_is_analysed() {
    let scratch = scratch_with_space("5000");
    let folder = scratch.path();
    let asked = ["space", "analyze", "thai.space", "--target", "lang:th"];
    let text = succeed(folder, &[&asked[..], &["-o", "space.html"]].concat());
    for part in ["Table 2", "Table 3", "Fig. 1", "Degrees", "Hosts by size", "disconnected"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(fs::read_to_string(folder.join("space.html")).expect("a report").contains("bow_tie"));
    let found = json(&succeed(folder, &[&asked[..], &["--json"]].concat()));
    assert_eq!(found["pages"], 5000);
    let tie = found["components"]["bow_tie"].as_object().expect("a bow-tie");
    assert_eq!(tie.values().filter_map(Value::as_u64).sum::<u64>(), 5000);
    let relevant = found["distances"]["pages"].as_array().expect("distances").iter();
    let reached: u64 = relevant.filter_map(Value::as_u64).sum();
    assert_eq!(
        Some(reached + found["distances"]["never"].as_u64().expect("a number")),
        found["relevant"].as_u64()
    );
    fail(folder, 2, &[&asked[..], &["--labels", "guess"]].concat(), "has no labels \"guess\"");
}

/// An experiment that is killed goes on where it was, and says the same as one that was not.
#[test]
fn an_experiment_survives_being_killed() {
    const PLAN: &str = "name = \"Killed\"\nabout = \"\"\nstrategies = [\"all\"]\n\
        [[web]]\nname = \"thai\"\npreset = \"thai-2004\"\npages = 20000\nrandom_seeds = [1, 4]\n\
        targets = [\"lang:th\"]\nlabels = [\"meta-charset\", \"meta+textcat\"]\n";
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::write(folder.join("killed.toml"), PLAN).expect("writable");
    succeed(folder, &["experiment", "killed.toml", "-o", "whole"]);
    let cells = folder.join("cut/cells");
    let kept = || fs::read_dir(&cells).map_or(0, |entries| entries.count());
    let mut kills = 0;
    loop {
        let before = kept();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_langur"))
            .current_dir(folder)
            .args(["experiment", "killed.toml", "-o", "cut"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it runs");
        // Killed when it has got some way further, whatever it is doing then.
        while child.try_wait().expect("a child").is_none() && kept() < before + 40 {
            std::thread::yield_now();
        }
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("dead");
        kills += 1;
    }
    assert!(kills > 0, "it was over too soon to be killed");
    for file in ["summary.json", "page.md"] {
        let read = |run: &str| fs::read(folder.join(run).join(file)).expect("written");
        assert!(read("whole") == read("cut"), "{file} after {kills} kills");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_a_failure_and_no_panic() {
    let scratch = scratch_with_space("2000");
    for arguments in [
        &["space", "info", "thai.space"][..],
        &["simulate", "thai.space", "--target", "lang:th", "--strategy", "lswc", "--json"],
        &["classify", "--json", "thai.space/manifest.json"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_langur"));
        command.current_dir(scratch.path()).args(arguments).stdout(full);
        let output = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("No space left") && !said.contains("panicked"), "{said}");
    }
}
