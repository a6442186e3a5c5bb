//! A client and its end of the link, for programs that carry datagrams themselves.

use core::ops::{Deref, DerefMut};

use super::client::{ClientLink, ClientLinkConfig, ClientLinkCounts};
use super::{LinkError, LinkState, Mark};
use crate::clock::keyed::SessionKey;
use crate::clock::{Client, CreateError, Exchange, LocalTime, Refusal, TimeError};

/// A [`Client`] that asks by a link, too. Send what [`due`](Self::due) returns, and [`take`](Self::take) what
/// arrives.
///
/// It is a client besides. The client's own [`tick`](Client::tick) need not be called. If it is, it asks by
/// the game's messages, and less often while the link is good. It allocates when it is created and never
/// again.
///
/// ```
/// use netclock::keyed::SessionKey;
/// use netclock::link::{ClientLinkConfig, DATAGRAM, LinkedClient, ServerLink, ServerLinkConfig};
/// use netclock::{Client, Config, LocalTime, ServerTime, Span};
///
/// let key = SessionKey::new(1, [7; 16])?; // draw the secret from the system
/// let mut server = ServerLink::new(ServerLinkConfig::default(), 42)?;
/// server.admit(&key)?;
/// let client = Client::new(Config::default(), 7)?;
/// let mut client = LinkedClient::new(client, &key, ClientLinkConfig::default())?;
/// let mut now = LocalTime::from_ticks(0);
/// while !client.is_time_synced() {
///     if let Some(datagram) = client.due(now)?.map(<[u8]>::to_vec) {
///         let (there, mut answer) = (ServerTime::from_ticks(now.ticks()), [0; DATAGRAM]);
///         let answer = server.answer(&datagram, there, there, &mut answer)?;
///         client.take(answer, now + Span::from_millis(1))?;
///     }
///     now += Span::from_millis(5);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LinkedClient {
    client: Client,
    link: ClientLink,
    /// What was due last is to be marked.
    is_marked: bool,
}

impl LinkedClient {
    /// Links `client` to the server that admitted `key`. The link begins with a check whether datagrams pass.
    ///
    /// # Errors
    /// An interval is out of range, or there is not enough memory. The client is lost with it.
    pub fn new(mut client: Client, key: &SessionKey, config: ClientLinkConfig) -> Result<Self, CreateError> {
        let link = ClientLink::new(&mut client, key, config)?;
        Ok(LinkedClient { client, link, is_marked: false })
    }

    /// Does what is due at `now`. Returns the datagram to send at once, if one is due. Call it until none is.
    ///
    /// # Errors
    /// `now` is out of range, or more than 100 ms before an earlier call's; nothing changed.
    pub fn due(&mut self, now: LocalTime) -> Result<Option<&[u8]>, TimeError> {
        let due = self.link.due(&mut self.client, now)?;
        Ok(due.map(|(datagram, is_marked)| {
            self.is_marked = is_marked;
            datagram
        }))
    }

    /// Whether the datagram that [`due`](Self::due) returned last should leave with the DSCP
    /// [`NON_QUEUE_BUILDING`](super::NON_QUEUE_BUILDING).
    pub fn is_marked(&self) -> bool {
        self.is_marked
    }

    /// What becomes of the mark.
    pub fn mark(&self) -> Mark {
        self.link.marking.mark()
    }

    /// When to call [`due`](Self::due) again at the latest, if nothing arrives before. That is at most half
    /// a second after `now`, and at `now` if something is due.
    pub fn next_due(&self, now: LocalTime) -> LocalTime {
        self.link.next_due(now)
    }

    /// Takes a datagram that arrived at `arrived`: stamp it as close to the network as possible. It may be a
    /// little before the `now` of calls made since.
    ///
    /// # Errors
    /// Says why it was not used.
    pub fn take(&mut self, datagram: &[u8], arrived: LocalTime) -> Result<(), LinkError> {
        self.link.handle(&mut self.client, datagram, arrived)
    }

    /// Learns from the stamps of an exchange that came by a link earlier, as a recording says.
    ///
    /// # Errors
    /// As [`Client::handle_exchange`].
    pub fn replay(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        self.client.handle_exchange_by_link(exchange, server_epoch)
    }

    /// Whether the link works.
    pub fn state(&self) -> LinkState {
        self.link.check.state()
    }

    /// What became of the datagrams so far.
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

impl DerefMut for LinkedClient {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}
