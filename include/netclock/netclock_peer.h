/*
 * NetClock: peers behind a relay.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/peer. Do not edit: run `cargo xtask header`.
 * The contract in netclock.h applies to all functions.
 */
#ifndef NETCLOCK_PEER_H
#define NETCLOCK_PEER_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Peers behind a relay
 *
 * Peers that communicate only through a relay share the clock of one peer, the primary.
 * docs/relay-protocol.md specifies the messages.
 * =============================================================================================== */

/**
 * The size of a message between a relay and a peer, in bytes. On byte streams, messages follow one another
 * without separators.
 */
#define NETCLOCK_PEER_DATAGRAM_SIZE 64

/**
 * A relay assigns game slots to peers, forwards their messages, and records how long it held each message.
 * Opaque.
 */
typedef struct netclock_relay netclock_relay;

/** Relay settings. Set `struct_size` to `sizeof(netclock_relay_config)`. A zero field selects its default. */
typedef struct netclock_relay_config {
    /** `sizeof(netclock_relay_config)` in the caller's program. */
    uint32_t struct_size;
    /** The maximum number of games. (1 to 256, default 16) */
    uint32_t games;
    /** The maximum number of peers per game. (2 to 64, default 8) */
    uint32_t slots;
    /** The number of peers needed to start a game. (1 to `slots`, default 2) */
    uint32_t players;
} netclock_relay_config;

/** The state of a game at a relay. Set `struct_size` before the call. */
typedef struct netclock_relay_game {
    /** `sizeof(netclock_relay_game)` in the caller's program. */
    uint32_t struct_size;
    /** The number of connected peers. */
    uint32_t players;
    /** The number of primaries so far, including the current one. */
    uint32_t generation;
    /** 1 if the game has started, else 0. */
    int32_t began;
    /** The primary's connection. */
    uint64_t primary;
} netclock_relay_game;

/**
 * Creates a relay without games and stores it in `*relay`. Pass a null `config` for the defaults.
 * `seed_high` and `seed_low` make the relay's tokens unpredictable. Draw all 128 bits from the operating
 * system's random number generator.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_create(const struct netclock_relay_config *config,
                                      uint64_t seed_high,
                                      uint64_t seed_low,
                                      struct netclock_relay **relay);

/** Destroys a relay. */
netclock_status netclock_relay_destroy(struct netclock_relay *relay);

/**
 * Handles a datagram of `length` bytes that arrived on `connection` when the relay's clock read `received`
 * (ticks). `connection` is a number of your choice that identifies the sender's address. Take this timestamp
 * as close to the socket as possible, because the relay reports to peers how long it held each message.
 * After this call, send the messages that `netclock_relay_next_message` returns, preferably before you read
 * the next message. The relay queues at most 16 replies to connections without a slot. If there are more, it
 * keeps 16 of them at random. A peer receives its slot with its second login, which proves that the peer
 * receives the relay's messages. After an error, the relay forwards nothing. Errors: `NETCLOCK_WIRE_...`,
 * `NETCLOCK_NOT_LOGGED_IN`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`, `NETCLOCK_WRONG_KEY`,
 * `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` for a message about an earlier primary, `NETCLOCK_OVER_BUDGET`,
 * `NETCLOCK_UNSOLICITED`, `NETCLOCK_QUEUE_FULL`.
 */
netclock_status netclock_relay_receive(struct netclock_relay *relay,
                                       uint64_t connection,
                                       const void *datagram,
                                       size_t length,
                                       netclock_local_time received);

/**
 * Reports that the connection was closed at `now` (ticks) and that its peer has left. Errors:
 * `NETCLOCK_NOT_LOGGED_IN`.
 */
netclock_status netclock_relay_disconnect(struct netclock_relay *relay,
                                          uint64_t connection,
                                          netclock_local_time now);

/**
 * Returns `NETCLOCK_OK` if this connection has a slot, and `NETCLOCK_NOT_LOGGED_IN` otherwise. If messages
 * arrive as datagrams, store only the addresses of connections with a slot.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_has_slot(const struct netclock_relay *relay, uint64_t connection);

/**
 * Performs the work that is due at `now` (ticks), and returns the next message to send and its connection in
 * `*connection`. The message is a datagram of `NETCLOCK_PEER_DATAGRAM_SIZE` bytes, written into a buffer of
 * `capacity` bytes. Send it at once. Whenever messages have arrived, and at least every 50 ms, call this
 * function until it returns `NETCLOCK_NOTHING_DUE`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_next_message(struct netclock_relay *relay,
                                            netclock_local_time now,
                                            uint64_t *connection,
                                            void *datagram,
                                            size_t capacity);

/** Returns the state of `game` in `*state`. Returns `NETCLOCK_NO_GAME` if no peer is playing this game. */
NETCLOCK_NODISCARD
netclock_status netclock_relay_read_game(const struct netclock_relay *relay,
                                         uint64_t game,
                                         struct netclock_relay_game *state);

/** Peer stage: the peer is logging in, because it has no slot yet or has lost its slot. */
#define NETCLOCK_PEER_JOINING 0

/** Peer stage: the peer has a slot but no shared clock yet. */
#define NETCLOCK_PEER_WAITING 1

/** Peer stage: the peer has the shared clock, but the game has not started. */
#define NETCLOCK_PEER_SYNCED 2

/** Peer stage: the game is running. */
#define NETCLOCK_PEER_PLAYING 3

/** Peer stage: the peer left. */
#define NETCLOCK_PEER_ENDED 4

/** Rejection: none. */
#define NETCLOCK_REJECTED_NONE 0

