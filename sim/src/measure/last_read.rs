//! Detects whether a clock ran backwards.

/// The last read of a clock. Within an epoch, a clock guarantees never to show less than before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LastRead(Option<(u64, i64)>);

impl LastRead {
    /// Adds the next read: its epoch, and the shown time in ticks. Returns true if it ran backwards.
    pub fn goes_back(&mut self, epoch: impl Into<u64>, shown: i64) -> bool {
        let epoch = epoch.into();
        self.0.replace((epoch, shown)).is_some_and(|(last, before)| last == epoch && shown < before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_read_before_the_last_one_of_its_epoch_goes_back() {
        let mut last = LastRead::default();
        let reads = [(1_u32, 5), (1, 5), (1, 4), (1, 4), (2, 1), (1, 0), (1, 2), (1, 1)];
        let back = reads.map(|(epoch, shown)| last.goes_back(epoch, shown));
        assert_eq!(back, [false, false, true, false, false, false, false, true]);
    }
}
