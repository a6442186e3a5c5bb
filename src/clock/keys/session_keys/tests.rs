use super::*;
use crate::clock::keys::keyed::SEALED_MOST;

fn key(id: u32) -> SessionKey {
    SessionKey::new(id, [id as u8; 16]).expect("a secret")
}

fn keys(ids: &[u32]) -> SessionKeys {
    let config = SessionKeysConfig { capacity: 4, answers: 10 };
    let mut keys = SessionKeys::new(Channel::Messages, config).expect("valid");
    for &id in ids {
        keys.admit(&key(id)).expect("there is room");
    }
    keys
}

fn end(id: u32) -> SealedChannel {
    SealedChannel::new(&key(id), Channel::Messages, Direction::ToServer)
}

fn sealed(from: &mut SealedChannel) -> Vec<u8> {
    from.seal(&[7; 32], &mut [0; SEALED_MOST]).expect("a message").to_vec()
}

fn at(seconds: f64) -> ServerTime {
    ServerTime::from_ticks(Span::from_secs_f64(seconds).ticks())
}

#[test]
fn only_clients_with_an_admitted_key_are_accepted() {
    let mut keys = keys(&[9, 1, 5]);
    for id in [1, 5, 9] {
        let mut client = end(id);
        let bytes = sealed(&mut client);
        assert_eq!(keys.open(&bytes), Ok((id, &[7; 32][..])));
        assert_eq!(keys.open(&bytes), Err(KeyError::Replayed));
        let mut out = [0; SEALED_MOST];
        let answer = keys.seal(id, &[8; 32], &mut out).expect("admitted");
        assert_eq!(answer.len(), bytes.len(), "no longer than the request");
        assert_eq!(client.open(answer), Ok(&[8; 32][..]));
    }
    assert_eq!(keys.open(&sealed(&mut end(2))), Err(KeyError::UnknownKey(2)));
    let mut server = SealedChannel::new(&key(5), Channel::Messages, Direction::ToClient);
    assert_eq!(keys.open(&sealed(&mut server)), Err(KeyError::OtherDirection));
    let mut link = SealedChannel::new(&key(5), Channel::Link, Direction::ToServer);
    assert_eq!(keys.open(&sealed(&mut link)), Err(KeyError::OtherChannel));
    assert_eq!(keys.open(&[0x4E; 32]), Err(KeyError::NotKeyed));
    let mut forged = sealed(&mut end(5));
    forged[20] ^= 1;
    assert_eq!(keys.open(&forged), Err(KeyError::Forged));
    let counts =
        KeyCounts { opened: 3, unknown_key: 1, malformed: 3, forged: 1, replayed: 3, over_budget: 0 };
    assert_eq!(keys.counts(), counts);
}

#[test]
fn a_key_is_admitted_once_and_revoked_once() {
    let mut keys = keys(&[3, 1, 4, 2]);
    assert_eq!(keys.admit(&key(4)), Err(KeyError::Duplicate));
    assert_eq!(keys.admit(&key(5)), Err(KeyError::Full));
    assert_eq!(keys.revoke(4), Ok(()));
    assert_eq!(keys.revoke(4), Err(KeyError::UnknownKey(4)));
    for id in [3, 1, 2] {
        assert_eq!(keys.open(&sealed(&mut end(id))), Ok((id, &[7; 32][..])), "other keys stay");
    }
    assert_eq!(keys.open(&sealed(&mut end(4))), Err(KeyError::UnknownKey(4)));
    assert_eq!(keys.allow(4, at(0.0)), Err(KeyError::UnknownKey(4)));
    assert_eq!(keys.seal(4, &[1], &mut [0; 64]).err(), Some(KeyError::UnknownKey(4)));
    assert_eq!(keys.admit(&key(5)), Ok(()));
    assert_eq!(keys.open(&sealed(&mut end(5))), Ok((5, &[7; 32][..])));
}

#[test]
fn the_budget_of_answers_refills() {
    let mut keys = keys(&[1, 2]);
    let allowed = |keys: &mut SessionKeys, now: f64| keys.allow(1, at(now));
    for _ in 0..10 {
        assert_eq!(allowed(&mut keys, 5.0), Ok(()));
    }
    assert_eq!(allowed(&mut keys, 5.0), Err(KeyError::OverBudget));
    assert_eq!(keys.allow(2, at(5.0)), Ok(()), "each session has its own budget");
    assert_eq!(allowed(&mut keys, 5.11), Ok(()), "one is refilled in 100 ms");
    assert_eq!(allowed(&mut keys, 5.11), Err(KeyError::OverBudget));
    let later = (0..100).filter(|_| allowed(&mut keys, 1000.0).is_ok()).count();
    assert_eq!(later, 10, "the budget does not accumulate");
    assert_eq!(keys.counts().over_budget, 2 + 90);
    assert_eq!(allowed(&mut keys, 0.0), Ok(()), "the clock was set back");
}

#[test]
fn errors_name_the_setting_that_is_out_of_range() {
    let refused = |change: fn(&mut SessionKeysConfig)| {
        let mut config = SessionKeysConfig::default();
        change(&mut config);
        match SessionKeys::new(Channel::Link, config) {
            Ok(_) => "accepted",
            Err(CreateError::Config(error)) => error.field,
            Err(_) => "memory",
        }
    };
    assert_eq!(refused(|_| {}), "accepted");
    assert_eq!(refused(|config| config.capacity = 0), "capacity");
    assert_eq!(refused(|config| config.capacity = 65_537), "capacity");
    assert_eq!(refused(|config| config.answers = 0), "answers");
    assert_eq!(refused(|config| config.answers = 10_001), "answers");
}
