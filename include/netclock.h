/*
 * NetClock: the server's time on every client.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi. Do not edit: run `cargo xtask header`.
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
 * Version of the binary interface. A library whose `netclock_abi_version()` returns another number must not be
 * called through this header.
 */
#define NETCLOCK_ABI_VERSION 1

/** The call did what it says. */
#define NETCLOCK_OK 0

/** No reply was accepted yet: there is no server time. The output is zero. */
#define NETCLOCK_NOT_SYNCED 1

/** No event is waiting. */
#define NETCLOCK_NO_EVENT 2

/** No request is due. */
#define NETCLOCK_NOTHING_DUE 3

/** No segment of this run of the server's clock arrived: there is no world time. */
#define NETCLOCK_NO_WORLD 4

/** As far as is known the world's clock never says this. */
#define NETCLOCK_NEVER 5

/** The segment was known. */
#define NETCLOCK_ALREADY_KNOWN 6

/** A pointer that has to point somewhere is null. */
#define NETCLOCK_NULL_ARGUMENT (-1)

/**
 * `struct_size` is not that of a known version of the structure, or a field this library does not know is set.
 */
#define NETCLOCK_UNKNOWN_STRUCT (-2)

/** A configuration value is out of range. */
#define NETCLOCK_BAD_CONFIG (-3)

/** A local time is outside +-2^62 ticks. */
#define NETCLOCK_TIME_OUT_OF_RANGE (-4)

/** A local time is up to a second earlier than that of an earlier call. */
#define NETCLOCK_TIME_WENT_BACKWARDS (-5)

/**
 * What is to be destroyed is no live handle of that kind: destroyed before, of another kind, or no handle at all.
 */
#define NETCLOCK_UNKNOWN_HANDLE (-6)

/**
 * What is to be destroyed is in use: by a callback of its own that has not returned, or by another thread.
 */
#define NETCLOCK_BUSY (-7)

/** No outstanding request has this id: forged, a duplicate, or expired. */
#define NETCLOCK_UNKNOWN_REQUEST (-10)

/**
 * A stamp, or another instant but local time, is outside +-2^62 ticks or out of order, or a bound is negative.
 */
#define NETCLOCK_STAMP_OUT_OF_RANGE (-11)

/** The reply arrived before its request was sent. */
#define NETCLOCK_ARRIVED_BEFORE_SENT (-12)

/** The server sent the reply before it received the request. */
#define NETCLOCK_SENT_BEFORE_RECEIVED (-13)

/** The server claims to have held the request for longer than the round trip took. */
#define NETCLOCK_HELD_TOO_LONG (-14)

/** The round trip took longer than the configured maximum. */
#define NETCLOCK_TOO_SLOW (-15)

/**
 * The stamps contradict the clock. Remembered: the error bound is widened until a second exchange decides.
 */
#define NETCLOCK_CONTRADICTION (-16)

/**
 * A datagram is not as long as its kind (`NETCLOCK_DATAGRAM_SIZE`, `NETCLOCK_SEGMENT_SIZE`), or has no room.
 */
#define NETCLOCK_WIRE_LENGTH (-20)

/** Not a NetClock datagram. */
#define NETCLOCK_WIRE_MAGIC (-21)

/** A datagram of another version of the format. */
#define NETCLOCK_WIRE_VERSION (-22)

/** Another kind of message than was expected, or none. */
#define NETCLOCK_WIRE_KIND (-23)

/** A reserved field of a datagram is not zero. */
#define NETCLOCK_WIRE_RESERVED (-24)

/** A stamp cannot be carried by, or was not valid in, a datagram; or what it carries makes no segment. */
#define NETCLOCK_WIRE_STAMP (-25)

/** The rate of a world that runs is not within 1e-4 and 100. */
#define NETCLOCK_RATE_OUT_OF_RANGE (-30)

/** A segment's tolerance is not within 0 and an hour. */
#define NETCLOCK_TOLERANCE_OUT_OF_RANGE (-31)

/**
 * Newer segments have taken the place of this one, or it is of an older world or of a run of the server that is over.
 */
