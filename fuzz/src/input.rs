//! Generates numbers that careless callers might pass. They are nearly correct, at a limit, or random.

use arbitrary::{Result, Unstructured};
use netclock::{Config, MAX_INSTANT_TICKS, RateHint, Span};

const MILLISECOND: i64 = 10_000;

const EDGES: [i64; 12] = [
    0,
    1,
    -1,
    MAX_INSTANT_TICKS,
    MAX_INSTANT_TICKS + 1,
    -MAX_INSTANT_TICKS,
    -MAX_INSTANT_TICKS - 1,
    i64::MAX,
    i64::MIN,
    i64::MIN + 1,
    1 << 48,
    (1 << 48) - 1,
];

/// Repeats a step at most `most` times, and stops at the end of the input.
pub(crate) fn repeat(
    input: &mut Unstructured<'_>,
    most: usize,
    mut step: impl FnMut(&mut Unstructured<'_>) -> Result<()>,
) -> Result<()> {
    (0..most).try_for_each(|_| if input.is_empty() { Ok(()) } else { step(input) })
}

pub(crate) fn instant(input: &mut Unstructured<'_>, near: i64) -> Result<i64> {
    Ok(match input.int_in_range(0..=7)? {
        0..=3 => near.saturating_add(i64::from(input.arbitrary::<i16>()?) * 100),
        4..=5 => near.saturating_add(i64::from(input.arbitrary::<i32>()?)),
        6 => *input.choose(&EDGES)?,
        _ => input.arbitrary()?,
    })
}

/// Durations range from a tick to minutes, but most are milliseconds.
pub(crate) fn duration(input: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match input.int_in_range(0..=7)? {
        0 => 0,
        1..=4 => i64::from(input.arbitrary::<u8>()?) * MILLISECOND,
        5 => i64::from(input.arbitrary::<u16>()?),
        6 => i64::from(input.arbitrary::<u16>()?) * MILLISECOND,
        _ => i64::from(input.arbitrary::<u32>()?),
    })
}

/// The time that a datagram waited for its timestamp may be unknown or impossible.
pub(crate) fn wait(input: &mut Unstructured<'_>) -> Result<Option<Span>> {
    Ok(if input.arbitrary()? { Some(Span::from_ticks(any_number(input)?)) } else { None })
}

pub(crate) fn any_number(input: &mut Unstructured<'_>) -> Result<i64> {
    if input.arbitrary()? { duration(input) } else { instant(input, 0) }
}

pub(crate) fn config(input: &mut Unstructured<'_>) -> Result<Config> {
    let mut config = Config::default();
    let chosen: u16 = input.arbitrary()?;
    let given = |bit: u16| chosen & 1 << bit != 0;
    let mut span = |bit: u16, field: &mut Span, least: i64, most: i64| -> Result<()> {
        if given(bit) {
            *field = Span::from_ticks(input.int_in_range(least..=most)?);
        }
        Ok(())
    };
    let (second, hour) = (1_000 * MILLISECOND, 3_600_000 * MILLISECOND);
    span(0, &mut config.step_threshold, MILLISECOND, hour)?;
    span(1, &mut config.max_round_trip, 10 * MILLISECOND, 60 * second)?;
    span(2, &mut config.burst_interval, MILLISECOND, second)?;
    span(3, &mut config.steady_interval, 50 * MILLISECOND, 600 * second)?;
    span(4, &mut config.local_gap, 100 * MILLISECOND, 24 * hour)?;
    span(5, &mut config.holdover_after, second, 24 * hour)?;
    span(6, &mut config.target_bound, MILLISECOND, hour)?;
    span(7, &mut config.client_resolution, 1, 100 * MILLISECOND)?;
    span(8, &mut config.server_resolution, 1, 100 * MILLISECOND)?;
    span(9, &mut config.client_frame, 0, second)?;
    span(10, &mut config.server_frame, 0, second)?;
    if given(11) {
        config.burst_count = input.int_in_range(2..=64)?;
    }
    if given(12) {
        config.max_slew = f64::from(input.int_in_range(1..=500)?) / 1_000.0;
    }
    if given(13) {
        let each = f64::from(input.int_in_range(1..=10_000)?) / 2.0;
        (config.client_drift_ppm, config.server_drift_ppm) = (each, each);
    }
    Ok(config)
}

/// Adds rate hints to a [`config`]. That function reads no hints, because the stored inputs contain none.
pub(crate) fn config_with_hints(input: &mut Unstructured<'_>) -> Result<Config> {
    let mut config = config(input)?;
    let mut hint = |drift_ppm: f64| -> Result<RateHint> {
        let ppm = drift_ppm * f64::from(input.int_in_range(-100_i32..=100)?) / 100.0;
        Ok(RateHint { ppm, doubt_ppm: f64::from(input.int_in_range(0..=1_000_i32)?) })
    };
    (config.client_rate, config.server_rate) =
        (hint(config.client_drift_ppm)?, hint(config.server_drift_ppm)?);
    Ok(config)
}
