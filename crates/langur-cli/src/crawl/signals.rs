//! What ends a crawl from outside: Ctrl-C, a polite kill, a terminal that is closed.

use std::thread;
use std::time::Duration;

use anyhow::Result;
use langur_live::{LiveCrawl, Message};
use tokio::signal::unix::{SignalKind, signal};

use super::live::{LogFormat, quoted};

/// The first signal stops the crawl cleanly; the second ends it at once, which loses nothing either. So does the first
/// if the disk is full, for then nothing can be finished.
pub fn stop_on_signals(live: &LiveCrawl, log: LogFormat) -> Result<()> {
    let (outbox, lookout) = (live.outbox(), live.lookout());
    let resume = format!("go on with: langur resume {}", quoted(live.folder()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut interrupt, mut terminate, hang_up) = {
        let _inside = runtime.enter();
        let hang_up = if are_ignored(libc::SIGHUP) { None } else { Some(SignalKind::hangup()) };
        let of = |kind| signal(kind);
        (of(SignalKind::interrupt())?, of(SignalKind::terminate())?, hang_up.map(of).transpose()?)
    };
    thread::spawn(move || {
        // The terminal was closed, or the connection to it has ended. That may be said twice.
        if let Some(mut hang_up) = hang_up {
            let outbox = outbox.clone();
            runtime.spawn(async move {
                while hang_up.recv().await.is_some() {
                    let _ = outbox.send(Message::Stop);
                }
            });
        }
        // Whether there was a signal in this time.
        let mut comes_within = |time: Duration| {
            runtime.block_on(async {
                tokio::select! {
                    _ = interrupt.recv() => true,
                    _ = terminate.recv() => true,
                    () = tokio::time::sleep(time) => false,
                }
            })
        };
        while !comes_within(Duration::from_secs(3600)) {}
        log.tell("stopping; requests under way are finished (once more to stop at once)");
        // If nobody listens any more, it has stopped.
        let _ = outbox.send(Message::Stop);
        while !comes_within(Duration::from_secs(1)) {
            if lookout.while_full().is_some() {
                log.tell("the disk is full: stopped at once, which loses nothing");
                break;
            }
        }
        log.tell(&resume);
        std::process::exit(130);
    });
    Ok(())
}

/// Whether whoever started us wants such signals to be ignored, as `nohup` does.
fn are_ignored(signal: libc::c_int) -> bool {
    // SAFETY: an all-zero sigaction is a valid one, and the system only writes into it.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}
