//! Where a host is.
//!
//! The system's resolver is asked, so that the operator's resolver and `/etc/hosts` count as they do for
//! every program. It keeps nothing, hence the cache in front of it. Addresses are checked here, after
//! the name has become addresses, and these are the ones connected to: a name that points elsewhere a
//! moment later is of no use to anyone.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::lookup_host;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use crate::failed::{Failure, FailureKind};
use crate::pace::after;
use crate::private::is_private;
use crate::target::literal;
use crate::{FetchSettings, IpVersions, Override, SettingsError};

/// Names that are looked up at a time. Each takes a thread until the system gives up, which cannot be
/// hurried; tokio has 512 for everything.
const LOOKUPS: usize = 256;

/// Looks hosts up, and remembers.
#[derive(Debug)]
pub(crate) struct Resolver {
    overrides: Vec<Override>,
    allow_private: bool,
    ip: IpVersions,
    timeout: Duration,
    cache: Arc<Cache>,
    lookups: Arc<Semaphore>,
}

impl Resolver {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Resolver, SettingsError> {
        if let Some(over) = settings.overrides.iter().find(|over| !over.is_valid()) {
            return Err(SettingsError::Override(over.host.clone()));
        }
        Ok(Resolver {
            overrides: settings.overrides.clone(),
            allow_private: settings.allow_private,
            ip: settings.ip,
            timeout: settings.dns_timeout,
            cache: Arc::new(Cache {
                names: Mutex::default(),
                most: settings.dns_entries,
                good: settings.dns_cache,
                bad: settings.dns_failure_cache,
            }),
            lookups: Arc::new(Semaphore::new(LOOKUPS)),
        })
    }

    /// Where the operator says that a host is.
    pub(crate) fn overridden(&self, host: &str) -> Option<SocketAddr> {
        self.overrides.iter().find(|over| over.is_about(host)).map(|over| over.address)
    }

    /// The addresses of a host that may be connected to, in the order to try them.
    pub(crate) async fn resolve(
        &self,
        host: &str,
        port: u16,
    ) -> Result<Arc<[SocketAddr]>, Failure> {
        if let Some(address) = self.overridden(host) {
            return Ok(Arc::new([address]));
        }
        let found = match literal(host) {
            Some(address) => Arc::new([address]),
            None => self.look_up(host).await?,
        };
        let wanted = |address: &&IpAddr| match self.ip {
            IpVersions::Both => true,
            IpVersions::V4 => address.is_ipv4(),
            IpVersions::V6 => address.is_ipv6(),
        };
        let mut wanted = found.iter().filter(wanted).peekable();
        if wanted.peek().is_none() {
            let detail = format!("{host} has no address of the version in use");
            return Err(Failure::new(FailureKind::NoSuchHost, detail));
        }
        let allowed: Arc<[SocketAddr]> = wanted
            .filter(|address| self.may_connect(**address))
            .map(|address| SocketAddr::new(*address, port))
            .collect();
        if allowed.is_empty() {
            return Err(refused(host, found[0]));
        }
        Ok(allowed)
    }

    /// The addresses of a host that the operator named.
    pub(crate) async fn resolve_trusted(
        &self,
        host: &str,
        port: u16,
    ) -> Result<Arc<[SocketAddr]>, Failure> {
        let found = match literal(host) {
            Some(address) => Arc::new([address]),
            None => self.look_up(host).await?,
        };
        Ok(found.iter().map(|address| SocketAddr::new(*address, port)).collect())
    }

    /// Whether an address that nobody vouches for may be connected to.
    pub(crate) fn may_connect(&self, address: IpAddr) -> bool {
        self.allow_private || !is_private(address)
    }

