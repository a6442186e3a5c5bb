/*
 * NetClock: sessions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from src/ffi/session. Do not edit: run `cargo xtask header`.
 * The contract in netclock.h applies to all functions.
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
 * Sessions
 *
 * A host on the server and a guest on each client exchange datagrams of at most 256 bytes for the clock,
 * world time, UTC, the authority, starts and link offers. The game transports the datagrams, which may be
 * lost, duplicated, reordered and delayed. The host repeats changes until the guest confirms them.
 * =============================================================================================== */

/** An instant on a game world's clock, in ticks of world time. */
typedef int64_t netclock_world_time;

/** An instant in UTC, in ticks since 1970-01-01 00:00, without leap seconds. */
typedef int64_t netclock_utc_time;

/** Host settings. Set `struct_size` to `sizeof(netclock_host_config)`. A zero field selects its default. */
typedef struct netclock_host_config {
    /** `sizeof(netclock_host_config)` in the caller's program. */
    uint32_t struct_size;
    /**
     * The maximum number of players. The host allocates memory for all of them when it is created. (count, 1
     * to 16384, default 64)
     */
    uint32_t capacity;
    /**
     * The longest time between setting the world's clock and reading the real time. A lag above this value
     * plus the tolerance immediately counts as lost time. (real ticks, 100 ns to 1 s, default 0.5 ms)
     */
    int64_t world_read_lag;
    /** The resolution of the world clock. (world ticks, 100 ns to 1 s, default 100 ns) */
    int64_t world_resolution;
    /**
     * The maximum number of segments per second for each world. The host may send a quarter of these
     * segments at once. (count, 2 to 1000, default 20)
     */
    uint32_t world_max_per_second;
    /** The largest rate error of the server's clock relative to UTC. (ppm, 1 to 100000, default 50) */
    uint32_t utc_drift_ppm;
    /** The maximum number of players who can take part in starts. (count, 1 to 1024, default 64) */
    uint32_t start_capacity;
    /** Reserved, must be zero. */
    uint32_t reserved;
    /**
     * How long players may delay a start after the first proposal. (ticks, 100 ms to 10 min, default 10 s)
     */
    int64_t start_patience;
    /**
     * A player is not ready while the expected error of the player's clock exceeds this value. (ticks, 100
     * ns to 1 s, default 1 ms)
     */
    int64_t start_max_expected_error;
    /**
     * The longest frame in the server's and the clients' loops. Messages are sent and handled at frame
     * boundaries, so long frames delay them. See `client_frame` in `netclock_config`. (ticks, 1 to 1 s,
     * default 1/30 s)
     */
    int64_t start_frame;
} netclock_host_config;

/**
 * Guest settings. The settings of the guest's clock are in `netclock_config`. Set `struct_size` to
 * `sizeof(netclock_guest_config)`. A zero field selects its default.
 */
typedef struct netclock_guest_config {
    /** `sizeof(netclock_guest_config)` in the caller's program. */
    uint32_t struct_size;
    /** The number of segments to store per world. (count, 16 to 4096, default 64) */
    uint32_t world_segments;
    /**
     * The highest rate that a world may have had since the server's latest update. This setting affects only
     * the error bound. (world ticks per real tick, 1e-4 to 100, default 1)
     */
    double world_max_rate;
    /**
     * The fraction of messages that should reach the server in time (see `handled_by` in
     * `netclock_connection_report`). (fraction, 0.5 to 0.99, default 0.95)
     */
    double lead_quantile;
    /**
     * The server's frame period if the server timestamps requests on arrival but handles messages once per
     * frame. Otherwise zero. (ticks, 0 to 1 s, default 0)
     */
    int64_t lead_server_frame;
    /** The guest does not report latency changes smaller than this. (ticks, 1 ms to 1 s, default 10 ms) */
    int64_t latency_least_change;
} netclock_guest_config;

/** The maximum length of a session datagram, in bytes. */
#define NETCLOCK_SESSION_DATAGRAM_MOST 256

/** The maximum length of the blob from `netclock_host_blob`, in bytes. */
#define NETCLOCK_SESSION_BLOB_MOST 306

/**
 * The server's end of all sessions. A host answers requests, and sends world time, UTC, the authority and
 * starts to all players. Opaque.
 */
typedef struct netclock_host netclock_host;

/**
 * Creates a host without players and stores it in `*host`. Pass a null `config` for the defaults.
 * `server_epoch` identifies this run of the server's clock, so draw a random number whenever the clock
 * starts. `seed_high` and `seed_low` make tokens unpredictable. Draw all 128 bits from the operating
 * system's random number generator.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_create(const struct netclock_host_config *config,
                                     uint64_t server_epoch,
                                     uint64_t seed_high,
                                     uint64_t seed_low,
                                     struct netclock_host **host);

/** Destroys a host. */
netclock_status netclock_host_destroy(struct netclock_host *host);

struct netclock_session_key;