#define NETCLOCK_SEGMENT_OUTDATED (-32)

/** Another segment with the same version is known. */
#define NETCLOCK_SEGMENT_CONFLICT (-33)

/** The server's real time is before that of an earlier call. */
#define NETCLOCK_REAL_WENT_BACKWARDS (-34)

/** The world's time is before that of an earlier call: begin another world. */
#define NETCLOCK_WORLD_WENT_BACKWARDS (-35)

/** From 2^28 seconds (8.5 years) on, a double does not hold ticks; or it is no number. */
#define NETCLOCK_SECONDS_OUT_OF_RANGE (-36)

/** A bug in NetClock: the call panicked. The handle refuses all further calls. */
#define NETCLOCK_PANICKED (-100)

/** An earlier call on this handle panicked. Destroy it. */
#define NETCLOCK_POISONED (-101)

/** The first reply was accepted: there is a server time to show. */
#define NETCLOCK_EVENT_SYNCED 1

/** The clock jumped, or may be wrong until the next reply; `cause` is one of `NETCLOCK_CAUSE_...`. */
#define NETCLOCK_EVENT_DISCONTINUITY 2

/** The clock goes on, but is less good than it should be; `cause` is one of `NETCLOCK_DEGRADED_...`. */
#define NETCLOCK_EVENT_DEGRADED 3

/** What was degraded is good again. */
#define NETCLOCK_EVENT_RECOVERED 4

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

/** Level: a bug in NetClock; the client is of no use any more. */
#define NETCLOCK_LOG_ERROR 1

/** Level: the clock jumped or is less good than it should be, or a call was wrong. */
#define NETCLOCK_LOG_WARNING 2

/** Level: the clock is in sync, for the first time or again. */
#define NETCLOCK_LOG_INFO 3

/** Level: a reply was refused, and why. */
#define NETCLOCK_LOG_DEBUG 4

/** A local time that is not known. */
#define NETCLOCK_UNKNOWN_TIME INT64_MIN

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

/** Length of a request and of a reply as a datagram, in bytes. */
#define NETCLOCK_DATAGRAM_SIZE 32

/** Length of a segment as a datagram, in bytes. */
#define NETCLOCK_SEGMENT_SIZE 72

/** Ticks in a second: all times and durations are in ticks of 100 ns. */
#define NETCLOCK_TICKS_PER_SECOND INT64_C(10000000)

/**
 * A client: follows one server's clock. Opaque.
 *
 * Calls that change it are serialised by a lock, so that calling from two threads is safe though pointless; the
 * log is told of it. Calls that read it never wait. Using it while or after it is destroyed is an error that
 * nobody can detect in general.
 */
typedef struct netclock_client netclock_client;

/** Publishes one clock of the server's world. Opaque. Calls on it are serialised by a lock. */
typedef struct netclock_publisher netclock_publisher;

/** A server: answers requests and remembers nobody. Opaque; usable from any number of threads at once. */
typedef struct netclock_server netclock_server;

/** A client's view of one clock of the server's world. Opaque. Calls on it are serialised by a lock. */
typedef struct netclock_timeline netclock_timeline;

/**
 * Outcome of a call: `NETCLOCK_OK`, a positive code that says why there is no result (nothing is wrong), or a
 * negative error. Unless its own text says otherwise, an error means that the call changed nothing. Codes are
 * never reused.
 */
typedef int32_t netclock_status;

/**
 * Settings of a client. Set `struct_size` to `sizeof(netclock_config)` and all else to zero for the defaults;
 * each field that is not zero replaces one. Durations are in ticks of 100 ns.
 */
