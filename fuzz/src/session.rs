//! Runs sessions of a host and two guests. In [`run`], the input decides the fate of each datagram and the
//! actions of host and guests. The guarantees must hold, and both guests must be up to date soon after the
//! network recovers. [`datagrams`] passes arbitrary datagrams to both ends. If the host rejects a datagram,
//! it must not change. No player may cause much traffic, and a guest's view must stay within its limits.

use arbitrary::{Result, Unstructured};
use netclock::session::{DATAGRAM_MOST, Guest, GuestConfig, Host, HostConfig, SessionError};
use netclock::timeline::Rate;
use netclock::watch::RateLevel;
use netclock::{LocalTime, ServerTime, Span, WireError, WorldTime};
use netclock_sim::conversation::{Action, Conversation, Fate};

use crate::input::repeat;

const FRAMES: usize = 200;
const CALLS: usize = 100;
/// Limits on the bytes that the host may send a player, per received byte, at once, and per 20 ms frame. The
/// last limit is not zero because the host repeats its updates after 125 ms.
const PER_BYTE: usize = 3;
const AT_ONCE: usize = 8 * DATAGRAM_MOST;
const PER_FRAME: usize = DATAGRAM_MOST / 4;

/// Interprets the input bytes as the events of a session.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let mut game = Conversation::default();
    let used_up = repeat(input, FRAMES, |input| {
        game.act(action(input).unwrap_or(Action::Nothing));
        game.frame(&mut || fate(input).unwrap_or(Fate::Arrives));
        Ok(())
    });
    let faults = game.heal();
    assert!(faults.is_empty(), "{faults:#?}");
    used_up
}

fn action(input: &mut Unstructured<'_>) -> Result<Action> {
    Ok(match input.int_in_range(0..=31)? {
        0..=2 => Action::Runs(input.int_in_range(0..=4)?),
        3 => Action::Travels,
        4 => Action::Restarts,
        5..=6 => Action::Connects(input.int_in_range(0..=1)?),
        7..=8 => Action::Starts,
        9 => Action::Cancels,
        10 => Action::Offers(input.int_in_range(0..=1)?),
        11 => Action::States,
        _ => Action::Nothing,
    })
}

fn fate(input: &mut Unstructured<'_>) -> Result<Fate> {
    Ok(match input.int_in_range(0..=7)? {
        0 => Fate::Lost,
        1 => Fate::Copied,
        2 => Fate::Late,
        _ => Fate::Arrives,
    })
}

/// A datagram is either random or a possibly changed datagram from the other end.
pub fn datagrams(input: &mut Unstructured<'_>) -> Result<()> {
    let mut host = Host::new(HostConfig::default(), 7, 1).expect("the default is valid");
    let mut guest = Guest::new(GuestConfig::default(), 2).expect("the default is valid");
    if input.arbitrary()? { host.admit(1, None) } else { host.admit_unproven(1) }.expect("there is room");
    for world in 0..input.int_in_range(0..=4)? {
        let _ = host.observe(world, ServerTime::from_ticks(0), WorldTime::from_ticks(0), Rate::ONE);
    }
    let mut known: Vec<Vec<u8>> = Vec::new();
    let (mut sent, mut got) = (0, 0);
    // The turn and speed of the previous view, and the worst rate level so far.
    let (mut before, mut worst) = ((0, 1.0), RateLevel::Unknown);
    let mut turns = 0..CALLS;
    while let Some(turn) = turns.next().filter(|_| !input.is_empty()) {
        let ticks = turn as i64 * 200_000;
        let (now, there) = (LocalTime::from_ticks(ticks), ServerTime::from_ticks(ticks));
        while let Ok(Some((datagram, _))) = guest.next(now) {
            known.push(datagram.to_vec());
        }
        let mut datagram = match input.int_in_range(0..=3)? {
            0 => {
                let length = usize::from(input.arbitrary::<u8>()?);
                input.bytes(length.min(input.len()))?.to_vec()
            }
            _ if known.is_empty() => continue,
            _ => input.choose(&known)?.clone(),
        };
        if input.ratio(1, 4)? && !datagram.is_empty() {
            let place = input.choose_index(datagram.len())?;
            datagram[place] = input.arbitrary()?;
        }
        sent += datagram.len();
        let unchanged = format!("{host:?}");
        match host.receive(1, &datagram, there) {
            // A wrong version does not count as a rejection, because the host replies with its own version.
            Ok(()) | Err(SessionError::Wire(WireError::Version(_))) => {}
            Err(why) => assert_eq!(format!("{host:?}"), unchanged, "rejected with {why:?}, but changed"),
        }
        // Ignore the result, because the guest may reject the datagram, for example if it belongs to another
        // session.
        let _ = guest.receive(&datagram, now);
        while let Some((_, datagram, _)) = host.next(there) {
            assert!(datagram.len() <= DATAGRAM_MOST, "{} bytes", datagram.len());
            got += datagram.len();
            known.push(datagram.to_vec());
        }
        assert!(got <= PER_BYTE * sent + AT_ONCE + PER_FRAME * turn, "{got} bytes for {sent}");
        let view = guest.view(now).expect("the time is in range");
        assert!(view.reading.error_bound.ticks() >= 0, "{view:?}");
        let speed = view.speed;
        assert!((speed.scale - 1.0).abs() <= 0.1 + 1e-9, "{speed:?}");
        let passed = f64::from((turn - before.0) as u32) * 0.02 / 0.25;
        let most = 0.1 * passed + 1e-6;
        assert!((speed.scale - before.1).abs() <= most, "the speed jumped from {}: {speed:?}", before.1);
        assert!(speed.is_hiding || (speed.scale, speed.remaining) == (1.0, Span::ZERO), "{speed:?}");
        before = (turn, speed.scale);
        let verdict = host.verdict(1).expect("the player is admitted");
        assert!(verdict.worst >= verdict.level.max(worst), "a finding was forgotten: {verdict:?}");
        assert!(verdict.duration >= Span::ZERO && verdict.mean_ppm.is_finite(), "{verdict:?}");
        worst = verdict.worst;
        known.truncate(64);
    }
    Ok(())
}
