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
 * socket and starts no thread, except for the chapter "The link", which sends datagrams of its own.
 * On the client, every frame:
 *
 *     int64_t now = netclock_monotonic_now(), server_time;
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
 *     if (netclock_server_respond(server, &request, received, netclock_monotonic_now(), &reply) == NETCLOCK_OK)
 *         ...                           send the reply to that client
 *
 * That is a whole clock. If you need no more, read the chapters "Basics" and "Messages" and the
 * first page of "The clock". docs/c-api.md has whole programs.
 *
 * ------------------------------------------------------------------------------------------------
 * The contract
 *
 * Units      All times and durations are ticks of 100 ns, in int64_t. Rates are parts per million.
 *            offset = server time - local time; positive: the server is ahead.
 * Errors     A call returns a status. 0 is success. A positive status is no error: the call worked,
 *            and the status says what came of it other than the usual result. Its outputs are
 *            unchanged, unless the call's comment says what they are then. A negative status is an
 *            error, and the call changed nothing, unless its comment says otherwise.
 *            netclock_last_error() says what exactly was wrong. Every call with a handle may return
 *            NETCLOCK_POISONED, and every call NETCLOCK_PANICKED.
 * Ownership  Give what a _create gave you back to the _destroy of the same kind, once. Destroying null
 *            does nothing. If a pointer is no live handle of that kind, _destroy refuses it with
 *            NETCLOCK_UNKNOWN_HANDLE and does not look at its memory. If it sees that the handle is in
 *            use, it refuses with NETCLOCK_BUSY. Use no handle while or after it is destroyed. The
 *            library uses your pointers until the call returns. It keeps only callbacks and their
 *            user data.
 * Threads    Every call may come from any thread. Calls that change one handle wait for each other.
 *            Calls that read a client's clock never wait: they take a bounded number of steps.
 * Memory     Only _create allocates. No handle grows later. If memory is missing, _create returns
 *            NETCLOCK_OUT_OF_MEMORY and nothing was created.
 * Stack      Every call of a packed library needs at most 8 KiB of stack, callbacks not included. So
 *            fibres need 16 KiB, if the dynamic loader is to look functions up on them. A release
 *            build of your own needs at most 10 KiB.
 * Processes  After fork() the child may read the clients it inherited and answer with the servers,
 *            and destroy any handle. Every other call on an inherited handle returns NETCLOCK_FORKED:
 *            its lock may be held by a thread that the child does not have, and its random numbers
 *            are the parent's. Create new handles with a new seed. A process made without the
 *            handlers of pthread_atfork (vfork, a bare clone) must call nothing.
 * Structures If a structure begins with struct_size, set that to sizeof before the call. In settings,
 *            zero in any other field means the default. In this way a program works with a library
 *            that is newer or older than its header. NETCLOCK_ABI_REVISION tells how old.
 * Time       Local time is a monotonic clock of your choice, never the wall clock.
 * Monotone   Readings of one client never go backwards within an epoch: of two reads, one after the other,
 *            the one whose `now` is not earlier never gives an earlier time. This holds on all threads
 *            together, for every order of calls, for any hitch, and however old the stamps of replies are.
 *            A `now` in the future is a forecast. What was read up to 2 s ahead of the latest time that
 *            the client was told stays as it was read. A correction may take back what was read further
 *            ahead. The first sync shows at once. So does a jump, which an event declares: forwards
 *            within an epoch, or either way with another epoch in readings.
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
 * Before each call that fills outputs: they hold something only if its status says so, and the compiler warns if you
 * do not look. Define it as nothing before you include this header to have no such warnings.
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
 * Statuses: 0 to 99, positive and negative.
 * =============================================================================================== */

/**
 * Version of the binary interface. Do not call a library through this header if its `netclock_abi_version()`
 * returns another number.
 */
#define NETCLOCK_ABI_VERSION 1

/**
 * Revision of the binary interface that this header describes. It is one more whenever functions are added; their
 * comments say "since revision N".
 */
#define NETCLOCK_ABI_REVISION 1

/**
 * Version of the library that was loaded, such as `"0.1.0"`, for logs and reports. `NETCLOCK_VERSION_STRING` is the
 * header's. The text lives as long as the library. Callable from any thread.
 */
const char *netclock_version_string(void);

/**
 * Version of the binary interface of the loaded library. Compare it with `NETCLOCK_ABI_VERSION` before any
 * other call. Callable from any thread.
 */
uint32_t netclock_abi_version(void);

/**
 * Revision of the binary interface of the library that was loaded. If it is less than `NETCLOCK_ABI_REVISION`, the
 * library is older than this header: functions of a later revision are missing from it. Callable from any thread.
 */
uint32_t netclock_abi_revision(void);

/**
 * Outcome of a call. `NETCLOCK_OK` is success. A positive code says what came of the call other than its usual
 * result, and nothing is wrong; its outputs are unchanged unless its comment says otherwise. A negative code is an error: the call changed nothing, unless its text says otherwise. Codes are
 * never reused.
 */
typedef int32_t netclock_status;

/** Ok. The call did what it says. */
#define NETCLOCK_OK 0

/** Nothing is due to be sent. */
#define NETCLOCK_NOTHING_DUE 1

/** A pointer that must not be null is null. */
#define NETCLOCK_NULL_ARGUMENT (-1)

/**
 * `struct_size` is not that of a known version of the structure, or a field that this library does not know is set.
 */
#define NETCLOCK_UNKNOWN_STRUCT (-2)

/** A setting is out of range. */
#define NETCLOCK_BAD_CONFIG (-3)

/** A number that is no instant is out of its range. */
#define NETCLOCK_OUT_OF_RANGE (-4)

/** A local time is outside +-2^62 ticks. */
#define NETCLOCK_TIME_OUT_OF_RANGE (-5)

/**
 * A stamp, or another instant that is not local time, is outside +-2^62 ticks or out of order, or a bound is
 * negative.
 */
#define NETCLOCK_STAMP_OUT_OF_RANGE (-6)

/**
 * A time is earlier than that of an earlier call. A client accepts a local time that is a second or more earlier: the
 * local clock stepped.
 */
#define NETCLOCK_TIME_WENT_BACKWARDS (-7)

/**
 * The pointer to destroy is no live handle of that kind. It was destroyed before, is of another kind, or is no
 * handle at all.
 */
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

/** A message is older than one that was handled, or is about something that has ended. */
#define NETCLOCK_STALE (-14)

/**
 * A message does not prove its sender: it has another key or token. It is forged, or of an earlier connection.
 */
#define NETCLOCK_WRONG_KEY (-15)

/** No participant with this number was admitted. */
#define NETCLOCK_UNKNOWN_PARTICIPANT (-16)

/** There is not enough memory. Nothing was created. */
#define NETCLOCK_OUT_OF_MEMORY (-17)

/** The handle was created before this process was forked, and belongs to the parent. Create another one. */
#define NETCLOCK_FORKED (-18)

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

/**
 * Local time in ticks of 100 ns, by a clock that never goes back and that no time service slews. It counts suspension. Pass
 * it wherever a local time is asked for, and on the server as server time. Its rate differs from true time by its
 * crystal only, which `client_drift_ppm` and `server_drift_ppm` cover. The usual clocks of a system do not promise that:
 * chrony, ntpd and timesyncd slew them by 500 ppm and more.
 *
 * Linux and Android: `CLOCK_MONOTONIC_RAW` and the time spent in suspension, which is `CLOCK_BOOTTIME` less
 * `CLOCK_MONOTONIC`. macOS and iOS: `CLOCK_MONOTONIC_RAW`, which is `mach_continuous_time`. Windows: the performance counter,
 * which counts sleep. On these, two processes of one machine can compare their times, unless a container or a namespace
 * gives them clocks of their own. Other Unix systems: `CLOCK_MONOTONIC`, which may be slewed and may stop in suspension.
 *
 * Callable from any thread. It never fails on these systems; elsewhere it would return 0.
 */
int64_t netclock_monotonic_now(void);

/**
 * What the system knows of the rate of `netclock_monotonic_now`: how much faster than true time it runs into `*ppm`, and the
 * standard deviation of that into `*doubt_ppm`. If a time service disciplines the system's clock, that is known to a few
 * ppm. If none does, or if the system does not say, both are 0. Store both in a configuration, as the rate of the client's
 * clock. A server can tell its clients its own, for their `server_rate_ppm`.
 *
 * Linux: `adjtimex`, which changes nothing. macOS and iOS: `ntp_adjtime`, likewise. Windows 10 and later:
 * `GetSystemTimeAdjustmentPrecise`. Elsewhere nothing is known. Null is allowed for either pointer. Callable from any
 * thread. It never fails.
 */
void netclock_rate_hint(double *ppm,
                        double *doubt_ppm);

/* ===============================================================================================
 * Messages
 *
 * A client asks with a request, and the server answers with a reply. Send them as you like: as
 * structures over a connection of your own, or as datagrams of 32 bytes.
 * Statuses: 100 to 199, positive and negative.
 * =============================================================================================== */

/**
 * What the client asks. Send its fields to the server by any means, or encode it as a datagram. Set
 * `struct_size` before the call.
 */
typedef struct netclock_request {
    /** `sizeof(netclock_request)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * 1 if a transport that can should send it reliably (three requests at most, until the clock is synced), else 0.
     */
    int32_t reliable;
    /** The server copies it into the reply. */
    uint64_t id;
    /**
     * When the client sent it, in ticks of the client's clock, from an origin that each client draws. So it does
     * not tell how long the client's machine has been up.
     */
    int64_t client_time;
} netclock_request;

