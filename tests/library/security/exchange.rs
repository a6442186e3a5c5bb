//! A client and a server share a session key. An attacker sees, changes, repeats and adds datagrams.

use netclock::keyed::{Channel, KeyError, SEALED_MOST, SealedChannel, SessionKey};
use netclock::{
    Client, Config, Direction, LocalTime, Refusal, Reply, Request, RequestId, Responder, ServerTime,
    SessionKeys, SessionKeysConfig, Span, State, wire,
};
use netclock_sim::random::{Random, seed};

const SECRET: [u8; 16] = *b"drawn at random.";
/// The client's key id. `OTHER` is another player's.
const ID: u32 = 7;
const OTHER: u32 = 8;
const OFFSET: Span = Span::from_secs(1_000);
const DELAY: Span = Span::from_millis(20);

fn key() -> SessionKey {
    SessionKey::new(ID, SECRET).expect("a secret")
}

fn end(key: &SessionKey, sends: Direction) -> SealedChannel {
    SealedChannel::new(key, Channel::Messages, sends)
}

fn sealed(channel: &mut SealedChannel, message: &[u8]) -> Vec<u8> {
    channel.seal(message, &mut [0; SEALED_MOST]).expect("a message of ours").to_vec()
}

/// Both ends, each of which accepts only datagrams that it can open.
struct SealedPair {
    now: LocalTime,
    client: Client,
    channel: SealedChannel,
    keys: SessionKeys,
    responder: Responder,
}

impl SealedPair {
    fn new() -> Self {
        let mut keys =
            SessionKeys::new(Channel::Messages, SessionKeysConfig::default()).expect("the default is valid");
        keys.admit(&key()).expect("there is room");
        keys.admit(&SessionKey::new(OTHER, [9; 16]).expect("a secret")).expect("there is room");
        let client = Client::new(Config::default(), 1).expect("the default is valid");
        let now = LocalTime::from_ticks(500_000_000);
        SealedPair {
            now,
            client,
            channel: end(&key(), Direction::ToServer),
            keys,
            responder: Responder::new(5),
        }
    }

    /// Returns a pair that has been in sync for a few seconds.
    fn settled() -> Self {
        let mut game = SealedPair::new();
        for frame in 0..500 {
            // With constant delays, evenly spaced frames would look like loops in which messages wait.
            game.now += Span::from_micros(5_000 + frame * frame * 7_919 % 10_000);
            if let Some(request) = game.client.tick(game.now).expect("in order") {
                let request = game.sealed_request(&request);
                let reply = game.serve(&request).expect("the client's own");
                assert_eq!(reply.len(), request.len(), "the reply is longer than its request");
                assert_eq!(game.receive(&reply), Ok(Ok(())));
            }
        }
        assert_eq!(game.client.read(game.now).state, State::Synced);
        while game.client.next_event().is_some() {}
        game
    }

    fn truth(&self, local: LocalTime) -> ServerTime {
        ServerTime::from_ticks(local.ticks()) + OFFSET
    }

    fn request(&mut self) -> Vec<u8> {
        let request = self.client.make_request(self.now).expect("in order");
        self.sealed_request(&request)
    }

    fn sealed_request(&mut self, request: &Request) -> Vec<u8> {
        let datagram = wire::encode_request(request).expect("in range");
        sealed(&mut self.channel, &datagram)
    }

    fn serve(&mut self, datagram: &[u8]) -> Result<Vec<u8>, KeyError> {
        let now = self.truth(self.now + DELAY);
        let (id, message) = self.keys.open(datagram)?;
        let request = wire::decode_request(message).expect("a client seals nothing else");
        self.keys.allow(id, now)?;
        let reply = self.responder.respond(&request, now, now).expect("in order");
        let datagram = wire::encode_reply(&reply).expect("in range");
        Ok(self.keys.seal(id, &datagram, &mut [0; SEALED_MOST])?.to_vec())
    }

