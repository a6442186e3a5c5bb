/*
 * NetClock for C++17: the types of netclock.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_TYPES_HPP
#define NETCLOCK_TYPES_HPP

#include "netclock/netclock.h"
#include "netclock/netclock_time.hpp"

namespace netclock {

/**
 * The result of a call: the status codes of the C headers. A positive status is not an error, but reports an
 * outcome other than the usual one. A negative status is an error.
 */
enum class [[nodiscard]] status : std::int32_t {
    ok = 0,
    nothing_due = 1,
    null_argument = -1,
    unknown_struct = -2,
    bad_config = -3,
    out_of_range = -4,
    time_out_of_range = -5,
    stamp_out_of_range = -6,
    time_went_backwards = -7,
    unknown_handle = -8,
    busy = -9,
    poisoned = -10,
    panicked = -11,
    full = -12,
    duplicate = -13,
    unknown_participant = -16,
    out_of_memory = -17,
    forked = -18,
    unknown_request = -101,
    arrived_before_sent = -102,
    sent_before_received = -103,
    held_too_long = -104,
    too_slow = -105,
    contradiction = -106,
    several_servers = -107,
    wire_length = -111,
    wire_magic = -112,
    wire_older = -113,
    wire_kind = -114,
    wire_reserved = -115,
    wire_stamp = -116,
    wire_newer = -117,
    not_synced = 201,
    no_event = 202,
    other_timescale = -201,
    not_sealed = -121,
    other_direction = -122,
    unknown_key = -123,
    forged = -124,
    enough_answers = -125,
    replayed = -126,
    other_channel = -127,
    port_in_use = -1001,
    no_permission = -1002,
    bad_address = -1003,
    no_socket = -1004,
    no_thread = -1005,
    not_carried = -1008,
    no_game = 804,
    not_logged_in = -805,
    wrong_role = -806,
    over_budget = -807,
    unsolicited = -808,
    queue_full = -809,
    login_rejected = -810,
    stale = -811,
    wrong_key = -812,
    no_link_offer = 1101,
    no_world = 1102,
    never = 1103,
    not_kept = 1104,
    no_utc = 1105,
    held_up = 1106,
    no_start = 1107,
    no_change = 1108,
    no_messages = 1109,
    unknown_world = -1101,
    other_session = -1102,
    wire_truncated = -1103,
    wire_torn = -1104,
    rate_out_of_range = -1105,
    real_went_backwards = -1106,
    world_went_backwards = -1107,
    utc_out_of_range = -1108,
    start_pending = -1109,
    /** Only returned by these headers: the loaded library has a different ABI version, or is older. */
    abi_mismatch = -1000
};

/** The state of a client's clock. */
enum class clock_state : std::int32_t {
    /** State: no reply has been accepted. */
    unsynced = NETCLOCK_STATE_UNSYNCED,
    /** State: replies arrive and agree. */
    synced = NETCLOCK_STATE_SYNCED,
    /** State: no reply has arrived for `holdover_after`. The clock keeps running at the estimated rate. */
    holdover = NETCLOCK_STATE_HOLDOVER,
    /** State: a clock may have stepped. The client is sending requests to find out. */
    doubtful = NETCLOCK_STATE_DOUBTFUL,
};

/** The kind of an event of a client's clock. */
enum class event_kind : std::int32_t {
    /** The first reply was accepted, and the server time is known. */
    synced = NETCLOCK_EVENT_SYNCED,
    /** The clock jumped, or may be wrong until the next reply. `cause` is one of `NETCLOCK_CAUSE_...`. */
    discontinuity = NETCLOCK_EVENT_DISCONTINUITY,
    /** The clock keeps running at reduced quality. `cause` is one of `NETCLOCK_DEGRADED_...`. */
    degraded = NETCLOCK_EVENT_DEGRADED,
    /** All degradations have ended. */
    recovered = NETCLOCK_EVENT_RECOVERED,
    /** Another authority took over the timescale. The clock continues without a step in the same epoch. */
    handed_over = NETCLOCK_EVENT_HANDED_OVER,
    /** The server answers requests over the link, for the first time or again. */
    linked = NETCLOCK_EVENT_LINKED,
    /**
     * The client has received no reply over the link for two seconds. Possible causes are a firewall, a wrong
     * key, a missing server, or a network outage. The link retries automatically.
     */
    link_blocked = NETCLOCK_EVENT_LINK_BLOCKED,
    /**
     * The link cannot send because there is no network or the host name is unknown. The link keeps trying.
     */
    link_not_possible = NETCLOCK_EVENT_LINK_NOT_POSSIBLE,
};

