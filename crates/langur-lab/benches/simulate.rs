//! `cargo bench`: every strategy against a bare traversal of the same web, as ratios within this run.

use langur_lab::{Simulation, Switches, ratios};
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis, synthesise};
use langur_strategy::{ALL, Entry, Spec};

const PAGES: usize = 1_000_000;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo test` runs benches too, with this argument, to see that they work.
    let (pages, rounds) = if std::env::args().any(|argument| argument == "--test") {
        (2_000, 1)
    } else {
        (PAGES, ROUNDS)
    };
    let scratch = tempfile::tempdir()?;
    let place = scratch.path().join("bench.space");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let preset = Preset::load("thai-2004")?;
    synthesise(&Synthesis { preset, pages, seed: 1, threads }, &place, false, |_| ())?;
    let space = Space::open(&place)?;
    let simulation = Simulation::new(&space, "lang:th".parse()?, None, Switches::default(), None)?;
    let written = ALL.iter().flat_map(Entry::written_variants);
    let strategies = written.map(|text| Spec::parse(&text)).collect::<Result<Vec<_>, _>>()?;
    let measured = ratios(&space, &simulation, &strategies, rounds, |_| ())?;
    println!("{pages} pages, bare traversal {:.3} s", measured.bare_seconds);
    for row in measured.rows {
        println!("{:<36} {:.2} ×", row.strategy.to_string(), row.ratio);
    }
    Ok(())
}
