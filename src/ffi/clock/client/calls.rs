//! Calls on a client that few games need.

use crate::clock::{Exchange, LocalTime, ServerTime, Span};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::client::status;
use crate::ffi::clock::exchange::messages::NetclockRequest;

/// Makes a request to send at once, whatever the schedule says, into `*request`. It is for callers with a
/// timer of their own. `now` is the local time in ticks. Errors as `netclock_client_tick`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_request(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    on_client!(netclock_client_make_request, client, |client| {
        check_size(request, "request")?;
        let now = LocalTime::from_ticks(now);
        grow_out(request, "request", client.make_request(now).map_err(|error| Failure::time(error, now))?)
    })
}

/// Begins a burst of requests at once, as after a restart. Call it when you turn to another server. Otherwise
/// the client would ask it only after `steady_interval`. The reading's `round_trip` begins anew with the next
/// reply, so call it as well after a change of the route that you know of. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_begin_burst(client: *mut NetclockClient) -> NetclockStatus {
    on_client!(netclock_client_begin_burst, client, |client| {
        client.begin_burst();
        Ok(())
    })
}

/// Tells the client that its local clock may have missed up to `most` (ticks, at least 0) before `now`;
/// `NETCLOCK_UNBOUNDED`: nobody knows how much. Call it when the machine or the application resumes, if the
/// local clock stops while the machine sleeps. `netclock_monotonic_now` does not, so it needs no call;
/// CLOCK_MONOTONIC, `mach_absolute_time` and counters of audio samples do. Until the next reply the state is
/// `NETCLOCK_STATE_DOUBTFUL` and the bound `NETCLOCK_UNBOUNDED`. A burst begins, so that the reply comes
/// soon. The event is `NETCLOCK_EVENT_DISCONTINUITY` with `NETCLOCK_CAUSE_LOCAL_GAP`. The shown time does not
/// go back: what was missed is added when the reply arrives. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative `most`,
/// `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
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
        let now = LocalTime::from_ticks(now);
        let told = client.may_have_missed_time(now, Span::from_ticks(most));
        told.map_err(|error| Failure::time(error, now))
    })
}

/// Steps the shown clock to the best estimate at local time `now` (ticks), in place of the slew that would go
/// on. Call it when a jump costs nothing, for example at the end of a loading screen. A correction smaller
/// than `least` (ticks) goes on being slewed; zero or a negative `least` steps any. Writes the shown time
/// after the step minus that before it to `*step`, in ticks; zero if nothing was stepped.
///
/// The step is declared with `NETCLOCK_CAUSE_REQUESTED`. A step forwards stays in its epoch. A step backwards
/// begins a new epoch, and so does one that a reader could see as a step back, because it has read ahead.
/// Before the first reply, and while the client waits for more replies of a restarted server, nothing is
/// stepped. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_step(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    least: i64,
    step: *mut i64,
) -> NetclockStatus {
    on_client!(netclock_client_make_step, client, |client| {
        let step = writable(step, "step")?;
        let now = LocalTime::from_ticks(now);
        let made =
            client.make_step(now, Span::from_ticks(least)).map_err(|error| Failure::time(error, now))?;
        copy_out(step, "step", made.ticks())
    })
}

/// Notes that the caller polled its transport at local time `at` (ticks), and has handled all messages that
/// were there. So the replies that `netclock_client_handle_reply` gets afterwards arrived after `at`, and may
/// have waited for their stamps. Call it once a poll, with the time of the poll. Before a reply that was
/// stamped on arrival, pass its stamp. It is needed only if replies are handled elsewhere than in the loop
/// that calls `netclock_client_tick`. Errors: `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_polled(
    client: *mut NetclockClient,
    at: NetclockLocalTime,
) -> NetclockStatus {
    on_client!(netclock_client_polled, client, |client| {
        let at = LocalTime::from_ticks(at);
        client.polled(at).map_err(|error| Failure::time(error, at))
    })
}

/// Learns from the four stamps of an exchange, for callers whose transport matches replies to requests. The
/// stamps are: sent by the client, received and answered by the server, received by the client; each by its
/// own clock (ticks). `server_wait` and `client_wait` are the longest times that request and reply can have
/// waited for their stamps, as in `netclock_reply` (ticks; 1: stamped on arrival; 0: unknown). `server_epoch`
/// names the run of the server's clock, or is 0 if the transport does not know it. Errors as
/// `netclock_client_handle_reply`.
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

/// Learns from two stamps: at local time `current_time` a reply arrived that says `server_time`, after a
/// round trip of `round_trip`. `*accepted` becomes 1 or 0, and the status says why not. `accepted` may be
/// null. As in the other calls, the stamp is when the reply arrived, which may be before the `now` of calls
/// made since. Errors as `netclock_client_handle_reply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_update_server_time(
    client: *mut NetclockClient,
    server_time: NetclockServerTime,
    current_time: NetclockLocalTime,
    round_trip: i64,
    accepted: *mut i32,
) -> NetclockStatus {
    let exchange = Exchange::from_two_stamps(
        ServerTime::from_ticks(server_time),
        LocalTime::from_ticks(current_time),
        Span::from_ticks(round_trip),
    );
    let status = on_client!(netclock_client_update_server_time, client, |client| {
        let outcome = client.handle_exchange(&exchange, None);
        outcome.map_err(|refusal| status::refused(client, refusal))
    });
    if !accepted.is_null() {
        // SAFETY: not null, so that it can be written, as the header asks of every caller.
        unsafe { accepted.write(i32::from(status == NetclockStatus::OK)) };
    }
    status
}
