//! Calls a client in any order with timestamps that are correct, nearly correct or random. A rejected call
//! must have no effect. If the first byte makes the server and the timestamps honest, the error bound must
//! also hold.

use arbitrary::{Result, Unstructured};
use netclock::authority::Authority;
use netclock::{
    Cause, Client, Event, Exchange, LocalTime, Reading, Refusal, Reply, Request, RequestId, ServerTime, Span,
    State,
};

use crate::input::{any_number, config, instant, repeat, wait};
use crate::witness::{NEAR, Witness};

const STEPS: usize = 600;
const OUTSTANDING: usize = 40;

/// Interprets the input bytes as a sequence of calls.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    if input.arbitrary::<u8>()? % 2 == 0 { crate::honest::run(input) } else { hostile(input) }
}

/// The call's local time if it took effect, and otherwise the reason for its rejection.
type Called = (Option<i64>, Option<Refusal>);

struct Caller {
    client: Client,
    /// The time of the last call that took effect.
    last: Option<i64>,
    /// Only the next call reveals whether the rejected call has advanced the client's time.
    unsure: bool,
    requests: Vec<(Request, i64)>,
    witness: Witness,
}

fn hostile(input: &mut Unstructured<'_>) -> Result<()> {
    let config = config(input)?;
    let seed = 1 + u128::from(input.arbitrary::<u8>()?);
    let client = Client::new(config, seed).expect("the settings are within their ranges");
    let witness = Witness::default();
    let mut caller = Caller { client, last: None, unsure: false, requests: Vec::new(), witness };
    repeat(input, STEPS, |input| {
        caller.step(input)?;
        let near = caller.now().saturating_add(i64::from(input.arbitrary::<i8>()?) * (NEAR / 128));
        let far = instant(input, near)?;
        for at in [caller.now(), near, far] {
            let last = caller.last.filter(|_| !caller.unsure);
            caller.witness.read(&caller.client, at, last);
        }
        Ok(())
    })
}

impl Caller {
    fn now(&self) -> i64 {
        self.last.unwrap_or(0)
    }

    fn step(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let before = self.readings();
        let (counted, refusal) = match input.int_in_range(0..=11)? {
            kind @ 0..=3 => self.ask(input, kind == 3)?,
            4..=7 => self.reply(input)?,
            8..=9 => self.exchange(input)?,
            10 if input.ratio(1, 4)? => self.authority(input)?,
            10 => self.two_stamps(input)?,
            _ => self.miss(input)?,
        };
        let after = self.readings();
        match refusal {
            None => {}
            Some(Refusal::Contradiction) => {
                for (before, after) in before.iter().zip(&after) {
                    let same = before.epoch != after.epoch || before.server_time == after.server_time;
                    assert!(same, "a suspicion moved the clock from {before:?} to {after:?}");
                }
            }
            Some(refusal) => assert_eq!(before, after, "{refusal:?}, but the state changed"),
        }
        if let Some(now) = counted {
            (self.last, self.unsure) = (Some(now), false);
        }
        let mut set_back = false;
        while let Some(event) = self.client.next_event() {
            if let Event::Discontinuity { cause, epoch, .. } = event {
                assert!(epoch <= self.client.read(LocalTime::from_ticks(0)).epoch);
                set_back |= cause == Cause::LocalStep;
            }
        }
        let unchanged = refusal.is_some_and(|refusal| refusal != Refusal::Contradiction);
        assert!(!(unchanged && set_back), "a rejected call caused an event");
        Ok(())
    }

    fn readings(&self) -> [Reading; 3] {
        [-NEAR, 0, NEAR].map(|away| self.client.read(LocalTime::from_ticks(self.now().saturating_add(away))))
    }

    fn ask(&mut self, input: &mut Unstructured<'_>, always: bool) -> Result<Called> {
        let now = instant(input, self.now())?;
        let (before, at) = (self.readings(), LocalTime::from_ticks(now));
        let asked = if always { self.client.make_request(at).map(Some) } else { self.client.tick(at) };
        let Ok(request) = asked else {
            assert_eq!(before, self.readings(), "rejected, but the state changed");
            return Ok((None, None));
        };
        assert!(request.is_none_or(|request| request.client_time.is_valid()), "{request:?}");
        self.requests.extend(request.map(|request| (request, now)));
        if self.requests.len() > OUTSTANDING {
            self.requests.remove(0);
        }
        Ok((Some(now), None))
    }