/** What the server answers. Set `struct_size` before the call. */
typedef struct netclock_reply {
    /** `sizeof(netclock_reply)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** The request's id. */
    uint64_t id;
    /** The server epoch: it names the run of the server's clock that the stamps belong to. */
    uint64_t epoch;
    /** When the server received the request, in ticks of the server's clock. */
    int64_t received;
    /** When the server sent this reply, in ticks of the server's clock. */
    int64_t sent;
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
 * Reads a request from a datagram of `length` bytes. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, or one of `NETCLOCK_WIRE_...` for a datagram to be ignored.
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
netclock_status netclock_encode_reply(const struct netclock_reply *reply,
                                      void *datagram,
                                      size_t capacity);

/** Reads a reply from a datagram of `length` bytes. Errors as `netclock_decode_request`. */
NETCLOCK_NODISCARD
netclock_status netclock_decode_reply(const void *datagram,
                                      size_t length,
                                      struct netclock_reply *reply);

/**
 * The answer to a datagram of `length` bytes that `netclock_decode_request` refused with `NETCLOCK_WIRE_OLDER` or
 * `NETCLOCK_WIRE_NEWER`, written into a buffer of `capacity` bytes, of which it takes `NETCLOCK_DATAGRAM_SIZE`. Send it
 * back, so that the client learns which of the two sides is older: `netclock_decode_reply` tells it so by the same two
 * statuses. The answer is no longer than the request. Nobody signs it, so show it to people and let nothing else depend
 * on it. `NETCLOCK_NOTHING_DUE`: the datagram is no request of another version, and the buffer is unchanged. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small.
 */
NETCLOCK_NODISCARD
netclock_status netclock_version_notice(const void *datagram,
                                        size_t length,
                                        void *notice,
                                        size_t capacity);

/** No outstanding request has this id: it is forged, a duplicate, or expired. */
#define NETCLOCK_UNKNOWN_REQUEST (-101)

/** A message arrived before what it answers was sent. */
#define NETCLOCK_ARRIVED_BEFORE_SENT (-102)

/** The server sent the reply before it received the request. */
#define NETCLOCK_SENT_BEFORE_RECEIVED (-103)

/** The server claims to have held the request for longer than the round trip took. */
#define NETCLOCK_HELD_TOO_LONG (-104)

/** The round trip took longer than the configured maximum. */
#define NETCLOCK_TOO_SLOW (-105)

/**
 * The stamps contradict the clock. This is remembered: the error bound is widened until a second exchange decides.
 */
#define NETCLOCK_CONTRADICTION (-106)

/**
 * Another server sent the reply than the one that is followed. Several servers with clocks of their own answer at one
 * address, as behind a load balancer; the clock stays with one of them as long as that one replies.
 */
#define NETCLOCK_SEVERAL_SERVERS (-107)

/**
 * A datagram is not as long as its kind (`NETCLOCK_DATAGRAM_SIZE`, `NETCLOCK_SEGMENT_SIZE`,
 * `NETCLOCK_UTC_DATAGRAM_SIZE`), or its buffer is too
 * small.
 */
#define NETCLOCK_WIRE_LENGTH (-111)

/** This is not a NetClock datagram. */
#define NETCLOCK_WIRE_MAGIC (-112)

/** The sender speaks an older version of the format than this library. Update the sender. */
#define NETCLOCK_WIRE_OLDER (-113)

/** A datagram of another kind than was expected, or of none. */
#define NETCLOCK_WIRE_KIND (-114)

/** A reserved field of a datagram is not zero. */
#define NETCLOCK_WIRE_RESERVED (-115)

/** A datagram cannot hold this stamp, or holds an invalid one. Or it holds no valid segment or claim. */
#define NETCLOCK_WIRE_STAMP (-116)

/** The sender speaks a newer version of the format than this library. Update this side. */
#define NETCLOCK_WIRE_NEWER (-117)

/** A message has no seal, although this side has a session key. Do not use it. */
#define NETCLOCK_NOT_SEALED (-121)

/** A message was sealed for the other direction. Somebody sent it back to where it came from. */
#define NETCLOCK_OTHER_DIRECTION (-122)

/** No session key of this id is known here. It was never admitted, or was revoked. */
#define NETCLOCK_UNKNOWN_KEY (-123)

/**
 * The tag of a sealed message is wrong. It is forged, was changed on the way, or was sealed with another secret.
 */
#define NETCLOCK_FORGED (-124)

/** A session has had as many answers as it may for now: do not answer. */
#define NETCLOCK_ENOUGH_ANSWERS (-125)

/* ===============================================================================================
 * The clock
 *
 * A client follows one server's clock. Call tick every frame, hand it each reply, and read the time
 * whenever you need it.
 * Statuses: 200 to 299, positive and negative.
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
 * `config` may be null for all defaults. It may also have what earlier sessions saved. `seed_high` and `seed_low` make
 * request ids unguessable: draw 128 bits from the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
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
 * it, or a link uses it: destroy that first.
 */
netclock_status netclock_client_destroy(struct netclock_client *client);

/**
 * Does what is due at local time `now` (ticks). Call it every frame. `NETCLOCK_OK`: send `*request` at once.
 * `NETCLOCK_NOTHING_DUE`: `*request` is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_tick(struct netclock_client *client,
                                     int64_t now,
                                     struct netclock_request *request);

/**
 * Makes a request to send at once, whatever the schedule says, and stores it in `*request`. It is for
 * callers with a timer of their own. `now` is the local time in ticks. Errors as `netclock_client_tick`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_make_request(struct netclock_client *client,
                                             int64_t now,
                                             struct netclock_request *request);

/**
 * Learns from a reply that arrived at local time `arrived` (ticks). Stamp it as close to the network as
 * possible. `NETCLOCK_OK`: accepted. Errors from `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_SEVERAL_SERVERS`, and
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, say why it was refused. Also `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_handle_reply(struct netclock_client *client,
                                             const struct netclock_reply *reply,
                                             int64_t arrived);

/**
 * Learns from the four stamps of an exchange, for callers whose transport matches replies to requests. The
 * stamps are: sent by the client, received and answered by the server, received by the client; each in ticks
 * of its own clock. `server_epoch` names the run of the server's clock, or is 0 if the transport does not
 * know it. Errors as `netclock_client_handle_reply`.
 */
netclock_status netclock_client_handle_exchange(struct netclock_client *client,
                                                int64_t client_sent,
                                                int64_t server_received,
                                                int64_t server_sent,
                                                int64_t client_received,
                                                uint64_t server_epoch);

/**
 * Learns from two stamps: at local time `current_time` a reply arrived that says `server_time`, after a
 * round trip of `round_trip`. All are in ticks. `*accepted` becomes 1 or 0, and the status says why not.
 * `accepted` may be null. As in the other calls, the stamp is when the reply arrived, which may be before the `now` of calls
 * made since. Errors as `netclock_client_handle_reply`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_update_server_time(struct netclock_client *client,
                                                   int64_t server_time,
                                                   int64_t current_time,
                                                   int64_t round_trip,
                                                   int32_t *accepted);

/**
 * The server's time at local time `now`, in ticks, into `*server_time`. `NETCLOCK_NOT_SYNCED`: it is 0. It
 * never goes backwards within an epoch: see "Monotone" in the contract. Callable from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_current_server_time(const struct netclock_client *client,
                                                    int64_t now,
                                                    int64_t *server_time);

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

/**
 * Everything the clock says at one local instant; all fields belong together. Set `struct_size` before the call.
 */
typedef struct netclock_reading {
    /** `sizeof(netclock_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_STATE_...`. */
    int32_t state;
    /** The server's time as shown, in ticks: smooth and monotone. Zero until synced. */
    int64_t server_time;
    /**
     * Hard bound, in ticks: the true server time is within `server_time` plus or minus this. That holds if
     * the clocks' rates err by no more than `client_drift_ppm` and `server_drift_ppm` and neither clock steps. `NETCLOCK_UNBOUNDED`
     * if nothing can be promised.
     */
    int64_t error_bound;
    /**
     * Expected error, one standard deviation, in ticks. It assumes equal base delays in both directions, and is never above
     * `error_bound`. `NETCLOCK_UNBOUNDED` if nothing is known.
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
    /**
     * Counts the stretches in which shown time never goes backwards. Every declared discontinuity that jumps
     * begins another epoch.
     */
    uint32_t epoch;
    /** Zero. */
    int32_t reserved;
} netclock_reading;

/**
 * Everything the clock says at local time `now`, into `*reading`. `NETCLOCK_NOT_SYNCED`: the reading says
 * so, with a server time of 0. The server's time never goes backwards within an epoch: see "Monotone" in the
 * contract. Callable from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_read(const struct netclock_client *client,
                                     int64_t now,
                                     struct netclock_reading *reading);

/**
 * The local time at which the shown clock reads `server_time`, as far as is known now, into `*local_time`.
 * Both are in ticks. `NETCLOCK_NOT_SYNCED`: it is 0. Callable from any thread, wait-free. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_local_time_at(const struct netclock_client *client,
                                              int64_t server_time,
                                              int64_t *local_time);

/** Length of a saved state, in bytes. */
#define NETCLOCK_SAVED_SIZE 44

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
     * Largest error of the rate of the client's clock that the error bound must survive. Crystals err by less than 50
     * ppm, and so does `netclock_monotonic_now`. For another clock add what a time service may slew it by: 500 ppm for ntpd
     * and `adjtime`, `maxslewrate` for chrony (83333 ppm unless it is set). (ppm, 0.5 to 100000, default 50)
     */
    double client_drift_ppm;
    /** The same for the server's clock. (ppm, 0.5 to 100000, default 50) */
    double server_drift_ppm;
    /**
     * Largest rate at which the shown clock slews: how much it runs fast or slow during a correction.
     * (fraction of real time, 0.001 to 0.5, default 0.05)
     */
    double max_slew;
    /**
     * A correction forwards by more than this steps once, and is declared. (ticks, 1 ms to 1 h, default 250 ms)
     */
    int64_t step_threshold;
    /** Replies that took longer are refused. (ticks, 10 ms to 60 s, default 5 s) */
    int64_t max_round_trip;
    /** Mean time between the requests of a burst. (ticks, 1 ms to 1 s, default 20 ms) */
    int64_t burst_interval;
    /** Mean time between requests once settled. (ticks, 50 ms to 10 min, default 4 s) */
    int64_t steady_interval;
    /**
     * A pause between two calls longer than this is a declared discontinuity. (ticks, 100 ms to 1 day, default
     * 10 s)
     */
    int64_t local_gap;
    /**
     * Time without an accepted reply until the clock declares holdover. (ticks, 1 s to 1 day, default 15 s)
     */
    int64_t holdover_after;
    /** A larger error bound is declared and answered by a new burst. (ticks, 1 ms to 1 h, default 250 ms) */
    int64_t target_bound;
    /** Step of the client's clock as it is read for stamps. (ticks, 1 to 100 ms, default 1) */
    int64_t client_resolution;
    /** Step of the server's clock as it is read for stamps. (ticks, 1 to 100 ms, default 1) */
    int64_t server_resolution;
    /**
     * Frame period of a client that stamps replies at frame boundaries; zero if it stamps them on arrival. (ticks,
     * 0 to 1 s, default 0)
     */
    int64_t client_frame;
    /**
     * Frame period of a server that stamps requests at frame boundaries; zero if it stamps them on arrival. (ticks,
     * 0 to 1 s, default 0)
     */
    int64_t server_frame;
    /**
     * How much faster than true time the client's clock is said to run, for example by `netclock_rate_hint`. If it is wrong,
     * the exchanges overrule it; no bound depends on it. (ppm, -100000 to 100000)
     */
    double client_rate_ppm;
    /** Standard deviation of `client_rate_ppm`. Zero: nothing is known. (ppm, 0 to 1000, default 0) */
    double client_rate_doubt_ppm;
    /**
     * How much faster than true time the server's clock runs, if the server states it. (ppm, -100000 to 100000)
     */
    double server_rate_ppm;
    /** Standard deviation of `server_rate_ppm`. Zero: nothing is known. (ppm, 0 to 1000, default 0) */
    double server_rate_doubt_ppm;
    /**
     * A burst goes on, by up to 30 requests, until the expected error is at most this, and where the rate is known. The
     * later ones are rarer for it: half a minute costs 64 messages at most, with a burst of 10 and a steady interval of
     * 4 s. A link asks more often. (ticks, 10 us to 1 s, default 1 ms)
     */
    int64_t target_error;
    /** The time now, by the calendar of `netclock_client_save`. Only saved states need it. (seconds) */
    int64_t saved_seconds;
    /**
     * What `netclock_client_save` gave for this machine, so that the rate of the clock is known from the start. All zero: none.
     * A state that is damaged or of another kind is not used. Exchanges overrule a rate that is wrong; no bound depends on it.
     */
    uint8_t saved_machine[NETCLOCK_SAVED_SIZE];
    /**
     * What it gave when it followed this server, in the same way. What it says of an unequal route counts while the round
     * trip is the same; exchanges cannot refute it. A peer uses neither state.
     */
    uint8_t saved_server[NETCLOCK_SAVED_SIZE];
} netclock_config;

/**
 * Fills `config` with the defaults. Set `config->struct_size` before. Callable from any thread. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_config_default(struct netclock_config *config);

/** The machine's saved state was used. */
#define NETCLOCK_USED_MACHINE 1

/** The server's saved state was used. */
#define NETCLOCK_USED_SERVER 2

/**
 * Which of the saved states in its settings the client began with, into `*used`: the sum of `NETCLOCK_USED_MACHINE` and
 * `NETCLOCK_USED_SERVER`, as far as they apply. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_used_saved(const struct netclock_client *client,
                                           int32_t *used);

/**
 * What later sessions begin with: the state of this machine's crystal into `machine`, and that of the server into
 * `server`. Each buffer has room for `capacity` bytes, and gets `NETCLOCK_SAVED_SIZE`. Keep one `machine` for the machine,
 * and one `server` for each server, under its address or name. `seconds` is the time now by a calendar that outlives the
 * process, for example Unix time. Save when the session ends, or every few minutes.
 *
 * `NETCLOCK_NOT_SYNCED`: the rate is not known better than crystals differ, which takes some seconds; the buffers are
 * unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if a buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_save(struct netclock_client *client,
                                     int64_t seconds,
                                     void *machine,
                                     void *server,
                                     size_t capacity);

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
 * No request by the link was answered for two seconds: a firewall, a wrong key, a server that is gone, or a network that is down.
 * The link tries again by itself.
 */
#define NETCLOCK_EVENT_LINK_BLOCKED 7

/**
 * There is no way to send the link's datagrams: no network, or the host's name is unknown. The link tries again by itself.
 */
#define NETCLOCK_EVENT_LINK_NOT_POSSIBLE 8

/** Discontinuity: the server's clock was restarted (another server epoch). */
#define NETCLOCK_CAUSE_SERVER_RESTART 1

/** Discontinuity: two exchanges proved that a clock stepped. */
#define NETCLOCK_CAUSE_PROVEN_STEP 2

/** Discontinuity: no call for longer than `local_gap`. */
#define NETCLOCK_CAUSE_LOCAL_GAP 3

/** Discontinuity: the local clock went back by a second or more. */
#define NETCLOCK_CAUSE_LOCAL_STEP 4

/** Discontinuity: a correction forwards above `step_threshold`. */
#define NETCLOCK_CAUSE_CORRECTION 5

/** Degraded: no reply for `holdover_after`. */
#define NETCLOCK_DEGRADED_NO_REPLIES 1

/** Degraded: the error bound exceeds `target_bound`. */
#define NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET 2

/** Degraded: a reply contradicts the clock; a second one will decide. */
#define NETCLOCK_DEGRADED_CONTRADICTION 3

/**
 * Degraded: several servers with clocks of their own answer at one address, as behind a load balancer. The clock
 * stays with one of them; give each server an address, or have the balancer keep each client at one server.
 */
#define NETCLOCK_DEGRADED_SEVERAL_SERVERS 4

/**
 * Degraded: the exchanges show that a clock is slewed by more than `client_drift_ppm` and `server_drift_ppm` allow. From now
 * on the bound grows fast enough for it. Readings shortly before may have been outside their bound. Use
 * `netclock_monotonic_now`, or tell the client what to allow for.
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
 * Takes the oldest event not yet fetched; the 16 newest are kept. `NETCLOCK_NO_EVENT`: `*event` is as it was.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_next_event(struct netclock_client *client,
                                           struct netclock_event *event);

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

/** A local time that is not known. */
#define NETCLOCK_UNKNOWN_TIME INT64_MIN

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
    int64_t client_sent;
    /** When the server received it. */
    int64_t server_received;
    /** When the server sent the reply. */
    int64_t server_sent;
    /** When the client received it. */
    int64_t client_received;
    /** By which path it came: `NETCLOCK_PATH_MESSAGES` or `NETCLOCK_PATH_LINK`. */
    int32_t path;
    /** Zero. */
    int32_t reserved;
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

/** There is no server time, because no reply was accepted yet. The output is zero. */
#define NETCLOCK_NOT_SYNCED 201

/** No event is waiting. */
#define NETCLOCK_NO_EVENT 202

/** Nothing certain is known about the time: the clock is not in sync, or in doubt. */
#define NETCLOCK_UNCERTAIN 203

/** The message is about another timescale than the one that is followed or adopted. */
#define NETCLOCK_OTHER_TIMESCALE (-201)

/* ===============================================================================================
 * Authority
 *
 * Whose clock a client shows, and how exactly that is known: for time that outlives a server.
 * =============================================================================================== */

/**
 * An authority: a run of a server's clock, and how far it may be off a timescale. The clock shows the
 * timescale within +-`dispersion`. A server about which nobody says anything is a timescale of its own. Set
 * `struct_size` before each call.
 */
typedef struct netclock_authority {
    /** `sizeof(netclock_authority)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** The server epoch, with which the `netclock_server` was created. */
    uint64_t epoch;
    /** Name of the timescale: the epoch of the first server that showed it, or a number given to a fleet. */
    uint64_t timescale;
    /** Dispersion: the largest difference between the clock and the timescale. (ticks, 0 to 2^32 - 1) */
    int64_t dispersion;
} netclock_authority;

/**
 * Sets the authority that the client follows from its first reply on, or updates the dispersion of the one
 * it follows. The caller vouches for it, because it came over a trusted connection. For datagrams use
 * `netclock_client_handle_authority_reply`. `now` is the local time in ticks.
 *
 * If the authority is another one of the same timescale, this is a handover. What is known of the old clock
 * holds for the new one, widened by both dispersions. Shown time and the reading's epoch continue, the
 * difference is slewed, and the event is `NETCLOCK_EVENT_HANDED_OVER`. Call it before the first reply of the
 * new authority. Afterwards it works only while the old run is still shown, until the burst is answered
 * (about half a second). If the new replies contradict what was said, the clock starts again, as after a
 * restart.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_OUT_OF_RANGE` (the dispersion),
 * `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_set_authority(struct netclock_client *client,
                                              const struct netclock_authority *authority,
                                              int64_t now);

/**
 * The authority whose clock the readings at local time `now` (ticks) are about, into `*authority`. A
 * reading's `error_bound` is about this clock, and the timescale is within `dispersion` of it. The
 * dispersion grows with possible drift if nobody has confirmed it for 20 s. `NETCLOCK_NOT_SYNCED`: no
 * accepted reply named an epoch, and `*authority` is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_authority(const struct netclock_client *client,
                                          int64_t now,
                                          struct netclock_authority *authority);

/**
 * Begins a burst of requests at once, as after a restart. Call it when you turn to another server. Otherwise
 * the client would ask it only after `steady_interval`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_begin_burst(struct netclock_client *client);

/**
 * Makes a request for the server's authority at local time `now` (ticks), as a datagram of
 * `NETCLOCK_DATAGRAM_SIZE` bytes, into a buffer of `capacity` bytes. Call it every frame after
 * `netclock_client_tick`, if your servers answer such requests. A request is due at once when another
 * authority answers, then ever less often until there is an answer, then every `steady_interval`.
 * `NETCLOCK_NOTHING_DUE`: the buffer is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH`
 * if the buffer is too small, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_request_authority(struct netclock_client *client,
                                                  int64_t now,
                                                  void *datagram,
                                                  size_t capacity);

/**
 * Handles the server's reply of `length` bytes that arrived at local time `arrived` (ticks). If it answers a
 * request of this client, it works as `netclock_client_set_authority`. Each request is answered once.
 * Errors: one of `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_REQUEST`, and those of
 * `netclock_client_set_authority`.
 */
