/*
 * NetClock: one conversation.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/session. Do not edit: run `cargo xtask header`.
 * netclock.h says what holds for all calls.
 */
#ifndef NETCLOCK_SESSION_H
#define NETCLOCK_SESSION_H

#include "netclock/netclock.h"
#include "netclock/netclock_keys.h"
#include "netclock/netclock_handover.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * One conversation
 *
 * A host on the server and a guest on each client carry the clock, world time, UTC, the authority, starts
 * and link offers in datagrams of at most 256 bytes. The game carries the datagrams, which may be lost,
 * duplicated, reordered and delayed. The host repeats its news until the guest confirms it.
 * =============================================================================================== */

/** An instant of a game world's clock, in ticks of world time. */
typedef int64_t netclock_world_time;

/** An instant of UTC: ticks since 1970-01-01 00:00, without leap seconds. */
typedef int64_t netclock_utc_time;

/**
 * Settings of a host. Set `struct_size` to `sizeof(netclock_host_config)`, and everything else to zero for
 * the defaults. A field that is not zero replaces its default.
 */
typedef struct netclock_host_config {
    /** `sizeof(netclock_host_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Most players at a time. Their memory is allocated at creation. (count, 1 to 16384, default 64) */
    uint32_t capacity;
    /**
     * How far a world's clock may be from its segment before the next one is sent. (world ticks, 10 us to 1
     * s, default 0.5 ms)
     */
    int64_t world_tolerance;
    /**
     * How much later real time may be read than the world's clock was set. A lag above this plus the
     * tolerance is treated as lost time at once. (real ticks, 1 to 1 s, default 0.5 ms)
     */
    int64_t world_read_lag;
    /** Step of the world's clock as it is read. (world ticks, 1 to 1 s, default 1) */
    int64_t world_resolution;
    /**
     * The most segments of a world in any one second; a quarter of them may come at once. (count, 2 to 1000,
     * default 20)
     */
    uint32_t world_max_per_second;
    /** How fast the server's clock may run away from UTC. (ppm, 1 to 100000, default 50) */
    uint32_t utc_drift_ppm;
    /**
     * How far UTC may move before it is sent again. Stated bounds are wider by it. (ticks, 10 us to 1 h,
     * default 1 ms)
     */
    int64_t utc_tolerance;
    /** The longest time until UTC is sent again. (ticks, 1 s to 1 h, default 60 s) */
    int64_t utc_refresh;
    /** Most players who take part in starts. (count, 1 to 1024, default 64) */
    uint32_t start_capacity;
    /** Zero. */
    uint32_t reserved;
    /**
     * The longest that players can delay a start, counted from the first proposal. (ticks, 100 ms to 10 min,
     * default 10 s)
     */
    int64_t start_patience;
    /** A player whose clock has a larger expected error is not ready. (ticks, 1 to 1 s, default 1 ms) */
    int64_t start_max_expected_error;
    /** Time between two copies of an announcement. (ticks, 5 ms to 1 s, default 50 ms) */
    int64_t start_interval;
    /** The longest frame of the loops of server and clients. (ticks, 1 to 1 s, default 1/30 s) */
    int64_t start_frame;
    /** The least loss to expect, as a share of messages. (0.01 to 0.9, default 0.2) */
    double start_loss;
    /** Largest skew between two honest clocks. (ppm, 1 to 10000, default 200) */
    double watch_max_drift_ppm;
    /** A delay that messages do not exceed for 16 s without a break. (ticks, 100 ms to 60 s, default 5 s) */
    int64_t watch_max_delay;
} netclock_host_config;

/**
 * Settings of a guest, apart from its clock's. Set `struct_size` to `sizeof(netclock_guest_config)`, and
 * everything else to zero for the defaults. A field that is not zero replaces its default.
 */
