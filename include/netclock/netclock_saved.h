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

/* ===============================================================================================
 * Log and tap
 *
 * A client reports to callbacks: messages for people, and every exchange for recordings.
 * =============================================================================================== */

/** Level: a bug in NetClock; the client is useless from now on. */
#define NETCLOCK_LOG_ERROR 1

/** Level: the clock jumped or is less good than it should be, or a call was wrong. */
#define NETCLOCK_LOG_WARNING 2

/** Level: the clock is in sync, for the first time or again. */
#define NETCLOCK_LOG_INFO 3

/** Level: a reply was refused, and why. */
#define NETCLOCK_LOG_DEBUG 4

/**
 * Receives a client's messages: `user_data` as it was given, one of `NETCLOCK_LOG_...`, and a text in
 * English. The text has at most 255 bytes of UTF-8 and is valid until the callback returns.
 *
 * The callback runs on the thread whose call caused the message, before that call returns, with no lock
 * held. Every call of this library is allowed in it, also on the same client, except destroying that client
 * (`NETCLOCK_BUSY`). If a call inside causes a message, the callback is called again, nested. It must
 * return: no longjmp, no ending of the thread. A C++ exception that leaves it ends the process. A Rust panic
 * that leaves it (of a function declared `extern "C-unwind"`) is dropped.
 */
typedef void (*netclock_log_callback)(void *user_data, int32_t level, const char *message);

/** Path of an exchange: the game's own messages. */
#define NETCLOCK_PATH_MESSAGES 0

/** Path of an exchange: a link. */
#define NETCLOCK_PATH_LINK 1

/** An exchange that a client was given, and its outcome. Times are in ticks of the clock concerned. */
typedef struct netclock_sample {
    /** Size of the structure as the library knows it. Do not read beyond it. */
    uint32_t struct_size;
    /**
     * `NETCLOCK_OK`: accepted. Otherwise why it was refused: from `NETCLOCK_UNKNOWN_REQUEST` to
     * `NETCLOCK_SEVERAL_SERVERS`, or `NETCLOCK_STAMP_OUT_OF_RANGE`.
     */
    netclock_status status;
    /** The reply's id. Zero if the caller matched replies to requests. */
    uint64_t id;
    /** The run of the server's clock; zero if the transport does not know it. */
    uint64_t epoch;
    /**
     * When the client sent the request; `NETCLOCK_UNKNOWN_TIME` if the status is `NETCLOCK_UNKNOWN_REQUEST`.
     */
    netclock_local_time client_sent;
    /** When the server received it. */
    netclock_server_time server_received;
    /** When the server sent the reply. */
    netclock_server_time server_sent;
    /** When the client received it. */
    netclock_local_time client_received;
    /** By which path it came: `NETCLOCK_PATH_MESSAGES` or `NETCLOCK_PATH_LINK`. */
    int32_t path;
    /**
     * The longest time that the request can have waited for its stamp (ticks); 1: it was stamped on arrival;
     * 0: unknown.
     */
    uint32_t server_wait;
    /** The same for the reply. */
    uint32_t client_wait;
    /** Zero. */
    uint32_t reserved;
} netclock_sample;

/**
 * Receives every exchange that the client is given, accepted or refused, by any call: `user_data` as it was
 * given, and the exchange, valid until the callback returns. The same is allowed in it as for
 * `netclock_log_callback`. It comes before the messages about the same exchange.
 */
typedef void (*netclock_tap_callback)(void *user_data, const struct netclock_sample *sample);

/**
 * Sets the callback for this client's messages of `max_level` and more important ones (smaller numbers).
 * Null sets none, as at first. `user_data` is passed to the callback and may be null. A client has one
 * callback: a new one replaces the old one from the next message on, even if the old one sets it. Calls on
 * other threads that have begun may still call the old one. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_set_log(struct netclock_client *client,
                                        int32_t max_level,
                                        netclock_log_callback callback,
                                        void *user_data);

/**
 * Sets the callback for the exchanges that this client is given, for recordings and statistics. Null sets
 * none, as at first. Otherwise as `netclock_client_set_log`, with the same errors.
 */
netclock_status netclock_client_set_tap(struct netclock_client *client,
                                        netclock_tap_callback callback,
                                        void *user_data);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_SAVED_H */
