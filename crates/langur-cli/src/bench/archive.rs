//! `langur bench archive`

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use flate2::bufread::MultiGzDecoder;
use langur_archive::{Kind, Records};
use langur_build::{Build, build, rows_of};
use langur_extract::{Extractor, Wants};
use langur_sort::Sorter;
use serde_json::json;

use crate::space::archives;
use crate::table::{Align, count, table};

/// Measures what reading archives costs, against merely decompressing the same files in the same run.
///
/// Each thing is done several times in turn, and the fastest time counts, since others are disturbed. Only files
/// in gzip can be compared. The targets: records at least 0.9 of the decompressor's speed, a web space at
/// least 0.5.
#[derive(Args)]
pub struct BenchArchive {
    /// Archive files in gzip, or folders with such files
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// How often everything is measured
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is measured, on how many cores, and its fastest time so far.
struct Measurement {
    what: &'static str,
    cores: usize,
    seconds: f64,
}

impl BenchArchive {
    pub fn run(self) -> Result<()> {
        let mut files = archives(&self.files)?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "gz"));
        let cores = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
        let scratch = tempfile::tempdir().context("there is no room for a scratch folder")?;
        let extractor = Extractor::new(Vec::new(), Wants::ALL)?;
        let mut measured = [
            ("decompressing", 1),
            ("reading records", 1),
            ("taking pages apart", 1),
            ("decompressing", cores),
            ("building a web space", cores),
        ]
        .map(|(what, cores)| Measurement { what, cores, seconds: f64::MAX });
        let (mut bytes, mut records, mut pages) = (0, 0, 0);
        for _ in 0..self.rounds.max(1) {
            bytes = measured[0].time(|| decompress(&files, 1))?;
            records = measured[1].time(|| read_records(&files))?;
            pages = measured[2].time(|| take_apart(&files, &extractor, scratch.path()))?;
            measured[3].time(|| decompress(&files, cores))?;
            measured[4].time(|| build_space(&files, scratch.path(), cores))?;
        }
        self.print(&measured, bytes, records, pages);
        Ok(())
    }

    fn print(&self, measured: &[Measurement; 5], bytes: u64, records: u64, pages: u64) {
        // The decompressor's time on as many cores stands before what is compared with it.
        let bare =
            |cores: usize| if cores == 1 { measured[0].seconds } else { measured[3].seconds };
        let ratio = |it: &Measurement| bare(it.cores) / it.seconds;
        if self.json {
            let results: Vec<_> = measured
                .iter()
                .map(|it| json!({ "what": it.what, "cores": it.cores, "seconds": it.seconds, "mb_per_second": bytes as f64 / it.seconds / 1e6, "pages_per_second": pages as f64 / it.seconds, "of_decompressing": ratio(it) }))
                .collect();
            println!(
                "{}",
                json!({ "bytes": bytes, "records": records, "pages": pages, "results": results })
            );
            return;
        }
        println!(
            "{} records, {} pages of HTML, {:.1} MB decompressed\n",
            count(records),
            count(pages),
            bytes as f64 / 1e6
        );
        let head = [
            ("", Align::Left),
            ("cores", Align::Right),
            ("MB/s", Align::Right),
            ("pages/s", Align::Right),
            ("of decompressing", Align::Right),
        ];
        let rows: Vec<Vec<String>> = measured
            .iter()
            .map(|it| {
                vec![
                    it.what.to_owned(),
                    it.cores.to_string(),
                    format!("{:.0}", bytes as f64 / it.seconds / 1e6),
                    count((pages as f64 / it.seconds) as u64),
                    format!("{:.2}", ratio(it)),
                ]
            })
            .collect();
        print!("{}", table(&head, &rows));
    }
}

impl Measurement {
    fn time(&mut self, work: impl FnOnce() -> Result<u64>) -> Result<u64> {
        let began = Instant::now();
        let done = work()?;
        self.seconds = self.seconds.min(began.elapsed().as_secs_f64());
        Ok(done)
    }
}

/// Decompresses all files, so many at a time, and counts the bytes.
fn decompress(files: &[PathBuf], cores: usize) -> Result<u64> {
    let parts: Vec<Vec<&PathBuf>> =
        (0..cores).map(|core| files.iter().skip(core).step_by(cores).collect()).collect();
    std::thread::scope(|scope| {
        let workers: Vec<_> = parts
            .iter()
            .map(|part| {
                scope.spawn(move || part.iter().map(|file| bytes_of(file)).sum::<Result<u64>>())
            })
            .collect();
        let bytes = workers.into_iter().map(|worker| worker.join().expect("no worker panics"));
        bytes.sum::<Result<u64>>()
    })
}

fn bytes_of(file: &Path) -> Result<u64> {
    let mut source = MultiGzDecoder::new(BufReader::with_capacity(1 << 16, File::open(file)?));
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match source.read(&mut buffer).with_context(|| file.display().to_string())? {
            0 => return Ok(bytes),
            n => bytes += black_box(&buffer[..n]).len() as u64,
        }
    }
}

fn read_records(files: &[PathBuf]) -> Result<u64> {
    let (mut count, mut block) = (0, Vec::new());
    for file in files {
        let mut records = Records::open(file)?;
        while let Some(mut record) = records.next()? {
            if *record.head.kind() != Kind::Warcinfo {
                record.read_block(&mut block, usize::MAX)?;
            }
            black_box(&block);
            count += 1;
        }
    }
    Ok(count)
}

fn take_apart(files: &[PathBuf], extractor: &Extractor, scratch: &Path) -> Result<u64> {
    let mut extractor = extractor.clone();
    let mut pages = 0;
    for file in files {
        let mut rows = Sorter::new(scratch, "bench", 256 << 20);
        pages += rows_of(file, &mut extractor, &mut rows, &mut |_| ())?.ok_html;
    }
    Ok(pages)
}

fn build_space(files: &[PathBuf], scratch: &Path, threads: usize) -> Result<u64> {
    let what = Build {
        files: files.to_vec(),
        topics: Vec::new(),
        seeds: Vec::new(),
        at: None,
        threads,
        memory: 512 << 20,
    };
    build(&what, &scratch.join("bench.space"), true, &|_| ())?;
    Ok(0)
}
