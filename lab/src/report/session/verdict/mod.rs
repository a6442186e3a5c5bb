//! Describes in sentences what happened in a session.
//!
//! A verdict concerns something that players or operators can change, such as the path, the server or the
//! client's machine. A verdict's sentence describes what happened, when, and how it affected the displayed
//! time.

mod client;
mod effect;
mod kind;
mod path;
pub(crate) mod rate;
mod refused;
mod repeated;
mod resolution;
mod rhythm;
mod route;
mod series;

use super::evaluation::{Evaluation, ReadPoint};
use crate::report::length;
use client::{event_verdicts, freezes, other_settings, pauses, several, unordered};
use effect::span_words;
pub use kind::{Kind, Verdict};
use path::queues;
use rate::rate;
use refused::{never_synced, refused};
use repeated::merged;
use resolution::coarse_ms;
use rhythm::{Rhythm, long_round_trips};
use route::routes;
use series::{QUEUE_MS, Series, WINDOW};

/// Before and after a proven step, the bound may be wide for this long, because a step looks like a fast
/// slew.
const WIDE_S: f64 = 60.0;
/// The largest rounding error of true values.
const ROUNDING_MS: f64 = 0.001;

pub(crate) fn verdicts(session: &Evaluation) -> Vec<Verdict> {
    let (rhythm, apart) = (Rhythm::of(session), Series::new(session, &[]).at.len());
    let mut all = Vec::new();
    if !session.recording.round_trips_only {
        all = queues(session);
        all.extend(freezes(session));
        add_unexplained(&mut all, routes(session));
    }
    let is_path = |it: &Verdict, at: f64| match it.kind {
        Kind::Route => true,
        Kind::QueueUp | Kind::QueueDown | Kind::Jitter | Kind::ServerFreeze => it.is_near(at, 60.0),
        _ => false,
    };
    let long = long_round_trips(session, |at| all.iter().any(|it| is_path(it, at)));
    all.extend(long);
    all.extend(pauses(session, &rhythm));
    all.extend(several(session));
    all.extend(rate(session));
    add_unexplained(&mut all, rhythm.outages(session));
    let mut happened = event_verdicts(session);
    // Without server timestamps, only steps of the client's clock can be detected.
    happened.retain(|it| it.kind == Kind::Step || !session.recording.round_trips_only);
    let (wide, happened) = happened.into_iter().partition(|it| it.kind == Kind::WideBound);
    add_unexplained(&mut all, happened);
    add_unexplained(&mut all, wide);
    let is_of_clock = |it: &Verdict, at: f64| {
        it.kind == Kind::Rate || matches!(it.kind, Kind::Step | Kind::Slewed) && it.is_near(at, 60.0)
    };
    let refused = refused(session, |at| all.iter().any(|it| is_of_clock(it, at)));
    all.extend(refused);
    all.extend(unordered(session));
    all.extend(other_settings(session));
    let outside = outside(session, &all);
    all.extend(outside);
    let (first, not_seen) = (never_synced(session), rhythm.not_seen(session, apart));
    completed(first, merged(all), not_seen, || clean(session, &rhythm, apart))
}

/// Lists the problems that this recording would have revealed if they had occurred.
fn clean(session: &Evaluation, rhythm: &Rhythm, apart: usize) -> String {
    let is_fine = coarse_ms(session).is_none_or(|ms| ms < QUEUE_MS);
    let is_path_seen = apart >= WINDOW && !session.recording.round_trips_only && is_fine;
    let path = if is_path_seen {
        format!("no lasting queue or route change of {QUEUE_MS} ms, ")
    } else {
        String::new()
    };
    let clocks = if session.recording.round_trips_only { "" } else { ", no sign of a clock step" };
    format!("Nothing unusual: {path}no outage of {}{clocks}.", length(rhythm.shortest_outage()))
}