/**
 * Admits a player. `player` can be any number that identifies the connection. If `key` is not null, all
 * datagrams are sealed with it. Draw a different key for each connection. Set `unproven` to a nonzero value
 * if there is no key and the player's address may be forged, as over plain UDP. Until such a player returns
 * a token, the host never sends the player more bytes than it has received. If `unproven` is 0 and there is
 * no key, the game's own connection must authenticate the sender. Errors: `NETCLOCK_DUPLICATE`,
 * `NETCLOCK_FULL`, `NETCLOCK_BAD_CONFIG` if the secret of the key is zero.
 */
netclock_status netclock_host_admit(struct netclock_host *host,
                                    uint64_t player,
                                    const struct netclock_session_key *key,
                                    int32_t unproven);

/**
 * Removes a player who has left. Starts no longer wait for this player. Errors:
 * `NETCLOCK_UNKNOWN_PARTICIPANT`.
 */
netclock_status netclock_host_dismiss(struct netclock_host *host, uint64_t player);

/**
 * Finds a player who has sent nothing for `longest` (ticks, at least 0) at server time `now` (ticks), and
 * returns the player's number in `*player`. If the transport does not report lost connections, dismiss the
 * player and call this again. In steady state, a guest sends a datagram every `steady_interval` of its
 * clock's settings. Returns `NETCLOCK_NOTHING_DUE` if there is no such player. Errors:
 * `NETCLOCK_OUT_OF_RANGE` if `longest` is negative.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_silent(struct netclock_host *host,
                                     netclock_server_time now,
                                     int64_t longest,
                                     uint64_t *player);

/**
 * Records the clock of world 0 to 3. Call this every frame. The world's clock reads `time` at the server's
 * real time `real` (both in ticks), and then runs at `rate` world ticks per real tick (1e-4 to 100). `flags`
 * is zero, `NETCLOCK_WORLD_PAUSED`, `NETCLOCK_WORLD_NEW`, or both. This rate is only a hint. If the world
 * has been running at a different rate in recent frames, the host sends the measured rate. Read `real` as
 * soon as possible after setting the world's clock. Errors: `NETCLOCK_UNKNOWN_WORLD`,
 * `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_WORLD_WENT_BACKWARDS`,
 * `NETCLOCK_OUT_OF_RANGE` for an unknown flag.
 */
netclock_status netclock_host_observe(struct netclock_host *host,
                                      uint32_t world,
                                      netclock_server_time real,
                                      netclock_world_time time,
                                      double rate,
                                      uint32_t flags);

/**
 * Records that the machine's UTC was `utc` (ticks since 1970) at server time `at` (ticks). `error_bound`
 * (ticks) is the largest difference from true UTC, or `NETCLOCK_UNBOUNDED` if unknown. Call this about once
 * a second. `netclock_utc_now` reads both clocks. Errors: `NETCLOCK_UTC_OUT_OF_RANGE`,
 * `NETCLOCK_OUT_OF_RANGE` if the bound is negative, `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
netclock_status netclock_host_observe_utc(struct netclock_host *host,
                                          netclock_server_time at,
                                          netclock_utc_time utc,
                                          int64_t error_bound);

struct netclock_authority;

/**
 * Sets the authority, which states which timescale this server's clock shows and how far the clock may be
 * off. Players receive the authority with their first reply. Errors: `NETCLOCK_WIRE_STAMP` if the dispersion
 * is out of range.
 */
netclock_status netclock_host_state_authority(struct netclock_host *host,
                                              const struct netclock_authority *authority);

/**
 * If `in_use` is not 0, asks players to report the quality of their clocks, so that a later start does not
 * have to wait for the reports. `netclock_host_propose_start` also requests these reports. If `in_use` is 0,
 * ends the latest start, so that players who join later do not receive it. Pass 0 when the game needs no
 * further start, or when its next start is for a different world. The next start then waits until the
 * players have reported again.
 */
netclock_status netclock_host_use_starts(struct netclock_host *host, int32_t in_use);

struct netclock_start_proposal;

/**
 * Schedules a start for all players, or reports who is not ready. Call this until a start is scheduled. The
 * host chooses the earliest suitable time that is not before `earliest`. By that time, the announcement will
 * have reached all ready players with probability `confidence` (above 0.5, at most 0.99999). `now` and
 * `earliest` are server times in ticks. If no player was admitted and `earliest` is in the future, the start
 * is at `earliest`. Returns `NETCLOCK_OK` and the start in `*proposal`, or `NETCLOCK_HELD_UP` with the
 * player who delays the start and the reason. Errors: `NETCLOCK_BAD_CONFIG` if the confidence is out of
 * range, `NETCLOCK_START_PENDING`, `NETCLOCK_UNKNOWN_PARTICIPANT` if no player was admitted.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_propose_start(struct netclock_host *host,
                                            netclock_server_time now,
                                            netclock_server_time earliest,
                                            double confidence,
                                            struct netclock_start_proposal *proposal);

/**
 * Cancels the pending start at server time `now` (ticks). A player who does not receive the cancellation in
 * time starts anyway. Returns `NETCLOCK_NO_START` if no start is pending or its time has come.
 */
