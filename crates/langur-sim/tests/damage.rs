//! A web space that is not as it was written is refused with words, never a crash or a wrong answer.

use std::fs;
use std::path::{Path, PathBuf};

use langur_sim::synth::{Preset, Synthesis, synthesise};
use langur_sim::{OpenError, Parts, Space};

fn space(folder: &Path) -> PathBuf {
    let place = folder.join("thai");
    let preset = Preset::load("thai-2004").expect("a built-in preset");
    synthesise(&Synthesis { preset, pages: 2_000, seed: 1, threads: 1 }, &place, false, |_| ())
        .expect("a web space");
    place
}

fn files(place: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(place)
        .expect("readable")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

fn open(place: &Path) -> Result<(), OpenError> {
    Space::open(place).and_then(|space| space.verify(Parts::Everything))
}

#[test]
fn every_file_is_missed_when_it_is_cut_changed_or_gone() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let place = space(scratch.path());
    open(&place).expect("as written it is sound");
    for file in files(&place) {
        let whole = fs::read(&file).expect("readable");
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let mut changed = whole.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 4;
        let longer = [whole.as_slice(), b"12345678"].concat();
        for (what, bytes) in [
            ("cut", &whole[..middle]),
            ("changed", &changed),
            ("lengthened", &longer),
            ("emptied", b"".as_slice()),
        ] {
            fs::write(&file, bytes).expect("writable");
            let error = open(&place).expect_err(&format!("{name} {what} went unnoticed"));
            assert!(
                matches!(error, OpenError::Damaged { .. } | OpenError::Version { .. }),
                "{name} {what}: {error}"
            );
            assert!(error.to_string().contains("thai"), "{error}");
        }
        fs::remove_file(&file).expect("removable");
        open(&place).expect_err(&format!("{name} gone went unnoticed"));
        fs::write(&file, &whole).expect("writable");
    }
    open(&place).expect("it is sound again");
}

#[test]
fn a_later_version_is_named() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let place = space(scratch.path());
    let manifest = place.join("manifest.json");
    let later = fs::read_to_string(&manifest)
        .expect("readable")
        .replace("\"version\": 1", "\"version\": 2");
    fs::write(&manifest, later).expect("writable");
    let error = open(&place).expect_err("a later version");
    assert!(
        error.to_string().contains("format version 2, and this langur reads version 1"),
        "{error}"
    );
}

#[test]
fn what_is_no_web_space_is_said_to_be_none() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    assert!(matches!(open(&scratch.path().join("nothing")), Err(OpenError::NotThere(_))));
    assert!(matches!(open(scratch.path()), Err(OpenError::NotASpace(_))));
}
