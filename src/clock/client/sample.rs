use crate::clock::exchange::{Exchange, Refusal, RequestId};
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// An exchange passed to a [`Client`](crate::Client), and whether it was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The reply's id, or `None` if the caller matched the reply to its request.
    pub id: Option<RequestId>,
    /// The server epoch, or `None` if the transport does not provide it.
    pub server_epoch: Option<u64>,
    /// t0, when the client sent the request, or `None` for an [unknown request](Refusal::UnknownRequest).
    pub client_sent: Option<LocalTime>,
    /// t1, when the server received the request.
    pub server_received: ServerTime,
    /// t2, when the server sent the reply.
    pub server_sent: ServerTime,
    /// t3, when the client received the reply.
    pub client_received: LocalTime,
    /// The longest time that the request may have waited before it was timestamped, or `None` if unknown; see
    /// [`Exchange::server_wait`].
    pub server_wait: Option<Span>,
    /// The longest time that the reply may have waited before it was timestamped, or `None` if unknown.
    pub client_wait: Option<Span>,
    /// Whether the exchange used the link instead of the game's messages.
    pub by_link: bool,
    /// `Ok` if the exchange was accepted, or the reason why it was rejected.
    pub outcome: Result<(), Refusal>,
}

impl Sample {
    /// Returns the four timestamps, if all are known.
    pub fn exchange(&self) -> Option<Exchange> {
        Some(Exchange {
            server_wait: self.server_wait,
            client_wait: self.client_wait,
            ..Exchange::from_stamps(
                self.client_sent?,
                self.server_received,
                self.server_sent,
                self.client_received,
            )
        })
    }

    pub(crate) fn of(exchange: &Exchange, server_epoch: Option<u64>, outcome: Result<(), Refusal>) -> Self {
        Sample {
            id: None,
            server_epoch,
            client_sent: Some(exchange.client_sent),
            server_received: exchange.server_received,
            server_sent: exchange.server_sent,
            client_received: exchange.client_received,
            server_wait: exchange.server_wait,
            client_wait: exchange.client_wait,
            by_link: false,
            outcome,
        }
    }
}
