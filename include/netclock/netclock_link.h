/*
 * NetClock: links.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/link. Do not edit: run `cargo xtask header`.
 * The contract in netclock.h applies to all functions.
 */
#ifndef NETCLOCK_LINK_H
#define NETCLOCK_LINK_H

#include "netclock/netclock.h"
#include "netclock/netclock_keys.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Links
 *
 * A link is a UDP transport for NetClock's own datagrams, which are sealed with a session key. It runs on a
 * separate thread, so frames do not delay its datagrams. The server admits a key for each player, and sends
 * the key and the port only to that player, over the game's connection. While the link works, the clock is
 * as accurate as the network permits. If UDP is blocked, the clock continues to use the game's messages.
 * =============================================================================================== */

/** Link flag: the link has no thread. Call the link's `_poll` function every frame. */
#define NETCLOCK_LINK_POLLED 1

/**
 * Link flag: the link's thread timestamps arrivals, even if the kernel could. Use this to compare the two.
 */
#define NETCLOCK_LINK_THREAD_STAMPS 2

/**
 * Link flag: the link has neither a socket nor a thread. The caller transports and timestamps its datagrams
 * with `netclock_link_client_due`, `netclock_link_client_handle` and `netclock_link_server_answer`. Use this
 * flag on systems whose sockets this library does not support.
 */
#define NETCLOCK_LINK_CARRIED 8

/**
 * Link flag: the link does not mark its datagrams. Without this flag, time requests and their replies carry
 * DSCP 45 for non-queue-building traffic (RFC 9956), except on Windows. If the path drops marked datagrams,
 * the client notices within seconds and stops marking them. Carried links never mark their datagrams.
 */
#define NETCLOCK_LINK_NO_MARK 16

/** The size of every link datagram, in bytes. */
#define NETCLOCK_LINK_DATAGRAM_SIZE 64

/** Link state: the client is sending requests but has not received a reply yet. */
#define NETCLOCK_LINK_CHECKING 1

/** Link state: the client is receiving replies. */
#define NETCLOCK_LINK_LINKED 2

/**
 * Link state: the client has received no reply for 2 s. The link tries again after 30 s, or after 5 s if no
 * message over the game's connection was answered for 15 s.
 */
#define NETCLOCK_LINK_BLOCKED 3

/** Link state: datagrams cannot be sent. `trouble` contains the reason. */
#define NETCLOCK_LINK_NOT_POSSIBLE 4

/** Link state: the link belongs to a server and answers requests. */
#define NETCLOCK_LINK_SERVING 5

/** Link trouble: none. */
#define NETCLOCK_LINK_NO_TROUBLE 10

/**
 * Link trouble: the host name is being resolved. If this takes more than a few seconds, check the player's
 * DNS.
 */
#define NETCLOCK_LINK_RESOLVING 11

/**
 * Link trouble: the host is unknown. Check the host name and whether the player's DNS resolves other names.
 */
#define NETCLOCK_LINK_UNKNOWN_HOST 12

/**
 * Link trouble: there is no route to the address. Check that the player is online and that the network
 * supports this version of IP.
 */
#define NETCLOCK_LINK_NO_ROUTE 13

/**
 * Link trouble: no program is listening at the address and port. Check that the server is running and that
 * this is the link's port.
 */
#define NETCLOCK_LINK_NOBODY_LISTENS 14

/** Link trouble: the system cannot send the datagrams. Check whether the player's network is up. */
#define NETCLOCK_LINK_NOT_SENT 15

/**
 * Link trouble: the network reports that the host is unreachable. Check the address, and whether the
 * server's machine is up.
 */
#define NETCLOCK_LINK_HOST_UNREACHABLE 16

/**
 * Link trouble: a firewall on the player's machine or on the path reports that it blocks the datagrams.
 * Allow this program to send UDP to the link's port.
 */
#define NETCLOCK_LINK_PROHIBITED 17

/** Link trouble: the system cannot open a socket. Check whether the program leaks files or sockets. */
#define NETCLOCK_LINK_NO_SOCKET 18