typedef struct netclock_guest_config {
    /** `sizeof(netclock_guest_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** How many segments are kept of each world. (count, 16 to 4096, default 64) */
    uint32_t world_segments;
    /**
     * How much faster or slower than its own rate a world is shown while it slews to late news. It is a
     * fraction of real time, or of the world's rate if that is more. (fraction, 0.001 to 1, default 0.25)
     */
    double world_max_slew;
    /**
     * If a world is further ahead than this, the shown time steps forwards once. If it is shown further
     * ahead than this, it stands still until it is not. (world ticks, 1 ms to 1 h, default 250 ms)
     */
    int64_t world_step_threshold;
    /**
     * The fastest that a world may run before the host has said so: for the error bound. (world ticks per
     * real tick, 1e-4 to 100, default 1)
     */
    double world_max_rate;
    /**
     * Share of messages to the server that are in time: see `netclock_guest_lead`. (fraction, 0.5 to 0.99,
     * default 0.95)
     */
    double lead_quantile;
    /**
     * Frame period of a server that stamps requests on arrival, but handles messages at frames; else zero.
     * (ticks, 0 to 1 s, default 0)
     */
    int64_t lead_server_frame;
    /** The same of the client. (ticks, 0 to 1 s, default 0) */
    int64_t lead_client_frame;
    /** Time between two states that the server sends. (ticks, 0 to 10 s, default 0) */
    int64_t lead_send_interval;
    /**
     * The latency whose changes the speed hides: zero for both directions together, `NETCLOCK_TO_SERVER` or
     * `NETCLOCK_TO_CLIENT` for one.
     */
    int32_t latency_hide;
    /** Zero. */
    uint32_t reserved;
    /** Smaller changes of the latency are not reported. (ticks, 1 ms to 1 s, default 10 ms) */
    int64_t latency_least_change;
    /** How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1) */
    double latency_max_speed_change;
    /** Time from speed 1 to the furthest. (ticks, 10 ms to 10 s, default 250 ms) */
    int64_t latency_ramp;
    /** Mean time between false reports on a path that does not change. (hours, 0.1 to 10000, default 100) */
    double latency_hours_per_false_alarm;
} netclock_guest_config;

/** Longest datagram of a session, in bytes. */
#define NETCLOCK_SESSION_DATAGRAM_MOST 256

/** Longest blob of `netclock_host_blob`, in bytes. */
#define NETCLOCK_SESSION_BLOB_MOST 306

/**
 * The server's end: answers requests, and tells all players the worlds' time, UTC, the authority and starts.
 * Opaque. Calls on it wait for each other.
 */
typedef struct netclock_host netclock_host;

