//! The test suites of Google's and crawler-commons' parsers, and files of real sites.

use std::time::Duration;

use data_encoding::BASE64;
use langur_robots::Robots;
use langur_testkit::shared;
use serde_json::Value;

/// Where we answer otherwise, by test and agent (none is any), and why.
const EXCEPTIONS: [(&str, &str, &str); 11] = [
    ("ID_Encoding#2", "FooBot", "a URL with letters outside ASCII is encoded, not refused"),
    ("testNutchCases", NAMES, "a client has one name"),
    ("testNutchCases2", "Agent3", "a line names one client, as for Google"),
    ("testMultiAgentNames", "crawler2", "a line names one client, as for Google"),
    ("testSpacesInMultipleUserAgentNames", "Two", "a line names one client, as for Google"),
    ("testSpacesInMultipleUserAgentNames", "Three", "a line names one client, as for Google"),
    ("testHtmlMarkupInRobotsTxt", "bogusbot", "markup is not taken out"),
    ("testHeritrixCases", "Mozilla allowbot2 99.9", "a client has one name"),
    ("testHeritrixCases", "Mozilla denybot 99.9", "a client has one name"),
    ("testBigCrawlDelay", "bixo", "what becomes of long delays is for the crawl to say"),
    ("testDirectiveTypos", "", "misspelt as Google has never seen it: desallow, useg-agent"),
];
const NAMES: &str = "Agent5,Agent2,Agent1,Agent3,*";

fn rows(name: &str) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(shared::file(name)?).expect("a file of rows");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a row in JSON")).collect())
}

fn body(row: &Value) -> Vec<u8> {
    match row["robots_b64"].as_str() {
        Some(coded) => BASE64.decode(coded.as_bytes()).expect("base64"),
        None => row["robots"].as_str().expect("a robots.txt").as_bytes().to_vec(),
    }
}

#[test]
fn other_suites_agree_but_for_known_exceptions() {
    let Some(rows) = rows("robots/expectations.jsonl") else { return };
    let mut excepted = [0; EXCEPTIONS.len()];
    let mut wrong = Vec::new();
    for row in &rows {
        let (test, url) =
            (row["test"].as_str().expect("a test"), row["url"].as_str().expect("a URL"));
        let agent = row["agents"][0].as_str().expect("an agent");
        // A version is no part of the name; digits are, in these suites.
        let product = agent.split('/').next().expect("a first part");
        if Robots::parse(&body(row), product).allows(url)
            == row["allowed"].as_bool().expect("an answer")
        {
            continue;
        }
        let known = EXCEPTIONS
            .iter()
            .position(|(name, who, _)| test == *name && (who.is_empty() || agent == *who));
        match known {
            Some(at) => excepted[at] += 1,
            None => wrong.push(format!("{test} {agent} {url}")),
        }
    }
    assert_eq!(wrong, [""; 0]);
    for ((test, agent, _), times) in EXCEPTIONS.iter().zip(excepted) {
        assert_ne!(times, 0, "{test} {agent} is no exception any more");
    }
}

/// Host; whether its first page may be asked for, how many seconds apart, and the number of sitemaps.
const UNDERSTOOD: [(&str, bool, Option<u64>, usize); 7] = [
    ("cnet", true, None, 22),
    ("zillow", true, None, 14),
    ("astore.amazon.com-robots.txt", true, Some(5), 0),
    ("dos-line-endings.txt", true, Some(1), 0),
    ("extensions-group-merging.txt", false, None, 0),
    ("www.openoffice.org/qa", true, Some(5), 0),
    ("tutorials.pytorch.kr", true, None, 1),
];

#[test]
fn files_of_real_sites_are_understood() {
    let Some(rows) = rows("robots/files.jsonl") else { return };
    for (host, allowed, delay, sitemaps) in UNDERSTOOD {
        let row = rows.iter().find(|row| row["host"] == host).expect("a host of the file");
        let robots = Robots::parse(&body(row), "langur");
        assert_eq!(robots.allows("http://a.example/"), allowed, "{host}");
        assert_eq!(robots.crawl_delay(), delay.map(Duration::from_secs), "{host}");
        assert_eq!(robots.sitemaps().len(), sitemaps, "{host}");
    }
}
