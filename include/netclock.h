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

/** Nothing is due to be sent. */
#define NETCLOCK_NOTHING_DUE 3

/** A start is held up by a participant who is not ready; the output says by whom and why. */
#define NETCLOCK_HELD_UP 10

/** No start was scheduled, or none is under way. */
#define NETCLOCK_NO_START 11

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

/** A stamp is outside +-2^62 ticks. */
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

/** A datagram is not exactly `NETCLOCK_DATAGRAM_SIZE` bytes long, or there is no room for one. */
#define NETCLOCK_WIRE_LENGTH (-20)

/** Not a NetClock datagram. */
#define NETCLOCK_WIRE_MAGIC (-21)

/** A datagram of another version of the format. */
#define NETCLOCK_WIRE_VERSION (-22)

/** A request where a reply was expected, the reverse, or neither. */
#define NETCLOCK_WIRE_KIND (-23)

/** A reserved field of a datagram is not zero. */
#define NETCLOCK_WIRE_RESERVED (-24)

/** A stamp cannot be carried by, or was not valid in, a datagram. */
#define NETCLOCK_WIRE_STAMP (-25)

/** No participant of this number was admitted. */
#define NETCLOCK_UNKNOWN_PARTICIPANT (-50)

/** As many participants as there is room for were admitted. */
#define NETCLOCK_FULL (-51)

/** A participant admitted before, or a message handled before. */
#define NETCLOCK_DUPLICATE (-52)

/** A message older than one that was handled, or about another start than the present one. */
#define NETCLOCK_STALE (-53)

/** A message that does not carry the participant's key: forged, or of an earlier connection. */
#define NETCLOCK_WRONG_KEY (-54)

/** A message about another run of the server's clock than the one the client is in sync with. */
#define NETCLOCK_OTHER_RUN (-55)

/** A result that claims an instant before the start, or in the future. */
#define NETCLOCK_IMPLAUSIBLE (-56)

/** A start is under way: wait for it, or cancel it. */
#define NETCLOCK_START_PENDING (-57)

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

/** Length of every datagram, in bytes. */
#define NETCLOCK_DATAGRAM_SIZE 32

/** Hold-up: the participant is ready. */
#define NETCLOCK_HOLD_UP_NONE 0

/** Hold-up: it was not heard of for 1.5 s, or never. */
#define NETCLOCK_HOLD_UP_SILENT 1

/** Hold-up: it is not in sync, in doubt, or in sync with another run of the server's clock. */
#define NETCLOCK_HOLD_UP_UNSYNCED 2

/** Hold-up: its expected error is above `max_expected_error`. */
#define NETCLOCK_HOLD_UP_INACCURATE 3

/** Hold-up: announcing a start to it would take longer than half of `patience`. */
#define NETCLOCK_HOLD_UP_TOO_SLOW 4

/** Stage: no start was announced, or it was cancelled. */
#define NETCLOCK_STAGE_WAITING 0

/** Stage: a start was announced and is to come. */
#define NETCLOCK_STAGE_ANNOUNCED 1

/** Stage: it started. */
#define NETCLOCK_STAGE_STARTED 2

/**
 * Stage: it was told of a start when its time had passed already, as late joiners are, and goes on from there.
 */
#define NETCLOCK_STAGE_JOINED 3

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

/**
 * An organiser: plans a start, announces it until everybody knows, and collects when they started. Opaque; its calls are
 * serialised by a lock.
 */
typedef struct netclock_organiser netclock_organiser;

/** A participant: takes part in the starts of one server. Opaque; its calls are serialised by a lock. */
typedef struct netclock_participant netclock_participant;

/** A server: answers requests and remembers nobody. Opaque; usable from any number of threads at once. */
typedef struct netclock_server netclock_server;

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
 * Settings of an organiser. Set `struct_size` to `sizeof(netclock_organiser_config)` and all else to zero for the
 * defaults; each field that is not zero replaces one. Durations are in ticks of 100 ns.
 */
