//! What outlives a session: how fast this machine's crystal runs, and the server's clock beside it. Also
//! how unequal the route to that server is.
//!
//! | offset | size | saved state |
//! |---|---|---|
//! | 0 | 2 | magic `N` `S` (4E 53) |
//! | 2 | 1 | version, 2 |
//! | 3 | 1 | kind, 1: this machine; 2: one server |
//! | 4 | 4 | rate, ppb: of the machine's clock against true time, or of the server's clock against the machine's |
//! | 8 | 4 | its standard deviation, ppb |
//! | 12 | 8 | when it was saved, seconds of the caller's calendar |
//! | 20 | 4 | sessions that it comes from |
//! | 24 | 4 | round trip of a route that is known to be unequal, ticks; 0: none is |
//! | 28 | 4 | how far the middle of its bounds lies beyond the offset, ticks |
//! | 32 | 4 | its standard deviation, ticks |
//! | 36 | 8 | checksum: SipHash-2-4 of all bytes before it |
//!
//! Numbers are in network byte order. The checksum finds accidents, not forgery. A rate is only where the
//! search begins, and [`Prior`] gives the exchanges the last word. So one that is damaged, foreign or a lie
//! costs no more than none. A route counts only where the round trip is the same, and exchanges cannot
//! refute it. A forger may move the estimate by half a round trip, as somebody who holds up datagrams may.
//! Nothing of it reaches the bound.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use super::config::{Config, RateHint};
use crate::clock::estimate::{Level, Prior};
use crate::clock::ground::bytes::{u32_at, u64_at};
use crate::clock::ground::time::TICKS_PER_SECOND;

/// Bytes of a saved state.
pub const SAVED_SIZE: usize = 44;

const HEAD: [u8; 3] = [b'N', b'S', 2];
const CHECKED: usize = 36;

/// Standard deviation of the rate of one crystal that nothing is known of: two of them differ by 20 ppm.
const CRYSTAL: f64 = 14.1e-6;

/// How far a crystal moves from session to session, mostly with its temperature (one sigma).
const MOVES: f64 = 1.5e-6;

/// How far it moves in a day besides (one sigma).
const AGES_A_DAY: f64 = 0.05e-6;

/// The least that a rate is uncertain by, whatever a state claims.
const SUREST: f64 = 0.3e-6;

const SECONDS_A_DAY: f64 = 86_400.0;

/// Two statements contradict each other beyond this many standard deviations of their difference.
const CONTRADICTION: f64 = 3.0;

/// What a session leaves to later ones. [`Client::save`](crate::Client::save) makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// About this machine's crystal: keep one for the machine.
    pub machine: [u8; SAVED_SIZE],
    /// About the server and the route to it: keep one for each server, under its address or name.
    pub server: [u8; SAVED_SIZE],
}

/// What earlier sessions left. [`Client::with_saved`](crate::Client::with_saved) takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier<'a> {
    /// This machine's state; empty if there is none.
    pub machine: &'a [u8],
    /// The state that was saved under this server; empty if there is none.
    pub server: &'a [u8],
    /// The time now, in seconds, by the calendar of [`Client::save`](crate::Client::save).
    pub seconds: i64,
}

impl Earlier<'_> {
    /// Nothing.
    pub const NONE: Earlier<'static> = Earlier { machine: &[], server: &[], seconds: 0 };

    /// What the server's state says of the route to it.
    pub(super) fn level(&self) -> Option<Level> {
        let bytes = intact(self.server, Kind::Server)?;
        let seconds = |at| Some(f64::from(u32_at(bytes, at)? as i32) / TICKS_PER_SECOND as f64);
        Level::earlier([seconds(24)?, seconds(28)?, seconds(32)?], days(bytes, self.seconds)?)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Machine = 1,
    Server = 2,
}

/// A rate and how far it may be off (one sigma).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate {
    pub(super) mean: f64,
    pub(super) sigma: f64,
}

impl Rate {
    const UNKNOWN: Rate = Rate { mean: 0.0, sigma: CRYSTAL };

    /// A hint of the configuration; none if nothing is known.
    fn hinted(hint: &RateHint) -> Option<Self> {
        let sigma = (hint.doubt_ppm * 1e-6).max(SUREST);
        (hint.doubt_ppm > 0.0).then_some(Rate { mean: hint.ppm * 1e-6, sigma })
    }

    fn minus(self, other: Rate) -> Self {
        Rate { mean: self.mean - other.mean, sigma: self.sigma.hypot(other.sigma) }
    }

    fn contradicts(&self, other: &Rate) -> bool {
        let difference = self.minus(*other);
        difference.mean.abs() > CONTRADICTION * difference.sigma
    }

    /// The mean of two statements, each weighted by its precision.
    fn and(self, other: Rate) -> Self {
        let (own, others) = (self.sigma.powi(-2), other.sigma.powi(-2));
        let precision = own + others;
        Rate {
            mean: (own * self.mean + others * other.mean) / precision,
            sigma: precision.powf(-0.5).max(SUREST),
        }
    }
}

/// One saved state.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    rate: Rate,
    sessions: u32,
}

