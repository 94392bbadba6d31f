//! Tables are read as they were written, by us and by others.

use std::fs::{self, File};
use std::path::Path;

use langur_table::{Column, Kind, Packing, ParquetError, TableReader, TableWriter, Values};
use parquet::basic::{ConvertedType, LogicalType};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, Int32Type,
    Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

const PACKING: Packing = Packing { level: 1, dictionaries: false };

fn every_kind(rows: u32) -> Vec<(&'static str, Values)> {
    let numbers = || 0..rows;
    vec![
        ("u16", Values::U16(numbers().map(|n| n as u16).collect())),
        ("u32", Values::U32(numbers().map(|n| u32::MAX - n).collect())),
        ("maybe", Values::MaybeU32(numbers().map(|n| (n % 3 > 0).then_some(n)).collect())),
        ("u64", Values::U64(numbers().map(|n| u64::MAX - u64::from(n)).collect())),
        ("f32", Values::F32(numbers().map(|n| n as f32 / 3.0).collect())),
        ("f64", Values::F64(numbers().map(|n| f64::from(n) / 3.0).collect())),
        ("flag", Values::Flag(numbers().map(|n| n % 2 == 0).collect())),
        ("text", Values::Text(numbers().map(|n| format!("สวัสดี {}", n % 50)).collect())),
    ]
}

fn write(path: &Path, packing: Packing, batches: &[u32]) {
    let mut table = TableWriter::create(path, packing).expect("a file");
    batches.iter().for_each(|rows| table.write(every_kind(*rows)).expect("written"));
    table.finish().expect("written");
}

/// Every row as text.
fn rows(path: &Path) -> Result<Vec<Vec<String>>, ParquetError> {
    let table = TableReader::open(path)?;
    let mut all = Vec::new();
    table.for_each(table.fields(), |columns, rows| {
        for row in 0..rows {
            let text = |column: &&Column| {
                let mut text = String::new();
                column.write_text(row, &mut text).map(|()| text)
            };
            all.push(columns.iter().map(text).collect::<Result<Vec<_>, _>>()?);
        }
        Ok::<_, ParquetError>(())
    })?;
    Ok(all)
}

#[test]
fn what_is_written_is_read_again() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("table.parquet");
    for dictionaries in [false, true] {
        let batches = [0, 3000, 1, 2500];
        write(&path, Packing { level: 3, dictionaries }, &batches);
        let expected: Vec<Vec<String>> = batches
            .iter()
            .flat_map(|&count| {
                let columns = every_kind(count);
                (0..count as usize).map(move |row| {
                    columns.iter().map(|(_, values)| values.text(row).into_owned()).collect()
                })
            })
            .collect();
        assert_eq!(rows(&path).expect("read"), expected);
        let again = scratch.path().join("again.parquet");
        write(&again, Packing { level: 3, dictionaries }, &batches);
        assert_eq!(fs::read(&path).expect("there"), fs::read(&again).expect("there"));
    }
    let table = TableReader::open(&path).expect("a table");
    let floats = table.column("f32", Column::float).expect("a column");
    assert_eq!(floats[1], Some(f64::from(1.0f32 / 3.0)));
    assert!(table.column("f33", Column::float).is_err());
}

#[test]
fn others_see_what_the_columns_are() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("table.parquet");
    write(&path, PACKING, &[0]);
    let file = SerializedFileReader::new(File::open(&path).expect("there")).expect("Parquet");
    let schema = file.metadata().file_metadata().schema_descr();
    let types: Vec<_> = schema
        .columns()
        .iter()
        .map(|column| (column.name(), column.logical_type_ref().cloned(), column.converted_type()))
        .collect();
    let whole = |bits| Some(LogicalType::integer(bits, false));
    assert_eq!(
        types,
        [
            ("u16", whole(16), ConvertedType::UINT_16),
            ("u32", whole(32), ConvertedType::UINT_32),
            ("maybe", whole(32), ConvertedType::UINT_32),
            ("u64", whole(64), ConvertedType::UINT_64),
            ("f32", None, ConvertedType::NONE),
            ("f64", None, ConvertedType::NONE),
            ("flag", None, ConvertedType::NONE),
            ("text", Some(LogicalType::String), ConvertedType::UTF8),
        ]
    );
    let optional: Vec<_> =
        schema.columns().iter().map(|column| column.max_def_level() > 0).collect();
    assert_eq!(optional, [false, false, true, false, false, false, false, false]);
}

