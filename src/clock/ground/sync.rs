//! The atomics that publication uses. Model checks replace them with loom's, which explores every thread
//! interleaving and every value that a load may return.

#[cfg(not(all(test, loom)))]
pub(crate) use core::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering, fence};

#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering, fence};
