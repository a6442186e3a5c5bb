//! Generates request ids that cannot be guessed, so that only those who see a request can answer it.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

/// Each number is a keyed hash (SipHash-2-4) of a counter.
#[derive(Clone, Debug)]
pub(crate) struct Unguessable {
    key: SipHasher24,
    counter: u64,
}

impl Unguessable {
    pub(crate) fn new(seed: u128) -> Self {
        Unguessable { key: SipHasher24::new_with_key(&seed.to_le_bytes()), counter: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        let mut hasher = self.key;
        hasher.write_u64(self.counter);
        hasher.finish()
    }

    #[cfg(any(feature = "link", feature = "game"))]
    pub(crate) fn draw(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_on_the_seed_and_the_counter() {
        let (mut one, mut other) = (Unguessable::new(1), Unguessable::new(2));
        let ids: Vec<u64> = (0..100).flat_map(|_| [one.next(), other.next()]).collect();
        let distinct: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len());
        assert_eq!(ids[0], Unguessable::new(1).next(), "the same seed gives the same ids");
    }
}
