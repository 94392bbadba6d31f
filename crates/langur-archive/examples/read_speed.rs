//! How fast records are read, compared with merely decompressing the same file.
//!
//!     cargo run --release -p langur-archive --example read_speed -- FILE.warc.gz
//!
//! Both take turns on one core, and the best round of each counts.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::bufread::MultiGzDecoder;
use langur_archive::Records;

const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a .warc.gz file")?;
    let path = Path::new(&path);
    let (mut bare, mut records) = (Duration::MAX, Duration::MAX);
    let (mut bytes, mut counts) = (0, (0, 0));
    for _ in 0..ROUNDS {
        let start = Instant::now();
        bytes = gunzip(path)?;
        bare = bare.min(start.elapsed());
        let start = Instant::now();
        counts = read_records(path)?;
        records = records.min(start.elapsed());
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{bytes} bytes decompressed; {} records with {} bytes in their blocks",
        counts.0, counts.1
    );
    println!("bare gunzip   {bare:>10.1?}  {:>5.0} MB/s", rate(bare));
    println!("all records   {records:>10.1?}  {:>5.0} MB/s", rate(records));
    println!("speed as a share of bare gunzip: {:.2}", bare.as_secs_f64() / records.as_secs_f64());
    Ok(())
}

fn gunzip(path: &Path) -> Result<u64, Box<dyn Error>> {
    let mut decoder = MultiGzDecoder::new(BufReader::with_capacity(128 << 10, File::open(path)?));
    let mut buffer = vec![0; 128 << 10];
    let mut bytes = 0;
    loop {
        match decoder.read(&mut buffer)? {
            0 => return Ok(bytes),
            read => bytes += read as u64,
        }
    }
}

fn read_records(path: &Path) -> Result<(u64, u64), Box<dyn Error>> {
    let mut records = Records::open(path)?;
    let (mut count, mut bytes) = (0, 0);
    let mut block = Vec::new();
    while let Some(mut record) = records.next()? {
        record.read_block(&mut block, usize::MAX)?;
        count += 1;
        bytes += block.len() as u64;
    }
    Ok((count, bytes))
}
