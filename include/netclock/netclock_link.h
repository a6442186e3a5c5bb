/*
 * NetClock: the link.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/link. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_LINK_H
#define NETCLOCK_LINK_H

#include "netclock/netclock.h"
#include "netclock/netclock_keys.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * The link
 *
 * A transport of NetClock's own beside the game's: UDP datagrams under a session key, on a thread
 * of its own, so that no frame holds them. The server admits a key for each player, and sends it with the
 * port over the game's connection, to this player only. While the link is good, the clock is as good as the
 * network. If UDP is blocked, the game's messages go on as before.
 * =============================================================================================== */

/** Flag of a link: it has no thread. Call its `_poll` every frame. */
#define NETCLOCK_LINK_POLLED 1

/** Flag of a link: stamp arrivals by the thread, even where the kernel does it. For comparisons. */
#define NETCLOCK_LINK_THREAD_STAMPS 2

/**
 * Flag of a link: it has neither socket nor thread. The caller carries its datagrams and stamps them, with
 * `netclock_link_client_due`, `netclock_link_client_handle` and `netclock_link_server_answer`. For systems
 * whose sockets this library does not know.
 */
#define NETCLOCK_LINK_CARRIED 8

/**
 * Flag of a link: leave its datagrams unmarked. Otherwise requests for the time and their answers have the
 * DSCP 45 of packets that build no queue (RFC 9956), except on Windows, which does not mark them. Where
 * marked ones are dropped, a client notices within seconds and leaves them unmarked. Carried links mark
 * nothing.
 */
#define NETCLOCK_LINK_NO_MARK 16

/** Length of every datagram of a link, in bytes. */
#define NETCLOCK_LINK_DATAGRAM_SIZE 64

/** State of a link: a client's requests are sent, and none is answered yet. */
#define NETCLOCK_LINK_CHECKING 1

/** State of a link: a client's requests are answered. */
#define NETCLOCK_LINK_LINKED 2

/**
 * State of a link: no request was answered for 2 s. Another check begins 30 s later, or 5 s later if no
 * message was answered for 15 s.
 */
#define NETCLOCK_LINK_BLOCKED 3

/** State of a link: there is no way to send datagrams. The trouble says why. */
#define NETCLOCK_LINK_NOT_POSSIBLE 4

/** State of a link: it is a server's, and answers. */
#define NETCLOCK_LINK_SERVING 5

/** Trouble of a link: none. */
#define NETCLOCK_LINK_NO_TROUBLE 10

/**
 * Trouble of a link: the name of the host is looked up. Ask the player's support whether name service works
 * if it lasts longer than some seconds.
 */
#define NETCLOCK_LINK_RESOLVING 11

/**
 * Trouble of a link: the host is unknown. Is the name right, and does the player's name service know others?
 */
#define NETCLOCK_LINK_UNKNOWN_HOST 12

/** Trouble of a link: there is no route to the address. Is the player online, and by this version of IP? */
#define NETCLOCK_LINK_NO_ROUTE 13

/**
 * Trouble of a link: nobody listens at the address and port. Does the server run, and is the port the
 * link's?
 */
#define NETCLOCK_LINK_NOBODY_LISTENS 14

/** Trouble of a link: the system does not send. Is the player's network up? */
#define NETCLOCK_LINK_NOT_SENT 15

/**
 * Trouble of a link: the network reports that it cannot reach the host. Is the address right, and is the
 * server's machine up?
 */
#define NETCLOCK_LINK_HOST_UNREACHABLE 16

/**
 * Trouble of a link: a firewall on the player's machine or on the path reports that it forbids the link's
 * datagrams. Does it let this program send UDP to the link's port?
 */
#define NETCLOCK_LINK_PROHIBITED 17

/** Trouble of a link: the system opens no socket. Does the program leave files or sockets open? */
#define NETCLOCK_LINK_NO_SOCKET 18

/**
 * Trouble of a link: another link of the same client was created later, and the client follows that one.
 * Does the game forget to destroy the first?
 */
