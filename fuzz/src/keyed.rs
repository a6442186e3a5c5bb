//! Sealed messages: opening takes any bytes, and only what a holder of the key sealed is opened, once.
//!
//! Arbitrary use of a server's session keys, compared with a model. No session gets more answers than its
//! budget, and no answer is longer than its request.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result, Unstructured};
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

/// Plays with the keys that the bytes describe.
pub fn run(bytes: &[u8]) {
    open(bytes);
    let _used_up = play(&mut Unstructured::new(bytes));
}

fn key(id: u32) -> SessionKey {
    SessionKey::new(id, [id as u8 | 1; 16]).expect("the secret is not zero")
}

fn end(id: u32, sends: Direction) -> SealedChannel {
    SealedChannel::new(&key(id), Channel::Messages, sends)
}

/// The bytes as they are: what is opened is opened once.
fn open(bytes: &[u8]) {
    let (up, down) = (Direction::ToServer, Direction::ToClient);
    for (sends, came) in [(down, up), (up, down)] {
        let id = keyed::key_id(Channel::Messages, came, bytes);
        let mut to = end(id.unwrap_or(1), sends);
        let is_opened = to.open(bytes).is_ok();
        assert!(!is_opened || id.is_ok(), "opened without an id");
        let again = to.open(bytes);
        assert!(again.is_err(), "opened again");
        assert_eq!(is_opened, again == Err(KeyError::Replayed), "{again:?} the second time");
    }
}

/// A session as it should be.
struct Session {
    client: SealedChannel,
    sealed: u64,
    /// Datagrams that arrived, newest last, with their numbers.
    came: Vec<(u64, Vec<u8>)>,
    taken: BTreeSet<u64>,
    /// The times of recent answers, oldest first.
    answered: Vec<ServerTime>,
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let config = SessionKeysConfig { capacity: CAPACITY, answers: ANSWERS };
    let mut keys = SessionKeys::new(Channel::Messages, config).expect("the settings are in range");
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
                    let client = end(id, Direction::ToServer);
                    let (came, taken, answered) = (Vec::new(), BTreeSet::new(), Vec::new());
                    model.insert(id, Session { client, sealed: 0, came, taken, answered });
                }
            }
            1 => {
                let expected = model.remove(&id).map(drop).ok_or(KeyError::UnknownKey(id));
                assert_eq!(keys.revoke(id), expected);
            }
            2 => now += Span::from_ticks(duration(input)?),
            3 => match (keys.allow(id, now), model.get_mut(&id)) {
                (Ok(()), Some(Session { answered, .. })) => {
                    // Two budgets in any second: one that was saved up, and one that comes back meanwhile.
                    answered.push(now);
                    answered.retain(|&then| now - then < SECOND);
                    assert!(answered.len() <= 2 * ANSWERS as usize, "{} in a second", answered.len());
                }
                (Err(why), Some(_)) => assert_eq!(why, KeyError::OverBudget),
                (allowed, None) => assert_eq!(allowed, Err(KeyError::UnknownKey(id))),
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
            self.sealed += 1;
        }
        self.sealed += 1;
        let size = length + OVERHEAD;
        assert_eq!(self.client.seal(&message[..length], &mut out).map(<[u8]>::len), Ok(size));
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
