//! Labelled texts, a JSON object a line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use langur_crawl::Language;
use langur_language::declared;
use serde::Deserialize;

/// A text and the language it is in.
pub struct Row {
    /// The language, in the tags of BCP 47.
    pub label: Language,
    /// `document`, `sentence`, `words` or `word`; what the data calls words is either of the last two.
    pub kind: String,
    /// The text.
    pub text: String,
}

#[derive(Deserialize)]
struct Line {
    lang: String,
    #[serde(default)]
    kind: String,
    text: String,
}

/// Reads labelled texts from a `.jsonl` or `.jsonl.zst` file: `{"lang": …, "kind": …, "text": …}`.
pub fn rows(path: &Path) -> Result<Vec<Row>> {
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let is_packed = path.extension().is_some_and(|extension| extension == "zst");
    let reader: Box<dyn Read> =
        if is_packed { Box::new(zstd::Decoder::new(file)?) } else { Box::new(file) };
    let mut rows = Vec::new();
    for (number, line) in BufReader::new(reader).lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        rows.push(row(&line).with_context(place)?);
    }
    if rows.is_empty() {
        bail!("{} has no rows; a row is {{\"lang\": \"th\", \"text\": \"…\"}}", path.display());
    }
    Ok(rows)
}

fn row(line: &str) -> Result<Row> {
    let Line { lang, kind, text } = serde_json::from_str(line)
        .context("a row is {\"lang\": \"th\", \"kind\": \"sentence\", \"text\": \"…\"}")?;
    // A tag keeps its script only where that is all it says besides the language.
    // Pages mean Korean by "kr", which is the tag of Kanuri.
    let tag = if lang == "kr" { Language::parse(&lang).ok() } else { declared(&lang) };
    let label = tag.with_context(|| format!("\"{lang}\" is not a language tag"))?;
    let words = text.split_whitespace().count();
    let kind = match kind.as_str() {
        "words" if words == 1 => "word".to_owned(),
        "" => "text".to_owned(),
        _ => kind,
    };
    let with_script =
        Language::parse(&lang).ok().filter(|_| lang.len() == 7 && lang.as_bytes()[2] == b'-');
    Ok(Row { label: with_script.unwrap_or(label), kind, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_tags_and_not_what_pages_mean_by_them() {
        let label = |lang: &str| {
            let line = format!("{{\"lang\": \"{lang}\", \"text\": \"one two\"}}");
            row(&line).map(|row| row.label.as_str().to_owned())
        };
        for (lang, tag) in
            [("kr", "kr"), ("ko", "ko"), ("no", "nb"), ("tha", "th"), ("sr-Latn", "sr-Latn")]
        {
            assert_eq!(label(lang).expect("a tag"), tag);
        }
        assert!(label("a language").is_err());
    }
}
