//! Captures drawn at random from an index, without reading all of it.
//!
//! A place drawn at random in a text falls into long lines more often than into short ones. So a line is
//! taken only if it begins within a few bytes behind the place: every line but the first has the same number of
//! such places, and is as likely as any other. How often that succeeds tells how many lines there are.

use langur_crawl::draw;

use super::lines::parse_line;
use super::merged::Part;
use super::text::Text;
use super::{Capture, Index, IndexError};

/// Bytes before a line that lead to it. No line of an index is shorter.
const REACH: u64 = 24;
/// Places looked at for each capture, before an index is taken for one that has no lines.
const PATIENCE: usize = 1000;

/// Captures drawn at random, with replacement.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The captures.
    pub captures: Vec<Capture>,
    /// About how many captures the index has.
    pub of: f64,
}

impl Index {
    /// Draws captures at random. Every capture is equally likely; in a ZipNum cluster every block is, and
    /// every capture of a block, and all blocks but the last hold the same number.
    pub fn sample(&self, wanted: usize, seed: u64) -> Result<Sample, IndexError> {
        let texts: Vec<(&Text, &Part)> =
            self.parts().iter().filter_map(|part| part.text().map(|text| (text, part))).collect();
        let bytes: u64 = texts.iter().map(|(text, _)| text.len()).sum();
        let mut numbers = (0..).map(|count| draw(seed, count));
        let mut number = move || numbers.next().unwrap_or_default();
        let mut sample = Sample { captures: Vec::new(), of: 0.0 };
        let (mut tries, mut hits, mut lines) = (0_u64, 0_u64, 0_u64);
        while sample.captures.len() < wanted && tries < (wanted * PATIENCE) as u64 && bytes > 0 {
            tries += 1;
            let (text, part, place) = at(&texts, number() % bytes);
            let Some(line) = text.entry_from(place)? else { continue };
            if line.start - place >= REACH {
                continue;
            }
            hits += 1;
            match part {
                Part::ZipNum(cluster) => {
                    let (capture, count) = cluster.draw(&line.bytes, number())?;
                    lines += count;
                    sample.captures.extend(capture);
                }
                _ => {
                    lines += 1;
                    sample.captures.extend(parse_line(line.bytes.trim_ascii_end(), part.layout()));
                }
            }
        }
        if sample.captures.is_empty() {
            let at = texts.first().map_or_else(String::new, |(text, _)| text.at.clone());
            let why = "nothing can be drawn from it; Parquet indexes cannot be sampled";
            return Err(IndexError::Unusable { at, why: why.to_owned() });
        }
        let hit_rate = hits as f64 / tries as f64;
        let in_texts = hit_rate * bytes as f64 / REACH as f64;
        sample.of = in_texts * lines as f64 / hits as f64;
        Ok(sample)
    }
}

/// The text that a place lies in, all of them being laid end to end, and the place within it.
fn at<'t>(texts: &[(&'t Text, &'t Part)], mut place: u64) -> (&'t Text, &'t Part, u64) {
    for &(text, part) in texts {
        if place < text.len() {
            return (text, part, place);
        }
        place -= text.len();
    }
    let (text, part) = texts[0];
    (text, part, 0)
}

#[cfg(test)]
mod tests {
    use langur_store::{Store, StoreOptions};

    use super::*;
    use crate::index::Timestamp;

    #[test]
    fn long_lines_are_not_drawn_more_often() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let at = Timestamp::parse("2020").expect("a timestamp");
        let url = |n: usize| format!("http://a.example/{n:04}/{}", "x".repeat(n % 2 * 400));
        let lines: Vec<String> =
            (0..1000).map(|n| Capture::new(&url(n), at).to_cdxj() + "\n").collect();
        std::fs::write(scratch.path().join("i.cdxj"), lines.concat()).expect("room");
        let address = scratch.path().display().to_string();
        let store = Store::open(&address, StoreOptions::default()).expect("a store");
        let index = Index::open(&store, &[]).expect("an index");
        let sample = index.sample(4000, 1).expect("a sample");
        assert_eq!(sample.captures.len(), 4000);
        let long = sample.captures.iter().filter(|capture| capture.url.len() > 100).count();
        assert!((1850..2150).contains(&long), "{long} of 4000 are long");
        assert!((930.0..1070.0).contains(&sample.of), "about {}", sample.of);
        assert_eq!(index.sample(10, 1).expect("a sample").captures, sample.captures[..10]);
    }
}
