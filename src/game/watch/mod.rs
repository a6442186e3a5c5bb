//! Detects whether a client's clock runs at the same rate as the server's clock.
//!
//! If a message with the client's timestamp `c` arrives at `s`, `c - s` equals `client - server` minus the
//! delay, so it is a lower bound on `client - server`. If the client had already received a message that the
//! server sent at `h`, then `c - h` is an upper bound. Delay, loss, reordering and duplicates only loosen
//! these bounds. The server's clock must not be stepped, because a step would look like a step of every
//! client's clock. Use [`monotonic_now`](crate::monotonic_now). `docs/theory.md` derives the method.

mod envelope;
mod verdict;

pub use verdict::{RateFinding, RateLevel, RateVerdict, RateWatchConfig, ReportError};

use crate::clock::{ConfigError, LocalTime, ServerTime, Span};
use envelope::{BLOCK_S, BLOCK_TICKS, BLOCKS, Envelope, Rise};

const MS: i64 = 10_000;

/// Maximum age of the client's timestamp and of `heard` when the message leaves. This is about two frames.
const STAMP_AGE: i64 = 50 * MS;

/// Maximum gradual gain that a gradually shorter path may explain.
const SHORTER_PATH: i64 = 40 * MS;

/// Maximum gradual gain that the path may explain if the watch is new, because its minimum delay is unknown
/// and a queue may be draining.
const DRAINING_QUEUE: i64 = 300 * MS;

/// Maximum sudden gain that a path change or the end of a long queue may explain.
const SHORTER_AT_ONCE: i64 = 1_000 * MS;

/// Maximum sudden gain that path changes may explain if the other direction agrees, that is, if one path
/// became shorter and the other longer at the same time.
const BOTH_PATHS: i64 = 100 * MS;

/// Change in delay between two stretches for which the error of the mean rate allows.
const UNSTEADY: i64 = 60 * MS;

/// Number of blocks in a stretch: 16 s without an empty block, in which at least one message took no longer
/// than `max_delay`.
const STRETCH: u8 = 8;

/// Number of blocks after which a finding expires.
const HOLD: u8 = BLOCKS as u8;

/// Unit in which findings are stored (ticks): 0.1 ms.
const UNIT: i64 = 1_000;

/// Represents a missing bound or time.
const NONE: i64 = i64::MIN;

/// Watches the clock of one client. The watch has a fixed size of 240 bytes and does not allocate.
///
/// ```
/// use netclock::watch::{RateLevel, RateWatch, RateWatchConfig};
/// use netclock::{LocalTime, ServerTime, Span};
///
/// let mut watch = RateWatch::new(&RateWatchConfig::default())?;
/// let (mut stamped, mut arrived) = (LocalTime::from_ticks(0), ServerTime::from_ticks(0));
/// for _second in 0..600 {
///     watch.report(stamped, arrived, None)?; // with each message of the player
///     stamped += Span::from_millis(1_020); // its clock is 2 % fast
///     arrived += Span::from_secs(1);
/// }
/// assert!(watch.verdict().worst >= RateLevel::Likely);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RateWatch {
    /// Lower bound on `client - server`, from timestamps and arrivals.
    lower: Envelope,
    /// Negated upper bound on `client - server`, from `heard`.
    upper: Envelope,
    /// Arrival time of the most recent report (server ticks).
    newest: i64,
    /// Reports between these times are ignored (server ticks).
    excused: (i64, i64),
    /// The tightest lower bounds in the current and the first stretch.
    stretch: i64,
    first_stretch: i64,
    /// Gain from the first stretch to the latest, in [`UNIT`]s.
    gained_between: i32,
    /// Number of blocks from the first stretch to the latest.
    blocks_between: u32,
    /// Number of blocks since the latest stretch.
    blocks_since: u32,
    findings: u32,
    /// Time from the start of the current block to the most recent report (ticks).
    into_block: u32,
    /// How much an envelope loosens per block (ticks).
    loosening: i32,
    /// Gain of the most recent finding in [`UNIT`]s, and the part that delays explain in ms.
    gained: i32,
    explained_ms: u16,
    max_delay_ms: u16,
    finding: Option<RateFinding>,
    duration_blocks: u8,
    level: RateLevel,
    worst: RateLevel,
    /// Blocks until the level expires.
    hold: u8,
    /// Number of blocks in the current stretch so far.
    stretch_blocks: u8,
    /// Blocks since the envelopes were reset, at most [`HOLD`].
    age: u8,
    /// Whether any report has contained `heard`.
    hears: bool,
}

