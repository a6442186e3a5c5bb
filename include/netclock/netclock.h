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
 * A time is earlier than that of an earlier call. A client accepts a local time up to a second earlier as a step.
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

/** There is no room for another one: everybody that fits was admitted. */
#define NETCLOCK_FULL (-12)

/** A participant was admitted before, or a message was handled before. */
#define NETCLOCK_DUPLICATE (-13)

/** A message is older than one that was handled, or is about something that is over. */
#define NETCLOCK_STALE (-14)

/** A message does not carry the participant's key. It is forged, or of an earlier connection. */
#define NETCLOCK_WRONG_KEY (-15)

/** No participant with this number was admitted. */
#define NETCLOCK_UNKNOWN_PARTICIPANT (-16)

/** Ticks in a second: all times and durations are in ticks of 100 ns. */
#define NETCLOCK_TICKS_PER_SECOND INT64_C(10000000)

/** Length of a request and of a reply as a datagram, in bytes. */
#define NETCLOCK_DATAGRAM_SIZE 32

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
 * A datagram is not as long as its kind (`NETCLOCK_DATAGRAM_SIZE`, `NETCLOCK_SEGMENT_SIZE`), or has no room.
 */
#define NETCLOCK_WIRE_LENGTH (-111)

/** This is not a NetClock datagram. */
#define NETCLOCK_WIRE_MAGIC (-112)

/** A datagram of another version of the format. */
#define NETCLOCK_WIRE_VERSION (-113)

/** A datagram of another kind than was expected, or of none. */
#define NETCLOCK_WIRE_KIND (-114)

/** A reserved field of a datagram is not zero. */
#define NETCLOCK_WIRE_RESERVED (-115)

/**
 * A stamp cannot be carried by, or was not valid in, a datagram. Or what the datagram carries makes no segment.
 */
#define NETCLOCK_WIRE_STAMP (-116)

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

/** The first reply was accepted: there is a server time to show. */
#define NETCLOCK_EVENT_SYNCED 1

/** The clock jumped, or may be wrong until the next reply; `cause` is one of `NETCLOCK_CAUSE_...`. */
#define NETCLOCK_EVENT_DISCONTINUITY 2

/** The clock goes on, but is less good than it should be; `cause` is one of `NETCLOCK_DEGRADED_...`. */
#define NETCLOCK_EVENT_DEGRADED 3

/** What was degraded is good again. */
#define NETCLOCK_EVENT_RECOVERED 4

/** Another authority took the timescale over, and the clock goes on: no jump, the same epoch. */
#define NETCLOCK_EVENT_HANDED_OVER 5

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

/** There is no server time, because no reply was accepted yet. The output is zero. */
#define NETCLOCK_NOT_SYNCED 201

/** No event is waiting. */
#define NETCLOCK_NO_EVENT 202

/** Nothing certain is known about the time: the clock is not in sync, or in doubt. */
#define NETCLOCK_UNCERTAIN 203

/** It is about another timescale than the one that is followed or taken over. */
#define NETCLOCK_OTHER_TIMESCALE (-201)

/** Level: too few reports so far. */
#define NETCLOCK_RATE_UNKNOWN 0

/** Level: delay and ordinary crystals explain everything. */
#define NETCLOCK_RATE_PLAUSIBLE 1

/** Level: only a path that behaved as paths hardly ever do would explain it. Look closer, do not punish. */
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

/** Nobody among the participants of an adoption may lie. */
#define NETCLOCK_NO_LIARS 4294967295

/** Too few participants answered yet. */
#define NETCLOCK_TOO_FEW 301

/** A participant contradicts itself: none of its answers counts any more. */
#define NETCLOCK_LIAR (-301)

/** More participants lie than are tolerated. No time is in the bounds of as many participants as it takes. */
#define NETCLOCK_NO_AGREEMENT (-302)

/** Length of a segment as a datagram, in bytes. */
#define NETCLOCK_SEGMENT_SIZE 72

/** There is no world time, because no segment of this run of the server's clock arrived. */
#define NETCLOCK_NO_WORLD 401

/** The world's clock never says this, as far as is known. */
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

/** From 2^28 seconds (8.5 years) on, a double does not hold ticks; or it is no number. */
#define NETCLOCK_SECONDS_OUT_OF_RANGE (-407)

/** Order: nobody can say with the confidence that was asked for. */
#define NETCLOCK_ORDER_TOO_CLOSE 0

/** Order: the first event came before the second. */
#define NETCLOCK_ORDER_BEFORE 1

/** Order: the first event came after the second. */
#define NETCLOCK_ORDER_AFTER 2

/** Limit: the claim was plausible, nothing was moved. */
#define NETCLOCK_LIMIT_NONE 0

/** Limit: the claim was later than its own arrival. */
#define NETCLOCK_LIMIT_ARRIVAL 1

/** Limit: the claim was earlier than the path can explain. */
#define NETCLOCK_LIMIT_PATH 2

/** Limit: the instant was further back than `max_rewind`. */
#define NETCLOCK_LIMIT_MAX_REWIND 3

/** Direction: sent by the client, received by the server. */
#define NETCLOCK_TO_SERVER 1

/** Direction: sent by the server, received by the client. */
#define NETCLOCK_TO_CLIENT 2

/** No message was learnt yet in a direction that was asked for. */
#define NETCLOCK_NO_MESSAGES 501

/** The message belongs to an epoch of the clock that has ended, and is not used. */
#define NETCLOCK_OUTDATED 502

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

/** No change of the latency is waiting. */
#define NETCLOCK_NO_CHANGE 701

/** There was nothing to learn: the exchange was known or close after another, or there is none. */
#define NETCLOCK_NOTHING_NEW 702

/**
 * Longest message between a relay and its peers, in bytes; all of them fit a datagram. Room for one has so many bytes.
 */
#define NETCLOCK_MAX_MESSAGE_SIZE 1024

/** Bytes of a game's own message before its data. */
#define NETCLOCK_GAME_HEADER_SIZE 12

/** First id of a game's own messages. */
#define NETCLOCK_FIRST_GAME_ID 256