/** Link trouble: the client now follows a link that was created later. Destroy the earlier link. */
#define NETCLOCK_LINK_REPLACED 19

/** Link trouble: another client sends requests with the same key. Send each key to only one player. */
#define NETCLOCK_LINK_KEY_IN_USE 24

/** Link timestamps: none, because no datagram has arrived yet. */
#define NETCLOCK_LINK_NO_STAMPS 20

/** Link timestamps: taken by the kernel when a datagram arrives from the network. */
#define NETCLOCK_LINK_STAMPS_KERNEL 21

/** Link timestamps: taken by the receiving thread. */
#define NETCLOCK_LINK_STAMPS_THREAD 22

/** Link timestamps: taken by the caller, who transports the datagrams. */
#define NETCLOCK_LINK_STAMPS_CALLER 23

/**
 * Link marking: the datagrams are not marked, because the settings disable it, because the system cannot
 * mark datagrams, or because the caller transports them.
 */
#define NETCLOCK_LINK_NOT_MARKED 30

/** Link marking: the datagrams are marked as non-queue-building. */
#define NETCLOCK_LINK_MARKED 31

/** Link marking: the datagrams are no longer marked, because marked datagrams were dropped on the path. */
#define NETCLOCK_LINK_MARK_DROPPED 32

/** The state of a link. Set `struct_size` before the call. */
typedef struct netclock_link_report {
    /** `sizeof(netclock_link_report)` in the caller's program. */
    uint32_t struct_size;
    /** The state of the link, one of `NETCLOCK_LINK_CHECKING` to `NETCLOCK_LINK_SERVING`. */
    int32_t state;
    /**
     * The link's problem, one of `NETCLOCK_LINK_NO_TROUBLE` to `NETCLOCK_LINK_REPLACED`, or
     * `NETCLOCK_LINK_KEY_IN_USE`.
     */
    int32_t trouble;
    /**
     * The source of arrival timestamps, one of `NETCLOCK_LINK_NO_STAMPS` to `NETCLOCK_LINK_STAMPS_CALLER`.
     */
    int32_t stamps;
    /** The number of requests that the client sent or the server answered. */
    uint64_t requests;
    /** The number of replies that the client used. */
    uint64_t replies;
    /** The number of datagrams that were not sealed with a known key or were not meant for this end. */
    uint64_t foreign;
    /**
     * For a client, the number of replies that were too late or contradicted the clock. For a server, the
     * number of requests that it did not answer because it had reached a limit.
     */
    uint64_t refused;
    /** The number of datagrams that the system could not send. */
    uint64_t unsent;
    /**
     * Whether the datagrams are marked as non-queue-building, one of `NETCLOCK_LINK_NOT_MARKED` to
     * `NETCLOCK_LINK_MARK_DROPPED`.
     */
    int32_t mark;
    /** The UDP port on which a server's link listens. Zero for a client's link and for a carried link. */
    uint32_t port;
} netclock_link_report;

/**
 * Server link settings. Set `struct_size` to `sizeof(netclock_link_server_config)`. A zero field selects its
 * default.
 */
typedef struct netclock_link_server_config {
    /** `sizeof(netclock_link_server_config)` in the caller's program. */
    uint32_t struct_size;
    /**
     * A combination of the flags `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`,
     * `NETCLOCK_LINK_CARRIED` and `NETCLOCK_LINK_NO_MARK`.
     */
    uint32_t flags;
    /**
     * The maximum number of keys. The link allocates memory for all of them when it is created. (1 to 65536,
     * default 64)
     */
    uint32_t capacity;
    /** The maximum number of replies per second across all clients. (1 to 1000000, default 20000) */
    uint32_t answers;
    /** Server time minus `netclock_monotonic_now`, in ticks. (default 0) */
    int64_t clock_offset;
} netclock_link_server_config;

/**
 * The server's end of all clients' links. Opaque. Calls on a link wait for each other, but not for the
 * link's thread.
 */
typedef struct netclock_link_server netclock_link_server;

