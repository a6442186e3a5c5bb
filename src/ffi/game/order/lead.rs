//! How far ahead of the server to predict.

use crate::clock::{LocalTime, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::reading::NetclockReading;
use crate::ffi::game::order::status::{NETCLOCK_NO_MESSAGES, NETCLOCK_OUTDATED};
use crate::game::order::{Lead, LeadConfig, LeadUpdate};

/// Settings of a lead. Set `struct_size`, and everything else to zero for the defaults. Durations are in
/// ticks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLeadConfig {
    /// `sizeof(netclock_lead_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Share of messages that should be in time. The lead holds 256 delays, which say nothing about rarer
    /// ones. (0.5 to 0.99, default 0.95)
    pub quantile: f64,
    /// Frame period of a server that handles messages at frame boundaries but stamps them on arrival. Zero if
    /// it stamps them when it handles them. (0 to 1 s)
    pub server_frame: i64,
    /// The same for the client and the messages that the server sends. (0 to 1 s)
    pub client_frame: i64,
    /// Time between the states that the server sends. (0 to 10 s)
    pub send_interval: i64,
}

growable! { NetclockLeadConfig: 40 }

settings! { |config: NetclockLeadConfig| LeadConfig { quantile, server_frame, client_frame, send_interval } }

/// A prediction lead: learns from messages how long they take. Opaque. Calls on it wait for each other.
pub struct NetclockLead(Owned<Lead>);

owned! { NetclockLead(Lead): "netclock_lead", "lead" }

/// Creates a lead that knows no message yet and stores it in `*lead`. Give it back to
/// `netclock_lead_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_create(
    config: *const NetclockLeadConfig,
    lead: *mut *mut NetclockLead,
) -> NetclockStatus {
    create!(netclock_lead_create, lead, {
        let config = optional(config, "config")?;
        reserved(config.reserved, "config")?;
        Ok(Lead::new(config.to_config())?)
    })
}

/// Destroys a lead, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_destroy(lead: *mut NetclockLead) -> NetclockStatus {
    destroy!(netclock_lead_destroy, lead)
}

/// Remembers that a message leaves for the server at `at` by the local clock, when the client's clock reads
/// `reading`: only its `epoch` and `server_time` are used. The game numbers its messages: by the input's
/// tick, for example. Only the first call with a number counts until there is another one, so call it each
/// time that the message is sent. The newest 256 messages without a report are remembered. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_note_sent(
    lead: *mut NetclockLead,
    message: u64,
    at: NetclockLocalTime,
    reading: *const NetclockReading,
) -> NetclockStatus {
    change!(netclock_lead_note_sent, lead, |lead| {
        Ok(lead.note_sent(message, LocalTime::from_ticks(at), &grow_in(reading, "reading")?.into())?)
    })
}

/// Learns from the server's report that a message arrived at `at` by the server's clock. Do not report lost
/// messages. When the clock steps, the lead starts to learn again. `NETCLOCK_OUTDATED`: not used, because its
/// epoch has ended, it was reported before, or its departure is not remembered. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a delay more than 60
/// s from the others, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_note_arrived(
    lead: *mut NetclockLead,
    message: u64,
    at: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_lead_note_arrived, lead, |lead| {
        used(lead.note_arrived(message, ServerTime::from_ticks(at))?)
    })
}

/// Learns from a message of the server, which stamped it `sent`: a state, or a reply of the clock. It arrives
/// at `at` by the local clock, when the client's clock reads `reading`. `NETCLOCK_OUTDATED`: of an epoch that
/// has ended, not used. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a delay more than 60 s from the others,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_note_received(
    lead: *mut NetclockLead,
    sent: NetclockServerTime,
    at: NetclockLocalTime,
    reading: *const NetclockReading,
) -> NetclockStatus {
    change!(netclock_lead_note_received, lead, |lead| {
        let reading = grow_in(reading, "reading")?.into();
        used(lead.note_received(ServerTime::from_ticks(sent), LocalTime::from_ticks(at), &reading)?)
    })
}

fn used(update: LeadUpdate) -> Outcome<()> {
    match update {
        LeadUpdate::Used => Ok(()),
        LeadUpdate::Outdated => Err(Failure::of(NETCLOCK_OUTDATED)),
    }
}

/// What the messages so far suggest at `at`, by the local clock, as times of the server in ticks. With the
/// configured probability, a message that leaves at `at` is handled before `*handled_by`: predict for that
/// time. If others are shown as they were at `*showable`, then with that probability there are two states to
/// interpolate between. Either may be null. `NETCLOCK_NO_MESSAGES`: no message was learnt yet in a direction
/// that was asked for; its value is zero. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_lead_suggest(
    lead: *const NetclockLead,
    at: NetclockLocalTime,
    handled_by: *mut NetclockServerTime,
    showable: *mut NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_lead_suggest, lead, |lead| {
        let at = other_time(at)?;
        let mut complete = true;
        for (out, time) in [(handled_by, lead.handled_by(at)), (showable, lead.showable(at))] {
            if !out.is_null() {
                out.write(time.map_or(0, ServerTime::ticks));
                complete &= time.is_some();
            }
        }
        if complete { Ok(()) } else { Err(Failure::of(NETCLOCK_NO_MESSAGES)) }
    })
}
