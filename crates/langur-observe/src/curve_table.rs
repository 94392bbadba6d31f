//! Curves as tables: `curve.parquet`.

use std::fs::File;
use std::path::Path;

use langur_crawl::Load;
use langur_table::{Column, Kind, TableReader, Values};

use crate::run::RunError;
use crate::{MeanScores, Point, table};

/// The columns that every curve has; `recent` is missing in runs of the first days.
const COUNTS: [&str; 6] = ["fetched", "ok_html", "relevant", "queue", "queue_max", "recent"];

/// Those in simulated time.
const LOADS: [&str; 5] = ["time_ms", "bytes", "busy_ms", "parked", "hosts_waiting"];

/// Those of mean scores, where a topic is wanted.
const SCORES: [&str; 2] = ["overall_relevancy", "recent_relevancy"];

pub(crate) fn write_curve(path: &Path, points: &[Point]) -> Result<(), RunError> {
    let mut columns = Vec::new();
    let counts = |value: fn(&Point) -> u64| Values::U64(points.iter().map(value).collect());
    columns.extend(COUNTS.into_iter().zip([
        counts(|point| point.fetched),
        counts(|point| point.ok_html),
        counts(|point| point.relevant),
        counts(|point| point.queue),
        counts(|point| point.queue_max),
        counts(|point| point.recent),
    ]));
    if let Some(loads) = points.iter().map(|point| point.load).collect::<Option<Vec<Load>>>() {
        let loads = |value: fn(&Load) -> u64| Values::U64(loads.iter().map(value).collect());
        columns.extend(LOADS.into_iter().zip([
            loads(|load| load.time_ms),
            loads(|load| load.bytes),
            loads(|load| load.busy_ms),
            loads(|load| load.parked),
            loads(|load| load.hosts_waiting),
        ]));
    }
    if let Some(scores) = points.iter().map(|point| point.relevancy).collect::<Option<Vec<_>>>() {
        let scores = |value: fn(&MeanScores) -> f64| scores.iter().map(value).collect();
        let [overall, recent] = [scores(|score| score.overall), scores(|score| score.recent)];
        columns.extend(SCORES.into_iter().zip([Values::F64(overall), Values::F64(recent)]));
    }
    let mut table = table::create(path)?;
    table.write(columns)?;
    Ok(table.finish()?)
}

/// Reads the curve of a run.
pub(crate) fn read_curve(run: &Path, path: &Path) -> Result<Vec<Point>, RunError> {
    let file = File::open(path).map_err(|error| RunError::Read(path.to_owned(), error))?;
    let table = TableReader::new(file)?;
    let mut points = Vec::new();
    table.for_each(table.fields(), |columns, rows| {
        let curve = CurveColumns::find(columns)
            .map_err(|name| RunError::NotARun(run.to_owned(), format!("a curve without {name}")))?;
        points.extend((0..rows).map(|row| curve.point(row)));
        Ok::<_, RunError>(())
    })?;
    Ok(points)
}

/// Where the columns of a curve are.
struct CurveColumns<'c> {
    counts: [&'c Column; 5],
    recent: Option<&'c Column>,
    loads: Option<[&'c Column; 5]>,
    scores: Option<[&'c Column; 2]>,
}

impl<'c> CurveColumns<'c> {
    /// Finds them, or tells which is missing.
    fn find(columns: &[&'c Column]) -> Result<CurveColumns<'c>, &'static str> {
        let named = |name: &str| columns.iter().copied().find(|c| c.field().name == name);
        let count = |name: &'static str| {
            let found = named(name);
            found.filter(|c| matches!(c.field().kind, Kind::Integer { .. })).ok_or(name)
        };
        let score = |name: &str| named(name).filter(|c| c.field().kind == Kind::Float);
        let [fetched, ok_html, relevant, queue, queue_max, recent] = COUNTS;
        let loads = LOADS.map(count);
        Ok(CurveColumns {
            counts: all([fetched, ok_html, relevant, queue, queue_max].map(count))?,
            recent: count(recent).ok(),
            loads: if named(LOADS[0]).is_some() { Some(all(loads)?) } else { None },
            scores: all(SCORES.map(|name| score(name).ok_or(name))).ok(),
        })
    }

    fn point(&self, row: usize) -> Point {
        let count = |column: &Column| column.natural(row).unwrap_or(0);
        let score = |column: &Column| column.float(row).unwrap_or(0.0);
        let [fetched, ok_html, relevant, queue, queue_max] = self.counts.map(count);
        Point {
            fetched,
            ok_html,
            relevant,
            queue,
            queue_max,
            recent: self.recent.map_or(0, count),
            load: self.loads.map(|loads| {
                let [time_ms, bytes, busy_ms, parked, hosts_waiting] = loads.map(count);
                Load { time_ms, bytes, busy_ms, parked, hosts_waiting }
            }),
            relevancy: self.scores.map(|scores| {
                let [overall, recent] = scores.map(score);
                MeanScores { overall, recent }
            }),
        }
    }
}

/// All of them, or the first that is missing.
fn all<'c, const N: usize>(
    columns: [Result<&'c Column, &'static str>; N],
) -> Result<[&'c Column; N], &'static str> {
    let found = columns.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(found.try_into().unwrap_or_else(|_| unreachable!("as many as were asked for")))
}
