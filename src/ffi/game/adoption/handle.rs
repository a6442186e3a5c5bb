//! Adoption: a new server continues the timescale of its clients.

use core::ffi::c_void;

use crate::clock::authority::AdoptionReply;
use crate::clock::{LocalTime, ServerTime, Span, wire};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::game::adoption::{Adopted, Adoption, AdoptionConfig};

/// No participant in an adoption may lie.
pub const NETCLOCK_NO_LIARS: u32 = 0xFFFF_FFFF;

/// Adoption settings. Set `struct_size` and the timescale, and set all other fields to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockAdoptionConfig {
    /// `sizeof(netclock_adoption_config)` in the caller's program.
    pub struct_size: u32,
    /// The number of participants that may lie, even if they collude: 1 to 31 (default 1), or
    /// `NETCLOCK_NO_LIARS`. The adoption needs `2 * liars + 1` answers, unless the new server was a client
    /// itself.
    pub liars: u32,
    /// Identifies the timescale.
    pub timescale: u64,
    /// Maximum skew between the new server's clock and the timescale. (ppm, 1 to 10000, default 100)
    pub max_drift_ppm: f64,
    /// The new server's clock resolution. (ticks, 0 to 100 ms)
    pub resolution: i64,
}

growable! { NetclockAdoptionConfig: 32 }

impl NetclockAdoptionConfig {
    fn to_config(self) -> AdoptionConfig {
        let mut config = AdoptionConfig::of(self.timescale);
        config.resolution = Span::from_ticks(self.resolution);
        if self.liars != 0 {
            config.liars = if self.liars == NETCLOCK_NO_LIARS { 0 } else { self.liars };
        }
        config.max_drift_ppm = or(self.max_drift_ppm, config.max_drift_ppm);
        config
    }
}

/// The adopted timescale, relative to the new server's clock. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockAdoptionResult {
    /// `sizeof(netclock_adoption_result)` in the caller's program.
    pub struct_size: u32,
    /// Number of participants that answered, including the server itself if it was a client.
    pub answers: u32,
    /// Number of participants that agree with the result.
    pub agreeing: u32,
    /// Zero.
    pub reserved: u32,
    /// Identifies the timescale.
    pub timescale: u64,
    /// Offset to add to the raw clock for the timestamps in all replies. (ticks)
    pub offset: i64,
    /// Dispersion: the maximum error of the offset. State it to clients. (ticks)
    pub dispersion: i64,
}

growable! { NetclockAdoptionResult: 40 }

to_c! { |adopted: Adopted| NetclockAdoptionResult { answers, agreeing, timescale, offset, dispersion } }

/// An adoption: a new server continues the timescale of its clients. Opaque. It needs at most 8 KiB of memory
/// and has up to 64 participants.
pub struct NetclockAdoption(Owned<Adoption>);

owned! { NetclockAdoption(Adoption): "netclock_adoption", "adoption" }

/// Creates an adoption without answers and stores it in `*adoption`. `seed_high` and `seed_low` make its
/// requests unpredictable: draw 128 bits from the operating system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_adoption_create(
    config: *const NetclockAdoptionConfig,
    seed_high: u64,
    seed_low: u64,
    adoption: *mut *mut NetclockAdoption,
) -> NetclockStatus {
    create!(netclock_adoption_create, adoption, {
        let config = grow_in(config, "config")?.to_config();
        Ok(Adoption::new(&config, seed(seed_high, seed_low))?)
    })
}

/// Destroys an adoption.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_adoption_destroy(adoption: *mut NetclockAdoption) -> NetclockStatus {
    destroy!(netclock_adoption_destroy, adoption)
}

/// Adds the new server's own reading, if it was a client. `raw` is the time on the clock from which it will
/// serve, and `server_time` is what its client showed at that time, to within `error_bound`. Pass the
/// reading's bound plus the dispersion from `netclock_client_authority`. This reading overrules answers that
/// contradict it, and is sufficient by itself. Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `raw`,
/// `NETCLOCK_NO_AGREEMENT` if it contradicts an earlier reading.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_adoption_add_own_reading(
    adoption: *mut NetclockAdoption,
    server_time: NetclockServerTime,
    error_bound: i64,
    raw: NetclockLocalTime,
) -> NetclockStatus {
    let (time, error_bound) = (ServerTime::from_ticks(server_time), Span::from_ticks(error_bound));
    change!(netclock_adoption_add_own_reading, adoption, |adoption| {
        Ok(adoption.add_own_reading(time, error_bound, LocalTime::from_ticks(raw))?)
    })
}

/// Creates the request for `participant`, a number of your choice, at `now` on the new server's raw clock
/// (ticks). The request is a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
/// bytes. Send it at once to a client that requests the time, instead of a reply. Requests and replies have
/// the same size. Returns `NETCLOCK_NOTHING_DUE` if the last request is less than 250 ms old, or if the
/// participant contradicted itself. Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `now`, `NETCLOCK_FULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_adoption_request(
    adoption: *mut NetclockAdoption,
    participant: u64,
    now: NetclockLocalTime,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_adoption_request, adoption, |adoption| {
        let room = room(datagram, capacity)?;
        let due = adoption.request(participant, LocalTime::from_ticks(now))?;
        copy_out(room, "datagram", due.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?.encode())
    })
}

/// Handles the reply of `length` bytes from `participant`, which arrived at `arrived` on the raw clock
/// (ticks). Several replies from a participant tighten its bounds, but the participant still counts once.
/// Errors: `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_PARTICIPANT` if it was never asked,
/// `NETCLOCK_UNKNOWN_REQUEST`, `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `arrived`,
/// `NETCLOCK_ARRIVED_BEFORE_SENT`, `NETCLOCK_TOO_SLOW` after more than 5 s, `NETCLOCK_LIAR` if the
/// participant contradicts itself, in which case none of its replies counts any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_adoption_handle_reply(
    adoption: *mut NetclockAdoption,
    participant: u64,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_adoption_handle_reply, adoption, |adoption| {
        let answer = AdoptionReply::decode(delivered::<{ wire::SIZE }>(datagram, length, "datagram")?)?;
        Ok(adoption.handle_reply(participant, &answer, LocalTime::from_ticks(arrived))?)
    })
}

/// Returns in `*adopted` the timescale relative to the new server's clock, at `now` on its raw clock (ticks).
/// Call it when all participants have answered or you have waited long enough, and keep the first result.
/// Then add `offset` to the raw clock for the timestamps in replies, draw an epoch for a `netclock_server`,
/// and state `dispersion` to the clients. The result is the middle of the certain interval. A client that
/// shows a later time slews it. Returns `NETCLOCK_TOO_FEW` if there are too few answers. Errors:
/// `NETCLOCK_NO_AGREEMENT` if more participants lie than are tolerated, `NETCLOCK_STAMP_OUT_OF_RANGE`, also
/// for `now`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_adoption_settle(
    adoption: *const NetclockAdoption,
    now: NetclockLocalTime,
    adopted: *mut NetclockAdoptionResult,
) -> NetclockStatus {
    change!(netclock_adoption_settle, adoption, |adoption| {
        check_size(adopted, "adopted")?;
        grow_out(adopted, "adopted", adoption.settle(LocalTime::from_ticks(now))?)
    })
}
