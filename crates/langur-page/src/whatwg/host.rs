//! Host names and addresses.

use std::borrow::Cow;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::{NotAUrl, percent};

/// The host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// A name in ASCII and lower case; or anything, percent-encoded, where the scheme is not special.
    /// Empty in `file:///`.
    Name(String),
    /// An IPv4 address.
    V4(Ipv4Addr),
    /// An IPv6 address, in brackets in a URL.
    V6(Ipv6Addr),
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Name(name) => f.write_str(name),
            Host::V4(address) => address.fmt(f),
            Host::V6(address) => v6(*address, f),
        }
    }
}

impl Host {
    /// Reads the host of a URL whose scheme is special: a name, possibly international, or an address
    /// in any of the forms browsers take.
    pub fn parse(text: &str) -> Result<Host, NotAUrl> {
        if text.starts_with('[') {
            return bracketed(text);
        }
        let decoded = percent::decode(text);
        let name = to_ascii(&decoded)?;
        if name.is_empty() || name.bytes().any(forbidden_in_names) {
            return Err(NotAUrl::BadHost);
        }
        if !ends_in_a_number(&name) {
            return Ok(Host::Name(name.into_owned()));
        }
        v4(&name).map(Host::V4).ok_or(NotAUrl::BadAddress)
    }

    /// Reads the host of a URL whose scheme is not special.
    pub fn parse_opaque(text: &str) -> Result<Host, NotAUrl> {
        if text.starts_with('[') {
            return bracketed(text);
        }
        if text.bytes().any(forbidden) {
            return Err(NotAUrl::BadHost);
        }
        let mut name = String::with_capacity(text.len());
        percent::encode(text, percent::C0_CONTROL, &mut name);
        Ok(Host::Name(name))
    }

    /// Whether there is a host and it is nothing, as in `file:///`.
    pub fn is_empty(&self) -> bool {
        matches!(self, Host::Name(name) if name.is_empty())
    }
}

fn bracketed(text: &str) -> Result<Host, NotAUrl> {
    let address = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let address = address.and_then(|text| text.parse().ok());
    address.map(Host::V6).ok_or(NotAUrl::BadAddress)
}

/// The standard's *domain to ASCII*. Names that are in ASCII already are not looked into, even if they
/// claim to be Punycode and are not: such names exist and resolve.
fn to_ascii(name: &[u8]) -> Result<Cow<'_, str>, NotAUrl> {
    if !name.is_ascii() {
        // Every byte sequence that is not UTF-8 makes a U+FFFD, which no name may hold.
        return idna::domain_to_ascii_cow(name, idna::AsciiDenyList::EMPTY)
            .map_err(|_| NotAUrl::BadHost);
    }
    let name = str::from_utf8(name).expect("ASCII is UTF-8");
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Ok(name.to_ascii_lowercase().into());
    }
    Ok(name.into())
}

fn forbidden(byte: u8) -> bool {
    matches!(
        byte,
        0 | b'\t'
            | b'\n'
            | b'\r'
            | b' '
            | b'#'
            | b'/'
            | b':'
            | b'<'
            | b'>'
            | b'?'
            | b'@'
            | b'['
            | b'\\'
            | b']'
            | b'^'
            | b'|'
    )
}

fn forbidden_in_names(byte: u8) -> bool {
    forbidden(byte) || byte < 0x20 || byte == b'%' || byte == 0x7F
}

/// Whether a name can only be meant as an IPv4 address.
fn ends_in_a_number(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or(name);
    !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) || v4_number(last).is_some()
}

/// Reads an IPv4 address of one to four numbers, the last of which fills what is left, each decimal,
/// octal after `0` or hexadecimal after `0x`.
fn v4(text: &str) -> Option<Ipv4Addr> {
    v4_of_numbers(text, v4_number)
}

/// The same with numbers read otherwise.
pub(crate) fn v4_of_numbers(text: &str, read: impl Fn(&str) -> Option<u64>) -> Option<Ipv4Addr> {
    let text = text.strip_suffix('.').unwrap_or(text);
    let (mut address, mut parts) = (0, 0);
    let mut numbers = text.split('.').peekable();
    while let Some(number) = numbers.next() {
        parts += 1;
        let number = read(number)?;
        if parts > 4 {
            return None;
        }
        let last = numbers.peek().is_none();
        let bits = if last { 8 * (5 - parts) } else { 8 };
        if number >> bits != 0 {
            return None;
        }
        address = address << bits | number;
    }
    Some(Ipv4Addr::from_bits(u32::try_from(address).expect("four bytes")))
}

pub(crate) fn v4_number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    digits.chars().try_fold(0_u64, |number, digit| {
        let digit = digit.to_digit(radix)?;
        Some(number.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit)))
    })
}

/// Writes an IPv6 address in brackets, its first longest row of zeros left out. (The standard library
/// writes some addresses with an IPv4 address at the end; the web does not.)
fn v6(address: Ipv6Addr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let pieces = address.segments();
    let zeros = |from: usize| pieces[from..].iter().take_while(|&&piece| piece == 0).count();
    let (mut start, mut length) = (8, 1); // one zero is not left out
    for at in 0..8 {
        if zeros(at) > length {
            (start, length) = (at, zeros(at));
        }
    }
    f.write_str("[")?;
    let mut at = 0;
    while at < 8 {
        if at == start {
            f.write_str(if at == 0 { "::" } else { ":" })?;
            at += length;
            continue;
        }
        write!(f, "{:x}", pieces[at])?;
        at += 1;
        if at < 8 {
            f.write_str(":")?;
        }
    }
    f.write_str("]")
}