#[test]
fn a_long_table_is_written_in_groups() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("table.parquet");
    let mut table = TableWriter::create(&path, PACKING).expect("a file");
    let (one, two) = (0..(1 << 20) - 1, (1 << 20) - 1..(2 << 20) + 7);
    for rows in [one, two] {
        table.write(vec![("n", Values::U32(rows.collect()))]).expect("written");
    }
    table.finish().expect("written");
    let file = SerializedFileReader::new(File::open(&path).expect("there")).expect("Parquet");
    let groups: Vec<_> =
        file.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [1 << 20, 1 << 20, 7]);
    let numbers = TableReader::open(&path).expect("a table").column("n", Column::natural);
    assert!(numbers.expect("read").into_iter().eq((0..(2 << 20) + 7).map(Some)));
}

#[test]
fn columns_that_differ_are_refused() {
    let file = || tempfile::tempfile().expect("a scratch file");
    let mut table = TableWriter::new(file(), PACKING);
    let uneven = vec![("a", Values::U32(vec![1])), ("b", Values::U32(vec![]))];
    assert!(table.write(uneven).is_err());
    let mut table = TableWriter::new(file(), PACKING);
    table.write(vec![("a", Values::U32(vec![1]))]).expect("written");
    assert!(table.write(vec![("a", Values::U16(vec![1]))]).is_err());
    assert!(table.write(vec![("a", Values::U32(vec![2]))]).is_ok());
}

type Group<'a> = SerializedRowGroupWriter<'a, File>;

/// Writes a group of rows as others do.
fn foreign(path: &Path, schema: &str, columns: impl FnOnce(&mut Group)) {
    let schema = parse_message_type(schema).expect("a schema");
    let file = File::create(path).expect("a file");
    let properties = WriterProperties::builder().build();
    let mut writer =
        SerializedFileWriter::new(file, schema.into(), properties.into()).expect("a file");
    let mut group = writer.next_row_group().expect("a group");
    columns(&mut group);
    group.close().expect("written");
    writer.close().expect("written");
}

fn put<T: DataType>(group: &mut Group, values: &[T::T], levels: &[i16], starts: &[i16]) {
    let mut column = group.next_column().expect("in turn").expect("a column");
    let levels = (!levels.is_empty()).then_some(levels);
    let starts = (!starts.is_empty()).then_some(starts);
    column.typed::<T>().write_batch(values, levels, starts).expect("written");
    column.close().expect("written");
}

