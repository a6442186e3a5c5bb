//! Adoption: a new server takes a timescale over from its clients.

use core::ffi::c_void;

use crate::clock::authority::AdoptionReply;
use crate::clock::{LocalTime, ServerTime, Span, wire};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::game::adoption::{Adopted, Adoption, AdoptionConfig};

/// No participant of an adoption may lie.
pub const NETCLOCK_NO_LIARS: u32 = 0xFFFF_FFFF;

/// Settings of an adoption. Set `struct_size` and the timescale, and everything else to zero for the
/// defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockAdoptionConfig {
    /// `sizeof(netclock_adoption_config)` as compiled into the caller.
    pub struct_size: u32,
    /// How many participants may lie, even together: 1 to 31, default 1, or `NETCLOCK_NO_LIARS`. The adoption
    /// needs `2 * liars + 1` answers, unless the new server was a client itself.
    pub liars: u32,
    /// Name of the timescale.
    pub timescale: u64,
    /// Largest skew between the new server's clock and the timescale. (ppm, 1 to 10000, default 100)
    pub max_drift_ppm: f64,
    /// Step of the new server's clock. (ticks, 0 to 100 ms)
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

/// The adopted timescale on the new server's clock. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockAdoptionResult {
    /// `sizeof(netclock_adoption_result)` as compiled into the caller.
    pub struct_size: u32,
    /// Participants who answered, including the server itself if it was a client.
    pub answers: u32,
    /// How many of them agree with the result.
    pub agreeing: u32,
    /// Zero.
    pub reserved: u32,
    /// Name of the timescale.
    pub timescale: u64,
    /// Offset: add it to the raw clock to stamp replies from now on. (ticks)
    pub offset: i64,
    /// Dispersion: how far that may be off. State it to clients. (ticks)
    pub dispersion: i64,
}

growable! { NetclockAdoptionResult: 40 }

to_c! { |adopted: Adopted| NetclockAdoptionResult { answers, agreeing, timescale, offset, dispersion } }

/// An adoption: a new server takes a timescale over from its clients. Opaque. It has at most 8 KiB and never
/// grows. Calls from several threads wait for each other. It asks up to 64 participants.
pub struct NetclockAdoption(Owned<Adoption>);

owned! { NetclockAdoption(Adoption): "netclock_adoption", "adoption" }

/// Creates an adoption that knows nothing yet and stores it in `*adoption`. Give it back to
/// `netclock_adoption_destroy`. `seed_high` and `seed_low` make its requests unguessable: draw 128 bits
/// from the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
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

/// Destroys an adoption, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_adoption_destroy(adoption: *mut NetclockAdoption) -> NetclockStatus {
    destroy!(netclock_adoption_destroy, adoption)
}

/// Adds the new server's own reading, if it was a client: at `raw` of the clock that it will serve by, its
/// client showed `server_time` within `error_bound`. For the bound, add the reading's bound and the
/// dispersion of `netclock_client_authority`. The reading is believed against any contradiction, and it is
/// enough. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NO_AGREEMENT` (it
/// contradicts an earlier reading), `NETCLOCK_POISONED`.
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

/// Makes the request to send to `participant`, a number of your choice, at `now` of the new server's raw
/// clock (ticks). It is a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
/// bytes. Send it at once to a client that asks for the time, in place of a reply: it has the same length.
/// `NETCLOCK_NOTHING_DUE`: the last request is younger than 250 ms, or the participant contradicted itself.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
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

/// Handles the reply of `length` bytes from `participant` that arrived at `arrived` of the raw clock (ticks).
/// Several replies of one participant tighten its bounds, and it still counts once. Errors: one of
/// `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_PARTICIPANT` (never asked), `NETCLOCK_UNKNOWN_REQUEST` (no such
/// request is open), `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
/// `NETCLOCK_ARRIVED_BEFORE_SENT`, `NETCLOCK_TOO_SLOW` (more than 5 s), `NETCLOCK_LIAR` (it contradicts
/// itself, and none of its replies counts any more), `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
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

/// The timescale on the new server's clock, as of `now` of its raw clock (ticks), into `*adopted`. Take it
/// once, when all have answered or you have waited long enough; it holds from then on. Then stamp replies
/// with the raw clock plus `offset`, draw an epoch for a `netclock_server`, and state `dispersion`. The
/// result is the middle of what is certain. A client may show a later time: it slews. `NETCLOCK_TOO_FEW`: too
/// few answers yet. Errors: `NETCLOCK_NO_AGREEMENT` (more lie than are tolerated),
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
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
