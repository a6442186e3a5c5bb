//! Order, rewinding, beats.
//!
//! Determines the order of events, the instant that a client saw when it acted, and a simulation's fixed
//! steps.
//! Header: netclock_order.h

pub(crate) mod arbitrate;
pub(crate) mod beat;
