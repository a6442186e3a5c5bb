//! Beats and simulation steps at a fixed rate. Integer arithmetic keeps the beats exact. The structures are
//! plain data, so they can be copied and need not be destroyed.

use crate::clock::ServerTime;
use crate::clock::for_parts::range::number;
use crate::ffi::base::prelude::*;
use crate::game::start::{Beat, Stepper};

const STEPS: u32 = 5;

/// Beats at a rational rate, and the progress of a simulation that runs one step per beat. Set all fields.
/// When you save the simulation's state, save a copy of this structure with it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetclockBeat {
    /// The server time at which beat 0 starts, in ticks.
    pub origin: NetclockServerTime,
    /// The number of the next step, initially zero. `netclock_beat_advance` increases it.
    pub next: i64,
    /// The number of beats in `seconds` seconds. Examples are 60 in 1 s, 60000 in 1001 s, or 1000 in N s for
    /// a beat every N ms. (1 to 240 per second)
    pub beats: u32,
    /// The duration of `beats` beats in seconds. (1 to 10000)
    pub seconds: u32,
    /// The maximum number of steps per call. (zero means 5)
    pub max_steps: u32,
    /// If more steps are due, the oldest are skipped until this many remain. (zero means that steps are never
    /// skipped)
    pub max_behind: u32,
    /// 1 if the simulation has begun, else 0. If this field and `next` are 0, `netclock_beat_advance` starts
    /// with the current beat, or with beat 0 before the origin, and sets this field to 1. If this field is 1,
    /// every step from `next` runs. If you set this field to 1 initially, all steps since the origin run, for
    /// example 15 million after three days at 60 per second. (0 or 1)
    pub begun: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
}

/// The steps that a simulation must run in a frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct NetclockBeatSteps {
    /// The number of the first step to run.
    pub first: i64,
    /// The number of consecutive steps to run.
    pub count: i64,
    /// The number of steps before `first` that will never run, because more than `max_behind` steps were due.
    pub skipped: i64,
    /// The number of steps that are due but left for the next call.
    pub behind: i64,
    /// The elapsed fraction of the current beat, from 0 to just below 1.
    pub alpha: f64,
}

/// Finds the current beat at server time `now` (ticks). Returns its number in `*number` and its elapsed
/// fraction, from 0 to just below 1, in `*alpha`. Before the origin, the beat's number is negative. Errors:
/// `NETCLOCK_BAD_CONFIG` if the rate or the origin is out of range.
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

/// Finds the start of beat `number`, and returns it in `*server_time`. The start is the first tick at which
/// `netclock_beat_at` returns this number. Errors: same as `netclock_beat_at`.
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

/// Determines the steps to run at server time `now` (ticks), returns them in `*steps`, and advances
/// `beat->next` past them. Step `n` is due at the start of beat `n`. Even if the clock jumps, no step is
/// returned twice, and `skipped` counts every omitted step. Errors: same as `netclock_beat_at`.
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

/// `beat` must be null or point to a complete structure.
unsafe fn beat_in(beat: *const NetclockBeat) -> Outcome<(Beat, NetclockBeat)> {
    // SAFETY: guaranteed by the caller.
    let state = unsafe { copy_in(beat, "beat") }?;
    number("begun", f64::from(state.begun), 0.0, 1.0, "")?;
    reserved(state.reserved, "beat")?;
    let rate = Beat::new(ServerTime::from_ticks(state.origin), state.beats, state.seconds)?;
    Ok((rate, state))
}
