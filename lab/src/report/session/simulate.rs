use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use netclock::{Client, Config, LocalTime, Reply, ServerTime};

use super::reference::{Line, Reference};
use crate::recording::{Recorded, Recording};
use netclock_sim::{Agenda, Case, Exchange, Network, TICKS_PER_MS, TICKS_PER_S, known_waits};

const FRAMES_PER_S: f64 = 60.0;
const TRUTH_STEP_S: f64 = 1.0;
/// The difference between the clocks of two servers, or between a server's clocks before and after a restart.
const APART_S: f64 = 3_600.0;
pub(crate) const EPOCHS: [u64; 2] = [1, 2];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Incident {
    pub(crate) at_s: f64,
    pub(crate) what: What,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum What {
    Restart,
    Step(f64),
    /// The client's program is suspended for this long (s) while its clock keeps running.
    Pause(f64),
    /// A second server starts to answer every other request, as behind a load balancer.
    Several,
}

impl FromStr for Incident {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let number = |text: &str| {
            let number: f64 = text.parse().with_context(|| format!("\"{text}\" is not a number"))?;
            ensure!(number.is_finite(), "\"{text}\" is not a finite number");
            Ok(number)
        };
        let (name, rest) = text.split_once('@').unwrap_or((text, ""));
        let (at, size) = rest.split_once(':').map_or((rest, None), |(at, size)| (at, Some(size)));
        let what = match (name, size) {
            ("restart", None) => What::Restart,
            ("several", None) => What::Several,
            ("step", Some(ms)) => What::Step(number(ms)?),
            ("pause", Some(seconds)) => What::Pause(number(seconds)?.max(0.0)),
            _ => bail!(
                "\"{text}\" is not an incident; use restart@S, step@S:MS, pause@S:SECONDS or several@S, with \
                 S in seconds"
            ),
        };
        let at_s = number(at).with_context(|| format!("the time of {text}"))?;
        ensure!(at_s >= 0.0, "{text} is before the start");
        Ok(Incident { at_s, what })
    }
}

pub(crate) struct Simulated {
    pub(crate) recording: Recording,
    pub(crate) truth: Reference,
    pub(crate) ended: LocalTime,
}

pub(crate) fn simulate(
    case: &Case,
    config: &Config,
    seconds: f64,
    seed: u64,
    incidents: &[Incident],
) -> Result<Simulated> {
    let mut network = case.network(seconds, seed);
    let course = Course { incidents };
    let mut client = Client::new(*config, u128::from(seed).max(1))?;
    let mut recorded: Vec<Recorded> = Vec::new();
    let mut under_way: Agenda<(Exchange, Reply)> = Agenda::default();
    let mut turn = network.client_turn(0.0);
    let mut number = 0;
    while turn < seconds {
        for (_, (exchange, reply)) in under_way.until(turn) {
            if course.is_paused(exchange.arrived_s) {
                continue;
            }
            let arrived = LocalTime::from_ticks(exchange.t3);
            if let [_, Some(wait)] = known_waits(&exchange, network.loops) {
                client.polled(arrived - wait)?;
            }
            let _ = client.handle_reply(&reply, arrived);
            if let Some(&sample) = client.last_sample() {
                recorded.push(Recorded { line: recorded.len() + 3, sample, has_status: true });
            }
        }
        let local = LocalTime::from_ticks(network.clocks.client(turn));
        let due = if course.is_paused(turn) { None } else { client.tick(local).ok().flatten() };
        if let Some(request) = due {
            for exchange in network.send(number, turn).answers {
                let reply = course.reply(&network, &exchange, request.id);
                under_way.add(exchange.arrived_s, (exchange, reply));
            }
            number += 1;
        }
        while client.next_event().is_some() {}
        let frame_s = if network.has_frames() { 1e-9 } else { 1.0 / FRAMES_PER_S };
        turn = network.client_turn(turn + frame_s);
    }
    ensure!(!recorded.is_empty(), "{}: no request was answered", case.name);
    let ended = LocalTime::from_ticks(network.clocks.client(seconds));
    let recording = Recording { exchanges: recorded, ..Recording::default() };
    Ok(Simulated { recording, truth: course.truth(&network, seconds), ended })
}

struct Course<'a> {
    incidents: &'a [Incident],
}

impl Course<'_> {
    fn is_paused(&self, t: f64) -> bool {
        self.incidents.iter().any(|incident| match incident.what {
            What::Pause(length) => (incident.at_s..incident.at_s + length).contains(&t),
            _ => false,
        })
    }

    /// Returns the epoch of the server that answers request `id`, and how far its clock is ahead of an
    /// undisturbed clock (ticks).
    fn server(&self, id: u64, t: f64) -> (u64, i64) {
        let (mut epoch, mut ahead) = (EPOCHS[0], 0.0);
        for incident in self.incidents.iter().filter(|incident| incident.at_s <= t) {
            match incident.what {
                What::Restart => (epoch, ahead) = (EPOCHS[1], -APART_S * TICKS_PER_S),
                What::Several if id % 2 == 1 => (epoch, ahead) = (EPOCHS[1], -APART_S * TICKS_PER_S),
                What::Step(ms) => ahead += ms * TICKS_PER_MS,
                What::Several | What::Pause(_) => {}
            }
        }
        (epoch, ahead.round() as i64)
    }

    fn reply(&self, network: &Network, exchange: &Exchange, id: netclock::RequestId) -> Reply {
        let handled_s = network.clocks.since_start(exchange.t1) / TICKS_PER_S;
        let (epoch, ahead) = self.server(exchange.id, handled_s);
        let stamp = |ticks: i64| ServerTime::from_ticks(ticks + ahead);
        let [wait, _] = known_waits(exchange, network.loops);
        Reply { id, epoch, received: stamp(exchange.t1), sent: stamp(exchange.t2), wait }
    }

    fn truth(&self, network: &Network, seconds: f64) -> Reference {
        let mut times: Vec<f64> =
            (0..=(seconds / TRUTH_STEP_S) as u64 + 10).map(|n| n as f64 * TRUTH_STEP_S).collect();
        for incident in self.incidents {
            // Without a knot just before the step, the step would become a slope.
            times.extend([incident.at_s - 1e-6, incident.at_s]);
        }
        times.sort_by(f64::total_cmp);
        let line = |epoch: u64| {
            let knot = |&t: &f64| {
                // The second server answers requests with odd ids.
                let (_, ahead) = [0, 1].map(|id| self.server(id, t)).into_iter().find(|it| it.0 == epoch)?;
                let local = network.clocks.client(t);
                Some((local, network.clocks.stamp(network.clocks.server_when_client(local)) + ahead - local))
            };
            (epoch, Line::new(times.iter().filter_map(knot).collect()))
        };
        Reference::Truth(EPOCHS.map(line).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incidents_are_parsed_and_errors_show_the_syntax() {
        let read = |text: &str| text.parse::<Incident>();
        assert_eq!(read("step@10:-250").unwrap(), Incident { at_s: 10.0, what: What::Step(-250.0) });
        assert_eq!(read("pause@5.5:60").unwrap(), Incident { at_s: 5.5, what: What::Pause(60.0) });
        assert_eq!(read("restart@0").unwrap(), Incident { at_s: 0.0, what: What::Restart });
        for wrong in
            ["", "restart", "restart@x", "restart@NaN", "step@1", "pause@-1:5", "reboot@5", "step@1:inf"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(format!("{:#}", read("reboot@5").unwrap_err()).contains("restart@S"));
    }
}
