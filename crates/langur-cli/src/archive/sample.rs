//! `langur archive sample`

use anyhow::{Result, bail};
use clap::Args;
use langur_archive::index::{Capture as Indexed, Sample as Drawn};
use langur_archive::{Archive, Capture};
use langur_crawl::Outcome;
use langur_extract::{Answer, Extract, Extractor, LABELS, Wants};
use langur_lab::Target;
use langur_page::Address;
use serde_json::json;

use super::open::{OpenArgs, Place};
use crate::crawl::{known_languages, topic_of};
use crate::misuse::Misuse;
use crate::progress::Bars;
use crate::table::{count, counted as counted_of, percent};

/// Estimate how many captures of an archive are wanted, from some drawn at random
///
/// For archives too large for `langur space build`, which knows it exactly. Captures are drawn from the index, read
/// and judged; the interval holds the true share in 95 of 100 samples (Wilson's).
#[derive(Args)]
pub struct Sample {
    /// The archive: a folder, an address, or commoncrawl:CC-MAIN-YYYY-WW
    #[arg(value_name = "DIR")]
    archive: Place,
    /// What is wanted: lang:th, several languages as in lang:lo,km, or topic:FILE
    #[arg(long)]
    target: Target,
    /// How many captures to draw
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    captures: u64,
    /// The labelling rule that tells the languages of pages
    #[arg(long, default_value = LABELS[0])]
    labels: String,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    open: OpenArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was counted in a sample.
#[derive(Default)]
struct Counted {
    drawn: u64,
    ok_html: u64,
    relevant: u64,
    lost: u64,
}

impl Sample {
    pub fn run(mut self) -> Result<()> {
        let Some(label) = LABELS.iter().position(|label| *label == self.labels) else {
            bail!(Misuse(format!(
                "there are no labels \"{}\"; there are: {}",
                self.labels,
                LABELS.join(", ")
            )));
        };
        // Nothing is ever judged to be in a language that nobody knows, which would look like an estimate.
        self.target = known_languages(&self.target, &self.labels)?;
        let topic = topic_of(&self.target)?;
        let threshold = match (&self.target, &topic) {
            (Target::Topic { threshold, .. }, Some(topic)) => {
                threshold.unwrap_or(topic.threshold() as f32)
            }
            _ => 0.0,
        };
        let is_relevant = |extract: &Extract| match &self.target {
            Target::Languages(wanted) => extract.languages[label]
                .is_some_and(|found| wanted.iter().any(|&range| found.is_within(range))),
            Target::Topic { .. } => extract.topics.first().is_some_and(|&score| score > threshold),
        };
        let archive = self.open.open(&self.archive)?;
        let sample = archive.index().sample(self.captures as usize, self.seed)?;
        let wants = Wants { all_labels: label > 1, anchor_languages: false, evidence: false };
        let mut extractor = Extractor::new(topic.into_iter().collect(), wants)?;
        let counted = self.count(&archive, &sample.captures, &mut extractor, is_relevant);
        if counted.lost == counted.drawn {
            bail!("none of {} can be read", counted_of(counted.drawn, "capture"));
        }
        self.print(&counted, &sample);
        Ok(())
    }

    /// Reads and judges the captures.
    fn count(
        &self,
        archive: &Archive,
        captures: &[Indexed],
        extractor: &mut Extractor,
        is_relevant: impl Fn(&Extract) -> bool,
    ) -> Counted {
        let bars = Bars::new();
        let bar = (!self.json).then(|| bars.bar("reading captures", captures.len() as u64));
        let mut counted = Counted::default();
        for capture in captures {
            counted.drawn += 1;
            match extract(archive, capture, extractor) {
                Ok(extract) => {
                    let page = extract.filter(|extract| extract.outcome == Outcome::OkHtml);
                    counted.ok_html += u64::from(page.is_some());
                    counted.relevant += u64::from(page.as_ref().is_some_and(&is_relevant));
                }
                Err(error) => {
                    counted.lost += 1;
                    if counted.lost == 1 {
                        eprintln!("langur: {}: {error}", capture.url);
                    }
                }
            }
            bar.iter().for_each(|bar| bar.set(counted.drawn));
        }
        counted
    }

