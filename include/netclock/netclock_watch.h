/*
 * NetClock: watching clients' clocks.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/watch. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_WATCH_H
#define NETCLOCK_WATCH_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Watching clients' clocks
 *
 * A server can watch whether a client's clock runs at the rate of its own, to find cheats that speed their
 * game up.
 * =============================================================================================== */

/** Level: too few reports so far. */
#define NETCLOCK_RATE_UNKNOWN 0

/** Level: delay and ordinary crystals explain everything. */
#define NETCLOCK_RATE_PLAUSIBLE 1

/** Level: only a path that behaved as paths hardly ever do could explain it. Look closer, do not punish. */
#define NETCLOCK_RATE_LIKELY 2

/**
 * Level: no delays explain it. The client's clock ran at another rate or was set, or the server's was set.
 */
#define NETCLOCK_RATE_PROVEN 3

/** Finding: none so far. */
#define NETCLOCK_RATE_NOTHING 0

/** Finding: the client's clock ran fast. */
#define NETCLOCK_RATE_FAST 1

/** Finding: the client's clock ran slow. */
#define NETCLOCK_RATE_SLOW 2

/** Finding: the client's clock jumped ahead. */
#define NETCLOCK_RATE_ADDED 3

/** Finding: the client's clock fell back. */
#define NETCLOCK_RATE_REMOVED 4

/**
 * A watch over the clock of one client, on the server. Opaque. It has 248 bytes and never grows. Calls from
 * several threads wait for each other.
 */
typedef struct netclock_rate_watch netclock_rate_watch;

/** Settings of a rate watch. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_rate_watch_config {
    /** `sizeof(netclock_rate_watch_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /**
     * Largest skew between two honest clocks: crystals, and how operating systems steer them. (ppm, 1 to
     * 10000, default 200)
     */
    double max_drift_ppm;
    /**
     * A delay that messages do not exceed for 16 s without a break. A gain or loss beyond it cannot be a
     * delay. (ticks, 100 ms to 60 s, default 5 s)
     */
    int64_t max_delay;
} netclock_rate_watch_config;

/** The verdict of a rate watch on its client. Set `struct_size` before the call. */
typedef struct netclock_rate_verdict {
    /** `sizeof(netclock_rate_verdict)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`, about the last minute. */
    int32_t level;
    /** The highest level so far, one of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`. */
    int32_t worst;
    /** The newest finding: one of `NETCLOCK_RATE_NOTHING` to `NETCLOCK_RATE_REMOVED`. */
    int32_t finding;
    /** How often the level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`. */
    uint32_t findings;
    /** 1 if the mean rate is known, else 0. */
    int32_t is_mean_known;
    /**
     * Newest finding: what the client's clock gained on the server's beyond drift, and if proven, beyond
     * delay. Negative: lost. (ticks)
     */
    int64_t gained;
    /** Newest finding: how much of it changes of delay could explain. Zero if proven. (ticks) */
    int64_t explained;
    /**
     * Newest finding: how long it took. The watch looks back 510 s in all, and 52 s before the finding.
     * (ticks)
     */
    int64_t duration;
    /**
     * Mean skew of the client's clock against the server's since the watch began or was last excused.
     * Positive: the client's clock is fast. Zero if not known. (ppm)
     */
    double mean_ppm;
    /** How far off `mean_ppm` may be if delays changed by 60 ms. Zero if not known. (ppm) */
    double mean_error_ppm;
} netclock_rate_verdict;

/**
 * Creates a watch over the clock of one client and stores it in `*watch`. Give it back to
 * `netclock_rate_watch_destroy`. `config` may be null for all defaults. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_rate_watch_create(const struct netclock_rate_watch_config *config,
                                           struct netclock_rate_watch **watch);

/**
 * Destroys a rate watch, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_rate_watch_destroy(struct netclock_rate_watch *watch);

/**
 * Reports a message that the client stamped `stamped` (ticks) and that arrived at `arrived` (ticks). The
 * stamp may be up to 50 ms old when the message leaves. Take `arrived` as early as possible. Requests of
 * NetClock's clients are such messages, and so is any other with a stamp. Loss, duplicates and reordering do
 * no harm.
 *
 * `heard` is the server's send time of the newest reply that the client had received when it stamped the
 * message (ticks). Take it from acknowledgements or from stamps that come back. A stamp of the server that
 * the client returns can be believed, because a false one only speaks against the client. Pass
 * `NETCLOCK_UNKNOWN_TIME` if it is not known: then only gains are found early, and only gains beyond
 * `max_delay` are proved.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (report in
 * the order of arrival), `NETCLOCK_ARRIVED_BEFORE_SENT` (heard after it arrived), `NETCLOCK_POISONED`.
 */
netclock_status netclock_rate_watch_report(struct netclock_rate_watch *watch,
                                           netclock_local_time stamped,
                                           netclock_server_time arrived,
                                           netclock_server_time heard);

/**
 * Excuses the messages that arrive from `from` to `to` (ticks): they are no evidence. Use it when the
 * client's clock stood still or was set for a good reason: the game paused or changed its level, or the
 * machine resumed. If you call it afterwards, the suspicion of the last minute is dropped. In either case
 * the watch forgets what it observed until then. Two calls excuse the time between them, too. Stalls of
 * client, server or network need no excuse. Choose `to` as late as the last message from before may arrive.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (`to` is
 * before `from`), `NETCLOCK_POISONED`.
 */
netclock_status netclock_rate_watch_excuse(struct netclock_rate_watch *watch,
                                           netclock_server_time from,
                                           netclock_server_time to);

/**
 * The verdict as of the newest report, into `*verdict`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_rate_watch_read(const struct netclock_rate_watch *watch,
                                         struct netclock_rate_verdict *verdict);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_WATCH_H */
