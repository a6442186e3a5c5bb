//! The state of a run. Browsers poll it several times per second.
//!
//! Nothing is stored per browser, so memory stays bounded regardless of the number of browsers.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::show::{Happening, Point};
use crate::report::Finding;

const KEPT_S: f64 = 60.0;
const MOST_POINTS: usize = 1_200;
const MOST_HAPPENINGS: usize = 200;

#[derive(Debug, Default)]
struct State {
    rows: Vec<VecDeque<Point>>,
    headlines: Vec<Vec<String>>,
    happenings: VecDeque<Happening>,
    earlier: usize,
    end: Option<Finding>,
}

#[derive(Serialize)]
struct News<'a> {
    run: u64,
    rows: Vec<Vec<&'a Point>>,
    headlines: &'a [Vec<String>],
    happenings: &'a VecDeque<Happening>,
    earlier: usize,
    end: Option<&'a Finding>,
}

#[derive(Debug)]
pub(crate) struct Hub {
    /// A random number that tells the page when a new run has replaced this one.
    run: u64,
    state: Mutex<State>,
}

impl Hub {
    pub(crate) fn new(run: u64, rows: usize) -> Self {
        // Numbers in browsers have only 53 bits of precision.
        let state = State { rows: vec![VecDeque::new(); rows], ..State::default() };
        Hub { run: run >> 11, state: Mutex::new(state) }
    }

    pub(crate) fn points(&self, now: f64, row: usize, points: &[Point]) {
        let mut state = self.lock();
        let Some(shown) = state.rows.get_mut(row) else { return };
        shown.extend(points);
        while shown.len() > MOST_POINTS || shown.front().is_some_and(|it| it.0 < now - KEPT_S) {
            shown.pop_front();
        }
    }

    pub(crate) fn happened(&self, happening: Happening) {
        let mut state = self.lock();
        state.happenings.push_back(happening);
        if state.happenings.len() > MOST_HAPPENINGS {
            state.happenings.pop_front();
            state.earlier += 1;
        }
    }

    pub(crate) fn headlines(&self, headlines: Vec<Vec<String>>) {
        self.lock().headlines = headlines;
    }

    pub(crate) fn end(&self, finding: Finding) {
        self.lock().end = Some(finding);
    }

    pub(super) fn json(&self, since: f64) -> String {
        let state = self.lock();
        let State { rows, headlines, happenings, earlier, end } = &*state;
        let rows = rows.iter().map(|row| row.iter().filter(|point| point.0 > since).collect()).collect();
        let news = News { run: self.run, rows, headlines, happenings, earlier: *earlier, end: end.as_ref() };
        // Numbers and strings always convert to JSON.
        serde_json::to_string(&news).unwrap_or_default()
    }

    /// A poisoned lock is harmless, because no call panics while holding it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::Weight;

    fn read(hub: &Hub, since: f64) -> Value {
        serde_json::from_str(&hub.json(since)).expect("JSON")
    }

    #[test]
    fn a_browser_gets_newer_points_and_the_end_of_the_run() {
        let hub = Hub::new(u64::MAX, 1);
        hub.points(1.0, 0, &[(0.5, [Some(1.0); 5]), (0.6, [Some(2.0); 5])]);
        hub.headlines(vec![vec!["1 ms".to_owned()]]);
        let all = read(&hub, f64::NEG_INFINITY);
        assert_eq!((&all["headlines"][0][0], &all["end"]), (&"1 ms".into(), &Value::Null));
        assert_eq!(all["rows"][0].as_array().map(Vec::len), Some(2));
        hub.end(Finding::new(Weight::Fine, "over".to_owned(), None));
        let later = read(&hub, 0.5);
        assert_eq!((&later["rows"][0][0][1][0], &later["end"]["text"]), (&2.0.into(), &"over".into()));
        assert_eq!(later["rows"][0].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn memory_is_bounded() {
        let hub = Hub::new(0, 2);
        for number in 0..20_000 {
            let at = f64::from(number) * 0.01;
            hub.points(at, 1, &[(at, [Some(1.0); 5]); 4]);
            hub.happened(Happening::new(at, None, Weight::Note, "test", format!("number {number}")));
        }
        let state = read(&hub, f64::NEG_INFINITY);
        assert!(state["rows"][1].as_array().is_some_and(|points| points.len() <= MOST_POINTS));
        let shown = state["happenings"].as_array().map_or(0, Vec::len);
        assert_eq!((shown, &state["earlier"]), (MOST_HAPPENINGS, &19_800.into()));
        assert_eq!(state["happenings"][MOST_HAPPENINGS - 1]["text"], "number 19999");
    }
}
