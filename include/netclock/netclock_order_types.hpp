/*
 * NetClock for C++17: the types of netclock_order.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_ORDER_TYPES_HPP
#define NETCLOCK_ORDER_TYPES_HPP

#include "netclock/netclock_order.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** The order of two events. */
enum class order : std::int32_t {
    /** Order: the events are too close together for the requested confidence. */
    too_close = NETCLOCK_ORDER_TOO_CLOSE,
    /** Order: the first event came first. */
    before = NETCLOCK_ORDER_BEFORE,
    /** Order: the second event came first. */
    after = NETCLOCK_ORDER_AFTER,
};

/** The limit that moved an instant. */
enum class rewind_limit : std::int32_t {
    /** Limit: none, because the claim was plausible. */
    none = NETCLOCK_LIMIT_NONE,
    /** Limit: the claim was later than its arrival. */
    arrival = NETCLOCK_LIMIT_ARRIVAL,
    /** Limit: the claim was earlier than the path can explain. */
    path = NETCLOCK_LIMIT_PATH,
    /** Limit: the instant was further back than `max_rewind`. */
    max_rewind = NETCLOCK_LIMIT_MAX_REWIND,
};

/** The order of two events. */
struct order_verdict {
    /** One of `NETCLOCK_ORDER_...`. */
    netclock::order order = netclock::order::too_close;
    /**
     * The probability that the first event was before the second. The probability of a proven order is 0 or
     * 1.
     */
    double probability = 0.0;
    /** 1 if the bounds prove the order, 0 if the order is only probable. */
    bool proven = false;
};

/** The measured path of a client, and the limit on rewinding. Durations are in ticks, 0 to 60 s. */
struct rewind_path {
    /** The smallest recent round-trip time, as measured by the server. */
    ticks round_trip{};
    /**
     * How much longer than `round_trip` the messages and the clock's exchanges may take. If the server
     * handles messages once per frame, add its frame period.
     */
    ticks jitter{};
    /** How far in the past, relative to its clock, the client shows other players. */
    ticks interpolation{};
    /**
     * The longest permitted rewind, counted from the message's arrival and including `interpolation`.
     * (default 250 ms)
     */
    ticks max_rewind{};
};

/** The instant that a client saw when it acted. All times are in ticks. */
struct rewind_result {
    /** Why the instant was moved, one of `NETCLOCK_LIMIT_...`. */
    rewind_limit limit = rewind_limit::none;
    /** The server time to which to rewind. */
    server_time target{};
    /**
     * How much later the target is than the client's claim implies, or a negative value if it is earlier.
     */
    ticks moved{};
    /**
     * The time at which the client acted. This is the claim or, if it is implausible, the nearest plausible
     * time. Pass this time to `netclock_arbitrate`.
     */
    server_time acted{};
    /**
     * The largest error of `acted`, whatever the client claims, provided that messages take no longer than
     * `round_trip + jitter`.
     */
    ticks error_bound{};
};

namespace detail {

inline netclock_order_verdict to_c(const order_verdict &from) noexcept
{
    auto to = sized<netclock_order_verdict>();
    to.order = static_cast<std::int32_t>(from.order);
    to.probability = from.probability;
    to.proven = from.proven ? 1 : 0;
    return to;
}

inline order_verdict from_c(const netclock_order_verdict &from) noexcept
{
    order_verdict to;
    to.order = static_cast<order>(from.order);
    to.probability = from.probability;
    to.proven = from.proven != 0;
    return to;
}

inline netclock_rewind_path to_c(const rewind_path &from) noexcept
{
    auto to = sized<netclock_rewind_path>();
    to.round_trip = count(from.round_trip);
    to.jitter = count(from.jitter);
    to.interpolation = count(from.interpolation);
    to.max_rewind = count(from.max_rewind);
    return to;
}

inline rewind_path from_c(const netclock_rewind_path &from) noexcept
{
    rewind_path to;
    to.round_trip = from_count<ticks>(from.round_trip);
    to.jitter = from_count<ticks>(from.jitter);
    to.interpolation = from_count<ticks>(from.interpolation);
    to.max_rewind = from_count<ticks>(from.max_rewind);
    return to;
}

inline netclock_rewind_result to_c(const rewind_result &from) noexcept
{
    auto to = sized<netclock_rewind_result>();
    to.limit = static_cast<std::int32_t>(from.limit);
    to.target = count(from.target);
    to.moved = count(from.moved);
    to.acted = count(from.acted);
    to.error_bound = count(from.error_bound);
    return to;
}

inline rewind_result from_c(const netclock_rewind_result &from) noexcept
{
    rewind_result to;
    to.limit = static_cast<rewind_limit>(from.limit);
    to.target = from_count<server_time>(from.target);
    to.moved = from_count<ticks>(from.moved);
    to.acted = from_count<server_time>(from.acted);
    to.error_bound = from_count<ticks>(from.error_bound);
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_ORDER_TYPES_HPP */