/** Stage of a peer: it has no slot (any more) and logs in. */
#define NETCLOCK_PEER_JOINING 0

/** Stage of a peer: it has a slot, but no shared clock yet. */
#define NETCLOCK_PEER_WAITING 1

/** Stage of a peer: it has the shared clock; the game did not begin. */
#define NETCLOCK_PEER_SYNCED 2

/** Stage of a peer: the game runs. */
#define NETCLOCK_PEER_PLAYING 3

/** Stage of a peer: it left, or the relay speaks another version. */
#define NETCLOCK_PEER_ENDED 4

/** Role of a peer: none, without a slot. */
#define NETCLOCK_ROLE_NONE 0

/** Role of a peer: its clock is the shared one. */
#define NETCLOCK_ROLE_PRIMARY 1

/** Role of a peer: it follows the primary. */
#define NETCLOCK_ROLE_SECONDARY 2

/** Rejection: none. */
#define NETCLOCK_REJECTED_NONE 0

/** Rejection: the relay speaks another version. */
#define NETCLOCK_REJECTED_VERSION 1

/** Rejection: no slot in this game, or no room for another game. */
#define NETCLOCK_REJECTED_FULL 2

/** Rejection: logged in already, by this connection or another one. */
#define NETCLOCK_REJECTED_DUPLICATE 3

/** Rejection: the relay does not know the login. */
#define NETCLOCK_REJECTED_LOGIN 4

/** There is no whole message yet: more bytes must come. */
#define NETCLOCK_INCOMPLETE 801

/** The message is the game's own: the output says which. */
#define NETCLOCK_GAME_MESSAGE 802

/** There is no shared time, because the game did not begin. */
#define NETCLOCK_NOT_BEGUN 803

/** Nobody plays this game at this relay. */
#define NETCLOCK_NO_GAME 804

/** A message between relay and peer is not as long as it says, or no message is so long. */
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

/** A message that this role does not send, or does not take. */
#define NETCLOCK_WRONG_ROLE (-806)

/** The connection sends more than its share. */
#define NETCLOCK_OVER_BUDGET (-807)

/** A reply that nobody waits for. */
#define NETCLOCK_UNSOLICITED (-808)

/** A receiver's queue is full: it does not get the message. */
#define NETCLOCK_QUEUE_FULL (-809)

/** The relay refuses this peer. */
#define NETCLOCK_LOGIN_REJECTED (-810)

/**
 * Takes a timescale over for a new server, from what its clients know of it. Opaque; 8 KiB at most, which never grow.
 * Calls from several threads are serialised. Asks up to 64 participants.
 */
typedef struct netclock_adoption netclock_adoption;

/**
 * A client: follows one server's clock. Opaque.
 *
 * Calls that change it are serialised by a lock, so that calling from two threads is safe though pointless; the
 * log is told of it. Calls that read it never wait. Using it while or after it is destroyed is an error that
 * nobody can detect in general.
 */
typedef struct netclock_client netclock_client;

/**
 * A watch over the latency of one client's path. Opaque; its memory never grows. Calls from several threads are
 * serialised.
 */
typedef struct netclock_latency netclock_latency;

/** A lead: learns from messages how long they take. Opaque. Calls on one are serialised by a lock. */
typedef struct netclock_lead netclock_lead;

/**
 * An organiser: plans a start, announces it until everybody knows, and collects when they started. Opaque; its calls are
 * serialised by a lock.
 */
typedef struct netclock_organiser netclock_organiser;

/** A participant: takes part in the starts of one server. Opaque; its calls are serialised by a lock. */
typedef struct netclock_participant netclock_participant;

/** A peer: takes part in one game, whose clock it shares. Opaque; its calls are serialised by a lock. */
typedef struct netclock_peer netclock_peer;

/** Publishes one clock of the server's world. Opaque. Calls on it are serialised by a lock. */
typedef struct netclock_publisher netclock_publisher;

/**
 * A watch over the clock of one client, on the server. Opaque; 256 bytes, which never grow. Calls from several threads
 * are serialised.
 */
typedef struct netclock_rate_watch netclock_rate_watch;

/**
 * A relay: gives peers slots in games, forwards between them and stamps how long it held what. Opaque; its calls are
 * serialised by a lock.
 */
typedef struct netclock_relay netclock_relay;

/** A server: answers requests and remembers nobody. Opaque; usable from any number of threads at once. */
typedef struct netclock_server netclock_server;

/**
 * Takes the messages between a relay and its peers out of a stream of bytes: one for each direction of each connection.
 * Opaque; its calls are serialised by a lock. Datagrams carry one message each and need none.
 */
typedef struct netclock_stream netclock_stream;

/** A client's view of one clock of the server's world. Opaque. Calls on it are serialised by a lock. */
typedef struct netclock_timeline netclock_timeline;

/**
 * Outcome of a call: `NETCLOCK_OK`, a positive code that says why there is no result (nothing is wrong), or a
 * negative error. Unless its own text says otherwise, an error means that the call changed nothing. Codes are
 * never reused.
 */
typedef int32_t netclock_status;

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
    /** A correction forwards by more than this jumps once, declared. (ticks, 1 ms to 1 h, default 250 ms) */
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
 * A run of a server's clock, and what it says of a timescale: the clock shows the timescale within +-`dispersion`. A
 * server of which nobody says anything is its own timescale. Set `struct_size` before each call.
 */
typedef struct netclock_authority {
    /** `sizeof(netclock_authority)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** The run of the clock: the epoch of its `netclock_server`. */
    uint64_t epoch;
    /** Name of the timescale: the epoch of the first server that showed it, or a number given to a fleet. */
    uint64_t timescale;
    /** Largest difference between the clock and the timescale. (ticks, 0 to 2^32 - 1) */
    int64_t dispersion;
} netclock_authority;

/** Settings of a rate watch. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_rate_watch_config {
    /** `sizeof(netclock_rate_watch_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /**
     * Largest rate difference between two honest clocks: crystals, and what operating systems steer them by. (ppm, 1
     * to 10000, default 200)
     */
    double max_drift_ppm;
    /**
     * A delay that messages do not exceed for 16 s on end; what is gained or lost beyond it is no delay. (ticks, 100
     * ms to 60 s, default 5 s)
     */
    int64_t max_delay;
} netclock_rate_watch_config;

