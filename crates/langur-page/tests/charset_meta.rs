//! What pages say of themselves, by the encoding tests of html5lib.

use langur_page::{Charset, Source, decide};

/// The label that decides: byte order mark, META or XML declaration.
fn declared(page: &[u8]) -> Option<Charset> {
    let sources = [Source::Bom, Source::Meta, Source::Xml];
    decide(page, None)
        .evidence
        .iter()
        .find(|e| sources.contains(&e.source) && e.charset.is_some())?
        .charset
}

#[test]
fn html5lib() {
    let Some(files) = langur_testkit::shared::documents("html/html-conformance.tar.zst") else {
        return;
    };
    let (mut passed, mut failed) = (0, 0);
    for file in files.iter().filter(|f| f.path.starts_with("encoding/") && f.path.ends_with(".dat"))
    {
        if file.path.contains("scripted") {
            continue; // what scripts write is not read
        }
        let text = &file.bytes;
        let mut rest = &text[..];
        while let Some(begin) = find(rest, b"#data\n") {
            rest = &rest[begin + 6..];
            let Some(end) = find(rest, b"#encoding\n") else { break };
            let (page, tail) = (&rest[..end], &rest[end + 10..]);
            let line = tail.split(|b| *b == b'\n').next().unwrap_or(b"");
            let want = Charset::for_label(&String::from_utf8_lossy(line));
            let got = declared(page).or(Charset::for_label("windows-1252"));
            if got == want {
                passed += 1;
            } else {
                failed += 1;
                println!(
                    "{}: {:?} is {got:?}, should be {want:?}",
                    file.path,
                    String::from_utf8_lossy(page)
                );
            }
            rest = tail;
        }
    }
    println!("html5lib encoding tests: {passed} passed, {failed} failed");
    assert_eq!(failed, 0);
    assert!(passed >= 59);
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|w| w == what)
}
