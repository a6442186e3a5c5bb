/*
 * The numbers that compiled programs rely on, each written down once more. A change of any of them is another
 * ABI.
 *
 * A test (src/ffi/tests/layout.rs) compares this file with the library, and `cargo xtask tables` writes it.
 * Lines may be added, none may change. The compiler checks the numbers against the headers, and
 * tests/c/abi.rs checks that nothing of the headers is missing here.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "netclock/netclock.h"
#include "netclock/netclock_handover.h"
#include "netclock/netclock_latency.h"
#include "netclock/netclock_link.h"
#include "netclock/netclock_order.h"
#include "netclock/netclock_peer.h"
#include "netclock/netclock_start.h"
#include "netclock/netclock_utc.h"
#include "netclock/netclock_watch.h"
#include "netclock/netclock_world.h"

/* An array of negative length is refused by every C compiler. */
#define PIN(name, condition) typedef char name[(condition) ? 1 : -1]

#define STATUS(name, value) PIN(pinned_##name, name == (value))
#define CONSTANT(name, value) PIN(pinned_##name, name == (value))

#define STRUCT(type, size, alignment)                                  \
    struct alignment_of_##type {                                       \
        char before;                                                   \
        type value;                                                    \
    };                                                                 \
    PIN(pinned_size_of_##type, sizeof(type) == (size));                \
    PIN(pinned_alignment_of_##type, offsetof(struct alignment_of_##type, value) == (alignment))

#define FIELD(type, field, offset, size)                                             \
    PIN(pinned_offset_of_##type##_##field, offsetof(type, field) == (offset));       \
    PIN(pinned_size_of_##type##_##field, sizeof(((type *)0)->field) == (size))

CONSTANT(NETCLOCK_ABI_VERSION, 1);
CONSTANT(NETCLOCK_ABI_REVISION, 1);
STATUS(NETCLOCK_OK, 0);
STATUS(NETCLOCK_NOTHING_DUE, 1);
STATUS(NETCLOCK_NULL_ARGUMENT, -1);
STATUS(NETCLOCK_UNKNOWN_STRUCT, -2);
STATUS(NETCLOCK_BAD_CONFIG, -3);
STATUS(NETCLOCK_OUT_OF_RANGE, -4);
STATUS(NETCLOCK_TIME_OUT_OF_RANGE, -5);
STATUS(NETCLOCK_STAMP_OUT_OF_RANGE, -6);
STATUS(NETCLOCK_TIME_WENT_BACKWARDS, -7);
STATUS(NETCLOCK_UNKNOWN_HANDLE, -8);
STATUS(NETCLOCK_BUSY, -9);
STATUS(NETCLOCK_POISONED, -10);
STATUS(NETCLOCK_PANICKED, -11);
STATUS(NETCLOCK_FULL, -12);
STATUS(NETCLOCK_DUPLICATE, -13);
STATUS(NETCLOCK_STALE, -14);
STATUS(NETCLOCK_WRONG_KEY, -15);
STATUS(NETCLOCK_UNKNOWN_PARTICIPANT, -16);
STATUS(NETCLOCK_OUT_OF_MEMORY, -17);
STATUS(NETCLOCK_FORKED, -18);
CONSTANT(NETCLOCK_TICKS_PER_SECOND, INT64_C(10000000));
CONSTANT(NETCLOCK_DATAGRAM_SIZE, 32);
STATUS(NETCLOCK_UNKNOWN_REQUEST, -101);
STATUS(NETCLOCK_ARRIVED_BEFORE_SENT, -102);
STATUS(NETCLOCK_SENT_BEFORE_RECEIVED, -103);
STATUS(NETCLOCK_HELD_TOO_LONG, -104);
STATUS(NETCLOCK_TOO_SLOW, -105);
STATUS(NETCLOCK_CONTRADICTION, -106);
STATUS(NETCLOCK_SEVERAL_SERVERS, -107);
STATUS(NETCLOCK_WIRE_LENGTH, -111);
STATUS(NETCLOCK_WIRE_MAGIC, -112);
STATUS(NETCLOCK_WIRE_OLDER, -113);
STATUS(NETCLOCK_WIRE_KIND, -114);
STATUS(NETCLOCK_WIRE_RESERVED, -115);
STATUS(NETCLOCK_WIRE_STAMP, -116);
STATUS(NETCLOCK_WIRE_NEWER, -117);
STATUS(NETCLOCK_NOT_SEALED, -121);
STATUS(NETCLOCK_OTHER_DIRECTION, -122);
STATUS(NETCLOCK_UNKNOWN_KEY, -123);
STATUS(NETCLOCK_FORGED, -124);
STATUS(NETCLOCK_ENOUGH_ANSWERS, -125);
CONSTANT(NETCLOCK_STATE_UNSYNCED, 0);
CONSTANT(NETCLOCK_STATE_SYNCED, 1);
CONSTANT(NETCLOCK_STATE_HOLDOVER, 2);
CONSTANT(NETCLOCK_STATE_DOUBTFUL, 3);
CONSTANT(NETCLOCK_UNBOUNDED, INT64_MAX);
CONSTANT(NETCLOCK_SAVED_SIZE, 60);
CONSTANT(NETCLOCK_USED_MACHINE, 1);
CONSTANT(NETCLOCK_USED_SERVER, 2);
CONSTANT(NETCLOCK_EVENT_SYNCED, 1);
CONSTANT(NETCLOCK_EVENT_DISCONTINUITY, 2);
CONSTANT(NETCLOCK_EVENT_DEGRADED, 3);
CONSTANT(NETCLOCK_EVENT_RECOVERED, 4);
CONSTANT(NETCLOCK_EVENT_HANDED_OVER, 5);
CONSTANT(NETCLOCK_EVENT_LINKED, 6);
CONSTANT(NETCLOCK_EVENT_LINK_BLOCKED, 7);
CONSTANT(NETCLOCK_EVENT_LINK_NOT_POSSIBLE, 8);
CONSTANT(NETCLOCK_CAUSE_SERVER_RESTART, 1);
CONSTANT(NETCLOCK_CAUSE_PROVEN_STEP, 2);
CONSTANT(NETCLOCK_CAUSE_LOCAL_GAP, 3);
CONSTANT(NETCLOCK_CAUSE_LOCAL_STEP, 4);
CONSTANT(NETCLOCK_CAUSE_CORRECTION, 5);
CONSTANT(NETCLOCK_DEGRADED_NO_REPLIES, 1);
CONSTANT(NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET, 2);
CONSTANT(NETCLOCK_DEGRADED_CONTRADICTION, 3);
CONSTANT(NETCLOCK_DEGRADED_SEVERAL_SERVERS, 4);
CONSTANT(NETCLOCK_DEGRADED_SLEWED, 5);
CONSTANT(NETCLOCK_LOG_ERROR, 1);
CONSTANT(NETCLOCK_LOG_WARNING, 2);
CONSTANT(NETCLOCK_LOG_INFO, 3);
CONSTANT(NETCLOCK_LOG_DEBUG, 4);
CONSTANT(NETCLOCK_UNKNOWN_TIME, INT64_MIN);
CONSTANT(NETCLOCK_PATH_MESSAGES, 0);
CONSTANT(NETCLOCK_PATH_LINK, 1);
STATUS(NETCLOCK_NOT_SYNCED, 201);
STATUS(NETCLOCK_NO_EVENT, 202);
STATUS(NETCLOCK_UNCERTAIN, 203);
STATUS(NETCLOCK_OTHER_TIMESCALE, -201);
CONSTANT(NETCLOCK_TO_SERVER, 1);
CONSTANT(NETCLOCK_TO_CLIENT, 2);
CONSTANT(NETCLOCK_SEAL_OVERHEAD, 24);
CONSTANT(NETCLOCK_SEALED_MOST, 1048);
CONSTANT(NETCLOCK_NO_LIARS, 4294967295);
STATUS(NETCLOCK_TOO_FEW, 301);
STATUS(NETCLOCK_LIAR, -301);
STATUS(NETCLOCK_NO_AGREEMENT, -302);
STATUS(NETCLOCK_NO_CHANGE, 701);
STATUS(NETCLOCK_NOTHING_NEW, 702);
CONSTANT(NETCLOCK_LINK_POLLED, 1);
CONSTANT(NETCLOCK_LINK_THREAD_STAMPS, 2);
CONSTANT(NETCLOCK_LINK_AUTHORITY, 4);
CONSTANT(NETCLOCK_LINK_CARRIED, 8);
CONSTANT(NETCLOCK_LINK_DATAGRAM_SIZE, 56);
CONSTANT(NETCLOCK_LINK_CHECKING, 1);
CONSTANT(NETCLOCK_LINK_LINKED, 2);
CONSTANT(NETCLOCK_LINK_BLOCKED, 3);
CONSTANT(NETCLOCK_LINK_NOT_POSSIBLE, 4);
CONSTANT(NETCLOCK_LINK_SERVING, 5);
CONSTANT(NETCLOCK_LINK_NO_TROUBLE, 10);
CONSTANT(NETCLOCK_LINK_RESOLVING, 11);
CONSTANT(NETCLOCK_LINK_UNKNOWN_HOST, 12);
CONSTANT(NETCLOCK_LINK_NO_ROUTE, 13);
CONSTANT(NETCLOCK_LINK_NOBODY_LISTENS, 14);
CONSTANT(NETCLOCK_LINK_NOT_SENT, 15);
CONSTANT(NETCLOCK_LINK_NO_STAMPS, 20);
CONSTANT(NETCLOCK_LINK_STAMPS_KERNEL, 21);
CONSTANT(NETCLOCK_LINK_STAMPS_THREAD, 22);
CONSTANT(NETCLOCK_LINK_STAMPS_CALLER, 23);
STATUS(NETCLOCK_PORT_IN_USE, -1001);
STATUS(NETCLOCK_NO_PERMISSION, -1002);
STATUS(NETCLOCK_BAD_ADDRESS, -1003);
STATUS(NETCLOCK_NO_SOCKET, -1004);
STATUS(NETCLOCK_NO_THREAD, -1005);
STATUS(NETCLOCK_CARRIED, -1006);
STATUS(NETCLOCK_NOT_POLLED, -1007);
STATUS(NETCLOCK_NOT_CARRIED, -1008);
CONSTANT(NETCLOCK_ORDER_TOO_CLOSE, 0);
CONSTANT(NETCLOCK_ORDER_BEFORE, 1);
CONSTANT(NETCLOCK_ORDER_AFTER, 2);
CONSTANT(NETCLOCK_LIMIT_NONE, 0);
CONSTANT(NETCLOCK_LIMIT_ARRIVAL, 1);
CONSTANT(NETCLOCK_LIMIT_PATH, 2);
CONSTANT(NETCLOCK_LIMIT_MAX_REWIND, 3);
STATUS(NETCLOCK_NO_MESSAGES, 501);
STATUS(NETCLOCK_OUTDATED, 502);
CONSTANT(NETCLOCK_MAX_MESSAGE_SIZE, 1024);
CONSTANT(NETCLOCK_GAME_HEADER_SIZE, 20);
CONSTANT(NETCLOCK_FIRST_GAME_ID, 256);
CONSTANT(NETCLOCK_PEER_JOINING, 0);
CONSTANT(NETCLOCK_PEER_WAITING, 1);
CONSTANT(NETCLOCK_PEER_SYNCED, 2);
CONSTANT(NETCLOCK_PEER_PLAYING, 3);
CONSTANT(NETCLOCK_PEER_ENDED, 4);
CONSTANT(NETCLOCK_ROLE_NONE, 0);
CONSTANT(NETCLOCK_ROLE_PRIMARY, 1);
CONSTANT(NETCLOCK_ROLE_SECONDARY, 2);
CONSTANT(NETCLOCK_REJECTED_NONE, 0);
CONSTANT(NETCLOCK_REJECTED_VERSION, 1);
CONSTANT(NETCLOCK_REJECTED_FULL, 2);
CONSTANT(NETCLOCK_REJECTED_DUPLICATE, 3);
CONSTANT(NETCLOCK_REJECTED_LOGIN, 4);
STATUS(NETCLOCK_INCOMPLETE, 801);
STATUS(NETCLOCK_GAME_MESSAGE, 802);
STATUS(NETCLOCK_NOT_BEGUN, 803);
STATUS(NETCLOCK_NO_GAME, 804);
STATUS(NETCLOCK_MESSAGE_SIZE, -801);
STATUS(NETCLOCK_MESSAGE_UNKNOWN, -802);
STATUS(NETCLOCK_MESSAGE_MALFORMED, -803);
STATUS(NETCLOCK_STREAM_BROKEN, -804);
STATUS(NETCLOCK_NOT_LOGGED_IN, -805);
STATUS(NETCLOCK_WRONG_ROLE, -806);
STATUS(NETCLOCK_OVER_BUDGET, -807);
STATUS(NETCLOCK_UNSOLICITED, -808);
STATUS(NETCLOCK_QUEUE_FULL, -809);
STATUS(NETCLOCK_LOGIN_REJECTED, -810);
CONSTANT(NETCLOCK_HOLD_UP_NONE, 0);
CONSTANT(NETCLOCK_HOLD_UP_SILENT, 1);
CONSTANT(NETCLOCK_HOLD_UP_UNSYNCED, 2);
CONSTANT(NETCLOCK_HOLD_UP_INACCURATE, 3);
CONSTANT(NETCLOCK_HOLD_UP_TOO_SLOW, 4);
CONSTANT(NETCLOCK_STAGE_WAITING, 0);
CONSTANT(NETCLOCK_STAGE_ANNOUNCED, 1);
CONSTANT(NETCLOCK_STAGE_STARTED, 2);
CONSTANT(NETCLOCK_STAGE_JOINED, 3);
STATUS(NETCLOCK_HELD_UP, 601);
STATUS(NETCLOCK_NO_START, 602);
STATUS(NETCLOCK_OTHER_SERVER_EPOCH, -601);
STATUS(NETCLOCK_IMPLAUSIBLE, -602);
STATUS(NETCLOCK_START_PENDING, -603);
CONSTANT(NETCLOCK_UTC_DATAGRAM_SIZE, 48);
STATUS(NETCLOCK_NO_UTC, 901);
STATUS(NETCLOCK_SAME_UTC, 902);
STATUS(NETCLOCK_UTC_OUT_OF_RANGE, -901);
STATUS(NETCLOCK_UTC_OUTDATED, -902);
STATUS(NETCLOCK_UTC_CONFLICT, -903);
STATUS(NETCLOCK_UTC_LEAP, -904);
CONSTANT(NETCLOCK_RATE_UNKNOWN, 0);
CONSTANT(NETCLOCK_RATE_PLAUSIBLE, 1);
CONSTANT(NETCLOCK_RATE_LIKELY, 2);
CONSTANT(NETCLOCK_RATE_PROVEN, 3);
CONSTANT(NETCLOCK_RATE_NOTHING, 0);
CONSTANT(NETCLOCK_RATE_FAST, 1);
CONSTANT(NETCLOCK_RATE_SLOW, 2);
CONSTANT(NETCLOCK_RATE_ADDED, 3);
CONSTANT(NETCLOCK_RATE_REMOVED, 4);
CONSTANT(NETCLOCK_SEGMENT_SIZE, 72);
STATUS(NETCLOCK_NO_WORLD, 401);
STATUS(NETCLOCK_NEVER, 402);
STATUS(NETCLOCK_ALREADY_KNOWN, 403);
STATUS(NETCLOCK_RATE_OUT_OF_RANGE, -401);
STATUS(NETCLOCK_TOLERANCE_OUT_OF_RANGE, -402);
STATUS(NETCLOCK_SEGMENT_OUTDATED, -403);
STATUS(NETCLOCK_SEGMENT_CONFLICT, -404);
STATUS(NETCLOCK_REAL_WENT_BACKWARDS, -405);
STATUS(NETCLOCK_WORLD_WENT_BACKWARDS, -406);

STRUCT(netclock_request, 24, 8);
FIELD(netclock_request, struct_size, 0, 4);
FIELD(netclock_request, reliable, 4, 4);
FIELD(netclock_request, id, 8, 8);
FIELD(netclock_request, client_time, 16, 8);

STRUCT(netclock_reply, 40, 8);
FIELD(netclock_reply, struct_size, 0, 4);
FIELD(netclock_reply, reserved, 4, 4);
FIELD(netclock_reply, id, 8, 8);
FIELD(netclock_reply, epoch, 16, 8);
FIELD(netclock_reply, received, 24, 8);
FIELD(netclock_reply, sent, 32, 8);

STRUCT(netclock_reading, 64, 8);
FIELD(netclock_reading, struct_size, 0, 4);
FIELD(netclock_reading, state, 4, 4);
FIELD(netclock_reading, server_time, 8, 8);
FIELD(netclock_reading, error_bound, 16, 8);
FIELD(netclock_reading, expected_error, 24, 8);
FIELD(netclock_reading, round_trip, 32, 8);
FIELD(netclock_reading, frequency_ppm, 40, 8);
FIELD(netclock_reading, server_epoch, 48, 8);
FIELD(netclock_reading, epoch, 56, 4);
FIELD(netclock_reading, reserved, 60, 4);

STRUCT(netclock_config, 296, 8);
FIELD(netclock_config, struct_size, 0, 4);
FIELD(netclock_config, burst_count, 4, 4);
FIELD(netclock_config, client_drift_ppm, 8, 8);
FIELD(netclock_config, server_drift_ppm, 16, 8);
FIELD(netclock_config, max_slew, 24, 8);
FIELD(netclock_config, step_threshold, 32, 8);
FIELD(netclock_config, max_round_trip, 40, 8);
FIELD(netclock_config, burst_interval, 48, 8);
FIELD(netclock_config, steady_interval, 56, 8);
FIELD(netclock_config, local_gap, 64, 8);
FIELD(netclock_config, holdover_after, 72, 8);
FIELD(netclock_config, target_bound, 80, 8);
FIELD(netclock_config, client_resolution, 88, 8);
FIELD(netclock_config, server_resolution, 96, 8);
FIELD(netclock_config, client_frame, 104, 8);
FIELD(netclock_config, server_frame, 112, 8);
FIELD(netclock_config, client_rate_ppm, 120, 8);
FIELD(netclock_config, client_rate_doubt_ppm, 128, 8);
FIELD(netclock_config, server_rate_ppm, 136, 8);
FIELD(netclock_config, server_rate_doubt_ppm, 144, 8);
FIELD(netclock_config, target_error, 152, 8);
FIELD(netclock_config, saved_seconds, 160, 8);
FIELD(netclock_config, boot, 168, 8);
FIELD(netclock_config, saved_machine, 176, 60);
FIELD(netclock_config, saved_server, 236, 60);

STRUCT(netclock_event, 24, 8);
FIELD(netclock_event, struct_size, 0, 4);
FIELD(netclock_event, kind, 4, 4);
FIELD(netclock_event, cause, 8, 4);
FIELD(netclock_event, epoch, 12, 4);
FIELD(netclock_event, jump, 16, 8);

STRUCT(netclock_sample, 64, 8);
FIELD(netclock_sample, struct_size, 0, 4);
FIELD(netclock_sample, status, 4, 4);
FIELD(netclock_sample, id, 8, 8);
FIELD(netclock_sample, epoch, 16, 8);
FIELD(netclock_sample, client_sent, 24, 8);
FIELD(netclock_sample, server_received, 32, 8);
FIELD(netclock_sample, server_sent, 40, 8);
FIELD(netclock_sample, client_received, 48, 8);
FIELD(netclock_sample, path, 56, 4);
FIELD(netclock_sample, reserved, 60, 4);

STRUCT(netclock_session_key, 24, 8);
FIELD(netclock_session_key, secret_high, 0, 8);
FIELD(netclock_session_key, secret_low, 8, 8);
FIELD(netclock_session_key, id, 16, 4);
FIELD(netclock_session_key, reserved, 20, 4);

STRUCT(netclock_session_keys_config, 16, 4);
FIELD(netclock_session_keys_config, struct_size, 0, 4);
FIELD(netclock_session_keys_config, capacity, 4, 4);
FIELD(netclock_session_keys_config, answers, 8, 4);
FIELD(netclock_session_keys_config, replays, 12, 4);

STRUCT(netclock_session_key_counts, 56, 8);
FIELD(netclock_session_key_counts, struct_size, 0, 4);
FIELD(netclock_session_key_counts, reserved, 4, 4);
FIELD(netclock_session_key_counts, opened, 8, 8);
FIELD(netclock_session_key_counts, malformed, 16, 8);
FIELD(netclock_session_key_counts, unknown_key, 24, 8);
FIELD(netclock_session_key_counts, forged, 32, 8);
FIELD(netclock_session_key_counts, replayed, 40, 8);
FIELD(netclock_session_key_counts, over_budget, 48, 8);

STRUCT(netclock_link_report, 56, 8);
FIELD(netclock_link_report, struct_size, 0, 4);
FIELD(netclock_link_report, state, 4, 4);
FIELD(netclock_link_report, trouble, 8, 4);
FIELD(netclock_link_report, stamps, 12, 4);
FIELD(netclock_link_report, requests, 16, 8);
FIELD(netclock_link_report, replies, 24, 8);
FIELD(netclock_link_report, foreign, 32, 8);
FIELD(netclock_link_report, refused, 40, 8);
FIELD(netclock_link_report, unsent, 48, 8);

STRUCT(netclock_link_server_config, 24, 8);
FIELD(netclock_link_server_config, struct_size, 0, 4);
FIELD(netclock_link_server_config, flags, 4, 4);
FIELD(netclock_link_server_config, capacity, 8, 4);
FIELD(netclock_link_server_config, answers, 12, 4);
FIELD(netclock_link_server_config, clock_offset, 16, 8);

STRUCT(netclock_link_client_config, 32, 8);
FIELD(netclock_link_client_config, struct_size, 0, 4);
FIELD(netclock_link_client_config, flags, 4, 4);
FIELD(netclock_link_client_config, clock_offset, 8, 8);
FIELD(netclock_link_client_config, steady_interval, 16, 8);
FIELD(netclock_link_client_config, message_interval, 24, 8);

STRUCT(netclock_world_segment, 72, 8);
FIELD(netclock_world_segment, struct_size, 0, 4);
FIELD(netclock_world_segment, instance, 4, 4);
FIELD(netclock_world_segment, version, 8, 4);
FIELD(netclock_world_segment, paused, 12, 4);
FIELD(netclock_world_segment, server_epoch, 16, 8);
FIELD(netclock_world_segment, since, 24, 8);
FIELD(netclock_world_segment, real, 32, 8);
FIELD(netclock_world_segment, world, 40, 8);
FIELD(netclock_world_segment, rate, 48, 8);
FIELD(netclock_world_segment, tolerance, 56, 8);
FIELD(netclock_world_segment, through, 64, 8);

STRUCT(netclock_publisher_config, 32, 8);
FIELD(netclock_publisher_config, struct_size, 0, 4);
FIELD(netclock_publisher_config, max_per_second, 4, 4);
FIELD(netclock_publisher_config, tolerance, 8, 8);
FIELD(netclock_publisher_config, read_lag, 16, 8);
FIELD(netclock_publisher_config, resolution, 24, 8);

STRUCT(netclock_timeline_config, 32, 8);
FIELD(netclock_timeline_config, struct_size, 0, 4);
FIELD(netclock_timeline_config, reserved, 4, 4);
FIELD(netclock_timeline_config, max_slew, 8, 8);
FIELD(netclock_timeline_config, step_threshold, 16, 8);
FIELD(netclock_timeline_config, max_rate, 24, 8);

STRUCT(netclock_world_reading, 72, 8);
FIELD(netclock_world_reading, struct_size, 0, 4);
FIELD(netclock_world_reading, epoch, 4, 4);
FIELD(netclock_world_reading, world_time, 8, 8);
FIELD(netclock_world_reading, error_bound, 16, 8);
FIELD(netclock_world_reading, error_bound_if_unchanged, 24, 8);
FIELD(netclock_world_reading, ahead, 32, 8);
FIELD(netclock_world_reading, jump, 40, 8);
FIELD(netclock_world_reading, rate, 48, 8);
FIELD(netclock_world_reading, instance, 56, 4);
FIELD(netclock_world_reading, version, 60, 4);
FIELD(netclock_world_reading, paused, 64, 4);
FIELD(netclock_world_reading, is_missing_news, 68, 4);

STRUCT(netclock_world_age, 16, 8);
FIELD(netclock_world_age, real, 0, 8);
FIELD(netclock_world_age, world, 8, 8);

STRUCT(netclock_utc_claim, 48, 8);
FIELD(netclock_utc_claim, struct_size, 0, 4);
FIELD(netclock_utc_claim, version, 4, 4);
FIELD(netclock_utc_claim, server_epoch, 8, 8);
FIELD(netclock_utc_claim, zero, 16, 8);
FIELD(netclock_utc_claim, read, 24, 8);
FIELD(netclock_utc_claim, bound, 32, 8);
FIELD(netclock_utc_claim, drift_ppm, 40, 8);

STRUCT(netclock_utc_publisher_config, 24, 8);
FIELD(netclock_utc_publisher_config, struct_size, 0, 4);
FIELD(netclock_utc_publisher_config, drift_ppm, 4, 4);
FIELD(netclock_utc_publisher_config, tolerance, 8, 8);
FIELD(netclock_utc_publisher_config, refresh, 16, 8);

STRUCT(netclock_utc_reading, 24, 8);
FIELD(netclock_utc_reading, struct_size, 0, 4);
FIELD(netclock_utc_reading, version, 4, 4);
FIELD(netclock_utc_reading, utc, 8, 8);
FIELD(netclock_utc_reading, error_bound, 16, 8);

STRUCT(netclock_organiser_config, 48, 8);
FIELD(netclock_organiser_config, struct_size, 0, 4);
FIELD(netclock_organiser_config, capacity, 4, 4);
FIELD(netclock_organiser_config, patience, 8, 8);
FIELD(netclock_organiser_config, max_expected_error, 16, 8);
FIELD(netclock_organiser_config, interval, 24, 8);
FIELD(netclock_organiser_config, frame, 32, 8);
FIELD(netclock_organiser_config, loss, 40, 8);

STRUCT(netclock_start_proposal, 32, 8);
FIELD(netclock_start_proposal, struct_size, 0, 4);
FIELD(netclock_start_proposal, hold_up, 4, 4);
FIELD(netclock_start_proposal, at, 8, 8);
FIELD(netclock_start_proposal, participant, 16, 8);
FIELD(netclock_start_proposal, not_ready, 24, 4);
FIELD(netclock_start_proposal, version, 28, 4);

STRUCT(netclock_start_participation, 72, 8);
FIELD(netclock_start_participation, struct_size, 0, 4);
FIELD(netclock_start_participation, hold_up, 4, 4);
FIELD(netclock_start_participation, lead, 8, 8);
FIELD(netclock_start_participation, error_bound, 16, 8);
FIELD(netclock_start_participation, expected_error, 24, 8);
FIELD(netclock_start_participation, round_trip, 32, 8);
FIELD(netclock_start_participation, loss, 40, 8);
FIELD(netclock_start_participation, lateness, 48, 8);
FIELD(netclock_start_participation, lateness_bound, 56, 8);
FIELD(netclock_start_participation, counted, 64, 4);
FIELD(netclock_start_participation, acknowledged, 68, 4);

STRUCT(netclock_start_result, 56, 8);
FIELD(netclock_start_result, struct_size, 0, 4);
FIELD(netclock_start_result, version, 4, 4);
FIELD(netclock_start_result, at, 8, 8);
FIELD(netclock_start_result, earliest, 16, 8);
FIELD(netclock_start_result, latest, 24, 8);
FIELD(netclock_start_result, error_bound, 32, 8);
FIELD(netclock_start_result, counted, 40, 4);
FIELD(netclock_start_result, acknowledged, 44, 4);
FIELD(netclock_start_result, fired, 48, 4);
FIELD(netclock_start_result, cancelled, 52, 4);

STRUCT(netclock_start_progress, 48, 8);
FIELD(netclock_start_progress, struct_size, 0, 4);
FIELD(netclock_start_progress, stage, 4, 4);
FIELD(netclock_start_progress, fires, 8, 4);
FIELD(netclock_start_progress, version, 12, 4);
FIELD(netclock_start_progress, at, 16, 8);
FIELD(netclock_start_progress, lateness, 24, 8);
FIELD(netclock_start_progress, error_bound, 32, 8);
FIELD(netclock_start_progress, expected_error, 40, 8);

STRUCT(netclock_beat, 32, 8);
FIELD(netclock_beat, origin, 0, 8);
FIELD(netclock_beat, next, 8, 8);
FIELD(netclock_beat, beats, 16, 4);
FIELD(netclock_beat, seconds, 20, 4);
FIELD(netclock_beat, max_steps, 24, 4);
FIELD(netclock_beat, max_behind, 28, 4);

STRUCT(netclock_beat_steps, 40, 8);
FIELD(netclock_beat_steps, first, 0, 8);
FIELD(netclock_beat_steps, count, 8, 8);
FIELD(netclock_beat_steps, skipped, 16, 8);
FIELD(netclock_beat_steps, behind, 24, 8);
FIELD(netclock_beat_steps, alpha, 32, 8);

STRUCT(netclock_order_stamp, 24, 8);
FIELD(netclock_order_stamp, time, 0, 8);
FIELD(netclock_order_stamp, error_bound, 8, 8);
FIELD(netclock_order_stamp, expected_error, 16, 8);

STRUCT(netclock_order_verdict, 24, 8);
FIELD(netclock_order_verdict, struct_size, 0, 4);
FIELD(netclock_order_verdict, order, 4, 4);
FIELD(netclock_order_verdict, probability, 8, 8);
FIELD(netclock_order_verdict, proven, 16, 4);
FIELD(netclock_order_verdict, reserved, 20, 4);

STRUCT(netclock_rewind_path, 40, 8);
FIELD(netclock_rewind_path, struct_size, 0, 4);
FIELD(netclock_rewind_path, reserved, 4, 4);
FIELD(netclock_rewind_path, round_trip, 8, 8);
FIELD(netclock_rewind_path, jitter, 16, 8);
FIELD(netclock_rewind_path, interpolation, 24, 8);
FIELD(netclock_rewind_path, max_rewind, 32, 8);

STRUCT(netclock_rewind_result, 40, 8);
FIELD(netclock_rewind_result, struct_size, 0, 4);
FIELD(netclock_rewind_result, limit, 4, 4);
FIELD(netclock_rewind_result, target, 8, 8);
FIELD(netclock_rewind_result, moved, 16, 8);
FIELD(netclock_rewind_result, acted, 24, 8);
FIELD(netclock_rewind_result, error_bound, 32, 8);

STRUCT(netclock_lead_config, 40, 8);
FIELD(netclock_lead_config, struct_size, 0, 4);
FIELD(netclock_lead_config, reserved, 4, 4);
FIELD(netclock_lead_config, quantile, 8, 8);
FIELD(netclock_lead_config, server_frame, 16, 8);
FIELD(netclock_lead_config, client_frame, 24, 8);
FIELD(netclock_lead_config, send_interval, 32, 8);

STRUCT(netclock_latency_config, 40, 8);
FIELD(netclock_latency_config, struct_size, 0, 4);
FIELD(netclock_latency_config, hide, 4, 4);
FIELD(netclock_latency_config, least_change, 8, 8);
FIELD(netclock_latency_config, max_speed_change, 16, 8);
FIELD(netclock_latency_config, ramp, 24, 8);
FIELD(netclock_latency_config, hours_per_false_alarm, 32, 8);

STRUCT(netclock_latency_change, 48, 8);
FIELD(netclock_latency_change, struct_size, 0, 4);
FIELD(netclock_latency_change, direction, 4, 4);
FIELD(netclock_latency_change, before, 8, 8);
FIELD(netclock_latency_change, after, 16, 8);
FIELD(netclock_latency_change, since, 24, 8);
FIELD(netclock_latency_change, found, 32, 8);
FIELD(netclock_latency_change, confidence, 40, 8);

STRUCT(netclock_latency_levels, 40, 8);
FIELD(netclock_latency_levels, struct_size, 0, 4);
FIELD(netclock_latency_levels, reserved, 4, 4);
FIELD(netclock_latency_levels, to_server, 8, 8);
FIELD(netclock_latency_levels, least_to_server, 16, 8);
FIELD(netclock_latency_levels, to_client, 24, 8);
FIELD(netclock_latency_levels, least_to_client, 32, 8);

STRUCT(netclock_latency_speed, 32, 8);
FIELD(netclock_latency_speed, struct_size, 0, 4);
FIELD(netclock_latency_speed, is_hiding, 4, 4);
FIELD(netclock_latency_speed, scale, 8, 8);
FIELD(netclock_latency_speed, done, 16, 8);
FIELD(netclock_latency_speed, remaining, 24, 8);

STRUCT(netclock_rate_watch_config, 24, 8);
FIELD(netclock_rate_watch_config, struct_size, 0, 4);
FIELD(netclock_rate_watch_config, reserved, 4, 4);
FIELD(netclock_rate_watch_config, max_drift_ppm, 8, 8);
FIELD(netclock_rate_watch_config, max_delay, 16, 8);

STRUCT(netclock_rate_verdict, 64, 8);
FIELD(netclock_rate_verdict, struct_size, 0, 4);
FIELD(netclock_rate_verdict, level, 4, 4);
FIELD(netclock_rate_verdict, worst, 8, 4);
FIELD(netclock_rate_verdict, finding, 12, 4);
FIELD(netclock_rate_verdict, findings, 16, 4);
FIELD(netclock_rate_verdict, is_mean_known, 20, 4);
FIELD(netclock_rate_verdict, gained, 24, 8);
FIELD(netclock_rate_verdict, explained, 32, 8);
FIELD(netclock_rate_verdict, duration, 40, 8);
FIELD(netclock_rate_verdict, mean_ppm, 48, 8);
FIELD(netclock_rate_verdict, mean_error_ppm, 56, 8);

STRUCT(netclock_authority, 32, 8);
FIELD(netclock_authority, struct_size, 0, 4);
FIELD(netclock_authority, reserved, 4, 4);
FIELD(netclock_authority, epoch, 8, 8);
FIELD(netclock_authority, timescale, 16, 8);
FIELD(netclock_authority, dispersion, 24, 8);

STRUCT(netclock_adoption_config, 32, 8);
FIELD(netclock_adoption_config, struct_size, 0, 4);
FIELD(netclock_adoption_config, liars, 4, 4);
FIELD(netclock_adoption_config, timescale, 8, 8);
FIELD(netclock_adoption_config, max_drift_ppm, 16, 8);
FIELD(netclock_adoption_config, resolution, 24, 8);

STRUCT(netclock_adoption_result, 40, 8);
FIELD(netclock_adoption_result, struct_size, 0, 4);
FIELD(netclock_adoption_result, answers, 4, 4);
FIELD(netclock_adoption_result, agreeing, 8, 4);
FIELD(netclock_adoption_result, reserved, 12, 4);
FIELD(netclock_adoption_result, timescale, 16, 8);
FIELD(netclock_adoption_result, offset, 24, 8);
FIELD(netclock_adoption_result, dispersion, 32, 8);

STRUCT(netclock_relay_config, 40, 8);
FIELD(netclock_relay_config, struct_size, 0, 4);
FIELD(netclock_relay_config, games, 4, 4);
FIELD(netclock_relay_config, slots, 8, 4);
FIELD(netclock_relay_config, players, 12, 4);
FIELD(netclock_relay_config, silence, 16, 8);
FIELD(netclock_relay_config, patience, 24, 8);
FIELD(netclock_relay_config, budget, 32, 4);
FIELD(netclock_relay_config, queue, 36, 4);

STRUCT(netclock_relay_game, 40, 8);
FIELD(netclock_relay_game, struct_size, 0, 4);
FIELD(netclock_relay_game, players, 4, 4);
FIELD(netclock_relay_game, generation, 8, 4);
FIELD(netclock_relay_game, began, 12, 4);
FIELD(netclock_relay_game, has_primary, 16, 4);
FIELD(netclock_relay_game, reserved, 20, 4);
FIELD(netclock_relay_game, primary, 24, 8);
FIELD(netclock_relay_game, dropped, 32, 8);

STRUCT(netclock_peer_reading, 80, 8);
FIELD(netclock_peer_reading, struct_size, 0, 4);
FIELD(netclock_peer_reading, stage, 4, 4);
FIELD(netclock_peer_reading, role, 8, 4);
FIELD(netclock_peer_reading, state, 12, 4);
FIELD(netclock_peer_reading, slot, 16, 4);
FIELD(netclock_peer_reading, players, 20, 4);
FIELD(netclock_peer_reading, epoch, 24, 4);
FIELD(netclock_peer_reading, rejection, 28, 4);
FIELD(netclock_peer_reading, time, 32, 8);
FIELD(netclock_peer_reading, error_bound, 40, 8);
FIELD(netclock_peer_reading, expected_error, 48, 8);
FIELD(netclock_peer_reading, inherited, 56, 8);
FIELD(netclock_peer_reading, round_trip, 64, 8);
FIELD(netclock_peer_reading, authority, 72, 8);

STRUCT(netclock_peer_game_message, 24, 8);
FIELD(netclock_peer_game_message, struct_size, 0, 4);
FIELD(netclock_peer_game_message, id, 4, 4);
FIELD(netclock_peer_game_message, slot, 8, 4);
FIELD(netclock_peer_game_message, stamp, 12, 4);
FIELD(netclock_peer_game_message, time, 16, 8);

int main(void)
{
    int32_t status;

    if (sizeof(netclock_status) != 4 || sizeof(netclock_log_callback) != sizeof(void *) ||
        sizeof(netclock_tap_callback) != sizeof(void *)) {
        return 1;
    }
    /* The library has a text for each of the statuses, and for no other. */
    for (status = -1000; status < 1000; status++) {
        int known = strcmp(netclock_status_text(status), "unknown status") != 0;
        switch (status) {
        case NETCLOCK_OK:
        case NETCLOCK_NOTHING_DUE:
        case NETCLOCK_NULL_ARGUMENT:
        case NETCLOCK_UNKNOWN_STRUCT:
        case NETCLOCK_BAD_CONFIG:
        case NETCLOCK_OUT_OF_RANGE:
        case NETCLOCK_TIME_OUT_OF_RANGE:
        case NETCLOCK_STAMP_OUT_OF_RANGE:
        case NETCLOCK_TIME_WENT_BACKWARDS:
        case NETCLOCK_UNKNOWN_HANDLE:
        case NETCLOCK_BUSY:
        case NETCLOCK_POISONED:
        case NETCLOCK_PANICKED:
        case NETCLOCK_FULL:
        case NETCLOCK_DUPLICATE:
        case NETCLOCK_STALE:
        case NETCLOCK_WRONG_KEY:
        case NETCLOCK_UNKNOWN_PARTICIPANT:
        case NETCLOCK_OUT_OF_MEMORY:
        case NETCLOCK_FORKED:
        case NETCLOCK_UNKNOWN_REQUEST:
        case NETCLOCK_ARRIVED_BEFORE_SENT:
        case NETCLOCK_SENT_BEFORE_RECEIVED:
        case NETCLOCK_HELD_TOO_LONG:
        case NETCLOCK_TOO_SLOW:
        case NETCLOCK_CONTRADICTION:
        case NETCLOCK_SEVERAL_SERVERS:
        case NETCLOCK_WIRE_LENGTH:
        case NETCLOCK_WIRE_MAGIC:
        case NETCLOCK_WIRE_OLDER:
        case NETCLOCK_WIRE_KIND:
        case NETCLOCK_WIRE_RESERVED:
        case NETCLOCK_WIRE_STAMP:
        case NETCLOCK_WIRE_NEWER:
        case NETCLOCK_NOT_SEALED:
        case NETCLOCK_OTHER_DIRECTION:
        case NETCLOCK_UNKNOWN_KEY:
        case NETCLOCK_FORGED:
        case NETCLOCK_ENOUGH_ANSWERS:
        case NETCLOCK_NOT_SYNCED:
        case NETCLOCK_NO_EVENT:
        case NETCLOCK_UNCERTAIN:
        case NETCLOCK_OTHER_TIMESCALE:
        case NETCLOCK_PORT_IN_USE:
        case NETCLOCK_NO_PERMISSION:
        case NETCLOCK_BAD_ADDRESS:
        case NETCLOCK_NO_SOCKET:
        case NETCLOCK_NO_THREAD:
        case NETCLOCK_CARRIED:
        case NETCLOCK_NOT_POLLED:
        case NETCLOCK_NOT_CARRIED:
        case NETCLOCK_NO_WORLD:
        case NETCLOCK_NEVER:
        case NETCLOCK_ALREADY_KNOWN:
        case NETCLOCK_RATE_OUT_OF_RANGE:
        case NETCLOCK_TOLERANCE_OUT_OF_RANGE:
        case NETCLOCK_SEGMENT_OUTDATED:
        case NETCLOCK_SEGMENT_CONFLICT:
        case NETCLOCK_REAL_WENT_BACKWARDS:
        case NETCLOCK_WORLD_WENT_BACKWARDS:
        case NETCLOCK_NO_UTC:
        case NETCLOCK_SAME_UTC:
        case NETCLOCK_UTC_OUT_OF_RANGE:
        case NETCLOCK_UTC_OUTDATED:
        case NETCLOCK_UTC_CONFLICT:
        case NETCLOCK_UTC_LEAP:
        case NETCLOCK_HELD_UP:
        case NETCLOCK_NO_START:
        case NETCLOCK_OTHER_SERVER_EPOCH:
        case NETCLOCK_IMPLAUSIBLE:
        case NETCLOCK_START_PENDING:
        case NETCLOCK_NO_MESSAGES:
        case NETCLOCK_OUTDATED:
        case NETCLOCK_NO_CHANGE:
        case NETCLOCK_NOTHING_NEW:
        case NETCLOCK_TOO_FEW:
        case NETCLOCK_LIAR:
        case NETCLOCK_NO_AGREEMENT:
        case NETCLOCK_INCOMPLETE:
        case NETCLOCK_GAME_MESSAGE:
        case NETCLOCK_NOT_BEGUN:
        case NETCLOCK_NO_GAME:
        case NETCLOCK_MESSAGE_SIZE:
        case NETCLOCK_MESSAGE_UNKNOWN:
        case NETCLOCK_MESSAGE_MALFORMED:
        case NETCLOCK_STREAM_BROKEN:
        case NETCLOCK_NOT_LOGGED_IN:
        case NETCLOCK_WRONG_ROLE:
        case NETCLOCK_OVER_BUDGET:
        case NETCLOCK_UNSOLICITED:
        case NETCLOCK_QUEUE_FULL:
        case NETCLOCK_LOGIN_REJECTED:
            if (!known) {
                return 2;
            }
            break;
        default:
            if (known) {
                return 3;
            }
        }
    }
    return 0;
}
