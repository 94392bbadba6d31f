//! Reads the conformance cases and keeps the score.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::exceptions::{Exception, exceptions};

/// The cases of a suite, or `None`, said aloud, where the files are not at hand.
pub fn cases(suite: &str) -> Option<Vec<Value>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/url");
    let file = folder.join(format!("{suite}.jsonl"));
    let Ok(text) = fs::read_to_string(&file) else {
        println!("NOT RUN: {suite}: {} is not there", file.display());
        return None;
    };
    let case = |line: &str| serde_json::from_str(&scalar_values(line)).expect("a case is JSON");
    Some(text.lines().map(case).collect())
}

/// Turns escaped surrogates without a partner into U+FFFD, as Web IDL's `USVString` does, since a
/// Rust string cannot hold them.
fn scalar_values(line: &str) -> String {
    let unit = |at: usize| -> Option<u32> {
        let digits = line.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let (mut text, mut at) = (String::with_capacity(line.len()), 0);
    while let Some(backslash) = line[at..].find('\\').map(|found| at + found) {
        text.push_str(&line[at..backslash]);
        let high = unit(backslash).is_some_and(|unit| (0xD800..0xDC00).contains(&unit));
        let low = |at| unit(at).is_some_and(|unit| (0xDC00..0xE000).contains(&unit));
        let (kept, next) = if high && low(backslash + 6) {
            (&line[backslash..backslash + 12], backslash + 12)
        } else if high || low(backslash) {
            ("\\uFFFD", backslash + 6)
        } else {
            (&line[backslash..backslash + 2], backslash + 2)
        };
        text.push_str(kept);
        at = next;
    }
    text + &line[at..]
}

/// How a suite went.
pub struct Score {
    suite: &'static str,
    exceptions: Vec<Exception>,
    passed: usize,
    excepted: usize,
    wrong: Vec<String>,
}

impl Score {
    /// A suite of which nothing has run.
    pub fn new(suite: &'static str) -> Score {
        let (exceptions, wrong) = (exceptions(suite), Vec::new());
        Score { suite, exceptions, passed: 0, excepted: 0, wrong }
    }

    /// Notes one case: what was expected and what came. A case that an exception covers must fail.
    pub fn note(&mut self, case: &Value, expected: &Value, actual: &Value) {
        let excepted = self.exceptions.iter().find(|exception| (exception.covers)(case));
        match (expected == actual, excepted) {
            (true, None) => self.passed += 1,
            (false, Some(_)) => self.excepted += 1,
            (true, Some(exception)) => self
                .wrong
                .push(format!("{case}\n    passes, and is excepted because {}", exception.because)),
            (false, None) => {
                self.wrong.push(format!("{case}\n    expected {expected}\n    but found {actual}"));
            }
        }
    }

    /// Prints the totals; panics when a case went otherwise than it should.
    #[track_caller]
    pub fn settle(self) {
        let Score { suite, passed, excepted, wrong, .. } = self;
        println!("{suite}: {passed} passed, {excepted} excepted, {} wrong", wrong.len());
        assert!(wrong.is_empty(), "{suite}: {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}
