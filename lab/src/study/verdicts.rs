//! Generates random sessions, each with a known problem.

use anyhow::Result;
use clap::ValueEnum;
use netclock::{Config, LocalTime, Span, State};

use crate::recording::Recording;
use crate::report::{
    EPOCHS, Evaluation, Incident, Kind, Known, Moment, ReadPoint, Reference, Simulated, Verdict, What,
    simulate, verdicts,
};
use netclock_sim::{Case, NetworkConfig, Outage, Random, Saw, Shift, Slew, TICKS_PER_MS};

const EXCHANGES: f64 = 200.0;
const SHORTEST_S: f64 = 400.0;
/// The maximum distance between a verdict and its cause, in seconds or in polls, whichever is longer.
const NEAR_S: f64 = 60.0;
const NEAR_POLLS: f64 = 8.0;
/// The allowed error of a stated size (ms or ppm), in addition to a fraction of the true size.
const LEAST_SIZE: f64 = 5.0;
/// The largest rounding error of true values.
const ROUNDING_MS: f64 = 0.002;
const EFFECTS: [&str; 3] = ["off by at least", "stayed within", "The timestamps prove"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cause {
    Nothing,
    QueueUp,
    QueueDown,
    RouteUp,
    RouteDown,
    Restart,
    Step,
    Slew,
    /// The clocks' rates differ by a large constant amount.
    Rate,
    Pause,
    Loss,
    Several,
    /// Some timestamps are missing, as is common in logs.
    Junk,
    /// By their timestamps, some replies arrive before their requests were sent.
    Negative,
}

pub struct Judged {
    pub cause: Cause,
    pub about: String,
    pub verdicts: Vec<Verdict>,
    happened: CauseTimes,
    /// When the truth was outside the range that the report calls proven (s).
    unproven: Vec<f64>,
}

/// The start and end of a cause, and its size in ms or ppm.
#[derive(Clone, Copy, Debug)]
struct CauseTimes {
    from_s: f64,
    to_s: f64,
    size: f64,
}

pub fn session(seed: u64, number: u64) -> Result<Judged> {
    let cause = Cause::value_variants()[number as usize % Cause::value_variants().len()];
    let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number), "verdicts");
    // A queue that lasts a few seconds is only visible if requests are frequent enough.
    let polls: &[f64] = if matches!(cause, Cause::QueueUp | Cause::QueueDown) {
        &[1.0, 2.0, 4.0]
    } else {
        &[1.0, 4.0, 4.0, 16.0, 64.0]
    };
    let poll_s = polls[random.below(polls.len() as i64) as usize];
    let seconds = (EXCHANGES * poll_s).max(SHORTEST_S);
    let mut network = path(&mut random);
    let (mut happened, what) = add(cause, &mut network, &mut random, (seconds, poll_s));
    let incidents: Vec<Incident> =
        what.map(|what| Incident { at_s: happened.from_s, what }).into_iter().collect();
    let name = format!("{cause:?}");
    let case = Case::simulated(name.clone(), name.clone(), Some(seconds), network.clone());
    let config = Config { steady_interval: Span::from_secs_f64(poll_s), ..Config::default() };
    let Simulated { mut recording, truth, .. } =
        simulate(&case, &config, seconds, random.word() >> 1, &incidents)?;
    let is_foreign = cause == Cause::Junk || cause == Cause::Negative || random.chance(0.5);
    if is_foreign && !matches!(cause, Cause::Restart | Cause::Pause | Cause::Several) {
        forget(&mut recording);
    }
    spoil(cause, &mut recording, &mut random);
    let session = Evaluation::of(name, recording)?;
    let (up, down) = (network.forward.base_ms, network.reverse.base_ms);
    let about = format!(
        "a request every {poll_s} s, {up:.1} ms up, {down:.1} ms down, jitter {:.1} ms, wander {:.1} ppm, \
         {incidents:?}",
        network.forward.jitter_ms, network.clock.wander_ppm
    );
    let doubt_s = NEAR_S.max(NEAR_POLLS * poll_s);
    happened = CauseTimes { from_s: happened.from_s - doubt_s, to_s: happened.to_s + doubt_s, ..happened };
    let unproven = unproven(&session, &truth, cause, happened);
    Ok(Judged { cause, about, verdicts: verdicts(&session), happened, unproven })
}

