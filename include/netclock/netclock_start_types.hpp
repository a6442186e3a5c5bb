/*
 * NetClock for C++17: the types of netclock_start.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_START_TYPES_HPP
#define NETCLOCK_START_TYPES_HPP

#include "netclock/netclock_start.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** Why a participant is not ready. */
enum class hold_up : std::int32_t {
    /** The participant is ready. */
    none = NETCLOCK_HOLD_UP_NONE,
    /** Nothing was heard from it for 1.5 s, or ever. */
    silent = NETCLOCK_HOLD_UP_SILENT,
    /** It is not in sync, in doubt, or in sync with another run of the server's clock. */
    unsynced = NETCLOCK_HOLD_UP_UNSYNCED,
    /** Its expected error is above `max_expected_error`. */
    inaccurate = NETCLOCK_HOLD_UP_INACCURATE,
    /** Announcing a start to it would take longer than half of `patience`. */
    too_slow = NETCLOCK_HOLD_UP_TOO_SLOW,
};

/** The stage of a participant. */
enum class stage : std::int32_t {
    /** No start was announced, or it was cancelled. */
    waiting = NETCLOCK_STAGE_WAITING,
    /** A start was announced and is to come. */
    announced = NETCLOCK_STAGE_ANNOUNCED,
    /** It started. */
    started = NETCLOCK_STAGE_STARTED,
    /** It heard of a start after its time, as late joiners do, and continues from there. */
    joined = NETCLOCK_STAGE_JOINED,
};

/** Settings of an organiser. A field that is not zero replaces its default. */
struct organiser_config {
    /** Most participants at a time. Their memory is allocated at creation. (count, 1 to 1024, default 64) */
    std::uint32_t capacity = 0;
    /**
     * The longest that participants can delay a start, counted from the first proposal. Half of it is for
     * waiting until they are ready, half for announcing. (100 ms to 10 min, default 10 s)
     */
    ticks patience{};
    /** A participant whose clock has a larger expected error is not ready. (100 ns to 1 s, default 1 ms) */
    ticks max_expected_error{};
    /** Time between two copies of an announcement. (5 ms to 1 s, default 50 ms) */
    ticks interval{};
    /**
     * The longest frame of the loops of server and clients, as in `client_frame` of `netclock_config`:
     * messages leave and are handled at frames. (100 ns to 1 s, default 1/30 s)
     */
    ticks frame{};
    /** The least loss to expect, as a share of messages. (0.01 to 0.9, default 0.2) */
    double loss = 0.0;
};

/** The outcome of a proposal. */
struct start_proposal {
    /** why the start is held up; none if it is scheduled. */
    hold_up reason = hold_up::none;
    /** Server time. Scheduled: the start. Held up: until when the organiser waits for participants. */
    server_time at{};
    /**
     * Scheduled: the participant that needs the longest announcement. Held up: the first that is not ready.
     */
    std::uint64_t participant = 0;
    /**
     * How many are not ready. Scheduled: the organiser waits for them no longer; it tells them, but promises
     * nothing about them.
     */
    std::uint32_t not_ready = 0;
    /**
     * Scheduled: the number of this announcement. Each start and each cancellation has the next number. Held
     * up: zero.
     */
    std::uint32_t version = 0;
};

/** What an organiser knows about a participant, from the participant's own claims. */
struct start_participation {
    /** why a start would wait for it; none if it is ready. */
    hold_up reason = hold_up::none;
    /**
     * How long before a start it must be announced, at the confidence of the last proposal. Empty if nothing
     * is known.
     */
    std::optional<ticks> lead{};
    /** Error bound of its clock; empty if it has none. */
    std::optional<ticks> error_bound{};
    /** Expected error of its clock; empty if nothing is known. */
    std::optional<ticks> expected_error{};
    /** Its smallest recent round trip; empty if unknown. */
    std::optional<ticks> round_trip{};
    /** Share of its messages that are lost, estimated cautiously. (0 to 0.9) */
    double loss = 0.0;
    /**
     * How long after the present start its frame was, by its own clock. Empty: it has not said that it
     * started.
     */
    std::optional<ticks> lateness{};
    /** Error bound of its clock then; empty if it had none. */
    std::optional<ticks> lateness_bound{};
    /**
     * True if it was ready when the present start was scheduled, so that it counts for the spread; else
     * false.
     */
    bool counted = false;
    /** True if it knows of the present start, or of its cancellation; else false. */
    bool acknowledged = false;
};

/**
 * The result of the newest start, as its participants report it. Counts and times include only participants
 * that were ready when it was scheduled and are still there.
 */
struct start_result {
    /** Number of the newest announcement. */
    std::uint32_t version = 0;
    /** The scheduled start: server time. */
    server_time at{};
    /** Lateness of the first participant that started. */
    ticks earliest{};
    /** Lateness of the last one. The difference is the spread. */
    ticks latest{};
    /** The largest error bound of their clocks then; empty if one had none. */
    std::optional<ticks> error_bound{};
    /** How many participants there are. */
    std::uint32_t counted = 0;
    /** How many of them acknowledged the newest announcement. */
    std::uint32_t acknowledged = 0;
    /** How many of them report that they started. */
    std::uint32_t fired = 0;
    /** True if the newest announcement is a cancellation. */
    bool cancelled = false;
};

