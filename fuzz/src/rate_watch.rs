//! A server's watch over a client's clock, with arbitrary reports. A refused report changes nothing. The
//! first byte decides whether the client is honest. An honest clock may drift and its messages may take any
//! time, but nothing may ever be proved against it.

use arbitrary::{Result, Unstructured};
use netclock::watch::{RateLevel, RateWatch, RateWatchConfig};
use netclock::{LocalTime, ServerTime, Span};

use crate::input::{duration, instant};
use crate::refusal::unless_refused;

/// Calls in one run.
const CALLS: usize = 500;
const MILLISECOND: i64 = 10_000;

/// Watches the client that the bytes describe.
pub fn run(bytes: &[u8]) {
    let input = &mut Unstructured::new(bytes);
    let _used_up = if let Ok(true) = input.arbitrary() { honest(input) } else { anything(input) };
}

fn anything(input: &mut Unstructured<'_>) -> Result<()> {
    let config = RateWatchConfig {
        max_drift_ppm: input.arbitrary()?,
        max_delay: Span::from_ticks(duration(input)?.max(1_000 * MILLISECOND)),
    };
    let usual = |_| RateWatch::new(&RateWatchConfig::default());
    let mut watch = RateWatch::new(&config).or_else(usual).expect("the default is valid");
    let (mut now, mut worst) = (0, RateLevel::Unknown);
    let mut turns = 0..CALLS;
    while !input.is_empty() && turns.next().is_some() {
        let at = instant(input, now)?;
        let outcome = if input.ratio(1, 16)? {
            let (from, to) = (ServerTime::from_ticks(at), ServerTime::from_ticks(instant(input, at)?));
            unless_refused(&mut watch, |it| it.excuse(from, to))
        } else {
            let (stamped, heard) = (instant(input, now)?, instant(input, at)?);
            let heard = input.arbitrary::<bool>()?.then_some(ServerTime::from_ticks(heard));
            let (stamped, at) = (LocalTime::from_ticks(stamped), ServerTime::from_ticks(at));
            unless_refused(&mut watch, |it| it.report(stamped, at, heard))
        };
        // Absurd values are tried on a copy; the run goes on from sensible ones.
        if outcome.is_ok() && at.abs_diff(now) < 1 << 40 {
            now = at;
        }
        let verdict = watch.verdict();
        assert!(verdict.worst >= worst, "forgotten: {verdict:?}");
        assert!(verdict.worst >= verdict.level, "{verdict:?}");
        assert!(verdict.explained >= Span::ZERO, "{verdict:?}");
        assert!(verdict.duration >= Span::ZERO, "{verdict:?}");
        assert!(verdict.mean_ppm.is_finite(), "{verdict:?}");
        worst = verdict.worst;
    }
    Ok(())
}

/// Up to seconds pass between messages, and delays are random. The client either always or never states what
/// it heard, and truthfully.
fn honest(input: &mut Unstructured<'_>) -> Result<()> {
    let config = RateWatchConfig::default();
    let mut watch = RateWatch::new(&config).expect("the default is valid");
    let hears = input.arbitrary::<bool>()?;
    let (ppm, ahead) = (i128::from(input.int_in_range(-199..=199)?), instant(input, 0)? >> 2);
    let (mut sent, mut newest) = (0_i64, i64::MIN);
    let mut turns = 0..CALLS;
    while !input.is_empty() && turns.next().is_some() {
        sent += duration(input)?;
        let stamped = ahead + sent + (i128::from(sent) * ppm / 1_000_000) as i64;
        // If the client does not state what it heard, delays are at most 5 s.
        let delay = duration(input)?;
        let arrived = sent + if hears { delay } else { delay.min(5_000 * MILLISECOND) };
        if arrived < newest {
            continue; // reports come in order of arrival, so this one is lost
        }
        newest = arrived;
        let heard = hears.then_some(ServerTime::from_ticks(sent - duration(input)?));
        let told = watch.report(LocalTime::from_ticks(stamped), ServerTime::from_ticks(arrived), heard);
        assert_eq!(told, Ok(()));
        let verdict = watch.verdict();
        assert!(verdict.worst < RateLevel::Proven, "proved what is not so: {verdict:?}");
    }
    Ok(())
}
