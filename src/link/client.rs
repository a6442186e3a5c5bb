//! The client side of a link. It sends the clock's requests and passes the replies to the clock.

use core::ops::{Deref, DerefMut};

use super::check::{Check, LinkState};
use super::marking::{Mark, Marking};
use super::{DATAGRAM, LinkError, Outgoing};
use crate::clock::for_parts::range::span;
use crate::clock::for_parts::{Asking, Path, memory, parts, parts_mut};
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::{
    Client, Config, ConfigError, CreateError, Direction, Event, Exchange, LocalTime, Refusal, Request,
    RequestId, Span, TimeError, wire,
};

/// Maximum time between calls, because the clock must be called regularly even if nothing is due.
const LOOK_AFTER: Span = Span::from_millis(500);

/// At this interval, a link uses 37 bytes per second, including IPv4 and UDP headers.
const STEADY: Span = Span::from_secs(5);

/// Settings for the client side of a link. See [`LinkedClient`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientLinkConfig {
    /// Mean interval between the link's requests once the clock has settled. Zero means 5 s, or the client's
    /// own [`steady_interval`](crate::Config::steady_interval) if that is longer. A link sends about 64
    /// requests in the first half minute, and then three per second until 95 s after the start. It reaches
    /// this interval after two minutes. (50 ms..=10 min, or zero, which is the default)
    pub steady_interval: Span,
    /// Mean interval between requests sent in the game's messages while the link works. Zero means twice the
    /// link's interval. (50 ms..=10 min, or zero, which is the default)
    pub message_interval: Span,
    /// Whether to leave datagrams unmarked. By default, time requests and their replies are marked as
    /// non-queue-building with DSCP 45 (RFC 9956), unless the path drops marked datagrams. (default false)
    pub unmarked: bool,
}

impl ClientLinkConfig {
    fn intervals(&self, of_client: Span) -> Result<(Span, Span), ConfigError> {
        let chosen = |name, interval: Span, standard| {
            if interval == Span::ZERO {
                return Ok(standard);
            }
            span(name, interval, Span::from_millis(50), Span::from_secs(600)).map(|()| interval)
        };
        let steady = chosen("steady_interval", self.steady_interval, of_client.max(STEADY))?;
        Ok((steady, chosen("message_interval", self.message_interval, steady + steady)?))
    }
}

/// How many datagrams a client has sent and received, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientLinkCounts {
    /// Number of requests that were created.
    pub requests: u64,
    /// Number of replies that the clock used.
    pub replies: u64,
    /// Number of ignored datagrams that were not replies, or not sealed with the key.
    pub foreign: u64,
    /// Number of ignored replies without an outstanding request. They were duplicates or too late.
    pub unknown: u64,
    /// Number of replies that the clock rejected because they were too slow or contradicted it.
    pub refused: u64,
}

/// While no replies arrive, one in this many requests is sealed as if the link had restarted.
const TRIAL: u32 = 4;

/// Tries requests with much higher sequence numbers. Another client with the same key may already have used
/// this client's next numbers, so the server would reject the requests as replays.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    requests: u32,
    id: Option<RequestId>,
    next: Option<u64>,
}

impl Trial {
    fn is_due(&mut self) -> bool {
        self.requests += 1;
        self.requests % TRIAL == 0
    }

    fn answered(&mut self, id: RequestId) -> bool {
        let was_trial = self.id == Some(id);
        (self.id, self.requests) = (None, 0);
        was_trial
    }
}

/// All calls must pass the same [`Client`]. [`LinkedClient`] and the connection's thread
/// guarantee this.
#[derive(Debug)]
pub(crate) struct ClientLink {
    channel: SealedChannel,
    asking: Asking,
    pub(super) check: Check,
    pub(super) marking: Marking,
    look_after: Span,
    count: u32,
    trial: Trial,
    pub(super) is_second: bool,
    bursts: [u32; 2],
    out: [u8; DATAGRAM],
    pub(crate) counts: ClientLinkCounts,
}