/** What a participant knows in a frame. Fields without a value are zero. */
struct start_progress {
    netclock::stage stage = netclock::stage::waiting;
    /** Number of the start's announcement. */
    std::uint32_t version = 0;
    /** When the start is or was: server time. */
    server_time at{};
    /** After the start: how long after `at` that frame was, by its own clock. */
    ticks lateness{};
    /** After the start: error bound of its clock then. Empty if nothing could be promised. */
    std::optional<ticks> error_bound{};
    /** After the start: expected error of its clock then; empty if not known. */
    std::optional<ticks> expected_error{};
    /** True in the frame to start in, once for each start; else false. */
    bool fires = false;
};

namespace detail {

inline netclock_organiser_config to_c(const organiser_config &from) noexcept
{
    auto to = sized<netclock_organiser_config>();
    to.capacity = from.capacity;
    to.patience = count(from.patience);
    to.max_expected_error = count(from.max_expected_error);
    to.interval = count(from.interval);
    to.frame = count(from.frame);
    to.loss = from.loss;
    return to;
}

inline organiser_config from_c(const netclock_organiser_config &from) noexcept
{
    organiser_config to;
    to.capacity = from.capacity;
    to.patience = from_count<ticks>(from.patience);
    to.max_expected_error = from_count<ticks>(from.max_expected_error);
    to.interval = from_count<ticks>(from.interval);
    to.frame = from_count<ticks>(from.frame);
    to.loss = from.loss;
    return to;
}

inline netclock_start_proposal to_c(const start_proposal &from) noexcept
{
    auto to = sized<netclock_start_proposal>();
    to.hold_up = static_cast<std::int32_t>(from.reason);
    to.at = count(from.at);
    to.participant = from.participant;
    to.not_ready = from.not_ready;
    to.version = from.version;
    return to;
}

inline start_proposal from_c(const netclock_start_proposal &from) noexcept
{
    start_proposal to;
    to.reason = static_cast<hold_up>(from.hold_up);
    to.at = from_count<server_time>(from.at);
    to.participant = from.participant;
    to.not_ready = from.not_ready;
    to.version = from.version;
    return to;
}

inline netclock_start_participation to_c(const start_participation &from) noexcept
{
    auto to = sized<netclock_start_participation>();
    to.hold_up = static_cast<std::int32_t>(from.reason);
    to.lead = count(from.lead, NETCLOCK_UNBOUNDED);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = count(from.round_trip, NETCLOCK_UNBOUNDED);
    to.loss = from.loss;
    to.lateness = count(from.lateness, NETCLOCK_UNBOUNDED);
    to.lateness_bound = count(from.lateness_bound, NETCLOCK_UNBOUNDED);
    to.counted = from.counted ? 1 : 0;
    to.acknowledged = from.acknowledged ? 1 : 0;
    return to;
}

inline start_participation from_c(const netclock_start_participation &from) noexcept
{
    start_participation to;
    to.reason = static_cast<hold_up>(from.hold_up);
    to.lead = known<ticks>(from.lead, NETCLOCK_UNBOUNDED);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = known<ticks>(from.round_trip, NETCLOCK_UNBOUNDED);
    to.loss = from.loss;
    to.lateness = known<ticks>(from.lateness, NETCLOCK_UNBOUNDED);
    to.lateness_bound = known<ticks>(from.lateness_bound, NETCLOCK_UNBOUNDED);
    to.counted = from.counted != 0;
    to.acknowledged = from.acknowledged != 0;
    return to;
}

inline netclock_start_result to_c(const start_result &from) noexcept
{
    auto to = sized<netclock_start_result>();
    to.version = from.version;
    to.at = count(from.at);
    to.earliest = count(from.earliest);
    to.latest = count(from.latest);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.counted = from.counted;
    to.acknowledged = from.acknowledged;
    to.fired = from.fired;
    to.cancelled = from.cancelled ? 1 : 0;
    return to;
}

inline start_result from_c(const netclock_start_result &from) noexcept
{
    start_result to;
    to.version = from.version;
    to.at = from_count<server_time>(from.at);
    to.earliest = from_count<ticks>(from.earliest);
    to.latest = from_count<ticks>(from.latest);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.counted = from.counted;
    to.acknowledged = from.acknowledged;
    to.fired = from.fired;
    to.cancelled = from.cancelled != 0;
    return to;
}

inline netclock_start_progress to_c(const start_progress &from) noexcept
{
    auto to = sized<netclock_start_progress>();
    to.stage = static_cast<std::int32_t>(from.stage);
    to.version = from.version;
    to.at = count(from.at);
    to.lateness = count(from.lateness);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.fires = from.fires ? 1 : 0;
    return to;
}

inline start_progress from_c(const netclock_start_progress &from) noexcept
{
    start_progress to;
    to.stage = static_cast<stage>(from.stage);
    to.version = from.version;
    to.at = from_count<server_time>(from.at);
    to.lateness = from_count<ticks>(from.lateness);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.fires = from.fires != 0;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_START_TYPES_HPP */
