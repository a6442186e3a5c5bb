use core::fmt;

use crate::clock::{Client, Exchange, Refusal, Sample, Span};
#[cfg(feature = "game")]
use crate::clock::{LocalTime, authority::AuthorityError};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status::NETCLOCK_UNKNOWN_REQUEST;

/// The server time is unknown because no reply has been accepted. The output is zero.
pub const NETCLOCK_NOT_SYNCED: i32 = 201;
/// The event queue is empty.
pub const NETCLOCK_NO_EVENT: i32 = 202;
/// The message is for a different timescale than the one the client follows.
pub const NETCLOCK_OTHER_TIMESCALE: i32 = -201;

#[cold]
pub(crate) fn refused(client: &Client, refusal: Refusal) -> Failure {
    let NetclockStatus(status) = refusal.into();
    let (sample, longest) = (client.last_sample(), client.config().max_round_trip);
    match sample.and_then(Sample::exchange) {
        Some(Exchange { client_sent, server_received, server_sent, client_received, .. }) => {
            Failure::because(status, move |f| {
                // Omit the waits, because they do not fit into a failure and never cause the error.
                let exchange =
                    Exchange::from_stamps(client_sent, server_received, server_sent, client_received);
                write_refused(f, refusal, &exchange, longest)
            })
        }
        None => {
            let id = sample.and_then(|sample| sample.id).map_or(0, |id| id.0);
            Failure::because(NETCLOCK_UNKNOWN_REQUEST, move |f| {
                write!(f, "{}: {id:#018x}", Refusal::UnknownRequest)
            })
        }
    }
}

fn write_refused(
    f: &mut fmt::Formatter<'_>,
    refusal: Refusal,
    exchange: &Exchange,
    longest: Span,
) -> fmt::Result {
    let elapsed = exchange.client_received - exchange.client_sent;
    match refusal {
        Refusal::StampOutOfRange => failure::write_stamp_out_of_range(
            f,
            &["client_sent", "server_received", "server_sent", "client_received"],
            &[
                exchange.client_sent.ticks(),
                exchange.server_received.ticks(),
                exchange.server_sent.ticks(),
                exchange.client_received.ticks(),
            ],
        ),
        Refusal::ArrivedBeforeSent => write!(f, "{refusal}: {} ticks earlier", (-elapsed).ticks()),
        Refusal::SentBeforeReceived => write!(f, "{refusal}: {} ticks earlier", (-exchange.hold()).ticks()),
        Refusal::HeldTooLong => write!(f, "{refusal}: {} of {elapsed}", exchange.hold()),
        Refusal::TooSlow => write!(f, "{refusal}: {elapsed}, not {longest}"),
        Refusal::Contradiction => {
            let (least, most) = (Span::from_ticks(exchange.lower()), Span::from_ticks(exchange.upper()));
            write!(f, "{refusal}: they put the server {least} to {most} ahead")
        }
        Refusal::UnknownRequest | Refusal::SeveralServers => fmt::Display::fmt(&refusal, f),
    }
}

#[cfg(feature = "game")]
pub(crate) fn authority(error: AuthorityError, now: LocalTime) -> Failure {
    let status = match error {
        AuthorityError::Dispersion(_) => NETCLOCK_OUT_OF_RANGE,
        AuthorityError::OtherTimescale(_) => NETCLOCK_OTHER_TIMESCALE,
        AuthorityError::Time(error) => return Failure::time(error, now),
    };
    Failure::from_error(status, error)
}
