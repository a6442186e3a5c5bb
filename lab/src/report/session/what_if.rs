//! What if: the same exchanges are passed to a client with other settings, and to published clocks.

use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use netclock::{Config, Span, State};
use serde::Serialize;

use super::evaluation::Evaluation;
use super::rerun::{Moment, rerun};
use crate::baseline::{self, BEST_RIVAL, ENGINE, Maker};
use crate::recording::{Recorded, Recording};
use crate::report::words::{amount, counted, ms};
use netclock_sim::clock::TICKS_PER_MS;
use netclock_sim::measure::account::Account;
use netclock_sim::measure::figures::{nearest_rank, sorted};

/// Options for clocks to compare with.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Also pass the exchanges to a client with this setting, such as max_slew=0.02 or client_frame=16.7ms;
    /// repeat for several
    ///
    /// The settings are those of `Config`; times need a unit (us, ms or s). The exchanges are the recorded
    /// ones, so settings for requests have no effect.
    #[arg(long, value_name = "KNOB=VALUE", value_parser = knob)]
    set: Vec<String>,
    /// Also pass the exchanges to this published clock: engine, best (the best single one), or a name from
    /// `lab study bench`; repeat for several
    #[arg(long, value_name = "CLOCK")]
    against: Vec<Rival>,
}

/// The numeric settings and the times, by name.
type Setting<T> = (&'static str, fn(&mut Config) -> &mut T);
const NUMBERS: [Setting<f64>; 3] = [
    ("client_drift_ppm", |config| &mut config.client_drift_ppm),
    ("server_drift_ppm", |config| &mut config.server_drift_ppm),
    ("max_slew", |config| &mut config.max_slew),
];
const TIMES: [Setting<Span>; 9] = [
    ("step_threshold", |config| &mut config.step_threshold),
    ("max_round_trip", |config| &mut config.max_round_trip),
    ("local_gap", |config| &mut config.local_gap),
    ("holdover_after", |config| &mut config.holdover_after),
    ("target_bound", |config| &mut config.target_bound),
    ("client_resolution", |config| &mut config.client_resolution),
    ("server_resolution", |config| &mut config.server_resolution),
    ("client_frame", |config| &mut config.client_frame),
    ("server_frame", |config| &mut config.server_frame),
];

/// Changes a setting, given as `KNOB=VALUE`.
fn change(config: &mut Config, text: &str) -> Result<()> {
    let (name, value) = text.split_once('=').context("write KNOB=VALUE")?;
    if let Some((_, setting)) = NUMBERS.iter().find(|known| known.0 == name) {
        *setting(config) = value.parse().with_context(|| format!("{name} is \"{value}\"; write a number"))?;
    } else if let Some((_, setting)) = TIMES.iter().find(|known| known.0 == name) {
        *setting(config) = time(name, value)?;
    } else {
        let names: Vec<&str> = NUMBERS.iter().map(|it| it.0).chain(TIMES.map(|it| it.0)).collect();
        bail!("a replay has no setting {name}; it has {}", names.join(", "))
    }
    Ok(())
}

/// Checks a text that changes a setting.
fn knob(text: &str) -> Result<String> {
    change(&mut Config::default(), text).map(|()| text.to_owned())
}

fn time(name: &str, text: &str) -> Result<Span> {
    let units = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    let split = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let wanted = || format!("{name} is \"{text}\"; write a time such as 16.7ms, 500us or 4s");
    let (number, unit) = split.with_context(wanted)?;
    let number: f64 = number.parse().with_context(wanted)?;
    ensure!(number.is_finite(), wanted());
    Ok(Span::from_secs_f64(number * unit))
}

/// A published clock.
#[derive(Clone, Debug)]
struct Rival {
    name: &'static str,
    make: Maker,
}

impl FromStr for Rival {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = match text {
            "engine" => Some(("Engine's clock", ENGINE)),
            "best" => Some(("Best rival", BEST_RIVAL)),
            _ => None,
        };
        let found = baseline::all().find(|it| it.0 == known.map_or(text, |(_, name)| name));
        let Some(&(name, make)) = found else {
            let names: Vec<&str> = baseline::all().map(|known| known.0).collect();
            bail!("unknown clock {text}; the clocks are engine, best, {}", names.join(", "))
        };
        Ok(Rival { name: known.map_or(name, |(name, _)| name), make })
    }
}

/// A clock that processed the same exchanges.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Clock {
    pub(crate) name: String,
    /// Times since the start (s), and shown time minus reference (ms).
    #[serde(skip)]
    pub(crate) errors: Vec<(f64, f64)>,
    /// Sizes of the errors (ms): the median, the 95th and 99th percentiles, and the largest.
    pub(crate) sizes_ms: [Option<f64>; 4],
    /// How often the shown time ran backwards.
    pub(crate) backwards: u64,
}

