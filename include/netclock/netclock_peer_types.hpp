/*
 * NetClock for C++17: the types of netclock_peer.h. Generated from it by `cargo xtask header`: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_PEER_TYPES_HPP
#define NETCLOCK_PEER_TYPES_HPP

#include "netclock/netclock_peer.h"
#include "netclock/netclock_types.hpp"

namespace netclock {

/** The stage of a peer. */
enum class peer_stage : std::int32_t {
    /** Peer stage: the peer is logging in, because it has no slot yet or has lost its slot. */
    joining = NETCLOCK_PEER_JOINING,
    /** Peer stage: the peer has a slot but no shared clock yet. */
    waiting = NETCLOCK_PEER_WAITING,
    /** Peer stage: the peer has the shared clock, but the game has not started. */
    synced = NETCLOCK_PEER_SYNCED,
    /** Peer stage: the game is running. */
    playing = NETCLOCK_PEER_PLAYING,
    /** Peer stage: the peer left. */
    ended = NETCLOCK_PEER_ENDED,
};

/** Why a relay rejected the last login. */
enum class rejection : std::int32_t {
    /** Rejection: none. */
    none = NETCLOCK_REJECTED_NONE,
    /** Rejection: this game has no free slot, or the relay has no room for another game. */
    full = NETCLOCK_REJECTED_FULL,
    /** Rejection: the peer is already logged in, over this or another connection. */
    duplicate = NETCLOCK_REJECTED_DUPLICATE,
    /** Rejection: the relay does not know the login. */
    login = NETCLOCK_REJECTED_LOGIN,
};

/** Relay settings. A zero field selects its default. */
struct relay_config {
    /** The maximum number of games. (1 to 256, default 16) */
    std::uint32_t games = 0;
    /** The maximum number of peers per game. (2 to 64, default 8) */
    std::uint32_t slots = 0;
    /** The number of peers needed to start a game. (1 to `slots`, default 2) */
    std::uint32_t players = 0;
};

/** The state of a game at a relay. */
struct relay_game {
    /** The number of connected peers. */
    std::uint32_t players = 0;
    /** The number of primaries so far, including the current one. */
    std::uint32_t generation = 0;
    /** The primary's connection. */
    std::uint64_t primary = 0;
    /** 1 if the game has started, else 0. */
    bool began = false;
};

/** The state of a peer and its clock at a single local time. */
struct peer_reading {
    /** One of `NETCLOCK_PEER_...`. */
    peer_stage stage = peer_stage::joining;
    /** The state of the clock, one of `NETCLOCK_STATE_...`. */
    clock_state state = clock_state::unsynced;
    /** The number of the peer's slot, according to the relay's latest message. */
    std::uint32_t slot = 0;
    /** The number of peers in the game, according to the relay's latest message. */
    std::uint32_t players = 0;
    /** The number of the epoch, as in `netclock_reading`. */
    std::uint32_t epoch = 0;
    /** Why the relay rejected the last login, one of `NETCLOCK_REJECTED_...`. */
    netclock::rejection rejection = netclock::rejection::none;
    /**
     * The shared time in ticks. The time is zero until the game starts, and never goes backwards within an
     * epoch.
     */
    server_time time{};
    /**
     * The hard error bound in ticks. The primary's clock is within `time` plus or minus this bound, provided
     * that the relay reports truthfully how long it holds messages. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    std::optional<ticks> error_bound{};
    /** The expected error (one standard deviation) in ticks. `NETCLOCK_UNBOUNDED` if unknown. */
    std::optional<ticks> expected_error{};
    /**
     * The largest possible deviation of the primary's clock from the clock of the game's first primary, in
     * ticks. It may grow when the primary changes.
     */
    ticks inherited{};
    /**
     * The smallest recent round-trip time to the primary in ticks, not counting the time for which the relay
     * held the messages. `NETCLOCK_UNBOUNDED` if unknown.
     */
    std::optional<ticks> round_trip{};
    /**
     * Identifies the primary whose clock is shown. Zero until there is a primary. Two peers with the same
     * `authority` read the same clock.
     */
    std::uint64_t authority = 0;
    /** 1 if this peer is the primary and its clock is the shared clock, else 0. */
    bool leads = false;
};

namespace detail {

inline netclock_relay_config to_c(const relay_config &from) noexcept
{
    auto to = sized<netclock_relay_config>();
    to.games = from.games;
    to.slots = from.slots;
    to.players = from.players;
    return to;
}

inline relay_config from_c(const netclock_relay_config &from) noexcept
{
    relay_config to;
    to.games = from.games;
    to.slots = from.slots;
    to.players = from.players;
    return to;
}

inline netclock_relay_game to_c(const relay_game &from) noexcept
{
    auto to = sized<netclock_relay_game>();
    to.players = from.players;
    to.generation = from.generation;
    to.primary = from.primary;
    to.began = from.began ? 1 : 0;
    return to;
}

inline relay_game from_c(const netclock_relay_game &from) noexcept
{
    relay_game to;
    to.players = from.players;
    to.generation = from.generation;
    to.primary = from.primary;
    to.began = from.began != 0;
    return to;
}

inline netclock_peer_reading to_c(const peer_reading &from) noexcept
{
    auto to = sized<netclock_peer_reading>();
    to.stage = static_cast<std::int32_t>(from.stage);
    to.state = static_cast<std::int32_t>(from.state);
    to.slot = from.slot;
    to.players = from.players;
    to.epoch = from.epoch;
    to.rejection = static_cast<std::int32_t>(from.rejection);
    to.time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.inherited = count(from.inherited);
    to.round_trip = count(from.round_trip, NETCLOCK_UNBOUNDED);
    to.authority = from.authority;
    to.leads = from.leads ? 1 : 0;
    return to;
}

inline peer_reading from_c(const netclock_peer_reading &from) noexcept
{
    peer_reading to;
    to.stage = static_cast<peer_stage>(from.stage);
    to.state = static_cast<clock_state>(from.state);
    to.slot = from.slot;
    to.players = from.players;
    to.epoch = from.epoch;
    to.rejection = static_cast<rejection>(from.rejection);
    to.time = from_count<server_time>(from.time);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.inherited = from_count<ticks>(from.inherited);
    to.round_trip = known<ticks>(from.round_trip, NETCLOCK_UNBOUNDED);
    to.authority = from.authority;
    to.leads = from.leads != 0;
    return to;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_PEER_TYPES_HPP */
