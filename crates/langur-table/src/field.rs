//! What columns a file has, and what is in them.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::schema::types::{ColumnDescriptor, Type};

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub kind: Kind,
    /// Its number among the columns that the file has; of one that consists of several, the first.
    pub number: usize,
}

/// What is in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Yes or no.
    Flag,
    /// Whole numbers.
    Integer {
        /// How many bits count.
        bits: u32,
        /// Whether they may be negative.
        signed: bool,
    },
    /// Numbers of single or double precision.
    Float,
    /// Texts.
    Text,
    /// Times since the beginning of 1970.
    Time {
        /// How many of them are a second.
        a_second: i64,
    },
    /// Something else, by its name. Of its values can be told only whether they are there.
    Other(String),
}

/// The columns of a file.
pub fn fields(metadata: &ParquetMetaData) -> Result<Vec<Field>, ParquetError> {
    let schema = metadata.file_metadata().schema_descr();
    let roots = schema.root_schema().get_fields();
    let mut first = vec![None; roots.len()];
    for leaf in 0..schema.num_columns() {
        first[schema.get_column_root_idx(leaf)].get_or_insert(leaf);
    }
    let field = |(root, number): (&std::sync::Arc<Type>, Option<usize>)| {
        let name = root.name().to_owned();
        let number = number
            .ok_or_else(|| ParquetError::General(format!("the column {name} has nothing in it")))?;
        let column = schema.column(number);
        let flat = root.is_primitive() && column.max_rep_level() == 0;
        let kind = if flat { kind(&column) } else { Kind::Other("list or group".to_owned()) };
        Ok(Field { name, kind, number })
    };
    roots.iter().zip(first).map(field).collect()
}

fn kind(column: &ColumnDescriptor) -> Kind {
    let known = match column.physical_type() {
        Physical::BOOLEAN => Some(Kind::Flag),
        Physical::INT32 => integer(column, 32),
        Physical::INT64 => integer(column, 64).or_else(|| time(column)),
        // Older files of Hive and Spark have their times so; seconds are made of them when they are read.
        Physical::INT96 => Some(Kind::Time { a_second: 1 }),
        Physical::FLOAT | Physical::DOUBLE => Some(Kind::Float),
        Physical::BYTE_ARRAY => is_text(column).then_some(Kind::Text),
        Physical::FIXED_LEN_BYTE_ARRAY => None,
    };
    known.unwrap_or_else(|| Kind::Other(type_name(column)))
}

/// Newer files say what their numbers are in one way, older ones in another.
fn integer(column: &ColumnDescriptor, bits: u32) -> Option<Kind> {
    let (bits, signed) = match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Integer(integer)), _) => (integer.bit_width as u32, integer.is_signed),
        (Some(_), _) => return None,
        (None, ConvertedType::NONE) => (bits, true),
        (None, ConvertedType::INT_8) => (8, true),
        (None, ConvertedType::INT_16) => (16, true),
        (None, ConvertedType::INT_32) => (32, true),
        (None, ConvertedType::INT_64) => (64, true),
        (None, ConvertedType::UINT_8) => (8, false),
        (None, ConvertedType::UINT_16) => (16, false),
        (None, ConvertedType::UINT_32) => (32, false),
        (None, ConvertedType::UINT_64) => (64, false),
        (None, _) => return None,
    };
    Some(Kind::Integer { bits, signed })
}

fn time(column: &ColumnDescriptor) -> Option<Kind> {
    let a_second = match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Timestamp(time)), _) => match time.unit {
            TimeUnit::MILLIS => 1000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        },
        (None, ConvertedType::TIMESTAMP_MILLIS) => 1000,
        (None, ConvertedType::TIMESTAMP_MICROS) => 1_000_000,
        _ => return None,
    };
    Some(Kind::Time { a_second })
}

fn is_text(column: &ColumnDescriptor) -> bool {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(logical), _) => matches!(logical, LogicalType::String | LogicalType::Json),
        (None, converted) => matches!(converted, ConvertedType::UTF8 | ConvertedType::JSON),
    }
}

fn type_name(column: &ColumnDescriptor) -> String {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(logical), _) => format!("{logical:?}"),
        (None, ConvertedType::NONE) if column.physical_type() == Physical::BYTE_ARRAY => {
            "binary".to_owned()
        }
        (None, ConvertedType::NONE) => column.physical_type().to_string(),
        (None, converted) => converted.to_string(),
    }
}
