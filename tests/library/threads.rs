//! Readers on other threads see whole snapshots and a clock that does not go backwards, whatever the writer does.
#![expect(clippy::disallowed_methods, reason = "concurrency is what is tested here")]

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;

use crate::world::{Link, World};
use netclock::{LocalTime, Span, State};

#[test]
fn readers_see_a_monotone_clock_inside_its_bound() {
    let mut world = World::new(Link { jitter: 10.0, loss: 0.05, ..Link::default() });
    let now = AtomicI64::new(world.now.ticks());
    let done = AtomicBool::new(false);
    let reader = world.client.reader();
    let (offset, ppm) = (world.offset, world.link.ppm);

    thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let (reader, now, done) = (reader.clone(), &now, &done);
                scope.spawn(move || {
                    let mut last = (LocalTime::from_ticks(i64::MIN), None);
                    let mut reads = 0_u64;
                    while !done.load(Ordering::Acquire) || reads == 0 {
                        let local = LocalTime::from_ticks(now.load(Ordering::Acquire));
                        let reading = reader.read(local);
                        if reading.state == State::Unsynced {
                            continue;
                        }
                        reads += 1;
                        if local >= last.0 {
                            assert!(last.1.is_none_or(|shown| reading.server_time >= shown));
                            last = (local, Some(reading.server_time));
                        }
                        let drift = Span::from_ticks((local.ticks() as f64 * ppm * 1e-6).round() as i64);
                        let error = reading.server_time.ticks() - (local + offset + drift).ticks();
                        assert!(error.abs() <= reading.error_bound.ticks(), "{reading:?}");
                        assert_eq!((reading.epoch, reading.server_epoch), (1, 1));
                    }
                    reads
                })
            })
            .collect();
        for _ in 0..20_000 {
            world.run(0.001);
            now.store(world.now.ticks(), Ordering::Release);
        }
        done.store(true, Ordering::Release);
        for reader in readers {
            assert!(reader.join().is_ok_and(|reads| reads > 0));
        }
    });
}
