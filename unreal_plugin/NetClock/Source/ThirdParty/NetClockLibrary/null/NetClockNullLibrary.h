// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Generated from include/netclock. Do not edit. To regenerate it, run
// NETCLOCK_WRITE_REFERENCE=1 cargo test --test unreal null_library
#pragma once

#include <stddef.h>
#include <stdint.h>

#if !WITH_NETCLOCK_LIBRARY
typedef int32_t netclock_status;
#define NETCLOCK_OK 0
#define NETCLOCK_UNKNOWN_HANDLE (-8)
inline const char * netclock_status_text(netclock_status) { return ""; }
inline const char * netclock_last_error() { return ""; }
#define NETCLOCK_TICKS_PER_SECOND INT64_C(10000000)
typedef int64_t netclock_local_time;
typedef int64_t netclock_server_time;
inline netclock_local_time netclock_monotonic_now() { return 0; }
typedef struct netclock_request { uint32_t struct_size; int32_t reliable; uint64_t id; netclock_local_time client_time; } netclock_request;
typedef struct netclock_reply { uint32_t struct_size; uint32_t wait; uint64_t id; uint64_t epoch; netclock_server_time received; netclock_server_time sent; } netclock_reply;
#define NETCLOCK_DATAGRAM_SIZE 32
inline netclock_status netclock_encode_request(const struct netclock_request *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_decode_request(const void *, size_t, struct netclock_request *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_encode_reply(const struct netclock_reply *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_decode_reply(const void *, size_t, struct netclock_reply *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_server netclock_server;
inline netclock_status netclock_server_create(uint64_t, struct netclock_server **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_server_destroy(struct netclock_server *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_server_respond(const struct netclock_server *, const struct netclock_request *, netclock_server_time, netclock_server_time, struct netclock_reply *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_client netclock_client;
inline netclock_status netclock_client_create(const struct netclock_config *, uint64_t, uint64_t, struct netclock_client **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_destroy(struct netclock_client *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_tick(struct netclock_client *, netclock_local_time, struct netclock_request *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_handle_reply(struct netclock_client *, const struct netclock_reply *, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_current_server_time(const struct netclock_client *, netclock_local_time, netclock_server_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_STATE_UNSYNCED 0
#define NETCLOCK_STATE_SYNCED 1
#define NETCLOCK_STATE_HOLDOVER 2
#define NETCLOCK_STATE_DOUBTFUL 3
#define NETCLOCK_UNBOUNDED INT64_MAX
#define NETCLOCK_UNKNOWN_TIME INT64_MIN
typedef struct netclock_reading { uint32_t struct_size; int32_t state; netclock_server_time server_time; int64_t error_bound; int64_t expected_error; int64_t round_trip; double frequency_ppm; uint64_t server_epoch; uint32_t epoch; int32_t reserved; } netclock_reading;
inline netclock_status netclock_client_read(const struct netclock_client *, netclock_local_time, struct netclock_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_local_time_at(const struct netclock_client *, netclock_server_time, netclock_local_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_SAVED_SIZE 60
typedef struct netclock_config { uint32_t struct_size; uint32_t burst_count; double client_drift_ppm; double server_drift_ppm; double max_slew; int64_t step_threshold; int64_t max_round_trip; int64_t burst_interval; int64_t steady_interval; int64_t local_gap; int64_t holdover_after; int64_t target_bound; int64_t client_resolution; int64_t server_resolution; int64_t client_frame; int64_t server_frame; double client_rate_ppm; double client_rate_doubt_ppm; double server_rate_ppm; double server_rate_doubt_ppm; int64_t target_error; int64_t saved_seconds; uint64_t boot; uint8_t saved_machine[NETCLOCK_SAVED_SIZE]; uint8_t saved_server[NETCLOCK_SAVED_SIZE]; } netclock_config;
#define NETCLOCK_EVENT_SYNCED 1
#define NETCLOCK_EVENT_DISCONTINUITY 2
#define NETCLOCK_EVENT_DEGRADED 3
#define NETCLOCK_EVENT_RECOVERED 4
#define NETCLOCK_EVENT_HANDED_OVER 5
#define NETCLOCK_EVENT_LINKED 6
#define NETCLOCK_EVENT_LINK_BLOCKED 7
#define NETCLOCK_EVENT_LINK_NOT_POSSIBLE 8
#define NETCLOCK_CAUSE_SERVER_RESTART 1
#define NETCLOCK_CAUSE_PROVEN_STEP 2
#define NETCLOCK_CAUSE_LOCAL_GAP 3
#define NETCLOCK_CAUSE_LOCAL_STEP 4
#define NETCLOCK_CAUSE_CORRECTION 5
#define NETCLOCK_CAUSE_REQUESTED 6
#define NETCLOCK_DEGRADED_NO_REPLIES 1
#define NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET 2
#define NETCLOCK_DEGRADED_CONTRADICTION 3
#define NETCLOCK_DEGRADED_SEVERAL_SERVERS 4
#define NETCLOCK_DEGRADED_SLEWED 5
typedef struct netclock_event { uint32_t struct_size; int32_t kind; int32_t cause; uint32_t epoch; int64_t jump; } netclock_event;
inline netclock_status netclock_client_next_event(struct netclock_client *, struct netclock_event *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_make_request(struct netclock_client *, netclock_local_time, struct netclock_request *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_begin_burst(struct netclock_client *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_may_have_missed_time(struct netclock_client *, netclock_local_time, int64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_make_step(struct netclock_client *, netclock_local_time, int64_t, int64_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_polled(struct netclock_client *, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_handle_exchange(struct netclock_client *, netclock_local_time, netclock_server_time, netclock_server_time, netclock_local_time, uint32_t, uint32_t, uint64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_ABI_VERSION 1
#define NETCLOCK_ABI_REVISION 1
inline uint32_t netclock_abi_version() { return 0; }
inline uint32_t netclock_abi_revision() { return 0; }
#define NETCLOCK_TO_SERVER 1
#define NETCLOCK_TO_CLIENT 2
typedef struct netclock_session_key { uint64_t secret_high; uint64_t secret_low; uint32_t id; uint32_t restarts; } netclock_session_key;
#define NETCLOCK_USED_MACHINE 1
#define NETCLOCK_USED_SERVER 2
inline netclock_status netclock_client_used_saved(const struct netclock_client *, int32_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_set_server_boot(struct netclock_client *, uint64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_save(struct netclock_client *, int64_t, void *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline void netclock_machine_hints(double *, double *, uint64_t *) { }
#define NETCLOCK_PATH_MESSAGES 0
#define NETCLOCK_PATH_LINK 1
typedef struct netclock_sample { uint32_t struct_size; netclock_status status; uint64_t id; uint64_t epoch; netclock_local_time client_sent; netclock_server_time server_received; netclock_server_time server_sent; netclock_local_time client_received; int32_t path; uint32_t server_wait; uint32_t client_wait; uint32_t reserved; } netclock_sample;
typedef void (*netclock_tap_callback)(void *user_data, const struct netclock_sample *sample);
inline netclock_status netclock_client_set_tap(struct netclock_client *, netclock_tap_callback, void *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_ORDER_TOO_CLOSE 0
#define NETCLOCK_ORDER_BEFORE 1
#define NETCLOCK_ORDER_AFTER 2
#define NETCLOCK_LIMIT_NONE 0
#define NETCLOCK_LIMIT_ARRIVAL 1
#define NETCLOCK_LIMIT_PATH 2
#define NETCLOCK_LIMIT_MAX_REWIND 3
typedef struct netclock_order_stamp { netclock_server_time time; int64_t error_bound; int64_t expected_error; } netclock_order_stamp;
typedef struct netclock_order_verdict { uint32_t struct_size; int32_t order; double probability; int32_t proven; int32_t reserved; } netclock_order_verdict;
typedef struct netclock_rewind_path { uint32_t struct_size; uint32_t reserved; int64_t round_trip; int64_t jitter; int64_t interpolation; int64_t max_rewind; } netclock_rewind_path;
typedef struct netclock_rewind_result { uint32_t struct_size; int32_t limit; netclock_server_time target; int64_t moved; netclock_server_time acted; int64_t error_bound; } netclock_rewind_result;
inline netclock_status netclock_arbitrate(const struct netclock_order_stamp *, const struct netclock_order_stamp *, int32_t, double, struct netclock_order_verdict *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_rewind(netclock_server_time, netclock_server_time, const struct netclock_rewind_path *, struct netclock_rewind_result *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_beat { netclock_server_time origin; int64_t next; uint32_t beats; uint32_t seconds; uint32_t max_steps; uint32_t max_behind; uint32_t begun; uint32_t reserved; } netclock_beat;
typedef struct netclock_beat_steps { int64_t first; int64_t count; int64_t skipped; int64_t behind; double alpha; } netclock_beat_steps;
inline netclock_status netclock_beat_at(const struct netclock_beat *, netclock_server_time, int64_t *, double *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_beat_time(const struct netclock_beat *, int64_t, netclock_server_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_beat_advance(struct netclock_beat *, netclock_server_time, struct netclock_beat_steps *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_authority { uint32_t struct_size; uint32_t reserved; uint64_t epoch; uint64_t timescale; int64_t dispersion; } netclock_authority;
inline netclock_status netclock_client_set_authority(struct netclock_client *, const struct netclock_authority *, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_authority(const struct netclock_client *, netclock_local_time, struct netclock_authority *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_PEER_DATAGRAM_SIZE 64
typedef struct netclock_relay netclock_relay;
typedef struct netclock_relay_config { uint32_t struct_size; uint32_t games; uint32_t slots; uint32_t players; } netclock_relay_config;
typedef struct netclock_relay_game { uint32_t struct_size; uint32_t players; uint32_t generation; int32_t began; uint64_t primary; } netclock_relay_game;
inline netclock_status netclock_relay_create(const struct netclock_relay_config *, uint64_t, uint64_t, struct netclock_relay **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_destroy(struct netclock_relay *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_receive(struct netclock_relay *, uint64_t, const void *, size_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_disconnect(struct netclock_relay *, uint64_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_has_slot(const struct netclock_relay *, uint64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_next_message(struct netclock_relay *, netclock_local_time, uint64_t *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_read_game(const struct netclock_relay *, uint64_t, struct netclock_relay_game *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_PEER_JOINING 0
#define NETCLOCK_PEER_WAITING 1
#define NETCLOCK_PEER_SYNCED 2
#define NETCLOCK_PEER_PLAYING 3
#define NETCLOCK_PEER_ENDED 4
#define NETCLOCK_REJECTED_NONE 0
#define NETCLOCK_REJECTED_FULL 1
#define NETCLOCK_REJECTED_DUPLICATE 2
#define NETCLOCK_REJECTED_LOGIN 3
typedef struct netclock_peer netclock_peer;
typedef struct netclock_peer_reading { uint32_t struct_size; int32_t stage; int32_t leads; int32_t state; uint32_t slot; uint32_t players; uint32_t epoch; int32_t rejection; netclock_server_time time; int64_t error_bound; int64_t expected_error; int64_t inherited; int64_t round_trip; uint64_t authority; } netclock_peer_reading;
inline netclock_status netclock_peer_create(const struct netclock_config *, uint64_t, uint64_t, uint64_t, struct netclock_peer **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_destroy(struct netclock_peer *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_receive(struct netclock_peer *, const void *, size_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_next_message(struct netclock_peer *, netclock_local_time, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_read(const struct netclock_peer *, netclock_local_time, struct netclock_peer_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_leave(struct netclock_peer *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef int64_t netclock_world_time;
typedef int64_t netclock_utc_time;
typedef struct netclock_host_config { uint32_t struct_size; uint32_t capacity; int64_t world_read_lag; int64_t world_resolution; uint32_t world_max_per_second; uint32_t utc_drift_ppm; uint32_t start_capacity; uint32_t reserved; int64_t start_patience; int64_t start_max_expected_error; int64_t start_frame; } netclock_host_config;
typedef struct netclock_guest_config { uint32_t struct_size; uint32_t world_segments; double world_max_rate; double lead_quantile; int64_t lead_server_frame; int64_t latency_least_change; } netclock_guest_config;
#define NETCLOCK_SESSION_DATAGRAM_MOST 256
#define NETCLOCK_SESSION_BLOB_MOST 306
typedef struct netclock_host netclock_host;
inline netclock_status netclock_host_create(const struct netclock_host_config *, uint64_t, uint64_t, uint64_t, struct netclock_host **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_destroy(struct netclock_host *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_admit(struct netclock_host *, uint64_t, const struct netclock_session_key *, int32_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_dismiss(struct netclock_host *, uint64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_silent(struct netclock_host *, netclock_server_time, int64_t, uint64_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_observe(struct netclock_host *, uint32_t, netclock_server_time, netclock_world_time, double, uint32_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_observe_utc(struct netclock_host *, netclock_server_time, netclock_utc_time, int64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_state_authority(struct netclock_host *, const struct netclock_authority *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_use_starts(struct netclock_host *, int32_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_propose_start(struct netclock_host *, netclock_server_time, netclock_server_time, double, struct netclock_start_proposal *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_cancel_start(struct netclock_host *, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_start_result(const struct netclock_host *, struct netclock_start_result *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_player(const struct netclock_host *, uint64_t, netclock_server_time, struct netclock_player_report *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_excuse(struct netclock_host *, uint64_t, netclock_server_time, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_round_trip(struct netclock_host *, uint64_t, netclock_server_time, int64_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_blob(const struct netclock_host *, void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_offer_link(struct netclock_host *, uint64_t, uint16_t, const struct netclock_session_key *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_polled(struct netclock_host *, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_receive(struct netclock_host *, uint64_t, const void *, size_t, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_host_next(struct netclock_host *, netclock_server_time, uint64_t *, void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_guest netclock_guest;
inline netclock_status netclock_guest_create(const struct netclock_guest_config *, const struct netclock_config *, uint64_t, uint64_t, struct netclock_guest **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_destroy(struct netclock_guest *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline struct netclock_client * netclock_guest_client(struct netclock_guest *) { return 0; }
inline netclock_status netclock_guest_connect(struct netclock_guest *, const struct netclock_session_key *, netclock_local_time, int32_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_take_part(struct netclock_guest *, int32_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_read_blob(struct netclock_guest *, const void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_segment(const struct netclock_guest *, uint32_t, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_receive(struct netclock_guest *, const void *, size_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_next(struct netclock_guest *, netclock_local_time, int32_t *, void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_view(struct netclock_guest *, netclock_local_time, struct netclock_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_world(const struct netclock_guest *, uint32_t, struct netclock_world_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_utc(const struct netclock_guest *, struct netclock_utc_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_start(const struct netclock_guest *, struct netclock_start_progress *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_report(const struct netclock_guest *, struct netclock_connection_report *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_next_latency_change(struct netclock_guest *, struct netclock_latency_change *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_link_offer(const struct netclock_guest *, uint16_t *, struct netclock_session_key *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_world_at(const struct netclock_guest *, uint32_t, netclock_server_time, struct netclock_world_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_guest_real_at(const struct netclock_guest *, uint32_t, netclock_world_time, netclock_server_time *, netclock_server_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_world_reading { uint32_t struct_size; uint32_t epoch; netclock_world_time world_time; int64_t error_bound; int64_t error_bound_if_unchanged; int64_t ahead; int64_t jump; double rate; uint32_t instance; uint32_t version; int32_t paused; uint32_t reserved; } netclock_world_reading;
#define NETCLOCK_WORLD_PAUSED 1
#define NETCLOCK_WORLD_NEW 2
#define NETCLOCK_SEGMENT_SIZE 72
typedef struct netclock_utc_reading { uint32_t struct_size; uint32_t reserved; netclock_utc_time utc; int64_t error_bound; } netclock_utc_reading;
inline netclock_status netclock_utc_now(netclock_local_time *, netclock_utc_time *, int64_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_HOLD_UP_NONE 0
#define NETCLOCK_HOLD_UP_SILENT 1
#define NETCLOCK_HOLD_UP_UNSYNCED 2
#define NETCLOCK_HOLD_UP_INACCURATE 3
#define NETCLOCK_HOLD_UP_TOO_SLOW 4
typedef struct netclock_start_proposal { uint32_t struct_size; int32_t hold_up; netclock_server_time at; uint64_t participant; uint32_t not_ready; uint32_t version; } netclock_start_proposal;
typedef struct netclock_start_result { uint32_t struct_size; uint32_t version; netclock_server_time at; int64_t earliest; int64_t latest; int64_t error_bound; uint32_t counted; uint32_t acknowledged; uint32_t fired; int32_t cancelled; } netclock_start_result;
#define NETCLOCK_STAGE_WAITING 0
#define NETCLOCK_STAGE_ANNOUNCED 1
#define NETCLOCK_STAGE_STARTED 2
#define NETCLOCK_STAGE_JOINED 3
typedef struct netclock_start_progress { uint32_t struct_size; int32_t stage; int32_t fires; uint32_t version; netclock_server_time at; int64_t lateness; int64_t error_bound; int64_t expected_error; } netclock_start_progress;
#define NETCLOCK_RATE_UNKNOWN 0
#define NETCLOCK_RATE_PLAUSIBLE 1
#define NETCLOCK_RATE_LIKELY 2
#define NETCLOCK_RATE_PROVEN 3
#define NETCLOCK_RATE_NOTHING 0
#define NETCLOCK_RATE_FAST 1
#define NETCLOCK_RATE_SLOW 2
#define NETCLOCK_RATE_ADDED 3
#define NETCLOCK_RATE_REMOVED 4
typedef struct netclock_player_report { uint32_t struct_size; int32_t is_up_to_date; int32_t hold_up; int32_t counted; int32_t acknowledged; int32_t rate_level; int32_t rate_worst; int32_t rate_finding; uint32_t rate_findings; int32_t is_mean_known; int64_t lead; int64_t error_bound; int64_t expected_error; int64_t round_trip; double loss; int64_t lateness; int64_t lateness_bound; int64_t rate_gained; int64_t rate_explained; int64_t rate_duration; double mean_ppm; double mean_error_ppm; } netclock_player_report;
typedef struct netclock_latency_change { uint32_t struct_size; int32_t direction; int64_t before; int64_t after; netclock_local_time since; netclock_local_time found; double confidence; } netclock_latency_change;
typedef struct netclock_connection_report { uint32_t struct_size; int32_t is_hiding; uint64_t host_epoch; netclock_server_time handled_by; netclock_server_time showable; double speed_scale; int64_t speed_done; int64_t speed_remaining; } netclock_connection_report;
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ratio>
namespace netclock {
using ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10000000>>;
static_assert(ticks::period::den == NETCLOCK_TICKS_PER_SECOND, "the unit of netclock.h");
template <class Clock, bool IsSteady>
struct clock_in_ticks {
    using duration = ticks;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock, duration>;
    static constexpr bool is_steady = IsSteady;
};
struct local_clock : clock_in_ticks<local_clock, true> {
    [[nodiscard]] static time_point now() noexcept { return time_point{ticks{netclock_monotonic_now()}}; }
};
struct server_clock : clock_in_ticks<server_clock, false> {
    [[nodiscard]] static time_point now_on_server() noexcept
    {
        return time_point{ticks{netclock_monotonic_now()}};
    }
};
using local_time = local_clock::time_point;
[[nodiscard]] inline local_time monotonic_now() noexcept { return local_clock::now(); }
using server_time = server_clock::time_point;
struct world_clock : clock_in_ticks<world_clock, false> {};
using world_time = world_clock::time_point;
using utc_time = std::chrono::time_point<std::chrono::system_clock, ticks>;
struct seed {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
};
struct rate_hint {
    double ppm = 0.0;
    double doubt_ppm = 0.0;
};
namespace detail {
constexpr std::int64_t count(ticks duration) noexcept { return duration.count(); }
template <class Clock, class Duration>
constexpr std::int64_t count(std::chrono::time_point<Clock, Duration> time) noexcept
{
    return ticks{time.time_since_epoch()}.count();
}
template <class T>
constexpr std::int64_t count(const std::optional<T> &value, std::int64_t none) noexcept
{
    return value ? count(*value) : none;
}
template <class T>
constexpr T from_count(std::int64_t count) noexcept
{
    return T{ticks{count}};
}
template <class T>
constexpr std::optional<T> known(std::int64_t count, std::int64_t none) noexcept
{
    return count == none ? std::nullopt : std::optional<T>{from_count<T>(count)};
}
template <class T>
constexpr auto state_size(T &made, int) noexcept -> decltype(made.struct_size, void())
{
    made.struct_size = static_cast<std::uint32_t>(sizeof(T));
}
template <class T>
constexpr void state_size(T &, long) noexcept
{
}
template <class T>
constexpr T sized() noexcept
{
    T made{};
    state_size(made, 0);
    return made;
}
}
}
namespace netclock {
enum class [[nodiscard]] status : std::int32_t {
    ok = 0,
    nothing_due = 1,
    null_argument = -1,
    unknown_struct = -2,
    bad_config = -3,
    out_of_range = -4,
    time_out_of_range = -5,
    stamp_out_of_range = -6,
    time_went_backwards = -7,
    unknown_handle = -8,
    busy = -9,
    poisoned = -10,
    panicked = -11,
    full = -12,
    duplicate = -13,
    unknown_participant = -16,
    out_of_memory = -17,
    forked = -18,
    unknown_request = -101,
    arrived_before_sent = -102,
    sent_before_received = -103,
    held_too_long = -104,
    too_slow = -105,
    contradiction = -106,
    several_servers = -107,
    wire_length = -111,
    wire_magic = -112,
    wire_older = -113,
    wire_kind = -114,
    wire_reserved = -115,
    wire_stamp = -116,
    wire_newer = -117,
    not_synced = 201,
    no_event = 202,
    other_timescale = -201,
    not_sealed = -121,
    other_direction = -122,
    unknown_key = -123,
    forged = -124,
    enough_answers = -125,
    replayed = -126,
    other_channel = -127,
    port_in_use = -1001,
    no_permission = -1002,
    bad_address = -1003,
    no_socket = -1004,
    no_thread = -1005,
    not_carried = -1008,
    no_game = 804,
    not_logged_in = -805,
    wrong_role = -806,
    over_budget = -807,
    unsolicited = -808,
    queue_full = -809,
    login_rejected = -810,
    stale = -811,
    wrong_key = -812,
    no_link_offer = 1101,
    no_world = 1102,
    never = 1103,
    not_kept = 1104,
    no_utc = 1105,
    held_up = 1106,
    no_start = 1107,
    no_change = 1108,
    no_messages = 1109,
    unknown_world = -1101,
    other_session = -1102,
    wire_truncated = -1103,
    wire_torn = -1104,
    rate_out_of_range = -1105,
    real_went_backwards = -1106,
    world_went_backwards = -1107,
    utc_out_of_range = -1108,
    start_pending = -1109,
    abi_mismatch = -1000
};
enum class clock_state : std::int32_t {
    unsynced = NETCLOCK_STATE_UNSYNCED,
    synced = NETCLOCK_STATE_SYNCED,
    holdover = NETCLOCK_STATE_HOLDOVER,
    doubtful = NETCLOCK_STATE_DOUBTFUL,
};
enum class event_kind : std::int32_t {
    synced = NETCLOCK_EVENT_SYNCED,
    discontinuity = NETCLOCK_EVENT_DISCONTINUITY,
    degraded = NETCLOCK_EVENT_DEGRADED,
    recovered = NETCLOCK_EVENT_RECOVERED,
    handed_over = NETCLOCK_EVENT_HANDED_OVER,
    linked = NETCLOCK_EVENT_LINKED,
    link_blocked = NETCLOCK_EVENT_LINK_BLOCKED,
    link_not_possible = NETCLOCK_EVENT_LINK_NOT_POSSIBLE,
};
enum class discontinuity_cause : std::int32_t {
    none = 0,
    server_restart = NETCLOCK_CAUSE_SERVER_RESTART,
    proven_step = NETCLOCK_CAUSE_PROVEN_STEP,
    local_gap = NETCLOCK_CAUSE_LOCAL_GAP,
    local_step = NETCLOCK_CAUSE_LOCAL_STEP,
    correction = NETCLOCK_CAUSE_CORRECTION,
    requested = NETCLOCK_CAUSE_REQUESTED,
};
enum class degradation_cause : std::int32_t {
    none = 0,
    no_replies = NETCLOCK_DEGRADED_NO_REPLIES,
    bound_above_target = NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET,
    contradiction = NETCLOCK_DEGRADED_CONTRADICTION,
    several_servers = NETCLOCK_DEGRADED_SEVERAL_SERVERS,
    slewed = NETCLOCK_DEGRADED_SLEWED,
};
struct request {
    std::uint64_t id = 0;
    local_time client_time{};
    bool reliable = false;
};
struct reply {
    std::uint32_t wait = 0;
    std::uint64_t id = 0;
    std::uint64_t epoch = 0;
    server_time received{};
    server_time sent{};
};
struct reading {
    clock_state state = clock_state::unsynced;
    server_time time{};
    std::optional<ticks> error_bound{};
    std::optional<ticks> expected_error{};
    std::optional<ticks> round_trip{};
    double frequency_ppm = 0.0;
    std::uint64_t server_epoch = 0;
    std::uint32_t epoch = 0;
};
struct config {
    std::uint32_t burst_count = 0;
    double client_drift_ppm = 0.0;
    double server_drift_ppm = 0.0;
    double max_slew = 0.0;
    ticks step_threshold{};
    ticks max_round_trip{};
    ticks burst_interval{};
    ticks steady_interval{};
    ticks local_gap{};
    ticks holdover_after{};
    ticks target_bound{};
    ticks client_resolution{};
    ticks server_resolution{};
    ticks client_frame{};
    ticks server_frame{};
    rate_hint client_rate{};
    rate_hint server_rate{};
    ticks target_error{};
    std::int64_t saved_seconds = 0;
    std::uint64_t boot = 0;
    std::array<std::byte, 60> saved_machine{};
    std::array<std::byte, 60> saved_server{};
};
struct event {
    event_kind kind = event_kind::synced;
    discontinuity_cause discontinuity = discontinuity_cause::none;
    degradation_cause degradation = degradation_cause::none;
    std::uint32_t epoch = 0;
    ticks jump{};
};
namespace detail {
inline netclock_request to_c(const request &from) noexcept
{
    auto to = sized<netclock_request>();
    to.id = from.id;
    to.client_time = count(from.client_time);
    to.reliable = from.reliable ? 1 : 0;
    return to;
}
inline request from_c(const netclock_request &from) noexcept
{
    request to;
    to.id = from.id;
    to.client_time = from_count<local_time>(from.client_time);
    to.reliable = from.reliable != 0;
    return to;
}
inline netclock_reply to_c(const reply &from) noexcept
{
    auto to = sized<netclock_reply>();
    to.wait = from.wait;
    to.id = from.id;
    to.epoch = from.epoch;
    to.received = count(from.received);
    to.sent = count(from.sent);
    return to;
}
inline reply from_c(const netclock_reply &from) noexcept
{
    reply to;
    to.wait = from.wait;
    to.id = from.id;
    to.epoch = from.epoch;
    to.received = from_count<server_time>(from.received);
    to.sent = from_count<server_time>(from.sent);
    return to;
}
inline netclock_reading to_c(const reading &from) noexcept
{
    auto to = sized<netclock_reading>();
    to.state = static_cast<std::int32_t>(from.state);
    to.server_time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = count(from.round_trip, NETCLOCK_UNBOUNDED);
    to.frequency_ppm = from.frequency_ppm;
    to.server_epoch = from.server_epoch;
    to.epoch = from.epoch;
    return to;
}
inline reading from_c(const netclock_reading &from) noexcept
{
    reading to;
    to.state = static_cast<clock_state>(from.state);
    to.time = from_count<server_time>(from.server_time);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = known<ticks>(from.round_trip, NETCLOCK_UNBOUNDED);
    to.frequency_ppm = from.frequency_ppm;
    to.server_epoch = from.server_epoch;
    to.epoch = from.epoch;
    return to;
}
inline netclock_config to_c(const config &from) noexcept
{
    auto to = sized<netclock_config>();
    to.burst_count = from.burst_count;
    to.client_drift_ppm = from.client_drift_ppm;
    to.server_drift_ppm = from.server_drift_ppm;
    to.max_slew = from.max_slew;
    to.step_threshold = count(from.step_threshold);
    to.max_round_trip = count(from.max_round_trip);
    to.burst_interval = count(from.burst_interval);
    to.steady_interval = count(from.steady_interval);
    to.local_gap = count(from.local_gap);
    to.holdover_after = count(from.holdover_after);
    to.target_bound = count(from.target_bound);
    to.client_resolution = count(from.client_resolution);
    to.server_resolution = count(from.server_resolution);
    to.client_frame = count(from.client_frame);
    to.server_frame = count(from.server_frame);
    to.client_rate_ppm = from.client_rate.ppm;
    to.client_rate_doubt_ppm = from.client_rate.doubt_ppm;
    to.server_rate_ppm = from.server_rate.ppm;
    to.server_rate_doubt_ppm = from.server_rate.doubt_ppm;
    to.target_error = count(from.target_error);
    to.saved_seconds = from.saved_seconds;
    to.boot = from.boot;
    std::memcpy(to.saved_machine, from.saved_machine.data(), sizeof to.saved_machine);
    std::memcpy(to.saved_server, from.saved_server.data(), sizeof to.saved_server);
    return to;
}
inline config from_c(const netclock_config &from) noexcept
{
    config to;
    to.burst_count = from.burst_count;
    to.client_drift_ppm = from.client_drift_ppm;
    to.server_drift_ppm = from.server_drift_ppm;
    to.max_slew = from.max_slew;
    to.step_threshold = from_count<ticks>(from.step_threshold);
    to.max_round_trip = from_count<ticks>(from.max_round_trip);
    to.burst_interval = from_count<ticks>(from.burst_interval);
    to.steady_interval = from_count<ticks>(from.steady_interval);
    to.local_gap = from_count<ticks>(from.local_gap);
    to.holdover_after = from_count<ticks>(from.holdover_after);
    to.target_bound = from_count<ticks>(from.target_bound);
    to.client_resolution = from_count<ticks>(from.client_resolution);
    to.server_resolution = from_count<ticks>(from.server_resolution);
    to.client_frame = from_count<ticks>(from.client_frame);
    to.server_frame = from_count<ticks>(from.server_frame);
    to.client_rate = {from.client_rate_ppm, from.client_rate_doubt_ppm};
    to.server_rate = {from.server_rate_ppm, from.server_rate_doubt_ppm};
    to.target_error = from_count<ticks>(from.target_error);
    to.saved_seconds = from.saved_seconds;
    to.boot = from.boot;
    std::memcpy(to.saved_machine.data(), from.saved_machine, sizeof from.saved_machine);
    std::memcpy(to.saved_server.data(), from.saved_server, sizeof from.saved_server);
    return to;
}
inline event from_c(const netclock_event &from) noexcept
{
    event to;
    to.kind = static_cast<event_kind>(from.kind);
    to.discontinuity = from.kind == NETCLOCK_EVENT_DISCONTINUITY ? static_cast<discontinuity_cause>(from.cause) : discontinuity_cause::none;
    to.degradation = from.kind == NETCLOCK_EVENT_DEGRADED ? static_cast<degradation_cause>(from.cause) : degradation_cause::none;
    to.epoch = from.epoch;
    to.jump = from_count<ticks>(from.jump);
    return to;
}
}
}
namespace netclock {
struct authority {
    std::uint64_t epoch = 0;
    std::uint64_t timescale = 0;
    ticks dispersion{};
};
namespace detail {
inline netclock_authority to_c(const authority &from) noexcept
{
    auto to = sized<netclock_authority>();
    to.epoch = from.epoch;
    to.timescale = from.timescale;
    to.dispersion = count(from.dispersion);
    return to;
}
inline authority from_c(const netclock_authority &from) noexcept
{
    authority to;
    to.epoch = from.epoch;
    to.timescale = from.timescale;
    to.dispersion = from_count<ticks>(from.dispersion);
    return to;
}
}
}
#include <chrono>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
namespace netclock {
[[nodiscard]] constexpr bool is_error(status code) noexcept { return static_cast<std::int32_t>(code) < 0; }
[[nodiscard]] inline std::uint32_t abi_version() noexcept { return netclock_abi_version(); }
[[nodiscard]] inline std::uint32_t abi_revision() noexcept { return netclock_abi_revision(); }
[[nodiscard]] inline bool library_fits() noexcept
{
    return abi_version() == NETCLOCK_ABI_VERSION && abi_revision() >= NETCLOCK_ABI_REVISION;
}
template <class T>
class [[nodiscard]] result {
public:
    constexpr result(status code, T value) noexcept : code_{code}, value_{std::move(value)} {}
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code_ == status::ok; }
    [[nodiscard]] constexpr status code() const noexcept { return code_; }
    [[nodiscard]] constexpr const T &operator*() const & noexcept { return value_; }
    [[nodiscard]] constexpr T &operator*() & noexcept { return value_; }
    [[nodiscard]] constexpr T &&operator*() && noexcept { return std::move(value_); }
    [[nodiscard]] constexpr const T *operator->() const noexcept { return &value_; }
    [[nodiscard]] constexpr T *operator->() noexcept { return &value_; }
    [[nodiscard]] constexpr T value_or(T other) const & noexcept { return *this ? value_ : std::move(other); }
private:
    status code_;
    T value_;
};
template <class Handle, netclock_status (*Destroy)(Handle *)>
class owned {
public:
    owned() noexcept = default;
    explicit owned(Handle *handle) noexcept : handle_{handle} {}
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }
    [[nodiscard]] Handle *get() const noexcept { return handle_.get(); }
    [[nodiscard]] Handle *release() noexcept { return handle_.release(); }
    status destroy() noexcept
    {
        const auto code = status{Destroy(get())};
        if (code == status::ok) {
            static_cast<void>(handle_.release());
        }
        return code;
    }
private:
    struct destroyer {
        void operator()(Handle *handle) const noexcept { static_cast<void>(Destroy(handle)); }
    };
    std::unique_ptr<Handle, destroyer> handle_;
};
namespace detail {
template <class T>
struct seen {
    const T &it;
    constexpr operator const T &() const noexcept { return it; }
};
template <class C>
struct lent {
    C made;
    operator const C *() const noexcept { return &made; }
};
template <class T>
constexpr std::enable_if_t<std::is_scalar_v<T> && !std::is_enum_v<T>, T> in(T given) noexcept
{
    return given;
}
template <class T>
constexpr std::enable_if_t<std::is_enum_v<T>, std::int32_t> in(T given) noexcept
{
    return static_cast<std::int32_t>(given);
}
template <class T>
constexpr auto in(const T &given) noexcept -> decltype(count(given))
{
    return count(given);
}
template <class Handle, netclock_status (*Destroy)(Handle *)>
Handle *in(const owned<Handle, Destroy> &given) noexcept
{
    return given.get();
}
template <class T, class C = decltype(to_c(std::declval<seen<T>>()))>
lent<C> in(const T &given) noexcept
{
    return {to_c(seen<T>{given})};
}
template <class... Parameters, class... Given>
status call(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    return status{function(in(given)...)};
}
template <class T, class... Parameters, class... Given>
result<T> ask(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    using room = std::remove_pointer_t<std::tuple_element_t<sizeof...(Given), std::tuple<Parameters...>>>;
    auto filled = sized<room>();
    const auto code = status{function(in(given)..., &filled)};
    if constexpr (std::is_same_v<room, T>) {
        return {code, filled};
    } else if constexpr (std::is_integral_v<room>) {
        return {code, from_count<T>(filled)};
    } else {
        return {code, is_error(code) ? T{} : from_c(seen<room>{filled})};
    }
}
template <class Bytes, class... Parameters, class... Given>
result<Bytes> fill(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    Bytes room{};
    const auto code = status{function(in(given)..., room.data(), room.size())};
    return {code, room};
}
template <class T, class... Parameters, class... Given>
result<T> create(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    decltype(T{}.get()) handle = nullptr;
    const auto code = library_fits() ? status{function(in(given)..., &handle)} : status::abi_mismatch;
    return {code, T{handle}};
}
}
}
namespace netclock {
using saved_state = std::array<std::byte, NETCLOCK_SAVED_SIZE>;
struct exchange {
    local_time client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
    std::uint32_t server_wait{};
    std::uint32_t client_wait{};
};
using datagram = std::array<std::byte, NETCLOCK_DATAGRAM_SIZE>;
[[nodiscard]] inline const char *text(status code) noexcept
{
    if (code == status::abi_mismatch) {
        return "the loaded library has a different ABI version than this header, or is older";
    }
    return netclock_status_text(static_cast<netclock_status>(code));
}
[[nodiscard]] inline const char *last_error() noexcept { return netclock_last_error(); }
[[nodiscard]] inline result<datagram> encode(const request &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_request, given);
}
[[nodiscard]] inline result<request> decode_request(const void *data, std::size_t length) noexcept
{
    return detail::ask<request>(netclock_decode_request, data, length);
}
[[nodiscard]] inline result<datagram> encode(const reply &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_reply, given);
}
[[nodiscard]] inline result<reply> decode_reply(const void *data, std::size_t length) noexcept
{
    return detail::ask<reply>(netclock_decode_reply, data, length);
}
class server : public owned<netclock_server, netclock_server_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<server> create(std::uint64_t epoch) noexcept
    {
        return detail::create<server>(netclock_server_create, epoch);
    }
    [[nodiscard]] result<reply> respond(
        const request &given, server_time received, server_time sent) const noexcept
    {
        return detail::ask<reply>(netclock_server_respond, *this, given, received, sent);
    }
};
class client : public owned<netclock_client, netclock_client_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<client> create(const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<client>(netclock_client_create, settings, random.high, random.low);
    }
    [[nodiscard]] result<request> tick(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_tick, *this, now);
    }
    status handle_reply(const reply &given, local_time arrived) noexcept
    {
        return detail::call(netclock_client_handle_reply, *this, given, arrived);
    }
    [[nodiscard]] result<server_time> current_server_time(local_time now) const noexcept
    {
        return detail::ask<server_time>(netclock_client_current_server_time, *this, now);
    }
    [[nodiscard]] result<reading> read(local_time now) const noexcept
    {
        return detail::ask<reading>(netclock_client_read, *this, now);
    }
    [[nodiscard]] result<local_time> local_time_at(server_time time) const noexcept
    {
        return detail::ask<local_time>(netclock_client_local_time_at, *this, time);
    }
    [[nodiscard]] result<event> next_event() noexcept
    {
        return detail::ask<event>(netclock_client_next_event, *this);
    }
    [[nodiscard]] result<request> make_request(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_make_request, *this, now);
    }
    status begin_burst() noexcept
    {
        return detail::call(netclock_client_begin_burst, *this);
    }
    status may_have_missed_time(local_time now, std::optional<ticks> most = {}) noexcept
    {
        return detail::call(
            netclock_client_may_have_missed_time, *this, now, detail::count(most, NETCLOCK_UNBOUNDED));
    }
    [[nodiscard]] result<ticks> make_step(local_time now, ticks least) noexcept
    {
        return detail::ask<ticks>(netclock_client_make_step, *this, now, least);
    }
    status polled(local_time at) noexcept
    {
        return detail::call(netclock_client_polled, *this, at);
    }
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return detail::call(
            netclock_client_handle_exchange, *this, stamps.client_sent, stamps.server_received,
            stamps.server_sent, stamps.client_received, stamps.server_wait, stamps.client_wait,
            server_epoch);
    }
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return handle_exchange({current - round_trip, time, time, current, 0, 0}, 0);
    }
    [[nodiscard]] bool is_time_synced() const noexcept
    {
        return current_server_time({}).code() == status::ok;
    }
};
}
namespace netclock {
inline status set_authority(client &clock, const authority &given, local_time now) noexcept
{
    return detail::call(netclock_client_set_authority, clock, given, now);
}
[[nodiscard]] inline result<authority> authority_of(const client &clock, local_time now) noexcept
{
    return detail::ask<authority>(netclock_client_authority, clock, now);
}
}
namespace netclock {
enum class order : std::int32_t {
    too_close = NETCLOCK_ORDER_TOO_CLOSE,
    before = NETCLOCK_ORDER_BEFORE,
    after = NETCLOCK_ORDER_AFTER,
};
enum class rewind_limit : std::int32_t {
    none = NETCLOCK_LIMIT_NONE,
    arrival = NETCLOCK_LIMIT_ARRIVAL,
    path = NETCLOCK_LIMIT_PATH,
    max_rewind = NETCLOCK_LIMIT_MAX_REWIND,
};
struct order_verdict {
    netclock::order order = netclock::order::too_close;
    double probability = 0.0;
    bool proven = false;
};
struct rewind_path {
    ticks round_trip{};
    ticks jitter{};
    ticks interpolation{};
    ticks max_rewind{};
};
struct rewind_result {
    rewind_limit limit = rewind_limit::none;
    server_time target{};
    ticks moved{};
    server_time acted{};
    ticks error_bound{};
};
namespace detail {
inline netclock_order_verdict to_c(const order_verdict &from) noexcept
{
    auto to = sized<netclock_order_verdict>();
    to.order = static_cast<std::int32_t>(from.order);
    to.probability = from.probability;
    to.proven = from.proven ? 1 : 0;
    return to;
}
inline order_verdict from_c(const netclock_order_verdict &from) noexcept
{
    order_verdict to;
    to.order = static_cast<order>(from.order);
    to.probability = from.probability;
    to.proven = from.proven != 0;
    return to;
}
inline netclock_rewind_path to_c(const rewind_path &from) noexcept
{
    auto to = sized<netclock_rewind_path>();
    to.round_trip = count(from.round_trip);
    to.jitter = count(from.jitter);
    to.interpolation = count(from.interpolation);
    to.max_rewind = count(from.max_rewind);
    return to;
}
inline rewind_path from_c(const netclock_rewind_path &from) noexcept
{
    rewind_path to;
    to.round_trip = from_count<ticks>(from.round_trip);
    to.jitter = from_count<ticks>(from.jitter);
    to.interpolation = from_count<ticks>(from.interpolation);
    to.max_rewind = from_count<ticks>(from.max_rewind);
    return to;
}
inline netclock_rewind_result to_c(const rewind_result &from) noexcept
{
    auto to = sized<netclock_rewind_result>();
    to.limit = static_cast<std::int32_t>(from.limit);
    to.target = count(from.target);
    to.moved = count(from.moved);
    to.acted = count(from.acted);
    to.error_bound = count(from.error_bound);
    return to;
}
inline rewind_result from_c(const netclock_rewind_result &from) noexcept
{
    rewind_result to;
    to.limit = static_cast<rewind_limit>(from.limit);
    to.target = from_count<server_time>(from.target);
    to.moved = from_count<ticks>(from.moved);
    to.acted = from_count<server_time>(from.acted);
    to.error_bound = from_count<ticks>(from.error_bound);
    return to;
}
}
}
namespace netclock {
struct order_stamp {
    server_time time{};
    std::optional<ticks> error_bound = ticks{};
    std::optional<ticks> expected_error = ticks{};
    order_stamp() noexcept = default;
    explicit order_stamp(server_time exact) noexcept : time{exact} {}
    order_stamp(server_time when, std::optional<ticks> bound, std::optional<ticks> expected) noexcept
        : time{when}, error_bound{bound}, expected_error{expected}
    {
    }
    explicit order_stamp(const reading &taken) noexcept
        : order_stamp{taken.time, taken.error_bound, taken.expected_error}
    {}
};
enum class clocks : std::int32_t {
    independent = 0,
    same = 1
};
namespace detail {
inline netclock_order_stamp to_c(const order_stamp &from) noexcept
{
    netclock_order_stamp to{};
    to.time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    return to;
}
}
[[nodiscard]] inline result<order_verdict> arbitrate(
    const order_stamp &first, const order_stamp &second, clocks made_by, double confidence) noexcept
{
    return detail::ask<order_verdict>(netclock_arbitrate, first, second, made_by, confidence);
}
[[nodiscard]] inline result<rewind_result> rewind(
    server_time claimed, server_time arrived, const rewind_path &path) noexcept
{
    return detail::ask<rewind_result>(netclock_rewind, claimed, arrived, path);
}
using steps = netclock_beat_steps;
struct beat_position {
    std::int64_t number = 0;
    double alpha = 0.0;
};
class beat {
public:
    constexpr beat(server_time origin, std::uint32_t beats, std::uint32_t seconds,
        std::uint32_t max_steps = 0, std::uint32_t max_behind = 0, bool catch_up = false) noexcept :
        state_{detail::count(origin), 0, beats, seconds, max_steps, max_behind, catch_up ? 1U : 0U, 0}
    {
    }
    [[nodiscard]] result<beat_position> at(server_time now) const noexcept
    {
        beat_position under_way;
        const auto code =
            detail::call(netclock_beat_at, &state_, now, &under_way.number, &under_way.alpha);
        return {code, under_way};
    }
    [[nodiscard]] result<server_time> time_of(std::int64_t number) const noexcept
    {
        return detail::ask<server_time>(netclock_beat_time, &state_, number);
    }
    [[nodiscard]] result<steps> advance(server_time now) noexcept
    {
        return detail::ask<steps>(netclock_beat_advance, &state_, now);
    }
private:
    netclock_beat state_;
};
}
namespace netclock {
enum class peer_stage : std::int32_t {
    joining = NETCLOCK_PEER_JOINING,
    waiting = NETCLOCK_PEER_WAITING,
    synced = NETCLOCK_PEER_SYNCED,
    playing = NETCLOCK_PEER_PLAYING,
    ended = NETCLOCK_PEER_ENDED,
};
enum class rejection : std::int32_t {
    none = NETCLOCK_REJECTED_NONE,
    full = NETCLOCK_REJECTED_FULL,
    duplicate = NETCLOCK_REJECTED_DUPLICATE,
    login = NETCLOCK_REJECTED_LOGIN,
};
struct relay_config {
    std::uint32_t games = 0;
    std::uint32_t slots = 0;
    std::uint32_t players = 0;
};
struct relay_game {
    std::uint32_t players = 0;
    std::uint32_t generation = 0;
    std::uint64_t primary = 0;
    bool began = false;
};
struct peer_reading {
    peer_stage stage = peer_stage::joining;
    clock_state state = clock_state::unsynced;
    std::uint32_t slot = 0;
    std::uint32_t players = 0;
    std::uint32_t epoch = 0;
    netclock::rejection rejection = netclock::rejection::none;
    server_time time{};
    std::optional<ticks> error_bound{};
    std::optional<ticks> expected_error{};
    ticks inherited{};
    std::optional<ticks> round_trip{};
    std::uint64_t authority = 0;
    bool leads = false;
};
namespace detail {
inline netclock_relay_config to_c(const relay_config &from) noexcept
{
    auto to = sized<netclock_relay_config>();
    to.games = from.games;
    to.slots = from.slots;
    to.players = from.players;
    return to;
}
inline relay_config from_c(const netclock_relay_config &from) noexcept
{
    relay_config to;
    to.games = from.games;
    to.slots = from.slots;
    to.players = from.players;
    return to;
}
inline netclock_relay_game to_c(const relay_game &from) noexcept
{
    auto to = sized<netclock_relay_game>();
    to.players = from.players;
    to.generation = from.generation;
    to.primary = from.primary;
    to.began = from.began ? 1 : 0;
    return to;
}
inline relay_game from_c(const netclock_relay_game &from) noexcept
{
    relay_game to;
    to.players = from.players;
    to.generation = from.generation;
    to.primary = from.primary;
    to.began = from.began != 0;
    return to;
}
inline netclock_peer_reading to_c(const peer_reading &from) noexcept
{
    auto to = sized<netclock_peer_reading>();
    to.stage = static_cast<std::int32_t>(from.stage);
    to.state = static_cast<std::int32_t>(from.state);
    to.slot = from.slot;
    to.players = from.players;
    to.epoch = from.epoch;
    to.rejection = static_cast<std::int32_t>(from.rejection);
    to.time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.inherited = count(from.inherited);
    to.round_trip = count(from.round_trip, NETCLOCK_UNBOUNDED);
    to.authority = from.authority;
    to.leads = from.leads ? 1 : 0;
    return to;
}
inline peer_reading from_c(const netclock_peer_reading &from) noexcept
{
    peer_reading to;
    to.stage = static_cast<peer_stage>(from.stage);
    to.state = static_cast<clock_state>(from.state);
    to.slot = from.slot;
    to.players = from.players;
    to.epoch = from.epoch;
    to.rejection = static_cast<rejection>(from.rejection);
    to.time = from_count<server_time>(from.time);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.inherited = from_count<ticks>(from.inherited);
    to.round_trip = known<ticks>(from.round_trip, NETCLOCK_UNBOUNDED);
    to.authority = from.authority;
    to.leads = from.leads != 0;
    return to;
}
}
}
namespace netclock {
using peer_datagram = std::array<std::byte, NETCLOCK_PEER_DATAGRAM_SIZE>;
struct relay_message {
    std::uint64_t connection = 0;
    peer_datagram bytes{};
};
class relay : public owned<netclock_relay, netclock_relay_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<relay> create(const seed &random, const relay_config &settings = {}) noexcept
    {
        return detail::create<relay>(netclock_relay_create, settings, random.high, random.low);
    }
    status receive(
        std::uint64_t connection, const void *data, std::size_t length, local_time received) noexcept
    {
        return detail::call(netclock_relay_receive, *this, connection, data, length, received);
    }
    status disconnect(std::uint64_t connection, local_time now) noexcept
    {
        return detail::call(netclock_relay_disconnect, *this, connection, now);
    }
    status has_slot(std::uint64_t connection) const noexcept
    {
        return detail::call(netclock_relay_has_slot, *this, connection);
    }
    [[nodiscard]] result<relay_message> next_message(local_time now) noexcept
    {
        std::uint64_t connection = 0;
        const auto next =
            detail::fill<peer_datagram>(netclock_relay_next_message, *this, now, &connection);
        return {next.code(), {connection, next.value_or({})}};
    }
    [[nodiscard]] result<relay_game> game(std::uint64_t game) const noexcept
    {
        return detail::ask<relay_game>(netclock_relay_read_game, *this, game);
    }
};
class peer : public owned<netclock_peer, netclock_peer_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<peer> create(
        std::uint64_t game, const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<peer>(netclock_peer_create, settings, game, random.high, random.low);
    }
    status receive(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_peer_receive, *this, data, length, arrived);
    }
    [[nodiscard]] result<peer_datagram> next_message(local_time now) noexcept
    {
        return detail::fill<peer_datagram>(netclock_peer_next_message, *this, now);
    }
    [[nodiscard]] result<peer_reading> read(local_time now) const noexcept
    {
        return detail::ask<peer_reading>(netclock_peer_read, *this, now);
    }
    status leave() noexcept
    {
        return detail::call(netclock_peer_leave, *this);
    }
};
}
namespace netclock {
enum class exchange_path : std::int32_t {
    messages = NETCLOCK_PATH_MESSAGES,
    link = NETCLOCK_PATH_LINK,
};
struct sample {
    status outcome = status::ok;
    std::uint64_t id = 0;
    std::uint64_t epoch = 0;
    std::optional<local_time> client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
    exchange_path path = exchange_path::messages;
    std::uint32_t server_wait = 0;
    std::uint32_t client_wait = 0;
};
namespace detail {
inline netclock_sample to_c(const sample &from) noexcept
{
    auto to = sized<netclock_sample>();
    to.status = static_cast<netclock_status>(from.outcome);
    to.id = from.id;
    to.epoch = from.epoch;
    to.client_sent = count(from.client_sent, NETCLOCK_UNKNOWN_TIME);
    to.server_received = count(from.server_received);
    to.server_sent = count(from.server_sent);
    to.client_received = count(from.client_received);
    to.path = static_cast<std::int32_t>(from.path);
    to.server_wait = from.server_wait;
    to.client_wait = from.client_wait;
    return to;
}
inline sample from_c(const netclock_sample &from) noexcept
{
    sample to;
    to.outcome = status{from.status};
    to.id = from.id;
    to.epoch = from.epoch;
    to.client_sent = known<local_time>(from.client_sent, NETCLOCK_UNKNOWN_TIME);
    to.server_received = from_count<server_time>(from.server_received);
    to.server_sent = from_count<server_time>(from.server_sent);
    to.client_received = from_count<local_time>(from.client_received);
    to.path = static_cast<exchange_path>(from.path);
    to.server_wait = from.server_wait;
    to.client_wait = from.client_wait;
    return to;
}
}
}
namespace netclock {
struct saved {
    saved_state machine{};
    saved_state server{};
};
struct used_states {
    bool machine = false;
    bool server = false;
};
[[nodiscard]] inline result<used_states> used_saved(const client &clock) noexcept
{
    const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, clock);
    return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
}
inline status set_server_boot(client &clock, std::uint64_t boot) noexcept
{
    return detail::call(netclock_client_set_server_boot, clock, boot);
}
[[nodiscard]] inline result<saved> save(client &clock, std::int64_t seconds) noexcept
{
    saved states;
    const auto code = detail::call(netclock_client_save, clock, seconds, states.machine.data(),
                                   states.server.data(), states.machine.size());
    return {code, states};
}
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_machine_hints(&hint.ppm, &hint.doubt_ppm, nullptr);
    return hint;
}
[[nodiscard]] inline std::uint64_t boot_id() noexcept
{
    std::uint64_t boot = 0;
    netclock_machine_hints(nullptr, nullptr, &boot);
    return boot;
}
inline status on_sample(client &clock, netclock_tap_callback callback, void *user_data) noexcept
{
    return detail::call(netclock_client_set_tap, clock, callback, user_data);
}
}
namespace netclock {
enum class direction : std::int32_t {
    to_server = NETCLOCK_TO_SERVER,
    to_client = NETCLOCK_TO_CLIENT,
};
struct session_key {
    seed secret{};
    std::uint32_t id = 0;
    std::uint32_t restarts = 0;
};
namespace detail {
inline netclock_session_key to_c(const session_key &from) noexcept
{
    auto to = sized<netclock_session_key>();
    to.secret_high = from.secret.high;
    to.secret_low = from.secret.low;
    to.id = from.id;
    to.restarts = from.restarts;
    return to;
}
inline session_key from_c(const netclock_session_key &from) noexcept
{
    session_key to;
    to.secret = {from.secret_high, from.secret_low};
    to.id = from.id;
    to.restarts = from.restarts;
    return to;
}
}
}
namespace netclock {
enum class hold_up : std::int32_t {
    none = NETCLOCK_HOLD_UP_NONE,
    silent = NETCLOCK_HOLD_UP_SILENT,
    unsynced = NETCLOCK_HOLD_UP_UNSYNCED,
    inaccurate = NETCLOCK_HOLD_UP_INACCURATE,
    too_slow = NETCLOCK_HOLD_UP_TOO_SLOW,
};
enum class stage : std::int32_t {
    waiting = NETCLOCK_STAGE_WAITING,
    announced = NETCLOCK_STAGE_ANNOUNCED,
    started = NETCLOCK_STAGE_STARTED,
    joined = NETCLOCK_STAGE_JOINED,
};
enum class rate_level : std::int32_t {
    unknown = NETCLOCK_RATE_UNKNOWN,
    plausible = NETCLOCK_RATE_PLAUSIBLE,
    likely = NETCLOCK_RATE_LIKELY,
    proven = NETCLOCK_RATE_PROVEN,
};
enum class rate_finding : std::int32_t {
    nothing = NETCLOCK_RATE_NOTHING,
    fast = NETCLOCK_RATE_FAST,
    slow = NETCLOCK_RATE_SLOW,
    added = NETCLOCK_RATE_ADDED,
    removed = NETCLOCK_RATE_REMOVED,
};
struct host_config {
    std::uint32_t capacity = 0;
    ticks world_read_lag{};
    ticks world_resolution{};
    std::uint32_t world_max_per_second = 0;
    std::uint32_t utc_drift_ppm = 0;
    std::uint32_t start_capacity = 0;
    ticks start_patience{};
    ticks start_max_expected_error{};
    ticks start_frame{};
};
struct guest_config {
    std::uint32_t world_segments = 0;
    double world_max_rate = 0.0;
    double lead_quantile = 0.0;
    ticks lead_server_frame{};
    ticks latency_least_change{};
};
struct world_reading {
    std::uint32_t epoch = 0;
    world_time time{};
    std::optional<ticks> error_bound{};
    std::optional<ticks> error_bound_if_unchanged{};
    ticks ahead{};
    ticks jump{};
    double rate = 0.0;
    std::uint32_t instance = 0;
    std::uint32_t version = 0;
    bool paused = false;
};
struct utc_reading {
    utc_time utc{};
    std::optional<ticks> error_bound{};
};
struct start_proposal {
    hold_up reason = hold_up::none;
    server_time at{};
    std::uint64_t participant = 0;
    std::uint32_t not_ready = 0;
    std::uint32_t version = 0;
};
struct start_result {
    std::uint32_t version = 0;
    server_time at{};
    ticks earliest{};
    ticks latest{};
    std::optional<ticks> error_bound{};
    std::uint32_t counted = 0;
    std::uint32_t acknowledged = 0;
    std::uint32_t fired = 0;
    bool cancelled = false;
};
struct start_progress {
    netclock::stage stage = netclock::stage::waiting;
    std::uint32_t version = 0;
    server_time at{};
    ticks lateness{};
    std::optional<ticks> error_bound{};
    std::optional<ticks> expected_error{};
    bool fires = false;
};
struct player_report {
    hold_up reason = hold_up::none;
    rate_level level = rate_level::unknown;
    rate_level worst = rate_level::unknown;
    rate_finding finding = rate_finding::nothing;
    std::uint32_t findings = 0;
    std::optional<ticks> lead{};
    std::optional<ticks> error_bound{};
    std::optional<ticks> expected_error{};
    std::optional<ticks> round_trip{};
    double loss = 0.0;
    std::optional<ticks> lateness{};
    std::optional<ticks> lateness_bound{};
    ticks rate_gained{};
    ticks rate_explained{};
    ticks rate_duration{};
    double mean_ppm = 0.0;
    double mean_error_ppm = 0.0;
    bool is_up_to_date = false;
    bool counted = false;
    bool acknowledged = false;
    bool is_mean_known = false;
};
struct latency_change {
    direction went = direction::to_server;
    ticks before{};
    ticks after{};
    local_time since{};
    local_time found{};
    double confidence = 0.0;
};
struct connection_report {
    std::uint64_t host_epoch = 0;
    std::optional<server_time> handled_by{};
    std::optional<server_time> showable{};
    double speed_scale = 0.0;
    ticks speed_done{};
    ticks speed_remaining{};
    bool is_hiding = false;
};
namespace detail {
inline netclock_host_config to_c(const host_config &from) noexcept
{
    auto to = sized<netclock_host_config>();
    to.capacity = from.capacity;
    to.world_read_lag = count(from.world_read_lag);
    to.world_resolution = count(from.world_resolution);
    to.world_max_per_second = from.world_max_per_second;
    to.utc_drift_ppm = from.utc_drift_ppm;
    to.start_capacity = from.start_capacity;
    to.start_patience = count(from.start_patience);
    to.start_max_expected_error = count(from.start_max_expected_error);
    to.start_frame = count(from.start_frame);
    return to;
}
inline host_config from_c(const netclock_host_config &from) noexcept
{
    host_config to;
    to.capacity = from.capacity;
    to.world_read_lag = from_count<ticks>(from.world_read_lag);
    to.world_resolution = from_count<ticks>(from.world_resolution);
    to.world_max_per_second = from.world_max_per_second;
    to.utc_drift_ppm = from.utc_drift_ppm;
    to.start_capacity = from.start_capacity;
    to.start_patience = from_count<ticks>(from.start_patience);
    to.start_max_expected_error = from_count<ticks>(from.start_max_expected_error);
    to.start_frame = from_count<ticks>(from.start_frame);
    return to;
}
inline netclock_guest_config to_c(const guest_config &from) noexcept
{
    auto to = sized<netclock_guest_config>();
    to.world_segments = from.world_segments;
    to.world_max_rate = from.world_max_rate;
    to.lead_quantile = from.lead_quantile;
    to.lead_server_frame = count(from.lead_server_frame);
    to.latency_least_change = count(from.latency_least_change);
    return to;
}
inline guest_config from_c(const netclock_guest_config &from) noexcept
{
    guest_config to;
    to.world_segments = from.world_segments;
    to.world_max_rate = from.world_max_rate;
    to.lead_quantile = from.lead_quantile;
    to.lead_server_frame = from_count<ticks>(from.lead_server_frame);
    to.latency_least_change = from_count<ticks>(from.latency_least_change);
    return to;
}
inline netclock_world_reading to_c(const world_reading &from) noexcept
{
    auto to = sized<netclock_world_reading>();
    to.epoch = from.epoch;
    to.world_time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.error_bound_if_unchanged = count(from.error_bound_if_unchanged, NETCLOCK_UNBOUNDED);
    to.ahead = count(from.ahead);
    to.jump = count(from.jump);
    to.rate = from.rate;
    to.instance = from.instance;
    to.version = from.version;
    to.paused = from.paused ? 1 : 0;
    return to;
}
inline world_reading from_c(const netclock_world_reading &from) noexcept
{
    world_reading to;
    to.epoch = from.epoch;
    to.time = from_count<world_time>(from.world_time);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.error_bound_if_unchanged = known<ticks>(from.error_bound_if_unchanged, NETCLOCK_UNBOUNDED);
    to.ahead = from_count<ticks>(from.ahead);
    to.jump = from_count<ticks>(from.jump);
    to.rate = from.rate;
    to.instance = from.instance;
    to.version = from.version;
    to.paused = from.paused != 0;
    return to;
}
inline netclock_utc_reading to_c(const utc_reading &from) noexcept
{
    auto to = sized<netclock_utc_reading>();
    to.utc = count(from.utc);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    return to;
}
inline utc_reading from_c(const netclock_utc_reading &from) noexcept
{
    utc_reading to;
    to.utc = from_count<utc_time>(from.utc);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    return to;
}
inline netclock_start_proposal to_c(const start_proposal &from) noexcept
{
    auto to = sized<netclock_start_proposal>();
    to.hold_up = static_cast<std::int32_t>(from.reason);
    to.at = count(from.at);
    to.participant = from.participant;
    to.not_ready = from.not_ready;
    to.version = from.version;
    return to;
}
inline start_proposal from_c(const netclock_start_proposal &from) noexcept
{
    start_proposal to;
    to.reason = static_cast<hold_up>(from.hold_up);
    to.at = from_count<server_time>(from.at);
    to.participant = from.participant;
    to.not_ready = from.not_ready;
    to.version = from.version;
    return to;
}
inline netclock_start_result to_c(const start_result &from) noexcept
{
    auto to = sized<netclock_start_result>();
    to.version = from.version;
    to.at = count(from.at);
    to.earliest = count(from.earliest);
    to.latest = count(from.latest);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.counted = from.counted;
    to.acknowledged = from.acknowledged;
    to.fired = from.fired;
    to.cancelled = from.cancelled ? 1 : 0;
    return to;
}
inline start_result from_c(const netclock_start_result &from) noexcept
{
    start_result to;
    to.version = from.version;
    to.at = from_count<server_time>(from.at);
    to.earliest = from_count<ticks>(from.earliest);
    to.latest = from_count<ticks>(from.latest);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.counted = from.counted;
    to.acknowledged = from.acknowledged;
    to.fired = from.fired;
    to.cancelled = from.cancelled != 0;
    return to;
}
inline netclock_start_progress to_c(const start_progress &from) noexcept
{
    auto to = sized<netclock_start_progress>();
    to.stage = static_cast<std::int32_t>(from.stage);
    to.version = from.version;
    to.at = count(from.at);
    to.lateness = count(from.lateness);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.fires = from.fires ? 1 : 0;
    return to;
}
inline start_progress from_c(const netclock_start_progress &from) noexcept
{
    start_progress to;
    to.stage = static_cast<stage>(from.stage);
    to.version = from.version;
    to.at = from_count<server_time>(from.at);
    to.lateness = from_count<ticks>(from.lateness);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.fires = from.fires != 0;
    return to;
}
inline netclock_player_report to_c(const player_report &from) noexcept
{
    auto to = sized<netclock_player_report>();
    to.hold_up = static_cast<std::int32_t>(from.reason);
    to.rate_level = static_cast<std::int32_t>(from.level);
    to.rate_worst = static_cast<std::int32_t>(from.worst);
    to.rate_finding = static_cast<std::int32_t>(from.finding);
    to.rate_findings = from.findings;
    to.lead = count(from.lead, NETCLOCK_UNBOUNDED);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = count(from.round_trip, NETCLOCK_UNBOUNDED);
    to.loss = from.loss;
    to.lateness = count(from.lateness, NETCLOCK_UNBOUNDED);
    to.lateness_bound = count(from.lateness_bound, NETCLOCK_UNBOUNDED);
    to.rate_gained = count(from.rate_gained);
    to.rate_explained = count(from.rate_explained);
    to.rate_duration = count(from.rate_duration);
    to.mean_ppm = from.mean_ppm;
    to.mean_error_ppm = from.mean_error_ppm;
    to.is_up_to_date = from.is_up_to_date ? 1 : 0;
    to.counted = from.counted ? 1 : 0;
    to.acknowledged = from.acknowledged ? 1 : 0;
    to.is_mean_known = from.is_mean_known ? 1 : 0;
    return to;
}
inline player_report from_c(const netclock_player_report &from) noexcept
{
    player_report to;
    to.reason = static_cast<hold_up>(from.hold_up);
    to.level = static_cast<rate_level>(from.rate_level);
    to.worst = static_cast<rate_level>(from.rate_worst);
    to.finding = static_cast<rate_finding>(from.rate_finding);
    to.findings = from.rate_findings;
    to.lead = known<ticks>(from.lead, NETCLOCK_UNBOUNDED);
    to.error_bound = known<ticks>(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = known<ticks>(from.expected_error, NETCLOCK_UNBOUNDED);
    to.round_trip = known<ticks>(from.round_trip, NETCLOCK_UNBOUNDED);
    to.loss = from.loss;
    to.lateness = known<ticks>(from.lateness, NETCLOCK_UNBOUNDED);
    to.lateness_bound = known<ticks>(from.lateness_bound, NETCLOCK_UNBOUNDED);
    to.rate_gained = from_count<ticks>(from.rate_gained);
    to.rate_explained = from_count<ticks>(from.rate_explained);
    to.rate_duration = from_count<ticks>(from.rate_duration);
    to.mean_ppm = from.mean_ppm;
    to.mean_error_ppm = from.mean_error_ppm;
    to.is_up_to_date = from.is_up_to_date != 0;
    to.counted = from.counted != 0;
    to.acknowledged = from.acknowledged != 0;
    to.is_mean_known = from.is_mean_known != 0;
    return to;
}
inline netclock_latency_change to_c(const latency_change &from) noexcept
{
    auto to = sized<netclock_latency_change>();
    to.direction = static_cast<std::int32_t>(from.went);
    to.before = count(from.before);
    to.after = count(from.after);
    to.since = count(from.since);
    to.found = count(from.found);
    to.confidence = from.confidence;
    return to;
}
inline latency_change from_c(const netclock_latency_change &from) noexcept
{
    latency_change to;
    to.went = static_cast<direction>(from.direction);
    to.before = from_count<ticks>(from.before);
    to.after = from_count<ticks>(from.after);
    to.since = from_count<local_time>(from.since);
    to.found = from_count<local_time>(from.found);
    to.confidence = from.confidence;
    return to;
}
inline netclock_connection_report to_c(const connection_report &from) noexcept
{
    auto to = sized<netclock_connection_report>();
    to.host_epoch = from.host_epoch;
    to.handled_by = count(from.handled_by, NETCLOCK_UNKNOWN_TIME);
    to.showable = count(from.showable, NETCLOCK_UNKNOWN_TIME);
    to.speed_scale = from.speed_scale;
    to.speed_done = count(from.speed_done);
    to.speed_remaining = count(from.speed_remaining);
    to.is_hiding = from.is_hiding ? 1 : 0;
    return to;
}
inline connection_report from_c(const netclock_connection_report &from) noexcept
{
    connection_report to;
    to.host_epoch = from.host_epoch;
    to.handled_by = known<server_time>(from.handled_by, NETCLOCK_UNKNOWN_TIME);
    to.showable = known<server_time>(from.showable, NETCLOCK_UNKNOWN_TIME);
    to.speed_scale = from.speed_scale;
    to.speed_done = from_count<ticks>(from.speed_done);
    to.speed_remaining = from_count<ticks>(from.speed_remaining);
    to.is_hiding = from.is_hiding != 0;
    return to;
}
}
}
namespace netclock {
}
namespace netclock {
struct session_datagram {
    std::uint64_t player = 0;
    bool reliable = false;
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_SESSION_DATAGRAM_MOST> bytes{};
};
struct link_offer {
    std::uint16_t port = 0;
    session_key key{};
};
struct session_blob {
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_SESSION_BLOB_MOST> bytes{};
};
using segment_datagram = std::array<std::byte, NETCLOCK_SEGMENT_SIZE>;
struct real_range {
    server_time first{};
    server_time last{};
};
struct utc_sample {
    local_time local{};
    utc_time utc{};
    ticks uncertainty{};
    [[nodiscard]] constexpr server_time on_server() const noexcept
    {
        return server_time{local.time_since_epoch()};
    }
};
class guest_client : public client {
public:
    explicit guest_client(netclock_client *of) noexcept : client{of} {}
    guest_client(guest_client &&) noexcept = default;
    guest_client &operator=(guest_client &&) = delete;
    ~guest_client() { static_cast<void>(release()); }
};
class host : public owned<netclock_host, netclock_host_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<host> create(
        std::uint64_t server_epoch, const seed &random, const host_config &settings = {}) noexcept
    {
        return detail::create<host>(netclock_host_create, settings, server_epoch, random.high, random.low);
    }
    status admit(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, nullptr, 0);
    }
    status admit(std::uint64_t player, const session_key &key) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, key, 0);
    }
    status admit_unproven(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, nullptr, 1);
    }
    status dismiss(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_dismiss, *this, player);
    }
    [[nodiscard]] result<std::uint64_t> silent(server_time now, ticks longest) noexcept
    {
        return detail::ask<std::uint64_t>(netclock_host_silent, *this, now, longest);
    }
    status observe(std::uint32_t world, server_time real, world_time time, double rate,
                   bool is_new = false) noexcept
    {
        return detail::call(
            netclock_host_observe, *this, world, real, time, rate, is_new ? NETCLOCK_WORLD_NEW : 0U);
    }
    status observe_paused(
        std::uint32_t world, server_time real, world_time time, bool is_new = false) noexcept
    {
        return detail::call(netclock_host_observe, *this, world, real, time, 0.0,
                            NETCLOCK_WORLD_PAUSED | (is_new ? NETCLOCK_WORLD_NEW : 0U));
    }
    status observe_utc(server_time at, utc_time utc, std::optional<ticks> error_bound) noexcept
    {
        return detail::call(netclock_host_observe_utc, *this, at, utc,
                            detail::count(error_bound, NETCLOCK_UNBOUNDED));
    }
    status state_authority(const authority &given) noexcept
    {
        return detail::call(netclock_host_state_authority, *this, given);
    }
    status prepare_start() noexcept { return detail::call(netclock_host_use_starts, *this, 1); }
    status end_starts() noexcept { return detail::call(netclock_host_use_starts, *this, 0); }
    [[nodiscard]] result<start_proposal> propose_start(
        server_time now, server_time earliest, double confidence) noexcept
    {
        return detail::ask<start_proposal>(netclock_host_propose_start, *this, now, earliest, confidence);
    }
    status cancel_start(server_time now) noexcept
    {
        return detail::call(netclock_host_cancel_start, *this, now);
    }
    [[nodiscard]] result<netclock::start_result> start_result() const noexcept
    {
        return detail::ask<netclock::start_result>(netclock_host_start_result, *this);
    }
    [[nodiscard]] result<player_report> player(std::uint64_t player, server_time now) const noexcept
    {
        return detail::ask<player_report>(netclock_host_player, *this, player, now);
    }
    status excuse(std::uint64_t player, server_time from, server_time to) noexcept
    {
        return detail::call(netclock_host_excuse, *this, player, from, to);
    }
    [[nodiscard]] result<ticks> round_trip(std::uint64_t player, server_time now) noexcept
    {
        return detail::ask<ticks>(netclock_host_round_trip, *this, player, now);
    }
    [[nodiscard]] result<session_blob> blob() const noexcept
    {
        session_blob now;
        const auto code = detail::call(
            netclock_host_blob, *this, now.bytes.data(), now.bytes.size(), &now.size);
        return {code, now};
    }
    status offer_link(std::uint64_t player, std::uint16_t port, const session_key &key) noexcept
    {
        return detail::call(netclock_host_offer_link, *this, player, port, key);
    }
    status polled(server_time at) noexcept
    {
        return detail::call(netclock_host_polled, *this, at);
    }
    status receive(std::uint64_t player, const void *data, std::size_t length, server_time arrived) noexcept
    {
        return detail::call(netclock_host_receive, *this, player, data, length, arrived);
    }
    [[nodiscard]] result<session_datagram> next(server_time now) noexcept
    {
        session_datagram due;
        const auto code = detail::call(netclock_host_next, *this, now, &due.player, due.bytes.data(),
                                       due.bytes.size(), &due.size);
        return {code, due};
    }
};
class guest : public owned<netclock_guest, netclock_guest_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<guest> create(
        const seed &random, const guest_config &settings = {}, const config &clock = {}) noexcept
    {
        return detail::create<guest>(netclock_guest_create, settings, clock, random.high, random.low);
    }
    [[nodiscard]] guest_client clock() const noexcept { return guest_client{netclock_guest_client(get())}; }
    status connect(local_time now) noexcept
    {
        return detail::call(netclock_guest_connect, *this, nullptr, now, 0);
    }
    status connect(const session_key &key, local_time now) noexcept
    {
        return detail::call(netclock_guest_connect, *this, key, now, 0);
    }
    status follow() noexcept { return detail::call(netclock_guest_connect, *this, nullptr, 0, 1); }
    status follow(const session_key &key) noexcept
    {
        return detail::call(netclock_guest_connect, *this, key, 0, 1);
    }
    status take_part(bool takes_part) noexcept
    {
        return detail::call(netclock_guest_take_part, *this, takes_part ? 1 : 0);
    }
    status read_blob(const void *blob, std::size_t length) noexcept
    {
        return detail::call(netclock_guest_read_blob, *this, blob, length);
    }
    [[nodiscard]] result<segment_datagram> segment(std::uint32_t world) const noexcept
    {
        return detail::fill<segment_datagram>(netclock_guest_segment, *this, world);
    }
    status receive(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_guest_receive, *this, data, length, arrived);
    }
    [[nodiscard]] result<session_datagram> next(local_time now) noexcept
    {
        session_datagram due;
        std::int32_t reliable = 0;
        const auto code = detail::call(netclock_guest_next, *this, now, &reliable, due.bytes.data(),
                                       due.bytes.size(), &due.size);
        due.reliable = reliable != 0;
        return {code, due};
    }
    [[nodiscard]] result<reading> view(local_time now) noexcept
    {
        return detail::ask<reading>(netclock_guest_view, *this, now);
    }
    [[nodiscard]] result<world_reading> world(std::uint32_t world) const noexcept
    {
        return detail::ask<world_reading>(netclock_guest_world, *this, world);
    }
    [[nodiscard]] result<utc_reading> utc() const noexcept
    {
        return detail::ask<utc_reading>(netclock_guest_utc, *this);
    }
    [[nodiscard]] result<start_progress> start() const noexcept
    {
        return detail::ask<start_progress>(netclock_guest_start, *this);
    }
    [[nodiscard]] result<connection_report> report() const noexcept
    {
        return detail::ask<connection_report>(netclock_guest_report, *this);
    }
    [[nodiscard]] result<latency_change> next_latency_change() noexcept
    {
        return detail::ask<latency_change>(netclock_guest_next_latency_change, *this);
    }
    [[nodiscard]] result<netclock::link_offer> link_offer() const noexcept
    {
        std::uint16_t port = 0;
        netclock_session_key key{};
        const auto code = detail::call(netclock_guest_link_offer, *this, &port, &key);
        return {code, {port, detail::from_c(key)}};
    }
    [[nodiscard]] result<world_reading> world_at(std::uint32_t world, server_time real) const noexcept
    {
        return detail::ask<world_reading>(netclock_guest_world_at, *this, world, real);
    }
    [[nodiscard]] result<real_range> real_at(std::uint32_t world, world_time time) const noexcept
    {
        std::int64_t first = 0;
        const auto last = detail::ask<server_time>(netclock_guest_real_at, *this, world, time, &first);
        return {last.code(), {server_time{ticks{first}}, *last}};
    }
};
[[nodiscard]] inline result<utc_sample> utc_now() noexcept
{
    std::int64_t local = 0;
    std::int64_t utc = 0;
    const auto uncertainty = detail::ask<ticks>(netclock_utc_now, &local, &utc);
    return {uncertainty.code(), {local_time{ticks{local}}, utc_time{ticks{utc}}, *uncertainty}};
}
}
#endif

#if !WITH_NETCLOCK_LINK
#define NETCLOCK_LINK_POLLED 1
#define NETCLOCK_LINK_THREAD_STAMPS 2
#define NETCLOCK_LINK_CARRIED 8
#define NETCLOCK_LINK_NO_MARK 16
#define NETCLOCK_LINK_DATAGRAM_SIZE 64
#define NETCLOCK_LINK_CHECKING 1
#define NETCLOCK_LINK_LINKED 2
#define NETCLOCK_LINK_BLOCKED 3
#define NETCLOCK_LINK_NOT_POSSIBLE 4
#define NETCLOCK_LINK_SERVING 5
#define NETCLOCK_LINK_NO_TROUBLE 10
#define NETCLOCK_LINK_RESOLVING 11
#define NETCLOCK_LINK_UNKNOWN_HOST 12
#define NETCLOCK_LINK_NO_ROUTE 13
#define NETCLOCK_LINK_NOBODY_LISTENS 14
#define NETCLOCK_LINK_NOT_SENT 15
#define NETCLOCK_LINK_HOST_UNREACHABLE 16
#define NETCLOCK_LINK_PROHIBITED 17
#define NETCLOCK_LINK_NO_SOCKET 18
#define NETCLOCK_LINK_REPLACED 19
#define NETCLOCK_LINK_KEY_IN_USE 24
#define NETCLOCK_LINK_NO_STAMPS 20
#define NETCLOCK_LINK_STAMPS_KERNEL 21
#define NETCLOCK_LINK_STAMPS_THREAD 22
#define NETCLOCK_LINK_STAMPS_CALLER 23
#define NETCLOCK_LINK_NOT_MARKED 30
#define NETCLOCK_LINK_MARKED 31
#define NETCLOCK_LINK_MARK_DROPPED 32
typedef struct netclock_link_report { uint32_t struct_size; int32_t state; int32_t trouble; int32_t stamps; uint64_t requests; uint64_t replies; uint64_t foreign; uint64_t refused; uint64_t unsent; int32_t mark; uint32_t port; } netclock_link_report;
typedef struct netclock_link_server_config { uint32_t struct_size; uint32_t flags; uint32_t capacity; uint32_t answers; int64_t clock_offset; } netclock_link_server_config;
typedef struct netclock_link_server netclock_link_server;
inline netclock_status netclock_link_server_create(const struct netclock_link_server_config *, const char *, uint16_t, uint64_t, struct netclock_link_server **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_destroy(struct netclock_link_server *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_admit(struct netclock_link_server *, const struct netclock_session_key *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_revoke(struct netclock_link_server *, uint32_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_poll(struct netclock_link_server *, struct netclock_link_report *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_answer(struct netclock_link_server *, const void *, size_t, netclock_server_time, netclock_server_time, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_link_client_config { uint32_t struct_size; uint32_t flags; int64_t clock_offset; int64_t steady_interval; int64_t message_interval; } netclock_link_client_config;
typedef struct netclock_link_client netclock_link_client;
inline netclock_status netclock_link_client_create(const struct netclock_link_client_config *, struct netclock_client *, const char *, uint16_t, const struct netclock_session_key *, struct netclock_link_client **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_client_destroy(struct netclock_link_client *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_client_poll(struct netclock_link_client *, struct netclock_link_report *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_client_due(struct netclock_link_client *, netclock_local_time, void *, size_t, netclock_local_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_client_handle(struct netclock_link_client *, const void *, size_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
namespace netclock {
enum class link_state : std::int32_t {
    checking = NETCLOCK_LINK_CHECKING,
    linked = NETCLOCK_LINK_LINKED,
    blocked = NETCLOCK_LINK_BLOCKED,
    not_possible = NETCLOCK_LINK_NOT_POSSIBLE,
    serving = NETCLOCK_LINK_SERVING,
};
enum class link_mark : std::int32_t {
    not_marked = NETCLOCK_LINK_NOT_MARKED,
    marked = NETCLOCK_LINK_MARKED,
    mark_dropped = NETCLOCK_LINK_MARK_DROPPED,
};
enum class link_trouble : std::int32_t {
    none = NETCLOCK_LINK_NO_TROUBLE,
    resolving = NETCLOCK_LINK_RESOLVING,
    unknown_host = NETCLOCK_LINK_UNKNOWN_HOST,
    no_route = NETCLOCK_LINK_NO_ROUTE,
    nobody_listens = NETCLOCK_LINK_NOBODY_LISTENS,
    not_sent = NETCLOCK_LINK_NOT_SENT,
    host_unreachable = NETCLOCK_LINK_HOST_UNREACHABLE,
    prohibited = NETCLOCK_LINK_PROHIBITED,
    no_socket = NETCLOCK_LINK_NO_SOCKET,
    replaced = NETCLOCK_LINK_REPLACED,
    key_in_use = NETCLOCK_LINK_KEY_IN_USE,
};
enum class link_stamps : std::int32_t {
    none = NETCLOCK_LINK_NO_STAMPS,
    kernel = NETCLOCK_LINK_STAMPS_KERNEL,
    thread = NETCLOCK_LINK_STAMPS_THREAD,
    caller = NETCLOCK_LINK_STAMPS_CALLER,
};
struct link_report {
    link_state state = link_state::checking;
    link_trouble trouble = link_trouble::none;
    link_stamps stamps = link_stamps::none;
    std::uint64_t requests = 0;
    std::uint64_t replies = 0;
    std::uint64_t foreign = 0;
    std::uint64_t refused = 0;
    std::uint64_t unsent = 0;
    link_mark mark = link_mark::not_marked;
    std::uint32_t port = 0;
};
struct link_server_config {
    std::uint32_t capacity = 0;
    std::uint32_t answers = 0;
    ticks clock_offset{};
    bool polled = false;
    bool thread_stamps = false;
    bool carried = false;
    bool no_mark = false;
};
struct link_client_config {
    ticks clock_offset{};
    ticks steady_interval{};
    ticks message_interval{};
    bool polled = false;
    bool thread_stamps = false;
    bool carried = false;
    bool no_mark = false;
};
namespace detail {
inline netclock_link_report to_c(const link_report &from) noexcept
{
    auto to = sized<netclock_link_report>();
    to.state = static_cast<std::int32_t>(from.state);
    to.trouble = static_cast<std::int32_t>(from.trouble);
    to.stamps = static_cast<std::int32_t>(from.stamps);
    to.requests = from.requests;
    to.replies = from.replies;
    to.foreign = from.foreign;
    to.refused = from.refused;
    to.unsent = from.unsent;
    to.mark = static_cast<std::int32_t>(from.mark);
    to.port = from.port;
    return to;
}
inline link_report from_c(const netclock_link_report &from) noexcept
{
    link_report to;
    to.state = static_cast<link_state>(from.state);
    to.trouble = static_cast<link_trouble>(from.trouble);
    to.stamps = static_cast<link_stamps>(from.stamps);
    to.requests = from.requests;
    to.replies = from.replies;
    to.foreign = from.foreign;
    to.refused = from.refused;
    to.unsent = from.unsent;
    to.mark = static_cast<link_mark>(from.mark);
    to.port = from.port;
    return to;
}
inline netclock_link_server_config to_c(const link_server_config &from) noexcept
{
    auto to = sized<netclock_link_server_config>();
    to.capacity = from.capacity;
    to.answers = from.answers;
    to.clock_offset = count(from.clock_offset);
    to.flags |= from.polled ? NETCLOCK_LINK_POLLED : 0U;
    to.flags |= from.thread_stamps ? NETCLOCK_LINK_THREAD_STAMPS : 0U;
    to.flags |= from.carried ? NETCLOCK_LINK_CARRIED : 0U;
    to.flags |= from.no_mark ? NETCLOCK_LINK_NO_MARK : 0U;
    return to;
}
inline link_server_config from_c(const netclock_link_server_config &from) noexcept
{
    link_server_config to;
    to.capacity = from.capacity;
    to.answers = from.answers;
    to.clock_offset = from_count<ticks>(from.clock_offset);
    to.polled = (from.flags & NETCLOCK_LINK_POLLED) != 0;
    to.thread_stamps = (from.flags & NETCLOCK_LINK_THREAD_STAMPS) != 0;
    to.carried = (from.flags & NETCLOCK_LINK_CARRIED) != 0;
    to.no_mark = (from.flags & NETCLOCK_LINK_NO_MARK) != 0;
    return to;
}
inline netclock_link_client_config to_c(const link_client_config &from) noexcept
{
    auto to = sized<netclock_link_client_config>();
    to.clock_offset = count(from.clock_offset);
    to.steady_interval = count(from.steady_interval);
    to.message_interval = count(from.message_interval);
    to.flags |= from.polled ? NETCLOCK_LINK_POLLED : 0U;
    to.flags |= from.thread_stamps ? NETCLOCK_LINK_THREAD_STAMPS : 0U;
    to.flags |= from.carried ? NETCLOCK_LINK_CARRIED : 0U;
    to.flags |= from.no_mark ? NETCLOCK_LINK_NO_MARK : 0U;
    return to;
}
inline link_client_config from_c(const netclock_link_client_config &from) noexcept
{
    link_client_config to;
    to.clock_offset = from_count<ticks>(from.clock_offset);
    to.steady_interval = from_count<ticks>(from.steady_interval);
    to.message_interval = from_count<ticks>(from.message_interval);
    to.polled = (from.flags & NETCLOCK_LINK_POLLED) != 0;
    to.thread_stamps = (from.flags & NETCLOCK_LINK_THREAD_STAMPS) != 0;
    to.carried = (from.flags & NETCLOCK_LINK_CARRIED) != 0;
    to.no_mark = (from.flags & NETCLOCK_LINK_NO_MARK) != 0;
    return to;
}
}
}
namespace netclock {
using link_datagram = std::array<std::uint8_t, NETCLOCK_LINK_DATAGRAM_SIZE>;
class link_server : public owned<netclock_link_server, netclock_link_server_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<link_server> create(std::uint16_t port, std::uint64_t epoch,
                                                    const link_server_config &settings = {},
                                                    const char *address = nullptr) noexcept
    {
        return detail::create<link_server>(netclock_link_server_create, settings, address, port, epoch);
    }
    status admit(const session_key &key) noexcept
    {
        return detail::call(netclock_link_server_admit, *this, key);
    }
    status revoke(std::uint32_t id) noexcept
    {
        return detail::call(netclock_link_server_revoke, *this, id);
    }
    status poll() noexcept { return detail::call(netclock_link_server_poll, *this, nullptr); }
    [[nodiscard]] result<link_report> report() noexcept
    {
        return detail::ask<link_report>(netclock_link_server_poll, *this);
    }
    [[nodiscard]] result<link_datagram> answer(
        const void *data, std::size_t length, server_time received, server_time sent) noexcept
    {
        return detail::fill<link_datagram>(netclock_link_server_answer, *this, data, length, received, sent);
    }
};
class link_client : public owned<netclock_link_client, netclock_link_client_destroy> {
public:
    using owned::owned;
    [[nodiscard]] static result<link_client> create(
        client &clock, const char *host, std::uint16_t port, const session_key &key,
        const link_client_config &settings = {}) noexcept
    {
        return detail::create<link_client>(netclock_link_client_create, settings, clock, host, port, key);
    }
    status poll() noexcept { return detail::call(netclock_link_client_poll, *this, nullptr); }
    [[nodiscard]] result<link_report> report() noexcept
    {
        return detail::ask<link_report>(netclock_link_client_poll, *this);
    }
    [[nodiscard]] result<link_datagram> due(local_time now, local_time *next = nullptr) noexcept
    {
        link_datagram found{};
        std::int64_t at = 0;
        const auto code =
            detail::call(netclock_link_client_due, *this, now, found.data(), found.size(), &at);
        if (next != nullptr && code == status::nothing_due) {
            *next = local_time{ticks{at}};
        }
        return {code, found};
    }
    status handle(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_link_client_handle, *this, data, length, arrived);
    }
};
}
#endif
