//! The URL suites of others: the WHATWG standard's, crawler-commons', the public suffix list's and
//! urlcanon's.
//!
//! A case passes, or is covered by an exception in `url/exceptions.rs`, which gives the reason; and
//! then it must fail. `docs/urls.md` has the totals.

#[path = "url/cases.rs"]
mod cases;
#[path = "url/exceptions.rs"]
mod exceptions;

use encoding_rs::Encoding;
use langur_page::canon::{self, Parts, Surt, archive};
use langur_page::whatwg::{Host, Url, setters};
use langur_page::{Address, Base, registrable};
use serde_json::{Value, json};

use cases::{Score, cases};

fn text<'c>(case: &'c Value, key: &str) -> &'c str {
    case[key].as_str().unwrap_or_else(|| panic!("{key} of {case} is text"))
}

#[test]
fn wpt_urltestdata() {
    let Some(cases) = cases("wpt-urltestdata") else { return };
    let mut score = Score::new("wpt-urltestdata");
    for case in &cases {
        let base = case["base"].as_str().map(Url::parse);
        let parsed = match base {
            None => Url::parse(text(case, "input")),
            Some(Ok(base)) => base.join(text(case, "input")),
            Some(Err(error)) => Err(error),
        };
        let (expected, actual) = match &parsed {
            _ if case["failure"] == true => (json!(false), json!(parsed.is_ok())),
            Err(error) => (json!(true), json!(error.to_string())),
            Ok(url) => components(case, url),
        };
        score.note(case, &expected, &actual);
    }
    score.settle();
}