/// If nothing was found, adds [`Kind::Clean`].
fn completed(
    first: Option<Verdict>,
    mut all: Vec<Verdict>,
    not_seen: Option<Verdict>,
    clean: impl FnOnce() -> String,
) -> Vec<Verdict> {
    all.sort_by(|a, b| {
        let begin = |it: &Verdict| match (it.kind, it.stretch) {
            (_, Some((from, _))) => from,
            (Kind::Refused, None) => f64::INFINITY,
            _ => -1.0,
        };
        begin(a).total_cmp(&begin(b))
    });
    if all.is_empty() && first.is_none() {
        all.push(Verdict { kind: Kind::Clean, stretch: None, words: clean() });
    }
    first.into_iter().chain(all).chain(not_seen).collect()
}

fn add_unexplained(all: &mut Vec<Verdict>, mut more: Vec<Verdict>) {
    more.retain(|it| !is_explained(it, all));
    all.extend(more);
}

/// Returns whether another verdict explains this one. For example, a pause prevents replies, and each of
/// several servers looks like a restart of the previous one.
fn is_explained(verdict: &Verdict, others: &[Verdict]) -> bool {
    // A large but steady rate difference is not a slew.
    let is_of_rate = matches!(verdict.kind, Kind::Slewed | Kind::WideBound);
    if is_of_rate && others.iter().any(|it| it.kind == Kind::Rate) {
        return true;
    }
    let Some((begin, end)) = verdict.stretch else { return false };
    let touches = |before: f64, after: f64| {
        move |other: &&Verdict| {
            other.stretch.is_some_and(|(from, to)| begin <= to + after && end >= from - before)
        }
    };
    let mut others = others.iter();
    match verdict.kind {
        Kind::Route => others.any(|it| {
            let is_queue = matches!(it.kind, Kind::QueueUp | Kind::QueueDown | Kind::Jitter);
            let way = it.words.split(" became ").next().unwrap_or_default();
            let is_same = it.kind == Kind::Route && verdict.words.starts_with(way);
            (is_queue || is_same) && touches(5.0, 60.0)(&it)
        }),
        Kind::Outage => others.filter(|it| it.kind == Kind::Pause).any(|it| touches(0.0, 0.0)(&it)),
        Kind::WideBound => others.any(|it| {
            let widens = [Kind::Outage, Kind::Pause, Kind::ServerRestart, Kind::Step, Kind::Slewed];
            widens.contains(&it.kind) && touches(WIDE_S, WIDE_S)(&it)
        }),
        Kind::ServerRestart => {
            others.filter(|it| it.kind == Kind::SeveralServers).any(|it| touches(60.0, 0.0)(&it))
        }
        Kind::OutsideBound => others.any(|it| {
            // The bound is guaranteed only if no clock steps and all rates are within the limits in the
            // settings.
            match it.kind {
                Kind::Rate => true,
                Kind::Step | Kind::Slewed => touches(60.0, 60.0)(&it),
                _ => false,
            }
        }),
        _ => false,
    }
}

fn outside(session: &Evaluation, others: &[Verdict]) -> Option<Verdict> {
    let verdict = |from: f64, to: f64, words: String| Verdict {
        kind: Kind::OutsideBound,
        stretch: Some((from, to)),
        words,
    };
    let is_outside = |it: &&ReadPoint| {
        let is_wrong = it.proven.zip(it.bound).is_some_and(|((least, _), bound)| least > bound + ROUNDING_MS);
        session.is_true && is_wrong && !is_explained(&verdict(it.at_s, it.at_s, String::new()), others)
    };
    let outside: Vec<f64> = session.reads.iter().filter(is_outside).map(|it| it.at_s).collect();
    let (from, to) = (*outside.first()?, *outside.last()?);
    let words = format!(
        "{} of {} reads were outside their bound {}.",
        outside.len(),
        session.reads.len(),
        span_words(from, to, session.length_s)
    );
    Some(verdict(from, to, words))
}

#[cfg(test)]
mod sentences;
#[cfg(test)]
mod tests;
