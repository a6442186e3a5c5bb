//! What happened in a session, in plain words.
//!
//! A verdict is about something that a player or an operator can act on: the path, the server, the client's machine. It says
//! what was seen, when, and whether the shown time suffered.

use netclock::{Cause, Config, Degradation, Direction, Event, Refusal};
use serde::Serialize;

use super::look::{Look, clock, length, quantile, seconds};
use crate::report::page::{Finding, Weight};
use crate::report::words::ms;

/// The kinds of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nothing below happened.
    Clean,
    /// Messages waited in a queue on the way to the server.
    QueueUp,
    /// Messages waited in a queue on the way to the client.
    QueueDown,
    /// Delays of both directions vary much.
    Jitter,
    /// The way of one direction became longer or shorter for good.
    Route,
    /// No replies came for a while.
    Outage,
    /// The program or its machine stood still.
    Pause,
    /// The server's clock started again.
    ServerRestart,
    /// A clock was set.
    Step,
    /// A clock is slewed by more than the settings allow.
    Slewed,
    /// The two clocks' rates differ by more than the bound allows for.
    Rate,
    /// Several servers answer at one address.
    SeveralServers,
    /// Replies came that answer no known request.
    Copies,
    /// The path is so long that the bound exceeds its target.
    WideBound,
    /// The clock does not end exchanges as the recording says.
    OtherSettings,
    /// A promise was broken: the truth was outside the bound.
    OutsideBound,
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// What happened.
    pub kind: Kind,
    /// When (s since the start), if it did not happen all the time.
    pub stretch: Option<(f64, f64)>,
    /// What happened, in words.
    pub words: String,
}

/// Delays this far above the smallest one are a queue (ms) ...
const QUEUE_MS: f64 = 20.0;
/// ... if they are this many times what the quieter direction usually shows, ...
const ABOVE_USUAL: f64 = 3.0;
/// ... and if those of the other direction vary less by this factor. Otherwise they are jitter.
const ONE_SIDED: f64 = 3.0;
/// Exchanges in which a queue is looked for. They are at least this far apart (s).
const WINDOW: usize = 16;
const APART_S: f64 = 0.25;
/// The share of the delays of a window that a queue's size is not above.
const SHARE: f64 = 0.8;
/// Verdicts of one kind that are less apart than this are one (s).
const TOGETHER_S: f64 = 90.0;
/// Largest error of a clock that was not affected (ms), whatever it expects ...
const UNAFFECTED_MS: f64 = 1.0;
/// ... or this many times the error that it expects.
const UNAFFECTED_SIGMAS: f64 = 4.0;
/// A shorter time without replies is chance on a path that loses some (s).
const OUTAGE_S: f64 = 30.0;
/// Share of replies to no known request that is worth a word.
const COPIES: f64 = 0.01;
/// Fewer are no news.
const LEAST_COPIES: usize = 5;
/// Errors of the first seconds say nothing about what happens later (s).
const SETTLED_S: f64 = 30.0;
/// Errors beyond the bound by less than this are rounding of the truth (ms).
const ROUNDING_MS: f64 = 0.001;

/// The verdicts about a session, in order of time.
pub(crate) fn verdicts(look: &Look, config: &Config) -> Vec<Verdict> {
    let mut all = queues(look);
    all.extend(routes(look).into_iter().filter(|it| !is_explained(it, &all)).collect::<Vec<_>>());
    all.extend(pauses(look));
    all.extend(several(look));
    all.extend(happenings(look).into_iter().filter(|it| !is_explained(it, &all)).collect::<Vec<_>>());
    all.extend(
        rate(look, config)
            .into_iter()
            .filter(|_| !all.iter().any(|it| it.kind == Kind::Slewed))
            .collect::<Vec<_>>(),
    );
    all.extend(copies(look));
    all.extend(other_settings(look));
    let outside = outside(look, &all);
    all.extend(outside);
    all.sort_by(|a, b| {
        let begin = |it: &Verdict| it.stretch.map_or(-1.0, |stretch| stretch.0);
        begin(a).total_cmp(&begin(b))
    });
    if all.is_empty() {
        let words =
            "Nothing unusual: no queue, no change of the route, no outage, no clock was set.".to_owned();
        all.push(Verdict { kind: Kind::Clean, stretch: None, words });
    }
    all
}

