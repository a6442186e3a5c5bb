/*
 * NetClock for C++17: peers behind a relay.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_peer.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
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

namespace detail {

/** Calls a function of C whose last three parameters are room for a message and for its size. */
template <class Message, class... Parameters, class... Given>
result<Message> message(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    Message made;
    const auto code = status{function(in(given)..., made.bytes.data(), made.bytes.size(), &made.size)};
    return {code, made};
}

} // namespace detail

/**
 * Takes the messages between a relay and its peers out of a stream of bytes. Use one for each direction of
 * each connection. Calls on it wait for each other. Datagrams carry one message each and need none. Owns a
 * netclock_stream.
 */
class stream : public owned<netclock_stream, netclock_stream_destroy> {
public:
    using owned::owned;

    /** Creates a decoder for a new stream. Errors: abi_mismatch, out_of_memory. */
    [[nodiscard]] static result<stream> create() noexcept
    {
        return detail::create<stream>(netclock_stream_create);
    }

    /**
     * Takes some of `length` bytes as they were read from the stream, and says how many. Take the messages
     * out with stream::next, then push the rest. Errors: stream_broken.
     */
    [[nodiscard]] result<std::size_t> push(const void *bytes, std::size_t length) noexcept
    {
        return detail::ask<std::size_t>(netclock_stream_push, *this, bytes, length);
    }

    /**
     * The next whole message and its length. incomplete: more bytes must come. Errors, after which you close
     * the connection: message_size for a size that no message has, once, then stream_broken.
     */
    [[nodiscard]] result<peer_message> next() noexcept
    {
        return detail::message<peer_message>(netclock_stream_next, *this);
    }
};

/**
 * A relay: gives peers slots in games, forwards between them, and stamps how long it held each message. Calls
 * on it wait for each other. Owns a netclock_relay.
 */
class relay : public owned<netclock_relay, netclock_relay_destroy> {
public:
    using owned::owned;

    /**
     * Creates a relay without games. `random` makes its tokens unguessable: draw it from the operating
     * system. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<relay> create(const seed &random, const relay_config &settings = {}) noexcept
    {
        return detail::create<relay>(netclock_relay_create, settings, random.high, random.low);
    }

    /**
     * Handles one message of `length` bytes that came on `connection` when the relay's clock read `received`.
     * `connection` is any number that you give to all messages from one address. Stamp the arrival as close
     * to the socket as possible: the relay tells peers how long the message waited from then on. Then send
     * what relay::next_message gives, best before the next message is read: only 16 answers to connections
     * without a slot can wait. If there are more, each of these has the same chance. A peer gets its slot
     * with the second of two logins, which shows that it hears the relay. Errors, after which nothing is
     * forwarded: message_size, message_unknown, message_malformed, wire_older, wire_newer, not_logged_in,
     * duplicate, full, wrong_key, wrong_role, stale (about an earlier primary), over_budget, unsolicited,
     * time_out_of_range. Forwarded, but not to everybody: queue_full.
     */
    status receive(
        std::uint64_t connection, const void *message, std::size_t length, local_time received) noexcept
    {
        return detail::call(netclock_relay_receive, *this, connection, message, length, received);
    }

    /**
     * The connection was closed at `now`, so its peer has left. Errors: not_logged_in, time_out_of_range.
     */
    status disconnect(std::uint64_t connection, local_time now) noexcept
    {
        return detail::call(netclock_relay_disconnect, *this, connection, now);
    }

    /**
     * Whether this connection has a slot: ok if it has one, not_logged_in if not. If messages come as
     * datagrams, keep the addresses of connections with a slot and forget the others.
     */
    status has_slot(std::uint64_t connection) const noexcept
    {
        return detail::call(netclock_relay_has_slot, *this, connection);
    }

    /**
     * Does what is due at `now`. Gives the next message to send at once, its connection and its length. Call
     * it until it returns nothing_due: whenever messages came, and at least every 50 ms. Errors:
     * time_out_of_range.
     */
    [[nodiscard]] result<peer_message> next_message(local_time now) noexcept
    {
        std::uint64_t connection = 0;
        auto next = detail::message<peer_message>(netclock_relay_next_message, *this, now, &connection);
        next->connection = connection;
        return next;
    }

    /** The state of the game with this id. no_game: nobody plays it. */
    [[nodiscard]] result<relay_game> game(std::uint64_t game) const noexcept
    {
        return detail::ask<relay_game>(netclock_relay_read_game, *this, game);
    }
};

/**
 * A peer: takes part in one game and shares its clock. Calls on it wait for each other. Owns a netclock_peer.
 */
class peer : public owned<netclock_peer, netclock_peer_destroy> {
public:
    using owned::owned;

    /**
     * Creates a peer that will play `game`. Its clock has these settings. `random` makes its messages
     * unguessable: draw it from the operating system. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<peer> create(
        std::uint64_t game, const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<peer>(netclock_peer_create, settings, game, random.high, random.low);
    }

    /**
     * Handles one message of `length` bytes from the relay that arrived at local time `arrived` (stamped as
     * close to the network as possible). game_message: it is the game's own, and `game` describes it;
     * otherwise `game` is unchanged. Errors, after which nothing changed: message_size, message_unknown,
     * message_malformed, wrong_key, wrong_role, not_logged_in (a game's message before the login), stale
     * (about an earlier primary or login), unknown_request and the others of a refused exchange,
     * time_out_of_range. login_rejected: the relay rejected the login, as the reading says.
     */
    status receive(const void *data, std::size_t size, local_time arrived, peer_game_message &heard) noexcept
    {
        auto game = detail::sized<netclock_peer_game_message>();
        const auto code = detail::call(netclock_peer_receive, *this, data, size, arrived, &game);
        if (code == status::game_message) {
            heard = detail::from_c(game);
        }
        return code;
    }

    /**
     * Does what is due at local time `now`; call it every frame, before peer::next_message. Errors:
     * time_out_of_range, time_went_backwards.
     */
    status tick(local_time now) noexcept
    {
        return detail::call(netclock_peer_tick, *this, now);
    }

    /**
     * The next message to send to the relay at once, at local time `now`, and its length. Call it in every
     * frame until it returns nothing_due.
     */
    [[nodiscard]] result<peer_message> next_message(local_time now) noexcept
    {
        return detail::message<peer_message>(netclock_peer_next_message, *this, now);
    }

    /** Everything the peer knows at local time `now`. Errors: time_out_of_range. */
    [[nodiscard]] result<peer_reading> read(local_time now) const noexcept
    {
        return detail::ask<peer_reading>(netclock_peer_read, *this, now);
    }

    /**
     * Makes a message of the game's own with this id and `length` bytes of data. It is stamped with the
     * shared time at local time `now`. Send it to the relay, which forwards it to all other peers of the
     * game. `data` may be null if `length` is zero. not_begun: there is no shared time yet. Errors:
     * message_unknown for an id below NETCLOCK_FIRST_GAME_ID, message_size for too much data, not_logged_in.
     */
    [[nodiscard]] result<peer_message> stamp(
        local_time now, std::uint16_t id, const void *data, std::size_t length) const noexcept
    {
        return detail::message<peer_message>(netclock_peer_stamp, *this, now, id, data, length);
    }

    /** Leaves the game with the next message; the clock continues. */
    status leave() noexcept
    {
        return detail::call(netclock_peer_leave, *this);
    }
};

} // namespace netclock

#endif /* NETCLOCK_PEER_HPP */
