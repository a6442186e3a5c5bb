/*
 * NetClock: what outlives a session.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/clock/saved. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_SAVED_H
#define NETCLOCK_SAVED_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * What outlives a session
 *
 * How fast this machine's clock runs and what was learned of a server, for the next session.
 * =============================================================================================== */

/** The machine's saved state was used. */
#define NETCLOCK_USED_MACHINE 1

/** The server's saved state was used. */
#define NETCLOCK_USED_SERVER 2

/**
 * Which of the saved states in its settings the client began with, into `*used`: the sum of
 * `NETCLOCK_USED_MACHINE` and `NETCLOCK_USED_SERVER`, as far as they apply. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_used_saved(const struct netclock_client *client, int32_t *used);

/**
 * The boot of the server's machine is `boot`, as `netclock_boot_id` gave it there and the game states it. A
 * rate that was saved before the server booted counts less. Call it as soon as you know, and again when you
 * turn to another server. Without it, what was saved of this server counts as of the same boot if its epoch
 * is still the same. 0: unknown. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_set_server_boot(struct netclock_client *client, uint64_t boot);

/**
 * What later sessions begin with: the state of this machine's crystal into `machine`, and that of the server
 * into `server`. Each buffer has room for `capacity` bytes, and gets `NETCLOCK_SAVED_SIZE`. Keep one
 * `machine` for the machine, and one `server` for each server, under its address or name. `seconds` is the
 * time now by a calendar that outlives the process, for example Unix time. Save when the session ends, or
 * every few minutes.
 *
 * It waits for the rate to be known better than crystals differ. `NETCLOCK_NOT_SYNCED` says that it is not:
 * on a path of few milliseconds this takes some seconds after the first reply, on a poor one minutes.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if a buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_save(struct netclock_client *client,
                                     int64_t seconds,
                                     void *machine,
                                     void *server,
                                     size_t capacity);

/**
 * What the system knows of the rate of `netclock_monotonic_now`: how much faster than true time it runs into
 * `*ppm`, and the standard deviation of that into `*doubt_ppm`. If a time service disciplines the system's
 * clock, that is known to a few ppm. If none does, if the system does not say, or if it is more than the 50
 * ppm of the default drift, both are 0. Store both in a configuration, as the rate of the client's clock. A
 * server can tell its clients its own, for their `server_rate_ppm`.
 *
 * Linux: `adjtimex`, which changes nothing. macOS and iOS: `ntp_adjtime`, likewise. Windows 10 and later:
 * `GetSystemTimeAdjustmentPrecise`. Elsewhere nothing is known. Null is allowed for either pointer. Callable
 * from any thread. It never fails.
 */
void netclock_rate_hint(double *ppm, double *doubt_ppm);

/**
 * The identity of this machine's boot, for `boot` of `netclock_config`; 0 if the system does not say. Rates
 * may be others after a boot. A server can tell its clients its own, for
 * `netclock_client_set_server_boot`: it says which servers run on one machine, and nothing else of it.
 *
 * Asks Linux and Android for the boot's id, macOS and iOS for the boot session's UUID, Windows for the time
 * of the boot. Callable from any thread. It never fails.
 */
uint64_t netclock_boot_id(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_SAVED_H */
