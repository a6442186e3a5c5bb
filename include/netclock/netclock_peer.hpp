/*
 * NetClock for C++17: peers behind a relay.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_peer.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 * A relay assigns slots in games to peers and forwards their messages. All share the clock of one peer, the
 * primary. Send the messages as datagrams, or one after another over byte streams.
 */

#ifndef NETCLOCK_PEER_HPP
#define NETCLOCK_PEER_HPP

#include "netclock/netclock_peer_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** A message between a relay and a peer. */
using peer_datagram = std::array<std::byte, NETCLOCK_PEER_DATAGRAM_SIZE>;

/** A message from a relay, and the connection of its peer. */
struct relay_message {
    std::uint64_t connection = 0;
    peer_datagram bytes{};
};

/**
 * A relay assigns game slots to peers, forwards their messages, and records how long it held each message.
 * Owns a netclock_relay.
 */
class relay : public owned<netclock_relay, netclock_relay_destroy> {
public:
    using owned::owned;

    /**
     * Creates a relay without games. `random` makes the relay's tokens unpredictable. Draw it from the
     * operating system's random number generator. Errors: abi_mismatch.
     */
    [[nodiscard]] static result<relay> create(const seed &random, const relay_config &settings = {}) noexcept
    {
        return detail::create<relay>(netclock_relay_create, settings, random.high, random.low);
    }

    /**
     * Handles a datagram of `length` bytes that arrived on `connection` when the relay's clock read
     * `received`. `connection` is a number of your choice that identifies the sender's address. Take the time
     * as close to the socket as possible, because the relay reports to peers how long it held each message.
     * Then send the messages that relay::next_message returns, preferably before you read the next message.
     * The relay queues at most 16 replies to connections without a slot. If there are more, it keeps 16 of
     * them at random. A peer receives its slot with its second login, which proves that the peer receives the
     * relay's messages. After an error, the relay forwards nothing. Errors: wire_*, not_logged_in, duplicate,
     * full, wrong_key, wrong_role, stale for a message about an earlier primary, over_budget, unsolicited,
     * queue_full.
     */
    status receive(
        std::uint64_t connection, const void *data, std::size_t length, local_time received) noexcept
    {
        return detail::call(netclock_relay_receive, *this, connection, data, length, received);
    }

    /** Reports that the connection was closed at `now` and its peer has left. Errors: not_logged_in. */
    status disconnect(std::uint64_t connection, local_time now) noexcept
    {
        return detail::call(netclock_relay_disconnect, *this, connection, now);
    }

    /**
     * Returns ok if this connection has a slot, and not_logged_in otherwise. If messages arrive as datagrams,
     * store only the addresses of connections with a slot.
     */
    status has_slot(std::uint64_t connection) const noexcept
    {
        return detail::call(netclock_relay_has_slot, *this, connection);
    }

    /**
     * Does the work that is due at `now`, and returns the next message to send and its connection in
     * `connection`. The message is a datagram. Send it at once. Whenever messages have arrived, and at least
     * every 50 ms, call this function until it returns nothing_due.
     */
    [[nodiscard]] result<relay_message> next_message(local_time now) noexcept
    {
        std::uint64_t connection = 0;
        const auto next =
            detail::fill<peer_datagram>(netclock_relay_next_message, *this, now, &connection);
        return {next.code(), {connection, next.value_or({})}};
    }

    /** Returns the state of `game`. Returns no_game if no peer is playing it. */
    [[nodiscard]] result<relay_game> game(std::uint64_t game) const noexcept
    {
        return detail::ask<relay_game>(netclock_relay_read_game, *this, game);
    }
};

/**
 * A peer takes part in one game and shares a clock with the other peers in that game. Owns a netclock_peer.
 */
class peer : public owned<netclock_peer, netclock_peer_destroy> {
public:
    using owned::owned;

    /**
     * Creates a peer for the game with the id `game`. `config` contains the settings of the peer's clock.
     * `random` makes the peer's messages unpredictable. Draw it from the operating system's random number
     * generator. Errors: abi_mismatch.
     */
    [[nodiscard]] static result<peer> create(
        std::uint64_t game, const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<peer>(netclock_peer_create, settings, game, random.high, random.low);
    }

    /**
     * Handles a datagram of `length` bytes received from the relay at local time `arrived`. Take this
     * timestamp as close to the network as possible. Errors: wire_*, wrong_key, wrong_role, stale for a
     * message about an earlier primary or login, login_rejected, after which the reading contains the relay's
     * reason, and for a rejected exchange the codes starting with unknown_request.
     */
    status receive(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_peer_receive, *this, data, length, arrived);
    }

    /**
     * Does the work that is due at local time `now`, and returns the next message for the relay. The message
     * is a datagram. Send it at once. Call this function in every frame until it returns nothing_due. Errors:
     * time_went_backwards.
     */
    [[nodiscard]] result<peer_datagram> next_message(local_time now) noexcept
    {
        return detail::fill<peer_datagram>(netclock_peer_next_message, *this, now);
    }

    /** Reads the peer at local time `now`, and returns its state. */
    [[nodiscard]] result<peer_reading> read(local_time now) const noexcept
    {
        return detail::ask<peer_reading>(netclock_peer_read, *this, now);
    }

    /** Leaves the game. The next message announces that the peer left, and the clock keeps running. */
    status leave() noexcept
    {
        return detail::call(netclock_peer_leave, *this);
    }
};

} // namespace netclock

#endif /* NETCLOCK_PEER_HPP */
