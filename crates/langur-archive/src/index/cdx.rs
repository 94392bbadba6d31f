//! Lines of CDX: fields with spaces between, and a first line that says which.
//!
//! ```text
//!  CDX N b a m s k r M S V g
//! com,example)/ 20140103030321 http://example.com/ text/html 200 B2LT…C36A - - 1043 333 example.warc.gz
//! ```
//!
//! A letter stands for a field; the first character of the first line is what separates them. The
//! usual ones have 9 or 11 fields. Where the first line is missing, as in parts of larger indexes, the
//! number of fields tells enough.

use serde_json::{Map, Value};

use super::capture::plain_key;
use super::{Capture, LineError, Timestamp};

/// Which fields the lines of a CDX file have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    between: char,
    letters: Vec<char>,
}

impl Layout {
    /// Reads a first line; `None` if it is none.
    pub fn from_header(line: &str) -> Option<Layout> {
        let line = line.trim_end_matches(['\r', '\n']);
        let between = line.chars().next()?;
        let mut words = line.split(between).skip(1);
        if !between.is_ascii() || between.is_alphanumeric() || words.next() != Some("CDX") {
            return None;
        }
        let letters: Option<Vec<char>> = words
            .filter(|word| !word.is_empty())
            .map(|word| word.chars().next().filter(|letter| letter.len_utf8() == word.len()))
            .collect();
        let letters = letters.filter(|letters| letters.contains(&'b'))?;
        Some(Layout { between, letters })
    }

    /// The layout of lines that have so many fields and no first line before them: that of the
    /// Wayback Machine's server (7), of the older (9, 10) and of the newer indexes (11; 14 where the
    /// place of the original is added to revisits).
    pub fn with_fields(fields: usize) -> Option<Layout> {
        let letters = match fields {
            7 => "NbamskS",
            9 => "NbamskrVg",
            10 => "NbamskrMVg",
            11 => "NbamskrMSVg",
            14 => "NbamskrMSVg???",
            _ => return None,
        };
        Some(Layout { between: ' ', letters: letters.chars().collect() })
    }

    /// Reads a line of this layout.
    pub fn capture(&self, line: &str) -> Result<Capture, LineError> {
        let fields = self.split(line.trim_end_matches(['\r', '\n']))?;
        let field = |letter: char| {
            let at = self.letters.iter().position(|&l| l == letter)?;
            fields.get(at).map(String::as_str).filter(|field| !matches!(*field, "-" | ""))
        };
        let key = field('N').or_else(|| field('A')).ok_or(LineError::Shape)?;
        let timestamp = field('b').unwrap_or_default();
        let timestamp = Timestamp::parse(timestamp)
            .ok_or_else(|| LineError::Timestamp(super::lines::shortened(timestamp)))?;
        let text = |letter| field(letter).map(str::to_owned);
        let number = |letter| field(letter).and_then(|field: &str| field.parse::<u64>().ok());
        let url = text('a').or_else(|| plain_key(key).map(|plain| format!("http://{plain}")));
        let mut more = Map::new();
        if let Some(flags) = field('M') {
            more.insert("robotflags".to_owned(), Value::from(flags));
        }
        Ok(Capture {
            key: key.to_owned(),
            timestamp,
            url: url.unwrap_or_else(|| key.to_owned()),
            mime: text('m'),
            status: number('s').and_then(|status| status.try_into().ok()),
            digest: text('k').or_else(|| text('c')),
            redirect: text('r'),
            filename: text('g'),
            offset: number('V').or_else(|| number('v')),
            length: number('S'),
            more,
        })
    }

    /// The fields of a line. What is too many belongs to the URL, where spaces were left as they were.
    fn split(&self, line: &str) -> Result<Vec<String>, LineError> {
        let mut fields: Vec<String> = line.split(self.between).map(str::to_owned).collect();
        let (found, expected) = (fields.len(), self.letters.len());
        if let Some(excess) = found.checked_sub(expected)
            && let Some(url) = self.letters.iter().position(|&letter| letter == 'a')
        {
            let spaced: Vec<String> = fields.splice(url..=url + excess, [String::new()]).collect();
            fields[url] = spaced.join("%20");
            return Ok(fields);
        }
        if found != expected {
            return Err(LineError::Fields { found, expected });
        }
        Ok(fields)
    }
}
