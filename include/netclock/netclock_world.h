/*
 * NetClock: world time.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/game/timeline. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_WORLD_H
#define NETCLOCK_WORLD_H

#include "netclock/netclock.h"
#include "netclock/netclock_keys.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * World time
 *
 * A game world has a clock of its own, which pauses, slows down and starts again. The server publishes it
 * as segments of real time; clients show the world's time from them.
 * =============================================================================================== */

/** An instant of a game world's clock, in ticks of world time. */
typedef int64_t netclock_world_time;

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
    netclock_server_time since;
    /** Where the line begins: the server's real time. */
    netclock_server_time real;
    /** What the world's clock reads there. */
    netclock_world_time world;
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
    netclock_server_time through;
} netclock_world_segment;

/**
 * Writes a segment as a datagram of `NETCLOCK_SEGMENT_SIZE` bytes into a buffer of `capacity` bytes. Errors:
 * `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE` or `NETCLOCK_TOLERANCE_OUT_OF_RANGE` for an
 * invalid segment, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_WIRE_LENGTH` if the buffer
 * is too small.
 */
NETCLOCK_NODISCARD
netclock_status netclock_encode_segment(const struct netclock_world_segment *segment,
                                        void *datagram,
                                        size_t capacity);

/**
 * Reads a segment from a datagram of `length` bytes. Errors: one of `NETCLOCK_WIRE_...` for a datagram to be
 * ignored, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
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
 * `paused` is not 0. The rate is a hint: if the world of the last frames ran at another one, for example
 * because the server cannot keep up, segments have the measured rate. Read `real` as soon as possible after
 * the world's clock was set. `NETCLOCK_OK`: send `*segment` to every client. `NETCLOCK_NOTHING_DUE`: there
 * is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_RATE_OUT_OF_RANGE`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_WORLD_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_publisher_observe(struct netclock_publisher *publisher,
                                           netclock_server_time real,
                                           netclock_world_time world,
                                           double rate,
                                           int32_t paused,
                                           struct netclock_world_segment *segment);

/**
 * The newest segment, and until which frame (`through`) the server may confirm it, into `*segment`. Send it
 * to clients that join, and from time to time to all, if segments may get lost. `NETCLOCK_NO_WORLD`: the
 * world has had no frame. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
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
    /**
     * 1: segments without a seal are refused, so give them to `netclock_timeline_insert_sealed`. Set it
     * wherever the session has a key: a fellow player knows the server's epoch from its own replies, so
     * without a seal it can forge the next segment of another player. (0 or 1, default 0)
     */
    uint32_t sealed;
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
    /**
     * How many segments are kept, 88 bytes each. The oldest is dropped for a new one, and with it what is
     * known of its time (`NETCLOCK_NOT_KEPT`). A world that changes its rate in every frame publishes up to
     * twenty a second, and others one for each change. Views of the past need more. (count, 16 to 4096,
     * default 64)
     */
    uint32_t segments;
    /** Zero. */
    uint32_t reserved;
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
    netclock_world_time world_time;
    /**
     * Hard bound: the world's clock is within `world_time` plus or minus this. It covers changes that the
     * client cannot have heard of yet, if the world runs no faster than the larger of `max_rate` and the
     * newest segment's rate. `NETCLOCK_UNBOUNDED` if nothing can be promised.
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
 * `NETCLOCK_NOT_SEALED` (the settings ask for a seal), `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_insert(struct netclock_timeline *timeline,
                                         const struct netclock_world_segment *segment);

struct netclock_sealed_channel;

/**
 * As `netclock_timeline_insert`, with the `sealed` datagram of `length` bytes that came by `channel`: the
 * server sealed what `netclock_encode_segment` wrote. The seal is checked first. If a genuine message is no
 * segment at all (`NETCLOCK_WIRE_...`), the channel has not opened it, and `netclock_sealed_channel_open`
 * can. Errors: those of both calls.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_insert_sealed(struct netclock_timeline *timeline,
                                                struct netclock_sealed_channel *channel,
                                                const void *sealed,
                                                size_t length);

/**
 * Confirms the newest segment: the server says, with a reply for example, that at its real time `through`
 * (ticks) its newest segment was `version` of the world `instance`. `through` must not be later than that of
 * `netclock_publisher_newest`, even if the reply is: a change counts from the last observed frame on.
 * `NETCLOCK_NO_WORLD`: no segment of that run of its clock is known. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_SEGMENT_OUTDATED` for an older world, `NETCLOCK_POISONED`.
 */
