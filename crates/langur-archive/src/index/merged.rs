//! All indexes of an archive as one.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use langur_page::canon::archive::cdx_key;
use langur_store::{Store, StoreError};

use super::text::Text;
use super::{Capture, Columnar, INDEX, IndexError, IndexFile, Keys, Layout, WrongLine, ZipNum};

/// All indexes of an archive as one.
pub struct Index {
    parts: Vec<Part>,
    wrong: Mutex<Vec<WrongLine>>,
}

pub(super) enum Part {
    File(IndexFile),
    ZipNum(ZipNum),
    Columnar(Columnar),
}

/// How many wrong lines are remembered.
const WRONG: usize = 1000;

impl Index {
    /// Opens indexes by name, each as what its name says it is: `.cdxj`, `.cdx` and either with `.gz`;
    /// `.idx`, the summary of a ZipNum cluster; `.parquet`. A file of any other name is taken for one of
    /// lines. Without names, all that lie in the store and are called so; where a store cannot be listed, [`INDEX`].
    pub fn open(store: &Store, names: &[String]) -> Result<Index, IndexError> {
        let listed;
        let found = names.is_empty();
        let names: &[String] = if found {
            listed = indexes_in(store)?;
            &listed
        } else {
            names
        };
        let with = |end: &'static str| names.iter().filter(move |name| name.ends_with(end));
        let mut parts = Vec::new();
        for name in with(".idx") {
            parts.push(Part::ZipNum(ZipNum::open(store, name)?));
        }
        let lines = |name: &&String| !name.ends_with(".idx") && !name.ends_with(".parquet");
        for name in names.iter().filter(lines) {
            if !held(&parts, name)? {
                parts.push(Part::File(IndexFile::open(store, name)?));
            }
        }
        let tables: Vec<String> = with(".parquet").cloned().collect();
        if !tables.is_empty() {
            let found = found && !parts.is_empty();
            parts.push(Part::Columnar(Columnar::open(store, tables, found)));
        }
        if parts.is_empty() {
            return Err(IndexError::NoIndex(store.address().trim_end_matches('/').to_owned()));
        }
        refuse_nonsense(&parts)?;
        Ok(Index { parts, wrong: Mutex::default() })
    }

    /// All captures of a URL, the earliest first. `http` and `https`, with and without `www`, are the
    /// same to an index; a capture tells its own URL.
    pub fn captures(&self, url: &str) -> Result<Vec<Capture>, IndexError> {
        let key = cdx_key(url);
        let mut captures = self.captures_of(&key)?;
        if captures.is_empty() && url.ends_with('/') && !key.ends_with('/') && !key.contains('?') {
            // Most who write indexes leave out the slash at the end of a path; ipwb, for one, does not.
            captures = self.captures_of(&format!("{key}/"))?;
        }
        captures.sort_by(|a, b| a.order().cmp(&b.order()));
        captures.dedup();
        Ok(captures)
    }

    fn captures_of(&self, key: &str) -> Result<Vec<Capture>, IndexError> {
        let mut captures = Vec::new();
        self.scan(Keys::Exact(key), &mut |capture| {
            captures.push(capture);
            ControlFlow::Continue(())
        })?;
        Ok(captures)
    }

