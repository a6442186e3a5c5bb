//! Watches whether a client's clock runs at the rate of the server's.
//!
//! A message stamped `c` by the client arrives at `s`: `c - s` is `client - server` less the delay, so a lower bound
//! of it. If the client had by then heard what the server sent at `h`, `c - h` is an upper bound. Delay, loss,
//! reordering and duplicates only loosen bounds. `docs/theory.md` has what follows from that.

use super::edge::{BLOCK_TICKS, BLOCKS, Edge, Rise};
use super::verdict::{RateFinding, RateLevel, RateVerdict, RateWatchConfig, ReportError};
use crate::error::ConfigError;
use crate::time::{LocalTime, ServerTime, Span};

const MS: i64 = 10_000;

/// Age that a client's stamp may have when the message leaves, and when it tells what was heard: a frame or two.
const STAMP_AGE: i64 = 50 * MS;

/// A clock that gains no more than this bit by bit may be a path that got shorter bit by bit.
const SHORTER_PATH: i64 = 40 * MS;

/// The same while the watch is young, when the path's shortest delay is not known yet and a queue may be draining.
const DRAINING_QUEUE: i64 = 300 * MS;

/// A gain at one go of no more than this may be a change of the path or the end of a long queue.
const SHORTER_AT_ONCE: i64 = 1_000 * MS;

/// The same if the other direction agrees: two changes of path at the same time, one shorter and one longer.
const BOTH_PATHS: i64 = 100 * MS;

/// Changes of delay between two stretches that the mean rate is to bear.
const UNSTEADY: i64 = 60 * MS;

/// Blocks in a row, none of them empty, in which one message kept to `max_delay`: 16 s.
const STRETCH: u8 = 8;

/// Blocks for which a finding stands.
const HOLD: u8 = BLOCKS as u8;

/// Unit in which findings are kept (ticks): 0.1 ms.
const UNIT: i64 = 1_000;

/// No bound, no time.
const NONE: i64 = i64::MIN;

/// Watches the clock of one client. Takes 256 bytes, allocates nothing, and knows no more after a year of reports
/// than after a minute.
#[derive(Clone, Debug)]
pub struct RateWatch {
    /// `client - server` is at least this, by stamps and arrivals ...
    lower: Edge,
    /// ... and, negated, at most this, by what was heard.
    upper: Edge,
    /// Arrival of the newest report (ticks of the server).
    newest: i64,
    /// When the current block began (ticks of the server).
    block_began: i64,
    /// Reports between these are no evidence (ticks of the server).
    excused: (i64, i64),
    /// Tightest lower bound of the stretch so far, of the first and of the latest stretch.
    stretch: i64,
    first_stretch: i64,
    latest_stretch: i64,
    /// Blocks from the first stretch to the latest.
    blocks_between: u32,
    /// Blocks since the latest stretch.
    blocks_since: u32,
    findings: u32,
    /// The newest finding, in [`UNIT`]s.
    gained: i32,
    explained: i32,
    finding: Option<RateFinding>,
    duration_blocks: u8,
    level: RateLevel,
    worst: RateLevel,
    /// Blocks for which the level stands.
    hold: u8,
    /// Blocks in the stretch so far.
    stretch_blocks: u8,
    /// Blocks since the edges were begun, as far as they matter.
    age: u8,
    /// Whether what was heard was ever told.
    hears: bool,
    max_delay: u32,
    /// By how much an edge gets looser in a block (ticks).
    loosening: i32,
}

impl RateWatch {
    /// A watch that knows nothing yet.
    ///
    /// # Errors
    /// A setting is out of range.
    pub fn new(config: &RateWatchConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(RateWatch {
            lower: Edge::EMPTY,
            upper: Edge::EMPTY,
            newest: NONE,
            block_began: 0,
            excused: (NONE, NONE),
            stretch: NONE,
            first_stretch: NONE,
            latest_stretch: NONE,
            blocks_between: 0,
            blocks_since: 0,
            findings: 0,
            gained: 0,
            explained: 0,
            finding: None,
            duration_blocks: 0,
            level: RateLevel::Unknown,
            worst: RateLevel::Unknown,
            hold: 0,
            stretch_blocks: 0,
            age: 0,
            hears: false,
            max_delay: (config.max_delay.ticks() / UNIT) as u32,
            loosening: (config.max_drift_ppm * 1e-6 * BLOCK_TICKS as f64) as i32,
        })
    }

