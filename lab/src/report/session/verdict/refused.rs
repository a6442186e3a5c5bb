use netclock::{Config, Refusal};

use super::kind::{Kind, Verdict};
use crate::recording::Recorded;
use crate::report::{Evaluation, amount, counted};

/// Longer than any round trip measured with a single clock, and longer than any valid limit.
const IMPOSSIBLE_MS: f64 = 3.6e6;

pub(super) fn never_synced(session: &Evaluation) -> Option<Verdict> {
    let count = session.recording.exchanges.len();
    let words =
        format!("The clock never synchronised, because none of {} was accepted.", counted(count, "exchange"));
    (session.rerun.accepted == 0).then_some(Verdict { kind: Kind::NeverSynced, stretch: None, words })
}

/// `is_explained` returns whether another verdict explains a contradiction at the given time (s).
pub(super) fn refused(session: &Evaluation, is_explained: impl Fn(f64) -> bool) -> Vec<Verdict> {
    let reasons = [
        Refusal::TooSlow,
        Refusal::ArrivedBeforeSent,
        Refusal::SentBeforeReceived,
        Refusal::HeldTooLong,
        Refusal::StampOutOfRange,
        Refusal::Contradiction,
    ];
    let verdict = |reason: Refusal| {
        let is_of = |it: &&Recorded| {
            let is_open = || !is_explained(session.seconds(it.sample.client_received));
            it.sample.outcome == Err(reason) && (reason != Refusal::Contradiction || is_open())
        };
        let mut all = session.recording.exchanges.iter().filter(is_of);
        let first = all.next()?;
        let (count, exchanges) = (1 + all.clone().count(), session.recording.exchanges.len());
        let elapsed = |it: &Recorded| {
            let sent = it.sample.client_sent?;
            Some((it.sample.client_received - sent).as_millis_f64())
        };
        let longest = elapsed(first).into_iter().chain(all.filter_map(elapsed)).fold(0.0, f64::max);
        let why = why(reason, longest);
        let was = if count == 1 { "was" } else { "were" };
        let line = first.line;
        let words = format!("{count} of {exchanges} exchanges {was} rejected (first: line {line}). {why}");
        Some(Verdict { kind: Kind::Refused, stretch: None, words })
    };
    let stray = session.strays.map(|(count, first)| {
        let words = format!(
            "{count} of {} exchanges {} ignored (first: line {first}), because their timestamps are years \
             away from the others. Check for missing values.",
            count + session.recording.exchanges.len(),
            if count == 1 { "was" } else { "were" }
        );
        Verdict { kind: Kind::Refused, stretch: None, words }
    });
    reasons.into_iter().filter_map(verdict).chain(stray).collect()
}

fn why(reason: Refusal, longest_ms: f64) -> String {
    match reason {
        Refusal::TooSlow if longest_ms > IMPOSSIBLE_MS => format!(
            "A request and its reply are {} apart, so their timestamps are not from the same clock and \
             exchange. Check the timestamps of requests for missing values.",
            amount(longest_ms)
        ),
        Refusal::TooSlow => format!(
            "Replies took up to {}, but max_round_trip is {}. Shorten the path, or increase the setting.",
            amount(longest_ms),
            amount(Config::default().max_round_trip.as_millis_f64())
        ),
        Refusal::ArrivedBeforeSent => {
            "A reply arrived before its request was sent. Use the same monotonic clock for both of the \
             client's timestamps, and match replies to requests by their ids."
        }
        .to_owned(),
        Refusal::SentBeforeReceived => {
            "The server sent a reply before it received the request. Use the same monotonic clock for both \
             of the server's timestamps."
        }
        .to_owned(),
        Refusal::HeldTooLong => {
            "The server held a request for longer than the whole round trip. Check that both machines use \
             the same unit for timestamps, and that no correction is subtracted from a timestamp."
        }
        .to_owned(),
        Refusal::StampOutOfRange => {
            "A timestamp is out of range. Check the unit, and check for missing values.".to_owned()
        }
        _ => {
            "They contradict the other exchanges by more than the settings allow, and no further exchange \
             confirmed them. Check that replies are matched to their requests."
        }
        .to_owned(),
    }
}
