//! `cargo bench`: every strategy against a bare traversal of the same web, as ratios within this run.

use langur_lab::{Catalogue, Simulation, Switches, bare_traversal, ratios};
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis, synthesise};

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
    let strategies = Catalogue::founding().all();
    let bare = |_: &_| {
        std::hint::black_box(bare_traversal(&space));
        Ok(())
    };
    let measured = ratios(&simulation, &strategies, rounds, bare, |_| ())?;
    println!("{pages} pages, bare traversal {:.3} s", measured.baseline_seconds);
    for row in measured.rows {
        println!("{:<36} {:.2} ×", row.strategy, row.ratio);
    }
    Ok(())
}
