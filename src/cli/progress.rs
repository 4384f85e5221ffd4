//! Progress on stderr: a bar where stderr is a terminal, else nothing or a line now and then.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

const TEMPLATE: &str = "{bar:40} {pos}/{len}  {msg}  {eta} left";

/// Time between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// A bar of so many steps that goes away when done. Print through [`ProgressBar::suspend`].
pub fn bar(steps: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps as u64).with_style(style)
}

/// Progress of a job that may take hours: without a terminal it says a line a minute.
pub struct LongJob {
    bar: ProgressBar,
    last_line: Instant,
}

impl LongJob {
    /// A job of so many steps of which some are done already.
    pub fn new(steps: u64, done: u64) -> LongJob {
        LongJob { bar: bar(steps as usize).with_position(done), last_line: Instant::now() }
    }

    /// One step more.
    pub fn step(&mut self, message: String) {
        self.advance(1, message);
    }

    /// So many steps more.
    pub fn advance(&mut self, steps: u64, message: String) {
        self.bar.inc(steps);
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let (done, steps) = (self.bar.position(), self.bar.length().unwrap_or(0));
            eprintln!("{done}/{steps}  {message}");
        }
        self.bar.set_message(message);
    }

    /// Clears the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
