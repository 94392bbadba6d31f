//! An HTTP client as one has it from a library: the loop that anybody would write.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use reqwest::Client;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How long a connection is kept for the next page of its host. The library has no limit to their number, with many hosts there
/// are more than files may be open, and the more it keeps the longer it looks for one. Which is the fastest depends on how many
/// hosts there are: of those tried, from 20 ms to 8 s, one of these two always was.
pub const IDLE: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(1)];

/// Fetches URLs in their order, so many at once. Every host has connections of its own, as HTTP wants it. Says how many
/// seconds that took.
pub fn fetch(
    urls: &Arc<Vec<String>>,
    address: SocketAddr,
    at_once: usize,
    idle: Duration,
) -> Result<f64> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // Nothing is encrypted here, but reqwest makes no client without somebody who could. One that is there already will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .dns_resolver(Arc::new(Everywhere(address)))
        .pool_idle_timeout(idle)
        .build()?;
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    runtime.block_on(async {
        let loops: Vec<_> = (0..at_once)
            .map(|_| fetch_in_turn(client.clone(), Arc::clone(urls), Arc::clone(&next)))
            .map(tokio::spawn)
            .collect();
        for each in loops {
            each.await??;
        }
        Ok(began.elapsed().as_secs_f64())
    })
}

async fn fetch_in_turn(
    client: Client,
    urls: Arc<Vec<String>>,
    next: Arc<AtomicUsize>,
) -> Result<()> {
    while let Some(url) = urls.get(next.fetch_add(1, Ordering::Relaxed)) {
        client.get(url).send().await?.bytes().await?;
    }
    Ok(())
}

/// Every host is at one address.
struct Everywhere(SocketAddr);

impl Resolve for Everywhere {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(std::iter::once(self.0));
        Box::pin(std::future::ready(Ok(addresses)))
    }
}