#define NETCLOCK_LINK_REPLACED 19

/**
 * Trouble of a link: the server hears another client with the same key. Does the game send one player's key
 * to another?
 */
#define NETCLOCK_LINK_KEY_IN_USE 24

/** Stamps of a link: no datagram has come yet. */
#define NETCLOCK_LINK_NO_STAMPS 20

/** Stamps of a link: by the kernel, when a datagram comes off the network. */
#define NETCLOCK_LINK_STAMPS_KERNEL 21

/** Stamps of a link: by the thread that receives. */
#define NETCLOCK_LINK_STAMPS_THREAD 22

/** Stamps of a link: by the caller, who carries its datagrams. */
#define NETCLOCK_LINK_STAMPS_CALLER 23

/**
 * Mark of a link's datagrams: none. The settings say so, the system does not mark, or the caller carries
 * them.
 */
#define NETCLOCK_LINK_NOT_MARKED 30

/** Mark of a link's datagrams: that of packets that build no queue. */
#define NETCLOCK_LINK_MARKED 31

/** Mark of a link's datagrams: none any more, because marked ones were dropped on the path. */
#define NETCLOCK_LINK_MARK_DROPPED 32

/** What a link does. Set `struct_size` before the call. */
typedef struct netclock_link_report {
    /** `sizeof(netclock_link_report)` as compiled into the caller. */
    uint32_t struct_size;
    /** Whether it works: one of `NETCLOCK_LINK_CHECKING` to `NETCLOCK_LINK_SERVING`. */
    int32_t state;
    /**
     * What stands in its way: one of `NETCLOCK_LINK_NO_TROUBLE` to `NETCLOCK_LINK_REPLACED`, or
     * `NETCLOCK_LINK_KEY_IN_USE`.
     */
    int32_t trouble;
    /** Where arrival stamps come from: one of `NETCLOCK_LINK_NO_STAMPS` to `NETCLOCK_LINK_STAMPS_CALLER`. */
    int32_t stamps;
    /** Requests: a client's own, or those of all clients that a server answered. */
    uint64_t requests;
    /** Replies that a client used. */
    uint64_t replies;
    /** Datagrams that were not sealed with a known key, or that were no messages of this end. */
    uint64_t foreign;
    /**
     * Replies that a client could not use: late, or contradicting the clock. Requests that a server did not
     * answer for want of budget.
     */
    uint64_t refused;
    /** Datagrams that the system did not send. */
    uint64_t unsent;
    /**
     * Whether its datagrams are marked as building no queue: one of `NETCLOCK_LINK_NOT_MARKED` to
     * `NETCLOCK_LINK_MARK_DROPPED`.
     */
    int32_t mark;
    /** Zero. */
    int32_t reserved;
} netclock_link_report;

/** Settings of a server's link. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_link_server_config {
    /** `sizeof(netclock_link_server_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Any of `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`, `NETCLOCK_LINK_CARRIED` and
     * `NETCLOCK_LINK_NO_MARK`, added.
     */
    uint32_t flags;
    /** Most keys at a time; memory for them is taken at once. (1 to 65536, default 64) */
    uint32_t capacity;
    /** Answers a second to all clients together. (1 to 1000000, default 20000) */
    uint32_t answers;
    /** Server time minus `netclock_monotonic_now`, in ticks. (default 0) */
    int64_t clock_offset;
} netclock_link_server_config;

/**
 * A server's end of a link, for all its clients. Opaque. Calls on it wait for each other, and not for its
 * thread.
 */
typedef struct netclock_link_server netclock_link_server;