netclock_status netclock_host_cancel_start(struct netclock_host *host, netclock_server_time now);

struct netclock_start_result;

/** Returns the result of the latest start in `*outcome`, or `NETCLOCK_NO_START` if there was no start. */
NETCLOCK_NODISCARD
netclock_status netclock_host_start_result(const struct netclock_host *host,
                                           struct netclock_start_result *outcome);

struct netclock_player_report;

/**
 * Checks the player at server time `now` (ticks), and returns a report in `*report`. Errors:
 * `NETCLOCK_UNKNOWN_PARTICIPANT`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_player(const struct netclock_host *host,
                                     uint64_t player,
                                     netclock_server_time now,
                                     struct netclock_player_report *report);

/**
 * Excludes the player's clock from the rate check between the server times `from` and `to` (ticks). Call
 * this if the clock stopped or was set for a legitimate reason. Errors: `NETCLOCK_UNKNOWN_PARTICIPANT`,
 * `NETCLOCK_TIME_WENT_BACKWARDS` if `to` is before `from`.
 */
netclock_status netclock_host_excuse(struct netclock_host *host,
                                     uint64_t player,
                                     netclock_server_time from,
                                     netclock_server_time to);

/**
 * Measures the shortest recent round-trip time to the player, including the frames at both ends, and returns
 * it in `*round_trip` (ticks). `now` is server time in ticks. Each call enables the measurement for ten
 * seconds, so call this about once a second while you need the value. A player can make the round trip
 * longer, but not shorter. Returns `NETCLOCK_NO_MESSAGES` if the round-trip time is not known yet. Errors:
 * `NETCLOCK_UNKNOWN_PARTICIPANT`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_round_trip(struct netclock_host *host,
                                         uint64_t player,
                                         netclock_server_time now,
                                         int64_t *round_trip);

/**
 * Writes a blob with the latest segments of all worlds into a buffer of `capacity` bytes
 * (`NETCLOCK_SESSION_BLOB_MOST` suffice), and its size to `*length`. Replicate the blob, so that replays can
 * read it with `netclock_guest_read_blob`. The blob changes only when a world's clock changes.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_blob(const struct netclock_host *host,
                                   void *blob,
                                   size_t capacity,
                                   size_t *length);

/**
 * Offers the player a link in addition to the game's connection. `port` is the UDP port of a
 * `netclock_link_server` at the same address, and `key` is the key that this link admitted for the player.
 * The host repeats the offer until the guest confirms it. Sealed datagrams are not encrypted, so offer a
 * link only if the game's own connection is private. Errors: `NETCLOCK_UNKNOWN_PARTICIPANT`,
 * `NETCLOCK_BAD_CONFIG` if the secret of the key is zero.
 */
netclock_status netclock_host_offer_link(struct netclock_host *host,
                                         uint64_t player,
                                         uint16_t port,
                                         const struct netclock_session_key *key);

/**
 * Reports that you polled your transport at server time `at` (ticks) and have handled every datagram that
 * had arrived by then. The host assumes that datagrams you pass to `netclock_host_receive` afterwards
 * arrived after `at`. Call this once per poll, after the last datagram. Before you pass a datagram that was
 * timestamped on arrival, call this with that timestamp.
 */
netclock_status netclock_host_polled(struct netclock_host *host, netclock_server_time at);

/**
 * Handles a datagram of `length` bytes from `player`, received at server time `arrived` (ticks). Errors:
 * `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_OTHER_SESSION`, `NETCLOCK_WIRE_TRUNCATED`, `NETCLOCK_WIRE_...`,
 * and with a key `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`,
 * `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`. After `NETCLOCK_WIRE_OLDER` and `NETCLOCK_WIRE_NEWER`,
 * the host notifies the player of its version.
 */
netclock_status netclock_host_receive(struct netclock_host *host,
                                      uint64_t player,
                                      const void *datagram,
                                      size_t length,
                                      netclock_server_time arrived);

/**
 * Writes the next datagram to send at server time `now` (ticks) into a buffer of `capacity` bytes
 * (`NETCLOCK_SESSION_DATAGRAM_MOST` suffice), its length to `*length`, and its player to `*player`. Every
 * frame, right before you send the datagrams, call this until it returns `NETCLOCK_NOTHING_DUE`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_host_next(struct netclock_host *host,
                                   netclock_server_time now,
                                   uint64_t *player,
                                   void *datagram,
                                   size_t capacity,
                                   size_t *length);

/**
 * The client's end of a session. A guest sends requests and shows the state that the host sends. Opaque.
 * Calls on the guest and on its client wait for each other, but reading the client's clock is wait-free.
 */
typedef struct netclock_guest netclock_guest;

