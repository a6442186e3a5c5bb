//! A run of a game's world on a client: the input, the shown times, and the messages on their way.
//!
//! The clock's exchanges are stamped at the sockets. Everything else is handled in frames: the server handles
//! requests at its next frame, the client handles news at its next frame. The client reads the world once in
//! each of its frames.

use netclock::timeline::Segment;

use netclock_sim::agenda::Agenda;
use netclock_sim::frames::{FrameConfig, Frames};
use netclock_sim::leg::Leg;
use netclock_sim::network::{Network, NetworkConfig};
use netclock_sim::world::World;

/// The client's frames: not in step with the server's, and not evenly spaced.
const CLIENT_FRAMES: FrameConfig = FrameConfig { jitter_ms: 4.0, ..FrameConfig::even(90.0, 0.0) };

/// What a client shows in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    /// The world's time (ticks).
    pub world: i64,
    /// The instance of the world; `None` for clocks that do not know it.
    pub instance: Option<u32>,
    /// The epoch: a step is declared by another epoch.
    pub epoch: u64,
    /// The certain bound (ticks), if the clock promises one: it holds whatever happened meanwhile.
    pub bound: Option<i64>,
    /// The bound if nothing changed meanwhile (ticks), if the clock promises one.
    pub if_unchanged: Option<i64>,
    /// The version of the segment that was read.
    pub version: Option<u32>,
    /// The server's real time that the client shows (ticks), for clocks that know it.
    pub real: Option<i64>,
}

/// A run: a world on a link.
pub struct Run<'a> {
    /// The server's world.
    pub game: &'a World,
    /// The clocks and the link.
    pub link: &'a NetworkConfig,
    /// Length (s).
    pub seconds: f64,
    /// Seed of everything random.
    pub seed: u64,
}

/// The shown times and the traffic of one clock in a run.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Frames of the client: true time (s) and what the clock showed.
    pub reads: Vec<(f64, Option<Shown>)>,
    /// The segments that the server published, in order.
    pub published: Vec<Segment>,
    /// Number of copies of segments sent.
    pub segments_sent: u64,
    /// Payload of all datagrams (bytes).
    pub bytes: u64,
}

impl Run<'_> {
    /// The clocks and the path of the run.
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

/// Sends a message on a leg, which may lose or repeat it.
pub(super) fn send<T: Clone>(under_way: &mut Agenda<T>, leg: &mut Leg, at_s: f64, what: &T) {
    leg.arrivals(at_s).into_iter().for_each(|arrives_s| under_way.add(arrives_s, what.clone()));
}
