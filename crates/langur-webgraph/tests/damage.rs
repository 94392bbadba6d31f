//! Graphs that cannot be imported are refused, and say why.

use std::fs;
use std::path::{Path, PathBuf};

use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis, synthesise};
use langur_webgraph::{export, import};

/// A folder with an exported graph of 300 nodes, to be damaged.
fn graph(scratch: &Path) -> PathBuf {
    let preset = Preset::load("thai-2004").expect("a preset");
    let what = Synthesis { preset, pages: 300, seed: 7, threads: 1 };
    synthesise(&what, &scratch.join("space"), false, |_| {}).expect("made");
    let space = Space::open(&scratch.join("space")).expect("a web space");
    assert_eq!(space.pages(), 300);
    export(&space, &scratch.join("graph"), false).expect("exported");
    scratch.join("graph/graph")
}

/// What is said about a graph of which one file was changed. Nothing may be written.
fn refusal(ending: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> String {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let basename = graph(scratch.path());
    let file = basename.with_extension(ending);
    fs::write(&file, change(fs::read(&file).expect("there"))).expect("written");
    let place = scratch.path().join("imported");
    let error = import(&basename, &place, false).expect_err("a damaged graph").to_string();
    assert!(!place.exists());
    error
}

#[track_caller]
fn check(ending: &str, change: impl Fn(Vec<u8>) -> Vec<u8>, said: &str) {
    let error = refusal(ending, change);
    assert!(error.contains(said), "{error}");
    assert!(error.contains(&format!("graph.{ending}")), "{error}");
}

/// Replaces what a property is set to; without a value, the property is taken out.
fn set(key: &str, value: Option<&str>) -> impl Fn(Vec<u8>) -> Vec<u8> {
    move |bytes| {
        let text = String::from_utf8(bytes).expect("text");
        let others = text.lines().filter(|line| !line.starts_with(&format!("{key}=")));
        let mut text: String = others.map(|line| format!("{line}\n")).collect();
        if let Some(value) = value {
            text += &format!("{key}={value}\n");
        }
        text.into_bytes()
    }
}

fn line(number: usize, text: &[u8]) -> impl Fn(Vec<u8>) -> Vec<u8> {
    move |bytes| {
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        lines[number - 1] = text;
        lines.join(&b'\n')
    }
}

#[test]
fn wrong_properties_are_named() {
    for key in ["nodes", "arcs", "windowsize", "minintervallength"] {
        check("properties", set(key, None), &format!("it lacks {key}"));
        check("properties", set(key, Some("many")), &format!("{key} is \"many\""));
        check("properties", set(key, Some("-1")), &format!("{key} is \"-1\""));
    }
    check("properties", set("nodes", Some("0")), "it has no nodes");
    check("properties", set("zetak", Some("three")), "zetak is \"three\"");
    check("properties", set("compressionflags", Some("RESIDUALS_MORSE")), "RESIDUALS_MORSE");
    check("properties", set("graphclass", Some("it.unimi.dsi.webgraph.EFGraph")), "EFGraph");
    check("properties", set("endianness", Some("little")), "endianness is \"little\"");
    check("properties", |_| Vec::new(), "it lacks nodes");
    check("properties", |_| b"nodes=\\u12".to_vec(), "it is not a properties file");
    let many = refusal("properties", set("nodes", Some("99999999999")));
    assert!(many.contains("99999999999"), "{many}");
}

#[test]
fn a_graph_that_is_cut_short_is_refused() {
    check("graph", |_| Vec::new(), "node 0: the file ends");
    for keep in [1, 2, 3] {
        check("graph", move |bytes| bytes[..bytes.len() * keep / 4].to_vec(), "the file ends");
    }
}

#[test]
fn a_graph_that_is_not_of_its_properties_is_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let basename = graph(scratch.path());
    let place = scratch.path().join("imported");
    let properties = basename.with_extension("properties");
    let right = fs::read(&properties).expect("there");
    for (key, value) in [
        ("nodes", "299"),
        ("nodes", "301"),
        ("nodes", "1000000000"),
        ("arcs", "0"),
        ("arcs", "1000000000000000000"),
        ("windowsize", "0"),
        ("minintervallength", "18446744073709551615"),
        ("compressionflags", "OUTDEGREES_DELTA"),
    ] {
        fs::write(&properties, set(key, Some(value))(right.clone())).expect("written");
        let error = import(&basename, &place, false).expect_err(key).to_string();
        assert!(error.contains("graph.graph is damaged, or is not the graph"), "{error}");
    }
    // What matters to writers only is not looked at.
    fs::write(&properties, set("maxrefcount", Some("-1"))(right)).expect("written");
    import(&basename, &place, false).expect("imported");
}

/// Whatever is done to a graph, it is read or refused; it never panics or asks for all memory.
#[test]
fn changed_bytes_are_read_or_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let basename = graph(scratch.path());
    let place = scratch.path().join("imported");
    let file = basename.with_extension("graph");
    let right = fs::read(&file).expect("there");
    let mut refused = 0;
    for at in 0..right.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut wrong = right.clone();
            wrong[at] ^= change;
            // Every fourth time a run of zeros or ones, the beginning of very large numbers.
            if at % 4 == 0 {
                let end = (at + 12).min(wrong.len());
                wrong[at..end].fill(if change == 0xff { 0xff } else { 0 });
            }
            fs::write(&file, wrong).expect("written");
            refused += usize::from(import(&basename, &place, true).is_err());
        }
    }
    println!("{refused} of {} changes refused", 3 * right.len());
    assert!(refused > right.len());
}

#[test]
fn wrong_urls_are_named_by_their_line() {
    check("urls", line(17, b"no url"), "graph.urls:17: \"no url\" is not a URL");
    check("urls", line(17, b""), "graph.urls:17: ");
    check("urls", line(17, b"http://\xff.example/"), "graph.urls:17: it is not UTF-8");
    let twice = |bytes: Vec<u8>| {
        let first = bytes.split(|&byte| byte == b'\n').next().expect("a line").to_vec();
        line(300, &first)(bytes)
    };
    check("urls", twice, "is already in line 1");
    check("urls", |bytes| [bytes, b"http://more/\n".to_vec()].concat(), "graph.urls:301: ");
    check("urls", |_| b"http://one/\n".to_vec(), "graph.urls:1: the file ends here");
}

#[test]
fn what_is_not_there_is_named() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let basename = graph(scratch.path());
    let place = scratch.path().join("space");
    let error = import(&basename, &place, false).expect_err("a place that is taken").to_string();
    assert!(error.contains("is already there"), "{error}");
    let place = scratch.path().join("imported");
    for ending in ["graph", "properties"] {
        let file = basename.with_extension(ending);
        fs::rename(&file, scratch.path().join("aside")).expect("moved");
        let error = import(&basename, &place, false).expect_err("half a graph").to_string();
        assert!(error.contains(&format!("cannot read {}", file.display())), "{error}");
        fs::rename(scratch.path().join("aside"), &file).expect("moved");
    }
}
