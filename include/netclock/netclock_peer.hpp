/*
 * NetClock for C++17: peers behind a relay.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_peer.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 * A relay assigns slots in games to peers and forwards their messages. All share the clock of one peer, the
 * primary. Messages are bytes: send them as datagrams, or over byte streams, which `stream` splits.
 */

#ifndef NETCLOCK_PEER_HPP
#define NETCLOCK_PEER_HPP

#include "netclock/netclock_peer_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** The smallest id of a message of the game, and the number of bytes before its data. */
inline constexpr std::uint16_t first_game_id = NETCLOCK_FIRST_GAME_ID;
inline constexpr std::size_t game_header_size = NETCLOCK_GAME_HEADER_SIZE;

/** A message between a relay and a peer. */
struct peer_message {
    /** The peer's connection, for messages of a relay. */
    std::uint64_t connection = 0;
    /** Number of bytes. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_MAX_MESSAGE_SIZE> bytes{};
};

namespace detail {

/** Calls a C function whose last three parameters are a message buffer, its capacity, and its size. */
template <class Message, class... Parameters, class... Given>
result<Message> message(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    Message made;
    const auto code = status{function(in(given)..., made.bytes.data(), made.bytes.size(), &made.size)};
    return {code, made};
}

} // namespace detail

/**
 * A decoder that extracts the messages between a relay and its peers from a byte stream. Use one for each
 * direction of each connection. Datagrams carry one message each and need no decoder. Owns a netclock_stream.
 */
class stream : public owned<netclock_stream, netclock_stream_destroy> {
public:
    using owned::owned;

    /** Creates a decoder for a new stream. Errors: abi_mismatch. */
    [[nodiscard]] static result<stream> create() noexcept
    {
        return detail::create<stream>(netclock_stream_create);
    }

    /**
     * Adds as many of the `length` bytes from the stream as fit, and returns their number. Extract the
     * messages with stream::next, then push the remaining bytes. Errors: stream_broken.
     */
    [[nodiscard]] result<std::size_t> push(const void *bytes, std::size_t length) noexcept
    {
        return detail::ask<std::size_t>(netclock_stream_push, *this, bytes, length);
    }

    /**
     * Returns the next complete message in a buffer of `capacity` bytes, and its size. Returns incomplete if
     * more bytes must arrive. Close the connection after an error. Errors: message_size once for an
     * impossible size, then stream_broken.
     */
    [[nodiscard]] result<peer_message> next() noexcept
    {
        return detail::message<peer_message>(netclock_stream_next, *this);
    }
};

/**
 * A relay. It assigns game slots to peers, forwards their messages, and records how long it held each
 * message. Owns a netclock_relay.
 */
class relay : public owned<netclock_relay, netclock_relay_destroy> {
public:
    using owned::owned;

    /**
     * Creates a relay without games. `random` makes its tokens unpredictable: draw it from the operating
     * system. Errors: abi_mismatch.
     */
    [[nodiscard]] static result<relay> create(const seed &random, const relay_config &settings = {}) noexcept
    {
        return detail::create<relay>(netclock_relay_create, settings, random.high, random.low);
    }

    /**
     * Handles one message of `length` bytes that arrived on `connection` when the relay's clock read
     * `received`. `connection` is any number that you pass with all messages from one address. Take the time
     * as close to the socket as possible, because the relay reports to peers how long it held each message.
     * Then send the messages that relay::next_message returns, preferably before you read the next message.
     * At most 16 answers to connections without a slot can wait. If there are more, each has the same chance
     * to be kept. A peer gets its slot with its second login, which proves that it receives the relay's
     * messages. Errors, after which nothing is forwarded: message_size, message_unknown, message_malformed,
     * wire_older, wire_newer, not_logged_in, duplicate, full, wrong_key, wrong_role, stale for a message
     * about an earlier primary, over_budget, unsolicited. queue_full if the message was forwarded to some
     * peers only.
     */
    status receive(
        std::uint64_t connection, const void *message, std::size_t length, local_time received) noexcept
    {
        return detail::call(netclock_relay_receive, *this, connection, message, length, received);
    }

