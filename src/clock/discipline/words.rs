//! Encodes a snapshot as words for publication, ordered so that a read loads as few of them as possible.

use super::mapping::{Mapping, PIECES, Piece};
use super::pace::Pace;
use super::publish::{self, Published};
use super::snapshot::{Position, Snapshot, State};
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// Number of words per piece of the mapping. The last piece is stored first, because most reads only need
/// that piece.
const PIECE_WORDS: usize = 3;
const BEFORE: usize = PIECES * PIECE_WORDS;
const REST: usize = BEFORE + 1;
pub(crate) const WORDS: usize = REST + 10;

pub(crate) type Words<'a> = publish::Words<'a, WORDS>;

/// [`Published::glance`] works for this long after the start of a piece, which is 2^48 ticks (325 days).
const NEAR_BITS: u32 = 48;

impl Snapshot {
    pub(crate) fn encode(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (words, piece) in words.chunks_exact_mut(PIECE_WORDS).zip(self.mapping.pieces.iter().rev()) {
            words[0] = piece.local.ticks() as u64;
            words[1] = piece.server.ticks() as u64;
            words[2] = piece.pace.to_word();
        }
        words[BEFORE] = self.mapping.before.to_word();
        let position = &self.position;
        let (upper, lower) = position.hard.unwrap_or((i64::MAX, i64::MIN));
        words[REST..].copy_from_slice(&[
            self.state as u64 | u64::from(self.epoch) << 8,
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

    pub(crate) fn decode(words: Words<'_>) -> Self {
        let word = |i: usize| words.get(REST + i);
        let (state, upper, lower) = (word(0), word(3) as i64, word(4) as i64);
        Snapshot {
            state: State::from_word(state & 0xFF),
            epoch: (state >> 8) as u32,
            server_epoch: word(1),
            mapping: Mapping::decode(words),
            position: Position {
                reference: LocalTime::from_ticks(word(2) as i64),
                hard: (upper != i64::MAX).then_some((upper, lower)),
                hard_rate: f64::from_bits(word(5)),
                offset: word(6) as i64,
                sigma: f64::from_bits(word(7)),
                sigma_rate: f64::from_bits(word(8)),
            },
            round_trip: Span::from_ticks(word(9) as i64),
        }
    }
}

impl Mapping {
    /// Decodes only the words that are needed to read the time.
    pub(crate) fn decode(words: Words<'_>) -> Self {
        let pieces = core::array::from_fn(|i| piece(words, PIECES - 1 - i));
        Mapping { pieces, before: Pace::from_word(words.get(BEFORE)) }
    }
}

#[inline]
fn piece(words: Words<'_>, newer: usize) -> Piece {
    Piece { local: local(words, newer), server: server(words, newer), pace: pace(words, newer) }
}

#[inline]
fn local(words: Words<'_>, newer: usize) -> LocalTime {
    LocalTime::from_ticks(words.get(newer * PIECE_WORDS) as i64)
}

#[inline]
fn server(words: Words<'_>, newer: usize) -> ServerTime {
    ServerTime::from_ticks(words.get(newer * PIECE_WORDS + 1) as i64)
}

#[inline]
fn pace(words: Words<'_>, newer: usize) -> Pace {
    Pace::from_word(words.get(newer * PIECE_WORDS + 2))
}

struct Near {
    /// Ticks since the piece began, less than 2^[`NEAR_BITS`].
    elapsed: u64,
    server: ServerTime,
    pace: Pace,
}

impl Near {
    /// Loads a piece. Returns `None` if `now` is before the piece, long after its start, or past the horizon.
    /// A single check covers all three conditions. The time since the piece began and the time until the
    /// horizon must both be in 0..2^[`NEAR_BITS`]. Pieces begin at valid instants, within ±2^62. At an
    /// extreme `now`, a difference may wrap around. The time since the piece began is then 2^62 or more, or
    /// less than -2^62. At any other `now`, a closed horizon is more than 2^[`NEAR_BITS`] away.
    #[inline]
    fn of(words: Words<'_>, newer: usize, now: LocalTime) -> Option<Near> {
        let elapsed = now.ticks().wrapping_sub(local(words, newer).ticks());
        let is_near = (elapsed | words.room(now.ticks())) as u64 >> NEAR_BITS == 0;
        let near =
            || Near { elapsed: elapsed as u64, server: server(words, newer), pace: pace(words, newer) };
        is_near.then(near)
    }

    /// Returns the same result as [`Mapping::server_at`].
    #[inline]
    fn server_time(self) -> ServerTime {
        let passed = self.pace.passed_soon(self.elapsed) as i64;
        // Time does not run backwards, so only the upper limit of the saturating addition can be reached.
        ServerTime::from_ticks(self.server.ticks().checked_add(passed).unwrap_or(i64::MAX))
    }
}

// Each read copies the words, checks the copy, and only then computes the result. The processor therefore
// need not wait for the check.
impl Published<WORDS> {
    /// Returns the same result as [`Mapping::server_at`] for `now`, but loads only the words of the last
    /// piece. Returns `None` if these words do not suffice or the writer interfered.
    #[inline]
    pub(crate) fn newest_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.glance(|words| Near::of(words, 0, now)).map(Near::server_time)
    }

    /// Like [`newest_server_time`](Self::newest_server_time), but considers all pieces.
    pub(crate) fn near_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.glance(|words| (0..PIECES).find_map(|newer| Near::of(words, newer, now))).map(Near::server_time)
    }
}

#[cfg(test)]
mod tests {
    use super::super::publish::Line;
    use super::*;