netclock_status netclock_client_handle_authority_reply(struct netclock_client *client,
                                                       const void *datagram,
                                                       size_t length,
                                                       int64_t arrived);

/**
 * Answers the request of `length` bytes of a server that adopts the timescale: what time it is on the
 * timescale at local time `now` (ticks), and how far that may be off. The answer is a datagram of
 * `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. Send it at once: any delay
 * widens what the server can conclude. `NETCLOCK_UNCERTAIN`: nothing certain is known, send nothing. Errors:
 * one of `NETCLOCK_WIRE_...`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OTHER_TIMESCALE`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_client_respond_to_adoption(const struct netclock_client *client,
                                                    const void *request,
                                                    size_t length,
                                                    int64_t now,
                                                    void *datagram,
                                                    size_t capacity);

/**
 * The server's reply to a client's request for its authority of `length` bytes: a datagram of
 * `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. It is as long as the request.
 * State what holds for 20 s, because clients ask again every 4 s; if the dispersion grows, allow for that.
 * Errors: one of `NETCLOCK_WIRE_...` (`NETCLOCK_WIRE_STAMP`: the dispersion is out of range),
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_authority_respond(const struct netclock_authority *authority,
                                           const void *request,
                                           size_t length,
                                           void *datagram,
                                           size_t capacity);

/* ===============================================================================================
 * The server
 *
 * A server answers requests and remembers nobody.
 * =============================================================================================== */

/**
 * A server: answers requests and keeps nothing about clients. Opaque. Any number of threads may use it at
 * once.
 */
typedef struct netclock_server netclock_server;

/**
 * Creates a server and stores it in `*server`. Give it back to `netclock_server_destroy`. `epoch` names
 * this run of the server's clock: draw a random number whenever that clock starts. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_create(uint64_t epoch,
                                       struct netclock_server **server);

/** Destroys a server, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`. */
netclock_status netclock_server_destroy(struct netclock_server *server);

/**
 * Answers `*request`, which arrived at server time `received` and will leave at `sent`, into `*reply`. Both
 * are ticks of the server's monotonic clock, stamped as close to the network as possible. The time between
 * them does no harm. On an error send nothing. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_SENT_BEFORE_RECEIVED`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_respond(const struct netclock_server *server,
                                        const struct netclock_request *request,
                                        int64_t received,
                                        int64_t sent,
                                        struct netclock_reply *reply);

/* ===============================================================================================
 * Session keys
 *
 * A server draws a key for each player, and sends it over a connection that others cannot read. From then on both
 * sides seal their messages with it.
 * =============================================================================================== */

/** Direction: sent by the client, received by the server. */
#define NETCLOCK_TO_SERVER 1

/** Direction: sent by the server, received by the client. */
#define NETCLOCK_TO_CLIENT 2

/** Bytes that a seal adds to a message. */
#define NETCLOCK_SEAL_OVERHEAD 24

/** Longest sealed message, in bytes. */
#define NETCLOCK_SEALED_MOST 1048

/**
 * A secret of 128 bits that a client and its server share for one connection, and the number by which the server finds
 * it. Draw both halves of the secret from the operating system. Give them to the client over a channel that nobody else
 * can read: anyone who has the key can forge both sides.
 */
typedef struct netclock_session_key {
    /** The secret: its first eight bytes, the first one highest. Not both halves may be zero. */
    uint64_t secret_high;
    /** Its last eight bytes. */
    uint64_t secret_low;
    /**
     * The number by which the server finds the key. It is no secret; each session of a server has another one.
     */
    uint32_t id;
    /** Must be zero. */
    uint32_t reserved;
} netclock_session_key;

/**
 * Seals a message of `length` bytes (1 to 1024) that goes in `direction`, one of `NETCLOCK_TO_...`: any of NetClock's, as
 * it is. Writes `length` + `NETCLOCK_SEAL_OVERHEAD` bytes to where there is room for `capacity`, not overlapping the
 * message. Send those in its place. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT` and `NETCLOCK_BAD_CONFIG` for
 * the key, `NETCLOCK_OUT_OF_RANGE` for another direction, `NETCLOCK_WIRE_LENGTH` for another length or too little room.
 */
NETCLOCK_NODISCARD
netclock_status netclock_seal_message(const struct netclock_session_key *key,
                                      int32_t direction,
                                      const void *message,
                                      size_t length,
                                      void *sealed,
                                      size_t capacity);

/**
 * Opens a datagram of `length` bytes that came in `direction`, one of `NETCLOCK_TO_...`. `*message` is where the message
 * begins in it; the message is `NETCLOCK_SEAL_OVERHEAD` bytes shorter. On an error ignore the datagram, and answer nothing.
 * Errors: `NETCLOCK_NOT_SEALED` (a message without a seal, which a side that has a key must not use), `NETCLOCK_FORGED`,
 * `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_WIRE_OLDER`, `NETCLOCK_WIRE_NEWER`, and those of
 * `netclock_seal_message` for key and direction.
 */
NETCLOCK_NODISCARD
netclock_status netclock_open_message(const struct netclock_session_key *key,
                                      int32_t direction,
                                      const void *sealed,
                                      size_t length,
                                      const void **message);

/** Settings of session keys. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_session_keys_config {
    /** `sizeof(netclock_session_keys_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Most sessions at a time; memory for them is taken at creation. (1 to 65536, default 64) */
    uint32_t capacity;
    /** Answers a second to each session. As many may be given at once. (1 to 10000, default 100) */
    uint32_t answers;
    /**
     * Answers a second to requests that may be replays, for each session. As many may be given at once. Two clients that
     * use one key share its budgets, and the requests of one of them count as replays. (1 to 10000, default 20)
     */
    uint32_t replays;
} netclock_session_keys_config;

/** What became of the messages that came to a server with session keys. Set `struct_size` before the call. */
typedef struct netclock_session_key_counts {
    /** `sizeof(netclock_session_key_counts)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** Opened: made by a holder of the key. */
    uint64_t opened;
    /** Refused: without a seal, or no sealed message to a server. */
    uint64_t malformed;
    /** Refused: sealed with a key that is not known here. */
    uint64_t unknown_key;
    /** Refused: the tag was wrong. */
    uint64_t forged;
    /** Requests that were no newer than one before: replays, or overtaken on the way. */
    uint64_t replayed;
    /** Requests that were not to be answered, because the session had used up its budget. */
    uint64_t over_budget;
} netclock_session_key_counts;

/**
 * The keys of a server's sessions. Opaque; 8 KiB at most for 64 sessions, which never grow. Calls from several threads are serialised.
 *
 * For every datagram: open it. If the message is a request, ask `netclock_session_keys_allow` whether it may be answered,
 * and seal the answer. Send it to the address that the request came from, and to no other.
 */
typedef struct netclock_session_keys netclock_session_keys;

/**
 * Creates session keys without a key, so that every datagram is refused, and stores them in `*keys`, to
 * be given back to `netclock_session_keys_destroy`. `config` may be null for all defaults. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_create(const struct netclock_session_keys_config *config,
                                             struct netclock_session_keys **keys);

/**
 * Destroys session keys. Null is allowed and does nothing. No other call may be using them, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if they are no live session keys, which is found out without looking at what is there;
 * `NETCLOCK_BUSY` if another thread is seen to use them.
 */
netclock_status netclock_session_keys_destroy(struct netclock_session_keys *keys);

/**
 * Opens messages sealed with `*key` from now on. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT` (`reserved` is
 * set), `NETCLOCK_BAD_CONFIG` (the secret is zero), `NETCLOCK_DUPLICATE` (its id is in use), `NETCLOCK_FULL`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_session_keys_admit(struct netclock_session_keys *keys,
                                            const struct netclock_session_key *key);

/**
 * Forgets the key `id`: its messages are refused from now on. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_KEY`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_session_keys_revoke(struct netclock_session_keys *keys,
                                             uint32_t id);

/**
 * Opens a datagram of `length` bytes from a client. `*id` is that of its key. `*message` is where the message begins in
 * the datagram; the message is `NETCLOCK_SEAL_OVERHEAD` bytes shorter. On an error ignore the datagram, and answer nothing.
 * Refusals are counted, except a length that no sealed message has. Errors: `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_UNKNOWN_KEY`,
 * `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_WIRE_OLDER`, `NETCLOCK_WIRE_NEWER`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_open(struct netclock_session_keys *keys,
                                           const void *sealed,
                                           size_t length,
                                           uint32_t *id,
                                           const void **message);

/**
 * Whether a request that was opened with the key `id` at server time `now` (ticks) may be answered: `NETCLOCK_OK` if so.
 * `*is_newer`, unless it is null, is then 1 if the request is newer than all before, and 0 if it is a replay or was
 * overtaken on the way. `request` may be null for a question that says nothing of when it was sent; it is treated as a
 * replay. Errors: `NETCLOCK_ENOUGH_ANSWERS`, `NETCLOCK_UNKNOWN_KEY` (do not answer), `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_allow(struct netclock_session_keys *keys,
                                            uint32_t id,
                                            const struct netclock_request *request,
                                            int64_t now,
                                            int32_t *is_newer);

/**
 * Seals a message of `length` bytes to the client with the key `id`, as `netclock_seal_message` does. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_LENGTH`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_seal(const struct netclock_session_keys *keys,
                                           uint32_t id,
                                           const void *message,
                                           size_t length,
                                           void *sealed,
                                           size_t capacity);

/**
 * What became of the messages so far, into `*counts`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_session_keys_counts(const struct netclock_session_keys *keys,
                                             struct netclock_session_key_counts *counts);

/* ===============================================================================================
 * The link
 *
 * A transport of NetClock's own beside the game's: UDP datagrams under a session key, on a thread
 * of its own, so that no frame holds them. The server admits a key for each player, and sends it with the port over
 * the game's connection, to this player only. While the link is good, the clock is as good as the network. If UDP is
 * blocked, the game's messages go on as before.
 * Statuses: 1000 to 1099, positive and negative.
 * =============================================================================================== */

/** Flag of a link: it has no thread. Call its `_poll` every frame. */
#define NETCLOCK_LINK_POLLED 1

/** Flag of a link: stamp arrivals by the thread, even where the kernel does it. For comparisons. */
#define NETCLOCK_LINK_THREAD_STAMPS 2

/** Flag of a client's link: ask the server for its authority too, for timescales that outlive a server. */
#define NETCLOCK_LINK_AUTHORITY 4

/**
 * Flag of a link: it has neither socket nor thread. The caller carries its datagrams and stamps them, with
 * `netclock_link_client_due`, `netclock_link_client_handle` and `netclock_link_server_answer`. For systems whose sockets
 * this library does not know.
 */
#define NETCLOCK_LINK_CARRIED 8

/** Length of every datagram of a link, in bytes. */
#define NETCLOCK_LINK_DATAGRAM_SIZE 56

/** State of a link: a client's requests are sent, and none is answered yet. */
#define NETCLOCK_LINK_CHECKING 1

/** State of a link: a client's requests are answered. */
#define NETCLOCK_LINK_LINKED 2

/**
 * State of a link: no request was answered for 2 s. Another check begins 30 s later, or 5 s later if no message was answered
 * for 15 s.
 */
#define NETCLOCK_LINK_BLOCKED 3

/** State of a link: there is no way to send datagrams. The trouble says why. */
#define NETCLOCK_LINK_NOT_POSSIBLE 4

/** State of a link: it is a server's, and answers. */
#define NETCLOCK_LINK_SERVING 5

/** Trouble of a link: none. */
#define NETCLOCK_LINK_NO_TROUBLE 10

/** Trouble of a link: the name of the host is looked up. */
#define NETCLOCK_LINK_RESOLVING 11

/** Trouble of a link: the host is unknown. */
#define NETCLOCK_LINK_UNKNOWN_HOST 12

/** Trouble of a link: there is no way to the address. */
#define NETCLOCK_LINK_NO_ROUTE 13

/** Trouble of a link: nobody listens at the address and port. */
#define NETCLOCK_LINK_NOBODY_LISTENS 14

/** Trouble of a link: the system does not send. */
#define NETCLOCK_LINK_NOT_SENT 15

/** Stamps of a link: no datagram has come yet. */
#define NETCLOCK_LINK_NO_STAMPS 20

/** Stamps of a link: by the kernel, when a datagram comes off the network. */
#define NETCLOCK_LINK_STAMPS_KERNEL 21

/** Stamps of a link: by the thread that receives. */
#define NETCLOCK_LINK_STAMPS_THREAD 22

/** Stamps of a link: by the caller, who carries its datagrams. */
#define NETCLOCK_LINK_STAMPS_CALLER 23

/** What a link does. Set `struct_size` before the call. */
typedef struct netclock_link_report {
    /** `sizeof(netclock_link_report)` as compiled into the caller. */
    uint32_t struct_size;
    /** Whether it works: one of `NETCLOCK_LINK_CHECKING` to `NETCLOCK_LINK_SERVING`. */
    int32_t state;
    /** What stands in its way: one of `NETCLOCK_LINK_NO_TROUBLE` to `NETCLOCK_LINK_NOT_SENT`. */
    int32_t trouble;
    /** Where arrival stamps come from: one of `NETCLOCK_LINK_NO_STAMPS` to `NETCLOCK_LINK_STAMPS_CALLER`. */
    int32_t stamps;
    /** Requests: a client's own, or those of all clients that a server answered. */
    uint64_t requests;
    /** Replies that a client used. */
    uint64_t replies;
    /** Datagrams that were not sealed with a known key, or that were no messages of this end. */
    uint64_t foreign;
    /**
     * Replies that a client could not use: late, or contradicting the clock. Requests that a server did not answer for want of
     * budget.
     */
    uint64_t refused;
    /** Datagrams that the system did not send. */
    uint64_t unsent;
} netclock_link_report;

/**
 * A state, a trouble or an origin of stamps in words: a text that lives as long as the library, never null.
 */
const char *netclock_link_text(int32_t code);

/** Settings of a server's link. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_link_server_config {
    /** `sizeof(netclock_link_server_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Any of `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS` and `NETCLOCK_LINK_CARRIED`, added. */
    uint32_t flags;
    /** Most keys at a time; memory for them is taken at once. (1 to 65536, default 64) */
    uint32_t capacity;
    /** Answers a second to all clients together. (1 to 1000000, default 20000) */
    uint32_t answers;
    /** Server time minus `netclock_monotonic_now`, in ticks. (default 0) */
    int64_t clock_offset;
} netclock_link_server_config;

