//! Verdicts about servers, clocks, pauses and silence, as the client saw them.

use netclock::{Cause, Degradation, Event, Refusal};

use super::effect::{effect, span_words};
use super::kind::{Kind, Verdict};
use super::rhythm::Rhythm;
use crate::report::session::evaluation::{Evaluation, clock};
use crate::report::session::rerun::Pause;
use crate::report::words::{amount, counted, length};
use netclock_sim::clock::TICKS_PER_MS;
use netclock_sim::measure::figures::{nearest_rank, sorted};

/// After a step, the bound is wide for about this long (s), because a fast slew would look the same.
const STEP_DOUBT_S: f64 = 40.0;
/// A server stood still if it held a request for this long (ms) and this many times longer than usual.
const FREEZE_MS: f64 = 100.0;
const FREEZE_USUAL: f64 = 5.0;
/// If the server provides no stamps of its own, at least this many requests and this share of them must have
/// waited.
const LEAST_FROZEN: usize = 5;
const FROZEN: f64 = 0.02;
/// Share of replies to unknown requests that is reported.
const COPIES: f64 = 0.01;
/// A smaller number of them is not reported.
const LEAST_COPIES: usize = 5;

/// Verdicts about the client's own events.
pub(super) fn happenings(session: &Evaluation) -> Vec<Verdict> {
    let mut all = Vec::new();
    let events = &session.rerun.events;
    let is_step = |it: Event| matches!(it, Event::Discontinuity { cause: Cause::ProvenStep, .. });
    let stepped = |before: f64| {
        let mut steps = events.iter().filter(|it| is_step(it.event)).map(|it| session.seconds(it.local));
        steps.any(|step| (0.0..STEP_DOUBT_S).contains(&(before - step)))
    };
    for (index, told) in events.iter().enumerate() {
        let from = session.seconds(told.local);
        // The latest exchange before the event, and the end of the degradation.
        let heard = session
            .exchanges
            .iter()
            .map(|it| it.arrived_s)
            .filter(|&it| it < from)
            .fold(0.0, f64::max)
            .min(from);
        let ended = events[index..].iter().find(|it| it.event == Event::Recovered);
        let until = ended.map_or(session.length_s, |it| session.seconds(it.local)).max(from);
        let at = clock(from);
        let (kind, stretch, words) = match told.event {
            Event::Discontinuity { cause: Cause::ServerRestart, .. } => {
                let words =
                    format!("The server's clock started again before {at}: the clock follows the new run.");
                (Kind::ServerRestart, (heard, from), words)
            }
            Event::Discontinuity { cause: Cause::ProvenStep, .. } => {
                let (by, effect) = (amount(moved(session, from)), effect(session, heard - 60.0, from));
                let words =
                    format!("A clock was set, by {by} or so; two exchanges prove it at {at}. {effect}");
                (Kind::Step, (heard, from), words)
            }
            Event::Discontinuity { cause: Cause::LocalStep, .. } => {
                let is_local = |it: Event| matches!(it, Event::Discontinuity { cause: Cause::LocalStep, .. });
                let mut earlier = events[..index].iter().filter(|it| is_local(it.event));
                if earlier.any(|it| from - session.seconds(it.local) < STEP_DOUBT_S) {
                    continue;
                }
                let words = format!("This machine's clock was set back at {at}. Use a monotonic clock.");
                (Kind::Step, (heard, from), words)
            }
            Event::Degraded(Degradation::Slewed) => {
                let wrong = if session.has_impossible() { ", or stamps are wrong, as some are" } else { "" };
                let words = format!(
                    "The exchanges contradict the allowed rates at {at}: a clock is slewed faster than the \
                     settings allow, or was set by less than a round trip{wrong}. The bound is wider. Raise \
                     client_drift_ppm or server_drift_ppm, or read a clock that is neither slewed nor set."
                );
                (Kind::Slewed, (from, until), words)
            }
            Event::Degraded(Degradation::BoundAboveTarget) if !stepped(from) => {
                let words = format!(
                    "The error bound exceeded its target at {at}: the path is long, or replies are rare."
                );
                (Kind::WideBound, (from, until), words)
            }
            _ => continue,
        };
        all.push(Verdict { kind, stretch: Some(stretch), words });
    }
    all
}

