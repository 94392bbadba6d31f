//! Changing a part of a URL, as scripts do.
//!
//! A crawl never does; but half of the standard's tests of its parser's states come in this form, and
//! a rewriter of archived pages may need it. A value that cannot be leaves the URL as it was.

use super::parser::{Parser, split_port, split_scheme, without_tabs_and_newlines};
use super::{Host, Url, default_port, is_special, percent};

/// Sets the whole URL.
pub fn href(url: &mut Url, value: &str) {
    if let Ok(new) = Url::parse(value) {
        *url = new;
    }
}

/// Sets the scheme, with or without its colon. Special schemes change only among themselves.
pub fn protocol(url: &mut Url, value: &str) {
    let value = without_tabs_and_newlines(value) + ":";
    let Some((scheme, _)) = split_scheme(&value) else { return };
    let scheme = scheme.to_ascii_lowercase();
    let file_cannot = scheme == "file" && (url.has_credentials() || url.port.is_some());
    let hostless = url.scheme == "file" && url.host.as_ref().is_none_or(Host::is_empty);
    if is_special(&scheme) != url.special() || file_cannot || hostless {
        return;
    }
    url.scheme = scheme;
    url.port = url.port.filter(|&port| default_port(&url.scheme) != Some(port));
}

/// Sets the user name.
pub fn username(url: &mut Url, value: &str) {
    if can_have_a_user(url) {
        url.username.clear();
        percent::encode(value, percent::USERINFO, &mut url.username);
    }
}

/// Sets the password.
pub fn password(url: &mut Url, value: &str) {
    if can_have_a_user(url) {
        url.password.clear();
        percent::encode(value, percent::USERINFO, &mut url.password);
    }
}

fn can_have_a_user(url: &Url) -> bool {
    url.scheme != "file" && url.host.as_ref().is_some_and(|host| !host.is_empty())
}

/// Sets the host, and the port if the value has one.
pub fn host(url: &mut Url, value: &str) {
    let value = without_tabs_and_newlines(value);
    let (name, port) = split_port(up_to_path(url, &value));
    if set_host(url, name, port.is_some())
        && let Some(port) = port
    {
        set_port(url, port);
    }
}

/// Sets the host alone.
pub fn hostname(url: &mut Url, value: &str) {
    let value = without_tabs_and_newlines(value);
    let (name, port) = split_port(up_to_path(url, &value));
    if port.is_none() {
        set_host(url, name, false);
    }
}

fn up_to_path<'v>(url: &Url, value: &'v str) -> &'v str {
    let ends = |c| matches!(c, '/' | '?' | '#') || url.special() && c == '\\';
    value.split(ends).next().unwrap_or(value)
}

fn set_host(url: &mut Url, name: &str, with_port: bool) -> bool {
    let in_use = url.has_credentials() || url.port.is_some();
    let needed = url.special() && url.scheme != "file" || with_port || in_use;
    // A colon means nothing to the host of a file.
    if url.opaque || name.is_empty() && needed || url.scheme == "file" && with_port {
        return false;
    }
    let host = if name.is_empty() {
        Host::Name(String::new())
    } else {
        let parser = parser(url);
        let Ok(host) = parser.host(name) else { return false };
        host
    };
    let local = url.scheme == "file" && matches!(&host, Host::Name(name) if name == "localhost");
    url.host = Some(if local { Host::Name(String::new()) } else { host });
    true
}

/// Sets the port; an empty one is the scheme's own.
pub fn port(url: &mut Url, value: &str) {
    if !can_have_a_user(url) {
        return;
    }
    if value.is_empty() {
        url.port = None;
    } else {
        set_port(url, &without_tabs_and_newlines(value));
    }
}

fn set_port(url: &mut Url, value: &str) {
    let end = value.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(value.len());
    let mut parser = parser(url);
    if end > 0 && parser.port(&value[..end]).is_ok() {
        *url = parser.url;
    }
}

/// Sets the path.
pub fn pathname(url: &mut Url, value: &str) {
    if url.opaque {
        return;
    }
    url.path.clear();
    let value = without_tabs_and_newlines(value);
    let special = url.special();
    let rest = value.strip_prefix(|c| c == '/' || special && c == '\\');
    if value.is_empty() && !special {
        if url.host.is_none() {
            url.path.push('/');
        }
        return;
    }
    let mut parser = parser(url);
    parser.segments(rest.unwrap_or(&value));
    *url = parser.url;
}

/// Sets the query, with or without its question mark.
pub fn search(url: &mut Url, value: &str) {
    url.query = None;
    if !value.is_empty() {
        let value = without_tabs_and_newlines(value);
        let mut parser = parser(url);
        parser.query(value.strip_prefix('?').unwrap_or(&value));
        *url = parser.url;
    }
}

/// Sets the fragment, with or without its hash sign.
pub fn hash(url: &mut Url, value: &str) {
    url.fragment = None;
    if !value.is_empty() {
        let value = without_tabs_and_newlines(value);
        let mut parser = parser(url);
        parser.fragment(value.strip_prefix('#').unwrap_or(&value));
        *url = parser.url;
    }
}

fn parser(url: &Url) -> Parser {
    Parser { url: url.clone(), encoding: encoding_rs::UTF_8 }
}
