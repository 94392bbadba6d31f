//! ZipNum clusters of other kinds than Common Crawl's, and broken ones.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use langur_archive::index::{Index, Keys, ZipNum};
use langur_store::{Store, StoreOptions};
use proptest::collection::vec;
use proptest::prelude::*;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("compressed");
    encoder.finish().expect("compressed")
}

fn store(folder: &Path) -> Store {
    Store::open(&folder.display().to_string(), StoreOptions::default()).expect("a folder")
}

#[test]
fn the_summary_of_a_wacz_file_says_places_as_json() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let blocks = [
        gzip("com,a)/ 2020 {\"offset\": \"1\"}\ncom,b)/ 2020 {\"offset\": \"2\"}\n"),
        gzip("com,b)/ 2021 {\"offset\": \"3\"}\ncom,c)/ 2020 {\"offset\": \"4\"}\n"),
    ];
    let summary = format!(
        "!meta 0 {{\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}}\n\
         com,a)/ 2020 {{\"offset\": 0, \"length\": {}}}\ncom,b)/ 2021 {{\"offset\": {}, \"length\": {}}}\n",
        blocks[0].len(),
        blocks[0].len(),
        blocks[1].len()
    );
    fs::create_dir(folder.path().join("indexes")).expect("a folder");
    fs::write(folder.path().join("indexes/index.idx"), summary).expect("written");
    fs::write(folder.path().join("indexes/index.cdx.gz"), blocks.concat()).expect("written");

    // The file of the blocks is part of the cluster, and not an index of its own.
    let index = Index::open(&store(folder.path()), &[]).expect("an index");
    let mut offsets = Vec::new();
    index
        .scan(Keys::Prefix(""), &mut |capture| {
            offsets.extend(capture.offset);
            ControlFlow::Continue(())
        })
        .expect("scanned");
    assert_eq!(offsets, [1, 2, 3, 4]);
    let found = index.captures("http://b.com/").expect("found");
    assert_eq!(found.iter().map(|capture| capture.offset).collect::<Vec<_>>(), [Some(2), Some(3)]);

    // Without the summary, it is.
    let alone = Index::open(&store(folder.path()), &["indexes/index.cdx.gz".to_owned()]);
    assert_eq!(alone.expect("an index").captures("http://b.com/").expect("found"), found);
}

proptest! {
    #[test]
    fn a_broken_cluster_is_read_or_refused(
        summary in prop_oneof![
            vec(any::<u8>(), 0..200),
            "([a-c,)/]{0,5} [0-9]{0,14}\t(part|x|\\.\\.|)\t[0-9]{0,20}\t[0-9]{0,9}(\t1)?\n){0,4}".prop_map(String::into_bytes),
            "(!meta \\{.{0,9}\\}?\n)?([a-c,)/]{0,5} [0-9]{0,14} \\{\"offset\": [0-9]{0,3}, \"length\": [0-9]{0,3}\\}\n){0,4}".prop_map(String::into_bytes),
        ],
        places in "(part\tpart\t..?\n|x\n|.{0,9}\n){0,3}",
        part in vec(any::<u8>(), 0..100),
        key in "[a-c,)/]{0,4}",
    ) {
        let folder = tempfile::tempdir().expect("a scratch folder");
        fs::write(folder.path().join("a.idx"), &summary).expect("written");
        fs::write(folder.path().join("part"), &part).expect("written");
        for with_places in [false, true] {
            if with_places {
                fs::write(folder.path().join("a.loc"), &places).expect("written");
            }
            if let Ok(cluster) = ZipNum::open(&store(folder.path()), "a.idx") {
                for keys in [Keys::Exact(&key), Keys::Prefix(&key)] {
                    let _ = cluster.scan(keys, &mut |_| ControlFlow::Continue(()));
                }
            }
        }
    }
}