/**
 * Creates a host without players and stores it in `*host`. Give it back to `netclock_host_destroy`. `config`
 * may be null for all defaults. `server_epoch` names the run of the server's clock: a random number, drawn
 * at each start. `seed_high` and `seed_low` make tokens unguessable: draw 128 bits from the operating
 * system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_create(const struct netclock_host_config *config,
                                     uint64_t server_epoch,
                                     uint64_t seed_high,
                                     uint64_t seed_low,
                                     struct netclock_host **host);

/**
 * Destroys a host, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_host_destroy(struct netclock_host *host);

struct netclock_session_key;

/**
 * Admits a player whose datagrams come over the game's own connection, which vouches for the sender.
 * `player` is any number that names the connection. If `key` is not null, all datagrams are sealed with it:
 * draw another one for each connection. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_DUPLICATE`,
 * `NETCLOCK_FULL`, `NETCLOCK_BAD_CONFIG` for the key, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_admit(struct netclock_host *host,
                                    uint64_t player,
                                    const struct netclock_session_key *key);

/**
 * Admits a player whose address may be forged, over plain UDP for example. The host sends it no more bytes
 * than it received, until the player returns a token. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_admit_unproven(struct netclock_host *host, uint64_t player);

/**
 * Forgets a player who has left. Starts do not wait for it. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_dismiss(struct netclock_host *host, uint64_t player);

/**
 * A player from whom nothing has arrived for `longest` (ticks, at least 0) at server time `now` (ticks),
 * into `*player`: dismiss it if the transport reports no lost connections, and ask again. A guest at rest
 * sends a datagram every `steady_interval` of its clock's settings. `NETCLOCK_NOTHING_DUE`: there is none.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_silent(struct netclock_host *host,
                                     netclock_server_time now,
                                     int64_t longest,
                                     uint64_t *player);

/**
 * Writes 1 to `*is_up_to_date` if the player has confirmed the newest state of every subject, else 0.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_is_up_to_date(const struct netclock_host *host,
                                            uint64_t player,
                                            int32_t *is_up_to_date);

/**
 * Observes a frame of world 0 to 3; call it in every frame. At the server's real time `real` the world's
 * clock reads `time` (ticks). From there it runs at `rate` world ticks per real tick, 1e-4 to 100, or stands
 * still if `paused` is not 0. The rate is a hint: if the world of the last frames ran at another one,
 * players are told the measured rate. Read `real` as soon as possible after the world's clock was set.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_RATE_OUT_OF_RANGE`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_WORLD_WENT_BACKWARDS`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_observe(struct netclock_host *host,
                                      uint32_t world,
                                      netclock_server_time real,
                                      netclock_world_time time,
                                      double rate,
                                      int32_t paused);

/**
 * Begins another world under the number `world`, 0 to 3, with the next observed frame: another map, whose
 * clock may begin at any time. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_WORLD`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_begin_world(struct netclock_host *host, uint32_t world);

/**
 * Observes that at server time `at` (ticks) the machine's UTC was `utc` (ticks since 1970), within
 * `error_bound` (ticks) of true UTC. `NETCLOCK_UNBOUNDED`: nobody states a bound. Call it about once a
 * second; `netclock_utc_now` reads both clocks. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative bound,
 * `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_observe_utc(struct netclock_host *host,
                                          netclock_server_time at,
                                          netclock_utc_time utc,
                                          int64_t error_bound);

struct netclock_authority;

/**
 * States whose clock this server shows, and how far it may be off. Players learn it with their first reply.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_WIRE_STAMP` for the dispersion,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_state_authority(struct netclock_host *host,
                                              const struct netclock_authority *authority);

/**
 * Has the players report how good their clocks are, so that a start that is proposed later need not wait for
 * it. `netclock_host_propose_start` does it too. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_prepare_start(struct netclock_host *host);

struct netclock_start_proposal;

/**
 * Schedules a start of all players, or says who is not ready; call it until a start is scheduled. The start
 * is as early as all ready players learn of it in time with probability `confidence` (above 0.5, at most
 * 0.99999), and not before `earliest`. `now` and `earliest` are server time in ticks. If `earliest` is in
 * the future and nobody was admitted, the start is then. `NETCLOCK_OK`: `*proposal` has the start.
 * `NETCLOCK_HELD_UP`: `*proposal` says who holds it up and why. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` for the confidence, `NETCLOCK_START_PENDING`,
 * `NETCLOCK_UNKNOWN_PARTICIPANT` if nobody was admitted, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_propose_start(struct netclock_host *host,
                                            netclock_server_time now,
                                            netclock_server_time earliest,
                                            double confidence,
                                            struct netclock_start_proposal *proposal);

/**
 * Cancels the start that is under way; `now` is server time in ticks. A player who does not learn of it in
 * time starts. `NETCLOCK_NO_START`: none is under way, or its time has come. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_cancel_start(struct netclock_host *host, netclock_server_time now);

/**
 * Ends the newest start: players who join later do not learn of it. Call it when the game needs no further
 * start, or when its next start is for another world. The next start waits until the players have reported
 * anew how good their clocks are. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_end_starts(struct netclock_host *host);

struct netclock_start_result;

/**
 * The result of the newest start, into `*outcome`. `NETCLOCK_NO_START`: there was none yet. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_start_result(const struct netclock_host *host,
                                           struct netclock_start_result *outcome);

struct netclock_start_participation;

/**
 * What the host knows about the player's part in starts at server time `now` (ticks), into `*participation`.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_participation(const struct netclock_host *host,
                                            uint64_t player,
                                            netclock_server_time now,
                                            struct netclock_start_participation *participation);

struct netclock_rate_verdict;

/**
 * What the watch over the rate of the player's clock has found, into `*verdict`. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_verdict(const struct netclock_host *host,
                                      uint64_t player,
                                      struct netclock_rate_verdict *verdict);

/**
 * Ignores what the player's clock did from `from` to `to`, in ticks of server time, because it stood still
 * or was set for a good reason. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` if `to` is before `from`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_excuse(struct netclock_host *host,
                                     uint64_t player,
                                     netclock_server_time from,
                                     netclock_server_time to);

/**
 * The shortest round trip to the player in the last seconds at server time `now` (ticks), the frames of both
 * ends included, into `*round_trip` (ticks). The host measures it for ten seconds after each call, so call
 * it about once a second as long as you need it. A player can make it longer, but not shorter.
 * `NETCLOCK_NO_MESSAGES`: it is not yet known. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_round_trip(struct netclock_host *host,
                                         uint64_t player,
                                         netclock_server_time now,
                                         int64_t *round_trip);

/**
 * Writes the newest segments of all worlds into a buffer of `capacity` bytes (`NETCLOCK_SESSION_BLOB_MOST`),
 * and the number of bytes to `*length`. Replicate them for replays, which `netclock_guest_read_blob` reads.
 * They change only when a world's clock does. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if
 * the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_blob(const struct netclock_host *host,
                                   void *blob,
                                   size_t capacity,
                                   size_t *length);

/**
 * Offers the player a link beside the game's connection: the UDP port of a `netclock_link_server` at the
 * same address, and the key that it admitted for this player. The offer is repeated until the guest confirms
 * it. Seals do not hide what they seal, so offer a link only if the game's own connection is private.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_BAD_CONFIG` for the key,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_offer_link(struct netclock_host *host,
                                         uint64_t player,
                                         uint16_t port,
                                         const struct netclock_session_key *key);

/**
 * Notes that the caller polled its transport at server time `at` (ticks), and has handled all datagrams that
 * were there. So the datagrams that `netclock_host_receive` gets afterwards arrived after `at`. Call it once
 * a poll, after the last datagram. Before a datagram that was stamped on arrival, pass its stamp. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_polled(struct netclock_host *host, netclock_server_time at);

/**
 * Handles a datagram of `length` bytes from `player` that arrived at server time `arrived` (ticks). Errors,
 * which change nothing: `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_OTHER_SESSION`, `NETCLOCK_WIRE_TRUNCATED`,
 * one of `NETCLOCK_WIRE_...`, `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
 * `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_host_receive(struct netclock_host *host,
                                      uint64_t player,
                                      const void *datagram,
                                      size_t length,
                                      netclock_server_time arrived);

/**
 * The next datagram to send at server time `now` (ticks): the player to `*player`, its bytes into a buffer
 * of `capacity` bytes (`NETCLOCK_SESSION_DATAGRAM_MOST`), and their number to `*length`. Call it in every
 * frame until it returns `NETCLOCK_NOTHING_DUE`, right before datagrams leave. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_next(struct netclock_host *host,
                                   netclock_server_time now,
                                   uint64_t *player,
                                   void *datagram,
                                   size_t capacity,
                                   size_t *length);

/**
 * A player's end: asks, learns what the host says, and shows it. Opaque. Calls on it and on its client wait
 * for each other. Calls that read its client never wait.
 */
