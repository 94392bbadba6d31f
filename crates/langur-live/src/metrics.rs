//! A crawl's numbers for Prometheus.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crate::control::{Command, ask};
use crate::crawl::Message;
use crate::lookout::Lookout;
use crate::status::Status;

/// Whoever asks has so long to do so, and the crawl to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest request that is read.
const LONGEST: u64 = 16 << 10;

/// Serves metrics from now on; says at which address, where the port was left open.
pub fn serve(
    listener: TcpListener,
    outbox: Sender<Message>,
    lookout: Arc<Lookout>,
) -> io::Result<SocketAddr> {
    let address = listener.local_addr()?;
    thread::Builder::new().name("metrics".to_owned()).spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // One at a time is enough for whoever collects metrics, and whoever leaves early is let go.
            let _ = answer(&stream, &outbox, &lookout);
        }
    })?;
    Ok(address)
}

fn answer(stream: &TcpStream, outbox: &Sender<Message>, lookout: &Lookout) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(LONGEST));
    let mut request = String::new();
    lines.read_line(&mut request)?;
    let mut line = String::new();
    while lines.read_line(&mut line)? > 2 {
        line.clear();
    }
    let (status, body) = match request.split(' ').nth(1) {
        Some("/metrics" | "/") => ("200 OK", metrics(outbox, lookout)?),
        _ => ("404 Not Found", "metrics are at /metrics\n".to_owned()),
    };
    write!(
        &*stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn metrics(outbox: &Sender<Message>, lookout: &Lookout) -> io::Result<String> {
    let answer = ask(Command::Status { all: false }, outbox, lookout, PATIENCE)?;
    Ok(written(&serde_json::from_str(&answer)?))
}

/// In Prometheus' text format.
pub fn written(status: &Status) -> String {
    let mut text = String::new();
    let mut one = |name: &str, kind: &str, help: &str, values: &[(&str, f64)]| {
        let _ = writeln!(text, "# HELP langur_{name} {help}\n# TYPE langur_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(text, "langur_{name}{labels} {value}");
        }
    };
    let number = |number: u64| number as f64;
    let it = &status.troubles;
    one("fetched_total", "counter", "Visits that were made.", &[("", number(status.fetched))]);
    one("html_total", "counter", "Of these, OK HTML.", &[("", number(status.ok_html))]);
    one("relevant_total", "counter", "Of these, relevant.", &[("", number(status.relevant))]);
    one("received_bytes_total", "counter", "Bytes received.", &[("", number(status.received))]);
    one("seconds_total", "counter", "Seconds at work.", &[("", status.seconds)]);
    one("harvest_ratio", "gauge", "Relevant per fetched.", &[("", status.harvest)]);
    if let Some(recent) = status.recent_harvest {
        let help = "Relevant per fetched, of the last thousand.";
        one("recent_harvest_ratio", "gauge", help, &[("", recent)]);
    }
    one("known_pages", "gauge", "Pages heard of.", &[("", number(status.known))]);
    one("waiting_pages", "gauge", "Pages found and not visited.", &[("", number(status.waiting))]);
    let tiers: Vec<(String, f64)> = status
        .tiers
        .iter()
        .map(|(tier, pages)| (format!("{{tier=\"{tier}\"}}"), number(*pages)))
        .collect();
    let tiers: Vec<(&str, f64)> = tiers.iter().map(|(label, pages)| (&**label, *pages)).collect();
    one("frontier_pages", "gauge", "Pages in the frontier, by tier.", &tiers);
    let help = "Pages of hosts that are given up; they are asked for again if the user wants it.";
    one("given_up_pages", "gauge", help, &[("", number(it.host_given_up))]);
    let hosts = &status.hosts;
    one(
        "hosts",
        "gauge",
        "Hosts by state.",
        &[
            ("{state=\"known\"}", number(hosts.known)),
            ("{state=\"ready\"}", number(hosts.ready)),
            ("{state=\"asked\"}", number(hosts.asked)),
            ("{state=\"waiting\"}", number(hosts.waiting)),
            ("{state=\"given_up\"}", number(hosts.given_up)),
            ("{state=\"relevant\"}", number(hosts.relevant)),
        ],
    );
    one(
        "under_way",
        "gauge",
        "Requests under way.",
        &[("", number(status.under_way.len() as u64))],
    );
    one(
        "troubles_total",
        "counter",
        "What went wrong or was left out, by kind.",
        &[
            ("{kind=\"unanswered\"}", number(it.unanswered)),
            ("{kind=\"refused\"}", number(it.refused)),
            ("{kind=\"postponed\"}", number(it.postponed)),
            ("{kind=\"forbidden\"}", number(it.forbidden)),
            ("{kind=\"over_budget\"}", number(it.over_budget)),
            ("{kind=\"blocked\"}", number(it.blocked)),
            ("{kind=\"out_of_scope\"}", number(it.out_of_scope)),
            ("{kind=\"not_followed\"}", number(it.not_followed)),
            ("{kind=\"trapped\"}", number(it.trapped)),
        ],
    );
    one(
        "running",
        "gauge",
        "Whether it runs, and is not paused or stopping.",
        &[("", number(u64::from(status.phase == "running")))],
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_comment_or_a_number_with_a_name() {
        let status = Status {
            tiers: vec![(0, 5), (3, 1)],
            phase: "running".to_owned(),
            ..Status::default()
        };
        let text = written(&status);
        assert!(text.contains("langur_frontier_pages{tier=\"3\"} 1\n"), "{text}");
        assert!(text.contains("langur_running 1\n"), "{text}");
        for line in text.lines().filter(|line| !line.starts_with("# ")) {
            let (name, value) = line.rsplit_once(' ').expect("a name and a value");
            assert!(name.starts_with("langur_") && value.parse::<f64>().is_ok(), "{line}");
        }
    }
}
