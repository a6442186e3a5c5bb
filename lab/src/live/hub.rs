//! A run's news, for all viewers.
//!
//! A viewer that is new, or too slow for the stored news, gets the whole current state in one message. So no
//! information is lost, and memory use is bounded for any number of viewers, however slow they are.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, Sender, channel};

use super::show::{Happening, Point};
use crate::report::page::Finding;

/// How long points are kept (s).
pub(crate) const KEPT_S: f64 = 60.0;
/// Largest number of points in a row, however fast they arrive.
const MOST_POINTS: usize = 1_200;
/// Largest number of happenings shown.
const MOST_HAPPENINGS: usize = 200;
/// Largest number of messages stored for slow viewers.
const MOST_MESSAGES: usize = 256;

/// The latest points of a row.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    points: VecDeque<Point>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Message<'a> {
    /// The whole current state.
    Hello {
        run: u64,
        rows: &'a [Row],
        headlines: &'a [Vec<String>],
        happenings: &'a VecDeque<Happening>,
        /// Number of earlier happenings, which are not included.
        earlier: usize,
        end: Option<&'a Finding>,
    },
    Points {
        now: f64,
        row: usize,
        points: &'a [Point],
    },
    Headlines {
        headlines: &'a [Vec<String>],
    },
    Happened {
        happening: &'a Happening,
    },
    End {
        finding: &'a Finding,
    },
}

#[derive(Debug, Default)]
struct Inner {
    rows: Vec<Row>,
    headlines: Vec<Vec<String>>,
    happenings: VecDeque<Happening>,
    earlier: usize,
    end: Option<Finding>,
    /// The channel to the viewers; `None` after the end.
    news: Option<Sender<Bytes>>,
}

/// A run's news.
#[derive(Debug)]
pub(crate) struct Hub {
    /// Differs between runs, so that a page notices when another run serves it.
    run: u64,
    inner: Mutex<Inner>,
}

impl Hub {
    pub(crate) fn new(run: u64, rows: usize) -> Self {
        // Numbers in a browser have only 53 bits.
        let news = Some(channel(MOST_MESSAGES).0);
        let inner = Inner { rows: vec![Row::default(); rows], news, ..Inner::default() };
        Hub { run: run >> 11, inner: Mutex::new(inner) }
    }

    /// Publishes reads of a row's clock.
    pub(crate) fn points(&self, now: f64, row: usize, points: &[Point]) {
        let mut inner = self.lock();
        let Some(shown) = inner.rows.get_mut(row) else { return };
        shown.points.extend(points);
        while shown.points.len() > MOST_POINTS || shown.points.front().is_some_and(|it| it.0 < now - KEPT_S) {
            shown.points.pop_front();
        }
        inner.publish(encoded(&Message::Points { now, row, points }));
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
        inner.publish(message);
    }

    /// Publishes each tab's headline: its figures, and what they mean.
    pub(crate) fn headlines(&self, headlines: Vec<Vec<String>>) {
        let mut inner = self.lock();
        let message = encoded(&Message::Headlines { headlines: &headlines });
        inner.headlines = headlines;
        inner.publish(message);
    }

    /// Publishes the end, as the last message.
    pub(crate) fn end(&self, finding: Finding) {
        let mut inner = self.lock();
        let message = encoded(&Message::End { finding: &finding });
        inner.end = Some(finding);
        inner.publish(message);
    }

    /// Disconnects the viewers once they have received everything.
    pub(crate) fn close(&self) {
        self.lock().news = None;
    }

    /// The whole current state, as JSON.
    pub(crate) fn json(&self) -> String {
        json(&self.hello(&self.lock()))
    }

    /// The whole current state for a viewer, and the news after it; `None` in place of news after the end.
    pub(super) fn watch(&self) -> (Bytes, Option<Receiver<Bytes>>) {
        let inner = self.lock();
        (encoded(&self.hello(&inner)), inner.news.as_ref().map(Sender::subscribe))
    }

    fn hello<'a>(&self, inner: &'a Inner) -> Message<'a> {
        let Inner { rows, headlines, happenings, earlier, end, .. } = inner;
        Message::Hello { run: self.run, rows, headlines, happenings, earlier: *earlier, end: end.as_ref() }
    }

    /// No call panics while it holds the lock, so the data behind a poisoned lock is intact.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn publish(&self, message: Bytes) {
        // This fails if there are no viewers.
        let _ = self.news.as_ref().map(|news| news.send(message));
    }
}

