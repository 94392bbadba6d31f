//! The form and the key of CDX files.
//!
//! Indexes of web archives are sorted by a key: the URL in the form of the Internet Archive, its host
//! reversed. pywb, the Wayback Machine's tools and Common Crawl's index all write the keys of the
//! Python package *surt*, and what wants to be found among theirs must be written exactly as theirs;
//! oddities included, such as addresses reversed like names.

use super::parts::lenient_v4;
use super::steps::{decoded_repeatedly, encoded, is_asp_session, www_length};

/// The key of a URL in a CDX or CDXJ file: `com,example)/path?query`.
pub fn cdx_key(url: &str) -> String {
    if url.is_empty() {
        return "-".to_owned();
    }
    if url.starts_with("filedesc") {
        return url.to_owned();
    }
    if let Some(key) = plain_key(url) {
        return key;
    }
    let mut url = Handy::parse(url);
    url.google();
    url.archive();
    text(url.key())
}

/// The key of a URL in which there is nothing to repair, decode or leave out but `www` and the last slash: of most.
fn plain_key(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let (host, path) = rest.split_at(rest.bytes().position(|byte| byte == b'/')?);
    let (mut before, mut is_plain) = (b'.', true);
    for byte in host.bytes() {
        is_plain &=
            matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-') || byte == b'.' && before != b'.';
        before = byte;
    }
    let last = host.bytes().rposition(|byte| byte == b'.').map_or(0, |dot| dot + 1);
    // Without a letter at its end it may be an address.
    if !is_plain || !host.as_bytes().get(last)?.is_ascii_lowercase() {
        return None;
    }
    for byte in path.bytes() {
        let is_odd = matches!((before, byte), (b'/', b'/' | b'.'));
        if is_odd || !(byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_')) {
            return None;
        }
        before = byte;
    }
    let host = massage_host(host);
    let mut key = String::with_capacity(host.len() + path.len() + 1);
    for label in host.rsplit('.') {
        key.push_str(if key.is_empty() { "" } else { "," });
        key.push_str(label);
    }
    key.push(')');
    let from = key.len();
    key.push_str(if path == "/" { path } else { path.strip_suffix('/').unwrap_or(path) });
    key[from..].make_ascii_lowercase();
    Some(key)
}

/// A URL in the form of the Internet Archive, host in order: [`google`], then [`archive_only`].
pub fn archive(url: &str) -> String {
    let mut url = Handy::parse(url);
    url.google();
    url.archive();
    text(url.to_bytes())
}

/// Google's form for Safe Browsing: percent-decoded as often as possible and encoded once, without
/// fragment, dots or repeated slashes; addresses as four numbers.
pub fn google(url: &str) -> String {
    let mut url = Handy::parse(url);
    url.google();
    text(url.to_bytes())
}

/// The Internet Archive's own part: lower case, without `www`, default port, session numbers, last
/// slash and empty query; parameters in order.
pub fn archive_only(url: &str) -> String {
    let mut url = Handy::parse(url);
    url.archive();
    text(url.to_bytes())
}

/// A host without `www.`, `www2.` and the like.
pub fn massage_host(host: &str) -> &str {
    &host[www_length(host.as_bytes())..]
}

/// A query with its parameters in order.
pub fn reorder_query(query: &str) -> String {
    text(sorted(query.as_bytes()))
}

/// Percent-decodes until nothing is left to decode.
pub fn unescape_repeatedly(text: &str) -> Vec<u8> {
    decoded_repeatedly(text.as_bytes())
}

/// A query without session numbers.
pub fn strip_query_session(query: &str) -> String {
    text(without_sessions(query.as_bytes().to_vec()))
}

