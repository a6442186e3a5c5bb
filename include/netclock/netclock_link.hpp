/*
 * NetClock for C++17: the link, a transport of its own beside the game's. On top of netclock.hpp, whose conventions hold.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * netclock.h describes each call.
 */

#ifndef NETCLOCK_LINK_HPP
#define NETCLOCK_LINK_HPP

#include "netclock/netclock_link.h"
#include "netclock/netclock.hpp"

namespace netclock {

/** Whether a link works. */
enum class link_state : std::int32_t {
    /** Requests are sent, and none is answered yet. */
    checking = NETCLOCK_LINK_CHECKING,
    /** Requests are answered. */
    linked = NETCLOCK_LINK_LINKED,
    /** No request was answered for 2 s. Another check begins 30 s later, or 5 s later if no message was answered for 15 s. */
    blocked = NETCLOCK_LINK_BLOCKED,
    /** There is no way to send datagrams. */
    not_possible = NETCLOCK_LINK_NOT_POSSIBLE,
    /** A server's end, which answers. */
    serving = NETCLOCK_LINK_SERVING
};

/** What stands in the way of a link. */
enum class link_trouble : std::int32_t {
    none = NETCLOCK_LINK_NO_TROUBLE,
    /** The name of the host is looked up. */
    resolving = NETCLOCK_LINK_RESOLVING,
    unknown_host = NETCLOCK_LINK_UNKNOWN_HOST,
    no_route = NETCLOCK_LINK_NO_ROUTE,
    nobody_listens = NETCLOCK_LINK_NOBODY_LISTENS,
    /** The system does not send. */
    not_sent = NETCLOCK_LINK_NOT_SENT
};

/** Where arrival stamps come from. */
enum class link_stamps : std::int32_t {
    none = NETCLOCK_LINK_NO_STAMPS,
    kernel = NETCLOCK_LINK_STAMPS_KERNEL,
    thread = NETCLOCK_LINK_STAMPS_THREAD,
    /** The caller, who carries its datagrams. */
    caller = NETCLOCK_LINK_STAMPS_CALLER
};

/** A state, a trouble or an origin of stamps in words. */
inline const char *text(link_state of) noexcept { return netclock_link_text(static_cast<std::int32_t>(of)); }
inline const char *text(link_trouble of) noexcept { return netclock_link_text(static_cast<std::int32_t>(of)); }
inline const char *text(link_stamps of) noexcept { return netclock_link_text(static_cast<std::int32_t>(of)); }

/** Settings of a server's link. Zero means the default. */
struct link_server_config {
    /** Without a thread: call link_server::poll every frame. */
    bool polled = false;
    /** Stamp arrivals by the thread, even where the kernel does it. For comparisons. */
    bool thread_stamps = false;
    /** Without a socket: the caller carries its datagrams, with link_server::answer. */
    bool carried = false;
    /** Most keys at a time. (1 to 65536, default 64) */
    std::uint32_t capacity = 0;
    /** Answers a second to all clients together. (1 to 1000000, default 20000) */
    std::uint32_t answers = 0;
    /** Server time minus monotonic_now. */
    ticks clock_offset{};
};

/** Settings of a client's link. Zero means the default. */
struct link_client_config {
    /** Without a thread: call link_client::poll every frame. */
    bool polled = false;
    /** Stamp arrivals by the thread, even where the kernel does it. For comparisons. */
    bool thread_stamps = false;
    /** Ask the server for its authority, too. */
    bool authority = false;
    /** Without a socket: the caller carries its datagrams, with link_client::due and link_client::handle. */
    bool carried = false;
    /** The client's local time minus monotonic_now. */
    ticks clock_offset{};
    /** Mean time between requests by the link. (50 ms to 10 min, default the client's) */
    ticks steady_interval{};
    /** Mean time between requests by the game's messages while the link is good. (50 ms to 10 min, default twice that of the
     *  link) */
    ticks message_interval{};
};

/** A datagram of a link. */
using link_datagram = std::array<std::uint8_t, NETCLOCK_LINK_DATAGRAM_SIZE>;

/** What a link does. */
struct link_report {
    link_state state = link_state::checking;
    link_trouble trouble = link_trouble::none;
    link_stamps stamps = link_stamps::none;
    std::uint64_t requests = 0;
    std::uint64_t replies = 0;
    std::uint64_t foreign = 0;
    std::uint64_t refused = 0;
    std::uint64_t unsent = 0;
};

namespace detail {

inline netclock_link_server_config to_c(const link_server_config &from) noexcept
{
    netclock_link_server_config to{};
    to.struct_size = struct_size<netclock_link_server_config>();
    to.flags = (from.polled ? NETCLOCK_LINK_POLLED : 0U) | (from.thread_stamps ? NETCLOCK_LINK_THREAD_STAMPS : 0U) |
               (from.carried ? NETCLOCK_LINK_CARRIED : 0U);
    to.capacity = from.capacity;
    to.answers = from.answers;
    to.clock_offset = from.clock_offset.count();
    return to;
}

inline netclock_link_client_config to_c(const link_client_config &from) noexcept
{
    netclock_link_client_config to{};
    to.struct_size = struct_size<netclock_link_client_config>();
    to.flags = (from.polled ? NETCLOCK_LINK_POLLED : 0U) | (from.thread_stamps ? NETCLOCK_LINK_THREAD_STAMPS : 0U) |
               (from.authority ? NETCLOCK_LINK_AUTHORITY : 0U) | (from.carried ? NETCLOCK_LINK_CARRIED : 0U);
    to.clock_offset = from.clock_offset.count();
    to.steady_interval = from.steady_interval.count();
    to.message_interval = from.message_interval.count();
    return to;
}

/** A report by a function of C that fills one. */
template <class Handle>
result<link_report> report_of(netclock_status (*fill)(const Handle *, netclock_link_report *), const Handle *link) noexcept
{
    netclock_link_report raw{};
    raw.struct_size = struct_size<netclock_link_report>();
    const auto code = status{fill(link, &raw)};
    link_report found;
    if (code == status::ok) {
        found.state = link_state{raw.state};
        found.trouble = link_trouble{raw.trouble};
        found.stamps = link_stamps{raw.stamps};
        found.requests = raw.requests;
        found.replies = raw.replies;
        found.foreign = raw.foreign;
        found.refused = raw.refused;
        found.unsent = raw.unsent;
    }
    return {code, found};
}

struct destroy_link {
    void operator()(netclock_link_server *handle) const noexcept
    {
        static_cast<void>(netclock_link_server_destroy(handle));
    }
    void operator()(netclock_link_client *handle) const noexcept
    {
        static_cast<void>(netclock_link_client_destroy(handle));
    }
};

} // namespace detail

/** A server's end of a link. Owns a netclock_link_server. */
class link_server {
public:
    /** Owns nothing. */
    link_server() noexcept = default;

