//! `langur bench archive`

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use flate2::bufread::MultiGzDecoder;
use langur_archive::{Kind, Records};
use langur_build::{Build, build, rows_of};
use langur_extract::{Extractor, Wants};
use langur_sim::parallel::in_order;
use langur_sort::Sorter;
use serde_json::json;

use crate::space::archives;
use crate::table::{Align, count, table};

/// Measures what reading archives costs, against merely decompressing the same files in the same run.
///
/// Each thing is done several times in turn, and the fastest time counts, since others are disturbed. Files are
/// decompressed by the library that Langur reads them with and, if it is installed, by the program gunzip, one core a
/// file. Only files in gzip can be compared. Languages are told once by the default judge alone, and once by the founding
/// papers' rules as well. The targets: records at least 0.9 of the decompressor's speed, a web space at least 0.5.
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

/// Merely decompressing: what all else is compared with.
struct Bare {
    library: Measurement,
    program: Measurement,
}

impl Bare {
    fn new(cores: usize) -> Bare {
        Bare {
            library: Measurement::new("decompressing", cores),
            program: Measurement::new("gunzip, the program", cores),
        }
    }
}

/// All that is measured.
struct Measured {
    /// One file after the other.
    bare: Bare,
    records: Measurement,
    one_judge: Measurement,
    all_rules: Measurement,
    /// As many files at a time as there are cores.
    bare_together: Bare,
    space_one_judge: Measurement,
    space_all_rules: Measurement,
}

impl Measured {
    /// Every measurement with what it is compared with.
    fn rows(&self) -> impl Iterator<Item = (&Measurement, &Bare)> {
        let Bare { library, program } = &self.bare;
        let alone = [library, program, &self.records, &self.one_judge, &self.all_rules];
        let Bare { library, program } = &self.bare_together;
        let together = [library, program, &self.space_one_judge, &self.space_all_rules];
        let alone = alone.into_iter().map(|it| (it, &self.bare));
        let together = together.into_iter().map(|it| (it, &self.bare_together));
        alone.chain(together).filter(|(it, _)| it.seconds.is_finite())
    }
}

impl BenchArchive {
    pub fn run(self) -> Result<()> {
        let mut files = archives(&self.files)?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "gz"));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let at_a_time = cores.min(files.len());
        let scratch = tempfile::tempdir().context("there is no room for a scratch folder")?;
        let extractor = Extractor::new(Vec::new(), Wants::ALL)?;
        let judge = extractor.clone().wanting(Wants { all_labels: false, ..Wants::ALL });
        let mut measured = Measured {
            bare: Bare::new(1),
            records: Measurement::new("reading records", 1),
            one_judge: Measurement::new("taking pages apart, one judge", 1),
            all_rules: Measurement::new("taking pages apart, all rules", 1),
            bare_together: Bare::new(at_a_time),
            space_one_judge: Measurement::new("building a web space, one judge", cores),
            space_all_rules: Measurement::new("building a web space, all rules", cores),
        };
        let program = Command::new("gunzip").arg("--version").output().is_ok();
        let (mut bytes, mut records, mut pages) = (0, 0, 0);
        for _ in 0..self.rounds.max(1) {
            bytes = measured.bare.library.time(|| each(&files, 1, decompress))?;
            records = measured.records.time(|| read_records(&files))?;
            pages = measured.one_judge.time(|| take_apart(&files, &judge, scratch.path()))?;
            measured.all_rules.time(|| take_apart(&files, &extractor, scratch.path()))?;
            measured.bare_together.library.time(|| each(&files, at_a_time, decompress))?;
            let space = |papers| build_space(&files, scratch.path(), cores, papers);
            measured.space_one_judge.time(|| space(false))?;
            measured.space_all_rules.time(|| space(true))?;
            if program {
                measured.bare.program.time(|| each(&files, 1, gunzip))?;
                measured.bare_together.program.time(|| each(&files, at_a_time, gunzip))?;
            }
        }
        self.print(&measured, bytes, records, pages);
        Ok(())
    }

    fn print(&self, measured: &Measured, bytes: u64, records: u64, pages: u64) {
        let rows = measured.rows().map(|(it, bare)| {
            let of = |bare: &Measurement| bare.seconds / it.seconds;
            (it, of(&bare.library), of(&bare.program))
        });
        let per_second = |count: u64, it: &Measurement| count as f64 / it.seconds;
        if self.json {
            let results: Vec<_> = rows
                .map(|(it, library, program)| json!({ "what": it.what, "cores": it.cores, "seconds": it.seconds, "mb_per_second": per_second(bytes, it) / 1e6, "pages_per_second": per_second(pages, it), "of_decompressing": library, "of_gunzip": program.is_finite().then_some(program) }))
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
            ("of gunzip", Align::Right),
        ];
        let ratio = |ratio: f64| match ratio.is_finite() {
            true => format!("{ratio:.2}"),
            false => "–".to_owned(),
        };
        let row = |(it, library, program): (&Measurement, f64, f64)| {
            vec![
                it.what.to_owned(),
                it.cores.to_string(),
                format!("{:.0}", per_second(bytes, it) / 1e6),
                count(per_second(pages, it) as u64),
                ratio(library),
                ratio(program),
            ]
        };
        print!("{}", table(&head, &rows.map(row).collect::<Vec<_>>()));
    }
}

impl Measurement {
    fn new(what: &'static str, cores: usize) -> Measurement {
        Measurement { what, cores, seconds: f64::INFINITY }
    }

    fn time(&mut self, work: impl FnOnce() -> Result<u64>) -> Result<u64> {
        let began = Instant::now();
        let done = work()?;
        self.seconds = self.seconds.min(began.elapsed().as_secs_f64());
        Ok(done)
    }
}

/// Reads all files, so many at a time, and adds up what comes of them.
fn each(
    files: &[PathBuf],
    at_a_time: usize,
    read: impl Fn(&Path) -> Result<u64> + Sync,
) -> Result<u64> {
    let mut sum = 0;
    in_order(
        at_a_time,
        files.iter(),
        || (),
        |(), file| read(file),
        |read| {
            sum += read?;
            Ok(())
        },
    )
    .map(|()| sum)
}

/// Decompresses a file and counts the bytes.
fn decompress(file: &Path) -> Result<u64> {
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

fn gunzip(file: &Path) -> Result<u64> {
    let status = Command::new("gunzip").arg("-c").arg(file).stdout(Stdio::null()).status()?;
    ensure!(status.success(), "gunzip could not decompress {}", file.display());
    Ok(0)
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
    let mut pages = 0;
    for file in files {
        let mut rows = Sorter::new(scratch, "bench", 256 << 20);
        pages += rows_of(file, extractor, 1, &mut rows, &mut |_| ())?.ok_html;
    }
    Ok(pages)
}

fn build_space(files: &[PathBuf], scratch: &Path, threads: usize, papers: bool) -> Result<u64> {
    let what = Build {
        papers,
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
