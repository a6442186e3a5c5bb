//! Statuses of the calls about delays and order.

use crate::ffi::base::prelude::*;
use crate::game::order::OrderError;

/// No message was learnt yet in a direction that was asked for.
pub const NETCLOCK_NO_MESSAGES: i32 = 501;
/// The message is not used: its epoch has ended, it was reported before, or its departure is not remembered.
pub const NETCLOCK_OUTDATED: i32 = 502;

impl From<OrderError> for Failure {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::StampOutOfRange(name, ticks) => {
                Failure::because(NETCLOCK_STAMP_OUT_OF_RANGE, move |f| {
                    failure::write_stamp_out_of_range(f, &[name], &[ticks])
                })
            }
            OrderError::OutOfRange(error) => Failure::from_error(NETCLOCK_OUT_OF_RANGE, error),
        }
    }
}