/// True if one of the other verdicts says already what this one would: a queue moves levels, a pause lets replies stay away,
/// and of several servers each looks like a restart of the one before.
fn is_explained(verdict: &Verdict, others: &[Verdict]) -> bool {
    let Some((begin, end)) = verdict.stretch else { return false };
    let touches = |before: f64, after: f64| {
        move |other: &&Verdict| {
            other.stretch.is_some_and(|(from, to)| begin <= to + after && end >= from - before)
        }
    };
    let mut others = others.iter();
    match verdict.kind {
        Kind::Route => others
            .filter(|it| matches!(it.kind, Kind::QueueUp | Kind::QueueDown | Kind::Jitter))
            .any(|it| touches(5.0, 60.0)(&it)),
        Kind::Outage => others.filter(|it| it.kind == Kind::Pause).any(|it| touches(0.0, 0.0)(&it)),
        Kind::ServerRestart => {
            others.filter(|it| it.kind == Kind::SeveralServers).any(|it| touches(60.0, 0.0)(&it))
        }
        Kind::OutsideBound => others.any(|it| {
            // The bound is a promise while neither clock steps and rates are within what is allowed.
            match it.kind {
                Kind::Rate => true,
                Kind::Step | Kind::Slewed => touches(60.0, 60.0)(&it),
                _ => false,
            }
        }),
        _ => false,
    }
}

impl Verdict {
    /// The verdict for a page.
    pub(crate) fn finding(&self) -> Finding {
        let weight = match self.kind {
            Kind::Clean => Weight::Fine,
            Kind::OutsideBound => Weight::Fault,
            Kind::Step | Kind::Slewed | Kind::Rate | Kind::SeveralServers | Kind::OtherSettings => {
                Weight::Warning
            }
            _ => Weight::Note,
        };
        Finding::new(weight, self.words.clone(), self.stretch)
    }
}

/// Whether the shown time suffered in a stretch, in words.
fn effect(look: &Look, from: f64, to: f64) -> String {
    let from = if to > 2.0 * SETTLED_S { from.max(SETTLED_S) } else { from };
    let within = look.shown.iter().filter(|shown| (from..=to).contains(&shown.at_s));
    let expected = within.filter_map(|shown| shown.expected).fold(0.0, f64::max);
    match look.largest_error(from, to) {
        None => "What it did to the clock is not known.".to_owned(),
        Some(error) if error <= UNAFFECTED_MS.max(UNAFFECTED_SIGMAS * expected) => {
            format!("The clock was not affected: it stayed within {} ms.", ms(error))
        }
        Some(error) => format!("The shown time was off by up to {} ms.", ms(error)),
    }
}

fn span_words(from: f64, to: f64, whole: f64) -> String {
    if from < 0.02 * whole && to > 0.98 * whole {
        "all the time".to_owned()
    } else {
        format!("from {} to {}", clock(from), clock(to))
    }
}

/// The variation of the delays in a window of exchanges.
struct Window {
    from: f64,
    to: f64,
    /// To the server, to the client (ms).
    excess: [f64; 2],
}

fn windows(look: &Look) -> Vec<Window> {
    let mut apart: Vec<(f64, [f64; 2])> = Vec::new();
    for said in look.said.iter().filter(|said| said.outcome.is_ok()) {
        if apart.last().is_none_or(|last| said.sent_s - last.0 >= APART_S) {
            apart.push((said.sent_s, [said.up, said.down]));
        }
    }
    let window = |part: &[(f64, [f64; 2])]| {
        let excess = |way: usize| {
            let mut delays: Vec<f64> = part.iter().map(|it| it.1[way]).collect();
            let least = delays.iter().copied().fold(f64::INFINITY, f64::min);
            quantile(&mut delays, SHARE).map_or(0.0, |high| high - least)
        };
        Window { from: part[0].0, to: part[part.len() - 1].0, excess: [excess(0), excess(1)] }
    };
    // A window in which the route changed is as wide as the change.
    let changes = &look.rerun.changes;
    let straddles = |it: &Window| {
        changes.iter().map(|change| look.seconds(change.since)).any(|since| it.from < since && since <= it.to)
    };
    apart.windows(WINDOW).map(window).filter(|window| !straddles(window)).collect()
}

