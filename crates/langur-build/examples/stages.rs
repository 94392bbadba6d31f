//! Where the time of reading pages goes, step by step:
//!
//! ```text
//! cargo run --release -p langur-build --example stages FILE
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use langur_archive::{Capture, Kind, Records};
use langur_extract::{Answer, Extractor, Wants};
use langur_page::html::Document;
use langur_page::{Address, decide};
use langur_reader::{Reader, Rule, Said, profiles};

const STEPS: [&str; 8] = [
    "reading the record",
    "its payload",
    "charset",
    "markup: links and text",
    "charset, markup and language",
    "TextCat",
    "all of an extract but TextCat and anchors",
    "the same with anchors",
];
const LONGEST: usize = 16 << 20;

/// Adds up what each step takes.
struct Laps {
    times: [Duration; STEPS.len()],
    last: Instant,
}

impl Laps {
    fn end(&mut self, step: usize) {
        let now = Instant::now();
        self.times[step] += now - self.last;
        self.last = now;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name an archive file")?;
    let mut records = Records::open(path.as_ref())?;
    let reader = Reader::new(Rule::Langur, Vec::new());
    let textcat = Rule::MetaTextcat(Box::new(profiles()?));
    let wants = Wants { all_labels: false, anchor_languages: false, evidence: false };
    let mut plain = Extractor::new(Vec::new(), wants)?;
    let mut anchors = plain.clone().wanting(Wants { anchor_languages: true, ..wants });
    let mut laps = Laps { times: Default::default(), last: Instant::now() };
    let (mut pages, mut block) = (0, Vec::new());
    while let Some(mut record) = records.next()? {
        if *record.head.kind() != Kind::Response {
            continue;
        }
        record.read_block(&mut block, LONGEST)?;
        laps.end(0);
        let Some(capture) = Capture::of(record.head, &block) else { continue };
        let Ok(address) = Address::parse(capture.url) else { continue };
        let payload = capture.payload(LONGEST);
        laps.end(1);
        let content_type = capture.content_type.as_deref();
        let decoding = decide(&payload.bytes, content_type);
        laps.end(2);
        let document = Document::of(&decoding.decode(&payload.bytes));
        laps.end(3);
        reader.read(&payload.bytes, Said { content_type, ..Said::default() }, Some(&address));
        laps.end(4);
        textcat.language(&document, decoding.charset);
        laps.end(5);
        let answer = Answer {
            address: &address,
            status: 200,
            content_type,
            content_language: None,
            location: None,
            link: None,
            refresh: None,
            payload: &payload.bytes,
        };
        plain.extract(&answer);
        laps.end(6);
        anchors.extract(&answer);
        laps.end(7);
        pages += 1;
    }
    println!("{pages} pages; microseconds a page:");
    for (step, time) in STEPS.iter().zip(laps.times) {
        println!("{:8.1}  {step}", time.as_secs_f64() * 1e6 / f64::from(pages.max(1)));
    }
    Ok(())
}
