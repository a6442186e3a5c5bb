/*
 * NetClock for C++17: the server's time on every client.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A thin layer over netclock.h, which describes each call. This header adds:
 *
 * - Handles are move-only values that destroy what they own. A handle that owns nothing (default-made or moved from)
 *   may be used: every call returns status::null_argument.
 * - Times have types, so a local_time and a server_time cannot be mixed up. Durations are those of std::chrono: write
 *   settings as `4s` or `20ms`.
 * - Nothing throws. Only creating a handle allocates. Neither exceptions nor RTTI are needed.
 * - The compiler warns about an ignored status. A call that gives a value returns a result. If that is true, `*result`
 *   is the value; otherwise `result.code()` says why there is none.
 * - Threads as in C: const members may be called from any thread and never wait; the others of one client wait for
 *   each other. Create, move and destroy a handle only while no other thread uses it.
 */

#ifndef NETCLOCK_HPP
#define NETCLOCK_HPP

#if !defined(__cplusplus) || (__cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L))
#error "NetClock's C++ headers need C++17 or newer: compile with -std=c++17 or /std:c++17, or use netclock/netclock.h"
/* There is no such file: compilation ends here, before errors that would hide the one above. */
#include "netclock/needs_cpp17"
#endif

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ratio>
#include <utility>

#include "netclock/netclock.h"

namespace netclock {

/** A duration in NetClock's unit of 100 ns. Milliseconds and longer units convert to it by themselves. */
using ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10000000>>;
static_assert(ticks::period::den == NETCLOCK_TICKS_PER_SECOND, "the unit of netclock.h");

/**
 * The client's clock: any monotonic clock, never the wall clock. now() is netclock_monotonic_now(), for callers without
 * a clock of their own. If you have one, make local_time{ticks} from it and use nothing else.
 */
struct local_clock {
    using duration = ticks;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<local_clock, duration>;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept { return time_point{ticks{netclock_monotonic_now()}}; }
};

/** The server's clock. On a client, only a netclock::client knows its time. */
struct server_clock {
    using duration = ticks;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<server_clock, duration>;
    static constexpr bool is_steady = false;

    /** For the server: netclock_monotonic_now() as server time, if it has no other clock. */
    [[nodiscard]] static time_point now_on_server() noexcept { return time_point{ticks{netclock_monotonic_now()}}; }
};

/** An instant of the client's clock. */
using local_time = local_clock::time_point;

/** An instant of the server's clock. */
using server_time = server_clock::time_point;

/** Outcome of a call; the codes of netclock.h. Positive: no error, but not the usual result. Negative: an error that changed nothing. */
enum class [[nodiscard]] status : std::int32_t {
    ok = 0,
    not_synced = 201,
    no_event = 202,
    nothing_due = 1,
    no_world = 401,
    never = 402,
    already_known = 403,
    no_messages = 501,
    outdated = 502,
    held_up = 601,
    no_start = 602,
    uncertain = 203,
    too_few = 301,
    no_change = 701,
    nothing_new = 702,
    no_utc = 901,
    same_utc = 902,
    null_argument = -1,
    unknown_struct = -2,
    bad_config = -3,
    time_out_of_range = -5,
    time_went_backwards = -7,
    unknown_handle = -8,
    busy = -9,
    out_of_memory = -17,
    forked = -18,
    unknown_request = -101,
    stamp_out_of_range = -6,
    arrived_before_sent = -102,
    sent_before_received = -103,
    held_too_long = -104,
    too_slow = -105,
    contradiction = -106,
    several_servers = -107,
    wire_length = -111,
    wire_magic = -112,
    wire_older = -113,
    wire_newer = -117,
    wire_kind = -114,
    wire_reserved = -115,
    wire_stamp = -116,
    not_sealed = -121,
    other_direction = -122,
    unknown_key = -123,
    forged = -124,
    enough_answers = -125,
    rate_out_of_range = -401,
    tolerance_out_of_range = -402,
    segment_outdated = -403,
    segment_conflict = -404,
    real_went_backwards = -405,
    world_went_backwards = -406,
    out_of_range = -4,
    unknown_participant = -16,
    full = -12,
    duplicate = -13,
    stale = -14,
    wrong_key = -15,
    other_server_epoch = -601,
    implausible = -602,
    start_pending = -603,
    other_timescale = -201,
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
    utc_out_of_range = -901,
    utc_outdated = -902,
    utc_conflict = -903,
    utc_leap = -904,
    port_in_use = -1001,
    no_permission = -1002,
    bad_address = -1003,
    no_socket = -1004,
    no_thread = -1005,
    not_polled = -1007,
    not_carried = -1008,
    carried = -1006,
    panicked = -11,
    poisoned = -10,
    /** From this header only: the library that was loaded has another ABI version, or is older than the header. */
    abi_mismatch = -1000
};

/** True for an error, false for success and for "nothing to give". */
[[nodiscard]] constexpr bool is_error(status code) noexcept { return static_cast<std::int32_t>(code) < 0; }

/** What a status means, in English. Static, never null. */
[[nodiscard]] inline const char *text(status code) noexcept
{
    if (code == status::abi_mismatch) {
        return "the library that was loaded has another ABI version than its header, or is older";
    }
    return netclock_status_text(static_cast<netclock_status>(code));
}

/**
 * What exactly was wrong with the newest call on this thread that failed. Never null; empty if none failed; valid
 * until the next call that fails. It does not cover what this header itself refuses (abi_mismatch).
 */
[[nodiscard]] inline const char *last_error() noexcept { return netclock_last_error(); }

/** Version of the library that was loaded, such as "0.1.0". */
[[nodiscard]] inline const char *version_string() noexcept { return netclock_version_string(); }

/** ABI version of the library that was loaded. */
[[nodiscard]] inline std::uint32_t abi_version() noexcept { return netclock_abi_version(); }

/** ABI revision of the library that was loaded: which functions it has. */
[[nodiscard]] inline std::uint32_t abi_revision() noexcept { return netclock_abi_revision(); }

/** True if the library that was loaded has all that this header needs. Every create() asks this first. */
[[nodiscard]] inline bool library_fits() noexcept
{
    return abi_version() == NETCLOCK_ABI_VERSION && abi_revision() >= NETCLOCK_ABI_REVISION;
}

/**
 * The value that a call gave, and its status. True only for status::ok. Otherwise the value is empty (a zero time, a
 * handle that owns nothing), so that reading it is never undefined.
 */
template <class T>
class [[nodiscard]] result {
public:
    constexpr result(status code, T value) noexcept : code_{code}, value_{std::move(value)} {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code_ == status::ok; }
    [[nodiscard]] constexpr status code() const noexcept { return code_; }

