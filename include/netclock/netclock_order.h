/*
 * NetClock: order, rewinding, beats.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/order. Do not edit: run `cargo xtask header`.
 * The contract in netclock.h applies to all functions.
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
 * The order of two events, the instant that a client saw when it acted, and the fixed steps of a simulation.
 * =============================================================================================== */

/** Order: the events are too close together for the requested confidence. */
#define NETCLOCK_ORDER_TOO_CLOSE 0

/** Order: the first event came first. */
#define NETCLOCK_ORDER_BEFORE 1

/** Order: the second event came first. */
#define NETCLOCK_ORDER_AFTER 2

/** Limit: none, because the claim was plausible. */
#define NETCLOCK_LIMIT_NONE 0

/** Limit: the claim was later than its arrival. */
#define NETCLOCK_LIMIT_ARRIVAL 1

/** Limit: the claim was earlier than the path can explain. */
#define NETCLOCK_LIMIT_PATH 2

/** Limit: the instant was further back than `max_rewind`. */
#define NETCLOCK_LIMIT_MAX_REWIND 3

/**
 * The time of an event, as a client read it or as the server recorded it. For a client's time, copy the
 * errors from the client's reading. For the server's own times, the errors are zero.
 */
typedef struct netclock_order_stamp {
    /** The server time of the event. */
    netclock_server_time time;
    /** Hard bound on the error; `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t error_bound;
    /** Expected error (one standard deviation); `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t expected_error;
} netclock_order_stamp;

/** The order of two events. Set `struct_size` before the call. */
typedef struct netclock_order_verdict {
    /** `sizeof(netclock_order_verdict)` in the caller's program. */
    uint32_t struct_size;
    /** One of `NETCLOCK_ORDER_...`. */
    int32_t order;
    /** The probability that the first event was before the second. If the order is proven, this is 0 or 1. */
    double probability;
    /** 1 if the bounds prove the order, 0 if it is only probable. */
    int32_t proven;
    /** Reserved, always zero. */
    int32_t reserved;
} netclock_order_verdict;

/**
 * A client's measured path, and the limit for rewinding. Set `struct_size` before the call.
 * Durations are in ticks, 0 to 60 s.
 */
typedef struct netclock_rewind_path {
    /** `sizeof(netclock_rewind_path)` in the caller's program. */
    uint32_t struct_size;
    /** Reserved, must be zero. */
    uint32_t reserved;
    /** The smallest recent round-trip time, as measured by the server. */
    int64_t round_trip;
    /**
     * How much longer than `round_trip` the messages and the clock's exchanges may take. If the server
     * handles messages once per frame, add its frame period.
     */
    int64_t jitter;
    /** How far in the past, relative to its clock, the client shows other players. */
    int64_t interpolation;
    /**
     * The longest permitted rewind from the message's arrival, including `interpolation`. (default 250 ms)
     */
    int64_t max_rewind;
} netclock_rewind_path;

/** The instant that a client saw when it acted. All times are in ticks. Set `struct_size` before the call. */
typedef struct netclock_rewind_result {
    /** `sizeof(netclock_rewind_result)` in the caller's program. */
    uint32_t struct_size;
    /** Why the instant was moved, one of `NETCLOCK_LIMIT_...`. */
    int32_t limit;
    /** The target of the rewind as server time. */
    netclock_server_time target;
    /** How much later the target is than the client's claim implies, or a negative value if it is earlier. */
    int64_t moved;
    /**
     * When the client acted. This is the client's claim if it is plausible, and otherwise the nearest
     * plausible time. Use it for arbitration.
     */
    netclock_server_time acted;
    /**
     * The largest error of `acted` for any claim, provided that messages take no longer than `round_trip +
     * jitter`.
     */
    int64_t error_bound;
} netclock_rewind_result;

/**
 * Returns the order of two events in `*verdict`. Set `same_clock` to 1 if both times are the server's, or if
 * both come from the same client and the same epoch of its readings. Otherwise, set it to 0. Times from the
 * same clock share its error, so the error does not affect their order. `confidence` is the minimum
 * probability of a verdict that is not proven. At 0.5, only ties are too close to decide. At 1, any order
 * that is not proven is too close to decide. Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE`
 * if an error is negative or the confidence is out of range.
 */
NETCLOCK_NODISCARD
netclock_status netclock_arbitrate(const struct netclock_order_stamp *first,
                                   const struct netclock_order_stamp *second,
                                   int32_t same_clock,
                                   double confidence,
                                   struct netclock_order_verdict *verdict);

/**
 * Returns in `*rewound` the instant that a client saw when it acted. In a message that the server received
 * at `arrived`, the client claims that it acted at `claimed`, according to its reading of the server's time.
 * If `*path` cannot explain the claim, the function uses the nearest plausible time instead. Errors:
 * `NETCLOCK_OUT_OF_RANGE` if a field of the path is out of range.
 */
NETCLOCK_NODISCARD
netclock_status netclock_rewind(netclock_server_time claimed,
                                netclock_server_time arrived,
                                const struct netclock_rewind_path *path,
                                struct netclock_rewind_result *rewound);

/**
 * Beats at a rational rate, and the progress of a simulation that runs one step per beat. Set all fields.
 * When you save a state of the simulation, save a copy of this structure with it.
 */
typedef struct netclock_beat {
    /** The start of beat 0 as server time in ticks. */
    netclock_server_time origin;
    /** The number of the next step, initially zero. `netclock_beat_advance` increases it. */
    int64_t next;
    /**
     * The number of beats in `seconds`. Examples are 60 in 1, 60000 in 1001, and 1000 in N for a beat every
     * N ms. (1 to 240 per second)
     */
    uint32_t beats;
    /** The duration of `beats` beats in seconds. (1 to 10000) */
    uint32_t seconds;
    /** The maximum number of steps per call. (zero means 5) */
    uint32_t max_steps;
    /**
     * If more steps than this are due, the oldest are skipped until this many remain. (zero means that steps
     * are never skipped)
     */
    uint32_t max_behind;
    /**
     * If this and `next` are 0, `netclock_beat_advance` starts with the current beat, or with beat 0 before
     * the origin, and sets this field to 1. If this is 1, every step runs, starting with `next`. If you set
     * this to 1 initially, all steps since the origin run, which are 15 million in three days at 60 per
     * second. (0 or 1)
     */
    uint32_t begun;
    /** Reserved, must be zero. */
    uint32_t reserved;
} netclock_beat;

/** The steps that a simulation has to run in a frame. */
typedef struct netclock_beat_steps {
    /** The number of the first step to run. */
    int64_t first;
    /** The number of consecutive steps to run. */
    int64_t count;
    /**
     * The number of steps before `first` that are skipped permanently, because more than `max_behind` steps
     * were due.
     */
    int64_t skipped;
    /** The number of due steps left for the next call. */
    int64_t behind;
    /** The elapsed fraction of the current beat, from 0 to just below 1. */
    double alpha;
} netclock_beat_steps;

/**
 * Returns the number of the current beat at server time `now` (ticks) in `*number`, and the elapsed fraction
 * of this beat, from 0 to just below 1, in `*alpha`. The number is negative before the origin. Errors:
 * `NETCLOCK_BAD_CONFIG` if the rate or the origin is out of range.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_at(const struct netclock_beat *beat,
                                 netclock_server_time now,
                                 int64_t *number,
                                 double *alpha);

/**
 * Returns the start of beat `number` in `*server_time`, which is the first tick at which `netclock_beat_at`
 * returns this number. Errors: as `netclock_beat_at`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_time(const struct netclock_beat *beat,
                                   int64_t number,
                                   netclock_server_time *server_time);

/**
 * Returns the steps to run at server time `now` (ticks) in `*steps`, and advances `beat->next` past them.
 * Step `n` is due at the start of beat `n`. Even if the clock jumps, no step is returned twice, and none is
 * omitted unless `skipped` counts it. Errors: as `netclock_beat_at`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_advance(struct netclock_beat *beat,
                                      netclock_server_time now,
                                      struct netclock_beat_steps *steps);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_ORDER_H */
