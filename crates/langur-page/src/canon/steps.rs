//! The steps that bring a URL into one form or another.

use std::net::Ipv6Addr;

use super::Parts;
use super::parts::is_special;
use crate::whatwg::{Host, escaped};

impl Parts {
    fn special(&self) -> bool {
        is_special(&self.scheme)
    }

    pub(super) fn remove_junk(&mut self) {
        self.leading_junk.clear();
        self.trailing_junk.clear();
    }

    pub(super) fn remove_tabs_and_newlines(&mut self) {
        for part in [
            &mut self.scheme,
            &mut self.slashes,
            &mut self.username,
            &mut self.password,
            &mut self.host,
            &mut self.port,
            &mut self.path,
            &mut self.query,
            &mut self.fragment,
        ] {
            part.retain(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
        }
    }

    pub(super) fn default_scheme(&mut self) {
        if self.scheme.is_empty() {
            self.scheme = b"http".to_vec();
            self.colon_after_scheme = b":".to_vec();
            if self.host.is_empty() {
                let text = std::mem::take(&mut self.path);
                self.parse_after_scheme(&text);
            }
        }
    }

    pub(super) fn lowercase_scheme(&mut self) {
        self.scheme.make_ascii_lowercase();
    }

    pub(super) fn elide_default_port(&mut self) {
        let default: &[u8] = match self.scheme.as_slice() {
            b"ftp" => b"21",
            b"gopher" => b"70",
            b"http" | b"ws" => b"80",
            b"https" | b"wss" => b"443",
            _ => return,
        };
        if self.port == default {
            self.colon_before_port.clear();
            self.port.clear();
        }
    }

    pub(super) fn clean_up_userinfo(&mut self) {
        if self.password.is_empty() {
            self.colon_before_password.clear();
            if self.username.is_empty() {
                self.at_sign.clear();
            }
        }
    }

    pub(super) fn remove_userinfo(&mut self) {
        for part in [
            &mut self.username,
            &mut self.colon_before_password,
            &mut self.password,
            &mut self.at_sign,
        ] {
            part.clear();
        }
    }

    pub(super) fn two_slashes(&mut self) {
        if !self.slashes.is_empty() || !self.authority().is_empty() || self.scheme == b"file" {
            self.slashes = b"//".to_vec();
        }
    }

    pub(super) fn decode_host(&mut self) {
        if self.special() {
            self.host = decoded(&self.host);
        }
    }

    pub(super) fn normalize_ip(&mut self) {
        if let Some(address) = self.ip4() {
            self.host = address.to_string().into_bytes();
        } else if let Some(address) = self.ip6() {
            self.host = v6(address);
        }
    }

    pub(super) fn fix_host_dots(&mut self) {
        let labels = self.host.split(|&byte| byte == b'.').filter(|label| !label.is_empty());
        self.host = labels.collect::<Vec<_>>().join(&b"."[..]);
    }

    pub(super) fn punycode_host(&mut self) {
        if !self.special() {
            return;
        }
        if self.host.is_ascii() {
            self.host.make_ascii_lowercase();
        } else if let Ok(name) = idna::domain_to_ascii_cow(&self.host, idna::AsciiDenyList::EMPTY)
            && !name.is_empty()
        {
            self.host = name.into_owned().into_bytes();
        }
    }

    pub(super) fn fix_backslashes(&mut self) {
        if self.special() {
            for part in [&mut self.slashes, &mut self.path] {
                part.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
            }
        }
    }

    pub(super) fn leading_slash(&mut self) {
        if self.special() && self.path.first() != Some(&b'/') {
            self.path.insert(0, b'/');
        }
    }

    pub(super) fn normalize_dots(&mut self) {
        self.path = resolve_dots(&self.path, self.special());
    }

    pub(super) fn collapse_slashes(&mut self) {
        if self.special() {
            self.path.dedup_by(|this, before| *this == b'/' && *before == b'/');
        }
    }

    pub(super) fn empty_path_to_slash(&mut self) {
        if self.path.is_empty() && self.special() && !self.authority().is_empty() {
            self.path = b"/".to_vec();
        }
    }

    pub(super) fn encode_host(&mut self) {
        self.host = encoded(&self.host, b"");
    }

    pub(super) fn encode_path(&mut self) {
        self.path = if self.path.first() == Some(&b'/') || self.special() {
            encoded(&self.path, b"\"#<>?`{}")
        } else {
            encoded_but_spaces(&self.path)
        };
    }

    pub(super) fn encode_userinfo(&mut self) {
        for part in [&mut self.username, &mut self.password] {
            *part = encoded(part, b"\"#<>?`{}/:;=@[\\]^|");
        }
    }

    pub(super) fn encode_query(&mut self) {
        self.query = encoded(&self.query, b"\"#<>");
    }

    pub(super) fn encode_fragment(&mut self) {
        self.fragment = encoded_but_spaces(&self.fragment);
    }

    pub(super) fn decode_all_but_query(&mut self) {
        for part in [
            &mut self.scheme,
            &mut self.username,
            &mut self.password,
            &mut self.host,
            &mut self.port,
            &mut self.path,
            &mut self.fragment,
        ] {
            *part = decoded_repeatedly(part);
        }
    }

    pub(super) fn encode_all_but_query(&mut self) {
        for part in [&mut self.scheme, &mut self.host, &mut self.port, &mut self.fragment] {
            *part = encoded(part, b"#%");
        }
        self.path = encoded(&self.path, b"#%?");
    }

    /// Decodes names and values and encodes them again, the signs between them apart.
    pub(super) fn recode_query(&mut self) {
        let recode = |token: &[u8]| encoded(&decoded_repeatedly(token), b"#%&=");
        let parameters = self.query.split(|&byte| byte == b'&').map(|parameter| {
            let tokens = parameter.splitn(2, |&byte| byte == b'=').map(recode);
            tokens.collect::<Vec<_>>().join(&b'=')
        });
        self.query = parameters.collect::<Vec<_>>().join(&b'&');
    }

    pub(super) fn sort_query(&mut self) {
        let mut parameters: Vec<&[u8]> = self.query.split(|&byte| byte == b'&').collect();
        parameters.sort_unstable();
        self.query = parameters.join(&b'&');
    }

    pub(super) fn remove_fragment(&mut self) {
        self.hash_sign.clear();
        self.fragment.clear();
    }

    pub(super) fn https_to_http(&mut self) {
        if self.scheme == b"https" {
            self.scheme = b"http".to_vec();
        }
    }

    pub(super) fn strip_www(&mut self) {
        self.host.drain(..www_length(&self.host));
    }

    pub(super) fn lowercase_path_and_query(&mut self) {
        self.path.make_ascii_lowercase();
        self.query.make_ascii_lowercase();
    }

    /// Takes out what tells visitors apart. All is in lower case already.
    pub(super) fn strip_sessions(&mut self) {
        let mut kept: Vec<&[u8]> = Vec::new();
        let mut parameters = self.query.split(|&byte| byte == b'&').peekable();
        while let Some(parameter) = parameters.next() {
            let token = |next: &&[u8]| is_value(next, b"cftoken=", 1, b"-");
            if is_cold_fusion(parameter) && parameters.next_if(token).is_some() {
                continue;
            }
            if !is_session(parameter) {
                kept.push(parameter);
            }
        }
        self.query = kept.join(&b'&');

        if self.path.ends_with(b".aspx") {
            let mut segments: Vec<&[u8]> = self.path.split(|&byte| byte == b'/').collect();
            let last = segments.len() - 1;
            let mut at = 0;
            segments.retain(|segment| {
                at += 1;
                !(at > 1 && at <= last && is_asp_session(segment))
            });
            self.path = segments.join(&b'/');
        }
        let start = self.path.len().saturating_sub(b";jsessionid=".len() + 32);
        if is_value(&self.path[start..], b";jsessionid=", 32, b"") {
            self.path.truncate(start);
        }
    }

    pub(super) fn strip_trailing_slash(&mut self) {
        if self.path.len() > 1 && self.path.ends_with(b"/") {
            self.path.pop();
        }
    }

    pub(super) fn remove_empty_parameters(&mut self) {
        let kept = self.query.split(|&byte| byte == b'&').filter(|parameter| !parameter.is_empty());
        self.query = kept.collect::<Vec<_>>().join(&b'&');
        if self.query.is_empty() {
            self.question_mark.clear();
        }
    }
}

/// Takes the segments `.` and `..`, percent-encoded or not, out of a path that starts with a slash;
/// in URLs with a special scheme backslashes are slashes, and stay as they are.
pub fn resolve_dots(path: &[u8], special: bool) -> Vec<u8> {
    let slash = |byte: &u8| *byte == b'/' || special && *byte == b'\\';
    if !path.first().is_some_and(slash) {
        return path.to_vec();
    }
    // Slashes and what is between them, by turns.
    let mut pieces: Vec<&[u8]> = Vec::new();
    for segment in path.split_inclusive(slash) {
        match segment.split_last() {
            Some((last, before)) if slash(last) => {
                pieces.push(before);
                pieces.push(std::slice::from_ref(last));
            }
            _ => pieces.push(segment),
        }
    }
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut pieces = pieces.into_iter().skip(1); // nothing is before the first slash
    while let Some(piece) = pieces.next() {
        let dots = match piece.to_ascii_lowercase().as_slice() {
            b"." | b"%2e" => 1,
            b".." | b".%2e" | b"%2e." | b"%2e%2e" => 2,
            _ => 0,
        };
        if dots == 0 {
            kept.push(piece);
            continue;
        }
        if dots == 2 {
            // The slash before, then the segment; the first slash stays.
            for _ in 0..2 {
                if kept.len() > 1 {
                    kept.pop();
                }
            }
        }
        pieces.next(); // the slash after
    }
    kept.concat()
}

/// How much of a host is `www.`, `www2.` and the like.
pub(super) fn www_length(host: &[u8]) -> usize {
    let Some(rest) = host.strip_prefix(b"www") else { return 0 };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if rest.get(digits) == Some(&b'.') { 3 + digits + 1 } else { 0 }
}

fn is_session(parameter: &[u8]) -> bool {
    let asp = parameter.strip_prefix(b"aspsessionid").and_then(|rest| rest.split_at_checked(8));
    is_value(parameter, b"jsessionid=", 10, b"$")
        || is_value(parameter, b"sessionid=", 16, b"")
        || is_value(parameter, b"phpsessid=", 16, b"")
        || is_value(parameter, b"sid=", 16, b"")
        || asp.is_some_and(|(letters, rest)| {
            letters.iter().all(u8::is_ascii_lowercase) && is_value(rest, b"=", 16, b"")
        })
}

fn is_cold_fusion(parameter: &[u8]) -> bool {
    let number = parameter.strip_prefix(b"cfid=");
    number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// Whether a text is a name followed by at least so many letters, digits and others.
fn is_value(text: &[u8], name: &[u8], least: usize, others: &[u8]) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || others.contains(byte);
    text.strip_prefix(name).is_some_and(|value| value.len() >= least && value.iter().all(allowed))
}

/// Whether a segment is `(24 letters and digits)` or `(a(24)s(24)…)`.
pub(super) fn is_asp_session(segment: &[u8]) -> bool {
    let code = |text: &[u8]| text.len() == 24 && text.iter().all(u8::is_ascii_alphanumeric);
    let Some(inner) = segment.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")")) else {
        return false;
    };
    let lettered = |group: &[u8]| matches!(group, [letter, b'(', inner @ .., b')'] if letter.is_ascii_alphabetic() && code(inner));
    code(inner) || !inner.is_empty() && inner.chunks(27).all(lettered)
}