    [[nodiscard]] constexpr const T &operator*() const & noexcept { return value_; }
    [[nodiscard]] constexpr T &operator*() & noexcept { return value_; }
    [[nodiscard]] constexpr T &&operator*() && noexcept { return std::move(value_); }
    [[nodiscard]] constexpr const T *operator->() const noexcept { return &value_; }
    [[nodiscard]] constexpr T *operator->() noexcept { return &value_; }

    /** The value, or `other` if the call gave none. */
    [[nodiscard]] constexpr T value_or(T other) const & noexcept { return *this ? value_ : std::move(other); }

private:
    status code_;
    T value_;
};

/** Makes request ids unguessable: draw both from the operating system's random numbers. Both zero is refused. */
struct seed {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
};

/** How fast a clock is said to run. */
struct rate_hint {
    /** How much faster than true time. (ppm, -100000 to 100000) */
    double ppm = 0.0;
    /** Standard deviation of `ppm`; zero: nothing is known. (ppm, 0 to 1000) */
    double doubt_ppm = 0.0;
};

/** What the system knows of the rate of local_clock and of server_clock::now_on_server(): netclock_rate_hint. */
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_rate_hint(&hint.ppm, &hint.doubt_ppm);
    return hint;
}

/** A state that outlives a session, to be kept as it is. */
using saved_state = std::array<std::byte, NETCLOCK_SAVED_SIZE>;

/** What a session leaves to later ones. */
struct saved {
    /** About this machine's crystal: keep one for the machine. */
    saved_state machine{};
    /** About the server and the route to it: keep one for each, under its address or name. */
    saved_state server{};
};

/** Which of the saved states a new client uses. */
struct used_states {
    bool machine = false;
    bool server = false;
};

/** What earlier sessions left. States may have any length; what can be none is not used. */
struct earlier {
    /** This machine's state; null: none. */
    const void *machine = nullptr;
    std::size_t machine_length = 0;
    /** The state that was saved under this server; null: none. */
    const void *server = nullptr;
    std::size_t server_length = 0;
    /** The time now in seconds, by the calendar of client::save(). */
    std::int64_t seconds = 0;
};

/** Settings of a client. Zero means the default; see netclock_config for what each does. */
struct config {
    /** Requests in a burst. (2 to 64, default 10) */
    std::uint32_t burst_count = 0;
    /** Largest error of the rate of the client's clock that the error bound must survive. (ppm, 0.5 to 100000, default 50) */
    double client_drift_ppm = 0.0;
    /** The same for the server's clock. (ppm, 0.5 to 100000, default 50) */
    double server_drift_ppm = 0.0;
    /** Largest rate at which the shown clock slews. (fraction, 0.001 to 0.5, default 0.05) */
    double max_slew = 0.0;
    /** A correction forwards by more than this steps once, and is declared. (1 ms to 1 h, default 250 ms) */
    ticks step_threshold{};
    /** Replies that took longer are refused. (10 ms to 60 s, default 5 s) */
    ticks max_round_trip{};
    /** Mean time between the requests of a burst. (1 ms to 1 s, default 20 ms) */
    ticks burst_interval{};
    /** Mean time between requests once settled. (50 ms to 10 min, default 4 s) */
    ticks steady_interval{};
    /** A longer pause between two calls is a declared discontinuity. (100 ms to 1 day, default 10 s) */
    ticks local_gap{};
    /** Time without an accepted reply until holdover. (1 s to 1 day, default 15 s) */
    ticks holdover_after{};
    /** A larger error bound is declared and answered by a burst. (1 ms to 1 h, default 250 ms) */
    ticks target_bound{};
    /** Step of the client's clock as read for stamps. (100 ns to 100 ms, default 100 ns) */
    ticks client_resolution{};
    /** Step of the server's clock as read for stamps. (100 ns to 100 ms, default 100 ns) */
    ticks server_resolution{};
    /** Frame period of a client that stamps at frame boundaries, zero if on arrival. (0 to 1 s) */
    ticks client_frame{};
    /** Frame period of a server that stamps at frame boundaries, zero if on arrival. (0 to 1 s) */
    ticks server_frame{};
    /** What is known of the rate of the client's clock, for example by netclock::known_rate(). (default: nothing) */
    rate_hint client_rate{};
    /** The same for the server's clock, if the server states it. */
    rate_hint server_rate{};
    /** A burst goes on, by up to 30 requests, until the expected error is at most this, and where the rate is known. (10 us to 1 s, default 1 ms) */
    ticks target_error{};

