use super::*;
use Channel::{Link, Messages};
use Direction::{ToClient, ToServer};

const SECRET: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

fn key(id: u32) -> SessionKey {
    SessionKey::new(id, SECRET).expect("a secret")
}

fn end(id: u32, sends: Direction) -> SealedChannel {
    SealedChannel::new(&key(id), Messages, sends)
}

fn sealed(from: &mut SealedChannel, message: &[u8]) -> Vec<u8> {
    from.seal(message, &mut [0xEE; SEALED_MOST]).expect("a valid message").to_vec()
}

#[test]
fn the_hash_matches_the_published_test_vectors() {
    // The first and the sixteenth test vector of SipHash's reference code, for no bytes and for 00 to 0E.
    let of = |message: &[u8]| tag(&SECRET, message).as_bytes();
    assert_eq!(of(&[]), 0xA381_7F04_BA25_A8E6_6DF6_7214_C755_0293_u128.to_be_bytes());
    assert_eq!(of(&SECRET[..15]), 0x5493_E999_33B0_A811_7E08_EC0F_97CF_C3D9_u128.to_be_bytes());
}

#[test]
fn sealed_messages_match_the_table() {
    let derived = tag(&SECRET, b"NetClock session key\x12").as_bytes();
    let mut from = SealedChannel::new(&key(0x0A0B_0C0D).after_restarts(2), Messages, ToServer);
    let bytes = sealed(&mut from, &[0x4E, 0x4B, 1, 1]);
    assert_eq!(bytes[..8], [0x4E, 0x4B, 1, 18, 0x0A, 0x0B, 0x0C, 0x0D]);
    assert_eq!(bytes[8..20], [0, 0, 0, 2, 0, 0, 0, 1, 0x4E, 0x4B, 1, 1]);
    assert_eq!(bytes.len(), 4 + OVERHEAD);
    assert_eq!(bytes[20..], tag(&derived, &bytes[..20]).as_bytes());
    assert_eq!(sealed(&mut from, &[7])[15], 2);
}

#[test]
fn messages_of_every_length_can_be_sealed_and_opened() {
    let message: Vec<u8> = (0..MESSAGE_MOST).map(|at| at as u8).collect();
    for (channel, way, back) in [(Link, ToServer, ToClient), (Messages, ToClient, ToServer)] {
        let mut from = SealedChannel::new(&key(5), channel, way);
        let mut to = SealedChannel::new(&key(5), channel, back);
        for length in 1..=MESSAGE_MOST {
            let bytes = sealed(&mut from, &message[..length]);
            assert_eq!(bytes.len(), length + OVERHEAD);
            assert_eq!(key_id(channel, way, &bytes), Ok(5));
            assert_eq!(to.open(&bytes), Ok(&message[..length]));
            assert_eq!(to.open(&bytes), Err(KeyError::Replayed));
        }
    }
}

#[test]
fn every_changed_bit_is_rejected() {
    for length in [1, 32, 72, MESSAGE_MOST] {
        let good = sealed(&mut end(5, ToClient), &vec![0x4E; length]);
        let mut to = end(5, ToServer);
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(to.open(&bytes).is_err(), "bit {bit} of {length} bytes");
        }
        assert!(to.open(&good).is_ok(), "forgeries do not use up the number");
    }
}

#[test]
fn other_sessions_secrets_channels_and_directions_are_refused() {
    let bytes = sealed(&mut end(5, ToServer), &[7; 32]);
    let opened = |key: &SessionKey, channel, sends, bytes: &[u8]| {
        SealedChannel::new(key, channel, sends).open(bytes).map(<[u8]>::len)
    };
    assert_eq!(opened(&key(6), Messages, ToClient, &bytes), Err(KeyError::UnknownKey(5)));
    let other = SessionKey::new(5, [9; 16]).expect("a secret");
    assert_eq!(opened(&other, Messages, ToClient, &bytes), Err(KeyError::Forged));
    assert_eq!(opened(&key(5), Messages, ToServer, &bytes), Err(KeyError::OtherDirection));
    assert_eq!(opened(&key(5), Link, ToClient, &bytes), Err(KeyError::OtherChannel));
    // Reflect the message, or make it name a different channel or a different session with the same secret.
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        bytes
    };
    assert_eq!(opened(&key(5), Messages, ToServer, &with(3, 19)), Err(KeyError::Forged));
    assert_eq!(opened(&key(5), Link, ToClient, &with(3, 13)), Err(KeyError::Forged));
    assert_eq!(opened(&key(6), Messages, ToClient, &with(7, 6)), Err(KeyError::Forged));
}

