//! Sealed messages: opening takes any bytes, and only what a holder of the key sealed is opened. The C ABI
//! does the same, with buffers that are exactly as large as the call says.
//!
//! The keys of a server's sessions are played with, beside a model of them. No session gets more answers than
//! its budget, and no answer is longer than what it answers.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use core::ffi::c_void;
use core::ptr;
use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use netclock::keyed::{self, KeyError, MESSAGE_MOST, OVERHEAD, SEALED_MOST, SessionKey};
use netclock::{Direction, LocalTime, Request, RequestId, ServerTime, Span};
use netclock::{SessionKeys, SessionKeysConfig};

use crate::input::{duration, instant};

/// Calls in one run.
const CALLS: usize = 200;
/// Small, so that ids meet and there is no room at times.
const CAPACITY: u32 = 4;
const ANSWERS: u32 = 5;
const REPLAYS: u32 = 3;
const SECOND: Span = Span::from_secs(1);

/// `netclock_session_key`: secret_high, secret_low, id, reserved.
#[repr(C)]
struct Key(u64, u64, u32, u32);

unsafe extern "C" {
    fn netclock_seal_message(
        key: *const Key,
        direction: i32,
        message: *const c_void,
        length: usize,
        sealed: *mut c_void,
        capacity: usize,
    ) -> i32;
    fn netclock_open_message(
        key: *const Key,
        direction: i32,
        sealed: *const c_void,
        length: usize,
        message: *mut *const c_void,
    ) -> i32;
}

/// Plays with the keys that the bytes describe.
pub fn run(bytes: &[u8]) {
    open(bytes);
    let mut input = Unstructured::new(bytes);
    // When the bytes run out they read as zeros, so no error has to be handled.
    let _used_up = play(&mut input);
}

fn key(id: u32) -> SessionKey {
    match SessionKey::new(id, [id as u8 | 1; 16]) {
        Ok(key) => key,
        Err(error) => unreachable!("the secret is not zero: {error}"),
    }
}

/// The same key for C.
fn c_key(id: u32) -> Key {
    let half = u64::from_ne_bytes([id as u8 | 1; 8]);
    Key(half, half, id, 0)
}

/// The bytes as they are: what is opened is sealed to the same bytes.
fn open(bytes: &[u8]) {
    for (number, direction) in [(1, Direction::ToServer), (2, Direction::ToClient)] {
        let Ok(id) = keyed::key_id(direction, bytes) else {
            assert!(key(1).open(direction, bytes).is_err());
            assert!(opened_by_c(1, number, bytes).is_none());
            continue;
        };
        let message = key(id).open(direction, bytes);
        assert_eq!(opened_by_c(id, number, bytes), message.ok());
        if let Ok(message) = message {
            let mut out = [0; SEALED_MOST];
            assert_eq!(key(id).seal(direction, message, &mut out), Ok(bytes));
        }
    }
}

fn opened_by_c(id: u32, direction: i32, bytes: &[u8]) -> Option<&[u8]> {
    let mut message = ptr::null();
    // SAFETY: a key, as many bytes, and room for a pointer.
    let status = unsafe {
        netclock_open_message(&c_key(id), direction, bytes.as_ptr().cast(), bytes.len(), &raw mut message)
    };
    if status != 0 {
        assert!(status < 0 && message.is_null(), "written to in spite of status {status}");
        return None;
    }
    let at = message.addr() - bytes.as_ptr().addr();
    Some(&bytes[at..at + bytes.len() - OVERHEAD])
}

fn sealed_by_c(id: u32, message: &[u8]) -> Vec<u8> {
    // Exactly as large as it has to be.
    let mut sealed = vec![0; message.len() + OVERHEAD];
    let (from, to, room) = (message.as_ptr().cast(), sealed.as_mut_ptr().cast(), sealed.len());
    // SAFETY: a key, a message, and room for as much as is said.
    let status = unsafe { netclock_seal_message(&c_key(id), 1, from, message.len(), to, room) };
    assert_eq!(status, 0);
    sealed
}

/// What each session was answered lately, oldest first.
#[derive(Default)]
struct Answered {
    newer: Vec<ServerTime>,
    others: Vec<ServerTime>,
}