impl State {
    /// Reads a state as of `seconds`. None if it is none of this kind, damaged, or says less than nothing at
    /// all.
    fn read(bytes: &[u8], kind: Kind, seconds: i64) -> Option<Self> {
        let bytes = intact(bytes, kind)?;
        let mean = f64::from(u32_at(bytes, 4)? as i32) * 1e-9;
        let sigma = (f64::from(u32_at(bytes, 8)?) * 1e-9).max(SUREST);
        let days = days(bytes, seconds)?;
        let moved = match kind {
            Kind::Machine => MOVES,
            Kind::Server => MOVES.hypot(MOVES),
        };
        let sigma = sigma.hypot(moved).hypot(AGES_A_DAY * days);
        let useful = sigma < Prior::CRYSTALS.sigma;
        useful.then_some(State { rate: Rate { mean, sigma }, sessions: u32_at(bytes, 20)? })
    }

    fn write(&self, kind: Kind, level: Option<Level>, seconds: i64) -> [u8; SAVED_SIZE] {
        let ppb = |rate: f64| (rate * 1e9).round();
        let mut bytes = [0; SAVED_SIZE];
        bytes[..3].copy_from_slice(&HEAD);
        bytes[3] = kind as u8;
        bytes[4..8].copy_from_slice(&(ppb(self.rate.mean) as i32).to_be_bytes());
        bytes[8..12].copy_from_slice(&(ppb(self.rate.sigma) as u32).to_be_bytes());
        bytes[12..20].copy_from_slice(&seconds.to_be_bytes());
        bytes[20..24].copy_from_slice(&self.sessions.to_be_bytes());
        let parts = level.map_or([0.0; 3], |level| level.parts());
        for (place, seconds) in bytes[24..CHECKED].chunks_exact_mut(4).zip(parts) {
            place.copy_from_slice(&((seconds * TICKS_PER_SECOND as f64) as i32).to_be_bytes());
        }
        let sum = checksum(&bytes);
        bytes[CHECKED..].copy_from_slice(&sum.to_be_bytes());
        bytes
    }
}

/// The bytes of a state, if they are one of this kind, and not damaged.
fn intact(bytes: &[u8], kind: Kind) -> Option<&[u8; SAVED_SIZE]> {
    let bytes: &[u8; SAVED_SIZE] = bytes.try_into().ok()?;
    let is_one = bytes.starts_with(&HEAD) && bytes[3] == kind as u8;
    (is_one && u64_at(bytes, CHECKED)? == checksum(bytes)).then_some(bytes)
}

/// The age of a state at `seconds`, in days.
fn days(bytes: &[u8], seconds: i64) -> Option<f64> {
    Some(seconds.abs_diff(u64_at(bytes, 12)? as i64) as f64 / SECONDS_A_DAY)
}

fn checksum(bytes: &[u8; SAVED_SIZE]) -> u64 {
    let mut hash = SipHasher24::new();
    hash.write(&bytes[..CHECKED]);
    hash.finish()
}

/// What is known of the rates when a session begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    machine: Option<State>,
    server: Option<State>,
    /// What the configuration says of the server's clock.
    stated: Option<Rate>,
}

impl Memory {
    pub(super) fn new(config: &Config, earlier: &Earlier<'_>) -> Self {
        Memory {
            machine: State::read(earlier.machine, Kind::Machine, earlier.seconds),
            server: State::read(earlier.server, Kind::Server, earlier.seconds),
            stated: Rate::hinted(&config.server_rate),
        }
    }

    /// Whether the machine's and the server's state are used.
    pub(super) fn used(&self) -> (bool, bool) {
        (self.machine.is_some(), self.server.is_some())
    }

    /// Where the search for the rate begins.
    pub(super) fn prior(&self, config: &Config) -> Prior {
        let own = Rate::hinted(&config.client_rate).or(self.machine.map(|machine| machine.rate));
        let apart = match (self.stated, own) {
            (None, None) => None,
            (stated, own) => Some(stated.unwrap_or(Rate::UNKNOWN).minus(own.unwrap_or(Rate::UNKNOWN))),
        };
        let before = self.server.map(|server| server.rate);
        let known = match (apart, before) {
            (Some(apart), Some(before)) if !apart.contradicts(&before) => Some(apart.and(before)),
            // What was read today is newer than what was saved.
            (Some(apart), _) => Some(apart),
            (None, before) => before,
        };
        // No two clocks that keep the promise of the configuration are farther apart.
        known
            .filter(|known| known.mean.abs() <= config.drift() && known.sigma < Prior::CRYSTALS.sigma)
            .map_or(Prior::CRYSTALS, |known| Prior::said(known.mean, known.sigma))
    }

    /// What to leave to later sessions, after one that `found` the server's clock at this rate beside the
    /// machine's, and the route as in `level`. None if it found nothing.
    pub(super) fn leave(&self, found: Rate, level: Option<Level>, seconds: i64) -> Option<Saved> {
        if found.sigma >= Prior::CRYSTALS.sigma / 2.0 {
            return None;
        }
        let sessions = self.server.map_or(0, |server| server.sessions).saturating_add(1);
        let server = State { rate: found, sessions };
        // The machine's crystal is what is left when the server's is taken off. A server whose own rate
        // nobody states says the same in every session, so only its first one counts.
        let own = self.stated.unwrap_or(Rate::UNKNOWN).minus(found);
        let machine = match self.machine {
            Some(machine) if machine.rate.contradicts(&own) => State { rate: own, sessions: 1 },
            Some(machine) if self.stated.is_none() && self.server.is_some() => machine,
            Some(machine) => {
                State { rate: machine.rate.and(own), sessions: machine.sessions.saturating_add(1) }
            }
            None => State { rate: own, sessions: 1 },
        };
        Some(Saved {
            machine: machine.write(Kind::Machine, None, seconds),
            server: server.write(Kind::Server, level, seconds),
        })
    }
}

#[cfg(test)]
mod tests;
