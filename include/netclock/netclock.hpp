/*
 * NetClock for C++17: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock.h by `cargo xtask header`: do not edit.
 *
 * A thin layer over netclock.h, whose contract also applies here. In addition:
 *
 * - Handles are move-only and destroy the object that they own. On a handle that owns nothing
 *   (default-constructed or moved from), every call returns status::null_argument.
 * - Each clock has its own time type, so a local_time cannot be passed as a server_time. Durations are
 *   std::chrono durations, so write settings as `4s` or `20ms`.
 * - Nothing throws. Only creation allocates. Neither exceptions nor RTTI are required.
 * - The compiler warns about an ignored status. A call with an output returns a result. If the result is
 *   true, `*result` is the value; otherwise `result.code()` is the reason.
 * - Any thread may call any member function, as in C. Four of them are wait-free: current_server_time(),
 *   read(), local_time_at() and is_time_synced() of a client. respond() of a server does not wait either. All
 *   others wait for other calls on the same handle. Create, move and destroy a handle only while no other
 *   thread uses it.
 * - Const member functions do not affect the results of later calls.
 * - Most comments are those of the C functions. In C++, `*output` is the result, `NETCLOCK_X` is status::x or
 *   a constant of an enumeration, and an optional is empty where C has NETCLOCK_UNBOUNDED or
 *   NETCLOCK_UNKNOWN_TIME. Each create() may also return status::abi_mismatch.
 */

#ifndef NETCLOCK_HPP
#define NETCLOCK_HPP

#include "netclock/netclock_types.hpp"
#include "netclock/netclock_call.hpp"

namespace netclock {

/** A saved state, opaque to the application. */
using saved_state = std::array<std::byte, NETCLOCK_SAVED_SIZE>;

/** The timestamps of an exchange, from a transport that matches replies to requests. */
struct exchange {
    local_time client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
    /** The longest time that the request may have waited before it was timestamped (ticks). 1 means that it
     * was timestamped on arrival, and 0 that the wait is unknown. */
    std::uint32_t server_wait{};
    /** The longest time that the reply may have waited before it was timestamped, encoded like
     * `server_wait`. */
    std::uint32_t client_wait{};
};

/** A request or a reply as a datagram. */
using datagram = std::array<std::byte, NETCLOCK_DATAGRAM_SIZE>;

/**
 * Returns an English description of a status. The string is static and never null. For a failed call,
 * `netclock_last_error` returns the details.
 */
[[nodiscard]] inline const char *text(status code) noexcept
{
    if (code == status::abi_mismatch) {
        return "the loaded library has a different ABI version than this header, or is older";
    }
    return netclock_status_text(static_cast<netclock_status>(code));
}

/** Returns a description of the latest error on this thread. The text is never null, is empty before the
 * first error, and stays valid until the next error. The text does not describe abi_mismatch, which only this
 * header returns. */
[[nodiscard]] inline const char *last_error() noexcept { return netclock_last_error(); }

/**
 * Encodes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
 * bytes. The datagram does not contain the field `reliable`. Errors: `NETCLOCK_WIRE_STAMP`.
 */
[[nodiscard]] inline result<datagram> encode(const request &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_request, given);
}

/**
 * Decodes a request from a datagram of `length` bytes. Ignore the datagram if this fails. Errors:
 * `NETCLOCK_WIRE_...` if the datagram is not a valid request.
 */
[[nodiscard]] inline result<request> decode_request(const void *data, std::size_t length) noexcept
{
    return detail::ask<request>(netclock_decode_request, data, length);
}

/**
 * Encodes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes.
 * Errors: `NETCLOCK_WIRE_STAMP`.
 */
[[nodiscard]] inline result<datagram> encode(const reply &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_reply, given);
}

/**
 * Decodes a reply from a datagram of `length` bytes. Ignore the datagram if this fails. Errors:
 * `NETCLOCK_WIRE_...` if the datagram is not a valid reply.
 */
[[nodiscard]] inline result<reply> decode_reply(const void *data, std::size_t length) noexcept
{
    return detail::ask<reply>(netclock_decode_reply, data, length);
}

/** A server that answers requests and stores no client state. Any number of threads may share it. Opaque. */
class server : public owned<netclock_server, netclock_server_destroy> {
public:
    using owned::owned;

