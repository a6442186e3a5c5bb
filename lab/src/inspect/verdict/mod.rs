//! What happened in a session, in plain words.
//!
//! A verdict is about something that a player or an operator can act on: the path, the server, the client's
//! machine. It says what was seen, when, and whether the shown time suffered.

mod client;
mod effect;
mod kind;
mod path;

use netclock::Config;

use super::look::{Look, Shown};
use client::{copies, freezes, happenings, other_settings, pauses, rate, several};
use effect::span_words;
pub use kind::{Kind, Verdict};
use path::{queues, routes};

/// Errors beyond the bound by less than this are rounding of the truth (ms).
const ROUNDING_MS: f64 = 0.001;

/// The verdicts about a session, in order of time.
pub(crate) fn verdicts(look: &Look, config: &Config) -> Vec<Verdict> {
    let mut all = queues(look);
    all.extend(freezes(look));
    add_unexplained(&mut all, routes(look));
    all.extend(pauses(look));
    all.extend(several(look));
    add_unexplained(&mut all, happenings(look));
    add_unexplained(&mut all, rate(look, config).into_iter().collect());
    all.extend(copies(look));
    all.extend(other_settings(look));
    let outside = outside(look, &all);
    all.extend(outside);
    completed(all)
}

/// In order of time, or the verdict that nothing happened.
fn completed(mut all: Vec<Verdict>) -> Vec<Verdict> {
    all.sort_by(|a, b| {
        let begin = |it: &Verdict| it.stretch.map_or(-1.0, |stretch| stretch.0);
        begin(a).total_cmp(&begin(b))
    });
    if all.is_empty() {
        let words = "Nothing unusual: no queue, no change of the route, no outage of 30 s, no clock was set."
            .to_owned();
        all.push(Verdict { kind: Kind::Clean, stretch: None, words });
    }
    all
}

/// Adds those that the verdicts so far do not explain.
fn add_unexplained(all: &mut Vec<Verdict>, mut more: Vec<Verdict>) {
    more.retain(|it| !is_explained(it, all));
    all.extend(more);
}

/// True if one of the other verdicts says already what this one would. A queue moves levels, and a pause lets
/// replies stay away. Of several servers, each looks like a restart of the one before.
fn is_explained(verdict: &Verdict, others: &[Verdict]) -> bool {
    // A rate that is learned while a clock is slewed is that of the slew.
    if verdict.kind == Kind::Rate {
        return others.iter().any(|it| it.kind == Kind::Slewed);
    }
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

/// Reads whose truth was outside their bound although nothing excuses it. Only the truth can tell.
fn outside(look: &Look, others: &[Verdict]) -> Option<Verdict> {
    let verdict = |from: f64, to: f64, words: String| Verdict {
        kind: Kind::OutsideBound,
        stretch: Some((from, to)),
        words,
    };
    let is_outside = |it: &&Shown| {
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

#[cfg(test)]
mod tests {
    use netclock::Refusal;

    use super::super::reference::{Line, Reference};
    use super::super::simulate::{Simulated, simulate};
    use super::*;
    use crate::scenario;

    fn session() -> Simulated {
        simulate(&scenario::find("fibre").unwrap(), &Config::default(), 120.0, 1, &[]).unwrap()
    }

    fn kinds(look: &Look) -> Vec<Kind> {
        verdicts(look, &Config::default()).iter().map(|it| it.kind).collect()
    }

    #[test]
    fn a_truth_outside_the_bound_is_a_fault() {
        let Simulated { recording, truth, ended } = session();
        let look = |truth| {
            Look::new("test".into(), &Config::default(), recording.clone(), Some((truth, ended))).unwrap()
        };
        assert_eq!(kinds(&look(truth)), [Kind::Clean]);
        assert_eq!(kinds(&look(Reference::Truth(vec![(1, Line::new(vec![(0, 0)]))]))), [Kind::OutsideBound]);
    }

    #[test]
    fn results_that_differ_from_the_recorded_ones_are_told() {
        let mut recording = session().recording;
        recording.exchanges[20].sample.outcome = Err(Refusal::TooSlow);
        let look = Look::new("test".into(), &Config::default(), recording, None).unwrap();
        assert_eq!(kinds(&look), [Kind::OtherSettings]);
    }
}