    fn snapshot() -> Snapshot {
        let local = LocalTime::from_ticks;
        let straight = Mapping::straight(local(0), ServerTime::from_ticks(500_000_000), 80e-6);
        let once = straight.bent(local(1_000_000), -0.05, Span::from_millis(200), -20e-6);
        Snapshot {
            state: State::Holdover,
            epoch: u32::MAX,
            server_epoch: u64::MAX,
            mapping: once.bent(local(1_100_000), 0.03, Span::from_millis(300), 7e-6),
            position: Position {
                reference: local(-3),
                hard: Some((4, -5)),
                hard_rate: 1e-4,
                offset: -6,
                sigma: 0.5,
                sigma_rate: 1e-7,
            },
            round_trip: Span::from_millis(50),
        }
    }

    #[test]
    fn decoding_inverts_encoding() {
        let uncertain = Position { hard: None, ..snapshot().position };
        for snapshot in [snapshot(), Snapshot { position: uncertain, ..snapshot() }] {
            let published = Published::new();
            assert!(published.publish(&snapshot.encode(), Line::New));
            assert_eq!(published.read(0, Snapshot::decode), Some(snapshot));
        }
    }

    #[test]
    fn a_glance_saturates_at_the_largest_time() {
        let (published, now) = (Published::new(), LocalTime::from_ticks(1_000));
        let mapping = Mapping::straight(LocalTime::from_ticks(0), ServerTime::from_ticks(i64::MAX - 5), 0.0);
        assert!(published.publish(&Snapshot { mapping, ..snapshot() }.encode(), Line::New));
        published.read(now.ticks(), Snapshot::decode);
        assert_eq!(published.newest_server_time(now).map(ServerTime::ticks), Some(i64::MAX));
        assert_eq!(mapping.server_at(now).ticks(), i64::MAX);
    }

    #[test]
    fn a_glance_agrees_with_the_mapping() {
        let (published, mapping) = (Published::new(), snapshot().mapping);
        assert!(published.publish(&snapshot().encode(), Line::New));
        let at = |now: LocalTime| published.near_server_time(now);
        assert_eq!(at(LocalTime::from_ticks(5)), None, "the horizon was not raised");
        published.read(1 << 47, Snapshot::decode);
        let (near, far) = ((0..5_000_000).step_by(997), (22..48).map(|bits| 1_i64 << bits));
        for now in near.chain(far).map(LocalTime::from_ticks) {
            assert_eq!(at(now), Some(mapping.server_at(now)), "{now:?}");
            let newest = published.newest_server_time(now);
            assert_eq!(newest, at(now).filter(|_| now >= mapping.pieces[PIECES - 1].local), "{now:?}");
        }
        for now in [i64::MIN, i64::MIN + 1, -(1 << 62), -1, 1 << 50, 1 << 62, i64::MAX] {
            assert_eq!(at(LocalTime::from_ticks(now)), None, "{now}");
        }
    }
}