impl Clock {
    fn new<'a>(name: String, shown: impl Iterator<Item = ClockRead<'a>>, session: &Evaluation) -> Self {
        let (mut errors, mut account) = (Vec::new(), Account::default());
        for ClockRead { moment, epoch, server } in shown {
            account.goes_back(epoch, server);
            let local = moment.local;
            if let Some(known) = session.reference.at(moment.reading.server_epoch, moment.index, local) {
                let error = server.saturating_sub(local.ticks()).saturating_sub(known.estimate);
                errors.push((session.seconds(local), error as f64 / TICKS_PER_MS));
            }
        }
        let sizes = sorted(errors.iter().map(|error| error.1.abs()));
        let sizes_ms = [0.5, 0.95, 0.99, 1.0].map(|share| nearest_rank(&sizes, share));
        Clock { name, errors, sizes_ms, backwards: account.backwards }
    }
}

/// A sentence about which clocks were better and by how much; `None` if fewer than two clocks can be
/// compared.
pub(crate) fn conclusion(clocks: &[Clock]) -> Option<String> {
    let known = clocks.iter().filter_map(|clock| clock.sizes_ms[2].map(|p99| (clock, p99)));
    let mut order: Vec<(&Clock, f64)> = known.collect();
    if order.len() < 2 {
        return None;
    }
    order.sort_by(|one, other| one.1.total_cmp(&other.1));
    let least = order[0].1;
    // A difference that rounds to the same displayed number does not count.
    let (best, rest) = order.split_at(order.partition_point(|it| ms(it.1) == ms(least)));
    let names = best.iter().map(|it| it.0.name.as_str()).collect::<Vec<_>>().join(" and ");
    let (was, whose) = if best.len() == 1 { ("was", "its") } else { ("were", "their") };
    let within = format!("99 % of {whose} errors are within {}", amount(least));
    let mut words = match rest {
        [] => format!("{names} {was} equally good: {within}"),
        [next, others @ ..] => {
            let of = if others.is_empty() { "" } else { ", the next best" };
            let times =
                if least > 0.0 { format!(" ({} times as much)", ms(next.1 / least)) } else { String::new() };
            format!(
                "{names} {was} better than {}{of}: {within}, against {}{times}",
                next.0.name,
                amount(next.1)
            )
        }
    };
    for (clock, _) in best.iter().filter(|it| it.0.backwards > 0) {
        words += &format!(", and {} went back {}", clock.name, counted(clock.backwards as usize, "time"));
    }
    Some(words + ".")
}

/// The time that a clock showed at some moment (ticks). It may go backwards when its epoch changes.
struct ClockRead<'a> {
    moment: &'a Moment,
    epoch: u32,
    server: i64,
}

impl Options {
    /// The session's clock, and the clocks for comparison.
    pub(crate) fn clocks(&self, session: &Evaluation) -> Result<Vec<Clock>> {
        if self.set.is_empty() && self.against.is_empty() {
            return Ok(Vec::new());
        }
        let product = |name: &str, moments: &[Moment]| {
            let synced = moments.iter().filter(|moment| moment.reading.state != State::Unsynced);
            let shown = synced.map(|moment| ClockRead {
                moment,
                epoch: moment.reading.epoch,
                server: moment.reading.server_time.ticks(),
            });
            Clock::new(name.to_owned(), shown, session)
        };
        let mut clocks = vec![product("netclock", &session.rerun.moments)];
        if !self.set.is_empty() {
            let (mut config, Recording { exchanges, announced, .. }) =
                (Config::default(), &session.recording);
            self.set.iter().try_for_each(|text| change(&mut config, text))?;
            // A configured frame replaces the measured one.
            let mut exchanges = exchanges.clone();
            for Recorded { sample, .. } in &mut exchanges {
                sample.client_wait = sample.client_wait.filter(|_| config.client_frame == Span::ZERO);
                sample.server_wait = sample.server_wait.filter(|_| config.server_frame == Span::ZERO);
            }
            let moments = rerun(&config, &exchanges, announced, session.until)?.moments;
            clocks.push(product(&self.set.join(", "), &moments));
        }
        clocks.extend(self.against.iter().map(|rival| rival_clock(rival, session)));
        Ok(clocks)
    }
}

