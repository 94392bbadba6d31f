//! The HTTP client under every remote store.
//!
//! `object_store` signs requests and understands answers; how a request reaches the server is left to
//! a connector, which is ours for three reasons. TLS is rustls with ring. A redirect to another host
//! is not followed, for what lies there is another source than the one that was named. And a server
//! that answers "busy" is asked again when it said it would be free, which only the one who sees the
//! answer's headers can know.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use reqwest::redirect;
use rustls_platform_verifier::BuilderVerifierExt;
use thiserror::Error;

use crate::{Patience, StoreOptions};

/// What came instead of an answer, after all tries. Found again in the errors of `object_store`, which
/// pass it on.
#[derive(Clone, Debug, Error)]
pub(crate) enum Trouble {
    #[error("{status} {said}")]
    Answered { status: u16, said: String, times: u32 },
    #[error("wait {}", .0.as_secs())]
    Later(Duration),
    #[error("moved to {0}")]
    Moved(String),
    #[error("{why}")]
    Silent { why: String, times: u32 },
}

/// Makes the client for `object_store`.
#[derive(Clone, Debug)]
pub(crate) struct Connector {
    client: reqwest::Client,
    patience: Patience,
    on_wait: fn(&str),
}

impl Connector {
    pub(crate) fn new(options: &StoreOptions) -> Result<Connector, String> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_platform_verifier())
            .map_err(|error| error.to_string())?
            .with_no_client_auth();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(redirect::Policy::custom(within_the_host))
            .connect_timeout(options.silence)
            .read_timeout(options.silence)
            .user_agent(concat!("langur/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| innermost(&error))?;
        Ok(Connector { client, patience: options.patience, on_wait: options.on_wait })
    }
}

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let Connector { client, patience, on_wait } = self.clone();
        Ok(HttpClient::new(Persistent { client, patience, on_wait }))
    }
}

fn within_the_host(attempt: redirect::Attempt) -> redirect::Action {
    let Some(from) = attempt.previous().last() else { return attempt.stop() };
    let to = attempt.url();
    let same = from.host_str() == to.host_str();
    let kept = from.scheme() == to.scheme() && from.port() == to.port();
    let secured = from.scheme() == "http" && to.scheme() == "https";
    if same && (kept || secured) && attempt.previous().len() < 5 {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// Whoever waits longer than this for an answer wants to know why.
const LONG: Duration = Duration::from_secs(5);

/// Asks again as often as its patience allows.
#[derive(Debug)]
struct Persistent {
    client: reqwest::Client,
    patience: Patience,
    on_wait: fn(&str),
}

#[async_trait]
impl HttpService for Persistent {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let what = request.uri().to_string();
        let mut times = 0;
        loop {
            times += 1;
            let began = Instant::now();
            let last = times >= self.patience.tries;
            let (wait, why) = match self.client.call(request.clone()).await {
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) if is_passing(response.status()) && !last => {
                    let wait = match retry_after(response.headers()) {
                        None => self.patience.wait(&what, times),
                        Some(told) => self
                            .patience
                            .told(&what, times, told)
                            .ok_or_else(|| gave_up(Trouble::Later(told)))?,
                    };
                    (wait, format!("answered {}", response.status().as_u16()))
                }
                Ok(response) => return Err(gave_up(refusal(response, times).await)),
                Err(error) if !last => {
                    (self.patience.wait(&what, times), format!("failed ({})", innermost(&error)))
                }
                Err(error) => {
                    return Err(gave_up(Trouble::Silent { why: innermost(&error), times }));
                }
            };
            if times > 1 || began.elapsed() > LONG {
                let seconds = wait.as_secs_f64();
                (self.on_wait)(&format!("{what} {why}; asking again in {seconds:.1} s"));
            }
            tokio::time::sleep(wait).await;
        }
    }
}

/// An error that `object_store` passes on and does not act upon.
fn gave_up(trouble: Trouble) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, trouble)
}

fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

/// How long the server asks to wait: seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

async fn refusal(response: HttpResponse, times: u32) -> Trouble {
    let (parts, body) = response.into_parts();
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    if parts.status.is_redirection() {
        if let Some(region) = text("x-amz-bucket-region") {
            return Trouble::Moved(format!("region {region}: set AWS_REGION={region}"));
        }
        if let Some(to) = text("location") {
            return Trouble::Moved(to.to_owned());
        }
    }
    // Error pages are short, unless someone means ill.
    let page = Limited::new(body, 1 << 16).collect().await.map(|page| page.to_bytes());
    let page = String::from_utf8_lossy(page.as_deref().unwrap_or_default()).into_owned();
    let reason = parts.status.canonical_reason().unwrap_or("an unknown status");
    let said = match code(&page) {
        Some(code) => format!("{} {reason}, {code}", parts.status.as_u16()),
        None => format!("{} {reason}", parts.status.as_u16()),
    };
    Trouble::Answered { status: parts.status.as_u16(), said, times }
}

/// The code in an error of S3: `<Error><Code>NoSuchBucket</Code>…`.
fn code(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    code.bytes().all(|b| b.is_ascii_alphanumeric()).then_some(code)
}

/// The last cause of an error: the one that says what happened.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
