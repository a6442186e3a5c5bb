/*
 * NetClock: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi. Do not edit: run `cargo xtask header`.
 *
 * ------------------------------------------------------------------------------------------------
 * How to use it
 *
 * You pass in the local time and what arrived, and you send what the library gives you. It opens no
 * socket and starts no thread, except in netclock_link.h.
 * On the client, every frame:
 *
 *     netclock_local_time now = netclock_monotonic_now();
 *     netclock_server_time server_time;
 *     netclock_request request = {.struct_size = sizeof request};
 *     netclock_reply reply = {.struct_size = sizeof reply};
 *
 *     if (netclock_client_tick(client, now, &request) == NETCLOCK_OK)
 *         ...                           send the request to the server
 *     while (...)                       a reply arrived at local time `arrived`
 *         netclock_client_handle_reply(client, &reply, arrived);
 *     if (netclock_client_current_server_time(client, now, &server_time) == NETCLOCK_OK)
 *         ...                           use it; any other thread may ask, too
 *
 * On the server, when a request arrives at server time `received`:
 *
 *     if (netclock_server_respond(server, &request, received, now, &reply) == NETCLOCK_OK)
 *         ...                           send the reply to that client
 *
 * That is a whole clock; docs/c-api.md has whole programs. Other headers include this one:
 *
 *     netclock_session.h    world time, UTC, starts and more, in one conversation with each player
 *     netclock_link.h       datagrams of NetClock's own beside the game's messages
 *     netclock_order.h      which event came first, what a client saw, beats
 *     netclock_handover.h   a new server takes a timescale over
 *     netclock_peer.h       one clock for peers behind a relay
 *     netclock_keys.h       messages that others cannot forge
 *     netclock_saved.h      what the next session begins with, and what is logged and recorded
 *
 * ------------------------------------------------------------------------------------------------
 * The contract
 *
 * Units      All times and durations are ticks of 100 ns, in int64_t. The name of an instant's type says
 *            which clock reads it, as netclock_local_time does. Rates are parts per million.
 *            offset = server time - local time; positive: the server is ahead.
 * Errors     A call returns a status. 0 is success. A positive status is no error: the call worked, and the
 *            status says what came of it other than the usual result. Its outputs are unchanged, unless the
 *            call's comment says what they are then. A negative status is an error, and the call changed
 *            nothing, unless its comment says otherwise. netclock_last_error() says what exactly was wrong.
 *            Every call with a handle may return NETCLOCK_POISONED, and every call NETCLOCK_PANICKED.
 * Ownership  Give what a _create gave you back to the _destroy of the same kind, once. Destroying null does
 *            nothing. If a pointer is no live handle of that kind, _destroy refuses it with
 *            NETCLOCK_UNKNOWN_HANDLE and does not look at its memory. If it sees that the handle is in use,
 *            it refuses with NETCLOCK_BUSY. Use no handle while or after it is destroyed. The library uses
 *            your pointers until the call returns. It keeps only callbacks and their user data.
 * Threads    Every call may come from any thread. Calls that change one handle wait for each other. Calls
 *            that read a client's clock never wait: they take a bounded number of steps.
 * Memory     Only _create allocates. No handle grows later. If memory is missing, _create returns
 *            NETCLOCK_OUT_OF_MEMORY and nothing was created.
 * Stack      Every call of a packed library needs at most 8 KiB of stack, callbacks not included. So fibres
 *            need 16 KiB, if the dynamic loader is to look functions up on them. A release build of your own
 *            needs at most 10 KiB.
 * Processes  After fork() the child may read the clients it inherited and answer with the servers, and
 *            destroy any handle. Every other call on an inherited handle returns NETCLOCK_FORKED: its lock
 *            may be held by a thread that the child does not have, and its random numbers are the parent's.
 *            Create new handles with a new seed. A process made without the handlers of pthread_atfork
 *            (vfork, a bare clone) must call nothing.
 * Structures If a structure begins with struct_size, set that to sizeof before the call. In settings, zero in
 *            any other field means the default. In this way a program works with a library that is newer or
 *            older than its header. NETCLOCK_ABI_REVISION tells how old.
 * Time       Local time is a monotonic clock of your choice, never the wall clock. Every instant that a call
 *            takes is within +-(2^62 - 1) ticks, which is 14,600 years. Others are refused: a local time with
 *            NETCLOCK_TIME_OUT_OF_RANGE, any other with NETCLOCK_STAMP_OUT_OF_RANGE.
 * Monotone   Readings of one client never go backwards within an epoch: of two reads, one after the other,
 *            the one whose `now` is not earlier never gives an earlier time. This holds on all threads
 *            together, for every order of calls, for any hitch, and however old the stamps of replies are. A
 *            `now` in the future is a forecast. What was read up to 2 s ahead of the latest time that the
 *            client was told stays as it was read. A correction may take back what was read further ahead.
 *            The first sync shows at once. So does a jump, which an event declares: forwards within an epoch,
 *            or either way with another epoch in readings.
 *
 * ------------------------------------------------------------------------------------------------
 */

