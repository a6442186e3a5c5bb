//! NetClock provides the server's time on every client of a multiplayer game. The time is accurate and
//! smooth, never runs backwards, and has a guaranteed error bound.
//!
//! The caller passes in times and received messages, and sends the messages that the crate returns. Only
//! [`link::sockets`] opens sockets and starts threads. Memory is allocated only when objects are created.
//!
//! # The run loop
//!
//! On the server, for every request that arrives:
//!
//! ```
//! use netclock::{Request, Responder, ServerTime, wire};
//!
//! # fn on_datagram(bytes: &[u8], now: impl Fn() -> ServerTime) -> Option<wire::Datagram> {
//! let responder = Responder::new(0x5EED); // a random number, drawn at each start
//! let received = now(); // as close to the socket as possible
//! let request: Request = wire::decode_request(bytes).ok()?;
//! let reply = responder.respond(&request, received, now()).ok()?;
//! wire::encode_reply(&reply).ok() // send this back
//! # }
//! ```
//!
//! On the client, in every frame:
//!
//! ```
//! use netclock::{Client, Config, LocalTime, wire};
//!
//! # type Arrived = Option<(Vec<u8>, LocalTime)>;
//! # fn frame(client: &mut Client, now: LocalTime, arrived: Arrived, send: impl Fn(wire::Datagram)) {
//! if let Some((bytes, at)) = arrived {
//!     if let Ok(reply) = wire::decode_reply(&bytes) {
//!         let _ = client.handle_reply(&reply, at); // a rejected reply changes nothing
//!     }
//! }
//! if let Ok(Some(request)) = client.tick(now) {
//!     if let Ok(datagram) = wire::encode_request(&request) {
//!         send(datagram);
//!     }
//! }
//! while let Some(event) = client.next_event() {
//!     println!("{event:?}");
//! }
//! if let Some(server_time) = client.current_server_time(now) {
//!     println!("{server_time:?} ± {}", client.read(now).error_bound);
//! }
//! # }
//! # let mut client = Client::new(Config::default(), 7).unwrap();
//! # frame(&mut client, LocalTime::from_ticks(0), None, |_| {});
//! ```
//!
//! # Rules
//!
//! - Local time comes from a monotonic clock with an arbitrary origin, never from the wall clock. No time
//!   service slews [`monotonic_now`].
//! - Errors are caused by input, and panics are caused by bugs. A rejected call changes nothing.
//! - `offset = server - local` is positive if the server is ahead. A rate is positive if the server's clock
//!   is faster than the local clock.
//! - A [`Client`] has a single owner. Other threads use a [`Reader`].
//!
//! # Where to look
//!
//! [`Client`] and [`Reader`] show the time, [`Responder`] answers requests, [`wire`] encodes the datagrams,
//! and [`keyed`] seals them. With [`authority`], a game can move to another server.
//!
//! The default feature `link` adds [`link`], a transport that is separate from the game's transport.
//!
//! The default feature `game` adds world time ([`timeline`]), the server's UTC ([`utc`]), the order of events
//! ([`order`]), synchronised starts ([`start`]), and latency changes ([`latency`]). [`watch`] detects client
//! clocks that run fast, and [`peer`] shares a clock among peers that use a relay.
//!
//! The default feature `session` adds [`session`]. A session combines the clock, world time, UTC, authority,
//! starts and link offers in one protocol. The game transports its datagrams.

mod clock;

// Reads the machine's clocks for callers that do not provide their own.
mod os;

// A separate transport. Only this module opens sockets and starts threads.
#[cfg(feature = "link")]
pub mod link;

// Game features that build on the clock.
#[cfg(feature = "game")]
mod game;

// One protocol that combines all of the above.
#[cfg(feature = "session")]
pub mod session;

// The C ABI.
mod ffi;

pub use clock::{
    Cause, Client, Config, ConfigError, CreateError, Degradation, Direction, Earlier, Event, Exchange, Local,
    LocalTime, MAX_INSTANT_TICKS, RateHint, Reader, Reading, Refusal, Reply, Request, RequestId,
    RespondError, Responder, SAVED_SIZE, Sample, Saved, Server, ServerTime, Span, State, TICKS_PER_SECOND,
    Time, TimeError, Utc, UtcTime, WireError, World, WorldTime, authority, keyed, wire,
};
#[doc(hidden)]
pub use ffi::c;
#[cfg(feature = "game")]
pub use game::utc::utc_now;
#[cfg(feature = "game")]
pub use game::{latency, order, peer, start, timeline, utc, watch};
pub use os::{boot_id, monotonic_now, rate_hint};
