use allocation_counter::measure;
use netclock::{Span, State};
use netclock_sim::pair::{Link, Pair};

#[test]
fn nothing_is_allocated_after_creation() {
    let rough = Link { jitter: 10.0, loss: 0.05, duplicates: 0.05, ..Link::default() };
    let mut pair = Pair::new(rough);
    // These chapters cover the first sync, a restart, a lie, silence, the end of the silence, and a pause.
    for chapter in 0..6 {
        match chapter {
            1 => pair.server.run.epoch = 2,
            2 => pair.set_server_ahead(Span::from_secs(-50)),
            3 => pair.link.loss = 1.0,
            4 => pair.link.loss = 0.0,
            5 => pair.now += Span::from_secs(100),
            _ => {}
        }
        for round in 0..2_000 {
            let (now, truth) = (pair.now, pair.truth(pair.now));
            let made = measure(|| {
                let _ = pair.client.reader().read(now);
                let _ = pair.client.local_time_at(truth);
                let _ = pair.client.tick(now);
                if let Ok(request) = pair.client.make_request(now) {
                    let _ = netclock::wire::encode_request(&request);
                }
                let _ = pair.client.update_server_time(truth, now, Span::from_millis(50));
                while pair.client.next_event().is_some() {}
            });
            assert_eq!(made.count_total, 0, "chapter {chapter}, round {round}");
            // The simulation itself allocates, so we prepare the next events outside the measurement.
            pair.run(0.016);
        }
        assert_ne!(pair.client.read(pair.now).state, State::Unsynced, "chapter {chapter}");
    }
}