/**
 * Creates a guest whose first connection has no session key and stores it in `*guest`. `clock` contains the
 * settings of the guest's client. Pass a null `config` or `clock` for the defaults. `seed_high` and
 * `seed_low` make requests and sessions unpredictable. Draw all 128 bits from the operating system's random
 * number generator.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_create(const struct netclock_guest_config *config,
                                      const struct netclock_config *clock,
                                      uint64_t seed_high,
                                      uint64_t seed_low,
                                      struct netclock_guest **guest);

/**
 * Destroys a guest and its client. Returns `NETCLOCK_BUSY` in the same cases as `netclock_client_destroy`.
 */
netclock_status netclock_guest_destroy(struct netclock_guest *guest);

/**
 * Returns the guest's client for reads, callbacks, links, steps and saved states. The client lives as long
 * as the guest. Do not destroy this client, and do not use it for requests and replies. Returns null if
 * `guest` is null.
 */
struct netclock_client *netclock_guest_client(struct netclock_guest *guest);

/**
 * Starts a new connection at local time `now` (ticks), to the same host or a different one. If `key` is not
 * null, all datagrams are sealed with it. Use a new key for each connection. Pass 0 as `continues` if the
 * new host may have a different clock. The shown time then continues without an error bound until the first
 * reply, as after `netclock_client_may_have_missed_time`. Pass a nonzero value if the new host continues the
 * previous host's time, as after a host migration. The error bound then remains valid, and `now` is ignored.
 * If that host has a different clock after all, the guest's clock restarts with its first reply. Errors:
 * `NETCLOCK_BAD_CONFIG` if the secret of the key is zero, `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
netclock_status netclock_guest_connect(struct netclock_guest *guest,
                                       const struct netclock_session_key *key,
                                       netclock_local_time now,
                                       int32_t continues);

/**
 * Sets whether this player takes part in starts. Pass 0 while the player loads another world. Starts then
 * wait for the player until you pass 1, which is the initial value.
 */
netclock_status netclock_guest_take_part(struct netclock_guest *guest, int32_t takes_part);

/**
 * Reads `length` bytes that `netclock_host_blob` wrote, for example from a replay. In a guest that never
 * connects, `netclock_guest_world_at` and `netclock_guest_real_at` use the latest blob. Errors:
 * `NETCLOCK_WIRE_TORN`, `NETCLOCK_WIRE_...`.
 */
netclock_status netclock_guest_read_blob(struct netclock_guest *guest, const void *blob, size_t length);

/**
 * Writes the latest segment that arrived for world 0 to 3 into a buffer of `capacity` bytes, so that you can
 * record it. The segment has `NETCLOCK_SEGMENT_SIZE` bytes. Returns `NETCLOCK_NO_WORLD` if no segment has
 * arrived. Errors: `NETCLOCK_UNKNOWN_WORLD`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_segment(const struct netclock_guest *guest,
                                       uint32_t world,
                                       void *segment,
                                       size_t capacity);

/**
 * Handles a datagram of `length` bytes from the host, received at local time `arrived` (ticks). It is not an
 * error if the clock rejects a reply. After `NETCLOCK_OTHER_SESSION`, the guest announces this connection to
 * the host again. After any other error, the datagram has had no effect. Errors: `NETCLOCK_OTHER_SESSION`,
 * `NETCLOCK_WIRE_TRUNCATED`, `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_WIRE_...`, `NETCLOCK_RATE_OUT_OF_RANGE`,
 * and with a key `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`,
 * `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`. `NETCLOCK_WIRE_OLDER` means that the host must be
 * updated, and `NETCLOCK_WIRE_NEWER` means that this side must be updated. Without a key, an attacker can
 * cause these two errors, so ignore them once the host has replied.
 */
netclock_status netclock_guest_receive(struct netclock_guest *guest,
                                       const void *datagram,
                                       size_t length,
                                       netclock_local_time arrived);

/**
 * Writes the next datagram to send at local time `now` (ticks) into a buffer of `capacity` bytes
 * (`NETCLOCK_SESSION_DATAGRAM_MOST` suffice), and its length to `*length`. `*reliable` is 1 if the datagram
 * should be sent reliably where the transport supports that, else 0. Every frame, right before you send the
 * datagrams, call this until it returns `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_next(struct netclock_guest *guest,
                                    netclock_local_time now,
                                    int32_t *reliable,
                                    void *datagram,
                                    size_t capacity,
                                    size_t *length);

/**
 * Begins the frame at local time `now` (ticks) and returns the server's time in `*reading`. Until the next
 * call, all values that the guest returns are for this instant. Call this once per frame. World time does
 * not go backwards from one call to the next, and a start fires in only one of the calls. Before the first
 * reply, returns `NETCLOCK_NOT_SYNCED` and an unsynced reading.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_view(struct netclock_guest *guest,
                                    netclock_local_time now,
                                    struct netclock_reading *reading);

struct netclock_world_reading;

/**
 * Reads world 0 to 3 in the current frame, and returns its time in `*reading`. Returns `NETCLOCK_NOT_SYNCED`
 * or `NETCLOCK_NO_WORLD` if the time is unknown. Errors: `NETCLOCK_UNKNOWN_WORLD`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_world(const struct netclock_guest *guest,
                                     uint32_t world,
                                     struct netclock_world_reading *reading);

struct netclock_utc_reading;

/**
 * Reads the server's UTC in the current frame, and returns it in `*reading`. Returns `NETCLOCK_NOT_SYNCED`
 * or `NETCLOCK_NO_UTC` if UTC is unknown.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_utc(const struct netclock_guest *guest, struct netclock_utc_reading *reading);

struct netclock_start_progress;

/**
 * Reads the latest start in the current frame, and returns its progress in `*progress`. `fires` is 1 in the
 * first frame whose shown server time has reached the start, and never earlier. Returns
 * `NETCLOCK_NOT_SYNCED` before the first frame of this connection.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_start(const struct netclock_guest *guest,
                                     struct netclock_start_progress *progress);

struct netclock_connection_report;

/** Checks the guest's connection in the current frame, and returns its state in `*report`. */
NETCLOCK_NODISCARD
netclock_status netclock_guest_report(const struct netclock_guest *guest,
                                      struct netclock_connection_report *report);

