//! What a synthetic web is like, counted anew from its columns.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use langur_sim::synth::{Preset, Synthesis, names, synthesise};
use langur_sim::{Space, UNKNOWN};

fn make(preset: &str, pages: usize, seed: u64, threads: usize, place: &Path) -> Space {
    let preset = Preset::load(preset).expect("a built-in preset");
    synthesise(&Synthesis { preset, pages, seed, threads }, place, false, |_| ())
        .expect("a web space");
    Space::open(place).expect("the web space")
}

/// Links counted by hand: from and to, within and between.
#[derive(Default)]
struct Locality {
    links: HashMap<(bool, &'static str), [u64; 2]>,
    sources: [u64; 2],
}

fn locality(space: &Space) -> Locality {
    let target = 1; // the first language of a synthetic web's table is the target
    let (offsets, targets) = (space.link_offsets.as_slice(), space.link_targets.as_slice());
    let (hosts, domains) = (space.host.as_slice(), space.host_domain.as_slice());
    let mut found = Locality::default();
    for page in 0..space.pages() {
        let language = space.language[0].get(page);
        let from_target = language == target;
        found.sources[usize::from(!from_target)] += u64::from(language != UNKNOWN);
        for &link in &targets[offsets[page] as usize..offsets[page + 1] as usize] {
            let link = link as usize;
            if link >= space.pages() {
                continue;
            }
            let to_target = usize::from(space.language[0].get(link) != target);
            let same_server = hosts[page] == hosts[link];
            let same_domain = domains[hosts[page] as usize] == domains[hosts[link] as usize];
            for scope in [
                "all",
                if same_server { "same server" } else { "other server" },
                if same_domain { "same domain" } else { "other domain" },
            ] {
                found.links.entry((from_target, scope)).or_default()[to_target] += 1;
            }
        }
    }
    found
}

#[track_caller]
fn close(name: &str, published: f64, found: f64, tolerance: f64) {
    assert!((published - found).abs() <= tolerance, "{name}: published {published}, found {found}");
}

#[test]
fn the_published_statistics_of_the_thai_web_come_out() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = make("thai-2004", 300_000, 7, 2, &scratch.path().join("thai"));
    let (counts, pages) = (space.manifest().counts, space.pages() as f64);
    assert_eq!(counts.pages, 300_000);
    close("pages a server", 20.93, pages / counts.hosts as f64, 0.1);
    close("missing a page", 1.791, counts.missing as f64 / pages, 0.01);
    close("links a page", 6.816, counts.links as f64 / pages, 0.15);
    close("missing links a page", 2.03, counts.missing_links as f64 / pages, 0.05);

    // Table 2: language by top-level domain, in percent of all pages.
    let mut table: HashMap<(&str, u16), u64> = HashMap::new();
    for page in 0..space.pages() {
        let tld = Space::word(
            &space.manifest().tlds,
            space.host_tld.get(space.host.as_slice()[page] as usize),
        );
        let tld = if matches!(tld, "th" | "com" | "net") { tld } else { "other" };
        let language = space.language[0].get(page);
        *table.entry((tld, language.min(3))).or_default() += 1;
    }
    for (tld, percents) in [
        ("th", [4.20, 2.46, 0.18, 1.31]),
        ("com", [6.46, 8.57, 0.93, 30.37]),
        ("net", [0.51, 1.13, 0.20, 4.38]),
        ("other", [1.03, 5.60, 2.09, 30.59]),
    ] {
        for (language, percent) in
            [(1, percents[0]), (2, percents[1]), (3, percents[2]), (0, percents[3])]
        {
            let found = table[&(tld, language)] as f64 / pages * 100.0;
            close(&format!("language {language} in .{tld}"), percent, found, 0.02 * percent + 0.5);
        }
    }

    // Table 3: share of links to Thai pages, in percent.
    let found = locality(&space);
    for (from_target, percents) in
        [(true, [71.3, 83.0, 30.7, 84.1, 38.5]), (false, [3.1, 2.3, 6.2, 3.0, 3.2])]
    {
        for (scope, percent) in
            ["all", "same domain", "other domain", "same server", "other server"]
                .into_iter()
                .zip(percents)
        {
            let [to_target, rest] = found.links[&(from_target, scope)];
            close(
                &format!("{from_target} {scope}"),
                percent,
                to_target as f64 / (to_target + rest) as f64 * 100.0,
                0.5,
            );
        }
    }
    let degree = |from: bool| {
        found.links[&(from, "all")].iter().sum::<u64>() as f64
            / found.sources[usize::from(!from)] as f64
    };
    close("links of a Thai page", 22.6, degree(true), 0.5);
    close("links of another page", 19.2, degree(false), 0.5);

