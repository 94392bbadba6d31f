//! What topic files have in common.
//!
//! A file is lines of tab-separated columns. A line that starts with `#` is a comment, and a comment
//! of the form `# key: value` with a key that is known says something about the whole file.

use crate::{Tokens, TopicError};

/// Weights and idfs beyond this are mistakes, and would make sums of squares infinite.
const LARGEST: f64 = 1e9;

/// A file, line by line.
pub struct File<'t> {
    name: &'t str,
    text: &'t str,
}

impl<'t> File<'t> {
    pub fn new(name: &'t str, text: &'t str) -> Self {
        Self { name, text: text.strip_prefix('\u{feff}').unwrap_or(text) }
    }

    /// The lines that hold columns, with their numbers.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &'t str)> {
        self.lines().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
    }

    /// The values of the comments with that key, with their line numbers.
    pub fn notes(&self, key: &str) -> impl Iterator<Item = (usize, &'t str)> {
        self.lines().filter_map(move |(at, line)| {
            let (found, value) = line.strip_prefix('#')?.split_once(':')?;
            (found.trim() == key).then_some((at, value.strip_prefix(' ').unwrap_or(value)))
        })
    }

    /// The value of a comment that may stand once.
    pub fn note(&self, key: &str) -> Result<Option<(usize, &'t str)>, TopicError> {
        let mut notes = self.notes(key);
        let first = notes.next();
        match notes.next() {
            Some((at, _)) => {
                Err(self.wrong(at, format!("\"{key}\" is said twice"), "keep one of the lines"))
            }
            None => Ok(first.map(|(at, value)| (at, value.trim()))),
        }
    }

    /// The number in a comment.
    pub fn number_note(&self, key: &str) -> Result<Option<f64>, TopicError> {
        self.note(key)?.map(|(at, value)| self.number(at, key, value)).transpose()
    }

    /// The number of documents in a comment.
    pub fn documents(&self, default: u64) -> Result<u64, TopicError> {
        let Some((at, value)) = self.note("documents")? else { return Ok(default) };
        value.parse().map_err(|_| {
            let what = format!("the number of documents is \"{value}\"");
            self.wrong(at, what, "write a whole number")
        })
    }

    /// The threshold, which must be a share.
    pub fn threshold(&self, default: f64) -> Result<f64, TopicError> {
        let Some((at, value)) = self.note("threshold")? else { return Ok(default) };
        let threshold = self.number(at, "threshold", value)?;
        if (0.0..=1.0).contains(&threshold) {
            Ok(threshold)
        } else {
            Err(self.wrong(at, format!("the threshold is {value}"), "write one from 0 to 1"))
        }
    }

    /// Who found the words.
    pub fn tokens(&self, default: Tokens) -> Result<Tokens, TopicError> {
        let Some((at, value)) = self.note("tokens")? else { return Ok(default) };
        Tokens::named(value).ok_or_else(|| {
            self.wrong(
                at,
                format!("no tokeniser is called \"{value}\""),
                "write published or unicode",
            )
        })
    }

    /// The columns of a row.
    pub fn columns<const N: usize>(
        &self,
        at: usize,
        row: &'t str,
        expected: &str,
    ) -> Result<[&'t str; N], TopicError> {
        let columns: Vec<_> = row.split('\t').collect();
        <[&str; N]>::try_from(columns).map_err(|columns| {
            let what = format!("{} columns instead of {N}", columns.len());
            self.wrong(at, what, format!("write {expected}, with tabs between them"))
        })
    }

    /// A finite number of a size that can be squared.
    pub fn number(&self, at: usize, what: &str, text: &str) -> Result<f64, TopicError> {
        match text.trim().parse::<f64>() {
            Ok(number) if number.abs() <= LARGEST => Ok(number),
            _ => Err(self.wrong(
                at,
                format!("{what} is \"{text}\""),
                "write a number such as 0.25, at most a thousand million",
            )),
        }
    }

    /// A number that is not negative.
    pub fn weight(&self, at: usize, what: &str, text: &str) -> Result<f64, TopicError> {
        let number = self.number(at, what, text)?;
        if number >= 0.0 {
            Ok(number)
        } else {
            Err(self.wrong(at, format!("{what} is {text}"), "write a number that is not negative"))
        }
    }

    pub fn wrong(
        &self,
        line: usize,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> TopicError {
        let name = self.name.to_owned();
        TopicError::Line { name, line, what: what.into(), advice: advice.into() }
    }

    pub fn wrong_whole(&self, what: impl Into<String>, advice: impl Into<String>) -> TopicError {
        TopicError::File { name: self.name.to_owned(), what: what.into(), advice: advice.into() }
    }

    fn lines(&self) -> impl Iterator<Item = (usize, &'t str)> {
        self.text.lines().enumerate().map(|(at, line)| (at + 1, line))
    }
}
