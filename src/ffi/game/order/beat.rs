//! Beats and steps of a fixed rate, exact by integers. Plain structures: nothing to destroy, and free to
//! copy.

use crate::clock::ServerTime;
use crate::clock::for_parts::range::number;
use crate::ffi::base::prelude::*;
use crate::game::start::{Beat, Stepper};

/// Steps in a call if `max_steps` is zero.
const STEPS: u32 = 5;

/// Beats at a rational rate from an origin, and how far a simulation has run by them. Fill in all fields.
/// Copy it with the state of the simulation, to go back to that state later.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetclockBeat {
    /// When beat 0 begins: server time in ticks.
    pub origin: NetclockServerTime,
    /// Number of the next step to run, at first zero. `netclock_beat_advance` increases it.
    pub next: i64,
    /// Beats in `seconds`: 60 in 1, 60000 in 1001, or 1000 in N for one every N ms. (1 to 240 for each
    /// second)
    pub beats: u32,
    /// Seconds for `beats`. (1 to 10000)
    pub seconds: u32,
    /// Most steps to run in one call. (zero: 5)
    pub max_steps: u32,
    /// If more steps than this are due, the oldest are skipped until this many are left. (zero: none is ever
    /// skipped)
    pub max_behind: u32,
    /// 0: if `next` is 0, too, `netclock_beat_advance` begins with the beat under way, or with number 0
    /// before the origin. It leaves 1 here. 1: every step from `next` on is run. Set it if you have to catch
    /// up with all steps since the origin: 60 a second make 15 million in three days. (0 or 1)
    pub begun: u32,
    /// Zero.
    pub reserved: u32,
}

/// What a simulation has to run in this frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct NetclockBeatSteps {
    /// Number of the first step to run.
    pub first: i64,
    /// How many to run, with consecutive numbers.
    pub count: i64,
    /// Steps that were skipped for good just before `first`, because more than `max_behind` were due. Zero:
    /// none.
    pub skipped: i64,
    /// Steps that are due, too, and left for the next call.
    pub behind: i64,
    /// Fraction of the beat under way that has passed, from 0 to just below 1.
    pub alpha: f64,
}

/// The beat under way at server time `now` (ticks) into `*number`, negative before the origin. The fraction
/// of it that has passed, from 0 to just below 1, into `*alpha`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_BAD_CONFIG` for the rate or the origin, `NETCLOCK_STAMP_OUT_OF_RANGE`. Callable from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_beat_at(
    beat: *const NetclockBeat,
    now: NetclockServerTime,
    number: *mut i64,
    alpha: *mut f64,
) -> NetclockStatus {
    entry!(netclock_beat_at, {
        let (rate, _) = beat_in(beat)?;
        writable(number, "number")?;
        let (under_way, passed) = rate.at(other_time(now)?);
        copy_out(alpha, "alpha", passed)?;
        copy_out(number, "number", under_way)
    })
}

/// When beat `number` begins, into `*server_time`: the first tick at which `netclock_beat_at` gives this
/// number. Errors as there. Callable from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_beat_time(
    beat: *const NetclockBeat,
    number: i64,
    server_time: *mut NetclockServerTime,
) -> NetclockStatus {
    entry!(netclock_beat_time, {
        let (rate, _) = beat_in(beat)?;
        copy_out(server_time, "server_time", rate.time_of(number).ticks())
    })
}

/// The steps to run at server time `now` (ticks), into `*steps`; moves `beat->next` past them. Step `n` is
/// due when beat `n` begins. No number is ever given twice, and none is left out unless `skipped` declares
/// it, whatever the clock does. Errors as `netclock_beat_at`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_beat_advance(
    beat: *mut NetclockBeat,
    now: NetclockServerTime,
    steps: *mut NetclockBeatSteps,
) -> NetclockStatus {
    entry!(netclock_beat_advance, {
        let (rate, state) = beat_in(beat)?;
        writable(steps, "steps")?;
        let max_behind = (state.max_behind > 0).then_some(state.max_behind);
        let first = (state.begun != 0 || state.next != 0).then_some(state.next);
        let mut stepper = Stepper::new(rate, first, or(state.max_steps, STEPS), max_behind);
        let due = stepper.advance(other_time(now)?);
        copy_out(&raw mut (*beat).next, "beat", stepper.next())?;
        copy_out(&raw mut (*beat).begun, "beat", 1)?;
        let (count, alpha) = (i64::from(due.count), due.alpha);
        let due =
            NetclockBeatSteps { first: due.first, count, skipped: due.skipped, behind: due.behind, alpha };
        copy_out(steps, "steps", due)
    })
}

/// The beats that the structure describes, and the structure.
///
/// # Safety
/// `beat` is null or points to a whole structure.
unsafe fn beat_in(beat: *const NetclockBeat) -> Outcome<(Beat, NetclockBeat)> {
    // SAFETY: the caller's promise.
    let state = unsafe { copy_in(beat, "beat") }?;
    number("begun", f64::from(state.begun), 0.0, 1.0, "")?;
    reserved(state.reserved, "beat")?;
    let rate = Beat::new(ServerTime::from_ticks(state.origin), state.beats, state.seconds)?;
    Ok((rate, state))
}