/** What a rate watch thinks of a client. Set `struct_size` before the call. */
typedef struct netclock_rate_verdict {
    /** `sizeof(netclock_rate_verdict)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`, about the last minute. */
    int32_t level;
    /** The highest level there ever was. */
    int32_t worst;
    /** What the newest finding was: one of `NETCLOCK_RATE_NOTHING` to `NETCLOCK_RATE_REMOVED`. */
    int32_t finding;
    /** Times that the level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`. */
    uint32_t findings;
    /** 1 if the mean rate is known, else 0. */
    int32_t is_mean_known;
    /**
     * Newest finding: what the client's clock gained on the server's, beyond drift; negative: lost. If proven, beyond
     * delay too. (ticks)
     */
    int64_t gained;
    /** Newest finding: as much would pass for changes of delay; zero if proven. (ticks) */
    int64_t explained;
    /**
     * Newest finding: how long it took, as far back as it was looked: 52 s before it was found, 510 s in all. (ticks)
     */
    int64_t duration;
    /**
     * Rate of the client's clock against the server's since the watch began or was last excused; positive: the client's
     * is fast. Zero if not known. (ppm)
     */
    double mean_ppm;
    /** How far off that may be if delays changed by 60 ms. Zero if not known. (ppm) */
    double mean_error_ppm;
} netclock_rate_verdict;

/** How a timescale is taken over. Set `struct_size`, the timescale, and all else to zero for the defaults. */
typedef struct netclock_adoption_config {
    /** `sizeof(netclock_adoption_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * Participants who may lie, together if they like: 1 to 31, default 1, or `NETCLOCK_NO_LIARS`. It takes
     * `2 * liars + 1` answers, unless the new server was a client itself.
     */
    uint32_t liars;
    /** Name of the timescale. */
    uint64_t timescale;
    /**
     * Largest rate difference between the new server's clock and the timescale's. (ppm, 1 to 10000, default 100)
     */
    double max_drift_ppm;
    /** Step of the new server's clock. (ticks, 0 to 100 ms) */
    int64_t resolution;
} netclock_adoption_config;

/** The timescale on the new server's clock. Set `struct_size` before the call. */
typedef struct netclock_adopted {
    /** `sizeof(netclock_adopted)` as compiled into the caller. */
    uint32_t struct_size;
    /** Participants who answered, the server itself included where it was a client. */
    uint32_t answers;
    /** How many of them agree with the result. */
    uint32_t agreeing;
    /** Zero. */
    uint32_t reserved;
    /** Name of the timescale. */
    uint64_t timescale;
    /** What to add to the raw clock from now on to stamp replies with. (ticks) */
    int64_t offset;
    /** How far that may be off: to be stated. (ticks) */
    int64_t dispersion;
} netclock_adopted;

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

/**
 * An event's time, as a client read it or as the server stamped it; all in ticks. The server's own stamps have zero
 * for both errors; those of clients are taken from their readings.
 */
typedef struct netclock_stamp {
    /** When, in server time. */
    int64_t time;
    /** Hard bound of the error; `NETCLOCK_UNBOUNDED` if there is none. */
    int64_t error_bound;
    /** Expected size of the error, one standard deviation; `NETCLOCK_UNBOUNDED` if not known. */
    int64_t expected_error;
} netclock_stamp;

/** Which of two events came first. Set `struct_size` before the call. */
typedef struct netclock_verdict {
    /** `sizeof(netclock_verdict)` as compiled into the caller. */
    uint32_t struct_size;
    /** One of `NETCLOCK_ORDER_...`. */
    int32_t order;
    /** Probability that the first event came before the second; 0 or 1 if proven. */
    double probability;
    /** 1 if the order follows from the bounds, 0 if at most from the odds. */
    int32_t proven;
    /** Zero. */
    int32_t reserved;
} netclock_verdict;

/**
 * What a server knows of a client's path, and allows. Set `struct_size`; durations are in ticks, 0 to 60 s.
 */
typedef struct netclock_path {
    /** `sizeof(netclock_path)` as compiled into the caller. */
    uint32_t struct_size;
    /** Must be zero. */
    uint32_t reserved;
    /** Smallest round trip lately, as the server measured it. */
    int64_t round_trip;
    /**
     * How much longer a message and the clock's own exchanges may take; a server that handles messages at frames
     * adds its frame.
     */
    int64_t jitter;
    /** How far behind its clock the client shows others. */
    int64_t interpolation;
    /** Longest way back that the game allows, from the arrival, `interpolation` included. (default 250 ms) */
    int64_t max_rewind;
} netclock_path;

/** What a client saw when it acted; all times in ticks. Set `struct_size` before the call. */
typedef struct netclock_rewound {
    /** `sizeof(netclock_rewound)` as compiled into the caller. */
    uint32_t struct_size;
    /** What moved the instant: one of `NETCLOCK_LIMIT_...`. */
    int32_t limit;
    /** The instant to show the server's past of. */
    int64_t target;
    /** How much later that is than the client asked for; negative: earlier. */
    int64_t moved;
    /** When the client acted, as far as that is plausible: what to arbitrate by. */
    int64_t acted;
    /**
     * How far off `acted` may be if messages take no longer than `round_trip + jitter`, whatever the client says.
     */
    int64_t error_bound;
} netclock_rewound;

/** Settings of a lead. Set `struct_size` and all else to zero for the defaults. Durations are in ticks. */
typedef struct netclock_lead_config {
    /** `sizeof(netclock_lead_config)` as compiled into the caller. */
    uint32_t struct_size;
    /** Must be zero. */
    uint32_t reserved;
    /** Share of messages that should be in time. (0.5 to 0.999, default 0.95) */
    double quantile;
    /**
     * Frame period of a server that handles messages at frame boundaries but stamps them on arrival; zero if it
     * stamps them when it handles them. (0 to 1 s)
     */
    int64_t server_frame;
    /** The same of the client and what the server sends. (0 to 1 s) */
    int64_t client_frame;
    /** Time between the states that the server sends. (0 to 10 s) */
    int64_t send_interval;
} netclock_lead_config;

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
typedef struct netclock_start_result {
    /** `sizeof(netclock_start_result)` as compiled into the caller. */
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
} netclock_start_result;

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
    uint32_t max_steps;
    /**
     * When more steps than this are due, the oldest are skipped until so many are left. (zero: none is ever skipped)
     */
    uint32_t max_behind;
} netclock_beat;

