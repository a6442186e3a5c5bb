use super::super::WORLDS;
use super::super::error::SessionError;
use super::super::message::{
    AUTHORITY, EXCHANGE, LINK, LinkOffer, Read, SEGMENT, START, STATE, State, TO_GUEST, TOKEN, UTC,
};
use crate::clock::authority::Authority;
use crate::clock::for_parts::u64_at;
use crate::clock::wire::Confirms;
use crate::clock::{Reply, wire};
use crate::game::start::Announcement;
use crate::game::timeline::Segment;
use crate::game::utc::UtcClaim;

const SEGMENTS: usize = 3;

pub(super) struct Answer {
    pub(super) reply: Reply,
    pub(super) confirms: Confirms,
    pub(super) state: Option<State>,
}

#[derive(Default)]
pub(super) struct HostDatagram {
    pub(super) session: Option<u64>,
    pub(super) reply: Option<(Reply, Confirms)>,
    pub(super) state: Option<State>,
    pub(super) token: Option<u64>,
    pub(super) segments: [Option<(usize, Segment)>; SEGMENTS],
    pub(super) utc: Option<UtcClaim>,
    pub(super) authority: Option<Authority>,
    pub(super) offer: Option<LinkOffer>,
    pub(super) start: Option<Announcement>,
}

impl HostDatagram {
    pub(super) fn read(plain: &[u8]) -> Result<Self, SessionError> {
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
