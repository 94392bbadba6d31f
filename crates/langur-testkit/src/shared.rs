//! The real data of `../shared/data`, where it is there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use serde_json::Value;

/// A file of the data, or a line that says it is not there.
pub fn file(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        println!("NOT RUN: ../shared/data is not there ({name})");
        return None;
    }
    Some(path)
}

/// The files of a `.tar.zst`, in its order.
pub fn archive(name: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let file = File::open(file(name)?).expect("an archive");
    let mut archive = tar::Archive::new(zstd::Decoder::new(file).expect("a zstd archive"));
    let mut files = Vec::new();
    for entry in archive.entries().expect("a tar archive") {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("the bytes of an entry");
        files.push((path, bytes));
    }
    Some(files)
}

/// A document of an archive, with the row of the manifest that describes it.
pub struct Document {
    /// Where it stands in the archive.
    pub path: String,
    /// The row.
    pub row: Value,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Document {
    /// What the row says under this key; nothing if it says nothing.
    pub fn text(&self, key: &str) -> &str {
        self.row[key].as_str().unwrap_or("")
    }
}

/// The documents that an archive's manifest names.
pub fn documents(name: &str) -> Option<Vec<Document>> {
    let mut rows = BTreeMap::new();
    let mut documents = Vec::new();
    for (path, bytes) in archive(name)? {
        if path.ends_with("manifest.jsonl") {
            for line in String::from_utf8(bytes).expect("a manifest in UTF-8").lines() {
                let row: Value = serde_json::from_str(line).expect("a row in JSON");
                rows.insert(row["path"].as_str().unwrap_or("").to_owned(), row);
            }
        } else if let Some(row) = rows.remove(&path) {
            documents.push(Document { path, row, bytes });
        }
    }
    Some(documents)
}
