//! Order, rewinding, beats.
//!
//! Which of two events came first, what a client saw when it acted, and the fixed steps of a simulation.
//! Header: netclock_order.h

pub(crate) mod arbitrate;
pub(crate) mod beat;
