/*
 * NetClock for C++17: the types of netclock_link.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_LINK_TYPES_HPP
#define NETCLOCK_LINK_TYPES_HPP

#include "netclock/netclock_link.h"
#include "netclock/netclock_types.hpp"
#include "netclock/netclock_keys_types.hpp"

namespace netclock {

/** The state of a link. */
enum class link_state : std::int32_t {
    /** Link state: the client is sending requests but has not received a reply yet. */
    checking = NETCLOCK_LINK_CHECKING,
    /** Link state: the client is receiving replies. */
    linked = NETCLOCK_LINK_LINKED,
    /**
     * Link state: the client has received no reply for 2 s. The link tries again after 30 s, or after 5 s if
     * no message over the game's connection was answered for 15 s.
     */
    blocked = NETCLOCK_LINK_BLOCKED,
    /** Link state: datagrams cannot be sent. `trouble` contains the reason. */
    not_possible = NETCLOCK_LINK_NOT_POSSIBLE,
    /** Link state: the link belongs to a server and answers requests. */
    serving = NETCLOCK_LINK_SERVING,
};

/** The mark of a link's datagrams. */
enum class link_mark : std::int32_t {
    /**
     * Link marking: the datagrams are not marked, because the settings disable it, because the system cannot
     * mark datagrams, or because the caller transports them.
     */
    not_marked = NETCLOCK_LINK_NOT_MARKED,
    /** Link marking: the datagrams are marked as non-queue-building. */
    marked = NETCLOCK_LINK_MARKED,
    /**
     * Link marking: the datagrams are no longer marked, because marked datagrams were dropped on the path.
     */
    mark_dropped = NETCLOCK_LINK_MARK_DROPPED,
};

/** The problem of a link. */
enum class link_trouble : std::int32_t {
    /** Link trouble: none. */
    none = NETCLOCK_LINK_NO_TROUBLE,
    /**
     * Link trouble: the host name is being resolved. If this takes more than a few seconds, check the
     * player's DNS.
     */
    resolving = NETCLOCK_LINK_RESOLVING,
    /**
     * Link trouble: the host is unknown. Check the host name and whether the player's DNS resolves other
     * names.
     */
    unknown_host = NETCLOCK_LINK_UNKNOWN_HOST,
    /**
     * Link trouble: there is no route to the address. Check that the player is online and that the network
     * supports this version of IP.
     */
    no_route = NETCLOCK_LINK_NO_ROUTE,
    /**
     * Link trouble: no program is listening at the address and port. Check that the server is running and
     * that this is the link's port.
     */
    nobody_listens = NETCLOCK_LINK_NOBODY_LISTENS,
    /** Link trouble: the system cannot send the datagrams. Check whether the player's network is up. */
    not_sent = NETCLOCK_LINK_NOT_SENT,
    /**
     * Link trouble: the network reports that the host is unreachable. Check the address, and whether the
     * server's machine is up.
     */
    host_unreachable = NETCLOCK_LINK_HOST_UNREACHABLE,
    /**
     * Link trouble: a firewall on the player's machine or on the path reports that it blocks the datagrams.
     * Allow this program to send UDP to the link's port.
     */
    prohibited = NETCLOCK_LINK_PROHIBITED,
    /** Link trouble: the system cannot open a socket. Check whether the program leaks files or sockets. */
    no_socket = NETCLOCK_LINK_NO_SOCKET,
    /** Link trouble: the client now follows a link that was created later. Destroy the earlier link. */
    replaced = NETCLOCK_LINK_REPLACED,
    /** Link trouble: another client sends requests with the same key. Send each key to only one player. */
    key_in_use = NETCLOCK_LINK_KEY_IN_USE,
};

/** The source of arrival timestamps. */
enum class link_stamps : std::int32_t {
    /** Link timestamps: none, because no datagram has arrived yet. */
    none = NETCLOCK_LINK_NO_STAMPS,
    /** Link timestamps: taken by the kernel when a datagram arrives from the network. */
    kernel = NETCLOCK_LINK_STAMPS_KERNEL,
    /** Link timestamps: taken by the receiving thread. */
    thread = NETCLOCK_LINK_STAMPS_THREAD,
    /** Link timestamps: taken by the caller, who transports the datagrams. */
    caller = NETCLOCK_LINK_STAMPS_CALLER,
};