fn unproven(session: &Evaluation, truth: &Reference, cause: Cause, happened: CauseTimes) -> Vec<f64> {
    let shown = session.rerun.moments.iter().filter(|it| it.reading.state != State::Unsynced);
    // A clock step cannot be proven before the next exchange.
    let is_open = |at_s: f64| {
        let is_set = matches!(cause, Cause::Step | Cause::Restart | Cause::Several);
        is_set && (happened.from_s..happened.to_s).contains(&at_s)
    };
    let is_wrong = |(shown, moment): &(&ReadPoint, &Moment)| {
        let (reading, local) = (&moment.reading, moment.local);
        let named = truth.at(reading.server_epoch, moment.index, local);
        let known = named.or_else(|| truth.at(EPOCHS[0], moment.index, local));
        let error = |known: Known| (reading.server_time.ticks() - local.ticks() - known.estimate) as f64;
        known.zip(shown.proven).is_some_and(|(known, (least, most))| {
            let size = error(known).abs() / TICKS_PER_MS;
            !is_open(shown.at_s) && !(least - ROUNDING_MS..=most + ROUNDING_MS).contains(&size)
        })
    };
    session.reads.iter().zip(shown).filter(is_wrong).map(|it| it.0.at_s).collect()
}

/// Returns a path that should cause no verdict, although its crystals wander.
fn path(random: &mut Random) -> NetworkConfig {
    let mut network = NetworkConfig::default();
    let [up, down] = [(); 2].map(|()| 10f64.powf(random.between(-0.5, 1.9)));
    let jitter_ms = (up.min(down) * random.between(0.01, 0.15)).min(3.0);
    let loss = random.between(0.0, 0.03);
    for (leg, base_ms) in [(&mut network.forward, up), (&mut network.reverse, down)] {
        (leg.base_ms, leg.jitter_ms, leg.loss) = (base_ms, jitter_ms, loss);
    }
    network.clock.drift_ppm = random.between(-60.0, 60.0);
    network.clock.wander_ppm = 10f64.powf(random.between(-1.0, 1.5));
    network.clock.wander_period_s = 10f64.powf(random.between(2.7, 4.0));
    network
}

/// Adds the cause to the path, or returns an incident if the cause affects clocks or programs.
fn add(
    cause: Cause,
    network: &mut NetworkConfig,
    random: &mut Random,
    (seconds, poll_s): (f64, f64),
) -> (CauseTimes, Option<What>) {
    let at_s = seconds * random.between(0.35, 0.6);
    let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
    let is_up = matches!(cause, Cause::QueueUp | Cause::RouteUp);
    let leg = if is_up { &mut network.forward } else { &mut network.reverse };
    let (mut to_s, mut size, mut what) = (at_s, 0.0, None);
    match cause {
        Cause::QueueUp | Cause::QueueDown => {
            let (peak_ms, period_s) = (random.between(80.0, 400.0), poll_s * random.between(6.0, 20.0));
            let idle_s = period_s * random.between(0.0, 1.0);
            leg.saw = Some(Saw { peak_ms, period_s, idle_s, from_s: at_s });
            (to_s, size) = (seconds, peak_ms);
        }
        Cause::RouteUp | Cause::RouteDown => {
            size = random.between(25.0, 80.0);
            leg.base_ms += if sign < 0.0 { size } else { 0.0 };
            leg.shifts = vec![Shift { at_s, ms: sign * size }];
        }
        Cause::Restart => what = Some(What::Restart),
        Cause::Step => {
            size = 10f64.powf(random.between(2.6, 6.0));
            what = Some(What::Step(sign * size));
        }
        Cause::Slew => {
            let (hold_s, every_s) = (seconds * 0.2, 2.0 * seconds);
            let ppm = sign * random.between(2_000.0, 20_000.0);
            to_s = at_s + hold_s;
            network.clock.server_slew = Slew { ppm, hold_s, tail_s: 0.0, every_s, from_s: at_s };
        }
        Cause::Rate => {
            size = random.between(300.0, 2_000.0);
            network.clock.drift_ppm = sign * size;
            network.clock.wander_ppm = network.clock.wander_ppm.min(10.0);
        }
        Cause::Pause => {
            let length_s = (random.between(6.0, 20.0) * poll_s.max(10.0)).min(0.3 * seconds);
            (to_s, size, what) = (at_s + length_s, length_s * 1e3, Some(What::Pause(length_s)));
        }
        Cause::Loss => {
            // The recording ends with its last exchange.
            let length_s = (random.between(8.0, 30.0) * poll_s.max(5.0)).min(0.3 * seconds);
            (to_s, size) = (at_s + length_s, length_s * 1e3);
            leg.outages = vec![Outage { from_s: at_s, to_s }];
        }
        Cause::Several => what = Some(What::Several),
        Cause::Nothing | Cause::Junk | Cause::Negative => {}
    }
    (CauseTimes { from_s: at_s, to_s, size }, what)
}

/// Importers know only the timestamps.
fn forget(recording: &mut Recording) {
    recording.exchanges.retain(|it| it.sample.client_sent.is_some());
    for it in &mut recording.exchanges {
        (it.sample.id, it.sample.server_epoch, it.sample.outcome) = (None, None, Ok(()));
    }
}

