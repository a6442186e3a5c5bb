/*
 * NetClock for C++17: links.
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
 * The server's end of all clients' links. Opaque. Calls on a link wait for each other, but not for the link's
 * thread.
 */
class link_server : public owned<netclock_link_server, netclock_link_server_destroy> {
public:
    using owned::owned;

    /**
     * Opens a link at a UDP port and stores it in `*link`. The link has a single thread that answers all
     * clients with admitted keys. Pass a null `config` for the defaults. `address` is one of this machine's
     * addresses as text. Null selects all IPv4 and IPv6 addresses where the system permits both (on Windows,
     * only IPv4). `port` 0 selects a free port. `epoch` identifies this run of the server's clock. Use the
     * same random number wherever you serve this clock.
     *
     * Server time is `netclock_monotonic_now` plus `config->clock_offset`. With `NETCLOCK_LINK_CARRIED`, the
     * link opens no socket and ignores `address` and `port`. The caller then passes the timestamps to
     * `netclock_link_server_answer`. Errors: `NETCLOCK_BAD_ADDRESS`, `NETCLOCK_PORT_IN_USE`,
     * `NETCLOCK_NO_PERMISSION`, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`.
     */
    [[nodiscard]] static result<link_server> create(std::uint16_t port, std::uint64_t epoch,
                                                    const link_server_config &settings = {},
                                                    const char *address = nullptr) noexcept
    {
        return detail::create<link_server>(netclock_link_server_create, settings, address, port, epoch);
    }

    /**
     * Admits `*key`. The link then answers requests that are sealed with this key. Draw a new key for each
     * connection, and never admit a key twice. Errors: `NETCLOCK_BAD_CONFIG` if the secret is zero,
     * `NETCLOCK_DUPLICATE` if the id is in use, `NETCLOCK_FULL`.
     */
    status admit(const session_key &key) noexcept
    {
        return detail::call(netclock_link_server_admit, *this, key);
    }

    /**
     * Revokes the key with this `id`. The link no longer answers requests that are sealed with this key.
     * Errors: `NETCLOCK_UNKNOWN_KEY`.
     */
    status revoke(std::uint32_t id) noexcept
    {
        return detail::call(netclock_link_server_revoke, *this, id);
    }

    /** If the link has no thread, answers the datagrams that have arrived, without waiting. Call this every
     * frame. */
    status poll() noexcept { return detail::call(netclock_link_server_poll, *this, nullptr); }

    /** Polls the link, and returns its state. */
    [[nodiscard]] result<link_report> report() noexcept
    {
        return detail::ask<link_report>(netclock_link_server_poll, *this);
    }

    /**
     * Answers a datagram of `length` bytes received at server time `received` (ticks), for links whose caller
     * transports the datagrams (`NETCLOCK_LINK_CARRIED`). The answer is a datagram of
     * `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. `sent` is the server
     * time at which you will send the answer. Send the answer only to the address from which the datagram
     * arrived. After an error, send nothing. Errors: same as `netclock_server_respond`, and
     * `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`,
     * `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_ENOUGH_ANSWERS`, `NETCLOCK_WIRE_...`,
     * `NETCLOCK_NOT_CARRIED`.
     */
    [[nodiscard]] result<link_datagram> answer(
        const void *data, std::size_t length, server_time received, server_time sent) noexcept
    {
        return detail::fill<link_datagram>(netclock_link_server_answer, *this, data, length, received, sent);
    }
};

/**
 * The client's end of a link. Opaque. Calls on a link wait for each other, but not for the link's thread.
 */
class link_client : public owned<netclock_link_client, netclock_link_client_destroy> {
public:
    using owned::owned;

    /**
     * Creates a link from `client` to a server that admitted `*key` and stores it in `*link`. The link has
     * its own thread. Destroy the link before the client. Pass a null `config` for the defaults. `host` is a
     * host name or an address of at most 253 bytes, and `port` is the port of the server's link. The call
     * returns immediately, because another thread resolves the host name. `netclock_link_client_poll` reports
     * whether the server answers.
     *
     * The client's local time must be `netclock_monotonic_now` plus `config->clock_offset`. The link alone
     * keeps the client synced. If the game also calls `netclock_client_tick` and sends the requests, the
     * clock has a second path and switches to it if UDP is blocked. The client's callbacks also run on the
     * link's thread.
     *
     * With `NETCLOCK_LINK_CARRIED`, the link opens no socket and ignores `host` and `port`. All times of the
     * link are then in the client's local time.
     *
     * Errors: `NETCLOCK_BAD_CONFIG`, also for `host`, `port` and the key, `NETCLOCK_BAD_ADDRESS` if the host
     * is not UTF-8, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`, `NETCLOCK_FORKED`.
     */
    [[nodiscard]] static result<link_client> create(
        client &clock, const char *host, std::uint16_t port, const session_key &key,
        const link_client_config &settings = {}) noexcept
    {
        return detail::create<link_client>(netclock_link_client_create, settings, clock, host, port, key);
    }

    /** If the link has no thread, handles the datagrams that have arrived and sends those that are due,
     * without waiting. Call this every frame. */
    status poll() noexcept { return detail::call(netclock_link_client_poll, *this, nullptr); }

    /** Polls the link, and returns its state. */
    [[nodiscard]] result<link_report> report() noexcept
    {
        return detail::ask<link_report>(netclock_link_client_poll, *this);
    }

    /**
     * Performs the work that is due at local time `now` (ticks), for links whose caller transports the
     * datagrams (`NETCLOCK_LINK_CARRIED`). Returns `NETCLOCK_OK` and a datagram of
     * `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. Send the datagram at
     * once, and call this function again. If nothing is due, the call returns `NETCLOCK_NOTHING_DUE` and
     * writes the local time at which to call it again to `*next`, which may be null. That time is at most
     * half a second later. If a datagram arrives, call this earlier. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`,
     * `NETCLOCK_NOT_CARRIED`.
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
     * Handles a datagram of `length` bytes received at local time `arrived` (ticks), for links whose caller
     * transports the datagrams. Take the timestamp as close to the network as possible. Errors: same as
     * `netclock_client_handle_reply`, and `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
     * `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_...`,
     * `NETCLOCK_NOT_CARRIED`.
     */
    status handle(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_link_client_handle, *this, data, length, arrived);
    }
};

} // namespace netclock

#endif /* NETCLOCK_LINK_HPP */
