//! URLs, and links on a page.
#![no_main]

use langur_page::{Address, Base, Limits, canon};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|urls: (&str, &str)| {
    let (base, link) = urls;
    canon::whatwg(link.as_bytes());
    canon::aggressive(link.as_bytes());
    let Ok(address) = Address::parse(base) else { return };
    let canonical = address.to_string();
    let again = Address::parse(&canonical).expect("a canonical form is a URL");
    assert_eq!(again.to_string(), canonical, "a canonical form is its own canonical form");
    address.surt();
    if let Ok(target) = Base::new(&address, encoding_rs::WINDOWS_874).resolve(link) {
        let _ = Limits::default().check(&target);
    }
});
