use super::evaluation::{Evaluation, clock};
use crate::net::sync::events::{describe, weight};
use crate::recording::Announcement;
use crate::report::{Ink, Mark, Table, Weight};
use netclock::authority::Authority;

const EVENTS: usize = 200;
const MARKS: usize = 1_000;

pub(super) fn events(session: &Evaluation) -> (Vec<Mark>, Table) {
    let mut marks = Vec::new();
    let mut all: Vec<(f64, String, String)> = Vec::new();
    for it in &session.rerun.events {
        let (at, described) = (session.seconds(it.local), describe(&it.event));
        if marks.len() < MARKS {
            let ink = match weight(&described) {
                Weight::Fine => Ink::Bound,
                Weight::Note => Ink::Other,
                Weight::Warning | Weight::Fault => Ink::Bad,
            };
            marks.push(Mark { at, label: described.event.replace('_', " "), ink });
        }
        all.push((at, described.event, described.meaning));
    }
    // Without a shared timescale, an authority only repeats another event's epoch.
    let is_alone = |it: &Announcement| match it {
        Announcement::Authority(authority) => *authority == Authority::alone(authority.epoch),
        _ => true,
    };
    let shows_authorities = !session.recording.announced.iter().all(|it| is_alone(&it.what));
    for it in &session.recording.announced {
        if matches!(it.what, Announcement::Authority(_)) && !shows_authorities {
            continue;
        }
        if matches!(it.what, Announcement::Start { .. }) && marks.len() < MARKS {
            let at = session.seconds(it.at);
            marks.push(Mark { at, label: it.what.name().to_owned(), ink: Ink::Other });
        }
        all.push((session.seconds(it.at), it.what.name().to_owned(), it.what.words()));
    }
    for it in &session.exchanges {
        if let Err(refusal) = it.outcome {
            all.push((it.arrived_s, "rejected".to_owned(), refusal.to_string()));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let more = all.len().saturating_sub(EVENTS);
    let caption = if more == 0 {
        "All events".to_owned()
    } else {
        format!("The first {EVENTS} events; {more} more are not listed")
    };
    let row = |(at, name, meaning): &(f64, String, String)| format!("{} | {name} | {meaning}", clock(*at));
    let table = Table::new(caption, "time | event | meaning", all.iter().take(EVENTS).map(row)).with_words();
    (marks, table)
}
