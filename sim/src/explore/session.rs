//! Runs the client through a session, and checks its readings against what a client can know.

use netclock::{
    Cause, Client, Config, Degradation, Event, Exchange, LocalTime, Reading, Refusal, Reply, Request,
    ServerTime, Span, State,
};

use super::{Change, Fate, Incident, Schedule, Side};
use crate::{ClockConfig, Clocks, Slew, Stairs, TICKS_PER_S};

/// Rounding error in ticks. Both clocks are read twice, and each reading may be up to a tick late.
const TICKS: f64 = 4.0;

/// Limits on the slew rate that the client assumes (ppm, see `netclock::Degradation::Slewed`).
const LIMITS_PPM: [f64; 3] = [0.0, 550.0, 5_500.0];

/// What a client can know about a change of the clocks.
struct Knowledge {
    /// Maximum change in the clock offset per tick, assuming the highest slew limit that the simulated slew
    /// exceeds.
    limit: f64,
    /// Replies from one server epoch since the last gap in the local clock.
    replies: Vec<Exchange>,
    epoch: u64,
    contradictions: u32,
    contradicted: u64,
}

impl Knowledge {
    fn of(change: Change, config: &Config) -> Self {
        let [client, server] = [config.client_drift_ppm, config.server_drift_ppm].map(|ppm| ppm * 1e-6);
        let ppm: f64 = if let Change::Slew(_, ppm, _) = change { ppm } else { 0.0 };
        let below = LIMITS_PPM.into_iter().rfind(|limit| *limit < ppm.abs()).unwrap_or(0.0) * 1e-6;
        let limit = (client + server + below) / (1.0 - client - below);
        Knowledge { limit, replies: Vec::new(), epoch: 0, contradictions: 0, contradicted: 0 }
    }

    fn forget(&mut self, epoch: u64) {
        self.replies.clear();
        self.epoch = epoch;
    }

    fn learn(&mut self, reply: Exchange) {
        let beyond = |upper: &Exchange, lower: &Exchange| {
            let highest = upper.server_received.ticks() - upper.client_sent.ticks();
            let lowest = lower.server_sent.ticks() - lower.client_received.ticks();
            let age = (upper.client_sent - lower.client_received).abs().ticks() as f64;
            (lowest - highest) as f64 > self.limit * age + TICKS
        };
        let contradicts = self.replies.iter().any(|other| beyond(other, &reply) || beyond(&reply, other));
        if contradicts {
            self.contradicted = if self.contradictions == 0 { self.epoch } else { self.contradicted };
            self.contradictions += 1;
        }
        self.replies.push(reply);
    }
}

/// How much a server's clock differs from its previous one after a restart (ticks).
const RESTARTED: i64 = 1_000_000_000;

struct TrueClocks {
    clocks: Clocks,
    step: (Side, i64, f64),
    changes_s: f64,
    restarts_s: f64,
}

impl TrueClocks {
    fn of(schedule: &Schedule, sent_s: &[f64], ends_s: f64) -> Self {
        let (change, after) = schedule.change;
        let [drift_ppm, server_drift_ppm] = schedule.drift_ppm;
        let mut config = ClockConfig { drift_ppm, server_drift_ppm, ..ClockConfig::default() };
        let (mut step, mut changes_s) = ((Side::Server, 0, f64::INFINITY), sent_s[after].floor() + 1.0);
        match change {
            Change::None => changes_s = f64::INFINITY,
            Change::Step(side, by_s) => step = (side, (by_s * TICKS_PER_S) as i64, changes_s),
            Change::Slew(side, ppm, hold_s) => {
                let slew = Slew { ppm, hold_s, tail_s: 0.0, every_s: f64::INFINITY, from_s: changes_s };
                *(if side == Side::Client { &mut config.client_slew } else { &mut config.server_slew }) =
                    slew;
            }
        }
        let restarts = schedule.incident.0 == Incident::Restart;
        let restarts_s = if restarts { sent_s[schedule.incident.1] + 0.2 } else { f64::INFINITY };
        TrueClocks { clocks: Clocks::new(&config, ends_s, 1), step, changes_s, restarts_s }
    }

