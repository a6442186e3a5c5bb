//! The error type of exported functions, which combines a status code with a human-readable description.
//!
//! A description stores the values it mentions, and is formatted only when the failed call returns.

use core::any::Any;
use core::fmt;
use core::mem::MaybeUninit;

use super::status::{
    NETCLOCK_BAD_CONFIG, NETCLOCK_NULL_ARGUMENT, NETCLOCK_OUT_OF_MEMORY, NETCLOCK_PANICKED,
    NETCLOCK_STAMP_OUT_OF_RANGE, NETCLOCK_TIME_OUT_OF_RANGE, NETCLOCK_TIME_WENT_BACKWARDS, NetclockStatus,
};
use crate::clock::for_parts::OutOfMemory;
use crate::clock::{ConfigError, CreateError, LocalTime, Time, TimeError};

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

pub(crate) enum Failure {
    Status(NetclockStatus, Option<Detail>),
    Panicked(Box<dyn Any + Send>),
}

impl Failure {
    pub(crate) fn of(status: i32) -> Self {
        Failure::Status(NetclockStatus(status), None)
    }

    pub(crate) fn because(
        status: i32,
        detail: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result + Copy + 'static,
    ) -> Self {
        Failure::Status(NetclockStatus(status), Some(Detail::new(detail)))
    }

    pub(crate) fn from_error(status: i32, error: impl fmt::Display + Copy + 'static) -> Self {
        Failure::because(status, move |f| error.fmt(f))
    }

    #[cold]
    pub(crate) fn null(name: &'static str) -> Self {
        Failure::because(NETCLOCK_NULL_ARGUMENT, move |f| write!(f, "{name} is null"))
    }

    pub(crate) fn time(error: TimeError, now: LocalTime) -> Self {
        Failure::because(time_status(error), move |f| write!(f, "{error} (given: {} ticks)", now.ticks()))
    }

    pub(crate) fn status(&self) -> NetclockStatus {
        match self {
            Failure::Status(status, _) => *status,
            Failure::Panicked(_) => NetclockStatus(NETCLOCK_PANICKED),
        }
    }
}

pub(crate) fn time_status(error: TimeError) -> i32 {
    match error {
        TimeError::OutOfRange => NETCLOCK_TIME_OUT_OF_RANGE,
        TimeError::WentBackwards(_) => NETCLOCK_TIME_WENT_BACKWARDS,
    }
}

/// Calls a function of the local time, which checks the time itself.
pub(crate) fn at<T>(ticks: i64, call: impl FnOnce(LocalTime) -> Result<T, TimeError>) -> Outcome<T> {
    let now = LocalTime::from_ticks(ticks);
    call(now).map_err(|error| Failure::time(error, now))
}

pub(crate) fn other_time<S>(ticks: i64) -> Outcome<Time<S>> {
    let time = Time::from_ticks(ticks);
    if time.is_valid() { Ok(time) } else { Err(Failure::of(NETCLOCK_STAMP_OUT_OF_RANGE)) }
}

pub(crate) fn local_time(ticks: i64) -> Outcome<LocalTime> {
    let now = LocalTime::from_ticks(ticks);
    if now.is_valid() { Ok(now) } else { Err(Failure::time(TimeError::OutOfRange, now)) }
}

pub(crate) fn write_stamp_out_of_range(
    f: &mut fmt::Formatter<'_>,
    names: &[&str],
    ticks: &[i64],
) -> fmt::Result {
    let invalid = |(_, ticks): &(&&str, &i64)| !LocalTime::from_ticks(**ticks).is_valid();
    match names.iter().zip(ticks).find(invalid) {
        Some((name, ticks)) => write!(f, "{name} is {ticks} ticks, which is outside +-2^62"),
        None => f.write_str("a timestamp is outside +-2^62 ticks"),
    }
}

/// `failures! { UtcObserveError { Date => NETCLOCK_UTC_OUT_OF_RANGE, .. } }` maps each error to a status. The
/// error's message becomes the description.
macro_rules! failures {
    ($($error:ident {
        $($kind:ident $(($of:pat))? $({ $($rest:tt)* })? => $status:expr),* $(,)?
    })*) => {$(
        impl From<$error> for $crate::ffi::base::failure::Failure {
            #[cold]
            fn from(error: $error) -> Self {
                let status = match error {
                    $($error::$kind $(($of))? $({ $($rest)* })? => $status,)*
                };
                $crate::ffi::base::failure::Failure::from_error(status, error)
            }
        }
    )*};
}
pub(crate) use failures;

impl From<NetclockStatus> for Failure {
    fn from(status: NetclockStatus) -> Self {
        Failure::Status(status, None)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::from_error(NETCLOCK_BAD_CONFIG, error)
    }
}

impl From<CreateError> for Failure {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Config(error) => error.into(),
            CreateError::Seed => Failure::because(NETCLOCK_BAD_CONFIG, |f| {
                f.write_str("seed_high and seed_low are both 0; draw 128 bits from the operating system")
            }),
            CreateError::OutOfMemory => OutOfMemory.into(),
        }
    }
}

impl From<OutOfMemory> for Failure {
    fn from(_: OutOfMemory) -> Self {
        Failure::of(NETCLOCK_OUT_OF_MEMORY)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Status(_, Some(detail)) => detail.fmt(f),
            Failure::Status(status, None) => f.write_str(status.text().to_str().unwrap_or_default()),
            Failure::Panicked(payload) => {
                write!(f, "a bug in NetClock caused a panic: {}", panic_message(payload))
            }
        }
    }
}

fn panic_message(payload: &Box<dyn Any + Send>) -> &str {
    payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

const WORDS: usize = 7;

/// Stores the closure that formats the description inline, so that errors do not allocate memory.
pub(crate) struct Detail {
    captured: MaybeUninit<[u64; WORDS]>,
    write: fn(&MaybeUninit<[u64; WORDS]>, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl Detail {
    fn new<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result + Copy + 'static>(detail: F) -> Self {
        const {
            assert!(size_of::<F>() <= size_of::<[u64; WORDS]>() && align_of::<F>() <= align_of::<u64>());
        }
        let mut captured = MaybeUninit::<[u64; WORDS]>::uninit();
        // SAFETY: the size and alignment are sufficient, as asserted above.
        unsafe { captured.as_mut_ptr().cast::<F>().write(detail) };
        Detail {
            captured,
            // SAFETY: the argument is always `captured`, which contains the `F` written above.
            write: |captured, f| unsafe { (*captured.as_ptr().cast::<F>())(f) },
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.write)(&self.captured, f)
    }
}
