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
    /** The player is ready. */
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

/** Everything that is known of a world at one instant; all fields belong together. */
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

/** The outcome of a proposal. */
struct start_proposal {
    /** why the start is held up; none if it is scheduled. */
    hold_up reason = hold_up::none;
    /** Server time. Scheduled: the start. Held up: until when the host waits for players. */
    server_time at{};
    /** Scheduled: the player that needs the longest announcement. Held up: the first that is not ready. */
    std::uint64_t participant = 0;
    /**
     * How many are not ready. Scheduled: the host waits for them no longer; it tells them, but promises
     * nothing about them.
     */
    std::uint32_t not_ready = 0;
    /**
     * Scheduled: the number of this announcement. Each start and each cancellation has the next number. Held
     * up: zero.
     */
    std::uint32_t version = 0;
};

/** What a host knows about a player in starts, from the player's own claims. */
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
 * The result of the newest start, as its players report it. Counts and times include only players that were
 * ready when it was scheduled and are still there.
 */
struct start_result {
    /** Number of the newest announcement. */
    std::uint32_t version = 0;
    /** The scheduled start: server time. */
    server_time at{};
    /** Lateness of the first player that started. */
    ticks earliest{};
    /** Lateness of the last one. The difference is the spread. */
    ticks latest{};
    /** The largest error bound of their clocks then; empty if one had none. */
    std::optional<ticks> error_bound{};
    /** How many players there are. */
    std::uint32_t counted = 0;
    /** How many of them acknowledged the newest announcement. */
    std::uint32_t acknowledged = 0;
    /** How many of them report that they started. */
    std::uint32_t fired = 0;
    /** True if the newest announcement is a cancellation. */
    bool cancelled = false;
};

/** What a guest knows of starts in a frame. Fields without a value are zero. */
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

/** The verdict of a host on the rate of a player's clock. */
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
     * Mean skew of the client's clock against the server's since the player was admitted or last excused.
     * Positive: the client's clock is fast. Empty if not known. (ppm)
     */
    std::optional<double> mean_ppm{};
    /** How far off `mean_ppm` may be if delays changed by 60 ms. Zero if not known. (ppm) */
    double mean_error_ppm = 0.0;
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
     * How much more than the time that passed it should have played since the guest connected; negative:
     * less.
     */
    ticks done{};
    /** How much more it still has to play; negative: less. */
    ticks remaining{};
    /** True while a change is being hidden; else false, with a `scale` of 1 and zero `remaining`. */
    bool is_hiding = false;
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

#endif /* NETCLOCK_SESSION_TYPES_HPP */