    fn stepped(&self, side: Side, t: f64) -> i64 {
        let (whose, by, at_s) = self.step;
        if side == whose && t >= at_s { by } else { 0 }
    }

    fn local(&self, t: f64) -> LocalTime {
        LocalTime::from_ticks(self.clocks.client(t) + self.stepped(Side::Client, t))
    }

    fn epoch(&self, t: f64) -> u64 {
        1 + u64::from(t >= self.restarts_s)
    }

    fn server(&self, epoch: u64, t: f64) -> ServerTime {
        let ahead = epoch as i64 * RESTARTED + self.stepped(Side::Server, t);
        ServerTime::from_ticks(self.clocks.server(t) + ahead)
    }

    /// Returns the shown time minus the true time (ticks).
    fn error(&self, reading: &Reading, t: f64) -> f64 {
        let ahead = reading.server_epoch as i64 * RESTARTED + self.stepped(Side::Server, t);
        self.clocks.error(reading.server_time.ticks() - ahead, t)
    }
}

/// True time of the first request and the earliest start of a slew (s).
const FIRST_S: f64 = 1.3;
const WAIT_S: f64 = 0.03;
const BEHIND_S: f64 = 0.005;
/// Time from a request to the start of a hang, and the length of the hang (s).
const HANG_S: [f64; 2] = [0.3, 12.0];
/// Longest time between calls to the client, except during a hang (s).
const CALL_S: f64 = 4.0;
/// Reads continue for this long after the last exchange (s).
const SILENCE_S: f64 = 60.0;

#[derive(Clone, Debug)]
pub struct Fault {
    pub promise: &'static str,
    pub at_s: f64,
    /// The reading that violated a guarantee, or the last reading before the failure.
    pub reading: Reading,
    /// How far the error exceeds the bound, or how far the clock stepped backwards (us).
    pub by_us: f64,
}

#[derive(Clone, Copy, Debug)]
enum Call {
    Ask(usize),
    Reply(usize),
    Tick,
}

struct Execution<'a> {
    schedule: &'a Schedule,
    world: TrueClocks,
    client: Client,
    sent_s: Vec<f64>,
    requests: Vec<Option<(Request, LocalTime)>>,
    knowledge: Knowledge,
    seen: Stairs,
    reads: u32,
    /// True if the timestamps of an exchange do not match, because the client's clock stepped during it.
    is_misled: bool,
}

/// Returns the number of checked reads.
pub fn run(schedule: &Schedule, config: Config) -> Result<u32, Fault> {
    let mut sent_s = Vec::with_capacity(schedule.asks.len());
    let mut t = FIRST_S;
    for (at, ask) in schedule.asks.iter().enumerate() {
        t += ask.gap_s;
        if at > 0 && schedule.incident == (Incident::Hang, at - 1) {
            t += HANG_S[0] + HANG_S[1];
        }
        sent_s.push(t);
    }
    let ends_s = t + SILENCE_S;
    let mut session = Execution {
        world: TrueClocks::of(schedule, &sent_s, ends_s),
        client: Client::new(config, 1).expect("the settings are valid"),
        requests: vec![None; sent_s.len()],
        knowledge: Knowledge::of(schedule.change.0, &config),
        seen: Stairs::default(),
        reads: 0,
        is_misled: false,
        sent_s,
        schedule,
    };
    let calls = session.calls(ends_s);
    let hang = schedule.incident.0 == Incident::Hang;
    let hangs_s = if hang { session.sent_s[schedule.incident.1] + HANG_S[0] } else { f64::INFINITY };
    for (at, &(t, call)) in calls.iter().enumerate() {
        session.call(call, t)?;
        let next = calls.get(at + 1).map_or(ends_s, |next| next.0);
        if next - t < HANG_S[1] - 1.0 || t < hangs_s {
            for read in [t, (t + next) / 2.0, next - 1e-4] {
                session.read(read.clamp(t, next))?;
            }
        }
    }
    Ok(session.reads)
}

