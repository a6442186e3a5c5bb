//! Detects whether a client's clock runs at the same rate as the server's clock.
//!
//! If a message with the client's timestamp `c` arrives at `s`, then `c - s` equals `client - server` minus
//! the delay. This makes `c - s` a lower bound on `client - server`. If the client had already received a
//! message that the server sent at `h`, then `c - h` is an upper bound. Delay, loss, reordering and
//! duplicates only loosen these bounds. The server must use a clock that is never stepped, such as
//! [`monotonic_now`](crate::monotonic_now). Otherwise, every client's clock would seem to step.
//! `docs/theory.md` derives the method.

mod envelope;
mod packed;
mod verdict;

pub use verdict::{RateFinding, RateLevel, RateVerdict, ReportError};

use crate::clock::{LocalTime, ServerTime, Span};
use envelope::{BLOCK, BLOCKS, Envelope, Rise};
use packed::{Packed, Short};

/// How much two honest clocks drift apart in a block at 200 ppm. This rate includes the errors of both
/// crystals and adjustments by operating systems.
const LOOSENING: Span = Span::from_ticks(BLOCK.ticks() * 200 / 1_000_000);

/// Maximum delay of the fastest message in any 16 s. Delay cannot explain a larger gain or loss than this.
const MAX_DELAY: Span = Span::from_secs(5);

/// Maximum age of the client's timestamp and of `heard` when a message is sent (about two frames).
const STAMP_AGE: Span = Span::from_millis(50);

/// A path that gradually gets shorter can look like a gradual gain of up to this much.
const SHORTER_PATH: Span = Span::from_millis(40);

/// Replaces [`SHORTER_PATH`] in a new watch, because the minimum delay is unknown and may include a draining
/// queue.
const DRAINING_QUEUE: Span = Span::from_millis(300);

/// A path change or the end of a long queue can look like a sudden gain of up to this much.
const SHORTER_AT_ONCE: Span = Span::from_secs(1);

/// Path changes may explain this much of a sudden gain even if the other direction confirms the gain. One
/// path could become shorter while the other becomes longer.
const BOTH_PATHS: Span = Span::from_millis(100);

const UNSTEADY: Span = Span::from_millis(60);

/// Number of blocks in a stretch of 16 s. We require that no block in a stretch is empty and at least one
/// message takes at most [`MAX_DELAY`].
const STRETCH: u8 = 8;

const HOLD: u8 = BLOCKS as u8;

/// Spans of up to 59 h in units of 0.1 ms.
type Tenths = Short<1_000>;

/// Spans of up to 214 s in units of one tick.
type Ticks = Short<1>;

#[derive(Clone, Copy, Debug)]
struct Finding {
    kind: RateFinding,
    gained: Tenths,
    explained: Tenths,
    duration_blocks: u16,
}

/// Watches the clock of one client. The watch has a fixed size of 240 bytes and does not allocate.
///
/// ```
/// use netclock::watch::{RateLevel, RateWatch};
/// use netclock::{LocalTime, ServerTime, Span};
///
/// let mut watch = RateWatch::default();
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
    /// A lower bound on `client - server`, from timestamps and arrival times.
    lower: Envelope,
    /// The negative of an upper bound on `client - server`, from `heard`.
    upper: Envelope,
    newest: Option<Packed>,
    excused: Option<(Packed, Packed)>,
    stretch: Option<Packed>,
    first_stretch: Option<Packed>,
    gained_between: Tenths,
    blocks_between: u32,
    blocks_since: u32,
    findings: u32,
    into_block: Ticks,
    finding: Option<Finding>,
    level: RateLevel,
    worst: RateLevel,
    hold: u8,
    stretch_blocks: u8,
    age: u8,
    hears: bool,
}

impl Default for RateWatch {
    fn default() -> Self {
        RateWatch {
            lower: Envelope::default(),
            upper: Envelope::default(),
            newest: None,
            excused: None,
            stretch: None,
            first_stretch: None,
            gained_between: Span::ZERO.into(),
            blocks_between: 0,
            blocks_since: 0,
            findings: 0,
            into_block: Span::ZERO.into(),
            finding: None,
            level: RateLevel::Unknown,
            worst: RateLevel::Unknown,
            hold: 0,
            stretch_blocks: 0,
            age: 0,
            hears: false,
        }
    }
}

