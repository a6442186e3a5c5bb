/*
 * NetClock: changes of latency.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/latency. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_LATENCY_H
#define NETCLOCK_LATENCY_H

#include "netclock/netclock.h"
#include "netclock/netclock_keys.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Changes of latency
 *
 * Whether the delays to the server or back changed, and at what speed to play until the change is hidden.
 * =============================================================================================== */

/**
 * A watch over the latency of one client's path. Opaque. Its memory never grows. Calls from several threads
 * wait for each other.
 */
typedef struct netclock_latency netclock_latency;

/** Settings of a latency watch. Set `struct_size`, and everything else to zero for the defaults. */
typedef struct netclock_latency_config {
    /** `sizeof(netclock_latency_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * The latency whose changes the speed hides: zero for both directions together, `NETCLOCK_TO_SERVER` or
     * `NETCLOCK_TO_CLIENT` for one. Changes of both directions are reported.
     */
    int32_t hide;
    /** Smaller changes are not reported. (ticks, 1 ms to 1 s, default 10 ms) */
    int64_t least_change;
    /** How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1) */
    double max_speed_change;
    /** Time from speed 1 to the furthest. (ticks, 10 ms to 10 s, default 250 ms) */
    int64_t ramp;
    /**
     * Mean time between false reports on a path that does not change. Satellites and cellular paths change
     * within minutes: there most reports are of changes that do not last. (hours, 0.1 to 10000, default 100)
     */
    double hours_per_false_alarm;
} netclock_latency_config;

/** The delays of one direction changed, and stayed so. Set `struct_size` before the call. */
typedef struct netclock_latency_change {
    /** `sizeof(netclock_latency_change)` as compiled into the caller. */
    uint32_t struct_size;
    /** `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT`. */
    int32_t direction;
    /** The typical delay (median) until then. (ticks) */
    int64_t before;
    /** The typical delay since. (ticks) */
    int64_t after;
    /** When the first exchange arrived that shows the change. (ticks of the local clock) */
    netclock_local_time since;
    /** When the last of them arrived. (ticks of the local clock) */
    netclock_local_time found;
    /** Confidence: one minus the false reports per hour expected at this strength of evidence. (0 to 1) */
    double confidence;
} netclock_latency_change;

/** The speed at which the local avatar should play. Set `struct_size` before the call. */
typedef struct netclock_latency_speed {
    /** `sizeof(netclock_latency_speed)` as compiled into the caller. */
    uint32_t struct_size;
    /** 1 while a change is being hidden; else 0, with a `scale` of 1 and zero `remaining`. */
    int32_t is_hiding;
    /**
     * How fast the local avatar should play: usually 1, less after a rise of the latency, more after a fall.
     */
    double scale;
    /**
     * How much more than the time that passed it should have played since the watch was created; negative:
     * less. (ticks)
     */
    int64_t done;
    /** How much more it still has to play; negative: less. (ticks) */
    int64_t remaining;
} netclock_latency_speed;

/**
 * Creates a latency watch that knows no exchange yet and stores it in `*latency`. Give it back to
 * `netclock_latency_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_latency_create(const struct netclock_latency_config *config,
                                        struct netclock_latency **latency);

/**
 * Destroys a latency watch, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_latency_destroy(struct netclock_latency *latency);

/**
 * Learns from the newest exchange that `client` accepted. Call it after each reply that you handed to the
 * client. `NETCLOCK_NOTHING_NEW`: the exchange is known, or came less than 125 ms after another, or there is
 * none. You may call it every frame, but then it misses exchanges if several come in one frame. When the
 * clock restarts, the watch starts to learn again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_RANGE`
 * for a delay of more than 60 s, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_latency_follow(struct netclock_latency *latency,
                                        const struct netclock_client *client);

/**
 * Learns from the four stamps of an exchange, if you have them elsewhere: sent by the client, received and
 * answered by the server, received by the client; each by its own clock (ticks). `shown` is the shown server
 * time at `client_received`, and `epoch` that of the reading. Pass exchanges in the order of arrival.
 * `NETCLOCK_OUTDATED`: of an epoch that has ended, not used. Otherwise as `netclock_latency_follow`; also
 * `NETCLOCK_STAMP_OUT_OF_RANGE`.
 */
netclock_status netclock_latency_learn(struct netclock_latency *latency,
                                       netclock_local_time client_sent,
                                       netclock_server_time server_received,
                                       netclock_server_time server_sent,
                                       netclock_local_time client_received,
                                       netclock_server_time shown,
                                       uint32_t epoch);

/**
 * Takes the next change that was found, into `*change`. `NETCLOCK_NO_CHANGE`: none is waiting. A change that
 * is not taken is merged with the next one of its direction. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_latency_next_change(struct netclock_latency *latency,
                                             struct netclock_latency_change *change);

/**
 * The speed at which the local avatar should play at local time `now` (ticks), into `*speed`. Call it in
 * every frame. When the latency rises by `d`, the server's copy of the avatar becomes `d` older. The avatar
 * plays slower than 1 until it has played `d` less; then the distance to its copy is what it was. The
 * difference of `done` between two frames is exactly what to play more between them, at any frame rate. A
 * clock that runs ahead by the latency does the opposite: `2 - scale`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_latency_read_speed(struct netclock_latency *latency,
                                            netclock_local_time now,
                                            struct netclock_latency_speed *speed);

/* ===============================================================================================
 * Codes
 *
 * 700 to 799, positive and negative: changes of latency.
 * =============================================================================================== */

/** No change of the latency is waiting. */
#define NETCLOCK_NO_CHANGE 701

/** There was nothing to learn: the exchange is known or came too soon after another, or there is none. */
#define NETCLOCK_NOTHING_NEW 702

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_LATENCY_H */