impl ClientLink {
    /// Returns a box, because the link's owner is moved several times.
    pub(crate) fn new(
        client: &mut Client,
        key: &SessionKey,
        config: ClientLinkConfig,
    ) -> Result<Box<Self>, CreateError> {
        let (steady_interval, messages) = config.intervals(client.config().steady_interval)?;
        let count = parts_mut(client).open_link(steady_interval, messages)?;
        Self::opened(client, key, config, steady_interval, count)
    }

    // Inlining this would increase the stack use while the client opens the link.
    #[inline(never)]
    fn opened(
        client: &mut Client,
        key: &SessionKey,
        config: ClientLinkConfig,
        steady_interval: Span,
        count: u32,
    ) -> Result<Box<Self>, CreateError> {
        let seed = parts_mut(client).asking.random.draw();
        let mut asking = Asking::new(&Config { steady_interval, ..*client.config() }, seed)?;
        asking.schedule.learn();
        memory::boxed(|| {
            Ok(ClientLink {
                channel: SealedChannel::new(key, Channel::Link, Direction::ToServer),
                asking,
                check: Check::default(),
                marking: Marking::new(!config.unmarked),
                // After a longer pause between calls, the client would assume that it was suspended.
                look_after: LOOK_AFTER.min(Span::from_ticks(client.config().local_gap.ticks() / 2)),
                count,
                trial: Trial::default(),
                is_second: false,
                bursts: parts(client).asking.bursts,
                out: [0; DATAGRAM],
                counts: ClientLinkCounts::default(),
            })
        })
    }

