//! Archives to try the built binary on.

#![allow(dead_code, reason = "not every test looks at everything")]

use std::fs;
use std::io::Write;
use std::process::Child;

use langur_testkit::Warc;

use crate::command::succeed;

/// A text that is wanted.
pub const THAI: &str =
    "ห้องสมุดแห่งชาติรวบรวมหนังสือ เอกสาร และเว็บไซต์ทั้งหมดของประเทศไทยไว้ให้ประชาชนได้ศึกษาค้นคว้า";
/// One that is not.
pub const ENGLISH: &str =
    "The national library keeps books, papers and web sites for everybody to read.";

pub fn page(text: &str, links: &[String]) -> Vec<u8> {
    let links: String =
        links.iter().map(|link| format!("<a href=\"{link}\">{link}</a>\n")).collect();
    format!("<!doctype html><meta charset=utf-8><title>t</title><p>{text}</p>{links}").into_bytes()
}

/// A site of Thai and English pages, each linking to the next and to one that is not there.
pub fn site(host: &str, pages: usize) -> Warc {
    let mut warc = Warc::default();
    for number in 0..pages {
        let url = format!("http://{host}/{number}");
        let links = [
            format!("/{}", number + 1),
            format!("/gone/{number}"),
            "http://b.example/0".to_owned(),
        ];
        let text = if number % 3 == 0 { THAI } else { ENGLISH };
        warc.page(&url, "20230102030405", &page(text, &links));
    }
    warc
}

/// A folder `web` with an archive of two files and its index.
pub fn archive() -> tempfile::TempDir {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let web = scratch.path().join("web/parts");
    fs::create_dir_all(&web).expect("a folder");
    let mut first = site("a.example", 30);
    first.page("http://a.example/0", "20200102030405", &page("An older page.", &[]));
    first.response(
        "http://a.example/robots.txt",
        "20230102030405",
        200,
        &[],
        b"User-agent: *\nDisallow: /7\n",
    );
    fs::write(web.join("a.warc"), first.bytes()).expect("room");
    fs::write(web.join("b.warc"), site("b.example", 10).bytes()).expect("room");
    fs::write(scratch.path().join("seeds.txt"), "# where to start\nhttp://a.example/0\n")
        .expect("room");
    let said = succeed(scratch.path(), &["archive", "index", "web"]);
    assert!(said.contains("42 captures in 2 files"), "{said}");
    scratch
}

/// One member of gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

/// Stops a process when the test ends, whatever happens.
pub struct Stopped(pub Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
