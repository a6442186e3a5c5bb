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
 * Outcome of a call; the statuses of the C headers. Positive: no error, but not the usual result. Negative:
 * an error that changed nothing.
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
    uncertain = 203,
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
    carried = -1006,
    not_polled = -1007,
    not_carried = -1008,
    too_few = 301,
    liar = -301,
    no_agreement = -302,
    incomplete = 801,
    game_message = 802,
    not_begun = 803,
    no_game = 804,
    message_size = -801,
    message_unknown = -802,
    message_malformed = -803,
    stream_broken = -804,
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
    /** From these headers only: the library that was loaded has another ABI version, or is older than they. */
    abi_mismatch = -1000
};

/** How good a client's clock is. */
enum class clock_state : std::int32_t {
    /** No reply was ever accepted. */
    unsynced = NETCLOCK_STATE_UNSYNCED,
    /** Replies arrive and agree. */
    synced = NETCLOCK_STATE_SYNCED,
    /** No reply for `holdover_after`; running on the estimated rate. */
    holdover = NETCLOCK_STATE_HOLDOVER,
    /** A clock may have stepped; asking again. */
    doubtful = NETCLOCK_STATE_DOUBTFUL,
};

/** What happened to a client's clock. */
enum class event_kind : std::int32_t {
    /** The first reply was accepted: there is a server time to show. */
    synced = NETCLOCK_EVENT_SYNCED,
    /** The clock jumped, or may be wrong until the next reply; `cause` is one of `NETCLOCK_CAUSE_...`. */
    discontinuity = NETCLOCK_EVENT_DISCONTINUITY,
    /**
     * The clock continues, but is less good than it should be; `cause` is one of `NETCLOCK_DEGRADED_...`.
     */
    degraded = NETCLOCK_EVENT_DEGRADED,
    /** What was degraded is good again. */
    recovered = NETCLOCK_EVENT_RECOVERED,
    /**
     * Another authority took the timescale over. The clock continues without a step and in the same epoch.
     */
    handed_over = NETCLOCK_EVENT_HANDED_OVER,
    /** Requests by the link are answered, for the first time or again. */
    linked = NETCLOCK_EVENT_LINKED,
    /**
     * No request by the link was answered for two seconds: a firewall, a wrong key, a server that is gone, or
     * a network that is down. The link tries again by itself.
     */
    link_blocked = NETCLOCK_EVENT_LINK_BLOCKED,
    /**
     * There is no way to send the link's datagrams: no network, or the host's name is unknown. The link tries
     * again by itself.
     */
    link_not_possible = NETCLOCK_EVENT_LINK_NOT_POSSIBLE,
};

/** Why a clock jumped. */
enum class discontinuity_cause : std::int32_t {
    none = 0,
    /** The server's clock was restarted (another server epoch). */
    server_restart = NETCLOCK_CAUSE_SERVER_RESTART,
    /** Two exchanges proved that a clock stepped. */
    proven_step = NETCLOCK_CAUSE_PROVEN_STEP,
    /** No call for longer than `local_gap`, or `netclock_client_may_have_missed_time`. */
    local_gap = NETCLOCK_CAUSE_LOCAL_GAP,
    /** The local clock went back by a second or more. */
    local_step = NETCLOCK_CAUSE_LOCAL_STEP,
    /**
     * A correction forwards above `step_threshold`, or in the first second one above 50 ms in either
     * direction that would be slewed for longer than a second.
     */
    correction = NETCLOCK_CAUSE_CORRECTION,
    /** The application called `netclock_client_make_step`. */
    requested = NETCLOCK_CAUSE_REQUESTED,
};

/** Why a clock is less good than it should be. */
enum class degradation_cause : std::int32_t {
    none = 0,
    /** No reply for `holdover_after`. */
    no_replies = NETCLOCK_DEGRADED_NO_REPLIES,
    /** The error bound exceeds `target_bound`. */
    bound_above_target = NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET,
    /** A reply contradicts the clock; a second one will decide. */
    contradiction = NETCLOCK_DEGRADED_CONTRADICTION,
    /**
     * Several servers with clocks of their own answer at one address, as behind a load balancer. The clock
     * stays with one of them; give each server an address, or have the balancer keep each client at one
     * server.
     */
    several_servers = NETCLOCK_DEGRADED_SEVERAL_SERVERS,
    /**
     * The exchanges show that a clock is slewed by more than `client_drift_ppm` and `server_drift_ppm` allow.
     * The bound allows for these, or for 550, 5,500 or 100,000 ppm more: for the least that explains all
     * replies, from the reply on that shows it. So while a clock is slewed by up to 100,000 ppm, readings are
     * outside only until the replies contradict the highest of these limits below the slew. Nobody can know
     * sooner. What is declared holds until `NETCLOCK_EVENT_RECOVERED`: after 20 minutes without a slew. A
     * step may have been a fast slew: undeclared, the bound allows for one until replies show that none goes
     * on, for 20 s at least. Use `netclock_monotonic_now`, or tell the client what to allow for.
     */
    slewed = NETCLOCK_DEGRADED_SLEWED,
};

