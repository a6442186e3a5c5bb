//! Handles recordings by other programs. These may lack timestamps or statuses, and their lines may be out of
//! order.

use std::collections::BTreeSet;

use netclock::{LocalTime, Refusal, Span};

use super::rerun::{Rerun, may_be_true};
use crate::recording::{Recorded, Recording};

const LONGEST_GAP: Span = Span::from_secs(31_557_600);

/// Removes lines whose timestamps are years away from most others, because such timestamps are missing or
/// meaningless. Returns the number of removed lines and the line number of the first.
pub(super) fn leave_out_strays(recording: &mut Recording) -> Option<(usize, usize)> {
    if !is_foreign(recording) {
        return None;
    }
    let mut arrivals: Vec<LocalTime> =
        recording.exchanges.iter().map(|it| it.sample.client_received).collect();
    arrivals.sort_unstable();
    let most = arrivals.chunk_by(|from, to| *to - *from <= LONGEST_GAP).max_by_key(|part| part.len())?;
    if 2 * most.len() <= arrivals.len() {
        return None;
    }
    let usual = most[0]..=most[most.len() - 1];
    let is_stray = |it: &Recorded| !usual.contains(&it.sample.client_received);
    let first = recording.exchanges.iter().find(|it| is_stray(it))?.line;
    recording.exchanges.retain(|it| !is_stray(it));
    Some((arrivals.len() - recording.exchanges.len(), first))
}

fn is_foreign(recording: &Recording) -> bool {
    recording.announced.is_empty() && recording.exchanges.iter().all(is_nameless)
}

/// Sorts the lines by arrival, and returns how many had arrived before the line above them.
///
/// If both of the client's timestamps decrease while the server's increase, the client's clock was stepped
/// backward. Sorting never moves a line across such a step.
pub(super) fn sort(recording: &mut Recording) -> usize {
    if !is_foreign(recording) {
        return 0;
    }
    let stamps = |it: &Recorded| {
        let exchange = it.sample.exchange().filter(may_be_true)?;
        Some((exchange.client_sent, exchange.client_received, exchange.server_received))
    };
    let mut last = None;
    let (mut begins, mut overtook) = (vec![0], 0);
    for (index, it) in recording.exchanges.iter().enumerate() {
        let Some(now) = stamps(it) else { continue };
        if let Some((sent, received, server)) = last.replace(now) {
            if now.1 < received && now.0 < sent && now.2 > server {
                begins.push(index);
            } else if now.1 < received {
                overtook += 1;
            }
        }
    }
    if overtook > 0 {
        begins.push(recording.exchanges.len());
        for part in begins.windows(2) {
            recording.exchanges[part[0]..part[1]].sort_by_key(|it| it.sample.client_received);
        }
    }
    overtook
}

pub(super) fn false_refusal(exchanges: &[Recorded], rerun: &Rerun) -> Option<usize> {
    let mut both = exchanges.iter().zip(&rerun.outcomes).filter(|it| it.0.has_status);
    both.find(|(it, now)| is_impossible(&it.sample.outcome) && !is_impossible(now)).map(|it| it.0.line)
}

/// Returns false if a status is missing, or if no NetClock client can have recorded these statuses.
pub(super) fn has_statuses(exchanges: &[Recorded], rerun: &Rerun) -> bool {
    let has_none = |it: &Recorded| !it.has_status;
    let is_accepted = |it: &Recorded| it.sample.outcome.is_ok();
    let mut both = exchanges.iter().zip(&rerun.outcomes);
    let is_contradicted = both.any(|(it, now)| is_accepted(it) && is_impossible(now));
    let refuses = rerun.outcomes.iter().any(Result::is_err);
    let is_importers = refuses && exchanges.iter().all(|it| is_accepted(it) && is_nameless(it));
    let is_false = is_contradicted || false_refusal(exchanges, rerun).is_some();
    !(exchanges.iter().any(has_none) || is_false || is_importers)
}

/// Returns true if all server timestamps are exactly in the middle of their round trips, although the round
/// trips differ. Two real clocks never produce such timestamps.
pub(super) fn are_halves(exchanges: &[Recorded]) -> bool {
    const LEAST: usize = 10;
    let round_trips = exchanges.iter().filter_map(|it| Some(it.sample.exchange()?.round_trip()));
    let is_half = |it: &Recorded| {
        it.sample.exchange().is_some_and(|it| {
            let up = i128::from(it.server_received.ticks()) - i128::from(it.client_sent.ticks());
            let down = i128::from(it.client_received.ticks()) - i128::from(it.server_sent.ticks());
            (up - down).abs() <= 1
        })
    };
    exchanges.iter().all(is_half) && round_trips.collect::<BTreeSet<_>>().len() >= LEAST
}

fn is_nameless(it: &Recorded) -> bool {
    !it.has_status || it.sample.id.is_none() && it.sample.server_epoch.is_none()
}

pub(super) fn is_impossible(outcome: &Result<(), Refusal>) -> bool {
    use Refusal::{ArrivedBeforeSent, HeldTooLong, SentBeforeReceived, StampOutOfRange};
    matches!(outcome, Err(ArrivedBeforeSent | HeldTooLong | SentBeforeReceived | StampOutOfRange))
}