typedef struct netclock_organiser_config {
    /** `sizeof(netclock_organiser_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Most participants at a time; memory for them is taken at creation. (count, 1 to 1024, default 64) */
    uint32_t capacity;
    /**
     * The longest that participants can put off a start, from the first proposal on: half of it is for waiting until
     * they are ready, half for announcing. (ticks, 100 ms to 10 min, default 10 s)
     */
    int64_t patience;
    /**
     * A participant whose clock is probably further off than this is not ready. (ticks, 1 to 1 s, default 1 ms)
     */
    int64_t max_expected_error;
    /** Time between two copies of an announcement. (ticks, 5 ms to 1 s, default 50 ms) */
    int64_t interval;
    /**
     * The slowest frame of server and clients: messages leave, arrive and are handled at frames. (ticks, 1 to 1 s,
     * default 1/30 s)
     */
    int64_t frame;
    /** Loss to be reckoned with at least, as a share of messages. (0.01 to 0.9, default 0.2) */
    double loss;
} netclock_organiser_config;

/** What became of a proposal. Set `struct_size` before the call. */
typedef struct netclock_proposal {
    /** `sizeof(netclock_proposal)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_HOLD_UP_...`: why the start is held up; none if it is scheduled. */
    int32_t hold_up;
    /** Server time in ticks. Scheduled: the start. Held up: until when participants are waited for. */
    int64_t at;
    /** Scheduled: who needs the longest announcement. Held up: the first who is not ready. */
    uint64_t participant;
    /**
     * How many are not ready. Scheduled: they were not waited for any longer; they are told, but nothing is promised
     * of them.
     */
    uint32_t not_ready;
    /**
     * Scheduled: of this announcement; each start and each cancellation has the next number. Held up: zero.
     */
    uint32_t version;
} netclock_proposal;

/**
 * What an organiser knows of a participant, by its own claims. Set `struct_size` before the call. Durations are in
 * ticks; `NETCLOCK_UNBOUNDED` where nothing is known.
 */
typedef struct netclock_participation {
    /** `sizeof(netclock_participation)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_HOLD_UP_...`: why a start would have to wait for it; none if it is ready. */
    int32_t hold_up;
    /** How long before a start it has to be announced, at the confidence of the last proposal. */
    int64_t lead;
    /** Error bound of its clock. */
    int64_t error_bound;
    /** Expected error of its clock. */
    int64_t expected_error;
    /** Its smallest recent round trip. */
    int64_t round_trip;
    /** Share of its messages that do not arrive, cautiously estimated. (0 to 0.9) */
    double loss;
    /**
     * How long after the present start its frame was, by its own clock. `NETCLOCK_UNBOUNDED`: it did not say that it
     * started.
     */
    int64_t lateness;
    /** How far its clock may have been off then. */
    int64_t lateness_bound;
    /** 1 if it was ready when the present start was scheduled, and so counts for the spread, else 0. */
    int32_t counted;
    /** 1 if it knows the present start, or that it was cancelled, else 0. */
    int32_t acknowledged;
} netclock_participation;

/**
 * What became of the newest start, as its participants say. Set `struct_size` before the call. Counts and times are of
 * those participants that were ready when it was scheduled and are still there.
 */
typedef struct netclock_outcome {
    /** `sizeof(netclock_outcome)` as compiled into the caller. */
    uint32_t struct_size;
    /** Of the newest announcement. */
    uint32_t version;
    /** When the start was to be: server time in ticks. */
    int64_t at;
    /** Lateness of the first who started, in ticks. */
    int64_t earliest;
    /** Lateness of the last, in ticks. The difference of the two is the spread. */
    int64_t latest;
    /** The largest error bound of these clocks then, in ticks; `NETCLOCK_UNBOUNDED` if one had none. */
    int64_t error_bound;
    /** How many participants there are. */
    uint32_t counted;
    /** How many of them acknowledged the newest announcement. */
    uint32_t acknowledged;
    /** How many of them say that they started. */
    uint32_t fired;
    /** 1 if the newest announcement is a cancellation, else 0. */
    int32_t cancelled;
} netclock_outcome;

/**
 * What a participant knows in a frame. Set `struct_size` before the call. Zero where there is nothing to tell.
 */
