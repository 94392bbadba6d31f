//! Files behind HTTP and in buckets.
//!
//! The crate `object_store` is asynchronous, and callers are threads. A remote store has one thread of
//! its own that drives all its connections; a caller hands it a request and waits for the answer. Many
//! callers can wait at once, and it does not matter what they themselves run on.

use std::fmt;
use std::future::Future;
use std::ops::Range;
use std::sync::{Arc, mpsc};

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{
    ClientOptions, Error, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore, RetryConfig,
};
use tokio::runtime::{Builder, Runtime};

use crate::address::Place;
use crate::client::{Connector, Trouble, innermost};
use crate::{Patience, StoreError, StoreOptions};

/// A store that is reached over a network.
pub(crate) struct Remote {
    objects: Arc<dyn ObjectStore>,
    prefix: Path,
    address: String,
    listable: bool,
    patience: Patience,
    runtime: Option<Runtime>,
}

/// Which of the versions of a file, and how long it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) length: u64,
    /// The entity tag, or the time of the last change where the server gives none.
    pub(crate) mark: String,
}

/// The parts of a file as they come.
pub(crate) type Parts = BoxStream<'static, object_store::Result<Bytes>>;

impl Version {
    fn of(meta: &ObjectMeta) -> Version {
        let mark = meta.e_tag.clone().unwrap_or_else(|| meta.last_modified.to_rfc3339());
        Version { length: meta.size, mark }
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Does not wait, and so may be dropped by a thread of another runtime.
            runtime.shutdown_background();
        }
    }
}

impl Remote {
    pub(crate) fn open(place: &Place, options: &StoreOptions) -> Result<Remote, StoreError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("langur-store")
            .enable_all()
            .build()
            .map_err(|error| StoreError::Network(error.to_string()))?;
        let connector = Connector::new(options).map_err(StoreError::Network)?;
        let objects = objects(place, connector).map_err(|error| StoreError::Address {
            address: place.address(),
            why: innermost(&error),
        })?;
        let prefix = match place {
            Place::Bucket { prefix, .. } => Path::from(prefix.as_str()),
            _ => Path::default(),
        };
        Ok(Remote {
            objects,
            prefix,
            address: place.address(),
            listable: matches!(place, Place::Bucket { .. }),
            patience: options.patience,
            runtime: Some(runtime),
        })
    }

    pub(crate) fn version(&self, name: &str) -> Result<Version, StoreError> {
        let objects = Arc::clone(&self.objects);
        let path = self.path(name)?;
        let options = GetOptions { head: true, ..GetOptions::default() };
        let found = self.wait(async move { objects.get_opts(&path, options).await });
        let found = found.map_err(|error| self.explain(name, None, &error))?;
        Ok(Version::of(&found.meta))
    }

    /// Bytes of a file, up to its end if the range goes further; and what the server says of the file.
    pub(crate) fn fetch(
        &self,
        name: &str,
        range: Range<u64>,
    ) -> Result<(Version, Bytes), StoreError> {
        let mut failures = 0;
        loop {
            let objects = Arc::clone(&self.objects);
            let path = self.path(name)?;
            let wanted = Some(GetRange::Bounded(range.clone()));
            let options = GetOptions { range: wanted, ..GetOptions::default() };
            let fetched = self.wait(async move {
                let found = objects.get_opts(&path, options).await?;
                Ok::<_, Error>(whole_body(found).await)
            });
            match fetched.map_err(|error| self.explain(name, Some(&range), &error))? {
                Ok(fetched) => return Ok(fetched),
                Err(error) => {
                    failures += 1;
                    self.pause(name, failures, &innermost(&error))?;
                }
            }
        }
    }

    /// The stream of a file from an offset on. The caller asks for the rest when it breaks.
    pub(crate) fn stream(&self, name: &str, from: u64) -> Result<(Version, Parts), StoreError> {
        let objects = Arc::clone(&self.objects);
        let path = self.path(name)?;
        // From the start no range is asked for, so that servers that know none can be read too.
        let range = (from > 0).then_some(GetRange::Offset(from));
        let options = GetOptions { range, ..GetOptions::default() };
        let found = self.wait(async move { objects.get_opts(&path, options).await });
        let found = found.map_err(|error| self.explain(name, None, &error))?;
        Ok((Version::of(&found.meta), found.into_stream()))
    }

    /// Waits after a broken answer, or says that it broke once too often.
    pub(crate) fn pause(&self, name: &str, failures: u32, error: &str) -> Result<(), StoreError> {
        if failures >= self.patience.tries {
            let why = format!("the answer broke off ({error})");
            return Err(StoreError::Unreachable { at: self.at(name), why, times: failures });
        }
        let wait = self.patience.wait(name, failures);
        self.wait(async move { tokio::time::sleep(wait).await });
        Ok(())
    }

    pub(crate) fn list(&self) -> Result<Vec<String>, StoreError> {
        if !self.listable {
            return Err(StoreError::NoListing(self.address.clone()));
        }
        let objects = Arc::clone(&self.objects);
        let prefix = self.prefix.clone();
        let listed = self.wait(async move {
            let mut names = Vec::new();
            let mut listing = objects.list(Some(&prefix));
            while let Some(meta) = listing.next().await {
                let parts = meta?.location;
                if let Some(rest) = parts.prefix_match(&prefix) {
                    names.push(rest.map(|part| part.as_ref().to_owned()).collect::<Vec<_>>());
                }
            }
            Ok::<_, Error>(names)
        });
        let listed = listed.map_err(|error| self.explain("", None, &error))?;
        let mut names: Vec<String> = listed.into_iter().map(|parts| parts.join("/")).collect();
        names.sort();
        Ok(names)
    }

    /// The full address of a file.
    pub(crate) fn at(&self, name: &str) -> String {
        format!("{}{name}", self.address)
    }

    fn path(&self, name: &str) -> Result<Path, StoreError> {
        let name = Path::parse(name).map_err(|_| StoreError::Name(name.to_owned()))?;
        Ok(self.prefix.parts().chain(name.parts()).collect())
    }

    /// Lets the store's own thread do it, and waits.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> T {
        let (sender, receiver) = mpsc::sync_channel(1);
        let runtime = self.runtime.as_ref().expect("a runtime until the store is dropped");
        runtime.spawn(async move {
            let _ = sender.send(work.await);
        });
        receiver.recv().expect("a request that does not panic")
    }

    fn explain(&self, name: &str, range: Option<&Range<u64>>, error: &Error) -> StoreError {
        let at = self.at(name);
        if let Error::NotSupported { .. } = error {
            return StoreError::NoRanges { at };
        }
        match trouble(error) {
            Some(Trouble::Later(wait)) => StoreError::Later { at, seconds: wait.as_secs() },
            Some(Trouble::Moved(to)) => StoreError::Moved { at, to: to.clone() },
            Some(Trouble::Silent { why, times }) => {
                StoreError::Unreachable { at, why: why.clone(), times: *times }
            }
            Some(Trouble::Answered { status, said, times }) => match (status, range) {
                (404 | 410, _) => StoreError::NotThere { at, status: Some(*status) },
                (401 | 403, _) => StoreError::Denied { at, said: said.clone() },
                (416, Some(range)) => {
                    StoreError::PastTheEnd { at, start: range.start, end: range.end, length: None }
                }
                _ => StoreError::Refused { at, said: said.clone(), times: *times },
            },
            None => StoreError::Refused { at, said: innermost(error), times: 1 },
        }
    }
}