    /// A message that the client stamped `stamped` arrived at `arrived`, taken off the network as early as possible.
    ///
    /// `heard`: when the server sent the newest thing that the client had received by then, if the transport
    /// acknowledges or the server's messages carry stamps that come back. Without it only gains can be told early,
    /// and only gains beyond `max_delay` proved.
    ///
    /// # Errors
    /// Refuses stamps out of range, arrivals out of order, and an answer to what was not sent yet.
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
        self.newest = at;
        if (self.excused.0..=self.excused.1).contains(&at) {
            return Ok(());
        }
        let was_excused = self.excused.1 != NONE && at > self.excused.1;
        if was_excused {
            self.excused = (NONE, NONE);
        }
        if is_first || was_excused {
            self.begin(at);
            self.forget_mean();
        }
        if self.pass(at) {
            // Nothing came for so long that drift alone may have raised the edge by much.
            self.lower.offer_loose(stamp - at);
            self.age = 0;
        }
        let gains = self.lower.offer(stamp - at);
        let loses = heard.is_some_and(|heard| {
            // What was taken for a bound until now is not worth to be compared with.
            if !self.hears {
                self.upper = Edge::EMPTY;
                self.hears = true;
            }
            self.upper.offer(heard.ticks() - stamp)
        });
        self.judge(gains, loses, stamp - at);
        Ok(())
    }

    /// What arrives from `from` to `to` is no evidence, because the client's clock stood still or was set for a good
    /// reason: a pause of the game, a change of level, a resumed machine. Call it before, or afterwards, in which
    /// case all that was observed so far is forgotten. Two calls excuse what is between them too. Stalls of client,
    /// server or network need no excuse. Let `to` be as late as the last message from before may arrive.
    ///
    /// # Errors
    /// Refuses times out of range or out of order.
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

    /// What the watch thinks of the client.
    pub fn verdict(&self) -> RateVerdict {
        let (mut mean_ppm, mut mean_error_ppm) = (0.0, f64::INFINITY);
        if self.blocks_between > 0 {
            let between = f64::from(self.blocks_between) * BLOCK_TICKS as f64;
            mean_ppm = self.latest_stretch.saturating_sub(self.first_stretch) as f64 / between * 1e6;
            mean_error_ppm = UNSTEADY as f64 / between * 1e6;
        }
        RateVerdict {
            level: self.level,
            worst: self.worst,
            findings: self.findings,
            finding: self.finding,
            gained: Span::from_ticks(i64::from(self.gained) * UNIT),
            explained: Span::from_ticks(i64::from(self.explained) * UNIT),
            duration: Span::from_ticks(i64::from(self.duration_blocks) * BLOCK_TICKS),
            mean_ppm,
            mean_error_ppm,
        }
    }

    /// Begins both edges anew.
    fn begin(&mut self, at: i64) {
        (self.lower, self.upper) = (Edge::EMPTY, Edge::EMPTY);
        (self.block_began, self.age, self.hears) = (at, 0, false);
        (self.stretch, self.stretch_blocks) = (NONE, 0);
    }

    fn forget_mean(&mut self) {
        (self.first_stretch, self.latest_stretch) = (NONE, NONE);
        (self.blocks_between, self.blocks_since) = (0, 0);
    }

    /// The suspicion of the last minute is over.
    fn settle(&mut self) {
        self.hold = 0;
        if self.level > RateLevel::Plausible {
            self.level = RateLevel::Plausible;
        }
    }

    /// Ends the blocks that are over at `at`. True if they are more than are looked back at.
    fn pass(&mut self, at: i64) -> bool {
        let count = at.saturating_sub(self.block_began) / BLOCK_TICKS;
        if count <= 0 {
            return false;
        }
        self.block_began += count * BLOCK_TICKS;
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

    /// One of the messages of the last 16 s took no longer than `max_delay`.
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
        }
        (self.latest_stretch, self.blocks_since) = (tightest, 0);

        let max_delay = i64::from(self.max_delay) * UNIT;
        if !self.hears {
            let loosened = max_delay + i64::from(STRETCH) * i64::from(self.loosening);
            self.upper.offer_loose(tightest.saturating_add(loosened).saturating_neg());
        }
        let lost = self.lower.best().map_or(0, |best| best.saturating_sub(tightest));
        if lost > max_delay {
            // Nobody proved that the messages are not late by that much.
            self.find(RateLevel::Likely, RateFinding::Slow, -lost, max_delay, BLOCKS as i64);
            self.begin(self.block_began);
        }
    }

    /// Looks at what the newest report changed.
    fn judge(&mut self, gains: bool, loses: bool, newest: i64) {
        let excess = match (self.lower.best(), self.upper.best()) {
            (Some(lower), Some(upper)) => lower.saturating_add(upper).saturating_sub(STAMP_AGE),
            _ => 0,
        };
        if excess > 0 {
            let rise = if loses { self.upper } else { self.lower }.rise(self.notable());
            let (finding, gained) = match (loses && !gains, is_jump(rise)) {
                (false, false) => (RateFinding::Fast, excess),
                (false, true) => (RateFinding::Added, excess),
                (true, false) => (RateFinding::Slow, -excess),
                (true, true) => (RateFinding::Removed, -excess),
            };
            self.find(RateLevel::Proven, finding, gained, 0, rise.blocks);
            self.begin(self.block_began);
            self.lower.offer(newest);
            return;
        }
        if gains {
            // Whoever gains does not hear earlier; a shorter path up leaves what is heard where it was.
            let agrees = if self.hears { self.upper.departure() } else { None };
            self.suspect(self.lower, agrees, [RateFinding::Fast, RateFinding::Added], 1);
        }
        if loses {
            self.suspect(self.upper, self.lower.departure(), [RateFinding::Slow, RateFinding::Removed], -1);
        }
    }

    /// Is it likely that what `edge` rose by is the clock's doing? `agrees`: by how much the other direction says so.
    fn suspect(&mut self, edge: Edge, agrees: Option<i64>, findings: [RateFinding; 2], sign: i64) {
        // An honest clock raises the edge by what it loosened and by its own drift.
        let drift = 2 * i64::from(self.loosening) * i64::from(self.age.max(1));
        let rise = edge.rise(self.notable());
        let gained = rise.total - drift;
        if agrees.is_some_and(|by| by < gained / 2) {
            return;
        }
        let is_young = self.age < HOLD;
        let path = if is_young { DRAINING_QUEUE } else { SHORTER_PATH };
        // Where jitter is wide, a shorter path shows bit by bit.
        let bit_by_bit = rise.largest + path.max(2 * edge.slack());
        let at_once =
            if agrees.is_some() && !is_young { BOTH_PATHS.max(4 * edge.slack()) } else { SHORTER_AT_ONCE };
        let explained = bit_by_bit.min(at_once);
        if gained > explained {
            let finding = findings[usize::from(is_jump(rise))];
            self.find(RateLevel::Likely, finding, sign * gained, explained, rise.blocks);
        }
    }

    /// A block's rise that is more than honest drift (ticks).
    fn notable(&self) -> i64 {
        2 * i64::from(self.loosening)
    }

    fn find(&mut self, level: RateLevel, finding: RateFinding, gained: i64, explained: i64, blocks: i64) {
        if level == RateLevel::Proven || self.level < RateLevel::Likely {
            self.findings = self.findings.saturating_add(1);
        } else if self.level > level {
            return;
        }
        let unit =
            |ticks: i64| i32::try_from(ticks / UNIT).unwrap_or(if ticks < 0 { i32::MIN } else { i32::MAX });
        (self.gained, self.explained) = (unit(gained), unit(explained));
        (self.finding, self.duration_blocks) = (Some(finding), blocks as u8);
        (self.level, self.worst, self.hold) = (level, self.worst.max(level), HOLD);
    }
}