/**
 * A server's end of a link, for all its clients. Opaque. Calls on it wait for each other, and not for its thread.
 */
typedef struct netclock_link_server netclock_link_server;

/**
 * Opens a UDP port and answers the clients of admitted keys, on a thread of its own for all of them. The link is stored in
 * `*link`. `config` may be null for all defaults. `address` is one of this
 * machine's, as text, or null for all of them, of both versions of IP where the system allows it (on Windows of version 4).
 * `port` 0 takes a free one. `epoch` names this run of the server's clock: draw a random number, and name the same one
 * wherever else this clock is served.
 *
 * Server time is `netclock_monotonic_now` plus `config->clock_offset`. With `NETCLOCK_LINK_CARRIED` the link opens nothing:
 * address and port are not used, and `netclock_link_server_answer` has the clock's stamps. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_BAD_ADDRESS`, `NETCLOCK_PORT_IN_USE`,
 * `NETCLOCK_NO_PERMISSION`, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_create(const struct netclock_link_server_config *config,
                                            const char *address,
                                            uint16_t port,
                                            uint64_t epoch,
                                            struct netclock_link_server **link);

/**
 * Ends a server's link within milliseconds: its thread, its socket, and the link. Null is allowed and does nothing. No
 * other call may be using it, and none may follow. In a forked process it only forgets the link, which goes on in the parent.
 *
 * Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live link, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_link_server_destroy(struct netclock_link_server *link);

/**
 * The port that it listens at, into `*port`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_CARRIED`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_port(const struct netclock_link_server *link,
                                          uint16_t *port);

/**
 * Answers the holder of `*key` from now on. Draw a new key for each connection. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT` (`reserved` is set), `NETCLOCK_BAD_CONFIG` (the secret is zero), `NETCLOCK_DUPLICATE` (its id
 * is in use), `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_server_admit(struct netclock_link_server *link,
                                           const struct netclock_session_key *key);

/**
 * Forgets the key `id`: its holder is not answered from now on. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_KEY`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_server_revoke(struct netclock_link_server *link,
                                            uint32_t id);

/**
 * Without a thread (`NETCLOCK_LINK_POLLED`): answers what has come. It never waits. Call it every frame. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_NOT_POLLED`, `NETCLOCK_CARRIED`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_server_poll(struct netclock_link_server *link);

/**
 * What the link does, into `*report`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_report(const struct netclock_link_server *link,
                                            struct netclock_link_report *report);

/**
 * If the caller carries datagrams (`NETCLOCK_LINK_CARRIED`): answers one of `length` bytes that arrived at server time
 * `received` (ticks). The answer, which leaves at `sent`, has `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, and goes to where there
 * is room for `capacity`. Send it to where the datagram came from, and to nobody else. On an error send nothing. Errors:
 * those of `netclock_session_keys_open`, `netclock_session_keys_allow` and `netclock_server_respond`,
 * `NETCLOCK_NOT_CARRIED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_server_answer(struct netclock_link_server *link,
                                            const void *datagram,
                                            size_t length,
                                            int64_t received,
                                            int64_t sent,
                                            void *answer,
                                            size_t capacity);

/** Settings of a client's link. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_link_client_config {
    /** `sizeof(netclock_link_client_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Any of `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`, `NETCLOCK_LINK_AUTHORITY` and `NETCLOCK_LINK_CARRIED`,
     * added.
     */
    uint32_t flags;
    /**
     * The client's local time minus `netclock_monotonic_now`, in ticks. It must be the local time of all other calls on the
     * client. (default 0)
     */
    int64_t clock_offset;
    /**
     * Mean time between requests by the link, once settled. A client that asks often because frames hold its
     * messages need not ask as often here. (ticks, 50 ms to 10 min, default the client's `steady_interval`)
     */
    int64_t steady_interval;
    /**
     * Mean time between requests by the game's messages while the link is good. (ticks, 50 ms to 10 min, default
     * twice `steady_interval`)
     */
    int64_t message_interval;
} netclock_link_client_config;

/** A client's end of a link. Opaque. Calls on it wait for each other, and not for its thread. */
typedef struct netclock_link_client netclock_link_client;

/**
 * Links `client` to a server that admitted `*key`, on a thread of its own. The link is stored in `*link`; destroy it
 * before the client. `config` may be null for all defaults. `host` is a name or an address as text, of
 * up to 253 bytes, and `port` is that of the server's link. It returns at once: names are looked up by another thread. Whether the
 * server answers is in `netclock_link_client_report`.
 *
 * The client's local time must be `netclock_monotonic_now` plus `config->clock_offset`. The link does all that the client
 * needs. If the game calls `netclock_client_tick` as well, and sends what it returns, the clock has two paths, and the second one is
 * used as soon as UDP is blocked. The callbacks of the client then run on the link's thread, too.
 *
 * With `NETCLOCK_LINK_CARRIED` the link opens nothing: host and port are not used, and times are the client's local time.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` (also for host, port and key),
 * `NETCLOCK_BAD_ADDRESS` (the host is no text), `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`, `NETCLOCK_OUT_OF_MEMORY`,
 * `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_create(const struct netclock_link_client_config *config,
                                            struct netclock_client *client,
                                            const char *host,
                                            uint16_t port,
                                            const struct netclock_session_key *key,
                                            struct netclock_link_client **link);

/**
 * Ends a client's link within milliseconds: its thread, its socket, and the link. Null is allowed and does nothing. No
 * other call may be using it, and none may follow. The client may be destroyed after its link. Do not call it in a callback.
 * In a forked process it only forgets the link, which goes on in the parent.
 *
 * Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live link, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_link_client_destroy(struct netclock_link_client *link);

/**
 * Without a thread (`NETCLOCK_LINK_POLLED`): takes what has come, and sends what is due. It never waits. Call it every
 * frame. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_NOT_POLLED`, `NETCLOCK_CARRIED`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_link_client_poll(struct netclock_link_client *link);

/**
 * What the link does, into `*report`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_report(const struct netclock_link_client *link,
                                            struct netclock_link_report *report);

/**
 * If the caller carries datagrams (`NETCLOCK_LINK_CARRIED`): does what is due at local time `now` (ticks), and writes the
 * datagram to send at once, of `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, to where there is room for `capacity`. Call it again
 * until nothing is due.
 * `NETCLOCK_NOTHING_DUE`: `*next` is the local time of the next call, if no datagram comes before; at most half a second
 * later. `next` may be null. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_NOT_CARRIED`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_link_client_due(struct netclock_link_client *link,
                                         int64_t now,
                                         void *datagram,
                                         size_t capacity,
                                         int64_t *next);

/**
 * If the caller carries datagrams: takes one of `length` bytes that arrived at local time `arrived` (ticks). Stamp it as
 * close to the network as possible. On an error the datagram was not used. Errors: those of `netclock_open_message` and of
 * `netclock_client_handle_reply`, `NETCLOCK_NOT_CARRIED`.
 */
netclock_status netclock_link_client_handle(struct netclock_link_client *link,
                                            const void *datagram,
                                            size_t length,
                                            int64_t arrived);

/** Another program uses the port. Choose another one, or 0 for a free one. */
#define NETCLOCK_PORT_IN_USE (-1001)

/** The system forbids the socket. Ports below 1024 need privileges. */
#define NETCLOCK_NO_PERMISSION (-1002)

/** The address is none, or none of this machine. */
#define NETCLOCK_BAD_ADDRESS (-1003)

/** The system gives no socket. */
#define NETCLOCK_NO_SOCKET (-1004)

/** The system gives no thread. */
#define NETCLOCK_NO_THREAD (-1005)

/** The link is carried: it has no socket, so it has no port and is not polled. */
#define NETCLOCK_CARRIED (-1006)

/** The link has a thread, so it is not polled. */
#define NETCLOCK_NOT_POLLED (-1007)

/** The link has a socket, so the caller does not carry its datagrams. */
#define NETCLOCK_NOT_CARRIED (-1008)

/* ===============================================================================================
 * World time
 *
 * A game world has a clock of its own, which pauses, slows down and starts again. The server publishes it
 * as segments of real time; clients show the world's time from them.
 * Statuses: 400 to 499, positive and negative.
 * =============================================================================================== */

/** Length of a segment as a datagram, in bytes. */
#define NETCLOCK_SEGMENT_SIZE 72

/**
 * A segment: from the server's real time `real` on, a world's clock reads `world + (now - real) * rate`,
 * until a newer segment begins. Times are in ticks. Set `struct_size` before a call that fills it.
 */
typedef struct netclock_world_segment {
    /** `sizeof(netclock_world_segment)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the world: another map, another clock. May wrap. */
    uint32_t instance;
    /** Number of the segment within its world. May wrap. */
    uint32_t version;
    /** 1 while the world stands still, and `rate` is ignored; else 0. */
    int32_t paused;
    /** The server epoch that `real` belongs to, as in `netclock_reply.epoch`. */
    uint64_t server_epoch;
    /** Until this instant of real time the segment before was right; at most `real`. */
    int64_t since;
    /** Where the line begins: the server's real time. */
    int64_t real;
    /** What the world's clock reads there. */
    int64_t world;
    /**
     * World ticks per real tick, 1e-4 to 100; 0 while paused. The value that the library gives is sent
     * without loss.
     */
    double rate;
    /** How far the world's clock may be from the line, in world time. (0 to 1 h) */
    int64_t tolerance;
    /**
     * The segment is known to be in force until this instant of real time, at least `real`.
     * `NETCLOCK_UNKNOWN_TIME` if that is not known.
     */
    int64_t through;
} netclock_world_segment;

/**
 * Writes a segment as a datagram of `NETCLOCK_SEGMENT_SIZE` bytes into a buffer of `capacity` bytes. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
 * and for an invalid segment `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_TOLERANCE_OUT_OF_RANGE`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_encode_segment(const struct netclock_world_segment *segment,
                                        void *datagram,
                                        size_t capacity);

/**
 * Reads a segment from a datagram of `length` bytes. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, or one of `NETCLOCK_WIRE_...` for a datagram to be ignored.
 */
NETCLOCK_NODISCARD
netclock_status netclock_decode_segment(const void *datagram,
                                        size_t length,
                                        struct netclock_world_segment *segment);

/** Publishes one clock of the server's world. Opaque. Calls on it wait for each other. */
typedef struct netclock_publisher netclock_publisher;

/**
 * Settings of a publisher. Set `struct_size` to `sizeof(netclock_publisher_config)`, and everything else to
 * zero for the defaults. A field that is not zero replaces its default.
 */
typedef struct netclock_publisher_config {
    /** `sizeof(netclock_publisher_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * The most segments in any one second; a quarter of them may come at once. When they are scarce, new
     * segments have a wider tolerance. (count, 2 to 1000, default 20)
     */
    uint32_t max_per_second;
    /**
     * How far the line may be from the world's clock before the next segment is published. (world ticks, 10
     * us to 1 s, default 0.5 ms)
     */
    int64_t tolerance;
    /**
     * How much later real time may be read than the world's clock was set. A lag above this plus the
     * tolerance is treated as lost time at once. (real ticks, 1 to 1 s, default 0.5 ms)
     */
    int64_t read_lag;
    /** Step of the world's clock as it is read. (world ticks, 1 to 1 s, default 1) */
    int64_t resolution;
} netclock_publisher_config;

/**
 * Creates a publisher and stores it in `*publisher`. Give it back to `netclock_publisher_destroy`.
 * `config` may be null for all defaults. `server_epoch` names the run of the server's clock as its
 * replies do, and `instance` names the world. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_publisher_create(const struct netclock_publisher_config *config,
                                          uint64_t server_epoch,
                                          uint32_t instance,
                                          struct netclock_publisher **publisher);

/**
 * Destroys a publisher, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_publisher_destroy(struct netclock_publisher *publisher);

/**
 * Begins another world with the next frame, under the next instance. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_publisher_begin_world(struct netclock_publisher *publisher);

/**
 * Observes a frame of the server; call it in every frame. At the real time `real` the world's clock reads
 * `world` (ticks). From there it runs at `rate` world ticks per real tick, 1e-4 to 100, or stands still if
 * `paused` is not 0. Read `real` as soon as possible after the world's clock was set. `NETCLOCK_OK`: send
 * `*segment` to every client. `NETCLOCK_NOTHING_DUE`: it is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_WORLD_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_publisher_observe(struct netclock_publisher *publisher,
                                           int64_t real,
                                           int64_t world,
                                           double rate,
                                           int32_t paused,
                                           struct netclock_world_segment *segment);

/**
 * The newest segment, and until which frame (`through`) the server may confirm it, into `*segment`. Send it to clients
 * that join, and from time to time to all, if segments may get lost. `NETCLOCK_NO_WORLD`: the world has had
 * no frame. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_publisher_newest(const struct netclock_publisher *publisher,
                                          struct netclock_world_segment *segment);

/** A client's view of one clock of the server's world. Opaque. Calls on it wait for each other. */
typedef struct netclock_timeline netclock_timeline;

/**
 * Settings of a timeline. Set `struct_size` to `sizeof(netclock_timeline_config)`, and everything else to
 * zero for the defaults. A field that is not zero replaces its default.
 */
typedef struct netclock_timeline_config {
    /** `sizeof(netclock_timeline_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /**
     * How much faster or slower than its own rate a world is shown while it slews to late news. It is a
     * fraction of real time, or of the world's rate if that is more. (fraction, 0.001 to 1, default 0.25)
     */
    double max_slew;
    /**
     * If the world is further ahead than this, the shown time steps forwards once. If it is shown further
     * ahead than this, it stands still until it is not. (world ticks, 1 ms to 1 h, default 250 ms)
     */
    int64_t step_threshold;
    /**
     * The fastest that the world may run before anybody has said so: for the error bound. (world ticks per
     * real tick, 1e-4 to 100, default 1)
     */
    double max_rate;
} netclock_timeline_config;

/**
 * Everything a timeline says about one instant; all fields belong together. Times are in ticks. Set
 * `struct_size` before the call.
 */
