//! Every visit as a row of a Parquet file.

use std::path::Path;

use langur_crawl::{Observer, Outcome, Time, Trail, Visited};
use langur_table::{TableWriter, Values};

use crate::run::RunError;
use crate::table;

/// Rows a batch.
const BATCH: usize = 1 << 16;

/// Writes `visits.parquet`: order, page, priority, trail, relevance, ok_html, queue; and `time_ms` in simulated time.
pub struct VisitLog {
    table: TableWriter,
    rows: Rows,
    order: u64,
    timed: bool,
    /// The first thing that went wrong; an observer cannot stop a crawl.
    error: Option<RunError>,
}

#[derive(Default)]
struct Rows {
    page: Vec<u32>,
    priority: Vec<u32>,
    trail: Vec<Option<u32>>,
    relevance: Vec<f32>,
    ok_html: Vec<bool>,
    queue: Vec<u64>,
    time_ms: Vec<u64>,
}

impl VisitLog {
    /// Begins the file. `timed`: whether the clock tells milliseconds, and not only steps.
    pub fn create(path: &Path, timed: bool) -> Result<VisitLog, RunError> {
        let table = table::create(path)?;
        Ok(VisitLog { table, rows: Rows::default(), order: 0, timed, error: None })
    }

    fn flush(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let first = self.order - rows.page.len() as u64;
        let mut columns = vec![
            ("order", Values::U64((first + 1..=self.order).collect())),
            ("page", Values::U32(rows.page)),
            ("priority", Values::U32(rows.priority)),
            ("trail", Values::MaybeU32(rows.trail)),
            ("relevance", Values::F32(rows.relevance)),
            ("ok_html", Values::Flag(rows.ok_html)),
            ("queue", Values::U64(rows.queue)),
        ];
        if self.timed {
            columns.push(("time_ms", Values::U64(rows.time_ms)));
        }
        if let Err(error) = self.table.write(columns) {
            self.error.get_or_insert(RunError::Parquet(error));
        }
    }

    /// Closes the file, and tells what went wrong if anything did.
    pub fn finish(mut self) -> Result<(), RunError> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.table.finish()?),
        }
    }
}

impl<T: Trail> Observer<T> for VisitLog {
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time) {
        self.order += 1;
        self.rows.page.push(visited.page.0);
        self.rows.priority.push(visited.lead.priority.0);
        self.rows.trail.push(visited.lead.trail.crossed());
        self.rows.relevance.push(visited.judgement.relevance.score);
        self.rows.ok_html.push(visited.outcome == Outcome::OkHtml);
        self.rows.queue.push(waiting as u64);
        if self.timed {
            self.rows.time_ms.push(now.0);
        }
        if self.rows.page.len() == BATCH {
            self.flush();
        }
    }
}