typedef struct netclock_config {
    /** `sizeof(netclock_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Requests in the burst that opens a session and follows a discontinuity. (count, 2 to 64, default 10)
     */
    uint32_t burst_count;
    /**
     * Largest rate difference between the two clocks that the error bound has to survive. (ppm, 1 to 10000,
     * default 100)
     */
    double max_drift_ppm;
    /**
     * Largest rate by which the shown clock runs fast or slow while it works off a correction. (fraction of real
     * time, 0.001 to 0.5, default 0.05)
     */
    double max_slew;
    /**
     * A correction forwards by more than this jumps once, declared. Less than 80 ms times `max_slew` counts as that
     * much. (ticks, 1 ms to 1 h, default 250 ms)
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
     * Time without an accepted reply until the clock is declared to be in holdover. (ticks, 1 s to 1 day,
     * default 15 s)
     */
    int64_t holdover_after;
    /**
     * An error bound above this is declared and answered by a new burst. (ticks, 1 ms to 1 h, default 250 ms)
     */
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
} netclock_config;

/** What the client asks. Send it to the server by any means, or as a datagram. */
typedef struct netclock_request {
    /** To be echoed in the reply. */
    uint64_t id;
    /** When the client sent it, in ticks of the client's clock. */
    int64_t client_time;
    /** 1 if a transport that can should send it reliably (until synced), else 0. */
    int32_t reliable;
    /** Zero. */
    int32_t reserved;
} netclock_request;

/** What the server answers. */
typedef struct netclock_reply {
    /** The request's id. */
    uint64_t id;
    /** The run of the server's clock that the stamps belong to. */
    uint64_t epoch;
    /** When the server received the request, in ticks of the server's clock. */
    int64_t received;
    /** When the server sent this reply, in ticks of the server's clock. */
    int64_t sent;
} netclock_reply;

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
 * Receives a client's messages: `user_data` as it was given, one of `NETCLOCK_LOG_...`, and a text in English of at
 * most 255 bytes of UTF-8, valid until the callback returns.
 *
 * It is called on the thread whose call caused the message, before that call returns, when no lock is held: every
 * call of this library is allowed in it, those on the same client included, but for destroying that client
 * (`NETCLOCK_BUSY`). A call that causes a message of its own calls it again, inside itself. It must return: no
 * longjmp, no ending of the thread. A C++ exception that leaves it ends the process; a Rust panic that leaves it
 * (of a function declared `extern "C-unwind"`) is dropped.
 */
typedef void (*netclock_log_callback)(void *user_data, int32_t level, const char *message);

/**
 * An exchange that a client was told of, and what became of it. Times are in ticks of the clock concerned.
 */
typedef struct netclock_sample {
    /** Size of the structure as the library knows it. What is beyond it must not be read. */
    uint32_t struct_size;
    /**
     * `NETCLOCK_OK`: accepted. From `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_CONTRADICTION`: why it was refused.
     */
    netclock_status status;
    /** The reply's id; zero if the caller matched reply and request himself. */
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
} netclock_sample;

/**
 * Receives every exchange that a client is told of, accepted or refused, by whichever call: `user_data` as it was
 * given, and the exchange, valid until the callback returns. What is allowed in it, and what it must not do, is as
 * for `netclock_log_callback`; it comes before the messages about the same exchange.
 */
typedef void (*netclock_tap_callback)(void *user_data, const struct netclock_sample *sample);

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
     * Hard bound, in ticks: the true server time is within `server_time` plus or minus this as long as the
     * clocks' rates differ by no more than `max_drift_ppm` and neither steps. `NETCLOCK_UNBOUNDED` if nothing can
     * be promised.
     */
    int64_t error_bound;
    /**
     * Expected size of the error, one standard deviation, in ticks, assuming equal base delays in both
     * directions. `NETCLOCK_UNBOUNDED` if nothing is known.
     */
    int64_t expected_error;
    /** Smallest recent round trip, in ticks. `NETCLOCK_UNBOUNDED` until synced. */
    int64_t round_trip;
    /**
     * Estimated rate of the server's clock against the local one, in parts per million; positive: the server's
     * runs faster.
     */
    double frequency_ppm;
    /** The server's own name for the run of its clock that this reading speaks of. */
    uint64_t server_epoch;
    /**
     * Counts the client's timelines: one more at every declared discontinuity that set the clock anew. Within one
     * epoch the shown time never goes backwards.
     */
    uint32_t epoch;
    /** 1 if a reply was ever accepted, else 0. */
    int32_t is_synced;
} netclock_reading;

