//! Common Crawl's columnar index, from a folder and from afar.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use langur_archive::index::{Capture, Columnar, Index, Keys, Timestamp};
use langur_store::{Store, StoreOptions};
use langur_testkit::FolderServer;
use parquet::basic::{Compression, GzipLevel, Type};
use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type, Int96, Int96Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescriptor;

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

/// As Spark writes Common Crawl's index.
const SCHEMA: &str = "message spark_schema {
    OPTIONAL BYTE_ARRAY url_surtkey (UTF8);
    OPTIONAL BYTE_ARRAY url (UTF8);
    OPTIONAL BYTE_ARRAY url_host_name (UTF8);
    OPTIONAL INT64 fetch_time (TIMESTAMP(MILLIS, true));
    OPTIONAL INT32 fetch_status (INT_16);
    OPTIONAL BYTE_ARRAY content_digest (UTF8);
    OPTIONAL BYTE_ARRAY content_mime_type (UTF8);
    OPTIONAL BYTE_ARRAY content_languages (UTF8);
    OPTIONAL BYTE_ARRAY warc_filename (UTF8);
    OPTIONAL INT32 warc_record_offset;
    OPTIONAL INT32 warc_record_length;
}";

/// Writes captures in the order of their keys, in groups of 1000 rows and pages of 100.
fn write(path: &Path, captures: &[Capture], statistics: EnabledStatistics) {
    let properties = WriterProperties::builder()
        .set_compression(Compression::GZIP(GzipLevel::default()))
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(100)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(statistics)
        .build();
    write_as(SCHEMA, properties, path, captures);
}

fn write_as(schema: &str, properties: WriterProperties, path: &Path, captures: &[Capture]) {
    let schema = parse_message_type(schema).expect("a schema");
    let file = File::create(path).expect("a file");
    let writer = SerializedFileWriter::new(file, schema.into(), properties.into());
    let mut writer = writer.expect("a writer");
    let columns = writer.schema_descr().columns().to_vec();
    for rows in captures.chunks(1000) {
        let mut group = writer.next_row_group().expect("a group");
        columns.iter().for_each(|column| write_column(&mut group, column, rows));
        group.close().expect("written");
    }
    writer.close().expect("written");
}

type Group<'a> = SerializedRowGroupWriter<'a, File>;

fn write_column(group: &mut Group, column: &ColumnDescriptor, rows: &[Capture]) {
    let name = column.name();
    let number = |capture: &Capture| number(capture, name);
    match column.physical_type() {
        Type::BYTE_ARRAY => put::<ByteArrayType>(group, rows, |capture| {
            text(capture, name).map(|text| text.as_bytes().to_vec().into())
        }),
        Type::INT32 => put::<Int32Type>(group, rows, |c| number(c).map(|number| number as i32)),
        Type::INT64 => put::<Int64Type>(group, rows, number),
        Type::INT96 => put::<Int96Type>(group, rows, |capture| {
            let (seconds, day) = (capture.timestamp.unix() as u64, 24 * 60 * 60);
            let nanoseconds = (seconds % day) * 1_000_000_000 + 250;
            let mut time = Int96::new();
            let low = nanoseconds as u32;
            time.set_data(low, (nanoseconds >> 32) as u32, (seconds / day) as u32 + 2_440_588);
            Some(time)
        }),
        other => panic!("no column is {other}"),
    }
}

fn text<'c>(capture: &'c Capture, column: &str) -> Option<&'c str> {
    match column {
        "url_surtkey" => Some(&capture.key),
        "url" => Some(&capture.url),
        "url_host_name" => Some("not read"),
        "content_digest" => capture.digest.as_deref(),
        "content_mime_type" => capture.mime.as_deref(),
        "content_languages" => capture.more["languages"].as_str(),
        "warc_filename" => capture.filename.as_deref(),
        other => panic!("no such text: {other}"),
    }
}

fn number(capture: &Capture, column: &str) -> Option<i64> {
    match column {
        "url_surtkey" => Some(1),
        "fetch_time" => Some(capture.timestamp.unix() * 1000 + 250),
        "fetch_status" => capture.status.map(i64::from),
        "warc_record_offset" => capture.offset.map(|offset| offset as i64),
        "warc_record_length" => capture.length.map(|length| length as i64),
        other => panic!("no such number: {other}"),
    }
}

