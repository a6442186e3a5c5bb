/*
 * NetClock: order, rewinding, beats.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/order. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_ORDER_H
#define NETCLOCK_ORDER_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Order, rewinding, beats
 *
 * Which of two events came first, what a client saw when it acted, and the fixed steps of a simulation.
 * =============================================================================================== */

/** Order: too close to call with the confidence that was asked for. */
#define NETCLOCK_ORDER_TOO_CLOSE 0

/** Order: the first event came before the second. */
#define NETCLOCK_ORDER_BEFORE 1

/** Order: the first event came after the second. */
#define NETCLOCK_ORDER_AFTER 2

/** Limit: the claim was plausible, and nothing was moved. */
#define NETCLOCK_LIMIT_NONE 0

/** Limit: the claim was later than its own arrival. */
#define NETCLOCK_LIMIT_ARRIVAL 1

/** Limit: the claim was earlier than the path can explain. */
#define NETCLOCK_LIMIT_PATH 2

/** Limit: the instant was further back than `max_rewind`. */
#define NETCLOCK_LIMIT_MAX_REWIND 3

/**
 * The time of an event, as a client read it or as the server stamped it. For the server's own stamps both
 * errors are zero; for a client's stamp take them from its reading.
 */
typedef struct netclock_order_stamp {
    /** When, in server time. */
    netclock_server_time time;
    /** Hard bound of the error; `NETCLOCK_UNBOUNDED` if there is none. */
    int64_t error_bound;
    /** Expected size of the error, one standard deviation; `NETCLOCK_UNBOUNDED` if not known. */
    int64_t expected_error;
} netclock_order_stamp;

/** Which of two events came first. Set `struct_size` before the call. */
typedef struct netclock_order_verdict {
    /** `sizeof(netclock_order_verdict)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_ORDER_...`. */
    int32_t order;
    /** Probability that the first event came before the second; 0 or 1 if proven. */
    double probability;
    /** 1 if the order follows from the bounds, 0 if it is only probable. */
    int32_t proven;
    /** Zero. */
    int32_t reserved;
} netclock_order_verdict;

/**
 * What a server knows of a client's path, and what it allows. Set `struct_size`. Durations are in ticks, 0
 * to 60 s.
 */
typedef struct netclock_rewind_path {
    /** `sizeof(netclock_rewind_path)` as compiled into the caller. */
    uint32_t struct_size;
    /** Must be zero. */
    uint32_t reserved;
    /** Smallest recent round trip, as the server measured it. */
    int64_t round_trip;
    /**
     * How much longer a message and the clock's own exchanges may take. A server that handles messages at
     * frames adds its frame period.
     */
    int64_t jitter;
    /** How far behind its clock the client shows other players. */
    int64_t interpolation;
    /** The furthest that the game rewinds, from the arrival, including `interpolation`. (default 250 ms) */
    int64_t max_rewind;
} netclock_rewind_path;

/** What a client saw when it acted; all times in ticks. Set `struct_size` before the call. */
typedef struct netclock_rewind_result {
    /** `sizeof(netclock_rewind_result)` as compiled into the caller. */
    uint32_t struct_size;
    /** What moved the instant: one of `NETCLOCK_LIMIT_...`. */
    int32_t limit;
    /** The instant of the server's past to rewind to. */
    netclock_server_time target;
    /** How much later that is than the client claimed; negative: earlier. */
    int64_t moved;
    /** When the client acted, as far as that is plausible. Use it to arbitrate. */
    netclock_server_time acted;
    /**
     * How far off `acted` may be if messages take no longer than `round_trip + jitter`, whatever the client
     * claims.
     */
    int64_t error_bound;
} netclock_rewind_result;

