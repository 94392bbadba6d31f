//! Lists of pages that a site hands to crawlers.
//!
//! Sitemaps in XML, lists of sitemaps, feeds (RSS and Atom) and plain lists of URLs, each compressed or
//! not. Nothing is fetched here and nothing refused: what can be understood is returned, URLs as they are
//! written, and what was odd is noted. Time and memory grow with the text, which has a limit.

mod xml;

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::lines::starts_with;
use crate::utf_8::utf_8;

/// As many bytes of text are read as the protocol lets a sitemap have; the rest is left out.
pub const LARGEST: usize = 50 << 20;

/// As many entries as the protocol lets a sitemap have.
pub const MOST: usize = 50_000;

/// What a sitemap names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Pages, in its order.
    pub pages: Vec<Entry>,
    /// Other sitemaps, in its order.
    pub sitemaps: Vec<String>,
    /// What was odd.
    pub problems: Vec<Problem>,
}

/// A page that a sitemap names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its URL as written, without blanks around it; never empty.
    pub url: String,
    /// When it was last changed, in whatever form.
    pub lastmod: Option<String>,
}

/// Why a sitemap may name less than its author meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There are more entries than were asked for.
    TooMany,
    /// The text goes on after [`LARGEST`] bytes.
    TooLarge,
    /// The compressed data are damaged or cut off.
    BadGzip,
    /// The XML cannot be read after this byte of the text.
    BadXml {
        /// Where.
        at: u64,
    },
}

/// Reads a sitemap of any kind, and at most so many entries of it, pages and sitemaps together.
pub fn read(bytes: &[u8], most: usize) -> Sitemap {
    read_within(bytes, most, LARGEST)
}

fn read_within(bytes: &[u8], most: usize, largest: usize) -> Sitemap {
    let mut sitemap = Sitemap::default();
    let bytes = sitemap.unpacked(bytes, largest);
    let text = utf_8(&bytes);
    if text.trim_ascii_start().starts_with(b"<") {
        xml::read(&text, most, &mut sitemap);
    } else {
        sitemap.read_lines(&text, most);
    }
    sitemap
}

impl Sitemap {
    fn unpacked<'a>(&mut self, bytes: &'a [u8], largest: usize) -> Cow<'a, [u8]> {
        let mut bytes = Cow::Borrowed(bytes);
        if bytes.starts_with(b"\x1f\x8b") {
            let mut unpacked = Vec::new();
            // One more than is read tells whether there is more.
            let mut limited = MultiGzDecoder::new(&*bytes).take(largest as u64 + 1);
            if limited.read_to_end(&mut unpacked).is_err() {
                self.problems.push(Problem::BadGzip);
            }
            bytes = Cow::Owned(unpacked);
        }
        if bytes.len() > largest {
            self.problems.push(Problem::TooLarge);
            match &mut bytes {
                Cow::Borrowed(bytes) => *bytes = &bytes[..largest],
                Cow::Owned(bytes) => bytes.truncate(largest),
            }
        }
        bytes
    }

    /// One URL a line; lines that are none are left out.
    fn read_lines(&mut self, text: &[u8], most: usize) {
        for line in text.split(|&byte| byte == b'\n' || byte == b'\r').map(<[u8]>::trim_ascii) {
            if is_url(line) && !self.add_page(text_of(line), None, most) {
                return;
            }
        }
    }

    /// Whether there is room for more.
    fn add_page(&mut self, url: String, lastmod: Option<String>, most: usize) -> bool {
        let room = self.has_room(most);
        if room {
            self.pages.push(Entry { url, lastmod });
        }
        room
    }

    fn add_sitemap(&mut self, url: String, most: usize) -> bool {
        let room = self.has_room(most);
        if room {
            self.sitemaps.push(url);
        }
        room
    }

    fn has_room(&mut self, most: usize) -> bool {
        let room = self.pages.len() + self.sitemaps.len() < most;
        if !room {
            self.problems.push(Problem::TooMany);
        }
        room
    }
}

fn is_url(line: &[u8]) -> bool {
    ["http://", "https://"].iter().any(|scheme| starts_with(line, scheme))
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory takes all");
        encoder.finish().expect("memory takes all")
    }

    fn urls(sitemap: &Sitemap) -> Vec<&str> {
        sitemap.pages.iter().map(|page| page.url.as_str()).collect()
    }

    #[test]
    fn lists_are_one_url_a_line() {
        let list =
            b"\xef\xbb\xbfhttp://a.example/1\r\n\n# no\n HTTPS://a.example/\xe0\xb8\x81 \n/3";
        let sitemap = read(list, MOST);
        assert_eq!(urls(&sitemap), ["http://a.example/1", "HTTPS://a.example/ก"]);
        assert_eq!(sitemap, read(&packed(list), MOST));
    }

    #[test]
    fn no_more_entries_are_read_than_asked_for() {
        let sitemap = read(b"http://a/1\nhttp://a/2\nhttp://a/3", 2);
        assert_eq!(urls(&sitemap), ["http://a/1", "http://a/2"]);
        assert_eq!(sitemap.problems, [Problem::TooMany]);
        assert_eq!(read(b"http://a/1\nhttp://a/2", 2).problems, []);
    }

    #[test]
    fn bombs_are_stopped() {
        let mut bomb = packed(b"http://a.example/\n");
        let member = packed(&[b' '; 100_000]);
        (0..20).for_each(|_| bomb.extend_from_slice(&member));
        let sitemap = read_within(&bomb, MOST, 1 << 20);
        assert_eq!(urls(&sitemap), ["http://a.example/"]);
        assert_eq!(sitemap.problems, [Problem::TooLarge]);
    }

    #[test]
    fn damaged_data_yield_what_comes_before() {
        let mut cut = packed(b"http://a.example/1\nhttp://a.example/2\n");
        cut.truncate(cut.len() - 4);
        let sitemap = read(&cut, MOST);
        assert_eq!(urls(&sitemap), ["http://a.example/1", "http://a.example/2"]);
        assert_eq!(sitemap.problems, [Problem::BadGzip]);
    }

    #[test]
    fn utf_16_is_read() {
        let utf_16 = "\u{feff}http://a.example/".encode_utf16().flat_map(u16::to_le_bytes);
        assert_eq!(urls(&read(&utf_16.collect::<Vec<_>>(), MOST)), ["http://a.example/"]);
    }

    proptest! {
        #[test]
        fn no_sitemap_panics(bytes: Vec<u8>, most in 0_usize..4) {
            read(&bytes, most);
            read(&packed(&bytes), most);
            read(&[b"\x1f\x8b\x08", &*bytes].concat(), most);
            read(&[b"<", &*bytes].concat(), most);
        }
    }
}