fn json(message: &Message<'_>) -> String {
    // Messages are numbers and texts, which can all be written as JSON.
    serde_json::to_string(message).unwrap_or_default()
}

/// Encodes a message as a server-sent event. JSON has no line breaks.
fn encoded(message: &Message<'_>) -> Bytes {
    Bytes::from(format!("data: {}\n\n", json(message)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tokio::sync::broadcast::error::TryRecvError;

    use super::*;
    use crate::report::page::Weight;

    fn read(bytes: &Bytes) -> Value {
        let event = bytes.strip_prefix(b"data: ").and_then(|it| it.strip_suffix(b"\n\n")).expect("an event");
        serde_json::from_slice(event).expect("JSON")
    }

    /// The whole current state, and the news after it.
    fn watch(hub: &Hub) -> (Value, Receiver<Bytes>) {
        let (hello, news) = hub.watch();
        (read(&hello), news.expect("the run goes on"))
    }

    /// The messages received so far.
    fn next(news: &mut Receiver<Bytes>) -> Vec<Value> {
        std::iter::from_fn(|| news.try_recv().ok()).map(|bytes| read(&bytes)).collect()
    }

    fn happening(number: usize) -> Happening {
        Happening::new(number as f64, None, Weight::Note, "test", format!("number {number}"))
    }

    #[test]
    fn a_viewer_gets_everything_once_and_in_order() {
        let hub = Hub::new(u64::MAX, 1);
        hub.points(1.0, 0, &[(0.5, [Some(1.0); 5])]);
        hub.headlines(vec![vec!["1 ms".to_owned()]]);
        let (hello, mut news) = watch(&hub);
        assert_eq!((&hello["type"], &hello["headlines"][0][0]), (&"hello".into(), &"1 ms".into()));
        assert_eq!(hello["rows"][0]["points"][0][1][0], 1.0);
        assert!(next(&mut news).is_empty());
        (0..5).for_each(|number| hub.happened(happening(number)));
        let told = next(&mut news);
        let texts: Vec<&Value> = told.iter().map(|it| &it["happening"]["text"]).collect();
        assert_eq!(texts, ["number 0", "number 1", "number 2", "number 3", "number 4"]);
        assert!(next(&mut news).is_empty());
    }

    #[test]
    fn who_is_too_slow_is_told_so_and_everything_that_is_shown_is_still_there() {
        let hub = Hub::new(0, 1);
        let (_, mut news) = watch(&hub);
        (0..MOST_MESSAGES + 10).for_each(|number| hub.happened(happening(number)));
        assert_eq!(news.try_recv(), Err(TryRecvError::Lagged(10)));
        let (hello, mut news) = watch(&hub);
        let shown = hello["happenings"].as_array().map_or(0, Vec::len);
        assert_eq!(shown + hello["earlier"].as_u64().map_or(0, |it| it as usize), MOST_MESSAGES + 10);
        assert!(next(&mut news).is_empty());
    }

    #[test]
    fn memory_is_bounded() {
        let hub = Hub::new(0, 2);
        let _slow = hub.watch();
        for number in 0..20_000 {
            let at = f64::from(number) * 0.01;
            hub.points(at, 1, &[(at, [Some(1.0); 5]); 4]);
            hub.happened(Happening::new(at, None, Weight::Note, "test", "x".repeat(500)));
        }
        let inner = hub.lock();
        assert_eq!(inner.news.as_ref().map(Sender::len), Some(MOST_MESSAGES));
        assert!(inner.rows[1].points.len() <= MOST_POINTS);
        assert!(inner.happenings.len() <= MOST_HAPPENINGS);
    }

    #[test]
    fn the_end_comes_last() {
        let hub = Hub::new(0, 1);
        let (_, mut news) = watch(&hub);
        hub.end(Finding::new(Weight::Fine, "over".to_owned(), None));
        hub.close();
        assert_eq!(next(&mut news)[0]["finding"]["text"], "over");
        assert_eq!(news.try_recv(), Err(TryRecvError::Closed));
        // A late viewer still learns how the run ended.
        let (hello, news) = hub.watch();
        assert_eq!(read(&hello)["end"]["text"], "over");
        assert!(news.is_none());
    }
}
