//! Finds the place of a number in constant time, however many there are.

use core::hash::Hasher;

use crate::clock::ground::memory::{self, OutOfMemory};

/// A number's place, or none.
const FREE: u32 = u32::MAX;

/// A table of numbers and their places: open addressing, at most half full. If strangers choose the numbers,
/// its hash needs a key, or else they could make them collide. Takes its memory once.
#[derive(Debug)]
pub(crate) struct Index<H> {
    rows: Box<[(u64, u32)]>,
    hash: H,
}

/// A hash for numbers that no stranger chooses: the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = spread(self.0 ^ number);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Spreads what differs between numbers over all bits.
pub(crate) fn spread(number: u64) -> u64 {
    let once = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let twice = (once ^ once >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    twice ^ twice >> 31
}

impl<H: Hasher + Copy> Index<H> {
    /// Room for `most` numbers.
    pub(crate) fn new(most: usize, hash: H) -> Result<Self, OutOfMemory> {
        Ok(Index { rows: memory::filled((0, FREE), (2 * most).next_power_of_two())?, hash })
    }

    /// Where the search for a number begins.
    fn home(&self, number: u64) -> usize {
        let mut hasher = self.hash;
        hasher.write_u64(number);
        hasher.finish() as usize & (self.rows.len() - 1)
    }

    fn after(&self, row: usize) -> usize {
        (row + 1) & (self.rows.len() - 1)
    }

    /// The row of the number, or the free row where it would go. There is one, since half of all are free.
    fn row(&self, number: u64) -> usize {
        let mut row = self.home(number);
        while self.rows[row].1 != FREE && self.rows[row].0 != number {
            row = self.after(row);
        }
        row
    }

    /// The place of the number, if it is in the table.
    pub(crate) fn get(&self, number: u64) -> Option<usize> {
        let (_, place) = self.rows[self.row(number)];
        (place != FREE).then_some(place as usize)
    }

    /// Adds a number, or gives it another place. The caller adds no more than there is room for.
    pub(crate) fn insert(&mut self, number: u64, place: usize) {
        let row = self.row(number);
        self.rows[row] = (number, place as u32);
    }

    /// Takes a number out, and moves those that follow it closer to where their search begins.
    pub(crate) fn remove(&mut self, number: u64) {
        let mut hole = self.row(number);
        let mut row = hole;
        loop {
            self.rows[hole].1 = FREE;
            let distance = |from: usize, to: usize| to.wrapping_sub(from) & (self.rows.len() - 1);
            loop {
                row = self.after(row);
                if self.rows[row].1 == FREE {
                    return;
                }
                // It may move if its search passes the hole.
                if distance(self.home(self.rows[row].0), row) >= distance(hole, row) {
                    break;
                }
            }
            self.rows[hole] = self.rows[row];
            hole = row;
        }
    }
}

#[cfg(test)]
mod tests {
    use siphasher::sip::SipHasher24;

    use super::*;

    #[test]
    fn it_finds_what_is_in_it_and_nothing_else() {
        finds(SipHasher24::new_with_keys(1, 2));
        finds(Spread::default());
    }

    #[test]
    fn places_may_change() {
        let mut index = Index::new(2, Spread::default()).expect("there is memory");
        index.insert(7, 1);
        index.insert(7, 0);
        assert_eq!(index.get(7), Some(0));
        index.remove(7);
        assert_eq!(index.get(7), None);
    }

    fn finds(hash: impl Hasher + Copy) {
        const MOST: usize = 60;
        let mut index = Index::new(MOST, hash).expect("there is memory");
        let mut known: Vec<(u64, usize)> = Vec::new();
        let mut random = SipHasher24::new();
        for turn in 0..20_000_u64 {
            random.write_u64(turn);
            let drawn = random.finish();
            // Half of the time it is filled, then emptied, so that long runs of rows form and dissolve.
            let fills = (turn / 100) % 2 == 0;
            if (fills || known.is_empty()) && known.len() < MOST {
                let number = drawn % 200;
                if index.get(number).is_none() {
                    index.insert(number, drawn as usize % 1_000);
                    known.push((number, drawn as usize % 1_000));
                }
            } else {
                let (number, _) = known.swap_remove(drawn as usize % known.len());
                index.remove(number);
            }
            for number in 0..200 {
                let expected = known.iter().find(|row| row.0 == number).map(|row| row.1);
                assert_eq!(index.get(number), expected, "{number} in turn {turn}");
            }
        }
    }
}