impl RateWatch {
    /// Creates an empty watch.
    ///
    /// # Errors
    /// Fails if a setting is out of range.
    pub fn new(config: &RateWatchConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(RateWatch {
            lower: Envelope::EMPTY,
            upper: Envelope::EMPTY,
            newest: NONE,
            excused: (NONE, NONE),
            stretch: NONE,
            first_stretch: NONE,
            gained_between: 0,
            blocks_between: 0,
            blocks_since: 0,
            findings: 0,
            into_block: 0,
            loosening: (config.max_drift_ppm * 1e-6 * BLOCK_TICKS as f64) as i32,
            gained: 0,
            explained_ms: 0,
            max_delay_ms: (config.max_delay.ticks() / MS) as u16,
            finding: None,
            duration_blocks: 0,
            level: RateLevel::Unknown,
            worst: RateLevel::Unknown,
            hold: 0,
            stretch_blocks: 0,
            age: 0,
            hears: false,
        })
    }

    /// Reports a message with the client's timestamp `stamped` that arrived at `arrived`. Take the arrival
    /// timestamp as early as possible.
    ///
    /// `heard` is the send time of the most recent server message that the client had received by then. Pass
    /// it if the transport acknowledges messages, or if the client echoes the server's timestamps. Without
    /// it, only gains are detected early, and only gains beyond `max_delay` can be proven.
    ///
    /// # Errors
    /// Fails if a timestamp is out of range, `arrived` is before an earlier arrival, or `heard` is after
    /// `arrived`.
    pub fn report(
        &mut self,
        stamped: LocalTime,
        arrived: ServerTime,
        heard: Option<ServerTime>,
    ) -> Result<(), ReportError> {
        if !stamped.is_valid() || !arrived.is_valid() || heard.is_some_and(|heard| !heard.is_valid()) {
            return Err(ReportError::StampOutOfRange);
        }
        if let Some(early) = heard.filter(|&heard| heard > arrived) {
            return Err(ReportError::HeardTooEarly(early - arrived));
        }
        let (stamp, at) = (stamped.ticks(), arrived.ticks());
        if at < self.newest {
            return Err(ReportError::WentBackwards(ServerTime::from_ticks(self.newest) - arrived));
        }
        let is_first = self.newest == NONE;
        let since = at.saturating_sub(self.newest);
        self.newest = at;
        if (self.excused.0..=self.excused.1).contains(&at) {
            return Ok(());
        }
        let was_excused = self.excused.1 != NONE && at > self.excused.1;
        if was_excused {
            self.excused = (NONE, NONE);
        }
        if is_first || was_excused {
            self.begin();
            (self.stretch, self.stretch_blocks) = (NONE, 0);
            (self.first_stretch, self.gained_between) = (NONE, 0);
            (self.blocks_between, self.blocks_since) = (0, 0);
            self.into_block = 0;
        } else if self.pass(since) {
            // After such a long silence, drift alone may have raised the envelope considerably.
            self.lower.offer_loose(stamp - at);
            self.age = 0;
        }
        let gains = self.lower.offer(stamp - at);
        let loses = heard.is_some_and(|heard| {
            // The previous upper bound was derived from `max_delay` and cannot be compared with this one.
            if !self.hears {
                self.upper = Envelope::EMPTY;
                self.hears = true;
            }
            // The message left between `heard` and `arrived`. Allow for the drift during this time.
            let drift = (arrived - heard).as_secs_f64() * f64::from(self.loosening) / BLOCK_S;
            self.upper.offer((heard.ticks() - stamp).saturating_sub(drift as i64))
        });
        self.judge(gains, loses);
        Ok(())
    }

