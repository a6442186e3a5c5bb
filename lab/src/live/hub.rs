//! The news of a run, kept once for all who watch.
//!
//! The newest messages are in a ring, and each viewer has a place in it. A viewer that is new, or that the
//! ring has overtaken, gets everything that is still shown in one message. So nothing is lost, and memory is
//! bounded however many watch and however slow they are.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use hyper::body::Bytes;
use serde::Serialize;

use super::show::{Cell, Happening, Point};
use crate::report::page::Finding;

/// Most viewers at once.
pub(crate) const MOST_VIEWERS: usize = 32;
/// How long points are kept (s).
pub(crate) const KEPT_S: f64 = 60.0;
/// Most points of a row, however they come.
const MOST_POINTS: usize = 1_200;
/// Most happenings that are shown.
const MOST_HAPPENINGS: usize = 200;
/// Most messages in the ring, and most of their bytes.
const MOST_MESSAGES: usize = 1_024;
const MOST_BYTES: usize = 1 << 20;
/// Most bytes that a viewer gets at once.
const MOST_AT_ONCE: usize = 1 << 16;

/// What is shown of a row now.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    points: VecDeque<Point>,
    cells: Vec<Cell>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Message<'a> {
    /// Everything that is shown.
    Hello {
        run: u64,
        rows: &'a [Row],
        headline: &'a [String],
        happenings: &'a VecDeque<Happening>,
        /// Happenings before those.
        earlier: usize,
        end: Option<&'a Finding>,
    },
    Points {
        now: f64,
        row: usize,
        points: &'a [Point],
        cells: &'a [Cell],
    },
    Headline {
        headline: &'a [String],
    },
    Happened {
        happening: &'a Happening,
    },
    Beat {
        now: f64,
        row: usize,
        /// Which clock of the row; 0: the first.
        clock: usize,
        at: f64,
        number: i64,
    },
    End {
        finding: &'a Finding,
    },
}

#[derive(Debug, Default)]
struct Inner {
    rows: Vec<Row>,
    headline: Vec<String>,
    happenings: VecDeque<Happening>,
    earlier: usize,
    end: Option<Finding>,
    ring: VecDeque<Bytes>,
    ring_bytes: usize,
    /// The number of the first message in the ring.
    first: u64,
    /// Who waits for news, by number.
    waiting: BTreeMap<u64, Waker>,
    viewers: usize,
    entered: u64,
    is_closed: bool,
}

/// What a viewer gets next.
pub(crate) enum Next {
    News(Bytes),
    /// Nothing yet; the waker will be woken.
    Later,
    /// There will be nothing more.
    End,
}

/// The news of a run.
#[derive(Debug)]
pub(crate) struct Hub {
    /// Differs from run to run, so that a page knows that another run serves it.
    run: u64,
    inner: Mutex<Inner>,
}

impl Hub {
    pub(crate) fn new(run: u64, rows: usize) -> Self {
        // Numbers in a browser have 53 bits.
        let inner = Inner { rows: vec![Row::default(); rows], ..Inner::default() };
        Hub { run: run >> 11, inner: Mutex::new(inner) }
    }

    /// Publishes reads of a row's clock and its figures.
    pub(crate) fn points(&self, now: f64, row: usize, points: &[Point], cells: Vec<Cell>) {
        let mut inner = self.lock();
        let Some(shown) = inner.rows.get_mut(row) else { return };
        shown.points.extend(points);
        while shown.points.len() > MOST_POINTS || shown.points.front().is_some_and(|it| it.0 < now - KEPT_S) {
            shown.points.pop_front();
        }
        shown.cells = cells;
        let message = Message::Points { now, row, points, cells: &shown.cells };
        let encoded = encoded(&message);
        publish(inner, encoded);
    }

    /// Publishes that something happened.
    pub(crate) fn happened(&self, happening: Happening) {
        let mut inner = self.lock();
        let message = encoded(&Message::Happened { happening: &happening });
        inner.happenings.push_back(happening);
        if inner.happenings.len() > MOST_HAPPENINGS {
            inner.happenings.pop_front();
            inner.earlier += 1;
        }
        publish(inner, message);
    }

