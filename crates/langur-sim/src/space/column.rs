//! A column: a file that is an array of numbers.

use std::marker::PhantomData;

use memmap2::Mmap;

use langur_folder::FolderError;

use super::all_columns::CodeSlice;
use super::writer::ColumnWriter;

/// What a column may hold.
pub trait Element: bytemuck::Pod + Send + Sync {}
impl Element for u8 {}
impl Element for u16 {}
impl Element for u32 {}
impl Element for u64 {}
impl Element for f32 {}

/// A column in memory.
pub struct Column<T> {
    map: Option<Mmap>,
    element: PhantomData<T>,
}

impl<T: Element> Column<T> {
    /// A column over a mapped file; `None` stands for an empty file, which cannot be mapped. The
    /// length must be a multiple of the element's.
    pub(super) fn new(map: Option<Mmap>) -> Column<T> {
        Column { map, element: PhantomData }
    }

    /// The numbers.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        match &self.map {
            // A map starts at the beginning of a memory page, so it is aligned for any number.
            Some(map) => bytemuck::cast_slice(map),
            None => &[],
        }
    }
}

/// The code of what is not known, in every column of codes.
pub const UNKNOWN: u16 = 0;

/// A column of small codes, one byte each if they fit and two otherwise. A code is the place of a
/// word in one of the manifest's tables, counted from 1; 0 is [`UNKNOWN`].
pub enum Codes {
    /// One byte each.
    Narrow(Column<u8>),
    /// Two bytes each.
    Wide(Column<u16>),
}

impl Codes {
    /// The code at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> u16 {
        match self {
            Codes::Narrow(column) => u16::from(column.as_slice()[index]),
            Codes::Wide(column) => column.as_slice()[index],
        }
    }

    /// Whether a table of this many words needs two bytes a code.
    pub fn is_wide(words: usize) -> bool {
        words > usize::from(u8::MAX)
    }
}

/// Writes a column of codes in the width their table needs.
pub struct CodesWriter {
    column: ColumnWriter,
    wide: bool,
}

impl CodesWriter {
    /// Codes into a table of `words` words.
    pub fn new(column: ColumnWriter, words: usize) -> CodesWriter {
        CodesWriter { column, wide: Codes::is_wide(words) }
    }

    /// Appends codes, in whatever width the column has.
    pub fn write(&mut self, codes: CodeSlice) -> Result<(), FolderError> {
        match (codes, self.wide) {
            (CodeSlice::Narrow(codes), false) => self.column.write(codes),
            (CodeSlice::Wide(codes), true) => self.column.write(codes),
            (CodeSlice::Narrow(codes), true) => {
                self.column.write(&codes.iter().map(|&code| u16::from(code)).collect::<Vec<_>>())
            }
            (CodeSlice::Wide(codes), false) => {
                self.column.write(&codes.iter().map(|&code| code as u8).collect::<Vec<_>>())
            }
        }
    }

    /// Closes the column.
    pub fn finish(self) -> Result<(), FolderError> {
        self.column.finish()
    }
}
