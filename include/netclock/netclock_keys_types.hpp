/*
 * NetClock for C++17: the types of netclock_keys.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_KEYS_TYPES_HPP
#define NETCLOCK_KEYS_TYPES_HPP

#include "netclock/netclock_keys.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** Which way a message went. */
enum class direction : std::int32_t {
    /** Sent by the client, received by the server. */
    to_server = NETCLOCK_TO_SERVER,
    /** Sent by the server, received by the client. */
    to_client = NETCLOCK_TO_CLIENT,
};

/**
 * A secret of 128 bits that a client and its server share for one connection, and the number by which the
 * server finds it. Draw both halves of the secret from the operating system. Give them to the client over a
 * channel that nobody else can read: anyone who has the key can forge both sides.
 */
struct session_key {
    /** The secret: its first eight bytes, the first one highest. Not both halves may be zero. */
    seed secret{};
    /** The number by which the server finds the key. It is no secret; each session has another one. */
    std::uint32_t id = 0;
    /**
     * How often this side made a link, or a sealed channel, with this key before. All that is sealed is
     * refused as a replay until the number is right; any number that grows will do. Zero for a server.
     */
    std::uint32_t restarts = 0;
};

/** Settings of session keys. */
struct session_keys_config {
    /** Most sessions at a time; memory for them is taken at creation. (1 to 65536, default 64) */
    std::uint32_t capacity = 0;
    /** Answers a second to each session. As many may be given at once. (1 to 10000, default 100) */
    std::uint32_t answers = 0;
};

/** What became of the messages that came to a server with session keys. */
struct session_key_counts {
    /** Opened: made by a holder of the key. */
    std::uint64_t opened = 0;
    /** Refused: without a seal, or no sealed message to a server. */
    std::uint64_t malformed = 0;
    /** Refused: sealed with a key that is not known here. */
    std::uint64_t unknown_key = 0;
    /** Refused: the tag was wrong. */
    std::uint64_t forged = 0;
    /** Refused: came before, or was too old to know. */
    std::uint64_t replayed = 0;
    /** Requests that were not to be answered, because the session had used up its budget. */
    std::uint64_t over_budget = 0;
};

namespace detail {

inline netclock_session_key to_c(const session_key &from) noexcept
{
    auto to = sized<netclock_session_key>();
    to.secret_high = from.secret.high;
    to.secret_low = from.secret.low;
    to.id = from.id;
    to.restarts = from.restarts;
    return to;
}

inline session_key from_c(const netclock_session_key &from) noexcept
{
    session_key to;
    to.secret = {from.secret_high, from.secret_low};
    to.id = from.id;
    to.restarts = from.restarts;
    return to;
}

inline netclock_session_keys_config to_c(const session_keys_config &from) noexcept
{
    auto to = sized<netclock_session_keys_config>();
    to.capacity = from.capacity;
    to.answers = from.answers;
    return to;
}

inline session_keys_config from_c(const netclock_session_keys_config &from) noexcept
{
    session_keys_config to;
    to.capacity = from.capacity;
    to.answers = from.answers;
    return to;
}

inline netclock_session_key_counts to_c(const session_key_counts &from) noexcept
{
    auto to = sized<netclock_session_key_counts>();
    to.opened = from.opened;
    to.malformed = from.malformed;
    to.unknown_key = from.unknown_key;
    to.forged = from.forged;
    to.replayed = from.replayed;
    to.over_budget = from.over_budget;
    return to;
}

inline session_key_counts from_c(const netclock_session_key_counts &from) noexcept
{
    session_key_counts to;
    to.opened = from.opened;
    to.malformed = from.malformed;
    to.unknown_key = from.unknown_key;
    to.forged = from.forged;
    to.replayed = from.replayed;
    to.over_budget = from.over_budget;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_KEYS_TYPES_HPP */
