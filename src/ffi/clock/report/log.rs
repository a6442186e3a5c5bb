//! The log: a callback that gets a client's messages in words.

use core::ffi::{c_char, c_void};
use core::fmt;

use crate::clock::{Cause, Degradation, Event, Span};
use crate::ffi::base::prelude::*;
use crate::ffi::base::text::Text;
use crate::ffi::clock::exchange::status::NETCLOCK_CONTRADICTION;

/// Level: a bug in NetClock; the client is useless from now on.
pub const NETCLOCK_LOG_ERROR: i32 = 1;
/// Level: the clock jumped or is less good than it should be, or a call was wrong.
pub const NETCLOCK_LOG_WARNING: i32 = 2;
/// Level: the clock is in sync, for the first time or again.
pub const NETCLOCK_LOG_INFO: i32 = 3;
/// Level: a reply was refused, and why.
pub const NETCLOCK_LOG_DEBUG: i32 = 4;

/// Longest message in bytes, the closing zero included.
const LENGTH: usize = 256;

/// Receives a client's messages: `user_data` as it was given, one of `NETCLOCK_LOG_...`, and a text in
/// English. The text has at most 255 bytes of UTF-8 and is valid until the callback returns.
///
/// The callback runs on the thread whose call caused the message, before that call returns, with no lock
/// held. Every call of this library is allowed in it, also on the same client, except destroying that client
/// (`NETCLOCK_BUSY`). If a call inside causes a message, the callback is called again, nested. It must
/// return: no longjmp, no ending of the thread. A C++ exception that leaves it ends the process. A Rust panic
/// that leaves it (of a function declared `extern "C-unwind"`) is dropped.
pub type NetclockLogCallback =
    Option<unsafe extern "C-unwind" fn(user_data: *mut c_void, level: i32, message: *const c_char)>;

/// A callback that is set.
#[derive(Clone, Copy)]
pub(crate) struct Log {
    pub(crate) callback: unsafe extern "C-unwind" fn(*mut c_void, i32, *const c_char),
    pub(crate) user_data: *mut c_void,
    pub(crate) max_level: i32,
}

impl Log {
    pub(crate) fn call(&self, message: &Message<'_>) {
        let text = Text::<LENGTH>::of(format_args!("{message}"));
        // SAFETY: the caller who set it promised that it can be called with this `user_data` while it is set.
        unsafe { (self.callback)(self.user_data, message.level, text.as_ptr()) }
    }
}

/// A message that was not formatted yet.
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
                "{name} waited for another thread: two threads change one client, which is safe but makes \
                 stamps late"
            ),
            Words::Failure(name, failure) => write!(f, "{name}: {failure}"),
        }
    }
}

pub(crate) fn collision(name: &'static str) -> Message<'static> {
    Message { level: NETCLOCK_LOG_WARNING, words: Words::Collision(name) }
}

/// None if another message says it already.
pub(crate) fn event(event: &Event) -> Option<Message<'static>> {
    let (level, words) = match *event {
        Event::Synced => {
            (NETCLOCK_LOG_INFO, Words::Plain("synced: the first reply was accepted, there is a server time"))
        }
        Event::Recovered => (NETCLOCK_LOG_INFO, Words::Plain("recovered: what was degraded is good again")),
        Event::HandedOver => {
            (NETCLOCK_LOG_INFO, Words::Plain("handed over: another authority shows the same timescale"))
        }
        Event::Linked => (NETCLOCK_LOG_INFO, Words::Plain("linked: the server answers by the link")),
        Event::LinkBlocked => {
            (NETCLOCK_LOG_WARNING, Words::Plain("link blocked: no answer by it for two seconds"))
        }
        Event::LinkNotPossible => {
            (NETCLOCK_LOG_WARNING, Words::Plain("link not possible: there is no way to send its datagrams"))
        }
        Event::Discontinuity { cause, jump, epoch } => {
            let cause = match cause {
                Cause::ServerRestart => "the server's clock started again",
                Cause::ProvenStep => "exchanges prove that a clock stepped",
                Cause::LocalGap => "no call for longer than local_gap",
                Cause::LocalStep => "the local clock went back",
                Cause::Correction => "a correction too large to be slewed",
                Cause::Requested => "the application stepped the clock",
            };
            (NETCLOCK_LOG_WARNING, Words::Discontinuity { cause, jump, epoch })
        }
        Event::Degraded(Degradation::NoReplies) => {
            (NETCLOCK_LOG_WARNING, Words::Plain("degraded: no replies, running on the estimated rate"))
        }
        Event::Degraded(Degradation::BoundAboveTarget) => {
            (NETCLOCK_LOG_WARNING, Words::Plain("degraded: the error bound exceeds target_bound"))
        }
        Event::Degraded(Degradation::SeveralServers) => (
            NETCLOCK_LOG_WARNING,
            Words::Plain(
                "degraded: several servers with different clocks answer at this address (a load balancer?), \
                 following one of them and refusing the others",
            ),
        ),
        Event::Degraded(Degradation::Slewed) => (
            NETCLOCK_LOG_WARNING,
            Words::Plain("degraded: a clock is slewed by more than the settings allow"),
        ),
        // The refusal of the reply says it.
        Event::Degraded(Degradation::Contradiction) => return None,
    };
    Some(Message { level, words })
}

/// A call that failed; `refused` if it did because an exchange was refused.
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
