/*
 * NetClock: the server's UTC.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/utc. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_UTC_H
#define NETCLOCK_UTC_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * The server's UTC
 *
 * The server says what UTC its clock's zero is, and again when that changes: a claim. Clients add server
 * time, and show UTC with a bound. UTC may jump with each claim, forwards and backwards: use it for dates,
 * and server time for durations.
 * =============================================================================================== */

/** An instant of UTC: ticks since 1970-01-01 00:00, without leap seconds. */
typedef int64_t netclock_utc_time;

/** Length of a request for a claim about UTC and of its reply as datagrams, in bytes. */
#define NETCLOCK_UTC_DATAGRAM_SIZE 48

/**
 * A server's claim: UTC is `zero` plus server time. UTC is in ticks since 1970-01-01 00:00 as POSIX counts
 * it: every day has 86,400 s, and leap seconds have no number of their own. Set `struct_size` before each
 * call.
 */
typedef struct netclock_utc_claim {
    /** `sizeof(netclock_utc_claim)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the claim within its server epoch. May wrap. */
    uint32_t version;
    /** The server epoch that `zero` and `read` belong to, as in `netclock_reply.epoch`. */
    uint64_t server_epoch;
    /** UTC when the server's clock reads zero. It may be before 1970. */
    netclock_utc_time zero;
    /** When the server read both clocks, in ticks of server time. */
    netclock_server_time read;
    /**
     * How far the claimed UTC may be off true UTC at `read`. `NETCLOCK_UNBOUNDED` if nobody states it.
     * (ticks, 0 to 2^32 - 2)
     */
    int64_t bound;
    /** How fast the server's clock may run away from UTC. (ppm, 0 to 100000) */
    uint64_t drift_ppm;
} netclock_utc_claim;

/**
 * Reads the machine's UTC and `netclock_monotonic_now` as one, for `netclock_utc_publisher_observe`. At
 * local time `*local` UTC was `*utc`, in ticks since 1970, give or take `*uncertainty`. Add that to the
 * bound of the machine's source of time.
 *
 * UTC is read between two reads of the other clock, up to five times, and the closest pair counts. That
 * takes about a microsecond. UTC is `CLOCK_REALTIME` on Unix and `GetSystemTimePreciseAsFileTime` on
 * Windows. People and time services set it, slew it, and may smear leap seconds. `NETCLOCK_NO_UTC`: this
 * system has no UTC. Errors: `NETCLOCK_NULL_ARGUMENT`. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_now(netclock_local_time *local, netclock_utc_time *utc, int64_t *uncertainty);

/** Says what UTC the zero of the server's clock is. Opaque. Calls on it wait for each other. */
typedef struct netclock_utc_publisher netclock_utc_publisher;

/**
 * Settings of a publisher of UTC. Set `struct_size` to `sizeof(netclock_utc_publisher_config)`, and
 * everything else to zero for the defaults. A field that is not zero replaces its default.
 */
typedef struct netclock_utc_publisher_config {
    /** `sizeof(netclock_utc_publisher_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** How fast the server's clock may run away from UTC. (ppm, 1 to 100000, default 50) */
    uint32_t drift_ppm;
    /**
     * How far UTC may move against the claim before there is another claim. Stated bounds are wider by it.
     * (ticks, 10 us to 1 h, default 1 ms)
     */
    int64_t tolerance;
    /**
     * The longest time between two claims. In between, bounds grow with the drift. (ticks, 1 s to 1 h,
     * default 60 s)
     */
    int64_t refresh;
} netclock_utc_publisher_config;

/**
 * Creates a publisher of UTC that has observed nothing and stores it in `*publisher`. Give it back to
 * `netclock_utc_publisher_destroy`. `config` may be null for all defaults. `server_epoch` names the run of
 * the server's clock as its replies do. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_create(const struct netclock_utc_publisher_config *config,
                                              uint64_t server_epoch,
                                              struct netclock_utc_publisher **publisher);

/**
 * Destroys a publisher of UTC, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_utc_publisher_destroy(struct netclock_utc_publisher *publisher);

/**
 * Observes that at server time `at` (ticks) the machine's UTC was `utc` (ticks since 1970), within
 * `error_bound` (ticks) of true UTC. `NETCLOCK_UNBOUNDED`: nobody states a bound. Above 429 s counts as that
 * too. Call it about once a second; `netclock_utc_now` reads both clocks. `NETCLOCK_OK`: the last claim does
 * not hold any more, so send the new one to every client. There is at most one claim a second.
 * `NETCLOCK_NOTHING_DUE`: there is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative bound,
 * `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_observe(struct netclock_utc_publisher *publisher,
                                               netclock_server_time at,
                                               netclock_utc_time utc,
                                               int64_t error_bound,
                                               struct netclock_utc_claim *claim);

/**
 * The newest claim, into `*claim`. Send it to clients that join. `NETCLOCK_NO_UTC`: nothing was observed.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_newest(const struct netclock_utc_publisher *publisher,
                                              struct netclock_utc_claim *claim);

/**
 * The server's reply to a client's request of `length` bytes (`netclock_server_utc_request`): a datagram of
 * `NETCLOCK_UTC_DATAGRAM_SIZE` bytes with the newest claim, written into a buffer of `capacity` bytes. It is
 * as long as the request. `NETCLOCK_NO_UTC`: nothing was observed, send nothing. Errors: one of
 * `NETCLOCK_WIRE_...`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_respond(const struct netclock_utc_publisher *publisher,
                                               const void *request,
                                               size_t length,
                                               void *datagram,
                                               size_t capacity);

/**
 * What a client knows of its server's UTC. Opaque. Calls on it wait for each other. They take less than a
 * microsecond, so any thread may read.
 */
