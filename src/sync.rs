//! The atomics that publication is made of: those of the core library, or in a model check loom's, which tries every
//! order in which threads may run and every value that a load may return.

#[cfg(not(all(test, loom)))]
pub(crate) use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