    /** Takes over a handle made by netclock_link_server_create. */
    explicit link_server(netclock_link_server *handle) noexcept : handle_{handle} {}

    /**
     * Listens at `port` (0: a free one) of `address` (null: all of this machine's). `epoch` is a random number that
     * names this run of the server's clock. Errors: abi_mismatch, bad_config, bad_address, port_in_use, no_permission,
     * no_socket, no_thread.
     */
    [[nodiscard]] static result<link_server> create(std::uint16_t port, std::uint64_t epoch,
                                                    const link_server_config &settings = {},
                                                    const char *address = nullptr) noexcept
    {
        if (abi_version() != NETCLOCK_ABI_VERSION) {
            return {status::abi_mismatch, link_server{}};
        }
        const netclock_link_server_config chosen = detail::to_c(settings);
        netclock_link_server *handle = nullptr;
        const auto code = status{netclock_link_server_create(&chosen, address, port, epoch, &handle)};
        return {code, link_server{handle}};
    }

    /** The port that it listens at. Errors: carried. */
    [[nodiscard]] result<std::uint16_t> port() const noexcept
    {
        std::uint16_t found = 0;
        const auto code = status{netclock_link_server_port(get(), &found)};
        return {code, found};
    }

    /** Answers the holder of `key` from now on. Errors: bad_config, duplicate, full. */
    status admit(const session_key &key) noexcept
    {
        const netclock_session_key from = detail::to_c(key);
        return status{netclock_link_server_admit(get(), &from)};
    }

