//! What a client was told, exchange by exchange, and what became of it: for recordings and statistics.

use crate::exchange::Refusal;
use crate::exchange::{Exchange, RequestId};
use crate::time::{LocalTime, ServerTime};

/// An exchange that a [`Client`](crate::Client) was told of, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The reply's id; none if the caller matched reply and request himself.
    pub id: Option<RequestId>,
    /// The run of the server's clock; none if the transport does not know it.
    pub server_epoch: Option<u64>,
    /// t0: the client sent the request; none for a reply to [no known request](Refusal::UnknownRequest).
    pub client_sent: Option<LocalTime>,
    /// t1: the server received it.
    pub server_received: ServerTime,
    /// t2: the server sent the reply.
    pub server_sent: ServerTime,
    /// t3: the client received it.
    pub client_received: LocalTime,
    /// Accepted, or refused and why.
    pub outcome: Result<(), Refusal>,
}

impl Sample {
    /// The four stamps, if all are known.
    pub fn exchange(&self) -> Option<Exchange> {
        Some(Exchange {
            client_sent: self.client_sent?,
            server_received: self.server_received,
            server_sent: self.server_sent,
            client_received: self.client_received,
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
            outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::client::Config;
    use crate::exchange::Reply;
    use crate::time::Span;

    const LATER: LocalTime = LocalTime::from_ticks(100_000);

    fn at(ticks: i64) -> ServerTime {
        ServerTime::from_ticks(ticks)
    }

    #[test]
    fn every_way_in_leaves_its_sample() -> Result<(), Box<dyn std::error::Error>> {
        let mut client = Client::new(Config::default(), 1)?;
        assert_eq!(client.last_sample(), None);

        let request = client.make_request(LocalTime::from_ticks(5))?;
        let reply = Reply { id: request.id, epoch: 7, received: at(10), sent: at(20) };
        client.handle_reply(&reply, LATER)?;
        let answered = Sample {
            id: Some(request.id),
            server_epoch: Some(7),
            client_sent: Some(LocalTime::from_ticks(5)),
            server_received: at(10),
            server_sent: at(20),
            client_received: LATER,
            outcome: Ok(()),
        };
        assert_eq!(client.last_sample(), Some(&answered));

        assert_eq!(client.handle_reply(&reply, LATER), Err(Refusal::UnknownRequest));
        let unknown = Sample { client_sent: None, outcome: Err(Refusal::UnknownRequest), ..answered };
        assert_eq!(client.last_sample(), Some(&unknown));
        assert_eq!(unknown.exchange(), None);

        let mut exchange = answered.exchange().ok_or("all stamps are known")?;
        exchange.server_sent = at(9);
        assert_eq!(client.handle_exchange(&exchange, None), Err(Refusal::SentBeforeReceived));
        let disorder = Err(Refusal::SentBeforeReceived);
        assert_eq!(client.last_sample(), Some(&Sample::of(&exchange, None, disorder)));

        assert!(!client.update_server_time(at(50), LATER, Span::from_secs(6)));
        let slow = Exchange::from_two_stamps(at(50), LATER, Span::from_secs(6));
        assert_eq!(client.last_sample(), Some(&Sample::of(&slow, None, Err(Refusal::TooSlow))));
        Ok(())
    }
}
