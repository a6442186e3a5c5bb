use super::*;

const GENERATION: u32 = 0x0506_0708;
const PROOF: u64 = 0x090A_0B0C_0D0E_0F10;

fn message(body: Body) -> Message {
    Message { generation: GENERATION, proof: PROOF, body }
}

fn encoded(body: Body) -> Vec<u8> {
    message(body).encode(&mut [0; REPLY]).to_vec()
}

fn reply() -> Body {
    let answer = Answer {
        received: ServerTime::from_ticks(-2),
        hold: 7,
        authority: 8,
        base: 9,
        run: 10,
        loss: Span::from_ticks(11),
        total: Span::from_ticks(12),
    };
    let (held_there, held_back) = (0x1112_1314, 0x1516_1718);
    Body::SynchReply(SynchReply { slot: 0x0102, held_there, held_back, answer })
}

/// Every message with its id and the bytes of first, second, number and stamp.
fn all() -> Vec<(Body, u16, [u8; 4], u64, i64)> {
    let began = Began { run: 0x1112_1314_1516_1718, at: ServerTime::from_ticks(-2) };
    let role = |role| Body::Role { role, slot: 0x0102, players: 0x0304, token: 0x1112_1314_1516_1718 };
    let [round_trip, error_bound] = [0x1112, 0x1314].map(Span::from_ticks);
    let sent = LocalTime::from_ticks(-2);
    vec![
        (Body::Login { version: 1, game: 7 }, 1, [0, 1, 0, 0], 7, 0),
        (Body::Error { rejection: Some(Rejection::Duplicate), about: 9 }, 2, [0, 3, 0, 9], 0, 0),
        (Body::Error { rejection: None, about: 9 }, 2, [0, 0, 0, 9], 0, 0),
        (Body::LoginOk { synced: true, players: 0x0304 }, 3, [0, 1, 3, 4], 0, 0),
        (Body::Ready { leads: true, knows_begin: false }, 9, [0, 1, 0, 0], 0, 0),
        (Body::Ready { leads: false, knows_begin: true }, 9, [0, 2, 0, 0], 0, 0),
        (Body::BeginGame { began: None }, 0x10, [0; 4], 0, 0),
        (Body::BeginGame { began: Some(began) }, 0x10, [0, 1, 0, 0], began.run, -2),
        (Body::GameEnd, 0x11, [0; 4], 0, 0),
        (Body::SynchRequest { slot: 0x0102, held: 5, sent }, 0x12, [1, 2, 0, 0], 5 << 32, -2),
        (reply(), 0x13, [1, 2, 0, 0], 0x1112_1314_1516_1718, -2),
        (role(Role::Primary), 0x14, [1, 2, 3, 4], 0x1112_1314_1516_1718, 0),
        (role(Role::Secondary), 0x15, [1, 2, 3, 4], 0x1112_1314_1516_1718, 0),
        (Body::SynchDone { round_trip, error_bound }, 0x16, [0; 4], 0x1112, 0x1314),
        (Body::SynchWait { synced: false, players: 0x0304 }, 0x17, [0, 0, 3, 4], 0, 0),
    ]
}

#[test]
fn every_message_has_the_bytes_of_the_protocol() {
    for (body, id, places, number, stamp) in all() {
        let bytes = encoded(body);
        let size = if id == SYNCH_REPLY { 84 } else { 36 };
        assert_eq!(bytes[..4], [0, id as u8, 0, size], "{body:?}");
        assert_eq!((bytes[4..8].to_vec(), bytes.len()), (places.to_vec(), usize::from(size)), "{body:?}");
        assert_eq!(bytes[8..20], [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], "{body:?}");
        assert_eq!(bytes[20..28], number.to_be_bytes(), "{body:?}");
        assert_eq!(bytes[28..36], stamp.to_be_bytes(), "{body:?}");
    }
    let reply = encoded(reply());
    assert_eq!(reply[..4], [0, 0x13, 0, 84]);
    assert_eq!(reply[36..52], [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8]);
    assert_eq!((reply[59], reply[67], reply[75], reply[83]), (9, 10, 11, 12));
}

#[test]
fn what_was_written_is_read_back() {
    for (body, ..) in all() {
        assert_eq!(decode(&encoded(body)), Ok(Decoded::Protocol(message(body))));
    }
    let ids = [1, 2, 3, 9, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17];
    for id in 0..FIRST_GAME_ID {
        let bytes = Fields { id, stamp: -2, ..Fields::default() }.write();
        let read = decode(&bytes);
        if ids.contains(&id) {
            assert!(read.is_ok(), "{id:#x}");
        } else if id != SYNCH_REPLY {
            assert_eq!(read, Err(PeerError::UnknownId(id)));
        }
    }
}

#[test]
fn every_other_length_is_refused() {
    for id in [LOGIN, SYNCH_REPLY] {
        for size in 0..200_u16 {
            let mut bytes = [0; 200];
            bytes[..2].copy_from_slice(&id.to_be_bytes());
            bytes[2..4].copy_from_slice(&size.to_be_bytes());
            let whole = usize::from(size) == if id == LOGIN { PLAIN } else { REPLY };
            let read = decode(&bytes[..size.into()]);
            assert_eq!(read.is_ok(), whole, "{id:#x} of {size} bytes: {read:?}");
            // More or fewer bytes than it says.
            assert!(decode(&bytes[..size.min(199) as usize + 1]).is_err());
        }
    }
    let mut long = [0; MESSAGE_MOST + 1];
    long[..4].copy_from_slice(&[1, 0, 4, 1]);
    assert_eq!(decode(&long), Err(PeerError::Size(MESSAGE_MOST + 1)));
}

#[test]
fn reserved_fields_and_impossible_stamps_are_refused() {
    let with = |at: usize, value: u8| {
        let mut bytes = encoded(reply());
        bytes[at] = value;
        decode(&bytes).err()
    };
    for (at, value) in [(28, 0x7F), (40, 1), (43, 1), (68, 0x80), (76, 0x80), (83, 10)] {
        assert_eq!(with(at, value), Some(PeerError::Malformed(SYNCH_REPLY)), "byte {at}");
    }
    let game = [1, 0, 0, 13, 0, 0, 0, 5, 0, 2, 0, 0, 77];
    assert_eq!(decode(&game), Ok(Decoded::Game { id: 0x100, stamp: 5, slot: 2, data: &[77] }));
    assert_eq!(decode(&[1, 0, 0, 12, 0, 0, 0, 5, 0, 2, 0, 1]), Err(PeerError::Malformed(0x100)));
    assert_eq!(decode(&[1, 0, 0, 6, 0, 0]), Err(PeerError::Malformed(0x100)));
}
