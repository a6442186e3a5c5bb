/*
 * NetClock: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi. Do not edit: run `cargo xtask header`.
 *
 * ------------------------------------------------------------------------------------------------
 * Usage
 *
 * The application passes local times and received messages to the library, and sends the messages that the
 * library returns. The library opens no socket and starts no thread, except for the links in netclock_link.h.
 * Every frame, a client calls:
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
 *         ...                           use the time; any thread may read it
 *
 * For each request, which arrived at server time `received`, a server calls:
 *
 *     if (netclock_server_respond(server, &request, received, now, &reply) == NETCLOCK_OK)
 *         ...                           send the reply to that client
 *
 * A clock needs no other calls. docs/c-api.md contains complete programs. Each of the following
 * headers includes this one:
 *
 *     netclock_session.h    world time, UTC, starts and more over the game's connections
 *     netclock_link.h       a separate UDP transport that is not delayed by frames
 *     netclock_order.h      the order of events, lag compensation, beats
 *     netclock_handover.h   a new server that continues another server's timescale
 *     netclock_peer.h       a shared clock for peers behind a relay
 *     netclock_keys.h       the keys that protect sessions and links against forgery
 *     netclock_saved.h      state for later sessions, recording
 *
 * ------------------------------------------------------------------------------------------------
 * Contract
 *
 * Units      Times and durations are int64_t counts of 100 ns ticks. The type of an instant names its clock,
 *            for example netclock_local_time. Rates are in parts per million.
 *            offset = server time - local time. A positive offset means that the server is ahead.
 * Status     Functions return a netclock_status. Zero means success. A positive status is not an error. It
 *            reports an outcome other than success, such as NETCLOCK_NOTHING_DUE, and the outputs are
 *            unchanged unless the function's comment describes their values. A negative status is an error.
 *            Unless the function's comment states otherwise, a call that fails has no effect and writes no
 *            output. netclock_last_error() returns the details.
 * Errors     Each function's comment lists the errors that are specific to it. In addition, functions return
 *            NETCLOCK_NULL_ARGUMENT for a null pointer, unless the comment allows null,
 *            NETCLOCK_UNKNOWN_STRUCT for an invalid struct_size, NETCLOCK_WIRE_LENGTH if the buffer for an
 *            output is too small, NETCLOCK_POISONED if an earlier call on the handle panicked, and
 *            NETCLOCK_PANICKED. A _create function returns NETCLOCK_BAD_CONFIG if a setting is out of range
 *            or both halves of the seed are 0.
 * Ownership  Pass every handle from a _create function to the _destroy function of the same type, exactly
 *            once, when no other call uses the handle. A _destroy function ignores null. For a pointer that
 *            is not a live handle of its type, it returns NETCLOCK_UNKNOWN_HANDLE without reading the memory.
 *            It cannot detect that the memory now belongs to a different handle of its type. It returns
 *            NETCLOCK_BUSY if it detects that another thread, a callback or a link uses the handle. Any other
 *            use of a destroyed handle is undefined behaviour. After a call returns, the library no longer
 *            uses the caller's pointers, except for callbacks and their user data.
 * Threads    Any thread may call any function. Calls that modify the same handle wait for each other. Reading
 *            a client's clock is wait-free, that is, it takes a bounded number of steps.
 * Memory     Only _create functions allocate memory, and handles never grow. If an allocation fails, the
 *            function returns NETCLOCK_OUT_OF_MEMORY and creates nothing.
 * Stack      A call into a packaged library needs at most 8 KiB of stack, plus the stack of callbacks. A
 *            fibre needs 16 KiB if the dynamic loader may resolve symbols on its stack. In your own release
 *            builds, a call needs at most 10 KiB.
 * Processes  After fork(), the child may read inherited clients, answer requests with inherited servers, and
 *            destroy any inherited handle. A handle that another thread of the parent was using is leaked.
 *            Every other call on an inherited handle returns NETCLOCK_FORKED, because a thread that does not
 *            exist in the child may hold the handle's lock, and because the child would draw the same random
 *            numbers as the parent. Create new handles with a new seed. A process created without running the
 *            pthread_atfork handlers (by vfork or a bare clone) must not call the library.
 * Structures If a structure begins with struct_size, set it to sizeof the structure before the call. In
 *            settings, zero in any other field selects the default. A program therefore works with a library
 *            that is newer or older than its header. netclock_abi_revision() returns the library's revision.
 * Time       Local time comes from a monotonic clock of your choice, never from the wall clock. Every instant
 *            passed to the library must be within +-(2^62 - 1) ticks (14,600 years). Otherwise, the function
 *            returns NETCLOCK_TIME_OUT_OF_RANGE for a local time and NETCLOCK_STAMP_OUT_OF_RANGE for any
 *            other instant.
 * Monotone   Readings of a client never go backwards within an epoch. If one read follows another and its
 *            `now` is not earlier, it does not return an earlier time. This holds across all threads, for any
 *            order of calls, after any hitch, and for replies with arbitrarily old timestamps. A reading for
 *            a future `now` is a forecast. Forecasts of up to 2 s beyond the latest time passed to the client
 *            remain valid, but a correction may revise forecasts beyond that. The first sync and every jump
 *            take effect at once, and an event reports them. Jumps are forwards within an epoch, or in either
 *            direction at the start of a new epoch.
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
 * Marks functions whose outputs are valid only if the status is NETCLOCK_OK or the comment states so.
 * Compilers warn if the status is ignored. To disable these warnings, define the macro as empty before you
 * include this header.
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
 * Status codes, the last error, and time.
 * =============================================================================================== */

