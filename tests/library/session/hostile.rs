//! Tests how much traffic hostile guests and hosts can cause, and what forgeries without a key can do.

use allocation_counter::measure;
use netclock::authority::Authority;
use netclock::keyed::SessionKey;
use netclock::session::{DATAGRAM_MOST, Guest, GuestConfig, Host, HostConfig, LinkOffer, SessionError};
use netclock::start::Stage;
use netclock::timeline::{Rate, Segment};
use netclock::utc::UtcClaim;
use netclock::{Client, Config, LocalTime, ServerTime, Span, UtcTime, WorldTime, wire};
use netclock_sim::random::{Random, seed};

use super::{Outcome, Pair, SECOND, SEED};

const TO_HOST: u8 = 20;
const TO_GUEST: u8 = 21;
const EXCHANGE: u8 = 1;
const STATE: u8 = 2;
const TOKEN: u8 = 3;
const SEGMENT: u8 = 4;
const UTC: u8 = 5;
const START: u8 = 7;
const LINK: u8 = 8;
const ZERO: UtcTime = UtcTime::from_ticks(17_000_000_000_000_000);

fn datagram(kind: u8, session: u64, sections: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = [b"NK\x01", &[kind][..], &session.to_be_bytes()].concat();
    for (tag, body) in sections {
        bytes.extend([*tag, body.len() as u8]);
        bytes.extend(*body);
    }
    bytes
}

fn state(revision: u32, epoch: u64, through: i64) -> Vec<u8> {
    let short = [0, revision, revision, 0].map(u32::to_be_bytes).concat();
    [&short[..], &epoch.to_be_bytes(), &through.to_be_bytes()].concat()
}

const ATTACKS: u64 = 8;

fn of_a_guest(attack: u64, client: &mut Client, now: LocalTime, random: &mut Random) -> Vec<u8> {
    let request = client.make_request(now).map(|it| wire::encode_request(&it).expect("valid"));
    let request = request.expect("in order");
    let known = [&[0; 4][..], &42_u64.to_be_bytes()].concat();
    match attack {
        0 => request.to_vec(),
        1 => datagram(TO_HOST, random.word(), &[(STATE, &known)]),
        2 => datagram(TO_HOST, 7, &[(STATE, &known)]),
        3 => datagram(TO_HOST, 7, &[(STATE, &known), (EXCHANGE, &request)]),
        4 => datagram(TO_HOST, 7, &[(LINK, &[0; 4])]),
        5 => datagram(TO_HOST, 7, &[(TOKEN, &random.word().to_be_bytes()), (EXCHANGE, &request)]),
        6 => datagram(TO_HOST, 7, &[(START, &[random.word() as u8; 36])]),
        _ => datagram(TO_HOST, random.word(), &[]),
    }
}

/// Until a hostile guest has proven its address, it receives no more bytes than it sends. A guest with a
/// proven address receives at most three times as many bytes as it sends, plus repeated updates.
#[test]
fn a_hostile_guest_causes_few_bytes_and_no_allocation() -> Outcome {
    for (attack, is_proven) in (0..ATTACKS).flat_map(|attack| [(attack, false), (attack, true)]) {
        let mut host = Host::new(HostConfig::default(), 42, 8)?;
        if is_proven { host.admit(1, None) } else { host.admit_unproven(1) }?;
        let key = SessionKey::new(9, [5; 16])?;
        host.offer_link(1, LinkOffer { port: 7_118, key })?;
        host.state_authority(Authority { epoch: 42, timescale: 77, dispersion: SECOND })?;
        let (mut sent, mut got) = (0, 0);
        let mut random = Random::new(seed(SEED), "hostile");
        let mut client = Client::new(Config::default(), 7)?;
        const MILLIS: i64 = 4_000;
        for millis in 1..MILLIS {
            let (now, at) = (LocalTime::from_ticks(millis * 10_000), ServerTime::from_ticks(millis * 10_000));
            if millis % 16 == 1 {
                for world in 0..4 {
                    host.observe(world, at, WorldTime::from_ticks(at.ticks()), Rate::ONE)?;
                }
                host.observe_utc(at, ZERO + Span::from_ticks(at.ticks()), Some(Span::ZERO))?;
            }
            let bytes = of_a_guest(attack, &mut client, now, &mut random);
            sent += bytes.len();
            let made = measure(|| {
                let _ = host.receive(1, &bytes, at);
                let _ = host.propose_start(at, at, 0.9);
                while let Some((_, answer, _)) = host.next(at) {
                    got += answer.len();
                }
            });
            assert_eq!(made.count_total, 0, "attack {attack} at {millis} ms");
            // Even without requests, the host repeats its updates eight times per second.
            let own = 8 * DATAGRAM_MOST * (millis as usize / 1_000 + 1);
            let most = if is_proven { 3 * sent + own + 4 * DATAGRAM_MOST } else { sent };
            assert!(got <= most, "attack {attack}, proven: {is_proven}: {got} bytes for {sent}");
        }
        println!("attack {attack}, proven: {is_proven}: {got} bytes for {sent}");
    }
    Ok(())
}

