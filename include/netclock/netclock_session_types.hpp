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

namespace netclock {

/** Why a participant is not ready. */
enum class hold_up : std::int32_t {
    /** Hold-up: the player is ready. */
    none = NETCLOCK_HOLD_UP_NONE,
    /** Hold-up: the player has sent nothing for 1.5 s, or has never sent anything. */
    silent = NETCLOCK_HOLD_UP_SILENT,
    /**
     * Hold-up: the player's clock is not synced, is in doubt, or follows a different run of the server's
     * clock.
     */
    unsynced = NETCLOCK_HOLD_UP_UNSYNCED,
    /** Hold-up: the player's expected error is above `start_max_expected_error`. */
    inaccurate = NETCLOCK_HOLD_UP_INACCURATE,
    /** Hold-up: announcing a start to the player would take more than half of `start_patience`. */
    too_slow = NETCLOCK_HOLD_UP_TOO_SLOW,
};

/** The stage of a participant. */
enum class stage : std::int32_t {
    /** Start stage: no start has been announced, or it was cancelled. */
    waiting = NETCLOCK_STAGE_WAITING,
    /** Start stage: a start has been announced and is still in the future. */
    announced = NETCLOCK_STAGE_ANNOUNCED,
    /** Start stage: the player has started. */
    started = NETCLOCK_STAGE_STARTED,
    /** Start stage: the player received the start after its time and joined late. */
    joined = NETCLOCK_STAGE_JOINED,
};

/** How certain a rate watch is that a client's clock is not honest. The levels are ordered. */
enum class rate_level : std::int32_t {
    /** Suspicion level: there have been too few reports so far. */
    unknown = NETCLOCK_RATE_UNKNOWN,
    /** Suspicion level: ordinary delays and clock drift explain all reports. */
    plausible = NETCLOCK_RATE_PLAUSIBLE,
    /**
     * Suspicion level: only extremely unusual delays could explain the clock. Investigate, but do not punish
     * the player.
     */
    likely = NETCLOCK_RATE_LIKELY,
    /**
     * Suspicion level: no delays can explain the clock. The client's clock ran at a different rate or was
     * set, or the server's clock was set.
     */
    proven = NETCLOCK_RATE_PROVEN,
};

/** The deviation of a client's clock. */
enum class rate_finding : std::int32_t {
    /** Finding: none so far. */
    nothing = NETCLOCK_RATE_NOTHING,
    /** Finding: the client's clock ran fast. */
    fast = NETCLOCK_RATE_FAST,
    /** Finding: the client's clock ran slow. */
    slow = NETCLOCK_RATE_SLOW,
    /** Finding: the client's clock jumped ahead. */
    added = NETCLOCK_RATE_ADDED,
    /** Finding: the client's clock jumped back. */
    removed = NETCLOCK_RATE_REMOVED,
};

/** Host settings. A zero field selects its default. */
struct host_config {
    /**
     * The maximum number of players. The host allocates memory for all of them when it is created. (count, 1
     * to 16384, default 64)
     */
    std::uint32_t capacity = 0;
    /**
     * The longest time between setting the world's clock and reading the real time. A lag above this value
     * plus the tolerance immediately counts as lost time. (real ticks, 100 ns to 1 s, default 0.5 ms)
     */
    ticks world_read_lag{};
    /** The resolution of the world clock. (world ticks, 100 ns to 1 s, default 100 ns) */
    ticks world_resolution{};
    /**
     * The maximum number of segments per second for each world. The host may send a quarter of these segments
     * at once. (count, 2 to 1000, default 20)
     */
    std::uint32_t world_max_per_second = 0;
    /** The largest rate error of the server's clock relative to UTC. (ppm, 1 to 100000, default 50) */
    std::uint32_t utc_drift_ppm = 0;
    /** The maximum number of players who can take part in starts. (count, 1 to 1024, default 64) */
    std::uint32_t start_capacity = 0;
    /**
     * How long players may delay a start after the first proposal. (ticks, 100 ms to 10 min, default 10 s)
     */
    ticks start_patience{};
    /**
     * A player is not ready while the expected error of the player's clock exceeds this value. (ticks, 100 ns
     * to 1 s, default 1 ms)
     */
    ticks start_max_expected_error{};
    /**
     * The longest frame in the server's and the clients' loops. Messages are sent and handled at frame
     * boundaries, so long frames delay them. See `client_frame` in `netclock_config`. (ticks, 1 to 1 s,
     * default 1/30 s)
     */
    ticks start_frame{};
};

/**
 * Guest settings. The settings of the guest's clock are in `netclock_config`. A zero field selects its
 * default.
 */
struct guest_config {
    /** The number of segments to store per world. (count, 16 to 4096, default 64) */
    std::uint32_t world_segments = 0;
    /**
     * The highest rate that a world may have had since the server's latest update. This setting affects only
     * the error bound. (world ticks per real tick, 1e-4 to 100, default 1)
     */
    double world_max_rate = 0.0;
    /**
     * The fraction of messages that should reach the server in time (see `handled_by` in
     * `netclock_connection_report`). (fraction, 0.5 to 0.99, default 0.95)
     */
    double lead_quantile = 0.0;
    /**
     * The server's frame period if the server timestamps requests on arrival but handles messages once per
     * frame. Otherwise zero. (ticks, 0 to 1 s, default 0)
     */
    ticks lead_server_frame{};
    /** The guest does not report latency changes smaller than this. (ticks, 1 ms to 1 s, default 10 ms) */
    ticks latency_least_change{};
};

/**
 * The time of a world in a single reading. All fields are consistent with each other. Times are in ticks.
 */
struct world_reading {
    /**
     * The number of the epoch. The shown time never goes backwards within an epoch. Each new world, server
     * epoch or step of the clock starts a new epoch. Readings from `netclock_guest_world_at` have epoch zero.
     */
    std::uint32_t epoch = 0;
    /** The time of the world's clock. */
    world_time time{};
    /**
     * The hard error bound. The world's clock is within `world_time` plus or minus this bound. The bound
     * covers changes that the client does not know about yet, provided that the world's rate does not exceed
     * the larger of `world_max_rate` and the latest segment's rate. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    std::optional<ticks> error_bound{};
    /**
     * The hard error bound if the latest segment still applies. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    std::optional<ticks> error_bound_if_unchanged{};
    /**
     * How far the shown time is ahead of the segments while it slews to a change that arrived late, or a
     * negative value if it is behind.
     */
    ticks ahead{};
    /** How far the shown time stepped in this reading, usually zero. */
    ticks jump{};
    /** World ticks per real tick without slewing, or 0 while paused. */
    double rate = 0.0;
    /** Identifies the world. */
    std::uint32_t instance = 0;
    /** The number of the segment on which this reading is based. */
    std::uint32_t version = 0;
    /** 1 while the world is paused, else 0. */
    bool paused = false;
};

/**
 * The server's UTC in a frame. UTC runs at the rate of the server's clock, so UTC at server time `t` is `utc`
 * plus `t` minus the frame's server time.
 */
struct utc_reading {
    /** UTC according to the server, in ticks since 1970-01-01 00:00, without leap seconds. UTC may jump. */
    utc_time utc{};
    /**
     * True UTC is within `utc` plus or minus this bound (ticks), provided that the server's time source is
     * correct. `NETCLOCK_UNBOUNDED` if the server did not announce a bound, or if the clock's bound is
     * unknown.
     */
    std::optional<ticks> error_bound{};
};

/** The result of proposing a start. */
struct start_proposal {
    /** Why the start is delayed if it is not scheduled, one of `NETCLOCK_HOLD_UP_...`. */
    hold_up reason = hold_up::none;
    /**
     * If the start is scheduled, its server time in ticks. Otherwise, the server time in ticks until which
     * the host waits for players.
     */
    server_time at{};
    /**
     * The player who must be notified earliest or, if the start is delayed, the first player who is not
     * ready.
     */
    std::uint64_t participant = 0;
    /**
     * The number of players who are not ready. If the start is scheduled, the host no longer waits for them.
     * It still notifies them, but they may start late.
     */
    std::uint32_t not_ready = 0;
    /**
     * The number of this announcement, or zero if no start is scheduled. Each start or cancellation increases
     * the number by one.
     */
    std::uint32_t version = 0;
};

/**
 * The result of the latest start, as reported by its players. Counts and times include only players who were
 * ready when the start was scheduled and are still connected.
 */
struct start_result {
    /** The number of the latest announcement. */
    std::uint32_t version = 0;
    /** The server time of the scheduled start, in ticks. */
    server_time at{};
    /** How late the first player started, in ticks. */
    ticks earliest{};
    /** How late the last player started, in ticks. Subtract `earliest` to compute the spread. */
    ticks latest{};
    /**
     * The largest error bound of the players' clocks when they started, in ticks. `NETCLOCK_UNBOUNDED` if any
     * clock had no bound.
     */
    std::optional<ticks> error_bound{};
    /** The number of players in this result. */
    std::uint32_t counted = 0;
    /** The number of players who acknowledged the latest announcement. */
    std::uint32_t acknowledged = 0;
    /** The number of players who reported their start. */
    std::uint32_t fired = 0;
    /** 1 if the latest announcement is a cancellation, else 0. */
    bool cancelled = false;
};

/** The state of the latest start in one frame of a guest. Fields without a value are zero. */
struct start_progress {
    /**
     * One of `NETCLOCK_STAGE_...`. After the start, the stage stays the same until the next announcement.
     */
    netclock::stage stage = netclock::stage::waiting;
    /** The number of the start's announcement. */
    std::uint32_t version = 0;
    /** The server time of the start, in ticks. */
    server_time at{};
    /**
     * After the start, how much later than `at` the starting frame was by the player's own clock, in ticks.
     */
    ticks lateness{};
    /**
     * After the start, the error bound of the player's clock in the starting frame, in ticks.
     * `NETCLOCK_UNBOUNDED` if nothing could be guaranteed.
     */
    std::optional<ticks> error_bound{};
    /**
     * After the start, the expected error of the player's clock in the starting frame, in ticks.
     * `NETCLOCK_UNBOUNDED` if unknown.
     */
    std::optional<ticks> expected_error{};
    /** 1 in the frame in which the player must start, else 0. */
    bool fires = false;
};

/**
 * A host's report on a player. The fields about starts and the error bounds are the player's own claims.
 * Durations are in ticks, or `NETCLOCK_UNBOUNDED` if unknown.
 */
struct player_report {
    /** The reason why a start would wait for the player, one of `NETCLOCK_HOLD_UP_...`. */
    hold_up reason = hold_up::none;
    /**
     * The suspicion level of the player's clock in the last minute, one of `NETCLOCK_RATE_UNKNOWN` to
     * `NETCLOCK_RATE_PROVEN`.
     */
    rate_level level = rate_level::unknown;
    /** The highest suspicion level so far, one of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`. */
    rate_level worst = rate_level::unknown;
    /** The latest finding, one of `NETCLOCK_RATE_NOTHING` to `NETCLOCK_RATE_REMOVED`. */
    rate_finding finding = rate_finding::nothing;
    /** How many times the suspicion level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`. */
    std::uint32_t findings = 0;
    /**
     * How long before a start the host must notify the player, for the confidence of the latest proposal.
     * `NETCLOCK_UNBOUNDED` if unknown.
     */
    std::optional<ticks> lead{};
    /** The error bound of the player's clock, or `NETCLOCK_UNBOUNDED` if unknown. */
    std::optional<ticks> error_bound{};
    /** The expected error of the player's clock, or `NETCLOCK_UNBOUNDED` if unknown. */
    std::optional<ticks> expected_error{};
    /** The player's smallest recent round-trip time, or `NETCLOCK_UNBOUNDED` if unknown. */
    std::optional<ticks> round_trip{};
    /** A conservative estimate of the player's message loss, as a fraction. (0 to 0.9) */
    double loss = 0.0;
    /**
     * How long after the scheduled time the player started, by the player's own clock. `NETCLOCK_UNBOUNDED`
     * if the player has not reported a start.
     */
    std::optional<ticks> lateness{};
    /** The error bound of the player's clock when the player started, or `NETCLOCK_UNBOUNDED` if unknown. */
    std::optional<ticks> lateness_bound{};
    /**
     * How much the client's clock gained on the server's clock in the latest finding, not counting the drift
     * and, if proven, the effect of delays. Negative if the client's clock lost time. (ticks)
     */
    ticks rate_gained{};
    /** The part of `rate_gained` that delay changes could explain. Zero if proven. (ticks) */
    ticks rate_explained{};
    /** How long this gain took. It began at most 52 s before the host made the finding. (ticks) */
    ticks rate_duration{};
    /**
     * The mean skew of the client's clock relative to the server's clock since the player was admitted or
     * last excused. Positive if the client's clock is fast, zero if unknown. (ppm)
     */
    double mean_ppm = 0.0;
    /**
     * The largest error of `mean_ppm`, assuming that the delays changed by 60 ms, or zero if unknown. (ppm)
     */
    double mean_error_ppm = 0.0;
    /** 1 if the player has confirmed the latest state of everything that the host sends, else 0. */
    bool is_up_to_date = false;
    /** 1 if the player was ready when the current start was scheduled and counts for the spread, else 0. */
    bool counted = false;
    /** 1 if the player has received the current start or its cancellation, else 0. */
    bool acknowledged = false;
    /** 1 if the mean rate is known, else 0. */
    bool is_mean_known = false;
};

/** A lasting change in the delays of one direction. */
struct latency_change {
    /** `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT`. */
    direction went = direction::to_server;
    /** The median delay before the change. (ticks) */
    ticks before{};
    /** The median delay after the change. (ticks) */
    ticks after{};
    /** The local arrival time of the first exchange that shows the change. (ticks) */
    local_time since{};
    /** The local arrival time of the last exchange that shows the change. (ticks) */
    local_time found{};
    /** One minus the expected number of false reports per hour that have evidence this strong. (0 to 1) */
    double confidence = 0.0;
};

/** The state of a guest's connection in one frame. */
struct connection_report {
    /** The server epoch of this connection's host, or zero before the host's first reply. */
    std::uint64_t host_epoch = 0;
    /**
     * The server time for which to predict the game's state. With the configured probability, the server
     * handles a message sent now before this time. `NETCLOCK_UNKNOWN_TIME` if unknown.
     */
    std::optional<server_time> handled_by{};
    /**
     * The server time at which to show other players. With the configured probability, both states needed to
     * interpolate at this time have arrived. `NETCLOCK_UNKNOWN_TIME` if unknown.
     */
    std::optional<server_time> showable{};
    /**
     * The speed at which to play the local avatar to hide latency changes. The speed is usually 1, lower
     * after the latency rises, and higher after it falls. When the latency rises by `d`, the server's copy of
     * the avatar becomes `d` older. The avatar then plays at a speed below 1 until it has played `d` less,
     * and is again as far from its copy as before. A clock that runs ahead by the latency must instead run at
     * the opposite speed, `2 - speed_scale`.
     */
    double speed_scale = 0.0;
    /**
     * The time that the avatar should have played minus the time since the guest connected. At any frame
     * rate, its change between two frames is exactly the additional time to play. (ticks)
     */
    ticks speed_done{};
    /**
     * How much additional time the avatar still has to play, or a negative value if it has to play less.
     * (ticks)
     */
    ticks speed_remaining{};
    /**
     * 1 while the playback speed hides a latency change. Otherwise 0, with a `speed_scale` of 1 and a
     * `speed_remaining` of zero.
     */
    bool is_hiding = false;
};

namespace detail {

inline netclock_host_config to_c(const host_config &from) noexcept
{
    auto to = sized<netclock_host_config>();
    to.capacity = from.capacity;
    to.world_read_lag = count(from.world_read_lag);
    to.world_resolution = count(from.world_resolution);
    to.world_max_per_second = from.world_max_per_second;
    to.utc_drift_ppm = from.utc_drift_ppm;
    to.start_capacity = from.start_capacity;
    to.start_patience = count(from.start_patience);
    to.start_max_expected_error = count(from.start_max_expected_error);
    to.start_frame = count(from.start_frame);
    return to;
}

inline host_config from_c(const netclock_host_config &from) noexcept
{
    host_config to;
    to.capacity = from.capacity;
    to.world_read_lag = from_count<ticks>(from.world_read_lag);
    to.world_resolution = from_count<ticks>(from.world_resolution);
    to.world_max_per_second = from.world_max_per_second;
    to.utc_drift_ppm = from.utc_drift_ppm;
    to.start_capacity = from.start_capacity;
    to.start_patience = from_count<ticks>(from.start_patience);
    to.start_max_expected_error = from_count<ticks>(from.start_max_expected_error);
    to.start_frame = from_count<ticks>(from.start_frame);
    return to;
}

inline netclock_guest_config to_c(const guest_config &from) noexcept
{
    auto to = sized<netclock_guest_config>();
    to.world_segments = from.world_segments;
    to.world_max_rate = from.world_max_rate;
    to.lead_quantile = from.lead_quantile;
    to.lead_server_frame = count(from.lead_server_frame);
    to.latency_least_change = count(from.latency_least_change);
    return to;
}

inline guest_config from_c(const netclock_guest_config &from) noexcept
{
    guest_config to;
    to.world_segments = from.world_segments;
    to.world_max_rate = from.world_max_rate;
    to.lead_quantile = from.lead_quantile;
    to.lead_server_frame = from_count<ticks>(from.lead_server_frame);
    to.latency_least_change = from_count<ticks>(from.latency_least_change);
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
    return to;
}

inline netclock_utc_reading to_c(const utc_reading &from) noexcept
{
    auto to = sized<netclock_utc_reading>();
    to.utc = count(from.utc);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    return to;
}

inline utc_reading from_c(const netclock_utc_reading &from) noexcept
{
    utc_reading to;
    to.utc = from_count<utc_time>(from.utc);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
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

inline netclock_player_report to_c(const player_report &from) noexcept
{
    auto to = sized<netclock_player_report>();
    to.hold_up = static_cast<std::int32_t>(from.reason);
    to.rate_level = static_cast<std::int32_t>(from.level);
    to.rate_worst = static_cast<std::int32_t>(from.worst);
    to.rate_finding = static_cast<std::int32_t>(from.finding);
    to.rate_findings = from.findings;
    to.lead = count(from.lead, NETCLOCK_UNBOUNDED);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = count(from.round_trip, NETCLOCK_UNBOUNDED);
    to.loss = from.loss;
    to.lateness = count(from.lateness, NETCLOCK_UNBOUNDED);
    to.lateness_bound = count(from.lateness_bound, NETCLOCK_UNBOUNDED);
    to.rate_gained = count(from.rate_gained);
    to.rate_explained = count(from.rate_explained);
    to.rate_duration = count(from.rate_duration);
    to.mean_ppm = from.mean_ppm;
    to.mean_error_ppm = from.mean_error_ppm;
    to.is_up_to_date = from.is_up_to_date ? 1 : 0;
    to.counted = from.counted ? 1 : 0;
    to.acknowledged = from.acknowledged ? 1 : 0;
    to.is_mean_known = from.is_mean_known ? 1 : 0;
    return to;
}

inline player_report from_c(const netclock_player_report &from) noexcept
{
    player_report to;
    to.reason = static_cast<hold_up>(from.hold_up);
    to.level = static_cast<rate_level>(from.rate_level);
    to.worst = static_cast<rate_level>(from.rate_worst);
    to.finding = static_cast<rate_finding>(from.rate_finding);
    to.findings = from.rate_findings;
    to.lead = known<ticks>(from.lead, NETCLOCK_UNBOUNDED);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = known<ticks>(from.round_trip, NETCLOCK_UNBOUNDED);
    to.loss = from.loss;
    to.lateness = known<ticks>(from.lateness, NETCLOCK_UNBOUNDED);
    to.lateness_bound = known<ticks>(from.lateness_bound, NETCLOCK_UNBOUNDED);
    to.rate_gained = from_count<ticks>(from.rate_gained);
    to.rate_explained = from_count<ticks>(from.rate_explained);
    to.rate_duration = from_count<ticks>(from.rate_duration);
    to.mean_ppm = from.mean_ppm;
    to.mean_error_ppm = from.mean_error_ppm;
    to.is_up_to_date = from.is_up_to_date != 0;
    to.counted = from.counted != 0;
    to.acknowledged = from.acknowledged != 0;
    to.is_mean_known = from.is_mean_known != 0;
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

inline netclock_connection_report to_c(const connection_report &from) noexcept
{
    auto to = sized<netclock_connection_report>();
    to.host_epoch = from.host_epoch;
    to.handled_by = count(from.handled_by, NETCLOCK_UNKNOWN_TIME);
    to.showable = count(from.showable, NETCLOCK_UNKNOWN_TIME);
    to.speed_scale = from.speed_scale;
    to.speed_done = count(from.speed_done);
    to.speed_remaining = count(from.speed_remaining);
    to.is_hiding = from.is_hiding ? 1 : 0;
    return to;
}

inline connection_report from_c(const netclock_connection_report &from) noexcept
{
    connection_report to;
    to.host_epoch = from.host_epoch;
    to.handled_by = known<server_time>(from.handled_by, NETCLOCK_UNKNOWN_TIME);
    to.showable = known<server_time>(from.showable, NETCLOCK_UNKNOWN_TIME);
    to.speed_scale = from.speed_scale;
    to.speed_done = from_count<ticks>(from.speed_done);
    to.speed_remaining = from_count<ticks>(from.speed_remaining);
    to.is_hiding = from.is_hiding != 0;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_SESSION_TYPES_HPP */
