//! The server's UTC, fed with anything. A refused call changes nothing, and a datagram that was read is
//! written back unchanged. True UTC is within the bound of an honest server's claim, whatever is lost.

use arbitrary::{Result, Unstructured};
use netclock::utc::{MAX_UTC, ServerUtc, UtcClaim, UtcPublisher, UtcPublisherConfig, UtcReply, UtcRequest};
use netclock::{LocalTime, Reading, ServerTime, Span, UtcTime};

use crate::input::{any_number, duration, instant};
use crate::refusal::unless_refused;

/// Calls in one run.
const CALLS: usize = 300;
/// The run of the honest server's clock.
const EPOCH: u64 = 7;
/// Some day.
const DAY: i64 = 17_000_000_000_000_000;

/// Reads the bytes as a datagram, and as calls.
pub fn run(bytes: &[u8]) {
    if let Ok(reply) = UtcReply::decode(bytes) {
        assert_eq!(reply.encode().as_ref().map(|it| &it[..]), Ok(bytes));
    }
    if let Ok(request) = UtcRequest::decode(bytes) {
        assert_eq!(&request.encode()[..], bytes);
    }
    let _used_up = play(&mut Unstructured::new(bytes));
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let mut view = ServerUtc::new(1).expect("a seed");
    let mut server = UtcPublisher::new(UtcPublisherConfig::default(), EPOCH).expect("the default");
    // The honest server's clock, and how far UTC is ahead of it.
    let (mut now, mut zero) = (0_i64, DAY);
    let mut turns = 0..CALLS;
    while !input.is_empty() && turns.next().is_some() {
        match input.int_in_range(0..=7)? {
            0 => now += duration(input)?,
            1 => zero = DAY + duration(input)?,
            2 => insert_anything(input, &mut view, now)?,
            3 => reply_anything(input, &mut view)?,
            4 => observe_anything(input, &mut server)?,
            5 => read_anything(input, &view, now)?,
            _ => ask(input, &mut view, &mut server, (now, zero))?,
        }
    }
    Ok(())
}

fn claim(input: &mut Unstructured<'_>, now: i64) -> Result<UtcClaim> {
    let bound = if input.arbitrary()? { None } else { Some(Span::from_ticks(any_number(input)?)) };
    Ok(UtcClaim {
        server_epoch: if input.arbitrary()? { EPOCH } else { input.arbitrary()? },
        version: input.arbitrary()?,
        zero: UtcTime::from_ticks(instant(input, DAY)?),
        read: ServerTime::from_ticks(instant(input, now)?),
        bound,
        drift_ppm: input.arbitrary::<u32>()? >> input.int_in_range(0..=31)?,
    })
}

fn insert_anything(input: &mut Unstructured<'_>, view: &mut ServerUtc, now: i64) -> Result<()> {
    let (claim, before) = (claim(input, now)?, format!("{view:?}"));
    let is_known = view.claim(claim.server_epoch).is_some();
    match view.insert(&claim) {
        Ok(Some(change)) => {
            assert_eq!(view.claim(claim.server_epoch), Some(&claim));
            assert_eq!((change.server_epoch, change.is_first), (claim.server_epoch, !is_known));
        }
        _ => assert_eq!(format!("{view:?}"), before),
    }
    Ok(())
}

fn reply_anything(input: &mut Unstructured<'_>, view: &mut ServerUtc) -> Result<()> {
    let claim = claim(input, 0)?;
    let reply = UtcReply { id: input.arbitrary()?, claim };
    let arrived = LocalTime::from_ticks(instant(input, 0)?);
    let _ = unless_refused(view, |it| it.handle_reply(&reply, arrived));
    Ok(())
}

fn observe_anything(input: &mut Unstructured<'_>, server: &mut UtcPublisher) -> Result<()> {
    // On a copy: the server stays honest.
    let mut other = server.clone();
    let at = ServerTime::from_ticks(instant(input, 0)?);
    let utc = UtcTime::from_ticks(instant(input, DAY)?);
    let bound = if input.arbitrary()? { None } else { Some(Span::from_ticks(any_number(input)?)) };
    let _ = unless_refused(&mut other, |it| it.observe(at, utc, bound));
    Ok(())
}

fn reading(server_time: i64, error_bound: i64, server_epoch: u64) -> Reading {
    netclock_sim::reading(server_epoch, ServerTime::from_ticks(server_time), Span::from_ticks(error_bound))
}

fn read_anything(input: &mut Unstructured<'_>, view: &ServerUtc, now: i64) -> Result<()> {
    let epoch = if input.arbitrary()? { EPOCH } else { input.arbitrary()? };
    let at = reading(instant(input, now)?, any_number(input)?, epoch);
    if let Ok(read) = view.read(&at) {
        assert!(read.error_bound >= at.error_bound, "narrower than the clock's: {read:?}");
        assert!((0..=MAX_UTC.ticks()).contains(&read.utc.ticks()), "{read:?}");
        assert_eq!(view.claim(epoch).map(|claim| claim.version), Some(read.version), "of another claim");
    }
    let utc = UtcTime::from_ticks(instant(input, DAY)?);
    if let (Ok(server), Some(claim)) = (view.server_time_at(epoch, utc), view.claim(epoch)) {
        assert!(server.is_valid(), "{server:?}");
        assert_eq!(claim.utc_at(server), utc, "there and back");
    }
    Ok(())
}

/// The honest server looks at its UTC and is asked. Its answer may be lost; if it arrives, UTC is within the
/// bound.
fn ask(
    input: &mut Unstructured<'_>,
    view: &mut ServerUtc,
    server: &mut UtcPublisher,
    (now, zero): (i64, i64),
) -> Result<()> {
    let bound = Span::from_ticks(i64::from(input.arbitrary::<u16>()?));
    let utc = UtcTime::from_ticks(zero + now);
    let newest = server.newest().copied();
    let observed = server.observe(ServerTime::from_ticks(now), utc, Some(bound));
    let Ok(Some(request)) = view.request(LocalTime::from_ticks(now), EPOCH) else { return Ok(()) };
    let (Some(claim), true) = (server.newest().copied(), input.arbitrary::<bool>()?) else { return Ok(()) };
    let reply = UtcReply { id: request.id, claim };
    view.handle_reply(&reply, LocalTime::from_ticks(now)).expect("the answer to an open request");
    // Within a second after a claim there is no other.
    let is_free = newest.is_none_or(|newest| now - newest.read.ticks() >= 10_000_000);
    let off = i64::from(input.arbitrary::<i16>()?);
    if let (Ok(read), true, true) =
        (view.read(&reading(now + off, off.abs(), EPOCH)), is_free, observed.is_ok())
    {
        assert!((read.utc - utc).abs() + bound <= read.error_bound, "{read:?} of {utc:?} within {bound}");
    }
    Ok(())
}
