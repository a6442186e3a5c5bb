//! Tests that lost updates arrive eventually, and that datagrams of earlier connections are rejected.

mod games;
mod hostile;
mod small;
mod subjects;

use netclock::keyed::{Channel, KeyError, SealedChannel, SessionKey};
use netclock::session::{DATAGRAM_MOST, Guest, GuestConfig, Host, HostConfig, SessionError, View};
use netclock::start::{Proposal, Stage};
use netclock::timeline::Rate;
use netclock::{
    Direction, LocalTime, ServerTime, Span, State, TimeError, UtcTime, WireError, WorldTime, wire,
};
use netclock_sim::leg::LegConfig;
use netclock_sim::matched::{Match, MatchConfig};
use netclock_sim::random::{Random, seed};

const SEED: u64 = 2026;
const SECOND: Span = Span::from_secs(1);

type Outcome = Result<(), Box<dyn std::error::Error>>;
type Datagrams = Vec<Vec<u8>>;

fn lossy(loss: f64) -> MatchConfig {
    let leg = LegConfig {
        base_ms: 25.0,
        jitter_ms: 4.0,
        loss,
        duplicate: 0.05,
        reorder: 0.05,
        reorder_ms: 60.0,
        ..LegConfig::default()
    };
    MatchConfig { forward: leg.clone(), reverse: leg, ..MatchConfig::default() }
}

#[test]
fn a_start_reaches_all_players_including_late_joiners() -> Outcome {
    let mut game = Match::new(MatchConfig { confidence: 0.999, ..lossy(0.1) }, 3, seed(SEED))?;
    game.play(2.0);
    game.wants_start = true;
    game.play(15.0);
    let Some((_, Proposal::Scheduled { at, left_behind, .. })) = game.proposal else {
        return Err(format!("no start was scheduled: {:?}", game.proposal).into());
    };
    assert_eq!(left_behind, 0);
    let result = game.host.start_result()?;
    assert_eq!((result.fired, result.counted), (3, 3), "{result:?}");
    game.join(15.0)?;
    game.play(20.0);
    assert_eq!(game.started.iter().map(|fired| fired.progress.at).collect::<Vec<_>>(), [at; 4]);
    let late = game.started[3];
    assert!(late.player == 4 && late.progress.joins_late, "{late:?}");
    let known = game.host.participation(4, game.server_time(20.0))?;
    assert!(!known.counted && known.lateness > Some(Span::from_secs(5)), "{known:?}");
    assert_eq!(game.host.start_result()?, result, "the late joiner changed the result");
    let before: Vec<_> = game.players.iter().map(|player| player.datagrams.0).collect();
    game.play(30.0);
    for (player, before) in game.players.iter().zip(before) {
        let sent = player.datagrams.0 - before;
        assert!(sent <= 20, "guest {} sent {sent} datagrams in 10 s", player.id);
        assert_eq!(player.view.map(|view| view.start.stage), Some(Stage::Started));
    }
    Ok(())
}

/// Returns how many bytes both ends send from second 60 to 120, with frames of this many ms. The host
/// publishes UTC if it publishes a world.
fn bytes_at_rest(frame: i64, has_world: bool) -> Result<usize, Box<dyn std::error::Error>> {
    let mut pair = Pair { frame, has_world, ..Pair::new()? };
    let mut bytes = 0;
    while pair.millis < 120_000 {
        let (now, server) = pair.now();
        if has_world {
            pair.host.observe_utc(server, UtcTime::from_ticks(now.ticks()), Some(Span::ZERO))?;
        }
        let (of_guest, of_host) = pair.frame(false)?;
        if pair.millis < 60_000 {
            continue;
        }
        bytes += of_guest.iter().chain(&of_host).map(Vec::len).sum::<usize>();
        let view = pair.view()?;
        assert_eq!(view.worlds[0].is_some(), has_world);
        if let Some(world) = view.worlds[0] {
            let confirmed = world.error_bound - world.error_bound_if_unchanged;
            assert!(confirmed < Span::from_secs(6), "{confirmed} at {} ms", pair.millis);
            // The UTC claim may be off by 1 ms, and UTC may drift by 50 ppm for 2 s on either side of the
            // reply.
            let utc = view.utc.ok_or("no UTC")?.error_bound - view.reading.error_bound;
            assert!(utc < Span::from_micros(1_500), "{utc} at {} ms", pair.millis);
        }
    }
    Ok(bytes)
}

#[test]
fn a_session_at_rest_costs_as_much_as_bare_exchanges() -> Outcome {
    for (frame, has_world) in [(1, false), (40, true), (16, true)] {
        let bytes = bytes_at_rest(frame, has_world)?;
        assert!((800..=1_100).contains(&bytes), "{frame} ms: {bytes} bytes, 960 expected");
    }
    Ok(())
}

