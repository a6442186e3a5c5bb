//! Reads the state of handles of any type, and poisons them.

use core::fmt::Debug;
use core::ptr;
use std::panic::resume_unwind;

use crate::ffi::base::failure::Outcome;
use crate::ffi::base::handle::{self, Handle};
use crate::ffi::base::owned::{self, Owner};
use crate::ffi::clock::client::handle::{NetclockClient, write};
use crate::ffi::clock::responder::handle::NetclockServer;
use crate::ffi::session::guest::{NetclockGuest, on_guest};

pub(super) struct Kind {
    kind: &'static str,
    pub(super) state: fn(u64) -> String,
    pub(super) poison: fn(u64),
}

/// These handles do not contain a value behind a lock.
const OTHERS: [Kind; 3] = [
    Kind { state: of_client, ..plain::<NetclockClient>() },
    Kind { state: of_guest, ..plain::<NetclockGuest>() },
    plain::<NetclockServer>(),
];

const OWNED: &[Kind] = include!(concat!(env!("OUT_DIR"), "/handles.rs"));

/// Skips the state of handles that contain a socket, or whose state no call modifies.
const fn plain<H: Handle>() -> Kind {
    Kind { kind: H::KIND, state: |_| String::new(), poison: poison::<H> }
}

const fn seen<H: Owner>() -> Kind
where
    H::Value: Debug,
{
    Kind { state: of_owned::<H>, ..plain::<H>() }
}

fn at<H>(address: u64) -> *mut H {
    ptr::with_exposed_provenance_mut(address as usize)
}

fn poison<H: Handle>(address: u64) {
    // SAFETY: `Machine` passes only live handles.
    unsafe { handle::read("a_test", at::<H>(address), |_| resume_unwind(Box::new("poisoned"))) };
}

/// Cuts the text off before the latest sample, because even rejected exchanges replace the sample.
fn keep(state: &mut String, text: &str) -> Outcome {
    *state = text.split(", last_sample: ").next().unwrap_or_default().to_owned();
    Ok(())
}

fn of_owned<H: Owner>(address: u64) -> String
where
    H::Value: Debug,
{
    let mut state = String::new();
    // SAFETY: as above.
    unsafe {
        owned::change("a_test", at::<H>(address), |value| {
            state = format!("{value:?}");
            Ok(())
        })
    };
    state
}

fn of_client(address: u64) -> String {
    let mut state = String::new();
    // SAFETY: as above.
    unsafe { write("a_test", at(address), |client| keep(&mut state, &format!("{client:?}"))) };
    state
}

fn of_guest(address: u64) -> String {
    let mut state = String::new();
    // SAFETY: as above.
    unsafe {
        on_guest("a_test", at(address), |client, inner| keep(&mut state, &format!("{inner:?} {client:?}")))
    };
    state
}

pub(super) fn of(kind: &str) -> &'static Kind {
    let found = OTHERS.iter().chain(OWNED).find(|known| known.kind.strip_prefix("netclock_") == Some(kind));
    found.unwrap_or_else(|| panic!("the tests cannot read the state of a {kind}"))
}