typedef struct netclock_world_reading {
    /** `sizeof(netclock_world_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Counts the stretches in which shown time never goes backwards. Every world, every run of the server's
     * clock, and every step of the clock begins another one. 0 in readings that are not shown.
     */
    uint32_t epoch;
    /** What the world's clock reads. */
    int64_t world_time;
    /**
     * Hard bound: the world's clock is within `world_time` plus or minus this. It covers changes that the
     * client cannot have heard of yet, if the world runs no faster than `max_rate`, or than the newest
     * segment's rate if that is more. `NETCLOCK_UNBOUNDED` if nothing can be promised.
     */
    int64_t error_bound;
    /**
     * The hard bound if the newest segment is still in force. `NETCLOCK_UNBOUNDED` if nothing can be
     * promised.
     */
    int64_t error_bound_if_unchanged;
    /** How far the shown time is ahead of the segments while it slews to late news; negative: behind. */
    int64_t ahead;
    /** How far the world stepped with this reading; mostly zero. */
    int64_t jump;
    /** World ticks per real tick, without slewing; 0 while paused. */
    double rate;
    /** Which world it is. */
    uint32_t instance;
    /** Which of its segments was read. */
    uint32_t version;
    /** 1 while the world stands still, else 0. */
    int32_t paused;
    /** 1 if the server announced a newer segment or world that has not arrived, else 0. */
    int32_t is_missing_news;
} netclock_world_reading;

/** How long ago something was, in ticks; negative for the future. */
typedef struct netclock_world_age {
    /** In real time. */
    int64_t real;
    /** In world time: how far the world has moved since. */
    int64_t world;
} netclock_world_age;

/**
 * Creates a timeline that knows no world yet and stores it in `*timeline`. Give it back to
 * `netclock_timeline_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_create(const struct netclock_timeline_config *config,
                                         struct netclock_timeline **timeline);

/**
 * Destroys a timeline, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_timeline_destroy(struct netclock_timeline *timeline);

/**
 * Inserts a segment that arrived, in any order. `NETCLOCK_ALREADY_KNOWN`: it had arrived before. A newer
 * world drops the segments of the older one. A segment of another run of the server's clock waits until a
 * shown reading is about that run. Errors: `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_TOLERANCE_OUT_OF_RANGE`, `NETCLOCK_SEGMENT_OUTDATED`, `NETCLOCK_SEGMENT_CONFLICT`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_insert(struct netclock_timeline *timeline,
                                         const struct netclock_world_segment *segment);

/**
 * Confirms the newest segment: the server says, with a reply for example, that at its real time `through`
 * (ticks) its newest segment was `version` of the world `instance`. `through` must not be later than that of
 * `netclock_publisher_newest`, even if the reply is: a change counts from the last observed frame on.
 * `NETCLOCK_NO_WORLD`: no segment of that run of its clock is known. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_SEGMENT_OUTDATED` for an older world, `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_confirm(struct netclock_timeline *timeline,
                                          uint64_t server_epoch,
                                          uint32_t instance,
                                          uint32_t version,
                                          int64_t through);

/**
 * The world's time to be shown now, into `*reading`. It never goes back within an epoch. Call it once a
 * frame. `now` is what `netclock_client_read` gave, or a reading that you make from another clock of the
 * server's real time: only `server_time`, `error_bound`, `server_epoch`, `epoch` and whether its `state` is `NETCLOCK_STATE_UNSYNCED` are used.
 * Readings may come in any order, from any thread. If `now` is before an earlier one of its epoch, the world
 * is shown as it was last, and `ahead` says how far that is ahead of `now`. `NETCLOCK_NOT_SYNCED`,
 * `NETCLOCK_NO_WORLD`: `*reading` is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_show(struct netclock_timeline *timeline,
                                       const struct netclock_reading *now,
                                       struct netclock_world_reading *reading);

/**
 * What the world's clock read or will read at the server's real time `real` (ticks), by the segments that
 * have arrived, into `*reading`. It is not slewed, so it may differ from the shown time.
 * `NETCLOCK_NO_WORLD`: `*reading` is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_world_at(const struct netclock_timeline *timeline,
                                           uint64_t server_epoch,
                                           int64_t real,
                                           struct netclock_world_reading *reading);

/**
 * The first and the last real time of the server at which the world's clock reads `world`, into `*first` and
 * `*last` (ticks). They are far apart if the world stands still there. `*last` is 2^62 - 1 if it does so for
 * good, as far as is known. `NETCLOCK_NEVER`, `NETCLOCK_NO_WORLD`: both are unchanged. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_real_at(const struct netclock_timeline *timeline,
                                          uint64_t server_epoch,
                                          int64_t world,
                                          int64_t *first,
                                          int64_t *last);

/**
 * How long ago the server's real time `stamp` (ticks) was at `now`, in real time and in world time, into
 * `*age`. `now` and errors as for `netclock_timeline_show`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_age_of_real(const struct netclock_timeline *timeline,
                                              const struct netclock_reading *now,
                                              int64_t stamp,
                                              struct netclock_world_age *age);

/**
 * How long ago the world's clock read `stamp` (ticks), in real time and in world time, into `*age`. If the
 * world stood still there, the end of the pause counts. `NETCLOCK_NEVER`: it never reads that, as far as is
 * known. `now` and errors as for `netclock_timeline_show`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_age_of_world(const struct netclock_timeline *timeline,
                                               const struct netclock_reading *now,
                                               int64_t stamp,
                                               struct netclock_world_age *age);

/** There is no world time, because no segment of this run of the server's clock arrived. */
#define NETCLOCK_NO_WORLD 401

/** The world's clock never reads this, as far as is known. */
#define NETCLOCK_NEVER 402

/** The segment was known. */
#define NETCLOCK_ALREADY_KNOWN 403

/** The rate of a world that runs is not within 1e-4 and 100. */
#define NETCLOCK_RATE_OUT_OF_RANGE (-401)

/** A segment's tolerance is not within 0 and an hour. */
#define NETCLOCK_TOLERANCE_OUT_OF_RANGE (-402)

/**
 * The segment is outdated. Newer ones replaced it, or it is of an older world, or of a run of the server that is
 * over.
 */
#define NETCLOCK_SEGMENT_OUTDATED (-403)

/** Another segment with the same version is known. */
#define NETCLOCK_SEGMENT_CONFLICT (-404)

/** The server's real time is before that of an earlier call. */
#define NETCLOCK_REAL_WENT_BACKWARDS (-405)

/** The world's time is before that of an earlier call: begin another world. */
#define NETCLOCK_WORLD_WENT_BACKWARDS (-406)

/* ===============================================================================================
 * The server's UTC
 *
 * The server says what UTC its clock's zero is, and again when that changes: a claim. Clients add server
 * time, and show UTC with a bound. UTC may jump with each claim, forwards and backwards: use it for dates,
 * and server time for durations.
 * Statuses: 900 to 999, positive and negative.
 * =============================================================================================== */

/** Length of a request for a claim about UTC and of its reply as datagrams, in bytes. */
#define NETCLOCK_UTC_DATAGRAM_SIZE 48

/**
 * A server's claim: UTC is `zero` plus server time. UTC is in ticks since 1970-01-01 00:00 as POSIX counts
 * it: every day has 86,400 s, and leap seconds have no number of their own. Set `struct_size` before each
 * call.
 */
typedef struct netclock_utc_claim {
    /** `sizeof(netclock_utc_claim)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the claim within its server epoch. May wrap. */
    uint32_t version;
    /** The server epoch that `zero` and `read` belong to, as in `netclock_reply.epoch`. */
    uint64_t server_epoch;
    /** UTC when the server's clock reads zero. It may be before 1970. */
    int64_t zero;
    /** When the server read both clocks, in ticks of server time. */
    int64_t read;
    /**
     * How far the claimed UTC may be off true UTC at `read`. `NETCLOCK_UNBOUNDED` if nobody states it.
     * (ticks, 0 to 2^32 - 2)
     */
    int64_t bound;
    /** How fast the server's clock may run away from UTC. (ppm, 0 to 100000) */
    uint64_t drift_ppm;
} netclock_utc_claim;

/**
 * Reads the machine's UTC and `netclock_monotonic_now` as one, for `netclock_utc_publisher_observe`. At local
 * time `*local` UTC was `*utc`, in ticks since 1970, give or take `*uncertainty`. Add that to the bound of the
 * machine's source of time.
 *
 * UTC is read between two reads of the other clock, up to five times, and the closest pair counts. That takes
 * about a microsecond. UTC is `CLOCK_REALTIME` on Unix and `GetSystemTimePreciseAsFileTime` on Windows. People
 * and time services set it, slew it, and may smear leap seconds. `NETCLOCK_NO_UTC`: this system has no UTC,
 * and outputs are unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_now(int64_t *local,
                                 int64_t *utc,
                                 int64_t *uncertainty);

/** Says what UTC the zero of the server's clock is. Opaque. Calls on it wait for each other. */
typedef struct netclock_utc_publisher netclock_utc_publisher;

/**
 * Settings of a publisher of UTC. Set `struct_size` to `sizeof(netclock_utc_publisher_config)`, and
 * everything else to zero for the defaults. A field that is not zero replaces its default.
 */
typedef struct netclock_utc_publisher_config {
    /** `sizeof(netclock_utc_publisher_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** How fast the server's clock may run away from UTC. (ppm, 1 to 100000, default 50) */
    uint32_t drift_ppm;
    /**
     * How far UTC may move against the claim before there is another claim. Stated bounds are wider by it.
     * (ticks, 10 us to 1 h, default 1 ms)
     */
    int64_t tolerance;
    /**
     * The longest time between two claims. In between, bounds grow with the drift. (ticks, 1 s to 1 h,
     * default 60 s)
     */
    int64_t refresh;
} netclock_utc_publisher_config;

/**
 * Creates a publisher of UTC that has observed nothing and stores it in `*publisher`. Give it back to
 * `netclock_utc_publisher_destroy`. `config` may be null for all defaults. `server_epoch` names the run of the
 * server's clock as its replies do. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_create(const struct netclock_utc_publisher_config *config,
                                              uint64_t server_epoch,
                                              struct netclock_utc_publisher **publisher);

/**
 * Destroys a publisher of UTC, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_utc_publisher_destroy(struct netclock_utc_publisher *publisher);

/**
 * Observes that at server time `at` (ticks) the machine's UTC was `utc` (ticks since 1970), within
 * `error_bound` (ticks) of true UTC. `NETCLOCK_UNBOUNDED`: nobody states a bound. Above 429 s counts as that too.
 * Call it about once a second; `netclock_utc_now` reads both clocks. `NETCLOCK_OK`: the last claim does not hold
 * any more, so send `*claim` to every client. There is at most one claim a second. `NETCLOCK_NOTHING_DUE`: it is
 * unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative bound, `NETCLOCK_TIME_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_observe(struct netclock_utc_publisher *publisher,
                                               int64_t at,
                                               int64_t utc,
                                               int64_t error_bound,
                                               struct netclock_utc_claim *claim);

/**
 * The newest claim, into `*claim`. Send it to clients that join. `NETCLOCK_NO_UTC`: nothing was observed, and
 * `*claim` is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_newest(const struct netclock_utc_publisher *publisher,
                                              struct netclock_utc_claim *claim);

/**
 * The server's reply to a client's request of `length` bytes (`netclock_server_utc_request`): a datagram of
 * `NETCLOCK_UTC_DATAGRAM_SIZE` bytes with the newest claim, written into a buffer of `capacity` bytes. It is as long
 * as the request. `NETCLOCK_NO_UTC`: nothing was observed, send nothing. Errors: one of `NETCLOCK_WIRE_...`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_publisher_respond(const struct netclock_utc_publisher *publisher,
                                               const void *request,
                                               size_t length,
                                               void *datagram,
                                               size_t capacity);

/**
 * What a client knows of its server's UTC. Opaque. Calls on it wait for each other. They take less than a
 * microsecond, so any thread may read.
 */
typedef struct netclock_server_utc netclock_server_utc;

/** The server's UTC at one instant. Set `struct_size` before the call. */
typedef struct netclock_utc_reading {
    /** `sizeof(netclock_utc_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the claim. Another number, or another server epoch, means that UTC may have jumped. */
    uint32_t version;
    /** UTC as the server claims it, in ticks since 1970-01-01 00:00, without leap seconds. */
    int64_t utc;
    /**
     * True UTC is within `utc` plus or minus this (ticks), if the server's source of time is right.
     * `NETCLOCK_UNBOUNDED` if nobody states how good the server's UTC is, or the clock has no bound.
     */
    int64_t error_bound;
} netclock_utc_reading;

/**
 * Creates a view that knows nothing and stores it in `*server_utc`. Give it back to
 * `netclock_server_utc_destroy`. `seed_high` and `seed_low` make request ids unguessable: draw 128 bits from the
 * operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG`,
 * `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_create(uint64_t seed_high,
                                           uint64_t seed_low,
                                           struct netclock_server_utc **server_utc);

/**
 * Destroys a view, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
 */
netclock_status netclock_server_utc_destroy(struct netclock_server_utc *server_utc);

/**
 * Adopts a claim that came over a transport that nobody else can write to, such as an engine's replication. Claims
 * may come in any order: the newest version of a server epoch counts. `*jump` says how far UTC jumps (ticks,
 * positive: forwards; 0 for the first claim of a server epoch). `NETCLOCK_SAME_UTC`: it was known, and `*jump` is
 * unchanged. Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` (bound or
 * drift), `NETCLOCK_UTC_OUTDATED`, `NETCLOCK_UTC_CONFLICT`, `NETCLOCK_UTC_LEAP`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_insert(struct netclock_server_utc *server_utc,
                                           const struct netclock_utc_claim *claim,
                                           int64_t *jump);

/**
 * Makes a request for the server's claim at local time `now` (ticks), as a datagram of `NETCLOCK_UTC_DATAGRAM_SIZE`
 * bytes, into a buffer of `capacity` bytes. Call it every frame after `netclock_client_tick`, once
 * the clock is synced and if your servers answer such requests. `server_epoch` is that of the client's reading. A
 * request about a server epoch is due at once, then ever less often until there is an answer, then every 16 s. `NETCLOCK_NOTHING_DUE`: the
 * buffer is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_request(struct netclock_server_utc *server_utc,
                                            int64_t now,
                                            uint64_t server_epoch,
                                            void *datagram,
                                            size_t capacity);

/**
 * Handles the server's reply of `length` bytes that arrived at local time `arrived` (ticks). If it answers a request
 * of this view, it adopts the claim, as `netclock_server_utc_insert`, but whatever its version: the reply is what
 * the server says now. Each request is answered once. Errors: one of `NETCLOCK_WIRE_...`,
 * `NETCLOCK_UNKNOWN_REQUEST`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_handle_reply(struct netclock_server_utc *server_utc,
                                                 const void *datagram,
                                                 size_t length,
                                                 int64_t arrived,
                                                 int64_t *jump);

/**
 * UTC at `now`, into `*reading`. `now` is what `netclock_client_read` gave, or a reading that you make from another
 * clock of the server's real time: only `server_time`, `error_bound`, `server_epoch` and whether its `state` is `NETCLOCK_STATE_UNSYNCED` are used.
 * UTC may jump, either way, when the claim changes. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_UTC`: `*reading` is
 * unchanged. Callable from any thread. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_read(const struct netclock_server_utc *server_utc,
                                         const struct netclock_reading *now,
                                         struct netclock_utc_reading *reading);

/**
 * The server time (ticks) at which UTC is `utc` (ticks since 1970), by the newest claim about this run of the
 * server's clock, into `*server_time`. Wait for that server time, and ask again when the claim changes.
 * `NETCLOCK_NO_UTC`: it is unchanged. Callable from any thread. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_server_utc_server_time_at(const struct netclock_server_utc *server_utc,
                                                   uint64_t server_epoch,
                                                   int64_t utc,
                                                   int64_t *server_time);

/** UTC is unknown: the server has not said what UTC its clock's zero is, or the system has no UTC. */
#define NETCLOCK_NO_UTC 901

