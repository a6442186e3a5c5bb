/*
 * NetClock for C++17: handover.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_handover.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_HANDOVER_HPP
#define NETCLOCK_HANDOVER_HPP

#include "netclock/netclock_handover_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/**
 * Sets the authority that the client will follow from its first reply, or updates the dispersion of the
 * current authority. The client trusts the authority, so it must have arrived over a trusted connection. A
 * guest learns the authority from its host and does not need this call. `now` is the local time in ticks.
 *
 * Setting a different authority for the same timescale is a handover. The client then applies its estimates
 * of the old clock to the new one, widened by both dispersions. The shown time and the reading's epoch
 * continue. The client slews the difference and reports `NETCLOCK_EVENT_HANDED_OVER`. Call this function
 * before the first reply from the new authority. After that reply, the call works only for about half a
 * second, because the client shows the old server's clock until the burst is answered. If the new server's
 * replies contradict the authority, the clock restarts as it does after a server restart.
 *
 * Errors: `NETCLOCK_OUT_OF_RANGE` if the dispersion is out of range, `NETCLOCK_OTHER_TIMESCALE`,
 * `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
inline status set_authority(client &clock, const authority &given, local_time now) noexcept
{
    return detail::call(netclock_client_set_authority, clock, given, now);
}

/**
 * Determines the authority that readings follow at local time `now` (ticks), and returns it in `*authority`.
 * The `error_bound` of a reading refers to the authority's clock, and the timescale is within `dispersion` of
 * that clock. After 20 s without confirmation, the dispersion grows at the rate of the possible drift.
 * Returns `NETCLOCK_NOT_SYNCED` if no accepted reply contained an epoch.
 */
[[nodiscard]] inline result<authority> authority_of(const client &clock, local_time now) noexcept
{
    return detail::ask<authority>(netclock_client_authority, clock, now);
}

} // namespace netclock

#endif /* NETCLOCK_HANDOVER_HPP */