impl RateWatch {
    /// Reports a message received at `arrived` with the client's timestamp `stamped`. Take the arrival
    /// timestamp as early as possible.
    ///
    /// `heard` is the send time of the latest server message that the client had received at `stamped`. Pass
    /// it if the transport acknowledges messages or the client echoes the server's timestamps. Without
    /// `heard`, the watch cannot detect early that a clock loses time, and can prove only gains beyond 5 s.
    ///
    /// # Errors
    /// Fails if a timestamp is out of range, `arrived` is earlier than in a previous report, or `heard` is
    /// after `arrived`.
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
        let since = match self.newest.map(|newest| ServerTime::from_ticks(Span::from(newest).ticks())) {
            Some(newest) if arrived < newest => return Err(ReportError::WentBackwards(newest - arrived)),
            newest => newest.map(|newest| arrived - newest),
        };
        let at = Packed::at(arrived);
        self.newest = Some(at);
        if self.excused.is_some_and(|(from, to)| (from..=to).contains(&at)) {
            return Ok(());
        }
        let was_excused = self.excused.take_if(|excused| at > excused.1).is_some();
        let bound = Span::from_ticks(stamped.ticks() - arrived.ticks());
        match since.filter(|_| !was_excused) {
            None => {
                self.begin();
                (self.stretch, self.stretch_blocks, self.first_stretch) = (None, 0, None);
                (self.gained_between, self.blocks_between, self.blocks_since) = (Span::ZERO.into(), 0, 0);
                self.into_block = Span::ZERO.into();
            }
            Some(since) => {
                if self.pass(since) {
                    // After such a long silence, drift alone may explain a large rise.
                    self.lower.offer_loose(bound);
                    self.age = 0;
                }
            }
        }
        let gains = self.lower.offer(bound);
        let loses = heard.is_some_and(|heard| {
            // Earlier upper bounds were derived from [`MAX_DELAY`], so they are not comparable.
            if !self.hears {
                self.upper = Envelope::default();
                self.hears = true;
            }
            // The message left at some time after `heard`, so allow for the drift since then.
            let blocks = (arrived - heard).as_secs_f64() / BLOCK.as_secs_f64();
            let drift = Span::from_ticks((blocks * LOOSENING.ticks() as f64) as i64);
            self.upper.offer(Span::from_ticks(heard.ticks() - stamped.ticks()) - drift)
        });
        self.judge(gains, loses);
        Ok(())
    }

    /// Ignores messages that arrive between `from` and `to`. Use this if the client's clock was legitimately
    /// stopped or set, for example because of a pause, a level change or a suspended machine. You can call
    /// this before or after the clock changes. After `to`, the watch starts over without earlier
    /// observations. Repeated calls are merged into one range, which also covers the time between them.
    /// Stalls of the client, the server or the network need no excuse. Choose `to` late enough that no
    /// message from before the change arrives after `to`.
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
        let (from, to) = (Packed::at(from), Packed::at(to));
        let pending = self.excused.unwrap_or((from, to));
        self.excused = Some((pending.0.min(from), pending.1.max(to)));
        if self.newest.is_some_and(|newest| from <= newest) {
            self.settle();
        }
        Ok(())
    }

    /// Returns the current verdict on the client's clock.
    pub fn verdict(&self) -> RateVerdict {
        let (mut mean_ppm, mut mean_error_ppm) = (0.0, f64::INFINITY);
        if self.blocks_between > 0 {
            let between = f64::from(self.blocks_between) * BLOCK.as_secs_f64();
            mean_ppm = Span::from(self.gained_between).as_secs_f64() / between * 1e6;
            mean_error_ppm = UNSTEADY.as_secs_f64() / between * 1e6;
        }
        let found = |of: fn(Finding) -> Span| self.finding.map_or(Span::ZERO, of);
        RateVerdict {
            level: self.level,
            worst: self.worst,
            findings: self.findings,
            finding: self.finding.map(|finding| finding.kind),
            gained: found(|it| it.gained.into()),
            explained: found(|it| it.explained.into()),
            duration: found(|it| Span::from_ticks(i64::from(it.duration_blocks) * BLOCK.ticks())),
            mean_ppm,
            mean_error_ppm,
        }
    }

    fn begin(&mut self) {
        (self.lower, self.upper) = (Envelope::default(), Envelope::default());
        (self.age, self.hears) = (0, false);
    }

    fn settle(&mut self) {
        self.hold = 0;
        if self.level == RateLevel::Proven {
            self.begin();
        }
        if self.level > RateLevel::Plausible {
            self.level = RateLevel::Plausible;
        }
    }

    fn pass(&mut self, since: Span) -> bool {
        let into_block = Span::from(self.into_block) + since;
        let blocks = u32::try_from(into_block.ticks() / BLOCK.ticks()).unwrap_or(u32::MAX);
        self.into_block = Span::from_ticks(into_block.ticks() % BLOCK.ticks()).into();
        if blocks == 0 {
            return false;
        }
        self.blocks_since = self.blocks_since.saturating_add(blocks);
        let passed = u8::try_from(blocks).unwrap_or(u8::MAX);
        self.age = self.age.saturating_add(passed).min(HOLD);
        self.hold = self.hold.saturating_sub(passed);
        if self.hold == 0 {
            self.settle();
        }
        if let Some(tightest) = self.lower.this_block() {
            self.stretch = self.stretch.max(Some(tightest.into()));
            self.stretch_blocks += 1;
        }
        self.lower.pass(blocks, LOOSENING);
        self.upper.pass(blocks, LOOSENING);
        if let Some(tightest) = self.stretch.filter(|_| self.stretch_blocks == STRETCH) {
            self.end_stretch(tightest.into());
        }
        if self.stretch_blocks == STRETCH || blocks > 1 {
            (self.stretch, self.stretch_blocks) = (None, 0);
        }
        blocks as usize >= BLOCKS
    }

    /// Call this only if at least one message in the last 16 s took at most [`MAX_DELAY`].
    fn end_stretch(&mut self, tightest: Span) {
        if self.level == RateLevel::Unknown {
            (self.level, self.worst) = (RateLevel::Plausible, self.worst.max(RateLevel::Plausible));
        }
        if let Some(first) = self.first_stretch {
            self.blocks_between = self.blocks_between.saturating_add(self.blocks_since);
            self.gained_between = (tightest - first.into()).into();
        }
        self.first_stretch.get_or_insert(tightest.into());
        self.blocks_since = 0;

        if !self.hears {
            let loosened = Span::from_ticks(i64::from(STRETCH) * LOOSENING.ticks());
            self.upper.offer_loose(-(tightest + MAX_DELAY + loosened));
        }
        let lost = self.lower.best().map_or(Span::ZERO, |best| best - tightest);
        if lost > MAX_DELAY {
            // All messages may have been delayed, so this does not prove that the clock is slow.
            self.find(RateLevel::Likely, RateFinding::Slow, lost, MAX_DELAY, BLOCKS);
            self.begin();
        }
    }

    fn judge(&mut self, gains: bool, loses: bool) {
        let excess = match (self.lower.best(), self.upper.best()) {
            (Some(lower), Some(upper)) => lower + upper - STAMP_AGE,
            _ => Span::ZERO,
        };
        if excess > Span::ZERO {
            // Older bounds remain valid, so the proven gain grows as long as the clock drifts.
            let proved = self.finding.filter(|_| self.level == RateLevel::Proven);
            let proved = proved.map_or(Span::ZERO, |proved| Span::from(proved.gained).abs());
            // Compare in units of the stored gain, because smaller differences cannot be stored.
            if Span::from(Tenths::from(excess)) > proved {
                let rise = if loses { self.upper } else { self.lower }.rise(self.notable());
                let finding = match (loses && !gains, is_jump(rise)) {
                    (false, false) => RateFinding::Fast,
                    (false, true) => RateFinding::Added,
                    (true, false) => RateFinding::Slow,
                    (true, true) => RateFinding::Removed,
                };
                self.find(RateLevel::Proven, finding, excess, Span::ZERO, rise.blocks);
            }
            return;
        }
        if gains {
            // If the client's clock gains, the upper bound moves by the same amount. If only the uplink
            // becomes shorter, the upper bound stays the same.
            let agrees = if self.hears { self.upper.departure() } else { None };
            self.suspect(self.lower, agrees, [RateFinding::Fast, RateFinding::Added]);
        }
        if loses {
            self.suspect(self.upper, self.lower.departure(), [RateFinding::Slow, RateFinding::Removed]);
        }
    }

    /// Decides whether the clock is the likely cause of the envelope's rise. `agrees` is the gain that the
    /// other direction confirms.
    fn suspect(&mut self, envelope: Envelope, agrees: Option<Span>, findings: [RateFinding; 2]) {
        let times = |span: Span, factor: i64| Span::from_ticks(factor.saturating_mul(span.ticks()));
        let rise = envelope.rise(self.notable());
        // An honest clock's drift can raise the envelope by up to twice its loosening.
        let gained = rise.total - times(self.notable(), self.age.max(1).into());
        if agrees.is_some_and(|by| times(by, 2) < gained) {
            return;
        }
        let is_young = self.age < HOLD;
        let path = if is_young { DRAINING_QUEUE } else { SHORTER_PATH };
        // With high jitter, a shorter path only becomes visible gradually.
        let gradually = rise.largest + path.max(times(envelope.slack(), 2));
        let suddenly = if agrees.is_some() && !is_young {
            BOTH_PATHS.max(times(envelope.slack(), 4))
        } else {
            SHORTER_AT_ONCE
        };
        let explained = gradually.min(suddenly);
        if gained > explained {
            let finding = findings[usize::from(is_jump(rise))];
            self.find(RateLevel::Likely, finding, gained, explained, rise.blocks);
        }
    }

    fn notable(&self) -> Span {
        LOOSENING + LOOSENING
    }

    fn find(&mut self, level: RateLevel, kind: RateFinding, by: Span, explained: Span, blocks: usize) {
        let mut duration_blocks = blocks as u16;
        if self.level < level {
            self.findings = self.findings.saturating_add(1);
        } else if self.level > level {
            return;
        } else if let Some(before) = self.finding {
            let since = u16::from(HOLD - self.hold);
            duration_blocks = duration_blocks.max(before.duration_blocks.saturating_add(since));
        }
        let gained = if matches!(kind, RateFinding::Slow | RateFinding::Removed) { -by } else { by };
        let (gained, explained) = (gained.into(), explained.into());
        self.finding = Some(Finding { kind, gained, explained, duration_blocks });
        (self.level, self.worst, self.hold) = (level, self.worst.max(level), HOLD);
    }
}

fn is_jump(rise: Rise) -> bool {
    rise.step.ticks() * 4 > rise.total.ticks() * 3
}

#[cfg(test)]
mod tests;