/** What the client asks. Send its fields by any means or as a datagram. */
struct request {
    /** The server copies it into the reply. */
    std::uint64_t id = 0;
    /**
     * When the client sent it, from an origin that each client draws. So it does not tell how long the
     * client's machine has been up.
     */
    local_time client_time{};
    /**
     * True if a transport that can should send it reliably (three requests at most, until the clock is
     * synced).
     */
    bool reliable = false;
};

/** What the server answers. */
struct reply {
    /**
     * The longest time that the request can have waited for its stamp: `received` minus the time at which the
     * server last looked for messages before (at most 429 s). 1: it was stamped on arrival. 0: unknown, as
     * `netclock_server_respond` writes it.
     */
    std::uint32_t wait = 0;
    /** The request's id. */
    std::uint64_t id = 0;
    /** The server epoch: it names the run of the server's clock that the stamps belong to. */
    std::uint64_t epoch = 0;
    /** When the server received the request. */
    server_time received{};
    /** When the server sent this reply. */
    server_time sent{};
};

/** What the clock says at one local instant; all fields belong together. */
struct reading {
    clock_state state = clock_state::unsynced;
    /** The server's time as shown: smooth and monotone. Zero until synced. */
    server_time time{};
    /**
     * Hard bound: the true server time is within `time` plus or minus this. That holds if the clocks' rates
     * err by no more than `client_drift_ppm` and `server_drift_ppm` and neither clock steps. If one rate errs
     * by up to 550 ppm more, it holds from the first reply on that contradicts the limits. Empty if nothing
     * can be promised.
     */
    std::optional<ticks> error_bound{};
    /**
     * Expected error, one standard deviation: queues, routes that change, crystals and frames are in it. A
     * constant difference between the base delays of the two directions is not: no clock can see it, it adds
     * half of itself to the error, and only `error_bound` covers it. Never above `error_bound`. Empty if
     * nothing is known.
     */
    std::optional<ticks> expected_error{};
    /** Smallest recent round trip. Empty until synced. */
    std::optional<ticks> round_trip{};
    /**
     * Estimated skew in parts per million: the rate of the server's clock against the local one. Positive:
     * the server's clock runs faster.
     */
    double frequency_ppm = 0.0;
    /** The server epoch: it names the run of the server's clock that this reading is about. */
    std::uint64_t server_epoch = 0;
    /** Counts stretches in which shown time never goes back. Every declared jump begins another epoch. */
    std::uint32_t epoch = 0;
};

