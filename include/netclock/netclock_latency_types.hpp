/*
 * NetClock for C++17: the types of netclock_latency.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_LATENCY_TYPES_HPP
#define NETCLOCK_LATENCY_TYPES_HPP

#include "netclock/netclock_latency.h"
#include "netclock/netclock_types.hpp"
#include "netclock/netclock_keys_types.hpp"

namespace netclock {

/** Settings of a latency watch. */
struct latency_config {
    /**
     * The latency whose changes the speed hides: zero for both directions together, `NETCLOCK_TO_SERVER` or
     * `NETCLOCK_TO_CLIENT` for one. Changes of both directions are reported.
     */
    std::optional<direction> hide{};
    /** Smaller changes are not reported. (1 ms to 1 s, default 10 ms) */
    ticks least_change{};
    /** How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1) */
    double max_speed_change = 0.0;
    /** Time from speed 1 to the furthest. (10 ms to 10 s, default 250 ms) */
    ticks ramp{};
    /**
     * Mean time between false reports on a path that does not change. Satellites and cellular paths change
     * within minutes: there most reports are of changes that do not last. (hours, 0.1 to 10000, default 100)
     */
    double hours_per_false_alarm = 0.0;
};

/** The delays of one direction changed, and stayed so. */
struct latency_change {
    /** `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT`. */
    direction went = direction::to_server;
    /** The typical delay (median) until then. */
    ticks before{};
    /** The typical delay since. */
    ticks after{};
    /** When the first exchange arrived that shows the change.  */
    local_time since{};
    /** When the last of them arrived.  */
    local_time found{};
    /** Confidence: one minus the false reports per hour expected at this strength of evidence. (0 to 1) */
    double confidence = 0.0;
};

/** The speed at which the local avatar should play. */
struct latency_speed {
    /**
     * How fast the local avatar should play: usually 1, less after a rise of the latency, more after a fall.
     */
    double scale = 0.0;
    /**
     * How much more than the time that passed it should have played since the watch was created; negative:
     * less.
     */
    ticks done{};
    /** How much more it still has to play; negative: less. */
    ticks remaining{};
    /** True while a change is being hidden; else false, with a `scale` of 1 and zero `remaining`. */
    bool is_hiding = false;
};

namespace detail {

inline netclock_latency_config to_c(const latency_config &from) noexcept
{
    auto to = sized<netclock_latency_config>();
    to.hide = from.hide ? static_cast<std::int32_t>(*from.hide) : 0;
    to.least_change = count(from.least_change);
    to.max_speed_change = from.max_speed_change;
    to.ramp = count(from.ramp);
    to.hours_per_false_alarm = from.hours_per_false_alarm;
    return to;
}

inline latency_config from_c(const netclock_latency_config &from) noexcept
{
    latency_config to;
    to.hide = from.hide != 0 ? std::optional<direction>{static_cast<direction>(from.hide)} : std::nullopt;
    to.least_change = from_count<ticks>(from.least_change);
    to.max_speed_change = from.max_speed_change;
    to.ramp = from_count<ticks>(from.ramp);
    to.hours_per_false_alarm = from.hours_per_false_alarm;
    return to;
}

inline netclock_latency_change to_c(const latency_change &from) noexcept
{
    auto to = sized<netclock_latency_change>();
    to.direction = static_cast<std::int32_t>(from.went);
    to.before = count(from.before);
    to.after = count(from.after);
    to.since = count(from.since);
    to.found = count(from.found);
    to.confidence = from.confidence;
    return to;
}

inline latency_change from_c(const netclock_latency_change &from) noexcept
{
    latency_change to;
    to.went = static_cast<direction>(from.direction);
    to.before = from_count<ticks>(from.before);
    to.after = from_count<ticks>(from.after);
    to.since = from_count<local_time>(from.since);
    to.found = from_count<local_time>(from.found);
    to.confidence = from.confidence;
    return to;
}

inline netclock_latency_speed to_c(const latency_speed &from) noexcept
{
    auto to = sized<netclock_latency_speed>();
    to.scale = from.scale;
    to.done = count(from.done);
    to.remaining = count(from.remaining);
    to.is_hiding = from.is_hiding ? 1 : 0;
    return to;
}

inline latency_speed from_c(const netclock_latency_speed &from) noexcept
{
    latency_speed to;
    to.scale = from.scale;
    to.done = from_count<ticks>(from.done);
    to.remaining = from_count<ticks>(from.remaining);
    to.is_hiding = from.is_hiding != 0;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_LATENCY_TYPES_HPP */