    fn print(&self, counted: &Counted, sample: &Drawn) {
        let (read, of) = (counted.drawn - counted.lost, sample.of);
        let share = counted.relevant as f64 / read as f64;
        // Where all were read there is nothing to be unsure of.
        let is_exact = sample.is_all && counted.lost == 0;
        let (low, high) = if is_exact { (share, share) } else { wilson(counted.relevant, read) };
        let captures = match is_exact {
            true => (share * of, share * of),
            false => relevant_captures(counted, sample),
        };
        if self.json {
            println!(
                "{}",
                json!({
                    "target": self.target.to_string(), "captures": of.round(), "drawn": counted.drawn,
                    "exact": is_exact,
                    "lost": counted.lost, "ok_html": counted.ok_html, "relevant": counted.relevant,
                    "share": share, "share_interval": [low, high],
                    "relevant_captures": (share * of).round(),
                    "relevant_captures_interval": [captures.0.round(), captures.1.round()],
                })
            );
            return;
        }
        let drawn = match sample.is_all {
            true => format!("all {}", counted_of(counted.drawn, "capture")),
            false => {
                format!("about {} captures; of {}", count(of.round() as u64), count(counted.drawn))
            }
        };
        println!(
            "{drawn} drawn: {} are OK HTML and {} relevant to {}",
            count(counted.ok_html),
            count(counted.relevant),
            self.target
        );
        let about = |captures: f64| count(captures.round() as u64);
        match is_exact {
            true => println!("relevant: {}", percent(share)),
            false => println!(
                "relevant: {} ({} to {}), that is about {} captures ({} to {})",
                percent(share),
                percent(low),
                percent(high),
                about(share * of),
                about(captures.0),
                about(captures.1)
            ),
        }
        if counted.lost > 0 {
            println!(
                "lost: {} could not be read, and the share is of the others",
                counted_of(counted.lost, "capture")
            );
        }
    }
}

/// What is in a capture; nothing if it holds no page of its own, as a revisit does not.
fn extract(
    archive: &Archive,
    capture: &Indexed,
    extractor: &mut Extractor,
) -> Result<Option<Extract>> {
    let record = archive.record(capture)?;
    let Some(found) = Capture::of(&record.head, &record.block) else {
        bail!("the record that the index points at holds no capture");
    };
    if capture.is_revisit() {
        return Ok(None);
    }
    let Ok(address) = Address::parse(found.url) else { return Ok(None) };
    let payload = found.payload(langur_offline::LONGEST_PAYLOAD);
    let content_language =
        found.http.as_ref().and_then(|http| http.headers.text("content-language"));
    Ok(Some(extractor.extract(&Answer {
        address: &address,
        status: found.status.unwrap_or(0),
        content_type: found.content_type.as_deref(),
        content_language: content_language.as_deref(),
        location: None,
        link: None,
        refresh: None,
        payload: &payload.bytes,
    })))
}

/// The interval for the number of relevant captures. Their share is not the only thing unknown: how many captures there
/// are was told by how many of the places drawn led to one. So it is the share of places that lead to a relevant one.
fn relevant_captures(counted: &Counted, sample: &Drawn) -> (f64, f64) {
    let read = (counted.drawn - counted.lost) as f64 / counted.drawn as f64;
    let tries = (sample.tries as f64 * read).round() as u64;
    let (low, high) = wilson(counted.relevant, tries);
    let captures_a_place = sample.of / counted.drawn as f64 * sample.tries as f64;
    (low * captures_a_place, high * captures_a_place)
}

/// Wilson's interval for a share, at 95%.
fn wilson(hits: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (z, n) = (1.959_964, of as f64);
    let share = hits as f64 / n;
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        let (low, high) = wilson(10, 100);
        assert!((low - 0.0552).abs() < 1e-4 && (high - 0.1744).abs() < 1e-4, "{low} {high}");
        assert_eq!(wilson(0, 100).0, 0.0);
        assert!((wilson(0, 100).1 - 0.0370).abs() < 1e-4);
    }
}