    async fn look_up(&self, host: &str) -> Result<Arc<[IpAddr]>, Failure> {
        if let Some(known) = self.cache.get(host) {
            return known;
        }
        // Resolvers differ in what they say to a name that cannot be one (RFC 1035, section 2.3.4).
        if host.len() > 253 || host.split('.').any(|label| label.len() > 63) {
            let detail = format!("{host} has no address: it is too long for a name");
            return Err(Failure::new(FailureKind::NoSuchHost, detail));
        }
        let late = || Failure::new(FailureKind::Dns, format!("looking up {host} took too long"));
        let name = host.to_owned();
        let (cache, lookups) = (Arc::clone(&self.cache), Arc::clone(&self.lookups));
        // A task of its own, for the system goes on when we have lost patience, and what it finds
        // then is still worth knowing.
        let task = tokio::spawn(async move {
            let _permit = lookups.acquire_owned().await;
            // Another may have asked for the same name while we waited.
            if let Some(known) = cache.get(&name) {
                return known;
            }
            let found = ask(&name).await;
            cache.put(name, found.clone());
            found
        });
        match timeout(self.timeout, task).await {
            Ok(Ok(found)) => found,
            // The task has neither panicked nor been aborted, unless the runtime is going down.
            Ok(Err(_)) | Err(_) => Err(late()),
        }
    }
}

/// The failure of a host at a private address.
pub(crate) fn refused(host: &str, address: IpAddr) -> Failure {
    let detail = format!(
        "{host} is at the private address {address}, which is not fetched without --allow-private"
    );
    Failure::new(FailureKind::PrivateAddress, detail)
}

async fn ask(host: &str) -> Result<Arc<[IpAddr]>, Failure> {
    let none =
        |why: &str| Failure::new(FailureKind::NoSuchHost, format!("{host} has no address: {why}"));
    // The port is a formality.
    match lookup_host((host, 80)).await {
        Ok(found) => {
            let found = alternate(found.map(|address| address.ip()));
            if found.is_empty() { Err(none("none was given")) } else { Ok(found.into()) }
        }
        Err(error) if is_final(&error) => Err(none(&error.to_string())),
        Err(error) => {
            Err(Failure::new(FailureKind::Dns, format!("cannot look up {host}: {error}")))
        }
    }
}

/// Whether a name that was not found does not exist. The standard library gives the resolver's words
/// (`gai_strerror`) and not its code; these are those of glibc, musl, macOS and Windows.
fn is_final(error: &io::Error) -> bool {
    const WORDS: [&str; 6] = [
        "Name or service not known",
        "No address associated with hostname",
        "Name does not resolve",
        "Name has no usable address",
        "nodename nor servname provided",
        "No such host is known",
    ];
    let said = error.to_string();
    // A name that cannot be one, with a NUL in it, is refused before anyone is asked.
    error.kind() == io::ErrorKind::InvalidInput || WORDS.iter().any(|words| said.contains(words))
}

/// One of each version in turn, as RFC 8305, section 4, has it, beginning with the one the system
/// prefers; each once.
fn alternate(found: impl Iterator<Item = IpAddr>) -> Vec<IpAddr> {
    let mut seen: Vec<IpAddr> = Vec::new();
    for address in found {
        if !seen.contains(&address) {
            seen.push(address);
        }
    }
    let first = seen.first().is_some_and(IpAddr::is_ipv6);
    let (one, other): (Vec<_>, Vec<_>) = seen.into_iter().partition(|a| a.is_ipv6() == first);
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    let mut order = Vec::new();
    loop {
        let (a, b) = (one.next(), other.next());
        if a.is_none() && b.is_none() {
            return order;
        }
        order.extend(a.into_iter().chain(b));
    }
}

type Found = Result<Arc<[IpAddr]>, Failure>;

/// Names and what was found, for a while.
#[derive(Debug)]
struct Cache {
    names: Mutex<HashMap<String, (Found, Instant)>>,
    most: usize,
    good: Duration,
    bad: Duration,
}

