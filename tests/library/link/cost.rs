use super::*;

/// The IPv4 and UDP headers of a datagram take 28 bytes.
fn on_the_wire(payload: usize) -> usize {
    payload / DATAGRAM * (DATAGRAM + 28)
}

#[test]
fn a_link_sends_12_kb_in_half_a_minute_and_40_bytes_per_second_at_rest() {
    for (seed, loss) in (1..=8).map(|seed| (seed, if seed % 2 == 0 { 0.05 } else { 0.0 })) {
        let mut world = LinkSimulation::seeded(Net { jitter: 6.0, loss, ..GOOD }, None, 40.0, seed);
        world.run(30.0);
        let first = on_the_wire(world.bytes);
        world.run(90.0);
        let before = on_the_wire(world.bytes);
        world.run(240.0);
        let rest = (on_the_wire(world.bytes) - before) as f64 / 240.0;
        assert!(first <= 12_000 && before <= 56_000, "{first} and {before} bytes");
        // The limit includes some requests that are repeated after a loss.
        assert!(rest <= 40.0 * (1.0 + 4.0 * loss), "{rest} bytes/s");
    }
}

#[test]
fn a_client_at_rest_sends_36_bytes_per_second_on_both_paths() {
    let mut world = LinkSimulation::new(Net { loss: 0.0, ..GOOD }, Some((16.0, 16.0)));
    world.run(120.0);
    let before = world.bytes;
    world.run(120.0);
    let rate = (world.bytes - before) as f64 / 120.0;
    assert!(rate <= 36.0, "{rate} bytes/s");
}

/// Returns how many requests a client sends over the link and in messages within ten minutes. The server's
/// clock steps back and forth by `ms` every 100 ms.
fn requests_in_ten_minutes(ms: i64) -> (u64, u64) {
    let mut world = LinkSimulation::new(Net { loss: 0.0, ..GOOD }, Some((16.0, 16.0)));
    world.is_judged = false;
    for turn in 0..6_000 {
        let by = Span::from_millis(if turn % 2 == 0 { ms } else { -ms });
        world.run.offset = world.run.offset + by;
        world.run(0.1);
    }
    (world.client.counts().requests, world.messages)
}

#[test]
fn an_alternating_clock_at_most_doubles_the_requests() {
    let (honest, alternating) = (requests_in_ten_minutes(0), requests_in_ten_minutes(300));
    assert!(alternating.0 <= 2 * honest.0, "over the link");
    assert!(alternating.1 <= 2 * honest.1, "by messages");
}

#[test]
fn unanswered_messages_become_less_frequent_while_the_link_works() {
    let mut world = LinkSimulation::new(Net { loss: 0.0, ..GOOD }, Some((16.0, 16.0)));
    world.messages_blocked = true;
    let mut asked = [0; 3];
    for minutes in &mut asked {
        let before = world.messages;
        world.run(300.0);
        *minutes = world.messages - before;
    }
    assert!(asked[2] <= 5 && asked[1] <= 10, "{asked:?}");
    world.messages_blocked = false;
    world.run(130.0);
    let before = world.messages;
    world.run(60.0);
    assert!(world.messages - before >= 5, "a reply did not restore the rate");
}
