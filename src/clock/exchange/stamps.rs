//! The four timestamps of an exchange, and the bounds that they prove.
//!
//! ```text
//!   client  t0 ────────────╮                    ╭──────────▶ t3
//!                     forward f             reverse r
//!   server                 ╰──▶ t1 ···hold··· t2 ──╯
//! ```
//!
//! With `offset = server - local` and delays `f, r >= 0`, both unknown:
//!
//! ```text
//! t1 - t0 = offset + f   is an upper bound on the offset, valid at local time t0
//! t2 - t3 = offset - r   is a lower bound on the offset, valid at local time t3
//! ```
//!
//! The time that the server holds the request (`t2 - t1`) cancels out, and the delays need not be symmetric.
//!
//! A loop that polls for messages once per frame timestamps them only when it polls. A message found at `t1`
//! arrived after the previous poll, which was at `t1 - wait`. Waits improve the estimate, but not the bounds.

use super::refusal::Refusal;
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// Identifies a request. If the client's seed is secret, only a server that received the request can answer
/// it, because the id cannot be guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(pub u64);

/// A client's request, which the server does not have to store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The id that the reply must repeat.
    pub id: RequestId,
    /// The time at which the client sent the request (t0), with a random origin that hides the machine's
    /// uptime. Apart from its origin, this time advances like local time. Replies do not need this time, but
    /// the server may use it to monitor clock rates.
    pub client_time: LocalTime,
    /// Whether to send the request reliably, if the transport offers a choice. At most three requests before
    /// the first sync are marked as reliable.
    pub reliable: bool,
}

/// A server's reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The request's id.
    pub id: RequestId,
    /// The server epoch of the timestamps, which changes when the server restarts.
    pub epoch: u64,
    /// The time at which the server received the request (t1).
    pub received: ServerTime,
    /// The time at which the server sent this reply (t2).
    pub sent: ServerTime,
    /// The longest time that the request may have waited before it was timestamped. The wait is `received`
    /// minus the time of the server's previous poll. It is zero if the request was timestamped on arrival, or
    /// `None` if unknown.
    pub wait: Option<Span>,
}

impl Reply {
    /// Sets [`wait`](Self::wait) to the time from the server's previous poll, at `looked`, to `received`.
    /// The server must have handled all available messages in that poll, so the request arrived between
    /// `looked` and `received`. Pass `received` as `looked` if the request was timestamped on arrival.
    ///
    /// ```
    /// # use netclock::{Client, Config, LocalTime, Responder, ServerTime, Span};
    /// # let mut client = Client::new(Config::default(), 7)?;
    /// # let request = client.tick(LocalTime::from_ticks(0))?.expect("it is due");
    /// # let responder = Responder::new(42);
    /// let (previous_frame, this_frame) = (ServerTime::from_ticks(0), ServerTime::from_ticks(166_667));
    /// let reply = responder.respond(&request, this_frame, this_frame)?.found_after(previous_frame);
    /// assert_eq!(reply.wait, Some(Span::from_ticks(166_667)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn found_after(self, looked: ServerTime) -> Reply {
        Reply { wait: Some((self.received - looked).max(Span::ZERO)), ..self }
    }
}

/// The four timestamps of a completed exchange.
///
/// ```
/// # use netclock::{Exchange, LocalTime, ServerTime, Span};
/// let (at, now) = (ServerTime::from_ticks(0), LocalTime::from_ticks(0));
/// let exchange = Exchange::from_two_stamps(at, now, Span::from_millis(40));
/// assert_eq!((exchange.round_trip(), exchange.hold()), (Span::from_millis(40), Span::ZERO));
/// let sent = now - Span::from_millis(40);
/// let on_arrival = Exchange { client_wait: Some(Span::ZERO), ..Exchange::from_stamps(sent, at, at, now) };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// t0: the time at which the client sent the request.
    pub client_sent: LocalTime,
    /// t1: the time at which the server received the request.
    pub server_received: ServerTime,
    /// t2: the time at which the server sent the reply.
    pub server_sent: ServerTime,
    /// t3: the time at which the client received the reply.
    pub client_received: LocalTime,
    /// The longest time that the request may have waited before it was timestamped. The wait is t1 minus the
    /// time of the server's previous poll. It is zero if the request was timestamped on arrival, or `None` if
    /// unknown.
    pub server_wait: Option<Span>,
    /// The longest time that the reply may have waited: t3 minus the time of the client's previous poll.
    pub client_wait: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tolerance {
    pub(crate) max_round_trip: Span,
    /// Largest difference between the rates of the two clocks, per tick.
    pub(crate) drift: f64,
    pub(crate) resolution: Span,
}

impl Exchange {
    /// Creates an exchange with these four timestamps and unknown waits.
    pub const fn from_stamps(
        client_sent: LocalTime,
        server_received: ServerTime,
        server_sent: ServerTime,
        client_received: LocalTime,
    ) -> Self {
        Exchange {
            client_sent,
            server_received,
            server_sent,
            client_received,
            server_wait: None,
            client_wait: None,
        }
    }

    /// Creates an exchange with `t1 = t2 = server_time`, `t3 = current_time` and `t0 = t3 - round_trip`.
    pub fn from_two_stamps(server_time: ServerTime, current_time: LocalTime, round_trip: Span) -> Self {
        Self::from_stamps(current_time - round_trip, server_time, server_time, current_time)
    }

