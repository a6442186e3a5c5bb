//! The C ABI. This is the only room with unsafe code; it holds no logic of its own.
//!
//! | function | gives or does | file |
//! |---|---|---|
//! | `netclock_abi_version` | version of the binary interface | `status.rs` |
//! | `netclock_status_text` | what a status means | `status.rs` |
//! | `netclock_last_error` | what exactly was wrong | `last_error.rs` |
//! | `netclock_config_default` | the default settings | `config.rs` |
//! | `netclock_client_create` | a client that knows nothing yet | `client.rs` |
//! | `netclock_client_destroy` | gives it back | `client.rs` |
//! | `netclock_client_tick` | what is due now: call it every frame | `client.rs` |
//! | `netclock_client_make_request` | a request at a time of the caller's choice | `client.rs` |
//! | `netclock_client_handle_reply` | a reply to a request | `client.rs` |
//! | `netclock_client_handle_exchange` | the same as four stamps | `client.rs` |
//! | `netclock_client_update_server_time` | the same as two stamps and a round trip | `client.rs` |
//! | `netclock_client_next_event` | what happened to the clock | `event.rs` |
//! | `netclock_client_set_log` | a callback for messages | `log.rs` |
//! | `netclock_client_set_tap` | a callback for exchanges | `tap.rs` |
//! | `netclock_client_current_server_time` | the clock | `reading.rs` |
//! | `netclock_client_is_time_synced` | whether there is one | `reading.rs` |
//! | `netclock_client_read` | the clock, and how good it is | `reading.rs` |
//! | `netclock_client_local_time_at` | its inverse | `reading.rs` |
//! | `netclock_server_create` | a server | `server.rs` |
//! | `netclock_server_destroy` | gives it back | `server.rs` |
//! | `netclock_server_respond` | the reply to a request | `server.rs` |
//! | `netclock_rate_watch_create` | a watch over the clock of one client | `rate_watch.rs` |
//! | `netclock_rate_watch_destroy` | gives it back | `rate_watch.rs` |
//! | `netclock_rate_watch_report` | a stamped message arrived | `rate_watch.rs` |
//! | `netclock_rate_watch_excuse` | what is no evidence | `rate_watch.rs` |
//! | `netclock_rate_watch_read` | what it thinks of the client | `rate_watch.rs` |
//! | `netclock_encode_request` | a request as a datagram | `wire.rs` |
//! | `netclock_decode_request` | and back | `wire.rs` |
//! | `netclock_encode_reply` | a reply as a datagram | `wire.rs` |
//! | `netclock_decode_reply` | and back | `wire.rs` |
//! | `netclock_publisher_create` | the server's side of a world's clock | `publisher.rs` |
//! | `netclock_publisher_destroy` | gives it back | `publisher.rs` |
//! | `netclock_publisher_begin_world` | another world begins | `publisher.rs` |
//! | `netclock_publisher_observe` | a frame, and perhaps a segment to be published | `publisher.rs` |
//! | `netclock_publisher_newest` | the newest segment, for who joins | `publisher.rs` |
//! | `netclock_timeline_create` | a client's side of it | `timeline.rs` |
//! | `netclock_timeline_destroy` | gives it back | `timeline.rs` |
//! | `netclock_timeline_insert` | a segment that arrived | `timeline.rs` |
//! | `netclock_timeline_confirm` | that it is still in force | `timeline.rs` |
//! | `netclock_timeline_show` | the world's time, to be shown | `timeline.rs` |
//! | `netclock_timeline_world_at` | the world's time at any real one | `timeline.rs` |
//! | `netclock_timeline_real_at` | and back | `timeline.rs` |
//! | `netclock_timeline_age_of_real` | how long ago a real time was | `timeline.rs` |
//! | `netclock_timeline_age_of_world` | how long ago a world's time was | `timeline.rs` |
//! | `netclock_encode_segment` | a segment as a datagram | `segment.rs` |
//! | `netclock_decode_segment` | and back | `segment.rs` |
//! | `netclock_ticks_from_seconds` | seconds of a game as ticks | `seconds.rs` |
//! | `netclock_seconds_from_ticks` | and back | `seconds.rs` |
//! | `netclock_arbitrate` | which of two events came first | `order.rs` |
//! | `netclock_rewind` | what a client saw when it acted | `order.rs` |
//! | `netclock_lead_create` | a prediction lead | `lead.rs` |
//! | `netclock_lead_destroy` | gives it back | `lead.rs` |
//! | `netclock_lead_note` | a message that it learns from | `lead.rs` |
//! | `netclock_lead_suggest` | how far ahead and behind | `lead.rs` |
//! | `netclock_organiser_create` | plans starts on the server | `organiser.rs` |
//! | `netclock_organiser_destroy` | gives it back | `organiser.rs` |
//! | `netclock_organiser_admit` | somebody who takes part | `organiser.rs` |
//! | `netclock_organiser_leave_out` | not any more | `organiser.rs` |
//! | `netclock_organiser_propose` | when to start, or who holds it up | `organiser.rs` |
//! | `netclock_organiser_cancel` | not now | `organiser.rs` |
//! | `netclock_organiser_receive` | a datagram from a participant | `organiser.rs` |
//! | `netclock_organiser_next_message` | a datagram to a participant | `organiser.rs` |
//! | `netclock_organiser_participation` | how a participant is doing | `organiser.rs` |
//! | `netclock_organiser_outcome` | who started, and when | `organiser.rs` |
//! | `netclock_participant_create` | takes part in starts, on a client | `participant.rs` |
//! | `netclock_participant_destroy` | gives it back | `participant.rs` |
//! | `netclock_participant_receive` | a datagram from the organiser | `participant.rs` |
//! | `netclock_participant_tick` | whether to start in this frame | `participant.rs` |
//! | `netclock_participant_next_message` | a datagram to the organiser | `participant.rs` |
//! | `netclock_beat_at` | the number of a beat, and how much of it has passed | `beat.rs` |
//! | `netclock_beat_time` | when a beat begins | `beat.rs` |
//! | `netclock_beat_advance` | which steps to run now | `beat.rs` |
//! | `netclock_client_go_on_with` | another authority, and how far its clock may be off | `handover.rs` |
//! | `netclock_client_authority` | whose clock is shown | `handover.rs` |
//! | `netclock_client_begin_burst` | asks another server at once | `handover.rs` |
//! | `netclock_client_inquire` | asks whose clock it is | `handover.rs` |
//! | `netclock_client_handle_statement` | what a server states | `handover.rs` |
//! | `netclock_client_answer` | what time it is, for a new server | `handover.rs` |
//! | `netclock_state_authority` | what a server answers to an inquiry | `handover.rs` |
//! | `netclock_adoption_create` | takes a timescale over | `adoption.rs` |
//! | `netclock_adoption_destroy` | gives it back | `adoption.rs` |
//! | `netclock_adoption_trust` | what the new server knows itself | `adoption.rs` |
//! | `netclock_adoption_question` | what to ask a client | `adoption.rs` |
//! | `netclock_adoption_answer` | what it said | `adoption.rs` |
//! | `netclock_adoption_settle` | the timescale on the new server's clock | `adoption.rs` |
//! | `netclock_frames_create` | takes messages out of a stream | `frames.rs` |
//! | `netclock_frames_destroy` | gives it back | `frames.rs` |
//! | `netclock_frames_push` | bytes that were read | `frames.rs` |
//! | `netclock_frames_next` | a whole message | `frames.rs` |
//! | `netclock_relay_create` | forwards between peers that share a clock | `relay.rs` |
//! | `netclock_relay_destroy` | gives it back | `relay.rs` |
//! | `netclock_relay_receive` | a message from a peer | `relay.rs` |
//! | `netclock_relay_disconnect` | a peer is gone | `relay.rs` |
//! | `netclock_relay_next_message` | a message to a peer | `relay.rs` |
//! | `netclock_relay_session` | how a game is doing | `relay.rs` |
//! | `netclock_peer_create` | shares a clock with others through a relay | `peer.rs` |
//! | `netclock_peer_destroy` | gives it back | `peer.rs` |
//! | `netclock_peer_receive` | a message from the relay | `peer.rs` |
//! | `netclock_peer_tick` | what is due | `peer.rs` |
//! | `netclock_peer_next_message` | a message to the relay | `peer.rs` |
//! | `netclock_peer_read` | the shared clock, and how good it is | `peer.rs` |
//! | `netclock_peer_stamp` | a message of the game, stamped | `peer.rs` |
//! | `netclock_peer_leave` | says good-bye | `peer.rs` |
//! | `netclock_latency_create` | a watch over the latency | `latency.rs` |
//! | `netclock_latency_destroy` | gives it back | `latency.rs` |
//! | `netclock_latency_follow` | an exchange of a client | `latency.rs` |
//! | `netclock_latency_learn` | the same as four stamps | `latency.rs` |
//! | `netclock_latency_next_change` | what became of the latency | `latency.rs` |
//! | `netclock_latency_read` | what it is | `latency.rs` |
//! | `netclock_latency_read_speed` | the speed that hides a change | `latency.rs` |
//! | `netclock_monotonic_now` | a time base for callers that have none | `monotonic.rs` |
//!
//! Every entry goes through [`boundary`]: null and size checks, one panic boundary, a status for every
//! outcome and its details in the last error.

#![expect(unsafe_code, reason = "pointers from C are dereferenced here and nowhere else")]
#![expect(unreachable_pub, reason = "what is `pub` here is exported to C, not to Rust")]

// In the order of the header.

mod status;

mod last_error;

mod config;

mod client;

mod event;

mod log;

mod tap;

mod reading;

mod server;

mod rate_watch;

mod wire;

mod segment;

mod publisher;

mod timeline;

mod order;
mod seconds;

mod lead;
mod proposal;

mod organiser;

mod participant;

mod beat;

mod frames;

mod handover;

mod adoption;

mod relay;

mod latency;

mod peer;

mod monotonic;

mod boundary;

mod failure;

mod hooks;

mod owned;

mod registry;

mod text;

#[cfg(test)]
mod tests;
