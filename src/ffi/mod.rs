//! The C ABI. This is the only room with unsafe code; it holds no logic of its own.
//!
//! | function | file |
//! |---|---|
//! | `netclock_abi_version`, `netclock_status_text` | `status.rs` |
//! | `netclock_config_default` | `config.rs` |
//! | `netclock_client_create`, `_destroy` | `client.rs` |
//! | `netclock_client_tick`, `_make_request`, `_handle_reply`, `_handle_exchange`, `_update_server_time`, `_next_event` | `client.rs` |
//! | `netclock_client_current_server_time`, `_is_time_synced`, `_read`, `_local_time_at` | `reading.rs` |
//! | `netclock_server_create`, `_destroy`, `_respond` | `server.rs` |
//! | `netclock_monotonic_now` | `monotonic.rs` |
//! | `netclock_encode_request`, `_decode_request`, `_encode_reply`, `_decode_reply` | `wire.rs` |
//!
//! Every entry goes through [`boundary`]: null and size checks, one panic boundary, a status for every outcome.

#![expect(unsafe_code, reason = "pointers from C are dereferenced here and nowhere else")]
#![expect(unreachable_pub, reason = "what is `pub` here is exported to C, not to Rust")]

mod status;

mod config;

mod client;

mod reading;

mod server;

mod wire;

mod monotonic;

mod boundary;
