//! The latency watch, fed with anything. A refused call changes nothing. The speed stays within its limits,
//! never jumps, and is 1 when nothing is left to hide. What was played and what remains add up.

use arbitrary::{Result, Unstructured};
use netclock::Direction;
use netclock::latency::{Hide, LatencyConfig, LatencyUpdate, LatencyWatch, Speed};
use netclock::{Exchange, LocalTime, ServerTime, Span};

use crate::input::{any_number, duration, instant};
use crate::refusal::unless_refused;

/// Calls in one run.
const CALLS: usize = 500;
const MILLISECOND: i64 = 10_000;

/// Watches the path that the bytes describe.
pub fn run(bytes: &[u8]) {
    let _used_up = play(&mut Unstructured::new(bytes));
}

fn config(input: &mut Unstructured<'_>) -> Result<LatencyConfig> {
    let hide = match input.int_in_range(0..=2)? {
        0 => Hide::RoundTrip,
        1 => Hide::OneWay(Direction::ToServer),
        _ => Hide::OneWay(Direction::ToClient),
    };
    if input.arbitrary()? {
        return Ok(LatencyConfig { hide, ..LatencyConfig::default() });
    }
    Ok(LatencyConfig {
        hide,
        least_change: Span::from_ticks(duration(input)?),
        max_speed_change: f64::from(input.arbitrary::<u8>()?) / 400.0,
        ramp: Span::from_ticks(duration(input)?),
        hours_per_false_alarm: f64::from(input.arbitrary::<u16>()?) / 6.0,
    })
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let config = config(input)?;
    let config = if LatencyWatch::new(&config).is_ok() { config } else { LatencyConfig::default() };
    let mut watch = LatencyWatch::new(&config).expect("it was tried, or is the default");
    let (mut now, mut epoch, mut last) = (0_i64, 1, None);
    // Levels of an honest path. Now and then a byte changes one.
    let (mut up, mut down) = (20 * MILLISECOND, 20 * MILLISECOND);
    let mut turns = 0..CALLS;
    while !input.is_empty() && turns.next().is_some() {
        match input.int_in_range(0..=15)? {
            0 => anything(input, &mut watch, now, epoch)?,
            1 => up = duration(input)?.min(50_000 * MILLISECOND),
            2 => down = duration(input)?.min(50_000 * MILLISECOND),
            3 => epoch += u32::from(input.ratio(1, 4)?),
            _ => {
                let jitter = i64::from(input.arbitrary::<u8>()?) * MILLISECOND / 16;
                now += duration(input)?.min(5_000 * MILLISECOND);
                honest(&mut watch, now, [up + jitter, down + jitter / 2], epoch);
            }
        }
        while let Some(change) = watch.next_change() {
            assert!((0.0..=1.0).contains(&change.confidence), "{change:?}");
            assert!(change.since <= change.found, "found before it began: {change:?}");
        }
        last = Some(ask(&config, &mut watch, now, last));
    }
    // Two seconds at most are hidden, at a thousandth of the speed or more.
    let end = watch.speed(LocalTime::from_ticks(now + 3_000 * 1_000 * MILLISECOND));
    assert_eq!((end.scale, end.remaining), (1.0, Span::ZERO), "{end:?}");
    assert!(!end.is_hiding, "{end:?}");
    Ok(())
}

/// An exchange over a path with these delays. It may teach nothing, but it is an error only if a later one
/// arrived first.
fn honest(watch: &mut LatencyWatch, arrived: i64, [up, down]: [i64; 2], epoch: u32) {
    let exchange = Exchange::from_stamps(
        LocalTime::from_ticks(arrived - up - down),
        ServerTime::from_ticks(arrived - down),
        ServerTime::from_ticks(arrived - down),
        LocalTime::from_ticks(arrived),
    );
    let before = format!("{watch:?}");
    match watch.learn(&exchange, ServerTime::from_ticks(arrived), epoch) {
        Ok(LatencyUpdate::Used | LatencyUpdate::Restarted) => {
            for direction in [Direction::ToServer, Direction::ToClient] {
                assert!(watch.level(direction).is_some(), "nothing is known of {direction:?}");
            }
        }
        Ok(LatencyUpdate::Skipped) => {}
        Ok(LatencyUpdate::Known | LatencyUpdate::Outdated) | Err(_) => {
            assert_eq!(format!("{watch:?}"), before);
        }
    }
}

fn anything(input: &mut Unstructured<'_>, watch: &mut LatencyWatch, now: i64, epoch: u32) -> Result<()> {
    let mut local = || instant(input, now).map(LocalTime::from_ticks);
    let (client_sent, client_received) = (local()?, local()?);
    let mut server = || instant(input, now).map(ServerTime::from_ticks);
    let (server_received, server_sent, shown) = (server()?, server()?, server()?);
    let exchange = Exchange::from_stamps(client_sent, server_received, server_sent, client_received);
    let epoch = if input.ratio(15, 16)? { epoch } else { input.arbitrary()? };
    // On a copy: what is absurd is tried, and not gone on from.
    let mut tried = watch.clone();
    let _ = unless_refused(&mut tried, |it| it.learn(&exchange, shown, epoch));
    let speed = tried.speed(LocalTime::from_ticks(any_number(input)?));
    assert!((0.5..=1.5).contains(&speed.scale), "{speed:?}");
    Ok(())
}

fn ask(
    config: &LatencyConfig,
    watch: &mut LatencyWatch,
    now: i64,
    last: Option<(i64, Speed)>,
) -> (i64, Speed) {
    let speed = watch.speed(LocalTime::from_ticks(now));
    let limit = config.max_speed_change;
    assert!((speed.scale - 1.0).abs() <= limit + 1e-9, "{speed:?}");
    // The watch also plays some time the wrong way until the speed has turned.
    let turning = Span::from_secs_f64(limit * config.ramp.as_secs_f64() / 2.0);
    assert!(speed.remaining.abs() <= Span::from_secs(2) + turning, "{speed:?}");
    assert!(speed.is_hiding || speed.scale == 1.0, "at rest, and yet {speed:?}");
    assert!(speed.is_hiding || speed.remaining == Span::ZERO, "given up: {speed:?}");
    if let Some((before, last)) = last {
        let passed = Span::from_ticks(now - before).as_secs_f64();
        let pace = limit / config.ramp.as_secs_f64();
        assert!((speed.scale - last.scale).abs() <= pace * passed + 1e-6, "{last:?}, {speed:?}");
        let played = (speed.done - last.done).as_secs_f64();
        assert!(played.abs() <= limit * passed + 4e-7, "{last:?}, {speed:?}");
    }
    (now, speed)
}
