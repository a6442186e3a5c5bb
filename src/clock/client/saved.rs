//! Encodes the state that is saved across sessions. The machine's state is the rate of its crystal. A
//! server's state is the rate of its clock relative to this machine, and the route's asymmetry and minimum
//! round trip.
//!
//! | offset | size | saved state |
//! |---|---|---|
//! | 0 | 2 | magic `N` `S` (4E 53) |
//! | 2 | 1 | version, 3 |
//! | 3 | 1 | kind, 1: this machine; 2: one server |
//! | 4 | 4 | rate, ppb: of the machine's clock against true time, or of the server's clock against it |
//! | 8 | 4 | standard deviation of the rate, ppb |
//! | 12 | 8 | save time, in seconds of the caller's calendar |
//! | 20 | 4 | number of sessions that contributed |
//! | 24 | 4 | round trip of the route without a standing queue, ticks; 0: unknown |
//! | 28 | 4 | asymmetry: midpoint of the bounds minus the offset, ticks; 0: unknown |
//! | 32 | 4 | standard deviation of the asymmetry, ticks |
//! | 36 | 8 | boot of the machine in which the rate was measured; 0: unknown |
//! | 44 | 8 | for a server: its boot, or the epoch of its clock; 0: unknown |
//! | 52 | 8 | checksum: SipHash-2-4 of all preceding bytes |
//!
//! Some kernels recalibrate their counter at each boot, which can change the clock's rate by tens of ppm. If
//! a rate was saved since both machines last booted, only the stability of their crystals limits its
//! accuracy. A rate from an earlier boot is less reliable ([`Prior::said_before_boot`]).
//!
//! Numbers are in network byte order. The checksum detects accidental damage, not forgery. A saved rate is
//! only a starting point, and a few exchanges outweigh it ([`Prior`]). A damaged or forged rate is therefore
//! no worse than no rate at all. The asymmetry is used only if the round trip is unchanged. The minimum round
//! trip is used only if there may be a queue that never empties. Exchanges cannot refute the asymmetry or the
//! minimum round trip. Forging them could therefore move the estimate by half a round trip, which delaying
//! datagrams could do as well. Saved states never affect the error bound.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use super::config::{Config, RateHint};
use crate::clock::estimate::{Asymmetry, Prior};
use crate::clock::ground::bytes::{u32_at, u64_at};
use crate::clock::ground::time::TICKS_PER_SECOND;

/// Size of a saved state in bytes.
pub const SAVED_SIZE: usize = 60;

const HEAD: [u8; 3] = [b'N', b'S', 3];
const LEVEL: core::ops::Range<usize> = 24..36;
const CHECKED: usize = 52;

/// Standard deviation of an unknown crystal's rate, so that two such crystals differ by 20 ppm (one sigma).
const CRYSTAL: f64 = 14.1e-6;

/// Change of a crystal's rate between sessions, mostly due to temperature (one sigma).
const MOVES: f64 = 1.5e-6;

/// Additional change of the rate per day (one sigma).
const AGES_A_DAY: f64 = 0.05e-6;

const SUREST: f64 = 0.3e-6;

const SECONDS_A_DAY: f64 = 86_400.0;

/// Two rates contradict each other if they are more than this many standard deviations apart.
const CONTRADICTION: f64 = 3.0;

/// The state saved for later sessions by [`Client::save`](crate::Client::save).
///
/// ```
/// use netclock::{Client, Config, CreateError, Earlier, Saved, boot_id};
///
/// fn next_session(saved: &Saved, unix_time: i64, seed: u128) -> Result<Client, CreateError> {
/// let Saved { machine, server } = saved; // from `client.save(unix_time)` at the end of the last session
///     let earlier = Earlier { machine, server, seconds: unix_time, boot: boot_id() };
///     Client::with_saved(Config::default(), seed, &earlier)
/// }
/// # let none = Saved { machine: [0; 60], server: [0; 60] };
/// # assert_eq!(next_session(&none, 0, 7)?.used_saved(), (false, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The state for this machine's crystal. Store one such state per machine.
    pub machine: [u8; SAVED_SIZE],
    /// The state for the server and the route to it. Store one per server, under its address or name.
    pub server: [u8; SAVED_SIZE],
}

/// The saved state of earlier sessions, for [`Client::with_saved`](crate::Client::with_saved).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier<'a> {
    /// The state saved for this machine, or an empty slice.
    pub machine: &'a [u8],
    /// The state saved for this server, or an empty slice.
    pub server: &'a [u8],
    /// The current time in seconds, in the same calendar that [`Client::save`](crate::Client::save) used.
    pub seconds: i64,
    /// The id of the machine's current boot, for example from [`boot_id`](crate::boot_id), or zero if
    /// unknown. A rate saved during a different boot is less reliable.
    pub boot: u64,
}

