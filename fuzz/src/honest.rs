//! A server whose clock has a constant rate, and a network that delivers true timestamps. The true time must
//! be within the error bound, whatever the network does. Several instances of the server may reply at the
//! same time, as behind a load balancer. The client may report several servers only if several reply at the
//! same time.

use arbitrary::{Result, Unstructured};
use netclock::{
    Cause, Client, Config, Degradation, Earlier, Event, Exchange, LocalTime, Refusal, Reply, Request, Span,
};

use netclock_sim::remote::Run;

use crate::input::{duration, instant, repeat};
use crate::witness::{NEAR, Witness};

const STEPS: usize = 600;
/// Times stay well within the valid range, because no honest clock is near its ends.
pub(crate) const FARTHEST: i64 = 1 << 60;

/// If the followed server sends no replies for this long, it is considered gone (60 s in ticks).
const QUIET: i64 = 600_000_000;

#[derive(Default)]
struct Followed {
    /// The run that the client follows because this run sent the last message that it used.
    followed: Option<u64>,
    /// When the client sent the first request answered by the followed run.
    since: i64,
    answered: i64,
    left: Vec<u64>,
    /// Set if the current message shows that two runs reply at the same time.
    both_answer: bool,
}

impl Followed {
    fn use_message(&mut self, epoch: Option<u64>, sent: i64, now: i64) {
        self.answered = now;
        let Some(epoch) = epoch.filter(|_| epoch != self.followed) else { return };
        // Both runs reply if an abandoned run has answered a request no older than the first request that its
        // successor answered.
        self.both_answer |= self.left.contains(&epoch) && sent >= self.since;
        self.left.retain(|&left| left != epoch);
        self.left.extend(self.followed.replace(epoch));
        self.since = sent;
    }

    /// Call this after the client has rejected a message from a run that it does not follow. Returns true if
    /// both runs reply, or if this run ended before its successor answered a request.
    fn refuse(&mut self, epoch: Option<u64>, sent: i64, arrived: i64) -> bool {
        let is_another = epoch.is_some() && epoch != self.followed;
        let was_left = epoch.is_some_and(|epoch| self.left.contains(&epoch));
        let both_answer = was_left && (arrived - self.answered).abs() <= QUIET;
        self.both_answer |= both_answer && sent >= self.since;
        is_another && (both_answer || sent < self.since)
    }
}

struct HonestRun {
    client: Client,
    config: Config,
    now: i64,
    /// The local time of the client's last call. It lags behind `now` if timestamps are handled late.
    called: Option<i64>,
    /// The local clock may have stopped during exchanges that started before this time.
    counts_since: i64,
    runs: Vec<Run>,
    /// If exchanges do not state the server's epoch, the client cannot follow a restart.
    named: bool,
    /// Replies in transit, each with the local times of its request's departure and of its own arrival.
    replies: Vec<(Reply, i64, i64)>,
    followed_runs: Followed,
    witness: Witness,
}

pub(crate) fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let config = crate::input::config(input)?;
    run_after(input, config, &Earlier::NONE)
}

pub(crate) fn run_after(input: &mut Unstructured<'_>, config: Config, earlier: &Earlier<'_>) -> Result<()> {
    let seed = 1 + u128::from(input.arbitrary::<u8>()?);
    let client = Client::with_saved(config, seed, earlier).expect("the settings are within their ranges");
    let start = if input.arbitrary()? { 0 } else { input.int_in_range(-FARTHEST..=FARTHEST)? };
    let first = server(input, &config, 1)?;
    let mut world = HonestRun {
        client,
        config,
        now: start,
        called: None,
        counts_since: i64::MIN,
        runs: vec![first],
        named: input.ratio(7, 8)?,
        replies: Vec::new(),
        followed_runs: Followed::default(),
        witness: Witness::default(),
    };
    repeat(input, STEPS, |input| {
        world.step(input)?;
        world.judge(0);
        world.judge(i64::from(input.arbitrary::<i8>()?) * (NEAR / 128));
        Ok(())
    })
}

pub(crate) fn server(input: &mut Unstructured<'_>, config: &Config, epoch: u64) -> Result<Run> {
    let most = ((config.client_drift_ppm + config.server_drift_ppm) * 1_000.0) as i64;
    Ok(Run {
        epoch,
        offset: Span::from_ticks(instant(input, 0)?.clamp(-FARTHEST, FARTHEST)),
        rate_ppb: input.int_in_range(-most..=most)?,
        step: config.server_resolution.ticks(),
    })
}

impl HonestRun {
    fn step(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        match input.int_in_range(0..=15)? {
            0..=6 => self.frame(input)?,
            7..=10 => self.deliver(input)?,
            11 => self.now = (self.now + duration(input)?).min(2 * FARTHEST),
            12 => {
                let request = self.client.make_request(LocalTime::from_ticks(self.now));
                self.call(self.now);
                self.serve(&request.expect("time is in order"), input)?;
            }
            13..=14 => self.exchange(input)?,
            // Restarts are rare because the burst after each restart has to run first.
            _ if self.named && input.ratio(1, 4)? => {
                let next = server(input, &self.config, self.runs.len() as u64 + 1)?;
                self.runs.push(next);
            }
            _ if input.ratio(1, 4)? => {
                let step = self.client.make_step(LocalTime::from_ticks(self.now), Span::ZERO);
                self.call(self.now);
                step.expect("time is in order");
            }
            _ => self.judge(instant(input, 0)?.clamp(-FARTHEST, FARTHEST)),
        }
        let both_answer = std::mem::take(&mut self.followed_runs.both_answer);
        while let Some(event) = self.client.next_event() {
            if event == Event::Degraded(Degradation::SeveralServers) {
                assert!(both_answer, "{event:?} with only one server");
            }
            if let Event::Discontinuity { cause, epoch, .. } = event {
                let honest = !matches!(cause, Cause::ProvenStep | Cause::LocalStep);
                assert!(honest, "{cause:?} from an honest server");
                let shown = self.client.read(LocalTime::from_ticks(self.now)).epoch;
                assert!(epoch <= shown, "{event:?} is not shown yet: {shown}");
            }
        }
        Ok(())
    }

