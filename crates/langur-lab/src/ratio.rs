//! Speed as a ratio: a simulation against the plainest loop that does the same, in one run.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::Instant;

use crate::{Contender, LabError, Simulation};
use langur_sim::Space;

/// How long strategies took, and something else beside them.
#[derive(Clone, Debug)]
pub struct Ratios {
    /// Median seconds of what they are compared with.
    pub baseline_seconds: f64,
    /// A row for each strategy.
    pub rows: Vec<Ratio>,
}

/// How long one strategy took.
#[derive(Clone, Debug)]
pub struct Ratio {
    /// The strategy.
    pub strategy: String,
    /// Whether it uses what it has not fetched.
    pub oracle: bool,
    /// Median seconds.
    pub seconds: f64,
    /// Seconds over those of the baselines before and after it.
    pub ratio: f64,
}

/// Measures every strategy between two runs of what it is compared with, `rounds` times; the median
/// counts. Machines are slower at one moment than at another, so a strategy is compared with its
/// neighbours in time. `say` is told what is about to be measured.
pub fn ratios(
    simulation: &Simulation,
    strategies: &[Contender],
    rounds: usize,
    baseline: impl Fn(&Contender) -> Result<(), LabError>,
    say: impl Fn(&Contender),
) -> Result<Ratios, LabError> {
    let (mut beside, mut times) = (Vec::new(), vec![Vec::new(); strategies.len()]);
    let mut quotients = times.clone();
    for _ in 0..rounds.max(1) {
        for (i, contender) in strategies.iter().enumerate() {
            say(contender);
            let before = seconds(|| baseline(contender))?;
            let taken = seconds(|| simulation.run(contender, None, &|_| ()))?;
            let after = seconds(|| baseline(contender))?;
            times[i].push(taken);
            quotients[i].push(taken / ((before + after) / 2.0));
            beside.extend([before, after]);
        }
    }
    let row = |(i, contender): (usize, &Contender)| Ratio {
        strategy: contender.to_string(),
        oracle: contender.spec.is_oracle(),
        seconds: median(times[i].clone()),
        ratio: median(quotients[i].clone()),
    };
    Ok(Ratios {
        rows: strategies.iter().enumerate().map(row).collect(),
        baseline_seconds: median(beside),
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
