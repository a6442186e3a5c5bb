//! Computes the shown world time, which never runs backwards within an epoch, even if segments arrive late.

use super::map::Map;
use crate::clock::{Reading, ServerTime, Span, WorldTime};

/// Maximum change of the shown time's rate while it slews after a late segment. The change is a fraction of
/// the rate of real time or of the world, whichever is higher.
const MAX_SLEW: f64 = 0.25;
/// If the shown time is behind by more than this, it jumps forwards and the timeline reports the jump. If it
/// is ahead by more than this, it stops until it is ahead by this much.
const STEP_THRESHOLD: Span = Span::from_millis(250);

#[derive(Clone, Copy, Debug)]
struct Last {
    real: ServerTime,
    world: WorldTime,
    clock_epoch: u32,
    server_epoch: u64,
    instance: u32,
}

#[derive(Debug, Default)]
pub(crate) struct ShownWorld {
    last: Option<Last>,
    epoch: u32,
    unused: f64,
    /// True if a forged segment may have been shown. The next shown time then starts a new epoch.
    pub(crate) start_over: bool,
}

impl ShownWorld {
    /// Returns the shown time, its jump and its epoch.
    pub(crate) fn next(&mut self, now: &Reading, map: &Map, instance: u32) -> Option<(WorldTime, Span, u32)> {
        let look = map.look(now.server_time)?;
        let (server_epoch, clock_epoch) = (now.server_epoch, now.epoch);
        let same = |last: &Last| last.server_epoch == server_epoch && last.instance == instance;
        let last = self.last.filter(same);
        let (mut world, mut jump) = (look.world, Span::ZERO);
        match last {
            Some(last) if last.clock_epoch == clock_epoch && !self.start_over => {
                let elapsed = now.server_time - last.real;
                if elapsed < Span::ZERO {
                    // Another thread has already passed a later reading, so return the same world time again.
                    return Some((last.world, jump, self.epoch));
                }
                let was = map.world_at(last.real).unwrap_or(last.world);
                let ahead = self.worked_off(last.world - was, elapsed, look.rate.as_f64());
                world = (look.world + ahead.unwrap_or(Span::ZERO)).max(last.world);
                let fastest = map.fastest(last.real, now.server_time);
                let slew = elapsed.ticks() as f64 * MAX_SLEW * fastest.as_f64().max(1.0);
                let natural = last.world + Span::from_ticks(fastest.passed(elapsed.ticks()));
                let most = natural + Span::from_ticks(slew as i64 + 1);
                if ahead.is_none() || world - most > STEP_THRESHOLD {
                    jump = (world - natural).max(Span::ZERO);
                } else {
                    world = world.min(most);
                }
            }
            other => {
                jump = other.map_or(Span::ZERO, |last| world - last.world);
                self.epoch = self.epoch.wrapping_add(1);
                (self.unused, self.start_over) = (0.0, false);
            }
        }
        self.last = Some(Last { real: now.server_time, world, clock_epoch, server_epoch, instance });
        Some((world, jump, self.epoch))
    }

    /// `ahead` is the shown time minus the map's time. Returns the remaining difference after slewing for
    /// `elapsed`, or `None` if the shown time is so far behind that it must jump.
    fn worked_off(&mut self, ahead: Span, elapsed: Span, rate: f64) -> Option<Span> {
        if ahead == Span::ZERO {
            self.unused = 0.0;
            return Some(ahead);
        }
        if -ahead > STEP_THRESHOLD {
            self.unused = 0.0;
            return None;
        }
        // Slow and paused worlds slew as fast as a world at the rate of real time, so that corrections end
        // soon. The caller ensures that the shown time never runs backwards.
        let allowed = elapsed.ticks() as f64 * MAX_SLEW * rate.max(1.0) + self.unused;
        let whole = allowed.floor();
        self.unused = allowed - whole;
        debug_assert!((0.0..1.0).contains(&self.unused), "less than a tick is left: {}", self.unused);
        let allowed = Span::from_ticks(whole as i64);
        Some(if ahead > Span::ZERO {
            // Beyond the threshold, the shown time stops, because slewing faster would make it run backwards.
            (ahead - allowed).max(Span::ZERO).min(STEP_THRESHOLD)
        } else {
            (ahead + allowed).min(Span::ZERO)
        })
    }
}
