//! Sessions with a known cause, drawn by the seed.

use anyhow::Result;
use netclock::{Config, LocalTime, Span};

use crate::inspect::look::Look;
use crate::inspect::simulate::{Incident, What, simulate};
use crate::inspect::verdict::{Kind, Verdict, verdicts};
use crate::recording::Recording;
use netclock_sim::case::Case;
use netclock_sim::leg::{Outage, Saw, Shift};
use netclock_sim::network::NetworkConfig;
use netclock_sim::random::Random;
use netclock_sim::slew::Slew;

/// Exchanges of a session, roughly, and its shortest length (s).
const EXCHANGES: f64 = 200.0;
const SHORTEST_S: f64 = 400.0;

/// Something that a report has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nothing happens.
    Nothing,
    /// Queues on the way to the server.
    QueueUp,
    /// Queues on the way to the client.
    QueueDown,
    /// The way to the server changes.
    RouteUp,
    /// The way to the client changes.
    RouteDown,
    /// The server's clock starts again.
    Restart,
    /// The server's clock is set.
    Step,
    /// The server's clock is slewed.
    Slew,
    /// The two rates differ by much, and steadily.
    Rate,
    /// The program stands still.
    Pause,
    /// All packets are lost for a while.
    Loss,
    /// Two servers answer.
    Several,
    /// Some stamps are missing, as in logs.
    Junk,
    /// Some replies arrive before their requests, as with corrected stamps.
    Negative,
}

/// All causes.
pub const CAUSES: [Cause; 14] = [
    Cause::Nothing,
    Cause::QueueUp,
    Cause::QueueDown,
    Cause::RouteUp,
    Cause::RouteDown,
    Cause::Restart,
    Cause::Step,
    Cause::Slew,
    Cause::Rate,
    Cause::Pause,
    Cause::Loss,
    Cause::Several,
    Cause::Junk,
    Cause::Negative,
];

/// A session and what its report says.
pub struct Judged {
    /// What happens in it.
    pub cause: Cause,
    /// The path and the clocks, in a line.
    pub about: String,
    /// What the report says.
    pub verdicts: Vec<Verdict>,
}

/// The session with this number of the family of `seed`, and its verdicts.
///
/// # Errors
/// Its path answers nothing.
pub fn session(seed: u64, number: u64) -> Result<Judged> {
    let cause = CAUSES[number as usize % CAUSES.len()];
    let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number), "verdicts");
    // Queues that stand for seconds only show if the session asks as often.
    let polls: &[f64] = if matches!(cause, Cause::QueueUp | Cause::QueueDown) {
        &[1.0, 2.0, 4.0]
    } else {
        &[1.0, 4.0, 4.0, 16.0, 64.0]
    };
    let poll_s = polls[random.below(polls.len() as i64) as usize];
    let seconds = (EXCHANGES * poll_s).max(SHORTEST_S);
    let mut network = path(&mut random);
    let incidents = add(cause, &mut network, &mut random, seconds, poll_s);
    let name = format!("{cause:?}");
    let case = Case::simulated(name.clone(), name.clone(), Some(seconds), network.clone());
    let config = Config { steady_interval: Span::from_secs_f64(poll_s), ..Config::default() };
    let mut recording = simulate(&case, &config, seconds, random.word() >> 1, &incidents)?.recording;
    let is_foreign = cause == Cause::Junk || cause == Cause::Negative || random.chance(0.5);
    if is_foreign && !matches!(cause, Cause::Restart | Cause::Pause | Cause::Several) {
        forget(&mut recording);
    }
    spoil(cause, &mut recording, &mut random);
    let look = Look::new(name, &Config::default(), recording, None)?;
    let (up, down) = (network.forward.base_ms, network.reverse.base_ms);
    let about = format!(
        "asks every {poll_s} s, {up:.1} ms up, {down:.1} ms down, jitter {:.1} ms, wander {:.1} ppm, \
         {incidents:?}",
        network.forward.jitter_ms, network.clock.wander_ppm
    );
    Ok(Judged { cause, about, verdicts: verdicts(&look, &Config::default()) })
}

/// A path without a cause for a verdict, and crystals that wander.
fn path(random: &mut Random) -> NetworkConfig {
    let mut network = NetworkConfig::default();
    let base = |random: &mut Random| 10f64.powf(random.between(-0.5, 1.9));
    (network.forward.base_ms, network.reverse.base_ms) = (base(random), base(random));
    let shorter = network.forward.base_ms.min(network.reverse.base_ms);
    let jitter_ms = (shorter * random.between(0.01, 0.15)).min(3.0);
    (network.forward.jitter_ms, network.reverse.jitter_ms) = (jitter_ms, jitter_ms);
    let loss = random.between(0.0, 0.03);
    (network.forward.loss, network.reverse.loss) = (loss, loss);
    network.clock.drift_ppm = random.between(-60.0, 60.0);
    network.clock.wander_ppm = 10f64.powf(random.between(-1.0, 1.5));
    network.clock.wander_period_s = 10f64.powf(random.between(2.7, 4.0));
    network
}

