//! Common imports of files that export functions.

#![cfg_attr(not(any(feature = "link", feature = "game")), expect(unused_imports, reason = "for some parts"))]

#[cfg(any(feature = "link", feature = "game"))]
pub(crate) use super::entries::change;
pub(crate) use super::entries::{create, destroy, entry, read};
pub(crate) use super::failure::{self, Failure, Outcome, at, failures, local_time, other_time};
pub(crate) use super::fields::{Field, from_c, or, settings, to_c};
#[cfg(feature = "game")]
pub(crate) use super::growable::reserved;
pub(crate) use super::growable::{Growable, check_size, grow_in, grow_out, growable, optional};
pub(crate) use super::handle::{self, Handle, Poison};
#[cfg(any(feature = "link", feature = "game"))]
pub(crate) use super::owned::{Owned, owned};
pub(crate) use super::pointers::{copy_in, copy_out, seed, writable};
pub(crate) use super::status::*;
pub(crate) use super::time::{NetclockLocalTime, NetclockServerTime};