#[test]
fn a_guest_at_rest_whose_address_changes_receives_updates_again() -> Outcome {
    for is_proven in [true, false] {
        let mut pair = Pair::new()?;
        pair.play(30_000)?;
        pair.host.dismiss(1)?;
        if is_proven { pair.host.admit(1, None) } else { pair.host.admit_unproven(1) }?;
        pair.host.begin_world(0)?;
        let mut requests = 0;
        while pair.host.is_up_to_date(1) == Ok(false) {
            requests += pair.play(pair.millis + 10)?.iter().filter(|it| it.len() == 32).count();
            assert!(pair.millis < 36_000, "no update after {requests} bare replies");
        }
        assert_eq!(pair.view()?.worlds[0].map(|world| world.instance), Some(2));
    }
    Ok(())
}

struct Pair {
    host: Host,
    guest: Guest,
    millis: i64,
    /// Length of a frame in ms, and whether the host publishes a world.
    frame: i64,
    has_world: bool,
}

impl Pair {
    fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let mut host = Host::new(HostConfig::default(), 42, 8)?;
        host.admit(1, None)?;
        let guest = Guest::new(GuestConfig::default(), 7)?;
        Ok(Pair { host, guest, millis: 0, frame: 10, has_world: true })
    }

    fn now(&self) -> (LocalTime, ServerTime) {
        let ticks = self.millis * 10_000;
        (LocalTime::from_ticks(ticks), ServerTime::from_ticks(ticks + 7))
    }

    fn view(&mut self) -> Result<View, TimeError> {
        let (now, _) = self.now();
        self.guest.view(now)
    }

    fn ready() -> Result<Self, Box<dyn std::error::Error>> {
        let mut pair = Self::new()?;
        pair.play(2_000)?;
        pair.host.prepare_start();
        pair.play(4_000)?;
        Ok(pair)
    }

    fn schedule(&mut self, earliest: Span) -> Result<ServerTime, Box<dyn std::error::Error>> {
        let (_, server) = self.now();
        match self.host.propose_start(server, server + earliest, 0.99)? {
            Proposal::Scheduled { at, .. } => Ok(at),
            other => Err(format!("{other:?}").into()),
        }
    }

    /// Runs frames until `millis` and returns the datagrams that reached the guest.
    fn play(&mut self, millis: i64) -> Result<Datagrams, SessionError> {
        let mut sent = Vec::new();
        while self.millis < millis {
            sent.extend(self.frame(false)?.1);
        }
        Ok(sent)
    }

    fn frame(&mut self, are_lost: bool) -> Result<(Datagrams, Datagrams), SessionError> {
        let (mut of_guest, mut of_host) = (Vec::new(), Vec::new());
        self.millis += self.frame;
        let (now, server) = self.now();
        if self.has_world {
            self.host.observe(0, server, WorldTime::from_ticks(now.ticks()), Rate::ONE)?;
        }
        while let Some((datagram, _)) = self.guest.next(now)? {
            of_guest.push(datagram.to_vec());
            if !are_lost {
                self.host.receive(1, datagram, server)?;
            }
        }
        while let Some((_, datagram, _)) = self.host.next(server) {
            of_host.push(datagram.to_vec());
            if !are_lost {
                let _ = self.guest.receive(datagram, now);
            }
        }
        self.guest.view(now)?;
        Ok((of_guest, of_host))
    }
}

#[test]
fn a_reconnected_guest_shows_no_tight_bound_before_the_first_reply() -> Outcome {
    let mut pair = Pair::new()?;
    let of_the_first = pair.play(2_000)?;
    let (now, _) = pair.now();
    assert!(pair.guest.view(now)?.reading.error_bound < SECOND);
    pair.guest.connect(None, now)?;
    let view = pair.guest.view(now)?;
    assert_eq!((view.reading.state, view.reading.error_bound), (State::Doubtful, Span::MAX));
    assert!(view.worlds.iter().flatten().all(|world| world.error_bound == Span::MAX), "{view:?}");
    let with_a_head: Vec<_> = of_the_first.iter().filter(|datagram| datagram.len() != 32).collect();
    assert!(!with_a_head.is_empty());
    for late in with_a_head {
        assert_eq!(pair.guest.receive(late, now), Err(SessionError::OtherSession));
    }
    pair.play(2_500)?;
    let view = pair.view()?;
    assert_eq!(view.reading.state, State::Synced);
    assert!(view.worlds[0].is_some_and(|world| world.error_bound < SECOND), "{view:?}");
    assert_eq!(pair.host.is_up_to_date(1), Ok(true));
    Ok(())
}

