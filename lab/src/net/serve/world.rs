//! The world of a server, which has one if it is asked to.

use anyhow::Result;
use netclock::link::sockets::Peer;
use netclock::timeline::{Publisher, PublisherConfig};
use netclock::{ServerTime, Span};

use crate::game::distributor::Distributor;
use crate::game::script::Script;

/// Time between frames of the world.
const FRAME: Span = Span::from_micros(16_667);

/// Where a client is, and its session key if it has one.
pub(super) type Client = (Peer, Option<u32>);

/// A world whose clock follows a script. The server observes it once per frame, as a game would.
pub(super) struct World {
    pub(super) script: Script,
    pub(super) publisher: Publisher,
    pub(super) distributor: Distributor<Client>,
    next_frame: ServerTime,
}

impl World {
    pub(super) fn new(script: Script, epoch: u64) -> Result<Self> {
        // The world's time is computed for exactly the instant of the observation.
        let config = PublisherConfig { read_lag: Span::from_ticks(1), ..PublisherConfig::default() };
        let publisher = Publisher::new(config, epoch, 1)?;
        Ok(World {
            script,
            publisher,
            distributor: Distributor::new(),
            next_frame: ServerTime::from_ticks(0),
        })
    }

    /// Runs the next frame if it is due. True if it published a segment.
    pub(super) fn frame(&mut self, now: ServerTime) -> Result<bool> {
        if now < self.next_frame {
            return Ok(false);
        }
        // Missed frames are not repeated.
        self.next_frame = now.max(self.next_frame + FRAME);
        let (world, rate) = (self.script.world_at(now), self.script.rate_at(now));
        Ok(self.publisher.observe(now, world, rate)?.is_some())
    }
}
