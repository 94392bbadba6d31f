//! The basic URL parser.
//!
//! The standard describes it as a machine that takes a character at a time. All that ends a part of a
//! URL is in ASCII, so here each state finds the end of its part and takes it whole. Functions bear
//! the names of the states, and take the text from where the state begins.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::{Host, NotAUrl, Url, default_port, is_special, percent};

/// Reads a URL, against a base if there is one, its query in an encoding.
pub fn parse(text: &str, base: Option<&Url>, encoding: &'static Encoding) -> Result<Url, NotAUrl> {
    let text = without_tabs_and_newlines(text.trim_matches(|c: char| c <= ' '));
    let mut parser = Parser { url: Url::empty(), encoding };
    match split_scheme(&text) {
        Some((scheme, rest)) => parser.after_scheme(scheme, rest, base)?,
        None => parser.no_scheme(&text, base.ok_or(NotAUrl::Relative)?)?,
    }
    Ok(parser.url)
}

/// Tabs and newlines mean nothing anywhere in a URL.
pub fn without_tabs_and_newlines(text: &str) -> Cow<'_, str> {
    let meaningless = |c| matches!(c, '\t' | '\n' | '\r');
    if text.bytes().any(|byte| meaningless(char::from(byte))) {
        return text.replace(meaningless, "").into();
    }
    text.into()
}

/// Splits off the scheme, if the text starts with one, and its colon.
pub fn split_scheme(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let in_scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let end = text.bytes().position(|byte| !in_scheme(&byte))?;
    text[end..].strip_prefix(':').map(|rest| (&text[..end], rest))
}

/// A URL in the making.
pub struct Parser {
    pub url: Url,
    pub encoding: &'static Encoding,
}

impl Url {
    pub(super) fn empty() -> Url {
        Url {
            scheme: String::new(),
            username: String::new(),
            password: String::new(),
            host: None,
            port: None,
            path: String::new(),
            opaque: false,
            query: None,
            fragment: None,
        }
    }
}

impl Parser {
    fn after_scheme(
        &mut self,
        scheme: &str,
        rest: &str,
        base: Option<&Url>,
    ) -> Result<(), NotAUrl> {
        self.url.scheme = scheme.to_ascii_lowercase();
        let scheme = self.url.scheme.as_str();
        if scheme == "file" {
            return self.file(rest, base.filter(|base| base.scheme == "file"));
        }
        if is_special(scheme) {
            return match base.filter(|base| base.scheme == scheme) {
                Some(base) if !rest.starts_with("//") => self.relative(rest, base),
                _ => self.authority_after_slashes(rest),
            };
        }
        match rest.strip_prefix('/') {
            Some(rest) => match rest.strip_prefix('/') {
                Some(rest) => return self.authority(rest),
                None => self.path(rest),
            },
            None => self.opaque_path(rest),
        }
        Ok(())
    }

    fn no_scheme(&mut self, text: &str, base: &Url) -> Result<(), NotAUrl> {
        if base.opaque {
            let fragment = text.strip_prefix('#').ok_or(NotAUrl::Relative)?;
            self.url = Url { fragment: None, ..base.clone() };
            self.fragment(fragment);
            return Ok(());
        }
        if base.scheme == "file" { self.file(text, Some(base)) } else { self.relative(text, base) }
    }

    fn relative(&mut self, text: &str, base: &Url) -> Result<(), NotAUrl> {
        self.url.scheme.clone_from(&base.scheme);
        if let Some(rest) = self.after_slash(text) {
            if self.url.special() && self.after_slash(rest).is_some() {
                return self.authority_after_slashes(rest);
            }
            if let Some(rest) = rest.strip_prefix('/') {
                return self.authority(rest);
            }
            self.take_authority(base);
            self.path(rest);
            return Ok(());
        }
        self.take_authority(base);
        self.url.path.clone_from(&base.path);
        match text.as_bytes().first() {
            None => self.url.query.clone_from(&base.query),
            Some(b'#') => {
                self.url.query.clone_from(&base.query);
                self.after_path(text);
            }
            Some(b'?') => self.after_path(text),
            Some(_) => {
                self.shorten();
                self.path(text);
            }
        }
        Ok(())
    }

    fn take_authority(&mut self, base: &Url) {
        self.url.username.clone_from(&base.username);
        self.url.password.clone_from(&base.password);
        self.url.host.clone_from(&base.host);
        self.url.port = base.port;
    }

