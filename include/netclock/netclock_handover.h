/*
 * NetClock: handover.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/adoption. Do not edit: run `cargo xtask header`.
 * The contract in netclock.h applies to all functions.
 */
#ifndef NETCLOCK_HANDOVER_H
#define NETCLOCK_HANDOVER_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Handover
 *
 * A new server continues the timescale of a failed server. It learns the timescale from the clients.
 * =============================================================================================== */

/**
 * An authority: a run of a server's clock, and its maximum deviation from a timescale. The clock shows the
 * timescale to within +-`dispersion`. If a server has no stated authority, its clock is its own timescale.
 * Set `struct_size` before each call.
 */
typedef struct netclock_authority {
    /** `sizeof(netclock_authority)` in the caller's program. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** The `epoch` with which the `netclock_server` was created. */
    uint64_t epoch;
    /**
     * Identifies the timescale: the epoch of the first server that showed it, or a number that you assign to
     * a server fleet.
     */
    uint64_t timescale;
    /** Dispersion: the maximum difference between the clock and the timescale. (ticks, 0 to 2^32 - 1) */
    int64_t dispersion;
} netclock_authority;

/**
 * Sets the authority that the client follows from its first reply, or updates the dispersion of the current
 * one. The caller is responsible for the authority's correctness, so it must have arrived over a trusted
 * connection. A guest learns the authority from its host and does not need this call. `now` is the local
 * time in ticks.
 *
 * Setting a different authority for the same timescale is a handover. What is known about the old clock
 * applies to the new one, widened by both dispersions. The shown time and the reading's epoch continue, the
 * difference is slewed, and the client reports `NETCLOCK_EVENT_HANDED_OVER`. Call this function before the
 * first reply from the new authority. After that reply, it works only while the client still shows the old
 * run, until the burst is answered (about half a second). If the new replies contradict the authority, the
 * clock restarts, as after a server restart.
 *
 * Errors: `NETCLOCK_OUT_OF_RANGE` if the dispersion is out of range, `NETCLOCK_OTHER_TIMESCALE`,
 * `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
netclock_status netclock_client_set_authority(struct netclock_client *client,
                                              const struct netclock_authority *authority,
                                              netclock_local_time now);

/**
 * Returns in `*authority` the authority whose clock the readings at local time `now` (ticks) show. The
 * `error_bound` of a reading refers to this clock, and the timescale is within `dispersion` of it. If the
 * dispersion was not confirmed for 20 s, it grows with the possible drift. Returns `NETCLOCK_NOT_SYNCED` if
 * no accepted reply stated an epoch.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_authority(const struct netclock_client *client,
                                          netclock_local_time now,
                                          struct netclock_authority *authority);

/**
 * Answers an adoption request of `length` bytes from a new server. The answer states the timescale's time at
 * local time `now` (ticks), and its error bound. It is a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written
 * into a buffer of `capacity` bytes. Send it at once, because any delay widens the server's bound. Returns
 * `NETCLOCK_UNCERTAIN` if nothing certain is known; then send nothing. Errors: `NETCLOCK_WIRE_...`,
 * `NETCLOCK_OTHER_TIMESCALE`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_respond_to_adoption(const struct netclock_client *client,
                                                    const void *request,
                                                    size_t length,
                                                    netclock_local_time now,
                                                    void *datagram,
                                                    size_t capacity);

/** No participant in an adoption may lie. */
#define NETCLOCK_NO_LIARS 4294967295

/**
 * Adoption settings. Set `struct_size` and the timescale, and set all other fields to zero for the defaults.
 */
typedef struct netclock_adoption_config {
    /** `sizeof(netclock_adoption_config)` in the caller's program. */
    uint32_t struct_size;
    /**
     * The number of participants that may lie, even if they collude: 1 to 31 (default 1), or
     * `NETCLOCK_NO_LIARS`. The adoption needs `2 * liars + 1` answers, unless the new server was a client
     * itself.
     */
    uint32_t liars;
    /** Identifies the timescale. */
    uint64_t timescale;
    /** Maximum skew between the new server's clock and the timescale. (ppm, 1 to 10000, default 100) */
    double max_drift_ppm;
    /** The new server's clock resolution. (ticks, 0 to 100 ms) */
    int64_t resolution;
} netclock_adoption_config;

