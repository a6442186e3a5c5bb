//! The course of a session, as a page shows it: curves, figures and events, however long it was.

use super::look::{Look, Said, Shown};
use crate::net::sync::events::{describe, weight};
use crate::recording::{self, Announcement};
use crate::report::envelope::Envelope;
use crate::report::page::Weight;
use crate::report::page::chart::{Ink, Mark};
use crate::report::quantiles::Quantiles;
use netclock::Refusal;
use netclock::authority::Authority;
use netclock_sim::clock::{TICKS_PER_MS, TICKS_PER_S};

/// Most events that a page lists.
pub(super) const EVENTS: usize = 200;
/// Most events that its charts mark.
const MARKS: usize = 1_000;

/// The course of a session.
#[derive(Debug, Default)]
pub(crate) struct Course {
    pub(super) name: String,
    pub(super) is_true: bool,
    pub(super) exchanges: usize,
    pub(super) accepted: usize,
    pub(super) left_out: usize,
    pub(super) length_s: f64,
    pub(super) curves: Curves,
    pub(super) sizes: Sizes,
    /// The rate at the end (ppm).
    pub(super) last_rate: Option<f64>,
    pub(super) marks: Vec<Mark>,
    /// The first events: when (s), name and meaning; and how many there are.
    pub(super) events: Vec<(f64, String, String)>,
    pub(super) all_events: usize,
    epoch: Option<u32>,
}

/// Curves over time (s): errors and delays in ms, the rate in ppm, intervals in s.
#[derive(Debug, Default)]
pub(super) struct Curves {
    pub(super) error: Envelope,
    pub(super) bound: Envelope,
    pub(super) expected: Envelope,
    /// The ends of the promised interval.
    pub(super) low: Envelope,
    pub(super) high: Envelope,
    pub(super) offset: Envelope,
    pub(super) reference: Envelope,
    pub(super) rate: Envelope,
    /// Bounds by accepted and by refused exchanges.
    pub(super) above: [Envelope; 2],
    pub(super) below: [Envelope; 2],
    pub(super) intervals: Envelope,
}

/// Sizes of what was shown, and delays of accepted exchanges (ticks); intervals between requests (ticks).
#[derive(Debug, Default)]
pub(super) struct Sizes {
    pub(super) error: Quantiles,
    pub(super) expected: Quantiles,
    pub(super) bound: Quantiles,
    pub(super) up: Quantiles,
    pub(super) down: Quantiles,
    pub(super) intervals: Quantiles,
}

impl Course {
    /// The course of a session that was looked at.
    pub(crate) fn of(look: &Look) -> Self {
        let mut course = Course {
            name: look.name.clone(),
            is_true: look.is_true,
            exchanges: look.recording.exchanges.len(),
            accepted: look.rerun.accepted,
            left_out: look.rerun.left_out,
            length_s: look.length_s,
            ..Course::default()
        };
        look.shown.iter().for_each(|shown| course.show(shown));
        look.said.iter().for_each(|said| course.say(said));
        course.ask(look);
        course.tell(look);
        course
    }

    /// True if its curves do not have all points.
    pub(super) fn is_thinned(&self) -> bool {
        let Curves { rate, above, below, .. } = &self.curves;
        rate.is_thinned() || above.iter().chain(below).any(Envelope::is_thinned)
    }

    fn show(&mut self, it: &Shown) {
        let is_new = self.epoch.replace(it.epoch).is_some_and(|epoch| epoch != it.epoch);
        let curves = &mut self.curves;
        curves.bound.add((it.at_s, it.bound));
        curves.expected.add((it.at_s, it.expected));
        let interval = it.error.zip(it.bound);
        curves.low.add((it.at_s, interval.map(|(error, bound)| error - bound)));
        curves.high.add((it.at_s, interval.map(|(error, bound)| error + bound)));
        let lines = [
            (&mut curves.error, it.error),
            (&mut curves.offset, Some(it.offset)),
            (&mut curves.reference, it.error.map(|error| it.offset - error)),
            (&mut curves.rate, Some(it.rate_ppm)),
        ];
        for (line, value) in lines {
            // A new epoch interrupts it.
            line.add_after(is_new.then_some(it.at_s), (it.at_s, value));
        }
        self.last_rate = Some(it.rate_ppm);
        let sizes = [
            (&mut self.sizes.error, it.error.map(f64::abs)),
            (&mut self.sizes.expected, it.expected),
            (&mut self.sizes.bound, it.bound),
        ];
        for (all, size) in sizes {
            size.into_iter().for_each(|ms| all.add(ticks(ms)));
        }
    }

    fn say(&mut self, it: &Said) {
        let place = usize::from(it.outcome.is_err());
        self.curves.above[place].add((it.sent_s, Some(it.up)));
        self.curves.below[place].add((it.arrived_s, Some(-it.down)));
        if it.outcome.is_ok() {
            self.sizes.up.add(ticks(it.up));
            self.sizes.down.add(ticks(it.down));
        }
    }

    /// The schedule of the requests.
    fn ask(&mut self, look: &Look) {
        let mut sent: Vec<f64> = look.said.iter().map(|said| said.sent_s).collect();
        sent.sort_by(f64::total_cmp);
        sent.dedup();
        for pair in sent.windows(2) {
            let interval = pair[1] - pair[0];
            self.curves.intervals.add((pair[1], Some(interval.max(1e-3))));
            self.sizes.intervals.add((interval * TICKS_PER_S).round() as i64);
        }
    }

    fn tell(&mut self, look: &Look) {
        let mut all: Vec<(f64, String, String)> = Vec::new();
        for it in &look.events {
            let described = describe(&it.event);
            if self.marks.len() < MARKS {
                let ink = match weight(&described) {
                    Weight::Fine => Ink::Bound,
                    Weight::Note => Ink::Other,
                    Weight::Warning | Weight::Fault => Ink::Bad,
                };
                self.marks.push(Mark { at: it.at_s, label: described.event.replace('_', " "), ink });
            }
            all.push((it.at_s, described.event, described.meaning));
        }
        // A server alone on its timescale states nothing but its epoch, which the other events show.
        let is_alone = |it: &Announcement| match it {
            Announcement::Authority(authority) => *authority == Authority::alone(authority.epoch),
            _ => true,
        };
        let says_authority = !look.recording.announced.iter().all(|it| is_alone(&it.what));
        for it in &look.recording.announced {
            if matches!(it.what, Announcement::Authority(_)) && !says_authority {
                continue;
            }
            if matches!(it.what, Announcement::Start { .. }) && self.marks.len() < MARKS {
                let at = look.seconds(it.at);
                self.marks.push(Mark { at, label: it.what.name().to_owned(), ink: Ink::Other });
            }
            all.push((look.seconds(it.at), it.what.name().to_owned(), it.what.words()));
        }
        for it in &look.said {
            if let Err(refusal) = it.outcome {
                all.push((it.arrived_s, "refused".to_owned(), refused_words(refusal).to_owned()));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.all_events = all.len();
        all.truncate(EVENTS);
        self.events = all;
    }
}

fn ticks(ms: f64) -> i64 {
    (ms * TICKS_PER_MS).round() as i64
}

fn refused_words(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Contradiction => "an exchange contradicts what is known",
        Refusal::SeveralServers => "a reply of another server than the followed one",
        Refusal::TooSlow => "the reply took too long to say anything",
        other => recording::name(Err(other)),
    }
}
