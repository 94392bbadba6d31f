//! Showing that long work goes on: bars on a terminal, a plain line now and then otherwise.

use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::table::count;

/// Between plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Bars for work that goes on at the same time.
pub struct Bars {
    bars: MultiProgress,
    terminal: bool,
}

impl Bars {
    pub fn new() -> Bars {
        let terminal = std::io::stderr().is_terminal();
        Bars {
            bars: MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8)),
            terminal,
        }
    }

    /// A bar for one piece of work; its length is 0 if nobody knows it.
    pub fn bar(&self, name: &str, length: u64) -> Bar {
        let style = match length {
            0 => "{prefix:<36!} {human_pos:>11} {per_sec:>14} {elapsed:>5}",
            _ => "{prefix:<36!} {bar:24} {human_pos:>11}/{human_len} {per_sec:>14} {eta:>5}",
        };
        let bar = if self.terminal {
            self.bars.add(ProgressBar::new(length))
        } else {
            ProgressBar::hidden()
        };
        bar.set_style(
            ProgressStyle::with_template(style)
                .expect("a sound template")
                .with_key("per_sec", |state: &ProgressState, into: &mut dyn fmt::Write| {
                    let _ = match state.per_sec() {
                        slow @ ..10.0 => write!(into, "{slow:.1}/s"),
                        rate => write!(into, "{}/s", count(rate as u64)),
                    };
                })
                .progress_chars("━╸ "),
        );
        bar.set_prefix(name.to_owned());
        let (began, spoke) = (Instant::now(), AtomicU64::new(0));
        Bar { bar, name: name.to_owned(), length, terminal: self.terminal, began, spoke }
    }
}

/// One bar.
pub struct Bar {
    bar: ProgressBar,
    name: String,
    length: u64,
    terminal: bool,
    began: Instant,
    /// How many plain lines there should have been by now.
    spoke: AtomicU64,
}

impl Bar {
    pub fn set(&self, position: u64) {
        if self.terminal {
            self.bar.set_position(position);
            return;
        }
        let due = self.began.elapsed().as_secs() / PLAIN_INTERVAL.as_secs();
        if self.spoke.fetch_max(due, Ordering::Relaxed) < due {
            let rate = position as f64 / self.began.elapsed().as_secs_f64();
            if self.length == 0 {
                eprintln!("{}: {position} ({rate:.0}/s)", self.name);
                return;
            }
            let left = (self.length.saturating_sub(position)) as f64 / rate.max(1.0);
            eprintln!(
                "{}: {position} of {} ({rate:.0}/s, {left:.0} s left)",
                self.name, self.length
            );
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
