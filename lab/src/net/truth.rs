//! A datagram in which a server reports how it reads its clock. Clients on the same machine can read the same
//! kernel clock and thus know the true server time. `lab sync --judge` sends the requests, and `lab serve`
//! replies.

use netclock::ServerTime;

use super::clock::{self, MachineTime};

/// Requests and replies have the same length, so the server cannot be used to amplify traffic.
const REQUEST: &str = "NCTRUTH?";
const REPLY: &str = "NCTRUTH!";
const SIZE: usize = 8 + 3 * DIGITS;
const DIGITS: usize = 16;
const WALL: i64 = i64::MIN;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) epoch: u64,
    pub(crate) kernel_clock: u64,
    /// `None` if the server serves the wall clock.
    pub(crate) zero: Option<MachineTime>,
}

impl Truth {
    pub(crate) fn request() -> Vec<u8> {
        format!("{REQUEST:<SIZE$}").into_bytes()
    }

    pub(crate) fn is_request(bytes: &[u8]) -> bool {
        bytes == Self::request()
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let zero = self.zero.map_or(WALL, MachineTime::ticks);
        format!("{REPLY}{:016x}{:016x}{zero:016x}", self.epoch, self.kernel_clock).into_bytes()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let digits = std::str::from_utf8(bytes).ok()?.strip_prefix(REPLY)?;
        let number = |at: usize| u64::from_str_radix(digits.get(at * DIGITS..(at + 1) * DIGITS)?, 16).ok();
        let zero = number(2)? as i64;
        (bytes.len() == SIZE).then_some(Truth {
            epoch: number(0)?,
            kernel_clock: number(1)?,
            zero: (zero != WALL).then(|| MachineTime::from_ticks(zero)),
        })
    }

    pub(crate) fn at(&self, machine: MachineTime) -> ServerTime {
        match self.zero {
            Some(zero) => ServerTime::from_ticks((machine - zero).ticks()),
            None => ServerTime::from_ticks(machine.ticks()) + clock::pairing().0,
        }
    }
}

/// Identifies the kernel clock that [`clock::now`] reads, if the system supports this. Equal values mean the
/// same machine, the same boot and, on Linux, the same time namespace.
pub(crate) fn kernel_clock() -> Option<u64> {
    let namespace = std::fs::read_link("/proc/self/ns/time").unwrap_or_default();
    let digits: String = namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    let boot = netclock::boot_id();
    (boot != 0).then(|| boot ^ digits.parse::<u64>().unwrap_or(0).rotate_left(32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_round_trips_and_other_bytes_are_rejected() {
        for zero in [None, Some(MachineTime::from_ticks(-7)), Some(MachineTime::from_ticks(i64::MAX))] {
            let truth = Truth { epoch: u64::MAX, kernel_clock: 3, zero };
            let bytes = truth.encode();
            assert_eq!((Truth::decode(&bytes), bytes.len()), (Some(truth), Truth::request().len()));
            assert!(!Truth::is_request(&bytes));
            assert!(Truth::decode(&Truth::request()).is_none());
            assert!((0..SIZE).all(|end| Truth::decode(&bytes[..end]).is_none()));
            assert_eq!(Truth::decode(&[&bytes[..], b"0"].concat()), None);
        }
    }
}
