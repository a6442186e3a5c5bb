//! The atomics for publication. They are those of the core library, or loom's in a model check. Loom tries
//! every order in which threads may run, and every value that a load may return.

#[cfg(not(all(test, loom)))]
pub(crate) use core::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering, fence};

#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering, fence};
