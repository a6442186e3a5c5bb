//! How far ahead of the server to predict.

use crate::direction::Direction;
use crate::ffi::base::entries::{change, create, destroy};
use crate::ffi::base::failure::{Failure, Outcome};
use crate::ffi::base::growable::{growable, optional, or, reserved};
use crate::ffi::base::owned::{Owned, owned};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::client::reading::NETCLOCK_UNBOUNDED;
use crate::ffi::order::status::{NETCLOCK_NO_MESSAGES, NETCLOCK_OUTDATED};
use crate::order::OrderError;
use crate::order::{Lead, LeadConfig, LeadUpdate};
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

growable! { NetclockLeadConfig: 40 }

impl NetclockLeadConfig {
    fn to_config(self) -> Outcome<LeadConfig> {
        reserved(self.reserved, "config")?;
        Ok(LeadConfig {
            quantile: or(self.quantile, LeadConfig::default().quantile),
            server_frame: Span::from_ticks(self.server_frame),
            client_frame: Span::from_ticks(self.client_frame),
            send_interval: Span::from_ticks(self.send_interval),
        })
    }
}

/// A lead: learns from messages how long they take. Opaque. Calls on one are serialised by a lock.
pub struct NetclockLead(Owned<Lead>);

owned! { NetclockLead(Lead): "netclock_lead", "lead" }

/// Creates a lead that knows no message yet and stores it in `*lead`, to be given back to `netclock_lead_destroy`.
/// `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_BAD_CONFIG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_create(
    config: *const NetclockLeadConfig,
    lead: *mut *mut NetclockLead,
) -> NetclockStatus {
    create!(netclock_lead_create, lead, { Ok(Lead::new(optional(config, "config")?.to_config()?)?) })
}

/// Destroys a lead. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live lead, `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_destroy(lead: *mut NetclockLead) -> NetclockStatus {
    destroy!(netclock_lead_destroy, lead)
}

/// Learns from a message that went in `direction`, one of `NETCLOCK_TO_...`: any of the game's own whose two stamps
/// are known, and the clock's own exchanges. `sent` and `arrived` are in server time: the server's stamp by its own
/// clock, the client's as it was shown there. `epoch` is that of the reading which made the client's stamp; when the
/// clock jumped, all is learned anew. `NETCLOCK_OUTDATED`: of an epoch that has ended, not used. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for another direction or stamps
/// more than 60 s apart, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_learn(
    lead: *mut NetclockLead,
    direction: i32,
    epoch: u32,
    sent: i64,
    arrived: i64,
) -> NetclockStatus {
    change!(netclock_lead_learn, lead, |lead| {
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
            LeadUpdate::Used | LeadUpdate::Restarted => Ok(()),
            LeadUpdate::Outdated => Err(Failure::of(NETCLOCK_OUTDATED)),
        }
    })
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
    change!(netclock_lead_suggest, lead, |lead| {
        let mut complete = true;
        for (out, span) in [(ahead, lead.lead()), (behind, lead.interpolation_delay())] {
            if !out.is_null() {
                out.write(span.map_or(NETCLOCK_UNBOUNDED, Span::ticks));
                complete &= span.is_some();
            }
        }
        if complete { Ok(()) } else { Err(Failure::of(NETCLOCK_NO_MESSAGES)) }
    })
}
