//! Arbitration, rewinding, the lead and beats, with any numbers.

use arbitrary::{Result, Unstructured};
use netclock::order::{
    Clocks, Lead, LeadConfig, LeadUpdate, Order, RewindLimit, RewindPath, Stamp, arbitrate, rewind,
};
use netclock::start::{Beat, Stepper, Steps};
use netclock::{LocalTime, Reading, ServerTime, Span};

use crate::input::{any_number, duration, instant};

/// Calls in one run.
const CALLS: usize = 300;
/// Turns the bytes into calls.
pub fn run(bytes: &[u8]) {
    let _used_up = play(&mut Unstructured::new(bytes));
    let _used_up = beats(&mut Unstructured::new(bytes));
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let mut lead = lead(input)?;
    let mut now = 0;
    let mut turns = 0..CALLS;
    while !input.is_empty() && turns.next().is_some() {
        match input.int_in_range(0..=7)? {
            0..=1 => judge(input)?,
            2..=3 => look_back(input)?,
            _ => note(&mut lead, input, &mut now)?,
        }
    }
    Ok(())
}

fn number(input: &mut Unstructured<'_>) -> Result<f64> {
    Ok(if input.ratio(7, 8)? { f64::from(input.arbitrary::<u8>()?) / 255.0 } else { input.arbitrary()? })
}

fn stamp(input: &mut Unstructured<'_>) -> Result<Stamp> {
    Ok(Stamp {
        time: ServerTime::from_ticks(instant(input, 0)?),
        error_bound: Span::from_ticks(any_number(input)?),
        expected_error: Span::from_ticks(any_number(input)?),
    })
}

/// Swapping the events swaps the verdict and keeps its confidence. A proven verdict is certain.
fn judge(input: &mut Unstructured<'_>) -> Result<()> {
    let (first, second, confidence) = (stamp(input)?, stamp(input)?, number(input)?);
    let clocks = if input.arbitrary()? { Clocks::Same } else { Clocks::Independent };
    let verdicts =
        (arbitrate(&first, &second, clocks, confidence), arbitrate(&second, &first, clocks, confidence));
    let (Ok(one), Ok(other)) = verdicts else {
        assert_eq!(verdicts.0.is_err(), verdicts.1.is_err(), "one of {verdicts:?} is refused");
        return Ok(());
    };
    assert!((0.0..=1.0).contains(&one.probability), "{one:?}");
    assert!((0.5..=1.0).contains(&confidence), "{confidence} was taken");
    assert!((one.probability + other.probability - 1.0).abs() < 1e-9);
    assert_eq!(one.proven, other.proven);
    assert!(!one.proven || one.probability == 0.0 || one.probability == 1.0);
    let turned = match one.order {
        Order::Before => Order::After,
        Order::After => Order::Before,
        Order::TooClose => Order::TooClose,
    };
    assert_eq!(other.order, turned);
    let surer = one.probability.max(1.0 - one.probability);
    let is_decided = one.order != Order::TooClose && !one.proven;
    assert!(!is_decided || surer >= confidence, "{one:?} with {confidence} asked for");
    assert!(!is_decided || confidence < 1.0, "certain without a proof: {one:?}");
    Ok(())
}

/// A rewind never lies in the future or beyond the limits, and nothing changes it where no limit applies.
fn look_back(input: &mut Unstructured<'_>) -> Result<()> {
    let arrived = instant(input, 0)?;
    let claimed = ServerTime::from_ticks(instant(input, arrived)?);
    let arrived = ServerTime::from_ticks(arrived);
    let mut span = || any_number(input).map(Span::from_ticks);
    let path =
        RewindPath { round_trip: span()?, jitter: span()?, interpolation: span()?, max_rewind: span()? };
    let Ok(found) = rewind(claimed, arrived, &path) else { return Ok(()) };
    let longest = path.round_trip + path.jitter;
    assert!(found.acted <= arrived, "after it arrived: {found:?}");
    assert!(arrived - found.acted <= longest, "{found:?} by {path:?}");
    assert!(found.target <= arrived, "in the future: {found:?}");
    assert!(arrived - found.target <= path.max_rewind, "{found:?} by {path:?}");
    // The two ends of the range are further apart than a span can hold.
    assert!(found.moved.abs() >= Span::MAX || found.target - found.moved == claimed - path.interpolation);
    assert!(found.error_bound >= Span::ZERO, "{found:?}");
    assert!(found.error_bound <= longest, "{found:?} by {path:?}");
    let is_limited = found.limit != RewindLimit::None;
    assert!(is_limited || found.moved == Span::ZERO, "moved by no limit: {found:?}");
    assert!(is_limited || found.acted == claimed, "another time than claimed: {found:?}");
    Ok(())
}

