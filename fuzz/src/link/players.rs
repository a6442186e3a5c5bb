//! Makes the players send whatever is due, and receive datagrams.

use allocation_counter::measure;
use arbitrary::{Result, Unstructured};
use netclock::keyed::KeyError;
use netclock::link::{ClientLinkCounts, DATAGRAM, LinkError};
use netclock::{Direction, LocalTime, Refusal, Responder, Span};

use super::{LinkRun, Outcome, PLAYERS, end};
use crate::input::{duration, instant};

/// Up to this many datagrams are due at once, such as a regular request and a burst's first request.
const AT_ONCE: usize = 3;
/// A link must always ask to be polled within this time.
const LOOK_AFTER: Span = Span::from_millis(500);

impl LinkRun {
    pub(super) fn poll(&mut self, player: usize, early: i64, input: &mut Unstructured<'_>) -> Result<()> {
        let at = self.time_of(player, input)?.saturating_sub(early);
        let now = LocalTime::from_ticks(at);
        for sent in 0.. {
            assert!(sent <= AT_ONCE, "too many messages are due at {now:?}");
            let before = self.readings(player);
            let it = &mut self.players[player];
            let (mut out, mut due) = ([0; DATAGRAM], Ok(None));
            let made = measure(|| {
                due = it.client.due(now).map(|due| {
                    due.map(|bytes| {
                        out.copy_from_slice(&bytes);
                        bytes.len()
                    })
                });
            });
            assert_eq!(made.count_total, 0, "allocated");
            match due {
                Ok(Some(length)) => {
                    assert_eq!(length, DATAGRAM);
                    it.called = it.called.max(Some(at));
                    let asked = end(it.key.clone(), Direction::ToClient).open(&out).map(<[u8]>::len);
                    assert!(asked.is_ok(), "sealed with a different key: {asked:?}");
                    self.authored.insert(out.to_vec(), (player, false));
                    self.post(Direction::ToServer, player, &out, self.now);
                }
                Ok(None) => {
                    it.called = it.called.max(Some(at));
                    let next = it.client.next_due(now);
                    assert!(next >= now, "due earlier at {next:?}, but not now at {now:?}");
                    assert!(next <= now + LOOK_AFTER, "no call until {next:?}, now {now:?}");
                    break;
                }
                Err(error) => {
                    let known = it.called.is_some_and(|called| at < called) || !now.is_valid();
                    assert!(known || !self.is_honest, "{error:?} at {now:?}");
                    assert_eq!(before, self.readings(player), "rejected, but the state changed");
                    break;
                }
            }
        }
        Ok(())
    }

    /// Returns the player's local time, which may be wrong if the run is not honest.
    pub(super) fn time_of(&self, player: usize, input: &mut Unstructured<'_>) -> Result<i64> {
        let it = &self.players[player];
        if self.is_honest { Ok(self.now + it.origin) } else { instant(input, it.called.unwrap_or(0)) }
    }

    pub(super) fn play_by_messages(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let player = input.int_in_range(0..=PLAYERS - 1)?;
        let now = self.time_of(player, input)?;
        let Ok(request) = self.players[player].client.tick(LocalTime::from_ticks(now)) else { return Ok(()) };
        self.players[player].called = self.players[player].called.max(Some(now));
        let Some(request) = request else { return Ok(()) };
        self.pass(duration(input)?);
        let stamp = self.run().stamp(LocalTime::from_ticks(self.now));
        let reply = Responder::new(self.run().epoch).respond(&request, stamp, stamp).expect("honest stamps");
        self.pass(duration(input)?);
        let arrived = self.time_of(player, input)?;
        let it = &mut self.players[player];
        let outcome = it.client.handle_reply(&reply, LocalTime::from_ticks(arrived));
        self.allow(outcome.map_err(LinkError::from), player, arrived);
        Ok(())
    }

    /// `arrived` is the time on the simulation's clock at which the datagram arrived.
    pub(super) fn receive(
        &mut self,
        player: usize,
        bytes: &[u8],
        arrived: i64,
        input: &mut Unstructured<'_>,
    ) -> Result<()> {
        let arrived =
            if self.is_honest { arrived + self.players[player].origin } else { self.time_of(player, input)? };
        let before = (self.readings(player), self.players[player].client.counts());
        let it = &mut self.players[player];
        let mut outcome = Ok(());
        let made = measure(|| outcome = it.client.take(bytes, LocalTime::from_ticks(arrived)));
        assert_eq!(made.count_total, 0, "allocated");
        check_client_counts(&before.1, &it.client.counts(), &outcome);
        match self.answers.get_mut(bytes).filter(|(of, _)| *of == player) {
            None => assert!(matches!(outcome, Err(LinkError::Key(_))), "{outcome:?} to an unsealed datagram"),
            Some((_, used)) => {
                // Message numbers start from the beginning when the server admits a key again.
                let refused = matches!(
                    outcome,
                    Err(LinkError::Refused(Refusal::UnknownRequest) | LinkError::Key(KeyError::Replayed))
                );
                assert!(refused || !*used, "{outcome:?} to a replay");
                *used |= !refused;
            }
        }
        if matches!(outcome, Err(LinkError::Key(_) | LinkError::Refused(Refusal::UnknownRequest))) {
            assert_eq!(before.0, self.readings(player), "{outcome:?}, but the state changed");
        }
        self.allow(outcome, player, arrived);
        Ok(())
    }

    /// Asserts that an honest server's reply may have this outcome.
    pub(super) fn allow(&mut self, outcome: Outcome, player: usize, arrived: i64) {
        match outcome {
            Ok(()) => {
                let called = &mut self.players[player].called;
                *called = (*called).max(Some(arrived));
            }
            Err(LinkError::Key(_)) => {}
            Err(LinkError::Refused(Refusal::UnknownRequest | Refusal::TooSlow)) => {}
            Err(LinkError::Refused(Refusal::SeveralServers)) if self.runs.len() > 1 => {}
            Err(error) => assert!(!self.is_honest, "{error:?} at {arrived} for an honest reply"),
        }
    }
}

fn check_client_counts(before: &ClientLinkCounts, after: &ClientLinkCounts, outcome: &Outcome) {
    let used = outcome.is_ok();
    let unknown = matches!(outcome, Err(LinkError::Refused(Refusal::UnknownRequest)));
    let refused = !unknown && matches!(outcome, Err(LinkError::Refused(_)));
    assert_eq!(after.replies, before.replies + u64::from(used));
    assert_eq!(after.unknown, before.unknown + u64::from(unknown));
    assert_eq!(after.refused, before.refused + u64::from(refused));
    assert_eq!(after.foreign, before.foreign + u64::from(!used && !unknown && !refused));
}
