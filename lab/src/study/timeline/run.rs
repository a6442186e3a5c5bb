//! A run of a game world with a client: the input, the shown times, and the messages on their way.
//!
//! The clock's exchanges are stamped at the sockets. Everything else is handled in frames: the server handles
//! requests in its next frame, and the client handles news in its next frame. The client reads the world once
//! per frame.

use netclock::timeline::Segment;

use netclock_sim::agenda::Agenda;
use netclock_sim::frames::{FrameConfig, Frames};
use netclock_sim::leg::Leg;
use netclock_sim::network::{Network, NetworkConfig};
use netclock_sim::world::World;

/// The client's frames, which are neither in step with the server's frames nor evenly spaced.
const CLIENT_FRAMES: FrameConfig = FrameConfig { jitter_ms: 4.0, ..FrameConfig::even(90.0, 0.0) };

/// What a client shows in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    /// The world's time (ticks).
    pub world: i64,
    /// The instance of the world; `None` for clocks that do not know it.
    pub instance: Option<u32>,
    /// The epoch. A new epoch declares a step.
    pub epoch: u64,
    /// The certain bound (ticks), if the clock promises one. It is valid whatever happened in the meantime.
    pub bound: Option<i64>,
    /// The bound that is valid if nothing changed in the meantime (ticks), if the clock promises one.
    pub if_unchanged: Option<i64>,
    /// The version of the segment that was read.
    pub version: Option<u32>,
    /// The server's real time as shown by the client (ticks), for clocks that know it.
    pub real: Option<i64>,
}

/// A run: a world over a link.
pub struct Run<'a> {
    pub game: &'a World,
    pub link: &'a NetworkConfig,
    /// Length of the run (s).
    pub seconds: f64,
    pub seed: u64,
}

/// The shown times and the traffic of a clock in one run.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// The client's frames: true time (s), and what the clock showed.
    pub reads: Vec<(f64, Option<Shown>)>,
    /// The segments that the server published, in order.
    pub published: Vec<Segment>,
    pub segments_sent: u64,
    /// Payload of all datagrams (bytes).
    pub bytes: u64,
}

impl Run<'_> {
    pub(super) fn network(&self) -> Network {
        Network::new(self.link, self.seconds, self.seed)
    }

    /// The times of the client's frames (s).
    pub(super) fn turns(&self) -> impl Iterator<Item = f64> + use<> {
        let frames = Frames::new(&CLIENT_FRAMES, self.seed, "client");
        let seconds = self.seconds;
        let first = frames.next(0.0);
        std::iter::successors(Some(first), move |&last| Some(frames.next(last + 1e-9)))
            .take_while(move |&at| at < seconds)
    }
}

/// Sends a message over a leg, which may lose or duplicate it.
pub(super) fn send<T: Clone>(under_way: &mut Agenda<T>, leg: &mut Leg, at_s: f64, what: &T) {
    leg.arrivals(at_s).into_iter().for_each(|arrives_s| under_way.add(arrives_s, what.clone()));
}
