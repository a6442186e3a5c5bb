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

/** Whether a link works. */
enum class link_state : std::int32_t {
    /** A client's requests are sent, and none is answered yet. */
    checking = NETCLOCK_LINK_CHECKING,
    /** A client's requests are answered. */
    linked = NETCLOCK_LINK_LINKED,
    /**
     * No request was answered for 2 s. Another check begins 30 s later, or 5 s later if no message was
     * answered for 15 s.
     */
    blocked = NETCLOCK_LINK_BLOCKED,
    /** There is no way to send datagrams. The trouble says why. */
    not_possible = NETCLOCK_LINK_NOT_POSSIBLE,
    /** It is a server's, and answers. */
    serving = NETCLOCK_LINK_SERVING,
};

/** Whether a link's datagrams are marked. */
enum class link_mark : std::int32_t {
    /**
     * Mark of a link's datagrams: none. The settings say so, the system does not mark, or the caller carries
     * them.
     */
    not_marked = NETCLOCK_LINK_NOT_MARKED,
    /** Mark of a link's datagrams: that of packets that build no queue. */
    marked = NETCLOCK_LINK_MARKED,
    /** Mark of a link's datagrams: none any more, because marked ones were dropped on the path. */
    mark_dropped = NETCLOCK_LINK_MARK_DROPPED,
};

/** What stands in the way of a link. */
enum class link_trouble : std::int32_t {
    /** None. */
    none = NETCLOCK_LINK_NO_TROUBLE,
    /**
     * The name of the host is looked up. Ask the player's support whether name service works if it lasts
     * longer than some seconds.
     */
    resolving = NETCLOCK_LINK_RESOLVING,
    /** The host is unknown. Is the name right, and does the player's name service know others? */
    unknown_host = NETCLOCK_LINK_UNKNOWN_HOST,
    /** There is no route to the address. Is the player online, and by this version of IP? */
    no_route = NETCLOCK_LINK_NO_ROUTE,
    /** Nobody listens at the address and port. Does the server run, and is the port the link's? */
    nobody_listens = NETCLOCK_LINK_NOBODY_LISTENS,
    /** The system does not send. Is the player's network up? */
    not_sent = NETCLOCK_LINK_NOT_SENT,
    /**
     * The network reports that it cannot reach the host. Is the address right, and is the server's machine
     * up?
     */
    host_unreachable = NETCLOCK_LINK_HOST_UNREACHABLE,
    /**
     * A firewall on the player's machine or on the path reports that it forbids the link's datagrams. Does it
     * let this program send UDP to the link's port?
     */
    prohibited = NETCLOCK_LINK_PROHIBITED,
    /** The system opens no socket. Does the program leave files or sockets open? */
    no_socket = NETCLOCK_LINK_NO_SOCKET,
    /**
     * Another link of the same client was created later, and the client follows that one. Does the game
     * forget to destroy the first?
     */
    replaced = NETCLOCK_LINK_REPLACED,
    /** The server hears another client with the same key. Does the game send one player's key to another? */
    key_in_use = NETCLOCK_LINK_KEY_IN_USE,
};

/** Where arrival stamps come from. */
enum class link_stamps : std::int32_t {
    /** No datagram has come yet. */
    none = NETCLOCK_LINK_NO_STAMPS,
    /** By the kernel, when a datagram comes off the network. */
    kernel = NETCLOCK_LINK_STAMPS_KERNEL,
    /** By the thread that receives. */
    thread = NETCLOCK_LINK_STAMPS_THREAD,
    /** By the caller, who carries its datagrams. */
    caller = NETCLOCK_LINK_STAMPS_CALLER,
};

/** What a link does. */
struct link_report {
    /** Whether it works. */
    link_state state = link_state::checking;
    /** What stands in its way. */
    link_trouble trouble = link_trouble::none;
    /** Where arrival stamps come from. */
    link_stamps stamps = link_stamps::none;
    /** Requests: a client's own, or those of all clients that a server answered. */
    std::uint64_t requests = 0;
    /** Replies that a client used. */
    std::uint64_t replies = 0;
    /** Datagrams that were not sealed with a known key, or that were no messages of this end. */
    std::uint64_t foreign = 0;
    /**
     * Replies that a client could not use: late, or contradicting the clock. Requests that a server did not
     * answer for want of budget.
     */
    std::uint64_t refused = 0;
    /** Datagrams that the system did not send. */
    std::uint64_t unsent = 0;
    /** Whether its datagrams are marked as building no queue. */
    link_mark mark = link_mark::not_marked;
};

/** Settings of a server's link. */
struct link_server_config {
    /** Most keys at a time; memory for them is taken at once. (1 to 65536, default 64) */
    std::uint32_t capacity = 0;
    /** Answers a second to all clients together. (1 to 1000000, default 20000) */
    std::uint32_t answers = 0;
    /** Server time minus `netclock_monotonic_now`. (default 0) */
    ticks clock_offset{};
    /** It has no thread. Call its `_poll` every frame. */
    bool polled = false;
    /** Stamp arrivals by the thread, even where the kernel does it. For comparisons. */
    bool thread_stamps = false;
    /**
     * It has neither socket nor thread. The caller carries its datagrams and stamps them, with
     * `netclock_link_client_due`, `netclock_link_client_handle` and `netclock_link_server_answer`. For
     * systems whose sockets this library does not know.
     */
    bool carried = false;
    /**
     * Leave its datagrams unmarked. Otherwise requests for the time and their answers have the DSCP 45 of
     * packets that build no queue (RFC 9956), except on Windows, which does not mark them. Where marked ones
     * are dropped, a client notices within seconds and leaves them unmarked. Carried links mark nothing.
     */
    bool no_mark = false;
};

/** Settings of a client's link. */
struct link_client_config {
    /**
     * The client's local time minus `netclock_monotonic_now`. It must be the local time of all other calls on
     * the client. (default 0)
     */
    ticks clock_offset{};
    /**
     * Mean time between requests by the link, once settled. A client that asks often because frames hold its
     * messages need not ask as often here. (50 ms to 10 min, default 5 s, or the client's `steady_interval`
     * if that is longer)
     */
    ticks steady_interval{};
    /**
     * Mean time between requests by the game's messages while the link is good. (50 ms to 10 min, default
     * twice `steady_interval`)
     */
    ticks message_interval{};
    /** It has no thread. Call its `_poll` every frame. */
    bool polled = false;
    /** Stamp arrivals by the thread, even where the kernel does it. For comparisons. */
    bool thread_stamps = false;
    /**
     * It has neither socket nor thread. The caller carries its datagrams and stamps them, with
     * `netclock_link_client_due`, `netclock_link_client_handle` and `netclock_link_server_answer`. For
     * systems whose sockets this library does not know.
     */
    bool carried = false;
    /**
     * Leave its datagrams unmarked. Otherwise requests for the time and their answers have the DSCP 45 of
     * packets that build no queue (RFC 9956), except on Windows, which does not mark them. Where marked ones
     * are dropped, a client notices within seconds and leaves them unmarked. Carried links mark nothing.
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
