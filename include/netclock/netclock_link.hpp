/*
 * NetClock for C++17: the link.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_link.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_LINK_HPP
#define NETCLOCK_LINK_HPP

#include "netclock/netclock_link_types.hpp"
#include "netclock/netclock.hpp"
#include "netclock/netclock_keys.hpp"

namespace netclock {

/** A datagram of a link. */
using link_datagram = std::array<std::uint8_t, NETCLOCK_LINK_DATAGRAM_SIZE>;

/**
 * A server's end of a link, for all its clients. Calls on it wait for each other, and not for its thread.
 * Owns a netclock_link_server.
 */
class link_server : public owned<netclock_link_server, netclock_link_server_destroy> {
public:
    using owned::owned;

    /**
     * Opens a link at a UDP port. It answers the clients of admitted keys, on a thread of its own for all of
     * them. `address` is one of this machine's, as text. Null means all of them, of both versions of IP where
     * the system allows it (on Windows of version 4). `port` 0 takes a free one. `epoch` names this run of
     * the server's clock: draw a random number, and name the same one wherever else this clock is served.
     *
     * Server time is local_clock::now plus `settings.clock_offset`. With `settings.carried` the link opens
     * nothing: address and port are not used, and link_server::answer has the clock's stamps. Errors:
     * abi_mismatch, bad_config, bad_address, port_in_use, no_permission, no_socket, no_thread, out_of_memory.
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

    /**
     * Answers the holder of `key` from now on. Draw a new key for each connection, and admit none again.
     * Errors: bad_config (the secret is zero), duplicate (its id is in use), full.
     */
    status admit(const session_key &key) noexcept
    {
        return detail::call(netclock_link_server_admit, *this, key);
    }

    /** Forgets the key `id`: its holder is not answered from now on. Errors: unknown_key. */
    status revoke(std::uint32_t id) noexcept
    {
        return detail::call(netclock_link_server_revoke, *this, id);
    }

    /**
     * Without a thread (`settings.polled`): answers what has come. It never waits. Call it every frame.
     * Errors: not_polled, carried.
     */
    status poll() noexcept
    {
        return detail::call(netclock_link_server_poll, *this);
    }

    /** What the link does. */
    [[nodiscard]] result<link_report> report() const noexcept
    {
        return detail::ask<link_report>(netclock_link_server_report, *this);
    }

    /**
     * If the caller carries datagrams (`settings.carried`): answers one of `length` bytes that arrived at
     * server time `received`. The answer, which leaves at `sent`, is a datagram of
     * NETCLOCK_LINK_DATAGRAM_SIZE bytes. Send it to where the datagram came from, and to nobody else. On an
     * error send nothing. Errors: those of session_keys::open, session_keys::allow and server::respond,
     * not_carried.
     */
    [[nodiscard]] result<link_datagram> answer(
        const void *data, std::size_t length, server_time received, server_time sent) noexcept
    {
        return detail::fill<link_datagram>(netclock_link_server_answer, *this, data, length, received, sent);
    }
};

/**
 * A client's end of a link. Calls on it wait for each other, and not for its thread. Owns a
 * netclock_link_client.
 */
class link_client : public owned<netclock_link_client, netclock_link_client_destroy> {
public:
    using owned::owned;

    /**
     * Creates a link of `clock` to a server that admitted `key`. It has a thread of its own. Destroy it
     * before the client. `host` is a name or an address as text, of up to 253 bytes, and `port` is that of
     * the server's link. It returns at once: names are looked up by another thread. Whether the server
     * answers is in link_client::report.
     *
     * The client's local time must be local_clock::now plus `settings.clock_offset`. The link does all that
     * the client needs. If the game also calls client::tick and sends what it returns, the clock has two
     * paths. It uses the second one as soon as UDP is blocked. The callbacks of the client then run on the
     * link's thread, too.
     *
     * With `settings.carried` the link opens nothing: host and port are not used, and times are the client's
     * local time.
     *
     * Errors: abi_mismatch, bad_config (also for host, port and key), bad_address (the host is no text),
     * no_socket, no_thread, out_of_memory, forked.
     */
    [[nodiscard]] static result<link_client> create(
        client &clock, const char *host, std::uint16_t port, const session_key &key,
        const link_client_config &settings = {}) noexcept
    {
        return detail::create<link_client>(netclock_link_client_create, settings, clock, host, port, key);
    }

    /**
     * Without a thread (`settings.polled`): takes what has come, and sends what is due. It never waits. Call
     * it every frame. Errors: not_polled, carried.
     */
    status poll() noexcept
    {
        return detail::call(netclock_link_client_poll, *this);
    }

    /** What the link does. */
    [[nodiscard]] result<link_report> report() const noexcept
    {
        return detail::ask<link_report>(netclock_link_client_report, *this);
    }

    /**
     * If the caller carries datagrams (`settings.carried`): does what is due at local time `now`. It writes a
     * datagram of NETCLOCK_LINK_DATAGRAM_SIZE bytes. Send it at once, and call again until nothing is due.
     * nothing_due: `next` is the local time of the next call, if no datagram comes before; at most half a
     * second later. `next` may be null. Errors: time_out_of_range, time_went_backwards, not_carried.
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

    /**
     * If the caller carries datagrams: takes one of `length` bytes that arrived at local time `arrived`.
     * Stamp it as close to the network as possible. On an error the datagram was not used. Errors: those of
     * sealed_channel::open and of client::handle_reply, not_carried.
     */
    status handle(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_link_client_handle, *this, data, length, arrived);
    }
};

} // namespace netclock

#endif /* NETCLOCK_LINK_HPP */