/**
 * The result of a call. Zero means success, a positive code reports another outcome, and a negative code is
 * an error. See "Status" in the contract. Codes are never reused.
 */
typedef int32_t netclock_status;

/**
 * Returns an English description of a status. The string is static and never null. For a failed call,
 * `netclock_last_error` returns the details.
 */
const char *netclock_status_text(netclock_status status);

/**
 * Returns a description of the latest error on this thread, including the argument, its value and the
 * expected values. The text is English and meant for people. Programs should check the status instead.
 *
 * The result is never null. It is empty until the first error on this thread, and successful calls do not
 * change it. The string stays valid until the next error on this thread, so copy it if you need it for
 * longer. The string contains at most 255 bytes of UTF-8, and longer texts are truncated. Callbacks may call
 * this function.
 */
const char *netclock_last_error(void);

/** Ticks per second. A tick is 100 ns. */
#define NETCLOCK_TICKS_PER_SECOND INT64_C(10000000)

/** An instant on a client's monotonic clock, in ticks. */
typedef int64_t netclock_local_time;

/** An instant on the server's clock, in ticks. */
typedef int64_t netclock_server_time;

/**
 * Returns the current time of a monotonic clock in ticks. Use it as local time on clients and as server time
 * on servers. No time service slews this clock, and it keeps running while the machine is suspended. Its
 * rate is off only by the crystal's error, which `client_drift_ppm` and `server_drift_ppm` cover. The usual
 * system clocks do not guarantee this, because chrony, ntpd and timesyncd slew them by 500 ppm or more.
 *
 * On Linux and Android, this clock is `CLOCK_MONOTONIC_RAW` plus the suspended time (`CLOCK_BOOTTIME` minus
 * `CLOCK_MONOTONIC`). On macOS and iOS, it is `CLOCK_MONOTONIC_RAW`, which equals `mach_continuous_time`. On
 * Windows, it is the performance counter, which also runs during sleep. On all of these systems, the times
 * of different processes on one machine are comparable, unless a container or a time namespace has its own
 * clocks. Other Unix systems use `CLOCK_MONOTONIC`, which may be slewed and may stop while the machine is
 * suspended.
 *
 * The call cannot fail on the systems above. On systems not listed above, it returns 0.
 */
netclock_local_time netclock_monotonic_now(void);

/* ===============================================================================================
 * Messages
 *
 * A client sends a request, and the server answers with a reply. Send them as structures over the game's
 * connection, or as datagrams of 32 bytes.
 * =============================================================================================== */

/** A client's request. Send its fields in any format or as a datagram. Set `struct_size` before the call. */
typedef struct netclock_request {
    /** `sizeof(netclock_request)` in the caller's program. */
    uint32_t struct_size;
    /**
     * 1 if the request should be sent reliably where the transport supports that, else 0. At most three
     * requests per session need this, all before the client is synced.
     */
    int32_t reliable;
    /** Identifies the request. The server copies the id to the reply. */
    uint64_t id;
    /**
     * When the client sent the request, in ticks of the client's clock. Each client draws a random origin
     * for these times, so that they do not reveal the uptime of its machine.
     */
    netclock_local_time client_time;
} netclock_request;

/** A server's reply. Set `struct_size` before the call. */
typedef struct netclock_reply {
    /** `sizeof(netclock_reply)` in the caller's program. */
    uint32_t struct_size;
    /**
     * The longest time that the request may have waited before it was timestamped. This is `received` minus
     * the time of the server's previous poll (ticks, at most 429 s). 1 means that the request was
     * timestamped on arrival, and 0 means that the wait is unknown. `netclock_server_respond` writes 0.
     */
    uint32_t wait;
    /** The id of the request. */
    uint64_t id;
    /** The server epoch, which identifies the run of the server's clock to which the timestamps belong. */
    uint64_t epoch;
    /** When the server received the request, in ticks of the server's clock. */
    netclock_server_time received;
    /** When the server sent the reply, in ticks of the server's clock. */
    netclock_server_time sent;
} netclock_reply;