netclock_status netclock_timeline_confirm(struct netclock_timeline *timeline,
                                          uint64_t server_epoch,
                                          uint32_t instance,
                                          uint32_t version,
                                          netclock_server_time through);

/**
 * The world's time to be shown now, into `*reading`. It never goes back within an epoch. Call it once a
 * frame. `now` is what `netclock_client_read` gave, or a reading that you make from another clock of the
 * server's real time: only `server_time`, `error_bound`, `server_epoch`, `epoch` and whether its `state` is
 * `NETCLOCK_STATE_UNSYNCED` are used. Readings may come in any order, from any thread. If `now` is before an
 * earlier one of its epoch, the world stands still. Then `ahead` says how far it is ahead of `now`.
 * `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: `now` is surely before the
 * oldest segment. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_show(struct netclock_timeline *timeline,
                                       const struct netclock_reading *now,
                                       struct netclock_world_reading *reading);

/**
 * What the world's clock read or will read at the server's real time `real` (ticks), by the segments that
 * have arrived, into `*reading`. It is not slewed, so it may differ from the shown time. It is rounded down
 * to a tick, by which the truth may be beyond a bound of zero.
 * `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: `real` is before the oldest segment that is kept.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_world_at(const struct netclock_timeline *timeline,
                                           uint64_t server_epoch,
                                           netclock_server_time real,
                                           struct netclock_world_reading *reading);

/**
 * The first and the last real time of the server at which the world's clock reads `world`, into `*first` and
 * `*last` (ticks). They are far apart if the world stands still there. `*last` is 2^62 - 1 if it does so for
 * good, as far as is known; `*first` is not before the oldest segment that is kept. `NETCLOCK_NEVER`,
 * `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: the world's clock read this before. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_timeline_real_at(const struct netclock_timeline *timeline,
                                          uint64_t server_epoch,
                                          netclock_world_time world,
                                          netclock_server_time *first,
                                          netclock_server_time *last);

/* ===============================================================================================
 * Codes
 *
 * 400 to 499, positive and negative: world time.
 * =============================================================================================== */

/** There is no world time, because no segment of this run of the server's clock arrived. */
#define NETCLOCK_NO_WORLD 401

/** The world's clock never reads this, as far as is known. */
#define NETCLOCK_NEVER 402

/** The segment was known. */
#define NETCLOCK_ALREADY_KNOWN 403

/** The instant is before the oldest segment of the world that is kept: see `segments` of the settings. */
#define NETCLOCK_NOT_KEPT 404

/** The rate of a world that runs is not within 1e-4 and 100. */
#define NETCLOCK_RATE_OUT_OF_RANGE (-401)

/** A segment's tolerance is not within 0 and an hour. */
#define NETCLOCK_TOLERANCE_OUT_OF_RANGE (-402)

/**
 * The segment is outdated. Newer ones replaced it, or it is of an older world, or of a run of the server
 * that is over.
 */
#define NETCLOCK_SEGMENT_OUTDATED (-403)

/** Another segment with the same version is known. */
#define NETCLOCK_SEGMENT_CONFLICT (-404)

/** The server's real time is before that of an earlier call. */
#define NETCLOCK_REAL_WENT_BACKWARDS (-405)

/** The world's time is before that of an earlier call: begin another world. */
#define NETCLOCK_WORLD_WENT_BACKWARDS (-406)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_WORLD_H */