/// Lets the cause happen on the path, or returns what happens to clocks and programs.
fn add(
    cause: Cause,
    network: &mut NetworkConfig,
    random: &mut Random,
    seconds: f64,
    poll_s: f64,
) -> Vec<Incident> {
    let at_s = seconds * random.between(0.35, 0.6);
    let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
    let incident = |what: What| vec![Incident { at_s, what }];
    let is_up = matches!(cause, Cause::QueueUp | Cause::RouteUp);
    let leg = if is_up { &mut network.forward } else { &mut network.reverse };
    match cause {
        Cause::QueueUp | Cause::QueueDown => {
            let (peak_ms, period_s) = (random.between(80.0, 400.0), poll_s * random.between(6.0, 20.0));
            let idle_s = period_s * random.between(0.0, 1.0);
            leg.saw = Some(Saw { peak_ms, period_s, idle_s, from_s: at_s });
        }
        Cause::RouteUp | Cause::RouteDown => {
            let ms = random.between(25.0, 80.0);
            if sign < 0.0 {
                leg.base_ms += ms;
            }
            leg.shifts = vec![Shift { at_s, ms: sign * ms }];
        }
        Cause::Restart => return incident(What::Restart),
        Cause::Step => {
            return incident(What::Step(sign * 10f64.powf(random.between(2.6, 6.0))));
        }
        Cause::Slew => {
            let (hold_s, every_s) = (seconds * 0.2, 2.0 * seconds);
            let ppm = sign * random.between(2_000.0, 20_000.0);
            network.clock.server_slew = Slew { ppm, hold_s, tail_s: 0.0, every_s, from_s: at_s };
        }
        Cause::Rate => {
            network.clock.drift_ppm = sign * random.between(300.0, 2_000.0);
            network.clock.wander_ppm = network.clock.wander_ppm.min(10.0);
        }
        Cause::Pause => return incident(What::Pause(random.between(6.0, 20.0) * poll_s.max(10.0))),
        Cause::Loss => {
            // The recording ends with its last exchange.
            let length_s = (random.between(8.0, 30.0) * poll_s.max(5.0)).min(0.3 * seconds);
            let outage = Outage { from_s: at_s, to_s: at_s + length_s };
            leg.outages = vec![outage];
        }
        Cause::Several => return incident(What::Several),
        Cause::Nothing | Cause::Junk | Cause::Negative => {}
    }
    Vec::new()
}

/// Leaves what an importer knows: the stamps.
fn forget(recording: &mut Recording) {
    recording.exchanges.retain(|it| it.sample.client_sent.is_some());
    for it in &mut recording.exchanges {
        (it.sample.id, it.sample.server_epoch, it.sample.outcome) = (None, None, Ok(()));
    }
}

/// Spoils one line in ten.
fn spoil(cause: Cause, recording: &mut Recording, random: &mut Random) {
    for it in recording.exchanges.iter_mut().skip(5) {
        let is_spoiled = random.chance(0.1);
        let received = it.sample.client_received;
        match cause {
            Cause::Junk if is_spoiled => it.sample.client_sent = Some(LocalTime::from_ticks(0)),
            Cause::Negative if is_spoiled => {
                it.sample.client_sent = Some(received + Span::from_micros(20));
            }
            _ => {}
        }
    }
}

impl Judged {
    /// The kinds of verdicts that the cause has to give: one of them is enough.
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
            // Without a note of the program, the words leave open which of the two it was.
            Cause::Pause | Cause::Loss => &[Kind::Pause, Kind::Outage],
            Cause::Several => &[Kind::SeveralServers],
            Cause::Junk | Cause::Negative => &[Kind::Refused],
        }
    }

    /// True if a verdict is true of the cause, or of any session.
    pub fn is_true(&self, verdict: &Verdict) -> bool {
        // What the client showed, what it was told, and what cannot be seen.
        let is_fact =
            matches!(verdict.kind, Kind::WideBound | Kind::NotSeen | Kind::Copies | Kind::Unordered);
        // Refusals are counted, not interpreted, and so are round trips.
        let may_refuse = matches!(self.cause, Cause::Step | Cause::Slew | Cause::Rate | Cause::Several);
        let is_queue = matches!(self.cause, Cause::QueueUp | Cause::QueueDown);
        let way = match self.cause {
            Cause::RouteUp => "The way to the server",
            Cause::RouteDown => "The way to the client",
            _ => "",
        };
        let is_named = self.expected().contains(&verdict.kind) && verdict.words.contains(way);
        is_named
            || is_fact
            || may_refuse && verdict.kind == Kind::Refused
            || is_queue && verdict.kind == Kind::LongRoundTrips
    }
}
