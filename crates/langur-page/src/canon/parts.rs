//! A URL cut into parts that, put together, are the same bytes again.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::whatwg::{v4_number, v4_of_numbers};

/// The parts of a URL, signs between them included: put together they are what was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Parts {
    pub leading_junk: Vec<u8>,
    pub scheme: Vec<u8>,
    pub colon_after_scheme: Vec<u8>,
    pub slashes: Vec<u8>,
    pub username: Vec<u8>,
    pub colon_before_password: Vec<u8>,
    pub password: Vec<u8>,
    pub at_sign: Vec<u8>,
    pub host: Vec<u8>,
    pub colon_before_port: Vec<u8>,
    pub port: Vec<u8>,
    pub path: Vec<u8>,
    pub question_mark: Vec<u8>,
    pub query: Vec<u8>,
    pub hash_sign: Vec<u8>,
    pub fragment: Vec<u8>,
    pub trailing_junk: Vec<u8>,
}

impl Parts {
    /// Cuts any bytes at all into parts.
    pub fn parse(url: &[u8]) -> Parts {
        let mut parts = Parts::default();
        let junk = |byte: &u8| *byte <= b' ';
        let start = url.iter().position(|byte| !junk(byte)).unwrap_or(url.len());
        let end = url.iter().rposition(|byte| !junk(byte)).map_or(start, |last| last + 1);
        parts.leading_junk = url[..start].to_vec();
        parts.trailing_junk = url[end..].to_vec();
        let mut rest = &url[start..end];

        if rest.first().is_some_and(u8::is_ascii_alphabetic)
            && let Some((scheme, after)) = split_at_sign(rest, b':')
        {
            parts.scheme = scheme.to_vec();
            parts.colon_after_scheme = b":".to_vec();
            rest = after;
        }
        if let Some((before, fragment)) = split_at_sign(rest, b'#') {
            parts.hash_sign = b"#".to_vec();
            parts.fragment = fragment.to_vec();
            rest = before;
        }
        if let Some((before, query)) = split_at_sign(rest, b'?') {
            parts.question_mark = b"?".to_vec();
            parts.query = query.to_vec();
            rest = before;
        }
        parts.parse_after_scheme(rest);
        parts
    }

    /// Cuts slashes, authority and path, which mean different things in different schemes.
    pub(super) fn parse_after_scheme(&mut self, text: &[u8]) {
        let scheme: Vec<u8> =
            self.scheme.iter().filter(|byte| !is_blank(byte)).map(u8::to_ascii_lowercase).collect();
        let file = scheme == b"file";
        let special = is_special(&scheme);
        let slash = |byte: &u8| *byte == b'/' || special && *byte == b'\\';

        let authority_start = if special && !file {
            text.iter().position(|byte| !slash(byte) && !is_blank(byte)).or(Some(text.len()))
        } else {
            // Two slashes and what is blank around them.
            let blanks = |from: usize| {
                let rest = text.get(from..).unwrap_or_default();
                from + rest.iter().take_while(|byte| is_blank(byte)).count()
            };
            let first = blanks(0);
            let second = text.get(first).is_some_and(slash).then(|| blanks(first + 1));
            second.filter(|&at| text.get(at).is_some_and(slash)).map(|at| blanks(at + 1))
        };
        let Some(start) = authority_start else {
            self.path = text.to_vec();
            return;
        };
        let end = text[start..].iter().position(slash).map_or(text.len(), |length| start + length);
        self.slashes = text[..start].to_vec();
        self.path = text[end..].to_vec();
        let authority = &text[start..end];
        if file {
            self.host = authority.to_vec();
        } else {
            self.parse_authority(authority);
        }
    }

    fn parse_authority(&mut self, authority: &[u8]) {
        let colon = authority.iter().position(|&byte| byte == b':').unwrap_or(authority.len());
        let last_at = |text: &[u8]| text.iter().rposition(|&byte| byte == b'@');
        let host_port = match last_at(authority) {
            Some(at) if at > colon => {
                self.username = authority[..colon].to_vec();
                self.colon_before_password = b":".to_vec();
                self.password = authority[colon + 1..at].to_vec();
                &authority[at + 1..]
            }
            Some(at) => {
                self.username = authority[..at].to_vec();
                &authority[at + 1..]
            }
            None => authority,
        };
        if host_port.len() < authority.len() {
            self.at_sign = b"@".to_vec();
        }
        let bracket = host_port.iter().position(|&byte| byte == b']').filter(|&bracket| {
            host_port[0] == b'[' && matches!(host_port.get(bracket + 1), None | Some(b':'))
        });
        let colon = |text: &[u8]| text.iter().position(|&byte| byte == b':').unwrap_or(text.len());
        let end = bracket.map_or_else(|| colon(host_port), |bracket| bracket + 1);
        self.host = host_port[..end].to_vec();
        if let Some(port) = host_port.get(end + 1..) {
            self.colon_before_port = b":".to_vec();
            self.port = port.to_vec();
        }
    }

    /// The parts put together.
    pub fn to_bytes(&self) -> Vec<u8> {
        [
            self.leading_junk.as_slice(),
            &self.scheme,
            &self.colon_after_scheme,
            &self.slashes,
            &self.authority(),
            &self.path,
            &self.question_mark,
            &self.query,
            &self.hash_sign,
            &self.fragment,
            &self.trailing_junk,
        ]
        .concat()
    }

