//! The order of pages.
//!
//! A key is the host with its labels reversed, a zero byte, path and query, and a last byte for the scheme.
//! Keys sort by their bytes as the pages of a web space do by host, path and scheme, and no key begins
//! another.

use langur_page::{Address, HostName, Scheme, host_from_key, host_key};
use langur_sim::write::push_url_entry;

const END_OF_HOST: u8 = 0;

/// The key of a page.
pub fn key_of(address: &Address) -> Vec<u8> {
    let mut key = Vec::new();
    Keys::default().push(&mut key, address);
    key
}

/// Makes keys, and remembers how the last began: most links of a page stay on one host.
#[derive(Default)]
pub struct Keys {
    last: Option<(HostName, String)>,
}

impl Keys {
    /// Adds the key of a page to other keys.
    pub fn push(&mut self, keys: &mut Vec<u8>, address: &Address) {
        let known = self.last.take().filter(|(host, _)| host.is_shared_with(&address.host));
        let host = known.unwrap_or_else(|| (address.host.clone(), host_key(&address.host)));
        let (_, host) = self.last.insert(host);
        keys.extend_from_slice(host.as_bytes());
        keys.push(END_OF_HOST);
        push_url_entry(keys, address.scheme, &address.path);
    }
}

/// The length of the key at the beginning of a record, which is followed by other things.
pub fn key_len(record: &[u8]) -> usize {
    let host = host_len(record) + 1;
    // The scheme is 1 or 2, which stand in no path.
    let is_end = |&byte: &u8| byte <= 2;
    let path = record[host..].iter().position(is_end).unwrap_or(record.len() - host - 1);
    host + path + 1
}

fn host_len(key: &[u8]) -> usize {
    key.iter().position(|&byte| byte == END_OF_HOST).unwrap_or(key.len() - 1)
}

/// The two parts of a key: the reversed host, and the entry of the dictionary of URLs.
pub fn parts(key: &[u8]) -> (&[u8], &[u8]) {
    let host = host_len(key);
    (&key[..host], &key[host + 1..])
}

/// The page that a key is of; nothing if it is damaged.
pub fn address_of(key: &[u8]) -> Option<Address> {
    let (host, entry) = parts(key);
    let (scheme, path) = match entry.split_last()? {
        (1, path) => (Scheme::Http, path),
        (2, path) => (Scheme::Https, path),
        _ => return None,
    };
    let path = std::str::from_utf8(path).ok()?.to_owned();
    Some(Address { scheme, host: host_name(host).into(), path })
}

/// The path of an entry up to its last slash, without the query.
pub fn directory(entry: &[u8]) -> &[u8] {
    let end = entry.iter().position(|&byte| byte == b'?').unwrap_or(entry.len());
    let slash = entry[..end].iter().rposition(|&byte| byte == b'/');
    &entry[..slash.map_or(0, |slash| slash + 1)]
}

/// The name of a host that stands reversed in a key.
pub fn host_name(host: &[u8]) -> String {
    host_from_key(&String::from_utf8_lossy(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_apart_again() {
        for url in ["http://www.a.co.th:81/x/y?z=/1", "https://a.example/", "http://[::1]/a"] {
            let address = Address::parse(url).expect("a URL");
            let key = key_of(&address);
            let (host, entry) = parts(&key);
            assert_eq!(address_of(&key).as_ref(), Some(&address));
            assert_eq!(address.host, host_name(host).as_str());
            assert_eq!(directory(entry), address.directory().as_bytes());
            let mut record = key.clone();
            record.extend([0, 0, 1, 2, 3]);
            assert_eq!(key_len(&record), key.len());
        }
    }

    #[test]
    fn hosts_sort_before_their_neighbours_paths() {
        let key = |url: &str| key_of(&Address::parse(url).expect("a URL"));
        assert!(key("http://a.com/z") < key("http://a.com/z/"));
        assert!(key("http://a.com/z") < key("https://a.com/z"));
        assert!(key("http://a.com/z") < key("http://b.a.com/a"));
    }
}