/** The size of a request or a reply as a datagram, in bytes. */
#define NETCLOCK_DATAGRAM_SIZE 32

/**
 * Encodes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
 * bytes. The datagram does not contain the field `reliable`. Errors: `NETCLOCK_WIRE_STAMP`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_encode_request(const struct netclock_request *request,
                                        void *datagram,
                                        size_t capacity);

/**
 * Decodes a request from a datagram of `length` bytes. Ignore the datagram if this fails. Errors:
 * `NETCLOCK_WIRE_...` if the datagram is not a valid request.
 */
NETCLOCK_NODISCARD
netclock_status netclock_decode_request(const void *datagram,
                                        size_t length,
                                        struct netclock_request *request);

/**
 * Encodes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
 * bytes. Errors: `NETCLOCK_WIRE_STAMP`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_encode_reply(const struct netclock_reply *reply, void *datagram, size_t capacity);

/**
 * Decodes a reply from a datagram of `length` bytes. Ignore the datagram if this fails. Errors:
 * `NETCLOCK_WIRE_...` if the datagram is not a valid reply.
 */
NETCLOCK_NODISCARD
netclock_status netclock_decode_reply(const void *datagram, size_t length, struct netclock_reply *reply);

/* ===============================================================================================
 * The server
 *
 * A server answers requests, and stores nothing about clients.
 * =============================================================================================== */

/** A server that answers requests and stores no client state. Any number of threads may share it. Opaque. */
typedef struct netclock_server netclock_server;

/**
 * Creates a server and stores it in `*server`. `epoch` identifies this run of the server's clock, so draw a
 * random number whenever the clock starts.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_create(uint64_t epoch, struct netclock_server **server);

/** Destroys a server. */
netclock_status netclock_server_destroy(struct netclock_server *server);

/**
 * Answers `*request` with a reply in `*reply`. The request arrived at server time `received`, and the reply
 * will be sent at `sent`. Read both times from the server's monotonic clock, as close to the network as
 * possible. A delay between the two is harmless. After an error, send nothing. Errors:
 * `NETCLOCK_SENT_BEFORE_RECEIVED`.
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
 * A client follows one server's clock. Call `netclock_client_tick` in every frame, pass every reply to
 * `netclock_client_handle_reply`, and read the time whenever you need it.
 * =============================================================================================== */

/**
 * A client that follows one server's clock. Opaque.
 *
 * Calls that modify a client wait for each other. Making such calls from two threads is therefore safe but
 * pointless. Calls that read a client are wait-free.
 */
typedef struct netclock_client netclock_client;

struct netclock_config;

/**
 * Creates a client and stores it in `*client`. Pass a null `config` for the defaults. The settings may
 * contain the saved states of earlier sessions. `seed_high` and `seed_low` make request ids unpredictable.
 * Draw all 128 bits from the operating system's random number generator.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_create(const struct netclock_config *config,
                                       uint64_t seed_high,
                                       uint64_t seed_low,
                                       struct netclock_client **client);

/**
 * Destroys a client, even if it is poisoned. Returns `NETCLOCK_BUSY` if one of the client's callbacks has
 * not returned, if another thread is modifying the client, or if a link uses it. Destroy links before their
 * client.
 */
netclock_status netclock_client_destroy(struct netclock_client *client);

/**
 * Performs the work that is due at local time `now` (ticks). Call this every frame. Returns `NETCLOCK_OK` if
 * a request is due. In this case, send `*request` at once. If no request is due, returns
 * `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_tick(struct netclock_client *client,
                                     netclock_local_time now,
                                     struct netclock_request *request);

/**
 * Handles a reply received at local time `arrived` (ticks). Take this timestamp as close to the network as
 * possible. Returns `NETCLOCK_OK` if the client accepts the reply, and otherwise an error. Errors:
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `arrived`, and the codes from `NETCLOCK_UNKNOWN_REQUEST` to
 * `NETCLOCK_SEVERAL_SERVERS`.
 */
netclock_status netclock_client_handle_reply(struct netclock_client *client,
                                             const struct netclock_reply *reply,
                                             netclock_local_time arrived);

/**
 * Reads the clock at local time `now` (ticks), and returns the server time in `*server_time`. The server
 * time never goes backwards within an epoch (see "Monotone" in the contract). Before the first reply,
 * returns `NETCLOCK_NOT_SYNCED` and writes 0. Wait-free.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_current_server_time(const struct netclock_client *client,
                                                    netclock_local_time now,
                                                    netclock_server_time *server_time);

/** State: no reply has been accepted. */
#define NETCLOCK_STATE_UNSYNCED 0