    /// Gives the captures with these keys to `visit` until it says to stop: those of one index file
    /// after those of another, in order within each.
    pub fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Capture) -> ControlFlow<()>,
    ) -> Result<(), IndexError> {
        let mut each = |found: Result<Capture, WrongLine>| match found {
            Ok(capture) => visit(capture),
            Err(wrong) => {
                self.report(wrong);
                ControlFlow::Continue(())
            }
        };
        for part in &self.parts {
            if part.scan(keys, &mut each)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The wrong lines met so far, the first thousand of them. Each is passed over.
    pub fn wrong_lines(&self) -> Vec<WrongLine> {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn report(&self, wrong: WrongLine) {
        let mut reports = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if reports.len() < WRONG && !reports.contains(&wrong) {
            reports.push(wrong);
        }
    }
}

impl Index {
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Part {
    /// Gives the captures with these keys to `visit`, in order, until it says to stop; wrong lines among them too.
    pub(super) fn scan(
        &self,
        keys: Keys<'_>,
        visit: &mut dyn FnMut(Result<Capture, WrongLine>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IndexError> {
        match self {
            Part::File(file) => file.scan(keys, visit),
            Part::ZipNum(cluster) => cluster.scan(keys, visit),
            Part::Columnar(table) => table.scan(keys, &mut |capture| visit(Ok(capture))),
        }
    }

    /// Its full address; of several tables, that of the first.
    pub(super) fn at(&self) -> &str {
        match self {
            Part::File(file) => file.at(),
            Part::ZipNum(cluster) => cluster.at(),
            Part::Columnar(table) => table.at(),
        }
    }

    /// Its lines; for a cluster, those of its summary.
    pub(super) fn text(&self) -> Option<&Text> {
        match self {
            Part::File(file) => Some(file.text()),
            Part::ZipNum(cluster) => Some(cluster.summary()),
            Part::Columnar(_) => None,
        }
    }

    /// What the fields of its lines are, if a header says so.
    pub(super) fn layout(&self) -> Option<&Layout> {
        match self {
            Part::File(file) => file.layout(),
            _ => None,
        }
    }
}

impl FromIterator<Index> for Index {
    fn from_iter<I: IntoIterator<Item = Index>>(indexes: I) -> Index {
        let parts = indexes.into_iter().flat_map(|index| index.parts).collect();
        Index { parts, wrong: Mutex::default() }
    }
}

impl From<ZipNum> for Index {
    fn from(cluster: ZipNum) -> Index {
        Index { parts: vec![Part::ZipNum(cluster)], wrong: Mutex::default() }
    }
}

/// The names of the indexes in a store.
fn indexes_in(store: &Store) -> Result<Vec<String>, IndexError> {
    match store.list() {
        Ok(names) => Ok(names.into_iter().filter(|name| is_index(name)).collect()),
        Err(StoreError::NoListing(address)) => match store.len(INDEX) {
            Err(error) if error.is_not_there() => {
                Err(IndexError::NotNamed(address.trim_end_matches('/').to_owned()))
            }
            length => Ok(length.map(|_| vec![INDEX.to_owned()])?),
        },
        Err(error) => Err(error.into()),
    }
}

fn is_index(name: &str) -> bool {
    [".cdxj", ".cdx", ".cdxj.gz", ".cdx.gz", ".idx", ".parquet"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Refuses files none of which has a line of an index: nothing would be found in them, and nobody told why. Beside
/// one that has, others may be something else that is called so.
fn refuse_nonsense(parts: &[Part]) -> Result<(), IndexError> {
    let mut wrong = None;
    for part in parts {
        let Part::File(file) = part else { return Ok(()) };
        let Some(why) = file.wrong_throughout()? else { return Ok(()) };
        wrong = wrong.or(Some(IndexError::NoLine { at: file.at().to_owned(), why }));
    }
    wrong.map_or(Ok(()), Err)
}

/// Whether a file of lines belongs to one of the clusters.
fn held(parts: &[Part], name: &str) -> Result<bool, IndexError> {
    for part in parts {
        if let Part::ZipNum(cluster) = part
            && cluster.holds(name)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use langur_store::StoreOptions;

    use super::*;

    #[test]
    fn files_without_a_line_of_an_index_are_refused() {
        let open = |files: &[&[u8]]| {
            let scratch = tempfile::tempdir().expect("a scratch folder");
            for (number, bytes) in files.iter().enumerate() {
                let path = scratch.path().join(format!("{number}.cdxj"));
                std::fs::write(path, bytes).expect("room");
            }
            let address = scratch.path().display().to_string();
            let store = Store::open(&address, StoreOptions::default()).expect("a store");
            Index::open(&store, &[]).map(|_| ()).map_err(|error| error.to_string())
        };
        let good = b"com,a)/ 20200101000000 {\"url\": \"http://a.com/\"}\n";
        let noise = b"\xff\xfe\x01\n\x80\n";
        for files in [&[&good[..]][..], &[b""], &[b" CDX N b a\n"], &[noise, good]] {
            assert_eq!(open(files), Ok(()), "{files:?}");
        }
        assert_eq!(open(&[&[&noise[..], good].concat()]), Ok(()), "one line is enough");
        for files in [&[&noise[..]][..], &[b"<html>\n"], &[noise, b"<html>\n"]] {
            let said = open(files).expect_err("refused");
            assert!(said.contains("0.cdxj is damaged") && said.contains("--index"), "{said}");
        }
    }
}
