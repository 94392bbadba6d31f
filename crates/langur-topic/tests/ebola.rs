//! The three kinds of topic on real pages: "ebola outbreak", 37 examples and 172 counter-examples
//! from the samples of VIDA-NYU/ache. Cross-validated in five parts by registered domain, so that no
//! site is both learned from and judged.
//!
//! `cargo test --release -p langur-topic --test ebola -- --nocapture` prints the table of
//! `docs/topics.md`.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use langur_testkit::shared::{Document, documents};
use langur_topic::{Idf, Kind, LinearOptions, Tokens, Topic, VectorOptions, Words};

const PARTS: usize = 5;

const KEYWORDS: &str = "# kind: keywords\nebola\t0.5\noutbreak\t0.2\nvirus\t0.1\nepidemic\t0.1\n\
                        west africa\t0.1\n";

struct Page {
    text: String,
    domain: String,
    positive: bool,
}

#[test]
fn judges_real_pages() {
    let Some(pages) = pages() else { return };
    let positives = pages.iter().filter(|page| page.positive).count();
    assert_eq!((positives, pages.len() - positives), (37, 172));
    let parts = parts(&pages);
    let mut measured: BTreeMap<&str, Vec<(f64, bool, bool)>> = BTreeMap::new();
    for part in 0..PARTS {
        let learned = |positive: bool| -> Vec<&str> {
            let of = |page: &&Page| parts[&*page.domain] != part && page.positive == positive;
            pages.iter().filter(of).map(|page| &*page.text).collect()
        };
        let (positive, negative) = (learned(true), learned(false));
        let vector = |negative: &[&str], idf: Option<&Idf>| {
            Topic::learn_vector("ebola", &positive, negative, idf, VectorOptions::default())
                .unwrap()
        };
        let both = positive.iter().chain(&negative).copied();
        let published = Idf::count(Tokens::Published, negative.iter().copied());
        let linear =
            Topic::learn_linear("ebola", &positive, &negative, LinearOptions::default()).unwrap();
        let topics = [
            ("1 linear", linear),
            ("2 vector", vector(&negative, None)),
            ("4 vector, published words", vector(&[], Some(&published))),
            ("5 vector, idf of all samples", vector(&[], Some(&Idf::count(Tokens::Unicode, both)))),
            ("6 vector, flat idf", vector(&[], None)),
            ("7 keywords", Topic::parse("ebola", KEYWORDS).unwrap()),
        ];
        for page in pages.iter().filter(|page| parts[&*page.domain] == part) {
            let words = Words::of(&page.text);
            for (name, topic) in &topics {
                let score = topic.judge_words(&words);
                measured.entry(name).or_default().push((
                    score.score,
                    score.relevant,
                    page.positive,
                ));
                if let ("2 vector", Some(cosine)) = (*name, score.cosine) {
                    let relevant = cosine > 0.1;
                    measured.entry("3 true cosine > 0.1").or_default().push((
                        cosine,
                        relevant,
                        page.positive,
                    ));
                }
            }
        }
    }
    println!(
        "topic                          accuracy precision recall    F1   best F1 (at)   AUC   Brier"
    );
    let mut f1s = HashMap::new();
    for (name, judged) in &measured {
        let f1 = row(name, judged);
        f1s.insert(*name, f1);
    }
    speed(&pages);
    assert!(f1s["1 linear"] > 0.9, "the classifier is worse than it was");
    assert!(f1s["2 vector"] > 0.9, "the topic vector is worse than it was");
}

/// Prints how fast words are found and pages judged, everything learned from everything.
fn speed(pages: &[Page]) {
    let texts = |positive| -> Vec<&str> {
        pages.iter().filter(|page| page.positive == positive).map(|page| &*page.text).collect()
    };
    let (positive, negative) = (texts(true), texts(false));
    let megabytes = pages.iter().map(|page| page.text.len()).sum::<usize>() as f64 / 1e6;
    let time = |name: &str, work: &dyn Fn()| {
        let begun = Instant::now();
        work();
        let seconds = begun.elapsed().as_secs_f64();
        println!("{name}: {seconds:.3} s for {megabytes:.2} MB, {:.1} MB/s", megabytes / seconds);
    };
    for tokens in [Tokens::Published, Tokens::Unicode] {
        time(&format!("{} words", tokens.name()), &|| {
            pages.iter().for_each(|page| _ = tokens.bag(&page.text));
        });
    }
    let learn_linear = || Topic::learn_linear("x", &positive, &negative, LinearOptions::default());
    let learn_vector =
        || Topic::learn_vector("x", &positive, &negative, None, VectorOptions::default());
    time("learning a vector", &|| _ = learn_vector());
    time("learning a classifier", &|| _ = learn_linear());
    for topic in [learn_vector().unwrap(), learn_linear().unwrap()] {
        let strongest: String = match &topic.kind {
            Kind::Vector(vector) => {
                vector.terms()[..6].iter().map(|t| format!(" {} {:.3}", t.word, t.weight)).collect()
            }
            Kind::Linear(linear) => {
                linear.weights()[..12].iter().map(|(word, w)| format!(" [{word}] {w:.2}")).collect()
            }
            Kind::Keywords(_) => String::new(),
        };
        let text = topic.to_text();
        println!("{:?}, {} bytes;{strongest}", text.lines().nth(3), text.len());
        time(&format!("words and judgement by {}", topic.kind_name()), &|| {
            pages.iter().for_each(|page| _ = topic.judge(&page.text));
        });
    }
}

