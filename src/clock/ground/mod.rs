//! The ground: instants typed by timescale, checks of settings, memory that may be missing, and the atomics
//! of readers.

#[cfg(feature = "ablation")]
#[doc(hidden)]
pub mod ablation;
#[cfg(not(feature = "ablation"))]
#[expect(unreachable_pub, reason = "public for the lab, with the feature")]
pub(crate) mod ablation;
pub(crate) mod bytes;
pub(crate) mod direction;
pub(crate) mod index;
pub(crate) mod memory;
pub(crate) mod range;
pub(crate) mod shared;
pub(crate) mod sync;
pub(crate) mod time;