impl Execution<'_> {
    fn arrivals(&self, at: usize) -> Option<[f64; 2]> {
        let path = self.schedule.path_s;
        let (up, down) = match self.schedule.asks[at].fate {
            Fate::Fast | Fate::Twice => (path, path),
            Fate::SlowUp => (path + WAIT_S, path),
            Fate::SlowDown => (path, path + WAIT_S),
            Fate::Lost => return None,
            Fate::Overtaken => {
                let next = if at + 1 < self.sent_s.len() { self.arrivals(at + 1) } else { None };
                let received = self.sent_s[at] + path;
                return Some([received, next.map_or(received + path, |[_, next]| next) + BEHIND_S]);
            }
        };
        Some([self.sent_s[at] + up, self.sent_s[at] + up + down])
    }

    fn calls(&self, ends_s: f64) -> Vec<(f64, Call)> {
        let mut calls = Vec::with_capacity(64);
        for at in 0..self.sent_s.len() {
            calls.push((self.sent_s[at], Call::Ask(at)));
            if let Some([_, arrives]) = self.arrivals(at) {
                calls.push((arrives, Call::Reply(at)));
                if self.schedule.asks[at].fate == Fate::Twice {
                    calls.push((arrives + BEHIND_S, Call::Reply(at)));
                }
            }
        }
        let mut t = FIRST_S;
        while t + CALL_S < ends_s {
            t += CALL_S;
            calls.push((t, Call::Tick));
        }
        if self.schedule.incident.0 == Incident::Hang {
            let begins = self.sent_s[self.schedule.incident.1] + HANG_S[0];
            let ends = begins + HANG_S[1];
            calls.retain(|(t, call)| !matches!(call, Call::Tick) || !(begins..ends).contains(t));
            for (t, _) in &mut calls {
                *t = if (begins..ends).contains(t) { ends } else { *t };
            }
        }
        calls.sort_by(|one, other| one.0.total_cmp(&other.0));
        calls
    }

    fn call(&mut self, call: Call, t: f64) -> Result<(), Fault> {
        let now = self.world.local(t);
        match call {
            // The client rejects calls for a while after its clock has stepped backwards.
            Call::Tick => drop(self.client.tick(now)),
            Call::Ask(at) => self.requests[at] = self.client.make_request(now).ok().map(|it| (it, now)),
            Call::Reply(at) => self.reply(at, t)?,
        }
        while let Some(event) = self.client.next_event() {
            let reading = self.client.read(now);
            let fault = |promise| Err(Fault { promise, at_s: t, reading, by_us: 0.0 });
            match event {
                Event::Discontinuity { cause: Cause::LocalGap | Cause::LocalStep, .. } => {
                    self.knowledge.forget(self.knowledge.epoch);
                }
                Event::Degraded(Degradation::Slewed) if t < self.world.changes_s => {
                    return fault("a slew was reported before it began");
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn reply(&mut self, at: usize, t: f64) -> Result<(), Fault> {
        let (Some((request, sent)), Some([received_s, arrives_s])) = (self.requests[at], self.arrivals(at))
        else {
            return Ok(());
        };
        let epoch = self.world.epoch(received_s);
        let received = self.world.server(epoch, received_s);
        let reply = Reply { id: request.id, epoch, received, sent: received, wait: None };
        let (now, arrived) = (self.world.local(t), self.world.local(arrives_s.min(t)));
        let before = self.client.read(now);
        let outcome = self.client.handle_reply(&reply, arrived);
        let after = self.client.read(now);
        let unchanged = match outcome {
            Ok(()) => true,
            Err(Refusal::Contradiction) => {
                before.epoch != after.epoch || before.server_time == after.server_time
            }
            Err(_) => before == after,
        };
        if !unchanged {
            return Err(Fault {
                promise: "a rejected reply changed the client",
                at_s: t,
                reading: after,
                by_us: 0.0,
            });
        }
        let steps = matches!(self.schedule.change.0, Change::Step(Side::Client, _));
        self.is_misled |=
            steps && self.sent_s[at] < self.world.changes_s && self.world.changes_s <= arrives_s;
        if matches!(outcome, Ok(()) | Err(Refusal::Contradiction)) {
            if epoch != self.knowledge.epoch {
                self.knowledge.forget(epoch);
            }
            self.knowledge.learn(Exchange::from_stamps(sent, received, received, arrived));
        }
        Ok(())
    }

    fn must_be_inside(&self, reading: &Reading, t: f64) -> bool {
        // The clock may briefly show the epoch from before the contradiction.
        let is_told = reading.server_epoch >= self.knowledge.contradicted;
        let known = if is_told { self.knowledge.contradictions } else { 0 };
        match self.schedule.change.0 {
            _ if t < self.world.changes_s => true,
            Change::Step(..) if self.is_misled => false,
            Change::Step(..) => known > 1 || (known == 1 && reading.state != State::Doubtful),
            _ => known > 0,
        }
    }

    fn read(&mut self, t: f64) -> Result<(), Fault> {
        let now = self.world.local(t);
        let reading = self.client.read(now);
        let fault = |promise, ticks: f64| Err(Fault { promise, at_s: t, reading, by_us: ticks / 10.0 });
        if reading.state == State::Unsynced {
            return Ok(());
        }
        self.reads += 1;
        let back = self.seen.backwards(now.ticks(), &reading);
        if back > 0 {
            return fault("a read went backward", back as f64);
        }
        if reading.expected_error > reading.error_bound || reading.error_bound < Span::ZERO {
            return fault("the expected error exceeds the bound", 0.0);
        }
        let beyond = self.world.error(&reading, t).abs() - reading.error_bound.ticks() as f64;
        if beyond > TICKS && self.must_be_inside(&reading, t) {
            return fault("a read is outside its bound", beyond);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ask, Explorer};
    use super::*;
    use crate::seed;
    use Change::{Slew, Step};
    use Fate::{Fast, Lost, Overtaken, SlowDown, SlowUp, Twice};

    const LASTING: f64 = f64::INFINITY;

    /// Intervals are in seconds.
    fn schedule(path_ms: f64, asks: &[(f64, Fate)], change: (Change, usize)) -> Schedule {
        let asks = asks.iter().map(|&(gap_s, fate)| Ask { gap_s, fate }).collect();
        let path_s = path_ms * 1e-3;
        Schedule { path_s, drift_ppm: [50.0, -50.0], asks, change, incident: (Incident::None, 0) }
    }

    fn assert_guarantees(schedule: &Schedule) {
        if let Err(fault) = run(schedule, Config::default()) {
            panic!("{fault:?}\n{schedule:?}");
        }
    }

    #[test]
    fn sampled_small_sessions_keep_all_guarantees() {
        let (explorer, seed, count) = (Explorer::default(), seed(1), 4_000);
        for at in 0..count {
            assert_guarantees(&explorer.schedule(at, count, seed));
        }
    }

    /// Replies during the slew look like a step, so the client starts a new bound before the slew ends.
    #[test]
    fn a_bound_started_during_a_slew_ends_with_the_suspicion() {
        let asks = [(0.0, Fast), (0.5418, SlowDown), (0.8424, Fast), (0.0608, Fast), (29.916, Fast)];
        assert_guarantees(&schedule(10.88, &asks, (Slew(Side::Client, -83_333.0, 1.0), 0)));
    }

    /// A clock that is slow by `r` measures the other clock as fast by `r / (1 - r)`.
    #[test]
    fn a_client_slewed_very_slow_stays_within_the_bound() {
        let asks = [(0.0, Fast), (1.95, Fast), (1.95, Fast)];
        assert_guarantees(&schedule(0.1, &asks, (Slew(Side::Client, -99_000.0, LASTING), 0)));
    }

    #[test]
    fn a_fitted_rate_does_not_hide_a_contradiction() {
        let asks = [(0.0, Fast), (0.35, Fast), (22.3, SlowUp), (1.95, Fast)];
        let slew = (Slew(Side::Server, 200.0, LASTING), 2);
        assert_guarantees(&Schedule { drift_ppm: [-50.0, 50.0], ..schedule(0.1, &asks, slew) });
    }

    #[test]
    fn a_server_restart_does_not_end_a_client_slew() {
        let asks = [(0.0, Fast), (22.3, Fast), (1.2, SlowDown), (1.2, Fast)];
        let slewed = schedule(0.1, &asks, (Slew(Side::Client, -5_000.0, LASTING), 0));
        assert_guarantees(&Schedule { incident: (Incident::Restart, 2), ..slewed });
    }

    #[test]
    fn a_step_that_a_slew_explains_is_within_the_bound() {
        let asks = [(0.0, Fast), (1.2, Fast), (28.8, SlowUp)];
        let stepped = schedule(0.1, &asks, (Step(Side::Server, -0.05), 1));
        assert_guarantees(&Schedule { drift_ppm: [-50.0, 50.0], ..stepped });
    }

    /// The last reply left the server before the step, so it is consistent with the earlier replies.
    #[test]
    fn an_overtaken_reply_does_not_refute_a_step() {
        let asks = [(0.0, SlowDown), (0.503, Fast), (0.1835, Overtaken), (0.052, SlowDown)];
        assert_guarantees(&schedule(2.3, &asks, (Step(Side::Server, 0.05), 0)));
    }

    /// The reply after the step barely agrees with the first reply. The reply between them arrives last and
    /// contradicts the step.
    #[test]
    fn a_contradicting_overtaken_reply_allows_for_a_step() {
        let asks = [(0.0, Twice), (0.372, Lost), (3.249, Overtaken), (1.541, Fast), (0.226, Twice)];
        assert_guarantees(&schedule(24.544, &asks, (Step(Side::Server, 0.05), 2)));
    }

    /// Replies from before the step arrive after a reply that left later.
    #[test]
    fn old_replies_do_not_prove_a_backward_step() {
        let asks = [(0.0, Overtaken), (0.35, Overtaken), (1.95, SlowUp)];
        assert_guarantees(&schedule(20.0, &asks, (Step(Side::Server, 0.05), 1)));
    }

    /// The second reply looks like a slew. The first reply left the server before the step, and is consistent
    /// with the earlier replies and with a slew.
    #[test]
    fn an_overtaken_reply_does_not_turn_a_step_into_a_slew() {
        let asks = [(0.0, SlowDown), (22.3, Overtaken), (1.95, Twice), (1.95, Fast)];
        assert_guarantees(&schedule(20.0, &asks, (Step(Side::Server, 0.05), 1)));
    }

    #[test]
    fn a_suspicion_ends_at_a_gap() {
        let asks = [(0.0, Twice), (0.354, SlowUp), (1.951, SlowDown), (2.399, SlowUp), (6.353, Twice)];
        let asks = [&asks[..], &[(0.352, SlowUp)]].concat();
        let slewed = schedule(64.364, &asks, (Slew(Side::Client, 83_333.0, LASTING), 0));
        assert_guarantees(&Schedule { drift_ppm: [50.0, 50.0], incident: (Incident::Hang, 2), ..slewed });
    }

    #[test]
    fn the_check_detects_clocks_outside_their_limits() {
        let honest = schedule(0.1, &[(0.0, Fast), (2.0, Fast)], (Change::None, 0));
        assert!(run(&honest, Config::default()).is_ok_and(|reads| reads > 40));
        let config = Config { client_drift_ppm: 0.5, server_drift_ppm: 0.5, ..Config::default() };
        let fault = run(&honest, config).expect_err("the clocks should drift apart by 100 ppm");
        assert_eq!(fault.promise, "a read is outside its bound");
    }
}
