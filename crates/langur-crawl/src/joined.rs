//! Numbers that have been joined into sets.

/// Sets of the numbers below some limit: each begins as a set of its own, and sets are joined. A set
/// is known by one of its numbers, its head.
pub struct Joined {
    towards: Vec<u32>,
}

impl Joined {
    /// The numbers below `limit`, each on its own.
    pub fn new(limit: usize) -> Joined {
        Joined { towards: (0..limit as u32).collect() }
    }

    /// The head of a number's set, halving the way to it for the next time.
    #[inline]
    pub fn head(&mut self, mut number: u32) -> u32 {
        while self.towards[number as usize] != number {
            let next = self.towards[self.towards[number as usize] as usize];
            self.towards[number as usize] = next;
            number = next;
        }
        number
    }

    /// Joins the set with this head to another, whose head stays.
    #[inline]
    pub fn join_to(&mut self, head: u32, other: u32) {
        self.towards[head as usize] = other;
    }

    /// Joins the sets of two numbers; the smaller head stays, and is returned.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.head(a), self.head(b));
        self.join_to(a.max(b), a.min(b));
        a.min(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_has_one_head() {
        let mut sets = Joined::new(6);
        assert_eq!(sets.join(4, 2), 2);
        assert_eq!(sets.join(5, 4), 2);
        sets.join_to(0, 1);
        assert_eq!((0..6).map(|number| sets.head(number)).collect::<Vec<_>>(), [1, 1, 2, 3, 2, 2]);
    }
}
