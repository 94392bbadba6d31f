//! `langur classify`, `langur topic` and `langur eval`, as a user calls them.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use langur_textcat::{Profile, Symbols};
use serde_json::Value;
use tempfile::tempdir;

fn langur(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::cargo_bin("langur").expect("the binary");
    command.current_dir(folder).args(arguments).write_stdin(input).output().expect("it runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json_lines(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect()
}

const THAI: &str =
    "ประเทศไทยมีภาษาไทยเป็นภาษาราชการ และมีประวัติศาสตร์อันยาวนาน ประชาชนส่วนใหญ่นับถือศาสนาพุทธ";

/// A Thai page in the charset that META declares, or in another.
fn thai_page(declared: &str, bytes: &[u8]) -> Vec<u8> {
    let mut page = format!("<html><head><meta charset={declared}><title>").into_bytes();
    page.extend(bytes);
    page.extend(b"</title></head><body><p>");
    page.extend(bytes);
    page.extend(b"<p><a href='/next?q=1'>English version</a> <a href=two.html>");
    page.extend(bytes);
    page.extend(b"</a></body></html>");
    page
}

fn in_windows_874(text: &str) -> Vec<u8> {
    let thai = |letter: char| letter as u32 >= 0xe00;
    text.chars().map(|c| if thai(c) { (c as u32 - 0xe00 + 0xa0) as u8 } else { c as u8 }).collect()
}

#[test]
fn a_page_gets_a_verdict_with_its_evidence() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("page.html"), thai_page("tis-620", &in_windows_874(THAI)))
        .expect("a file");
    let output = langur(
        folder.path(),
        &["classify", "page.html", "--url", "http://www.example.co.th/a/"],
        "",
    );
    let text = stdout(&output);
    for part in [
        "language  Thai (th)",
        "charset   windows-874",
        "meta says tis-620: the bytes fit",
        "links     2",
        "domain th: Thai",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let output = langur(
        folder.path(),
        &["classify", "--json", "page.html", "--url", "http://www.example.co.th/a/"],
        "",
    );
    let page = &json_lines(&output)[0];
    assert_eq!(page["charset"], "windows-874");
    assert_eq!(page["mislabelled"], false);
    assert_eq!(page["language"], "th");
    assert!(page["probability"].as_f64().expect("a number") > 0.9);
    assert_eq!(page["languages"][0]["language"], "th");
    assert_eq!(page["script"], "Thai");
    assert_eq!(page["gateway"], Value::Null);
    assert_eq!(page["title"], THAI);
    assert_eq!(page["links"][0]["url"], "http://www.example.co.th/next?q=1");
    assert_eq!(page["links"][1]["url"], "http://www.example.co.th/a/two.html");
    assert_eq!(page["links"][1]["anchor_language"], "th");
    assert_eq!(page["topics"], Value::Array(vec![]));
    assert_eq!(page["charset_evidence"][0]["source"], "meta");
}

#[test]
fn a_mislabelled_page_is_read_right_and_said_to_be_mislabelled() {
    let folder = tempdir().expect("a folder");
    let page = thai_page("iso-8859-1", &in_windows_874(THAI));
    fs::write(folder.path().join("page.html"), page).expect("a file");
    let output = langur(folder.path(), &["classify", "--json", "page.html"], "");
    let page = &json_lines(&output)[0];
    assert_eq!(page["charset"], "windows-874");
    assert_eq!(page["mislabelled"], true);
    assert_eq!(page["title"], THAI);
    assert_eq!(page["language"], "th");
}

#[test]
fn lines_are_decoded_wherever_they_come_from() {
    let folder = tempdir().expect("a folder");
    let bytes = in_windows_874(&format!("{THAI}\n{THAI}\n"));
    fs::write(folder.path().join("lines.txt"), &bytes).expect("a file");
    for input in ["lines.txt", "-"] {
        let mut command = Command::cargo_bin("langur").expect("the binary");
        let command =
            command.current_dir(folder.path()).args(["classify", "--lines", "--json", input]);
        let output = command.write_stdin(bytes.clone()).output().expect("it runs");
        let lines = json_lines(&output);
        assert_eq!(lines.len(), 2);
        assert!(
            lines.iter().all(|line| line["language"] == "th" && line["text"] == THAI),
            "{lines:?}"
        );
        assert!(stderr(&output).contains("is read in windows-874"));
    }
}

