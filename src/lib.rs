//! NetClock: the server's time on every client of a multiplayer game. Accurate, smooth, never backwards, with
//! an honest error bound.
//!
//! The caller passes in time and messages, and sends what the crate returns. Only [`link::sockets`] opens
//! sockets and starts threads. Memory is allocated only when something is created.
//!
//! # The run loop
//!
//! Server, for every request that arrives:
//!
//! ```
//! use netclock::{Request, Responder, ServerTime, wire};
//!
//! # fn on_datagram(bytes: &[u8], now: impl Fn() -> ServerTime) -> Option<wire::Datagram> {
//! let responder = Responder::new(0x5EED); // once per start: a random number that names this run
//! let received = now(); // as close to the socket as possible
//! let request: Request = wire::decode_request(bytes).ok()?;
//! let reply = responder.respond(&request, received, now()).ok()?;
//! wire::encode_reply(&reply).ok() // send this back
//! # }
//! ```
//!
//! Client, every frame:
//!
//! ```
//! use netclock::{Client, Config, LocalTime, wire};
//!
//! # type Arrived = Option<(Vec<u8>, LocalTime)>;
//! # fn frame(client: &mut Client, now: LocalTime, arrived: Arrived, send: impl Fn(wire::Datagram)) {
//! if let Some((bytes, at)) = arrived {
//!     if let Ok(reply) = wire::decode_reply(&bytes) {
//!         let _ = client.handle_reply(&reply, at); // a refused reply changes nothing
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
//! - Local time is a monotonic clock of any origin, never the wall clock. [`monotonic_now`] is one that no
//!   time service slews.
//! - Errors are input; panics are bugs. What is refused changes nothing.
//! - `offset = server - local`; positive: the server is ahead. Rates are of the server's clock against the
//!   local one.
//! - A [`Client`] has one owner; [`Reader`]s are for every other thread.
//!
//! # Where to look
//!
//! The clock: [`Client`] and [`Reader`] show the time, [`Responder`] answers requests, [`wire`] has the
//! datagrams, [`keyed`] and [`SessionKeys`] seal them. [`authority`] is for time that outlives a server.
//!
//! The feature `link`, on by default: [`link`] is a transport of its own beside the game's.
//!
//! The feature `game`, on by default, is what games do with the clock: [`timeline`] world time, [`utc`] the
//! server's UTC, [`order`] which event came first, [`start`] starts at one instant, [`latency`] changed
//! delays. [`watch`] finds clients' clocks that run fast, [`adoption`] a new server that takes over, [`peer`]
//! is for peers at a relay.
//!
//! The feature `session`, on by default, carries the clock, world time, UTC, authority, starts and link
//! offers in one conversation: [`session`] has both ends, and the game carries their datagrams.

// The clock, which is all that most programs need.
mod clock;

// The machine's clocks, for callers who have none.
mod os;

// A transport of its own, with the only sockets and threads.
#[cfg(feature = "link")]
pub mod link;

// What games do with the clock.
#[cfg(feature = "game")]
mod game;

// One conversation that carries all of it.
#[cfg(feature = "session")]
pub mod session;

// All of it, for C.
mod ffi;

// For fuzz targets and benches: the C ABI as C calls it, by its symbols.
#[doc(hidden)]
#[expect(unsafe_code, reason = "declared here, called by them")]
pub mod c {
    use core::ffi::{c_char, c_void};
    include!(concat!(env!("OUT_DIR"), "/entries.rs"));
}

pub use clock::{
    Cause, Client, Config, ConfigError, CreateError, Degradation, Direction, Earlier, Event, Exchange,
    KeyCounts, Local, LocalTime, MAX_INSTANT_TICKS, RateHint, Reader, Reading, Refusal, Reply, Request,
    RequestId, RespondError, Responder, SAVED_SIZE, Sample, Saved, Server, ServerTime, SessionKeys,
    SessionKeysConfig, Span, State, TICKS_PER_SECOND, Time, TimeError, Utc, UtcTime, WireError, World,
    WorldTime, authority, keyed, wire,
};
#[cfg(feature = "game")]
pub use game::utc::utc_now;
#[cfg(feature = "game")]
pub use game::{adoption, latency, order, peer, start, timeline, utc, watch};
pub use os::{boot_id, monotonic_now, rate_hint};