    /**
     * Creates a server and stores it in `*server`. `epoch` identifies this run of the server's clock, so draw
     * a random number whenever the clock starts.
     */
    [[nodiscard]] static result<server> create(std::uint64_t epoch) noexcept
    {
        return detail::create<server>(netclock_server_create, epoch);
    }

    /**
     * Answers `*request` with a reply in `*reply`. The request arrived at server time `received`, and the
     * reply will be sent at `sent`. Read both times from the server's monotonic clock, as close to the
     * network as possible. A delay between the two is harmless. After an error, send nothing. Errors:
     * `NETCLOCK_SENT_BEFORE_RECEIVED`.
     */
    [[nodiscard]] result<reply> respond(
        const request &given, server_time received, server_time sent) const noexcept
    {
        return detail::ask<reply>(netclock_server_respond, *this, given, received, sent);
    }
};

/**
 * A client that follows one server's clock. Opaque.
 *
 * Calls that modify a client wait for each other. Making such calls from two threads is therefore safe but
 * pointless. Calls that read a client are wait-free.
 */
class client : public owned<netclock_client, netclock_client_destroy> {
public:
    using owned::owned;

    /**
     * Creates a client and stores it in `*client`. Pass a null `config` for the defaults. The settings may
     * contain the saved states of earlier sessions. `seed_high` and `seed_low` make request ids
     * unpredictable. Draw all 128 bits from the operating system's random number generator.
     */
    [[nodiscard]] static result<client> create(const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<client>(netclock_client_create, settings, random.high, random.low);
    }

