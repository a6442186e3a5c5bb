use netclock::{Config, Exchange, Refusal, Span};

use super::kind::{Kind, Verdict};
use crate::report::Evaluation;
use netclock_sim::TICKS_PER_S;

/// The session is divided into this many parts. The rate is measured between the exchanges with the shortest
/// round trip in each part.
const PARTS: usize = 5;
/// The rate counts as steady if it varies by at most this share plus the uncertainty due to the round trips.
const STEADY: f64 = 0.1;
/// With fewer exchanges or in a shorter session, the rate is unknown.
const LEAST: usize = 2 * PARTS;
const SHORTEST_S: f64 = 3.0;

#[derive(Clone, Copy)]
pub(crate) struct Rate {
    pub(crate) ppm: f64,
    pub(crate) doubt: f64,
}

pub(super) fn rate(session: &Evaluation) -> Option<Verdict> {
    let config = Config::default();
    let allowed = config.client_drift_ppm + config.server_drift_ppm;
    let epochs = session.recording.exchanges.iter().filter_map(|it| it.sample.server_epoch);
    let is_one_run = epochs.clone().all(|epoch| Some(epoch) == epochs.clone().next());
    let usable = |outcome: Result<(), Refusal>| matches!(outcome, Ok(()) | Err(Refusal::Contradiction));
    let all = session.recording.exchanges.iter().filter(|it| is_one_run && usable(it.sample.outcome));
    let all: Vec<Exchange> = all.filter_map(|it| it.sample.exchange()).collect();
    let Rate { ppm, doubt } = steady(&all, floor(&all)?)?;
    let words = || {
        let doubt = if doubt >= 0.5 { format!(" (give or take {doubt:.0} ppm)") } else { String::new() };
        format!(
            "The server's clock runs {:.0} ppm {} than this machine's{doubt}. The settings allow \
             {allowed:.0} ppm, so the bound is not guaranteed. Increase client_drift_ppm or \
             server_drift_ppm.",
            ppm.abs(),
            if ppm > 0.0 { "faster" } else { "slower" }
        )
    };
    (ppm.abs() - doubt > allowed).then(|| Verdict { kind: Kind::Rate, stretch: None, words: words() })
}

pub(crate) fn floor(all: &[Exchange]) -> Option<Span> {
    all.iter().map(Exchange::round_trip).min()
}

/// Returns the rate of the server's clock relative to the client's, if the rate is steady. `floor` is the
/// shortest round trip.
pub(crate) fn steady(all: &[Exchange], floor: Span) -> Option<Rate> {
    if all.len() < LEAST {
        return None;
    }
    let shortest = |part: &[Exchange]| part.iter().min_by_key(|it| it.round_trip()).copied();
    let parts: Vec<Exchange> = all.chunks(all.len().div_ceil(PARTS)).filter_map(shortest).collect();
    let pairs = parts.windows(2).map(|pair| between(&pair[0], &pair[1], floor));
    let rates: Vec<Rate> = pairs.collect::<Option<_>>()?;
    let (first, last) = (parts.first()?, parts.last()?);
    let is_long = (last.client_sent - first.client_sent).as_secs_f64() > SHORTEST_S;
    let whole = between(first, last, floor).filter(|_| is_long)?;
    let is_near = |it: &Rate| (it.ppm - whole.ppm).abs() <= STEADY * whole.ppm.abs() + it.doubt + whole.doubt;
    rates.iter().all(is_near).then_some(whole)
}

/// Returns `None` if the exchanges are out of order.
fn between(one: &Exchange, other: &Exchange, floor: Span) -> Option<Rate> {
    // On an unchanged route, a midpoint's error is at most half of the round trip's excess over `floor`.
    let middle = |it: &Exchange| {
        let (up, down) = (it.server_received.ticks() as f64, it.server_sent.ticks() as f64);
        let (sent, received) = (it.client_sent.ticks() as f64, it.client_received.ticks() as f64);
        (f64::midpoint(sent, received), f64::midpoint(up - sent, down - received))
    };
    let ((from, before), (to, after)) = (middle(one), middle(other));
    let above = |it: &Exchange| (it.round_trip() - floor).as_secs_f64();
    let half = f64::midpoint(above(one), above(other));
    let apart = to - from;
    let ppm = |ticks: f64| ticks / apart * 1e6;
    (apart > 0.0).then(|| Rate { ppm: ppm(after - before), doubt: ppm(half * TICKS_PER_S).abs() })
}