    fn receive(&mut self, datagram: &[u8]) -> Result<Result<(), Refusal>, KeyError> {
        let message = self.channel.open(datagram)?;
        let reply = wire::decode_reply(message).expect("a server seals nothing else here");
        let arrived = self.now + DELAY + DELAY;
        let handled = self.client.handle_reply(&reply, arrived);
        if handled.is_ok() {
            self.now = arrived;
        }
        Ok(handled)
    }

    /// Runs `attack` and asserts that the client has not visibly changed.
    fn unmoved(&mut self, attack: impl FnOnce(&mut SealedPair)) {
        let instants = [0, 1, 1_000].map(|seconds| self.now + DELAY + DELAY + Span::from_secs(seconds));
        let before = instants.map(|at| self.client.read(at));
        attack(self);
        assert_eq!(instants.map(|at| self.client.read(at)), before);
        assert_eq!(self.client.next_event(), None);
    }
}

/// Returns a forged reply from an attacker who saw the request at `sent` and has no key.
fn forged(request: &Request, sent: LocalTime, off: Span) -> wire::Datagram {
    let stamp = ServerTime::from_ticks(sent.ticks()) + OFFSET + DELAY + off;
    let reply = Reply { id: request.id, epoch: 5, received: stamp, sent: stamp, wait: None };
    wire::encode_reply(&reply).expect("in range")
}

#[test]
fn without_a_key_an_observer_moves_a_clock_that_asks_again() {
    let mut game = SealedPair::settled();
    let mut moved = Span::ZERO;
    for _ in 0..200 {
        game.now += Span::from_millis(100);
        if let Some(request) = game.client.tick(game.now).expect("in order") {
            // The forged replies overtake the server's. Because two of them agree, they prove a step.
            let lie =
                wire::decode_reply(&forged(&request, game.now, Span::from_secs(60))).expect("well formed");
            let _a_step_needs_two = game.client.handle_reply(&lie, game.now + DELAY + DELAY);
        }
        moved = (game.client.read(game.now).server_time - game.truth(game.now)).abs();
    }
    assert!(moved > Span::from_secs(59), "{moved}: the page states a limit that is gone");
}

#[test]
fn with_a_key_an_observer_cannot_forge_a_reply() {
    let mut game = SealedPair::settled();
    let request = game.client.make_request(game.now).expect("in order");
    let lie = forged(&request, game.now, Span::from_secs(60));
    game.unmoved(|game| {
        assert_eq!(game.receive(&lie), Err(KeyError::NotKeyed), "an unkeyed message was accepted");
        for id in [ID, OTHER, 0] {
            let guess = SessionKey::new(id, [1; 16]).expect("a secret");
            let expected = if id == ID { KeyError::Forged } else { KeyError::UnknownKey(id) };
            assert_eq!(game.receive(&sealed(&mut end(&guess, Direction::ToClient), &lie)), Err(expected));
        }
        let reply = game.sealed_request(&request);
        let reply = game.serve(&reply).expect("the client's own");
        for bit in 0..8 * reply.len() {
            let mut changed = reply.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(game.receive(&changed).is_err(), "bit {bit}");
        }
    });
}

#[test]
fn a_reply_counts_once_and_a_request_sent_back_counts_for_nothing() {
    let mut game = SealedPair::settled();
    let request = game.request();
    let reply = game.serve(&request).expect("the client's own");
    assert_eq!(game.receive(&reply), Ok(Ok(())));
    game.now += Span::from_millis(200);
    game.unmoved(|game| {
        for _ in 0..100 {
            assert_eq!(game.receive(&reply), Err(KeyError::Replayed));
        }
        assert_eq!(game.receive(&request), Err(KeyError::OtherDirection), "reflected");
        let mut turned = request.clone();
        turned[3] = reply[3];
        assert_eq!(game.receive(&turned), Err(KeyError::Forged), "a reflected request labelled as a reply");
        assert_eq!(game.serve(&reply), Err(KeyError::OtherDirection), "a reply reflected to the server");
    });
}