/**
 * Opens a link at a UDP port and stores it in `*link`. It answers the clients of admitted keys, on a thread
 * of its own for all of them. `config` may be null for all defaults. `address` is one of this machine's, as
 * text. Null means all of them, of both versions of IP where the system allows it (on Windows of version 4).
 * `port` 0 takes a free one. `epoch` names this run of the server's clock: draw a random number, and name
 * the same one wherever else this clock is served.
 *
 * Server time is `netclock_monotonic_now` plus `config->clock_offset`. With `NETCLOCK_LINK_CARRIED` the link
 * opens nothing: address and port are not used, and `netclock_link_server_answer` has the clock's stamps.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`,
 * `NETCLOCK_BAD_ADDRESS`, `NETCLOCK_PORT_IN_USE`, `NETCLOCK_NO_PERMISSION`, `NETCLOCK_NO_SOCKET`,
 * `NETCLOCK_NO_THREAD`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_create(const struct netclock_link_server_config *config,
                                            const char *address,
                                            uint16_t port,
                                            uint64_t epoch,
                                            struct netclock_link_server **link);

/**
 * Ends a server's link within milliseconds: its thread, its socket, and the link. Null is allowed and does
 * nothing. No other call may be using it, and none may follow. In a forked process it only forgets the link,
 * which goes on in the parent.
 *
 * Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live link, `NETCLOCK_BUSY` if another thread is seen to use
 * it.
 */
netclock_status netclock_link_server_destroy(struct netclock_link_server *link);

/**
 * The port that it listens at, into `*port`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_CARRIED`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_port(const struct netclock_link_server *link, uint16_t *port);

struct netclock_session_key;

/**
 * Answers the holder of `*key` from now on. Draw a new key for each connection, and admit none again.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` (the secret is zero), `NETCLOCK_DUPLICATE` (its id
 * is in use), `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_server_admit(struct netclock_link_server *link,
                                           const struct netclock_session_key *key);

/**
 * Forgets the key `id`: its holder is not answered from now on. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_server_revoke(struct netclock_link_server *link, uint32_t id);

/**
 * Without a thread (`NETCLOCK_LINK_POLLED`): answers what has come. It never waits. Call it every frame.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_NOT_POLLED`, `NETCLOCK_CARRIED`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_server_poll(struct netclock_link_server *link);

/**
 * What the link does, into `*report`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_report(const struct netclock_link_server *link,
                                            struct netclock_link_report *report);

/**
 * If the caller carries datagrams (`NETCLOCK_LINK_CARRIED`): answers one of `length` bytes that arrived at
 * server time `received` (ticks). The answer, which leaves at `sent`, is a datagram of
 * `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. Send it to where the
 * datagram came from, and to nobody else. On an error send nothing. Errors: those of
 * `netclock_session_keys_open`, `netclock_session_keys_allow` and `netclock_server_respond`,
 * `NETCLOCK_NOT_CARRIED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_answer(struct netclock_link_server *link,
                                            const void *datagram,
                                            size_t length,
                                            netclock_server_time received,
                                            netclock_server_time sent,
                                            void *answer,
                                            size_t capacity);

/** Settings of a client's link. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_link_client_config {
    /** `sizeof(netclock_link_client_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Any of `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`, `NETCLOCK_LINK_CARRIED`
     * and `NETCLOCK_LINK_NO_MARK`, added.
     */
    uint32_t flags;
    /**
     * The client's local time minus `netclock_monotonic_now`, in ticks. It must be the local time of all
     * other calls on the client. (default 0)
     */
    int64_t clock_offset;
    /**
     * Mean time between requests by the link, once settled. A client that asks often because frames hold its
     * messages need not ask as often here. (ticks, 50 ms to 10 min, default 5 s, or the client's
     * `steady_interval` if that is longer)
     */
    int64_t steady_interval;
    /**
     * Mean time between requests by the game's messages while the link is good. (ticks, 50 ms to 10 min,
     * default twice `steady_interval`)
     */
    int64_t message_interval;
} netclock_link_client_config;

/** A client's end of a link. Opaque. Calls on it wait for each other, and not for its thread. */
typedef struct netclock_link_client netclock_link_client;

