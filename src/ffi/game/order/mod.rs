//! Order, rewinding, beats.
//!
//! The order of two events, the instant that a client saw when it acted, and the fixed steps of a simulation.
//! Header: netclock_order.h

pub(crate) mod arbitrate;
pub(crate) mod beat;
