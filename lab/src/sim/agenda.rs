//! What is to happen, in order of time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Events by time (ns), then by order of making.
pub(crate) struct Agenda<E> {
    order: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, (f64, E)>,
    made: u64,
}

impl<E> Default for Agenda<E> {
    fn default() -> Self {
        Agenda { order: BinaryHeap::new(), events: BTreeMap::new(), made: 0 }
    }
}

impl<E> Agenda<E> {
    pub(crate) fn add(&mut self, at_s: f64, event: E) {
        self.made += 1;
        self.order.push(Reverse(((at_s * 1e9) as u64, self.made)));
        self.events.insert(self.made, (at_s, event));
    }

    pub(crate) fn next(&mut self) -> Option<(f64, E)> {
        let Reverse((_, number)) = self.order.pop()?;
        self.events.remove(&number)
    }
}
