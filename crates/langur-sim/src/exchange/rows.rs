//! Rows of CSV and Parquet files as text.

use std::fs::File;
use std::path::Path;

use langur_table::{ParquetError, TableReader};

/// A file of rows, whose head has been read.
pub(crate) struct Table {
    /// The names of the columns.
    pub names: Vec<String>,
    rows: Rows,
}

enum Rows {
    Csv(csv::Reader<File>),
    Parquet(TableReader),
}

impl Table {
    /// Opens a file: Parquet if its name says so, and CSV otherwise.
    pub fn open(path: &Path) -> Result<Table, String> {
        if path.extension().is_some_and(|extension| extension == "parquet") {
            let file = File::open(path).map_err(|error| error.to_string())?;
            let table = TableReader::new(file).map_err(said)?;
            let names = table.fields().iter().map(|field| field.name.clone()).collect();
            Ok(Table { names, rows: Rows::Parquet(table) })
        } else {
            let reader = csv::ReaderBuilder::new().flexible(true).from_path(path);
            let mut reader = reader.map_err(|error| error.to_string())?;
            let head = reader.headers().map_err(|error| error.to_string())?;
            Ok(Table {
                names: head.iter().map(|name| name.trim().to_owned()).collect(),
                rows: Rows::Csv(reader),
            })
        }
    }

    /// Hands every row to `visit`: the number of the line (the row, for Parquet; both counted from 1)
    /// and the text of every column, empty where there is none.
    pub fn for_each(self, mut visit: impl FnMut(u64, &[String])) -> Result<(), String> {
        let mut cells = vec![String::new(); self.names.len()];
        match self.rows {
            Rows::Csv(mut reader) => {
                let mut record = csv::ByteRecord::new();
                while reader.read_byte_record(&mut record).map_err(|error| error.to_string())? {
                    for (i, cell) in cells.iter_mut().enumerate() {
                        cell.clear();
                        cell.push_str(&String::from_utf8_lossy(record.get(i).unwrap_or_default()));
                    }
                    visit(record.position().map_or(0, csv::Position::line), &cells);
                }
            }
            Rows::Parquet(table) => {
                let mut number = 0;
                let read = table.for_each(table.fields(), |columns, rows| {
                    for row in 0..rows {
                        number += 1;
                        for (column, cell) in columns.iter().zip(&mut cells) {
                            cell.clear();
                            column.write_text(row, cell)?;
                        }
                        visit(number, &cells);
                    }
                    Ok::<_, ParquetError>(())
                });
                read.map_err(said)?;
            }
        }
        Ok(())
    }
}

/// What is wrong with a Parquet file, without saying once more that it is one.
fn said(error: ParquetError) -> String {
    match error {
        ParquetError::General(why) => why,
        other => other.to_string(),
    }
}
