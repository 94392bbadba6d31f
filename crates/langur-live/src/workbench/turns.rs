//! Whose turn it is at an address that serves many hosts.

use crate::journal::Moment;

/// The turns at one address. A host that comes too early gets the next free one, so that however many wait, each wakes
/// once.
#[derive(Clone, Copy, Default)]
pub(super) struct Turns {
    /// When it was last asked.
    asked: Moment,
    /// The first turn that nobody has.
    next: Moment,
}

impl Turns {
    /// When a host may ask, if not now; `has_turn` if it was given one before.
    pub fn later(&mut self, has_turn: bool, delay_ms: u64, now: Moment) -> Option<Moment> {
        let rested = self.asked + delay_ms;
        if has_turn {
            // Whoever came before may have been late.
            return (rested > now).then_some(rested);
        }
        let turn = self.next;
        (turn > now).then(|| {
            self.next += delay_ms;
            turn
        })
    }

    /// The address is asked.
    pub fn asked(&mut self, at: Moment, delay_ms: u64) {
        self.asked = self.asked.max(at);
        self.next = self.next.max(at + delay_ms);
    }
}
