//! How long a lookup takes in a warm local index: `index_speed [LINES] [FOLDER]`.
//!
//! Makes an index of 10 million captures through [`IndexWriter`] (about 2.4 GB; a later run uses it
//! again), reads it once so that it is warm, and looks up URLs all over it.

use std::error::Error;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use langur_archive::index::{Capture, Index, IndexWriter, Timestamp, WriteOptions};
use langur_store::{Store, StoreOptions};

const LOOKUPS: usize = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let lines: u64 = arguments.next().map_or(Ok(10_000_000), |lines| lines.parse())?;
    let folder = arguments.next().unwrap_or_else(|| "/tmp/langur-index-speed".to_owned());
    std::fs::create_dir_all(&folder)?;
    let name = format!("{lines}.cdxj");
    let place = Path::new(&folder).join(&name);
    if !place.exists() {
        let begun = Instant::now();
        make(&place, lines)?;
        println!("made {lines} lines in {:.1} s", begun.elapsed().as_secs_f64());
    }
    io::copy(&mut File::open(&place)?, &mut io::sink())?;

    let store = Store::open(&folder, StoreOptions::default())?;
    let begun = Instant::now();
    let index = Index::open(&store, &[name])?;
    println!("opened {} bytes in {:.2?}", place.metadata()?.len(), begun.elapsed());
    let mut times = Vec::with_capacity(LOOKUPS);
    for lookup in 0..LOOKUPS as u64 {
        let number = scattered(lookup + lines) % lines;
        let url = url(number);
        let begun = Instant::now();
        let found = index.captures(&url)?;
        times.push(begun.elapsed());
        assert!(found.iter().any(|capture| capture.offset == Some(number)), "{url} is lost");
    }
    times.sort();
    let total: Duration = times.iter().sum();
    println!(
        "a lookup takes {:.2?} on average, {:.2?} at the median, {:.2?} at 99 in 100, {:.2?} at most",
        total / LOOKUPS as u32,
        times[LOOKUPS / 2],
        times[LOOKUPS * 99 / 100],
        times[LOOKUPS - 1],
    );
    Ok(())
}

fn make(place: &Path, lines: u64) -> Result<(), Box<dyn Error>> {
    let writer = IndexWriter::create(place, WriteOptions::default())?;
    for number in 0..lines {
        let timestamp =
            Timestamp::from_unix(1_400_000_000 + (scattered(number) % 300_000_000) as i64);
        writer.add(&Capture {
            mime: Some("text/html".to_owned()),
            status: Some(200),
            digest: Some(format!("{:016X}{:016X}", scattered(number), scattered(!number))),
            filename: Some(format!("crawl-{:05}.warc.gz", number / 40_000)),
            offset: Some(number),
            length: Some(5000 + number % 9000),
            ..Capture::new(&url(number), timestamp)
        })?;
    }
    writer.finish()?;
    Ok(())
}

/// Two captures of most URLs, hosts of all sizes.
fn url(number: u64) -> String {
    let page = number / 2;
    let host = scattered(page % (1 + page / 100)) % 1_000_000;
    format!("http://www.site{host}.example/section{}/page-{page}.html", page % 50)
}

/// A number that seems to have nothing to do with this one.
fn scattered(number: u64) -> u64 {
    let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ (mixed >> 32)
}