/** The claim says what was known. */
#define NETCLOCK_SAME_UTC 902

/** UTC is not between the years 1970 and 9999. */
#define NETCLOCK_UTC_OUT_OF_RANGE (-901)

/** A newer claim about UTC is known. */
#define NETCLOCK_UTC_OUTDATED (-902)

/** Another claim about UTC with the same version is known. */
#define NETCLOCK_UTC_CONFLICT (-903)

/** The version of a claim about UTC leaps further than a server gets. It is forged. */
#define NETCLOCK_UTC_LEAP (-904)

/* ===============================================================================================
 * Starts and beats
 *
 * Clients start at one instant. The organiser on the server announces it to a participant on each client;
 * from there, beats count fixed steps.
 * Statuses: 600 to 699, positive and negative.
 * =============================================================================================== */

/** Hold-up: the participant is ready. */
#define NETCLOCK_HOLD_UP_NONE 0

/** Hold-up: nothing was heard from it for 1.5 s, or ever. */
#define NETCLOCK_HOLD_UP_SILENT 1

/** Hold-up: it is not in sync, in doubt, or in sync with another run of the server's clock. */
#define NETCLOCK_HOLD_UP_UNSYNCED 2

/** Hold-up: its expected error is above `max_expected_error`. */
#define NETCLOCK_HOLD_UP_INACCURATE 3

/** Hold-up: announcing a start to it would take longer than half of `patience`. */
#define NETCLOCK_HOLD_UP_TOO_SLOW 4

/**
 * Settings of an organiser. Set `struct_size` to `sizeof(netclock_organiser_config)`, and everything else to
 * zero for the defaults. A field that is not zero replaces its default. Durations are in ticks of 100 ns.
 */
typedef struct netclock_organiser_config {
    /** `sizeof(netclock_organiser_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Most participants at a time. Their memory is allocated at creation. (count, 1 to 1024, default 64) */
    uint32_t capacity;
    /**
     * The longest that participants can delay a start, counted from the first proposal. Half of it is for
     * waiting until they are ready, half for announcing. (ticks, 100 ms to 10 min, default 10 s)
     */
    int64_t patience;
    /** A participant whose clock has a larger expected error is not ready. (ticks, 1 to 1 s, default 1 ms) */
    int64_t max_expected_error;
    /** Time between two copies of an announcement. (ticks, 5 ms to 1 s, default 50 ms) */
    int64_t interval;
    /**
     * The slowest frame of server and clients. Messages leave, arrive and are handled at frames. (ticks, 1
     * to 1 s, default 1/30 s)
     */
    int64_t frame;
    /** The least loss to expect, as a share of messages. (0.01 to 0.9, default 0.2) */
    double loss;
} netclock_organiser_config;

/** The outcome of a proposal. Set `struct_size` before the call. */
typedef struct netclock_start_proposal {
    /** `sizeof(netclock_start_proposal)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_HOLD_UP_...`: why the start is held up; none if it is scheduled. */
    int32_t hold_up;
    /**
     * Server time in ticks. Scheduled: the start. Held up: until when the organiser waits for participants.
     */
    int64_t at;
    /**
     * Scheduled: the participant that needs the longest announcement. Held up: the first that is not ready.
     */
    uint64_t participant;
    /**
     * How many are not ready. Scheduled: the organiser waits for them no longer; it tells them, but promises
     * nothing about them.
     */
    uint32_t not_ready;
    /**
     * Scheduled: the number of this announcement. Each start and each cancellation has the next number. Held
     * up: zero.
     */
    uint32_t version;
} netclock_start_proposal;

/**
 * What an organiser knows about a participant, from the participant's own claims. Set `struct_size` before
 * the call. Durations are in ticks; `NETCLOCK_UNBOUNDED` if nothing is known.
 */
typedef struct netclock_start_participation {
    /** `sizeof(netclock_start_participation)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_HOLD_UP_...`: why a start would wait for it; none if it is ready. */
    int32_t hold_up;
    /** How long before a start it must be announced, at the confidence of the last proposal. */
    int64_t lead;
    /** Error bound of its clock. */
    int64_t error_bound;
    /** Expected error of its clock. */
    int64_t expected_error;
    /** Its smallest recent round trip. */
    int64_t round_trip;
    /** Share of its messages that are lost, estimated cautiously. (0 to 0.9) */
    double loss;
    /**
     * How long after the present start its frame was, by its own clock. `NETCLOCK_UNBOUNDED`: it has not
     * said that it started.
     */
    int64_t lateness;
    /** Error bound of its clock then. */
    int64_t lateness_bound;
    /** 1 if it was ready when the present start was scheduled, so that it counts for the spread; else 0. */
    int32_t counted;
    /** 1 if it knows of the present start, or of its cancellation; else 0. */
    int32_t acknowledged;
} netclock_start_participation;

/**
 * The result of the newest start, as its participants report it. Set `struct_size` before the call. Counts
 * and times include only participants that were ready when it was scheduled and are still there.
 */
typedef struct netclock_start_result {
    /** `sizeof(netclock_start_result)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the newest announcement. */
    uint32_t version;
    /** The scheduled start: server time in ticks. */
    int64_t at;
    /** Lateness of the first participant that started, in ticks. */
    int64_t earliest;
    /** Lateness of the last one, in ticks. The difference is the spread. */
    int64_t latest;
    /** The largest error bound of their clocks then, in ticks; `NETCLOCK_UNBOUNDED` if one had none. */
    int64_t error_bound;
    /** How many participants there are. */
    uint32_t counted;
    /** How many of them acknowledged the newest announcement. */
    uint32_t acknowledged;
    /** How many of them report that they started. */
    uint32_t fired;
    /** 1 if the newest announcement is a cancellation, else 0. */
    int32_t cancelled;
} netclock_start_result;

/**
 * An organiser: plans a start, announces it until all know it, and collects when they started. Opaque. Calls
 * on it wait for each other.
 */
typedef struct netclock_organiser netclock_organiser;

/**
 * Creates an organiser of starts and stores it in `*organiser`. Give it back to
 * `netclock_organiser_destroy`. `config` may be null for all defaults. `server_epoch` is the epoch of
 * the server that answers requests for the time. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_create(const struct netclock_organiser_config *config,
                                          uint64_t server_epoch,
                                          struct netclock_organiser **organiser);

/**
 * Destroys an organiser, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_organiser_destroy(struct netclock_organiser *organiser);

/**
 * Admits `participant` to starts from now on: any number that names a connection of yours. If it is admitted
 * after a start, it is told of that start. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_DUPLICATE`,
 * `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_admit(struct netclock_organiser *organiser,
                                         uint64_t participant);

/**
 * Removes `participant`: nobody waits for it, and it is told nothing more. If a client reconnects with a new
 * key, remove it and admit it again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_remove(struct netclock_organiser *organiser,
                                          uint64_t participant);

/**
 * Schedules a start as early as all ready participants learn of it in time with probability `confidence`
 * (above 0.5, at most 0.99999), or says who is not ready. `now` is server time in ticks. `NETCLOCK_OK`:
 * `*proposal` has the start. `NETCLOCK_HELD_UP`: `*proposal` says who holds it up and why; call again later.
 * Errors, which leave `*proposal` unchanged: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG` for the confidence, `NETCLOCK_START_PENDING`, `NETCLOCK_UNKNOWN_PARTICIPANT` if
 * nobody was admitted, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_propose(struct netclock_organiser *organiser,
                                           int64_t now,
                                           double confidence,
                                           struct netclock_start_proposal *proposal);

/**
 * Cancels the start that is under way; `now` is server time in ticks. A participant that acknowledges the
 * cancellation will not start. One that does not hear of it in time starts, and reports that.
 * `NETCLOCK_NO_START`: none is under way, or its time has come. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_cancel(struct netclock_organiser *organiser,
                                          int64_t now);

/**
 * Handles a datagram of `length` bytes from `participant` that arrived at server time `now` (ticks). Errors,
 * of which the first two are normal events on a network: `NETCLOCK_DUPLICATE`, `NETCLOCK_STALE`,
 * `NETCLOCK_WRONG_KEY`, `NETCLOCK_IMPLAUSIBLE`, `NETCLOCK_UNKNOWN_PARTICIPANT`, one of `NETCLOCK_WIRE_...`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_receive(struct netclock_organiser *organiser,
                                           uint64_t participant,
                                           const void *datagram,
                                           size_t length,
                                           int64_t now);

/**
 * The next datagram to send at server time `now` (ticks), of `NETCLOCK_DATAGRAM_SIZE` bytes, into a buffer
 * of `capacity` bytes, and its receiver into `*participant`. Call it in every frame until it returns
 * `NETCLOCK_NOTHING_DUE`, which leaves both unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_next_message(struct netclock_organiser *organiser,
                                                int64_t now,
                                                uint64_t *participant,
                                                void *datagram,
                                                size_t capacity);

/**
 * What the organiser knows about `participant` at server time `now` (ticks), into `*participation`. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_participation(struct netclock_organiser *organiser,
                                                 uint64_t participant,
                                                 int64_t now,
                                                 struct netclock_start_participation *participation);

/**
 * The result of the newest start, into `*outcome`. `NETCLOCK_NO_START`: there was none yet, and `*outcome` is
 * unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_result(struct netclock_organiser *organiser,
                                          struct netclock_start_result *outcome);

/** Stage: no start was announced, or it was cancelled. */
#define NETCLOCK_STAGE_WAITING 0

/** Stage: a start was announced and is to come. */
#define NETCLOCK_STAGE_ANNOUNCED 1

/** Stage: it started. */
#define NETCLOCK_STAGE_STARTED 2

/** Stage: it heard of a start after its time, as late joiners do, and continues from there. */
#define NETCLOCK_STAGE_JOINED 3

/** A participant: takes part in the starts of one server. Opaque. Calls on it wait for each other. */
typedef struct netclock_participant netclock_participant;

/**
 * What a participant knows in a frame. Set `struct_size` before the call. Fields without a value are zero.
 */
typedef struct netclock_start_progress {
    /** `sizeof(netclock_start_progress)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_STAGE_...`. Started and joined stay until the next announcement. */
    int32_t stage;
    /** 1 in the frame to start in, once for each start; else 0. */
    int32_t fires;
    /** Number of the start's announcement. */
    uint32_t version;
    /** When the start is or was: server time in ticks. */
    int64_t at;
    /** After the start: how long after `at` that frame was, by its own clock, in ticks. */
    int64_t lateness;
    /**
     * After the start: error bound of its clock then, in ticks. `NETCLOCK_UNBOUNDED` if nothing could be
     * promised.
     */
    int64_t error_bound;
    /** After the start: expected error of its clock then, in ticks. */
    int64_t expected_error;
} netclock_start_progress;

/**
 * Creates a participant that knows no start and stores it in `*participant`. Give it back to
 * `netclock_participant_destroy`. `key` makes its messages unguessable: draw 64 bits from the operating
 * system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_participant_create(uint64_t key,
                                            struct netclock_participant **participant);

/**
 * Destroys a participant, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_participant_destroy(struct netclock_participant *participant);

/**
 * Handles a datagram of `length` bytes from the organiser. A repeated announcement is answered again,
 * because the answer may have been lost. Errors: `NETCLOCK_STALE`, `NETCLOCK_WRONG_KEY`,
 * `NETCLOCK_OTHER_SERVER_EPOCH` (also while the clock is not in sync), one of `NETCLOCK_WIRE_...`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_participant_receive(struct netclock_participant *participant,
                                             const void *datagram,
                                             size_t length);

/**
 * What to do in the frame at local time `now` (ticks), by the clock of `client`, into `*progress`. Call it
 * in every frame. `fires` is 1 in the first frame in which the shown server time has reached the start, and
 * never earlier. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED` (of either handle).
 */
NETCLOCK_NODISCARD
netclock_status netclock_participant_tick(struct netclock_participant *participant,
                                          const struct netclock_client *client,
                                          int64_t now,
                                          struct netclock_start_progress *progress);

/**
 * The next datagram to send to the organiser, of `NETCLOCK_DATAGRAM_SIZE` bytes, into a buffer of `capacity`
 * bytes. Call it in every frame until it returns `NETCLOCK_NOTHING_DUE`, which leaves the buffer unchanged.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_participant_next_message(struct netclock_participant *participant,
                                                  void *datagram,
                                                  size_t capacity);

/**
 * Beats at a rational rate from an origin, and how far a simulation has run by them. Fill in all fields.
 * Copy it with the state of the simulation, to go back to that state later.
 */
typedef struct netclock_beat {
    /** When beat 0 begins: server time in ticks. */
    int64_t origin;
    /** Number of the next step to run, at first zero. `netclock_beat_advance` increases it. */
    int64_t next;
    /**
     * Beats in `seconds`: 60 in 1, 60000 in 1001, or 1000 in N for one every N ms. (1 to 240 for each
     * second)
     */
    uint32_t beats;
    /** Seconds for `beats`. (1 to 10000) */
    uint32_t seconds;
    /** Most steps to run in one call. (zero: 5) */
    uint32_t max_steps;
    /**
     * If more steps than this are due, the oldest are skipped until this many are left. (zero: none is ever
     * skipped)
     */
    uint32_t max_behind;
} netclock_beat;

/** What a simulation has to run in this frame. */
typedef struct netclock_beat_steps {
    /** Number of the first step to run. */
    int64_t first;
    /** How many to run, with consecutive numbers. */
    int64_t count;
    /**
     * Steps that were skipped for good just before `first`, because more than `max_behind` were due. Zero:
     * none.
     */
    int64_t skipped;
    /** Steps that are due, too, and left for the next call. */
    int64_t behind;
    /** Fraction of the beat under way that has passed, from 0 to just below 1. */
    double alpha;
} netclock_beat_steps;

