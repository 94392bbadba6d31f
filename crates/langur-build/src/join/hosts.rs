//! The hosts of pages and missing pages, in the order of their reversed names.

use std::collections::HashMap;

use langur_page::{registrable_domain, top_level_domain};
use langur_sim::write::HostRow;
use xxhash_rust::xxh3::xxh3_128;

use crate::key::host_name;

/// All hosts.
#[derive(Default)]
pub struct Hosts {
    pub rows: Vec<Host>,
    pub tlds: Vec<String>,
    pub domains: u64,
}

/// A host as it is written.
pub struct Host {
    key: Box<str>,
    first_page: u32,
    first_missing: u32,
    domain: u32,
    tld: u16,
}

impl Host {
    pub fn row(&self) -> HostRow<'_> {
        HostRow {
            key: &self.key,
            first_page: self.first_page,
            first_missing: self.first_missing,
            domain: self.domain,
            tld: self.tld,
        }
    }
}

/// Takes hosts one after the other.
#[derive(Default)]
pub struct HostsTaken {
    hosts: Hosts,
    /// Domains by a hash of their names, which is so long that no two have the same.
    domains: HashMap<u128, u32>,
    tlds: HashMap<String, u16>,
}

impl HostsTaken {
    /// The number of the host taken last.
    pub fn last(&self) -> u32 {
        self.hosts.rows.len() as u32 - 1
    }

    /// Takes a host whose first page, and first missing page, will have these numbers.
    pub fn take(&mut self, key: &[u8], first_page: u32, first_missing: u32) {
        let name = host_name(key);
        let next = self.domains.len() as u32;
        let domain = xxh3_128(registrable_domain(&name).as_bytes());
        let domain = *self.domains.entry(domain).or_insert(next);
        let tld = top_level_domain(&name).map_or(0, |tld| self.tld(tld));
        let key = String::from_utf8_lossy(key).into();
        self.hosts.rows.push(Host { key, first_page, first_missing, domain, tld });
    }

    fn tld(&mut self, name: &str) -> u16 {
        if let Some(&code) = self.tlds.get(name) {
            return code;
        }
        let words = &mut self.hosts.tlds;
        // There are some thousand; links to made-up ones could exceed what a code can tell apart.
        if words.len() >= 60_000 {
            return 0;
        }
        words.push(name.to_owned());
        self.tlds.insert(name.to_owned(), words.len() as u16);
        words.len() as u16
    }

    pub fn finish(mut self) -> Hosts {
        self.hosts.domains = self.domains.len() as u64;
        self.hosts
    }
}