/** State: replies arrive and agree. */
#define NETCLOCK_STATE_SYNCED 1

/** State: no reply has arrived for `holdover_after`. The clock keeps running at the estimated rate. */
#define NETCLOCK_STATE_HOLDOVER 2

/** State: a clock may have stepped. The client is sending requests to find out. */
#define NETCLOCK_STATE_DOUBTFUL 3

/** The value of an unknown error bound or expected error. */
#define NETCLOCK_UNBOUNDED INT64_MAX

/** The value of an unknown time. */
#define NETCLOCK_UNKNOWN_TIME INT64_MIN

/** A client's clock at a single local time. All fields are consistent. Set `struct_size` before the call. */
typedef struct netclock_reading {
    /** `sizeof(netclock_reading)` in the caller's program. */
    uint32_t struct_size;
    /** One of `NETCLOCK_STATE_...`. */
    int32_t state;
    /** The shown server time in ticks, which is smooth and monotone. Zero until synced. */
    netclock_server_time server_time;
    /**
     * The hard error bound in ticks. The true server time is within `server_time` plus or minus this bound,
     * provided that the clocks' rate errors do not exceed `client_drift_ppm` and `server_drift_ppm` and
     * neither clock steps. If one clock's rate error exceeds its limit by up to 550 ppm, the bound holds
     * again from the first reply that contradicts the limits. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    int64_t error_bound;
    /**
     * The expected error (one standard deviation) in ticks. The expected error accounts for queues, route
     * changes, crystals and frames, but not for a constant asymmetry of the base delays, which no clock can
     * observe. Half of the asymmetry adds to the actual error, and only `error_bound` covers it. The
     * expected error never exceeds `error_bound`. `NETCLOCK_UNBOUNDED` if unknown.
     */
    int64_t expected_error;
    /** The smallest recent round-trip time in ticks. `NETCLOCK_UNBOUNDED` until synced. */
    int64_t round_trip;
    /**
     * The estimated skew in ppm, that is, the rate of the server's clock relative to the local clock.
     * Positive if the server's clock runs faster.
     */
    double frequency_ppm;
    /** The server epoch of this reading. A server draws a new epoch whenever its clock restarts. */
    uint64_t server_epoch;
    /**
     * The number of the epoch. The shown time never goes backwards within an epoch. Any reported jump may
     * start a new epoch, and a backward jump always does.
     */
    uint32_t epoch;
    /** Reserved, always zero. */
    int32_t reserved;
} netclock_reading;

/**
 * Reads the clock at local time `now` (ticks), and returns its complete state in `*reading`. The server time
 * never goes backwards within an epoch (see "Monotone" in the contract). Before the first reply, returns
 * `NETCLOCK_NOT_SYNCED` and writes an unsynced reading with a server time of 0. Wait-free.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_read(const struct netclock_client *client,
                                     netclock_local_time now,
                                     struct netclock_reading *reading);

/**
 * Converts `server_time` (ticks) to the local time at which the shown clock reads it, and returns this time
 * in `*local_time`. The conversion uses the current estimate. Before the first reply, returns
 * `NETCLOCK_NOT_SYNCED` and writes 0. Wait-free.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_local_time_at(const struct netclock_client *client,
                                              netclock_server_time server_time,
                                              netclock_local_time *local_time);

/** The size of a saved state, in bytes. */
#define NETCLOCK_SAVED_SIZE 60

/**
 * Client settings. Set `struct_size` to `sizeof(netclock_config)`. A zero field selects its default.
 * Durations are in ticks of 100 ns.
 */
