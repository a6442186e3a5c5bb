use std::collections::BTreeMap;

/// Events that are due at the same time stay in the order in which they were added.
pub struct Queue<T, E> {
    events: BTreeMap<(T, u64), E>,
    added: u64,
}

impl<T, E> Default for Queue<T, E> {
    fn default() -> Self {
        Queue { events: BTreeMap::new(), added: 0 }
    }
}

impl<T: Copy + Ord, E> Queue<T, E> {
    pub fn add(&mut self, due: T, event: E) {
        self.added += 1;
        self.events.insert((due, self.added), event);
    }

    pub fn count(&self) -> usize {
        self.events.len()
    }

    pub fn next_due(&self) -> Option<T> {
        self.events.first_key_value().map(|((due, _), _)| *due)
    }

    pub fn next_until(&mut self, now: T) -> Option<E> {
        let first = self.events.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}

/// Stores times in seconds with nanosecond resolution.
pub struct Agenda<E>(Queue<u64, (f64, E)>);

impl<E> Default for Agenda<E> {
    fn default() -> Self {
        Agenda(Queue::default())
    }
}

impl<E> Agenda<E> {
    pub fn add(&mut self, at_s: f64, event: E) {
        self.0.add((at_s * 1e9) as u64, (at_s, event));
    }

    pub fn until(&mut self, until_s: f64) -> Vec<(f64, E)> {
        std::iter::from_fn(|| self.0.next_until((until_s * 1e9) as u64)).collect()
    }
}

impl<E> Iterator for Agenda<E> {
    type Item = (f64, E);

    fn next(&mut self) -> Option<(f64, E)> {
        self.0.next_until(u64::MAX)
    }
}
