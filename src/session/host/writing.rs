use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use super::super::WORLDS;
use super::super::blob;
use super::super::member::PendingRequest;
use super::super::message::{
    AUTHORITY, CONFIRMED_BEFORE, Contents, EXCHANGE, LINK, PLAIN_MOST, SEGMENT, START, STATE, State,
    TO_GUEST, TOKEN, UTC, Writer,
};
use super::{Host, Subject};
use crate::clock::for_parts::NO_INSTANT;
use crate::clock::wire::{self, Confirms, Datagram};
use crate::clock::{Responder, ServerTime, Span};
use crate::game::timeline::Publisher;

/// The host does not answer requests held for longer than this, because the guest would reject the replies.
const LONGEST_HOLD: Span = Span::from_secs(5);

#[derive(Clone, Copy, Debug)]
enum Topic {
    World(usize),
    Utc,
    Authority,
    Round,
    Start,
}

impl Host {
    /// Creates the next datagram for the member at `place`. The datagram contains an update if `is_due` is
    /// set, or if the guest needs one and there are spare bytes. If `rest` is set, the datagram continues an
    /// update after this revision.
    pub(super) fn write(&mut self, place: usize, is_due: bool, rest: Option<u32>, now: ServerTime) -> Writer {
        self.update_digest();
        let member = &mut self.members[place];
        let request = member.requests.pop();
        let mut reply = request.and_then(|it| answer(self.responder, &it, now));
        let most = member.credit.map_or(PLAIN_MOST, |credit| PLAIN_MOST.min(credit as usize));
        let session = member.challenged().or(member.session).unwrap_or(0);
        let is_proven = member.credit.is_none() && member.session.is_some() && member.challenged().is_none();
        let mut writer = Writer::new(TO_GUEST, session, most);
        let (is_asked, is_current) = (member.asked, member.known == self.revision);
        let is_repeated = !is_asked && member.was_sent(self.revision, now);
        let may_confirm = is_proven && is_current && !is_asked && !is_due;
        let found = request.map(|it| it.found).filter(|&found| is_latest_at(&self.worlds, found));
        let confirms = match found.filter(|_| may_confirm) {
            None => Confirms::Nothing,
            Some(_) if core::mem::take(&mut member.differs) => Confirms::Difference,
            Some(found) if self.utc.value.holds_at(found) => Confirms::StateAndUtc,
            Some(_) => Confirms::State,
        };
        if let Some(reply) = &mut reply {
            confirms.apply(reply);
        }
        let answers = is_asked || !is_current || (reply.is_some() && confirms == Confirms::Nothing);
        if is_proven && (is_due || rest.is_some() || (answers && !is_repeated && member.can_spare())) {
            let others = usize::from(reply.is_some());
            self.write_update(place, &mut writer, others, (is_due, rest), now);
        }
        let member = &mut self.members[place];
        if let Some(reply) = reply {
            let _ = writer.add(EXCHANGE, &reply, &[]);
        }
        if let Some(challenged) = member.challenged() {
            member.unaccepted = None;
            let token = token(self.secret, member.player, challenged, member.sessions);
            let _ = writer.add(TOKEN, &token.to_be_bytes(), &[]);
        }
        if reply.is_some() && is_proven && member.trip.is_due(now) {
            let token = token(self.secret, member.player, now.ticks() as u64, member.sessions);
            if writer.add(TOKEN, &token.to_be_bytes(), &[]) {
                member.trip.note_sent(token, now);
            }
        }
        if let Some((offer, false)) = member.offer.as_ref().filter(|_| is_proven) {
            let _ = writer.add(LINK, &*offer.encode(), &[]);
        }
        writer
    }

