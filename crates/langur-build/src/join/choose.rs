//! Which of its captures a page is taken from.

use std::rc::Rc;

use crate::row::{Captured, Row};

/// Payloads of one page that are kept at a time, in case a revisit refers to one of them.
const KEPT: usize = 64;

/// The captures of one page, shown in the order of their time, and the one that it is taken from: the
/// latest or, if a moment was named, the one nearest to it (the later of two).
#[derive(Default)]
pub struct Choice {
    at: Option<u32>,
    /// Whole captures, by when; the oldest goes first if there are too many.
    whole: Vec<(Captured, Rc<Row>)>,
    /// What revisits repeat, with their own heads, where that was read again; the oldest goes first, too.
    reread: Vec<(Captured, Rc<Row>)>,
    chosen: Option<(Captured, Rc<Row>)>,
}

impl Choice {
    /// Chooses by nearness to a moment, in seconds since 1970, or the latest.
    pub fn new(at: Option<u32>) -> Choice {
        Choice { at, ..Choice::default() }
    }

    /// Shows a capture of the page, not older than those before.
    pub fn add(&mut self, captured: Captured, row: Row) {
        let row = Rc::new(row);
        if row.reread {
            if self.reread.len() == KEPT {
                self.reread.remove(0);
            }
            return self.reread.push((captured, row));
        }
        let nearer = match (self.at, &self.chosen) {
            // A description never stands for a capture of the same second that is there itself.
            (_, Some((before, kept)))
                if before.at == captured.at && row.described != kept.described =>
            {
                kept.described
            }
            (Some(at), Some((before, _))) => captured.at.abs_diff(at) <= before.at.abs_diff(at),
            _ => true,
        };
        if !row.revisit {
            if self.whole.len() == KEPT {
                self.whole.remove(0);
            }
            self.whole.push((captured.clone(), Rc::clone(&row)));
        }
        if nearer {
            self.chosen = Some((captured, row));
        }
    }

    /// The capture chosen, with the content of the one that it repeats if it is a revisit; and whether
    /// that could not be found, so that the nearest whole capture stands in, if there is any.
    pub fn take(&mut self) -> (Option<(Captured, Rc<Row>)>, bool) {
        let (whole, reread) = (std::mem::take(&mut self.whole), std::mem::take(&mut self.reread));
        let Some((captured, row)) = self.chosen.take() else { return (None, false) };
        if !row.revisit {
            return (Some((captured, row)), false);
        }
        // Its content was read with its own head, if that says other things than the one that it repeats.
        let read = reread.iter().find(|(other, _)| *other == captured);
        let same = || whole.iter().rev().find(|(_, other)| other.known_as == row.known_as);
        let named = || whole.iter().rev().find(|(other, _)| Some(other.at) == row.repeats);
        if let Some((_, original)) = read.or_else(same).or_else(named) {
            return (Some((captured, Rc::clone(original))), false);
        }
        // The later of two, as where a moment is named.
        let nearest =
            whole.into_iter().rev().min_by_key(|(other, _)| other.at.abs_diff(captured.at));
        (nearest, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(at: u32) -> Captured {
        Captured { at, file: "a".to_owned(), offset: 0 }
    }

    fn whole(mark: u8) -> Row {
        Row { revisit: false, status: 200, ..Row::revisit([mark; 20]) }
    }

    /// The time and the digest of the choice among these captures, revisits being in brackets.
    fn chosen(at: Option<u32>, captures: &[(u32, Row)]) -> Option<(u32, u8, bool)> {
        let mut choice = Choice::new(at);
        captures.iter().for_each(|(at, row)| choice.add(captured(*at), row.clone()));
        let (found, stands_in) = choice.take();
        found.map(|(captured, row)| (captured.at, row.known_as[0], stands_in))
    }

    #[test]
    fn the_latest_or_the_nearest_is_chosen() {
        let captures = [(10, whole(1)), (20, whole(2)), (40, whole(3))];
        assert_eq!(chosen(None, &captures), Some((40, 3, false)));
        assert_eq!(chosen(Some(12), &captures), Some((10, 1, false)));
        assert_eq!(chosen(Some(30), &captures), Some((40, 3, false)));
        assert_eq!(chosen(None, &[]), None);
    }

    #[test]
    fn a_description_does_not_replace_its_capture() {
        let described = Row { described: true, ..whole(7) };
        let captures = [(10, whole(1)), (10, described.clone())];
        assert_eq!(chosen(None, &captures), Some((10, 1, false)));
        assert_eq!(chosen(None, &[(10, described.clone()), (10, whole(1))]), Some((10, 1, false)));
        assert_eq!(chosen(None, &[(10, whole(1)), (20, described)]), Some((20, 7, false)));
    }

    #[test]
    fn a_revisit_has_the_content_that_it_repeats() {
        let captures = [(10, whole(1)), (20, whole(2)), (40, Row::revisit([1; 20]))];
        assert_eq!(chosen(None, &captures), Some((40, 1, false)));
        // By its digest or, where nothing has that, by the date that it names.
        let dated = Row { repeats: Some(10), ..Row::revisit([9; 20]) };
        let captures = [(10, whole(1)), (20, whole(2)), (40, dated)];
        assert_eq!(chosen(None, &captures), Some((40, 1, false)));
        let lost = [(10, whole(1)), (40, Row::revisit([9; 20]))];
        assert_eq!(chosen(None, &lost), Some((10, 1, true)));
        assert_eq!(chosen(None, &lost[1..]), None);
    }
}
