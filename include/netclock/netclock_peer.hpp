/*
 * NetClock for C++17: peers behind a relay.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_peer.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 * A relay assigns slots in games to peers and forwards their messages. All peers in a game share the clock of
 * one peer, the primary. Send the messages as datagrams, or one after another over byte streams.
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
 * Opaque.
 */
class relay : public owned<netclock_relay, netclock_relay_destroy> {
public:
    using owned::owned;

    /**
     * Creates a relay without games and stores it in `*relay`. Pass a null `config` for the defaults.
     * `seed_high` and `seed_low` make the relay's tokens unpredictable. Draw all 128 bits from the operating
     * system's random number generator.
     */
    [[nodiscard]] static result<relay> create(const seed &random, const relay_config &settings = {}) noexcept
    {
        return detail::create<relay>(netclock_relay_create, settings, random.high, random.low);
    }

    /**
     * Handles a datagram of `length` bytes that arrived on `connection` when the relay's clock read
     * `received` (ticks). `connection` is a number of your choice that identifies the sender's address. Take
     * this timestamp as close to the socket as possible, because the relay reports to peers how long it held
     * each message. After this call, send the messages that `netclock_relay_next_message` returns, preferably
     * before you read the next message. The relay queues at most 16 replies to connections without a slot. If
     * there are more, it keeps 16 of them at random. A peer receives its slot with its second login, which
     * proves that the peer receives the relay's messages. After an error, the relay forwards nothing. Errors:
     * `NETCLOCK_WIRE_...`, `NETCLOCK_NOT_LOGGED_IN`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`,
     * `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` for a message about an earlier primary,
     * `NETCLOCK_OVER_BUDGET`, `NETCLOCK_UNSOLICITED`, `NETCLOCK_QUEUE_FULL`.
     */
    status receive(
        std::uint64_t connection, const void *data, std::size_t length, local_time received) noexcept
    {
        return detail::call(netclock_relay_receive, *this, connection, data, length, received);
    }

    /**
     * Reports that the connection was closed at `now` (ticks) and that its peer has left. Errors:
     * `NETCLOCK_NOT_LOGGED_IN`.
     */
    status disconnect(std::uint64_t connection, local_time now) noexcept
    {
        return detail::call(netclock_relay_disconnect, *this, connection, now);
    }

    /**
     * Returns `NETCLOCK_OK` if this connection has a slot, and `NETCLOCK_NOT_LOGGED_IN` otherwise. If
     * messages arrive as datagrams, store only the addresses of connections with a slot.
     */
    status has_slot(std::uint64_t connection) const noexcept
    {
        return detail::call(netclock_relay_has_slot, *this, connection);
    }

    /**
     * Performs the work that is due at `now` (ticks), and returns the next message to send and its connection
     * in `*connection`. The message is a datagram of `NETCLOCK_PEER_DATAGRAM_SIZE` bytes, written into a
     * buffer of `capacity` bytes. Send it at once. Whenever messages have arrived, and at least every 50 ms,
     * call this function until it returns `NETCLOCK_NOTHING_DUE`.
     */
    [[nodiscard]] result<relay_message> next_message(local_time now) noexcept
    {
        std::uint64_t connection = 0;
        const auto next =
            detail::fill<peer_datagram>(netclock_relay_next_message, *this, now, &connection);
        return {next.code(), {connection, next.value_or({})}};
    }

    /**
     * Returns the state of `game` in `*state`. Returns `NETCLOCK_NO_GAME` if no peer is playing this game.
     */
    [[nodiscard]] result<relay_game> game(std::uint64_t game) const noexcept
    {
        return detail::ask<relay_game>(netclock_relay_read_game, *this, game);
    }
};

/** A peer takes part in one game and shares a clock with the other peers in that game. Opaque. */
class peer : public owned<netclock_peer, netclock_peer_destroy> {
public:
    using owned::owned;

    /**
     * Creates a peer for the game with the id `game` and stores it in `*peer`. `config` contains the settings
     * of the peer's clock. Pass a null `config` for the defaults. `seed_high` and `seed_low` make the peer's
     * messages unpredictable. Draw all 128 bits from the operating system's random number generator.
     */
    [[nodiscard]] static result<peer> create(
        std::uint64_t game, const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<peer>(netclock_peer_create, settings, game, random.high, random.low);
    }

    /**
     * Handles a datagram of `length` bytes received from the relay at local time `arrived` (ticks). Take this
     * timestamp as close to the network as possible. Errors: `NETCLOCK_WIRE_...`, `NETCLOCK_WRONG_KEY`,
     * `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` for a message about an earlier primary or login,
     * `NETCLOCK_LOGIN_REJECTED`, after which the reading contains the relay's reason, and for a rejected
     * exchange the codes starting with `NETCLOCK_UNKNOWN_REQUEST`.
     */
    status receive(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_peer_receive, *this, data, length, arrived);
    }

    /**
     * Performs the work that is due at local time `now` (ticks), and returns the next message for the relay.
     * The message is a datagram of `NETCLOCK_PEER_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
     * bytes. Send it at once. Every frame, call this function until it returns `NETCLOCK_NOTHING_DUE`.
     * Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
     */
    [[nodiscard]] result<peer_datagram> next_message(local_time now) noexcept
    {
        return detail::fill<peer_datagram>(netclock_peer_next_message, *this, now);
    }

    /** Reads the peer at local time `now` (ticks), and returns its state in `*reading`. */
    [[nodiscard]] result<peer_reading> read(local_time now) const noexcept
    {
        return detail::ask<peer_reading>(netclock_peer_read, *this, now);
    }

    /**
     * Leaves the game. The next message announces that the peer has left, and the peer's clock keeps running.
     */
    status leave() noexcept
    {
        return detail::call(netclock_peer_leave, *this);
    }
};

} // namespace netclock

#endif /* NETCLOCK_PEER_HPP */