    /** The defaults as numbers, for showing them. To use them, leave fields zero. */
    [[nodiscard]] static result<config> defaults() noexcept;
};

/** What the client asks. Send it by any means, or encoded as a datagram. */
struct request {
    /** The server copies it into the reply. */
    std::uint64_t id = 0;
    /** When the client sent it, from an origin that each client draws. */
    local_time client_time{};
    /** True if a transport that can should send it reliably (until synced). Not in the datagram. */
    bool reliable = false;
};

/** What the server answers. */
struct reply {
    /** The request's id. */
    std::uint64_t id = 0;
    /** The server epoch: the run of the server's clock that the stamps belong to. */
    std::uint64_t epoch = 0;
    /** When the server received the request. */
    server_time received{};
    /** When the server sent this reply. */
    server_time sent{};
};

/** The four stamps of an exchange, from a transport that matches replies to requests. */
struct exchange {
    local_time client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
};

enum class event_kind : std::int32_t {
    /** The first reply was accepted. */
    synced = NETCLOCK_EVENT_SYNCED,
    /** The clock jumped, or may be wrong until the next reply; see event::discontinuity. */
    discontinuity = NETCLOCK_EVENT_DISCONTINUITY,
    /** The clock is less good than it should be; see event::degradation. */
    degraded = NETCLOCK_EVENT_DEGRADED,
    /** What was degraded is good again. */
    recovered = NETCLOCK_EVENT_RECOVERED,
    /** Another authority took the timescale over. The clock continues without a step. */
    handed_over = NETCLOCK_EVENT_HANDED_OVER,
    /** Requests by the link are answered, for the first time or again. */
    linked = NETCLOCK_EVENT_LINKED,
    /** No request by the link was answered for two seconds. */
    link_blocked = NETCLOCK_EVENT_LINK_BLOCKED,
    /** There is no way to send the link's datagrams. */
    link_not_possible = NETCLOCK_EVENT_LINK_NOT_POSSIBLE
};

enum class discontinuity_cause : std::int32_t {
    none = 0,
    server_restart = NETCLOCK_CAUSE_SERVER_RESTART,
    proven_step = NETCLOCK_CAUSE_PROVEN_STEP,
    local_gap = NETCLOCK_CAUSE_LOCAL_GAP,
    local_step = NETCLOCK_CAUSE_LOCAL_STEP,
    correction = NETCLOCK_CAUSE_CORRECTION
};

enum class degradation_cause : std::int32_t {
    none = 0,
    no_replies = NETCLOCK_DEGRADED_NO_REPLIES,
    bound_above_target = NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET,
    contradiction = NETCLOCK_DEGRADED_CONTRADICTION,
    several_servers = NETCLOCK_DEGRADED_SEVERAL_SERVERS,
    slewed = NETCLOCK_DEGRADED_SLEWED
};

/** Something that happened to the clock. */
struct event {
    event_kind kind{};
    /** Why, for event_kind::discontinuity; else none. */
    discontinuity_cause discontinuity = discontinuity_cause::none;
    /** Why, for event_kind::degraded; else none. */
    degradation_cause degradation = degradation_cause::none;
    /** Discontinuity: the reading's epoch from now on. */
    std::uint32_t epoch = 0;
    /** Discontinuity: shown time after minus shown time before. */
    ticks jump{};
};

enum class clock_state : std::int32_t {
    unsynced = NETCLOCK_STATE_UNSYNCED,
    synced = NETCLOCK_STATE_SYNCED,
    holdover = NETCLOCK_STATE_HOLDOVER,
    doubtful = NETCLOCK_STATE_DOUBTFUL
};

/** Everything the clock says at one local instant; all fields belong together. */
struct reading {
    clock_state state = clock_state::unsynced;
    /** The server's time as shown: smooth and monotone. Zero until synced. */
    server_time time{};
    /** Hard bound: the truth is within `time` plus or minus this. Empty if nothing can be promised. */
    std::optional<ticks> error_bound{};
    /** Expected error, one standard deviation. Empty if nothing is known. */
    std::optional<ticks> expected_error{};
    /** Smallest recent round trip. Empty until synced. */
    std::optional<ticks> round_trip{};
    /** Estimated skew in ppm. Positive: the server's clock runs faster than the local one. */
    double frequency_ppm = 0.0;
    /** The server epoch: names the run of the server's clock. */
    std::uint64_t server_epoch = 0;
    /** Counts the stretches in which shown time never goes backwards: see "Monotone" in netclock.h. */
    std::uint32_t epoch = 0;
};

