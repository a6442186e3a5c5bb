//! A client takes memory once, at creation, and never again.

use allocation_counter::measure;
use netclock::State;
use netclock_sim::pair::{Link, Pair};

#[test]
fn nothing_is_allocated_after_creation() {
    let rough = Link { jitter: 10.0, loss: 0.05, duplicates: 0.05, ..Link::default() };
    let mut pair = Pair::new(rough);
    let mut counted = 0;
    let mut total = 0;
    // A stretch of everything: sync, settled hours, restart, lie, silence, pause.
    for chapter in 0..6 {
        match chapter {
            1 => pair.server.run.epoch = 2,
            2 => pair.set_server_ahead(netclock::Span::from_secs(-50)),
            3 => pair.link.loss = 1.0,
            4 => pair.link.loss = 0.0,
            5 => pair.now += netclock::Span::from_secs(100),
            _ => {}
        }
        for _ in 0..2_000 {
            let (now, truth) = (pair.now, pair.truth(pair.now));
            let made = measure(|| {
                let reader = pair.client.reader();
                let _ = reader.read(now);
                let _ = pair.client.local_time_at(truth);
                let _ = pair.client.tick(now);
                if let Ok(request) = pair.client.make_request(now) {
                    let _ = netclock::wire::encode_request(&request);
                }
                let _ = pair.client.update_server_time(truth, now, netclock::Span::from_millis(50));
                while pair.client.next_event().is_some() {}
            });
            counted += 1;
            total += made.count_total;
            // The pair itself allocates, and delivers what `run` of the product needs between measurements.
            pair.run(0.016);
        }
    }
    println!("{counted} rounds, {total} allocations");
    assert_eq!(total, 0);
    assert_ne!(pair.client.read(pair.now).state, State::Unsynced);
}