    /// The text after the slash it starts with, which is a backslash too if the scheme is special.
    fn after_slash<'t>(&self, text: &'t str) -> Option<&'t str> {
        let special = self.url.special();
        text.strip_prefix(|c| c == '/' || special && c == '\\')
    }

    fn authority_after_slashes(&mut self, text: &str) -> Result<(), NotAUrl> {
        self.authority(text.trim_start_matches(['/', '\\']))
    }

    fn authority(&mut self, text: &str) -> Result<(), NotAUrl> {
        let (authority, rest) = text.split_at(self.authority_end(text));
        let host = match authority.rsplit_once('@') {
            None => authority,
            Some((_, "")) => return Err(NotAUrl::NoHost),
            Some((user, host)) => {
                let (name, password) = user.split_once(':').unwrap_or((user, ""));
                percent::encode(name, percent::USERINFO, &mut self.url.username);
                percent::encode(password, percent::USERINFO, &mut self.url.password);
                host
            }
        };
        let (host, port) = split_port(host);
        if host.is_empty() && (self.url.special() || port.is_some()) {
            return Err(NotAUrl::NoHost);
        }
        self.url.host = Some(self.host(host)?);
        if let Some(port) = port {
            if !port.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(NotAUrl::BadPort);
            }
            self.port(port)?;
        }
        self.path_start(rest);
        Ok(())
    }

    fn authority_end(&self, text: &str) -> usize {
        let special = self.url.special();
        let ends = |byte| matches!(byte, b'/' | b'?' | b'#') || special && byte == b'\\';
        text.bytes().position(ends).unwrap_or(text.len())
    }

    pub fn host(&self, text: &str) -> Result<Host, NotAUrl> {
        if self.url.special() { Host::parse(text) } else { Host::parse_opaque(text) }
    }

    /// Takes a port of digits alone; none at all is the scheme's own.
    pub fn port(&mut self, digits: &str) -> Result<(), NotAUrl> {
        self.url.port = None;
        if !digits.is_empty() {
            let digits = digits.trim_start_matches('0');
            let number = if digits.is_empty() { Ok(0) } else { digits.parse() };
            let number = number.map_err(|_| NotAUrl::BadPort)?;
            self.url.port = Some(number).filter(|_| default_port(&self.url.scheme) != Some(number));
        }
        Ok(())
    }

    fn file(&mut self, text: &str, base: Option<&Url>) -> Result<(), NotAUrl> {
        self.url.scheme = "file".to_owned();
        self.url.host = Some(Host::Name(String::new()));
        if let Some(rest) = self.after_slash(text) {
            if let Some(rest) = self.after_slash(rest) {
                return self.file_host(rest);
            }
            if let Some(base) = base {
                self.url.host.clone_from(&base.host);
                if !starts_with_drive(rest) {
                    let first = base.path.get(..3).filter(|_| first_is_drive(&base.path));
                    self.url.path.push_str(first.unwrap_or(""));
                }
            }
            self.path(rest);
            return Ok(());
        }
        let Some(base) = base else {
            self.path(text);
            return Ok(());
        };
        self.url.host.clone_from(&base.host);
        self.url.path.clone_from(&base.path);
        match text.as_bytes().first() {
            None => self.url.query.clone_from(&base.query),
            Some(b'#') => {
                self.url.query.clone_from(&base.query);
                self.after_path(text);
            }
            Some(b'?') => self.after_path(text),
            Some(_) => {
                if starts_with_drive(text) {
                    self.url.path.clear()
                } else {
                    self.shorten()
                }
                self.path(text);
            }
        }
        Ok(())
    }

    fn file_host(&mut self, text: &str) -> Result<(), NotAUrl> {
        let (host, rest) = text.split_at(self.authority_end(text));
        if is_drive(host) {
            self.path(text);
            return Ok(());
        }
        if !host.is_empty() {
            let host = Host::parse(host)?;
            let local = matches!(&host, Host::Name(name) if name == "localhost");
            self.url.host = Some(if local { Host::Name(String::new()) } else { host });
        }
        self.path_start(rest);
        Ok(())
    }

    fn path_start(&mut self, text: &str) {
        if !self.url.special() && !text.starts_with('/') {
            self.after_path(text);
        } else {
            self.path(self.after_slash(text).unwrap_or(text));
        }
    }

    /// Takes segments up to a query or fragment. The slash before the first is taken already.
    fn path(&mut self, text: &str) {
        let end = text.bytes().position(|byte| matches!(byte, b'?' | b'#')).unwrap_or(text.len());
        self.segments(&text[..end]);
        self.after_path(&text[end..]);
    }

    /// Appends segments to the path; those that are dots go up or nowhere.
    pub fn segments(&mut self, text: &str) {
        let special = self.url.special();
        let mut rest = Some(text);
        while let Some(text) = rest {
            let end = text.bytes().position(|byte| byte == b'/' || special && byte == b'\\');
            let segment = &text[..end.unwrap_or(text.len())];
            rest = end.map(|end| &text[end + 1..]);
            match dots(segment) {
                2 => {
                    self.shorten();
                    if rest.is_none() {
                        self.url.path.push('/');
                    }
                }
                1 if rest.is_none() => self.url.path.push('/'),
                1 => {}
                _ if self.url.scheme == "file" && self.url.path.is_empty() && is_drive(segment) => {
                    self.url.path.extend(['/', char::from(segment.as_bytes()[0]), ':']);
                }
                _ => {
                    self.url.path.push('/');
                    percent::encode(segment, percent::PATH, &mut self.url.path);
                }
            }
        }
    }

    /// Takes the last segment off the path, unless it is the drive of a file.
    fn shorten(&mut self) {
        if self.url.scheme == "file" && self.url.path.len() == 3 && first_is_drive(&self.url.path) {
            return;
        }
        self.url.path.truncate(self.url.path.rfind('/').unwrap_or(0));
    }

    fn opaque_path(&mut self, text: &str) {
        self.url.opaque = true;
        let end = text.bytes().position(|byte| matches!(byte, b'?' | b'#'));
        let path = &text[..end.unwrap_or(text.len())];
        // A space before the query would be lost with the query.
        let kept = if end.is_some() { path.strip_suffix(' ') } else { None };
        percent::encode(kept.unwrap_or(path), percent::C0_CONTROL, &mut self.url.path);
        if kept.is_some() {
            self.url.path.push_str("%20");
        }
        self.after_path(&text[path.len()..]);
    }

    /// Takes the query and the fragment, each with its sign, where there are any.
    fn after_path(&mut self, text: &str) {
        let (query, fragment) = match text.split_once('#') {
            Some((query, fragment)) => (query, Some(fragment)),
            None => (text, None),
        };
        if let Some(query) = query.strip_prefix('?') {
            self.query(query);
        }
        if let Some(fragment) = fragment {
            self.fragment(fragment);
        }
    }

    pub fn query(&mut self, text: &str) {
        let set = if self.url.special() { percent::SPECIAL_QUERY } else { percent::QUERY };
        let web_like = self.url.special() && !matches!(self.url.scheme.as_str(), "ws" | "wss");
        let encoding = if web_like { self.encoding } else { encoding_rs::UTF_8 };
        let mut query = String::with_capacity(text.len());
        percent::encode_as(text, encoding, set, &mut query);
        self.url.query = Some(query);
    }

    pub fn fragment(&mut self, text: &str) {
        let mut fragment = String::with_capacity(text.len());
        percent::encode(text, percent::FRAGMENT, &mut fragment);
        self.url.fragment = Some(fragment);
    }
}

