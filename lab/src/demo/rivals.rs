//! The engine's clock and the best published clock, with which a demo compares NetClock.
//!
//! Rivals receive the same exchanges as NetClock and are read at the same instants. Published clocks do not
//! detect restarts, so we create new instances for each server.

use anyhow::{Context, Result};
use netclock::{LocalTime, Sample, ServerTime};

use crate::baseline::{self, ENGINE, Maker, RIVALS};
use netclock_sim::measure::estimator::Estimator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RivalRead {
    pub(crate) epoch: u64,
    pub(crate) server: ServerTime,
}

pub(super) struct Rivals([Rival; RIVALS.len()]);

struct Rival {
    make: Maker,
    exchanges: u64,
    /// The server's epoch, and the clock that follows that server.
    clock: Option<(u64, Box<dyn Estimator>)>,
}

impl Rivals {
    pub(super) fn new(rival: &str) -> Result<Self> {
        let maker = |name| baseline::maker(name).with_context(|| format!("there is no clock {name}"));
        let new_rival = |make| Rival { make, exchanges: 0, clock: None };
        Ok(Rivals([new_rival(maker(ENGINE)?), new_rival(maker(rival)?)]))
    }

    pub(super) fn on_exchange(&mut self, sample: &Sample) {
        self.0.iter_mut().for_each(|rival| rival.on_exchange(sample));
    }

    /// `local` must not decrease.
    pub(super) fn shown(&mut self, local: LocalTime) -> [Option<RivalRead>; RIVALS.len()] {
        self.0.each_mut().map(|rival| rival.shown(local))
    }
}

impl Rival {
    fn on_exchange(&mut self, sample: &Sample) {
        let Some(epoch) = sample.server_epoch else { return };
        let Some(exchange) = baseline::exchange(self.exchanges, sample) else { return };
        self.exchanges += 1;
        if self.clock.as_ref().is_none_or(|it| it.0 != epoch) {
            self.clock = Some((epoch, (self.make)()));
        }
        self.clock.iter_mut().for_each(|it| it.1.on_exchange(&exchange));
    }

    fn shown(&mut self, local: LocalTime) -> Option<RivalRead> {
        let (epoch, clock) = self.clock.as_mut()?;
        let server = ServerTime::from_ticks(clock.shown(local.ticks())?);
        Some(RivalRead { epoch: *epoch, server })
    }
}

#[cfg(test)]
mod tests {
    use netclock::Span;

    use super::*;

    fn sample(server_epoch: u64, sent_ms: i64) -> Sample {
        let sent = LocalTime::from_ticks(sent_ms * 10_000);
        let server = ServerTime::from_ticks((sent_ms + 1_025) * 10_000);
        Sample {
            id: None,
            server_epoch: Some(server_epoch),
            client_sent: Some(sent),
            server_received: server,
            server_sent: server,
            client_received: sent + Span::from_millis(50),
            server_wait: None,
            client_wait: None,
            by_link: true,
            outcome: Ok(()),
        }
    }

    #[test]
    fn rivals_process_all_exchanges_and_restart_for_a_new_server() -> Result<()> {
        let mut rivals = Rivals::new("sendspin_burst")?;
        let mut shown = |samples: std::ops::Range<i64>, epoch| {
            let last = samples.end;
            samples.for_each(|number| rivals.on_exchange(&sample(epoch, number * 100)));
            let local = LocalTime::from_ticks(last * 100 * 10_000);
            rivals
                .shown(local)
                .map(|it| it.map(|it| (it.epoch, (it.server.ticks() - local.ticks()) / 10_000)))
        };
        assert_eq!(shown(0..7, 7), [Some((7, 975)), None], "the best rival waits for a burst of eight");
        assert_eq!(
            shown(7..8, 7),
            [Some((7, 975)), Some((7, 1_000))],
            "an engine's clock lags by half a round trip"
        );
        assert_eq!(shown(8..12, 8), [Some((8, 975)), None]);
        assert_eq!(shown(12..16, 8), [Some((8, 975)), Some((8, 1_000))]);
        Ok(())
    }
}