#ifndef NETCLOCK_H
#define NETCLOCK_H

#include <stddef.h>
#include <stdint.h>

/** Version of this header, as numbers and as text. */
#define NETCLOCK_VERSION_MAJOR 0
#define NETCLOCK_VERSION_MINOR 1
#define NETCLOCK_VERSION_PATCH 0
#define NETCLOCK_VERSION_STRING "0.1.0"

/**
 * Before each call that fills outputs: they hold something only if its status says so, and the compiler warns
 * if you do not look. Define it as nothing before you include this header to have no such warnings.
 */
#ifndef NETCLOCK_NODISCARD
#if defined(__cplusplus) && __cplusplus >= 201703L
#define NETCLOCK_NODISCARD [[nodiscard]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define NETCLOCK_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define NETCLOCK_NODISCARD __attribute__((__warn_unused_result__))
#else
#define NETCLOCK_NODISCARD
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Basics
 *
 * What every call has in common: statuses, the last error, versions, time.
 * =============================================================================================== */

/** Version of the binary interface. Do not call a library whose `netclock_abi_version()` is another. */
#define NETCLOCK_ABI_VERSION 1

/**
 * Revision of the binary interface that this header describes. It is one more whenever functions are added;
 * their comments say "since revision N".
 */
#define NETCLOCK_ABI_REVISION 1

/**
 * The loaded library's `NETCLOCK_ABI_VERSION`: compare it before any other call. Callable from any thread.
 */
uint32_t netclock_abi_version(void);

/**
 * Revision of the binary interface of the library that was loaded. If it is less than
 * `NETCLOCK_ABI_REVISION`, the library is older than this header: functions of a later revision are missing
 * from it. Callable from any thread.
 */
uint32_t netclock_abi_revision(void);

/**
 * Outcome of a call. `NETCLOCK_OK` is success. A positive code says what came of the call other than its
 * usual result, and nothing is wrong; its outputs are unchanged unless its comment says otherwise. A
 * negative code is an error: the call changed nothing, unless its text says otherwise. Codes are never
 * reused.
 */
typedef int32_t netclock_status;

/**
 * What a status means, in English. `netclock_last_error` says more about a single call. The text is static
 * and never null. Callable from any thread.
 */
const char *netclock_status_text(netclock_status status);

/**
 * What exactly was wrong with the newest call on this thread that returned a negative status: which
 * argument, which value, what was expected. It is in English, for people. Programs look at the status.
 *
 * Never null, and empty if no call failed on this thread. A successful call leaves it unchanged. It is valid
 * until the next call that fails on this thread: copy it to keep it. It has at most 255 bytes of UTF-8; a
 * longer text is cut off. Callable from any thread, and in callbacks.
 */
const char *netclock_last_error(void);

/** Ticks in a second: all times and durations are in ticks of 100 ns. */
#define NETCLOCK_TICKS_PER_SECOND INT64_C(10000000)

/** An instant of a client's clock, in ticks: any monotonic clock, never the wall clock. */
typedef int64_t netclock_local_time;

/** An instant of the server's clock, in ticks. */
typedef int64_t netclock_server_time;

/**
 * Local time in ticks of 100 ns, by a clock that never goes back and that no time service slews. It counts
 * suspension. Pass it wherever a local time is asked for, and on the server as server time. Its rate differs
 * from true time by its crystal only, which `client_drift_ppm` and `server_drift_ppm` cover. The usual
 * clocks of a system do not promise that: chrony, ntpd and timesyncd slew them by 500 ppm and more.
 *
 * Linux and Android: `CLOCK_MONOTONIC_RAW` and the time spent in suspension, which is `CLOCK_BOOTTIME` less
 * `CLOCK_MONOTONIC`. macOS and iOS: `CLOCK_MONOTONIC_RAW`, which is `mach_continuous_time`. Windows: the
 * performance counter, which counts sleep. On these, two processes of one machine can compare their times,
 * unless a container or a namespace gives them clocks of their own. Other Unix systems: `CLOCK_MONOTONIC`,
 * which may be slewed and may stop in suspension.
 *
 * Callable from any thread. It never fails on these systems; elsewhere it would return 0.
 */
netclock_local_time netclock_monotonic_now(void);

/* ===============================================================================================
 * Messages
 *
 * A client asks with a request, and the server answers with a reply. Send them as you like: as
 * structures over a connection of your own, or as datagrams of 32 bytes.
 * =============================================================================================== */

