//! Which page of a host is in which language.

use rayon::prelude::*;

use super::plan::{Host, Plan, class};
use super::preset::Preset;
use super::random::{Purpose, Random};

/// The class of every page, in one byte each.
pub(crate) fn classes(preset: &Preset, plan: &Plan, seed: u64) -> Vec<u8> {
    let mut classes = vec![class::UNKNOWN; plan.pages];
    let mut parts = Vec::new();
    let mut rest = classes.as_mut_slice();
    for hosts in plan.chunks(1 << 16) {
        let pages = plan.hosts[hosts.clone()].iter().map(|host| host.pages as usize).sum();
        let (part, after) = rest.split_at_mut(pages);
        parts.push((hosts, part));
        rest = after;
    }
    parts.into_par_iter().for_each(|(hosts, mut part)| {
        for index in hosts {
            let host = &plan.hosts[index];
            let (pages, after) = part.split_at_mut(host.pages as usize);
            fill(preset, host, &mut Random::new(seed, Purpose::Classes, index), pages);
            part = after;
        }
    });
    classes
}

/// Languages run along the directories, and pages of unknown language lie anywhere.
fn fill(preset: &Preset, host: &Host, random: &mut Random, pages: &mut [u8]) {
    let mut left = host.counts;
    left[usize::from(host.home)] -= 1;
    pages[0] = host.home;
    let known: u32 = left[..3].iter().sum();
    let mut unknown = left[3];
    let mut known_left = known;
    for page in &mut pages[1..] {
        if random.below((known_left + unknown) as usize) < unknown as usize {
            *page = class::UNKNOWN;
            unknown -= 1;
        } else {
            *page =
                (0..3).find(|&class| left[class] > 0).expect("classes add up to the pages") as u8;
            left[usize::from(*page)] -= 1;
            known_left -= 1;
        }
    }
    if host.counts[..3].iter().filter(|&&count| count > 0).count() < 2 {
        return;
    }
    // Both of two pages that change places leave their directory, so half as many are drawn.
    for page in 1..pages.len() {
        if pages[page] != class::UNKNOWN && random.chance(preset.free.directory_mixing / 2.0) {
            let other = 1 + random.below(pages.len() - 1);
            pages.swap(page, other);
        }
    }
}