struct netclock_latency_change;

/** Returns the next latency change in `*change`, or `NETCLOCK_NO_CHANGE` if no change is pending. */
NETCLOCK_NODISCARD
netclock_status netclock_guest_next_latency_change(struct netclock_guest *guest,
                                                   struct netclock_latency_change *change);

/**
 * Looks up the link that the host offered in this connection, and returns its UDP port in `*port` and its
 * key in `*key`. Pass both to `netclock_link_client_create` with the guest's client. Returns
 * `NETCLOCK_NO_LINK_OFFER` if the host has not offered a link.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_link_offer(const struct netclock_guest *guest,
                                          uint16_t *port,
                                          struct netclock_session_key *key);

/**
 * Converts the server's real time `real` (ticks) in the current server epoch to the time of world 0 to 3,
 * and returns it in `*reading`. The result uses all segments that have arrived and is not slewed, so it may
 * differ from the time that the guest showed at `real`. Returns `NETCLOCK_NOT_SYNCED` or `NETCLOCK_NO_WORLD`
 * if the time is unknown, and `NETCLOCK_NOT_KEPT` if `real` is before the oldest stored segment. Errors:
 * `NETCLOCK_UNKNOWN_WORLD`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_world_at(const struct netclock_guest *guest,
                                        uint32_t world,
                                        netclock_server_time real,
                                        struct netclock_world_reading *reading);

/**
 * Finds the server's real times (ticks) at which the clock of world 0 to 3 reads `time`. Returns the first
 * in `*first` and the last in `*last`. The two differ if the world is paused at `time`. `*last` is 2^62 - 1
 * if the end of the pause is unknown. Returns `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NEVER` or `NETCLOCK_NO_WORLD`
 * if there is no such time, and `NETCLOCK_NOT_KEPT` if the world's clock read `time` before the oldest
 * stored segment. Errors: `NETCLOCK_UNKNOWN_WORLD`.
 */
NETCLOCK_NODISCARD
netclock_status netclock_guest_real_at(const struct netclock_guest *guest,
                                       uint32_t world,
                                       netclock_world_time time,
                                       netclock_server_time *first,
                                       netclock_server_time *last);

/**
 * The time of a world in a single reading. All fields are consistent with each other. Times are in ticks.
 * Set `struct_size` before the call.
 */
typedef struct netclock_world_reading {
    /** `sizeof(netclock_world_reading)` in the caller's program. */
    uint32_t struct_size;
    /**
     * The number of the epoch. The shown time never goes backwards within an epoch. Each new world, server
     * epoch or step of the clock starts a new epoch. Readings from `netclock_guest_world_at` have epoch
     * zero.
     */
    uint32_t epoch;
    /** The time of the world's clock. */
    netclock_world_time world_time;
    /**
     * The hard error bound. The world's clock is within `world_time` plus or minus this bound. The bound
     * covers changes that the client does not know about yet, provided that the world's rate does not exceed
     * the larger of `world_max_rate` and the latest segment's rate. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    int64_t error_bound;
    /**
     * The hard error bound if the latest segment still applies. `NETCLOCK_UNBOUNDED` if nothing can be
     * guaranteed.
     */
    int64_t error_bound_if_unchanged;
    /**
     * How far the shown time is ahead of the segments while it slews to a change that arrived late, or a
     * negative value if it is behind.
     */
    int64_t ahead;
    /** How far the shown time stepped in this reading, usually zero. */
    int64_t jump;
    /** World ticks per real tick without slewing, or 0 while paused. */
    double rate;
    /** Identifies the world. */
    uint32_t instance;
    /** The number of the segment on which this reading is based. */
    uint32_t version;
    /** 1 while the world is paused, else 0. */
    int32_t paused;
    /** Reserved, always zero. */
    uint32_t reserved;
} netclock_world_reading;

/** Frame flag: the world is paused, and its rate is ignored. */
#define NETCLOCK_WORLD_PAUSED 1