/// Prints a row of the table and gives F1.
fn row(name: &str, judged: &[(f64, bool, bool)]) -> f64 {
    let f1_of = |relevant: &dyn Fn(&(f64, bool, bool)) -> bool| {
        let hits = judged.iter().filter(|page| relevant(page) && page.2).count() as f64;
        let found = judged.iter().filter(|page| relevant(page)).count() as f64;
        let wanted = judged.iter().filter(|page| page.2).count() as f64;
        (hits / found.max(1.0), hits / wanted, 2.0 * hits / (found + wanted))
    };
    let (precision, recall, f1) = f1_of(&|page| page.1);
    let accuracy =
        judged.iter().filter(|page| page.1 == page.2).count() as f64 / judged.len() as f64;
    let mut best = (0.0, 0.0);
    for (at, ..) in judged {
        let (_, _, f1) = f1_of(&|page| page.0 >= *at);
        if f1 > best.0 {
            best = (f1, *at);
        }
    }
    let (mut won, mut pairs) = (0.0, 0.0);
    for yes in judged.iter().filter(|page| page.2) {
        for no in judged.iter().filter(|page| !page.2) {
            won += if yes.0 > no.0 { 1.0 } else { 0.5 * f64::from(u8::from(yes.0 == no.0)) };
            pairs += 1.0;
        }
    }
    let squares = judged.iter().map(|page| (page.0 - f64::from(u8::from(page.2))).powi(2));
    let brier = squares.sum::<f64>() / judged.len() as f64;
    println!(
        "{:30} {accuracy:8.3} {precision:9.3} {recall:6.3} {f1:5.3} {:8.3} ({:.3}) {:5.3}  {brier:.3}",
        &name[2..],
        best.0,
        best.1,
        won / pairs
    );
    f1
}

/// Domains with examples and domains without are dealt out in turn, in order of name.
fn parts(pages: &[Page]) -> HashMap<&str, usize> {
    let mut domains: BTreeMap<&str, bool> = BTreeMap::new();
    for page in pages {
        *domains.entry(&page.domain).or_default() |= page.positive;
    }
    let mut dealt = [0; 2];
    let deal = |(domain, positive): (_, bool)| {
        dealt[usize::from(positive)] += 1;
        (domain, dealt[usize::from(positive)] % PARTS)
    };
    domains.into_iter().map(deal).collect()
}

fn pages() -> Option<Vec<Page>> {
    let page = |document: Document| {
        let url = url::Url::parse(document.text("url")).unwrap();
        let host = url.host_str().unwrap_or("").to_owned();
        let domain = psl::domain_str(&host).unwrap_or(&host).to_owned();
        let text = visible(&String::from_utf8_lossy(&document.bytes));
        Page { text, domain, positive: document.text("label") == "positive" }
    };
    Some(documents("topics/ache-ebola.tar.zst")?.into_iter().map(page).collect())
}

/// A crude stand-in for the real extractor: tags, scripts, styles and comments become spaces.
fn visible(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let (mut text, mut at) = (String::new(), 0);
    while let Some(open) = lower[at..].find('<').map(|open| at + open) {
        text.push_str(&html[at..open]);
        text.push(' ');
        let end = ["<script", "<style", "<noscript", "<!--"]
            .iter()
            .zip(["</script", "</style", "</noscript", "-->"])
            .find(|(start, _)| lower[open..].starts_with(**start))
            .map_or(Some(open), |(_, end)| lower[open..].find(end).map(|end| open + end));
        let close = end.and_then(|end| lower[end..].find('>').map(|close| end + close + 1));
        at = close.unwrap_or(html.len());
    }
    text.push_str(&html[at..]);
    text.replace("&nbsp;", " ").replace("&amp;", "&").replace("&#39;", "'").replace("&quot;", "\"")
}
