//! NetClock: the server's time on every client of a multiplayer game. Accurate, smooth, never backwards, with an
//! honest error bound.
//!
//! The crate does no I/O, starts no threads, reads no clock and allocates only when something is created. Time
//! and messages are passed in; what to send is handed back.
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
//! # fn frame(client: &mut Client, now: LocalTime, arrived: Option<(Vec<u8>, LocalTime)>, send: impl Fn(wire::Datagram)) {
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
//! - Local time is a monotonic clock of any origin, never the wall clock. Errors are input; panics are bugs.
//! - `offset = server - local`; positive: the server is ahead. Rates are of the server against the local clock.
//! - A [`Client`] has one owner; [`Reader`]s are for every other thread.

mod client;
mod clock;
mod config;
mod error;
mod estimate;
mod exchange;
mod ffi;
mod handover;
pub mod latency;
pub mod order;
pub mod peer;
mod server;
mod start;
mod sync;
mod time;
mod timeline;

pub use client::{Cause, Client, Degradation, Event, Reader, Sample};
pub use clock::{Reading, State};
pub use config::Config;
pub use error::{
    AdoptionError, AuthorityError, ConfigError, OrderError, Refusal, RespondError, TimeError, WireError,
};
pub use exchange::{Exchange, Reply, Request, RequestId, wire};
pub use handover::{
    Adopted, Adoption, AdoptionConfig, Answer, Authority, Inquiry, MAX_DISPERSION, Question, Statement,
};
pub use server::{RateFinding, RateLevel, RateVerdict, RateWatch, RateWatchConfig, ReportError, Responder};
pub use start::{
    Beat, HoldUp, Organiser, OrganiserConfig, Outcome, Participant, Participation, Progress, Proposal, Stage,
    StartError, Stepper, Steps,
};
pub use time::{
    Local, LocalTime, MAX_INSTANT_TICKS, Server, ServerTime, Span, TICKS_PER_SECOND, Time, World, WorldTime,
};
pub use timeline::{
    Age, ObserveError, Publisher, PublisherConfig, Rate, RealRange, SEGMENT_SIZE, Segment, SegmentError,
    Timeline, TimelineConfig, WorldError, WorldReading,
};
