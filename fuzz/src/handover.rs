//! An adoption and a client's authority, both fed with anything, and their datagrams.
//!
//! A refused call changes nothing, except for a participant that contradicts itself. The first byte decides
//! whether enough participants are honest. If they are, the truth is within the dispersion, whatever the
//! others claim. The client stays monotone within its epoch, and no authority makes it jump.

use arbitrary::{Result, Unstructured};
use netclock::adoption::{Adoption, AdoptionConfig, AdoptionError};
use netclock::authority::{
    AdoptionReply, AdoptionRequest, Authority, AuthorityReply, AuthorityRequest, MAX_DISPERSION,
};
use netclock::{Client, Config, Event, LocalTime, Reply, ServerTime, Span};

use crate::input::{any_number, duration, instant};

/// Calls in one run.
const CALLS: usize = 300;
const TIMESCALE: u64 = 7;
const SECOND: i64 = 10_000_000;

/// Plays the handovers that the bytes describe.
pub fn run(bytes: &[u8]) {
    datagrams(bytes);
    let _used_up = play(&mut Unstructured::new(bytes));
}

/// A datagram that can be read is written back unchanged.
fn datagrams(bytes: &[u8]) {
    if let Ok(read) = AuthorityReply::decode(bytes) {
        assert_eq!(read.encode().as_ref().map(<[u8; 32]>::as_slice), Ok(bytes));
    }
    if let Ok(read) = AdoptionReply::decode(bytes) {
        assert_eq!(read.encode().as_ref().map(<[u8; 32]>::as_slice), Ok(bytes));
    }
    if let Ok(read) = AuthorityRequest::decode(bytes) {
        assert_eq!(read.encode().as_slice(), bytes);
    }
    if let Ok(read) = AdoptionRequest::decode(bytes) {
        assert_eq!(read.encode().as_slice(), bytes);
    }
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    match input.int_in_range(0..=2)? {
        0 => adoption_of_anything(input),
        1 => honest_majority(input),
        _ => client(input),
    }
}

fn new(config: &AdoptionConfig) -> Adoption {
    let usual = |_| Adoption::new(&AdoptionConfig::of(TIMESCALE), 5);
    Adoption::new(config, 5).or_else(usual).expect("the default is valid")
}

fn adoption_of_anything(input: &mut Unstructured<'_>) -> Result<()> {
    let mut adoption = new(&AdoptionConfig {
        timescale: TIMESCALE,
        liars: input.int_in_range(0..=33)?,
        max_drift_ppm: input.arbitrary()?,
        resolution: Span::from_ticks(duration(input)?),
    });
    let (mut now, mut ids) = (0, [0; 8]);
    for call in 0..CALLS {
        if input.is_empty() {
            break;
        }
        let at = instant(input, now)?;
        let (name, raw) = (u64::from(input.arbitrary::<u8>()? % 70), LocalTime::from_ticks(at));
        let time = ServerTime::from_ticks(instant(input, at)?);
        let error_bound = Span::from_ticks(any_number(input)?);
        let before = format!("{adoption:?}");
        // Whether it must be as it was; a question that is not due uses up an id.
        let is_refused = match input.int_in_range(0..=3)? {
            0 => {
                if let Ok(Some(question)) = adoption.request(name, raw) {
                    ids[call % ids.len()] = question.id;
                }
                false
            }
            1 => adoption.add_own_reading(time, error_bound, raw).is_err(),
            2 => {
                let id = *input.choose(&ids)?;
                let timescale = if input.ratio(1, 16)? { input.arbitrary()? } else { TIMESCALE };
                let told =
                    adoption.handle_reply(name, &AdoptionReply { id, timescale, time, error_bound }, raw);
                !matches!(told, Ok(()) | Err(AdoptionError::Liar(_)))
            }
            _ => {
                if let Ok(adopted) = adoption.settle(raw) {
                    assert!(adopted.dispersion >= Span::ZERO, "{adopted:?}");
                    assert!(adopted.dispersion <= MAX_DISPERSION, "it cannot be stated: {adopted:?}");
                    assert!(adopted.answers > 0, "of nobody: {adopted:?}");
                    assert!(adopted.agreeing <= adopted.answers, "{adopted:?}");
                    let _saturates = adopted.server_time(raw);
                }
                true
            }
        };
        assert!(!is_refused || format!("{adoption:?}") == before, "what was refused changed the adoption");
        if at.abs_diff(now) < 1 << 40 {
            now = at;
        }
    }
    Ok(())
}

