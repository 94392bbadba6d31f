//! Values that can be read and make no sense.

use langur_page::{Address, ip_address, without_port};

use super::{Settings, SettingsError, Span};

impl Settings {
    /// Refuses values that make no sense.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.check_contact()?;
        self.check_stop()?;
        let (fetch, manners, budget) = (&self.fetch, &self.manners, &self.budget);
        within("manners.slow_factor", manners.slow_factor, 0.0, 1000.0)?;
        within("fetch.give_up_after", f64::from(fetch.give_up_after), 1.0, 255.0)?;
        within("fetch.connections", fetch.connections as f64, 1.0, 10_000.0)?;
        more_than_none("fetch.longest", fetch.longest.0)?;
        more_than_none("fetch.connect_timeout", fetch.connect_timeout.as_ms())?;
        more_than_none("fetch.head_timeout", fetch.head_timeout.as_ms())?;
        more_than_none("fetch.total_timeout", fetch.total_timeout.as_ms())?;
        more_than_none("fetch.idle_timeout", fetch.idle_timeout.as_ms())?;
        more_than_none("budget.per_host", budget.per_host)?;
        more_than_none("budget.per_domain", budget.per_domain)?;
        more_than_none("archive.rotate", self.archive.rotate.0)
    }

    fn check_stop(&self) -> Result<(), SettingsError> {
        let stop = &self.stop;
        within("stop.harvest", stop.harvest.unwrap_or(0.0), 0.0, 1.0)?;
        more_than_none("stop.pages", stop.pages.unwrap_or(1))?;
        more_than_none("stop.relevant", stop.relevant.unwrap_or(1))?;
        more_than_none("stop.bytes", stop.bytes.map_or(1, |bytes| bytes.0))?;
        more_than_none("stop.time", stop.time.map_or(1, Span::as_ms))
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

/// Refuses what is out of a range, or no number.
fn within(name: &str, value: f64, least: f64, most: f64) -> Result<(), SettingsError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(SettingsError::Value(format!("{name} is {value} and should be from {least} to {most}")))
}

fn more_than_none(name: &str, value: u64) -> Result<(), SettingsError> {
    match value {
        0 => Err(SettingsError::Value(format!(
            "{name} is 0 and should be more; leave it out for the default"
        ))),
        _ => Ok(()),
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
    fn values_out_of_range_are_refused_with_the_range() {
        for (text, said) in [
            ("[stop]\nharvest = 2.0", "stop.harvest is 2 and should be from 0 to 1"),
            ("[stop]\nharvest = -1.0", "stop.harvest is -1"),
            ("[stop]\nharvest = nan", "stop.harvest is NaN"),
            ("[stop]\npages = 0", "stop.pages is 0"),
            ("[manners]\nslow_factor = nan", "manners.slow_factor is NaN"),
            ("[manners]\nslow_factor = -0.5", "from 0 to 1000"),
            ("[fetch]\ngive_up_after = 0", "from 1 to 255"),
            ("[fetch]\nlongest = \"0B\"", "fetch.longest is 0"),
            ("[fetch]\nconnections = 0", "from 1 to 10000"),
            ("[fetch]\nconnections = 100000000", "from 1 to 10000"),
            ("[budget]\nper_host = 0", "budget.per_host is 0"),
        ] {
            let settings = Settings::read(text, "crawl.toml").expect(text);
            let error = settings.check().expect_err(text).to_string();
            assert!(error.contains(said), "{error}");
        }
        Settings::default().check().expect("defaults");
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