/** What the client asks. Send its fields by any means or as a datagram. Set `struct_size` before the call. */
typedef struct netclock_request {
    /** `sizeof(netclock_request)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * 1 if a transport that can should send it reliably (three requests at most, until the clock is synced),
     * else 0.
     */
    int32_t reliable;
    /** The server copies it into the reply. */
    uint64_t id;
    /**
     * When the client sent it, in ticks of the client's clock, from an origin that each client draws. So it
     * does not tell how long the client's machine has been up.
     */
    netclock_local_time client_time;
} netclock_request;

/** What the server answers. Set `struct_size` before the call. */
typedef struct netclock_reply {
    /** `sizeof(netclock_reply)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * The longest time that the request can have waited for its stamp: `received` minus the time at which
     * the server last looked for messages before (ticks, at most 429 s). 1: it was stamped on arrival. 0:
     * unknown, as `netclock_server_respond` writes it.
     */
    uint32_t wait;
    /** The request's id. */
    uint64_t id;
    /** The server epoch: it names the run of the server's clock that the stamps belong to. */
    uint64_t epoch;
    /** When the server received the request, in ticks of the server's clock. */
    netclock_server_time received;
    /** When the server sent this reply, in ticks of the server's clock. */
    netclock_server_time sent;
} netclock_reply;

/** Length of a request and of a reply as a datagram, in bytes. */
#define NETCLOCK_DATAGRAM_SIZE 32

/**
 * Writes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes into a buffer of `capacity` bytes.
 * `reliable` is not sent. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_WIRE_STAMP`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_encode_request(const struct netclock_request *request,
                                        void *datagram,
                                        size_t capacity);

/**
 * Reads a request from a datagram of `length` bytes. Errors: one of `NETCLOCK_WIRE_...` for a datagram to be
 * ignored, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_decode_request(const void *datagram,
                                        size_t length,
                                        struct netclock_request *request);

/**
 * Writes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes into a buffer of `capacity` bytes. Errors
 * as `netclock_encode_request`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_encode_reply(const struct netclock_reply *reply, void *datagram, size_t capacity);

/** Reads a reply from a datagram of `length` bytes. Errors as `netclock_decode_request`. */
NETCLOCK_NODISCARD
netclock_status netclock_decode_reply(const void *datagram, size_t length, struct netclock_reply *reply);

/* ===============================================================================================
 * The server
 *
 * A server answers requests and remembers nobody.
 * =============================================================================================== */

/** A server: answers requests, keeps nothing about clients. Opaque. Any threads may use it at once. */
typedef struct netclock_server netclock_server;

/**
 * Creates a server and stores it in `*server`. Give it back to `netclock_server_destroy`. `epoch` names
 * this run of the server's clock: draw a random number whenever that clock starts. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_create(uint64_t epoch, struct netclock_server **server);

/** Destroys a server, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`. */
netclock_status netclock_server_destroy(struct netclock_server *server);

/**
 * Answers `*request`, which arrived at server time `received` and will leave at `sent`, into `*reply`. Both
 * are by the server's monotonic clock, stamped as close to the network as possible. The time between them
 * does no harm. On an error send nothing. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_SENT_BEFORE_RECEIVED`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_respond(const struct netclock_server *server,
                                        const struct netclock_request *request,
                                        netclock_server_time received,
                                        netclock_server_time sent,
                                        struct netclock_reply *reply);

/* ===============================================================================================
 * The clock
 *
 * A client follows one server's clock. Call tick every frame, hand it each reply, and read the time
 * whenever you need it.
 * =============================================================================================== */

/**
 * A client: follows one server's clock. Opaque.
 *
 * Calls that change it wait for each other, so calling from two threads is safe. It gains nothing, and the
 * log reports it. Calls that read it never wait. Using a client while or after it is destroyed is an error
 * that nobody can detect in general.
 */
typedef struct netclock_client netclock_client;

struct netclock_config;

/**
 * Creates a client and stores it in `*client`. Give it back to `netclock_client_destroy`.
 *
 * `config` may be null for all defaults. It may also have what earlier sessions saved. `seed_high` and
 * `seed_low` make request ids unguessable: draw 128 bits from the operating system. Both 0 is refused.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`,
 * `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_create(const struct netclock_config *config,
                                       uint64_t seed_high,
                                       uint64_t seed_low,
                                       struct netclock_client **client);

/**
 * Destroys a client. Null is allowed and does nothing. No other call may be using the client, and none may
 * follow. A poisoned client is destroyed like any other.
 *
 * Errors, which leave everything as it was: `NETCLOCK_UNKNOWN_HANDLE` if it is no live client. The library
 * finds this out without a look at the memory, so it cannot notice that the memory has become another
 * client. `NETCLOCK_BUSY` if a callback of this client has not returned, another thread is seen to change
 * it, or a link uses it: destroy that first. Not in a forked process: there it forgets a client that is in
 * use, because the threads that use it are the parent's.
 */
