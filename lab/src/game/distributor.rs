//! The server's side: sends new segments to clients, and again until they confirm.

use std::hash::{BuildHasher, Hash, RandomState};

use netclock::timeline::Segment;
use netclock::{ServerTime, Span};

use super::note::{Name, Note, SIZE};

/// Most clients at once. Others get no segments, and ask again.
const MOST: usize = 256;
/// A client that has not asked for this long is forgotten.
const FORGET_AFTER: Span = Span::from_secs(3);
/// The server repeats an unconfirmed segment after this time. It is longer than most round trips, so most
/// segments are sent once.
const AGAIN_AFTER: Span = Span::from_millis(100);

/// A client that returned its token.
#[derive(Clone, Copy, Debug)]
struct Listener<To> {
    at: To,
    asked: ServerTime,
    known: Name,
    /// The last segment that the server sent to it.
    sent: Name,
    /// When that was sent.
    sent_at: ServerTime,
}

/// The clients that follow the world. `To` is where a client is: an address, or an address and a session key.
#[derive(Debug)]
pub(crate) struct Distributor<To> {
    /// Makes tokens from addresses. It is random for each server, so that nobody can guess a token.
    key: RandomState,
    listeners: Vec<Listener<To>>,
}

/// The answer to an ask.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    Note([u8; SIZE]),
    Segment(Segment),
}

impl<To: Copy + Eq + Hash> Distributor<To> {
    pub(crate) fn new() -> Self {
        Distributor { key: RandomState::new(), listeners: Vec::new() }
    }

    /// The number of clients.
    pub(crate) fn listeners(&self) -> usize {
        self.listeners.len()
    }

    /// Handles a datagram from `from`. None if it is no ask, or needs no answer.
    pub(crate) fn hear(
        &mut self,
        bytes: &[u8],
        from: To,
        now: ServerTime,
        newest: Option<&Segment>,
    ) -> Option<Answer> {
        let Some(Note::Ask { token, known }) = Note::decode(bytes) else { return None };
        let right = self.key.hash_one(from);
        if token != right {
            return Some(Answer::Note(Note::Token(right).encode()));
        }
        self.listeners.retain(|listener| now - listener.asked < FORGET_AFTER);
        let found = self.listeners.iter().position(|listener| listener.at == from);
        let place = match found {
            Some(place) => place,
            None if self.listeners.len() >= MOST => return None,
            None => {
                self.listeners.push(Listener { at: from, asked: now, known, sent: known, sent_at: now });
                self.listeners.len() - 1
            }
        };
        let listener = &mut self.listeners[place];
        (listener.asked, listener.known) = (now, known);
        let newest = newest?;
        let name = Name::from(newest);
        if name == known {
            let through = newest.through.unwrap_or(newest.real).ticks();
            return Some(Answer::Note(Note::Confirm { newest: name, through }.encode()));
        }
        // A copy that was sent a moment ago is still on its way.
        listener.is_due(name, now).then(|| {
            (listener.sent, listener.sent_at) = (name, now);
            Answer::Segment(*newest)
        })
    }

    /// The clients to which `newest` must be sent now.
    pub(crate) fn due(
        &mut self,
        now: ServerTime,
        newest: &Segment,
    ) -> impl Iterator<Item = To> + use<'_, To> {
        let name = Name::from(newest);
        self.listeners.retain(|listener| now - listener.asked < FORGET_AFTER);
        self.listeners.iter_mut().filter_map(move |listener| {
            listener.is_due(name, now).then(|| {
                (listener.sent, listener.sent_at) = (name, now);
                listener.at
            })
        })
    }
}

impl<To> Listener<To> {
    fn is_due(&self, newest: Name, now: ServerTime) -> bool {
        self.known != newest && (self.sent != newest || now - self.sent_at >= AGAIN_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use netclock::WorldTime;
    use netclock::timeline::{Publisher, PublisherConfig, Rate};

    fn at(millis: i64) -> ServerTime {
        ServerTime::from_ticks(millis * 10_000)
    }

    fn from(port: u16) -> SocketAddr {
        SocketAddr::from(([192, 0, 2, 1], port))
    }

    fn segment() -> Segment {
        let mut publisher = Publisher::new(PublisherConfig::default(), 5, 1).expect("valid settings");
        let first = publisher.observe(at(0), WorldTime::from_ticks(0), Rate::ONE);
        first.expect("valid").expect("the first is published")
    }

    fn ask(token: u64, known: Name) -> [u8; SIZE] {
        Note::Ask { token, known }.encode()
    }

    /// Asks for the token.
    fn introduce(distributor: &mut Distributor<SocketAddr>, port: u16, now: ServerTime) -> u64 {
        match distributor.hear(&ask(0, Name::default()), from(port), now, None) {
            Some(Answer::Note(note)) => match Note::decode(&note) {
                Some(Note::Token(token)) => token,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nobody_is_told_before_the_token_came_back() {
        let (mut distributor, segment) = (Distributor::new(), segment());
        let token = introduce(&mut distributor, 1, at(0));
        assert_eq!(distributor.due(at(1), &segment).count(), 0);
        // The token of another address is no token.
        let other = distributor.hear(&ask(token, Name::default()), from(2), at(1), Some(&segment));
        assert!(matches!(other, Some(Answer::Note(_))));
        assert_eq!(distributor.listeners(), 0);
        let sent = distributor.hear(&ask(token, Name::default()), from(1), at(2), Some(&segment));
        assert_eq!(sent, Some(Answer::Segment(segment)));
    }

    #[test]
    fn a_segment_is_told_again_until_it_is_known() {
        let (mut distributor, segment) = (Distributor::new(), segment());
        let token = introduce(&mut distributor, 1, at(0));
        distributor.hear(&ask(token, Name::default()), from(1), at(0), None);
        let sent: Vec<i64> = (0..300).filter(|&ms| distributor.due(at(ms), &segment).count() > 0).collect();
        assert_eq!(sent, [0, 100, 200]);
        let answer = distributor.hear(&ask(token, Name::from(&segment)), from(1), at(300), Some(&segment));
        let Some(Answer::Note(note)) = answer else { panic!("{answer:?}") };
        let newest = Name::from(&segment);
        assert_eq!(Note::decode(&note), Some(Note::Confirm { newest, through: 0 }));
        assert_eq!((301..1_000).map(|ms| distributor.due(at(ms), &segment).count()).sum::<usize>(), 0);
    }

    #[test]
    fn the_list_is_bounded_and_the_silent_are_forgotten() {
        let (mut distributor, segment) = (Distributor::new(), segment());
        for port in 0..2 * MOST as u16 {
            let token = introduce(&mut distributor, port, at(0));
            distributor.hear(&ask(token, Name::default()), from(port), at(0), Some(&segment));
        }
        assert_eq!(distributor.listeners(), MOST);
        assert_eq!(distributor.due(at(2_999), &segment).count(), MOST);
        assert_eq!(distributor.due(at(3_000), &segment).count(), 0);
        assert_eq!(distributor.listeners(), 0);
    }
}
