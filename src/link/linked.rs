use core::ops::{Deref, DerefMut};

use super::client::{ClientLink, ClientLinkConfig, ClientLinkCounts};
use super::{LinkError, LinkState, Mark, Outgoing};
use crate::clock::for_parts::{Path, parts_mut};
use crate::clock::keyed::SessionKey;
use crate::clock::{Client, CreateError, Exchange, LocalTime, Refusal, TimeError};

/// A [`Client`] that also sends requests over a link. Send the datagrams from [`due`](Self::due), and pass
/// received ones to [`take`](Self::take).
///
/// You can also use a linked client like a normal client. If you call [`tick`](Client::tick), which is
/// optional, the client also sends requests in the game's messages, but less often while the link works.
/// Memory is allocated only on creation.
///
/// ```
/// use netclock::keyed::SessionKey;
/// use netclock::link::{ClientLinkConfig, DATAGRAM, LinkedClient, ServerLink, ServerLinkConfig};
/// use netclock::{Client, Config, LocalTime, ServerTime, Span};
///
/// let key = SessionKey::new(1, [7; 16])?; // use a random secret
/// let mut server = ServerLink::new(ServerLinkConfig::default(), 42)?;
/// server.admit(&key)?;
/// let client = Client::new(Config::default(), 7)?;
/// let mut client = LinkedClient::new(client, &key, ClientLinkConfig::default())?;
/// let mut now = LocalTime::from_ticks(0);
/// while !client.is_time_synced() {
///     if let Some(datagram) = client.due(now)?.map(|it| it.to_vec()) {
///         let (there, mut answer) = (ServerTime::from_ticks(now.ticks()), [0; DATAGRAM]);
///         let answer = server.answer(&datagram, there, there, &mut answer)?;
///         client.take(&answer, now + Span::from_millis(1))?;
///     }
///     now += Span::from_millis(5);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LinkedClient {
    client: Client,
    link: Box<ClientLink>,
}

impl LinkedClient {
    /// Links `client` to the server that admitted `key`. The link first checks whether datagrams get through.
    ///
    /// # Errors
    /// Fails and drops the client if an interval is out of range or there is not enough memory.
    pub fn new(mut client: Client, key: &SessionKey, config: ClientLinkConfig) -> Result<Self, CreateError> {
        let link = ClientLink::new(&mut client, key, config)?;
        Ok(LinkedClient { client, link })
    }

    /// Does the work that is due at `now` and returns a datagram to send immediately, if there is one. Call
    /// this until it returns `None`.
    ///
    /// # Errors
    /// Fails and changes nothing if `now` is out of range or more than 100 ms earlier than in a previous
    /// call.
    pub fn due(&mut self, now: LocalTime) -> Result<Option<Outgoing<'_>>, TimeError> {
        self.link.due(&mut self.client, now)
    }

    /// Returns whether datagrams are marked.
    pub fn mark(&self) -> Mark {
        self.link.marking.mark()
    }

    /// Returns when to call [`due`](Self::due) next if no datagram arrives earlier. The result is at most
    /// half a second after `now`, and equals `now` if a datagram is due.
    pub fn next_due(&self, now: LocalTime) -> LocalTime {
        self.link.next_due(now)
    }

    /// Handles a datagram received at `arrived`. Take the timestamp as close to the socket as possible.
    /// `arrived` may be slightly before the `now` of earlier calls.
    ///
    /// # Errors
    /// Returns the reason if the datagram was not used.
    pub fn take(&mut self, datagram: &[u8], arrived: LocalTime) -> Result<(), LinkError> {
        self.link.handle(&mut self.client, datagram, arrived)
    }

    /// Handles the timestamps of a recorded exchange over a link. Returns the same errors as
    /// [`Client::handle_exchange`].
    pub fn replay(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        parts_mut(&mut self.client).handle_exchange(exchange, Path::Link, server_epoch)
    }

    /// Returns the state of the link.
    pub fn state(&self) -> LinkState {
        self.link.check.state()
    }

    /// Returns whether, according to the latest reply, another client uses the same key and joined no later
    /// than this one.
    pub fn shares_key(&self) -> bool {
        self.link.is_second
    }

    /// Returns how many datagrams were sent and received so far, by outcome.
    pub fn counts(&self) -> ClientLinkCounts {
        self.link.counts
    }
}

impl Deref for LinkedClient {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// Do not replace the client, because its link ends with it.
impl DerefMut for LinkedClient {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}
