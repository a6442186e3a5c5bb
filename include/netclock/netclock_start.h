/*
 * NetClock: starts and beats.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/start. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_START_H
#define NETCLOCK_START_H

#include "netclock/netclock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Starts and beats
 *
 * Clients start at one instant. The organiser on the server announces it to a participant on each client;
 * from there, beats count fixed steps.
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
     * The longest frame of the loops of server and clients, as in `client_frame` of `netclock_config`:
     * messages leave and are handled at frames. (ticks, 1 to 1 s, default 1/30 s)
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
    netclock_server_time at;
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
    /**
     * How long before a start it must be announced, at the confidence of the last proposal.
     * `NETCLOCK_UNBOUNDED` if nothing is known.
     */
    int64_t lead;
    /** Error bound of its clock; `NETCLOCK_UNBOUNDED` if it has none. */
    int64_t error_bound;
    /** Expected error of its clock; `NETCLOCK_UNBOUNDED` if nothing is known. */
    int64_t expected_error;
    /** Its smallest recent round trip; `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t round_trip;
    /** Share of its messages that are lost, estimated cautiously. (0 to 0.9) */
    double loss;
    /**
     * How long after the present start its frame was, by its own clock. `NETCLOCK_UNBOUNDED`: it has not
     * said that it started.
     */
    int64_t lateness;
    /** Error bound of its clock then; `NETCLOCK_UNBOUNDED` if it had none. */
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
    netclock_server_time at;
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
netclock_status netclock_organiser_admit(struct netclock_organiser *organiser, uint64_t participant);

/**
 * Removes `participant`: nobody waits for it, and it is told nothing more. If a client reconnects with a new
 * key, remove it and admit it again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_remove(struct netclock_organiser *organiser, uint64_t participant);

/**
 * Schedules a start, or says who is not ready. The start is as early as all ready participants learn of it
 * in time with probability `confidence` (above 0.5, at most 0.99999), judged by the losses and outages of
 * their readiness messages so far. So it does not hold for the first outages of a participant, and for
 * outages that are longer than those before. At most a quarter of `patience` is added for outages: with long
 * ones, raise `patience` rather than `confidence`. Before the start, `acknowledged` in
 * `netclock_organiser_result` counts those who know of it, and a game may cancel it and propose another.
 *
 * `now` is server time in ticks. `NETCLOCK_OK`: `*proposal` has the start. `NETCLOCK_HELD_UP`: `*proposal`
 * says who holds it up and why; call again later. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` for the confidence, `NETCLOCK_START_PENDING`,
 * `NETCLOCK_UNKNOWN_PARTICIPANT` if nobody was admitted, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_propose(struct netclock_organiser *organiser,
                                           netclock_server_time now,
                                           double confidence,
                                           struct netclock_start_proposal *proposal);

/**
 * Cancels the start that is under way; `now` is server time in ticks. A participant that acknowledges the
 * cancellation will not start. One that does not hear of it in time starts, and reports that.
 * `NETCLOCK_NO_START`: none is under way, or its time has come. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_organiser_cancel(struct netclock_organiser *organiser, netclock_server_time now);

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
                                           netclock_server_time now);

/**
 * The next datagram to send at server time `now` (ticks), of `NETCLOCK_DATAGRAM_SIZE` bytes, into a buffer
 * of `capacity` bytes. Its receiver goes into `*participant`. Call it in every frame until it returns
 * `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too
 * small, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_next_message(struct netclock_organiser *organiser,
                                                netclock_server_time now,
                                                uint64_t *participant,
                                                void *datagram,
                                                size_t capacity);

/**
 * What the organiser knows about `participant` at server time `now` (ticks), into `*participation`. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_participation(const struct netclock_organiser *organiser,
                                                 uint64_t participant,
                                                 netclock_server_time now,
                                                 struct netclock_start_participation *participation);

/**
 * The result of the newest start, into `*outcome`. `NETCLOCK_NO_START`: there was none yet. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_organiser_result(const struct netclock_organiser *organiser,
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
    netclock_server_time at;
    /** After the start: how long after `at` that frame was, by its own clock, in ticks. */
    int64_t lateness;
    /**
     * After the start: error bound of its clock then, in ticks. `NETCLOCK_UNBOUNDED` if nothing could be
     * promised.
     */
    int64_t error_bound;
    /** After the start: expected error of its clock then, in ticks; `NETCLOCK_UNBOUNDED` if not known. */
    int64_t expected_error;
} netclock_start_progress;

/**
 * Creates a participant that knows no start and stores it in `*participant`. Give it back to
 * `netclock_participant_destroy`. `key` makes its messages unguessable: draw 64 bits from the operating
 * system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_participant_create(uint64_t key, struct netclock_participant **participant);

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
 * What to do in the frame at local time `now` (ticks), as `client` shows the time, into `*progress`. Call it
 * in every frame. `fires` is 1 in the first frame in which the shown server time has reached the start, and
 * never earlier. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_participant_tick(struct netclock_participant *participant,
                                          const struct netclock_client *client,
                                          netclock_local_time now,
                                          struct netclock_start_progress *progress);

/**
 * The next datagram to send to the organiser, of `NETCLOCK_DATAGRAM_SIZE` bytes, into a buffer of `capacity`
 * bytes. Call it in every frame until it returns `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
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
    netclock_server_time origin;
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
    /**
     * 0: if `next` is 0, too, `netclock_beat_advance` begins with the beat under way, or with number 0
     * before the origin. It leaves 1 here. 1: every step from `next` on is run. Set it if you have to catch
     * up with all steps since the origin: 60 a second make 15 million in three days. (0 or 1)
     */
    uint32_t begun;
    /** Zero. */
    uint32_t reserved;
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
 * `NETCLOCK_BAD_CONFIG` for the rate or the origin, `NETCLOCK_STAMP_OUT_OF_RANGE`. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_at(const struct netclock_beat *beat,
                                 netclock_server_time now,
                                 int64_t *number,
                                 double *alpha);

/**
 * When beat `number` begins, into `*server_time`: the first tick at which `netclock_beat_at` gives this
 * number. Errors as there. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_time(const struct netclock_beat *beat,
                                   int64_t number,
                                   netclock_server_time *server_time);

/**
 * The steps to run at server time `now` (ticks), into `*steps`; moves `beat->next` past them. Step `n` is
 * due when beat `n` begins. No number is ever given twice, and none is left out unless `skipped` declares
 * it, whatever the clock does. Errors as `netclock_beat_at`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_beat_advance(struct netclock_beat *beat,
                                      netclock_server_time now,
                                      struct netclock_beat_steps *steps);

/* ===============================================================================================
 * Codes
 *
 * 600 to 699, positive and negative: starts and beats.
 * =============================================================================================== */

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

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_START_H */
