//! The real data of `../shared/data`, where it is there.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// The folder of real data, or a line that says it is not there.
pub fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if !folder.is_dir() {
        println!("NOT RUN: ../shared/data is not there");
        return None;
    }
    Some(folder)
}

/// The files of a `.tar.zst`, in its order.
pub fn archive(name: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let file = File::open(folder()?.join(name)).expect("an archive");
    let mut archive = tar::Archive::new(zstd::Decoder::new(file).expect("zstd"));
    let mut files = Vec::new();
    for entry in archive.entries().expect("entries") {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").display().to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("bytes");
        files.push((path, bytes));
    }
    Some(files)
}