/** The cause of a jump. */
enum class discontinuity_cause : std::int32_t {
    none = 0,
    /** Discontinuity: the server's clock restarted with a new server epoch. */
    server_restart = NETCLOCK_CAUSE_SERVER_RESTART,
    /** Discontinuity: two exchanges proved that a clock stepped. */
    proven_step = NETCLOCK_CAUSE_PROVEN_STEP,
    /**
     * Discontinuity: the client was not called for longer than `local_gap`, or
     * `netclock_client_may_have_missed_time` was called.
     */
    local_gap = NETCLOCK_CAUSE_LOCAL_GAP,
    /** Discontinuity: the local clock went back by a second or more. */
    local_step = NETCLOCK_CAUSE_LOCAL_STEP,
    /**
     * Discontinuity: a forward correction exceeded `step_threshold`, or a correction in the first second
     * exceeded 50 ms in either direction and would have taken longer than a second to slew.
     */
    correction = NETCLOCK_CAUSE_CORRECTION,
    /** Discontinuity: the application called `netclock_client_make_step`. */
    requested = NETCLOCK_CAUSE_REQUESTED,
};

/** The cause of a degradation. */
enum class degradation_cause : std::int32_t {
    none = 0,
    /** Degraded: there was no reply for `holdover_after`. */
    no_replies = NETCLOCK_DEGRADED_NO_REPLIES,
    /** Degraded: the error bound exceeds `target_bound`. */
    bound_above_target = NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET,
    /** Degraded: a reply contradicts the clock. A second reply will show which of them is right. */
    contradiction = NETCLOCK_DEGRADED_CONTRADICTION,
    /**
     * Degraded: several servers with different clocks answer at one address, for example behind a load
     * balancer. The client follows one of these servers. Give each server its own address, or configure the
     * balancer to route each client to the same server.
     */
    several_servers = NETCLOCK_DEGRADED_SEVERAL_SERVERS,
    /**
     * Degraded: the exchanges prove that a clock is slewed by more than `client_drift_ppm` and
     * `server_drift_ppm` allow. From the reply that proves this, the error bound allows for another 550,
     * 5,500 or 100,000 ppm, whichever is the smallest limit that explains all replies. During a slew of up to
     * 100,000 ppm, readings can therefore be outside their bound only until the replies contradict the
     * highest limit below the slew rate. No client could detect the slew earlier. The degradation ends with
     * `NETCLOCK_EVENT_RECOVERED` after 20 minutes without a slew. A fast slew may look like a step. In this
     * case, the bound covers the slew without an event, for at least 20 s and until replies show that the
     * slew has ended. To avoid this degradation, use `netclock_monotonic_now`, or configure the drift that
     * the client must cover.
     */
    slewed = NETCLOCK_DEGRADED_SLEWED,
};

/** A client's request. Send its fields in any format or as a datagram. */
struct request {
    /** Identifies the request. The server copies the id to the reply. */
    std::uint64_t id = 0;
    /**
     * When the client sent the request, in ticks of the client's clock. Each client draws a random origin for
     * these times, so that they do not reveal the uptime of its machine.
     */
    local_time client_time{};
    /**
     * 1 if the request should be sent reliably where the transport supports that, else 0. At most three
     * requests per session need this, all before the client is synced.
     */
    bool reliable = false;
};

/** A server's reply. */
struct reply {
    /**
     * The longest time that the request may have waited before it was timestamped. This is `received` minus
     * the time of the server's previous poll (ticks, at most 429 s). 1 means that the request was timestamped
     * on arrival, and 0 means that the wait is unknown. `netclock_server_respond` writes 0.
     */
    std::uint32_t wait = 0;
    /** The id of the request. */
    std::uint64_t id = 0;
    /** The server epoch, which identifies the run of the server's clock to which the timestamps belong. */
    std::uint64_t epoch = 0;
    /** When the server received the request, in ticks of the server's clock. */
    server_time received{};
    /** When the server sent the reply, in ticks of the server's clock. */
    server_time sent{};
};

