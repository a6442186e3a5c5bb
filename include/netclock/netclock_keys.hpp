/*
 * NetClock for C++17: session keys.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_keys.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_KEYS_HPP
#define NETCLOCK_KEYS_HPP

#include "netclock/netclock_keys_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

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
 * One end of the channel for a game's messages under a session key. It has 1 KiB at most. Calls on it wait
 * for each other.
 *
 * It numbers what it seals, and opens each message once: the other end's newest 256 in any order, none that
 * is older. So make one for each connection, with a key of its own. A server has session_keys::create for the
 * channels of all its clients. Owns a netclock_sealed_channel.
 */
class sealed_channel : public owned<netclock_sealed_channel, netclock_sealed_channel_destroy> {
public:
    using owned::owned;

    /**
     * Creates the end of a channel that sends in `given`. A client sends in direction::to_server, and a
     * server in direction::to_client. Errors: abi_mismatch, bad_config for the key, out_of_range for another
     * direction, out_of_memory.
     */
    [[nodiscard]] static result<sealed_channel> create(const session_key &key, direction given) noexcept
    {
        return detail::create<sealed_channel>(netclock_sealed_channel_create, key, given);
    }

    /**
     * Seals a message of `length` bytes (1 to 1024): any of NetClock's, as it is. Writes `length` +
     * NETCLOCK_SEAL_OVERHEAD bytes to where there is room for `capacity`, not overlapping the message. Send
     * those in its place, once: seal a message that you repeat again. Errors: wire_length for another length
     * or too little room, full (no number is left), forked.
     */
    [[nodiscard]] result<std::size_t> seal(const void *message, std::size_t length, void *sealed,
                                           std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_sealed_channel_seal, *this, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

    /**
     * Opens a datagram of `length` bytes that came from the other end. The message begins at `message` in it,
     * and is NETCLOCK_SEAL_OVERHEAD bytes shorter. On an error ignore the datagram, and answer nothing.
     * Errors: not_sealed (a message without a seal, which a side that has a key must not use), forged,
     * replayed, other_direction, other_channel, unknown_key, wire_length, wire_older, wire_newer, forked.
     */
    [[nodiscard]] result<opened> open(const void *sealed, std::size_t length) noexcept
    {
        const auto message = detail::ask<const void *>(netclock_sealed_channel_open, *this, sealed, length);
        return {message.code(), message ? opened{*message, length - seal_overhead} : opened{}};
    }
};

/**
 * The keys of a server's sessions, for a game's messages. They have 10 KiB at most for 64 sessions, and never
 * grow. Calls on them wait for each other.
 *
 * For every datagram: open it. If the message is a request, ask session_keys::allow whether it may be
 * answered, and seal the answer. Send it to the address that the request came from, and to no other. Owns a
 * netclock_session_keys.
 */
class session_keys : public owned<netclock_session_keys, netclock_session_keys_destroy> {
public:
    using owned::owned;

    /**
     * Creates a set of session keys. It has no key yet, so it refuses every datagram. Errors: abi_mismatch,
     * bad_config, out_of_memory.
     */
    [[nodiscard]] static result<session_keys> create(const session_keys_config &settings = {}) noexcept
    {
        return detail::create<session_keys>(netclock_session_keys_create, settings);
    }

    /**
     * Opens messages sealed with `key` from now on. Admit no key a second time: what was sealed with it
     * before would be opened again. Errors: bad_config (the secret is zero), duplicate (its id is in use),
     * full.
     */
    status admit(const session_key &key) noexcept
    {
        return detail::call(netclock_session_keys_admit, *this, key);
    }

    /** Forgets the key `id`: its messages are refused from now on. Errors: unknown_key. */
    status revoke(std::uint32_t id) noexcept
    {
        return detail::call(netclock_session_keys_revoke, *this, id);
    }

    /**
     * Opens a datagram of `length` bytes from a client, once. `id` is that of its key. The message begins at
     * `message` in the datagram, and is NETCLOCK_SEAL_OVERHEAD bytes shorter. On an error ignore the
     * datagram, and answer nothing. Refusals are counted, except a length that no sealed message has. Errors:
     * not_sealed, forged, replayed, other_direction, other_channel, unknown_key, wire_length, wire_older,
     * wire_newer.
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
     * Whether a request that was opened with the key `id` at server time `now` may be answered: ok if so. It
     * spends one answer of the session's budget. Errors: enough_answers, unknown_key (do not answer),
     * stamp_out_of_range.
     */
    status allow(std::uint32_t id, server_time now) noexcept
    {
        return detail::call(netclock_session_keys_allow, *this, id, now);
    }

    /**
     * Seals a message of `length` bytes to the client with the key `id`, as sealed_channel::seal does.
     * Errors: unknown_key, wire_length, full.
     */
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

#endif /* NETCLOCK_KEYS_HPP */
