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

/** A datagram of a link. */
using link_datagram = std::array<std::uint8_t, NETCLOCK_LINK_DATAGRAM_SIZE>;

/** A server's end of a link. Owns a netclock_link_server. */
class link_server : public owned<netclock_link_server, netclock_link_server_destroy> {
public:
    using owned::owned;

    /**
     * Listens at `port` (0: a free one) of `address` (null: all of this machine's). `epoch` is a random
     * number that names this run of the server's clock. Errors: abi_mismatch, bad_config, bad_address,
     * port_in_use, no_permission, no_socket, no_thread.
     */
    [[nodiscard]] static result<link_server> create(std::uint16_t port, std::uint64_t epoch,
                                                    const link_server_config &settings = {},
                                                    const char *address = nullptr) noexcept
    {
        return detail::create<link_server>(netclock_link_server_create, settings, address, port, epoch);
    }

    /** The port that it listens at. Errors: carried. */
    [[nodiscard]] result<std::uint16_t> port() const noexcept
    {
        return detail::ask<std::uint16_t>(netclock_link_server_port, *this);
    }

    /** Answers the holder of `key` from now on. Errors: bad_config, duplicate, full. */
    status admit(const session_key &key) noexcept
    {
        return detail::call(netclock_link_server_admit, *this, key);
    }

    /** Forgets the key `id`. Errors: unknown_key. */
    status revoke(std::uint32_t id) noexcept { return detail::call(netclock_link_server_revoke, *this, id); }

    /** Without a thread: answers what has come. Errors: not_polled, carried. */
    status poll() noexcept { return detail::call(netclock_link_server_poll, *this); }

    /** If it is carried: the answer to a datagram. Errors: not_carried, and why there is none. */
    [[nodiscard]] result<link_datagram> answer(const void *bytes, std::size_t length, server_time received,
                                               server_time sent) noexcept
    {
        return detail::fill<link_datagram>(netclock_link_server_answer, *this, bytes, length, received, sent);
    }

    /** What it does. */
    [[nodiscard]] result<link_report> report() const noexcept
    {
        return detail::ask<link_report>(netclock_link_server_report, *this);
    }
};

/** A client's end of a link. Owns a netclock_link_client. Destroy it before its client. */
class link_client : public owned<netclock_link_client, netclock_link_client_destroy> {
public:
    using owned::owned;

    /**
     * Links `of` to the server at `host` and `port` that admitted `key`. Errors: bad_config, bad_address,
     * no_socket, no_thread, poisoned, forked.
     */
    [[nodiscard]] static result<link_client> create(client &of, const char *host, std::uint16_t port,
                                                    const session_key &key,
                                                    const link_client_config &settings = {}) noexcept
    {
        return detail::create<link_client>(netclock_link_client_create, settings, of, host, port, key);
    }

    /** Without a thread: takes what has come, and sends what is due. Errors: not_polled, carried. */
    status poll() noexcept { return detail::call(netclock_link_client_poll, *this); }

    /**
     * If it is carried: the datagram to send at once. nothing_due: call again at `*next`, if that is not
     * null. Errors: not_carried.
     */
    [[nodiscard]] result<link_datagram> due(local_time now, local_time *next = nullptr) noexcept
    {
        link_datagram found{};
        std::int64_t at = 0;
        const auto code =
            detail::call(netclock_link_client_due, *this, now, found.data(), found.size(), &at);
        if (next != nullptr && code == status::nothing_due) {
            *next = local_time{ticks{at}};
        }
        return {code, found};
    }

    /** If it is carried: takes a datagram that arrived. Errors: not_carried, and why it was not used. */
    status handle(const void *bytes, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_link_client_handle, *this, bytes, length, arrived);
    }

    /** What it does. */
    [[nodiscard]] result<link_report> report() const noexcept
    {
        return detail::ask<link_report>(netclock_link_client_report, *this);
    }
};

} // namespace netclock

#endif /* NETCLOCK_LINK_HPP */
