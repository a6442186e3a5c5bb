//! The bounded queue of messages for one connection, which writes into each message how long it was queued.

use super::error::PeerError;
use super::fields::{head, stamp_hold};
use super::message::MESSAGE_MOST;
use crate::clock::LocalTime;
use crate::clock::for_parts::{OutOfMemory, memory};

/// Length of the receive time stored before each message, in bytes.
const STAMP: usize = 8;

/// A FIFO queue. Memory is allocated only on creation.
#[derive(Debug)]
pub(super) struct Outbox {
    bytes: Vec<u8>,
    /// Position of the oldest message.
    first: usize,
}

impl Outbox {
    pub(super) fn new(capacity: usize) -> Result<Self, OutOfMemory> {
        Ok(Outbox { bytes: memory::list(capacity)?, first: 0 })
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.first = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Queues a message. `received` is when the relay received this message, or the one that it answers.
    pub(super) fn push(&mut self, message: &[u8], received: LocalTime) -> Result<(), PeerError> {
        self.push_parts(&[message], received)
    }

    pub(super) fn push_parts(&mut self, parts: &[&[u8]], received: LocalTime) -> Result<(), PeerError> {
        let needed = STAMP + parts.iter().map(|part| part.len()).sum::<usize>();
        if self.bytes.len() + needed > self.bytes.capacity() {
            self.bytes.drain(..self.first);
            self.first = 0;
        }
        if self.bytes.len() + needed > self.bytes.capacity() {
            return Err(PeerError::NoSpace);
        }
        self.bytes.extend_from_slice(&received.ticks().to_ne_bytes());
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        Ok(())
    }

    /// Removes the oldest message, which is sent at `now`, and returns its length.
    pub(super) fn pop(&mut self, now: LocalTime, to: &mut [u8; MESSAGE_MOST]) -> Option<usize> {
        loop {
            let rest = self.bytes.get(self.first..)?;
            let received = LocalTime::from_ticks(i64::from_ne_bytes(*rest.first_chunk()?));
            let (_, size) = head(&rest[STAMP..])?;
            to.get_mut(..size)?.copy_from_slice(rest.get(STAMP..STAMP + size)?);
            self.first += STAMP + size;
            if self.first == self.bytes.len() {
                self.clear();
            }
            if stamp_hold(&mut to[..size], (now - received).ticks()) {
                return Some(size);
            }
        }
    }
}
