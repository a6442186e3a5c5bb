//! The log callback, which receives a client's messages as text.

use core::ffi::{c_char, c_void};
use core::fmt;

use crate::clock::{Cause, Degradation, Event, Span};
use crate::ffi::base::prelude::*;
use crate::ffi::base::text::Text;
use crate::ffi::clock::exchange::status::NETCLOCK_CONTRADICTION;

/// Log level: a call panicked because of a bug in NetClock. The client is no longer usable.
pub const NETCLOCK_LOG_ERROR: i32 = 1;
/// Log level: the clock jumped or is degraded, or a call was invalid.
pub const NETCLOCK_LOG_WARNING: i32 = 2;
/// Log level: the clock is synced, for the first time or again.
pub const NETCLOCK_LOG_INFO: i32 = 3;
/// Log level: a reply was rejected, and the message states the reason.
pub const NETCLOCK_LOG_DEBUG: i32 = 4;

const LENGTH: usize = 256;

/// Receives log messages. The arguments are the `user_data` from `netclock_client_set_log`, one of
/// `NETCLOCK_LOG_...`, and an English text. The text has at most 255 bytes of UTF-8, and is valid until the
/// callback returns.
///
/// The callback runs on the thread whose call caused the message, before that call returns. No lock is held.
/// The callback may call any function of this library, even for the same client, but it must not destroy that
/// client (`NETCLOCK_BUSY`). If such a call causes a message, the callback is called recursively. The
/// callback must return, so it must not call longjmp or end the thread. A C++ exception that escapes the
/// callback terminates the process. A Rust panic that escapes it (in a function declared `extern "C-unwind"`)
/// is discarded.
pub type NetclockLogCallback =
    Option<unsafe extern "C-unwind" fn(user_data: *mut c_void, level: i32, message: *const c_char)>;

#[derive(Clone, Copy)]
pub(crate) struct Log {
    pub(crate) callback: unsafe extern "C-unwind" fn(*mut c_void, i32, *const c_char),
    pub(crate) user_data: *mut c_void,
    pub(crate) max_level: i32,
}

impl Log {
    pub(crate) fn call(&self, message: &Message<'_>) {
        let text = Text::<LENGTH>::of(format_args!("{message}"));
        // SAFETY: the caller who set the callback guarantees that it can be called with this `user_data`
        // while it is set.
        unsafe { (self.callback)(self.user_data, message.level, text.as_ptr()) }
    }
}

pub(crate) struct Message<'a> {
    pub(crate) level: i32,
    words: Words<'a>,
}

enum Words<'a> {
    Plain(&'static str),
    Discontinuity { cause: &'static str, jump: Span, epoch: u32 },
    Collision(&'static str),
    Failure(&'static str, &'a Failure),
}

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words {
            Words::Plain(text) => f.write_str(text),
            Words::Discontinuity { cause, jump, epoch } => {
                write!(f, "discontinuity: {cause}; the shown time moved by {jump}, epoch {epoch}")
            }
            Words::Collision(name) => write!(
                f,
                "{name} waited for another thread: two threads modify one client, which is safe but delays \
                 timestamps"
            ),
            Words::Failure(name, failure) => write!(f, "{name}: {failure}"),
        }
    }
}

pub(crate) fn collision(name: &'static str) -> Message<'static> {
    Message { level: NETCLOCK_LOG_WARNING, words: Words::Collision(name) }
}

/// Returns `None` for an event that another message already reports.
pub(crate) fn event(event: &Event) -> Option<Message<'static>> {
    let info = |text| (NETCLOCK_LOG_INFO, Words::Plain(text));
    let warning = |text| (NETCLOCK_LOG_WARNING, Words::Plain(text));
    let (level, words) = match *event {
        Event::Synced => info("synced: the first reply was accepted, and the server time is known"),
        Event::Recovered => info("recovered: all degradations have ended"),
        Event::HandedOver => info("handed over: another authority continues the timescale"),
        Event::Linked => info("linked: the server answers over the link"),
        Event::LinkBlocked => warning("link blocked: no reply over the link for two seconds"),
        Event::LinkNotPossible => warning("link not possible: its datagrams cannot be sent"),
        Event::Discontinuity { cause, jump, epoch } => {
            let cause = match cause {
                Cause::ServerRestart => "the server's clock restarted",
                Cause::ProvenStep => "two exchanges proved that a clock stepped",
                Cause::LocalGap => "no call for longer than local_gap",
                Cause::LocalStep => "the local clock went back",
                Cause::Correction => "the correction was too large to be slewed",
                Cause::Requested => "the application stepped the clock",
            };
            (NETCLOCK_LOG_WARNING, Words::Discontinuity { cause, jump, epoch })
        }
        Event::Degraded(Degradation::NoReplies) => {
            warning("degraded: no replies, so the clock continues at the estimated rate")
        }
        Event::Degraded(Degradation::BoundAboveTarget) => {
            warning("degraded: the error bound exceeds target_bound")
        }
        Event::Degraded(Degradation::SeveralServers) => warning(
            "degraded: several servers with separate clocks answer at this address (a load balancer?); \
             replies of all but one are rejected",
        ),
        Event::Degraded(Degradation::Slewed) => {
            warning("degraded: a clock is slewed by more than the configured drift")
        }
        // The message about the rejected reply already covers this event.
        Event::Degraded(Degradation::Contradiction) => return None,
    };
    Some(Message { level, words })
}

pub(crate) fn outcome<'a>(name: &'static str, outcome: &'a Outcome, refused: bool) -> Option<Message<'a>> {
    let failure = outcome.as_ref().err()?;
    let level = match failure.status() {
        NetclockStatus(NETCLOCK_PANICKED) => NETCLOCK_LOG_ERROR,
        status if refused && status.0 != NETCLOCK_CONTRADICTION => NETCLOCK_LOG_DEBUG,
        status if status.is_error() => NETCLOCK_LOG_WARNING,
        _ => return None,
    };
    Some(Message { level, words: Words::Failure(name, failure) })
}