/// Those parts of a URL that a case names: as they should be, and as they are.
fn components(expected: &Value, url: &Url) -> (Value, Value) {
    let after = |sign: &str, part: Option<&str>| match part {
        Some(part) if !part.is_empty() => format!("{sign}{part}"),
        _ => String::new(),
    };
    let actual = json!({
        "href": url.to_string(),
        "origin": url.origin(),
        "protocol": format!("{}:", url.scheme()),
        "username": url.username(),
        "password": url.password(),
        "host": url.host_and_port(),
        "hostname": url.host().map_or(String::new(), Host::to_string),
        "port": url.port().map_or(String::new(), |port| port.to_string()),
        "pathname": url.path(),
        "search": after("?", url.query()),
        "hash": after("#", url.fragment()),
    });
    let named = |part: &&str| expected.get(part).is_some();
    let parts = || actual.as_object().expect("an object").keys().map(String::as_str).filter(named);
    let pick = |from: &Value| -> Value {
        parts()
            .map(|part| (part.to_owned(), from[part].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    (pick(expected), pick(&actual))
}

#[test]
fn wpt_hosts() {
    for suite in ["wpt-toascii", "wpt-idnatestv2"] {
        let Some(cases) = cases(suite) else { continue };
        let mut score = Score::new(suite);
        for case in &cases {
            let url = Url::parse(&format!("https://{}/x", text(case, "input")));
            let host = url.ok().and_then(|url| url.host().map(Host::to_string));
            score.note(case, &case["output"], &json!(host));
        }
        score.settle();
    }
}

#[test]
fn wpt_setters() {
    let Some(cases) = cases("wpt-setters") else { return };
    let mut score = Score::new("wpt-setters");
    for case in &cases {
        let mut url = Url::parse(text(case, "href")).expect("a URL to change");
        let value = text(case, "new_value");
        let set = match text(case, "attribute") {
            "href" => setters::href,
            "protocol" => setters::protocol,
            "username" => setters::username,
            "password" => setters::password,
            "host" => setters::host,
            "hostname" => setters::hostname,
            "port" => setters::port,
            "pathname" => setters::pathname,
            "search" => setters::search,
            "hash" => setters::hash,
            other => panic!("no setter {other}"),
        };
        set(&mut url, value);
        let (expected, actual) = components(&case["expected"], &url);
        score.note(case, &expected, &actual);
    }
    score.settle();
}

#[test]
fn wpt_percent_encoding() {
    let Some(cases) = cases("wpt-percent-encoding") else { return };
    let mut score = Score::new("wpt-percent-encoding");
    let page = Address::parse("http://example.org/").expect("a URL");
    for case in &cases {
        let input = text(case, "input");
        for (label, query) in case["output"].as_object().expect("outputs by encoding") {
            let encoding = Encoding::for_label(label.as_bytes()).expect("an encoding");
            let url = Base::new(&page, encoding).url(&format!("?{input}#{input}")).expect("a URL");
            let expected = json!([query, case["output"]["utf-8"]]);
            score.note(case, &expected, &json!([url.query(), url.fragment()]));
        }
    }
    score.settle();
}

#[test]
fn crawlercommons_normalizer() {
    let Some(cases) = cases("crawlercommons-normalizer") else { return };
    let mut score = Score::new("crawlercommons-normalizer");
    for case in &cases {
        score.note(case, &case["normalized"], &json!(canon::crawler(text(case, "input"))));
    }
    score.settle();
}

/// The canonical form against the same cases, to show where crawler-commons goes further.
#[test]
fn crawlercommons_canonical() {
    let Some(cases) = cases("crawlercommons-normalizer") else { return };
    let mut score = Score::new("crawlercommons-canonical");
    for case in &cases {
        let address = Address::parse(text(case, "input")).ok();
        let actual = json!(address.map(|address| address.to_string()));
        score.note(case, &case["normalized"], &actual);
    }
    score.settle();
}

#[test]
fn crawlercommons_resolve() {
    let Some(cases) = cases("crawlercommons-resolve") else { return };
    let mut score = Score::new("crawlercommons-resolve");
    for case in &cases {
        let base = Url::parse(text(case, "base")).expect("a base");
        let url = base.join(text(case, "input")).ok().map(|url| url.to_string());
        score.note(case, &case["resolved"], &json!(url));
    }
    score.settle();
}

#[test]
fn public_suffix_list() {
    let Some(cases) = cases("psl-tests") else { return };
    let mut score = Score::new("psl-tests");
    // The list's tests write hosts as people do; ours are canonical, so both sides are made so.
    let canonical = |name: &str| Host::parse(name).ok().map(|host| host.to_string());
    for case in &cases {
        let host = case["input"].as_str().and_then(canonical);
        let expected = case["registrable_domain"].as_str().and_then(canonical);
        score.note(case, &json!(expected), &json!(host.as_deref().and_then(registrable)));
    }
    score.settle();
}

#[test]
fn urlcanon() {
    let Some(cases) = cases("urlcanon") else { return };
    let sets = [
        "parsing",
        "idempotence",
        "funky_ipv4",
        "path_dots/special",
        "path_dots/nonspecial",
        "supplemental_whatwg",
        "semantic_precise",
        "aggressive",
        "surt",
        "ssurt",
    ];
    let known = |case: &&Value| !sets.contains(&text(case, "set"));
    for case in cases.iter().filter(known) {
        println!("NOT RUN: urlcanon: no such set: {case}");
    }
    for set in sets {
        let mut score = Score::new(set);
        for case in cases.iter().filter(|case| text(case, "set") == set) {
            if matches!(set, "surt" | "ssurt") {
                note_function(&mut score, text(case, "input"), &case["expected"]);
            } else {
                score.note(case, &case["expected"], &urlcanon_result(set, case));
            }
        }
        score.settle();
    }
}

fn urlcanon_result(set: &str, case: &Value) -> Value {
    let input = text(case, "input");
    let bytes = input.as_bytes();
    // These two sets write bytes as the characters of Latin-1.
    let latin: Vec<u8> = match input.chars().map(|c| u8::try_from(u32::from(c))).collect() {
        Ok(bytes) => bytes,
        Err(_) => bytes.to_vec(),
    };
    let shown = |bytes: Vec<u8>| json!(String::from_utf8_lossy(&bytes));
    match set {
        "parsing" => parts(&Parts::parse(bytes)),
        "idempotence" => shown(Parts::parse(bytes).to_bytes()),
        "funky_ipv4" => {
            let parts = Parts { host: bytes.to_vec(), ..Parts::default() };
            json!(parts.ip4().map(|address| address.to_string()))
        }
        "path_dots/special" => shown(canon::resolve_dots(bytes, true)),
        "path_dots/nonspecial" => shown(canon::resolve_dots(bytes, false)),
        "supplemental_whatwg" => shown(canon::whatwg(&latin).to_bytes()),
        "semantic_precise" => shown(canon::semantic_precise(&latin).to_bytes()),
        "aggressive" => shown(canon::aggressive(bytes).to_bytes()),
        other => panic!("no set {other}"),
    }
}

fn parts(parts: &Parts) -> Value {
    let shown = |bytes: &Vec<u8>| json!(String::from_utf8_lossy(bytes));
    let ancestry: Vec<Value> = parts.surt_ancestry().iter().map(shown).collect();
    // urlcanon does not look for addresses in the hosts of files.
    let is_file = parts.scheme.eq_ignore_ascii_case(b"file");
    json!({
        "at_sign": shown(&parts.at_sign),
        "colon_after_scheme": shown(&parts.colon_after_scheme),
        "colon_before_password": shown(&parts.colon_before_password),
        "colon_before_port": shown(&parts.colon_before_port),
        "fragment": shown(&parts.fragment),
        "hash_sign": shown(&parts.hash_sign),
        "host": shown(&parts.host),
        "ip4": parts.ip4().filter(|_| !is_file).map(u32::from),
        "ip6": parts.ip6().filter(|_| !is_file).map(|address| address.to_string()),
        "leading_junk": shown(&parts.leading_junk),
        "password": shown(&parts.password),
        "path": shown(&parts.path),
        "port": shown(&parts.port),
        "query": shown(&parts.query),
        "question_mark": shown(&parts.question_mark),
        "scheme": shown(&parts.scheme),
        "slashes": shown(&parts.slashes),
        "trailing_junk": shown(&parts.trailing_junk),
        "username": shown(&parts.username),
        "surt_ancestry": ancestry,
    })
}

/// Two sets name functions, of the package surt and of urlcanon, and give many cases for each.
fn note_function(score: &mut Score, name: &str, cases: &Value) {
    let surt = |input: &str, form: Surt| {
        String::from_utf8_lossy(&Parts::parse(input.as_bytes()).surt(form)).into_owned()
    };
    let (yes, no) = (true, false);
    let result = |input: &str| -> Option<String> {
        Some(match name {
            "surt" => surt(input, Surt { scheme: yes, trailing_comma: yes }),
            "surtWithoutScheme" => surt(input, Surt { scheme: no, trailing_comma: yes }),
            "surtWithoutTrailingComma" => surt(input, Surt { scheme: yes, trailing_comma: no }),
            "ssurt" => {
                String::from_utf8_lossy(&Parts::parse(input.as_bytes()).ssurt()).into_owned()
            }
            "Canonicalizer.Google" => archive::google(input),
            "Canonicalizer.IA" => archive::archive_only(input),
            "Canonicalizer.DefaultIA" => archive::archive(input),
            "unescapeRepeatedly" => {
                String::from_utf8_lossy(&archive::unescape_repeatedly(input)).into_owned()
            }
            "alphaRorderQuery" | "alphaReorderQuery" => archive::reorder_query(input),
            "massageHost" => archive::massage_host(input).to_owned(),
            "stripQuerySessionID" => archive::strip_query_session(input),
            "stripPathSessionID" => archive::strip_path_session(input),
            _ => return None,
        })
    };
    for (input, expected) in cases.as_object().expect("cases of a function") {
        match result(input) {
            Some(actual) => {
                score.note(&json!({"function": name, "input": input}), expected, &json!(actual));
            }
            None => println!("NOT RUN: urlcanon: no function {name}"),
        }
    }
}
