//! Converts between C structures and Rust structures with the same field names. [`Field`] converts each field
//! type, so a structure only has to list its fields.

use crate::clock::for_parts::NO_INSTANT;
use crate::clock::{RequestId, Span, Time};

const NO_BOUND: i64 = Span::MAX.ticks();

pub(crate) trait Field<C> {
    fn to_c(self) -> C;

    fn from_c(field: C) -> Self;
}

impl<T> Field<T> for T {
    fn to_c(self) -> T {
        self
    }

    fn from_c(field: T) -> T {
        field
    }
}

macro_rules! field {
    ([$($generic:ident)?] $kind:ty as $c:ty: |$value:ident| $to_c:expr, |$field:ident| $from_c:expr) => {
        impl $(<$generic>)? Field<$c> for $kind {
            fn to_c(self) -> $c {
                let $value = self;
                $to_c
            }

            fn from_c($field: $c) -> Self {
                $from_c
            }
        }
    };
}

field! { [] bool as i32: |it| i32::from(it), |field| field != 0 }
field! { [] RequestId as u64: |id| id.0, |field| RequestId(field) }
field! { [] Span as i64: |span| span.ticks(), |field| Span::from_ticks(field) }
field! { [S] Time<S> as i64: |time| time.ticks(), |field| Time::from_ticks(field) }
field! { [] Option<Span> as i64:
    |span| span.map_or(NO_BOUND, Span::ticks),
    |field| (field != NO_BOUND).then(|| Span::from_ticks(field))
}
// The time that a message waited for its timestamp. In C, zero means unknown, so a zero wait becomes one
// tick.
field! { [] Option<Span> as u32:
    |wait| wait.map_or(0, |wait| u32::try_from(wait.ticks().max(1)).unwrap_or(u32::MAX)),
    |field| (field != 0).then(|| Span::from_ticks(i64::from(field)))
}
field! { [S] Option<Time<S>> as i64:
    |time| time.map_or(NO_INSTANT, Time::ticks),
    |field| (field != NO_INSTANT).then(|| Time::from_ticks(field))
}

pub(crate) fn or<C: Default + PartialEq, T: Field<C>>(given: C, standard: T) -> T {
    if given == C::default() { standard } else { T::from_c(given) }
}

/// `to_c! { |reading: UtcReading| NetclockUtcReading { utc, error_bound } }` converts a Rust structure to C.
/// Fields that need a different value are listed with it after a semicolon. All other fields are set to zero.
macro_rules! to_c {
    (|$it:ident: $from:ty| $to:ident { $($same:ident),* $(; $($field:ident: $value:expr),* $(,)?)? }) => {
        impl From<$from> for $to {
            fn from($it: $from) -> Self {
                $to {
                    $($same: $crate::ffi::base::fields::Field::to_c($it.$same),)*
                    $($($field: $value,)*)?
                    ..$crate::ffi::base::growable::Growable::zero()
                }
            }
        }
    };
}

macro_rules! from_c {
    (|$it:ident: $from:ty| $to:ident { $($same:ident),* $(; $($field:ident: $value:expr),* $(,)?)? }) => {
        impl From<$from> for $to {
            fn from($it: $from) -> Self {
                $to {
                    $($same: $crate::ffi::base::fields::Field::from_c($it.$same),)*
                    $($($field: $value,)*)?
                }
            }
        }
    };
}

/// Defines `to_config` for a structure of settings. Zero selects the default, except in the fields after the
/// `;`.
macro_rules! settings {
    (|$it:ident: $from:ident| $to:ident { $($same:ident),* $(; $($field:ident: $value:expr),* $(,)?)? }) => {
        impl $from {
            pub(crate) fn to_config(self) -> $to {
                let ($it, mut config) = (self, $to::default());
                $(config.$same = $crate::ffi::base::fields::or($it.$same, config.$same);)*
                $($(config.$field = $value;)*)?
                config
            }
        }
    };
}

pub(crate) use {from_c, settings, to_c};