    /// Ignores messages that arrive between `from` and `to`. Use this if the client's clock was stopped or
    /// set for a good reason, for example a pause, a level change or a resumed machine. It may be called in
    /// advance or afterwards. After `to`, the watch starts over without earlier observations. Repeated calls
    /// also cover the time between their ranges. Stalls of the client, the server or the network need no
    /// excuse. `to` is the latest time at which a message sent before `from` may arrive.
    ///
    /// # Errors
    /// Fails if `from` or `to` is out of range, or if `to` is before `from`.
    pub fn excuse(&mut self, from: ServerTime, to: ServerTime) -> Result<(), ReportError> {
        if !from.is_valid() || !to.is_valid() {
            return Err(ReportError::StampOutOfRange);
        }
        if to < from {
            return Err(ReportError::WentBackwards(from - to));
        }
        let (from, to) = (from.ticks(), to.ticks());
        let pending = self.excused.1 != NONE;
        self.excused = if pending { (self.excused.0.min(from), self.excused.1.max(to)) } else { (from, to) };
        if from <= self.newest {
            self.settle();
        }
        Ok(())
    }

    /// Returns the current verdict about the client.
    pub fn verdict(&self) -> RateVerdict {
        let (mut mean_ppm, mut mean_error_ppm) = (0.0, f64::INFINITY);
        if self.blocks_between > 0 {
            let between = f64::from(self.blocks_between) * BLOCK_TICKS as f64;
            mean_ppm = f64::from(self.gained_between) * UNIT as f64 / between * 1e6;
            mean_error_ppm = UNSTEADY as f64 / between * 1e6;
        }
        RateVerdict {
            level: self.level,
            worst: self.worst,
            findings: self.findings,
            finding: self.finding,
            gained: Span::from_ticks(i64::from(self.gained) * UNIT),
            explained: Span::from_ticks(i64::from(self.explained_ms) * MS),
            duration: Span::from_ticks(i64::from(self.duration_blocks) * BLOCK_TICKS),
            mean_ppm,
            mean_error_ppm,
        }
    }

    /// Resets both envelopes.
    fn begin(&mut self) {
        (self.lower, self.upper) = (Envelope::EMPTY, Envelope::EMPTY);
        (self.age, self.hears) = (0, false);
    }

    /// Resets the level to plausible when a finding expires or is excused.
    fn settle(&mut self) {
        self.hold = 0;
        if self.level == RateLevel::Proven {
            self.begin();
        }
        if self.level > RateLevel::Plausible {
            self.level = RateLevel::Plausible;
        }
    }

    /// Advances the blocks by `since` ticks, the time since the last report. Returns true if all stored
    /// blocks have expired.
    fn pass(&mut self, since: i64) -> bool {
        let into_block = since.saturating_add(i64::from(self.into_block));
        let count = into_block / BLOCK_TICKS;
        self.into_block = (into_block % BLOCK_TICKS) as u32;
        if count <= 0 {
            return false;
        }
        let blocks = u32::try_from(count).unwrap_or(u32::MAX);
        self.blocks_since = self.blocks_since.saturating_add(blocks);
        self.age = self.age.saturating_add(u8::try_from(count).unwrap_or(u8::MAX)).min(HOLD);
        self.hold = self.hold.saturating_sub(u8::try_from(count).unwrap_or(u8::MAX));
        if self.hold == 0 {
            self.settle();
        }
        if let Some(tightest) = self.lower.this_block() {
            self.stretch = self.stretch.max(tightest);
            self.stretch_blocks += 1;
        }
        let loosening = i64::from(self.loosening);
        self.lower.pass(count as u64, loosening);
        self.upper.pass(count as u64, loosening);
        if self.stretch_blocks == STRETCH {
            self.end_stretch();
        } else if count > 1 {
            (self.stretch, self.stretch_blocks) = (NONE, 0);
        }
        count >= BLOCKS as i64
    }

    /// Ends a stretch. At least one message of the last 16 s took no longer than `max_delay`.
    fn end_stretch(&mut self) {
        let tightest = self.stretch;
        (self.stretch, self.stretch_blocks) = (NONE, 0);
        if self.level == RateLevel::Unknown {
            (self.level, self.worst) = (RateLevel::Plausible, self.worst.max(RateLevel::Plausible));
        }
        if self.first_stretch == NONE {
            self.first_stretch = tightest;
        } else {
            self.blocks_between = self.blocks_between.saturating_add(self.blocks_since);
            self.gained_between = units(tightest.saturating_sub(self.first_stretch));
        }
        self.blocks_since = 0;

        let max_delay = i64::from(self.max_delay_ms) * MS;
        if !self.hears {
            let loosened = max_delay + i64::from(STRETCH) * i64::from(self.loosening);
            self.upper.offer_loose(tightest.saturating_add(loosened).saturating_neg());
        }
        let lost = self.lower.best().map_or(0, |best| best.saturating_sub(tightest));
        if lost > max_delay {
            // This is not a proof, because all messages may have been delayed by this much.
            self.find(RateLevel::Likely, RateFinding::Slow, -lost, max_delay, BLOCKS as i64);
            self.begin();
        }
    }

