//! A column: a file that is an array of numbers.

use std::marker::PhantomData;

use memmap2::Mmap;

use langur_folder::FolderError;

use super::writer::ColumnWriter;

/// What a column may hold.
pub trait Element: bytemuck::Pod + Send + Sync {}
impl Element for u8 {}
impl Element for u16 {}
impl Element for u32 {}
impl Element for u64 {}

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

    /// Announces that the code at `index` will be asked for.
    #[inline]
    pub fn hint(&self, index: usize) {
        match self {
            Codes::Narrow(column) => langur_crawl::prefetch(column.as_slice(), index),
            Codes::Wide(column) => langur_crawl::prefetch(column.as_slice(), index),
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

    /// Appends codes.
    pub fn write(&mut self, codes: &[u16]) -> Result<(), FolderError> {
        if self.wide {
            return self.column.write(codes);
        }
        let mut narrow = [0_u8; 4096];
        for chunk in codes.chunks(narrow.len()) {
            for (to, &from) in narrow.iter_mut().zip(chunk) {
                *to = from as u8;
            }
            self.column.write(&narrow[..chunk.len()])?;
        }
        Ok(())
    }

    /// Appends codes that are known to fit one byte.
    pub fn write_narrow(&mut self, codes: &[u8]) -> Result<(), FolderError> {
        match self.wide {
            false => self.column.write(codes),
            true => codes.iter().try_for_each(|&code| self.column.write(&[u16::from(code)])),
        }
    }

    /// Closes the column.
    pub fn finish(self) -> Result<(), FolderError> {
        self.column.finish()
    }
}