impl Cache {
    fn names(&self) -> MutexGuard<'_, HashMap<String, (Found, Instant)>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, host: &str) -> Option<Found> {
        let names = self.names();
        let (found, until) = names.get(host)?;
        (Instant::now() < *until).then(|| found.clone())
    }

    /// When it is full, what has expired goes; if that frees less than an eighth, so does the rest,
    /// so that a full cache is swept once in many puts.
    fn put(&self, host: String, found: Found) {
        let now = Instant::now();
        let until = after(now, if found.is_ok() { self.good } else { self.bad });
        let mut names = self.names();
        if names.len() >= self.most {
            names.retain(|_, (_, until)| now < *until);
            if names.len() > self.most - self.most / 8 {
                names.clear();
            }
        }
        if self.most > 0 {
            names.insert(host, (found, until));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(most: usize) -> Cache {
        let (good, bad) = (Duration::from_secs(600), Duration::from_secs(60));
        Cache { names: Mutex::default(), most, good, bad }
    }

    fn found() -> Found {
        Ok(Arc::new([IpAddr::from([192, 0, 2, 1])]))
    }

    #[tokio::test(start_paused = true)]
    async fn a_name_is_known_for_a_while_and_a_failure_for_a_shorter_one() {
        let cache = cache(10);
        cache.put("good".to_owned(), found());
        cache.put("bad".to_owned(), Err(Failure::new(FailureKind::NoSuchHost, "bad")));
        tokio::time::advance(Duration::from_secs(59)).await;
        assert_eq!(cache.get("good"), Some(found()));
        assert!(cache.get("bad").is_some_and(|known| known.is_err()));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(cache.get("bad"), None);
        assert_eq!(cache.get("good"), Some(found()));
        tokio::time::advance(Duration::from_secs(600)).await;
        assert_eq!(cache.get("good"), None);
        assert_eq!(cache.get("never"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cache_has_its_bounds() {
        let cache = cache(100);
        for number in 0..1000 {
            cache.put(number.to_string(), found());
            assert!(cache.names().len() <= 100);
        }
        assert_eq!(cache.get("999"), Some(found()));
    }

    #[tokio::test]
    async fn what_was_found_is_remembered_and_what_takes_too_long_is_not_waited_for() {
        let settings = FetchSettings { allow_private: true, ..FetchSettings::default() };
        let mut resolver = Resolver::new(&settings).expect("a resolver");
        let found = resolver.resolve("localhost", 80).await.expect("an address");
        // From now on every lookup waits for others.
        let lookups = Arc::clone(&resolver.lookups);
        let _all = lookups.acquire_many(LOOKUPS as u32).await.expect("an open semaphore");
        resolver.timeout = Duration::from_millis(50);
        assert_eq!(resolver.resolve("localhost", 80).await, Ok(found));
        let late = resolver.resolve("a.example", 80).await.expect_err("nobody looks it up");
        assert_eq!(late.kind, FailureKind::Dns);
    }

    #[tokio::test]
    async fn an_address_is_not_looked_up_and_is_as_private_as_any() {
        let mut resolver = Resolver::new(&FetchSettings::default()).expect("a resolver");
        // Whatever has to be looked up waits for others, in vain.
        let lookups = Arc::clone(&resolver.lookups);
        let _all = lookups.acquire_many(LOOKUPS as u32).await.expect("an open semaphore");
        resolver.timeout = Duration::from_millis(50);
        let late = resolver.resolve("a.example", 80).await.expect_err("nobody looks it up");
        assert_eq!(late.kind, FailureKind::Dns);
        for (host, address) in [
            ("8.8.8.8", "8.8.8.8:81"),
            ("[2606:4700::1111]", "[2606:4700::1111]:81"),
            ("2606:4700::1111", "[2606:4700::1111]:81"),
        ] {
            let found = resolver.resolve(host, 81).await.expect("an address");
            assert_eq!(*found, [address.parse().expect("an address")]);
        }
        for (host, address) in [("127.0.0.1", "127.0.0.1:81"), ("[::1]", "[::1]:81")] {
            resolver.allow_private = false;
            let refused = resolver.resolve(host, 81).await.expect_err("a private address");
            assert_eq!(refused.kind, FailureKind::PrivateAddress);
            resolver.allow_private = true;
            let found = resolver.resolve(host, 81).await.expect("an address");
            assert_eq!(*found, [address.parse().expect("an address")]);
        }
    }

    #[test]
    fn versions_alternate() {
        let addresses = |text: &str| -> Vec<IpAddr> {
            text.split(' ').map(|address| address.parse().expect("an address")).collect()
        };
        let order = alternate(addresses("1::1 1::2 1::1 1.1.1.1 2.2.2.2 3.3.3.3").into_iter());
        assert_eq!(order, addresses("1::1 1.1.1.1 1::2 2.2.2.2 3.3.3.3"));
    }

    #[test]
    fn words_tell_what_is_not_there_from_what_is_not_known() {
        let said = |words: &str| is_final(&io::Error::other(words.to_owned()));
        assert!(said("failed to lookup address information: Name or service not known"));
        assert!(!said(
            "failed to lookup address information: Temporary failure in name resolution"
        ));
    }
}
