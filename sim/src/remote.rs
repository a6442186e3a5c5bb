//! Simulates a server and the path to it, including replies in flight.

use netclock::{LocalTime, Reply, Request, Responder, ServerTime, Span};

use crate::{Leg, LegConfig, Queue, Random, TICKS_PER_S};

const HOLD: Span = Span::from_millis(2);

/// The clock of one server process, as a linear function of the client's clock.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub epoch: u64,
    /// Server time when the client's clock is at zero.
    pub offset: Span,
    /// Rate error in parts per billion, positive if the server's clock runs faster than the client's.
    pub rate_ppb: i64,
    /// Resolution of the server's clock (ticks, at least 1).
    pub step: i64,
}

impl Default for Run {
    fn default() -> Self {
        Run { epoch: 1, offset: Span::from_secs(10_000), rate_ppb: 0, step: 1 }
    }
}

impl Run {
    pub fn truth(&self, local: LocalTime) -> ServerTime {
        let drift = (i128::from(local.ticks()) * i128::from(self.rate_ppb)).div_euclid(1_000_000_000);
        ServerTime::from_ticks(local.ticks() + self.offset.ticks() + drift as i64)
    }

    pub fn stamp(&self, local: LocalTime) -> ServerTime {
        ServerTime::from_ticks(self.truth(local).ticks().div_euclid(self.step) * self.step)
    }
}

/// All times are on the client's clock.
pub struct Remote {
    pub run: Run,
    /// A second server at the same address, which answers about half of the requests.
    pub rival: Option<Run>,
    pub up: Leg,
    pub down: Leg,
    choices: Random,
    replies: Queue<LocalTime, (LocalTime, Reply)>,
}

impl Remote {
    pub fn new([up, down]: &[LegConfig; 2], run: Run, seed: u64) -> Self {
        Remote {
            run,
            rival: None,
            up: Leg::new(up, seed, "forward"),
            down: Leg::new(down, seed, "reverse"),
            choices: Random::new(seed, "server"),
            replies: Queue::default(),
        }
    }

    pub fn ask(&mut self, request: &Request, now: LocalTime) {
        self.ask_held(request, now, [Span::ZERO; 2]);
    }

    /// Like [`ask`](Self::ask), but an on-path attacker holds the request and the reply for these times.
    pub fn ask_held(&mut self, request: &Request, now: LocalTime, [up, down]: [Span; 2]) {
        for received in cross(&mut self.up, now + up) {
            let run = self.rival.filter(|_| self.choices.chance(0.5)).unwrap_or(self.run);
            let sent = received + HOLD;
            let reply = Responder::new(run.epoch)
                .respond(request, run.stamp(received), run.stamp(sent))
                .expect("timestamps are in order");
            for arrives in cross(&mut self.down, sent + down) {
                self.replies.add(arrives, (arrives, reply));
            }
        }
    }

    pub fn next_reply(&mut self, now: LocalTime) -> Option<(LocalTime, Reply)> {
        self.replies.next_until(now)
    }
}

fn cross(leg: &mut Leg, sent: LocalTime) -> impl Iterator<Item = LocalTime> + use<> {
    let arrivals = leg.arrivals(sent.ticks() as f64 / TICKS_PER_S);
    arrivals.into_iter().map(|at_s| LocalTime::from_ticks((at_s * TICKS_PER_S).round() as i64))
}