    pub(crate) fn due(
        &mut self,
        client: &mut Client,
        now: LocalTime,
    ) -> Result<Option<Outgoing<'_>>, TimeError> {
        parts_mut(client).attend(now)?;
        if self.is_replaced(client) {
            self.check.set_possible(false);
            return Ok(None);
        }
        if self.check.attend(now, parts(client).linked.is_alone(now)) {
            parts_mut(client).lose_link();
            // The path may have changed, so try marking again.
            self.marking.try_again();
        }
        if self.check.state() == LinkState::Blocked {
            parts_mut(client).tell_of_link(Event::LinkBlocked);
        }
        let bursts = parts(client).asking.bursts;
        if bursts[1] != self.bursts[1] {
            self.asking.start_over();
        } else if bursts != self.bursts {
            self.asking.burst();
        }
        self.bursts = bursts;
        let is_scheduled =
            self.asking.schedule.is_due(now) || self.marking.next_due().is_some_and(|due| now >= due);
        if self.check.is_due(now, is_scheduled) {
            let id = self.asking.request(now, parts(client).link_pace(now));
            self.check.sent(now);
            parts_mut(client).asked_by_link(now);
            self.counts.requests += 1;
            let request = Request { id, client_time: self.asking.stamp(now), reliable: false };
            let is_marked = self.marking.request(id, now);
            let Ok(mut message) = wire::encode_request(&request) else { return Ok(None) };
            if is_marked {
                wire::mark(&mut message);
            }
            let is_trial = self.check.state() != LinkState::Linked && self.trial.is_due();
            let sealed = if is_trial {
                self.seal_as_restarted(id, &message)
            } else {
                self.channel.seal(&message, &mut self.out).ok()
            };
            return Ok(sealed.map(|bytes| Outgoing { bytes, is_marked }));
        }
        Ok(None)
    }

    pub(crate) fn is_replaced(&self, client: &Client) -> bool {
        parts(client).linked.count != self.count
    }

    /// Seals the request as if this side had restarted. If the server answers the request, the link continues
    /// with the new sequence numbers.
    fn seal_as_restarted(&mut self, id: RequestId, message: &[u8]) -> Option<&[u8]> {
        let sent = self.channel.sent;
        self.channel.sent = self.trial.next.unwrap_or_else(|| self.channel.next_start());
        let sealed = self.channel.seal(message, &mut self.out).is_ok();
        self.trial.next = Some(self.channel.sent);
        self.trial.id = Some(id);
        self.channel.sent = sent;
        sealed.then_some(&self.out[..])
    }

    pub(crate) fn next_due(&self, now: LocalTime) -> LocalTime {
        let check = self.check.next(now);
        let scheduled = match self.check.state() {
            LinkState::Linked => Some(self.asking.schedule.next_due(now)),
            _ => None,
        };
        let latest = now + self.look_after;
        let marking = self.marking.next_due().filter(|_| scheduled.is_some());
        check.into_iter().chain(scheduled).chain(marking).fold(latest, LocalTime::min).max(now)
    }

    pub(crate) fn handle(
        &mut self,
        client: &mut Client,
        datagram: &[u8],
        arrived: LocalTime,
    ) -> Result<(), LinkError> {
        if self.is_replaced(client) {
            return Err(Refusal::UnknownRequest.into());
        }
        let outcome = self.take(client, datagram, arrived);
        let count = match outcome {
            Ok(()) => &mut self.counts.replies,
            Err(LinkError::Refused(Refusal::UnknownRequest)) => &mut self.counts.unknown,
            Err(LinkError::Refused(_)) => &mut self.counts.refused,
            Err(_) => &mut self.counts.foreign,
        };
        *count += 1;
        outcome
    }

    fn take(&mut self, client: &mut Client, datagram: &[u8], arrived: LocalTime) -> Result<(), LinkError> {
        // Duplicates have no effect, because each unguessable request id is accepted only once. Sequence
        // numbers are ignored. They start over if the server restarts, and differ between servers that share
        // an address and a key.
        let (_, message) = self.channel.prove(datagram)?;
        let (reply, is_second) = wire::decode_link_reply(message)?;
        let client_sent = self.asking.probes.sent(reply.id).ok_or(Refusal::UnknownRequest)?;
        self.asking.probes.remove(reply.id);
        self.is_second = is_second;
        self.asking.note_message();
        if self.trial.answered(reply.id) {
            self.channel.sent = self.trial.next.take().unwrap_or(self.channel.sent);
        }
        self.marking.answered(reply.id, arrived);
        parts_mut(client).tell_of_link(Event::Linked);
        if self.check.answered() {
            // Replies now arrive over this path, so send a burst as at the start of a session.
            self.asking.burst();
        }
        let exchange = Exchange {
            server_wait: reply.wait,
            client_wait: Some(Span::ZERO),
            ..Exchange::from_stamps(client_sent, reply.received, reply.sent, arrived)
        };
        Ok(parts_mut(client).handle_exchange(&exchange, Path::Link, Some(reply.epoch))?)
    }

    /// Sets whether datagrams can be sent. Without a network, for example, they cannot. A new check begins
    /// when sending becomes possible again.
    pub(crate) fn set_possible(&mut self, is_possible: bool, client: &mut Client) {
        self.check.set_possible(is_possible);
        if !is_possible {
            parts_mut(client).lose_link();
        }
    }
}

/// A [`Client`] that also sends requests over a link. Send the datagrams from [`due`](Self::due), and pass
/// received ones to [`take`](Self::take).
///
/// You can also use a linked client like a normal client. Calling [`tick`](Client::tick) is optional. It adds
/// requests in the game's messages, but fewer while the link works. Memory is allocated only on creation.
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
    /// half a second after `now`. It equals `now` if a datagram is due.
    pub fn next_due(&self, now: LocalTime) -> LocalTime {
        self.link.next_due(now)
    }

    /// Handles a datagram received at `arrived`. Take the timestamp as close to the socket as possible.
    /// `arrived` may be slightly earlier than the `now` of previous calls.
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

    /// Returns whether another client uses the same key and joined no later than this one, according to the
    /// latest reply.
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
