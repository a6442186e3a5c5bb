//! Runs a game world with one client.
//!
//! The clock's exchanges are timestamped at the sockets. Everything else happens in frames. Server and client
//! handle a message in the next frame, and the client reads the world once per frame.

use netclock::timeline::Segment;

use netclock_sim::{Agenda, FrameConfig, Frames, GameWorld, Leg, Network, NetworkConfig};

/// The client's frames are unevenly spaced and are not synchronised with the server's frames.
const CLIENT_FRAMES: FrameConfig = FrameConfig { jitter_ms: 4.0, ..FrameConfig::even(90.0, 0.0) };

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShownTime {
    pub world: i64,
    /// `None` for clocks that do not know the world's instance.
    pub instance: Option<u32>,
    pub epoch: u64,
    /// The error bound that also allows for changes not received yet. `None` if there is no bound.
    pub bound: Option<i64>,
    /// The error bound assuming that there are no such changes.
    pub if_unchanged: Option<i64>,
    pub version: Option<u32>,
    pub real: Option<i64>,
}

pub struct Run<'a> {
    pub game: &'a GameWorld,
    pub link: &'a NetworkConfig,
    pub seconds: f64,
    pub seed: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Course {
    /// The true time of each client frame (s), and what the client showed.
    pub reads: Vec<(f64, Option<ShownTime>)>,
    pub published: Vec<Segment>,
    pub segments_sent: u64,
    pub bytes: u64,
}

impl Run<'_> {
    pub(super) fn network(&self) -> Network {
        Network::new(self.link, self.seconds, self.seed)
    }

    pub(super) fn turns(&self) -> impl Iterator<Item = f64> + use<> {
        let frames = Frames::new(&CLIENT_FRAMES, self.seed, "client");
        let seconds = self.seconds;
        let first = frames.next(0.0);
        std::iter::successors(Some(first), move |&last| Some(frames.next(last + 1e-9)))
            .take_while(move |&at| at < seconds)
    }
}

pub(super) fn send<T: Clone>(under_way: &mut Agenda<T>, leg: &mut Leg, at_s: f64, what: &T) {
    leg.arrivals(at_s).into_iter().for_each(|arrives_s| under_way.add(arrives_s, what.clone()));
}