typedef struct netclock_guest netclock_guest;

/**
 * Creates a guest that is connected without a session key and stores it in `*guest`. Give it back to
 * `netclock_guest_destroy`. `config` and `clock`, the settings of its clock, may be null for all defaults.
 * `seed_high` and `seed_low` make requests and sessions unguessable: draw 128 bits from the operating
 * system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_create(const struct netclock_guest_config *config,
                                      const struct netclock_config *clock,
                                      uint64_t seed_high,
                                      uint64_t seed_low,
                                      struct netclock_guest **guest);

/**
 * Destroys a guest and its client, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
 * `NETCLOCK_BUSY`.
 */
netclock_status netclock_guest_destroy(struct netclock_guest *guest);

/**
 * The guest's client, for all calls that read it, and for callbacks, links, steps and saved states. It lives
 * as long as the guest: do not destroy it, and do not pass it requests and replies. Null if `guest` is null.
 * Callable from any thread.
 */
struct netclock_client *netclock_guest_client(struct netclock_guest *guest);

/**
 * Begins another connection at local time `now` (ticks), to this host or to another. If `key` is not null,
 * all datagrams are sealed with it: each connection has another key. The time goes on, but without a bound
 * until the first reply, as after `netclock_client_may_have_missed_time`: the new host's clock may be
 * another. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` for the key,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_guest_connect(struct netclock_guest *guest,
                                       const struct netclock_session_key *key,
                                       netclock_local_time now);

/**
 * As `netclock_guest_connect`, to a host that is expected to continue the time of the one before, as when a
 * game's host migrates. The error bound goes on, too. If the new host's clock turns out to be another, the
 * clock starts over with its first reply. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` for the
 * key, `NETCLOCK_POISONED`.
 */