/** Settings of a client. A field that is not zero replaces its default. */
struct config {
    /**
     * Requests in the burst that opens a session and follows a discontinuity. (count, 2 to 64, default 10)
     */
    std::uint32_t burst_count = 0;
    /**
     * Largest error of the rate of the client's clock that the error bound must survive. Crystals err by less
     * than 50 ppm, and so does `netclock_monotonic_now`. For another clock add what a time service may slew
     * it by: 500 ppm for ntpd and `adjtime`, `maxslewrate` for chrony (83333 ppm unless it is set). (ppm, 0.5
     * to 100000, default 50)
     */
    double client_drift_ppm = 0.0;
    /** The same for the server's clock. (ppm, 0.5 to 100000, default 50) */
    double server_drift_ppm = 0.0;
    /**
     * Largest rate at which the shown clock slews: how much it runs fast or slow during a correction. The
     * rate between the two clocks counts, so stay above what your crystals differ by. Broadcast and audio
     * allow 100 to 500 ppm; then call `netclock_client_make_step` after a join, since 10 ms take 100 s at 100
     * ppm. (fraction of real time, 0.0001 to 0.5, default 0.05)
     */
    double max_slew = 0.0;
    /**
     * A larger correction forwards steps once, and is declared. In the first second, so does one above 50 ms
     * in either direction that would be slewed for longer than a second. (1 ms to 1 h, default 250 ms)
     */
    ticks step_threshold{};
    /** Replies that took longer are refused. (10 ms to 60 s, default 5 s) */
    ticks max_round_trip{};
    /** Mean time between the requests of a burst. (1 ms to 1 s, default 20 ms) */
    ticks burst_interval{};
    /**
     * Mean time between requests once settled. Lost requests are repeated after about a second.
     * `target_bound` wins over a longer interval, if the stated drift could use up half of it meanwhile.
     * `burst_interval` wins over a shorter one. Whatever a server answers, ten minutes cost at most twice
     * what the first ten cost with an honest server. (50 ms to 10 min, default 4 s)
     */
    ticks steady_interval{};
    /** A longer pause between two calls is a declared discontinuity. (100 ms to 1 day, default 10 s) */
    ticks local_gap{};
    /**
     * Time without an accepted reply until the clock declares holdover. The client waits longer until more
     * requests in a row are unanswered than the path is known to lose: three on a good one. So it follows a
     * longer `steady_interval`. (1 s to 1 day, default 15 s)
     */
    ticks holdover_after{};
    /** A larger error bound is declared and answered by a new burst. (1 ms to 1 h, default 250 ms) */
    ticks target_bound{};
    /** Step of the client's clock as it is read for stamps. (100 ns to 100 ms, default 100 ns) */
    ticks client_resolution{};
    /** Step of the server's clock as it is read for stamps. (100 ns to 100 ms, default 100 ns) */
    ticks server_resolution{};
    /**
     * The longest frame of the client's loop, if the caller cannot measure how long replies wait for their
     * stamps: see `netclock_client_polled`. It counts for replies of which the wait is unknown, as the
     * longest wait, not as an exact one. Zero: nothing is known, and the client looks for loops in the rhythm
     * of the stamps. (0 to 1 s, default 0)
     */
    ticks client_frame{};
    /** The same for the server's loop, if replies have no `wait`. (0 to 1 s, default 0) */
    ticks server_frame{};
    /**
     * How much faster than true time the client's clock is said to run, for example by `netclock_rate_hint`.
     * If it is wrong, the exchanges overrule it; no bound depends on it. (ppm, at most `client_drift_ppm`
     * either way, default 0)
     */
    rate_hint client_rate{};
    /**
     * How much faster than true time the server's clock runs, if the server states it. Check what came over
     * the network before you pass it. (ppm, at most `server_drift_ppm` either way, default 0)
     */
    rate_hint server_rate{};
    /**
     * A burst goes on, by up to 30 requests, until the expected error is at most this, and where the rate is
     * known. The later ones are rarer for it: half a minute costs 64 messages at most, with a burst of 10 and
     * a steady interval of 4 s. A link asks more often. (10 us to 1 s, default 1 ms)
     */
    ticks target_error{};
    /** The time now, by the calendar of `netclock_client_save`. Only saved states need it. (seconds) */
    std::int64_t saved_seconds = 0;
    /**
     * The boot of this machine, for example by `netclock_boot_id`. Some systems measure how fast their clock
     * runs at each boot, so a rate that was saved in another boot counts less. (0: unknown)
     */
    std::uint64_t boot = 0;
    /**
     * What `netclock_client_save` gave for this machine, so that the rate of the clock is known from the
     * start. All zero: none. A state that is damaged or of another kind is not used. Exchanges overrule a
     * rate that is wrong; no bound depends on it.
     */
    std::array<std::byte, 60> saved_machine{};
    /**
     * What it gave when it followed this server, in the same way. What it says of an unequal route counts
     * while the round trip is the same; exchanges cannot refute it. A peer uses neither state.
     */
    std::array<std::byte, 60> saved_server{};
};

/** Something that happened to the clock. */
struct event {
    event_kind kind = event_kind::synced;
    /** Why, for event_kind::discontinuity; else none. */
    discontinuity_cause discontinuity = discontinuity_cause::none;
    /** Why, for event_kind::degraded; else none. */
    degradation_cause degradation = degradation_cause::none;
    /** Discontinuity: the reading's epoch from now on. Otherwise zero. */
    std::uint32_t epoch = 0;
    /** Discontinuity: shown time after minus shown time before. Otherwise zero. */
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
