//! The crates that decide do no I/O, read no clock and start no threads. This looks for the ways in
//! which they could: a dependency that does, or a part of the standard library that does.

use std::fs;
use std::path::{Path, PathBuf};

const DECIDING: [&str; 4] =
    ["langur-crawl", "langur-frontier", "langur-strategy", "langur-classify"];

/// What bytes mean and what they are worth is computed without reaching outside, too. These may use
/// libraries that compute.
const COMPUTING: [&str; 7] = [
    "langur-page",
    "langur-language",
    "langur-textcat",
    "langur-topic",
    "langur-reader",
    "langur-extract",
    "langur-scope",
];

/// Parts of the standard library that reach outside.
const FORBIDDEN: [&str; 8] = [
    "std::fs",
    "std::io",
    "std::net",
    "std::time",
    "std::thread",
    "std::process",
    "std::env",
    "std::sync",
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn deciding_crates_depend_on_the_crawl_alone() {
    for name in DECIDING {
        let manifest =
            fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("a manifest");
        let section = manifest.split("[dependencies]").nth(1).expect("dependencies");
        let section = section.split("\n[").next().expect("a section");
        let dependencies: Vec<&str> =
            section.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let allowed: &[&str] =
            if name == "langur-crawl" { &[] } else { &["langur-crawl.workspace = true"] };
        assert_eq!(dependencies, allowed, "{name}");
        assert!(!manifest.contains("[build-dependencies]"), "{name}");
    }
}

/// The Rust files of a folder and of those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("sources").map(|entry| entry.expect("a file").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let mut all: Vec<PathBuf> =
        files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    all.extend(folders.iter().flat_map(|folder| sources(folder)));
    all
}

#[test]
fn deciding_crates_reach_for_nothing_outside() {
    for name in DECIDING.into_iter().chain(COMPUTING) {
        for path in sources(&crates().join(name).join("src")) {
            let source = fs::read_to_string(&path).expect("text");
            for forbidden in FORBIDDEN {
                // An address is a number, and a table that is filled once is no thread.
                if COMPUTING.contains(&name) && ["std::net", "std::sync"].contains(&forbidden) {
                    continue;
                }
                let inner = forbidden.trim_start_matches("std::");
                let imported =
                    source.contains(&format!("use std::{{{inner}")) || source.contains(forbidden);
                assert!(!imported, "{} uses {forbidden}", path.display());
            }
            for macro_name in ["println!", "eprintln!", "dbg!", "print!"] {
                assert!(!source.contains(macro_name), "{} uses {macro_name}", path.display());
            }
        }
    }
}