/// Queues and jitter: stretches of time in which delays vary much.
fn queues(look: &Look) -> Vec<Verdict> {
    let windows = windows(look);
    let mut usual: Vec<f64> = windows.iter().map(|it| it.excess[0].min(it.excess[1])).collect();
    let least = quantile(&mut usual, 0.5).map_or(QUEUE_MS, |usual| QUEUE_MS.max(ABOVE_USUAL * usual));
    let kind_of = |window: &Window| {
        let [up, down] = window.excess;
        match (up >= least, down >= least) {
            (true, _) if up >= ONE_SIDED * down => Some((Kind::QueueUp, up)),
            (_, true) if down >= ONE_SIDED * up => Some((Kind::QueueDown, down)),
            _ if up.min(down) >= QUEUE_MS => Some((Kind::Jitter, up.max(down))),
            _ => None,
        }
    };
    let mut found: Vec<(Kind, f64, f64, f64)> = Vec::new();
    for window in windows {
        let Some((kind, size)) = kind_of(&window) else { continue };
        match found.iter_mut().rfind(|it| it.0 == kind) {
            Some(it) if window.from <= it.2 + TOGETHER_S => (it.2, it.3) = (window.to, it.3.max(size)),
            _ => found.push((kind, window.from, window.to, size)),
        }
    }
    let verdict = |(kind, from, to, size)| {
        let (from, to) = narrowed(look, kind, from, to, size);
        let when = span_words(from, to, look.length_s);
        let what = match kind {
            Kind::QueueUp => {
                format!("Uplink queue {when}: most messages to the server waited up to {} ms.", ms(size))
            }
            Kind::QueueDown => {
                format!("Downlink queue {when}: most messages to the client waited up to {} ms.", ms(size))
            }
            _ => format!("Strong jitter in both directions {when}: delays vary by {} ms.", ms(size)),
        };
        Verdict { kind, stretch: Some((from, to)), words: format!("{what} {}", effect(look, from, to)) }
    };
    found.into_iter().map(verdict).collect()
}

/// The stretch from the first to the last exchange that waited.
fn narrowed(look: &Look, kind: Kind, from: f64, to: f64, size: f64) -> (f64, f64) {
    let within: Vec<(f64, f64)> = look
        .said
        .iter()
        .filter(|said| said.outcome.is_ok() && (from..=to).contains(&said.sent_s))
        .map(|said| (said.sent_s, if kind == Kind::QueueDown { said.down } else { said.up }))
        .collect();
    let least = within.iter().map(|it| it.1).fold(f64::INFINITY, f64::min);
    let mut waited = within.iter().filter(|it| it.1 - least > size / 4.0).map(|it| it.0);
    let first = waited.next();
    (first.unwrap_or(from), waited.next_back().or(first).unwrap_or(to))
}

/// Lasting changes of the delays.
fn routes(look: &Look) -> Vec<Verdict> {
    let words = |change: &netclock::latency::LatencyChange| {
        let from = look.seconds(change.since);
        let to = look.seconds(change.found) + 60.0;
        let way = match change.direction {
            Direction::ToServer => "The way to the server",
            Direction::ToClient => "The way to the client",
        };
        let by = (change.after - change.before).as_millis_f64();
        let words = format!(
            "{way} became {} ms {} at {} (from {} to {} ms). {}",
            ms(by.abs()),
            if by > 0.0 { "longer" } else { "shorter" },
            clock(from),
            ms(change.before.as_millis_f64()),
            ms(change.after.as_millis_f64()),
            effect(look, from, to)
        );
        Verdict { kind: Kind::Route, stretch: Some((from, to.min(look.length_s))), words }
    };
    look.rerun.changes.iter().map(words).collect()
}

/// What the client itself reported.
fn happenings(look: &Look) -> Vec<Verdict> {
    let mut all = Vec::new();
    for (at, told) in look.events.iter().enumerate() {
        let from = told.at_s;
        // The newest exchange before, and the end of what is degraded.
        let heard = look.said.iter().map(|it| it.arrived_s).filter(|&it| it < from).fold(0.0, f64::max);
        let ended = look.events[at..].iter().find(|it| it.event == Event::Recovered).map(|it| it.at_s);
        let until = ended.unwrap_or(look.length_s);
        let (kind, stretch, what) = match told.event {
            Event::Discontinuity { cause: Cause::ServerRestart, .. } => (
                Kind::ServerRestart,
                (heard, from),
                format!(
                    "The server's clock started again before {}: the clock follows the new run.",
                    clock(from)
                ),
            ),
            Event::Discontinuity { cause: Cause::ProvenStep, jump, .. } => (
                Kind::Step,
                (heard, from),
                format!(
                    "A clock was set, by {} ms or so; two exchanges prove it at {}. {}",
                    ms(jump.as_millis_f64().abs()),
                    clock(from),
                    effect(look, heard - 60.0, from)
                ),
            ),
            Event::Discontinuity { cause: Cause::LocalStep, .. } => (
                Kind::Step,
                (heard, from),
                format!("This machine's clock was set back at {}. Use a monotonic clock.", clock(from)),
            ),
            Event::Degraded(Degradation::NoReplies) => {
                // Whatever follows, replies came again with the next exchange.
                let back = look.said.iter().map(|it| it.arrived_s).find(|&it| it > from);
                let until = back.unwrap_or(look.length_s);
                if until - heard < OUTAGE_S {
                    continue;
                }
                let end = if back.is_some() { "" } else { ", and none came again" };
                let what = format!(
                    "No replies for {}, from {}{end}: the clock ran on the rate that it had learned. {}",
                    length(until - heard),
                    clock(heard),
                    effect(look, heard, until)
                );
                (Kind::Outage, (heard, until), what)
            }
            Event::Degraded(Degradation::Slewed) => (
                Kind::Slewed,
                (from, until),
                format!(
                    "Someone slews a clock faster than the settings allow, at {}: the bound is wider. Raise \
                     client_drift_ppm or server_drift_ppm, or read a clock that nobody slews.",
                    clock(from)
                ),
            ),
            Event::Degraded(Degradation::BoundAboveTarget) => (
                Kind::WideBound,
                (from, until),
                format!(
                    "The error bound exceeded its target at {}: the path is long, or replies are rare.",
                    clock(from)
                ),
            ),
            _ => continue,
        };
        all.push(Verdict { kind, stretch: Some(stretch), words: what });
    }
    all
}

