//! Scheduled starts: the client's half.

use core::ffi::c_void;

use parking_lot::Mutex;

use crate::ffi::base::boundary::{self, Growable, Handle, Outcome, Poison};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::owned::{self, Owner};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::client::handle::NetclockClient;
use crate::ffi::client::reading::unbounded;
use crate::ffi::exchange::wire::{delivered, room};
use crate::start::{Participant, Progress, Stage};
use crate::time::LocalTime;

/// Stage: no start was announced, or it was cancelled.
pub const NETCLOCK_STAGE_WAITING: i32 = 0;
/// Stage: a start was announced and is to come.
pub const NETCLOCK_STAGE_ANNOUNCED: i32 = 1;
/// Stage: it started.
pub const NETCLOCK_STAGE_STARTED: i32 = 2;
/// Stage: it was told of a start when its time had passed already, as late joiners are, and goes on from there.
pub const NETCLOCK_STAGE_JOINED: i32 = 3;

/// A participant: takes part in the starts of one server. Opaque; its calls are serialised by a lock.
pub struct NetclockParticipant {
    poison: Poison,
    participant: Mutex<Participant>,
}

impl Handle for NetclockParticipant {
    const KIND: &'static str = "netclock_participant";
    const ARGUMENT: &'static str = "participant";

    fn poison(&self) -> &Poison {
        &self.poison
    }

    fn may_be_destroyed(&self) -> Outcome {
        owned::unless_locked(&self.participant)
    }
}

impl Owner for NetclockParticipant {
    type Value = Participant;

    fn value(&self) -> &Mutex<Participant> {
        &self.participant
    }
}

/// What a participant knows in a frame. Set `struct_size` before the call. Zero where there is nothing to tell.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockProgress {
    /// `sizeof(netclock_progress)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_STAGE_...`. Started and joined stay until the next announcement.
    pub stage: i32,
    /// 1 in the frame to start in, once for each start; else 0.
    pub fires: i32,
    /// Of the start's announcement.
    pub version: u32,
    /// When the start is or was: server time in ticks.
    pub at: i64,
    /// Once it started: how long after `at` that frame was, by its own clock, in ticks.
    pub lateness: i64,
    /// Once it started: how far its clock may have been off then, in ticks. `NETCLOCK_UNBOUNDED` if nothing could be
    /// promised.
    pub error_bound: i64,
    /// Once it started: how far it was probably off, in ticks.
    pub expected_error: i64,
}

// SAFETY: repr(C), four four-byte numbers before eight-byte ones, so no padding; every number is valid.
unsafe impl Growable for NetclockProgress {
    const FIRST_SIZE: usize = 48;
    fn zero() -> Self {
        NetclockProgress {
            struct_size: size_of::<Self>() as u32,
            stage: NETCLOCK_STAGE_WAITING,
            fires: 0,
            version: 0,
            at: 0,
            lateness: 0,
            error_bound: 0,
            expected_error: 0,
        }
    }
}

impl From<Progress> for NetclockProgress {
    fn from(progress: Progress) -> Self {
        NetclockProgress {
            struct_size: size_of::<Self>() as u32,
            stage: match progress.stage {
                Stage::Waiting => NETCLOCK_STAGE_WAITING,
                Stage::Announced => NETCLOCK_STAGE_ANNOUNCED,
                Stage::Started if progress.joins_late => NETCLOCK_STAGE_JOINED,
                Stage::Started => NETCLOCK_STAGE_STARTED,
            },
            fires: i32::from(progress.fires),
            version: progress.version,
            at: progress.at.ticks(),
            lateness: progress.lateness.ticks(),
            error_bound: unbounded(progress.error_bound),
            expected_error: unbounded(progress.expected_error),
        }
    }
}

/// Creates a participant that knows of no start and stores it in `*participant`, to be given back to
/// `netclock_participant_destroy`. `key` makes its messages unguessable: draw 64 bits from the operating system. Errors:
/// `NETCLOCK_NULL_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_create(
    key: u64,
    participant: *mut *mut NetclockParticipant,
) -> NetclockStatus {
    boundary::entry("netclock_participant_create", || {
        let new = Mutex::new(Participant::new(key));
        let handle = NetclockParticipant { poison: Poison::default(), participant: new };
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::hand_out(handle, participant) }
    })
}

/// Destroys a participant. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live participant, `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_destroy(
    participant: *mut NetclockParticipant,
) -> NetclockStatus {
    // SAFETY: if it is a live participant, nobody uses it any more, as the header asks of the caller.
    unsafe { boundary::take_back("netclock_participant_destroy", participant) }
}

/// Handles a datagram of `length` bytes from the organiser. A repeated announcement is answered anew, since the answer may
/// have been lost. Errors: `NETCLOCK_STALE`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_OTHER_RUN` (also while the clock is not in
/// sync), one of `NETCLOCK_WIRE_...`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_receive(
    participant: *mut NetclockParticipant,
    datagram: *const c_void,
    length: usize,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_participant_receive", participant, &mut |it| {
            Ok(it.receive(delivered::<{ crate::exchange::wire::SIZE }>(datagram, length)?)?)
        })
    }
}

/// What to do in the frame at local time `now` (ticks), by the clock of `client`, into `*progress`. Call it in every frame:
/// `fires` is 1 in the first frame in which the server's time, as shown, has reached the start, and never earlier. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED` (of either
/// handle).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_tick(
    participant: *mut NetclockParticipant,
    client: *const NetclockClient,
    now: i64,
    progress: *mut NetclockProgress,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_participant_tick", participant, &mut |it| {
            boundary::check_size(progress, "progress")?;
            let now = LocalTime::from_ticks(now);
            let reading = boundary::usable(client)?.front.reader.read(now);
            let ticked = it.tick(now, &reading).map_err(|error| Failure::Time(error, now))?;
            boundary::grow_out(progress, "progress", &ticked.into())
        })
    }
}

/// The next datagram to be sent to the organiser, of `NETCLOCK_DATAGRAM_SIZE` bytes, to where there is room for `capacity`
/// bytes. Call it in every frame until it answers `NETCLOCK_NOTHING_DUE`, which leaves the room as it was. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_participant_next_message(
    participant: *mut NetclockParticipant,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_participant_next_message", participant, &mut |it| {
            let room = room(datagram, capacity)?;
            boundary::copy_out(room, "datagram", it.next_message().ok_or(Failure::NothingDue)?)
        })
    }
}
