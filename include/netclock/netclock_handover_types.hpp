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
 * An authority: a run of a server's clock, and its maximum deviation from a timescale. The clock shows the
 * timescale to within +-`dispersion`. If a server has no stated authority, its clock is its own timescale.
 */
struct authority {
    /** The `epoch` with which the `netclock_server` was created. */
    std::uint64_t epoch = 0;
    /**
     * Identifies the timescale: the epoch of the first server that showed it, or a number that you assign to
     * a server fleet.
     */
    std::uint64_t timescale = 0;
    /** Dispersion: the maximum difference between the clock and the timescale. (0 to 2^32 - 1) */
    ticks dispersion{};
};

/** Adoption settings. */
struct adoption_config {
    /**
     * The number of participants that may lie, even if they collude: 1 to 31 (default 1), or
     * `NETCLOCK_NO_LIARS`. The adoption needs `2 * liars + 1` answers, unless the new server was a client
     * itself.
     */
    std::uint32_t liars = 0;
    /** Identifies the timescale. */
    std::uint64_t timescale = 0;
    /** Maximum skew between the new server's clock and the timescale. (ppm, 1 to 10000, default 100) */
    double max_drift_ppm = 0.0;
    /** The new server's clock resolution. (0 to 100 ms) */
    ticks resolution{};
};

/** The adopted timescale, relative to the new server's clock. */
struct adoption_result {
    /** Number of participants that answered, including the server itself if it was a client. */
    std::uint32_t answers = 0;
    /** Number of participants that agree with the result. */
    std::uint32_t agreeing = 0;
    /** Identifies the timescale. */
    std::uint64_t timescale = 0;
    /** Offset to add to the raw clock for the timestamps in all replies. */
    ticks offset{};
    /** Dispersion: the maximum error of the offset. State it to clients. */
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

inline netclock_adoption_config to_c(const adoption_config &from) noexcept
{
    auto to = sized<netclock_adoption_config>();
    to.liars = from.liars;
    to.timescale = from.timescale;
    to.max_drift_ppm = from.max_drift_ppm;
    to.resolution = count(from.resolution);
    return to;
}

inline adoption_config from_c(const netclock_adoption_config &from) noexcept
{
    adoption_config to;
    to.liars = from.liars;
    to.timescale = from.timescale;
    to.max_drift_ppm = from.max_drift_ppm;
    to.resolution = from_count<ticks>(from.resolution);
    return to;
}

inline netclock_adoption_result to_c(const adoption_result &from) noexcept
{
    auto to = sized<netclock_adoption_result>();
    to.answers = from.answers;
    to.agreeing = from.agreeing;
    to.timescale = from.timescale;
    to.offset = count(from.offset);
    to.dispersion = count(from.dispersion);
    return to;
}

inline adoption_result from_c(const netclock_adoption_result &from) noexcept
{
    adoption_result to;
    to.answers = from.answers;
    to.agreeing = from.agreeing;
    to.timescale = from.timescale;
    to.offset = from_count<ticks>(from.offset);
    to.dispersion = from_count<ticks>(from.dispersion);
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_HANDOVER_TYPES_HPP */
