//! The links of a page.

use langur_extract::Origin;
use langur_page::Address;
use langur_page::html::LinkKind;
use langur_sim::{LinkOrigin, UNKNOWN};
use serde::{Deserialize, Serialize};

use crate::key::Keys;

/// The links of a page, column by column: there are dozens on every page, and none is worth a piece of
/// memory of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// The [keys](crate::key) of the pages they point to, one after the other.
    #[serde(with = "serde_bytes")]
    keys: Vec<u8>,
    /// How long each is.
    lengths: Vec<u32>,
    #[serde(with = "serde_bytes")]
    origins: Vec<u8>,
    /// Languages of anchors.
    languages: Vec<String>,
    /// Which of these each anchor is in, from 1 on, or 0.
    anchors: Vec<u16>,
    /// Scores on each topic of the first anchor and of the words around it, then of the second, and so on.
    topics: Vec<(u8, u8)>,
}

/// A link.
#[derive(Clone, Copy, Debug)]
pub struct Link<'l> {
    /// The key of the page it points to.
    pub target: &'l [u8],
    /// Where it comes from.
    pub origin: u8,
    /// The language of its anchor; empty where unknown.
    pub anchor: &'l str,
    /// Scores of its anchor and of the words around it on each topic.
    pub topics: &'l [(u8, u8)],
}

impl Links {
    /// Adds a link. The language of its anchor is empty where unknown; all links are scored on as many topics.
    pub fn push(
        &mut self,
        keys: &mut Keys,
        target: &Address,
        from: Origin,
        anchor: &str,
        topics: &[(u8, u8)],
    ) {
        let start = self.keys.len();
        keys.push(&mut self.keys, target);
        self.lengths.push((self.keys.len() - start) as u32);
        self.origins.push(origin(from) as u8);
        let anchor = self.number(anchor);
        self.anchors.push(anchor);
        self.topics.extend_from_slice(topics);
    }

    fn number(&mut self, language: &str) -> u16 {
        if language.is_empty() {
            return 0;
        }
        let known = self.languages.iter().position(|other| other == language);
        let at = known.unwrap_or_else(|| {
            self.languages.push(language.to_owned());
            self.languages.len() - 1
        });
        u16::try_from(at + 1).expect("there are fewer languages")
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// About how many bytes they take when they are written.
    pub fn bytes(&self) -> usize {
        self.keys.len() + 4 * self.len() + 2 * self.topics.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The languages that anchors are in, each once.
    pub fn languages(&self) -> &[String] {
        &self.languages
    }

    /// The codes of the languages that anchors are in, for each link; [`UNKNOWN`] where that is unknown.
    pub fn anchor_codes(&self, code: impl Fn(&str) -> u16) -> impl Iterator<Item = u16> {
        let codes: Vec<u16> =
            [UNKNOWN].into_iter().chain(self.languages.iter().map(|it| code(it))).collect();
        self.anchors.iter().map(move |&number| codes[usize::from(number)])
    }

    /// The links, in order.
    pub fn iter(&self) -> impl Iterator<Item = Link<'_>> {
        let topics = self.topics.len() / self.len().max(1);
        let mut keys = &self.keys[..];
        (0..self.len()).map(move |at| {
            let (target, rest) = keys.split_at(self.lengths[at] as usize);
            keys = rest;
            Link {
                target,
                origin: self.origins[at],
                anchor: match self.anchors[at] {
                    0 => "",
                    number => &self.languages[usize::from(number) - 1],
                },
                topics: &self.topics[at * topics..][..topics],
            }
        })
    }

    /// Whether the columns fit each other, as those that were just read from a file may not.
    pub fn are_whole(&self) -> bool {
        let keys: u64 = self.lengths.iter().map(|&length| u64::from(length)).sum();
        let is_known = |&number: &u16| usize::from(number) <= self.languages.len();
        keys == self.keys.len() as u64
            && self.origins.len() == self.len()
            && self.anchors.len() == self.len()
            && self.anchors.iter().all(is_known)
            && self.topics.len().is_multiple_of(self.len().max(1))
    }
}

fn origin(origin: Origin) -> LinkOrigin {
    match origin {
        Origin::Element(LinkKind::Anchor) => LinkOrigin::Anchor,
        Origin::Element(LinkKind::Area) => LinkOrigin::Area,
        Origin::Element(LinkKind::Frame) => LinkOrigin::Frame,
        Origin::Element(LinkKind::Iframe) => LinkOrigin::Iframe,
        Origin::Element(LinkKind::Head) => LinkOrigin::Head,
        Origin::Element(LinkKind::Refresh) => LinkOrigin::Refresh,
        Origin::Redirect => LinkOrigin::Redirect,
        Origin::Canonical => LinkOrigin::Canonical,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::address_of;

    #[test]
    fn links_come_back_as_they_were() {
        let pushed = [
            ("http://a.example/", Origin::Canonical, "", [(1, 2), (3, 4)]),
            ("https://b.example/c?d", Origin::Redirect, "th", [(5, 6), (7, 8)]),
            ("http://a.example/e", Origin::Redirect, "en", [(0, 0), (0, 9)]),
            ("http://a.example/e", Origin::Canonical, "th", [(0, 0), (0, 0)]),
        ];
        let (mut links, mut keys) = (Links::default(), Keys::default());
        for (url, origin, anchor, topics) in &pushed {
            let target = Address::parse(url).expect("a URL");
            links.push(&mut keys, &target, *origin, anchor, topics);
        }
        assert!(links.are_whole() && links.len() == pushed.len());
        assert_eq!(links.languages(), ["th", "en"]);
        for (link, (url, from, anchor, topics)) in links.iter().zip(&pushed) {
            assert_eq!(address_of(link.target).expect("a key").to_string(), *url);
            assert_eq!((link.origin, link.anchor), (origin(*from) as u8, *anchor));
            assert_eq!(link.topics, topics);
        }
        links.lengths[0] += 1;
        assert!(!links.are_whole());
    }
}
