use netclock::{Cause, Degradation, Event, Refusal};

use super::effect::{effect, span_words};
use super::kind::{Kind, Verdict};
use super::rhythm::Rhythm;
use crate::report::{Evaluation, Pause, amount, clock, counted, length};
use netclock_sim::{TICKS_PER_MS, nearest_rank, sorted};

/// After a step, the bound stays wide for this long, because a fast slew looks the same.
const STEP_DOUBT_S: f64 = 40.0;
/// The shortest hold time of a freeze, in milliseconds and as a multiple of the usual hold time.
const FREEZE_MS: f64 = 100.0;
const FREEZE_USUAL: f64 = 5.0;
/// Unless hold times prove a freeze, at least this number and this share of requests must be late.
const LEAST_FROZEN: usize = 5;
const FROZEN: f64 = 0.02;

pub(super) fn event_verdicts(session: &Evaluation) -> Vec<Verdict> {
    let mut all = Vec::new();
    let events = &session.rerun.events;
    let is_step = |it: Event| matches!(it, Event::Discontinuity { cause: Cause::ProvenStep, .. });
    let stepped = |before: f64| {
        let mut steps = events.iter().filter(|it| is_step(it.event)).map(|it| session.seconds(it.local));
        steps.any(|step| (0.0..STEP_DOUBT_S).contains(&(before - step)))
    };
    for (index, timed) in events.iter().enumerate() {
        let from = session.seconds(timed.local);
        let last_exchange = session
            .exchanges
            .iter()
            .map(|it| it.arrived_s)
            .filter(|&it| it < from)
            .fold(0.0, f64::max)
            .min(from);
        let ended = events[index..].iter().find(|it| it.event == Event::Recovered);
        let until = ended.map_or(session.length_s, |it| session.seconds(it.local)).max(from);
        let at = clock(from);
        let (kind, stretch, words) = match timed.event {
            Event::Discontinuity { cause: Cause::ServerRestart, .. } => {
                let words = format!(
                    "The server's clock restarted before {at}, and the client follows its new epoch."
                );
                (Kind::ServerRestart, (last_exchange, from), words)
            }
            Event::Discontinuity { cause: Cause::ProvenStep, .. } => {
                let by = amount(step_size(session, from));
                let effect = effect(session, last_exchange - 60.0, from);
                let words =
                    format!("A clock was set by about {by}, which two exchanges proved at {at}. {effect}");
                (Kind::Step, (last_exchange, from), words)
            }
            Event::Discontinuity { cause: Cause::LocalStep, .. } => {
                let is_local = |it: Event| matches!(it, Event::Discontinuity { cause: Cause::LocalStep, .. });
                let mut earlier = events[..index].iter().filter(|it| is_local(it.event));
                if earlier.any(|it| from - session.seconds(it.local) < STEP_DOUBT_S) {
                    continue;
                }
                let words = format!("This machine's clock was set back at {at}. Use a monotonic clock.");
                (Kind::Step, (last_exchange, from), words)
            }
            Event::Degraded(Degradation::Slewed) => {
                let wrong = if session.has_impossible() {
                    ", or more timestamps are wrong than those that were rejected"
                } else {
                    ""
                };
                let words = format!(
                    "The exchanges contradicted the allowed rates at {at}. A clock was slewed faster than \
                     the settings allow, or was set by less than a round trip{wrong}. The bound was widened. \
                     Increase client_drift_ppm or server_drift_ppm, or read a clock that is not adjusted."
                );
                (Kind::Slewed, (from, until), words)
            }
            Event::Degraded(Degradation::BoundAboveTarget) if !stepped(from) => {
                let words = format!(
                    "The error bound exceeded its target at {at} because the path is long or replies are \
                     rare."
                );
                (Kind::WideBound, (from, until), words)
            }
            _ => continue,
        };
        all.push(Verdict { kind, stretch: Some(stretch), words });
    }
    all
}

/// Measures the size of a step (ms) from the exchanges, because the displayed time may not have followed the
/// step. Two exchanges proved the step, and `proved_s` is the arrival time of the second.
fn step_size(session: &Evaluation, proved_s: f64) -> f64 {
    const NEAR: usize = 8;
    let differences: Vec<(f64, f64)> = (session.recording.exchanges.iter())
        .filter_map(|it| it.sample.exchange())
        .map(|it| {
            let there = i128::from(it.server_received.ticks()) + i128::from(it.server_sent.ticks());
            let here = i128::from(it.client_sent.ticks()) + i128::from(it.client_received.ticks());
            (session.seconds(it.client_received), (there - here) as f64 / 2.0 / TICKS_PER_MS)
        })
        .collect();
    let second = differences.partition_point(|it| it.0 < proved_s);
    let middle = |part: &[(f64, f64)]| nearest_rank(&sorted(part.iter().map(|it| it.1)), 0.5);
    let before = middle(&differences[second.saturating_sub(NEAR + 2)..second.saturating_sub(2)]);
    let after = middle(&differences[second.min(differences.len())..(second + NEAR).min(differences.len())]);
    before.zip(after).map_or(0.0, |(before, after)| (after - before).abs())
}

