/*
 * NetClock for C++17: the types of netclock_session.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_SESSION_TYPES_HPP
#define NETCLOCK_SESSION_TYPES_HPP

#include "netclock/netclock_session.h"
#include "netclock/netclock_types.hpp"
#include "netclock/netclock_keys_types.hpp"
#include "netclock/netclock_handover_types.hpp"
#include "netclock/netclock_latency_types.hpp"
#include "netclock/netclock_start_types.hpp"
#include "netclock/netclock_utc_types.hpp"
#include "netclock/netclock_watch_types.hpp"
#include "netclock/netclock_world_types.hpp"

namespace netclock {

/** Settings of a host. A field that is not zero replaces its default. */
struct host_config {
    /** Most players at a time. Their memory is allocated at creation. (count, 1 to 16384, default 64) */
    std::uint32_t capacity = 0;
    /**
     * How far a world's clock may be from its segment before the next one is sent. (world ticks, 10 us to 1
     * s, default 0.5 ms)
     */
    ticks world_tolerance{};
    /**
     * How much later real time may be read than the world's clock was set. A lag above this plus the
     * tolerance is treated as lost time at once. (real ticks, 1 to 1 s, default 0.5 ms)
     */
    ticks world_read_lag{};
    /** Step of the world's clock as it is read. (world ticks, 1 to 1 s, default 1) */
    ticks world_resolution{};
    /**
     * The most segments of a world in any one second; a quarter of them may come at once. (count, 2 to 1000,
     * default 20)
     */
    std::uint32_t world_max_per_second = 0;
    /** How fast the server's clock may run away from UTC. (ppm, 1 to 100000, default 50) */
    std::uint32_t utc_drift_ppm = 0;
    /**
     * How far UTC may move before it is sent again. Stated bounds are wider by it. (10 us to 1 h, default 1
     * ms)
     */
    ticks utc_tolerance{};
    /** The longest time until UTC is sent again. (1 s to 1 h, default 60 s) */
    ticks utc_refresh{};
    /** Most players who take part in starts. (count, 1 to 1024, default 64) */
    std::uint32_t start_capacity = 0;
    /**
     * The longest that players can delay a start, counted from the first proposal. (100 ms to 10 min, default
     * 10 s)
     */
    ticks start_patience{};
    /** A player whose clock has a larger expected error is not ready. (100 ns to 1 s, default 1 ms) */
    ticks start_max_expected_error{};
    /** Time between two copies of an announcement. (5 ms to 1 s, default 50 ms) */
    ticks start_interval{};
    /** The longest frame of the loops of server and clients. (100 ns to 1 s, default 1/30 s) */
    ticks start_frame{};
    /** The least loss to expect, as a share of messages. (0.01 to 0.9, default 0.2) */
    double start_loss = 0.0;
    /** Largest skew between two honest clocks. (ppm, 1 to 10000, default 200) */
    double watch_max_drift_ppm = 0.0;
    /** A delay that messages do not exceed for 16 s without a break. (100 ms to 60 s, default 5 s) */
    ticks watch_max_delay{};
};

/** Settings of a guest, apart from its clock's. A field that is not zero replaces its default. */
struct guest_config {
    /** How many segments are kept of each world. (count, 16 to 4096, default 64) */
    std::uint32_t world_segments = 0;
    /**
     * How much faster or slower than its own rate a world is shown while it slews to late news. It is a
     * fraction of real time, or of the world's rate if that is more. (fraction, 0.001 to 1, default 0.25)
     */
    double world_max_slew = 0.0;
    /**
     * If a world is further ahead than this, the shown time steps forwards once. If it is shown further ahead
     * than this, it stands still until it is not. (world ticks, 1 ms to 1 h, default 250 ms)
     */
    ticks world_step_threshold{};
    /**
     * The fastest that a world may run before the host has said so: for the error bound. (world ticks per
     * real tick, 1e-4 to 100, default 1)
     */
    double world_max_rate = 0.0;
    /**
     * Share of messages to the server that are in time: see `netclock_guest_lead`. (fraction, 0.5 to 0.99,
     * default 0.95)
     */
    double lead_quantile = 0.0;
    /**
     * Frame period of a server that stamps requests on arrival, but handles messages at frames; else zero. (0
     * to 1 s, default 0)
     */
    ticks lead_server_frame{};
    /** The same of the client. (0 to 1 s, default 0) */
    ticks lead_client_frame{};
    /** Time between two states that the server sends. (0 to 10 s, default 0) */
    ticks lead_send_interval{};
    /**
     * The latency whose changes the speed hides: zero for both directions together, `NETCLOCK_TO_SERVER` or
     * `NETCLOCK_TO_CLIENT` for one.
     */
    std::optional<direction> latency_hide{};
    /** Smaller changes of the latency are not reported. (1 ms to 1 s, default 10 ms) */
    ticks latency_least_change{};
    /** How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1) */
    double latency_max_speed_change = 0.0;
    /** Time from speed 1 to the furthest. (10 ms to 10 s, default 250 ms) */
    ticks latency_ramp{};
    /** Mean time between false reports on a path that does not change. (hours, 0.1 to 10000, default 100) */
    double latency_hours_per_false_alarm = 0.0;
};

