/*
 * NetClock for C++17: the server's time on every client.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A thin layer over netclock.h, which describes each call. This header adds:
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
 * - Const members change nothing that a later call would show.
 */

#ifndef NETCLOCK_HPP
#define NETCLOCK_HPP

#include "netclock/netclock_types.hpp"
#include "netclock/netclock_call.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace netclock {

/** What a status means, in English. Static, never null. */
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

/** What the system knows of the rate of local_clock and of server_clock::now_on_server():
 * netclock_rate_hint. */
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_rate_hint(&hint.ppm, &hint.doubt_ppm);
    return hint;
}

/** The identity of this machine's boot, for config::boot and client::set_server_boot(). 0: unknown. */
[[nodiscard]] inline std::uint64_t boot_id() noexcept { return netclock_boot_id(); }

/** A state that outlives a session, to be kept as it is. */
using saved_state = std::array<std::byte, NETCLOCK_SAVED_SIZE>;

/** What a session leaves to later ones. */
struct saved {
    /** About this machine's crystal: keep one for the machine. */
    saved_state machine{};
    /** About the server and the route to it: keep one for each, under its address or name. */
    saved_state server{};
};

/** Which of the saved states a client began with. */
struct used_states {
    bool machine = false;
    bool server = false;
};

/** The four stamps of an exchange, from a transport that matches replies to requests. */
struct exchange {
    local_time client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
};

/** A request or a reply as a datagram. */
using datagram = std::array<std::byte, NETCLOCK_DATAGRAM_SIZE>;

namespace detail {

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

} // namespace detail

/** Follows one server's clock. Owns a netclock_client. */
class client : public owned<netclock_client, netclock_client_destroy> {
public:
    using owned::owned;

    /** A client, with the saved states of `settings` if it has any. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<client> create(const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<client>(netclock_client_create, settings, random.high, random.low);
    }

    /** Which of the saved states in its settings it began with. */
    [[nodiscard]] result<used_states> used_saved() const noexcept
    {
        const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, *this);
        return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
    }

    /** The boot of the server's machine, as boot_id() gave it there. A rate that was saved before the server
     * booted counts less. 0: unknown. */
    status set_server_boot(std::uint64_t boot) noexcept
    {
        return detail::call(netclock_client_set_server_boot, *this, boot);
    }

    /** What later sessions begin with, at `seconds` of a calendar. not_synced until the rate is known, some
     * seconds long. */
    [[nodiscard]] result<saved> save(std::int64_t seconds) noexcept
    {
        saved states;
        const auto code = detail::call(netclock_client_save, *this, seconds, states.machine.data(),
                                       states.server.data(), states.machine.size());
        return {code, states};
    }

    /** Does what is due at `now`; call it every frame. True: send the request at once. nothing_due is no
     * error. */
    [[nodiscard]] result<request> tick(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_tick, *this, now);
    }

    /** A request to send at once, whatever the schedule says. For callers with a timer of their own. */
    [[nodiscard]] result<request> make_request(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_make_request, *this, now);
    }

    /** Learns from a reply that arrived at `arrived`. Stamp it as close to the network as possible. */
    status handle_reply(const reply &answer, local_time arrived) noexcept
    {
        return detail::call(netclock_client_handle_reply, *this, answer, arrived);
    }

    /** Learns from four stamps of a transport that matches replies to requests. Epoch 0: it knows none. */
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return detail::call(
            netclock_client_handle_exchange, *this, stamps.client_sent, stamps.server_received,
            stamps.server_sent, stamps.client_received, server_epoch);
    }

    /** Learns from two stamps: at `current` a reply arrived that says `time`, after a round trip of
     * `round_trip`. */
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return detail::call(netclock_client_update_server_time, *this, time, current, round_trip, nullptr);
    }

    /** Takes the oldest event; the 16 newest are kept. no_event is no error. */
    [[nodiscard]] result<event> next_event() noexcept
    {
        return detail::ask<event>(netclock_client_next_event, *this);
    }

    /**
     * Calls `callable(log_level, const char *)` for messages of `most` and more important ones. It is not
     * copied: keep it where it is until the client is destroyed or has another one. It runs on the thread
     * whose call caused the message. Every call is allowed in it, except destroying this client. It must not
     * throw.
     */
    template <class Callable>
    status on_log(log_level most, Callable &callable) noexcept
    {
        return on_log(most, &detail::call_log<Callable>, detail::as_user_data(callable));
    }

    /** The same with a function and its user data. */
    status on_log(log_level most, netclock_log_callback callback, void *user_data) noexcept
    {
        return detail::call(netclock_client_set_log, *this, most, callback, user_data);
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
        return detail::call(netclock_client_set_tap, *this, callback, user_data);
    }

    /** Stops calling it, from the next exchange on. */
    status on_sample(std::nullptr_t) noexcept { return on_sample(nullptr, nullptr); }

    /** The server's time at `now`, or not_synced. Any thread, wait-free. */
    [[nodiscard]] result<server_time> current_server_time(local_time now) const noexcept
    {
        return detail::ask<server_time>(netclock_client_current_server_time, *this, now);
    }

    /** True if a reply was ever accepted. Any thread, wait-free. */
    [[nodiscard]] bool is_time_synced() const noexcept { return netclock_client_is_time_synced(get()) != 0; }

    /** Everything the clock says at `now`. With not_synced the reading says so too. Any thread, wait-free. */
    [[nodiscard]] result<reading> read(local_time now) const noexcept
    {
        return detail::ask<reading>(netclock_client_read, *this, now);
    }

    /** The local time at which the shown clock reads `time`, as far as is known now. Any thread,
     * wait-free. */
    [[nodiscard]] result<local_time> local_time_at(server_time time) const noexcept
    {
        return detail::ask<local_time>(netclock_client_local_time_at, *this, time);
    }
};