/** What a simulation has to run in this frame. */
typedef struct netclock_steps {
    /** Number of the first step to run. */
    int64_t first;
    /** How many to run; the numbers follow each other. */
    int64_t count;
    /** Steps given up for good just before `first`, because more than `max_behind` were due. Zero: none. */
    int64_t skipped;
    /** Steps that are due as well and left to the next call. */
    int64_t behind;
    /** Fraction of the beat under way that has passed, from 0 to just below 1. */
    double alpha;
} netclock_steps;

/** Settings of a latency watch. Set `struct_size` and all else to zero for the defaults. */
typedef struct netclock_latency_config {
    /** `sizeof(netclock_latency_config)` as compiled into the caller. */
    uint32_t struct_size;
    /**
     * The latency that the speed hides changes of: zero for that of both directions together, `NETCLOCK_TO_SERVER` or
     * `NETCLOCK_TO_CLIENT` for one. Changes are reported of both.
     */
    int32_t hide;
    /** Smaller changes are not reported. (ticks, 1 ms to 1 s, default 10 ms) */
    int64_t least_change;
    /** How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1) */
    double max_speed_change;
    /** Time from speed 1 to the furthest. (ticks, 10 ms to 10 s, default 250 ms) */
    int64_t ramp;
    /**
     * On a path that does not change there is one false report in so many hours, in the mean. (hours, 0.1 to 10000,
     * default 100)
     */
    double hours_per_false_alarm;
} netclock_latency_config;

/** The delays of one direction became others, and stayed so. Set `struct_size` before the call. */
typedef struct netclock_latency_change {
    /** `sizeof(netclock_latency_change)` as compiled into the caller. */
    uint32_t struct_size;
    /** `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT`. */
    int32_t direction;
    /** The typical delay (median) until then. (ticks) */
    int64_t before;
    /** The typical delay since. (ticks) */
    int64_t after;
    /** When the first of the exchanges arrived that told it. (ticks of the local clock) */
    int64_t since;
    /** When the last of them arrived. (ticks of the local clock) */
    int64_t found;
    /** One less what would be expected of false reports with as much evidence in an hour. (0 to 1) */
    double confidence;
} netclock_latency_change;

/** What is usual at present, by the clock as it is shown; in ticks. Set `struct_size` before the call. */
typedef struct netclock_latency_levels {
    /** `sizeof(netclock_latency_levels)` as compiled into the caller. */
    uint32_t struct_size;
    /** Zero. */
    uint32_t reserved;
    /** The typical delay (median) to the server since the last change. */
    int64_t to_server;
    /** The least of them, of about a minute. */
    int64_t least_to_server;
    /** The typical delay (median) to the client since the last change. */
    int64_t to_client;
    /** The least of them, of about a minute. */
    int64_t least_to_client;
} netclock_latency_levels;

/** What the local avatar should play at. Set `struct_size` before the call. */
typedef struct netclock_latency_speed {
    /** `sizeof(netclock_latency_speed)` as compiled into the caller. */
    uint32_t struct_size;
    /** 1 while a change is being hidden, else 0: then `scale` is 1 and `remaining` zero. */
    int32_t is_hiding;
    /**
     * How fast the local avatar should play: 1 as a rule, less after a rise of the latency, more after a fall.
     */
    double scale;
    /**
     * What it should have played more than the time that passed, since the watch was created; negative: less. (ticks)
     */
    int64_t done;
    /** What is still to be played more; negative: less. (ticks) */
    int64_t remaining;
} netclock_latency_speed;

/** Settings of a relay. Set `struct_size` and all else to zero for the defaults. */
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
     * A peer that says nothing for so long is gone, and so is a primary that answers no requests for so long. (ticks, 1 s
     * to 60 s, default 3 s)
     */
    int64_t silence;
    /**
     * How long a game waits for peers whose clocks are not in sync. (ticks, 1 tick to 10 min, default 10 s)
     */
    int64_t patience;
    /** What a connection may send: bytes a second, and 32 for each message. (1000 to 10^7, default 32768) */
    uint32_t budget;
    /**
     * Bytes that may wait for one peer; taken at creation for each slot of each game. (2064 to 2^20, default 8192)
     */
    uint32_t queue;
} netclock_relay_config;

/** How a game at a relay is doing. Set `struct_size` before the call. */
typedef struct netclock_game {
    /** `sizeof(netclock_game)` as compiled into the caller. */
    uint32_t struct_size;
    /** Peers that are there. */
    uint32_t players;
    /** How many primaries there were, the present one included. */
    uint32_t generation;
    /** 1 if the game began, else 0. */
    int32_t began;
    /** 1 if there is a primary, else 0. */
    int32_t has_primary;
    /** Zero. */
    int32_t reserved;
    /** Connection of the primary, if there is one. */
    uint64_t primary;
    /** Messages to peers that found no room in their queues. */
    uint64_t dropped;
} netclock_game;

/**
 * A message of the game's own, which came from another peer. Its data is in the message, from byte
 * `NETCLOCK_GAME_HEADER_SIZE` on. Set `struct_size` before the call.
 */
