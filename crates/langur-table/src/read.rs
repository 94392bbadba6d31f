//! Reading tables.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::ChunkReader;

use crate::{Column, Cursor, Field, fields, guarded};

/// A Parquet file whose footer was read.
pub struct TableReader<R = File> {
    chunks: Arc<R>,
    metadata: ParquetMetaData,
    fields: Vec<Field>,
}

/// Rows that are in memory at a time.
const BATCH: usize = 1024;

impl TableReader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<TableReader, ParquetError> {
        TableReader::new(File::open(path)?)
    }
}

impl<R: ChunkReader + 'static> TableReader<R> {
    /// Reads the footer of a file.
    pub fn new(chunks: R) -> Result<TableReader<R>, ParquetError> {
        guarded(|| {
            let metadata = ParquetMetaDataReader::new().parse_and_finish(&chunks)?;
            let fields = fields(&metadata)?;
            Ok(TableReader { chunks: Arc::new(chunks), metadata, fields })
        })
    }

    /// The columns that there are.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The column of this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Hands these columns to `visit`, and the number of rows they have, a few rows at a time. It may fail
    /// in its own way.
    pub fn for_each<E: From<ParquetError>>(
        &self,
        fields: &[Field],
        mut visit: impl FnMut(&[&Column], usize) -> Result<(), E>,
    ) -> Result<(), E> {
        for (number, group) in self.metadata.row_groups().iter().enumerate() {
            let cursor = |field| Cursor::open(&self.chunks, &self.metadata, number, field);
            let mut cursors = fields.iter().map(cursor).collect::<Result<Vec<_>, _>>()?;
            let mut left = usize::try_from(group.num_rows()).map_err(ParquetError::from)?;
            while left > 0 {
                let rows = left.min(BATCH);
                let columns = cursors.iter_mut().map(|cursor| cursor.read(rows));
                visit(&columns.collect::<Result<Vec<_>, _>>()?, rows)?;
                left -= rows;
            }
        }
        Ok(())
    }

    /// All values of a column, as `value` takes them out of it.
    pub fn column<T>(
        &self,
        name: &str,
        value: impl Fn(&Column, usize) -> Option<T>,
    ) -> Result<Vec<Option<T>>, ParquetError> {
        let field = self.field(name);
        let missing = || ParquetError::General(format!("there is no column {name}"));
        let field = field.ok_or_else(missing)?;
        let mut values = Vec::new();
        self.for_each(std::slice::from_ref(field), |columns, rows| {
            values.extend((0..rows).map(|row| value(columns[0], row)));
            Ok::<_, ParquetError>(())
        })?;
        Ok(values)
    }
}
