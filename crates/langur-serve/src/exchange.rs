//! One request and its answer.

use std::net::IpAddr;
use std::sync::Arc;

use http::{HeaderMap, Method, StatusCode, header};
use xxhash_rust::xxh3::Xxh3;

use crate::answer::Answers;
use crate::asked::{Asked, NotAsked};
use crate::conditions::{Conditions, Failure};
use crate::log::{LogWriter, Row};
use crate::reply::Reply;
use crate::robots::Rules;
use crate::traffic::{Arrival, Traffic};

/// Characters of a user agent that are kept.
const USER_AGENT: usize = 256;

/// All that answers are made of.
pub(crate) struct Exchange {
    pub answers: Arc<dyn Answers>,
    pub conditions: Conditions,
    pub traffic: Arc<Traffic>,
    pub robots: Rules,
    pub log: Option<LogWriter>,
}

/// A request as far as answers depend on it.
pub(crate) struct Request {
    pub method: Method,
    pub asked: Result<Asked, NotAsked>,
    /// What stands in the request where the URL should be, for the log.
    pub as_sent: String,
    pub client: Client,
}

/// Who asks.
pub(crate) struct Client {
    /// The same for the same address and user agent.
    pub id: String,
    pub user_agent: String,
}

/// What comes of a request.
pub(crate) enum Outcome {
    Reply(Reply),
    /// The connection is closed without an answer.
    Closed,
}

/// An outcome, and whether it comes from the archive.
struct Decided {
    outcome: Outcome,
    archived: bool,
}

/// What a request does wrong.
#[derive(Clone, Copy, Default)]
struct Faults {
    too_soon: bool,
    too_many: bool,
    disallowed: bool,
}

impl Client {
    pub fn read(peer: IpAddr, headers: &HeaderMap) -> Client {
        let user_agent = headers.get(header::USER_AGENT).map_or(&b""[..], |agent| agent.as_bytes());
        let user_agent = String::from_utf8_lossy(user_agent).chars().take(USER_AGENT).collect();
        let mut hash = Xxh3::new();
        hash.update(peer.to_string().as_bytes());
        hash.update(b"\n");
        hash.update(String::as_bytes(&user_agent));
        Client { id: format!("{:08x}", hash.digest() >> 32), user_agent }
    }
}

impl Request {
    pub fn host(&self) -> &str {
        self.asked.as_ref().map_or("", |asked| &asked.host)
    }
}

impl Exchange {
    /// Decides on the answer and logs the request. Waits for the archive and for the log.
    pub fn answer(&self, request: &Request, arrival: &Arrival) -> Outcome {
        let faults = self.faults(request, arrival);
        let decided = self.decide(request, arrival, faults);
        let row = row(request, arrival, faults, &decided);
        match self.log.as_ref().map_or(Ok(()), |log| log.write(&row)) {
            Ok(()) => decided.outcome,
            // An answer that the log does not know of would make every score wrong.
            Err(error) => Outcome::Reply(broken("log-error", &error.to_string())),
        }
    }

    /// Logs a request of which nothing could be read, and that was refused.
    pub fn log_unread(&self, peer: IpAddr, status: StatusCode) {
        let client = Client::read(peer, &HeaderMap::new());
        let arrival = self.traffic.arrive(&client.id, "");
        let row = Row {
            number: arrival.number,
            at_ms: arrival.at_ms,
            client: client.id,
            method: String::new(),
            url: String::new(),
            host: String::new(),
            status: status.as_u16(),
            bytes: 0,
            archived: false,
            user_agent: client.user_agent,
            since_ms: None,
            concurrent: arrival.concurrent,
            too_soon: false,
            too_many: false,
            disallowed: false,
        };
        if let Some(log) = &self.log {
            // It was answered already, and the next answer says that the log cannot be written.
            let _ = log.write(&row);
        }
    }

