//! Readers on other threads see whole snapshots and a clock that does not go backwards, whatever the writer
//! does.
#![expect(clippy::disallowed_methods, reason = "concurrency is what is tested here")]

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;

use netclock::{LocalTime, State};
use netclock_sim::pair::{Link, Pair};

#[test]
fn readers_see_a_monotone_clock_inside_its_bound() {
    let mut pair = Pair::new(Link { jitter: 10.0, loss: 0.05, ..Link::default() });
    let now = AtomicI64::new(pair.now.ticks());
    let done = AtomicBool::new(false);
    let reader = pair.client.reader();
    let run = pair.server.run;

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
                        let error = reading.server_time - run.truth(local);
                        assert!(error.abs() <= reading.error_bound, "{reading:?}");
                        assert_eq!((reading.epoch, reading.server_epoch), (1, 1));
                    }
                    reads
                })
            })
            .collect();
        for _ in 0..20_000 {
            pair.run(0.001);
            now.store(pair.now.ticks(), Ordering::Release);
        }
        done.store(true, Ordering::Release);
        for reader in readers {
            assert!(reader.join().is_ok_and(|reads| reads > 0));
        }
    });
}