    /// User, host and port.
    pub fn authority(&self) -> Vec<u8> {
        [
            self.username.as_slice(),
            &self.colon_before_password,
            &self.password,
            &self.at_sign,
            &self.host,
            &self.colon_before_port,
            &self.port,
        ]
        .concat()
    }

    /// The host as an IPv4 address, in any of the forms browsers take.
    pub fn ip4(&self) -> Option<Ipv4Addr> {
        lenient_v4(&self.host)
    }

    /// The host as an IPv6 address in brackets.
    pub fn ip6(&self) -> Option<Ipv6Addr> {
        let address = self.host.strip_prefix(b"[")?.strip_suffix(b"]")?;
        str::from_utf8(address).ok()?.parse().ok()
    }

    /// The *sort-friendly URI reordering transform*: `http://(com,example,www,:81)/path?query`.
    pub fn surt(&self, form: Surt) -> Vec<u8> {
        let mut key = self.leading_junk.clone();
        if form.scheme {
            key.extend([&self.scheme[..], &self.colon_after_scheme, &self.slashes].concat());
        }
        if !self.host.is_empty() {
            if form.scheme {
                key.push(b'(');
            }
            key.extend(reversed(&self.host, form.trailing_comma));
            key.extend([&self.colon_before_port[..], &self.port, b")"].concat());
        }
        key.extend(self.after_authority());
        key
    }

    /// urlcanon's *ssurt*, a form that sorts hosts before schemes: `com,example,//81:http:/path`.
    pub fn ssurt(&self) -> Vec<u8> {
        [
            self.leading_junk.as_slice(),
            &reversed(&self.host, true),
            &self.slashes,
            &self.port,
            &self.colon_before_port,
            &self.scheme,
            &self.at_sign,
            &self.username,
            &self.colon_before_password,
            &self.password,
            &self.colon_after_scheme,
            &self.after_authority(),
        ]
        .concat()
    }

    fn after_authority(&self) -> Vec<u8> {
        [
            self.path.as_slice(),
            &self.question_mark,
            &self.query,
            &self.hash_sign,
            &self.fragment,
            &self.trailing_junk,
        ]
        .concat()
    }

    /// The SURTs of everything the URL lies in, itself first: its directories, host and domains.
    /// Empty for schemes whose URLs do not have such.
    pub fn surt_ancestry(&self) -> Vec<Vec<u8>> {
        if !is_special(&self.scheme) {
            return Vec::new();
        }
        let mut pieces = vec![[&self.scheme[..], &self.colon_after_scheme, &self.slashes].concat()];
        if !self.host.is_empty() {
            pieces[0].push(b'(');
            for label in reversed(&self.host, false).split(|&byte| byte == b',') {
                pieces.push([label, b","].concat());
            }
            let port: &[u8] = if self.port.is_empty() { b"" } else { &self.colon_before_port };
            pieces.push([port, &self.port, b")"].concat());
        }
        let path = self.path.strip_prefix(b"/").unwrap_or(&self.path);
        if !self.path.is_empty() {
            for segment in path.split(|&byte| byte == b'/') {
                pieces.push([b"/", segment].concat());
            }
        }
        for (sign, part) in [(&self.question_mark, &self.query), (&self.hash_sign, &self.fragment)]
        {
            if !part.is_empty() {
                pieces.push([&sign[..], part].concat());
            }
        }
        if !self.trailing_junk.is_empty() {
            pieces.push(self.trailing_junk.clone());
        }
        (1..=pieces.len()).rev().map(|length| pieces[..length].concat()).collect()
    }
}

/// How a SURT is written.
#[derive(Clone, Copy, Debug)]
pub struct Surt {
    /// With the scheme, and then a parenthesis before the host.
    pub scheme: bool,
    /// With a comma after the last label, so that a host sorts before its subdomains.
    pub trailing_comma: bool,
}

/// Labels from the last to the first. Commas in a label become dots, or two hosts would have one key.
fn reversed(host: &[u8], trailing_comma: bool) -> Vec<u8> {
    if host.is_empty() || host[0] == b'[' || lenient_v4(host).is_some() {
        return host.to_vec();
    }
    let mut labels: Vec<Vec<u8>> = host
        .rsplit(|&byte| byte == b'.')
        .map(|label| label.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect())
        .collect();
    if trailing_comma {
        labels.push(Vec::new());
    }
    labels.join(&b","[..])
}

/// Reads an IPv4 address in which numbers may even be missing, and count as zero.
pub(super) fn lenient_v4(host: &[u8]) -> Option<Ipv4Addr> {
    let number = |text: &str| if text.is_empty() { Some(0) } else { v4_number(text) };
    let host = str::from_utf8(host).ok().filter(|host| !host.is_empty())?;
    v4_of_numbers(host, number)
}

/// urlcanon counts `gopher` among the special schemes, as the standard once did.
pub(super) fn is_special(scheme: &[u8]) -> bool {
    matches!(scheme, b"http" | b"https" | b"ftp" | b"gopher" | b"ws" | b"wss" | b"file")
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

fn split_at_sign(text: &[u8], sign: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&byte| byte == sign)?;
    Some((&text[..at], &text[at + 1..]))
}