    fn faults(&self, request: &Request, arrival: &Arrival) -> Faults {
        let Ok(asked) = &request.asked else { return Faults::default() };
        let (answers, agent) = (&*self.answers, &request.client.user_agent);
        Faults {
            too_soon: self.conditions.manners.too_soon(arrival.since_ms),
            too_many: self.conditions.manners.too_many(arrival.concurrent),
            disallowed: self.robots.forbid(answers, asked, agent),
        }
    }

    fn decide(&self, request: &Request, arrival: &Arrival, faults: Faults) -> Decided {
        let asked = match &request.asked {
            Ok(asked) => asked,
            Err(error) => return own(StatusCode::BAD_REQUEST, "bad-request", &error.to_string()),
        };
        if request.method != Method::GET && request.method != Method::HEAD {
            let reply = Reply::own(
                StatusCode::METHOD_NOT_ALLOWED,
                "method-not-allowed",
                "an archive answers GET and HEAD",
            );
            let allow = header::HeaderValue::from_static("GET, HEAD");
            return Decided::own(Outcome::Reply(reply.with(header::ALLOW, allow)));
        }
        let manners = &self.conditions.manners;
        if manners.refuse && (faults.too_soon || faults.too_many) {
            let reply = Reply::own(StatusCode::TOO_MANY_REQUESTS, "slow-down", "not so fast");
            let wait = manners.retry_after(arrival.since_ms);
            return Decided::own(Outcome::Reply(reply.with(header::RETRY_AFTER, wait)));
        }
        if asked.url != asked.robots_txt() && self.conditions.fails(&asked.url) {
            return match self.conditions.failure {
                Failure::Closed => Decided::own(Outcome::Closed),
                Failure::Unavailable => {
                    let why = "this URL was chosen to fail";
                    own(StatusCode::SERVICE_UNAVAILABLE, "failure", why)
                }
            };
        }
        self.archived(&asked.url)
    }

    fn archived(&self, url: &str) -> Decided {
        match self.answers.answer(url) {
            Ok(Some(answer)) => match Reply::archived(answer) {
                Ok(reply) => Decided { outcome: Outcome::Reply(reply), archived: true },
                Err(why) => Decided::own(Outcome::Reply(broken("archive-error", &why))),
            },
            Ok(None) => {
                let why = format!("not in this archive: {url}");
                own(StatusCode::NOT_FOUND, "not-archived", &why)
            }
            Err(why) => Decided::own(Outcome::Reply(broken("archive-error", &why))),
        }
    }
}

impl Decided {
    fn own(outcome: Outcome) -> Decided {
        Decided { outcome, archived: false }
    }
}

fn own(status: StatusCode, what: &'static str, why: &str) -> Decided {
    Decided::own(Outcome::Reply(Reply::own(status, what, why)))
}

/// The answer when there is none because something is broken here.
pub(crate) fn broken(what: &'static str, why: &str) -> Reply {
    Reply::own(StatusCode::BAD_GATEWAY, what, why)
}

fn row(request: &Request, arrival: &Arrival, faults: Faults, decided: &Decided) -> Row {
    let (status, bytes) = match &decided.outcome {
        Outcome::Reply(reply) if request.method == Method::HEAD => (reply.status.as_u16(), 0),
        Outcome::Reply(reply) => (reply.status.as_u16(), reply.body.len() as u64),
        Outcome::Closed => (0, 0),
    };
    let url = request.asked.as_ref().map_or(&request.as_sent, |asked| &asked.url);
    Row {
        number: arrival.number,
        at_ms: arrival.at_ms,
        client: request.client.id.clone(),
        method: request.method.to_string(),
        url: url.clone(),
        host: request.host().to_owned(),
        status,
        bytes,
        archived: decided.archived,
        user_agent: request.client.user_agent.clone(),
        since_ms: arrival.since_ms,
        concurrent: arrival.concurrent,
        too_soon: faults.too_soon,
        too_many: faults.too_many,
        disallowed: faults.disallowed,
    }
}