/**
 * Which of two events came first, into `*verdict`. `same_clock` is not zero if both stamps are of one client
 * within one epoch of its readings, or both of the server: then they share their error, and it does not
 * matter. `confidence` is the least probability for a verdict that is not proven. 0.5 decides everything
 * except ties; 1 leaves everything that is not proven too close to call. Callable from any thread. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_OUT_OF_RANGE` for a negative error or a confidence out of range.
 */
NETCLOCK_NODISCARD
netclock_status netclock_arbitrate(const struct netclock_order_stamp *first,
                                   const struct netclock_order_stamp *second,
                                   int32_t same_clock,
                                   double confidence,
                                   struct netclock_order_verdict *verdict);

/**
 * The instant that a client saw when it acted, into `*rewound`. The client claims that it acted at
 * `claimed`, by its reading of the server's time, in a message that the server received at `arrived`. A
 * claim that `*path` cannot explain is moved to the nearest one that it can. Callable from any thread.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_OUT_OF_RANGE`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_rewind(netclock_server_time claimed,
                                netclock_server_time arrived,
                                const struct netclock_rewind_path *path,
                                struct netclock_rewind_result *rewound);

/**
 * Beats at a rational rate from an origin, and how far a simulation has run by them. Fill in all fields.
 * Copy it with the state of the simulation, to go back to that state later.
 */
typedef struct netclock_beat {
    /** When beat 0 begins: server time in ticks. */
    netclock_server_time origin;
    /** Number of the next step to run, at first zero. `netclock_beat_advance` increases it. */
    int64_t next;
    /**
     * Beats in `seconds`: 60 in 1, 60000 in 1001, or 1000 in N for one every N ms. (1 to 240 for each
     * second)
     */
    uint32_t beats;
    /** Seconds for `beats`. (1 to 10000) */
    uint32_t seconds;
    /** Most steps to run in one call. (zero: 5) */
    uint32_t max_steps;
    /**
     * If more steps than this are due, the oldest are skipped until this many are left. (zero: none is ever
     * skipped)
     */
    uint32_t max_behind;
    /**
     * 0: if `next` is 0, too, `netclock_beat_advance` begins with the beat under way, or with number 0
     * before the origin. It leaves 1 here. 1: every step from `next` on is run. Set it if you have to catch
     * up with all steps since the origin: 60 a second make 15 million in three days. (0 or 1)
     */
    uint32_t begun;
    /** Zero. */
    uint32_t reserved;
} netclock_beat;

/** What a simulation has to run in this frame. */
typedef struct netclock_beat_steps {
    /** Number of the first step to run. */
    int64_t first;
    /** How many to run, with consecutive numbers. */
    int64_t count;
    /**
     * Steps that were skipped for good just before `first`, because more than `max_behind` were due. Zero:
     * none.
     */
    int64_t skipped;
    /** Steps that are due, too, and left for the next call. */
    int64_t behind;
    /** Fraction of the beat under way that has passed, from 0 to just below 1. */
    double alpha;
} netclock_beat_steps;

/**
 * The beat under way at server time `now` (ticks) into `*number`, negative before the origin. The fraction
 * of it that has passed, from 0 to just below 1, into `*alpha`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_BAD_CONFIG` for the rate or the origin, `NETCLOCK_STAMP_OUT_OF_RANGE`. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_at(const struct netclock_beat *beat,
                                 netclock_server_time now,
                                 int64_t *number,
                                 double *alpha);

/**
 * When beat `number` begins, into `*server_time`: the first tick at which `netclock_beat_at` gives this
 * number. Errors as there. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_time(const struct netclock_beat *beat,
                                   int64_t number,
                                   netclock_server_time *server_time);

/**
 * The steps to run at server time `now` (ticks), into `*steps`; moves `beat->next` past them. Step `n` is
 * due when beat `n` begins. No number is ever given twice, and none is left out unless `skipped` declares
 * it, whatever the clock does. Errors as `netclock_beat_at`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_advance(struct netclock_beat *beat,
                                      netclock_server_time now,
                                      struct netclock_beat_steps *steps);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_ORDER_H */
