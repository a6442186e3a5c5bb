//! The server's side of starts: schedules them for those who take part, and says what became of them.

use netclock::start::{Organiser, OrganiserConfig, Proposal, StartError, StartResult};
use netclock::wire::Datagram;
use netclock::{CreateError, ServerTime, Span};

/// The share of starts that all who are ready hear of in time.
const CONFIDENCE: f64 = 0.999;
/// One that has said nothing for this long takes part no more.
const FORGET_AFTER: Span = Span::from_secs(5);
/// Results that come later than this after a start are not waited for.
const PATIENCE: Span = Span::from_secs(3);
/// An address that said nothing for long may still get this many datagrams for those that it sent before.
const MOST_CREDIT: u32 = 64;

/// What the server has to say about starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum News {
    /// A start is scheduled.
    Scheduled { version: u32, at: ServerTime, ready: usize, left_behind: u32 },
    /// All results came, or are not waited for any more.
    Ended(StartResult),
}

/// One that takes part.
#[derive(Clone, Copy, Debug)]
struct Member<To> {
    at: To,
    id: u64,
    heard: ServerTime,
    /// Datagrams that it may get: nobody gets more than it sent, so that nobody can have others flooded.
    credit: u32,
}

/// Schedules a start every now and then. `To` is where a client is.
#[derive(Debug)]
pub(crate) struct Starts<To> {
    organiser: Organiser,
    /// Time between a start and the proposal of the next one.
    pub(crate) every: Span,
    members: Vec<Member<To>>,
    next_id: u64,
    /// No start is proposed earlier.
    not_before: ServerTime,
    /// When the start that is under way is.
    under_way: Option<ServerTime>,
}