/** A client's clock at a single local time. All fields are consistent. */
struct reading {
    /** One of `NETCLOCK_STATE_...`. */
    clock_state state = clock_state::unsynced;
    /** The shown server time in ticks, which is smooth and monotone. Zero until synced. */
    server_time time{};
    /**
     * The hard error bound in ticks. The true server time is within `server_time` plus or minus this bound,
     * provided that the clocks' rate errors do not exceed `client_drift_ppm` and `server_drift_ppm` and
     * neither clock steps. If one clock's rate error exceeds its limit by up to 550 ppm, the bound holds
     * again from the first reply that contradicts the limits. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    std::optional<ticks> error_bound{};
    /**
     * The expected error (one standard deviation) in ticks. The expected error accounts for queues, route
     * changes, crystals and frames, but not for a constant asymmetry of the base delays, which no clock can
     * observe. Half of the asymmetry adds to the actual error, and only `error_bound` covers it. The expected
     * error never exceeds `error_bound`. `NETCLOCK_UNBOUNDED` if unknown.
     */
    std::optional<ticks> expected_error{};
    /** The smallest recent round-trip time in ticks. `NETCLOCK_UNBOUNDED` until synced. */
    std::optional<ticks> round_trip{};
    /**
     * The estimated skew in ppm, that is, the rate of the server's clock relative to the local clock.
     * Positive if the server's clock runs faster.
     */
    double frequency_ppm = 0.0;
    /** The server epoch of this reading. A server draws a new epoch whenever its clock restarts. */
    std::uint64_t server_epoch = 0;
    /**
     * The number of the epoch. The shown time never goes backwards within an epoch. Any reported jump may
     * start a new epoch, and a backward jump always does.
     */
    std::uint32_t epoch = 0;
};

/** Client settings. A zero field selects its default. Durations are in ticks of 100 ns. */
struct config {
    /**
     * The number of requests in a burst. The client sends a burst at the start of a session and after a
     * discontinuity. (count, 2 to 64, default 10)
     */
    std::uint32_t burst_count = 0;
    /**
     * The largest rate error of the client's clock that the error bound covers. Crystals and
     * `netclock_monotonic_now` are off by less than 50 ppm. For other clocks, add the largest slew of the
     * time service: 500 ppm for ntpd and `adjtime`, and `maxslewrate` for chrony (83333 ppm by default).
     * (ppm, 0.5 to 100000, default 50)
     */
    double client_drift_ppm = 0.0;
    /**
     * The largest rate error of the server's clock that the bound covers. (ppm, 0.5 to 100000, default 50)
     */
    double server_drift_ppm = 0.0;
    /**
     * The largest slew rate, that is, how much faster or slower the shown clock may run during a correction.
     * The skew between the clocks counts towards this limit, so choose a value larger than the skew. Audio
     * and broadcast applications tolerate 100 to 500 ppm. With such a low limit, call
     * `netclock_client_make_step` after joining, because slewing 10 ms at 100 ppm takes 100 s. (fraction of
     * real time, 0.0001 to 0.5, default 0.05)
     */
    double max_slew = 0.0;
    /**
     * If a forward correction is larger than this, the client steps the clock and reports an event. In the
     * first second, the client also steps the clock for corrections above 50 ms in either direction that
     * would take longer than a second to slew. (ticks, 1 ms to 1 h, default 250 ms)
     */
    ticks step_threshold{};
    /** The client rejects replies with a longer round-trip time. (ticks, 10 ms to 60 s, default 5 s) */
    ticks max_round_trip{};
    /** The mean time between the requests of a burst. (ticks, 1 ms to 1 s, default 20 ms) */
    ticks burst_interval{};
    /**
     * The mean time between requests after the burst. The client resends a lost request after about a second.
     * The client shortens the interval, but never below `burst_interval`, if the configured drift could
     * otherwise use up half of `target_bound`. In any ten minutes, a dishonest server can at most double the
     * requests that an honest server receives in the first ten minutes. (ticks, 50 ms to 10 min, default 4 s)
     */
    ticks steady_interval{};
    /** A longer time without calls is reported as a discontinuity. (ticks, 100 ms to 1 day, default 10 s) */
    ticks local_gap{};
    /**
     * The clock enters holdover after this time without an accepted reply. The client waits longer if packet
     * loss could explain the unanswered requests. On a good path, the client waits for three unanswered
     * requests in a row, so the time grows with `steady_interval`. (ticks, 1 s to 1 day, default 15 s)
     */
    ticks holdover_after{};
    /** A larger error bound causes an event and another burst. (ticks, 1 ms to 1 h, default 250 ms) */
    ticks target_bound{};
    /** The resolution of the client's timestamps. (ticks, 100 ns to 100 ms, default 100 ns) */
    ticks client_resolution{};
    /** The resolution of the server's timestamps. (ticks, 100 ns to 100 ms, default 100 ns) */
    ticks server_resolution{};
    /**
     * The longest frame of the client's loop, for callers that cannot measure how long replies wait before
     * they are timestamped (see `netclock_client_polled`). The client assumes that a reply with an unknown
     * wait may have waited this long. If this field is zero, the client detects the frame loop from the
     * rhythm of the timestamps. (ticks, 0 to 1 s, default 0)
     */
    ticks client_frame{};
    /** The longest frame of the server's loop, for replies without a `wait`. (ticks, 0 to 1 s, default 0) */
    ticks server_frame{};
    /**
     * How much faster than true time the client's clock runs, for example as returned by
     * `netclock_machine_hints`. Exchanges with the server correct a wrong value, and no error bound depends
     * on it. (ppm, at most `client_drift_ppm` in either direction, default 0)
     */
    rate_hint client_rate{};
    /**
     * How much faster than true time the server's clock runs, if the server reports it. Validate values from
     * the network first. (ppm, at most `server_drift_ppm` in either direction, default 0)
     */
    rate_hint server_rate{};
    /**
     * The target for the expected error after a burst. The client extends a burst by up to 30 requests while
     * the expected error exceeds the target, or if the rate is already known. Later requests are then less
     * frequent. With a burst of 10 requests and a steady interval of 4 s, the client sends at most 64
     * messages in the first half minute. A link sends additional requests. (ticks, 10 us to 1 s, default 1
     * ms)
     */
    ticks target_error{};
    /**
     * The current time on the same calendar as in `netclock_client_save`. Only saved states need it.
     * (seconds)
     */
    std::int64_t saved_seconds = 0;
    /**
     * Identifies this machine's current boot, for example as returned by `netclock_machine_hints` (0 if
     * unknown). Some systems calibrate their clock at each boot, so a rate saved before a reboot has less
     * weight.
     */
    std::uint64_t boot = 0;
    /**
     * This machine's state from `netclock_client_save`. With this state, the client knows the rate of its
     * clock from the start. If there is no saved state, set all bytes to zero. The client ignores a damaged
     * state and a state of the wrong kind. Exchanges with the server correct a wrong rate, and no error bound
     * depends on it.
     */
    std::array<std::byte, 60> saved_machine{};
    /**
     * The server's state from `netclock_client_save`. The same rules apply as for `saved_machine`. The client
     * uses this state's data about asymmetric routes only while the round-trip time is unchanged, because
     * exchanges cannot refute such data. Peers ignore both saved states.
     */
    std::array<std::byte, 60> saved_server{};
};