/**
 * From the server's real time `real` on, a world's clock says `world + (now - real) * rate`, until a newer segment
 * begins. Times are in ticks. Set `struct_size` before the call that fills it.
 */
typedef struct netclock_segment {
    /** `sizeof(netclock_segment)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the world: another map, another clock. May wrap. */
    uint32_t instance;
    /** Number of the segment within its world. May wrap. */
    uint32_t version;
    /** 1 while the world stands still; `rate` is not looked at then. Else 0. */
    int32_t paused;
    /** The run of the server's clock that `real` belongs to, as in `netclock_reply.epoch`. */
    uint64_t server_epoch;
    /** Up to this instant of real time the segment before was right; at most `real`. */
    int64_t since;
    /** Where the line begins, in the server's real time. */
    int64_t real;
    /** What the world's clock says there. */
    int64_t world;
    /**
     * World ticks per real tick, 1e-4 to 100; 0 while paused. The number that the library gives travels without loss.
     */
    double rate;
    /** How far the world's clock may be from the line, in world time. (0 to 1 h) */
    int64_t tolerance;
    /**
     * Through this instant of real time, at least `real`, the segment is known to have been in force;
     * `NETCLOCK_UNKNOWN_TIME` if nobody says.
     */
    int64_t through;
} netclock_segment;

/**
 * Settings of a publisher. Set `struct_size` to `sizeof(netclock_publisher_config)` and all else to zero for the
 * defaults; each field that is not zero replaces one.
 */
typedef struct netclock_publisher_config {
    /** `sizeof(netclock_publisher_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * The most segments in any one second; a quarter of them at once. While they are scarce, the tolerance of new ones
     * is widened. (count, 2 to 1000, default 20)
     */
    uint32_t max_per_second;
    /**
     * How far the line may be from the world's clock before another one is published. (world ticks, 10 us to 1 s,
     * default 0.5 ms)
     */
    int64_t tolerance;
    /**
     * The most by which real time is read later than the world's clock was set. What is more than this and the
     * tolerance is taken for lost time at once. (real ticks, 1 to 1 s, default 0.5 ms)
     */
    int64_t read_lag;
    /** Step of the world's clock as it is read. (world ticks, 1 to 1 s, default 1) */
    int64_t resolution;
} netclock_publisher_config;

/**
 * Settings of a timeline. Set `struct_size` to `sizeof(netclock_timeline_config)` and all else to zero for the
 * defaults; each field that is not zero replaces one.
 */
typedef struct netclock_timeline_config {
    /** `sizeof(netclock_timeline_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /**
     * How much faster or slower than its own rate a world is shown while late news is worked off. Of real time, or of
     * the world's rate if that is more. (fraction, 0.001 to 1, default 0.25)
     */
    double max_slew;
    /**
     * A world that turns out to be further ahead than this leaps forwards once; one that is shown too far ahead stands
     * still until it is no further than this. (world ticks, 1 ms to 1 h, default 250 ms)
     */
    int64_t step_threshold;
    /**
     * The fastest that the world may run when nobody has said so yet: for the error bound. (world ticks per real
     * tick, 1e-4 to 100, default 1)
     */
    double max_rate;
} netclock_timeline_config;

/**
 * Everything a timeline says of one instant; all fields belong together. Times are in ticks. Set `struct_size` before
 * the call.
 */