/** A way of exchanges. */
enum class exchange_path : std::int32_t {
    /** The game's messages. */
    messages = NETCLOCK_PATH_MESSAGES,
    /** A link. */
    link = NETCLOCK_PATH_LINK,
};

/** An exchange that a client was given, and its outcome. */
struct sample {
    /** ok: accepted. From unknown_request to contradiction: why it was refused. */
    status outcome = status::ok;
    /** The reply's id. Zero if the caller matched replies to requests. */
    std::uint64_t id = 0;
    /** The server epoch. Zero if the transport does not know it. */
    std::uint64_t epoch = 0;
    /** When the client sent the request. Empty if no such request is known. */
    std::optional<local_time> client_sent{};
    /** When the server received it. */
    server_time server_received{};
    /** When the server sent the reply. */
    server_time server_sent{};
    /** When the client received it. */
    local_time client_received{};
    /** By which path it came. */
    exchange_path path = exchange_path::messages;
};

/** How important a message is; smaller is more important. */
enum class log_level : std::int32_t {
    /** A bug in NetClock; the client is useless from now on. */
    error = NETCLOCK_LOG_ERROR,
    /** The clock jumped or is less good than it should be, or a call was wrong. */
    warning = NETCLOCK_LOG_WARNING,
    /** The clock is in sync, for the first time or again. */
    info = NETCLOCK_LOG_INFO,
    /** A reply was refused, and why. */
    debug = NETCLOCK_LOG_DEBUG
};

/** Which way a message went. */
enum class direction : std::int32_t { to_server = NETCLOCK_TO_SERVER, to_client = NETCLOCK_TO_CLIENT };

/** A request or a reply as a datagram. */
using datagram = std::array<std::byte, NETCLOCK_DATAGRAM_SIZE>;

/* Conversions from and to the structures of netclock.h. */
namespace detail {

constexpr std::int64_t count(ticks duration) noexcept { return duration.count(); }
constexpr std::int64_t count(local_time time) noexcept { return time.time_since_epoch().count(); }
constexpr std::int64_t count(server_time time) noexcept { return time.time_since_epoch().count(); }

constexpr local_time local(std::int64_t count) noexcept { return local_time{ticks{count}}; }
constexpr server_time server(std::int64_t count) noexcept { return server_time{ticks{count}}; }

constexpr std::optional<ticks> known(std::int64_t count) noexcept
{
    return count == NETCLOCK_UNBOUNDED ? std::nullopt : std::optional<ticks>{ticks{count}};
}

/** What the first field of a growable structure must say. */
template <class T>
constexpr std::uint32_t struct_size() noexcept
{
    return static_cast<std::uint32_t>(sizeof(T));
}

inline netclock_config to_c(const config &from) noexcept
{
    netclock_config to{};
    to.struct_size = struct_size<netclock_config>();
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
    return to;
}

inline config from_c(const netclock_config &from) noexcept
{
    config to;
    to.burst_count = from.burst_count;
    to.client_drift_ppm = from.client_drift_ppm;
    to.server_drift_ppm = from.server_drift_ppm;
    to.max_slew = from.max_slew;
    to.step_threshold = ticks{from.step_threshold};
    to.max_round_trip = ticks{from.max_round_trip};
    to.burst_interval = ticks{from.burst_interval};
    to.steady_interval = ticks{from.steady_interval};
    to.local_gap = ticks{from.local_gap};
    to.holdover_after = ticks{from.holdover_after};
    to.target_bound = ticks{from.target_bound};
    to.client_resolution = ticks{from.client_resolution};
    to.server_resolution = ticks{from.server_resolution};
    to.client_frame = ticks{from.client_frame};
    to.server_frame = ticks{from.server_frame};
    to.client_rate = {from.client_rate_ppm, from.client_rate_doubt_ppm};
    to.server_rate = {from.server_rate_ppm, from.server_rate_doubt_ppm};
    to.target_error = ticks{from.target_error};
    return to;
}

inline netclock_request to_c(const request &from) noexcept
{
    netclock_request to{};
    to.struct_size = struct_size<netclock_request>();
    to.id = from.id;
    to.client_time = count(from.client_time);
    to.reliable = from.reliable ? 1 : 0;
    return to;
}

inline request from_c(const netclock_request &from) noexcept
{
    return request{from.id, local(from.client_time), from.reliable != 0};
}

inline netclock_reply to_c(const reply &from) noexcept
{
    netclock_reply to{};
    to.struct_size = struct_size<netclock_reply>();
    to.id = from.id;
    to.epoch = from.epoch;
    to.received = count(from.received);
    to.sent = count(from.sent);
    return to;
}

inline reply from_c(const netclock_reply &from) noexcept
{
    return reply{from.id, from.epoch, server(from.received), server(from.sent)};
}

inline event from_c(const netclock_event &from) noexcept
{
    event to;
    to.kind = static_cast<event_kind>(from.kind);
    if (to.kind == event_kind::discontinuity) {
        to.discontinuity = static_cast<discontinuity_cause>(from.cause);
    } else if (to.kind == event_kind::degraded) {
        to.degradation = static_cast<degradation_cause>(from.cause);
    }
    to.epoch = from.epoch;
    to.jump = ticks{from.jump};
    return to;
}

inline reading from_c(const netclock_reading &from) noexcept
{
    reading to;
    to.state = static_cast<clock_state>(from.state);
    to.time = server(from.server_time);
    to.error_bound = known(from.error_bound);
    to.expected_error = known(from.expected_error);
    to.round_trip = known(from.round_trip);
    to.frequency_ppm = from.frequency_ppm;
    to.server_epoch = from.server_epoch;
    to.epoch = from.epoch;
    return to;
}

inline sample from_c(const netclock_sample &from) noexcept
{
    sample to;
    to.outcome = status{from.status};
    to.id = from.id;
    to.epoch = from.epoch;
    if (from.client_sent != NETCLOCK_UNKNOWN_TIME) {
        to.client_sent = local(from.client_sent);
    }
    to.server_received = server(from.server_received);
    to.server_sent = server(from.server_sent);
    to.client_received = local(from.client_received);
    to.path = exchange_path(from.path);
    return to;
}

/** A reference as the user data of a C callback, and back. */
template <class Callable>
void *as_user_data(Callable &callable) noexcept
{
    return const_cast<void *>(static_cast<const void *>(std::addressof(callable)));
}

template <class Callable>
void call_log(void *user_data, std::int32_t level, const char *message) noexcept
{
    (*static_cast<Callable *>(user_data))(static_cast<log_level>(level), message);
}

template <class Callable>
void call_tap(void *user_data, const netclock_sample *taken) noexcept
{
    (*static_cast<Callable *>(user_data))(from_c(*taken));
}

/** What destructors do. They cannot report an error. It leaves the handle alive, and so is a leak. */
struct destroy {
    void operator()(netclock_client *handle) const noexcept { static_cast<void>(netclock_client_destroy(handle)); }
    void operator()(netclock_server *handle) const noexcept { static_cast<void>(netclock_server_destroy(handle)); }
};

} // namespace detail