fn put<T: DataType>(group: &mut Group, rows: &[Capture], value: impl Fn(&Capture) -> Option<T::T>) {
    let values: Vec<Option<T::T>> = rows.iter().map(value).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    let mut column = group.next_column().expect("in turn").expect("a column");
    column.typed::<T>().write_batch(&values, Some(&levels), None).expect("written");
    column.close().expect("written");
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

/// Others write the same columns as other types: none may be missing, numbers may be wider, times as older
/// files of Hive and Spark have them, texts repeat by number.
const SCHEMA_OF_OTHERS: &str = "message schema {
    REQUIRED BYTE_ARRAY url_surtkey (STRING);
    REQUIRED BYTE_ARRAY url (STRING);
    REQUIRED INT96 fetch_time;
    OPTIONAL INT64 fetch_status;
    OPTIONAL BYTE_ARRAY content_digest (STRING);
    OPTIONAL BYTE_ARRAY content_mime_type (STRING);
    OPTIONAL BYTE_ARRAY content_languages (STRING);
    OPTIONAL BYTE_ARRAY warc_filename (STRING);
    REQUIRED INT64 warc_record_offset (INTEGER(64, false));
    REQUIRED INT32 warc_record_length (INTEGER(32, false));
}";

#[test]
fn tables_of_others_are_read_too() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let captures: Vec<Capture> = (0..3000)
        .map(|number| Capture {
            digest: (number % 3 != 0).then(|| format!("DIGEST{number}")),
            ..capture(number)
        })
        .collect();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let place = folder.path().join("others.parquet");
    write_as(SCHEMA_OF_OTHERS, properties.build(), &place, &captures);
    let store = Store::open(&folder.path().display().to_string(), StoreOptions::default());
    let index = Index::open(&store.expect("a folder"), &[]).expect("an index");
    let mut found = Vec::new();
    let every = index.scan(Keys::Prefix("example,"), &mut |capture| {
        found.push(capture);
        ControlFlow::Continue(())
    });
    every.expect("scanned");
    assert_eq!(found, captures);
}

#[test]
fn from_afar_only_the_footers_of_files_without_the_key_are_read() {
    let (folder, captures) = table(EnabledStatistics::Page);
    let server = FolderServer::start(folder.path());
    let store = Store::open(&server.address(), StoreOptions::default()).expect("a store");
    let names = (0..3).map(|part| format!("part-{part:05}.c000.gz.parquet")).collect();
    let table = Columnar::open(&store, names, false);
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
    let place = folder.path().join("other.parquet");
    let write = |schema: &str| {
        write_as(schema, WriterProperties::builder().build(), &place, &[capture(0)]);
    };
    write("message other { REQUIRED BYTE_ARRAY url (UTF8); }");
    let store = Store::open(&folder.path().display().to_string(), StoreOptions::default())
        .expect("a folder");
    let error = || {
        let index = Index::open(&store, &[]).expect("a table");
        index.captures("http://a.example/").expect_err("wrong").to_string()
    };
    assert!(error().contains("has no column url_surtkey"));
    write("message other { REQUIRED INT32 url_surtkey; REQUIRED BYTE_ARRAY url (UTF8); }");
    assert!(error().contains("its column url_surtkey is not text"), "{}", error());
    // Beside an index of lines it is passed over, unless it is named.
    let lines = "example,a)/ 20200101000000 {\"url\": \"http://a.example/\"}\n";
    std::fs::write(folder.path().join("index.cdxj"), lines).expect("written");
    let index = Index::open(&store, &[]).expect("an index");
    assert_eq!(index.captures("http://a.example/").expect("readable").len(), 1);
    let named = ["index.cdxj", "other.parquet"].map(str::to_owned);
    let index = Index::open(&store, &named).expect("an index");
    assert!(index.captures("http://a.example/").is_err());
    std::fs::remove_file(folder.path().join("index.cdxj")).expect("there");
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
