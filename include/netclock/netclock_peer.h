/*
 * NetClock: peers behind a relay.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/peer. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
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
 * Peers that reach each other only through a relay share the clock of one of them, the primary. The
 * messages are in docs/relay-protocol.md.
 * =============================================================================================== */

/**
 * Longest message between a relay and its peers, in bytes. Every message fits a datagram. A buffer for one
 * has this many bytes.
 */
#define NETCLOCK_MAX_MESSAGE_SIZE 1024

/** Bytes before the data in a game's own message. */
#define NETCLOCK_GAME_HEADER_SIZE 20

/** First id of a game's own messages. */
#define NETCLOCK_FIRST_GAME_ID 256

/**
 * Takes the messages between a relay and its peers out of a stream of bytes. Use one for each direction of
 * each connection. Opaque. Calls on it wait for each other. Datagrams carry one message each and need none.
 */
typedef struct netclock_stream netclock_stream;

/**
 * Creates a decoder for a new stream and stores it in `*stream`. Give it back to
 * `netclock_stream_destroy`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_stream_create(struct netclock_stream **stream);

/**
 * Destroys a decoder, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_stream_destroy(struct netclock_stream *stream);

/**
 * Takes some of `length` bytes as they were read from the stream, and says in `*taken` how many. Take the
 * messages out with `netclock_stream_next`, then push the rest. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STREAM_BROKEN`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_stream_push(struct netclock_stream *stream,
                                     const void *bytes,
                                     size_t length,
                                     size_t *taken);

/**
 * The next whole message and its length, into a buffer of `capacity` bytes. `NETCLOCK_INCOMPLETE`: more
 * bytes must come. Errors, after which you close the connection: `NETCLOCK_MESSAGE_SIZE` for a size that no
 * message has, once, then `NETCLOCK_STREAM_BROKEN`. Also `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if
 * the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_stream_next(struct netclock_stream *stream,
                                     void *message,
                                     size_t capacity,
                                     size_t *length);

/**
 * A relay: gives peers slots in games, forwards between them, and stamps how long it held each message.
 * Opaque. Calls on it wait for each other.
 */
typedef struct netclock_relay netclock_relay;

/** Settings of a relay. Set `struct_size`, and everything else to zero for the defaults. */
typedef struct netclock_relay_config {
    /** `sizeof(netclock_relay_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Most games at a time. (1 to 256, default 16) */
    uint32_t games;
    /** Most peers of a game. (2 to 64, default 8) */
    uint32_t slots;
    /** Peers that must be there before a game begins. (1 to `slots`, default 2) */
    uint32_t players;
    /**
     * A peer that is silent for this long is gone. A primary that answers no requests for this long is
     * replaced. (ticks, 1 s to 60 s, default 3 s)
     */
    int64_t silence;
    /**
     * How long a game waits for peers whose clocks are not in sync. (ticks, 1 tick to 10 min, default 10 s)
     */
    int64_t patience;
    /**
     * What a connection may send: bytes a second, with 32 added for each message. (1000 to 10^7, default
     * 32768)
     */
    uint32_t budget;
    /**
     * Bytes that may wait for one peer, allocated at creation for each slot of each game. (2064 to 65536,
     * default 8192)
     */
    uint32_t queue;
} netclock_relay_config;

/** The state of a game at a relay. Set `struct_size` before the call. */
typedef struct netclock_relay_game {
    /** `sizeof(netclock_relay_game)` as compiled into the caller. */
    uint32_t struct_size;
    /** Peers that are there. */
    uint32_t players;
    /** How many primaries there were, including the present one. */
    uint32_t generation;
    /** 1 if the game began, else 0. */
    int32_t began;
    /** 1 if there is a primary, else 0. */
    int32_t has_primary;
    /** Zero. */
    int32_t reserved;
    /** Connection of the primary, if there is one. */
    uint64_t primary;
    /** Messages to peers that did not fit into their queues. */
    uint64_t dropped;
} netclock_relay_game;

