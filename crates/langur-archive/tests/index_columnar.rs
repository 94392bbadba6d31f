//! Common Crawl's columnar index, from a folder and from afar.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, Int16Array, Int32Array, RecordBatch, StringArray, TimestampMillisecondArray,
};
use langur_archive::index::{Capture, Columnar, Index, Keys, Timestamp};
use langur_store::{Store, StoreOptions};
use langur_testkit::FolderServer;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

fn capture(number: u32) -> Capture {
    let url = format!(
        "https://www.host{:04}.example/{}",
        number / 3,
        if number.is_multiple_of(3) { "a" } else { "b" }
    );
    Capture {
        mime: Some("text/html".to_owned()),
        status: Some(200),
        digest: Some(format!("DIGEST{number}")),
        filename: Some("crawl-data/x.warc.gz".to_owned()),
        offset: Some(u64::from(number) * 1000),
        length: Some(999),
        more: [("languages".to_owned(), "tha".into())].into_iter().collect(),
        ..Capture::new(&url, Timestamp::from_unix(1_716_379_200 + i64::from(number)))
    }
}

/// Writes captures in the order of their keys, in groups of 1000 rows and pages of 100.
fn write(path: &Path, captures: &[Capture], statistics: EnabledStatistics) {
    let texts = |text: fn(&Capture) -> Option<&str>| -> ArrayRef {
        Arc::new(captures.iter().map(text).collect::<StringArray>())
    };
    let times = captures.iter().map(|capture| capture.timestamp.unix() * 1000 + 250);
    let numbers = |number: fn(&Capture) -> Option<u64>| -> ArrayRef {
        Arc::new(captures.iter().map(|c| number(c).map(|n| n as i32)).collect::<Int32Array>())
    };
    let columns: [(&str, ArrayRef); 11] = [
        ("url_surtkey", texts(|c| Some(&c.key))),
        ("url", texts(|c| Some(&c.url))),
        ("url_host_name", texts(|_| Some("not read"))),
        ("fetch_time", Arc::new(TimestampMillisecondArray::from_iter_values(times))),
        (
            "fetch_status",
            Arc::new(captures.iter().map(|c| c.status.map(|s| s as i16)).collect::<Int16Array>()),
        ),
        ("content_digest", texts(|c| c.digest.as_deref())),
        ("content_mime_type", texts(|c| c.mime.as_deref())),
        ("content_languages", texts(|c| c.more["languages"].as_str())),
        ("warc_filename", texts(|c| c.filename.as_deref())),
        ("warc_record_offset", numbers(|c| c.offset)),
        ("warc_record_length", numbers(|c| c.length)),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("columns");
    let properties = WriterProperties::builder()
        .set_compression(Compression::GZIP(GzipLevel::default()))
        .set_max_row_group_row_count(Some(1000))
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(100)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(statistics)
        .build();
    let mut writer =
        ArrowWriter::try_new(File::create(path).expect("a file"), batch.schema(), Some(properties))
            .expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("written");
}

/// Three files, the rows of each in order.
fn table(statistics: EnabledStatistics) -> (tempfile::TempDir, Vec<Capture>) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let captures: Vec<Capture> = (0..9000).map(capture).collect();
    for (part, rows) in captures.chunks(3000).enumerate() {
        write(&folder.path().join(format!("part-{part:05}.c000.gz.parquet")), rows, statistics);
    }
    (folder, captures)
}

#[test]
fn a_url_is_found_whatever_the_files_say_of_their_keys() {
    for statistics in [EnabledStatistics::Page, EnabledStatistics::Chunk, EnabledStatistics::None] {
        let (folder, captures) = table(statistics);
        let store = Store::open(&folder.path().display().to_string(), StoreOptions::default());
        let index = Index::open(&store.expect("a folder"), &[]).expect("an index");
        for number in [0, 1, 2999, 3000, 5432, 8999] {
            let wanted = &captures[number];
            let expected: Vec<_> =
                captures.iter().filter(|c| c.key == wanted.key).cloned().collect();
            let found = index.captures(&wanted.url).expect("looked for");
            assert_eq!(found, expected, "{number} {statistics:?}");
        }
        assert_eq!(index.captures("http://nobody.example/").expect("looked for"), []);
        let mut found = Vec::new();
        index
            .scan(Keys::Prefix("example,host01"), &mut |capture| {
                found.push(capture);
                ControlFlow::Continue(())
            })
            .expect("scanned");
        assert_eq!(found, captures[300..600]);
    }
}

#[test]
fn from_afar_only_the_footers_of_files_without_the_key_are_read() {
    let (folder, captures) = table(EnabledStatistics::Page);
    let server = FolderServer::start(folder.path());
    let store = Store::open(&server.address(), StoreOptions::default()).expect("a store");
    let names = (0..3).map(|part| format!("part-{part:05}.c000.gz.parquet")).collect();
    let table = Columnar::open(&store, names);
    assert_eq!(server.requests(), []);
    let wanted = &captures[4321];
    let mut found = Vec::new();
    let flow = table.scan(Keys::Exact(&wanted.key), &mut |capture| {
        found.push(capture);
        ControlFlow::Continue(())
    });
    assert!(flow.expect("looked for").is_continue());
    assert!(found.contains(wanted) && found.len() <= 2);
    let of_others = server.requests().into_iter().filter(|request| !request.path.contains("00001"));
    // Its length, and its footer.
    assert_eq!(of_others.count(), 4);
}

#[test]
fn other_tables_and_damaged_ones_are_told() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let column: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
    let batch = RecordBatch::try_from_iter([("url", column)]).expect("a column");
    let place = folder.path().join("other.parquet");
    let mut writer =
        ArrowWriter::try_new(File::create(&place).expect("a file"), batch.schema(), None)
            .expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("written");
    let store = Store::open(&folder.path().display().to_string(), StoreOptions::default())
        .expect("a folder");
    let error = || {
        let index = Index::open(&store, &[]).expect("a table");
        index.captures("http://a.example/").expect_err("wrong").to_string()
    };
    assert!(error().contains("has no column url_surtkey"));
    std::fs::write(&place, "no table").expect("written");
    assert!(error().contains("is damaged"), "{}", error());
}

#[test]
fn a_damaged_table_is_read_or_refused() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let place = folder.path().join("a.parquet");
    let captures: Vec<Capture> = (0..300).map(capture).collect();
    write(&place, &captures, EnabledStatistics::Page);
    let whole = std::fs::read(&place).expect("there");
    let store = Store::open(&folder.path().display().to_string(), StoreOptions::default())
        .expect("a folder");
    let mut draw = 1u64;
    for _ in 0..1500 {
        let mut damaged = whole.clone();
        for _ in 0..3 {
            draw = draw
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Mostly the footer, on which everything depends.
            let from = if draw & 7 == 0 { 0 } else { whole.len() * 3 / 4 };
            let at = from + (draw >> 33) as usize % (whole.len() - from);
            damaged[at] = (draw >> 20) as u8;
        }
        std::fs::write(&place, &damaged).expect("written");
        let _ = Index::open(&store, &[]).expect("opened").captures(&captures[150].url);
    }
}
