//! Archives as WACZ files, through the built binary, judged by py-wacz.
//!
//! `./test` installs py-wacz and names its program in LANGUR_WACZ. Without that the test says that nobody
//! else looked at the files.

mod command;

use std::fs;
use std::path::Path;
use std::process::Command;

use langur_testkit::Warc;

use command::{fail, json, succeed};

/// An archive of two files, plain and in a folder of its own.
fn archive(folder: &Path) {
    fs::create_dir_all(folder.join("parts")).expect("a folder");
    let mut first = Warc::default();
    for number in 0..20 {
        let page = format!("<title>Page {number}</title><p>ห้องสมุดแห่งชาติ");
        let url = format!("http://a.example/{number}");
        first.page(&url, "20230102030405", page.as_bytes());
    }
    first.response("http://a.example/robots.txt", "20230102030405", 200, &[], b"User-agent: *\n");
    first.redirect("http://a.example/", "20230102030405", "/0");
    let mut second = Warc::default();
    second.page("http://b.example/", "20230102030406", b"<title>B</title>");
    fs::write(folder.join("First.warc"), first.bytes()).expect("room");
    fs::write(folder.join("parts/second.warc"), second.bytes()).expect("room");
}

/// Lets py-wacz judge a file.
fn validate(file: &Path) {
    let Ok(program) = std::env::var("LANGUR_WACZ") else {
        eprintln!("NOT RUN: py-wacz did not judge the file, since LANGUR_WACZ does not name it");
        return;
    };
    let output = Command::new(program).args(["validate", "-f"]).arg(file).output();
    let output = output.expect("py-wacz runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("the passed WACZ is valid"), "{output:?}");
}

#[test]
fn an_archive_becomes_a_file_that_others_accept() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    archive(&folder.join("web"));
    let export = ["export", "wacz", "web", "-o", "web.wacz"];
    fail(folder, 2, &export, "langur archive index web");
    succeed(folder, &["archive", "index", "web"]);
    let said = succeed(folder, &[&export[..], &["--title", "Libraries"]].concat());
    assert!(said.contains("21 pages and 23 captures in 2 WARC files"), "{said}");
    validate(&folder.join("web.wacz"));

    fail(folder, 2, &export, "--force");
    let again = [&export[..], &["--force", "--json", "--main-page", "http://b.example"]].concat();
    let written = json(&succeed(folder, &again));
    assert_eq!((&written["pages"], &written["left_out"]), (&21.into(), &0.into()), "{written}");
    let length = fs::metadata(folder.join("web.wacz")).expect("there").len();
    assert_eq!(written["bytes"], length);
    validate(&folder.join("web.wacz"));

    let wrong = [&export[..], &["--force", "--main-page", "http://c.example/"]].concat();
    fail(folder, 2, &wrong, "the main page http://c.example/ is not in the archive");
    fail(folder, 2, &["export", "wacz", "nowhere", "-o", "x.wacz"], "there is no folder");
    fs::create_dir(folder.join("empty")).expect("a folder");
    fail(folder, 2, &["export", "wacz", "empty", "-o", "x.wacz"], "no .warc.gz or .warc files");
}

#[test]
fn a_run_is_packed_with_its_first_seed_as_main_page() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    archive(&folder.join("run/archive"));
    succeed(folder, &["archive", "index", "run/archive"]);
    let export = ["export", "wacz", "run", "-o", "run.wacz", "--force"];
    for (seeds, shown) in [
        ("[seeds]\nurls = [\"http://A.example\", \"http://b.example/\"]\n", true),
        ("[seeds]\nurls = [\"http://never.example/\"]\n", false),
        ("target = \"lang:th\"\n", false),
    ] {
        fs::write(folder.join("run/crawl.toml"), seeds).expect("room");
        succeed(folder, &export);
        // Nothing in the file is compressed.
        let file = fs::read(folder.join("run.wacz")).expect("there");
        let main_page = b"\"mainPageUrl\": \"http://a.example/\"";
        assert_eq!(file.windows(main_page.len()).any(|part| part == main_page), shown, "{seeds}");
        validate(&folder.join("run.wacz"));
    }
    fs::write(folder.join("run/crawl.toml"), "[seeds").expect("room");
    fail(folder, 1, &export, "crawl.toml");
}