netclock_status netclock_guest_follow(struct netclock_guest *guest, const struct netclock_session_key *key);

/**
 * The server epoch of the host that answered in this connection, into `*epoch`. `NETCLOCK_NOT_SYNCED`: none
 * did yet. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_host_epoch(const struct netclock_guest *guest, uint64_t *epoch);

/**
 * Whether this player takes part in starts (1), as it does at first, or not (0). Turn it off while the
 * player loads another world: then starts wait for it, and it starts when it is turned on again. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_guest_take_part(struct netclock_guest *guest, int32_t takes_part);

/**
 * Reads `length` bytes that `netclock_host_blob` wrote, for example from a replay. In a guest that never
 * connects, `netclock_guest_world_at` and `netclock_guest_real_at` then answer for the newest blob. Errors,
 * which change nothing: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_TORN`, one of `NETCLOCK_WIRE_...`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_guest_read_blob(struct netclock_guest *guest, const void *blob, size_t length);

/**
 * The newest segment of world 0 to 3 that arrived, for a recording: its `NETCLOCK_SEGMENT_SIZE` bytes into a
 * buffer of `capacity` bytes. `NETCLOCK_NO_WORLD`: there is none. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_segment(const struct netclock_guest *guest,
                                       uint32_t world,
                                       void *segment,
                                       size_t capacity);

/**
 * Handles a datagram of `length` bytes from the host that arrived at local time `arrived` (ticks). A reply
 * that the clock refuses is no error. After `NETCLOCK_OTHER_SESSION` the guest tells the host of this
 * connection again. The other errors change nothing: `NETCLOCK_WIRE_TRUNCATED`, `NETCLOCK_UNKNOWN_WORLD`,
 * one of `NETCLOCK_WIRE_...`, `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
 * `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`,
 * `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_guest_receive(struct netclock_guest *guest,
                                       const void *datagram,
                                       size_t length,
                                       netclock_local_time arrived);

/**
 * The next datagram to send at local time `now` (ticks): its bytes into a buffer of `capacity` bytes
 * (`NETCLOCK_SESSION_DATAGRAM_MOST`), and their number to `*length`. `*reliable` becomes 1 if it should be
 * sent reliably, if the transport can, else 0. Call it in every frame until it returns
 * `NETCLOCK_NOTHING_DUE`, right before datagrams leave. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_next(struct netclock_guest *guest,
                                    netclock_local_time now,
                                    int32_t *reliable,
                                    void *datagram,
                                    size_t capacity,
                                    size_t *length);

/**
 * Begins the frame at local time `now` (ticks): everything that the guest shows until the next call is of
 * this instant. Writes the server's time to `*reading`. Call it once a frame: world time does not go
 * backwards from call to call, and a start fires in one of them. `NETCLOCK_NOT_SYNCED`: the reading says so.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_view(struct netclock_guest *guest,
                                    netclock_local_time now,
                                    struct netclock_reading *reading);

struct netclock_world_reading;

/**
 * The time of world 0 to 3 in this frame, into `*reading`. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_WORLD`: there
 * is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_WORLD`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_world(const struct netclock_guest *guest,
                                     uint32_t world,
                                     struct netclock_world_reading *reading);

struct netclock_utc_reading;

/**
 * The server's UTC in this frame, into `*reading`. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_UTC`: there is none.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_utc(const struct netclock_guest *guest, struct netclock_utc_reading *reading);

struct netclock_start_progress;

/**
 * The newest start, and whether to start in this frame, into `*progress`. `fires` is 1 in the first frame in
 * which the shown server time has reached the start, and never earlier. `NETCLOCK_NOT_SYNCED`: no frame was
 * begun in this connection. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_start(const struct netclock_guest *guest,
                                     struct netclock_start_progress *progress);

struct netclock_latency_speed;

/**
 * The speed at which the local avatar plays in this frame to hide a changed latency, into `*speed`. When the
 * latency rises by `d`, the server's copy of the avatar becomes `d` older. The avatar plays slower than 1
 * until it has played `d` less; then the distance to its copy is what it was. The difference of `done`
 * between two frames is exactly what to play more between them, at any frame rate. A clock that runs ahead
 * by the latency does the opposite: `2 - scale`. `NETCLOCK_NOT_SYNCED`: no frame was begun in this
 * connection. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_speed(const struct netclock_guest *guest,
                                     struct netclock_latency_speed *speed);

/**
 * How far ahead to predict in this frame, as times of the server in ticks. With the configured probability,
 * a message that leaves now is handled before `*handled_by`: predict for that time. If others are shown as
 * they were at `*showable`, then with that probability there are two states to interpolate between. Either
 * may be null. `NETCLOCK_NO_MESSAGES`: not yet known, and both are zero. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_lead(const struct netclock_guest *guest,
                                    netclock_server_time *handled_by,
                                    netclock_server_time *showable);

struct netclock_latency_change;

/**
 * Takes the next change of the latency that was found, into `*change`. `NETCLOCK_NO_CHANGE`: none is
 * waiting. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_next_latency_change(struct netclock_guest *guest,
                                                   struct netclock_latency_change *change);

/**
 * The link that the host offered in this connection: its UDP port to `*port`, and its key to `*key`, for
 * `netclock_link_client_create` with the guest's client. `NETCLOCK_NO_LINK_OFFER`: there is none. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_link_offer(const struct netclock_guest *guest,
                                          uint16_t *port,
                                          struct netclock_session_key *key);

/**
 * What the clock of world 0 to 3 reads at the server's real time `real` (ticks) of the run that is shown, by
 * all news that has arrived, into `*reading`. It is not slewed, so it may differ from the shown time.
 * `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: `real` is before the
 * oldest segment that is kept. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_world_at(const struct netclock_guest *guest,
                                        uint32_t world,
                                        netclock_server_time real,
                                        struct netclock_world_reading *reading);

/**
 * The first and the last real time of the server at which the clock of world 0 to 3 reads `time`, into
 * `*first` and `*last` (ticks). They are far apart if the world stands still there. `*last` is 2^62 - 1 if
 * it does so for good, as far as is known. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NEVER`, `NETCLOCK_NO_WORLD`:
 * there is none. `NETCLOCK_NOT_KEPT`: the world's clock read this before. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_real_at(const struct netclock_guest *guest,
                                       uint32_t world,
                                       netclock_world_time time,
                                       netclock_server_time *first,
                                       netclock_server_time *last);

/**
 * The server time (ticks) at which UTC is `utc` (ticks since 1970), by the newest claim about the run that
 * is shown, into `*server_time`. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_UTC`: there is none. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_server_time_at(const struct netclock_guest *guest,
                                              netclock_utc_time utc,
                                              netclock_server_time *server_time);

/**
 * Everything that is known of a world at one instant; all fields belong together. Times are in ticks. Set
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

/** Length of an encoded segment, in bytes. */
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
 * `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE` or `NETCLOCK_OUT_OF_RANGE` (its tolerance) for
 * an invalid segment, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_WIRE_LENGTH` if the
 * buffer is too small.
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

/** The server's UTC at one instant. Set `struct_size` before the call. */
typedef struct netclock_utc_reading {
    /** `sizeof(netclock_utc_reading)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the claim. Another number, or another server epoch, means that UTC may have jumped. */
    uint32_t version;
    /** UTC as the server claims it, in ticks since 1970-01-01 00:00, without leap seconds. */
    netclock_utc_time utc;
    /**
     * True UTC is within `utc` plus or minus this (ticks), if the server's source of time is right.
     * `NETCLOCK_UNBOUNDED` if nobody states how good the server's UTC is, or the clock has no bound.
     */
    int64_t error_bound;
} netclock_utc_reading;

