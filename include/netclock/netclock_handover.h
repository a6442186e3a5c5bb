/*
 * NetClock: handover.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/handover. Do not edit: run `cargo xtask header`.
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
 * A new server continues the timescale of an earlier one, and the clients' clocks continue without a step.
 * =============================================================================================== */

/**
 * An authority states which timescale a server's clock shows, and how far the clock may be off. If a server
 * does not announce an authority, its clock defines its own timescale. Set `struct_size` before the call.
 */
typedef struct netclock_authority {
    /** `sizeof(netclock_authority)` in the caller's program. */
    uint32_t struct_size;
    /** Reserved, must be zero. */
    uint32_t reserved;
    /** The `epoch` with which the `netclock_server` was created. */
    uint64_t epoch;
    /**
     * Identifies the timescale. This is the epoch of the first server that showed the timescale, or a number
     * that you assign to a fleet of servers.
     */
    uint64_t timescale;
    /** The largest difference between the clock and the timescale. (ticks, 0 to 2^32 - 1) */
    int64_t dispersion;
} netclock_authority;

/**
 * Sets the authority that the client will follow from its first reply, or updates the dispersion of the
 * current authority. The client trusts the authority, so it must have arrived over a trusted connection. A
 * guest learns the authority from its host and does not need this call. `now` is the local time in ticks.
 *
 * Setting a different authority for the same timescale is a handover. The client then applies its estimates
 * of the old clock to the new one, widened by both dispersions. The shown time and the reading's epoch
 * continue. The client slews the difference and reports `NETCLOCK_EVENT_HANDED_OVER`. Call this function
 * before the first reply from the new authority. After that reply, the call works only for about half a
 * second, because the client shows the old server's clock until the burst is answered. If the new server's
 * replies contradict the authority, the clock restarts as it does after a server restart.
 *
 * Errors: `NETCLOCK_OUT_OF_RANGE` if the dispersion is out of range, `NETCLOCK_OTHER_TIMESCALE`,
 * `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
netclock_status netclock_client_set_authority(struct netclock_client *client,
                                              const struct netclock_authority *authority,
                                              netclock_local_time now);

/**
 * Determines the authority that readings follow at local time `now` (ticks), and returns it in `*authority`.
 * The `error_bound` of a reading refers to the authority's clock, and the timescale is within `dispersion`
 * of that clock. After 20 s without confirmation, the dispersion grows at the rate of the possible drift.
 * Returns `NETCLOCK_NOT_SYNCED` if no accepted reply contained an epoch.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_authority(const struct netclock_client *client,
                                          netclock_local_time now,
                                          struct netclock_authority *authority);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_HANDOVER_H */