/// A hostile host can provoke at most one confirmation every 20 ms.
#[test]
fn a_hostile_host_causes_few_bytes_and_no_allocation() -> Outcome {
    for attack in 0..5_u64 {
        let mut guest = Guest::new(GuestConfig::default(), 7)?;
        let first = guest.next(LocalTime::from_ticks(0))?.ok_or("no request")?.0.to_vec();
        let session = u64::from_be_bytes(*first[4..].first_chunk().ok_or("no session")?);
        let mut random = Random::new(seed(SEED), "hostile");
        let (mut sent, mut got) = (0, first.len());
        for millis in 1..20_000_i64 {
            let now = LocalTime::from_ticks(millis * 10_000);
            let word = random.word();
            let bytes = match attack {
                0 => datagram(TO_GUEST, session, &[(TOKEN, &word.to_be_bytes())]),
                1 => datagram(TO_GUEST, word, &[]),
                2 => datagram(TO_GUEST, session, &[(STATE, &state(word as u32, 1 + word % 3, 0))]),
                3 => datagram(TO_GUEST, session, &[(LINK, &word.to_be_bytes().repeat(3)[..22])]),
                _ => datagram(TO_GUEST, session, &[(START, &[word as u8; 12])]),
            };
            sent += bytes.len();
            let made = measure(|| {
                let _ = guest.receive(&bytes, now);
                while let Ok(Some((datagram, _))) = guest.next(now) {
                    got += datagram.len();
                }
            });
            assert_eq!(made.count_total, 0, "attack {attack} at {millis} ms");
        }
        println!("attack {attack}: {got} bytes for {sent}");
        assert!(got <= 3 * sent, "attack {attack}: {got} bytes for {sent}");
        // The guest may send 50 confirmations of 46 bytes and 10 unanswered requests per second.
        assert!(got <= 20 * (50 * 46 + 10 * 80), "attack {attack}: {got} bytes");
    }
    Ok(())
}

/// Forges an update that claims a UTC and, unless `world` is empty, contains a segment. The forger learns the
/// session number from the host's datagrams in `sent`.
fn forged(
    sent: &[Vec<u8>],
    revision: u32,
    read: ServerTime,
    world: &[u8],
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let seen = sent.iter().find(|bytes| bytes.len() > 32 && bytes[12] == STATE).ok_or("no update")?;
    let zero = ZERO + Span::from_secs(3_600);
    let claim = UtcClaim { server_epoch: 42, zero, read, bound: Some(Span::ZERO), drift_ppm: 0 };
    let session = u64::from_be_bytes(*seen[4..].first_chunk().ok_or("no session")?);
    let sections = [(STATE, &state(revision, 42, 0)[..]), (UTC, &claim.encode()), (SEGMENT, world)];
    Ok(datagram(TO_GUEST, session, &sections[..if world.is_empty() { 2 } else { 3 }]))
}

fn observe(pair: &mut Pair, ahead: i64) -> Result<Option<UtcClaim>, SessionError> {
    let (_, server) = pair.now();
    let utc = ZERO + Span::from_ticks(server.ticks()) + Span::from_secs(ahead);
    pair.host.observe_utc(server, utc, Some(Span::ZERO))
}

/// Returns the error of the guest's UTC in seconds.
fn error(pair: &mut Pair) -> Result<f64, Box<dyn std::error::Error>> {
    let (now, server) = pair.now();
    let utc = pair.guest.view(now)?.utc.ok_or("no UTC")?.utc;
    Ok((utc - ZERO - Span::from_ticks(server.ticks())).as_secs_f64().abs())
}

/// Anyone on the path can read the session number without a key, but genuine updates must still get through.
#[test]
fn a_forged_update_is_corrected_by_the_next_genuine_one() -> Outcome {
    for revision in [0, 5, 1 << 31, u32::MAX] {
        let mut pair = Pair::new()?;
        observe(&mut pair, 0)?.ok_or("no claim")?;
        let sent = pair.play(2_000)?;
        let (now, server) = pair.now();
        pair.guest.receive(&forged(&sent, revision, server, &[])?, now)?;
        assert_eq!(error(&mut pair)? > 3_000.0, revision > 2, "an older update is ignored");
        // The host begins a new world. UTC was set on the host's machine, so the host also makes a new UTC
        // claim.
        pair.host.begin_world(0)?;
        observe(&mut pair, 1)?.ok_or("no claim")?;
        pair.play(10_000)?;
        let world = pair.view()?.worlds[0].ok_or("no world")?;
        assert!(error(&mut pair)? < 1.1 && world.instance == 2, "revision {revision}: {world:?}");
    }
    Ok(())
}

