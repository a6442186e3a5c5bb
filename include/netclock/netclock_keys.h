/*
 * NetClock: session keys.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/clock/keys. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_KEYS_H
#define NETCLOCK_KEYS_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Session keys
 *
 * A server draws a key for each player, and sends it over a connection that others cannot read. From then on
 * both sides seal their messages with it.
 * =============================================================================================== */

/** Direction: sent by the client, received by the server. */
#define NETCLOCK_TO_SERVER 1

/** Direction: sent by the server, received by the client. */
#define NETCLOCK_TO_CLIENT 2

/** Bytes that a seal adds to a message. */
#define NETCLOCK_SEAL_OVERHEAD 32

/** Longest sealed message, in bytes. */
#define NETCLOCK_SEALED_MOST 1056

/**
 * A secret of 128 bits that a client and its server share for one connection, and the number by which the
 * server finds it. Draw both halves of the secret from the operating system. Give them to the client over a
 * channel that nobody else can read: anyone who has the key can forge both sides.
 */
typedef struct netclock_session_key {
    /** The secret: its first eight bytes, the first one highest. Not both halves may be zero. */
    uint64_t secret_high;
    /** Its last eight bytes. */
    uint64_t secret_low;
    /** The number by which the server finds the key. It is no secret; each session has another one. */
    uint32_t id;
    /**
     * How often this side made a link, or a sealed channel, with this key before. All that is sealed is
     * refused as a replay until the number is right; any number that grows will do. Zero for a server.
     */
    uint32_t restarts;
} netclock_session_key;

/**
 * One end of the channel for a game's messages under a session key. Opaque. It has 1 KiB at most. Calls on
 * it wait for each other.
 *
 * It numbers what it seals, and opens each message once: the other end's newest 256 in any order, none that
 * is older. So make one for each connection, with a key of its own. A server has
 * `netclock_session_keys_create` for the channels of all its clients.
 */
typedef struct netclock_sealed_channel netclock_sealed_channel;

/**
 * Creates the end of a channel that sends in `direction` and stores it in `*channel`. Give it back to
 * `netclock_sealed_channel_destroy`. A client sends in `NETCLOCK_TO_SERVER`, and a server in
 * `NETCLOCK_TO_CLIENT`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` for the key,
 * `NETCLOCK_OUT_OF_RANGE` for another direction, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_sealed_channel_create(const struct netclock_session_key *key,
                                               int32_t direction,
                                               struct netclock_sealed_channel **channel);

/**
 * Destroys a channel, as `netclock_session_keys_destroy` session keys. Its keys are overwritten. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
 */
netclock_status netclock_sealed_channel_destroy(struct netclock_sealed_channel *channel);

/**
 * Seals a message of `length` bytes (1 to 1024): any of NetClock's, as it is. Writes `length` +
 * `NETCLOCK_SEAL_OVERHEAD` bytes to where there is room for `capacity`, not overlapping the message. Send
 * those in its place, once: seal a message that you repeat again. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_WIRE_LENGTH` for another length or too little room, `NETCLOCK_FULL` (no number is left),
 * `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_sealed_channel_seal(struct netclock_sealed_channel *channel,
                                             const void *message,
                                             size_t length,
                                             void *sealed,
                                             size_t capacity);

/**
 * Opens a datagram of `length` bytes that came from the other end. The message begins at `*message` in it,
 * and is `NETCLOCK_SEAL_OVERHEAD` bytes shorter. On an error ignore the datagram, and answer nothing.
 * Errors: `NETCLOCK_NOT_SEALED` (a message without a seal, which a side that has a key must not use),
 * `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`,
 * `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_WIRE_OLDER`, `NETCLOCK_WIRE_NEWER`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_sealed_channel_open(struct netclock_sealed_channel *channel,
                                             const void *sealed,
                                             size_t length,
                                             const void **message);

/** Settings of session keys. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_session_keys_config {
    /** `sizeof(netclock_session_keys_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Most sessions at a time; memory for them is taken at creation. (1 to 65536, default 64) */
    uint32_t capacity;
    /** Answers a second to each session. As many may be given at once. (1 to 10000, default 100) */
    uint32_t answers;
} netclock_session_keys_config;

/** What became of the messages that came to a server with session keys. Set `struct_size` before the call. */
typedef struct netclock_session_key_counts {
    /** `sizeof(netclock_session_key_counts)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** Opened: made by a holder of the key. */
    uint64_t opened;
    /** Refused: without a seal, or no sealed message to a server. */
    uint64_t malformed;
    /** Refused: sealed with a key that is not known here. */
    uint64_t unknown_key;
    /** Refused: the tag was wrong. */
    uint64_t forged;
    /** Refused: came before, or was too old to know. */
    uint64_t replayed;
    /** Requests that were not to be answered, because the session had used up its budget. */
    uint64_t over_budget;
} netclock_session_key_counts;

