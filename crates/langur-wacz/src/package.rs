//! The ZIP file, and the description of what is in it.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use langur_archive::index::Timestamp;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::WaczError;

/// How much is copied at a time.
const PIECE: usize = 1 << 20;

/// From this length on, an entry needs ZIP64's wider fields.
const LONG: u64 = u32::MAX as u64;

/// A WACZ file being written.
pub(crate) struct Package {
    path: PathBuf,
    zip: ZipWriter<BufWriter<File>>,
    options: SimpleFileOptions,
    resources: Vec<Value>,
}

impl Package {
    /// Begins a file. All entries bear one date, so that nothing of it depends on when it is written.
    pub(crate) fn create(path: &Path, date: Timestamp) -> Result<Package, WaczError> {
        let file = File::create(path).map_err(WaczError::writing(path))?;
        let options = SimpleFileOptions::default()
            // Records are read out of the middle of the WARC files, so these must lie there as they are.
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(zip_date(date))
            .unix_permissions(0o644);
        let zip = ZipWriter::new(BufWriter::new(file));
        Ok(Package { path: path.to_owned(), zip, options, resources: Vec::new() })
    }

    /// Copies the first `length` bytes of a file into it under this name.
    pub(crate) fn add(
        &mut self,
        name: &str,
        file: &Path,
        length: u64,
        copied: &mut dyn FnMut(u64),
    ) -> Result<(), WaczError> {
        let reading = WaczError::reading(file);
        let writing = WaczError::writing(&self.path);
        let mut source = File::open(file).map_err(&reading)?.take(length);
        let options = self.options.large_file(length >= LONG);
        self.zip.start_file(name, options).map_err(|error| writing(error.into()))?;
        let mut digest = Sha256::new();
        let mut piece = vec![0; PIECE];
        let mut bytes = 0;
        loop {
            let read = source.read(&mut piece).map_err(&reading)?;
            if read == 0 {
                break;
            }
            digest.update(&piece[..read]);
            self.zip.write_all(&piece[..read]).map_err(&writing)?;
            bytes += read as u64;
            copied(read as u64);
        }
        if bytes < length {
            return Err(reading(std::io::ErrorKind::UnexpectedEof.into()));
        }
        let hash = named(&digest.finalize());
        let resource = self.resource_name(name);
        self.resources
            .push(json!({ "name": resource, "path": name, "hash": hash, "bytes": bytes }));
        Ok(())
    }

    /// Writes the description, and the digest of the description. Gives back how long the file is.
    pub(crate) fn finish(mut self, mut description: Map<String, Value>) -> Result<u64, WaczError> {
        description.insert("resources".to_owned(), self.resources.into());
        let description = pretty(&description.into());
        let digest = json!({ "path": "datapackage.json", "hash": sha256(&description) });
        let writing = WaczError::writing(&self.path);
        let entries =
            [("datapackage.json", description), ("datapackage-digest.json", pretty(&digest))];
        for (name, bytes) in entries {
            self.zip.start_file(name, self.options).map_err(|error| writing(error.into()))?;
            self.zip.write_all(&bytes).map_err(&writing)?;
        }
        let file = self.zip.finish().map_err(|error| writing(error.into()))?;
        let file = file.into_inner().map_err(|error| writing(error.into_error()))?;
        Ok(file.metadata().map_err(writing)?.len())
    }

    /// What a resource is called: names of data packages are lower-case and unlike each other.
    fn resource_name(&self, path: &str) -> String {
        let last = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let plain: String = last.chars().map(|c| if allowed(c) { c } else { '-' }).collect();
        let taken = |name: &str| self.resources.iter().any(|resource| resource["name"] == name);
        let numbered = (2..).map(|number| format!("{number}-{plain}"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        names.find(|name| !taken(name)).expect("one of endless names is free")
    }
}

/// The digest of these bytes, with the name of its kind.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    named(&Sha256::digest(bytes))
}

fn named(digest: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(digest))
}

fn pretty(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// ZIP knows the years 1980 to 2107; other moments become the first of them.
fn zip_date(date: Timestamp) -> DateTime {
    let digits = Timestamp::from_unix(date.unix()).to_string();
    let part = |from: usize| digits[from..from + 2].parse::<u8>().unwrap_or_default();
    let year = digits[..4].parse().unwrap_or_default();
    let date = DateTime::from_date_and_time(year, part(4), part(6), part(8), part(10), part(12));
    date.unwrap_or_default()
}