/**
 * Reads the machine's UTC and `netclock_monotonic_now` as one, for `netclock_host_observe_utc`. At
 * local time `*local` UTC was `*utc`, in ticks since 1970, give or take `*uncertainty`. Add that to the
 * bound of the machine's source of time.
 *
 * UTC is read between two reads of the other clock, up to five times, and the closest pair counts. That
 * takes about a microsecond. UTC is `CLOCK_REALTIME` on Unix and `GetSystemTimePreciseAsFileTime` on
 * Windows. People and time services set it, slew it, and may smear leap seconds. `NETCLOCK_NO_UTC`: this
 * system has no UTC. Errors: `NETCLOCK_NULL_ARGUMENT`. Callable from any thread.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_now(netclock_local_time *local, netclock_utc_time *utc, int64_t *uncertainty);

/** Hold-up: the player is ready. */
#define NETCLOCK_HOLD_UP_NONE 0

/** Hold-up: nothing was heard from it for 1.5 s, or ever. */
#define NETCLOCK_HOLD_UP_SILENT 1

/** Hold-up: it is not in sync, in doubt, or in sync with another run of the server's clock. */
#define NETCLOCK_HOLD_UP_UNSYNCED 2

/** Hold-up: its expected error is above `max_expected_error`. */
#define NETCLOCK_HOLD_UP_INACCURATE 3

