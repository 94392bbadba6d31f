//! The last pass: the targets of links, back in the order of their sources.

use langur_sim::write::AllColumns;
use langur_sort::Sorter;

use super::{JoinError, Joining};

/// Targets are written in stretches of so many.
const STRETCH: usize = 1 << 16;

/// The number of links of every page, as long as there is memory for it.
pub struct LinkCounts {
    counts: Option<Vec<u32>>,
    most: usize,
}

impl LinkCounts {
    /// Of no page yet.
    pub fn new(joining: &Joining) -> LinkCounts {
        // All else may take as much again, and the targets themselves most of it.
        LinkCounts { counts: Some(Vec::new()), most: joining.memory / 8 / size_of::<u32>() }
    }

    /// Notes the links of the next page.
    pub fn push(&mut self, links: usize) {
        let counts = self.counts.take().filter(|counts| counts.len() < self.most);
        self.counts = counts.map(|mut counts| {
            counts.push(links as u32);
            counts
        });
    }
}

/// The targets of links, which come in any order.
pub struct Targets<'a> {
    joining: &'a Joining<'a>,
    kept: Kept,
}

enum Kept {
    /// They fit into memory, where each has its place: behind those of earlier links.
    InPlace {
        /// Where the links of every page begin.
        starts: Vec<usize>,
        targets: Vec<u32>,
    },
    /// Each with the numbers of its source and of the link.
    Sorted(Sorter),
}

impl<'a> Targets<'a> {
    /// None yet, of pages with so many links.
    pub fn new(joining: &'a Joining<'a>, counts: LinkCounts) -> Targets<'a> {
        let counts = counts.counts.unwrap_or_default();
        let links: usize = counts.iter().map(|&count| count as usize).sum();
        let bytes = links * size_of::<u32>() + counts.len() * size_of::<usize>();
        if counts.is_empty() || bytes > joining.memory / 2 {
            return Targets { joining, kept: Kept::Sorted(joining.sorter("targets")) };
        }
        let starts = counts.iter().scan(0, |sum, &count| {
            *sum += count as usize;
            Some(*sum - count as usize)
        });
        let kept = Kept::InPlace { starts: starts.collect(), targets: vec![0; links] };
        Targets { joining, kept }
    }

    /// Takes the target of a link: that of so many before it on this page.
    pub fn push(&mut self, source: u32, place: u32, target: u32) -> Result<(), JoinError> {
        match &mut self.kept {
            Kept::InPlace { starts, targets } => {
                let start = starts.get(source as usize);
                let link = start.and_then(|start| targets.get_mut(start + place as usize));
                *link.ok_or_else(|| self.joining.damaged())? = target;
                Ok(())
            }
            Kept::Sorted(sorter) => {
                let record = [source, place, target].map(u32::to_be_bytes);
                sorter.push(record.as_flattened()).map_err(self.joining.sorting())
            }
        }
    }

    /// Writes all of them.
    pub fn write(self, columns: &mut AllColumns) -> Result<(), JoinError> {
        let Targets { joining, kept } = self;
        let sorter = match kept {
            Kept::InPlace { targets, .. } => return Ok(columns.write_targets(&targets)?),
            Kept::Sorted(sorter) => sorter,
        };
        let mut links = sorter.sorted().map_err(joining.sorting())?;
        let mut targets = Vec::with_capacity(STRETCH);
        while let Some(record) = links.next().map_err(joining.sorting())? {
            let target = record.last_chunk().ok_or_else(|| joining.damaged())?;
            targets.push(u32::from_be_bytes(*target));
            if targets.len() == STRETCH {
                columns.write_targets(&targets)?;
                targets.clear();
            }
        }
        Ok(columns.write_targets(&targets)?)
    }
}
