/*
 * NetClock: handover.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/adoption. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
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
 * A new server takes a timescale over from the clients of a server that is gone.
 * =============================================================================================== */

/**
 * An authority: a run of a server's clock, and how far it may be off a timescale. The clock shows the
 * timescale within +-`dispersion`. A server about which nobody says anything is a timescale of its own. Set
 * `struct_size` before each call.
 */
typedef struct netclock_authority {
    /** `sizeof(netclock_authority)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** The server epoch, with which the `netclock_server` was created. */
    uint64_t epoch;
    /** Name of the timescale: the epoch of the first server that showed it, or a number given to a fleet. */
    uint64_t timescale;
    /** Dispersion: the largest difference between the clock and the timescale. (ticks, 0 to 2^32 - 1) */
    int64_t dispersion;
} netclock_authority;

/**
 * Sets the authority that the client follows from its first reply on, or updates the dispersion of the one
 * it follows. The caller vouches for it, because it came over a trusted connection. A guest learns the
 * authority from its host and needs no such call. `now` is the local time in ticks.
 *
 * If the authority is another one of the same timescale, this is a handover. What is known of the old clock
 * holds for the new one, widened by both dispersions. Shown time and the reading's epoch continue, the
 * difference is slewed, and the event is `NETCLOCK_EVENT_HANDED_OVER`. Call it before the first reply of the
 * new authority. Afterwards it works only while the old run is still shown, until the burst is answered
 * (about half a second). If the new replies contradict what was said, the clock starts again, as after a
 * restart.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_OUT_OF_RANGE` (the dispersion),
 * `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_set_authority(struct netclock_client *client,
                                              const struct netclock_authority *authority,
                                              netclock_local_time now);

/**
 * The authority whose clock the readings at local time `now` (ticks) are about, into `*authority`. A
 * reading's `error_bound` is about this clock, and the timescale is within `dispersion` of it. The
 * dispersion grows with possible drift if nobody has confirmed it for 20 s. `NETCLOCK_NOT_SYNCED`: no
 * accepted reply named an epoch. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_authority(const struct netclock_client *client,
                                          netclock_local_time now,
                                          struct netclock_authority *authority);

/**
 * Answers the request of `length` bytes of a server that adopts the timescale: what time it is on the
 * timescale at local time `now` (ticks), and how far that may be off. The answer is a datagram of
 * `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. Send it at once: any delay
 * widens what the server can conclude. `NETCLOCK_UNCERTAIN`: nothing certain is known, send nothing. Errors:
 * one of `NETCLOCK_WIRE_...`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OTHER_TIMESCALE`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_respond_to_adoption(const struct netclock_client *client,
                                                    const void *request,
                                                    size_t length,
                                                    netclock_local_time now,
                                                    void *datagram,
                                                    size_t capacity);

/** No participant of an adoption may lie. */
#define NETCLOCK_NO_LIARS 4294967295

/**
 * Settings of an adoption. Set `struct_size` and the timescale, and everything else to zero for the
 * defaults.
 */
typedef struct netclock_adoption_config {
    /** `sizeof(netclock_adoption_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * How many participants may lie, even together: 1 to 31, default 1, or `NETCLOCK_NO_LIARS`. The adoption
     * needs `2 * liars + 1` answers, unless the new server was a client itself.
     */
    uint32_t liars;
    /** Name of the timescale. */
    uint64_t timescale;
    /** Largest skew between the new server's clock and the timescale. (ppm, 1 to 10000, default 100) */
    double max_drift_ppm;
    /** Step of the new server's clock. (ticks, 0 to 100 ms) */
    int64_t resolution;
} netclock_adoption_config;