/**
 * The beat under way at server time `now` (ticks) into `*number`, negative before the origin. The fraction
 * of it that has passed, from 0 to just below 1, into `*alpha`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_BAD_CONFIG` for the rate or the origin. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_at(const struct netclock_beat *beat,
                                 int64_t now,
                                 int64_t *number,
                                 double *alpha);

/**
 * When beat `number` begins, into `*server_time`: the first tick at which `netclock_beat_at` gives this
 * number. Errors as there. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_time(const struct netclock_beat *beat,
                                   int64_t number,
                                   int64_t *server_time);

/**
 * The steps to run at server time `now` (ticks), into `*steps`; moves `beat->next` past them. Step `n` is
 * due when beat `n` begins. No number is ever given twice, and none is left out unless `skipped` declares
 * it, whatever the clock does. Errors as `netclock_beat_at`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_advance(struct netclock_beat *beat,
                                      int64_t now,
                                      struct netclock_beat_steps *steps);

/** A participant is not ready: the output says which one and why. */
#define NETCLOCK_HELD_UP 601

/** No start was scheduled, or none is under way. */
#define NETCLOCK_NO_START 602

/** A message about another run of the server's clock than the one that the client is in sync with. */
#define NETCLOCK_OTHER_SERVER_EPOCH (-601)

/** A result claims an instant before the start, or in the future. */
#define NETCLOCK_IMPLAUSIBLE (-602)

/** A start is under way: wait for it, or cancel it. */
#define NETCLOCK_START_PENDING (-603)

/* ===============================================================================================
 * Order, rewinding, prediction
 *
 * Which of two events came first, what a client saw when it acted, and how far ahead of the server to
 * predict.
 * Statuses: 500 to 599, positive and negative.
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
 * The time of an event, as a client read it or as the server stamped it. All are in ticks. For the server's
 * own stamps both errors are zero; for a client's stamp take them from its reading.
 */
