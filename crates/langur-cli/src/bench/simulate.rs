//! `langur bench simulate`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use langur_lab::{Ratio, Ratios, Simulation, Switches, Target, ratios};
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
        let Ratios { bare_seconds, rows } =
            ratios(&space, &simulation, &strategies, self.rounds, |spec| eprintln!("{spec}"))?;
        let counts = space.manifest().counts;
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
    rows: Vec<Ratio>,
}

struct SynthMeasured {
    bytes: u64,
    seconds: f64,
    write_seconds: f64,
    ratio: f64,
}

impl Measured {
    fn json(&self) -> serde_json::Value {
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| json!({ "strategy": row.strategy.to_string(), "oracle": row.strategy.is_oracle(), "seconds": row.seconds, "ratio": row.ratio }))
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
                let name =
                    format!("{}{}", row.strategy, if row.strategy.is_oracle() { " *" } else { "" });
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