/**
 * Creates a relay without games and stores it in `*relay`. Give it back to `netclock_relay_destroy`.
 * `config` may be null for all defaults. `seed_high` and `seed_low` make its tokens unguessable: draw
 * 128 bits from the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_create(const struct netclock_relay_config *config,
                                      uint64_t seed_high,
                                      uint64_t seed_low,
                                      struct netclock_relay **relay);

/**
 * Destroys a relay, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_relay_destroy(struct netclock_relay *relay);

/**
 * Handles one message of `length` bytes that came on `connection` when the relay's clock read `received`.
 * `connection` is any number that you give to all messages from one address. Stamp the arrival as close to
 * the socket as possible: the relay tells peers how long the message waited from then on. Then send what
 * `netclock_relay_next_message` gives, best before the next message is read: only 16 answers to connections
 * without a slot can wait. If there are more, each of these has the same chance. A peer gets its slot with
 * the second of two logins, which shows that it hears the relay. Errors, after which nothing is forwarded:
 * `NETCLOCK_MESSAGE_SIZE`, `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WIRE_OLDER`,
 * `NETCLOCK_WIRE_NEWER`, `NETCLOCK_NOT_LOGGED_IN`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`,
 * `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` (about an earlier primary),
 * `NETCLOCK_OVER_BUDGET`, `NETCLOCK_UNSOLICITED`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`. Forwarded, but not to everybody: `NETCLOCK_QUEUE_FULL`.
 */
netclock_status netclock_relay_receive(struct netclock_relay *relay,
                                       uint64_t connection,
                                       const void *message,
                                       size_t length,
                                       netclock_local_time received);

/**
 * The connection was closed at `now` (ticks), so its peer has left. Errors: `NETCLOCK_NOT_LOGGED_IN`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_relay_disconnect(struct netclock_relay *relay,
                                          uint64_t connection,
                                          netclock_local_time now);

/**
 * Whether this connection has a slot: `NETCLOCK_OK` if it has one, `NETCLOCK_NOT_LOGGED_IN` if not. If
 * messages come as datagrams, keep the addresses of connections with a slot and forget the others. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_has_slot(const struct netclock_relay *relay, uint64_t connection);

/**
 * Does what is due at `now` (ticks). Gives the next message to send at once, its connection and its length,
 * into a buffer of `capacity` bytes. Call it until it returns `NETCLOCK_NOTHING_DUE`: whenever messages
 * came, and at least every 50 ms. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is
 * too small, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_next_message(struct netclock_relay *relay,
                                            netclock_local_time now,
                                            uint64_t *connection,
                                            void *message,
                                            size_t capacity,
                                            size_t *length);

/**
 * The state of the game with this id, into `*state`. `NETCLOCK_NO_GAME`: nobody plays it. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_read_game(const struct netclock_relay *relay,
                                         uint64_t game,
                                         struct netclock_relay_game *state);

/** Stage of a peer: it has no slot (or lost it) and logs in. */
#define NETCLOCK_PEER_JOINING 0

/** Stage of a peer: it has a slot, but no shared clock yet. */
#define NETCLOCK_PEER_WAITING 1

/** Stage of a peer: it has the shared clock, but the game has not begun. */
#define NETCLOCK_PEER_SYNCED 2

/** Stage of a peer: the game runs. */
#define NETCLOCK_PEER_PLAYING 3

/** Stage of a peer: it left, or the relay speaks another version. */
#define NETCLOCK_PEER_ENDED 4

/** Role of a peer: none, without a slot. */
#define NETCLOCK_ROLE_NONE 0

/** Role of a peer: primary. Its clock is the shared one. */
#define NETCLOCK_ROLE_PRIMARY 1

/** Role of a peer: secondary. It follows the primary. */
#define NETCLOCK_ROLE_SECONDARY 2

/** Rejection: none. */
#define NETCLOCK_REJECTED_NONE 0

/** Rejection: the relay speaks another version. */
#define NETCLOCK_REJECTED_VERSION 1

/** Rejection: no free slot in this game, or no room for another game. */
#define NETCLOCK_REJECTED_FULL 2