typedef struct netclock_world_reading {
    /** `sizeof(netclock_world_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Counts the timelines that were shown: one more with every world, every run of the server's clock, and every time
     * that the clock was set anew. Within one the shown time never goes backwards. 0 in what is not shown.
     */
    uint32_t epoch;
    /** What the world's clock says. */
    int64_t world_time;
    /**
     * A promise: the world's clock is within `world_time` plus or minus this, also if something happened to it of which
     * the client cannot have heard yet, as long as it runs at no more than `max_rate`, or the newest segment's rate if
     * that is more. `NETCLOCK_UNBOUNDED` if nothing can be promised.
     */
    int64_t error_bound;
    /** The same if the newest segment is still in force. `NETCLOCK_UNBOUNDED` if nothing can be promised. */
    int64_t error_bound_if_unchanged;
    /** How much more is shown than the segments say, while late news is worked off; negative: less. */
    int64_t ahead;
    /** By how much the world leapt with this reading; mostly zero. */
    int64_t jump;
    /** World ticks per real tick, but for slewing; 0 while paused. */
    double rate;
    /** Which world it is. */
    uint32_t instance;
    /** Which of its segments is read. */
    uint32_t version;
    /** 1 while the world stands still, else 0. */
    int32_t paused;
    /** 1 if the server spoke of a newer segment or world that has not arrived, else 0. */
    int32_t is_missing_news;
} netclock_world_reading;

/** How long ago something was, in ticks; negative for the future. */
typedef struct netclock_age {
    /** In real time. */
    int64_t real;
    /** In world time: how far the world got since. */
    int64_t world;
} netclock_age;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Version of the binary interface of the library that was loaded. Compare it with `NETCLOCK_ABI_VERSION` before
 * any other call. Callable from any thread.
 */
uint32_t netclock_abi_version(void);

/**
 * What a status means, in English; `netclock_last_error` says more about a single call. Static, never null;
 * callable from any thread.
 */
const char *netclock_status_text(netclock_status status);

/**
 * What exactly was wrong with the newest call on this thread that returned a negative status: which argument,
 * which value, what was expected. In English, for people: programs look at the status.
 *
 * Never null; empty if no call failed on this thread. A call that succeeds leaves it as it is. Valid until the
 * next call that fails on this thread; copy it to keep it or to give it to another thread. At most 255 bytes of
 * UTF-8; a longer text is cut off. Callable from any thread, in callbacks too.
 */
const char *netclock_last_error(void);

/**
 * Fills `config` with the defaults. `config->struct_size` has to be set before. Callable from any thread. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
 */
netclock_status netclock_config_default(struct netclock_config *config);

/**
 * Creates a client that knows nothing yet and stores it in `*client`, to be given back to
 * `netclock_client_destroy`.
 *
 * `config` may be null for all defaults. `seed_high` and `seed_low` make request ids unguessable: draw 128 bits
 * from the operating system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_client_create(const struct netclock_config *config,
                                       uint64_t seed_high,
                                       uint64_t seed_low,
                                       struct netclock_client **client);

/**
 * Destroys a client. Null is allowed and does nothing. No other call may be using it, and none may follow.
 *
 * Errors, which leave everything as it was: `NETCLOCK_UNKNOWN_HANDLE` if it is no live client, which is found out
 * without looking at what is there (until that memory becomes another client); `NETCLOCK_BUSY` if a callback of
 * this client has not returned, or another thread is seen to change it. A poisoned client is destroyed as any
 * other.
 */
netclock_status netclock_client_destroy(struct netclock_client *client);

/**
 * Does what is due at local time `now` (ticks); call it every frame. `NETCLOCK_OK`: `*request` is to be sent at
 * once. `NETCLOCK_NOTHING_DUE`: `*request` is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_tick(struct netclock_client *client,
                                     int64_t now,
                                     struct netclock_request *request);

/**
 * Makes a request to be sent at once, whatever the schedule says, and stores it in `*request`. For callers with
 * a timer of their own. `now` is the local time in ticks. Errors as `netclock_client_tick`.
 */
netclock_status netclock_client_make_request(struct netclock_client *client,
                                             int64_t now,
                                             struct netclock_request *request);

/**
 * Learns from a reply that arrived at local time `arrived` (ticks), stamped as close to the network as possible.
 * `NETCLOCK_OK`: accepted. Errors from `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_CONTRADICTION` say why it was
 * refused; also `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_handle_reply(struct netclock_client *client,
                                             const struct netclock_reply *reply,
                                             int64_t arrived);

/**
 * Learns from the four stamps of an exchange that the caller conducted in a transport which matches replies to
 * requests: sent by the client, received and answered by the server, received by the client; all in ticks of the
 * clock concerned. `server_epoch` names the run of the server's clock; 0 if the transport does not know it. Errors as
 * `netclock_client_handle_reply`.
 */
