//! The web on loopback in a process of its own, so that its memory is nobody else's and the crawl and the bare client
//! share the machine with it alike.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result};
use langur_loopback::{Charsets, Links, LoopbackServer, PageOptions, Pages, ServerOptions};
use langur_sim::Space;

/// A server in a process of its own. It ends when dropped.
pub struct ServerProcess {
    process: Child,
    pub address: SocketAddr,
}

impl ServerProcess {
    /// Serves a web space.
    pub fn start(space: &Path, page_bytes: usize) -> Result<ServerProcess> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["bench", "live", "--page-bytes", &page_bytes.to_string(), "--serve"]);
        let mut process =
            command.arg(space).stdout(Stdio::piped()).stdin(Stdio::piped()).spawn()?;
        let output = process.stdout.take().context("a process has an output")?;
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        let address = read.map_err(anyhow::Error::from).and_then(|_| Ok(line.trim().parse()?));
        match address {
            Ok(address) => Ok(ServerProcess { process, address }),
            Err(error) => {
                let _ = process.kill();
                Err(error).context("the web on loopback did not say where it is")
            }
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // If it has ended by itself, there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves a web space and says where, until the input ends: whoever started this is gone then.
pub fn serve(space: &Path, listen: SocketAddr, page_bytes: usize) -> Result<()> {
    let options = PageOptions {
        longest: page_bytes,
        robots: Some("User-agent: *\nAllow: /\n".to_owned()),
        links: Links::ToHtml,
        charsets: Charsets::Utf8,
    };
    let pages = Pages::new(Arc::new(Space::open(space)?), options);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = ServerOptions { listen, threads, record: false };
    let server = LoopbackServer::start(pages, &options)
        .with_context(|| format!("cannot listen on {listen}"))?;
    println!("{}", server.address());
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}
