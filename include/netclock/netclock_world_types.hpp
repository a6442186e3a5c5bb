/*
 * NetClock for C++17: the types of netclock_world.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_WORLD_TYPES_HPP
#define NETCLOCK_WORLD_TYPES_HPP

#include "netclock/netclock_world.h"
#include "netclock/netclock_types.hpp"
#include "netclock/netclock_keys_types.hpp"

namespace netclock {

/**
 * A segment: from the server's real time `real` on, a world's clock reads `world + (now - real) * rate`,
 * until a newer segment begins.
 */
struct world_segment {
    /** Number of the world: another map, another clock. May wrap. */
    std::uint32_t instance = 0;
    /** Number of the segment within its world. May wrap. */
    std::uint32_t version = 0;
    /** The server epoch that `real` belongs to, as in `netclock_reply.epoch`. */
    std::uint64_t server_epoch = 0;
    /** Until this instant of real time the segment before was right; at most `real`. */
    server_time since{};
    /** Where the line begins: the server's real time. */
    server_time real{};
    /** What the world's clock reads there. */
    world_time world{};
    /**
     * World ticks per real tick, 1e-4 to 100; 0 while paused. The value that the library gives is sent
     * without loss.
     */
    double rate = 0.0;
    /** How far the world's clock may be from the line, in world time. (0 to 1 h) */
    ticks tolerance{};
    /**
     * The segment is known to be in force until this instant of real time, at least `real`. Empty if that is
     * not known.
     */
    std::optional<server_time> through{};
    /** True while the world stands still, and `rate` is ignored; else false. */
    bool paused = false;
};

/** Settings of a publisher. A field that is not zero replaces its default. */
struct publisher_config {
    /**
     * The most segments in any one second; a quarter of them may come at once. When they are scarce, new
     * segments have a wider tolerance. (count, 2 to 1000, default 20)
     */
    std::uint32_t max_per_second = 0;
    /**
     * How far the line may be from the world's clock before the next segment is published. (world ticks, 10
     * us to 1 s, default 0.5 ms)
     */
    ticks tolerance{};
    /**
     * How much later real time may be read than the world's clock was set. A lag above this plus the
     * tolerance is treated as lost time at once. (real ticks, 1 to 1 s, default 0.5 ms)
     */
    ticks read_lag{};
    /** Step of the world's clock as it is read. (world ticks, 1 to 1 s, default 1) */
    ticks resolution{};
};

/** Settings of a timeline. A field that is not zero replaces its default. */
struct timeline_config {
    /**
     * 1: segments without a seal are refused, so give them to `netclock_timeline_insert_sealed`. Set it
     * wherever the session has a key: a fellow player knows the server's epoch from its own replies, so
     * without a seal it can forge the next segment of another player. (0 or 1, default 0)
     */
    std::uint32_t sealed = 0;
    /**
     * How much faster or slower than its own rate a world is shown while it slews to late news. It is a
     * fraction of real time, or of the world's rate if that is more. (fraction, 0.001 to 1, default 0.25)
     */
    double max_slew = 0.0;
    /**
     * If the world is further ahead than this, the shown time steps forwards once. If it is shown further
     * ahead than this, it stands still until it is not. (world ticks, 1 ms to 1 h, default 250 ms)
     */
    ticks step_threshold{};
    /**
     * The fastest that the world may run before anybody has said so: for the error bound. (world ticks per
     * real tick, 1e-4 to 100, default 1)
     */
    double max_rate = 0.0;
    /**
     * How many segments are kept, 88 bytes each. The oldest is dropped for a new one, and with it what is
     * known of its time (`NETCLOCK_NOT_KEPT`). A world that changes its rate in every frame publishes up to
     * twenty a second, and others one for each change. Views of the past need more. (count, 16 to 4096,
     * default 64)
     */
    std::uint32_t segments = 0;
};

