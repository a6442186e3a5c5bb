/*
 * NetClock for C++17: the types of netclock_utc.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_UTC_TYPES_HPP
#define NETCLOCK_UTC_TYPES_HPP

#include "netclock/netclock_utc.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** A server's claim: UTC is `zero` plus server time. */
struct utc_claim {
    /** Number of the claim within its server epoch. May wrap. */
    std::uint32_t version = 0;
    /** The server epoch that `zero` and `read` belong to, as in `netclock_reply.epoch`. */
    std::uint64_t server_epoch = 0;
    /** UTC when the server's clock reads zero. It may be before 1970. */
    utc_time zero{};
    /** When the server read both clocks of server time. */
    server_time read{};
    /** How far the claimed UTC may be off true UTC at `read`. Empty if nobody states it. (0 to 2^32 - 2) */
    std::optional<ticks> bound{};
    /** How fast the server's clock may run away from UTC. (ppm, 0 to 100000) */
    std::uint64_t drift_ppm = 0;
};

/** Settings of a publisher of UTC. A field that is not zero replaces its default. */
struct utc_publisher_config {
    /** How fast the server's clock may run away from UTC. (ppm, 1 to 100000, default 50) */
    std::uint32_t drift_ppm = 0;
    /**
     * How far UTC may move against the claim before there is another claim. Stated bounds are wider by it.
     * (10 us to 1 h, default 1 ms)
     */
    ticks tolerance{};
    /**
     * The longest time between two claims. In between, bounds grow with the drift. (1 s to 1 h, default 60 s)
     */
    ticks refresh{};
};

/** The server's UTC at one instant. */
struct utc_reading {
    /** Number of the claim. Another number, or another server epoch, means that UTC may have jumped. */
    std::uint32_t version = 0;
    /** UTC as the server claims it since 1970-01-01 00:00, without leap seconds. */
    utc_time utc{};
    /**
     * True UTC is within `utc` plus or minus this, if the server's source of time is right. Empty if nobody
     * states how good the server's UTC is, or the clock has no bound.
     */
    std::optional<ticks> error_bound{};
};

namespace detail {

inline netclock_utc_claim to_c(const utc_claim &from) noexcept
{
    auto to = sized<netclock_utc_claim>();
    to.version = from.version;
    to.server_epoch = from.server_epoch;
    to.zero = count(from.zero);
    to.read = count(from.read);
    to.bound = count(from.bound, NETCLOCK_UNBOUNDED);
    to.drift_ppm = from.drift_ppm;
    return to;
}

inline utc_claim from_c(const netclock_utc_claim &from) noexcept
{
    utc_claim to;
    to.version = from.version;
    to.server_epoch = from.server_epoch;
    to.zero = from_count<utc_time>(from.zero);
    to.read = from_count<server_time>(from.read);
    to.bound = known<ticks>(from.bound, NETCLOCK_UNBOUNDED);
    to.drift_ppm = from.drift_ppm;
    return to;
}

inline netclock_utc_publisher_config to_c(const utc_publisher_config &from) noexcept
{
    auto to = sized<netclock_utc_publisher_config>();
    to.drift_ppm = from.drift_ppm;
    to.tolerance = count(from.tolerance);
    to.refresh = count(from.refresh);
    return to;
}

inline utc_publisher_config from_c(const netclock_utc_publisher_config &from) noexcept
{
    utc_publisher_config to;
    to.drift_ppm = from.drift_ppm;
    to.tolerance = from_count<ticks>(from.tolerance);
    to.refresh = from_count<ticks>(from.refresh);
    return to;
}

inline netclock_utc_reading to_c(const utc_reading &from) noexcept
{
    auto to = sized<netclock_utc_reading>();
    to.version = from.version;
    to.utc = count(from.utc);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    return to;
}

inline utc_reading from_c(const netclock_utc_reading &from) noexcept
{
    utc_reading to;
    to.version = from.version;
    to.utc = from_count<utc_time>(from.utc);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_UTC_TYPES_HPP */