fn lead(input: &mut Unstructured<'_>) -> Result<Lead> {
    let mut span = || duration(input).map(Span::from_ticks);
    let config = LeadConfig {
        server_frame: span()?,
        client_frame: span()?,
        send_interval: span()?,
        quantile: number(input)?,
    };
    Ok(Lead::new(config).or_else(|_| Lead::new(LeadConfig::default())).expect("the default is valid"))
}

/// A refused or outdated message changes nothing.
fn note(lead: &mut Lead, input: &mut Unstructured<'_>, now: &mut i64) -> Result<()> {
    let epoch = if input.ratio(15, 16)? { 7 } else { input.arbitrary()? };
    let sent = instant(input, *now)?;
    let arrived = sent.wrapping_add(any_number(input)?);
    if arrived.abs_diff(*now) < 1 << 40 {
        *now = arrived;
    }
    let here = LocalTime::from_ticks(*now);
    let said = |lead: &Lead| (lead.handled_by(here), lead.showable(here));
    let before = said(lead);
    let shown = ServerTime::from_ticks(instant(input, *now)?);
    let reading = Reading { epoch, ..netclock_sim::reading(0, shown, Span::ZERO) };
    let goes_up = input.arbitrary()?;
    let update = if goes_up {
        let (left, reported) = (input.int_in_range(0..=200)?, input.int_in_range(0..=200)?);
        let _refused = lead.note_sent(left, LocalTime::from_ticks(sent), &reading);
        lead.note_arrived(reported, ServerTime::from_ticks(arrived))
    } else {
        lead.note_received(ServerTime::from_ticks(sent), LocalTime::from_ticks(arrived), &reading)
    };
    match update {
        Ok(LeadUpdate::Used) if goes_up => assert!(said(lead).0.is_some()),
        Ok(LeadUpdate::Used) => assert!(said(lead).1.is_some()),
        // Only a message to the server may have moved the clock.
        Ok(LeadUpdate::Outdated) | Err(_) => assert!(goes_up || said(lead) == before),
    }
    Ok(())
}

/// Steps at any rate and time. None comes twice, and each one left out is declared.
fn beats(input: &mut Unstructured<'_>) -> Result<()> {
    let mut now = instant(input, 0)?;
    let (beats, seconds) = (u32::from(input.arbitrary::<u16>()?), u32::from(input.arbitrary::<u8>()?));
    let (most_steps, most_behind) = input.arbitrary()?;
    let Ok(beat) = Beat::new(ServerTime::from_ticks(now), beats, seconds) else { return Ok(()) };
    let mut stepper = Stepper::new(beat, (beats % 2 == 0).then_some(0), most_steps, most_behind);
    for _ in 0..20 {
        now = if input.ratio(7, 8)? {
            now.wrapping_add(i64::from(input.arbitrary::<u32>()?))
        } else {
            instant(input, now)?
        };
        let (before, at) = (stepper.next(), ServerTime::from_ticks(now));
        let Steps { first, count, skipped, behind, alpha } = stepper.advance(at);
        assert!(skipped >= 0, "{skipped} at {at:?}");
        assert!(behind >= 0, "{behind} at {at:?}");
        assert!((0.0..1.0).contains(&alpha), "{alpha} at {at:?}");
        assert_eq!((before + skipped, first + i64::from(count)), (first, stepper.next()));
        let begins = beat.time_of(beat.at(at).0);
        assert!(begins <= at || now < -(1 << 62), "{begins:?} after {at:?}");
    }
    Ok(())
}
