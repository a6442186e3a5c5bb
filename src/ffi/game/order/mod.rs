//! Order, rewinding, prediction.
//!
//! Which of two events came first, what a client saw when it acted, and how far ahead of the server to
//! predict.
//! Statuses: 500 to 599, positive and negative.
//! Header: netclock_order.h

pub(crate) mod arbitrate;
pub(crate) mod lead;
pub(crate) mod status;