typedef struct netclock_progress {
    /** `sizeof(netclock_progress)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_STAGE_...`. Started and joined stay until the next announcement. */
    int32_t stage;
    /** 1 in the frame to start in, once for each start; else 0. */
    int32_t fires;
    /** Of the start's announcement. */
    uint32_t version;
    /** When the start is or was: server time in ticks. */
    int64_t at;
    /** Once it started: how long after `at` that frame was, by its own clock, in ticks. */
    int64_t lateness;
    /**
     * Once it started: how far its clock may have been off then, in ticks. `NETCLOCK_UNBOUNDED` if nothing could be
     * promised.
     */
    int64_t error_bound;
    /** Once it started: how far it was probably off, in ticks. */
    int64_t expected_error;
} netclock_progress;

/**
 * Beats at a rational rate from an origin, and how far a simulation that runs by them has come. Fill in all fields; copy
 * it with the state of the simulation to go back to it.
 */
typedef struct netclock_beat {
    /** When beat 0 begins: server time in ticks. */
    int64_t origin;
    /** Number of the next step to run: zero at first. `netclock_beat_advance` moves it on. */
    int64_t next;
    /** So many beats ... (1 to 240 for each of the seconds) */
    uint32_t beats;
    /** ... in so many seconds: 60 in 1, 60000 in 1001, or 1000 in N for one every N ms. (1 to 10000) */
    uint32_t seconds;
    /** Most steps to run in one call. (zero: 5) */
    uint32_t most_steps;
    /**
     * When more steps than this are due, the oldest are skipped until so many are left. (zero: none is ever skipped)
     */
    uint32_t most_behind;
} netclock_beat;

/** What a simulation has to run in this frame. */
typedef struct netclock_steps {
    /** Number of the first step to run. */
    int64_t first;
    /** How many to run; the numbers follow each other. */
    int64_t count;
    /** Steps given up for good just before `first`, because more than `most_behind` were due. Zero: none. */
    int64_t skipped;
    /** Steps that are due as well and left to the next call. */
    int64_t behind;
    /** Fraction of the beat under way that has passed, from 0 to just below 1. */
    double alpha;
} netclock_steps;

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
 * Creates an organiser of starts and stores it in `*organiser`, to be given back to `netclock_organiser_destroy`.
 * `config` may be null for all defaults. `server_epoch` is what the server that answers requests for the time was created with.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_organiser_create(const struct netclock_organiser_config *config,
                                          uint64_t server_epoch,
                                          struct netclock_organiser **organiser);

/**
 * Destroys an organiser. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live organiser, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_organiser_destroy(struct netclock_organiser *organiser);

/**
 * Lets `participant` take part from now on: any number that names a connection of the caller's. Who comes after a start is
 * told of it. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_admit(struct netclock_organiser *organiser,
                                         uint64_t participant);

/**
 * Forgets `participant`: nobody waits for it, and it is told nothing more. A client that connects anew, with a new key, is
 * left out and admitted again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_leave_out(struct netclock_organiser *organiser,
                                             uint64_t participant);

/**
 * Schedules a start as early as all who are ready know of it in time with probability `confidence` (above 0.5, at most
 * 0.99999), or says who is not ready; `now` is server time in ticks. `NETCLOCK_OK`: `*proposal` has the start.
 * `NETCLOCK_HELD_UP`: `*proposal` says who holds it up and why; call again later. Errors, which leave `*proposal` as it was:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` for the confidence, `NETCLOCK_START_PENDING`,
 * `NETCLOCK_UNKNOWN_PARTICIPANT` if nobody was admitted, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_propose(struct netclock_organiser *organiser,
                                           int64_t now,
                                           double confidence,
                                           struct netclock_proposal *proposal);

/**
 * Cancels the start that is under way; `now` is server time in ticks. Whoever acknowledges that will not start; who does not
 * hear of it in time starts, and says so. `NETCLOCK_NO_START`: none is under way, or its time has come. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_cancel(struct netclock_organiser *organiser,
                                          int64_t now);

/**
 * Handles a datagram of `length` bytes that came from `participant` at server time `now` (ticks). Errors, of which the first
 * two are normal events on a network: `NETCLOCK_DUPLICATE`, `NETCLOCK_STALE`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_IMPLAUSIBLE`,
 * `NETCLOCK_UNKNOWN_PARTICIPANT`, one of `NETCLOCK_WIRE_...`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_receive(struct netclock_organiser *organiser,
                                           uint64_t participant,
                                           const void *datagram,
                                           size_t length,
                                           int64_t now);

/**
 * The next datagram to be sent at server time `now` (ticks), of `NETCLOCK_DATAGRAM_SIZE` bytes, to where there is room for
 * `capacity` bytes, and to whom, into `*participant`. Call it in every frame until it answers `NETCLOCK_NOTHING_DUE`, which
 * leaves both as they were. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_next_message(struct netclock_organiser *organiser,
                                                int64_t now,
                                                uint64_t *participant,
                                                void *datagram,
                                                size_t capacity);

/**
 * What is known of `participant` at server time `now` (ticks), into `*participation`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_participation(struct netclock_organiser *organiser,
                                                 uint64_t participant,
                                                 int64_t now,
                                                 struct netclock_participation *participation);

/**
 * What became of the newest start, into `*outcome`. `NETCLOCK_NO_START`: there was none yet, and `*outcome` is as it was.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_outcome(struct netclock_organiser *organiser,
                                           struct netclock_outcome *outcome);

/**
 * Creates a participant that knows of no start and stores it in `*participant`, to be given back to
 * `netclock_participant_destroy`. `key` makes its messages unguessable: draw 64 bits from the operating system. Errors:
 * `NETCLOCK_NULL_ARGUMENT`.
 */