typedef struct netclock_config {
    /** `sizeof(netclock_config)` in the caller's program. */
    uint32_t struct_size;
    /**
     * The number of requests in a burst. The client sends a burst at the start of a session and after a
     * discontinuity. (count, 2 to 64, default 10)
     */
    uint32_t burst_count;
    /**
     * The largest rate error of the client's clock that the error bound covers. Crystals and
     * `netclock_monotonic_now` are off by less than 50 ppm. For other clocks, add the largest slew of the
     * time service: 500 ppm for ntpd and `adjtime`, and `maxslewrate` for chrony (83333 ppm by default).
     * (ppm, 0.5 to 100000, default 50)
     */
    double client_drift_ppm;
    /**
     * The largest rate error of the server's clock that the bound covers. (ppm, 0.5 to 100000, default 50)
     */
    double server_drift_ppm;
    /**
     * The largest slew rate, that is, how much faster or slower the shown clock may run during a correction.
     * The skew between the clocks counts towards this limit, so choose a value larger than the skew. Audio
     * and broadcast applications tolerate 100 to 500 ppm. With such a low limit, call
     * `netclock_client_make_step` after joining, because slewing 10 ms at 100 ppm takes 100 s. (fraction of
     * real time, 0.0001 to 0.5, default 0.05)
     */
    double max_slew;
    /**
     * If a forward correction is larger than this, the client steps the clock and reports an event. In the
     * first second, the client also steps the clock for corrections above 50 ms in either direction that
     * would take longer than a second to slew. (ticks, 1 ms to 1 h, default 250 ms)
     */
    int64_t step_threshold;
    /** The client rejects replies with a longer round-trip time. (ticks, 10 ms to 60 s, default 5 s) */
    int64_t max_round_trip;
    /** The mean time between the requests of a burst. (ticks, 1 ms to 1 s, default 20 ms) */
    int64_t burst_interval;
    /**
     * The mean time between requests after the burst. The client resends a lost request after about a
     * second. The client shortens the interval, but never below `burst_interval`, if the configured drift
     * could otherwise use up half of `target_bound`. In any ten minutes, a dishonest server can at most
     * double the requests that an honest server receives in the first ten minutes. (ticks, 50 ms to 10 min,
     * default 4 s)
     */
    int64_t steady_interval;
    /** A longer time without calls is reported as a discontinuity. (ticks, 100 ms to 1 day, default 10 s) */
    int64_t local_gap;
    /**
     * The clock enters holdover after this time without an accepted reply. The client waits longer if packet
     * loss could explain the unanswered requests. On a good path, the client waits for three unanswered
     * requests in a row, so the time grows with `steady_interval`. (ticks, 1 s to 1 day, default 15 s)
     */
    int64_t holdover_after;
    /** A larger error bound causes an event and another burst. (ticks, 1 ms to 1 h, default 250 ms) */
    int64_t target_bound;
    /** The resolution of the client's timestamps. (ticks, 100 ns to 100 ms, default 100 ns) */
    int64_t client_resolution;
    /** The resolution of the server's timestamps. (ticks, 100 ns to 100 ms, default 100 ns) */
    int64_t server_resolution;
    /**
     * The longest frame of the client's loop, for callers that cannot measure how long replies wait before
     * they are timestamped (see `netclock_client_polled`). The client assumes that a reply with an unknown
     * wait may have waited this long. If this field is zero, the client detects the frame loop from the
     * rhythm of the timestamps. (ticks, 0 to 1 s, default 0)
     */
    int64_t client_frame;
    /** The longest frame of the server's loop, for replies without a `wait`. (ticks, 0 to 1 s, default 0) */
    int64_t server_frame;
    /**
     * How much faster than true time the client's clock runs, for example as returned by
     * `netclock_machine_hints`. Exchanges with the server correct a wrong value, and no error bound depends
     * on it. (ppm, at most `client_drift_ppm` in either direction, default 0)
     */
    double client_rate_ppm;
    /** The standard deviation of `client_rate_ppm`, or zero if unknown. (ppm, 0 to 1000, default 0) */
    double client_rate_doubt_ppm;
    /**
     * How much faster than true time the server's clock runs, if the server reports it. Validate values from
     * the network first. (ppm, at most `server_drift_ppm` in either direction, default 0)
     */
    double server_rate_ppm;
    /** The standard deviation of `server_rate_ppm`, or zero if unknown. (ppm, 0 to 1000, default 0) */
    double server_rate_doubt_ppm;
    /**
     * The target for the expected error after a burst. The client extends a burst by up to 30 requests while
     * the expected error exceeds the target, or if the rate is already known. Later requests are then less
     * frequent. With a burst of 10 requests and a steady interval of 4 s, the client sends at most 64
     * messages in the first half minute. A link sends additional requests. (ticks, 10 us to 1 s, default 1
     * ms)
     */
    int64_t target_error;
    /**
     * The current time on the same calendar as in `netclock_client_save`. Only saved states need it.
     * (seconds)
     */
    int64_t saved_seconds;
    /**
     * Identifies this machine's current boot, for example as returned by `netclock_machine_hints` (0 if
     * unknown). Some systems calibrate their clock at each boot, so a rate saved before a reboot has less
     * weight.
     */
    uint64_t boot;
    /**
     * This machine's state from `netclock_client_save`. With this state, the client knows the rate of its
     * clock from the start. If there is no saved state, set all bytes to zero. The client ignores a damaged
     * state and a state of the wrong kind. Exchanges with the server correct a wrong rate, and no error
     * bound depends on it.
     */
    uint8_t saved_machine[NETCLOCK_SAVED_SIZE];
    /**
     * The server's state from `netclock_client_save`. The same rules apply as for `saved_machine`. The
     * client uses this state's data about asymmetric routes only while the round-trip time is unchanged,
     * because exchanges cannot refute such data. Peers ignore both saved states.
     */
    uint8_t saved_server[NETCLOCK_SAVED_SIZE];
} netclock_config;

