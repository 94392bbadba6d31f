//! Any robots.txt, for any client, and any directives of pages.
#![no_main]

use langur_robots::{LONGEST_DELAY, Robots, directives, product};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &str, &str)| {
    let (body, user_agent, url) = input;
    for product in [product(user_agent), user_agent, "a"] {
        let robots = Robots::parse(body, product);
        robots.allows(url);
        assert!(robots.allows("http://a.example/robots.txt"));
        assert!(robots.crawl_delay().is_none_or(|delay| delay <= LONGEST_DELAY));
        assert!(robots.sitemaps().iter().all(|sitemap| !sitemap.is_empty()));
        directives([(user_agent, url)].into_iter(), [url].into_iter(), product);
    }
});