/** Rejection: logged in already, by this connection or another one. */
#define NETCLOCK_REJECTED_DUPLICATE 3

/** Rejection: the relay does not know the login. */
#define NETCLOCK_REJECTED_LOGIN 4

/** A peer: takes part in one game and shares its clock. Opaque. Calls on it wait for each other. */
typedef struct netclock_peer netclock_peer;

/** Everything a peer knows at one local instant. Set `struct_size` before the call. */
typedef struct netclock_peer_reading {
    /** `sizeof(netclock_peer_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_PEER_...`. */
    int32_t stage;
    /** One of `NETCLOCK_ROLE_...`. */
    int32_t role;
    /** One of `NETCLOCK_STATE_...`, of the clock. */
    int32_t state;
    /** Number of its slot, as the relay said last. */
    uint32_t slot;
    /** How many peers are in the game, as the relay said last. */
    uint32_t players;
    /** Counts declared discontinuities, as `epoch` of `netclock_reading`. */
    uint32_t epoch;
    /** Why the relay refused the last login: one of `NETCLOCK_REJECTED_...`. */
    int32_t rejection;
    /**
     * The shared clock, in ticks: zero when the game began and before. It never goes backwards within an
     * `epoch`.
     */
    netclock_server_time time;
    /**
     * Hard bound, in ticks: the primary's clock is within `time` plus or minus this, if the relay states its
     * holds truly. `NETCLOCK_UNBOUNDED` if nothing can be promised.
     */
    int64_t error_bound;
    /**
     * Expected size of the error, one standard deviation, in ticks. `NETCLOCK_UNBOUNDED` if nothing is
     * known.
     */
    int64_t expected_error;
    /**
     * How far the primary's clock may be from that of the game's first primary, because of what changes of
     * the primary lost, in ticks.
     */
    int64_t inherited;
    /**
     * Smallest recent round trip to the primary, without the relay's holds, in ticks. `NETCLOCK_UNBOUNDED`
     * if unknown.
     */
    int64_t round_trip;
    /**
     * The authority: names the primary whose clock this is; zero before there is one. Two peers with the
     * same authority read the same clock.
     */
    uint64_t authority;
} netclock_peer_reading;

/**
 * A message of the game's own from another peer. Its data begins at byte `NETCLOCK_GAME_HEADER_SIZE` of the
 * message. Set `struct_size` before the call.
 */
typedef struct netclock_peer_game_message {
    /** `sizeof(netclock_peer_game_message)` as compiled into the caller. */
    uint32_t struct_size;
    /** Its id, from `NETCLOCK_FIRST_GAME_ID` on. */
    uint32_t id;
    /** The sender's slot, as the relay wrote it. */
    uint32_t slot;
    /** The sender's shared time in milliseconds, modulo 2^32. */
    uint32_t stamp;
    /**
     * The same in full, in ticks: the instant closest to this peer's own shared time; zero if it has none.
     */
    netclock_server_time time;
} netclock_peer_game_message;

