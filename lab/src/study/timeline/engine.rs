//! World time as an engine shows it without NetClock.

use anyhow::{Context, Result};

use super::run::{Course, Run, ShownTime, send};
use crate::baseline;
use netclock_sim::{Agenda, Estimator, Exchange, Frame, GameWorld, Leg, LegConfig, Network};

/// An engine's own clock. The server pushes its world's time, and the client shifts its world by an offset.
///
/// Pauses and slow motion reach the client after the link's delay but are never lost. On each new map, the
/// server's and the client's world restart from zero.
pub(super) struct ByEngine {
    make: baseline::Maker,
    estimator: Box<dyn Estimator>,
    /// A copy of the clock that is used only for its push schedule.
    schedule: Box<dyn Estimator>,
    network: Network,
    down: Leg,
    lossless: Leg,
    pushes: Agenda<Frame>,
    rates: Agenda<f64>,
    /// The client's current map, and the time (ticks) and rate of its world.
    instance: u32,
    local: f64,
    rate: f64,
    next_frame: usize,
}

impl ByEngine {
    pub(super) fn new(run: &Run<'_>, name: &str) -> Result<Self> {
        let make = baseline::maker(name).with_context(|| format!("there is no clock {name}"))?;
        let lossless = LegConfig { loss: 0.0, duplicate: 0.0, reorder: 0.0, ..run.link.reverse.clone() };
        Ok(ByEngine {
            make,
            estimator: make(),
            schedule: make(),
            network: run.network(),
            down: Leg::new(&run.link.reverse, run.seed, "pushes"),
            lossless: Leg::new(&lossless, run.seed, "rates"),
            pushes: Agenda::default(),
            rates: Agenda::default(),
            instance: 1,
            local: 0.0,
            rate: 1.0,
            next_frame: 0,
        })
    }

    pub(super) fn run(mut self, run: &Run<'_>) -> Result<Course> {
        let mut course = Course::default();
        let mut last_s = 0.0;
        for at_s in run.turns() {
            self.server_frames(run.game, at_s, &mut course);
            for (_, rate) in self.rates.until(at_s) {
                self.rate = rate;
            }
            let passed = self.network.clocks.client(at_s) - self.network.clocks.client(last_s);
            self.local += passed as f64 * self.rate;
            last_s = at_s;
            for (_, frame) in self.pushes.until(at_s) {
                self.take(&frame);
            }
            let shown = self.estimator.shown(self.local as i64).map(|world| ShownTime {
                world,
                epoch: self.instance.into(),
                ..ShownTime::default()
            });
            course.reads.push((at_s, shown));
        }
        Ok(course)
    }

    fn take(&mut self, pushed: &Frame) {
        if pushed.instance < self.instance {
            return;
        }
        if pushed.instance > self.instance {
            (self.instance, self.local, self.estimator) = (pushed.instance, 0.0, (self.make)());
        }
        self.estimator.on_exchange(&push(pushed.world, self.local as i64));
    }

    /// The push schedule uses world time, so nothing is pushed during pauses.
    fn server_frames(&mut self, game: &GameWorld, until_s: f64, course: &mut Course) {
        while let Some(frame) = game.frames.get(self.next_frame).filter(|frame| frame.at_s <= until_s) {
            if self.next_frame > 0 && game.frames[self.next_frame - 1].instance != frame.instance {
                self.schedule = (self.make)();
            }
            self.next_frame += 1;
            send(&mut self.rates, &mut self.lossless, frame.at_s, &frame.rate);
            if frame.rate > 0.0 && self.schedule.wants_probe(frame.world) {
                self.schedule.on_exchange(&push(frame.world, frame.world));
                course.bytes += self.schedule.wire().reply;
                send(&mut self.pushes, &mut self.down, frame.at_s, frame);
            }
        }
    }
}

/// Represents a push as an exchange, although the client sent no request.
fn push(world: i64, local: i64) -> Exchange {
    Exchange { id: 0, t0: local, t1: world, t2: world, t3: local, arrived_s: 0.0, copy: false, waits: (0, 0) }
}