/// No more than two budgets in any second: one that was saved up, and one that comes back meanwhile.
fn within(answers: &mut Vec<ServerTime>, per_second: u32, now: ServerTime) {
    answers.push(now);
    answers.retain(|&then| now - then < SECOND);
    assert!(answers.len() <= 2 * per_second as usize, "{} answers in a second", answers.len());
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let config = SessionKeysConfig { capacity: CAPACITY, answers: ANSWERS, replays: REPLAYS };
    let Ok(mut keys) = SessionKeys::new(config) else { unreachable!("the settings are in range") };
    let mut model: BTreeMap<u32, Answered> = BTreeMap::new();
    let mut now = ServerTime::from_ticks(0);
    for _ in 0..CALLS {
        let id = input.int_in_range(0..=7)?;
        let known = model.contains_key(&id);
        match input.int_in_range(0..=6)? {
            0 => {
                let admitted = keys.admit(key(id));
                let expected = match known {
                    true => Err(KeyError::Duplicate),
                    false if model.len() == CAPACITY as usize => Err(KeyError::Full),
                    false => Ok(()),
                };
                assert_eq!(admitted, expected);
                if admitted.is_ok() {
                    model.insert(id, Answered::default());
                }
            }
            1 => {
                assert_eq!(keys.revoke(id).is_ok(), model.remove(&id).is_some());
            }
            2 => now += Span::from_ticks(duration(input)?),
            3 => {
                let client_time = LocalTime::from_ticks(instant(input, now.ticks())?);
                let request = Request { id: RequestId(1), client_time, reliable: false };
                let allowed = keys.allow(id, &request, now);
                let Some(answered) = model.get_mut(&id) else {
                    assert_eq!(allowed, Err(KeyError::UnknownKey(id)));
                    continue;
                };
                match allowed {
                    Ok(true) => within(&mut answered.newer, ANSWERS, now),
                    Ok(false) => within(&mut answered.others, REPLAYS, now),
                    Err(error) => assert_eq!(error, KeyError::OverBudget),
                }
            }
            4 => match (keys.allow_undated(id, now), model.get_mut(&id)) {
                (Ok(()), Some(answered)) => within(&mut answered.others, REPLAYS, now),
                (allowed, answered) => assert_eq!(allowed == Err(KeyError::OverBudget), answered.is_some()),
            },
            _ => datagram(input, &mut keys, id, known)?,
        }
    }
    Ok(())
}

/// A message that is sealed, perhaps changed on the way, and opened.
fn datagram(input: &mut Unstructured<'_>, keys: &mut SessionKeys, id: u32, known: bool) -> Result<()> {
    let length = input.int_in_range(1..=MESSAGE_MOST)?;
    let message = [input.arbitrary::<u8>()?; MESSAGE_MOST];
    let (mut out, mut answer) = ([0; SEALED_MOST], [0; SEALED_MOST]);
    assert!(key(id).seal(Direction::ToServer, &message[..length], &mut out).is_ok());
    let size = length + OVERHEAD;
    assert_eq!(sealed_by_c(id, &message[..length]), out[..size]);
    let (at, bits): (usize, u8) = (input.int_in_range(0..=size - 1)?, input.arbitrary()?);
    out[at] ^= bits;
    let counted = |keys: &SessionKeys| {
        let counts = keys.counts();
        counts.opened + counts.malformed + counts.unknown_key + counts.forged
    };
    let before = counted(keys);
    let opened = keys.open(&out[..size]);
    if known && bits == 0 {
        assert_eq!(opened, Ok((id, &message[..length])));
        let sealed = keys.seal(id, &message[..length], &mut answer);
        assert_eq!(sealed.map(<[u8]>::len), Ok(size), "no longer than what it answers");
        let read = sealed.and_then(|sealed| key(id).open(Direction::ToClient, sealed));
        assert_eq!(read, Ok(&message[..length]));
    } else {
        assert!(opened.is_err(), "changed, or of nobody");
    }
    assert_eq!(counted(keys), before + 1);
    Ok(())
}
