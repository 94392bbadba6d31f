//! `langur bench simulate`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use langur_lab::{
    Catalogue, Clock, Contender, LabError, Ratio, Ratios, Simulation, Switches, Target,
    bare_traversal, ratios,
};
use langur_sim::Space;
use serde_json::json;

use crate::memory::peak_resident;
use crate::space::{analyze, open_space};
use crate::table::{Align, bytes, count, table};

/// Simulation against a bare traversal of the same graph, or the polite clock against the step clock
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
    #[arg(long)]
    strategy: Vec<String>,
    /// With the polite clock every strategy is timed against itself by the step clock
    #[arg(long, default_value_t)]
    clock: Clock,
    /// Time `space analyze` too, against the bare traversal
    #[arg(long)]
    analyze: bool,
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
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        let scratch = std::env::temp_dir().join(format!("langur-bench-{}", std::process::id()));
        let result = self.measure(catalogue, &scratch);
        let _ = fs::remove_dir_all(&scratch);
        let result = result?;
        if self.json {
            println!("{}", result.json());
        } else {
            result.print();
        }
        Ok(())
    }

    fn measure(&self, catalogue: &Catalogue, scratch: &Path) -> Result<Measured> {
        let mut synth = None;
        let space = match &self.space {
            Some(path) => open_space(path)?,
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
        let strategies: Vec<Contender> = if self.strategy.is_empty() {
            catalogue.all()
        } else {
            self.strategy.iter().map(|text| catalogue.parse(text)).collect::<Result<_, _>>()?
        };
        let Ratios { baseline_seconds, rows } = self.ratios(&space, &target, &strategies)?;
        let analysis = self.analyze.then(|| time_analysis(&space, &target)).transpose()?;
        let counts = space.manifest().counts;
        Ok(Measured {
            analysis,
            pages: counts.pages,
            links: counts.links,
            baseline: self.baseline_name(),
            baseline_seconds,
            resident: peak_resident(),
            synth,
            rows,
        })
    }

    fn ratios(
        &self,
        space: &Space,
        target: &Target,
        strategies: &[Contender],
    ) -> Result<Ratios, LabError> {
        let simulation = |switches| Simulation::new(space, target.clone(), None, switches, None);
        let steps = simulation(Switches::default())?;
        let say = |contender: &Contender| eprintln!("{contender}");
        if self.clock == Clock::default() {
            let bare = |_: &_| {
                std::hint::black_box(bare_traversal(space));
                Ok(())
            };
            return ratios(&steps, strategies, self.rounds, bare, say);
        }
        let timed = simulation(Switches { clock: self.clock.clone(), ..Switches::default() })?;
        let by_steps = |contender: &Contender| steps.run(contender, None, &|_| ()).map(|_| ());
        ratios(&timed, strategies, self.rounds, by_steps, say)
    }

    fn baseline_name(&self) -> &'static str {
        if self.clock == Clock::default() { "bare" } else { "step" }
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

/// Seconds of an analysis, and how many bare traversals that is.
fn time_analysis(space: &Space, target: &Target) -> Result<(f64, f64)> {
    let bare = || {
        let began = Instant::now();
        std::hint::black_box(bare_traversal(space));
        began.elapsed().as_secs_f64()
    };
    let before = bare();
    let began = Instant::now();
    std::hint::black_box(analyze::of(space, target, None)?);
    let taken = began.elapsed().as_secs_f64();
    Ok((taken, taken / ((before + bare()) / 2.0)))
}

struct Measured {
    /// Seconds of an analysis, and over a bare traversal.
    analysis: Option<(f64, f64)>,
    pages: u64,
    links: u64,
    /// What the ratios are over: a bare traversal, or the step clock.
    baseline: &'static str,
    baseline_seconds: f64,
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
            .map(|row| json!({ "strategy": row.strategy, "oracle": row.oracle, "seconds": row.seconds, "ratio": row.ratio }))
            .collect();
        let synth = self.synth.as_ref().map(|synth| {
            json!({ "bytes": synth.bytes, "seconds": synth.seconds, "write_twice_seconds": synth.write_seconds, "ratio": synth.ratio })
        });
        let baseline = format!("{}_seconds", self.baseline);
        json!({
            "pages": self.pages,
            "links": self.links,
            baseline: self.baseline_seconds,
            "resident_bytes": self.resident,
            "synth": synth,
            "analysis": self.analysis.map(|(seconds, ratio)| json!({ "seconds": seconds, "ratio": ratio })),
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
        let what = match self.baseline {
            "bare" => "bare breadth-first traversal",
            _ => "the same by the step clock",
        };
        println!("{what}: {:.3} s\n", self.baseline_seconds);
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
                &[("strategy", Align::Left), ("time", Align::Right), (self.baseline, Align::Right)],
                &rows
            )
        );
        if let Some((seconds, ratio)) = self.analysis {
            println!("\nspace analyze: {seconds:.1} s, {ratio:.1} bare traversals");
        }
        if let Some(resident) = self.resident {
            println!("\nlargest resident memory: {}", bytes(resident));
        }
    }
}
