//! Scheduled starts: the client's half.

use core::ffi::c_void;

use crate::clock::LocalTime;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::game::start::{Participant, Progress, Stage};

/// Stage: no start was announced, or it was cancelled.
pub const NETCLOCK_STAGE_WAITING: i32 = 0;
/// Stage: a start was announced and is to come.
pub const NETCLOCK_STAGE_ANNOUNCED: i32 = 1;
/// Stage: it started.
pub const NETCLOCK_STAGE_STARTED: i32 = 2;
/// Stage: it heard of a start after its time, as late joiners do, and continues from there.
pub const NETCLOCK_STAGE_JOINED: i32 = 3;

/// A participant: takes part in the starts of one server. Opaque. Calls on it wait for each other.
pub struct NetclockParticipant(Owned<Participant>);

owned! { NetclockParticipant(Participant): "netclock_participant", "participant" }

/// What a participant knows in a frame. Set `struct_size` before the call. Fields without a value are zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProgress {
    /// `sizeof(netclock_start_progress)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_STAGE_...`. Started and joined stay until the next announcement.
    pub stage: i32,
    /// 1 in the frame to start in, once for each start; else 0.
    pub fires: i32,
    /// Number of the start's announcement.
    pub version: u32,
    /// When the start is or was: server time in ticks.
    pub at: NetclockServerTime,
    /// After the start: how long after `at` that frame was, by its own clock, in ticks.
    pub lateness: i64,
    /// After the start: error bound of its clock then, in ticks. `NETCLOCK_UNBOUNDED` if nothing could be
    /// promised.
    pub error_bound: i64,
    /// After the start: expected error of its clock then, in ticks; `NETCLOCK_UNBOUNDED` if not known.
    pub expected_error: i64,
}

growable! { NetclockStartProgress: 48 }

to_c! { |progress: Progress| NetclockStartProgress {
    fires, version, at, lateness, error_bound, expected_error;
    stage: match progress.stage {
        Stage::Waiting => NETCLOCK_STAGE_WAITING,
        Stage::Announced => NETCLOCK_STAGE_ANNOUNCED,
        Stage::Started if progress.joins_late => NETCLOCK_STAGE_JOINED,
        Stage::Started => NETCLOCK_STAGE_STARTED,
    },
} }

/// Creates a participant that knows no start and stores it in `*participant`. Give it back to
/// `netclock_participant_destroy`. `key` makes its messages unguessable: draw 64 bits from the operating
/// system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_create(
    key: u64,
    participant: *mut *mut NetclockParticipant,
) -> NetclockStatus {
    create!(netclock_participant_create, participant, { Ok(Participant::new(key)) })
}

/// Destroys a participant, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_destroy(
    participant: *mut NetclockParticipant,
) -> NetclockStatus {
    destroy!(netclock_participant_destroy, participant)
}

/// Handles a datagram of `length` bytes from the organiser. A repeated announcement is answered again,
/// because the answer may have been lost. Errors: `NETCLOCK_STALE`, `NETCLOCK_WRONG_KEY`,
/// `NETCLOCK_OTHER_SERVER_EPOCH` (also while the clock is not in sync), one of `NETCLOCK_WIRE_...`,
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_receive(
    participant: *mut NetclockParticipant,
    datagram: *const c_void,
    length: usize,
) -> NetclockStatus {
    change!(netclock_participant_receive, participant, |it| {
        Ok(it.receive(delivered::<{ crate::clock::wire::SIZE }>(datagram, length, "datagram")?)?)
    })
}

/// What to do in the frame at local time `now` (ticks), as `client` shows the time, into `*progress`. Call it
/// in every frame. `fires` is 1 in the first frame in which the shown server time has reached the start, and
/// never earlier. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_tick(
    participant: *mut NetclockParticipant,
    client: *const NetclockClient,
    now: NetclockLocalTime,
    progress: *mut NetclockStartProgress,
) -> NetclockStatus {
    change!(netclock_participant_tick, participant, |it| {
        check_size(progress, "progress")?;
        let now = LocalTime::from_ticks(now);
        let reading = handle::usable(client)?.front.reader.read(now);
        grow_out(progress, "progress", it.tick(now, &reading).map_err(|error| Failure::time(error, now))?)
    })
}

/// The next datagram to send to the organiser, of `NETCLOCK_DATAGRAM_SIZE` bytes, into a buffer of `capacity`
/// bytes. Call it in every frame until it returns `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_next_message(
    participant: *mut NetclockParticipant,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_participant_next_message, participant, |it| {
        let room = room(datagram, capacity)?;
        copy_out(room, "datagram", it.next_message().ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?)
    })
}
