/*
 * NetClock: session keys.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/clock/keys. Do not edit: run `cargo xtask header`.
 * The contract in netclock.h applies to all functions.
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
 * A server draws a key for each player and sends it over a private connection. Both sides then seal their
 * datagrams with the key. Pass the key to `netclock_host_admit` and `netclock_guest_connect` for a session,
 * and to `netclock_link_server_admit` and `netclock_link_client_create` for a link.
 * =============================================================================================== */

/** Direction: from the client to the server. */
#define NETCLOCK_TO_SERVER 1

/** Direction: from the server to the client. */
#define NETCLOCK_TO_CLIENT 2

/**
 * A 128-bit secret that a client and its server share for one connection, and the number that identifies the
 * key to the server. Draw both halves of the secret from the operating system's random number generator, and
 * send them to the client over a private channel. Anyone who has the key can forge the messages of both
 * sides.
 */
typedef struct netclock_session_key {
    /** The first eight bytes of the secret, in big-endian order. The two halves must not both be zero. */
    uint64_t secret_high;
    /** The last eight bytes of the secret. */
    uint64_t secret_low;
    /** Identifies the key to the server. The number is not secret, but it must differ between sessions. */
    uint32_t id;
    /**
     * How many times this side has already created a link or a connection with this key. If the number is
     * too low, the other side rejects everything as a replay. Any number that increases each time works.
     * Servers pass zero.
     */
    uint32_t restarts;
} netclock_session_key;

/* ===============================================================================================
 * Codes
 *
 * 120 to 129, positive and negative: session keys.
 * =============================================================================================== */

/** The message is not sealed, although this side has a session key. Ignore it. */
#define NETCLOCK_NOT_SEALED (-121)

/** The message was sealed for the other direction, and was sent back to its sender. */
#define NETCLOCK_OTHER_DIRECTION (-122)

/** The session key with this id was never admitted, or was revoked. */
#define NETCLOCK_UNKNOWN_KEY (-123)

/** The authentication tag is wrong. The message was forged, modified, or sealed with another secret. */
#define NETCLOCK_FORGED (-124)

/** The session has reached its reply limit for now. Do not reply. */
#define NETCLOCK_ENOUGH_ANSWERS (-125)

/**
 * The sealed message was already received, or is too old to check. The message may also be from a sender
 * that restarted without increasing `netclock_session_key.restarts`.
 */
#define NETCLOCK_REPLAYED (-126)

/** The message was sealed for the session's other channel (the link, or the game's messages). */
#define NETCLOCK_OTHER_CHANNEL (-127)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_KEYS_H */