#[test]
fn lines_of_utf_8_stay_such_among_lines_of_another_charset() {
    let folder = tempdir().expect("a folder");
    let mut bytes = format!("{THAI}\n").into_bytes();
    bytes.extend(in_windows_874(&format!("{THAI}\n").repeat(20)));
    fs::write(folder.path().join("lines.txt"), &bytes).expect("a file");
    let output = langur(folder.path(), &["classify", "--lines", "--json", "lines.txt"], "");
    let lines = json_lines(&output);
    assert_eq!(lines.len(), 21);
    assert!(lines.iter().all(|line| line["text"] == THAI), "{lines:?}");
}

#[test]
fn lines_are_judged_as_they_come() {
    let mut langur = std::process::Command::new(cargo_bin("langur"))
        .args(["classify", "--lines", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = langur.stdin.take().expect("a pipe");
    let mut output = BufReader::new(langur.stdout.take().expect("a pipe"));
    for text in ["hello my dear friends", "guten Morgen, liebe Freunde"] {
        writeln!(input, "{text}").expect("it listens");
        let mut line = String::new();
        output.read_line(&mut line).expect("an answer before the input ends");
        assert!(line.trim_end().ends_with(text), "{line}");
    }
    // Whoever reads goes away, and whoever writes does not: it ends all the same, and quietly.
    drop(output);
    while writeln!(input, "{THAI}").is_ok() {}
    let output = langur.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn pipes_that_nobody_writes_to_are_not_waited_for() {
    let folder = tempdir().expect("a folder");
    fs::create_dir(folder.path().join("pages")).expect("a folder");
    fs::write(folder.path().join("pages/a.html"), "hello my dear friends").expect("a file");
    for pipe in ["pipe", "pages/pipe"] {
        let made =
            std::process::Command::new("mkfifo").current_dir(folder.path()).arg(pipe).status();
        assert!(made.expect("mkfifo").success());
    }
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("langur").expect("the binary");
        let command = command.current_dir(folder.path()).timeout(Duration::from_secs(20));
        command.args(arguments).output().expect("it runs")
    };
    assert_eq!(json_lines(&run(&["classify", "--json", "pages"])).len(), 1);
    assert!(run(&["topic", "learn", "pages", "-o", "a.topic"]).status.success());
    for arguments in [
        &["classify", "pages/a.html", "pipe"][..],
        &["classify", "--lines", "pages/a.html", "pipe"],
        &["topic", "learn", "pages", "pipe", "-o", "a.topic"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("pipe cannot be read"), "{}", stderr(&output));
    }
    let written = folder.path().join("pipe");
    std::thread::spawn(move || fs::write(written, "hello my dear friends"));
    assert_eq!(json_lines(&run(&["classify", "--json", "pipe"]))[0]["language"], "en");
}

#[cfg(unix)]
#[test]
fn names_may_be_of_any_bytes_and_folders_lead_back_to_themselves() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempdir().expect("a folder");
    fs::create_dir(folder.path().join("pages")).expect("a folder");
    let name = OsStr::from_bytes(b"pages/\xff.html");
    fs::write(folder.path().join(name), "hello my dear friends").expect("a file");
    std::os::unix::fs::symlink(".", folder.path().join("pages/again")).expect("a link");
    for input in [name, OsStr::new("pages")] {
        let mut command = Command::cargo_bin("langur").expect("the binary");
        let command = command.current_dir(folder.path()).args(["classify", "--json"]).arg(input);
        let pages = json_lines(&command.output().expect("it runs"));
        assert_eq!(pages.len(), 1);
        assert_eq!(pages[0]["document"], "pages/\u{fffd}.html");
    }
}

#[test]
fn a_terminal_is_given_nothing_to_obey() {
    let folder = tempdir().expect("a folder");
    let page = "<title>a\u{1b}[31mb\u{9b}c\u{7f}</title><meta charset='\u{1b}]0;x'>";
    fs::write(folder.path().join("page.html"), page).expect("a file");
    let shown = stdout(&langur(folder.path(), &["classify", "page.html"], ""));
    let lines = stdout(&langur(folder.path(), &["classify", "--lines", "-"], "a\tb\u{1b}[2Jc\n"));
    assert!(shown.contains("a\u{fffd}[31mb\u{fffd}c\u{fffd}"), "{shown:?}");
    assert!(lines.ends_with("a\tb\u{fffd}[2Jc\n"), "{lines:?}");
    let told = stderr(&langur(folder.path(), &["classify", "--by-url", "-"], "a\u{1b}[2J\n"));
    for text in [shown, lines, told] {
        let obeyed = |c: char| c.is_control() && !"\n\t".contains(c);
        assert!(!text.contains(obeyed), "{text:?}");
    }
}

#[test]
fn evidence_that_is_repeated_is_shown_once_and_not_without_end() {
    let folder = tempdir().expect("a folder");
    let labels: String = (0..50).map(|number| format!("<meta charset=x{number}>")).collect();
    fs::write(folder.path().join("same.html"), "<meta charset=x>".repeat(5000)).expect("a file");
    fs::write(folder.path().join("other.html"), labels).expect("a file");
    let text = stdout(&langur(folder.path(), &["classify", "same.html"], ""));
    assert!(text.contains("meta says x (5,000 times): no charset"), "{text}");
    assert!(text.lines().count() < 10, "{text}");
    let text = stdout(&langur(folder.path(), &["classify", "other.html"], ""));
    assert!(text.contains("and 43 more labels") && text.contains("fallback says"), "{text}");
    assert!(text.lines().count() < 15, "{text}");
}

#[test]
fn what_is_not_there_to_be_judged_is_said() {
    let folder = tempdir().expect("a folder");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    fs::write(folder.path().join("a.html"), THAI).expect("a file");
    fs::write(folder.path().join("a.topic"), "word\n").expect("a file");
    for (arguments, code, said) in [
        (&["classify", "empty"][..], 2, "there is nothing to judge: no file in empty"),
        (&["classify", "--topic", "gone", "a.html"], 2, "cannot read the topic gone"),
        (&["topic", "learn", "gone", "-o", "b.topic"], 2, "there is no file or folder gone"),
        (&["classify", "--topic", "a.topic", "a.html"], 1, "langur: a.topic, line 1: 1 columns"),
        (&["classify", "ftp://a.example/"], 1, "only http and https URLs are"),
        (&["classify", "http://[::1"], 1, "it is no URL"),
        (&["classify", "--by-url", "mailto:a@b.de"], 1, "is no URL of the web, and no file"),
    ] {
        let output = langur(folder.path(), arguments, "");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

#[test]
fn links_are_resolved_as_far_as_the_page_tells() {
    let folder = tempdir().expect("a folder");
    let links = "<a href=one>1</a><a href=http://b.example/two>2</a>";
    let page = format!("<base href=http://a.example/x/>{links}");
    fs::write(folder.path().join("based.html"), page).expect("a file");
    fs::write(folder.path().join("plain.html"), links).expect("a file");
    let output = langur(folder.path(), &["classify", "--json", "based.html", "plain.html"], "");
    let pages = json_lines(&output);
    let urls = |page: usize| [0, 1].map(|link| pages[page]["links"][link]["url"].clone());
    assert_eq!(urls(0), ["http://a.example/x/one", "http://b.example/two"]);
    assert_eq!(urls(1), [Value::Null, Value::from("http://b.example/two")]);
}

#[test]
fn what_is_no_text_has_no_language() {
    let folder = tempdir().expect("a folder");
    let noise: Vec<u8> =
        (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::create_dir(folder.path().join("files")).expect("a folder");
    fs::write(folder.path().join("files/noise"), noise).expect("a file");
    fs::write(folder.path().join("files/page.pdf"), format!("%PDF-1.4\n{THAI}")).expect("a file");
    let output = langur(folder.path(), &["classify", "--json", "files"], "");
    let files = json_lines(&output);
    assert_eq!(files.len(), 2);
    assert!(files.iter().all(|file| file["is_text"] == false && file["language"] == Value::Null));
    let is_empty = |file: &Value, of: &str| file[of].as_array().is_some_and(Vec::is_empty);
    for of in ["charset_evidence", "language_evidence"] {
        assert!(files.iter().all(|file| is_empty(file, of)), "{files:?}");
    }
    assert!(files.iter().all(|file| file["charset"] == Value::Null));
    let output = langur(folder.path(), &["topic", "learn", "files", "-o", "x.topic"], "");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("no page of text in files"), "{}", stderr(&output));
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("a.html"), THAI).expect("a file");
    for (arguments, said) in [
        (&["classify", "--lines", "--rule", "meta-charset", "a.html"][..], "--rule"),
        (&["classify", "--profiles", "nowhere", "a.html"], "--profiles"),
        (&["classify", "--among", "th,xx", "a.html"], "\"xx\""),
        (&["classify", "--by-url", "--topic", "x.topic", "http://a.example/"], "--topic"),
        (&["classify", "--url", "no url", "a.html"], "--url"),
        (&["classify", "--by-url", "--among", "th", "http://a.example/"], "--among"),
        (&["classify", "--rule", "meta-charset", "--among", "th", "a.html"], "--among"),
        (&["classify", "--lines", "HTTP://A.EXAMPLE/"], "--lines takes files and -"),
        (&["classify", "--lines", "."], "--lines takes files and -"),
        (&["classify", "--by-url", "."], "is a folder"),
    ] {
        let output = langur(folder.path(), arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

#[test]
fn the_papers_rules_go_by_name() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("utf8.html"), thai_page("utf-8", THAI.as_bytes()))
        .expect("a file");
    fs::write(folder.path().join("tis.html"), thai_page("TIS-620", &in_windows_874(THAI)))
        .expect("a file");
    let languages = |rule: &str| {
        let output = langur(
            folder.path(),
            &["classify", "--json", "--rule", rule, "utf8.html", "tis.html"],
            "",
        );
        json_lines(&output).iter().map(|page| page["language"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(languages("meta-charset"), [Value::Null, Value::from("th")]);
    assert_eq!(languages("meta+textcat"), ["th", "th"]);
    assert_eq!(languages("langur"), ["th", "th"]);
    let arguments = ["classify", "--json", "--rule", "meta+textcat", "utf8.html"];
    let page = &json_lines(&langur(folder.path(), &arguments, ""))[0];
    let sources: Vec<&Value> = page["language_evidence"]
        .as_array()
        .expect("evidence")
        .iter()
        .map(|one| &one["source"])
        .collect();
    assert_eq!(sources, ["META", "TextCat"]);
    // Fingerprints of one's own: with English alone there is no Thai to be found in the text.
    fs::create_dir(folder.path().join("lm")).expect("a folder");
    fs::write(folder.path().join("lm/english.lm"), "_\t100\ne\t50\nthe_\t20\n").expect("a file");
    let arguments = [
        "classify",
        "--json",
        "--rule",
        "meta+textcat",
        "--profiles",
        "lm",
        "utf8.html",
        "tis.html",
    ];
    let pages = json_lines(&langur(folder.path(), &arguments, ""));
    assert_eq!(
        [&pages[0]["language"], &pages[1]["language"]],
        [&Value::from("en"), &Value::from("th")]
    );
    // Those of libTextCat are in legacy charsets, several a language.
    fs::create_dir(folder.path().join("old")).expect("a folder");
    let (thai, japanese) = (
        "ทุกคนมีสิทธิในการดำรงชีวิต เสรีภาพ และความมั่นคง ",
        "すべての人は、生命、自由及び身体の安全に対する権利を有する。",
    );
    let legacy =
        |text: &str, charset: &'static encoding_rs::Encoding| charset.encode(text).0.into_owned();
    for (name, bytes) in [
        ("thai.lm", legacy(thai, encoding_rs::WINDOWS_874)),
        ("japanese-euc_jp.lm", legacy(japanese, encoding_rs::EUC_JP)),
        ("japanese-shift_jis.lm", legacy(japanese, encoding_rs::SHIFT_JIS)),
        ("english.lm", b"everyone has the right to life liberty and security of person".to_vec()),
    ] {
        let profile = Profile::learn(&bytes, Symbols::Bytes);
        fs::write(folder.path().join("old").join(name), profile.to_bytes()).expect("room");
    }
    for (text, charset, language) in [
        (thai, encoding_rs::WINDOWS_874, "th"),
        (japanese, encoding_rs::EUC_JP, "ja"),
        (japanese, encoding_rs::SHIFT_JIS, "ja"),
    ] {
        let page = legacy(&format!("<p>{}", text.repeat(5)), charset);
        fs::write(folder.path().join("old.html"), page).expect("room");
        let old = ["classify", "--json", "--rule", "meta+textcat", "--profiles", "old", "old.html"];
        let page = &json_lines(&langur(folder.path(), &old, ""))[0];
        assert_eq!(page["language"], language, "{}: {page}", charset.name());
    }
    let show = |rule: &str, page: &str| {
        stdout(&langur(folder.path(), &["classify", "--rule", rule, page], ""))
    };
    let text = show("meta-charset", "tis.html");
    assert!(text.contains("language  Thai (th)\n            META declares TIS-620\n"), "{text}");
    let text = show("meta+textcat", "utf8.html");
    assert!(text.contains("            TextCat says th\n"), "{text}");
    let text = show("meta-charset", "utf8.html");
    assert!(text.contains("language  unknown\n            META declares utf-8\n"), "{text}");
    assert!(!text.contains("script") && !text.contains("anchors"), "{text}");
    let output = langur(folder.path(), &["classify", "--rule", "guess", "utf8.html"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("meta+textcat"), "{}", stderr(&output));
}

#[test]
fn lines_are_judged_one_by_one_and_nothing_is_guessed_from_nothing() {
    let folder = tempdir().expect("a folder");
    let lines =
        "สวัสดีครับ ยินดีต้อนรับ\nGuten Morgen, wie geht es Ihnen heute?\n12345 !!\n\nこんにちは世界\n";
    let output = langur(folder.path(), &["classify", "--lines", "--json", "-"], lines);
    let languages: Vec<Value> =
        json_lines(&output).iter().map(|line| line["language"].clone()).collect();
    assert_eq!(
        languages,
        [Value::from("th"), Value::from("de"), Value::Null, Value::Null, Value::from("ja")]
    );
    let output = langur(folder.path(), &["classify", "--lines", "-"], lines);
    assert!(stdout(&output).starts_with("th "), "{}", stdout(&output));
}

#[test]
fn a_choice_among_few_languages_is_a_choice_among_these() {
    let folder = tempdir().expect("a folder");
    let judge = |among: &str| {
        let output = langur(
            folder.path(),
            &["classify", "--lines", "--json", "--among", among, "-"],
            "informasi umum\n",
        );
        json_lines(&output)[0]["language"].clone()
    };
    assert_eq!(judge("id,en"), "id");
    assert_eq!(judge("ms,en"), "ms");
    assert_eq!(judge("in,en"), "id", "by its old code");
    let output = langur(folder.path(), &["classify", "--lines", "--among", "???", "-"], "");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn urls_are_judged_without_fetching_them() {
    let folder = tempdir().expect("a folder");
    let urls = "https://www.beispiel.de/nachrichten/wirtschaft/\nhttp://example.co.jp/\nhttp://example.com/th/\n";
    let output = langur(folder.path(), &["classify", "--by-url", "--json", "-"], urls);
    let languages: Vec<Value> =
        json_lines(&output).iter().map(|line| line["language"].clone()).collect();
    assert_eq!(languages, ["de", "ja", "th"]);
    let urls = "not a url\nhttp://[::1\n\nHTTP://WWW.SPIEGEL.DE\nmailto:a@b.de\n";
    let output = langur(folder.path(), &["classify", "--by-url", "-"], urls);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("de ") && stdout(&output).lines().count() == 1);
    for url in ["not a url", "http://[::1", "mailto:a@b.de"] {
        let said = format!("\"{url}\" is no URL of the web");
        assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    }
}

#[test]
fn many_files_come_in_their_order_and_lost_ones_are_named() {
    let folder = tempdir().expect("a folder");
    let names: Vec<String> = (0..600).map(|number| format!("{number}.html")).collect();
    for name in &names {
        fs::write(folder.path().join(name), format!("<title>{name}</title>")).expect("a file");
    }
    let mut arguments = vec!["classify", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    let pages = json_lines(&langur(folder.path(), &arguments, ""));
    let titles: Vec<&str> =
        pages.iter().map(|page| page["title"].as_str().expect("text")).collect();
    assert_eq!(titles, names);
    let output = langur(folder.path(), &["classify", "0.html", "gone.html", "1.html"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("1.html"));
    assert!(stderr(&output).contains("gone.html"), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 of 3"), "{}", stderr(&output));
}

/// A server that answers one request with these bytes.
fn serve_once(answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a request");
        let mut request = [0; 2048];
        let _ = stream.read(&mut request);
        let _ = stream.write_all(&answer);
    });
    format!("http://{address}/")
}

/// An answer with a Thai page.
fn thai_answer() -> Vec<u8> {
    let body = thai_page("utf-8", &in_windows_874(THAI));
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-874\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body].concat()
}

fn redirect_to(location: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        .into_bytes()
}

#[test]
fn a_url_is_fetched_but_not_from_a_private_address() {
    let folder = tempdir().expect("a folder");
    let url = serve_once(thai_answer()).replace("http", "HTTP");
    let output = langur(folder.path(), &["classify", &url], "");
    assert_eq!(output.status.code(), Some(1));
    let said = "could not be fetched: 127.0.0.1 is at the private address 127.0.0.1, which is not fetched without --allow-private";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    let page =
        &json_lines(&langur(folder.path(), &["classify", "--allow-private", "--json", &url], ""))
            [0];
    assert_eq!(page["language"], "th");
    assert_eq!(page["charset"], "windows-874");
}

#[test]
fn redirects_are_followed_to_pages_of_the_web() {
    let folder = tempdir().expect("a folder");
    let page = serve_once(thai_answer());
    let url = serve_once(redirect_to(&page));
    let output = langur(folder.path(), &["classify", "--allow-private", "--json", &url], "");
    let found = &json_lines(&output)[0];
    assert_eq!((&found["document"], &found["language"]), (&Value::from(url), &Value::from("th")));
    assert_eq!(found["links"][1]["url"], format!("{page}two.html"));
    let url = serve_once(redirect_to("file:///etc/passwd"));
    let output = langur(folder.path(), &["classify", "--allow-private", &url], "");
    assert_eq!(output.status.code(), Some(1));
    let said = "redirects to file:///etc/passwd, which is no page: it is not an http or https URL";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
}

#[test]
fn what_goes_wrong_with_a_fetch_is_told_in_plain_words() {
    let folder = tempdir().expect("a folder");
    let long = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    for (answer, said) in [
        (Vec::new(), "could not be fetched: the server hung up"),
        (b"SSH-2.0\r\n\r\n".to_vec(), "fetched: the server does not speak proper HTTP"),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(), "answered 404"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort".to_vec(),
            "could not be read to its end: the server hung up",
        ),
        ([long, vec![b'a'; 17 << 20]].concat(), "its end: it is longer than 16 MiB"),
    ] {
        let url = serve_once(answer);
        let output = langur(folder.path(), &["classify", "--allow-private", &url], "");
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

#[test]
fn topics_are_learned_and_recognised() {
    let folder = tempdir().expect("a folder");
    let page = |name: &str, words: &str| {
        let text = format!("<title>{name}</title><p>{words}</p>").repeat(3);
        fs::write(folder.path().join(name), text).expect("a file");
    };
    fs::create_dir(folder.path().join("on")).expect("a folder");
    fs::create_dir(folder.path().join("off")).expect("a folder");
    for number in 0..12 {
        page(
            &format!("on/{number}.html"),
            &format!("bicycle wheel saddle chain pedal gears number {number} shop"),
        );
        page(
            &format!("off/{number}.html"),
            &format!("garden flower water spring summer soil number {number} shop"),
        );
    }
    page("new-on.html", "a saddle and a chain for every bicycle and the pedal of the wheel");
    page("new-off.html", "water for the flower in the garden when summer comes after spring");
    for kind in ["vector", "linear"] {
        let learn =
            ["topic", "learn", "on", "--negative", "off", "--kind", kind, "-o", "bikes.topic"];
        let output = langur(folder.path(), &learn, "");
        assert!(output.status.success(), "{}", stderr(&output));
        let classify =
            ["classify", "--json", "--topic", "bikes.topic", "new-on.html", "new-off.html"];
        let pages = json_lines(&langur(folder.path(), &classify, ""));
        let relevant: Vec<&Value> =
            pages.iter().map(|page| &page["topics"][0]["relevant"]).collect();
        assert_eq!(relevant, [&Value::Bool(true), &Value::Bool(false)], "{kind}");
        assert_eq!(pages[0]["topics"][0]["topic"], "bikes");
    }
    let output =
        langur(folder.path(), &["topic", "learn", "on", "--kind", "linear", "-o", "x.topic"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--negative"), "{}", stderr(&output));
    let output = langur(folder.path(), &["topic", "idf", "on", "off", "-o", "corpus.idf"], "");
    assert!(output.status.success(), "{}", stderr(&output));
    let synth = ["space", "synth", "--preset", "thai-2004", "--pages", "1000", "-o", "thai.space"];
    assert!(langur(folder.path(), &synth, "").status.success());
    let output = langur(folder.path(), &["topic", "idf", "thai.space", "-o", "no.idf"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is a web space, which has no text"), "{}", stderr(&output));
    let learn = ["topic", "learn", "on", "--idf", "corpus.idf", "-o", "bikes.topic"];
    assert!(langur(folder.path(), &learn, "").status.success());
    fs::write(folder.path().join("bad.topic"), "# kind: linear\nword without a weight\n")
        .expect("a file");
    let output = langur(folder.path(), &["classify", "--topic", "bad.topic", "new-on.html"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("line"), "{}", stderr(&output));
}

#[test]
fn evaluations_print_tables_and_json() {
    let folder = tempdir().expect("a folder");
    let rows = r#"{"lang": "th", "kind": "sentence", "text": "ประเทศไทยมีภาษาไทยเป็นภาษาราชการ"}
{"lang": "deu", "kind": "sentence", "text": "Der schnelle braune Fuchs springt über den faulen Hund"}
{"lang": "en", "kind": "words", "text": "something"}
"#;
    fs::write(folder.path().join("rows.jsonl"), rows).expect("a file");
    let output = langur(folder.path(), &["eval", "language", "rows.jsonl"], "");
    let text = stdout(&output);
    for name in ["langur", "whatlang", "whichlang", "textcat", "macro-F1"] {
        assert!(text.contains(name), "{name} is not in\n{text}");
    }
    let output = langur(folder.path(), &["eval", "language", "rows.jsonl", "--json"], "");
    let all: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(all[0]["evaluation"]["scores"][0]["accuracy"], 1.0);
    fs::write(folder.path().join("bad.jsonl"), "{\"text\": 1}\n").expect("a file");
    let output = langur(folder.path(), &["eval", "language", "bad.jsonl"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("bad.jsonl, line 1"), "{}", stderr(&output));

    fs::create_dir(folder.path().join("docs")).expect("a folder");
    fs::write(folder.path().join("docs/a.txt"), in_windows_874(THAI)).expect("a file");
    let manifest = "{\"path\": \"a.txt\", \"charset\": \"tis-620\"}\n";
    fs::write(folder.path().join("docs/manifest.jsonl"), manifest).expect("a file");
    let output = langur(folder.path(), &["eval", "charset", "docs", "--json"], "");
    let all: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(all["total"]["langur"], 1);
}