inline result<config> config::defaults() noexcept
{
    netclock_config filled{};
    filled.struct_size = detail::struct_size<netclock_config>();
    const auto code = status{netclock_config_default(&filled)};
    return {code, detail::from_c(filled)};
}

/** Follows one server's clock. Owns a netclock_client. */
class client {
public:
    /** Owns nothing. */
    client() noexcept = default;

    /** Takes over a handle made by netclock_client_create. */
    explicit client(netclock_client *handle) noexcept : handle_{handle} {}

    /** A client that knows nothing yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<client> create(const seed &random, const config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, client{}};
        }
        const netclock_config chosen = detail::to_c(settings);
        netclock_client *handle = nullptr;
        const auto code = status{netclock_client_create(&chosen, random.high, random.low, &handle)};
        return {code, client{handle}};
    }

    /** As create(), with what earlier sessions saved. If `used` is given, it says which of the states are used. */
    [[nodiscard]] static result<client> create_saved(const seed &random, const earlier &known, const config &settings = {},
                                                     used_states *used = nullptr) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, client{}};
        }
        const netclock_config chosen = detail::to_c(settings);
        netclock_client *handle = nullptr;
        std::int32_t found = 0;
        const auto code = status{netclock_client_create_saved(&chosen, random.high, random.low, known.machine,
                                                              known.machine_length, known.server, known.server_length,
                                                              known.seconds, &handle, &found)};
        if (used != nullptr) {
            const used_states told{(found & NETCLOCK_USED_MACHINE) != 0, (found & NETCLOCK_USED_SERVER) != 0};
            *used = told;
        }
        return {code, client{handle}};
    }

    /** What later sessions begin with, at `seconds` of a calendar. not_synced until the rate is known, some seconds long. */
    [[nodiscard]] result<saved> save(std::int64_t seconds) noexcept
    {
        saved states;
        const auto code = status{netclock_client_save(get(), seconds, states.machine.data(), states.server.data(),
                                                      states.machine.size())};
        return {code, states};
    }

    /** Does what is due at `now`; call it every frame. True: send the request at once. nothing_due is no error. */
    [[nodiscard]] result<request> tick(local_time now) noexcept
    {
        netclock_request due{};
        due.struct_size = detail::struct_size<netclock_request>();
        const auto code = status{netclock_client_tick(get(), detail::count(now), &due)};
        return {code, detail::from_c(due)};
    }

    /** A request to send at once, whatever the schedule says. For callers with a timer of their own. */
    [[nodiscard]] result<request> make_request(local_time now) noexcept
    {
        netclock_request made{};
        made.struct_size = detail::struct_size<netclock_request>();
        const auto code = status{netclock_client_make_request(get(), detail::count(now), &made)};
        return {code, detail::from_c(made)};
    }

    /** Learns from a reply that arrived at `arrived`. Stamp it as close to the network as possible. */
    status handle_reply(const reply &answer, local_time arrived) noexcept
    {
        const netclock_reply learned = detail::to_c(answer);
        return status{netclock_client_handle_reply(get(), &learned, detail::count(arrived))};
    }

    /** Learns from four stamps of a transport that matches replies to requests. Epoch 0: it knows none. */
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return status{netclock_client_handle_exchange(
            get(), detail::count(stamps.client_sent), detail::count(stamps.server_received),
            detail::count(stamps.server_sent), detail::count(stamps.client_received), server_epoch)};
    }

    /** Learns from two stamps: at `current` a reply arrived that says `time`, after a round trip of `round_trip`. */
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return status{netclock_client_update_server_time(get(), detail::count(time), detail::count(current),
                                                         detail::count(round_trip), nullptr)};
    }

    /** Takes the oldest event; the 16 newest are kept. no_event is no error. */
    [[nodiscard]] result<event> next_event() noexcept
    {
        netclock_event next{};
        next.struct_size = detail::struct_size<netclock_event>();
        const auto code = status{netclock_client_next_event(get(), &next)};
        return {code, detail::from_c(next)};
    }

    /**
     * Calls `callable(log_level, const char *)` for messages of `most` and more important ones. It is not copied: keep
     * it where it is until the client is destroyed or has another one. It runs on the thread whose call caused the
     * message. Every call is allowed in it, except destroying this client. It must not throw.
     */
    template <class Callable>
    status on_log(log_level most, Callable &callable) noexcept
    {
        return on_log(most, &detail::call_log<Callable>, detail::as_user_data(callable));
    }

    /** The same with a function and its user data. */
    status on_log(log_level most, netclock_log_callback callback, void *user_data) noexcept
    {
        return status{netclock_client_set_log(get(), static_cast<std::int32_t>(most), callback, user_data)};
    }

    /** Stops calling it, from the next message on. */
    status on_log(std::nullptr_t) noexcept { return on_log(log_level::error, nullptr, nullptr); }

    /** Calls `callable(const sample &)` for every exchange, accepted or refused. Otherwise as on_log. */
    template <class Callable>
    status on_sample(Callable &callable) noexcept
    {
        return on_sample(&detail::call_tap<Callable>, detail::as_user_data(callable));
    }

    /** The same with a function and its user data. */
    status on_sample(netclock_tap_callback callback, void *user_data) noexcept
    {
        return status{netclock_client_set_tap(get(), callback, user_data)};
    }

    /** Stops calling it, from the next exchange on. */
    status on_sample(std::nullptr_t) noexcept { return on_sample(nullptr, nullptr); }

    /** The server's time at `now`, or not_synced. Any thread, wait-free. */
    [[nodiscard]] result<server_time> current_server_time(local_time now) const noexcept
    {
        std::int64_t shown = 0;
        const auto code = status{netclock_client_current_server_time(get(), detail::count(now), &shown)};
        return {code, detail::server(shown)};
    }

    /** True if a reply was ever accepted. Any thread, wait-free. */
    [[nodiscard]] bool is_time_synced() const noexcept { return netclock_client_is_time_synced(get()) != 0; }

    /** Everything the clock says at `now`. With not_synced the reading says so too. Any thread, wait-free. */
    [[nodiscard]] result<reading> read(local_time now) const noexcept
    {
        netclock_reading shown{};
        shown.struct_size = detail::struct_size<netclock_reading>();
        shown.error_bound = shown.expected_error = shown.round_trip = NETCLOCK_UNBOUNDED;
        const auto code = status{netclock_client_read(get(), detail::count(now), &shown)};
        return {code, detail::from_c(shown)};
    }

    /** The local time at which the shown clock reads `time`, as far as is known now. Any thread, wait-free. */
    [[nodiscard]] result<local_time> local_time_at(server_time time) const noexcept
    {
        std::int64_t when = 0;
        const auto code = status{netclock_client_local_time_at(get(), detail::count(time), &when)};
        return {code, detail::local(when)};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of netclock.h. Still owned. */
    [[nodiscard]] netclock_client *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_client *release() noexcept { return handle_.release(); }

    /** Destroys it before its destructor does, and says how that went. After an error (busy: in a callback of its own) it is still owned. */
    status destroy() noexcept
    {
        const auto code = status{netclock_client_destroy(get())};
        if (code == status::ok) {
            static_cast<void>(handle_.release());
        }
        return code;
    }

private:
    std::unique_ptr<netclock_client, detail::destroy> handle_;
};

