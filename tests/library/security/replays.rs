//! Tests an attacker who records messages and replays them.

use netclock::keyed::SessionKey;
use netclock::link::{ClientLinkConfig, DATAGRAM, LinkedClient, ServerLink, ServerLinkConfig};
use netclock::{Client, Config, LocalTime, ServerTime, Span};

const OFFSET: Span = Span::from_secs(77);

fn key() -> SessionKey {
    SessionKey::new(1, *b"drawn at random.").expect("a secret")
}

fn at(millis: i64) -> (LocalTime, ServerTime) {
    let ticks = 1_000_000_000 + millis * 10_000;
    (LocalTime::from_ticks(ticks), ServerTime::from_ticks(ticks) + OFFSET)
}

/// The attacker replays the request 40 times per second, which must not affect its original sender.
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
