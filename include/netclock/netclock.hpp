/*
 * NetClock for C++17: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock.h by `cargo xtask header`: do not edit.
 *
 * A thin layer over netclock.h, whose contract holds here, too. This header adds:
 *
 * - Handles are move-only values that destroy what they own. A handle that owns nothing (default-made or
 *   moved from) may be used: every call returns status::null_argument.
 * - Times have types, so a local_time and a server_time cannot be mixed up. Durations are those of
 *   std::chrono: write settings as `4s` or `20ms`.
 * - Nothing throws. Only creating a handle allocates. Neither exceptions nor RTTI are needed.
 * - The compiler warns about an ignored status. A call that gives a value returns a result. If that is true,
 *   `*result` is the value; otherwise `result.code()` says why there is none.
 * - Threads as in C: members may be called from any thread. Four of them never wait: current_server_time(),
 *   read(), local_time_at() and is_time_synced() of a client. Nor does respond() of a server. All others wait
 *   for other calls on the same handle. Create, move and destroy a handle only while no other thread uses it.
 * - Every call on a handle may return null_argument or poisoned, so comments do not name these two.
 * - Const members change nothing that a later call would show.
 */

#ifndef NETCLOCK_HPP
#define NETCLOCK_HPP

#include "netclock/netclock_types.hpp"
#include "netclock/netclock_call.hpp"

namespace netclock {

/** A state that outlives a session, to be kept as it is. */
using saved_state = std::array<std::byte, NETCLOCK_SAVED_SIZE>;

/** The stamps of an exchange, from a transport that matches replies to requests. */
struct exchange {
    local_time client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
    /** The longest time that the request can have waited for its stamp (ticks); 1: it was stamped on arrival;
     * 0: unknown. */
    std::uint32_t server_wait{};
    /** The same for the reply. */
    std::uint32_t client_wait{};
};

/** A request or a reply as a datagram. */
using datagram = std::array<std::byte, NETCLOCK_DATAGRAM_SIZE>;

/**
 * What a status means, in English. last_error says more about a single call. The text is static and never
 * null. Callable from any thread.
 */
[[nodiscard]] inline const char *text(status code) noexcept
{
    if (code == status::abi_mismatch) {
        return "the library that was loaded has another ABI version than its header, or is older";
    }
    return netclock_status_text(static_cast<netclock_status>(code));
}

/**
 * What exactly was wrong with the newest call on this thread that failed. Never null; empty if none failed;
 * valid until the next call that fails. It does not cover what this header itself refuses (abi_mismatch).
 */
[[nodiscard]] inline const char *last_error() noexcept { return netclock_last_error(); }

/** Writes a request as a datagram. `reliable` is not sent. Errors: wire_stamp. */
[[nodiscard]] inline result<datagram> encode(const request &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_request, given);
}

/** Reads a request from a datagram of `length` bytes. Errors: one of wire_* for a datagram to be ignored. */
[[nodiscard]] inline result<request> decode_request(const void *data, std::size_t length) noexcept
{
    return detail::ask<request>(netclock_decode_request, data, length);
}

/** Writes a reply as a datagram. Errors as encode. */
[[nodiscard]] inline result<datagram> encode(const reply &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_reply, given);
}

/** Reads a reply from a datagram of `length` bytes. Errors as decode_request. */
[[nodiscard]] inline result<reply> decode_reply(const void *data, std::size_t length) noexcept
{
    return detail::ask<reply>(netclock_decode_reply, data, length);
}

/**
 * A server: answers requests, keeps nothing about clients. Any threads may use it at once. Owns a
 * netclock_server.
 */
class server : public owned<netclock_server, netclock_server_destroy> {
public:
    using owned::owned;

    /**
     * Creates a server. `epoch` names this run of the server's clock: draw a random number whenever that
     * clock starts. Errors: abi_mismatch, out_of_memory.
     */
    [[nodiscard]] static result<server> create(std::uint64_t epoch) noexcept
    {
        return detail::create<server>(netclock_server_create, epoch);
    }