/// Most of it came with a single message.
fn is_jump(rise: Rise) -> bool {
    rise.step * 4 > rise.total * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000 * MS;
    /// The client's clock minus the server's.
    const AHEAD: i64 = -77 * SECOND;

    fn watch() -> RateWatch {
        RateWatch::new(&RateWatchConfig::default()).unwrap()
    }

    fn server(ticks: i64) -> ServerTime {
        ServerTime::from_ticks(ticks)
    }

    /// Four reports a second from `from` to `to` (s), each 40 ms under way, from a clock that has gained `gained` (s).
    /// With ears what was heard had been sent 60 ms before the message left.
    fn play(watch: &mut RateWatch, from: i64, to: i64, hears: bool, gained: impl Fn(f64) -> f64) {
        for quarter in 4 * from..4 * to {
            let sent = quarter * SECOND / 4;
            let stamp = sent + AHEAD + (gained(sent as f64 / 1e7) * 1e7) as i64;
            let heard = hears.then(|| server(sent - 60 * MS));
            watch.report(LocalTime::from_ticks(stamp), server(sent + 40 * MS), heard).unwrap();
        }
    }

    #[test]
    fn takes_no_more_memory_than_promised() {
        assert!(size_of::<RateWatch>() <= 256, "{}", size_of::<RateWatch>());
    }

    #[test]
    fn says_nothing_before_it_knows_something() {
        let mut watch = watch();
        play(&mut watch, 0, 10, false, |_| 0.0);
        assert_eq!(watch.verdict().level, RateLevel::Unknown);
        assert!(watch.verdict().mean_error_ppm.is_infinite());
        play(&mut watch, 10, 40, false, |_| 0.0);
        assert_eq!((watch.verdict().level, watch.verdict().findings), (RateLevel::Plausible, 0));
    }

    #[test]
    fn the_mean_rate_is_within_its_error() {
        let mut watch = watch();
        play(&mut watch, 0, 1_000, false, |t| 80e-6 * t);
        let RateVerdict { level, mean_ppm, mean_error_ppm, .. } = watch.verdict();
        assert_eq!(level, RateLevel::Plausible);
        assert!((mean_ppm - 80.0).abs() < 1.0 && mean_error_ppm < 65.0, "{mean_ppm} +- {mean_error_ppm}");
    }

    #[test]
    fn a_gain_is_proved_once_it_exceeds_what_the_delays_can_hide() {
        for hears in [true, false] {
            let mut watch = watch();
            play(&mut watch, 0, 100, hears, |_| 0.0);
            let mut proved = 0;
            for second in 100..500 {
                play(&mut watch, second, second + 1, hears, |t| 0.1 * (t - 100.0).max(0.0));
                if watch.verdict().level == RateLevel::Proven {
                    proved = second - 99;
                    break;
                }
            }
            let verdict = watch.verdict();
            assert_eq!((verdict.finding, verdict.explained), (Some(RateFinding::Fast), Span::ZERO));
            assert!(verdict.gained > Span::ZERO);
            // 100 ms of round trip and 50 ms of a stamp's age are a second and a half at 10 %; 5 s of delay, fifty.
            assert!(
                if hears { proved == 2 } else { (50..=60).contains(&proved) },
                "hears {hears}: {proved} s"
            );
        }
    }

    #[test]
    fn time_removed_is_proved_by_what_was_heard_and_suspected_without() {
        let mut with = watch();
        play(&mut with, 0, 100, true, |_| 0.0);
        play(&mut with, 100, 110, true, |_| -1.0);
        assert_eq!(
            (with.verdict().worst, with.verdict().finding),
            (RateLevel::Proven, Some(RateFinding::Removed))
        );
        let proved = with.verdict().gained;
        assert!(proved > Span::from_millis(-900) && proved < Span::from_millis(-800), "{proved}");

        let mut without = watch();
        play(&mut without, 0, 100, false, |_| 0.0);
        play(&mut without, 100, 140, false, |_| -4.0);
        assert_eq!(without.verdict().worst, RateLevel::Plausible, "a queue of four seconds");
        play(&mut without, 140, 180, false, |_| -6.0);
        assert_eq!(without.verdict().worst, RateLevel::Likely);
    }

    #[test]
    fn a_finding_stands_for_a_minute_and_is_remembered() {
        let mut watch = watch();
        play(&mut watch, 0, 100, true, |_| 0.0);
        play(&mut watch, 100, 140, true, |_| 0.5);
        assert_eq!(watch.verdict().level, RateLevel::Proven);
        play(&mut watch, 140, 170, true, |_| 0.5);
        let RateVerdict { level, worst, findings, finding, .. } = watch.verdict();
        assert_eq!((level, worst, findings), (RateLevel::Plausible, RateLevel::Proven, 1));
        assert_eq!(finding, Some(RateFinding::Added));
    }

    #[test]
    fn stalls_are_delay_and_gaps_are_no_evidence() {
        let mut watch = watch();
        play(&mut watch, 0, 100, true, |_| 0.0);
        // Nothing passes for half a minute, then all of it at once.
        for sent in 100..130 {
            let heard = Some(server(100 * SECOND - 60 * MS));
            watch.report(LocalTime::from_ticks(sent * SECOND + AHEAD), server(130 * SECOND), heard).unwrap();
        }
        play(&mut watch, 130, 200, true, |_| 0.0);
        // Silence for a day, with the fastest crystal there may be.
        play(&mut watch, 86_600, 86_700, true, |t| 199e-6 * (t - 200.0));
        assert_eq!((watch.verdict().worst, watch.verdict().findings), (RateLevel::Plausible, 0));
    }

    #[test]
    fn what_is_excused_is_no_evidence() {
        // The game pauses for 20 s, and with it the client's clock.
        let paused = |t: f64| -(t - 100.0).clamp(0.0, 20.0);
        let mut watch = watch();
        watch.excuse(server(99 * SECOND), server(121 * SECOND)).unwrap();
        play(&mut watch, 0, 300, true, paused);
        assert_eq!((watch.verdict().worst, watch.verdict().findings), (RateLevel::Plausible, 0));
        play(&mut watch, 300, 310, true, |t| paused(t) + 0.1 * (t - 300.0));
        assert_eq!(watch.verdict().level, RateLevel::Proven, "what comes later counts");
        watch.excuse(server(300 * SECOND), server(320 * SECOND)).unwrap();
        assert_eq!(watch.verdict().level, RateLevel::Plausible, "and can be excused afterwards");
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut watch = watch();
        play(&mut watch, 0, 100, true, |_| 0.0);
        let before = format!("{watch:?}");
        let report = |watch: &mut RateWatch, stamped, arrived, heard: i64| {
            watch.report(LocalTime::from_ticks(stamped), server(arrived), Some(server(heard)))
        };
        for bad in [i64::MIN, i64::MAX, 1 << 62, -(1 << 62)] {
            for (stamped, arrived, heard) in [(bad, 0, 0), (0, bad, 0), (0, 0, bad)] {
                assert_eq!(report(&mut watch, stamped, arrived, heard), Err(ReportError::StampOutOfRange));
            }
            assert_eq!(watch.excuse(server(bad), server(0)), Err(ReportError::StampOutOfRange));
            assert_eq!(watch.excuse(server(0), server(bad)), Err(ReportError::StampOutOfRange));
        }
        let late = 200 * SECOND;
        let early = ReportError::HeardTooEarly(Span::from_ticks(1));
        assert_eq!(report(&mut watch, 0, late, late + 1), Err(early));
        let back = watch.newest - 1;
        let backwards = ReportError::WentBackwards(Span::from_ticks(1));
        assert_eq!(report(&mut watch, 0, back, 0), Err(backwards));
        assert_eq!(watch.excuse(server(1), server(0)), Err(backwards));
        assert_eq!(format!("{watch:?}"), before);
    }

    #[test]
    fn the_farthest_stamps_are_taken() {
        let far = crate::time::MAX_INSTANT_TICKS;
        let mut watch = watch();
        for (stamp, at) in [(far, -far), (-far, -far), (far, 0), (-far, far), (far, far), (-far, far)] {
            watch.report(LocalTime::from_ticks(stamp), server(at), Some(server(-far))).unwrap();
            let _ = watch.verdict();
        }
        assert_eq!(watch.verdict().level, RateLevel::Proven);
    }
}