typedef struct netclock_game_message {
    /** `sizeof(netclock_game_message)` as compiled into the caller. */
    uint32_t struct_size;
    /** Its id, from `NETCLOCK_FIRST_GAME_ID` on. */
    uint32_t id;
    /** The sender's slot, by the relay. */
    uint32_t slot;
    /** What the sender's shared clock read, in milliseconds, modulo 2^32. */
    uint32_t stamp;
    /** The same in full: the instant next to this peer's own shared time, in ticks; zero if it has none. */
    int64_t time;
} netclock_game_message;

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
    /** Number of its slot, and how many peers are there, as the relay said last. */
    uint32_t slot;
    /** See `slot`. */
    uint32_t players;
    /** Counts declared discontinuities, as `epoch` of `netclock_reading`. */
    uint32_t epoch;
    /** Why the relay refused the last login: one of `NETCLOCK_REJECTED_...`. */
    int32_t rejection;
    /** The shared clock, in ticks: zero when the game began and before, never backwards within an `epoch`. */
    int64_t time;
    /**
     * Hard bound, in ticks: the primary's clock reads `time` within this, if the relay's holds are true.
     * `NETCLOCK_UNBOUNDED` if nothing can be promised.
     */
    int64_t error_bound;
    /**
     * Expected size of the error, one standard deviation, in ticks. `NETCLOCK_UNBOUNDED` if nothing is known.
     */
    int64_t expected_error;
    /**
     * How far the primary's clock may be from that of the game's first primary, by what was lost when primaries changed,
     * in ticks.
     */
    int64_t inherited;
    /**
     * Smallest recent round trip to the primary, without what the relay held, in ticks. `NETCLOCK_UNBOUNDED` if unknown.
     */
    int64_t round_trip;
    /**
     * Names the primary whose clock this is; zero before there is one. Two peers with the same authority read the same
     * clock.
     */
    uint64_t authority;
} netclock_peer_reading;

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
 * Local time in ticks of 100 ns: a clock that never goes back and is not the wall clock. For callers without a
 * time base of their own; pass it wherever a local time is asked for, on the server as server time.
 *
 * Linux and Android: time since boot, suspension included. macOS and iOS: the system's monotonic clock, which also
 * counts while asleep. Other Unix systems: the monotonic clock, which may stop in suspension. Windows: the
 * performance counter since the first call in this process; times of two processes cannot be compared there.
 * Callable from any thread; never fails on these systems, and would return 0.
 */
int64_t netclock_monotonic_now(void);

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
 * Fills `config` with the defaults. `config->struct_size` has to be set before. Callable from any thread. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
 */
netclock_status netclock_config_default(struct netclock_config *config);

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
 * Follows `*authority` from its first reply on, or says anew how far the clock that is followed may be off its timescale.
 * The caller vouches for it, because it came over a connection that is trusted; for datagrams there is
 * `netclock_client_handle_authority_reply`. `now` is the local time in ticks.
 *
 * If the authority is another one and its timescale that of the old one, the client goes on: what is known of the old
 * clock holds for the new one, widened by both dispersions; shown time and the reading's epoch go on, what is off is
 * slewed, and `NETCLOCK_EVENT_HANDED_OVER` tells. Call it before the first reply of the new authority, or after it for as
 * long as the old run is still shown (until the burst is answered, about half a second). Where the new replies contradict
 * what was said, the clock begins anew, as after a restart.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_OUT_OF_RANGE` (the dispersion),
 * `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_set_authority(struct netclock_client *client,
                                              const struct netclock_authority *authority,
                                              int64_t now);

/**
 * Whose clock readings at local time `now` (ticks) speak of, into `*authority`: a reading's `error_bound` is about this
 * clock, and the timescale is within `dispersion` of it, which grows by what clocks may drift if it is not stated anew for 20 s.
 * `NETCLOCK_NOT_SYNCED`: no reply was accepted that names an epoch, and `*authority` is as it was. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_authority(const struct netclock_client *client,
                                          int64_t now,
                                          struct netclock_authority *authority);

/**
 * Asks at once and in a burst, as after a restart: call it when turning to another server, which would else be asked only
 * when `steady_interval` is over. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_begin_burst(struct netclock_client *client);

/**
 * The inquiry to send to the server at local time `now` (ticks), of `NETCLOCK_DATAGRAM_SIZE` bytes, to where there is room
 * for `capacity` bytes. Call it every frame, after `netclock_client_tick`, where servers make statements: due at once when
 * another authority answers, ever less often until it states something, then every `steady_interval`.
 * `NETCLOCK_NOTHING_DUE` leaves the room as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is
 * too small, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_request_authority(struct netclock_client *client,
                                                  int64_t now,
                                                  void *datagram,
                                                  size_t capacity);

/**
 * A statement of `length` bytes arrived at local time `arrived` (ticks): as `netclock_client_set_authority`, if it answers an
 * inquiry. Each inquiry is answered once. Errors: one of `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_REQUEST`, and those of
 * `netclock_client_set_authority`.
 */
netclock_status netclock_client_handle_authority_reply(struct netclock_client *client,
                                                       const void *datagram,
                                                       size_t length,
                                                       int64_t arrived);

/**
 * Answers the question of `length` bytes of a server that takes the timescale over: what time it is on the timescale at
 * local time `now` (ticks), and how far that may be off, as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes to where there is
 * room for `capacity` bytes. Send it at once: what passes until then widens what the server can conclude.
 * `NETCLOCK_UNCERTAIN`: nothing certain is known, send nothing. Errors: one of `NETCLOCK_WIRE_...`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_client_answer_adoption(const struct netclock_client *client,
                                                const void *request,
                                                size_t length,
                                                int64_t now,
                                                void *datagram,
                                                size_t capacity);

/**
 * What a server states: the answer to an inquiry of `length` bytes, as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes to
 * where there is room for `capacity` bytes. It is as long as the inquiry. Say what holds for 20 s: clients ask again
 * every 4 s, and where the dispersion grows allow for that. Errors: one of `NETCLOCK_WIRE_...` (`NETCLOCK_WIRE_STAMP`: the
 * dispersion is out of range), `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
 */
netclock_status netclock_authority_respond(const struct netclock_authority *authority,
                                           const void *request,
                                           size_t length,
                                           void *datagram,
                                           size_t capacity);

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
 * Creates a watch over the clock of one client and stores it in `*watch`, to be given back to
 * `netclock_rate_watch_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_rate_watch_create(const struct netclock_rate_watch_config *config,
                                           struct netclock_rate_watch **watch);

/**
 * Destroys a rate watch. Null is allowed and does nothing. No other call may be using it, and none may follow.
 * Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live rate watch, which is found out without looking at what is there;
 * `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_rate_watch_destroy(struct netclock_rate_watch *watch);