/** Answers requests and remembers nobody. Owns a netclock_server; const members may be called from any thread. */
class server {
public:
    /** Owns nothing. */
    server() noexcept = default;

    /** Takes over a handle made by netclock_server_create. */
    explicit server(netclock_server *handle) noexcept : handle_{handle} {}

    /** `epoch` names this run of the server's clock: draw a random number whenever that clock starts. */
    [[nodiscard]] static result<server> create(std::uint64_t epoch) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, server{}};
        }
        netclock_server *handle = nullptr;
        const auto code = status{netclock_server_create(epoch, &handle)};
        return {code, server{handle}};
    }

    /** The reply, sent at `sent`, to a request received at `received`. On an error send nothing. */
    [[nodiscard]] result<reply> respond(const request &asked, server_time received, server_time sent) const noexcept
    {
        const netclock_request question = detail::to_c(asked);
        netclock_reply answer{};
        answer.struct_size = detail::struct_size<netclock_reply>();
        const auto code = status{netclock_server_respond(get(), &question, detail::count(received),
                                                         detail::count(sent), &answer)};
        return {code, detail::from_c(answer)};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of netclock.h. Still owned. */
    [[nodiscard]] netclock_server *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_server *release() noexcept { return handle_.release(); }

    /** Destroys it before its destructor does, and says how that went. After an error it is still owned. */
    status destroy() noexcept
    {
        const auto code = status{netclock_server_destroy(get())};
        if (code == status::ok) {
            static_cast<void>(handle_.release());
        }
        return code;
    }

private:
    std::unique_ptr<netclock_server, detail::destroy> handle_;
};