pub(super) fn freezes(session: &Evaluation) -> Option<Verdict> {
    let accepted = || session.exchanges.iter().filter(|it| it.outcome.is_ok());
    let holds = || accepted().map(|it| (it.sent_s, it.held.max(it.at_once), it.held >= it.at_once));
    let usual = nearest_rank(&sorted(holds().map(|it| it.1)), 0.5)?;
    let long: Vec<_> = holds().filter(|it| it.1 > FREEZE_MS.max(FREEZE_USUAL * usual)).collect();
    let from = long.iter().map(|it| it.0).reduce(f64::min)?;
    let to = long.iter().map(|it| it.0 + it.1 / 1e3).fold(from, f64::max);
    let most = long.iter().map(|it| it.1).fold(0.0, f64::max);
    // A sleeping radio can delay requests in the same way, but it cannot lengthen hold times.
    let is_often = long.len() >= LEAST_FROZEN && long.len() as f64 >= FROZEN * accepted().count() as f64;
    let who = match (long.iter().any(|it| it.2), is_often) {
        (true, _) => "The server",
        (false, true) => "The server, or a radio on the path to it,",
        (false, false) => return None,
    };
    let again = if (to - from) * 1e3 > 2.0 * most { " again and again" } else { "" };
    let words = format!(
        "{who} froze{again} {}, and {} waited for up to {}. {}",
        span_words(from, to, session.length_s),
        counted(long.len(), "request"),
        amount(most),
        effect(session, from, to)
    );
    Some(Verdict { kind: Kind::ServerFreeze, stretch: Some((from, to)), words })
}

pub(super) fn pauses(session: &Evaluation, rhythm: &Rhythm) -> Vec<Verdict> {
    let words = |&Pause { before, after, is_noted }: &Pause| {
        let (from, to) = (session.seconds(before), session.seconds(after));
        let (what, at, long) =
            ("a suspended machine or a stopped program", clock(to), length((after - before).as_secs_f64()));
        let what = if is_noted {
            format!("The client resumed at {at} after it did not run for {long} ({what}).")
        } else {
            format!(
                "The client sent a burst at {at}, after {long} without replies. It had not run ({what}), or \
                 the network had dropped everything."
            )
        };
        let words = format!("{what} {}", effect(session, to + 1.0, to + 60.0));
        Verdict { kind: Kind::Pause, stretch: Some((from, to)), words }
    };
    let is_news =
        |it: &&Pause| it.is_noted || rhythm.is_unusual(session.seconds(it.before), session.seconds(it.after));
    session.rerun.pauses.iter().filter(is_news).map(words).collect()
}

pub(super) fn several(session: &Evaluation) -> Option<Verdict> {
    let others = session.exchanges.iter().filter(|it| it.outcome == Err(Refusal::SeveralServers));
    let others: Vec<f64> = others.map(|it| it.arrived_s).collect();
    let (from, to) = (*others.first()?, *others.last()?);
    let words = format!(
        "Several servers with different clocks replied from this address {}, maybe behind a load balancer. \
         The client followed one and rejected {} replies from others. Give each server its own address.",
        span_words(from, to, session.length_s),
        others.len()
    );
    Some(Verdict { kind: Kind::SeveralServers, stretch: Some((from, to)), words })
}

pub(super) fn other_settings(session: &Evaluation) -> Option<Verdict> {
    let (differing, exchanges) = (session.rerun.differing, session.recording.exchanges.len());
    let words = format!(
        "{differing} of {exchanges} exchanges have a different result than recorded, because the recorded \
         client had different settings or an earlier state. This report is about a client with default \
         settings."
    );
    (differing > 0).then_some(Verdict { kind: Kind::OtherSettings, stretch: None, words })
}

pub(super) fn unordered(session: &Evaluation) -> Option<Verdict> {
    let words = format!(
        "{} arrived before the reply in the preceding line, so the lines were sorted by arrival.",
        counted(session.moved, "reply").replace("replys", "replies")
    );
    (session.moved > 0).then_some(Verdict { kind: Kind::Unordered, stretch: None, words })
}
