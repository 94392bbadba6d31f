//! The spider crate as a peer of `langur bench live`: follows all links from one page, with 128 requests at once.
//!
//!     bench-spider SERVER SEED PAGES [WARC]
//!
//! The server is used as a proxy, since it stands for all hosts. Prints what was fetched, and how long it took, as JSON.

use std::time::Instant;

use spider::website::Website;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [server, seed, pages, warc @ ..] = &arguments[..] else {
        eprintln!("bench-spider SERVER SEED PAGES [WARC]");
        std::process::exit(2);
    };
    let pages: u32 = pages.parse().expect("a number of pages");
    let mut website = Website::new(seed);
    website
        .with_external_domains(Some(std::iter::once("*".to_owned())))
        .with_proxies(Some(vec![format!("http://{server}")]))
        .with_respect_robots_txt(true)
        .with_concurrency_limit(Some(128))
        .with_delay(0)
        .with_retry(0)
        .with_limit(pages);
    if let Some(path) = warc.first() {
        let path = path.clone();
        website
            .configuration
            .with_warc(spider::utils::warc::WarcConfig { path, ..Default::default() });
    }
    let mut fetched = website.subscribe(1 << 16);
    let counting = tokio::spawn(async move {
        let (mut pages, mut bytes) = (0_u64, 0_u64);
        loop {
            match fetched.recv().await {
                Ok(page) => {
                    pages += 1;
                    bytes += page.get_html_bytes_u8().len() as u64;
                }
                // Whoever counts may have been too slow; what was missed was fetched all the same.
                Err(tokio::sync::broadcast::error::RecvError::Lagged(missed)) => pages += missed,
                Err(_) => return (pages, bytes),
            }
        }
    });
    let began = Instant::now();
    website.crawl().await;
    let seconds = began.elapsed().as_secs_f64();
    website.unsubscribe();
    let (pages, bytes) = counting.await.expect("nobody panics while counting");
    println!("{}", serde_json::json!({ "fetched": pages, "seconds": seconds, "bytes": bytes }));
}
