//! How odd a URL may be before it is taken for a trap.
//!
//! Sites can have no end: a calendar that always knows a next month, a wrong relative link that adds
//! a directory with every page, a shop that writes its filters into the path. Their URLs grow, or
//! repeat themselves. These limits stop both kinds, at the cost of few real pages.

use memchr::{memchr, memchr_iter};
use thiserror::Error;

use super::Address;

/// Limits on URLs; what is beyond them is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole URL. Browsers and servers have long agreed on about 2000, and sitemaps
    /// allow 2048.
    pub length: usize,
    /// Segments of the path. Real ones seldom have ten; Heritrix stops at 20.
    pub depth: usize,
    /// Equal segments in a row. `/11/11/11/` can be a date.
    pub in_a_row: usize,
    /// Times that several segments may follow themselves. `/a/b/a/b` can be, `/a/b/a/b/a/b` is what a
    /// wrong relative link does.
    pub rounds: usize,
    /// Times that a segment may stand in a path at all, empty ones apart.
    pub anywhere: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { length: 2048, depth: 20, in_a_row: 3, rounds: 2, anywhere: 5 }
    }
}

/// Rounds of more segments are not looked for, so that the time a URL takes grows with its length
/// alone, whatever the limits.
const LONGEST_ROUND: usize = 16;

/// Paths with so many segments are looked at without taking memory.
const MOST_AT_ONCE: usize = 12;

/// How often two segments of a path are equal.
fn equal_pairs(segments: &[&[u8]]) -> usize {
    let before = |at: usize| &segments[..at];
    let equal = |at: usize| before(at).iter().filter(|other| **other == segments[at]).count();
    (1..segments.len()).map(equal).sum()
}

/// Which limit a URL is beyond, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Excess {
    #[error("the URL is {bytes} bytes long, and {limit} is the limit")]
    Length { bytes: usize, limit: usize },
    #[error("the path has {segments} segments, and {limit} is the limit")]
    Depth { segments: usize, limit: usize },
    #[error("the path has {times} equal segments in a row, and {limit} is the limit")]
    InARow { times: usize, limit: usize },
    #[error(
        "{segments} segments of the path come {times} times in a row, and {limit} is the limit"
    )]
    Rounds { segments: usize, times: usize, limit: usize },
    #[error("a segment stands {times} times in the path, and {limit} is the limit")]
    Anywhere { times: usize, limit: usize },
}

impl Limits {
    /// Whether a URL is within the limits.
    pub fn check(&self, address: &Address) -> Result<(), Excess> {
        let bytes = address.scheme.prefix().len() + address.host.len() + address.path.len();
        if bytes > self.length {
            return Err(Excess::Length { bytes, limit: self.length });
        }
        let path = address.path.as_bytes();
        let path = &path[..memchr(b'?', path).unwrap_or(path.len())];
        let path = path.strip_prefix(b"/").unwrap_or(path);
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let mut segments = [&b""[..]; MOST_AT_ONCE];
        let (mut count, mut from) = (0, 0);
        for end in memchr_iter(b'/', path).chain([path.len()]) {
            if let Some(place) = segments.get_mut(count) {
                *place = &path[from..end];
            }
            (count, from) = (count + 1, end + 1);
        }
        if count > self.depth {
            return Err(Excess::Depth { segments: count, limit: self.depth });
        }
        if let Some(segments) = segments.get(..count)
            && equal_pairs(segments) < self.in_a_row.min(self.rounds).min(self.anywhere)
        {
            return Ok(()); // too few to repeat themselves
        }
        let segments: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        self.check_rounds(&segments)?;
        self.check_anywhere(&segments)
    }

    fn check_rounds(&self, segments: &[&[u8]]) -> Result<(), Excess> {
        for round in 1..=LONGEST_ROUND.min(segments.len() / 2) {
            let mut equal = 0; // segments in a row that are as those one round before
            for at in round..segments.len() {
                equal = if segments[at] == segments[at - round] { equal + 1 } else { 0 };
                let times = 1 + equal / round;
                if round == 1 && times > self.in_a_row {
                    return Err(Excess::InARow { times, limit: self.in_a_row });
                }
                // A row of equal segments is not several.
                let several = segments[at - round..=at].windows(2).any(|two| two[0] != two[1]);
                if round > 1 && several && times > self.rounds {
                    return Err(Excess::Rounds { segments: round, times, limit: self.rounds });
                }
            }
        }
        Ok(())
    }

    fn check_anywhere(&self, segments: &[&[u8]]) -> Result<(), Excess> {
        let mut sorted: Vec<&[u8]> =
            segments.iter().filter(|text| !text.is_empty()).copied().collect();
        sorted.sort_unstable();
        let times = sorted.chunk_by(|one, other| one == other).map(<[_]>::len).max().unwrap_or(0);
        if times > self.anywhere {
            return Err(Excess::Anywhere { times, limit: self.anywhere });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excess(path: &str) -> Option<Excess> {
        let address = Address::parse(&format!("http://a.example{path}")).expect("a URL");
        Limits::default().check(&address).err()
    }

    #[test]
    fn ordinary_paths_are_within_the_limits() {
        for path in [
            "/",
            "/a/b/c/d/e/f/g/h/i/j?k/k/k/k/k",
            "/2011/11/11/11/",
            "/a/b/a/b/c",
            "/a/a/b/b/a/a/c",
            "/a/b/a/c/a/d/a/",
            "/x/x/x",
        ] {
            assert_eq!(excess(path), None, "{path}");
        }
    }

    #[test]
    fn rows_of_equal_segments_are_traps() {
        assert_eq!(excess("/x/x/x/x"), Some(Excess::InARow { times: 4, limit: 3 }));
        assert_eq!(excess("/a/x/x/x/x/b"), Some(Excess::InARow { times: 4, limit: 3 }));
        assert_eq!(excess("/a//////b"), Some(Excess::InARow { times: 4, limit: 3 }));
    }

    #[test]
    fn segments_that_go_round_are_traps() {
        let rounds = |segments| Some(Excess::Rounds { segments, times: 3, limit: 2 });
        assert_eq!(excess("/a/b/a/b/a/b"), rounds(2));
        assert_eq!(excess("/z/a/b/c/a/b/c/a/b/c/y.html"), rounds(3));
    }

    #[test]
    fn segments_that_keep_coming_back_are_traps() {
        let path = "/a/b/a/c/a/d/e/a/f/a/g/a/h";
        assert_eq!(excess(path), Some(Excess::Anywhere { times: 6, limit: 5 }));
    }

    #[test]
    fn long_and_deep_urls_are_traps() {
        let long = format!("/{}", "a".repeat(2048));
        assert_eq!(excess(&long), Some(Excess::Length { bytes: 2065, limit: 2048 }));
        let deep: String = (0..21).map(|number| format!("/{number}")).collect();
        assert_eq!(excess(&deep), Some(Excess::Depth { segments: 21, limit: 20 }));
        let edge = format!("/{}", "a".repeat(2048 - "http://a.example/".len()));
        assert_eq!(excess(&edge), None);
    }
}