/**
 * A message that the client stamped `stamped` (ticks of the client's clock, up to 50 ms old when the message left)
 * arrived at `arrived` (ticks of the server's clock), taken off the network as early as possible. The requests of
 * NetClock's clients are such messages, and so is whatever else carries a stamp. Loss, duplicates and messages that
 * overtake each other do no harm.
 *
 * `heard`: when the server sent the newest thing that the client had received when it stamped the message (ticks of
 * the server's clock), if acknowledgements or stamps that come back tell it; a server that takes it from a stamp of
 * its own which the client returns may believe it, for a false one only speaks against the client.
 * `NETCLOCK_UNKNOWN_TIME` if it is not known: then only gains can be told early, and only those beyond `max_delay` be
 * proved.
 *
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (report in the order
 * of arrival), `NETCLOCK_ARRIVED_BEFORE_SENT` (heard after it arrived), `NETCLOCK_POISONED`.
 */
netclock_status netclock_rate_watch_report(struct netclock_rate_watch *watch,
                                           int64_t stamped,
                                           int64_t arrived,
                                           int64_t heard);

/**
 * What arrives from `from` to `to` (ticks of the server's clock) is no evidence, because the client's clock stood still
 * or was set for a good reason: a pause of the game, a change of level, a resumed machine. Call it before, or
 * afterwards, in which case the suspicion of the last minute is dropped; what was observed until then is forgotten in
 * either case. Two calls excuse what is between them too. Stalls of client, server or network need no excuse. Let `to`
 * be as late as the last message from before may arrive. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (`to` is before `from`), `NETCLOCK_POISONED`.
 */
netclock_status netclock_rate_watch_excuse(struct netclock_rate_watch *watch,
                                           int64_t from,
                                           int64_t to);

/**
 * What the watch thinks of the client, as of the newest report, into `*verdict`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_rate_watch_read(const struct netclock_rate_watch *watch,
                                         struct netclock_rate_verdict *verdict);

/**
 * Creates an adoption that knows nothing yet and stores it in `*adoption`, to be given back to
 * `netclock_adoption_destroy`. `seed_high` and `seed_low` make questions unguessable: draw 128 bits from the operating
 * system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_adoption_create(const struct netclock_adoption_config *config,
                                         uint64_t seed_high,
                                         uint64_t seed_low,
                                         struct netclock_adoption **adoption);

/**
 * Destroys an adoption. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live adoption, which is found out without looking at what is there;
 * `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_adoption_destroy(struct netclock_adoption *adoption);

/**
 * What the new server knows itself, because it was a client: at `raw` of the clock that it will serve by, its client
 * showed `server_time`, give or take `error_bound`: that of the reading and the dispersion of
 * `netclock_client_authority` together; all in ticks. It is believed, whoever contradicts it, and enough. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NO_AGREEMENT` (it contradicts what was said before),
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_add_own_reading(struct netclock_adoption *adoption,
                                                  int64_t server_time,
                                                  int64_t error_bound,
                                                  int64_t raw);

/**
 * The question to send to `participant`, a name of the caller's choice, at `now` of the new server's raw clock (ticks): a
 * datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, to where there is room for `capacity` bytes. Send it at once, to whom
 * requests come from, in place of a reply: it is as long. `NETCLOCK_NOTHING_DUE`: the last question is younger than 250 ms,
 * or the participant contradicted himself; the room is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH`
 * if the room is too small, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_request(struct netclock_adoption *adoption,
                                          uint64_t participant,
                                          int64_t now,
                                          void *datagram,
                                          size_t capacity);

/**
 * What `participant` answered in `length` bytes, arrived at `arrived` of the raw clock (ticks). Several answers of one
 * tighten what he says; he counts once. Errors: one of `NETCLOCK_WIRE_...`, `NETCLOCK_UNKNOWN_PARTICIPANT` (never asked),
 * `NETCLOCK_UNKNOWN_REQUEST` (no such question is open), `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
 * `NETCLOCK_ARRIVED_BEFORE_SENT`, `NETCLOCK_TOO_SLOW` (more than 5 s), `NETCLOCK_LIAR` (he contradicts himself, and none of
 * his answers counts any more), `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_handle_reply(struct netclock_adoption *adoption,
                                               uint64_t participant,
                                               const void *datagram,
                                               size_t length,
                                               int64_t arrived);

/**
 * The timescale on the new server's clock, as of `now` of its raw clock (ticks), into `*adopted`. It holds from then on:
 * take it once, when everybody answered or was waited for long enough. Then stamp replies with the raw clock plus
 * `offset`, draw an epoch for a `netclock_server`, and state `dispersion`. It is the middle of what is certain, so that it
 * may be behind what some client shows: clients slew. `NETCLOCK_TOO_FEW`: too few answers yet, `*adopted` is as it was.
 * Errors: `NETCLOCK_NO_AGREEMENT` (more lie than are tolerated), `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_adoption_settle(const struct netclock_adoption *adoption,
                                         int64_t now,
                                         struct netclock_adopted *adopted);

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
 * Says which of two events came first, into `*verdict`. `same_clock` is not zero if both stamps are of one client
 * within one epoch of its readings, or both the server's: their error is the same and does not matter.
 * `confidence` is the least probability for a verdict on the odds: from 0.5, which decides all but ties, to 1,
 * which leaves everything that is not proven too close to call. Callable from any thread. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a
 * negative error or another confidence.
 */
netclock_status netclock_arbitrate(const struct netclock_stamp *first,
                                   const struct netclock_stamp *second,
                                   int32_t same_clock,
                                   double confidence,
                                   struct netclock_verdict *verdict);

/**
 * The instant that a client saw which says that it acted at `claimed`, by its own reading of the server's time, in a
 * message that the server received at `arrived`; into `*rewound`. A claim that `*path` cannot explain is moved to
 * the nearest that it can. Callable from any thread. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE`.
 */