#[test]
fn messages_without_a_seal_are_refused() {
    let bytes = sealed(&mut end(5, ToServer), &[0x4E; 32]);
    let mut to = end(5, ToClient);
    assert_eq!(to.open(&bytes[HEAD..HEAD + 32]), Err(KeyError::NotKeyed));
    for unkeyed in (0..=u8::MAX).filter(|kind| ![13, 14, 18, 19].contains(kind)) {
        let mut message = [0; 72];
        message[..4].copy_from_slice(&[0x4E, 0x4B, 1, unkeyed]);
        assert_eq!(to.open(&message), Err(KeyError::NotKeyed), "kind {unkeyed}");
    }
    let mut newer = bytes.clone();
    newer[2] = 2;
    assert_eq!(to.open(&newer), Err(KeyError::Version(2)));
}

#[test]
fn other_lengths_are_rejected() {
    let long = sealed(&mut end(5, ToServer), &[7; MESSAGE_MOST]);
    let mut to = end(5, ToClient);
    for length in 0..long.len() {
        let error = match length {
            0..HEAD => KeyError::NotKeyed,
            HEAD..=OVERHEAD => KeyError::Length(length),
            _ => KeyError::Forged,
        };
        assert_eq!(to.open(&long[..length]), Err(error));
    }
    let longer = [long.as_slice(), &[0]].concat();
    assert_eq!(to.open(&longer), Err(KeyError::Length(SEALED_MOST + 1)));
}

#[test]
fn a_failed_seal_leaves_the_buffer_unchanged() {
    let (mut from, mut out) = (end(5, ToServer), [0xEE; SEALED_MOST]);
    let mut refused =
        |message: &[u8], room| from.seal(message, &mut out[..room]).map(<[u8]>::len).unwrap_err();
    assert_eq!(refused(&[], SEALED_MOST), KeyError::Length(0));
    assert_eq!(refused(&[7; MESSAGE_MOST + 1], SEALED_MOST), KeyError::Length(MESSAGE_MOST + 1));
    assert_eq!(refused(&[7; 32], 63), KeyError::NoSpace(64));
    from.sent = u64::MAX;
    assert_eq!(from.seal(&[7; 32], &mut out), Err(KeyError::Exhausted));
    assert_eq!(out, [0xEE; SEALED_MOST]);
}

#[test]
fn a_restarted_sender_is_accepted_if_it_counts_its_restarts() {
    let mut to = end(5, ToClient);
    let mut first = end(5, ToServer);
    let old: Vec<_> = (0..300).map(|_| sealed(&mut first, &[1])).collect();
    old.iter().for_each(|bytes| assert!(to.open(bytes).is_ok()));
    assert_eq!(to.open(&sealed(&mut end(5, ToServer), &[2])), Err(KeyError::Replayed));
    let mut again = SealedChannel::new(&key(5).after_restarts(1), Messages, ToServer);
    assert_eq!(to.open(&sealed(&mut again, &[3])), Ok(&[3][..]));
    old.iter().for_each(|bytes| assert_eq!(to.open(bytes), Err(KeyError::Replayed)));
}

#[test]
fn an_all_zero_key_is_rejected_and_keys_are_not_printed() {
    assert_eq!(SessionKey::new(5, [0; 16]).err(), Some(KeyError::NoSecret));
    assert_eq!(format!("{:?}", key(5)), "SessionKey { id: 5, .. }");
    assert_eq!(format!("{:?}", end(5, ToServer)), "SealedChannel { id: 5, .. }");
}