    // Labels: META charset alone finds 86.0% of what META and TextCat find.
    let count = |rule: usize| {
        (0..space.pages()).filter(|&page| space.language[rule].get(page) == 1).count() as f64
    };
    close("META share", 86.0, count(1) / count(0) * 100.0, 1.0);
    let right = (0..space.pages())
        .filter(|&page| space.language[0].get(page) == 1 && space.language[2].get(page) == 1)
        .count() as f64;
    close("precision of the labels", 91.0, right / count(0) * 100.0, 1.0);
    close("recall of the labels", 94.0, right / count(2) * 100.0, 1.0);
}

#[test]
fn what_the_manifest_says_was_generated_is_what_is_there() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = make("thai-2004", 20_000, 1, 2, &scratch.path().join("thai"));
    let found = locality(&space);
    let [to_target, rest] = found.links[&(true, "same server")];
    let share = to_target as f64 / (to_target + rest) as f64 * 100.0;
    let stated = space
        .manifest()
        .statistics
        .iter()
        .find(|s| s.name == "links of th pages, within a server: to th pages");
    close("stated", stated.expect("the statistic").generated, share, 0.001);
    let links: u64 =
        [true, false].iter().map(|&from| found.links[&(from, "all")].iter().sum::<u64>()).sum();
    assert_eq!(links, space.manifest().counts.links);
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_threads() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for name in names() {
        let place = |threads: usize| scratch.path().join(format!("{name}-{threads}"));
        for threads in [1, 2, 5] {
            make(&name, 30_000, 3, threads, &place(threads));
        }
        for entry in fs::read_dir(place(1)).expect("readable") {
            let file = entry.expect("an entry").file_name();
            let bytes = |threads: usize| fs::read(place(threads).join(&file)).expect("there");
            assert!(bytes(1) == bytes(2) && bytes(1) == bytes(5), "{name}: {}", file.display());
        }
    }
    let other = make("thai-2004", 30_000, 4, 2, &scratch.path().join("other"));
    assert_ne!(
        other.fingerprint(),
        Space::open(&scratch.path().join("thai-2004-1")).expect("there").fingerprint()
    );
}

#[test]
fn everything_is_reachable_from_the_seeds_and_urls_go_both_ways() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = make("thai-2004", 5_000, 2, 2, &scratch.path().join("thai"));
    let (offsets, targets) = (space.link_offsets.as_slice(), space.link_targets.as_slice());
    let mut seen = vec![false; space.pages() + space.manifest().counts.missing as usize];
    let mut waiting = space.manifest().seeds.clone();
    waiting.iter().for_each(|&seed| seen[seed as usize] = true);
    while let Some(page) = waiting.pop() {
        if page as usize >= space.pages() {
            continue;
        }
        let links = &targets[offsets[page as usize] as usize..offsets[page as usize + 1] as usize];
        let mut distinct = links.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), links.len(), "page {page} has a link twice");
        assert!(!links.contains(&page), "page {page} links to itself");
        for &link in links {
            if !std::mem::replace(&mut seen[link as usize], true) {
                waiting.push(link);
            }
        }
    }
    assert!(
        seen.iter().all(|&seen| seen),
        "{} pages cannot be reached",
        seen.iter().filter(|seen| !**seen).count()
    );

    let mut last = None;
    space.for_each_url(|page, url, host| {
        assert_eq!(space.url(page), url);
        let found = space.find(url).expect("a URL");
        assert_eq!(found, ((page.0 as usize) < space.pages()).then_some(page), "{url}");
        let key = (page.0 as usize >= space.pages(), langur_page::host_key(host), url.to_owned());
        assert!(last.replace(key.clone()) < Some(key), "{url} is out of order");
    });
    assert_eq!(space.find("http://not.there/").expect("a URL"), None);
}
