//! Taking part in the starts of a server.

use anyhow::{Context, Result};
use netclock::start::{Participant, Progress, Stage, StartError};
use netclock::wire::Datagram;
use netclock::{LocalTime, Reading, ServerTime};

use super::events::Described;
use crate::recording::Announcement;

/// A participant, and the start that it knows.
#[derive(Debug)]
pub(crate) struct TakingPart {
    participant: Participant,
    /// The newest start: its version, the run of the server's clock, and when it is.
    known: Option<(u32, u64, ServerTime)>,
    /// Changes that nobody has fetched.
    news: Vec<StartNews>,
}

/// Something that happened to a start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StartNews {
    /// It is announced, or called off.
    Announced(Announcement),
    /// It is here.
    Started(Progress),
}

impl TakingPart {
    /// # Errors
    /// The system gives no random key.
    pub(crate) fn new() -> Result<Self> {
        let key = getrandom::u64().context("the system gives no random key")?;
        Ok(TakingPart { participant: Participant::new(key), known: None, news: Vec::new() })
    }

    /// Handles a datagram. False if it is not about starts.
    pub(super) fn hear(&mut self, bytes: &[u8]) -> bool {
        !matches!(self.participant.receive(bytes), Err(StartError::Wire(_)))
    }

    /// A frame, at a reading of the clock.
    pub(super) fn frame(&mut self, now: LocalTime, reading: &Reading) {
        let Ok(progress) = self.participant.tick(now, reading) else { return };
        let is_known = progress.stage != Stage::Waiting;
        let known = is_known.then_some((progress.version, reading.server_epoch, progress.at));
        if known != self.known {
            let announce = |version, server_epoch, at| Announcement::Start { version, server_epoch, at };
            let news = match (self.known, known) {
                (_, Some((version, epoch, at))) => Some(announce(version, epoch, Some(at))),
                // Another run of the server's clock has nothing to do with the starts of the one before.
                (Some((version, epoch, _)), None) if epoch == reading.server_epoch => {
                    Some(announce(version, epoch, None))
                }
                _ => None,
            };
            self.known = known;
            self.news.extend(news.map(StartNews::Announced));
        }
        if progress.fires {
            self.news.push(StartNews::Started(progress));
        }
    }

    /// The next datagram to send.
    pub(super) fn next_message(&mut self) -> Option<Datagram> {
        self.participant.next_message()
    }

    /// What is new since the last call.
    pub(super) fn take_news(&mut self) -> Vec<StartNews> {
        std::mem::take(&mut self.news)
    }
}

impl StartNews {
    /// In words.
    pub(crate) fn described(&self) -> Described {
        let (event, meaning) = match self {
            Self::Announced(what @ Announcement::Start { at: Some(_), .. }) => {
                ("start_announced", what.words())
            }
            Self::Announced(what) => ("start_called_off", what.words()),
            Self::Started(progress) => (
                "started",
                format!(
                    "start {} at server time {:.3} s: {:.1} ms after it, in the first read that shows it",
                    progress.version,
                    progress.at.as_secs_f64(),
                    progress.lateness.as_millis_f64()
                ),
            ),
        };
        Described::news(event, meaning)
    }
}

#[cfg(test)]
mod tests {
    use netclock::Span;
    use netclock::start::{Organiser, OrganiserConfig, Proposal};

    use super::*;

    fn reading(millis: i64, server_epoch: u64) -> Reading {
        let at = ServerTime::from_ticks(millis * 10_000);
        let reading = netclock_sim::reading(server_epoch, at, Span::from_millis(5));
        Reading { epoch: server_epoch as u32, ..reading }
    }

    /// Lets one client take part in a start that is called off (at `off`), or that is not. What it heard, in
    /// names.
    fn heard(off: Option<i64>, restart: Option<i64>) -> Result<Vec<String>> {
        let mut organiser = Organiser::new(OrganiserConfig::default(), 7)?;
        organiser.admit(1)?;
        let mut part = TakingPart::new()?;
        let (mut scheduled, mut heard) = (false, Vec::new());
        for millis in (0..8_000).step_by(10) {
            let now = ServerTime::from_ticks(millis * 10_000);
            let epoch = if restart.is_some_and(|restart| millis >= restart) { 8 } else { 7 };
            part.frame(LocalTime::from_ticks(now.ticks()), &reading(millis, epoch));
            while let Some(message) = part.next_message() {
                let _ = organiser.receive(1, &message, now);
            }
            if !scheduled && millis > 2_000 {
                scheduled = matches!(organiser.propose(now, 0.99999)?, Proposal::Scheduled { .. });
            }
            if off == Some(millis) {
                organiser.cancel(now)?;
            }
            while let Some((_, message)) = organiser.next_message(now) {
                assert!(part.hear(&message));
            }
            heard.extend(part.take_news().iter().map(|news| news.described().event));
        }
        Ok(heard)
    }

    #[test]
    fn a_start_is_announced_and_then_started_or_called_off() -> Result<()> {
        assert_eq!(heard(None, None)?, ["start_announced", "started"]);
        assert_eq!(heard(Some(2_030), None)?, ["start_announced", "start_called_off"]);
        Ok(())
    }

    #[test]
    fn a_restart_of_the_server_calls_nothing_off() -> Result<()> {
        assert_eq!(heard(None, Some(2_030))?, ["start_announced"]);
        Ok(())
    }
}
