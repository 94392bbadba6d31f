//! Addresses of stores, and names in them.

use std::path::{Component, Path, PathBuf};

use reqwest::Url;

use crate::StoreError;

/// What an address stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A folder of a web server, without the last slash.
    Web(String),
    /// The objects of a bucket whose names begin with a prefix, which may be empty.
    Bucket { bucket: String, prefix: String },
}

impl Place {
    pub(crate) fn parse(address: &str) -> Result<Place, StoreError> {
        let wrong =
            |why: &str| StoreError::Address { address: address.to_owned(), why: why.to_owned() };
        let Some((scheme, rest)) = address.split_once("://") else {
            if address.is_empty() {
                return Err(wrong("it is empty"));
            }
            return Ok(Place::Folder(PathBuf::from(address)));
        };
        match scheme.to_ascii_lowercase().as_str() {
            "file" => {
                let path = Url::parse(address).ok().and_then(|url| url.to_file_path().ok());
                path.map(Place::Folder).ok_or_else(|| wrong("it is not a path of this machine"))
            }
            "http" | "https" => {
                let url = Url::parse(address).map_err(|error| wrong(&error.to_string()))?;
                if url.query().is_some() || url.fragment().is_some() {
                    return Err(wrong("names of files are put at its end, after no ? or #"));
                }
                Ok(Place::Web(url.as_str().trim_end_matches('/').to_owned()))
            }
            "s3" => {
                let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
                if bucket.is_empty() {
                    return Err(wrong("it names no bucket"));
                }
                let prefix = prefix.trim_matches('/').to_owned();
                Ok(Place::Bucket { bucket: bucket.to_owned(), prefix })
            }
            _ => Err(wrong(&format!("{scheme}:// is not known"))),
        }
    }

    /// The address in one form, with a slash at the end, so that a name can be put behind it.
    pub(crate) fn address(&self) -> String {
        match self {
            Place::Folder(path) => format!("{}/", path.display().to_string().trim_end_matches('/')),
            Place::Web(url) => format!("{url}/"),
            Place::Bucket { bucket, prefix } if prefix.is_empty() => format!("s3://{bucket}/"),
            Place::Bucket { bucket, prefix } => format!("s3://{bucket}/{prefix}/"),
        }
    }
}

/// Refuses names that would lead out of the store, or could mean two things.
pub(crate) fn check_name(name: &str) -> Result<(), StoreError> {
    let plain = |part: &str| !matches!(part, "" | "." | "..");
    let relative = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if relative && name.split('/').all(plain) && !name.contains(|c: char| c.is_control()) {
        return Ok(());
    }
    Err(StoreError::Name(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, place: Place, whole: &str) {
        let parsed = Place::parse(address).expect("an address");
        assert_eq!(parsed.address(), whole);
        assert_eq!(parsed, place);
    }

    #[test]
    fn an_address_is_a_folder_a_web_server_or_a_bucket() {
        check("crawl/", Place::Folder("crawl/".into()), "crawl/");
        check("/", Place::Folder("/".into()), "/");
        check("file:///a%20b/c", Place::Folder("/a b/c".into()), "/a b/c/");
        check("HTTP://Host:80/a/", Place::Web("http://host/a".into()), "http://host/a/");
        check("https://host", Place::Web("https://host".into()), "https://host/");
        let bucket = |prefix: &str| Place::Bucket { bucket: "b".into(), prefix: prefix.into() };
        check("s3://b", bucket(""), "s3://b/");
        check("s3://b/x/y/", bucket("x/y"), "s3://b/x/y/");
    }

    #[test]
    fn other_addresses_are_refused_with_a_reason() {
        for address in ["", "ftp://host/", "http://", "http://h/?a", "s3:///x", "file://host/x"] {
            let error = Place::parse(address).expect_err(address).to_string();
            assert!(error.contains("s3://bucket/prefix"), "{error}");
        }
    }

    #[test]
    fn names_do_not_lead_out_of_the_store() {
        for name in ["a", "a/b.gz", "crawl-data/CC-MAIN-2024-22/warc.paths.gz", "a b", "..a"] {
            check_name(name).expect(name);
        }
        for name in ["", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a\0b", "a\nb"] {
            check_name(name).expect_err(name);
        }
    }
}