/**
 * Frame flag: a new world, such as a different map, begins with this frame. The new world replaces the
 * previous world with this number, and its clock may start at any value.
 */
#define NETCLOCK_WORLD_NEW 2

/** The size of an encoded segment, in bytes. */
#define NETCLOCK_SEGMENT_SIZE 72

/**
 * The server's UTC in a frame. UTC runs at the rate of the server's clock, so UTC at server time `t` is
 * `utc` plus `t` minus the frame's server time. Set `struct_size` before the call.
 */
typedef struct netclock_utc_reading {
    /** `sizeof(netclock_utc_reading)` in the caller's program. */
    uint32_t struct_size;
    /** Reserved, always zero. */
    uint32_t reserved;
    /** UTC according to the server, in ticks since 1970-01-01 00:00, without leap seconds. UTC may jump. */
    netclock_utc_time utc;
    /**
     * True UTC is within `utc` plus or minus this bound (ticks), provided that the server's time source is
     * correct. `NETCLOCK_UNBOUNDED` if the server did not announce a bound, or if the clock's bound is
     * unknown.
     */
    int64_t error_bound;
} netclock_utc_reading;

/**
 * Reads the machine's UTC and `netclock_monotonic_now` at the same instant, for `netclock_host_observe_utc`.
 * At local time `*local`, UTC was `*utc` (ticks since 1970), plus or minus `*uncertainty`. Add the
 * uncertainty to the error bound of the machine's time source.
 *
 * The function reads UTC between two reads of the monotonic clock, up to five times, and returns the pair
 * with the smallest uncertainty. A call takes about a microsecond. UTC is `CLOCK_REALTIME` on Unix and
 * `GetSystemTimePreciseAsFileTime` on Windows. Users and time services may set or slew UTC, and may smear
 * leap seconds. Returns `NETCLOCK_NO_UTC` if the system has no UTC.
 */
NETCLOCK_NODISCARD
netclock_status netclock_utc_now(netclock_local_time *local, netclock_utc_time *utc, int64_t *uncertainty);

/** Hold-up: the player is ready. */
#define NETCLOCK_HOLD_UP_NONE 0

/** Hold-up: the player has sent nothing for 1.5 s, or has never sent anything. */
#define NETCLOCK_HOLD_UP_SILENT 1

/**
 * Hold-up: the player's clock is not synced, is in doubt, or follows a different run of the server's clock.
 */
#define NETCLOCK_HOLD_UP_UNSYNCED 2

/** Hold-up: the player's expected error is above `start_max_expected_error`. */
#define NETCLOCK_HOLD_UP_INACCURATE 3

/** Hold-up: announcing a start to the player would take more than half of `start_patience`. */
#define NETCLOCK_HOLD_UP_TOO_SLOW 4

/** The result of proposing a start. Set `struct_size` before the call. */
typedef struct netclock_start_proposal {
    /** `sizeof(netclock_start_proposal)` in the caller's program. */
    uint32_t struct_size;
    /** Why the start is delayed if it is not scheduled, one of `NETCLOCK_HOLD_UP_...`. */
    int32_t hold_up;
    /**
     * If the start is scheduled, its server time in ticks. Otherwise, the server time in ticks until which
     * the host waits for players.
     */
    netclock_server_time at;
    /**
     * The player who must be notified earliest or, if the start is delayed, the first player who is not
     * ready.
     */
    uint64_t participant;
    /**
     * The number of players who are not ready. If the start is scheduled, the host no longer waits for them.
     * It still notifies them, but they may start late.
     */
    uint32_t not_ready;
    /**
     * The number of this announcement, or zero if no start is scheduled. Each start or cancellation
     * increases the number by one.
     */
    uint32_t version;
} netclock_start_proposal;

/**
 * The result of the latest start, as reported by its players. Set `struct_size` before the call. Counts and
 * times include only players who were ready when the start was scheduled and are still connected.
 */
typedef struct netclock_start_result {
    /** `sizeof(netclock_start_result)` in the caller's program. */
    uint32_t struct_size;
    /** The number of the latest announcement. */
    uint32_t version;
    /** The server time of the scheduled start, in ticks. */
    netclock_server_time at;
    /** How late the first player started, in ticks. */
    int64_t earliest;
    /** How late the last player started, in ticks. Subtract `earliest` to compute the spread. */
    int64_t latest;
    /**
     * The largest error bound of the players' clocks when they started, in ticks. `NETCLOCK_UNBOUNDED` if
     * any clock had no bound.
     */
    int64_t error_bound;
    /** The number of players in this result. */
    uint32_t counted;
    /** The number of players who acknowledged the latest announcement. */
    uint32_t acknowledged;
    /** The number of players who reported their start. */
    uint32_t fired;
    /** 1 if the latest announcement is a cancellation, else 0. */
    int32_t cancelled;
} netclock_start_result;

/** Start stage: no start has been announced, or it was cancelled. */
#define NETCLOCK_STAGE_WAITING 0