    /// Rejects impossible timestamps and exchanges that took too long. Limits each wait to the duration of
    /// the exchange, because messages cannot arrive before they are sent.
    pub(crate) fn check(&self, tolerance: &Tolerance) -> Result<Exchange, Refusal> {
        let valid = self.client_sent.is_valid()
            && self.server_received.is_valid()
            && self.server_sent.is_valid()
            && self.client_received.is_valid()
            && [self.server_wait, self.client_wait].iter().flatten().all(|&wait| wait >= Span::ZERO);
        if !valid {
            return Err(Refusal::StampOutOfRange);
        }
        let (elapsed, hold) = (self.client_received - self.client_sent, self.hold());
        if elapsed < Span::ZERO {
            return Err(Refusal::ArrivedBeforeSent);
        }
        if hold < Span::ZERO {
            return Err(Refusal::SentBeforeReceived);
        }
        if elapsed > tolerance.max_round_trip {
            return Err(Refusal::TooSlow);
        }
        // The server's clock measures the hold, so rate errors and clock resolutions may make it slightly too
        // long.
        let rates = Span::from_secs_f64(elapsed.as_secs_f64() * tolerance.drift);
        let longest = elapsed + rates + tolerance.resolution;
        if hold > longest {
            return Err(Refusal::HeldTooLong);
        }
        let limited = |wait: Option<Span>| wait.map(|wait| wait.min(longest));
        Ok(Exchange {
            server_wait: limited(self.server_wait),
            client_wait: limited(self.client_wait),
            ..*self
        })
    }

    /// Returns how long the server held the request, as measured by the server's clock.
    pub fn hold(&self) -> Span {
        self.server_sent - self.server_received
    }

    /// Returns the network delay in both directions, excluding the server's hold.
    pub fn round_trip(&self) -> Span {
        (self.client_received - self.client_sent) - self.hold()
    }

    /// Returns `t1 - t0` in ticks, which is the offset plus the forward delay.
    pub(crate) fn upper(&self) -> i64 {
        self.server_received.ticks() - self.client_sent.ticks()
    }

    /// Returns `t2 - t3` in ticks, which is the offset minus the reverse delay.
    pub(crate) fn lower(&self) -> i64 {
        self.server_sent.ticks() - self.client_received.ticks()
    }
}

#[cfg(test)]
impl Exchange {
    pub(crate) fn of_ticks([t0, t1, t2, t3]: [i64; 4]) -> Self {
        let (local, server) = (LocalTime::from_ticks, ServerTime::from_ticks);
        Exchange::from_stamps(local(t0), server(t1), server(t2), local(t3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: Tolerance =
        Tolerance { max_round_trip: Span::from_secs(5), drift: 100e-6, resolution: Span::from_ticks(2) };

    fn exchange(t0: i64, t1: i64, t2: i64, t3: i64) -> Exchange {
        Exchange::of_ticks([t0, t1, t2, t3])
    }

    #[test]
    fn the_bounds_contain_the_offset_for_any_asymmetry() {
        // The offset is 1000, the delays are 30 and 20, and the hold is 500.
        let x = exchange(0, 1030, 1530, 550);
        assert_eq!((x.upper(), x.lower()), (1030, 980));
        assert_eq!(x.round_trip().ticks(), 50);
        assert_eq!(x.hold().ticks(), 500);
        assert_eq!(x.check(&TOLERANCE), Ok(x));
    }

    #[test]
    fn impossible_timestamps_are_rejected_with_their_reason() {
        assert_eq!(exchange(10, 0, 0, 9).check(&TOLERANCE), Err(Refusal::ArrivedBeforeSent));
        assert_eq!(exchange(0, 5, 4, 9).check(&TOLERANCE), Err(Refusal::SentBeforeReceived));
        assert_eq!(exchange(0, 0, 100, 50).check(&TOLERANCE), Err(Refusal::HeldTooLong));
        assert_eq!(exchange(0, 0, 0, 50_000_001).check(&TOLERANCE), Err(Refusal::TooSlow));
        for extreme in [i64::MIN, i64::MAX] {
            assert_eq!(exchange(extreme, 0, 0, 0).check(&TOLERANCE), Err(Refusal::StampOutOfRange));
            assert_eq!(exchange(0, extreme, 0, 0).check(&TOLERANCE), Err(Refusal::StampOutOfRange));
            assert_eq!(exchange(0, 0, extreme, 0).check(&TOLERANCE), Err(Refusal::StampOutOfRange));
            assert_eq!(exchange(0, 0, 0, extreme).check(&TOLERANCE), Err(Refusal::StampOutOfRange));
        }
    }

    #[test]
    fn waits_are_limited_by_the_exchange_and_never_negative() {
        let ticks = |ticks| Some(Span::from_ticks(ticks));
        let x = |server, client| Exchange {
            server_wait: server,
            client_wait: client,
            ..exchange(0, 1030, 1530, 550)
        };
        assert_eq!(x(None, ticks(0)).check(&TOLERANCE), Ok(x(None, ticks(0))));
        assert_eq!(x(ticks(550), ticks(i64::MAX)).check(&TOLERANCE), Ok(x(ticks(550), ticks(552))));
        for wrong in [ticks(-1), ticks(i64::MIN)] {
            assert_eq!(x(wrong, None).check(&TOLERANCE), Err(Refusal::StampOutOfRange));
            assert_eq!(x(None, wrong).check(&TOLERANCE), Err(Refusal::StampOutOfRange));
        }
    }

    #[test]
    fn two_timestamps_are_four_without_a_hold() {
        let (server, local) = (ServerTime::from_ticks(700), LocalTime::from_ticks(100));
        let of = |round_trip| Exchange::from_two_stamps(server, local, Span::from_ticks(round_trip));
        assert_eq!(of(40), exchange(60, 700, 700, 100));
        assert_eq!(of(-1).check(&TOLERANCE), Err(Refusal::ArrivedBeforeSent));
        for extreme in [i64::MIN, i64::MAX] {
            assert!(of(extreme).check(&TOLERANCE).is_err(), "{extreme}");
        }
    }
}
