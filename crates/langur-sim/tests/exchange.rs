//! Importing and exporting.

use std::fs;
use std::path::Path;

use langur_crawl::PageId;
use langur_sim::exchange::{Format, ImportError, Sources, export, import};
use langur_sim::synth::{Preset, Synthesis, synthesise};
use langur_sim::{Space, UNKNOWN};

fn try_import(folder: &Path, pages: &str, links: &str) -> Result<Space, ImportError> {
    let sources = Sources {
        pages: folder.join("pages.csv"),
        links: vec![folder.join("links.csv")],
        ..Sources::default()
    };
    fs::write(&sources.pages, pages).expect("writable");
    fs::write(&sources.links[0], links).expect("writable");
    import(&sources, &folder.join("space"), true)?;
    Ok(Space::open(&folder.join("space")).expect("what was imported opens"))
}

#[test]
fn a_small_crawl_log_becomes_a_web_space() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = try_import(
        scratch.path(),
        "url,language,status,mime,bytes,seed,comment\n\
         http://www.b.com/x,en,200,text/html; charset=utf-8,10,,a\n\
         https://a.co.th/,th,,,,1,b\n\
         http://a.co.th/,und,404,text/html,,0,c\n",
        "source_url,target_url,anchor_language\n\
         https://a.co.th/,http://www.b.com:80/x#there,th\n\
         https://a.co.th/,http://gone.org/,\n\
         https://a.co.th/,http://www.b.com/x,en\n\
         http://www.b.com/x,https://a.co.th/,\n\
         http://www.b.com/x,http://www.b.com/x,\n",
    )
    .expect("a sound import");
    let urls: Vec<String> = (0..4).map(|page| space.url(PageId(page))).collect();
    assert_eq!(
        urls,
        ["http://www.b.com/x", "http://a.co.th/", "https://a.co.th/", "http://gone.org/"]
    );
    let counts = space.manifest().counts;
    assert_eq!(
        (counts.pages, counts.missing, counts.hosts, counts.links, counts.missing_links),
        (3, 1, 3, 2, 1)
    );
    assert_eq!(space.manifest().seeds, [2]);
    assert_eq!(space.link_offsets.as_slice(), [0, 1, 1, 3]);
    assert_eq!(space.link_targets.as_slice(), [2, 0, 3]);
    assert_eq!(space.status.as_slice(), [200, 404, 200]);
    let languages: Vec<_> = (0..3)
        .map(|page| space.language_of(space.language[0].get(page)).map(|l| l.to_string()))
        .collect();
    assert_eq!(languages, [Some("en".to_owned()), None, Some("th".to_owned())]);
    assert_eq!(space.link_anchors.get(2), UNKNOWN);
}

#[track_caller]
fn check_wrong(pages: &str, links: &str, messages: &[&str]) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let error = match try_import(scratch.path(), pages, links) {
        Ok(_) => panic!("it went unnoticed"),
        Err(error) => error.to_string(),
    };
    for message in messages {
        assert!(error.contains(message), "{error:?} does not say {message:?}");
    }
    assert!(!scratch.path().join("space").exists(), "something was written");
    let left = fs::read_dir(scratch.path()).expect("readable").count();
    assert_eq!(left, 2, "something was left behind");
}

#[test]
fn wrong_rows_are_reported_with_file_and_line() {
    let pages = "id,url,language,status\n1,http://a.com/,th,200\n2,nonsense,th,200\n3,http://b.com/,thai language,200\n4,http://c.com/,th,many\n5,http://a.com/,th,200\n1,http://d.com/,th,200\n";
    check_wrong(
        pages,
        "source,target\n1,2\n7,1\n1,http://a.com/\n",
        &[
            "pages.csv:3: \"nonsense\" is not a URL",
            "pages.csv:4: \"thai language\" is not a language tag",
            "pages.csv:5: status \"many\" is not a number",
            "pages.csv:6: http://a.com/ is in the crawl log twice",
            "pages.csv:7: id \"1\" is in the crawl log twice",
            "links.csv:3: \"7\" is neither an id of the crawl log nor a URL",
        ],
    );
}

#[test]
fn files_without_their_columns_are_refused() {
    check_wrong(
        "uri,language\nhttp://a.com/,th\n",
        "source,target\n",
        &["pages.csv: it has no column url; it has: uri, language"],
    );
    check_wrong("url\nhttp://a.com/\n", "source,target\n", &["no column language"]);
    check_wrong(
        "url,language\nhttp://a.com/,th\n",
        "from,to\n",
        &["links.csv: it needs columns source and target"],
    );
    check_wrong("url,language\n", "source,target\n", &["it holds no page"]);
    check_wrong(
        "url,language\nhttp://a.com/,th\n",
        "source,target\nhttp://x.com/,http://a.com/\n",
        &["links.csv:2: http://x.com/ links and is not in the crawl log"],
    );
}