/** Start stage: a start has been announced and is still in the future. */
#define NETCLOCK_STAGE_ANNOUNCED 1

/** Start stage: the player has started. */
#define NETCLOCK_STAGE_STARTED 2

/** Start stage: the player received the start after its time and joined late. */
#define NETCLOCK_STAGE_JOINED 3

/**
 * The state of the latest start in one frame of a guest. Set `struct_size` before the call. Fields without a
 * value are zero.
 */
typedef struct netclock_start_progress {
    /** `sizeof(netclock_start_progress)` in the caller's program. */
    uint32_t struct_size;
    /** One of `NETCLOCK_STAGE_...`. After the start, the stage stays the same until the next announcement. */
    int32_t stage;
    /** 1 in the frame in which the player must start, else 0. */
    int32_t fires;
    /** The number of the start's announcement. */
    uint32_t version;
    /** The server time of the start, in ticks. */
    netclock_server_time at;
    /**
     * After the start, how much later than `at` the starting frame was by the player's own clock, in ticks.
     */
    int64_t lateness;
    /**
     * After the start, the error bound of the player's clock in the starting frame, in ticks.
     * `NETCLOCK_UNBOUNDED` if nothing could be guaranteed.
     */
    int64_t error_bound;
    /**
     * After the start, the expected error of the player's clock in the starting frame, in ticks.
     * `NETCLOCK_UNBOUNDED` if unknown.
     */
    int64_t expected_error;
} netclock_start_progress;

/** Suspicion level: there have been too few reports so far. */
#define NETCLOCK_RATE_UNKNOWN 0

/** Suspicion level: ordinary delays and clock drift explain all reports. */
#define NETCLOCK_RATE_PLAUSIBLE 1

/**
 * Suspicion level: only extremely unusual delays could explain the clock. Investigate, but do not punish the
 * player.
 */
#define NETCLOCK_RATE_LIKELY 2

/**
 * Suspicion level: no delays can explain the clock. The client's clock ran at a different rate or was set,
 * or the server's clock was set.
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

/** Finding: the client's clock jumped back. */
#define NETCLOCK_RATE_REMOVED 4

/**
 * A host's report on a player. The fields about starts and the error bounds are the player's own claims. Set
 * `struct_size` before the call. Durations are in ticks, or `NETCLOCK_UNBOUNDED` if unknown.
 */
typedef struct netclock_player_report {
    /** `sizeof(netclock_player_report)` in the caller's program. */
    uint32_t struct_size;
    /** 1 if the player has confirmed the latest state of everything that the host sends, else 0. */
    int32_t is_up_to_date;
    /** The reason why a start would wait for the player, one of `NETCLOCK_HOLD_UP_...`. */
    int32_t hold_up;
    /** 1 if the player was ready when the current start was scheduled and counts for the spread, else 0. */
    int32_t counted;
    /** 1 if the player has received the current start or its cancellation, else 0. */
    int32_t acknowledged;
    /**
     * The suspicion level of the player's clock in the last minute, one of `NETCLOCK_RATE_UNKNOWN` to
     * `NETCLOCK_RATE_PROVEN`.
     */
    int32_t rate_level;
    /** The highest suspicion level so far, one of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`. */
    int32_t rate_worst;
    /** The latest finding, one of `NETCLOCK_RATE_NOTHING` to `NETCLOCK_RATE_REMOVED`. */
    int32_t rate_finding;
    /** How many times the suspicion level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`. */
    uint32_t rate_findings;
    /** 1 if the mean rate is known, else 0. */
    int32_t is_mean_known;
    /**
     * How long before a start the host must notify the player, for the confidence of the latest proposal.
     * `NETCLOCK_UNBOUNDED` if unknown.
     */
    int64_t lead;
    /** The error bound of the player's clock, or `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t error_bound;
    /** The expected error of the player's clock, or `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t expected_error;
    /** The player's smallest recent round-trip time, or `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t round_trip;
    /** A conservative estimate of the player's message loss, as a fraction. (0 to 0.9) */
    double loss;
    /**
     * How long after the scheduled time the player started, by the player's own clock. `NETCLOCK_UNBOUNDED`
     * if the player has not reported a start.
     */
    int64_t lateness;
    /** The error bound of the player's clock when the player started, or `NETCLOCK_UNBOUNDED` if unknown. */
    int64_t lateness_bound;
    /**
     * How much the client's clock gained on the server's clock in the latest finding, not counting the drift
     * and, if proven, the effect of delays. Negative if the client's clock lost time. (ticks)
     */
    int64_t rate_gained;
    /** The part of `rate_gained` that delay changes could explain. Zero if proven. (ticks) */
    int64_t rate_explained;
    /** How long this gain took. It began at most 52 s before the host made the finding. (ticks) */
    int64_t rate_duration;
    /**
     * The mean skew of the client's clock relative to the server's clock since the player was admitted or
     * last excused. Positive if the client's clock is fast, zero if unknown. (ppm)
     */
    double mean_ppm;
    /**
     * The largest error of `mean_ppm`, assuming that the delays changed by 60 ms, or zero if unknown. (ppm)
     */
    double mean_error_ppm;
} netclock_player_report;

