use crate::clock::exchange::RequestId;
use crate::clock::ground::memory::{self, OutOfMemory};
use crate::clock::ground::time::LocalTime;

/// Maximum number of outstanding requests. If there are more, the oldest request is dropped and its reply
/// will be rejected.
pub(super) const OUTSTANDING: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Probe {
    id: RequestId,
    sent: LocalTime,
}

#[derive(Clone, Debug)]
pub(crate) struct Probes(Vec<Probe>);

impl Probes {
    pub(crate) fn new() -> Result<Self, OutOfMemory> {
        Ok(Probes(memory::list(OUTSTANDING)?))
    }

    pub(crate) fn insert(&mut self, id: RequestId, sent: LocalTime) {
        if self.0.len() == OUTSTANDING {
            self.0.remove(0);
        }
        self.0.push(Probe { id, sent });
    }

    pub(crate) fn sent(&self, id: RequestId) -> Option<LocalTime> {
        self.0.iter().find(|probe| probe.id == id).map(|probe| probe.sent)
    }

    pub(crate) fn remove(&mut self, id: RequestId) {
        self.0.retain(|probe| probe.id != id);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_request_is_dropped_when_the_list_is_full() {
        let mut probes = Probes::new().expect("there is memory");
        for id in 0..=OUTSTANDING as u64 {
            probes.insert(RequestId(id), LocalTime::from_ticks(id as i64));
        }
        assert_eq!(probes.sent(RequestId(0)), None);
        assert_eq!(probes.sent(RequestId(1)), Some(LocalTime::from_ticks(1)));
    }
}
