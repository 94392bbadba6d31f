//! Writing tables.
//!
//! Parquet wants a group of rows column after column, and rows come with all their columns. So every column of
//! a group is encoded and compressed as it comes, in memory, and the group is put together when it is full:
//! what waits in memory is a group as it will lie in the file.

use std::fs::File;
use std::mem::{Discriminant, discriminant};
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnWriter, get_column_writer};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};

use crate::Values;

/// How values are packed.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    /// The level of Zstandard.
    pub level: i32,
    /// Whether values that come again and again are written once.
    pub dictionaries: bool,
}

/// Writes a Parquet file batch by batch. The same batches give the same bytes.
pub struct TableWriter {
    packing: Packing,
    /// Until the first batch tells what columns there are.
    file: Option<File>,
    begun: Option<Begun>,
}

/// Rows of a group.
const GROUP: usize = 1 << 20;

impl TableWriter {
    /// Begins a file.
    pub fn create(path: &Path, packing: Packing) -> std::io::Result<TableWriter> {
        Ok(TableWriter::new(File::create(path)?, packing))
    }

    /// Takes a file that is empty.
    pub fn new(file: File, packing: Packing) -> TableWriter {
        TableWriter { packing, file: Some(file), begun: None }
    }

    /// Adds rows. All batches have the same columns, and all columns of a batch as many values.
    pub fn write<N: AsRef<str>>(&mut self, columns: Vec<(N, Values)>) -> Result<(), ParquetError> {
        if let Some(file) = self.file.take() {
            self.begun = Some(Begun::new(file, &columns, self.packing)?);
        }
        let Some(begun) = &mut self.begun else {
            return Err(ParquetError::General("the table could not be begun".to_owned()));
        };
        begun.write(columns.into_iter().map(|(_, values)| values).collect())
    }

    /// Writes what remains.
    pub fn finish(self) -> Result<(), ParquetError> {
        self.begun.map_or(Ok(()), Begun::finish)
    }
}

/// A table whose columns are known.
struct Begun {
    file: SerializedFileWriter<File>,
    kinds: Vec<Discriminant<Values>>,
    /// The columns of the group that is being written, and how many rows it has.
    group: Vec<Encoding>,
    rows: usize,
}

impl Begun {
    fn new<N: AsRef<str>>(
        file: File,
        columns: &[(N, Values)],
        packing: Packing,
    ) -> Result<Begun, ParquetError> {
        let fields = columns.iter().map(|(name, values)| Ok(values.field(name.as_ref())?.into()));
        let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(packing.level)?))
            .set_dictionary_enabled(packing.dictionaries)
            .set_created_by("langur".to_owned())
            .build();
        Ok(Begun {
            file: SerializedFileWriter::new(file, schema.into(), properties.into())?,
            kinds: columns.iter().map(|(_, values)| discriminant(values)).collect(),
            group: Vec::new(),
            rows: 0,
        })
    }

    fn write(&mut self, mut columns: Vec<Values>) -> Result<(), ParquetError> {
        let rows = columns.first().map_or(0, Values::len);
        // Told and not asserted: a crawl that writes a log should not end over it.
        if columns.iter().any(|values| values.len() != rows) {
            return Err(ParquetError::General("columns of different lengths".to_owned()));
        }
        if !columns.iter().map(discriminant).eq(self.kinds.iter().copied()) {
            return Err(ParquetError::General("other columns than the table has".to_owned()));
        }
        let mut left = rows;
        while left > 0 {
            let taken = left.min(GROUP - self.rows);
            let rest = columns.iter_mut().map(|values| values.split_off(taken)).collect();
            self.write_into_group(columns)?;
            self.rows += taken;
            left -= taken;
            columns = rest;
            if self.rows == GROUP {
                self.end_group()?;
            }
        }
        Ok(())
    }

    fn write_into_group(&mut self, columns: Vec<Values>) -> Result<(), ParquetError> {
        if self.group.is_empty() {
            let (schema, properties) = (self.file.schema_descr(), self.file.properties());
            let begin = |column: &ColumnDescPtr| Encoding::begin(column, properties);
            self.group = schema.columns().iter().map(begin).collect();
        }
        for (encoding, values) in self.group.iter_mut().zip(columns) {
            values.write(&mut encoding.writer)?;
        }
        Ok(())
    }

    fn end_group(&mut self) -> Result<(), ParquetError> {
        self.rows = 0;
        let mut group = self.file.next_row_group()?;
        for Encoding { writer, pages } in self.group.drain(..) {
            let facts = writer.close()?;
            let pages = Arc::into_inner(pages).expect("its writer is closed");
            let pages = pages.into_inner().expect("no writer panicked").into_inner()?;
            group.append_column(&Bytes::from(pages), facts)?;
        }
        group.close().map(|_| ())
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        if self.rows > 0 {
            self.end_group()?;
        }
        self.file.close().map(|_| ())
    }
}

/// A column of a group, being encoded.
struct Encoding {
    writer: ColumnWriter<'static>,
    pages: Pages,
}

/// The pages of a column, as they will lie in the file.
type Pages = Arc<Mutex<TrackedWrite<Vec<u8>>>>;

impl Encoding {
    fn begin(column: &ColumnDescPtr, properties: &WriterPropertiesPtr) -> Encoding {
        let pages: Pages = Arc::new(Mutex::new(TrackedWrite::new(Vec::new())));
        let keeper = Box::new(Keeper { pages: pages.clone() });
        Encoding { writer: get_column_writer(column.clone(), properties.clone(), keeper), pages }
    }
}

/// Keeps pages in memory. It shares them with the [`Encoding`], since nothing gets a page writer back.
struct Keeper {
    pages: Pages,
}

impl PageWriter for Keeper {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        let mut pages = self.pages.lock().expect("no writer panicked");
        SerializedPageWriter::new(&mut pages).write_page(page)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        Ok(())
    }
}