netclock_status netclock_client_destroy(struct netclock_client *client);

/**
 * Does what is due at local time `now` (ticks). Call it every frame. `NETCLOCK_OK`: send `*request` at once.
 * `NETCLOCK_NOTHING_DUE`: there is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_tick(struct netclock_client *client,
                                     netclock_local_time now,
                                     struct netclock_request *request);

/**
 * Learns from a reply that arrived at local time `arrived` (ticks). Stamp it as close to the network as
 * possible. `NETCLOCK_OK`: accepted. Errors from `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_SEVERAL_SERVERS`,
 * and `NETCLOCK_STAMP_OUT_OF_RANGE`, say why it was refused. Also `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_handle_reply(struct netclock_client *client,
                                             const struct netclock_reply *reply,
                                             netclock_local_time arrived);

/**
 * The server's time at local time `now`, in ticks, into `*server_time`. `NETCLOCK_NOT_SYNCED`: it is 0. It
 * never goes backwards within an epoch: see "Monotone" in the contract. Callable from any thread, wait-free.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_current_server_time(const struct netclock_client *client,
                                                    netclock_local_time now,
                                                    netclock_server_time *server_time);

/**
 * 1 if a reply was ever accepted, so that there is a server time; else 0. It is 0 for a null or poisoned
 * client, too, which is no error here. Callable from any thread, wait-free.
 */
int32_t netclock_client_is_time_synced(const struct netclock_client *client);

/** State: no reply was ever accepted. */
#define NETCLOCK_STATE_UNSYNCED 0

/** State: replies arrive and agree. */
#define NETCLOCK_STATE_SYNCED 1

/** State: no reply for `holdover_after`; running on the estimated rate. */
#define NETCLOCK_STATE_HOLDOVER 2

/** State: a clock may have stepped; asking again. */
#define NETCLOCK_STATE_DOUBTFUL 3

/** A bound or expected error that is not known. */
#define NETCLOCK_UNBOUNDED INT64_MAX

/** A local time that is not known. */
#define NETCLOCK_UNKNOWN_TIME INT64_MIN

/**
 * What the clock says at one local instant; all fields belong together. Set `struct_size` before the call.
 */
typedef struct netclock_reading {
    /** `sizeof(netclock_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_STATE_...`. */
    int32_t state;
    /** The server's time as shown, in ticks: smooth and monotone. Zero until synced. */
    netclock_server_time server_time;
    /**
     * Hard bound, in ticks: the true server time is within `server_time` plus or minus this. That holds if
     * the clocks' rates err by no more than `client_drift_ppm` and `server_drift_ppm` and neither clock
     * steps. If one rate errs by up to 550 ppm more, it holds from the first reply on that contradicts the
     * limits. `NETCLOCK_UNBOUNDED` if nothing can be promised.
     */
    int64_t error_bound;
    /**
     * Expected error, one standard deviation, in ticks: queues, routes that change, crystals and frames are
     * in it. A constant difference between the base delays of the two directions is not: no clock can see
     * it, it adds half of itself to the error, and only `error_bound` covers it. Never above `error_bound`.
     * `NETCLOCK_UNBOUNDED` if nothing is known.
     */
    int64_t expected_error;
    /** Smallest recent round trip, in ticks. `NETCLOCK_UNBOUNDED` until synced. */
    int64_t round_trip;
    /**
     * Estimated skew in parts per million: the rate of the server's clock against the local one. Positive:
     * the server's clock runs faster.
     */
    double frequency_ppm;
    /** The server epoch: it names the run of the server's clock that this reading is about. */
    uint64_t server_epoch;
    /** Counts stretches in which shown time never goes back. Every declared jump begins another epoch. */
    uint32_t epoch;
    /** Zero. */
    int32_t reserved;
} netclock_reading;

/**
 * Everything the clock says at local time `now`, into `*reading`. `NETCLOCK_NOT_SYNCED`: the reading says
 * so, with a server time of 0. The server's time never goes backwards within an epoch: see "Monotone" in the
 * contract. Callable from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_read(const struct netclock_client *client,
                                     netclock_local_time now,
                                     struct netclock_reading *reading);

/**
 * The local time at which the shown clock reads `server_time`, as far as is known now, into `*local_time`.
 * `NETCLOCK_NOT_SYNCED`: it is 0. Callable from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_local_time_at(const struct netclock_client *client,
                                              netclock_server_time server_time,
                                              netclock_local_time *local_time);

/** Length of a saved state, in bytes. */
#define NETCLOCK_SAVED_SIZE 60

