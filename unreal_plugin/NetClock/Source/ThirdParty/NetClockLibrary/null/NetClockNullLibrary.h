// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Generated from include/netclock. Do not edit:
// NETCLOCK_WRITE_REFERENCE=1 cargo test --test unreal null_library
#pragma once

#include <stddef.h>
#include <stdint.h>

#if !WITH_NETCLOCK_LIBRARY
#define NETCLOCK_ABI_VERSION 1
inline uint32_t netclock_abi_version() { return 0; }
typedef int32_t netclock_status;
#define NETCLOCK_OK 0
#define NETCLOCK_UNKNOWN_HANDLE (-8)
inline const char * netclock_last_error() { return ""; }
#define NETCLOCK_TICKS_PER_SECOND INT64_C(10000000)
typedef int64_t netclock_local_time;
typedef int64_t netclock_server_time;
inline netclock_local_time netclock_monotonic_now() { return 0; }
typedef struct netclock_request { uint32_t struct_size; int32_t reliable; uint64_t id; netclock_local_time client_time; } netclock_request;
typedef struct netclock_reply { uint32_t struct_size; uint32_t wait; uint64_t id; uint64_t epoch; netclock_server_time received; netclock_server_time sent; } netclock_reply;
#define NETCLOCK_DATAGRAM_SIZE 32
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
#define NETCLOCK_SAVED_SIZE 60
typedef struct netclock_config { uint32_t struct_size; uint32_t burst_count; double client_drift_ppm; double server_drift_ppm; double max_slew; int64_t step_threshold; int64_t max_round_trip; int64_t burst_interval; int64_t steady_interval; int64_t local_gap; int64_t holdover_after; int64_t target_bound; int64_t client_resolution; int64_t server_resolution; int64_t client_frame; int64_t server_frame; double client_rate_ppm; double client_rate_doubt_ppm; double server_rate_ppm; double server_rate_doubt_ppm; int64_t target_error; int64_t saved_seconds; uint64_t boot; uint8_t saved_machine[NETCLOCK_SAVED_SIZE]; uint8_t saved_server[NETCLOCK_SAVED_SIZE]; } netclock_config;
#define NETCLOCK_EVENT_SYNCED 1
#define NETCLOCK_EVENT_DISCONTINUITY 2
#define NETCLOCK_EVENT_DEGRADED 3
#define NETCLOCK_EVENT_HANDED_OVER 5
#define NETCLOCK_EVENT_LINKED 6
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
typedef struct netclock_sample { uint32_t struct_size; netclock_status status; uint64_t id; uint64_t epoch; netclock_local_time client_sent; netclock_server_time server_received; netclock_server_time server_sent; netclock_local_time client_received; int32_t path; uint32_t server_wait; uint32_t client_wait; uint32_t reserved; } netclock_sample;
typedef void (*netclock_tap_callback)(void *user_data, const struct netclock_sample *sample);
inline netclock_status netclock_client_set_tap(struct netclock_client *, netclock_tap_callback, void *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_TO_SERVER 1
typedef struct netclock_session_key { uint64_t secret_high; uint64_t secret_low; uint32_t id; uint32_t restarts; } netclock_session_key;
#define NETCLOCK_USED_MACHINE 1
#define NETCLOCK_USED_SERVER 2
inline netclock_status netclock_client_used_saved(const struct netclock_client *, int32_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_set_server_boot(struct netclock_client *, uint64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_save(struct netclock_client *, int64_t, void *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline uint64_t netclock_boot_id() { return 0; }
typedef int64_t netclock_world_time;
#define NETCLOCK_SEGMENT_SIZE 72
typedef struct netclock_world_segment { uint32_t struct_size; uint32_t instance; uint32_t version; int32_t paused; uint64_t server_epoch; netclock_server_time since; netclock_server_time real; netclock_world_time world; double rate; int64_t tolerance; netclock_server_time through; } netclock_world_segment;
inline netclock_status netclock_encode_segment(const struct netclock_world_segment *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_publisher netclock_publisher;
typedef struct netclock_publisher_config { uint32_t struct_size; uint32_t max_per_second; int64_t tolerance; int64_t read_lag; int64_t resolution; } netclock_publisher_config;
inline netclock_status netclock_publisher_create(const struct netclock_publisher_config *, uint64_t, uint32_t, struct netclock_publisher **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_publisher_destroy(struct netclock_publisher *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_publisher_observe(struct netclock_publisher *, netclock_server_time, netclock_world_time, double, int32_t, struct netclock_world_segment *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_publisher_newest(const struct netclock_publisher *, struct netclock_world_segment *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_timeline netclock_timeline;
typedef struct netclock_timeline_config { uint32_t struct_size; uint32_t sealed; double max_slew; int64_t step_threshold; double max_rate; uint32_t segments; uint32_t reserved; } netclock_timeline_config;
typedef struct netclock_world_reading { uint32_t struct_size; uint32_t epoch; netclock_world_time world_time; int64_t error_bound; int64_t error_bound_if_unchanged; int64_t ahead; int64_t jump; double rate; uint32_t instance; uint32_t version; int32_t paused; int32_t is_missing_news; } netclock_world_reading;
inline netclock_status netclock_timeline_create(const struct netclock_timeline_config *, struct netclock_timeline **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_timeline_destroy(struct netclock_timeline *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_timeline_insert(struct netclock_timeline *, const struct netclock_world_segment *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_timeline_confirm(struct netclock_timeline *, uint64_t, uint32_t, uint32_t, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_timeline_show(struct netclock_timeline *, const struct netclock_reading *, struct netclock_world_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_timeline_world_at(const struct netclock_timeline *, uint64_t, netclock_server_time, struct netclock_world_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_timeline_real_at(const struct netclock_timeline *, uint64_t, netclock_world_time, netclock_server_time *, netclock_server_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_ALREADY_KNOWN 403
typedef int64_t netclock_utc_time;
typedef struct netclock_utc_claim { uint32_t struct_size; uint32_t version; uint64_t server_epoch; netclock_utc_time zero; netclock_server_time read; int64_t bound; uint64_t drift_ppm; } netclock_utc_claim;
inline netclock_status netclock_utc_now(netclock_local_time *, netclock_utc_time *, int64_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_utc_publisher netclock_utc_publisher;
typedef struct netclock_utc_publisher_config { uint32_t struct_size; uint32_t drift_ppm; int64_t tolerance; int64_t refresh; } netclock_utc_publisher_config;
inline netclock_status netclock_utc_publisher_create(const struct netclock_utc_publisher_config *, uint64_t, struct netclock_utc_publisher **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_utc_publisher_destroy(struct netclock_utc_publisher *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_utc_publisher_observe(struct netclock_utc_publisher *, netclock_server_time, netclock_utc_time, int64_t, struct netclock_utc_claim *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_server_utc netclock_server_utc;
typedef struct netclock_utc_reading { uint32_t struct_size; uint32_t version; netclock_utc_time utc; int64_t error_bound; } netclock_utc_reading;
inline netclock_status netclock_server_utc_create(uint64_t, uint64_t, struct netclock_server_utc **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_server_utc_destroy(struct netclock_server_utc *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_server_utc_insert(struct netclock_server_utc *, const struct netclock_utc_claim *, int64_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_server_utc_read(const struct netclock_server_utc *, const struct netclock_reading *, struct netclock_utc_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_server_utc_server_time_at(const struct netclock_server_utc *, uint64_t, netclock_utc_time, netclock_server_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_NO_UTC 901
#define NETCLOCK_HOLD_UP_NONE 0
#define NETCLOCK_HOLD_UP_UNSYNCED 2
#define NETCLOCK_HOLD_UP_INACCURATE 3
#define NETCLOCK_HOLD_UP_TOO_SLOW 4
typedef struct netclock_organiser_config { uint32_t struct_size; uint32_t capacity; int64_t patience; int64_t max_expected_error; int64_t interval; int64_t frame; double loss; } netclock_organiser_config;
typedef struct netclock_start_proposal { uint32_t struct_size; int32_t hold_up; netclock_server_time at; uint64_t participant; uint32_t not_ready; uint32_t version; } netclock_start_proposal;
typedef struct netclock_start_participation { uint32_t struct_size; int32_t hold_up; int64_t lead; int64_t error_bound; int64_t expected_error; int64_t round_trip; double loss; int64_t lateness; int64_t lateness_bound; int32_t counted; int32_t acknowledged; } netclock_start_participation;
typedef struct netclock_organiser netclock_organiser;
inline netclock_status netclock_organiser_create(const struct netclock_organiser_config *, uint64_t, struct netclock_organiser **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_destroy(struct netclock_organiser *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_admit(struct netclock_organiser *, uint64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_remove(struct netclock_organiser *, uint64_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_propose(struct netclock_organiser *, netclock_server_time, double, struct netclock_start_proposal *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_cancel(struct netclock_organiser *, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_receive(struct netclock_organiser *, uint64_t, const void *, size_t, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_next_message(struct netclock_organiser *, netclock_server_time, uint64_t *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_organiser_participation(const struct netclock_organiser *, uint64_t, netclock_server_time, struct netclock_start_participation *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_STAGE_ANNOUNCED 1
#define NETCLOCK_STAGE_STARTED 2
#define NETCLOCK_STAGE_JOINED 3
typedef struct netclock_participant netclock_participant;
typedef struct netclock_start_progress { uint32_t struct_size; int32_t stage; int32_t fires; uint32_t version; netclock_server_time at; int64_t lateness; int64_t error_bound; int64_t expected_error; } netclock_start_progress;
inline netclock_status netclock_participant_create(uint64_t, struct netclock_participant **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_participant_destroy(struct netclock_participant *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_participant_receive(struct netclock_participant *, const void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_participant_tick(struct netclock_participant *, const struct netclock_client *, netclock_local_time, struct netclock_start_progress *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_participant_next_message(struct netclock_participant *, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_beat { netclock_server_time origin; int64_t next; uint32_t beats; uint32_t seconds; uint32_t max_steps; uint32_t max_behind; uint32_t begun; uint32_t reserved; } netclock_beat;
typedef struct netclock_beat_steps { int64_t first; int64_t count; int64_t skipped; int64_t behind; double alpha; } netclock_beat_steps;
inline netclock_status netclock_beat_at(const struct netclock_beat *, netclock_server_time, int64_t *, double *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_beat_advance(struct netclock_beat *, netclock_server_time, struct netclock_beat_steps *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_HELD_UP 601
#define NETCLOCK_ORDER_BEFORE 1
#define NETCLOCK_ORDER_AFTER 2
#define NETCLOCK_LIMIT_ARRIVAL 1
#define NETCLOCK_LIMIT_PATH 2
#define NETCLOCK_LIMIT_MAX_REWIND 3
typedef struct netclock_order_stamp { netclock_server_time time; int64_t error_bound; int64_t expected_error; } netclock_order_stamp;
typedef struct netclock_order_verdict { uint32_t struct_size; int32_t order; double probability; int32_t proven; int32_t reserved; } netclock_order_verdict;
typedef struct netclock_rewind_path { uint32_t struct_size; uint32_t reserved; int64_t round_trip; int64_t jitter; int64_t interpolation; int64_t max_rewind; } netclock_rewind_path;
typedef struct netclock_rewind_result { uint32_t struct_size; int32_t limit; netclock_server_time target; int64_t moved; netclock_server_time acted; int64_t error_bound; } netclock_rewind_result;
inline netclock_status netclock_arbitrate(const struct netclock_order_stamp *, const struct netclock_order_stamp *, int32_t, double, struct netclock_order_verdict *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_rewind(netclock_server_time, netclock_server_time, const struct netclock_rewind_path *, struct netclock_rewind_result *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_lead_config { uint32_t struct_size; uint32_t reserved; double quantile; int64_t server_frame; int64_t client_frame; int64_t send_interval; } netclock_lead_config;
typedef struct netclock_lead netclock_lead;
inline netclock_status netclock_lead_create(const struct netclock_lead_config *, struct netclock_lead **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_lead_destroy(struct netclock_lead *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_lead_note_sent(struct netclock_lead *, uint64_t, netclock_local_time, const struct netclock_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_lead_note_arrived(struct netclock_lead *, uint64_t, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_lead_note_received(struct netclock_lead *, netclock_server_time, netclock_local_time, const struct netclock_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_lead_suggest(const struct netclock_lead *, netclock_local_time, netclock_server_time *, netclock_server_time *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_latency netclock_latency;
typedef struct netclock_latency_config { uint32_t struct_size; int32_t hide; int64_t least_change; double max_speed_change; int64_t ramp; double hours_per_false_alarm; } netclock_latency_config;
typedef struct netclock_latency_change { uint32_t struct_size; int32_t direction; int64_t before; int64_t after; netclock_local_time since; netclock_local_time found; double confidence; } netclock_latency_change;
typedef struct netclock_latency_speed { uint32_t struct_size; int32_t is_hiding; double scale; int64_t done; int64_t remaining; } netclock_latency_speed;
inline netclock_status netclock_latency_create(const struct netclock_latency_config *, struct netclock_latency **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_latency_destroy(struct netclock_latency *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_latency_follow(struct netclock_latency *, const struct netclock_client *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_latency_next_change(struct netclock_latency *, struct netclock_latency_change *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_latency_read_speed(struct netclock_latency *, netclock_local_time, struct netclock_latency_speed *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_RATE_PLAUSIBLE 1
#define NETCLOCK_RATE_LIKELY 2
#define NETCLOCK_RATE_PROVEN 3
#define NETCLOCK_RATE_FAST 1
#define NETCLOCK_RATE_SLOW 2
#define NETCLOCK_RATE_ADDED 3
#define NETCLOCK_RATE_REMOVED 4
typedef struct netclock_rate_watch netclock_rate_watch;
typedef struct netclock_rate_watch_config { uint32_t struct_size; uint32_t reserved; double max_drift_ppm; int64_t max_delay; } netclock_rate_watch_config;
typedef struct netclock_rate_verdict { uint32_t struct_size; int32_t level; int32_t worst; int32_t finding; uint32_t findings; int32_t is_mean_known; int64_t gained; int64_t explained; int64_t duration; double mean_ppm; double mean_error_ppm; } netclock_rate_verdict;
inline netclock_status netclock_rate_watch_create(const struct netclock_rate_watch_config *, struct netclock_rate_watch **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_rate_watch_destroy(struct netclock_rate_watch *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_rate_watch_report(struct netclock_rate_watch *, netclock_local_time, netclock_server_time, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_rate_watch_excuse(struct netclock_rate_watch *, netclock_server_time, netclock_server_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_rate_watch_read(const struct netclock_rate_watch *, struct netclock_rate_verdict *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_authority { uint32_t struct_size; uint32_t reserved; uint64_t epoch; uint64_t timescale; int64_t dispersion; } netclock_authority;
inline netclock_status netclock_client_set_authority(struct netclock_client *, const struct netclock_authority *, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_authority(const struct netclock_client *, netclock_local_time, struct netclock_authority *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_client_respond_to_adoption(const struct netclock_client *, const void *, size_t, netclock_local_time, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_NO_LIARS 4294967295
typedef struct netclock_adoption_config { uint32_t struct_size; uint32_t liars; uint64_t timescale; double max_drift_ppm; int64_t resolution; } netclock_adoption_config;
typedef struct netclock_adoption_result { uint32_t struct_size; uint32_t answers; uint32_t agreeing; uint32_t reserved; uint64_t timescale; int64_t offset; int64_t dispersion; } netclock_adoption_result;
typedef struct netclock_adoption netclock_adoption;
inline netclock_status netclock_adoption_create(const struct netclock_adoption_config *, uint64_t, uint64_t, struct netclock_adoption **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_adoption_destroy(struct netclock_adoption *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_adoption_add_own_reading(struct netclock_adoption *, netclock_server_time, int64_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_adoption_request(struct netclock_adoption *, uint64_t, netclock_local_time, void *, size_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_adoption_handle_reply(struct netclock_adoption *, uint64_t, const void *, size_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_adoption_settle(const struct netclock_adoption *, netclock_local_time, struct netclock_adoption_result *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_TOO_FEW 301
#define NETCLOCK_NO_AGREEMENT (-302)
#define NETCLOCK_MAX_MESSAGE_SIZE 1024
#define NETCLOCK_GAME_HEADER_SIZE 20
#define NETCLOCK_FIRST_GAME_ID 256
typedef struct netclock_stream netclock_stream;
inline netclock_status netclock_stream_create(struct netclock_stream **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_stream_destroy(struct netclock_stream *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_stream_push(struct netclock_stream *, const void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_stream_next(struct netclock_stream *, void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_relay netclock_relay;
typedef struct netclock_relay_config { uint32_t struct_size; uint32_t games; uint32_t slots; uint32_t players; int64_t silence; int64_t patience; uint32_t budget; uint32_t queue; } netclock_relay_config;
typedef struct netclock_relay_game { uint32_t struct_size; uint32_t players; uint32_t generation; int32_t began; int32_t has_primary; int32_t reserved; uint64_t primary; uint64_t dropped; } netclock_relay_game;
inline netclock_status netclock_relay_create(const struct netclock_relay_config *, uint64_t, uint64_t, struct netclock_relay **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_destroy(struct netclock_relay *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_receive(struct netclock_relay *, uint64_t, const void *, size_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_disconnect(struct netclock_relay *, uint64_t, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_next_message(struct netclock_relay *, netclock_local_time, uint64_t *, void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_relay_read_game(const struct netclock_relay *, uint64_t, struct netclock_relay_game *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_PEER_WAITING 1
#define NETCLOCK_PEER_SYNCED 2
#define NETCLOCK_PEER_PLAYING 3
#define NETCLOCK_PEER_ENDED 4
#define NETCLOCK_ROLE_PRIMARY 1
#define NETCLOCK_ROLE_SECONDARY 2
#define NETCLOCK_REJECTED_VERSION 1
#define NETCLOCK_REJECTED_FULL 2
#define NETCLOCK_REJECTED_DUPLICATE 3
#define NETCLOCK_REJECTED_LOGIN 4
typedef struct netclock_peer netclock_peer;
typedef struct netclock_peer_reading { uint32_t struct_size; int32_t stage; int32_t role; int32_t state; uint32_t slot; uint32_t players; uint32_t epoch; int32_t rejection; netclock_server_time time; int64_t error_bound; int64_t expected_error; int64_t inherited; int64_t round_trip; uint64_t authority; } netclock_peer_reading;
typedef struct netclock_peer_game_message { uint32_t struct_size; uint32_t id; uint32_t slot; uint32_t stamp; netclock_server_time time; } netclock_peer_game_message;
inline netclock_status netclock_peer_create(const struct netclock_config *, uint64_t, uint64_t, uint64_t, struct netclock_peer **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_destroy(struct netclock_peer *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_receive(struct netclock_peer *, const void *, size_t, netclock_local_time, struct netclock_peer_game_message *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_tick(struct netclock_peer *, netclock_local_time) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_next_message(struct netclock_peer *, netclock_local_time, void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_read(const struct netclock_peer *, netclock_local_time, struct netclock_peer_reading *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_stamp(const struct netclock_peer *, netclock_local_time, uint16_t, const void *, size_t, void *, size_t, size_t *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_peer_leave(struct netclock_peer *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_INCOMPLETE 801
#define NETCLOCK_GAME_MESSAGE 802
#endif

#if !WITH_NETCLOCK_LINK
#define NETCLOCK_LINK_LINKED 2
#define NETCLOCK_LINK_BLOCKED 3
#define NETCLOCK_LINK_NOT_POSSIBLE 4
#define NETCLOCK_LINK_SERVING 5
#define NETCLOCK_LINK_NO_STAMPS 20
#define NETCLOCK_LINK_STAMPS_KERNEL 21
typedef struct netclock_link_report { uint32_t struct_size; int32_t state; int32_t trouble; int32_t stamps; uint64_t requests; uint64_t replies; uint64_t foreign; uint64_t refused; uint64_t unsent; int32_t mark; int32_t reserved; } netclock_link_report;
typedef struct netclock_link_server_config { uint32_t struct_size; uint32_t flags; uint32_t capacity; uint32_t answers; int64_t clock_offset; } netclock_link_server_config;
typedef struct netclock_link_server netclock_link_server;
inline netclock_status netclock_link_server_create(const struct netclock_link_server_config *, const char *, uint16_t, uint64_t, struct netclock_link_server **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_destroy(struct netclock_link_server *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_admit(struct netclock_link_server *, const struct netclock_session_key *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_revoke(struct netclock_link_server *, uint32_t) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_server_report(const struct netclock_link_server *, struct netclock_link_report *) { return NETCLOCK_UNKNOWN_HANDLE; }
typedef struct netclock_link_client_config { uint32_t struct_size; uint32_t flags; int64_t clock_offset; int64_t steady_interval; int64_t message_interval; } netclock_link_client_config;
typedef struct netclock_link_client netclock_link_client;
inline netclock_status netclock_link_client_create(const struct netclock_link_client_config *, struct netclock_client *, const char *, uint16_t, const struct netclock_session_key *, struct netclock_link_client **) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_client_destroy(struct netclock_link_client *) { return NETCLOCK_UNKNOWN_HANDLE; }
inline netclock_status netclock_link_client_report(const struct netclock_link_client *, struct netclock_link_report *) { return NETCLOCK_UNKNOWN_HANDLE; }
#define NETCLOCK_PORT_IN_USE (-1001)
#define NETCLOCK_NO_PERMISSION (-1002)
#endif
