/*
 * NetClock for C++17: the link, a transport of its own beside the game's. On top of netclock.hpp, whose
 * conventions hold. SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * netclock_link.h describes each call.
 */

#ifndef NETCLOCK_LINK_HPP
#define NETCLOCK_LINK_HPP

#include "netclock/netclock_link_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** A state, a trouble or an origin of stamps in words. */
inline const char *text(link_state of) noexcept { return netclock_link_text(static_cast<std::int32_t>(of)); }
inline const char* text(link_trouble of) noexcept
{
    return netclock_link_text(static_cast<std::int32_t>(of));
}
inline const char *text(link_stamps of) noexcept { return netclock_link_text(static_cast<std::int32_t>(of)); }
inline const char *text(link_mark of) noexcept { return netclock_link_text(static_cast<std::int32_t>(of)); }

/** A datagram of a link. */
using link_datagram = std::array<std::uint8_t, NETCLOCK_LINK_DATAGRAM_SIZE>;

namespace detail {

/** A report by a function of C that fills one. */
template <class Handle>
result<link_report> report_of(
    netclock_status (*fill)(const Handle*, netclock_link_report*), const Handle* link) noexcept
{
    auto raw = sized<netclock_link_report>();
    const auto code = status{fill(link, &raw)};
    return {code, code == status::ok ? from_c(raw) : link_report{}};
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
     * Listens at `port` (0: a free one) of `address` (null: all of this machine's). `epoch` is a random
     * number that names this run of the server's clock. Errors: abi_mismatch, bad_config, bad_address,
     * port_in_use, no_permission, no_socket, no_thread.
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
        const auto code = status{netclock_link_server_answer(
            get(), bytes, length, detail::count(received), detail::count(sent), found.data(), found.size())};
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
     * Links `of` to the server at `host` and `port` that admitted `key`. Errors: bad_config, bad_address,
     * no_socket, no_thread, poisoned, forked.
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
     * If it is carried: the datagram to send at once. nothing_due: call again at `*next`, if that is not
     * null. Errors: not_carried.
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
