//! The values of a column in a few rows.

use std::fmt::Write;

use parquet::basic::Type as Physical;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;

use crate::{Field, Kind};

/// The values of a column in the rows that were read last.
pub struct Column {
    pub(crate) field: Field,
    pub(crate) cells: Cells,
    pub(crate) levels: Levels,
}

/// Values as they lie in a file, one a row; where there is nothing, anything.
pub(crate) enum Cells {
    Flag(Vec<bool>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bytes(Vec<ByteArray>),
    /// They are not kept.
    Unread,
}

/// Which rows have a value.
pub(crate) struct Levels {
    /// The level of every row, or of nothing if every row has a value.
    pub definition: Vec<i16>,
    /// The level of a value that is there.
    pub full: i16,
    /// Where rows begin, in columns of lists.
    pub repetition: Vec<i16>,
    pub lists: bool,
}

impl Cells {
    pub(crate) fn of(physical: Physical) -> Cells {
        match physical {
            Physical::BOOLEAN => Cells::Flag(Vec::new()),
            Physical::INT32 => Cells::I32(Vec::new()),
            Physical::INT64 | Physical::INT96 => Cells::I64(Vec::new()),
            Physical::FLOAT => Cells::F32(Vec::new()),
            Physical::DOUBLE => Cells::F64(Vec::new()),
            Physical::BYTE_ARRAY => Cells::Bytes(Vec::new()),
            Physical::FIXED_LEN_BYTE_ARRAY => Cells::Unread,
        }
    }
}

impl Column {
    /// What column it is.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Whether a row has a value.
    pub fn has(&self, row: usize) -> bool {
        self.levels.definition.get(row).is_none_or(|&level| level == self.levels.full)
    }

    /// A row's whole number.
    pub fn integer(&self, row: usize) -> Option<i128> {
        let Kind::Integer { bits, signed } = self.field.kind else { return None };
        let value = self.bits(row)?;
        Some(if signed { value.into() } else { unsigned(value, bits).into() })
    }

    /// A row's number that is not negative.
    pub fn natural(&self, row: usize) -> Option<u64> {
        self.integer(row)?.try_into().ok()
    }

    /// A row's number.
    pub fn float(&self, row: usize) -> Option<f64> {
        match (&self.cells, &self.field.kind) {
            (Cells::F32(values), Kind::Float) if self.has(row) => Some(values[row].into()),
            (Cells::F64(values), Kind::Float) if self.has(row) => Some(values[row]),
            _ => None,
        }
    }

    /// A row's time, in seconds since the beginning of 1970.
    pub fn unix_seconds(&self, row: usize) -> Option<i64> {
        let Kind::Time { a_second } = self.field.kind else { return None };
        self.bits(row).map(|time| time.div_euclid(a_second))
    }

    /// A row's text. What is called text and is none is an error.
    pub fn text(&self, row: usize) -> Result<Option<&str>, ParquetError> {
        match &self.cells {
            Cells::Bytes(values) if self.field.kind == Kind::Text && self.has(row) => {
                let text = std::str::from_utf8(values[row].data()).map_err(|_| {
                    let name = &self.field.name;
                    ParquetError::General(format!("a text in the column {name} is not UTF-8"))
                })?;
                Ok(Some(text))
            }
            _ => Ok(None),
        }
    }

    /// Writes a row's value, whatever it is, behind `to`: flags as 1 and 0, and nothing as nothing.
    pub fn write_text(&self, row: usize, to: &mut String) -> Result<(), ParquetError> {
        if !self.has(row) {
            return Ok(());
        }
        let written = match (&self.cells, &self.field.kind) {
            (Cells::Bytes(_), Kind::Text) => {
                to.push_str(self.text(row)?.unwrap_or_default());
                Ok(())
            }
            (Cells::Flag(values), Kind::Flag) => to.write_str(if values[row] { "1" } else { "0" }),
            (Cells::F32(values), Kind::Float) => write!(to, "{}", values[row]),
            (Cells::F64(values), Kind::Float) => write!(to, "{}", values[row]),
            (_, &Kind::Integer { bits, signed }) => match self.bits(row).unwrap_or_default() {
                value if signed => write!(to, "{value}"),
                value => write!(to, "{}", unsigned(value, bits)),
            },
            _ => return Err(self.unreadable()),
        };
        written.expect("text can be written to");
        Ok(())
    }

    fn unreadable(&self) -> ParquetError {
        let kind = match &self.field.kind {
            Kind::Other(name) => name,
            _ => "timestamp",
        };
        ParquetError::General(format!(
            "a column of type {kind} cannot be read ({}); use text, numbers or booleans",
            self.field.name
        ))
    }

    fn bits(&self, row: usize) -> Option<i64> {
        match &self.cells {
            Cells::I32(values) if self.has(row) => Some(values[row].into()),
            Cells::I64(values) if self.has(row) => Some(values[row]),
            _ => None,
        }
    }
}

/// Parquet keeps unsigned numbers in signed ones.
fn unsigned(value: i64, bits: u32) -> u64 {
    value as u64 & u64::MAX.checked_shr(64u32.saturating_sub(bits)).unwrap_or_default()
}