/** The adopted timescale on the new server's clock. Set `struct_size` before the call. */
typedef struct netclock_adoption_result {
    /** `sizeof(netclock_adoption_result)` as compiled into the caller. */
    uint32_t struct_size;
    /** Participants who answered, including the server itself if it was a client. */
    uint32_t answers;
    /** How many of them agree with the result. */
    uint32_t agreeing;
    /** Zero. */
    uint32_t reserved;
    /** Name of the timescale. */
    uint64_t timescale;
    /** Offset: add it to the raw clock to stamp replies from now on. (ticks) */
    int64_t offset;
    /** Dispersion: how far that may be off. State it to clients. (ticks) */
    int64_t dispersion;
} netclock_adoption_result;

/**
 * An adoption: a new server takes a timescale over from its clients. Opaque. It has at most 8 KiB and never
 * grows. Calls from several threads wait for each other. It asks up to 64 participants.
 */
typedef struct netclock_adoption netclock_adoption;

/**
 * Creates an adoption that knows nothing yet and stores it in `*adoption`. Give it back to
 * `netclock_adoption_destroy`. `seed_high` and `seed_low` make its requests unguessable: draw 128 bits
 * from the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_create(const struct netclock_adoption_config *config,
                                         uint64_t seed_high,
                                         uint64_t seed_low,
                                         struct netclock_adoption **adoption);

/**
 * Destroys an adoption, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_adoption_destroy(struct netclock_adoption *adoption);

/**
 * Adds the new server's own reading, if it was a client: at `raw` of the clock that it will serve by, its
 * client showed `server_time` within `error_bound`. For the bound, add the reading's bound and the
 * dispersion of `netclock_client_authority`. The reading is believed against any contradiction, and it is
 * enough. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NO_AGREEMENT` (it
 * contradicts an earlier reading), `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_add_own_reading(struct netclock_adoption *adoption,
                                                  netclock_server_time server_time,
                                                  int64_t error_bound,
                                                  netclock_local_time raw);

/**
 * Makes the request to send to `participant`, a number of your choice, at `now` of the new server's raw
 * clock (ticks). It is a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
 * bytes. Send it at once to a client that asks for the time, in place of a reply: it has the same length.
 * `NETCLOCK_NOTHING_DUE`: the last request is younger than 250 ms, or the participant contradicted itself.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_request(struct netclock_adoption *adoption,
                                          uint64_t participant,
                                          netclock_local_time now,
                                          void *datagram,
                                          size_t capacity);

/**
 * Handles the reply of `length` bytes from `participant` that arrived at `arrived` of the raw clock (ticks).
 * Several replies of one participant tighten its bounds, and it still counts once. Errors: one of
 * `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_PARTICIPANT` (never asked), `NETCLOCK_UNKNOWN_REQUEST` (no such
 * request is open), `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_ARRIVED_BEFORE_SENT`, `NETCLOCK_TOO_SLOW` (more than 5 s), `NETCLOCK_LIAR` (it contradicts
 * itself, and none of its replies counts any more), `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_handle_reply(struct netclock_adoption *adoption,
                                               uint64_t participant,
                                               const void *datagram,
                                               size_t length,
                                               netclock_local_time arrived);

/**
 * The timescale on the new server's clock, as of `now` of its raw clock (ticks), into `*adopted`. Take it
 * once, when all have answered or you have waited long enough; it holds from then on. Then stamp replies
 * with the raw clock plus `offset`, draw an epoch for a `netclock_server`, and state `dispersion`. The
 * result is the middle of what is certain. A client may show a later time: it slews. `NETCLOCK_TOO_FEW`: too
 * few answers yet. Errors: `NETCLOCK_NO_AGREEMENT` (more lie than are tolerated),
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
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

/** Too few participants have answered yet. */
#define NETCLOCK_TOO_FEW 301

/** A participant contradicts itself: none of its answers counts any more. */
#define NETCLOCK_LIAR (-301)

/** More participants lie than are tolerated. No time lies within the bounds of enough participants. */
#define NETCLOCK_NO_AGREEMENT (-302)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_HANDOVER_H */