/**
 * The keys of a server's sessions, for a game's messages. Opaque. They have 10 KiB at most for 64 sessions,
 * and never grow. Calls on them wait for each other.
 *
 * For every datagram: open it. If the message is a request, ask `netclock_session_keys_allow` whether it may
 * be answered, and seal the answer. Send it to the address that the request came from, and to no other.
 */
typedef struct netclock_session_keys netclock_session_keys;

/**
 * Creates a set of session keys and stores it in `*keys`. Give it back to `netclock_session_keys_destroy`.
 * It has no key yet, so it refuses every datagram. `config` may be null for all defaults. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_create(const struct netclock_session_keys_config *config,
                                             struct netclock_session_keys **keys);

/**
 * Destroys session keys. Null is allowed and does nothing. No other call may be using them, and none may
 * follow. Errors: `NETCLOCK_UNKNOWN_HANDLE` if they are no live session keys, which is found out without
 * looking at what is there; `NETCLOCK_BUSY` if another thread is seen to use them.
 */
netclock_status netclock_session_keys_destroy(struct netclock_session_keys *keys);

/**
 * Opens messages sealed with `*key` from now on. Admit no key a second time: what was sealed with it before
 * would be opened again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` (the secret is zero),
 * `NETCLOCK_DUPLICATE` (its id is in use), `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_session_keys_admit(struct netclock_session_keys *keys,
                                            const struct netclock_session_key *key);

/**
 * Forgets the key `id`: its messages are refused from now on. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_session_keys_revoke(struct netclock_session_keys *keys, uint32_t id);

/**
 * Opens a datagram of `length` bytes from a client, once. `*id` is that of its key. The message begins at
 * `*message` in the datagram, and is `NETCLOCK_SEAL_OVERHEAD` bytes shorter. On an error ignore the
 * datagram, and answer nothing. Refusals are counted, except a length that no sealed message has. Errors:
 * `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`,
 * `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_WIRE_OLDER`,
 * `NETCLOCK_WIRE_NEWER`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_open(struct netclock_session_keys *keys,
                                           const void *sealed,
                                           size_t length,
                                           uint32_t *id,
                                           const void **message);

/**
 * Whether a request that was opened with the key `id` at server time `now` (ticks) may be answered:
 * `NETCLOCK_OK` if so. It spends one answer of the session's budget. Errors: `NETCLOCK_ENOUGH_ANSWERS`,
 * `NETCLOCK_UNKNOWN_KEY` (do not answer), `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_allow(struct netclock_session_keys *keys,
                                            uint32_t id,
                                            netclock_server_time now);

/**
 * Seals a message of `length` bytes to the client with the key `id`, as `netclock_sealed_channel_seal` does.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_FULL`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_seal(struct netclock_session_keys *keys,
                                           uint32_t id,
                                           const void *message,
                                           size_t length,
                                           void *sealed,
                                           size_t capacity);

/**
 * What became of the messages so far, into `*counts`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_counts(const struct netclock_session_keys *keys,
                                             struct netclock_session_key_counts *counts);

/* ===============================================================================================
 * Codes
 *
 * 120 to 129, positive and negative: session keys.
 * =============================================================================================== */

/** A message has no seal, although this side has a session key. Do not use it. */
#define NETCLOCK_NOT_SEALED (-121)

/** A message was sealed for the other direction. Somebody sent it back to where it came from. */
#define NETCLOCK_OTHER_DIRECTION (-122)

/** No session key of this id is known here. It was never admitted, or was revoked. */
#define NETCLOCK_UNKNOWN_KEY (-123)

/** The tag of a sealed message is wrong. It is forged, was changed, or was sealed with another secret. */
#define NETCLOCK_FORGED (-124)

/** A session has had as many answers as it may for now: do not answer. */
#define NETCLOCK_ENOUGH_ANSWERS (-125)

/**
 * A sealed message came before, or so many newer ones came since that nobody knows. Or its sender started
 * again and did not say so with `netclock_session_key.restarts`.
 */
#define NETCLOCK_REPLAYED (-126)

/** A message was sealed for the other channel of a session: for the link, or for the game's messages. */
#define NETCLOCK_OTHER_CHANNEL (-127)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_KEYS_H */
