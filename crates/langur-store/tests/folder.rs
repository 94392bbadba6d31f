//! Reading from a folder of this machine.

use std::fs;
use std::io::Read;

use langur_store::{Store, StoreError, StoreOptions};

#[test]
fn files_of_a_folder_are_read_by_name_and_range() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    fs::create_dir_all(scratch.path().join("sub")).expect("a folder");
    fs::write(scratch.path().join("sub/a b.txt"), "0123456789").expect("written");
    fs::write(scratch.path().join("z"), "").expect("written");
    fs::write(scratch.path().join(".partial"), "x").expect("written");

    for address in
        [scratch.path().display().to_string(), format!("file://{}", scratch.path().display())]
    {
        let store = Store::open(&address, StoreOptions::default()).expect("a folder");
        assert_eq!(store.list().expect("listed"), ["sub/a b.txt", "z"]);
        assert_eq!(store.len("sub/a b.txt").expect("there"), 10);
        assert_eq!(store.read("sub/a b.txt", 2..5).expect("read"), "234");
        assert_eq!(store.read_whole("z").expect("read"), "");
        assert_eq!(store.local("z"), Some(scratch.path().join("z")));
        let mut text = String::new();
        store.reader("sub/a b.txt").expect("opened").read_to_string(&mut text).expect("read");
        assert_eq!(text, "0123456789");
    }
}

#[test]
fn what_is_not_there_is_said_by_its_full_address() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    fs::write(scratch.path().join("a"), "0123456789").expect("written");
    let place = scratch.path().display().to_string();
    let store = Store::open(&place, StoreOptions { largest_whole: 9, ..StoreOptions::default() })
        .expect("a folder");

    for missing in ["b", "a/b", "sub/b"] {
        let error = store.read(missing, 0..1).expect_err("not there");
        assert!(error.is_not_there() && error.to_string().contains(&format!("{place}/{missing}")));
    }
    for (start, end) in [(5, 11), (11, 11), (u64::MAX - 1, u64::MAX), (5, 4)] {
        let error = store.read("a", start..end).expect_err("past the end");
        assert!(matches!(error, StoreError::PastTheEnd { length: Some(10), .. }), "{error}");
    }
    assert!(matches!(store.read_whole("a"), Err(StoreError::TooLarge { .. })));
    assert!(matches!(store.read("../a", 0..1), Err(StoreError::Name(_))));
    assert!(store.local("/etc/passwd").is_none());
    let nowhere = Store::open("/no/such/folder", StoreOptions::default());
    assert!(matches!(nowhere, Err(StoreError::NoFolder(_))));
}
