//! What is written into a column, and what a column of it is in a file.

use std::borrow::Cow;

use bytes::Bytes;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::schema::types::Type;

use crate::Texts;

/// The values of a column, one a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers of 16 bits.
    U16(Vec<u16>),
    /// Whole numbers of 32 bits.
    U32(Vec<u32>),
    /// Whole numbers of 32 bits, or nothing.
    MaybeU32(Vec<Option<u32>>),
    /// Whole numbers of 64 bits.
    U64(Vec<u64>),
    /// Numbers of single precision.
    F32(Vec<f32>),
    /// Numbers of double precision.
    F64(Vec<f64>),
    /// Yes or no.
    Flag(Vec<bool>),
    /// Texts.
    Text(Texts),
}

/// Does the same with the values, whatever they are.
macro_rules! each {
    ($values:expr, $column:ident => $what:expr) => {
        match $values {
            Values::U16($column) => $what,
            Values::U32($column) => $what,
            Values::MaybeU32($column) => $what,
            Values::U64($column) => $what,
            Values::F32($column) => $what,
            Values::F64($column) => $what,
            Values::Flag($column) => $what,
            Values::Text($column) => $what,
        }
    };
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        each!(self, column => column.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value as text: flags are 1 and 0, and nothing is nothing.
    pub fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Values::U16(values) => values[row].to_string().into(),
            Values::U32(values) => values[row].to_string().into(),
            Values::MaybeU32(values) => {
                values[row].map_or(Cow::Borrowed(""), |value| value.to_string().into())
            }
            Values::U64(values) => values[row].to_string().into(),
            Values::F32(values) => values[row].to_string().into(),
            Values::F64(values) => values[row].to_string().into(),
            Values::Flag(values) => if values[row] { "1" } else { "0" }.into(),
            Values::Text(values) => values.get(row).into(),
        }
    }

    /// Keeps the first values and gives the others.
    pub(crate) fn split_off(&mut self, at: usize) -> Values {
        match self {
            Values::U16(values) => Values::U16(values.split_off(at)),
            Values::U32(values) => Values::U32(values.split_off(at)),
            Values::MaybeU32(values) => Values::MaybeU32(values.split_off(at)),
            Values::U64(values) => Values::U64(values.split_off(at)),
            Values::F32(values) => Values::F32(values.split_off(at)),
            Values::F64(values) => Values::F64(values.split_off(at)),
            Values::Flag(values) => Values::Flag(values.split_off(at)),
            Values::Text(values) => Values::Text(values.split_off(at)),
        }
    }

    /// What a column of them is in a file.
    pub(crate) fn field(&self, name: &str) -> Result<Type, ParquetError> {
        let whole = |bits| Some(LogicalType::integer(bits, false));
        let (physical, logical) = match self {
            Values::U16(_) => (Physical::INT32, whole(16)),
            Values::U32(_) | Values::MaybeU32(_) => (Physical::INT32, whole(32)),
            Values::U64(_) => (Physical::INT64, whole(64)),
            Values::F32(_) => (Physical::FLOAT, None),
            Values::F64(_) => (Physical::DOUBLE, None),
            Values::Flag(_) => (Physical::BOOLEAN, None),
            Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let optional = matches!(self, Values::MaybeU32(_));
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED })
            .build()
    }

    /// Writes them. The writer is one for a column of this kind.
    pub(crate) fn write(self, writer: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        use ColumnWriter::*;
        // Parquet has no unsigned numbers: the same bits are kept, and the type says how they are read.
        let narrow = |value: u32| value as i32;
        match (self, writer) {
            (Values::U16(values), Int32ColumnWriter(writer)) => {
                let values: Vec<i32> = values.into_iter().map(i32::from).collect();
                writer.write_batch(&values, None, None)
            }
            (Values::U32(values), Int32ColumnWriter(writer)) => {
                let values: Vec<i32> = values.into_iter().map(narrow).collect();
                writer.write_batch(&values, None, None)
            }
            (Values::MaybeU32(values), Int32ColumnWriter(writer)) => {
                let levels: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
                let values: Vec<i32> = values.into_iter().flatten().map(narrow).collect();
                writer.write_batch(&values, Some(&levels), None)
            }
            (Values::U64(values), Int64ColumnWriter(writer)) => {
                let values: Vec<i64> = values.into_iter().map(|value| value as i64).collect();
                writer.write_batch(&values, None, None)
            }
            (Values::F32(values), FloatColumnWriter(writer)) => {
                writer.write_batch(&values, None, None)
            }
            (Values::F64(values), DoubleColumnWriter(writer)) => {
                writer.write_batch(&values, None, None)
            }
            (Values::Flag(values), BoolColumnWriter(writer)) => {
                writer.write_batch(&values, None, None)
            }
            (Values::Text(values), ByteArrayColumnWriter(writer)) => {
                writer.write_batch(&byte_arrays(values), None, None)
            }
            _ => unreachable!("a batch has the columns that the table has"),
        }
        .map(|_| ())
    }
}

/// The texts as Parquet takes them. They stay side by side: each is looked at several times (to find the least and the
/// greatest, and whether it came before), and texts that lie anywhere are waited for every time.
fn byte_arrays(texts: Texts) -> Vec<ByteArray> {
    let (all, ends) = texts.into_parts();
    let all = Bytes::from(all);
    let mut start = 0;
    let array = |end: usize| ByteArray::from(all.slice(std::mem::replace(&mut start, end)..end));
    ends.into_iter().map(array).collect()
}
