//! Columns of numbers as Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

/// Writes Parquet files batch by batch. The same batches give the same bytes.
pub(crate) struct Table {
    file: Option<File>,
    writer: Option<ArrowWriter<File>>,
}

impl Table {
    pub fn create(path: &Path) -> std::io::Result<Table> {
        Ok(Table { file: Some(File::create(path)?), writer: None })
    }

    pub fn write(&mut self, columns: Vec<(&str, ArrayRef)>) -> Result<(), ParquetError> {
        let batch = RecordBatch::try_from_iter(columns)?;
        if let Some(file) = self.file.take() {
            self.writer = Some(ArrowWriter::try_new(file, batch.schema(), Some(properties()))?);
        }
        self.writer.as_mut().expect("the first batch makes the writer").write(&batch)
    }

    pub fn finish(self) -> Result<(), ParquetError> {
        match self.writer {
            Some(writer) => writer.close().map(|_| ()),
            None => Ok(()),
        }
    }
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).expect("1 is a level")))
        .set_dictionary_enabled(false)
        .set_created_by("langur".to_owned())
        .build()
}

pub(crate) fn column<A: arrow_array::Array + 'static>(values: A) -> ArrayRef {
    Arc::new(values)
}