#[test]
fn a_guest_discards_a_forged_update_after_its_next_request() -> Outcome {
    // Forge the next version, a much later version, the next world, a much later world, and a version that
    // starts in 600 s.
    let forgeries = [(2, 1, 0), (1 << 30, 1, 0), (1, 2, 0), (1, 1 << 30, 0), (2, 1, 600)];
    let each = |revision| forgeries.map(|forgery| (revision, forgery));
    for (revision, (version, instance, ahead)) in [3, 5, 1 << 31, u32::MAX].into_iter().flat_map(each) {
        let mut pair = Pair::new()?;
        observe(&mut pair, 0)?.ok_or("no claim")?;
        let sent = pair.play(20_000)?;
        let (now, server) = pair.now();
        let (before, known) = (pair.guest.view(now)?, pair.guest.world(0).and_then(|world| world.newest()));
        let from = server + Span::from_secs(ahead);
        let segment = Segment {
            version,
            instance,
            rate: Rate::PAUSED,
            real: from,
            since: from,
            through: None,
            ..*known.ok_or("no segment")?
        };
        let world = [&[0], &segment.encode()?[..]].concat();
        pair.guest.receive(&forged(&sent, revision, server, &world)?, now)?;
        let (believed, shown) = (error(&mut pair)?, pair.guest.view(now)?.worlds[0].ok_or("no world")?);
        let newest = pair.guest.world(0).and_then(|world| world.newest());
        assert!(believed > 3_000.0 && newest == Some(&segment), "{believed} {newest:?}");
        assert!(shown.rate.is_paused() || ahead > 0, "{shown:?}");
        let corrected = (21..=26).find(|second| {
            let played = observe(&mut pair, 0).and_then(|_| pair.play(second * 1_000));
            played.is_ok() && error(&mut pair).is_ok_and(|error| error < 1.0)
        });
        println!("revision {revision}, {segment:?}: corrected after {corrected:?} s");
        assert!(corrected.is_some(), "revision {revision}, {segment:?}");
        let view = pair.view()?;
        let (world, passed) = (view.worlds[0].ok_or("no world")?, view.reading.server_time);
        let late =
            (passed - before.reading.server_time) - (world.world - before.worlds[0].ok_or("none")?.world);
        assert!(late.abs() < Span::from_millis(1) && world.version == 1, "{late} {world:?}");
    }
    Ok(())
}

/// The genuine announcement must replace the forged one, even though the genuine version is older.
#[test]
fn a_guest_discards_a_forged_start_after_its_next_request() -> Outcome {
    let mut pair = Pair::ready()?;
    let at = pair.schedule(Span::from_secs(9))?;
    let sent = pair.play(4_500)?;
    let (now, _) = pair.now();
    let seen = sent.iter().find(|bytes| bytes.len() > 32 && bytes[12] == STATE).ok_or("no update")?;
    let (session, round) = (u64::from_be_bytes(*seen[4..].first_chunk().ok_or("no session")?), &seen[26..30]);
    let forged_at = (at - SECOND).ticks().to_be_bytes();
    let announcement = [&99_u32.to_be_bytes()[..], &forged_at].concat();
    let mut update = state(u32::MAX, 42, i64::MIN);
    update[12..16].copy_from_slice(round);
    pair.guest.receive(&datagram(TO_GUEST, session, &[(STATE, &update), (START, &announcement)]), now)?;
    let forged = pair.guest.view(now)?.start;
    assert_eq!((forged.stage, forged.version, forged.at), (Stage::Announced, 99, at - SECOND));
    pair.play(9_000)?;
    let genuine = pair.view()?.start;
    assert_eq!((genuine.stage, genuine.version, genuine.at), (Stage::Announced, 1, at));
    Ok(())
}

/// A guest cannot detect this lie, because no player knows the true state of the world.
#[test]
fn a_host_that_lies_about_its_world_is_believed() -> Outcome {
    let mut pair = Pair::new()?;
    pair.play(2_000)?;
    let (now, server) = pair.now();
    let lie = WorldTime::from_ticks(now.ticks()) + Span::from_secs(50);
    pair.host.observe(0, server + Span::from_millis(5), lie, Rate::PAUSED)?.ok_or("no segment")?;
    while let Some((_, datagram, _)) = pair.host.next(server + Span::from_millis(5)) {
        pair.guest.receive(datagram, now + Span::from_millis(5))?;
    }
    let shown = pair.guest.view(now + Span::from_millis(6))?.worlds[0].ok_or("no world")?;
    assert_eq!((shown.world, shown.rate), (lie, Rate::PAUSED));
    Ok(())
}
