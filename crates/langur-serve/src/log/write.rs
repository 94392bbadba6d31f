//! Writing a request log.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{FORMAT, Header, LogError, Row, VERSION};
use crate::conditions::Conditions;

/// A request log being written. Each row is one write to the file, so no other line is ever in it.
pub struct LogWriter {
    path: PathBuf,
    file: Mutex<File>,
}

impl LogWriter {
    /// Begins a log; there must be no such file.
    pub fn create(path: &Path, conditions: &Conditions) -> Result<LogWriter, LogError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LogError::Exists(path.to_owned()),
            _ => LogError::Write(path.to_owned(), error),
        })?;
        let log = LogWriter { path: path.to_owned(), file: Mutex::new(file) };
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        log.line(&Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            started_at: since_1970.as_secs(),
            conditions: conditions.clone(),
        })?;
        Ok(log)
    }

    /// Adds a row.
    pub fn write(&self, row: &Row) -> Result<(), LogError> {
        self.line(row)
    }

    fn line(&self, object: &impl serde::Serialize) -> Result<(), LogError> {
        let mut line = serde_json::to_vec(object).expect("headers and rows are JSON");
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|error| LogError::Write(self.path.clone(), error))
    }
}