#[test]
fn sealed_datagrams_count_once_and_only_under_their_key() -> Outcome {
    let key = SessionKey::new(1, [7; 16])?;
    let mut pair = Pair::new()?;
    pair.host.dismiss(1)?;
    pair.host.admit(1, Some(&key))?;
    pair.guest.connect(Some(&key), LocalTime::from_ticks(0))?;
    let datagrams = pair.play(1_000)?;
    assert_eq!(pair.host.is_up_to_date(1), Ok(true));
    let (now, server) = pair.now();
    let before = pair.guest.view(now)?;
    let mut fellow =
        SealedChannel::new(&SessionKey::new(2, [8; 16])?, Channel::Messages, Direction::ToClient);
    let mut room = [0; DATAGRAM_MOST];
    for sealed in &datagrams {
        assert!(sealed.len() <= DATAGRAM_MOST, "{} bytes", sealed.len());
        assert_eq!(pair.guest.receive(sealed, now), Err(KeyError::Replayed.into()));
        let mut forged = sealed.clone();
        forged[20] ^= 1;
        assert_eq!(pair.guest.receive(&forged, now), Err(KeyError::Forged.into()));
        assert_eq!(pair.host.receive(1, sealed, server), Err(KeyError::OtherDirection.into()));
        let by_a_fellow = fellow.seal(&[1; 32], &mut room)?;
        assert_eq!(pair.guest.receive(by_a_fellow, now), Err(KeyError::UnknownKey(2).into()));
    }
    assert_eq!(pair.host.receive(1, &[0x4E; 32], server), Err(KeyError::NotKeyed.into()));
    assert_eq!(pair.guest.view(now)?, before);
    Ok(())
}

#[test]
fn a_guest_with_a_different_version_is_informed() -> Outcome {
    let key = SessionKey::new(1, [7; 16])?;
    for key in [None, Some(&key)] {
        let mut host = Host::new(HostConfig::default(), 42, 8)?;
        if key.is_some() { host.admit(1, key) } else { host.admit_unproven(1) }?;
        let mut channel = key.map(|key| SealedChannel::new(key, Channel::Messages, Direction::ToServer));
        let mut guest = Guest::new(GuestConfig::default(), 7)?;
        let now = ServerTime::from_ticks(0);
        let mut asked = guest.next(LocalTime::from_ticks(0))?.ok_or("no request")?.0.to_vec();
        asked[2] = 2;
        let mut room = [0; DATAGRAM_MOST];
        let sent = channel.as_mut().map_or(Ok(&asked[..]), |channel| channel.seal(&asked, &mut room))?;
        for _ in 0..3 {
            assert!(host.receive(1, &asked, now).is_err(), "another version is accepted");
            let replayed = host.receive(1, sent, now);
            assert_eq!(replayed, Err(WireError::Version(2).into()));
        }
        let (_, notice, _) = host.next(now).ok_or("no notice")?;
        assert!(notice.len() <= sent.len());
        let notice = channel.as_mut().map_or(Ok(notice), |channel| channel.open(notice))?;
        assert_eq!((notice[2], &notice[4..12]), (wire::VERSION, &asked[4..12]));
        assert_eq!(host.next(now), None, "a second notice was sent");
    }
    Ok(())
}

#[test]
fn a_forged_notice_of_another_version_does_not_end_a_session() -> Outcome {
    let mut pair = Pair::new()?;
    pair.play(2_000)?;
    let (now, _) = pair.now();
    let before = pair.guest.view(now)?;
    let mut asked = [0; 60];
    asked[..4].copy_from_slice(b"NK\x02\x14");
    let mut notice = wire::version_notice(&asked).ok_or("no notice")?;
    for version in [0, 2] {
        notice[2] = version;
        assert_eq!(pair.guest.receive(&notice, now), Err(WireError::Version(version).into()));
    }
    assert_eq!((pair.guest.view(now)?, pair.guest.next(now)?), (before, None));
    pair.play(4_000)?;
    assert_eq!(pair.host.is_up_to_date(1), Ok(true));
    Ok(())
}

#[test]
fn datagrams_of_other_protocols_change_nothing() -> Outcome {
    let mut pair = Pair::new()?;
    let datagrams = pair.play(1_000)?;
    let mut random = Random::new(seed(SEED), "bytes");
    let (now, server) = pair.now();
    let before = pair.guest.view(now)?;
    for good in datagrams.iter().filter(|datagram| datagram.len() != 32) {
        for length in [0, 1, 11, 13, good.len() - 1] {
            assert!(pair.guest.receive(&good[..length], now).is_err(), "{length} bytes");
        }
        assert!(pair.host.receive(1, good, server).is_err(), "the host accepted its own datagram");
    }
    for _ in 0..20_000 {
        let length = random.below(DATAGRAM_MOST as i64 + 40) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.word() as u8).collect();
        for (place, byte) in bytes.iter_mut().zip(*b"NK\x01\x14") {
            *place = byte;
        }
        let _ = pair.host.receive(1, &bytes, server);
        if let Some(kind) = bytes.get_mut(3) {
            *kind = 21;
        }
        assert!(pair.guest.receive(&bytes, now).is_err(), "the guest accepted an unknown session");
    }
    assert_eq!(pair.host.receive(2, &datagrams[0], server), Err(SessionError::UnknownPlayer));
    assert_eq!(pair.guest.view(now)?, before);
    pair.play(3_000)?;
    assert_eq!(pair.host.is_up_to_date(1), Ok(true));
    Ok(())
}