/** Everything a timeline says about one instant; all fields belong together. */
struct world_reading {
    /**
     * Counts the stretches in which shown time never goes backwards. Every world, every run of the server's
     * clock, and every step of the clock begins another one. 0 in readings that are not shown.
     */
    std::uint32_t epoch = 0;
    /** What the world's clock reads. */
    world_time time{};
    /**
     * Hard bound: the world's clock is within `world_time` plus or minus this. It covers changes that the
     * client cannot have heard of yet, if the world runs no faster than the larger of `max_rate` and the
     * newest segment's rate. Empty if nothing can be promised.
     */
    std::optional<ticks> error_bound{};
    /** The hard bound if the newest segment is still in force. Empty if nothing can be promised. */
    std::optional<ticks> error_bound_if_unchanged{};
    /** How far the shown time is ahead of the segments while it slews to late news; negative: behind. */
    ticks ahead{};
    /** How far the world stepped with this reading; mostly zero. */
    ticks jump{};
    /** World ticks per real tick, without slewing; 0 while paused. */
    double rate = 0.0;
    /** Which world it is. */
    std::uint32_t instance = 0;
    /** Which of its segments was read. */
    std::uint32_t version = 0;
    /** True while the world stands still. */
    bool paused = false;
    /** True if the server announced a newer segment or world that has not arrived. */
    bool is_missing_news = false;
};

namespace detail {

inline netclock_world_segment to_c(const world_segment &from) noexcept
{
    auto to = sized<netclock_world_segment>();
    to.instance = from.instance;
    to.version = from.version;
    to.server_epoch = from.server_epoch;
    to.since = count(from.since);
    to.real = count(from.real);
    to.world = count(from.world);
    to.rate = from.rate;
    to.tolerance = count(from.tolerance);
    to.through = count(from.through, NETCLOCK_UNKNOWN_TIME);
    to.paused = from.paused ? 1 : 0;
    return to;
}

inline world_segment from_c(const netclock_world_segment &from) noexcept
{
    world_segment to;
    to.instance = from.instance;
    to.version = from.version;
    to.server_epoch = from.server_epoch;
    to.since = from_count<server_time>(from.since);
    to.real = from_count<server_time>(from.real);
    to.world = from_count<world_time>(from.world);
    to.rate = from.rate;
    to.tolerance = from_count<ticks>(from.tolerance);
    to.through = known<server_time>(from.through, NETCLOCK_UNKNOWN_TIME);
    to.paused = from.paused != 0;
    return to;
}

inline netclock_publisher_config to_c(const publisher_config &from) noexcept
{
    auto to = sized<netclock_publisher_config>();
    to.max_per_second = from.max_per_second;
    to.tolerance = count(from.tolerance);
    to.read_lag = count(from.read_lag);
    to.resolution = count(from.resolution);
    return to;
}

inline publisher_config from_c(const netclock_publisher_config &from) noexcept
{
    publisher_config to;
    to.max_per_second = from.max_per_second;
    to.tolerance = from_count<ticks>(from.tolerance);
    to.read_lag = from_count<ticks>(from.read_lag);
    to.resolution = from_count<ticks>(from.resolution);
    return to;
}

inline netclock_timeline_config to_c(const timeline_config &from) noexcept
{
    auto to = sized<netclock_timeline_config>();
    to.sealed = from.sealed;
    to.max_slew = from.max_slew;
    to.step_threshold = count(from.step_threshold);
    to.max_rate = from.max_rate;
    to.segments = from.segments;
    return to;
}

inline timeline_config from_c(const netclock_timeline_config &from) noexcept
{
    timeline_config to;
    to.sealed = from.sealed;
    to.max_slew = from.max_slew;
    to.step_threshold = from_count<ticks>(from.step_threshold);
    to.max_rate = from.max_rate;
    to.segments = from.segments;
    return to;
}

inline netclock_world_reading to_c(const world_reading &from) noexcept
{
    auto to = sized<netclock_world_reading>();
    to.epoch = from.epoch;
    to.world_time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.error_bound_if_unchanged = count(from.error_bound_if_unchanged, NETCLOCK_UNBOUNDED);
    to.ahead = count(from.ahead);
    to.jump = count(from.jump);
    to.rate = from.rate;
    to.instance = from.instance;
    to.version = from.version;
    to.paused = from.paused ? 1 : 0;
    to.is_missing_news = from.is_missing_news ? 1 : 0;
    return to;
}

inline world_reading from_c(const netclock_world_reading &from) noexcept
{
    world_reading to;
    to.epoch = from.epoch;
    to.time = from_count<world_time>(from.world_time);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.error_bound_if_unchanged = known<ticks>(from.error_bound_if_unchanged, NETCLOCK_UNBOUNDED);
    to.ahead = from_count<ticks>(from.ahead);
    to.jump = from_count<ticks>(from.jump);
    to.rate = from.rate;
    to.instance = from.instance;
    to.version = from.version;
    to.paused = from.paused != 0;
    to.is_missing_news = from.is_missing_news != 0;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_WORLD_TYPES_HPP */