    /// Publishes the figures of the headline, and what they are.
    pub(crate) fn headline(&self, headline: Vec<String>) {
        let mut inner = self.lock();
        let message = encoded(&Message::Headline { headline: &headline });
        inner.headline = headline;
        publish(inner, message);
    }

    /// Publishes that a clock of a row showed the beginning of a beat at `at`.
    pub(crate) fn beat(&self, now: f64, (row, clock): (usize, usize), at: f64, number: i64) {
        publish(self.lock(), encoded(&Message::Beat { now, row, clock, at, number }));
    }

    /// Publishes the end, which is the last message.
    pub(crate) fn end(&self, finding: Finding) {
        let mut inner = self.lock();
        let message = encoded(&Message::End { finding: &finding });
        inner.end = Some(finding);
        publish(inner, message);
    }

    /// Lets the viewers go once they have everything.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.is_closed = true;
        wake(inner);
    }

    /// Everything that is shown, as JSON.
    pub(crate) fn json(&self) -> String {
        json(&self.hello(&self.lock()))
    }

    pub(crate) fn viewers(&self) -> usize {
        self.lock().viewers
    }

    /// The number of a new viewer; none if there are too many.
    pub(super) fn enter(&self) -> Option<u64> {
        let mut inner = self.lock();
        if inner.viewers >= MOST_VIEWERS {
            return None;
        }
        inner.viewers += 1;
        inner.entered += 1;
        Some(inner.entered)
    }

    pub(super) fn leave(&self, viewer: u64) {
        let mut inner = self.lock();
        inner.viewers -= 1;
        inner.waiting.remove(&viewer);
    }

    /// What comes after `place` for a viewer; no place: everything.
    pub(super) fn next(&self, viewer: u64, place: &mut Option<u64>, waker: &Waker) -> Next {
        let mut inner = self.lock();
        let last = inner.first + inner.ring.len() as u64;
        let Some(from) = place.filter(|&from| from >= inner.first) else {
            *place = Some(last);
            return Next::News(encoded(&self.hello(&inner)));
        };
        if from < last {
            let mut news = Vec::new();
            let mut taken = from;
            for message in inner.ring.iter().skip((from - inner.first) as usize) {
                if !news.is_empty() && news.len() + message.len() > MOST_AT_ONCE {
                    break;
                }
                news.extend_from_slice(message);
                taken += 1;
            }
            *place = Some(taken);
            return Next::News(news.into());
        }
        if inner.is_closed {
            return Next::End;
        }
        inner.waiting.insert(viewer, waker.clone());
        Next::Later
    }

    fn hello<'a>(&self, inner: &'a Inner) -> Message<'a> {
        let Inner { rows, headline, happenings, earlier, end, .. } = inner;
        Message::Hello { run: self.run, rows, headline, happenings, earlier: *earlier, end: end.as_ref() }
    }

    /// No call panics while it holds the lock, so what a poisoned one guards is whole.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn publish(mut inner: MutexGuard<'_, Inner>, message: Bytes) {
    inner.ring_bytes += message.len();
    inner.ring.push_back(message);
    while inner.ring.len() > MOST_MESSAGES || inner.ring_bytes > MOST_BYTES {
        let Some(oldest) = inner.ring.pop_front() else { break };
        inner.ring_bytes -= oldest.len();
        inner.first += 1;
    }
    wake(inner);
}

fn wake(mut inner: MutexGuard<'_, Inner>) {
    let waiting = std::mem::take(&mut inner.waiting);
    drop(inner);
    waiting.into_values().for_each(Waker::wake);
}

fn json(message: &Message<'_>) -> String {
    // Messages are numbers and texts, which all have a form in JSON.
    serde_json::to_string(message).unwrap_or_default()
}