/**
 * Writes a request to `data`, a buffer of `size` bytes; NETCLOCK_DATAGRAM_SIZE are enough. Errors: null_argument,
 * wire_length, wire_stamp.
 */
inline status encode(const request &from, void *data, std::size_t size) noexcept
{
    const netclock_request travelling = detail::to_c(from);
    return status{netclock_encode_request(&travelling, data, size)};
}

/** Writes a reply to `data`, a buffer of `size` bytes. Errors as for a request. */
inline status encode(const reply &from, void *data, std::size_t size) noexcept
{
    const netclock_reply travelling = detail::to_c(from);
    return status{netclock_encode_reply(&travelling, data, size)};
}

/** A request or a reply as a datagram. Errors: wire_stamp. */
template <class Message>
[[nodiscard]] result<datagram> encode(const Message &from) noexcept
{
    datagram to{};
    const status code = encode(from, to.data(), to.size());
    return {code, to};
}

/** Reads a request from a datagram of `size` bytes. Errors: null_argument, wire_... for a datagram to be ignored. */
[[nodiscard]] inline result<request> decode_request(const void *data, std::size_t size) noexcept
{
    netclock_request read{};
    read.struct_size = detail::struct_size<netclock_request>();
    const auto code = status{netclock_decode_request(data, size, &read)};
    return {code, detail::from_c(read)};
}

/** Reads a reply from a datagram of `size` bytes. Errors as decode_request. */
[[nodiscard]] inline result<reply> decode_reply(const void *data, std::size_t size) noexcept
{
    netclock_reply read{};
    read.struct_size = detail::struct_size<netclock_reply>();
    const auto code = status{netclock_decode_reply(data, size, &read)};
    return {code, detail::from_c(read)};
}

/**
 * The answer to a datagram that decode_request refused as wire_older or wire_newer. Send it back: decode_reply tells the
 * client in the same words which side is older. nothing_due: it is no request of another version.
 */
[[nodiscard]] inline result<datagram> version_notice(const void *data, std::size_t size) noexcept
{
    datagram to{};
    const auto code = status{netclock_version_notice(data, size, to.data(), to.size())};
    return {code, to};
}

[[nodiscard]] inline result<request> decode_request(const datagram &from) noexcept
{
    return decode_request(from.data(), from.size());
}

[[nodiscard]] inline result<reply> decode_reply(const datagram &from) noexcept
{
    return decode_reply(from.data(), from.size());
}

/** Bytes that a seal adds to a message. */
inline constexpr std::size_t seal_overhead = NETCLOCK_SEAL_OVERHEAD;

/** Longest sealed message, in bytes. */
inline constexpr std::size_t sealed_most = NETCLOCK_SEALED_MOST;

/**
 * A secret of 128 bits that a client and its server share for one connection. Draw the secret from the operating system.
 * Give it to the client over a channel that nobody else can read.
 */
struct session_key {
    /** The number by which the server finds the key. It is no secret. */
    std::uint32_t id = 0;
    /** The secret. Not all of it may be zero. */
    netclock::seed secret{};
};

/** Bytes of a message that was opened: part of the datagram, and valid as long as that. */
struct opened {
    const void *data = nullptr;
    std::size_t size = 0;
};

/** A message that a server opened, and the id of its key. */
struct opened_by_server {
    std::uint32_t id = 0;
    opened message{};
};

/** Settings of session keys. Zero means the default. */
struct session_keys_config {
    /** Most sessions at a time. (1 to 65536, default 64) */
    std::uint32_t capacity = 0;
    /** Answers a second to each session. (1 to 10000, default 100) */
    std::uint32_t answers = 0;
    /** Answers a second to requests that may be replays, for each session. (1 to 10000, default 20) */
    std::uint32_t replays = 0;
};

/** What became of the messages that came to a server with session keys. */
struct session_key_counts {
    std::uint64_t opened = 0;
    std::uint64_t malformed = 0;
    std::uint64_t unknown_key = 0;
    std::uint64_t forged = 0;
    std::uint64_t replayed = 0;
    std::uint64_t over_budget = 0;
};

namespace detail {

inline netclock_session_key to_c(const session_key &from) noexcept
{
    netclock_session_key to{};
    to.secret_high = from.secret.high;
    to.secret_low = from.secret.low;
    to.id = from.id;
    return to;
}

struct destroy_session_keys {
    void operator()(netclock_session_keys *handle) const noexcept
    {
        static_cast<void>(netclock_session_keys_destroy(handle));
    }
};

} // namespace detail

