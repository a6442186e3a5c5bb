use netclock::keyed::{KeyError, SessionKey};
use netclock::session::{Guest, GuestConfig, Host, HostConfig, LinkOffer};
use netclock::watch::RateLevel;
use netclock::{Config, Direction, LocalTime, ServerTime, Span};
use netclock_sim::leg::{LegConfig, Shift};
use netclock_sim::matched::{Match, MatchConfig};
use netclock_sim::random::seed;

use super::{Outcome, Pair, SEED, lossy};

#[test]
fn a_link_offer_is_repeated_until_it_arrives() -> Outcome {
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
    assert!(more[1] < more[0] + 500, "the offer is still sent: {more:?}");
    Ok(())
}

#[test]
fn a_late_offer_does_not_replace_the_newest() -> Outcome {
    let mut pair = Pair::new()?;
    pair.play(1_000)?;
    let offer = |id| Ok::<_, KeyError>(LinkOffer { port: 7_118, key: SessionKey::new(id, [5; 16])? });
    pair.host.offer_link(1, offer(1)?)?;
    let first = pair.play(1_500)?;
    pair.host.offer_link(1, offer(2)?)?;
    assert_eq!(pair.host.is_up_to_date(1), Ok(false));
    pair.play(2_000)?;
    assert_eq!(pair.host.is_up_to_date(1), Ok(true));
    let (now, _) = pair.now();
    first.iter().try_for_each(|late| pair.guest.receive(late, now))?;
    assert_eq!(pair.guest.link_offer().map(|offer| offer.key.id()), Some(1), "the newest offer was lost");
    pair.play(2_500)?;
    assert_eq!(pair.guest.link_offer().map(|offer| offer.key.id()), Some(2));
    Ok(())
}

#[test]
fn exchanges_measure_how_far_ahead_to_predict() -> Outcome {
    let mut game = Match::new(MatchConfig::default(), 2, seed(SEED))?;
    game.play(30.0);
    let truth = game.server_time(30.0);
    for player in &game.players {
        let view = player.view.ok_or("the guest has no view")?;
        let (by, of) = view.handled_by.zip(view.showable).ok_or("no lead")?;
        // The one-way delay is 25 ms plus up to a frame.
        let (ahead, behind) = ((by - truth).as_millis_f64(), (truth - of).as_millis_f64());
        assert!((20.0..80.0).contains(&ahead) && (20.0..80.0).contains(&behind), "{ahead} {behind}");
        assert_eq!(view.speed.scale, 1.0, "a constant latency changed the speed");
    }
    Ok(())
}

#[test]
fn a_latency_change_is_detected_and_hidden() -> Outcome {
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
        let view = game.players[0].view.ok_or("the guest has no view")?;
        slowest = slowest.min(view.speed.scale);
    }
    let change = game.players[0].guest.next_latency_change().ok_or("no change was found")?;
    let longer = (change.after - change.before).as_millis_f64();
    assert_eq!(change.direction, Direction::ToClient);
    assert!((40.0..80.0).contains(&longer) && slowest < 0.99, "{change:?}, {slowest}");
    Ok(())
}

#[test]
fn a_player_with_a_fast_clock_is_reported() -> Outcome {
    let mut host = Host::new(HostConfig::default(), 42, 8)?;
    let clock = Config { client_drift_ppm: 100_000.0, ..Config::default() };
    let config = GuestConfig { clock, ..GuestConfig::default() };
    let mut guests = [Guest::new(config, 1)?, Guest::new(config, 2)?];
    host.admit(1, None)?;
    host.admit(2, None)?;
    for millis in (0..600_000_i64).step_by(10) {
        let server = ServerTime::from_ticks(millis * 10_000);
        for (place, guest) in guests.iter_mut().enumerate() {
            // The second guest's clock runs 2 % fast.
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
