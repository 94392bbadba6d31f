//! Rows of CSV and Parquet files as text.

use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

/// A file of rows, whose head has been read.
pub(crate) struct Table {
    /// The names of the columns.
    pub names: Vec<String>,
    rows: Rows,
}

enum Rows {
    Csv(csv::Reader<File>),
    Parquet(ParquetRecordBatchReader),
}

impl Table {
    /// Opens a file: Parquet if its name says so, and CSV otherwise.
    pub fn open(path: &Path) -> Result<Table, String> {
        if path.extension().is_some_and(|extension| extension == "parquet") {
            let file = File::open(path).map_err(|error| error.to_string())?;
            let reader = ParquetRecordBatchReaderBuilder::try_new(file)
                .map_err(|error| error.to_string())?;
            let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
            Ok(Table {
                names,
                rows: Rows::Parquet(reader.build().map_err(|error| error.to_string())?),
            })
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
            Rows::Parquet(reader) => {
                let mut number = 0;
                for batch in reader {
                    let batch = batch.map_err(|error| error.to_string())?;
                    for row in 0..batch.num_rows() {
                        number += 1;
                        fill(&batch, row, &mut cells)?;
                        visit(number, &cells);
                    }
                }
            }
        }
        Ok(())
    }
}

fn fill(batch: &RecordBatch, row: usize, cells: &mut [String]) -> Result<(), String> {
    use std::fmt::Write;
    for (column, cell) in batch.columns().iter().zip(cells) {
        cell.clear();
        if column.is_null(row) {
            continue;
        }
        macro_rules! number {
            ($type:ty) => {
                write!(cell, "{}", column.as_primitive::<$type>().value(row))
                    .expect("text can be written to")
            };
        }
        match column.data_type() {
            DataType::Utf8 => cell.push_str(column.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => cell.push_str(column.as_string::<i64>().value(row)),
            DataType::Utf8View => cell.push_str(column.as_string_view().value(row)),
            DataType::Boolean => {
                cell.push_str(if column.as_boolean().value(row) { "1" } else { "0" })
            }
            DataType::Int8 => number!(Int8Type),
            DataType::Int16 => number!(Int16Type),
            DataType::Int32 => number!(Int32Type),
            DataType::Int64 => number!(Int64Type),
            DataType::UInt8 => number!(UInt8Type),
            DataType::UInt16 => number!(UInt16Type),
            DataType::UInt32 => number!(UInt32Type),
            DataType::UInt64 => number!(UInt64Type),
            DataType::Float32 => number!(Float32Type),
            DataType::Float64 => number!(Float64Type),
            other => {
                return Err(format!(
                    "a column of type {other} cannot be read; use text, numbers or booleans"
                ));
            }
        }
    }
    Ok(())
}
