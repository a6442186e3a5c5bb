/*
 * NetClock: saved states.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/clock/saved. Do not edit: run `cargo xtask header`.
 * The contract in netclock.h applies to all functions.
 */
#ifndef NETCLOCK_SAVED_H
#define NETCLOCK_SAVED_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Saved states
 *
 * A client can save what it learned about this machine's clock and about a server for later sessions.
 * =============================================================================================== */

/** The machine's saved state was used. */
#define NETCLOCK_USED_MACHINE 1

/** The server's saved state was used. */
#define NETCLOCK_USED_SERVER 2

/**
 * Checks which of the saved states in its settings the client used, and returns 0, `NETCLOCK_USED_MACHINE`,
 * `NETCLOCK_USED_SERVER`, or their sum in `*used`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_used_saved(const struct netclock_client *client, int32_t *used);

/**
 * Sets the boot identifier of the server's machine. `boot` is the value that `netclock_machine_hints`
 * returned on the server and that the game sent to the client, or 0 if unknown. A saved rate has less weight
 * if the server's machine has rebooted since. Call this function as soon as the value is known, and again
 * after connecting to a different server. Without this call, the client assumes that a server's saved state
 * is from the same boot if the server epoch is unchanged.
 */
netclock_status netclock_client_set_server_boot(struct netclock_client *client, uint64_t boot);

/**
 * Saves what the client has learned about this machine's crystal and about the server, for use in later
 * sessions. Writes `NETCLOCK_SAVED_SIZE` bytes to each of the buffers `machine` and `server`, which have
 * room for `capacity` bytes each. Store one `machine` state per machine, and one `server` state per server
 * under its address or name. `seconds` is the current time on a calendar that outlives the process, such as
 * Unix time. Save the states at the end of the session, or every few minutes.
 *
 * Returns `NETCLOCK_NOT_SYNCED` until the rate is known more precisely than crystals usually differ. After
 * the first reply, this takes seconds if round trips take a few milliseconds, and minutes on a poor path.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_save(struct netclock_client *client,
                                     int64_t seconds,
                                     void *machine,
                                     void *server,
                                     size_t capacity);

/**
 * Asks the operating system how fast `netclock_monotonic_now` runs, and for an identifier of the current
 * boot. Any of the pointers may be null.
 *
 * `*ppm` states how much faster than true time the clock runs, and `*doubt_ppm` is the standard deviation of
 * this value. If a time service disciplines the system clock, the rate is known to within a few ppm. Both
 * values are 0 if there is no time service, if the system does not report the rate, or if the rate exceeds
 * the default drift of 50 ppm. Copy both values to `client_rate_ppm` and `client_rate_doubt_ppm` in
 * `netclock_config`. A server can send them to its clients, for `server_rate_ppm` and
 * `server_rate_doubt_ppm`.
 *
 * `*boot` identifies this machine's current boot, or is 0 if the system does not report it. Copy it to
 * `boot` in `netclock_config`. Rates may change at a reboot. A server can send `*boot` to its clients for
 * `netclock_client_set_server_boot`. The value reveals which servers run on the same machine, but nothing
 * else.
 *
 * The rate comes from `adjtimex` on Linux, `ntp_adjtime` on macOS and iOS, and
 * `GetSystemTimeAdjustmentPrecise` on Windows 10 and later. These calls only read. The boot is identified by
 * the boot id on Linux and Android, the UUID of the boot session on macOS and iOS, and the boot time on
 * Windows. On other systems, both are unknown.
 */
void netclock_machine_hints(double *ppm, double *doubt_ppm, uint64_t *boot);

/* ===============================================================================================
 * Recording
 *
 * A callback receives a client's exchanges.
 * =============================================================================================== */

/** Exchange path: the game's own connection. */
#define NETCLOCK_PATH_MESSAGES 0

/** Exchange path: a link. */
#define NETCLOCK_PATH_LINK 1

/**
 * An exchange that was passed to a client, and its result. Each time is in ticks of the clock that measured
 * it.
 */
typedef struct netclock_sample {
    /** The size of this structure in the library. Do not read beyond this size. */
    uint32_t struct_size;
    /**
     * `NETCLOCK_OK` if the client accepted the exchange. Otherwise, the code for the rejection, from
     * `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_SEVERAL_SERVERS`, or `NETCLOCK_STAMP_OUT_OF_RANGE`.
     */
    netclock_status status;
    /** The id of the reply, or zero if the caller matched replies to requests. */
    uint64_t id;
    /** Identifies the run of the server's clock, or zero if the transport does not provide it. */
    uint64_t epoch;
    /**
     * When the client sent the request, or `NETCLOCK_UNKNOWN_TIME` if the status is
     * `NETCLOCK_UNKNOWN_REQUEST`.
     */
    netclock_local_time client_sent;
    /** When the server received the request. */
    netclock_server_time server_received;
    /** When the server sent the reply. */
    netclock_server_time server_sent;
    /** When the client received the reply. */
    netclock_local_time client_received;
    /** The path of the exchange: `NETCLOCK_PATH_MESSAGES` or `NETCLOCK_PATH_LINK`. */
    int32_t path;
    /**
     * The longest time that the request may have waited before it was timestamped (ticks). 1 if it was
     * timestamped on arrival, 0 if unknown.
     */
    uint32_t server_wait;
    /**
     * The longest time that the reply may have waited before it was timestamped (ticks). 1 if it was
     * timestamped on arrival, 0 if unknown.
     */
    uint32_t client_wait;
    /** Reserved, always zero. */
    uint32_t reserved;
} netclock_sample;

/**
 * Receives every exchange that is passed to the client, whether it was accepted or rejected. The arguments
 * are the `user_data` from `netclock_client_set_tap` and the exchange, which is valid until the callback
 * returns.
 *
 * The callback runs on the thread whose call handled the exchange, before that call returns. No lock is
 * held. The callback may call any function of this library, even for the same client, but it must not
 * destroy that client (`NETCLOCK_BUSY`). If such a call handles an exchange, the callback is called
 * recursively. The callback must return, so it must not call longjmp or end the thread. A C++ exception that
 * escapes the callback terminates the process. A Rust panic that escapes it (in a function declared
 * `extern "C-unwind"`) is discarded.
 */
typedef void (*netclock_tap_callback)(void *user_data, const struct netclock_sample *sample);

/**
 * Sets the callback that receives every exchange, for recordings and statistics. A null `callback` removes
 * it. A new client has no callback. The callback receives `user_data`, which may be null. A new callback
 * takes effect with the next exchange, even if the old callback sets it. Calls in progress on other threads
 * may still call the old callback.
 */
netclock_status netclock_client_set_tap(struct netclock_client *client,
                                        netclock_tap_callback callback,
                                        void *user_data);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_SAVED_H */