netclock_status netclock_rewind(int64_t claimed,
                                int64_t arrived,
                                const struct netclock_path *path,
                                struct netclock_rewound *rewound);

/**
 * Creates a lead that knows no message yet and stores it in `*lead`, to be given back to `netclock_lead_destroy`.
 * `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_lead_create(const struct netclock_lead_config *config,
                                     struct netclock_lead **lead);

/**
 * Destroys a lead. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live lead, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_lead_destroy(struct netclock_lead *lead);

/**
 * Learns from a message that went in `direction`, one of `NETCLOCK_TO_...`: any of the game's own whose two stamps
 * are known, and the clock's own exchanges. `sent` and `arrived` are in server time: the server's stamp by its own
 * clock, the client's as it was shown there. `epoch` is that of the reading which made the client's stamp; when the
 * clock jumped, all is learned anew. `NETCLOCK_OUTDATED`: of an epoch that has ended, not used. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for another direction or stamps
 * more than 60 s apart, `NETCLOCK_POISONED`.
 */
netclock_status netclock_lead_learn(struct netclock_lead *lead,
                                    int32_t direction,
                                    uint32_t epoch,
                                    int64_t sent,
                                    int64_t arrived);

/**
 * What the messages so far suggest, in ticks. A message sent now is handled before the shown server time plus
 * `*ahead` has come, with the chosen probability. Showing others `*behind` the shown server time, there are, with
 * that probability, two states to show them between. Either may be null. `NETCLOCK_NO_MESSAGES`: none was noted yet in
 * a direction that was asked for; its value is `NETCLOCK_UNBOUNDED`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_lead_suggest(const struct netclock_lead *lead,
                                      int64_t *ahead,
                                      int64_t *behind);

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
netclock_status netclock_organiser_remove(struct netclock_organiser *organiser,
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
netclock_status netclock_organiser_result(struct netclock_organiser *organiser,
                                          struct netclock_start_result *outcome);

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
 * have been lost. Errors: `NETCLOCK_STALE`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_OTHER_SERVER_EPOCH` (also while the clock is not in
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
 * Creates a latency watch that knows no exchange yet and stores it in `*latency`, to be given back to
 * `netclock_latency_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_latency_create(const struct netclock_latency_config *config,
                                        struct netclock_latency **latency);

/**
 * Destroys a latency watch. Null is allowed and does nothing. No other call may be using it, and none may follow.
 * Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live latency watch, which is found out without looking at what is
 * there; `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_latency_destroy(struct netclock_latency *latency);

/**
 * Learns from the newest exchange that `client` accepted: to be called after each reply that the client was handed.
 * `NETCLOCK_NOTHING_NEW`: it was learnt before, or came less than 125 ms after another, or there is none; called every
 * frame, this does no harm, though exchanges are missed if several come in one. When the clock was set anew, all is
 * learnt anew. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_RANGE` for a delay of more than 60 s,
 * `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED` (either).
 */
netclock_status netclock_latency_follow(struct netclock_latency *latency,
                                        const struct netclock_client *client);

/**
 * The same from the stamps of an exchange, for who has them elsewhere: sent by the client, received and answered by the
 * server, received by the client; in ticks of the clock concerned. `shown` is the server time that the clock shows for
 * `client_received`, and `epoch` that of the reading. Exchanges are passed in the order of arrival. `NETCLOCK_OUTDATED`:
 * of an epoch that has ended, not used. Otherwise as `netclock_latency_follow`; also `NETCLOCK_STAMP_OUT_OF_RANGE`.
 */
netclock_status netclock_latency_learn(struct netclock_latency *latency,
                                       int64_t client_sent,
                                       int64_t server_received,
                                       int64_t server_sent,
                                       int64_t client_received,
                                       int64_t shown,
                                       uint32_t epoch);

/**
 * Takes the next change that was found, into `*change`. `NETCLOCK_NO_CHANGE`: none is waiting. One that is not taken is
 * taken together with the next of its direction. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_latency_next_change(struct netclock_latency *latency,
                                             struct netclock_latency_change *change);

/**
 * What is usual in both directions at present, into `*levels`. `NETCLOCK_NO_MESSAGES`: no exchange was learnt yet, and
 * `*levels` is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_latency_read(const struct netclock_latency *latency,
                                      struct netclock_latency_levels *levels);

/**
 * What the local avatar should play at, at local time `now` (ticks), into `*speed`; to be asked in every frame. When the
 * latency rose by `d`, what the server knows of the avatar is `d` older than before: the avatar plays at less than 1
 * until it has played `d` less, and the distance to its copy on the server is what it was. `done` of two frames tells
 * exactly how much was to be played between them, whatever the frame rate. A clock that runs ahead by the latency is to
 * do the opposite: at `2 - scale`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_latency_read_speed(const struct netclock_latency *latency,
                                            int64_t now,
                                            struct netclock_latency_speed *speed);

/**
 * Creates a decoder for a stream that begins and stores it in `*frames`, to be given back to `netclock_stream_destroy`.
 * Errors: `NETCLOCK_NULL_ARGUMENT`.
 */
netclock_status netclock_stream_create(struct netclock_stream **frames);

/**
 * Destroys a decoder. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live decoder, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_stream_destroy(struct netclock_stream *frames);

/**
 * Takes some of `length` bytes as they were read from the stream, and says in `*taken` how many: take the messages out
 * by `netclock_stream_next`, then give it the rest. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STREAM_BROKEN`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_stream_push(struct netclock_stream *frames,
                                     const void *bytes,
                                     size_t length,
                                     size_t *taken);

/**
 * The next whole message, copied to where there is room for `capacity` bytes (at least `NETCLOCK_MAX_MESSAGE_SIZE`), and its
 * length. `NETCLOCK_INCOMPLETE`: not before more bytes come. Errors, after which the connection is to be closed:
 * `NETCLOCK_MESSAGE_SIZE` for a size that no message has, once, then `NETCLOCK_STREAM_BROKEN`; besides
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, `NETCLOCK_POISONED`.
 */
netclock_status netclock_stream_next(struct netclock_stream *frames,
                                     void *message,
                                     size_t capacity,
                                     size_t *length);