/** The state of a link. */
struct link_report {
    /** The state of the link, one of `NETCLOCK_LINK_CHECKING` to `NETCLOCK_LINK_SERVING`. */
    link_state state = link_state::checking;
    /**
     * The link's problem, one of `NETCLOCK_LINK_NO_TROUBLE` to `NETCLOCK_LINK_REPLACED`, or
     * `NETCLOCK_LINK_KEY_IN_USE`.
     */
    link_trouble trouble = link_trouble::none;
    /**
     * The source of arrival timestamps, one of `NETCLOCK_LINK_NO_STAMPS` to `NETCLOCK_LINK_STAMPS_CALLER`.
     */
    link_stamps stamps = link_stamps::none;
    /** The number of requests that the client sent or the server answered. */
    std::uint64_t requests = 0;
    /** The number of replies that the client used. */
    std::uint64_t replies = 0;
    /** The number of datagrams that were not sealed with a known key or were not meant for this end. */
    std::uint64_t foreign = 0;
    /**
     * For a client, the number of replies that were too late or contradicted the clock. For a server, the
     * number of requests that it did not answer because it had reached a limit.
     */
    std::uint64_t refused = 0;
    /** The number of datagrams that the system could not send. */
    std::uint64_t unsent = 0;
    /**
     * Whether the datagrams are marked as non-queue-building, one of `NETCLOCK_LINK_NOT_MARKED` to
     * `NETCLOCK_LINK_MARK_DROPPED`.
     */
    link_mark mark = link_mark::not_marked;
    /** The UDP port on which a server's link listens. Zero for a client's link and for a carried link. */
    std::uint32_t port = 0;
};

/** Server link settings. A zero field selects its default. */
struct link_server_config {
    /**
     * The maximum number of keys. The link allocates memory for all of them when it is created. (1 to 65536,
     * default 64)
     */
    std::uint32_t capacity = 0;
    /** The maximum number of replies per second across all clients. (1 to 1000000, default 20000) */
    std::uint32_t answers = 0;
    /** Server time minus `netclock_monotonic_now`, in ticks. (default 0) */
    ticks clock_offset{};
    /** Link flag: the link has no thread. Call the link's `_poll` function every frame. */
    bool polled = false;
    /**
     * Link flag: the link's thread timestamps arrivals, even if the kernel could. Use this to compare the
     * two.
     */
    bool thread_stamps = false;
    /**
     * Link flag: the link has neither a socket nor a thread. The caller transports and timestamps its
     * datagrams with `netclock_link_client_due`, `netclock_link_client_handle` and
     * `netclock_link_server_answer`. Use this flag on systems whose sockets this library does not support.
     */
    bool carried = false;
    /**
     * Link flag: the link does not mark its datagrams. Without this flag, time requests and their replies
     * carry DSCP 45 for non-queue-building traffic (RFC 9956), except on Windows. If the path drops marked
     * datagrams, the client notices within seconds and stops marking them. Carried links never mark their
     * datagrams.
     */
    bool no_mark = false;
};

/** Client link settings. A zero field selects its default. */
struct link_client_config {
    /**
     * The client's local time minus `netclock_monotonic_now`, in ticks. The local times in all other calls on
     * this client must include the same offset. (default 0)
     */
    ticks clock_offset{};
    /**
     * The mean time between requests over the link in steady state. Frames do not delay these requests, so
     * the link needs fewer of them than the game's connection. (ticks, 50 ms to 10 min, default 5 s, or the
     * client's `steady_interval` if that is longer)
     */
    ticks steady_interval{};
    /**
     * The mean time between requests over the game's connection while the link works. (ticks, 50 ms to 10
     * min, default twice `steady_interval`)
     */
    ticks message_interval{};
    /** Link flag: the link has no thread. Call the link's `_poll` function every frame. */
    bool polled = false;
    /**
     * Link flag: the link's thread timestamps arrivals, even if the kernel could. Use this to compare the
     * two.
     */
    bool thread_stamps = false;
    /**
     * Link flag: the link has neither a socket nor a thread. The caller transports and timestamps its
     * datagrams with `netclock_link_client_due`, `netclock_link_client_handle` and
     * `netclock_link_server_answer`. Use this flag on systems whose sockets this library does not support.
     */
    bool carried = false;
    /**
     * Link flag: the link does not mark its datagrams. Without this flag, time requests and their replies
     * carry DSCP 45 for non-queue-building traffic (RFC 9956), except on Windows. If the path drops marked
     * datagrams, the client notices within seconds and stops marking them. Carried links never mark their
     * datagrams.
     */
    bool no_mark = false;
};

