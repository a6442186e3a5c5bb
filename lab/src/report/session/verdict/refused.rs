//! Verdicts about exchanges that the client refused, grouped by reason.

use netclock::{Config, Refusal};

use super::kind::{Kind, Verdict};
use crate::recording::Recorded;
use crate::report::session::evaluation::Evaluation;
use crate::report::words::{amount, counted};

/// A round trip longer than any limit in the settings cannot have been measured with one clock (ms).
const IMPOSSIBLE_MS: f64 = 3.6e6;

/// Reports that the clock was never synchronised. This verdict comes before all others.
pub(super) fn never_synced(session: &Evaluation) -> Option<Verdict> {
    let count = session.recording.exchanges.len();
    let words = format!("The clock never synchronised: none of {} was accepted.", counted(count, "exchange"));
    (session.rerun.accepted == 0).then_some(Verdict { kind: Kind::NeverSynced, stretch: None, words })
}

/// Reports refused exchanges by reason, with advice. Copies and replies from other servers have their own
/// verdicts; `is_explained` returns whether an exchange at a time (s) has such a verdict.
pub(super) fn refused(
    session: &Evaluation,
    config: &Config,
    is_explained: impl Fn(f64) -> bool,
) -> Vec<Verdict> {
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
        let why = why(reason, longest, config);
        let was = if count == 1 { "was" } else { "were" };
        let line = first.line;
        let words = format!("{count} of {exchanges} exchanges {was} refused (first: line {line}): {why}");
        Some(Verdict { kind: Kind::Refused, stretch: None, words })
    };
    let stray = session.strays.map(|(count, first)| {
        let words = format!(
            "{count} of {} exchanges {} left out (first: line {first}), with stamps that are years away from \
             those of the others. Check for missing values.",
            count + session.recording.exchanges.len(),
            if count == 1 { "was" } else { "were" }
        );
        Verdict { kind: Kind::Refused, stretch: None, words }
    });
    reasons.into_iter().filter_map(verdict).chain(stray).collect()
}

/// The problem with the exchanges, and how to solve it.
fn why(reason: Refusal, longest_ms: f64, config: &Config) -> String {
    match reason {
        Refusal::TooSlow if longest_ms > IMPOSSIBLE_MS => format!(
            "the request and its reply are {} apart, so their stamps are not of the same clock and exchange. \
             Check the stamps of requests for missing values.",
            amount(longest_ms)
        ),
        Refusal::TooSlow => format!(
            "the replies took up to {}, and max_round_trip is {}. Shorten the path, or raise the setting.",
            amount(longest_ms),
            amount(config.max_round_trip.as_millis_f64())
        ),
        Refusal::ArrivedBeforeSent => {
            "the reply arrived before its request was sent, or in less than no time. Take both stamps of the \
             client from one monotonic clock, and match replies to requests by their ids."
        }
        .to_owned(),
        Refusal::SentBeforeReceived => {
            "the server sent the reply before it received the request. Take both stamps of the server from \
             one monotonic clock."
        }
        .to_owned(),
        Refusal::HeldTooLong => {
            "the server held the request for longer than the whole round trip. Check that both machines' \
             stamps are in the same unit, and that no correction is subtracted from a stamp."
        }
        .to_owned(),
        Refusal::StampOutOfRange => {
            "a stamp is outside of the valid range. Check the unit and missing values.".to_owned()
        }
        _ => {
            "they contradict the others by more than the rates allow, and nothing confirmed it. Check that \
             replies are matched to their requests."
        }
        .to_owned(),
    }
}
