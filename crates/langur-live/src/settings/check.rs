//! Values that can be read and make no sense.

use langur_page::{Address, ip_address, without_port};

use super::{Settings, SettingsError};

impl Settings {
    /// Refuses values that make no sense.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.check_contact()
    }

    /// Whoever is asked must be able to complain to somebody, so it must look as if that could be reached.
    fn check_contact(&self) -> Result<(), SettingsError> {
        let wrong = |what: String| Err(SettingsError::Value(what));
        let user_agent = &self.fetch.user_agent;
        if user_agent.trim().is_empty() || user_agent.contains(|c| !is_printable(c)) {
            return wrong(format!("fetch.user_agent {user_agent:?} should be printable ASCII"));
        }
        match &self.fetch.contact {
            Some(contact) if !is_web_page(contact) && !is_mail_address(contact) => wrong(format!(
                "{contact:?} is no contact address, which every server is shown\n  give a web page or a mail address with --contact, as in --contact https://library.example/crawls"
            )),
            _ => Ok(()),
        }
    }
}

fn is_printable(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic()
}

fn is_web_page(contact: &str) -> bool {
    let is_plain = contact.chars().all(|c| c.is_ascii_graphic());
    let is_web = contact.starts_with("http://") || contact.starts_with("https://");
    is_plain && is_web && Address::parse(contact).is_ok_and(|address| is_full_name(&address.host))
}

fn is_mail_address(contact: &str) -> bool {
    let Some((name, host)) = contact.rsplit_once('@') else { return false };
    let is_plain =
        |text: &str| text.chars().all(|c| c.is_ascii_graphic() && !"@()<>,;".contains(c));
    let is_host = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    !name.is_empty() && is_plain(name) && host.chars().all(is_host) && is_full_name(host)
}

/// A name with a domain, or an address: not one that only one's own network knows.
fn is_full_name(host: &str) -> bool {
    let name = without_port(host);
    let is_dotted = name.contains('.') && name.split('.').all(|label| !label.is_empty());
    is_dotted || ip_address(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_contact(contact: &str) -> Settings {
        let mut settings = Settings::default();
        settings.fetch.contact = Some(contact.to_owned());
        settings
    }

    #[test]
    fn a_contact_is_a_web_page_or_a_mail_address() {
        for contact in ["a@b.c", "crawl+th@library.example", "https://library.example/crawls"] {
            assert!(with_contact(contact).check().is_ok(), "{contact}");
        }
        for contact in [
            "",
            " ",
            "foo",
            "a@b",
            "@b.c",
            "a b@c.d",
            "a@b..c",
            "http://",
            "https://library/",
            "a@b.c\n",
            "ftp://a.example/",
            "https://a.example/ x",
        ] {
            let error = with_contact(contact).check().expect_err(contact).to_string();
            assert!(error.contains("is no contact address"), "{error}");
        }
    }

    #[test]
    fn the_contact_is_in_every_user_agent() {
        let mut settings = with_contact("a@b.example");
        for (user_agent, sent) in [
            ("spider/1", "spider/1 (+a@b.example)"),
            ("spider/1 (a@b.example)", "spider/1 (a@b.example)"),
            ("spider/1 (mail {contact})", "spider/1 (mail a@b.example)"),
        ] {
            settings.fetch.user_agent = user_agent.to_owned();
            settings.check().expect(user_agent);
            assert_eq!(settings.user_agent(), sent);
        }
        let settings = with_contact("a@b.example");
        let sent = settings.user_agent();
        assert!(sent.starts_with("Mozilla/5.0 (compatible; langur/0."), "{sent}");
        assert!(sent.ends_with("; +a@b.example)"), "{sent}");
        assert!(Settings::default().user_agent().starts_with("Mozilla/5.0 (compatible; langur/"));
        assert!(!Settings::default().user_agent().contains(['{', '+']));
        assert!(settings.written().contains("user_agent = "), "{}", settings.written());
    }

    #[test]
    fn a_user_agent_is_one_line() {
        for user_agent in ["", "spider\r\nHost: x", "สไปเดอร์"] {
            let mut settings = Settings::default();
            settings.fetch.user_agent = user_agent.to_owned();
            assert!(settings.check().is_err(), "{user_agent:?}");
        }
    }
}
