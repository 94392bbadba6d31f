//! The sitemaps of real sites.

use langur_robots::sitemap::{MOST, read};
use langur_testkit::shared;

/// Site, and how many `loc` and `lastmod` elements a search for their tags finds.
const SITES: [(&str, usize, usize); 6] = [
    ("boostjp", 652, 652),
    ("cpprefjp", 7045, 7045),
    // An XML file of another kind with this name: it names no page, and is no problem.
    ("httpd-docs-2.4", 0, 0),
    ("pytorch-kr", 281, 0),
    ("rocketmq", 246, 0),
    ("tour-of-rust", 309, 309),
];

#[test]
fn every_page_of_a_real_sitemap_is_found() {
    for (site, pages, dates) in SITES {
        let Some(files) = shared::archive(&format!("sites/{site}.tar.zst")) else { return };
        let (_, bytes) =
            files.iter().find(|(path, _)| path == "extra/sitemap.xml").expect("a sitemap");
        let sitemap = read(bytes, MOST);
        assert_eq!(sitemap.pages.len(), pages, "{site}");
        let dated = sitemap.pages.iter().filter(|page| page.lastmod.is_some());
        assert_eq!(dated.count(), dates, "{site}");
        assert_eq!((sitemap.sitemaps.len(), sitemap.problems), (0, Vec::new()), "{site}");
    }
}
