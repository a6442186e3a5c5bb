//! Compares NetClock with published clocks that receive the same exchanges of a session.

use std::str::FromStr;

use anyhow::{Result, bail};
use netclock::State;
use serde::Serialize;

use super::evaluation::Evaluation;
use super::rerun::Moment;
use crate::baseline::{self, BEST_RIVAL, ENGINE, Maker, PUBLISHED};
use crate::report::{amount, counted, ms};
use netclock_sim::{Account, TICKS_PER_MS, nearest_rank, sorted};

#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Also pass the exchanges to this published clock: engine, best, or a name from `lab study bench`;
    /// repeat for several
    #[arg(long, value_name = "CLOCK")]
    against: Vec<Rival>,
}

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
        let found = PUBLISHED.iter().find(|it| it.0 == known.map_or(text, |(_, name)| name));
        let Some(&(name, make)) = found else {
            let names: Vec<&str> = PUBLISHED.iter().map(|known| known.0).collect();
            bail!("unknown clock {text}; the clocks are engine, best, {}", names.join(", "))
        };
        Ok(Rival { name: known.map_or(name, |(name, _)| name), make })
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Clock {
    pub(crate) name: String,
    /// The time since the start (s), and the displayed time minus the reference (ms).
    #[serde(skip)]
    pub(crate) errors: Vec<(f64, f64)>,
    /// Median, 95th percentile, 99th percentile and maximum.
    pub(crate) sizes_ms: [Option<f64>; 4],
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

pub(crate) fn conclusion(clocks: &[Clock]) -> Option<String> {
    let known = clocks.iter().filter_map(|clock| clock.sizes_ms[2].map(|p99| (clock, p99)));
    let mut order: Vec<(&Clock, f64)> = known.collect();
    if order.len() < 2 {
        return None;
    }
    order.sort_by(|one, other| one.1.total_cmp(&other.1));
    let least = order[0].1;
    let (best, rest) = order.split_at(order.partition_point(|it| ms(it.1) == ms(least)));
    let names = best.iter().map(|it| it.0.name.as_str()).collect::<Vec<_>>().join(" and ");
    let (was, whose) = if best.len() == 1 { ("was", "its") } else { ("were", "their") };
    let within = format!("99 % of {whose} errors are within {}", amount(least));
    let mut words = match rest {
        [] => format!("{names} {was} equally accurate: {within}"),
        [next, others @ ..] => {
            let of = if others.is_empty() { "" } else { ", the next best" };
            let times =
                if least > 0.0 { format!(" ({} times as much)", ms(next.1 / least)) } else { String::new() };
            format!(
                "{names} {was} more accurate than {}{of}: {within}, compared with {}{times}",
                next.0.name,
                amount(next.1)
            )
        }
    };
    for (clock, _) in best.iter().filter(|it| it.0.backwards > 0) {
        words +=
            &format!(", and {} went backwards {}", clock.name, counted(clock.backwards as usize, "time"));
    }
    Some(words + ".")
}

struct ClockRead<'a> {
    moment: &'a Moment,
    epoch: u32,
    server: i64,
}

impl Options {
    pub(crate) fn clocks(&self, session: &Evaluation) -> Vec<Clock> {
        if self.against.is_empty() {
            return Vec::new();
        }
        let moments = session.rerun.moments.iter();
        let synced = moments.filter(|moment| moment.reading.state != State::Unsynced);
        let shown = synced.map(|moment| ClockRead {
            moment,
            epoch: moment.reading.epoch,
            server: moment.reading.server_time.ticks(),
        });
        let mut clocks = vec![Clock::new("netclock".to_owned(), shown, session)];
        clocks.extend(self.against.iter().map(|rival| rival_clock(rival, session)));
        clocks
    }
}

/// Replays the session to a published clock, which does not distinguish epochs.
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
    use netclock::Config;

    use super::super::simulate::simulate;
    use super::*;
    use crate::scenario;

    #[test]
    fn clocks_are_compared_on_the_same_exchanges() {
        let case = scenario::find("route_forward").unwrap();
        let session = simulate(&case, &Config::default(), 600.0, 1, &[]).unwrap();
        let session = Evaluation::of_simulated("test", session).unwrap();
        let options = Options { against: vec!["ntp_min8".parse().unwrap(), "one_shot".parse().unwrap()] };
        let clocks = options.clocks(&session);
        let names: Vec<&str> = clocks.iter().map(|clock| clock.name.as_str()).collect();
        assert_eq!(names, ["netclock", "ntp_min8", "one_shot"]);
        let p95 = |at: usize| clocks[at].sizes_ms[1].unwrap();
        assert!(p95(1) > 15.0, "half of the route change is an error: {}", p95(1));
        assert!(p95(2) > 5.0, "20 ppm is 12 ms in ten minutes: {}", p95(2));
        let same: Vec<f64> = session.reads.iter().filter_map(|shown| shown.error).collect();
        assert!(clocks[0].errors.iter().map(|error| error.1).eq(same));
        assert!(Options::default().clocks(&session).is_empty());
        let words = |clocks: &[Clock]| conclusion(clocks).unwrap_or_default();
        assert!(words(&clocks).starts_with("netclock was more accurate than "), "{}", words(&clocks));
        assert!(words(&clocks).contains(", the next best: "), "{}", words(&clocks));
        assert!(format!("{:#}", "x".parse::<Rival>().unwrap_err()).contains("ntp_min8"));
        assert_eq!(conclusion(&clocks[..1]), None);
    }

    #[test]
    fn the_conclusion_names_the_best_clock_and_its_margin() {
        let clock = |name: &str, p99, backwards| Clock {
            name: name.to_owned(),
            errors: Vec::new(),
            sizes_ms: [None, None, p99, None],
            backwards,
        };
        let words = |clocks: &[Clock]| conclusion(clocks).unwrap_or_default();
        let (one, other, unknown) =
            (clock("a", Some(0.5), 0), clock("b", Some(20.0), 0), clock("unknown", None, 0));
        let better =
            "a was more accurate than b: 99 % of its errors are within 0.500 ms, compared with 20.0 ms (40.0";
        assert!(words(&[other.clone(), unknown.clone(), one.clone()]).starts_with(better));
        let back = words(&[other.clone(), clock("c", Some(10.0), 1)]);
        assert!(back.contains("c was more accurate"), "{back}");
        assert!(back.ends_with("(2.00 times as much), and c went backwards 1 time."), "{back}");
        let both = words(&[one.clone(), clock("d", Some(0.5), 0), other.clone()]);
        assert!(both.starts_with("a and d were more accurate than b: 99 % of their errors"), "{both}");
        let equal = words(&[one.clone(), clock("d", Some(0.5), 0)]);
        assert_eq!(equal, "a and d were equally accurate: 99 % of their errors are within 0.500 ms.");
        assert_eq!(conclusion(&[one, unknown]), None);
    }
}