/**
 * Settings of a client. Set `struct_size` to `sizeof(netclock_config)`, and everything else to zero for the
 * defaults. A field that is not zero replaces its default. Durations are in ticks of 100 ns.
 */
typedef struct netclock_config {
    /** `sizeof(netclock_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Requests in the burst that opens a session and follows a discontinuity. (count, 2 to 64, default 10)
     */
    uint32_t burst_count;
    /**
     * Largest error of the rate of the client's clock that the error bound must survive. Crystals err by
     * less than 50 ppm, and so does `netclock_monotonic_now`. For another clock add what a time service may
     * slew it by: 500 ppm for ntpd and `adjtime`, `maxslewrate` for chrony (83333 ppm unless it is set).
     * (ppm, 0.5 to 100000, default 50)
     */
    double client_drift_ppm;
    /** The same for the server's clock. (ppm, 0.5 to 100000, default 50) */
    double server_drift_ppm;
    /**
     * Largest rate at which the shown clock slews: how much it runs fast or slow during a correction. The
     * rate between the two clocks counts, so stay above what your crystals differ by. Broadcast and audio
     * allow 100 to 500 ppm; then call `netclock_client_make_step` after a join, since 10 ms take 100 s at
     * 100 ppm. (fraction of real time, 0.0001 to 0.5, default 0.05)
     */
    double max_slew;
    /**
     * A larger correction forwards steps once, and is declared. In the first second, so does one above
     * 50 ms in either direction that would be slewed for longer than a second. (ticks, 1 ms to 1 h, default
     * 250 ms)
     */
    int64_t step_threshold;
    /** Replies that took longer are refused. (ticks, 10 ms to 60 s, default 5 s) */
    int64_t max_round_trip;
    /** Mean time between the requests of a burst. (ticks, 1 ms to 1 s, default 20 ms) */
    int64_t burst_interval;
    /**
     * Mean time between requests once settled. Lost requests are repeated after about a second.
     * `target_bound` wins over a longer interval, if the stated drift could use up half of it meanwhile.
     * `burst_interval` wins over a shorter one. Whatever a server answers, ten minutes cost at most twice
     * what the first ten cost with an honest server. (ticks, 50 ms to 10 min, default 4 s)
     */
    int64_t steady_interval;
    /**
     * A longer pause between two calls is a declared discontinuity. (ticks, 100 ms to 1 day, default 10 s)
     */
    int64_t local_gap;
    /**
     * Time without an accepted reply until the clock declares holdover. The client waits longer until more
     * requests in a row are unanswered than the path is known to lose: three on a good one. So it follows a
     * longer `steady_interval`. (ticks, 1 s to 1 day, default 15 s)
     */
    int64_t holdover_after;
    /** A larger error bound is declared and answered by a new burst. (ticks, 1 ms to 1 h, default 250 ms) */
    int64_t target_bound;
    /** Step of the client's clock as it is read for stamps. (ticks, 1 to 100 ms, default 1) */
    int64_t client_resolution;
    /** Step of the server's clock as it is read for stamps. (ticks, 1 to 100 ms, default 1) */
    int64_t server_resolution;
    /**
     * The longest frame of the client's loop, if the caller cannot measure how long replies wait for their
     * stamps: see `netclock_client_polled`. It counts for replies of which the wait is unknown, as the
     * longest wait, not as an exact one. Zero: nothing is known, and the client looks for loops in the
     * rhythm of the stamps. (ticks, 0 to 1 s, default 0)
     */
    int64_t client_frame;
    /** The same for the server's loop, if replies have no `wait`. (ticks, 0 to 1 s, default 0) */
    int64_t server_frame;
    /**
     * How much faster than true time the client's clock is said to run, for example by `netclock_rate_hint`.
     * If it is wrong, the exchanges overrule it; no bound depends on it. (ppm, at most `client_drift_ppm`
     * either way, default 0)
     */
    double client_rate_ppm;
    /** Standard deviation of `client_rate_ppm`. Zero: nothing is known. (ppm, 0 to 1000, default 0) */
    double client_rate_doubt_ppm;
    /**
     * How much faster than true time the server's clock runs, if the server states it. Check what came over
     * the network before you pass it. (ppm, at most `server_drift_ppm` either way, default 0)
     */
    double server_rate_ppm;
    /** Standard deviation of `server_rate_ppm`. Zero: nothing is known. (ppm, 0 to 1000, default 0) */
    double server_rate_doubt_ppm;
    /**
     * A burst goes on, by up to 30 requests, until the expected error is at most this, and where the rate is
     * known. The later ones are rarer for it: half a minute costs 64 messages at most, with a burst of 10
     * and a steady interval of 4 s. A link asks more often. (ticks, 10 us to 1 s, default 1 ms)
     */
    int64_t target_error;
    /** The time now, by the calendar of `netclock_client_save`. Only saved states need it. (seconds) */
    int64_t saved_seconds;
    /**
     * The boot of this machine, for example by `netclock_boot_id`. Some systems measure how fast their clock
     * runs at each boot, so a rate that was saved in another boot counts less. (0: unknown)
     */
    uint64_t boot;
    /**
     * What `netclock_client_save` gave for this machine, so that the rate of the clock is known from the
     * start. All zero: none. A state that is damaged or of another kind is not used. Exchanges overrule a
     * rate that is wrong; no bound depends on it.
     */
    uint8_t saved_machine[NETCLOCK_SAVED_SIZE];
    /**
     * What it gave when it followed this server, in the same way. What it says of an unequal route counts
     * while the round trip is the same; exchanges cannot refute it. A peer uses neither state.
     */
    uint8_t saved_server[NETCLOCK_SAVED_SIZE];
} netclock_config;

