//! Whether a URL belongs to a crawl.

use std::collections::HashMap;
use std::sync::Arc;

use langur_page::{Address, top_level_domain};
use regex::{RegexSet, RegexSetBuilder};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::error::ScopeError;
use crate::prefixes::Prefixes;
use crate::rule::{Rule, name};
use crate::surt;

/// Memory that all regular expressions of a scope may take together, compiled.
const REGEXES_SIZE: usize = 16 << 20;

/// What belongs to a crawl, as a person writes it.
///
/// A rule is a text: `host:www.a.example`, `domain:a.example` (with all hosts below), `tld:th`,
/// `surt:(th,ac,` or `surt:(th,ac,chula,)/a` (a beginning of the URL with its host reversed),
/// `path:/calendar/` (a beginning of the path, on any host), or `regex:[?&]print=` (found anywhere in
/// the URL).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScopeRules {
    /// One of these must match; if there are none, everything does.
    pub include: Vec<String>,
    /// None of these may match.
    pub exclude: Vec<String>,
    /// As many links may lie between a seed and a page. Seeds have depth 0.
    pub max_depth: Option<u32>,
}

/// What belongs to a crawl, ready to be asked for every link.
#[derive(Clone, Debug)]
pub struct Scope {
    include: Option<Matcher>,
    exclude: Matcher,
    max_depth: Option<u32>,
}

/// Why a URL does not belong to a crawl.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Excluded {
    /// There are rules of what is in, and none matches.
    #[error("no rule includes it")]
    NotIncluded,
    /// This rule matches; others may, too.
    #[error("the rule \"{0}\" excludes it")]
    Rule(Arc<str>),
    /// It is too far from the seeds.
    #[error("it is {depth} links from a seed, and {limit} is the limit")]
    Depth {
        /// How far it is.
        depth: u32,
        /// How far it may be.
        limit: u32,
    },
}

impl Scope {
    /// Reads the rules.
    pub fn new(rules: &ScopeRules) -> Result<Scope, ScopeError> {
        let include = (!rules.include.is_empty()).then(|| Matcher::new(&rules.include));
        Ok(Scope {
            include: include.transpose()?,
            exclude: Matcher::new(&rules.exclude)?,
            max_depth: rules.max_depth,
        })
    }

    /// Whether a URL found at this depth belongs to the crawl.
    pub fn admits(&self, address: &Address, depth: u32) -> Result<(), Excluded> {
        if let Some(limit) = self.max_depth.filter(|&limit| depth > limit) {
            return Err(Excluded::Depth { depth, limit });
        }
        if self.include.as_ref().is_some_and(|include| include.find(address).is_none()) {
            return Err(Excluded::NotIncluded);
        }
        match self.exclude.find(address) {
            Some(rule) => Err(Excluded::Rule(Arc::clone(rule))),
            None => Ok(()),
        }
    }
}

/// Rules by kind, each with its text. What costs little is asked first.
#[derive(Clone, Debug, Default)]
struct Matcher {
    hosts: HashMap<String, Arc<str>>,
    domains: HashMap<String, Arc<str>>,
    top_levels: HashMap<String, Arc<str>>,
    paths: Prefixes<Arc<str>>,
    surts: Prefixes<Arc<str>>,
    regexes: RegexSet,
    /// The texts of the regular expressions, in their order.
    regex_rules: Vec<Arc<str>>,
}

impl Matcher {
    fn new(rules: &[String]) -> Result<Matcher, ScopeError> {
        let mut matcher = Matcher::default();
        let (mut paths, mut surts, mut regexes) = (Vec::new(), Vec::new(), Vec::new());
        for rule in rules {
            let text: Arc<str> = rule.as_str().into();
            match Rule::read(rule)? {
                Rule::Host(host) => _ = matcher.hosts.insert(host, text),
                Rule::Domain(domain) => _ = matcher.domains.insert(domain, text),
                Rule::TopLevel(tld) => _ = matcher.top_levels.insert(tld, text),
                Rule::Path(path) => paths.push((path, text)),
                Rule::Surt(surt) => surts.push((surt, text)),
                Rule::Regex(regex) => {
                    regexes.push(regex);
                    matcher.regex_rules.push(text);
                }
            }
        }
        let set = RegexSetBuilder::new(&regexes).size_limit(REGEXES_SIZE).build();
        matcher.regexes = set.map_err(|error| ScopeError {
            rule: matcher.regex_rules.join(" "),
            wrong: format!("these are fine each and cannot be compiled together: {error}"),
        })?;
        matcher.paths = Prefixes::new(paths);
        matcher.surts = Prefixes::new(surts);
        Ok(matcher)
    }

    /// A rule that matches.
    fn find(&self, address: &Address) -> Option<&Arc<str>> {
        self.find_host(&address.host)
            .or_else(|| self.paths.of(&address.path))
            .or_else(
                || {
                    if self.surts.is_empty() { None } else { self.surts.of(&surt::key(address)) }
                },
            )
            .or_else(|| {
                if self.regexes.is_empty() {
                    return None;
                }
                let found = self.regexes.matches(&address.to_string()).iter().next();
                found.map(|at| &self.regex_rules[at])
            })
    }

