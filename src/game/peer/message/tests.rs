use super::*;

const GENERATION: u32 = 0x0506_0708;
const PROVEN: u64 = 0x090A_0B0C_0D0E_0F10;
const NUMBER: u64 = 0x1112_1314_1516_1718;

fn message(body: Body) -> Message {
    Message { generation: GENERATION, proof: PROVEN, body }
}

fn encoded(body: Body) -> Vec<u8> {
    message(body).encode(&mut [0xFF; EXCHANGE]).to_vec()
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
    let (held_there, held_back) = (0x2122_2324, 0x2526_2728);
    Body::SynchReply(SynchReply { slot: 0x0102, id: NUMBER, held_there, held_back, answer })
}

/// Every message with its id and the encoded first, second, number and timestamp fields.
fn all() -> Vec<(Body, u16, [u8; 4], u64, i64)> {
    let began = Began { run: NUMBER, at: ServerTime::from_ticks(-2) };
    let role = |role| Body::Role { role, slot: 0x0102, players: 0x0304, token: NUMBER };
    let [round_trip, error_bound] = [0x1112, 0x1314].map(Span::from_ticks);
    vec![
        (Body::Login { version: 1, game: 7, cookie: 0 }, 1, [0, 1, 0, 0], 7, 0),
        (Body::Login { version: 1, game: 7, cookie: u64::MAX }, 1, [0, 1, 0, 0], 7, -1),
        (Body::Challenge { cookie: NUMBER }, 4, [0; 4], NUMBER, 0),
        (Body::Error { rejection: Some(Rejection::Duplicate), about: 9 }, 2, [0, 3, 0, 9], 0, 0),
        (Body::Error { rejection: None, about: 9 }, 2, [0, 0, 0, 9], 0, 0),
        (Body::State { waits: false, synced: true, players: 0x0304 }, 3, [0, 1, 3, 4], 0, 0),
        (Body::Ready { leads: true, knows_begin: false }, 9, [0, 1, 0, 0], 0, 0),
        (Body::Ready { leads: false, knows_begin: true }, 9, [0, 2, 0, 0], 0, 0),
        (Body::BeginGame { began: None }, 0x10, [0; 4], 0, 0),
        (Body::BeginGame { began: Some(began) }, 0x10, [0, 1, 0, 0], began.run, -2),
        (Body::GameEnd, 0x11, [0; 4], 0, 0),
        (Body::SynchRequest { slot: 0x0102, id: NUMBER, held: 5 }, 0x12, [1, 2, 0, 0], NUMBER, 0),
        (reply(), 0x13, [1, 2, 0, 0], NUMBER, -2),
        (role(Role::Primary), 0x14, [1, 2, 3, 4], NUMBER, 0),
        (role(Role::Secondary), 0x15, [1, 2, 3, 4], NUMBER, 0),
        (Body::SynchDone { round_trip, error_bound }, 0x16, [0; 4], 0x1112, 0x1314),
        (Body::State { waits: true, synced: false, players: 0x0304 }, 0x17, [0, 0, 3, 4], 0, 0),
    ]
}

#[test]
fn every_message_has_the_bytes_of_the_protocol() {
    for (body, id, places, number, stamp) in all() {
        let bytes = encoded(body);
        let size = if [SYNCH_REQUEST, SYNCH_REPLY].contains(&id) { 92 } else { 36 };
        assert_eq!(bytes[..4], [0, id as u8, 0, size], "{body:?}");
        assert_eq!((bytes[4..8].to_vec(), bytes.len()), (places.to_vec(), usize::from(size)), "{body:?}");
        assert_eq!(bytes[8..20], [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], "{body:?}");
        assert_eq!(bytes[20..28], number.to_be_bytes(), "{body:?}");
        assert_eq!(bytes[28..36], stamp.to_be_bytes(), "{body:?}");
    }
    let reply = encoded(reply());
    assert_eq!(reply[..4], [0, 0x13, 0, 92]);
    assert_eq!(reply[36..44], [0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28], "what the relay held");
    assert_eq!(reply[44..60], [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8]);
    assert_eq!((reply[67], reply[75], reply[83], reply[91]), (9, 10, 11, 12));
    let request = encoded(Body::SynchRequest { slot: 1, id: NUMBER, held: 5 });
    assert_eq!((request[36..40].to_vec(), request[40..].to_vec()), (vec![0, 0, 0, 5], vec![0; 52]));
}

#[test]
fn what_was_written_is_read_back() {
    for (body, ..) in all() {
        assert_eq!(decode(&encoded(body)), Ok(Decoded::Protocol(message(body))));
    }
    let ids = [1, 2, 3, 4, 9, 0x10, 0x11, 0x14, 0x15, 0x16, 0x17];
    for id in 0..FIRST_GAME_ID {
        let mut bytes = [0; PLAIN];
        (bytes[1], bytes[3]) = (id as u8, PLAIN as u8);
        let read = decode(&bytes);
        if ids.contains(&id) {
            assert!(read.is_ok(), "{id:#x}");
        } else if ![SYNCH_REQUEST, SYNCH_REPLY].contains(&id) {
            assert_eq!(read, Err(PeerError::UnknownId(id)));
        }
    }
}

#[test]
fn reserved_fields_and_impossible_stamps_are_refused() {
    let with = |body, at: usize, value: u8| {
        let mut bytes = encoded(body);
        bytes[at] = value;
        decode(&bytes).err()
    };
    for (at, value) in [(28, 0x7F), (48, 1), (51, 1), (76, 0x80), (84, 0x80), (91, 10)] {
        assert_eq!(with(reply(), at, value), Some(PeerError::Malformed(SYNCH_REPLY)), "byte {at}");
    }
    let request = Body::SynchRequest { slot: 1, id: NUMBER, held: 5 };
    for at in (28..36).chain(40..92) {
        assert_eq!(with(request, at, 1), Some(PeerError::Malformed(SYNCH_REQUEST)), "byte {at}");
    }
    let game = [1, 0, 0, 21, 0, 0, 0, 5, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 77];
    let read = Decoded::Game { id: 0x100, stamp: 5, slot: 2, proof: 9, data: &[77] };
    assert_eq!(decode(&game), Ok(read));
    let mut reserved = game;
    reserved[11] = 1;
    assert_eq!(decode(&reserved), Err(PeerError::Malformed(0x100)));
    assert_eq!(decode(&[1, 0, 0, 12, 0, 0, 0, 5, 0, 2, 0, 0]), Err(PeerError::Malformed(0x100)), "no proof");
}
