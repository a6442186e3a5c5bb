/*
 * NetClock for C++17: the types of netclock_saved.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_SAVED_TYPES_HPP
#define NETCLOCK_SAVED_TYPES_HPP

#include "netclock/netclock_saved.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** How important a message is; smaller is more important. */
enum class log_level : std::int32_t {
    /** A bug in NetClock; the client is useless from now on. */
    error = NETCLOCK_LOG_ERROR,
    /** The clock jumped or is less good than it should be, or a call was wrong. */
    warning = NETCLOCK_LOG_WARNING,
    /** The clock is in sync, for the first time or again. */
    info = NETCLOCK_LOG_INFO,
    /** A reply was refused, and why. */
    debug = NETCLOCK_LOG_DEBUG,
};

/** A way of exchanges. */
enum class exchange_path : std::int32_t {
    /** The game's own messages. */
    messages = NETCLOCK_PATH_MESSAGES,
    /** A link. */
    link = NETCLOCK_PATH_LINK,
};

/** An exchange that a client was given, and its outcome. */
struct sample {
    /**
     * `NETCLOCK_OK`: accepted. Otherwise why it was refused: from `NETCLOCK_UNKNOWN_REQUEST` to
     * `NETCLOCK_SEVERAL_SERVERS`, or `NETCLOCK_STAMP_OUT_OF_RANGE`.
     */
    status outcome = status::ok;
    /** The reply's id. Zero if the caller matched replies to requests. */
    std::uint64_t id = 0;
    /** The run of the server's clock; zero if the transport does not know it. */
    std::uint64_t epoch = 0;
    /** When the client sent the request; empty if the status is `NETCLOCK_UNKNOWN_REQUEST`. */
    std::optional<local_time> client_sent{};
    /** When the server received it. */
    server_time server_received{};
    /** When the server sent the reply. */
    server_time server_sent{};
    /** When the client received it. */
    local_time client_received{};
    /** By which path it came: `NETCLOCK_PATH_MESSAGES` or `NETCLOCK_PATH_LINK`. */
    exchange_path path = exchange_path::messages;
    /**
     * The longest time that the request can have waited for its stamp; 1: it was stamped on arrival; 0:
     * unknown.
     */
    std::uint32_t server_wait = 0;
    /** The same for the reply. */
    std::uint32_t client_wait = 0;
};

namespace detail {

inline netclock_sample to_c(const sample &from) noexcept
{
    auto to = sized<netclock_sample>();
    to.status = static_cast<netclock_status>(from.outcome);
    to.id = from.id;
    to.epoch = from.epoch;
    to.client_sent = count(from.client_sent, NETCLOCK_UNKNOWN_TIME);
    to.server_received = count(from.server_received);
    to.server_sent = count(from.server_sent);
    to.client_received = count(from.client_received);
    to.path = static_cast<std::int32_t>(from.path);
    to.server_wait = from.server_wait;
    to.client_wait = from.client_wait;
    return to;
}

inline sample from_c(const netclock_sample &from) noexcept
{
    sample to;
    to.outcome = status{from.status};
    to.id = from.id;
    to.epoch = from.epoch;
    to.client_sent = known<local_time>(from.client_sent, NETCLOCK_UNKNOWN_TIME);
    to.server_received = from_count<server_time>(from.server_received);
    to.server_sent = from_count<server_time>(from.server_sent);
    to.client_received = from_count<local_time>(from.client_received);
    to.path = static_cast<exchange_path>(from.path);
    to.server_wait = from.server_wait;
    to.client_wait = from.client_wait;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_SAVED_TYPES_HPP */
