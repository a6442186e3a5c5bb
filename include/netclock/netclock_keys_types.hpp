/*
 * NetClock for C++17: the types of netclock_keys.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_KEYS_TYPES_HPP
#define NETCLOCK_KEYS_TYPES_HPP

#include "netclock/netclock_keys.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** The direction of a message. */
enum class direction : std::int32_t {
    /** Direction: from the client to the server. */
    to_server = NETCLOCK_TO_SERVER,
    /** Direction: from the server to the client. */
    to_client = NETCLOCK_TO_CLIENT,
};

/**
 * A 128-bit secret that a client and its server share for one connection, and the number that identifies the
 * key to the server. Draw both halves of the secret from the operating system's random number generator, and
 * send them to the client over a private channel. Anyone who has the key can forge the messages of both
 * sides.
 */
struct session_key {
    /** The first eight bytes of the secret, in big-endian order. The two halves must not both be zero. */
    seed secret{};
    /** Identifies the key to the server. The number is not secret, but it must differ between sessions. */
    std::uint32_t id = 0;
    /**
     * How many times this side has already created a link or a connection with this key. If the number is too
     * low, the other side rejects everything as a replay. Any number that increases each time works. Servers
     * pass zero.
     */
    std::uint32_t restarts = 0;
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

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_KEYS_TYPES_HPP */
