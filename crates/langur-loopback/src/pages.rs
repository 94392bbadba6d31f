//! What is answered for every page of a web space.

use std::sync::Arc;

use langur_crawl::{PageId, draw};
use langur_sim::{Space, UNKNOWN};

use crate::words::Words;

/// Every page has so much text, that its language can be told.
const SHORTEST: usize = 400;

/// What is the same for all pages.
#[derive(Clone, Debug)]
pub struct PageOptions {
    /// Pages are as long as the web space says, but no longer than this, links not counted.
    pub longest: usize,
    /// The robots.txt of every host; there is none if this is.
    pub robots: Option<String>,
    /// Which links there are.
    pub links: Links,
    /// How text is written.
    pub charsets: Charsets,
}

/// How the text of pages is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charsets {
    /// As the web space says; in UTF-8 where it does not.
    #[default]
    Recorded,
    /// In UTF-8, as nearly all pages are today.
    Utf8,
}

/// Which of the links of a web space are written into its pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// All of them.
    #[default]
    All,
    /// Those to pages that are OK HTML: a web in which every fetch gives a crawler the most to do.
    ToHtml,
}

impl Default for PageOptions {
    /// Short pages, since what is measured over loopback is what a crawler does besides receiving bytes.
    fn default() -> PageOptions {
        PageOptions { longest: 4096, robots: None, links: Links::All, charsets: Charsets::Recorded }
    }
}

/// What a server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// HTTP's status.
    pub status: u16,
    /// The media type.
    pub content_type: String,
    /// Where a redirect leads.
    pub location: Option<String>,
    /// The content.
    pub body: Vec<u8>,
}

/// The pages of a web space, with text and links. The same page is always the same bytes.
pub struct Pages {
    space: Arc<Space>,
    options: PageOptions,
    /// By language and then character set, both by their codes, the unknown one included.
    words: Vec<Words>,
    label: usize,
    is_html: Vec<bool>,
}

impl Pages {
    /// The pages of a web space. Where it records several labels, the true one says in which language a page is.
    pub fn new(space: Arc<Space>, options: PageOptions) -> Pages {
        let manifest = space.manifest();
        let languages = manifest.languages.iter().map(|tag| Some(tag.as_str()));
        let mut words = Vec::new();
        for language in std::iter::once(None).chain(languages) {
            words.push(Words::new(language, ""));
            words.extend(manifest.charsets.iter().map(|charset| Words::new(language, charset)));
        }
        let label = manifest.labels.iter().position(|label| label == "true").unwrap_or(0);
        let is_html = space.html_mimes();
        Pages { space, options, words, label, is_html }
    }

    /// The web space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What is answered for a URL.
    pub fn answer(&self, url: &str) -> Answer {
        match self.space.find(url) {
            Ok(Some(page)) => self.page(page),
            _ if url.ends_with("/robots.txt") => self.robots(),
            _ => not_found(),
        }
    }

    fn robots(&self) -> Answer {
        let Some(robots) = &self.options.robots else { return not_found() };
        Answer {
            status: 200,
            content_type: "text/plain".to_owned(),
            location: None,
            body: robots.clone().into_bytes(),
        }
    }

    /// What is answered for a page. Missing ones, and those that did not answer, are not found: on loopback
    /// everything is answered.
    pub fn page(&self, page: PageId) -> Answer {
        let number = page.0 as usize;
        let status = self.space.status.as_slice().get(number).copied().unwrap_or(0);
        if status == 0 {
            return not_found();
        }
        let mime = Space::word(&self.space.manifest().mimes, self.space.mime.get(number));
        let is_html = matches!(mime, "text/html" | "application/xhtml+xml" | "");
        let size = (self.space.bytes.as_slice()[number] as usize).min(self.options.longest);
        let is_redirect = (300..400).contains(&status);
        Answer {
            status,
            content_type: if mime.is_empty() { "text/html" } else { mime }.to_owned(),
            location: is_redirect.then(|| self.first_link(number)).flatten(),
            body: match is_html {
                true => self.html(number, size),
                false => opaque(number, size),
            },
        }
    }

    fn links(&self, page: usize) -> std::ops::Range<usize> {
        let offsets = self.space.link_offsets.as_slice();
        offsets[page] as usize..offsets[page + 1] as usize
    }

