use allocation_counter::measure;
use arbitrary::{Result, Unstructured};
use netclock::keyed::KeyError;
use netclock::link::{DATAGRAM, LinkError, ServerLinkCounts};
use netclock::{Direction, LocalTime, ServerTime, Span};

use super::{ANSWERS, LIAR, LinkRun, OF_ALL, Outcome};
use crate::input::instant;

const SECOND: Span = Span::from_secs(1);

impl LinkRun {
    pub(super) fn serve(&mut self, bytes: &[u8], input: &mut Unstructured<'_>) -> Result<()> {
        let hold = i64::from(input.arbitrary::<u8>()?) * 1_000;
        let left = (self.now + hold).max(self.answered_at);
        let (received, sent) = if self.is_honest {
            ([self.now, left].map(LocalTime::from_ticks).map(|at| self.run().stamp(at))).into()
        } else {
            let received = instant(input, self.now)?;
            (ServerTime::from_ticks(received), ServerTime::from_ticks(instant(input, received)?))
        };
        let before = self.server.counts();
        let (mut out, mut outcome) = ([0; DATAGRAM], Ok(0));
        let (server, room) = (&mut self.server, &mut out);
        let made = measure(|| outcome = server.answer(bytes, received, sent, room).map(|it| it.len()));
        assert_eq!(made.count_total, 0, "allocated");
        check_server_counts(&before, &self.server.counts(), &outcome);
        let author = self.authored.get_mut(bytes).filter(|it| self.admitted.contains(&(it.0 as u32 + 1)));
        let Some(&mut (player, ref mut taken)) = author else {
            assert!(matches!(outcome, Err(LinkError::Key(_))), "{outcome:?} to an unknown sender");
            return Ok(());
        };
        let (id, is_replayed) = (player as u32 + 1, outcome == Err(LinkError::Key(KeyError::Replayed)));
        assert!(is_replayed || !*taken, "{outcome:?} to a replay");
        *taken = true;
        match outcome {
            Ok(length) => {
                assert_eq!((length, bytes.len()), (DATAGRAM, DATAGRAM), "longer than the request");
                if self.is_honest {
                    self.answered_at = left;
                    self.within(id, ANSWERS, sent);
                    self.within(0, OF_ALL, sent);
                }
                self.answers.entry(out.to_vec()).or_insert((player, false));
                self.post(Direction::ToClient, player, &out, left);
            }
            Err(LinkError::Busy | LinkError::Key(KeyError::OverBudget | KeyError::Replayed)) => {}
            Err(error) => assert!(player == LIAR || !self.is_honest, "{error:?} to an honest player"),
        }
        Ok(())
    }

    /// Within any second, the server may spend its saved budget and that second's refill.
    pub(super) fn within(&mut self, id: u32, per_second: u32, now: ServerTime) {
        let answers = self.spent.entry(id).or_default();
        answers.push(now);
        answers.retain(|&then| now - then < SECOND);
        assert!(answers.len() <= 2 * per_second as usize, "{} answers in a second", answers.len());
    }
}

fn check_server_counts(before: &ServerLinkCounts, after: &ServerLinkCounts, outcome: &Outcome<usize>) {
    let looked_at = |counts: &ServerLinkCounts| {
        counts.opened + counts.unsealed + counts.unknown_key + counts.forged + counts.replayed
    };
    assert_eq!(looked_at(after), looked_at(before) + 1);
    assert_eq!(after.answered, before.answered + u64::from(outcome.is_ok()));
    assert_eq!(after.busy, before.busy + u64::from(*outcome == Err(LinkError::Busy)));
}