/**
 * Opens a link at a UDP port and stores it in `*link`. The link has a single thread that answers all clients
 * with admitted keys. Pass a null `config` for the defaults. `address` is one of this machine's addresses as
 * text. Null selects all IPv4 and IPv6 addresses where the system permits both (on Windows, only IPv4).
 * `port` 0 selects a free port. `epoch` identifies this run of the server's clock. Use the same random
 * number wherever you serve this clock.
 *
 * Server time is `netclock_monotonic_now` plus `config->clock_offset`. With `NETCLOCK_LINK_CARRIED`, the
 * link opens no socket and ignores `address` and `port`. The caller then passes the timestamps to
 * `netclock_link_server_answer`. Errors: `NETCLOCK_BAD_ADDRESS`, `NETCLOCK_PORT_IN_USE`,
 * `NETCLOCK_NO_PERMISSION`, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_create(const struct netclock_link_server_config *config,
                                            const char *address,
                                            uint16_t port,
                                            uint64_t epoch,
                                            struct netclock_link_server **link);

/**
 * Destroys a server's link, including its thread and socket, within milliseconds. In a forked process, this
 * only releases the handle, and the link continues in the parent.
 */
netclock_status netclock_link_server_destroy(struct netclock_link_server *link);

struct netclock_session_key;

/**
 * Admits `*key`. The link then answers requests that are sealed with this key. Draw a new key for each
 * connection, and never admit a key twice. Errors: `NETCLOCK_BAD_CONFIG` if the secret is zero,
 * `NETCLOCK_DUPLICATE` if the id is in use, `NETCLOCK_FULL`.
 */
netclock_status netclock_link_server_admit(struct netclock_link_server *link,
                                           const struct netclock_session_key *key);

/**
 * Revokes the key with this `id`. The link no longer answers requests that are sealed with this key. Errors:
 * `NETCLOCK_UNKNOWN_KEY`.
 */
netclock_status netclock_link_server_revoke(struct netclock_link_server *link, uint32_t id);

/**
 * Returns the state of the link in `*report`. `report` may be null. If the link has no thread
 * (`NETCLOCK_LINK_POLLED`), call this every frame. Such a call first answers the datagrams that have
 * arrived, without blocking.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_poll(struct netclock_link_server *link,
                                          struct netclock_link_report *report);

/**
 * Answers a datagram of `length` bytes received at server time `received` (ticks), for links whose caller
 * transports the datagrams (`NETCLOCK_LINK_CARRIED`). The answer is a datagram of
 * `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. `sent` is the server time
 * at which you will send the answer. Send the answer only to the address from which the datagram arrived.
 * After an error, send nothing. Errors: same as `netclock_server_respond`, and `NETCLOCK_NOT_SEALED`,
 * `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`,
 * `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_ENOUGH_ANSWERS`, `NETCLOCK_WIRE_...`, `NETCLOCK_NOT_CARRIED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_answer(struct netclock_link_server *link,
                                            const void *datagram,
                                            size_t length,
                                            netclock_server_time received,
                                            netclock_server_time sent,
                                            void *answer,
                                            size_t capacity);

/**
 * Client link settings. Set `struct_size` to `sizeof(netclock_link_client_config)`. A zero field selects its
 * default.
 */
typedef struct netclock_link_client_config {
    /** `sizeof(netclock_link_client_config)` in the caller's program. */
    uint32_t struct_size;
    /**
     * A combination of the flags `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`,
     * `NETCLOCK_LINK_CARRIED` and `NETCLOCK_LINK_NO_MARK`.
     */
    uint32_t flags;
    /**
     * The client's local time minus `netclock_monotonic_now`, in ticks. The local times in all other calls
     * on this client must include the same offset. (default 0)
     */
    int64_t clock_offset;
    /**
     * The mean time between requests over the link in steady state. Frames do not delay these requests, so
     * the link needs fewer of them than the game's connection. (ticks, 50 ms to 10 min, default 5 s, or the
     * client's `steady_interval` if that is longer)
     */
    int64_t steady_interval;
    /**
     * The mean time between requests over the game's connection while the link works. (ticks, 50 ms to 10
     * min, default twice `steady_interval`)
     */
    int64_t message_interval;
} netclock_link_client_config;

