//! What holds for every URL.

use encoding_rs::Encoding;
use langur_page::canon::{self, Parts};
use langur_page::whatwg::Url;
use langur_page::{Address, Base, Limits, host_from_key, host_key, registrable_domain};
use proptest::prelude::*;

/// Text made of what URLs are made of, right and wrong.
fn url_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop_oneof![Just("/"), Just("."), Just(".."), Just("?"), Just("#"), Just("&"), Just("=")]
            .prop_map(str::to_owned),
        2 => prop_oneof![Just("%"), Just("%2e"), Just("%2F"), Just("%25"), Just("%41"), Just("%c3%A4")]
            .prop_map(str::to_owned),
        2 => prop_oneof![Just(":"), Just("@"), Just("["), Just("]"), Just("\\"), Just("|"), Just("^")]
            .prop_map(str::to_owned),
        1 => prop_oneof![Just("xn--"), Just("0x"), Just("1.2.3.4"), Just("::1"), Just("日本"), Just("ß")]
            .prop_map(str::to_owned),
        1 => prop_oneof![Just(" "), Just("\t"), Just("\n"), Just("\0"), Just("\u{a0}"), Just(";,'\"<>{}`")]
            .prop_map(str::to_owned),
        4 => "[a-zA-Z0-9_~!$()*+,;-]{1,4}",
    ];
    let start = prop_oneof![
        4 => Just("http://"), 2 => Just("https://"), 1 => Just("http:"), 1 => Just("//"),
        1 => Just("HTTP:\\\\"), 1 => Just("ftp://"), 1 => Just("file:///"), 1 => Just("foo:"),
        1 => Just("http://example.com/"), 1 => Just("http://example.com./a?"), 2 => Just(""),
    ];
    (start, prop::collection::vec(piece, 0..16))
        .prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
}

fn encoding() -> impl Strategy<Value = &'static Encoding> {
    prop::sample::select(vec![
        encoding_rs::UTF_8,
        encoding_rs::WINDOWS_874,
        encoding_rs::SHIFT_JIS,
        encoding_rs::EUC_JP,
        encoding_rs::ISO_2022_JP,
        encoding_rs::GB18030,
        encoding_rs::UTF_16BE,
        encoding_rs::REPLACEMENT,
        encoding_rs::X_USER_DEFINED,
    ])
}

fn check_canonical(text: &str) -> Result<(), TestCaseError> {
    if let Ok(address) = Address::parse(text) {
        let again = Address::parse(&address.to_string());
        prop_assert_eq!(again.as_ref(), Ok(&address));
        // It is also a URL by RFC 3986, at least in its letters.
        let allowed = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
        prop_assert!(address.path.chars().all(allowed), "{}", address);
        prop_assert!(!address.path.contains(['[', ']', '#']), "{}", address);
        prop_assert_eq!(host_from_key(&host_key(&address.host)), &*address.host);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_canonical_form_is_idempotent(any in any::<String>(), like in url_like()) {
        check_canonical(&any)?;
        check_canonical(&format!("http://{any}"))?;
        check_canonical(&format!("http://a.example/{any}"))?;
        check_canonical(&like)?;
    }

    #[test]
    fn a_url_written_is_the_url_read(text in url_like()) {
        if let Ok(url) = Url::parse(&text) {
            prop_assert_eq!(Url::parse(&url.to_string()), Ok(url));
        }
    }

    /// Where the crate url takes a URL of the web, it takes it as we do; it leaves `^` in paths.
    #[test]
    fn two_readers_agree(text in url_like(), base in url_like()) {
        let text = text.replace('^', "");
        if let Ok(theirs) = url::Url::parse(&text)
            && matches!(theirs.scheme(), "http" | "https" | "ftp")
        {
            let ours = Url::parse(&text).map(|url| url.to_string());
            prop_assert_eq!(ours, Ok(theirs.to_string()));
        }
        if let Ok(base) = url::Url::parse(&base.replace('^', ""))
            && matches!(base.scheme(), "http" | "https")
            && let Ok(theirs) = base.join(&text)
            && matches!(theirs.scheme(), "http" | "https")
        {
            let ours = Url::parse(base.as_str()).and_then(|base| base.join(&text));
            prop_assert_eq!(ours.map(|url| url.to_string()), Ok(theirs.to_string()));
        }
    }

    #[test]
    fn links_resolve_to_canonical_pages_or_to_none(
        page in url_like(),
        href in url_like(),
        link in prop_oneof![url_like(), any::<String>()],
        encoding in encoding(),
    ) {
        let page = Address::parse(&page).or_else(|_| Address::parse("http://a.example/b?c"));
        let base = Base::new(&page.expect("a URL"), encoding);
        for mut base in [base.clone(), base.with_href(&href)] {
            if let Ok(address) = base.resolve(&link) {
                check_canonical(&address.to_string())?;
            }
        }
    }

    #[test]
    fn limits_take_every_path(
        path in prop_oneof![any::<String>(), "(/[ab]?){0,40}", "(/a/b|/c){0,12}"],
        limits in any::<(u16, u8, u8, u8, u8)>(),
    ) {
        let (length, depth, in_a_row, rounds, anywhere) = limits;
        let limits = Limits {
            length: length.into(),
            depth: depth.into(),
            in_a_row: in_a_row.into(),
            rounds: rounds.into(),
            anywhere: anywhere.into(),
        };
        if let Ok(address) = Address::parse(&format!("http://a.example/{path}")) {
            let strict = limits.check(&address);
            let none = Limits {
                length: usize::MAX, depth: usize::MAX, in_a_row: usize::MAX, rounds: usize::MAX,
                anywhere: usize::MAX,
            };
            prop_assert_eq!(none.check(&address), Ok(()));
            if let Err(excess) = strict {
                prop_assert!(!excess.to_string().is_empty());
            }
        }
    }

    #[test]
    fn hosts_of_a_domain_sort_together(
        mut hosts in prop::collection::vec("((www|a|b-c|a1)\\.)?(a|a-b|ab|b|example)\\.(com|co\\.th|th)", 1..30),
    ) {
        let surt = |host: &String| Address::parse(&format!("http://{host}/x")).expect("a URL").surt();
        hosts.sort_by_key(surt);
        let mut domains: Vec<&str> = hosts.iter().map(|host| registrable_domain(host)).collect();
        domains.dedup();
        let blocks = domains.len();
        domains.sort_unstable();
        domains.dedup();
        prop_assert_eq!(domains.len(), blocks);
    }

    #[test]
    fn parts_put_together_are_what_was_read(bytes in any::<Vec<u8>>(), like in url_like()) {
        prop_assert_eq!(Parts::parse(&bytes).to_bytes(), bytes);
        prop_assert_eq!(Parts::parse(like.as_bytes()).to_bytes(), like.as_bytes());
    }

    #[test]
    fn comparison_forms_take_everything(bytes in any::<Vec<u8>>(), like in url_like()) {
        for text in [bytes.as_slice(), like.as_bytes()] {
            canon::whatwg(text);
            canon::aggressive(text);
            Parts::parse(text).surt_ancestry();
        }
        canon::archive::cdx_key(&like);
        canon::archive::cdx_key(&String::from_utf8_lossy(&bytes));
        canon::crawler(&like);
    }

    #[test]
    fn comparison_forms_of_pages_are_idempotent(like in url_like()) {
        if let Ok(address) = Address::parse(&like) {
            let url = address.to_string();
            for form in [canon::semantic, canon::aggressive] {
                let once = form(url.as_bytes()).to_bytes();
                prop_assert_eq!(form(&once).to_bytes(), once);
            }
        }
    }
}
