//! Bit sets for small numbers.

/// A set of slot or game numbers below `64 * N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    pub(super) const NONE: Self = Bits([0; N]);

    pub(super) fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, place: usize, member: bool) {
        let bit = 1 << (place % 64);
        let word = &mut self.0[place / 64];
        *word = if member { *word | bit } else { *word & !bit };
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the first member at or after `place`.
    pub(super) fn next_from(&self, place: usize) -> Option<usize> {
        let mut word = place / 64;
        let mut rest = self.0.get(word)? & (u64::MAX << (place % 64));
        while rest == 0 {
            word += 1;
            rest = *self.0.get(word)?;
        }
        Some(64 * word + rest.trailing_zeros() as usize)
    }

    /// Returns the first number below `most` that is not a member.
    pub(super) fn first_free(&self, most: usize) -> Option<usize> {
        Bits(self.0.map(|word| !word)).next_from(0).filter(|&place| place < most)
    }

    /// Returns all members in ascending order.
    pub(super) fn members(self) -> impl Iterator<Item = usize> {
        let mut from = 0;
        core::iter::from_fn(move || {
            let next = self.next_from(from)?;
            from = next + 1;
            Some(next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_in_order() {
        let mut set = Bits::<3>::NONE;
        assert!(set.is_empty());
        assert_eq!(set.next_from(0), None);
        let numbers = [0, 1, 63, 64, 127, 128, 191];
        for number in numbers {
            set.set(number, true);
        }
        assert_eq!(set.members().collect::<Vec<_>>(), numbers);
        assert_eq!((set.count(), set.first_free(192), set.first_free(2)), (7, Some(2), None));
        assert_eq!((set.next_from(65), set.next_from(129), set.next_from(192)), (Some(127), Some(191), None));
        set.set(64, false);
        assert_eq!((set.has(63), set.has(64), set.count()), (true, false, 6));
    }
}