/// Splits a host from the port after its colon; colons in brackets do not count.
pub fn split_port(text: &str) -> (&str, Option<&str>) {
    let mut bracketed = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => bracketed = true,
            b']' => bracketed = false,
            b':' if !bracketed => return (&text[..at], Some(&text[at + 1..])),
            _ => {}
        }
    }
    (text, None)
}

/// One for the segment `.`, two for `..`, with dots percent-encoded or not; none for all others.
fn dots(segment: &str) -> usize {
    if segment.len() > 6 || !segment.starts_with(['.', '%']) {
        return 0;
    }
    let (mut rest, mut dots) = (segment.as_bytes(), 0);
    loop {
        rest = match rest {
            [] if dots <= 2 => return dots,
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return 0,
        };
        dots += 1;
    }
}

/// Whether a text is a Windows drive: a letter and a colon or bar.
fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn starts_with_drive(text: &str) -> bool {
    text.get(..2).is_some_and(is_drive)
        && matches!(text.as_bytes().get(2), None | Some(b'/' | b'\\' | b'?' | b'#'))
}

/// Whether the first segment of a path is a drive with a colon.
fn first_is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [b'/', letter, b':', rest @ ..]
        if letter.is_ascii_alphabetic() && matches!(rest, [] | [b'/', ..]))
}
