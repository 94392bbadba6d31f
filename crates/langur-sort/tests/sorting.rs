//! What is sorted with little memory is what is sorted with much.

use std::path::Path;

use langur_sort::{PairSorter, Sorted, Sorter};
use proptest::prelude::*;

fn sorted(records: &[Vec<u8>], memory: usize) -> Vec<Vec<u8>> {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut sorter = Sorter::new(scratch.path(), "test", memory);
    records.iter().for_each(|record| sorter.push(record).expect("room on the disk"));
    all(sorter.sorted().expect("room on the disk"), scratch.path())
}

fn sorted_pairs(pairs: &[(Vec<u8>, u64)], memory: usize) -> Vec<Vec<u8>> {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut sorter = PairSorter::new(scratch.path(), "test", memory);
    pairs.iter().for_each(|(key, number)| sorter.push(key, *number).expect("room on the disk"));
    all(sorter.sorted().expect("room on the disk"), scratch.path())
}

fn all(mut sorted: Sorted, scratch: &Path) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while let Some(record) = sorted.next().expect("readable") {
        found.push(record.to_vec());
    }
    drop(sorted);
    assert_eq!(std::fs::read_dir(scratch).expect("a folder").count(), 0, "no file stays");
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn any_memory_gives_the_order_of_the_bytes(
        records in prop::collection::vec(prop::collection::vec(0_u8..4, 0..20), 0..400),
        memory in 1_usize..4000,
    ) {
        let mut expected = records.clone();
        expected.sort();
        prop_assert_eq!(sorted(&records, memory), expected.clone());
        prop_assert_eq!(sorted(&records, usize::MAX), expected);
    }

    #[test]
    fn pairs_are_sorted_as_records_are(
        pairs in prop::collection::vec(("[ab]{0,3}", prop_oneof![0_u64..9, any::<u64>()]), 0..400),
        memory in 1_usize..4000,
    ) {
        // No key begins with another.
        let key = |key: String| [key.into_bytes(), vec![0]].concat();
        let pairs: Vec<_> = pairs.into_iter().map(|(of, number)| (key(of), number)).collect();
        let record = |(key, number): &(Vec<u8>, u64)| [&key[..], &number.to_be_bytes()].concat();
        let mut expected: Vec<_> = pairs.iter().map(record).collect();
        expected.sort();
        prop_assert_eq!(sorted_pairs(&pairs, memory), expected.clone());
        prop_assert_eq!(sorted_pairs(&pairs, usize::MAX), expected);
    }

    /// As keys of pages do; some are equal but for zeroes at their ends, and some altogether.
    #[test]
    fn long_beginnings_may_be_equal(
        records in prop::collection::vec(
            ("(com,a){0,9}", prop::collection::vec(0_u8..2, 0..12)).prop_map(|(mut beginning, end)| {
                beginning.push_str(&"\0".repeat(end.len()));
                [beginning.into_bytes(), end].concat()
            }),
            0..400,
        ),
    ) {
        let mut expected = records.clone();
        expected.sort();
        prop_assert_eq!(sorted(&records, usize::MAX), expected);
    }
}

#[test]
fn sorted_files_are_merged_and_stay() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut files = Vec::new();
    for part in 0..300_u32 {
        let mut sorter = Sorter::new(scratch.path(), "part", 40);
        (0..5_u32).for_each(|i| sorter.push(&(i * 300 + part).to_be_bytes()).expect("room"));
        files.push(scratch.path().join(format!("{part}.sorted")));
        sorter.write_to(&files[part as usize]).expect("room");
    }
    let mut sorter = Sorter::new(scratch.path(), "all", 1 << 20);
    sorter.add_files(files.clone());
    let mut sorted = sorter.sorted().expect("readable");
    for expected in 0..1500_u32 {
        assert_eq!(sorted.next().expect("readable"), Some(&expected.to_be_bytes()[..]));
    }
    assert_eq!(sorted.next().expect("readable"), None);
    drop(sorted);
    assert_eq!(std::fs::read_dir(scratch.path()).expect("a folder").count(), 300);
}

#[test]
fn more_runs_than_are_merged_at_once() {
    let records: Vec<Vec<u8>> =
        (0_u32..1000).map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes().to_vec()).collect();
    let mut expected = records.clone();
    expected.sort();
    assert_eq!(sorted(&records, 60), expected);
}