#[test]
fn tables_of_others_are_read() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("table.parquet");
    let schema = "message schema {
        OPTIONAL INT32 plain;
        REQUIRED INT32 byte (UINT_8);
        OPTIONAL INT64 wide;
        REQUIRED INT64 widest (INTEGER(64, false));
        OPTIONAL BYTE_ARRAY old (UTF8);
        REQUIRED BYTE_ARRAY new (STRING);
        OPTIONAL BOOLEAN flag;
        OPTIONAL DOUBLE float;
        OPTIONAL BYTE_ARRAY nothing;
        OPTIONAL FIXED_LEN_BYTE_ARRAY (4) nothing_fixed;
        OPTIONAL INT64 no_time (TIMESTAMP(MILLIS, true));
        OPTIONAL group no_list (LIST) { REPEATED group list { OPTIONAL INT32 element; } }
    }";
    let texts =
        |texts: &[&str]| texts.iter().map(|text| ByteArray::from(*text)).collect::<Vec<_>>();
    foreign(&path, schema, |group| {
        put::<Int32Type>(group, &[-5, 7], &[1, 0, 1], &[]);
        put::<Int32Type>(group, &[0, 200, 255], &[], &[]);
        put::<Int64Type>(group, &[i64::MIN], &[0, 1, 0], &[]);
        put::<Int64Type>(group, &[-1, 0, 1], &[], &[]);
        put::<ByteArrayType>(group, &texts(&["ก", "ข"]), &[0, 1, 1], &[]);
        put::<ByteArrayType>(group, &texts(&["a", "", "a"]), &[], &[]);
        put::<BoolType>(group, &[true, false], &[1, 1, 0], &[]);
        put::<DoubleType>(group, &[0.25], &[0, 0, 1], &[]);
        put::<ByteArrayType>(group, &[], &[0, 0, 0], &[]);
        put::<FixedLenByteArrayType>(group, &[], &[0, 0, 0], &[]);
        put::<Int64Type>(group, &[], &[0, 0, 0], &[]);
        put::<Int32Type>(group, &[], &[0, 0, 0], &[0, 0, 0]);
    });
    let expected = [
        ["-5", "0", "", "18446744073709551615", "", "a", "1", "", "", "", "", ""],
        ["", "200", "-9223372036854775808", "0", "ก", "", "0", "", "", "", "", ""],
        ["7", "255", "", "1", "ข", "a", "", "0.25", "", "", "", ""],
    ];
    assert_eq!(rows(&path).expect("read"), expected);
    let table = TableReader::open(&path).expect("a table");
    let kinds: Vec<&Kind> = table.fields().iter().map(|field| &field.kind).collect();
    assert_eq!(kinds[1], &Kind::Integer { bits: 8, signed: false });
    assert_eq!(kinds[10], &Kind::Time { a_second: 1000 });
    assert!(matches!(kinds[11], Kind::Other(_)));
    assert_eq!(table.field("no_list").map(|field| field.number), Some(11));
}

#[test]
fn what_cannot_be_read_is_told() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("table.parquet");
    let error = |schema: &str, columns: &dyn Fn(&mut Group)| {
        foreign(&path, &format!("message schema {{ {schema} }}"), columns);
        rows(&path).expect_err("refused").to_string()
    };
    let bytes = || vec![ByteArray::from(vec![0xff])];
    let binary = error("OPTIONAL BYTE_ARRAY seen;", &|group| {
        put::<ByteArrayType>(group, &bytes(), &[1], &[]);
    });
    assert!(binary.contains("a column of type binary cannot be read (seen); use text"), "{binary}");
    let no_text = error("REQUIRED BYTE_ARRAY seen (UTF8);", &|group| {
        put::<ByteArrayType>(group, &bytes(), &[], &[]);
    });
    assert!(no_text.contains("a text in the column seen is not UTF-8"), "{no_text}");
    let list_of = |element: &str| {
        format!("OPTIONAL group seen (LIST) {{ REPEATED group list {{ OPTIONAL {element} e; }} }}")
    };
    let numbers = error(&list_of("INT32"), &|group| {
        put::<Int32Type>(group, &[1, 2], &[0, 3, 3], &[0, 0, 1]);
    });
    let flags = error(&list_of("BOOLEAN"), &|group| {
        put::<BoolType>(group, &[], &[0, 0, 1], &[0, 0, 0]);
    });
    let floats = error(&list_of("DOUBLE"), &|group| {
        put::<DoubleType>(group, &[0.5], &[0, 0, 3], &[0, 0, 0]);
    });
    for list in [numbers, flags, floats] {
        assert!(list.contains("list or group cannot be read (seen)"), "{list}");
    }
    let date = error("REQUIRED INT32 seen (DATE);", &|group| {
        put::<Int32Type>(group, &[1], &[], &[]);
    });
    assert!(date.contains("a column of type Date cannot be read (seen)"), "{date}");
}

#[test]
fn a_damaged_table_is_read_or_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = scratch.path().join("table.parquet");
    for dictionaries in [false, true] {
        write(&path, Packing { level: 1, dictionaries }, &[300]);
        let whole = fs::read(&path).expect("there");
        let mut draw = 1u64;
        for _ in 0..1500 {
            let mut damaged = whole.clone();
            for _ in 0..3 {
                draw = draw
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                damaged[(draw >> 33) as usize % whole.len()] = (draw >> 20) as u8;
            }
            fs::write(&path, &damaged).expect("written");
            let _ = rows(&path);
        }
    }
}