/// As a server-sent event. JSON has no line breaks.
fn encoded(message: &Message<'_>) -> Bytes {
    Bytes::from(format!("data: {}\n\n", json(message)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::Weight;
    use serde_json::Value;

    fn next(hub: &Hub, place: &mut Option<u64>) -> Vec<Value> {
        match hub.next(1, place, Waker::noop()) {
            Next::News(bytes) => String::from_utf8_lossy(&bytes)
                .split("\n\n")
                .filter_map(|event| serde_json::from_str(event.strip_prefix("data: ")?).ok())
                .collect(),
            Next::Later | Next::End => Vec::new(),
        }
    }

    fn happening(number: usize) -> Happening {
        Happening::new(number as f64, None, Weight::Note, "test", format!("number {number}"))
    }

    #[test]
    fn a_viewer_gets_everything_once_and_in_order() {
        let hub = Hub::new(u64::MAX, 1);
        hub.points(1.0, 0, &[(0.5, [Some(1.0); 5])], vec!["1.0".to_owned().into()]);
        let mut place = None;
        hub.headline(vec!["1 ms".to_owned()]);
        let hello = next(&hub, &mut place);
        assert_eq!(hello[0]["headline"][0], "1 ms");
        assert_eq!((hello.len(), &hello[0]["type"]), (1, &Value::from("hello")));
        assert_eq!(hello[0]["rows"][0]["points"][0][1][0], 1.0);
        assert!(next(&hub, &mut place).is_empty());
        (0..5).for_each(|number| hub.happened(happening(number)));
        let news = next(&hub, &mut place);
        let texts: Vec<&Value> = news.iter().map(|it| &it["happening"]["text"]).collect();
        assert_eq!(texts, ["number 0", "number 1", "number 2", "number 3", "number 4"]);
        assert!(next(&hub, &mut place).is_empty());
    }

    #[test]
    fn who_is_too_slow_begins_again_with_everything_that_is_shown() {
        let hub = Hub::new(0, 1);
        let mut place = None;
        next(&hub, &mut place);
        (0..MOST_MESSAGES + 10).for_each(|number| hub.happened(happening(number)));
        let news = next(&hub, &mut place);
        assert_eq!((news.len(), &news[0]["type"]), (1, &Value::from("hello")));
        let shown = news[0]["happenings"].as_array().map_or(0, Vec::len);
        assert_eq!(shown + news[0]["earlier"].as_u64().map_or(0, |it| it as usize), MOST_MESSAGES + 10);
        assert!(next(&hub, &mut place).is_empty());
    }

    #[test]
    fn memory_is_bounded() {
        let hub = Hub::new(0, 2);
        for number in 0..20_000 {
            let at = f64::from(number) * 0.01;
            hub.points(at, 1, &[(at, [Some(1.0); 5]); 4], vec![]);
            hub.happened(Happening::new(at, None, Weight::Note, "test", "x".repeat(500)));
        }
        let inner = hub.lock();
        assert!(inner.ring.len() <= MOST_MESSAGES && inner.ring_bytes <= MOST_BYTES);
        assert_eq!(inner.ring_bytes, inner.ring.iter().map(Bytes::len).sum::<usize>());
        assert!(inner.rows[1].points.len() <= MOST_POINTS && inner.happenings.len() <= MOST_HAPPENINGS);
    }

    #[test]
    fn viewers_are_counted_and_the_end_comes_last() {
        let hub = Hub::new(0, 1);
        let all: Vec<u64> = (0..MOST_VIEWERS).filter_map(|_| hub.enter()).collect();
        assert_eq!((all.len(), hub.enter()), (MOST_VIEWERS, None));
        hub.leave(all[3]);
        assert!(hub.enter().is_some() && hub.enter().is_none());
        let mut place = None;
        next(&hub, &mut place);
        hub.end(Finding::new(Weight::Fine, "over".to_owned(), None));
        hub.close();
        assert_eq!(next(&hub, &mut place)[0]["finding"]["text"], "over");
        assert!(matches!(hub.next(1, &mut place, Waker::noop()), Next::End));
        // Who comes later still learns how it ended.
        assert_eq!(next(&hub, &mut None)[0]["end"]["text"], "over");
    }
}