/** A lasting change in the delays of one direction. Set `struct_size` before the call. */
typedef struct netclock_latency_change {
    /** `sizeof(netclock_latency_change)` in the caller's program. */
    uint32_t struct_size;
    /** `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT`. */
    int32_t direction;
    /** The median delay before the change. (ticks) */
    int64_t before;
    /** The median delay after the change. (ticks) */
    int64_t after;
    /** The local arrival time of the first exchange that shows the change. (ticks) */
    netclock_local_time since;
    /** The local arrival time of the last exchange that shows the change. (ticks) */
    netclock_local_time found;
    /** One minus the expected number of false reports per hour that have evidence this strong. (0 to 1) */
    double confidence;
} netclock_latency_change;

/** The state of a guest's connection in one frame. Set `struct_size` before the call. */
typedef struct netclock_connection_report {
    /** `sizeof(netclock_connection_report)` in the caller's program. */
    uint32_t struct_size;
    /**
     * 1 while the playback speed hides a latency change. Otherwise 0, with a `speed_scale` of 1 and a
     * `speed_remaining` of zero.
     */
    int32_t is_hiding;
    /** The server epoch of this connection's host, or zero before the host's first reply. */
    uint64_t host_epoch;
    /**
     * The server time for which to predict the game's state. With the configured probability, the server
     * handles a message sent now before this time. `NETCLOCK_UNKNOWN_TIME` if unknown.
     */
    netclock_server_time handled_by;
    /**
     * The server time at which to show other players. With the configured probability, both states needed to
     * interpolate at this time have arrived. `NETCLOCK_UNKNOWN_TIME` if unknown.
     */
    netclock_server_time showable;
    /**
     * The speed at which to play the local avatar to hide latency changes. The speed is usually 1, lower
     * after the latency rises, and higher after it falls. When the latency rises by `d`, the server's copy
     * of the avatar becomes `d` older. The avatar then plays at a speed below 1 until it has played `d`
     * less, and is again as far from its copy as before. A clock that runs ahead by the latency must instead
     * run at the opposite speed, `2 - speed_scale`.
     */
    double speed_scale;
    /**
     * The time that the avatar should have played minus the time since the guest connected. At any frame
     * rate, its change between two frames is exactly the additional time to play. (ticks)
     */
    int64_t speed_done;
    /**
     * How much additional time the avatar still has to play, or a negative value if it has to play less.
     * (ticks)
     */
    int64_t speed_remaining;
} netclock_connection_report;

/* ===============================================================================================
 * Codes
 *
 * 1100 to 1199, positive and negative: sessions.
 * =============================================================================================== */

/** The host has not offered a link in this connection. */
#define NETCLOCK_NO_LINK_OFFER 1101

/** The world time is unknown, because no segment from this run of the server's clock has arrived. */
#define NETCLOCK_NO_WORLD 1102

/** According to the known segments, the world's clock never reads this time. */
#define NETCLOCK_NEVER 1103

/** The instant is before the world's oldest stored segment. See the setting `world_segments`. */
#define NETCLOCK_NOT_KEPT 1104

/** UTC is unknown, because the server has not reported it or the system has no UTC. */
#define NETCLOCK_NO_UTC 1105

/** A player is not ready. The output contains this player and the reason. */
#define NETCLOCK_HELD_UP 1106

/** No start was scheduled, or none is pending. */
#define NETCLOCK_NO_START 1107

/** No latency change is pending. */
#define NETCLOCK_NO_CHANGE 1108

/** In one of the required directions, no message has been measured yet. */
#define NETCLOCK_NO_MESSAGES 1109

/** The number of the world is not from 0 to 3. */
#define NETCLOCK_UNKNOWN_WORLD (-1101)

/**
 * The datagram belongs to an earlier session of the guest, or the host does not know the guest's session
 * yet.
 */
#define NETCLOCK_OTHER_SESSION (-1102)

/** A section of the datagram is truncated. */
#define NETCLOCK_WIRE_TRUNCATED (-1103)

/** The blob is a mixture of several blobs. */
#define NETCLOCK_WIRE_TORN (-1104)

/** The rate of a running world is not between 1e-4 and 100. */
#define NETCLOCK_RATE_OUT_OF_RANGE (-1105)

/** The server's real time is earlier than in a previous call. */
#define NETCLOCK_REAL_WENT_BACKWARDS (-1106)

/** The world's time is earlier than in a previous call. Begin a new world with `NETCLOCK_WORLD_NEW`. */
#define NETCLOCK_WORLD_WENT_BACKWARDS (-1107)

/** UTC is not between the years 1970 and 9999. */
#define NETCLOCK_UTC_OUT_OF_RANGE (-1108)

/** A start is pending. Wait for this start, or cancel it. */
#define NETCLOCK_START_PENDING (-1109)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NETCLOCK_SESSION_H */
