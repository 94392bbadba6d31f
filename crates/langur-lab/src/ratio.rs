//! Speed as a ratio: a simulation against the plainest loop that does the same, in one run.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::Instant;

use langur_sim::Space;
use langur_strategy::Spec;

use crate::{LabError, Simulation};

/// How long strategies took, and a bare traversal of the same links beside them.
#[derive(Clone, Debug)]
pub struct Ratios {
    /// Median seconds of the bare traversal.
    pub bare_seconds: f64,
    /// A row for each strategy.
    pub rows: Vec<Ratio>,
}

/// How long one strategy took.
#[derive(Clone, Debug)]
pub struct Ratio {
    /// The strategy.
    pub strategy: Spec,
    /// Median seconds.
    pub seconds: f64,
    /// Seconds over those of the bare traversal.
    pub ratio: f64,
}

/// Measures strategies in turns with the bare traversal, `rounds` times; the median counts. `say` is
/// told what is about to be measured.
pub fn ratios(
    space: &Space,
    simulation: &Simulation,
    strategies: &[Spec],
    rounds: usize,
    say: impl Fn(&Spec),
) -> Result<Ratios, LabError> {
    let mut bare = Vec::new();
    let mut times = vec![Vec::new(); strategies.len()];
    for _ in 0..rounds.max(1) {
        bare.push(seconds(|| Ok(bare_traversal(space)))?);
        for (spec, times) in strategies.iter().zip(&mut times) {
            say(spec);
            times.push(seconds(|| simulation.run(spec, None, &|_| ()))?);
        }
    }
    let bare_seconds = median(bare);
    let row = |(spec, times): (&Spec, Vec<f64>)| {
        let seconds = median(times);
        Ratio { strategy: spec.clone(), seconds, ratio: seconds / bare_seconds }
    };
    Ok(Ratios { bare_seconds, rows: strategies.iter().zip(times).map(row).collect() })
}

/// A breadth-first traversal by hand, as plainly as possible: no priorities, no measurements, no
/// judgement. Returns the number of pages visited.
pub fn bare_traversal(space: &Space) -> usize {
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

fn seconds<T>(work: impl FnOnce() -> Result<T, LabError>) -> Result<f64, LabError> {
    let began = Instant::now();
    black_box(work()?);
    Ok(began.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