/**
 * Creates a link of `client` to a server that admitted `*key` and stores it in `*link`. It has a thread of
 * its own. Destroy it before the client. `config` may be null for all defaults. `host` is a name or an
 * address as text, of up to 253 bytes, and `port` is that of the server's link. It returns at once: names
 * are looked up by another thread. Whether the server answers is in `netclock_link_client_report`.
 *
 * The client's local time must be `netclock_monotonic_now` plus `config->clock_offset`. The link does all
 * that the client needs. If the game also calls `netclock_client_tick` and sends what it returns, the clock
 * has two paths. It uses the second one as soon as UDP is blocked. The callbacks of the client
 * then run on the link's thread, too.
 *
 * With `NETCLOCK_LINK_CARRIED` the link opens nothing: host and port are not used, and times are the
 * client's local time.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` (also for host, port
 * and key), `NETCLOCK_BAD_ADDRESS` (the host is no text), `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`,
 * `NETCLOCK_OUT_OF_MEMORY`, `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_create(const struct netclock_link_client_config *config,
                                            struct netclock_client *client,
                                            const char *host,
                                            uint16_t port,
                                            const struct netclock_session_key *key,
                                            struct netclock_link_client **link);

/**
 * Ends a client's link within milliseconds: its thread, its socket, and the link. Null is allowed and does
 * nothing. No other call may be using it, and none may follow. The client may be destroyed after its link.
 * Do not call it in a callback. In a forked process it only forgets the link, which goes on in the parent.
 *
 * Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live link, `NETCLOCK_BUSY` if another thread is seen to use
 * it.
 */
netclock_status netclock_link_client_destroy(struct netclock_link_client *link);

/**
 * Without a thread (`NETCLOCK_LINK_POLLED`): takes what has come, and sends what is due. It never waits.
 * Call it every frame. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_NOT_POLLED`, `NETCLOCK_CARRIED`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_client_poll(struct netclock_link_client *link);

/**
 * What the link does, into `*report`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_report(const struct netclock_link_client *link,
                                            struct netclock_link_report *report);

/**
 * If the caller carries datagrams (`NETCLOCK_LINK_CARRIED`): does what is due at local time `now` (ticks).
 * It writes a datagram of `NETCLOCK_LINK_DATAGRAM_SIZE` bytes into a buffer of `capacity` bytes. Send it at
 * once, and call again until nothing is due. `NETCLOCK_NOTHING_DUE`: `*next` is the local time of the next
 * call, if no datagram comes before; at most half a second later. `next` may be null. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_NOT_CARRIED`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_due(struct netclock_link_client *link,
                                         netclock_local_time now,
                                         void *datagram,
                                         size_t capacity,
                                         netclock_local_time *next);

/**
 * If the caller carries datagrams: takes one of `length` bytes that arrived at local time `arrived` (ticks).
 * Stamp it as close to the network as possible. On an error the datagram was not used. Errors: those of
 * `netclock_sealed_channel_open` and of `netclock_client_handle_reply`, `NETCLOCK_NOT_CARRIED`.
 */
netclock_status netclock_link_client_handle(struct netclock_link_client *link,
                                            const void *datagram,
                                            size_t length,
                                            netclock_local_time arrived);

/* ===============================================================================================
 * Codes
 *
 * 1000 to 1099, positive and negative: the link.
 * =============================================================================================== */

/** Another program uses the port. Choose another one, or 0 for a free one. */
#define NETCLOCK_PORT_IN_USE (-1001)

/** The system forbids the socket. Ports below 1024 need privileges. */
#define NETCLOCK_NO_PERMISSION (-1002)

/** The address is none, or none of this machine. */
#define NETCLOCK_BAD_ADDRESS (-1003)

/** The system gives no socket. */
#define NETCLOCK_NO_SOCKET (-1004)

/** The system gives no thread. */
#define NETCLOCK_NO_THREAD (-1005)

/** The link is carried: it has no socket, so it has no port and is not polled. */
#define NETCLOCK_CARRIED (-1006)

/** The link has a thread, so it is not polled. */
#define NETCLOCK_NOT_POLLED (-1007)

/** The link has a socket, so the caller does not carry its datagrams. */
#define NETCLOCK_NOT_CARRIED (-1008)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_LINK_H */