/** The first reply was accepted: there is a server time to show. */
#define NETCLOCK_EVENT_SYNCED 1

/** The clock jumped, or may be wrong until the next reply; `cause` is one of `NETCLOCK_CAUSE_...`. */
#define NETCLOCK_EVENT_DISCONTINUITY 2

/** The clock continues, but is less good than it should be; `cause` is one of `NETCLOCK_DEGRADED_...`. */
#define NETCLOCK_EVENT_DEGRADED 3

/** What was degraded is good again. */
#define NETCLOCK_EVENT_RECOVERED 4

/** Another authority took the timescale over. The clock continues without a step and in the same epoch. */
#define NETCLOCK_EVENT_HANDED_OVER 5

/** Requests by the link are answered, for the first time or again. */
#define NETCLOCK_EVENT_LINKED 6

/**
 * No request by the link was answered for two seconds: a firewall, a wrong key, a server that is gone, or a
 * network that is down. The link tries again by itself.
 */
#define NETCLOCK_EVENT_LINK_BLOCKED 7

/**
 * There is no way to send the link's datagrams: no network, or the host's name is unknown. The link tries
 * again by itself.
 */
#define NETCLOCK_EVENT_LINK_NOT_POSSIBLE 8

/** Discontinuity: the server's clock was restarted (another server epoch). */
#define NETCLOCK_CAUSE_SERVER_RESTART 1

/** Discontinuity: two exchanges proved that a clock stepped. */
#define NETCLOCK_CAUSE_PROVEN_STEP 2

/** Discontinuity: no call for longer than `local_gap`, or `netclock_client_may_have_missed_time`. */
#define NETCLOCK_CAUSE_LOCAL_GAP 3

/** Discontinuity: the local clock went back by a second or more. */
#define NETCLOCK_CAUSE_LOCAL_STEP 4

/**
 * Discontinuity: a correction forwards above `step_threshold`, or in the first second one above 50 ms
 * in either direction that would be slewed for longer than a second.
 */
#define NETCLOCK_CAUSE_CORRECTION 5

/** Discontinuity: the application called `netclock_client_make_step`. */
#define NETCLOCK_CAUSE_REQUESTED 6

/** Degraded: no reply for `holdover_after`. */
#define NETCLOCK_DEGRADED_NO_REPLIES 1

/** Degraded: the error bound exceeds `target_bound`. */
#define NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET 2

/** Degraded: a reply contradicts the clock; a second one will decide. */
#define NETCLOCK_DEGRADED_CONTRADICTION 3

/**
 * Degraded: several servers with clocks of their own answer at one address, as behind a load balancer. The
 * clock stays with one of them; give each server an address, or have the balancer keep each client at one
 * server.
 */
#define NETCLOCK_DEGRADED_SEVERAL_SERVERS 4

/**
 * Degraded: the exchanges show that a clock is slewed by more than `client_drift_ppm` and `server_drift_ppm`
 * allow. The bound allows for these, or for 550, 5,500 or 100,000 ppm more: for the least that explains all
 * replies, from the reply on that shows it. So while a clock is slewed by up to 100,000 ppm, readings are
 * outside only until the replies contradict the highest of these limits below the slew. Nobody can know
 * sooner. What is declared holds until `NETCLOCK_EVENT_RECOVERED`: after 20 minutes without a slew. A step
 * may have been a fast slew: undeclared, the bound allows for one until replies show that none goes on, for
 * 20 s at least. Use `netclock_monotonic_now`, or tell the client what to allow for.
 */
#define NETCLOCK_DEGRADED_SLEWED 5

/** Something that happened to the clock. Set `struct_size` before the call. */
typedef struct netclock_event {
    /** `sizeof(netclock_event)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_EVENT_...`. */
    int32_t kind;
    /** One of `NETCLOCK_CAUSE_...` or `NETCLOCK_DEGRADED_...`; zero for other kinds. */
    int32_t cause;
    /** Discontinuity: the reading's epoch from now on. Otherwise zero. */
    uint32_t epoch;
    /** Discontinuity: shown time after minus shown time before, in ticks. Otherwise zero. */
    int64_t jump;
} netclock_event;