    /**
     * Answers `given`, which arrived at server time `received` and will leave at `sent`. Both are by the
     * server's monotonic clock, stamped as close to the network as possible. The time between them does no
     * harm. On an error send nothing. Errors: stamp_out_of_range, sent_before_received.
     */
    [[nodiscard]] result<reply> respond(
        const request &given, server_time received, server_time sent) const noexcept
    {
        return detail::ask<reply>(netclock_server_respond, *this, given, received, sent);
    }
};

/**
 * A client: follows one server's clock.
 *
 * Calls that change it wait for each other, so calling from two threads is safe. It gains nothing, and the
 * log reports it. Calls that read it never wait. Using a client while or after it is destroyed is an error
 * that nobody can detect in general. Owns a netclock_client.
 */
class client : public owned<netclock_client, netclock_client_destroy> {
public:
    using owned::owned;

    /**
     * Creates a client.
     *
     * It may also have what earlier sessions saved. `random` makes request ids unguessable: draw it from the
     * operating system. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<client> create(const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<client>(netclock_client_create, settings, random.high, random.low);
    }

    /**
     * Does what is due at local time `now`. Call it every frame. ok: send the result at once. nothing_due:
     * there is none. Errors: time_out_of_range, time_went_backwards.
     */
    [[nodiscard]] result<request> tick(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_tick, *this, now);
    }

    /**
     * Learns from a reply that arrived at local time `arrived`. Stamp it as close to the network as possible.
     * ok: accepted. Errors from unknown_request to several_servers, and stamp_out_of_range, say why it was
     * refused.
     */
    status handle_reply(const reply &given, local_time arrived) noexcept
    {
        return detail::call(netclock_client_handle_reply, *this, given, arrived);
    }

    /**
     * The server's time at local time `now`. not_synced: it is zero. It never goes backwards within an epoch:
     * see "Monotone" in the contract. Callable from any thread, wait-free. Errors: time_out_of_range.
     */
    [[nodiscard]] result<server_time> current_server_time(local_time now) const noexcept
    {
        return detail::ask<server_time>(netclock_client_current_server_time, *this, now);
    }

    /** True if a reply was ever accepted. Any thread, wait-free. */
    [[nodiscard]] bool is_time_synced() const noexcept { return netclock_client_is_time_synced(get()) != 0; }

    /**
     * Everything the clock says at local time `now`. not_synced: the reading says so, with a server time of
     * 0. The server's time never goes backwards within an epoch: see "Monotone" in the contract. Callable
     * from any thread, wait-free. Errors: time_out_of_range.
     */
    [[nodiscard]] result<reading> read(local_time now) const noexcept
    {
        return detail::ask<reading>(netclock_client_read, *this, now);
    }

    /**
     * The local time at which the shown clock reads `time`, as far as is known now. not_synced: it is zero.
     * Callable from any thread, wait-free. Errors: stamp_out_of_range.
     */
    [[nodiscard]] result<local_time> local_time_at(server_time time) const noexcept
    {
        return detail::ask<local_time>(netclock_client_local_time_at, *this, time);
    }

    /** Takes the oldest event not yet fetched; the 16 newest are kept. no_event: there is none. */
    [[nodiscard]] result<event> next_event() noexcept
    {
        return detail::ask<event>(netclock_client_next_event, *this);
    }

    /**
     * Makes a request to send at once, whatever the schedule says. It is for callers with a timer of their
     * own. `now` is the local time. Errors as client::tick.
     */
    [[nodiscard]] result<request> make_request(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_make_request, *this, now);
    }

    /**
     * Begins a burst of requests at once, as after a restart. Call it when you turn to another server.
     * Otherwise the client would ask it only after `steady_interval`. The reading's `round_trip` begins anew
     * with the next reply, so call it as well after a change of the route that you know of.
     */
    status begin_burst() noexcept
    {
        return detail::call(netclock_client_begin_burst, *this);
    }

    /**
     * Tells the client that its local clock may have missed up to `most` (at least 0) before `now`; Empty:
     * nobody knows how much. Call it when the machine or the application resumes, if the local clock stops
     * while the machine sleeps. local_clock::now does not, so it needs no call; CLOCK_MONOTONIC,
     * `mach_absolute_time` and counters of audio samples do. Until the next reply the state is
     * clock_state::doubtful and the bound Empty. A burst begins, so that the reply comes soon. The event is
     * event_kind::discontinuity with discontinuity_cause::local_gap. The shown time does not go back: what
     * was missed is added when the reply arrives. Errors: time_out_of_range, out_of_range for a negative
     * `most`, time_went_backwards.
     */
    status may_have_missed_time(local_time now, std::optional<ticks> most = {}) noexcept
    {
        return detail::call(
            netclock_client_may_have_missed_time, *this, now, detail::count(most, NETCLOCK_UNBOUNDED));
    }

    /**
     * Steps the shown clock to the best estimate at local time `now`, in place of the slew that would go on.
     * Call it when a jump costs nothing, for example at the end of a loading screen. A correction smaller
     * than `least` goes on being slewed; zero or a negative `least` steps any. Writes the shown time after
     * the step minus that before it to the result; zero if nothing was stepped.
     *
     * The step is declared with discontinuity_cause::requested. A step forwards stays in its epoch. A step
     * backwards begins a new epoch, and so does one that a reader could see as a step back, because it has
     * read ahead. Before the first reply, and while the client waits for more replies of a restarted server,
     * nothing is stepped. Errors: time_out_of_range, time_went_backwards.
     */
    [[nodiscard]] result<ticks> make_step(local_time now, ticks least) noexcept
    {
        return detail::ask<ticks>(netclock_client_make_step, *this, now, least);
    }

    /**
     * Notes that the caller polled its transport at local time `at`, and has handled all messages that were
     * there. So the replies that client::handle_reply gets afterwards arrived after `at`, and may have waited
     * for their stamps. Call it once a poll, with the time of the poll. Before a reply that was stamped on
     * arrival, pass its stamp. It is needed only if replies are handled elsewhere than in the loop that calls
     * client::tick. Errors: time_out_of_range.
     */
    status polled(local_time at) noexcept
    {
        return detail::call(netclock_client_polled, *this, at);
    }

    /**
     * Learns from the four stamps of an exchange, for callers whose transport matches replies to requests.
     * The stamps are: sent by the client, received and answered by the server, received by the client; each
     * by its own clock. `server_wait` and `client_wait` are the longest times that request and reply can have
     * waited for their stamps, as in reply (ticks; 1: stamped on arrival; 0: unknown). `server_epoch` names
     * the run of the server's clock, or is 0 if the transport does not know it. Errors as
     * client::handle_reply.
     */
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return detail::call(
            netclock_client_handle_exchange, *this, stamps.client_sent, stamps.server_received,
            stamps.server_sent, stamps.client_received, stamps.server_wait, stamps.client_wait,
            server_epoch);
    }

    /** Learns from two stamps: at `current` a reply arrived that says `time`, after a round trip of
     * `round_trip`. */
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return detail::call(netclock_client_update_server_time, *this, time, current, round_trip, nullptr);
    }
};

/**
 * Writes a request to `data`, a buffer of `size` bytes; NETCLOCK_DATAGRAM_SIZE are enough. Errors:
 * null_argument, wire_length, wire_stamp.
 */
inline status encode(const request &from, void *data, std::size_t size) noexcept
{
    return detail::call(netclock_encode_request, from, data, size);
}

/** Writes a reply to `data`, a buffer of `size` bytes. Errors as for a request. */
inline status encode(const reply &from, void *data, std::size_t size) noexcept
{
    return detail::call(netclock_encode_reply, from, data, size);
}

[[nodiscard]] inline result<request> decode_request(const datagram &from) noexcept
{
    return decode_request(from.data(), from.size());
}

[[nodiscard]] inline result<reply> decode_reply(const datagram &from) noexcept
{
    return decode_reply(from.data(), from.size());
}

} // namespace netclock

#endif /* NETCLOCK_HPP */
