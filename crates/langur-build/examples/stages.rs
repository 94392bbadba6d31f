//! Where the time of a build goes: `cargo run --release -p langur-build --example stages FILE`.
use langur_archive::{Capture, Kind, Records};
use langur_extract::{Answer, Extractor, Wants};
use langur_page::{Address, decide, html::Document};
use langur_reader::{Reader, Rule, profiles};
use std::time::{Duration, Instant};

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let mut records = Records::open(path.as_ref()).expect("an archive");
    let reader = Reader::new(Rule::Langur, Vec::new());
    let textcat = Rule::MetaTextcat(Box::new(profiles().unwrap()));
    let mut plain =
        Extractor::new(Vec::new(), Wants { all_labels: false, anchor_languages: false }).unwrap();
    let mut anchors =
        Extractor::new(Vec::new(), Wants { all_labels: false, anchor_languages: true }).unwrap();
    let mut times = [Duration::ZERO; 9];
    let mut block = Vec::new();
    let (mut bytes, mut text, mut pages) = (0, 0, 0);
    let mut clock = Instant::now();
    let mut lap = |i: usize, times: &mut [Duration; 9]| {
        let now = Instant::now();
        times[i] += now - clock;
        clock = now;
    };
    while let Some(mut record) = records.next().unwrap() {
        if *record.head.kind() != Kind::Response {
            continue;
        }
        record.read_block(&mut block, 32 << 20).unwrap();
        lap(0, &mut times);
        let Some(capture) = Capture::of(record.head, &block) else { continue };
        let Ok(address) = Address::parse(capture.url) else { continue };
        let payload = capture.payload(16 << 20);
        lap(1, &mut times);
        let content_type = capture.content_type.as_deref();
        bytes += payload.bytes.len();
        pages += 1;
        let decoding = decide(&payload.bytes, content_type);
        lap(2, &mut times);
        let decoded = decoding.decode(&payload.bytes);
        lap(3, &mut times);
        let document = Document::of(&decoded);
        text += document.text().len();
        lap(4, &mut times);
        let _ = reader.read(&payload.bytes, content_type, Some(&address));
        lap(5, &mut times);
        let _ = textcat.language(&document);
        lap(6, &mut times);
        let answer = Answer {
            address: &address,
            status: 200,
            content_type,
            location: None,
            payload: &payload.bytes,
        };
        let _ = plain.extract(&answer);
        lap(7, &mut times);
        let _ = anchors.extract(&answer);
        lap(8, &mut times);
    }
    println!("{pages} pages, {bytes} bytes, {text} of text");
    for (name, time) in [
        "read",
        "payload",
        "decide",
        "decode",
        "document",
        "reader (decide+decode+document+judge)",
        "textcat",
        "extract",
        "extract with anchors",
    ]
    .iter()
    .zip(times)
    {
        println!(
            "{name:40} {:8.3} s  {:.0} us/page",
            time.as_secs_f64(),
            time.as_secs_f64() * 1e6 / pages as f64
        );
    }
}
