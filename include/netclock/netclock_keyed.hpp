/*
 * NetClock for C++17: messages under a session key. On top of netclock.hpp, whose conventions hold.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_KEYED_HPP
#define NETCLOCK_KEYED_HPP

#include "netclock/netclock.hpp"

namespace netclock {

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

#endif /* NETCLOCK_KEYED_HPP */