/** The first reply was accepted, and the server time is known. */
#define NETCLOCK_EVENT_SYNCED 1

/** The clock jumped, or may be wrong until the next reply. `cause` is one of `NETCLOCK_CAUSE_...`. */
#define NETCLOCK_EVENT_DISCONTINUITY 2

/** The clock keeps running at reduced quality. `cause` is one of `NETCLOCK_DEGRADED_...`. */
#define NETCLOCK_EVENT_DEGRADED 3

/** All degradations have ended. */
#define NETCLOCK_EVENT_RECOVERED 4

/** Another authority took over the timescale. The clock continues without a step in the same epoch. */
#define NETCLOCK_EVENT_HANDED_OVER 5

/** The server answers requests over the link, for the first time or again. */
#define NETCLOCK_EVENT_LINKED 6

/**
 * The client has received no reply over the link for two seconds. Possible causes are a firewall, a wrong
 * key, a missing server, or a network outage. The link retries automatically.
 */
#define NETCLOCK_EVENT_LINK_BLOCKED 7

/** The link cannot send because there is no network or the host name is unknown. The link keeps trying. */
#define NETCLOCK_EVENT_LINK_NOT_POSSIBLE 8

/** Discontinuity: the server's clock restarted with a new server epoch. */
#define NETCLOCK_CAUSE_SERVER_RESTART 1

/** Discontinuity: two exchanges proved that a clock stepped. */
#define NETCLOCK_CAUSE_PROVEN_STEP 2

/**
 * Discontinuity: the client was not called for longer than `local_gap`, or
 * `netclock_client_may_have_missed_time` was called.
 */
#define NETCLOCK_CAUSE_LOCAL_GAP 3

/** Discontinuity: the local clock went back by a second or more. */
#define NETCLOCK_CAUSE_LOCAL_STEP 4

/**
 * Discontinuity: a forward correction exceeded `step_threshold`, or a correction in the first second
 * exceeded 50 ms in either direction and would have taken longer than a second to slew.
 */
#define NETCLOCK_CAUSE_CORRECTION 5

/** Discontinuity: the application called `netclock_client_make_step`. */
#define NETCLOCK_CAUSE_REQUESTED 6

/** Degraded: there was no reply for `holdover_after`. */
#define NETCLOCK_DEGRADED_NO_REPLIES 1

/** Degraded: the error bound exceeds `target_bound`. */
#define NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET 2

/** Degraded: a reply contradicts the clock. A second reply will show which of them is right. */
#define NETCLOCK_DEGRADED_CONTRADICTION 3

/**
 * Degraded: several servers with different clocks answer at one address, for example behind a load balancer.
 * The client follows one of these servers. Give each server its own address, or configure the balancer to
 * route each client to the same server.
 */
#define NETCLOCK_DEGRADED_SEVERAL_SERVERS 4

/**
 * Degraded: the exchanges prove that a clock is slewed by more than `client_drift_ppm` and
 * `server_drift_ppm` allow. From the reply that proves this, the error bound allows for another 550, 5,500
 * or 100,000 ppm, whichever is the smallest limit that explains all replies. During a slew of up to 100,000
 * ppm, readings can therefore be outside their bound only until the replies contradict the highest limit
 * below the slew rate. No client could detect the slew earlier. The degradation ends with
 * `NETCLOCK_EVENT_RECOVERED` after 20 minutes without a slew. A fast slew may look like a step. In this
 * case, the bound covers the slew without an event, for at least 20 s and until replies show that the slew
 * has ended. To avoid this degradation, use `netclock_monotonic_now`, or configure the drift that the client
 * must cover.
 */
#define NETCLOCK_DEGRADED_SLEWED 5

/** A clock event. Set `struct_size` before the call. */
typedef struct netclock_event {
    /** `sizeof(netclock_event)` in the caller's program. */
    uint32_t struct_size;
    /** One of `NETCLOCK_EVENT_...`. */
    int32_t kind;
    /** One of `NETCLOCK_CAUSE_...` or `NETCLOCK_DEGRADED_...`, or zero for other kinds of events. */
    int32_t cause;
    /** For a discontinuity, the epoch of the readings after the jump. Otherwise zero. */
    uint32_t epoch;
    /**
     * For a discontinuity, how far the shown time jumped in ticks (negative for a backward jump). Otherwise
     * zero.
     */
    int64_t jump;
} netclock_event;

