//! How far ahead of the server to predict.

use parking_lot::Mutex;

use super::boundary::{self, Growable, Handle, Outcome, Poison};
use super::failure::Failure;
use super::order::reserved;
use super::owned::{self, Owner};
use super::reading::NETCLOCK_UNBOUNDED;
use super::status::NetclockStatus;
use crate::direction::Direction;
use crate::order::OrderError;
use crate::order::{Lead, LeadConfig, Note};
use crate::range::ConfigError;
use crate::time::{ServerTime, Span};

/// Direction: sent by the client, received by the server.
pub const NETCLOCK_TO_SERVER: i32 = 1;
/// Direction: sent by the server, received by the client.
pub const NETCLOCK_TO_CLIENT: i32 = 2;

/// Settings of a lead. Set `struct_size` and all else to zero for the defaults. Durations are in ticks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLeadConfig {
    /// `sizeof(netclock_lead_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Share of messages that should be in time. (0.5 to 0.999, default 0.95)
    pub quantile: f64,
    /// Frame period of a server that handles messages at frame boundaries but stamps them on arrival; zero if it
    /// stamps them when it handles them. (0 to 1 s)
    pub server_frame: i64,
    /// The same of the client and what the server sends. (0 to 1 s)
    pub client_frame: i64,
    /// Time between the states that the server sends. (0 to 10 s)
    pub send_interval: i64,
}

// SAFETY: repr(C), two four-byte numbers and four eight-byte ones, so no padding; every number is valid.
unsafe impl Growable for NetclockLeadConfig {
    const FIRST_SIZE: usize = 40;
    fn zero() -> Self {
        NetclockLeadConfig {
            struct_size: size_of::<Self>() as u32,
            reserved: 0,
            quantile: 0.0,
            server_frame: 0,
            client_frame: 0,
            send_interval: 0,
        }
    }
}

impl NetclockLeadConfig {
    fn to_config(self) -> Outcome<LeadConfig> {
        reserved(self.reserved, "config")?;
        let quantile = if self.quantile == 0.0 { LeadConfig::default().quantile } else { self.quantile };
        Ok(LeadConfig {
            quantile,
            server_frame: Span::from_ticks(self.server_frame),
            client_frame: Span::from_ticks(self.client_frame),
            send_interval: Span::from_ticks(self.send_interval),
        })
    }
}

/// A lead: learns from messages how long they take. Opaque. Calls on one are serialised by a lock.
pub struct NetclockLead {
    poison: Poison,
    lead: Mutex<Lead>,
}

impl Handle for NetclockLead {
    const KIND: &'static str = "netclock_lead";
    const ARGUMENT: &'static str = "lead";

    fn poison(&self) -> &Poison {
        &self.poison
    }

    fn may_be_destroyed(&self) -> Outcome {
        owned::unless_locked(&self.lead)
    }
}

impl Owner for NetclockLead {
    type Value = Lead;

    fn value(&self) -> &Mutex<Lead> {
        &self.lead
    }
}

/// Creates a lead that knows no message yet and stores it in `*lead`, to be given back to `netclock_lead_destroy`.
/// `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_BAD_CONFIG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_create(
    config: *const NetclockLeadConfig,
    lead: *mut *mut NetclockLead,
) -> NetclockStatus {
    boundary::entry("netclock_lead_create", || {
        let settings = if config.is_null() {
            LeadConfig::default()
        } else {
            // SAFETY: a structure of the size it states, as the header asks of the caller.
            unsafe { boundary::grow_in(config, "config")? }.to_config()?
        };
        let handle = NetclockLead { poison: Poison::default(), lead: Mutex::new(Lead::new(settings)?) };
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::hand_out(handle, lead) }
    })
}

/// Destroys a lead. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live lead, `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_destroy(lead: *mut NetclockLead) -> NetclockStatus {
    // SAFETY: if it is a live lead, nobody uses it any more, as the header asks of the caller.
    unsafe { boundary::take_back("netclock_lead_destroy", lead) }
}

/// Learns from a message that went in `direction`, one of `NETCLOCK_TO_...`: any of the game's own whose two stamps
/// are known, and the clock's own exchanges. `sent` and `arrived` are in server time: the server's stamp by its own
/// clock, the client's as it was shown there. `epoch` is that of the reading which made the client's stamp; when the
/// clock jumped, all is learned anew. `NETCLOCK_OUTDATED`: of an epoch that has ended, not used. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for another direction or stamps
/// more than 60 s apart, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_note(
    lead: *mut NetclockLead,
    direction: i32,
    epoch: u32,
    sent: i64,
    arrived: i64,
) -> NetclockStatus {
    // SAFETY: null or a live lead, as the header asks of the caller.
    unsafe {
        owned::change("netclock_lead_note", lead, &mut |lead| {
            let direction = match direction {
                NETCLOCK_TO_SERVER => Direction::ToServer,
                NETCLOCK_TO_CLIENT => Direction::ToClient,
                other => {
                    let (field, value, unit) = ("direction", f64::from(other), "");
                    let error = ConfigError { field, value, min: 1.0, max: 2.0, unit };
                    return Err(OrderError::OutOfRange(error).into());
                }
            };
            let (sent, arrived) = (ServerTime::from_ticks(sent), ServerTime::from_ticks(arrived));
            match lead.note(direction, epoch, sent, arrived)? {
                Note::Used | Note::Renewed => Ok(()),
                Note::Outdated => Err(Failure::Outdated),
            }
        })
    }
}

/// What the messages so far suggest, in ticks. A message sent now is handled before the shown server time plus
/// `*ahead` has come, with the chosen probability. Showing others `*behind` the shown server time, there are, with
/// that probability, two states to show them between. Either may be null. `NETCLOCK_NO_MESSAGES`: none was noted yet in
/// a direction that was asked for; its value is `NETCLOCK_UNBOUNDED`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_suggest(
    lead: *const NetclockLead,
    ahead: *mut i64,
    behind: *mut i64,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_lead_suggest", lead, &mut |lead| {
            let mut complete = true;
            for (out, span) in [(ahead, lead.lead()), (behind, lead.interpolation_delay())] {
                if !out.is_null() {
                    out.write(span.map_or(NETCLOCK_UNBOUNDED, Span::ticks));
                    complete &= span.is_some();
                }
            }
            if complete { Ok(()) } else { Err(Failure::NoMessages) }
        })
    }
}
