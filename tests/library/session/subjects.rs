//! The subjects of a session that need no separate protocol, and the session's budget.

use netclock::keyed::SessionKey;
use netclock::session::{DATAGRAM_MOST, Guest, GuestConfig, Host, HostConfig, LinkOffer};
use netclock::timeline::Rate;
use netclock::watch::RateLevel;
use netclock::{Client, Config, Direction, LocalTime, ServerTime, Span, WorldTime, wire};
use netclock_sim::leg::{LegConfig, Shift};
use netclock_sim::matched::{Match, MatchConfig};
use netclock_sim::random::{Random, seed};

use super::{Outcome, SEED, lossy};

#[test]
fn a_link_offer_arrives_in_spite_of_loss_and_is_sent_until_then() -> Outcome {
    let mut game = Match::new(lossy(0.2), 2, seed(SEED))?;
    let key = SessionKey::new(77, [5; 16])?;
    game.host.offer_link(2, LinkOffer { port: 7_118, key })?;
    game.play(5.0);
    assert!(game.players[0].guest.link_offer().is_none());
    let offer = game.players[1].guest.link_offer().ok_or("it did not arrive")?;
    assert_eq!((offer.port, offer.key.id()), (7_118, 77));
    let bytes = game.players.iter().map(|player| player.bytes.1).collect::<Vec<_>>();
    game.play(60.0);
    let more = game.players.iter().zip(bytes).map(|(player, before)| player.bytes.1 - before);
    let more: Vec<_> = more.collect();
    assert!(more[1] < more[0] + 500, "the offer goes on: {more:?}");
    Ok(())
}

#[test]
fn exchanges_say_how_far_ahead_to_predict() -> Outcome {
    let mut game = Match::new(MatchConfig::default(), 2, seed(SEED))?;
    game.play(30.0);
    let truth = game.server_time(30.0);
    for player in &game.players {
        let view = player.view.ok_or("it never saw anything")?;
        let (by, of) = view.handled_by.zip(view.showable).ok_or("no lead")?;
        // The delay is 25 ms, plus up to a frame of each loop.
        let (ahead, behind) = ((by - truth).as_millis_f64(), (truth - of).as_millis_f64());
        assert!((20.0..80.0).contains(&ahead) && (20.0..80.0).contains(&behind), "{ahead} {behind}");
        assert_eq!(view.speed.scale, 1.0, "no change of the latency is hidden");
    }
    Ok(())
}

#[test]
fn a_longer_way_is_found_and_hidden() -> Outcome {
    let config = MatchConfig::default();
    let shifts = vec![Shift { at_s: 60.0, ms: 60.0 }];
    let reverse = LegConfig { shifts, ..config.reverse.clone() };
    let mut game = Match::new(MatchConfig { reverse, ..config }, 1, seed(SEED))?;
    game.play(59.0);
    let player = &mut game.players[0];
    assert_eq!(player.guest.next_latency_change(), None);
    let mut slowest: f64 = 1.0;
    for at_s in 60..120 {
        game.play(f64::from(at_s));
        let view = game.players[0].view.ok_or("it never saw anything")?;
        slowest = slowest.min(view.speed.scale);
    }
    let change = game.players[0].guest.next_latency_change().ok_or("no change was found")?;
    let longer = (change.after - change.before).as_millis_f64();
    assert_eq!(change.direction, Direction::ToClient);
    assert!((40.0..80.0).contains(&longer) && slowest < 0.99, "{change:?}, {slowest}");
    Ok(())
}

#[test]
fn a_player_whose_clock_runs_fast_is_named() -> Outcome {
    let mut host = Host::new(HostConfig::default(), 42, 8)?;
    let clock = Config { client_drift_ppm: 100_000.0, ..Config::default() };
    let config = GuestConfig { clock, ..GuestConfig::default() };
    let mut guests = [Guest::new(config, 1)?, Guest::new(config, 2)?];
    host.admit(1, None)?;
    host.admit(2, None)?;
    for millis in (0..600_000_i64).step_by(10) {
        let server = ServerTime::from_ticks(millis * 10_000);
        for (place, guest) in guests.iter_mut().enumerate() {
            // The second guest's clock gains 2 %.
            let now = LocalTime::from_ticks(millis * 10_000 * (50 + place as i64) / 50);
            while let Some((datagram, _)) = guest.next(now)? {
                host.receive(place as u64 + 1, datagram, server)?;
            }
            while let Some((player, datagram, _)) = host.next(server) {
                assert_eq!(player, place as u64 + 1);
                guest.receive(datagram, now)?;
            }
        }
    }
    assert!(host.verdict(1)?.worst <= RateLevel::Plausible, "{:?}", host.verdict(1));
    assert!(host.verdict(2)?.worst >= RateLevel::Likely, "{:?}", host.verdict(2));
    assert_eq!(host.silent(ServerTime::from_ticks(599 * 10_000_000), Span::from_secs(30)), None);
    assert_eq!(host.silent(ServerTime::from_ticks(700 * 10_000_000), Span::from_secs(30)), Some(1));
    Ok(())
}

/// However a guest connects and asks, it causes at most three bytes for each byte that it sends, after the
/// first few.
#[test]
fn an_admitted_guest_causes_at_most_three_bytes_for_each() -> Outcome {
    let mut host = Host::new(HostConfig::default(), 42, 8)?;
    host.admit(1, None)?;
    let at = ServerTime::from_ticks;
    for world in 0..4 {
        host.observe(world, at(0), WorldTime::from_ticks(0), Rate::ONE)?;
    }
    let (mut sent, mut got) = (0, 0);
    let mut random = Random::new(seed(SEED), "sessions");
    let mut client = Client::new(Config::default(), 7)?;
    for millis in 1..2_000_i64 {
        // Whatever costs most: a datagram from a new connection that knows nothing, or requests alone.
        let mut datagram = *b"NK\x01\x14........\x02\x0c............";
        datagram[4..12].copy_from_slice(&random.word().to_be_bytes());
        datagram[14..].fill(0);
        let request = client.make_request(LocalTime::from_ticks(millis * 10_000))?;
        for bytes in [&datagram[..], &wire::encode_request(&request)?] {
            sent += bytes.len();
            let _ = host.receive(1, bytes, at(millis * 10_000));
            while let Some((_, answer, _)) = host.next(at(millis * 10_000)) {
                got += answer.len();
            }
        }
    }
    // What the host repeats unasked, eight times per second.
    let own = 2 * 8 * DATAGRAM_MOST;
    assert!(got <= 3 * sent + own + 4 * DATAGRAM_MOST, "{got} bytes for {sent}");
    Ok(())
}
