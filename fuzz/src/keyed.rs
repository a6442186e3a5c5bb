//! Sealed messages: opening takes any bytes, and only what a holder of the key sealed is opened, once. The C
//! ABI does the same, with buffers that are exactly as large as the call says.
//!
//! The keys of a server's sessions are played with, beside a model of them. No session gets more answers than
//! its budget, and no answer is longer than what it answers.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use core::ffi::c_void;
use core::ptr;
use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result, Unstructured};
use netclock::c::*;
use netclock::keyed::{self, Channel, KeyError, MESSAGE_MOST, OVERHEAD, SEALED_MOST, SealedChannel};
use netclock::keyed::{SessionKey, WINDOW};
use netclock::{Direction, ServerTime, SessionKeys, SessionKeysConfig, Span};

use crate::input::duration;

/// Calls in one run.
const CALLS: usize = 200;
/// Small, so that ids meet and there is no room at times.
const CAPACITY: u32 = 4;
const ANSWERS: u32 = 5;
const SECOND: Span = Span::from_secs(1);

/// `netclock_session_key`: secret_high, secret_low, id, restarts.
#[repr(C)]
struct Key(u64, u64, u32, u32);

/// Plays with the keys that the bytes describe.
pub fn run(bytes: &[u8]) {
    open(bytes);
    let _used_up = play(&mut Unstructured::new(bytes));
}

fn key(id: u32) -> SessionKey {
    match SessionKey::new(id, [id as u8 | 1; 16]) {
        Ok(key) => key,
        Err(error) => unreachable!("the secret is not zero: {error}"),
    }
}

fn end(id: u32, sends: Direction) -> SealedChannel {
    SealedChannel::new(&key(id), Channel::Messages, sends)
}

/// The same end, by the C ABI.
struct CEnd(*mut c_void);

impl CEnd {
    fn new(id: u32, sends: i32) -> Self {
        let half = u64::from_ne_bytes([id as u8 | 1; 8]);
        let mut channel = ptr::null_mut();
        let key = Key(half, half, id, 0);
        let key = (&raw const key).cast();
        // SAFETY: a key, and room for a handle.
        assert_eq!(unsafe { netclock_sealed_channel_create(key, sends, &raw mut channel) }, 0);
        CEnd(channel)
    }

    fn seal(&mut self, message: &[u8]) -> Vec<u8> {
        // Exactly as large as it has to be.
        let mut sealed = vec![0; message.len() + OVERHEAD];
        let (from, to, room) = (message.as_ptr().cast(), sealed.as_mut_ptr().cast(), sealed.len());
        // SAFETY: alive, a message, and room for as much as is said.
        assert_eq!(unsafe { netclock_sealed_channel_seal(self.0, from, message.len(), to, room) }, 0);
        sealed
    }

    fn open<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let mut message = ptr::null();
        // SAFETY: alive, as many bytes, and room for a pointer.
        let status = unsafe {
            netclock_sealed_channel_open(self.0, bytes.as_ptr().cast(), bytes.len(), &raw mut message)
        };
        if status != 0 {
            assert!(status < 0 && message.is_null(), "written to in spite of status {status}");
            return None;
        }
        let at = message.addr() - bytes.as_ptr().addr();
        Some(&bytes[at..at + bytes.len() - OVERHEAD])
    }
}

impl Drop for CEnd {
    fn drop(&mut self) {
        // SAFETY: alive until here.
        assert_eq!(unsafe { netclock_sealed_channel_destroy(self.0) }, 0);
    }
}

/// The bytes as they are: what is opened is opened once.
fn open(bytes: &[u8]) {
    for (number, sends, came) in
        [(2, Direction::ToClient, Direction::ToServer), (1, Direction::ToServer, Direction::ToClient)]
    {
        let id = keyed::key_id(Channel::Messages, came, bytes);
        let mut to = end(id.unwrap_or(1), sends);
        let opened = to.open(bytes);
        assert_eq!(CEnd::new(id.unwrap_or(1), number).open(bytes), opened.ok());
        assert!(opened.is_err() || id.is_ok());
        assert!(to.open(bytes).is_err(), "opened again");
    }
}

