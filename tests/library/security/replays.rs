//! An attacker who records messages and replays them.

use netclock::keyed::{Channel, KeyError, SealedChannel, SessionKey};
use netclock::link::{ClientLinkConfig, DATAGRAM, LinkError, LinkedClient, ServerLink, ServerLinkConfig};
use netclock::{
    Client, Config, Direction, LocalTime, Request, RequestId, ServerTime, SessionKeys, SessionKeysConfig,
    Span, wire,
};

const OFFSET: Span = Span::from_secs(77);

fn key() -> SessionKey {
    SessionKey::new(1, *b"drawn at random.").expect("a secret")
}

fn at(millis: i64) -> (LocalTime, ServerTime) {
    let ticks = 1_000_000_000 + millis * 10_000;
    (LocalTime::from_ticks(ticks), ServerTime::from_ticks(ticks) + OFFSET)
}

/// One old request is replayed 40 times per second. Its original sender is not affected.
#[test]
fn a_replayed_request_does_not_use_up_the_budget() {
    let mut server = ServerLink::new(ServerLinkConfig::default(), 9).expect("the default is valid");
    server.admit(&key()).expect("there is room");
    let client = Client::new(Config::default(), 1).expect("the default is valid");
    let mut client = LinkedClient::new(client, &key(), ClientLinkConfig::default()).expect("there is memory");
    let (mut heard, mut asked, mut answered, mut repeated) = (None::<[u8; DATAGRAM]>, 0, 0, 0);
    for millis in 0..60_000 {
        let (now, stamp) = at(millis);
        let mut out = [0; DATAGRAM];
        if let Some(heard) = heard.filter(|_| millis % 25 == 0) {
            repeated += u32::from(server.answer(&heard, stamp, stamp, &mut out).is_ok());
        }
        while let Some(datagram) = client.due(now).expect("in order") {
            let datagram: [u8; DATAGRAM] = datagram.bytes.try_into().expect("datagrams have one length");
            heard.get_or_insert(datagram);
            asked += 1;
            if let Ok(answer) = server.answer(&datagram, stamp, stamp, &mut out) {
                answered += 1;
                client.take(&answer, now).expect("the reply is accepted");
            }
        }
    }
    assert!(asked > 100, "{asked} requests in a minute");
    assert_eq!(answered, asked, "{repeated} repeated");
    assert_eq!(repeated, 0, "a request was answered twice");
    assert_eq!(client.counts().replies, answered, "a reply was not used");
}

#[test]
fn reordered_messages_are_accepted_once() {
    let mut server = ServerLink::new(ServerLinkConfig::default(), 9).expect("the default is valid");
    server.admit(&key()).expect("there is room");
    let mut client = SealedChannel::new(&key(), Channel::Link, Direction::ToServer);
    let mut out = [0; DATAGRAM];
    let request = Request { id: RequestId(1), client_time: at(0).0, reliable: false };
    let request = wire::encode_request(&request).expect("in range");
    let mut now = at(0).1;
    for _ in 0..5 {
        let mut sent = Vec::new();
        for _ in 0..=200 {
            sent.push(client.seal(&request, &mut [0; DATAGRAM]).expect("a message").to_vec());
        }
        for is_copy in [false, true] {
            for datagram in sent.iter().rev() {
                now += Span::from_millis(11);
                let answered = server.answer(datagram, now, now, &mut out).map(|_| ());
                assert_eq!(answered, if is_copy { Err(LinkError::Key(KeyError::Replayed)) } else { Ok(()) });
            }
        }
    }
    let counts = server.counts();
    assert_eq!((counts.answered, counts.keys.replayed), (1_005, 1_005));
    assert_eq!((counts.malformed, counts.busy, counts.keys.forged), (0, 0, 0));
}

/// A second client with the same key reuses numbers. Only the client with the higher numbers gets replies.
#[test]
fn a_key_is_for_one_client() {
    let mut keys = SessionKeys::new(Channel::Messages, SessionKeysConfig::default()).expect("valid");
    keys.admit(&key()).expect("there is room");
    let mut heard = [0, 0];
    let mut clients = [0; 2].map(|_| SealedChannel::new(&key(), Channel::Messages, Direction::ToServer));
    for _ in 0..1_000 {
        for (client, heard) in clients.iter_mut().zip(&mut heard) {
            *heard += u32::from(keys.open(client.seal(&[1], &mut [0; 33]).expect("short")).is_ok());
        }
    }
    assert_eq!(heard, [1_000, 0]);
}