/**
 * Removes the oldest event from the queue and returns it in `*event`. The queue holds the latest 16 events.
 * Returns `NETCLOCK_NO_EVENT` if the queue is empty.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_next_event(struct netclock_client *client, struct netclock_event *event);

/**
 * Creates a request in `*request` at local time `now` (ticks) regardless of the schedule. Use this if your
 * own timer schedules the requests, and send each request at once. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_make_request(struct netclock_client *client,
                                             netclock_local_time now,
                                             struct netclock_request *request);

/**
 * Starts a burst of requests immediately, as after a restart. Call this when you connect to a different
 * server, because the next request may otherwise be `steady_interval` away. Also call this after a known
 * route change, because the next reply then resets the reading's `round_trip`.
 */
netclock_status netclock_client_begin_burst(struct netclock_client *client);

/**
 * Reports that the local clock may have stopped for up to `most` (ticks, at least 0, or `NETCLOCK_UNBOUNDED`
 * if unknown) before local time `now`. If your local clock stops while the machine sleeps, call this when
 * the machine or the application resumes. CLOCK_MONOTONIC, `mach_absolute_time` and audio sample counters
 * stop, but `netclock_monotonic_now` does not. Until the next reply, the client's state is
 * `NETCLOCK_STATE_DOUBTFUL` and its error bound is `NETCLOCK_UNBOUNDED`. The client starts a burst of
 * requests to get a reply soon, and reports `NETCLOCK_EVENT_DISCONTINUITY` with `NETCLOCK_CAUSE_LOCAL_GAP`.
 * The shown time does not go backwards, and the client adds the missed time when the reply arrives. Errors:
 * `NETCLOCK_OUT_OF_RANGE` if `most` is negative, `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
netclock_status netclock_client_may_have_missed_time(struct netclock_client *client,
                                                     netclock_local_time now,
                                                     int64_t most);

/**
 * Steps the shown clock to the best estimate of the server time at local time `now` (ticks), instead of
 * slewing it. Call this when a jump is harmless, for example at the end of a loading screen. Corrections
 * smaller than `least` (ticks) are still slewed. If `least` is zero or negative, every correction becomes a
 * step. Returns the size of the step in `*step`, in ticks. The size is negative for a backward step, and
 * zero if there was no step.
 *
 * An event with `NETCLOCK_CAUSE_REQUESTED` reports the step. A forward step does not end the epoch. A
 * backward step starts a new epoch. So does a forward step that looks like a backward step to a reader that
 * has read ahead. The client does not step the clock before the first reply, or while it waits for more
 * replies from a restarted server. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_make_step(struct netclock_client *client,
                                          netclock_local_time now,
                                          int64_t least,
                                          int64_t *step);

/**
 * Reports that you polled your transport at local time `at` (ticks) and have handled every message that had
 * arrived by then. The client assumes that replies you pass to `netclock_client_handle_reply` afterwards
 * arrived after `at`, and may have waited before they were timestamped. After each poll, call this with the
 * time of the poll. Before you pass a reply that was timestamped on arrival, call this with that timestamp.
 * You need this call only if replies are not handled in the loop that calls `netclock_client_tick`.
 */
netclock_status netclock_client_polled(struct netclock_client *client, netclock_local_time at);

/**
 * Handles the four timestamps of an exchange, for transports that match replies to requests. The timestamps
 * are the times at which the client sent the request, the server received it, the server sent the reply, and
 * the client received it (ticks, each on its own machine's clock). `server_wait` and `client_wait` are the
 * longest times that the request and the reply may have waited before they were timestamped, as in
 * `netclock_reply` (ticks, 1 if timestamped on arrival, 0 if unknown). `server_epoch` identifies the run of
 * the server's clock, or is 0 if the transport does not provide it. If you know only the reply's server time
 * and the round-trip time, pass the server time as both server timestamps, and the arrival time minus the
 * round-trip time as `client_sent`. Errors: same as `netclock_client_handle_reply`.
 */
netclock_status netclock_client_handle_exchange(struct netclock_client *client,
                                                netclock_local_time client_sent,
                                                netclock_server_time server_received,
                                                netclock_server_time server_sent,
                                                netclock_local_time client_received,
                                                uint32_t server_wait,
                                                uint32_t client_wait,
                                                uint64_t server_epoch);

/* ===============================================================================================
 * Versions
 *
 * Programs that load the library at run time compare its versions with those in their header.
 * =============================================================================================== */

/** The version of the binary interface. Do not use a library whose version differs from the header's. */
#define NETCLOCK_ABI_VERSION 1

/**
 * The revision of the interface in this header. Functions added in later revisions state "since revision N".
 */
#define NETCLOCK_ABI_REVISION 1

/**
 * Returns the loaded library's `NETCLOCK_ABI_VERSION`. Compare it with the header's before any other call.
 */
uint32_t netclock_abi_version(void);

/**
 * Returns the `NETCLOCK_ABI_REVISION` of the loaded library. If it is lower than the revision in the header,
 * the library is older than the header and lacks the functions of later revisions.
 */
