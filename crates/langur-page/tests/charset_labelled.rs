//! The decision on documents whose charset is known, and on the pages of real hosts.

mod charset;

use charset::{Tally, hide_labels, same_text};
use langur_page::{Charset, Source, decide};
use langur_testkit::shared::{Document, documents};

/// The charset that a manifest means, for documents that have text in one.
fn meant(label: &str, bytes: &[u8]) -> Option<Charset> {
    match label {
        "utf-8-bom" => Charset::for_label("utf-8"),
        "utf-16" if bytes.starts_with(b"\xfe\xff") => Charset::for_label("utf-16be"),
        "utf-32" if bytes.starts_with(b"\xff\xfe") => Some(Charset::UTF_32LE),
        // The manifest's guess for these is UTF-8 with a few bytes broken.
        "unknown" => Charset::for_label("utf-8"),
        _ => Charset::for_label(label),
    }
}

fn family(charset: &str) -> &'static str {
    match charset {
        "tis-620" | "windows-874" => "Thai",
        "shift_jis" | "cp932" | "windows-932" | "euc-jp" | "iso-2022-jp" => "Japanese",
        "euc-kr" | "johab" | "iso-2022-kr" => "Korean",
        "big5" | "euc-tw" | "gb2312" | "gbk" | "gb18030" => "Chinese",
        "windows-1251" | "koi8-r" | "iso-8859-5" | "ibm855" | "ibm866" | "x-mac-cyrillic" => {
            "Cyrillic"
        }
        _ if charset.starts_with("utf") || charset.ends_with("ascii") => "Unicode, ASCII",
        "windows-1250" | "iso-8859-2" => "Central European",
        _ => "others",
    }
}

/// Thai, Japanese, Korean and Chinese in charsets of their own.
fn is_asian(family: &str) -> bool {
    matches!(family, "Thai" | "Japanese" | "Korean" | "Chinese")
}

#[test]
fn labelled_documents_without_their_labels() {
    let Some(documents) = documents("charset/charset-docs.tar.zst") else { return };
    let (mut families, mut charsets) = (Tally::default(), Tally::default());
    for Document { path, bytes, row } in &documents {
        let label = row["charset"].as_str().expect("a labelled document");
        let want = meant(label, bytes).expect("a charset of ours");
        // Wide text has no labels to hide, and hiding would break none.
        let bytes = hide_labels(bytes);
        families.count(family(label), path, want, &bytes);
        charsets.count(label, path, want, &bytes);
    }
    charsets.print("charset");
    families.print("family");
    let (asian, others) = (families.share(is_asian), families.share(|f| !is_asian(f)));
    println!("Thai, Japanese, Korean, Chinese {asian:.4}, others {others:.4}");
    assert_eq!(documents.len(), 320);
    assert!(asian >= 0.99, "{asian}");
    assert!(others >= 0.97, "{others}");
}

#[test]
fn labelled_documents_as_they_are() {
    let Some(documents) = documents("charset/charset-docs.tar.zst") else { return };
    let mut families = Tally::default();
    for document in &documents {
        let want = meant(document.text("charset"), &document.bytes).expect("a charset of ours");
        families.count(family(document.text("charset")), &document.path, want, &document.bytes);
    }
    families.print("family");
    assert!(families.share(is_asian) >= 0.99);
    assert!(families.share(|f| !is_asian(f)) >= 0.97);
}

/// The manifest says UTF-8 where the bytes are valid, and else what META says. Where we differ, one
/// of the two is wrong; the pages are printed.
#[test]
fn pages_of_real_hosts() {
    let Some(pages) = documents("webhosts/pages.tar.zst") else { return };
    let (mut with, mut without) = (Tally::default(), Tally::default());
    let mut mislabelled = 0;
    for page in &pages {
        let Some(want) = meant(page.text("charset"), &page.bytes) else { continue };
        if !want.is_ascii_compatible() {
            continue; // "unicode", on a page of ASCII
        }
        let family = family(page.text("charset"));
        with.count(family, &page.path, want, &page.bytes);
        without.count(family, &page.path, want, &hide_labels(&page.bytes));
        let decision = decide(&page.bytes, None);
        if decision.mislabelled {
            mislabelled += 1;
            let labels: Vec<_> = (decision.evidence.iter())
                .filter(|e| matches!(e.source, Source::Meta | Source::Xml))
                .map(|e| e.label.as_str())
                .collect();
            println!("mislabelled: {} says {labels:?} and is {}", page.path, decision.charset);
        }
    }
    with.print("as they are");
    without.print("labels hidden");
    println!("{mislabelled} of {} pages are mislabelled", pages.len());
    assert!(with.share(|_| true) >= 0.997);
    assert!(without.share(is_asian) >= 0.99);
    assert!(without.share(|f| !is_asian(f)) >= 0.99);
    assert!(mislabelled < pages.len() / 50);
}

/// EUC-KR, ISO-2022-JP, KOI8-R and ISO-8859-1, by the manifests of the documentation of httpd.
#[test]
fn pages_of_documentation() {
    let (mut with, mut without) = (Tally::default(), Tally::default());
    for site in ["1.3", "2.0", "2.4"] {
        let Some(pages) = documents(&format!("sites/httpd-docs-{site}.tar.zst")) else { return };
        for page in &pages {
            let Some(want) = meant(page.text("charset"), &page.bytes) else { continue };
            with.count(page.text("charset"), &page.path, want, &page.bytes);
            without.count(page.text("charset"), &page.path, want, &hide_labels(&page.bytes));
            assert!(!decide(&page.bytes, None).mislabelled, "{}", page.path);
        }
    }
    with.print("as they are");
    without.print("labels hidden");
    assert!(with.share(|_| true) >= 0.999);
    assert!(without.share(|_| true) >= 0.99);
}

/// A right label on a page must be believed, a wrong one not: every legacy page with each label.
#[test]
fn wrong_labels_are_overridden_and_right_ones_are_not() {
    let Some(documents) = documents("charset/charset-docs.tar.zst") else { return };
    let (mut kept, mut believed, mut overridden, mut all, mut wrong) = (0, 0, 0, 0, 0);
    for document in &documents {
        let bytes = hide_labels(&document.bytes);
        let Some(want) = meant(document.text("charset"), &bytes) else { continue };
        if bytes.len() < 500
            || !want.is_ascii_compatible()
            || document.text("charset").contains("2022")
        {
            continue;
        }
        all += 1;
        let decision = decide(&bytes, Some(&format!("text/html; charset={want}")));
        kept += same_text(decision.charset, want, &bytes) as usize;
        believed += !decision.mislabelled as usize;
        for label in
            ["iso-8859-1", "utf-8", "windows-1251", "shift_jis", "euc-kr", "gb2312", "windows-874"]
        {
            let said = Charset::for_label(label).expect("a label of the standard");
            if same_text(said, want, &bytes) {
                continue;
            }
            wrong += 1;
            let decision = decide(&bytes, Some(&format!("text/html; charset={label}")));
            overridden +=
                (decision.mislabelled && same_text(decision.charset, want, &bytes)) as usize;
        }
    }
    println!("right labels: {kept} of {all} decoded right, {believed} believed");
    println!("wrong labels: {overridden} of {wrong} decoded right and said to be mislabelled");
    assert!(kept * 100 >= all * 99 && believed * 100 >= all * 99);
    assert!(overridden * 100 >= wrong * 95);
}
