//! Markup of any kind.
#![no_main]

use langur_page::html::Document;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &str| {
    let page = Document::of(html);
    assert!(page.main_text().len() <= page.text().len());
    for link in page.links() {
        page.anchor(link);
        page.around(link, 10);
        page.path(link);
    }
});
