//! Explores small sessions with the real client. All sessions of up to four exchanges on a coarse grid are
//! numbered, and sessions of four to six exchanges are drawn at random.
//!
//! The grid omits schedules that a client cannot distinguish from others. Losing the last request is the same
//! as not sending it, and reordering the last reply is the same as delaying it. Unless a slew is fast, a
//! server that gains time looks like a client that loses time.

pub mod session;

use crate::Random;

const NUMBERED: usize = 4;

/// The enumerated schedules combine these intervals between requests (s). The first two intervals place two
/// requests near the end of a 2 s slew. The last interval is longer than most suspicions.
const GAPS_S: [f64; 3] = [1.95, 0.35, 22.3];

/// Minimum delays of a LAN and of a path to another continent (s).
const PATHS_S: [f64; 2] = [0.1e-3, 20e-3];

const STEP_S: f64 = 0.05;

/// Slew rates of ntpd, chrony and BSD's `adjtime`, and two rates near the client's assumed limits (ppm).
const SLEWS_PPM: [f64; 5] = [200.0, 500.0, 5_000.0, 83_333.0, 99_000.0];

/// Above this rate, a slewed client is distinguishable from a slewed server (ppm).
const ALIKE_PPM: f64 = 1_000.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Fast,
    SlowUp,
    SlowDown,
    Twice,
    Lost,
    Overtaken,
}

const FATES: [Fate; 6] = [Fate::Fast, Fate::SlowUp, Fate::SlowDown, Fate::Twice, Fate::Lost, Fate::Overtaken];
/// Only this many fates make a difference for the last exchange.
const LAST_FATES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Client,
    Server,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    None,
    Step(Side, f64),
    /// A time service slews the clock at this rate (ppm) for this long (s).
    Slew(Side, f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    None,
    Restart,
    Hang,
}

const INCIDENTS: [Incident; 3] = [Incident::None, Incident::Restart, Incident::Hang];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    pub gap_s: f64,
    pub fate: Fate,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    pub path_s: f64,
    /// Rate errors of the client's and the server's clock (ppm).
    pub drift_ppm: [f64; 2],
    pub asks: Vec<Ask>,
    pub change: (Change, usize),
    pub incident: (Incident, usize),
}

struct Digits(u64);

impl Digits {
    fn below(&mut self, base: usize) -> usize {
        let digit = self.0 % base as u64;
        self.0 /= base as u64;
        digit as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

fn changes() -> Vec<Change> {
    let mut all = vec![Change::None];
    for side in [Side::Server, Side::Client] {
        all.extend([Change::Step(side, STEP_S), Change::Step(side, -STEP_S)]);
    }
    for ppm in SLEWS_PPM {
        for (side, ppm) in
            [(Side::Server, ppm), (Side::Server, -ppm), (Side::Client, ppm), (Side::Client, -ppm)]
        {
            if side == Side::Server || ppm.abs() > ALIKE_PPM {
                all.extend([2.0, f64::INFINITY].map(|hold_s| Change::Slew(side, ppm, hold_s)));
            }
        }
    }
    all
}

pub struct Explorer {
    changes: Vec<Change>,
}

impl Default for Explorer {
    fn default() -> Self {
        Explorer { changes: changes() }
    }
}

impl Explorer {
    fn count_of(&self, exchanges: usize) -> u64 {
        let (gaps, fates) = (GAPS_S.len().pow(exchanges as u32 - 1), FATES.len().pow(exchanges as u32 - 1));
        let world = self.changes.len() * exchanges * INCIDENTS.len() * PATHS_S.len() * 2;
        (gaps * fates * LAST_FATES * world) as u64
    }

    /// Returns schedule `at` of `count`. Half of the schedules are random. The other half covers all numbered
    /// schedules, or evenly spaced ones if there are too many.
    pub fn schedule(&self, at: u64, count: u64, seed: u64) -> Schedule {
        let mut random = Random::new(seed.wrapping_add(at), "explore");
        let numbered = (count / 2).min(self.count());
        if at >= numbered {
            return self.drawn(&mut random);
        }
        let begin = |part: u64| (u128::from(self.count()) * u128::from(part) / u128::from(numbered)) as u64;
        let (first, end) = (begin(at), begin(at + 1));
        self.numbered(first + random.word() % (end - first))
    }

    pub fn count(&self) -> u64 {
        (1..=NUMBERED).map(|exchanges| self.count_of(exchanges)).sum()
    }

    fn numbered(&self, mut number: u64) -> Schedule {
        let mut exchanges = 1;
        while number >= self.count_of(exchanges) {
            number -= self.count_of(exchanges);
            exchanges += 1;
        }
        let mut digits = Digits(number);
        let (path_s, drift) = (digits.of(&PATHS_S), digits.of(&[50.0, -50.0]));
        let change = (digits.of(&self.changes), digits.below(exchanges));
        let incident = (digits.of(&INCIDENTS), exchanges / 2);
        let asks = (0..exchanges).map(|at| Ask {
            gap_s: if at == 0 { 0.0 } else { digits.of(&GAPS_S) },
            fate: digits.of(&FATES[..if at + 1 == exchanges { LAST_FATES } else { FATES.len() }]),
        });
        Schedule { path_s, asks: asks.collect(), drift_ppm: [drift, -drift], change, incident }
    }

    fn drawn(&self, random: &mut Random) -> Schedule {
        let mut digits = Digits(random.word());
        let exchanges = 4 + digits.below(3);
        let asks = (0..exchanges).map(|at| Ask {
            gap_s: if at == 0 { 0.0 } else { random.between(0.05_f64.ln(), 30_f64.ln()).exp() },
            fate: digits.of(&FATES),
        });
        let asks = asks.collect();
        let drift_ppm = [digits.of(&[50.0, 0.0, -50.0]), digits.of(&[50.0, 0.0, -50.0])];
        let mut change = digits.of(&self.changes);
        match &mut change {
            Change::None => {}
            // Some steps are smaller than the shortest round trip, and some are so large that they count as a
            // jump.
            Change::Step(_, by_s) => *by_s *= digits.of(&[0.04, 1.0, 8.0]),
            // Rates change only at whole seconds.
            Change::Slew(_, _, hold_s) => *hold_s += digits.of(&[-1.0, 0.0, 1.0]),
        }
        let (at, incident) = (digits.below(exchanges), (digits.of(&INCIDENTS), digits.below(exchanges)));
        let path_s = random.between(0.05e-3_f64.ln(), 0.1_f64.ln()).exp();
        Schedule { path_s, drift_ppm, asks, change: (change, at), incident }
    }
}
