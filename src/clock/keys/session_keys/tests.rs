use super::*;
use crate::clock::exchange::RequestId;
use crate::clock::keys::keyed::SEALED_MOST;

fn key(id: u32) -> SessionKey {
    SessionKey::new(id, [id as u8; 16]).expect("a secret")
}

fn keys(ids: &[u32]) -> SessionKeys {
    let mut keys =
        SessionKeys::new(SessionKeysConfig { capacity: 4, answers: 10, replays: 2 }).expect("valid");
    for &id in ids {
        keys.admit(key(id)).expect("there is room");
    }
    keys
}

fn sealed(id: u32, direction: Direction) -> Vec<u8> {
    let mut out = [0; SEALED_MOST];
    key(id).seal(direction, &[7; 32], &mut out).expect("a message").to_vec()
}

fn request(sent: i64) -> Request {
    Request { id: RequestId(1), client_time: LocalTime::from_ticks(sent), reliable: false }
}

fn at(seconds: f64) -> ServerTime {
    ServerTime::from_ticks(Span::from_secs_f64(seconds).ticks())
}

#[test]
fn each_client_is_found_by_its_key_and_nobody_else() {
    let mut keys = keys(&[9, 1, 5]);
    for id in [1, 5, 9] {
        let bytes = sealed(id, Direction::ToServer);
        assert_eq!(keys.open(&bytes), Ok((id, &[7; 32][..])));
        let mut out = [0; SEALED_MOST];
        let answer = keys.seal(id, &[8; 32], &mut out).expect("admitted");
        assert_eq!(answer.len(), bytes.len(), "no longer than what it answers");
        assert_eq!(key(id).open(Direction::ToClient, answer), Ok(&[8; 32][..]));
    }
    assert_eq!(keys.open(&sealed(2, Direction::ToServer)), Err(KeyError::UnknownKey(2)));
    assert_eq!(keys.open(&sealed(5, Direction::ToClient)), Err(KeyError::OtherDirection));
    assert_eq!(keys.open(&[0x4E; 32]), Err(KeyError::NotKeyed));
    let mut forged = sealed(5, Direction::ToServer);
    forged[20] ^= 1;
    assert_eq!(keys.open(&forged), Err(KeyError::Forged));
    let counts =
        KeyCounts { opened: 3, unknown_key: 1, malformed: 2, forged: 1, replayed: 0, over_budget: 0 };
    assert_eq!(keys.counts(), counts);
}

#[test]
fn a_key_is_admitted_once_and_revoked_once() {
    let mut keys = keys(&[3, 1, 4, 2]);
    assert_eq!(keys.admit(key(4)), Err(KeyError::Duplicate));
    assert_eq!(keys.admit(key(5)), Err(KeyError::Full));
    assert_eq!(keys.revoke(4), Ok(()));
    assert_eq!(keys.revoke(4), Err(KeyError::UnknownKey(4)));
    for id in [3, 1, 2] {
        assert_eq!(keys.open(&sealed(id, Direction::ToServer)), Ok((id, &[7; 32][..])), "the others stay");
    }
    assert_eq!(keys.open(&sealed(4, Direction::ToServer)), Err(KeyError::UnknownKey(4)));
    assert_eq!(keys.allow(4, &request(1), at(0.0)), Err(KeyError::UnknownKey(4)));
    assert_eq!(keys.allow_undated(4, at(0.0)), Err(KeyError::UnknownKey(4)));
    assert_eq!(keys.seal(4, &[1], &mut [0; 64]).err(), Some(KeyError::UnknownKey(4)));
    assert_eq!(keys.admit(key(5)), Ok(()));
    assert_eq!(keys.open(&sealed(5, Direction::ToServer)), Ok((5, &[7; 32][..])));
}

#[test]
fn new_requests_have_a_budget_that_comes_back() {
    let mut keys = keys(&[1, 2]);
    let mut sent = 0;
    let mut allowed = |keys: &mut SessionKeys, now: f64| {
        sent += 1;
        keys.allow(1, &request(sent), at(now))
    };
    for _ in 0..10 {
        assert_eq!(allowed(&mut keys, 5.0), Ok(true));
    }
    assert_eq!(allowed(&mut keys, 5.0), Err(KeyError::OverBudget));
    assert_eq!(keys.allow(2, &request(1), at(5.0)), Ok(true), "another session's budget is its own");
    assert_eq!(allowed(&mut keys, 5.11), Ok(true), "one in 100 ms");
    assert_eq!(allowed(&mut keys, 5.11), Err(KeyError::OverBudget));
    let later = (0..100).filter(|_| allowed(&mut keys, 1000.0).is_ok()).count();
    assert_eq!(later, 10, "what was not used is not saved up");
    assert_eq!(keys.counts().over_budget, 2 + 90);
}

#[test]
fn replays_are_answered_within_a_budget_that_starves_nobody() {
    let mut keys = keys(&[1]);
    assert_eq!(keys.allow(1, &request(100), at(0.0)), Ok(true));
    let mut answered = 0;
    for replay in 0..100_000 {
        let now = at(f64::from(replay) * 1e-4);
        answered += u32::from(keys.allow(1, &request(100), now) == Ok(false));
        if replay % 10_000 == 0 {
            let fresh = request(101 + i64::from(replay));
            assert_eq!(keys.allow(1, &fresh, now), Ok(true), "the client itself is answered");
            let overtaken = request(0);
            let allowed = keys.allow(1, &overtaken, now);
            assert!(matches!(allowed, Ok(false) | Err(KeyError::OverBudget)), "{allowed:?}");
            answered += u32::from(allowed.is_ok());
        }
    }
    // Ten seconds at two a second, and two at once.
    assert!((20..=22).contains(&answered), "{answered}");
    assert_eq!(keys.counts().replayed, 100_010);
}

#[test]
fn requests_without_a_date_share_the_budget_of_replays() {
    let mut keys = keys(&[1]);
    assert_eq!([0; 3].map(|_| keys.allow_undated(1, at(1.0)).is_ok()), [true, true, false]);
    assert_eq!(keys.allow(1, &request(1), at(1.0)), Ok(true));
}

#[test]
fn a_server_clock_that_is_set_back_locks_nobody_out() {
    let mut keys = keys(&[1]);
    for _ in 0..10 {
        let _over_budget_at_the_end = keys.allow_undated(1, at(1e6));
    }
    assert_eq!(keys.allow_undated(1, at(0.0)), Ok(()));
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let refused = |change: fn(&mut SessionKeysConfig)| {
        let mut config = SessionKeysConfig::default();
        change(&mut config);
        SessionKeys::new(config).map_or_else(|error| error.field().unwrap_or("memory"), |_| "accepted")
    };
    assert_eq!(refused(|_| {}), "accepted");
    assert_eq!(refused(|config| config.capacity = 0), "capacity");
    assert_eq!(refused(|config| config.capacity = 65_537), "capacity");
    assert_eq!(refused(|config| config.answers = 0), "answers");
    assert_eq!(refused(|config| config.replays = 10_001), "replays");
}