/// What is exported and imported again is the same web, whatever the format.
#[test]
fn exports_can_be_imported_again() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let preset = Preset::load("thai-2004").expect("a built-in preset");
    let original = scratch.path().join("original");
    synthesise(&Synthesis { preset, pages: 3_000, seed: 5, threads: 2 }, &original, false, |_| ())
        .expect("a web space");
    let original = Space::open(&original).expect("the web space");
    for (format, ending) in [(Format::Csv, "csv"), (Format::Parquet, "parquet")] {
        let folder = scratch.path().join(ending);
        export(&original, format, &folder, false).expect("an export");
        let file = |name: &str| folder.join(format!("{name}.{ending}"));
        let sources = Sources {
            pages: file("pages"),
            links: vec![file("links"), file("missing_links")],
            ..Sources::default()
        };
        let place = scratch.path().join(format!("again-{ending}"));
        let imported = import(&sources, &place, false).expect("an import");
        assert_eq!(
            (imported.repeated_links, imported.links_to_itself, imported.unused_columns.len()),
            (0, 0, 0)
        );
        let again = Space::open(&place).expect("the import");
        assert_eq!(again.manifest().counts.links, original.manifest().counts.links);
        assert_eq!(again.manifest().seeds, original.manifest().seeds);
        assert_eq!(again.link_targets.as_slice(), original.link_targets.as_slice());
        assert_eq!(again.link_offsets.as_slice(), original.link_offsets.as_slice());
        assert_eq!(again.status.as_slice(), original.status.as_slice());
        assert_eq!(again.host.as_slice(), original.host.as_slice());
        let languages = |space: &Space, rule: usize| -> Vec<_> {
            (0..space.pages())
                .map(|page| space.language_of(space.language[rule].get(page)))
                .collect()
        };
        (0..3).for_each(|rule| assert_eq!(languages(&again, rule), languages(&original, rule)));
        original.for_each_url(|page, url, _| assert_eq!(again.url(page), url));
    }
}

const SCORED_PAGES: &str = "url,topic_bikes,topic_pets,seed\n\
    http://a.com/,0.5,,1\n\
    http://a.com/x,0.123456,1,\n\
    http://b.com/,0,0.4,\n";
const SCORED_LINKS: &str = "source,target,anchor_topic_bikes,context_topic_bikes,context_topic_pets,anchor_topic_fish\n\
    http://a.com/,http://b.com/,0.25,1,0.5,1\n\
    http://a.com/,http://gone.org/,,0.125,,\n\
    http://a.com/,http://a.com/x,1,,,\n";

fn read_scores(space: &Space) -> Vec<(Vec<f32>, Vec<u8>, Vec<u8>)> {
    let topics = space.topics.iter();
    let slices = topics
        .map(|topic| (topic.page.as_slice(), topic.anchor.as_slice(), topic.context.as_slice()));
    slices
        .map(|(page, anchor, context)| (page.to_vec(), anchor.to_vec(), context.to_vec()))
        .collect()
}

#[test]
fn scores_on_topics_are_imported_and_exported() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let space = try_import(scratch.path(), SCORED_PAGES, SCORED_LINKS).expect("a sound import");
    let topics = &space.manifest().topics;
    assert_eq!(
        topics.iter().map(|topic| (topic.name.as_str(), topic.threshold)).collect::<Vec<_>>(),
        [("bikes", 0.4), ("pets", 0.4)]
    );
    assert_eq!(
        read_scores(&space),
        [
            (vec![0.5, 0.123456, 0.0], vec![64, 0, 255], vec![255, 32, 0]),
            (vec![0.0, 1.0, 0.4], vec![0; 3], vec![128, 0, 0])
        ]
    );
    for (format, ending) in [(Format::Csv, "csv"), (Format::Parquet, "parquet")] {
        let folder = scratch.path().join(ending);
        export(&space, format, &folder, false).expect("an export");
        let file = |name: &str| folder.join(format!("{name}.{ending}"));
        let sources = Sources {
            pages: file("pages"),
            links: vec![file("links"), file("missing_links")],
            thresholds: vec![("pets".to_owned(), 0.7)],
        };
        let place = scratch.path().join(format!("again-{ending}"));
        let imported = import(&sources, &place, false).expect("an import");
        assert_eq!(imported.unused_columns, []);
        let again = Space::open(&place).expect("the import");
        again.verify(langur_sim::Parts::Everything).expect("whole");
        assert_eq!(read_scores(&again), read_scores(&space));
        assert_eq!(again.manifest().topics[1].threshold, 0.7);
    }
}

#[test]
fn scores_that_are_none_are_refused() {
    check_wrong(
        "url,topic_bikes\nhttp://a.com/,1.5\nhttp://b.com/,NaN\nhttp://c.com/,much\n",
        "source,target,anchor_topic_bikes\n",
        &[
            "pages.csv:2: topic_bikes \"1.5\" is not a score from 0 to 1",
            "pages.csv:3: topic_bikes \"NaN\" is not",
            "pages.csv:4: topic_bikes \"much\" is not",
        ],
    );
    check_wrong(
        SCORED_PAGES,
        "source,target,anchor_topic_bikes\nhttp://a.com/,http://b.com/,-1\n",
        &["links.csv:2: anchor_topic_bikes \"-1\" is not a score from 0 to 1"],
    );
}

#[test]
fn a_threshold_for_a_topic_that_is_not_there_is_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (pages, links) = (scratch.path().join("pages.csv"), scratch.path().join("links.csv"));
    fs::write(&pages, SCORED_PAGES).expect("writable");
    fs::write(&links, SCORED_LINKS).expect("writable");
    let thresholds = vec![("boats".to_owned(), 0.7)];
    let sources = Sources { pages, links: vec![links], thresholds };
    let error = import(&sources, &scratch.path().join("space"), false).expect_err("refused");
    assert!(
        error.to_string().contains("no column topic_boats; topics there are: bikes, pets"),
        "{error}"
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// Whatever the files hold, there is a web space or an error.
    #[test]
    fn importing_anything_never_panics(
        pages in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300),
        links in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300),
        headed: bool,
    ) {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let sources = Sources { pages: scratch.path().join("pages.csv"), links: vec![scratch.path().join("links.parquet")], ..Sources::default() };
        let head: &[u8] = if headed { b"url,language,status\nhttp://a.com/,th,200\n" } else { b"" };
        fs::write(&sources.pages, [head, &pages].concat()).expect("writable");
        fs::write(&sources.links[0], links).expect("writable");
        let place = scratch.path().join("space");
        proptest::prop_assert_eq!(import(&sources, &place, false).is_ok(), place.exists());
    }
}