netclock_status netclock_client_handle_exchange(struct netclock_client *client,
                                                int64_t client_sent,
                                                int64_t server_received,
                                                int64_t server_sent,
                                                int64_t client_received,
                                                uint64_t server_epoch);

/**
 * The two-stamp form: at local time `current_time` a reply came that says `server_time`, after a round trip of
 * `round_trip`; all in ticks. `*accepted` becomes 1 or 0, and the status says why not. `accepted` may be null.
 * Errors as `netclock_client_handle_reply`.
 */
netclock_status netclock_client_update_server_time(struct netclock_client *client,
                                                   int64_t server_time,
                                                   int64_t current_time,
                                                   int64_t round_trip,
                                                   int32_t *accepted);

/**
 * Takes the oldest event not yet fetched; the 16 newest are kept. `NETCLOCK_NO_EVENT`: `*event` is as it was.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_next_event(struct netclock_client *client,
                                           struct netclock_event *event);

/**
 * Sets who receives this client's messages of `max_level` and more important ones (smaller numbers); null for
 * nobody, as at first. `user_data` is handed on and may be null. One callback for each client; a new one takes the
 * place of the old one, from the next message on, also when it is set by the old one. On other threads, calls on
 * this client that have begun may still call the old one. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_set_log(struct netclock_client *client,
                                        int32_t max_level,
                                        netclock_log_callback callback,
                                        void *user_data);

/**
 * Sets who receives the exchanges that this client is told of, for recordings and statistics; null for nobody, as
 * at first. Otherwise as `netclock_client_set_log`, with the same errors.
 */
netclock_status netclock_client_set_tap(struct netclock_client *client,
                                        netclock_tap_callback callback,
                                        void *user_data);

/**
 * The server's time at local time `now`, in ticks, into `*server_time`. `NETCLOCK_NOT_SYNCED`: it is 0. Callable
 * from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_current_server_time(const struct netclock_client *client,
                                                    int64_t now,
                                                    int64_t *server_time);

/**
 * 1 if a reply was ever accepted, so that there is a server time to show; else 0, also for a null or poisoned
 * client, which is no error here. Callable from any thread, wait-free.
 */
int32_t netclock_client_is_time_synced(const struct netclock_client *client);

/**
 * Everything the clock says at local time `now`, into `*reading`. `NETCLOCK_NOT_SYNCED`: it says so, with a
 * server time of 0. Callable from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_read(const struct netclock_client *client,
                                     int64_t now,
                                     struct netclock_reading *reading);

/**
 * The local time at which the shown clock reads `server_time`, as far as is known now, into `*local_time`; both
 * in ticks. `NETCLOCK_NOT_SYNCED`: it is 0. Callable from any thread, wait-free. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_local_time_at(const struct netclock_client *client,
                                              int64_t server_time,
                                              int64_t *local_time);

/**
 * Creates a server and stores it in `*server`, to be given back to `netclock_server_destroy`. `epoch` names this
 * run of the server's clock: draw a random number whenever that clock starts anew. Errors:
 * `NETCLOCK_NULL_ARGUMENT`.
 */
netclock_status netclock_server_create(uint64_t epoch,
                                       struct netclock_server **server);

/**
 * Destroys a server. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live server, which is found out without looking at what is there.
 */
netclock_status netclock_server_destroy(struct netclock_server *server);

/**
 * Answers `*request`, received at server time `received` and about to be sent at `sent` (ticks of the server's
 * monotonic clock, stamped as close to the network as possible), into `*reply`. The time between the two does no
 * harm. On an error send nothing. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_SENT_BEFORE_RECEIVED`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_server_respond(const struct netclock_server *server,
                                        const struct netclock_request *request,
                                        int64_t received,
                                        int64_t sent,
                                        struct netclock_reply *reply);

/**
 * Writes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes to where there is room for `capacity` bytes.
 * `reliable` does not travel. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small,
 * `NETCLOCK_WIRE_STAMP`.
 */
