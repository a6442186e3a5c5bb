//! Everything a reader needs, as one value that fits into a few words.

use core::sync::atomic::{AtomicU64, Ordering};

use super::mapping::{Mapping, PIECES, Piece};
use crate::time::{LocalTime, ServerTime, Span};

/// How much the clock can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum State {
    /// No reply was ever accepted; there is no server time to show.
    #[default]
    Unsynced = 0,
    /// Replies arrive and agree.
    Synced = 1,
    /// No reply for [`Config::holdover_after`](crate::Config::holdover_after): running on the estimated rate.
    Holdover = 2,
    /// A clock may have stepped (contradicting reply, local gap or step); asking again. The error bound is
    /// widened to what is still certain, up to [`Span::MAX`] when nothing is.
    Doubtful = 3,
}

impl State {
    fn from_word(word: u64) -> Self {
        match word {
            1 => State::Synced,
            2 => State::Holdover,
            3 => State::Doubtful,
            _ => State::Unsynced,
        }
    }
}

/// Everything the clock says at one local instant. All fields belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The server's time as shown: smooth and monotone. Zero while [`State::Unsynced`].
    pub server_time: ServerTime,
    /// Hard bound: the true server time is within `server_time ± error_bound` as long as the clocks' rates
    /// differ by no more than [`Config::max_drift_ppm`](crate::Config::max_drift_ppm) and neither steps. Never
    /// below half the smallest round trip. [`Span::MAX`] if nothing can be promised.
    pub error_bound: Span,
    /// Expected size of the error, one standard deviation, assuming equal base delays in both directions.
    /// [`Span::MAX`] if nothing is known.
    pub expected_error: Span,
    /// Smallest round trip of the path as seen lately.
    pub round_trip: Span,
    /// Estimated rate of the server's clock against the local one, in parts per million: positive if the
    /// server's runs faster.
    pub frequency_ppm: f64,
    /// How much the clock can be relied on.
    pub state: State,
    /// Counts this client's timelines: 0 until synced, 1 from the first sync, one more at every declared
    /// discontinuity that set the clock anew. Within one epoch the shown time never goes backwards.
    pub epoch: u32,
    /// The server's own name for the run of its clock that this reading speaks of.
    pub server_epoch: u64,
}

/// What is known of the offset apart from what is shown; offsets in ticks, at `reference`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Position {
    pub(crate) reference: LocalTime,
    /// Hard bounds of the offset, or none while nothing is certain.
    pub(crate) hard: Option<(i64, i64)>,
    /// Rate by which the hard bounds age, per tick.
    pub(crate) hard_rate: f64,
    /// The estimate itself, which the shown clock approaches.
    pub(crate) offset: i64,
    /// One standard deviation of the estimate (ticks), and of its rate (per tick).
    pub(crate) sigma: f64,
    pub(crate) sigma_rate: f64,
}

/// The published state of a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Snapshot {
    pub(crate) state: State,
    pub(crate) epoch: u32,
    pub(crate) server_epoch: u64,
    pub(crate) mapping: Mapping,
    pub(crate) position: Position,
    pub(crate) round_trip: Span,
}

/// Words of one piece of the mapping.
const PIECE_WORDS: usize = 3;
/// First word after the mapping. The state comes before it: a plain read of the time loads no further.
const REST: usize = 1 + PIECES * PIECE_WORDS;
/// Words of an encoded snapshot.
pub(crate) const WORDS: usize = REST + 9;

impl Snapshot {
    pub(crate) fn encode(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[0] = self.state as u64 | u64::from(self.epoch) << 8;
        for (words, piece) in words[1..REST].chunks_exact_mut(PIECE_WORDS).zip(&self.mapping.pieces) {
            words[0] = piece.local.ticks() as u64;
            words[1] = piece.server.ticks() as u64;
            words[2] = piece.rate.to_bits();
        }
        let position = &self.position;
        let (upper, lower) = position.hard.unwrap_or((i64::MAX, i64::MIN));
        words[REST..].copy_from_slice(&[
            self.server_epoch,
            position.reference.ticks() as u64,
            upper as u64,
            lower as u64,
            position.hard_rate.to_bits(),
            position.offset as u64,
            position.sigma.to_bits(),
            position.sigma_rate.to_bits(),
            self.round_trip.ticks() as u64,
        ]);
        words
    }

    pub(crate) fn decode(words: &[AtomicU64; WORDS]) -> Option<Self> {
        let mapping = decode_mapping(words)?;
        let state = words[0].load(Ordering::Relaxed);
        let word = |i: usize| words[REST + i].load(Ordering::Relaxed);
        let (upper, lower) = (word(2) as i64, word(3) as i64);
        Some(Snapshot {
            state: State::from_word(state & 0xFF),
            epoch: (state >> 8) as u32,
            server_epoch: word(0),
            mapping,
            position: Position {
                reference: LocalTime::from_ticks(word(1) as i64),
                hard: (upper != i64::MAX).then_some((upper, lower)),
                hard_rate: f64::from_bits(word(4)),
                offset: word(5) as i64,
                sigma: f64::from_bits(word(6)),
                sigma_rate: f64::from_bits(word(7)),
            },
            round_trip: Span::from_ticks(word(8) as i64),
        })
    }

    /// Reads the clock at `now`.
    pub(crate) fn read(&self, now: LocalTime) -> Reading {
        let server_time = self.mapping.server_at(now);
        // Both offsets are differences of instants that may be far apart in an extreme call: saturate.
        let shown = server_time.ticks().saturating_sub(now.ticks());
        let position = &self.position;
        let age = (now - position.reference).abs().ticks() as f64;
        let error_bound = match position.hard {
            None => Span::MAX,
            Some((upper, lower)) => {
                let reach = upper.saturating_sub(shown).max(shown.saturating_sub(lower)).max(0);
                Span::from_ticks(reach) + Span::from_ticks((age * position.hard_rate).ceil() as i64)
            }
        };
        // The estimate moves on by the clock's own rate; what has not been slewed yet is error of the reading.
        let signed_age = (now - position.reference).ticks() as f64;
        let estimate = position.offset.saturating_add((signed_age * self.mapping.rate()) as i64);
        let unslewed = shown.saturating_sub(estimate) as f64;
        let drift = age * position.sigma_rate;
        let variance = position.sigma * position.sigma + drift * drift + unslewed * unslewed;
        let expected_error = Span::from_ticks(variance.sqrt().ceil() as i64);
        Reading {
            server_time,
            error_bound,
            expected_error,
            round_trip: self.round_trip,
            frequency_ppm: self.mapping.rate() * 1e6,
            state: self.state,
            epoch: self.epoch,
            server_epoch: self.server_epoch,
        }
    }
}

/// The part of a published snapshot that tells the time, or nothing while unsynced.
#[inline]
pub(crate) fn decode_mapping(words: &[AtomicU64; WORDS]) -> Option<Mapping> {
    let word = |i: usize| words[i].load(Ordering::Relaxed);
    if word(0) & 0xFF == State::Unsynced as u64 {
        return None;
    }
    let piece = |i: usize| Piece {
        local: LocalTime::from_ticks(word(1 + i * PIECE_WORDS) as i64),
        server: ServerTime::from_ticks(word(2 + i * PIECE_WORDS) as i64),
        rate: f64::from_bits(word(3 + i * PIECE_WORDS)),
    };
    Some(Mapping { pieces: core::array::from_fn(piece) })
}