/**
 * Takes the oldest event not yet fetched; the 16 newest are kept. `NETCLOCK_NO_EVENT`: there is none.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_next_event(struct netclock_client *client, struct netclock_event *event);

/**
 * Makes a request to send at once, whatever the schedule says, into `*request`. It is for callers with a
 * timer of their own. `now` is the local time in ticks. Errors as `netclock_client_tick`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_make_request(struct netclock_client *client,
                                             netclock_local_time now,
                                             struct netclock_request *request);

/**
 * Begins a burst of requests at once, as after a restart. Call it when you turn to another server. Otherwise
 * the client would ask it only after `steady_interval`. The reading's `round_trip` begins anew with the next
 * reply, so call it as well after a change of the route that you know of. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_begin_burst(struct netclock_client *client);

/**
 * Tells the client that its local clock may have missed up to `most` (ticks, at least 0) before `now`;
 * `NETCLOCK_UNBOUNDED`: nobody knows how much. Call it when the machine or the application resumes, if the
 * local clock stops while the machine sleeps. `netclock_monotonic_now` does not, so it needs no call;
 * CLOCK_MONOTONIC, `mach_absolute_time` and counters of audio samples do. Until the next reply the state is
 * `NETCLOCK_STATE_DOUBTFUL` and the bound `NETCLOCK_UNBOUNDED`. A burst begins, so that the reply comes
 * soon. The event is `NETCLOCK_EVENT_DISCONTINUITY` with `NETCLOCK_CAUSE_LOCAL_GAP`. The shown time does not
 * go back: what was missed is added when the reply arrives. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative `most`,
 * `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_may_have_missed_time(struct netclock_client *client,
                                                     netclock_local_time now,
                                                     int64_t most);

/**
 * Steps the shown clock to the best estimate at local time `now` (ticks), in place of the slew that would go
 * on. Call it when a jump costs nothing, for example at the end of a loading screen. A correction smaller
 * than `least` (ticks) goes on being slewed; zero or a negative `least` steps any. Writes the shown time
 * after the step minus that before it to `*step`, in ticks; zero if nothing was stepped.
 *
 * The step is declared with `NETCLOCK_CAUSE_REQUESTED`. A step forwards stays in its epoch. A step backwards
 * begins a new epoch, and so does one that a reader could see as a step back, because it has read ahead.
 * Before the first reply, and while the client waits for more replies of a restarted server, nothing is
 * stepped. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_make_step(struct netclock_client *client,
                                          netclock_local_time now,
                                          int64_t least,
                                          int64_t *step);

/**
 * Notes that the caller polled its transport at local time `at` (ticks), and has handled all messages that
 * were there. So the replies that `netclock_client_handle_reply` gets afterwards arrived after `at`, and may
 * have waited for their stamps. Call it once a poll, with the time of the poll. Before a reply that was
 * stamped on arrival, pass its stamp. It is needed only if replies are handled elsewhere than in the loop
 * that calls `netclock_client_tick`. Errors: `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_polled(struct netclock_client *client, netclock_local_time at);

/**
 * Learns from the four stamps of an exchange, for callers whose transport matches replies to requests. The
 * stamps are: sent by the client, received and answered by the server, received by the client; each by its
 * own clock (ticks). `server_wait` and `client_wait` are the longest times that request and reply can have
 * waited for their stamps, as in `netclock_reply` (ticks; 1: stamped on arrival; 0: unknown). `server_epoch`
 * names the run of the server's clock, or is 0 if the transport does not know it. Errors as
 * `netclock_client_handle_reply`.
 */
netclock_status netclock_client_handle_exchange(struct netclock_client *client,
                                                netclock_local_time client_sent,
                                                netclock_server_time server_received,
                                                netclock_server_time server_sent,
                                                netclock_local_time client_received,
                                                uint32_t server_wait,
                                                uint32_t client_wait,
                                                uint64_t server_epoch);

/**
 * Learns from two stamps: at local time `current_time` a reply arrived that says `server_time`, after a
 * round trip of `round_trip`. `*accepted` becomes 1 or 0, and the status says why not. `accepted` may be
 * null. As in the other calls, the stamp is when the reply arrived, which may be before the `now` of calls
 * made since. Errors as `netclock_client_handle_reply`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_update_server_time(struct netclock_client *client,
                                                   netclock_server_time server_time,
                                                   netclock_local_time current_time,
                                                   int64_t round_trip,
                                                   int32_t *accepted);

/* ===============================================================================================
 * Codes
 *
 * 0 to 99, positive and negative: basics.
 * 100 to 119, positive and negative: messages.
 * 200 to 299, positive and negative: the clock.
 * =============================================================================================== */

