//! Compares NetClock with published clocks that receive the same exchanges of a session.

use std::str::FromStr;

use anyhow::{Result, bail};
use netclock::State;
use serde::Serialize;

use super::evaluation::Evaluation;
use super::rerun::Moment;
use crate::baseline::{self, BEST_RIVAL, ENGINE, Maker, PUBLISHED};
use crate::report::{amount, counted};
use netclock_sim::{Account, TICKS_PER_MS, nearest_rank, sorted};

#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Also pass the exchanges to this published clock: engine, best, or a name from `lab study bench`;
    /// repeat for several
    #[arg(long, value_name = "CLOCK")]
    against: Vec<Rival>,
}

/// A name and a clock.
#[derive(Clone, Debug)]
struct Rival(&'static str, Maker);

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
        Ok(Rival(known.map_or(name, |(name, _)| name), make))
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
        for (moment, epoch, server) in shown {
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
    let known = clocks.iter().filter_map(|clock| Some((clock.sizes_ms[2]?, clock)));
    let mut order: Vec<(f64, &Clock)> = known.collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let each = order.iter().map(|(p99, Clock { name, backwards, .. })| {
        let back = counted(*backwards as usize, "backward step");
        let back = if *backwards > 0 { format!(" ({back})") } else { String::new() };
        format!("{} for {name}{back}", amount(*p99))
    });
    let words = each.collect::<Vec<_>>().join(", ");
    (order.len() > 1).then(|| format!("99 % of the errors are within {words}."))
}

/// What a clock shows at a moment: an epoch and a server time (ticks).
type ClockRead<'a> = (&'a Moment, u32, i64);

impl Options {
    pub(crate) fn clocks(&self, session: &Evaluation) -> Vec<Clock> {
        if self.against.is_empty() {
            return Vec::new();
        }
        let moments = session.rerun.moments.iter();
        let synced = moments.filter(|moment| moment.reading.state != State::Unsynced);
        let shown = synced.map(|moment| (moment, moment.reading.epoch, moment.reading.server_time.ticks()));
        let mut clocks = vec![Clock::new("netclock".to_owned(), shown, session)];
        clocks.extend(self.against.iter().map(|rival| rival_clock(rival, session)));
        clocks
    }
}

/// Replays the session to a published clock. Published clocks do not distinguish epochs.
fn rival_clock(rival: &Rival, session: &Evaluation) -> Clock {
    let mut estimator = (rival.1)();
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
        shown.extend(server.map(|server| (moment, 0, server)));
    }
    Clock::new(rival.0.to_owned(), shown.into_iter(), session)
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
        assert!(format!("{:#}", "x".parse::<Rival>().unwrap_err()).contains("ntp_min8"));
        assert_eq!(conclusion(&clocks[..1]), None);
    }

    #[test]
    fn the_conclusion_lists_the_best_clock_first() {
        let clock = |name: &str, p99, backwards| Clock {
            name: name.to_owned(),
            errors: Vec::new(),
            sizes_ms: [None, None, p99, None],
            backwards,
        };
        let (one, other) = (clock("a", Some(0.5), 0), clock("b", Some(20.0), 2));
        let unknown = clock("unknown", None, 0);
        let words = conclusion(&[other, unknown.clone(), one.clone()]);
        assert_eq!(
            words.as_deref(),
            Some("99 % of the errors are within 0.500 ms for a, 20.0 ms for b (2 backward steps).")
        );
        assert_eq!(conclusion(&[one, unknown]), None);
    }
}
