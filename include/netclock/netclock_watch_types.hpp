/*
 * NetClock for C++17: the types of netclock_watch.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_WATCH_TYPES_HPP
#define NETCLOCK_WATCH_TYPES_HPP

#include "netclock/netclock_watch.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/**
 * How sure a rate watch is that a client's clock is not honest. In order, so that levels can be compared.
 */
enum class rate_level : std::int32_t {
    /** Too few reports so far. */
    unknown = NETCLOCK_RATE_UNKNOWN,
    /** Delay and ordinary crystals explain everything. */
    plausible = NETCLOCK_RATE_PLAUSIBLE,
    /** Only a path that behaved as paths hardly ever do could explain it. Look closer, do not punish. */
    likely = NETCLOCK_RATE_LIKELY,
    /** No delays explain it. The client's clock ran at another rate or was set, or the server's was set. */
    proven = NETCLOCK_RATE_PROVEN,
};

/** What a client's clock did. */
enum class rate_finding : std::int32_t {
    /** None so far. */
    nothing = NETCLOCK_RATE_NOTHING,
    /** The client's clock ran fast. */
    fast = NETCLOCK_RATE_FAST,
    /** The client's clock ran slow. */
    slow = NETCLOCK_RATE_SLOW,
    /** The client's clock jumped ahead. */
    added = NETCLOCK_RATE_ADDED,
    /** The client's clock fell back. */
    removed = NETCLOCK_RATE_REMOVED,
};

/** Settings of a rate watch. */
struct rate_watch_config {
    /**
     * Largest skew between two honest clocks: crystals, and how operating systems steer them. (ppm, 1 to
     * 10000, default 200)
     */
    double max_drift_ppm = 0.0;
    /**
     * A delay that messages do not exceed for 16 s without a break. A gain or loss beyond it cannot be a
     * delay. (100 ms to 60 s, default 5 s)
     */
    ticks max_delay{};
};

/** The verdict of a rate watch on its client. */
struct rate_verdict {
    rate_level level = rate_level::unknown;
    /** The highest level so far. */
    rate_level worst = rate_level::unknown;
    /** The newest finding. */
    rate_finding finding = rate_finding::nothing;
    /** How often the level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`. */
    std::uint32_t findings = 0;
    /**
     * Newest finding: what the client's clock gained on the server's beyond drift, and if proven, beyond
     * delay. Negative: lost.
     */
    ticks gained{};
    /** Newest finding: how much of it changes of delay could explain. Zero if proven. */
    ticks explained{};
    /** Newest finding: how long it took. The watch looks back 510 s in all, and 52 s before the finding. */
    ticks duration{};
    /**
     * Mean skew of the client's clock against the server's since the watch began or was last excused.
     * Positive: the client's clock is fast. Empty if not known. (ppm)
     */
    std::optional<double> mean_ppm{};
    /** How far off `mean_ppm` may be if delays changed by 60 ms. Zero if not known. (ppm) */
    double mean_error_ppm = 0.0;
};

namespace detail {

inline netclock_rate_watch_config to_c(const rate_watch_config &from) noexcept
{
    auto to = sized<netclock_rate_watch_config>();
    to.max_drift_ppm = from.max_drift_ppm;
    to.max_delay = count(from.max_delay);
    return to;
}

inline rate_watch_config from_c(const netclock_rate_watch_config &from) noexcept
{
    rate_watch_config to;
    to.max_drift_ppm = from.max_drift_ppm;
    to.max_delay = from_count<ticks>(from.max_delay);
    return to;
}

inline netclock_rate_verdict to_c(const rate_verdict &from) noexcept
{
    auto to = sized<netclock_rate_verdict>();
    to.level = static_cast<std::int32_t>(from.level);
    to.worst = static_cast<std::int32_t>(from.worst);
    to.finding = static_cast<std::int32_t>(from.finding);
    to.findings = from.findings;
    to.gained = count(from.gained);
    to.explained = count(from.explained);
    to.duration = count(from.duration);
    to.is_mean_known = from.mean_ppm ? 1 : 0;
    to.mean_ppm = from.mean_ppm.value_or(double{});
    to.mean_error_ppm = from.mean_error_ppm;
    return to;
}

inline rate_verdict from_c(const netclock_rate_verdict &from) noexcept
{
    rate_verdict to;
    to.level = static_cast<rate_level>(from.level);
    to.worst = static_cast<rate_level>(from.worst);
    to.finding = static_cast<rate_finding>(from.finding);
    to.findings = from.findings;
    to.gained = from_count<ticks>(from.gained);
    to.explained = from_count<ticks>(from.explained);
    to.duration = from_count<ticks>(from.duration);
    to.mean_ppm = from.is_mean_known != 0 ? std::optional<double>{from.mean_ppm} : std::nullopt;
    to.mean_error_ppm = from.mean_error_ppm;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_WATCH_TYPES_HPP */
