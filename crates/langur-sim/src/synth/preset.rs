//! What a synthetic web is made from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The published statistics of a web, and what no paper fixes. See `presets/*.toml`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// Its name on the command line.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// The language the web is about.
    pub target: String,
    /// The language of most other pages.
    pub second: String,
    /// The number of seeds.
    pub seeds: usize,
    /// What the papers state.
    pub published: Published,
    /// What they do not.
    pub free: Free,
}

/// What the papers state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "every field is explained in the preset files")]
pub struct Published {
    pub crawled: f64,
    pub uncrawled: f64,
    pub links: f64,
    pub hosts: f64,
    pub target_meta_charset: f64,
    pub identifier_precision: f64,
    pub identifier_recall: f64,
    pub tld: Vec<TldRow>,
    pub from_target: Locality,
    pub from_rest: Locality,
}

/// Pages of one top-level domain by language.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "every field is explained in the preset files")]
pub struct TldRow {
    pub name: String,
    pub target: f64,
    pub second: f64,
    pub other: f64,
    pub unknown: f64,
}

/// Which share of the links leads to the target language, in percent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "every field is explained in the preset files")]
pub struct Locality {
    pub links_to_target: f64,
    pub all: f64,
    pub same_domain: f64,
    pub other_domain: f64,
    pub same_server: f64,
    pub other_server: f64,
}

/// What no paper fixes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "every field is explained in the preset files")]
pub struct Free {
    pub own_tld: String,
    pub host_size_exponent: f64,
    pub host_size_limit: f64,
    pub hosts_per_domain_exponent: f64,
    pub host_heterogeneity: f64,
    pub gateway_share: f64,
    pub deep_link_share: f64,
    pub directory_mixing: f64,
    pub rest_server_stay: f64,
    pub out_degree_sigma: f64,
    pub rank_bias: f64,
    pub host_bias: f64,
    pub reciprocity: f64,
    pub meta_lost_by_server: f64,
    pub unknown_not_html: f64,
    pub anchor_empty: f64,
    pub anchor_tells_target: f64,
    pub page_bytes: (f64, f64),
    pub latency_ms: (f64, f64),
    pub target_charsets: BTreeMap<String, f64>,
    pub rest_charsets: BTreeMap<String, f64>,
    pub other_languages: BTreeMap<String, f64>,
    pub other_tlds: BTreeMap<String, OtherTld>,
}

/// One of the top-level domains that a table calls "other".
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherTld {
    /// Its weight among them.
    pub weight: f64,
    /// The language that "other" means there.
    pub language: Option<String>,
    /// The public suffix under which its domains are registered, if it is not the domain itself.
    pub suffix: Option<String>,
}

/// There is no such preset, or it does not read as one.
#[derive(Debug, Error)]
pub enum PresetError {
    /// Not one of those built in, nor a file.
    #[error("there is no preset \"{0}\"; there are: {names}, or name a file that ends in .toml", names = names().join(", "))]
    Unknown(String),
    /// The file cannot be read.
    #[error("cannot read preset {0}: {1}")]
    Read(String, #[source] std::io::Error),
    /// The file is not a preset.
    #[error("preset {0}: {1}")]
    Parse(String, #[source] Box<toml::de::Error>),
    /// The numbers contradict each other.
    #[error("preset {0}: {1}")]
    Contradiction(String, String),
}

const BUILT_IN: [&str; 2] = [
    include_str!("../../presets/thai-2004.toml"),
    include_str!("../../presets/japanese-2004.toml"),
];

/// The names of the presets that are built in.
pub fn names() -> Vec<String> {
    BUILT_IN
        .iter()
        .map(|text| toml::from_str::<Preset>(text).expect("built-in presets are sound").name)
        .collect()
}

impl Preset {
    /// A preset by name, or from a file that ends in `.toml`.
    pub fn load(name: &str) -> Result<Preset, PresetError> {
        let preset = if name.ends_with(".toml") {
            let text = std::fs::read_to_string(name)
                .map_err(|error| PresetError::Read(name.to_owned(), error))?;
            toml::from_str::<Preset>(&text)
                .map_err(|error| PresetError::Parse(name.to_owned(), Box::new(error)))?
        } else {
            let built_in = BUILT_IN
                .iter()
                .map(|text| toml::from_str::<Preset>(text).expect("built-in presets are sound"));
            built_in
                .into_iter()
                .find(|preset| preset.name == name)
                .ok_or_else(|| PresetError::Unknown(name.to_owned()))?
        };
        preset.check().map_err(|why| PresetError::Contradiction(name.to_owned(), why))?;
        Ok(preset)
    }

    /// The same with one free parameter set otherwise, as one does to see what depends on it.
    pub fn with_free(
        &self,
        parameter: &str,
        setting: serde_json::Value,
    ) -> Result<Preset, PresetError> {
        let wrong = |why: String| PresetError::Contradiction(self.name.clone(), why);
        let mut all = serde_json::to_value(self).expect("presets are plain data");
        match all["free"].get_mut(parameter) {
            Some(place) => *place = setting,
            None => return Err(wrong(format!("there is no free parameter \"{parameter}\""))),
        }
        let preset: Preset = serde_json::from_value(all)
            .map_err(|error| wrong(format!("free.{parameter}: {error}")))?;
        preset.check().map_err(wrong)?;
        Ok(preset)
    }

    /// A hash of everything in it.
    pub fn hash(&self) -> String {
        let text = serde_json::to_string(self).expect("presets are plain data");
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
    }

    fn check(&self) -> Result<(), String> {
        let free = &self.free;
        if !self.published.tld.iter().any(|row| row.name == free.own_tld) {
            return Err(format!("own_tld \"{}\" is not in the table published.tld", free.own_tld));
        }
        if self.published.tld.iter().any(|row| row.name == "*") && free.other_tlds.is_empty() {
            return Err(
                "published.tld has a row \"*\", so free.other_tlds must say what it stands for"
                    .to_owned(),
            );
        }
        let fractions = [
            ("host_size_limit", free.host_size_limit),
            ("gateway_share", free.gateway_share),
            ("deep_link_share", free.deep_link_share),
            ("directory_mixing", free.directory_mixing),
            ("rest_server_stay", free.rest_server_stay),
            ("reciprocity", free.reciprocity),
            ("meta_lost_by_server", free.meta_lost_by_server),
            ("unknown_not_html", free.unknown_not_html),
            ("anchor_empty", free.anchor_empty),
            ("anchor_tells_target", free.anchor_tells_target),
            ("host_heterogeneity", free.host_heterogeneity),
        ];
        match fractions.iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            Some((name, value)) => {
                Err(format!("free.{name} is {value}, and should be from 0 to 1"))
            }
            None => Ok(()),
        }
    }

    /// The row of the target's own top-level domain.
    pub(crate) fn own_row(&self) -> &TldRow {
        let own = self.published.tld.iter().find(|row| row.name == self.free.own_tld);
        own.expect("the preset was checked when loaded")
    }
}

impl TldRow {
    /// Pages by class: target, second, other, unknown.
    pub(crate) fn classes(&self) -> [f64; 4] {
        [self.target, self.second, self.other, self.unknown]
    }

    /// All pages.
    pub(crate) fn total(&self) -> f64 {
        self.classes().iter().sum()
    }
}
