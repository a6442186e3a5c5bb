//! Applies the updates in a host's datagrams, and passes the replies to the clock.

use super::super::WORLDS;
use super::super::error::SessionError;
use super::super::message::{
    AUTHORITY, CONFIRMED_BEFORE, Contents, DATAGRAM_MOST, EXCHANGE, Known, LINK, LinkOffer, Read, SEGMENT,
    START, STATE, State, TO_GUEST, TOKEN, UTC,
};
use super::{Connection, GuestProtocol};
use crate::clock::authority::Authority;
use crate::clock::for_parts::u64_at;
use crate::clock::wire::Confirms;
use crate::clock::{Client, LocalTime, Reply, ServerTime, WireError, wire};
use crate::game::start::Announcement;
use crate::game::timeline::Segment;
use crate::game::utc::{HOLDS, UtcClaim};

const SEGMENTS: usize = 3;

type Answer = (Reply, Confirms, Option<State>);

#[derive(Default)]
struct HostDatagram {
    session: Option<u64>,
    reply: Option<(Reply, Confirms)>,
    state: Option<State>,
    token: Option<u64>,
    segments: [Option<(usize, Segment)>; SEGMENTS],
    utc: Option<UtcClaim>,
    authority: Option<Authority>,
    offer: Option<LinkOffer>,
    start: Option<Announcement>,
}

impl HostDatagram {
    fn read(plain: &[u8]) -> Result<Self, SessionError> {
        let sections = Read::new(plain, TO_GUEST)?;
        let mut content = HostDatagram { session: sections.session, ..HostDatagram::default() };
        let mut count = 0;
        for (tag, body) in sections {
            match tag {
                EXCHANGE => content.reply = Some(wire::decode_session_reply(body)?),
                STATE => content.state = Some(State::decode(body).ok_or(SessionError::Truncated)?),
                TOKEN => content.token = u64_at(body, 0),
                SEGMENT => {
                    let (&number, bytes) = body.split_first().ok_or(SessionError::Truncated)?;
                    let number = usize::from(number);
                    let segment = Segment::decode(bytes)?;
                    if number >= WORLDS {
                        return Err(SessionError::UnknownWorld);
                    }
                    if let Some(place) = content.segments.get_mut(count) {
                        *place = Some((number, segment));
                    }
                    count += 1;
                }
                UTC => content.utc = Some(UtcClaim::decode(body)?),
                AUTHORITY => content.authority = Some(Authority::decode(body)?),
                START => content.start = Some(Announcement::decode(body).ok_or(SessionError::Truncated)?),
                LINK => content.offer = LinkOffer::decode(body),
                _ => {}
            }
        }
        Ok(content)
    }
}

impl GuestProtocol {
    pub(crate) fn receive(
        &mut self,
        client: &mut Client,
        datagram: &[u8],
        arrived: LocalTime,
    ) -> Result<(), SessionError> {
        arrived.check()?;
        if let Some(answer) = self.read(client, datagram, arrived)? {
            self.handle_answer(client, &answer, arrived);
        }
        Ok(())
    }

    /// Reading is separate from handling the reply, because the clock then needs most of the stack.
    #[inline(never)]
    fn read(
        &mut self,
        client: &mut Client,
        datagram: &[u8],
        arrived: LocalTime,
    ) -> Result<Option<Answer>, SessionError> {
        if datagram.len() > DATAGRAM_MOST {
            return Err(WireError::Length(datagram.len()).into());
        }
        let proved = self.seal.as_ref().map(|seal| seal.prove(datagram)).transpose()?;
        let (number, plain) = proved.map_or((None, datagram), |(number, plain)| (Some(number), plain));
        // Most replies have no header, and reading them does not need the large `HostDatagram`.
        let bare = Read::is_bare(plain, TO_GUEST).then(|| wire::decode_session_reply(plain)).transpose()?;
        let content = bare.is_none().then(|| HostDatagram::read(plain)).transpose()?;
        if let Some((seal, number)) = self.seal.as_mut().zip(number) {
            seal.take(number)?;
        }
        let Some(content) = content else {
            return Ok(bare.map(|(reply, confirms)| (reply, confirms, None)));
        };
        if content.session.is_some_and(|session| session != self.connection.session) {
            self.connection.host = None;
            return Err(SessionError::OtherSession);
        }
        // Return the token soon, because the host waits for it.
        self.connection.confirms_soon |= content.token.is_some();
        self.connection.token = content.token.or(self.connection.token);
        if let Some(state) = &content.state {
            self.connection.host = Some(state.epoch);
            self.learn(client, state, &content, arrived);
        }
        if let Some(offer) = content.offer {
            self.connection.offered = Some(offer.key.id());
            self.connection.confirms_soon = true;
            self.offer = Some(offer);
        }
        let state = content.state;
        Ok(content.reply.map(|(reply, confirms)| (reply, confirms, state)))
    }

