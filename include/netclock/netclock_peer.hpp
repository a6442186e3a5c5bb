/*
 * NetClock for C++17: one clock for peers behind a relay. Uses netclock.hpp and follows its conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A relay gives peers slots in games and forwards between them. All share the clock of one peer, the primary.
 * The calls take and give bytes: send them as datagrams, or over byte streams that `stream` takes apart.
 */

#ifndef NETCLOCK_PEER_HPP
#define NETCLOCK_PEER_HPP

#include "netclock/netclock_peer_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** First id of a game's own messages, and how many bytes of them come before their data. */
inline constexpr std::uint16_t first_game_id = NETCLOCK_FIRST_GAME_ID;
inline constexpr std::size_t game_header_size = NETCLOCK_GAME_HEADER_SIZE;

/** A message between a relay and a peer. */
struct peer_message {
    /** The peer's connection, for messages of a relay. */
    std::uint64_t connection = 0;
    /** How many of the bytes there are. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_MAX_MESSAGE_SIZE> bytes{};
};

/** Takes messages out of one direction of a stream. Owns a netclock_stream. */
class stream : public owned<netclock_stream, netclock_stream_destroy> {
public:
    using owned::owned;

    /** At the beginning of a stream. Errors: abi_mismatch. */
    [[nodiscard]] static result<stream> create() noexcept
    {
        return detail::create<stream>(netclock_stream_create);
    }

    /** Takes some of the bytes that were read, and says how many. Errors: stream_broken. */
    [[nodiscard]] result<std::size_t> push(const void *data, std::size_t size) noexcept
    {
        return detail::ask<std::size_t>(netclock_stream_push, *this, data, size);
    }

    /** The next whole message; incomplete until more bytes come. Close the connection after any error. */
    [[nodiscard]] result<peer_message> next() noexcept
    {
        peer_message message;
        const auto code = detail::call(
            netclock_stream_next, *this, message.bytes.data(), message.bytes.size(), &message.size);
        return {code, message};
    }
};

/** Forwards between peers that share a clock. Owns a netclock_relay. */
class relay : public owned<netclock_relay, netclock_relay_destroy> {
public:
    using owned::owned;

    /** A relay without games. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<relay> create(
        const netclock::seed& random, const relay_config& settings = {}) noexcept
    {
        return detail::create<relay>(netclock_relay_create, settings, random.high, random.low);
    }

    /** Handles one message, stamped by the relay's clock as close to the socket as possible. */
    status receive(std::uint64_t connection, const void *data, std::size_t size, local_time received) noexcept
    {
        return detail::call(netclock_relay_receive, *this, connection, data, size, received);
    }

    /** The connection was closed. Errors: not_logged_in. */
    status disconnect(std::uint64_t connection, local_time now) noexcept
    {
        return detail::call(netclock_relay_disconnect, *this, connection, now);
    }

    /** Whether this connection has a slot: ok or not_logged_in. Forget the addresses of datagrams without
     * one. */
    [[nodiscard]] status has_slot(std::uint64_t connection) const noexcept
    {
        return detail::call(netclock_relay_has_slot, *this, connection);
    }

    /** The next message to send at once; nothing_due if there is none left. */
    [[nodiscard]] result<peer_message> next_message(local_time now) noexcept
    {
        peer_message next;
        const auto code = detail::call(netclock_relay_next_message, *this, now, &next.connection,
                                       next.bytes.data(), next.bytes.size(), &next.size);
        return {code, next};
    }

    /** The state of a game. no_game: nobody plays it. */
    [[nodiscard]] result<relay_game> game(std::uint64_t id) const noexcept
    {
        return detail::ask<relay_game>(netclock_relay_read_game, *this, id);
    }
};

/** Takes part in one game and shares its clock. Owns a netclock_peer. */
class peer : public owned<netclock_peer, netclock_peer_destroy> {
public:
    using owned::owned;

    /** A peer that will play `game`; `settings` are for its clock. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<peer> create(std::uint64_t game, const netclock::seed &random,
                                             const config &settings = {}) noexcept
    {
        return detail::create<peer>(netclock_peer_create, settings, game, random.high, random.low);
    }

    /** Handles one message from the relay. game_message: see `heard`; its data begins at byte
     * game_header_size. */
    status receive(const void *data, std::size_t size, local_time arrived, peer_game_message &heard) noexcept
    {
        auto game = detail::sized<netclock_peer_game_message>();
        const auto code = detail::call(netclock_peer_receive, *this, data, size, arrived, &game);
        if (code == status::game_message) {
            heard = detail::from_c(game);
        }
        return code;
    }

    /** Does what is due; call it every frame. */
    status tick(local_time now) noexcept { return detail::call(netclock_peer_tick, *this, now); }

    /** The next message to send to the relay at once; nothing_due if there is none left. */
    [[nodiscard]] result<peer_message> next_message(local_time now) noexcept
    {
        peer_message next;
        const auto code = detail::call(
            netclock_peer_next_message, *this, now, next.bytes.data(), next.bytes.size(), &next.size);
        return {code, next};
    }

    /** Everything it knows. */
    [[nodiscard]] result<peer_reading> read(local_time now) const noexcept
    {
        return detail::ask<peer_reading>(netclock_peer_read, *this, now);
    }

    /** Makes a message of the game's own, stamped with the shared time: send it to the relay. not_begun: no
     * shared time. */
    [[nodiscard]] result<peer_message> stamp(local_time now, std::uint16_t id, const void *data,
                                             std::size_t size) const noexcept
    {
        peer_message made;
        const auto code = detail::call(netclock_peer_stamp, *this, now, id, data, size, made.bytes.data(),
                                       made.bytes.size(), &made.size);
        return {code, made};
    }

    /** Leaves the game with the next message; the clock continues. */
    status leave() noexcept { return detail::call(netclock_peer_leave, *this); }
};

} // namespace netclock

#endif /* NETCLOCK_PEER_HPP */