uint32_t netclock_abi_revision(void);

/* ===============================================================================================
 * Codes
 *
 * 0 to 99, positive and negative: basics.
 * 100 to 119, positive and negative: messages.
 * 200 to 299, positive and negative: the clock.
 * =============================================================================================== */

/** The call succeeded. */
#define NETCLOCK_OK 0

/** There is nothing to send now. */
#define NETCLOCK_NOTHING_DUE 1

/** A required pointer is null. */
#define NETCLOCK_NULL_ARGUMENT (-1)

/** The `struct_size` of a structure is invalid, or a field that this library does not support is set. */
#define NETCLOCK_UNKNOWN_STRUCT (-2)

/** A setting is out of range. */
#define NETCLOCK_BAD_CONFIG (-3)

/** A numeric argument other than a time is out of range. */
#define NETCLOCK_OUT_OF_RANGE (-4)

/** A local time is outside +-2^62 ticks. */
#define NETCLOCK_TIME_OUT_OF_RANGE (-5)

/** A timestamp is outside +-2^62 ticks or out of order, or an error bound is negative. */
#define NETCLOCK_STAMP_OUT_OF_RANGE (-6)

/**
 * A time is earlier than in a previous call. A client accepts local times that step back by a second or
 * more.
 */
#define NETCLOCK_TIME_WENT_BACKWARDS (-7)

/** The pointer to destroy is not a live handle of this type. The handle may have been destroyed before. */
#define NETCLOCK_UNKNOWN_HANDLE (-8)

/** The handle to destroy is in use by a callback that has not returned, by another thread, or by a link. */
#define NETCLOCK_BUSY (-9)

/** An earlier call on this handle panicked. Destroy the handle. */
#define NETCLOCK_POISONED (-10)

/** The call panicked because of a bug in NetClock. The handle rejects all further calls. */
#define NETCLOCK_PANICKED (-11)

/** The capacity is exhausted. */
#define NETCLOCK_FULL (-12)

/** The participant was already admitted, or the message was already handled. */
#define NETCLOCK_DUPLICATE (-13)

/** No participant with this number was admitted. */
#define NETCLOCK_UNKNOWN_PARTICIPANT (-16)

/** There is not enough memory, so nothing was created. */
#define NETCLOCK_OUT_OF_MEMORY (-17)

/** The handle belongs to the parent of this forked process. Create a new handle. */
#define NETCLOCK_FORKED (-18)

/**
 * No outstanding request has this id. The message is forged, duplicated or expired, or the local clock may
 * have stopped during a gap between calls since the request was sent.
 */
#define NETCLOCK_UNKNOWN_REQUEST (-101)

/** A message arrived before the message that it answers was sent. */
#define NETCLOCK_ARRIVED_BEFORE_SENT (-102)

/** The reply was sent before the request was received. */
#define NETCLOCK_SENT_BEFORE_RECEIVED (-103)

/** The server claims to have held the request for longer than the round trip took. */
#define NETCLOCK_HELD_TOO_LONG (-104)

/** The round trip exceeded `max_round_trip`. */
#define NETCLOCK_TOO_SLOW (-105)

/** The timestamps contradict the clock. The error bound is widened until a second exchange decides. */
#define NETCLOCK_CONTRADICTION (-106)

/**
 * The reply is not from the server that the client follows. Several servers with different clocks answer at
 * one address, for example behind a load balancer. The client follows one until it stops replying.
 */
#define NETCLOCK_SEVERAL_SERVERS (-107)

/** The length of the datagram is wrong, or the buffer is too small. */
#define NETCLOCK_WIRE_LENGTH (-111)

/** The bytes are not a NetClock datagram. */
#define NETCLOCK_WIRE_MAGIC (-112)

/** The sender uses an older version of the format. Update the sender. */
#define NETCLOCK_WIRE_OLDER (-113)

/** The datagram is not of the expected kind, or is of an unknown kind. */
#define NETCLOCK_WIRE_KIND (-114)

/** A reserved field of the datagram is not zero. */
#define NETCLOCK_WIRE_RESERVED (-115)

/** A timestamp cannot be encoded or is invalid, or the datagram contains an invalid segment. */
#define NETCLOCK_WIRE_STAMP (-116)

/** The sender uses a newer version of the format. Update this side. */
#define NETCLOCK_WIRE_NEWER (-117)

/** The server time is unknown because no reply has been accepted. The output is zero. */
#define NETCLOCK_NOT_SYNCED 201

/** The event queue is empty. */
#define NETCLOCK_NO_EVENT 202

/** The message is for a different timescale than the one the client follows. */
#define NETCLOCK_OTHER_TIMESCALE (-201)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_H */
