//! When the shown clock passes the beats of the server's time.

use anyhow::Result;
use netclock::start::Beat;
use netclock::{Reading, ServerTime, Span, State};

use crate::net::clock::MachineTime;

/// Finds the instants at which a client's clock shows the beginning of a beat, from its reads.
#[derive(Debug)]
pub(crate) struct Beats {
    beat: Beat,
    last: Option<(MachineTime, ServerTime, u32)>,
}

impl Beats {
    /// A beat at each full second of server time.
    pub(crate) fn every_second() -> Result<Self> {
        Ok(Beats { beat: Beat::new(ServerTime::from_ticks(0), 1, 1)?, last: None })
    }

    /// The beat that began since the last read, and when it began. `None` if no beat began, if the clock was
    /// set, or if several beats began because the program was suspended and did not show them.
    pub(crate) fn passed(&mut self, machine: MachineTime, reading: &Reading) -> Option<(MachineTime, i64)> {
        if reading.state == State::Unsynced {
            return None;
        }
        self.passed_by(machine, reading.server_time, reading.epoch)
    }

    /// Like [`passed`](Self::passed), for any clock that shows `shown`. A different `epoch` means that the
    /// clock was set.
    pub(crate) fn passed_by(
        &mut self,
        machine: MachineTime,
        shown: ServerTime,
        epoch: u32,
    ) -> Option<(MachineTime, i64)> {
        let (before, shown_before, epoch_before) = self.last.replace((machine, shown, epoch))?;
        let (number, _) = self.beat.at(shown);
        if epoch_before != epoch || self.beat.at(shown_before).0 + 1 != number {
            return None;
        }
        // Between two reads, the shown time is assumed to be a straight line.
        let part = (self.beat.time_of(number) - shown_before).ticks() as f64;
        let whole = (shown - shown_before).ticks().max(1) as f64;
        let since = (machine - before).ticks() as f64 * part / whole;
        Some((before + Span::from_ticks(since.round() as i64), number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(server_ms: i64, epoch: u32) -> Reading {
        let at = ServerTime::from_ticks(server_ms * 10_000);
        Reading { epoch, ..netclock_sim::reading(1, at, Span::ZERO) }
    }

    #[test]
    fn a_beat_is_passed_once_and_at_its_instant() -> Result<()> {
        let mut beats = Beats::every_second()?;
        let mut passed = |machine_ms: i64, server_ms, epoch| {
            let at = beats.passed(MachineTime::from_ticks(machine_ms * 10_000), &reading(server_ms, epoch));
            at.map(|(at, number)| (at.ticks() / 10_000, number))
        };
        assert_eq!(passed(100, 2_990, 1), None, "the first read");
        assert_eq!(passed(120, 3_010, 1), Some((110, 3)));
        assert_eq!(passed(125, 3_015, 1), None);
        assert_eq!(passed(1_100, 3_990, 1), None);
        assert_eq!(passed(1_110, 4_000, 1), Some((1_110, 4)), "exactly at the beat");
        assert_eq!(passed(3_300, 6_190, 1), None, "it stood still");
        assert_eq!(passed(3_310, 50, 2), None, "the clock was set");
        assert_eq!(passed(4_310, 1_050, 2), Some((4_260, 1)));
        Ok(())
    }
}