namespace detail {

inline netclock_link_report to_c(const link_report &from) noexcept
{
    auto to = sized<netclock_link_report>();
    to.state = static_cast<std::int32_t>(from.state);
    to.trouble = static_cast<std::int32_t>(from.trouble);
    to.stamps = static_cast<std::int32_t>(from.stamps);
    to.requests = from.requests;
    to.replies = from.replies;
    to.foreign = from.foreign;
    to.refused = from.refused;
    to.unsent = from.unsent;
    to.mark = static_cast<std::int32_t>(from.mark);
    to.port = from.port;
    return to;
}

inline link_report from_c(const netclock_link_report &from) noexcept
{
    link_report to;
    to.state = static_cast<link_state>(from.state);
    to.trouble = static_cast<link_trouble>(from.trouble);
    to.stamps = static_cast<link_stamps>(from.stamps);
    to.requests = from.requests;
    to.replies = from.replies;
    to.foreign = from.foreign;
    to.refused = from.refused;
    to.unsent = from.unsent;
    to.mark = static_cast<link_mark>(from.mark);
    to.port = from.port;
    return to;
}

inline netclock_link_server_config to_c(const link_server_config &from) noexcept
{
    auto to = sized<netclock_link_server_config>();
    to.capacity = from.capacity;
    to.answers = from.answers;
    to.clock_offset = count(from.clock_offset);
    to.flags |= from.polled ? NETCLOCK_LINK_POLLED : 0U;
    to.flags |= from.thread_stamps ? NETCLOCK_LINK_THREAD_STAMPS : 0U;
    to.flags |= from.carried ? NETCLOCK_LINK_CARRIED : 0U;
    to.flags |= from.no_mark ? NETCLOCK_LINK_NO_MARK : 0U;
    return to;
}

inline link_server_config from_c(const netclock_link_server_config &from) noexcept
{
    link_server_config to;
    to.capacity = from.capacity;
    to.answers = from.answers;
    to.clock_offset = from_count<ticks>(from.clock_offset);
    to.polled = (from.flags & NETCLOCK_LINK_POLLED) != 0;
    to.thread_stamps = (from.flags & NETCLOCK_LINK_THREAD_STAMPS) != 0;
    to.carried = (from.flags & NETCLOCK_LINK_CARRIED) != 0;
    to.no_mark = (from.flags & NETCLOCK_LINK_NO_MARK) != 0;
    return to;
}

inline netclock_link_client_config to_c(const link_client_config &from) noexcept
{
    auto to = sized<netclock_link_client_config>();
    to.clock_offset = count(from.clock_offset);
    to.steady_interval = count(from.steady_interval);
    to.message_interval = count(from.message_interval);
    to.flags |= from.polled ? NETCLOCK_LINK_POLLED : 0U;
    to.flags |= from.thread_stamps ? NETCLOCK_LINK_THREAD_STAMPS : 0U;
    to.flags |= from.carried ? NETCLOCK_LINK_CARRIED : 0U;
    to.flags |= from.no_mark ? NETCLOCK_LINK_NO_MARK : 0U;
    return to;
}

inline link_client_config from_c(const netclock_link_client_config &from) noexcept
{
    link_client_config to;
    to.clock_offset = from_count<ticks>(from.clock_offset);
    to.steady_interval = from_count<ticks>(from.steady_interval);
    to.message_interval = from_count<ticks>(from.message_interval);
    to.polled = (from.flags & NETCLOCK_LINK_POLLED) != 0;
    to.thread_stamps = (from.flags & NETCLOCK_LINK_THREAD_STAMPS) != 0;
    to.carried = (from.flags & NETCLOCK_LINK_CARRIED) != 0;
    to.no_mark = (from.flags & NETCLOCK_LINK_NO_MARK) != 0;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_LINK_TYPES_HPP */
