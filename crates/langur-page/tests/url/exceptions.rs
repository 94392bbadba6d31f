//! The cases that do not pass, and why. They are rules rather than lists, so that they hold for cases
//! of the same suites that are not at hand; every case a rule covers must fail.

use serde_json::Value;

/// Cases that must fail.
pub struct Exception {
    /// Whether a case is one of them.
    pub covers: fn(&Value) -> bool,
    /// The reason.
    pub because: &'static str,
}

const NO_HOST: Exception = Exception {
    covers: |case| {
        let rest = normalized(case).split_once(':').map_or("", |(_, rest)| rest);
        !normalized(case).starts_with("file:") && rest.starts_with('/') && !rest.starts_with("//")
    },
    because: "a URL of the web without a host is no URL; crawler-commons writes it down again",
};

const NOTHING: Exception = Exception {
    covers: |case| input(case).is_empty(),
    because: "nothing is no URL; crawler-commons lets it through",
};

const NOT_WEB: Exception = Exception {
    covers: |case| ["file:", "ftp:"].iter().any(|scheme| normalized(case).starts_with(scheme)),
    because: "files and FTP are not the web",
};

const NO_SCHEME: Exception = Exception {
    covers: |case| !input(case).contains(":/") && !normalized(case).is_empty(),
    because: "without a scheme a text is a relative link, and foo.com/bar a file in a folder",
};

const SLASHES: Exception = Exception {
    covers: |case| {
        let rest = input(case).split_once("://").map_or("", |(_, rest)| rest);
        is_web(case) && rest.split(['?', '#']).next().is_some_and(|path| path.contains("//"))
    },
    because: "some servers tell // from /; the comparison forms do not",
};

const PARAMETERS: Exception = Exception {
    covers: |case| {
        let url = input(case).split('#').next().unwrap_or("");
        let Some((_, query)) = url.split_once('?').filter(|(_, query)| !query.is_empty()) else {
            return false;
        };
        let name = |parameter: &&str| parameter.split('=').next().unwrap_or("").to_owned();
        let parameters: Vec<&str> = query.split('&').collect();
        let empty = |parameter: &&str| {
            name(parameter).is_empty()
                || parameter.split_once('=').is_some_and(|(_, value)| value.is_empty())
        };
        is_web(case) && (!parameters.is_sorted_by_key(name) || parameters.iter().any(empty))
    },
    because: "some servers read parameters in order, or tell an empty value from none; \
              the comparison forms do not",
};

fn input(case: &Value) -> &str {
    case["input"].as_str().unwrap_or("")
}

fn normalized(case: &Value) -> &str {
    case["normalized"].as_str().unwrap_or("")
}

fn is_web(case: &Value) -> bool {
    normalized(case).starts_with("http")
}

/// The exceptions of a suite.
pub fn exceptions(suite: &str) -> Vec<Exception> {
    match suite {
        "crawlercommons-normalizer" => vec![NO_HOST, NOTHING],
        "crawlercommons-canonical" => {
            vec![NO_HOST, NOTHING, NOT_WEB, NO_SCHEME, SLASHES, PARAMETERS]
        }
        _ => vec![],
    }
}