/** Hold-up: announcing a start to it would take longer than half of `patience`. */
#define NETCLOCK_HOLD_UP_TOO_SLOW 4

/** The outcome of a proposal. Set `struct_size` before the call. */
typedef struct netclock_start_proposal {
    /** `sizeof(netclock_start_proposal)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_HOLD_UP_...`: why the start is held up; none if it is scheduled. */
    int32_t hold_up;
    /** Server time in ticks. Scheduled: the start. Held up: until when the host waits for players. */
    netclock_server_time at;
    /** Scheduled: the player that needs the longest announcement. Held up: the first that is not ready. */
    uint64_t participant;
    /**
     * How many are not ready. Scheduled: the host waits for them no longer; it tells them, but promises
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
 * What a host knows about a player in starts, from the player's own claims. Set `struct_size` before
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
 * The result of the newest start, as its players report it. Set `struct_size` before the call. Counts
 * and times include only players that were ready when it was scheduled and are still there.
 */
typedef struct netclock_start_result {
    /** `sizeof(netclock_start_result)` as compiled into the caller. */
    uint32_t struct_size;
    /** Number of the newest announcement. */
    uint32_t version;
    /** The scheduled start: server time in ticks. */
    netclock_server_time at;
    /** Lateness of the first player that started, in ticks. */
    int64_t earliest;
    /** Lateness of the last one, in ticks. The difference is the spread. */
    int64_t latest;
    /** The largest error bound of their clocks then, in ticks; `NETCLOCK_UNBOUNDED` if one had none. */
    int64_t error_bound;
    /** How many players there are. */
    uint32_t counted;
    /** How many of them acknowledged the newest announcement. */
    uint32_t acknowledged;
    /** How many of them report that they started. */
    uint32_t fired;
    /** 1 if the newest announcement is a cancellation, else 0. */
    int32_t cancelled;
} netclock_start_result;

/** Stage: no start was announced, or it was cancelled. */
#define NETCLOCK_STAGE_WAITING 0

/** Stage: a start was announced and is to come. */
#define NETCLOCK_STAGE_ANNOUNCED 1

/** Stage: it started. */
#define NETCLOCK_STAGE_STARTED 2

/** Stage: it heard of a start after its time, as late joiners do, and continues from there. */
#define NETCLOCK_STAGE_JOINED 3

/**
 * What a guest knows of starts in a frame. Set `struct_size` before the call. Fields without a value are
 * zero.
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

/** Level: too few reports so far. */
#define NETCLOCK_RATE_UNKNOWN 0

/** Level: delay and ordinary crystals explain everything. */
#define NETCLOCK_RATE_PLAUSIBLE 1

/** Level: only a path that behaved as paths hardly ever do could explain it. Look closer, do not punish. */
#define NETCLOCK_RATE_LIKELY 2

/**
 * Level: no delays explain it. The client's clock ran at another rate or was set, or the server's was set.
 */
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

/** The verdict of a host on the rate of a player's clock. Set `struct_size` before the call. */
typedef struct netclock_rate_verdict {
    /** `sizeof(netclock_rate_verdict)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`, about the last minute. */
    int32_t level;
    /** The highest level so far, one of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`. */
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
     * Mean skew of the client's clock against the server's since the player was admitted or last excused.
     * Positive: the client's clock is fast. Zero if not known. (ppm)
     */
    double mean_ppm;
    /** How far off `mean_ppm` may be if delays changed by 60 ms. Zero if not known. (ppm) */
    double mean_error_ppm;
} netclock_rate_verdict;

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
    netclock_local_time since;
    /** When the last of them arrived. (ticks of the local clock) */
    netclock_local_time found;
    /** Confidence: one minus the false reports per hour expected at this strength of evidence. (0 to 1) */
    double confidence;
} netclock_latency_change;

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
     * How much more than the time that passed it should have played since the guest connected; negative:
     * less. (ticks)
     */
    int64_t done;
    /** How much more it still has to play; negative: less. (ticks) */
    int64_t remaining;
} netclock_latency_speed;