    /**
     * Performs the work that is due at local time `now` (ticks). Call this every frame. Returns `NETCLOCK_OK`
     * if a request is due. In this case, send `*request` at once. If no request is due, returns
     * `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
     */
    [[nodiscard]] result<request> tick(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_tick, *this, now);
    }

    /**
     * Handles a reply received at local time `arrived` (ticks). Take this timestamp as close to the network
     * as possible. Returns `NETCLOCK_OK` if the client accepts the reply, and otherwise an error. Errors:
     * `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `arrived`, and the codes from `NETCLOCK_UNKNOWN_REQUEST` to
     * `NETCLOCK_SEVERAL_SERVERS`.
     */
    status handle_reply(const reply &given, local_time arrived) noexcept
    {
        return detail::call(netclock_client_handle_reply, *this, given, arrived);
    }

    /**
     * Reads the clock at local time `now` (ticks), and returns the server time in `*server_time`. The server
     * time never goes backwards within an epoch (see "Monotone" in the contract). Before the first reply,
     * returns `NETCLOCK_NOT_SYNCED` and writes 0. Wait-free.
     */
    [[nodiscard]] result<server_time> current_server_time(local_time now) const noexcept
    {
        return detail::ask<server_time>(netclock_client_current_server_time, *this, now);
    }

    /**
     * Reads the clock at local time `now` (ticks), and returns its complete state in `*reading`. The server
     * time never goes backwards within an epoch (see "Monotone" in the contract). Before the first reply,
     * returns `NETCLOCK_NOT_SYNCED` and writes an unsynced reading with a server time of 0. Wait-free.
     */
    [[nodiscard]] result<reading> read(local_time now) const noexcept
    {
        return detail::ask<reading>(netclock_client_read, *this, now);
    }

    /**
     * Converts `server_time` (ticks) to the local time at which the shown clock reads it, and returns this
     * time in `*local_time`. The conversion uses the current estimate. Before the first reply, returns
     * `NETCLOCK_NOT_SYNCED` and writes 0. Wait-free.
     */
    [[nodiscard]] result<local_time> local_time_at(server_time time) const noexcept
    {
        return detail::ask<local_time>(netclock_client_local_time_at, *this, time);
    }

    /**
     * Removes the oldest event from the queue and returns it in `*event`. The queue holds the latest 16
     * events. Returns `NETCLOCK_NO_EVENT` if the queue is empty.
     */
    [[nodiscard]] result<event> next_event() noexcept
    {
        return detail::ask<event>(netclock_client_next_event, *this);
    }

    /**
     * Creates a request in `*request` at local time `now` (ticks) regardless of the schedule. Use this if
     * your own timer schedules the requests, and send each request at once. Errors:
     * `NETCLOCK_TIME_WENT_BACKWARDS`.
     */
    [[nodiscard]] result<request> make_request(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_make_request, *this, now);
    }

    /**
     * Starts a burst of requests immediately, as after a restart. Call this when you connect to a different
     * server, because the next request may otherwise be `steady_interval` away. Also call this after a known
     * route change, because the next reply then resets the reading's `round_trip`.
     */
    status begin_burst() noexcept
    {
        return detail::call(netclock_client_begin_burst, *this);
    }

    /**
     * Reports that the local clock may have stopped for up to `most` (ticks, at least 0, or
     * `NETCLOCK_UNBOUNDED` if unknown) before local time `now`. If your local clock stops while the machine
     * sleeps, call this when the machine or the application resumes. CLOCK_MONOTONIC, `mach_absolute_time`
     * and audio sample counters stop, but `netclock_monotonic_now` does not. Until the next reply, the
     * client's state is `NETCLOCK_STATE_DOUBTFUL` and its error bound is `NETCLOCK_UNBOUNDED`. The client
     * starts a burst of requests to get a reply soon, and reports `NETCLOCK_EVENT_DISCONTINUITY` with
     * `NETCLOCK_CAUSE_LOCAL_GAP`. The shown time does not go backwards, and the client adds the missed time
     * when the reply arrives. Errors: `NETCLOCK_OUT_OF_RANGE` if `most` is negative,
     * `NETCLOCK_TIME_WENT_BACKWARDS`.
     */
    status may_have_missed_time(local_time now, std::optional<ticks> most = {}) noexcept
    {
        return detail::call(
            netclock_client_may_have_missed_time, *this, now, detail::count(most, NETCLOCK_UNBOUNDED));
    }

    /**
     * Steps the shown clock to the best estimate of the server time at local time `now` (ticks), instead of
     * slewing it. Call this when a jump is harmless, for example at the end of a loading screen. Corrections
     * smaller than `least` (ticks) are still slewed. If `least` is zero or negative, every correction becomes
     * a step. Returns the size of the step in `*step`, in ticks. The size is negative for a backward step,
     * and zero if there was no step.
     *
     * An event with `NETCLOCK_CAUSE_REQUESTED` reports the step. A forward step does not end the epoch. A
     * backward step starts a new epoch. So does a forward step that looks like a backward step to a reader
     * that has read ahead. The client does not step the clock before the first reply, or while it waits for
     * more replies from a restarted server. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
     */
    [[nodiscard]] result<ticks> make_step(local_time now, ticks least) noexcept
    {
        return detail::ask<ticks>(netclock_client_make_step, *this, now, least);
    }

    /**
     * Reports that you polled your transport at local time `at` (ticks) and have handled every message that
     * had arrived by then. The client assumes that replies you pass to `netclock_client_handle_reply`
     * afterwards arrived after `at`, and may have waited before they were timestamped. After each poll, call
     * this with the time of the poll. Before you pass a reply that was timestamped on arrival, call this with
     * that timestamp. You need this call only if replies are not handled in the loop that calls
     * `netclock_client_tick`.
     */
    status polled(local_time at) noexcept
    {
        return detail::call(netclock_client_polled, *this, at);
    }

    /**
     * Handles the four timestamps of an exchange, for transports that match replies to requests. The
     * timestamps are the times at which the client sent the request, the server received it, the server sent
     * the reply, and the client received it (ticks, each on its own machine's clock). `server_wait` and
     * `client_wait` are the longest times that the request and the reply may have waited before they were
     * timestamped, as in `netclock_reply` (ticks, 1 if timestamped on arrival, 0 if unknown). `server_epoch`
     * identifies the run of the server's clock, or is 0 if the transport does not provide it. If you know
     * only the reply's server time and the round-trip time, pass the server time as both server timestamps,
     * and the arrival time minus the round-trip time as `client_sent`. Errors: same as
     * `netclock_client_handle_reply`.
     */
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return detail::call(
            netclock_client_handle_exchange, *this, stamps.client_sent, stamps.server_received,
            stamps.server_sent, stamps.client_received, stamps.server_wait, stamps.client_wait,
            server_epoch);
    }

    /** Handles a reply with server time `time` that arrived at `current` after `round_trip`. */
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return handle_exchange({current - round_trip, time, time, current, 0, 0}, 0);
    }

    /** Returns true if the server time is known, that is, after the first accepted reply. Wait-free. */
    [[nodiscard]] bool is_time_synced() const noexcept
    {
        return current_server_time({}).code() == status::ok;
    }
};

} // namespace netclock

#endif /* NETCLOCK_HPP */