/// A path without session numbers.
pub fn strip_path_session(path: &str) -> String {
    text(without_asp_sessions(path.as_bytes().to_vec()))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A URL cut by the regular expression of RFC 2396. User and password are forgotten at once.
struct Handy {
    scheme: Vec<u8>,
    host: Vec<u8>,
    port: Option<u32>,
    path: Vec<u8>,
    query: Option<Vec<u8>>,
    fragment: Option<Vec<u8>>,
    /// The question mark of an empty query.
    last_sign: bool,
}

impl Handy {
    fn parse(url: &str) -> Handy {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0B' | '\x0C');
        let mut url = url.trim_matches(blank).replace(['\n', '\r', '\t'], "");
        if scheme_length(&url).is_none() {
            url.insert_str(0, "http://");
        }
        let url = last_protocol(&url);

        let length = scheme_length(url).unwrap_or(0);
        let (scheme, rest) = (&url[..length], url.get(length + 1..).unwrap_or(""));
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, mut path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        let host_port = authority.rsplit('@').next().unwrap_or(authority).trim_end_matches(':');
        let (host, port) = split_host(host_port);
        let mut host = host.to_ascii_lowercase();
        let found;
        if scheme.starts_with("http") && host.is_empty() && !path.is_empty() {
            // http:////////////////www.vikings.com
            let (name, rest) = path
                .trim_start_matches('/')
                .split_once('/')
                .unwrap_or((path.trim_start_matches('/'), ""));
            host = name.to_owned();
            found = format!("/{rest}");
            path = &found;
        }
        let some = |part: &str| (!part.is_empty()).then(|| part.as_bytes().to_vec());
        Handy {
            scheme: scheme.as_bytes().to_vec(),
            host: host.into_bytes(),
            port: port.parse().ok().filter(|&port| port != 0),
            path: path.as_bytes().to_vec(),
            query: some(query),
            fragment: some(fragment),
            last_sign: url.ends_with('?') && query.is_empty(),
        }
    }

    fn google(&mut self) {
        self.fragment = None;
        if let Some(query) = &mut self.query {
            *query = encoded(&decoded_repeatedly(query), b"#%");
        }
        if !self.host.is_empty() {
            self.host = google_host(&self.host);
        }
        self.path = decoded_repeatedly(&self.path);
        if !self.host.is_empty() {
            self.path = google_path(&self.path);
        }
        self.path = encoded(&self.path, b"#%");
    }

    fn archive(&mut self) {
        self.host.make_ascii_lowercase();
        if self.scheme != b"dns" {
            self.host.drain(..www_length(&self.host));
        }
        let default = match self.scheme.to_ascii_lowercase().as_slice() {
            b"http" => 80,
            b"https" => 443,
            _ => 0,
        };
        self.port = self.port.filter(|&port| port != default);
        self.path.make_ascii_lowercase();
        self.path = without_asp_sessions(std::mem::take(&mut self.path));
        if self.path.len() > 1 && self.path.ends_with(b"/") {
            self.path.pop();
        }
        match self.query.take() {
            Some(query) => {
                let query = without_sessions(query).to_ascii_lowercase();
                self.query = Some(sorted(&query)).filter(|query| !query.is_empty());
            }
            None => self.last_sign = false,
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let slashes: &[u8] =
            if self.host.is_empty() || self.scheme == b"dns" { b"" } else { b"//" };
        let start = [&self.scheme, &b":"[..], slashes, &self.host, &self.port_text()].concat();
        [start, self.after_host()].concat()
    }

    fn key(&self) -> Vec<u8> {
        if self.host.is_empty() {
            return self.to_bytes();
        }
        let labels: Vec<&[u8]> = self.host.rsplit(|&byte| byte == b'.').collect();
        [labels.join(&b","[..]), self.port_text(), b")".to_vec(), self.after_host()].concat()
    }

    fn port_text(&self) -> Vec<u8> {
        let port = self.port.filter(|_| !self.host.is_empty());
        port.map_or_else(Vec::new, |port| format!(":{port}").into_bytes())
    }

    fn after_host(&self) -> Vec<u8> {
        let mut rest = self.path.clone();
        if rest.is_empty() && (self.query.is_some() || self.fragment.is_some()) {
            rest.push(b'/');
        }
        for (sign, part) in [(b'?', &self.query), (b'#', &self.fragment)] {
            if let Some(part) = part {
                rest.push(sign);
                rest.extend(part);
            }
        }
        if self.last_sign {
            rest.push(b'?');
        }
        rest
    }
}

fn scheme_length(url: &str) -> Option<usize> {
    let length = url.find(':').filter(|_| url.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    url[..length].bytes().all(letter).then_some(length)
}

/// From the last of the protocols that a URL starts with: `http://https://a.b/` is `https://a.b/`.
fn last_protocol(url: &str) -> &str {
    let mut last = url;
    let mut rest = url;
    while let Some(after) = rest.strip_prefix("http://").or_else(|| rest.strip_prefix("https://")) {
        (last, rest) = (rest, after);
    }
    last
}

/// Host and port; brackets are dropped.
fn split_host(text: &str) -> (&str, &str) {
    if let Some((address, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
        return (address, rest.strip_prefix(':').unwrap_or(""));
    }
    text.split_once(':').unwrap_or((text, ""))
}

fn google_host(host: &[u8]) -> Vec<u8> {
    let mut host = decoded_repeatedly(host);
    if !host.is_ascii() {
        let name = String::from_utf8_lossy(&host).replace('\u{FFFD}', "");
        if let Ok(name) = idna::domain_to_ascii_cow(name.as_bytes(), idna::AsciiDenyList::EMPTY)
            && !name.is_empty()
        {
            host = name.into_owned().into_bytes();
        }
    }
    let dotted = text(host).replace("..", ".");
    let host = dotted.trim_matches('.').as_bytes();
    let digits = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    if !host.is_empty() && host.iter().all(u8::is_ascii_digit) {
        // Too large a number loses its upper bits, as it did in the archive's early files.
        let number = host.iter().fold(0_u32, |number, digit| {
            number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        });
        return std::net::Ipv4Addr::from_bits(number).to_string().into_bytes();
    }
    match lenient_v4(host).filter(|_| host.iter().all(digits)) {
        Some(address) => address.to_string().into_bytes(),
        None => encoded(&host.to_ascii_lowercase(), b"#%"),
    }
}

/// Takes out dots and empty segments. `..` at the root stays.
fn google_path(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let Some((last, before)) = kept.split_last() else { return b"/".to_vec() };
    let mut path = b"/".to_vec();
    for segment in before.iter().filter(|segment| !segment.is_empty()) {
        path.extend([segment, &b"/"[..]].concat());
    }
    path.extend(*last);
    path
}

/// Sorts parameters by name, then value; a name without a value comes before one with an empty one.
fn sorted(query: &[u8]) -> Vec<u8> {
    let pair = |parameter| <[u8]>::splitn(parameter, 2, |&byte| byte == b'=').collect();
    let mut parameters: Vec<Vec<&[u8]>> = query.split(|&byte| byte == b'&').map(pair).collect();
    parameters.sort_unstable();
    let parameters: Vec<Vec<u8>> = parameters.iter().map(|pair| pair.join(&b'=')).collect();
    parameters.join(&b'&')
}

/// Takes session numbers out: of each kind the last, wherever in a parameter it starts.
fn without_sessions(mut query: Vec<u8>) -> Vec<u8> {
    type Length = fn(&[u8]) -> Option<usize>;
    fn after(text: &[u8], name: &[u8], letters: usize, digits: bool) -> Option<usize> {
        let value = text.get(name.len()..name.len() + letters)?;
        let allowed = |byte: &u8| byte.is_ascii_alphabetic() || digits && byte.is_ascii_digit();
        (text[..name.len()].eq_ignore_ascii_case(name) && value.iter().all(allowed))
            .then_some(name.len() + letters)
    }
    let kinds: [Length; 5] = [
        |text| after(text, b"jsessionid=", 32, true),
        |text| after(text, b"phpsessid=", 32, true),
        |text| after(text, b"sid=", 32, true),
        |text| {
            let name = after(text, b"aspsessionid", 8, false)?;
            Some(name + after(&text[name..], b"=", 24, false)?)
        },
        |text| {
            let rest =
                |text: &[u8]| text.iter().position(|&byte| byte == b'&').unwrap_or(text.len());
            let name = after(text, b"cfid=", 0, false)?;
            let token = name + rest(&text[name..]);
            let value = token + after(&text[token..], b"&cftoken=", 0, false)?;
            let end = value + rest(&text[value..]);
            (token > name && end > value).then_some(end)
        },
    ];
    for kind in kinds {
        let found = (0..query.len()).rev().find_map(|start| {
            let end = start + kind(&query[start..])?;
            matches!(query.get(end), None | Some(b'&')).then_some((start, end))
        });
        if let Some((start, end)) = found {
            query.drain(start..query.len().min(end + 1));
        }
    }
    query
}

/// Takes ASP.NET's session numbers out of a path: of each kind the last before an `.aspx`.
fn without_asp_sessions(mut path: Vec<u8>) -> Vec<u8> {
    for nested in [true, false] {
        let slashes = (0..path.len()).rev().filter(|&at| path[at] == b'/');
        let found = slashes.into_iter().find_map(|slash| {
            let rest = &path[slash + 1..];
            let length = rest.iter().position(|&byte| byte == b'/')?;
            let after = &rest[length + 1..];
            let up_to_query = after.split(|&byte| byte == b'?').next().unwrap_or(after);
            let aspx =
                up_to_query.windows(5).skip(1).any(|text| text.eq_ignore_ascii_case(b".aspx"));
            let session = is_asp_session(&rest[..length]);
            let is_nested = rest[..length].ends_with(b"))");
            (aspx && session && is_nested == nested).then_some((slash + 1, slash + 1 + length + 1))
        });
        if let Some((start, end)) = found {
            path.drain(start..end);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(url: &str, key: &str) {
        assert_eq!(cdx_key(url), key);
    }

    #[test]
    fn keys_are_those_of_the_package_surt() {
        check("http://www.Example.com:80/A/?b=2&a=1#c", "com,example)/a?a=1&b=2");
        check("https://www2.example.co.th:8080", "th,co,example:8080)/");
        check("example.com/%2541/../x//y", "com,example)/x/y");
        check("http://1.2.3.4/", "4,3,2,1)/");
        check("http://[2001:db8::1]/", "2001:db8::1)/");
        check("dns:www.example.com", "dns:www.example.com");
        check("", "-");
    }

    #[test]
    fn sessions_are_no_part_of_a_key() {
        let number = "0123456789abcdef0123456789ABCDEF";
        check(&format!("http://a.b/?x=1&PHPSESSID={number}&y=2"), "b,a)/?x=1&y=2");
        check(&format!("http://a.b/?x=1&sid={number}"), "b,a)/?&x=1");
        check("http://a.b/?cfid=1&cftoken=2&x", "b,a)/?x");
        check("http://a.b/(S(4hqa0555fwsecu455xqckv45))/c.aspx?d", "b,a)/c.aspx?d");
    }

    #[test]
    fn escapes_of_any_depth_take_one_pass() {
        assert_eq!(unescape_repeatedly(&format!("%{}41", "25".repeat(1 << 20))), b"A");
    }

    #[test]
    fn large_numbers_lose_their_upper_bits() {
        check("http://4294967297/", "1,0,0,0)/");
    }

    #[test]
    fn most_urls_are_plain() {
        for (url, key) in [
            ("https://www.example.com/", Some("com,example)/")),
            ("http://a.example/B/c-d_e.html", Some("example,a)/b/c-d_e.html")),
            ("http://a.example/b/", Some("example,a)/b")),
            ("http://A.example/", None),
            ("http://a.example", None),
            ("http://1.2.3.4/", None),
            ("http://a.example/b?c", None),
            ("http://a.example/b/../c", None),
        ] {
            assert_eq!(plain_key(url).as_deref(), key, "{url}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn plain_keys_are_those_of_all_steps(host in "(www[0-9]?\\.)?[a-z0-9.-]{0,8}", path in "[aB0/._-]{0,9}") {
            let url = format!("http://{host}/{path}");
            if let Some(key) = plain_key(&url) {
                let mut steps = Handy::parse(&url);
                steps.google();
                steps.archive();
                prop_assert_eq!(key, text(steps.key()));
            }
        }
    }
}