/** Rejection: this game has no free slot, or the relay has no room for another game. */
#define NETCLOCK_REJECTED_FULL 1

/** Rejection: the peer is already logged in, over this or another connection. */
#define NETCLOCK_REJECTED_DUPLICATE 2

/** Rejection: the relay does not know the login. */
#define NETCLOCK_REJECTED_LOGIN 3

/** A peer takes part in one game and shares a clock with the other peers in that game. Opaque. */
typedef struct netclock_peer netclock_peer;

/** The state of a peer and its clock at a single local time. Set `struct_size` before the call. */
typedef struct netclock_peer_reading {
    /** `sizeof(netclock_peer_reading)` in the caller's program. */
    uint32_t struct_size;
    /** One of `NETCLOCK_PEER_...`. */
    int32_t stage;
    /** 1 if this peer is the primary and its clock is the shared clock, else 0. */
    int32_t leads;
    /** The state of the clock, one of `NETCLOCK_STATE_...`. */
    int32_t state;
    /** The number of the peer's slot, according to the relay's latest message. */
    uint32_t slot;
    /** The number of peers in the game, according to the relay's latest message. */
    uint32_t players;
    /** The number of the epoch, as in `netclock_reading`. */
    uint32_t epoch;
    /** Why the relay rejected the last login, one of `NETCLOCK_REJECTED_...`. */
    int32_t rejection;
    /**
     * The shared time in ticks. The time is zero until the game starts, and never goes backwards within an
     * epoch.
     */
    netclock_server_time time;
    /**
     * The hard error bound in ticks. The primary's clock is within `time` plus or minus this bound, provided
     * that the relay reports truthfully how long it holds messages. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    int64_t error_bound;
    /** The expected error (one standard deviation) in ticks. `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t expected_error;
    /**
     * The largest possible deviation of the primary's clock from the clock of the game's first primary, in
     * ticks. It may grow when the primary changes.
     */
    int64_t inherited;
    /**
     * The smallest recent round-trip time to the primary in ticks, not counting the time for which the relay
     * held the messages. `NETCLOCK_UNBOUNDED` if unknown.
     */
    int64_t round_trip;
    /**
     * Identifies the primary whose clock is shown. Zero until there is a primary. Two peers with the same
     * `authority` read the same clock.
     */
    uint64_t authority;
} netclock_peer_reading;

/**
 * Creates a peer for the game with the id `game` and stores it in `*peer`. `config` contains the settings of
 * the peer's clock. Pass a null `config` for the defaults. `seed_high` and `seed_low` make the peer's
 * messages unpredictable. Draw all 128 bits from the operating system's random number generator.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_create(const struct netclock_config *config,
                                     uint64_t game,
                                     uint64_t seed_high,
                                     uint64_t seed_low,
                                     struct netclock_peer **peer);

/** Destroys a peer. */
netclock_status netclock_peer_destroy(struct netclock_peer *peer);

/**
 * Handles a datagram of `length` bytes received from the relay at local time `arrived` (ticks). Take this
 * timestamp as close to the network as possible. Errors: `NETCLOCK_WIRE_...`, `NETCLOCK_WRONG_KEY`,
 * `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` for a message about an earlier primary or login,
 * `NETCLOCK_LOGIN_REJECTED`, after which the reading contains the relay's reason, and for a rejected
 * exchange the codes starting with `NETCLOCK_UNKNOWN_REQUEST`.
 */
netclock_status netclock_peer_receive(struct netclock_peer *peer,
                                      const void *datagram,
                                      size_t length,
                                      netclock_local_time arrived);

/**
 * Performs the work that is due at local time `now` (ticks), and returns the next message for the relay. The
 * message is a datagram of `NETCLOCK_PEER_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes.
 * Send it at once. Every frame, call this function until it returns `NETCLOCK_NOTHING_DUE`. Errors:
 * `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_next_message(struct netclock_peer *peer,
                                           netclock_local_time now,
                                           void *datagram,
                                           size_t capacity);

/** Reads the peer at local time `now` (ticks), and returns its state in `*reading`. */
NETCLOCK_NODISCARD
netclock_status netclock_peer_read(const struct netclock_peer *peer,
                                   netclock_local_time now,
                                   struct netclock_peer_reading *reading);

/** Leaves the game. The next message announces that the peer has left, and the peer's clock keeps running. */
netclock_status netclock_peer_leave(struct netclock_peer *peer);

/* ===============================================================================================
 * Codes
 *
 * 800 to 899, positive and negative: peers behind a relay.
 * =============================================================================================== */

/** No peer is playing this game at this relay. */
#define NETCLOCK_NO_GAME 804

/** The connection is not logged in, or is no longer logged in. */
#define NETCLOCK_NOT_LOGGED_IN (-805)

/** A peer with this role does not send or does not accept this message. */
#define NETCLOCK_WRONG_ROLE (-806)

/** The connection exceeds its traffic budget. */
#define NETCLOCK_OVER_BUDGET (-807)

/** The reply does not belong to any request. */
#define NETCLOCK_UNSOLICITED (-808)

/** A receiver's queue is full, so the message is not delivered to that receiver. */
#define NETCLOCK_QUEUE_FULL (-809)

/** The relay rejected the login. */
#define NETCLOCK_LOGIN_REJECTED (-810)

/** The message is about an earlier primary or login. */
#define NETCLOCK_STALE (-811)

/**
 * The message does not authenticate its sender, because it carries a different key or token. The message is
 * forged, or belongs to an earlier connection.
 */
#define NETCLOCK_WRONG_KEY (-812)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_PEER_H */
