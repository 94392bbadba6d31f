//! Talking to a crawl that runs: a socket in its folder, a line of JSON each way.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use langur_page::Address;
use serde::{Deserialize, Serialize};

use crate::crawl::Message;
use crate::lookout::Lookout;

/// The name of the socket in the run folder.
const SOCKET: &str = "control.sock";

/// A crawl that is busy answers within this time; one that does not has died.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whoever waits for an answer looks this often whether the disk is full.
const LOOK: Duration = Duration::from_millis(500);

/// The longest line that is read.
const LONGEST: u64 = 64 << 20;

/// What a running crawl can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "command", deny_unknown_fields)]
pub enum Command {
    /// Say how it stands.
    Status {
        /// With all hosts that wait, however many they are.
        #[serde(default)]
        all: bool,
    },
    /// Ask nobody for anything until told otherwise.
    Pause,
    /// Go on.
    Resume,
    /// Stop, as Ctrl-C does.
    Stop,
    /// Start from these pages too.
    AddSeeds {
        /// URLs.
        urls: Vec<String>,
    },
    /// Want nothing more from a host, and those below it.
    Block {
        /// Its name.
        host: String,
    },
    /// Take back that a host is blocked.
    Unblock {
        /// Its name.
        host: String,
    },
    /// Ask a host again that was given up, or all of them.
    Retry {
        /// Its name; none for all.
        #[serde(default)]
        host: Option<String>,
    },
}

/// The socket of a crawl. It goes when the crawl does.
pub struct Control {
    path: PathBuf,
}

impl Control {
    /// Listens in a run folder, and passes on what is asked.
    pub fn listen(
        folder: &Path,
        outbox: Sender<Message>,
        lookout: Arc<Lookout>,
    ) -> io::Result<Control> {
        let path = folder.join(SOCKET);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = short(folder, |path| UnixListener::bind(path))?;
        thread::Builder::new().name("control".to_owned()).spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (outbox, lookout) = (outbox.clone(), Arc::clone(&lookout));
                thread::spawn(move || {
                    // Whoever talks nonsense or leaves early is let go.
                    let _ = serve(&stream, &outbox, &lookout);
                });
            }
        })?;
        Ok(Control { path })
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn serve(stream: &UnixStream, outbox: &Sender<Message>, lookout: &Lookout) -> io::Result<()> {
    let mut lines = BufReader::new(io::Read::take(stream, LONGEST));
    let mut line = String::new();
    while lines.read_line(&mut line)? > 0 {
        let answer = match serde_json::from_str(&line) {
            Ok(command) => ask(command, outbox, lookout, PATIENCE)?,
            Err(error) => serde_json::json!({ "error": error.to_string() }).to_string(),
        };
        writeln!(&*stream, "{answer}")?;
        line.clear();
    }
    Ok(())
}

/// Asks the crawl, or while its disk is full the one who looks after it.
pub(crate) fn ask(
    command: Command,
    outbox: &Sender<Message>,
    lookout: &Lookout,
    patience: Duration,
) -> io::Result<String> {
    match (lookout.while_full(), &command) {
        (Some(status), Command::Status { .. }) => return Ok(serde_json::to_string(&status)?),
        (Some(_), _) => {
            let why = "the disk is full, and nothing can be written down: make room first";
            return Ok(serde_json::json!({ "error": why }).to_string());
        }
        (None, _) => {}
    }
    let is_status = matches!(command, Command::Status { .. });
    let (reply, answer) = channel();
    outbox.send(Message::Command(command, reply)).map_err(io::Error::other)?;
    let asked = Instant::now();
    loop {
        match answer.recv_timeout(LOOK.min(patience)) {
            Err(RecvTimeoutError::Timeout) if asked.elapsed() < patience => {}
            answered => return answered.map_err(io::Error::other),
        }
        // The disk may have become full since.
        if let Some(status) = lookout.while_full().filter(|_| is_status) {
            return Ok(serde_json::to_string(&status)?);
        }
    }
}

/// Tells the crawl that runs in a folder something, and gives back its answer; `None` if none runs there.
pub fn tell(folder: &Path, command: &Command) -> io::Result<Option<String>> {
    let stream = match short(folder, |path| UnixStream::connect(path)) {
        Ok(stream) => stream,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    stream.set_read_timeout(Some(PATIENCE))?;
    writeln!(&stream, "{}", serde_json::to_string(command).expect("commands are text"))?;
    let mut answer = String::new();
    BufReader::new(&stream).read_line(&mut answer)?;
    Ok(Some(answer.trim_end().to_owned()))
}

/// The names of sockets are at most about a hundred bytes, and those of folders are not. The system knows every folder
/// that is open by a short name too.
fn short<T>(folder: &Path, socket: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let long = folder.join(SOCKET);
    if long.as_os_str().len() < 100 {
        return socket(&long);
    }
    let open = fs::File::open(folder)?;
    socket(&PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", open.as_raw_fd())))
}

/// The host that somebody names, as it is known by: by its name, with its port, or by a URL on it.
pub fn host_named(text: &str) -> Result<String, String> {
    let text = text.trim();
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_bare = !name.contains("://");
    let url = if is_bare { format!("http://{name}/") } else { name.to_owned() };
    let no_host = || format!("{text:?} is no host: give its name, as in spam.example");
    let is_more = |c: char| c.is_whitespace() || "/?#@\\%".contains(c);
    if is_bare && (name.is_empty() || name.contains(is_more)) {
        return Err(no_host());
    }
    Address::parse(&url).map(|address| address.host.to_string()).map_err(|_| no_host())
}

#[cfg(test)]
mod tests {
    use super::host_named;

    #[test]
    fn hosts_are_named_in_many_ways() {
        for (text, name) in [
            ("spam.example", "spam.example"),
            ("SPAM.example.", "spam.example"),
            (" spam.example:80 ", "spam.example"),
            ("spam.example:8080", "spam.example:8080"),
            ("http://spam.example/", "spam.example"),
            ("https://spam.example:443/a/b?c", "spam.example"),
            ("*.spam.example", "spam.example"),
            ("[::1]:81", "[::1]:81"),
            ("ไทย.example", "xn--o3cw4h.example"),
        ] {
            assert_eq!(host_named(text).as_deref(), Ok(name), "{text}");
        }
        for text in [
            "",
            " ",
            "foo bar",
            "spam.example/",
            "a@b.example",
            "http://",
            "ftp://a.example/",
            "*.",
        ] {
            assert!(host_named(text).is_err(), "{text:?}: {:?}", host_named(text));
        }
    }
}
