//! `langur classify`, `langur topic` and `langur eval`, as a user calls them.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
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

/// A server that answers one request with a Thai page.
fn serve_once() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a request");
        let mut request = [0; 2048];
        let _ = stream.read(&mut request);
        let body = thai_page("utf-8", &in_windows_874(THAI));
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-874\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    });
    format!("http://{address}/")
}

#[test]
fn a_url_is_fetched_but_not_from_a_private_address() {
    let folder = tempdir().expect("a folder");
    let url = serve_once();
    let output = langur(folder.path(), &["classify", &url], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--allow-private"), "{}", stderr(&output));
    let page =
        &json_lines(&langur(folder.path(), &["classify", "--allow-private", "--json", &url], ""))
            [0];
    assert_eq!(page["language"], "th");
    assert_eq!(page["charset"], "windows-874");
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
