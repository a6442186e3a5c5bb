//! Client functions that most programs call rarely.

use crate::clock::{Exchange, LocalTime, ServerTime, Span};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::client::status;
use crate::ffi::clock::exchange::messages::NetclockRequest;

/// Creates a request in `*request` at local time `now` (ticks) regardless of the schedule. Use this if your
/// own timer schedules the requests, and send each request at once. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_request(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    on_client!(netclock_client_make_request, client, |client| {
        check_size(request, "request")?;
        grow_out(request, "request", at(now, |now| client.make_request(now))?)
    })
}

/// Starts a burst of requests immediately, as after a restart. Call this when you connect to a different
/// server, because the next request may otherwise be `steady_interval` away. Also call this after a known
/// route change, because the next reply then resets the reading's `round_trip`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_begin_burst(client: *mut NetclockClient) -> NetclockStatus {
    on_client!(netclock_client_begin_burst, client, |client| {
        client.begin_burst();
        Ok(())
    })
}

/// Reports that the local clock may have stopped for up to `most` (ticks, at least 0, or `NETCLOCK_UNBOUNDED`
/// if unknown) before local time `now`. If your local clock stops while the machine sleeps, call this when
/// the machine or the application resumes. CLOCK_MONOTONIC, `mach_absolute_time` and audio sample counters
/// stop, but `netclock_monotonic_now` does not. Until the next reply, the client's state is
/// `NETCLOCK_STATE_DOUBTFUL` and its error bound is `NETCLOCK_UNBOUNDED`. The client starts a burst of
/// requests to get a reply soon, and reports `NETCLOCK_EVENT_DISCONTINUITY` with `NETCLOCK_CAUSE_LOCAL_GAP`.
/// The shown time does not go backwards, and the client adds the missed time when the reply arrives. Errors:
/// `NETCLOCK_OUT_OF_RANGE` if `most` is negative, `NETCLOCK_TIME_WENT_BACKWARDS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_may_have_missed_time(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    most: i64,
) -> NetclockStatus {
    on_client!(netclock_client_may_have_missed_time, client, |client| {
        if most < 0 {
            return Err(Failure::because(NETCLOCK_OUT_OF_RANGE, move |f| {
                write!(f, "most is {most}; expected at least 0 ticks, or NETCLOCK_UNBOUNDED")
            }));
        }
        at(now, |now| client.may_have_missed_time(now, Span::from_ticks(most)))
    })
}

/// Steps the shown clock to the best estimate of the server time at local time `now` (ticks), instead of
/// slewing it. Call this when a jump is harmless, for example at the end of a loading screen. Corrections
/// smaller than `least` (ticks) are still slewed. If `least` is zero or negative, every correction becomes a
/// step. Returns the size of the step in `*step`, in ticks. The size is negative for a backward step, and
/// zero if there was no step.
///
/// An event with `NETCLOCK_CAUSE_REQUESTED` reports the step. A forward step does not end the epoch. A
/// backward step starts a new epoch. So does a forward step that looks like a backward step to a reader that
/// has read ahead. The client does not step the clock before the first reply, or while it waits for more
/// replies from a restarted server. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_step(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    least: i64,
    step: *mut i64,
) -> NetclockStatus {
    on_client!(netclock_client_make_step, client, |client| {
        let step = writable(step, "step")?;
        let made = at(now, |now| client.make_step(now, Span::from_ticks(least)))?;
        copy_out(step, "step", made.ticks())
    })
}

/// Reports that you polled your transport at local time `at` (ticks) and have handled every message that had
/// arrived by then. The client assumes that replies you pass to `netclock_client_handle_reply` afterwards
/// arrived after `at`, and may have waited before they were timestamped. After each poll, call this with the
/// time of the poll. Before you pass a reply that was timestamped on arrival, call this with that timestamp.
/// You need this call only if replies are not handled in the loop that calls `netclock_client_tick`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_polled(
    client: *mut NetclockClient,
    at: NetclockLocalTime,
) -> NetclockStatus {
    on_client!(netclock_client_polled, client, |client| { failure::at(at, |at| client.polled(at)) })
}

/// Handles the four timestamps of an exchange, for transports that match replies to requests. The timestamps
/// are the times at which the client sent the request, the server received it, the server sent the reply, and
/// the client received it (ticks, each on its own machine's clock). `server_wait` and `client_wait` are the
/// longest times that the request and the reply may have waited before they were timestamped, as in
/// `netclock_reply` (ticks, 1 if timestamped on arrival, 0 if unknown). `server_epoch` identifies the run of
/// the server's clock, or is 0 if the transport does not provide it. If you know only the reply's server time
/// and the round-trip time, pass the server time as both server timestamps, and the arrival time minus the
/// round-trip time as `client_sent`. Errors: same as `netclock_client_handle_reply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_handle_exchange(
    client: *mut NetclockClient,
    client_sent: NetclockLocalTime,
    server_received: NetclockServerTime,
    server_sent: NetclockServerTime,
    client_received: NetclockLocalTime,
    server_wait: u32,
    client_wait: u32,
    server_epoch: u64,
) -> NetclockStatus {
    let stamps = Exchange::from_stamps(
        LocalTime::from_ticks(client_sent),
        ServerTime::from_ticks(server_received),
        ServerTime::from_ticks(server_sent),
        LocalTime::from_ticks(client_received),
    );
    let (server_wait, client_wait) = (Field::from_c(server_wait), Field::from_c(client_wait));
    let exchange = Exchange { server_wait, client_wait, ..stamps };
    let epoch = (server_epoch != 0).then_some(server_epoch);
    on_client!(netclock_client_handle_exchange, client, |client| {
        let outcome = client.handle_exchange(&exchange, epoch);
        outcome.map_err(|refusal| status::refused(client, refusal))
    })
}