fn spoil(cause: Cause, recording: &mut Recording, random: &mut Random) {
    for it in recording.exchanges.iter_mut().skip(5) {
        let is_spoiled = random.chance(0.1);
        let sent = match cause {
            Cause::Junk if is_spoiled => LocalTime::from_ticks(0),
            Cause::Negative if is_spoiled => it.sample.client_received + Span::from_micros(20),
            _ => continue,
        };
        it.sample.client_sent = Some(sent);
    }
}

impl Judged {
    pub fn expected(&self) -> &'static [Kind] {
        match self.cause {
            Cause::Nothing => &[Kind::Clean],
            Cause::QueueUp => &[Kind::QueueUp],
            Cause::QueueDown => &[Kind::QueueDown],
            Cause::RouteUp | Cause::RouteDown => &[Kind::Route],
            Cause::Restart => &[Kind::ServerRestart],
            Cause::Step => &[Kind::Step],
            Cause::Slew => &[Kind::Slewed, Kind::Step],
            Cause::Rate => &[Kind::Rate],
            // A pause that the program did not report looks like an outage.
            Cause::Pause | Cause::Loss => &[Kind::Pause, Kind::Outage],
            Cause::Several => &[Kind::SeveralServers],
            Cause::Junk | Cause::Negative => &[Kind::Refused],
        }
    }

    /// Returns whether this cause can lead to the verdict, with the right time, size and effect on the clock.
    pub fn is_true(&self, verdict: &Verdict) -> bool {
        let words = &verdict.words;
        let states_effect = EFFECTS.iter().any(|it| words.contains(it));
        let is_unproven = states_effect && self.unproven.iter().any(|&at| verdict.is_near(at, NEAR_S));
        !is_unproven && self.is_of_cause(verdict) && self.is_as_large(verdict)
    }

    fn is_as_large(&self, Verdict { kind, words, stretch }: &Verdict) -> bool {
        let CauseTimes { from_s, to_s, size } = self.happened;
        let is_like = |before: &str, share: f64| {
            let said = words.split_once(before).and_then(|(_, rest)| number(rest));
            said.is_none_or(|said| (said - size).abs() <= share * size + LEAST_SIZE)
        };
        let is_then = stretch.is_none_or(|(from, to)| from <= to_s && to >= from_s);
        match kind {
            Kind::Step if self.cause == Cause::Step => is_then && is_like("A clock was set by about ", 0.1),
            Kind::Route => is_then && is_like(" became ", 0.3),
            Kind::Rate => is_like("The server's clock runs ", 0.1),
            Kind::Pause => is_then && is_like(", after ", 0.3) && is_like(" did not run for ", 0.3),
            Kind::Outage => is_then && is_like("No replies arrived for ", 0.3),
            // No message waits longer than the peak.
            Kind::QueueUp | Kind::QueueDown => {
                let most = words.split_once(" a maximum of ").and_then(|(_, rest)| number(rest));
                is_then && most.is_none_or(|most| most <= 1.1 * size + LEAST_SIZE)
            }
            Kind::ServerRestart | Kind::SeveralServers | Kind::Slewed => is_then,
            _ => true,
        }
    }

    /// Returns whether verdicts of this kind can result from this cause or occur in any session.
    fn is_of_cause(&self, verdict: &Verdict) -> bool {
        use Cause::{QueueDown, QueueUp, Rate, RouteDown, RouteUp, Several, Slew, Step};
        let way = match self.cause {
            RouteUp => "The path to the server",
            RouteDown => "The path to the client",
            _ => "",
        };
        let is_named = self.expected().contains(&verdict.kind) && verdict.words.contains(way);
        is_named
            || match verdict.kind {
                // These kinds describe the client's reads, its inputs, or facts that this test cannot check.
                Kind::WideBound | Kind::NotSeen | Kind::Unordered => true,
                // Rejections and round trips are only counted, not interpreted.
                Kind::Refused => matches!(self.cause, Step | Slew | Rate | Several),
                Kind::LongRoundTrips => matches!(self.cause, QueueDown | QueueUp | RouteDown | RouteUp),
                _ => false,
            }
    }
}

fn number(words: &str) -> Option<f64> {
    let mut parts = words.split([' ', '.', ',', ':']).filter(|it| !it.is_empty());
    let text = words.split_whitespace().next()?;
    let value: f64 = text.trim_end_matches([',', '.', ':']).parse().ok()?;
    let unit = parts.find(|it| it.parse::<f64>().is_err())?;
    let ms = [("s", 1e3), ("min", 6e4), ("h", 3.6e6), ("days", 8.64e7)];
    Some(value * ms.iter().find(|it| it.0 == unit).map_or(1.0, |it| it.1))
}
