//! A column of a group of rows, read onward.

use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{DataType, Int96};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

use crate::column::{Cells, Levels};
use crate::{Column, Field, guarded};

/// Reads one column of one group of rows, from its first row onward.
pub struct Cursor {
    reader: ColumnReader,
    column: Column,
    row: usize,
}

impl Cursor {
    /// Goes before the first row. Pages of rows that are left out are not read, if the metadata tell where pages
    /// begin.
    pub fn open<R: ChunkReader + 'static>(
        chunks: &Arc<R>,
        metadata: &ParquetMetaData,
        group: usize,
        field: &Field,
    ) -> Result<Cursor, ParquetError> {
        guarded(|| {
            let rows = metadata.row_group(group);
            let chunk = rows.column(field.number);
            let index = metadata.page_index();
            let index = index.and_then(|index| index.offset_index(group, field.number));
            let pages = index.map(|index| index.page_locations().clone());
            let count = usize::try_from(rows.num_rows())?;
            let pages = SerializedPageReader::new(chunks.clone(), chunk, count, pages)?;
            let descriptor = chunk.column_descr_ptr();
            let levels = Levels {
                definition: Vec::new(),
                full: descriptor.max_def_level(),
                repetition: Vec::new(),
                lists: descriptor.max_rep_level() > 0,
            };
            let cells = Cells::of(descriptor.physical_type());
            let column = Column { field: field.clone(), cells, levels };
            let reader = get_column_reader(descriptor, Box::new(pages));
            Ok(Cursor { reader, column, row: 0 })
        })
    }

    /// Leaves out what is before a row. There is no way back.
    pub fn skip_to(&mut self, row: usize) -> Result<(), ParquetError> {
        let left_out = row.checked_sub(self.row).expect("cursors go onward");
        let skipped = guarded(|| skip(&mut self.reader, left_out))?;
        self.row = row;
        self.check(skipped, left_out)
    }

    /// Reads the next rows.
    pub fn read(&mut self, rows: usize) -> Result<&Column, ParquetError> {
        let (reader, column) = (&mut self.reader, &mut self.column);
        let found = guarded(|| fill(reader, column, rows))?;
        self.row += rows;
        self.check(found, rows)?;
        Ok(&self.column)
    }

    /// What was read last.
    pub fn column(&self) -> &Column {
        &self.column
    }

    fn check(&self, found: usize, wanted: usize) -> Result<(), ParquetError> {
        if found == wanted {
            return Ok(());
        }
        let name = &self.column.field.name;
        Err(ParquetError::General(format!("the column {name} has fewer rows than it should have")))
    }
}

fn skip(reader: &mut ColumnReader, rows: usize) -> Result<usize, ParquetError> {
    use ColumnReader::*;
    match reader {
        BoolColumnReader(reader) => reader.skip_records(rows),
        Int32ColumnReader(reader) => reader.skip_records(rows),
        Int64ColumnReader(reader) => reader.skip_records(rows),
        Int96ColumnReader(reader) => reader.skip_records(rows),
        FloatColumnReader(reader) => reader.skip_records(rows),
        DoubleColumnReader(reader) => reader.skip_records(rows),
        ByteArrayColumnReader(reader) => reader.skip_records(rows),
        FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
    }
}

fn fill(
    reader: &mut ColumnReader,
    column: &mut Column,
    rows: usize,
) -> Result<usize, ParquetError> {
    use ColumnReader::*;
    let levels = &mut column.levels;
    match (reader, &mut column.cells) {
        (BoolColumnReader(reader), Cells::Flag(values)) => records(reader, rows, levels, values),
        (Int32ColumnReader(reader), Cells::I32(values)) => records(reader, rows, levels, values),
        (Int64ColumnReader(reader), Cells::I64(values)) => records(reader, rows, levels, values),
        (Int96ColumnReader(reader), Cells::I64(values)) => {
            let mut times: Vec<Int96> = Vec::new();
            let found = records(reader, rows, levels, &mut times)?;
            values.clear();
            values.extend(times.iter().map(Int96::to_seconds));
            Ok(found)
        }
        (FloatColumnReader(reader), Cells::F32(values)) => records(reader, rows, levels, values),
        (DoubleColumnReader(reader), Cells::F64(values)) => records(reader, rows, levels, values),
        (ByteArrayColumnReader(reader), Cells::Bytes(values)) => {
            records(reader, rows, levels, values)
        }
        (FixedLenByteArrayColumnReader(reader), _) => {
            records(reader, rows, levels, &mut Vec::new())
        }
        _ => unreachable!("cells are made for their column"),
    }
}

/// Reads rows: which of them have a value, and the values, each in the place of its row.
fn records<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    levels: &mut Levels,
    values: &mut Vec<T::T>,
) -> Result<usize, ParquetError> {
    values.clear();
    levels.definition.clear();
    levels.repetition.clear();
    let (definition, repetition) = (&mut levels.definition, &mut levels.repetition);
    let (found, ..) = reader.read_records(rows, Some(definition), Some(repetition), values)?;
    if levels.lists {
        levels.of_rows();
    } else if values.len() < levels.definition.len() {
        spread(values, &levels.definition, levels.full);
    }
    Ok(found)
}

impl Levels {
    /// Makes levels of values in lists those of the lists: of each the first, and whether there is anything.
    fn of_rows(&mut self) {
        self.full = 1;
        let both = self.definition.iter().zip(&self.repetition);
        let first = both.filter(|(_, repetition)| **repetition == 0);
        self.definition = first.map(|(&definition, _)| definition.min(1)).collect();
    }
}

/// Moves values, which lie side by side, to their rows; from the last on, so that none is in the way.
fn spread<V: Default>(values: &mut Vec<V>, levels: &[i16], full: i16) {
    let mut next = values.len();
    values.resize_with(levels.len(), V::default);
    for row in (0..levels.len()).rev() {
        if levels[row] == full {
            next -= 1;
            values.swap(row, next);
        }
    }
}