    fn handle_answer(&mut self, client: &mut Client, answer: &Answer, arrived: LocalTime) {
        let (reply, confirms, state) = answer;
        if client.handle_reply(reply, arrived).is_err() {
            return;
        }
        let mut accepts =
            |it: &Authority| it.epoch == reply.epoch && client.set_authority(it, arrived).is_ok();
        self.connection.early = self.connection.early.filter(|early| !accepts(early));
        let before = self.connection.replied.replace(reply.epoch);
        let is_new = before.is_some_and(|before| before != reply.epoch);
        self.connection.confirms_soon |= is_new;
        if self.connection.left == Some(reply.epoch) {
            // The reply proves that an earlier host's late updates have replaced those of the current host.
            (self.connection.left, self.connection.host) = (None, None);
            self.connection.confirms_soon = true;
        }
        let is_settled = !self.connection.is_unconfirmed() && self.connection.known.epoch == reply.epoch;
        let differs = is_settled && *confirms == Confirms::Difference;
        if is_settled && !differs {
            if *confirms != Confirms::Nothing {
                self.confirm(reply.received - CONFIRMED_BEFORE);
                let is_claimed = |claim: &&mut UtcClaim| claim.server_epoch == reply.epoch;
                let claim = self.utc[0].as_mut().filter(is_claimed);
                if let Some(claim) = claim.filter(|_| *confirms == Confirms::StateAndUtc) {
                    claim.read = claim.read.max(reply.received - HOLDS);
                }
            } else if state.is_none() {
                // The host does not know this session, for example because the guest's address has changed.
                self.introduce();
            }
        }
        let sent = client.last_sample().and_then(|sample| sample.client_sent);
        let known = self.connection.known;
        let is_behind = state.is_some_and(|it| {
            it.epoch == known.epoch && it.base == it.revision && it.revision < known.revision
        });
        let is_forged = differs || (is_behind && known.epoch == reply.epoch);
        if is_forged && sent >= self.connection.learned_at {
            // An update was forged, because the host has not reached the guest's revision or has different
            // contents. Updates with changes prove no forgery, because the changes may span several
            // datagrams.
            self.start_over();
        }
        // Ignore the error, because an out-of-range delay says nothing about the path.
        self.latency.follow(client);
        let _ = self.lead.note_arrived(reply.id.0, reply.received);
        let _ = self.lead.note_received(reply.sent, arrived, &client.read(arrived));
    }

    fn learn(&mut self, client: &mut Client, state: &State, content: &HostDatagram, arrived: LocalTime) {
        let connection = &mut self.connection;
        if connection.left == Some(state.epoch) {
            return;
        }
        let is_new_epoch = connection.known.epoch != state.epoch;
        if is_new_epoch {
            // This is the first update, or the server epoch is new.
            connection.left = Some(connection.known.epoch).filter(|&epoch| epoch != 0);
            connection.known = Known { revision: 0, epoch: state.epoch };
            (connection.newest, connection.contents) = ([None; WORLDS], Contents::default());
            connection.digest = 0;
            // Every host has its own round numbers.
            connection.started = 0;
        }
        connection.acknowledged = state.acknowledged;
        // If the host overestimates which revision this guest knows, confirm the known one immediately.
        connection.confirms_soon |= state.base > connection.known.revision;
        if state.base > connection.known.revision || state.revision < connection.known.revision {
            return;
        }
        if is_new_epoch || connection.round != state.round {
            connection.round = state.round;
            connection.contents.set_start(None);
            self.call_off(Some(client.read(arrived).server_time));
        }
        if let Some(start) = content.start {
            self.connection.contents.set_start(Some(&start));
            self.participant.announced = Some((state.epoch, start));
        }
        let connection = &mut self.connection;
        for (place, segment) in content.segments.iter().flatten() {
            connection.contents.set_world(*place, segment);
            if self.worlds[*place].insert(segment).is_ok() {
                connection.newest[*place] = Some((segment.instance, segment.version));
            }
        }
        let is_newer = state.revision > connection.known.revision;
        // Keep the known claim, because a copy may lack later confirmations. If the claims differ at the same
        // revision, one of them was forged.
        let is_copy =
            |it: &UtcClaim| self.utc[0].is_some_and(|known| *it == UtcClaim { read: it.read, ..known });
        if let Some(claim) = content.utc.filter(|claim| is_newer || !is_copy(claim)) {
            let [newest, earlier] = self.utc;
            let is_same = newest.is_none_or(|known| known.server_epoch == claim.server_epoch);
            self.utc = [Some(claim), if is_same { earlier } else { newest }];
            connection.contents.set_utc(&claim);
        }
        if let Some(stated) = content.authority {
            self.connection.contents.set_authority(&stated);
            self.connection.early = client.set_authority(&stated, arrived).is_err().then_some(stated);
        }
        let connection = &mut self.connection;
        if is_newer {
            (connection.known.revision, connection.learned_at) = (state.revision, Some(arrived));
        }
        connection.digest = connection.contents.digest(connection.known.revision);
        connection.confirms_soon |= connection.acknowledged != state.revision;
        self.confirm(ServerTime::from_ticks(state.through));
    }

    fn confirm(&mut self, through: ServerTime) {
        let Connection { known, newest, .. } = self.connection;
        for (world, newest) in self.worlds.iter_mut().zip(newest) {
            if let Some((instance, version)) = newest {
                // If the host confirms nothing, `through` is invalid and this call has no effect.
                let _ = world.confirm(known.epoch, instance, version, through);
            }
        }
    }
}
