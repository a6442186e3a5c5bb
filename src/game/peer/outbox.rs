use std::collections::VecDeque;

use super::error::PeerError;
use super::game::{Game, QUEUED};
use super::message::{Body, PEER_DATAGRAM_SIZE};
use crate::clock::LocalTime;
use crate::clock::for_parts::{OutOfMemory, memory};

/// `joined` identifies the receiver even if its slot has been reassigned.
#[derive(Debug)]
pub(super) struct Parcel {
    pub(super) game: usize,
    pub(super) slot: usize,
    pub(super) joined: u64,
    pub(super) received: LocalTime,
    /// A request or reply with the secondary's slot, or `None` for a STATE, which is created when it is sent.
    pub(super) forwarded: Option<(u16, Body)>,
}

#[derive(Debug)]
pub(super) struct Outbox {
    parcels: VecDeque<Parcel>,
    most: usize,
}

impl Outbox {
    pub(super) fn new(slots: usize) -> Result<Self, OutOfMemory> {
        let most = slots * QUEUED;
        Ok(Outbox { parcels: memory::list(most)?.into(), most })
    }

    pub(super) fn push(&mut self, parcel: Parcel) -> Result<(), PeerError> {
        // Some of the queued messages may be for peers that have left.
        if self.parcels.len() == self.most {
            return Err(PeerError::NoSpace);
        }
        self.parcels.push_back(parcel);
        Ok(())
    }

    pub(super) fn pop(
        &mut self,
        games: &mut [Game],
        now: LocalTime,
    ) -> Option<(u64, [u8; PEER_DATAGRAM_SIZE])> {
        loop {
            let parcel = self.parcels.pop_front()?;
            if let Some((connection, message)) = games[parcel.game].unpack(&parcel, now) {
                return Some((connection, message.encode()));
            }
        }
    }
}
