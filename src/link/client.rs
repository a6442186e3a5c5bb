//! The client's end: asks when the clock needs it, and gives it what came back.

use super::check::{Check, LinkState};
use super::marking::Marking;
use super::{DATAGRAM, LinkError};
use crate::clock::authority::AuthorityReply;
use crate::clock::for_parts::Asking;
use crate::clock::for_parts::range::span;
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::{
    Client, Config, ConfigError, CreateError, Direction, Event, Exchange, LocalTime, Refusal, Request,
    RequestId, Span, TimeError, wire,
};

/// Longest time between two calls if nothing is due: the clock needs regular calls.
const LOOK_AFTER: Span = Span::from_millis(500);

/// The link asks this often at rest, unless the client asks less often: 37 bytes/s with the headers of IPv4
/// and UDP.
const STEADY: Span = Span::from_secs(5);

/// Settings of a client's end of a link. See [`LinkedClient`](super::LinkedClient).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientLinkConfig {
    /// Ask the server for its authority, too: for timescales that outlive a server. Each request for the time
    /// then has one for the authority beside it.
    pub follow_authority: bool,
    /// Mean time between the link's requests once the clock has settled. Zero: 5 s, or the client's own
    /// [`steady_interval`](crate::Config::steady_interval) if that is longer. A link asks some 64 times in
    /// the first half minute, then three times a second until second 95, and rests after two minutes. (50
    /// ms..=10 min, or zero, which is the default)
    pub steady_interval: Span,
    /// Mean time between requests by the game's messages while the link is good. Zero: twice that of the
    /// link. (50 ms..=10 min, or zero, which is the default)
    pub message_interval: Span,
    /// Leave datagrams without the mark of packets that build no queue. Otherwise requests for the time and
    /// their replies have the DSCP 45 (RFC 9956), unless marked ones are dropped on the path. (default false)
    pub unmarked: bool,
}

impl ClientLinkConfig {
    /// The intervals of the link and of messages beside it.
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

/// What became of the datagrams of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientLinkCounts {
    /// Requests that were made.
    pub requests: u64,
    /// Replies that were used.
    pub replies: u64,
    /// Datagrams that were not used: not sealed with the key, or no reply.
    pub foreign: u64,
    /// Replies that were not used, to no open request: copies, or answers that came after all patience.
    pub unknown: u64,
    /// Replies that were not used: too slow, or contradicting the clock.
    pub refused: u64,
}

/// While a link that was good is silent, one request in this many is sealed as if the link had started again.
const TRIAL: u32 = 4;

/// Requests that are sealed under later numbers than the others. If another client seals with the same key,
/// the server may have seen all numbers that are next here, and refuses them as replays.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    requests: u32,
    /// The newest one, and the number it was sealed under.
    id: Option<RequestId>,
    next: Option<u64>,
}

impl Trial {
    fn is_due(&mut self) -> bool {
        self.requests += 1;
        self.requests % TRIAL == 0
    }

    /// A request was answered. True if it was the newest trial.
    fn answered(&mut self, id: RequestId) -> bool {
        let was_trial = self.id == Some(id);
        (self.id, self.requests) = (None, 0);
        was_trial
    }
}

/// The client's end of a link, which feeds a [`Client`]: all calls get the one that it was created with. Its
/// owners see to that: a [`LinkedClient`](super::LinkedClient), or the thread of a connection.
#[derive(Debug)]
pub(crate) struct ClientLink {
    channel: SealedChannel,
    asking: Asking,
    pub(super) check: Check,
    pub(super) marking: Marking,
    config: ClientLinkConfig,
    look_after: Span,
    /// Its number among the links of its client.
    count: u32,
    trial: Trial,
    /// The server hears another client with the same key, which was there before.
    pub(super) is_second: bool,
    /// Bursts of the client that this link joined, and how many of them closed all requests.
    bursts: [u32; 2],
    out: [u8; DATAGRAM],
    /// What became of the datagrams so far.
    pub(crate) counts: ClientLinkCounts,
}

impl ClientLink {
    /// A link for `client` to the server that admitted `key`. It begins with a check whether datagrams pass.
    ///
    /// # Errors
    /// An interval is out of range, or there is not enough memory.
    pub(crate) fn new(
        client: &mut Client,
        key: &SessionKey,
        config: ClientLinkConfig,
    ) -> Result<Self, CreateError> {
        let (steady_interval, messages) = config.intervals(client.config().steady_interval)?;
        let count = client.open_link(steady_interval, messages)?;
        let seed = client.draw_seed();
        let mut asking = Asking::new(&Config { steady_interval, ..*client.config() }, seed)?;
        asking.schedule.learn();
        Ok(ClientLink {
            channel: SealedChannel::new(key, Channel::Link, Direction::ToServer),
            asking,
            check: Check::new(),
            marking: Marking::new(!config.unmarked),
            config,
            // Longer pauses would look as if the caller had been suspended.
            look_after: LOOK_AFTER.min(Span::from_ticks(client.config().local_gap.ticks() / 2)),
            count,
            trial: Trial::default(),
            is_second: false,
            bursts: client.bursts(),
            out: [0; DATAGRAM],
            counts: ClientLinkCounts::default(),
        })
    }

