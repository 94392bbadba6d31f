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
    /// Seconds over those of the bare traversals before and after it.
    pub ratio: f64,
}

/// Measures every strategy between two bare traversals, `rounds` times; the median counts. Machines are
/// slower at one moment than at another, so a strategy is compared with its neighbours in time. `say`
/// is told what is about to be measured.
pub fn ratios(
    space: &Space,
    simulation: &Simulation,
    strategies: &[Spec],
    rounds: usize,
    say: impl Fn(&Spec),
) -> Result<Ratios, LabError> {
    let (mut bare, mut times) = (Vec::new(), vec![Vec::new(); strategies.len()]);
    let mut quotients = times.clone();
    for _ in 0..rounds.max(1) {
        let mut before = seconds(|| Ok(bare_traversal(space)))?;
        for (i, spec) in strategies.iter().enumerate() {
            say(spec);
            let taken = seconds(|| simulation.run(spec, None, &|_| ()))?;
            let after = seconds(|| Ok(bare_traversal(space)))?;
            times[i].push(taken);
            quotients[i].push(taken / ((before + after) / 2.0));
            bare.push(before);
            before = after;
        }
    }
    let row = |(i, spec): (usize, &Spec)| Ratio {
        strategy: spec.clone(),
        seconds: median(times[i].clone()),
        ratio: median(quotients[i].clone()),
    };
    Ok(Ratios {
        rows: strategies.iter().enumerate().map(row).collect(),
        bare_seconds: median(bare),
    })
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