netclock_status netclock_encode_request(const struct netclock_request *request,
                                        void *datagram,
                                        size_t capacity);

/**
 * Reads a request from a datagram of `length` bytes. Errors: `NETCLOCK_NULL_ARGUMENT`, or one of
 * `NETCLOCK_WIRE_...` for a datagram that must be ignored.
 */
netclock_status netclock_decode_request(const void *datagram,
                                        size_t length,
                                        struct netclock_request *request);

/**
 * Writes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes to where there is room for `capacity` bytes.
 * Errors as `netclock_encode_request`.
 */
netclock_status netclock_encode_reply(const struct netclock_reply *reply,
                                      void *datagram,
                                      size_t capacity);

/** Reads a reply from a datagram of `length` bytes. Errors as `netclock_decode_request`. */
netclock_status netclock_decode_reply(const void *datagram,
                                      size_t length,
                                      struct netclock_reply *reply);

/**
 * Writes a segment as a datagram of `NETCLOCK_SEGMENT_SIZE` bytes to where there is room for `capacity` bytes.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, and
 * for what makes it no segment `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_TOLERANCE_OUT_OF_RANGE`.
 */
netclock_status netclock_encode_segment(const struct netclock_segment *segment,
                                        void *datagram,
                                        size_t capacity);

/**
 * Reads a segment from a datagram of `length` bytes. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, or
 * one of `NETCLOCK_WIRE_...` for a datagram that must be ignored.
 */
netclock_status netclock_decode_segment(const void *datagram,
                                        size_t length,
                                        struct netclock_segment *segment);

/**
 * Creates a publisher and stores it in `*publisher`, to be given back to `netclock_publisher_destroy`. `config` may be
 * null for all defaults. `server_epoch` names the run of the server's clock as its replies do, `instance` the world.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_publisher_create(const struct netclock_publisher_config *config,
                                          uint64_t server_epoch,
                                          uint32_t instance,
                                          struct netclock_publisher **publisher);

/**
 * Destroys a publisher. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
 */
netclock_status netclock_publisher_destroy(struct netclock_publisher *publisher);

/**
 * Another world begins: with the next frame, under the next instance. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_publisher_begin_world(struct netclock_publisher *publisher);

/**
 * A frame of the server, to be told of each: at the real time `real` the world's clock says `world` (ticks), and from
 * here on it runs at `rate` world ticks per real tick, 1e-4 to 100, or stands still if `paused` is not 0. Read `real` as
 * soon after the world's clock was set as possible. `NETCLOCK_OK`: `*segment` is to be sent to every client.
 * `NETCLOCK_NOTHING_DUE`: it is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`,
 * `NETCLOCK_WORLD_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_publisher_observe(struct netclock_publisher *publisher,
                                           int64_t real,
                                           int64_t world,
                                           double rate,
                                           int32_t paused,
                                           struct netclock_segment *segment);

/**
 * The newest segment, and through which frame it is known to have been in force, into `*segment`: for clients that
 * join, and again from time to time where segments may get lost. `NETCLOCK_NO_WORLD`: the world has had no frame.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_publisher_newest(const struct netclock_publisher *publisher,
                                          struct netclock_segment *segment);

/**
 * Creates a timeline that knows no world yet and stores it in `*timeline`, to be given back to
 * `netclock_timeline_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_timeline_create(const struct netclock_timeline_config *config,
                                         struct netclock_timeline **timeline);

/**
 * Destroys a timeline. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
 */
netclock_status netclock_timeline_destroy(struct netclock_timeline *timeline);

