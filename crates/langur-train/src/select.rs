//! Which features the model keeps: those that tell languages apart most often.

use langur_language::letters::ScriptNumber;
use langur_language::model::{Entry, STEP, kept};
use rayon::prelude::*;

use crate::source::{RAREST, Spoken};

/// Features each language chooses. One that has its script to itself needs few.
fn choices(spoken: &Spoken, rivals: usize) -> usize {
    match (rivals, spoken.well_known) {
        (0, _) => 300,
        (_, true) => 9_500,
        (_, false) => 5_000,
    }
}

#[derive(Clone, Copy)]
struct Seen {
    number: u64,
    language: u8,
    frequency: f32,
}

/// The features worth keeping, by number, with an entry for every language that has them.
///
/// A language chooses the features by which it gains most, in expectation, over the mean of the
/// languages of its script: frequency times the log of how much more frequent.
pub fn select(spoken: Vec<Spoken>) -> Vec<(u64, Vec<Entry>)> {
    let main_script = |spoken: &Spoken| spoken.scripts.first().copied().unwrap_or(0);
    let scripts: Vec<ScriptNumber> = spoken.iter().map(main_script).collect();
    let rivals =
        |spoken: &Spoken| scripts.iter().filter(|&&other| other == main_script(spoken)).count() - 1;
    let choices: Vec<usize> = spoken.iter().map(|spoken| choices(spoken, rivals(spoken))).collect();
    let mut seen: Vec<Seen> = Vec::new();
    for (language, spoken) in spoken.into_iter().enumerate() {
        seen.extend(spoken.features.into_iter().map(|(_, number, frequency)| Seen {
            number: kept(number),
            language: language as u8,
            frequency,
        }));
    }
    seen.par_sort_unstable_by_key(|seen| (seen.number, seen.language));
    seen.dedup_by_key(|seen| (seen.number, seen.language));
    let groups: Vec<&[Seen]> = seen.chunk_by(|a, b| a.number == b.number).collect();
    let chosen = choose(&groups, &scripts, &choices);
    let kept = groups.par_iter().zip(chosen).filter(|(_, chosen)| *chosen);
    let kept = kept.map(|(group, _)| (group[0].number, entries(group, &scripts)));
    kept.filter(|(_, entries)| !entries.is_empty()).collect()
}

fn choose(groups: &[&[Seen]], scripts: &[ScriptNumber], choices: &[usize]) -> Vec<bool> {
    let mut gains: Vec<Vec<(f32, u32)>> = vec![Vec::new(); scripts.len()];
    for (at, group) in groups.iter().enumerate() {
        let script = scripts[group[0].language as usize];
        let rivals = scripts.iter().filter(|&&other| other == script).count().max(2);
        let sum: f32 = group.iter().map(above).sum();
        for seen in *group {
            let others = (sum - above(seen)) / (rivals - 1) as f32;
            let gain = seen.frequency * (above(seen) - others);
            gains[seen.language as usize].push((gain, at as u32));
        }
    }
    let mut chosen = vec![false; groups.len()];
    for (language, mut gains) in gains.into_iter().enumerate() {
        gains.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, at) in gains.into_iter().take(choices[language]) {
            chosen[at as usize] = true;
        }
    }
    chosen
}

/// By how much a feature is more frequent than the rarest, in nats.
fn above(seen: &Seen) -> f32 {
    (seen.frequency / RAREST as f32).ln()
}

/// Scripts with fewer languages keep all that features say.
const MANY_RIVALS: usize = 40;

/// What a feature says for each language, above what it says for most.
///
/// Only differences between languages count, so what three in four languages of the script fall short of
/// can be left out without loss for those above.
fn entries(group: &[Seen], scripts: &[ScriptNumber]) -> Vec<Entry> {
    let script = scripts[group[0].language as usize];
    let rivals = scripts.iter().filter(|&&other| other == script).count();
    let mut values: Vec<f32> = group.iter().map(above).collect();
    values.sort_unstable_by(f32::total_cmp);
    let absent = rivals.saturating_sub(values.len());
    let common = (rivals * 3 / 4).checked_sub(absent).and_then(|at| values.get(at)).copied();
    let common = common.filter(|_| rivals >= MANY_RIVALS);
    let entry = |seen: &Seen| {
        let steps = ((above(seen) - common.unwrap_or(0.0)) / STEP).round().clamp(0.0, 255.0) as u8;
        Entry { language: seen.language, steps }
    };
    group.iter().map(entry).filter(|entry| entry.steps > 0).collect()
}