fn pauses(look: &Look) -> Vec<Verdict> {
    let words = |&(before, after): &(netclock::LocalTime, netclock::LocalTime)| {
        let (from, to) = (look.seconds(before), look.seconds(after));
        let words = format!(
            "The client resumed at {} after it stood still for {} (a suspended machine, a paused program): it asked again at \
             once. {}",
            clock(to),
            length(seconds(after - before)),
            effect(look, to + 1.0, to + 60.0)
        );
        Verdict { kind: Kind::Pause, stretch: Some((from, to)), words }
    };
    look.rerun.pauses.iter().map(words).collect()
}

/// Rates that differ too much.
fn rate(look: &Look, config: &Config) -> Option<Verdict> {
    let allowed = config.client_drift_ppm + config.server_drift_ppm;
    let mut late: Vec<f64> =
        look.shown.iter().filter(|it| it.at_s > 30.0).map(|shown| shown.rate_ppm.abs()).collect();
    let typical = quantile(&mut late, 0.5)?;
    (typical > allowed).then(|| Verdict {
        kind: Kind::Rate,
        stretch: None,
        words: format!(
            "The two clocks' rates differ by {typical:.0} ppm. The bound allows for {allowed:.0} ppm, so it is no \
             promise here. Raise client_drift_ppm or server_drift_ppm."
        ),
    })
}

fn copies(look: &Look) -> Option<Verdict> {
    let share = look.unknown as f64 / look.exchanges.max(1) as f64;
    (share > COPIES && look.unknown >= LEAST_COPIES).then(|| Verdict {
        kind: Kind::Copies,
        stretch: None,
        words: format!(
            "{} of {} replies answer no request that still waits: the network copies datagrams, or replies were very \
             late. They changed nothing.",
            look.unknown, look.exchanges
        ),
    })
}

fn several(look: &Look) -> Option<Verdict> {
    let refused: Vec<f64> = look
        .said
        .iter()
        .filter(|it| it.outcome == Err(Refusal::SeveralServers))
        .map(|it| it.arrived_s)
        .collect();
    let (from, to) = (*refused.first()?, *refused.last()?);
    Some(Verdict {
        kind: Kind::SeveralServers,
        stretch: Some((from, to)),
        words: format!(
            "Several servers with different clocks answer at this address, {}: a load balancer? The client followed \
             one and refused {} replies of others. Give each server an address of its own.",
            span_words(from, to, look.length_s),
            refused.len()
        ),
    })
}

fn other_settings(look: &Look) -> Option<Verdict> {
    let differing = look.rerun.differing.len();
    (differing > 0).then(|| Verdict {
        kind: Kind::OtherSettings,
        stretch: None,
        words: format!(
            "{differing} of {} exchanges end otherwise than recorded: the recorded client had other settings, or \
             knew something from before.",
            look.exchanges
        ),
    })
}

/// Reads whose truth was outside their bound although nothing excuses it. Only the truth can tell.
fn outside(look: &Look, others: &[Verdict]) -> Option<Verdict> {
    let verdict = |from: f64, to: f64, words: String| Verdict {
        kind: Kind::OutsideBound,
        stretch: Some((from, to)),
        words,
    };
    let is_outside = |it: &&super::look::Shown| {
        let is_wrong = it.error.zip(it.bound).is_some_and(|(error, bound)| error.abs() > bound + ROUNDING_MS);
        look.is_true && is_wrong && !is_explained(&verdict(it.at_s, it.at_s, String::new()), others)
    };
    let outside: Vec<f64> = look.shown.iter().filter(is_outside).map(|it| it.at_s).collect();
    let (from, to) = (*outside.first()?, *outside.last()?);
    let words = format!(
        "{} of {} reads were further from the truth than their bound, {}.",
        outside.len(),
        look.shown.len(),
        span_words(from, to, look.length_s)
    );
    Some(verdict(from, to, words))
}