    /// Evaluates the changes caused by the most recent report.
    fn judge(&mut self, gains: bool, loses: bool) {
        let excess = match (self.lower.best(), self.upper.best()) {
            (Some(lower), Some(upper)) => lower.saturating_add(upper).saturating_sub(STAMP_AGE),
            _ => 0,
        };
        if excess > 0 {
            // Older bounds remain valid, so the proven gain grows while the clock continues to drift.
            let proved = if self.level == RateLevel::Proven { self.gained.saturating_abs() } else { 0 };
            if units(excess) > proved {
                let rise = if loses { self.upper } else { self.lower }.rise(self.notable());
                let (finding, gained) = match (loses && !gains, is_jump(rise)) {
                    (false, false) => (RateFinding::Fast, excess),
                    (false, true) => (RateFinding::Added, excess),
                    (true, false) => (RateFinding::Slow, -excess),
                    (true, true) => (RateFinding::Removed, -excess),
                };
                self.find(RateLevel::Proven, finding, gained, 0, rise.blocks);
            }
            return;
        }
        if gains {
            // If the client's clock gained, the upper bound moves by the same amount. If only the uplink
            // became shorter, it does not.
            let agrees = if self.hears { self.upper.departure() } else { None };
            self.suspect(self.lower, agrees, [RateFinding::Fast, RateFinding::Added], 1);
        }
        if loses {
            self.suspect(self.upper, self.lower.departure(), [RateFinding::Slow, RateFinding::Removed], -1);
        }
    }

    /// Decides whether the clock is the likely cause of the rise of `envelope`. `agrees` is the part of the
    /// rise that the other direction confirms.
    fn suspect(&mut self, envelope: Envelope, agrees: Option<i64>, findings: [RateFinding; 2], sign: i64) {
        // Drift of an honest clock can raise the envelope by up to twice its loosening.
        let drift = 2 * i64::from(self.loosening) * i64::from(self.age.max(1));
        let rise = envelope.rise(self.notable());
        let gained = rise.total - drift;
        if agrees.is_some_and(|by| by < gained / 2) {
            return;
        }
        let is_young = self.age < HOLD;
        let path = if is_young { DRAINING_QUEUE } else { SHORTER_PATH };
        // With large jitter, a shorter path becomes visible only gradually.
        let gradually = rise.largest + path.max(2 * envelope.slack());
        let suddenly = if agrees.is_some() && !is_young {
            BOTH_PATHS.max(4 * envelope.slack())
        } else {
            SHORTER_AT_ONCE
        };
        let explained = gradually.min(suddenly);
        if gained > explained {
            let finding = findings[usize::from(is_jump(rise))];
            self.find(RateLevel::Likely, finding, sign * gained, explained, rise.blocks);
        }
    }

    /// Returns the smallest rise in a block that honest drift cannot explain (ticks).
    fn notable(&self) -> i64 {
        2 * i64::from(self.loosening)
    }

    fn find(&mut self, level: RateLevel, finding: RateFinding, gained: i64, explained: i64, blocks: i64) {
        let blocks = blocks as u8;
        if self.level < level {
            self.findings = self.findings.saturating_add(1);
            self.duration_blocks = blocks;
        } else if self.level > level {
            return;
        } else {
            self.duration_blocks = blocks.max(self.duration_blocks.saturating_add(HOLD - self.hold));
        }
        (self.gained, self.explained_ms) = (units(gained), u16::try_from(explained / MS).unwrap_or(u16::MAX));
        self.finding = Some(finding);
        (self.level, self.worst, self.hold) = (level, self.worst.max(level), HOLD);
    }
}

/// Converts ticks to [`UNIT`]s, saturating.
fn units(ticks: i64) -> i32 {
    i32::try_from(ticks / UNIT).unwrap_or(if ticks < 0 { i32::MIN } else { i32::MAX })
}

/// Returns whether a single message caused most of the rise.
fn is_jump(rise: Rise) -> bool {
    rise.step * 4 > rise.total * 3
}

#[cfg(test)]
mod tests;