/// Percent-decodes once.
fn decoded(text: &[u8]) -> Vec<u8> {
    let (mut decoded, mut at) = (Vec::with_capacity(text.len()), 0);
    while at < text.len() {
        let (byte, length) = escaped(&text[at..]).map_or((text[at], 1), |byte| (byte, 3));
        decoded.push(byte);
        at += length;
    }
    decoded
}

/// Percent-decodes until nothing is left to decode. Escapes cannot overlap, so they may be decoded in
/// any order: each as soon as it is complete, which takes one pass however deep they are.
pub(super) fn decoded_repeatedly(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    for &byte in text {
        decoded.push(byte);
        while let Some(start) = decoded.len().checked_sub(3)
            && let Some(byte) = escaped(&decoded[start..])
        {
            decoded.truncate(start);
            decoded.push(byte);
        }
    }
    decoded
}

/// Percent-encodes controls, the space, what is not ASCII, and more.
pub(super) fn encoded(text: &[u8], more: &[u8]) -> Vec<u8> {
    encoded_where(text, |byte| byte <= b' ' || byte >= 0x7F || more.contains(&byte))
}

fn encoded_but_spaces(text: &[u8]) -> Vec<u8> {
    encoded_where(text, |byte| !(b' '..0x7F).contains(&byte))
}

fn encoded_where(text: &[u8], encode: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(text.len());
    for &byte in text {
        if encode(byte) {
            encoded.extend(format!("%{byte:02X}").into_bytes());
        } else {
            encoded.push(byte);
        }
    }
    encoded
}

fn v6(address: Ipv6Addr) -> Vec<u8> {
    Host::V6(address).to_string().into_bytes()
}