/** Answers requests and remembers nobody. Owns a netclock_server. */
class server : public owned<netclock_server, netclock_server_destroy> {
public:
    using owned::owned;

    /** `epoch` names this run of the server's clock: draw a random number whenever that clock starts. */
    [[nodiscard]] static result<server> create(std::uint64_t epoch) noexcept
    {
        return detail::create<server>(netclock_server_create, epoch);
    }

    /** The reply, sent at `sent`, to a request received at `received`. On an error send nothing. */
    [[nodiscard]] result<reply> respond(
        const request& asked, server_time received, server_time sent) const noexcept
    {
        return detail::ask<reply>(netclock_server_respond, *this, asked, received, sent);
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

/** A request or a reply as a datagram. Errors: wire_stamp. */
template <class Message>
[[nodiscard]] result<datagram> encode(const Message &from) noexcept
{
    datagram to{};
    const status code = encode(from, to.data(), to.size());
    return {code, to};
}

/** Reads a request from a datagram of `size` bytes. Errors: null_argument, wire_... for a datagram to be
 * ignored. */
[[nodiscard]] inline result<request> decode_request(const void *data, std::size_t size) noexcept
{
    return detail::ask<request>(netclock_decode_request, data, size);
}

/** Reads a reply from a datagram of `size` bytes. Errors as decode_request. */
[[nodiscard]] inline result<reply> decode_reply(const void *data, std::size_t size) noexcept
{
    return detail::ask<reply>(netclock_decode_reply, data, size);
}

/**
 * The answer to a datagram that decode_request refused as wire_older or wire_newer. Send it back:
 * decode_reply tells the client in the same words which side is older. nothing_due: it is no request of
 * another version.
 */
[[nodiscard]] inline result<datagram> version_notice(const void *data, std::size_t size) noexcept
{
    return detail::fill<datagram>(netclock_version_notice, data, size);
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

/**
 * One end of the channel for a game's messages under a session key. Owns a netclock_sealed_channel. It opens
 * each message once, so make one for each connection, with a key of its own.
 */
class sealed_channel : public owned<netclock_sealed_channel, netclock_sealed_channel_destroy> {
public:
    using owned::owned;

    /** The end that sends in `way`: to_server for a client. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<sealed_channel> create(const session_key &key, direction way) noexcept
    {
        return detail::create<sealed_channel>(netclock_sealed_channel_create, key, way);
    }

    /**
     * Seals a message of `length` bytes (1 to 1024) into `sealed`, which has room for `capacity` bytes. Gives
     * the length of the sealed message. Errors: null_argument, wire_length, full.
     */
    [[nodiscard]] result<std::size_t> seal(const void *message, std::size_t length, void *sealed,
                                           std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_sealed_channel_seal, *this, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

    /**
     * Opens a datagram of `length` bytes from the other end. On an error ignore the datagram. Errors:
     * not_sealed, forged, replayed, other_direction, other_channel, unknown_key, wire_length, wire_version,
     * null_argument.
     */
    [[nodiscard]] result<opened> open(const void *sealed, std::size_t length) noexcept
    {
        const auto message = detail::ask<const void *>(netclock_sealed_channel_open, *this, sealed, length);
        return {message.code(), message ? opened{*message, length - seal_overhead} : opened{}};
    }
};

/** The keys of a server's sessions. Owns a netclock_session_keys. */
class session_keys : public owned<netclock_session_keys, netclock_session_keys_destroy> {
public:
    using owned::owned;

    /** Without a key, so that every datagram is refused. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<session_keys> create(const session_keys_config &settings = {}) noexcept
    {
        return detail::create<session_keys>(netclock_session_keys_create, settings);
    }

    /** Opens messages sealed with `key` from now on. Errors: bad_config, duplicate, full. */
    status admit(const session_key &key) noexcept
    {
        return detail::call(netclock_session_keys_admit, *this, key);
    }

    /** Forgets the key `id`. Errors: unknown_key. */
    status revoke(std::uint32_t id) noexcept { return detail::call(netclock_session_keys_revoke, *this, id); }

    /**
     * Opens a datagram from a client, once. On an error ignore the datagram. Errors: not_sealed, forged,
     * replayed, other_direction, other_channel, unknown_key, wire_length, wire_version.
     */
    [[nodiscard]] result<opened_by_server> open(const void *sealed, std::size_t length) noexcept
    {
        opened_by_server to;
        const auto code =
            detail::call(netclock_session_keys_open, *this, sealed, length, &to.id, &to.message.data);
        to.message.size = code == status::ok ? length - seal_overhead : 0;
        return {code, to};
    }

    /**
     * Whether a request that was opened with the key `id` may be answered at `now`: ok if so. Errors, on
     * which nothing may be answered: enough_answers, unknown_key.
     */
    status allow(std::uint32_t id, server_time now) noexcept
    {
        return detail::call(netclock_session_keys_allow, *this, id, now);
    }

    /** Seals a message to the client with the key `id`; gives its length. Errors: unknown_key,
     * wire_length. */
    [[nodiscard]] result<std::size_t> seal(std::uint32_t id, const void* message, std::size_t length,
        void* sealed, std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_session_keys_seal, *this, id, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

    /** What became of the messages so far. */
    [[nodiscard]] result<session_key_counts> counts() const noexcept
    {
        return detail::ask<session_key_counts>(netclock_session_keys_counts, *this);
    }
};

} // namespace netclock

#endif /* NETCLOCK_HPP */