    /// Writes the authority and then the oldest changes. Leaves room for `others` other messages.
    fn write_update(
        &mut self,
        place: usize,
        writer: &mut Writer,
        others: usize,
        (is_due, rest): (bool, Option<u32>),
        now: ServerTime,
    ) {
        const OTHER: usize = 2 + wire::SIZE;
        let member = &self.members[place];
        let base = rest.unwrap_or(member.known);
        let mut changes = self.changes_since(base);
        changes.sort_unstable_by_key(|topic| topic.map_or(u32::MAX, |(revision, _)| revision));
        let mut sections = Writer::new(TO_GUEST, 0, PLAIN_MOST - (others + 1) * OTHER);
        let mut known = self.revision;
        // The guest must know the clock's authority before it uses a reply.
        let is_stated = self.authority.changed > base && self.write_topic(Topic::Authority, &mut sections);
        for (revision, topic) in changes.into_iter().flatten() {
            let is_written = is_stated && matches!(topic, Topic::Authority);
            if !is_written && !self.write_topic(topic, &mut sections) {
                known = revision - 1;
                break;
            }
        }
        let state = State {
            base,
            revision: known.max(base),
            acknowledged: member.known,
            round: self.round.value,
            epoch: self.epoch(),
            // The guest assumes that it has all changes up to this instant, so the update must be complete.
            through: if known == self.revision { self.through() } else { NO_INSTANT },
        };
        let _ = writer.add(STATE, &state.encode(), &[]);
        writer.append(&sections);
        let newest = self.revision;
        let member = &mut self.members[place];
        member.asked = false;
        if is_due || !member.is_in_flight(newest, now) {
            member.note_update(state.revision, newest, rest.is_some(), is_due, now);
        }
    }

    fn update_digest(&mut self) {
        if self.digest.1 != self.revision {
            let mut contents = Contents::default();
            for (place, world) in self.worlds.iter().enumerate() {
                world.value.newest().iter().for_each(|segment| contents.set_world(place, segment));
            }
            self.utc.value.newest.iter().for_each(|claim| contents.set_utc(claim));
            self.authority.value.iter().for_each(|authority| contents.set_authority(authority));
            contents.set_start(self.start.value.as_ref());
            self.digest = (contents.digest(self.revision), self.revision);
        }
    }

    /// Returns the subjects that changed after revision `known`, and the revision of each change.
    fn changes_since(&self, known: u32) -> [Option<(u32, Topic)>; WORLDS + 4] {
        let mut changes = [None; WORLDS + 4];
        let worlds =
            self.worlds.iter().enumerate().map(|(place, world)| (world.changed, Topic::World(place)));
        let others = [
            (self.utc.changed, Topic::Utc),
            (self.authority.changed, Topic::Authority),
            (self.round.changed, Topic::Round),
            (self.start.changed, Topic::Start),
        ];
        for (place, subject) in changes.iter_mut().zip(worlds.chain(others)) {
            *place = Some(subject).filter(|(changed, _)| *changed > known);
        }
        changes
    }

    /// Returns false if the subject's state does not fit.
    fn write_topic(&self, topic: Topic, writer: &mut Writer) -> bool {
        match topic {
            Topic::World(place) => {
                let segment = self.worlds[place].value.newest().and_then(|newest| newest.encode().ok());
                segment.is_none_or(|bytes| writer.add(SEGMENT, &[place as u8], &bytes))
            }
            Topic::Utc => self.utc.value.newest.is_none_or(|claim| writer.add(UTC, &claim.encode(), &[])),
            Topic::Authority => {
                let stated = self.authority.value;
                stated.and_then(|it| it.encode().ok()).is_none_or(|bytes| writer.add(AUTHORITY, &bytes, &[]))
            }
            Topic::Round => true,
            Topic::Start => self.start.value.is_none_or(|it| writer.add(START, &it.encode(), &[])),
        }
    }

    /// Writes a blob with the latest segments of all worlds and returns its length. Store the blob in a
    /// replicated property for replays and late joiners. See
    /// [`Guest::read_blob`](super::super::Guest::read_blob).
    pub fn blob(&self, out: &mut [u8; blob::MOST]) -> usize {
        blob::write(self.worlds.iter().map(|world| world.value.newest()), out)
    }

    fn through(&self) -> i64 {
        let known = self.worlds.iter().filter_map(|world| world.value.newest()?.through);
        known.min().map_or(NO_INSTANT, ServerTime::ticks)
    }
}

fn is_latest_at(worlds: &[Subject<Publisher>], found: ServerTime) -> bool {
    let mut newest = worlds.iter().filter_map(|world| world.value.newest()?.through);
    newest.all(|through| through >= found - CONFIRMED_BEFORE)
}

fn answer(responder: Responder, it: &PendingRequest, now: ServerTime) -> Option<Datagram> {
    if now - it.found > LONGEST_HOLD {
        return None;
    }
    let reply = responder.respond(&it.request, it.found, now).ok()?;
    wire::encode_reply(&it.polled.map_or(reply, |polled| reply.found_after(polled))).ok()
}

pub(super) fn token(mut secret: SipHasher24, player: u64, session: u64, sessions: u64) -> u64 {
    secret.write_u64(player);
    secret.write_u64(session);
    secret.write_u64(sessions);
    secret.finish()
}