typedef struct netclock_server_utc netclock_server_utc;

/** The server's UTC at one instant. Set `struct_size` before the call. */
typedef struct netclock_utc_reading {
    /** `sizeof(netclock_utc_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the claim. Another number, or another server epoch, means that UTC may have jumped. */
    uint32_t version;
    /** UTC as the server claims it, in ticks since 1970-01-01 00:00, without leap seconds. */
    netclock_utc_time utc;
    /**
     * True UTC is within `utc` plus or minus this (ticks), if the server's source of time is right.
     * `NETCLOCK_UNBOUNDED` if nobody states how good the server's UTC is, or the clock has no bound.
     */
    int64_t error_bound;
} netclock_utc_reading;

/**
 * Creates a view that knows nothing and stores it in `*server_utc`. Give it back to
 * `netclock_server_utc_destroy`. `seed_high` and `seed_low` make request ids unguessable: draw 128 bits from
 * the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG`,
 * `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_create(uint64_t seed_high,
                                           uint64_t seed_low,
                                           struct netclock_server_utc **server_utc);

/**
 * Destroys a view, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_server_utc_destroy(struct netclock_server_utc *server_utc);

/**
 * Adopts a claim that came over a transport that nobody else can write to, such as an engine's replication.
 * Claims may come in any order: the newest version of a server epoch counts. `*jump` says how far UTC jumps
 * (ticks, positive: forwards; 0 for the first claim of a server epoch). `NETCLOCK_SAME_UTC`: it was known.
 * Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` (bound or
 * drift), `NETCLOCK_UTC_OUTDATED`, `NETCLOCK_UTC_CONFLICT`, `NETCLOCK_UTC_LEAP`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_insert(struct netclock_server_utc *server_utc,
                                           const struct netclock_utc_claim *claim,
                                           int64_t *jump);

/**
 * Makes a request for the server's claim at local time `now` (ticks), as a datagram of
 * `NETCLOCK_UTC_DATAGRAM_SIZE` bytes, into a buffer of `capacity` bytes. Call it every frame after
 * `netclock_client_tick`, once the clock is synced and if your servers answer such requests. `server_epoch`
 * is that of the client's reading. A request about a server epoch is due at once, then ever less often until
 * there is an answer, then every 16 s. `NETCLOCK_NOTHING_DUE`: there is none. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_request(struct netclock_server_utc *server_utc,
                                            netclock_local_time now,
                                            uint64_t server_epoch,
                                            void *datagram,
                                            size_t capacity);

/**
 * Handles the server's reply of `length` bytes that arrived at local time `arrived` (ticks). If it answers a
 * request of this view, it adopts the claim, as `netclock_server_utc_insert`, but whatever its version: the
 * reply is what the server says now. Each request is answered once. Errors: one of `NETCLOCK_WIRE_...`,
 * `NETCLOCK_UNKNOWN_REQUEST`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_handle_reply(struct netclock_server_utc *server_utc,
                                                 const void *datagram,
                                                 size_t length,
                                                 netclock_local_time arrived,
                                                 int64_t *jump);

/**
 * UTC at `now`, into `*reading`. `now` is what `netclock_client_read` gave, or a reading that you make from
 * another clock of the server's real time: only `server_time`, `error_bound`, `server_epoch` and whether its
 * `state` is `NETCLOCK_STATE_UNSYNCED` are used. UTC may jump, either way, when the claim changes.
 * `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_UTC`: there is none. Callable from any thread. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_read(const struct netclock_server_utc *server_utc,
                                         const struct netclock_reading *now,
                                         struct netclock_utc_reading *reading);

/**
 * The server time (ticks) at which UTC is `utc` (ticks since 1970), by the newest claim about this run of
 * the server's clock, into `*server_time`. Wait for that server time, and ask again when the claim changes.
 * `NETCLOCK_NO_UTC`: there is none. Callable from any thread. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_server_time_at(const struct netclock_server_utc *server_utc,
                                                   uint64_t server_epoch,
                                                   netclock_utc_time utc,
                                                   netclock_server_time *server_time);

/* ===============================================================================================
 * Codes
 *
 * 900 to 999, positive and negative: the server's utc.
 * =============================================================================================== */

/** UTC is unknown: the server has not said what UTC its clock's zero is, or the system has no UTC. */
#define NETCLOCK_NO_UTC 901

/** The claim says what was known. */
#define NETCLOCK_SAME_UTC 902

/** UTC is not between the years 1970 and 9999. */
#define NETCLOCK_UTC_OUT_OF_RANGE (-901)

/** A newer claim about UTC is known. */
#define NETCLOCK_UTC_OUTDATED (-902)

/** Another claim about UTC with the same version is known. */
#define NETCLOCK_UTC_CONFLICT (-903)

/** The version of a claim about UTC leaps further than a server gets. It is forged. */
#define NETCLOCK_UTC_LEAP (-904)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_UTC_H */
