//! An archived page in a real browser, lent by `langur archive serve`.
//!
//! `./test` installs Chromium and names it in LANGUR_CHROMIUM. Without that the test says that it did
//! not run.

#[allow(dead_code, reason = "nothing fails here")]
mod command;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use langur_archive::{About, Compression, WarcWriter};

use command::{json, succeed};

/// A page that is only as it should be if its style and its image came too, and says how they came.
const PAGE: &str = r#"<!doctype html><html lang=lo><meta charset=utf-8><title>ຫໍພິພິທະພັນ</title>
<link rel=stylesheet href=/style.css><p id=said>nothing came</p><img id=picture src=picture.svg>
<script>
  addEventListener("load", () => {
    const said = document.getElementById("said");
    const width = document.getElementById("picture").naturalWidth;
    said.textContent = `the image is ${width} wide, the text ${getComputedStyle(said).color}`;
  });
</script>"#;
const STYLE: &str = "#said { color: rgb(1, 2, 3) }";
const PICTURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="37" height="20"></svg>"#;

/// A folder `web` with the page and what belongs to it, over HTTPS.
fn archive(folder: &Path) {
    let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, 1);
    for (path, mime, body) in [
        ("/", "text/html", PAGE),
        ("/style.css", "text/css", STYLE),
        ("/picture.svg", "image/svg+xml", PICTURE),
    ] {
        let url = format!("https://museum.example{path}");
        let about = About { url: &url, date: "2024-05-23T14:30:03Z", ..About::default() };
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        writer.response(&about, answer.as_bytes()).expect("in memory");
    }
    fs::create_dir(folder.join("web")).expect("a folder");
    fs::write(folder.join("web/museum.warc.gz"), writer.into_inner()).expect("room");
    succeed(folder, &["archive", "index", "web"]);
}

/// The server of an archive, stopped when the test ends, whatever happens.
struct Serving {
    process: Child,
    address: String,
}

impl Serving {
    fn start(folder: &Path) -> Serving {
        let mut process = Command::new(cargo_bin("langur"))
            .current_dir(folder)
            .args(["archive", "serve", "web", "--listen", "127.0.0.1:0", "--ca", "ca", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = json(&line)["listen"].as_str().expect("an address").to_owned();
        Serving { process, address }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_page_of_an_archive_is_replayed_in_a_browser() {
    let Ok(chromium) = std::env::var("LANGUR_CHROMIUM") else {
        eprintln!("NOT RUN: no archive was opened in a browser, since LANGUR_CHROMIUM names none");
        return;
    };
    let scratch = tempfile::tempdir().expect("a scratch folder");
    archive(scratch.path());
    let serving = Serving::start(scratch.path());
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", scratch.path().join("profile").display()))
        .arg(format!("--proxy-server=http://{}", serving.address))
        .args(["--ignore-certificate-errors", "--virtual-time-budget=10000", "--dump-dom"])
        .arg("https://museum.example/")
        .output()
        .expect("it runs");
    let page = String::from_utf8_lossy(&output.stdout);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(page.contains("<title>ຫໍພິພິທະພັນ</title>"), "{page}\n{log}");
    assert!(page.contains("the image is 37 wide, the text rgb(1, 2, 3)"), "{page}\n{log}");
}
