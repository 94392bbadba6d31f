//! From an answer to what the crawl is told of it.

use std::collections::HashSet;

use langur_archive::HttpResponse;
use langur_extract::{Answer, ExtractedLink, LONGEST_PAYLOAD};
use langur_fetch::Response;
use langur_page::Address;
use langur_robots::{Directives, directives};
use langur_scope::without_session;

use super::packing::{Original, digest};
use super::{Archived, Ask, Came, FoundLink, FoundLinks, PageRead, Read, Worker, Workshop};
use crate::archiving::Packed;
use crate::known::Fingerprint;
use crate::repeated::Digest;

impl Workshop {
    pub(super) fn read_page(&self, worker: &mut Worker, ask: &Ask, response: &Response) -> Came {
        let http = HttpResponse::parse(&response.received);
        let body = http.as_ref().map_or(&[][..], |http| &response.received[http.body_at..]);
        let payload = http.as_ref().map(|http| http.payload(body, LONGEST_PAYLOAD).bytes);
        let payload = payload.unwrap_or_default();
        let digest = digest(http.as_ref(), body);
        let header = |name| http.as_ref().and_then(|http| http.headers.text(name));
        let (content_type, content_language) = (header("content-type"), header("content-language"));
        let (location, refresh) = (header("location"), header("refresh"));
        let link = http.as_ref().and_then(|http| http.headers.list("link"));
        let address = Address::parse(&ask.url).expect("what waits has a canonical URL");
        let mut extract = worker.extractor.extract(&Answer {
            address: &address,
            status: response.status,
            content_type: content_type.as_deref(),
            content_language: content_language.as_deref(),
            location: location.as_deref(),
            link: link.as_deref(),
            refresh: refresh.as_deref(),
            payload: &payload,
        });
        let wishes = self.wishes(http.as_ref(), &extract.wishes);
        let mut archived = Archived { packed: Packed::default(), digest, repeats: false };
        if !(self.obey_noindex && wishes.noindex) {
            let original = self.original(&digest, body);
            archived.repeats = original.is_some();
            let mut fields = self.provenance.fields(ask);
            fields.append(&mut extract.evidence);
            archived.packed = worker.packer.pack(
                &ask.url,
                response,
                http.as_ref(),
                (&digest, original.as_ref()),
                &fields,
            );
        }
        let links = std::mem::take(&mut extract.links);
        let links = self.links(&address, links, ask.depth, wishes.nofollow);
        let (bytes, noindex) = (payload.len() as u64, wishes.noindex);
        let read = Read::Page(Box::new(PageRead { extract, bytes, noindex, links }));
        Came::new(response, http.as_ref(), archived, read)
    }

    fn wishes(&self, http: Option<&HttpResponse>, meta: &[(String, String)]) -> Directives {
        // One that names a crawler counts for this one alone, so they are not joined.
        let headers = http.into_iter().flat_map(|http| http.headers.all("x-robots-tag"));
        let headers: Vec<_> = headers.map(String::from_utf8_lossy).collect();
        let meta = meta.iter().map(|(of, wish)| (of.as_str(), wish.as_str()));
        directives(meta, headers.iter().map(AsRef::as_ref), &self.product)
    }

    /// The capture that has the same content, if it is archived already. Nothing is gained by referring to content that is
    /// shorter than the reference.
    fn original(&self, digest: &Digest, body: &[u8]) -> Option<Original> {
        const WORTH_IT: usize = 256;
        if body.len() < WORTH_IT {
            return None;
        }
        let first = self.payloads.as_ref()?.find(digest)?;
        Some(Original { url: self.text(first.url)?, at: first.at })
    }

    fn links(
        &self,
        page: &Address,
        links: Vec<ExtractedLink>,
        depth: u8,
        page_nofollow: bool,
    ) -> FoundLinks {
        let mut found = FoundLinks { urls: String::new(), links: Vec::with_capacity(links.len()) };
        let mut stripped = HashSet::new();
        for link in links {
            let without = without_session(&link.target);
            // Two links may differ by their sessions alone, and one may lead back to the page.
            if let Some(without) = &without
                && (without == page || !stripped.insert(without.clone()))
            {
                continue;
            }
            let target = without.unwrap_or(link.target);
            let is_redirect = link.origin == langur_extract::Origin::Redirect;
            let depth = u32::from(depth) + u32::from(!is_redirect);
            let refused = self.obey_nofollow && (page_nofollow || link.nofollow);
            let from = found.urls.len();
            target.write_to(&mut found.urls);
            found.links.push(FoundLink {
                fingerprint: Fingerprint::of(&found.urls[from..]),
                url_end: found.urls.len(),
                offered: !refused && self.scope.admits(&target, depth).is_ok(),
                origin: link.origin.number(),
                anchor: link.anchor_language,
                scores: link.topics.first().copied().unwrap_or_default(),
            });
        }
        found
    }
}