/// What says where credentials come from.
const CREDENTIALS: [AmazonS3ConfigKey; 5] = [
    AmazonS3ConfigKey::AccessKeyId,
    AmazonS3ConfigKey::WebIdentityTokenFile,
    AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
    AmazonS3ConfigKey::ContainerCredentialsFullUri,
    AmazonS3ConfigKey::MetadataEndpoint,
];

fn objects(place: &Place, connector: Connector) -> Result<Arc<dyn ObjectStore>, Error> {
    // Asking again is the connector's business.
    let once = RetryConfig { max_retries: 0, ..RetryConfig::default() };
    Ok(match place {
        Place::Bucket { bucket, .. } => {
            let builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
            // A server on this machine or in this room has no certificate. Who names it by http://
            // has allowed that.
            let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint);
            let plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
            let builder = if plain { builder.with_allow_http(true) } else { builder };
            // Who gives no credentials means a public bucket. Otherwise every machine would be taken for
            // one of Amazon's, whose own credentials are asked for at an address that never answers
            // elsewhere.
            let given = CREDENTIALS.iter().any(|key| builder.get_config_value(key).is_some());
            let builder = if given { builder } else { builder.with_skip_signature(true) };
            Arc::new(builder.with_retry(once).with_http_connector(connector).build()?)
        }
        Place::Web(url) => {
            let plain = ClientOptions::new().with_allow_http(true);
            let builder = HttpBuilder::new().with_url(url).with_client_options(plain);
            Arc::new(builder.with_retry(once).with_http_connector(connector).build()?)
        }
        Place::Folder(_) => unreachable!("a folder is not remote"),
    })
}

async fn whole_body(found: GetResult) -> Result<(Version, Bytes), Error> {
    let version = Version::of(&found.meta);
    let expected = found.range.end - found.range.start;
    let mut bytes = BytesMut::new();
    let mut stream = found.into_stream();
    while let Some(part) = stream.next().await {
        bytes.extend_from_slice(&part?);
        if bytes.len() as u64 > expected {
            break;
        }
    }
    if bytes.len() as u64 != expected {
        let short = format!("{} bytes instead of {expected}", bytes.len());
        return Err(Error::Generic { store: "HTTP", source: short.into() });
    }
    Ok((version, bytes.freeze()))
}

fn trouble(error: &Error) -> Option<&Trouble> {
    let mut error: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(cause) = error {
        if let Some(trouble) = cause.downcast_ref::<Trouble>() {
            return Some(trouble);
        }
        error = cause.source();
    }
    None
}
