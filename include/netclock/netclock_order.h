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
 * Determines the order of events, the instant that a client saw when it acted, and a simulation's fixed
 * steps.
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
 * The time of an event, as a client read it or as the server recorded it. If a client read the time, copy
 * the errors from its reading. If the server recorded it, set both errors to zero.
 */
typedef struct netclock_order_stamp {
    /** The server time of the event. */
    netclock_server_time time;
    /** The hard error bound in ticks; `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t error_bound;
    /** The expected error (one standard deviation) in ticks; `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t expected_error;
} netclock_order_stamp;

/** The order of two events. Set `struct_size` before the call. */
typedef struct netclock_order_verdict {
    /** `sizeof(netclock_order_verdict)` in the caller's program. */
    uint32_t struct_size;
    /** One of `NETCLOCK_ORDER_...`. */
    int32_t order;
    /**
     * The probability that the first event was before the second. The probability of a proven order is 0 or
     * 1.
     */
    double probability;
    /** 1 if the bounds prove the order, 0 if the order is only probable. */
    int32_t proven;
    /** Reserved, always zero. */
    int32_t reserved;
} netclock_order_verdict;

/**
 * The measured path of a client, and the limit on rewinding. Set `struct_size` before the call. Durations
 * are in ticks, 0 to 60 s.
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
     * The longest permitted rewind, counted from the message's arrival and including `interpolation`.
     * (default 250 ms)
     */
    int64_t max_rewind;
} netclock_rewind_path;

/** The instant that a client saw when it acted. All times are in ticks. Set `struct_size` before the call. */
typedef struct netclock_rewind_result {
    /** `sizeof(netclock_rewind_result)` in the caller's program. */
    uint32_t struct_size;
    /** Why the instant was moved, one of `NETCLOCK_LIMIT_...`. */
    int32_t limit;
    /** The server time to which to rewind. */
    netclock_server_time target;
    /** How much later the target is than the client's claim implies, or a negative value if it is earlier. */
    int64_t moved;
    /**
     * The time at which the client acted. This is the claim or, if it is implausible, the nearest plausible
     * time. Pass this time to `netclock_arbitrate`.
     */
    netclock_server_time acted;
    /**
     * The largest error of `acted`, whatever the client claims, provided that messages take no longer than
     * `round_trip + jitter`.
     */
    int64_t error_bound;
} netclock_rewind_result;

/**
 * Determines which of two events came first, and returns the verdict in `*verdict`. Set `same_clock` to 1 if
 * both times are the server's, or if the same client read both in the same epoch. Otherwise, set it to 0.
 * Times from the same clock share that clock's error, so the error does not affect their order.
 * `confidence`, from 0.5 to 1, is the minimum probability of an unproven order. At 0.5, the order is
 * undecided only if both orders are equally likely. At 1, the order is undecided unless it is proven.
 * Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` if an error is negative or the confidence
 * is out of range.
 */
NETCLOCK_NODISCARD
netclock_status netclock_arbitrate(const struct netclock_order_stamp *first,
                                   const struct netclock_order_stamp *second,
                                   int32_t same_clock,
                                   double confidence,
                                   struct netclock_order_verdict *verdict);

/**
 * Determines the instant that a client saw when it acted, and returns it in `*rewound`. `claimed` is the
 * server time at which the client claims to have acted, and `arrived` is the server time at which this claim
 * arrived. If `*path` cannot explain the claim, the function uses the nearest plausible time instead.
 * Errors: `NETCLOCK_OUT_OF_RANGE` if a field of the path is out of range.
 */
NETCLOCK_NODISCARD
netclock_status netclock_rewind(netclock_server_time claimed,
                                netclock_server_time arrived,
                                const struct netclock_rewind_path *path,
                                struct netclock_rewind_result *rewound);

/**
 * Beats at a rational rate, and the progress of a simulation that runs one step per beat. Set all fields.
 * When you save the simulation's state, save a copy of this structure with it.
 */
typedef struct netclock_beat {
    /** The server time at which beat 0 starts, in ticks. */
    netclock_server_time origin;
    /** The number of the next step, initially zero. `netclock_beat_advance` increases it. */
    int64_t next;
    /**
     * The number of beats in `seconds` seconds. Examples are 60 in 1 s, 60000 in 1001 s, or 1000 in N s for
     * a beat every N ms. (1 to 240 per second)
     */
    uint32_t beats;
    /** The duration of `beats` beats in seconds. (1 to 10000) */
    uint32_t seconds;
    /** The maximum number of steps per call. (zero means 5) */
    uint32_t max_steps;
    /**
     * If more steps are due, the oldest are skipped until this many remain. (zero means that steps are never
     * skipped)
     */
    uint32_t max_behind;
    /**
     * 1 if the simulation has begun, else 0. If this field and `next` are 0, `netclock_beat_advance` starts
     * with the current beat, or with beat 0 before the origin, and sets this field to 1. If this field is 1,
     * every step from `next` runs. If you set this field to 1 initially, all steps since the origin run, for
     * example 15 million after three days at 60 per second. (0 or 1)
     */
    uint32_t begun;
    /** Reserved, must be zero. */
    uint32_t reserved;
} netclock_beat;

/** The steps that a simulation must run in a frame. */
typedef struct netclock_beat_steps {
    /** The number of the first step to run. */
    int64_t first;
    /** The number of consecutive steps to run. */
    int64_t count;
    /**
     * The number of steps before `first` that will never run, because more than `max_behind` steps were due.
     */
    int64_t skipped;
    /** The number of steps that are due but left for the next call. */
    int64_t behind;
    /** The elapsed fraction of the current beat, from 0 to just below 1. */
    double alpha;
} netclock_beat_steps;

/**
 * Finds the current beat at server time `now` (ticks). Returns its number in `*number` and its elapsed
 * fraction, from 0 to just below 1, in `*alpha`. Before the origin, the beat's number is negative. Errors:
 * `NETCLOCK_BAD_CONFIG` if the rate or the origin is out of range.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_at(const struct netclock_beat *beat,
                                 netclock_server_time now,
                                 int64_t *number,
                                 double *alpha);

/**
 * Finds the start of beat `number`, and returns it in `*server_time`. The start is the first tick at which
 * `netclock_beat_at` returns this number. Errors: same as `netclock_beat_at`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_time(const struct netclock_beat *beat,
                                   int64_t number,
                                   netclock_server_time *server_time);

/**
 * Determines the steps to run at server time `now` (ticks), returns them in `*steps`, and advances
 * `beat->next` past them. Step `n` is due at the start of beat `n`. Even if the clock jumps, no step is
 * returned twice, and `skipped` counts every omitted step. Errors: same as `netclock_beat_at`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_advance(struct netclock_beat *beat,
                                      netclock_server_time now,
                                      struct netclock_beat_steps *steps);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_ORDER_H */
