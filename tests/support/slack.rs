//! What a bound on time has to allow on a machine that others use too.

use std::time::{Duration, Instant};

/// How long other programs keep a busy thread from the processor now: what a bound on time has to
/// allow on top.
pub fn slack() -> Duration {
    let start = Instant::now();
    let (mut last, mut longest) = (start, Duration::ZERO);
    while start.elapsed() < Duration::from_millis(200) {
        let now = Instant::now();
        longest = longest.max(now - last);
        last = now;
    }
    2 * longest
}