/// How far the difference between the clocks moved at a proven step (ms). The shown time may not have moved
/// at all. The step was proved by two exchanges, of which the second was used at `proved_s`.
fn moved(session: &Evaluation, proved_s: f64) -> f64 {
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

/// Reports a server that stood still: it held requests for long by its own stamps, or received several at one
/// instant.
pub(super) fn freezes(session: &Evaluation) -> Option<Verdict> {
    let accepted = || session.exchanges.iter().filter(|it| it.outcome.is_ok());
    let holds = || accepted().map(|it| (it.sent_s, it.held.max(it.at_once), it.held >= it.at_once));
    let usual = nearest_rank(&sorted(holds().map(|it| it.1)), 0.5)?;
    let long: Vec<_> = holds().filter(|it| it.1 > FREEZE_MS.max(FREEZE_USUAL * usual)).collect();
    let from = long.iter().map(|it| it.0).reduce(f64::min)?;
    let to = long.iter().map(|it| it.0 + it.1 / 1e3).fold(from, f64::max);
    let most = long.iter().map(|it| it.1).fold(0.0, f64::max);
    // Only the server's own stamps distinguish its program from a sleeping radio.
    let is_often = long.len() >= LEAST_FROZEN && long.len() as f64 >= FROZEN * accepted().count() as f64;
    let who = match (long.iter().any(|it| it.2), is_often) {
        (true, _) => "The server",
        (false, true) => "The server, or a radio on the way to it,",
        (false, false) => return None,
    };
    let again = if (to - from) * 1e3 > 2.0 * most { " again and again" } else { "" };
    let words = format!(
        "{who} stood still{again} {}: {} waited there, for up to {}. {}",
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
            ("a suspended machine, a stopped program", clock(to), length((after - before).as_secs_f64()));
        let what = if is_noted {
            format!("The client resumed at {at} after it stood still for {long} ({what}).")
        } else {
            format!(
                "The client asked again in a burst at {at}, after {long} without replies: it had stood still \
                 ({what}), or the network let nothing through."
            )
        };
        let words = format!("{what} {}", effect(session, to + 1.0, to + 60.0));
        Verdict { kind: Kind::Pause, stretch: Some((from, to)), words }
    };
    let is_news =
        |it: &&Pause| it.is_noted || rhythm.is_unusual(session.seconds(it.before), session.seconds(it.after));
    session.rerun.pauses.iter().filter(is_news).map(words).collect()
}

pub(super) fn copies(session: &Evaluation) -> Option<Verdict> {
    let (unknown, exchanges) = (session.unknown, session.recording.exchanges.len());
    (unknown as f64 > COPIES * exchanges as f64 && unknown >= LEAST_COPIES).then(|| Verdict {
        kind: Kind::Copies,
        stretch: None,
        words: format!(
            "{unknown} of {exchanges} replies answer no request that still waits: the network copies \
             datagrams, or replies were very late. They changed nothing."
        ),
    })
}

/// Reports several servers at one address.
pub(super) fn several(session: &Evaluation) -> Option<Verdict> {
    let others = session.exchanges.iter().filter(|it| it.outcome == Err(Refusal::SeveralServers));
    let others: Vec<f64> = others.map(|said| said.arrived_s).collect();
    let (from, to) = (*others.first()?, *others.last()?);
    let words = format!(
        "Several servers with different clocks answer at this address, {}: a load balancer? The client \
         followed one and refused {} replies of others. Give each server an address of its own.",
        span_words(from, to, session.length_s),
        others.len()
    );
    Some(Verdict { kind: Kind::SeveralServers, stretch: Some((from, to)), words })
}

pub(super) fn other_settings(session: &Evaluation) -> Option<Verdict> {
    let (differing, exchanges) = (session.rerun.differing, session.recording.exchanges.len());
    let words = format!(
        "{differing} of {exchanges} exchanges end otherwise than recorded: the recorded client had other \
         settings, or knew something from before. The page is about a client with default settings."
    );
    (differing > 0).then_some(Verdict { kind: Kind::OtherSettings, stretch: None, words })
}

/// Reports lines that were not in the order in which a client handles exchanges.
pub(super) fn unordered(session: &Evaluation) -> Option<Verdict> {
    let words = format!(
        "{} came before the one of the line above: the lines were sorted by arrival.",
        counted(session.moved, "reply").replace("replys", "replies")
    );
    (session.moved > 0).then_some(Verdict { kind: Kind::Unordered, stretch: None, words })
}