/** The client's end of a link. Opaque. Calls on a link wait for each other, but not for the link's thread. */
typedef struct netclock_link_client netclock_link_client;

/**
 * Creates a link from `client` to a server that admitted `*key` and stores it in `*link`. The link has its
 * own thread. Destroy the link before the client. Pass a null `config` for the defaults. `host` is a host
 * name or an address of at most 253 bytes, and `port` is the port of the server's link. The call returns
 * immediately, because another thread resolves the host name. `netclock_link_client_poll` reports whether
 * the server answers.
 *
 * The client's local time must be `netclock_monotonic_now` plus `config->clock_offset`. The link alone keeps
 * the client synced. If the game also calls `netclock_client_tick` and sends the requests, the clock has a
 * second path and switches to it if UDP is blocked. The client's callbacks also run on the link's thread.
 *
 * With `NETCLOCK_LINK_CARRIED`, the link opens no socket and ignores `host` and `port`. All times of the
 * link are then in the client's local time.
 *
 * Errors: `NETCLOCK_BAD_CONFIG`, also for `host`, `port` and the key, `NETCLOCK_BAD_ADDRESS` if the host is
 * not UTF-8, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`, `NETCLOCK_FORKED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_create(const struct netclock_link_client_config *config,
                                            struct netclock_client *client,
                                            const char *host,
                                            uint16_t port,
                                            const struct netclock_session_key *key,
                                            struct netclock_link_client **link);

/**
 * Destroys a client's link, including its thread and socket, within milliseconds. Do not call this from a
 * callback. In a forked process, this only releases the handle, and the link continues in the parent.
 */
netclock_status netclock_link_client_destroy(struct netclock_link_client *link);

/**
 * Returns the state of the link in `*report`. `report` may be null. If the link has no thread
 * (`NETCLOCK_LINK_POLLED`), call this every frame. Such a call first handles the datagrams that have arrived
 * and sends those that are due, without blocking.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_poll(struct netclock_link_client *link,
                                          struct netclock_link_report *report);

/**
 * Performs the work that is due at local time `now` (ticks), for links whose caller transports the datagrams
 * (`NETCLOCK_LINK_CARRIED`). Returns `NETCLOCK_OK` and a datagram of `NETCLOCK_LINK_DATAGRAM_SIZE` bytes,
 * written into a buffer of `capacity` bytes. Send the datagram at once, and call this function again. If
 * nothing is due, the call returns `NETCLOCK_NOTHING_DUE` and writes the local time at which to call it
 * again to `*next`, which may be null. That time is at most half a second later. If a datagram arrives, call
 * this earlier. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_NOT_CARRIED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_due(struct netclock_link_client *link,
                                         netclock_local_time now,
                                         void *datagram,
                                         size_t capacity,
                                         netclock_local_time *next);

/**
 * Handles a datagram of `length` bytes received at local time `arrived` (ticks), for links whose caller
 * transports the datagrams. Take the timestamp as close to the network as possible. Errors: same as
 * `netclock_client_handle_reply`, and `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
 * `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_...`,
 * `NETCLOCK_NOT_CARRIED`.
 */
netclock_status netclock_link_client_handle(struct netclock_link_client *link,
                                            const void *datagram,
                                            size_t length,
                                            netclock_local_time arrived);

/* ===============================================================================================
 * Codes
 *
 * 1000 to 1099, positive and negative: links.
 * =============================================================================================== */

/** Another program uses the port. Choose another port, or 0 for any free port. */
#define NETCLOCK_PORT_IN_USE (-1001)

/** The system denies permission for the socket. Ports below 1024 require privileges. */
#define NETCLOCK_NO_PERMISSION (-1002)

/** The text is not an address, or not an address of this machine. */
#define NETCLOCK_BAD_ADDRESS (-1003)

/** The system cannot open a socket. */
#define NETCLOCK_NO_SOCKET (-1004)

/** The system cannot start a thread. */
#define NETCLOCK_NO_THREAD (-1005)

/** The link has its own socket, so the caller must not transport its datagrams. */
#define NETCLOCK_NOT_CARRIED (-1008)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_LINK_H */