/**
 * Seals a message of `length` bytes (1 to 1024) that goes in `way` into `sealed`, which has room for `capacity` bytes.
 * Gives the length of the sealed message. Errors: null_argument, bad_config, wire_length.
 */
[[nodiscard]] inline result<std::size_t> seal(const session_key &key, direction way, const void *message,
                                              std::size_t length, void *sealed, std::size_t capacity) noexcept
{
    const netclock_session_key from = detail::to_c(key);
    const auto code = status{
        netclock_seal_message(&from, static_cast<std::int32_t>(way), message, length, sealed, capacity)};
    return {code, code == status::ok ? length + seal_overhead : 0};
}

/**
 * Opens a datagram of `length` bytes that came in `way`. On an error ignore the datagram. Errors: not_sealed, forged,
 * other_direction, unknown_key, wire_length, wire_version, null_argument, bad_config.
 */
[[nodiscard]] inline result<opened> open(const session_key &key, direction way, const void *sealed,
                                         std::size_t length) noexcept
{
    const netclock_session_key from = detail::to_c(key);
    const void *message = nullptr;
    const auto code =
        status{netclock_open_message(&from, static_cast<std::int32_t>(way), sealed, length, &message)};
    return {code, code == status::ok ? opened{message, length - seal_overhead} : opened{}};
}

/** The keys of a server's sessions. Owns a netclock_session_keys. */
class session_keys {
public:
    /** Owns nothing. */
    session_keys() noexcept = default;

    /** Takes over a handle made by netclock_session_keys_create. */
    explicit session_keys(netclock_session_keys *handle) noexcept : handle_{handle} {}

    /** Without a key, so that every datagram is refused. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<session_keys> create(const session_keys_config &settings = {}) noexcept
    {
        if (abi_version() != NETCLOCK_ABI_VERSION) {
            return {status::abi_mismatch, session_keys{}};
        }
        netclock_session_keys_config chosen{};
        chosen.struct_size = detail::struct_size<netclock_session_keys_config>();
        chosen.capacity = settings.capacity;
        chosen.answers = settings.answers;
        chosen.replays = settings.replays;
        netclock_session_keys *handle = nullptr;
        const auto code = status{netclock_session_keys_create(&chosen, &handle)};
        return {code, session_keys{handle}};
    }

    /** Opens messages sealed with `key` from now on. Errors: bad_config, duplicate, full. */
    status admit(const session_key &key) noexcept
    {
        const netclock_session_key from = detail::to_c(key);
        return status{netclock_session_keys_admit(get(), &from)};
    }

    /** Forgets the key `id`. Errors: unknown_key. */
    status revoke(std::uint32_t id) noexcept { return status{netclock_session_keys_revoke(get(), id)}; }

    /**
     * Opens a datagram from a client. On an error ignore the datagram. Errors: not_sealed, forged, other_direction,
     * unknown_key, wire_length, wire_version.
     */
    [[nodiscard]] result<opened_by_server> open(const void *sealed, std::size_t length) noexcept
    {
        opened_by_server to;
        const auto code =
            status{netclock_session_keys_open(get(), sealed, length, &to.id, &to.message.data)};
        to.message.size = code == status::ok ? length - seal_overhead : 0;
        return {code, to};
    }

    /**
     * Whether a request that was opened with the key `id` may be answered at `now`: true if it is newer than all before,
     * false if it may be a replay. Without a request: of something that says nothing of when it was sent. Errors, on which
     * nothing may be answered: enough_answers, unknown_key.
     */
    [[nodiscard]] result<bool> allow(std::uint32_t id, const std::optional<request> &asked, server_time now) noexcept
    {
        netclock_request from{};
        if (asked) {
            from = detail::to_c(*asked);
        }
        std::int32_t is_newer = 0;
        const auto code = status{
            netclock_session_keys_allow(get(), id, asked ? &from : nullptr, detail::count(now), &is_newer)};
        return {code, is_newer != 0};
    }

    /** Seals a message to the client with the key `id`; gives its length. Errors: unknown_key, wire_length. */
    [[nodiscard]] result<std::size_t> seal(std::uint32_t id, const void *message, std::size_t length, void *sealed,
                                           std::size_t capacity) const noexcept
    {
        const auto code =
            status{netclock_session_keys_seal(get(), id, message, length, sealed, capacity)};
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

    /** What became of the messages so far. */
    [[nodiscard]] result<session_key_counts> counts() const noexcept
    {
        netclock_session_key_counts from{};
        from.struct_size = detail::struct_size<netclock_session_key_counts>();
        const auto code = status{netclock_session_keys_counts(get(), &from)};
        return {code, session_key_counts{from.opened, from.malformed, from.unknown_key, from.forged, from.replayed,
                                 from.over_budget}};
    }

    /** Whether it owns session keys. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls that this header does not have. */
    [[nodiscard]] netclock_session_keys *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_session_keys *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_session_keys, detail::destroy_session_keys> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_HPP */