    fn frame(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        self.now = (self.now + i64::from(input.arbitrary::<u8>()?) * 2_000).min(2 * FARTHEST);
        let request = self.client.tick(LocalTime::from_ticks(self.now)).expect("time is in order");
        self.call(self.now);
        request.map_or(Ok(()), |request| self.serve(&request, input))
    }

    fn serve(&mut self, request: &Request, input: &mut Unstructured<'_>) -> Result<()> {
        let run = self.current();
        let received = self.now + duration(input)?;
        let sent = received + if input.arbitrary()? { 0 } else { duration(input)? };
        let arrives = sent + duration(input)?;
        let stamp = |at| run.stamp(LocalTime::from_ticks(at));
        let reply = Reply {
            id: request.id,
            epoch: run.epoch,
            received: stamp(received),
            sent: stamp(sent),
            wait: None,
        };
        self.replies.push((reply, self.now, arrives));
        Ok(())
    }

    /// Delivers a reply once or twice, on time or late, or loses it.
    fn deliver(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        if self.replies.is_empty() {
            return Ok(());
        }
        let chosen = input.choose_index(self.replies.len())?;
        let (reply, asked, arrives) = self.replies[chosen];
        if arrives > 2 * FARTHEST {
            return Ok(());
        }
        if !input.ratio(1, 8)? {
            self.replies.swap_remove(chosen);
        }
        if input.ratio(1, 16)? {
            return Ok(());
        }
        let before = self.client.read(LocalTime::from_ticks(arrives));
        let outcome = self.client.handle_reply(&reply, LocalTime::from_ticks(arrives));
        let after = self.client.read(LocalTime::from_ticks(arrives));
        assert!(outcome.is_ok() || after == before, "{outcome:?} changed {before:?} to {after:?}");
        self.now = self.now.max(arrives);
        let expected = match outcome {
            Ok(()) | Err(Refusal::UnknownRequest | Refusal::TooSlow) => true,
            Err(why) => {
                why == Refusal::SeveralServers && self.followed_runs.refuse(Some(reply.epoch), asked, arrives)
            }
        };
        assert!(expected, "{outcome:?} to an honest {reply:?} at {arrives}");
        if outcome.is_ok() {
            self.count(Some(reply.epoch), asked, arrives);
        }
        Ok(())
    }

    /// Passes an exchange that the game made itself, either just now or some time ago.
    fn exchange(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let run = self.current();
        let received = self.now - i64::from(input.arbitrary::<u16>()?) * 100;
        let server_sent = received - duration(input)?;
        let server_received = server_sent - if input.arbitrary()? { 0 } else { duration(input)? };
        let exchange = Exchange::from_stamps(
            LocalTime::from_ticks(server_received - duration(input)?),
            run.stamp(LocalTime::from_ticks(server_received)),
            run.stamp(LocalTime::from_ticks(server_sent)),
            LocalTime::from_ticks(received),
        );
        let (epoch, asked) = (self.named.then_some(run.epoch), exchange.client_sent.ticks());
        let outcome = self.client.handle_exchange(&exchange, epoch);
        // The exchange's duration is unknown if the local clock may have stopped.
        let in_a_gap = self.called.is_some_and(|last| self.pauses(received) && asked <= last);
        let may_miss = in_a_gap || asked < self.counts_since;
        let expected = match outcome {
            Ok(()) => !may_miss,
            Err(Refusal::TooSlow) => true,
            Err(Refusal::UnknownRequest) => may_miss,
            Err(why) => why == Refusal::SeveralServers && self.followed_runs.refuse(epoch, asked, received),
        };
        assert!(expected, "{outcome:?} to an honest {exchange:?}");
        if outcome.is_ok() {
            self.count(epoch, asked, received);
        }
        Ok(())
    }

    fn count(&mut self, epoch: Option<u64>, asked: i64, arrived: i64) {
        let now = self.called.map_or(arrived, |called| called.max(arrived));
        self.call(now);
        self.followed_runs.use_message(epoch, asked, now);
    }

    fn call(&mut self, now: i64) {
        if let Some(last) = self.called.filter(|_| self.pauses(now)) {
            self.counts_since = last + 1;
        }
        self.called = Some(now);
    }

    fn pauses(&self, now: i64) -> bool {
        self.called.is_some_and(|last| now - last > self.config.local_gap.ticks())
    }

    fn current(&self) -> Run {
        self.runs[self.runs.len() - 1]
    }

    fn judge(&mut self, away: i64) {
        self.witness.judge(&self.client, &self.runs, self.now + away, 0, self.called);
    }
}