impl Earlier<'_> {
    /// No saved state.
    pub const NONE: Earlier<'static> = Earlier { machine: &[], server: &[], seconds: 0, boot: 0 };

    pub(super) fn asymmetry(&self) -> Option<Asymmetry> {
        let bytes = intact(self.server, Kind::Server)?;
        let seconds = |at| Some(f64::from(u32_at(bytes, at)? as i32) / TICKS_PER_SECOND as f64);
        Asymmetry::earlier([seconds(24)?, seconds(28)?, seconds(32)?], days(bytes, self.seconds)?)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Machine = 1,
    Server = 2,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate {
    pub(super) mean: f64,
    pub(super) sigma: f64,
    /// Whether the rate was measured since both machines last booted.
    pub(super) of_this_boot: bool,
}

impl Rate {
    const UNKNOWN: Rate = Rate { mean: 0.0, sigma: CRYSTAL, of_this_boot: true };

    fn hinted(hint: &RateHint) -> Option<Self> {
        let sigma = (hint.doubt_ppm * 1e-6).max(SUREST);
        (hint.doubt_ppm > 0.0).then_some(Rate { mean: hint.ppm * 1e-6, sigma, of_this_boot: true })
    }

    fn minus(self, other: Rate) -> Self {
        Rate {
            mean: self.mean - other.mean,
            sigma: self.sigma.hypot(other.sigma),
            of_this_boot: self.of_this_boot && other.of_this_boot,
        }
    }

    fn contradicts(&self, other: &Rate) -> bool {
        let difference = self.minus(*other);
        difference.mean.abs() > CONTRADICTION * difference.sigma
    }

    fn and(self, other: Rate) -> Self {
        let (own, others) = (self.sigma.powi(-2), other.sigma.powi(-2));
        let precision = own + others;
        Rate {
            mean: (own * self.mean + others * other.mean) / precision,
            sigma: precision.powf(-0.5).max(SUREST),
            of_this_boot: self.of_this_boot && other.of_this_boot,
        }
    }

    /// Returns true if `other` adds nothing because it predates the last boot and is no more precise than
    /// this rate.
    fn outweighs(&self, other: &Rate) -> bool {
        self.of_this_boot && !other.of_this_boot && self.sigma <= other.sigma
    }
}

type Boots = [u64; 2];

#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    rate: Rate,
    sessions: u32,
    /// A machine's state has a zero in place of the server's boot.
    boots: Boots,
}

impl State {
    /// Decodes a state. `seconds` is the current time, and `boot` is the machine's current boot. Returns
    /// `None` if the state is damaged, has a different kind, or is no more certain than the default prior.
    fn read(bytes: &[u8], kind: Kind, seconds: i64, boot: u64) -> Option<Self> {
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
        let boots = [u64_at(bytes, 36)?, u64_at(bytes, 44)?];
        let mut state =
            State { rate: Rate { mean, sigma, of_this_boot: false }, sessions: u32_at(bytes, 20)?, boots };
        state.rate.of_this_boot = kind == Kind::Machine && state.is_of_machine(boot);
        useful.then_some(state)
    }

    fn is_of_machine(&self, boot: u64) -> bool {
        self.boots[0] == boot && boot != 0
    }

    fn write(&self, kind: Kind, asymmetry: Option<Asymmetry>, seconds: i64) -> [u8; SAVED_SIZE] {
        let ppb = |rate: f64| (rate * 1e9).round();
        let mut bytes = [0; SAVED_SIZE];
        bytes[..3].copy_from_slice(&HEAD);
        bytes[3] = kind as u8;
        bytes[4..8].copy_from_slice(&(ppb(self.rate.mean) as i32).to_be_bytes());
        bytes[8..12].copy_from_slice(&(ppb(self.rate.sigma) as u32).to_be_bytes());
        bytes[12..20].copy_from_slice(&seconds.to_be_bytes());
        bytes[20..24].copy_from_slice(&self.sessions.to_be_bytes());
        let parts = asymmetry.map_or([0.0; 3], |asymmetry| asymmetry.parts());
        for (place, seconds) in bytes[LEVEL].chunks_exact_mut(4).zip(parts) {
            place.copy_from_slice(&((seconds * TICKS_PER_SECOND as f64) as i32).to_be_bytes());
        }
        bytes[36..44].copy_from_slice(&self.boots[0].to_be_bytes());
        bytes[44..CHECKED].copy_from_slice(&self.boots[1].to_be_bytes());
        let sum = checksum(&bytes);
        bytes[CHECKED..].copy_from_slice(&sum.to_be_bytes());
        bytes
    }
}

fn intact(bytes: &[u8], kind: Kind) -> Option<&[u8; SAVED_SIZE]> {
    let bytes: &[u8; SAVED_SIZE] = bytes.try_into().ok()?;
    let is_one = bytes.starts_with(&HEAD) && bytes[3] == kind as u8;
    (is_one && u64_at(bytes, CHECKED)? == checksum(bytes)).then_some(bytes)
}

fn days(bytes: &[u8], seconds: i64) -> Option<f64> {
    Some(seconds.abs_diff(u64_at(bytes, 12)? as i64) as f64 / SECONDS_A_DAY)
}