/** Ok. The call did what it says. */
#define NETCLOCK_OK 0

/** Nothing is due to be sent. */
#define NETCLOCK_NOTHING_DUE 1

/** A pointer that must not be null is null. */
#define NETCLOCK_NULL_ARGUMENT (-1)

/**
 * `struct_size` is not that of a known version of the structure, or a field that this library does not know
 * is set.
 */
#define NETCLOCK_UNKNOWN_STRUCT (-2)

/** A setting is out of range. */
#define NETCLOCK_BAD_CONFIG (-3)

/** A numeric argument other than a time is out of range. */
#define NETCLOCK_OUT_OF_RANGE (-4)

/** A local time is outside +-2^62 ticks. */
#define NETCLOCK_TIME_OUT_OF_RANGE (-5)

/**
 * A stamp, or another instant that is not local time, is outside +-2^62 ticks or out of order, or a bound is
 * negative.
 */
#define NETCLOCK_STAMP_OUT_OF_RANGE (-6)

/** A time is earlier than that of an earlier call. A client accepts a step back of a second or more. */
#define NETCLOCK_TIME_WENT_BACKWARDS (-7)

/** The pointer to destroy is no live handle of that kind. It was destroyed before, or never was one. */
#define NETCLOCK_UNKNOWN_HANDLE (-8)

/**
 * The handle to destroy is in use. A callback of its own has not returned, or another thread is in a call.
 */
#define NETCLOCK_BUSY (-9)

/** An earlier call on this handle panicked: destroy it. */
#define NETCLOCK_POISONED (-10)

/** A bug in NetClock: the call panicked. The handle refuses all further calls. */
#define NETCLOCK_PANICKED (-11)

/** There is no room for another one. */
#define NETCLOCK_FULL (-12)

/** A participant was admitted before, or a message was handled before. */
#define NETCLOCK_DUPLICATE (-13)

/** No participant with this number was admitted. */
#define NETCLOCK_UNKNOWN_PARTICIPANT (-16)

/** There is not enough memory. Nothing was created. */
#define NETCLOCK_OUT_OF_MEMORY (-17)

/** The handle was created before this process was forked, and belongs to the parent. Create another one. */
#define NETCLOCK_FORKED (-18)

/**
 * No outstanding request has this id: it is forged, a duplicate, or expired. Or the local clock may have
 * missed time since the request, in a gap between calls.
 */
#define NETCLOCK_UNKNOWN_REQUEST (-101)

/** A message arrived before what it answers was sent. */
#define NETCLOCK_ARRIVED_BEFORE_SENT (-102)

/** The server sent the reply before it received the request. */
#define NETCLOCK_SENT_BEFORE_RECEIVED (-103)

/** The server claims to have held the request for longer than the round trip took. */
#define NETCLOCK_HELD_TOO_LONG (-104)

/** The round trip took longer than the configured maximum. */
#define NETCLOCK_TOO_SLOW (-105)

/** The stamps contradict the clock. This widens the error bound until a second exchange decides. */
#define NETCLOCK_CONTRADICTION (-106)

/**
 * Another server sent the reply than the one that is followed. Several servers with clocks of their own
 * answer at one address, as behind a load balancer; the clock stays with one of them as long as that one
 * replies.
 */
#define NETCLOCK_SEVERAL_SERVERS (-107)

/** A datagram is not as long as its kind, or its buffer is too small. */
#define NETCLOCK_WIRE_LENGTH (-111)

/** This is not a NetClock datagram. */
#define NETCLOCK_WIRE_MAGIC (-112)

/** The sender speaks an older version of the format than this library. Update the sender. */
#define NETCLOCK_WIRE_OLDER (-113)

/** A datagram of another kind than was expected, or of none. */
#define NETCLOCK_WIRE_KIND (-114)

/** A reserved field of a datagram is not zero. */
#define NETCLOCK_WIRE_RESERVED (-115)

/** A datagram cannot hold this stamp, or holds an invalid one. Or it holds no valid segment. */
#define NETCLOCK_WIRE_STAMP (-116)

/** The sender speaks a newer version of the format than this library. Update this side. */
#define NETCLOCK_WIRE_NEWER (-117)

/** There is no server time, because no reply was accepted yet. The output is zero. */
#define NETCLOCK_NOT_SYNCED 201

/** No event is waiting. */
#define NETCLOCK_NO_EVENT 202

/** Nothing certain is known about the time: the clock is not in sync, or in doubt. */
#define NETCLOCK_UNCERTAIN 203

/** The message is about another timescale than the one that is followed or adopted. */
#define NETCLOCK_OTHER_TIMESCALE (-201)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_H */
