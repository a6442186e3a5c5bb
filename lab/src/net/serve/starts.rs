//! Schedules the players' starts, and collects the results.

use netclock::session::Host;
use netclock::start::{Proposal, StartResult};
use netclock::{ServerTime, Span};

/// The share of starts that should reach all ready players in time.
const CONFIDENCE: f64 = 0.999;
/// Results are awaited for this long after a start.
const PATIENCE: Span = Span::from_secs(3);

/// News about the server's starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum News {
    /// A start is scheduled.
    Scheduled { version: u32, at: ServerTime, ready: usize, left_behind: u32 },
    /// All results have arrived, or the wait is over.
    Ended(StartResult),
}

/// Schedules starts at intervals.
#[derive(Debug)]
pub(crate) struct Starts {
    /// Time between a start and the proposal of the next one.
    pub(crate) every: Span,
    /// No start is proposed before this time.
    not_before: ServerTime,
    /// The time of the scheduled start.
    under_way: Option<ServerTime>,
}

impl Starts {
    /// Schedules each start this long after the previous one.
    pub(crate) fn new(every: Span, now: ServerTime) -> Self {
        Starts { every, not_before: now + every, under_way: None }
    }

    /// Runs a frame for a host with this many players: proposes a start if one is due, and returns news.
    pub(crate) fn frame(&mut self, host: &mut Host, players: usize, now: ServerTime) -> Option<News> {
        if let Some(at) = self.under_way {
            let result = host.start_result().ok()?;
            let is_over = now > at && (result.fired == result.counted || now - at > PATIENCE);
            return is_over.then(|| {
                host.end_starts();
                (self.under_way, self.not_before) = (None, now + self.every);
                News::Ended(result)
            });
        }
        if now < self.not_before || players == 0 {
            return None;
        }
        match host.propose_start(now, now, CONFIDENCE).ok()? {
            Proposal::Scheduled { at, version, left_behind, .. } => {
                self.under_way = Some(at);
                let ready = players.saturating_sub(left_behind as usize);
                Some(News::Scheduled { version, at, ready, left_behind })
            }
            Proposal::HeldUp { .. } => None,
        }
    }
}
