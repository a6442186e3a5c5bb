/*
 * NetClock for C++17: the types of netclock_handover.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_HANDOVER_TYPES_HPP
#define NETCLOCK_HANDOVER_TYPES_HPP

#include "netclock/netclock_handover.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/**
 * An authority states which timescale a server's clock shows, and how far the clock may be off. If a server
 * does not announce an authority, its clock defines its own timescale.
 */
struct authority {
    /** The `epoch` with which the `netclock_server` was created. */
    std::uint64_t epoch = 0;
    /**
     * Identifies the timescale. This is the epoch of the first server that showed the timescale, or a number
     * that you assign to a fleet of servers.
     */
    std::uint64_t timescale = 0;
    /** The largest difference between the clock and the timescale. (ticks, 0 to 2^32 - 1) */
    ticks dispersion{};
};

namespace detail {

inline netclock_authority to_c(const authority &from) noexcept
{
    auto to = sized<netclock_authority>();
    to.epoch = from.epoch;
    to.timescale = from.timescale;
    to.dispersion = count(from.dispersion);
    return to;
}

inline authority from_c(const netclock_authority &from) noexcept
{
    authority to;
    to.epoch = from.epoch;
    to.timescale = from.timescale;
    to.dispersion = from_count<ticks>(from.dispersion);
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_HANDOVER_TYPES_HPP */
