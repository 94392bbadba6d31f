//! The URL suites of others.

#[path = "url/cases.rs"]
mod cases;
#[path = "url/exceptions.rs"]
mod exceptions;

use serde_json::{Value, json};
use langur_page::whatwg::{Host, Url, setters};

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
        parts().map(|part| (part.to_owned(), from[part].clone())).collect::<serde_json::Map<_, _>>().into()
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
        println!("{}", std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| score.settle())).is_ok());
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
