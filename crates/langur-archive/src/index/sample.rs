//! Captures drawn at random from an index, without reading all of it.
//!
//! A place drawn at random in a text falls into long lines more often than into short ones. So a line is
//! taken only if it begins within a few bytes behind the place: every line but the first has the same number of
//! such places, and is as likely as any other. How often that succeeds tells how many lines there are.

use std::collections::HashSet;
use std::ops::ControlFlow;

use langur_crawl::draw;

use super::lines::parse_line;
use super::merged::Part;
use super::text::Text;
use super::{Capture, Index, IndexError, Keys, Timestamp};

/// Bytes before a line that lead to it. No line of an index is shorter.
const REACH: u64 = 24;
/// Places looked at for each capture, before an index is taken for one that has no lines.
const PATIENCE: usize = 1000;

/// Captures drawn at random, with replacement; or all there are.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The captures.
    pub captures: Vec<Capture>,
    /// About how many captures the index has.
    pub of: f64,
    /// How many places were drawn for them. Some lead to no capture, and how many do tells how many captures there are.
    pub tries: u64,
    /// Whether these are all there are, each once.
    pub is_all: bool,
}

impl Index {
    /// Draws captures at random, or takes all if there are no more than wanted. Every capture is equally likely, also
    /// one that several indexes have; in a ZipNum cluster every block is, and every capture of a block, and all
    /// blocks but the last hold the same number.
    pub fn sample(&self, wanted: usize, seed: u64) -> Result<Sample, IndexError> {
        let texts: Vec<(&Text, &Part)> =
            self.parts().iter().filter_map(|part| part.text().map(|text| (text, part))).collect();
        if texts.is_empty() {
            let at = self.parts().first().map_or("", Part::at).to_owned();
            let why =
                "captures cannot be drawn from Parquet\n  name an index of lines with --index";
            return Err(IndexError::Unusable { at, why: why.to_owned() });
        }
        if let Some(captures) = all(&texts, wanted)? {
            if captures.is_empty() {
                let (at, why) = (texts[0].0.at.clone(), "there is no capture in it".to_owned());
                return Err(IndexError::Unusable { at, why });
            }
            let tries = captures.len() as u64;
            return Ok(Sample { of: tries as f64, captures, tries, is_all: true });
        }
        drawn(&texts, wanted, seed)
    }
}

/// All captures, each once, if there are no more than wanted.
fn all(texts: &[(&Text, &Part)], wanted: usize) -> Result<Option<Vec<Capture>>, IndexError> {
    let (mut known, mut captures) = (HashSet::new(), Vec::new());
    for (_, part) in texts {
        let flow = part.scan(Keys::Prefix(""), &mut |found| {
            captures.extend(found.ok().filter(|capture| known.insert(record_of(capture))));
            if captures.len() > wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if flow.is_break() {
            return Ok(None);
        }
    }
    Ok(Some(captures))
}

/// What two captures share if they are the same, whatever their indexes call the folder it lies in.
fn record_of(capture: &Capture) -> (Timestamp, String, Option<u64>) {
    let file = capture.filename.as_deref().and_then(|name| name.rsplit('/').next());
    (capture.timestamp, file.unwrap_or(&capture.url).to_owned(), capture.offset)
}

fn drawn(texts: &[(&Text, &Part)], wanted: usize, seed: u64) -> Result<Sample, IndexError> {
    let bytes: u64 = texts.iter().map(|(text, _)| text.len()).sum();
    let mut numbers = (0..).map(|count| draw(seed, count));
    let mut number = move || numbers.next().unwrap_or_default();
    let mut captures = Vec::new();
    let (mut tries, mut lines) = (0_u64, 0_u64);
    while captures.len() < wanted && tries < (wanted * PATIENCE) as u64 {
        tries += 1;
        let (part, place) = at(texts, number() % bytes);
        let (text, index) = texts[part];
        let Some(line) = text.entry_from(place)? else { continue };
        if line.start - place >= REACH {
            continue;
        }
        let (capture, count) = match index {
            Part::ZipNum(cluster) => cluster.draw(&line.bytes, number())?,
            _ => (parse_line(line.bytes.trim_ascii_end(), index.layout()).ok(), 1),
        };
        // What several indexes have is drawn from the first of them.
        if let Some(capture) = capture
            && !holds(&texts[..part], &capture)?
        {
            lines += count;
            captures.push(capture);
        }
    }
    if captures.is_empty() {
        let why = "nothing can be drawn from it".to_owned();
        return Err(IndexError::Unusable { at: texts[0].0.at.clone(), why });
    }
    let of = lines as f64 / tries as f64 * bytes as f64 / REACH as f64;
    Ok(Sample { captures, of, tries, is_all: false })
}

/// Whether one of these has the capture.
fn holds(texts: &[(&Text, &Part)], capture: &Capture) -> Result<bool, IndexError> {
    let same = record_of(capture);
    for (_, part) in texts {
        let flow = part.scan(Keys::Exact(&capture.key), &mut |found| match found {
            Ok(found) if record_of(&found) == same => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })?;
        if flow.is_break() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The number of the text that a place lies in, all of them being laid end to end, and the place within it.
fn at(texts: &[(&Text, &Part)], mut place: u64) -> (usize, u64) {
    for (number, (text, _)) in texts.iter().enumerate() {
        if place < text.len() {
            return (number, place);
        }
        place -= text.len();
    }
    (0, 0)
}

#[cfg(test)]
mod tests {
    use langur_store::{Store, StoreOptions};

    use super::*;

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
        let sample = index.sample(999, 1).expect("a sample");
        assert_eq!((sample.captures.len(), sample.is_all), (999, false));
        let long = sample.captures.iter().filter(|capture| capture.url.len() > 100).count();
        assert!((430..570).contains(&long), "{long} of 999 are long");
        assert!((900.0..1100.0).contains(&sample.of), "about {}", sample.of);
        assert_eq!(index.sample(10, 1).expect("a sample").captures, sample.captures[..10]);

        let all = index.sample(1000, 1).expect("a sample");
        assert_eq!((all.captures.len(), all.of, all.is_all), (1000, 1000.0, true));
    }

    #[test]
    fn what_several_indexes_have_counts_once() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let at = Timestamp::parse("2020").expect("a timestamp");
        let line = |n: u64, folder: &str| {
            let filename = Some(format!("{folder}a.warc"));
            let url = format!("http://a.example/{n:04}");
            Capture { filename, offset: Some(n), ..Capture::new(&url, at) }.to_cdxj() + "\n"
        };
        let write = |name: &str, numbers: std::ops::Range<u64>, folder: &str| {
            let lines: String = numbers.map(|n| line(n, folder)).collect();
            std::fs::write(scratch.path().join(name), lines).expect("room");
        };
        write("all.cdxj", 0..1000, "");
        write("half.cdxj", 0..500, "parts/");
        write("more.cdxj", 900..1200, "");
        let address = scratch.path().display().to_string();
        let store = Store::open(&address, StoreOptions::default()).expect("a store");
        let index = Index::open(&store, &[]).expect("an index");
        assert_eq!(index.sample(1200, 1).expect("a sample").of, 1200.0);
        let sample = index.sample(1000, 1).expect("a sample");
        assert!((1080.0..1320.0).contains(&sample.of), "about {}", sample.of);
        let low = sample.captures.iter().filter(|it| it.offset < Some(500)).count();
        assert!((350..480).contains(&low), "{low} of 1000 are of the first 500 of 1200");
    }
}