    fn miss(&mut self, input: &mut Unstructured<'_>) -> Result<Called> {
        let now = instant(input, self.now())?;
        let (before, most) = (self.readings(), Span::from_ticks(any_number(input)?));
        if self.client.may_have_missed_time(LocalTime::from_ticks(now), most).is_err() {
            assert_eq!(before, self.readings(), "rejected, but the state changed");
            return Ok((None, None));
        }
        let reading = self.client.read(LocalTime::from_ticks(now));
        let is_doubted = matches!(reading.state, State::Unsynced | State::Doubtful);
        assert!(is_doubted && reading.error_bound == Span::MAX, "{reading:?}");
        Ok((Some(now), None))
    }

    fn reply(&mut self, input: &mut Unstructured<'_>) -> Result<Called> {
        let known = !self.requests.is_empty() && !input.ratio(1, 16)?;
        let (id, asked) = if known {
            let (request, sent) = *input.choose(&self.requests)?;
            (request.id, sent)
        } else {
            (RequestId(input.arbitrary()?), self.now())
        };
        let arrived = instant(input, asked.max(self.now()))?;
        let (received, sent) = self.server_stamps(input, arrived)?;
        let wait = wait(input)?;
        let reply = Reply { id, epoch: u64::from(input.arbitrary::<u8>()? / 64), received, sent, wait };
        let outcome = self.client.handle_reply(&reply, LocalTime::from_ticks(arrived));
        // libFuzzer watches comparisons, so it can guess a request's id.
        if self.requests.iter().all(|(request, _)| request.id != id) {
            assert_eq!(outcome, Err(Refusal::UnknownRequest));
        }
        Ok(self.counted(arrived, outcome, false))
    }

    fn exchange(&mut self, input: &mut Unstructured<'_>) -> Result<Called> {
        let arrived = instant(input, self.now())?;
        let (server_received, server_sent) = self.server_stamps(input, arrived)?;
        let exchange = Exchange::from_stamps(
            LocalTime::from_ticks(arrived.saturating_sub(any_number(input)?)),
            server_received,
            server_sent,
            LocalTime::from_ticks(arrived),
        );
        let epoch = input.arbitrary::<u8>()?;
        let epoch = (epoch >= 64).then_some(u64::from(epoch / 64));
        let outcome = self.client.handle_exchange(&exchange, epoch);
        Ok(self.counted(arrived, outcome, false))
    }

    fn two_stamps(&mut self, input: &mut Unstructured<'_>) -> Result<Called> {
        let now = instant(input, self.now())?;
        let (server, _) = self.server_stamps(input, now)?;
        let round_trip = Span::from_ticks(any_number(input)?);
        let before = self.readings();
        if self.client.update_server_time(server, LocalTime::from_ticks(now), round_trip) {
            return Ok(self.counted(now, Ok(()), true));
        }
        // The return value does not reveal why the call was rejected. Either the call had no effect at all,
        // or its timestamps contradicted earlier ones and only its time took effect.
        let nothing = before == self.readings();
        self.unsure |= nothing;
        Ok(if nothing { (None, None) } else { self.counted(now, Err(Refusal::Contradiction), true) })
    }

    /// Setting an authority must not move the clock, no matter what the authority states.
    fn authority(&mut self, input: &mut Unstructured<'_>) -> Result<Called> {
        let authority = Authority {
            epoch: u64::from(input.arbitrary::<u8>()? % 6),
            timescale: u64::from(input.arbitrary::<u8>()? % 3),
            dispersion: Span::from_ticks(any_number(input)?),
        };
        let now = LocalTime::from_ticks(instant(input, self.now())?);
        let before = self.client.read(now);
        let outcome = self.client.set_authority(&authority, now);
        let after = self.client.read(now);
        assert!(outcome.is_ok() || after == before, "{outcome:?} changed {before:?} to {after:?}");
        assert_eq!((after.server_time, after.epoch), (before.server_time, before.epoch), "{outcome:?}");
        Ok((outcome.is_ok().then_some(now.ticks()), None))
    }

    fn server_stamps(&self, input: &mut Unstructured<'_>, at: i64) -> Result<(ServerTime, ServerTime)> {
        let shown = self.client.current_server_time(LocalTime::from_ticks(at)).map_or(0, ServerTime::ticks);
        let received = instant(input, shown)?;
        let sent = if input.ratio(1, 8)? { instant(input, received)? } else { received };
        Ok((ServerTime::from_ticks(received), ServerTime::from_ticks(sent)))
    }

    fn counted(&self, arrived: i64, outcome: core::result::Result<(), Refusal>, present: bool) -> Called {
        let checked = !self.unsure && matches!(outcome, Ok(()) | Err(Refusal::Contradiction));
        let later = self.last.is_none_or(|last| arrived >= last || (present && arrived <= last - SET_BACK));
        ((checked && later).then_some(arrived), outcome.err())
    }
}

/// If local time goes back by more than this, the local clock has been set back (1 s in ticks).
const SET_BACK: i64 = 10_000_000;
