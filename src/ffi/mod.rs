//! The C ABI. This is the only room with unsafe code; it holds no logic of its own.
//!
//! | function | gives or does | file |
//! |---|---|---|
//! | `netclock_abi_version` | version of the binary interface | `base/status.rs` |
//! | `netclock_status_text` | what a status means | `base/status.rs` |
//! | `netclock_last_error` | what exactly was wrong | `base/last_error.rs` |
//! | `netclock_config_default` | the default settings | `client/config.rs` |
//! | `netclock_client_create` | a client that knows nothing yet | `client/handle.rs` |
//! | `netclock_client_destroy` | gives it back | `client/handle.rs` |
//! | `netclock_client_tick` | what is due now: call it every frame | `client/handle.rs` |
//! | `netclock_client_make_request` | a request at a time of the caller's choice | `client/handle.rs` |
//! | `netclock_client_handle_reply` | a reply to a request | `client/handle.rs` |
//! | `netclock_client_handle_exchange` | the same as four stamps | `client/handle.rs` |
//! | `netclock_client_update_server_time` | the same as two stamps and a round trip | `client/handle.rs` |
//! | `netclock_client_next_event` | what happened to the clock | `client/event.rs` |
//! | `netclock_client_set_log` | a callback for messages | `client/log.rs` |
//! | `netclock_client_set_tap` | a callback for exchanges | `client/tap.rs` |
//! | `netclock_client_current_server_time` | the clock | `client/reading.rs` |
//! | `netclock_client_is_time_synced` | whether there is one | `client/reading.rs` |
//! | `netclock_client_read` | the clock, and how good it is | `client/reading.rs` |
//! | `netclock_client_local_time_at` | its inverse | `client/reading.rs` |
//! | `netclock_server_create` | a server | `server/responder.rs` |
//! | `netclock_server_destroy` | gives it back | `server/responder.rs` |
//! | `netclock_server_respond` | the reply to a request | `server/responder.rs` |
//! | `netclock_rate_watch_create` | a watch over the clock of one client | `server/rate_watch.rs` |
//! | `netclock_rate_watch_destroy` | gives it back | `server/rate_watch.rs` |
//! | `netclock_rate_watch_report` | a stamped message arrived | `server/rate_watch.rs` |
//! | `netclock_rate_watch_excuse` | what is no evidence | `server/rate_watch.rs` |
//! | `netclock_rate_watch_read` | what it thinks of the client | `server/rate_watch.rs` |
//! | `netclock_encode_request` | a request as a datagram | `exchange/wire.rs` |
//! | `netclock_decode_request` | and back | `exchange/wire.rs` |
//! | `netclock_encode_reply` | a reply as a datagram | `exchange/wire.rs` |
//! | `netclock_decode_reply` | and back | `exchange/wire.rs` |
//! | `netclock_publisher_create` | the server's side of a world's clock | `timeline/publisher.rs` |
//! | `netclock_publisher_destroy` | gives it back | `timeline/publisher.rs` |
//! | `netclock_publisher_begin_world` | another world begins | `timeline/publisher.rs` |
//! | `netclock_publisher_observe` | a frame, and perhaps a segment to be published | `timeline/publisher.rs` |
//! | `netclock_publisher_newest` | the newest segment, for who joins | `timeline/publisher.rs` |
//! | `netclock_timeline_create` | a client's side of it | `timeline/handle.rs` |
//! | `netclock_timeline_destroy` | gives it back | `timeline/handle.rs` |
//! | `netclock_timeline_insert` | a segment that arrived | `timeline/handle.rs` |
//! | `netclock_timeline_confirm` | that it is still in force | `timeline/handle.rs` |
//! | `netclock_timeline_show` | the world's time, to be shown | `timeline/handle.rs` |
//! | `netclock_timeline_world_at` | the world's time at any real one | `timeline/handle.rs` |
//! | `netclock_timeline_real_at` | and back | `timeline/handle.rs` |
//! | `netclock_timeline_age_of_real` | how long ago a real time was | `timeline/handle.rs` |
//! | `netclock_timeline_age_of_world` | how long ago a world's time was | `timeline/handle.rs` |
//! | `netclock_encode_segment` | a segment as a datagram | `timeline/segment.rs` |
//! | `netclock_decode_segment` | and back | `timeline/segment.rs` |
//! | `netclock_ticks_from_seconds` | seconds of a game as ticks | `timeline/seconds.rs` |
//! | `netclock_seconds_from_ticks` | and back | `timeline/seconds.rs` |
//! | `netclock_arbitrate` | which of two events came first | `order/arbitrate.rs` |
//! | `netclock_rewind` | what a client saw when it acted | `order/arbitrate.rs` |
//! | `netclock_lead_create` | a prediction lead | `order/lead.rs` |
//! | `netclock_lead_destroy` | gives it back | `order/lead.rs` |
//! | `netclock_lead_note` | a message that it learns from | `order/lead.rs` |
//! | `netclock_lead_suggest` | how far ahead and behind | `order/lead.rs` |
//! | `netclock_organiser_create` | plans starts on the server | `start/organiser.rs` |
//! | `netclock_organiser_destroy` | gives it back | `start/organiser.rs` |
//! | `netclock_organiser_admit` | somebody who takes part | `start/organiser.rs` |
//! | `netclock_organiser_leave_out` | not any more | `start/organiser.rs` |
//! | `netclock_organiser_propose` | when to start, or who holds it up | `start/organiser.rs` |
//! | `netclock_organiser_cancel` | not now | `start/organiser.rs` |
//! | `netclock_organiser_receive` | a datagram from a participant | `start/organiser.rs` |
//! | `netclock_organiser_next_message` | a datagram to a participant | `start/organiser.rs` |
//! | `netclock_organiser_participation` | how a participant is doing | `start/organiser.rs` |
//! | `netclock_organiser_outcome` | who started, and when | `start/organiser.rs` |
//! | `netclock_participant_create` | takes part in starts, on a client | `start/participant.rs` |
//! | `netclock_participant_destroy` | gives it back | `start/participant.rs` |
//! | `netclock_participant_receive` | a datagram from the organiser | `start/participant.rs` |
//! | `netclock_participant_tick` | whether to start in this frame | `start/participant.rs` |
//! | `netclock_participant_next_message` | a datagram to the organiser | `start/participant.rs` |
//! | `netclock_beat_at` | the number of a beat, and how much of it has passed | `start/beat.rs` |
//! | `netclock_beat_time` | when a beat begins | `start/beat.rs` |
//! | `netclock_beat_advance` | which steps to run now | `start/beat.rs` |
//! | `netclock_client_go_on_with` | another authority, and how far its clock may be off | `client/authority.rs` |
//! | `netclock_client_authority` | whose clock is shown | `client/authority.rs` |
//! | `netclock_client_begin_burst` | asks another server at once | `client/authority.rs` |
//! | `netclock_client_inquire` | asks whose clock it is | `client/authority.rs` |
//! | `netclock_client_handle_statement` | what a server states | `client/authority.rs` |
//! | `netclock_client_answer` | what time it is, for a new server | `client/authority.rs` |
//! | `netclock_state_authority` | what a server answers to an inquiry | `client/authority.rs` |
//! | `netclock_adoption_create` | takes a timescale over | `server/adoption.rs` |
//! | `netclock_adoption_destroy` | gives it back | `server/adoption.rs` |
//! | `netclock_adoption_trust` | what the new server knows itself | `server/adoption.rs` |
//! | `netclock_adoption_question` | what to ask a client | `server/adoption.rs` |
//! | `netclock_adoption_answer` | what it said | `server/adoption.rs` |
//! | `netclock_adoption_settle` | the timescale on the new server's clock | `server/adoption.rs` |
//! | `netclock_frames_create` | takes messages out of a stream | `peer/stream.rs` |
//! | `netclock_frames_destroy` | gives it back | `peer/stream.rs` |
//! | `netclock_frames_push` | bytes that were read | `peer/stream.rs` |
//! | `netclock_frames_next` | a whole message | `peer/stream.rs` |
//! | `netclock_relay_create` | forwards between peers that share a clock | `peer/relay.rs` |
//! | `netclock_relay_destroy` | gives it back | `peer/relay.rs` |
//! | `netclock_relay_receive` | a message from a peer | `peer/relay.rs` |
//! | `netclock_relay_disconnect` | a peer is gone | `peer/relay.rs` |
//! | `netclock_relay_next_message` | a message to a peer | `peer/relay.rs` |
//! | `netclock_relay_session` | how a game is doing | `peer/relay.rs` |
//! | `netclock_peer_create` | shares a clock with others through a relay | `peer/handle.rs` |
//! | `netclock_peer_destroy` | gives it back | `peer/handle.rs` |
//! | `netclock_peer_receive` | a message from the relay | `peer/handle.rs` |
//! | `netclock_peer_tick` | what is due | `peer/handle.rs` |
//! | `netclock_peer_next_message` | a message to the relay | `peer/handle.rs` |
//! | `netclock_peer_read` | the shared clock, and how good it is | `peer/handle.rs` |
//! | `netclock_peer_stamp` | a message of the game, stamped | `peer/handle.rs` |
//! | `netclock_peer_leave` | says good-bye | `peer/handle.rs` |
//! | `netclock_latency_create` | a watch over the latency | `latency/handle.rs` |
//! | `netclock_latency_destroy` | gives it back | `latency/handle.rs` |
//! | `netclock_latency_follow` | an exchange of a client | `latency/handle.rs` |
//! | `netclock_latency_learn` | the same as four stamps | `latency/handle.rs` |
//! | `netclock_latency_next_change` | what became of the latency | `latency/handle.rs` |
//! | `netclock_latency_read` | what it is | `latency/handle.rs` |
//! | `netclock_latency_read_speed` | the speed that hides a change | `latency/handle.rs` |
//! | `netclock_monotonic_now` | a time base for callers that have none | `base/monotonic.rs` |
//!
//! Every entry goes through [`base::boundary`]: null and size checks, one panic boundary, a status for every
//! outcome and its details in the last error.

#![expect(unsafe_code, reason = "pointers from C are dereferenced here and nowhere else")]
#![expect(unreachable_pub, reason = "what is `pub` here is exported to C, not to Rust")]

// In the order of the header: a blank line between two modules keeps it.

mod base;

mod exchange;

mod client;

mod server;

mod timeline;

mod order;

mod start;

mod latency;

mod peer;

#[cfg(test)]
mod tests;