/**
 * Takes a segment that arrived, in any order. `NETCLOCK_ALREADY_KNOWN`: it had arrived before. A newer world drops the
 * older one's; a segment of another run of the server's clock waits until a shown reading speaks of that run. Errors:
 * `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TOLERANCE_OUT_OF_RANGE`,
 * `NETCLOCK_SEGMENT_OUTDATED`, `NETCLOCK_SEGMENT_CONFLICT`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_insert(struct netclock_timeline *timeline,
                                         const struct netclock_segment *segment);

/**
 * The server says, with a reply for example, that at its real time `through` (ticks) its newest segment was `version`
 * of the world `instance`. `NETCLOCK_NO_WORLD`: no segment of that run of its clock is known. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_SEGMENT_OUTDATED` for an older world,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_confirm(struct netclock_timeline *timeline,
                                          uint64_t server_epoch,
                                          uint32_t instance,
                                          uint32_t version,
                                          int64_t through);

/**
 * What the world's clock says now, to be shown, into `*reading`: it never goes back within an epoch. Call it once a
 * frame. `now` is what `netclock_client_read` gave, or made by hand from another clock of the server's real time: of it,
 * `server_time`, `error_bound`, `server_epoch`, `epoch` and `is_synced` are looked at. `NETCLOCK_NOT_SYNCED`,
 * `NETCLOCK_NO_WORLD`: `*reading` is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_show(struct netclock_timeline *timeline,
                                       const struct netclock_reading *now,
                                       struct netclock_world_reading *reading);

/**
 * What the world's clock said or will say at the server's real time `real` (ticks), by the segments that arrived so
 * far, into `*reading`. Without slewing, so that it may differ from what is shown. `NETCLOCK_NO_WORLD`: `*reading` is as
 * it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_world_at(const struct netclock_timeline *timeline,
                                           uint64_t server_epoch,
                                           int64_t real,
                                           struct netclock_world_reading *reading);

/**
 * The first and the last real time of the server at which the world's clock says `world`, into `*first` and `*last`
 * (ticks). They are far apart if it stands still there; `*last` is 2^62 - 1 if it does for good as far as is known.
 * `NETCLOCK_NEVER`, `NETCLOCK_NO_WORLD`: both are as they were. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_real_at(const struct netclock_timeline *timeline,
                                          uint64_t server_epoch,
                                          int64_t world,
                                          int64_t *first,
                                          int64_t *last);

/**
 * How long ago the server's real time `stamp` (ticks) was at `now`, in real time and in world time, into `*age`. `now`
 * and errors as for `netclock_timeline_show`.
 */
netclock_status netclock_timeline_age_of_real(const struct netclock_timeline *timeline,
                                              const struct netclock_reading *now,
                                              int64_t stamp,
                                              struct netclock_age *age);

/**
 * How long ago the world's clock said `stamp` (ticks), in real time and in world time, into `*age`. If it stood still
 * there, that was the end of the pause. `NETCLOCK_NEVER`: it never says so as far as is known. `now` and errors as for
 * `netclock_timeline_show`.
 */
netclock_status netclock_timeline_age_of_world(const struct netclock_timeline *timeline,
                                               const struct netclock_reading *now,
                                               int64_t stamp,
                                               struct netclock_age *age);

/**
 * `seconds` as ticks, to the nearest one, into `*ticks`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_SECONDS_OUT_OF_RANGE` for what is no number, and from 2^28 seconds (8.5 years) on, where a double does not hold
 * ticks. Callable from any thread.
 */
netclock_status netclock_ticks_from_seconds(double seconds,
                                            int64_t *ticks);

/**
 * `ticks` as seconds into `*seconds`, as long as that is another number for each tick. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_SECONDS_OUT_OF_RANGE` from 2^28 seconds (8.5 years) on. Callable from any thread.
 */
netclock_status netclock_seconds_from_ticks(int64_t ticks,
                                            double *seconds);

/**
 * Local time in ticks of 100 ns: a clock that never goes back and is not the wall clock. For callers without a
 * time base of their own; pass it wherever a local time is asked for, on the server as server time.
 *
 * Linux and Android: time since boot, suspension included. macOS and iOS: the system's monotonic clock, which also
 * counts while asleep. Other Unix systems: the monotonic clock, which may stop in suspension. Windows: the
 * performance counter since the first call in this process; times of two processes cannot be compared there.
 * Callable from any thread; never fails on these systems, and would return 0.
 */
int64_t netclock_monotonic_now(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NETCLOCK_H */