fn checksum(bytes: &[u8; SAVED_SIZE]) -> u64 {
    let mut hash = SipHasher24::new();
    hash.write(&bytes[..CHECKED]);
    hash.finish()
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    machine: Option<State>,
    server: Option<State>,
    stated: Option<Rate>,
    /// The boot ids of the machine and the server, or 0 if the game has not stated them.
    boots: Boots,
    /// The prior to use if the server has not rebooted since its state was saved.
    not_booted: Option<Prior>,
}

impl Memory {
    pub(super) fn new(config: &Config, earlier: &Earlier<'_>) -> Self {
        let Earlier { seconds, boot, .. } = *earlier;
        let mut memory = Memory {
            machine: State::read(earlier.machine, Kind::Machine, seconds, boot),
            server: State::read(earlier.server, Kind::Server, seconds, boot),
            stated: Rate::hinted(&config.server_rate),
            boots: [boot, 0],
            not_booted: None,
        };
        let again = memory.server.map(|mut server| {
            server.rate.of_this_boot = server.is_of_machine(boot) && server.boots[1] != 0;
            server
        });
        memory.not_booted = Some(Memory { server: again, ..memory }.prior(config));
        memory
    }

    pub(super) fn used(&self) -> (bool, bool) {
        (self.machine.is_some(), self.server.is_some())
    }

    pub(super) fn prior(&self, config: &Config) -> Prior {
        let own = Rate::hinted(&config.client_rate).or(self.machine.map(|machine| machine.rate));
        let apart = match (self.stated, own) {
            (None, None) => None,
            (stated, own) => Some(stated.unwrap_or(Rate::UNKNOWN).minus(own.unwrap_or(Rate::UNKNOWN))),
        };
        let before = self.server.map(|server| server.rate);
        let known = match (apart, before) {
            (Some(apart), Some(before)) if !apart.contradicts(&before) && !apart.outweighs(&before) => {
                Some(apart.and(before))
            }
            // Configured hints are newer than saved rates.
            (Some(apart), _) => Some(apart),
            (None, before) => before,
        };
        // Clocks within their configured drift cannot differ by more than this.
        known
            .filter(|known| known.mean.abs() <= config.drift() && known.sigma < Prior::CRYSTALS.sigma)
            .map_or(Prior::CRYSTALS, |known| {
                let is_seen = before.is_some_and(|before| before.of_this_boot && !known.contradicts(&before));
                match known.of_this_boot {
                    true if is_seen => Prior::seen(known.mean, known.sigma),
                    true => Prior::said(known.mean, known.sigma),
                    false => Prior::said_before_boot(known.mean, known.sigma),
                }
            })
    }

    pub(super) fn set_server_boot(&mut self, boot: u64) -> Option<Prior> {
        self.boots[1] = boot;
        self.recognise(boot)
    }

    /// Compares the server's boot or epoch with the saved state. The first match shows that the server has
    /// not rebooted since the state was saved, so this returns a new prior.
    pub(super) fn recognise(&mut self, named: u64) -> Option<Prior> {
        self.server.filter(|server| server.boots[1] == named && named != 0)?;
        self.not_booted.take()
    }

    pub(super) fn expire(&mut self) {
        self.not_booted = None;
    }

    /// Returns the state to save. `found` is the server's measured rate relative to this machine, if any.
    pub(super) fn leave(
        &self,
        found: Rate,
        asymmetry: Option<Asymmetry>,
        seconds: i64,
        epoch: Option<u64>,
    ) -> Option<Saved> {
        if found.sigma >= Prior::CRYSTALS.sigma / 2.0 {
            return None;
        }
        let sessions = self.server.map_or(0, |server| server.sessions).saturating_add(1);
        let [boot, stated] = self.boots;
        let named = if stated == 0 { epoch.unwrap_or(0) } else { stated };
        let server = State { rate: found, sessions, boots: [boot, named] };
        // The machine's rate is derived from the server's. A server with an unknown rate adds the same error
        // in every session, so only its first session counts.
        let own = self.stated.unwrap_or(Rate::UNKNOWN).minus(found);
        let fresh = State { rate: own, sessions: 1, boots: [boot, 0] };
        let machine = match self.machine {
            Some(machine) if machine.rate.contradicts(&own) => fresh,
            // Do not mix measurements from two boots, unless the boots are unknown.
            Some(machine) if machine.boots != fresh.boots => {
                if own.sigma < machine.rate.sigma {
                    fresh
                } else {
                    machine
                }
            }
            Some(machine) if self.stated.is_none() && self.server.is_some() => machine,
            Some(machine) => {
                State { rate: machine.rate.and(own), sessions: machine.sessions.saturating_add(1), ..machine }
            }
            None => fresh,
        };
        Some(Saved {
            machine: machine.write(Kind::Machine, None, seconds),
            server: server.write(Kind::Server, asymmetry, seconds),
        })
    }
}

#[cfg(test)]
mod tests;