/** The adopted timescale, relative to the new server's clock. Set `struct_size` before the call. */
typedef struct netclock_adoption_result {
    /** `sizeof(netclock_adoption_result)` in the caller's program. */
    uint32_t struct_size;
    /** Number of participants that answered, including the server itself if it was a client. */
    uint32_t answers;
    /** Number of participants that agree with the result. */
    uint32_t agreeing;
    /** Zero. */
    uint32_t reserved;
    /** Identifies the timescale. */
    uint64_t timescale;
    /** Offset to add to the raw clock for the timestamps in all replies. (ticks) */
    int64_t offset;
    /** Dispersion: the maximum error of the offset. State it to clients. (ticks) */
    int64_t dispersion;
} netclock_adoption_result;

/**
 * An adoption: a new server continues the timescale of its clients. Opaque. It needs at most 8 KiB of memory
 * and has up to 64 participants.
 */
typedef struct netclock_adoption netclock_adoption;

/**
 * Creates an adoption without answers and stores it in `*adoption`. `seed_high` and `seed_low` make its
 * requests unpredictable: draw 128 bits from the operating system.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_create(const struct netclock_adoption_config *config,
                                         uint64_t seed_high,
                                         uint64_t seed_low,
                                         struct netclock_adoption **adoption);

/** Destroys an adoption. */
netclock_status netclock_adoption_destroy(struct netclock_adoption *adoption);

/**
 * Adds the new server's own reading, if it was a client. `raw` is the time on the clock from which it will
 * serve, and `server_time` is what its client showed at that time, to within `error_bound`. Pass the
 * reading's bound plus the dispersion from `netclock_client_authority`. This reading overrules answers that
 * contradict it, and is sufficient by itself. Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `raw`,
 * `NETCLOCK_NO_AGREEMENT` if it contradicts an earlier reading.
 */
netclock_status netclock_adoption_add_own_reading(struct netclock_adoption *adoption,
                                                  netclock_server_time server_time,
                                                  int64_t error_bound,
                                                  netclock_local_time raw);

/**
 * Creates the request for `participant`, a number of your choice, at `now` on the new server's raw clock
 * (ticks). The request is a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
 * bytes. Send it at once to a client that requests the time, instead of a reply. Requests and replies have
 * the same size. Returns `NETCLOCK_NOTHING_DUE` if the last request is less than 250 ms old, or if the
 * participant contradicted itself. Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `now`, `NETCLOCK_FULL`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_request(struct netclock_adoption *adoption,
                                          uint64_t participant,
                                          netclock_local_time now,
                                          void *datagram,
                                          size_t capacity);

/**
 * Handles the reply of `length` bytes from `participant`, which arrived at `arrived` on the raw clock
 * (ticks). Several replies from a participant tighten its bounds, but the participant still counts once.
 * Errors: `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_PARTICIPANT` if it was never asked,
 * `NETCLOCK_UNKNOWN_REQUEST`, `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `arrived`,
 * `NETCLOCK_ARRIVED_BEFORE_SENT`, `NETCLOCK_TOO_SLOW` after more than 5 s, `NETCLOCK_LIAR` if the
 * participant contradicts itself, in which case none of its replies counts any more.
 */
netclock_status netclock_adoption_handle_reply(struct netclock_adoption *adoption,
                                               uint64_t participant,
                                               const void *datagram,
                                               size_t length,
                                               netclock_local_time arrived);

/**
 * Returns in `*adopted` the timescale relative to the new server's clock, at `now` on its raw clock (ticks).
 * Call it when all participants have answered or you have waited long enough, and keep the first result.
 * Then add `offset` to the raw clock for the timestamps in replies, draw an epoch for a `netclock_server`,
 * and state `dispersion` to the clients. The result is the middle of the certain interval. A client that
 * shows a later time slews it. Returns `NETCLOCK_TOO_FEW` if there are too few answers. Errors:
 * `NETCLOCK_NO_AGREEMENT` if more participants lie than are tolerated, `NETCLOCK_STAMP_OUT_OF_RANGE`, also
 * for `now`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_settle(const struct netclock_adoption *adoption,
                                         netclock_local_time now,
                                         struct netclock_adoption_result *adopted);

/* ===============================================================================================
 * Codes
 *
 * 300 to 399, positive and negative: handover.
 * =============================================================================================== */

/** Too few participants have answered. */
#define NETCLOCK_TOO_FEW 301

/** The participant contradicts itself, and none of its answers counts any more. */
#define NETCLOCK_LIAR (-301)

/** More participants lie than are tolerated. No time is within the bounds of enough participants. */
#define NETCLOCK_NO_AGREEMENT (-302)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_HANDOVER_H */
