//! Answers requests without per-client state, so a flood of requests cannot exhaust memory.

use crate::clock::exchange::{Reply, Request};
use crate::clock::ground::time::ServerTime;

/// Answers requests with the server's timestamps and epoch. A responder does not allocate, has no per-client
/// state, and can be shared between threads.
///
/// ```
/// # use netclock::{Client, Config, LocalTime, Responder, ServerTime};
/// # let request = Client::new(Config::default(), 7)?.tick(LocalTime::from_ticks(0))?.expect("it is due");
/// let responder = Responder::new(42); // use a random epoch
/// let (received, sent) = (ServerTime::from_ticks(100), ServerTime::from_ticks(150));
/// assert_eq!(responder.respond(&request, received, sent)?.epoch, 42);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Responder {
    epoch: u64,
}

impl Responder {
    /// Creates a responder for a server epoch.
    ///
    /// Draw a new random `epoch` whenever the server's process starts or its clock is reset. A client that
    /// sees a different epoch starts over instead of averaging two clocks.
    pub const fn new(epoch: u64) -> Self {
        Responder { epoch }
    }

    /// Returns the epoch of this responder.
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Creates the reply to a request that arrived at `received` (t1), to be sent at `sent` (t2). Read both
    /// times from the server's monotonic clock, as close to the network as possible. Clients subtract the
    /// time between them, so a reply can wait for the next server frame. The limit of the wire format is 429
    /// s.
    ///
    /// A server that polls for messages once per frame should pass the time of its previous poll to
    /// [`found_after`](Reply::found_after). Otherwise, clients do not know how long the request waited.
    ///
    /// # Errors
    /// Returns [`RespondError::StampOutOfRange`] if a timestamp is outside the valid range, or
    /// [`RespondError::SentBeforeReceived`] if `sent` is before `received`. Do not reply to a request that
    /// caused an error.
    pub fn respond(
        &self,
        request: &Request,
        received: ServerTime,
        sent: ServerTime,
    ) -> Result<Reply, RespondError> {
        if !received.is_valid() || !sent.is_valid() {
            return Err(RespondError::StampOutOfRange);
        }
        if sent < received {
            return Err(RespondError::SentBeforeReceived);
        }
        Ok(Reply { id: request.id, epoch: self.epoch, received, sent, wait: None })
    }
}

/// The reason why a responder does not answer a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RespondError {
    /// A server timestamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a server timestamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The send time is before the receive time.
    #[error("the send time is before the receive time")]
    SentBeforeReceived,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::exchange::RequestId;
    use crate::clock::ground::time::LocalTime;

    #[test]
    fn replies_contain_the_id_and_the_epoch() {
        let request = Request { id: RequestId(7), client_time: LocalTime::from_ticks(1), reliable: true };
        let (received, sent) = (ServerTime::from_ticks(10), ServerTime::from_ticks(12));
        let reply = Responder::new(99).respond(&request, received, sent);
        assert_eq!(reply, Ok(Reply { id: RequestId(7), epoch: 99, received, sent, wait: None }));
    }

    #[test]
    fn invalid_timestamps_are_rejected() {
        let request = Request { id: RequestId(7), client_time: LocalTime::from_ticks(1), reliable: true };
        let respond = |received, sent| {
            Responder::new(1).respond(
                &request,
                ServerTime::from_ticks(received),
                ServerTime::from_ticks(sent),
            )
        };
        assert_eq!(respond(5, 4), Err(RespondError::SentBeforeReceived));
        assert_eq!(respond(i64::MIN, 0), Err(RespondError::StampOutOfRange));
        assert_eq!(respond(0, i64::MAX), Err(RespondError::StampOutOfRange));
    }
}