/// A session as it should be.
struct Session {
    client: SealedChannel,
    c_client: CEnd,
    sealed: u64,
    /// Datagrams that came, newest last, with their numbers.
    came: Vec<(u64, Vec<u8>)>,
    taken: BTreeSet<u64>,
    /// When it was answered lately, oldest first.
    answered: Vec<ServerTime>,
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let config = SessionKeysConfig { capacity: CAPACITY, answers: ANSWERS };
    let Ok(mut keys) = SessionKeys::new(Channel::Messages, config) else {
        unreachable!("the settings are in range")
    };
    let mut model: BTreeMap<u32, Session> = BTreeMap::new();
    let mut now = ServerTime::from_ticks(0);
    for _ in 0..CALLS {
        let id = input.int_in_range(0..=7)?;
        let known = model.contains_key(&id);
        match input.int_in_range(0..=6)? {
            0 => {
                let admitted = keys.admit(&key(id));
                let expected = match known {
                    true => Err(KeyError::Duplicate),
                    false if model.len() == CAPACITY as usize => Err(KeyError::Full),
                    false => Ok(()),
                };
                assert_eq!(admitted, expected);
                if admitted.is_ok() {
                    let (client, c_client) = (end(id, Direction::ToServer), CEnd::new(id, 1));
                    let (came, taken, answered) = (Vec::new(), BTreeSet::new(), Vec::new());
                    model.insert(id, Session { client, c_client, sealed: 0, came, taken, answered });
                }
            }
            1 => {
                assert_eq!(keys.revoke(id).is_ok(), model.remove(&id).is_some());
            }
            2 => now += Span::from_ticks(duration(input)?),
            3 => match (keys.allow(id, now), model.get_mut(&id)) {
                (Ok(()), Some(Session { answered, .. })) => {
                    // Two budgets in any second: one that was saved up, and one that comes back meanwhile.
                    answered.push(now);
                    answered.retain(|&then| now - then < SECOND);
                    assert!(answered.len() <= 2 * ANSWERS as usize, "{} in a second", answered.len());
                }
                (allowed, session) => assert_eq!(allowed == Err(KeyError::OverBudget), session.is_some()),
            },
            _ => match model.get_mut(&id) {
                Some(session) => session.datagram(input, &mut keys, id)?,
                None => {
                    let mut out = [0; SEALED_MOST];
                    let Ok(sealed) = end(id, Direction::ToServer).seal(&[1], &mut out) else { continue };
                    assert_eq!(keys.open(sealed), Err(KeyError::UnknownKey(id)));
                }
            },
        }
    }
    Ok(())
}

impl Session {
    /// A message that is sealed, perhaps late or changed on the way, and opened; or one that comes again.
    fn datagram(&mut self, input: &mut Unstructured<'_>, keys: &mut SessionKeys, id: u32) -> Result<()> {
        let length = input.int_in_range(1..=MESSAGE_MOST)?;
        let message = [input.arbitrary::<u8>()?; MESSAGE_MOST];
        let mut out = [0; SEALED_MOST];
        for _lost in 0..input.int_in_range(0..=2 * WINDOW)? {
            assert!(self.client.seal(&[1], &mut out).is_ok());
            self.c_client.seal(&[1]);
            self.sealed += 1;
        }
        self.sealed += 1;
        let size = length + OVERHEAD;
        assert_eq!(self.client.seal(&message[..length], &mut out).map(<[u8]>::len), Ok(size));
        assert_eq!(self.c_client.seal(&message[..length]), out[..size]);
        self.came.push((self.sealed, out[..size].to_vec()));
        let (number, mut bytes) = self.came[input.choose_index(self.came.len())?].clone();
        let (at, bits): (usize, u8) = (input.choose_index(bytes.len())?, input.arbitrary()?);
        bytes[at] ^= bits;
        let counted = |keys: &SessionKeys| {
            let counts = keys.counts();
            counts.opened + counts.malformed + counts.unknown_key + counts.forged + counts.replayed
        };
        let before = counted(keys);
        let opened = keys.open(&bytes);
        let newest = self.taken.last().copied().unwrap_or(0);
        let is_known = newest >= number + WINDOW || self.taken.contains(&number);
        if bits != 0 {
            assert!(opened.is_err(), "changed");
        } else if is_known {
            assert_eq!(opened, Err(KeyError::Replayed));
        } else {
            let message = opened.map(|(from, message)| (from, message.to_vec()));
            assert_eq!(message, Ok((id, bytes[16..bytes.len() - 16].to_vec())));
            self.taken.insert(number);
            let sealed = keys.seal(id, &bytes[16..bytes.len() - 16], &mut out);
            assert_eq!(sealed.map(<[u8]>::len), Ok(bytes.len()), "no longer than what it answers");
            let read = sealed.and_then(|sealed| self.client.open(sealed));
            assert_eq!(read, Ok(&bytes[16..bytes.len() - 16]));
        }
        assert_eq!(counted(keys), before + 1);
        Ok(())
    }
}
