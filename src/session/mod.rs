//! The protocol between a server and each of its players. It carries several *subjects*, such as worlds and
//! UTC.
//!
//! A [`Host`] is the server side and a [`Guest`] is the player side. The game transports their datagrams,
//! which may be lost, duplicated, reordered or delayed. A datagram has at most [`DATAGRAM_MOST`] bytes and
//! contains all messages that are due, such as a clock request, world time, UTC, the authority or a start.
//! The host repeats updates until the guest confirms them.
//!
//! ```
//! use netclock::session::{Guest, GuestConfig, Host, HostConfig};
//! use netclock::timeline::Rate;
//! use netclock::{LocalTime, ServerTime, Span, State, WorldTime};
//!
//! let mut host = Host::new(HostConfig::default(), 42, 7)?; // use random numbers
//! host.admit(1, None)?;
//! let mut guest = Guest::new(GuestConfig::default(), 8)?;
//! let mut now = LocalTime::from_ticks(0);
//! while guest.view(now)?.worlds[0].is_none() {
//!     // A server frame.
//!     let server = ServerTime::from_ticks(now.ticks()) + Span::from_secs(3);
//!     host.observe(0, server, WorldTime::from_ticks(now.ticks()), Rate::ONE)?;
//!     while let Some((_player, datagram, _reliable)) = host.next(server) {
//!         guest.receive(datagram, now)?;
//!     }
//!     // A client frame.
//!     while let Some((datagram, _reliable)) = guest.next(now)? {
//!         host.receive(1, datagram, server)?;
//!     }
//!     now += Span::from_millis(16);
//! }
//! assert_eq!(guest.view(now)?.reading.state, State::Synced);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How updates are delivered
//!
//! The host numbers all changes with a single revision counter and stores the revision that each guest knows.
//! An update starts from a base revision and contains the latest state of every subject that has changed
//! since. A guest that knows the base revision applies the update and confirms the new revision in its next
//! datagram. Regardless of how many datagrams were lost, a single update brings a guest up to date. If many
//! subjects have changed, the update is split into up to three datagrams, which are sent together. If nothing
//! has changed, the reply to a clock request confirms this without additional bytes. A host that has lost the
//! guest's session does not confirm this, so the guest introduces itself again.
//!
//! Within two round trips of the first datagram that gets through, a guest whose clock follows the host has
//! the latest state of every subject. A reconnect needs two round trips. The guest must introduce itself and
//! return the host's token before the host sends the update. The host receives the confirmation half a round
//! trip later.
//!
//! If the two sides use different versions of the format, each rejects the other's datagrams with
//! [`WireError::Version`](crate::WireError::Version). The host notifies the guest of the host's version.
//!
//! A guest draws a random session number whenever it [connects](Guest::connect), and the host includes this
//! number in its datagrams. The guest therefore rejects late datagrams of an earlier connection. Only an
//! attacker who sees the traffic can forge updates.

mod blob;
mod error;
mod guest;
mod host;
mod member;
mod message;
mod protocol;

pub use blob::MOST as BLOB_MOST;
pub use error::SessionError;
pub use guest::{Guest, GuestConfig, View};
pub use host::{Host, HostConfig};
pub use message::{DATAGRAM_MOST, LinkOffer};
pub(crate) use protocol::GuestProtocol;

/// Number of worlds whose clocks a host can publish.
pub const WORLDS: usize = 4;