/* ===============================================================================================
 * Codes
 *
 * 1100 to 1199, positive and negative: one conversation.
 * =============================================================================================== */

/** The host offered no link in this connection. */
#define NETCLOCK_NO_LINK_OFFER 1101

/** There is no world time, because no segment of this run of the server's clock arrived. */
#define NETCLOCK_NO_WORLD 1102

/** The world's clock never reads this, as far as is known. */
#define NETCLOCK_NEVER 1103

/**
 * The instant is before the oldest segment of the world that is kept: see `world_segments` of the settings.
 */
#define NETCLOCK_NOT_KEPT 1104

/** UTC is unknown: the server has not said what UTC its clock's zero is, or the system has no UTC. */
#define NETCLOCK_NO_UTC 1105

/** A player is not ready: the output says which one and why. */
#define NETCLOCK_HELD_UP 1106

/** No start was scheduled, or none is under way. */
#define NETCLOCK_NO_START 1107

/** No change of the latency is waiting. */
#define NETCLOCK_NO_CHANGE 1108

/** No message was learnt yet in a direction that was asked for. */
#define NETCLOCK_NO_MESSAGES 1109

/** A host has worlds 0 to 3. */
#define NETCLOCK_UNKNOWN_WORLD (-1101)

/** The datagram belongs to an earlier session of the guest, or the host does not know its session yet. */
#define NETCLOCK_OTHER_SESSION (-1102)

/** A section of the datagram is cut off. */
#define NETCLOCK_WIRE_TRUNCATED (-1103)

/** The blob is a mixture of several. */
#define NETCLOCK_WIRE_TORN (-1104)

/** The rate of a world that runs is not within 1e-4 and 100. */
#define NETCLOCK_RATE_OUT_OF_RANGE (-1105)

/** The server's real time is before that of an earlier call. */
#define NETCLOCK_REAL_WENT_BACKWARDS (-1106)

/** The world's time is before that of an earlier call: begin another world. */
#define NETCLOCK_WORLD_WENT_BACKWARDS (-1107)

/** UTC is not between the years 1970 and 9999. */
#define NETCLOCK_UTC_OUT_OF_RANGE (-1108)

/** A start is under way: wait for it, or cancel it. */
#define NETCLOCK_START_PENDING (-1109)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_SESSION_H */