    fn is_written(&self, link: usize) -> bool {
        let target = self.space.link_targets.as_slice()[link] as usize;
        let is_ok_html = || {
            self.space.status.as_slice().get(target) == Some(&200)
                && self.is_html[usize::from(self.space.mime.get(target))]
        };
        self.options.links == Links::All || is_ok_html()
    }

    fn first_link(&self, page: usize) -> Option<String> {
        let link = self.links(page).next()?;
        Some(self.space.url(PageId(self.space.link_targets.as_slice()[link])))
    }

    fn words(&self, language: u16, charset: u16) -> &Words {
        let charsets = self.space.manifest().charsets.len() + 1;
        &self.words[usize::from(language) * charsets + usize::from(charset)]
    }

    fn html(&self, page: usize, size: usize) -> Vec<u8> {
        let charset = match self.options.charsets {
            Charsets::Recorded => self.space.charset.get(page),
            Charsets::Utf8 => UNKNOWN,
        };
        let words = self.words(self.space.language[self.label].get(page), charset);
        let seed = draw(0, page as u64);
        let links = self.links(page);
        let mut out = Vec::with_capacity(size + 512 + 128 * links.len());
        out.extend_from_slice(b"<!DOCTYPE html>\n<html>\n<head>\n");
        let name = match self.options.charsets {
            Charsets::Recorded => Space::word(&self.space.manifest().charsets, charset),
            Charsets::Utf8 => "utf-8",
        };
        if !name.is_empty() {
            let declared = format!(
                "<meta http-equiv=\"Content-Type\" content=\"text/html; charset={name}\">\n"
            );
            out.extend_from_slice(declared.as_bytes());
        }
        out.extend_from_slice(b"<title>");
        words.phrase(&mut out, seed, 4);
        out.extend_from_slice(format!(" {page}</title>\n</head>\n<body>\n<p>").as_bytes());
        let head = out.len();
        words.text(&mut out, seed, size.saturating_sub(head).max(SHORTEST));
        out.extend_from_slice(b"</p>\n<ul>\n");
        for link in links.filter(|link| self.is_written(*link)) {
            self.link(&mut out, link, charset);
        }
        out.extend_from_slice(b"</ul>\n</body>\n</html>\n");
        out
    }

    fn link(&self, out: &mut Vec<u8>, link: usize, charset: u16) {
        let target = self.space.link_targets.as_slice()[link];
        let language = self.space.link_anchors.get(link);
        out.extend_from_slice(b"<li><a href=\"");
        for byte in self.space.url(PageId(target)).bytes() {
            match byte {
                b'&' => out.extend_from_slice(b"&amp;"),
                byte => out.push(byte),
            }
        }
        out.extend_from_slice(b"\">");
        self.words(language, charset).phrase(out, draw(1, link as u64), 5);
        out.extend_from_slice(b"</a></li>\n");
    }
}

impl Answer {
    /// Appends the answer as HTTP/1.1 has it, with or without the content.
    pub fn write(&self, out: &mut Vec<u8>, with_body: bool) {
        use std::io::Write;
        let memory = "memory takes every answer";
        write!(out, "HTTP/1.1 {} {}\r\n", self.status, reason(self.status)).expect(memory);
        write!(out, "Content-Type: {}\r\n", self.content_type).expect(memory);
        if let Some(location) = &self.location {
            write!(out, "Location: {location}\r\n").expect(memory);
        }
        write!(out, "Content-Length: {}\r\n\r\n", self.body.len()).expect(memory);
        if with_body {
            out.extend_from_slice(&self.body);
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        403 => "Forbidden",
        404 => "Not Found",
        500 => "Internal Server Error",
        _ => "As Recorded",
    }
}

fn not_found() -> Answer {
    Answer {
        status: 404,
        content_type: "text/html".to_owned(),
        location: None,
        body: b"<!DOCTYPE html>\n<title>404</title>\n<p>404\n".to_vec(),
    }
}

/// Bytes that are no text: pictures and archives, which hardly compress.
fn opaque(page: usize, size: usize) -> Vec<u8> {
    let seed = draw(2, page as u64);
    (0..size.div_ceil(8) as u64).flat_map(|at| draw(seed, at).to_le_bytes()).take(size).collect()
}