    /** Forgets the key `id`. Errors: unknown_key. */
    status revoke(std::uint32_t id) noexcept { return status{netclock_link_server_revoke(get(), id)}; }

    /** Without a thread: answers what has come. Errors: not_polled, carried. */
    status poll() noexcept { return status{netclock_link_server_poll(get())}; }

    /** If it is carried: the answer to a datagram. Errors: not_carried, and why there is none. */
    [[nodiscard]] result<link_datagram> answer(const void *bytes, std::size_t length, server_time received,
                                               server_time sent) noexcept
    {
        link_datagram found{};
        const auto code = status{netclock_link_server_answer(get(), bytes, length, detail::count(received),
                                                             detail::count(sent), found.data(), found.size())};
        return {code, found};
    }

    /** What it does. */
    [[nodiscard]] result<link_report> report() const noexcept
    {
        return detail::report_of<netclock_link_server>(netclock_link_server_report, get());
    }

    /** Whether it owns a link. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls that this header does not have. */
    [[nodiscard]] netclock_link_server *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_link_server *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_link_server, detail::destroy_link> handle_;
};

/** A client's end of a link. Owns a netclock_link_client. Destroy it before its client. */
class link_client {
public:
    /** Owns nothing. */
    link_client() noexcept = default;

    /** Takes over a handle made by netclock_link_client_create. */
    explicit link_client(netclock_link_client *handle) noexcept : handle_{handle} {}

    /**
     * Links `of` to the server at `host` and `port` that admitted `key`. Errors: bad_config, bad_address, no_socket,
     * no_thread, poisoned, forked.
     */
    [[nodiscard]] static result<link_client> create(client &of, const char *host, std::uint16_t port,
                                                    const session_key &key,
                                                    const link_client_config &settings = {}) noexcept
    {
        const netclock_link_client_config chosen = detail::to_c(settings);
        const netclock_session_key from = detail::to_c(key);
        netclock_link_client *handle = nullptr;
        const auto code = status{netclock_link_client_create(&chosen, of.get(), host, port, &from, &handle)};
        return {code, link_client{handle}};
    }

    /** Without a thread: takes what has come, and sends what is due. Errors: not_polled, carried. */
    status poll() noexcept { return status{netclock_link_client_poll(get())}; }

    /**
     * If it is carried: the datagram to send at once. nothing_due: call again at `*next`, if that is not null. Errors:
     * not_carried.
     */
    [[nodiscard]] result<link_datagram> due(local_time now, local_time *next = nullptr) noexcept
    {
        link_datagram found{};
        std::int64_t at = 0;
        const auto code =
            status{netclock_link_client_due(get(), detail::count(now), found.data(), found.size(), &at)};
        if (next != nullptr && code == status::nothing_due) {
            *next = local_time{ticks{at}};
        }
        return {code, found};
    }

    /** If it is carried: takes a datagram that arrived. Errors: not_carried, and why it was not used. */
    status handle(const void *bytes, std::size_t length, local_time arrived) noexcept
    {
        return status{netclock_link_client_handle(get(), bytes, length, detail::count(arrived))};
    }

    /** What it does. */
    [[nodiscard]] result<link_report> report() const noexcept
    {
        return detail::report_of<netclock_link_client>(netclock_link_client_report, get());
    }

    /** Whether it owns a link. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls that this header does not have. */
    [[nodiscard]] netclock_link_client *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_link_client *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_link_client, detail::destroy_link> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_LINK_HPP */
