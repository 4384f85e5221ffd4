//! Counting nodes, and the look now and then at the clock and at the flag that says stop.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::limits::SearchEvent;
use super::node::Search;
use super::options::Level;
use super::time::TimeManager;

/// Most nodes between two looks at the clock, and at the flag that says stop.
const LOOK_INTERVAL: u64 = 512;

/// Time between two looks that is short enough. The first touch of a huge page of the hash table can
/// take a millisecond, so that the interval has to follow how fast the nodes go.
const LOOK_TIME: Duration = Duration::from_millis(1);

impl Search<'_> {
    /// Counts a node and looks now and then whether to stop. True when the search is over.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.shared.nodes[self.thread].0.store(self.nodes, Relaxed);
        if self.nodes >= self.next_look || self.shared.limits.nodes.is_some() {
            self.look_at_limits();
        }
        self.stopped
    }

    #[cold]
    fn look_at_limits(&mut self) {
        let shared = self.shared;
        self.stopped |= shared.is_stopped();
        let total = if shared.nodes.len() == 1 { self.nodes } else { shared.total_nodes() };
        // The limit counts the nodes searched; this one would be one too many.
        if shared.limits.nodes.is_some_and(|limit| total > limit) {
            self.stopped = true;
        }
        if self.nodes < self.next_look {
            return;
        }
        self.plan_next_look();
        let Some(lead) = &mut self.lead else { return };
        let pondering = shared.signals.is_pondering();
        if lead.was_pondering && !pondering {
            lead.was_pondering = false;
            if let Some(time) = &mut lead.time {
                time.restart();
            }
        }
        if !pondering
            && !shared.limits.infinite
            && lead.time.as_ref().is_some_and(TimeManager::is_over)
        {
            self.stopped = true;
        }
        if lead.last_sign_of_life.elapsed() >= Duration::from_secs(1) {
            lead.last_sign_of_life = Instant::now();
            (lead.on_event)(SearchEvent::Progress {
                nodes: total,
                elapsed: shared.start.elapsed(),
                hashfull: shared.table.hashfull(),
            });
        }
    }

    /// Sets when to look again, after the sleep that the option `idle` asks for.
    fn plan_next_look(&mut self) {
        let worked = self.last_look.elapsed();
        self.look_interval = match worked {
            time if time > LOOK_TIME => 1,
            _ => (self.look_interval + self.look_interval / 4 + 1).min(LOOK_INTERVAL),
        };
        self.next_look = self.nodes + self.look_interval;
        self.leave_time_to_others(worked);
        self.last_look = Instant::now();
    }

    /// Sleeps for a share of the time it has worked, as the option `idle` says.
    fn leave_time_to_others(&self, worked: Duration) {
        let rest = match self.shared.options.idle {
            Level::None => return,
            Level::Small => 1,
            Level::Medium => 3,
            Level::Large => 9,
        };
        // Three parts of work to one, three or nine of sleep.
        std::thread::sleep((worked * rest / 3).min(Duration::from_millis(20)));
    }
}
