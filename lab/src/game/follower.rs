//! The client's side: sends asks, handles news, and shows the world's time.

use netclock::timeline::{SEGMENT_SIZE, Segment, Timeline, TimelineConfig, WorldError, WorldReading};
use netclock::{CreateError, LocalTime, Reading, ServerTime, Span};
use serde::{Deserialize, Serialize};

use super::note::{Name, Note, SIZE};

/// Time between asks. The certain bound grows until the next confirmation, so this is its largest part.
const ASK_EVERY: Span = Span::from_millis(200);
/// Time between asks when the client has something new to say.
const ASK_SOONEST: Span = Span::from_millis(20);

/// Datagrams, without those of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Traffic {
    pub(crate) asks: u64,
    /// Tokens and confirmations.
    pub(crate) notes: u64,
    /// Copies of segments received.
    pub(crate) segments: u64,
}

impl Traffic {
    /// Payload sent and received, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.asks + self.notes) * SIZE as u64 + self.segments * SEGMENT_SIZE as u64
    }
}

/// Follows the world of one server.
#[derive(Debug)]
pub(crate) struct Follower {
    timeline: Timeline,
    token: u64,
    known: Name,
    asked: Option<LocalTime>,
    has_news: bool,
    pub(crate) traffic: Traffic,
}

impl Follower {
    pub(crate) fn new(config: TimelineConfig) -> Result<Self, CreateError> {
        Ok(Follower {
            timeline: Timeline::new(config)?,
            token: 0,
            known: Name::default(),
            asked: None,
            has_news: false,
            traffic: Traffic::default(),
        })
    }

    /// Handles a datagram. False if it is not about the world.
    pub(crate) fn hear(&mut self, bytes: &[u8]) -> bool {
        if let Ok(segment) = Segment::decode(bytes) {
            self.traffic.segments += 1;
            self.take(&segment);
            return true;
        }
        let note = Note::decode(bytes);
        match note {
            Some(Note::Token(token)) => {
                self.has_news |= token != self.token;
                self.token = token;
            }
            Some(Note::Confirm { newest, through }) => {
                let through = ServerTime::from_ticks(through);
                // A confirmation of another epoch or world is useless.
                let _ = self.timeline.confirm(newest.epoch, newest.instance, newest.version, through);
            }
            Some(Note::Ask { .. }) | None => return false,
        }
        self.traffic.notes += 1;
        true
    }

    fn take(&mut self, segment: &Segment) {
        let name = Name::from(segment);
        // The timeline refuses an old segment, and one of an epoch or a world that is over.
        if self.timeline.insert(segment).is_ok() && is_newer(name, self.known) {
            self.known = name;
            self.has_news = true;
        }
    }

    /// An ask, if one is due: a segment or a token is new, or the last ask was long ago.
    pub(crate) fn ask(&mut self, now: LocalTime) -> Option<[u8; SIZE]> {
        let wait = if self.has_news { ASK_SOONEST } else { ASK_EVERY };
        if self.asked.is_some_and(|asked| now - asked < wait) {
            return None;
        }
        (self.asked, self.has_news) = (Some(now), false);
        self.traffic.asks += 1;
        Some(Note::Ask { token: self.token, known: self.known }.encode())
    }

    /// The world's time at a reading of the clock.
    pub(crate) fn show(&mut self, now: &Reading) -> Result<WorldReading, WorldError> {
        self.timeline.show(now)
    }
}

/// True if `a` is of another epoch, of a newer world, or newer in the same world. Numbers wrap around.
fn is_newer(a: Name, b: Name) -> bool {
    let after = |a: u32, b: u32| (a.wrapping_sub(b) as i32) > 0;
    a.epoch != b.epoch
        || after(a.instance, b.instance)
        || (a.instance == b.instance && after(a.version, b.version))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> LocalTime {
        LocalTime::from_ticks(millis * 10_000)
    }

    fn follower() -> Follower {
        Follower::new(TimelineConfig::default()).expect("valid settings")
    }

    #[test]
    fn asks_are_rare_but_prompt() {
        let mut follower = follower();
        let asked = |follower: &mut Follower, from, to| -> Vec<i64> {
            (from..to).filter(|&ms| follower.ask(at(ms)).is_some()).collect()
        };
        assert_eq!(asked(&mut follower, 0, 500), [0, 200, 400]);
        assert!(follower.hear(&Note::Token(7).encode()));
        assert_eq!(asked(&mut follower, 500, 800), [500, 700]);
        // However often the token changes.
        let sent = (800..1_000).filter(|&ms| {
            follower.hear(&Note::Token(ms as u64).encode());
            follower.ask(at(ms)).is_some()
        });
        assert_eq!(sent.count(), 10);
    }

    #[test]
    fn what_is_not_about_the_world_is_left_to_others() {
        let mut follower = follower();
        assert!(!follower.hear(&[0; SIZE]));
        assert!(!follower.hear(&[]));
        assert!(!follower.hear(&Note::Ask { token: 0, known: Name::default() }.encode()));
        assert_eq!(follower.traffic, Traffic::default());
    }

    #[test]
    fn serial_numbers_wrap_and_epochs_only_differ() {
        let name = |epoch, instance, version| Name { epoch, instance, version };
        assert!(is_newer(name(1, 1, 1), Name::default()));
        assert!(is_newer(name(1, 2, 1), name(2, 9, 9)));
        assert!(is_newer(name(1, 2, 1), name(1, 1, 9)));
        assert!(is_newer(name(1, 1, 0), name(1, 1, u32::MAX)));
        assert!(!is_newer(name(1, 1, 1), name(1, 1, 1)));
        assert!(!is_newer(name(1, 1, 9), name(1, 2, 1)));
    }
}
