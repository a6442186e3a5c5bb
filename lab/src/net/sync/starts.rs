//! A client's messages about the server's starts.

use netclock::start::{Progress, Stage};
use netclock::{Reading, ServerTime};

use super::events::Described;
use crate::recording::Announcement;

/// The known start, and what has happened to it.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    /// The newest start: its version, the server's epoch, and the time of the start.
    known: Option<(u32, u64, ServerTime)>,
    /// Changes that have not been fetched yet.
    pub(super) news: Vec<StartNews>,
}

/// Something that happened to a start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StartNews {
    /// The start is announced, or called off.
    Announced(Announcement),
    /// The start has begun.
    Started(Progress),
}

impl Starts {
    /// Handles a frame's view of the start, for this reading of the clock.
    pub(super) fn frame(&mut self, progress: &Progress, reading: &Reading) {
        let is_known = progress.stage != Stage::Waiting;
        let known = is_known.then_some((progress.version, reading.server_epoch, progress.at));
        if known != self.known {
            let announce = |version, server_epoch, at| Announcement::Start { version, server_epoch, at };
            let news = match (self.known, known) {
                (_, Some((version, epoch, at))) => Some(announce(version, epoch, Some(at))),
                // Starts from an earlier run of the server's clock are irrelevant, and a start that is over
                // cannot be called off.
                (Some((version, epoch, at)), None)
                    if epoch == reading.server_epoch && at > reading.server_time =>
                {
                    Some(announce(version, epoch, None))
                }
                _ => None,
            };
            self.known = known;
            self.news.extend(news.map(StartNews::Announced));
        }
        if progress.fires {
            self.news.push(StartNews::Started(*progress));
        }
    }
}

impl StartNews {
    /// Describes the news in words.
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

    use super::*;

    /// The messages about a start at second 5 that is known from second 2 to second `until`. If `restarts` is
    /// set, the server restarts at second 4.
    fn told(until: i64, restarts: bool) -> Vec<String> {
        let mut starts = Starts::default();
        for second in 0..8 {
            let (epoch, at) = (7 + u64::from(restarts && second >= 4), ServerTime::from_ticks(5));
            let stage = match second {
                2..5 if second < until => Stage::Announced,
                5.. if second < until => Stage::Started,
                _ => Stage::Waiting,
            };
            let progress = Progress { stage, version: 1, at, fires: second == 5, ..Progress::default() };
            let fires = progress.fires && stage == Stage::Started;
            let reading = netclock_sim::reading(epoch, ServerTime::from_ticks(second), Span::ZERO);
            starts.frame(&Progress { fires, ..progress }, &reading);
        }
        starts.news.iter().map(|news| news.described().event).collect()
    }

    #[test]
    fn a_start_is_announced_and_then_started_or_called_off() {
        assert_eq!(told(9, false), ["start_announced", "started"]);
        assert_eq!(told(7, false), ["start_announced", "started"], "it is over");
        assert_eq!(told(3, false), ["start_announced", "start_called_off"]);
        assert_eq!(told(4, true), ["start_announced"], "a restart calls nothing off");
    }
}