netclock_status netclock_participant_create(uint64_t key,
                                            struct netclock_participant **participant);

/**
 * Destroys a participant. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live participant, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_participant_destroy(struct netclock_participant *participant);

/**
 * Handles a datagram of `length` bytes from the organiser. A repeated announcement is answered anew, since the answer may
 * have been lost. Errors: `NETCLOCK_STALE`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_OTHER_RUN` (also while the clock is not in
 * sync), one of `NETCLOCK_WIRE_...`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_participant_receive(struct netclock_participant *participant,
                                             const void *datagram,
                                             size_t length);

/**
 * What to do in the frame at local time `now` (ticks), by the clock of `client`, into `*progress`. Call it in every frame:
 * `fires` is 1 in the first frame in which the server's time, as shown, has reached the start, and never earlier. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED` (of either
 * handle).
 */
netclock_status netclock_participant_tick(struct netclock_participant *participant,
                                          const struct netclock_client *client,
                                          int64_t now,
                                          struct netclock_progress *progress);

/**
 * The next datagram to be sent to the organiser, of `NETCLOCK_DATAGRAM_SIZE` bytes, to where there is room for `capacity`
 * bytes. Call it in every frame until it answers `NETCLOCK_NOTHING_DUE`, which leaves the room as it was. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, `NETCLOCK_POISONED`.
 */
netclock_status netclock_participant_next_message(struct netclock_participant *participant,
                                                  void *datagram,
                                                  size_t capacity);

/**
 * The beat under way at server time `now` (ticks) into `*number`, negative before the origin, and the fraction of it that
 * has passed, from 0 to just below 1, into `*alpha`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` for the
 * rate or the origin. Callable from any thread.
 */
netclock_status netclock_beat_at(const struct netclock_beat *beat,
                                 int64_t now,
                                 int64_t *number,
                                 double *alpha);

/**
 * When beat `number` begins, into `*server_time`: the first tick at which `netclock_beat_at` gives it. Errors as there.
 * Callable from any thread.
 */
netclock_status netclock_beat_time(const struct netclock_beat *beat,
                                   int64_t number,
                                   int64_t *server_time);

/**
 * What is to be run at server time `now` (ticks), into `*steps`, and moves `beat->next` past it. Step `n` is due from the
 * beginning of beat `n` on. No number is ever given twice, and none is left out that `skipped` does not declare, whatever
 * the clock does. Errors as `netclock_beat_at`.
 */
netclock_status netclock_beat_advance(struct netclock_beat *beat,
                                      int64_t now,
                                      struct netclock_steps *steps);

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
