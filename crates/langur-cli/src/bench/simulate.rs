//! `langur bench simulate`

use std::collections::VecDeque;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use langur_lab::{Simulation, Switches, Target};
use langur_sim::Space;
use langur_strategy::Spec;
use serde_json::json;

use crate::simulate::all_strategies;
use crate::table::{Align, bytes, count, table};

/// Simulation against a bare traversal of the same graph
///
/// A synthetic web is made, and every strategy timed against a breadth-first traversal of the same
/// memory-mapped links that is written by hand as plainly as possible. Making the web is timed
/// against writing its bytes twice. Everything is measured in this one run, in turns.
#[derive(Args)]
pub struct Simulate {
    /// How many pages the web has
    #[arg(long, default_value_t = 1_000_000)]
    pages: usize,
    /// From which statistics it is made
    #[arg(long, default_value = "thai-2004")]
    preset: String,
    /// What is wanted, if not the preset's own language
    #[arg(long)]
    target: Option<Target>,
    /// A strategy; may be given several times. All, if none is given
    #[arg(long, value_parser = Spec::parse)]
    strategy: Vec<Spec>,
    /// How often everything is measured; the median counts
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// A web space to use instead of making one
    #[arg(long, conflicts_with_all = ["pages", "preset"], requires = "target")]
    space: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Simulate {
    pub fn run(self) -> Result<()> {
        let scratch = std::env::temp_dir().join(format!("langur-bench-{}", std::process::id()));
        let result = self.measure(&scratch);
        let _ = fs::remove_dir_all(&scratch);
        let result = result?;
        if self.json {
            println!("{}", result.json());
        } else {
            result.print();
        }
        Ok(())
    }

    fn measure(&self, scratch: &Path) -> Result<Measured> {
        let mut synth = None;
        let space = match &self.space {
            Some(path) => Space::open(path)?,
            None => {
                fs::create_dir_all(scratch)?;
                let place = scratch.join("bench.space");
                synth = Some(self.measure_synth(&place)?);
                Space::open(&place)?
            }
        };
        let target = match &self.target {
            Some(target) => target.clone(),
            None => {
                format!("lang:{}", langur_sim::synth::Preset::load(&self.preset)?.target).parse()?
            }
        };
        let strategies =
            if self.strategy.is_empty() { all_strategies() } else { self.strategy.clone() };
        let simulation = Simulation::new(&space, target, None, Switches::default(), None)?;
        let mut bare = Vec::new();
        let mut times = vec![Vec::new(); strategies.len()];
        for _ in 0..self.rounds.max(1) {
            bare.push(time(|| Ok(black_box(bare_traversal(&space))))?);
            for (spec, times) in strategies.iter().zip(&mut times) {
                eprintln!("{spec}");
                times.push(time(|| Ok(black_box(simulation.run(spec, None, &|_| ())?)))?);
            }
        }
        let bare_seconds = median(bare);
        let rows = strategies.iter().zip(times).map(|(spec, times)| {
            let seconds = median(times);
            Row {
                strategy: spec.to_string(),
                oracle: spec.is_oracle(),
                seconds,
                ratio: seconds / bare_seconds,
            }
        });
        let counts = space.manifest().counts;
        let rows = rows.collect();
        Ok(Measured {
            pages: counts.pages,
            links: counts.links,
            bare_seconds,
            resident: peak_resident(),
            synth,
            rows,
        })
    }

    /// In a process of its own, so that its memory is not counted with the simulation's.
    fn measure_synth(&self, place: &Path) -> Result<SynthMeasured> {
        let began = Instant::now();
        let mut command = Command::new(std::env::current_exe()?);
        command.args([
            "space",
            "synth",
            "--json",
            "--preset",
            &self.preset,
            "--pages",
            &self.pages.to_string(),
            "-o",
        ]);
        let output = command.arg(place).stderr(std::process::Stdio::inherit()).output()?;
        ensure!(output.status.success(), "langur space synth failed");
        let seconds = began.elapsed().as_secs_f64();
        let (written, write_seconds) = write_twice(place)?;
        Ok(SynthMeasured { bytes: written, seconds, write_seconds, ratio: seconds / write_seconds })
    }
}

/// The plainest loop that does the same: no priorities, no measurements, no judgement.
fn bare_traversal(space: &Space) -> usize {
    let (offsets, targets) = (space.link_offsets.as_slice(), space.link_targets.as_slice());
    let mut seen = vec![false; space.pages()];
    let mut queue = VecDeque::new();
    for &seed in &space.manifest().seeds {
        seen[seed as usize] = true;
        queue.push_back(seed);
    }
    let mut visited = 0;
    while let Some(page) = queue.pop_front() {
        visited += 1;
        for &target in
            &targets[offsets[page as usize] as usize..offsets[page as usize + 1] as usize]
        {
            if (target as usize) < seen.len() && !seen[target as usize] {
                seen[target as usize] = true;
                queue.push_back(target);
            }
        }
    }
    visited
}

/// Writes as many bytes as a web space has to new files, twice, and removes them.
fn write_twice(space: &Path) -> Result<(u64, f64)> {
    let size =
        fs::read_dir(space)?.map(|entry| Ok(entry?.metadata()?.len())).sum::<Result<u64>>()?;
    let buffer = vec![0x5a_u8; 1 << 20];
    let began = Instant::now();
    for copy in 0..2 {
        let path = space.with_extension(format!("copy-{copy}"));
        let mut file =
            fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut left = size as usize;
        while left > 0 {
            let part = left.min(buffer.len());
            file.write_all(&buffer[..part])?;
            left -= part;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    (0..2).try_for_each(|copy| fs::remove_file(space.with_extension(format!("copy-{copy}"))))?;
    Ok((size, seconds))
}

fn time<T>(work: impl FnOnce() -> Result<T>) -> Result<f64> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The most memory this process ever had in use, where the system tells (Linux).
fn peak_resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

struct Measured {
    pages: u64,
    links: u64,
    bare_seconds: f64,
    resident: Option<u64>,
    synth: Option<SynthMeasured>,
    rows: Vec<Row>,
}

struct SynthMeasured {
    bytes: u64,
    seconds: f64,
    write_seconds: f64,
    ratio: f64,
}

struct Row {
    strategy: String,
    oracle: bool,
    seconds: f64,
    ratio: f64,
}

impl Measured {
    fn json(&self) -> serde_json::Value {
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| json!({ "strategy": row.strategy, "oracle": row.oracle, "seconds": row.seconds, "ratio": row.ratio }))
            .collect();
        let synth = self.synth.as_ref().map(|synth| {
            json!({ "bytes": synth.bytes, "seconds": synth.seconds, "write_twice_seconds": synth.write_seconds, "ratio": synth.ratio })
        });
        json!({
            "pages": self.pages,
            "links": self.links,
            "bare_seconds": self.bare_seconds,
            "resident_bytes": self.resident,
            "synth": synth,
            "results": rows,
        })
    }

    fn print(&self) {
        println!("{} pages, {} links", count(self.pages), count(self.links));
        if let Some(synth) = &self.synth {
            println!(
                "made in {:.1} s; writing its {} twice takes {:.1} s: {:.2} ×",
                synth.seconds,
                bytes(synth.bytes),
                synth.write_seconds,
                synth.ratio
            );
        }
        println!("bare breadth-first traversal: {:.3} s\n", self.bare_seconds);
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| {
                let name = format!("{}{}", row.strategy, if row.oracle { " *" } else { "" });
                vec![name, format!("{:.3} s", row.seconds), format!("{:.2} ×", row.ratio)]
            })
            .collect();
        print!(
            "{}",
            table(
                &[("strategy", Align::Left), ("time", Align::Right), ("bare", Align::Right)],
                &rows
            )
        );
        if let Some(resident) = self.resident {
            println!("\nlargest resident memory: {}", bytes(resident));
        }
    }
}