    fn find_host(&self, host: &str) -> Option<&Arc<str>> {
        let of_host = self.hosts.get(host).or_else(|| self.hosts.get(name(host)));
        if of_host.is_some() {
            return of_host;
        }
        if !self.domains.is_empty() {
            let mut domain = Some(name(host));
            while let Some(name) = domain {
                if let Some(rule) = self.domains.get(name) {
                    return Some(rule);
                }
                domain = name.split_once('.').map(|(_, above)| above);
            }
        }
        self.top_levels.get(top_level_domain(host)?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scope(include: &[&str], exclude: &[&str]) -> Scope {
        let texts = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect();
        let rules =
            ScopeRules { include: texts(include), exclude: texts(exclude), max_depth: Some(3) };
        Scope::new(&rules).expect("rules")
    }

    #[track_caller]
    fn check(scope: &Scope, url: &str, why_not: &str) {
        let answer = scope.admits(&Address::parse(url).expect("a URL"), 3);
        assert_eq!(answer.map_or_else(|why| why.to_string(), |()| String::new()), why_not);
    }

    #[test]
    fn without_rules_everything_is_in() {
        check(&scope(&[], &[]), "http://a.example/", "");
    }

    #[test]
    fn what_is_excluded_is_out_though_included() {
        let scope =
            scope(&["tld:th", "host:a.example"], &["domain:b.th", "path:/cal", "regex:x=\\d$"]);
        check(&scope, "http://www.a.th/", "");
        check(&scope, "https://a.example/", "");
        check(&scope, "http://a.example:8080/", "");
        check(&scope, "https://www.a.example/", "no rule includes it");
        check(&scope, "http://c.b.th:81/", "the rule \"domain:b.th\" excludes it");
        check(&scope, "http://bb.th/calendar?a", "the rule \"path:/cal\" excludes it");
        check(&scope, "http://bb.th/?x=1", "the rule \"regex:x=\\d$\" excludes it");
        check(&scope, "http://bb.th/?x=1&y", "");
    }

    #[test]
    fn depth_has_a_limit() {
        let address = Address::parse("http://a.example/").expect("a URL");
        let answer = scope(&[], &[]).admits(&address, 4);
        assert_eq!(answer, Err(Excluded::Depth { depth: 4, limit: 3 }));
    }

    #[test]
    fn rules_are_read_from_a_table_and_unknown_keys_are_refused() {
        let rules: ScopeRules = toml::from_str("include = ['tld:th']").expect("rules");
        assert_eq!(rules.include, ["tld:th"]);
        assert!(toml::from_str::<ScopeRules>("includes = []").is_err());
    }

    /// Whether a rule matches, by its words.
    fn naive(rule: &str, address: &Address) -> bool {
        let host = address.host.split(':').next().expect("a host");
        let url = address.to_string();
        let (kind, value) = rule.split_once(':').expect("a rule");
        match kind {
            "host" => address.host == value || host == value,
            "domain" => host == value || host.ends_with(&format!(".{value}")),
            "tld" => host.rsplit('.').next() == Some(value),
            "surt" => {
                let mut labels: Vec<&str> = host.split('.').collect();
                labels.reverse();
                let port = &address.host[host.len()..];
                format!("({},{port}){}", labels.join(","), address.path).starts_with(value)
            }
            "path" => address.path.starts_with(value),
            _ => url.contains(value),
        }
    }

    fn some_rule() -> impl Strategy<Value = String> {
        prop_oneof![
            "host:[ab](\\.[ab]){0,2}(:81)?",
            "domain:[ab](\\.[ab]){0,2}",
            "tld:[ab]",
            "surt:\\([ab](,[ab]){0,2},?",
            "surt:\\([ab](,[ab]){0,2},(:81)?\\)(/[ab]?)?",
            "path:/[ab/]{0,3}",
            "regex:[ab/]{1,3}",
        ]
    }

    proptest! {
        #[test]
        fn admits_as_by_trying_all(
            include in proptest::collection::vec(some_rule(), 0..6),
            exclude in proptest::collection::vec(some_rule(), 0..4),
            url in "http://[ab](\\.[ab]){0,3}(:81)?/[ab/]{0,4}",
        ) {
            let address = Address::parse(&url).expect("a URL");
            let rules =
                ScopeRules { include: include.clone(), exclude: exclude.clone(), max_depth: None };
            let answer = Scope::new(&rules).expect("rules").admits(&address, 0);
            if !include.is_empty() && !include.iter().any(|rule| naive(rule, &address)) {
                prop_assert_eq!(answer, Err(Excluded::NotIncluded));
            } else if let Err(Excluded::Rule(rule)) = answer {
                prop_assert!(exclude.contains(&rule.to_string()) && naive(&rule, &address));
            } else {
                prop_assert_eq!(answer, Ok(()));
                prop_assert!(!exclude.iter().any(|rule| naive(rule, &address)));
            }
        }

        #[test]
        fn no_rule_panics(kind in "(host|domain|tld|surt|path|regex):", value: String, url: String) {
            let rules = ScopeRules { include: vec![kind + &value], ..ScopeRules::default() };
            if let (Ok(scope), Ok(address)) = (Scope::new(&rules), Address::parse(&url)) {
                let _ = scope.admits(&address, 0);
            }
        }
    }
}