namespace detail {

inline netclock_host_config to_c(const host_config &from) noexcept
{
    auto to = sized<netclock_host_config>();
    to.capacity = from.capacity;
    to.world_tolerance = count(from.world_tolerance);
    to.world_read_lag = count(from.world_read_lag);
    to.world_resolution = count(from.world_resolution);
    to.world_max_per_second = from.world_max_per_second;
    to.utc_drift_ppm = from.utc_drift_ppm;
    to.utc_tolerance = count(from.utc_tolerance);
    to.utc_refresh = count(from.utc_refresh);
    to.start_capacity = from.start_capacity;
    to.start_patience = count(from.start_patience);
    to.start_max_expected_error = count(from.start_max_expected_error);
    to.start_interval = count(from.start_interval);
    to.start_frame = count(from.start_frame);
    to.start_loss = from.start_loss;
    to.watch_max_drift_ppm = from.watch_max_drift_ppm;
    to.watch_max_delay = count(from.watch_max_delay);
    return to;
}

inline host_config from_c(const netclock_host_config &from) noexcept
{
    host_config to;
    to.capacity = from.capacity;
    to.world_tolerance = from_count<ticks>(from.world_tolerance);
    to.world_read_lag = from_count<ticks>(from.world_read_lag);
    to.world_resolution = from_count<ticks>(from.world_resolution);
    to.world_max_per_second = from.world_max_per_second;
    to.utc_drift_ppm = from.utc_drift_ppm;
    to.utc_tolerance = from_count<ticks>(from.utc_tolerance);
    to.utc_refresh = from_count<ticks>(from.utc_refresh);
    to.start_capacity = from.start_capacity;
    to.start_patience = from_count<ticks>(from.start_patience);
    to.start_max_expected_error = from_count<ticks>(from.start_max_expected_error);
    to.start_interval = from_count<ticks>(from.start_interval);
    to.start_frame = from_count<ticks>(from.start_frame);
    to.start_loss = from.start_loss;
    to.watch_max_drift_ppm = from.watch_max_drift_ppm;
    to.watch_max_delay = from_count<ticks>(from.watch_max_delay);
    return to;
}

inline netclock_guest_config to_c(const guest_config &from) noexcept
{
    auto to = sized<netclock_guest_config>();
    to.world_segments = from.world_segments;
    to.world_max_slew = from.world_max_slew;
    to.world_step_threshold = count(from.world_step_threshold);
    to.world_max_rate = from.world_max_rate;
    to.lead_quantile = from.lead_quantile;
    to.lead_server_frame = count(from.lead_server_frame);
    to.lead_client_frame = count(from.lead_client_frame);
    to.lead_send_interval = count(from.lead_send_interval);
    to.latency_hide = from.latency_hide ? static_cast<std::int32_t>(*from.latency_hide) : 0;
    to.latency_least_change = count(from.latency_least_change);
    to.latency_max_speed_change = from.latency_max_speed_change;
    to.latency_ramp = count(from.latency_ramp);
    to.latency_hours_per_false_alarm = from.latency_hours_per_false_alarm;
    return to;
}

inline guest_config from_c(const netclock_guest_config &from) noexcept
{
    guest_config to;
    to.world_segments = from.world_segments;
    to.world_max_slew = from.world_max_slew;
    to.world_step_threshold = from_count<ticks>(from.world_step_threshold);
    to.world_max_rate = from.world_max_rate;
    to.lead_quantile = from.lead_quantile;
    to.lead_server_frame = from_count<ticks>(from.lead_server_frame);
    to.lead_client_frame = from_count<ticks>(from.lead_client_frame);
    to.lead_send_interval = from_count<ticks>(from.lead_send_interval);
    to.latency_hide = from.latency_hide != 0 ? std::optional<direction>{static_cast<direction>(from.latency_hide)} : std::nullopt;
    to.latency_least_change = from_count<ticks>(from.latency_least_change);
    to.latency_max_speed_change = from.latency_max_speed_change;
    to.latency_ramp = from_count<ticks>(from.latency_ramp);
    to.latency_hours_per_false_alarm = from.latency_hours_per_false_alarm;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_SESSION_TYPES_HPP */
