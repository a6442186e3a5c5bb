/*
 * NetClock: order, rewinding, prediction.
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
 * Order, rewinding, prediction
 *
 * Which of two events came first, what a client saw when it acted, and how far ahead of the server to
 * predict.
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
 * Settings of a lead. Set `struct_size`, and everything else to zero for the defaults. Durations are in
 * ticks.
 */
typedef struct netclock_lead_config {
    /** `sizeof(netclock_lead_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Must be zero. */
    uint32_t reserved;
    /**
     * Share of messages that should be in time. The lead holds 256 delays, which say nothing about rarer
     * ones. (0.5 to 0.99, default 0.95)
     */
    double quantile;
    /**
     * Frame period of a server that handles messages at frame boundaries but stamps them on arrival. Zero if
     * it stamps them when it handles them. (0 to 1 s)
     */
    int64_t server_frame;
    /** The same for the client and the messages that the server sends. (0 to 1 s) */
    int64_t client_frame;
    /** Time between the states that the server sends. (0 to 10 s) */
    int64_t send_interval;
} netclock_lead_config;

/** A prediction lead: learns from messages how long they take. Opaque. Calls on it wait for each other. */
typedef struct netclock_lead netclock_lead;

/**
 * Creates a lead that knows no message yet and stores it in `*lead`. Give it back to
 * `netclock_lead_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_lead_create(const struct netclock_lead_config *config, struct netclock_lead **lead);

/**
 * Destroys a lead, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_lead_destroy(struct netclock_lead *lead);

/**
 * Remembers that a message leaves for the server at `at` by the local clock, when the client's clock reads
 * `reading`: only its `epoch` and `server_time` are used. The game numbers its messages: by the input's
 * tick, for example. Only the first call with a number counts until there is another one, so call it each
 * time that the message is sent. The newest 256 messages without a report are remembered. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_lead_note_sent(struct netclock_lead *lead,
                                        uint64_t message,
                                        netclock_local_time at,
                                        const struct netclock_reading *reading);

/**
 * Learns from the server's report that a message arrived at `at` by the server's clock. Do not report lost
 * messages. When the clock steps, the lead starts to learn again. `NETCLOCK_OUTDATED`: not used, because its
 * epoch has ended, it was reported before, or its departure is not remembered. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a delay more than 60
 * s from the others, `NETCLOCK_POISONED`.
 */
netclock_status netclock_lead_note_arrived(struct netclock_lead *lead,
                                           uint64_t message,
                                           netclock_server_time at);

/**
 * Learns from a message of the server, which stamped it `sent`: a state, or a reply of the clock. It arrives
 * at `at` by the local clock, when the client's clock reads `reading`. `NETCLOCK_OUTDATED`: of an epoch that
 * has ended, not used. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a delay more than 60 s from the others,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_lead_note_received(struct netclock_lead *lead,
                                            netclock_server_time sent,
                                            netclock_local_time at,
                                            const struct netclock_reading *reading);

/**
 * What the messages so far suggest at `at`, by the local clock, as times of the server in ticks. With the
 * configured probability, a message that leaves at `at` is handled before `*handled_by`: predict for that
 * time. If others are shown as they were at `*showable`, then with that probability there are two states to
 * interpolate between. Either may be null. `NETCLOCK_NO_MESSAGES`: no message was learnt yet in a direction
 * that was asked for; its value is zero. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_lead_suggest(const struct netclock_lead *lead,
                                      netclock_local_time at,
                                      netclock_server_time *handled_by,
                                      netclock_server_time *showable);

/* ===============================================================================================
 * Codes
 *
 * 500 to 599, positive and negative: order, rewinding, prediction.
 * =============================================================================================== */

/** No message was learnt yet in a direction that was asked for. */
#define NETCLOCK_NO_MESSAGES 501

/**
 * The message is not used: its epoch has ended, it was reported before, or its departure is not remembered.
 */
#define NETCLOCK_OUTDATED 502

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_ORDER_H */