impl<To: Copy + Eq> Starts<To> {
    /// Starts in the run of the server's clock with this epoch: each so long after the one before.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(crate) fn new(epoch: u64, every: Span, now: ServerTime) -> Result<Self, CreateError> {
        Ok(Starts {
            organiser: Organiser::new(OrganiserConfig::default(), epoch)?,
            every,
            members: Vec::new(),
            next_id: 1,
            not_before: now + every,
            under_way: None,
        })
    }

    /// Handles a datagram from `from`. False if it is not about starts.
    pub(crate) fn hear(&mut self, bytes: &[u8], from: To, now: ServerTime) -> bool {
        let known = self.members.iter().position(|member| member.at == from);
        let place = match known {
            Some(place) => place,
            None => match self.organiser.receive(0, bytes, now) {
                Err(StartError::UnknownParticipant) => match self.organiser.admit(self.next_id) {
                    Ok(()) => {
                        self.members.push(Member { at: from, id: self.next_id, heard: now, credit: 0 });
                        self.next_id += 1;
                        self.members.len() - 1
                    }
                    // There is no room.
                    Err(_) => return true,
                },
                _ => return false,
            },
        };
        let member = &mut self.members[place];
        if matches!(
            self.organiser.receive(member.id, bytes, now),
            Err(StartError::Wire(_) | StartError::TimeOutOfRange)
        ) {
            return false;
        }
        (member.heard, member.credit) = (now, MOST_CREDIT.min(member.credit + 1));
        true
    }

    /// A frame: proposes a start if one is due, and says what is new.
    pub(crate) fn frame(&mut self, now: ServerTime) -> Option<News> {
        let organiser = &mut self.organiser;
        self.members.retain(|member| {
            let stays = now - member.heard < FORGET_AFTER;
            // It was admitted.
            stays || organiser.remove(member.id).is_err()
        });
        if let Some(at) = self.under_way {
            let result = self.organiser.result().ok()?;
            let is_over = now > at && (result.fired == result.counted || now - at > PATIENCE);
            return is_over.then(|| {
                (self.under_way, self.not_before) = (None, now + self.every);
                News::Ended(result)
            });
        }
        if now < self.not_before {
            return None;
        }
        match self.organiser.propose(now, CONFIDENCE).ok()? {
            Proposal::Scheduled { at, version, left_behind, .. } => {
                self.under_way = Some(at);
                Some(News::Scheduled {
                    version,
                    at,
                    ready: self.members.len() - left_behind as usize,
                    left_behind,
                })
            }
            Proposal::HeldUp { .. } => None,
        }
    }

    /// The next datagram to send, and where to.
    pub(crate) fn next_message(&mut self, now: ServerTime) -> Option<(To, Datagram)> {
        while let Some((id, datagram)) = self.organiser.next_message(now) {
            let member = self.members.iter_mut().find(|member| member.id == id)?;
            if let Some(left) = member.credit.checked_sub(1) {
                member.credit = left;
                return Some((member.at, datagram));
            }
            // What is not sent counts as lost, and the organiser repeats it.
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use netclock::start::{Participant, Stage};
    use netclock::{LocalTime, Reading};

    use super::*;

    fn at(millis: i64) -> ServerTime {
        ServerTime::from_ticks(millis * 10_000)
    }

    fn reading(millis: i64) -> Reading {
        netclock_sim::reading(7, at(millis), Span::from_millis(5))
    }

    #[test]
    fn those_who_are_ready_start_and_the_next_start_follows() {
        let mut starts = Starts::new(7, Span::from_secs(2), at(0)).expect("valid settings");
        let mut players = [Participant::new(11), Participant::new(12)];
        let (mut scheduled, mut ended, mut fired) = (Vec::new(), Vec::new(), 0);
        for millis in (0..12_000).step_by(10) {
            for (place, player) in players.iter_mut().enumerate() {
                let now = LocalTime::from_ticks(millis * 10_000);
                let progress = player.tick(now, &reading(millis)).expect("in range");
                fired += u32::from(progress.fires);
                assert!(!progress.fires || progress.stage == Stage::Started);
                while let Some(message) = player.next_message() {
                    assert!(starts.hear(&message, place, at(millis)));
                }
            }
            match starts.frame(at(millis)) {
                Some(News::Scheduled { ready, left_behind, .. }) => scheduled.push((ready, left_behind)),
                Some(News::Ended(result)) => ended.push((result.fired, result.counted)),
                None => {}
            }
            while let Some((to, message)) = starts.next_message(at(millis)) {
                assert!(players[to].receive(&message).is_ok());
            }
        }
        assert!(scheduled.len() >= 3, "{scheduled:?}");
        assert!(scheduled.iter().all(|it| *it == (2, 0)), "{scheduled:?}");
        assert!(ended.len() >= 3, "{ended:?}");
        assert!(ended.iter().all(|it| *it == (2, 2)), "{ended:?}");
        assert!(fired >= 6);
    }

    #[test]
    fn nobody_gets_more_than_it_sent_and_the_silent_are_forgotten() {
        let mut starts = Starts::new(7, Span::from_secs(1), at(0)).expect("valid settings");
        let mut player = Participant::new(11);
        let (mut sent, mut got) = (0, 0);
        for millis in (0..20_000).step_by(10) {
            // It is there for three seconds, and acknowledges nothing.
            let now = LocalTime::from_ticks(millis * 10_000);
            let _ = player.tick(now, &reading(millis)).expect("in range");
            while let Some(message) = player.next_message().filter(|_| millis < 3_000) {
                sent += 1;
                assert!(starts.hear(&message, 'a', at(millis)));
            }
            let _ = starts.frame(at(millis));
            while starts.next_message(at(millis)).is_some() {
                got += 1;
            }
        }
        assert!(got > 0 && got <= sent, "{got} for {sent}");
        assert!(starts.members.is_empty());
    }

    #[test]
    fn what_is_not_about_starts_is_left_to_others() {
        let mut starts = Starts::new(7, Span::from_secs(1), at(0)).expect("valid settings");
        for bytes in [&[][..], &[0; 32], b"NL\x01\x01", &[0xFF; 72]] {
            assert!(!starts.hear(bytes, 1, at(0)), "{bytes:?}");
        }
        assert!(starts.members.is_empty());
    }
}
