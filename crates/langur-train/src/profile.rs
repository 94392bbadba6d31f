//! TextCat's profile of a language, from the same corpora.

use anyhow::Result;
use langur_textcat::{Profile, Symbols};

use crate::corpus::{self, Files};

/// As much text as is learned from; libTextCat's own profiles are of less.
const MOST_BYTES: usize = 400_000;

/// The profile in libTextCat's format, with a line before it that names the language.
pub fn learn(tag: &str, files: &Files) -> Result<Vec<u8>> {
    let mut text = String::new();
    let share = MOST_BYTES / files.texts.len().max(1);
    for path in &files.texts {
        let all = corpus::text(path)?;
        let mut end = all.len().min(share);
        while !all.is_char_boundary(end) {
            end -= 1;
        }
        text.push_str(&all[..end]);
        text.push('\n');
    }
    let mut named = format!("## {tag}\n").into_bytes();
    named.extend(Profile::learn(text.as_bytes(), Symbols::Utf8).to_bytes());
    named.push(b'\n');
    Ok(named)
}