/**
 * Creates a peer that will play `game` and stores it in `*peer`. Give it back to `netclock_peer_destroy`.
 * Its clock has these settings. `config` may be null for all defaults. `seed_high` and `seed_low` make its
 * messages unguessable: draw 128 bits from the operating system. Both 0 is refused. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_create(const struct netclock_config *config,
                                     uint64_t game,
                                     uint64_t seed_high,
                                     uint64_t seed_low,
                                     struct netclock_peer **peer);

/**
 * Destroys a peer, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_peer_destroy(struct netclock_peer *peer);

/**
 * Handles one message of `length` bytes from the relay that arrived at local time `arrived` (ticks, stamped
 * as close to the network as possible). `NETCLOCK_GAME_MESSAGE`: it is the game's own, and `*game` describes
 * it; otherwise `*game` is unchanged. Errors, after which nothing changed: `NETCLOCK_MESSAGE_SIZE`,
 * `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`,
 * `NETCLOCK_NOT_LOGGED_IN` (a game's message before the login), `NETCLOCK_STALE` (about an earlier primary
 * or login), `NETCLOCK_UNKNOWN_REQUEST` and the others of a refused exchange, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`. `NETCLOCK_LOGIN_REJECTED`: the
 * relay rejected the login, as the reading says.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_receive(struct netclock_peer *peer,
                                      const void *message,
                                      size_t length,
                                      netclock_local_time arrived,
                                      struct netclock_peer_game_message *game);

/**
 * Does what is due at local time `now` (ticks); call it every frame, before `netclock_peer_next_message`.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_tick(struct netclock_peer *peer, netclock_local_time now);

/**
 * The next message to send to the relay at once, at local time `now` (ticks), and its length, into a buffer
 * of `capacity` bytes. Call it in every frame until it returns `NETCLOCK_NOTHING_DUE`. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_next_message(struct netclock_peer *peer,
                                           netclock_local_time now,
                                           void *message,
                                           size_t capacity,
                                           size_t *length);

/**
 * Everything the peer knows at local time `now` (ticks), into `*reading`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_read(const struct netclock_peer *peer,
                                   netclock_local_time now,
                                   struct netclock_peer_reading *reading);

/**
 * Makes a message of the game's own with this id and `length` bytes of data, into a buffer of `capacity`
 * bytes. Its length goes into `*written`. It is stamped with the shared time at local time `now` (ticks).
 * Send it to the relay, which forwards it to all other peers of the game. `data` may be null if `length` is
 * zero. `NETCLOCK_NOT_BEGUN`: there is no shared time yet. Errors: `NETCLOCK_MESSAGE_UNKNOWN` for an id
 * below `NETCLOCK_FIRST_GAME_ID`, `NETCLOCK_MESSAGE_SIZE` for too much data, `NETCLOCK_NOT_LOGGED_IN`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_stamp(const struct netclock_peer *peer,
                                    netclock_local_time now,
                                    uint16_t id,
                                    const void *data,
                                    size_t length,
                                    void *message,
                                    size_t capacity,
                                    size_t *written);

/**
 * Leaves the game with the next message; the clock continues. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_leave(struct netclock_peer *peer);

/* ===============================================================================================
 * Codes
 *
 * 800 to 899, positive and negative: peers behind a relay.
 * =============================================================================================== */

/** There is no whole message yet: more bytes must come. */
#define NETCLOCK_INCOMPLETE 801

/** The message is the game's own: the output says which. */
#define NETCLOCK_GAME_MESSAGE 802

/** There is no shared time, because the game has not begun. */
#define NETCLOCK_NOT_BEGUN 803

/** Nobody plays this game at this relay. */
#define NETCLOCK_NO_GAME 804

/** A message between relay and peer is not as long as it says, or is too long. */
#define NETCLOCK_MESSAGE_SIZE (-801)

/** No message between relay and peer has this id. */
#define NETCLOCK_MESSAGE_UNKNOWN (-802)

/**
 * A message between relay and peer has another length than its id asks for, a reserved field that is set, or
 * an impossible stamp.
 */
#define NETCLOCK_MESSAGE_MALFORMED (-803)

/** The stream is broken by an impossible size: close the connection. */
#define NETCLOCK_STREAM_BROKEN (-804)

/** The connection is not logged in, or not any more. */
#define NETCLOCK_NOT_LOGGED_IN (-805)

/** A message that this role does not send, or does not accept. */
#define NETCLOCK_WRONG_ROLE (-806)

/** The connection sends more than its share. */
#define NETCLOCK_OVER_BUDGET (-807)

/** A reply that nobody waits for. */
#define NETCLOCK_UNSOLICITED (-808)

/** A receiver's queue is full: it does not get the message. */
#define NETCLOCK_QUEUE_FULL (-809)

/** The relay refuses this peer. */
#define NETCLOCK_LOGIN_REJECTED (-810)

/** A message is older than one that was handled, or is about something that has ended. */
#define NETCLOCK_STALE (-811)

/**
 * A message does not prove its sender: it has another key or token. It is forged, or of an earlier
 * connection.
 */
#define NETCLOCK_WRONG_KEY (-812)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_PEER_H */