typedef struct netclock_order_stamp {
    /** When, in server time. */
    int64_t time;
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
    int64_t target;
    /** How much later that is than the client claimed; negative: earlier. */
    int64_t moved;
    /** When the client acted, as far as that is plausible. Use it to arbitrate. */
    int64_t acted;
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
netclock_status netclock_rewind(int64_t claimed,
                                int64_t arrived,
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
    /** Share of messages that should be in time. (0.5 to 0.999, default 0.95) */
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
netclock_status netclock_lead_create(const struct netclock_lead_config *config,
                                     struct netclock_lead **lead);

/**
 * Destroys a lead, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_lead_destroy(struct netclock_lead *lead);

/**
 * Learns from a message that went in `direction`, one of `NETCLOCK_TO_...`: any message of the game with two
 * known stamps, and the clock's own exchanges. `sent` and `arrived` are server times: the server stamps by
 * its own clock, the client by its shown clock. `epoch` is that of the reading that made the client's stamp.
 * When the clock steps, the lead starts to learn again. `NETCLOCK_OUTDATED`: of an epoch that has ended, not
 * used. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for another
 * direction or stamps more than 60 s apart, `NETCLOCK_POISONED`.
 */
netclock_status netclock_lead_learn(struct netclock_lead *lead,
                                    int32_t direction,
                                    uint32_t epoch,
                                    int64_t sent,
                                    int64_t arrived);

/**
 * The lead and the interpolation delay that the messages so far suggest, in ticks. With the configured
 * probability, a message sent now is handled before the shown server time plus `*ahead`. If others are shown
 * `*behind` the shown server time, then with that probability there are two states to interpolate between.
 * Either may be null. `NETCLOCK_NO_MESSAGES`: no message was learnt yet in a direction that was asked for;
 * its value is `NETCLOCK_UNBOUNDED`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_lead_suggest(const struct netclock_lead *lead,
                                      int64_t *ahead,
                                      int64_t *behind);

/** No message was learnt yet in a direction that was asked for. */
#define NETCLOCK_NO_MESSAGES 501

/** The message belongs to an epoch of the clock that has ended, and is not used. */
#define NETCLOCK_OUTDATED 502

/* ===============================================================================================
 * Changes of latency
 *
 * Whether the delays to the server or back changed, and at what speed to play until the change is hidden.
 * Statuses: 700 to 799, positive and negative.
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
    /** Mean time between false reports on a path that does not change. (hours, 0.1 to 10000, default 100) */
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
    int64_t since;
    /** When the last of them arrived. (ticks of the local clock) */
    int64_t found;
    /** Confidence: one minus the false reports per hour expected at this strength of evidence. (0 to 1) */
    double confidence;
} netclock_latency_change;

/** The present delays, by the shown clock; in ticks. Set `struct_size` before the call. */
typedef struct netclock_latency_levels {
    /** `sizeof(netclock_latency_levels)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** The typical delay (median) to the server since the last change. */
    int64_t to_server;
    /** The smallest of them, of about a minute. */
    int64_t least_to_server;
    /** The typical delay (median) to the client since the last change. */
    int64_t to_client;
    /** The smallest of them, of about a minute. */
    int64_t least_to_client;
} netclock_latency_levels;

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
 * for a delay of more than 60 s, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED` (either).
 */
netclock_status netclock_latency_follow(struct netclock_latency *latency,
                                        const struct netclock_client *client);

/**
 * Learns from the four stamps of an exchange, if you have them elsewhere: sent by the client, received and
 * answered by the server, received by the client; in ticks of the clock concerned. `shown` is the shown
 * server time at `client_received`, and `epoch` that of the reading. Pass exchanges in the order of arrival.
 * `NETCLOCK_OUTDATED`: of an epoch that has ended, not used. Otherwise as `netclock_latency_follow`; also
 * `NETCLOCK_STAMP_OUT_OF_RANGE`.
 */
netclock_status netclock_latency_learn(struct netclock_latency *latency,
                                       int64_t client_sent,
                                       int64_t server_received,
                                       int64_t server_sent,
                                       int64_t client_received,
                                       int64_t shown,
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
 * The present delays of both directions, into `*levels`. `NETCLOCK_NO_MESSAGES`: no exchange was learnt yet,
 * and `*levels` is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_latency_read(const struct netclock_latency *latency,
                                      struct netclock_latency_levels *levels);

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
                                            int64_t now,
                                            struct netclock_latency_speed *speed);

/** No change of the latency is waiting. */
#define NETCLOCK_NO_CHANGE 701

/** There was nothing to learn: the exchange is known or came too soon after another, or there is none. */
#define NETCLOCK_NOTHING_NEW 702

/* ===============================================================================================
 * Watching clients' clocks
 *
 * A server can watch whether a client's clock runs at the rate of its own, to find cheats that speed their game up.
 * =============================================================================================== */

/** Level: too few reports so far. */
#define NETCLOCK_RATE_UNKNOWN 0

/** Level: delay and ordinary crystals explain everything. */
#define NETCLOCK_RATE_PLAUSIBLE 1

/** Level: only a path that behaved as paths hardly ever do could explain it. Look closer, do not punish. */
#define NETCLOCK_RATE_LIKELY 2

/** Level: no delays explain it. The clock ran at another rate, or was set. */
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
    /** The highest level so far. */
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
 * Reports a message that the client stamped `stamped` (ticks of the client's clock) and that arrived at
 * `arrived` (ticks of the server's clock). The stamp may be up to 50 ms old when the message leaves. Take
 * `arrived` as early as possible. Requests of NetClock's clients are such messages, and so is any other with
 * a stamp. Loss, duplicates and reordering do no harm.
 *
 * `heard` is the server's send time of the newest reply that the client had received when it stamped the
 * message (ticks of the server's clock). Take it from acknowledgements or from stamps that come back. A
 * stamp of the server that the client returns can be believed, because a false one only speaks against the
 * client. Pass `NETCLOCK_UNKNOWN_TIME` if it is not known: then only gains are found early, and only gains
 * beyond `max_delay` are proved.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (report in
 * the order of arrival), `NETCLOCK_ARRIVED_BEFORE_SENT` (heard after it arrived), `NETCLOCK_POISONED`.
 */
netclock_status netclock_rate_watch_report(struct netclock_rate_watch *watch,
                                           int64_t stamped,
                                           int64_t arrived,
                                           int64_t heard);

/**
 * Excuses the messages that arrive from `from` to `to` (ticks of the server's clock): they are no evidence.
 * Use it when the client's clock stood still or was set for a good reason, such as a pause of the game, a
 * change of level, or a resumed machine. If you call it afterwards, the suspicion of the last minute is
 * dropped. In either case the watch forgets what it observed until then. Two calls excuse the time between
 * them, too. Stalls of client, server or network need no excuse. Choose `to` as late as the last message
 * from before may arrive. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_TIME_WENT_BACKWARDS` (`to` is before `from`), `NETCLOCK_POISONED`.
 */
netclock_status netclock_rate_watch_excuse(struct netclock_rate_watch *watch,
                                           int64_t from,
                                           int64_t to);

/**
 * The verdict as of the newest report, into `*verdict`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_rate_watch_read(const struct netclock_rate_watch *watch,
                                         struct netclock_rate_verdict *verdict);

/* ===============================================================================================
 * Handover
 *
 * A new server takes a timescale over from the clients of a server that is gone.
 * Statuses: 300 to 399, positive and negative.
 * =============================================================================================== */

/** No participant of an adoption may lie. */
#define NETCLOCK_NO_LIARS 4294967295

/**
 * Settings of an adoption. Set `struct_size` and the timescale, and everything else to zero for the
 * defaults.
 */
typedef struct netclock_adoption_config {
    /** `sizeof(netclock_adoption_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * How many participants may lie, even together: 1 to 31, default 1, or `NETCLOCK_NO_LIARS`. The adoption
     * needs `2 * liars + 1` answers, unless the new server was a client itself.
     */
    uint32_t liars;
    /** Name of the timescale. */
    uint64_t timescale;
    /** Largest skew between the new server's clock and the timescale. (ppm, 1 to 10000, default 100) */
    double max_drift_ppm;
    /** Step of the new server's clock. (ticks, 0 to 100 ms) */
    int64_t resolution;
} netclock_adoption_config;

/** The adopted timescale on the new server's clock. Set `struct_size` before the call. */
typedef struct netclock_adoption_result {
    /** `sizeof(netclock_adoption_result)` as compiled into the caller. */
    uint32_t struct_size;
    /** Participants who answered, including the server itself if it was a client. */
    uint32_t answers;
    /** How many of them agree with the result. */
    uint32_t agreeing;
    /** Zero. */
    uint32_t reserved;
    /** Name of the timescale. */
    uint64_t timescale;
    /** Offset: add it to the raw clock to stamp replies from now on. (ticks) */
    int64_t offset;
    /** Dispersion: how far that may be off. State it to clients. (ticks) */
    int64_t dispersion;
} netclock_adoption_result;

/**
 * An adoption: a new server takes a timescale over from its clients. Opaque. It has at most 8 KiB and never
 * grows. Calls from several threads wait for each other. It asks up to 64 participants.
 */
typedef struct netclock_adoption netclock_adoption;

/**
 * Creates an adoption that knows nothing yet and stores it in `*adoption`. Give it back to
 * `netclock_adoption_destroy`. `seed_high` and `seed_low` make its requests unguessable: draw 128 bits
 * from the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_create(const struct netclock_adoption_config *config,
                                         uint64_t seed_high,
                                         uint64_t seed_low,
                                         struct netclock_adoption **adoption);

/**
 * Destroys an adoption, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_adoption_destroy(struct netclock_adoption *adoption);

/**
 * Adds the new server's own reading, if it was a client: at `raw` of the clock that it will serve by, its
 * client showed `server_time` within `error_bound`. For the bound, add the reading's bound and the
 * dispersion of `netclock_client_authority`. All are in ticks. The reading is believed against any
 * contradiction, and it is enough. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_NO_AGREEMENT` (it contradicts an earlier reading), `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_add_own_reading(struct netclock_adoption *adoption,
                                                  int64_t server_time,
                                                  int64_t error_bound,
                                                  int64_t raw);

/**
 * Makes the request to send to `participant`, a number of your choice, at `now` of the new server's raw
 * clock (ticks). It is a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
 * bytes. Send it at once to a client that asks for the time, in place of a reply: it has the same length.
 * `NETCLOCK_NOTHING_DUE`: the last request is younger than 250 ms, or the participant contradicted itself;
 * the buffer is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too
 * small, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_request(struct netclock_adoption *adoption,
                                          uint64_t participant,
                                          int64_t now,
                                          void *datagram,
                                          size_t capacity);

/**
 * Handles the reply of `length` bytes from `participant` that arrived at `arrived` of the raw clock (ticks).
 * Several replies of one participant tighten its bounds, and it still counts once. Errors: one of
 * `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_PARTICIPANT` (never asked), `NETCLOCK_UNKNOWN_REQUEST` (no such
 * request is open), `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_ARRIVED_BEFORE_SENT`, `NETCLOCK_TOO_SLOW` (more than 5 s), `NETCLOCK_LIAR` (it contradicts
 * itself, and none of its replies counts any more), `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_handle_reply(struct netclock_adoption *adoption,
                                               uint64_t participant,
                                               const void *datagram,
                                               size_t length,
                                               int64_t arrived);

/**
 * The timescale on the new server's clock, as of `now` of its raw clock (ticks), into `*adopted`. Take it
 * once, when all have answered or you have waited long enough; it holds from then on. Then stamp replies
 * with the raw clock plus `offset`, draw an epoch for a `netclock_server`, and state `dispersion`. The
 * result is the middle of what is certain. A client may show a later time: it slews. `NETCLOCK_TOO_FEW`: too
 * few answers yet, and `*adopted` is unchanged. Errors: `NETCLOCK_NO_AGREEMENT` (more lie than are
 * tolerated), `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_adoption_settle(const struct netclock_adoption *adoption,
                                         int64_t now,
                                         struct netclock_adoption_result *adopted);

/** Too few participants have answered yet. */
#define NETCLOCK_TOO_FEW 301

/** A participant contradicts itself: none of its answers counts any more. */
#define NETCLOCK_LIAR (-301)

/** More participants lie than are tolerated. No time lies within the bounds of enough participants. */
#define NETCLOCK_NO_AGREEMENT (-302)

/* ===============================================================================================
 * Peers behind a relay
 *
 * Peers that reach each other only through a relay share the clock of one of them, the primary. The
 * messages are in docs/relay-protocol.md.
 * Statuses: 800 to 899, positive and negative.
 * =============================================================================================== */

/**
 * Longest message between a relay and its peers, in bytes. Every message fits a datagram. A buffer for one
 * has this many bytes.
 */
#define NETCLOCK_MAX_MESSAGE_SIZE 1024

/** Bytes before the data in a game's own message. */
#define NETCLOCK_GAME_HEADER_SIZE 20

/** First id of a game's own messages. */
#define NETCLOCK_FIRST_GAME_ID 256

/**
 * Takes the messages between a relay and its peers out of a stream of bytes. Use one for each direction of
 * each connection. Opaque. Calls on it wait for each other. Datagrams carry one message each and need none.
 */
typedef struct netclock_stream netclock_stream;

/**
 * Creates a decoder for a new stream and stores it in `*stream`. Give it back to
 * `netclock_stream_destroy`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD netclock_status netclock_stream_create(struct netclock_stream **stream);

/**
 * Destroys a decoder, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_stream_destroy(struct netclock_stream *stream);

/**
 * Takes some of `length` bytes as they were read from the stream, and stores in `*taken` how many. Take the
 * messages out with `netclock_stream_next`, then push the rest. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STREAM_BROKEN`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_stream_push(struct netclock_stream *stream,
                                     const void *bytes,
                                     size_t length,
                                     size_t *taken);

/**
 * The next whole message, into a buffer of `capacity` bytes (at least `NETCLOCK_MAX_MESSAGE_SIZE`), and its
 * length. `NETCLOCK_INCOMPLETE`: more bytes must come. Errors, after which you close the connection:
 * `NETCLOCK_MESSAGE_SIZE` for a size that no message has, once, then `NETCLOCK_STREAM_BROKEN`. Also
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_stream_next(struct netclock_stream *stream,
                                     void *message,
                                     size_t capacity,
                                     size_t *length);

/**
 * A relay: gives peers slots in games, forwards between them, and stamps how long it held each message.
 * Opaque. Calls on it wait for each other.
 */
typedef struct netclock_relay netclock_relay;

/** Settings of a relay. Set `struct_size`, and everything else to zero for the defaults. */
typedef struct netclock_relay_config {
    /** `sizeof(netclock_relay_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Most games at a time. (1 to 256, default 16) */
    uint32_t games;
    /** Most peers of a game. (2 to 64, default 8) */
    uint32_t slots;
    /** Peers that must be there before a game begins. (1 to `slots`, default 2) */
    uint32_t players;
    /**
     * A peer that is silent for this long is gone. A primary that answers no requests for this long is
     * replaced. (ticks, 1 s to 60 s, default 3 s)
     */
    int64_t silence;
    /**
     * How long a game waits for peers whose clocks are not in sync. (ticks, 1 tick to 10 min, default 10 s)
     */
    int64_t patience;
    /**
     * What a connection may send: bytes a second, with 32 added for each message. (1000 to 10^7, default
     * 32768)
     */
    uint32_t budget;
    /**
     * Bytes that may wait for one peer, allocated at creation for each slot of each game. (2064 to 65536,
     * default 8192)
     */
    uint32_t queue;
} netclock_relay_config;

/** The state of a game at a relay. Set `struct_size` before the call. */
typedef struct netclock_relay_game {
    /** `sizeof(netclock_relay_game)` as compiled into the caller. */
    uint32_t struct_size;
    /** Peers that are there. */
    uint32_t players;
    /** How many primaries there were, including the present one. */
    uint32_t generation;
    /** 1 if the game began, else 0. */
    int32_t began;
    /** 1 if there is a primary, else 0. */
    int32_t has_primary;
    /** Zero. */
    int32_t reserved;
    /** Connection of the primary, if there is one. */
    uint64_t primary;
    /** Messages to peers that did not fit into their queues. */
    uint64_t dropped;
} netclock_relay_game;

/**
 * Creates a relay without games and stores it in `*relay`. Give it back to `netclock_relay_destroy`.
 * `config` may be null for all defaults. `seed_high` and `seed_low` make its tokens unguessable: draw
 * 128 bits from the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_create(const struct netclock_relay_config *config,
                                      uint64_t seed_high,
                                      uint64_t seed_low,
                                      struct netclock_relay **relay);

/**
 * Destroys a relay, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_relay_destroy(struct netclock_relay *relay);

/**
 * Handles one message of `length` bytes that came on `connection` (any number that names the connection, the
 * same one for each message from one address) at `received`, in ticks of the relay's monotonic clock. Stamp
 * it as close to the socket as possible: the relay tells peers how long the message waited from then on. Then
 * send what `netclock_relay_next_message` gives: only a few answers to connections without a slot can wait.
 * A peer gets its slot with the second of two logins, which shows that it hears the relay. Errors, after which nothing is forwarded:
 * `NETCLOCK_MESSAGE_SIZE`, `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`,
 * `NETCLOCK_WIRE_OLDER`, `NETCLOCK_WIRE_NEWER`, `NETCLOCK_NOT_LOGGED_IN`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`,
 * `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` (about an earlier primary),
 * `NETCLOCK_OVER_BUDGET`, `NETCLOCK_UNSOLICITED`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`. Forwarded, but not to everybody: `NETCLOCK_QUEUE_FULL`.
 */
netclock_status netclock_relay_receive(struct netclock_relay *relay,
                                       uint64_t connection,
                                       const void *message,
                                       size_t length,
                                       int64_t received);

/**
 * The connection was closed at `now` (ticks), so its peer has left. Errors: `NETCLOCK_NOT_LOGGED_IN`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_relay_disconnect(struct netclock_relay *relay,
                                          uint64_t connection,
                                          int64_t now);

/**
 * Whether this connection has a slot: `NETCLOCK_OK` if it has one, `NETCLOCK_NOT_LOGGED_IN` if not. If messages
 * come as datagrams, keep the addresses of connections with a slot and forget the others. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_has_slot(struct netclock_relay *relay,
                                        uint64_t connection);

/**
 * Does what is due at `now` (ticks) and gives the next message to send at once, its connection and its
 * length. The message goes into a buffer of `capacity` bytes (at least `NETCLOCK_MAX_MESSAGE_SIZE`). Call it
 * until it returns `NETCLOCK_NOTHING_DUE`, which leaves all three unchanged: whenever messages came, and at
 * least every 50 ms. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_next_message(struct netclock_relay *relay,
                                            int64_t now,
                                            uint64_t *connection,
                                            void *message,
                                            size_t capacity,
                                            size_t *length);

/**
 * The state of the game with this id, into `*state`. `NETCLOCK_NO_GAME`: nobody plays it, and `*state`
 * is unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_relay_read_game(struct netclock_relay *relay,
                                         uint64_t game,
                                         struct netclock_relay_game *state);

/** Stage of a peer: it has no slot (or lost it) and logs in. */
#define NETCLOCK_PEER_JOINING 0

/** Stage of a peer: it has a slot, but no shared clock yet. */
#define NETCLOCK_PEER_WAITING 1

/** Stage of a peer: it has the shared clock, but the game has not begun. */
#define NETCLOCK_PEER_SYNCED 2

/** Stage of a peer: the game runs. */
#define NETCLOCK_PEER_PLAYING 3

/** Stage of a peer: it left, or the relay speaks another version. */
#define NETCLOCK_PEER_ENDED 4

/** Role of a peer: none, without a slot. */
#define NETCLOCK_ROLE_NONE 0

/** Role of a peer: primary. Its clock is the shared one. */
#define NETCLOCK_ROLE_PRIMARY 1

/** Role of a peer: secondary. It follows the primary. */
#define NETCLOCK_ROLE_SECONDARY 2

/** Rejection: none. */
#define NETCLOCK_REJECTED_NONE 0

/** Rejection: the relay speaks another version. */
#define NETCLOCK_REJECTED_VERSION 1

/** Rejection: no free slot in this game, or no room for another game. */
#define NETCLOCK_REJECTED_FULL 2

/** Rejection: logged in already, by this connection or another one. */
#define NETCLOCK_REJECTED_DUPLICATE 3

/** Rejection: the relay does not know the login. */
#define NETCLOCK_REJECTED_LOGIN 4

/** A peer: takes part in one game and shares its clock. Opaque. Calls on it wait for each other. */
typedef struct netclock_peer netclock_peer;

/** Everything a peer knows at one local instant. Set `struct_size` before the call. */
typedef struct netclock_peer_reading {
    /** `sizeof(netclock_peer_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_PEER_...`. */
    int32_t stage;
    /** One of `NETCLOCK_ROLE_...`. */
    int32_t role;
    /** One of `NETCLOCK_STATE_...`, of the clock. */
    int32_t state;
    /** Number of its slot, as the relay said last. */
    uint32_t slot;
    /** How many peers are in the game, as the relay said last. */
    uint32_t players;
    /** Counts declared discontinuities, as `epoch` of `netclock_reading`. */
    uint32_t epoch;
    /** Why the relay refused the last login: one of `NETCLOCK_REJECTED_...`. */
    int32_t rejection;
    /**
     * The shared clock, in ticks: zero when the game began and before. It never goes backwards within an
     * `epoch`.
     */
    int64_t time;
    /**
     * Hard bound, in ticks: the primary's clock is within `time` plus or minus this, if the relay states its
     * holds truly. `NETCLOCK_UNBOUNDED` if nothing can be promised.
     */
    int64_t error_bound;
    /**
     * Expected size of the error, one standard deviation, in ticks. `NETCLOCK_UNBOUNDED` if nothing is known.
     */
    int64_t expected_error;
    /**
     * How far the primary's clock may be from that of the game's first primary, because of what changes of
     * the primary lost, in ticks.
     */
    int64_t inherited;
    /**
     * Smallest recent round trip to the primary, without the relay's holds, in ticks. `NETCLOCK_UNBOUNDED`
     * if unknown.
     */
    int64_t round_trip;
    /**
     * The authority: names the primary whose clock this is; zero before there is one. Two peers with the
     * same authority read the same clock.
     */
    uint64_t authority;
} netclock_peer_reading;

/**
 * A message of the game's own from another peer. Its data begins at byte `NETCLOCK_GAME_HEADER_SIZE` of the
 * message. Set `struct_size` before the call.
 */
typedef struct netclock_peer_game_message {
    /** `sizeof(netclock_peer_game_message)` as compiled into the caller. */
    uint32_t struct_size;
    /** Its id, from `NETCLOCK_FIRST_GAME_ID` on. */
    uint32_t id;
    /** The sender's slot, as the relay wrote it. */
    uint32_t slot;
    /** The sender's shared time in milliseconds, modulo 2^32. */
    uint32_t stamp;
    /**
     * The same in full, in ticks: the instant closest to this peer's own shared time; zero if it has none.
     */
    int64_t time;
} netclock_peer_game_message;

/**
 * Creates a peer that will play `game` and stores it in `*peer`. Give it back to
 * `netclock_peer_destroy`. `config` is for its clock and may be null for all defaults. `seed_high` and
 * `seed_low` make its messages unguessable: draw 128 bits from the operating system. Both 0 is refused. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_create(const struct netclock_config *config,
                                     uint64_t game,
                                     uint64_t seed_high,
                                     uint64_t seed_low,
                                     struct netclock_peer **peer);

/**
 * Destroys a peer, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_peer_destroy(struct netclock_peer *peer);

/**
 * Handles one message of `length` bytes from the relay that arrived at local time `arrived` (ticks, stamped
 * as close to the network as possible). `NETCLOCK_GAME_MESSAGE`: it is the game's own, and `*game` describes
 * it; otherwise `*game` is unchanged. Errors, after which nothing changed: `NETCLOCK_MESSAGE_SIZE`,
 * `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`,
 * `NETCLOCK_NOT_LOGGED_IN` (a game's message before the login), `NETCLOCK_STALE` (about an earlier primary or
 * login), `NETCLOCK_UNKNOWN_REQUEST` and the others of a refused exchange, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`. `NETCLOCK_LOGIN_REJECTED`: the relay rejected the login, as the reading says.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_receive(struct netclock_peer *peer,
                                      const void *message,
                                      size_t length,
                                      int64_t arrived,
                                      struct netclock_peer_game_message *game);

/**
 * Does what is due at local time `now` (ticks); call it every frame, before `netclock_peer_next_message`. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_tick(struct netclock_peer *peer,
                                   int64_t now);

/**
 * The next message to send to the relay at once, at local time `now` (ticks), and its length. It goes into a
 * buffer of `capacity` bytes (at least `NETCLOCK_MAX_MESSAGE_SIZE`). Call it in every frame until it returns
 * `NETCLOCK_NOTHING_DUE`, which leaves both unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_next_message(struct netclock_peer *peer,
                                           int64_t now,
                                           void *message,
                                           size_t capacity,
                                           size_t *length);

/**
 * Everything the peer knows at local time `now` (ticks), into `*reading`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_read(struct netclock_peer *peer,
                                   int64_t now,
                                   struct netclock_peer_reading *reading);

/**
 * Makes a message of the game's own with this id and `length` bytes of data, stamped with the shared time at
 * local time `now` (ticks). It goes into a buffer of `capacity` bytes (at least
 * `NETCLOCK_MAX_MESSAGE_SIZE`), and its whole length into `*written`. Send it to the relay, which forwards
 * it to all other peers of the game. `data` may be null if `length` is zero. `NETCLOCK_NOT_BEGUN`: there is
 * no shared time yet. Errors: `NETCLOCK_MESSAGE_UNKNOWN` for an id below `NETCLOCK_FIRST_GAME_ID`,
 * `NETCLOCK_MESSAGE_SIZE` for too much data, `NETCLOCK_NOT_LOGGED_IN`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_peer_stamp(struct netclock_peer *peer,
                                    int64_t now,
                                    uint16_t id,
                                    const void *data,
                                    size_t length,
                                    void *message,
                                    size_t capacity,
                                    size_t *written);

/**
 * Leaves the game with the next message; the clock continues. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_leave(struct netclock_peer *peer);

/** There is no whole message yet: more bytes must come. */
#define NETCLOCK_INCOMPLETE 801

/** The message is the game's own: the output says which. */
#define NETCLOCK_GAME_MESSAGE 802

/** There is no shared time, because the game has not begun. */
#define NETCLOCK_NOT_BEGUN 803

/** Nobody plays this game at this relay. */
#define NETCLOCK_NO_GAME 804

/** A message between relay and peer is not as long as it says, or is too long. */
#define NETCLOCK_MESSAGE_SIZE (-801)

/** No message between relay and peer has this id. */
#define NETCLOCK_MESSAGE_UNKNOWN (-802)

/**
 * A message between relay and peer has another length than its id asks for, a reserved field that is set, or an
 * impossible stamp.
 */
#define NETCLOCK_MESSAGE_MALFORMED (-803)

/** The stream is broken by an impossible size: close the connection. */
#define NETCLOCK_STREAM_BROKEN (-804)

/** The connection is not logged in, or not any more. */
#define NETCLOCK_NOT_LOGGED_IN (-805)

/** A message that this role does not send, or does not accept. */
#define NETCLOCK_WRONG_ROLE (-806)

/** The connection sends more than its share. */
#define NETCLOCK_OVER_BUDGET (-807)

/** A reply that nobody waits for. */
#define NETCLOCK_UNSOLICITED (-808)

/** A receiver's queue is full: it does not get the message. */
#define NETCLOCK_QUEUE_FULL (-809)

/** The relay refuses this peer. */
#define NETCLOCK_LOGIN_REJECTED (-810)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_H */
