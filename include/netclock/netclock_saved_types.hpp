/*
 * NetClock for C++17: the types of netclock_saved.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_SAVED_TYPES_HPP
#define NETCLOCK_SAVED_TYPES_HPP

#include "netclock/netclock_saved.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** The path of an exchange. */
enum class exchange_path : std::int32_t {
    /** Exchange path: the game's own connection. */
    messages = NETCLOCK_PATH_MESSAGES,
    /** Exchange path: a link. */
    link = NETCLOCK_PATH_LINK,
};

/**
 * An exchange that was passed to a client, and its result. Each time is in ticks of the clock that measured
 * it.
 */
struct sample {
    /**
     * `NETCLOCK_OK` if the client accepted the exchange. Otherwise, the code for the rejection, from
     * `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_SEVERAL_SERVERS`, or `NETCLOCK_STAMP_OUT_OF_RANGE`.
     */
    status outcome = status::ok;
    /** The id of the reply, or zero if the caller matched replies to requests. */
    std::uint64_t id = 0;
    /** Identifies the run of the server's clock, or zero if the transport does not provide it. */
    std::uint64_t epoch = 0;
    /**
     * When the client sent the request, or `NETCLOCK_UNKNOWN_TIME` if the status is
     * `NETCLOCK_UNKNOWN_REQUEST`.
     */
    std::optional<local_time> client_sent{};
    /** When the server received the request. */
    server_time server_received{};
    /** When the server sent the reply. */
    server_time server_sent{};
    /** When the client received the reply. */
    local_time client_received{};
    /** The path of the exchange: `NETCLOCK_PATH_MESSAGES` or `NETCLOCK_PATH_LINK`. */
    exchange_path path = exchange_path::messages;
    /**
     * The longest time that the request may have waited before it was timestamped (ticks). 1 if it was
     * timestamped on arrival, 0 if unknown.
     */
    std::uint32_t server_wait = 0;
    /**
     * The longest time that the reply may have waited before it was timestamped (ticks). 1 if it was
     * timestamped on arrival, 0 if unknown.
     */
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
