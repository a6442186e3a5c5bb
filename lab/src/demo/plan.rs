use anyhow::Result;
use netclock::Span;

use crate::baseline::BEST_ON_DEMO;
use crate::net::impair::impairment::Impairment;
use crate::net::script::Kind;
use netclock_sim::random::Random;

pub(crate) const LINK: &str = "delay=25,jitter=6,loss=5,duplicate=2,reorder=2";
pub(crate) const LINK_WORDS: &str =
    "25 ms each way, 6 ms exponential jitter, 5 % lost, 2 % duplicated, 2 % reordered";
/// A 2 Mbit/s uplink, 70 % of which is used by other uploads.
const SHARED_UPLINK: &str = "rate=250000,queue=32000,other=70";

pub(crate) const BUSY: &str = "busy uplink";

/// All planned actions happen within this time after the start of a demo. Any later actions come from viewers
/// of the live page.
pub(crate) const PROGRAMME_S: u32 = 60;
pub(crate) const LOSS_PERCENT: f64 = 50.0;

pub(crate) const SHIFT_MS: f64 = 40.0;
/// The stall is longer than the client's local gap, so the client detects it.
pub(crate) const STALL: Span = Span::from_millis(2_500);
pub(crate) const OUTAGE: Span = Span::from_millis(300);

/// A pause or slow motion lasts this fraction of the programme, but at most this many seconds.
const PAUSE: (f64, f64) = (0.05, 3.0);
const SLOW: (f64, f64) = (0.15, 4.0);
/// The times of the actions, as fractions of the programme. In a 60 s demo, more than 30 s remain after the
/// route change, which is enough for the published clocks' bursts and windows.
const STALL_AT: f64 = 0.12;
const PAUSE_AT: f64 = 0.27;
const RESTART_AT: f64 = 0.34;
const SHIFT_AT: f64 = 0.47;
const SLOW_AT: f64 = 0.8;

/// The rate errors of the first clients' crystals (ppm). The server's crystal has no rate error.
const CRYSTALS: [f64; 4] = [80.0, -45.0, 12.0, -95.0];
const CRYSTAL_LIMIT: f64 = 95.0;
/// The clocks' initial readings are at most this far from zero.
const ORIGIN_LIMIT_S: f64 = 1e6;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClientPlan {
    pub(crate) name: String,
    pub(crate) ppm: f64,
    pub(crate) origin: Span,
    pub(crate) up: Impairment,
    pub(crate) down: Impairment,
    pub(crate) path: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Stall(usize),
    Shift(usize),
    Lose(usize),
    Mend(usize),
    Restart,
    World(Kind),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DemoPlan {
    pub(crate) seconds: u32,
    pub(crate) programme: u32,
    pub(crate) rival: String,
    pub(crate) seed: u64,
    pub(crate) clients: Vec<ClientPlan>,
    pub(crate) actions: Vec<(Span, Action)>,
}

impl DemoPlan {
    pub(crate) fn new(seconds: u32, programme: u32, clients: usize, seed: u64) -> Result<Self> {
        let link: Impairment = LINK.parse()?;
        let mut random = Random::new(seed, "demo clocks");
        let mut plans = Vec::with_capacity(clients);
        for index in 0..clients {
            let drawn = random.between(-CRYSTAL_LIMIT, CRYSTAL_LIMIT).round();
            let origin = random.between(-ORIGIN_LIMIT_S, ORIGIN_LIMIT_S);
            let shared = index % CRYSTALS.len() == CRYSTALS.len() - 1;
            plans.push(ClientPlan {
                name: char::from(b'A' + index as u8).to_string(),
                ppm: CRYSTALS.get(index).copied().unwrap_or(drawn),
                origin: Span::from_secs_f64(origin),
                up: if shared { link.with(SHARED_UPLINK)? } else { link },
                down: link,
                path: if shared { BUSY } else { "demo link" },
            });
        }
        Ok(DemoPlan {
            seconds,
            programme,
            rival: BEST_ON_DEMO.to_owned(),
            seed,
            clients: plans,
            actions: actions(programme, clients),
        })
    }

    pub(crate) fn length(&self, kind: Kind) -> Span {
        let (part, longest) = if kind == Kind::Pause { PAUSE } else { SLOW };
        Span::from_secs_f64((part * f64::from(self.programme)).min(longest))
    }
}

/// The restart comes before the route change, because a client cannot detect an asymmetry that already
/// existed when its server started.
fn actions(seconds: u32, clients: usize) -> Vec<(Span, Action)> {
    let at = |part: f64| Span::from_secs_f64(f64::from(seconds) * part);
    // The first client's route changes, because the report shows that client first.
    let (stalled, shifted) = (1.min(clients - 1), 0);
    vec![
        (at(STALL_AT), Action::Stall(stalled)),
        (at(PAUSE_AT), Action::World(Kind::Pause)),
        (at(RESTART_AT), Action::Restart),
        (at(SHIFT_AT), Action::Shift(shifted)),
        (at(SLOW_AT), Action::World(Kind::Slow)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_differ_and_stay_within_the_limit() -> Result<()> {
        let plan = DemoPlan::new(20, 20, 26, 1)?;
        assert_eq!(plan.clients.len(), 26);
        assert!(plan.clients.iter().all(|client| client.ppm.abs() < 100.0));
        assert_eq!(plan.clients[0].ppm, 80.0);
        assert_eq!(plan.clients[0].up.to_string(), format!("{LINK},hold=10"));
        assert_eq!(plan, DemoPlan::new(20, 20, 26, 1)?);
        assert_ne!(plan, DemoPlan::new(20, 20, 26, 2)?);
        Ok(())
    }

    #[test]
    fn actions_are_in_order_and_early_enough() {
        for (seconds, clients) in [(6, 1), (6, 2), (60, 4), (600, 12)] {
            let actions = actions(seconds, clients);
            let shift = actions.iter().find(|(_, action)| *action == Action::Shift(0)).map(|(at, _)| *at);
            let after = Span::from_secs(seconds.into()) - shift.unwrap_or_default();
            assert!(seconds < PROGRAMME_S || after > Span::from_secs(30), "{after}");
            assert!(actions.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            assert!(actions.iter().all(|(at, _)| *at < Span::from_secs(seconds.into()) - Span::from_secs(1)));
        }
    }
}
