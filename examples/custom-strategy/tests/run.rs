//! The example through the same commands as any other strategy.

use assert_cmd::Command;
use serde_json::Value;

fn run(folder: &std::path::Path, arguments: &[&str]) -> String {
    let output = Command::cargo_bin("custom-strategy")
        .expect("the binary")
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_strategy_of_ones_own_is_simulated_reported_and_experimented_with() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    run(folder, &["space", "synth", "--pages", "3000", "-o", "thai.space"]);
    let asked = ["--strategy", "good-company(share=0.3)", "--strategy", "soft-focused"];
    let simulate = ["simulate", "thai.space", "--target", "lang:th", "--json", "-o", "run"];
    let results: Value =
        serde_json::from_str(&run(folder, &[&simulate[..], &asked].concat())).expect("JSON");
    let coverage = |i: usize| results["results"][i]["coverage"].as_f64();
    assert_eq!((coverage(0), coverage(1)), (Some(1.0), Some(1.0)));
    assert!(run(folder, &["simulate", "--again", "run"]).contains("identical"));
    run(folder, &["report", "run", "-o", "report.html"]);
    let html = std::fs::read_to_string(folder.join("report.html")).expect("a report");
    assert!(html.contains("good-company(share=0.3)"));
    assert!(run(folder, &["simulate", "--help"]).contains("good-company"));
    let plan = "name = \"Own\"\nabout = \"\"\nstrategies = [\"good-company\", \"breadth-first\"]\n\
        [[web]]\nname = \"thai\"\npreset = \"thai-2004\"\npages = 2000\nrandom_seeds = [1, 2]\ntargets = [\"lang:th\"]\n";
    std::fs::write(folder.join("own.toml"), plan).expect("writable");
    assert!(run(folder, &["experiment", "own.toml"]).contains("good-company"));
}

/// The guide promises that it takes no more.
#[test]
fn the_example_is_short() {
    assert!(include_str!("../src/main.rs").lines().count() < 60);
}
