//! Situations whose cause is drawn by the seed and therefore known: what the doctor reports truly, falsely
//! and not at all.

use netclock::link::sockets::Stamps;
use netclock::{LocalTime, Span};
use netclock_sim::random::{Random, seed};

use super::path::Path;
use super::tests::{diagnosed, recording};
use crate::net::sync::client::Traffic;
use crate::recording::{Recorded, Recording};
use crate::report::page::Weight;

/// Situations of a run.
const SITUATIONS: u64 = 40;

/// What is wrong in a situation, and what the doctor has to report of it.
#[derive(Clone, Copy, Debug)]
enum Cause {
    Nothing,
    /// A message in one direction takes so much longer (ms), every so often (s).
    Spikes {
        up: bool,
        ms: i64,
        every_s: f64,
    },
    /// This share of the requests is lost by chance.
    Loss(f64),
    /// Marked requests are lost in the first two seconds.
    MarkDropped,
    /// So many requests a second are answered.
    Limit(u32),
    /// The server's clock is set at a time (s) by so much (ms).
    Step {
        at_s: f64,
        ms: i64,
    },
    /// The server's clock runs faster (ppm).
    Rate(f64),
    /// No reply from one time to another (s).
    Silence(f64, f64),
}

impl Cause {
    fn draw(random: &mut Random) -> Self {
        let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
        match random.below(8) {
            0 => Cause::Nothing,
            1 => Cause::Spikes {
                up: random.chance(0.5),
                ms: 30 + random.below(100),
                every_s: random.between(0.5, 2.5),
            },
            2 => Cause::Loss(random.between(0.12, 0.4)),
            3 => Cause::MarkDropped,
            4 => Cause::Limit(4 + random.below(9) as u32),
            5 => Cause::Step {
                at_s: random.between(2.0, 8.0),
                ms: (random.between(60.0, 100.0) * sign) as i64,
            },
            6 => Cause::Rate(random.between(300.0, 1_000.0) * sign),
            _ => {
                let from = random.between(1.0, 5.0);
                Cause::Silence(from, from + random.between(2.5, 4.0))
            }
        }
    }

    /// The findings of which at least one has to be there, and others that are true, too.
    fn findings(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Cause::Nothing => (&[], &[]),
            // What was sent after a late message overtakes it.
            Cause::Spikes { .. } => (&["spikes"], &["reordering"]),
            Cause::Loss(_) => (&["loss"], &[]),
            Cause::MarkDropped => (&["loss"], &[]),
            Cause::Limit(_) => (&["limit"], &["loss"]),
            Cause::Step { .. } => (&["server_clock"], &[]),
            Cause::Rate(_) => (&["rate"], &[]),
            Cause::Silence(..) => (&["silence"], &["loss"]),
        }
    }

    /// Changes the exchanges of a healthy path and the path's counters.
    fn happen(self, recording: &mut Recording, path: &mut Path, random: &mut Random) {
        let exchanges = &mut recording.exchanges;
        let start = exchanges[0].sample.client_received;
        let at = move |it: &Recorded| (it.sample.client_received - start).as_secs_f64();
        let mut spiked = -1.0;
        match self {
            Cause::Nothing => {}
            Cause::Spikes { up, ms, every_s } => {
                for it in &mut *exchanges {
                    let turn = (at(it) / every_s).floor();
                    if turn > spiked {
                        spiked = turn;
                        delay(it, Span::from_millis(ms), up);
                    }
                }
            }
            Cause::Loss(share) => exchanges.retain(|_| !random.chance(share)),
            Cause::MarkDropped => {
                path.is_mark_dropped = true;
                exchanges.retain(|it| at(it) > 2.0 || random.chance(0.5));
            }
            Cause::Limit(limit) => {
                let (mut second, mut passed) = (-1.0, 0);
                exchanges.retain(|it| {
                    passed = if at(it).floor() > second { 0 } else { passed };
                    second = at(it).floor();
                    passed += 1;
                    passed <= limit
                });
            }
            Cause::Step { at_s, ms } => {
                exchanges
                    .iter_mut()
                    .filter(|it| at(it) > at_s)
                    .for_each(|it| move_server(it, Span::from_millis(ms)));
            }
            Cause::Rate(ppm) => {
                exchanges.iter_mut().for_each(|it| move_server(it, Span::from_secs_f64(at(it) * ppm * 1e-6)));
            }
            Cause::Silence(from, to) => exchanges.retain(|it| !(from..to).contains(&at(it))),
        }
        exchanges.sort_by_key(|it| it.sample.client_received);
    }
}

fn move_server(it: &mut Recorded, by: Span) {
    it.sample.server_received += by;
    it.sample.server_sent += by;
}

fn delay(it: &mut Recorded, by: Span, up: bool) {
    if up {
        move_server(it, by);
    }
    it.sample.client_received += by;
}

/// Asserts nothing of single situations: the counts are what a support desk has to live with.
#[test]
fn what_is_reported_is_true_and_little_is_missed() {
    let first = seed(1);
    let (mut reported, mut false_ones, mut missed) = (0, Vec::new(), Vec::new());
    for seed in first..first + SITUATIONS {
        let mut random = Random::new(seed, "doctor");
        let cause = Cause::draw(&mut random);
        let base = if random.chance(0.5) { "lan" } else { "fibre" };
        let mut recording = recording(base, seed);
        let requests = recording.exchanges.len();
        let mut path = Path::default();
        cause.happen(&mut recording, &mut path, &mut random);
        let samples: Vec<_> = recording.exchanges.iter().map(|it| it.sample).collect();
        let (start, end) = (first_sent(&samples), samples[samples.len() - 1].client_received);
        let counted = Path::of(&Traffic::default(), requests as u64, &samples, start, end);
        let path = Path { is_mark_dropped: path.is_mark_dropped, stamps: Stamps::Kernel.words(), ..counted };
        let all = diagnosed(&path, recording);
        let found: Vec<&str> = all.iter().filter(|it| it.weight > Weight::Fine).map(|it| it.id).collect();
        let (wanted, also) = cause.findings();
        reported += found.len();
        println!("seed {seed}, {base}: {cause:?}: {found:?}");
        if !wanted.is_empty() && !wanted.iter().any(|it| found.contains(it)) {
            missed.push((seed, cause));
        }
        let is_true =
            |id: &&str| wanted.contains(id) || also.contains(id) || matches!(*id, "stamps" | "accuracy");
        false_ones.extend(found.iter().filter(|id| !is_true(id)).map(|id| (seed, cause, *id)));
    }
    println!("{reported} reported, false: {false_ones:?}, missed: {missed:?}");
    assert!(reported >= SITUATIONS as usize / 2, "{reported}");
    assert!(false_ones.len() * 100 <= reported, "{false_ones:?}");
    assert!(missed.len() * 10 <= SITUATIONS as usize, "{missed:?}");
}

fn first_sent(samples: &[netclock::Sample]) -> LocalTime {
    samples.iter().filter_map(|it| it.client_sent).min().expect("some were sent")
}