    /** Reports that the connection was closed at `now` and that its peer has left. Errors: not_logged_in. */
    status disconnect(std::uint64_t connection, local_time now) noexcept
    {
        return detail::call(netclock_relay_disconnect, *this, connection, now);
    }

    /**
     * Returns ok if this connection has a slot, and not_logged_in otherwise. If messages arrive as datagrams,
     * keep the addresses of connections with a slot and forget the others.
     */
    status has_slot(std::uint64_t connection) const noexcept
    {
        return detail::call(netclock_relay_has_slot, *this, connection);
    }

    /**
     * Does what is due at `now`, and returns the next message in a buffer of `capacity` bytes, its connection
     * in `connection`, and its size in `length`. Send the message at once. Whenever messages have arrived,
     * and at least every 50 ms, call this function until it returns nothing_due.
     */
    [[nodiscard]] result<peer_message> next_message(local_time now) noexcept
    {
        std::uint64_t connection = 0;
        auto next = detail::message<peer_message>(netclock_relay_next_message, *this, now, &connection);
        next->connection = connection;
        return next;
    }

    /** Returns the state of the game with this id. Returns no_game if no peer plays it. */
    [[nodiscard]] result<relay_game> game(std::uint64_t game) const noexcept
    {
        return detail::ask<relay_game>(netclock_relay_read_game, *this, game);
    }
};

/** A peer, which takes part in one game and shares a clock with its other peers. Owns a netclock_peer. */
class peer : public owned<netclock_peer, netclock_peer_destroy> {
public:
    using owned::owned;

    /**
     * Creates a peer for the game with the id `game`. It contains the settings of the peer's clock. `random`
     * makes its messages unpredictable: draw it from the operating system. Errors: abi_mismatch.
     */
    [[nodiscard]] static result<peer> create(
        std::uint64_t game, const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<peer>(netclock_peer_create, settings, game, random.high, random.low);
    }

    /**
     * Handles one message of `length` bytes from the relay. It arrived at local time `arrived`, taken as
     * close to the network as possible. If it is a game message, returns game_message and a description in
     * `game`; otherwise `game` is unchanged. Errors: message_size, message_unknown, message_malformed,
     * wrong_key, wrong_role, not_logged_in for a game message before the login, stale for a message about an
     * earlier primary or login, and the errors of a rejected exchange from unknown_request. After
     * login_rejected, the reading contains the relay's reason.
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
     * Does what is due at local time `now`, and returns the next message for the relay in a buffer of
     * `capacity` bytes, and its size. Send the message at once. Call this function in every frame until it
     * returns nothing_due. Errors: time_went_backwards.
     */
    [[nodiscard]] result<peer_message> next_message(local_time now) noexcept
    {
        return detail::message<peer_message>(netclock_peer_next_message, *this, now);
    }

    /** Returns the peer's state at local time `now`. */
    [[nodiscard]] result<peer_reading> read(local_time now) const noexcept
    {
        return detail::ask<peer_reading>(netclock_peer_read, *this, now);
    }

    /**
     * Creates a game message with this id and `length` bytes of data in a buffer of `capacity` bytes, and
     * returns its size. The message carries the shared time at local time `now`. Send it to the relay, which
     * forwards it to all other peers in the game. `data` may be null if `length` is zero. Returns not_begun
     * if there is no shared time yet. Errors: message_unknown if the id is below NETCLOCK_FIRST_GAME_ID,
     * message_size if there is too much data, not_logged_in.
     */
    [[nodiscard]] result<peer_message> stamp(
        local_time now, std::uint16_t id, const void *data, std::size_t length) const noexcept
    {
        return detail::message<peer_message>(netclock_peer_stamp, *this, now, id, data, length);
    }

    /** Leaves the game with the next message. The clock continues. */
    status leave() noexcept
    {
        return detail::call(netclock_peer_leave, *this);
    }
};

} // namespace netclock

#endif /* NETCLOCK_PEER_HPP */