#[test]
fn a_message_of_one_session_is_rejected_in_another() {
    let mut game = SealedPair::settled();
    let request = game.request();
    let mut moved = request.clone();
    moved[7] = OTHER as u8;
    assert_eq!(game.serve(&moved), Err(KeyError::Forged));
    let reply = game.serve(&request).expect("the client's own");
    let other = SessionKey::new(OTHER, [9; 16]).expect("a secret");
    let lie = sealed(&mut end(&other, Direction::ToClient), &reply[16..48]);
    game.unmoved(|game| assert_eq!(game.receive(&lie), Err(KeyError::UnknownKey(OTHER))));
    game.keys.revoke(ID).expect("admitted");
    assert_eq!(game.serve(&request), Err(KeyError::UnknownKey(ID)), "a revoked key opened a datagram");
    let answer = game.keys.seal(ID, &[1], &mut [0; SEALED_MOST]).map(<[u8]>::len);
    assert_eq!(answer, Err(KeyError::UnknownKey(ID)), "a revoked key sealed a datagram");
}

#[test]
fn replayed_requests_are_not_answered_and_the_client_is_unaffected() {
    let mut game = SealedPair::settled();
    let seen = game.request();
    game.serve(&seen).expect("the first time");
    let before = game.keys.counts().replayed;
    for frame in 0..1_000 {
        game.now += Span::from_millis(10);
        for _ in 0..10 {
            assert_eq!(game.serve(&seen), Err(KeyError::Replayed));
        }
        if frame % 100 == 0 {
            let request = game.request();
            let reply = game.serve(&request).expect("replays do not use up the client's budget");
            assert_eq!(game.receive(&reply), Ok(Ok(())));
        }
    }
    assert_eq!(game.keys.counts().replayed - before, 10_000);
    let error = (game.client.read(game.now).server_time - game.truth(game.now)).abs();
    assert!(error < Span::from_micros(10), "{error}");
}

#[test]
fn a_flood_of_forged_replies_has_no_effect_on_a_client() {
    let mut game = SealedPair::settled();
    let mut dice = Random::new(seed(13), "test");
    game.unmoved(|game| {
        let made = allocation_counter::measure(|| {
            for _ in 0..100_000 {
                let stamp = ServerTime::from_ticks(dice.below(1 << 40));
                let forged =
                    Reply { id: RequestId(dice.word()), epoch: 5, received: stamp, sent: stamp, wait: None };
                assert_eq!(game.client.handle_reply(&forged, game.now), Err(Refusal::UnknownRequest));
            }
        });
        assert_eq!(made.count_total, 0);
    });
}

#[test]
fn an_unkeyed_flood_makes_a_server_neither_allocate_nor_answer() {
    let mut game = SealedPair::settled();
    let request = game.request();
    let mut forged = request.clone();
    let before = game.keys.counts();
    let mut answered = 0;
    let made = allocation_counter::measure(|| {
        for number in 0..100_000_u32 {
            forged[4..8].copy_from_slice(&(number % 16).to_be_bytes());
            forged[20..24].copy_from_slice(&number.to_be_bytes());
            answered += u32::from(game.keys.open(&forged).is_ok());
        }
    });
    assert_eq!((made.count_total, answered), (0, 0));
    let counts = game.keys.counts();
    assert_eq!(counts.unknown_key - before.unknown_key, 87_500, "14 of 16 ids are unknown");
    assert_eq!(counts.forged - before.forged, 12_500);
    assert_eq!((counts.opened, counts.replayed), (before.opened, before.replayed));
    game.serve(&request).expect("the client still gets a reply");
}

#[test]
fn a_request_does_not_reveal_the_uptime() {
    // Both clients stamp the same two instants.
    let stamps = [1, 2].map(|seed| {
        let mut client = Client::new(Config::default(), seed).expect("the default is valid");
        [10, 25].map(|seconds| {
            let now = LocalTime::from_ticks(0) + Span::from_secs(seconds);
            client.make_request(now).expect("in order").client_time
        })
    });
    for [first, second] in stamps {
        assert_eq!(second - first, Span::from_secs(15), "the stamps advance with local time");
    }
    let apart = (stamps[0][0] - stamps[1][0]).abs();
    assert!(apart > Span::from_secs(1_000_000_000), "{apart}");
}
