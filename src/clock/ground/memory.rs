//! Fallible allocation. Objects allocate all their memory when they are created.

#[cfg(any(feature = "link", feature = "game"))]
use core::hash::{BuildHasher, Hash};
#[cfg(any(feature = "link", feature = "game"))]
use std::collections::HashMap;

#[cfg(any(feature = "link", feature = "game"))]
use siphasher::sip::SipHasher24;

use crate::clock::ground::range::ConfigError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfMemory;

/// Allocates an empty list that can hold `capacity` values without allocating again.
pub(crate) fn list<T>(capacity: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    list.try_reserve_exact(capacity).map_err(|_| OutOfMemory)?;
    Ok(list)
}

pub(crate) fn filled<T: Copy>(value: T, count: usize) -> Result<Box<[T]>, OutOfMemory> {
    let mut list = list(count)?;
    list.resize(count, value);
    Ok(list.into_boxed_slice())
}

/// A keyed hash, so that attackers cannot choose keys that collide.
#[cfg(any(feature = "link", feature = "game"))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Keyed(pub(crate) SipHasher24);

#[cfg(any(feature = "link", feature = "game"))]
impl BuildHasher for Keyed {
    type Hasher = SipHasher24;

    fn build_hasher(&self) -> SipHasher24 {
        self.0
    }
}

/// Allocates an empty map that can hold `most` keys without allocating again.
#[cfg(any(feature = "link", feature = "game"))]
pub(crate) fn map<K: Eq + Hash, V>(most: usize, hash: Keyed) -> Result<HashMap<K, V, Keyed>, OutOfMemory> {
    let mut map = HashMap::with_hasher(hash);
    // A map that is at least half empty clears the tombstones of removed entries without reallocating.
    map.try_reserve(2 * most).map_err(|_| OutOfMemory)?;
    Ok(map)
}

#[cfg(feature = "link")]
pub(crate) fn text(text: &str) -> Result<String, OutOfMemory> {
    let mut copy = String::new();
    copy.try_reserve_exact(text.len()).map_err(|_| OutOfMemory)?;
    copy.push_str(text);
    Ok(copy)
}

/// Stores the result of `make` on the heap to keep its owner and the caller's stack frame small.
pub(crate) fn boxed<T, E: From<OutOfMemory>>(make: impl FnOnce() -> Result<T, E>) -> Result<Box<T>, E> {
    let mut one = list(1)?;
    one.push(make()?);
    let one: *mut [T] = Box::into_raw(one.into_boxed_slice());
    // SAFETY: a slice of one value has the layout of the value, and `into_raw` has released its box.
    #[expect(unsafe_code, reason = "`Box::try_new` is not stable")]
    Ok(unsafe { Box::from_raw(one.cast()) })
}

/// The reason why an object could not be created.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// A setting is out of range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The seed is zero, so it was never drawn at random and could be guessed.
    #[error("the seed is zero; draw 128 bits from the operating system")]
    Seed,
    /// There is not enough memory.
    #[error("there is not enough memory")]
    OutOfMemory,
}

impl From<OutOfMemory> for CreateError {
    fn from(_: OutOfMemory) -> Self {
        CreateError::OutOfMemory
    }
}

pub(crate) fn check_seed(seed: u128) -> Result<(), CreateError> {
    if seed == 0 { Err(CreateError::Seed) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_that_is_too_large_fails() {
        assert_eq!(list::<u64>(usize::MAX).map(|_| ()), Err(OutOfMemory));
        // The test allocator counts bytes in signed 64-bit numbers, so this is only half of the largest size.
        assert_eq!(filled(0_u8, isize::MAX as usize / 2), Err(OutOfMemory));
        assert_eq!(filled(7_u8, 3).as_deref(), Ok(&[7, 7, 7][..]));
        assert_eq!(boxed(|| Ok::<_, OutOfMemory>(5)).map(|five| *five), Ok(5));
        assert_eq!(boxed(|| Err::<u8, _>(OutOfMemory)).map(|five| *five), Err(OutOfMemory));
    }

    #[test]
    fn a_creation_error_names_the_field() {
        assert_eq!((check_seed(0), check_seed(1)), (Err(CreateError::Seed), Ok(())));
        let range =
            crate::clock::ground::range::number("count", 3.0, 1.0, 2.0, "things").map_err(CreateError::from);
        assert!(matches!(range, Err(CreateError::Config(error)) if error.field == "count"));
        assert_eq!(CreateError::from(OutOfMemory), CreateError::OutOfMemory);
    }

    #[cfg(any(feature = "link", feature = "game"))]
    #[test]
    fn a_map_does_not_allocate_after_creation() {
        const MOST: u64 = 60;
        let mut map = map(MOST as usize, Keyed::default()).expect("there is memory");
        let made = allocation_counter::measure(|| {
            for number in 0..20_000 {
                assert_eq!(map.insert(number, number), None);
                assert_eq!(number >= MOST, map.remove(&number.wrapping_sub(MOST)).is_some());
                assert_eq!(map.get(&number), Some(&number));
            }
        });
        assert_eq!((made.count_total, map.len()), (0, MOST as usize));
    }

    #[test]
    fn a_list_has_its_stated_capacity() {
        assert_eq!(list::<u64>(9).map(|list| list.capacity()), Ok(9));
    }
}