    /// Does what is due at `now`. Returns the datagram to send at once, if one is due, and whether it is to
    /// be marked. Call it until none is.
    ///
    /// # Errors
    /// `now` is out of range, or more than 100 ms before an earlier call's; nothing changed.
    pub(crate) fn due(
        &mut self,
        client: &mut Client,
        now: LocalTime,
    ) -> Result<Option<(&[u8], bool)>, TimeError> {
        client.attend(now)?;
        if self.is_replaced(client) {
            self.check.set_possible(false);
            return Ok(None);
        }
        if self.check.attend(now, client.link_is_alone(now)) {
            client.lose_link();
            // The path may be another one soon.
            self.marking.try_again();
        }
        if self.check.state() == LinkState::Blocked {
            client.tell_of_link(Event::LinkBlocked);
        }
        let bursts = client.bursts();
        if bursts[1] != self.bursts[1] {
            self.asking.start_over();
        } else if bursts != self.bursts {
            self.asking.burst();
        }
        self.bursts = bursts;
        let is_scheduled =
            self.asking.schedule.is_due(now) || self.marking.next_due().is_some_and(|due| now >= due);
        if self.check.is_due(now, is_scheduled) {
            let id = self.asking.request(now, client.link_pace(now));
            self.check.sent(now);
            client.asked_by_link(now);
            self.counts.requests += 1;
            let request = Request { id, client_time: self.asking.stamp(now), reliable: false };
            let is_marked = self.marking.request(id, now);
            let Ok(mut message) = wire::encode_request(&request) else { return Ok(None) };
            if is_marked {
                wire::mark(&mut message);
            }
            let is_trial = self.check.is_lost() && self.trial.is_due();
            return Ok(if is_trial { self.seal_as_restarted(id, &message) } else { self.seal(&message) }
                .map(|datagram| (datagram, is_marked)));
        }
        if self.config.follow_authority && self.check.state() == LinkState::Linked {
            if let Some(request) = client.request_authority(now)? {
                self.counts.requests += 1;
                return Ok(self.seal(&request.encode()).map(|datagram| (datagram, false)));
            }
        }
        Ok(None)
    }

    /// Whether the client has a newer link. Then this one has ended.
    pub(crate) fn is_replaced(&self, client: &Client) -> bool {
        client.link_count() != self.count
    }

    /// Seals the request `id` as if this end had started again, which counts once it is answered.
    fn seal_as_restarted(&mut self, id: RequestId, message: &[u8]) -> Option<&[u8]> {
        let sent = self.channel.sent();
        self.channel.resume(self.trial.next.unwrap_or_else(|| self.channel.next_start()));
        let sealed = self.channel.seal(message, &mut self.out).is_ok();
        self.trial.next = Some(self.channel.sent());
        self.trial.id = Some(id);
        self.channel.resume(sent);
        sealed.then_some(&self.out[..])
    }

    fn seal(&mut self, message: &[u8]) -> Option<&[u8]> {
        self.channel.seal(message, &mut self.out).ok()
    }

    /// When to call [`due`](Self::due) again at the latest, if nothing arrives before. That is at most half
    /// a second after `now`, and at `now` if something is due.
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

    /// Takes a datagram that arrived at `arrived`: stamp it as close to the network as possible. It may be a
    /// little before the `now` of calls made since.
    ///
    /// # Errors
    /// Says why it was not used.
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
            Err(LinkError::Refused(_) | LinkError::Authority(_)) => &mut self.counts.refused,
            Err(_) => &mut self.counts.foreign,
        };
        *count += 1;
        outcome
    }

    fn take(&mut self, client: &mut Client, datagram: &[u8], arrived: LocalTime) -> Result<(), LinkError> {
        // The id of a request is unguessable and answered once, so a copy changes nothing. The number in the
        // seal does not count: servers that share an address and a key number their replies apart, and so
        // does a server that started again.
        let (_, message) = self.channel.prove(datagram)?;
        if let Ok(stated) = AuthorityReply::decode(message) {
            return Ok(client.handle_authority_reply(&stated, arrived)?);
        }
        let (reply, is_second) = wire::decode_link_reply(message)?;
        let client_sent = self.asking.probes.sent(reply.id).ok_or(Refusal::UnknownRequest)?;
        self.asking.probes.remove(reply.id);
        self.is_second = is_second;
        self.asking.hear();
        if self.trial.answered(reply.id) {
            self.trial.next.take().into_iter().for_each(|sent| self.channel.resume(sent));
        }
        self.marking.answered(reply.id, arrived);
        client.tell_of_link(Event::Linked);
        if self.check.answered() {
            // The path is good: a burst, as at the begin of a session.
            self.asking.burst();
        }
        let exchange = Exchange {
            server_wait: reply.wait,
            client_wait: Some(Span::ZERO),
            ..Exchange::from_stamps(client_sent, reply.received, reply.sent, arrived)
        };
        Ok(client.handle_exchange_by_link(&exchange, Some(reply.epoch))?)
    }

    /// Whether there is a way to send datagrams at all: false without a network. A check begins when there is
    /// one again.
    pub(crate) fn set_possible(&mut self, is_possible: bool, client: &mut Client) {
        self.check.set_possible(is_possible);
        if !is_possible {
            client.lose_link();
        }
    }
}