/// Enough participants tell the truth within their bounds; the others say anything.
fn honest_majority(input: &mut Unstructured<'_>) -> Result<()> {
    let liars = input.int_in_range(0..=4_u32)?;
    let mut adoption = new(&AdoptionConfig { liars, ..AdoptionConfig::of(TIMESCALE) });
    let offset = instant(input, 0)? >> 3;
    let mut now = 0;
    let count = 2 * liars + 1 + input.int_in_range(0..=3)?;
    for name in 0..u64::from(count) {
        for _ in 0..input.int_in_range(1..=2)? {
            now += SECOND;
            let Ok(Some(question)) = adoption.request(name, LocalTime::from_ticks(now)) else { continue };
            let (up, down) = (duration(input)?.min(2 * SECOND), duration(input)?.min(2 * SECOND));
            let bound = duration(input)?;
            let off = if name < u64::from(liars) {
                any_number(input)? >> 3
            } else {
                input.int_in_range(-bound..=bound)?
            };
            let answer = AdoptionReply {
                id: question.id,
                timescale: TIMESCALE,
                time: ServerTime::from_ticks(now + up + offset + off),
                error_bound: Span::from_ticks(bound),
            };
            now += up + down;
            let told = adoption.handle_reply(name, &answer, LocalTime::from_ticks(now));
            assert!(told.is_ok() || name < u64::from(liars), "an honest one was refused: {told:?}");
        }
    }
    let raw = LocalTime::from_ticks(now);
    match adoption.settle(raw) {
        Ok(adopted) => {
            let off = (adopted.server_time(raw) - ServerTime::from_ticks(now + offset)).abs();
            assert!(off <= adopted.dispersion, "off by {off}: {adopted:?}");
        }
        // The certain range may be wider than can be stated.
        Err(error) => assert_eq!(error, AdoptionError::OutOfRange),
    }
    Ok(())
}

/// Statements of all kinds, before, between and after the replies of several honest servers.
fn client(input: &mut Unstructured<'_>) -> Result<()> {
    let mut client = Client::new(Config::default(), 3).expect("the default is valid");
    let (mut now, mut epoch, mut last) = (0, 1, None);
    let mut turns = 0..CALLS;
    while !input.is_empty() && turns.next().is_some() {
        now += duration(input)?.min(SECOND);
        let local = LocalTime::from_ticks(now);
        match input.int_in_range(0..=5)? {
            0..=2 => {
                let Ok(request) = client.make_request(local) else { continue };
                let way = duration(input)?.min(SECOND / 4);
                // Servers are a tenth of a second apart.
                let met = ServerTime::from_ticks(now + way + epoch as i64 * SECOND / 10);
                now += 2 * way;
                let reply = Reply { id: request.id, epoch, received: met, sent: met, wait: None };
                let _refused = client.handle_reply(&reply, LocalTime::from_ticks(now));
            }
            3 => epoch = 1 + u64::from(input.arbitrary::<u8>()? % 4),
            4 => {
                let authority = Authority {
                    epoch: u64::from(input.arbitrary::<u8>()? % 6),
                    timescale: u64::from(input.arbitrary::<u8>()? % 3),
                    dispersion: Span::from_ticks(any_number(input)?),
                };
                let id = client
                    .request_authority(local)
                    .ok()
                    .flatten()
                    .map_or(input.arbitrary()?, |inquiry| inquiry.id);
                let before = client.read(local);
                let told = if input.arbitrary()? {
                    client.set_authority(&authority, local)
                } else {
                    client.handle_authority_reply(&AuthorityReply { id, authority }, local)
                };
                let after = client.read(local);
                assert_eq!(after.server_time, before.server_time, "{told:?} moved what is shown");
                assert_eq!(after.epoch, before.epoch, "{told:?} was taken for a jump");
                assert!(told.is_ok() || after == before, "{told:?} changed the clock");
            }
            _ => {
                let question = AdoptionRequest { id: 1, timescale: input.int_in_range(0..=3)? };
                if let Ok(answer) = client.respond_to_adoption(&question, local) {
                    assert_eq!((answer.id, answer.timescale), (question.id, question.timescale));
                    assert!(answer.encode().is_ok(), "it cannot be sent: {answer:?}");
                }
                client.begin_burst();
            }
        }
        while let Some(event) = client.next_event() {
            if let Event::Discontinuity { .. } = event {
                last = None;
            }
        }
        let reading = client.read(LocalTime::from_ticks(now));
        if let Some((epoch, shown)) = last {
            assert!(reading.epoch != epoch || reading.server_time >= shown, "it went backwards");
        }
        last = client.is_time_synced().then_some((reading.epoch, reading.server_time));
    }
    Ok(())
}