/// Runs a published clock on the exchanges. Such a clock has no epochs.
fn rival_clock(rival: &Rival, session: &Evaluation) -> Clock {
    let mut estimator = (rival.make)();
    let (mut next, mut latest) = (0, i64::MIN);
    let mut shown = Vec::new();
    for moment in &session.rerun.moments {
        let until = moment.index + 1;
        for (id, it) in session.recording.exchanges.iter().enumerate().take(until).skip(next) {
            if let Some(exchange) = baseline::exchange(id as u64, &it.sample) {
                estimator.on_send(exchange.id, exchange.t0);
                estimator.on_exchange(&exchange);
            }
        }
        next = next.max(until);
        latest = latest.max(moment.local.ticks());
        let server = estimator.shown(latest);
        shown.extend(server.map(|server| ClockRead { moment, epoch: 0, server }));
    }
    Clock::new(rival.name.to_owned(), shown.into_iter(), session)
}

#[cfg(test)]
mod tests {
    use super::super::simulate::simulate;
    use super::*;
    use crate::scenario;

    #[test]
    fn settings_are_read_and_faults_say_what_to_write() {
        let mut config = Config::default();
        for text in ["max_slew=0.02", "client_frame=16.7ms", "target_bound=1s", "local_gap=500000us"] {
            change(&mut config, text).unwrap();
        }
        let frame = Span::from_micros(16_700);
        assert_eq!((config.max_slew, config.client_frame), (0.02, frame));
        assert_eq!((config.target_bound, config.local_gap), (Span::from_secs(1), Span::from_millis(500)));
        for wrong in
            ["max_slew", "max_slew=fast", "client_frame=16", "client_frame=NaNms", "burst_count=3", "=1"]
        {
            assert!(knob(wrong).is_err(), "{wrong}");
        }
        assert!(format!("{:#}", knob("x=1").unwrap_err()).contains("max_slew"));
        assert!(format!("{:#}", "x".parse::<Rival>().unwrap_err()).contains("ntp_min8"));
    }

    #[test]
    fn clocks_are_compared_on_the_same_exchanges() {
        let case = scenario::find("route_forward").unwrap();
        let session = simulate(&case, &Config::default(), 600.0, 1, &[]).unwrap();
        let truth = Some((session.truth, session.ended));
        let session = Evaluation::new("test".into(), &Config::default(), session.recording, truth).unwrap();
        let options = Options {
            set: vec!["client_frame=30ms".to_owned()],
            against: vec!["ntp_min8".parse().unwrap(), "one_shot".parse().unwrap()],
        };
        let clocks = options.clocks(&session).unwrap();
        let names: Vec<&str> = clocks.iter().map(|clock| clock.name.as_str()).collect();
        assert_eq!(names, ["netclock", "client_frame=30ms", "ntp_min8", "one_shot"]);
        let p95 = |at: usize| clocks[at].sizes_ms[1].unwrap();
        assert!(p95(1) > 2.0 * p95(0), "a wrong setting makes it worse: {clocks:?}");
        assert!(p95(2) > 15.0, "half of a change of the route is error for it: {}", p95(2));
        assert!(p95(3) > 5.0, "20 ppm are 12 ms in ten minutes: {}", p95(3));
        let same: Vec<f64> = session.reads.iter().filter_map(|shown| shown.error).collect();
        assert!(clocks[0].errors.iter().map(|error| error.1).eq(same));
        assert!(Options::default().clocks(&session).unwrap().is_empty());
        let said = |clocks: &[Clock]| conclusion(clocks).unwrap_or_default();
        assert!(said(&clocks).starts_with("netclock was better than "), "{}", said(&clocks));
        assert!(said(&clocks).contains(", the next best: "), "{}", said(&clocks));
        assert_eq!(conclusion(&clocks[..1]), None);
    }

    #[test]
    fn the_conclusion_says_which_and_by_how_much() {
        let clock = |name: &str, p99, backwards| Clock {
            name: name.to_owned(),
            errors: Vec::new(),
            sizes_ms: [None, None, p99, None],
            backwards,
        };
        let said = |clocks: &[Clock]| conclusion(clocks).unwrap_or_default();
        let (one, other, mute) =
            (clock("a", Some(0.5), 0), clock("b", Some(20.0), 0), clock("mute", None, 0));
        let better =
            "a was better than b: 99 % of its errors are within 0.500 ms, against 20.0 ms (40.0 times";
        assert!(said(&[other.clone(), mute.clone(), one.clone()]).starts_with(better));
        let back = said(&[other.clone(), clock("c", Some(10.0), 1)]);
        assert!(back.contains("c was better"), "{back}");
        assert!(back.ends_with("(2.00 times as much), and c went back 1 time."), "{back}");
        let both = said(&[one.clone(), clock("d", Some(0.5), 0), other.clone()]);
        assert!(both.starts_with("a and d were better than b: 99 % of their errors are"), "{both}");
        let equal = said(&[one.clone(), clock("d", Some(0.5), 0)]);
        assert_eq!(equal, "a and d were equally good: 99 % of their errors are within 0.500 ms.");
        assert_eq!(conclusion(&[one, mute]), None);
    }
}