/** A clock event. */
struct event {
    /** One of `NETCLOCK_EVENT_...`. */
    event_kind kind = event_kind::synced;
    /** Why, for event_kind::discontinuity; else none. */
    discontinuity_cause discontinuity = discontinuity_cause::none;
    /** Why, for event_kind::degraded; else none. */
    degradation_cause degradation = degradation_cause::none;
    /** For a discontinuity, the epoch of the readings after the jump. Otherwise zero. */
    std::uint32_t epoch = 0;
    /**
     * For a discontinuity, how far the shown time jumped in ticks (negative for a backward jump). Otherwise
     * zero.
     */
    ticks jump{};
};

namespace detail {

inline netclock_request to_c(const request &from) noexcept
{
    auto to = sized<netclock_request>();
    to.id = from.id;
    to.client_time = count(from.client_time);
    to.reliable = from.reliable ? 1 : 0;
    return to;
}

inline request from_c(const netclock_request &from) noexcept
{
    request to;
    to.id = from.id;
    to.client_time = from_count<local_time>(from.client_time);
    to.reliable = from.reliable != 0;
    return to;
}

inline netclock_reply to_c(const reply &from) noexcept
{
    auto to = sized<netclock_reply>();
    to.wait = from.wait;
    to.id = from.id;
    to.epoch = from.epoch;
    to.received = count(from.received);
    to.sent = count(from.sent);
    return to;
}

inline reply from_c(const netclock_reply &from) noexcept
{
    reply to;
    to.wait = from.wait;
    to.id = from.id;
    to.epoch = from.epoch;
    to.received = from_count<server_time>(from.received);
    to.sent = from_count<server_time>(from.sent);
    return to;
}

inline netclock_reading to_c(const reading &from) noexcept
{
    auto to = sized<netclock_reading>();
    to.state = static_cast<std::int32_t>(from.state);
    to.server_time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = count(from.round_trip, NETCLOCK_UNBOUNDED);
    to.frequency_ppm = from.frequency_ppm;
    to.server_epoch = from.server_epoch;
    to.epoch = from.epoch;
    return to;
}

inline reading from_c(const netclock_reading &from) noexcept
{
    reading to;
    to.state = static_cast<clock_state>(from.state);
    to.time = from_count<server_time>(from.server_time);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = known<ticks>(from.round_trip, NETCLOCK_UNBOUNDED);
    to.frequency_ppm = from.frequency_ppm;
    to.server_epoch = from.server_epoch;
    to.epoch = from.epoch;
    return to;
}

inline netclock_config to_c(const config &from) noexcept
{
    auto to = sized<netclock_config>();
    to.burst_count = from.burst_count;
    to.client_drift_ppm = from.client_drift_ppm;
    to.server_drift_ppm = from.server_drift_ppm;
    to.max_slew = from.max_slew;
    to.step_threshold = count(from.step_threshold);
    to.max_round_trip = count(from.max_round_trip);
    to.burst_interval = count(from.burst_interval);
    to.steady_interval = count(from.steady_interval);
    to.local_gap = count(from.local_gap);
    to.holdover_after = count(from.holdover_after);
    to.target_bound = count(from.target_bound);
    to.client_resolution = count(from.client_resolution);
    to.server_resolution = count(from.server_resolution);
    to.client_frame = count(from.client_frame);
    to.server_frame = count(from.server_frame);
    to.client_rate_ppm = from.client_rate.ppm;
    to.client_rate_doubt_ppm = from.client_rate.doubt_ppm;
    to.server_rate_ppm = from.server_rate.ppm;
    to.server_rate_doubt_ppm = from.server_rate.doubt_ppm;
    to.target_error = count(from.target_error);
    to.saved_seconds = from.saved_seconds;
    to.boot = from.boot;
    std::memcpy(to.saved_machine, from.saved_machine.data(), sizeof to.saved_machine);
    std::memcpy(to.saved_server, from.saved_server.data(), sizeof to.saved_server);
    return to;
}

inline config from_c(const netclock_config &from) noexcept
{
    config to;
    to.burst_count = from.burst_count;
    to.client_drift_ppm = from.client_drift_ppm;
    to.server_drift_ppm = from.server_drift_ppm;
    to.max_slew = from.max_slew;
    to.step_threshold = from_count<ticks>(from.step_threshold);
    to.max_round_trip = from_count<ticks>(from.max_round_trip);
    to.burst_interval = from_count<ticks>(from.burst_interval);
    to.steady_interval = from_count<ticks>(from.steady_interval);
    to.local_gap = from_count<ticks>(from.local_gap);
    to.holdover_after = from_count<ticks>(from.holdover_after);
    to.target_bound = from_count<ticks>(from.target_bound);
    to.client_resolution = from_count<ticks>(from.client_resolution);
    to.server_resolution = from_count<ticks>(from.server_resolution);
    to.client_frame = from_count<ticks>(from.client_frame);
    to.server_frame = from_count<ticks>(from.server_frame);
    to.client_rate = {from.client_rate_ppm, from.client_rate_doubt_ppm};
    to.server_rate = {from.server_rate_ppm, from.server_rate_doubt_ppm};
    to.target_error = from_count<ticks>(from.target_error);
    to.saved_seconds = from.saved_seconds;
    to.boot = from.boot;
    std::memcpy(to.saved_machine.data(), from.saved_machine, sizeof from.saved_machine);
    std::memcpy(to.saved_server.data(), from.saved_server, sizeof from.saved_server);
    return to;
}

inline event from_c(const netclock_event &from) noexcept
{
    event to;
    to.kind = static_cast<event_kind>(from.kind);
    to.discontinuity = from.kind == NETCLOCK_EVENT_DISCONTINUITY ? static_cast<discontinuity_cause>(from.cause) : discontinuity_cause::none;
    to.degradation = from.kind == NETCLOCK_EVENT_DEGRADED ? static_cast<degradation_cause>(from.cause) : degradation_cause::none;
    to.epoch = from.epoch;
    to.jump = from_count<ticks>(from.jump);
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_TYPES_HPP */