/**
 * Creates a relay without games and stores it in `*relay`, to be given back to `netclock_relay_destroy`. `config` may be
 * null for all defaults. `seed_high` and `seed_low` make its tokens unguessable: draw 128 bits from the operating
 * system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_relay_create(const struct netclock_relay_config *config,
                                      uint64_t seed_high,
                                      uint64_t seed_low,
                                      struct netclock_relay **relay);

/**
 * Destroys a relay. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live relay, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_relay_destroy(struct netclock_relay *relay);

/**
 * Handles one message of `length` bytes that came on `connection` (any number of the caller's that names where it came
 * from) at `received`, in ticks of the relay's monotonic clock, stamped as close to the socket as possible: how long it
 * waits from then on is told to the peers. Errors, after which nothing is forwarded: `NETCLOCK_MESSAGE_SIZE`,
 * `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WIRE_VERSION`, `NETCLOCK_NOT_LOGGED_IN`,
 * `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` (about an earlier
 * primary), `NETCLOCK_OVER_BUDGET`, `NETCLOCK_UNSOLICITED`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_POISONED`; not to everybody: `NETCLOCK_QUEUE_FULL`.
 */
netclock_status netclock_relay_receive(struct netclock_relay *relay,
                                       uint64_t connection,
                                       const void *message,
                                       size_t length,
                                       int64_t received);

/**
 * The connection was closed at `now` (ticks): its peer has left. Errors: `NETCLOCK_NOT_LOGGED_IN`,
 * `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_relay_disconnect(struct netclock_relay *relay,
                                          uint64_t connection,
                                          int64_t now);

/**
 * Does what is due at `now` (ticks) and gives the next message to be sent at once, to where there is room for `capacity`
 * bytes (at least `NETCLOCK_MAX_MESSAGE_SIZE`): its connection and its length. Call it until it answers
 * `NETCLOCK_NOTHING_DUE`, which leaves all three as they were: whenever messages came, and at least every 50 ms. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_relay_next_message(struct netclock_relay *relay,
                                            int64_t now,
                                            uint64_t *connection,
                                            void *message,
                                            size_t capacity,
                                            size_t *length);

/**
 * How the game of this id is doing, into `*session`. `NETCLOCK_NO_GAME`: nobody plays it, and `*session` is as it was.
 * Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_relay_game(struct netclock_relay *relay,
                                    uint64_t game,
                                    struct netclock_game *session);

/**
 * Creates a peer that is to play `game` and stores it in `*peer`, to be given back to `netclock_peer_destroy`. `config`,
 * of its clock, may be null for all defaults. `seed_high` and `seed_low` make its messages unguessable: draw 128 bits from
 * the operating system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
 */
netclock_status netclock_peer_create(const struct netclock_config *config,
                                     uint64_t game,
                                     uint64_t seed_high,
                                     uint64_t seed_low,
                                     struct netclock_peer **peer);

/**
 * Destroys a peer. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
 * `NETCLOCK_UNKNOWN_HANDLE` if it is no live peer, `NETCLOCK_BUSY` if another thread is seen to use it.
 */
netclock_status netclock_peer_destroy(struct netclock_peer *peer);

/**
 * Handles one message of `length` bytes from the relay that arrived at local time `arrived` (ticks, stamped as close to the
 * network as possible). `NETCLOCK_GAME_MESSAGE`: it is the game's own, and `*game` says what it is; else `*game` is as it
 * was. Errors, after which nothing changed: `NETCLOCK_MESSAGE_SIZE`, `NETCLOCK_MESSAGE_UNKNOWN`,
 * `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` (about an earlier primary or
 * login), `NETCLOCK_UNKNOWN_REQUEST` and the others of an exchange that was refused, `NETCLOCK_TIME_OUT_OF_RANGE`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`. `NETCLOCK_LOGIN_REJECTED`: the relay refused the
 * login, which the reading says.
 */
netclock_status netclock_peer_receive(struct netclock_peer *peer,
                                      const void *message,
                                      size_t length,
                                      int64_t arrived,
                                      struct netclock_game_message *game);

/**
 * Does what is due at local time `now` (ticks); call it every frame, before `netclock_peer_next_message`. Errors:
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_tick(struct netclock_peer *peer,
                                   int64_t now);

/**
 * The next message to be sent to the relay at local time `now` (ticks), at once, to where there is room for `capacity` bytes
 * (at least `NETCLOCK_MAX_MESSAGE_SIZE`), and its length. Call it in every frame until it answers `NETCLOCK_NOTHING_DUE`, which
 * leaves both as they were. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small,
 * `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_next_message(struct netclock_peer *peer,
                                           int64_t now,
                                           void *message,
                                           size_t capacity,
                                           size_t *length);

/**
 * Everything the peer knows at local time `now` (ticks), into `*reading`. Errors: `NETCLOCK_NULL_ARGUMENT`,
 * `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_read(struct netclock_peer *peer,
                                   int64_t now,
                                   struct netclock_peer_reading *reading);

/**
 * Writes a message of the game's own with this id and `length` bytes of data, stamped with the shared time at local time
 * `now` (ticks), to where there is room for `capacity` bytes (at least `NETCLOCK_MAX_MESSAGE_SIZE`), and its whole length into
 * `*written`. Send it to the relay, which forwards it to everybody else. `data` may be null if `length` is zero.
 * `NETCLOCK_NOT_BEGUN`: there is no shared time yet. Errors: `NETCLOCK_MESSAGE_UNKNOWN` for an id below
 * `NETCLOCK_FIRST_GAME_ID`, `NETCLOCK_MESSAGE_SIZE` for more data than fits, `NETCLOCK_NOT_LOGGED_IN`,
 * `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_stamp(struct netclock_peer *peer,
                                    int64_t now,
                                    uint16_t id,
                                    const void *data,
                                    size_t length,
                                    void *message,
                                    size_t capacity,
                                    size_t *written);

/**
 * Says good-bye with the next message; the clock goes on. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
 */
netclock_status netclock_peer_leave(struct netclock_peer *peer);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NETCLOCK_H */
